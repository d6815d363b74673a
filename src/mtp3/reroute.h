/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Forced and controlled rerouting and time-controlled diversion of a destination's traffic (Q.704 s.7,
 * 8, 6.4; TFRC, TCRC): when the routing layer's new choice takes effect. */
#pragma once

#include "mtp3/memo.h"

enum rr_event {
	RRE_FORCED,
	RRE_CONTROLLED,
	RRE_TIMED,
	RRE_EXPIRED, /* the timer */
	RRE_CLEAR,   /* no changeover is on */
	RRE_EVENTS
};
enum rr_action { RRX_NONE, RRX_HOLD_T6, RRX_HOLD_T3, RRX_HOLD_T2, RRX_SWITCH };

struct rr_cell {
	uint8_t next, action;
};

extern const struct rr_cell rr_fsm[RR_STATES][RRE_EVENTS];

/* A changeover may have ended. */
void reroute_changeover_over(struct mtp3_net *n);
