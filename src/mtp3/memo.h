/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What has to be remembered about single destinations: T8, T11, rerouting, congestion. Made when needed.
 * Which destinations there are, and how they are routed, the routing layer knows. */
#pragma once

#include "mtp3/mtp3_int.h"

enum rr_state { RR_IDLE, RR_HELD, RR_WAITING, RR_STATES };
enum cg_state { CG_NONE, CG_WAITING, CG_TESTING, CG_STATES };

struct memo {
	struct pc_node node; /* by 0, or (congestion) the originating point that was told */
	struct mtp3_net *net;
	struct osmo_timer_list t8, t11;
	bool restricted_long; /* T11 has expired */

	/* reroute.c */
	enum rr_state rr;
	struct osmo_timer_list rr_timer; /* T6, T3, T2 */

	/* congestion.c */
	enum cg_state cg;
	uint8_t level;
	struct osmo_timer_list cg_timer; /* T15, T16 */
};

enum { MEMO_MAX = 65536 }; /* point codes remembered per network: what peers name must have a bound */

/* NULL if there is none (MAKE: no memory). */
struct memo *memo_find(struct mtp3_net *n, struct pc_key key, bool make);
/* Frees it if there is nothing to remember any more. */
void memo_release(struct memo *d);
void memo_forget_all(struct mtp3_net *n);
