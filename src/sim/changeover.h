/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A node's tables: the changeover of one link (Q.704 s.5) and the node's restart (s.9). Pure; node.c acts. */
#pragma once

enum co_state {
	CO_NONE,
	CO_ORDERED, /* order sent; T2 */
	CO_TIMED,   /* T1: the link works, but level 3 at its other end may not */
	CO_DONE,    /* its traffic has gone elsewhere, or is lost */
	CO_STATES
};

enum co_event {
	CO_EV_FAILED,
	CO_EV_ISOLATED, /* failed, and there is no other link */
	CO_EV_BLOCKED,  /* processor outage or inhibition (s.5.6.2) */
	CO_EV_ORDER,    /* XCO, ECO or COO came */
	CO_EV_ACK,
	CO_EV_TIMER,
	CO_EV_AVAILABLE,
	CO_EVENTS
};

enum co_action {
	CO_DO_NOTHING,
	CO_DO_ORDER,
	CO_DO_WAIT,
	CO_DO_ANSWER,
	CO_DO_ANSWER_DIVERT, /* answer, take back what the order has not accepted, send it elsewhere */
	CO_DO_DIVERT,        /* the same for an acknowledgement */
	CO_DO_DIVERT_UNSENT, /* only what was never sent: nobody has said what was accepted */
	CO_DO_DISCARD,
	CO_DO_RELEASE, /* traffic that was to leave stays */
	CO_ACTIONS
};

enum restart_state {
	RESTART_ISOLATED, /* no link */
	RESTART_WAITING,  /* TRA sent, the neighbour's is awaited */
	RESTART_DONE,
	RESTART_STATES
};

enum restart_event {
	RESTART_EV_LINK,  /* the first link is available */
	RESTART_EV_ALONE, /* the last one is gone */
	RESTART_EV_TRA,
	RESTART_EV_TIMER,
	RESTART_EVENTS
};

enum restart_action {
	RESTART_DO_NOTHING,
	RESTART_DO_BEGIN, /* tell what cannot be reached, TRA, wait */
	RESTART_DO_OPEN,
	RESTART_DO_STOP,
	RESTART_DO_ANSWER, /* the neighbour has restarted: TRA */
	RESTART_ACTIONS
};

struct l3_cell {
	unsigned char next, action;
};

struct l3_cell co_transition(enum co_state s, enum co_event e);
struct l3_cell restart_transition(enum restart_state s, enum restart_event e);

const char *co_state_name(enum co_state s);
const char *restart_state_name(enum restart_state s);
