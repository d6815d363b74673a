/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What was retrieved goes on to an AS, the alternative of a linkset. */
#include <stdio.h>
#include <string.h>

#include "rig.h"

enum { SERVED = 500 };

/* SERVED by a first, then by hlr. All links are in service, no ASP is active yet. */
static void start(struct gw *g)
{
	gw_route(g, SERVED, "a", 1);
	gw_route(g, SERVED, "hlr", 2);
	gw_start(g);
	for (unsigned i = 0; i < g->conf.n_links; i++)
		gw_up(g, g->links[i].l2.name);
	gw_pass_ms(g, 2000);
	assert_string_equal(gw_way(g, SERVED, 0), "a0");
}

static struct gw *gateway(enum fwd_mode mode)
{
	struct gw *g = gw_new();

	rig_as_conf(g->rig, "hlr")->mode = (int)mode;
	start(g);
	return g;
}

/* a0 is the last link of its linkset, and fails; what it has is to be given back. */
static void lose_the_linkset(struct gw *g)
{
	gw_fail(g, "a1");
	gw_tell(g, "a0", GW_A, 0, (struct snm){.id = SNM_XCA, .slc = 1});
	gw_grace(g);
	l2_given_back(gw_l2(g, "a1"), 0);
	gw_grace(g);
	gw_fail(g, "a0");
	gw_pass_ms(g, 800); /* T1: there is no way for an order */
	assert_string_equal(gw_way(g, SERVED, 0), "held");
	l2_forget();
	rig_forget(g->rig);
	fake_journal(g->rig->plane);
}

/* Its user part has LEN octets. */
static void give_back(struct gw *g, uint8_t si, uint8_t sls, uint32_t len)
{
	uint8_t msu[64] = {0};

	gw_msu(msu, SERVED, si, sls, 0);
	l2_give_back(gw_l2(g, "a0"), msu, mtp3_head_len(PC_ITU) + len);
}

/* And that is all: what control does about it, in order. */
static const char *given_back(struct gw *g)
{
	l2_given_back(gw_l2(g, "a0"), 0);
	gw_settle(g);
	return fake_journal(g->rig->plane);
}

#define DATA                      "DATA rc=10 data=opc:100,dpc:500,si:5,ni:2,mp:0,"
#define assert_begins(text, with) assert_memory_equal((text), (with), strlen(with))

static void what_was_retrieved_becomes_data_and_goes_first(void **state)
{
	struct gw *g = gateway(FWD_LOADSHARE);

	(void)state;
	rig_active(g->rig, "hlr-1");
	lose_the_linkset(g);
	give_back(g, MTP3_SI_ISUP, 3, 1);
	give_back(g, MTP3_SI_ISUP, 3, 2);
	assert_begins(given_back(g), "hlr-1 " DATA "sls:3,len:1\nhlr-1 " DATA "sls:3,len:2\ntable\n");
	assert_string_equal(gw_way(g, SERVED, 3), "hlr");
	assert_int_equal(gw_view(g, "a0").c[MTP3_LC_LOST], 0);
	gw_free(g);
}

/* As the published table has it for what comes later. */
static void what_was_retrieved_goes_to_the_asp_of_its_sls(void **state)
{
	struct gw *g = gateway(FWD_LOADSHARE);
	struct assoc *asps[] = {rig_active(g->rig, "hlr-1"), rig_active(g->rig, "hlr-2")};
	const struct fwd_as *as;
	char sent[2][4096], line[64];

	(void)state;
	lose_the_linkset(g);
	for (uint8_t sls = 0; sls < 16; sls++)
		give_back(g, MTP3_SI_ISUP, sls, sls + 1u);
	given_back(g);
	for (unsigned i = 0; i < 2; i++)
		snprintf(sent[i], sizeof(sent[i]), "%s", fake_sent(asps[i]));
	as = rig_table_as(g->rig, "hlr");
	for (unsigned sls = 0; sls < 16; sls++) {
		bool second = as->slots[as->share[sls]].assoc == asps[1];

		snprintf(line, sizeof(line), "sls:%u,len:%u\n", sls, sls + 1);
		assert_non_null(strstr(sent[second], line));
		assert_null(strstr(sent[!second], line));
	}
	gw_free(g);
}

static void what_was_retrieved_goes_to_the_asp_that_overrides(void **state)
{
	struct gw *g = gateway(FWD_OVERRIDE);

	(void)state;
	rig_active(g->rig, "hlr-1");
	rig_active(g->rig, "hlr-2");
	lose_the_linkset(g);
	give_back(g, MTP3_SI_ISUP, 3, 1);
	give_back(g, MTP3_SI_ISUP, 4, 1);
	assert_begins(given_back(g), "hlr-2 " DATA "sls:3,len:1\nhlr-2 " DATA "sls:4,len:1\n");
	assert_string_equal(fake_sent(fake_assoc(g->rig->plane, "hlr-1")), "");
	gw_free(g);
}

/* RFC 4666 s.4.3.4.3: the first message of each flow has a Correlation Id, for control's flows, too. */
static void every_asp_of_a_broadcast_gets_what_was_retrieved(void **state)
{
	struct gw *g = gateway(FWD_BROADCAST);
	struct assoc *asps[] = {rig_active(g->rig, "hlr-1"), rig_active(g->rig, "hlr-2")};

	(void)state;
	lose_the_linkset(g);
	give_back(g, MTP3_SI_ISUP, 3, 1);
	give_back(g, MTP3_SI_ISUP, 3, 2);
	give_back(g, MTP3_SI_ISUP, 4, 3);
	given_back(g);
	for (unsigned i = 0; i < 2; i++)
		assert_begins(fake_sent(asps[i]),
			DATA "sls:3,len:1 corr=24\n" DATA "sls:3,len:2\n" DATA "sls:4,len:3 corr=40\n");
	gw_free(g);
}

/* By a it left rotated: 3 was 6. */
static void data_has_the_sls_of_before_the_link(void **state)
{
	struct gw *g = gateway(FWD_OVERRIDE);

	(void)state;
	rig_active(g->rig, "hlr-1");
	g->linksets[0].has_rotation = true;
	g->linksets[0].rotation = 4;
	gw_reload(g);
	lose_the_linkset(g);
	give_back(g, MTP3_SI_ISUP, 3, 1);
	assert_begins(given_back(g), "hlr-1 " DATA "sls:6,len:1\n");
	gw_free(g);
}

/* SCCP of SERVED has come to belong to an AS since it was sent; what came since then waits for the
 * changeover, and is let go by a table of its own. */
static void what_was_retrieved_goes_where_messages_of_its_kind_go(void **state)
{
	struct gw *g = gw_new();
	uint8_t sccp = MTP3_SI_SCCP;
	const char *said;

	(void)state;
	g->rig->keys[1][0] = (struct key_conf){.dpc = SERVED, .si = &sccp, .n_si = 1};
	start(g);
	rig_active(g->rig, "hlr-1");
	rig_active(g->rig, "msc-1");
	lose_the_linkset(g);
	give_back(g, MTP3_SI_SCCP, 3, 1);
	give_back(g, MTP3_SI_ISUP, 3, 1);
	said = given_back(g);
	assert_begins(said, "msc-1 DATA rc=20 data=opc:100,dpc:500,si:3,");
	assert_begins(strchr(said, '\n') + 1, "hlr-1 " DATA "sls:3,len:1\n");
	gw_free(g);
}

static void a_pending_as_is_passed_over(void **state)
{
	struct gw *g = gateway(FWD_OVERRIDE);

	(void)state;
	gw_route(g, SERVED, "b", 3);
	gw_change(g, SG_ROUTES, SG_UPDATE, "routes");
	gw_reload(g);
	rig_say(g->rig, rig_active(g->rig, "hlr-1"), "ASPIA rc=10");
	assert_int_equal(rig_as_state(g->rig, "hlr"), AS_PENDING);
	lose_the_linkset(g);
	give_back(g, MTP3_SI_ISUP, 3, 1);
	given_back(g);
	assert_memory_equal(l2_said(gw_l2(g, "b0")), "3#0", 3);
	gw_free(g);
}

static void what_no_other_way_takes_is_counted(void **state)
{
	struct gw *g = gateway(FWD_OVERRIDE);

	(void)state;
	rig_as_conf(g->rig, "hlr")->t_r_ms = 5000;
	rig_say(g->rig, rig_active(g->rig, "hlr-1"), "ASPIA rc=10");
	lose_the_linkset(g);
	give_back(g, MTP3_SI_ISUP, 3, 1);
	give_back(g, MTP3_SI_ISUP, 4, 1);
	given_back(g);
	assert_int_equal(gw_view(g, "a0").c[MTP3_LC_LOST], 2);
	gw_free(g); /* counts the buffers */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_retrieved_becomes_data_and_goes_first),
		cmocka_unit_test(what_was_retrieved_goes_to_the_asp_of_its_sls),
		cmocka_unit_test(what_was_retrieved_goes_to_the_asp_that_overrides),
		cmocka_unit_test(every_asp_of_a_broadcast_gets_what_was_retrieved),
		cmocka_unit_test(data_has_the_sls_of_before_the_link),
		cmocka_unit_test(what_was_retrieved_goes_where_messages_of_its_kind_go),
		cmocka_unit_test(a_pending_as_is_passed_over),
		cmocka_unit_test(what_no_other_way_takes_is_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
