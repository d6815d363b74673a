/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "sctp/transport.h"

static union tp_addr addr(const char *text)
{
	union tp_addr a;

	assert_int_equal(tp_addr_parse(&a, text), SB_OK);
	return a;
}

static void what_is_written_is_read_again(void **state)
{
	static const char *const same[] = {"192.0.2.1", "0.0.0.0", "2001:db8::1", "::", "::1", "fe80::1:2"};
	char buf[TP_ADDR_STR];

	(void)state;
	for (size_t i = 0; i < sizeof(same) / sizeof(same[0]); i++) {
		union tp_addr a = addr(same[i]);

		assert_string_equal(tp_addr_str(&a, buf, sizeof(buf)), same[i]);
		assert_int_equal(tp_addr_port(&a), 0);
	}
}

static void what_is_no_address_is_refused(void **state)
{
	static const char *const bad[] = {"", "localhost", "1.2.3", "1.2.3.4.5", "1.2.3.256", "1.2.3.4:5",
		" 1.2.3.4", "1.2.3.4 ", "::g", "[::1]", "1:2:3:4:5:6:7:8:9"};
	union tp_addr a;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(tp_addr_parse(&a, bad[i]), SB_EINVAL);
}

static void mapped_addresses_are_ipv4(void **state)
{
	union tp_addr v4 = addr("192.0.2.1"), mapped = addr("::ffff:192.0.2.1"),
		      other = addr("::ffff:192.0.2.2");
	char buf[TP_ADDR_STR];

	(void)state;
	assert_true(tp_addr_same(&v4, &mapped));
	assert_true(tp_addr_same(&mapped, &v4));
	assert_false(tp_addr_same(&v4, &other));
	assert_string_equal(tp_addr_str(&mapped, buf, sizeof(buf)), "192.0.2.1");
	tp_addr_set_port(&mapped, 2905);
	tp_addr_unmap(&mapped);
	assert_int_equal(mapped.sa.sa_family, AF_INET);
	assert_int_equal(tp_addr_port(&mapped), 2905);
	assert_true(tp_addr_same(&v4, &mapped));
	other = addr("2001:db8::1");
	tp_addr_unmap(&other);
	assert_int_equal(other.sa.sa_family, AF_INET6);
}

static void ports_do_not_make_hosts_differ_but_scopes_do(void **state)
{
	union tp_addr a = addr("fe80::1"), b = addr("fe80::1");

	(void)state;
	tp_addr_set_port(&a, 1);
	tp_addr_set_port(&b, 65535);
	assert_int_equal(tp_addr_port(&b), 65535);
	assert_true(tp_addr_same(&a, &b));
	a.in6.sin6_scope_id = 1;
	assert_true(tp_addr_same(&a, &b)); /* not told */
	b.in6.sin6_scope_id = 2;
	assert_false(tp_addr_same(&a, &b));
}

static void wildcards_and_loopbacks_are_known_in_both_families(void **state)
{
	static const struct {
		const char *text;
		bool any, loopback;
	} t[] = {
		{"0.0.0.0", true, false},
		{"::", true, false},
		{"::ffff:0.0.0.0", true, false},
		{"127.0.0.1", false, true},
		{"127.9.9.9", false, true},
		{"::1", false, true},
		{"::ffff:127.0.0.1", false, true},
		{"128.0.0.1", false, false},
		{"::2", false, false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		union tp_addr a = addr(t[i].text);

		assert_int_equal(tp_addr_is_any(&a), t[i].any);
		assert_int_equal(tp_addr_is_loopback(&a), t[i].loopback);
	}
}

static void a_short_buffer_is_not_overrun(void **state)
{
	union tp_addr a = addr("192.0.2.123");
	char buf[8] = "xxxxxxx";

	(void)state;
	assert_string_equal(tp_addr_str(&a, buf, 4), "");
	assert_int_equal(buf[4], 'x');
}

static void defaults_are_for_signaling(void **state)
{
	struct tp_params p;

	(void)state;
	memset(&p, 0xff, sizeof(p));
	tp_params_default(&p);
	assert_int_equal(p.kind, TP_AUTO);
	assert_int_equal(p.n_local + p.n_remote + p.local_port + p.remote_port, 0);
	assert_in_range(p.rto_min_ms, p.sack_delay_ms + 1, p.rto_initial_ms);
	assert_in_range(p.rto_max_ms, p.rto_initial_ms, 1000);
	assert_int_equal(p.path_max_retrans, 3);
	assert_int_equal(p.assoc_max_retrans, 6);
	assert_true(p.sndbuf >= 4 << 20 && p.rcvbuf >= 4 << 20);
	assert_true(p.backlog >= 512);
}

static void every_kind_has_a_name_and_a_reason(void **state)
{
	char why[TP_REASON];

	(void)state;
	assert_string_equal(tp_kind_name(TP_AUTO), "auto");
	assert_string_equal(tp_kind_name((enum tp_kind)99), "?");
	assert_null(tp_select((enum tp_kind)99, why, sizeof(why)));
	for (int k = TP_AUTO + 1; k < TP_KINDS; k++) {
		const struct tp_ops *ops = tp_select((enum tp_kind)k, why, sizeof(why));

		if (ops)
			assert_string_equal(ops->name, tp_kind_name((enum tp_kind)k));
		assert_int_equal(
			strncmp(why, tp_kind_name((enum tp_kind)k), strlen(tp_kind_name((enum tp_kind)k))),
			0);
	}
}

static void auto_prefers_the_kernel_and_says_why(void **state)
{
	char why[TP_REASON], kernel[TP_REASON], expected[2 * TP_REASON];
	bool has = tp_kernel.available(kernel, sizeof(kernel));
	const struct tp_ops *ops = tp_select(TP_AUTO, why, sizeof(why));

	(void)state;
	assert_ptr_equal(ops, has ? &tp_kernel : &tp_embedded);
	snprintf(expected, sizeof(expected), "%s: %s", has ? "kernel" : "embedded", kernel);
	assert_string_equal(why, expected);
	assert_ptr_equal(tp_select(TP_AUTO, NULL, 0), ops);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_written_is_read_again),
		cmocka_unit_test(what_is_no_address_is_refused),
		cmocka_unit_test(mapped_addresses_are_ipv4),
		cmocka_unit_test(ports_do_not_make_hosts_differ_but_scopes_do),
		cmocka_unit_test(wildcards_and_loopbacks_are_known_in_both_families),
		cmocka_unit_test(a_short_buffer_is_not_overrun),
		cmocka_unit_test(defaults_are_for_signaling),
		cmocka_unit_test(every_kind_has_a_name_and_a_reason),
		cmocka_unit_test(auto_prefers_the_kernel_and_says_why),
	};

	return cmocka_run_group_tests_name("addresses, parameters, choice", tests, NULL, NULL);
}
