/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The side that asks: the gateway as an ASP of another SG, or as an IPSP (RFC 4666 s.4.3.4). It wants to be
 * up with every peer whose association is there, and active in every AS that management does not block; it
 * sends ASPUP and ASPAC until that is so, and ASPIA and ASPDN to leave in order. */
#pragma once

#include <osmocom/core/timer.h>
#include <stdbool.h>
#include <stdint.h>

#include "m3ua/client_fsm.h"

struct asp;
struct as;
struct as_asp;
struct in;
struct sg;

/* An ERR of the peer. */
struct client_error {
	uint64_t at_ms; /* 0: none yet */
	uint32_t code;
	uint16_t about; /* the type of the message at fault, or CLIENT_ERROR_UNKNOWN */
};
enum { CLIENT_ERROR_UNKNOWN = 0xffff };

/* Towards one peer. */
struct client {
	enum client_state state;
	struct osmo_timer_list timer;
	unsigned tries;
	uint64_t since_ms, transitions;
	const char *reason; /* constant text */
	bool leaving;       /* ASPIA, ASPDN, shutdown */
	bool reg_due;       /* of some AS's */
	uint32_t reg_id;    /* the last Local-RK-Identifier */
	bool ack_owed;      /* single exchange: both sent ASPUP, and the peer's answer is under way */
	struct client_error error;
};

/* The AS's routing key at one peer (s.4.4): client_reg.c. */
struct client_reg {
	bool registered;
	bool due;           /* asked for at the next settle, together with others */
	uint32_t rc;        /* while registered: what the peer allocated */
	uint32_t id;        /* Local-RK-Identifier of the request that is open, or was not granted; 0: none */
	const char *result; /* of the last REG RSP: constant text; NULL: none on this association */
	uint64_t refusals;
};

/* In one AS, with one peer. */
struct client_as {
	enum client_as_state state;
	struct osmo_timer_list timer;
	unsigned tries;
	uint64_t since_ms, transitions;
	const char *reason;
	struct client_reg reg;
	uint16_t told; /* the AS's state by the peer's NTFY (enum m3ua_ntfy_as), 0: none */
	struct client_error error;
};

void client_init(struct asp *asp);
void client_as_init(struct as_asp *m);
/* Timers end. */
void client_fini(struct asp *asp);
void client_as_fini(struct as_asp *m);

/* The association is up, or begins anew. */
void client_start(struct asp *asp);
/* It is gone. REASON: constant text. */
void client_lost(struct asp *asp, const char *reason);
/* A new member of an AS whose peer may be up already. */
void client_joined(struct as_asp *m);
/* M leaves its AS: ASPIA if it is active. */
void client_dismiss(struct as_asp *m);
/* The routing keys of M's AS have changed: they are registered anew. */
void client_rekey(struct as_asp *m);
void client_block(struct asp *asp, bool block);
/* Takes leave and then shuts the association down. REASON: constant text. */
void client_stop(struct asp *asp, const char *reason);

/* Single exchange: what the peer asked for and was granted. */
void client_peer_up(struct asp *asp);
void client_peer_down(struct asp *asp);
void client_as_event(struct as_asp *m, enum client_as_event e, const char *reason);
/* The AS has lost its last active peer: those that stand by are asked. */
void client_needed(struct as *as);

/* An ERR has come: what it answers is not sent again, for a while. */
void client_error(const struct in *in, uint32_t code);

/* May DATA come from the peer, for all that was exchanged? (sg_settle.c) */
bool client_receives(const struct as_asp *m);
/* Up at the peer, by our own ASPUP, and not down yet? */
bool client_is_up(const struct asp *asp);

/* Sends what registration has to ask: the beginning of a settle. */
void client_reg_flush(struct sg *sg);

/* Handlers (dispatch.c). */
void client_up_ack(const struct in *in);
void client_down_ack(const struct in *in);
void client_active_ack(const struct in *in);
void client_inactive_ack(const struct in *in);
void client_reg_rsp(const struct in *in);
void client_dereg_rsp(const struct in *in);
void client_notified(const struct in *in);
