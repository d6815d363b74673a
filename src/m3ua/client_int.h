/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Between client.c, client_as.c and client_rx.c. */
#pragma once

#include "m3ua/client.h"
#include "m3ua/role.h"

enum {
	CLIENT_DOUBLINGS = 4, /* endless retries: of T(ack) */
	CLIENT_SLOW = 10,     /* what was refused is tried again after so many T(ack) */
};

void client_event(struct asp *asp, enum client_event e, const struct in *in, const char *reason);

/* Starts a timer: T(ack) after the TRIES-th attempt; the wait after a refusal; at once, or after T(ack) if
 * what came to its end had begun (SINCE_MS) only just now. */
void client_await(const struct asp *asp, struct osmo_timer_list *t, unsigned tries);
void client_await_slowly(const struct asp *asp, struct osmo_timer_list *t);
void client_return_soon(const struct asp *asp, struct osmo_timer_list *t, uint64_t since_ms);
bool client_exhausted(const struct asp *asp, unsigned tries);

bool client_wants_active(const struct asp *asp);
bool client_begins(const struct asp *asp);
void client_abort(struct asp *asp, uint16_t unanswered);
/* What brings M to be active: CAE_REGISTER first, or E. */
enum client_as_event client_reg_first(const struct as_asp *m, enum client_as_event e);
/* REG REQ, or in state deregistration-sent DEREG REQ, with the next settle. */
void client_reg_ask(struct as_asp *m);
/* DEREG REQ at once, whose answer nobody awaits. */
void client_reg_withdraw(struct as_asp *m);
/* The peer knows M's routing key no more. */
void client_reg_forget(struct as_asp *m);
/* Deregisters what is registered; false: nothing is. */
bool client_reg_leave(struct asp *asp);

/* While it leaves: is it active nowhere any more? */
void client_quiet(struct asp *asp);
