/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The inside of ss7/, shared by its files and by nobody else. */
#pragma once

#include <osmocom/core/linuxlist.h>
#include <osmocom/core/timer.h>

#include "base/log.h"
#include "base/mbuf.h"
#include "data/broadcast.h"
#include "m3ua/sg.h"
#include "route/route.h"
#include "ss7/ss7.h"

struct ss7 {
	struct sg *sg;
	struct plane *plane;
	struct m2pa_links *l2;
	struct mtp3 *l3;
	const struct ss7_conf *conf;
	struct llist_head nets, linksets, links;
	bool due;    /* something is to take effect */
	bool speaks; /* a message of level 3 waits for the next epoch */
	uint32_t next_epoch, done_epoch;
	struct broadcast broadcast; /* what control has forwarded to broadcast ASs */
	struct {
		bool on, closing, closed; /* linksets leave; all have left; associations are shut down */
		struct ss7_linkset *now;  /* that leaves */
		uint64_t at_once_ms, until_ms;
		struct osmo_timer_list timer;
		void (*done)(void *arg);
		void *arg;
	} leave;
};

/* A network that has linksets. */
struct ss7_net {
	struct llist_head entry;
	struct ss7 *ss7;
	char *name;
	const struct sg_network *network; /* NULL before its first ss7_apply() */
	struct mtp3_net_conf conf;
	struct sls_rule sls;
	struct mtp3_net *l3;
};

/* Who carries what: as level 3 has decided (next), and as it was published (now). */
struct ss7_share {
	struct ss7_link *link[MTP3_BUCKETS]; /* by the SLS's low bits; NULL: nobody */
	bool held[MTP3_BUCKETS];
	enum mtp3_ls_state state;
};

struct ss7_linkset {
	struct llist_head entry;
	struct ss7 *ss7;
	struct ss7_net *net;
	char *name;
	const struct ss7_linkset_conf *conf;
	struct mtp3_linkset_conf l3conf;
	struct mtp3_linkset *l3;
	struct route_egress *egress;
	uint8_t rotate;          /* bits of the SLS of what leaves */
	enum dest_status status; /* while pending it keeps the one before */
	struct ss7_share now, next;
	bool dirty;
	bool leaves;          /* ss7_leave.c */
	unsigned reserve_for; /* destinations */
	bool came;            /* up, by what the next table will be of */
};

/* What waits for the BSN of a link that was stopped. */
enum ss7_then { THEN_NOTHING, THEN_DEACTIVATE };

struct ss7_link {
	struct llist_head entry;
	struct ss7 *ss7;
	struct ss7_linkset *linkset;
	char *name;
	const struct ss7_link_conf *conf;
	struct mtp3_link_conf l3conf;
	struct m2pa_link *l2;
	struct mtp3_link *l3;
	struct assoc *assoc;   /* that traffic goes to; NULL: none */
	struct assoc *ingress; /* that traffic may come from */
	bool in_service;       /* level 2 */
	bool quiet;            /* level 3 itself stops it */
	const char *cause;     /* why level 3 gives it up */
	const char *down; /* out of service for this reason, not told to level 3 before the BSN is known */
	bool has_bsnt;
	uint32_t bsnt;
	struct mbuf *order;        /* a changeover order that came meanwhile, */
	struct ss7_link *order_on; /* on this link */
	enum ss7_then then;
	bool outage;      /* our processor outage: level 2 forgets it when it goes out of service */
	bool outage_ends; /* our processor outage ends: level 3 will say how */
	unsigned congestion;

	/* asked of level 2, carried out when no table names the association any more */
	bool wants_start, emergency, wants_retrieval;
	uint32_t fsnc;
	bool asked; /* at EPOCH */
	uint32_t epoch;
	struct mbufq said; /* messages that follow the table; rx_ns: the epoch that each waits for */

	struct mbufq retrieved;
	bool requeue;
};

static inline uint8_t ss7_bucket(const struct ss7_linkset *ls, uint8_t sls)
{
	return (uint8_t)(sls & (sls_values(&ls->l3conf.sls) - 1));
}

/* ---- ss7_link.c: level 2 ---- */

struct ss7_link *ss7_link_new(struct ss7_linkset *ls, const struct ss7_link_conf *conf);
void ss7_link_free(struct ss7_link *take_l);
/* Buffers that wait in it go back. */
void ss7_link_purge(struct ss7_link *l);
/* Out of service, in order; then THEN. */
void ss7_link_stop(struct ss7_link *l, enum ss7_then then);
/* The same, as a failure for level 3's REASON. */
void ss7_link_fail(struct ss7_link *l, const char *reason);
/* Before, and after, the grace period of a table that does not name its association any more. */
void ss7_link_withdraw(struct ss7_link *l);
void ss7_link_carry_out(struct ss7_link *l);
void ss7_link_follow_ingress(struct ss7_link *l);
/* One MSU, from its SIO on. */
void ss7_link_send(struct ss7_link *l, const uint8_t *msu, uint32_t len);
/* Those that waited for EPOCH or an earlier one go out. */
void ss7_link_say(struct ss7_link *l, uint32_t epoch);

/* ---- ss7_onward.c ---- */

/* What was retrieved goes on by the routing that comes. */
void ss7_link_requeue(struct ss7_link *l);

/* ---- ss7_ops.c: level 3 ---- */

extern const struct mtp3_ops ss7_mtp3_ops;

/* ---- ss7_egress.c: routes ---- */

extern const struct route_egress_ops ss7_egress_ops; /* owners are struct ss7_linkset */
/* What level 3 has decided is what the next table has. */
void ss7_linkset_commit(struct ss7_linkset *ls);
/* Which link of LS a message is to take; NULL: none. */
struct ss7_link *ss7_linkset_link(const struct ss7_linkset *ls, uint8_t sls);
/* False: its neighbour has said that it cannot reach PC. */
bool ss7_linkset_may_carry(const struct ss7_linkset *ls, uint32_t pc);
/* The best route to PC that does not begin with EXCEPT (may be NULL); NULL: none is available. */
const struct route *ss7_best_route(const struct ss7_net *n, uint32_t pc, const struct ss7_linkset *except);
/* Of two that are available or restricted. */
bool ss7_route_is_better(const struct route *a, const struct route *b);
struct ss7_linkset *ss7_linkset_of(const struct route_egress *e); /* NULL: it is none */

/* ---- ss7_reroute.c ---- */

void ss7_moves(void *user, const struct dest *d, enum route_move how); /* of ss7_listener */
void ss7_dest_hold(struct mtp3_net *n, uint32_t pc, uint8_t mask, bool held);

/* ---- ss7_interwork.c ---- */

struct ss7_net *ss7_net_at(const struct ss7 *s, uint16_t network);

extern const struct route_listener ss7_listener; /* its user is the struct ss7 */
/* A management message for a point code of an AS becomes SSNM. False: there is no such. */
bool ss7_to_ass(const struct ss7_net *n, const uint8_t *msu, uint32_t len);
/* What M3UA peers say (struct sg_others); ARG is the struct ss7: TFC to LOCAL, UPU to the neighbours. */
void ss7_controlled(void *arg, const struct sg_network *network, uint32_t local, uint32_t pc, uint8_t level);
void ss7_user_unavailable(
	void *arg, const struct sg_network *network, uint32_t pc, uint8_t user, uint8_t cause);

/* ---- ss7_traffic.c: of the links' traffic; USER is the struct ss7_link ---- */

void ss7_traffic_congested(void *user, struct mbuf *take_m, uint8_t mp);
void ss7_traffic_refused(void *user, struct mbuf *take_m, enum drop_reason why, uint32_t value);
/* The level that messages to PC meet. */
uint8_t ss7_congestion(const struct ss7_net *n, uint32_t pc);
bool ss7_is_own(const struct ss7_net *n, uint32_t pc);

/* ---- ss7_view.c: what is inside mtp3's objects ---- */

struct ss7_link *ss7_link_of(const struct mtp3_link *l);
struct ss7_linkset *ss7_linkset_of_l3(const struct mtp3_linkset *ls);
struct ss7_net *ss7_net_of(const struct mtp3_net *n);
/* Is it inactive, and its traffic elsewhere or given up? */
bool ss7_has_left(const struct mtp3_link *l);
/* Does its traffic wait for the end of a changeover? */
bool ss7_changes_over(const struct mtp3_link *l);
/* Does L carry traffic, so that a changeover order ends that? */
bool ss7_takes_orders(const struct mtp3_link *l);
/* The peer's outage is over: was the traffic diverted meanwhile (Q.704 s.5.6.2)? */
bool ss7_flush_due(const struct mtp3_link *l);
