/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Changeback (Q.704 s.6, TCBC): traffic moves from a link that works to one that has become available, with
 * the sequence control procedure (s.6.3), or by time (s.6.4). One object per pair of links that is at work.
 */
#pragma once

#include "mtp3/mtp3_int.h"

enum cb_event {
	BE_DECLARE, /* sequence control */
	BE_WAIT,    /* by time */
	BE_ACK,     /* CBA with our code */
	BE_T3,
	BE_T4,
	BE_T5,
	BE_EVENTS
};

enum cb_action { BX_NONE, BX_DECLARE, BX_DECLARE_AGAIN, BX_WAIT, BX_MOVE, BX_MOVE_ALERT };

struct cb_cell {
	uint8_t next, action;
};

extern const struct cb_cell cb_fsm[CB_STATES][BE_EVENTS];

struct changeback {
	struct mtp3_linkset *ls;
	struct llist_head entry;
	enum cb_state state;
	uint8_t from, to; /* SLCs */
	uint8_t code;
	bool buckets[MTP3_BUCKETS];
	struct osmo_timer_list timer;
};

void changeback_transition(struct changeback *cb, enum cb_event e);

/* Bucket SLS shall move to link TO; changeback_begin() then starts what is new. */
void changeback_want(struct mtp3_linkset *ls, unsigned sls, uint32_t to);
void changeback_begin(struct mtp3_linkset *ls);
/* L is no longer available: what was to come to it stays; what was to leave it goes with its changeover. */
void changeback_abort(struct mtp3_link *l);
void changeback_drop_all(struct mtp3_linkset *ls);

/* CBD or CBA about link L came. */
void changeback_message(struct mtp3_link *l, const struct snm *m);
