/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The forwarding table: all that a worker needs to know to forward DATA, compiled by control, immutable,
 * published with one pointer store. A table is a thin top over parts that successive tables share:
 *
 *   fwd_routing   (network, DPC) -> destination -> [SI, OPC narrower keys] -> target's number    changes with
 *                                                                                                the routes
 *   fwd_as        a target: state, mode, slots (association, header fields), SLS -> slot         changes with
 *                                                                                                the AS
 *   fwd_ingress   per association: Routing Context -> (network, AS number)                       changes with
 *                                                                                                the ASP
 *   fwd_congestion  destination -> level, while there is any (data/congested.h)
 *
 * Ordering rule (ARCHITECTURE.md): a worker reads the table pointer and *then* drains its inbox, at the start
 * of a loop pass and when it finds that it was woken; so whatever control posted before it published a table
 * is handled before anything is forwarded by that table. Control hands over what it tells with the table
 * (plane_gather), and a message goes by a table that was read after it had come (worker_is_behind), so nobody
 * whom control tells of a change finds the table of before. A worker itself can get what it is told without
 * the table, for it reads that first: hence the life of a slot. And when a table's grace period is over
 * (plane_after_grace), every message forwarded by an older one is on its egress association's queue or in its
 * worker's inbox, so what control posts then comes behind it.
 *
 * So a changeover keeps its order: publish a table in which the old link's slots have a hold; after its grace
 * period m2pa_retrieve() from the old link; m2pa_send_msu() what comes of it to the new one; publish a table
 * whose buckets lead there. A changeback likewise: hold, grace period, CBD and CBA, publish. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/mbuf.h"
#include "data/drop.h"
#include "data/sls.h"

struct assoc;

enum {
	FWD_ANY_SI = 0xff,
	FWD_ANY_NI = 0xff,
	FWD_ANY_OPC = 0xffffffffu,
	FWD_NO_AS = 0xffffffffu,
	FWD_SLS_BUCKETS = 256,
	FWD_HASH_BUCKETS = 4096
};

/* ---- routing ---- */

/* One (DPC, SI, OPC) combination: routing keys with lists give several rows. With a MASK it stands for all
 * point codes that differ from DPC in the lowest MASK bits only: those of the network's width are a default
 * route. An exact row is preferred to masked ones, and of these the one with the fewest bits masked. */
struct fwd_key {
	uint16_t network; /* index */
	uint8_t si;       /* or FWD_ANY_SI */
	uint32_t dpc;
	uint32_t opc; /* or FWD_ANY_OPC */
	uint32_t as;  /* number of the target: index into the table's */
	uint8_t mask; /* 0: exactly DPC */
};

struct fwd_network {
	uint8_t pc_bits;     /* 14, 16 or 24 */
	uint8_t variant;     /* enum pc_variant: how labels lie on its links */
	uint8_t ni;          /* network indicator that DATA must carry, or FWD_ANY_NI */
	bool has_priorities; /* congestion priorities of messages (Q.704 s.11.2.4) */
	bool has_na;
	uint32_t na;         /* Network Appearance on this gateway's side of every ASP */
	struct sls_rule sls; /* how the traffic of several egresses is shared; what links carry of the SLS */
	const uint32_t *own_pcs;
	unsigned n_own_pcs;
};

struct fwd_routing;

/* Compiles NETWORKS and KEYS (copied). Rows are matched most specific first: SI and OPC, OPC, SI, DPC alone.
 * SB_EEXIST if two rows are the same but for their AS; *CLASH (may be NULL) then indexes the second. */
enum sb_err fwd_routing_new(const struct fwd_network *networks, unsigned n_networks,
	const struct fwd_key *keys, unsigned n_keys, struct fwd_routing **out, unsigned *clash) SB_MUST_USE;
void fwd_routing_free(struct fwd_routing *r);

/* NULL if there is no such network. Its own_pcs are the routing's copy. */
const struct fwd_network *fwd_routing_network(const struct fwd_routing *r, uint16_t network);

/* A message whose OPC is the gateway's own can only have come in a loop, unless the gateway shares that point
 * code with an AS (a routing key has it as DPC). */
bool fwd_opc_loops(const struct fwd_routing *r, uint16_t network, uint32_t opc);

/* What a look-up found, and how, for `show route lookup`. */
struct fwd_match {
	uint32_t as;             /* FWD_NO_AS: see reason */
	enum drop_reason reason; /* DROP_NO_ROUTE, DROP_NO_USER or DROP_OWN_OPC-like cases */
	bool own_dpc;            /* the DPC is one of the gateway's own */
	bool by_si, by_opc;      /* which narrower fields decided */
	bool masked;             /* by a masked row: of these bits */
	uint8_t mask;
};
void fwd_route(const struct fwd_routing *r, uint16_t network, uint32_t opc, uint32_t dpc, uint8_t si,
	struct fwd_match *out);

/* ---- targets ---- */

enum fwd_as_state { FWD_AS_UNSERVED, FWD_AS_ACTIVE, FWD_AS_PENDING };
enum fwd_mode { FWD_OVERRIDE = 1, FWD_LOADSHARE = 2, FWD_BROADCAST = 3 }; /* RFC 4666 s.3.7.1 */
enum fwd_share_key { FWD_KEY_SLS, FWD_KEY_OPC_SLS, FWD_KEY_CIC };

/* Messages of a pending AS, or for a closed slot, wait in the workers that received them; this bounds them
 * all together and outlives what is compiled with it. Owned by control: to be freed by plane_after_grace() of
 * a table that does not name it. */
struct fwd_hold {
	uint32_t limit;     /* messages */
	_Atomic uint32_t n; /* held now, by all workers */
};

enum fwd_proto { FWD_M3UA, FWD_M2PA }; /* what the association speaks */

enum {
	/* The other end routes, too: what came on an association does not go back on it. An ASP that has
	 * several ASs on one association is an end, and may send from one to the other. */
	FWD_SLOT_ROUTES = 1,
	FWD_SLOT_SLS5 = 2 /* DATA that leaves by it has an SLS of 5 bits */
};

/* Q.703 s.2.3.8: SIO and 272 octets of label and user part are what a narrow-band link carries. */
enum { FWD_NARROW_SIF = 272 };

/* One way out: an association, and what is written in front of a message that leaves by it.
 *
 * A slot with a HOLD is closed for the time of a changeover or changeback: what would leave by it waits in
 * the worker that has received it, in order, while the rest of the target's traffic goes on. A later table
 * routes it anew, before anything that has come since. */
struct fwd_slot {
	struct assoc *assoc;   /* NULL is allowed where there is a hold */
	struct fwd_hold *hold; /* bounds what waits; NULL: open */
	uint32_t as;           /* number of what it belongs to: nothing that came in from there leaves here */
	uint32_t life;         /* M3UA: assoc_life(); not for a peer that has restarted since */
	uint16_t max_sif;      /* M2PA: octets of label and user part; 0: FWD_NARROW_SIF */
	bool has_rc, has_na;   /* M3UA: written into outgoing DATA */
	uint32_t rc, na;
	uint8_t proto;  /* enum fwd_proto */
	uint8_t rotate; /* M2PA: low bits of the SLS that leave rotated by one (data/sls.h); 0: as they are */
	uint8_t flags;
	bool plain; /* an open one to an ASP, without flags: fwd_as_new() says so */
};

/* A target: where messages go. That of one AS has the slots of its active ASPs; one that several ASs (or
 * other egresses) share has the slots of all. */
struct fwd_as {
	uint32_t number; /* of the AS; FWD_NO_AS if there are several */
	enum fwd_as_state state;
	enum fwd_mode mode;
	enum fwd_share_key key;
	struct fwd_hold *hold;
	uint16_t n_slots;
	struct fwd_slot *slots; /* active ones: [0] for override, all for the other modes */
	uint32_t n_buckets;     /* a power of two: FWD_SLS_BUCKETS or FWD_HASH_BUCKETS; 0 unless loadshare */
	uint16_t *share;        /* bucket -> index into slots */
	uint32_t sls_mask;      /* sharing by SLS alone, as most do: fwd_as_new() says so. Else 0 */
};

/* Copies SPEC and its arrays into one allocation. Active without slots is unserved. */
struct fwd_as *fwd_as_new(const struct fwd_as *spec);
void fwd_as_free(struct fwd_as *as);

/* ---- ingress ---- */

struct fwd_ingress_rc {
	uint32_t rc;
	uint32_t as;
	uint16_t network;
	bool active; /* this ASP is active in this AS */
	bool sls5;   /* of the SLS in its DATA only the lowest 5 bits count */
};

/* Of a link: no rcs, and ONLY is its network and its linkset's number as an egress, active while the linkset
 * takes traffic. */
struct fwd_ingress {
	unsigned n_active; /* of all its ASs */
	unsigned n;        /* rcs */
	bool rc_required;  /* several ASs: DATA must carry a Routing Context (RFC 4666 s.3.3.1) */
	bool has_only;     /* there is an AS that DATA without one is meant for: */
	struct fwd_ingress_rc only;
	struct fwd_ingress_rc rcs[]; /* by rising rc; an AS configured without one is in `only` alone */
};

/* Sorts RCS. RCS without a Routing Context (has none configured) come as ONLY. */
struct fwd_ingress *fwd_ingress_new(
	const struct fwd_ingress_rc *rcs, unsigned n, const struct fwd_ingress_rc *only);
void fwd_ingress_free(struct fwd_ingress *in);

/* The entry for a Routing Context, or NULL. */
const struct fwd_ingress_rc *fwd_ingress_find(const struct fwd_ingress *in, uint32_t rc);

/* ---- the table ---- */

struct fwd_congestion; /* data/congested.h */

struct fwd_table {
	uint64_t generation;
	const struct fwd_routing *routing;
	struct fwd_congestion *congestion; /* of that routing; NULL: nothing is congested */
	uint32_t n_as, n_ingress;
	const struct fwd_as *const *as; /* by number; NULL: none. Several numbers may share a target */
	const struct fwd_ingress *const *ingress; /* by association id; NULL: nothing may come from there */
	uint32_t *epochs; /* by number: counts the times that a broadcast AS gained an ASP */
};

/* Copies the two vectors; the parts stay the caller's (control frees a part after the grace period in which
 * no table names it any more). */
struct fwd_table *fwd_table_new(const struct fwd_routing *routing, const struct fwd_as *const *as,
	uint32_t n_as, const struct fwd_ingress *const *ingress, uint32_t n_ingress);
void fwd_table_free(struct fwd_table *t);

/* Makes T the successor of OLD (NULL: the first): its generation, and its broadcast epochs (RFC 4666
 * s.4.3.4.3: the first DATA of each flow after an ASP joined a broadcast carries a Correlation Id).
 * plane_publish() does it. */
void fwd_table_follow(struct fwd_table *t, const struct fwd_table *old);

/* Which share bucket a message falls into, for a key of MODE (pure; also for `show route lookup`). PAYLOAD is
 * the MTP3-user part (ISUP's CIC is its first two octets). */
uint32_t fwd_bucket(const struct fwd_as *as, uint32_t opc, uint32_t dpc, uint8_t si, uint8_t sls,
	const uint8_t *payload, uint32_t payload_len);
