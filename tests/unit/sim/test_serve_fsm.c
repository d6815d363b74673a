/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/serve_fsm.h"

/* Every cell, written down a second time and in another order than in the source: by event, one column a
 * state. "S" ignores it. */
#define S(s)                                                                                                 \
	{                                                                                                    \
		ASP_##s, SERVE_IGNORE                                                                        \
	}
#define T(s, a)                                                                                              \
	{                                                                                                    \
		ASP_##s, SERVE_##a                                                                           \
	}

struct row {
	enum serve_event event;
	struct serve_cell cell[ASP_STATES]; /* of the states from ASP_OFF on, in their order */
};

/* OFF, CONNECTING, DOWN, WAIT_UP, INACTIVE, WAIT_ACTIVE, ACTIVE, WAIT_INACTIVE, WAIT_DOWN, LEAVING */
static const struct row sgp[SERVE_EVENTS] = {
	{SERVE_UP, {S(OFF), S(CONNECTING), T(INACTIVE, ACK), S(WAIT_UP), T(INACTIVE, ACK), S(WAIT_ACTIVE),
			   T(INACTIVE, ACK_ERR_GO), S(WAIT_INACTIVE), S(WAIT_DOWN), S(LEAVING)}},
	{SERVE_DN, {S(OFF), S(CONNECTING), T(DOWN, ACK), S(WAIT_UP), T(DOWN, ACK), S(WAIT_ACTIVE),
			   T(DOWN, ACK), S(WAIT_INACTIVE), S(WAIT_DOWN), S(LEAVING)}},
	{SERVE_AC, {S(OFF), S(CONNECTING), T(DOWN, ERR), S(WAIT_UP), T(ACTIVE, ACK), S(WAIT_ACTIVE),
			   T(ACTIVE, ACK), S(WAIT_INACTIVE), S(WAIT_DOWN), S(LEAVING)}},
	{SERVE_IA, {S(OFF), S(CONNECTING), T(DOWN, ERR), S(WAIT_UP), T(INACTIVE, ACK), S(WAIT_ACTIVE),
			   T(INACTIVE, ACK), S(WAIT_INACTIVE), S(WAIT_DOWN), S(LEAVING)}},
};

static const struct row single[SERVE_EVENTS] = {
	{SERVE_UP, {S(OFF), S(CONNECTING), T(INACTIVE, ACK_GO), T(INACTIVE, ACK_GO), T(INACTIVE, ACK),
			   T(WAIT_ACTIVE, ACK), T(INACTIVE, ACK_ERR_GO), T(INACTIVE, ACK_ERR_GO),
			   T(WAIT_DOWN, ERR), S(LEAVING)}},
	{SERVE_DN, {S(OFF), S(CONNECTING), T(DOWN, ACK), T(DOWN, ACK), T(DOWN, ACK), T(DOWN, ACK),
			   T(DOWN, ACK), T(DOWN, ACK_GO), T(DOWN, ACK_GO), S(LEAVING)}},
	{SERVE_AC, {S(OFF), S(CONNECTING), T(DOWN, ERR), T(WAIT_UP, ERR), T(ACTIVE, ACK), T(ACTIVE, ACK),
			   T(ACTIVE, ACK), T(WAIT_INACTIVE, ERR), T(WAIT_DOWN, ERR), S(LEAVING)}},
	{SERVE_IA, {S(OFF), S(CONNECTING), T(DOWN, ERR), T(WAIT_UP, ERR), T(INACTIVE, ACK), T(INACTIVE, ACK),
			   T(INACTIVE, ACK), T(INACTIVE, ACK_GO), T(WAIT_DOWN, ACK), S(LEAVING)}},
};

static void assert_rows(const struct row *rows, enum asp_role role)
{
	for (unsigned e = 0; e < SERVE_EVENTS; e++) {
		assert_int_equal(rows[e].event, e);
		for (int s = ASP_OFF; s < ASP_STATES; s++) {
			struct serve_cell got = serve_transition(role, (enum asp_state)s, rows[e].event);
			struct serve_cell want = rows[e].cell[s - ASP_OFF];

			if (got.next != want.next || got.action != want.action)
				fail_msg("%s in %s", serve_event_name(rows[e].event),
					asp_state_name((enum asp_state)s));
		}
	}
}

static void every_cell_is_as_the_standard_wants_it(void **state)
{
	(void)state;
	assert_rows(sgp, ASP_ROLE_SGP);
	assert_rows(sgp, ASP_ROLE_IPSP_DE); /* the gateway alone moves the other direction, too */
	assert_rows(single, ASP_ROLE_IPSP_SE);
}

static void an_sgp_waits_for_the_gateway_and_can_take_back(void **state)
{
	/* by state from OFF on; a column for each goal: OFF, DOWN, INACTIVE, ACTIVE */
	static const struct asp_cell want[][ASP_GOALS] = {
		{{ASP_OFF, ASP_DO_NOTHING}, {ASP_CONNECTING, ASP_DO_CONNECT},
			{ASP_CONNECTING, ASP_DO_CONNECT}, {ASP_CONNECTING, ASP_DO_CONNECT}},
		{{ASP_LEAVING, ASP_DO_ABORT}, {ASP_CONNECTING, ASP_DO_NOTHING},
			{ASP_CONNECTING, ASP_DO_NOTHING}, {ASP_CONNECTING, ASP_DO_NOTHING}},
		{{ASP_LEAVING, ASP_DO_SHUTDOWN}, {ASP_DOWN, ASP_DO_NOTHING}, {ASP_DOWN, ASP_DO_NOTHING},
			{ASP_DOWN, ASP_DO_NOTHING}},
		{{ASP_WAIT_UP, ASP_DO_NOTHING}, {ASP_WAIT_UP, ASP_DO_NOTHING}, {ASP_WAIT_UP, ASP_DO_NOTHING},
			{ASP_WAIT_UP, ASP_DO_NOTHING}},
		{{ASP_DOWN, ASP_DO_SAY_DOWN}, {ASP_DOWN, ASP_DO_SAY_DOWN}, {ASP_INACTIVE, ASP_DO_NOTHING},
			{ASP_INACTIVE, ASP_DO_NOTHING}},
		{{ASP_WAIT_ACTIVE, ASP_DO_NOTHING}, {ASP_WAIT_ACTIVE, ASP_DO_NOTHING},
			{ASP_WAIT_ACTIVE, ASP_DO_NOTHING}, {ASP_WAIT_ACTIVE, ASP_DO_NOTHING}},
		{{ASP_DOWN, ASP_DO_SAY_DOWN}, {ASP_DOWN, ASP_DO_SAY_DOWN},
			{ASP_INACTIVE, ASP_DO_SAY_INACTIVE}, {ASP_ACTIVE, ASP_DO_NOTHING}},
		{{ASP_WAIT_INACTIVE, ASP_DO_NOTHING}, {ASP_WAIT_INACTIVE, ASP_DO_NOTHING},
			{ASP_WAIT_INACTIVE, ASP_DO_NOTHING}, {ASP_WAIT_INACTIVE, ASP_DO_NOTHING}},
		{{ASP_WAIT_DOWN, ASP_DO_NOTHING}, {ASP_WAIT_DOWN, ASP_DO_NOTHING},
			{ASP_WAIT_DOWN, ASP_DO_NOTHING}, {ASP_WAIT_DOWN, ASP_DO_NOTHING}},
		{{ASP_LEAVING, ASP_DO_NOTHING}, {ASP_LEAVING, ASP_DO_NOTHING}, {ASP_LEAVING, ASP_DO_NOTHING},
			{ASP_LEAVING, ASP_DO_NOTHING}},
	};

	(void)state;
	for (int s = ASP_OFF; s < ASP_STATES; s++)
		for (int g = 0; g < ASP_GOALS; g++) {
			struct asp_cell got = serve_step((enum asp_state)s, (enum asp_goal)g);

			assert_int_equal(got.next, want[s - ASP_OFF][g].next);
			assert_int_equal(got.action, want[s - ASP_OFF][g].action);
		}
}

static void everything_has_a_name(void **state)
{
	(void)state;
	for (int e = 0; e < SERVE_EVENTS; e++)
		assert_string_not_equal(serve_event_name((enum serve_event)e), "?");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_cell_is_as_the_standard_wants_it),
		cmocka_unit_test(an_sgp_waits_for_the_gateway_and_can_take_back),
		cmocka_unit_test(everything_has_a_name),
	};

	return cmocka_run_group_tests_name("sim/serve_fsm", tests, NULL, NULL);
}
