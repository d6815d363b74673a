/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The one door to SCTP (kernel, embedded), TCP and the tests' memory transport. Nothing above knows which is
 * behind.
 *
 * Everything here runs on the thread that owns the tp_loop, except tp_available() and info(). A connection's
 * life:
 *
 *     connect() or adopt()  ->  TP_UP  ->  message()s, transmit()s  ->  shutdown()/abort() or the peer's  ->
 *     TP_DOWN (exactly once, also if it was never up)  ->  release()
 *
 * Upcalls never come from inside connect(), adopt(), transmit(), shutdown() or abort(): they come from the
 * loop. A transport may be called from inside its own upcalls, with one exception: release() must not be
 * called from one.
 *
 * Corking: transmit() is called once per loop pass with all that the pass has for the connection. It sends
 * with Nagle off, bundled into full packets, and leaves nothing held back in the stack when it has emptied
 * the queue. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/mbuf.h"
#include "sctp/addr.h"
#include "sctp/params.h"

struct ev_loop;
struct tp_conn; /* one association; the transport's own structure begins with it */
struct tp_listener;
struct tp_incoming; /* a peer that has arrived at a listener and is nobody's yet */

enum { TP_PPID_M3UA = 3, TP_PPID_M2PA = 5, TP_REASON = 96 };

enum tp_event_kind {
	TP_UP,      /* established; streams are the negotiated counts */
	TP_DOWN,    /* over, for the reason given; release() is due */
	TP_RESTART, /* the peer restarted the association (RFC 6458 s.6.1.1): all peer state is void, it is up
		     */
	TP_PATH,    /* a remote address became reachable or unreachable */
	TP_WRITABLE,      /* transmit() had left messages: call it again */
	TP_SEND_FAILED,   /* messages the transport had accepted were not delivered */
	TP_PEER_SHUTDOWN, /* the peer is leaving in order: nothing more can be sent */
};

struct tp_event {
	enum tp_event_kind kind;
	uint16_t in_streams, out_streams; /* TP_UP, TP_RESTART */
	uint32_t count;                   /* TP_SEND_FAILED: messages */
	bool reachable;                   /* TP_PATH */
	union tp_addr addr;               /* TP_PATH */
	char reason[TP_REASON]; /* TP_DOWN: for operators, e.g. "path failure", "refused", "closed by peer" */
};

/* Where a loop's upcalls go. USER is what connect(), adopt() or listen() was given. */
struct tp_upcalls {
	/* A whole message (never a part), ownership passes. stream, ssn, ppid, len, rx_ns are set. */
	void (*message)(void *user, struct mbuf *take_m);
	void (*event)(void *user, const struct tp_event *ev);
	/* A peer at a listener. Somebody must adopt() or reject() it, now or later, on this or (kernel, tcp)
	 * another loop. */
	void (*incoming)(void *user, struct tp_incoming *take_in);
	/* May this address talk to this listener at all? Asked before anything is allocated for it (embedded:
	 * at INIT). */
	bool (*permit)(void *user, const union tp_addr *from);
	/* N peers were refused, or (0) have to wait at the listener, because no file descriptors are left.
	 * May be NULL. */
	void (*starved)(void *user, unsigned n);
	/* A message that had to be refused: longer than max_message, or no buffer. LEN 0 if unknown. */
	void (*refused)(void *user, uint32_t len, bool too_long);
};

/* One per thread that runs transports. */
struct tp_loop {
	struct ev_loop *ev;
	struct mbuf_pool *pool;
	uint32_t max_message; /* bytes: longer ones are refused with an upcall, never cut */
	const struct tp_upcalls *up;
	void *priv[TP_KINDS]; /* each transport's own, made on first use */
};

struct tp_path_info {
	union tp_addr addr;
	bool active, primary;
	uint32_t srtt_ms, rto_ms, cwnd, mtu;
};

struct tp_info {
	uint8_t n_paths, n_local;
	struct tp_path_info paths[TP_MAX_ADDRS];
	union tp_addr local[TP_MAX_ADDRS];
	uint16_t local_port, remote_port;
	uint16_t local_udp_port, remote_udp_port; /* embedded */
	uint16_t in_streams, out_streams;
	uint32_t unacked, pending; /* messages: sent and not acknowledged; not sent yet */
	uint32_t peer_rwnd;
	uint64_t retransmissions;
	const char *crc; /* "offloaded to lo", "computed by the gateway", ... */
};

/* Every transport's structure for a connection begins with this. */
struct tp_conn {
	const struct tp_ops *ops;
	struct tp_loop *loop;
	void *user;
	struct mbufq *sent; /* the owner's; where messages with KEEP go when they are sent: see tp_done() */
};

/* For transports: M is sent (or never can be). The owner wants some messages back, unchanged, in the order of
 * their sending, at the latest before TP_DOWN: what M2PA has to retain until it is acknowledged. */
static inline void tp_done(struct tp_conn *c, struct mbuf *take_m)
{
	if (take_m->keep && c->sent)
		mbufq_push(c->sent, take_m);
	else
		mbuf_free(c->loop->pool, take_m);
}

struct tp_incoming {
	const struct tp_ops *ops;
	struct tp_loop *loop;              /* where it arrived */
	bool bound_to_loop;                /* embedded: must be adopted on that loop */
	union tp_addr addrs[TP_MAX_ADDRS]; /* the peer's */
	uint8_t n_addrs;
	uint16_t remote_port, local_port;
};

/* How closely a peer that has arrived fits the remote addresses and port of P: 0 not at all. Pure. */
unsigned tp_incoming_score(const struct tp_params *p, const struct tp_incoming *in);

struct tp_ops {
	const char *name;
	bool multihomed;
	bool ordered_only; /* one stream (tcp) */
	bool gives_ssn;    /* received messages carry their stream sequence number */

	/* Can this machine run it? If not, WHY says so in a few words. Any thread. */
	bool (*available)(char *why, size_t n);

	enum sb_err (*listen)(
		struct tp_loop *l, const struct tp_params *p, void *user, struct tp_listener **out);
	void (*unlisten)(struct tp_listener *take_ls);

	enum sb_err (*connect)(
		struct tp_loop *l, const struct tp_params *p, void *user, struct tp_conn **out);
	/* On failure the incoming peer is gone as well. */
	enum sb_err (*adopt)(struct tp_loop *l, struct tp_incoming *take_in, const struct tp_params *p,
		void *user, struct tp_conn **out);
	void (*reject)(struct tp_incoming *take_in);

	/* Sends from the head of Q what the transport takes now, freeing it or handing it back (tp_done());
	 * what is left stays in Q and TP_WRITABLE will follow. Returns the number of messages sent. Messages
	 * carry their stream and ppid. */
	unsigned (*transmit)(struct tp_conn *c, struct mbufq *q);

	void (*shutdown)(struct tp_conn *c); /* graceful: TP_DOWN follows when the peer agreed */
	void (*abort)(struct tp_conn *c, const char *why); /* at once: TP_DOWN follows */
	void (*release)(struct tp_conn *take_c);

	/* A consistent snapshot. kernel, tcp: any thread while the connection is not released (system calls
	 * on a descriptor); embedded: a copy that its own thread refreshes. SB_ESTATE before TP_UP. */
	enum sb_err (*info)(const struct tp_conn *c, struct tp_info *out);

	/* Frees loop->priv[kind], which is this transport's own and not NULL; NULL if it keeps nothing. */
	void (*loop_fini)(struct tp_loop *l);

	/* Stops reading, so that the peer's window closes and it sees a stalled receiver; and starts again.
	 * What one system call had brought along may still come (kernel). NULL: cannot. */
	void (*hold)(struct tp_conn *c, bool held);
};

extern const struct tp_ops tp_kernel, tp_embedded, tp_tcp, tp_mem;

/* The transport for KIND: TP_AUTO gives the kernel's where this machine has it, else the embedded one. WHY
 * (may be NULL) says which and why, for `show`. NULL if KIND cannot run here. */
const struct tp_ops *tp_select(enum tp_kind kind, char *why, size_t n);

const char *tp_kind_name(enum tp_kind kind);

/* Frees what the transports keep for this loop; every connection and listener on it must be gone. */
void tp_loop_fini(struct tp_loop *l);
