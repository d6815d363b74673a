/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "conf/suggest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static void distances(void **state)
{
	static const struct {
		const char *a, *b;
		unsigned d;
	} cases[] = {
		{"port", "port", 0},
		{"prot", "port", 1}, /* neighbours swapped */
		{"max_message", "max-message", 1},
		{"workr", "workers", 2},
		{"", "abc", 3},
		{"kitten", "sitting", 3},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(suggest_distance(cases[i].a, cases[i].b), cases[i].d);
		assert_int_equal(suggest_distance(cases[i].b, cases[i].a), cases[i].d);
	}
}

static void the_nearest_candidate_wins(void **state)
{
	struct suggestion s = {.typed = "remote-prot"};

	(void)state;
	suggest_offer(&s, "remote-udp-port");
	suggest_offer(&s, "remote-port");
	suggest_offer(&s, "local-port");
	assert_string_equal(s.best, "remote-port");
}

static void what_is_far_is_not_suggested(void **state)
{
	struct suggestion s = {.typed = "colour"};

	(void)state;
	suggest_offer(&s, "port");
	suggest_offer(&s, "a-word-that-is-longer-than-anything-that-could-be-a-key-of-the-configuration");
	assert_null(s.best);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(distances),
		cmocka_unit_test(the_nearest_candidate_wins),
		cmocka_unit_test(what_is_far_is_not_suggested),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
