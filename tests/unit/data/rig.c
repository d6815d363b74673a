/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "data/m2pa.h"

struct rig_parts {
	struct fwd_routing *routing;
	struct fwd_as *as[RIG_PEERS];
	struct fwd_ingress **ingress;
	uint32_t n_ingress;
};

uint64_t rig_now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000u + (uint64_t)t.tv_nsec / 1000000u;
}

bool rig_is_link(const struct rig *r, unsigned peer)
{
	return r->opt.links >> peer & 1;
}

/* ---- the peers ---- */

static void flush(struct rig_peer *peer)
{
	if (!peer->blocked && peer->txq.n && peer->up && !peer->down) {
		tp_mem.transmit(peer->conn, &peer->txq);
		peer->blocked = peer->txq.n != 0;
	}
}

static void peer_message(void *user, struct mbuf *m)
{
	struct rig_peer *peer = user;
	struct m3ua_data d;

	peer->received++;
	peer->last_len = m->len;
	peer->last_stream = m->stream;
	peer->last_ppid = (uint16_t)m->ppid;
	memcpy(peer->last, mbuf_head(m), m->len < sizeof(peer->last) ? m->len : sizeof(peer->last));
	if (rig_is_link(peer->rig, peer->index)) {
		if (peer->rig->on_link)
			peer->rig->on_link(peer, m);
	} else if (peer->rig->on_data && m3ua_data_parse(mbuf_head(m), m->len, &d))
		peer->rig->on_data(peer, &d, m);
	mbuf_free(peer->rig->tp.pool, m);
}

static void peer_event(void *user, const struct tp_event *ev)
{
	struct rig_peer *peer = user;

	if (ev->kind == TP_UP)
		peer->up = true;
	else if (ev->kind == TP_DOWN)
		peer->down = true;
	else if (ev->kind == TP_WRITABLE)
		peer->blocked = false;
}

static void peer_refused(void *user, uint32_t len, bool too_long)
{
	(void)user;
	fail_msg("the peer could not take %u bytes (%d)", len, too_long);
}

static const struct tp_upcalls peer_upcalls = {
	.message = peer_message, .event = peer_event, .refused = peer_refused};

bool rig_raw(struct rig_peer *peer, const void *bytes, uint32_t len, uint16_t stream, uint32_t ppid)
{
	struct mbuf *m = mbuf_alloc(peer->rig->tp.pool);

	if (!m)
		return false;
	memcpy(mbuf_head(m), bytes, len);
	m->len = len;
	m->stream = stream;
	m->ppid = ppid;
	mbufq_push(&peer->txq, m);
	return true;
}

bool rig_send(struct rig_peer *peer, const struct m3ua_data *d, const void *payload, uint32_t len)
{
	struct mbuf *m = mbuf_alloc(peer->rig->tp.pool);
	uint32_t total;
	uint8_t *p;

	if (!m)
		return false;
	p = mbuf_head(m);
	memcpy(p, payload, len);
	p = m3ua_data_write(p, len, d, &total);
	m->off = (uint32_t)(p - m->data);
	m->len = total;
	m->stream =
		peer->rig->opt.streams > 1 ? (uint16_t)(1 + d->label.sls % (peer->rig->opt.streams - 1)) : 0;
	m->ppid = TP_PPID_M3UA;
	mbufq_push(&peer->txq, m);
	return true;
}

bool rig_data(struct rig_peer *from, unsigned to, uint8_t sls, const void *payload, uint32_t len)
{
	struct m3ua_data d = {
		.label = {.opc = RIG_PC(from->index), .dpc = RIG_PC(to), .si = 3, .ni = RIG_NI, .sls = sls},
		.has_rc = true,
		.rc = RIG_RC(from->index),
	};

	return rig_send(from, &d, payload, len);
}

/* ---- control ---- */

static void adopt(struct rig *r, struct tp_incoming *in)
{
	unsigned i = (unsigned)in->remote_port - RIG_PORT - 1;
	struct assoc_conf conf = {.name = "peer",
		.txq_limit = r->opt.txq_limit,
		.owner = &r->peers[i],
		.proto = rig_is_link(r, i) ? ASSOC_M2PA : ASSOC_M3UA,
		.t7_ms = 60000,
		.tolerates = r->opt.tolerates};

	assert_in_range(i, 0, RIG_PEERS - 1);
	tp_params_default(&conf.params);
	conf.params.kind = TP_MEM;
	conf.params.out_streams = conf.params.max_in_streams = r->opt.streams;
	if (r->opt.sndbuf)
		conf.params.sndbuf = r->opt.sndbuf;
	r->peers[i].assoc = assoc_adopt(r->plane, in, &conf, NULL);
	assert_non_null(r->peers[i].assoc);
}

static void on_event(void *user, const struct plane_event *ev)
{
	struct rig *r = user;

	r->events[ev->kind]++;
	if (ev->kind == PE_INCOMING && r->reject_all)
		plane_reject(r->plane, ev->take_incoming);
	else if (ev->kind == PE_INCOMING)
		adopt(r, ev->take_incoming);
	if (ev->kind == PE_DOWN)
		memcpy(r->reason, ev->reason, sizeof(r->reason));
	if (ev->kind == PE_CONGESTION)
		r->congestion = ev->value;
	if (ev->kind == PE_DATA_REFUSED) {
		r->refused[ev->reason_code]++;
		r->refused_value = ev->value;
	}
	if (!r->on_event || !r->on_event(r, ev))
		plane_free_mbuf(r->plane, ev->take_mbuf);
}

void rig_step(struct rig *r)
{
	for (unsigned i = 0; i < r->opt.peers; i++)
		flush(&r->peers[i]);
	if (!r->peers_sleep)
		ev_run(r->ev, EVRUN_NOWAIT);
	if (!r->control_sleeps)
		plane_dispatch(r->plane);
}

static void free_parts(void *arg)
{
	struct rig_parts *parts = arg;

	fwd_routing_free(parts->routing);
	for (unsigned i = 0; i < RIG_PEERS; i++)
		fwd_as_free(parts->as[i]);
	for (unsigned i = 0; i < parts->n_ingress; i++)
		fwd_ingress_free(parts->ingress[i]);
	free(parts->ingress);
	free(parts);
}

static struct fwd_as *compile_as(struct rig *r, unsigned number)
{
	struct rig_as *as = &r->as[number];
	struct fwd_slot slots[RIG_PEERS];
	uint16_t share[FWD_HASH_BUCKETS];
	struct fwd_as spec = {.number = as->team ? FWD_NO_AS : number,
		.state = as->state,
		.mode = as->mode,
		.key = as->key,
		.hold = &as->hold,
		.n_slots = (uint16_t)as->n_asps,
		.slots = slots,
		.n_buckets = as->n_buckets,
		.share = share};

	for (unsigned i = 0; i < as->n_asps; i++)
		slots[i] = (struct fwd_slot){.assoc = r->peers[as->asps[i]].assoc,
			.as = as->team ? as->asps[i] : number,
			.flags = (uint8_t)(as->flags | (r->five_bits >> as->asps[i] & 1 ? FWD_SLOT_SLS5 : 0)),
			.hold = as->closed >> as->asps[i] & 1 ? &as->hold : NULL,
			.proto = rig_is_link(r, as->asps[i]) ? FWD_M2PA : FWD_M3UA,
			.has_rc = true,
			.rc = RIG_RC(as->team ? as->asps[i] : number),
			.has_na = r->opt.has_na,
			.na = RIG_NA};
	for (unsigned b = 0; b < as->n_buckets; b++)
		share[b] = (uint16_t)(b % as->n_asps);
	return fwd_as_new(&spec);
}

static void compile_ingress(struct rig *r, struct rig_parts *parts)
{
	for (unsigned i = 0; i < r->opt.peers; i++)
		if (assoc_id(r->peers[i].assoc) >= parts->n_ingress)
			parts->n_ingress = assoc_id(r->peers[i].assoc) + 1;
	parts->ingress = calloc(parts->n_ingress, sizeof(struct fwd_ingress *));
	for (unsigned i = 0; i < r->opt.peers; i++) {
		struct fwd_ingress_rc rcs[] = {
			{.rc = RIG_RC(i), .as = i, .active = r->active[i], .sls5 = r->five_bits >> i & 1},
			{.rc = RIG_RC(r->second_as), .as = r->second_as, .active = true}};

		parts->ingress[assoc_id(r->peers[i].assoc)] =
			rig_is_link(r, i) ? fwd_ingress_new(NULL, 0, rcs)
					  : fwd_ingress_new(rcs, i == 0 && r->second_as ? 2 : 1, NULL);
	}
}

void rig_publish(struct rig *r)
{
	struct fwd_network network = {.pc_bits = 14,
		.ni = RIG_NI,
		.has_na = r->opt.has_na,
		.na = RIG_NA,
		.own_pcs = &r->own_pc,
		.n_own_pcs = r->own_pc != 0};
	struct rig_parts *parts = calloc(1, sizeof(*parts));
	unsigned n_as = 0;

	assert_int_equal(fwd_routing_new(&network, 1, r->keys, r->n_keys, &parts->routing, NULL), SB_OK);
	for (unsigned i = 0; i < RIG_PEERS; i++)
		if (r->as[i].exists) {
			parts->as[i] = compile_as(r, i);
			n_as = i + 1;
		}
	compile_ingress(r, parts);
	plane_publish(r->plane, fwd_table_new(parts->routing, (const struct fwd_as *const *)parts->as, n_as,
					(const struct fwd_ingress *const *)parts->ingress, parts->n_ingress));
	if (r->parts)
		plane_after_grace(r->plane, free_parts, r->parts);
	r->parts = parts;
}

/* ---- start and stop ---- */

static void connect_peers(struct rig *r)
{
	for (unsigned i = 0; i < r->opt.peers; i++) {
		struct rig_peer *peer = &r->peers[i];
		struct tp_params params;

		tp_params_default(&params);
		params.kind = TP_MEM;
		params.local_port = (uint16_t)(RIG_PORT + 1 + i);
		params.remote_port = RIG_PORT;
		params.out_streams = params.max_in_streams = r->opt.streams;
		peer->rig = r;
		peer->index = i;
		mbufq_init(&peer->txq);
		assert_int_equal(tp_mem.connect(&r->tp, &params, peer, &peer->conn), SB_OK);
	}
}

static void default_table(struct rig *r)
{
	for (unsigned i = 0; i < r->opt.peers; i++) {
		r->active[i] = true;
		r->as[i] = (struct rig_as){.exists = true,
			.state = FWD_AS_ACTIVE,
			.mode = FWD_OVERRIDE,
			.n_asps = 1,
			.asps = {i},
			.hold = {.limit = 1000}};
		r->keys[r->n_keys++] =
			(struct fwd_key){.si = FWD_ANY_SI, .opc = FWD_ANY_OPC, .dpc = RIG_PC(i), .as = i};
	}
}

static void align(struct assoc *a)
{
	m2pa_reset(a);
	m2pa_open(a);
	m2pa_go(a);
}

static void set_defaults(struct rig_options *o)
{
	o->workers = o->workers ? o->workers : 1;
	o->peers = o->peers ? o->peers : 2;
	o->streams = o->streams ? o->streams : 16;
	o->buffers = o->buffers ? o->buffers : 8192;
	o->txq_limit = o->txq_limit ? o->txq_limit : 100000;
}

void rig_start(struct rig *r, const struct rig_options *opt)
{
	struct plane_conf conf;
	struct tp_params params;

	*r = (struct rig){.opt = *opt};
	set_defaults(&r->opt);
	conf = (struct plane_conf){.workers = r->opt.workers,
		.max_message = 1024,
		.buffers = r->opt.buffers,
		.batch_delay_us = r->opt.batch_delay_us};
	r->ev = ev_loop_new(0);
	r->tp = (struct tp_loop){.ev = r->ev,
		.pool = mbuf_pool_new(r->opt.buffers, 1024),
		.max_message = 1024 + 64,
		.up = &peer_upcalls};
	assert_int_equal(plane_new(&conf, on_event, r, &r->plane), SB_OK);
	tp_params_default(&params);
	params.kind = TP_MEM;
	params.local_port = RIG_PORT;
	r->listener = plane_listen(r->plane, "l", &params, r);
	assert_non_null(r->listener);
	rig_until(r, r->events[PE_LISTENING] == 1);
	connect_peers(r);
	rig_until(r, r->events[PE_UP] == r->opt.peers);
	for (unsigned i = 0; i < r->opt.peers; i++)
		rig_until(r, r->peers[i].up);
	for (unsigned i = 0; i < r->opt.peers; i++)
		if (rig_is_link(r, i))
			align(r->peers[i].assoc);
	default_table(r);
	rig_publish(r);
}

void rig_stop(struct rig *r)
{
	for (unsigned i = 0; i < r->opt.peers; i++)
		if (!r->peers[i].down)
			tp_mem.abort(r->peers[i].conn, "test over");
	for (unsigned i = 0; i < r->opt.peers; i++) {
		rig_until(r, r->peers[i].down);
		mbufq_purge(&r->peers[i].txq, r->tp.pool);
		tp_mem.release(r->peers[i].conn);
	}
	plane_stop(r->plane);
	free_parts(r->parts);
	tp_loop_fini(&r->tp);
	ev_loop_destroy(r->ev);
	assert_true(mbuf_pool_free(r->tp.pool));
}

uint64_t rig_drops(struct rig *r, enum drop_reason reason)
{
	struct assoc_stats s;

	plane_totals(r->plane, &s);
	return s.drops[reason];
}
