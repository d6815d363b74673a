/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/asp_fsm.h"

#include <assert.h>

#define TO(state, action)                                                                                    \
	{                                                                                                    \
		ASP_##state, ASP_DO_##action                                                                 \
	}
#define STAY(state)                                                                                          \
	{                                                                                                    \
		ASP_##state, ASP_DO_NOTHING                                                                  \
	}

/* Notes on the rows:
 * - An answer nobody waits for (a repetition of one that T(ack) had given up) changes nothing, except where
 *   the standard says so: ASPUP ACK (s.4.3.4.1: be INACTIVE, send Error, return to the previous state), ASPDN
 *   ACK (s.4.3.4.2) and ASPIA ACK (s.4.3.4.4): be down or inactive, and return. A late second ASPUP ACK while
 *   ASPAC is on its way is taken as that repetition.
 * - ERR ends the repetition of what it answers; we try again after a back-off. ASPIA and ASPDN go on: a
 *   gateway has no reason to refuse them, so the ERR is about something else.
 * - A restarted association (RFC 6458 s.6.1.1) has lost all of the peer's state: from the start again. */
static const struct asp_cell table[ASP_STATES][ASP_EVENTS] =
	{
		[ASP_OFF] =
			{
				[ASP_EV_GOAL] = TO(OFF, ADVANCE),
				[ASP_EV_SHUTDOWN] = STAY(OFF),
				[ASP_EV_ABORT] = STAY(OFF),
				[ASP_EV_TP_UP] = STAY(OFF),
				[ASP_EV_TP_DOWN] = STAY(OFF),
				[ASP_EV_TP_RESTART] = STAY(OFF),
				[ASP_EV_UP_ACK] = STAY(OFF),
				[ASP_EV_DN_ACK] = STAY(OFF),
				[ASP_EV_AC_ACK] = STAY(OFF),
				[ASP_EV_IA_ACK] = STAY(OFF),
				[ASP_EV_ALTERNATE] = STAY(OFF),
				[ASP_EV_REFUSED] = STAY(OFF),
				[ASP_EV_T_ACK] = STAY(OFF),
				[ASP_EV_RETRY] = TO(OFF, ADVANCE),
			},
		[ASP_CONNECTING] =
			{
				[ASP_EV_GOAL] = TO(CONNECTING, ADVANCE),
				[ASP_EV_SHUTDOWN] = TO(LEAVING, ABORT),
				[ASP_EV_ABORT] = TO(LEAVING, ABORT),
				[ASP_EV_TP_UP] = TO(DOWN, ADVANCE),
				[ASP_EV_TP_DOWN] = TO(OFF, BACKOFF),
				[ASP_EV_TP_RESTART] = STAY(CONNECTING),
				[ASP_EV_UP_ACK] = STAY(CONNECTING),
				[ASP_EV_DN_ACK] = STAY(CONNECTING),
				[ASP_EV_AC_ACK] = STAY(CONNECTING),
				[ASP_EV_IA_ACK] = STAY(CONNECTING),
				[ASP_EV_ALTERNATE] = STAY(CONNECTING),
				[ASP_EV_REFUSED] = STAY(CONNECTING),
				[ASP_EV_T_ACK] = STAY(CONNECTING),
				[ASP_EV_RETRY] = STAY(CONNECTING),
			},
		[ASP_DOWN] =
			{
				[ASP_EV_GOAL] = TO(DOWN, ADVANCE),
				[ASP_EV_SHUTDOWN] = TO(LEAVING, SHUTDOWN),
				[ASP_EV_ABORT] = TO(LEAVING, ABORT),
				[ASP_EV_TP_UP] = STAY(DOWN),
				[ASP_EV_TP_DOWN] = TO(OFF, BACKOFF),
				[ASP_EV_TP_RESTART] = TO(DOWN, ADVANCE),
				[ASP_EV_UP_ACK] = TO(INACTIVE, PROTEST),
				[ASP_EV_DN_ACK] = STAY(DOWN),
				[ASP_EV_AC_ACK] = STAY(DOWN),
				[ASP_EV_IA_ACK] = STAY(DOWN),
				[ASP_EV_ALTERNATE] = STAY(DOWN),
				[ASP_EV_REFUSED] = STAY(DOWN),
				[ASP_EV_T_ACK] = STAY(DOWN),
				[ASP_EV_RETRY] = TO(DOWN, ADVANCE),
			},
		[ASP_WAIT_UP] =
			{
				[ASP_EV_GOAL] = STAY(WAIT_UP),
				[ASP_EV_SHUTDOWN] = TO(LEAVING, SHUTDOWN),
				[ASP_EV_ABORT] = TO(LEAVING, ABORT),
				[ASP_EV_TP_UP] = STAY(WAIT_UP),
				[ASP_EV_TP_DOWN] = TO(OFF, BACKOFF),
				[ASP_EV_TP_RESTART] = TO(DOWN, ADVANCE),
				[ASP_EV_UP_ACK] = TO(INACTIVE, ADVANCE),
				[ASP_EV_DN_ACK] = STAY(WAIT_UP),
				[ASP_EV_AC_ACK] = STAY(WAIT_UP),
				[ASP_EV_IA_ACK] = STAY(WAIT_UP),
				[ASP_EV_ALTERNATE] = STAY(WAIT_UP),
				[ASP_EV_REFUSED] = TO(DOWN, BACKOFF),
				[ASP_EV_T_ACK] = TO(WAIT_UP, ASPUP),
				[ASP_EV_RETRY] = STAY(WAIT_UP),
			},
		[ASP_INACTIVE] =
			{
				[ASP_EV_GOAL] = TO(INACTIVE, ADVANCE),
				[ASP_EV_SHUTDOWN] = TO(LEAVING, SHUTDOWN),
				[ASP_EV_ABORT] = TO(LEAVING, ABORT),
				[ASP_EV_TP_UP] = STAY(INACTIVE),
				[ASP_EV_TP_DOWN] = TO(OFF, BACKOFF),
				[ASP_EV_TP_RESTART] = TO(DOWN, ADVANCE),
				[ASP_EV_UP_ACK] = STAY(INACTIVE),
				[ASP_EV_DN_ACK] = TO(DOWN, ADVANCE),
				[ASP_EV_AC_ACK] = STAY(INACTIVE),
				[ASP_EV_IA_ACK] = STAY(INACTIVE),
				[ASP_EV_ALTERNATE] = STAY(INACTIVE),
				[ASP_EV_REFUSED] = STAY(INACTIVE),
				[ASP_EV_T_ACK] = STAY(INACTIVE),
				[ASP_EV_RETRY] = TO(INACTIVE, ADVANCE),
			},
		[ASP_WAIT_ACTIVE] =
			{
				[ASP_EV_GOAL] = STAY(WAIT_ACTIVE),
				[ASP_EV_SHUTDOWN] = TO(LEAVING, SHUTDOWN),
				[ASP_EV_ABORT] = TO(LEAVING, ABORT),
				[ASP_EV_TP_UP] = STAY(WAIT_ACTIVE),
				[ASP_EV_TP_DOWN] = TO(OFF, BACKOFF),
				[ASP_EV_TP_RESTART] = TO(DOWN, ADVANCE),
				[ASP_EV_UP_ACK] = STAY(WAIT_ACTIVE),
				[ASP_EV_DN_ACK] = TO(DOWN, ADVANCE),
				[ASP_EV_AC_ACK] = TO(ACTIVE, ADVANCE),
				[ASP_EV_IA_ACK] = STAY(WAIT_ACTIVE),
				[ASP_EV_ALTERNATE] = STAY(WAIT_ACTIVE),
				[ASP_EV_REFUSED] = TO(INACTIVE, BACKOFF),
				[ASP_EV_T_ACK] = TO(WAIT_ACTIVE, ASPAC),
				[ASP_EV_RETRY] = STAY(WAIT_ACTIVE),
			},
		[ASP_ACTIVE] =
			{
				[ASP_EV_GOAL] = TO(ACTIVE, ADVANCE),
				[ASP_EV_SHUTDOWN] = TO(LEAVING, SHUTDOWN),
				[ASP_EV_ABORT] = TO(LEAVING, ABORT),
				[ASP_EV_TP_UP] = STAY(ACTIVE),
				[ASP_EV_TP_DOWN] = TO(OFF, BACKOFF),
				[ASP_EV_TP_RESTART] = TO(DOWN, ADVANCE),
				[ASP_EV_UP_ACK] = TO(INACTIVE, PROTEST),
				[ASP_EV_DN_ACK] = TO(DOWN, ADVANCE),
				[ASP_EV_AC_ACK] = STAY(ACTIVE),
				[ASP_EV_IA_ACK] = TO(INACTIVE, ADVANCE),
				[ASP_EV_ALTERNATE] = TO(INACTIVE, YIELD),
				[ASP_EV_REFUSED] = STAY(ACTIVE),
				[ASP_EV_T_ACK] = STAY(ACTIVE),
				[ASP_EV_RETRY] = STAY(ACTIVE),
			},
		[ASP_WAIT_INACTIVE] =
			{
				[ASP_EV_GOAL] = STAY(WAIT_INACTIVE),
				[ASP_EV_SHUTDOWN] = TO(LEAVING, SHUTDOWN),
				[ASP_EV_ABORT] = TO(LEAVING, ABORT),
				[ASP_EV_TP_UP] = STAY(WAIT_INACTIVE),
				[ASP_EV_TP_DOWN] = TO(OFF, BACKOFF),
				[ASP_EV_TP_RESTART] = TO(DOWN, ADVANCE),
				[ASP_EV_UP_ACK] = STAY(WAIT_INACTIVE),
				[ASP_EV_DN_ACK] = TO(DOWN, ADVANCE),
				[ASP_EV_AC_ACK] = STAY(WAIT_INACTIVE),
				[ASP_EV_IA_ACK] = TO(INACTIVE, ADVANCE),
				[ASP_EV_ALTERNATE] = STAY(WAIT_INACTIVE),
				[ASP_EV_REFUSED] = STAY(WAIT_INACTIVE),
				[ASP_EV_T_ACK] = TO(WAIT_INACTIVE, ASPIA),
				[ASP_EV_RETRY] = STAY(WAIT_INACTIVE),
			},
		[ASP_WAIT_DOWN] =
			{
				[ASP_EV_GOAL] = STAY(WAIT_DOWN),
				[ASP_EV_SHUTDOWN] = TO(LEAVING, SHUTDOWN),
				[ASP_EV_ABORT] = TO(LEAVING, ABORT),
				[ASP_EV_TP_UP] = STAY(WAIT_DOWN),
				[ASP_EV_TP_DOWN] = TO(OFF, BACKOFF),
				[ASP_EV_TP_RESTART] = TO(DOWN, ADVANCE),
				[ASP_EV_UP_ACK] = STAY(WAIT_DOWN),
				[ASP_EV_DN_ACK] = TO(DOWN, ADVANCE),
				[ASP_EV_AC_ACK] = STAY(WAIT_DOWN),
				[ASP_EV_IA_ACK] = STAY(WAIT_DOWN),
				[ASP_EV_ALTERNATE] = STAY(WAIT_DOWN),
				[ASP_EV_REFUSED] = STAY(WAIT_DOWN),
				[ASP_EV_T_ACK] = TO(WAIT_DOWN, ASPDN),
				[ASP_EV_RETRY] = STAY(WAIT_DOWN),
			},
		[ASP_LEAVING] =
			{
				[ASP_EV_GOAL] = STAY(LEAVING),
				[ASP_EV_SHUTDOWN] = STAY(LEAVING),
				[ASP_EV_ABORT] = TO(LEAVING, ABORT),
				[ASP_EV_TP_UP] = STAY(LEAVING),
				[ASP_EV_TP_DOWN] = TO(OFF, BACKOFF),
				[ASP_EV_TP_RESTART] = STAY(LEAVING),
				[ASP_EV_UP_ACK] = STAY(LEAVING),
				[ASP_EV_DN_ACK] = STAY(LEAVING),
				[ASP_EV_AC_ACK] = STAY(LEAVING),
				[ASP_EV_IA_ACK] = STAY(LEAVING),
				[ASP_EV_ALTERNATE] = STAY(LEAVING),
				[ASP_EV_REFUSED] = STAY(LEAVING),
				[ASP_EV_T_ACK] = STAY(LEAVING),
				[ASP_EV_RETRY] = STAY(LEAVING),
			},
};

/* Towards the goal: only from where nothing is being waited for. From ACTIVE an ordered leave (OFF) says
 * ASPIA first, so that the gateway moves the traffic; DOWN is the operator's wish to see ASPDN from ACTIVE.
 */
static const struct asp_cell steps[ASP_STATES][ASP_GOALS] = {
	[ASP_OFF] = {[ASP_GOAL_OFF] = STAY(OFF),
		[ASP_GOAL_DOWN] = TO(CONNECTING, CONNECT),
		[ASP_GOAL_INACTIVE] = TO(CONNECTING, CONNECT),
		[ASP_GOAL_ACTIVE] = TO(CONNECTING, CONNECT)},
	[ASP_CONNECTING] = {[ASP_GOAL_OFF] = TO(LEAVING, ABORT),
		[ASP_GOAL_DOWN] = STAY(CONNECTING),
		[ASP_GOAL_INACTIVE] = STAY(CONNECTING),
		[ASP_GOAL_ACTIVE] = STAY(CONNECTING)},
	[ASP_DOWN] = {[ASP_GOAL_OFF] = TO(LEAVING, SHUTDOWN),
		[ASP_GOAL_DOWN] = STAY(DOWN),
		[ASP_GOAL_INACTIVE] = TO(WAIT_UP, ASPUP),
		[ASP_GOAL_ACTIVE] = TO(WAIT_UP, ASPUP)},
	[ASP_WAIT_UP] = {[ASP_GOAL_OFF] = STAY(WAIT_UP),
		[ASP_GOAL_DOWN] = STAY(WAIT_UP),
		[ASP_GOAL_INACTIVE] = STAY(WAIT_UP),
		[ASP_GOAL_ACTIVE] = STAY(WAIT_UP)},
	[ASP_INACTIVE] = {[ASP_GOAL_OFF] = TO(WAIT_DOWN, ASPDN),
		[ASP_GOAL_DOWN] = TO(WAIT_DOWN, ASPDN),
		[ASP_GOAL_INACTIVE] = STAY(INACTIVE),
		[ASP_GOAL_ACTIVE] = TO(WAIT_ACTIVE, ASPAC)},
	[ASP_WAIT_ACTIVE] = {[ASP_GOAL_OFF] = STAY(WAIT_ACTIVE),
		[ASP_GOAL_DOWN] = STAY(WAIT_ACTIVE),
		[ASP_GOAL_INACTIVE] = STAY(WAIT_ACTIVE),
		[ASP_GOAL_ACTIVE] = STAY(WAIT_ACTIVE)},
	[ASP_ACTIVE] = {[ASP_GOAL_OFF] = TO(WAIT_INACTIVE, ASPIA),
		[ASP_GOAL_DOWN] = TO(WAIT_DOWN, ASPDN),
		[ASP_GOAL_INACTIVE] = TO(WAIT_INACTIVE, ASPIA),
		[ASP_GOAL_ACTIVE] = STAY(ACTIVE)},
	[ASP_WAIT_INACTIVE] = {[ASP_GOAL_OFF] = STAY(WAIT_INACTIVE),
		[ASP_GOAL_DOWN] = STAY(WAIT_INACTIVE),
		[ASP_GOAL_INACTIVE] = STAY(WAIT_INACTIVE),
		[ASP_GOAL_ACTIVE] = STAY(WAIT_INACTIVE)},
	[ASP_WAIT_DOWN] = {[ASP_GOAL_OFF] = STAY(WAIT_DOWN),
		[ASP_GOAL_DOWN] = STAY(WAIT_DOWN),
		[ASP_GOAL_INACTIVE] = STAY(WAIT_DOWN),
		[ASP_GOAL_ACTIVE] = STAY(WAIT_DOWN)},
	[ASP_LEAVING] = {[ASP_GOAL_OFF] = STAY(LEAVING),
		[ASP_GOAL_DOWN] = STAY(LEAVING),
		[ASP_GOAL_INACTIVE] = STAY(LEAVING),
		[ASP_GOAL_ACTIVE] = STAY(LEAVING)},
};

struct asp_cell asp_transition(enum asp_state state, enum asp_event event)
{
	assert(state > ASP_NO_STATE && state < ASP_STATES && event < ASP_EVENTS);
	return table[state][event];
}

struct asp_cell asp_step(enum asp_state state, enum asp_goal goal)
{
	assert(state > ASP_NO_STATE && state < ASP_STATES && goal < ASP_GOALS);
	return steps[state][goal];
}

const char *asp_state_name(enum asp_state s)
{
	static const char *const names[ASP_STATES] = {
		[ASP_OFF] = "off",
		[ASP_CONNECTING] = "connecting",
		[ASP_DOWN] = "down",
		[ASP_WAIT_UP] = "wait-up",
		[ASP_INACTIVE] = "inactive",
		[ASP_WAIT_ACTIVE] = "wait-active",
		[ASP_ACTIVE] = "active",
		[ASP_WAIT_INACTIVE] = "wait-inactive",
		[ASP_WAIT_DOWN] = "wait-down",
		[ASP_LEAVING] = "leaving",
	};

	return s < ASP_STATES && names[s] ? names[s] : "?";
}

const char *asp_event_name(enum asp_event e)
{
	static const char *const names[ASP_EVENTS] = {
		[ASP_EV_GOAL] = "goal changed",
		[ASP_EV_SHUTDOWN] = "shutdown wanted",
		[ASP_EV_ABORT] = "abort wanted",
		[ASP_EV_TP_UP] = "association up",
		[ASP_EV_TP_DOWN] = "association down",
		[ASP_EV_TP_RESTART] = "association restarted",
		[ASP_EV_UP_ACK] = "ASPUP ACK",
		[ASP_EV_DN_ACK] = "ASPDN ACK",
		[ASP_EV_AC_ACK] = "ASPAC ACK",
		[ASP_EV_IA_ACK] = "ASPIA ACK",
		[ASP_EV_ALTERNATE] = "alternate ASP active",
		[ASP_EV_REFUSED] = "refused",
		[ASP_EV_T_ACK] = "T(ack) expired",
		[ASP_EV_RETRY] = "retry",
	};

	return e < ASP_EVENTS ? names[e] : "?";
}
