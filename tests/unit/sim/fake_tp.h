/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A transport that only remembers what it was told; the test plays the peer by calling the upcalls. */
#pragma once

#include "sim/asp.h"

enum { FAKE_MAX = 4096 };

struct fake_tp {
	struct tp_conn conn; /* the only connection */
	unsigned connects, shutdowns, aborts, releases;
	unsigned listens, unlistens, adopts, rejects;
	enum sb_err connect_result;
	struct tp_params params; /* of the last connect() */
	unsigned room;           /* messages that transmit() still takes */
	struct mbuf *sent[FAKE_MAX];
	unsigned n_sent;
	bool inside; /* an upcall is running: release() is not allowed */
};

extern struct fake_tp fake_tp;
extern const struct tp_ops fake_tp_ops;

/* A loop, a pool, an environment for ASPs. */
struct fake_env {
	struct tp_loop tp;
	struct tp_params params;
	struct asp_env env;
};

void fake_env_init(struct fake_env *e, const struct asp_upcalls *up);
void fake_env_fini(struct fake_env *e);

/* A peer comes to A's listener. */
void fake_incoming(struct asp *a);
void fake_event(struct asp *a, enum tp_event_kind kind);
/* The peer sends: TYPE with up to two parameters of 4 bytes (tag 0: none). */
void fake_peer(struct asp *a, uint16_t type, uint16_t tag, uint32_t value);
void fake_peer_bytes(struct asp *a, const uint8_t *bytes, uint32_t len);
/* The type of the N-th message sent, 0xffff: there is none. */
uint16_t fake_sent(unsigned n);
void fake_forget(void);
