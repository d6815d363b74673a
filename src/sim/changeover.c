/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/changeover.h"

/* clang-format off */
#define T(s, a) {CO_##s, CO_DO_##a}

struct l3_cell co_transition(enum co_state s, enum co_event e)
{
	static const struct l3_cell table[CO_STATES][CO_EVENTS] = {
		/*             FAILED                 ISOLATED             BLOCKED
		               ORDER                      ACK                   TIMER                       AVAILABLE */
		[CO_NONE] =    {T(ORDERED, ORDER),     T(DONE, DISCARD),    T(TIMED, WAIT),
		                T(DONE, ANSWER_DIVERT),   T(NONE, NOTHING),     T(NONE, NOTHING),           T(NONE, NOTHING)},
		[CO_ORDERED] = {T(ORDERED, NOTHING),   T(DONE, DISCARD),    T(ORDERED, NOTHING),
		                T(DONE, ANSWER_DIVERT),   T(DONE, DIVERT),      T(DONE, DIVERT_UNSENT),     T(ORDERED, NOTHING)},
		[CO_TIMED] =   {T(ORDERED, ORDER),     T(DONE, DISCARD),    T(TIMED, NOTHING),
		                T(DONE, ANSWER_DIVERT),   T(TIMED, NOTHING),    T(DONE, DIVERT_UNSENT),     T(NONE, RELEASE)},
		[CO_DONE] =    {T(DONE, NOTHING),      T(DONE, DISCARD),    T(DONE, NOTHING),
		                T(DONE, ANSWER),          T(DONE, NOTHING),     T(DONE, NOTHING),           T(NONE, RELEASE)},
	};

	return table[s][e];
}

#undef T
#define T(s, a) {RESTART_##s, RESTART_DO_##a}

struct l3_cell restart_transition(enum restart_state s, enum restart_event e)
{
	static const struct l3_cell table[RESTART_STATES][RESTART_EVENTS] = {
		/*                     LINK                   ALONE                 TRA                    TIMER */
		[RESTART_ISOLATED] = {T(WAITING, BEGIN),     T(ISOLATED, NOTHING), T(ISOLATED, NOTHING),  T(ISOLATED, NOTHING)},
		[RESTART_WAITING] =  {T(WAITING, NOTHING),   T(ISOLATED, STOP),    T(DONE, OPEN),         T(DONE, OPEN)},
		[RESTART_DONE] =     {T(DONE, NOTHING),      T(ISOLATED, STOP),    T(DONE, ANSWER),       T(DONE, NOTHING)},
	};

	return table[s][e];
}
/* clang-format on */

const char *co_state_name(enum co_state s)
{
	static const char *const names[CO_STATES] = {"none", "ordered", "timed", "done"};

	return names[s];
}

const char *restart_state_name(enum restart_state s)
{
	static const char *const names[RESTART_STATES] = {"isolated", "restarting", "open"};

	return names[s];
}
