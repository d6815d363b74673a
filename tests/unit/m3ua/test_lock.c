/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Management takes an ASP down in order: the traffic ends first, then it is told (RFC 4666 s.4.3.4.1). */
#include "rig.h"

static void a_locked_asp_is_drained_then_told_then_refused(void **state)
{
	struct rig *r = rig_new();
	struct assoc *a, *b;

	(void)state;
	rig_start(r);
	a = rig_active(r, "hlr-1");
	b = rig_active(r, "hlr-2");
	rig_forget(r);
	asp_lock(sg_asp_by_name(r->sg, "hlr-1"), true);
	assert_int_equal(rig_table_as(r, "hlr")->n_slots, 1); /* no more traffic to it */
	rig_expect(a, "");
	rig_expect_after_grace(r, a, "ASPIA_ACK rc=10\nASPDN_ACK");
	rig_expect(b, "");                  /* loadshare with one left: nobody's state but its own */
	assert_true(rig_accepts(r, a, 10)); /* what it had sent before it read that */
	rig_pass_ms(r, 1000);
	assert_false(rig_accepts(r, a, 10));
	rig_say(r, a, "ASPUP");
	rig_expect(a, "ERR err=13");
	rig_say(r, a, "ASPAC");
	rig_expect(a, "ERR err=6");
	asp_lock(sg_asp_by_name(r->sg, "hlr-1"), false);
	rig_expect_after_grace(r, a, "");
	rig_say(r, a, "ASPUP");
	rig_expect(a, "ASPUP_ACK\nNTFY st=1/3 rc=10");
	rig_free(r);
}

static void the_last_active_one_leaves_the_as_pending(void **state)
{
	struct rig *r = rig_new();
	struct assoc *a, *b;

	(void)state;
	rig_start(r);
	a = rig_active(r, "hlr-1");
	b = rig_up(r, "hlr-2");
	asp_lock(sg_asp_by_name(r->sg, "hlr-1"), true);
	rig_expect_after_grace(r, a, "ASPIA_ACK rc=10\nNTFY st=1/4 rc=10\nASPDN_ACK");
	rig_expect(b, "NTFY st=1/4 rc=10");
	assert_int_equal(rig_as_state(r, "hlr"), AS_PENDING);
	rig_free(r);
}

static void what_a_locked_asp_had_sent_is_not_taken_from_a_new_association(void **state)
{
	struct rig *r = rig_new();
	struct assoc *a;

	(void)state;
	rig_start(r);
	a = rig_active(r, "hlr-1");
	asp_lock(sg_asp_by_name(r->sg, "hlr-1"), true);
	fake_grace(r->plane);
	assert_true(rig_accepts(r, a, 10));
	fake_down(r->plane, a, "aborted by peer");
	a = rig_connect(r, "hlr-1");
	fake_grace(r->plane);
	assert_false(rig_accepts(r, a, 10));
	rig_free(r);
}

static void an_asp_without_association_can_be_locked(void **state)
{
	struct rig *r = rig_new();
	struct assoc *a;

	(void)state;
	rig_start(r);
	asp_lock(sg_asp_by_name(r->sg, "hlr-1"), true);
	a = rig_connect(r, "hlr-1");
	rig_say(r, a, "ASPUP");
	rig_expect(a, "ERR err=13");
	rig_free(r);
}

static void shutting_down_ends_with_the_association_and_it_may_return(void **state)
{
	struct rig *r = rig_new();
	struct assoc *a;

	(void)state;
	rig_start(r);
	a = rig_active(r, "hlr-1");
	asp_shut_down(sg_asp_by_name(r->sg, "hlr-1"));
	rig_expect(a, "");
	rig_expect_after_grace(r, a, "ASPIA_ACK rc=10\nNTFY st=1/4 rc=10\nASPDN_ACK\n<shutdown>");
	fake_down(r->plane, a, "closed");
	a = rig_active(r, "hlr-1");
	assert_int_equal(rig_state(r, "hlr", "hlr-1"), ASP_ACTIVE);
	asp_shut_down(sg_asp_by_name(r->sg, "hlr-2")); /* without an association: nothing */
	rig_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_locked_asp_is_drained_then_told_then_refused),
		cmocka_unit_test(the_last_active_one_leaves_the_as_pending),
		cmocka_unit_test(what_a_locked_asp_had_sent_is_not_taken_from_a_new_association),
		cmocka_unit_test(an_asp_without_association_can_be_locked),
		cmocka_unit_test(shutting_down_ends_with_the_association_and_it_may_return),
	};

	return cmocka_run_group_tests_name("lock", tests, NULL, NULL);
}
