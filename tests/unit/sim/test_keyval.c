/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "sim/keyval.h"

struct thing {
	char name[KEYVAL_NAME];
	uint32_t rc;
	bool has_rc;
	uint16_t port;
	uint64_t wait_ns;
};

static const struct keyval_row rows[] = {
	{"name", keyval_text, .offset = offsetof(struct thing, name), .want = "a name"},
	{"rc", keyval_u32, .offset = offsetof(struct thing, rc), .has_offset = offsetof(struct thing, has_rc),
		.max = UINT32_MAX, .want = "a number"},
	{"port", keyval_u16, .offset = offsetof(struct thing, port), .min = 1, .max = 65535,
		.want = "a port"},
	{"wait", keyval_millis, .offset = offsetof(struct thing, wait_ns), .want = "a time"},
};

static void a_list_fills_its_object(void **state)
{
	struct thing t = {0};
	char err[KEYVAL_ERR];

	(void)state;
	assert_true(keyval_parse("name=hlr,rc=0,port=0x10,wait=20", rows, 4, &t, err));
	assert_string_equal(t.name, "hlr");
	assert_true(t.has_rc);
	assert_int_equal(t.rc, 0);
	assert_int_equal(t.port, 16);
	assert_int_equal(t.wait_ns, 20000000);
}

static void what_is_wrong_is_said(void **state)
{
	static const struct {
		const char *text, *says;
	} bad[] = {
		{"colour=red", "no such key: \"colour\"; there are name, rc, port, wait"},
		{"name", "\"name\" is not key=value"},
		{"rc=", "rc: \"\" is not a number"},
		{"rc=-1", "rc: \"-1\" is not a number"},
		{"rc= 1", "rc: \" 1\" is not a number"},
		{"rc=4294967296", "rc: \"4294967296\" is not a number"},
		{"rc=99999999999999999999", "rc: \"99999999999999999999\" is not a number"},
		{"port=0", "port: \"0\" is not a port"},
		{"port=65536", "port: \"65536\" is not a port"},
		{"port=12x", "port: \"12x\" is not a port"},
		{"wait=1y", "wait: \"1y\" is not a time"},
		{"name=", "name: \"\" is not a name"},
		{"name=a-name-that-is-much-longer-than-31",
			"name: \"a-name-that-is-much-longer-than-31\" is not a name"},
	};
	char err[KEYVAL_ERR];

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct thing t = {0};

		assert_false(keyval_parse(bad[i].text, rows, 4, &t, err));
		assert_string_equal(err, bad[i].says);
	}
}

static void times_take_units(void **state)
{
	static const struct {
		const char *text;
		uint64_t ns;
	} good[] = {{"2", 2000000000}, {"2s", 2000000000}, {"1.5s", 1500000000}, {"250ms", 250000000},
		{"10us", 10000}, {"1m", 60000000000}, {"0", 0}};
	uint64_t ns;

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++) {
		assert_true(keyval_time(good[i].text, 1, &ns));
		assert_true(ns == good[i].ns);
	}
	assert_false(keyval_time("", 1, &ns));
	assert_false(keyval_time("-1s", 1, &ns));
	assert_false(keyval_time("nan", 1, &ns));
	assert_false(keyval_time("1e300", 1, &ns));
}

static void ranges_are_bounded_and_rise(void **state)
{
	uint32_t a, b;

	(void)state;
	assert_true(keyval_range("0-15", 0, 255, &a, &b) && a == 0 && b == 15);
	assert_true(keyval_range("7", 0, 255, &a, &b) && a == 7 && b == 7);
	assert_false(keyval_range("15-0", 0, 255, &a, &b));
	assert_false(keyval_range("0-256", 0, 255, &a, &b));
	assert_false(keyval_range("0-1-2", 0, 255, &a, &b));
	assert_false(keyval_range("99999999999999999999-1", 0, 255, &a, &b));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_list_fills_its_object),
		cmocka_unit_test(what_is_wrong_is_said),
		cmocka_unit_test(times_take_units),
		cmocka_unit_test(ranges_are_bounded_and_rise),
	};

	return cmocka_run_group_tests_name("sim/keyval", tests, NULL, NULL);
}
