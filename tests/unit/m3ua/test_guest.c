/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Peers that no ASP is configured for: who is admitted, by which template, and for how long. */
#include <string.h>

#include "m3ua/guest.h"
#include "rig.h"

static struct template_conf *template(struct rig *r, const char *name, const char *prefix, unsigned len)
{
	struct template_conf *t = &r->templates[r->conf.n_templates++];

	*t = (struct template_conf){
		.asp = {.name = name, .txq_limit = 100}, .port_last = 65535, .max_peers = 2};
	tp_params_default(&t->asp.tp);
	assert_int_equal(tp_addr_parse(&t->prefix.addr, prefix), SB_OK);
	t->prefix.len = (uint8_t)len;
	t->asp.rkm = (struct rkm_conf){.policy = RKM_DYNAMIC,
		.limit = 8,
		.mode = FWD_LOADSHARE,
		.t_r_ms = 2000,
		.pending_limit = 10};
	r->conf.rc_first = 1000;
	r->conf.rc_last = 1999;
	return t;
}

static struct assoc *arrive(struct rig *r, const char *ip, uint16_t port)
{
	struct assoc *a = fake_arrive(r->plane, "asps", ip, port);

	if (a)
		fake_up(r->plane, a);
	return a;
}

static const struct sg_template *named(struct rig *r, const char *name)
{
	struct sg_template *t;

	llist_for_each_entry (t, sg_templates(r->sg), entry)
		if (!strcmp(t->name, name))
			return t;
	return NULL;
}

static void a_guest_is_an_asp_while_its_association_lives(void **state)
{
	struct rig *r = rig_new();
	struct assoc *a;

	(void)state;
	template(r, "lab", "10.1.0.0", 16);
	rig_start(r);
	a = arrive(r, "10.1.2.3", 4000);
	assert_non_null(a);
	assert_non_null(sg_asp_by_name(r->sg, "lab-10.1.2.3:4000"));
	rig_say(r, a, "ASPUP");
	rig_expect(a, "ASPUP_ACK");
	rig_say(r, a, "REG_REQ rk={ lrk=1 dpc=33 }");
	rig_expect(a, "REG_RSP result={ lrk=1 status=0 rc=1000 }\nNTFY st=1/2 rc=1000");
	rig_say(r, a, "ASPAC");
	rig_expect(a, "ASPAC_ACK rc=1000\nNTFY st=1/3 rc=1000");
	assert_int_equal(rig_table_as(r, "dyn-1000")->n_slots, 1);
	fake_down(r->plane, a, "lost");
	assert_null(sg_asp_by_name(r->sg, "lab-10.1.2.3:4000"));
	assert_int_equal(rig_as_state(r, "dyn-1000"), AS_PENDING);
	assert_int_equal(named(r, "lab")->peers, 0);
	rig_pass_ms(r, 2100);
	assert_null(sg_as_by_name(r->sg, "dyn-1000"));
	rig_free(r);
}

static void who_no_template_admits_is_refused(void **state)
{
	static const struct {
		const char *ip;
		uint16_t port;
	} refused[] = {{"10.2.0.1", 4000}, {"10.1.0.1", 999}, {"10.1.0.1", 5001}, {"11.1.0.1", 4000}};
	struct rig *r = rig_new();
	struct template_conf *t = template(r, "lab", "10.1.0.0", 16);

	(void)state;
	t->port_first = 1000;
	t->port_last = 5000;
	rig_start(r);
	for (unsigned i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
		assert_null(arrive(r, refused[i].ip, refused[i].port));
	assert_int_equal(sg_stats(r->sg)->rejected_peers, 4);
	assert_non_null(arrive(r, "10.1.0.1", 1000));
	assert_non_null(arrive(r, "10.1.0.1", 5000));
	rig_free(r);
}

static void another_listener_is_not_for_them(void **state)
{
	struct rig *r = rig_new();

	(void)state;
	template(r, "lab", "10.1.0.0", 16)->asp.listener = "other";
	rig_start(r);
	assert_null(arrive(r, "10.1.0.1", 1000));
	assert_int_equal(fake_permitted(r->plane, "asps"), 4); /* strangers do not even get an answer */
	rig_free(r);
}

static void the_longest_prefix_counts_and_configured_asps_before_all(void **state)
{
	struct rig *r = rig_new();

	(void)state;
	template(r, "any", "0.0.0.0", 0);
	template(r, "site", "10.1.2.0", 23);
	template(r, "lab", "10.1.0.0", 16);
	rig_start(r);
	assert_int_equal(fake_permitted(r->plane, "asps"), 0); /* anybody */
	arrive(r, "10.1.3.9", 1);
	arrive(r, "10.1.4.9", 1);
	arrive(r, "192.0.2.1", 1);
	arrive(r, "127.0.0.1", 1);
	assert_non_null(sg_asp_by_name(r->sg, "site-10.1.3.9:1"));
	assert_non_null(sg_asp_by_name(r->sg, "lab-10.1.4.9:1"));
	assert_non_null(sg_asp_by_name(r->sg, "any-192.0.2.1:1"));
	assert_null(sg_asp_by_name(r->sg, "any-127.0.0.1:1"));
	assert_non_null(sg_asp_by_name(r->sg, "hlr-1")->assoc);
	rig_free(r);
}

static void no_more_peers_than_the_limit(void **state)
{
	struct rig *r = rig_new();
	struct assoc *a;

	(void)state;
	template(r, "lab", "10.1.0.0", 16);
	rig_start(r);
	a = arrive(r, "10.1.0.1", 1);
	assert_non_null(arrive(r, "10.1.0.2", 1));
	assert_null(arrive(r, "10.1.0.3", 1));
	assert_int_equal(named(r, "lab")->refused, 1);
	assert_int_equal(named(r, "lab")->peers, 2);
	fake_down(r->plane, a, "closed");
	assert_non_null(arrive(r, "10.1.0.3", 1));
	rig_free(r);
}

static void a_returning_guest_replaces_itself(void **state)
{
	struct rig *r = rig_new();
	struct assoc *a, *b;

	(void)state;
	template(r, "lab", "10.1.0.0", 16);
	rig_start(r);
	a = arrive(r, "10.1.0.1", 1);
	rig_say(r, a, "ASPUP");
	rig_say(r, a, "REG_REQ rk={ lrk=1 dpc=33 }");
	rig_forget(r);
	b = arrive(r, "10.1.0.1", 1);
	assert_ptr_not_equal(a, b);
	assert_int_equal(named(r, "lab")->peers, 1);
	assert_int_equal(sg_asp_by_name(r->sg, "lab-10.1.0.1:1")->n_registered, 0);
	fake_down(r->plane, a, "aborted"); /* the old one's end is nobody's */
	assert_non_null(sg_asp_by_name(r->sg, "lab-10.1.0.1:1"));
	rig_say(r, b, "ASPUP");
	rig_expect(b, "ASPUP_ACK");
	rig_free(r);
}

static void a_reload_keeps_guests_that_are_still_welcome(void **state)
{
	struct rig *r = rig_new();
	struct template_conf *t = template(r, "lab", "10.1.0.0", 16);
	struct assoc *a, *b;

	(void)state;
	rig_start(r);
	a = arrive(r, "10.1.0.1", 1);
	b = arrive(r, "10.1.0.2", 1);
	rig_say(r, a, "ASPUP");
	rig_say(r, a, "REG_REQ rk={ lrk=1 dpc=33 }");
	rig_say(r, b, "ASPUP");
	rig_forget(r);
	t->asp.rkm.limit = 1;
	rig_asp(r, "known", "10.1.0.2"); /* it is configured now: it may come back as such */
	sg_apply(r->sg, &r->conf, NULL, 0);
	assert_int_equal(sg_asp_by_name(r->sg, "lab-10.1.0.1:1")->n_registered, 1);
	rig_say(r, a, "REG_REQ rk={ lrk=1 dpc=34 }");
	rig_expect(a, "REG_RSP result={ lrk=1 status=8 rc=0 }");
	assert_null(sg_asp_by_name(r->sg, "lab-10.1.0.2:1"));
	rig_expect(b, "<abort: removed from the configuration>");
	/* the template is gone: so are they */
	r->conf.n_templates = 0;
	sg_apply(r->sg, &r->conf, NULL, 0);
	assert_null(sg_asp_by_name(r->sg, "lab-10.1.0.1:1"));
	assert_null(named(r, "lab"));
	rig_expect(a, "<abort: removed from the configuration>");
	rig_free(r);
}

static void prefixes_compare_bits(void **state)
{
	static const struct {
		const char *prefix;
		uint8_t len;
		const char *address;
		bool has, clean;
	} rows[] = {
		{"10.1.2.0", 23, "10.1.3.255", true, true},
		{"10.1.2.0", 23, "10.1.4.0", false, true},
		{"10.1.3.0", 23, "10.1.2.0", true, false},
		{"0.0.0.0", 0, "255.255.255.255", true, true},
		{"10.1.2.3", 32, "10.1.2.3", true, true},
		{"10.1.2.3", 32, "10.1.2.2", false, true},
		{"10.0.0.0", 8, "::ffff:10.9.9.9", true, true},
		{"2001:db8::", 32, "2001:db8:1::1", true, true},
		{"2001:db8::", 33, "2001:db8:8000::1", false, true},
		{"::", 0, "10.1.2.3", false, true},
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct ip_prefix p = {.len = rows[i].len};
		union tp_addr a;

		assert_int_equal(tp_addr_parse(&p.addr, rows[i].prefix), SB_OK);
		assert_int_equal(tp_addr_parse(&a, rows[i].address), SB_OK);
		assert_int_equal(ip_prefix_has(&p, &a), rows[i].has);
		assert_int_equal(ip_prefix_is_clean(&p), rows[i].clean);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_guest_is_an_asp_while_its_association_lives),
		cmocka_unit_test(who_no_template_admits_is_refused),
		cmocka_unit_test(another_listener_is_not_for_them),
		cmocka_unit_test(the_longest_prefix_counts_and_configured_asps_before_all),
		cmocka_unit_test(no_more_peers_than_the_limit),
		cmocka_unit_test(a_returning_guest_replaces_itself),
		cmocka_unit_test(a_reload_keeps_guests_that_are_still_welcome),
		cmocka_unit_test(prefixes_compare_bits),
	};

	return cmocka_run_group_tests_name("guest", tests, NULL, NULL);
}
