/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Scripts as a whole: steps, blocks, macros, and every mistake with its line. */
#include "script_rig.h"

static struct script *load(const char *text)
{
	char err[SCRIPT_ERR] = "";
	struct script *s = rig_load(text, err);

	if (!s)
		fail_msg("%s", err);
	return s;
}

static void a_script_is_headers_endpoints_and_steps(void **state)
{
	struct script *s =
		load("purpose: it works   # not a comment here\nclause: RFC 4666 s.1\n\n# a comment\n"
		     "endpoint a port=$peer+1\nendpoint b listen port=7\n"
		     "a connect\na expect up within 2s\n"
		     "a send ASPUP \\\n  asp_id=1\n"
		     "a,b expect nothing for 250ms\nall abort\nwait 10ms\n");

	(void)state;
	assert_string_equal(s->clause, "RFC 4666 s.1");
	assert_int_equal(s->n_ends, 2);
	assert_false(s->ends[0].listens);
	assert_true(s->ends[1].listens);
	assert_int_equal(value_of(s, &s->ends[0].port), 5001);
	assert_int_equal(s->n_steps, 7);
	assert_int_equal(s->steps[0]->kind, STEP_CONNECT);
	assert_int_equal(s->steps[1]->kind, STEP_EXPECT_UP);
	assert_int_equal(s->steps[1]->ns, 2000000000);
	assert_int_equal(s->steps[2]->msg->n_params, 1);
	assert_int_equal(s->steps[3]->kind, STEP_NOTHING);
	assert_int_equal(s->steps[3]->mask, 3);
	assert_int_equal(s->steps[3]->ns, 250000000);
	assert_int_equal(s->steps[4]->kind, STEP_ABORT);
	assert_int_equal(s->steps[5]->end, 1); /* all: one after the other */
	script_free(s);
}

static void blocks_hold_steps(void **state)
{
	struct script *s = load(
		"endpoint a\n"
		"unordered {\n a expect ASPUP_ACK\n a expect NTFY within 3s\n}\n"
		"repeat 4 {\n a send BEAT hb=00\n any-of {\n a expect BEAT_ACK\n a expect down\n }\n}\n");

	(void)state;
	assert_int_equal(s->n_steps, 2);
	assert_int_equal(s->steps[0]->kind, STEP_UNORDERED);
	assert_int_equal(s->steps[0]->n_children, 2);
	assert_int_equal(s->steps[0]->ns, 3000000000); /* the longest of its own */
	assert_int_equal(s->steps[1]->kind, STEP_REPEAT);
	assert_int_equal(s->steps[1]->count, 4);
	assert_int_equal(s->steps[1]->children[1]->kind, STEP_ANY_OF);
	script_free(s);
}

static void macros_are_filled_in(void **state)
{
	struct script *s = load("endpoint x\nendpoint y\n"
				"macro up\n$1 connect\n$1 send ASPAC rc=$2\nend\n"
				"use up x 10\nuse up y 20\n");
	const struct script_step *last;

	(void)state;
	assert_int_equal(s->n_steps, 4);
	last = s->steps[3];
	assert_int_equal(last->end, 1);
	assert_int_equal(last->msg->params[0].nums[0].n, 20);
	assert_string_equal(last->text, "y send ASPAC rc=20");
	assert_non_null(strstr(last->where, ":5 (used at "));
	script_free(s);
}

static void mistakes_are_told_with_their_line(void **state)
{
	static const struct {
		const char *text, *line, *what;
	} rows[] = {
		{"endpoint a\na jump\n", ":2:", "no such step"},
		{"endpoint a\nb connect\n", ":2:", "no such step or endpoint"},
		{"endpoint a\nendpoint a\n", ":2:", "each name once"},
		{"endpoint a listen\n", ":1:", "needs port="},
		{"endpoint a\na listen\n", ":2:", "not declared with listen"},
		{"endpoint a\n\na connect now\n", ":3:", "nothing may follow"},
		{"endpoint a\na send ASPUP nonsense=1\n", ":2:", "nonsense"},
		{"endpoint a\na expect nothing\n", ":2:", "expect nothing for TIME"},
		{"endpoint a\na expect up within soon\n", ":2:", "within TIME"},
		{"endpoint a\na ignore ASPUP NONSENSE\n", ":2:", "no such message"},
		{"endpoint a\na auto everything\n", ":2:", "auto beat"},
		{"endpoint a\nunordered {\na send ASPUP\n}\n", ":2:", "only expect"},
		{"endpoint a\nunordered {\n}\n", ":2:", "empty"},
		{"endpoint a\nunordered {\na expect up\n", ":2:", "no end"},
		{"endpoint a\nunordered\n", ":2:", "opens with {"},
		{"endpoint a\na connect\n}\n", ":3:", "} without a block"},
		{"endpoint a\nrepeat 0 {\na connect\n}\n", ":2:", "repeat N"},
		{"wait long\n", ":1:", "wait TIME"},
		{"nonsense: 1\n", ":1:", "no such header"},
		{"variant: mars\n", ":1:", "no such variant"},
		{"use nothing\n", ":1:", "no such macro"},
		{"macro x\nwait 1s\n", ":1:", "macro without end"},
		{"macro x\nuse x\nend\nuse x\n", "", "deep"},
		{"include /nonexistent/file\n", "", "cannot read"},
		{"endpoint a port=$nowhere\na connect\n", "", "$nowhere never gets a value"},
		{"endpoint a\na send ASPAC rc=$later\n", "", "$later never gets a value"},
		{"purpose: nothing\n", "", "no steps"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char err[SCRIPT_ERR] = "";

		if (rig_load(rows[i].text, err))
			fail_msg("accepted: %s", rows[i].text);
		if (!strstr(err, rows[i].line) || !strstr(err, rows[i].what))
			fail_msg("%s: \"%s\" has not \"%s\" and \"%s\"", rows[i].text, err, rows[i].line,
				rows[i].what);
	}
}

static void variables_come_from_captures_and_loops(void **state)
{
	(void)state;
	script_free(load("endpoint a\na expect ASPAC_ACK rc=?x stream=?s\na send ASPIA rc=$x stream=$s\n"));
	script_free(load("endpoint a\nrepeat 3 {\na send ASPAC rc=$i\n}\n"));
	script_free(load("endpoint a\nset x 5\na send ASPAC rc=$x\n"));
	script_free(load("endpoint a\na expect REG_RSP result{rc=?x}\na send ASPIA rc=$x\n"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_script_is_headers_endpoints_and_steps),
		cmocka_unit_test(blocks_hold_steps),
		cmocka_unit_test(macros_are_filled_in),
		cmocka_unit_test(mistakes_are_told_with_their_line),
		cmocka_unit_test(variables_come_from_captures_and_loops),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
