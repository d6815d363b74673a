/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A link between level 2 and level 3: what waits for its last BSN, and what for a grace period. */
#include <string.h>

#include "rig.h"

/* a0 fails behind BSN 7, and the peer says that it has got everything up to 41: by a1, for a0 (SLC 0). */
static void changeover(struct gw *g)
{
	l2_remembers(gw_l2(g, "a0"), L2_ANSWERS, 7);
	gw_fail(g, "a0");
	gw_said(g, "a1", "XCO:7");
	gw_tell(g, "a1", GW_A, 0, (struct snm){.id = SNM_XCA, .slc = 0, .fsn = 41});
}

static void give_back(struct gw *g, const char *link, uint32_t dpc, unsigned n)
{
	uint8_t msu[16];

	for (unsigned i = 1; i <= n; i++)
		l2_give_back(gw_l2(g, link), msu, gw_msu(msu, dpc, MTP3_SI_ISUP, 3, (uint8_t)i));
	l2_given_back(gw_l2(g, link), n);
}

/* ---- the last BSN ---- */

static void level_3_hears_of_the_failure_when_the_bsn_is_known(void **state)
{
	struct gw *g = gw_running();

	(void)state;
	l2_remembers(gw_l2(g, "a0"), L2_ANSWERS_LATER, 0);
	gw_fail(g, "a0");
	assert_string_equal(gw_view(g, "a0").state, "active");
	gw_said(g, "a1", "");
	assert_false(gw_accepts(g, "a0"));
	l2_bsnt(gw_l2(g, "a0"), 9);
	gw_settle(g);
	assert_string_not_equal(gw_view(g, "a0").state, "active");
	assert_string_equal(gw_view(g, "a0").reason, "pulled");
	gw_said(g, "a1", "XCO:9");
	gw_free(g);
}

static void without_a_bsn_the_changeover_is_an_emergency_one(void **state)
{
	struct gw *g = gw_running();

	(void)state;
	l2_remembers(gw_l2(g, "a0"), L2_HAS_NONE, 0);
	gw_fail(g, "a0");
	gw_said(g, "a1", "ECO");
	gw_free(g);
}

/* Q.704 s.6.3.1: what an older table still sends by the alternative link goes before the declaration. */
static void a_declaration_follows_the_table(void **state)
{
	struct gw *g = gw_running();

	(void)state;
	gw_tell(g, "a1", GW_A, 0, (struct snm){.id = SNM_LIN, .slc = 0});
	gw_pass_ms(g, 2000);
	l2_forget();
	gw_tell(g, "a1", GW_A, 0, (struct snm){.id = SNM_LUN, .slc = 0});
	gw_said(g, "a1", "LUA");
	gw_grace(g);
	gw_said(g, "a1", "CBD");
	gw_free(g);
}

/* Q.704 s.5.4: the answer says up to where this side has received. */
static void an_order_for_a_link_that_works_is_answered_with_its_bsn(void **state)
{
	struct gw *g = gw_running();

	(void)state;
	l2_remembers(gw_l2(g, "a0"), L2_ANSWERS_LATER, 0);
	gw_tell(g, "a1", GW_A, 0, (struct snm){.id = SNM_XCO, .slc = 0, .fsn = 41});
	gw_said(g, "a0", "stop");
	gw_said(g, "a1", "");
	l2_bsnt(gw_l2(g, "a0"), 12);
	gw_settle(g);
	gw_said(g, "a1", "XCA:12"); /* and no order of our own */
	gw_grace(g);
	assert_non_null(strstr(l2_said(gw_l2(g, "a0")), "retrieve:41"));
	gw_free(g);
}

static void an_order_that_waits_is_given_back_at_the_end(void **state)
{
	struct gw *g = gw_running();

	(void)state;
	l2_remembers(gw_l2(g, "a0"), L2_ANSWERS_LATER, 0);
	gw_tell(g, "a1", GW_A, 0, (struct snm){.id = SNM_XCO, .slc = 0, .fsn = 41});
	gw_free(g); /* counts the buffers */
}

static void an_order_goes_with_the_link_that_it_came_on(void **state)
{
	struct gw *g = gw_running();

	(void)state;
	l2_remembers(gw_l2(g, "a0"), L2_ANSWERS_LATER, 0);
	gw_tell(g, "a1", GW_A, 0, (struct snm){.id = SNM_XCO, .slc = 0, .fsn = 41});
	g->linksets[0].n_links = 1;
	gw_change(g, SG_LINK, SG_REMOVE, "a1");
	gw_reload(g);
	l2_bsnt(gw_l2(g, "a0"), 12);
	gw_settle(g);
	assert_string_not_equal(gw_view(g, "a0").state, "active");
	gw_free(g);
}

static void what_level_3_stops_itself_is_no_failure(void **state)
{
	struct gw *g = gw_new();

	(void)state;
	g->linksets[0].test = true;
	gw_start(g);
	gw_up(g, "a0");
	gw_said(g, "a0", "start! SLTM");
	gw_pass_ms(g, 16100); /* the second test fails, too (Q.707 s.2.2) */
	gw_said(g, "a0", "SLTM stop");
	assert_string_equal(gw_view(g, "a0").state, "waiting");
	gw_pass_ms(g, 1200);
	gw_said(g, "a0", "start!");
	gw_free(g);
}

/* A link that fails its periodic test has a BSN, so nothing need be lost. */
static void an_active_link_that_fails_its_test_is_changed_over_in_order(void **state)
{
	struct gw *g = gw_running();
	const char *why;

	(void)state;
	g->linksets[0].test = true;
	gw_change(g, SG_LINKSET, SG_UPDATE, "a");
	gw_reload(g);
	l2_forget();
	l2_remembers(gw_l2(g, "a0"), L2_ANSWERS, 7);
	assert_true(gw_operate(g, "a0", SS7_TEST, &why));
	gw_pass_ms(g, 16000); /* twice T1 of Q.707 */
	gw_said(g, "a0", "SLTM SLTM stop");
	gw_said(g, "a1", "XCO:7");
	assert_string_equal(gw_view(g, "a0").reason, "link test failed");
	assert_int_equal(gw_view(g, "a0").c[MTP3_LC_TEST_FAILURES], 1);
	gw_free(g);
}

/* ---- what waits for a grace period ---- */

static void retrieval_waits_until_no_worker_sends_there(void **state)
{
	struct gw *g = gw_running();

	(void)state;
	changeover(g);
	assert_false(fake_named(g->rig->plane, m2pa_link_assoc(gw_l2(g, "a0"))));
	gw_said(g, "a0", "");
	gw_grace(g);
	gw_said(g, "a0", "retrieve:41");
	gw_free(g);
}

static void a_restart_waits_likewise(void **state)
{
	struct gw *g = gw_running();

	(void)state;
	gw_fail(g, "b0");
	gw_pass_ms(g, 800);                  /* T1: nothing is to be retrieved by an order */
	gw_said(g, "b0", "retrieve:unsent"); /* s.5.6.2 */
	l2_given_back(gw_l2(g, "b0"), 0);
	gw_settle(g);
	gw_said(g, "b0", "");
	gw_grace(g);
	gw_said(g, "b0", "start!");
	gw_free(g);
}

static void without_an_association_nothing_is_retrieved(void **state)
{
	struct gw *g = gw_running();

	(void)state;
	l2_remembers(gw_l2(g, "a0"), L2_HAS_NONE, 0);
	gw_fail(g, "a0");
	gw_tell(g, "a1", GW_A, 0, (struct snm){.id = SNM_XCA, .slc = 0, .fsn = 41});
	gw_grace(g);
	assert_string_equal(gw_ways(g, GW_A), "1111111111111111");
	gw_free(g);
}

/* ---- what was retrieved ---- */

static void what_was_retrieved_goes_first_and_in_order(void **state)
{
	struct gw *g = gw_running();

	(void)state;
	changeover(g);
	gw_grace(g);
	fake_journal(g->rig->plane);
	give_back(g, "a0", GW_A, 3);
	gw_settle(g);
	assert_string_equal(fake_journal(g->rig->plane), "a1 3#1\na1 3#2\na1 3#3\ntable\n");
	assert_string_equal(gw_ways(g, GW_A), "1111111111111111");
	gw_free(g);
}

/* a0's traffic moves to a1 and a2, and a2 fails before it gets any: what a0 gives back for it goes by a1 in
 * the end. LATER: a2 has failed before a0 gives anything back, but its last BSN is not known yet. */
static void a_link_fails_that_was_to_get_what_is_retrieved(bool later)
{
	struct gw *g = gw_new();
	uint8_t msu[16];

	gw_link(g, &g->linksets[0], "a2", 2);
	gw_start(g);
	gw_up(g, "a0");
	gw_up(g, "a1");
	gw_up(g, "a2");
	gw_grace(g);
	l2_forget();
	changeover(g);
	gw_grace(g);
	l2_remembers(gw_l2(g, "a2"), later ? L2_ANSWERS_LATER : L2_ANSWERS, 9);
	if (later)
		l2_fail(gw_l2(g, "a2"), "pulled");
	for (uint8_t sls = 0; sls < 16; sls++)
		l2_give_back(gw_l2(g, "a0"), msu, gw_msu(msu, GW_A, MTP3_SI_ISUP, sls, 1));
	l2_given_back(gw_l2(g, "a0"), 16);
	if (!later)
		l2_fail(gw_l2(g, "a2"), "pulled");
	gw_settle(g);
	assert_null(strchr(l2_said(gw_l2(g, "a2")), '#'));
	if (later)
		l2_bsnt(gw_l2(g, "a2"), 9);
	gw_settle(g);
	gw_tell(g, "a1", GW_A, 0, (struct snm){.id = SNM_XCA, .slc = 2, .fsn = 41});
	gw_grace(g);
	l2_given_back(gw_l2(g, "a2"), 0);
	fake_journal(g->rig->plane);
	gw_settle(g);
	assert_non_null(strstr(fake_journal(g->rig->plane), "#1\ntable\n")); /* in front of what is newer */
	assert_string_equal(gw_ways(g, GW_A), "1111111111111111");
	assert_int_equal(gw_view(g, "a0").c[MTP3_LC_LOST] + gw_view(g, "a2").c[MTP3_LC_LOST], 0);
	gw_free(g);
}

static void what_is_retrieved_for_a_link_that_has_failed_is_not_lost(void **state)
{
	(void)state;
	a_link_fails_that_was_to_get_what_is_retrieved(true);
}

static void what_is_retrieved_for_a_link_that_fails_then_is_not_lost(void **state)
{
	(void)state;
	a_link_fails_that_was_to_get_what_is_retrieved(false);
}

static void management_that_was_retrieved_is_said_again_by_another_link(void **state)
{
	const struct mtp3_label label = {.opc = GW_OWN, .dpc = GW_A, .ni = 2};
	struct gw *g = gw_running();
	uint8_t msu[SNM_MAX];
	uint32_t len;

	(void)state;
	changeover(g);
	gw_grace(g);
	l2_forget();
	assert_int_equal(
		snm_write(msu, sizeof(msu), PC_ITU, &label, &(struct snm){.id = SNM_TFP, .dest = 300}, &len),
		MTP3_OK);
	l2_give_back(gw_l2(g, "a0"), msu, len);
	give_back(g, "a0", GW_A, 1);
	gw_settle(g);
	gw_said(g, "a1", "TFP:300 3#1");
	gw_free(g);
}

static void a_linkset_that_is_down_leaves_it_to_another_route(void **state)
{
	struct gw *g = gw_running();

	(void)state;
	gw_fail(g, "a1");
	gw_tell(g, "a0", GW_A, 0, (struct snm){.id = SNM_XCA, .slc = 1});
	gw_grace(g);
	l2_given_back(gw_l2(g, "a1"), 0);
	gw_grace(g);
	gw_fail(g, "a0");
	gw_pass_ms(g, 800); /* T1 */
	l2_forget();
	give_back(g, "a0", 300, 2);
	gw_settle(g);
	gw_said(g, "b0", "3#1 3#2 TFP:100 TFP:300"); /* b carries it only now */
	gw_free(g);
}

/* It left rotated by a, and b rotates nothing: 3 was 6. */
static void what_was_retrieved_has_the_sls_of_the_way_it_goes(void **state)
{
	struct gw *g = gw_running();

	(void)state;
	g->linksets[0].has_rotation = true;
	g->linksets[0].rotation = 4;
	gw_reload(g);
	l2_forget();
	changeover(g);
	gw_grace(g);
	l2_forget();
	give_back(g, "a0", GW_A, 1);
	give_back(g, "a0", 300, 1);
	gw_settle(g);
	gw_said(g, "a1", "3#1 3#1");
	gw_fail(g, "a1");
	gw_pass_ms(g, 800); /* T1 */
	l2_forget();
	give_back(g, "a1", 300, 2);
	gw_settle(g);
	gw_said(g, "b0", "6#1 6#2 TFP:100 TFP:300");
	gw_free(g);
}

static void what_has_nowhere_to_go_is_lost(void **state)
{
	struct gw *g = gw_running();

	(void)state;
	gw_fail(g, "b0");
	gw_pass_ms(g, 800);
	l2_forget();
	give_back(g, "b0", 400, 2);
	gw_settle(g);
	gw_said(g, "a0", "TFP:200 TFP:400");
	assert_int_equal(gw_view(g, "b0").c[MTP3_LC_LOST], 2);
	gw_free(g); /* counts the buffers */
}

static void a_link_that_is_removed_gives_back_what_it_has(void **state)
{
	struct gw *g = gw_running();
	uint8_t msu[16];

	(void)state;
	changeover(g);
	gw_grace(g);
	l2_give_back(gw_l2(g, "a0"), msu, gw_msu(msu, GW_A, MTP3_SI_ISUP, 3, 1));
	g->linksets[0].n_links = 1;
	g->members[0][0] = "a1";
	gw_change(g, SG_LINK, SG_REMOVE, "a0");
	gw_reload(g);
	assert_null(ss7_link_by_name(g->ss7, "a0"));
	gw_free(g); /* counts the buffers */
}

/* ---- outages, congestion ---- */

static void an_outage_of_the_peer_is_level_3s(void **state)
{
	struct gw *g = gw_running();

	(void)state;
	l2_remote_outage(gw_l2(g, "a0"), true);
	gw_settle(g);
	assert_true(gw_view(g, "a0").remote_outage);
	assert_false(gw_view(g, "a0").available);
	assert_string_equal(gw_view(g, "a0").state, "active");
	l2_remote_outage(gw_l2(g, "a0"), false);
	gw_settle(g);
	assert_false(gw_view(g, "a0").remote_outage);
	gw_free(g);
}

/* Q.704 s.5.6.2, s.6.2: old messages are discarded if the traffic went on by another link meanwhile. */
static void an_outage_flushes_what_was_diverted(void **state)
{
	struct gw *g = gw_running();

	(void)state;
	l2_remote_outage(gw_l2(g, "a0"), true);
	gw_settle(g);
	assert_false(l2_flush_due(gw_l2(g, "a0"))); /* T1 runs still */
	gw_pass_ms(g, 800);
	l2_given_back(gw_l2(g, "a0"), 0);
	gw_grace(g);
	assert_string_equal(gw_ways(g, GW_A), "1111111111111111");
	assert_true(l2_flush_due(gw_l2(g, "a0")));
	assert_true(gw_accepts(g, "a0")); /* what the peer still sends is delivered */
	l2_remote_outage(gw_l2(g, "a0"), false);
	gw_settle(g);
	for (uint8_t cbc = 0; cbc < 3; cbc++) /* the second changeback of the linkset, or so */
		gw_tell(g, "a1", GW_A, 0, (struct snm){.id = SNM_CBA, .slc = 0, .cbc = cbc});
	assert_string_equal(gw_ways(g, GW_A), "1111000011110000");
	gw_free(g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(level_3_hears_of_the_failure_when_the_bsn_is_known),
		cmocka_unit_test(without_a_bsn_the_changeover_is_an_emergency_one),
		cmocka_unit_test(a_declaration_follows_the_table),
		cmocka_unit_test(an_order_for_a_link_that_works_is_answered_with_its_bsn),
		cmocka_unit_test(an_order_that_waits_is_given_back_at_the_end),
		cmocka_unit_test(an_order_goes_with_the_link_that_it_came_on),
		cmocka_unit_test(what_level_3_stops_itself_is_no_failure),
		cmocka_unit_test(an_active_link_that_fails_its_test_is_changed_over_in_order),
		cmocka_unit_test(retrieval_waits_until_no_worker_sends_there),
		cmocka_unit_test(a_restart_waits_likewise),
		cmocka_unit_test(without_an_association_nothing_is_retrieved),
		cmocka_unit_test(what_was_retrieved_goes_first_and_in_order),
		cmocka_unit_test(what_is_retrieved_for_a_link_that_has_failed_is_not_lost),
		cmocka_unit_test(what_is_retrieved_for_a_link_that_fails_then_is_not_lost),
		cmocka_unit_test(management_that_was_retrieved_is_said_again_by_another_link),
		cmocka_unit_test(a_linkset_that_is_down_leaves_it_to_another_route),
		cmocka_unit_test(what_was_retrieved_has_the_sls_of_the_way_it_goes),
		cmocka_unit_test(what_has_nowhere_to_go_is_lost),
		cmocka_unit_test(a_link_that_is_removed_gives_back_what_it_has),
		cmocka_unit_test(an_outage_of_the_peer_is_level_3s),
		cmocka_unit_test(an_outage_flushes_what_was_diverted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
