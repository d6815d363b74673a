/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "wire/pc.h"

static struct pc_format format(const char *text, uint8_t bits)
{
	struct pc_format f;

	assert_true(pc_format_parse(text, bits, &f));
	return f;
}

static void variants_have_their_widths_and_names(void **state)
{
	(void)state;
	assert_int_equal(pc_bits(PC_ITU), 14);
	assert_int_equal(pc_bits(PC_ANSI), 24);
	assert_int_equal(pc_bits(PC_CHINA), 24);
	assert_int_equal(pc_bits(PC_JAPAN), 16);
	assert_string_equal(pc_variant_name(PC_JAPAN), "japan");
	assert_string_equal(pc_variant_name(PC_VARIANTS), "?");
}

static void default_notations_are_those_in_use(void **state)
{
	static const struct {
		enum pc_variant v;
		uint32_t pc;
		const char *text;
	} rows[] = {
		{PC_ITU, 0, "0-0-0"},
		{PC_ITU, 2057, "1-1-1"},
		{PC_ITU, 16383, "7-255-7"},
		{PC_ITU, 4 << 11 | 31 << 3 | 6, "4-31-6"},
		{PC_ANSI, 0x0a1e05, "10-30-5"},
		{PC_ANSI, 0xffffff, "255-255-255"},
		{PC_CHINA, 0x010203, "1-2-3"},
		{PC_JAPAN, 9 << 9 | 1 << 5 | 20, "20-1-9"}, /* main area, sub-area, unit */
		{PC_JAPAN, 0xffff, "31-15-127"},
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct pc_format f;
		char buf[PC_STR];
		uint32_t pc;

		pc_format_default(rows[i].v, &f);
		assert_string_equal(pc_str(rows[i].pc, &f, buf, sizeof(buf)), rows[i].text);
		assert_true(pc_parse(rows[i].text, &f, pc_bits(rows[i].v), &pc));
		assert_int_equal(pc, rows[i].pc);
	}
}

static void every_point_code_reads_as_it_is_written(void **state)
{
	static const struct {
		const char *text;
		uint8_t bits;
	} rows[] = {{"3-8-3", 14}, {"5.4.5", 14}, {"14", 14}, {"4/3/4/3", 14}, {"8.8.8", 24}, {"7-4-5", 16},
		{"5-4-7", 16}, {"24", 24}};

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct pc_format f = format(rows[i].text, rows[i].bits);
		uint32_t step = rows[i].bits > 16 ? 257 : 1, back;
		char buf[PC_STR];

		for (uint32_t pc = 0; pc < 1u << rows[i].bits; pc += step) {
			assert_true(pc_parse(pc_str(pc, &f, buf, sizeof(buf)), &f, rows[i].bits, &back));
			assert_int_equal(back, pc);
		}
	}
}

static void plain_numbers_and_other_delimiters_are_read(void **state)
{
	static const struct {
		const char *text;
		uint32_t pc;
	} rows[] = {{"2057", 2057}, {"0x809", 2057}, {"0X3fff", 16383}, {"1.1.1", 2057}, {"1/1/1", 2057},
		{"01-001-1", 2057}, {"0", 0}};
	struct pc_format f = format("3-8-3", 14);

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint32_t pc;

		assert_true(pc_parse(rows[i].text, &f, 14, &pc));
		assert_int_equal(pc, rows[i].pc);
	}
}

static void what_is_no_point_code_is_refused(void **state)
{
	static const char *const rows[] = {"", "-", "1-", "1-1", "1-1-1-1", "1-1-1-", "-1-1-1", "8-0-0",
		"0-256-0", "0-0-8", "1-1.1", "1--1", " 1-1-1", "1-1-1 ", "+1", "16384", "0x4000", "0x", "0xg",
		"x", "1a", "a", "0x1-1-1", "99999999999999999999", "1-1-99999999999999999999", "1,1,1"};
	struct pc_format f = format("3-8-3", 14), plain = format("14", 14);
	uint32_t pc = 4711;

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (pc_parse(rows[i], &f, 14, &pc))
			fail_msg("accepted: '%s'", rows[i]);
	assert_false(pc_parse("1-1", &plain, 14, &pc));
	assert_int_equal(pc, 4711);
}

static void what_is_no_notation_is_refused(void **state)
{
	static const char *const rows[] = {"", "3-8", "3-8-4", "3-8-3-", "-3-8-3", "3-8.3", "0-14", "15",
		"3-8-2-1-0", "1-1-1-1-10", "a", "3 8 3", "14 ", "4294967310"};
	struct pc_format f;

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (pc_format_parse(rows[i], 14, &f))
			fail_msg("accepted: '%s'", rows[i]);
}

static void text_fits_its_buffer(void **state)
{
	struct pc_format f = format("8.8.8", 24), odd = format("3-8-3", 14);
	char buf[PC_STR];

	(void)state;
	for (uint32_t n = 1; n < sizeof(buf); n++) {
		memset(buf, 'x', sizeof(buf));
		pc_str(0xffffff, &f, buf, n);
		assert_true(strlen(buf) < n);
	}
	/* a number too wide shows */
	assert_string_equal(pc_str(0xffffffff, &odd, buf, sizeof(buf)), "2097151-255-7");
}

static void a_mask_means_a_range(void **state)
{
	static const struct {
		uint32_t pc;
		uint8_t mask, bits;
		uint32_t first, last;
	} rows[] = {
		{2057, 0, 14, 2057, 2057}, {2057, 3, 14, 2056, 2063}, {0x0a1e05, 8, 24, 0x0a1e00, 0x0a1eff},
		{2057, 13, 14, 0, 8191}, {16383, 13, 14, 8192, 16383}, {2057, 14, 14, 0, 16383},
		{0xffffff, 23, 24, 0x800000, 0xffffff}, {0, 24, 24, 0, 0xffffff},
		{0xffffff, 14, 14, 0, 16383},
		{0xffffff, 255, 14, 0, 16383}, /* the whole network, whatever is in the code */
	};
	struct pc_range r;

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_true(pc_range_of(rows[i].pc, rows[i].mask, rows[i].bits, &r));
		assert_int_equal(r.first, rows[i].first);
		assert_int_equal(r.last, rows[i].last);
	}
	assert_false(pc_range_of(16384, 0, 14, &r));
	assert_false(pc_range_of(0x10000, 15, 16, &r));
}

static void ranges_hold_and_overlap(void **state)
{
	struct pc_range a = {8, 15}, b = {15, 20}, c = {16, 16};

	(void)state;
	assert_true(pc_range_has(&a, 8) && pc_range_has(&a, 15));
	assert_false(pc_range_has(&a, 7) || pc_range_has(&a, 16));
	assert_true(pc_range_overlap(&a, &b) && pc_range_overlap(&b, &a));
	assert_false(pc_range_overlap(&a, &c) || pc_range_overlap(&c, &a));
}

static void service_indicators_have_names(void **state)
{
	uint8_t si;

	(void)state;
	for (uint8_t i = 0; i < 16; i++)
		if (strcmp(si_name(i), "?")) {
			assert_true(si_parse(si_name(i), &si));
			assert_int_equal(si, i);
		}
	assert_string_equal(si_name(3), "SCCP");
	assert_string_equal(si_name(5), "ISUP");
	assert_string_equal(si_name(11), "?");
	assert_string_equal(si_name(200), "?");
	assert_true(si_parse("sccp", &si));
	assert_int_equal(si, 3);
	assert_true(si_parse("15", &si));
	assert_int_equal(si, 15);
	assert_false(si_parse("16", &si));
	assert_false(si_parse("", &si));
	assert_false(si_parse("?", &si));
	assert_false(si_parse("3 ", &si));
	assert_false(si_parse("sccpx", &si));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(variants_have_their_widths_and_names),
		cmocka_unit_test(default_notations_are_those_in_use),
		cmocka_unit_test(every_point_code_reads_as_it_is_written),
		cmocka_unit_test(plain_numbers_and_other_delimiters_are_read),
		cmocka_unit_test(what_is_no_point_code_is_refused),
		cmocka_unit_test(what_is_no_notation_is_refused),
		cmocka_unit_test(text_fits_its_buffer),
		cmocka_unit_test(a_mask_means_a_range),
		cmocka_unit_test(ranges_hold_and_overlap),
		cmocka_unit_test(service_indicators_have_names),
	};

	return cmocka_run_group_tests_name("wire/pc", tests, NULL, NULL);
}
