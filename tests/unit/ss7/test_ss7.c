/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From one configuration to the next; peers that arrive; the leave. */
#include <string.h>

#include "rig.h"

/* ---- the start ---- */

static void a_linkset_carries_traffic_when_its_first_link_is_up(void **state)
{
	struct gw *g = gw_new();

	(void)state;
	gw_start(g);
	assert_string_equal(gw_way(g, GW_A, 0), "-");
	assert_false(gw_accepts(g, "a0"));
	gw_said(g, "a0", "start!"); /* the only link of its linkset: emergency (Q.704 s.12.2.4) */
	gw_up(g, "a0");
	assert_string_equal(gw_ways(g, GW_A), "0000000000000000");
	assert_string_equal(gw_ways(g, GW_B), "----------------");
	assert_true(gw_accepts(g, "a0"));
	gw_up(g, "a1");
	gw_pass_ms(g, 2000);
	assert_string_equal(gw_ways(g, GW_A), "0000111100001111");
	gw_free(g);
}

static void an_inactive_link_waits_for_its_operator(void **state)
{
	struct gw *g = gw_new();
	const char *why;

	(void)state;
	g->links[0].inactive = true;
	gw_start(g);
	gw_said(g, "a0", "");
	assert_string_equal(gw_view(g, "a0").state, "inactive");
	assert_true(gw_operate(g, "a0", SS7_ACTIVATE, &why));
	gw_said(g, "a0", "start!");
	gw_free(g);
}

/* ---- reloads ---- */

static void a_reload_of_the_same_touches_nothing(void **state)
{
	struct gw *g = gw_running();
	struct assoc *before = m2pa_link_assoc(gw_l2(g, "a0"));

	(void)state;
	gw_reload(g);
	gw_grace(g);
	for (unsigned i = 0; i < g->conf.n_links; i++)
		gw_said(g, g->links[i].l2.name, "reconfigure");
	assert_ptr_equal(m2pa_link_assoc(gw_l2(g, "a0")), before);
	assert_string_equal(gw_ways(g, GW_A), "0000111100001111");
	gw_free(g);
}

static void drop_link_a1(struct gw *g)
{
	g->linksets[0].n_links = 1;
	gw_change(g, SG_LINK, SG_REMOVE, "a1");
	gw_change(g, SG_LINKSET, SG_UPDATE, "a");
}

/* Its linkset names it no longer; the row of the link itself may stay. */
static void leave_link_a1_out(struct gw *g)
{
	g->linksets[0].n_links = 1;
	gw_change(g, SG_LINKSET, SG_UPDATE, "a");
}

static void add_link_a2(struct gw *g)
{
	gw_link(g, &g->linksets[0], "a2", 2);
	gw_change(g, SG_LINK, SG_ADD, "a2");
	gw_change(g, SG_LINKSET, SG_UPDATE, "a");
}

static void replace_link_a1(struct gw *g)
{
	gw_change(g, SG_LINK, SG_REPLACE, "a1");
}

static void move_link_a1_to_b(struct gw *g)
{
	g->linksets[0].n_links = 1;
	g->links[1].slc = 1;
	g->members[1][g->linksets[1].n_links++] = "a1";
	gw_change(g, SG_LINKSET, SG_UPDATE, "a");
	gw_change(g, SG_LINKSET, SG_UPDATE, "b");
}

static void add_linkset_c(struct gw *g)
{
	gw_link(g, gw_linkset(g, "c", 500), "c0", 0);
	gw_change(g, SG_LINK, SG_ADD, "c0");
	gw_change(g, SG_LINKSET, SG_ADD, "c");
}

static void drop_linkset_a(struct gw *g)
{
	g->linksets[0] = g->linksets[1];
	g->conf.n_linksets = 1;
	g->links[0] = g->links[2];
	g->conf.n_links = 1;
	g->routes[0] = g->routes[2];
	g->rig->conf.n_routes = 2;
	gw_change(g, SG_LINK, SG_REMOVE, "a0");
	gw_change(g, SG_LINK, SG_REMOVE, "a1");
	gw_change(g, SG_LINKSET, SG_REMOVE, "a");
	gw_change(g, SG_ROUTES, SG_UPDATE, "routes");
}

static void replace_linkset_a(struct gw *g)
{
	g->linksets[0].adjacent = 101;
	gw_change(g, SG_LINKSET, SG_REPLACE, "a");
}

static void replace_network(struct gw *g)
{
	g->pcs[0] = 2;
	gw_change(g, SG_NETWORK, SG_REPLACE, "national");
}

static void change_linkset_a_in_place(struct gw *g)
{
	g->linksets[0].test = true;
	g->linksets[0].pending_limit = 7;
	g->linksets[0].max_sif = 4000;
	gw_change(g, SG_LINKSET, SG_UPDATE, "a");
}

/* After the reload and, of what is new, alignment: who carries what, and which links began anew. */
static const struct {
	void (*change)(struct gw *g);
	const char *to_a, *to_b, *new_links;
} reloads[] = {
	{drop_link_a1, "0000000000000000", "0000000000000000", ""},
	{leave_link_a1_out, "0000000000000000", "0000000000000000", ""},
	{add_link_a2, "0022111200021112", "0000000000000000", "a2"},
	{replace_link_a1, "0000111100001111", "0000000000000000", "a1"},
	{move_link_a1_to_b, "0000000000000000", "0000111100001111", "a1"},
	{add_linkset_c, "0000111100001111", "0000000000000000", "c0"},
	{drop_linkset_a, "eeeeeeeeeeeeeeee", "0000000000000000", ""},
	{replace_linkset_a, "eeeeeeeeeeeeeeee", "0000000000000000", "a0 a1"},
	{replace_network, "0000111100001111", "0000000000000000", "a0 a1 b0"},
	{change_linkset_a_in_place, "0000111100001111", "0000000000000000", ""},
};

static void only_what_changed_begins_anew(void **state)
{
	(void)state;
	for (unsigned i = 0; i < sizeof(reloads) / sizeof(reloads[0]); i++) {
		struct gw *g = gw_running();
		char begun[64] = "";

		reloads[i].change(g);
		gw_reload(g);
		gw_grace(g);
		for (unsigned k = 0; k < g->conf.n_links; k++) {
			const char *name = g->links[k].l2.name;

			if (!ss7_link_by_name(g->ss7, name) || !strstr(l2_said(gw_l2(g, name)), "start"))
				continue;
			snprintf(begun + strlen(begun), sizeof(begun) - strlen(begun), "%s%s",
				*begun ? " " : "", name);
			gw_up(g, name);
		}
		gw_pass_ms(g, 2000);
		assert_string_equal(begun, reloads[i].new_links);
		assert_string_equal(gw_ways(g, GW_A), reloads[i].to_a);
		assert_string_equal(gw_ways(g, GW_B), reloads[i].to_b);
		gw_free(g);
	}
}

static void a_link_that_leaves_hands_its_traffic_over_at_once(void **state)
{
	struct gw *g = gw_running();

	(void)state;
	drop_link_a1(g);
	gw_reload(g); /* the fake level 2 aborts if a table names what is removed */
	assert_null(ss7_link_by_name(g->ss7, "a1"));
	assert_int_equal(gw_linkset_view(g, "a").links, 1);
	assert_int_equal(gw_linkset_view(g, "b").links, 1);
	gw_free(g);
}

static void a_linkset_takes_its_local_point_code_from_itself_or_its_network(void **state)
{
	struct gw *g = gw_running();

	(void)state;
	assert_int_equal(gw_linkset_view(g, "a").local, GW_OWN);
	g->linksets[0].has_local = true;
	g->linksets[0].local = 9;
	gw_change(g, SG_LINKSET, SG_REPLACE, "a");
	gw_reload(g);
	assert_int_equal(gw_linkset_view(g, "a").local, 9);
	assert_int_equal(gw_linkset_view(g, "b").local, GW_OWN);
	gw_free(g);
}

static void count_linkset(void *arg, const struct ss7_linkset *ls)
{
	(void)ls;
	++*(unsigned *)arg;
}

static void count_link(void *arg, const struct ss7_link *l)
{
	(void)l;
	++*(unsigned *)arg;
}

static void the_console_walks_linksets_and_links(void **state)
{
	struct gw *g = gw_running();
	unsigned linksets = 0, all = 0, of_a = 0;

	(void)state;
	ss7_each_linkset(g->ss7, count_linkset, &linksets);
	ss7_each_link(g->ss7, NULL, count_link, &all);
	ss7_each_link(g->ss7, ss7_linkset_by_name(g->ss7, "a"), count_link, &of_a);
	assert_int_equal(linksets, 2);
	assert_int_equal(all, 3);
	assert_int_equal(of_a, 2);
	assert_null(ss7_linkset_by_name(g->ss7, "nobody"));
	assert_null(ss7_link_by_name(g->ss7, "nobody"));
	gw_free(g);
}

static void a_network_tells_what_level_3_has_sent_in_it(void **state)
{
	struct gw *g = gw_running();
	struct ss7_net_view v;

	(void)state;
	assert_true(ss7_net_view(g->ss7, "national", &v));
	assert_string_equal(v.restart, "done");
	assert_int_equal(v.tx[SNM_TRA], 3);
	gw_tell(g, "a0", GW_A, 0, (struct snm){.id = SNM_TFP, .dest = 300});
	gw_tell(g, "a0", 77, 0, (struct snm){.id = SNM_TFP, .dest = 300}); /* no neighbour */
	assert_true(ss7_net_view(g->ss7, "national", &v));
	assert_int_equal(v.rx[SNM_TFP], 2);
	assert_int_equal(v.strays, 1);
	assert_false(ss7_net_view(g->ss7, "elsewhere", &v));
	gw_free(g);
}

/* ---- peers that arrive ---- */

static void a_peer_that_is_no_asp_is_brought_to_the_links(void **state)
{
	struct gw *g = gw_running();

	(void)state;
	l2_incoming(false);
	assert_null(fake_arrive(g->rig->plane, "asps", "127.0.1.1", 5000));
	assert_string_equal(l2_incoming(false), "asps");
	assert_non_null(fake_arrive(g->rig->plane, "asps", "127.0.0.1", 5000)); /* hlr-1 */
	assert_string_equal(l2_incoming(false), "");
	gw_free(g);
}

static void listeners_let_in_the_links_that_wait_for_their_peers(void **state)
{
	struct gw *g = gw_new();

	(void)state;
	g->links[0].l2.side = M2PA_LINK_CLIENT;
	g->links[1].l2.listener = "another";
	gw_start(g);
	gw_reload(g);
	assert_int_equal(fake_permitted(g->rig->plane, "asps"), 4 + 1); /* the ASPs, and b0 */
	gw_free(g);
}

static void events_of_links_are_theirs(void **state)
{
	struct gw *g = gw_running();
	struct plane_event ev = {.kind = PE_M2PA_FAULT};
	enum plane_event_kind last;

	(void)state;
	assert_false(ss7_has(&ev)); /* a listener's, say */
	ev.assoc = m2pa_link_assoc(gw_l2(g, "a0"));
	assert_true(ss7_has(&ev));
	ss7_on_event(g->ss7, &ev);
	assert_int_equal(l2_events(&last), 1);
	assert_int_equal(last, PE_M2PA_FAULT);
	gw_free(g);
}

/* ---- the leave ---- */

static void left(void *arg)
{
	++*(unsigned *)arg;
}

static bool has_said(struct gw *g, const char *link, const char *word)
{
	return strstr(l2_said(gw_l2(g, link)), word) != NULL;
}

/* b is what 300 falls back on: it is there until what a has left behind has gone its way. */
static void linksets_leave_one_after_the_other_the_alternative_last(void **state)
{
	struct gw *g = gw_running();
	unsigned done = 0;
	uint8_t msu[16];

	(void)state;
	l2_forget();
	ss7_shutdown(g->ss7, 5000, left, &done);
	assert_true(has_said(g, "a0", "stop") && has_said(g, "a1", "stop"));
	gw_pass_ms(g, 1410); /* T2 for a0, whose order nobody answers; T1 for a1 */
	assert_false(has_said(g, "b0", "stop"));
	l2_given_back(gw_l2(g, "a0"), 0);
	l2_give_back(gw_l2(g, "a1"), msu, gw_msu(msu, 300, MTP3_SI_ISUP, 3, 1));
	l2_given_back(gw_l2(g, "a1"), 1);
	gw_settle(g);
	assert_true(has_said(g, "b0", "3#1"));
	gw_pass_ms(g, 20);
	assert_true(has_said(g, "b0", "stop"));
	assert_int_equal(done, 0);
	l2_all_gone(true);
	gw_pass_ms(g, 20);
	assert_int_equal(done, 1);
	gw_free(g);
}

static void a_c_linkset_leaves_last_whatever_its_routes(void **state)
{
	struct gw *g = gw_new();
	unsigned done = 0;

	(void)state;
	g->linksets[0].c_link = true;
	gw_start(g);
	gw_up(g, "a0");
	gw_up(g, "b0");
	l2_forget();
	ss7_shutdown(g->ss7, 5000, left, &done);
	assert_true(has_said(g, "b0", "stop"));
	assert_false(has_said(g, "a0", "stop"));
	gw_free(g);
}

static void the_leave_waits_for_older_tables_and_for_the_last_association(void **state)
{
	struct gw *g = gw_running();
	unsigned done = 0;

	(void)state;
	ss7_shutdown(g->ss7, 5000, left, &done);
	assert_string_equal(gw_way(g, GW_A, 0), "held");
	gw_pass_ms(g, 2490); /* nobody gives anything back */
	assert_false(has_said(g, "a0", "shutdown"));
	gw_pass_ms(g, 20); /* half of the time */
	assert_true(has_said(g, "a0", "shutdown"));
	gw_pass_ms(g, 100);
	assert_int_equal(done, 0);
	l2_all_gone(true);
	gw_pass_ms(g, 100);
	assert_int_equal(done, 1);
	gw_free(g);
}

static void the_leave_has_an_end(void **state)
{
	struct gw *g = gw_running();
	unsigned done = 0;

	(void)state;
	ss7_shutdown(g->ss7, 500, left, &done);
	gw_pass_ms(g, 490);
	assert_int_equal(done, 0);
	gw_pass_ms(g, 30);
	assert_int_equal(done, 1);
	gw_free(g);
}

static void a_reload_during_the_leave_brings_nothing_back(void **state)
{
	struct gw *g = gw_running();
	unsigned done = 0;

	(void)state;
	ss7_shutdown(g->ss7, 500, left, &done);
	add_link_a2(g);
	gw_reload(g);
	assert_null(ss7_link_by_name(g->ss7, "a2"));
	gw_free(g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_linkset_carries_traffic_when_its_first_link_is_up),
		cmocka_unit_test(an_inactive_link_waits_for_its_operator),
		cmocka_unit_test(a_reload_of_the_same_touches_nothing),
		cmocka_unit_test(only_what_changed_begins_anew),
		cmocka_unit_test(a_link_that_leaves_hands_its_traffic_over_at_once),
		cmocka_unit_test(a_linkset_takes_its_local_point_code_from_itself_or_its_network),
		cmocka_unit_test(the_console_walks_linksets_and_links),
		cmocka_unit_test(a_network_tells_what_level_3_has_sent_in_it),
		cmocka_unit_test(a_peer_that_is_no_asp_is_brought_to_the_links),
		cmocka_unit_test(listeners_let_in_the_links_that_wait_for_their_peers),
		cmocka_unit_test(linksets_leave_one_after_the_other_the_alternative_last),
		cmocka_unit_test(events_of_links_are_theirs),
		cmocka_unit_test(a_c_linkset_leaves_last_whatever_its_routes),
		cmocka_unit_test(the_leave_waits_for_older_tables_and_for_the_last_association),
		cmocka_unit_test(the_leave_has_an_end),
		cmocka_unit_test(a_reload_during_the_leave_brings_nothing_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
