/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a neighbour says about its route to a destination (TFP, TFR, TFA as received), and the route set test
 * that asks again until it is allowed (Q.704 s.13.5, RSRT). One object per route that is not allowed. */
#pragma once

#include "mtp3/mtp3_int.h"

enum rt_event { TE_TFP, TE_TFR, TE_TFA, TE_T10, TE_GONE, TE_EVENTS };

enum rt_action { TX_NONE, TX_CHANGE, TX_ALLOW, TX_TEST, TX_STOP };

struct rt_cell {
	uint8_t next, action; /* enum mtp3_status, enum rt_action */
};

extern const struct rt_cell rt_fsm[MTP3_STATUSES][TE_EVENTS];

struct route_mark {
	struct pc_node node;
	struct mtp3_linkset *ls;
	enum mtp3_status status;
	struct osmo_timer_list t10;
};

/* TFP, TFR, TFA or the cluster's came from the neighbour of LS. */
void route_test_message(struct mtp3_linkset *ls, const struct snm *m);
/* All its routes are allowed (s.9.6.2). */
void route_test_forget(struct mtp3_linkset *ls);
/* The linkset is taken from the configuration: nothing is reported any more. */
void route_test_drop(struct mtp3_linkset *ls);
