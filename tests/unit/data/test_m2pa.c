/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sequence part of a link, step by step. */
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

/* ---- processor outage (s.4.1.4, Figure 16) ---- */

static void figure_16_side_a(void **state)
{
	struct link_rig r;

	(void)state;
	link_start_in_service(&r);
	r.a->m2pa->fsn = r.a->m2pa->acked = 0;
	r.a->m2pa->rcvd = r.a->m2pa->bsn = 10;
	link_send(&r, 1, 3);
	for (int i = 11; i <= 13; i++)
		peer_data(&r, i, 0, 3, (unsigned)i);
	r.sent[0] = '\0';
	m2pa_outage(r.a);
	link_pass(&r);
	assert_sent(&r, "Processor Outage.1 3/13");
	for (int i = 14; i <= 16; i++) /* held, not acknowledged */
		peer_data(&r, i, 3, 3, (unsigned)i);
	link_send(&r, 4, 3);
	assert_sent(&r, "D4/13#4 D5/13#5 D6/13#6");
	peer_ack(&r, 16, 4);
	peer_ack(&r, 16, 5);
	assert_int_equal(r.a->m2pa->held.n, 3);
	assert_int_equal(r.a->m2pa->retained.n, 1);
	/* the outage ends, A flushes */
	m2pa_recover(r.a, true);
	link_send(&r, 20, 1);
	assert_sent(&r, "Processor Recovered.1 6/13");
	assert_int_equal(link_drops(&r, DROP_M2PA_FLUSHED), 3);
	peer_data(&r, 17, 5, 3, 17); /* B did not know yet */
	assert_int_equal(link_drops(&r, DROP_M2PA_RESYNC), 1);
	peer_status(&r, M2PA_READY, 13, 5);
	assert_sent(&r, "Ready.1 5/13 D6/13#20");
	peer_data(&r, 14, 5, 3, 70);
	assert_sent(&r, "A6/14");
	peer_ack(&r, 14, 6);
	assert_int_equal(r.a->m2pa->retained.n, 0);
	assert_told(&r, "first fwd#11 fwd#12 fwd#13 status:Ready fwd#70");
	link_stop(&r);
}

static void figure_16_side_b(void **state)
{
	struct link_rig r;

	(void)state;
	link_start_in_service(&r);
	r.a->m2pa->fsn = r.a->m2pa->acked = 10;
	r.a->m2pa->rcvd = r.a->m2pa->bsn = 2;
	link_send(&r, 11, 6);
	peer_data(&r, 3, 13, 3, 3);
	r.sent[0] = r.told[0] = '\0';
	peer_status(&r, M2PA_PROCESSOR_OUTAGE, 3, 11);
	link_send(&r, 30, 1); /* waits */
	peer_data(&r, 4, 13, 3, 4);
	peer_data(&r, 5, 13, 3, 5);
	assert_sent(&r, "A16/4 A16/5");
	peer_status(&r, M2PA_PROCESSOR_RECOVERED, 6, 13);
	assert_told(&r, "status:Processor Outage+ fwd#4 fwd#5 status:Processor Recovered+");
	m2pa_answer(r.a, true);
	link_send(&r, 31, 1);
	assert_sent(&r, "Ready.1 13/5 D14/5#31");
	assert_int_equal(link_drops(&r, DROP_M2PA_FLUSHED), 4); /* 14 to 16, and what waited */
	peer_status(&r, M2PA_READY, 5, 13);                     /* the third one is only an acknowledgement */
	assert_int_equal(r.a->m2pa->retained.n, 1);
	peer_data(&r, 6, 14, 3, 6);
	assert_int_equal(r.a->m2pa->retained.n, 0);
	link_stop(&r);
}

static void without_flush_nothing_is_lost(void **state)
{
	struct link_rig r;

	(void)state;
	link_start_in_service(&r);
	link_send(&r, 1, 1);
	m2pa_outage(r.a);
	link_pass(&r);
	peer_data(&r, 0, 0, 3, 50);
	link_send(&r, 2, 2);
	m2pa_recover(r.a, false);
	link_send(&r, 4, 1);
	assert_sent(&r, "D0/-1#1 Processor Outage.1 0/-1 D1/-1#2 D2/-1#3 Processor Recovered.1 2/0 A2/0");
	peer_status(&r, M2PA_READY, 0, 0); /* it has discarded FSN 1 and 2 */
	assert_sent(&r, "Ready.1 0/0 D1/0#2 D2/0#3 D3/0#4");
	assert_told(&r, "first fwd#50 status:Ready");
	link_stop(&r);
}

static void after_the_peers_outage_what_it_discarded_is_sent_again(void **state)
{
	struct link_rig r;

	(void)state;
	link_start_in_service(&r);
	link_send(&r, 1, 3);
	peer_status(&r, M2PA_PROCESSOR_OUTAGE, -1, 0);
	link_send(&r, 4, 1);
	peer_status(&r, M2PA_PROCESSOR_RECOVERED, -1, 0);
	m2pa_answer(r.a, false);
	link_pass(&r);
	assert_sent(&r, "D0/-1#1 D1/-1#2 D2/-1#3 Ready.1 0/-1 D1/-1#2 D2/-1#3 D3/-1#4");
	link_stop(&r);
}

static void a_resynchronization_to_nothing_that_was_sent_fails_the_link(void **state)
{
	struct link_rig r;

	(void)state;
	link_start_in_service(&r);
	peer_status(&r, M2PA_PROCESSOR_OUTAGE, -1, -1);
	peer_status(&r, M2PA_PROCESSOR_RECOVERED, -1, 9);
	m2pa_answer(r.a, false);
	link_pass(&r);
	assert_non_null(strstr(r.told, "fault:BSN after processor outage"));
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

/* ---- changeover (s.4.2.3) ---- */

/* Five sent, two acknowledged, two not sent. */
static void start_changeover(struct link_rig *r)
{
	link_start_in_service(r);
	link_send(r, 1, 5);
	peer_data(r, 0, 1, 3, 50);
	bare_room = 0;
	link_send(r, 6, 1); /* numbered, but the transport has not taken it */
	link_send(r, 7, 1);
	m2pa_close(r->a);
	link_pass(r);
	r->told[0] = '\0';
}

static void bsnt_is_the_last_message_accepted(void **state)
{
	struct link_rig r;

	(void)state;
	start_changeover(&r);
	m2pa_bsnt(r.a);
	link_pass(&r);
	assert_told(&r, "bsnt:0");
	link_stop(&r);
}

static void messages_behind_fsnc_are_retrieved_in_order(void **state)
{
	struct link_rig r;

	(void)state;
	start_changeover(&r);
	m2pa_retrieve(r.a, 2);
	link_pass(&r);
	assert_told(&r, "got#4 got#5 got#6 got#7 done:4");
	link_send(&r, 9, 1); /* too late */
	assert_int_equal(link_drops(&r, DROP_ASSOC_DOWN), 1);
	link_stop(&r);
}

static void without_a_valid_fsnc_only_the_unsent_are_retrieved(void **state)
{
	static const uint32_t fsncs[] = {M2PA_NO_FSNC, 0, 5, 0x800000, UINT32_MAX};

	(void)state;
	for (unsigned i = 0; i < sizeof(fsncs) / sizeof(fsncs[0]); i++) {
		struct link_rig r;

		start_changeover(&r);
		m2pa_retrieve(r.a, fsncs[i]);
		link_pass(&r);
		assert_told(&r, "got#6 got#7 done:2");
		link_stop(&r);
	}
}

static void all_that_is_not_acknowledged_can_be_retrieved(void **state)
{
	struct link_rig r;

	(void)state;
	start_changeover(&r);
	m2pa_retrieve(r.a, M2PA_ALL_FSNC);
	link_pass(&r);
	assert_told(&r, "got#3 got#4 got#5 got#6 got#7 done:5");
	link_stop(&r);
}

static void what_comes_during_a_changeover_is_retrieved_as_well(void **state)
{
	struct link_rig r;

	(void)state;
	start_changeover(&r);
	link_send(&r, 8, 1);
	m2pa_retrieve(r.a, 4);
	link_pass(&r);
	assert_told(&r, "got#6 got#7 got#8 done:3");
	link_stop(&r);
}

/* Q.704 s.5.6.2: traffic goes by another link; the outage's end settles what becomes of the rest. */
static void in_an_outage_the_unsent_are_retrieved_and_the_link_goes_on(void **state)
{
	struct link_rig r;

	(void)state;
	link_start_in_service(&r);
	link_send(&r, 1, 3);
	peer_status(&r, M2PA_PROCESSOR_OUTAGE, M2PA_SEQ_START, 0);
	link_send(&r, 4, 2);
	r.sent[0] = r.told[0] = '\0';
	m2pa_retrieve(r.a, M2PA_NO_FSNC);
	link_pass(&r);
	assert_told(&r, "got#4 got#5 done:2");
	assert_int_equal(r.a->m2pa->retained.n, 2); /* 1 and 2: the peer may have them */
	peer_status(&r, M2PA_PROCESSOR_RECOVERED, M2PA_SEQ_START, 1);
	m2pa_answer(r.a, true);
	link_send(&r, 6, 1);
	assert_sent(&r, "Ready.1 1/-1 D2/-1#6");
	assert_int_equal(link_drops(&r, DROP_M2PA_FLUSHED), 1);
	link_stop(&r);
}

static void buffers_outlive_the_association(void **state)
{
	struct tp_event down = {.kind = TP_DOWN, .reason = "path failure"};
	struct link_rig r;

	(void)state;
	start_changeover(&r);
	r.a->next_live = NULL;
	r.a->prev_live = &r.b.worker->live;
	assoc_on_event(r.a, &down);
	m2pa_retrieve(r.a, 3);
	link_pass(&r);
	assert_non_null(strstr(r.told, "got#5 got#6 got#7 done:3"));
	for (uint64_t deadline = clock_ms() + 30000; r.a->dead && clock_ms() < deadline;)
		link_run(&r); /* N_RELEASE comes from another thread */
	assert_null(r.a->dead);
	link_stop(&r);
}

static void a_reset_clears_everything_and_old_news_with_it(void **state)
{
	struct link_rig r;

	(void)state;
	link_start_in_service(&r);
	link_send(&r, 1, 3);
	worker_enter(r.b.worker);
	peer_data(&r, 0, -1, 3, 50);
	peer_ack(&r, 0, 9);
	peer_ack(&r, 0, 9); /* a fault that control has not seen when it starts anew */
	worker_leave(r.b.worker);
	m2pa_reset(r.a);
	link_pass(&r);
	assert_told(&r, "fwd#50");
	r.sent[0] = '\0';
	assert_int_equal(r.a->m2pa->retained.n, 0);
	m2pa_status(r.a, M2PA_PROVING_NORMAL, 100);
	m2pa_open(r.a);
	m2pa_go(r.a);
	link_send(&r, 4, 1);
	assert_sent(&r, "Proving Normal.0 -1/-1 D0/-1#4");
	peer_data(&r, 0, 0, 3, 51);
	assert_told(&r, "first fwd#51");
	link_stop(&r);
}

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
		cmocka_unit_test(figure_16_side_a),
		cmocka_unit_test(figure_16_side_b),
		cmocka_unit_test(without_flush_nothing_is_lost),
		cmocka_unit_test(after_the_peers_outage_what_it_discarded_is_sent_again),
		cmocka_unit_test(a_resynchronization_to_nothing_that_was_sent_fails_the_link),
		cmocka_unit_test(t7_rests_during_the_peers_outage),
		cmocka_unit_test(bsnt_is_the_last_message_accepted),
		cmocka_unit_test(messages_behind_fsnc_are_retrieved_in_order),
		cmocka_unit_test(without_a_valid_fsnc_only_the_unsent_are_retrieved),
		cmocka_unit_test(all_that_is_not_acknowledged_can_be_retrieved),
		cmocka_unit_test(what_comes_during_a_changeover_is_retrieved_as_well),
		cmocka_unit_test(in_an_outage_the_unsent_are_retrieved_and_the_link_goes_on),
		cmocka_unit_test(buffers_outlive_the_association),
		cmocka_unit_test(a_reset_clears_everything_and_old_news_with_it),
		cmocka_unit_test(traffic_on_a_link_allocates_nothing),
		cmocka_unit_test(what_it_says_is_as_of_the_last_pass),
	};

	return cmocka_run_group_tests_name("data/m2pa", tests, NULL, NULL);
}
