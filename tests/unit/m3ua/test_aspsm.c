/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ASPUP and ASPDN (RFC 4666 s.4.3.4.1, s.4.3.4.2), and the end of associations. */
#include "rig.h"

static void aspup_is_acknowledged_again(void **state)
{
	struct rig *r = rig_new();
	struct assoc *a;

	(void)state;
	rig_start(r);
	a = rig_up(r, "hlr-1");
	rig_say(r, a, "ASPUP");
	rig_expect_after_grace(r, a, "ASPUP_ACK");
	rig_free(r);
}

static void aspup_while_active_makes_inactive(void **state)
{
	struct rig *r = rig_new();
	struct assoc *a, *b;

	(void)state;
	rig_start(r);
	a = rig_active(r, "hlr-1");
	b = rig_up(r, "hlr-2");
	rig_say(r, a, "ASPUP");
	rig_expect(a, "");
	rig_expect_after_grace(r, a, "ASPUP_ACK\nERR err=6\nNTFY st=1/4 rc=10");
	rig_expect(b, "NTFY st=1/4 rc=10");
	assert_int_equal(rig_state(r, "hlr", "hlr-1"), ASP_INACTIVE);
	rig_free(r);
}

static void asp_that_comes_up_learns_the_state_of_its_as(void **state)
{
	struct rig *r = rig_new();
	struct assoc *a, *b;

	(void)state;
	rig_start(r);
	a = rig_active(r, "hlr-1");
	b = rig_connect(r, "hlr-2");
	rig_say(r, b, "ASPUP");
	rig_expect(b, "ASPUP_ACK\nNTFY st=1/3 rc=10");
	rig_expect(a, "");
	rig_say(r, b, "ASPDN");
	rig_say(r, a, "ASPIA");
	rig_forget(r);
	rig_say(r, b, "ASPUP");
	rig_expect(b, "ASPUP_ACK\nNTFY st=1/4 rc=10");
	rig_free(r);
}

static void every_as_of_the_asp_is_told(void **state)
{
	struct rig *r = rig_new();
	struct assoc *a;

	(void)state;
	rig_member(r, rig_as_conf(r, "msc"), "hlr-1");
	rig_start(r);
	a = rig_connect(r, "hlr-1");
	rig_say(r, a, "ASPUP");
	rig_expect(a, "ASPUP_ACK\nNTFY st=1/2 rc=10\nNTFY st=1/2 rc=20");
	rig_free(r);
}

static void asp_of_no_as_is_up_all_the_same(void **state)
{
	struct rig *r = rig_new();
	struct assoc *a;

	(void)state;
	rig_asp(r, "loner", "127.0.0.9");
	rig_start(r);
	a = rig_connect(r, "loner");
	rig_say(r, a, "ASPUP");
	rig_expect(a, "ASPUP_ACK");
	assert_int_equal(asp_state(sg_asp_by_name(r->sg, "loner")), ASP_INACTIVE);
	rig_free(r);
}

static void asp_identifier_is_required_if_configured(void **state)
{
	struct rig *r = rig_new();
	struct assoc *a;

	(void)state;
	rig_asp_conf(r, "hlr-1")->require_id = true;
	rig_start(r);
	a = rig_connect(r, "hlr-1");
	rig_say(r, a, "ASPUP");
	rig_expect(a, "ERR err=14");
	assert_int_equal(rig_state(r, "hlr", "hlr-1"), ASP_DOWN);
	rig_say(r, a, "ASPUP asp=5");
	rig_expect(a, "ASPUP_ACK\nNTFY st=1/2 rc=10");
	rig_free(r);
}

static void asp_identifier_is_the_configured_one(void **state)
{
	struct rig *r = rig_new();
	struct assoc *a;

	(void)state;
	rig_asp_conf(r, "hlr-1")->has_id = true;
	rig_asp_conf(r, "hlr-1")->id = 5;
	rig_start(r);
	a = rig_connect(r, "hlr-1");
	rig_say(r, a, "ASPUP asp=6");
	rig_expect(a, "ERR err=15");
	rig_say(r, a, "ASPUP");
	rig_expect(a, "ASPUP_ACK\nNTFY st=1/2 rc=10");
	rig_free(r);
}

/* s.3.5.1: unique among the ASPs of an AS, not in the gateway. */
static void asp_identifier_is_unique_in_the_as(void **state)
{
	struct rig *r = rig_new();
	struct assoc *a, *b, *c;

	(void)state;
	rig_start(r);
	a = rig_connect(r, "hlr-1");
	b = rig_connect(r, "hlr-2");
	c = rig_connect(r, "msc-1");
	rig_say(r, a, "ASPUP asp=5");
	rig_forget(r);
	rig_say(r, a, "ASPUP asp=5"); /* its own */
	rig_expect(a, "ASPUP_ACK");
	rig_say(r, b, "ASPUP asp=5");
	rig_expect(b, "ERR err=15");
	rig_say(r, c, "ASPUP asp=5");
	rig_expect(c, "ASPUP_ACK\nNTFY st=1/2 rc=20");
	rig_say(r, a, "ASPDN");
	rig_say(r, b, "ASPUP asp=5");
	rig_expect_after_grace(r, b, "ASPUP_ACK\nNTFY st=1/2 rc=10");
	rig_free(r);
}

static void aspdn_is_always_acknowledged(void **state)
{
	struct rig *r = rig_new();
	struct assoc *a;

	(void)state;
	rig_start(r);
	a = rig_connect(r, "hlr-1");
	rig_say(r, a, "ASPDN");
	rig_expect(a, "ASPDN_ACK");
	rig_say(r, a, "ASPUP");
	rig_forget(r);
	rig_say(r, a, "ASPDN");
	rig_expect(a, "ASPDN_ACK");
	assert_int_equal(rig_as_state(r, "hlr"), AS_DOWN);
	rig_free(r);
}

static void aspdn_while_active_waits_for_the_last_data(void **state)
{
	struct rig *r = rig_new();
	struct assoc *a, *b;

	(void)state;
	rig_start(r);
	a = rig_active(r, "hlr-1");
	b = rig_up(r, "hlr-2");
	rig_say(r, a, "ASPDN");
	assert_int_equal(rig_table_as(r, "hlr")->state, FWD_AS_PENDING);
	rig_expect(a, "");
	rig_expect_after_grace(r, a, "ASPDN_ACK");
	rig_expect(b, "NTFY st=1/4 rc=10"); /* it left in order: no NTFY ASP Failure */
	rig_free(r);
}

static void loss_of_an_association_is_told_as_failure(void **state)
{
	struct rig *r = rig_new();
	struct assoc *a, *b;

	(void)state;
	rig_start(r);
	a = rig_connect(r, "hlr-1");
	rig_say(r, a, "ASPUP asp=77");
	rig_say(r, a, "ASPAC");
	b = rig_active(r, "hlr-2");
	fake_down(r->plane, a, "path failure");
	rig_expect_after_grace(r, b, "NTFY st=2/3 asp=77 rc=10");
	assert_int_equal(rig_table_as(r, "hlr")->n_slots, 1);
	assert_string_equal(sg_asp_by_name(r->sg, "hlr-1")->down_reason, "path failure");
	assert_true(fake_freed(a));
	rig_free(r);
}

static void loss_of_the_last_active_names_it_in_as_pending(void **state)
{
	struct rig *r = rig_new();
	struct assoc *a, *b;

	(void)state;
	rig_start(r);
	a = rig_connect(r, "hlr-1");
	rig_say(r, a, "ASPUP asp=77");
	rig_say(r, a, "ASPAC");
	b = rig_up(r, "hlr-2");
	fake_down(r->plane, a, "path failure");
	rig_expect_after_grace(r, b, "NTFY st=2/3 asp=77 rc=10\nNTFY st=1/4 asp=77 rc=10");
	rig_free(r);
}

static void loss_of_an_asp_that_was_down_is_nobodys_business(void **state)
{
	struct rig *r = rig_new();
	struct assoc *a, *b;

	(void)state;
	rig_start(r);
	a = rig_connect(r, "hlr-1");
	b = rig_up(r, "hlr-2");
	fake_down(r->plane, a, "closed by peer");
	rig_expect_after_grace(r, b, "");
	rig_free(r);
}

static void sctp_restart_resets_the_asp(void **state)
{
	struct rig *r = rig_new();
	struct assoc *a, *b;

	(void)state;
	rig_start(r);
	a = rig_active(r, "hlr-1");
	b = rig_up(r, "hlr-2");
	fake_event(r->plane, a, PE_RESTART, 0, NULL);
	assert_int_equal(rig_state(r, "hlr", "hlr-1"), ASP_DOWN);
	assert_int_equal(rig_table_as(r, "hlr")->n_slots, 0);
	assert_false(rig_accepts(r, a, 10));
	rig_expect_after_grace(r, b, "NTFY st=2/3 rc=10\nNTFY st=1/4 rc=10");
	rig_say(r, a, "ASPUP");
	rig_expect(a, "ASPUP_ACK\nNTFY st=1/4 rc=10");
	rig_say(r, a, "ASPAC");
	assert_int_equal(rig_table_as(r, "hlr")->slots[0].life, 1); /* not that of before */
	rig_free(r);
}

static void answers_that_a_restart_overtook_are_dropped(void **state)
{
	struct rig *r = rig_new();
	struct assoc *a;

	(void)state;
	rig_start(r);
	a = rig_active(r, "hlr-1");
	rig_say(r, a, "ASPIA");
	fake_event(r->plane, a, PE_RESTART, 0, NULL);
	rig_expect_after_grace(r, a, "");
	rig_free(r);
}

static void peer_shutdown_takes_it_out_of_service(void **state)
{
	struct rig *r = rig_new();
	struct assoc *a;

	(void)state;
	rig_start(r);
	a = rig_active(r, "hlr-1");
	fake_event(r->plane, a, PE_PEER_SHUTDOWN, 0, NULL);
	assert_int_equal(rig_state(r, "hlr", "hlr-1"), ASP_DOWN);
	assert_int_equal(rig_table_as(r, "hlr")->n_slots, 0);
	fake_down(r->plane, a, "closed by peer");
	rig_expect_after_grace(r, a, "");
	assert_true(fake_freed(a));
	rig_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(aspup_is_acknowledged_again),
		cmocka_unit_test(aspup_while_active_makes_inactive),
		cmocka_unit_test(asp_that_comes_up_learns_the_state_of_its_as),
		cmocka_unit_test(every_as_of_the_asp_is_told),
		cmocka_unit_test(asp_of_no_as_is_up_all_the_same),
		cmocka_unit_test(asp_identifier_is_required_if_configured),
		cmocka_unit_test(asp_identifier_is_the_configured_one),
		cmocka_unit_test(asp_identifier_is_unique_in_the_as),
		cmocka_unit_test(aspdn_is_always_acknowledged),
		cmocka_unit_test(aspdn_while_active_waits_for_the_last_data),
		cmocka_unit_test(loss_of_an_association_is_told_as_failure),
		cmocka_unit_test(loss_of_the_last_active_names_it_in_as_pending),
		cmocka_unit_test(loss_of_an_asp_that_was_down_is_nobodys_business),
		cmocka_unit_test(sctp_restart_resets_the_asp),
		cmocka_unit_test(answers_that_a_restart_overtook_are_dropped),
		cmocka_unit_test(peer_shutdown_takes_it_out_of_service),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
