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
		{"b0", GW_B, {.id = SNM_TFP, .dest = 300}, {0}, ""}, /* A has it */
		{"a0", GW_A, {.id = SNM_TFP, .dest = 400}, {0}, ""}, /* not its route */
		{"a0", 77, {.id = SNM_TFP, .dest = 300}, {0}, ""},   /* no neighbour */
		{"a0", GW_A, {.id = SNM_TFC, .dest = 400}, {0}, "SCON rc=10 apc=400 level=1"},
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
		{{.id = SNM_TFC, .dest = 400}, "SCON rc=10 apc=400 level=1"},
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

static void congestion_of_an_as_is_told_to_the_neighbours(void **state)
{
	struct assoc *hlr;
	struct gw *g = with_hlr(&hlr);

	(void)state;
	fake_event(g->rig->plane, hlr, PE_CONGESTION, 2, NULL);
	gw_grace(g);
	gw_said(g, "a0", "TFC:11");
	gw_free(g);
}

static void a_congested_link_makes_its_destinations_congested(void **state)
{
	struct assoc *hlr;
	struct gw *g = with_hlr(&hlr);

	(void)state;
	l2_congestion(gw_l2(g, "b0"), 2);
	gw_grace(g);
	rig_expect(hlr, "SCON rc=10 apc=200,400 level=2");
	l2_congestion(gw_l2(g, "b0"), 0);
	gw_grace(g);
	rig_expect(hlr, "SCON rc=10 apc=200,400 level=0");
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
		{GW_OWN, DROP_NO_USER, "UPU:1"}, /* nobody else has the point code */
		{GW_OWN, DROP_OWN_DPC, "UPU:1"},
		{22, DROP_AS_DOWN, "TFP:22"},
		{999, DROP_NO_ROUTE, "TFP:999"},
		{300, DROP_LOOP, "TFP:300"},
		{300, DROP_TXQ_FULL, ""},
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
		cmocka_unit_test(an_as_is_allowed_while_it_is_active),
		cmocka_unit_test(congestion_of_an_as_is_told_to_the_neighbours),
		cmocka_unit_test(a_congested_link_makes_its_destinations_congested),
		cmocka_unit_test(what_cannot_be_forwarded_is_answered),
		cmocka_unit_test(what_is_malformed_is_not_answered),
		cmocka_unit_test(who_carries_a_destination_must_not_send_it_back),
		cmocka_unit_test(management_for_others_is_sent_on),
		cmocka_unit_test(a_lost_destination_calls_inhibited_links_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
