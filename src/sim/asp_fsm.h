/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state machine of an ASP seen from the ASP (RFC 4666 s.4.3.4): a total constant table, and a second one
 * that says what the next step towards a goal is. Pure: asp.c acts. */
#pragma once

/* What we play towards the gateway. */
enum asp_role { ASP_ROLE_ASP, ASP_ROLE_SGP, ASP_ROLE_IPSP_SE, ASP_ROLE_IPSP_DE, ASP_ROLES };

enum asp_state {
	ASP_NO_STATE,   /* never: catches a cell that was forgotten */
	ASP_OFF,        /* no association */
	ASP_CONNECTING, /* association being set up */
	ASP_DOWN,       /* associated, ASP-DOWN */
	ASP_WAIT_UP,    /* ASPUP sent */
	ASP_INACTIVE,
	ASP_WAIT_ACTIVE, /* ASPAC sent */
	ASP_ACTIVE,
	ASP_WAIT_INACTIVE, /* ASPIA sent: no DATA from us any more, but it may still come */
	ASP_WAIT_DOWN,     /* ASPDN sent */
	ASP_LEAVING,       /* association being taken down */
	ASP_STATES
};

/* How far the operator wants it. */
enum asp_goal { ASP_GOAL_OFF, ASP_GOAL_DOWN, ASP_GOAL_INACTIVE, ASP_GOAL_ACTIVE, ASP_GOALS };

enum asp_event {
	ASP_EV_GOAL, /* the goal has changed */
	ASP_EV_SHUTDOWN,
	ASP_EV_ABORT,
	ASP_EV_TP_UP,
	ASP_EV_TP_DOWN,
	ASP_EV_TP_RESTART,
	ASP_EV_UP_ACK,
	ASP_EV_DN_ACK,
	ASP_EV_AC_ACK,
	ASP_EV_IA_ACK,
	ASP_EV_ALTERNATE, /* NTFY Alternate ASP Active: another took over */
	ASP_EV_REFUSED,   /* ERR */
	ASP_EV_T_ACK,     /* T(ack) expired */
	ASP_EV_RETRY,     /* back-off over */
	ASP_EVENTS
};

enum asp_action {
	ASP_DO_NOTHING,
	ASP_DO_ADVANCE, /* take the step of asp_step() */
	ASP_DO_CONNECT,
	ASP_DO_ASPUP, /* send it, start T(ack); also the next three */
	ASP_DO_ASPAC,
	ASP_DO_ASPIA,
	ASP_DO_ASPDN,
	ASP_DO_SHUTDOWN,
	ASP_DO_ABORT,
	ASP_DO_BACKOFF,      /* ASP_EV_RETRY after a while, unless the goal is OFF */
	ASP_DO_PROTEST,      /* ERR Unexpected Message, then advance */
	ASP_DO_YIELD,        /* the goal becomes INACTIVE */
	ASP_DO_SAY_INACTIVE, /* SGP: the ACK that nobody asked for, then advance; also the next one */
	ASP_DO_SAY_DOWN,
	ASP_ACTIONS
};

struct asp_cell {
	unsigned char next;   /* enum asp_state */
	unsigned char action; /* enum asp_action */
};

struct asp_cell asp_transition(enum asp_state state, enum asp_event event);
struct asp_cell asp_step(enum asp_state state, enum asp_goal goal);

const char *asp_state_name(enum asp_state s);
const char *asp_event_name(enum asp_event e);
