/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which MSUs that meet congestion control is shown (Q.704 s.11.2.3.1, 13.7.2). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "msu_rig.h"

static void n_come(struct msu_rig *r, const struct variant_row *row, unsigned n)
{
	r->n_shown = 0;
	msu_out.n = 0;
	for (unsigned i = 0; i < n; i++)
		msu_link_brings(r, LINK_A, row->head, row->head_len, msu_pri(row), 20);
	assert_int_equal(msu_out.n, n); /* none is kept back */
}

static void of_those_that_meet_congestion_every_eighth_is_shown(void **state)
{
	(void)state;
	for (unsigned i = 0; i < MSU_ROWS; i++) {
		struct msu_rig r;

		msu_start_row(&r, &msu_rows[i], i % 2 ? LINK_B : ASP);
		n_come(&r, &msu_rows[i], 20);
		assert_int_equal(r.n_shown, 0);
		r.level = 1;
		msu_publish(&r);
		n_come(&r, &msu_rows[i], 1); /* the first */
		assert_int_equal(r.n_shown, 1);
		assert_int_equal(r.shown_len, msu_rows[i].head_len);
		assert_memory_equal(r.shown, msu_rows[i].head, msu_rows[i].head_len);
		n_come(&r, &msu_rows[i], 7);
		assert_int_equal(r.n_shown, 0);
		n_come(&r, &msu_rows[i], 40);
		assert_int_equal(r.n_shown, 40 / CONGESTED_EVERY);
		msu_stop(&r);
	}
}

static void where_there_are_priorities_each_that_is_too_low_is_shown(void **state)
{
	(void)state;
	for (unsigned i = 0; i < MSU_ROWS; i++) {
		struct msu_rig r;

		msu_start_row(&r, &msu_rows[i], LINK_B);
		r.has_priorities = true;
		r.level = 3;
		msu_publish(&r);
		n_come(&r, &msu_rows[i], 5);
		assert_int_equal(r.n_shown, 5);
		assert_int_equal(r.shown_mp, msu_rows[i].label.mp);
		r.level = msu_rows[i].label.mp;
		msu_publish(&r);
		n_come(&r, &msu_rows[i], 5);
		assert_int_equal(r.n_shown, 0);
		msu_stop(&r);
	}
}

static void control_is_shown_no_more_than_it_keeps_up_with(void **state)
{
	struct msu_rig r;

	(void)state;
	msu_start_row(&r, &msu_rows[0], ASP);
	r.has_priorities = r.busy = true;
	r.level = 3;
	msu_publish(&r);
	n_come(&r, &msu_rows[0], PLANE_SAMPLES + 20);
	assert_int_equal(r.n_shown, PLANE_SAMPLES);
	msu_stop(&r);
}

static void data_of_an_asp_that_goes_to_a_link_is_shown_too(void **state)
{
	struct msu_rig r;

	(void)state;
	msu_start_row(&r, &msu_rows[PC_ANSI], LINK_B);
	r.level = 1;
	msu_publish(&r);
	for (unsigned i = 0; i < 9; i++)
		msu_asp_brings(&r, &msu_rows[PC_ANSI].label, 20);
	assert_int_equal(r.n_shown, 2);
	assert_memory_equal(r.shown, msu_rows[PC_ANSI].head, msu_rows[PC_ANSI].head_len);
	msu_stop(&r);
}

static void congestion_of_a_range_is_that_of_its_point_codes(void **state)
{
	struct msu_rig r;

	(void)state;
	msu_start_row(&r, &msu_rows[0], LINK_B);
	r.key.mask = 4;
	r.key.dpc &= ~15u;
	r.level = 1;
	msu_publish(&r);
	n_come(&r, &msu_rows[0], 9);
	assert_int_equal(r.n_shown, 2);
	fwd_congestion_set(r.congestion, 0, 4711, 0, 2); /* no destinations */
	fwd_congestion_set(r.congestion, 0, 4711, 5, 2);
	fwd_congestion_set(r.congestion, 1, 4711, 0, 2);
	n_come(&r, &msu_rows[0], 8);
	assert_int_equal(r.n_shown, 1);
	msu_stop(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(of_those_that_meet_congestion_every_eighth_is_shown),
		cmocka_unit_test(where_there_are_priorities_each_that_is_too_low_is_shown),
		cmocka_unit_test(control_is_shown_no_more_than_it_keeps_up_with),
		cmocka_unit_test(data_of_an_asp_that_goes_to_a_link_is_shown_too),
		cmocka_unit_test(congestion_of_a_range_is_that_of_its_point_codes),
	};

	return cmocka_run_group_tests_name("data/congested", tests, NULL, NULL);
}
