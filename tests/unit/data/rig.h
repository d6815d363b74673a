/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A plane with peers at the other ends of its associations, over the memory transport, all peers and control
 * on the test's own thread. Peer I is the ASP of AS number I unless a test says otherwise: point code PC(I),
 * Routing Context RC(I). */
#pragma once

#include <ev.h>
#include <stdbool.h>
#include <stdint.h>

#include "data/plane.h"
#include "wire/m3ua_data.h"

enum { RIG_PEERS = 8, RIG_PORT = 21300, RIG_NA = 77, RIG_NI = 2 };

#define RIG_PC(i) (1000u + (i))
#define RIG_RC(i) (10u + (i))

struct rig;

struct rig_peer {
	struct rig *rig;
	unsigned index;
	struct tp_conn *conn;
	struct assoc *assoc; /* the gateway's end */
	struct mbufq txq;
	bool up, down, blocked;
	uint64_t received;
	uint32_t last_len;
	uint16_t last_stream, last_ppid;
	uint8_t last[512];
};

struct rig_as {
	bool exists;
	enum fwd_as_state state;
	enum fwd_mode mode;
	enum fwd_share_key key;
	uint32_t n_buckets;
	unsigned n_asps;
	unsigned asps[RIG_PEERS]; /* peers */
	bool team;                /* each peer is there for its own AS: the target is several ASs' */
	uint8_t flags;            /* of its slots */
	unsigned closed;          /* bit I: the slot of peer I has this hold */
	struct fwd_hold hold;
};

struct rig_options {
	unsigned workers, peers, buffers;
	uint16_t streams;
	uint32_t txq_limit, sndbuf, batch_delay_us;
	bool has_na;
	unsigned tolerates;
	unsigned links; /* bit I: peer I is an M2PA link, in service from the start, of linkset I */
};

struct rig {
	struct plane *plane;
	struct listener *listener;
	struct ev_loop *ev;
	struct tp_loop tp;
	struct rig_options opt;
	struct rig_peer peers[RIG_PEERS];
	struct rig_as as[RIG_PEERS];
	bool active[RIG_PEERS]; /* peer I is active in AS I */
	struct fwd_key keys[64];
	unsigned n_keys;
	unsigned five_bits;      /* bit I: so many has the SLS of peer I */
	uint32_t own_pc;         /* of the gateway; 0: none */
	unsigned second_as;      /* peer 0 is in this AS, too; 0: it is not */
	bool control_sleeps;     /* rig_step() does not dispatch */
	bool peers_sleep;        /* nor look at what arrives at the peers */
	bool reject_all;         /* who comes to the listener */
	struct rig_parts *parts; /* of the table in force */
	/* what control was told */
	unsigned events[PE_GRACE + 1];
	unsigned refused[DROP_COUNT];
	uint32_t refused_value;
	unsigned congestion;
	char reason[TP_REASON]; /* of the last PE_DOWN */
	/* a test's own receiver of DATA at a peer; NULL: it is only counted */
	void (*on_data)(struct rig_peer *peer, const struct m3ua_data *d, const struct mbuf *m);
	/* the same of anything at a link; and of what control is told, which may take the mbuf and then says
	 * so */
	void (*on_link)(struct rig_peer *peer, const struct mbuf *m);
	bool (*on_event)(struct rig *r, const struct plane_event *ev);
	void *arg;
};

/* Starts it, all associations up, every AS active with its own peer, one key per AS, table published. */
void rig_start(struct rig *r, const struct rig_options *opt);
/* Stops it; fails if a buffer is missing. */
void rig_stop(struct rig *r);
/* Compiles and publishes what as[], active[] and keys[] say. */
void rig_publish(struct rig *r);
/* One round of all that the test's thread does. */
void rig_step(struct rig *r);
/* Rounds until COND holds; fails the test after two minutes. */
#define rig_until(r, cond)                                                                                   \
	do {                                                                                                 \
		uint64_t rig_deadline = rig_now_ms() + 120000;                                               \
		while (!(cond)) {                                                                            \
			rig_step(r);                                                                         \
			if (rig_now_ms() > rig_deadline)                                                     \
				fail_msg("not within 120 s: %s", #cond);                                     \
		}                                                                                            \
	} while (0)
uint64_t rig_now_ms(void);

/* Sends DATA from a peer in its own AS; D's payload fields are not used. False if it has no buffer. */
bool rig_send(struct rig_peer *peer, const struct m3ua_data *d, const void *payload, uint32_t len);
/* The same with everything usual but the label. */
bool rig_data(struct rig_peer *from, unsigned to, uint8_t sls, const void *payload, uint32_t len);
bool rig_is_link(const struct rig *r, unsigned peer);
/* Any bytes. */
bool rig_raw(struct rig_peer *peer, const void *bytes, uint32_t len, uint16_t stream, uint32_t ppid);
uint64_t rig_drops(struct rig *r, enum drop_reason reason);
