/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One association on a worker that is driven by hand: queue, congestion, corking, streams, memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <malloc.h>
#include <poll.h>

#include "bare.h"

static void put(struct assoc *a, unsigned n, uint32_t len, bool data)
{
	for (unsigned i = 0; i < n; i++) {
		struct mbuf *m = mbuf_alloc(a->worker->pool);

		m->len = len;
		m->ppid = TP_PPID_M3UA;
		m->stream = 1;
		if (data)
			assoc_enqueue_data(a, m);
		else
			assoc_enqueue_control(a, m);
	}
}

static void writable(struct assoc *a)
{
	assoc_on_event(a, &(struct tp_event){.kind = TP_WRITABLE});
}

static uint64_t drops(struct assoc *a, enum drop_reason r)
{
	struct assoc_stats s;

	assoc_stats(a, &s);
	return s.drops[r];
}

static void receive(struct assoc *a, uint16_t stream, uint16_t ssn)
{
	static const uint8_t beat[] = {1, 0, 3, 3, 0, 0, 0, 8};
	struct mbuf *m = mbuf_alloc(a->worker->pool);

	for (unsigned i = 0; i < sizeof(beat); i++)
		mbuf_head(m)[i] = beat[i];
	m->len = sizeof(beat);
	m->ppid = TP_PPID_M3UA;
	m->stream = stream;
	m->ssn = ssn;
	assoc_on_message(a, m);
}

/* ---- corking ---- */

/* What a pass leaves in a queue has something coming that will move it. */
static void assert_nothing_is_stuck(struct bare *b)
{
	for (struct assoc *a = b->plane.assocs; a; a = a->next)
		if (a->txq.n)
			assert_true(a->blocked || (a->touched && b->worker->delay_running));
}

static void wait_for_delay(struct bare *b)
{
	struct pollfd p = {.fd = b->worker->delay_fd, .events = POLLIN};

	assert_int_equal(poll(&p, 1, 1000), 1);
	ev_invoke(b->worker->ev, &b->worker->delay, EV_READ);
}

static void no_pass_ends_with_a_message_that_nothing_will_move(void **state)
{
	(void)state;
	for (unsigned delay = 0; delay <= 100; delay += 100) {
		struct assoc *a[3];
		struct bare b;
		uint32_t seed = 1, put_in = 0;

		bare_start(&b, delay);
		for (unsigned i = 0; i < 3; i++)
			a[i] = bare_assoc(&b, 16, 1000);
		for (unsigned pass = 0; pass < 2000; pass++) {
			seed = seed * 1664525u + 1013904223u;
			bare_room =
				seed >> 28; /* EAGAIN in the middle of a burst, or at once, or not at all */
			worker_enter(b.worker);
			for (unsigned i = 0; i < 3; i++) {
				unsigned n = seed >> (8 + 4 * i) & 3;

				put(a[i], n, 40 + (seed >> 20 & 255), true);
				put_in += n;
				if (a[i]->blocked && (seed >> (16 + i) & 1))
					writable(a[i]);
			}
			worker_leave(b.worker);
			assert_nothing_is_stuck(&b);
			if (b.worker->delay_running && (seed & 0x100))
				wait_for_delay(&b);
		}
		bare_room = UINT32_MAX;
		for (unsigned i = 0; i < 3; i++)
			writable(a[i]);
		worker_enter(b.worker);
		b.worker->delay_over = true;
		worker_leave(b.worker);
		assert_int_equal(bare_taken, put_in - drops(a[0], DROP_TXQ_FULL) -
						     drops(a[1], DROP_TXQ_FULL) - drops(a[2], DROP_TXQ_FULL));
		bare_stop(&b);
	}
}

static void a_pass_flushes_once_however_much_it_queued(void **state)
{
	struct bare b;
	struct assoc *a;

	(void)state;
	bare_start(&b, 0);
	a = bare_assoc(&b, 16, 1000);
	bare_room = UINT32_MAX;
	worker_enter(b.worker);
	put(a, 50, 100, true);
	worker_leave(b.worker);
	assert_int_equal(bare_taken, 50);
	assert_int_equal(counter_get(&a->c[AC_TX_FLUSHES]), 1);
	assert_int_equal(counter_get(&a->c[AC_TX_BYTES]), 5000);
	worker_enter(b.worker);
	worker_leave(b.worker);
	assert_int_equal(counter_get(&a->c[AC_TX_FLUSHES]), 1);
	bare_stop(&b);
}

static void a_short_burst_waits_for_company_a_packet_does_not(void **state)
{
	struct bare b;
	struct assoc *a;

	(void)state;
	bare_start(&b, 500);
	a = bare_assoc(&b, 16, 1000);
	bare_room = UINT32_MAX;
	worker_enter(b.worker);
	put(a, 2, 100, true);
	worker_leave(b.worker);
	assert_int_equal(bare_taken, 0);
	worker_enter(b.worker);
	put(a, 10, 120, true);
	worker_leave(b.worker);
	assert_int_equal(bare_taken, 12);
	worker_enter(b.worker);
	put(a, 1, 100, true);
	worker_leave(b.worker);
	wait_for_delay(&b);
	worker_enter(b.worker);
	worker_leave(b.worker);
	assert_int_equal(bare_taken, 13);
	bare_stop(&b);
}

/* Transports have watchers of their own, before and after ours. */
static void upcalls_between_passes_are_not_forgotten(void **state)
{
	struct bare b;
	struct assoc *a;

	(void)state;
	bare_start(&b, 0);
	a = bare_assoc(&b, 16, 1000);
	bare_room = 0;
	worker_enter(b.worker);
	put(a, 3, 100, true);
	worker_leave(b.worker);
	assert_false(ev_async_pending(&b.worker->wake));
	writable(a);
	assert_true(ev_async_pending(&b.worker->wake)); /* there will be a pass */
	bare_room = 10;
	receive(a, 1, 0); /* makes one itself */
	assert_int_equal(bare_taken, 3);
	assert_int_equal(counter_get(&a->c[AC_RX_CONTROL]), 1);
	assert_false(b.worker->in_pass);
	bare_stop(&b);
}

/* ---- bounds ---- */

static void a_full_queue_drops_new_data_but_not_controls_messages(void **state)
{
	struct bare b;
	struct assoc *a;

	(void)state;
	bare_start(&b, 0);
	a = bare_assoc(&b, 16, 100);
	worker_enter(b.worker);
	put(a, 150, 100, true);
	assert_int_equal(a->txq.n, 100);
	assert_int_equal(drops(a, DROP_TXQ_FULL), 50);
	put(a, 1000, 8, false);
	assert_int_equal(a->txq.n, 1100);
	assert_int_equal(drops(a, DROP_TXQ_FULL), 50);
	put(a, 1000, 8, false); /* but control's have a bound as well */
	assert_int_equal(a->txq.n, 100 + ASSOC_TXQ_RESERVE);
	assert_int_equal(counter_get(&a->c[AC_TX_DATA]), 100); /* what was dropped was not sent */
	worker_leave(b.worker);
	bare_stop(&b);
}

static void congestion_has_three_onsets_and_lower_abatements(void **state)
{
	static const struct {
		unsigned queued, level;
	} rows[] = {{49, 0}, {50, 1}, {74, 1}, {75, 2}, {89, 2}, {90, 3}, {100, 3}, {80, 3}, {79, 2}, {65, 2},
		{64, 1}, {40, 1}, {39, 0}, {49, 0}, {90, 3}, {0, 0}};
	struct bare b;
	struct assoc *a;

	(void)state;
	bare_start(&b, 0);
	a = bare_assoc(&b, 16, 100);
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct assoc_stats s;

		worker_enter(b.worker);
		if (rows[i].queued > a->txq.n)
			put(a, rows[i].queued - a->txq.n, 100, true);
		else
			bare_room = a->txq.n - rows[i].queued;
		writable(a);
		worker_leave(b.worker);
		assoc_stats(a, &s);
		assert_int_equal(s.txq, rows[i].queued);
		assert_int_equal(s.congestion, rows[i].level);
	}
	bare_stop(&b);
}

/* ---- streams ---- */

static const struct stream_state *stream(struct assoc *a, bool outbound, uint32_t i)
{
	return paged_get(assoc_streams(a, outbound), i);
}

static void sequence_numbers_are_checked_per_stream_and_begin_again_after_a_restart(void **state)
{
	struct bare b;
	struct assoc *a;

	(void)state;
	bare_start(&b, 0);
	a = bare_assoc(&b, 16, 100);
	worker_enter(b.worker);
	for (uint32_t i = 0; i < 70000; i++)
		receive(a, 3, (uint16_t)i);
	assert_int_equal(counter_get(&a->c[AC_ORDER_FAULTS]), 0);
	receive(a, 4, 0);
	receive(a, 3, (uint16_t)70001); /* one is missing */
	assert_int_equal(counter_get(&a->c[AC_ORDER_FAULTS]), 1);
	receive(a, 3, (uint16_t)70002);
	assert_int_equal(counter_get(&a->c[AC_ORDER_FAULTS]), 1);
	assert_int_equal(stream(a, false, 3)->faults, 1);
	assert_int_equal(stream(a, false, 4)->faults, 0);
	assert_int_equal(stream(a, false, 3)->messages, 70002);
	assoc_on_event(a, &(struct tp_event){.kind = TP_RESTART, .in_streams = 16, .out_streams = 16});
	receive(a, 3, 0);
	assert_int_equal(counter_get(&a->c[AC_ORDER_FAULTS]), 1);
	assert_int_equal(counter_get(&a->c[AC_RESTARTS]), 1);
	worker_leave(b.worker);
	bare_stop(&b);
}

/* ---- restart ---- */

static void nothing_is_sent_after_a_restart_until_control_has_heard(void **state)
{
	struct bare b;
	struct assoc *a;

	(void)state;
	bare_start(&b, 0);
	a = bare_assoc(&b, 16, 100);
	bare_room = 100;
	worker_enter(b.worker);
	put(a, 1, 100, true);
	assoc_on_event(a, &(struct tp_event){.kind = TP_RESTART, .in_streams = 16, .out_streams = 16});
	assert_int_equal(assoc_state(a), ASSOC_RESTARTED);
	put(a, 2, 100, true);
	put(a, 1, 100, false);
	worker_leave(b.worker);
	assert_int_equal(bare_taken, 0);
	assert_int_equal(counter_get(&a->drops[DROP_ASSOC_DOWN]), 4);
	assoc_renew(a);
	assoc_renew(a); /* of a second restart, while the first note is under way */
	worker_enter(b.worker);
	assert_int_equal(assoc_state(a), ASSOC_UP);
	put(a, 1, 100, false);
	put(a, 2, 100, true);
	worker_leave(b.worker);
	assert_int_equal(bare_taken, 3);
	worker_enter(b.worker);
	assoc_on_event(a, &(struct tp_event){.kind = TP_RESTART, .in_streams = 16, .out_streams = 16});
	assoc_do_shutdown(a); /* control has asked for it without knowing */
	worker_leave(b.worker);
	assert_int_equal(bare_shutdowns, 1);
	assoc_renew(a);
	worker_enter(b.worker);
	assert_int_equal(assoc_state(a), ASSOC_CLOSING);
	worker_leave(b.worker);
	bare_stop(&b);
}

static void a_peer_that_restarts_and_takes_leave_at_once_is_not_up_again(void **state)
{
	struct bare b;
	struct assoc *a;

	(void)state;
	bare_start(&b, 0);
	a = bare_assoc(&b, 16, 100);
	worker_enter(b.worker);
	assoc_on_event(a, &(struct tp_event){.kind = TP_RESTART, .in_streams = 16, .out_streams = 16});
	assoc_on_event(a, &(struct tp_event){.kind = TP_PEER_SHUTDOWN});
	assert_int_equal(assoc_state(a), ASSOC_CLOSING);
	worker_leave(b.worker);
	assoc_renew(a);
	worker_enter(b.worker);
	assert_int_equal(assoc_state(a), ASSOC_CLOSING);
	worker_leave(b.worker);
	bare_stop(&b);
}

static void memory_follows_the_streams_that_are_used(void **state)
{
	enum { LIMIT = 16 * 1024 };
	struct assoc_stats s;
	struct mallinfo2 before, after;
	struct bare b;
	struct assoc *a;

	(void)state;
	bare_start(&b, 0);
	worker_enter(b.worker);
	before = mallinfo2();
	a = bare_assoc(&b, 65535, 100);
	for (uint32_t i = 0; i < 16; i++) {
		assert_non_null(paged_touch(&a->rx, 1 + i * 4095));
		assert_non_null(paged_touch(&a->tx, 65534 - i * 4093));
	}
	after = mallinfo2();
	assoc_stats(a, &s);
	assert_in_range(s.memory, sizeof(*a), LIMIT - 1);
	/* the allocator's own view; a sanitizer's allocator has none */
	if (after.uordblks)
		assert_in_range(after.uordblks - before.uordblks, s.memory, LIMIT - 1);
	worker_leave(b.worker);
	bare_stop(&b);
}

/* ---- ending ---- */

static void a_shutdown_comes_behind_what_is_queued(void **state)
{
	struct bare b;
	struct assoc *a;

	(void)state;
	bare_start(&b, 1000); /* nor does it wait for company */
	a = bare_assoc(&b, 16, 100);
	bare_room = 5;
	worker_enter(b.worker);
	put(a, 8, 10, true);
	assoc_do_shutdown(a);
	worker_leave(b.worker);
	assert_int_equal(bare_taken, 5);
	assert_int_equal(bare_shutdowns, 0);
	bare_room = 5;
	worker_enter(b.worker);
	writable(a);
	worker_leave(b.worker);
	assert_int_equal(bare_taken, 8);
	assert_int_equal(bare_shutdowns, 1);
	assert_int_equal(assoc_state(a), ASSOC_CLOSING);
	worker_enter(b.worker);
	put(a, 1, 10, true);
	worker_leave(b.worker);
	assert_int_equal(drops(a, DROP_ASSOC_DOWN), 1);
	bare_stop(&b);
}

static void an_abort_discards_and_counts_what_is_queued(void **state)
{
	struct bare b;
	struct assoc *a;

	(void)state;
	bare_start(&b, 0);
	a = bare_assoc(&b, 16, 100);
	worker_enter(b.worker);
	put(a, 8, 10, true);
	assoc_do_abort(a, "test");
	worker_leave(b.worker);
	assert_int_equal(bare_aborts, 1);
	assert_int_equal(bare_taken, 0);
	assert_int_equal(drops(a, DROP_ASSOC_DOWN), 8);
	bare_stop(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_pass_ends_with_a_message_that_nothing_will_move),
		cmocka_unit_test(a_pass_flushes_once_however_much_it_queued),
		cmocka_unit_test(a_short_burst_waits_for_company_a_packet_does_not),
		cmocka_unit_test(upcalls_between_passes_are_not_forgotten),
		cmocka_unit_test(a_full_queue_drops_new_data_but_not_controls_messages),
		cmocka_unit_test(congestion_has_three_onsets_and_lower_abatements),
		cmocka_unit_test(sequence_numbers_are_checked_per_stream_and_begin_again_after_a_restart),
		cmocka_unit_test(nothing_is_sent_after_a_restart_until_control_has_heard),
		cmocka_unit_test(a_peer_that_restarts_and_takes_leave_at_once_is_not_up_again),
		cmocka_unit_test(memory_follows_the_streams_that_are_used),
		cmocka_unit_test(a_shutdown_comes_behind_what_is_queued),
		cmocka_unit_test(an_abort_discards_and_counts_what_is_queued),
	};

	return cmocka_run_group_tests_name("data/assoc", tests, NULL, NULL);
}
