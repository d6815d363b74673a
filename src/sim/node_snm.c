/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the neighbours say to each other: one handler per message of Q.704 s.15 and Q.707. */
#include <string.h>

#include "base/clock.h"
#include "sim/node.h"

enum { NO_FSNC = M2PA_SEQ_MASK + 1, SLT_TRIES = 2, PATTERN_LEN = 8 };
static const uint64_t tra_guard_ns = 10000000000u;

/* ---- sending ---- */

static bool send_to(struct node *n, struct link *over, uint32_t dpc, const struct snm *m)
{
	const struct node_opts *o = n->conf;
	bool test = snm_rules[m->id].si == MTP3_SI_TEST, ansi = o->variant == PC_ANSI;
	struct mtp3_label label = {.opc = o->pc,
		.dpc = dpc,
		.ni = o->ni,
		.si = test && ansi ? MTP3_SI_TEST_SPECIAL : snm_rules[m->id].si,
		.mp = ansi ? 3 : 0};
	struct mbuf *buf = mbuf_alloc(n->env->tp->pool);
	uint32_t len = 0;

	if (!buf)
		return false;
	if (snm_write(mbuf_head(buf), mbuf_tailroom(buf), o->variant, &label, m, &len) != MTP3_OK) {
		mbuf_free(n->env->tp->pool, buf);
		return false;
	}
	buf->len = len;
	n->c[test ? NODE_C_TX_SLT : NODE_C_TX_SNM]++;
	link_log(over, "> %s slc %u", snm_name(m->id), m->slc);
	link_send(over, buf);
	return true;
}

bool node_send_snm(struct node *n, struct link *over, const struct snm *m)
{
	return send_to(n, over, n->conf->adjacent, m);
}

void node_user_missing(struct node *n, uint32_t opc, uint8_t si)
{
	struct snm m = {.id = SNM_UPU, .dest = n->conf->pc, .user = si, .cause = UPU_UNEQUIPPED};
	struct link *over = node_other(n, NODE_NOBODY);

	if (over && n->restart == RESTART_DONE)
		send_to(n, over, opc, &m);
}

void node_answer(struct node *n, unsigned i, enum snm_id id, const struct snm *to)
{
	struct snm m = *to;

	m.id = (uint8_t)id;
	node_send_snm(n, &n->links[i], &m);
}

/* ---- link test (Q.707 s.2) ---- */

void node_test(struct node *n, unsigned i)
{
	struct node_link *l3 = &n->l3[i];
	struct snm m = {.id = SNM_SLTM, .slc = l3->link->slc, .pattern_len = PATTERN_LEN};

	if (!l3->slt_tries++)
		for (unsigned k = 0; k < PATTERN_LEN; k++)
			l3->pattern[k] = (uint8_t)rng_next(&n->env->rng);
	l3->pattern_len = PATTERN_LEN;
	memcpy(m.pattern, l3->pattern, PATTERN_LEN);
	node_send_snm(n, l3->link, &m);
	link_arm(l3->link, &l3->t_slt, (double)n->conf->slt_t1_ns * 1e-9);
}

void node_slt_stop(struct node *n, unsigned i)
{
	n->l3[i].slt_tries = 0;
	ev_timer_stop(n->env->tp->ev, &n->l3[i].t_slt);
}

/* T1: once more, then the link has failed. T2 (no test is running): the next one. */
static void on_slt(struct ev_loop *loop, struct ev_timer *w, int revents)
{
	struct node_link *l3 = w->data;
	struct node *n = l3->link->node;

	(void)loop;
	(void)revents;
	if (l3->slt_tries < SLT_TRIES) {
		node_test(n, l3->link->index);
		return;
	}
	n->c[NODE_C_SLT_FAILED]++;
	l3->slt_tries = 0;
	link_fail(l3->link, "link test failed");
}

void node_slt_init(struct node *n, unsigned i)
{
	ev_init(&n->l3[i].t_slt, on_slt);
	n->l3[i].t_slt.data = &n->l3[i];
}

static void got_sltm(struct node *n, unsigned i, const struct snm *m)
{
	if (m->slc == n->links[i].slc)
		node_answer(n, i, SNM_SLTA, m);
}

static void got_slta(struct node *n, unsigned i, const struct snm *m)
{
	struct node_link *l3 = &n->l3[i];

	if (!l3->slt_tries || m->slc != l3->link->slc || m->pattern_len != l3->pattern_len ||
		memcmp(m->pattern, l3->pattern, m->pattern_len) != 0)
		return; /* T1 runs on */
	node_slt_stop(n, i);
	l3->tested = true;
	if (n->conf->slt_t2_ns)
		link_arm(l3->link, &l3->t_slt, (double)n->conf->slt_t2_ns * 1e-9);
	node_look(n, i);
}

/* ---- what the neighbour has told ---- */

static void heard(struct node *n, uint32_t pc, enum node_access what)
{
	struct node_dest *d = node_dest(n, pc, true);

	if (d)
		d->heard = what;
	n->up->news(n, pc, what == NODE_PROHIBITED ? NODE_NEWS_PROHIBITED : NODE_NEWS_ALLOWED);
	if (what == NODE_PROHIBITED && n->conf->t10_ns && !ev_is_active(&n->t_rst))
		link_arm(&n->links[0], &n->t_rst, (double)n->conf->t10_ns * 1e-9);
}

/* Of a neighbour that restarts, or that cannot be reached, all is allowed until it says otherwise (s.9.6.2).
 */
static void forget(struct node *n)
{
	for (unsigned d = 0; d < n->n_dests; d++)
		if (n->dest[d].heard != NODE_ALLOWED)
			heard(n, n->dest[d].pc, NODE_ALLOWED);
}

/* ---- restart (s.9) ---- */

static void begin_restart(struct node *n)
{
	struct snm tra = {.id = SNM_TRA};
	struct link *over = node_other(n, NODE_NOBODY);

	for (unsigned d = 0; d < n->n_dests; d++)
		if (n->dest[d].behind && n->dest[d].told != NODE_ALLOWED)
			node_tell(
				n, n->dest[d].told == NODE_PROHIBITED ? SNM_TFP : SNM_TFR, n->dest[d].pc, 0);
	n->tra_ns = clock_ns();
	node_send_snm(n, over, &tra);
	link_arm(over, &n->t_restart, (double)n->conf->t21_ns * 1e-9);
}

void node_restart(struct node *n, enum restart_event e)
{
	struct l3_cell c = restart_transition(n->restart, e);
	struct snm tra = {.id = SNM_TRA};
	struct link *over = node_other(n, NODE_NOBODY);

	n->restart = c.next;
	switch ((enum restart_action)c.action) {
	case RESTART_DO_BEGIN:
		begin_restart(n);
		if (n->heard_tra)
			node_restart(n, RESTART_EV_TRA);
		break;
	case RESTART_DO_OPEN: ev_timer_stop(n->env->tp->ev, &n->t_restart); break;
	case RESTART_DO_STOP:
		ev_timer_stop(n->env->tp->ev, &n->t_restart);
		/* Not when a restart begins: what is told by then is the neighbour's, which began before us.
		 */
		n->heard_tra = false;
		forget(n);
		break;
	case RESTART_DO_ANSWER:
		/* Not if that TRA is only the answer to ours (T19). */
		if (over && clock_ns() - n->tra_ns > tra_guard_ns) {
			n->tra_ns = clock_ns();
			node_send_snm(n, over, &tra);
		}
		break;
	case RESTART_DO_NOTHING:
	case RESTART_ACTIONS: break;
	}
}

static void got_tra(struct node *n, unsigned i, const struct snm *m)
{
	(void)i;
	(void)m;
	n->heard_tra = true;
	node_restart(n, RESTART_EV_TRA);
}

/* ---- changeover, changeback ---- */

struct node_link *node_about(struct node *n, uint8_t slc)
{
	for (unsigned i = 0; i < n->n_links; i++)
		if (n->links[i].slc == slc)
			return &n->l3[i];
	return NULL;
}

static void got_co(struct node *n, unsigned i, const struct snm *m)
{
	bool full = m->id == SNM_XCO || m->id == SNM_XCA;
	bool order = m->id == SNM_XCO || m->id == SNM_COO || m->id == SNM_ECO;
	struct node_link *l3 = node_about(n, m->slc);

	(void)i;
	if (l3)
		node_co(n, l3->link->index, order ? CO_EV_ORDER : CO_EV_ACK, full ? m->fsn : NO_FSNC);
}

static void got_cbd(struct node *n, unsigned i, const struct snm *m)
{
	node_answer(n, i, SNM_CBA, m);
}

static void got_cba(struct node *n, unsigned i, const struct snm *m)
{
	struct node_link *l3 = node_about(n, m->slc);

	(void)i;
	if (l3)
		node_cb_ack(n, l3->link->index, m->cbc);
}

/* ---- routes (s.13) ---- */

struct node_dest *node_dest(struct node *n, uint32_t pc, bool make)
{
	for (unsigned d = 0; d < n->n_dests; d++)
		if (n->dest[d].pc == pc)
			return &n->dest[d];
	if (!make || n->n_dests == NODE_DESTS)
		return NULL;
	n->dest[n->n_dests] = (struct node_dest){.pc = pc};
	return &n->dest[n->n_dests++];
}

void node_tell(struct node *n, enum snm_id id, uint32_t dest, uint8_t level)
{
	static const uint8_t means[SNM_IDS] = {
		[SNM_TFP] = NODE_PROHIBITED, [SNM_TFR] = NODE_RESTRICTED, [SNM_TFA] = NODE_ALLOWED};
	struct snm m = {.id = (uint8_t)id, .dest = dest, .level = level};
	struct node_dest *d = node_dest(n, dest, true);
	struct link *over = node_other(n, NODE_NOBODY);

	if (d && id != SNM_TFC)
		d->told = means[id];
	if (over)
		node_send_snm(n, over, &m);
}

static void got_tfx(struct node *n, unsigned i, const struct snm *m)
{
	(void)i;
	heard(n, m->dest,
		m->id == SNM_TFP   ? NODE_PROHIBITED
		: m->id == SNM_TFR ? NODE_RESTRICTED
				   : NODE_ALLOWED);
}

static void got_tfc(struct node *n, unsigned i, const struct snm *m)
{
	(void)i;
	n->c[NODE_C_TFC]++;
	n->up->news(n, m->dest, NODE_NEWS_CONGESTED);
}

/* The answer says what is true, if the question takes something else for it (s.13.5). */
static void got_rst(struct node *n, unsigned i, const struct snm *m)
{
	static const uint8_t ids[] = {
		[NODE_ALLOWED] = SNM_TFA, [NODE_RESTRICTED] = SNM_TFR, [NODE_PROHIBITED] = SNM_TFP};
	enum node_access asked = m->id == SNM_RST ? NODE_PROHIBITED : NODE_RESTRICTED, is;
	const struct node_dest *d = node_dest(n, m->dest, false);

	is = d && d->behind ? d->told : m->dest == n->conf->pc ? NODE_ALLOWED : NODE_PROHIBITED;
	if (is != asked)
		node_answer(n, i, ids[is], m);
}

static void got_upu(struct node *n, unsigned i, const struct snm *m)
{
	(void)i;
	(void)m;
	n->c[NODE_C_UPU]++;
}

/* ---- receiving ---- */

static const struct {
	uint8_t id;
	void (*got)(struct node *n, unsigned i, const struct snm *m);
} handlers[] = {
	{SNM_SLTM, got_sltm},
	{SNM_SLTA, got_slta},
	{SNM_TRA, got_tra},
	{SNM_COO, got_co},
	{SNM_COA, got_co},
	{SNM_XCO, got_co},
	{SNM_XCA, got_co},
	{SNM_ECO, got_co},
	{SNM_ECA, got_co},
	{SNM_CBD, got_cbd},
	{SNM_CBA, got_cba},
	{SNM_LIN, node_got_inhibit},
	{SNM_LUN, node_got_inhibit},
	{SNM_LLT, node_got_inhibit},
	{SNM_LRT, node_got_inhibit},
	{SNM_LIA, node_got_inhibit},
	{SNM_LID, node_got_inhibit},
	{SNM_LUA, node_got_inhibit},
	{SNM_LFU, node_got_inhibit},
	{SNM_TFP, got_tfx},
	{SNM_TFR, got_tfx},
	{SNM_TFA, got_tfx},
	{SNM_TFC, got_tfc},
	{SNM_RST, got_rst},
	{SNM_RSR, got_rst},
	{SNM_UPU, got_upu},
};

void node_receive_snm(struct node *n, unsigned i, const uint8_t *msu, uint32_t len)
{
	struct mtp3_label label;
	struct snm m;
	enum mtp3_fault f = snm_read(msu, len, n->conf->variant, &label, &m);

	n->c[f == MTP3_OK && snm_rules[m.id].si == MTP3_SI_TEST ? NODE_C_RX_SLT : NODE_C_RX_SNM]++;
	if (f != MTP3_OK) {
		n->c[NODE_C_MALFORMED]++;
		link_log(&n->links[i], "malformed message: %s", mtp3_fault_name(f));
		return;
	}
	if (label.dpc != n->conf->pc || label.opc != n->conf->adjacent) {
		n->c[NODE_C_STRAY]++;
		return;
	}
	link_log(&n->links[i], "< %s slc %u", snm_name(m.id), m.slc);
	for (size_t k = 0; k < sizeof(handlers) / sizeof(*handlers); k++)
		if (handlers[k].id == m.id)
			handlers[k].got(n, i, &m);
}
