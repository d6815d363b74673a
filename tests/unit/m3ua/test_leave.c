/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The gateway takes its leave of everybody, in order and in time. */
#include "rig.h"

static void count(void *arg)
{
	++*(unsigned *)arg;
}

static void everybody_is_told_in_order(void **state)
{
	struct rig *r = rig_new();
	struct assoc *a, *b, *c, *d;
	unsigned done = 0;

	(void)state;
	rig_start(r);
	a = rig_active(r, "hlr-1");
	b = rig_active(r, "hlr-2");
	c = rig_up(r, "msc-1");
	d = rig_connect(r, "msc-2");
	rig_forget(r);
	sg_shutdown(r->sg, 3000, count, &done);
	assert_int_equal(rig_table_as(r, "hlr")->state, FWD_AS_UNSERVED);
	rig_expect(a, "");
	fake_grace(r->plane);
	rig_expect(a, "ASPIA_ACK rc=10\nNTFY st=1/2 rc=10\nASPDN_ACK\n<shutdown>");
	rig_expect(b, "ASPIA_ACK rc=10\nNTFY st=1/2 rc=10\nASPDN_ACK\n<shutdown>");
	rig_expect(c, "ASPDN_ACK\n<shutdown>");
	rig_expect(d, "<shutdown>");
	assert_int_equal(done, 0);
	fake_down(r->plane, a, "closed");
	fake_down(r->plane, b, "closed");
	fake_down(r->plane, c, "closed");
	rig_pass_ms(r, 10);
	assert_int_equal(done, 0);
	fake_down(r->plane, d, "closed");
	rig_pass_ms(r, 1);
	assert_int_equal(done, 1);
	rig_pass_ms(r, 5000);
	assert_int_equal(done, 1);
	rig_free(r);
}

static void a_stubborn_peer_is_aborted_in_time(void **state)
{
	struct rig *r = rig_new();
	struct assoc *a;
	unsigned done = 0;

	(void)state;
	rig_start(r);
	a = rig_active(r, "hlr-1");
	sg_shutdown(r->sg, 3000, count, &done);
	fake_grace(r->plane);
	fake_sent(a);
	rig_pass_ms(r, 2999);
	assert_int_equal(done, 0);
	rig_pass_ms(r, 1);
	assert_int_equal(done, 1);
	rig_expect(a, "<abort: the gateway stops>");
	fake_down(r->plane, a, "aborted");
	rig_pass_ms(r, 5000);
	assert_int_equal(done, 1);
	rig_free(r);
}

static void with_nobody_there_it_is_done_at_once(void **state)
{
	struct rig *r = rig_new();
	unsigned done = 0;

	(void)state;
	rig_start(r);
	sg_shutdown(r->sg, 3000, count, &done);
	assert_int_equal(done, 0); /* not from inside */
	rig_pass_ms(r, 1);
	assert_int_equal(done, 1);
	rig_free(r);
}

static void pending_as_becomes_inactive(void **state)
{
	struct rig *r = rig_new();
	struct assoc *a;
	unsigned done = 0;

	(void)state;
	rig_start(r);
	a = rig_active(r, "hlr-1");
	rig_say(r, a, "ASPIA");
	rig_forget(r);
	sg_shutdown(r->sg, 3000, count, &done);
	rig_expect_after_grace(r, a, "NTFY st=1/2 rc=10\nASPDN_ACK\n<shutdown>");
	rig_free(r);
}

/* Nobody shall be asked to step in for a gateway that stops. */
static void no_resources_are_asked_for(void **state)
{
	struct rig *r = rig_new();
	struct assoc *a, *b;
	unsigned done = 0;

	(void)state;
	rig_as_conf(r, "hlr")->min_asps = 2;
	rig_start(r);
	a = rig_active(r, "hlr-1");
	b = rig_active(r, "hlr-2");
	rig_forget(r);
	sg_shutdown(r->sg, 3000, count, &done);
	rig_expect_after_grace(r, a, "ASPIA_ACK rc=10\nNTFY st=1/2 rc=10\nASPDN_ACK\n<shutdown>");
	rig_expect(b, "ASPIA_ACK rc=10\nNTFY st=1/2 rc=10\nASPDN_ACK\n<shutdown>");
	rig_free(r);
}

static void new_peers_and_reconnections_are_over(void **state)
{
	struct rig *r = rig_new();
	struct assoc *a;
	unsigned done = 0;

	(void)state;
	rig_asp_conf(r, "hlr-1")->side = ASP_CLIENT;
	rig_start(r);
	a = fake_assoc(r->plane, "hlr-1");
	sg_shutdown(r->sg, 3000, count, &done);
	rig_expect(a, "<abort: the gateway stops>");
	assert_null(fake_arrive(r->plane, "asps", "127.0.0.2", 5000));
	fake_down(r->plane, a, "aborted");
	rig_pass_ms(r, 60000);
	assert_ptr_equal(fake_assoc(r->plane, "hlr-1"), a);
	assert_int_equal(done, 1);
	rig_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(everybody_is_told_in_order),
		cmocka_unit_test(a_stubborn_peer_is_aborted_in_time),
		cmocka_unit_test(with_nobody_there_it_is_done_at_once),
		cmocka_unit_test(pending_as_becomes_inactive),
		cmocka_unit_test(no_resources_are_asked_for),
		cmocka_unit_test(new_peers_and_reconnections_are_over),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
