/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Management inhibiting (Q.704 s.10) between two nodes. */
#include "mtp3/inhibit.h"
#include "rig.h"

static struct rig *two(unsigned links)
{
	struct rig *r = rig_new(2);

	for (unsigned i = 0; i < links; i++)
		rig_link(r, 0, 1);
	rig_route(r, 0, 1, (const int[]){1, -1});
	rig_route(r, 1, 0, (const int[]){0, -1});
	rig_up(r);
	rig_forget_sent(r);
	return r;
}

static void an_inhibited_link_carries_no_traffic_but_tests(void **state)
{
	struct rig *r = two(2);
	struct l2 *w = r->wires[0];

	(void)state;
	assert_int_equal(mtp3_link_inhibit(w[0].link), SB_OK);
	rig_traffic(r, 0, 1, 32);
	rig_traffic(r, 1, 0, 32);
	rig_pump(r);
	assert_true(w[0].link->inhibited_local);
	assert_true(w[1].link->inhibited_remote);
	assert_int_equal(w[0].link->c[MTP3_LC_LOCAL_INHIBITS], 1);
	assert_int_equal(w[1].link->c[MTP3_LC_REMOTE_INHIBITS], 1);
	assert_string_equal(w[0].link->available_reason, "inhibited");
	rig_traffic(r, 0, 1, 32);
	rig_pass(r, 1000);
	assert_int_equal(rig_share(r, 0, 1, &w[0]), 0);
	assert_int_equal(rig_share(r, 1, 0, &w[1]), 0);
	assert_int_equal(w[0].link->state, LINK_ACTIVE);
	assert_int_equal(rig_sent(r, SNM_XCO), 0); /* time-controlled */
	rig_assert_all(r, 1, 64);
	rig_assert_all(r, 0, 32);
	assert_int_equal(mtp3_link_test(w[0].link), SB_OK);
	rig_free(r);
}

static void uninhibiting_changes_back_in_order(void **state)
{
	struct rig *r = two(2);
	struct l2 *w = r->wires[0];

	(void)state;
	mtp3_link_inhibit(w[0].link);
	rig_pass(r, 1000);
	rig_forget_sent(r);
	assert_int_equal(mtp3_link_uninhibit(w[0].link), SB_OK);
	for (unsigned i = 0; i < 20; i++) {
		rig_traffic(r, 0, 1, 16);
		rig_pass(r, 50);
	}
	assert_int_equal(rig_sent(r, SNM_LUN), 1);
	assert_int_equal(rig_sent(r, SNM_LUA), 1);
	assert_true(rig_sent(r, SNM_CBD) >= 1);
	assert_int_equal(rig_share(r, 0, 1, &w[0]), 8);
	assert_false(w[1].link->inhibited_remote);
	rig_assert_all(r, 1, 320);
	rig_free(r);
}

static void a_link_that_is_needed_is_not_inhibited(void **state)
{
	struct rig *r = two(1);
	struct l2 *w = r->wires[0];

	(void)state;
	r->nodes[0].needed = true;
	assert_int_equal(mtp3_link_inhibit(w[0].link), SB_ESTATE);
	assert_int_equal(rig_sent(r, SNM_LIN), 0);
	r->nodes[0].needed = false;
	r->nodes[1].needed = true; /* the far end refuses */
	assert_int_equal(mtp3_link_inhibit(w[0].link), SB_OK);
	rig_pump(r);
	assert_int_equal(rig_sent(r, SNM_LID), 1);
	assert_false(w[0].link->inhibited_local);
	assert_string_equal(w[0].link->inhibit_reason, "the neighbour denied inhibiting");
	assert_int_equal(w[0].link->inh, INH_IDLE);
	rig_free(r);
}

static void a_link_that_became_the_last_is_not_inhibited_after_all(void **state)
{
	struct rig *r = two(2);
	struct l2 *w = r->wires[0];

	(void)state;
	r->nodes[0].needed = r->nodes[1].needed = true;
	r->wires[0][1].hold = r->wires[1][1].hold = true; /* LIA is on its way */
	mtp3_link_inhibit(w[0].link);
	rig_pump(r);
	rig_traffic(r, 0, 1, 16);
	rig_break(r->wires[1]);
	r->wires[0][1].hold = false;
	rig_pass(r, 2000);
	assert_true(w[0].link->available);
	assert_true(w[1].link->available);
	assert_string_equal(w[0].link->inhibit_reason, "uninhibited");
	assert_int_equal(r->nodes[0].ls[1]->state, MTP3_LS_UP);
	rig_free(r);
}

static void two_attempts_are_made_and_no_more(void **state)
{
	struct rig *r = two(2);
	struct l2 *w = r->wires[0];

	(void)state;
	w[0].hold = r->wires[1][0].hold = true;
	mtp3_link_inhibit(w[0].link);
	assert_int_equal(mtp3_link_uninhibit(w[0].link), SB_OK); /* nothing to undo */
	rig_pass(r, 2500);
	assert_int_equal(rig_sent(r, SNM_LIN), 2);
	assert_int_equal(w[0].link->inh, INH_INHIBITING_AGAIN);
	rig_pass(r, 2500);
	assert_int_equal(rig_sent(r, SNM_LIN), 2);
	assert_int_equal(w[0].link->inh, INH_IDLE);
	assert_string_equal(w[0].link->inhibit_reason, "the neighbour did not answer");
	rig_free(r);
}

static void an_uninhibit_that_is_not_answered_is_given_up(void **state)
{
	struct rig *r = two(2);
	struct l2 *w = r->wires[0];

	(void)state;
	mtp3_link_inhibit(w[0].link);
	rig_pass(r, 1000);
	r->wires[1][0].hold = true;
	mtp3_link_uninhibit(w[0].link);
	rig_pass(r, 3000);
	assert_int_equal(rig_sent(r, SNM_LUN), 2);
	assert_int_equal(w[0].link->inh, INH_IDLE);
	assert_true(w[0].link->inhibited_local);
	rig_free(r);
}

static void unexpected_messages_do_what_the_standard_says(void **state)
{
	struct rig *r = two(2);
	static const struct {
		enum snm_id in, out;
	} answers[] = {{SNM_LUN, SNM_LUA}, {SNM_LFU, SNM_LUN}, {SNM_LRT, SNM_LUN}, {SNM_LLT, SNM_LFU}};

	(void)state;
	for (unsigned i = 0; i < 4; i++) { /* s.10.4 b, c; s.10.6 ii: the link is not inhibited */
		rig_forget_sent(r);
		r->wires[0][1].hold = true;
		rig_inject(r, 1, 0, &(struct snm){.id = (uint8_t)answers[i].in, .slc = 1});
		assert_true(rig_sent(r, answers[i].out) >= 1);
		rig_pass(r, 3000);
	}
	rig_forget_sent(r);
	for (unsigned id = SNM_LIA; id <= SNM_LID; id++) /* s.10.4 d, e */
		rig_inject(r, 1, 0, &(struct snm){.id = (uint8_t)id, .slc = 1});
	assert_int_equal(r->n_log, 0);
	assert_true(r->wires[1][0].link->available);
	rig_inject(r, 1, 0, &(struct snm){.id = SNM_LIN, .slc = 1});
	assert_int_equal(rig_sent(r, SNM_LIA), 1);
	rig_inject(r, 1, 0, &(struct snm){.id = SNM_LIN, .slc = 1}); /* s.10.4 a */
	assert_int_equal(rig_sent(r, SNM_LIA), 2);
	rig_free(r);
}

static void routing_undoes_inhibition_when_it_needs_the_link(void **state)
{
	(void)state;
	for (unsigned end = 0; end < 2; end++) { /* who had inhibited */
		struct rig *r = two(2);
		struct l2 *w = r->wires[0];

		mtp3_link_inhibit(w[end].link);
		rig_pass(r, 1000);
		rig_forget_sent(r);
		rig_break(r->wires[1]);
		rig_pass(r, 4000);
		assert_true(w[0].link->available);
		assert_true(w[1].link->available);
		assert_int_equal(r->nodes[0].ls[1]->state, MTP3_LS_UP);
		assert_true(rig_sent(r, SNM_LUN) >= 1);
		rig_traffic(r, 0, 1, 16);
		rig_pump(r);
		rig_assert_all(r, 1, 16);
		rig_free(r);
	}
}

/* The changeover of the last link is answered before the inhibited one is free: its traffic waits for that,
 * and if it does not come about, not for ever. */
static void a_changeover_waits_for_the_link_that_is_uninhibited(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		unsigned end = i & 1, comes = i & 2; /* who had inhibited; is it uninhibited? */
		struct rig *r = two(2);
		struct l2 *w = r->wires[0], *last = r->wires[1];

		mtp3_link_inhibit(w[end].link);
		rig_pass(r, 1000);
		last[0].hold = true;
		rig_traffic(r, 0, 1, 32);
		w[1].hold = true; /* neither LUA nor LUN */
		rig_break(last);
		rig_pump(r);
		rig_inject(r, 1, 0, &(struct snm){.id = SNM_XCA, .slc = 1, .fsn = last[1].bsn});
		rig_traffic(r, 0, 1, 16);
		rig_pass(r, 200);
		assert_int_equal(last[0].link->co, CO_RETRIEVING);
		assert_int_equal(r->nodes[0].ls[1]->state, MTP3_LS_PENDING);
		w[1].hold = !comes;
		rig_pass(r, 3000);
		assert_int_equal(r->nodes[0].ls[1]->state, comes ? MTP3_LS_UP : MTP3_LS_DOWN);
		if (comes)
			rig_assert_all(r, 1, 48);
		rig_free(r);
	}
}

static void routing_tries_the_next_link_when_one_does_not_help(void **state)
{
	struct rig *r = two(3);

	(void)state;
	mtp3_link_inhibit(r->wires[0][0].link);
	mtp3_link_inhibit(r->wires[1][0].link);
	rig_pass(r, 1000);
	r->wires[0][0].hold = r->wires[1][0].hold = true; /* it does not get through: T12 twice */
	r->wires[0][1].hold = r->wires[1][1].hold = true; /* nor what the far end tries */
	rig_break(r->wires[2]);
	rig_pass(r, 2000);
	assert_int_equal(r->wires[0][0].link->inh, INH_UNINHIBITING_AGAIN);
	rig_pass(r, 800);
	assert_int_equal(r->wires[0][0].link->inh, INH_IDLE);
	assert_int_equal(r->wires[1][0].link->inh, INH_UNINHIBITING);
	r->wires[0][0].hold = r->wires[0][1].hold = false;
	r->wires[1][0].hold = r->wires[1][1].hold = false;
	rig_pass(r, 2000);
	assert_true(r->wires[1][0].link->available);
	rig_free(r);
}

static void a_link_that_recovers_inhibited_is_uninhibited_if_nothing_else_is_left(void **state)
{
	struct rig *r = two(2);
	struct l2 *w = r->wires[0];

	(void)state;
	mtp3_link_inhibit(w[0].link);
	rig_pass(r, 1000);
	rig_break(w);
	rig_pass(r, 3000);
	assert_true(w[0].link->inhibited_local);
	rig_break(r->wires[1]);
	rig_pass(r, 3000);
	assert_int_equal(r->nodes[0].ls[1]->state, MTP3_LS_DOWN);
	rig_repair(w);
	rig_pass(r, 5000);
	assert_true(w[0].link->available);
	assert_true(w[1].link->available);
	assert_int_equal(r->nodes[0].ls[1]->state, MTP3_LS_UP);
	rig_free(r);
}

static void inhibition_is_tested_periodically(void **state)
{
	struct rig *r = two(2);
	struct l2 *w = r->wires[0];

	(void)state;
	mtp3_link_inhibit(w[0].link);
	rig_pass(r, 1000);
	rig_forget_sent(r);
	rig_pass(r, 240000);
	assert_int_equal(rig_sent(r, SNM_LLT), 1);
	assert_int_equal(rig_sent(r, SNM_LRT), 1);
	assert_true(w[0].link->inhibited_local && w[1].link->inhibited_remote);
	w[1].link->inhibited_remote = false; /* B forgot: A's LLT finds out, B forces */
	rig_pass(r, 241000);
	assert_true(rig_sent(r, SNM_LFU) >= 1);
	assert_false(w[0].link->inhibited_local);
	rig_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RIG_TEST(an_inhibited_link_carries_no_traffic_but_tests),
		RIG_TEST(uninhibiting_changes_back_in_order),
		RIG_TEST(a_link_that_is_needed_is_not_inhibited),
		RIG_TEST(a_link_that_became_the_last_is_not_inhibited_after_all),
		RIG_TEST(two_attempts_are_made_and_no_more),
		RIG_TEST(an_uninhibit_that_is_not_answered_is_given_up),
		RIG_TEST(unexpected_messages_do_what_the_standard_says),
		RIG_TEST(routing_undoes_inhibition_when_it_needs_the_link),
		RIG_TEST(a_changeover_waits_for_the_link_that_is_uninhibited),
		RIG_TEST(routing_tries_the_next_link_when_one_does_not_help),
		RIG_TEST(a_link_that_recovers_inhibited_is_uninhibited_if_nothing_else_is_left),
		RIG_TEST(inhibition_is_tested_periodically),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
