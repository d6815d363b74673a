/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Signalling traffic flow control (Q.704 s.11.2.3 to 11.2.5, 13.6 to 13.9; TSFC, RTCC, TRCC, RCAT): TFC as
 * sent, TFC as received, and the route set congestion test by which a level goes down again. */
#pragma once

#include "mtp3/memo.h"

enum cg_event {
	GE_HIGHER, /* TFC with a level above the present one */
	GE_SAME,   /* TFC with any other */
	GE_T15,
	GE_T16,      /* T16, and a level stays when this one is taken off */
	GE_T16_LAST, /* T16, and none stays */
	GE_LOST,     /* the destination is no longer accessible */
	GE_EVENTS
};

enum cg_action { GX_NONE, GX_SET, GX_TEST, GX_LESS, GX_CLEAR };

struct cg_cell {
	uint8_t next, action;
};

extern const struct cg_cell cg_fsm[CG_STATES][GE_EVENTS];

void congestion_transition(struct memo *d, enum cg_event e, uint8_t level);
