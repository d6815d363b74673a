/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the tests of the transports share: a loop that runs until something is true or a deadline is past, and
 * ends of connections that write down what they are told. Every upcall checks the contract: none from inside
 * a call, TP_DOWN once, no message outside TP_UP .. TP_DOWN. */
#pragma once

#include <ev.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sctp/transport.h"

enum {
	RIG_MAX_MESSAGE = 4096,
	RIG_BIG_MESSAGE = 40000, /* the sender's pool holds such */
	RIG_BUFFERS = 16384,
	RIG_INCOMING = 512,
	RIG_DEADLINE_MS = 60000,
};

struct rig;

struct end {
	struct rig *rig;
	struct tp_conn *conn;
	unsigned ups, downs, writables, leaves, restarts, failures, paths;
	unsigned refused;     /* messages */
	uint32_t refused_len; /* of the last */
	uint16_t in_streams, out_streams, restart_in_streams;
	bool reachable;
	char reason[TP_REASON];
	struct mbufq rx, tx;
	unsigned received;
	bool no_buffers;           /* messages are refused for that */
	bool keep;                 /* received messages stay in rx, else they are only checked */
	unsigned hold_after;       /* stop reading in the message upcall when this many have come */
	unsigned abort_after;      /* abort from the message upcall when this many have come */
	uint32_t next[65536 / 64]; /* sequence number expected on each of the first streams */
};

struct rig {
	const struct tp_ops *ops;
	uint16_t port;
	struct ev_loop *ev;
	ev_timer tick;
	struct tp_loop near, far; /* clients are on near, servers on far; the same libev loop */
	struct tp_listener *listener;
	struct tp_incoming *incoming[RIG_INCOMING];
	unsigned n_incoming;
	bool permit;
	bool inside; /* a call of the transport is under way: no upcall may come */
};

/* OPS on PORT; both loops get pools. */
void rig_init(struct rig *r, const struct tp_ops *ops, uint16_t port);
/* Fails the test if a buffer is still out. */
void rig_fini(struct rig *r);

/* Parameters as these tests use them: loopback, quick timers. */
void rig_client_params(const struct rig *r, struct tp_params *p);
void rig_server_params(const struct rig *r, struct tp_params *p);

void rig_listen(struct rig *r);
void rig_listen_with(struct rig *r, const struct tp_params *p);
void rig_unlisten(struct rig *r);

void end_init(struct end *e, struct rig *r);
void end_connect(struct end *e, const struct tp_params *p);
/* Waits for a peer at the listener and adopts it on LOOP (NULL: far). */
void end_accept(struct end *e, const struct tp_params *p, struct tp_loop *loop);
/* Client and server, up; with the given parameters, or with those above. */
void rig_pair_with(struct rig *r, struct end *client, const struct tp_params *cp, struct end *server,
	const struct tp_params *sp);
void rig_pair(struct rig *r, struct end *client, struct end *server);
void end_shutdown(struct end *e);
void end_abort(struct end *e, const char *why);
unsigned end_transmit(struct end *e);
/* Waits for TP_DOWN if need be, and releases. */
void end_fini(struct end *e);
/* Aborts the client, waits for both, releases both. */
void rig_unpair(struct end *client, struct end *server);

/* A message of LEN bytes (at least 16) as M3UA frames it, on the queue of E; numbered by SEQ. */
void end_queue(struct end *e, uint32_t len, uint16_t stream, uint32_t seq);

/* One pass of the loop, at most 10 ms. */
void rig_run(struct rig *r);
#define RIG_WAIT(r, condition)                                                                               \
	do {                                                                                                 \
		uint64_t rig_deadline_ = clock_ms() + RIG_DEADLINE_MS;                                       \
		while (!(condition)) {                                                                       \
			if (clock_ms() > rig_deadline_)                                                      \
				fail_msg("not within %d ms: %s", RIG_DEADLINE_MS, #condition);               \
			rig_run(r);                                                                          \
		}                                                                                            \
	} while (0)
