/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Routes: which egress carries what to where. Between the data plane, whose forwarding table it compiles and
 * publishes, and the protocols that provide the egresses (an Application Server, an AS of another gateway, a
 * linkset) and tell their peers what became of a destination.
 *
 *   egress       what can carry traffic: state, slots, congestion. Its provider is asked for them.
 *   route        (network, point code or mask, SI, OPC) -> egress, with a priority and a status of its own,
 *                which the node behind the egress sets by SSNM or TFx.
 *   selector     the routes of one (destination, SI, OPC): the best available ones carry the traffic, and
 *                share it by SLS if there are several of one priority (a combined linkset, data/sls.h).
 *   destination  a point code (or mask) and what its routes make of it (dest.h).
 *
 * Nothing takes effect before router_publish(), and nobody is told before router_tell(). Control thread only.
 */
#pragma once

#include <osmocom/core/linuxlist.h>
#include <stdbool.h>
#include <stdint.h>

#include "data/fwd.h"
#include "route/dest.h"

struct assoc;
struct plane;
struct router;
struct route_egress;

enum { ROUTE_MAX_NETWORKS = 256, ROUTE_MAX_PRIORITY = 255, ROUTE_MAX_WATCHED = 4096 };

/* ---- egresses ---- */

/* How an egress carries traffic now; filled in by its provider. */
struct route_offer {
	void *ctx; /* talloc */
	enum fwd_as_state state;
	enum fwd_mode mode;
	enum fwd_share_key key;
	struct fwd_slot *slots;
	uint32_t *owners; /* of each slot, a stable number: flows stay with it */
	uint32_t n_slots;
	/* Of a target that shares by SLS: FWD_SLS_BUCKETS indexes into the slots, if the provider says who
	 * gets what; NULL: evenly. */
	uint16_t *share;
};
/* SLOT's AS number is filled in. False without memory. */
bool route_offer_slot(struct route_offer *o, uint32_t owner, const struct fwd_slot *slot);

struct route_egress_ops {
	const char *kind; /* "as", "linkset" */
	void (*offer)(void *owner, struct route_offer *out);
	/* The status that its routes have as far as it goes (while pending: the one before), and its
	 * congestion level. */
	void (*condition)(void *owner, enum dest_status *status, uint8_t *congestion);
};

/* NULL without memory. INDIVIDUAL: the node behind it may say that it cannot reach a destination, so that its
 * routes have a status each (route_set_status). */
struct route_egress *route_egress_new(
	struct router *r, const char *name, const struct route_egress_ops *ops, void *owner, bool individual);
/* The same later on; takes effect at router_rebuild(). */
void route_egress_set_individual(struct route_egress *e, bool individual);
/* Its routes are used when there is no other, whatever their priority (the linkset between a mated pair); but
 * a neighbour's own linkset is as good as ever for what is for the neighbour. At router_rebuild(). */
void route_egress_set_reserve(struct route_egress *e, bool reserve);
/* What workers can see of it is retired; routes through it lead nowhere until router_rebuild(). */
void route_egress_free(struct route_egress *take_e);
const char *route_egress_name(const struct route_egress *e);
const struct route_egress_ops *route_egress_ops(const struct route_egress *e);
void *route_egress_owner(const struct route_egress *e);
/* Number in the forwarding table: of its target, its slots, and of what comes in from it. */
uint32_t route_egress_number(const struct route_egress *e);
/* The bound on messages that wait while it is pending; outlives compiled tables. Limit 0 at first. */
struct fwd_hold *route_egress_hold(const struct route_egress *e);
enum fwd_as_state route_egress_state(const struct route_egress *e); /* as compiled last */
enum dest_status route_egress_status(const struct route_egress *e);
struct route_egress *router_egress_by_name(struct router *r, const char *name);
struct route_egress *router_egress_by_number(struct router *r, uint32_t number);

/* Its offer changed: it is asked again at the next publish, and its destinations are looked at again. */
void route_egress_dirty(struct route_egress *e);
/* Its condition changed: its destinations are looked at again at the next router_tell(). */
void route_egress_stale(struct route_egress *e);

/* ---- routes ---- */

enum route_source {
	ROUTES_OF_KEYS,
	ROUTES_OF_LINKSETS, /* to the neighbours */
	ROUTES_CONFIGURED,
	ROUTE_SOURCES,
	ROUTES_WATCHED /* those of a masked destination again, for one point code in it (route_set_status) */
};

struct route_spec {
	uint16_t network;
	uint8_t mask; /* low bits of PC that do not matter */
	uint8_t si;   /* or FWD_ANY_SI */
	uint8_t priority;
	uint32_t pc;
	uint32_t opc; /* or FWD_ANY_OPC */
	struct route_egress *egress;
};

/* A route without SI and OPC is an alternative for every narrower selector of the destination, too: there it
 * comes again, INHERITED. */
struct route {
	struct route_spec spec;
	enum route_source source;
	bool inherited;
	bool in_use;             /* carries traffic now, or would; while held: is going to */
	bool carried;            /* did before the last change; while held: what is under way went by it */
	enum dest_status status; /* what the node behind the egress says */
	uint8_t congestion;
	uint64_t said_ms;  /* clock_ms() when that changed last; 0: it has said nothing yet */
	bool touched;      /* its status changed since its destination was last looked at */
	uint32_t selector; /* index */
};

/* The networks by index; own_pcs must stay until the next call. */
void router_set_networks(struct router *r, const struct fwd_network *networks, unsigned n);
/* Do messages have congestion priorities there (Q.704 s.11.2.4)? Not unless this says so, after each of the
 * former. */
void router_set_priorities(struct router *r, uint16_t network, bool has);
/* All the routes of a source, copied; they replace those it had. */
void router_set_routes(
	struct router *r, enum route_source source, const struct route_spec *specs, unsigned n);
/* After either: destinations anew; what is known of those that stay is kept, of those that go told. */
void router_rebuild(struct router *r);
/* The network is gone, another one may take its index: nothing of it is kept. */
void router_forget_network(struct router *r, uint16_t network);
/* The status of a route with regard to its egress's. */
enum dest_status route_status(const struct route *route);
/* The SLSs that it carries as things are. */
void route_slss(const struct router *r, const struct route *route, struct sls_set *out);
/* Does it come after all others that are available or restricted? */
bool route_is_reserve(const struct route *route);

/* What the node behind E says of the destinations in PC's range (SSNM, TFx): how many there were. One point
 * code that goes by a masked destination is from then on a destination of its own (ROUTE_MAX_WATCHED at
 * most), for as long as it differs. */
unsigned route_set_status(struct router *r, struct route_egress *e, uint16_t network, uint32_t pc,
	uint8_t mask, enum dest_status status);
unsigned route_set_congestion(
	struct router *r, struct route_egress *e, uint16_t network, uint32_t pc, uint8_t mask, uint8_t level);
/* It says nothing any more, or starts anew: all its routes are available and uncongested. */
void route_reset_status(struct router *r, struct route_egress *e);

/* ---- moving traffic in order ---- */

enum route_move {
	ROUTE_FORCED,    /* a route that carried it can do so no more, or it goes back to where it was */
	ROUTE_CONTROLLED /* those that carried it still could: there are better ones */
};

/* HELD: what is to go by other routes than those that carried it waits in the workers that received it, as if
 * the target were pending; bounded by the hold of one of its egresses, and not at all if they have none. Of
 * several that share it by SLS, what stays with its egress goes on. To be called by route_listener.moves.
 * Otherwise, and what waits first, it goes by the best routes there are at the next router_publish(). No such
 * destination: nothing happens. */
void route_hold(struct router *r, uint16_t network, uint32_t pc, uint8_t mask, bool held);

/* ---- news ---- */

struct route_list {
	uint32_t *v; /* mask << 24 | point code */
	uint32_t n;
};

/* Destinations of one network whose status or congestion changed, by what it is now. */
struct route_news {
	uint16_t network;
	const struct route_egress *from; /* whose change it was, NULL: the routes'. It is not to be told */
	struct route_list by_status[DEST_UNAVAILABLE + 1], congested[4];
};

struct route_listener {
	void (*changed)(void *user, const struct route_news *news);
	/* Other routes to D carry traffic now, whatever its status; may be NULL. Told after the news. */
	void (*moved)(void *user, const struct dest *d);
	/* Traffic to D is about to go by other routes (in_use) than those that carried it. At once, unless it
	 * is held from within; may be NULL. While it is held again when the move is a forced one, or when
	 * more of it has to wait. */
	void (*moves)(void *user, const struct dest *d, enum route_move how);
};
/* False: no room. */
bool router_subscribe(struct router *r, const struct route_listener *l, void *user);
/* Looks at the destinations of what is stale again, and tells the listeners. */
void router_tell(struct router *r);

/* ---- the forwarding table ---- */

struct router *router_new(void *talloc_ctx);
void router_set_plane(struct router *r, struct plane *p);
/* After the plane has stopped: frees every part. */
void router_free(struct router *take_r);

/* What may come in on an association (fwd_ingress_new). Without memory nothing changes. */
void router_set_ingress(struct router *r, const struct assoc *a, const struct fwd_ingress_rc *rcs, unsigned n,
	const struct fwd_ingress_rc *only);
/* Nothing any more. */
void router_drop_ingress(struct router *r, const struct assoc *a);

/* Compiles what is out of date and publishes, if anything is. INGRESS_ONLY leaves targets and routes for the
 * next call. */
void router_publish(struct router *r, bool ingress_only);
