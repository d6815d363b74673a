/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An ASP (RFC 4666 s.4.3.1) as the SGP sees it: its association, whether it is up, and, per AS, whether it is
 * active. */
#pragma once

#include <osmocom/core/linuxlist.h>
#include <osmocom/core/timer.h>
#include <stdbool.h>
#include <stdint.h>

#include "m3ua/sg_conf.h"
#include "wire/m3ua.h"

struct sg;
struct as;
struct assoc;

enum asp_state { ASP_DOWN, ASP_INACTIVE, ASP_ACTIVE, ASP_STATES };

/* One ASP's part in one AS: the state that ASPTM messages change, one Routing Context at a time. */
struct as_asp {
	struct llist_head in_as, in_asp;
	struct as *as;
	struct asp *asp;
	enum asp_state state;
	uint64_t since_ms;
	const char *reason; /* of the last transition: constant text */
};

enum { ASP_RX_TYPES = 32 };

struct asp {
	struct llist_head entry;
	struct sg *sg;
	const struct asp_conf *conf;
	struct assoc *assoc; /* NULL: none */
	bool up;             /* ASPUP accepted: ASP-INACTIVE at least, where it has no AS to tell by */
	bool blocked;        /* management blocking: up but never active */
	bool has_id;
	uint32_t id;                                 /* ASP Identifier it presented */
	uint64_t since_ms;                           /* of the last change between down and up */
	const char *reason;                          /* constant text */
	struct llist_head ass;                       /* struct as_asp.in_asp */
	uint64_t rx[ASP_RX_TYPES], tx[ASP_RX_TYPES]; /* by asp_type_slot(): M3UA messages of control */
	uint64_t errors_rx[32], errors_tx[32];       /* by error code */
	uint64_t transitions, reconnects;
	uint64_t beats_unanswered;
	char down_reason[96]; /* why the association is not there */
	struct osmo_timer_list reconnect_timer, beat_timer;
	uint32_t backoff_ms;
};

const char *asp_state_name(enum asp_state s); /* "ASP-DOWN", "ASP-INACTIVE", "ASP-ACTIVE" */
/* The ASP's overall state: the highest it has in any AS. */
enum asp_state asp_state(const struct asp *asp);
/* Index into rx and tx for a message type, and the type for an index (0: unused). */
unsigned asp_type_slot(uint16_t type);
uint16_t asp_slot_type(unsigned slot);

/* Management (console): a blocked ASP is taken out of service in all its ASs (it receives ASPIA ACK
 * unsolicited) and its ASPAC is refused (Error 0x0d); unblocking lets it activate again. */
void asp_block(struct asp *asp, bool block);
/* Aborts and re-opens the association. */
void asp_restart(struct asp *asp);
