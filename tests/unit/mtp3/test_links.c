/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Links: activation, link test, restoration, deactivation, emergency, outage; load sharing. */
#include "mtp3/link.h"
#include "mtp3/slt.h"
#include "rig.h"

static struct rig *two(unsigned links, bool test)
{
	struct rig *r = rig_new(2);

	r->nodes[0].ls_conf[1].test = r->nodes[1].ls_conf[0].test = test;
	for (unsigned i = 0; i < links; i++)
		rig_link(r, 0, 1);
	rig_route(r, 0, 1, (const int[]){1, -1});
	rig_route(r, 1, 0, (const int[]){0, -1});
	return r;
}

static void a_link_is_tested_before_it_carries_traffic(void **state)
{
	struct rig *r = two(1, true);
	struct l2 *w = r->wires[0];

	(void)state;
	mtp3_link_activate(w[0].link);
	mtp3_link_activate(w[1].link);
	assert_int_equal(w[0].link->state, LINK_ALIGNING);
	w[0].hold = w[1].hold = true;
	rig_pump(r);
	assert_int_equal(w[0].link->state, LINK_TESTING);
	assert_false(w[0].link->available);
	assert_int_equal(r->nodes[0].ls[1]->state, MTP3_LS_DOWN);
	w[0].hold = w[1].hold = false;
	rig_pump(r);
	assert_int_equal(w[0].link->state, LINK_ACTIVE);
	assert_int_equal(w[1].link->state, LINK_ACTIVE);
	assert_int_equal(rig_sent(r, SNM_SLTM), 2);
	assert_int_equal(rig_sent(r, SNM_SLTA), 2);
	assert_int_equal(r->nodes[0].ls[1]->state, MTP3_LS_UP);
	rig_free(r);
}

static void a_test_that_fails_twice_takes_the_link_out(void **state)
{
	struct rig *r = two(1, true);
	struct l2 *w = r->wires[0];

	(void)state;
	w[0].hold = true; /* A's test does not arrive */
	rig_up(r);
	assert_int_equal(w[0].link->state, LINK_TESTING);
	rig_pass(r, mtp3_timer_ms(r->nodes[0].net, MTP3_SLT_T1));
	assert_int_equal(w[0].link->slt, SLT_SECOND);
	assert_int_equal(w[0].link->state, LINK_TESTING);
	rig_pass(r, mtp3_timer_ms(r->nodes[0].net, MTP3_SLT_T1));
	assert_int_equal(w[0].link->state, LINK_WAITING);
	assert_int_equal(w[0].link->c[MTP3_LC_TESTS], 2);
	assert_int_equal(w[0].link->c[MTP3_LC_TEST_FAILURES], 1);
	assert_true(w[0].stops > 0);
	w[0].hold = false;
	rig_pass(r, 3000); /* T17, and once more */
	assert_int_equal(w[0].link->state, LINK_ACTIVE);
	rig_free(r);
}

/* It fails like any other: what the neighbour has accepted is known, and nothing is lost. */
static void an_active_link_whose_test_fails_changes_over(void **state)
{
	struct rig *r = two(2, true);
	struct l2 *w = r->wires[0];

	(void)state;
	rig_up(r);
	rig_forget_sent(r);
	rig_traffic(r, 0, 1, 32);
	rig_pump(r);
	w[0].hold = true; /* A's messages do not arrive, tests among them */
	rig_traffic(r, 0, 1, 32);
	assert_int_equal(mtp3_link_test(w[0].link), SB_OK);
	rig_pass(r, 2 * mtp3_timer_ms(r->nodes[0].net, MTP3_SLT_T1));
	assert_int_equal(w[0].link->c[MTP3_LC_FAILURES], 1);
	assert_true(rig_sent(r, SNM_XCO) >= 1 && rig_sent(r, SNM_XCA) >= 1);
	assert_int_equal(rig_sent(r, SNM_ECO) + rig_sent(r, SNM_ECA), 0);
	rig_assert_all(r, 1, 64);
	rig_free(r);
}

/* Neither end hears the other's test, and the link is good all the same. */
static void tests_rest_in_a_processor_outage(void **state)
{
	struct rig *r = two(1, true);
	struct l2 *w = r->wires[0];

	(void)state;
	rig_up(r);
	w[0].hold = w[1].hold = true;
	mtp3_link_block(w[0].link, true);
	mtp3_link_test(w[0].link);
	rig_pass(r, 300000);
	assert_int_equal(w[0].link->state, LINK_ACTIVE);
	assert_int_equal(w[1].link->state, LINK_ACTIVE);
	w[0].hold = w[1].hold = false;
	mtp3_link_block(w[0].link, false);
	mtp3_link_remote_outage(w[1].link, false);
	w[0].stall = w[1].stall = false;
	rig_forget_sent(r);
	rig_pass(r, 60100);
	assert_true(rig_sent(r, SNM_SLTM) >= 2);
	assert_true(w[0].link->available && w[1].link->available);
	rig_free(r);
}

static void an_active_link_is_tested_every_t2(void **state)
{
	struct rig *r = two(1, true);

	(void)state;
	rig_up(r);
	rig_forget_sent(r);
	rig_pass(r, 3 * 60000 + 100);
	assert_int_equal(rig_sent(r, SNM_SLTM), 6);
	assert_int_equal(rig_sent(r, SNM_SLTA), 6);
	assert_int_equal(r->wires[0][0].link->transitions, 3);
	rig_free(r);
}

static void a_test_pattern_that_is_not_ours_is_wrong(void **state)
{
	struct rig *r = two(1, true);
	struct l2 *w = r->wires[0];

	(void)state;
	rig_up(r);
	w[0].hold = true;
	assert_int_equal(mtp3_link_test(w[0].link), SB_OK);
	rig_inject(r, 1, 0, &(struct snm){.id = SNM_SLTA, .pattern_len = 8, .pattern = "nonsense"});
	assert_int_equal(w[0].link->slt, SLT_SECOND);
	rig_inject(r, 1, 0, &(struct snm){.id = SNM_SLTA, .pattern_len = 8, .pattern = "nonsense"});
	assert_int_equal(w[0].link->state, LINK_WAITING);
	rig_free(r);
}

static void the_answer_goes_on_the_link_that_the_test_names(void **state)
{
	struct rig *r = two(2, false);

	(void)state;
	rig_up(r);
	r->wires[1][0].hold = true;
	rig_inject(r, 1, 0, &(struct snm){.id = SNM_SLTM, .slc = 1, .pattern_len = 2, .pattern = "ab"});
	assert_int_equal(r->wires[1][0].flight.n, 1);
	rig_inject(r, 1, 0, &(struct snm){.id = SNM_SLTM, .slc = 7, .pattern_len = 2, .pattern = "ab"});
	assert_int_equal(r->nodes[0].net->stats.strays, 1);
	assert_int_equal(mtp3_link_test(r->wires[0][0].link), SB_OK);
	rig_free(r);
}

/* ANSI has services 1 and 2 for tests. */
static void the_answer_has_the_service_of_the_test(void **state)
{
	struct rig *r = rig_new(2);
	struct l2 *w;

	(void)state;
	r->nodes[0].conf.variant = r->nodes[1].conf.variant = PC_ANSI;
	w = rig_link(r, 0, 1);
	rig_up(r);
	w[0].hold = true;
	for (uint8_t si = MTP3_SI_TEST; si <= MTP3_SI_TEST_SPECIAL; si++) {
		struct mtp3_label label = {.opc = RIG_PC + 1, .dpc = RIG_PC, .ni = 2, .si = si};
		uint8_t msu[SNM_MAX];
		uint32_t len;

		assert_int_equal(snm_write(msu, sizeof(msu), PC_ANSI, &label,
					 &(struct snm){.id = SNM_SLTM, .pattern_len = 1}, &len),
			MTP3_OK);
		mtp3_link_receive(w[0].link, msu, len);
		rig_pump(r);
		assert_int_equal(w[0].flight.n, si);
		assert_int_equal((si == 1 ? w[0].flight.first : w[0].flight.first->next)->data[0] & 15, si);
	}
	rig_free(r);
}

static void alignment_is_tried_again_after_t17(void **state)
{
	struct rig *r = two(1, false);
	struct l2 *w = r->wires[0];

	(void)state;
	w[0].broken = w[1].broken = true;
	rig_up(r);
	assert_int_equal(w[0].link->state, LINK_WAITING);
	rig_pass(r, 6000);
	assert_in_range(w[0].starts, 4, 6);
	rig_repair(w);
	rig_pass(r, 2500);
	assert_int_equal(w[0].link->state, LINK_ACTIVE);
	rig_free(r);
}

/* It was still tested when the neighbour's outage began, and its failure came at once behind. */
static void an_outage_ends_with_the_link_it_was_of(void **state)
{
	struct rig *r = two(1, true);
	struct l2 *w = r->wires[0];

	(void)state;
	w[0].hold = w[1].hold = true;
	rig_up(r);
	assert_int_equal(w[0].link->state, LINK_TESTING);
	mtp3_link_remote_outage(w[0].link, true);
	rig_break(w);
	rig_pump(r);
	assert_int_equal(w[0].link->state, LINK_WAITING);
	assert_false(w[0].link->remote_outage);
	w[0].hold = w[1].hold = false;
	rig_repair(w);
	rig_pass(r, 2500);
	assert_true(w[0].link->available && w[1].link->available);
	rig_free(r);
}

static void the_only_link_is_aligned_in_emergency(void **state)
{
	struct rig *r = two(2, false);

	(void)state;
	mtp3_link_activate(r->wires[0][0].link);
	mtp3_link_activate(r->wires[0][1].link);
	rig_pump(r);
	assert_int_equal(r->wires[0][0].emergencies, 1);
	mtp3_link_activate(r->wires[1][0].link);
	assert_int_equal(r->wires[1][0].emergencies, 0);
	mtp3_link_deactivate(r->wires[1][0].link);
	mtp3_link_emergency(r->wires[1][0].link, true);
	mtp3_link_activate(r->wires[1][0].link);
	assert_int_equal(r->wires[1][0].emergencies, 1);
	rig_free(r);
}

static void a_deactivated_link_stays_down(void **state)
{
	struct rig *r = two(2, false);
	struct l2 *w = r->wires[0];

	(void)state;
	rig_up(r);
	mtp3_link_deactivate(w[0].link);
	rig_pump(r);
	rig_pass(r, 5000);
	assert_int_equal(w[0].link->state, LINK_INACTIVE);
	assert_int_equal(w[0].starts, 1);
	assert_int_equal(r->nodes[0].ls[1]->state, MTP3_LS_UP);
	mtp3_linkset_deactivate(r->nodes[0].ls[1]);
	rig_pass(r, 5000);
	assert_int_equal(r->nodes[0].ls[1]->state, MTP3_LS_DOWN);
	mtp3_linkset_activate(r->nodes[0].ls[1]);
	rig_pass(r, 5000);
	assert_int_equal(r->nodes[0].ls[1]->state, MTP3_LS_UP);
	rig_free(r);
}

static void activation_waits_for_a_changeover(void **state)
{
	struct rig *r = two(2, false);
	struct l2 *w = r->wires[0];

	(void)state;
	rig_up(r);
	w[0].slow_retrieval = true;
	mtp3_link_deactivate(w[0].link);
	rig_pump(r);
	assert_int_equal(w[0].link->co, CO_RETRIEVING);
	mtp3_link_activate(w[0].link);
	assert_int_equal(w[0].starts, 1);
	w[0].slow_retrieval = false;
	rig_pass(r, 3000);
	assert_true(w[0].starts > 1);
	assert_int_equal(w[0].link->state, LINK_ACTIVE);
	rig_free(r);
}

static void shares_are_even_and_move_little(void **state)
{
	struct rig *r = two(4, false);

	(void)state;
	rig_up(r);
	for (unsigned i = 0; i < 4; i++)
		assert_int_equal(rig_share(r, 0, 1, &r->wires[i][0]), 4);
	rig_break(r->wires[2]);
	rig_pass(r, 3000);
	assert_int_equal(rig_share(r, 0, 1, &r->wires[2][0]), 0);
	for (unsigned i = 0; i < 4; i++)
		if (i != 2)
			assert_in_range(rig_share(r, 0, 1, &r->wires[i][0]), 5, 6);
	rig_repair(r->wires[2]);
	rig_pass(r, 3000);
	for (unsigned i = 0; i < 4; i++)
		assert_int_equal(rig_share(r, 0, 1, &r->wires[i][0]), 4);
	rig_free(r);
}

static void wide_slss_are_shared_too(void **state)
{
	(void)state;
	for (uint8_t bits = 5; bits <= 8; bits = (uint8_t)(bits + 3)) {
		struct rig *r = rig_new(2);

		r->nodes[0].conf.variant = r->nodes[1].conf.variant = PC_ANSI;
		r->nodes[0].ls_conf[1].sls.bits = r->nodes[1].ls_conf[0].sls.bits = bits;
		for (unsigned i = 0; i < MTP3_LINKS; i++)
			if (i < RIG_WIRES)
				rig_link(r, 0, 1);
		rig_up(r);
		for (unsigned i = 0; i < MTP3_LINKS; i++)
			assert_int_equal(rig_share(r, 0, 1, &r->wires[i][0]), (1u << bits) / MTP3_LINKS);
		rig_free(r);
	}
}

static void an_slc_is_given_once(void **state)
{
	struct rig *r = two(1, false);
	struct mtp3_link_conf again = {.name = "again", .slc = 0}, high = {.name = "high", .slc = 16};

	(void)state;
	assert_null(mtp3_link_new(r->nodes[0].ls[1], &again, NULL));
	assert_null(mtp3_link_new(r->nodes[0].ls[1], &high, NULL));
	rig_free(r);
}

static void a_removed_link_leaves_its_share(void **state)
{
	struct rig *r = two(2, false);

	(void)state;
	rig_up(r);
	mtp3_link_deactivate(r->wires[1][0].link);
	rig_pass(r, 3000);
	mtp3_link_free(r->wires[1][0].link);
	r->wires[1][0].link = NULL;
	r->wires[1][0].started = r->wires[1][1].started = false;
	r->wires[1][1].broken = r->wires[1][0].broken = true;
	assert_int_equal(rig_share(r, 0, 1, &r->wires[0][0]), 16);
	rig_free(r);
}

static void a_reload_changes_the_width_of_the_sls(void **state)
{
	struct rig *r = rig_new(2);
	struct mtp3_linkset_conf other;
	struct mtp3_link_conf renamed;

	(void)state;
	r->nodes[0].conf.variant = r->nodes[1].conf.variant = PC_ANSI;
	r->nodes[0].ls_conf[1].sls.bits = r->nodes[1].ls_conf[0].sls.bits = 8;
	rig_link(r, 0, 1);
	rig_link(r, 0, 1);
	rig_up(r);
	other = r->nodes[0].ls_conf[1];
	for (uint8_t bits = 5;; bits = 8) { /* also while a changeback is at work */
		rig_break(r->wires[0]);
		rig_pass(r, 2000);
		rig_repair(r->wires[0]);
		r->wires[1][0].hold = true;
		rig_pass(r, 1300);
		other.sls.bits = bits;
		mtp3_linkset_reconfigure(r->nodes[0].ls[1], &other);
		r->wires[1][0].hold = false;
		rig_pass(r, 3000);
		r->nodes[0].ls_conf[1].sls.bits = bits;
		for (unsigned i = 0; i < 2; i++)
			assert_int_equal(rig_share(r, 0, 1, &r->wires[i][0]), (1u << bits) / 2);
		for (unsigned i = 0; i < MTP3_BUCKETS; i++) {
			assert_false(r->nodes[0].held[1][i]);
			assert_int_equal(r->nodes[0].bucket[1][i] != NULL, i < 1u << bits);
		}
		if (bits == 8)
			break;
	}
	renamed = r->wires[0][0].conf;
	renamed.emergency = true;
	mtp3_link_reconfigure(r->wires[0][0].link, &renamed);
	assert_ptr_equal(r->wires[0][0].link->conf, &renamed);
	rig_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RIG_TEST(a_link_is_tested_before_it_carries_traffic),
		RIG_TEST(a_test_that_fails_twice_takes_the_link_out),
		RIG_TEST(an_active_link_whose_test_fails_changes_over),
		RIG_TEST(tests_rest_in_a_processor_outage),
		RIG_TEST(an_active_link_is_tested_every_t2),
		RIG_TEST(a_test_pattern_that_is_not_ours_is_wrong),
		RIG_TEST(the_answer_goes_on_the_link_that_the_test_names),
		RIG_TEST(the_answer_has_the_service_of_the_test),
		RIG_TEST(alignment_is_tried_again_after_t17),
		RIG_TEST(an_outage_ends_with_the_link_it_was_of),
		RIG_TEST(the_only_link_is_aligned_in_emergency),
		RIG_TEST(a_deactivated_link_stays_down),
		RIG_TEST(activation_waits_for_a_changeover),
		RIG_TEST(shares_are_even_and_move_little),
		RIG_TEST(wide_slss_are_shared_too),
		RIG_TEST(an_slc_is_given_once),
		RIG_TEST(a_removed_link_leaves_its_share),
		RIG_TEST(a_reload_changes_the_width_of_the_sls),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
