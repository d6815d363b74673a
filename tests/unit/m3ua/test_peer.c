/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who has arrived? And associations that come, go, come back, and are opened by us. */
#include <string.h>

#include "m3ua/peer.h"
#include "rig.h"

static struct tp_incoming from(const char *ip1, const char *ip2, uint16_t port)
{
	struct tp_incoming in = {.n_addrs = ip2 ? 2 : 1, .remote_port = port};

	assert_int_equal(tp_addr_parse(&in.addrs[0], ip1), SB_OK);
	if (ip2)
		assert_int_equal(tp_addr_parse(&in.addrs[1], ip2), SB_OK);
	return in;
}

static struct asp_conf conf(const char *ip1, const char *ip2, uint16_t port)
{
	struct asp_conf c = {.name = "x", .side = ASP_SERVER};

	if (ip1)
		assert_int_equal(tp_addr_parse(&c.tp.remote[c.tp.n_remote++], ip1), SB_OK);
	if (ip2)
		assert_int_equal(tp_addr_parse(&c.tp.remote[c.tp.n_remote++], ip2), SB_OK);
	c.tp.remote_port = port;
	return c;
}

static void any_of_its_addresses_will_do(void **state)
{
	struct asp_conf c = conf("192.0.2.1", "192.0.2.2", 0);
	struct tp_incoming in = from("198.51.100.9", "192.0.2.2", 5000);

	(void)state;
	assert_true(peer_score(&c, "asps", &in) > 0);
	in = from("198.51.100.9", NULL, 5000);
	assert_int_equal(peer_score(&c, "asps", &in), 0);
}

static void mapped_addresses_are_ipv4(void **state)
{
	struct asp_conf c = conf("192.0.2.1", NULL, 0);
	struct tp_incoming in = from("::ffff:192.0.2.1", NULL, 5000);

	(void)state;
	assert_true(peer_score(&c, "asps", &in) > 0);
}

static void the_port_decides_where_it_is_given(void **state)
{
	struct asp_conf c = conf("192.0.2.1", NULL, 5001), loose = conf("192.0.2.1", NULL, 0);
	struct tp_incoming in = from("192.0.2.1", NULL, 5001), other = from("192.0.2.1", NULL, 5002);

	(void)state;
	assert_true(peer_score(&c, "asps", &in) > peer_score(&loose, "asps", &in));
	assert_int_equal(peer_score(&c, "asps", &other), 0);
	assert_true(peer_score(&loose, "asps", &other) > 0);
}

static void a_wildcard_is_the_last_resort(void **state)
{
	struct asp_conf any = conf("0.0.0.0", NULL, 0), none = conf(NULL, NULL, 0),
			exact = conf("192.0.2.1", NULL, 0);
	struct tp_incoming in = from("192.0.2.1", NULL, 5001);

	(void)state;
	assert_true(peer_score(&any, "asps", &in) > 0);
	assert_true(peer_score(&none, "asps", &in) > 0);
	assert_true(peer_score(&exact, "asps", &in) > peer_score(&any, "asps", &in));
}

static void listeners_and_sides_are_respected(void **state)
{
	struct asp_conf c = conf("192.0.2.1", NULL, 0);
	struct tp_incoming in = from("192.0.2.1", NULL, 5001);

	(void)state;
	c.listener = "other";
	assert_int_equal(peer_score(&c, "asps", &in), 0);
	assert_true(peer_score(&c, "other", &in) > 0);
	c.side = ASP_CLIENT;
	assert_int_equal(peer_score(&c, "other", &in), 0);
}

static void strangers_are_rejected_and_counted(void **state)
{
	struct rig *r = rig_new();

	(void)state;
	rig_start(r);
	assert_null(fake_arrive(r->plane, "asps", "203.0.113.1", 5000));
	assert_null(fake_arrive(r->plane, "asps", "203.0.113.2", 5000));
	assert_int_equal(sg_stats(r->sg)->rejected_peers, 2);
	assert_int_equal(fake_permitted(r->plane, "asps"), 4);
	rig_free(r);
}

static void a_returning_peer_replaces_its_association(void **state)
{
	struct rig *r = rig_new();
	struct assoc *old, *new, *b;

	(void)state;
	rig_start(r);
	old = rig_active(r, "hlr-1");
	b = rig_up(r, "hlr-2");
	new = rig_connect(r, "hlr-1");
	assert_ptr_not_equal(old, new);
	rig_expect(old, "<abort: replaced by a new association of the peer>");
	rig_expect_after_grace(r, b, "NTFY st=2/3 rc=10\nNTFY st=1/4 rc=10");
	assert_int_equal(rig_state(r, "hlr", "hlr-1"), ASP_DOWN);
	rig_say(r, new, "ASPUP");
	rig_say(r, new, "ASPAC");
	fake_grace(r->plane);
	/* the old one's remains change nothing */
	rig_say(r, old, "ASPDN");
	fake_event(r->plane, old, PE_CONGESTION, 3, NULL);
	fake_down(r->plane, old, "aborted");
	assert_true(fake_freed(old));
	assert_int_equal(rig_state(r, "hlr", "hlr-1"), ASP_ACTIVE);
	assert_ptr_equal(rig_table_as(r, "hlr")->slots[0].assoc, new);
	assert_int_equal(sg_stats(r->sg)->replaced, 1);
	assert_int_equal(sg_stats(r->sg)->strays, 1);
	fake_down(r->plane, new, "closed by peer");
	assert_true(fake_freed(new));
	rig_free(r);
}

static void peers_of_one_address_take_the_free_places(void **state)
{
	struct rig *r = rig_new();
	struct assoc *a, *b;

	(void)state;
	rig_asp(r, "hlr-3", "127.0.0.1");
	rig_start(r);
	a = fake_arrive(r->plane, "asps", "127.0.0.1", 6001);
	b = fake_arrive(r->plane, "asps", "127.0.0.1", 6002);
	assert_ptr_equal(sg_asp_by_name(r->sg, "hlr-1")->assoc, a);
	assert_ptr_equal(sg_asp_by_name(r->sg, "hlr-3")->assoc, b);
	rig_free(r);
}

static void comes_as(struct rig *r, const char *ip, uint16_t port, const char *asp)
{
	struct assoc *a = fake_arrive(r->plane, "asps", ip, port);

	assert_non_null(a);
	assert_ptr_equal(sg_asp_by_name(r->sg, asp)->assoc, a);
}

static void ports_wildcards_and_second_addresses_are_found(void **state)
{
	struct rig *r = rig_new();
	struct asp_conf *c;

	(void)state;
	rig_asp(r, "any", "0.0.0.0");
	c = rig_asp(r, "port", "127.0.0.1");
	c->tp.remote_port = 7000;
	c = rig_asp(r, "two", "127.0.0.7");
	assert_int_equal(tp_addr_parse(&c->tp.remote[c->tp.n_remote++], "2001:db8::7"), SB_OK);
	rig_start(r);
	assert_int_equal(fake_permitted(r->plane, "asps"), 0); /* anybody may come */
	comes_as(r, "127.0.0.1", 7000, "port");
	comes_as(r, "127.0.0.1", 7001, "hlr-1");
	comes_as(r, "2001:db8::7", 1, "two");
	comes_as(r, "198.51.100.1", 1, "any");
	comes_as(r, "::ffff:127.0.0.2", 9, "hlr-2");
	rig_free(r);
}

static unsigned opened(struct rig *r, const char *name, struct assoc **last)
{
	struct assoc *a = fake_assoc(r->plane, name);
	bool is_new = a && a != *last;

	*last = a;
	return is_new;
}

/* 1, 2, 4, 8, 8 s less a quarter: the test's randomness is always 0. */
static void clients_reconnect_for_ever_with_back_off(void **state)
{
	static const uint64_t waits[] = {750, 1500, 3000, 6000, 6000, 6000};
	struct rig *r = rig_new();
	struct assoc *a = NULL;

	(void)state;
	rig_asp_conf(r, "hlr-1")->side = ASP_CLIENT;
	rig_start(r);
	assert_true(opened(r, "hlr-1", &a));
	for (unsigned i = 0; i < sizeof(waits) / sizeof(waits[0]); i++) {
		fake_down(r->plane, a, "refused");
		assert_true(fake_freed(a));
		rig_pass_ms(r, waits[i] - 1);
		assert_false(opened(r, "hlr-1", &a));
		rig_pass_ms(r, 1);
		assert_true(opened(r, "hlr-1", &a));
	}
	/* in service once, it is called back soon */
	fake_up(r->plane, a);
	rig_say(r, a, "ASPUP");
	fake_grace(r->plane);
	fake_down(r->plane, a, "path failure");
	rig_pass_ms(r, 750);
	assert_true(opened(r, "hlr-1", &a));
	rig_free(r);
}

static void restart_by_management(void **state)
{
	struct rig *r = rig_new();
	struct assoc *a = NULL;

	(void)state;
	rig_asp_conf(r, "hlr-1")->side = ASP_CLIENT;
	rig_start(r);
	assert_true(opened(r, "hlr-1", &a));
	fake_up(r->plane, a);
	asp_restart(sg_asp_by_name(r->sg, "hlr-1"));
	rig_expect(a, "<abort: restarted by management>");
	fake_down(r->plane, a, "aborted");
	asp_restart(sg_asp_by_name(r->sg, "hlr-1")); /* need not wait for the back-off */
	assert_true(opened(r, "hlr-1", &a));
	rig_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_of_its_addresses_will_do),
		cmocka_unit_test(mapped_addresses_are_ipv4),
		cmocka_unit_test(the_port_decides_where_it_is_given),
		cmocka_unit_test(a_wildcard_is_the_last_resort),
		cmocka_unit_test(listeners_and_sides_are_respected),
		cmocka_unit_test(strangers_are_rejected_and_counted),
		cmocka_unit_test(a_returning_peer_replaces_its_association),
		cmocka_unit_test(peers_of_one_address_take_the_free_places),
		cmocka_unit_test(ports_wildcards_and_second_addresses_are_found),
		cmocka_unit_test(clients_reconnect_for_ever_with_back_off),
		cmocka_unit_test(restart_by_management),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
