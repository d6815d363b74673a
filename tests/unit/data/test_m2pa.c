/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sequence part of a link, step by step: numbers, acknowledgements, T7, flow control. */
#include "link_rig.h"

#include <malloc.h>
#include <string.h>

#include "base/clock.h"

/* ---- sending and acknowledging (RFC 4165 s.4.2.1) ---- */

static void user_data_is_numbered_and_acknowledges(void **state)
{
	struct link_rig r;

	(void)state;
	link_start_in_service(&r);
	link_send(&r, 1, 2);
	assert_sent(&r, "D0/-1#1 D1/-1#2");
	peer_data(&r, 0, 0, 3, 50);
	peer_data(&r, 1, 0, 3, 51);
	assert_sent(&r, "A1/0 A1/1");
	assert_told(&r, "first fwd#50 fwd#51");
	link_send(&r, 3, 1);
	assert_sent(&r, "D2/1#3");
	link_stop(&r);
}

static void without_user_data_one_empty_message_acknowledges_a_pass(void **state)
{
	struct link_rig r;

	(void)state;
	link_start_in_service(&r);
	worker_enter(r.b.worker);
	for (int i = 0; i < 5; i++)
		peer_data(&r, i, -1, 0, 10u + (unsigned)i);
	worker_leave(r.b.worker);
	assert_sent(&r, "A-1/4");
	link_pass(&r);
	assert_sent(&r, "");
	assert_told(&r, "first msg#10 msg#11 msg#12 msg#13 msg#14");
	/* its FSN is that of the last message with data */
	link_send(&r, 1, 1);
	assert_sent(&r, "D0/4#1");
	peer_data(&r, 5, 0, 3, 20);
	assert_sent(&r, "A0/5");
	link_stop(&r);
}

static void user_data_takes_the_place_of_the_empty_message(void **state)
{
	struct link_rig r;

	(void)state;
	link_start_in_service(&r);
	worker_enter(r.b.worker);
	peer_data(&r, 0, -1, 3, 50);
	link_forward(&r, 1);
	worker_leave(r.b.worker);
	assert_sent(&r, "D0/0#1");
	link_stop(&r);
}

static void an_empty_message_is_not_acknowledged(void **state)
{
	struct link_rig r;

	(void)state;
	link_start_in_service(&r);
	link_send(&r, 1, 1);
	assert_sent(&r, "D0/-1#1");
	peer_ack(&r, -1, 0);
	link_pass(&r);
	assert_sent(&r, "");
	assert_int_equal(r.a->m2pa->retained.n, 0);
	assert_int_equal(counter_get(&r.a->c[AC_ACKS_RX]), 1);
	link_stop(&r);
}

static void sequence_numbers_wrap(void **state)
{
	struct link_rig r;

	(void)state;
	link_start_in_service(&r);
	r.a->m2pa->fsn = r.a->m2pa->acked = 0xfffffd;
	r.a->m2pa->rcvd = r.a->m2pa->bsn = 0xfffffe;
	link_send(&r, 1, 4);
	assert_sent(&r, "D-2/-2#1 D-1/-2#2 D0/-2#3 D1/-2#4");
	peer_data(&r, -1, 0, 3, 60);
	assert_int_equal(r.a->m2pa->retained.n, 1);
	peer_data(&r, 0, 1, 3, 61);
	assert_int_equal(r.a->m2pa->retained.n, 0);
	assert_sent(&r, "A1/-1 A1/0");
	assert_told(&r, "first fwd#60 fwd#61");
	assert_int_equal(link_drops(&r, DROP_M2PA_BSN), 0);
	link_stop(&r);
}

static void nothing_is_accepted_or_sent_before_alignment(void **state)
{
	struct link_rig r;

	(void)state;
	link_start(&r);
	peer_data(&r, 0, -1, 3, 1);
	assert_int_equal(link_drops(&r, DROP_M2PA_CLOSED), 1);
	link_send(&r, 1, 1);
	assert_int_equal(link_drops(&r, DROP_ASSOC_DOWN), 1);
	m2pa_open(r.a);
	link_send(&r, 2, 1);
	assert_sent(&r, "");
	peer_data(&r, 0, -1, 3, 50); /* the peer is in service already */
	assert_told(&r, "first fwd#50");
	assert_sent(&r, "A-1/0");
	m2pa_go(r.a);
	link_pass(&r);
	assert_sent(&r, "D0/0#2");
	link_stop(&r);
}

static void a_full_buffer_refuses_and_congestion_counts_what_is_retained(void **state)
{
	struct link_rig r;

	(void)state;
	link_start_in_service(&r);
	link_send(&r, 1, LINK_TXQ / 2);
	assert_int_equal(r.a->m2pa->retained.n, LINK_TXQ / 2);
	assert_int_equal(atomic_load(&r.a->congestion), 1);
	worker_enter(r.b.worker);
	for (unsigned i = 0; i < LINK_TXQ; i++)
		link_forward(&r, i);
	worker_leave(r.b.worker);
	assert_int_equal(r.a->m2pa->retained.n, LINK_TXQ);
	assert_int_equal(link_drops(&r, DROP_TXQ_FULL), LINK_TXQ / 2);
	assert_int_equal(atomic_load(&r.a->congestion), 3);
	peer_ack(&r, -1, LINK_TXQ - 1);
	assert_int_equal(atomic_load(&r.a->congestion), 0);
	link_stop(&r);
}

/* ---- abnormal numbers ---- */

static void an_fsn_out_of_order_is_discarded(void **state)
{
	struct link_rig r;

	(void)state;
	link_start_in_service(&r);
	peer_data(&r, 1, -1, 3, 50);
	peer_data(&r, -1, -1, 3, 51);
	assert_sent(&r, "");
	peer_data(&r, 0, -1, 3, 52);
	peer_data(&r, 0, -1, 3, 53);
	assert_sent(&r, "A-1/0");
	assert_told(&r, "first fwd#52");
	assert_int_equal(link_drops(&r, DROP_M2PA_FSN), 3);
	link_stop(&r);
}

static void two_abnormal_bsns_in_three_messages_fail_the_link(void **state)
{
	struct link_rig r;

	(void)state;
	link_start_in_service(&r);
	link_send(&r, 1, 1);
	peer_ack(&r, -1, 1); /* never sent */
	peer_ack(&r, -1, 0);
	peer_ack(&r, -1, 0);
	assert_told(&r, "first");
	peer_ack(&r, -1, 7);
	peer_ack(&r, -1, 0);
	peer_ack(&r, -1, -1); /* acknowledged before */
	assert_told(&r, "fault:two abnormal BSNs in three messages");
	assert_int_equal(link_drops(&r, DROP_M2PA_BSN), 3);
	link_stop(&r);
}

static void a_message_with_an_abnormal_bsn_is_discarded(void **state)
{
	struct link_rig r;

	(void)state;
	link_start_in_service(&r);
	peer_data(&r, 0, 3, 3, 50);
	assert_told(&r, "");
	peer_data(&r, 0, -1, 3, 51);
	assert_told(&r, "first fwd#51");
	link_stop(&r);
}

static void faults_are_counted_by_their_names(void **state)
{
	static const struct {
		const char *bytes;
		enum drop_reason reason;
	} rows[] = {
		{"", DROP_M2PA_SHORT},
		{"02000b01 00000010 00ffffff 00ffffff", DROP_M2PA_VERSION},
		{"01000101 00000010 00ffffff 00ffffff", DROP_M2PA_CLASS},
		{"01000b07 00000010 00ffffff 00ffffff", DROP_M2PA_TYPE},
		{"01000b01 00000020 00ffffff 00ffffff", DROP_M2PA_LENGTH},
		{"01000b02 00000014 00ffffff 00ffffff 0000000a", DROP_M2PA_STATE},
		{"01000b01 00000012 00ffffff 00000000 0083", DROP_M2PA_MSU},
	};
	struct link_rig r;

	(void)state;
	link_start_in_service(&r);
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		peer_bytes(&r, rows[i].bytes, TP_PPID_M2PA);
		assert_int_equal(link_drops(&r, rows[i].reason), 1);
	}
	peer_bytes(&r, "01000b01 00000010 00ffffff 00ffffff", TP_PPID_M3UA);
	assert_int_equal(link_drops(&r, DROP_BAD_PPID), 1);
	assert_told(&r, "");
	peer_bytes(&r, "02000b02 00000014 00ffffff 00ffffff 00000001", TP_PPID_M2PA);
	assert_told(&r, "fault:peer has another version");
	link_stop(&r);
}

static void any_peer_is_survived(void **state)
{
	uint32_t seed = 1;
	struct link_rig r;

	(void)state;
	link_start_in_service(&r);
	for (unsigned i = 0; i < 20000; i++) {
		int fsn, bsn;

		seed = seed * 1664525u + 1013904223u;
		fsn = seed >> 3 & 1 ? (int)r.a->m2pa->rcvd + (int)(seed >> 4 & 1) : (int)(seed >> 8);
		bsn = seed >> 5 & 1 ? (int)r.a->m2pa->acked + (int)(seed >> 6 & 3) : (int)(seed >> 9);
		switch (seed >> 29) {
		case 0:
		case 1: peer_status(&r, seed >> 16 & 15, fsn, bsn); break;
		case 2: peer_ack(&r, fsn, bsn); break;
		default: peer_data(&r, fsn, bsn, seed >> 20 & 15, i); break;
		}
		if (seed >> 12 & 15 && i % 11 == 0)
			m2pa_answer(r.a, i & 1);
		if (seed >> 12 & 15 && i % 13 == 0)
			m2pa_outage(r.a);
		if (seed >> 12 & 15 && i % 17 == 0)
			m2pa_recover(r.a, i & 1);
		if (i % 7 == 0)
			link_send(&r, i, 1);
		if (i % 500 == 0) {
			m2pa_reset(r.a);
			m2pa_open(r.a);
			m2pa_go(r.a);
		}
		r.sent[0] = r.told[0] = '\0';
	}
	link_stop(&r);
}

/* ---- T7 ---- */

static bool t7_comes(struct link_rig *r, uint64_t within_ms)
{
	uint64_t deadline = clock_ms() + within_ms;

	while (clock_ms() < deadline) {
		link_run(r);
		if (strstr(r->told, "fault:T7"))
			return true;
	}
	return false;
}

static void run_for(struct link_rig *r, double seconds)
{
	for (ev_tstamp end = ev_time() + seconds; ev_time() < end && !strstr(r->told, "fault");)
		link_run(r);
}

/* The clock stands still but for what the test says, so that a slow machine ages no message. */
static void t7_watches_the_oldest_message(void **state)
{
	uint64_t now = clock_ns(), step = LINK_T7_MS * 1000000ull * 2 / 3;
	struct link_rig r;

	(void)state;
	clock_freeze_ns(now);
	link_start_in_service(&r);
	link_send(&r, 0, 1);
	clock_freeze_ns(now += step);
	link_send(&r, 1, 1);
	peer_ack(&r, -1, 0);
	/* T7 is over since the first message, which is acknowledged, but not since the second */
	clock_freeze_ns(now += step);
	run_for(&r, 4 * LINK_T7_MS / 1000.);
	assert_told(&r, "first");
	clock_freeze_ns(now += step);
	run_for(&r, 10);
	assert_told(&r, "fault:T7 expired: no acknowledgement");
	clock_freeze_ns(0);
	link_stop(&r);
}

static void t7_rests_while_the_peer_is_busy(void **state)
{
	struct link_rig r;

	(void)state;
	link_start_in_service(&r);
	link_send(&r, 1, 1);
	peer_status(&r, M2PA_BUSY, -1, -1);
	assert_told(&r, "status:Busy+");
	assert_false(t7_comes(&r, 3 * LINK_T7_MS));
	peer_status(&r, M2PA_BUSY_ENDED, -1, -1);
	assert_true(t7_comes(&r, 5000));
	link_stop(&r);
}

static void t7_of_what_was_never_sent_does_not_run(void **state)
{
	struct link_rig r;

	(void)state;
	link_start_in_service(&r);
	bare_room = 0; /* the peer's window is closed */
	link_send(&r, 1, 1);
	assert_false(t7_comes(&r, 3 * LINK_T7_MS));
	bare_room = UINT32_MAX;
	worker_enter(r.b.worker);
	assoc_on_event(r.a, &(struct tp_event){.kind = TP_WRITABLE});
	worker_leave(r.b.worker);
	assert_sent(&r, "D0/-1#1");
	assert_true(t7_comes(&r, 5000));
	link_stop(&r);
}

static void t7_rests_during_the_peers_outage(void **state)
{
	struct link_rig r;

	(void)state;
	link_start_in_service(&r);
	link_send(&r, 1, 1);
	peer_status(&r, M2PA_PROCESSOR_OUTAGE, -1, -1);
	assert_false(t7_comes(&r, 3 * LINK_T7_MS));
	peer_status(&r, M2PA_PROCESSOR_RECOVERED, -1, -1);
	m2pa_answer(r.a, false);
	assert_true(t7_comes(&r, 5000));
	link_stop(&r);
}

/* ---- flow control (s.4.1.5) ---- */

static void nothing_is_sent_to_a_busy_peer_but_it_is_acknowledged(void **state)
{
	struct link_rig r;

	(void)state;
	link_start_in_service(&r);
	peer_status(&r, M2PA_BUSY, -1, -1);
	link_send(&r, 1, 2);
	assert_sent(&r, "");
	peer_data(&r, 0, -1, 3, 50);
	assert_sent(&r, "A-1/0");
	peer_status(&r, M2PA_BUSY_ENDED, 0, -1);
	assert_sent(&r, "D0/0#1 D1/0#2");
	assert_told(&r, "status:Busy first fwd#50 status:Busy Ended");
	link_stop(&r);
}

static void while_busy_we_send_and_acknowledge_nothing_new(void **state)
{
	struct link_rig r;

	(void)state;
	link_start_in_service(&r);
	peer_data(&r, 0, -1, 3, 50);
	m2pa_busy(r.a, true);
	link_pass(&r);
	assert_sent(&r, "A-1/0 Busy.0 -1/0");
	peer_data(&r, 1, -1, 3, 51);
	link_send(&r, 1, 1);
	assert_sent(&r, "D0/0#1");
	m2pa_busy(r.a, false);
	link_pass(&r);
	assert_sent(&r, "Busy Ended.0 0/0 A0/1");
	assert_told(&r, "first fwd#50 fwd#51");
	link_stop(&r);
}

static void a_control_that_does_not_keep_up_is_receive_congestion(void **state)
{
	struct link_rig r;
	int fsn = 0;

	(void)state;
	link_start_in_service(&r);
	worker_enter(r.b.worker);
	for (; fsn < ASSOC_MESSAGES + 3; fsn++)
		peer_data(&r, fsn, -1, 1, 7);
	worker_leave(r.b.worker);
	assert_int_equal(r.a->m2pa->held.n, 3);
	r.sent[0] = '\0';
	link_pass(&r); /* control takes them */
	assert_non_null(strstr(r.told, "congested"));
	r.told[0] = '\0'; /* it is full of messages */
	m2pa_busy(r.a, true);
	link_pass(&r);
	assert_sent(&r, "Busy.0 -1/1023");
	for (uint64_t deadline = clock_ms() + 30000; !r.told[0] && clock_ms() < deadline;)
		link_run(&r);
	assert_told(&r, "abated");
	m2pa_busy(r.a, false);
	link_pass(&r);
	assert_sent(&r, "Busy Ended.0 -1/1023 A-1/1026");
	assert_told(&r, "msg#7 msg#7 msg#7");
	assert_int_equal(link_drops(&r, DROP_CONTROL_BUSY), 0);
	link_stop(&r);
}

/* ---- as a whole ---- */

static void traffic_on_a_link_allocates_nothing(void **state)
{
	struct link_rig r;
	struct mallinfo2 before, after;

	(void)state;
	link_start_in_service(&r);
	bare_watch = NULL;
	for (int i = 0; i < 20000; i++) {
		if (i == 1000)
			before = mallinfo2();
		worker_enter(r.b.worker);
		peer_data(&r, i, i - 1, 1, 1);
		link_forward(&r, (unsigned)i);
		worker_leave(r.b.worker);
		link_pass(&r);
		r.told[0] = '\0';
	}
	after = mallinfo2();
	assert_int_equal(after.uordblks, before.uordblks);
	assert_int_equal(after.hblkhd, before.hblkhd);
	assert_int_equal(r.a->m2pa->bsn, 19999);
	assert_int_equal(r.a->m2pa->fsn, 19999);
	link_stop(&r);
}

static void what_it_says_is_as_of_the_last_pass(void **state)
{
	struct link_rig r;
	struct m2pa_seq s;

	(void)state;
	link_start_in_service(&r);
	link_send(&r, 1, 2);
	peer_data(&r, 0, 0, 3, 50);
	peer_status(&r, M2PA_BUSY, 0, 0);
	link_send(&r, 3, 4);
	m2pa_busy(r.a, true);
	link_pass(&r);
	peer_data(&r, 1, 1, 3, 51);
	link_pass(&r);
	m2pa_show(r.a);
	m2pa_seq(r.a, &s);
	assert_int_equal(s.fsn, 1);
	assert_int_equal(s.bsn, 0);
	assert_int_equal(s.waiting, 4);
	assert_int_equal(s.retained, 0);
	assert_int_equal(s.held, 1);
	link_stop(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(user_data_is_numbered_and_acknowledges),
		cmocka_unit_test(without_user_data_one_empty_message_acknowledges_a_pass),
		cmocka_unit_test(user_data_takes_the_place_of_the_empty_message),
		cmocka_unit_test(an_empty_message_is_not_acknowledged),
		cmocka_unit_test(sequence_numbers_wrap),
		cmocka_unit_test(nothing_is_accepted_or_sent_before_alignment),
		cmocka_unit_test(a_full_buffer_refuses_and_congestion_counts_what_is_retained),
		cmocka_unit_test(an_fsn_out_of_order_is_discarded),
		cmocka_unit_test(two_abnormal_bsns_in_three_messages_fail_the_link),
		cmocka_unit_test(a_message_with_an_abnormal_bsn_is_discarded),
		cmocka_unit_test(faults_are_counted_by_their_names),
		cmocka_unit_test(any_peer_is_survived),
		cmocka_unit_test(t7_watches_the_oldest_message),
		cmocka_unit_test(t7_rests_while_the_peer_is_busy),
		cmocka_unit_test(t7_of_what_was_never_sent_does_not_run),
		cmocka_unit_test(nothing_is_sent_to_a_busy_peer_but_it_is_acknowledged),
		cmocka_unit_test(while_busy_we_send_and_acknowledge_nothing_new),
		cmocka_unit_test(a_control_that_does_not_keep_up_is_receive_congestion),
		cmocka_unit_test(t7_rests_during_the_peers_outage),
		cmocka_unit_test(traffic_on_a_link_allocates_nothing),
		cmocka_unit_test(what_it_says_is_as_of_the_last_pass),
	};

	return cmocka_run_group_tests_name("data/m2pa", tests, NULL, NULL);
}
