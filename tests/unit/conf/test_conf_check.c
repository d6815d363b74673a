/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "conf_rig.h"

#include <stdio.h>
#include <string.h>
#include <talloc.h>

/* What a part of a valid configuration makes of it. FINDINGS: all of them. */
struct check_case {
	struct rig_parts parts;
	const char *findings;
};

static void run(const struct check_case *cases, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		char *text = rig_text(&cases[i].parts);

		rig_expect(text, cases[i].findings);
		talloc_free(text);
	}
}

#define RUN(cases) run(cases, sizeof(cases) / sizeof((cases)[0]))

static void a_valid_configuration_has_no_findings(void **state)
{
	static const struct check_case cases[] = {{{0}, ""}};

	(void)state;
	RUN(cases);
}

static void names_are_unique(void **state)
{
	static const struct check_case cases[] = {
		{{.more_networks = ",{ name = \"nat\"; }"},
			"5: error: network \"nat\" is there already: see line 5\n"},
		{{.more_listeners = ",{ name = \"lis\"; port = 1; }"},
			"6: error: listener \"lis\" is there already: see line 6\n"},
		{{.more_asps = ",{ name = \"srv\"; remote-addresses = ( \"127.0.0.9\" ); }"},
			"8: error: ASP \"srv\" is there already: see line 7\n"
			"8: warning: no application server names ASP \"srv\": it may come up, but never be "
			"active\n"},
	};

	(void)state;
	RUN(cases);
}

static void references_must_be_known(void **state)
{
	static const struct check_case cases[] = {
		{{.server = "listener = \"lsi\";"},
			"7: error: there is no listener \"lsi\": did you mean \"lis\"?\n"},
		{{.more_as = ",\n{ name = \"b\"; network = \"nta\"; routing-context = 1;\nasps = ( "
			     "\"srv\",\n\"mars\" ); "
			     "routing-keys = ( { dpc = \"7-7-7\"; } ); }",
			 .as = "routing-context = 2;"},
			"11: error: there is no network \"nta\": did you mean \"nat\"?\n"
			"13: error: there is no ASP \"mars\"\n"},
	};

	(void)state;
	RUN(cases);
}

static void routing_contexts_are_unique_where_they_meet(void **state)
{
	static const struct check_case cases[] = {
		/* one network */
		{{.as = "routing-context = 5;",
			 .more_asps = ",{ name = \"x\"; remote-addresses = ( \"::1\" ); }",
			 .more_as = ",\n{ name = \"b\"; network = \"nat\"; routing-context = 5; asps = ( "
				    "\"x\" ); "
				    "routing-keys = ( { dpc = 101; } ); }"},
			"11: error: routing-context 5 is application server \"as\"'s already: see line 9\n"},
		/* one ASP */
		{{.as = "routing-context = 5;",
			 .more_networks = ",{ name = \"n2\"; }",
			 .more_as = ",\n{ name = \"b\"; network = \"n2\"; routing-context = 5; asps = ( "
				    "\"cli\" ); "
				    "routing-keys = ( { dpc = 101; } ); }"},
			"11: error: routing-context 5 is application server \"as\"'s already: see line 9\n"},
		/* neither */
		{{.as = "routing-context = 5;",
			 .more_networks = ",{ name = \"n2\"; }",
			 .more_asps = ",{ name = \"x\"; remote-addresses = ( \"::1\" ); }",
			 .more_as = ",\n{ name = \"b\"; network = \"n2\"; routing-context = 5; asps = ( "
				    "\"x\" ); "
				    "routing-keys = ( { dpc = 100; } ); }"},
			""},
		/* missing where the ASP serves another one */
		{{.more_as = ",\n{ name = \"b\"; network = \"nat\"; routing-context = 5; asps = ( \"cli\" ); "
			     "routing-keys = ( { dpc = 101; } ); }"},
			"9: error: application server \"as\" needs a routing-context: ASP \"cli\" serves "
			"others too\n"},
	};

	(void)state;
	RUN(cases);
}

static void routing_keys_contradict_neither_each_other_nor_the_network(void **state)
{
	static const struct check_case cases[] = {
		{{.more_keys = ",\n{ dpc = 100; }"}, "11: error: the routing key covers the same traffic as "
						     "that in line 10 (application server "
						     "\"as\")\n"},
		/* narrower ones may stand beside wider ones */
		{{.more_keys = ",{ dpc = 100; si = ( 3 ); }, { dpc = 100; opc = ( 1 ); }, "
			       "{ dpc = 100; si = ( 3 ); opc = ( 1 ); }"},
			""},
		{{.key = "si = ( 3, 5 );", .more_keys = ",\n{ dpc = 100; si = ( \"isup\" ); }"},
			"11: error: the routing key covers the same traffic as that in line 10 (application "
			"server "
			"\"as\")\n"},
		{{.key = "opc = ( 1, 2, 1 );"},
			"10: error: the routing key names the same si or opc twice\n"},
		{{.network = "point-codes = ( 100 );"},
			"10: error: the destination is the gateway's own point code\n"},
		{{.network = "point-codes = ( 1 );", .key = "opc = ( 1 );"},
			"10: error: the origin is the gateway's own point code: such messages are refused as "
			"a loop\n"},
		{{.network = "point-codes = ( 1, 1 );"}, "5: error: the point code is there twice\n"},
		{{.more_networks = ",{ name = \"n2\"; network-appearance = 3; }",
			 .network = "network-appearance = 3;"},
			"5: error: network-appearance 3 is network \"nat\"'s already: see line 5\n"},
	};

	(void)state;
	RUN(cases);
}

static void asps_can_be_told_apart(void **state)
{
	static const struct check_case cases[] = {
		{{.more_asps = ",\n{ name = \"x\"; remote-addresses = ( \"127.0.0.7\", \"127.0.0.1\" ); "
			       "remote-port = 5; }",
			 .server = "remote-port = 5;"},
			"9: error: ASP \"x\" cannot be told apart from \"srv\" (line 7): same address and "
			"port\n"
			"9: warning: no application server names ASP \"x\": it may come up, but never be "
			"active\n"},
		/* IPv4-mapped is IPv4; without ports it is lawful, for ASPs that are all alike */
		{{.more_asps = ",\n{ name = \"x\"; remote-addresses = ( \"::ffff:127.0.0.1\" ); }"},
			"9: warning: ASP \"x\" has the address of \"srv\" (line 7), and neither has a "
			"remote-port: who comes first is the first\n"
			"9: warning: no application server names ASP \"x\": it may come up, but never be "
			"active\n"},
		/* by its port, or the local one of a client */
		{{.more_asps = ",\n{ name = \"x\"; remote-addresses = ( \"127.0.0.1\" ); remote-port = 3; "
			       "},\n"
			       "{ name = \"y\"; side = \"client\"; remote-addresses = ( \"127.0.0.2\" ); }"},
			"9: warning: no application server names ASP \"x\": it may come up, but never be "
			"active\n"
			"10: warning: no application server names ASP \"y\": it may come up, but never be "
			"active\n"},
		{{.client = "local-port = 9;",
			 .more_asps = ",\n{ name = \"y\"; side = \"client\"; remote-addresses = ( "
				      "\"127.0.0.2\" ); "
				      "local-port = 9; }"},
			"9: error: ASP \"y\" cannot be told apart from \"cli\" (line 8): same address and "
			"port\n"
			"9: warning: no application server names ASP \"y\": it may come up, but never be "
			"active\n"},
		{{.server = "identifier = 1;", .client = "identifier = 1;"},
			"9: error: ASPs \"srv\" and \"cli\" of one application server have the same "
			"identifier, 1\n"},
	};

	(void)state;
	RUN(cases);
}

static void addresses_fit_the_transport_and_each_other(void **state)
{
	static const struct check_case cases[] = {
		{{.listener = "transport = \"tcp\"; addresses = ( \"127.0.0.1\", \"127.0.0.2\" );"},
			"6: error: transport \"tcp\" uses one address: multi-homing takes \"kernel\"\n"},
		{{.listener = "addresses = ( \"127.0.0.1\", \"127.0.0.1\" );"},
			"6: error: the address is there twice\n"},
		{{.listener = "addresses = ( \"::1\" );"},
			"7: error: no listener has an address of the family of ASP \"srv\"'s\n"},
		{{.client = "local-addresses = ( \"::1\" );"},
			"8: error: local-addresses and remote-addresses are of different families\n"},
		{{.more_listeners = ",\n{ name = \"two\"; transport = \"kernel\"; }"},
			"7: error: listener \"lis\" has the same address and port: see line 6\n"},
		{{.more_listeners = ",{ name = \"two\"; transport = \"tcp\"; }"}, ""},
		{{.listener = "transport = \"tcp\"; port = 4242;"}, "6: error: port 4242 is the console's\n"},
	};

	(void)state;
	RUN(cases);
}

static void parameters_fit_each_other(void **state)
{
	static const struct check_case cases[] = {
		{{.sctp = "rto-min = 300;"},
			"4: error: rto-min (300), rto-initial (200) and rto-max (800) must rise\n"},
		{{.listener_sctp = "rto-max = 150;"},
			"6: error: rto-min (100), rto-initial (200) and rto-max (150) must rise\n"},
		{{.listener_sctp = "path-mtu = 500;"},
			"6: error: path-mtu (500) must be 0, or 512 or more\n"},
		{{.client = "reconnect-min = 1000; reconnect-max = 999;"},
			"8: error: reconnect-max (999) must not be below reconnect-min (1000)\n"},
		{{.as = "minimum-asps = 3;"}, "9: error: minimum-asps (3) is more than there are ASPs (2)\n"},
		{{.as = "traffic-mode = \"override\"; minimum-asps = 2;"},
			"9: error: minimum-asps must be 1 with traffic-mode \"override\": only one ASP is "
			"active then\n"},
		{{.console = "address = \"0.0.0.0\";"}, "2: warning: the console has no password, and "
							"0.0.0.0 is not a loopback address: whoever "
							"reaches it can operate the gateway\n"},
		{{.top = "mtp3 = { t17 = 100; t26 = 12000; slt-t2 = 90001; t1 = 0; };"},
			"12: warning: slt-t2 (90001 ms) is out of the standard's range: 30000 to 90000 ms "
			"(Q.704 "
			"s.16.8)\n"
			"12: warning: t17 (100 ms) is out of the standard's range: 800 to 1500 ms (Q.704 "
			"s.16.8)\n"},
		{{.more_as = ",\n{ name = \"b\"; network = \"nat\"; }"},
			"11: warning: application server \"b\" has no ASPs\n"
			"11: warning: application server \"b\" has no routing keys, nor a route: nothing "
			"will be routed "
			"to it\n"},
	};

	(void)state;
	RUN(cases);
}

static void templates_and_registration_fit_the_rest(void **state)
{
	static const struct check_case cases[] = {
		{{.top = "registration = { first-context = 9; last-context = 8; };"},
			"12: error: last-context (8) must not be below first-context (9)\n"},
		{{.server = "rkm-network = \"nowhere\";"}, "7: error: there is no network \"nowhere\"\n"},
		{{.top = "peer-templates = ( { name = \"t\"; prefix = \"10.0.0.0/8\"; rkm = \"match\"; "
			 "listener = \"los\"; } );"},
			"12: error: there is no listener \"los\": did you mean \"lis\"?\n"},
		{{.top = "peer-templates = ( { name = \"t\"; prefix = \"10.0.0.0/8\"; rkm = \"match\"; },\n"
			 "{ name = \"t\"; prefix = \"10.0.0.0/8\"; rkm = \"match\"; } );"},
			"13: error: peer template \"t\" is for the same peers: see line 12\n"
			"13: error: peer template \"t\" is there already: see line 12\n"},
		{{.top = "peer-templates = ( { name = \"t\"; prefix = \"10.0.0.0/8\"; rkm = \"match\"; "
			 "first-port = 5; last-port = 4; } );"},
			"12: error: last-port (4) must not be below first-port (5)\n"},
		{{.top = "peer-templates = ( { name = \"t\"; prefix = \"10.0.0.1/8\"; rkm = \"match\"; } );"},
			"12: error: \"prefix\" (10.0.0.1/8) has bits beyond its length\n"},
		{{.top = "peer-templates = ( { name = \"t\"; prefix = \"10.0.0.0/33\"; rkm = \"match\"; } "
			 ");"},
			"12: error: \"prefix\" must be an address prefix, like \"10.0.0.0/8\"\n"},
		{{.top = "peer-templates = ( { name = \"t\"; prefix = \"::/0\"; } );"},
			"12: warning: peers by template \"t\" may register nothing: they may come up, but "
			"never be active\n"},
	};

	(void)state;
	RUN(cases);
}

static void more_asps_than_sls_values_are_told(void **state)
{
	char *asps = talloc_strdup(NULL, ""), *names = talloc_strdup(NULL, "\"srv\""), *text;

	(void)state;
	for (unsigned i = 1; i <= 16; i++) {
		asps = talloc_asprintf_append(
			asps, ",{ name = \"x%u\"; remote-addresses = ( \"127.0.1.%u\" ); }", i, i);
		names = talloc_asprintf_append(names, ", \"x%u\"", i);
	}
	text = talloc_asprintf(NULL,
		",\n{ name = \"b\"; network = \"nat\"; routing-context = 2; asps = ( %s ); "
		"routing-keys = ( { dpc = 5; } ); }",
		names);
	char *all = rig_text(
		&(struct rig_parts){.more_asps = asps, .more_as = text, .as = "routing-context = 1;"});

	rig_expect(all,
		"11: warning: load-share-key \"sls\" has 16 values, so that only 16 of the 17 ASPs get "
		"traffic: use \"opc-sls\" or \"cic\"\n");
	talloc_free(all);
	talloc_free(text);
	talloc_free(names);
	talloc_free(asps);
}

static void routes_name_what_is_there_and_say_it_once(void **state)
{
#define ROUTE(dest, via, more) "{ network = \"nat\"; destination = " dest "; via = \"" via "\"; " more " }"
	static const struct check_case cases[] = {
		{{.routes = ROUTE("\"2-2-2\"", "as", "") ",\n" ROUTE("\"2-2-0/3\"", "as", "") ",\n" ROUTE(
			  "\"default\"", "as", "priority = 9;")},
			""},
		{{.routes = ROUTE("\"2-2-2\"", "sa", "")},
			"11: error: there is no application server \"sa\": did you mean \"as\"?\n"},
		{{.routes = "{ network = \"nta\"; destination = \"default\"; via = \"as\"; }"},
			"11: error: there is no network \"nta\": did you mean \"nat\"?\n"},
		{{.routes = ROUTE("\"2-2-1/3\"", "as", "")},
			"11: error: \"destination\" is \"2-2-1/3\", which is no point code of network "
			"\"nat\" and a "
			"number of low bits, all zero, that do not matter\n"},
		{{.routes = ROUTE("\"2-2-0/15\"", "as", "")},
			"11: error: \"destination\" is \"2-2-0/15\", which is no point code of network "
			"\"nat\" and "
			"a number of low bits, all zero, that do not matter\n"},
		{{.routes = ROUTE("\"2-2-2\"", "as", "") ",\n" ROUTE("4114", "as", "priority = 2;")},
			"12: error: the route says the same as that in line 11\n"},
		{{.network = "point-codes = ( 7 );", .routes = ROUTE("7", "as", "")},
			"11: error: the destination is the gateway's own point code\n"},
		{{.more_networks = ",{ name = \"n2\"; }",
			 .routes = "{ network = \"n2\"; destination = 5; via = \"as\"; }"},
			"11: error: application server \"as\" belongs to network \"nat\"\n"},
		{{.as = "routing-context = 1;",
			 .more_as =
				 ",{ name = \"cast\"; network = \"nat\"; routing-context = 2; traffic-mode = "
				 "\"broadcast\"; asps = ( \"srv\" ); }",
			 .routes = ROUTE("\"2-2-2\"", "as", "") ",\n" ROUTE("\"2-2-2\"", "cast", "")},
			"12: error: the route has the priority of that in line 11, but an application server "
			"in "
			"traffic-mode \"broadcast\" shares its traffic with nobody\n"},
	};

	(void)state;
	RUN(cases);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_valid_configuration_has_no_findings),
		cmocka_unit_test(routes_name_what_is_there_and_say_it_once),
		cmocka_unit_test(names_are_unique),
		cmocka_unit_test(references_must_be_known),
		cmocka_unit_test(routing_contexts_are_unique_where_they_meet),
		cmocka_unit_test(routing_keys_contradict_neither_each_other_nor_the_network),
		cmocka_unit_test(asps_can_be_told_apart),
		cmocka_unit_test(addresses_fit_the_transport_and_each_other),
		cmocka_unit_test(parameters_fit_each_other),
		cmocka_unit_test(templates_and_registration_fit_the_rest),
		cmocka_unit_test(more_asps_than_sls_values_are_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
