/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Changeover of one link (Q.704 s.5, TCOC): what was not received over it goes out over others, in order. */
#pragma once

#include "mtp3/mtp3_int.h"

enum co_event {
	CE_FAILED,          /* the link failed, the neighbour can be reached otherwise */
	CE_ISOLATED,        /* the link failed, and it cannot (s.5.6.2 i) */
	CE_OUTAGE,          /* processor outage (s.5.6.2 ii) */
	CE_INHIBITED,       /* s.5.6.2 iii */
	CE_ORDER,           /* XCO came */
	CE_ORDER_EMERGENCY, /* ECO, or COO: its 7 bits say nothing about 24 */
	CE_ACK,             /* XCA came */
	CE_ACK_EMERGENCY,   /* ECA or COA */
	CE_T1,
	CE_T2,
	CE_RETRIEVED, /* level 2 has given back what was to be retrieved */
	CE_AVAILABLE, /* the link is available again */
	CE_EVENTS
};

enum co_action {
	CX_NONE,
	CX_ORDER,           /* send XCO (ECO if the last FSN is not known), T2 */
	CX_WAIT,            /* T1 */
	CX_RETRIEVE,        /* after the FSN that the message said */
	CX_RETRIEVE_UNSENT, /* only what was never sent */
	CX_ACK_RETRIEVE,    /* answer, and the same */
	CX_ACK_RETRIEVE_UNSENT,
	CX_ACK,
	CX_ACK_EMERGENCY, /* s.5.7.5 */
	CX_COMPLETE,      /* divert */
	CX_RELEASE,       /* the traffic stays where it was */
};

struct co_cell {
	uint8_t next, action;
};

extern const struct co_cell co_fsm[CO_STATES][CE_EVENTS];

void changeover_transition(struct mtp3_link *l, enum co_event e, const char *reason);

/* COO, COA, XCO, XCA, ECO or ECA about link L came. */
void changeover_message(struct mtp3_link *l, const struct snm *m);

/* One that came on L itself: it was retrieved from another link when that failed, and is about a life of L
 * that is over. */
void changeover_stale(struct mtp3_link *l, const struct snm *m);

/* A link of LS was uninhibited, or was not: what waited for that is completed. */
void changeover_go_on(struct mtp3_linkset *ls);

/* Does its traffic wait? */
static inline bool changeover_busy(const struct mtp3_link *l)
{
	return l->co != CO_IDLE && l->co != CO_DONE;
}
