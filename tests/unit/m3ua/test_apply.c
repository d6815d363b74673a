/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reloads: what did not change keeps running. */
#include <string.h>

#include "rig.h"

/* A second configuration, like the first; applied with CHANGES. */
static struct rig *next_conf(void)
{
	return rig_new();
}

static void apply(struct rig *r, struct rig *next, const struct sg_change *changes, unsigned n)
{
	sg_apply(r->sg, &next->conf, changes, n);
}

/* The conf rows of NEXT are in use until the end. */
static void done(struct rig *r, struct rig *next)
{
	rig_free(r);
	rig_free(next);
}

static void nothing_changed_nothing_happens(void **state)
{
	struct rig *r = rig_new(), *next = next_conf();
	struct assoc *a, *m;

	(void)state;
	rig_start(r);
	a = rig_active(r, "hlr-1");
	m = rig_active(r, "msc-1");
	rig_forget(r);
	apply(r, next, NULL, 0);
	rig_expect_after_grace(r, a, "");
	rig_expect_after_grace(r, m, "");
	assert_int_equal(rig_as_state(r, "hlr"), AS_ACTIVE);
	assert_ptr_equal(rig_table_as(r, "hlr")->slots[0].assoc, a);
	done(r, next);
}

static void new_asps_and_ass_appear(void **state)
{
	static const struct sg_change changes[] = {{.object = SG_ASP, .op = SG_ADD, .name = "sms-1"},
		{.object = SG_AS, .op = SG_ADD, .name = "sms"},
		{.object = SG_AS, .op = SG_UPDATE, .name = "hlr"}};
	struct rig *r = rig_new(), *next = next_conf();
	struct as_conf *sms;
	struct assoc *a, *s;

	(void)state;
	rig_start(r);
	a = rig_active(r, "hlr-1");
	assert_null(fake_arrive(r->plane, "asps", "127.0.0.9", 5000));
	rig_asp(next, "sms-1", "127.0.0.9");
	sms = rig_as(next, "sms", 30, 33, FWD_LOADSHARE);
	rig_member(next, sms, "sms-1");
	rig_member(next, sms, "hlr-1");
	apply(r, next, changes, 3);
	rig_expect_after_grace(r, a, "NTFY st=1/2 rc=30"); /* it is up, so it is a member that is inactive */
	s = fake_arrive(r->plane, "asps", "127.0.0.9", 5000);
	assert_non_null(s);
	fake_up(r->plane, s);
	rig_say(r, s, "ASPUP");
	rig_expect(s, "ASPUP_ACK\nNTFY st=1/2 rc=30");
	rig_say(r, s, "ASPAC");
	rig_expect(s, "ASPAC_ACK rc=30\nNTFY st=1/3 rc=30");
	rig_expect(a, "NTFY st=1/3 rc=30\nDAVA rc=10 apc=33");
	done(r, next);
}

static void removed_asp_is_cut_off(void **state)
{
	static const struct sg_change changes[] = {{.object = SG_ASP, .op = SG_REMOVE, .name = "hlr-2"},
		{.object = SG_AS, .op = SG_UPDATE, .name = "hlr"}};
	struct rig *r = rig_new(), *next = next_conf();
	struct assoc *a, *b;

	(void)state;
	rig_start(r);
	a = rig_active(r, "hlr-1");
	b = rig_active(r, "hlr-2");
	next->conf.n_asps = 0;
	rig_asp(next, "hlr-1", "127.0.0.1");
	rig_asp(next, "msc-1", "127.0.0.3");
	rig_as_conf(next, "hlr")->n_asps = 1;
	rig_as_conf(next, "msc")->n_asps = 1;
	apply(r, next, changes, 2);
	rig_expect(b, "<abort: removed from the configuration>");
	assert_null(sg_asp_by_name(r->sg, "hlr-2"));
	assert_int_equal(rig_table_as(r, "hlr")->n_slots, 1);
	assert_ptr_equal(rig_table_as(r, "hlr")->slots[0].assoc, a);
	rig_say(r, b, "ASPUP"); /* nobody's */
	rig_expect(b, "");
	fake_down(r->plane, b, "aborted");
	assert_true(fake_freed(b));
	done(r, next);
}

static void removed_as_lets_its_asps_go(void **state)
{
	static const struct sg_change changes[] = {{.object = SG_AS, .op = SG_REMOVE, .name = "hlr"}};
	struct rig *r = rig_new(), *next = next_conf();
	struct assoc *a, *b, *m;
	uint32_t number;

	(void)state;
	rig_start(r);
	a = rig_active(r, "hlr-1");
	b = rig_up(r, "hlr-2");
	m = rig_active(r, "msc-1");
	rig_forget(r);
	number = sg_as_by_name(r->sg, "hlr")->number;
	next->ass[0] = next->ass[1];
	memcpy(next->members[0], next->members[1], sizeof(next->members[0]));
	memcpy(next->keys[0], next->keys[1], sizeof(next->keys[0]));
	next->ass[0].asps = next->members[0];
	next->ass[0].keys = next->keys[0];
	next->conf.n_ass = 1;
	apply(r, next, changes, 1);
	rig_expect_after_grace(r, a, "ASPIA_ACK rc=10");
	rig_expect(b, "");
	rig_expect(m, "DUNA rc=20 apc=11");
	assert_null(plane_table(r->plane)->as[number]);
	rig_say(r, a, "ASPAC rc=10");
	rig_expect(a, "ERR err=26 rc=10");
	done(r, next);
}

static void replaced_as_gets_another_number(void **state)
{
	static const struct sg_change changes[] = {{.object = SG_AS, .op = SG_REPLACE, .name = "hlr"}};
	struct rig *r = rig_new(), *next = next_conf();
	struct assoc *a;
	uint32_t number;

	(void)state;
	rig_start(r);
	a = rig_active(r, "hlr-1");
	number = sg_as_by_name(r->sg, "hlr")->number;
	rig_as_conf(next, "hlr")->mode = FWD_OVERRIDE;
	apply(r, next, changes, 1);
	assert_int_not_equal(sg_as_by_name(r->sg, "hlr")->number, number);
	rig_expect_after_grace(r, a, "ASPIA_ACK rc=10\nNTFY st=1/2 rc=10");
	rig_say(r, a, "ASPAC tmt=1 rc=10");
	rig_expect(a, "ASPAC_ACK tmt=1 rc=10\nNTFY st=1/3 rc=10");
	done(r, next);
}

static void fewer_needed_asps_activate_the_as(void **state)
{
	static const struct sg_change changes[] = {{.object = SG_AS, .op = SG_UPDATE, .name = "hlr"}};
	struct rig *r = rig_new(), *next = next_conf();
	struct assoc *a;

	(void)state;
	rig_as_conf(r, "hlr")->min_asps = 2;
	rig_start(r);
	a = rig_active(r, "hlr-1");
	assert_int_equal(rig_as_state(r, "hlr"), AS_INACTIVE);
	apply(r, next, changes, 1);
	assert_int_equal(rig_as_state(r, "hlr"), AS_ACTIVE);
	rig_expect_after_grace(r, a, "NTFY st=1/3 rc=10");
	assert_int_equal(rig_table_as(r, "hlr")->state, FWD_AS_ACTIVE);
	done(r, next);
}

static void more_needed_asps_are_insufficient(void **state)
{
	static const struct sg_change changes[] = {{.object = SG_AS, .op = SG_UPDATE, .name = "hlr"}};
	struct rig *r = rig_new(), *next = next_conf();
	struct assoc *a, *b;

	(void)state;
	rig_start(r);
	a = rig_active(r, "hlr-1");
	b = rig_up(r, "hlr-2");
	rig_as_conf(next, "hlr")->min_asps = 2;
	apply(r, next, changes, 1);
	rig_expect_after_grace(r, a, "");
	rig_expect(b, "NTFY st=2/1 rc=10");
	assert_int_equal(rig_as_state(r, "hlr"), AS_ACTIVE);
	done(r, next);
}

static void blocking_by_configuration(void **state)
{
	static const struct sg_change changes[] = {{.object = SG_ASP, .op = SG_UPDATE, .name = "hlr-1"}};
	struct rig *r = rig_new(), *next = next_conf();
	struct assoc *a;

	(void)state;
	rig_start(r);
	a = rig_active(r, "hlr-1");
	rig_asp_conf(next, "hlr-1")->blocked = true;
	apply(r, next, changes, 1);
	rig_expect_after_grace(r, a, "ASPIA_ACK rc=10\nNTFY st=1/4 rc=10");
	rig_say(r, a, "ASPAC");
	rig_expect(a, "ERR err=13");
	done(r, next);
}

static void listeners_come_and_go(void **state)
{
	static const struct sg_change changes[] = {{.object = SG_LISTENER, .op = SG_REMOVE, .name = "asps"},
		{.object = SG_LISTENER, .op = SG_ADD, .name = "more"}};
	struct rig *r = rig_new(), *next = next_conf();

	(void)state;
	rig_start(r);
	next->listeners[0].name = "more";
	apply(r, next, changes, 2);
	assert_null(fake_arrive(r->plane, "asps", "127.0.0.1", 5000));
	assert_non_null(fake_arrive(r->plane, "more", "127.0.0.1", 5000));
	done(r, next);
}

static void load_share_stays_where_it_was(void **state)
{
	struct rig *r = rig_new(), *next = next_conf();
	uint16_t before[FWD_SLS_BUCKETS];

	(void)state;
	rig_start(r);
	rig_active(r, "hlr-1");
	rig_active(r, "hlr-2");
	memcpy(before, rig_table_as(r, "hlr")->share, sizeof(before));
	apply(r, next, NULL, 0);
	assert_memory_equal(rig_table_as(r, "hlr")->share, before, sizeof(before));
	done(r, next);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_changed_nothing_happens),
		cmocka_unit_test(new_asps_and_ass_appear),
		cmocka_unit_test(removed_asp_is_cut_off),
		cmocka_unit_test(removed_as_lets_its_asps_go),
		cmocka_unit_test(replaced_as_gets_another_number),
		cmocka_unit_test(fewer_needed_asps_activate_the_as),
		cmocka_unit_test(more_needed_asps_are_insufficient),
		cmocka_unit_test(blocking_by_configuration),
		cmocka_unit_test(listeners_come_and_go),
		cmocka_unit_test(load_share_stays_where_it_was),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
