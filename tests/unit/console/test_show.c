/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Every `show` row on a gateway that stands still (fake_gateway.c): JSON that parses and says what is there,
 * text that says the same. */
#include <stdio.h>
#include <string.h>

#include "console/operate.h"
#include "console/show.h"
#include "data/sls.h"
#include "data/stream.h"
#include "show_rig.h"
#include "wire/m3ua.h"

/* Arguments that fit the words in capitals of a command. */
static const char *const *sample(const char *command)
{
	static const char *const network[] = {"national", NULL}, *const as[] = {"hlr", NULL};
	static const char *const asp[] = {"hlr-1", NULL};
	static const char *const linkset[] = {"ls-a", NULL}, *const link[] = {"a-0", NULL};
	static const char *const lookup[] = {"national", "1-3-1", "1-2-3", "isup", "7", NULL};

	if (strstr(command, "lookup"))
		return lookup;
	if (!strcmp(command, "linkset NAME"))
		return linkset;
	if (!strcmp(command, "link NAME"))
		return link;
	if (strstr(command, "NETWORK") || !strcmp(command, "network NAME"))
		return network;
	return !strcmp(command, "as NAME") ? as : asp;
}

static unsigned help_lines(const char *help)
{
	unsigned n = 0;
	for (; *help; help++)
		n += *help == '\n';
	return n;
}

static unsigned words(const char *command)
{
	unsigned n = 1;
	for (; *command; command++)
		n += *command == ' ' || *command == '|'; /* a choice has a line for each */
	return n;
}

static void every_row_has_help_for_every_word(void **state)
{
	(void)state;
	for (const struct show_row *const *area = show_areas; *area; area++)
		for (const struct show_row *row = *area; row->command; row++)
			assert_int_equal(help_lines(row->help), words(row->command));
	for (const struct operate_row *const *area = operate_areas; *area; area++)
		for (const struct operate_row *row = *area; row->command; row++)
			assert_int_equal(help_lines(row->help), words(row->command));
}

static void every_row_speaks_json_and_text(void **state)
{
	(void)state;
	for (const struct show_row *const *area = show_areas; *area; area++) {
		for (const struct show_row *row = *area; row->command; row++) {
			json_t *j = json(row->command, sample(row->command));
			assert_true(json_is_object(j) && json_object_size(j) > 0);
			json_decref(j);
			assert_true(strlen(text(row->command, sample(row->command))) > 0);
		}
	}
}

static void asp_shows_association_asp_and_as_states_together(void **state)
{
	(void)state;
	json_t *j = json("asp", NULL), *hlr1 = named(json_object_get(j, "asps"), "hlr-1");
	says(hlr1, "association", "up");
	says(hlr1, "state", "ASP-ACTIVE");
	says(hlr1, "transport", "embedded");
	counts(hlr1, "since", 5000); /* active since then, though up for longer */
	says(hlr1, "reason", "ASPAC");
	json_t *as = named(json_object_get(hlr1, "application-servers"), "hlr");
	says(as, "state", "ASP-ACTIVE");
	says(as, "as-state", "AS-ACTIVE");
	json_t *msc1 = named(json_object_get(j, "asps"), "msc-1");
	says(msc1, "association", "none");
	says(msc1, "reason", "path failure");
	assert_true(json_is_true(json_object_get(named(json_object_get(j, "asps"), "hlr-3"), "blocked")));
	json_decref(j);
	contains(text("asp", NULL), "hlr ASP-ACTIVE AS-ACTIVE, cast ASP-ACTIVE AS-ACTIVE");
}

static void asp_in_detail_says_which_transport_and_why(void **state)
{
	(void)state;
	json_t *j = json("asp NAME", ARGV("hlr-1")), *asp = json_object_get(j, "asp");
	json_t *assoc = json_object_get(asp, "association");
	says(assoc, "transport", "embedded");
	says(assoc, "chosen-because", "the kernel has no SCTP");
	counts(asp, "identifier", 77);
	json_t *messages = json_array_get(json_object_get(asp, "messages"), 0);
	says(messages, "message", "ASPUP");
	counts(messages, "received", 3);
	json_t *errors = json_array_get(json_object_get(asp, "errors"), 0);
	counts(errors, "code", 0x0d);
	counts(errors, "sent", 2);
	json_decref(j);
	contains(text("asp NAME", ARGV("hlr-1")), "  chosen because:    the kernel has no SCTP\n");
}

static void asp_in_detail_says_what_is_asked_of_an_sg(void **state)
{
	struct asp *asp = fake_asp("hlr-1");
	struct as_asp *m = llist_first_entry(&asp->ass, struct as_asp, in_asp);
	struct asp_conf as_client = *asp->conf;
	json_t *j, *client, *request;

	(void)state;
	j = json("asp NAME", ARGV("hlr-1"));
	assert_null(json_object_get(json_object_get(j, "asp"), "client"));
	json_decref(j);
	as_client.role = ROLE_ASP;
	as_client.t_ack_ms = 2000;
	asp->conf = &as_client;
	asp->client = (struct client){.state = CL_UP,
		.since_ms = 90000,
		.reason = "ASPUP ACK",
		.transitions = 2,
		.error = {.at_ms = 95000, .code = M3UA_E_REFUSED, .about = M3UA_ASPAC}};
	m->client = (struct client_as){.state = CA_WAIT,
		.reason = "refused by the peer",
		.told = M3UA_AS_PENDING,
		.error = asp->client.error};
	j = json("asp NAME", ARGV("hlr-1"));
	says(json_object_get(j, "asp"), "role", "asp");
	client = json_object_get(json_object_get(j, "asp"), "client");
	says(client, "state", "up");
	counts(client, "transitions", 2);
	says(json_object_get(client, "last-error"), "error", "Refused - Management Blocking");
	says(json_object_get(client, "last-error"), "about", "ASPAC");
	request = named(json_object_get(client, "requests"), m->as->conf->name);
	says(request, "state", "waiting");
	says(request, "notified", "AS-PENDING");
	says(request, "reason", "refused by the peer");
	json_decref(j);
	contains(text("asp", NULL), " asp ");
}

static void as_shows_state_held_messages_and_shares(void **state)
{
	(void)state;
	json_t *j = json("as", NULL), *list = json_object_get(j, "application-servers");
	counts(named(list, "hlr"), "active", 2);
	counts(named(list, "hlr"), "asps", 3);
	counts(named(list, "smsc"), "held", 17);
	says(named(list, "smsc"), "state", "AS-PENDING");
	assert_true(json_is_null(json_object_get(named(list, "smsc"), "routing-context")));
	json_decref(j);
	j = json("as NAME", ARGV("hlr"));
	json_t *asps = json_object_get(json_object_get(j, "application-server"), "asps");
	counts(named(asps, "hlr-1"), "buckets", 128);
	counts(named(asps, "hlr-3"), "buckets", 0);
	json_decref(j);
}

static void point_codes_are_in_the_networks_notation(void **state)
{
	(void)state;
	contains(text("network", NULL), "1-1-1");
	contains(output, "3-8-3");
	contains(text("route", NULL), "1-2-4        SCCP  any");
	contains(text("destination NETWORK", ARGV("national")), "1-2-3");
}

static void copy_line(void *arg, const char *text)
{
	snprintf(arg, 64, "%s", text);
}

static void slss_are_shown_by_what_they_have_in_common(void **state)
{
	static const struct {
		unsigned values;
		const char *slss, *shown; /* each SLS: "." if it is none of them */
	} rows[] = {{16, "................", "-"}, {16, "xxxxxxxxxxxxxxxx", "XXXX"},
		{16, "x.x.x.x.x.x.x.x.", "XXX0"}, {16, "........xxxxxxxx", "1XXX"},
		{16, ".........x......", "1001"}, {16, "..xx..xx..xx..xx", "XX1X"},
		{16, "x..x..x..x..x..x", "0, 3, 6, 9, 12, 15"}, {16, "xxx.........x.xx", "0-2, 12, 14-15"},
		{32, "....x...x...x...x...x...x...x...", "4, 8, 12, 16, 20, 24, 28"}};

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct sls_set set = {.values = rows[i].values};
		char got[64], line[64];
		struct show s = {.w = walk_text_new(copy_line, got)};

		for (unsigned sls = 0; sls < set.values; sls++)
			set.has[sls] = rows[i].slss[sls] == 'x';
		show_slss(&s, "sls", &set);
		walk_done(s.w);
		snprintf(line, sizeof(line), "sls:  %s", rows[i].shown);
		assert_string_equal(got, line);
	}
}

static void a_route_says_its_priority_and_whether_it_is_in_use(void **state)
{
	json_t *j = json("route", NULL), *list = json_object_get(j, "routes"), *row;

	(void)state;
	assert_int_equal(json_array_size(list), 5);
	row = json_array_get(list, 2);
	says(row, "destination", "1-3-0/3");
	says(row, "via", "msc");
	says(row, "state", "down");
	says(row, "reason", "its egress is down");
	assert_true(json_is_null(json_object_get(row, "told")));
	counts(row, "priority", 1);
	assert_false(json_is_true(json_object_get(row, "in-use")));
	row = json_array_get(list, 3);
	says(row, "via", "hlr");
	says(row, "status", "restricted");
	says(row, "reason", "the node there says: restricted");
	counts(row, "told", 3000);
	assert_true(json_is_true(json_object_get(row, "in-use")));
	assert_string_equal(json_string_value(json_array_get(json_object_get(row, "sls"), 0)), "XXX0");
	says(json_array_get(list, 4), "destination", "default");
	json_decref(j);
	j = json("destination", NULL);
	row = json_array_get(json_object_get(j, "destinations"), 2);
	says(row, "point-code", "1-3-0/3");
	says(row, "reason", "its egress is down"); /* its first choice; an alternative carries it */
	counts(row, "transitions", 2);
	assert_true(json_is_true(json_object_get(row, "held")));
	assert_string_equal(json_string_value(json_array_get(json_object_get(row, "via"), 0)), "hlr");
	assert_int_equal(json_array_size(json_object_get(row, "via")), 1);
	json_decref(j);
}

static void a_listener_that_is_down_says_why(void **state)
{
	(void)state;
	json_t *j = json("listener", NULL), *broken = named(json_object_get(j, "listeners"), "broken");
	says(broken, "state", "down");
	says(broken, "reason", "address in use");
	json_decref(j);
}

static void association_shows_paths_streams_and_counters(void **state)
{
	(void)state;
	json_t *j = json("association NAME paths", ARGV("hlr-1"));
	json_t *path = json_array_get(json_object_get(j, "paths"), 0);
	says(path, "address", "127.0.0.1");
	says(path, "state", "active");
	counts(path, "rto", 100);
	json_decref(j);
	j = json("association NAME streams", ARGV("hlr-1"));
	json_t *streams = json_object_get(j, "streams");
	assert_int_equal(json_array_size(streams), 2); /* those that were used */
	json_t *in = json_array_get(streams, 0), *out = json_array_get(streams, 1);
	says(in, "direction", "in");
	counts(in, "next-ssn", 8);
	counts(in, "faults", 1);
	says(out, "direction", "out");
	counts(out, "stream", 5);
	counts(out, "messages", 42);
	counts(out, "last", 1000);
	assert_true(json_is_null(json_object_get(out, "next-ssn")));
	json_decref(j);
	j = json("association NAME", ARGV("hlr-1"));
	json_t *assoc = json_object_get(j, "association");
	counts(assoc, "remote-port", 5001);
	counts(json_object_get(assoc, "counters"), "rx-data", 1000);
	json_decref(j);
	contains(text("association NAME", ARGV("hlr-1")), "1000  DATA messages or MSUs received\n");
}

static void an_association_that_is_still_connecting_shows_the_configured_peer(void **state)
{
	(void)state;
	fake_asp("hlr-2")->assoc->state = ASSOC_CONNECTING;
	fake_asp("hlr-2")->assoc->has_info = false;
	json_t *j = json("association NAME", ARGV("hlr-2")), *assoc = json_object_get(j, "association");
	says(assoc, "state", "connecting");
	assert_int_equal(json_array_size(json_object_get(assoc, "paths")), 0);
	assert_null(json_object_get(assoc, "local-port"));
	json_decref(j);
}

static void statistics_name_every_counter_and_only_the_drops_that_happened(void **state)
{
	(void)state;
	json_t *j = json("statistics", NULL);
	json_t *hlr2 = named(json_object_get(j, "associations"), "hlr-2");
	counts(json_object_get(hlr2, "drops"), "no-route", 1);
	counts(json_object_get(hlr2, "drops"), "malformed", 0);
	assert_int_equal(json_object_size(json_object_get(hlr2, "counters")), AC_COUNT);
	json_t *gateway = json_object_get(j, "gateway");
	counts(gateway, "rejected-peers", 5);
	counts(gateway, "dupu", 6);
	json_t *totals = json_object_get(j, "totals");
	counts(json_object_get(totals, "drops"), "no-route", 4);
	json_decref(j);
	contains(text("statistics", NULL), "no route:  4  no routing key for the destination point code");
	assert_null(strstr(output, "malformed"));
	j = json("statistics drops", NULL);
	assert_int_equal(json_array_size(json_object_get(j, "drops")), DROP_COUNT);
	json_decref(j);
}

static void version_tells_the_node_and_its_transports(void **state)
{
	(void)state;
	json_t *j = json("version", NULL);
	says(j, "node", "gw1");
	counts(j, "uptime", 60000);
	json_t *kernel = named(json_object_get(j, "transports"), "kernel");
	assert_true(json_is_false(json_object_get(kernel, "available")));
	says(kernel, "reason", "the kernel has no SCTP");
	json_decref(j);
}

static void sctp_offload_names_devices_and_who_computes(void **state)
{
	(void)state;
	json_t *j = json("sctp offload", NULL);
	named(json_object_get(j, "devices"), "lo"); /* every machine has it, and a client has any address */
	says(named(json_object_get(j, "associations"), "hlr-1"), "checksum", "computed by the gateway");
	json_decref(j);
}

static json_t *lookup(const char *opc, const char *dpc, const char *si, const char *sls)
{
	json_t *j = json("route lookup NETWORK OPC DPC SI SLS", ARGV("national", opc, dpc, si, sls));
	json_t *l = json_incref(json_object_get(j, "lookup"));
	json_decref(j);
	return l;
}

static void lookup_follows_a_message_to_its_asp(void **state)
{
	(void)state;
	json_t *l = lookup("1-3-1", "1-2-3", "isup", "7");
	says(l, "result", "forwarded");
	assert_true(json_is_null(json_object_get(l, "reason")));
	says(l, "as", "hlr");
	counts(l, "bucket", 7);
	json_t *asps = json_object_get(l, "asps");
	assert_int_equal(json_array_size(asps), 1);
	counts(named(asps, "hlr-2"), "worker", 1);
	counts(named(asps, "hlr-2"), "stream", flow_stream(16, 0x0819, 0x0813, 7));
	static const char *const steps[] = {
		"network", "origin", "destination", "key", "as", "share", "asp", "result"};
	json_t *list = json_object_get(l, "steps");
	assert_int_equal(json_array_size(list), 8);
	for (size_t i = 0; i < 8; i++)
		says(json_array_get(list, i), "step", steps[i]);
	json_decref(l);
	const char *t =
		text("route lookup NETWORK OPC DPC SI SLS", ARGV("national", "1-3-1", "1-2-3", "isup", "7"));
	contains(t, "national: itu, 14-bit point codes, network indicator 2");
	contains(t, "1-2-3 is known: available");
	contains(t, "the most specific route matches by the DPC alone");
	contains(t, "loadshare by sls: bucket 7 of 256");
}

static void lookup_says_why_a_message_goes_nowhere(void **state)
{
	static const struct {
		const char *opc, *dpc, *si, *result, *reason;
	} rows[] = {
		{"1-3-1", "1-2-7", "sccp", "dropped", "no-route"},
		{"1-3-1", "1-2-4", "isup", "dropped", "no-user-part"},
		{"1-3-1", "1-2-4", "sccp", "dropped", "as-down"},
		{"1-1-1", "1-2-3", "sccp", "dropped", "own-opc"}, {"1-3-1", "1-2-5", "sccp", "held", NULL},
		{"1-3-1", "2-0-1", "sccp", "held", NULL}, /* moves to another route */
	};
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		json_t *l = lookup(rows[i].opc, rows[i].dpc, rows[i].si, "0");
		says(l, "result", rows[i].result);
		if (rows[i].reason)
			says(l, "reason", rows[i].reason);
		assert_int_equal(json_array_size(json_object_get(l, "asps")), 0);
		json_t *steps = json_object_get(l, "steps");
		says(json_array_get(steps, json_array_size(steps) - 1), "step", "result");
		json_decref(l);
	}
}

static void lookup_of_a_broadcast_names_every_asp(void **state)
{
	(void)state;
	json_t *l = lookup("1-3-1", "1-2-6", "3", "0");
	assert_int_equal(json_array_size(json_object_get(l, "asps")), 2);
	assert_true(json_is_null(json_object_get(l, "bucket")));
	json_decref(l);
}

static void what_does_not_exist_is_named_with_where_to_look(void **state)
{
	static const struct {
		const char *command;
		const char *argv[6];
		const char *error;
	} rows[] = {
		{"asp NAME", {"x"}, "no ASP named x (see show asp)"},
		{"as NAME", {"x"}, "no AS named x (see show as)"},
		{"association NAME", {"x"}, "no association named x (see show association)"},
		{"association NAME paths", {"msc-1"}, "association msc-1 is down: path failure"},
		{"association NAME streams", {"hlr-3"},
			"association hlr-3 is down: the peer has not connected yet"},
		{"route NETWORK", {"x"}, "no network named x (see show network)"},
		{"destination NETWORK", {"x"}, "no network named x (see show network)"},
		{"route lookup NETWORK OPC DPC SI SLS", {"x", "1", "2", "3", "4"},
			"no network named x (see show network)"},
		{"route lookup NETWORK OPC DPC SI SLS", {"national", "1-1-1-1", "2", "3", "4"},
			"OPC 1-1-1-1 is not a point code of network national"},
		{"route lookup NETWORK OPC DPC SI SLS", {"national", "1", "99999", "3", "4"},
			"DPC 99999 is not a point code of network national"},
		{"route lookup NETWORK OPC DPC SI SLS", {"national", "1", "2", "16", "4"},
			"SI 16 is neither a service indicator's name nor a number from 0 to 15"},
		{"route lookup NETWORK OPC DPC SI SLS", {"national", "1", "2", "3", "256"},
			"SLS 256 is not a number from 0 to 255"},
		{"route lookup NETWORK OPC DPC SI SLS", {"national", "1", "2", "3", "-1"},
			"SLS -1 is not a number from 0 to 255"},
	};
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char expected[256];
		assert_false(run(rows[i].command, false, rows[i].argv));
		snprintf(expected, sizeof(expected), "%% %s\n", rows[i].error);
		assert_string_equal(output, expected);
		assert_false(run(rows[i].command, true, rows[i].argv));
		json_t *j = json_loads(output, 0, NULL);
		says(j, "error", rows[i].error);
		json_decref(j);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(every_row_has_help_for_every_word),
		T(every_row_speaks_json_and_text),
		T(asp_shows_association_asp_and_as_states_together),
		T(asp_in_detail_says_which_transport_and_why),
		T(asp_in_detail_says_what_is_asked_of_an_sg),
		T(as_shows_state_held_messages_and_shares),
		T(point_codes_are_in_the_networks_notation),
		T(slss_are_shown_by_what_they_have_in_common),
		T(a_route_says_its_priority_and_whether_it_is_in_use),
		T(a_listener_that_is_down_says_why),
		T(association_shows_paths_streams_and_counters),
		T(an_association_that_is_still_connecting_shows_the_configured_peer),
		T(statistics_name_every_counter_and_only_the_drops_that_happened),
		T(version_tells_the_node_and_its_transports),
		T(sctp_offload_names_devices_and_who_computes),
		T(lookup_follows_a_message_to_its_asp),
		T(lookup_says_why_a_message_goes_nowhere),
		T(lookup_of_a_broadcast_names_every_asp),
		T(what_does_not_exist_is_named_with_where_to_look),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
