/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What state an M2PA link is in (RFC 4165 s.4.1; LSC and IAC of Q.703 s.7, 12), and its processor outage
 * (POC): total constant tables. Pure: link.c acts. Written apart from the gateway's own, which they test. */
#pragma once

enum lsc_state {
	LSC_NO_STATE,   /* never: catches a cell that was forgotten */
	LSC_OFF,        /* no association */
	LSC_CONNECTING, /* being set up, or awaited */
	LSC_OUT,        /* associated, out of service */
	LSC_UNALIGNED,  /* Alignment sent; T2 */
	LSC_ALIGNED,    /* Proving sent once; T3 */
	LSC_PROVING,    /* T4 */
	LSC_PROVED,     /* T4, and the peer is ready already: its Ready comes only once */
	LSC_READY,      /* Ready sent; T1 */
	LSC_SERVICE,
	LSC_LEAVING, /* association being taken down */
	LSC_STATES
};

enum lsc_event {
	LSC_EV_START, /* it is wanted in service */
	LSC_EV_STOP,  /* it is wanted out of service */
	LSC_EV_SHUTDOWN,
	LSC_EV_ABORT,
	LSC_EV_TP_UP,
	LSC_EV_TP_DOWN,
	LSC_EV_TP_RESTART,
	LSC_EV_ALIGNMENT, /* Link Status received; also the next three */
	LSC_EV_PROVING,
	LSC_EV_PEER_READY,
	LSC_EV_PEER_OUT,
	LSC_EV_DATA,  /* User Data received */
	LSC_EV_TIMER, /* the state's: T1 to T4 */
	LSC_EV_FAIL,  /* T6, T7, sequence numbers, level 3 */
	LSC_EV_RETRY, /* time to try again */
	LSC_EVENTS
};

enum lsc_action {
	LSC_DO_NOTHING,
	LSC_DO_CONNECT,
	LSC_DO_OUT,    /* send Out of Service; try again after a while if it is wanted */
	LSC_DO_ALIGN,  /* reset numbers, send Alignment, T2 */
	LSC_DO_PROVE,  /* send Proving once, T3 */
	LSC_DO_PERIOD, /* send Proving again and again, T4 */
	LSC_DO_READY,  /* send Ready, T1 */
	LSC_DO_SERVE,
	LSC_DO_READY_SERVE, /* both */
	LSC_DO_SHUTDOWN,
	LSC_DO_ABORT,
	LSC_DO_BACKOFF, /* LSC_EV_RETRY after a while if it is wanted */
	LSC_ACTIONS
};

enum poc_state {
	POC_NONE,
	POC_LOCAL,
	POC_REMOTE,
	POC_BOTH,
	POC_RECOVERING,        /* ours is over, Processor Recovered sent: Ready is awaited */
	POC_RECOVERING_REMOTE, /* the same, in the peer's outage */
	POC_SYNCING,           /* the peer's is over, Ready sent: its Ready is awaited */
	POC_STATES
};

enum poc_event {
	POC_EV_BEGIN,
	POC_EV_END,
	POC_EV_PEER_OUTAGE,
	POC_EV_PEER_RECOVERED,
	POC_EV_PEER_READY,
	POC_EVENTS
};

enum poc_action {
	POC_DO_NOTHING,
	POC_DO_OUTAGE,  /* send Processor Outage */
	POC_DO_RECOVER, /* deliver or flush what was held, send Processor Recovered */
	POC_DO_READY,   /* send Ready */
	POC_DO_ANSWER,  /* resynchronize by the BSN received, send Ready */
	POC_DO_RESUME,  /* resynchronize by the BSN received */
	POC_ACTIONS
};

struct lsc_cell {
	unsigned char next, action;
};

struct lsc_cell lsc_transition(enum lsc_state s, enum lsc_event e);
struct lsc_cell poc_transition(enum poc_state s, enum poc_event e);

const char *lsc_state_name(enum lsc_state s);
const char *lsc_event_name(enum lsc_event e);
const char *poc_state_name(enum poc_state s);
