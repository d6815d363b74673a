/* SPDX-License-Identifier: GPL-2.0-or-later */
/* MSUs and DATA through one worker: from link to ASP, ASP to link, link to link, in networks of every
 * variant, byte by byte; and why not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "bare.h"
#include "data/congested.h"
#include "wire/mtp3.h"

enum { LINK_A, LINK_B, ASP, ENDS }; /* associations, and the numbers of their linksets and AS */
enum { NI = 2, NA = 7, RC = 20, MAX_PAYLOAD = 600, OWN_PC = 9 };

/* One label in each variant: as fields, and as it lies on a link, SIO first. Its priority is in the SIO, but
 * in Japan. */
static const struct variant_row {
	enum pc_variant variant;
	struct mtp3_label label;
	uint8_t head[MTP3_HEAD_MAX];
	uint32_t head_len;
} rows[] = {
	{PC_ITU, {.dpc = 1001, .opc = 1002, .si = 5, .ni = NI, .mp = 2, .sls = 5},
		{0xa5, 0xe9, 0x83, 0xfa, 0x50}, 5},
	{PC_ANSI, {.dpc = 0x030201, .opc = 0x060504, .si = 5, .ni = NI, .mp = 2, .sls = 0xa5},
		{0xa5, 1, 2, 3, 4, 5, 6, 0xa5}, 8},
	{PC_CHINA, {.dpc = 0x030201, .opc = 0x060504, .si = 5, .ni = NI, .mp = 2, .sls = 5},
		{0xa5, 1, 2, 3, 4, 5, 6, 5}, 8},
	{PC_JAPAN, {.dpc = 0x0201, .opc = 0x0403, .si = 5, .ni = NI, .mp = 2, .sls = 5},
		{0x85, 1, 2, 3, 4, 5}, 6},
};
enum { ROWS = sizeof(rows) / sizeof(rows[0]) };

struct msu_rig {
	struct bare b;
	struct assoc *end[ENDS];
	uint32_t fsn[ENDS]; /* of the peers */
	enum pc_variant variant;
	/* the table */
	struct fwd_key key;
	bool inactive, unserved, empty;
	bool has_priorities;
	uint8_t level; /* of the congestion of what KEY is about */
	uint16_t max_sif;
	uint8_t sls_bits, rotate;
	struct fwd_hold *closed; /* the slots */
	struct fwd_table *table;
	struct fwd_routing *routing;
	struct fwd_congestion *congestion;
	struct fwd_as *as[ENDS];
	struct fwd_ingress *in[ENDS];
	/* refused */
	unsigned n_refused;
	enum drop_reason reason;
	uint32_t value;
	/* congested */
	unsigned n_shown;
	uint8_t shown[MTP3_HEAD_MAX];
	uint32_t shown_len, shown_mp;
	bool busy; /* control does not get to them */
};

/* What left last. */
static struct {
	unsigned n;
	uint32_t ppid, len;
	uint8_t bytes[1024];
} out;

static void watch(struct mbuf *m)
{
	if (m->ppid == TP_PPID_M2PA && m->len == M2PA_HEADER)
		return; /* an acknowledgement */
	out.n++;
	out.ppid = m->ppid;
	out.len = m->len;
	memcpy(out.bytes, mbuf_head(m), m->len);
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

/* The worker goes from the old table to the new one before the old one is freed. */
static void publish(struct msu_rig *r)
{
	struct msu_rig old = *r;

	compile(r);
	r->table = fwd_table_new(r->routing, (const struct fwd_as *const *)r->as, ENDS,
		(const struct fwd_ingress *const *)r->in, ENDS);
	r->table->congestion = r->congestion;
	fwd_table_follow(r->table, old.table);
	atomic_store(&r->b.plane.table, r->table);
	pass(r);
	if (old.table)
		forget(&old);
}

static void start(struct msu_rig *r, enum pc_variant v)
{
	const struct assoc_conf link = {
		.name = "link", .txq_limit = 100, .proto = ASSOC_M2PA, .t7_ms = 60000};

	memset(r, 0, sizeof(*r));
	memset(&out, 0, sizeof(out));
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

static void stop(struct msu_rig *r)
{
	struct mbuf_pool *pool = r->b.plane.pool;

	if (r->table)
		forget(r);
	bare_stop(&r->b);
	assert_true(mbuf_pool_free(pool));
}

/* All that comes for the label of ROW goes to END. */
static void start_row(struct msu_rig *r, const struct variant_row *row, uint32_t end)
{
	start(r, row->variant);
	r->key = (struct fwd_key){.dpc = row->label.dpc, .si = FWD_ANY_SI, .opc = FWD_ANY_OPC, .as = end};
	publish(r);
}

/* ---- what comes ---- */

static void on_note(struct note *n, void *arg)
{
	struct msu_rig *r = arg;
	struct mbuf *m = caa_container_of(n, struct mbuf, note);

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

static void arrive(struct msu_rig *r, unsigned end, struct mbuf *m)
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

static void link_brings(struct msu_rig *r, unsigned end, const uint8_t *head, uint32_t head_len, uint8_t pri,
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
	arrive(r, end, m);
}

static void asp_brings(struct msu_rig *r, const struct mtp3_label *label, uint32_t payload)
{
	struct m3ua_data d = {.label = *label, .has_rc = true, .rc = RC};
	struct mbuf *m = mbuf_alloc(r->b.worker->pool);
	uint32_t total;

	fill(mbuf_head(m), payload);
	m->off = (uint32_t)(m3ua_data_write(mbuf_head(m), payload, &d, &total) - m->data);
	m->len = total;
	m->ppid = TP_PPID_M3UA;
	m->stream = 1;
	arrive(r, ASP, m);
}

/* ---- what leaves ---- */

static void assert_octets(const uint8_t *p, uint32_t len)
{
	for (uint32_t i = 0; i < len; i++)
		assert_int_equal(p[i], octet(i));
}

static void assert_msu_left(const uint8_t *head, uint32_t head_len, uint8_t pri, uint32_t payload)
{
	struct m2pa_msg msg;

	assert_int_equal(out.ppid, TP_PPID_M2PA);
	assert_int_equal(m2pa_parse(out.bytes, out.len, &msg), M2PA_NO_FAULT);
	assert_int_equal(msg.msu_len, head_len + payload);
	assert_int_equal(msg.pri, pri);
	assert_memory_equal(out.bytes + M2PA_USER_HEADER, head, head_len);
	assert_octets(out.bytes + M2PA_USER_HEADER + head_len, payload);
}

static void assert_data_left(const struct mtp3_label *label, uint32_t payload)
{
	struct m3ua_data d;

	assert_int_equal(out.ppid, TP_PPID_M3UA);
	assert_true(m3ua_data_parse(out.bytes, out.len, &d));
	assert_int_equal(d.label.opc, label->opc);
	assert_int_equal(d.label.dpc, label->dpc);
	assert_int_equal(d.label.si, label->si);
	assert_int_equal(d.label.ni, label->ni);
	assert_int_equal(d.label.mp, label->mp);
	assert_int_equal(d.label.sls, label->sls);
	assert_true(d.has_rc && d.rc == RC && d.has_na && d.na == NA);
	assert_int_equal(d.payload_len, payload);
	assert_octets(out.bytes + d.payload_off, payload);
}

/* Japan's priority is M2PA's. */
static uint8_t pri_of(const struct variant_row *row)
{
	return row->variant == PC_JAPAN ? row->label.mp : 0;
}

static void an_msu_leaves_as_data_of_an_asp(void **state)
{
	(void)state;
	for (unsigned i = 0; i < ROWS; i++) {
		struct msu_rig r;

		start_row(&r, &rows[i], ASP);
		for (uint32_t len = 0; len < MAX_PAYLOAD; len += 37) {
			link_brings(&r, LINK_A, rows[i].head, rows[i].head_len, pri_of(&rows[i]), len);
			assert_data_left(&rows[i].label, len);
		}
		assert_int_equal(out.n, (MAX_PAYLOAD + 36) / 37);
		stop(&r);
	}
}

static void data_of_an_asp_leaves_as_an_msu(void **state)
{
	(void)state;
	for (unsigned i = 0; i < ROWS; i++) {
		struct msu_rig r;
		unsigned n = 0;

		start_row(&r, &rows[i], LINK_B);
		for (uint32_t len = 0; len < 260; len += 37, n++) {
			asp_brings(&r, &rows[i].label, len);
			assert_msu_left(rows[i].head, rows[i].head_len, pri_of(&rows[i]), len);
		}
		assert_int_equal(out.n, n);
		stop(&r);
	}
}

/* Octet by octet, spare bits and priority included. */
static void an_msu_passes_from_link_to_link_as_it_came(void **state)
{
	(void)state;
	for (unsigned i = 0; i < ROWS; i++) {
		struct variant_row row = rows[i];
		struct msu_rig r;

		if (row.variant == PC_CHINA || row.variant == PC_JAPAN)
			row.head[row.head_len - 1] |= 0xf0;
		start_row(&r, &row, LINK_B);
		for (uint8_t pri = 0; pri < 4; pri++) {
			link_brings(&r, LINK_A, row.head, row.head_len, pri, 40u + pri);
			assert_msu_left(row.head, row.head_len, pri, 40u + pri);
		}
		assert_int_equal(out.n, 4);
		stop(&r);
	}
}

static void an_sls_of_an_asp_is_cut_to_the_networks(void **state)
{
	struct mtp3_label label = rows[0].label;
	struct msu_rig r;

	(void)state;
	label.sls = 0xf5;
	start_row(&r, &rows[0], LINK_B);
	asp_brings(&r, &label, 10);
	assert_msu_left(rows[0].head, rows[0].head_len, 0, 10);
	stop(&r);
}

/* T1.111.4 s.7: on links only, whatever it came from. With 5 bits the others are spare. */
static void an_sls_leaves_rotated_where_the_slot_says_so(void **state)
{
	static const struct {
		uint8_t bits, rotate, from_asp, from_link;
	} cases[] = {{8, 8, 0xd2, 0xd2}, {8, 5, 0xb2, 0xb2}, {5, 5, 0x12, 0x12}, {5, 0, 0x05, 0xa5},
		{8, 0, 0xa5, 0xa5}};
	struct variant_row row = rows[PC_ANSI];

	(void)state;
	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct msu_rig r;

		start_row(&r, &row, LINK_B);
		r.sls_bits = cases[i].bits;
		r.rotate = cases[i].rotate;
		publish(&r);
		row.head[7] = cases[i].from_asp;
		asp_brings(&r, &row.label, 60);
		assert_msu_left(row.head, row.head_len, 0, 60);
		row.head[7] = 0xa5;
		link_brings(&r, LINK_A, row.head, row.head_len, 0, 60);
		row.head[7] = cases[i].from_link;
		assert_msu_left(row.head, row.head_len, 0, 60);
		row.head[7] = 0xa5;
		r.key.as = ASP;
		publish(&r);
		link_brings(&r, LINK_A, row.head, row.head_len, 0, 60);
		assert_data_left(&row.label, 60);
		assert_int_equal(out.n, 3);
		stop(&r);
	}
}

static void what_is_too_long_for_a_link_is_refused(void **state)
{
	const struct variant_row *row = &rows[PC_ANSI];
	struct msu_rig r;

	(void)state;
	start_row(&r, row, LINK_B);
	asp_brings(&r, &row->label, 272 - 7);
	assert_int_equal(out.n, 1);
	asp_brings(&r, &row->label, 272 - 7 + 1);
	assert_int_equal(r.reason, DROP_LONG_SIF);
	link_brings(&r, LINK_A, row->head, row->head_len, 0, 272 - 7 + 1);
	assert_int_equal(r.n_refused, 2);
	assert_int_equal(out.n, 1);
	r.max_sif = 400;
	publish(&r);
	asp_brings(&r, &row->label, 400 - 7);
	assert_msu_left(row->head, row->head_len, 0, 400 - 7);
	asp_brings(&r, &row->label, 400 - 7 + 1);
	assert_int_equal(r.n_refused, 3);
	stop(&r);
}

/* ---- why not ---- */

static void inactive(struct msu_rig *r)
{
	r->inactive = true;
}

static void unserved(struct msu_rig *r)
{
	r->unserved = true;
}

static void to_itself(struct msu_rig *r)
{
	r->key.as = LINK_A;
}

static void no_keys(struct msu_rig *r)
{
	r->empty = true;
}

static void other_user(struct msu_rig *r)
{
	r->key.si = 3;
}

static void each_refusal_of_an_msu_has_its_reason(void **state)
{
	const uint8_t *usual = rows[0].head;
	static const uint8_t other_ni[] = {0xe5, 0xe9, 0x83, 0xfa, 0x50}, /* NI 3 */
		from_us[] = {0x85, 0xe9, 0x43, 0x02, 0x50},               /* OPC 9 */
		to_us[] = {0x85, 0x09, 0x80, 0xfa, 0x50};                 /* DPC 9 */
	const struct {
		void (*spoil)(struct msu_rig *r);
		const uint8_t *head;
		uint32_t len;
		enum drop_reason reason;
		uint32_t value;
	} cases[] = {
		{inactive, usual, 5, DROP_NO_LINKSET, 0},
		{NULL, usual, 4, DROP_MALFORMED, 0},
		{NULL, other_ni, 5, DROP_BAD_NI, 3},
		{NULL, from_us, 5, DROP_OWN_OPC, OWN_PC},
		{NULL, to_us, 5, DROP_OWN_DPC, OWN_PC},
		{other_user, usual, 5, DROP_NO_USER, 1001},
		{no_keys, usual, 5, DROP_NO_ROUTE, 1001},
		{to_itself, usual, 5, DROP_LOOP, 1001},
		{unserved, usual, 5, DROP_AS_DOWN, 1001},
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct assoc_stats s;
		struct msu_rig r;

		start_row(&r, &rows[0], ASP);
		if (cases[i].spoil)
			cases[i].spoil(&r);
		publish(&r);
		link_brings(&r, LINK_A, cases[i].head, cases[i].len, 0, 0);
		assert_int_equal(r.n_refused, 1);
		assert_int_equal(r.reason, cases[i].reason);
		assert_int_equal(r.value, cases[i].value);
		assoc_stats(r.end[LINK_A], &s);
		assert_int_equal(s.drops[cases[i].reason], 1);
		assert_int_equal(out.n, 0);
		stop(&r);
	}
}

static void management_and_tests_are_no_data(void **state)
{
	struct mtp3_label label = rows[0].label;
	struct msu_rig r;

	(void)state;
	start_row(&r, &rows[0], LINK_B);
	for (label.si = 0; label.si < 3; label.si++) {
		asp_brings(&r, &label, 10);
		assert_int_equal(r.n_refused, label.si + 1u);
		assert_int_equal(r.reason, DROP_NOT_USER);
		assert_int_equal(r.value, label.si);
	}
	assert_int_equal(out.n, 0);
	asp_brings(&r, &label, 10);
	assert_int_equal(out.n, 1);
	stop(&r);
}

static void an_opc_that_a_label_has_no_room_for_is_refused(void **state)
{
	struct mtp3_label label = rows[0].label;
	struct msu_rig r;

	(void)state;
	start_row(&r, &rows[0], LINK_B);
	label.opc = 1 << 14;
	asp_brings(&r, &label, 10);
	assert_int_equal(r.reason, DROP_BAD_OPC);
	assert_int_equal(r.value, 1 << 14);
	assert_int_equal(out.n, 0);
	stop(&r);
}

/* ---- closed slots ---- */

static void what_waited_leaves_as_it_would_have(void **state)
{
	(void)state;
	for (unsigned i = 0; i < ROWS; i++) {
		struct fwd_hold hold = {.limit = 2};
		struct msu_rig r;

		start_row(&r, &rows[i], LINK_B);
		r.closed = &hold;
		publish(&r);
		link_brings(&r, LINK_A, rows[i].head, rows[i].head_len, 3, 20);
		asp_brings(&r, &rows[i].label, 30);
		assert_int_equal(out.n, 0);
		assert_int_equal(atomic_load(&hold.n), 2);
		asp_brings(&r, &rows[i].label, 31);
		assert_int_equal(r.reason, DROP_HOLD_FULL);
		publish(&r); /* still closed */
		assert_int_equal(atomic_load(&hold.n), 2);
		r.closed = NULL;
		publish(&r);
		assert_int_equal(out.n, 2);
		assert_int_equal(atomic_load(&hold.n), 0);
		assert_msu_left(rows[i].head, rows[i].head_len, pri_of(&rows[i]), 30);
		stop(&r);
	}
}

static void what_waited_is_rotated_once(void **state)
{
	struct variant_row row = rows[PC_ANSI];
	struct fwd_hold hold = {.limit = 2};
	struct msu_rig r;

	(void)state;
	start_row(&r, &row, LINK_B);
	r.rotate = 8;
	r.closed = &hold;
	publish(&r);
	link_brings(&r, LINK_A, row.head, row.head_len, 0, 20);
	publish(&r);
	r.closed = NULL;
	publish(&r);
	row.head[7] = mtp3_sls_rotate(row.label.sls, 8);
	assert_msu_left(row.head, row.head_len, 0, 20);
	stop(&r);
}

static void a_priority_is_kept_while_an_msu_waits(void **state)
{
	struct fwd_hold hold = {.limit = 2};
	struct msu_rig r;

	(void)state;
	start_row(&r, &rows[PC_JAPAN], LINK_B);
	r.closed = &hold;
	publish(&r);
	link_brings(&r, LINK_A, rows[PC_JAPAN].head, rows[PC_JAPAN].head_len, 3, 20);
	r.closed = NULL;
	publish(&r);
	assert_msu_left(rows[PC_JAPAN].head, rows[PC_JAPAN].head_len, 3, 20);
	stop(&r);
}

static void what_waited_in_vain_is_discarded(void **state)
{
	struct fwd_hold hold = {.limit = 2};
	struct assoc_stats s;
	struct msu_rig r;

	(void)state;
	start_row(&r, &rows[0], LINK_B);
	r.closed = &hold;
	publish(&r);
	link_brings(&r, LINK_A, rows[0].head, rows[0].head_len, 0, 20);
	r.unserved = true;
	publish(&r);
	plane_totals(&r.b.plane, &s);
	assert_int_equal(s.drops[DROP_HOLD_EXPIRED], 1);
	assert_int_equal(atomic_load(&hold.n), 0);
	stop(&r);
}

/* ---- congestion ---- */

static void n_come(struct msu_rig *r, const struct variant_row *row, unsigned n)
{
	r->n_shown = 0;
	out.n = 0;
	for (unsigned i = 0; i < n; i++)
		link_brings(r, LINK_A, row->head, row->head_len, pri_of(row), 20);
	assert_int_equal(out.n, n); /* none is kept back */
}

static void of_those_that_meet_congestion_every_eighth_is_shown(void **state)
{
	(void)state;
	for (unsigned i = 0; i < ROWS; i++) {
		struct msu_rig r;

		start_row(&r, &rows[i], i % 2 ? LINK_B : ASP);
		n_come(&r, &rows[i], 20);
		assert_int_equal(r.n_shown, 0);
		r.level = 1;
		publish(&r);
		n_come(&r, &rows[i], 1); /* the first */
		assert_int_equal(r.n_shown, 1);
		assert_int_equal(r.shown_len, rows[i].head_len);
		assert_memory_equal(r.shown, rows[i].head, rows[i].head_len);
		n_come(&r, &rows[i], 7);
		assert_int_equal(r.n_shown, 0);
		n_come(&r, &rows[i], 40);
		assert_int_equal(r.n_shown, 40 / CONGESTED_EVERY);
		stop(&r);
	}
}

static void where_there_are_priorities_each_that_is_too_low_is_shown(void **state)
{
	(void)state;
	for (unsigned i = 0; i < ROWS; i++) {
		struct msu_rig r;

		start_row(&r, &rows[i], LINK_B);
		r.has_priorities = true;
		r.level = 3;
		publish(&r);
		n_come(&r, &rows[i], 5);
		assert_int_equal(r.n_shown, 5);
		assert_int_equal(r.shown_mp, rows[i].label.mp);
		r.level = rows[i].label.mp;
		publish(&r);
		n_come(&r, &rows[i], 5);
		assert_int_equal(r.n_shown, 0);
		stop(&r);
	}
}

static void control_is_shown_no_more_than_it_keeps_up_with(void **state)
{
	struct msu_rig r;

	(void)state;
	start_row(&r, &rows[0], ASP);
	r.has_priorities = r.busy = true;
	r.level = 3;
	publish(&r);
	n_come(&r, &rows[0], PLANE_SAMPLES + 20);
	assert_int_equal(r.n_shown, PLANE_SAMPLES);
	stop(&r);
}

static void data_of_an_asp_that_goes_to_a_link_is_shown_too(void **state)
{
	struct msu_rig r;

	(void)state;
	start_row(&r, &rows[PC_ANSI], LINK_B);
	r.level = 1;
	publish(&r);
	for (unsigned i = 0; i < 9; i++)
		asp_brings(&r, &rows[PC_ANSI].label, 20);
	assert_int_equal(r.n_shown, 2);
	assert_memory_equal(r.shown, rows[PC_ANSI].head, rows[PC_ANSI].head_len);
	stop(&r);
}

static void congestion_of_a_range_is_that_of_its_point_codes(void **state)
{
	struct msu_rig r;

	(void)state;
	start_row(&r, &rows[0], LINK_B);
	r.key.mask = 4;
	r.key.dpc &= ~15u;
	r.level = 1;
	publish(&r);
	n_come(&r, &rows[0], 9);
	assert_int_equal(r.n_shown, 2);
	fwd_congestion_set(r.congestion, 0, 4711, 0, 2); /* no destinations */
	fwd_congestion_set(r.congestion, 0, 4711, 5, 2);
	fwd_congestion_set(r.congestion, 1, 4711, 0, 2);
	n_come(&r, &rows[0], 8);
	assert_int_equal(r.n_shown, 1);
	stop(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_msu_leaves_as_data_of_an_asp),
		cmocka_unit_test(data_of_an_asp_leaves_as_an_msu),
		cmocka_unit_test(an_msu_passes_from_link_to_link_as_it_came),
		cmocka_unit_test(an_sls_of_an_asp_is_cut_to_the_networks),
		cmocka_unit_test(an_sls_leaves_rotated_where_the_slot_says_so),
		cmocka_unit_test(what_is_too_long_for_a_link_is_refused),
		cmocka_unit_test(each_refusal_of_an_msu_has_its_reason),
		cmocka_unit_test(management_and_tests_are_no_data),
		cmocka_unit_test(an_opc_that_a_label_has_no_room_for_is_refused),
		cmocka_unit_test(what_waited_leaves_as_it_would_have),
		cmocka_unit_test(what_waited_is_rotated_once),
		cmocka_unit_test(a_priority_is_kept_while_an_msu_waits),
		cmocka_unit_test(what_waited_in_vain_is_discarded),
		cmocka_unit_test(of_those_that_meet_congestion_every_eighth_is_shown),
		cmocka_unit_test(where_there_are_priorities_each_that_is_too_low_is_shown),
		cmocka_unit_test(control_is_shown_no_more_than_it_keeps_up_with),
		cmocka_unit_test(data_of_an_asp_that_goes_to_a_link_is_shown_too),
		cmocka_unit_test(congestion_of_a_range_is_that_of_its_point_codes),
	};

	return cmocka_run_group_tests_name("data/msu", tests, NULL, NULL);
}
