/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an operator can do to a link, and what is refused. */
#include <string.h>

#include "rig.h"

static void gone(struct gw *g)
{
	gw_fail(g, "a0");
	gw_grace(g);
}

static void deactivated(struct gw *g)
{
	const char *why;

	gw_operate(g, "a0", SS7_DEACTIVATE, &why);
	gw_pass_ms(g, 1400); /* T2: nobody answers the changeover order */
	l2_given_back(gw_l2(g, "a0"), 0);
	gw_grace(g);
}

static void blocked(struct gw *g)
{
	const char *why;

	gw_operate(g, "a0", SS7_OUTAGE, &why);
}

/* The other link is gone: it carries all the linkset's traffic. */
static void alone(struct gw *g)
{
	gw_fail(g, "a1");
	gw_pass_ms(g, 3000);
}

static void inhibited(struct gw *g)
{
	const char *why;

	gw_operate(g, "a0", SS7_INHIBIT, &why);
	gw_tell(g, "a1", GW_A, 0, (struct snm){.id = SNM_LIA, .slc = 0});
	gw_pass_ms(g, 2000);
}

static void inhibited_and_cut_off(struct gw *g)
{
	inhibited(g);
	gone(g);
	alone(g);
}

static void busy_inhibiting(struct gw *g)
{
	const char *why;

	gw_operate(g, "a0", SS7_INHIBIT, &why);
}

#define DENIED "denied: see its inhibit-reason in show link"

static void tested(struct gw *g)
{
	g->linksets[0].test = true;
	gw_change(g, SG_LINKSET, SG_UPDATE, "a");
	gw_reload(g);
}

static void tested_and_gone(struct gw *g)
{
	tested(g);
	gone(g);
}

/* From a state (NULL: active, beside a1): what level 2 of a0 hears, and its state. */
static const struct {
	void (*before)(struct gw *g);
	enum ss7_operation op;
	const char *why; /* NULL: it is done */
	const char *said, *state;
} rows[] = {
	{NULL, SS7_ACTIVATE, NULL, "", "active"},
	{deactivated, SS7_ACTIVATE, NULL, "start", "aligning"},
	{NULL, SS7_DEACTIVATE, NULL, "stop stop", "inactive"},
	{gone, SS7_DEACTIVATE, NULL, "stop", "inactive"},
	{deactivated, SS7_DEACTIVATE, NULL, "", "inactive"},
	{NULL, SS7_INHIBIT, NULL, "LIN", "active"},
	{alone, SS7_INHIBIT, DENIED, "", "active"},
	{busy_inhibiting, SS7_INHIBIT, NULL, "", "active"},
	{inhibited, SS7_UNINHIBIT, NULL, "", "active"},
	{NULL, SS7_UNINHIBIT, NULL, "", "active"},
	{inhibited_and_cut_off, SS7_UNINHIBIT, DENIED, "", "aligning"},
	{tested, SS7_TEST, NULL, "SLTM", "active"},
	{NULL, SS7_TEST, "its linkset has no link tests", "", "active"},
	{tested_and_gone, SS7_TEST, "it is not active", "", "waiting"},
	{NULL, SS7_EMERGENCY, NULL, "emergency", "active"},
	{NULL, SS7_EMERGENCY_CLEAR, NULL, "emergency-ceases", "active"},
	{NULL, SS7_OUTAGE, NULL, "outage", "active"},
	{gone, SS7_OUTAGE, "it is not in service", "", "waiting"},
	{blocked, SS7_OUTAGE_CLEAR, NULL, "recover:0", "active"},
	{NULL, SS7_OUTAGE_CLEAR, NULL, "", "active"},
	{NULL, SS7_RESTART, NULL, "restart", "active"},
};

static void each_operation_is_done_or_refused(void **state)
{
	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct gw *g = gw_running();
		const char *why = NULL;
		bool done;

		if (rows[i].before)
			rows[i].before(g);
		l2_forget();
		done = gw_operate(g, "a0", rows[i].op, &why);
		assert_int_equal(done, rows[i].why == NULL);
		assert_string_equal(why, rows[i].why ? rows[i].why : "");
		gw_said(g, "a0", rows[i].said);
		assert_string_equal(gw_view(g, "a0").state, rows[i].state);
		gw_free(g);
	}
}

static void a_deactivated_link_hands_its_traffic_over(void **state)
{
	struct gw *g = gw_running();

	(void)state;
	deactivated(g);
	assert_string_equal(gw_ways(g, GW_A), "1111111111111111");
	gw_free(g);
}

/* Its failure is not over for level 3 before its BSN is known. */
static void a_link_that_has_just_failed_is_deactivated_after_it(void **state)
{
	struct gw *g = gw_running();
	const char *why;

	(void)state;
	l2_remembers(gw_l2(g, "a0"), L2_ANSWERS_LATER, 0);
	gw_fail(g, "a0");
	assert_true(gw_operate(g, "a0", SS7_DEACTIVATE, &why));
	assert_string_equal(gw_view(g, "a0").state, "active");
	l2_bsnt(gw_l2(g, "a0"), 4);
	gw_settle(g);
	assert_string_equal(gw_view(g, "a0").state, "inactive");
	gw_said(g, "a1", "XCO:4");
	gw_free(g);
}

static void an_inhibited_link_carries_nothing_and_stays_active(void **state)
{
	struct gw *g = gw_running();
	const char *why;

	(void)state;
	inhibited(g);
	assert_true(gw_view(g, "a0").inhibited_local);
	assert_string_equal(gw_view(g, "a0").available_reason, "inhibited");
	assert_int_equal(gw_view(g, "a0").c[MTP3_LC_LOCAL_INHIBITS], 1);
	assert_string_equal(gw_ways(g, GW_A), "1111111111111111");
	l2_forget();
	assert_true(gw_operate(g, "a0", SS7_UNINHIBIT, &why));
	gw_said(g, "a1", "LUN"); /* the traffic is there */
	gw_tell(g, "a1", GW_A, 0, (struct snm){.id = SNM_LUA, .slc = 0});
	gw_pass_ms(g, 2000);
	assert_false(gw_view(g, "a0").inhibited_local);
	assert_int_equal(gw_view(g, "a0").buckets, 8);
	gw_free(g);
}

static void emergency_shortens_alignments_until_it_is_cleared(void **state)
{
	static const struct {
		enum ss7_operation op;
		const char *said;
	} steps[] = {{SS7_EMERGENCY, "emergency start!"}, {SS7_EMERGENCY_CLEAR, "emergency-ceases start"}};
	struct gw *g = gw_running();
	const char *why;

	(void)state;
	for (unsigned i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		deactivated(g);
		l2_forget();
		assert_true(gw_operate(g, "a0", steps[i].op, &why));
		assert_int_equal(gw_view(g, "a0").emergency, steps[i].op == SS7_EMERGENCY);
		assert_true(gw_operate(g, "a0", SS7_ACTIVATE, &why));
		gw_said(g, "a0", steps[i].said);
		gw_up(g, "a0");
	}
	gw_free(g);
}

/* Q.703 Figure 8, sheets 3 to 5: the next alignment ends with Processor Outage in the place of Ready. */
static void an_outage_lasts_until_it_is_cleared(void **state)
{
	struct gw *g = gw_running();
	const char *why;

	(void)state;
	blocked(g);
	for (unsigned i = 0; i < 2; i++) {
		deactivated(g);
		l2_forget();
		assert_true(gw_operate(g, "a0", SS7_ACTIVATE, &why));
		gw_said(g, "a0", i ? "start" : "start outage");
		assert_int_equal(gw_view(g, "a0").local_outage, i == 0);
		gw_up(g, "a0");
		assert_int_equal(gw_view(g, "a0").available, i == 1);
		gw_operate(g, "a0", SS7_OUTAGE_CLEAR, &why);
	}
	gw_free(g);
}

static void what_the_configuration_orders_is_not_cleared(void **state)
{
	struct gw *g = gw_new();
	const char *why;

	(void)state;
	g->links[0].emergency = true;
	gw_start(g);
	assert_false(gw_operate(g, "a0", SS7_EMERGENCY_CLEAR, &why));
	assert_string_equal(why, "its configuration orders it");
	assert_true(gw_view(g, "a0").emergency);
	gw_free(g);
}

static void a_linkset_is_operated_link_by_link(void **state)
{
	struct gw *g = gw_running();

	(void)state;
	ss7_linkset_operate(ss7_linkset_by_name(g->ss7, "a"), false);
	gw_grace(g);
	assert_string_equal(gw_view(g, "a0").state, "inactive");
	assert_string_equal(gw_view(g, "a1").state, "inactive");
	assert_string_equal(gw_view(g, "b0").state, "active");
	ss7_linkset_operate(ss7_linkset_by_name(g->ss7, "a"), true);
	gw_grace(g);
	assert_string_equal(gw_view(g, "a0").state, "aligning");
	assert_string_equal(gw_view(g, "a1").state, "aligning");
	gw_free(g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_operation_is_done_or_refused),
		cmocka_unit_test(a_deactivated_link_hands_its_traffic_over),
		cmocka_unit_test(a_link_that_has_just_failed_is_deactivated_after_it),
		cmocka_unit_test(an_inhibited_link_carries_nothing_and_stays_active),
		cmocka_unit_test(emergency_shortens_alignments_until_it_is_cleared),
		cmocka_unit_test(an_outage_lasts_until_it_is_cleared),
		cmocka_unit_test(what_the_configuration_orders_is_not_cleared),
		cmocka_unit_test(a_linkset_is_operated_link_by_link),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
