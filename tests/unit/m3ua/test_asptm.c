/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ASPAC and ASPIA (RFC 4666 s.4.3.4.3, s.4.3.4.4), one Routing Context at a time, and management blocking. */
#include <stdio.h>
#include <string.h>

#include "rig.h"

/* hlr-1 is in hlr (10, loadshare), msc (20, override) and sms (30, broadcast). */
static struct rig *rig_of_three(struct assoc **a)
{
	struct rig *r = rig_new();
	struct as_conf *sms = rig_as(r, "sms", 30, 33, FWD_BROADCAST);

	rig_member(r, rig_as_conf(r, "msc"), "hlr-1");
	rig_member(r, sms, "hlr-1");
	rig_start(r);
	*a = rig_up(r, "hlr-1");
	return r;
}

static void aspac_before_aspup_is_unexpected(void **state)
{
	struct rig *r = rig_new();
	struct assoc *a;

	(void)state;
	rig_start(r);
	a = rig_connect(r, "hlr-1");
	rig_say(r, a, "ASPAC rc=10");
	rig_expect(a, "ERR err=6 rc=10");
	rig_say(r, a, "ASPIA");
	rig_expect(a, "ERR err=6");
	assert_int_equal(rig_state(r, "hlr", "hlr-1"), ASP_DOWN);
	rig_free(r);
}

static void aspac_changes_only_its_routing_contexts(void **state)
{
	struct assoc *a;
	struct rig *r = rig_of_three(&a);

	(void)state;
	rig_say(r, a, "ASPAC rc=20");
	rig_expect(a, "ASPAC_ACK rc=20\nNTFY st=1/3 rc=20");
	assert_int_equal(rig_state(r, "hlr", "hlr-1"), ASP_INACTIVE);
	assert_int_equal(rig_state(r, "msc", "hlr-1"), ASP_ACTIVE);
	assert_true(rig_accepts(r, a, 20));
	assert_false(rig_accepts(r, a, 10));
	rig_say(r, a, "ASPAC rc=30,10");
	rig_expect(a, "ASPAC_ACK rc=30,10\nNTFY st=1/3 rc=30\nNTFY st=1/3 rc=10\n"
		      /* each AS learns of the others' destinations */
		      "DAVA rc=10,20 apc=33\nDAVA rc=20,30 apc=11");
	rig_say(r, a, "ASPIA rc=20");
	rig_expect_after_grace(r, a, "ASPIA_ACK rc=20\nNTFY st=1/4 rc=20");
	assert_int_equal(rig_state(r, "hlr", "hlr-1"), ASP_ACTIVE);
	assert_int_equal(rig_state(r, "msc", "hlr-1"), ASP_INACTIVE);
	assert_int_equal(rig_state(r, "sms", "hlr-1"), ASP_ACTIVE);
	rig_free(r);
}

static void without_routing_context_it_is_about_all(void **state)
{
	struct assoc *a;
	struct rig *r = rig_of_three(&a);

	(void)state;
	rig_say(r, a, "ASPAC");
	rig_expect(a, "ASPAC_ACK rc=10,20,30\nNTFY st=1/3 rc=10\nNTFY st=1/3 rc=20\nNTFY st=1/3 rc=30\n"
		      "DAVA rc=20,30 apc=11\nDAVA rc=10,30 apc=22\nDAVA rc=10,20 apc=33");
	rig_say(r, a, "ASPIA");
	rig_expect_after_grace(
		r, a, "ASPIA_ACK rc=10,20,30\nNTFY st=1/4 rc=10\nNTFY st=1/4 rc=20\nNTFY st=1/4 rc=30");
	rig_free(r);
}

static void repeated_aspac_and_aspia_are_acknowledged_again(void **state)
{
	struct rig *r = rig_new();
	struct assoc *a;

	(void)state;
	rig_start(r);
	a = rig_active(r, "hlr-1");
	rig_say(r, a, "ASPAC tmt=2 rc=10");
	rig_expect_after_grace(r, a, "ASPAC_ACK tmt=2 rc=10");
	rig_say(r, a, "ASPIA");
	rig_forget(r);
	rig_say(r, a, "ASPIA rc=10");
	rig_expect(a, "ASPIA_ACK rc=10");
	rig_free(r);
}

static void a_routing_context_twice_in_a_message_counts_once(void **state)
{
	struct rig *r = rig_new();
	struct assoc *a;

	(void)state;
	rig_start(r);
	a = rig_up(r, "hlr-1");
	rig_say(r, a, "ASPAC rc=10,10,10");
	rig_expect(a, "ASPAC_ACK rc=10\nNTFY st=1/3 rc=10");
	rig_free(r);
}

/* s.4.3.4.3: "a corresponding RK has not been previously defined": No Configured AS for ASP. */
static void aspac_of_an_unknown_routing_context(void **state)
{
	struct assoc *a;
	struct rig *r = rig_of_three(&a);

	(void)state;
	rig_say(r, a, "ASPAC rc=99");
	rig_expect(a, "ERR err=26 rc=99");
	rig_say(r, a, "ASPAC rc=98,10,99");
	rig_expect(a, "ERR err=26 rc=98,99\nASPAC_ACK rc=10\nNTFY st=1/3 rc=10");
	rig_free(r);
}

static void an_as_of_others_is_unknown_to_the_asp(void **state)
{
	struct rig *r = rig_new();
	struct assoc *a;

	(void)state;
	rig_start(r);
	a = rig_up(r, "hlr-1");
	rig_say(r, a, "ASPAC rc=20");
	rig_expect(a, "ERR err=26 rc=20");
	assert_int_equal(rig_as_state(r, "msc"), AS_DOWN);
	rig_free(r);
}

/* s.4.3.4.4: an Error for each. */
static void aspia_of_unknown_routing_contexts(void **state)
{
	struct assoc *a;
	struct rig *r = rig_of_three(&a);

	(void)state;
	rig_say(r, a, "ASPIA rc=98,10,99");
	rig_expect(a, "ERR err=25 rc=98\nERR err=25 rc=99\nASPIA_ACK rc=10");
	rig_free(r);
}

static void any_number_of_routing_contexts_costs_bounded_answers(void **state)
{
	struct rig *r = rig_new();
	char text[8000] = "ASPIA rc=100";
	unsigned lines = 0;
	struct assoc *a;
	const char *sent;

	(void)state;
	for (unsigned i = 101; i < 1100; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), ",%u", i);
	rig_start(r);
	a = rig_up(r, "hlr-1");
	rig_say(r, a, text);
	for (sent = fake_sent(a); *sent; sent++)
		lines += *sent == '\n';
	assert_int_equal(lines, 17);
	rig_free(r);
}

static void asp_of_no_as(void **state)
{
	struct rig *r = rig_new();
	struct assoc *a;

	(void)state;
	rig_asp(r, "loner", "127.0.0.9");
	rig_start(r);
	a = rig_up(r, "loner");
	rig_say(r, a, "ASPAC");
	rig_expect(a, "ERR err=25");
	rig_say(r, a, "ASPAC rc=10");
	rig_expect(a, "ERR err=26 rc=10");
	rig_say(r, a, "ASPIA");
	rig_expect(a, "ERR err=26");
	rig_say(r, a, "ASPIA rc=10");
	rig_expect(a, "ERR err=25 rc=10");
	rig_free(r);
}

static void another_traffic_mode_is_refused(void **state)
{
	struct rig *r = rig_new();
	struct assoc *a;

	(void)state;
	rig_start(r);
	a = rig_up(r, "hlr-1");
	rig_say(r, a, "ASPAC tmt=1 rc=10");
	rig_expect(a, "ERR err=5 rc=10");
	rig_say(r, a, "ASPAC tmt=3");
	rig_expect(a, "ERR err=5");
	rig_say(r, a, "ASPAC tmt=7");
	rig_expect(a, "ERR err=5");
	assert_int_equal(rig_state(r, "hlr", "hlr-1"), ASP_INACTIVE);
	rig_free(r);
}

static void the_mode_is_refused_per_as(void **state)
{
	struct assoc *a;
	struct rig *r = rig_of_three(&a);

	(void)state;
	rig_say(r, a, "ASPAC tmt=2 rc=10,20,30");
	rig_expect(a, "ERR err=5 rc=20,30\nASPAC_ACK tmt=2 rc=10\nNTFY st=1/3 rc=10");
	rig_free(r);
}

static void as_without_routing_context(void **state)
{
	struct rig *r = rig_new();
	struct assoc *a;

	(void)state;
	rig_as_conf(r, "hlr")->has_rc = false;
	rig_start(r);
	a = rig_connect(r, "hlr-1");
	rig_say(r, a, "ASPUP");
	rig_expect(a, "ASPUP_ACK\nNTFY st=1/2");
	rig_say(r, a, "ASPAC");
	rig_expect(a, "ASPAC_ACK\nNTFY st=1/3");
	assert_false(rig_table_as(r, "hlr")->slots[0].has_rc);
	rig_say(r, a, "ASPIA");
	rig_expect_after_grace(r, a, "ASPIA_ACK\nNTFY st=1/4");
	rig_free(r);
}

static void routing_context_zero_is_a_value(void **state)
{
	struct rig *r = rig_new();
	struct assoc *a;

	(void)state;
	rig_as_conf(r, "hlr")->rc = 0;
	rig_start(r);
	a = rig_up(r, "hlr-1");
	rig_say(r, a, "ASPAC rc=0");
	rig_expect(a, "ASPAC_ACK rc=0\nNTFY st=1/3 rc=0");
	rig_free(r);
}

static void blocked_asp_is_refused(void **state)
{
	struct rig *r = rig_new();
	struct assoc *a, *b;

	(void)state;
	rig_start(r);
	a = rig_active(r, "hlr-1");
	b = rig_active(r, "hlr-2");
	asp_block(sg_asp_by_name(r->sg, "hlr-1"), true);
	rig_expect(a, "");
	rig_expect_after_grace(r, a, "ASPIA_ACK rc=10");
	rig_expect(b, "");
	assert_int_equal(rig_table_as(r, "hlr")->n_slots, 1);
	assert_true(rig_accepts(r, a, 10)); /* what it had sent before it read that */
	rig_pass_ms(r, 1000);
	assert_false(rig_accepts(r, a, 10));
	rig_say(r, a, "ASPAC rc=10");
	rig_expect(a, "ERR err=13 rc=10");
	rig_say(r, a, "ASPUP");
	rig_expect(a, "ASPUP_ACK");
	asp_block(sg_asp_by_name(r->sg, "hlr-1"), false);
	rig_say(r, a, "ASPAC rc=10");
	rig_expect_after_grace(r, a, "ASPAC_ACK rc=10");
	assert_int_equal(rig_table_as(r, "hlr")->n_slots, 2);
	rig_free(r);
}

static void broadcast_goes_to_all_that_are_active(void **state)
{
	struct rig *r = rig_new();
	struct assoc *a, *b;

	(void)state;
	rig_as_conf(r, "hlr")->mode = FWD_BROADCAST;
	rig_start(r);
	a = rig_active(r, "hlr-1");
	b = rig_active(r, "hlr-2");
	assert_int_equal(rig_table_as(r, "hlr")->n_slots, 2);
	assert_int_equal(rig_table_as(r, "hlr")->n_buckets, 0);
	assert_ptr_equal(rig_table_as(r, "hlr")->slots[0].assoc, a);
	assert_ptr_equal(rig_table_as(r, "hlr")->slots[1].assoc, b);
	rig_free(r);
}

/* DATA under way from an overridden ASP is still taken while it reads its NTFY. */
static void overridden_asp_is_heard_a_little_longer(void **state)
{
	struct rig *r = rig_new();
	struct assoc *a, *b;

	(void)state;
	rig_start(r);
	a = rig_active(r, "msc-1");
	b = rig_up(r, "msc-2");
	rig_say(r, b, "ASPAC");
	fake_grace(r->plane);
	assert_true(rig_accepts(r, a, 20));
	rig_pass_ms(r, 200);
	assert_false(rig_accepts(r, a, 20));
	assert_true(rig_accepts(r, b, 20));
	rig_say(r, a, "ASPAC"); /* and back */
	fake_grace(r->plane);
	assert_true(rig_accepts(r, b, 20));
	rig_say(r, b, "ASPIA"); /* it has understood */
	fake_grace(r->plane);
	assert_false(rig_accepts(r, b, 20));
	assert_true(rig_accepts(r, a, 20));
	rig_pass_ms(r, 1000);
	assert_true(rig_accepts(r, a, 20));
	rig_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(aspac_before_aspup_is_unexpected),
		cmocka_unit_test(aspac_changes_only_its_routing_contexts),
		cmocka_unit_test(without_routing_context_it_is_about_all),
		cmocka_unit_test(repeated_aspac_and_aspia_are_acknowledged_again),
		cmocka_unit_test(a_routing_context_twice_in_a_message_counts_once),
		cmocka_unit_test(aspac_of_an_unknown_routing_context),
		cmocka_unit_test(an_as_of_others_is_unknown_to_the_asp),
		cmocka_unit_test(aspia_of_unknown_routing_contexts),
		cmocka_unit_test(any_number_of_routing_contexts_costs_bounded_answers),
		cmocka_unit_test(asp_of_no_as),
		cmocka_unit_test(another_traffic_mode_is_refused),
		cmocka_unit_test(the_mode_is_refused_per_as),
		cmocka_unit_test(as_without_routing_context),
		cmocka_unit_test(routing_context_zero_is_a_value),
		cmocka_unit_test(blocked_asp_is_refused),
		cmocka_unit_test(broadcast_goes_to_all_that_are_active),
		cmocka_unit_test(overridden_asp_is_heard_a_little_longer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
