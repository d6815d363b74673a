/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is dumped loads again to the same. */
#include "conf_rig.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "conf/schema.h"
#include "conf/value.h"

/* Loads TEXT; the dump of it must load to a configuration that has no difference and dumps the same. */
static bool is_fixed_point(const char *text)
{
	struct conf *one = rig_load(text, NULL), *two;
	char *dump_one, *dump_two;
	const char *restart;
	unsigned n;

	if (!one)
		return false;
	dump_one = rig_dump(one);
	two = rig_must_load(dump_one);
	dump_two = rig_dump(two);
	assert_string_equal(dump_one, dump_two);
	talloc_free(conf_diff(one, two, &n, &restart));
	assert_int_equal(n, 0);
	assert_null(restart);
	conf_free(one);
	conf_free(two);
	talloc_free(dump_one);
	talloc_free(dump_two);
	return true;
}

static void an_empty_file_dumps_its_defaults(void **state)
{
	struct conf *c = rig_must_load("");
	char *dump = rig_dump(c);

	(void)state;
	assert_non_null(strstr(dump, "rto-initial = 200;"));
	assert_non_null(strstr(dump, "asps = ();"));
	talloc_free(dump);
	conf_free(c);
	assert_true(is_fixed_point(""));
}

static void samples_are_fixed_points(void **state)
{
	static const struct rig_parts samples[] = {
		{0},
		{.network = "variant = \"japan\"; point-codes = ( \"1-2-3\" );"},
		{.network = "variant = \"japan\"; format = \"7-4-5\"; point-codes = ( \"1-2-3\" );"},
		{.network = "variant = \"ansi\"; format = \"8.8.8\"; point-codes = ( \"1-2-3\" );"},
		{.network = "format = \"14\"; point-codes = ( 16383 ); network-appearance = 4294967295;"},
		{.server = "identifier = 0; listener = \"lis\"; remote-port = 65535;"},
		{.as = "routing-context = 0;",
			.key = "si = ( 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 );"},
		{.sctp = "rto-max = 900;",
			.listener_sctp = "rto-max = 800;",
			.client = "sctp = { crc = \"trust-local\"; gso = true; };"},
		{.as = "traffic-mode = \"broadcast\";"},
		{.server = "role = \"asp\"; t-ack = 100; t-ack-retries = 0; send-asp-id = 0; audit-interval "
			   "= 0;",
			.client = "role = \"asp\";"},
		{.server = "role = \"ipsp-se\"; send-asp-id = 4294967295;", .client = "role = \"ipsp-se\";"},
		{.server = "role = \"ipsp-de\";",
			.client = "role = \"ipsp-de\"; t-ack = 60000;",
			.as = "routing-context = 1; own-routing-context = 0;"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(samples) / sizeof(samples[0]); i++) {
		char *text = rig_text(&samples[i]);

		assert_true(is_fixed_point(text));
		talloc_free(text);
	}
}

/* ---- random ones, from the schema ---- */

static uint64_t seed;

static uint64_t draw(uint64_t n)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (seed >> 33) % n;
}

static void put_value(FILE *out, const struct row *row)
{
	const struct enum_name *e = row->names;

	if (row->type == &value_number) {
		fprintf(out, "%" PRIu64,
			draw(3)   ? row->min + draw(row->max - row->min + 1)
			: draw(2) ? row->min
				  : row->max);
	} else if (row->type == &value_bool) {
		fputs(draw(2) ? "true" : "false", out);
	} else if (row->names) {
		unsigned n = 0;

		while (e[n].name)
			n++;
		fprintf(out, "\"%s\"", e[draw(n)].name);
	} else if (row->type == &value_service_indicators) {
		fprintf(out, "( %u, \"isup\", %u )", (unsigned)draw(5), 6 + (unsigned)draw(10));
	} else if (row->type == &value_point_codes) {
		fprintf(out, "( %u, %u )", (unsigned)draw(8000), 8000 + (unsigned)draw(8000));
	} else if (row->type == &value_addresses) {
		fprintf(out, draw(2) ? "( \"127.0.0.%u\" )" : "( \"127.0.0.%u\", \"::1\" )",
			1 + (unsigned)draw(200));
	} else {
		fputs("\"127.0.0.1\"", out);
	}
}

/* Whether a random value may stand: what names or locates objects is drawn elsewhere. */
static bool is_free(const struct row *row, bool client)
{
	if (row->sub || row->mandatory || row->type == &value_reference || row->type == &value_references ||
		row->type == &value_format || !strcmp(row->key, "variant") || !strcmp(row->key, "role") ||
		!strcmp(row->key, "own-routing-context") || (row->when && strstr(row->when->text, "role = ")))
		return false;
	if (!strncmp(row->key, "rto-", 4) || !strcmp(row->key, "path-mtu") ||
		!strcmp(row->key, "minimum-asps") || !strcmp(row->key, "port") ||
		!strncmp(row->key, "reconnect", 9))
		return draw(20) == 0; /* seldom lawful in company */
	return !row->when || (strstr(row->when->text, "client") ? client : !client);
}

static const struct section *section_of(const char *path)
{
	const struct section *s = &conf_schema;
	char *copy = strdup(path);

	for (char *save, *key = strtok_r(copy, ".", &save); key; key = strtok_r(NULL, ".", &save)) {
		unsigned i = 0;

		while (strcmp(s->rows[i].key, key))
			i++;
		s = s->rows[i].sub;
	}
	free(copy);
	return s;
}

static const char *random_part(void *ctx, const char *path, bool client)
{
	const struct section *s = section_of(path);
	char *buf, *text;
	size_t n;
	FILE *out = open_memstream(&buf, &n);

	for (unsigned i = 0; i < s->n_rows; i++)
		if (draw(2) && is_free(&s->rows[i], client)) {
			fprintf(out, "%s = ", s->rows[i].key);
			put_value(out, &s->rows[i]);
			fputs("; ", out);
		}
	fclose(out);
	text = talloc_strdup(ctx, buf);
	free(buf);
	return text;
}

static char *random_text(void)
{
	void *ctx = talloc_new(NULL);
	struct rig_parts p = {
		.node = random_part(ctx, "node", false),
		.console = random_part(ctx, "console", false),
		.log = random_part(ctx, "log", false),
		.sctp = random_part(ctx, "sctp", false),
		.network = random_part(ctx, "networks", false),
		.listener = random_part(ctx, "listeners", false),
		.listener_sctp = random_part(ctx, "sctp", false),
		.server = random_part(ctx, "asps", false),
		.client = random_part(ctx, "asps", true),
		.as = random_part(ctx, "application-servers", false),
		.key = random_part(ctx, "application-servers.routing-keys", false),
	};
	char *text = rig_text(&p);

	talloc_free(ctx);
	return text;
}

static void random_configurations_are_fixed_points(void **state)
{
	unsigned lawful = 0;

	(void)state;
	seed = 1;
	for (unsigned i = 0; i < 600; i++) {
		char *text = random_text();

		lawful += is_fixed_point(text);
		talloc_free(text);
	}
	/* the others contradict themselves somewhere */
	assert_true(lawful > 60);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_file_dumps_its_defaults),
		cmocka_unit_test(samples_are_fixed_points),
		cmocka_unit_test(random_configurations_are_fixed_points),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
