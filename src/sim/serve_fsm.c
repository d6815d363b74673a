/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/serve_fsm.h"

#include <assert.h>

#define TO(state, action)                                                                                    \
	{                                                                                                    \
		ASP_##state, SERVE_##action                                                                  \
	}
/* A state in which nothing can be answered, or that the role does not have. */
#define DEAF(state)                                                                                          \
	{                                                                                                    \
		[SERVE_UP] = TO(state, IGNORE), [SERVE_DN] = TO(state, IGNORE),                              \
		[SERVE_AC] = TO(state, IGNORE), [SERVE_IA] = TO(state, IGNORE),                              \
	}

/* The gateway alone moves this state: an SGP's, and the other direction of double exchange.
 * ASPUP while ACTIVE: s.4.3.4.1; what is repeated is acknowledged again; ASPTM before ASPUP is unexpected
 * (s.4.3.4.3, s.4.3.4.4). */
static const struct serve_cell served[ASP_STATES][SERVE_EVENTS] = {
	[ASP_OFF] = DEAF(OFF),
	[ASP_CONNECTING] = DEAF(CONNECTING),
	[ASP_DOWN] = {[SERVE_UP] = TO(INACTIVE, ACK),
		[SERVE_DN] = TO(DOWN, ACK),
		[SERVE_AC] = TO(DOWN, ERR),
		[SERVE_IA] = TO(DOWN, ERR)},
	[ASP_WAIT_UP] = DEAF(WAIT_UP),
	[ASP_INACTIVE] = {[SERVE_UP] = TO(INACTIVE, ACK),
		[SERVE_DN] = TO(DOWN, ACK),
		[SERVE_AC] = TO(ACTIVE, ACK),
		[SERVE_IA] = TO(INACTIVE, ACK)},
	[ASP_WAIT_ACTIVE] = DEAF(WAIT_ACTIVE),
	[ASP_ACTIVE] = {[SERVE_UP] = TO(INACTIVE, ACK_ERR_GO),
		[SERVE_DN] = TO(DOWN, ACK),
		[SERVE_AC] = TO(ACTIVE, ACK),
		[SERVE_IA] = TO(INACTIVE, ACK)},
	[ASP_WAIT_INACTIVE] = DEAF(WAIT_INACTIVE),
	[ASP_WAIT_DOWN] = DEAF(WAIT_DOWN),
	[ASP_LEAVING] = DEAF(LEAVING),
};

/* Single exchange: one state that either side moves. A request that crosses ours is as good as the ACK of it
 * (s.4.3.4.1.2, s.4.3.4.3.1). Whoever has said ASPDN or ASPIA is not asked to return: no step follows, but
 * where it crosses our own, which it then answers. */
static const struct serve_cell common[ASP_STATES][SERVE_EVENTS] = {
	[ASP_OFF] = DEAF(OFF),
	[ASP_CONNECTING] = DEAF(CONNECTING),
	[ASP_DOWN] = {[SERVE_UP] = TO(INACTIVE, ACK_GO),
		[SERVE_DN] = TO(DOWN, ACK),
		[SERVE_AC] = TO(DOWN, ERR),
		[SERVE_IA] = TO(DOWN, ERR)},
	[ASP_WAIT_UP] = {[SERVE_UP] = TO(INACTIVE, ACK_GO),
		[SERVE_DN] = TO(DOWN, ACK),
		[SERVE_AC] = TO(WAIT_UP, ERR),
		[SERVE_IA] = TO(WAIT_UP, ERR)},
	[ASP_INACTIVE] = {[SERVE_UP] = TO(INACTIVE, ACK),
		[SERVE_DN] = TO(DOWN, ACK),
		[SERVE_AC] = TO(ACTIVE, ACK),
		[SERVE_IA] = TO(INACTIVE, ACK)},
	[ASP_WAIT_ACTIVE] = {[SERVE_UP] = TO(WAIT_ACTIVE, ACK),
		[SERVE_DN] = TO(DOWN, ACK),
		[SERVE_AC] = TO(ACTIVE, ACK),
		[SERVE_IA] = TO(INACTIVE, ACK)},
	[ASP_ACTIVE] = {[SERVE_UP] = TO(INACTIVE, ACK_ERR_GO),
		[SERVE_DN] = TO(DOWN, ACK),
		[SERVE_AC] = TO(ACTIVE, ACK),
		[SERVE_IA] = TO(INACTIVE, ACK)},
	[ASP_WAIT_INACTIVE] = {[SERVE_UP] = TO(INACTIVE, ACK_ERR_GO),
		[SERVE_DN] = TO(DOWN, ACK_GO),
		[SERVE_AC] = TO(WAIT_INACTIVE, ERR),
		[SERVE_IA] = TO(INACTIVE, ACK_GO)},
	[ASP_WAIT_DOWN] = {[SERVE_UP] = TO(WAIT_DOWN, ERR),
		[SERVE_DN] = TO(DOWN, ACK_GO),
		[SERVE_AC] = TO(WAIT_DOWN, ERR),
		[SERVE_IA] = TO(WAIT_DOWN, ACK)},
	[ASP_LEAVING] = DEAF(LEAVING),
};

#undef TO
#define TO(state, action)                                                                                    \
	{                                                                                                    \
		ASP_##state, ASP_DO_##action                                                                 \
	}
/* Waits for the gateway, or (a state that an SGP does not have) for ever. */
#define WAIT(state)                                                                                          \
	{                                                                                                    \
		[ASP_GOAL_OFF] = TO(state, NOTHING), [ASP_GOAL_DOWN] = TO(state, NOTHING),                   \
		[ASP_GOAL_INACTIVE] = TO(state, NOTHING), [ASP_GOAL_ACTIVE] = TO(state, NOTHING),            \
	}

static const struct asp_cell steps[ASP_STATES][ASP_GOALS] = {
	[ASP_OFF] = {[ASP_GOAL_OFF] = TO(OFF, NOTHING),
		[ASP_GOAL_DOWN] = TO(CONNECTING, CONNECT),
		[ASP_GOAL_INACTIVE] = TO(CONNECTING, CONNECT),
		[ASP_GOAL_ACTIVE] = TO(CONNECTING, CONNECT)},
	[ASP_CONNECTING] = {[ASP_GOAL_OFF] = TO(LEAVING, ABORT),
		[ASP_GOAL_DOWN] = TO(CONNECTING, NOTHING),
		[ASP_GOAL_INACTIVE] = TO(CONNECTING, NOTHING),
		[ASP_GOAL_ACTIVE] = TO(CONNECTING, NOTHING)},
	[ASP_DOWN] = {[ASP_GOAL_OFF] = TO(LEAVING, SHUTDOWN),
		[ASP_GOAL_DOWN] = TO(DOWN, NOTHING),
		[ASP_GOAL_INACTIVE] = TO(DOWN, NOTHING),
		[ASP_GOAL_ACTIVE] = TO(DOWN, NOTHING)},
	[ASP_WAIT_UP] = WAIT(WAIT_UP),
	[ASP_INACTIVE] = {[ASP_GOAL_OFF] = TO(DOWN, SAY_DOWN),
		[ASP_GOAL_DOWN] = TO(DOWN, SAY_DOWN),
		[ASP_GOAL_INACTIVE] = TO(INACTIVE, NOTHING),
		[ASP_GOAL_ACTIVE] = TO(INACTIVE, NOTHING)},
	[ASP_WAIT_ACTIVE] = WAIT(WAIT_ACTIVE),
	[ASP_ACTIVE] = {[ASP_GOAL_OFF] = TO(DOWN, SAY_DOWN),
		[ASP_GOAL_DOWN] = TO(DOWN, SAY_DOWN),
		[ASP_GOAL_INACTIVE] = TO(INACTIVE, SAY_INACTIVE),
		[ASP_GOAL_ACTIVE] = TO(ACTIVE, NOTHING)},
	[ASP_WAIT_INACTIVE] = WAIT(WAIT_INACTIVE),
	[ASP_WAIT_DOWN] = WAIT(WAIT_DOWN),
	[ASP_LEAVING] = WAIT(LEAVING),
};

struct serve_cell serve_transition(enum asp_role role, enum asp_state state, enum serve_event event)
{
	assert(role != ASP_ROLE_ASP && state > ASP_NO_STATE && state < ASP_STATES && event < SERVE_EVENTS);
	return role == ASP_ROLE_IPSP_SE ? common[state][event] : served[state][event];
}

struct asp_cell serve_step(enum asp_state state, enum asp_goal goal)
{
	assert(state > ASP_NO_STATE && state < ASP_STATES && goal < ASP_GOALS);
	return steps[state][goal];
}

const char *serve_event_name(enum serve_event e)
{
	static const char *const names[SERVE_EVENTS] = {
		[SERVE_UP] = "ASPUP", [SERVE_DN] = "ASPDN", [SERVE_AC] = "ASPAC", [SERVE_IA] = "ASPIA"};

	return e < SERVE_EVENTS ? names[e] : "?";
}
