/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/node.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"

static const uint64_t t8_ns = 1000000000u;

const char *node_counter_key(enum node_counter c)
{
	static const char *const keys[] = {
#define X(id, key, help) key,
		NODE_COUNTERS(X)
#undef X
	};

	return keys[c];
}

/* ---- what links tell ---- */

static void on_changed(struct link *l)
{
	struct node *n = l->node;
	struct node_link *l3 = &n->l3[l->index];

	node_slt_stop(n, l->index);
	l3->tested = false;
	if (link_in_service(l)) {
		l3->inhibited = l3->inhibits = false;
		l3->tested = !n->conf->test;
		if (n->conf->test)
			node_test(n, l->index);
	}
	node_look(n, l->index);
}

static void on_outage(struct link *l)
{
	node_look(l->node, l->index);
}

static bool on_may_start(const struct link *l)
{
	return l->node->l3[l->index].co != CO_ORDERED;
}

/* What we have prohibited comes all the same: TFP, once in T8 (Q.704 s.13.2.2). */
static void remind(struct node *n, uint32_t pc)
{
	struct node_dest *d = node_dest(n, pc, false);
	uint64_t now = clock_ns();

	if (!d || d->told != NODE_PROHIBITED)
		return;
	n->c[NODE_C_PROHIBITED]++;
	if (now - d->tfp_ns < t8_ns)
		return;
	d->tfp_ns = now;
	node_tell(n, SNM_TFP, pc, 0);
}

static void on_msu(struct link *l, const uint8_t *msu, uint32_t len, uint8_t pri, uint64_t rx_ns)
{
	struct node *n = l->node;
	enum pc_variant v = n->conf->variant;
	uint32_t head = mtp3_head_len(v);
	struct mtp3_label label = {.sls = 0};

	if ((msu[0] & 0xf) <= MTP3_SI_TEST_SPECIAL) {
		node_receive_snm(n, l->index, msu, len);
		return;
	}
	if (mtp3_head_read(msu, len, v, &label) != MTP3_OK) {
		n->c[NODE_C_MALFORMED]++;
		return;
	}
	if (!mtp3_shapes[v].sio_priority)
		label.mp = pri;
	label.sls = mtp3_sls_unrotate(label.sls, n->conf->rotation);
	if (!node_serves(n, label.dpc)) {
		n->c[NODE_C_STRAY]++;
		return;
	}
	remind(n, label.dpc);
	n->up->msu(n, &label, msu + head, len - head, rx_ns);
	if (label.dpc == n->conf->pc && !n->up->has_user(n, label.si))
		node_user_missing(n, label.opc, label.si);
}

static const struct link_upcalls link_up = {
	.changed = on_changed, .outage = on_outage, .msu = on_msu, .may_start = on_may_start};

bool node_serves(const struct node *n, uint32_t pc)
{
	for (unsigned d = 0; d < n->n_dests; d++)
		if (n->dest[d].behind && n->dest[d].pc == pc)
			return true;
	return pc == n->conf->pc;
}

void node_send(struct link *l, const struct mtp3_label *label, struct mbuf *m)
{
	enum pc_variant v = l->conf->variant;
	uint32_t head = mtp3_head_len(v);

	m->off -= head;
	m->len += head;
	m->ssn = label->mp;
	if (mtp3_head_write(mbuf_head(m), v, label) == MTP3_OK)
		link_send(l, m);
	else
		mbuf_free(l->env->tp->pool, m); /* never: point codes were checked with the options */
}

/* ---- listening ---- */

static void on_incoming(void *user, struct tp_incoming *in)
{
	struct node_listener *ls = user;
	struct node *n = ls->node;
	struct link *best = NULL;
	unsigned most = 0;

	for (unsigned i = 0; i < n->n_links; i++) {
		unsigned score = link_score(&n->links[i], in);

		if (score > most) {
			most = score;
			best = &n->links[i];
		}
	}
	if (!best)
		n->env->ops->reject(in);
	else
		link_adopt(best, in);
}

static bool on_permit(void *user, const union tp_addr *from)
{
	(void)user;
	(void)from;
	return true;
}

static void no_message(void *user, struct mbuf *m)
{
	struct node_listener *ls = user;

	mbuf_free(ls->node->env->tp->pool, m);
}

static void no_event(void *user, const struct tp_event *e)
{
	(void)user;
	(void)e;
}

static void no_refusal(void *user, uint32_t len, bool too_long)
{
	(void)user;
	(void)len;
	(void)too_long;
}

static const struct tp_upcalls listener_up = {.message = no_message,
	.event = no_event,
	.incoming = on_incoming,
	.permit = on_permit,
	.refused = no_refusal};

/* One port for all links if they are told apart by the peer's ports, else a port for each. */
static bool listen_all(struct node *n)
{
	unsigned ports = n->conf->peer_port ? 1 : n->n_links;

	for (unsigned i = 0; n->conf->server && i < ports; i++) {
		struct node_listener *ls = &n->listeners[i];
		struct tp_params p;
		enum sb_err e;

		link_params(&n->links[i], &p);
		p.n_remote = 0;
		p.remote_port = p.remote_udp_port = 0;
		*ls = (struct node_listener){.user = {&listener_up}, .node = n};
		e = n->env->ops->listen(n->env->tp, &p, ls, &ls->tp);
		if (e != SB_OK) {
			ls->tp = NULL;
			fprintf(stderr, "ss7sim: %s cannot listen on port %u: %s\n", n->conf->name,
				p.local_port, sb_strerror(e));
			return false;
		}
	}
	return true;
}

/* ---- life ---- */

static void on_t_restart(struct ev_loop *loop, struct ev_timer *w, int revents)
{
	(void)loop;
	(void)revents;
	node_restart(w->data, RESTART_EV_TIMER);
}

/* T10: asks after what cannot be reached (s.13.5.2). */
static void on_t_rst(struct ev_loop *loop, struct ev_timer *w, int revents)
{
	struct node *n = w->data;
	struct link *over = node_other(n, NODE_NOBODY);
	bool any = false;

	(void)loop;
	(void)revents;
	for (unsigned d = 0; d < n->n_dests; d++) {
		struct snm m = {.id = SNM_RST, .dest = n->dest[d].pc};

		if (n->dest[d].heard != NODE_PROHIBITED)
			continue;
		any = true;
		if (over)
			node_send_snm(n, over, &m);
	}
	if (any)
		link_arm(&n->links[0], w, (double)n->conf->t10_ns * 1e-9);
}

bool node_start(struct node *n)
{
	if (!listen_all(n))
		return false;
	for (unsigned i = 0; i < n->n_links; i++)
		link_activate(&n->links[i]);
	return true;
}

static void unlisten(struct node *n)
{
	for (unsigned i = 0; i < OPTS_MAX_LINKS; i++) {
		if (n->listeners[i].tp)
			n->env->ops->unlisten(n->listeners[i].tp);
		n->listeners[i].tp = NULL;
	}
}

void node_stop(struct node *n)
{
	for (unsigned i = 0; i < n->n_links; i++) {
		link_deactivate(&n->links[i]);
		link_pass(n->env); /* Out of Service goes before the end of the association */
		link_leave(&n->links[i], false);
	}
	unlisten(n);
}

void node_abort(struct node *n)
{
	for (unsigned i = 0; i < n->n_links; i++)
		if (n->links[i].conn)
			link_leave(&n->links[i], true);
}

bool node_alive(const struct node *n)
{
	for (unsigned i = 0; i < n->n_links; i++)
		if (n->links[i].conn || n->links[i].dead)
			return true;
	return false;
}

bool node_ready(const struct node *n)
{
	return n->restart == RESTART_DONE && node_available(n) == n->n_links;
}

void node_judge(struct node *n)
{
	memcpy(n->judged, n->c, sizeof(n->c));
	for (unsigned i = 0; i < n->n_links; i++) {
		struct link *l = &n->links[i];

		l->judged_state = l->state;
		memcpy(l->judged, l->c, sizeof(l->c));
	}
}

/* ---- orders ---- */

/* The node goes away and comes back: every link at once, and nothing is remembered. */
static void restart_all(struct node *n)
{
	for (unsigned i = 0; i < n->n_links; i++)
		link_deactivate(&n->links[i]);
	for (unsigned i = 0; i < n->n_links; i++)
		link_activate(&n->links[i]);
}

static void order_link(struct node *n, struct link *l, enum action_kind kind)
{
	switch (kind) {
	case ACT_DROP:
	case ACT_SHUTDOWN: link_leave(l, false); break;
	case ACT_ABORT: link_leave(l, true); break;
	case ACT_CONNECT:
	case ACT_ACTIVATE: link_activate(l); break;
	case ACT_DEACTIVATE: link_deactivate(l); break;
	case ACT_STOP_ACK: l->mute = true; break;
	case ACT_BUSY:
	case ACT_BUSY_END: link_busy(l, kind == ACT_BUSY); break;
	case ACT_PO:
	case ACT_PO_END: link_outage(l, kind == ACT_PO); break;
	case ACT_WRONG_FSN: l->skew = 5; break;
	case ACT_INHIBIT:
	case ACT_UNINHIBIT: node_inhibit(n, l->index, kind == ACT_INHIBIT); break;
	case ACT_STALL:
	case ACT_RESUME:
		if (l->conn && n->env->ops->hold)
			n->env->ops->hold(l->conn, kind == ACT_STALL);
		break;
	default: break;
	}
}

void node_order(struct node *n, unsigned link, enum action_kind kind, uint32_t pc, uint8_t value)
{
	switch (kind) {
	case ACT_TFP: node_tell(n, SNM_TFP, pc, 0); return;
	case ACT_TFA: node_tell(n, SNM_TFA, pc, 0); return;
	case ACT_TFR: node_tell(n, SNM_TFR, pc, 0); return;
	case ACT_TFC: node_tell(n, SNM_TFC, pc, value); return;
	case ACT_UPU: node_user_missing(n, pc, value); return;
	case ACT_RESTART: restart_all(n); return;
	default: break;
	}
	for (unsigned i = 0; i < n->n_links; i++)
		if (link == NODE_NOBODY || link == i)
			order_link(n, &n->links[i], kind);
}

void node_init(struct node *n, struct link_env *env, const struct node_opts *conf,
	const struct node_upcalls *up, void *user)
{
	*n = (struct node){.env = env, .conf = conf, .up = up, .user = user, .n_links = conf->links};
	n->main = n;
	for (unsigned i = 0; i < n->n_links; i++) {
		link_init(&n->links[i], env, &link_up, n, conf, i);
		node_slt_init(n, i);
		node_inhibit_init(n, i);
	}
	node_share_init(n);
	for (unsigned d = 0; d < conf->n_behind; d++)
		node_dest(n, conf->behind[d], true)->behind = true;
	ev_init(&n->t_restart, on_t_restart);
	ev_init(&n->t_rst, on_t_rst);
	n->t_restart.data = n->t_rst.data = n;
}

void node_fini(struct node *n)
{
	unlisten(n);
	node_share_fini(n);
	for (unsigned i = 0; i < n->n_links; i++) {
		node_slt_stop(n, i);
		node_inhibit_stop(n, i);
		link_fini(&n->links[i]);
	}
	ev_timer_stop(n->env->tp->ev, &n->t_restart);
	ev_timer_stop(n->env->tp->ev, &n->t_rst);
}
