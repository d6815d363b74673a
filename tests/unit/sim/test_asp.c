/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "base/clock.h"
#include "fake_tp.h"

static struct fake_env e;
static struct asp a;
static unsigned n_data, n_ssnm;
static struct as_opts conf;

static void on_data(struct asp *asp, const struct m3ua_data *d, const uint8_t *payload, uint64_t rx_ns)
{
	(void)asp;
	(void)d;
	(void)payload;
	(void)rx_ns;
	n_data++;
}

static void on_changed(struct asp *asp)
{
	(void)asp;
}

static void on_ssnm(struct asp *asp, const struct m3ua_msg *m)
{
	(void)asp;
	(void)m;
	n_ssnm++;
}

static const struct asp_upcalls up = {.data = on_data, .changed = on_changed, .ssnm = on_ssnm};

static int begin(void **state)
{
	(void)state;
	conf = (struct as_opts){.name = "hlr",
		.has_rc = true,
		.rc = 10,
		.mode = 2,
		.has_asp_id = true,
		.asp_id = 100,
		.local_port = 5001};
	n_data = n_ssnm = 0;
	fake_env_init(&e, &up);
	asp_init(&a, &e.env, NULL, &conf, 1);
	return 0;
}

static int end(void **state)
{
	(void)state;
	if (a.conn) {
		asp_want(&a, ASP_GOAL_OFF);
		fake_event(&a, TP_DOWN);
	}
	asp_fini(&a);
	fake_env_fini(&e);
	return 0;
}

static void bring_up(void)
{
	asp_want(&a, ASP_GOAL_ACTIVE);
	fake_event(&a, TP_UP);
	fake_peer(&a, M3UA_ASPUP_ACK, 0, 0);
	fake_peer(&a, M3UA_ASPAC_ACK, M3UA_P_ROUTING_CONTEXT, 10);
	assert_int_equal(a.state, ASP_ACTIVE);
	fake_forget();
}

static void assert_param(unsigned nth, uint16_t tag, uint32_t want)
{
	struct m3ua_msg m;
	struct m3ua_fault f;
	uint32_t v;

	assert_true(m3ua_parse(mbuf_head(fake_tp.sent[nth]), fake_tp.sent[nth]->len, &m, &f));
	assert_true(m3ua_find_u32(&m, tag, &v));
	assert_int_equal(v, want);
}

/* Runs the loop until N messages are sent; a deadline of 30 s. */
static void run_until_sent(unsigned n)
{
	uint64_t deadline = clock_ms() + 30000;

	while (fake_tp.n_sent < n && clock_ms() < deadline) {
		ev_run(e.tp.ev, EVRUN_ONCE);
		asp_pass(&e.env);
	}
	assert_true(fake_tp.n_sent >= n);
}

static void it_comes_up_as_the_standard_says(void **state)
{
	(void)state;
	asp_want(&a, ASP_GOAL_ACTIVE);
	assert_int_equal(fake_tp.connects, 1);
	assert_int_equal(fake_tp.params.local_port, 5002); /* the second ASP */
	fake_event(&a, TP_UP);
	assert_int_equal(fake_sent(0), M3UA_ASPUP);
	assert_param(0, M3UA_P_ASP_ID, 101);
	assert_int_equal(fake_sent(1), 0xffff);
	fake_peer(&a, M3UA_ASPUP_ACK, 0, 0);
	assert_int_equal(fake_sent(1), M3UA_ASPAC);
	assert_param(1, M3UA_P_ROUTING_CONTEXT, 10);
	assert_param(1, M3UA_P_TRAFFIC_MODE, 2);
	fake_peer(&a, M3UA_ASPAC_ACK, M3UA_P_ROUTING_CONTEXT, 10);
	assert_int_equal(a.state, ASP_ACTIVE);
	for (unsigned i = 0; i < 2; i++) {
		assert_int_equal(fake_tp.sent[i]->stream, 0);
		assert_int_equal(fake_tp.sent[i]->ppid, TP_PPID_M3UA);
	}
}

/* A REG RSP for our key. */
static void registered(uint32_t id, uint32_t status, uint32_t rc)
{
	uint8_t bytes[64];
	struct wr w = wr_over(bytes, sizeof(bytes));
	uint8_t *result;

	m3ua_begin(&w, M3UA_REG_RSP);
	result = m3ua_open(&w, M3UA_P_REG_RESULT);
	m3ua_put_u32(&w, M3UA_P_LOCAL_RK_ID, id);
	m3ua_put_u32(&w, M3UA_P_REG_STATUS, status);
	m3ua_put_u32(&w, M3UA_P_ROUTING_CONTEXT, rc);
	m3ua_close(&w, result);
	fake_peer_bytes(&a, bytes, m3ua_end(&w));
}

static void it_registers_before_it_activates(void **state)
{
	(void)state;
	conf.registers = true;
	conf.pc = 33;
	asp_init(&a, &e.env, NULL, &conf, 1);
	asp_want(&a, ASP_GOAL_ACTIVE);
	fake_event(&a, TP_UP);
	fake_peer(&a, M3UA_ASPUP_ACK, 0, 0);
	assert_int_equal(fake_sent(1), M3UA_REG_REQ);
	registered(2, 0, 99); /* not our key */
	assert_int_equal(fake_sent(2), 0xffff);
	registered(1, 0, 77);
	assert_int_equal(fake_sent(2), M3UA_ASPAC);
	assert_param(2, M3UA_P_ROUTING_CONTEXT, 77);
	fake_peer(&a, M3UA_ASPAC_ACK, M3UA_P_ROUTING_CONTEXT, 77);
	assert_int_equal(a.state, ASP_ACTIVE);
	/* after a restart it does so again */
	fake_forget();
	fake_event(&a, TP_RESTART);
	fake_peer(&a, M3UA_ASPUP_ACK, 0, 0);
	assert_int_equal(fake_sent(1), M3UA_REG_REQ);
	registered(1, 7, 0); /* refused: later */
	assert_int_equal(a.state, ASP_INACTIVE);
	assert_int_equal(fake_sent(2), 0xffff);
	asp_event(&a, ASP_EV_RETRY);
	asp_pass(&e.env);
	assert_int_equal(fake_sent(2), M3UA_REG_REQ);
	registered(1, 12, 77);
	assert_int_equal(fake_sent(3), M3UA_ASPAC);
}

static void an_ack_for_another_routing_context_is_not_ours(void **state)
{
	(void)state;
	asp_want(&a, ASP_GOAL_ACTIVE);
	fake_event(&a, TP_UP);
	fake_peer(&a, M3UA_ASPUP_ACK, 0, 0);
	fake_peer(&a, M3UA_ASPAC_ACK, M3UA_P_ROUTING_CONTEXT, 11);
	assert_int_equal(a.state, ASP_WAIT_ACTIVE);
	fake_peer(&a, M3UA_ASPAC_ACK, 0, 0);
	assert_int_equal(a.state, ASP_ACTIVE);
}

static void it_leaves_in_order(void **state)
{
	(void)state;
	bring_up();
	asp_want(&a, ASP_GOAL_OFF);
	asp_pass(&e.env);
	assert_int_equal(fake_sent(0), M3UA_ASPIA);
	assert_param(0, M3UA_P_ROUTING_CONTEXT, 10);
	fake_peer(&a, M3UA_ASPIA_ACK, M3UA_P_ROUTING_CONTEXT, 10);
	assert_int_equal(fake_sent(1), M3UA_ASPDN);
	fake_peer(&a, M3UA_ASPDN_ACK, 0, 0);
	assert_int_equal(fake_tp.shutdowns, 1);
	fake_event(&a, TP_DOWN);
	assert_int_equal(a.state, ASP_OFF);
	assert_int_equal(fake_tp.releases, 1);
	assert_false(ev_is_active(&a.t_retry));
}

static void unanswered_requests_are_repeated(void **state)
{
	(void)state;
	asp_want(&a, ASP_GOAL_ACTIVE);
	fake_event(&a, TP_UP);
	run_until_sent(3);
	for (unsigned i = 0; i < 3; i++)
		assert_int_equal(fake_sent(i), M3UA_ASPUP);
	assert_true(a.c[ASP_C_TIMEOUTS] >= 2);
	fake_peer(&a, M3UA_ASPUP_ACK, 0, 0);
	fake_forget();
	run_until_sent(2);
	assert_int_equal(fake_sent(0), M3UA_ASPAC);
	fake_peer(&a, M3UA_ASPAC_ACK, 0, 0);
	assert_false(ev_is_active(&a.t_ack));
}

static void a_refusal_ends_the_repetition_and_is_tried_again_later(void **state)
{
	(void)state;
	asp_want(&a, ASP_GOAL_ACTIVE);
	fake_event(&a, TP_UP);
	fake_peer(&a, M3UA_ERR, M3UA_P_ERROR_CODE, M3UA_E_REFUSED);
	assert_int_equal(a.state, ASP_DOWN);
	assert_int_equal(a.last_error, M3UA_E_REFUSED);
	assert_false(ev_is_active(&a.t_ack));
	assert_true(ev_is_active(&a.t_retry));
	run_until_sent(2);
	assert_int_equal(fake_sent(1), M3UA_ASPUP);
}

static void a_lost_association_is_connected_again_with_back_off(void **state)
{
	double first;

	(void)state;
	bring_up();
	first = a.backoff_s;
	fake_event(&a, TP_DOWN);
	assert_int_equal(a.state, ASP_OFF);
	assert_string_equal(a.last_reason, "because");
	assert_true(ev_is_active(&a.t_retry));
	fake_tp.connect_result = SB_EADDR;
	asp_event(&a, ASP_EV_RETRY);
	asp_event(&a, ASP_EV_RETRY);
	assert_true(a.backoff_s >= first * 4);
	fake_tp.connect_result = SB_OK;
	asp_event(&a, ASP_EV_RETRY);
	fake_event(&a, TP_UP);
	assert_int_equal(fake_sent(0), M3UA_ASPUP);
	assert_int_equal(a.c[ASP_C_UPS], 2);
	fake_peer(&a, M3UA_ASPUP_ACK, 0, 0);
	assert_true(a.backoff_s == first);
}

static void back_off_has_a_limit(void **state)
{
	(void)state;
	fake_tp.connect_result = SB_EADDR;
	asp_want(&a, ASP_GOAL_ACTIVE);
	for (unsigned i = 0; i < 50; i++)
		asp_event(&a, ASP_EV_RETRY);
	assert_true(a.backoff_s <= 5);
	assert_true(ev_timer_remaining(e.tp.ev, &a.t_retry) <= 6.5);
	asp_want(&a, ASP_GOAL_OFF);
	ev_timer_stop(e.tp.ev, &a.t_retry);
}

static void a_restarted_association_begins_again(void **state)
{
	(void)state;
	bring_up();
	fake_event(&a, TP_RESTART);
	assert_int_equal(a.state, ASP_WAIT_UP);
	assert_int_equal(fake_sent(0), M3UA_ASPUP);
}

static void an_unexpected_aspup_ack_is_protested_and_mended(void **state)
{
	(void)state;
	bring_up();
	fake_peer(&a, M3UA_ASPUP_ACK, 0, 0);
	assert_int_equal(fake_sent(0), M3UA_ERR);
	assert_param(0, M3UA_P_ERROR_CODE, M3UA_E_UNEXPECTED);
	assert_int_equal(fake_sent(1), M3UA_ASPAC);
}

static void another_asp_s_takeover_makes_it_stand_by(void **state)
{
	(void)state;
	bring_up();
	fake_peer(&a, M3UA_NTFY, M3UA_P_STATUS, M3UA_NTFY_OTHER << 16 | M3UA_ALTERNATE);
	assert_int_equal(a.state, ASP_INACTIVE);
	assert_int_equal(a.goal, ASP_GOAL_INACTIVE);
	fake_peer(&a, M3UA_NTFY, M3UA_P_STATUS, M3UA_NTFY_AS_STATE << 16 | M3UA_AS_PENDING);
	assert_int_equal(a.c[ASP_C_NTFY], 2);
	assert_int_equal(fake_sent(0), 0xffff);
}

static void a_beat_is_answered_with_its_data_in_every_state(void **state)
{
	static uint8_t bytes[5100], data[5000];
	struct wr w = wr_over(bytes, sizeof(bytes));
	uint32_t len;

	(void)state;
	for (unsigned i = 0; i < sizeof(data); i++)
		data[i] = (uint8_t)(i * 7);
	m3ua_begin(&w, M3UA_BEAT);
	m3ua_put_bytes(&w, M3UA_P_HEARTBEAT_DATA, data, sizeof(data));
	len = m3ua_end(&w);
	asp_want(&a, ASP_GOAL_DOWN);
	fake_event(&a, TP_UP);
	fake_peer_bytes(&a, bytes, len);
	assert_int_equal(fake_sent(0), M3UA_BEAT_ACK);
	assert_int_equal(fake_tp.sent[0]->len, len);
	assert_memory_equal(mbuf_head(fake_tp.sent[0]) + 8, bytes + 8, len - 8);
	fake_peer(&a, M3UA_BEAT, 0, 0); /* without data: nothing to give back */
	assert_int_equal(fake_sent(1), M3UA_BEAT_ACK);
	assert_int_equal(fake_tp.sent[1]->len, 8);
}

static void a_full_transport_keeps_messages_in_order_until_it_has_room(void **state)
{
	(void)state;
	bring_up();
	fake_tp.room = 1;
	asp_send_beat(&a);
	asp_send_beat(&a);
	asp_send_request(&a, M3UA_ASPIA);
	asp_pass(&e.env);
	assert_int_equal(fake_tp.n_sent, 1);
	assert_int_equal(a.txq.n, 2);
	fake_tp.room = 10;
	asp_pass(&e.env); /* not before it says so */
	assert_int_equal(fake_tp.n_sent, 1);
	fake_event(&a, TP_WRITABLE);
	assert_int_equal(fake_sent(1), M3UA_BEAT);
	assert_int_equal(fake_sent(2), M3UA_ASPIA);
}

static void what_is_queued_when_it_ends_is_counted(void **state)
{
	(void)state;
	bring_up();
	fake_tp.room = 0;
	asp_send_beat(&a);
	asp_send_beat(&a);
	fake_event(&a, TP_SEND_FAILED);
	fake_event(&a, TP_DOWN);
	assert_int_equal(a.c[ASP_C_PURGED], 2);
	assert_int_equal(a.c[ASP_C_SEND_FAILED], 3);
}

static void hostile_messages_are_counted_and_change_nothing(void **state)
{
	static const uint8_t bad[][16] = {
		{1, 0, 1, 1, 0, 0, 0, 8},                        /* DATA without Protocol Data */
		{1, 0, 3, 4, 0, 0, 0, 12, 0, 6, 0, 3, 0},        /* a parameter shorter than its header */
		{2, 0, 3, 4, 0, 0, 0, 8},                        /* version 2 */
		{1, 0, 9, 99, 0, 0, 0, 8},                       /* no such message */
		{1, 0, 4, 3, 0, 0, 0, 12, 0, 6, 0, 200},         /* a parameter beyond the end */
		{1, 0, 1, 1, 0, 0, 0, 16, 2, 16, 0, 8, 1, 2, 3}, /* DATA shorter than a label */
	};
	static const uint32_t len[] = {8, 12, 8, 8, 12, 16};

	(void)state;
	bring_up();
	for (unsigned i = 0; i < 6; i++) {
		fake_peer_bytes(&a, bad[i], len[i]);
		assert_int_equal(a.c[ASP_C_MALFORMED], i + 1);
	}
	fake_peer_bytes(&a, bad[0], 3);
	assert_int_equal(a.c[ASP_C_MALFORMED], 7);
	assert_int_equal(a.state, ASP_ACTIVE);
	assert_int_equal(n_data, 0);
}

static void streams_follow_what_was_negotiated(void **state)
{
	(void)state;
	a.out_streams = 1;
	assert_int_equal(asp_stream(&a, 77), 0);
	a.out_streams = 2;
	assert_int_equal(asp_stream(&a, 77), 1);
	a.out_streams = 16;
	for (uint32_t h = 0; h < 64; h++)
		assert_in_range(asp_stream(&a, h), 1, 15);
	assert_int_not_equal(asp_stream(&a, 3), asp_stream(&a, 4));
}

static void network_management_goes_up(void **state)
{
	(void)state;
	bring_up();
	fake_peer(&a, M3UA_DUNA, M3UA_P_AFFECTED_PC, 77);
	fake_peer(&a, M3UA_DAVA, M3UA_P_AFFECTED_PC, 77);
	assert_int_equal(n_ssnm, 2);
	assert_int_equal(a.c[ASP_C_SSNM], 2);
}

static void a_server_takes_one_peer_at_a_time(void **state)
{
	(void)state;
	conf.server = true;
	asp_want(&a, ASP_GOAL_ACTIVE);
	assert_int_equal(fake_tp.listens, 1);
	assert_int_equal(fake_tp.connects, 0);
	assert_int_equal(fake_tp.params.local_port, 5002);
	assert_int_equal(fake_tp.params.n_remote, 0);
	fake_incoming(&a);
	assert_int_equal(fake_tp.adopts, 1);
	fake_incoming(&a);
	assert_int_equal(fake_tp.rejects, 1);
	fake_event(&a, TP_UP);
	assert_int_equal(fake_sent(0), M3UA_ASPUP);
	fake_event(&a, TP_DOWN);
	fake_incoming(&a); /* not before the back-off is over */
	assert_int_equal(fake_tp.rejects, 2);
	asp_event(&a, ASP_EV_RETRY);
	assert_int_equal(fake_tp.listens, 1); /* it still does */
	fake_tp.connect_result = SB_ESYS;
	fake_incoming(&a);
	assert_null(a.conn);
	fake_tp.connect_result = SB_OK;
	fake_incoming(&a);
	fake_event(&a, TP_UP);
	assert_int_equal(a.state, ASP_WAIT_UP);
}

static void a_server_that_nobody_came_to_leaves_at_once(void **state)
{
	(void)state;
	conf.server = true;
	asp_want(&a, ASP_GOAL_ACTIVE);
	asp_want(&a, ASP_GOAL_OFF);
	assert_int_equal(a.state, ASP_OFF);
	assert_int_equal(fake_tp.aborts, 0);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(it_comes_up_as_the_standard_says),
		CASE(it_registers_before_it_activates),
		CASE(an_ack_for_another_routing_context_is_not_ours),
		CASE(it_leaves_in_order),
		CASE(unanswered_requests_are_repeated),
		CASE(a_refusal_ends_the_repetition_and_is_tried_again_later),
		CASE(a_lost_association_is_connected_again_with_back_off),
		CASE(back_off_has_a_limit),
		CASE(a_restarted_association_begins_again),
		CASE(an_unexpected_aspup_ack_is_protested_and_mended),
		CASE(another_asp_s_takeover_makes_it_stand_by),
		CASE(a_beat_is_answered_with_its_data_in_every_state),
		CASE(a_full_transport_keeps_messages_in_order_until_it_has_room),
		CASE(what_is_queued_when_it_ends_is_counted),
		CASE(hostile_messages_are_counted_and_change_nothing),
		CASE(streams_follow_what_was_negotiated),
		CASE(network_management_goes_up),
		CASE(a_server_takes_one_peer_at_a_time),
		CASE(a_server_that_nobody_came_to_leaves_at_once),
	};

	return cmocka_run_group_tests_name("sim/asp", tests, NULL, NULL);
}
