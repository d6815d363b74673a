/* SPDX-License-Identifier: GPL-2.0-or-later */
/* IPSP, single and double exchange (RFC 4666 s.4.3, s.4.3.4.1.2, s.4.3.4.3.1, s.4.3.4.4.1, s.5.6), message by
 * message, from either side. */
#include <stdio.h>
#include <string.h>

#include "m3ua/client.h"
#include "rig.h"

/* Peer p-1 in AS peer: RC 50 for what goes there, in double exchange 51 for what comes. */
static struct rig *rig_of(enum role role, enum asp_side side)
{
	struct rig *r = rig_new();
	struct asp_conf *c = rig_asp(r, "p-1", "127.0.0.9");
	struct as_conf *as = rig_as(r, "peer", 50, 55, FWD_LOADSHARE);

	c->role = (int)role;
	c->side = (int)side;
	as->has_own_rc = role == ROLE_IPSP_DE;
	as->own_rc = 51;
	rig_member(r, as, "p-1");
	rig_start(r);
	return r;
}

static struct assoc *connect_client(struct rig *r)
{
	struct assoc *a = fake_assoc(r->plane, "p-1");

	fake_up(r->plane, a);
	return a;
}

static bool sends(struct rig *r)
{
	return rig_table_as(r, "peer")->n_slots == 1;
}

/* ---- single exchange ---- */

/* s.5.6.1 as IPSP-B, which activates. */
static void single_exchange_of_the_example(void **state)
{
	struct rig *r = rig_of(ROLE_IPSP_SE, ASP_SERVER);
	struct assoc *a = rig_connect(r, "p-1");

	(void)state;
	rig_expect(a, ""); /* the other one begins */
	rig_say(r, a, "ASPUP");
	rig_expect(a, "ASPUP_ACK\nNTFY st=1/2 rc=50");
	rig_pass_ms(r, 2000); /* it does not activate: so we do */
	rig_expect(a, "ASPAC tmt=2 rc=50");
	rig_say(r, a, "ASPAC_ACK tmt=2 rc=50");
	rig_expect(a, "NTFY st=1/3 rc=50");
	assert_true(sends(r) && rig_accepts(r, a, 50));
	asp_block(sg_asp_by_name(r->sg, "p-1"), true);
	rig_expect_after_grace(r, a, "ASPIA rc=50\nNTFY st=1/4 rc=50");
	rig_say(r, a, "ASPIA_ACK rc=50");
	assert_false(sends(r) || rig_accepts(r, a, 50));
	rig_say(r, a, "ASPDN");
	rig_expect(a, "ASPDN_ACK");
	assert_int_equal(rig_state(r, "peer", "p-1"), ASP_DOWN);
	rig_free(r);
}

static void the_peer_moves_both_directions(void **state)
{
	struct rig *r = rig_of(ROLE_IPSP_SE, ASP_SERVER);
	struct assoc *a = rig_connect(r, "p-1");

	(void)state;
	rig_say(r, a, "ASPUP");
	rig_forget(r);
	rig_say(r, a, "ASPAC tmt=2 rc=50");
	rig_expect(a, "ASPAC_ACK tmt=2 rc=50\nNTFY st=1/3 rc=50");
	assert_true(sends(r) && rig_accepts(r, a, 50));
	rig_pass_ms(r, 60000);
	rig_expect(a, ""); /* no exchange of ours is needed */
	rig_say(r, a, "ASPIA rc=50");
	rig_expect_after_grace(r, a, "ASPIA_ACK rc=50\nNTFY st=1/4 rc=50");
	assert_false(sends(r) || rig_accepts(r, a, 50));
	rig_pass_ms(r, 19999);
	rig_forget(r);
	rig_pass_ms(r, 1);
	rig_expect(a, "ASPAC tmt=2 rc=50"); /* the peer's wish is not for ever */
	rig_free(r);
}

static void the_side_that_connects_begins(void **state)
{
	struct rig *r = rig_of(ROLE_IPSP_SE, ASP_CLIENT);
	struct assoc *a = connect_client(r);

	(void)state;
	rig_expect(a, "ASPUP");
	rig_say(r, a, "ASPUP_ACK");
	rig_expect(a, "NTFY st=1/2 rc=50\nASPAC tmt=2 rc=50");
	assert_int_equal(rig_state(r, "peer", "p-1"), ASP_INACTIVE);
	rig_say(r, a, "ASPAC_ACK rc=50");
	assert_true(sends(r) && rig_accepts(r, a, 50));
	/* the peer may end it */
	rig_forget(r);
	rig_say(r, a, "ASPDN");
	rig_expect_after_grace(r, a, "ASPDN_ACK");
	assert_false(sends(r) || rig_accepts(r, a, 50));
	rig_pass_ms(r, 20000);
	rig_expect(a, "ASPUP");
	rig_free(r);
}

static void the_other_side_begins_where_nothing_comes(void **state)
{
	struct rig *r = rig_of(ROLE_IPSP_SE, ASP_SERVER);
	struct assoc *a = rig_connect(r, "p-1");

	(void)state;
	rig_pass_ms(r, 1999);
	rig_expect(a, "");
	rig_pass_ms(r, 1);
	rig_expect(a, "ASPUP");
	rig_free(r);
}

static void both_begin_at_once(void **state)
{
	struct rig *r = rig_of(ROLE_IPSP_SE, ASP_CLIENT);
	struct assoc *a = connect_client(r);

	(void)state;
	rig_say(r, a, "ASPUP");
	rig_expect(a, "ASPUP\nASPUP_ACK\nNTFY st=1/2 rc=50\nASPAC tmt=2 rc=50");
	rig_say(r, a, "ASPUP_ACK"); /* due: no error */
	rig_expect(a, "");
	rig_say(r, a, "ASPAC tmt=2 rc=50");
	rig_expect(a, "ASPAC_ACK tmt=2 rc=50\nNTFY st=1/3 rc=50");
	rig_say(r, a, "ASPAC_ACK tmt=2 rc=50");
	rig_expect(a, "");
	assert_true(sends(r) && rig_accepts(r, a, 50));
	rig_pass_ms(r, 60000);
	rig_expect(a, "");
	/* and an acknowledgement that is not due is one: s.4.3.4.1 */
	rig_say(r, a, "ASPUP_ACK");
	rig_expect(a, "ERR err=6\nNTFY st=1/4 rc=50");
	rig_free(r);
}

static void a_peer_that_comes_up_again_is_activated_again(void **state)
{
	struct rig *r = rig_of(ROLE_IPSP_SE, ASP_CLIENT);
	struct assoc *a = connect_client(r);

	(void)state;
	rig_say(r, a, "ASPUP_ACK");
	rig_say(r, a, "ASPAC_ACK rc=50");
	rig_forget(r);
	rig_pass_ms(r, 5000);
	rig_say(r, a, "ASPUP");
	rig_expect_after_grace(r, a, "ASPUP_ACK\nERR err=6\nNTFY st=1/4 rc=50");
	rig_pass_ms(r, 1);
	rig_expect(a, "ASPAC tmt=2 rc=50");
	rig_free(r);
}

/* Of two peers of an override AS one carries the traffic, and the other one follows. */
static void one_peer_of_an_override_as_stands_by(void **state)
{
	struct rig *r = rig_new();
	struct as_conf *as = rig_as(r, "peer", 50, 55, FWD_OVERRIDE);
	struct assoc *a, *b;

	(void)state;
	rig_asp(r, "p-1", "127.0.0.9")->role = ROLE_IPSP_SE;
	rig_asp(r, "p-2", "127.0.0.10")->role = ROLE_IPSP_SE;
	rig_asp_conf(r, "p-1")->side = rig_asp_conf(r, "p-2")->side = ASP_CLIENT;
	rig_member(r, as, "p-1");
	rig_member(r, as, "p-2");
	rig_start(r);
	a = fake_assoc(r->plane, "p-1");
	b = fake_assoc(r->plane, "p-2");
	fake_up(r->plane, a);
	fake_up(r->plane, b);
	rig_say(r, a, "ASPUP_ACK");
	rig_say(r, b, "ASPUP_ACK");
	rig_say(r, a, "ASPAC_ACK rc=50");
	rig_expect(b, "ASPUP\nNTFY st=1/3 rc=50");
	assert_int_equal(rig_state(r, "peer", "p-1"), ASP_ACTIVE);
	fake_down(r->plane, a, "gone");
	rig_expect(b, "NTFY st=2/3 rc=50\nASPAC tmt=1 rc=50\nNTFY st=1/4 rc=50");
	rig_say(r, b, "ASPAC_ACK rc=50");
	assert_int_equal(rig_state(r, "peer", "p-2"), ASP_ACTIVE);
	rig_free(r);
}

/* ---- double exchange ---- */

/* s.5.6.2 as IPSP-A. */
static void double_exchange_of_the_example(void **state)
{
	struct rig *r = rig_of(ROLE_IPSP_DE, ASP_SERVER);
	struct assoc *a = rig_connect(r, "p-1");

	(void)state;
	rig_expect(a, "ASPUP"); /* each for itself */
	rig_say(r, a, "ASPUP");
	rig_expect(a, "ASPUP_ACK\nNTFY st=1/2 rc=50");
	rig_say(r, a, "ASPUP_ACK");
	rig_expect(a, "ASPAC tmt=2 rc=51");
	rig_say(r, a, "ASPAC tmt=2 rc=50");
	rig_expect(a, "ASPAC_ACK tmt=2 rc=50\nNTFY st=1/3 rc=50");
	assert_true(sends(r));
	rig_say(r, a, "ASPAC_ACK tmt=2 rc=51");
	assert_true(rig_accepts(r, a, 51));
	assert_false(rig_accepts(r, a, 50));
	rig_say(r, a, "ASPIA rc=50");
	rig_expect_after_grace(r, a, "ASPIA_ACK rc=50\nNTFY st=1/4 rc=50");
	assert_false(sends(r));
	assert_true(rig_accepts(r, a, 51));
	rig_free(r);
}

static void either_direction_ends_by_itself(void **state)
{
	struct rig *r = rig_of(ROLE_IPSP_DE, ASP_CLIENT);
	struct assoc *a = connect_client(r);

	(void)state;
	rig_say(r, a, "ASPUP_ACK");
	rig_say(r, a, "ASPAC_ACK rc=51");
	assert_true(rig_accepts(r, a, 51));
	assert_false(sends(r));
	rig_say(r, a, "ASPUP");
	rig_say(r, a, "ASPAC rc=50");
	assert_true(sends(r));
	rig_forget(r);
	rig_pass_ms(r, 5000);
	rig_say(r, a, "ASPIA_ACK rc=51"); /* ours */
	assert_true(sends(r));
	rig_pass_ms(r, 1);
	rig_expect(a, "ASPAC tmt=2 rc=51");
	rig_say(r, a, "ASPAC_ACK rc=51");
	rig_say(r, a, "ASPDN"); /* its own */
	rig_expect_after_grace(r, a, "ASPDN_ACK");
	assert_false(sends(r));
	assert_true(rig_accepts(r, a, 51));
	assert_int_equal(sg_asp_by_name(r->sg, "p-1")->client.state, CL_UP);
	rig_free(r);
}

/* "only one single exchange of ASP Up message can be considered sufficient" (s.5.6.2) */
static void one_aspup_is_enough(void **state)
{
	struct rig *r = rig_of(ROLE_IPSP_DE, ASP_CLIENT);
	struct assoc *a = connect_client(r);

	(void)state;
	rig_say(r, a, "ASPUP_ACK");
	assert_int_equal(rig_state(r, "peer", "p-1"), ASP_INACTIVE);
	rig_forget(r);
	rig_say(r, a, "ASPAC tmt=2 rc=50");
	rig_expect(a, "ASPAC_ACK tmt=2 rc=50\nNTFY st=1/3 rc=50");
	rig_say(r, a, "ASPAC_ACK rc=51");
	assert_true(sends(r) && rig_accepts(r, a, 51));
	/* then one ASPDN is, too */
	rig_say(r, a, "ASPDN");
	rig_expect_after_grace(r, a, "ASPDN_ACK");
	assert_false(sends(r) || rig_accepts(r, a, 51));
	assert_int_equal(sg_asp_by_name(r->sg, "p-1")->client.state, CL_IDLE);
	rig_free(r);
}

static void the_wrong_context_is_of_the_other_direction(void **state)
{
	struct rig *r = rig_of(ROLE_IPSP_DE, ASP_CLIENT);
	struct assoc *a = connect_client(r);

	(void)state;
	rig_say(r, a, "ASPUP_ACK");
	rig_forget(r);
	rig_say(r, a, "ASPAC rc=51");
	rig_expect(a, "ERR err=26 rc=51");
	rig_say(r, a, "ASPAC_ACK rc=50");
	rig_expect(a, "ERR err=25 rc=50");
	rig_say(r, a, "NTFY st=1/3 rc=50");
	rig_expect(a, "ERR err=25 rc=50");
	assert_false(sends(r));
	rig_free(r);
}

static void blocking_ends_both_directions(void **state)
{
	struct rig *r = rig_of(ROLE_IPSP_DE, ASP_CLIENT);
	struct assoc *a = connect_client(r);

	(void)state;
	rig_say(r, a, "ASPUP_ACK");
	rig_say(r, a, "ASPAC_ACK rc=51");
	rig_say(r, a, "ASPAC rc=50");
	rig_forget(r);
	asp_block(sg_asp_by_name(r->sg, "p-1"), true);
	rig_expect_after_grace(r, a, "ASPIA rc=51\nASPIA_ACK rc=50\nNTFY st=1/4 rc=50");
	rig_say(r, a, "ASPIA_ACK rc=51");
	rig_say(r, a, "ASPAC rc=50");
	rig_expect(a, "ERR err=13 rc=50");
	assert_false(sends(r) || rig_accepts(r, a, 51));
	rig_free(r);
}

static void leave_ends_both_directions(void **state)
{
	struct rig *r = rig_of(ROLE_IPSP_DE, ASP_CLIENT);
	struct assoc *a = connect_client(r);

	(void)state;
	rig_say(r, a, "ASPUP_ACK");
	rig_say(r, a, "ASPUP");
	rig_say(r, a, "ASPAC_ACK rc=51");
	rig_say(r, a, "ASPAC rc=50");
	rig_forget(r);
	sg_shutdown(r->sg, 5000, NULL, NULL);
	rig_expect_after_grace(r, a, "ASPIA_ACK rc=50\nNTFY st=1/2 rc=50\nASPDN_ACK\nASPIA rc=51");
	rig_say(r, a, "ASPIA_ACK rc=51");
	rig_expect(a, "ASPDN");
	rig_say(r, a, "ASPDN_ACK");
	rig_expect(a, "<shutdown>");
	rig_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(single_exchange_of_the_example),
		cmocka_unit_test(the_peer_moves_both_directions),
		cmocka_unit_test(the_side_that_connects_begins),
		cmocka_unit_test(the_other_side_begins_where_nothing_comes),
		cmocka_unit_test(both_begin_at_once),
		cmocka_unit_test(a_peer_that_comes_up_again_is_activated_again),
		cmocka_unit_test(one_peer_of_an_override_as_stands_by),
		cmocka_unit_test(double_exchange_of_the_example),
		cmocka_unit_test(either_direction_ends_by_itself),
		cmocka_unit_test(one_aspup_is_enough),
		cmocka_unit_test(the_wrong_context_is_of_the_other_direction),
		cmocka_unit_test(blocking_ends_both_directions),
		cmocka_unit_test(leave_ends_both_directions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
