/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "conf_rig.h"

#include <string.h>
#include <talloc.h>

static const char *const objects[] = {[SG_NETWORK] = "network",
	[SG_LISTENER] = "listener",
	[SG_ASP] = "asp",
	[SG_AS] = "as",
	[SG_ROUTES] = "list"};
static const char *const ops[] = {
	[SG_ADD] = "add", [SG_REMOVE] = "remove", [SG_UPDATE] = "update", [SG_REPLACE] = "replace"};

/* "add network nat, ..."; "!key" for what takes a restart; ", next" for what waits for an association. */
static char *describe(const struct conf *old, const struct conf *new)
{
	char *text = talloc_strdup(NULL, "");
	const char *restart;
	unsigned n;
	struct sg_change *c = conf_diff(old, new, &n, &restart);

	for (unsigned i = 0; i < n; i++) {
		text = talloc_asprintf_append(
			text, "%s%s %s %s", i ? ", " : "", ops[c[i].op], objects[c[i].object], c[i].name);
		if (c[i].why)
			text = talloc_asprintf_append(text, " for %s%s", c[i].why, c[i].next ? ", next" : "");
	}
	if (restart)
		text = talloc_asprintf_append(text, "!%s", restart);
	return text;
}

static void expect(const struct rig_parts *before, const struct rig_parts *after, const char *expected)
{
	char *text_before = rig_text(before), *text_after = rig_text(after), *found;
	struct conf *old = rig_must_load(text_before), *new = rig_must_load(text_after);

	found = describe(old, new);
	assert_string_equal(found, expected);
	talloc_free(found);
	conf_free(old);
	conf_free(new);
	talloc_free(text_before);
	talloc_free(text_after);
}

static void the_first_configuration_adds_all_in_order(void **state)
{
	char *text = rig_text(&(struct rig_parts){0}), *found;
	struct conf *c = rig_must_load(text);

	(void)state;
	found = describe(NULL, c);
	assert_string_equal(found, "add network nat, add listener lis, add asp srv, add asp cli, add as as");
	talloc_free(found);
	conf_free(c);
	talloc_free(text);
}

static void a_change_of_any_route_is_one_change(void **state)
{
#define TO(dest) "{ network = \"nat\"; destination = \"" dest "\"; via = \"as\"; }"
	(void)state;
	expect(&(struct rig_parts){0}, &(struct rig_parts){.routes = TO("default")}, "update list routes");
	expect(&(struct rig_parts){.routes = TO("5")}, &(struct rig_parts){.routes = TO("5") "," TO("6")},
		"update list routes");
	expect(&(struct rig_parts){.routes = TO("8")}, &(struct rig_parts){.routes = TO("8/3")},
		"update list routes");
	expect(&(struct rig_parts){.routes = TO("8/3")}, &(struct rig_parts){.routes = TO("8/3")}, "");
}

static void each_change_is_applied_by_the_class_of_its_row(void **state)
{
	static const struct {
		struct rig_parts after;
		const char *changes;
	} cases[] = {
		{{0}, ""},
		{{.node = "shutdown-time = 1;", .log = "level = \"debug\";"}, ""},
		{{.node = "workers = 3;"}, "!workers"},
		{{.console = "port = 5;"}, "!port"},
		{{.network = "t8 = 900;"}, "update network nat for t8"},
		{{.network = "format = \"14\";"}, "update network nat for format"},
		{{.network = "indicator = 3;"},
			"replace network nat for indicator, replace as as for its network is replaced"},
		{{.network = "network-appearance = 0;"}, "replace network nat for network-appearance, "
							 "replace as as for its network is replaced"},
		{{.listener = "port = 3;"}, "replace listener lis for port"},
		{{.listener_sctp = "heartbeat = 1;"}, "replace listener lis for sctp"},
		{{.server = "identifier = 0;"}, "update asp srv for identifier"},
		{{.server = "sctp = { heartbeat = 1; };"}, "update asp srv for sctp, next"},
		{{.server = "remote-port = 5;"},
			"replace asp srv for remote-port, update as as for an ASP of it is replaced"},
		{{.client = "transport = \"tcp\";"},
			"replace asp cli for transport, update as as for an ASP of it is replaced"},
		{{.as = "recovery-time = 1;"}, "update as as for recovery-time"},
		{{.as = "routing-context = 0;"}, "replace as as for routing-context"},
		{{.key = "si = ( 3 );"}, "update as as for routing-keys"},
		{{.more_keys = ", { dpc = 7; }"}, "update as as for routing-keys"},
		{{.sctp = "heartbeat = 1;"}, "replace listener lis for sctp, update asp srv for sctp, next, "
					     "update asp cli for sctp, next"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		expect(&(struct rig_parts){0}, &cases[i].after, cases[i].changes);
}

static void users_go_before_and_come_after_what_they_use(void **state)
{
	static const struct rig_parts more = {
		.as = "routing-context = 1;",
		.more_networks = ",{ name = \"n2\"; }",
		.more_listeners = ",{ name = \"l2\"; port = 7; }",
		.more_asps = ",{ name = \"a2\"; remote-addresses = ( \"127.0.0.5\" ); }",
		.more_as = ",{ name = \"s2\"; network = \"n2\"; routing-context = 2; asps = ( \"a2\" ); }",
	};
	static const struct rig_parts less = {.as = "routing-context = 1;"};

	(void)state;
	expect(&less, &more, "add network n2, add listener l2, add asp a2, add as s2");
	expect(&more, &less, "remove as s2, remove asp a2, remove listener l2, remove network n2");
}

static void what_takes_a_restart_keeps_its_value(void **state)
{
	struct conf *old = rig_must_load("node = { workers = 2; name = \"a\"; }; console = { port = 5; };");
	struct conf *new =
		rig_must_load("node = { workers = 3; name = \"b\"; }; console = { address = \"::1\"; };");

	(void)state;
	conf_keep_running(old, new);
	conf_free(old);
	assert_int_equal(new->workers, 2);
	assert_int_equal(new->console_port, 5);
	assert_string_equal(new->console_address, "127.0.0.1");
	assert_string_equal(new->node_name, "b");
	conf_free(new);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_configuration_adds_all_in_order),
		cmocka_unit_test(a_change_of_any_route_is_one_change),
		cmocka_unit_test(each_change_is_applied_by_the_class_of_its_row),
		cmocka_unit_test(users_go_before_and_come_after_what_they_use),
		cmocka_unit_test(what_takes_a_restart_keeps_its_value),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
