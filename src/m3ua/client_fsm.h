/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state machines of the side that asks (RFC 4666 s.4.3.4 at the ASP, and at an IPSP): one per peer for
 * ASPUP and ASPDN, one per AS and peer for ASPAC and ASPIA; total constant tables. client.c performs their
 * actions.
 *
 *           START           UP_ACK                 GO              ACTIVE_ACK
 *   IDLE ---------> UP_SENT -------> UP      IDLE ----> ACTIVE_SENT ---------> ACTIVE
 *    ^                 | ERROR        |       ^              | ERROR             | STOP
 *    |  timer: START   v              | QUIET |  timer: GO   v                   v
 *    +<------------ REFUSED           v       +<----------- WAIT           INACTIVE_SENT --> IDLE
 *    +<--------------------------- DOWN_SENT               STANDBY: another ASP has taken over
 *
 * Where the gateway registers its routing keys (s.4.4), before ASPAC and before ASPDN:
 *
 *          REGISTER           REGISTERED                          DEREGISTER             DEREGISTERED
 *   IDLE -----------> REG_SENT ---------> ACTIVE_SENT       IDLE -----------> DEREG_SENT -----------> IDLE
 *                       ^ | ERROR
 *                       | v
 *                     REG_WAIT */
#pragma once

#include <stdint.h>

/* ---- with a peer ---- */

enum client_state { CL_IDLE, CL_UP_SENT, CL_REFUSED, CL_UP, CL_DOWN_SENT, CL_STATES };

enum client_event {
	CLE_START,     /* the association is there, and it is ours to begin */
	CLE_TIMER,     /* T(ack), or the wait before another attempt */
	CLE_GIVE_UP,   /* T(ack), for the last time */
	CLE_UP_ACK,    /* ASPUP ACK */
	CLE_DOWN_ACK,  /* ASPDN ACK */
	CLE_ERROR,     /* an ERR that answers what was sent */
	CLE_STOP,      /* the gateway takes its leave */
	CLE_QUIET,     /* ... and is active nowhere any more */
	CLE_LOST,      /* the association is gone, or begins anew */
	CLE_PEER_UP,   /* single exchange: the peer's ASPUP was accepted */
	CLE_PEER_DOWN, /* single exchange: the peer's ASPDN */
	CLE_EVENTS
};

enum client_action {
	CLA_NONE,
	CLA_ASPUP,     /* send it, T(ack) */
	CLA_ASPDN,     /* likewise */
	CLA_COME_UP,   /* inactive in every AS; activate */
	CLA_CORRECT,   /* the same after an Error "Unexpected Message": nothing was asked */
	CLA_PROTEST,   /* an unexpected ASPUP ACK: Error if it was active, and FALL_BACK */
	CLA_FALL_BACK, /* inactive where it was active, and back from there */
	CLA_RETURN,    /* down in every AS; up again soon */
	CLA_SLOW,      /* refused: another attempt after the slow timer */
	CLA_REST,      /* down by the peer's wish: likewise */
	CLA_ABORT,     /* the peer is silent: another association may do */
	CLA_LEAVE,     /* inactive in every AS, then QUIET */
	CLA_CLOSE,     /* end the association in order */
	CLA_RESET,     /* no timer any more */
};

struct client_cell {
	uint8_t next, action; /* enum client_state, enum client_action */
};
extern const struct client_cell client_fsm[CL_STATES][CLE_EVENTS];

const char *client_state_name(enum client_state s); /* "up-sent" */

/* ---- in an AS, with a peer ---- */

enum client_as_state {
	CA_IDLE,
	CA_ACTIVE_SENT,
	CA_WAIT,
	CA_STANDBY,
	CA_ACTIVE,
	CA_INACTIVE_SENT,
	CA_REG_SENT,
	CA_REG_WAIT,
	CA_DEREG_SENT,
	CA_STATES
};

enum client_as_event {
	CAE_GO,            /* up, and wanted active */
	CAE_LATER,         /* the same, but it is the peer's to begin */
	CAE_TIMER,         /* T(ack), or the wait before another attempt */
	CAE_GIVE_UP,       /* T(ack), for the last time */
	CAE_ACTIVE_ACK,    /* ASPAC ACK */
	CAE_INACTIVE_ACK,  /* ASPIA ACK */
	CAE_ERROR,         /* an ERR that answers what was sent */
	CAE_STOP,          /* management blocks the peer, or the gateway takes its leave */
	CAE_LOST,          /* down */
	CAE_FALL_BACK,     /* ASPUP ACK out of the blue: s.4.3.4.1 */
	CAE_OVERRIDDEN,    /* NTFY "Alternate ASP Active" */
	CAE_NEEDED,        /* NTFY: nobody serves the AS, or too few */
	CAE_PEER_ACTIVE,   /* single exchange: the peer's ASPAC was accepted */
	CAE_PEER_INACTIVE, /* single exchange: the peer's ASPIA */
	CAE_REGISTER,      /* up and wanted active, but its routing key is to be registered first */
	CAE_REGISTERED,    /* REG RSP: there is a Routing Context */
	CAE_UNSUPPORTED,   /* an ERR: the peer has no registration at all */
	CAE_DEREGISTER,    /* the gateway takes its leave, inactive already */
	CAE_DEREGISTERED,  /* DEREG RSP */
	CAE_EVENTS
};

enum client_as_action {
	CAA_NONE,
	CAA_ASPAC,    /* send it, T(ack) */
	CAA_ASPIA,    /* no DATA any more; send it, T(ack) */
	CAA_ACTIVATE, /* DATA may go */
	CAA_RETURN,   /* inactive; active again soon */
	CAA_SLOW,     /* refused: another attempt after the slow timer */
	CAA_DELAY,    /* an attempt after T(ack) */
	CAA_GIVE_UP,  /* the peer is silent about this one */
	CAA_STANDBY,  /* inactive until needed */
	CAA_DONE,     /* inactive, as wished */
	CAA_RESET,    /* no timer any more */
	CAA_REG,      /* REG REQ, T(ack) */
	CAA_DEREG,    /* DEREG REQ, T(ack) */
};

extern const struct client_cell client_as_fsm[CA_STATES][CAE_EVENTS];

const char *client_as_state_name(enum client_as_state s); /* "active-sent" */
