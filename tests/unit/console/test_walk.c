/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The two renderers on the same walk: what they print, to the character, and that they tell the same. */
#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "console/walk.h"

static char output[64 * 1024];

static void collect(void *arg, const char *text)
{
	(void)arg;
	assert_null(strchr(text, '\n'));
	assert_true(strlen(output) + strlen(text) + 2 < sizeof(output));
	strcat(output, text);
	strcat(output, "\n");
}

static const char *as_text(void (*describe)(struct walk *w))
{
	struct walk *w = walk_text_new(collect, NULL);
	output[0] = '\0';
	describe(w);
	walk_done(w);
	return output;
}

static json_t *as_json(void (*describe)(struct walk *w))
{
	struct walk *w = walk_json_new(collect, NULL);
	json_error_t error;
	output[0] = '\0';
	describe(w);
	walk_done(w);
	json_t *j = json_loads(output, JSON_REJECT_DUPLICATES, &error);
	if (!j)
		print_error("%s in:\n%s", error.text, output);
	assert_non_null(j);
	return j;
}

static void describe_table(struct walk *w)
{
	walk_table(w, "asps");
	walk_object(w, NULL);
	walk_str(w, "asp", "hlr-1");
	walk_u64(w, "rx-messages", 7);
	walk_bool(w, "blocked", false);
	walk_object_end(w);
	walk_object(w, NULL);
	walk_str(w, "asp", "m");
	walk_u64(w, "rx-messages", 1234567890123);
	walk_bool(w, "blocked", true);
	walk_str(w, "reason", "ASPAC");
	walk_object_end(w);
	walk_table_end(w);
}

static void a_table_has_aligned_columns_of_all_rows_fields(void **state)
{
	(void)state;
	assert_string_equal(as_text(describe_table), "asp      rx messages  blocked  reason\n"
						     "hlr-1              7  no       -\n"
						     "m      1234567890123  yes      ASPAC\n");
}

static void a_table_is_a_json_list_of_objects(void **state)
{
	(void)state;
	json_t *j = as_json(describe_table);
	json_t *rows = json_object_get(j, "asps");
	assert_int_equal(json_array_size(rows), 2);
	json_t *row = json_array_get(rows, 1);
	assert_string_equal(json_string_value(json_object_get(row, "asp")), "m");
	assert_int_equal(json_integer_value(json_object_get(row, "rx-messages")), 1234567890123);
	assert_true(json_is_true(json_object_get(row, "blocked")));
	assert_null(json_object_get(json_array_get(rows, 0), "reason"));
	json_decref(j);
}

static void json_keeps_the_order_of_the_walk(void **state)
{
	(void)state;
	json_decref(as_json(describe_table));
	const char *asp = strstr(output, "\"asp\""), *rx = strstr(output, "\"rx-messages\"");
	const char *blocked = strstr(output, "\"blocked\"");
	assert_true(asp && rx && blocked && asp < rx && rx < blocked);
}

static void describe_object(struct walk *w)
{
	walk_object(w, "asp");
	walk_str(w, "name", "hlr-1");
	walk_str(w, "local-address", NULL);
	walk_list(w, "addresses");
	walk_item(w, "127.0.0.1");
	walk_item(w, "::1");
	walk_list_end(w);
	walk_list(w, "nothing");
	walk_list_end(w);
	walk_object(w, "path");
	walk_ms(w, "rto", 200);
	walk_bool(w, "primary", true);
	walk_object_end(w);
	walk_table(w, "messages");
	walk_table_end(w);
	walk_object_end(w);
}

static void an_object_has_aligned_values_and_indented_parts(void **state)
{
	(void)state;
	assert_string_equal(as_text(describe_object), "name:           hlr-1\n"
						      "local address:  -\n"
						      "addresses:      127.0.0.1, ::1\n"
						      "nothing:        -\n"
						      "\n"
						      "path:\n"
						      "  rto:      200 ms\n"
						      "  primary:  yes\n"
						      "\n"
						      "messages:\n"
						      "  (none)\n");
}

static void an_object_is_a_json_object(void **state)
{
	(void)state;
	json_t *j = as_json(describe_object), *o = json_object_get(j, "asp");
	assert_true(json_is_null(json_object_get(o, "local-address")));
	assert_string_equal(json_string_value(json_array_get(json_object_get(o, "addresses"), 1)), "::1");
	assert_int_equal(json_integer_value(json_object_get(json_object_get(o, "path"), "rto")), 200);
	assert_int_equal(json_array_size(json_object_get(o, "messages")), 0);
	json_decref(j);
}

static void describe_nested_rows(struct walk *w)
{
	walk_table(w, "asps");
	walk_object(w, NULL);
	walk_str(w, "asp", "a");
	walk_table(w, "application-servers");
	for (int i = 0; i < 2; i++) {
		walk_object(w, NULL);
		walk_fmt(w, "as", "as%d", i);
		walk_str(w, "state", "ASP-ACTIVE");
		walk_object_end(w);
	}
	walk_table_end(w);
	walk_object_end(w);
	walk_table_end(w);
}

static void what_is_nested_in_a_row_shares_a_cell_but_stays_structured_in_json(void **state)
{
	(void)state;
	assert_string_equal(as_text(describe_nested_rows), "asp  application servers\n"
							   "a    as0 ASP-ACTIVE, as1 ASP-ACTIVE\n");
	json_t *j = as_json(describe_nested_rows);
	json_t *row = json_array_get(json_object_get(j, "asps"), 0);
	json_t *as1 = json_array_get(json_object_get(row, "application-servers"), 1);
	assert_string_equal(json_string_value(json_object_get(as1, "as")), "as1");
	json_decref(j);
}

static void describe_counters(struct walk *w)
{
	walk_blocks(w, "associations");
	for (int i = 0; i < 2; i++) {
		walk_object(w, NULL);
		walk_fmt(w, "association", "a%d", i);
		walk_counter(w, "rx-data", 12345, "DATA messages received", false);
		walk_counter(w, "held", i, "messages held", false);
		walk_object(w, "drops");
		walk_counter(w, "loop", i, "came back", true);
		walk_object_end(w);
		walk_object_end(w);
	}
	walk_blocks_end(w);
}

static void blocks_follow_each_other_and_sparse_counters_that_are_zero_are_not_printed(void **state)
{
	(void)state;
	assert_string_equal(as_text(describe_counters), "association:  a0\n"
							"rx data:      12345  DATA messages received\n"
							"held:             0  messages held\n"
							"drops:\n"
							"  (none)\n"
							"\n"
							"association:  a1\n"
							"rx data:      12345  DATA messages received\n"
							"held:             1  messages held\n"
							"drops:\n"
							"  loop:  1  came back\n");
	json_t *j = as_json(describe_counters);
	json_t *a0 = json_array_get(json_object_get(j, "associations"), 0);
	json_t *loop = json_object_get(json_object_get(a0, "drops"), "loop");
	assert_true(json_is_integer(loop));
	assert_int_equal(json_integer_value(loop), 0);
	json_decref(j);
}

static void describe_several(struct walk *w)
{
	walk_str(w, "version", "1");
	describe_table(w);
}

static void parts_of_a_larger_answer_have_headings(void **state)
{
	(void)state;
	assert_true(!strncmp(as_text(describe_several), "version:  1\n\nasps:\n  asp  ", 26));
}

static void describe_nothing(struct walk *w)
{
	(void)w;
}

static void an_empty_walk_says_so(void **state)
{
	(void)state;
	assert_string_equal(as_text(describe_nothing), "(none)\n");
	json_t *j = as_json(describe_nothing);
	assert_int_equal(json_object_size(j), 0);
	json_decref(j);
}

static void describe_hostile(struct walk *w)
{
	walk_str(w, "reason", "a\nb\x1b[2J\"\\ \xff\xc0\x80 \xed\xa0\x80 caf\xc3\xa9 \xf0\x9f\x93\x9e");
	walk_str(w, "empty", "");
	walk_str(w, "cut", "\xe2\x82");
}

static void what_a_peer_says_cannot_steer_the_terminal_or_break_json(void **state)
{
	(void)state;
	assert_string_equal(as_text(describe_hostile),
		"reason:  a\\x0ab\\x1b[2J\"\\ \\xff\\xc0\\x80 \\xed\\xa0\\x80 caf\xc3\xa9 \xf0\x9f\x93\x9e\n"
		"empty:   \"\"\n"
		"cut:     \\xe2\\x82\n");
	json_t *j = as_json(describe_hostile);
	assert_string_equal(json_string_value(json_object_get(j, "reason")),
		"a\nb\x1b[2J\"\\ \\xff\\xc0\\x80 \\xed\\xa0\\x80 caf\xc3\xa9 \xf0\x9f\x93\x9e");
	json_decref(j);
}

static uint64_t the_ms;

static void describe_ms(struct walk *w)
{
	walk_table(w, "t");
	walk_object(w, NULL);
	walk_ms(w, "t", the_ms);
	walk_object_end(w);
	walk_table_end(w);
}

static void times_are_for_people(void **state)
{
	static const struct {
		uint64_t ms;
		const char *text;
	} rows[] = {{0, "0 ms"}, {999, "999 ms"}, {1000, "1.0 s"}, {12399, "12.3 s"}, {59999, "59.9 s"},
		{60000, "00:01:00"}, {86399999, "23:59:59"}, {93784000, "1d 02:03:04"},
		{UINT64_MAX, "213503982334d 14:25:51"}};
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char expected[64];
		the_ms = rows[i].ms;
		snprintf(expected, sizeof(expected), "t\n%s\n", rows[i].text);
		assert_string_equal(as_text(describe_ms), expected);
	}
}

static void describe_wide(struct walk *w)
{
	walk_table(w, "t");
	for (int i = 0; i < 2; i++) {
		walk_object(w, NULL);
		walk_str(w, "name", i ? "\xc3\xa9t\xc3\xa9" : "abcdef");
		walk_str(w, "x", "x");
		walk_object_end(w);
	}
	walk_table_end(w);
}

static void columns_count_characters_not_bytes(void **state)
{
	(void)state;
	assert_string_equal(as_text(describe_wide), "name    x\nabcdef  x\n\xc3\xa9t\xc3\xa9     x\n");
}

static void describe_many(struct walk *w)
{
	walk_table(w, "t");
	for (int i = 0; i < 5000; i++) {
		walk_object(w, NULL);
		walk_u64(w, "n", (uint64_t)i);
		walk_object_end(w);
	}
	walk_table_end(w);
}

static void a_dropped_walk_says_nothing(void **state)
{
	(void)state;
	struct walk *w = walk_text_new(collect, NULL);
	output[0] = '\0';
	walk_table(w, "t"); /* not even closed: an error was found on the way */
	walk_object(w, NULL);
	walk_drop(w);
	assert_string_equal(output, "");
}

static void many_rows_come_out_whole(void **state)
{
	(void)state;
	const char *text = as_text(describe_many);
	size_t lines = 0;
	for (const char *p = text; *p; p++)
		lines += *p == '\n';
	assert_int_equal(lines, 5001);
	assert_non_null(strstr(text, "\n4999\n"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_table_has_aligned_columns_of_all_rows_fields),
		cmocka_unit_test(a_table_is_a_json_list_of_objects),
		cmocka_unit_test(json_keeps_the_order_of_the_walk),
		cmocka_unit_test(an_object_has_aligned_values_and_indented_parts),
		cmocka_unit_test(an_object_is_a_json_object),
		cmocka_unit_test(what_is_nested_in_a_row_shares_a_cell_but_stays_structured_in_json),
		cmocka_unit_test(blocks_follow_each_other_and_sparse_counters_that_are_zero_are_not_printed),
		cmocka_unit_test(parts_of_a_larger_answer_have_headings),
		cmocka_unit_test(an_empty_walk_says_so),
		cmocka_unit_test(what_a_peer_says_cannot_steer_the_terminal_or_break_json),
		cmocka_unit_test(times_are_for_people),
		cmocka_unit_test(columns_count_characters_not_bytes),
		cmocka_unit_test(a_dropped_walk_says_nothing),
		cmocka_unit_test(many_rows_come_out_whole),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
