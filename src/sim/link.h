/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One M2PA link of an SS7 node that we play (RFC 4165): its association, its timers, its sequence numbers,
 * and the acting side of lsc.h. Level 3 is the node's (node.h).
 *
 * As with ASPs, work is done in two beats: upcalls change state and queue; link_pass(), once per loop pass,
 * sends what may be sent, acknowledges what was received, and releases associations that are over. */
#pragma once

#include <ev.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/mbuf.h"
#include "sctp/transport.h"
#include "sim/lsc.h"
#include "sim/opts.h"
#include "sim/rng.h"
#include "sim/user.h"
#include "wire/m2pa.h"

struct link;
struct node;

/* One row per counter: name in JSON, meaning. */
#define LINK_COUNTERS(X)                                                                                     \
	X(TX_MSU, "tx_msu", "User Data with an MSU sent")                                                    \
	X(RX_MSU, "rx_msu", "User Data with an MSU accepted")                                                \
	X(TX_ACK, "tx_ack", "empty User Data sent")                                                          \
	X(RX_ACK, "rx_ack", "empty User Data received")                                                      \
	X(TX_STATUS, "tx_status", "Link Status sent")                                                        \
	X(RX_STATUS, "rx_status", "Link Status received")                                                    \
	X(UPS, "associations", "times an association came up")                                               \
	X(IN_SERVICE, "in_service", "times the link came into service")                                      \
	X(FAILURES, "failures", "times it went out of service against our will")                             \
	X(T6, "t6_expired", "peer busy for too long")                                                        \
	X(T7, "t7_expired", "no acknowledgement for too long")                                               \
	X(BAD_FSN, "bad_fsn", "User Data out of order")                                                      \
	X(BAD_BSN, "bad_bsn", "acknowledgements of what was not sent")                                       \
	X(MALFORMED, "malformed", "messages the codec refused")                                              \
	X(UNEXPECTED, "unexpected", "User Data out of service")                                              \
	X(BAD_STREAM, "bad_stream", "messages on a stream that is not theirs")                               \
	X(FLUSHED, "flushed", "MSUs discarded after a processor outage")                                     \
	X(RETRIEVED, "retrieved", "MSUs taken to another link")                                              \
	X(DISCARDED, "discarded", "MSUs lost with the link")                                                 \
	X(SEND_FAILED, "send_failed", "messages the transport reports undelivered")

enum link_counter {
#define X(id, key, help) LINK_C_##id,
	LINK_COUNTERS(X)
#undef X
		LINK_C_COUNT
};

const char *link_counter_key(enum link_counter c);

/* What all links of the process share. */
struct link_env {
	struct tp_loop *tp;
	const struct tp_ops *ops;
	const struct tp_params *params;
	void (*log)(struct node *n, const char *name, const char *text); /* NULL: not verbose */
	struct rng rng;                                                  /* jitter */
	struct link *touched;                                            /* due for link_pass() */
};

/* Level 3, as a link sees it. */
struct link_upcalls {
	void (*changed)(struct link *l); /* in service, or not any more */
	void (*outage)(struct link *l);  /* its POC state */
	void (*msu)(struct link *l, const uint8_t *msu, uint32_t len, uint8_t pri, uint64_t rx_ns);
	bool (*may_start)(const struct link *l); /* or is a changeover still to take what it holds? */
};

struct link {
	struct sim_user user; /* first: the transport's upcalls */
	struct link_env *env;
	const struct link_upcalls *up;
	struct node *node;
	const struct node_opts *conf;
	unsigned index; /* in its linkset, from 0 */
	uint8_t slc;
	char name[KEYVAL_NAME + 8];

	enum lsc_state state, judged_state;
	enum poc_state poc;
	bool wanted, emergency;
	struct tp_conn *conn, *dead; /* dead: over, to be released */
	struct mbufq txq;
	bool blocked, touched;
	struct link *next_touched;
	double backoff_s;
	char last_reason[TP_REASON];
	uint64_t aligned_ns, service_ns; /* since */

	/* sequence: see link_seq.c */
	uint32_t fsn;          /* of the last MSU sent */
	uint32_t acked;        /* the last BSN received */
	uint32_t got;          /* FSN of the last MSU received in order */
	uint32_t told;         /* the BSN that we send */
	struct mbufq retained; /* copies of MSUs sent and not acknowledged; aux: FSN, rx_ns: sent when */
	struct mbufq waiting;  /* MSUs that have no number yet */
	struct mbufq held;     /* MSUs received in our processor outage */
	bool ack_due, busy, peer_busy, mute; /* mute: acknowledges nothing, to order */
	uint8_t odd;                         /* abnormal BSNs among the last three messages, a bit each */
	uint32_t skew;                       /* added to the next FSN, to order */
	uint64_t outage_ns, peer_outage_ns;  /* ours and the peer's, since */

	struct ev_timer t_state, t_proving, t_retry, t6, t7;
	uint64_t c[LINK_C_COUNT], judged[LINK_C_COUNT]; /* judged: as they were at the verdict */
};

void link_init(struct link *l, struct link_env *env, const struct link_upcalls *up, struct node *n,
	const struct node_opts *conf, unsigned index);
/* The association must be over: LSC_OFF, link_pass() done. */
void link_fini(struct link *l);

void link_event(struct link *l, enum lsc_event ev);
void link_activate(struct link *l);
void link_deactivate(struct link *l);
void link_leave(struct link *l, bool abort); /* ends the association; it stays away until link_activate() */
void link_fail(struct link *l, const char *why); /* level 2 or 3 has found it unusable */

/* Takes a peer that has come to the listener; false: it has one. */
bool link_adopt(struct link *l, struct tp_incoming *take_in);
/* How well a peer fits: 0 not at all. */
unsigned link_score(const struct link *l, const struct tp_incoming *in);
/* Its association's parameters. */
void link_params(const struct link *l, struct tp_params *out);

void link_outage(struct link *l, bool begin); /* local processor outage */
void link_busy(struct link *l, bool begin);   /* local congestion */

/* Sends and releases what is due, for all links that were touched. */
void link_pass(struct link_env *env);
void link_touch(struct link *l);
void link_arm(struct link *l, struct ev_timer *w, double seconds);
void link_log(struct link *l, const char *format, ...) __attribute__((format(printf, 2, 3)));

static inline bool link_in_service(const struct link *l)
{
	return l->state == LSC_SERVICE;
}

/* ---- link_seq.c ---- */

/* Numbers start anew; what is still held is lost. */
void link_seq_reset(struct link *l);
/* Queues an MSU (from its SIO on; its ssn is the priority, for Japan). */
void link_send(struct link *l, struct mbuf *take_m);
/* MSUs that wait or are not acknowledged. */
uint32_t link_backlog(const struct link *l);
/* Gives numbers to what waits, and acknowledges. */
void link_seq_pass(struct link *l);
/* A whole message from the peer. */
void link_receive(struct link *l, const struct mbuf *m);
bool link_send_status(struct link *l, enum m2pa_state s, uint16_t stream);
/* The peer has accepted what it said last, and nothing of the rest: that is discarded (FLUSH), or sent again.
 */
void link_seq_resync(struct link *l, uint32_t bsn, bool flush);
/* What was held in our outage is delivered, or (FLUSH) as if never received. */
void link_seq_release(struct link *l, bool flush);
/* Moves to OUT, in order, what the peer has not accepted: behind FSNC, and what was never sent. FSNC > 24
 * bits: only the latter. Messages of levels 2 and 3 themselves stay behind (Q.704 s.5.4.2). */
void link_retrieve(struct link *l, uint32_t fsnc, struct mbufq *out);
void link_poc(struct link *l, enum poc_event e, uint32_t bsn);

extern const struct tp_upcalls link_tp_upcalls;
