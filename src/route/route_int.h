/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The router's inside, shared by the files of route/ and by nobody else. */
#pragma once

#include "route/route.h"

struct selector {
	struct dest *dest;
	struct route *routes;
	uint32_t n_routes;
	uint32_t number; /* of its target: its only egress's, or (OWN) its own */
	uint32_t opc;
	uint8_t si;
	bool own, dirty, moved;
	bool held;                    /* its messages wait (move.c) */
	bool left;                    /* a route that carried them is no route of it any more */
	bool partly;                  /* held, but for those that stay with their egress */
	bool chosen_anew;             /* at the last look */
	const struct team *shared_by; /* what carried them, if it was a team */
	struct selector *next_dirty, *next_moved;
};

struct route_egress {
	struct llist_head entry; /* in router.egresses */
	struct llist_head dirty, stale;
	struct router *router;
	const struct route_egress_ops *ops;
	void *owner;
	char *name;
	uint32_t number;
	bool individual, reserve;
	struct fwd_hold *hold;
	struct fwd_as *part; /* as compiled last */
	struct fwd_as *wait; /* where what is to go by it waits (move.c); NULL until it is needed */
	uint32_t *owners;    /* of part's slots */
	bool shares;         /* its provider says who gets which bucket */
	uint32_t *buckets;   /* SLS -> owner, kept across changes (data/share.h) */
	uint32_t n_buckets;
	enum dest_status status;      /* as of the last look */
	uint8_t congestion;           /* */
	enum dest_status told_status; /* that its destinations were last looked at with */
	uint8_t told_congestion;      /* */
	struct dest **dests;          /* that it has a route to */
	struct selector **selectors;  /* those with a target of their own */
	uint32_t n_dests, n_selectors;
	struct dest **touched; /* whose route through it has another status of its own */
	uint32_t n_touched;
};

/* A compiled set of routes: flat arrays, immutable but for what is computed. */
struct plan {
	struct dest *dests; /* by network; in it the exact ones by point code, then by mask and point code */
	struct selector *selectors;
	struct route *routes;
	uint32_t n_dests, n_selectors, n_routes;
	uint32_t first[ROUTE_MAX_NETWORKS + 1];                             /* per network */
	uint32_t n_exact[ROUTE_MAX_NETWORKS], n_masked[ROUTE_MAX_NETWORKS]; /* */
	struct selector *dirty;
	struct selector *moved; /* other routes carry their traffic; not told yet */
};

/* The routes of the best priority that carry traffic: their egresses, by number, and those that carry it
 * now. */
struct choice {
	struct route_egress *all[FWD_SLS_BUCKETS], *best[FWD_SLS_BUCKETS];
	uint32_t n_all, n;
};

/* Several egresses that share the traffic of some destinations: a combined linkset. Those that cannot now are
 * part of it, too: what they carry goes to the others, and nothing else moves. */
struct team {
	struct llist_head entry; /* in router.teams */
	struct sls_rule sls;
	struct route_egress **all, **members; /* by number; members: those that carry traffic */
	uint32_t n_all, n;
	const struct team *from; /* what does not go as it did by that one waits, bounded by HOLD; or NULL */
	struct fwd_hold *hold;
	struct fwd_as *part;
	uint32_t egress[FWD_SLS_BUCKETS], owner[FWD_SLS_BUCKETS]; /* of each bucket */
	bool stale;
};

/* What an egress says of a point code that has no destination of its own yet. */
struct pending {
	struct route_egress *egress; /* NULL: it has gone */
	uint16_t network;
	uint32_t pc;
	enum dest_status status; /* DEST_UNKNOWN: as it is */
	int level;               /* -1: as it is */
};

struct watched {
	uint16_t network;
	uint32_t pc;
};

enum { ROUTE_LISTENERS = 4 };

struct number {
	enum { NUMBER_FREE, NUMBER_TAKEN, NUMBER_RELEASED } use;
	struct route_egress *egress; /* NULL: a selector's */
	const struct fwd_as *target; /* the table's entry; owned by an egress or team */
};

struct router {
	struct plane *plane;
	struct llist_head egresses, dirty, stale, teams;
	struct fwd_network networks[ROUTE_MAX_NETWORKS];
	unsigned n_networks;
	struct route_spec *specs[ROUTE_SOURCES];
	uint32_t n_specs[ROUTE_SOURCES];
	struct plan *plan;
	struct pending *pending;
	struct watched *watched; /* point codes, by network and value */
	uint32_t n_pending, n_watched;
	struct number *numbers;
	uint32_t n_numbers, free_hint; /* none is free below the hint */
	bool released;
	struct fwd_routing *routing;
	struct fwd_congestion *congestion; /* NULL: there is none */
	struct fwd_ingress **ingress;      /* by association id */
	uint32_t n_ingress;
	bool dirty_ingress, dirty_routing, dirty_congestion, dropped;
	struct batch *retiring;
	struct llist_head waiting;
	struct {
		const struct route_listener *l;
		void *user;
	} listeners[ROUTE_LISTENERS];
	unsigned n_listeners;
};

/* router.c: PART, which the next table does not name, is freed by FN when no worker can see it. Without
 * memory it is leaked: nobody may free what a worker can see. */
void router_retire(struct router *r, void (*fn)(void *), void *part);
void router_retire_target(struct router *r, struct fwd_as *part);
/* Numbers are not given out again before a table without them is out. FWD_NO_AS without memory. */
uint32_t router_number_take(struct router *r, struct route_egress *e);
void router_number_release(struct router *r, uint32_t number);

/* egress.c */
void egress_compile_dirty(struct router *r);
void egress_look(struct route_egress *e); /* asks for its condition */

/* target.c */
void target_choose(struct router *r, struct selector *s);
void target_dirty(struct plan *p, struct selector *s);
void target_compile(struct router *r); /* all that is dirty */
void target_egress_changed(struct route_egress *e);
void target_egress_gone(struct route_egress *e);

/* team.c */
/* The target of several, and (*OUT) the team it is of. Without memory it is the first one's, of no team. */
const struct fwd_as *team_target(
	struct router *r, const struct sls_rule *sls, const struct choice *c, const struct team **out);
/* The target of one or several while traffic moves to them from FROM: what goes by another egress then waits.
 * NULL: nothing would stay, or no memory. */
const struct fwd_as *team_hold(struct router *r, const struct sls_rule *sls, const struct choice *c,
	const struct team *from, struct fwd_hold *hold);
/* A single one to come from. NULL without memory. */
const struct team *team_alone(struct router *r, const struct sls_rule *sls, struct route_egress *e);
bool team_has(const struct team *t, const struct route_egress *e);
void team_egress_changed(struct route_egress *e);
void team_egress_gone(struct route_egress *e); /* nothing may name its teams any more */

/* move.c */
/* S, whose best routes are C: the target where its messages have to wait, or those of them that are to go by
 * another egress than before. NULL: all go at once. */
const struct fwd_as *move_wait(struct router *r, struct selector *s, const struct choice *c);
/* All of its traffic goes by the routes in use now. */
void move_settled(struct selector *s);
/* S of a new plan: what carried its traffic is what did in the old one (may be NULL). */
void move_inherit(const struct plan *old, struct selector *s);

/* plan.c */
struct plan *plan_new(struct router *r);
int plan_order(const struct dest *a, const struct dest *b);
struct dest *plan_find(const struct plan *p, uint16_t network, uint32_t pc, uint8_t mask);
struct dest *plan_cover(const struct plan *p, uint16_t network, uint32_t pc, uint8_t mask);
/* Is the range of (PC, MASK) inside that of (OTHER, OTHER_MASK)? */
static inline bool range_within(uint32_t pc, uint8_t mask, uint32_t other, uint8_t other_mask)
{
	return mask <= other_mask && (uint64_t)pc >> other_mask == (uint64_t)other >> other_mask;
}

/* status.c: the point codes that are to be watched, and what was said of them; before a publication. */
void status_settle(struct router *r);
/* news.c: destinations of OLD that are not in the plan any more. */
void news_gone(struct router *r, const struct plan *old);
