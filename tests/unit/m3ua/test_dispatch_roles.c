/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any message, in any state, where the gateway asks: as ASP, as IPSP of single and of double exchange. What
 * belongs to the other direction is unexpected, and changes nothing. test_dispatch.c is the same for the SGP.
 */
#include <stdio.h>
#include <string.h>

#include "m3ua/client.h"
#include "rig.h"

enum peer_state { CONNECTED, UP, ACTIVE, PEER_STATES };

struct row {
	const char *text, *answer[PEER_STATES];
};

#define U  "ERR err=6"
#define UR "ERR err=6 rc=50"
#define ALL(t)                                                                                               \
	{                                                                                                    \
		t, t, t                                                                                      \
	}

static const struct row as_asp[] = {
	{"ERR err=6", ALL("")},
	{"NTFY st=1/3 rc=50", {UR, "", ""}},
	{"NTFY st=1/3 rc=51", {"ERR err=6 rc=51", "ERR err=25 rc=51", "ERR err=25 rc=51"}},
	{"NTFY st=1/9", ALL("ERR err=17")}, /* the dictionary's */
	{"DATA rc=50", ALL("ERR err=22")},  /* the plane's, but for what it cannot read */
	{"DUNA rc=50 apc=22", {UR, "", ""}},
	{"DAVA rc=50 apc=22", {UR, "", ""}},
	{"DRST rc=50 apc=22", {UR, "", ""}},
	{"SCON rc=50 apc=22", {UR, "", ""}},
	{"DUPU rc=50 apc=22 cause/user=1/5", {UR, "", ""}},
	{"DAUD apc=22", ALL(U)},
	{"ASPUP", ALL(U)},
	{"ASPDN", ALL(U)},
	{"BEAT", ALL("BEAT_ACK")},
	{"ASPUP_ACK", {"ASPAC tmt=2 rc=50", "", U}},
	{"ASPDN_ACK", ALL("")},
	{"BEAT_ACK", ALL("")},
	{"ASPAC rc=50", ALL(UR)},
	{"ASPIA rc=50", ALL(UR)},
	{"ASPAC_ACK rc=50", {UR, "", ""}},
	{"ASPIA_ACK rc=50", {UR, "", ""}},
	{"ASPIA_ACK", {U, "", ""}},
	{"REG_REQ", ALL("ERR err=3")},
	{"DEREG_REQ rc=50", ALL("ERR err=3")},
	{"REG_RSP", ALL("ERR err=3")},
	{"DEREG_RSP", ALL("ERR err=3")},
};

static const struct row as_ipsp_se[] = {
	{"ERR err=6", ALL("")},
	{"NTFY st=1/3 rc=50", {UR, "", ""}},
	{"DUNA rc=50 apc=55", {UR, "", ""}},
	{"DAVA rc=50 apc=55", {UR, "", ""}},
	{"DRST rc=50 apc=55", {UR, "", ""}},
	{"SCON rc=50 apc=55", {UR, "", ""}},
	{"DUPU rc=50 apc=55 cause/user=1/5", {UR, "", ""}},
	{"DAUD rc=50 apc=22", {UR, "ERR err=6 rc=50", "DAVA rc=50 apc=22"}},
	{"ASPUP", {"ASPUP_ACK\nNTFY st=1/2 rc=50\nASPAC tmt=2 rc=50", "ASPUP_ACK",
			  "ASPUP_ACK\nERR err=6\nNTFY st=1/4 rc=50"}},
	{"ASPDN", ALL("ASPDN_ACK")},
	{"BEAT", ALL("BEAT_ACK")},
	{"ASPUP_ACK", {"NTFY st=1/2 rc=50\nASPAC tmt=2 rc=50", "", "ERR err=6\nNTFY st=1/4 rc=50"}},
	{"ASPDN_ACK", ALL("")},
	{"BEAT_ACK", ALL("")},
	{"ASPAC tmt=2 rc=50", {UR, "ASPAC_ACK tmt=2 rc=50\nNTFY st=1/3 rc=50", "ASPAC_ACK tmt=2 rc=50"}},
	{"ASPIA rc=50", {UR, "ASPIA_ACK rc=50", "ASPIA_ACK rc=50\nNTFY st=1/4 rc=50"}},
	{"ASPAC_ACK rc=50", {UR, "NTFY st=1/3 rc=50", ""}},
	{"ASPIA_ACK rc=50", {UR, "", "NTFY st=1/4 rc=50"}},
	{"REG_REQ", ALL("ERR err=3")},
};

static const struct row as_ipsp_de[] = {
	{"ERR err=6", ALL("")},
	{"NTFY st=1/3 rc=51", {"ERR err=6 rc=51", "", ""}},
	{"NTFY st=1/3 rc=50", {UR, "ERR err=25 rc=50", "ERR err=25 rc=50"}},
	{"DUNA rc=51 apc=55", {"ERR err=6 rc=51", "", ""}},
	{"DAVA rc=51 apc=55", {"ERR err=6 rc=51", "", ""}},
	{"DRST rc=51 apc=55", {"ERR err=6 rc=51", "", ""}},
	{"SCON rc=51 apc=55", {"ERR err=6 rc=51", "", ""}},
	{"DUPU rc=51 apc=55 cause/user=1/5", {"ERR err=6 rc=51", "", ""}},
	{"DAUD rc=50 apc=22", {UR, "ERR err=6 rc=50", "DAVA rc=50 apc=22"}},
	{"ASPUP", {"ASPUP_ACK\nNTFY st=1/2 rc=50", "ASPUP_ACK", "ASPUP_ACK\nERR err=6\nNTFY st=1/4 rc=50"}},
	{"ASPDN", ALL("ASPDN_ACK")},
	{"BEAT", ALL("BEAT_ACK")},
	{"ASPUP_ACK", {"NTFY st=1/2 rc=50\nASPAC tmt=2 rc=51", "", U}},
	{"ASPDN_ACK", ALL("")},
	{"BEAT_ACK", ALL("")},
	{"ASPAC tmt=2 rc=50", {UR, "ASPAC_ACK tmt=2 rc=50\nNTFY st=1/3 rc=50", "ASPAC_ACK tmt=2 rc=50"}},
	{"ASPIA rc=50", {UR, "ASPIA_ACK rc=50", "ASPIA_ACK rc=50\nNTFY st=1/4 rc=50"}},
	{"ASPAC_ACK rc=51", {"ERR err=6 rc=51", "", ""}},
	{"ASPIA_ACK rc=51", {"ERR err=6 rc=51", "", ""}},
	{"REG_REQ", ALL("ERR err=3")},
};

static struct assoc *in_state(struct rig *r, enum role role, enum peer_state s)
{
	struct assoc *a = fake_assoc(r->plane, "p-1");

	fake_up(r->plane, a);
	if (s >= UP) {
		rig_say(r, a, "ASPUP_ACK");
		if (role == ROLE_IPSP_DE)
			rig_say(r, a, "ASPUP");
	}
	if (s == ACTIVE) {
		rig_say(r, a, role == ROLE_IPSP_DE ? "ASPAC_ACK rc=51" : "ASPAC_ACK rc=50");
		if (role == ROLE_IPSP_DE)
			rig_say(r, a, "ASPAC rc=50");
	}
	rig_forget(r);
	return a;
}

static void try_rows(enum role role, const struct row *rows, unsigned n)
{
	for (unsigned s = 0; s < PEER_STATES; s++)
		for (unsigned i = 0; i < n; i++) {
			struct rig *r = rig_new();
			struct asp_conf *c = rig_asp(r, "p-1", "127.0.0.9");
			struct as_conf *as = rig_as(r, "peer", 50, 55, FWD_LOADSHARE);
			struct assoc *other, *a;

			c->role = (int)role;
			c->side = ASP_CLIENT;
			as->has_own_rc = role == ROLE_IPSP_DE;
			as->own_rc = 51;
			rig_member(r, as, "p-1");
			rig_start(r);
			other = rig_active(r, "msc-1");
			a = in_state(r, role, (enum peer_state)s);
			rig_say(r, a, rows[i].text);
			rig_expect_after_grace(r, a, rows[i].answer[s]);
			assert_int_equal(rig_as_state(r, "msc"), AS_ACTIVE);
			assert_true(rig_accepts(r, other, 20));
			rig_free(r);
		}
}

static void every_type_in_every_state_at_an_asp(void **state)
{
	(void)state;
	try_rows(ROLE_ASP, as_asp, sizeof(as_asp) / sizeof(as_asp[0]));
}

static void every_type_in_every_state_at_an_ipsp_of_single_exchange(void **state)
{
	(void)state;
	try_rows(ROLE_IPSP_SE, as_ipsp_se, sizeof(as_ipsp_se) / sizeof(as_ipsp_se[0]));
}

static void every_type_in_every_state_at_an_ipsp_of_double_exchange(void **state)
{
	(void)state;
	try_rows(ROLE_IPSP_DE, as_ipsp_de, sizeof(as_ipsp_de) / sizeof(as_ipsp_de[0]));
}

static void acknowledgements_of_aspsm_belong_on_stream_0(void **state)
{
	static const struct {
		const char *text, *answer;
	} on_stream_3[] = {
		{"ASPUP_ACK", "ERR err=9"}, {"ASPDN_ACK", "ERR err=9"}, {"NTFY st=1/3 rc=50", ""},
		{"ASPAC_ACK rc=50", ""}, {"ASPIA_ACK rc=50", ""}, {"ASPUP", U}, /* not even on stream 0 */
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(on_stream_3) / sizeof(on_stream_3[0]); i++) {
		struct rig *r = rig_new();
		struct assoc *a;

		rig_asp(r, "p-1", "127.0.0.9")->role = ROLE_ASP;
		rig_asp_conf(r, "p-1")->side = ASP_CLIENT;
		rig_member(r, rig_as(r, "peer", 50, 55, FWD_LOADSHARE), "p-1");
		rig_start(r);
		a = in_state(r, ROLE_ASP, ACTIVE);
		rig_say_on(r, a, 3, on_stream_3[i].text);
		rig_expect(a, on_stream_3[i].answer);
		rig_free(r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_type_in_every_state_at_an_asp),
		cmocka_unit_test(every_type_in_every_state_at_an_ipsp_of_single_exchange),
		cmocka_unit_test(every_type_in_every_state_at_an_ipsp_of_double_exchange),
		cmocka_unit_test(acknowledgements_of_aspsm_belong_on_stream_0),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
