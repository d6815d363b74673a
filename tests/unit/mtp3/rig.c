/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rig.h"

#include <osmocom/core/application.h>
#include <osmocom/core/timer.h>
#include <osmocom/core/timer_compat.h>
#include <stdio.h>
#include <talloc.h>

#include "base/clock.h"

/* ---- time ---- */

static void set_clock(uint64_t ns)
{
	clock_freeze_ns(ns);
	osmo_gettimeofday_override = true;
	osmo_gettimeofday_override_time = (struct timeval){
		.tv_sec = (time_t)(ns / 1000000000u), .tv_usec = (suseconds_t)(ns % 1000000000u / 1000)};
	osmo_clock_override_enable(CLOCK_MONOTONIC, true);
	*osmo_clock_override_gettimespec(CLOCK_MONOTONIC) =
		(struct timespec){.tv_sec = (time_t)(ns / 1000000000u), .tv_nsec = (long)(ns % 1000000000u)};
}

/* ---- queues ---- */

static void mq_init(struct mq *q)
{
	q->first = NULL;
	q->last = &q->first;
	q->n = 0;
}

static void mq_push(struct mq *q, struct msg *m)
{
	m->next = NULL;
	*q->last = m;
	q->last = &m->next;
	q->n++;
}

static struct msg *mq_pop(struct mq *q)
{
	struct msg *m = q->first;

	if (!m)
		return NULL;
	q->first = m->next;
	if (!q->first)
		q->last = &q->first;
	q->n--;
	return m;
}

static void mq_purge(struct mq *q)
{
	struct msg *m;

	while ((m = mq_pop(q)))
		free(m);
}

static struct msg *msg_of(const uint8_t *data, uint32_t len)
{
	struct msg *m = calloc(1, sizeof(*m));

	assert_non_null(m);
	assert_true(len <= sizeof(m->data));
	memcpy(m->data, data, len);
	m->len = (uint16_t)len;
	return m;
}

/* ---- level 2 ---- */

static void l2_transmit(struct l2 *w)
{
	struct msg *m;

	while (w->up && !w->stall && (m = mq_pop(&w->unsent))) {
		struct msg *copy = msg_of(m->data, m->len);

		copy->fsn = m->fsn = ++w->fsn;
		mq_push(&w->unacked, m);
		mq_push(&w->flight, copy);
	}
}

static void l2_send(struct l2 *w, const uint8_t *data, uint32_t len)
{
	mq_push(&w->unsent, msg_of(data, len));
	l2_transmit(w);
}

static void l2_down(struct l2 *w, bool report)
{
	mq_purge(&w->flight);
	w->report_out |= report && (w->up || w->started);
	w->up = false;
	w->started = false;
}

void rig_break(struct l2 *w)
{
	w->broken = w->peer->broken = true;
	l2_down(w, true);
	l2_down(w->peer, true);
}

void rig_repair(struct l2 *w)
{
	w->broken = w->peer->broken = false;
}

static struct l2 *l2_of(const struct mtp3_link *l)
{
	return l->user;
}

static void op_start(struct mtp3_link *l, bool emergency)
{
	struct l2 *w = l2_of(l);

	w->started = true;
	w->starts++;
	w->emergencies += emergency;
	mq_purge(&w->unsent);
	mq_purge(&w->unacked);
	w->fsn = w->bsn = 0;
	if (w->broken)
		l2_down(w, true);
}

static void op_stop(struct mtp3_link *l)
{
	struct l2 *w = l2_of(l);
	bool was = w->up;

	w->stops++;
	l2_down(w, false);
	if (was)
		l2_down(w->peer, true);
}

static void op_fail(struct mtp3_link *l, const char *reason)
{
	struct l2 *w = l2_of(l);

	(void)reason;
	l2_down(w, true);
	l2_down(w->peer, true);
}

static void op_outage(struct mtp3_link *l, bool on)
{
	struct l2 *w = l2_of(l);

	w->stall = w->peer->stall = on;
	mtp3_link_remote_outage(w->peer->link, on);
}

static void op_resume(struct mtp3_link *l, bool flush)
{
	struct l2 *w = l2_of(l);

	w->resumes++;
	w->flushes += flush;
	if (flush)
		mq_purge(&w->unsent);
}

static bool op_bsnt(struct mtp3_link *l, uint32_t *bsnt)
{
	*bsnt = l2_of(l)->bsn;
	return !l2_of(l)->no_bsnt;
}

static bool op_retrieve(struct mtp3_link *l, bool has_fsnc, uint32_t fsnc)
{
	struct l2 *w = l2_of(l);
	struct msg *m;

	if (has_fsnc && (fsnc > w->fsn || fsnc < w->fsn - w->unacked.n))
		return false;
	while ((m = mq_pop(&w->unacked)))
		if (has_fsnc && m->fsn > fsnc)
			mq_push(&w->retrieved, m);
		else
			free(m);
	while ((m = mq_pop(&w->unsent)))
		mq_push(&w->retrieved, m);
	if (w->slow_retrieval)
		w->report_retrieved = true;
	else
		mtp3_link_retrieved(l);
	return true;
}

static void record(struct rig *r, const uint8_t *msu, uint32_t len, enum pc_variant v)
{
	struct mtp3_label label;
	struct snm m;

	assert_int_equal(snm_read(msu, len, v, &label, &m), MTP3_OK);
	assert_true(r->n_log < sizeof(r->log));
	r->log[r->n_log++] = m.id;
}

static void op_link_send(struct mtp3_link *l, const uint8_t *msu, uint32_t len)
{
	record(l2_of(l)->rig, msu, len, l->ls->net->conf->variant);
	l2_send(l2_of(l), msu, len);
}

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
	record(n->rig, msu, len, net->conf->variant);
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

static void route(struct node *n, struct msg *m)
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
					route(n, msg);
					continue;
				}
				mtp3_link_returned(w->link, msg->data, msg->len);
				free(msg);
			}
		}
	while ((msg = mq_pop(&q)))
		route(n, msg);
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
	.link_start = op_start,
	.link_stop = op_stop,
	.link_fail = op_fail,
	.link_outage = op_outage,
	.link_resume = op_resume,
	.link_bsnt = op_bsnt,
	.link_retrieve = op_retrieve,
	.link_send = op_link_send,
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

/* ---- building ---- */

struct rig *rig_new(unsigned nodes)
{
	struct rig *r = calloc(1, sizeof(*r));
	static bool logging;

	assert_non_null(r);
	if (!logging) {
		log_setup(NULL);
		log_set_log_level(osmo_stderr_target, LOGL_FATAL);
		if (getenv("RIG_DEBUG"))
			log_set_log_level(osmo_stderr_target, LOGL_DEBUG);
		logging = true;
	}
	r->now_ns = 1000000000u;
	set_clock(r->now_ns);
	for (unsigned i = 0; i < nodes; i++) {
		struct node *n = &r->nodes[i];

		n->rig = r;
		n->pc = RIG_PC + i;
		n->user_cause = -1;
		n->auto_dests = true;
		mq_init(&n->waiting);
		n->conf = (struct mtp3_net_conf){.name = "net",
			.variant = PC_ITU,
			.ni = 2,
			.pcs = &n->pc,
			.n_pcs = 1,
			.transfer = true};
		for (unsigned d = 0; d < RIG_DESTS; d++)
			n->dests[d].current = -1;
	}
	return r;
}

static void make_node(struct node *n)
{
	if (n->m)
		return;
	n->m = mtp3_new(NULL, &rig_ops, n);
	assert_non_null(n->m);
	n->net = mtp3_net_new(n->m, &n->conf, n);
	assert_non_null(n->net);
}

static struct mtp3_linkset *make_linkset(struct rig *r, unsigned a, unsigned b)
{
	struct node *n = &r->nodes[a];
	struct mtp3_linkset_conf *c = &n->ls_conf[b];

	make_node(n);
	if (n->ls[b])
		return n->ls[b];
	c->name = "ls";
	c->adjacent = RIG_PC + b;
	c->local = RIG_PC + a;
	if (!c->sls_bits)
		c->sls_bits = 4;
	n->ls[b] = mtp3_linkset_new(n->net, c, n);
	assert_non_null(n->ls[b]);
	return n->ls[b];
}

static uint8_t free_slc(const struct mtp3_linkset *ls)
{
	uint8_t i = 0;

	while (ls->links[i])
		i++;
	return i;
}

static void make_end(struct rig *r, struct l2 *w, struct l2 *peer, unsigned a, unsigned b)
{
	struct mtp3_linkset *ls = make_linkset(r, a, b);

	w->rig = r;
	w->node = &r->nodes[a];
	w->peer = peer;
	mq_init(&w->unsent);
	mq_init(&w->unacked);
	mq_init(&w->flight);
	mq_init(&w->retrieved);
	w->conf.slc = free_slc(ls);
	snprintf(w->name, sizeof(w->name), "%u-%u.%u", a, b, w->conf.slc);
	w->conf.name = w->name;
	w->link = mtp3_link_new(ls, &w->conf, w);
	assert_non_null(w->link);
}

struct l2 *rig_link(struct rig *r, unsigned a, unsigned b)
{
	struct l2 *w = r->wires[r->n_wires++];

	make_end(r, &w[0], &w[1], a, b);
	make_end(r, &w[1], &w[0], b, a);
	return w;
}

void rig_route(struct rig *r, unsigned from, unsigned to, const int *via)
{
	struct node *n = &r->nodes[from];
	struct fake_dest *d = &n->dests[to];

	d->pc = RIG_PC + to;
	for (; via[d->n] >= 0; d->n++) {
		assert_non_null(n->ls[via[d->n]]);
		d->routes[d->n] = (struct fake_route){.ls = n->ls[via[d->n]], .status = MTP3_ALLOWED};
	}
}

void rig_up(struct rig *r)
{
	for (unsigned i = 0; i < r->n_wires; i++)
		for (unsigned k = 0; k < 2; k++)
			mtp3_link_activate(r->wires[i][k].link);
	rig_pump(r);
}

static void free_node(struct node *n)
{
	if (n->m)
		mtp3_free(n->m);
	mq_purge(&n->waiting);
}

void rig_free(struct rig *r)
{
	for (unsigned i = 0; i < RIG_NODES; i++)
		free_node(&r->nodes[i]);
	for (unsigned i = 0; i < r->n_wires; i++)
		for (unsigned k = 0; k < 2; k++) {
			mq_purge(&r->wires[i][k].unsent);
			mq_purge(&r->wires[i][k].unacked);
			mq_purge(&r->wires[i][k].flight);
			mq_purge(&r->wires[i][k].retrieved);
		}
	free(r);
}

/* ---- moving ---- */

static void deliver(struct l2 *to, const struct msg *m)
{
	struct node *n = to->node;
	struct mtp3_label label;

	assert_int_equal(mtp3_head_read(m->data, m->len, n->conf.variant, &label), MTP3_OK);
	to->bsn = m->fsn;
	if (label.si > 2 && label.dpc != n->pc)
		route(n, msg_of(m->data, m->len)); /* the worker's business, not control's */
	else
		mtp3_link_receive(to->link, m->data, m->len);
}

static bool move(struct l2 *w)
{
	struct msg *m;
	bool moved = false;

	if (w->report_out) {
		w->report_out = false;
		mtp3_link_out_of_service(w->link, "broken");
		return true;
	}
	if (w->report_retrieved && !w->slow_retrieval) {
		w->report_retrieved = false;
		mtp3_link_retrieved(w->link);
		return true;
	}
	if (w->started && w->peer->started && !w->up && !w->broken) {
		w->up = w->peer->up = true;
		mtp3_link_in_service(w->link);
		mtp3_link_in_service(w->peer->link);
		moved = true;
	}
	l2_transmit(w);
	while (w->up && !w->hold && (m = mq_pop(&w->flight))) {
		uint32_t fsn = m->fsn;

		deliver(w->peer, m);
		free(m);
		while (!w->noack && w->unacked.first && w->unacked.first->fsn <= fsn)
			free(mq_pop(&w->unacked));
		moved = true;
	}
	return moved;
}

void rig_pump(struct rig *r)
{
	bool moved = true;

	for (unsigned round = 0; moved; round++) {
		assert_true(round < 10000);
		moved = false;
		for (unsigned i = 0; i < r->n_wires; i++)
			for (unsigned k = 0; k < 2; k++)
				moved |= move(&r->wires[i][k]);
	}
}

void rig_pass(struct rig *r, uint32_t ms)
{
	for (uint32_t i = 0; i < ms; i += 50) {
		r->now_ns += 50u * 1000000u;
		set_clock(r->now_ns);
		osmo_timers_prepare();
		osmo_timers_update();
		rig_pump(r);
	}
}

/* ---- traffic and checks ---- */

void rig_traffic(struct rig *r, unsigned from, unsigned to, unsigned n)
{
	struct node *a = &r->nodes[from], *b = &r->nodes[to];

	for (unsigned i = 0; i < n; i++) {
		struct mtp3_label label = {
			.opc = a->pc, .dpc = b->pc, .si = 5, .ni = 2, .sls = (uint8_t)(i & 15)};
		uint32_t head = mtp3_head_len(a->conf.variant);
		uint8_t data[32] = {0};

		assert_int_equal(mtp3_head_write(data, a->conf.variant, &label), MTP3_OK);
		memcpy(data + head, &b->next_seq[label.sls], 4);
		b->next_seq[label.sls]++;
		route(a, msg_of(data, head + 4));
	}
}

void rig_assert_all(struct rig *r, unsigned to, unsigned n)
{
	assert_int_equal(r->nodes[to].disordered, 0);
	assert_int_equal(r->nodes[to].delivered, n);
}

unsigned rig_sent(const struct rig *r, enum snm_id id)
{
	unsigned n = 0;

	for (unsigned i = 0; i < r->n_log; i++)
		n += r->log[i] == id;
	return n;
}

void rig_forget_sent(struct rig *r)
{
	r->n_log = 0;
}

static struct mtp3_link *way_in(const struct mtp3_linkset *ls, const struct snm *m)
{
	bool changeover = m->id <= SNM_XCA || m->id == SNM_ECO || m->id == SNM_ECA;

	return changeover && m->slc == 0 && ls->links[1] ? ls->links[1] : ls->links[0];
}

void rig_inject(struct rig *r, unsigned from, unsigned to, const struct snm *m)
{
	struct node *n = &r->nodes[to];
	struct mtp3_label label = {.opc = RIG_PC + from, .dpc = n->pc, .ni = 2};
	uint8_t buf[SNM_MAX];
	uint32_t len;

	assert_int_equal(snm_write(buf, sizeof(buf), n->conf.variant, &label, m, &len), MTP3_OK);
	mtp3_link_receive(way_in(n->ls[from], m), buf, len);
	rig_pump(r);
}

unsigned rig_share(struct rig *r, unsigned a, unsigned b, const struct l2 *l)
{
	unsigned n = 0;

	for (unsigned i = 0; i < (1u << r->nodes[a].ls_conf[b].sls_bits); i++)
		n += r->nodes[a].bucket[b][i] == l->link;
	return n;
}
