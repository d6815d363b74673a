/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "fake_tp.h"
#include "sim/flow.h"

enum { MS = 1000000, START = 1000 * MS };

static struct fake_env e;
static struct as from, to;
static struct flow f;
static struct as_opts from_conf, to_conf;
static struct flow_opts fo;
static const struct opts all = {.run = 7, .queue = 100};

static void on_changed(struct asp *a)
{
	(void)a;
}

static const struct asp_upcalls up = {.changed = on_changed};

static int begin(void **state)
{
	(void)state;
	from_conf =
		(struct as_opts){.name = "hlr", .asps = 1, .has_rc = true, .rc = 10, .has_na = true, .na = 4};
	to_conf = (struct as_opts){.name = "msc", .asps = 2, .has_rc = true, .rc = 20};
	fo = (struct flow_opts){.from_text = "hlr",
		.to_text = "msc",
		.opc = 2067,
		.dpc = 2068,
		.si = 3,
		.ni = 2,
		.mp = 1,
		.n_sls = 2,
		.sls = {4, 9},
		.pace = PACE_REGULAR,
		.rate = 1000,
		.size = {.min = 60, .max = 60},
		.id = 1};
	fake_env_init(&e, &up);
	return 0;
}

/* After a test has had its say about the options. */
static void start(void)
{
	assert_true(as_init(&from, &e.env, &from_conf, 0));
	assert_true(as_init(&to, &e.env, &to_conf, 0));
	for (unsigned i = 0; i < from.n_asps; i++) {
		from.asps[i].state = ASP_ACTIVE;
		from.asps[i].out_streams = 4;
		from.asps[i].conn = &fake_tp.conn;
	}
	for (unsigned i = 0; i < to.n_asps; i++)
		to.asps[i].state = ASP_ACTIVE;
	as_share(&from);
	assert_true(flow_init(&f, &fo, &(struct party){.as = &from}, &(struct party){.as = &to}, &all));
	flow_start(&f, START, 1);
}

static int end(void **state)
{
	(void)state;
	for (unsigned i = 0; i < from.n_asps; i++)
		from.asps[i].conn = NULL;
	flow_fini(&f);
	as_fini(&from);
	as_fini(&to);
	fake_env_fini(&e);
	return 0;
}

static enum flow_status run(uint64_t now)
{
	uint64_t wake = UINT64_MAX;
	enum flow_status s = flow_run(&f, e.tp.pool, now, 1000, &wake);

	asp_pass(&e.env);
	return s;
}

static void receive(unsigned asp, const struct m3ua_data *d, const struct payload *p, uint64_t at)
{
	struct arrival a = {.at = {.as = &to}, .member = asp, .label = d->label, .rx_ns = at};

	a.wrong = d->has_rc && d->rc != to_conf.rc; /* as sim_rx.c has it */
	flow_receive(&f, &a, p);
}

/* The N-th sent message arrives at ASP of the receiving AS, AT. */
static void arrive(unsigned n, unsigned asp, uint64_t at)
{
	const struct mbuf *m = fake_tp.sent[n];
	const uint8_t *bytes = m->data + m->off;
	struct m3ua_data d;
	struct payload p;

	assert_true(m3ua_data_parse(bytes, m->len, &d));
	d.rc = to_conf.rc; /* as the gateway does */
	assert_int_equal(payload_read(bytes + d.payload_off, d.payload_len, d.label.si, &p), PAYLOAD_OK);
	receive(asp, &d, &p, at);
}

static void messages_leave_when_they_are_due(void **state)
{
	uint64_t wake = UINT64_MAX;

	(void)state;
	start();
	assert_int_equal(flow_run(&f, e.tp.pool, START - 1, 1000, &wake), FLOW_WAITING);
	assert_true(wake == START);
	for (unsigned i = 0; i < 50; i++) {
		assert_int_equal(run(START + (uint64_t)i * MS), FLOW_WAITING);
		assert_int_equal(f.sent, i + 1);
	}
	assert_int_equal(run(START + 100ull * MS), FLOW_WAITING); /* a late pass catches up */
	assert_int_equal(f.sent, 101);
}

static void a_message_carries_label_and_context(void **state)
{
	struct m3ua_data d;
	struct payload p;
	const uint8_t *bytes;

	(void)state;
	start();
	run(START + 1ull * MS);
	assert_int_equal(fake_tp.n_sent, 2);
	bytes = mbuf_head(fake_tp.sent[1]);
	assert_true(m3ua_data_parse(bytes, fake_tp.sent[1]->len, &d));
	assert_int_equal(d.label.opc, 2067);
	assert_int_equal(d.label.dpc, 2068);
	assert_int_equal(d.label.si, 3);
	assert_int_equal(d.label.ni, 2);
	assert_int_equal(d.label.mp, 1);
	assert_int_equal(d.label.sls, 9);
	assert_true(d.has_rc && d.rc == 10 && d.has_na && d.na == 4);
	assert_int_equal(d.payload_len, 60);
	assert_int_equal(payload_read(bytes + d.payload_off, d.payload_len, 3, &p), PAYLOAD_OK);
	assert_true(p.flow == 1 && p.run == 7 && p.seq == 0 && p.sls == 9 && p.due_ns == START + 1ull * MS);
	assert_int_equal(fake_tp.sent[0]->ppid, TP_PPID_M3UA);
	assert_int_not_equal(fake_tp.sent[0]->stream, 0);
}

static void a_count_ends_a_flow(void **state)
{
	(void)state;
	fo.count = 5;
	start();
	assert_int_equal(run(START + 100ull * MS), FLOW_DONE);
	assert_int_equal(f.sent, 5);
	assert_int_equal(flow_unsent(&f, START + 100ull * MS), 0);
}

static void a_stop_time_ends_a_flow_but_not_its_backlog(void **state)
{
	(void)state;
	fo.stop_ns = 10ull * MS;
	start();
	from.asps[0].state = ASP_INACTIVE;
	as_share(&from);
	assert_int_equal(run(START + 50ull * MS), FLOW_BLOCKED);
	assert_int_equal(flow_unsent(&f, START + 50ull * MS), 10);
	from.asps[0].state = ASP_ACTIVE;
	as_share(&from);
	assert_int_equal(run(START + 60ull * MS), FLOW_DONE);
	assert_int_equal(f.sent, 10);
	assert_int_equal(flow_unsent(&f, START + 60ull * MS), 0);
}

static void an_interrupted_flow_owes_what_was_due(void **state)
{
	(void)state;
	start();
	run(START);
	flow_stop(&f, START + 5ull * MS);
	assert_int_equal(flow_unsent(&f, START + 9ull * MS), 4);
}

static void a_full_queue_holds_a_flow_back(void **state)
{
	(void)state;
	fo.pace = PACE_MAX;
	start();
	fake_tp.room = 0;
	assert_int_equal(run(START), FLOW_BLOCKED);
	assert_int_equal(f.sent, 100); /* all.queue */
	assert_int_equal(from.asps[0].txq.n, 100);
	fake_tp.room = FAKE_MAX;
	from.asps[0].blocked = false;
	assert_int_equal(run(START + 1), FLOW_BLOCKED);
	assert_int_equal(f.sent, 100);
}

static void a_budget_lets_others_have_their_turn(void **state)
{
	uint64_t wake = UINT64_MAX;

	(void)state;
	fo.pace = PACE_MAX;
	start();
	assert_int_equal(flow_run(&f, e.tp.pool, START, 10, &wake), FLOW_READY);
	assert_int_equal(f.sent, 10);
	asp_pass(&e.env);
}

static void a_window_bounds_what_is_in_flight(void **state)
{
	(void)state;
	fo.pace = PACE_MAX;
	fo.window = 8;
	start();
	assert_int_equal(run(START), FLOW_BLOCKED);
	assert_int_equal(f.sent, 8);
	for (unsigned i = 0; i < 3; i++)
		arrive(i, 0, START + 1);
	arrive(2, 0, START + 1); /* a repetition opens nothing */
	assert_int_equal(flow_in_flight(&f), 5);
	run(START + 2);
	assert_int_equal(f.sent, 11);
}

static void loss_repetition_and_order_are_counted_by_sls(void **state)
{
	static const unsigned order[] = {0, 1, 3, 5, 2, 7, 7, 9}; /* of 10: SLS 4 even, SLS 9 odd */

	(void)state;
	fo.count = 10;
	start();
	run(START + 100ull * MS);
	for (unsigned i = 0; i < 8; i++)
		arrive(order[i], i % 2, START + 100ull * MS);
	assert_int_equal(f.unique, 7);
	assert_int_equal(f.repeated, 1);
	assert_int_equal(f.late, 0); /* 2 came after 3 and 5, which are of the other SLS */
	assert_int_equal(flow_lost(&f), 3);
	arrive(6, 0, START + 101ull * MS);
	arrive(4, 0, START + 101ull * MS);
	assert_int_equal(f.late, 1);
	assert_int_equal(flow_lost(&f), 1); /* 8, the last of SLS 4 */
}

static void a_broken_message_is_not_lost_as_well(void **state)
{
	(void)state;
	fo.count = 2;
	start();
	run(START + 100ull * MS);
	arrive(0, 0, START + 100ull * MS);
	assert_int_equal(flow_lost(&f), 1);
	f.corrupted++;
	assert_int_equal(flow_lost(&f), 0);
}

static void latency_counts_from_when_a_message_was_due(void **state)
{
	(void)state;
	fo.count = 2;
	start();
	run(START + 50ull * MS); /* due at 0 and 1 ms, sent at 50 */
	arrive(0, 0, START + 60ull * MS);
	arrive(1, 0, START + 60ull * MS);
	assert_int_equal(f.latency.max, 60 * MS);
	assert_in_range(hist_quantile(&f.latency, 0.5), 59 * MS, 60 * MS);
}

static void a_changed_label_is_noticed(void **state)
{
	struct m3ua_data d, bad;
	struct payload p;
	const uint8_t *bytes;
	unsigned n = 0;

	(void)state;
	start();
	run(START);
	bytes = mbuf_head(fake_tp.sent[0]);
	assert_true(m3ua_data_parse(bytes, fake_tp.sent[0]->len, &d));
	payload_read(bytes + d.payload_off, d.payload_len, 3, &p);
	for (unsigned field = 0; field < 7; field++) {
		bad = d;
		bad.rc = to_conf.rc;
		bad.label.opc ^= field == 0;
		bad.label.dpc ^= field == 1;
		bad.label.si ^= field == 2;
		bad.label.ni ^= field == 3;
		bad.label.mp ^= field == 4;
		bad.label.sls ^= field == 5;
		bad.rc ^= field == 6;
		receive(0, &bad, &p, START);
		assert_int_equal(f.mislabelled, ++n);
	}
}

static void broadcast_is_due_at_every_asp_that_was_active(void **state)
{
	(void)state;
	to_conf.mode = 3;
	to_conf.asps = 3;
	fo.count = 4;
	start();
	to.asps[2].state = ASP_INACTIVE;
	flow_start(&f, START, 1);
	run(START + 100ull * MS);
	for (unsigned i = 0; i < 4; i++) {
		arrive(i, 0, START);
		arrive(i, 2, START); /* came up later: welcome, not due */
		if (i)
			arrive(i, 1, START);
	}
	assert_int_equal(f.unique, 7);
	assert_int_equal(f.repeated, 0);
	assert_int_equal(flow_lost(&f), 1);
}

static void a_flow_from_elsewhere_knows_its_gaps_and_with_a_count_its_tail(void **state)
{
	static const struct payload p[] = {{.sls = 4, .seq = 0}, {.sls = 4, .seq = 2}, {.sls = 9, .seq = 0}};
	struct m3ua_data d = {.label = {2067, 2068, 3, 2, 1, 4}};

	(void)state;
	from_conf.asps = 0;
	start();
	assert_int_equal(run(START + 100ull * MS), FLOW_DONE);
	for (unsigned i = 0; i < 3; i++) {
		d.label.sls = p[i].sls;
		receive(0, &d, &p[i], START);
	}
	assert_int_equal(flow_lost(&f), 1);
	fo.count = 9; /* five of SLS 4, four of SLS 9 */
	assert_int_equal(flow_lost(&f), 6);
}

static void a_pause_sends_nothing_and_owes_nothing(void **state)
{
	uint64_t wake = UINT64_MAX;

	(void)state;
	start();
	run(START);
	flow_pause(&f, START + 1, 0);
	assert_int_equal(run(START + 50ull * MS), FLOW_BLOCKED);
	assert_int_equal(f.sent, 1);
	flow_resume(&f, START + 50ull * MS + 1);
	run(START + 50ull * MS + 1);
	assert_int_equal(f.sent, 1); /* the next is a period after the pause */
	run(START + 51ull * MS);
	assert_int_equal(f.sent, 2);
	flow_pause(&f, START + 51ull * MS, START + 80ull * MS); /* congestion: ends by itself */
	flow_run(&f, e.tp.pool, START + 60ull * MS, 10, &wake);
	assert_true(wake == START + 80ull * MS);
	run(START + 80ull * MS);
	run(START + 82ull * MS);
	assert_true(f.sent > 2);
}

#define CASE(t) cmocka_unit_test_setup_teardown(t, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(messages_leave_when_they_are_due),
		CASE(a_message_carries_label_and_context),
		CASE(a_count_ends_a_flow),
		CASE(a_stop_time_ends_a_flow_but_not_its_backlog),
		CASE(an_interrupted_flow_owes_what_was_due),
		CASE(a_full_queue_holds_a_flow_back),
		CASE(a_budget_lets_others_have_their_turn),
		CASE(a_window_bounds_what_is_in_flight),
		CASE(loss_repetition_and_order_are_counted_by_sls),
		CASE(a_broken_message_is_not_lost_as_well),
		CASE(latency_counts_from_when_a_message_was_due),
		CASE(a_changed_label_is_noticed),
		CASE(broadcast_is_due_at_every_asp_that_was_active),
		CASE(a_flow_from_elsewhere_knows_its_gaps_and_with_a_count_its_tail),
		CASE(a_pause_sends_nothing_and_owes_nothing),
	};

	return cmocka_run_group_tests_name("sim/flow", tests, NULL, NULL);
}
