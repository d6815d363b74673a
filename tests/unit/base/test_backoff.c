/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/backoff.h"

static void waits_double_up_to_the_longest(void **state)
{
	/* a quarter below: no jitter has been added */
	static const uint32_t want[] = {750, 1500, 3000, 6000, 6000, 6000};
	uint32_t s = 0;

	(void)state;
	for (unsigned i = 0; i < sizeof(want) / sizeof(want[0]); i++)
		assert_int_equal(backoff_next(&s, 1000, 8000, 0), want[i]);
	s = 0;
	assert_int_equal(backoff_next(&s, 1000, 8000, 0), 750);
}

static void jitter_is_a_quarter_either_way(void **state)
{
	(void)state;
	for (uint32_t random = 0; random < 5000; random++) {
		uint32_t s = 0;

		assert_in_range(backoff_next(&s, 1000, 8000, random), 750, 1250);
	}
}

static void nonsense_is_survived(void **state)
{
	uint32_t s = 0;

	(void)state;
	assert_int_equal(backoff_next(&s, 0, 0, 7), 0);
	for (unsigned i = 0; i < 40; i++)
		backoff_next(&s, 1, UINT32_MAX, i);
	assert_int_equal(s, UINT32_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(waits_double_up_to_the_longest),
		cmocka_unit_test(jitter_is_a_quarter_either_way),
		cmocka_unit_test(nonsense_is_survived),
	};

	return cmocka_run_group_tests_name("base/backoff", tests, NULL, NULL);
}
