/* SPDX-License-Identifier: GPL-2.0-or-later */
/* MTP restart of this signalling point in one network (Q.704 s.9.2, TPRC). */
#pragma once

#include "mtp3/mtp3_int.h"

enum restart_event {
	RE_FIRST_LINK, /* the first link of all is in service at level 2 */
	RE_ENOUGH,     /* every neighbour that is expected has sent TRA */
	RE_T18,
	RE_SENT, /* the broadcast of phase 2 is out, or there is none to send */
	RE_T20,
	RE_ISOLATED, /* no link at all for T1 (s.9.4.1) */
	RE_EVENTS
};

enum restart_action { RX_NONE, RX_BEGIN, RX_BROADCAST, RX_FINISH, RX_ABORT };

struct restart_cell {
	uint8_t next, action;
};

extern const struct restart_cell restart_fsm[RESTART_STATES][RE_EVENTS];

void restart_transition(struct mtp3_net *n, enum restart_event e, const char *reason);

static inline bool restart_done(const struct mtp3_net *n)
{
	return n->restart == RESTART_DONE;
}

/* Level 2 of a link of LS is in service: own restart, or the neighbour's, may begin. */
void restart_link_in_service(struct mtp3_linkset *ls);
/* Have all sent TRA that are expected to? */
void restart_check_enough(struct mtp3_net *n);
/* A linkset was lost or came back: is any left? */
void restart_check_isolated(struct mtp3_net *n);
