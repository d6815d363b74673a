/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Forced and controlled rerouting and time-controlled diversion of a destination's traffic (Q.704 s.7,
 * 8, 6.4; TFRC, TCRC): when the routing layer's new choice takes effect. */
#pragma once

#include "mtp3/mtp3_int.h"

enum rr_state { RR_IDLE, RR_HELD, RR_STATES };
enum rr_event { RRE_FORCED, RRE_CONTROLLED, RRE_TIMED, RRE_EXPIRED, RRE_EVENTS };
enum rr_action { RRX_NONE, RRX_HOLD_T6, RRX_HOLD_T3, RRX_SWITCH };

struct rr_cell {
	uint8_t next, action;
};

extern const struct rr_cell rr_fsm[RR_STATES][RRE_EVENTS];

void reroute_forget_all(struct mtp3_net *n);
