/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A signalling link: activation, restoration, deactivation (Q.704 s.12.2, LSAC), and when it is available to
 * traffic (s.3.2). */
#pragma once

#include "mtp3/mtp3_int.h"

enum link_event {
	LE_ACTIVATE,
	LE_DEACTIVATE,
	LE_IN_SERVICE, /* level 2 */
	LE_OUT,        /* level 2 */
	LE_TEST_GOOD,
	LE_TEST_BAD,
	LE_RETRY,   /* T17, or the changeover that kept the buffers busy is over */
	LE_ORDERED, /* the neighbour's changeover order: it has given the link up */
	LE_EVENTS
};

enum link_action {
	LX_NONE,
	LX_START,
	LX_STOP,       /* was not carrying traffic */
	LX_TEST,       /* begin the link test */
	LX_UP,         /* active now */
	LX_LATER,      /* try again after T17 */
	LX_STOP_LATER, /* stop level 2, try again after T17 */
	LX_FAILED,     /* was active: changeover, then restoration */
	LX_FAIL,       /* the same, and level 2 does not know yet */
	LX_GIVE_UP,    /* is to fail: level 2 stops, and LE_OUT follows */
	LX_END,        /* was active: stop, changeover, no restoration */
};

struct link_cell {
	uint8_t next, action;
};

extern const struct link_cell link_fsm[LINK_STATES][LE_EVENTS];

/* The one place where a link's state changes. */
void link_transition(struct mtp3_link *l, enum link_event e, const char *reason);

/* Something that availability depends on has changed. */
void link_refresh(struct mtp3_link *l, const char *reason);
/* Is changeover of a link that has failed over? Then it may be started again. */
void link_changeover_over(struct mtp3_link *l);
