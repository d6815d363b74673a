/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/check.h"

#define MAX_SEQ 16

/* Sequences as they arrive (-1 ends) and what must be said of them. */
static const struct row {
	const char *what;
	int seq[MAX_SEQ];
	unsigned unique, missing, late, repeated;
} rows[] = {
	{"in order", {0, 1, 2, 3, -1}, 4, 0, 0, 0},
	{"one lost", {0, 1, 3, 4, -1}, 4, 1, 0, 0},
	{"the first lost", {1, 2, -1}, 2, 1, 0, 0},
	{"two neighbours exchanged", {0, 2, 1, 3, -1}, 4, 0, 1, 0},
	{"one overtaken by three", {0, 2, 3, 4, 1, -1}, 5, 0, 1, 0},
	{"one that runs ahead", {0, 3, 1, 2, 4, -1}, 5, 0, 2, 0},
	{"a repetition at once", {0, 1, 1, 2, -1}, 3, 0, 0, 1},
	{"a repetition later", {0, 1, 2, 3, 0, -1}, 4, 0, 0, 1},
	{"a late one that comes twice", {0, 2, 1, 1, -1}, 3, 0, 1, 1},
	{"the first one twice", {0, 0, -1}, 1, 0, 0, 1},
	{"loss and repetition do not cancel out", {0, 2, 2, 3, -1}, 3, 1, 0, 1},
	{"everything backwards", {3, 2, 1, 0, -1}, 4, 0, 3, 0},
	{"nothing", {-1}, 0, 0, 0, 0},
};

static void sequences_are_judged(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct check c = {0};
		unsigned n[4] = {0};

		for (const int *s = rows[i].seq; *s >= 0; s++)
			n[check_seen(&c, (uint32_t)*s)]++;
		if (c.unique != rows[i].unique || check_missing(&c) != rows[i].missing ||
			n[CHECK_LATE] != rows[i].late || n[CHECK_REPEATED] != rows[i].repeated ||
			n[CHECK_STALE] || n[CHECK_NEW] + n[CHECK_LATE] != c.unique)
			fail_msg("%s", rows[i].what);
	}
}

static void run_up(struct check *c, uint32_t from, uint32_t to, uint32_t leave_out)
{
	for (uint32_t s = from; s < to; s++)
		if (s != leave_out)
			check_seen(c, s);
}

static void late_and_repeated_are_told_apart_to_the_window_s_edge(void **state)
{
	struct check c = {0};

	(void)state;
	run_up(&c, 0, 10 + CHECK_WINDOW, 10);
	assert_int_equal(check_missing(&c), 1);
	assert_int_equal(check_seen(&c, 11), CHECK_REPEATED);
	assert_int_equal(check_seen(&c, 10), CHECK_LATE); /* the oldest the window holds */
	assert_int_equal(check_seen(&c, 10), CHECK_REPEATED);
	assert_int_equal(check_missing(&c), 0);
}

static void beyond_the_window_nothing_is_claimed_that_is_not_known(void **state)
{
	struct check c = {0};

	(void)state;
	run_up(&c, 0, 11 + CHECK_WINDOW, 10);
	assert_int_equal(c.written_off, 1);
	assert_int_equal(check_seen(&c, 10), CHECK_STALE);
	assert_int_equal(check_seen(&c, 9), CHECK_STALE);
	assert_int_equal(check_missing(&c), 1);
}

static void beyond_the_window_a_flow_without_loss_can_only_repeat(void **state)
{
	struct check c = {0};

	(void)state;
	run_up(&c, 0, 3 * CHECK_WINDOW, UINT32_MAX);
	assert_int_equal(check_seen(&c, 0), CHECK_REPEATED);
	assert_int_equal(c.unique, 3 * CHECK_WINDOW);
}

static void a_gap_of_any_width_is_counted_exactly(void **state)
{
	static const uint32_t gaps[] = {1, 63, 64, 65, CHECK_WINDOW - 1, CHECK_WINDOW, CHECK_WINDOW + 1,
		3 * CHECK_WINDOW + 7, 4000000000u};

	(void)state;
	for (size_t i = 0; i < sizeof(gaps) / sizeof(*gaps); i++) {
		struct check c = {0};

		run_up(&c, 0, 100, UINT32_MAX);
		assert_int_equal(check_seen(&c, 100 + gaps[i]), CHECK_NEW);
		assert_int_equal(check_missing(&c), gaps[i]);
		assert_int_equal(c.written_off, gaps[i] + 1 > CHECK_WINDOW ? gaps[i] + 1 - CHECK_WINDOW : 0);
		assert_int_equal(check_seen(&c, 100 + gaps[i] - 1), CHECK_LATE);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sequences_are_judged),
		cmocka_unit_test(late_and_repeated_are_told_apart_to_the_window_s_edge),
		cmocka_unit_test(beyond_the_window_nothing_is_claimed_that_is_not_known),
		cmocka_unit_test(beyond_the_window_a_flow_without_loss_can_only_repeat),
		cmocka_unit_test(a_gap_of_any_width_is_counted_exactly),
	};

	return cmocka_run_group_tests_name("sim/check", tests, NULL, NULL);
}
