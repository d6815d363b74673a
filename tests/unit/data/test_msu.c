/* SPDX-License-Identifier: GPL-2.0-or-later */
/* MSUs and DATA through one worker: from link to ASP, ASP to link, link to link, in networks of every
 * variant, byte by byte; and why not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "msu_rig.h"

static void an_msu_leaves_as_data_of_an_asp(void **state)
{
	(void)state;
	for (unsigned i = 0; i < MSU_ROWS; i++) {
		struct msu_rig r;

		msu_start_row(&r, &msu_rows[i], ASP);
		for (uint32_t len = 0; len < MAX_PAYLOAD; len += 37) {
			msu_link_brings(&r, LINK_A, msu_rows[i].head, msu_rows[i].head_len,
				msu_pri(&msu_rows[i]), len);
			assert_data_left(&msu_rows[i].label, len);
		}
		assert_int_equal(msu_out.n, (MAX_PAYLOAD + 36) / 37);
		msu_stop(&r);
	}
}

static void data_of_an_asp_leaves_as_an_msu(void **state)
{
	(void)state;
	for (unsigned i = 0; i < MSU_ROWS; i++) {
		struct msu_rig r;
		unsigned n = 0;

		msu_start_row(&r, &msu_rows[i], LINK_B);
		for (uint32_t len = 0; len < 260; len += 37, n++) {
			msu_asp_brings(&r, &msu_rows[i].label, len);
			assert_msu_left(msu_rows[i].head, msu_rows[i].head_len, msu_pri(&msu_rows[i]), len);
		}
		assert_int_equal(msu_out.n, n);
		msu_stop(&r);
	}
}

/* Octet by octet, spare bits and priority included. */
static void an_msu_passes_from_link_to_link_as_it_came(void **state)
{
	(void)state;
	for (unsigned i = 0; i < MSU_ROWS; i++) {
		struct variant_row row = msu_rows[i];
		struct msu_rig r;

		if (row.variant == PC_CHINA || row.variant == PC_JAPAN)
			row.head[row.head_len - 1] |= 0xf0;
		msu_start_row(&r, &row, LINK_B);
		for (uint8_t pri = 0; pri < 4; pri++) {
			msu_link_brings(&r, LINK_A, row.head, row.head_len, pri, 40u + pri);
			assert_msu_left(row.head, row.head_len, pri, 40u + pri);
		}
		assert_int_equal(msu_out.n, 4);
		msu_stop(&r);
	}
}

static void an_sls_of_an_asp_is_cut_to_the_networks(void **state)
{
	struct mtp3_label label = msu_rows[0].label;
	struct msu_rig r;

	(void)state;
	label.sls = 0xf5;
	msu_start_row(&r, &msu_rows[0], LINK_B);
	msu_asp_brings(&r, &label, 10);
	assert_msu_left(msu_rows[0].head, msu_rows[0].head_len, 0, 10);
	msu_stop(&r);
}

/* T1.111.4 s.7: on links only, whatever it came from. With 5 bits the others are spare. */
static void an_sls_leaves_rotated_where_the_slot_says_so(void **state)
{
	static const struct {
		uint8_t bits, rotate, from_asp, from_link;
	} cases[] = {{8, 8, 0xd2, 0xd2}, {8, 5, 0xb2, 0xb2}, {5, 5, 0x12, 0x12}, {5, 0, 0x05, 0xa5},
		{8, 0, 0xa5, 0xa5}};
	struct variant_row row = msu_rows[PC_ANSI];

	(void)state;
	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct msu_rig r;

		msu_start_row(&r, &row, LINK_B);
		r.sls_bits = cases[i].bits;
		r.rotate = cases[i].rotate;
		msu_publish(&r);
		row.head[7] = cases[i].from_asp;
		msu_asp_brings(&r, &row.label, 60);
		assert_msu_left(row.head, row.head_len, 0, 60);
		row.head[7] = 0xa5;
		msu_link_brings(&r, LINK_A, row.head, row.head_len, 0, 60);
		row.head[7] = cases[i].from_link;
		assert_msu_left(row.head, row.head_len, 0, 60);
		row.head[7] = 0xa5;
		r.key.as = ASP;
		msu_publish(&r);
		msu_link_brings(&r, LINK_A, row.head, row.head_len, 0, 60);
		assert_data_left(&row.label, 60);
		assert_int_equal(msu_out.n, 3);
		msu_stop(&r);
	}
}

static void what_is_too_long_for_a_link_is_refused(void **state)
{
	const struct variant_row *row = &msu_rows[PC_ANSI];
	struct msu_rig r;

	(void)state;
	msu_start_row(&r, row, LINK_B);
	msu_asp_brings(&r, &row->label, 272 - 7);
	assert_int_equal(msu_out.n, 1);
	msu_asp_brings(&r, &row->label, 272 - 7 + 1);
	assert_int_equal(r.reason, DROP_LONG_SIF);
	msu_link_brings(&r, LINK_A, row->head, row->head_len, 0, 272 - 7 + 1);
	assert_int_equal(r.n_refused, 2);
	assert_int_equal(msu_out.n, 1);
	r.max_sif = 400;
	msu_publish(&r);
	msu_asp_brings(&r, &row->label, 400 - 7);
	assert_msu_left(row->head, row->head_len, 0, 400 - 7);
	msu_asp_brings(&r, &row->label, 400 - 7 + 1);
	assert_int_equal(r.n_refused, 3);
	msu_stop(&r);
}

/* ---- why not ---- */

static void inactive(struct msu_rig *r)
{
	r->inactive = true;
}

static void unserved(struct msu_rig *r)
{
	r->unserved = true;
}

static void to_itself(struct msu_rig *r)
{
	r->key.as = LINK_A;
}

static void no_keys(struct msu_rig *r)
{
	r->empty = true;
}

static void other_user(struct msu_rig *r)
{
	r->key.si = 3;
}

static void each_refusal_of_an_msu_has_its_reason(void **state)
{
	const uint8_t *usual = msu_rows[0].head;
	static const uint8_t other_ni[] = {0xe5, 0xe9, 0x83, 0xfa, 0x50}, /* NI 3 */
		from_us[] = {0x85, 0xe9, 0x43, 0x02, 0x50},               /* OPC 9 */
		to_us[] = {0x85, 0x09, 0x80, 0xfa, 0x50};                 /* DPC 9 */
	const struct {
		void (*spoil)(struct msu_rig *r);
		const uint8_t *head;
		uint32_t len;
		enum drop_reason reason;
		uint32_t value;
	} cases[] = {
		{inactive, usual, 5, DROP_NO_LINKSET, 0},
		{NULL, usual, 4, DROP_MALFORMED, 0},
		{NULL, other_ni, 5, DROP_BAD_NI, 3},
		{NULL, from_us, 5, DROP_OWN_OPC, OWN_PC},
		{NULL, to_us, 5, DROP_OWN_DPC, OWN_PC},
		{other_user, usual, 5, DROP_NO_USER, 1001},
		{no_keys, usual, 5, DROP_NO_ROUTE, 1001},
		{to_itself, usual, 5, DROP_LOOP, 1001},
		{unserved, usual, 5, DROP_AS_DOWN, 1001},
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct assoc_stats s;
		struct msu_rig r;

		msu_start_row(&r, &msu_rows[0], ASP);
		if (cases[i].spoil)
			cases[i].spoil(&r);
		msu_publish(&r);
		msu_link_brings(&r, LINK_A, cases[i].head, cases[i].len, 0, 0);
		assert_int_equal(r.n_refused, 1);
		assert_int_equal(r.reason, cases[i].reason);
		assert_int_equal(r.value, cases[i].value);
		assoc_stats(r.end[LINK_A], &s);
		assert_int_equal(s.drops[cases[i].reason], 1);
		assert_int_equal(msu_out.n, 0);
		msu_stop(&r);
	}
}

static void management_and_tests_are_no_data(void **state)
{
	struct mtp3_label label = msu_rows[0].label;
	struct msu_rig r;

	(void)state;
	msu_start_row(&r, &msu_rows[0], LINK_B);
	for (label.si = 0; label.si < 3; label.si++) {
		msu_asp_brings(&r, &label, 10);
		assert_int_equal(r.n_refused, label.si + 1u);
		assert_int_equal(r.reason, DROP_NOT_USER);
		assert_int_equal(r.value, label.si);
	}
	assert_int_equal(msu_out.n, 0);
	msu_asp_brings(&r, &label, 10);
	assert_int_equal(msu_out.n, 1);
	msu_stop(&r);
}

static void an_opc_that_a_label_has_no_room_for_is_refused(void **state)
{
	struct mtp3_label label = msu_rows[0].label;
	struct msu_rig r;

	(void)state;
	msu_start_row(&r, &msu_rows[0], LINK_B);
	label.opc = 1 << 14;
	msu_asp_brings(&r, &label, 10);
	assert_int_equal(r.reason, DROP_BAD_OPC);
	assert_int_equal(r.value, 1 << 14);
	assert_int_equal(msu_out.n, 0);
	msu_stop(&r);
}

/* ---- closed slots ---- */

static void what_waited_leaves_as_it_would_have(void **state)
{
	(void)state;
	for (unsigned i = 0; i < MSU_ROWS; i++) {
		struct fwd_hold hold = {.limit = 2};
		struct msu_rig r;

		msu_start_row(&r, &msu_rows[i], LINK_B);
		r.closed = &hold;
		msu_publish(&r);
		msu_link_brings(&r, LINK_A, msu_rows[i].head, msu_rows[i].head_len, 3, 20);
		msu_asp_brings(&r, &msu_rows[i].label, 30);
		assert_int_equal(msu_out.n, 0);
		assert_int_equal(atomic_load(&hold.n), 2);
		msu_asp_brings(&r, &msu_rows[i].label, 31);
		assert_int_equal(r.reason, DROP_HOLD_FULL);
		msu_publish(&r); /* still closed */
		assert_int_equal(atomic_load(&hold.n), 2);
		r.closed = NULL;
		msu_publish(&r);
		assert_int_equal(msu_out.n, 2);
		assert_int_equal(atomic_load(&hold.n), 0);
		assert_msu_left(msu_rows[i].head, msu_rows[i].head_len, msu_pri(&msu_rows[i]), 30);
		msu_stop(&r);
	}
}

static void what_waited_is_rotated_once(void **state)
{
	struct variant_row row = msu_rows[PC_ANSI];
	struct fwd_hold hold = {.limit = 2};
	struct msu_rig r;

	(void)state;
	msu_start_row(&r, &row, LINK_B);
	r.rotate = 8;
	r.closed = &hold;
	msu_publish(&r);
	msu_link_brings(&r, LINK_A, row.head, row.head_len, 0, 20);
	msu_publish(&r);
	r.closed = NULL;
	msu_publish(&r);
	row.head[7] = mtp3_sls_rotate(row.label.sls, 8);
	assert_msu_left(row.head, row.head_len, 0, 20);
	msu_stop(&r);
}

static void a_priority_is_kept_while_an_msu_waits(void **state)
{
	struct fwd_hold hold = {.limit = 2};
	struct msu_rig r;

	(void)state;
	msu_start_row(&r, &msu_rows[PC_JAPAN], LINK_B);
	r.closed = &hold;
	msu_publish(&r);
	msu_link_brings(&r, LINK_A, msu_rows[PC_JAPAN].head, msu_rows[PC_JAPAN].head_len, 3, 20);
	r.closed = NULL;
	msu_publish(&r);
	assert_msu_left(msu_rows[PC_JAPAN].head, msu_rows[PC_JAPAN].head_len, 3, 20);
	msu_stop(&r);
}

static void what_waited_in_vain_is_discarded(void **state)
{
	struct fwd_hold hold = {.limit = 2};
	struct assoc_stats s;
	struct msu_rig r;

	(void)state;
	msu_start_row(&r, &msu_rows[0], LINK_B);
	r.closed = &hold;
	msu_publish(&r);
	msu_link_brings(&r, LINK_A, msu_rows[0].head, msu_rows[0].head_len, 0, 20);
	r.unserved = true;
	msu_publish(&r);
	plane_totals(&r.b.plane, &s);
	assert_int_equal(s.drops[DROP_HOLD_EXPIRED], 1);
	assert_int_equal(atomic_load(&hold.n), 0);
	msu_stop(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_msu_leaves_as_data_of_an_asp),
		cmocka_unit_test(data_of_an_asp_leaves_as_an_msu),
		cmocka_unit_test(an_msu_passes_from_link_to_link_as_it_came),
		cmocka_unit_test(an_sls_of_an_asp_is_cut_to_the_networks),
		cmocka_unit_test(an_sls_leaves_rotated_where_the_slot_says_so),
		cmocka_unit_test(what_is_too_long_for_a_link_is_refused),
		cmocka_unit_test(each_refusal_of_an_msu_has_its_reason),
		cmocka_unit_test(management_and_tests_are_no_data),
		cmocka_unit_test(an_opc_that_a_label_has_no_room_for_is_refused),
		cmocka_unit_test(what_waited_leaves_as_it_would_have),
		cmocka_unit_test(what_waited_is_rotated_once),
		cmocka_unit_test(a_priority_is_kept_while_an_msu_waits),
		cmocka_unit_test(what_waited_in_vain_is_discarded),
	};

	return cmocka_run_group_tests_name("data/msu", tests, NULL, NULL);
}
