/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sequence part of a link in processor outages and changeovers. */
#include "link_rig.h"

#include <string.h>

#include "base/clock.h"

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
	assert_sent(&r, "D0/-1#1 Processor Outage.1 0/-1 D1/-1#2 D2/-1#3 Processor Recovered.1 2/0");
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

/* Its new association knows nothing of the link: until control ends it nothing is sent there, so that it
 * counts as not sent. */
static void what_waits_when_the_peer_restarts_the_association_can_be_retrieved(void **state)
{
	struct link_rig r;

	(void)state;
	link_start_in_service(&r);
	bare_room = 1;
	link_send(&r, 1, 3);
	assert_sent(&r, "D0/-1#1");
	bare_room = UINT32_MAX;
	worker_enter(r.b.worker);
	assoc_on_event(r.a, &(struct tp_event){.kind = TP_RESTART, .in_streams = 2, .out_streams = 2});
	assoc_on_event(r.a, &(struct tp_event){.kind = TP_WRITABLE});
	link_forward(&r, 4);
	worker_leave(r.b.worker);
	assert_sent(&r, "");
	m2pa_close(r.a);
	m2pa_retrieve(r.a, M2PA_NO_FSNC);
	link_pass(&r);
	assert_told(&r, "got#2 got#3 got#4 done:3");
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(figure_16_side_a),
		cmocka_unit_test(figure_16_side_b),
		cmocka_unit_test(without_flush_nothing_is_lost),
		cmocka_unit_test(after_the_peers_outage_what_it_discarded_is_sent_again),
		cmocka_unit_test(a_resynchronization_to_nothing_that_was_sent_fails_the_link),
		cmocka_unit_test(bsnt_is_the_last_message_accepted),
		cmocka_unit_test(messages_behind_fsnc_are_retrieved_in_order),
		cmocka_unit_test(without_a_valid_fsnc_only_the_unsent_are_retrieved),
		cmocka_unit_test(all_that_is_not_acknowledged_can_be_retrieved),
		cmocka_unit_test(what_comes_during_a_changeover_is_retrieved_as_well),
		cmocka_unit_test(in_an_outage_the_unsent_are_retrieved_and_the_link_goes_on),
		cmocka_unit_test(buffers_outlive_the_association),
		cmocka_unit_test(what_waits_when_the_peer_restarts_the_association_can_be_retrieved),
		cmocka_unit_test(a_reset_clears_everything_and_old_news_with_it),
	};

	return cmocka_run_group_tests_name("data/m2pa_outage", tests, NULL, NULL);
}
