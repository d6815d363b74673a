/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From one route to another in order (Q.704 s.6.4, 7, 8): 300 goes by linkset a, else by b. */
#include <string.h>

#include "rig.h"

enum { T3 = 1200, T6 = 500, LAST = 255 };

/* All links in service; T3 and T6 can be told apart. */
static struct gw *started(struct gw *g)
{
	g->conf.mtp3.timer_ms[MTP3_T3] = T3;
	g->conf.mtp3.timer_ms[MTP3_T6] = T6;
	gw_start(g);
	for (unsigned i = 0; i < g->conf.n_links; i++)
		gw_up(g, g->links[i].l2.name);
	gw_pass_ms(g, 4000);
	l2_forget();
	rig_forget(g->rig);
	return g;
}

static struct gw *running(void)
{
	return started(gw_new());
}

static void says(struct gw *g, const char *link, enum snm_id id)
{
	gw_tell(g, link, link[0] == 'a' ? GW_A : GW_B, 0, (struct snm){.id = (uint8_t)id, .dest = 300});
	gw_grace(g);
}

/* DPC's traffic waits for so long, and goes on by LINK then. */
static void waits(struct gw *g, uint32_t dpc, uint32_t ms, const char *link)
{
	assert_string_equal(gw_way(g, dpc, 0), "held");
	gw_pass_ms(g, ms - 2);
	assert_string_equal(gw_way(g, dpc, 0), "held");
	gw_pass_ms(g, 4);
	assert_string_equal(gw_way(g, dpc, 0), link);
}

static void tfp_is_obeyed_at_once_and_tfa_after_t6(void **state)
{
	struct gw *g = running();

	(void)state;
	says(g, "a0", SNM_TFP);
	assert_string_equal(gw_way(g, 300, 0), "b0");
	gw_said(g, "b0", "TFP:300"); /* not back to us */
	gw_said(g, "a0", "TFA:300");
	says(g, "a0", SNM_TFA);
	gw_said(g, "b0", "TFA:300"); /* s.8.2.1 b: before anything goes that way */
	gw_said(g, "a0", "TFP:300");
	waits(g, 300, T6, "a0");
	gw_said(g, "a0", "");
	gw_said(g, "b0", "");
	assert_string_equal(gw_way(g, 400, 0), "b0"); /* never moved */
	gw_free(g);
}

static void tfr_is_obeyed_after_t6(void **state)
{
	struct gw *g = running();

	(void)state;
	says(g, "a0", SNM_TFR);
	waits(g, 300, T6, "b0");
	says(g, "a0", SNM_TFA);
	waits(g, 300, T6, "a0");
	gw_free(g);
}

static void a_route_that_is_lost_meanwhile_ends_the_wait(void **state)
{
	struct gw *g = running();

	(void)state;
	says(g, "a0", SNM_TFR);
	assert_string_equal(gw_way(g, 300, 0), "held");
	says(g, "a0", SNM_TFP); /* forced now */
	assert_string_equal(gw_way(g, 300, 0), "b0");
	says(g, "a0", SNM_TFA);
	assert_string_equal(gw_way(g, 300, 0), "held");
	says(g, "a0", SNM_TFP); /* and back: nothing has gone by a */
	assert_string_equal(gw_way(g, 300, 0), "b0");
	says(g, "a0", SNM_TFA);
	says(g, "b0", SNM_TFP);
	assert_string_equal(gw_way(g, 300, 0), "a0");
	says(g, "a0", SNM_TFP);
	assert_string_equal(gw_way(g, 300, 0), "-");
	says(g, "b0", SNM_TFA); /* s.8.2.3, 6.2.3: it was inaccessible */
	assert_string_equal(gw_way(g, 300, 0), "b0");
	gw_free(g);
}

/* The SLSs that go by a and b together: the upper half is b's. */
static void what_stays_with_a_linkset_does_not_wait(void **state)
{
	struct gw *g = gw_new();

	(void)state;
	g->routes[1].priority = 1;
	started(g);
	assert_string_equal(gw_way(g, 300, 0), "a0");
	assert_string_equal(gw_way(g, 300, LAST), "b0");
	says(g, "a0", SNM_TFP);
	assert_string_equal(gw_way(g, 300, 0), "b0");
	says(g, "a0", SNM_TFA);
	assert_string_equal(gw_way(g, 300, LAST), "b0");
	waits(g, 300, T6, "a0");
	says(g, "a0", SNM_TFR);
	gw_pass_ms(g, T6 - 100);
	assert_string_equal(gw_way(g, 300, 0), "held");
	assert_string_equal(gw_way(g, 300, LAST), "b0");
	says(g, "a0", SNM_TFA);
	says(g, "b0", SNM_TFR); /* what has gone by b to the last is to go by a now: T6 anew */
	assert_string_equal(gw_way(g, 300, 0), "a0");
	assert_string_equal(gw_way(g, 300, LAST), "held");
	gw_pass_ms(g, T6 - 2);
	assert_string_equal(gw_way(g, 300, LAST), "held");
	gw_pass_ms(g, 4);
	assert_string_equal(gw_way(g, 300, LAST), "a1");
	gw_free(g);
}

/* What is given back is sent by b before the table leads there. */
static void all_waits_until_the_last_link_has_changed_over(void **state)
{
	struct gw *g = running();
	uint8_t msu[16];

	(void)state;
	gw_fail(g, "a1");
	gw_pass_ms(g, 1400); /* T2 */
	l2_given_back(gw_l2(g, "a1"), 0);
	gw_grace(g);
	gw_fail(g, "a0");
	gw_grace(g);
	assert_string_equal(gw_way(g, 300, 0), "held");
	gw_pass_ms(g, 800); /* T1 */
	assert_string_equal(gw_way(g, 300, 0), "held");
	l2_forget();
	l2_give_back(gw_l2(g, "a0"), msu, gw_msu(msu, 300, MTP3_SI_ISUP, 0, 7));
	l2_given_back(gw_l2(g, "a0"), 1);
	gw_grace(g);
	assert_string_equal(gw_way(g, 300, 0), "b0");
	assert_int_equal(strncmp(l2_said(gw_l2(g, "b0")), "0#7", 3), 0);
	gw_up(g, "a0");
	waits(g, 300, T3, "a0"); /* s.6.4 */
	gw_free(g);
}

static void a_failure_meanwhile_waits_for_its_changeover(void **state)
{
	struct gw *g = running();

	(void)state;
	says(g, "a0", SNM_TFR);
	gw_fail(g, "a0"); /* 300 is leaving a, and a1 will send what a0 has not */
	gw_pass_ms(g, T6 + 100);
	assert_string_equal(gw_way(g, 300, 0), "held");
	gw_tell(g, "a1", GW_A, 0, (struct snm){.id = SNM_XCA, .slc = 0});
	gw_grace(g);
	assert_string_equal(gw_way(g, 300, 0), "held");
	l2_given_back(gw_l2(g, "a0"), 0);
	gw_grace(g);
	assert_string_equal(gw_way(g, 300, 0), "b0");
	gw_free(g);
}

static void what_is_given_back_obeys_tfp_too(void **state)
{
	struct gw *g = running();
	uint8_t msu[16];

	(void)state;
	gw_fail(g, "a1");
	says(g, "a0", SNM_TFP);
	assert_string_equal(gw_way(g, 300, 0), "held");
	gw_tell(g, "a0", GW_A, 0, (struct snm){.id = SNM_XCA, .slc = 1});
	gw_grace(g);
	l2_forget();
	l2_give_back(gw_l2(g, "a1"), msu, gw_msu(msu, 300, MTP3_SI_ISUP, 3, 7));
	l2_give_back(gw_l2(g, "a1"), msu, gw_msu(msu, GW_A, MTP3_SI_ISUP, 3, 8));
	l2_given_back(gw_l2(g, "a1"), 2);
	gw_grace(g);
	gw_said(g, "b0", "3#7");
	gw_said(g, "a0", "3#8");
	assert_string_equal(gw_way(g, 300, 0), "b0");
	gw_free(g);
}

/* ---- with Application Servers ---- */

static void from_a_linkset_to_an_as_and_back(void **state)
{
	struct gw *g = gw_new();
	struct assoc *hlr;

	(void)state;
	g->conf.mtp3.timer_ms[MTP3_T6] = T6;
	gw_route(g, 11, "b", 1);
	gw_start(g);
	gw_up(g, "b0");
	gw_pass_ms(g, 2000);
	assert_string_equal(gw_way(g, 11, 0), "b0");
	hlr = rig_active(g->rig, "hlr-1");
	gw_grace(g);
	waits(g, 11, T6, "hlr");
	rig_say(g->rig, hlr, "ASPIA rc=10"); /* its messages wait for b as for another ASP */
	gw_grace(g);
	assert_string_equal(gw_way(g, 11, 0), "b0");
	gw_free(g);
}

static void between_application_servers_nothing_waits(void **state)
{
	struct gw *g = gw_new();

	(void)state;
	gw_route(g, 500, "hlr", 1);
	gw_route(g, 500, "msc", 2);
	gw_start(g);
	gw_up(g, "b0");
	rig_active(g->rig, "msc-1");
	gw_grace(g);
	assert_string_equal(gw_way(g, 500, 0), "msc");
	rig_active(g->rig, "hlr-1");
	gw_grace(g);
	assert_string_equal(gw_way(g, 500, 0), "hlr");
	gw_free(g);
}

/* ---- reloads ---- */

static void a_reload_that_prefers_another_route_keeps_the_order(void **state)
{
	struct gw *g = running();

	(void)state;
	g->routes[0].priority = 3;
	gw_change(g, SG_ROUTES, SG_UPDATE, "routes");
	gw_reload(g);
	gw_grace(g);
	waits(g, 300, T6, "b0");
	gw_free(g);
}

static void a_reload_ends_the_wait_of_what_it_removes(void **state)
{
	struct gw *g = running();

	(void)state;
	says(g, "a0", SNM_TFR);
	g->routes[0] = g->routes[2];
	g->rig->conf.n_routes = 1;
	gw_change(g, SG_ROUTES, SG_UPDATE, "routes");
	gw_reload(g);
	gw_grace(g);
	assert_string_equal(gw_way(g, 300, 0), "none");
	gw_pass_ms(g, T6 + 1);
	assert_string_equal(gw_way(g, 300, 0), "none");
	assert_string_equal(gw_way(g, 400, 0), "b0");
	gw_free(g);
}

static void a_linkset_that_a_reload_removes_holds_nothing_up(void **state)
{
	struct gw *g = running();

	(void)state;
	says(g, "a0", SNM_TFR);
	g->linksets[0] = g->linksets[1]; /* b alone */
	g->members[0][0] = "b0";
	g->linksets[0].links = g->members[0];
	g->links[0] = g->links[2];
	g->conf.n_linksets = g->conf.n_links = 1;
	g->routes[0] = g->routes[1];
	g->routes[1] = g->routes[2];
	g->rig->conf.n_routes = 2;
	gw_change(g, SG_LINK, SG_REMOVE, "a0");
	gw_change(g, SG_LINK, SG_REMOVE, "a1");
	gw_change(g, SG_LINKSET, SG_REMOVE, "a");
	gw_change(g, SG_ROUTES, SG_UPDATE, "routes");
	gw_reload(g);
	gw_grace(g);
	assert_string_equal(gw_way(g, 300, 0), "b0");
	gw_free(g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tfp_is_obeyed_at_once_and_tfa_after_t6),
		cmocka_unit_test(tfr_is_obeyed_after_t6),
		cmocka_unit_test(a_route_that_is_lost_meanwhile_ends_the_wait),
		cmocka_unit_test(what_stays_with_a_linkset_does_not_wait),
		cmocka_unit_test(all_waits_until_the_last_link_has_changed_over),
		cmocka_unit_test(a_failure_meanwhile_waits_for_its_changeover),
		cmocka_unit_test(what_is_given_back_obeys_tfp_too),
		cmocka_unit_test(from_a_linkset_to_an_as_and_back),
		cmocka_unit_test(between_application_servers_nothing_waits),
		cmocka_unit_test(a_reload_that_prefers_another_route_keeps_the_order),
		cmocka_unit_test(a_reload_ends_the_wait_of_what_it_removes),
		cmocka_unit_test(a_linkset_that_a_reload_removes_holds_nothing_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
