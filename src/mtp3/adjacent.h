/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The neighbour at the end of a linkset: its restart as seen from here (Q.704 s.9.3), and TRA (s.9.5). Only
 * when it is up does the linkset carry traffic. */
#pragma once

#include "mtp3/mtp3_int.h"

enum adj_event {
	AE_LINK,      /* level 2 of its first link is in service, and it was inaccessible */
	AE_SHORT,     /* the same, but it is accessible otherwise: no restart (s.9.3.1) */
	AE_AVAILABLE, /* the linkset is available, and our own restart is done */
	AE_TRA,
	AE_TRW,      /* ANSI: it will take some time */
	AE_OWN_DONE, /* our own restart is done, and the linkset is available */
	AE_T21,
	AE_DOWN, /* no link for T1 */
	AE_EVENTS
};

enum adj_action {
	AX_NONE,
	AX_BEGIN,
	AX_TELL,    /* TFP and TFR as needed, then TRA */
	AX_TELL_UP, /* the same, and traffic may go */
	AX_UP,
	AX_WAIT,     /* T21 anew */
	AX_ANSWER,   /* unexpected TRA */
	AX_CATCH_UP, /* what it missed while its links were away */
	AX_END,
};

struct adj_cell {
	uint8_t next, action;
};

extern const struct adj_cell adj_fsm[ADJ_STATES][AE_EVENTS];

void adjacent_transition(struct mtp3_linkset *ls, enum adj_event e, const char *reason);

void adjacent_link_in_service(struct mtp3_linkset *ls);
void adjacent_available(struct mtp3_linkset *ls);
void adjacent_unavailable(struct mtp3_linkset *ls);
void adjacent_own_restart_done(struct mtp3_linkset *ls);
/* ANSI: an STP that restarts says so (TRW); its neighbours wait for its TRA. */
void adjacent_ask_for_patience(struct mtp3_linkset *ls);
/* TRA or TRW came from the neighbour. */
void adjacent_message(struct mtp3_linkset *ls, const struct snm *m);
