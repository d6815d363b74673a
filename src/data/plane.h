/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The data plane as control sees it: workers, associations, listeners, one queue of events, one table to
 * publish. All functions are control's (one thread) unless they say otherwise; none of them waits for a
 * worker. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/mbuf.h"
#include "base/paged.h"
#include "data/counter.h"
#include "data/fwd.h"
#include "sctp/transport.h"

enum { PLANE_MAX_WORKERS = 8, PLANE_MAX_ASSOCS = 65536 };

struct plane;
struct assoc;
struct listener;

struct plane_conf {
	unsigned workers;        /* 1 .. PLANE_MAX_WORKERS */
	uint32_t max_message;    /* bytes, 272 .. 65535 */
	unsigned buffers;        /* per worker, and for control */
	uint32_t batch_delay_us; /* 0 .. 2000: how long a short burst may wait for company */
};

enum plane_event_kind {
	PE_LISTENING,     /* listener; up */
	PE_LISTEN_FAILED, /* listener; reason: retried by the plane every second, told once per change */
	PE_STARVED,  /* listener; value = peers refused since the last one because no file descriptors are
			left (0: they wait). At most one a second */
	PE_INCOMING, /* listener; incoming: assoc_adopt() or plane_reject() it */
	PE_UP,       /* assoc; in_streams, out_streams */
	PE_DOWN,     /* assoc; reason. The last event of an association: assoc_free() is due */
	PE_RESTART,  /* assoc; streams; value = assoc_life() from now on */
	PE_PATH,     /* assoc; addr, reachable */
	PE_PEER_SHUTDOWN, /* assoc */
	PE_SEND_FAILED,   /* assoc; value = messages */
	PE_TOO_LONG, /* assoc; value = octets (0: unknown): longer than max_message; once a second at most */
	PE_CONGESTION,   /* assoc; value = level 0..3 that its transmit queue has reached */
	PE_MESSAGE,      /* assoc; mbuf: anything but plain DATA, whole, unchecked beyond its PPID. M2PA: an
			    MSU of SI 0 to 2, at its SIO, aux its priority */
	PE_DATA_REFUSED, /* assoc; mbuf: DATA that was not forwarded (DROP_BAD_PPID: anything); reason_code
			    and value say why. At most PLANE_REFUSALS per worker wait at a time: all are
			    counted, not all are told. From an M2PA link: an MSU of SI 3 to 15, at its SIO.
			    DROP_OWN_DPC: it is for us (UPU, or a user of ours); DROP_NO_USER: a served point
			    code without this user part (UPU); DROP_AS_DOWN, DROP_NO_ROUTE, DROP_LOOP: cannot
			    be transferred (TFP) */
	PE_CONGESTED,    /* assoc; network; mbuf: SIO and label of a message that was forwarded to a congested
			    destination, as on the network's links; value = its priority. Not each, and of
			    ASPs only those that go to links and other gateways: data/congested.h */
	/* of M2PA links: data/m2pa.h */
	PE_M2PA_STATUS,         /* assoc; value = enum m2pa_state received; outstanding */
	PE_M2PA_DATA,           /* assoc; the first User Data message since m2pa_reset() has come */
	PE_M2PA_FAULT,          /* assoc; value = enum m2pa_failure: the link is faulty */
	PE_M2PA_CONGESTION,     /* assoc; value = 1: received messages wait for control; 0: no more */
	PE_M2PA_BSNT,           /* assoc; value: answer to m2pa_bsnt() */
	PE_M2PA_RETRIEVED,      /* assoc; mbuf at its SIO; value = priority */
	PE_M2PA_RETRIEVAL_DONE, /* assoc; value = messages */
	PE_GRACE,               /* internal to plane_after_grace() */
};

struct plane_event {
	enum plane_event_kind kind;
	struct assoc *assoc;
	struct listener *listener;
	struct tp_incoming *take_incoming;
	struct mbuf *take_mbuf; /* free with plane_free_mbuf() */
	uint16_t in_streams, out_streams;
	bool reachable;
	bool outstanding; /* PE_M2PA_STATUS: our messages wait for acknowledgement */
	union tp_addr addr;
	enum drop_reason reason_code;
	uint16_t network; /* index */
	uint32_t value;   /* DPC, RC, NA, count or level, by kind and reason */
	char reason[TP_REASON];
};

typedef void (*plane_event_fn)(void *user, const struct plane_event *ev);

/* Starts the workers. They run until plane_stop(). */
enum sb_err plane_new(
	const struct plane_conf *conf, plane_event_fn fn, void *user, struct plane **out) SB_MUST_USE;
/* Aborts what is still up, joins the workers, frees everything. */
void plane_stop(struct plane *take_p);

/* Readable when events wait; then call plane_dispatch(), which calls the event function for each. */
int plane_event_fd(const struct plane *p);
void plane_dispatch(struct plane *p);

/* Publishes TAKE_T; the table before it is freed after its grace period. */
void plane_publish(struct plane *p, struct fwd_table *take_t);
/* From here to plane_give() what control tells the workers waits for the next plane_publish(), or else for
 * plane_give(): when a peer reads of a change, the table has it. Without it a peer that is fast finds the
 * table of before, for as long as control computes. */
void plane_gather(struct plane *p);
void plane_give(struct plane *p);
const struct fwd_table *plane_table(const struct plane *p);

/* Calls FN(ARG) on the control thread once every worker has left every table older than the current one, and
 * all that it forwarded by them is in its egress queue (see fwd.h). Calls come in the order they were asked
 * for. */
void plane_after_grace(struct plane *p, void (*fn)(void *arg), void *arg);

/* A buffer for a message of control's own; NULL if its pool is empty. */
struct mbuf *plane_mbuf(struct plane *p);
void plane_free_mbuf(struct plane *p, struct mbuf *take_m);

/* ---- listeners ---- */

/* NAME is copied. FAIL later: PE_LISTEN_FAILED. PERMIT: addresses that may connect; n_permit 0: any. */
struct listener *plane_listen(struct plane *p, const char *name, const struct tp_params *params, void *owner);
enum sb_err listener_permit(struct listener *ls, const union tp_addr *addrs, unsigned n);
void plane_unlisten(struct listener *take_ls);
void plane_reject(struct plane *p, struct tp_incoming *take_in);
void *listener_owner(const struct listener *ls);
const char *listener_name(const struct listener *ls);
const struct tp_ops *listener_transport(const struct listener *ls);
/* Peers that it refused because no file descriptors were left. */
uint64_t listener_starved(const struct listener *ls);
bool listener_is_up(const struct listener *ls);

/* ---- associations ---- */

enum assoc_proto { ASSOC_M3UA, ASSOC_M2PA };

/* What a peer may do otherwise than RFC 4666 s.1.4.7 and s.3.3.1 say, counted. */
enum assoc_tolerance {
	ASSOC_ANY_STREAM = 1, /* DATA on stream 0 */
	ASSOC_ANY_PPID = 2,   /* 0, or M3UA's in the wrong octet order */
	ASSOC_ANY_NA = 4,     /* a Network Appearance that is not the network's */
	ASSOC_DRAFT_DATA = 8, /* Protocol Data under a tag of early drafts */
};

struct assoc_conf {
	const char *name; /* copied */
	struct tp_params params;
	uint32_t txq_limit; /* messages; onset of congestion levels 1, 2, 3 at 50, 75, 90 %, abatement 10 %
			       lower */
	void *owner;        /* control's object behind it */
	enum assoc_proto proto;
	uint32_t t7_ms;     /* M2PA: excessive delay of acknowledgement (Q.703 s.12.3) */
	unsigned tolerates; /* enum assoc_tolerance, together */
};

/* Opens one, from our side or from a peer that has arrived. One struct assoc per SCTP association: a
 * reconnection is a new one. NULL: no memory, or the transport cannot run here (WHY then tells, TP_REASON
 * bytes). */
struct assoc *assoc_connect(struct plane *p, const struct assoc_conf *conf, char *why);
struct assoc *assoc_adopt(
	struct plane *p, struct tp_incoming *take_in, const struct assoc_conf *conf, char *why);

/* Puts a message on its transmit queue behind everything posted before; PPID and stream are M's. To an M2PA
 * link: an MSU at its SIO, M->aux its priority; it leaves when the link is in service, or is retrieved. */
void assoc_send(struct assoc *a, struct mbuf *take_m);
/* The same for DATA that control forwards because no worker can: it counts as such, and is not discarded for
 * a full queue. To M3UA peers. */
void assoc_forward(struct assoc *a, struct mbuf *take_m);
/* The peer is not read from (its next message on) to the call that takes this back: the answers to what it
 * has asked must leave first. Not for links. */
void assoc_restrain(struct assoc *a, bool on);
void assoc_shutdown(struct assoc *a);
void assoc_abort(struct assoc *a, const char *why);
/* After PE_DOWN only. Memory is released after a grace period in which no table names it. */
void assoc_free(struct assoc *take_a);

/* RESTARTED by a peer that knows nothing of before, until control has heard so: nothing is sent to it. */
enum assoc_state { ASSOC_CONNECTING, ASSOC_UP, ASSOC_RESTARTED, ASSOC_CLOSING, ASSOC_DOWN };

uint32_t assoc_id(const struct assoc *a); /* index for fwd_table.ingress; reused after assoc_free() */
const char *assoc_name(const struct assoc *a);
enum assoc_proto assoc_proto(const struct assoc *a);
void *assoc_owner(const struct assoc *a);
enum assoc_state assoc_state(const struct assoc *a);
const char *assoc_state_name(enum assoc_state s);
const struct tp_ops *assoc_transport(const struct assoc *a);
const char *assoc_transport_why(const struct assoc *a); /* why this transport: for `show` */
const struct tp_params *assoc_params(const struct assoc *a);
unsigned assoc_worker(const struct assoc *a);
uint32_t assoc_life(const struct assoc *a);     /* restarts that control has heard of: fwd_slot.life */
uint64_t assoc_since_ms(const struct assoc *a); /* clock_ms() of the last state change */
uint16_t assoc_in_streams(const struct assoc *a);
uint16_t assoc_out_streams(const struct assoc *a);
enum sb_err assoc_info(const struct assoc *a, struct tp_info *out) SB_MUST_USE;

struct assoc_stats {
	uint64_t c[AC_COUNT];
	uint64_t drops[DROP_COUNT];
	uint32_t txq, txq_limit; /* messages queued now */
	uint8_t congestion;      /* level 0..3 */
	size_t memory;           /* bytes the gateway itself holds for it, stream pages included */
};
void assoc_stats(const struct assoc *a, struct assoc_stats *out);

/* 16 bytes a stream and direction, in paged arrays: allocated on first use. */
struct stream_state {
	_Atomic uint64_t messages;
	_Atomic uint32_t last_ms; /* low bits of clock_ms() */
	_Atomic uint16_t ssn;
	_Atomic uint16_t faults;
};
const struct paged *assoc_streams(const struct assoc *a, bool outbound);

/* ---- workers, for `show` ---- */

struct worker_stats {
	uint64_t c[WC_COUNT];
	uint64_t drops[DROP_COUNT];
	unsigned assocs, buffers_in_use, buffers;
	uint64_t buffers_exhausted;
	uint64_t cpu_ns; /* of the thread */
};
unsigned plane_workers(const struct plane *p);
void plane_worker_stats(const struct plane *p, unsigned i, struct worker_stats *out);
/* Sums over associations that are gone are kept: totals never go back. */
void plane_totals(const struct plane *p, struct assoc_stats *out);
