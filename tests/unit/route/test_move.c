/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Traffic that goes from one route to another: when it is asked how, what waits meanwhile, and where. */
#include <string.h>

#include "rig.h"

enum { A, B, C, D, ANY = FWD_ANY_SI };

/* 5 by A, else by B, else by C; whatever may wait is made to. */
static void start(struct rig *r)
{
	rig_start(r);
	rig_route(r, 5, 0, A, 1);
	rig_route(r, 5, 0, B, 2);
	rig_route(r, 5, 0, C, 3);
	rig_apply(r);
	r->holds = true;
	r->news[0] = r->moved[0] = '\0';
}

static void say(struct rig *r, unsigned egress, uint32_t pc, enum dest_status status)
{
	route_set_status(r->r, r->e[egress].e, 0, pc, 0, status);
	rig_settle(r);
}

static void the_first_way_is_taken_at_once(void **state)
{
	struct rig r;

	(void)state;
	start(&r);
	rig_asked(&r, "");
	say(&r, A, 5, DEST_UNAVAILABLE);
	rig_asked(&r, "5 forced");
	assert_string_equal(rig_to(&r, 5, 3), "b");
	rig_set(&r, B, FWD_AS_UNSERVED, DEST_UNAVAILABLE);
	rig_set(&r, C, FWD_AS_UNSERVED, DEST_UNAVAILABLE);
	rig_asked(&r, "5 forced, 5 forced");
	assert_string_equal(rig_to(&r, 5, 3), "-");
	say(&r, A, 5, DEST_AVAILABLE); /* nothing is under way */
	rig_asked(&r, "");
	assert_string_equal(rig_to(&r, 5, 3), "a");
	rig_stop(&r);
}

static void a_better_route_waits_for_what_is_under_way(void **state)
{
	struct rig r;

	(void)state;
	start(&r);
	say(&r, A, 5, DEST_UNAVAILABLE);
	rig_moved(&r, "5");
	rig_asked(&r, "5 forced");
	say(&r, A, 5, DEST_AVAILABLE);
	rig_asked(&r, "5 controlled");
	rig_moved(&r, "5"); /* neighbours hear of the new way first: Q.704 s.8.2.1 b */
	assert_string_equal(rig_to(&r, 5, 3), "(held)");
	assert_ptr_equal(rig_target(&r, 5, 3)->hold, route_egress_hold(r.e[A].e));
	assert_true(dest_find(r.r, 0, 5)->held);
	rig_release(&r, 5, 0);
	rig_asked(&r, "");
	rig_moved(&r, "");
	assert_string_equal(rig_to(&r, 5, 3), "a");
	assert_false(dest_find(r.r, 0, 5)->held);
	rig_stop(&r);
}

static void a_restricted_route_is_left_in_order(void **state)
{
	struct rig r;

	(void)state;
	start(&r);
	say(&r, A, 5, DEST_RESTRICTED);
	rig_asked(&r, "5 controlled");
	assert_string_equal(rig_to(&r, 5, 3), "(held)");
	rig_release(&r, 5, 0);
	assert_string_equal(rig_to(&r, 5, 3), "b");
	rig_stop(&r);
}

static void what_happens_meanwhile_is_judged_by_what_is_under_way(void **state)
{
	static const struct {
		unsigned egress;
		enum dest_status status;
		const char *asked, *to;
	} rows[] = {
		{B, DEST_UNAVAILABLE, "5 forced", "a"}, /* what carried it is lost */
		{A, DEST_UNAVAILABLE, "5 forced", "b"}, /* back to it: nothing has gone by A */
		{C, DEST_UNAVAILABLE, "", NULL},        /* no matter */
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct rig r;

		start(&r);
		say(&r, A, 5, DEST_UNAVAILABLE);
		say(&r, A, 5, DEST_AVAILABLE);
		rig_asked(&r, "5 forced, 5 controlled");
		say(&r, rows[i].egress, 5, rows[i].status);
		rig_asked(&r, rows[i].asked);
		assert_string_equal(rig_to(&r, 5, 3), rows[i].to ? rows[i].to : "(held)");
		rig_stop(&r);
	}
}

static void the_choice_may_be_another_one_at_the_end(void **state)
{
	struct rig r;

	(void)state;
	start(&r);
	say(&r, A, 5, DEST_UNAVAILABLE);
	say(&r, B, 5, DEST_UNAVAILABLE);
	assert_string_equal(rig_to(&r, 5, 3), "c");
	say(&r, B, 5, DEST_AVAILABLE);
	assert_ptr_equal(rig_target(&r, 5, 3)->hold, route_egress_hold(r.e[B].e));
	say(&r, A, 5, DEST_AVAILABLE);
	assert_ptr_equal(rig_target(&r, 5, 3)->hold, route_egress_hold(r.e[A].e));
	rig_release(&r, 5, 0);
	assert_string_equal(rig_to(&r, 5, 3), "a");
	rig_stop(&r);
}

/* 5 by the first N egresses together. */
static void start_team(struct rig *r, unsigned n)
{
	rig_start(r);
	for (unsigned e = 0; e < n; e++)
		rig_route(r, 5, 0, e, 1);
	rig_apply(r);
	r->holds = true;
}

static void only_what_goes_to_a_share_that_joins_waits(void **state)
{
	struct rig r;

	(void)state;
	start_team(&r, 2);
	assert_string_equal(rig_slss(&r, 5), "abababababababab");
	rig_set(&r, B, FWD_AS_UNSERVED, DEST_UNAVAILABLE);
	rig_asked(&r, "5 forced");
	assert_string_equal(rig_slss(&r, 5), "aaaaaaaaaaaaaaaa");
	rig_set(&r, B, FWD_AS_ACTIVE, DEST_AVAILABLE);
	rig_asked(&r, "5 controlled");
	assert_string_equal(rig_to(&r, 5, 3), "a+b(some held)");
	assert_string_equal(rig_slss(&r, 5), "a-a-a-a-a-a-a-a-");
	assert_ptr_equal(rig_target(&r, 5, 3)->slots[rig_target(&r, 5, 3)->share[1]].hold,
		route_egress_hold(r.e[A].e));
	rig_release(&r, 5, 0);
	assert_string_equal(rig_to(&r, 5, 3), "a+b");
	assert_string_equal(rig_slss(&r, 5), "abababababababab");
	rig_stop(&r);
}

static void only_what_a_share_that_leaves_has_waits(void **state)
{
	struct rig r;

	(void)state;
	start_team(&r, 3);
	assert_string_equal(rig_slss(&r, 5), "abababacacacbcbc");
	say(&r, B, 5, DEST_RESTRICTED);
	rig_asked(&r, "5 controlled");
	assert_string_equal(rig_slss(&r, 5), "a-a-a-acacac-c-c");
	rig_release(&r, 5, 0);
	assert_string_equal(rig_slss(&r, 5), "acaaacacacacccac");
	say(&r, C, 5, DEST_RESTRICTED); /* to a single one */
	rig_asked(&r, "5 controlled");
	assert_string_equal(rig_slss(&r, 5), "a-aaa-a-a-a---a-");
	rig_release(&r, 5, 0);
	assert_string_equal(rig_slss(&r, 5), "aaaaaaaaaaaaaaaa");
	rig_stop(&r);
}

/* What went on so far has to wait, too: that takes its time anew. */
static void another_choice_meanwhile_begins_anew(void **state)
{
	struct rig r;

	(void)state;
	start_team(&r, 3);
	say(&r, C, 5, DEST_RESTRICTED);
	rig_release(&r, 5, 0);
	rig_asked(&r, "5 controlled");
	assert_string_equal(rig_slss(&r, 5), "ababababaaabbabb");
	say(&r, C, 5, DEST_AVAILABLE);
	rig_asked(&r, "5 controlled");
	assert_string_equal(rig_slss(&r, 5), "abababa-a-a-b-b-");
	route_egress_dirty(r.e[A].e);
	rig_settle(&r);
	rig_asked(&r, "");
	say(&r, A, 5, DEST_RESTRICTED);
	rig_asked(&r, "5 controlled");
	assert_string_equal(rig_slss(&r, 5), "-b-b-b------b-b-");
	say(&r, A, 5, DEST_AVAILABLE);
	say(&r, C, 5, DEST_RESTRICTED); /* back to what carried it */
	rig_asked(&r, "5 controlled, 5 forced");
	assert_string_equal(rig_slss(&r, 5), "ababababaaabbabb");
	rig_stop(&r);
}

/* An AS alone and an AS in a team share among ASPs each in its way. */
static void what_goes_by_another_asp_waits(void **state)
{
	struct rig r;

	(void)state;
	start_team(&r, 2);
	r.e[A].n_slots = 2;
	rig_set(&r, A, FWD_AS_ACTIVE, DEST_AVAILABLE);
	rig_set(&r, B, FWD_AS_UNSERVED, DEST_UNAVAILABLE);
	rig_set(&r, B, FWD_AS_ACTIVE, DEST_AVAILABLE);
	assert_string_equal(rig_to(&r, 5, 3), "(held)");
	rig_release(&r, 5, 0);
	assert_string_equal(rig_slss(&r, 5), "abababababababab");
	say(&r, A, 5, DEST_RESTRICTED);
	assert_string_equal(rig_slss(&r, 5), "-b-b-b-b-b-b-b-b");
	rig_stop(&r);
}

/* A would have a way that B takes now: it waits for what is going to be. */
static void what_would_go_back_waits(void **state)
{
	const struct fwd_as *t;
	struct rig r;

	(void)state;
	start_team(&r, 3);
	say(&r, B, 5, DEST_RESTRICTED);
	t = rig_target(&r, 5, 3);
	assert_int_equal(t->n_slots, 4);
	for (unsigned i = 0; i < t->n_slots; i++)
		assert_int_equal(t->slots[i].hold != NULL, i % 2);
	rig_stop(&r);
}

static void a_reload_knows_what_stays(void **state)
{
	struct rig r;

	(void)state;
	start_team(&r, 2);
	rig_set(&r, B, FWD_AS_UNSERVED, DEST_UNAVAILABLE);
	rig_set(&r, B, FWD_AS_ACTIVE, DEST_AVAILABLE);
	rig_apply(&r);
	rig_grace(&r);
	assert_string_equal(rig_slss(&r, 5), "a-a-a-a-a-a-a-a-");
	rig_release(&r, 5, 0);
	rig_route(&r, 5, 0, C, 1);
	rig_apply(&r);
	assert_string_equal(rig_slss(&r, 5), "abababa-a-a-----");
	rig_release(&r, 5, 0);
	r.n_routes = 1; /* what B and C carried is known no more */
	rig_apply(&r);
	assert_string_equal(rig_to(&r, 5, 3), "(held)");
	rig_release(&r, 5, 0);
	assert_string_equal(rig_slss(&r, 5), "aaaaaaaaaaaaaaaa");
	rig_stop(&r);
}

static void a_share_that_is_removed_leaves_nothing_behind(void **state)
{
	struct rig r;

	(void)state;
	start_team(&r, 3);
	say(&r, B, 5, DEST_RESTRICTED);
	assert_string_equal(rig_slss(&r, 5), "a-a-a-acacac-c-c");
	r.n_routes = 1;
	rig_route(&r, 5, 0, C, 1);
	rig_apply(&r);
	assert_string_equal(rig_to(&r, 5, 3), "(held)");
	route_egress_free(r.e[B].e);
	rig_settle(&r);
	rig_grace(&r);
	rig_release(&r, 5, 0);
	assert_string_equal(rig_to(&r, 5, 3), "a+c");
	say(&r, C, 5, DEST_RESTRICTED);
	assert_string_equal(rig_to(&r, 5, 3), "a(some held)");
	route_egress_free(r.e[C].e);
	rig_settle(&r);
	rig_grace(&r);
	assert_string_equal(rig_to(&r, 5, 3), "a");
	rig_stop(&r);
}

static void other_kinds_of_messages_go_on(void **state)
{
	struct rig r;

	(void)state;
	rig_start(&r);
	rig_key(&r, 5, 3, D);
	rig_route(&r, 5, 0, A, 1);
	rig_route(&r, 5, 0, B, 2);
	rig_apply(&r);
	r.holds = true;
	say(&r, A, 5, DEST_UNAVAILABLE);
	say(&r, A, 5, DEST_AVAILABLE);
	assert_string_equal(rig_to(&r, 5, 5), "(held)");
	assert_string_equal(rig_to(&r, 5, 3), "d");
	rig_stop(&r);
}

static void there_must_be_room_to_wait(void **state)
{
	struct rig r;

	(void)state;
	start(&r);
	say(&r, A, 5, DEST_UNAVAILABLE);
	route_egress_hold(r.e[A].e)->limit = 0;
	say(&r, A, 5, DEST_AVAILABLE);
	assert_ptr_equal(rig_target(&r, 5, 3)->hold, route_egress_hold(r.e[B].e));
	rig_release(&r, 5, 0);
	say(&r, A, 5, DEST_UNAVAILABLE);
	route_egress_hold(r.e[B].e)->limit = 0;
	say(&r, A, 5, DEST_AVAILABLE); /* better out of order than lost */
	assert_string_equal(rig_to(&r, 5, 3), "a");
	rig_stop(&r);
}

static void a_reload_neither_forgets_nor_begins_it_anew(void **state)
{
	struct rig r;

	(void)state;
	start(&r);
	say(&r, A, 5, DEST_UNAVAILABLE);
	say(&r, A, 5, DEST_AVAILABLE);
	rig_asked(&r, "5 forced, 5 controlled");
	rig_route(&r, 6, 0, D, 1);
	rig_apply(&r);
	rig_grace(&r);
	assert_string_equal(rig_to(&r, 5, 3), "(held)");
	r.moves[0] = '\0';
	rig_release(&r, 5, 0);
	rig_asked(&r, "");
	assert_string_equal(rig_to(&r, 5, 3), "a");
	rig_apply(&r);
	rig_asked(&r, "");
	rig_stop(&r);
}

static void a_destination_that_a_reload_removes_waits_no_more(void **state)
{
	struct rig r;

	(void)state;
	start(&r);
	say(&r, A, 5, DEST_UNAVAILABLE);
	say(&r, A, 5, DEST_AVAILABLE);
	r.n_routes = 0;
	rig_route(&r, 4, 1, D, 1);
	rig_apply(&r);
	rig_grace(&r);
	assert_string_equal(rig_to(&r, 5, 3), "d");
	rig_release(&r, 5, 0); /* there is no such destination */
	r.n_routes = 0;
	rig_apply(&r);
	assert_string_equal(rig_to(&r, 5, 3), "none");
	rig_stop(&r);
}

static void routes_that_a_reload_adds_or_removes_are_moves(void **state)
{
	struct rig r;

	(void)state;
	start(&r);
	rig_route(&r, 5, 0, D, 0);
	rig_apply(&r);
	rig_asked(&r, "5 controlled");
	assert_string_equal(rig_to(&r, 5, 3), "(held)");
	rig_release(&r, 5, 0);
	assert_string_equal(rig_to(&r, 5, 3), "d");
	r.n_routes = 3; /* A, B, C again */
	rig_apply(&r);
	rig_asked(&r, "5 controlled");
	assert_string_equal(rig_to(&r, 5, 3), "(held)");
	rig_release(&r, 5, 0);
	assert_string_equal(rig_to(&r, 5, 3), "a");
	rig_stop(&r);
}

static void an_egress_that_goes_ends_the_wait(void **state)
{
	struct rig r;

	(void)state;
	start(&r);
	say(&r, A, 5, DEST_UNAVAILABLE);
	say(&r, A, 5, DEST_AVAILABLE);
	r.moves[0] = '\0';
	route_egress_free(r.e[A].e);
	router_publish(r.r, false);
	rig_grace(&r);
	rig_asked(&r, "5 forced");
	assert_string_equal(rig_to(&r, 5, 3), "b");
	rig_stop(&r);
}

static void one_point_code_of_many_moves_by_itself(void **state)
{
	struct rig r;

	(void)state;
	rig_start(&r);
	rig_route(&r, 0, 14, A, 1);
	rig_route(&r, 0, 14, B, 2);
	rig_apply(&r);
	r.holds = true;
	say(&r, A, 99, DEST_UNAVAILABLE);
	rig_asked(&r, "99 forced");
	assert_string_equal(rig_to(&r, 99, 3), "b");
	say(&r, A, 99, DEST_AVAILABLE);
	rig_asked(&r, "99 controlled");
	assert_string_equal(rig_to(&r, 98, 3), "a");
	say(&r, A, 98, DEST_UNAVAILABLE); /* would forget those that are as all others are */
	assert_string_equal(rig_to(&r, 99, 3), "(held)");
	rig_release(&r, 99, 0);
	assert_string_equal(rig_to(&r, 99, 3), "a");
	rig_stop(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_way_is_taken_at_once),
		cmocka_unit_test(a_better_route_waits_for_what_is_under_way),
		cmocka_unit_test(a_restricted_route_is_left_in_order),
		cmocka_unit_test(what_happens_meanwhile_is_judged_by_what_is_under_way),
		cmocka_unit_test(the_choice_may_be_another_one_at_the_end),
		cmocka_unit_test(only_what_goes_to_a_share_that_joins_waits),
		cmocka_unit_test(only_what_a_share_that_leaves_has_waits),
		cmocka_unit_test(another_choice_meanwhile_begins_anew),
		cmocka_unit_test(what_goes_by_another_asp_waits),
		cmocka_unit_test(what_would_go_back_waits),
		cmocka_unit_test(a_reload_knows_what_stays),
		cmocka_unit_test(a_share_that_is_removed_leaves_nothing_behind),
		cmocka_unit_test(other_kinds_of_messages_go_on),
		cmocka_unit_test(there_must_be_room_to_wait),
		cmocka_unit_test(a_reload_neither_forgets_nor_begins_it_anew),
		cmocka_unit_test(a_destination_that_a_reload_removes_waits_no_more),
		cmocka_unit_test(routes_that_a_reload_adds_or_removes_are_moves),
		cmocka_unit_test(an_egress_that_goes_ends_the_wait),
		cmocka_unit_test(one_point_code_of_many_moves_by_itself),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
