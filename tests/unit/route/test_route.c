/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which route carries what, and what is told of it. */
#include <string.h>

#include "data/plane.h"
#include "rig.h"

enum { A, B, C, D, ANY = FWD_ANY_SI };

/* ---- choosing ---- */

static void the_best_available_priority_carries_the_traffic(void **state)
{
	static const struct {
		enum fwd_as_state a, b;
		const char *to;
	} rows[] = {
		{FWD_AS_ACTIVE, FWD_AS_ACTIVE, "a"},
		{FWD_AS_UNSERVED, FWD_AS_ACTIVE, "b"},
		{FWD_AS_PENDING, FWD_AS_ACTIVE, "b"}, /* no reason to wait */
		{FWD_AS_PENDING, FWD_AS_UNSERVED, "a(held)"},
		{FWD_AS_UNSERVED, FWD_AS_PENDING, "b(held)"},
		{FWD_AS_PENDING, FWD_AS_PENDING, "a(held)"},
		{FWD_AS_UNSERVED, FWD_AS_UNSERVED, "-"},
		{FWD_AS_ACTIVE, FWD_AS_PENDING, "a"},
	};
	struct rig r;

	(void)state;
	rig_start(&r);
	rig_key(&r, 5, ANY, A);
	rig_route(&r, 5, 0, B, 1);
	rig_apply(&r);
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		rig_set(&r, A, rows[i].a, rows[i].a == FWD_AS_UNSERVED ? DEST_UNAVAILABLE : DEST_AVAILABLE);
		rig_set(&r, B, rows[i].b, rows[i].b == FWD_AS_UNSERVED ? DEST_UNAVAILABLE : DEST_AVAILABLE);
		assert_string_equal(rig_to(&r, 5, 3), rows[i].to);
		rig_grace(&r);
	}
	rig_stop(&r);
}

static void traffic_that_moves_is_told_though_its_destination_stays_available(void **state)
{
	struct rig r;

	(void)state;
	rig_start(&r);
	rig_route(&r, 5, 0, A, 1);
	rig_route(&r, 5, 0, B, 2);
	rig_route(&r, 6, 0, A, 1);
	rig_apply(&r);
	rig_moved(&r, "5 6");
	r.news[0] = '\0';
	rig_settle(&r);
	rig_moved(&r, "");
	rig_set(&r, A, FWD_AS_PENDING, DEST_AVAILABLE);
	rig_heard(&r, "");
	rig_moved(&r, "5");
	assert_string_equal(rig_to(&r, 5, 3), "b");
	rig_set(&r, A, FWD_AS_ACTIVE, DEST_AVAILABLE);
	rig_moved(&r, "5");
	rig_set(&r, B, FWD_AS_UNSERVED, DEST_UNAVAILABLE); /* it carried nothing */
	rig_moved(&r, "");
	rig_stop(&r);
}

static void a_restricted_route_is_used_where_no_other_is_available(void **state)
{
	struct rig r;

	(void)state;
	rig_start(&r);
	rig_route(&r, 5, 0, A, 1);
	rig_route(&r, 5, 0, B, 2);
	rig_apply(&r);
	rig_heard(&r, "a: available 5\n");
	rig_set(&r, A, FWD_AS_ACTIVE, DEST_RESTRICTED);
	assert_string_equal(rig_to(&r, 5, 3), "b");
	rig_heard(&r, "");
	rig_set(&r, B, FWD_AS_UNSERVED, DEST_UNAVAILABLE);
	assert_string_equal(rig_to(&r, 5, 3), "a");
	rig_heard(&r, "b: restricted 5\n");
	rig_stop(&r);
}

static void narrower_keys_have_the_alternatives_of_their_destination(void **state)
{
	struct rig r;

	(void)state;
	rig_start(&r);
	rig_key(&r, 5, 3, A);
	rig_key(&r, 5, 5, B);
	rig_route(&r, 5, 0, C, 1);
	rig_apply(&r);
	assert_string_equal(rig_to(&r, 5, 3), "a");
	assert_string_equal(rig_to(&r, 5, 5), "b");
	assert_string_equal(rig_to(&r, 5, 7), "c");
	rig_set(&r, A, FWD_AS_UNSERVED, DEST_UNAVAILABLE);
	assert_string_equal(rig_to(&r, 5, 3), "c");
	assert_string_equal(rig_to(&r, 5, 5), "b");
	rig_set(&r, C, FWD_AS_UNSERVED, DEST_UNAVAILABLE);
	assert_string_equal(rig_to(&r, 5, 3), "-"); /* never the other key's AS */
	assert_int_equal(dest_find(r.r, 0, 5)->n_selectors, 3);
	assert_int_equal(dest_find(r.r, 0, 5)->n_egresses, 3);
	rig_stop(&r);
}

static void masks_and_the_default_take_what_has_no_route_of_its_own(void **state)
{
	struct rig r;

	(void)state;
	rig_start(&r);
	rig_key(&r, 9, 3, A);
	rig_route(&r, 8, 3, B, 1);
	rig_route(&r, 8, 2, C, 1);
	rig_route(&r, 0, 14, D, 1);
	rig_apply(&r);
	assert_string_equal(rig_to(&r, 9, 3), "a");
	assert_string_equal(rig_to(&r, 9, 5), "none"); /* known: another user part has no route */
	assert_string_equal(rig_to(&r, 8, 3), "c");
	assert_string_equal(rig_to(&r, 11, 3), "c");
	assert_string_equal(rig_to(&r, 12, 3), "b");
	assert_string_equal(rig_to(&r, 15, 3), "b");
	assert_string_equal(rig_to(&r, 16, 3), "d");
	assert_int_equal(dest_match(r.r, 0, 15)->mask, 3);
	assert_int_equal(dest_cover(r.r, 0, 8, 3)->mask, 3);
	assert_int_equal(dest_cover(r.r, 0, 8, 4)->mask, 14);
	rig_stop(&r);
}

/* ---- sharing ---- */

static void count(const struct fwd_as *t, unsigned *by_egress, unsigned *by_slot)
{
	memset(by_egress, 0, RIG_EGRESSES * sizeof(*by_egress));
	memset(by_slot, 0, 8 * sizeof(*by_slot));
	for (unsigned sls = 0; sls < 16; sls++) {
		by_egress[t->slots[t->share[sls]].as]++;
		by_slot[t->share[sls]]++;
	}
}

static void routes_of_one_priority_share_by_sls(void **state)
{
	unsigned by_egress[RIG_EGRESSES], by_slot[8];
	const struct fwd_as *t;
	struct rig r;

	(void)state;
	rig_start(&r);
	rig_route(&r, 5, 0, A, 1);
	rig_route(&r, 5, 0, B, 1);
	rig_route(&r, 5, 0, C, 2);
	rig_route(&r, 6, 0, B, 7);
	rig_route(&r, 6, 0, A, 7);
	r.e[A].n_slots = 1;
	rig_apply(&r);
	rig_set(&r, A, FWD_AS_ACTIVE, DEST_AVAILABLE);
	r.e[A].n_slots = 2; /* comes later, and gets its part of the ITU's 16 */
	rig_set(&r, A, FWD_AS_ACTIVE, DEST_AVAILABLE);
	assert_string_equal(rig_to(&r, 5, 3), "a+b");
	t = rig_target(&r, 5, 3);
	assert_ptr_equal(rig_target(&r, 6, 3), t); /* compiled once */
	assert_int_equal(t->n_slots, 3);
	count(t, by_egress, by_slot);
	assert_int_equal(by_egress[0], 8);
	assert_int_equal(by_egress[1], 8);
	assert_int_equal(by_slot[0], 4);
	assert_int_equal(by_slot[1], 4);
	rig_set(&r, B, FWD_AS_UNSERVED, DEST_UNAVAILABLE);
	assert_string_equal(rig_to(&r, 5, 3), "a");
	rig_set(&r, B, FWD_AS_ACTIVE, DEST_AVAILABLE);
	assert_string_equal(rig_to(&r, 5, 3), "a+b");
	rig_set(&r, B, FWD_AS_PENDING, DEST_AVAILABLE);
	assert_string_equal(rig_to(&r, 5, 3), "a");
	rig_stop(&r);
}

/* By the lowest bit in this network. What a linkset carries stays with it whatever becomes of others. */
static void only_what_a_lost_linkset_carried_moves(void **state)
{
	struct rig r;

	(void)state;
	rig_start(&r);
	for (unsigned e = A; e <= C; e++)
		rig_route(&r, 5, 0, e, 1);
	rig_route(&r, 6, 0, A, 1);
	rig_route(&r, 6, 0, B, 1);
	rig_route(&r, 6, 0, C, 2);
	rig_apply(&r);
	assert_string_equal(rig_slss(&r, 6), "abababababababab");
	assert_string_equal(rig_slss(&r, 5), "abababacacacbcbc");
	rig_set(&r, B, FWD_AS_UNSERVED, DEST_UNAVAILABLE);
	assert_string_equal(rig_slss(&r, 6), "aaaaaaaaaaaaaaaa");
	assert_string_equal(rig_slss(&r, 5), "acaaacacacacccac");
	rig_set(&r, B, FWD_AS_ACTIVE, DEST_AVAILABLE);
	assert_string_equal(rig_slss(&r, 5), "abababacacacbcbc");
	route_set_status(r.r, r.e[A].e, 0, 5, 0, DEST_RESTRICTED);
	rig_settle(&r);
	assert_string_equal(rig_slss(&r, 5), "bbcbbbccbcccbcbc");
	assert_string_equal(rig_slss(&r, 6), "abababababababab");
	rig_set(&r, C, FWD_AS_UNSERVED, DEST_UNAVAILABLE);
	assert_string_equal(rig_slss(&r, 5), "bbbbbbbbbbbbbbbb");
	rig_stop(&r);
}

static void an_egress_in_reserve_comes_last(void **state)
{
	struct rig r;

	(void)state;
	rig_start(&r);
	route_egress_set_reserve(r.e[A].e, true);
	rig_route(&r, 5, 0, A, 1);
	rig_route(&r, 5, 0, B, 1);
	rig_route(&r, 5, 0, C, 9);
	rig_apply(&r);
	assert_string_equal(rig_to(&r, 5, 3), "b");
	rig_set(&r, B, FWD_AS_UNSERVED, DEST_UNAVAILABLE);
	assert_string_equal(rig_to(&r, 5, 3), "c");
	rig_set(&r, C, FWD_AS_UNSERVED, DEST_UNAVAILABLE);
	assert_string_equal(rig_to(&r, 5, 3), "a");
	rig_set(&r, C, FWD_AS_ACTIVE, DEST_RESTRICTED);
	assert_string_equal(rig_to(&r, 5, 3), "c");
	rig_set(&r, C, FWD_AS_PENDING, DEST_RESTRICTED);
	assert_string_equal(rig_to(&r, 5, 3), "a");
	r.routes[0].priority = 0;
	router_set_routes(r.r, ROUTES_OF_LINKSETS, r.routes, 1); /* its own neighbour */
	rig_set(&r, B, FWD_AS_ACTIVE, DEST_AVAILABLE);
	router_rebuild(r.r);
	rig_settle(&r);
	assert_string_equal(rig_to(&r, 5, 3), "a");
	rig_stop(&r);
}

/* ---- a status of their own ---- */

static void what_is_said_of_one_point_code_changes_no_other(void **state)
{
	const struct fwd_as *a, *six;
	struct rig r;

	(void)state;
	rig_start(&r);
	for (uint32_t pc = 5; pc <= 7; pc++) {
		rig_route(&r, pc, 0, A, 1);
		rig_route(&r, pc, 0, B, 2);
	}
	rig_route(&r, 8, 0, A, 1);
	rig_apply(&r);
	rig_heard(&r, "a: available 5 6 7 8\n");
	a = rig_target(&r, 5, 3);
	six = rig_target(&r, 6, 3);
	assert_int_equal(route_set_status(r.r, r.e[A].e, 0, 5, 0, DEST_UNAVAILABLE), 1);
	assert_int_equal(route_set_status(r.r, r.e[A].e, 0, 8, 0, DEST_UNAVAILABLE), 1);
	rig_settle(&r);
	rig_heard(&r, "a: unavailable 8\n"); /* 5 has another way */
	assert_string_equal(rig_to(&r, 5, 3), "b");
	assert_string_equal(rig_to(&r, 8, 3), "-");
	assert_ptr_equal(rig_target(&r, 6, 3), six);
	assert_int_equal(route_set_status(r.r, r.e[A].e, 0, 4, 2, DEST_AVAILABLE), 3); /* 4 to 7 */
	rig_settle(&r);
	assert_ptr_equal(rig_target(&r, 5, 3), a);
	rig_heard(&r, "");
	route_reset_status(r.r, r.e[A].e);
	rig_settle(&r);
	rig_heard(&r, "a: available 8\n");
	assert_int_equal(route_set_status(r.r, r.e[C].e, 0, 5, 0, DEST_UNAVAILABLE), 0);
	rig_stop(&r);
}

static void congestion_counts_while_the_route_is_in_use(void **state)
{
	struct rig r;

	(void)state;
	rig_start(&r);
	rig_route(&r, 5, 0, A, 1);
	rig_route(&r, 5, 0, B, 2);
	rig_apply(&r);
	rig_heard(&r, "a: available 5\n");
	route_set_congestion(r.r, r.e[B].e, 0, 5, 0, 2);
	rig_settle(&r);
	rig_heard(&r, "");
	assert_null(plane_table(NULL)->congestion);
	route_set_congestion(r.r, r.e[A].e, 0, 5, 0, 1);
	rig_settle(&r);
	rig_heard(&r, "a: level1 5\n");
	rig_set(&r, A, FWD_AS_UNSERVED, DEST_UNAVAILABLE);
	rig_heard(&r, "a: level2 5\n");
	r.e[B].congestion = 3;
	route_egress_stale(r.e[B].e);
	rig_settle(&r);
	rig_heard(&r, "b: level3 5\n");
	assert_non_null(plane_table(NULL)->congestion); /* workers look out for who sends there */
	route_reset_status(r.r, r.e[B].e);
	r.e[B].congestion = 0;
	route_egress_stale(r.e[B].e);
	rig_settle(&r);
	rig_heard(&r, "b: level0 5\n");
	assert_null(plane_table(NULL)->congestion);
	rig_stop(&r);
}

static void one_point_code_of_the_default_has_a_status_while_it_differs(void **state)
{
	struct rig r;

	(void)state;
	rig_start(&r);
	rig_route(&r, 0, 14, A, 1);
	rig_route(&r, 16, 3, A, 1);
	rig_route(&r, 16, 3, B, 2);
	rig_apply(&r);
	rig_heard(&r, "a: available 16/3\n");
	assert_int_equal(route_set_status(r.r, r.e[A].e, 0, 99, 0, DEST_AVAILABLE), 1);
	assert_int_equal(route_set_status(r.r, r.e[A].e, 0, 99, 0, DEST_UNAVAILABLE), 1);
	assert_int_equal(route_set_status(r.r, r.e[A].e, 0, 17, 0, DEST_UNAVAILABLE), 1);
	assert_int_equal(route_set_status(r.r, r.e[B].e, 0, 99, 0, DEST_UNAVAILABLE), 0);
	rig_settle(&r);
	rig_heard(&r, "a: unavailable 99\n");
	assert_string_equal(rig_to(&r, 99, 3), "-");
	assert_string_equal(rig_to(&r, 98, 3), "a");
	assert_string_equal(rig_to(&r, 17, 3), "b");
	assert_string_equal(rig_to(&r, 18, 3), "a");
	assert_int_equal(route_set_status(r.r, r.e[A].e, 0, 99, 0, DEST_AVAILABLE), 1);
	rig_settle(&r);
	rig_heard(&r, "a: available 99\n");
	assert_string_equal(rig_to(&r, 99, 3), "a");
	/* the next one lets those go that are as all others are: nobody need hear of it */
	route_set_status(r.r, r.e[A].e, 0, 98, 0, DEST_UNAVAILABLE);
	rig_settle(&r);
	rig_heard(&r, "a: unavailable 98\n");
	assert_null(dest_find(r.r, 0, 99));
	assert_non_null(dest_find(r.r, 0, 17));
	rig_set(&r, A, FWD_AS_UNSERVED, DEST_UNAVAILABLE);
	rig_set(&r, A, FWD_AS_ACTIVE, DEST_AVAILABLE);
	assert_string_equal(rig_to(&r, 98, 3), "-");
	rig_stop(&r);
}

static void news_of_a_range_are_followed_by_what_differs_in_it(void **state)
{
	struct rig r;

	(void)state;
	rig_start(&r);
	rig_key(&r, 9, ANY, B);
	rig_route(&r, 8, 3, A, 1);
	rig_apply(&r);
	r.news[0] = '\0';
	rig_set(&r, A, FWD_AS_UNSERVED, DEST_UNAVAILABLE);
	rig_heard(&r, "a: unavailable 8/3\na: available 9\n");
	rig_set(&r, A, FWD_AS_ACTIVE, DEST_AVAILABLE);
	rig_heard(&r, "a: available 8/3\n");
	rig_stop(&r);
}

static void what_is_said_of_a_route_is_dated_and_changes_counted(void **state)
{
	struct rig r;
	const struct dest *d;

	(void)state;
	rig_start(&r);
	rig_route(&r, 5, 0, A, 1);
	rig_apply(&r);
	d = dest_find(r.r, 0, 5);
	assert_int_equal(d->routes[0].said_ms, 0);
	assert_int_equal(d->transitions, 1); /* it has become available */
	route_egress_set_individual(r.e[A].e, true);
	router_rebuild(r.r);
	assert_int_equal(route_set_status(r.r, r.e[A].e, 0, 5, 0, DEST_UNAVAILABLE), 1);
	rig_settle(&r);
	rig_apply(&r); /* a reload forgets neither */
	d = dest_find(r.r, 0, 5);
	assert_int_not_equal(d->routes[0].said_ms, 0);
	assert_int_equal(d->transitions, 2);
	rig_stop(&r);
}

/* ---- coming and going ---- */

static void an_egress_that_goes_leaves_its_traffic_to_the_others_at_once(void **state)
{
	struct rig r;

	(void)state;
	rig_start(&r);
	rig_route(&r, 5, 0, A, 1);
	rig_route(&r, 5, 0, B, 1);
	rig_route(&r, 6, 0, A, 1);
	rig_route(&r, 6, 0, C, 2);
	rig_key(&r, 7, ANY, A);
	rig_apply(&r);
	assert_string_equal(rig_to(&r, 5, 3), "a+b");
	r.news[0] = '\0';
	route_egress_free(r.e[A].e);
	router_publish(r.r, false);
	rig_grace(&r);
	assert_string_equal(rig_to(&r, 5, 3), "b");
	assert_string_equal(rig_to(&r, 6, 3), "c");
	assert_string_equal(rig_to(&r, 7, 3), "-");
	r.n_keys = 0;
	r.routes[0] = r.routes[1];
	r.routes[1] = r.routes[3];
	r.n_routes = 2;
	rig_apply(&r);
	rig_grace(&r);
	assert_string_equal(rig_to(&r, 5, 3), "b");
	assert_string_equal(rig_to(&r, 7, 3), "none");
	rig_heard(&r, "nobody: unavailable 7\n");
	rig_stop(&r);
}

static void routes_that_go_leave_what_still_covers_them(void **state)
{
	struct rig r;

	(void)state;
	rig_start(&r);
	rig_route(&r, 5, 0, A, 1);
	rig_route(&r, 9, 0, A, 1);
	rig_route(&r, 8, 3, B, 1);
	rig_apply(&r);
	r.news[0] = '\0';
	r.routes[0] = r.routes[2];
	r.n_routes = 1;
	rig_apply(&r);
	rig_heard(&r, "nobody: unavailable 5\n");
	assert_string_equal(rig_to(&r, 9, 3), "b");
	assert_string_equal(rig_to(&r, 5, 3), "none");
	rig_stop(&r);
}

static void what_is_known_of_a_route_outlives_a_reload(void **state)
{
	struct rig r;

	(void)state;
	rig_start(&r);
	rig_route(&r, 5, 0, A, 1);
	rig_route(&r, 5, 0, B, 2);
	rig_apply(&r);
	route_set_status(r.r, r.e[A].e, 0, 5, 0, DEST_UNAVAILABLE);
	rig_settle(&r);
	r.news[0] = '\0';
	rig_route(&r, 6, 0, C, 1);
	for (unsigned i = 0; i < 20; i++) {
		rig_apply(&r);
		rig_grace(&r);
		assert_string_equal(rig_to(&r, 5, 3), "b");
	}
	rig_heard(&r, "c: available 6\n");
	assert_true(plane_table(NULL)->n_as <= 16); /* numbers come back */
	rig_stop(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_best_available_priority_carries_the_traffic),
		cmocka_unit_test(traffic_that_moves_is_told_though_its_destination_stays_available),
		cmocka_unit_test(a_restricted_route_is_used_where_no_other_is_available),
		cmocka_unit_test(narrower_keys_have_the_alternatives_of_their_destination),
		cmocka_unit_test(masks_and_the_default_take_what_has_no_route_of_its_own),
		cmocka_unit_test(routes_of_one_priority_share_by_sls),
		cmocka_unit_test(only_what_a_lost_linkset_carried_moves),
		cmocka_unit_test(an_egress_in_reserve_comes_last),
		cmocka_unit_test(what_is_said_of_one_point_code_changes_no_other),
		cmocka_unit_test(congestion_counts_while_the_route_is_in_use),
		cmocka_unit_test(one_point_code_of_the_default_has_a_status_while_it_differs),
		cmocka_unit_test(news_of_a_range_are_followed_by_what_differs_in_it),
		cmocka_unit_test(what_is_said_of_a_route_is_dated_and_changes_counted),
		cmocka_unit_test(an_egress_that_goes_leaves_its_traffic_to_the_others_at_once),
		cmocka_unit_test(routes_that_go_leave_what_still_covers_them),
		cmocka_unit_test(what_is_known_of_a_route_outlives_a_reload),
	};

	return cmocka_run_group_tests_name("route", tests, NULL, NULL);
}
