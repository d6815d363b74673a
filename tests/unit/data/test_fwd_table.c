/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "data/fwd.h"

static int places[4];
#define ASP(i) ((struct assoc *)&places[i])

static struct fwd_as *as_of(enum fwd_mode mode, unsigned n, unsigned first)
{
	struct fwd_slot slots[] = {
		{.assoc = ASP(first)}, {.assoc = ASP(first + 1)}, {.assoc = ASP(first + 2)}};
	struct fwd_as spec = {.mode = mode, .n_slots = (uint16_t)n, .slots = slots};

	return fwd_as_new(&spec);
}

static void an_as_is_a_copy(void **state)
{
	struct fwd_slot slots[] = {{.assoc = ASP(2), .rc = 7}, {.assoc = ASP(0), .rc = 8}};
	uint16_t share[FWD_SLS_BUCKETS] = {[0] = 1, [255] = 1};
	struct fwd_as spec = {.number = 5,
		.mode = FWD_LOADSHARE,
		.n_slots = 2,
		.slots = slots,
		.n_buckets = 256,
		.share = share};
	struct fwd_as *as = fwd_as_new(&spec);

	(void)state;
	slots[0].assoc = NULL;
	share[0] = share[255] = 9;
	assert_int_equal(as->number, 5);
	assert_ptr_equal(as->slots[0].assoc, ASP(2));
	assert_ptr_equal(as->slots[1].assoc, ASP(0));
	assert_int_equal(as->slots[1].rc, 8);
	assert_int_equal(as->share[0], 1);
	assert_int_equal(as->share[255], 1);
	assert_int_equal(as->share[1], 0);
	fwd_as_free(as);
}

static void routing_contexts_are_found_in_any_order(void **state)
{
	const struct fwd_ingress_rc rcs[] = {{.rc = 30, .as = 3, .active = true}, {.rc = 0, .as = 0},
		{.rc = 0xffffffff, .as = 9, .active = true}, {.rc = 7, .as = 1}};
	struct fwd_ingress *in = fwd_ingress_new(rcs, 4, NULL);

	(void)state;
	assert_int_equal(in->n_active, 2);
	assert_true(in->rc_required);
	assert_false(in->has_only);
	for (unsigned i = 0; i < 4; i++)
		assert_int_equal(fwd_ingress_find(in, rcs[i].rc)->as, rcs[i].as);
	assert_null(fwd_ingress_find(in, 1));
	assert_null(fwd_ingress_find(in, 31));
	assert_null(fwd_ingress_find(in, 0xfffffffe));
	fwd_ingress_free(in);
}

static void data_without_a_context_needs_a_single_meaning(void **state)
{
	const struct fwd_ingress_rc one = {.rc = 7, .as = 1, .active = true},
				    bare = {.as = 2, .active = true};
	const struct {
		unsigned n;
		const struct fwd_ingress_rc *only;
		bool required, has_only;
		uint32_t as;
	} rows[] = {
		{0, NULL, false, false, 0},
		{1, NULL, false, true, 1},
		{0, &bare, false, true, 2},
		{1, &bare, false, true, 2},
	};

	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		struct fwd_ingress *in = fwd_ingress_new(&one, rows[i].n, rows[i].only);

		assert_int_equal(in->rc_required, rows[i].required);
		assert_int_equal(in->has_only, rows[i].has_only);
		if (rows[i].has_only)
			assert_int_equal(in->only.as, rows[i].as);
		assert_int_equal(in->n_active, rows[i].n + (rows[i].only != NULL));
		fwd_ingress_free(in);
	}
}

static struct fwd_table *table_of(struct fwd_as *a, struct fwd_as *b, struct fwd_table *old)
{
	const struct fwd_as *ass[] = {a, b};
	struct fwd_table *t = fwd_table_new(NULL, ass, 2, NULL, 0);

	fwd_table_follow(t, old);
	fwd_table_free(old);
	return t;
}

static void a_broadcast_as_that_gains_an_asp_begins_a_new_epoch(void **state)
{
	struct fwd_as *two = as_of(FWD_BROADCAST, 2, 0), *three = as_of(FWD_BROADCAST, 3, 0),
		      *other = as_of(FWD_BROADCAST, 2, 1), *shared = as_of(FWD_LOADSHARE, 3, 0);
	struct fwd_table *t = table_of(two, shared, NULL);
	const struct {
		struct fwd_as *as;
		bool gains;
	} rows[] = {{two, false}, {three, true}, {two, false}, {other, true}, {NULL, false}, {two, true},
		{shared, false}};
	uint32_t epoch;

	(void)state;
	assert_int_equal(t->generation, 1);
	assert_int_equal(t->epochs[0], 1);
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		epoch = t->epochs[0];
		t = table_of(rows[i].as, shared, t);
		assert_int_equal(t->epochs[0], epoch + rows[i].gains);
		assert_int_equal(t->epochs[1], 0);
		assert_int_equal(t->generation, i + 2);
	}
	fwd_table_free(t);
	fwd_as_free(two);
	fwd_as_free(three);
	fwd_as_free(other);
	fwd_as_free(shared);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_as_is_a_copy),
		cmocka_unit_test(routing_contexts_are_found_in_any_order),
		cmocka_unit_test(data_without_a_context_needs_a_single_meaning),
		cmocka_unit_test(a_broadcast_as_that_gains_an_asp_begins_a_new_epoch),
	};

	return cmocka_run_group_tests_name("data/fwd_table", tests, NULL, NULL);
}
