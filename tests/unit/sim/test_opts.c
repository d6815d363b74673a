/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "sim/opts.h"

enum { MS = 1000000 };

static char err[KEYVAL_ERR];

/* Parses a command line written as one text; words are split at spaces. */
static struct opts *parse(const char *text)
{
	static char copy[2048];
	char *argv[64] = {"ss7sim"};
	int argc = 1;

	strncpy(copy, text, sizeof(copy) - 1);
	for (char *w = strtok(copy, " "); w; w = strtok(NULL, " "))
		argv[argc++] = w;
	argv[argc] = NULL;
	err[0] = 0;
	return opts_parse(argc, argv, err);
}

#define BASE "--gateway 127.0.0.1 --as name=hlr,rc=10,pc=1-2-3,asps=2,local-port=5001 --as name=msc,pc=1-2-4 "
#define NODE "--node name=stp,pc=2-2-2,adjacent=1-1-1,links=2 "

static void the_usual_command_line(void **state)
{
	struct opts *o =
		parse(BASE "--transport tcp --port 2906 --udp-port 9901 --local-udp-port 9902 --duration 5 "
			   "--flow from=hlr,to=msc,rate=1000,si=isup,sls=0-15,size=100 --quiet --json x");

	(void)state;
	if (!o)
		fail_msg("%s", err);
	assert_int_equal(o->tp.kind, TP_TCP);
	assert_int_equal(o->tp.remote_port, 2906);
	assert_int_equal(o->tp.remote_udp_port, 9901);
	assert_int_equal(o->tp.local_udp_port, 9902);
	assert_true(o->duration_ns == 5000ull * MS);
	assert_true(o->quiet);
	assert_string_equal(o->json, "x");
	assert_int_equal(o->n_as, 2);
	assert_int_equal(o->as[0].asps, 2);
	assert_int_equal(o->as[0].active, 2);
	assert_int_equal(o->as[0].pc, 1 << 11 | 2 << 3 | 3);
	assert_true(o->as[0].has_rc);
	assert_int_equal(o->as[1].asps, 1);
	assert_false(o->as[1].has_rc);
	assert_int_equal(o->flow[0].si, 5);
	assert_int_equal(o->flow[0].n_sls, 16);
	assert_int_equal(o->flow[0].id, 1);
	assert_true(o->flow[0].stop_ns == o->duration_ns);
	assert_int_equal(o->flow[0].window, 0);
	opts_free(o);
}

static void flows_have_defaults_and_all_their_keys(void **state)
{
	struct opts *o = parse(
		BASE "--flow from=hlr,to=msc --flow "
		     "from=msc,to=hlr,rate=max,count=9,size=ss7,si=5,ni=3,mp=1,sls=0-3/8,opc=7-255-7,dpc=77,"
		     "start=1s,stop=2s,id=40 --flow from=msc,to=hlr,rate=2.5,spacing=poisson");
	const struct flow_opts *f;

	(void)state;
	if (!o)
		fail_msg("%s", err);
	f = &o->flow[0];
	assert_true(
		f->pace == PACE_REGULAR && f->rate == 100 && f->size.min == 100 && f->si == 3 && f->ni == 2);
	f = &o->flow[1];
	assert_true(f->pace == PACE_MAX && f->window == 1000 && f->count == 9 && f->size.kind == SIZE_SS7);
	assert_true(f->n_sls == 5 && f->sls[4] == 8 && f->opc == 16383 && f->dpc == 77 && f->id == 40);
	assert_true(f->start_ns == 1000ull * MS && f->stop_ns == 2000ull * MS && f->ni == 3 && f->mp == 1);
	f = &o->flow[2];
	assert_true(f->pace == PACE_POISSON && f->rate == 2.5 && f->id == 3);
	opts_free(o);
}

static void override_keeps_all_but_one_standing_by(void **state)
{
	struct opts *o = parse("--gateway 127.0.0.1 --as name=a,asps=3,mode=override --as "
			       "name=b,asps=3,mode=override,active=2 --as name=c,asps=3,mode=broadcast");

	(void)state;
	if (!o)
		fail_msg("%s", err);
	assert_int_equal(o->as[0].active, 1);
	assert_int_equal(o->as[1].active, 2);
	assert_int_equal(o->as[2].active, 3);
	opts_free(o);
}

static void several_addresses_make_it_multi_homed(void **state)
{
	struct opts *o = parse("--gateway 192.0.2.1,2001:db8::1 --as name=a,local=127.0.0.1/127.0.0.2");

	(void)state;
	if (!o)
		fail_msg("%s", err);
	assert_int_equal(o->tp.n_remote, 2);
	assert_int_equal(o->as[0].n_local, 2);
	opts_free(o);
}

static void actions_are_sorted_by_time_and_find_their_asps(void **state)
{
	struct opts *o = parse(BASE "--at 4s:hlr-2:aspac --at 500ms:hlr:aspia --at 4s:msc-*:abort");

	(void)state;
	if (!o)
		fail_msg("%s", err);
	assert_int_equal(o->n_actions, 3);
	assert_true(o->action[0].at_ns == 500ull * MS && o->action[0].kind == ACT_ASPIA);
	assert_true(o->action[0].as == 0 && o->action[0].asp == OPTS_ALL);
	assert_true(o->action[1].kind == ACT_ASPAC && o->action[1].asp == 1);
	assert_true(o->action[2].kind == ACT_ABORT && o->action[2].as == 1 && o->action[2].asp == OPTS_ALL);
	opts_free(o);
}

static void an_as_has_a_role_and_a_side(void **state)
{
	struct opts *o = parse("--as name=a,rc=1,pc=1-2-3,role=ipsp-de,peer-rc=2,side=server,local-port=5001 "
			       "--as name=b,pc=1-2-4,role=sgp,side=server,local-port=5002");

	(void)state;
	if (!o) /* without --gateway */
		fail_msg("%s", err);
	assert_true(o->as[0].role == ASP_ROLE_IPSP_DE && o->as[0].server && o->as[0].has_peer_rc);
	assert_int_equal(o->as[0].peer_rc, 2);
	assert_int_equal(o->as[1].role, ASP_ROLE_SGP);
	opts_free(o);
	o = parse(BASE);
	assert_non_null(o);
	assert_true(o->as[0].role == ASP_ROLE_ASP && !o->as[0].server);
	opts_free(o);
}

static void every_action_has_a_name_that_is_read(void **state)
{
	(void)state;
	for (int k = 0; k < ACT_KINDS; k++) {
		const char *who = k == ACT_DUNA || k == ACT_DAVA ? "sg"
				  : k < ACT_ASP_KINDS            ? "hlr-1"
				  : k < ACT_LINK_KINDS           ? "stp.1"
								 : "stp";
		const char *what = k < ACT_TFP || k > ACT_UPU ? "" : k >= ACT_TFC ? "=3-3-3/3" : "=3-3-3";
		char text[256];
		struct opts *o;

		snprintf(text, sizeof(text), BASE NODE "--as name=sg,pc=1-2-5,role=sgp --at 1s:%s:%s%s", who,
			action_name((enum action_kind)k), what);
		o = parse(text);
		assert_non_null(o);
		assert_int_equal(o->action[0].kind, k);
		opts_free(o);
	}
}

static void a_node_has_links_point_codes_and_short_timers(void **state)
{
	struct opts *o =
		parse("--node name=stp,pc=2-2-2,adjacent=1-1-1,links=4,slc=3,side=server,behind=3-3-3/3-3-4,"
		      "t7=500ms,emergency=yes,test=no --flow from=stp,to=stp,dpc=3-3-4 "
		      "--at 1s:stp.3:po --at 2s:stp:tfc=3-3-3/2");

	(void)state;
	if (!o)
		fail_msg("%s", err);
	assert_int_equal(o->n_nodes, 1);
	assert_int_equal(o->node[0].pc, 2 << 11 | 2 << 3 | 2);
	assert_int_equal(o->node[0].adjacent, 1 << 11 | 1 << 3 | 1);
	assert_int_equal(o->node[0].links, 4);
	assert_int_equal(o->node[0].local_port, 3565);
	assert_int_equal(o->node[0].n_behind, 2);
	assert_true(o->node[0].server && o->node[0].emergency && !o->node[0].test);
	assert_true(o->node[0].t7_ns == 500ull * MS && o->node[0].t6_ns == 4000ull * MS);
	assert_true(o->flow[0].from_node && o->flow[0].to_node);
	assert_int_equal(o->flow[0].dpc, 3 << 11 | 3 << 3 | 4);
	assert_true(o->action[0].is_node && o->action[0].asp == 3 && o->action[0].kind == ACT_PO);
	assert_true(o->action[1].asp == OPTS_ALL && o->action[1].value == 2);
	assert_int_equal(o->action[1].pc, 3 << 11 | 3 << 3 | 3);
	opts_free(o);
}

static void a_node_may_have_several_linksets(void **state)
{
	struct opts *o = parse("--gateway ::1 --node name=a,pc=1-1-1,adjacent=2-2-2,behind=4-4-4,ni=3 "
			       "--node name=a2,with=a,adjacent=2-2-3 --flow from=a2,to=a2,dpc=4-4-4");

	(void)state;
	if (!o)
		fail_msg("%s", err);
	assert_int_equal(o->node[1].main, 0);
	assert_true(o->node[1].pc == o->node[0].pc && o->node[1].ni == 3 && o->node[1].behind[0] == 8228);
	assert_int_equal(o->node[1].adjacent, 2 << 11 | 2 << 3 | 3);
	assert_true(o->flow[0].from == 0 && o->flow[0].to == 0);
	opts_free(o);
	assert_null(parse(
		"--gateway ::1 --node name=a,with=b,adjacent=2-2-2 --node name=b,pc=1-1-1,adjacent=2-2-2"));
	assert_null(parse("--gateway ::1 --node name=a,pc=1-1-1,adjacent=2-2-2 --node "
			  "name=b,with=a,pc=1-1-2,adjacent=2-2-2"));
}

static void other_networks_have_other_point_codes(void **state)
{
	struct opts *o = parse("--variant ansi --gateway ::1 --as name=a,pc=1-2-3");

	(void)state;
	if (!o)
		fail_msg("%s", err);
	assert_int_equal(o->as[0].pc, 1 << 16 | 2 << 8 | 3);
	opts_free(o);
}

static void a_run_shared_by_two_processes_has_a_number_both_know(void **state)
{
	struct opts *o = parse("--gateway ::1 --as name=a,pc=1,asps=0 --as name=b,pc=2 --flow from=a,to=b");

	(void)state;
	assert_non_null(o);
	assert_int_equal(o->run, 0);
	opts_free(o);
}

static void mistakes_are_named(void **state)
{
	static const struct {
		const char *args, *says;
	} bad[] = {
		{"", "needs --gateway"},
		{"--gateway nowhere", "--gateway: \"nowhere\" is not an IP address"},
		{"--bogus", "--bogus: no such option"},
		{"--port", "--port: needs a value"},
		{"--port 70000", "--port: \"70000\" is not a number up to 65535"},
		{"--transport pigeon", "--transport: \"pigeon\" is not auto, kernel, embedded or tcp"},
		{BASE "stray", "\"stray\" is not an option"},
		{BASE "--as rc=1", "needs name="},
		{BASE "--as name=hlr", "hlr is there twice"},
		{BASE "--as name=x,pc=99-1-1", "\"99-1-1\" is not a point code of variant itu"},
		{BASE "--as name=x,asps=10,local-port=65530", "beyond 65535"},
		{BASE "--as name=x,mode=sometimes", "--as: mode: \"sometimes\" is not override"},
		{BASE "--as name=x,local=127.0.0.1/x", "--as: local:"},
		{BASE "--flow from=hlr,to=nobody",
			"--flow 1: there is no --as and no --node named \"nobody\""},
		{BASE "--flow from=hlr", "named \"\""},
		{BASE "--flow from=hlr,to=msc,rate=0", "--flow: rate: \"0\" is not messages per second"},
		{BASE "--flow from=hlr,to=msc,rate=nan", "rate"},
		{BASE "--flow from=hlr,to=msc,size=23", "--flow 1: a size here is from 24"},
		{BASE "--flow from=hlr,to=msc,si=5,size=25", "a size here is from 26"},
		{BASE "--flow from=hlr,to=msc,size=8180", "to 8141"},
		{BASE "--flow from=hlr,to=msc,sls=256", "--flow: sls"},
		{BASE "--flow from=hlr,to=msc,sls=1/1", "--flow: sls"},
		{BASE "--flow from=hlr,to=msc,si=16", "--flow: si"},
		{BASE "--flow from=hlr,to=msc --flow from=hlr,to=msc,id=1", "the id 1 is there twice"},
		{BASE "--as name=x --flow from=x,to=msc", "no point code"},
		{BASE "--as name=x,pc=1,asps=0 --as name=y,pc=2,asps=0 --flow from=x,to=y",
			"neither end is played here"},
		{BASE "--at 1s:hlr-3:aspia", "\"1s:hlr-3:aspia\" is not TIME:WHO:ACTION"},
		{BASE "--as name=x,role=king", "--as: role: \"king\" is not asp, sgp"},
		{BASE "--as name=x,side=left", "--as: side: \"left\" is not client or server"},
		{BASE "--as name=x,side=server", "x: side=server needs local-port="},
		{BASE "--as name=x,rc=1,peer-rc=2", "x: peer-rc= is for role=ipsp-de"},
		{"--register " BASE "--as name=x,pc=1-2-5,role=sgp", "x: only ASPs register"},
		{BASE "--at 1s:hlr:duna", "is not TIME:"},
		{BASE "--at 1s:hlr-1:dance", "is not TIME:WHO:ACTION"},
		{BASE "--at hlr-1:aspia", "is not TIME:WHO:ACTION"},
		{BASE NODE "--at 1s:stp.2:drop", "is not TIME:WHO:ACTION"},
		{BASE NODE "--at 1s:stp.1:tfp=3-3-3", "is not TIME:WHO:ACTION"},
		{BASE NODE "--at 1s:stp:tfp", "is not TIME:WHO:ACTION"},
		{BASE NODE "--at 1s:stp:tfc=3-3-3/4", "is not TIME:WHO:ACTION"},
		{BASE NODE "--at 1s:stp:drop=1", "is not TIME:WHO:ACTION"},
		{BASE NODE "--at 1s:stp:aspia", "is not TIME:WHO:ACTION"},
		{BASE "--node name=hlr,pc=1,adjacent=2", "an AS has this name"},
		{BASE NODE NODE, "there twice"},
		{"--node name=x,pc=1,adjacent=2", "needs --gateway or gateway="},
		{BASE NODE "--flow from=hlr,to=stp,dpc=5-5-5", "does not serve"},
		{BASE NODE "--flow from=stp,to=hlr,sls=16", "SLS 16 is too large"},
		{BASE NODE "--flow from=stp,to=hlr,size=269", "to 268 (the node's max-sif"},
		{BASE "--node name=x,pc=2-2-2,adjacent=1-1-1,max-sif=300 --flow from=hlr,to=x,size=297",
			"to 296 (the node's max-sif"},
		{BASE "--node name=x,pc=2-2-2,adjacent=1-1-1,max-sif=271", "\"271\" is not 272 to 4095"},
		{BASE "--variant ansi --as name=x,pc=1-2-256", "not a point code of variant ansi"},
		{BASE "--pc-format 9-9-9", "--pc-format"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct opts *o = parse(bad[i].args);

		if (o)
			fail_msg("accepted: %s", bad[i].args);
		if (!strstr(err, bad[i].says))
			fail_msg("%s: says %s", bad[i].args, err);
	}
}

static void help_needs_nothing_else(void **state)
{
	struct opts *o = parse("-h");

	(void)state;
	assert_non_null(o);
	assert_true(o->help);
	opts_free(o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_usual_command_line),
		cmocka_unit_test(flows_have_defaults_and_all_their_keys),
		cmocka_unit_test(override_keeps_all_but_one_standing_by),
		cmocka_unit_test(several_addresses_make_it_multi_homed),
		cmocka_unit_test(actions_are_sorted_by_time_and_find_their_asps),
		cmocka_unit_test(a_node_may_have_several_linksets),
		cmocka_unit_test(a_node_has_links_point_codes_and_short_timers),
		cmocka_unit_test(an_as_has_a_role_and_a_side),
		cmocka_unit_test(every_action_has_a_name_that_is_read),
		cmocka_unit_test(other_networks_have_other_point_codes),
		cmocka_unit_test(a_run_shared_by_two_processes_has_a_number_both_know),
		cmocka_unit_test(mistakes_are_named),
		cmocka_unit_test(help_needs_nothing_else),
	};

	return cmocka_run_group_tests_name("sim/opts", tests, NULL, NULL);
}
