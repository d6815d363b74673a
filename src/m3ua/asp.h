/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An ASP (RFC 4666 s.4.3.1) as the SGP sees it: its association, whether it is up, and, per AS, whether it is
 * active. */
#pragma once

#include <osmocom/core/linuxlist.h>
#include <osmocom/core/timer.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/limit.h"
#include "base/mbuf.h"
#include "m3ua/client.h"
#include "m3ua/rc_index.h"
#include "m3ua/sg_conf.h"
#include "wire/m3ua.h"

struct sg;
struct as;
struct asp;
struct assoc;
struct asp_once;
struct guest;
struct assoc_conf;

enum asp_state { ASP_DOWN, ASP_INACTIVE, ASP_ACTIVE, ASP_STATES };

/* One ASP's part in one AS: the state that ASPTM messages change, one Routing Context at a time. Whose state
 * it is depends on the role: the peer's (SGP, IPSP), or the gateway's own at that SGP (ASP). What is common:
 * DATA is sent to the peer while it is ASP-ACTIVE.
 *
 * RX and TX are what the published table says: they follow STATE with the delays that keep order and lose
 * nothing (sg_settle.c): DATA is accepted from before the ACK of an activation to the ACK of a deactivation,
 * and sent from after the former until before the latter. */
struct as_asp {
	struct llist_head in_as, in_asp;
	struct as *as;
	struct asp *asp;
	enum asp_state state;
	uint64_t since_ms;
	const char *reason; /* of the last transition: constant text */
	bool rx, tx;
	struct client_as client;            /* where the gateway asks */
	struct osmo_timer_list audit_timer; /* daud.c */
	bool marked;                        /* scratch of a handler */
	bool registered;                    /* by the ASP (s.4.4.1), not by the configuration */
	uint16_t linger_ms; /* not 0: no longer active by another's or by management's doing, and it may not
			       know yet */
	struct osmo_timer_list rx_timer; /* while it lingers: the end of rx */
	uint32_t close_epoch;            /* while in CLOSING: rx ends when this grace period is over */
	struct llist_head moved;         /* in sg.moved: state changed since the last settle */
	struct llist_head closing;       /* in sg.closing */
};

enum { ASP_RX_TYPES = 32 };

/* What an association's owner pointer is: outlives an ASP that is removed or replaced its association, so
 * that the association's last event finds somebody who frees it, once. */
struct asp_link {
	struct llist_head entry; /* in sg.links; after PE_DOWN in sg.dead */
	struct sg *sg;
	struct asp *asp; /* NULL: nobody's any more */
	struct assoc *assoc;
};

struct asp {
	struct llist_head entry;
	struct sg *sg;
	const struct asp_conf *conf;
	char *name;
	uint32_t number;     /* stable: owner of share buckets */
	struct assoc *assoc; /* NULL: none */
	struct asp_link *link;
	struct guest *guest;  /* NULL: configured; else admitted by a template (guest.h) */
	bool up;              /* ASPUP accepted: ASP-INACTIVE at least, where it has no AS to tell by */
	bool up_by_ack;       /* double exchange: ... for it answered ASPUP, without one of its own */
	bool blocked;         /* management blocking: up but never active */
	bool locked;          /* management lock-out: not even up */
	struct client client; /* where the gateway asks */
	bool has_id;
	uint32_t id;                                 /* ASP Identifier it presented */
	uint64_t since_ms;                           /* of the last change between down and up */
	const char *reason;                          /* constant text */
	struct llist_head ass;                       /* struct as_asp.in_asp */
	struct rc_index by_rc, by_own_rc;            /* the second by the one of what is received: role.h */
	unsigned n_ass, n_registered;                /* of them registered by itself */
	uint64_t rx[ASP_RX_TYPES], tx[ASP_RX_TYPES]; /* by asp_type_slot(): M3UA messages of control */
	uint64_t errors_rx[32], errors_tx[32];       /* by error code */
	uint64_t answers_dropped;                    /* control messages not sent because it does not read */
	uint64_t errors_suppressed;                  /* answers to refused DATA beyond the rate limit */
	uint64_t transitions, reconnects;
	uint64_t beats_unanswered;
	uint32_t beat_sequence;
	uint8_t congestion;   /* level 0..3 of its transmit queue */
	char down_reason[96]; /* why the association is not there */
	struct osmo_timer_list reconnect_timer, beat_timer, beat_deadline;
	uint32_t backoff_ms;

	bool ingress_dirty;        /* its part of the forwarding table is out of date */
	struct mbufq out;          /* control's messages that wait for a settle or a grace period (out.c) */
	struct llist_head sending; /* in sg.out.asps while OUT is not empty */
	bool shutdown_after_out;   /* SCTP SHUTDOWN when OUT has gone */
	uint64_t out_after;        /* OUT waits until routing has followed registrations so often (rkm.h) */
	struct asp_once *once;     /* which point codes it was told about within T8 (once.c) */
	bool paced;                /* it is not read until OUT has gone */
	struct limit data_errors;
	uint64_t undelivered; /* messages that its transport lost, not logged yet */
	struct limit undelivered_log;
	struct limit log, data_log; /* apart: what its DATA meets must not hide its changes of state */
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
/* s.4.3.4.1, management lock-out: it gets no traffic any more, then ASPIA ACK and ASPDN ACK unsolicited
 * behind the last DATA, and its ASPUP is refused (Error 0x0d) until it is unlocked. In the roles where the
 * gateway asks: it leaves (ASPIA, ASPDN), shuts the association down, and neither opens nor accepts one. */
void asp_lock(struct asp *asp, bool lock);
/* Is it that no association is wanted? */
bool asp_is_locked_out(const struct asp *asp);
/* The same without refusing it afterwards, and its association is shut down. */
void asp_shut_down(struct asp *asp);
/* Aborts and re-opens the association. */
void asp_restart(struct asp *asp);

/* ---- within m3ua/ ---- */

struct asp *asp_new(struct sg *sg, const struct asp_conf *conf);
/* Leaves its ASs, aborts its association, frees it. */
void asp_remove(struct asp *take_asp);
/* The configuration changed in place. */
void asp_reconfigure(struct asp *asp, const struct asp_conf *conf);
/* It has become a member; it is one no more. */
void asp_joins(struct asp *asp, struct as_asp *m);
void asp_leaves(struct asp *asp, const struct as_asp *m);
/* Routing Contexts of its memberships have changed. */
void asp_index(struct asp *asp);
struct as_asp *asp_find_rc(const struct asp *asp, uint32_t rc);
/* The same by the Routing Context of what the peer sends: DATA, and what an SGP sends to its ASPs. */
struct as_asp *asp_find_own_rc(const struct asp *asp, uint32_t rc);

/* The association's life. OWNER: its link. */
struct assoc_conf asp_assoc_conf(const struct asp *asp, void *owner);
void asp_connect(struct asp *asp); /* client side */
void asp_attach(struct asp *asp, struct asp_link *link);
/* Lets go of the association, if any, and aborts it: PE_DOWN will find no ASP. */
void asp_detach(struct asp *asp, const char *why);
void asp_assoc_up(struct asp *asp);
/* Transports tell of what they lost piece by piece. */
void asp_log_undelivered(struct asp *asp);
void asp_assoc_gone(struct asp *asp, const char *why);
/* ASP-DOWN in every AS because of the association, telling the others (NTFY ASP Failure). REASON: constant.
 */
void asp_lost(struct asp *asp, int event, const char *reason);

/* It is told that it is inactive and down, behind the last DATA, then the association is shut down. */
void asp_close(struct asp *asp, const char *reason);

/* ASPUP accepted, and the end of that. */
void asp_set_up(struct asp *asp, bool up, const char *reason);
