/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The inside of the embedded transport; embedded.c says how it works. Only embedded*.c include this. */
#pragma once

#include <ev.h>
#include <stdatomic.h>
#include <sys/queue.h>

#include "sctp/embedded.h"
#include "sctp/embedded_packet.h"
#include "sctp/transport.h"

struct socket; /* usrsctp's */
struct emb;

enum {
	EMB_UDP_PORT = 9899, /* RFC 6951 s.4.1 */
	EMB_PATH_MTU = 1400, /* bytes of SCTP packet */
	EMB_TICK_MS = 20,    /* usrsctp has no "next deadline" */
	EMB_MANY = 5000,     /* associations: each tick looks at all timers, so it comes less often */
	EMB_TICK_MANY_MS = 50,
	EMB_SWEEP_TICKS = 10,  /* every association is looked at once in so many ticks */
	EMB_INFO_MS = 1000,    /* age of a snapshot */
	EMB_PROBE_MS = 100,    /* between the HEARTBEATs on a path that has failed */
	EMB_HALF_MAX = 1024,   /* peers that are not yet somebody's */
	EMB_HALF_MS = 5000,    /* between INIT and COOKIE ECHO */
	EMB_OFFER_MS = 10000,  /* between `incoming` and adopt() */
	EMB_READ_BUDGET = 512, /* messages of one association per pass */
	EMB_STRAY_BURST = 50,  /* answers to stray packets: at once, and per second */
	EMB_BUCKETS = 4096,
	EMB_SLOTS_MAX = 1 << 20,
	EMB_TX_PACKETS_MAX = 256, /* waiting for one sendmmsg() */
	EMB_TX_ARENA = 1 << 19,
	EMB_RX_BATCH = 32,
	EMB_RX_SLOT = 65536, /* UDP_GRO joins datagrams up to this */
	EMB_SCRATCH = 4096,
};

/* Where a packet goes, and from which of our addresses if the socket has several. */
struct emb_route {
	union tp_addr to;   /* with the UDP port; 0 in raw mode */
	union tp_addr from; /* AF_UNSPEC: the socket's own */
	uint16_t mtu;       /* bytes of SCTP packet */
	uint8_t tos;
	bool gso, omit_crc;
};

struct emb_tx {
	struct emb_route route;
	uint32_t off, len;
	bool open; /* more DATA may be put behind */
};

/* One UDP socket for each (local address, UDP port), one raw socket for each (local address, SCTP port),
 * shared by all associations there. */
struct emb_sock {
	struct emb *e;
	int fd;
	bool raw, wildcard;
	union tp_addr local;
	uint16_t port;
	unsigned refs;
	ev_io in, out;
	LIST_ENTRY(emb_sock) link;

	unsigned tx_first, tx_n; /* descriptors [first, first + n) wait */
	uint32_t tx_fill;        /* bytes of the arena in use */
	uint32_t tx_batch;       /* counts up when all have left */
	struct emb_tx *tx;
	uint8_t *arena;
};

struct tp_listener {
	struct emb *e;
	struct tp_loop *l;
	void *user;
	struct tp_params params;
	struct emb_sock *socks[TP_MAX_ADDRS];
	unsigned n_socks;
	LIST_ENTRY(tp_listener) link;
};

enum emb_state {
	EMB_HALF,    /* an INIT has come; SO listens, for this peer alone */
	EMB_OFFERED, /* association up, announced by `incoming`, nobody's yet */
	EMB_OWNED,   /* somebody's tp_conn */
};

enum { EMB_INFO_WORDS = (sizeof(struct tp_info) + 7) / 8 };

/* A peer as (our socket, its address and UDP port, both SCTP ports). usrsctp knows it by a small number,
 * never by a pointer, so that a late packet or timer of usrsctp's can meet nobody, but never freed memory. */
struct emb_peer {
	struct tp_conn conn; /* first: what callers of the ops table hold */
	struct tp_incoming in;
	struct emb *e;
	struct tp_listener *ls; /* EMB_HALF */
	enum emb_state state;
	uint32_t slot;

	struct emb_sock *sock;
	struct emb_route route;
	uint16_t rport, lport;
	bool hashed, loopback;
	enum tp_crc crc;
	bool peer_omits; /* its last packet had no checksum, and we took it */
	bool init_sent;
	struct emb_peer *hash_next;
	uint32_t tx_batch; /* its last packet is tx_last of that batch, if it still waits */
	unsigned tx_last;
	uint32_t tag, offered_tag; /* our verification tag, as is and as in the last INIT or INIT ACK */

	struct socket *so;
	bool connecting;      /* our INIT: until TP_UP */
	bool up, up_told;     /* association is there; TP_UP went out */
	bool leaving;         /* shutdown() was called, or the peer's SHUTDOWN came */
	bool asked;           /* it was shutdown() */
	bool blocked;         /* transmit() left messages */
	bool held;            /* hold(): nothing is read */
	bool down, down_told; /* it is over; TP_DOWN went out */
	bool unreachable;     /* the path */
	bool is_ready, is_waiting;
	int error; /* what usrsctp said last, for the reason */
	char reason[TP_REASON];
	uint32_t failed; /* messages not delivered, not yet told */

	struct mbuf *part; /* message of which only a part has come */
	uint32_t skipped;  /* bytes of the message being discarded; 0: none is */
	bool skip_long;

	uint64_t deadline_ms, info_ms, probe_ms;
	uint32_t next_tsn;
	bool tsn_known;
	uint64_t retransmissions;
	uint16_t in_streams, out_streams;
	TAILQ_ENTRY(emb_peer) ready, waiting;

	atomic_uint info_seq; /* odd: being written; 0: nothing yet */
	_Atomic uint64_t info[EMB_INFO_WORDS];
};

TAILQ_HEAD(emb_list, emb_peer);
LIST_HEAD(emb_socks, emb_sock);
LIST_HEAD(emb_listeners, tp_listener);

/* Several tp_loops may share it if they share one libev loop, and so one thread. */
struct emb {
	struct ev_loop *ev;
	unsigned users;
	ev_prepare flush;
	ev_check awake;
	ev_timer tick, kick;
	uint64_t last_ms;
	bool late; /* this pass has flushed already */

	struct emb_socks socks;
	struct emb_listeners listeners;

	struct emb_peer **slots; /* by number; usrsctp's name for it is number + 1 */
	uint32_t n_slots, cap_slots, sweep, ticks;
	uint32_t *free_slots, n_free;
	struct emb_peer *buckets[EMB_BUCKETS];
	uint32_t seed;

	struct emb_list ready, waiting;
	unsigned n_ready, n_waiting, stray_tokens;

	struct emb_rx *rx;
	uint64_t rx_ns;
	uint8_t scratch[EMB_SCRATCH];
};

/* embedded.c */
void emb_count(enum emb_stat s, uint64_t n);
void emb_ready(struct emb_peer *p); /* look at it in this pass or the next */
void emb_kick(struct emb *e);       /* there will be a next pass, now */
void emb_pump(struct emb *e);       /* looks at all that are ready: upcalls come from here */
struct emb_peer *emb_slot(uintptr_t name);
/* On first use; NULL and *ERR if another loop of this process has it. */
struct emb *emb_get(struct tp_loop *l, enum sb_err *err);
struct emb *emb_share(struct emb *e, struct tp_loop *l);
void emb_loop_fini(struct tp_loop *l);

/* embedded_peer.c: the table of peers */
struct emb_peer *emb_peer_new(struct emb *e, struct tp_loop *l);
void emb_peer_free(struct emb_peer *take_p);
void emb_peer_hash(struct emb_peer *p);
void emb_peer_unhash(struct emb_peer *p);
void emb_peer_wait(struct emb_peer *p, uint32_t ms); /* 0: no longer */
struct emb_peer *emb_peer_find(
	struct emb *e, const struct emb_sock *s, const union tp_addr *from, uint16_t rport, uint16_t lport);
/* The same, whatever its UDP port, if TAG is its verification tag. */
struct emb_peer *emb_peer_find_moved(struct emb *e, const struct emb_sock *s, const union tp_addr *from,
	uint16_t rport, uint16_t lport, uint32_t tag);

/* embedded_sock.c, embedded_tx.c */
enum sb_err emb_sock_get(struct emb *e, const union tp_addr *local, uint16_t port, bool raw,
	struct emb_sock **out) SB_MUST_USE;
void emb_sock_put(struct emb_sock *s);
bool emb_rx_init(struct emb *e);
void emb_rx_fini(struct emb *e);
bool emb_tx_init(struct emb_sock *s);
void emb_tx_fini(struct emb_sock *s);
/* A packet on its way; the checksum comes later. */
void emb_tx_put(struct emb_sock *s, const struct emb_route *r, const uint8_t *packet, size_t n);
/* The same for a packet of P, whose DATA may join the last one of P that still waits. */
void emb_tx_bundle(struct emb_peer *p, const struct emb_route *r, const uint8_t *packet, size_t n,
	const struct sctp_outline *o);
void emb_tx_flush(struct emb_sock *s);
void emb_tx_flush_all(struct emb *e);

/* embedded_in.c: a packet has come to S for our address TO (AF_UNSPEC: the socket's) */
void emb_input(struct emb_sock *s, const union tp_addr *from, const union tp_addr *to, const uint8_t *packet,
	size_t n);

/* embedded_assoc.c: usrsctp's sockets */
void emb_stack_init(void);
bool emb_stack_fini(void);
enum sb_err emb_assoc_open(struct emb_peer *p, const struct tp_params *par) SB_MUST_USE;
enum sb_err emb_assoc_listen(struct emb_peer *p) SB_MUST_USE;
enum sb_err emb_assoc_connect(struct emb_peer *p) SB_MUST_USE;
bool emb_assoc_accept(struct emb_peer *p);
bool emb_assoc_options(struct emb_peer *p, const struct tp_params *par); /* false: not all were taken */
void emb_assoc_feed(struct emb_peer *p, const uint8_t *packet, size_t n);
void emb_assoc_probe(struct emb_peer *p);                   /* its path has failed: is it good again? */
void emb_assoc_close(struct emb_peer *p, const char *why);  /* aborts if need be */
void emb_assoc_end(struct emb_peer *p, const char *reason); /* TP_DOWN is due */
/* usrsctp has no association behind it any more, though its owner has not been told yet. */
bool emb_assoc_gone(struct emb_peer *p);
unsigned emb_assoc_events(struct emb_peer *p);
unsigned emb_assoc_transmit(struct emb_peer *p, struct mbufq *q);
void emb_assoc_shutdown(struct emb_peer *p);

/* embedded_read.c: messages and notifications; upcalls */
void emb_read(struct emb_peer *p);

/* embedded_info.c */
void emb_info_refresh(struct emb_peer *p);
enum sb_err emb_info(const struct tp_conn *c, struct tp_info *out);
