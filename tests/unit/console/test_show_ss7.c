/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The SS7 side in `show`: what operators need to tell why a link carries nothing. */
#include <string.h>

#include "show_rig.h"

static void a_link_tells_both_levels_and_what_counted(void **state)
{
	const char *t = text("link NAME", ARGV("a-0"));

	(void)state;
	contains(t, "waiting");
	contains(t, "out of service");
	contains(t, "T2 expired");
	contains(t, "no Alignment from the peer");
	assert_null(strstr(t, "no Ready from the peer")); /* never happened */
	assert_false(run("link NAME", true, ARGV("b-0")));
	contains(output, "no link named b-0");
}

static void a_link_tells_its_numbers_traffic_and_messages(void **state)
{
	json_t *j = json("link NAME", ARGV("a-1")), *link = json_object_get(j, "link"), *row;

	(void)state;
	counts(link, "fsn", 41);
	counts(link, "bsn", 17);
	counts(link, "unacknowledged", 5);
	counts(link, "waiting", 2);
	counts(link, "queue-limit", 4096);
	counts(json_object_get(link, "level-3-counters"), "tests", 12);
	counts(json_object_get(link, "level-3-counters"), "local-inhibits", 1);
	counts(json_object_get(link, "level-2-counters"), "t7-expired", 0);
	counts(json_object_get(link, "traffic"), "rx-data", 1077);
	counts(json_object_get(link, "drops"), "m2pa-fsn", 3);
	assert_int_equal(json_array_size(json_object_get(link, "link-status")), 2);
	row = json_array_get(json_object_get(link, "link-status"), 0);
	says(row, "message", "Proving Normal");
	counts(row, "sent", 90);
	json_decref(j);
}

static void a_linkset_sums_up_its_links(void **state)
{
	json_t *j = json("linkset NAME", ARGV("ls-a")), *ls = json_object_get(j, "linkset");

	(void)state;
	assert_int_equal(json_array_size(json_object_get(ls, "links")), 2);
	counts(ls, "not-allowed-here", 1);
	counts(ls, "not-allowed-there", 6);
	counts(json_object_get(ls, "level-3-counters"), "tests", 12);
	counts(json_object_get(ls, "level-3-counters"), "failed-alignments", 9);
	counts(json_object_get(ls, "level-2-counters"), "t2-expired", 7);
	counts(json_object_get(ls, "traffic"), "rx-data", 1077);
	counts(json_object_get(ls, "drops"), "m2pa-fsn", 3);
	json_decref(j);
}

/* An active link that carries nothing is not told apart by its state. */
static void a_link_that_is_inhibited_says_so(void **state)
{
	json_t *j = json("link", ARGV(NULL)), *link = named(json_object_get(j, "links"), "a-1");

	(void)state;
	says(link, "state", "active");
	says(link, "reason", "inhibited");
	json_decref(j);
	j = json("link NAME", ARGV("a-1"));
	link = json_object_get(j, "link");
	says(link, "available-reason", "inhibited");
	counts(link, "available-since", 1000);
	json_decref(j);
}

static void links_are_among_the_associations(void **state)
{
	json_t *j = json("association", ARGV(NULL)), *a = named(json_object_get(j, "associations"), "a-1");

	(void)state;
	says(a, "protocol", "m2pa");
	says(named(json_object_get(j, "associations"), "hlr-1"), "protocol", "m3ua");
	json_decref(j);
	j = json("association NAME", ARGV("a-1"));
	counts(json_object_get(j, "association"), "streams-out", 2);
	json_decref(j);
	j = json("statistics", ARGV(NULL));
	a = named(json_object_get(j, "associations"), "a-1");
	counts(json_object_get(a, "counters"), "rx-data", 77);
	a = named(json_object_get(j, "links"), "a-1"); /* with those before it */
	counts(json_object_get(a, "traffic"), "rx-data", 1077);
	counts(json_object_get(a, "level-3-counters"), "tests", 12);
	json_decref(j);
	j = json("sctp offload", ARGV(NULL));
	says(named(json_object_get(j, "associations"), "a-1"), "transport", "embedded");
	json_decref(j);
	assert_false(run("association NAME", false, ARGV("a-0")));
	assert_string_equal(output, "% association a-0 is down: the peer has not connected yet\n");
}

static void a_network_counts_its_management_messages(void **state)
{
	json_t *j = json("network NAME", ARGV("national")), *net = json_object_get(j, "network"), *row;

	(void)state;
	says(net, "restart", "done");
	counts(net, "restart-since", 2000);
	counts(json_object_get(net, "management"), "strays", 4);
	assert_int_equal(json_array_size(json_object_get(net, "messages")), 2);
	row = json_array_get(json_object_get(net, "messages"), 0);
	says(row, "message", "TFP");
	says(row, "meaning", "transfer prohibited");
	counts(row, "received", 3);
	counts(row, "sent", 0);
	json_decref(j);
	assert_false(run("network NAME", false, ARGV("x")));
	assert_string_equal(output, "% no network named x (see show network)\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(a_link_tells_both_levels_and_what_counted),
		T(a_link_tells_its_numbers_traffic_and_messages),
		T(a_linkset_sums_up_its_links),
		T(a_link_that_is_inhibited_says_so),
		T(links_are_among_the_associations),
		T(a_network_counts_its_management_messages),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
