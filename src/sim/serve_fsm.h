/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The serving half: what the gateway's ASPUP, ASPDN, ASPAC and ASPIA do where we are its SGP, or an IPSP
 * beside it (RFC 4666 s.4.3.4). Total constant tables over the states of asp_fsm.h. Pure: serve.c acts.
 *
 * An SGP has nothing else. An IPSP has asp_fsm.h's machine besides: in single exchange both move one state,
 * in double exchange this one has a state of its own, for the other direction. */
#pragma once

#include "sim/asp_fsm.h"

enum serve_event {
	SERVE_UP, /* ASPUP */
	SERVE_DN,
	SERVE_AC,
	SERVE_IA,
	SERVE_EVENTS
};

enum serve_action {
	SERVE_IGNORE,     /* there is no association to answer on */
	SERVE_ACK,        /* acknowledge it */
	SERVE_ACK_GO,     /* and take the next step towards our goal */
	SERVE_ACK_ERR_GO, /* and say ERR Unexpected Message between the two (s.4.3.4.1) */
	SERVE_ERR,        /* ERR Unexpected Message only */
};

struct serve_cell {
	unsigned char next;   /* enum asp_state */
	unsigned char action; /* enum serve_action */
};

struct serve_cell serve_transition(enum asp_role role, enum asp_state state, enum serve_event event);

/* asp_step() for an SGP: it waits for what the gateway asks, but can take back what it has acknowledged. */
struct asp_cell serve_step(enum asp_state state, enum asp_goal goal);

const char *serve_event_name(enum serve_event e);
