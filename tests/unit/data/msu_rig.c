/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "msu_rig.h"

const struct variant_row msu_rows[MSU_ROWS] = {
	{PC_ITU, {.dpc = 1001, .opc = 1002, .si = 5, .ni = NI, .mp = 2, .sls = 5},
		{0xa5, 0xe9, 0x83, 0xfa, 0x50}, 5},
	{PC_ANSI, {.dpc = 0x030201, .opc = 0x060504, .si = 5, .ni = NI, .mp = 2, .sls = 0xa5},
		{0xa5, 1, 2, 3, 4, 5, 6, 0xa5}, 8},
	{PC_CHINA, {.dpc = 0x030201, .opc = 0x060504, .si = 5, .ni = NI, .mp = 2, .sls = 5},
		{0xa5, 1, 2, 3, 4, 5, 6, 5}, 8},
	{PC_JAPAN, {.dpc = 0x0201, .opc = 0x0403, .si = 5, .ni = NI, .mp = 2, .sls = 5},
		{0x85, 1, 2, 3, 4, 5}, 6},
};

struct msu_out msu_out;

static void watch(struct mbuf *m)
{
	if (m->ppid == TP_PPID_M2PA && m->len == M2PA_HEADER)
		return; /* an acknowledgement */
	msu_out.n++;
	msu_out.ppid = m->ppid;
	msu_out.len = m->len;
	memcpy(msu_out.bytes, mbuf_head(m), m->len);
}

/* ---- the table ---- */

static void compile(struct msu_rig *r)
{
	static const uint32_t own = OWN_PC;
	struct fwd_network net = {.pc_bits = mtp3_shapes[r->variant].pc_bits,
		.variant = (uint8_t)r->variant,
		.ni = NI,
		.has_na = true,
		.na = NA,
		.has_priorities = r->has_priorities,
		.sls.bits = r->sls_bits,
		.own_pcs = &own,
		.n_own_pcs = 1};

	assert_int_equal(fwd_routing_new(&net, 1, &r->key, !r->empty, &r->routing, NULL), SB_OK);
	r->congestion = r->level ? fwd_congestion_new(r->routing) : NULL;
	if (r->level)
		fwd_congestion_set(r->congestion, 0, r->key.dpc, r->key.mask, r->level);
	for (uint32_t i = 0; i < ENDS; i++) {
		struct fwd_slot slot = {.assoc = r->closed ? NULL : r->end[i],
			.hold = r->closed,
			.as = i,
			.has_rc = true,
			.rc = RC,
			.has_na = true,
			.na = NA,
			.max_sif = r->max_sif,
			.rotate = r->rotate,
			.life = assoc_life(r->end[i]),
			.proto = i == ASP ? FWD_M3UA : FWD_M2PA};
		struct fwd_as spec = {.number = i,
			.state = r->unserved ? FWD_AS_UNSERVED : FWD_AS_ACTIVE,
			.mode = FWD_OVERRIDE,
			.n_slots = 1,
			.slots = &slot};
		struct fwd_ingress_rc only = {.rc = RC, .as = i, .active = !r->inactive};

		r->as[i] = fwd_as_new(&spec);
		r->in[assoc_id(r->end[i])] =
			i == ASP ? fwd_ingress_new(&only, 1, NULL) : fwd_ingress_new(NULL, 0, &only);
	}
}

static void forget(struct msu_rig *r)
{
	fwd_table_free(r->table);
	fwd_congestion_free(r->congestion);
	fwd_routing_free(r->routing);
	for (unsigned i = 0; i < ENDS; i++) {
		fwd_as_free(r->as[i]);
		fwd_ingress_free(r->in[i]);
	}
}

static void pass(struct msu_rig *r)
{
	bare_room = 1000;
	worker_enter(r->b.worker);
	worker_leave(r->b.worker);
}

void msu_publish(struct msu_rig *r)
{
	struct msu_rig old = *r;

	compile(r);
	r->table = fwd_table_new(r->routing, (const struct fwd_as *const *)r->as, ENDS,
		(const struct fwd_ingress *const *)r->in, ENDS);
	r->table->congestion = r->congestion;
	fwd_table_follow(r->table, old.table);
	atomic_store(&r->b.plane.table, r->table);
	if (r->amid)
		r->amid(r);
	pass(r);
	if (old.table)
		forget(&old);
}

void msu_start(struct msu_rig *r, enum pc_variant v)
{
	const struct assoc_conf link = {
		.name = "link", .txq_limit = 100, .proto = ASSOC_M2PA, .t7_ms = 60000};

	memset(r, 0, sizeof(*r));
	memset(&msu_out, 0, sizeof(msu_out));
	bare_start(&r->b, 0);
	bare_watch = watch;
	r->b.plane.pool = mbuf_pool_new(64, 1024);
	r->variant = v;
	for (unsigned i = 0; i < ENDS; i++)
		r->end[i] = i == ASP ? bare_assoc(&r->b, 16, 100) : bare_assoc_with(&r->b, &link, 2);
	for (unsigned i = 0; i < ASP; i++) {
		m2pa_reset(r->end[i]);
		m2pa_open(r->end[i]);
		m2pa_go(r->end[i]);
		r->fsn[i] = M2PA_SEQ_START;
	}
	pass(r);
}

void msu_stop(struct msu_rig *r)
{
	struct mbuf_pool *pool = r->b.plane.pool;

	if (r->table)
		forget(r);
	bare_stop(&r->b);
	assert_true(mbuf_pool_free(pool));
}

void msu_start_row(struct msu_rig *r, const struct variant_row *row, uint32_t end)
{
	msu_start(r, row->variant);
	r->key = (struct fwd_key){.dpc = row->label.dpc, .si = FWD_ANY_SI, .opc = FWD_ANY_OPC, .as = end};
	msu_publish(r);
}

/* ---- what comes ---- */

static void on_note(struct note *n, void *arg)
{
	struct msu_rig *r = arg;
	struct mbuf *m = caa_container_of(n, struct mbuf, note);

	if (n->kind == N_EVENT) {
		free(caa_container_of(n, struct event, note));
		return;
	}
	if (n->kind == N_CONGESTED) {
		r->n_shown++;
		r->shown_len = m->len;
		r->shown_mp = m->aux;
		memcpy(r->shown, mbuf_head(m), m->len);
		counter_add(&r->b.worker->taken[TOLD_CONGESTED], !r->busy);
		mbuf_free(r->b.worker->pool, m);
	}
	if (n->kind != N_REFUSED)
		return;
	r->n_refused++;
	r->reason = m->ssn;
	r->value = m->aux;
	counter_add(&r->b.worker->taken[TOLD_REFUSED], 1);
	mbuf_free(r->b.worker->pool, m);
}

void msu_arrive(struct msu_rig *r, unsigned end, struct mbuf *m)
{
	bare_room = 1000;
	worker_enter(r->b.worker);
	assoc_on_message(r->end[end], m);
	worker_leave(r->b.worker);
	inbox_drain(&r->b.plane.events, on_note, r);
}

static uint8_t octet(uint32_t i)
{
	return (uint8_t)(i * 5 + 1);
}

static void fill(uint8_t *p, uint32_t len)
{
	for (uint32_t i = 0; i < len; i++)
		p[i] = octet(i);
}

struct mbuf *msu_of_link(struct msu_rig *r, unsigned end, const uint8_t *head, uint32_t head_len, uint8_t pri,
	uint32_t payload)
{
	struct mbuf *m = mbuf_alloc(r->b.worker->pool);
	uint8_t *sio = mbuf_head(m) + M2PA_USER_HEADER;

	memcpy(sio, head, head_len);
	fill(sio + head_len, payload);
	r->fsn[end] = m2pa_seq_next(r->fsn[end]);
	m2pa_user_write(sio, head_len + payload, pri, M2PA_SEQ_START, r->fsn[end]);
	m->len = M2PA_USER_HEADER + head_len + payload;
	m->ppid = TP_PPID_M2PA;
	m->stream = 1;
	return m;
}

void msu_link_brings(struct msu_rig *r, unsigned end, const uint8_t *head, uint32_t head_len, uint8_t pri,
	uint32_t payload)
{
	msu_arrive(r, end, msu_of_link(r, end, head, head_len, pri, payload));
}

void msu_asp_brings(struct msu_rig *r, const struct mtp3_label *label, uint32_t payload)
{
	struct m3ua_data d = {.label = *label, .has_rc = true, .rc = RC};
	struct mbuf *m = mbuf_alloc(r->b.worker->pool);
	uint32_t total;

	fill(mbuf_head(m), payload);
	m->off = (uint32_t)(m3ua_data_write(mbuf_head(m), payload, &d, &total) - m->data);
	m->len = total;
	m->ppid = TP_PPID_M3UA;
	m->stream = 1;
	msu_arrive(r, ASP, m);
}

/* ---- what leaves ---- */

static void assert_octets(const uint8_t *p, uint32_t len)
{
	for (uint32_t i = 0; i < len; i++)
		assert_int_equal(p[i], octet(i));
}

void assert_msu_left(const uint8_t *head, uint32_t head_len, uint8_t pri, uint32_t payload)
{
	struct m2pa_msg msg;

	assert_int_equal(msu_out.ppid, TP_PPID_M2PA);
	assert_int_equal(m2pa_parse(msu_out.bytes, msu_out.len, &msg), M2PA_NO_FAULT);
	assert_int_equal(msg.msu_len, head_len + payload);
	assert_int_equal(msg.pri, pri);
	assert_memory_equal(msu_out.bytes + M2PA_USER_HEADER, head, head_len);
	assert_octets(msu_out.bytes + M2PA_USER_HEADER + head_len, payload);
}

void assert_data_left(const struct mtp3_label *label, uint32_t payload)
{
	struct m3ua_data d;

	assert_int_equal(msu_out.ppid, TP_PPID_M3UA);
	assert_true(m3ua_data_parse(msu_out.bytes, msu_out.len, &d));
	assert_int_equal(d.label.opc, label->opc);
	assert_int_equal(d.label.dpc, label->dpc);
	assert_int_equal(d.label.si, label->si);
	assert_int_equal(d.label.ni, label->ni);
	assert_int_equal(d.label.mp, label->mp);
	assert_int_equal(d.label.sls, label->sls);
	assert_true(d.has_rc && d.rc == RC && d.has_na && d.na == NA);
	assert_int_equal(d.payload_len, payload);
	assert_octets(msu_out.bytes + d.payload_off, payload);
}

uint8_t msu_pri(const struct variant_row *row)
{
	return row->variant == PC_JAPAN ? row->label.mp : 0;
}
