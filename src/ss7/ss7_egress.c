/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A linkset as routes see it: its links are the slots, and level 3 says which link carries which SLS. */
#include <talloc.h>

#include "m2pa/link.h"
#include "ss7/ss7_int.h"

enum { NO_SLOT = UINT16_MAX };

/* One slot for each link that has an open bucket, and one for all that wait. */
struct slots {
	struct ss7_link *link[MTP3_LINKS + 1]; /* NULL: those that wait */
	uint16_t n;
};

static uint16_t slot_of(
	struct slots *s, struct route_offer *o, const struct ss7_linkset *ls, struct ss7_link *l)
{
	struct fwd_slot slot = {.proto = FWD_M2PA,
		.flags = FWD_SLOT_ROUTES,
		.max_sif = ls->conf->max_sif,
		.rotate = ls->rotate};

	for (uint16_t i = 0; i < s->n; i++)
		if (s->link[i] == l)
			return i;
	slot.assoc = l ? l->assoc : NULL;
	slot.hold = l ? NULL : route_egress_hold(ls->egress);
	if (s->n > MTP3_LINKS || !route_offer_slot(o, l ? l->conf->slc : MTP3_LINKS, &slot))
		return NO_SLOT;
	s->link[s->n] = l;
	return s->n++;
}

/* While the last link's changeover is on, the traffic waits for this linkset, and goes by no other yet: what
 * is retrieved is older (Q.704 s.5.5). */
static enum fwd_as_state state_of(const struct ss7_linkset *ls)
{
	return ls->now.state == MTP3_LS_DOWN ? FWD_AS_UNSERVED : FWD_AS_ACTIVE;
}

/* Which bucket of the table is whose. */
static bool share(const struct ss7_linkset *ls, struct route_offer *o)
{
	struct slots s = {.n = 0};

	o->share = talloc_array(o->ctx, uint16_t, FWD_SLS_BUCKETS);
	for (unsigned i = 0; o->share && i < FWD_SLS_BUCKETS; i++) {
		uint8_t b = ss7_bucket(ls, (uint8_t)i);
		struct ss7_link *l = ls->now.state == MTP3_LS_UP ? ls->now.link[b] : NULL;

		o->share[i] = slot_of(&s, o, ls, l && l->assoc && !ls->now.held[b] ? l : NULL);
		if (o->share[i] == NO_SLOT)
			return false;
	}
	return o->share;
}

static void offer(void *owner, struct route_offer *out)
{
	const struct ss7_linkset *ls = owner;

	out->state = state_of(ls);
	out->mode = FWD_LOADSHARE;
	out->key = FWD_KEY_SLS;
	if (out->state != FWD_AS_ACTIVE || share(ls, out))
		return;
	LOGP(DROUTE, LOGL_ERROR, "linkset %s: no memory for its slots\n", ls->name);
	out->state = FWD_AS_UNSERVED;
	out->share = NULL;
}

static void condition(void *owner, enum dest_status *status, uint8_t *congestion)
{
	struct ss7_linkset *ls = owner;
	const struct ss7_link *l;

	if (ls->now.state != MTP3_LS_PENDING)
		ls->status = ls->now.state == MTP3_LS_UP ? DEST_AVAILABLE : DEST_UNAVAILABLE;
	*status = ls->status;
	*congestion = 0;
	llist_for_each_entry (l, &ls->ss7->links, entry)
		if (l->linkset == ls && l->in_service && l->congestion > *congestion)
			*congestion = (uint8_t)l->congestion;
}

const struct route_egress_ops ss7_egress_ops = {.kind = "linkset", .offer = offer, .condition = condition};

void ss7_linkset_commit(struct ss7_linkset *ls)
{
	if (!ls->dirty)
		return;
	ls->dirty = false;
	ls->came |= ls->now.state == MTP3_LS_DOWN && ls->next.state == MTP3_LS_UP;
	ls->now = ls->next;
	route_egress_dirty(ls->egress);
}

/* ---- what routing control itself does by hand ---- */

struct ss7_link *ss7_linkset_link(const struct ss7_linkset *ls, uint8_t sls)
{
	return ls->next.link[ss7_bucket(ls, sls)];
}

struct ss7_linkset *ss7_linkset_of(const struct route_egress *e)
{
	return e && route_egress_ops(e) == &ss7_egress_ops ? route_egress_owner(e) : NULL;
}

bool ss7_linkset_may_carry(const struct ss7_linkset *ls, uint32_t pc)
{
	const struct sg_network *network = ls->net->network;
	const struct dest *d = network ? dest_match(sg_router(ls->ss7->sg), network->index, pc) : NULL;

	for (uint32_t i = 0; d && i < d->n_routes; i++)
		if (d->routes[i].spec.egress == ls->egress)
			return d->routes[i].status != DEST_UNAVAILABLE;
	return true;
}

bool ss7_route_is_better(const struct route *a, const struct route *b)
{
	enum dest_status x = route_status(a), y = route_status(b);

	if (route_is_reserve(a) != route_is_reserve(b))
		return route_is_reserve(b);
	return x != y ? x < y : a->spec.priority < b->spec.priority;
}

const struct route *ss7_best_route(const struct ss7_net *n, uint32_t pc, const struct ss7_linkset *except)
{
	const struct dest *d = n->network ? dest_match(sg_router(n->ss7->sg), n->network->index, pc) : NULL;
	const struct route *best = NULL;

	for (uint32_t i = 0; d && i < d->n_routes; i++) {
		const struct route *r = &d->routes[i];

		if (!r->spec.egress || (except && ss7_linkset_of(r->spec.egress) == except) ||
			route_status(r) == DEST_UNAVAILABLE || route_status(r) == DEST_UNKNOWN)
			continue;
		if (!best || ss7_route_is_better(r, best))
			best = r;
	}
	return best;
}
