/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/asp_fsm.h"

/* Every cell, written down a second time and in another order than in the source: by event, one row a state.
 * "S" stays and does nothing. */
#define S(s)                                                                                                 \
	{                                                                                                    \
		ASP_##s, ASP_DO_NOTHING                                                                      \
	}
#define T(s, a)                                                                                              \
	{                                                                                                    \
		ASP_##s, ASP_DO_##a                                                                          \
	}

static const struct {
	enum asp_event event;
	struct asp_cell cell[ASP_STATES]; /* of the states from ASP_OFF on, in their order */
} rows[ASP_EVENTS] = {
	/*                     OFF, CONNECTING, DOWN, WAIT_UP, INACTIVE, WAIT_ACTIVE, ACTIVE, WAIT_INACTIVE,
	   WAIT_DOWN, LEAVING */
	{ASP_EV_GOAL,
		{T(OFF, ADVANCE), T(CONNECTING, ADVANCE), T(DOWN, ADVANCE), S(WAIT_UP), T(INACTIVE, ADVANCE),
			S(WAIT_ACTIVE), T(ACTIVE, ADVANCE), S(WAIT_INACTIVE), S(WAIT_DOWN), S(LEAVING)}},
	{ASP_EV_SHUTDOWN, {S(OFF), T(LEAVING, ABORT), T(LEAVING, SHUTDOWN), T(LEAVING, SHUTDOWN),
				  T(LEAVING, SHUTDOWN), T(LEAVING, SHUTDOWN), T(LEAVING, SHUTDOWN),
				  T(LEAVING, SHUTDOWN), T(LEAVING, SHUTDOWN), S(LEAVING)}},
	{ASP_EV_ABORT, {S(OFF), T(LEAVING, ABORT), T(LEAVING, ABORT), T(LEAVING, ABORT), T(LEAVING, ABORT),
			       T(LEAVING, ABORT), T(LEAVING, ABORT), T(LEAVING, ABORT), T(LEAVING, ABORT),
			       T(LEAVING, ABORT)}},
	{ASP_EV_TP_UP, {S(OFF), T(DOWN, ADVANCE), S(DOWN), S(WAIT_UP), S(INACTIVE), S(WAIT_ACTIVE), S(ACTIVE),
			       S(WAIT_INACTIVE), S(WAIT_DOWN), S(LEAVING)}},
	{ASP_EV_TP_DOWN,
		{S(OFF), T(OFF, BACKOFF), T(OFF, BACKOFF), T(OFF, BACKOFF), T(OFF, BACKOFF), T(OFF, BACKOFF),
			T(OFF, BACKOFF), T(OFF, BACKOFF), T(OFF, BACKOFF), T(OFF, BACKOFF)}},
	{ASP_EV_TP_RESTART,
		{S(OFF), S(CONNECTING), T(DOWN, ADVANCE), T(DOWN, ADVANCE), T(DOWN, ADVANCE),
			T(DOWN, ADVANCE), T(DOWN, ADVANCE), T(DOWN, ADVANCE), T(DOWN, ADVANCE), S(LEAVING)}},
	{ASP_EV_UP_ACK,
		{S(OFF), S(CONNECTING), T(INACTIVE, PROTEST), T(INACTIVE, ADVANCE), S(INACTIVE),
			S(WAIT_ACTIVE), T(INACTIVE, PROTEST), S(WAIT_INACTIVE), S(WAIT_DOWN), S(LEAVING)}},
	{ASP_EV_DN_ACK, {S(OFF), S(CONNECTING), S(DOWN), S(WAIT_UP), T(DOWN, ADVANCE), T(DOWN, ADVANCE),
				T(DOWN, ADVANCE), T(DOWN, ADVANCE), T(DOWN, ADVANCE), S(LEAVING)}},
	{ASP_EV_AC_ACK, {S(OFF), S(CONNECTING), S(DOWN), S(WAIT_UP), S(INACTIVE), T(ACTIVE, ADVANCE),
				S(ACTIVE), S(WAIT_INACTIVE), S(WAIT_DOWN), S(LEAVING)}},
	{ASP_EV_IA_ACK, {S(OFF), S(CONNECTING), S(DOWN), S(WAIT_UP), S(INACTIVE), S(WAIT_ACTIVE),
				T(INACTIVE, ADVANCE), T(INACTIVE, ADVANCE), S(WAIT_DOWN), S(LEAVING)}},
	{ASP_EV_ALTERNATE, {S(OFF), S(CONNECTING), S(DOWN), S(WAIT_UP), S(INACTIVE), S(WAIT_ACTIVE),
				   T(INACTIVE, YIELD), S(WAIT_INACTIVE), S(WAIT_DOWN), S(LEAVING)}},
	{ASP_EV_REFUSED, {S(OFF), S(CONNECTING), S(DOWN), T(DOWN, BACKOFF), S(INACTIVE), T(INACTIVE, BACKOFF),
				 S(ACTIVE), S(WAIT_INACTIVE), S(WAIT_DOWN), S(LEAVING)}},
	{ASP_EV_T_ACK, {S(OFF), S(CONNECTING), S(DOWN), T(WAIT_UP, ASPUP), S(INACTIVE), T(WAIT_ACTIVE, ASPAC),
			       S(ACTIVE), T(WAIT_INACTIVE, ASPIA), T(WAIT_DOWN, ASPDN), S(LEAVING)}},
	{ASP_EV_RETRY, {T(OFF, ADVANCE), S(CONNECTING), T(DOWN, ADVANCE), S(WAIT_UP), T(INACTIVE, ADVANCE),
			       S(WAIT_ACTIVE), S(ACTIVE), S(WAIT_INACTIVE), S(WAIT_DOWN), S(LEAVING)}},
};

static void every_cell_is_as_the_standard_wants_it(void **state)
{
	(void)state;
	for (unsigned e = 0; e < ASP_EVENTS; e++) {
		assert_int_equal(rows[e].event, e);
		for (int s = ASP_OFF; s < ASP_STATES; s++) {
			struct asp_cell got = asp_transition((enum asp_state)s, rows[e].event);
			struct asp_cell want = rows[e].cell[s - ASP_OFF];

			if (got.next != want.next || got.action != want.action)
				fail_msg("%s in %s", asp_event_name(rows[e].event),
					asp_state_name((enum asp_state)s));
		}
	}
}

static void steps_begin_only_where_nothing_is_awaited(void **state)
{
	static const enum asp_state waiting[] = {
		ASP_WAIT_UP, ASP_WAIT_ACTIVE, ASP_WAIT_INACTIVE, ASP_WAIT_DOWN, ASP_LEAVING};

	(void)state;
	for (unsigned i = 0; i < 5; i++)
		for (int g = 0; g < ASP_GOALS; g++) {
			assert_int_equal(asp_step(waiting[i], (enum asp_goal)g).next, waiting[i]);
			assert_int_equal(asp_step(waiting[i], (enum asp_goal)g).action, ASP_DO_NOTHING);
		}
}

/* The event with which a willing peer answers an action. */
static enum asp_event answer(unsigned action)
{
	static const enum asp_event answers[ASP_ACTIONS] = {
		[ASP_DO_CONNECT] = ASP_EV_TP_UP,
		[ASP_DO_ASPUP] = ASP_EV_UP_ACK,
		[ASP_DO_ASPAC] = ASP_EV_AC_ACK,
		[ASP_DO_ASPIA] = ASP_EV_IA_ACK,
		[ASP_DO_ASPDN] = ASP_EV_DN_ACK,
		[ASP_DO_SHUTDOWN] = ASP_EV_TP_DOWN,
		[ASP_DO_ABORT] = ASP_EV_TP_DOWN,
		[ASP_DO_BACKOFF] = ASP_EV_RETRY,
	};

	return answers[action];
}

static void every_goal_is_reached_from_everywhere(void **state)
{
	static const enum asp_state goal_state[ASP_GOALS] = {ASP_OFF, ASP_DOWN, ASP_INACTIVE, ASP_ACTIVE};
	static const enum asp_state from[] = {ASP_OFF, ASP_CONNECTING, ASP_DOWN, ASP_INACTIVE, ASP_ACTIVE};

	(void)state;
	for (unsigned f = 0; f < 5; f++)
		for (int g = 0; g < ASP_GOALS; g++) {
			enum asp_state s = from[f];
			enum asp_event ev = ASP_EV_GOAL;

			for (unsigned n = 0; n < 10 && (s != goal_state[g] || !n); n++) {
				struct asp_cell c = asp_transition(s, ev);

				if (c.action == ASP_DO_ADVANCE)
					c = asp_step(c.next, (enum asp_goal)g);
				if (s == ASP_CONNECTING && c.action == ASP_DO_NOTHING)
					c.action = ASP_DO_CONNECT; /* it is still being answered */
				s = c.next;
				ev = answer(c.action);
			}
			if (s != goal_state[g])
				fail_msg("goal %d from %s ends in %s", g, asp_state_name(from[f]),
					asp_state_name(s));
		}
}

static void everything_has_a_name(void **state)
{
	(void)state;
	for (int s = ASP_OFF; s < ASP_STATES; s++)
		assert_string_not_equal(asp_state_name((enum asp_state)s), "?");
	for (int e = 0; e < ASP_EVENTS; e++)
		assert_string_not_equal(asp_event_name((enum asp_event)e), "?");
	assert_string_equal(asp_state_name(ASP_NO_STATE), "?");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_cell_is_as_the_standard_wants_it),
		cmocka_unit_test(steps_begin_only_where_nothing_is_awaited),
		cmocka_unit_test(every_goal_is_reached_from_everywhere),
		cmocka_unit_test(everything_has_a_name),
	};

	return cmocka_run_group_tests_name("sim/asp_fsm", tests, NULL, NULL);
}
