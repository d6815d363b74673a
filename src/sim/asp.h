/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One ASP that we play: its association, its transmit queue, its timers, and the acting side of asp_fsm.h.
 * What it hears of interest to others goes up through asp_upcalls.
 *
 * Work is done in two beats: upcalls of the transport change state and queue messages; asp_pass(), once per
 * loop pass, sends what was queued and releases associations that are over. */
#pragma once

#include <ev.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/mbuf.h"
#include "sctp/transport.h"
#include "sim/asp_fsm.h"
#include "sim/opts.h"
#include "sim/rng.h"
#include "sim/user.h"
#include "wire/m3ua.h"
#include "wire/m3ua_data.h"

struct as;
struct asp;

/* One row per counter: name in JSON, meaning. */
#define ASP_COUNTERS(X)                                                                                      \
	X(TX_DATA, "tx_data", "DATA handed to the transport")                                                \
	X(RX_DATA, "rx_data", "DATA received")                                                               \
	X(TX_OTHER, "tx_other", "other messages sent")                                                       \
	X(RX_OTHER, "rx_other", "other messages received")                                                   \
	X(NTFY, "ntfy", "NTFY received")                                                                     \
	X(ERR, "err", "ERR received")                                                                        \
	X(SSNM, "ssnm", "DUNA, DAVA, DRST, SCON, DUPU received")                                             \
	X(BEAT, "beat", "BEAT sent")                                                                         \
	X(BEAT_ACK, "beat_ack", "BEAT ACK received")                                                         \
	X(UPS, "associations", "times an association came up")                                               \
	X(TIMEOUTS, "t_ack_expired", "requests repeated after T(ack)")                                       \
	X(REQUESTS, "requests", "ASPUP, ASPDN, ASPAC, ASPIA received")                                       \
	X(MALFORMED, "malformed", "received messages the codec refused")                                     \
	X(PURGED, "purged", "messages queued when the association ended")                                    \
	X(SEND_FAILED, "send_failed", "messages the transport reports undelivered")

enum asp_counter {
#define X(id, key, help) ASP_C_##id,
	ASP_COUNTERS(X)
#undef X
		ASP_C_COUNT
};

const char *asp_counter_key(enum asp_counter c);

struct asp_upcalls {
	void (*data)(struct asp *a, const struct m3ua_data *d, const uint8_t *payload, uint64_t rx_ns);
	void (*changed)(struct asp *a); /* its state */
	void (*ssnm)(struct asp *a, const struct m3ua_msg *m);
	void (*log)(struct asp *a, const char *text); /* NULL: not verbose */
};

/* What all ASPs of the process share. */
struct asp_env {
	struct tp_loop *tp;
	const struct tp_ops *ops;
	const struct tp_params *params;
	const struct asp_upcalls *up;
	void *user;
	uint64_t t_ack_ns;
	struct rng rng;      /* jitter */
	struct asp *touched; /* due for asp_pass() */
};

struct asp {
	struct sim_user user; /* first: the transport's upcalls */
	struct asp_env *env;
	struct as *as;
	const struct as_opts *conf;
	unsigned index; /* in its AS, from 0 */
	char name[KEYVAL_NAME + 8];
	bool has_rc, registered; /* registered: since it came up */
	uint32_t rc;             /* as configured, or as given at registration */

	enum asp_state state;
	enum asp_state peer;         /* double exchange: of the other direction; else unused */
	enum asp_state judged_state; /* when the traffic was judged, before we took leave */
	enum asp_goal goal;
	struct tp_listener *listener; /* side=server */
	struct tp_conn *conn, *dead;  /* dead: over, to be released */
	bool stalled;
	bool unreachable; /* SGP: it has said DUNA */
	uint16_t in_streams, out_streams;
	struct mbufq txq;
	bool blocked; /* the transport takes no more: wait for TP_WRITABLE */
	bool touched;
	struct asp *next_touched;

	struct ev_timer t_ack, t_retry, t_beat;
	double backoff_s;
	uint32_t beat_seq;
	uint32_t last_error; /* of the last ERR, M3UA_E_NONE: none */
	char last_reason[TP_REASON];
	uint64_t c[ASP_C_COUNT];
};

void asp_init(struct asp *a, struct asp_env *env, struct as *as, const struct as_opts *conf, unsigned index);
/* The association must be over: ASP_OFF, asp_pass() done. */
void asp_fini(struct asp *a);

void asp_want(struct asp *a, enum asp_goal goal);
void asp_event(struct asp *a, enum asp_event ev);
/* Stops and resumes reading from the association, as far as the transport can. */
bool asp_stall(struct asp *a, bool stalled);

/* May DATA be sent? In double exchange the peer's ASPAC allows it, else our common state. */
bool asp_may_send(const struct asp *a);
/* Is it as its goal wants it, in both directions? */
bool asp_settled(const struct asp *a);
/* For serve.c: a new state, which others hear of. */
void asp_enter(struct asp *a, enum asp_state next, const char *why);

/* Queues a message of which PPID and stream are set. */
void asp_queue(struct asp *a, struct mbuf *take_m);
/* The stream for a flow's hash: 1 + hash mod (n - 1) of the negotiated n (RFC 4666 s.1.4.7). */
uint16_t asp_stream(const struct asp *a, uint32_t hash);

/* Sends and releases what is due, for all ASPs that were touched. */
void asp_pass(struct asp_env *env);

extern const struct tp_upcalls asp_tp_upcalls;

/* ---- asp_msg.c ---- */

/* Queues ASPUP, ASPAC, ASPIA or ASPDN; false without a buffer (T(ack) will try again). An ASP that registers
 * sends REG REQ in place of its first ASPAC, and that when it is registered (RFC 4666 s.4.4.1). */
bool asp_send_request(struct asp *a, enum m3ua_type type);
bool asp_send_error(struct asp *a, enum m3ua_error error);
bool asp_send_beat(struct asp *a);
/* For serve.c: a message of ours, begun and queued. NULL: no association, or no buffer. */
struct mbuf *asp_begin(struct asp *a, struct wr *w, uint16_t type);
bool asp_finish(struct asp *a, struct wr *w, struct mbuf *take_m);
/* Takes a whole message from the transport. */
void asp_receive(struct asp *a, struct mbuf *m);
void asp_log(struct asp *a, const char *format, ...) __attribute__((format(printf, 2, 3)));
