/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a peer is forgiven, switch by switch: with it, and without. Those of the data plane: test_forward. */
#include <string.h>

#include "rig.h"

static struct rig *rig_with(struct compat_conf compat)
{
	struct rig *r = rig_new();

	rig_asp_conf(r, "hlr-1")->compat = compat;
	return r;
}

static void aspup_while_active_may_change_nothing(void **state)
{
	struct rig *r = rig_with((struct compat_conf){.aspup_ack_only = true});
	struct assoc *a;

	(void)state;
	rig_start(r);
	a = rig_active(r, "hlr-1");
	rig_say(r, a, "ASPUP");
	rig_expect(a, "ASPUP_ACK"); /* at once: nothing to wait for */
	rig_expect_after_grace(r, a, "");
	assert_int_equal(rig_state(r, "hlr", "hlr-1"), ASP_ACTIVE);
	assert_true(rig_accepts(r, a, 10));
	rig_free(r);
}

static void a_peer_may_be_spared_notifications(void **state)
{
	struct rig *r = rig_with((struct compat_conf){.no_ntfy = true});
	struct assoc *a, *b;

	(void)state;
	rig_start(r);
	a = rig_connect(r, "hlr-1");
	b = rig_up(r, "hlr-2");
	rig_say(r, a, "ASPUP");
	rig_say(r, a, "ASPAC");
	rig_expect(a, "ASPUP_ACK\nASPAC_ACK rc=10");
	rig_expect(b, "NTFY st=1/3 rc=10"); /* the others are told as ever */
	rig_free(r);
}

static void an_unfit_traffic_mode_may_be_passed_over(void **state)
{
	struct rig *r = rig_with((struct compat_conf){.ignore_mode = true});
	struct assoc *a;

	(void)state;
	rig_start(r);
	a = rig_up(r, "hlr-1");
	rig_say(r, a, "ASPAC tmt=1 rc=10");
	rig_expect(a, "ASPAC_ACK rc=10\nNTFY st=1/3 rc=10");
	rig_free(r);
}

static void ssnm_may_go_to_inactive_asps(void **state)
{
	struct rig *r = rig_with((struct compat_conf){.ssnm_when_inactive = true});
	struct assoc *a, *other;

	(void)state;
	rig_start(r);
	a = rig_up(r, "hlr-1");
	rig_say(r, a, "DAUD rc=10 apc=22");
	rig_expect(a, "DUNA rc=10 apc=22");
	other = rig_up(r, "msc-1");
	rig_say(r, other, "ASPAC");
	rig_expect(a, "DAVA rc=10 apc=22");
	rig_say(r, a, "ASPDN");
	rig_forget(r);
	rig_say(r, other, "ASPDN");
	rig_pass_ms(r, 2100);
	rig_expect_after_grace(r, a, ""); /* down is down */
	rig_free(r);
}

static void management_may_come_on_any_stream(void **state)
{
	struct rig *r = rig_with((struct compat_conf){.any_stream = true});
	struct assoc *a;

	(void)state;
	rig_start(r);
	a = rig_connect(r, "hlr-1");
	rig_say_on(r, a, 3, "ASPUP");
	rig_expect(a, "ASPUP_ACK\nNTFY st=1/2 rc=10");
	rig_free(r);
}

static const struct fwd_ingress *ingress(struct rig *r, struct assoc *a)
{
	return plane_table(r->plane)->ingress[assoc_id(a)];
}

static void data_may_do_without_routing_context(void **state)
{
	struct rig *r = rig_with((struct compat_conf){.no_rc_in_data = true});
	struct assoc *a, *b;

	(void)state;
	rig_member(r, rig_as_conf(r, "msc"), "hlr-1");
	rig_start(r);
	a = rig_up(r, "hlr-1");
	b = rig_active(r, "hlr-2");
	rig_say(r, a, "ASPAC rc=20");
	rig_forget(r);
	assert_false(ingress(r, a)->rc_required);
	assert_int_equal(ingress(r, a)->only.rc, 20); /* the first it is active in */
	rig_say(r, a, "ASPAC rc=10");
	rig_forget(r);
	assert_int_equal(ingress(r, a)->only.rc, 10);
	for (unsigned i = 0; i < rig_table_as(r, "hlr")->n_slots; i++)
		assert_int_equal(
			rig_table_as(r, "hlr")->slots[i].has_rc, rig_table_as(r, "hlr")->slots[i].assoc == b);
	/* a reload takes it back */
	rig_asp_conf(r, "hlr-1")->compat.no_rc_in_data = false;
	sg_apply(r->sg, &r->conf, NULL, 0);
	assert_true(ingress(r, a)->rc_required);
	for (unsigned i = 0; i < rig_table_as(r, "hlr")->n_slots; i++)
		assert_true(rig_table_as(r, "hlr")->slots[i].has_rc);
	rig_free(r);
}

static void an_sls_may_have_5_bits(void **state)
{
	struct rig *r = rig_with((struct compat_conf){.five_bit_sls = true});
	struct assoc *a, *b;

	(void)state;
	rig_start(r);
	a = rig_active(r, "hlr-1");
	b = rig_active(r, "hlr-2");
	assert_true(ingress(r, a)->rcs[0].sls5);
	assert_false(ingress(r, b)->rcs[0].sls5);
	for (unsigned i = 0; i < rig_table_as(r, "hlr")->n_slots; i++)
		assert_int_equal(rig_table_as(r, "hlr")->slots[i].flags,
			rig_table_as(r, "hlr")->slots[i].assoc == a ? FWD_SLOT_SLS5 : 0);
	rig_asp_conf(r, "hlr-1")->compat.five_bit_sls = false;
	sg_apply(r->sg, &r->conf, NULL, 0);
	assert_false(ingress(r, a)->rcs[0].sls5);
	assert_int_equal(rig_table_as(r, "hlr")->slots[0].flags | rig_table_as(r, "hlr")->slots[1].flags, 0);
	rig_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(aspup_while_active_may_change_nothing),
		cmocka_unit_test(a_peer_may_be_spared_notifications),
		cmocka_unit_test(an_unfit_traffic_mode_may_be_passed_over),
		cmocka_unit_test(ssnm_may_go_to_inactive_asps),
		cmocka_unit_test(management_may_come_on_any_stream),
		cmocka_unit_test(data_may_do_without_routing_context),
		cmocka_unit_test(an_sls_may_have_5_bits),
	};

	return cmocka_run_group_tests_name("compat", tests, NULL, NULL);
}
