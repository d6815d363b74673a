/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "show_rig.h"

#include <stdio.h>
#include <string.h>

#include "console/operate.h"
#include "console/show.h"

struct sg *sg;
char output[256 * 1024];

int setup(void **state)
{
	(void)state;
	sg = fake_gateway_new();
	return 0;
}

int teardown(void **state)
{
	(void)state;
	fake_gateway_free();
	return 0;
}

static void collect(void *arg, const char *text)
{
	(void)arg;
	assert_true(strlen(output) + strlen(text) + 2 < sizeof(output));
	strcat(output, text);
	strcat(output, "\n");
}

static const struct show_row *row_of(const char *command)
{
	for (const struct show_row *const *area = show_areas; *area; area++)
		for (const struct show_row *row = *area; row->command; row++)
			if (!strcmp(row->command, command))
				return row;
	fail_msg("no row %s", command);
	return NULL;
}

bool run(const char *command, bool json, const char *const *argv)
{
	struct show s = {.sg = sg, .conf = fake_conf(NULL), .argv = argv, .started_ms = 40000};
	output[0] = '\0';
	return show_run(row_of(command), &s, json, collect, NULL);
}

const char *text(const char *command, const char *const *argv)
{
	assert_true(run(command, false, argv));
	return output;
}

json_t *json(const char *command, const char *const *argv)
{
	json_error_t error;
	if (!run(command, true, argv))
		fail_msg("%s: %s", command, output);
	json_t *j = json_loads(output, JSON_REJECT_DUPLICATES, &error);
	assert_non_null(j);
	return j;
}

void contains(const char *haystack, const char *needle)
{
	if (!strstr(haystack, needle))
		fail_msg("\"%s\" is not in:\n%s", needle, haystack);
}

/* The row of a list whose NAME is this. */
json_t *named(json_t *list, const char *name)
{
	size_t i;
	json_t *row;

	assert_true(json_is_array(list));
	json_array_foreach(
		list, i, row) if (!strcmp(json_string_value(json_object_get(row, "name")), name)) return row;
	fail_msg("no %s", name);
	return NULL;
}

void says(json_t *object, const char *key, const char *value)
{
	const char *v = json_string_value(json_object_get(object, key));
	if (!v)
		fail_msg("no string %s", key);
	assert_string_equal(v, value);
}

void counts(json_t *object, const char *key, long long value)
{
	assert_true(json_is_integer(json_object_get(object, key)));
	assert_int_equal(json_integer_value(json_object_get(object, key)), value);
}

bool operate(const char *command, bool json, const char *const *argv)
{
	const struct operate_on on = {.sg = sg};

	output[0] = '\0';
	for (const struct operate_row *const *area = operate_areas; *area; area++)
		for (const struct operate_row *row = *area; row->command; row++)
			if (!strcmp(row->command, command))
				return operate_run(row, &on, argv, json, collect, NULL);
	fail_msg("no operation %s", command);
	return false;
}
