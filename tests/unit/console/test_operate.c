/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What operations do and answer, in text and in JSON. */
#include <string.h>

#include "show_rig.h"

static void block_acts_once_and_says_what_is(void **state)
{
	const char *command = "asp NAME (block|unblock)";

	(void)state;
	assert_true(operate(command, false, ARGV("hlr-1", "block")));
	assert_string_equal(output, "ASP hlr-1 is blocked\n");
	assert_true(operate(command, false, ARGV("hlr-1", "block")));
	assert_string_equal(output, "ASP hlr-1 is blocked already\n");
	assert_true(operate(command, false, ARGV("hlr-1", "unblock")));
	assert_string_equal(output, "ASP hlr-1 is unblocked\n");
	assert_int_equal(fake_blocks, 2);
	assert_false(operate(command, false, ARGV("x", "block")));
	assert_string_equal(output, "% no ASP named x (see show asp)\n");
}

static void restart_needs_an_association_or_a_client(void **state)
{
	const char *command = "association NAME restart";

	(void)state;
	assert_true(operate(command, false, ARGV("hlr-1")));
	assert_int_equal(fake_restarts, 1);
	assert_false(operate(command, false, ARGV("msc-1")));
	assert_string_equal(output, "% association msc-1 is down, and it is the peer who opens it\n");
	assert_false(operate(command, false, ARGV("x")));
	assert_int_equal(fake_restarts, 1);
}

static void a_link_is_operated_or_says_why_not(void **state)
{
	const char *command =
		"link NAME (activate|deactivate|inhibit|uninhibit|test|emergency|restart|processor-outage)";
	static const struct {
		const char *name, *word, *error, *done;
	} rows[] = {
		{"a-0", "activate", NULL, "link a-0 is activated already"},
		{"a-0", "deactivate", NULL, "link a-0 is being deactivated"},
		{"a-0", "inhibit", NULL, "link a-0 is being inhibited: the neighbour is asked"},
		{"a-1", "inhibit", NULL, "link a-1 is inhibited already"},
		{"a-1", "uninhibit", NULL, "link a-1 is being uninhibited: the neighbour is asked"},
		{"a-0", "uninhibit", NULL, "link a-0 is not inhibited from here"},
		{"a-0", "emergency", NULL, "link a-0 proves by the short period"},
		{"a-0", "restart", NULL, "link a-0 is being restarted: its association is opened again"},
		{"a-1", "processor-outage", NULL, "link a-1 has a local processor outage"},
		{"a-0", "test", "link a-0: it is not active", NULL},
		{"x", "test", "no link named x (see show link)", NULL},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		bool done = operate(command, true, ARGV(rows[i].name, rows[i].word));
		json_t *j = json_loads(output, JSON_REJECT_DUPLICATES, NULL);

		assert_int_equal(done, rows[i].done != NULL);
		says(j, done ? "done" : "error", done ? rows[i].done : rows[i].error);
		assert_int_equal(json_object_size(j), 1);
		json_decref(j);
	}
}

static void linksets_and_the_end_of_what_lasts_are_rows_of_their_own(void **state)
{
	(void)state;
	assert_true(operate(
		"link NAME (emergency|processor-outage) clear", false, ARGV("a-1", "processor-outage")));
	assert_string_equal(output, "link a-1 has no local processor outage\n");
	assert_true(operate("link NAME (emergency|processor-outage) clear", false, ARGV("a-1", "emergency")));
	assert_string_equal(
		output, "link a-1 proves by the normal period, unless it is the only way to the neighbour\n");
	assert_true(operate("linkset NAME (activate|deactivate)", false, ARGV("ls-a", "deactivate")));
	assert_string_equal(output, "the links of ls-a are being deactivated\n");
	assert_false(operate("linkset NAME (activate|deactivate)", false, ARGV("x", "activate")));
	assert_string_equal(output, "% no linkset named x (see show linkset)\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(block_acts_once_and_says_what_is),
		T(restart_needs_an_association_or_a_client),
		T(a_link_is_operated_or_says_why_not),
		T(linksets_and_the_end_of_what_lasts_are_rows_of_their_own),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
