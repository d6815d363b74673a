/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rig_int.h"

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
	if (!c->sls.bits)
		c->sls.bits = 4;
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
		node_route(n, msg_of(m->data, m->len)); /* the worker's business, not control's */
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
		node_route(a, msg_of(data, head + 4));
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

	for (unsigned i = 0; i < (sls_values(&r->nodes[a].ls_conf[b].sls)); i++)
		n += r->nodes[a].bucket[b][i] == l->link;
	return n;
}
