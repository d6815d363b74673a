/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state machine of an ASP in one AS (RFC 4666 s.4.3.1, Figure 3), as a total constant table.
 *
 * A message is answered once, whatever the number of ASs it is about: its handler (aspsm.c, asptm.c) takes
 * the answer from the row of the ASP's overall state and moves the AS's members by the table. */
#pragma once

#include "m3ua/asp.h"

enum asp_event {
	ASPE_UP,         /* ASPUP */
	ASPE_DOWN,       /* ASPDN */
	ASPE_ACTIVE,     /* ASPAC */
	ASPE_INACTIVE,   /* ASPIA */
	ASPE_OVERRIDDEN, /* another ASP took over (override mode) */
	ASPE_LOST,       /* SCTP CDI, or the M3UA heartbeat failed */
	ASPE_RESTARTED,  /* SCTP RI */
	ASPE_BLOCKED,    /* management: blocked, removed from the AS, or the gateway is leaving */
	ASPE_EVENTS
};

enum asp_answer {
	ASPA_NONE,    /* not an answerable event */
	ASPA_ACK,     /* the message's acknowledgement */
	ASPA_ACK_ERR, /* the same and Error "Unexpected Message" */
	ASPA_ERR,     /* Error "Unexpected Message" */
};

struct asp_cell {
	uint8_t next, answer; /* enum asp_state, enum asp_answer */
};

extern const struct asp_cell asp_fsm[ASP_STATES][ASPE_EVENTS];

const char *asp_event_name(enum asp_event e);

/* The one place where an ASP's state in an AS changes. REASON: constant text, for operators. */
void asp_transition(struct as_asp *m, enum asp_event e, const char *reason);
