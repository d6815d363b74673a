/* SPDX-License-Identifier: GPL-2.0-or-later */
/* M2PA links (RFC 4165) as MTP level 3 uses them: the primitives of Q.703 between level 2 and level 3, in the
 * standard's words. A link is one SCTP association at a time; its states are here (link_fsm.h), its
 * sequence numbers and buffers are the data plane's (data/m2pa.h). Control thread only.
 *
 * Order: what a link tells (struct m2pa_link_ops) comes from m2pa_links_on_event(), from its timers, or from
 * within the call that causes it (m2pa_link_start() without an association, m2pa_link_stop(),
 * m2pa_link_processor_outage()); the user may call the link from inside. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "data/m2pa.h"
#include "data/plane.h"

struct m2pa_links;
struct m2pa_link;

enum m2pa_link_side {
	M2PA_LINK_SERVER,
	M2PA_LINK_CLIENT
}; /* who opens the association: SERVER: the peer does */

/* Plain rows, filled by conf/; must outlive the link, or m2pa_link_reconfigure(). */
struct m2pa_link_conf {
	const char *name;
	int side;             /* enum m2pa_link_side */
	const char *listener; /* server side: NULL means any listener */
	struct tp_params tp;  /* remote addresses identify the peer; remote_port too if not 0 */
	uint32_t txq_limit;   /* messages waiting or unacknowledged */
	uint32_t reconnect_min_ms, reconnect_max_ms;
	/* Q.703 s.12.3 */
	uint32_t t1_ms;  /* aligned ready */
	uint32_t t2_ms;  /* not aligned */
	uint32_t t3_ms;  /* aligned */
	uint32_t t4n_ms; /* proving, normal */
	uint32_t t4e_ms; /* proving, emergency */
	uint32_t t5_ms;  /* Busy is sent again after; 0: sent once (RFC 4165 s.4.1.5) */
	uint32_t t6_ms;  /* remote congestion */
	uint32_t t7_ms;  /* excessive delay of acknowledgement, of any message */
	uint32_t proving_interval_ms, proving_filler; /* RFC 4165 s.4.1.3, s.2.3.2.1: octets */
};

/* All but name, side and addresses, as Q.703 has them for 64 kbit/s. */
void m2pa_link_conf_default(struct m2pa_link_conf *c);

enum m2pa_link_state {
	M2PA_LINK_NO_ASSOCIATION,
	M2PA_LINK_OUT_OF_SERVICE,
	M2PA_LINK_NOT_ALIGNED,
	M2PA_LINK_ALIGNED,
	M2PA_LINK_PROVING,
	M2PA_LINK_ALIGNED_READY,
	M2PA_LINK_ALIGNED_NOT_READY, /* ready but for our own processor outage */
	M2PA_LINK_IN_SERVICE,
	M2PA_LINK_LOCAL_OUTAGE,
	M2PA_LINK_REMOTE_OUTAGE,
	M2PA_LINK_BOTH_OUTAGES,
	M2PA_LINK_RECOVERING, /* our outage has ended, the peer's Ready is awaited */
	M2PA_LINK_STATES
};
const char *m2pa_link_state_name(enum m2pa_link_state s);

/* What a link tells its user. All are set. */
struct m2pa_link_ops {
	/* There is an association, m2pa_link_start() makes sense; or there is none any more. */
	void (*available)(void *user, bool up);
	void (*in_service)(void *user);
	/* Once per m2pa_link_start() at most, unless in_service() came in between: then once after that.
	 * REASON is constant text. */
	void (*out_of_service)(void *user, const char *reason);
	/* The peer's processor outage begins or ends. In it nothing is sent: what is given to
	 * m2pa_link_send() waits. */
	void (*remote_outage)(void *user, bool out);
	/* Our own outage, ended by m2pa_link_processor_outage(false), is over for the peer, too. */
	void (*recovered)(void *user);
	/* The peer's outage ends: are old messages to be discarded (Q.703 s.8, Flush), or sent (Continue)? */
	bool (*flush_due)(void *user);
	/* Transmit congestion, level 0..3 of m2pa_link_conf.txq_limit: onset at 50, 75, 90 %. */
	void (*congestion)(void *user, unsigned level);
	/* Answers to m2pa_link_retrieve_bsnt() and m2pa_link_retrieve(). */
	void (*bsnt)(void *user, uint32_t bsnt);
	void (*retrieved)(void *user, struct mbuf *take_m);
	void (*retrieval_done)(void *user, uint32_t n);
	/* An MSU of SI 0 to 2, at its SIO, aux its priority. */
	void (*message)(void *user, struct mbuf *take_m);
	/* An MSU was forwarded to a congested destination: SIO and label, MP its priority. */
	void (*congested)(void *user, struct mbuf *take_m, uint8_t mp);
	/* An MSU that was not forwarded: also at its SIO; VALUE as in PE_DATA_REFUSED. */
	void (*refused)(void *user, struct mbuf *take_m, enum drop_reason why, uint32_t value);
};

/* ---- links ---- */

/* CONF and OPS must outlive it. A client begins to connect; a server waits for m2pa_links_incoming(). */
struct m2pa_link *m2pa_link_new(struct m2pa_links *ls, const struct m2pa_link_conf *conf,
	const struct m2pa_link_ops *ops, void *user);
/* Tells nothing any more. No published table may name its association. */
void m2pa_link_remove(struct m2pa_link *take_l);
/* Timers, in place; T7, the limit and the parameters of SCTP count from the next association on. Side and
 * listener are for a new link. */
void m2pa_link_reconfigure(struct m2pa_link *l, const struct m2pa_link_conf *conf);

/* Start: aligns, with the short proving period if EMERGENCY. Discards what was kept for a retrieval. */
void m2pa_link_start(struct m2pa_link *l, bool emergency);
void m2pa_link_stop(struct m2pa_link *l);
/* Emergency, Emergency Ceases: while aligning. */
void m2pa_link_emergency(struct m2pa_link *l, bool emergency);
/* Local processor outage and its end. FLUSH (at the end): old messages are discarded, else they are sent and
 * delivered. Ends by itself when the link goes out of service. */
void m2pa_link_processor_outage(struct m2pa_link *l, bool out, bool flush);
/* Level 2 receive congestion by management; what the data plane finds itself needs no call. */
void m2pa_link_busy(struct m2pa_link *l, bool busy);
/* An MSU at its SIO, aux its priority. Sent when the link is in service; kept if it no longer is. Without an
 * association it is freed: false. */
bool m2pa_link_send(struct m2pa_link *l, struct mbuf *take_m);

/* For a changeover, when out of service: the FSN of the last message accepted; the messages behind FSNC
 * (M2PA_NO_FSNC: the unsent ones only; so also in a processor outage, after which the link goes on). False:
 * there has been no association since the last retrieval, and no answer comes. Before m2pa_link_retrieve(),
 * no published table may name the association (plane_after_grace()): what is sent to it later is lost. */
bool m2pa_link_retrieve_bsnt(struct m2pa_link *l);
bool m2pa_link_retrieve(struct m2pa_link *l, uint32_t fsnc);

/* Aborts and re-opens the association. */
void m2pa_link_restart(struct m2pa_link *l);

/* ---- for show, and for the forwarding table ---- */

#define M2PA_LINK_COUNTERS(X)                                                                                \
	X(STARTS, "starts", "alignments begun")                                                              \
	X(IN_SERVICE, "in-service", "times in service")                                                      \
	X(NOT_POSSIBLE, "alignment-not-possible", "alignments that failed")                                  \
	X(FAILURES, "failures", "link failures")                                                             \
	X(LOSSES, "association-losses", "associations lost")                                                 \
	X(RECONNECTS, "reconnects", "associations established")                                              \
	X(REPLACED, "replaced", "associations that a reconnecting peer replaced")                            \
	X(EMERGENCIES, "emergencies", "alignments with the emergency proving period")                        \
	X(LOCAL_OUTAGES, "local-outages", "processor outages of our own")                                    \
	X(REMOTE_OUTAGES, "remote-outages", "processor outages of the peer")                                 \
	X(BUSY_SENT, "busy-sent", "times that we were busy")                                                 \
	X(BUSY_RECEIVED, "busy-received", "times that the peer was busy")                                    \
	X(T1_EXPIRED, "t1-expired", "T1: no Ready from the peer")                                            \
	X(T2_EXPIRED, "t2-expired", "T2: no Alignment from the peer")                                        \
	X(T3_EXPIRED, "t3-expired", "T3: no Proving from the peer")                                          \
	X(T6_EXPIRED, "t6-expired", "T6: the peer was busy for too long")                                    \
	X(T7_EXPIRED, "t7-expired", "T7: no acknowledgement")                                                \
	X(OTHER_FAULTS, "other-faults", "abnormal BSN, other version, send failure")

#define X(id, name, text) M2LC_##id,
enum m2pa_link_counter { M2PA_LINK_COUNTERS(X) M2LC_COUNT };
#undef X
extern const struct counter_row m2pa_link_counter_rows[M2LC_COUNT];

enum { M2PA_LINK_STATUSES = 10 }; /* index: enum m2pa_state */

struct m2pa_link_info {
	const struct m2pa_link_conf *conf;
	enum m2pa_link_state state;
	uint64_t since_ms;  /* clock_ms() */
	const char *reason; /* of the last transition */
	const char *down_reason;
	bool emergency, local_outage, local_busy, remote_busy;
	unsigned congestion;
	struct assoc *assoc; /* NULL: none; for fwd slots: valid until the user is told out_of_service() and
				m2pa_link_start(), m2pa_link_retrieve() or m2pa_link_remove() is called */
	struct m2pa_seq seq;
	struct assoc_stats traffic; /* those before it included; queue and congestion are its own */
	uint64_t c[M2LC_COUNT];
	uint64_t rx[M2PA_LINK_STATUSES],
		tx[M2PA_LINK_STATUSES]; /* Link Status messages; tx: those of control */
};
void m2pa_link_info(const struct m2pa_link *l, struct m2pa_link_info *out);
const char *m2pa_link_name(const struct m2pa_link *l);
enum m2pa_link_state m2pa_link_state(const struct m2pa_link *l);
struct assoc *m2pa_link_assoc(const struct m2pa_link *l);
void *m2pa_link_user(const struct m2pa_link *l);

/* ---- all links ---- */

struct m2pa_links *m2pa_links_new(void *talloc_ctx);
void m2pa_links_set_plane(struct m2pa_links *ls, struct plane *p);
/* Randomness for jitter; tests inject their own. */
void m2pa_links_set_random(struct m2pa_links *ls, uint32_t (*random)(void));
/* After plane_stop(). Links that are left are freed. */
void m2pa_links_free(struct m2pa_links *take_ls);

/* Events of associations whose assoc_proto() is ASSOC_M2PA: all of them, and none else. Takes ev->take_mbuf.
 */
void m2pa_links_on_event(struct m2pa_links *ls, const struct plane_event *ev);

/* A peer has arrived. True: a link has adopted it. False: no link knows it, IN is still the caller's. */
bool m2pa_links_incoming(struct m2pa_links *ls, const char *listener, struct tp_incoming *in);
/* How closely it fits: 0 not at all. Pure. */
unsigned m2pa_link_score(const struct m2pa_link_conf *c, const char *listener, const struct tp_incoming *in);

/* The gateway takes its leave: links go out of service, associations shut down, none comes again. */
void m2pa_links_shutdown(struct m2pa_links *ls);
/* The last association has gone. */
bool m2pa_links_are_gone(const struct m2pa_links *ls);
