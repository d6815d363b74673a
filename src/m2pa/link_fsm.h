/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The states of a link: Q.703's link state control (Figure 8), initial alignment control (Figure 9) and
 * processor outage control (Figure 10) in one total constant table, as RFC 4165 s.4.1 changes them: no error
 * rate monitors, no continuous status messages, Ready in the place of the FISU, a handshake after an outage.
 */
#pragma once

#include "m2pa/link.h"

enum m2pa_link_event {
	/* the association */
	LE_UP,
	LE_LOST,
	/* level 3 and management */
	LE_START,
	LE_STOP,
	LE_EMERGENCY,
	LE_OUTAGE,
	LE_OUTAGE_ENDS,
	LE_BUSY, /* or the data plane's receive congestion */
	LE_BUSY_ENDS,
	/* the peer's Link Status */
	LE_RX_ALIGNMENT,
	LE_RX_NORMAL,
	LE_RX_EMERGENCY,
	LE_RX_READY,
	LE_RX_OUTAGE,
	LE_RX_RECOVERED,
	LE_RX_BUSY,
	LE_RX_BUSY_ENDED,
	LE_RX_OOS,
	LE_RX_DATA, /* its first User Data */
	/* timers; the data plane's faults, T7 among them */
	LE_T1,
	LE_T2,
	LE_T3,
	LE_T4,        /* proved */
	LE_T4_OUTAGE, /* proved, but we have a processor outage */
	LE_T6,
	LE_FAULT,
	M2PA_LINK_EVENTS
};

enum m2pa_link_action {
	LX_NONE,
	LX_CONNECTED,    /* sends Out of Service */
	LX_LOST,         /* nothing can be sent */
	LX_REFUSE,       /* level 3 wants to start, there is no association */
	LX_ALIGN,        /* everything anew, Alignment, T2 */
	LX_ALIGNED,      /* Proving, T3 */
	LX_ALIGNED_E,    /* the same, the peer has an emergency */
	LX_PROVE,        /* T4, Proving at its interval */
	LX_PROVE_E,      /* the same, the peer has an emergency */
	LX_REALIGN,      /* the peer has begun anew: T3 */
	LX_HURRY,        /* our emergency: Proving Emergency, the short T4 */
	LX_SHORTEN,      /* the peer's: the short T4 */
	LX_REMEMBER,     /* it has proved before us: its status counts when we have, too */
	LX_PROVED,       /* Ready, T1 */
	LX_PROVED_OUT,   /* Processor Outage, T1 */
	LX_NOT_POSSIBLE, /* alignment has failed */
	LX_FAIL,         /* link failure */
	LX_STOPPED,      /* level 3 wants it */
	LX_SEND_OOS,     /* what the peer tries is not possible */
	LX_GO,           /* in service */
	LX_OUT,          /* our outage begins */
	LX_RECOVER,      /* and ends */
	LX_RECOVER_T1,   /* the same, the peer's Ready is awaited */
	LX_RECOVERED,    /* which has come */
	LX_PEER_OUT,     /* the peer's outage begins */
	LX_PEER_BACK,    /* and ends */
	LX_ANSWER,       /* Ready to one that we did not know of */
	LX_PEER_BUSY,    /* T6 */
	LX_PEER_IDLE,
	LX_BUSY, /* we are */
	LX_IDLE,
	M2PA_LINK_ACTIONS
};

struct m2pa_link_cell {
	uint8_t next, action; /* enum m2pa_link_state, enum m2pa_link_action */
};

extern const struct m2pa_link_cell m2pa_link_fsm[M2PA_LINK_EVENTS][M2PA_LINK_STATES];
const char *m2pa_link_event_name(enum m2pa_link_event e);

/* The one place where a link's state changes. REASON: constant text. */
void m2pa_link_event(struct m2pa_link *l, enum m2pa_link_event e, const char *reason);
