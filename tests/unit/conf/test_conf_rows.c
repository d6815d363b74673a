/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The schema as a whole: every row is sound, every range ends where it says. */
#include "conf_rig.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "conf/schema.h"
#include "conf/value.h"

/* ---- walking ---- */

typedef void (*visit_fn)(const char *path, const struct section *section, const struct row *row);

static void visit(const char *path, const struct section *section, visit_fn fn)
{
	for (unsigned i = 0; i < section->n_rows; i++) {
		const struct row *row = &section->rows[i];
		char *deeper = talloc_asprintf(NULL, "%s.%s", path, row->key);

		fn(deeper, section, row);
		if (row->sub)
			visit(deeper, row->sub, fn);
		talloc_free(deeper);
	}
}

static void row_is_sound(const char *path, const struct section *section, const struct row *row)
{
	uint64_t widest = row->size >= 8 ? UINT64_MAX : (1ull << (8 * row->size)) - 1;

	if (!row->sub && (!row->help || !row->help[0] || row->help[strlen(row->help) - 1] != '.'))
		fail_msg("%s: its help is no sentence", path);
	if (row->type != &value_group && row->offset + row->size > section->size)
		fail_msg("%s: lies outside its object", path);
	if (row->type == &value_number &&
		(row->max > widest || row->min > row->max || row->dflt > row->max ||
			(!section->inherits && !row->dflt_text && !row->has_offset && row->dflt < row->min)))
		fail_msg("%s: range, default and width do not fit", path);
	if (row->type->list && !row->count_size)
		fail_msg("%s: a list without a length", path);
	if ((row->type == &value_enum || row->type == &value_word) && !row->names)
		fail_msg("%s: no words", path);
	for (const struct row *o = section->rows; o < row; o++)
		if (!strcmp(o->key, row->key))
			fail_msg("%s: there twice", path);
}

static void every_row_is_sound(void **state)
{
	(void)state;
	visit("", &conf_schema, row_is_sound);
}

/* ---- ranges ---- */

/* SETTING in its group, if PATH has one. */
static const char *in_group(void *ctx, const char *path, const char *setting)
{
	const char *dot = strchr(path, '.');

	return dot ? talloc_asprintf(ctx, "%.*s = { %s };", (int)(dot - path), path, setting) : setting;
}

/* A configuration with KEY = VALUE where PATH says. */
static char *text_with(const char *path, const struct row *row, const char *value)
{
	void *ctx = talloc_new(NULL);
	bool asks = row->when && strstr(row->when->text, "role = ");
	const char *setting =
		talloc_asprintf(ctx, "%s%s = %s;", asks ? "role = \"asp\"; " : "", row->key, value);
	bool client = row->when && strstr(row->when->text, "client");
	struct rig_parts p = {0};
	char *text;

	if (!strncmp(path, ".node", 5))
		p.node = setting;
	else if (!strncmp(path, ".console", 8))
		p.console = setting;
	else if (!strncmp(path, ".log", 4))
		p.log = setting;
	else if (!strncmp(path, ".sctp", 5))
		p.sctp = setting;
	else if (!strncmp(path, ".networks", 9))
		p.network = setting;
	else if (!strncmp(path, ".listeners.sctp", 15))
		p.listener_sctp = setting;
	else if (!strncmp(path, ".listeners", 10))
		p.listener = setting;
	else if (!strncmp(path, ".peer-templates.", 16))
		p.top = talloc_asprintf(ctx,
			"peer-templates = ( { name = \"t\"; prefix = \"10.0.0.0/8\"; %s } );",
			in_group(ctx, path + 16, setting));
	else if (!strncmp(path, ".mtp3", 5))
		p.top = talloc_asprintf(ctx, "mtp3 = { %s };", setting);
	else if (!strncmp(path, ".links.", 7))
		p.top = talloc_asprintf(ctx,
			"links = ( { name = \"l\"; remote-addresses = ( \"10.0.0.1\" ); %s%s } );",
			client ? "side = \"client\"; " : "", in_group(ctx, path + 7, setting));
	else if (!strncmp(path, ".linksets.", 10))
		p.top = talloc_asprintf(ctx,
			"linksets = ( { name = \"s\"; network = \"nat\"; adjacent = 9; links = ( \"l\" ); %s "
			"} );",
			setting);
	else if (!strncmp(path, ".registration", 13))
		p.top = talloc_asprintf(ctx, "registration = { %s };", setting);
	else if (!strncmp(path, ".asps.rkm-as", 12))
		p.server = talloc_asprintf(ctx, "rkm-as = { %s };", setting);
	else if (!strncmp(path, ".asps.compat", 12))
		p.server = talloc_asprintf(ctx, "compat = { %s };", setting);
	else if (!strncmp(path, ".asps.sctp", 10))
		p.client = talloc_asprintf(ctx, "sctp = { %s };", setting);
	else if (!strncmp(path, ".asps", 5) && client)
		p.client = setting;
	else if (!strncmp(path, ".asps", 5))
		p.server = setting;
	else if (!strncmp(path, ".application-servers.routing-keys", 33))
		p.key = setting;
	else if (!strncmp(path, ".routes", 7))
		p.routes = talloc_asprintf(
			ctx, "{ network = \"nat\"; destination = \"default\"; via = \"as\"; %s }", setting);
	else
		p.as = setting;
	text = rig_text(&p);
	talloc_free(ctx);
	return text;
}

static bool refused(const char *path, const struct row *row, uint64_t value, bool negative)
{
	char digits[32], *text, *findings, *complaint;
	bool is_refused;

	snprintf(digits, sizeof(digits), "%s%" PRIu64, negative ? "-" : "", value);
	text = text_with(path, row, digits);
	conf_free(rig_load(text, &findings));
	complaint = talloc_asprintf(NULL, "\"%s\" must be a number from", row->key);
	is_refused = strstr(findings, complaint);
	talloc_free(complaint);
	talloc_free(findings);
	talloc_free(text);
	return is_refused;
}

static unsigned numbers_tried;

static void range_ends_where_it_says(const char *path, const struct section *section, const struct row *row)
{
	(void)section;
	if (row->type != &value_number)
		return;
	numbers_tried++;
	if (refused(path, row, row->min, false) || refused(path, row, row->max, false))
		fail_msg("%s: an end of its range is refused", path);
	if (!refused(path, row, row->max + 1, false) || !refused(path, row, 1, true) ||
		(row->min && !refused(path, row, row->min - 1, false)))
		fail_msg("%s: a value beyond its range is accepted", path);
	if (!refused(path, row, row->max + (1ull << 32), false) || !refused(path, row, UINT64_MAX, false))
		fail_msg("%s: a value is wrapped", path);
}

static void every_range_ends_where_it_says(void **state)
{
	(void)state;
	numbers_tried = 0;
	visit("", &conf_schema, range_ends_where_it_says);
	assert_true(numbers_tried > 60);
}

/* ---- wrong types ---- */

static void wrong_type_is_refused(const char *path, const struct section *section, const struct row *row)
{
	char *text, *findings, *complaint;
	struct conf *c;

	(void)section;
	if (row->sub || row->type == &value_point_code || row->mandatory)
		return;
	text = text_with(path, row, "1.5");
	c = rig_load(text, &findings);
	complaint = talloc_asprintf(NULL, "\"%s\" must ", row->key);
	if (c || !strstr(findings, complaint))
		if (!strstr(findings, "is only for") && !strstr(findings, "duplicate setting"))
			fail_msg("%s: accepts a fraction: %s", path, findings);
	talloc_free(complaint);
	talloc_free(findings);
	talloc_free(text);
	conf_free(c);
}

static void every_row_refuses_a_wrong_type(void **state)
{
	(void)state;
	visit("", &conf_schema, wrong_type_is_refused);
}

/* ---- the reference ---- */

static char *reference;

static void row_is_in_the_reference(const char *path, const struct section *section, const struct row *row)
{
	char *cell = talloc_asprintf(NULL, "| `%s` |", row->key);

	if (section != &conf_schema && !strstr(reference, cell))
		fail_msg("%s: not in the reference", path);
	talloc_free(cell);
}

static void the_reference_tells_every_row(void **state)
{
	size_t n;
	FILE *f = open_memstream(&reference, &n);

	(void)state;
	conf_reference(f);
	fclose(f);
	visit("", &conf_schema, row_is_in_the_reference);
	free(reference);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_row_is_sound),
		cmocka_unit_test(every_range_ends_where_it_says),
		cmocka_unit_test(every_row_refuses_a_wrong_type),
		cmocka_unit_test(the_reference_tells_every_row),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
