/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is above level 3 in a node: routing, traffic that waits and goes on, users. */
#include "rig_int.h"

/* ---- the routing layer ---- */

static struct node *node_of(const struct mtp3_net *n)
{
	return n->user;
}

static unsigned number_of(const struct mtp3_linkset *ls)
{
	return ls->conf->adjacent - RIG_PC;
}

static struct fake_dest *dest_of(struct node *n, uint32_t pc)
{
	for (unsigned i = 0; i < RIG_DESTS; i++)
		if (n->dests[i].n && n->dests[i].pc == pc)
			return &n->dests[i];
	return NULL;
}

static bool usable(const struct fake_route *r)
{
	return r->ls->state != MTP3_LS_DOWN && r->status != MTP3_PROHIBITED;
}

static int best(const struct fake_dest *d)
{
	int restricted = -1;

	for (unsigned i = 0; i < d->n; i++) {
		if (usable(&d->routes[i]) && d->routes[i].status == MTP3_ALLOWED)
			return (int)i;
		if (usable(&d->routes[i]) && restricted < 0)
			restricted = (int)i;
	}
	return restricted;
}

static void reconsider(struct node *n, struct fake_dest *d, bool linkset)
{
	int b = best(d), was = d->current;

	if (b == was)
		return;
	if (b < 0 || was < 0 || !usable(&d->routes[was])) {
		mtp3_reroute(n->net, d->pc, 0, MTP3_REROUTE_FORCED);
		if (b < 0)
			for (unsigned i = 0; i < d->n; i++)
				mtp3_dest_lost(d->routes[i].ls);
	} else {
		mtp3_reroute(n->net, d->pc, 0, linkset ? MTP3_REROUTE_TIMED : MTP3_REROUTE_CONTROLLED);
	}
}

static void reconsider_all(struct node *n, bool linkset)
{
	for (unsigned i = 0; i < RIG_DESTS; i++)
		if (n->dests[i].n)
			reconsider(n, &n->dests[i], linkset);
}

static void op_dest_hold(struct mtp3_net *net, uint32_t pc, uint8_t mask, bool held)
{
	struct node *n = node_of(net);
	struct fake_dest *d = dest_of(n, pc);

	(void)mask;
	assert_non_null(d);
	d->held = held;
	d->holds += held;
	if (!held) {
		d->current = best(d);
		if (n->auto_dests)
			mtp3_dest_changed(net, pc, 0);
	}
}

static void op_linkset_state(struct mtp3_linkset *ls, enum mtp3_ls_state s)
{
	(void)s;
	reconsider_all(node_of(ls->net), true);
}

static bool op_route_status(struct mtp3_linkset *ls, uint32_t pc, uint8_t mask, enum mtp3_status s)
{
	struct node *n = node_of(ls->net);
	struct fake_dest *d = dest_of(n, pc);

	(void)mask;
	for (unsigned i = 0; d && i < d->n; i++)
		if (d->routes[i].ls == ls && ls->conf->adjacent != pc) {
			d->routes[i].status = s;
			reconsider(n, d, false);
			return true;
		}
	return false;
}

static enum mtp3_status op_dest_status(
	struct mtp3_net *net, uint32_t pc, uint8_t mask, const struct mtp3_linkset *for_ls)
{
	struct node *n = node_of(net);
	struct fake_dest *d = dest_of(n, pc);

	(void)mask;
	if (pc == n->pc)
		return MTP3_ALLOWED;
	if (!d || d->current < 0 || d->routes[d->current].ls == for_ls)
		return MTP3_PROHIBITED;
	return d->current > 0 ? MTP3_RESTRICTED : d->routes[d->current].status;
}

static void op_dest_each(struct mtp3_net *net, void (*fn)(void *, uint32_t, uint8_t), void *arg)
{
	struct node *n = node_of(net);

	for (unsigned i = 0; i < RIG_DESTS; i++)
		if (n->dests[i].n)
			fn(arg, n->dests[i].pc, 0);
}

static struct mtp3_linkset *way(struct node *n, uint32_t pc, const struct mtp3_linkset *except)
{
	struct fake_dest *d = dest_of(n, pc);

	for (unsigned i = 0; d && i < d->n; i++)
		if (d->routes[i].ls != except && d->routes[i].ls->state == MTP3_LS_UP &&
			d->routes[i].status != MTP3_PROHIBITED)
			return d->routes[i].ls;
	return NULL;
}

static bool op_reaches(struct mtp3_net *net, uint32_t pc, const struct mtp3_linkset *except)
{
	return way(node_of(net), pc, except) != NULL;
}

static bool op_route_send(struct mtp3_net *net, const struct mtp3_label *label, const uint8_t *msu,
	uint32_t len, const struct mtp3_linkset *except)
{
	struct node *n = node_of(net);
	struct mtp3_linkset *ls = way(n, label->dpc, except);
	struct mtp3_link *l = ls ? n->bucket[number_of(ls)][label->sls] : NULL;

	if (!l)
		return false;
	rig_record(n->rig, msu, len, net->conf->variant);
	l2_send(l2_of(l), msu, len);
	return true;
}

static bool op_needed(struct mtp3_linkset *ls)
{
	return node_of(ls->net)->needed;
}

/* ---- traffic ---- */

static bool same_flow_waits(struct node *n, const struct msg *m)
{
	for (const struct msg *w = n->waiting.first; w; w = w->next)
		if (w->len == m->len && memcmp(w->data, m->data, 5) == 0)
			return true;
	return false;
}

void node_route(struct node *n, struct msg *m)
{
	struct mtp3_label label;
	struct fake_dest *d;
	struct mtp3_linkset *ls;
	struct mtp3_link *l;

	assert_int_equal(mtp3_head_read(m->data, m->len, n->conf.variant, &label), MTP3_OK);
	d = dest_of(n, label.dpc);
	if (!d || d->current < 0) {
		n->dropped++;
		free(m);
		return;
	}
	ls = d->routes[d->current].ls;
	l = n->bucket[number_of(ls)][label.sls];
	if (d->held || ls->state == MTP3_LS_PENDING || n->held[number_of(ls)][label.sls] ||
		same_flow_waits(n, m)) {
		mq_push(&n->waiting, m);
		return;
	}
	assert_non_null(l);
	l2_send(l2_of(l), m->data, m->len);
	free(m);
}

static void op_bucket(struct mtp3_linkset *ls, uint8_t sls, struct mtp3_link *l, bool held)
{
	struct node *n = node_of(ls->net);

	n->bucket[number_of(ls)][sls] = l;
	n->held[number_of(ls)][sls] = held;
}

static void op_requeue(struct mtp3_link *l)
{
	l2_of(l)->requeue = true;
}

/* First what was retrieved, then what waited. */
static void op_settle(struct mtp3 *m)
{
	struct node *n = mtp3_user(m);
	struct mq q = n->waiting, back;
	struct msg *msg;

	n->settles++;
	if (q.last == &n->waiting.first)
		q.last = &q.first;
	mq_init(&n->waiting);
	mq_init(&back);
	for (unsigned i = 0; i < n->rig->n_wires; i++)
		for (unsigned k = 0; k < 2; k++) {
			struct l2 *w = &n->rig->wires[i][k];

			if (w->node != n || !w->requeue)
				continue;
			w->requeue = false;
			while ((msg = mq_pop(&w->retrieved))) {
				if ((msg->data[0] & 15) > 2) {
					node_route(n, msg);
					continue;
				}
				mtp3_link_returned(w->link, msg->data, msg->len);
				free(msg);
			}
		}
	while ((msg = mq_pop(&q)))
		node_route(n, msg);
}

/* ---- users ---- */

static void op_congested(struct mtp3_net *net, uint32_t local, uint32_t pc, uint8_t level)
{
	struct node *n = node_of(net);

	n->congested++;
	n->last_local = local;
	n->last_pc = pc;
	n->level = level;
}

static uint8_t op_congestion(struct mtp3_net *net, uint32_t pc)
{
	const struct node *n = node_of(net);

	return n->last_pc == pc ? n->meets : 0;
}

static void op_user_unavailable(
	struct mtp3_net *net, uint32_t local, uint32_t pc, uint8_t user, uint8_t cause)
{
	struct node *n = node_of(net);

	n->upus++;
	n->last_local = local;
	n->last_pc = pc;
	n->last_user = user;
	n->last_cause = cause;
}

static int op_local_user(
	struct mtp3_net *net, const struct mtp3_label *label, const uint8_t *msu, uint32_t len)
{
	struct node *n = node_of(net);
	uint32_t seq;

	if (n->user_cause >= 0)
		return n->user_cause;
	assert_true(len >= 9);
	memcpy(&seq, msu + len - 4, 4);
	if (seq != n->expect[label->sls])
		n->disordered++;
	n->expect[label->sls] = seq + 1;
	n->delivered++;
	return -1;
}

static uint32_t op_random(void)
{
	static uint32_t x = 1;

	return x = x * 1664525 + 1013904223;
}

const struct mtp3_ops rig_ops = {
	.link_start = l2_op_start,
	.link_stop = l2_op_stop,
	.link_fail = l2_op_fail,
	.link_outage = l2_op_outage,
	.link_resume = l2_op_resume,
	.link_bsnt = l2_op_bsnt,
	.link_retrieve = l2_op_retrieve,
	.link_send = l2_op_send,
	.bucket = op_bucket,
	.linkset_state = op_linkset_state,
	.requeue = op_requeue,
	.dest_hold = op_dest_hold,
	.settle = op_settle,
	.route_send = op_route_send,
	.reaches = op_reaches,
	.route_status = op_route_status,
	.dest_status = op_dest_status,
	.dest_each = op_dest_each,
	.linkset_needed = op_needed,
	.dest_congested = op_congested,
	.dest_congestion = op_congestion,
	.user_unavailable = op_user_unavailable,
	.local_user = op_local_user,
	.random = op_random,
};
