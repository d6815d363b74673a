/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A linkset in the published table: which link has which SLS, and what waits. */
#include <string.h>

#include "rig.h"

static unsigned share(struct gw *g, const char *link)
{
	unsigned n = 0;

	for (unsigned sls = 0; sls < 256; sls++)
		n += !strcmp(gw_way(g, GW_A, (uint8_t)sls), link);
	return n;
}

/* Q.704 s.2.3.2: 4 bits; T1.111.4: 5 or 8. What an ASP says beyond the network's SLS does not count. */
static void the_linksets_sls_decides(void **state)
{
	static const uint8_t rows[] = {4, 5, 8};
	static const char *const links[] = {"a0", "a1", "a2"};

	(void)state;
	for (unsigned i = 0; i < sizeof(rows); i++) {
		struct gw *g = gw_new();

		g->linksets[0].sls_bits = rows[i];
		gw_link(g, &g->linksets[0], "a2", 2);
		gw_start(g);
		for (unsigned k = 0; k < 3; k++)
			gw_up(g, links[k]);
		gw_pass_ms(g, 4000); /* one changeback after the other */
		for (unsigned k = 0; k < 3; k++) {
			assert_in_range(share(g, links[k]), 80, 96);
			assert_int_equal(gw_view(g, links[k]).buckets << (8 - rows[i]), share(g, links[k]));
		}
		for (unsigned sls = 0; sls < 256; sls++)
			assert_string_equal(gw_way(g, GW_A, (uint8_t)sls),
				gw_way(g, GW_A, (uint8_t)(sls & ((1u << rows[i]) - 1))));
		gw_free(g);
	}
}

static void sixteen_links_and_what_waits_have_room(void **state)
{
	struct gw *g = gw_new();
	static char names[14][4];

	(void)state;
	for (uint8_t i = 2; i < MTP3_LINKS; i++) {
		snprintf(names[i - 2], sizeof(names[0]), "a%c", 'a' + i);
		gw_link(g, &g->linksets[0], names[i - 2], i);
	}
	gw_start(g);
	for (unsigned i = 0; i < g->linksets[0].n_links; i++)
		gw_up(g, g->members[0][i]);
	gw_pass_ms(g, 15000);
	assert_int_equal(share(g, "a0"), 16);
	gw_fail(g, "a0");
	assert_int_equal(share(g, "held"), 16);
	assert_int_equal(share(g, names[13]), 16);
	gw_free(g);
}

/* The rest of the traffic goes on. */
static void the_traffic_of_a_link_that_failed_waits(void **state)
{
	struct gw *g = gw_running();

	(void)state;
	gw_fail(g, "a0");
	assert_int_equal(share(g, "held"), 128);
	assert_int_equal(share(g, "a1"), 128);
	assert_int_equal(gw_linkset_view(g, "a").available, 1);
	assert_string_equal(gw_linkset_view(g, "a").state, "up");
	gw_pass_ms(g, 1400); /* T2 */
	l2_given_back(gw_l2(g, "a0"), 0);
	gw_grace(g);
	assert_int_equal(share(g, "a1"), 256);
	gw_free(g);
}

static void all_of_the_linkset_waits_for_its_last_link(void **state)
{
	struct gw *g = gw_running();
	struct assoc *hlr = rig_active(g->rig, "hlr-1");

	(void)state;
	gw_grace(g);
	rig_forget(g->rig);
	gw_fail(g, "b0");
	assert_string_equal(gw_linkset_view(g, "b").state, "pending");
	assert_string_equal(gw_way(g, 400, 0), "held");
	rig_expect(hlr, ""); /* nothing is lost yet: the destinations keep their status */
	gw_pass_ms(g, 800);  /* T1 */
	l2_given_back(gw_l2(g, "b0"), 0);
	gw_grace(g);
	assert_string_equal(gw_linkset_view(g, "b").state, "down");
	assert_string_equal(gw_way(g, 400, 0), "-");
	rig_expect(hlr, "DUNA rc=10 apc=200,400");
	gw_free(g);
}

static void a_changeback_waits_for_its_answer(void **state)
{
	struct gw *g = gw_new();

	(void)state;
	gw_start(g);
	gw_up(g, "a0");
	gw_up(g, "a1");
	assert_int_equal(share(g, "held"), 128);
	assert_int_equal(share(g, "a0"), 128);
	gw_tell(g, "a0", GW_A, 0, (struct snm){.id = SNM_CBA, .slc = 1, .cbc = 0});
	gw_grace(g);
	assert_int_equal(share(g, "a1"), 128);
	gw_free(g);
}

/* What may pass changes with a reload, at once. */
static void slots_say_how_long_a_message_may_be(void **state)
{
	static const uint16_t limits[] = {272, 4095};
	struct gw *g = gw_running();

	(void)state;
	for (unsigned i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
		g->linksets[0].max_sif = limits[i];
		gw_change(g, SG_LINKSET, SG_UPDATE, "a");
		gw_reload(g);
		assert_int_equal(gw_max_sif(g, GW_A), limits[i]);
	}
	gw_free(g);
}

/* ---- between linksets ---- */

/* What the neighbours say of 300, which goes by a first; TFR leaves a restricted route as the last choice. */
static void the_best_route_carries_a_destination(void **state)
{
	static const struct {
		enum snm_id a_says, b_says;
		const char *way;
	} rows[] = {
		{SNM_TFA, SNM_TFA, "a0"},
		{SNM_TFP, SNM_TFA, "b0"},
		{SNM_TFA, SNM_TFP, "a0"},
		{SNM_TFR, SNM_TFA, "b0"},
		{SNM_TFR, SNM_TFR, "a0"},
		{SNM_TFR, SNM_TFP, "a0"},
		{SNM_TFP, SNM_TFP, "-"},
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct gw *g = gw_running();

		gw_tell(g, "a0", GW_A, 0, (struct snm){.id = (uint8_t)rows[i].a_says, .dest = 300});
		gw_tell(g, "b0", GW_B, 0, (struct snm){.id = (uint8_t)rows[i].b_says, .dest = 300});
		gw_pass_ms(g, 1000); /* T6 */
		assert_string_equal(gw_way(g, 300, 0), rows[i].way);
		assert_int_equal(gw_linkset_view(g, "a").not_allowed_there, rows[i].a_says != SNM_TFA);
		assert_int_equal(gw_linkset_view(g, "b").not_allowed_there, rows[i].b_says != SNM_TFA);
		gw_free(g);
	}
}

static void a_linkset_that_is_down_is_no_route(void **state)
{
	struct gw *g = gw_new();

	(void)state;
	gw_start(g);
	assert_string_equal(gw_way(g, 300, 0), "-");
	gw_up(g, "b0");
	assert_string_equal(gw_way(g, 300, 0), "b0");
	assert_string_equal(gw_way(g, 999, 0), "none");
	gw_free(g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_linksets_sls_decides),
		cmocka_unit_test(sixteen_links_and_what_waits_have_room),
		cmocka_unit_test(the_traffic_of_a_link_that_failed_waits),
		cmocka_unit_test(all_of_the_linkset_waits_for_its_last_link),
		cmocka_unit_test(a_changeback_waits_for_its_answer),
		cmocka_unit_test(slots_say_how_long_a_message_may_be),
		cmocka_unit_test(the_best_route_carries_a_destination),
		cmocka_unit_test(a_linkset_that_is_down_is_no_route),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
