/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A peer that asks faster than control answers: read no further, and read again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "bare.h"
#include "data/intake.h"

static void ask(struct assoc *a, unsigned n)
{
	static const uint8_t beat[] = {1, 0, 3, 3, 0, 0, 0, 8};

	while (n--) {
		struct mbuf *m = mbuf_alloc(a->worker->pool);

		memcpy(mbuf_head(m), beat, sizeof(beat));
		m->len = sizeof(beat);
		m->ppid = TP_PPID_M3UA;
		assoc_on_message(a, m);
	}
}

static void take(struct assoc *a, unsigned n)
{
	while (n--)
		intake_taken(a);
}

/* What control has posted is seen in the next pass. */
static void pass(struct bare *b)
{
	worker_enter(b->worker);
	worker_leave(b->worker);
}

static void a_peer_is_not_read_while_too_much_of_it_waits(void **state)
{
	struct assoc *a;
	struct bare b;

	(void)state;
	bare_start(&b, 0);
	a = bare_assoc(&b, 1, 16);
	for (unsigned round = 1; round <= 3; round++) {
		ask(a, INTAKE_FULL - 1);
		assert_false(bare_held);
		ask(a, 1);
		assert_true(bare_held);
		take(a, INTAKE_FULL - INTAKE_LOW - 1);
		pass(&b);
		assert_true(bare_held);
		take(a, 1);
		assert_true(bare_held); /* only its worker may touch it */
		pass(&b);
		assert_false(bare_held);
		take(a, INTAKE_LOW);
		assert_int_equal(counter_get(&a->c[AC_HELD_BACK]), round);
	}
	assert_int_equal(counter_get(&a->drops[DROP_CONTROL_BUSY]), 0);
	bare_stop(&b);
}

static void what_comes_nevertheless_is_taken_up_to_a_bound(void **state)
{
	struct assoc *a;
	struct bare b;

	(void)state;
	bare_start(&b, 0);
	a = bare_assoc(&b, 1, 16);
	ask(a, ASSOC_MESSAGES);
	assert_int_equal(counter_get(&a->drops[DROP_CONTROL_BUSY]), 0);
	ask(a, 1);
	assert_int_equal(counter_get(&a->drops[DROP_CONTROL_BUSY]), 1);
	bare_stop(&b);
}

static void control_may_stop_the_reading_and_let_it_go_on(void **state)
{
	struct assoc *a;
	struct bare b;

	(void)state;
	bare_start(&b, 0);
	a = bare_assoc(&b, 1, 16);
	assoc_restrain(a, true);
	ask(a, 1);
	assert_true(bare_held);
	take(a, 1);
	pass(&b);
	assert_true(bare_held);
	assoc_restrain(a, false);
	pass(&b);
	assert_false(bare_held);
	ask(a, 1);
	assert_false(bare_held);
	bare_stop(&b);
}

/* Peers that have few messages waiting each are as many as they like. */
static void all_peers_together_leave_buffers_for_traffic(void **state)
{
	struct assoc *a[100];
	struct bare b;

	(void)state;
	bare_start(&b, 0);
	for (unsigned i = 0; i < 100; i++)
		a[i] = bare_assoc(&b, 1, 16);
	for (unsigned i = 0; i < 100; i++) {
		bare_held = false;
		ask(a[i], INTAKE_FULL - 1);
		assert_int_equal(
			bare_held, (i + 1) * (INTAKE_FULL - 1) >= mbuf_pool_size(b.worker->pool) / 4);
		if (bare_held)
			break;
	}
	assert_true(bare_held);
	bare_stop(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_peer_is_not_read_while_too_much_of_it_waits),
		cmocka_unit_test(what_comes_nevertheless_is_taken_up_to_a_bound),
		cmocka_unit_test(control_may_stop_the_reading_and_let_it_go_on),
		cmocka_unit_test(all_peers_together_leave_buffers_for_traffic),
	};

	return cmocka_run_group_tests_name("data/intake", tests, NULL, NULL);
}
