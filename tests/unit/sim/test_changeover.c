/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/changeover.h"

#define C(s, a)                                                                                              \
	{                                                                                                    \
		CO_##s, CO_DO_##a                                                                            \
	}
#define R(s, a)                                                                                              \
	{                                                                                                    \
		RESTART_##s, RESTART_DO_##a                                                                  \
	}

/* By event; NONE, ORDERED, TIMED, DONE. */
static const struct l3_cell co[CO_EVENTS][CO_STATES] = {
	[CO_EV_FAILED] = {C(ORDERED, ORDER), C(ORDERED, NOTHING), C(ORDERED, ORDER), C(DONE, NOTHING)},
	[CO_EV_ISOLATED] = {C(DONE, DISCARD), C(DONE, DISCARD), C(DONE, DISCARD), C(DONE, DISCARD)},
	[CO_EV_BLOCKED] = {C(TIMED, WAIT), C(ORDERED, NOTHING), C(TIMED, NOTHING), C(DONE, NOTHING)},
	[CO_EV_ORDER] = {C(DONE, ANSWER_DIVERT), C(DONE, ANSWER_DIVERT), C(DONE, ANSWER_DIVERT),
		C(DONE, ANSWER)},
	[CO_EV_ACK] = {C(NONE, NOTHING), C(DONE, DIVERT), C(TIMED, NOTHING), C(DONE, NOTHING)},
	[CO_EV_TIMER] = {C(NONE, NOTHING), C(DONE, DIVERT_UNSENT), C(DONE, DIVERT_UNSENT), C(DONE, NOTHING)},
	[CO_EV_AVAILABLE] = {C(NONE, NOTHING), C(ORDERED, NOTHING), C(NONE, RELEASE), C(NONE, RELEASE)},
};

/* By event; ISOLATED, WAITING, DONE. */
static const struct l3_cell restart[RESTART_EVENTS][RESTART_STATES] = {
	[RESTART_EV_LINK] = {R(WAITING, BEGIN), R(WAITING, NOTHING), R(DONE, NOTHING)},
	[RESTART_EV_ALONE] = {R(ISOLATED, NOTHING), R(ISOLATED, STOP), R(ISOLATED, STOP)},
	[RESTART_EV_TRA] = {R(ISOLATED, NOTHING), R(DONE, OPEN), R(DONE, ANSWER)},
	[RESTART_EV_TIMER] = {R(ISOLATED, NOTHING), R(DONE, OPEN), R(DONE, NOTHING)},
};

static void every_cell_of_changeover(void **state)
{
	(void)state;
	for (int e = 0; e < CO_EVENTS; e++)
		for (int s = 0; s < CO_STATES; s++) {
			struct l3_cell got = co_transition((enum co_state)s, (enum co_event)e);

			if (got.next != co[e][s].next || got.action != co[e][s].action)
				fail_msg("event %d in %s", e, co_state_name((enum co_state)s));
		}
}

static void every_cell_of_restart(void **state)
{
	(void)state;
	for (int e = 0; e < RESTART_EVENTS; e++)
		for (int s = 0; s < RESTART_STATES; s++) {
			struct l3_cell got = restart_transition((enum restart_state)s, (enum restart_event)e);

			if (got.next != restart[e][s].next || got.action != restart[e][s].action)
				fail_msg("event %d in %s", e, restart_state_name((enum restart_state)s));
		}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_cell_of_changeover),
		cmocka_unit_test(every_cell_of_restart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
