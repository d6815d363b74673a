/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "conf_rig.h"

#include <stdio.h>
#include <string.h>
#include <talloc.h>

static void the_smallest_file_is_all_defaults(void **state)
{
	struct conf *c = rig_must_load("");

	(void)state;
	assert_string_equal(c->node_name, "signalboxd");
	assert_int_equal(c->max_message, 8192);
	assert_int_equal(c->shutdown_ms, 3000);
	assert_string_equal(c->console_address, "127.0.0.1");
	assert_int_equal(c->console_port, 4242);
	assert_string_equal(c->log_level, "notice");
	assert_true(c->log_time);
	assert_int_equal(c->sctp.rto_initial_ms, 200);
	assert_int_equal(c->sg.n_networks + c->sg.n_listeners + c->sg.n_asps + c->sg.n_ass, 0);
	conf_free(c);
}

static void values_arrive_where_they_belong(void **state)
{
	char *text = rig_text(&(struct rig_parts){.node = "name = \"gw1\"; workers = 2; batch-delay = 2000;",
		.network = "variant = \"ansi\"; format = \"8.8.8\"; indicator = 0; point-codes = ( "
			   "\"1.2.3\", 7 ); "
			   "network-appearance = 4294967295;",
		.listener = "transport = \"embedded\"; addresses = ( \"127.0.0.1\" ); port = 2906; udp-port "
			    "= 9900;",
		.server = "remote-port = 5001; identifier = 7; listener = \"lis\";",
		.client = "transport = \"tcp\"; local-addresses = ( \"127.0.0.3\" ); local-port = 5;",
		.as = "routing-context = 10; traffic-mode = \"override\"; pending-limit = 0;",
		.key = "si = ( \"sccp\", 5 ); opc = ( \"1.2.9\" );"});
	struct conf *c = rig_must_load(text);
	const struct asp_conf *srv = &c->sg.asps[0], *cli = &c->sg.asps[1];
	const struct as_conf *as = c->sg.ass;

	(void)state;
	assert_string_equal(c->node_name, "gw1");
	assert_int_equal(c->workers, 2);
	assert_int_equal(c->batch_delay_us, 2000);
	assert_int_equal(c->sg.networks[0].variant, PC_ANSI);
	assert_int_equal(c->sg.networks[0].n_pcs, 2);
	assert_int_equal(c->sg.networks[0].pcs[0], 0x010203);
	assert_int_equal(c->sg.networks[0].pcs[1], 7);
	assert_true(c->sg.networks[0].has_na);
	assert_int_equal(c->sg.networks[0].na, 4294967295u);
	assert_int_equal(c->sg.listeners[0].tp.kind, TP_EMBEDDED);
	assert_int_equal(c->sg.listeners[0].tp.local_port, 2906);
	assert_int_equal(c->sg.listeners[0].tp.local_udp_port, 9900);
	assert_int_equal(srv->side, ASP_SERVER);
	assert_true(srv->has_id);
	assert_int_equal(srv->tp.remote_port, 5001);
	assert_string_equal(srv->listener, "lis");
	assert_int_equal(cli->tp.kind, TP_TCP);
	assert_int_equal(cli->tp.remote_port, 2905);
	assert_int_equal(cli->tp.n_local, 1);
	assert_false(cli->has_id);
	assert_int_equal(as->mode, FWD_OVERRIDE);
	assert_int_equal(as->pending_limit, 0);
	assert_int_equal(as->n_asps, 2);
	assert_int_equal(as->keys[0].dpc, 100);
	assert_int_equal(as->keys[0].n_si, 2);
	assert_int_equal(as->keys[0].si[0], 3);
	assert_int_equal(as->keys[0].si[1], 5);
	assert_int_equal(as->keys[0].opc[0], 0x010209);
	conf_free(c);
	talloc_free(text);
}

static void sctp_parameters_are_inherited(void **state)
{
	char *text = rig_text(&(struct rig_parts){.sctp = "rto-min = 50; rto-max = 1500;",
		.listener_sctp = "rto-max = 2500;",
		.client = "sctp = { heartbeat = 0; };"});
	struct conf *c = rig_must_load(text);

	(void)state;
	assert_int_equal(c->sg.listeners[0].tp.rto_min_ms, 50);
	assert_int_equal(c->sg.listeners[0].tp.rto_max_ms, 2500);
	assert_int_equal(c->sg.asps[0].tp.rto_max_ms, 1500);
	assert_int_equal(c->sg.asps[1].tp.heartbeat_ms, 0);
	assert_int_equal(c->sg.asps[1].tp.rto_min_ms, 50);
	conf_free(c);
	talloc_free(text);
}

static void what_does_not_parse_is_told_with_its_line(void **state)
{
	(void)state;
	rig_expect("node = {\n name = \"x\"\n workers = ; };\n", "3: error: syntax error\n");
	rig_expect("node = { };\nnode = { };\n", "2: error: duplicate setting name\n");
}

static void every_error_is_told_at_once_in_order(void **state)
{
	(void)state;
	rig_expect("node = { wokers = 2;\n"
		   "  max-message = 100;\n"
		   "  name = 5; };\n"
		   "log = 7;\n"
		   "networks = ( { variant = \"utu\"; } );\n"
		   "listeners = ( { name = \"l\";\n"
		   "  addresses = \"127.0.0.1\";\n"
		   "  rto-min = 50; } );\n"
		   "asps = ( { name = \"a b\"; remote-addresses = ( \"localhost\" ); } );\n"
		   "colour = \"blue\";\n",
		"1: error: unknown key \"wokers\" in node: did you mean \"workers\"?\n"
		"2: error: \"max-message\" must be a number from 272 to 65535 bytes\n"
		"3: error: \"name\" must be one word of letters, digits, '.', '_' and '-', at most 63 "
		"characters\n"
		"4: error: \"log\" must be a group: { ... }\n"
		"5: error: \"name\" is missing in network\n"
		"5: error: \"variant\" must be \"itu\", \"ansi\", \"china\" or \"japan\": did you mean "
		"\"itu\"?\n"
		"7: error: \"addresses\" must be a list: ( ..., ... )\n"
		"8: error: unknown key \"rto-min\" in listener: it belongs into its group \"sctp\"\n"
		"9: error: \"name\" must be one word of letters, digits, '.', '_' and '-', at most 63 "
		"characters\n"
		"9: error: \"remote-addresses\" must hold IPv4 or IPv6 addresses; \"localhost\" is none\n"
		"9: warning: no application server names ASP \"?\": it may come up, but never be active\n"
		"10: error: unknown key \"colour\" in configuration\n");
}

static void numbers_that_do_not_fit_are_not_wrapped(void **state)
{
	char *text = rig_text(&(struct rig_parts){.as = "routing-context = 4294967306;"}), *findings;

	(void)state;
	assert_null(rig_load(text, &findings));
	assert_non_null(strstr(findings, "\"routing-context\" must be a number from 0 to 4294967295"));
	talloc_free(findings);
	talloc_free(text);
}

static void keys_of_the_other_side_are_refused(void **state)
{
	char *text = rig_text(&(struct rig_parts){.server = "transport = \"tcp\";",
		.client = "listener = \"lis\";",
		.as = "traffic-mode = \"override\"; load-share-key = \"cic\";"});

	(void)state;
	rig_expect(text, "7: error: \"transport\" is only for side = \"client\"\n"
			 "8: error: \"listener\" is only for side = \"server\"\n"
			 "9: error: \"load-share-key\" is only for traffic-mode = \"loadshare\"\n");
	talloc_free(text);
}

static void a_thousand_errors_are_enough(void **state)
{
	char *text = talloc_strdup(NULL, ""), *findings;
	unsigned lines = 0;

	(void)state;
	for (unsigned i = 0; i < 1200; i++)
		text = talloc_asprintf_append(text, "x%u = 1;\n", i);
	assert_null(rig_load(text, &findings));
	for (const char *p = findings; (p = strchr(p, '\n')); p++)
		lines++;
	assert_int_equal(lines, 1000);
	assert_non_null(strstr(findings, "... and 201 more findings"));
	talloc_free(findings);
	talloc_free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_smallest_file_is_all_defaults),
		cmocka_unit_test(values_arrive_where_they_belong),
		cmocka_unit_test(sctp_parameters_are_inherited),
		cmocka_unit_test(what_does_not_parse_is_told_with_its_line),
		cmocka_unit_test(every_error_is_told_at_once_in_order),
		cmocka_unit_test(numbers_that_do_not_fit_are_not_wrapped),
		cmocka_unit_test(keys_of_the_other_side_are_refused),
		cmocka_unit_test(a_thousand_errors_are_enough),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
