/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/pace.h"

enum { SECOND = 1000000000 };

/* Sends whatever is due as time passes in steps of STEP; returns how many in DURATION. */
static unsigned run(struct pace *p, uint64_t start, uint64_t duration, uint64_t step)
{
	unsigned n = 0;

	for (uint64_t now = start; now < start + duration; now += step)
		while (pace_due(p, now) <= now) {
			pace_advance(p);
			n++;
		}
	return n;
}

static void a_regular_flow_keeps_its_rate_whatever_the_grain_of_time(void **state)
{
	static const double rates[] = {0.5, 1, 3, 1000, 9999, 250000};
	static const uint64_t steps[] = {1000, 777777, 50000000};

	(void)state;
	for (unsigned r = 0; r < 6; r++) {
		for (unsigned s = 0; s < 3; s++) {
			struct pace p;
			unsigned n;

			pace_init(&p, PACE_REGULAR, rates[r], SECOND, 1);
			n = run(&p, SECOND, 4ull * SECOND, steps[s]);
			assert_in_range(n, (unsigned)(rates[r] * 4 * 0.98), (unsigned)(rates[r] * 4) + 1);
		}
	}
}

static void regular_messages_are_due_at_equal_distances_without_drift(void **state)
{
	struct pace p;

	(void)state;
	pace_init(&p, PACE_REGULAR, 3, 1000, 1);
	assert_int_equal(pace_due(&p, 0), 1000);
	for (unsigned i = 0; i < 3000000; i++)
		pace_advance(&p);
	assert_in_range(pace_due(&p, 0), 1000 + 1000000ull * SECOND - 1, 1000 + 1000000ull * SECOND + 1);
}

static void lateness_does_not_move_the_schedule(void **state)
{
	struct pace p;

	(void)state;
	pace_init(&p, PACE_REGULAR, 1000, 0, 1);
	for (unsigned i = 0; i < 5; i++) { /* all sent at once, a second late */
		assert_int_equal(pace_due(&p, SECOND), i * 1000000);
		pace_advance(&p);
	}
}

static void poisson_keeps_its_mean_and_has_exponential_gaps(void **state)
{
	enum { N = 200000 };
	struct pace p;
	uint64_t last = 0;
	unsigned longer_than_mean = 0;

	(void)state;
	pace_init(&p, PACE_POISSON, 1000, 0, 7);
	for (unsigned i = 0; i < N; i++) {
		uint64_t due = pace_due(&p, 0);

		assert_true(due >= last);
		longer_than_mean += due - last > 1000000;
		last = due;
		pace_advance(&p);
	}
	assert_in_range(last / 1000000, N * 99 / 100, N * 101 / 100);
	assert_in_range(longer_than_mean, N * 36 / 100, N * 38 / 100); /* 1/e */
}

static void the_same_seed_gives_the_same_schedule(void **state)
{
	struct pace a, b;

	(void)state;
	pace_init(&a, PACE_POISSON, 10, 0, 5);
	pace_init(&b, PACE_POISSON, 10, 0, 5);
	for (unsigned i = 0; i < 100; i++) {
		assert_int_equal(pace_due(&a, 0), pace_due(&b, 0));
		pace_advance(&a);
		pace_advance(&b);
	}
}

static void max_is_always_due_but_not_before_its_start(void **state)
{
	struct pace p;

	(void)state;
	pace_init(&p, PACE_MAX, 0, 500, 1);
	assert_int_equal(pace_due(&p, 100), 500);
	assert_int_equal(pace_due(&p, 900), 900);
}

static void a_pause_moves_what_is_due(void **state)
{
	struct pace p;

	(void)state;
	pace_init(&p, PACE_REGULAR, 1000, 0, 1);
	pace_advance(&p);
	pace_shift(&p, 5000);
	assert_int_equal(pace_due(&p, 0), 1005000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_regular_flow_keeps_its_rate_whatever_the_grain_of_time),
		cmocka_unit_test(regular_messages_are_due_at_equal_distances_without_drift),
		cmocka_unit_test(lateness_does_not_move_the_schedule),
		cmocka_unit_test(poisson_keeps_its_mean_and_has_exponential_gaps),
		cmocka_unit_test(the_same_seed_gives_the_same_schedule),
		cmocka_unit_test(max_is_always_due_but_not_before_its_start),
		cmocka_unit_test(a_pause_moves_what_is_due),
	};

	return cmocka_run_group_tests_name("sim/pace", tests, NULL, NULL);
}
