/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/err.h"

static void the_clock_goes_forward_and_both_units_agree(void **state)
{
	uint64_t ns = clock_ns(), ms = clock_ms();

	(void)state;
	assert_true(clock_ns() >= ns);
	assert_true(ms >= ns / 1000000);
}

static void a_frozen_clock_stands_where_it_was_put(void **state)
{
	(void)state;
	clock_freeze_ns(5000000);
	assert_int_equal(clock_ns(), 5000000);
	assert_int_equal(clock_ms(), 5);
	clock_freeze_ns(0);
	assert_true(clock_ns() != 5000000);
}

static void every_error_has_a_text(void **state)
{
	(void)state;
	for (int e = 0; e < SB_ERR_COUNT; e++) {
		assert_non_null(sb_strerror((enum sb_err)e));
		assert_string_not_equal(sb_strerror((enum sb_err)e), "unknown error");
	}
	assert_string_equal(sb_strerror(SB_ERR_COUNT), "unknown error");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_clock_goes_forward_and_both_units_agree),
		cmocka_unit_test(a_frozen_clock_stands_where_it_was_put),
		cmocka_unit_test(every_error_has_a_text),
	};

	return cmocka_run_group_tests_name("base/clock", tests, NULL, NULL);
}
