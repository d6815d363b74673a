/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state machine of an AS (RFC 4666 s.4.3.2, Figure 4), as a total constant table, and what its events are
 * made of: how many of its ASPs are up and active before and after a change. */
#pragma once

#include "m3ua/as.h"

enum as_event {
	ASE_NONE,      /* a change that says nothing about the AS */
	ASE_UP,        /* an ASP came up */
	ASE_FEW,       /* an ASP became active, fewer than n are */
	ASE_ENOUGH,    /* an ASP became active, and n or more are */
	ASE_LEFT,      /* an active one left, others stay */
	ASE_LAST,      /* the last active one left, some are inactive */
	ASE_LAST_DOWN, /* the last active one left, and all are down */
	ASE_ALL_DOWN,  /* the last inactive one went down */
	ASE_TR_UP,     /* T(r) expired, some are inactive */
	ASE_TR_DOWN,   /* T(r) expired, all are down */
	ASE_STOP,      /* the gateway takes its leave, some are up */
	ASE_EVENTS
};

enum as_action { ASX_NONE, ASX_START_TR, ASX_STOP_TR };

struct as_cell {
	uint8_t next, action; /* enum as_state, enum as_action */
};

extern const struct as_cell as_fsm[AS_STATES][ASE_EVENTS];

struct as_counts {
	unsigned up, active; /* ASPs not ASP-DOWN; ASPs ASP-ACTIVE */
};

void as_count(const struct as *as, struct as_counts *out);

/* Pure: what a change of the counts means, for an AS that needs N active ones. */
enum as_event as_event_of(const struct as_counts *was, const struct as_counts *now, unsigned n);

/* A member's state has changed; the counts before it did were WAS. FAILED: the ASP that was lost, or NULL. */
void as_members_changed(
	struct as *as, const struct as_counts *was, const struct asp *failed, const char *reason);

/* The one place where an AS's state changes. */
void as_transition(struct as *as, enum as_event e, const struct asp *failed, const char *reason);
