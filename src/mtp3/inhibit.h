/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Management inhibiting of a link (Q.704 s.10): asked for here or by the neighbour, undone by management or
 * by routing that needs the link, tested periodically. */
#pragma once

#include "mtp3/mtp3_int.h"

enum inh_event {
	IE_INHIBIT,   /* management asks, and it is permitted */
	IE_UNINHIBIT, /* management, routing or the neighbour (LFU, LRT) asks */
	IE_FORCE,     /* routing asks, and the neighbour has inhibited; or LLT found a difference */
	IE_LIA,
	IE_LID,
	IE_LUA,
	IE_LUN,   /* what a forced uninhibit waits for */
	IE_TIMER, /* T14, T12, T13 */
	IE_EVENTS
};

enum inh_action { IX_NONE, IX_LIN, IX_LUN, IX_LFU, IX_MARK, IX_DENIED, IX_UNMARK, IX_FORCED, IX_GIVE_UP };

struct inh_cell {
	uint8_t next, action;
};

extern const struct inh_cell inh_fsm[INH_STATES][IE_EVENTS];

void inhibit_transition(struct mtp3_link *l, enum inh_event e);

/* A message of group MIM about link L came. */
void inhibit_message(struct mtp3_link *l, const struct snm *m);
/* Is a working, inhibited link of LS being uninhibited? */
bool inhibit_may_help(const struct mtp3_linkset *ls);
/* LS has lost its last link, or an inhibited one of it works again: if nothing else leads to the neighbour,
 * traffic needs it (s.10.3; while traffic is still held, so that none is lost). */
void inhibit_undo_if_needed(struct mtp3_linkset *ls);
