/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which link carries which SLS. An SLS moves in one of two ways, and is held in the meantime:
 *
 *   changeover  its link fails: order and acknowledgement tell each end what the other has; what it has not
 * goes out over other links before anything new (Q.704 s.5) changeback  a better link is there: a declaration
 * goes behind the last message on the old link; when it is acknowledged, everything before it has arrived
 * (s.6.3) */
#include "base/clock.h"
#include "sim/as.h"
#include "sim/node.h"

enum { NO_FSNC = M2PA_SEQ_MASK + 1 };

static double seconds(uint64_t ns)
{
	return (double)ns * 1e-9;
}

unsigned node_available(const struct node *n)
{
	unsigned count = 0;

	for (unsigned i = 0; i < n->n_links; i++)
		count += n->l3[i].available;
	return count;
}

struct link *node_other(struct node *n, unsigned except)
{
	for (unsigned i = 0; i < n->n_links; i++)
		if (i != except && n->l3[i].available)
			return &n->links[i];
	return NULL;
}

/* ---- changeback ---- */

static void cb_declare(struct node *n, struct node_changeback *cb)
{
	struct snm m = {.id = SNM_CBD, .slc = n->links[cb->to].slc, .cbc = (uint8_t)(cb->from << 4 | cb->to)};

	n->c[NODE_C_CHANGEBACKS]++;
	node_send_snm(n, &n->links[cb->from], &m);
	link_arm(&n->links[cb->from], &cb->t, seconds(n->conf->cb_t4_ns));
}

static void cb_stop(struct node *n, struct node_changeback *cb)
{
	cb->active = false;
	ev_timer_stop(n->env->tp->ev, &cb->t);
}

static void cb_begin(struct node *n, unsigned from, unsigned to)
{
	struct node_changeback *cb = &n->cb[from][to];

	if (cb->active)
		return;
	cb->active = true;
	cb->again = false;
	cb_declare(n, cb);
}

static void cb_end(struct node *n, struct node_changeback *cb)
{
	cb_stop(n, cb);
	for (unsigned s = 0; s < NODE_SLS; s++) {
		struct node_sls *sls = &n->sls[s];

		if (!sls->held || sls->link != cb->from || sls->target != cb->to)
			continue;
		sls->link = cb->to;
		sls->held = false;
	}
}

void node_cb_ack(struct node *n, unsigned to, uint8_t code)
{
	unsigned from = code >> 4;

	if (from < n->n_links && (code & 0xf) == to && n->cb[from][to].active)
		cb_end(n, &n->cb[from][to]);
}

/* T4: once more; T5: without an answer (s.6.3.5). */
static void on_cb(struct ev_loop *loop, struct ev_timer *w, int revents)
{
	struct node_changeback *cb = w->data;

	(void)loop;
	(void)revents;
	if (!cb->again) {
		cb->again = true;
		cb_declare(cb->node, cb);
		return;
	}
	cb->node->c[NODE_C_CB_UNANSWERED]++;
	cb_end(cb->node, cb);
}

/* ---- sharing ---- */

static void cb_cancel_unused(struct node *n)
{
	for (unsigned f = 0; f < n->n_links; f++)
		for (unsigned t = 0; t < n->n_links; t++)
			if (n->cb[f][t].active && (!n->l3[f].available || !n->l3[t].available))
				cb_stop(n, &n->cb[f][t]);
}

/* SLS goes to TARGET as soon as it may. */
static void want(struct node *n, struct node_sls *s, uint16_t target)
{
	bool carried = s->link != NODE_NOBODY && n->l3[s->link].available;

	s->target = target;
	if (carried) {
		s->held = target != s->link;
		if (s->held)
			cb_begin(n, s->link, target);
	} else if (s->link == NODE_NOBODY || (n->l3[s->link].co == CO_DONE && target != NODE_NOBODY)) {
		s->link = target;
		s->held = false;
	} else {
		s->held = true; /* its changeover is on its way, or there is nowhere to go */
	}
}

static void share(struct node *n)
{
	uint16_t owner[NODE_SLS];
	bool active[OPTS_MAX_LINKS];

	_Static_assert(
		(int)NODE_NOBODY == (int)AS_NOBODY && (int)NODE_SLS == (int)AS_SLS, "as_assign() is shared");
	for (unsigned i = 0; i < n->n_links; i++)
		active[i] = n->l3[i].available;
	for (unsigned s = 0; s < NODE_SLS; s++)
		owner[s] = n->sls[s].link;
	as_assign(owner, active, n->n_links);
	cb_cancel_unused(n);
	for (unsigned s = 0; s < NODE_SLS; s++)
		want(n, &n->sls[s], owner[s]);
}

/* ---- changeover ---- */

/* What link I has not got rid of goes where its SLS goes now. */
static void divert(struct node *n, unsigned i, uint32_t fsnc)
{
	struct mbufq q;
	struct mbuf *m;

	mbufq_init(&q);
	if (node_other(n, i))
		link_retrieve(&n->links[i], fsnc, &q);
	share(n);
	while ((m = mbufq_pop(&q))) {
		struct mtp3_label label = {.sls = 0};
		uint16_t to = NODE_NOBODY;

		if (mtp3_head_read(mbuf_head(m), m->len, n->conf->variant, &label) == MTP3_OK)
			to = n->sls[label.sls].link;
		if (to != NODE_NOBODY && n->l3[to].available) {
			link_send(&n->links[to], m);
			continue;
		}
		n->c[NODE_C_NOWHERE]++;
		mbuf_free(n->env->tp->pool, m);
	}
}

static uint32_t accepted(const struct link *l)
{
	return l->held.n ? (l->held.first->aux - 1) & M2PA_SEQ_MASK : l->got;
}

static void co_send(struct node *n, unsigned i, enum snm_id id)
{
	struct snm m = {.id = (uint8_t)id, .slc = n->links[i].slc, .fsn = accepted(&n->links[i])};
	struct link *over = node_other(n, i);

	if (over)
		node_send_snm(n, over, &m);
}

static void co_act(struct node *n, unsigned i, enum co_action a, uint32_t fsnc)
{
	struct node_link *l3 = &n->l3[i];

	if (a != CO_DO_NOTHING && a != CO_DO_ANSWER)
		ev_timer_stop(n->env->tp->ev, &l3->t_co);
	switch (a) {
	case CO_DO_ORDER:
		n->c[NODE_C_CHANGEOVERS]++;
		co_send(n, i, SNM_XCO);
		link_arm(l3->link, &l3->t_co, seconds(n->conf->co_t2_ns));
		share(n);
		break;
	case CO_DO_WAIT:
		link_arm(l3->link, &l3->t_co, seconds(n->conf->co_t1_ns));
		share(n);
		break;
	case CO_DO_ANSWER: co_send(n, i, SNM_XCA); break;
	case CO_DO_ANSWER_DIVERT:
		n->c[NODE_C_CHANGEOVERS]++;
		co_send(n, i, SNM_XCA);
		if (link_in_service(l3->link))
			link_fail(l3->link, "the neighbour changes over");
		divert(n, i, fsnc);
		break;
	case CO_DO_DIVERT: divert(n, i, fsnc); break;
	case CO_DO_DIVERT_UNSENT: divert(n, i, NO_FSNC); break;
	case CO_DO_DISCARD:
	case CO_DO_RELEASE: share(n); break;
	case CO_DO_NOTHING:
	case CO_ACTIONS: break;
	}
}

void node_co(struct node *n, unsigned i, enum co_event e, uint32_t fsnc)
{
	struct node_link *l3 = &n->l3[i];
	struct l3_cell c = co_transition(l3->co, e);

	if (c.next != l3->co)
		link_log(l3->link, "changeover: %s -> %s", co_state_name(l3->co), co_state_name(c.next));
	if (e == CO_EV_TIMER)
		n->c[NODE_C_CO_UNANSWERED] += l3->co == CO_ORDERED;
	l3->co = c.next;
	co_act(n, i, c.action, fsnc);
}

static void on_co(struct ev_loop *loop, struct ev_timer *w, int revents)
{
	struct node_link *l3 = w->data;

	(void)loop;
	(void)revents;
	node_co(l3->link->node, l3->link->index, CO_EV_TIMER, NO_FSNC);
}

/* ---- availability ---- */

static bool may_carry(const struct node_link *l3)
{
	return link_in_service(l3->link) && l3->tested && !l3->inhibited && !l3->inhibits &&
	       l3->link->poc == POC_NONE;
}

/* A link whose traffic had nowhere to go takes no more of it, once there is another. */
static void rescue(struct node *n)
{
	for (unsigned i = 0; i < n->n_links; i++)
		if (n->l3[i].co == CO_DONE && !n->l3[i].available && n->links[i].waiting.n &&
			node_other(n, i))
			divert(n, i, NO_FSNC);
}

void node_look(struct node *n, unsigned i)
{
	struct node_link *l3 = &n->l3[i];
	bool was = l3->available, now = may_carry(l3), failed = !link_in_service(l3->link);

	l3->available = now;
	if (now && !was) {
		rescue(n);
		node_co(n, i, CO_EV_AVAILABLE, NO_FSNC);
		share(n);
		node_restart(n, RESTART_EV_LINK);
	} else if (!now && (was || (failed && l3->co == CO_TIMED))) {
		enum co_event e = failed ? CO_EV_FAILED : CO_EV_BLOCKED;

		if (failed && !node_other(n, i))
			e = CO_EV_ISOLATED;
		node_co(n, i, e, NO_FSNC);
		if (!node_available(n) && failed)
			node_restart(n, RESTART_EV_ALONE);
	}
}

struct link *node_sender(struct node *n, uint8_t sls)
{
	const struct node_sls *s = &n->sls[sls];

	if (n->restart != RESTART_DONE || s->held || s->link == NODE_NOBODY || !n->l3[s->link].available)
		return NULL;
	return &n->links[s->link];
}

void node_share_init(struct node *n)
{
	for (unsigned s = 0; s < NODE_SLS; s++)
		n->sls[s] = (struct node_sls){.link = NODE_NOBODY, .target = NODE_NOBODY};
	for (unsigned f = 0; f < n->n_links; f++) {
		n->l3[f].link = &n->links[f];
		ev_init(&n->l3[f].t_co, on_co);
		n->l3[f].t_co.data = &n->l3[f];
		for (unsigned t = 0; t < n->n_links; t++) {
			n->cb[f][t] =
				(struct node_changeback){.node = n, .from = (uint8_t)f, .to = (uint8_t)t};
			ev_init(&n->cb[f][t].t, on_cb);
			n->cb[f][t].t.data = &n->cb[f][t];
		}
	}
}

void node_share_fini(struct node *n)
{
	for (unsigned f = 0; f < n->n_links; f++) {
		ev_timer_stop(n->env->tp->ev, &n->l3[f].t_co);
		for (unsigned t = 0; t < n->n_links; t++)
			cb_stop(n, &n->cb[f][t]);
	}
}
