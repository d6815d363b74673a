/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Nodal interworking (RFC 4666 s.1.4.6): what one side learns, told to the other. */
#include <string.h>

#include "rig.h"

static struct gw *with_hlr(struct assoc **hlr)
{
	struct gw *g = gw_running();

	*hlr = rig_active(g->rig, "hlr-1");
	gw_pass_ms(g, 1100); /* T8: what is said from now on is news */
	rig_forget(g->rig);
	l2_forget();
	return g;
}

/* ---- from the neighbours to ASPs ---- */

/* B alone reaches 400; A and B reach 300. The first message may be undone by the second. */
static void transfer_messages_become_ssnm(void **state)
{
	static const struct {
		const char *link;
		uint32_t from;
		struct snm first, second;
		const char *ssnm;
	} rows[] = {
		{"b0", GW_B, {.id = SNM_TFP, .dest = 400}, {0}, "DUNA rc=10 apc=400"},
		{"b0", GW_B, {.id = SNM_TFR, .dest = 400}, {0}, "DRST rc=10 apc=400"},
		{"b0", GW_B, {.id = SNM_TFP, .dest = 400}, {.id = SNM_TFA, .dest = 400},
			"DUNA rc=10 apc=400\nDAVA rc=10 apc=400"},
		{"b0", GW_B, {.id = SNM_TFP, .dest = 300}, {0}, ""},  /* A has it */
		{"a0", GW_A, {.id = SNM_TFP, .dest = 400}, {0}, ""},  /* not its route */
		{"a0", 77, {.id = SNM_TFP, .dest = 300}, {0}, ""},    /* no neighbour */
		{"a0", GW_A, {.id = SNM_TFP, .dest = GW_A}, {0}, ""}, /* itself: nonsense */
		{"a0", GW_A, {.id = SNM_TFR, .dest = GW_A}, {0}, ""},
		{"a0", GW_A, {.id = SNM_TFC, .dest = 400}, {0}, "SCON rc=10 apc=400"},
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct assoc *hlr;
		struct gw *g = with_hlr(&hlr);

		gw_tell(g, rows[i].link, rows[i].from, 0, rows[i].first);
		gw_grace(g);
		if (rows[i].second.dest) {
			gw_tell(g, rows[i].link, rows[i].from, 0, rows[i].second);
			gw_pass_ms(g, 1000); /* T6 */
		}
		rig_expect(hlr, rows[i].ssnm);
		gw_free(g);
	}
}

/* The AS is what the message is addressed to (RFC 4666 s.4.5.1). */
static void a_message_for_an_as_reaches_its_asps(void **state)
{
	static const struct {
		struct snm m;
		const char *ssnm;
	} rows[] = {
		{{.id = SNM_TFC, .dest = 400}, "SCON rc=10 apc=400"},
		{{.id = SNM_UPU, .dest = 400, .user = 5, .cause = UPU_UNEQUIPPED},
			"DUPU rc=10 apc=400 cause/user=1/5"},
		{{.id = SNM_TRA}, ""},
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct assoc *hlr;
		struct gw *g = with_hlr(&hlr);

		gw_tell(g, "a0", 400, 11, rows[i].m);
		rig_expect(hlr, rows[i].ssnm);
		gw_free(g);
	}
}

static void dupu_is_said_once_in_t8(void **state)
{
	const struct snm upu = {.id = SNM_UPU, .dest = 400, .user = 5, .cause = UPU_UNEQUIPPED};
	struct assoc *hlr;
	struct gw *g = with_hlr(&hlr);

	(void)state;
	gw_tell(g, "a0", 400, 0, upu);
	gw_tell(g, "a0", 400, 0, upu);
	rig_expect(hlr, "DUPU rc=10 apc=400 cause/user=1/5");
	gw_pass_ms(g, 1000);
	gw_tell(g, "a0", 400, 0, upu);
	rig_expect(hlr, "DUPU rc=10 apc=400 cause/user=1/5");
	gw_free(g);
}

/* A few at once, then no more than users heed. */
static void scon_without_a_level_is_said_as_often_as_it_is_heeded(void **state)
{
	const struct snm tfc = {.id = SNM_TFC, .dest = 400}, other = {.id = SNM_TFC, .dest = 300};
	struct assoc *hlr;
	struct gw *g = with_hlr(&hlr);

	(void)state;
	for (int i = 0; i < 4; i++) {
		gw_tell(g, "a0", 400, 0, tfc);
		rig_expect(hlr, "SCON rc=10 apc=400");
	}
	gw_tell(g, "a0", 400, 0, tfc);
	gw_tell(g, "a0", 300, 0, other);
	rig_expect(hlr, "SCON rc=10 apc=300");
	gw_pass_ms(g, 239);
	gw_tell(g, "a0", 400, 0, tfc);
	rig_expect(hlr, "");
	gw_pass_ms(g, 1);
	gw_tell(g, "a0", 400, 0, tfc);
	rig_expect(hlr, "SCON rc=10 apc=400");
	gw_free(g);
}

/* ---- from ASPs to the neighbours ---- */

static void an_as_is_allowed_while_it_is_active(void **state)
{
	struct gw *g = gw_running();
	struct assoc *hlr = rig_active(g->rig, "hlr-1");

	(void)state;
	gw_grace(g);
	gw_said(g, "a0", "TFA:11");
	gw_said(g, "b0", "TFA:11");
	gw_pass_ms(g, 1100);
	rig_say(g->rig, hlr, "ASPIA");
	gw_pass_ms(g, 1900); /* T(r): it may come back */
	gw_said(g, "b0", "");
	gw_pass_ms(g, 200);
	gw_said(g, "b0", "TFP:11");
	gw_free(g);
}

/* It has our own point code, as an SG's ASs may (RFC 4666 s.1.4.1): what is missing then is a user part. */
static void an_as_with_our_point_code_is_never_prohibited(void **state)
{
	struct gw *g = gw_new();
	struct assoc *hlr;
	uint8_t msu[16];
	uint32_t len = gw_msu(msu, GW_OWN, MTP3_SI_ISUP, 0, 1);

	(void)state;
	rig_as_conf(g->rig, "hlr")->keys[0].dpc = GW_OWN;
	gw_start(g);
	gw_up(g, "a0");
	hlr = rig_active(g->rig, "hlr-1");
	gw_grace(g);
	l2_forget();
	rig_say(g->rig, hlr, "ASPIA");
	gw_pass_ms(g, 3000); /* T(r) */
	gw_said(g, "a0", "");
	gw_tell(g, "a0", GW_A, 0, (struct snm){.id = SNM_RST, .dest = GW_OWN});
	gw_said(g, "a0", "TFA:1");
	l2_refused(gw_l2(g, "a0"), msu, len, DROP_AS_DOWN);
	gw_settle(g);
	gw_said(g, "a0", "UPU:1");
	gw_free(g);
}

/* A worker has seen a message from OPC to DPC, priority MP, that met congestion. */
static void shown(struct gw *g, const char *link, uint32_t opc, uint32_t dpc, uint8_t mp)
{
	const struct mtp3_label label = {.opc = opc, .dpc = dpc, .si = MTP3_SI_ISUP, .ni = 2, .sls = 3};
	uint8_t msu[MTP3_HEAD_MAX];

	assert_int_equal(mtp3_head_write(msu, PC_ITU, &label), MTP3_OK);
	l2_shown(gw_l2(g, link), msu, mtp3_head_len(PC_ITU), mp);
	gw_settle(g);
}

/* The originating point, wherever it is; not the neighbour by which it came (Q.704 s.11.2.3.1). */
static void congestion_of_an_as_is_told_to_who_sends_there(void **state)
{
	struct assoc *hlr;
	struct gw *g = with_hlr(&hlr);

	(void)state;
	fake_event(g->rig->plane, hlr, PE_CONGESTION, 2, NULL);
	gw_grace(g);
	gw_said(g, "a0", "");
	assert_non_null(plane_table(g->rig->plane)->congestion);
	shown(g, "a0", 400, 11, 0);
	gw_said(g, "a0", "");
	gw_said(g, "b0", "TFC:11");
	fake_event(g->rig->plane, hlr, PE_CONGESTION, 0, NULL);
	gw_grace(g);
	assert_null(plane_table(g->rig->plane)->congestion);
	shown(g, "a0", 400, 11, 0); /* too late */
	gw_said(g, "b0", "");
	gw_free(g);
}

static void with_priorities_who_sends_too_low_is_told(void **state)
{
	struct gw *g = gw_new();
	struct assoc *hlr;

	(void)state;
	g->conf.mtp3.congestion = MTP3_CONG_PRIORITIES;
	gw_start(g);
	gw_up(g, "a0");
	gw_up(g, "b0");
	hlr = rig_active(g->rig, "hlr-1");
	fake_event(g->rig->plane, hlr, PE_CONGESTION, 2, NULL);
	gw_grace(g);
	assert_true(fwd_routing_network(plane_table(g->rig->plane)->routing, 0)->has_priorities);
	l2_forget();
	shown(g, "a0", 400, 11, 2);
	gw_said(g, "b0", "");
	shown(g, "a0", 400, 11, 1);
	gw_said(g, "b0", "TFC:11");
	gw_free(g);
}

static void ansi_has_priorities_in_any_case(void **state)
{
	const struct sg_network *n;
	struct gw *g = gw_new();

	(void)state;
	g->rig->networks[0].variant = PC_ANSI;
	g->conf.mtp3.congestion = MTP3_CONG_INTERNATIONAL;
	gw_start(g);
	n = sg_network_by_name(g->rig->sg, "national");
	assert_false(n->single_level);
	assert_true(fwd_routing_network(plane_table(g->rig->plane)->routing, n->index)->has_priorities);
	gw_free(g);
}

/* RFC 4666 s.1.4.6, 3.4.4 */
static void scon_of_an_asp_becomes_tfc(void **state)
{
	struct assoc *hlr;
	struct gw *g = with_hlr(&hlr);

	(void)state;
	rig_say(g->rig, hlr, "SCON rc=10 apc=11 concerned=400");
	gw_settle(g);
	gw_said(g, "b0", "TFC:11");
	gw_said(g, "a0", "");
	rig_say(g->rig, hlr, "SCON rc=10 apc=22 concerned=400"); /* not its own */
	rig_say(g->rig, hlr, "SCON rc=10 apc=11,12 concerned=400");
	gw_settle(g);
	shown(g, "a0", 400, 11, 0); /* it was about that message alone */
	gw_said(g, "b0", "");
	rig_say(g->rig, hlr, "SCON rc=10 apc=11");
	gw_settle(g);
	gw_said(g, "b0", "");
	shown(g, "a0", 400, 11, 0);
	gw_said(g, "b0", "TFC:11");
	gw_free(g);
}

/* ---- an SG beyond: 500 is there ---- */

static struct gw *with_sg(struct assoc **hlr, struct assoc **sg)
{
	struct gw *g = gw_new();

	rig_asp(g->rig, "sg-1", "127.0.0.9")->role = ROLE_ASP;
	rig_as(g->rig, "sg", 50, 5, FWD_LOADSHARE);
	rig_member(g->rig, rig_as_conf(g->rig, "sg"), "sg-1");
	gw_route(g, 500, "sg", 1);
	gw_start(g);
	gw_up(g, "a0");
	gw_up(g, "b0");
	*hlr = rig_active(g->rig, "hlr-1");
	*sg = rig_connect(g->rig, "sg-1");
	rig_say(g->rig, *sg, "ASPUP_ACK");
	rig_say(g->rig, *sg, "ASPAC_ACK rc=50");
	gw_grace(g);
	gw_pass_ms(g, 1100);
	rig_forget(g->rig);
	l2_forget();
	return g;
}

static void dupu_of_an_sg_becomes_upu_and_dupu(void **state)
{
	struct assoc *hlr, *sg;
	struct gw *g = with_sg(&hlr, &sg);

	(void)state;
	rig_say(g->rig, sg, "DUPU rc=50 apc=500 cause/user=1/5");
	rig_say(g->rig, sg, "DUPU rc=50 apc=500 cause/user=1/5"); /* within T8 */
	gw_settle(g);
	rig_expect(hlr, "DUPU rc=10 apc=500 cause/user=1/5");
	rig_expect(sg, "");
	gw_said(g, "a0", "UPU:500");
	gw_said(g, "b0", "UPU:500");
	rig_say(g->rig, sg, "DUPU rc=50 apc=400 cause/user=1/5"); /* not reached by it */
	gw_settle(g);
	gw_said(g, "b0", "");
	gw_free(g);
}

static void scon_of_an_sg_becomes_tfc_and_scon(void **state)
{
	struct assoc *hlr, *sg;
	struct gw *g = with_sg(&hlr, &sg);

	(void)state;
	rig_say(g->rig, sg, "SCON rc=50 apc=500 level=1");
	gw_settle(g);
	rig_expect(hlr, "SCON rc=10 apc=500");
	shown(g, "a0", 400, 500, 0);
	gw_said(g, "b0", "TFC:500");
	gw_free(g);
}

/* s.3.4.4: the Concerned Destination is who sent what met congestion. */
static void tfc_for_what_is_beyond_an_sg_becomes_scon_with_its_concerned_destination(void **state)
{
	struct assoc *hlr, *sg;
	struct gw *g = with_sg(&hlr, &sg);

	(void)state;
	gw_tell(g, "b0", 400, 500, (struct snm){.id = SNM_TFC, .dest = 400});
	rig_expect(sg, "SCON rc=50 apc=400 concerned=500");
	rig_expect(hlr, "");
	gw_free(g);
}

/* ---- congestion in the SS7 network, with levels (Q.704 s.13.7 to 13.9) ---- */

static struct gw *with_levels(struct assoc **hlr, struct assoc **msc)
{
	struct gw *g = gw_new();

	g->conf.mtp3.congestion = MTP3_CONG_PRIORITIES;
	gw_start(g);
	gw_up(g, "a0");
	gw_up(g, "b0");
	*hlr = rig_active(g->rig, "hlr-1");
	*msc = rig_active(g->rig, "msc-1");
	gw_pass_ms(g, 2000);
	rig_forget(g->rig);
	l2_forget();
	return g;
}

/* The AS alone whose traffic it is hears of it, until the tests in its name are answered no more. */
static void a_level_told_to_an_as_abates_by_tests(void **state)
{
	struct assoc *hlr, *msc;
	struct gw *g = with_levels(&hlr, &msc);

	(void)state;
	gw_tell(g, "b0", GW_B, 11, (struct snm){.id = SNM_TFC, .dest = 400, .level = 2});
	rig_expect(hlr, "SCON rc=10 apc=400 level=2");
	gw_pass_ms(g, 3000); /* T15 */
	gw_said(g, "b0", "RCT");
	gw_tell(g, "b0", GW_B, 11, (struct snm){.id = SNM_TFC, .dest = 400, .level = 2});
	rig_expect(hlr, "SCON rc=10 apc=400 level=2");
	gw_pass_ms(g, 3000);
	gw_said(g, "b0", "RCT");
	gw_pass_ms(g, 2000); /* T16 */
	rig_expect(hlr, "SCON rc=10 apc=400 level=1");
	gw_pass_ms(g, 2000);
	rig_expect(hlr, "SCON rc=10 apc=400 level=0");
	l2_forget();
	gw_pass_ms(g, 10000);
	gw_said(g, "b0", "");
	rig_expect(msc, "");
	gw_free(g);
}

/* Told to the gateway's own point code it is about all that use it as theirs. */
static void a_level_told_to_the_gateway_abates_for_all(void **state)
{
	struct assoc *hlr, *msc;
	struct gw *g = with_levels(&hlr, &msc);

	(void)state;
	gw_tell(g, "b0", GW_B, 0, (struct snm){.id = SNM_TFC, .dest = 400, .level = 1});
	rig_expect(hlr, "SCON rc=10 apc=400 level=1");
	rig_expect(msc, "SCON rc=20 apc=400 level=1");
	gw_pass_ms(g, 3000);
	gw_said(g, "b0", "RCT");
	gw_pass_ms(g, 2000);
	rig_expect(hlr, "SCON rc=10 apc=400 level=0");
	rig_expect(msc, "SCON rc=20 apc=400 level=0");
	gw_free(g);
}

/* ---- what is congested ---- */

static void a_congested_link_makes_its_destinations_congested(void **state)
{
	struct assoc *hlr;
	struct gw *g = with_hlr(&hlr);

	(void)state;
	l2_congestion(gw_l2(g, "b0"), 2);
	gw_grace(g);
	assert_int_equal(gw_linkset_view(g, "b").congestion, 2);
	rig_expect(hlr, "SCON rc=10 apc=200,400"); /* where there is one level, without it, */
	shown(g, "a0", GW_A, 400, 0);
	gw_said(g, "a0", "TFC:400");
	l2_congestion(gw_l2(g, "b0"), 0);
	gw_grace(g);
	rig_expect(hlr, ""); /* and users find out that it is over: Q.704 s.11.2.3.3 */
	gw_free(g);
}

/* ---- what the workers could not forward ---- */

static void what_cannot_be_forwarded_is_answered(void **state)
{
	static const struct {
		uint32_t dpc;
		enum drop_reason why;
		const char *answer;
	} rows[] = {
		{11, DROP_NO_USER, "UPU:11"},    /* the AS has other users */
		{300, DROP_NO_USER, "UPU:300"},  /* somebody has it, by several routes */
		{GW_OWN, DROP_NO_USER, "UPU:1"}, /* nobody else has the point code */
		{GW_OWN, DROP_OWN_DPC, "UPU:1"}, {22, DROP_AS_DOWN, "TFP:22"},
		{999, DROP_NO_ROUTE, "TFP:999"}, {300, DROP_LOOP, "TFP:300"}, {300, DROP_TXQ_FULL, ""},
		{GW_OWN, DROP_AS_DOWN, "UPU:1"}, /* our own point code is there */
		{11, DROP_AS_DOWN, ""},          /* it has come back meanwhile */
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct assoc *hlr;
		struct gw *g = with_hlr(&hlr);
		uint8_t msu[16];
		uint32_t len = gw_msu(msu, rows[i].dpc, MTP3_SI_ISUP, 0, 1);

		l2_refused(gw_l2(g, "a0"), msu, len, rows[i].why);
		gw_settle(g);
		gw_said(g, "a0", rows[i].answer);
		gw_free(g);
	}
}

/* Q.704 s.11.2.7: the AS of this user part is down, the point code is not. */
static void a_user_part_that_is_down_is_told_with_upu(void **state)
{
	static uint8_t isup[] = {5}, sccp[] = {3};
	struct gw *g = gw_new();
	struct as_conf *sms = rig_as(g->rig, "sms", 30, 11, FWD_LOADSHARE);
	struct assoc *hlr;
	uint8_t msu[16];
	uint32_t len = gw_msu(msu, 11, MTP3_SI_ISUP, 0, 1);

	(void)state;
	rig_as_conf(g->rig, "hlr")->keys[0].si = sccp;
	rig_as_conf(g->rig, "hlr")->keys[0].n_si = 1;
	sms->keys[0].si = isup;
	sms->keys[0].n_si = 1;
	gw_start(g);
	gw_up(g, "a0");
	l2_forget();
	l2_refused(gw_l2(g, "a0"), msu, len, DROP_AS_DOWN);
	gw_settle(g);
	gw_said(g, "a0", "TFP:11"); /* nobody is there */
	hlr = rig_active(g->rig, "hlr-1");
	gw_grace(g);
	l2_forget();
	l2_refused(gw_l2(g, "a0"), msu, len, DROP_AS_DOWN);
	gw_settle(g);
	gw_said(g, "a0", "UPU:11");
	rig_say(g->rig, hlr, "ASPIA");
	gw_pass_ms(g, 3000); /* T(r) */
	gw_said(g, "a0", "TFP:11");
	gw_free(g);
}

static void what_is_malformed_is_not_answered(void **state)
{
	struct gw *g = gw_running();
	uint8_t msu[16];

	(void)state;
	gw_msu(msu, 300, MTP3_SI_ISUP, 0, 1);
	l2_refused(gw_l2(g, "a0"), msu, 3, DROP_NO_ROUTE);
	gw_settle(g);
	gw_said(g, "a0", "");
	gw_free(g);
}

/* ---- between the neighbours ---- */

/* 300 goes by A: A is not to send it here, for it would come back (Q.704 s.13.2.2 i). When it goes by B, A
 * may, and B not. */
static void who_carries_a_destination_must_not_send_it_back(void **state)
{
	struct assoc *hlr;
	struct gw *g = with_hlr(&hlr);

	(void)state;
	gw_tell(g, "a0", GW_A, 0, (struct snm){.id = SNM_TFP, .dest = 300});
	gw_pass_ms(g, 1000);
	assert_string_equal(gw_way(g, 300, 0), "b0");
	gw_said(g, "a0", "TFA:300");
	gw_said(g, "b0", "TFP:300");
	gw_free(g);
}

/* B's linkset is there, but the routing has not heard of it when A's is: nothing is told that is undone in
 * the same breath. */
static void what_is_just_becoming_accessible_is_not_prohibited_first(void **state)
{
	struct gw *g = gw_new();

	(void)state;
	gw_start(g);
	l2_forget();
	l2_up(gw_l2(g, "b0"));
	l2_up(gw_l2(g, "a0"));
	gw_grace(g);
	assert_string_equal(gw_way(g, 400, 0), "b0");
	gw_said(g, "a0",
		"TFP:11 TFP:22 TRA TFP:300"); /* the ASs are down; 300 goes by A itself from now on */
	gw_free(g);
}

static void management_for_others_is_sent_on(void **state)
{
	struct assoc *hlr;
	struct gw *g = with_hlr(&hlr);

	(void)state;
	gw_tell(g, "a0", GW_A, 400, (struct snm){.id = SNM_TFC, .dest = 11});
	gw_said(g, "b0", "TFC:11");
	gw_said(g, "a0", "");
	gw_free(g);
}

/* Q.704 s.10.3.2: traffic that nothing else carries needs it. */
static void a_lost_destination_calls_inhibited_links_back(void **state)
{
	struct assoc *hlr;
	struct gw *g = with_hlr(&hlr);
	const char *why;

	(void)state;
	assert_true(gw_operate(g, "a0", SS7_INHIBIT, &why));
	gw_said(g, "a0", "LIN");
	gw_tell(g, "a1", GW_A, 0, (struct snm){.id = SNM_LIA, .slc = 0});
	gw_pass_ms(g, 2000);
	assert_true(gw_view(g, "a0").inhibited_local);
	l2_forget();
	gw_fail(g, "a1");
	gw_grace(g);
	assert_non_null(strstr(l2_said(gw_l2(g, "a0")), "LUN"));
	gw_free(g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(transfer_messages_become_ssnm),
		cmocka_unit_test(a_message_for_an_as_reaches_its_asps),
		cmocka_unit_test(dupu_is_said_once_in_t8),
		cmocka_unit_test(scon_without_a_level_is_said_as_often_as_it_is_heeded),
		cmocka_unit_test(an_as_is_allowed_while_it_is_active),
		cmocka_unit_test(an_as_with_our_point_code_is_never_prohibited),
		cmocka_unit_test(congestion_of_an_as_is_told_to_who_sends_there),
		cmocka_unit_test(with_priorities_who_sends_too_low_is_told),
		cmocka_unit_test(ansi_has_priorities_in_any_case),
		cmocka_unit_test(scon_of_an_asp_becomes_tfc),
		cmocka_unit_test(dupu_of_an_sg_becomes_upu_and_dupu),
		cmocka_unit_test(scon_of_an_sg_becomes_tfc_and_scon),
		cmocka_unit_test(tfc_for_what_is_beyond_an_sg_becomes_scon_with_its_concerned_destination),
		cmocka_unit_test(a_level_told_to_an_as_abates_by_tests),
		cmocka_unit_test(a_level_told_to_the_gateway_abates_for_all),
		cmocka_unit_test(a_congested_link_makes_its_destinations_congested),
		cmocka_unit_test(what_cannot_be_forwarded_is_answered),
		cmocka_unit_test(a_user_part_that_is_down_is_told_with_upu),
		cmocka_unit_test(what_is_malformed_is_not_answered),
		cmocka_unit_test(who_carries_a_destination_must_not_send_it_back),
		cmocka_unit_test(what_is_just_becoming_accessible_is_not_prohibited_first),
		cmocka_unit_test(management_for_others_is_sent_on),
		cmocka_unit_test(a_lost_destination_calls_inhibited_links_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
