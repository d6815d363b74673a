/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "conf/source.h"

#include <string.h>
#include <sys/stat.h>
#include <talloc.h>

#include "conf_rig.h"

static void expect_text(const char *text, const char *expected)
{
	char *dir = rig_dir(), why[200];
	const char *where;
	unsigned line;
	struct source *s;

	rig_write(dir, "x.conf", text);
	s = source_read(NULL, talloc_asprintf(dir, "%s/x.conf", dir), &where, &line, why, sizeof(why));
	assert_non_null(s);
	assert_string_equal(source_text(s), expected);
	talloc_free(s);
	rig_dir_remove(dir);
}

static void numbers_beyond_31_bits_get_their_l(void **state)
{
	(void)state;
	expect_text("a = 2147483647;\n", "a = 2147483647;\n");
	expect_text("a = 2147483648;\n", "a = 2147483648L;\n");
	expect_text("a = 4294967296, b", "a = 4294967296L, b\n");
	expect_text("a = 4294967295L;\n", "a = 4294967295L;\n");
	expect_text("a = 0xFFFFFFFF;\n", "a = 0xFFFFFFFFL;\n");
	expect_text("a = 99999999999999999999;\n", "a = 9223372036854775807L;\n");
	expect_text("a = 12345678901.5;\n", "a = 12345678901.5;\n");
}

static void names_strings_and_comments_are_left_alone(void **state)
{
	const char *text = "a99999999999 = \"9999999999 \\\" 9999999999\"; # 9999999999\n"
			   "// 9999999999\n/* 9999999999\n9999999999 */ b-9999999999 = 1;\n";

	(void)state;
	expect_text(text, text);
}

static void an_include_is_relative_to_its_file(void **state)
{
	char *dir = rig_dir(), *sub = talloc_asprintf(dir, "%s/sub", dir), why[200];
	const char *where, *file;
	unsigned line;
	struct source *s;

	(void)state;
	assert_int_equal(mkdir(sub, 0700), 0);
	rig_write(dir, "x.conf", "a = 1;\n@include \"sub/y.conf\"\nb = 2;\n");
	rig_write(sub, "y.conf", "c = 3;\n  @include \"z.conf\"\n");
	rig_write(sub, "z.conf", "d = 4;");
	s = source_read(NULL, talloc_asprintf(dir, "%s/x.conf", dir), &where, &line, why, sizeof(why));
	assert_non_null(s);
	assert_string_equal(source_text(s), "a = 1;\nc = 3;\nd = 4;\nb = 2;\n");
	source_line(s, 3, &file, &line);
	assert_non_null(strstr(file, "/sub/z.conf"));
	assert_int_equal(line, 1);
	source_line(s, 4, &file, &line);
	assert_non_null(strstr(file, "/x.conf"));
	assert_int_equal(line, 3);
	source_line(s, 99, &file, &line);
	assert_int_equal(line, 3);
	talloc_free(s);
	rig_dir_remove(talloc_steal(NULL, sub));
	rig_dir_remove(dir);
}

static void expect_failure(const char *text, unsigned at, const char *expected)
{
	char *dir = rig_dir(), why[200];
	const char *where;
	unsigned line;

	rig_write(dir, "x.conf", text);
	assert_null(
		source_read(NULL, talloc_asprintf(dir, "%s/x.conf", dir), &where, &line, why, sizeof(why)));
	assert_non_null(strstr(where, "/x.conf"));
	assert_int_equal(line, at);
	assert_non_null(strstr(why, expected));
	talloc_free((void *)(uintptr_t)where);
	rig_dir_remove(dir);
}

static void what_cannot_be_included_is_told_with_its_line(void **state)
{
	(void)state;
	expect_failure("\n@include \"none.conf\"\n", 2, "No such file");
	expect_failure("@include \"/tmp\"\n", 1, "Is a directory");
	expect_failure("@include \"x.conf\"\n", 1, "nested too deep");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_beyond_31_bits_get_their_l),
		cmocka_unit_test(names_strings_and_comments_are_left_alone),
		cmocka_unit_test(an_include_is_relative_to_its_file),
		cmocka_unit_test(what_cannot_be_included_is_told_with_its_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
