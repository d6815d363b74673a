/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The order of tables and messages (sg_settle.c). */
#include <stdio.h>
#include <string.h>

#include "rig.h"

static void activation_opens_ingress_then_acknowledges_then_sends(void **state)
{
	struct rig *r = rig_new();
	struct assoc *a;

	(void)state;
	rig_start(r);
	a = rig_up(r, "hlr-1");
	rig_say(r, a, "ASPAC");
	assert_string_equal(
		fake_journal(r->plane), "table\nhlr-1 ASPAC_ACK rc=10\nhlr-1 NTFY st=1/3 rc=10\ntable\n");
	rig_free(r);
}

static void deactivation_publishes_then_waits_then_acknowledges(void **state)
{
	struct rig *r = rig_new();
	struct assoc *a;

	(void)state;
	rig_start(r);
	a = rig_active(r, "hlr-1");
	rig_say(r, a, "ASPIA");
	assert_string_equal(fake_journal(r->plane), "table\n");
	assert_true(fake_grace_pending(r->plane));
	fake_grace(r->plane);
	assert_string_equal(
		fake_journal(r->plane), "table\nhlr-1 ASPIA_ACK rc=10\nhlr-1 NTFY st=1/4 rc=10\n");
	rig_free(r);
}

static void a_waiting_answer_is_never_overtaken(void **state)
{
	struct rig *r = rig_new();
	struct assoc *a, *b;

	(void)state;
	rig_start(r);
	a = rig_active(r, "hlr-1");
	b = rig_up(r, "hlr-2");
	rig_say(r, a, "ASPIA");
	rig_say(r, a, "BEAT");
	rig_say(r, a, "ASPAC");
	rig_say(r, b, "BEAT hb=x");
	rig_expect(a, "");
	rig_expect(b, ""); /* it has NTFY AS-PENDING before that */
	rig_expect_after_grace(
		r, a, "ASPIA_ACK rc=10\nNTFY st=1/4 rc=10\nBEAT_ACK\nASPAC_ACK rc=10\nNTFY st=1/3 rc=10");
	rig_expect(b, "NTFY st=1/4 rc=10\nNTFY st=1/3 rc=10\nBEAT_ACK hb=78");
	assert_true(rig_accepts(r, a, 10));
	rig_free(r);
}

static void others_need_not_wait(void **state)
{
	struct rig *r = rig_new();
	struct assoc *a, *m;

	(void)state;
	rig_start(r);
	a = rig_active(r, "hlr-1");
	m = rig_connect(r, "msc-1");
	rig_say_more(r, a, "ASPIA");
	rig_say(r, m, "ASPUP");
	rig_expect(m, "ASPUP_ACK\nNTFY st=1/2 rc=20");
	rig_free(r);
}

static void a_batch_is_one_change(void **state)
{
	struct rig *r = rig_new();
	struct assoc *a[200];
	struct as_conf *as;
	unsigned before;

	(void)state;
	as = rig_as(r, "big", 40, 44, FWD_LOADSHARE);
	for (unsigned i = 0; i < 200; i++) {
		char name[16], ip[32];

		snprintf(name, sizeof(name), "big-%u", i);
		snprintf(ip, sizeof(ip), "127.1.0.%u", i + 1);
		rig_asp(r, name, ip);
		rig_member(r, as, name);
	}
	rig_start(r);
	for (unsigned i = 0; i < 200; i++) {
		char name[16];

		snprintf(name, sizeof(name), "big-%u", i);
		a[i] = rig_connect(r, name);
		rig_say_more(r, a[i], "ASPUP");
	}
	rig_forget(r);
	before = fake_publications(r->plane);
	for (unsigned i = 0; i < 200; i++)
		rig_say_more(r, a[i], "ASPAC");
	sg_settle(r->sg);
	assert_int_equal(fake_publications(r->plane) - before, 2);
	assert_int_equal(rig_table_as(r, "big")->n_slots, 200);
	rig_free(r);
}

static void idle_settles_publish_nothing(void **state)
{
	struct rig *r = rig_new();
	struct assoc *a;
	unsigned before;

	(void)state;
	rig_start(r);
	a = rig_active(r, "hlr-1");
	before = fake_publications(r->plane);
	sg_settle(r->sg);
	rig_say(r, a, "BEAT");
	rig_say(r, a, "DAUD apc=11");
	rig_say(r, a, "ASPAC");
	assert_int_equal(fake_publications(r->plane), before);
	assert_false(fake_grace_pending(r->plane));
	rig_free(r);
}

static void only_what_changed_is_compiled(void **state)
{
	struct rig *r = rig_new();
	const struct fwd_as *msc, *hlr;
	const struct fwd_routing *routing;
	struct assoc *a;

	(void)state;
	rig_start(r);
	rig_active(r, "msc-1");
	a = rig_up(r, "hlr-1");
	msc = rig_table_as(r, "msc");
	hlr = rig_table_as(r, "hlr");
	routing = plane_table(r->plane)->routing;
	rig_say(r, a, "ASPAC");
	assert_ptr_equal(rig_table_as(r, "msc"), msc);
	assert_ptr_not_equal(rig_table_as(r, "hlr"), hlr);
	assert_ptr_equal(plane_table(r->plane)->routing, routing);
	rig_free(r);
}

/* A peer that asks and never reads costs a bounded number of buffers. */
static void a_peer_that_does_not_read_gets_no_more_answers(void **state)
{
	struct rig *r = rig_new();
	struct assoc *a, *m;

	(void)state;
	rig_start(r);
	a = rig_active(r, "hlr-1");
	m = rig_active(r, "msc-1");
	fake_sent(a);
	fake_backlog(a, 1000 + OUT_BACKLOG);
	rig_say(r, a, "BEAT");
	rig_expect(a, "");
	assert_int_equal(sg_asp_by_name(r->sg, "hlr-1")->answers_dropped, 1);
	rig_say(r, m, "BEAT");
	rig_expect(m, "BEAT_ACK");
	fake_backlog(a, 0);
	for (unsigned i = 0; i < 2 * OUT_BACKLOG; i++)
		rig_say_more(r, a, "BEAT");
	assert_true(fake_buffers_out(r->plane) <= OUT_BACKLOG);
	sg_settle(r->sg);
	fake_sent(a);
	rig_say(r, a, "BEAT");
	rig_expect(a, "BEAT_ACK");
	rig_free(r);
}

/* They wait for a grace period: until then it may ask no more. */
static void answers_that_pile_up_stop_the_reading(void **state)
{
	struct rig *r = rig_new();
	struct assoc *a;

	(void)state;
	rig_start(r);
	a = rig_active(r, "hlr-1");
	rig_say(r, a, "ASPIA rc=10");
	assert_false(fake_restrained(a));
	for (unsigned i = 0; i < OUT_CROWDED; i++)
		rig_say(r, a, "BEAT");
	assert_true(fake_restrained(a));
	fake_grace(r->plane);
	assert_false(fake_restrained(a));
	rig_say(r, a, "BEAT");
	assert_false(fake_restrained(a));
	rig_free(r);
}

static void load_share_returns_after_a_pause(void **state)
{
	struct rig *r = rig_new();
	uint16_t before[FWD_SLS_BUCKETS];
	struct assoc *a, *b;

	(void)state;
	rig_start(r);
	a = rig_active(r, "hlr-1");
	b = rig_active(r, "hlr-2");
	memcpy(before, rig_table_as(r, "hlr")->share, sizeof(before));
	rig_say_more(r, a, "ASPIA");
	rig_say(r, b, "ASPIA");
	rig_forget(r);
	rig_say_more(r, a, "ASPAC");
	rig_say(r, b, "ASPAC");
	assert_memory_equal(rig_table_as(r, "hlr")->share, before, sizeof(before));
	rig_free(r);
}

static void the_wider_key_has_more_buckets(void **state)
{
	struct rig *r = rig_new();
	bool seen[2] = {false};

	(void)state;
	rig_as_conf(r, "hlr")->share_key = FWD_KEY_OPC_SLS;
	rig_start(r);
	rig_active(r, "hlr-1");
	rig_active(r, "hlr-2");
	assert_int_equal(rig_table_as(r, "hlr")->n_buckets, FWD_HASH_BUCKETS);
	for (unsigned i = 0; i < FWD_HASH_BUCKETS; i++)
		seen[rig_table_as(r, "hlr")->share[i]] = true;
	assert_true(seen[0] && seen[1]);
	rig_free(r);
}

/* NTFY AS-ACTIVE may provoke DATA that comes before the table which has the ASP: it waits, and is not
 * refused. */
static void data_for_an_as_that_opens_waits_for_its_asp(void **state)
{
	struct rig *r = rig_new();
	struct assoc *a;
	uint32_t number;

	(void)state;
	rig_start(r);
	number = sg_as_by_name(r->sg, "hlr")->number;
	a = rig_up(r, "hlr-1");
	assert_false(fake_was_pending(r->plane, number));
	rig_say(r, a, "ASPAC");
	assert_true(fake_was_pending(r->plane, number));
	assert_int_equal(rig_table_as(r, "hlr")->state, FWD_AS_ACTIVE);
	assert_int_equal(rig_table_as(r, "hlr")->n_slots, 1);
	rig_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(data_for_an_as_that_opens_waits_for_its_asp),
		cmocka_unit_test(activation_opens_ingress_then_acknowledges_then_sends),
		cmocka_unit_test(deactivation_publishes_then_waits_then_acknowledges),
		cmocka_unit_test(a_waiting_answer_is_never_overtaken),
		cmocka_unit_test(others_need_not_wait),
		cmocka_unit_test(a_batch_is_one_change),
		cmocka_unit_test(idle_settles_publish_nothing),
		cmocka_unit_test(only_what_changed_is_compiled),
		cmocka_unit_test(a_peer_that_does_not_read_gets_no_more_answers),
		cmocka_unit_test(answers_that_pile_up_stop_the_reading),
		cmocka_unit_test(load_share_returns_after_a_pause),
		cmocka_unit_test(the_wider_key_has_more_buckets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
