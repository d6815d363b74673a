/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The call flows of RFC 4666 section 5, message by message. */
#include "rig.h"

static void one_asp_comes_into_service(void **state)
{
	struct rig *r = rig_new();
	struct assoc *a;

	(void)state;
	rig_start(r);
	a = rig_connect(r, "hlr-1");
	rig_expect(a, "");
	rig_say(r, a, "ASPUP");
	rig_expect(a, "ASPUP_ACK\nNTFY st=1/2 rc=10");
	rig_say(r, a, "ASPAC tmt=2 rc=10");
	rig_expect(a, "ASPAC_ACK tmt=2 rc=10\nNTFY st=1/3 rc=10");
	assert_int_equal(rig_table_as(r, "hlr")->state, FWD_AS_ACTIVE);
	assert_int_equal(rig_table_as(r, "hlr")->n_slots, 1);
	assert_true(rig_accepts(r, a, 10));
	rig_free(r);
}

static void two_asps_one_active(void **state)
{
	struct rig *r = rig_new();
	struct assoc *a, *b;

	(void)state;
	rig_start(r);
	a = rig_connect(r, "msc-1");
	rig_say(r, a, "ASPUP");
	rig_expect(a, "ASPUP_ACK\nNTFY st=1/2 rc=20");
	b = rig_connect(r, "msc-2");
	rig_say(r, b, "ASPUP");
	rig_expect(b, "ASPUP_ACK\nNTFY st=1/2 rc=20");
	rig_expect(a, "");
	rig_say(r, a, "ASPAC");
	rig_expect(a, "ASPAC_ACK rc=20\nNTFY st=1/3 rc=20");
	rig_expect(b, "NTFY st=1/3 rc=20");
	rig_free(r);
}

static void two_asps_share_the_load(void **state)
{
	struct rig *r = rig_new();
	struct assoc *a, *b;

	(void)state;
	rig_start(r);
	a = rig_up(r, "hlr-1");
	b = rig_up(r, "hlr-2");
	rig_say(r, a, "ASPAC tmt=2");
	rig_expect(a, "ASPAC_ACK tmt=2 rc=10\nNTFY st=1/3 rc=10");
	rig_expect(b, "NTFY st=1/3 rc=10");
	rig_say(r, b, "ASPAC tmt=2");
	rig_expect(b, "ASPAC_ACK tmt=2 rc=10");
	rig_expect(a, "");
	assert_int_equal(rig_table_as(r, "hlr")->n_slots, 2);
	rig_free(r);
}

/* Three ASPs, two of them needed. */
static void n_plus_k_becomes_active_with_n(void **state)
{
	struct rig *r = rig_new();
	struct assoc *a, *b, *c;

	(void)state;
	rig_asp(r, "hlr-3", "127.0.0.5");
	rig_member(r, rig_as_conf(r, "hlr"), "hlr-3");
	rig_as_conf(r, "hlr")->min_asps = 2;
	rig_start(r);
	a = rig_up(r, "hlr-1");
	b = rig_up(r, "hlr-2");
	c = rig_up(r, "hlr-3");
	rig_say(r, a, "ASPAC tmt=2");
	rig_expect(a, "ASPAC_ACK tmt=2 rc=10"); /* NTFY AS-ACTIVE is withheld */
	assert_int_equal(rig_table_as(r, "hlr")->state, FWD_AS_UNSERVED);
	rig_say(r, b, "ASPAC tmt=2");
	rig_expect(b, "ASPAC_ACK tmt=2 rc=10\nNTFY st=1/3 rc=10");
	rig_expect(a, "NTFY st=1/3 rc=10");
	rig_expect(c, "NTFY st=1/3 rc=10");
	/* s.5.2.3 */
	rig_say(r, a, "ASPIA");
	rig_expect(a, "");
	rig_expect_after_grace(r, a, "ASPIA_ACK rc=10\nNTFY st=2/1 rc=10");
	rig_expect(c, "NTFY st=2/1 rc=10");
	rig_expect(b, "");
	assert_int_equal(rig_as_state(r, "hlr"), AS_ACTIVE);
	rig_say(r, c, "ASPAC");
	rig_expect(c, "ASPAC_ACK rc=10\nNTFY st=1/3 rc=10");
	rig_expect(a, "NTFY st=1/3 rc=10");
	rig_expect(b, "NTFY st=1/3 rc=10");
	rig_free(r);
}

static void backup_takes_over_after_withdrawal(void **state)
{
	struct rig *r = rig_new();
	struct assoc *a, *b;

	(void)state;
	rig_start(r);
	a = rig_active(r, "msc-1");
	b = rig_up(r, "msc-2");
	rig_say(r, a, "ASPIA rc=20");
	assert_int_equal(rig_table_as(r, "msc")->state, FWD_AS_PENDING);
	rig_expect(a, "");
	rig_expect(b, "");
	assert_true(rig_accepts(r, a, 20)); /* what is under way is welcome until the ACK */
	rig_expect_after_grace(r, a, "ASPIA_ACK rc=20\nNTFY st=1/4 rc=20");
	rig_expect(b, "NTFY st=1/4 rc=20");
	assert_false(rig_accepts(r, a, 20));
	rig_say(r, b, "ASPAC tmt=1 rc=20");
	rig_expect(b, "ASPAC_ACK tmt=1 rc=20\nNTFY st=1/3 rc=20");
	rig_expect(a, "NTFY st=1/3 rc=20");
	rig_free(r);
}

static void backup_overrides(void **state)
{
	struct rig *r = rig_new();
	struct assoc *a, *b;

	(void)state;
	rig_start(r);
	a = rig_active(r, "msc-1");
	b = rig_up(r, "msc-2");
	rig_say(r, b, "ASPAC tmt=1 rc=20");
	rig_expect(b, "ASPAC_ACK tmt=1 rc=20");
	rig_expect(a, ""); /* it may still have DATA coming */
	assert_int_equal(rig_table_as(r, "msc")->n_slots, 1);
	assert_ptr_equal(rig_table_as(r, "msc")->slots[0].assoc, b);
	rig_expect_after_grace(r, a, "NTFY st=2/2 rc=20");
	assert_int_equal(rig_state(r, "msc", "msc-1"), ASP_INACTIVE);
	rig_say(r, a, "ASPIA");
	rig_expect(a, "ASPIA_ACK rc=20");
	rig_free(r);
}

static void the_alternate_asp_is_named(void **state)
{
	struct rig *r = rig_new();
	struct assoc *a, *b;

	(void)state;
	rig_start(r);
	a = rig_active(r, "msc-1");
	b = rig_connect(r, "msc-2");
	rig_say(r, b, "ASPUP asp=7");
	rig_say(r, b, "ASPAC");
	rig_expect_after_grace(r, a, "NTFY st=2/2 asp=7 rc=20");
	rig_free(r);
}

static void withdrawal_and_teardown(void **state)
{
	struct rig *r = rig_new();
	struct assoc *a;

	(void)state;
	rig_start(r);
	a = rig_active(r, "hlr-1");
	rig_say(r, a, "ASPIA rc=10");
	rig_expect_after_grace(r, a, "ASPIA_ACK rc=10\nNTFY st=1/4 rc=10");
	rig_say(r, a, "ASPDN");
	rig_expect(a, "ASPDN_ACK");
	assert_int_equal(rig_as_state(r, "hlr"), AS_PENDING);
	rig_pass_ms(r, 2001);
	assert_int_equal(rig_as_state(r, "hlr"), AS_DOWN);
	rig_say(r, a, "ASPDN");
	rig_expect(a, "ASPDN_ACK");
	rig_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_asp_comes_into_service),
		cmocka_unit_test(two_asps_one_active),
		cmocka_unit_test(two_asps_share_the_load),
		cmocka_unit_test(n_plus_k_becomes_active_with_n),
		cmocka_unit_test(backup_takes_over_after_withdrawal),
		cmocka_unit_test(backup_overrides),
		cmocka_unit_test(the_alternate_asp_is_named),
		cmocka_unit_test(withdrawal_and_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
