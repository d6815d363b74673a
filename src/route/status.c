/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The status of routes that the node behind an egress tells. */
#include <string.h>
#include <talloc.h>

#include "base/clock.h"
#include "route/route_int.h"

/* What is said of destinations. */
struct change {
	struct router *r;
	struct route_egress *e;
	enum dest_status status; /* DEST_UNKNOWN: as it is */
	int level;               /* -1: as it is */
};

static bool set(const struct change *c, struct route *route)
{
	bool changed = false;

	if (c->status != DEST_UNKNOWN && route->status != c->status) {
		route->status = c->status;
		changed = true;
	}
	if (c->level >= 0 && route->congestion != c->level) {
		route->congestion = (uint8_t)c->level;
		changed = true;
	}
	if (changed)
		route->said_ms = clock_ms();
	return changed;
}

/* False: no route to D leads through the egress. */
static bool set_dest(const struct change *c, struct dest *d)
{
	struct route *first = NULL;
	bool changed = false;

	for (uint32_t i = 0; i < d->n_routes; i++) {
		struct route *route = &c->r->plan->routes[d->routes - c->r->plan->routes + i];
		struct selector *s = &c->r->plan->selectors[route->selector];

		if (route->spec.egress != c->e)
			continue;
		first = first ? first : route;
		if (!set(c, route))
			continue;
		changed = true;
		if (s->own)
			target_dirty(c->r->plan, s);
	}
	if (changed && !first->touched) {
		first->touched = true;
		c->e->touched[c->e->n_touched++] = d;
		route_egress_stale(c->e);
	}
	return first != NULL;
}

static unsigned set_range(const struct change *c, uint16_t network, uint32_t pc, uint8_t mask)
{
	const struct plan *p = c->r->plan;
	unsigned n = 0, n_exact, i;
	const struct dest *list = dest_list(c->r, network, &n_exact);

	if (!list || !c->e->touched)
		return 0;
	i = dest_lower_bound(list, n_exact, (uint32_t)((uint64_t)pc >> mask << mask));
	for (; i < n_exact && range_within(list[i].pc, 0, pc, mask); i++)
		n += set_dest(c, &p->dests[p->first[network] + i]);
	for (i = n_exact; i < n_exact + p->n_masked[network]; i++)
		if (range_within(list[i].pc, list[i].mask, pc, mask))
			n += set_dest(c, &p->dests[p->first[network] + i]);
	return n;
}

/* ---- point codes within masked destinations ---- */

static uint32_t lower_bound(const struct router *r, uint16_t network, uint32_t pc)
{
	uint32_t lo = 0, hi = r->n_watched;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		const struct watched *w = &r->watched[mid];

		if (w->network < network || (w->network == network && w->pc < pc))
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static bool differs(const struct router *r, const struct watched *w)
{
	const struct dest *d = plan_find(r->plan, w->network, w->pc, 0);

	if (d && d->held)
		return true;
	for (uint32_t i = 0; d && i < d->n_routes; i++)
		if (d->routes[i].status != DEST_AVAILABLE || d->routes[i].congestion)
			return true;
	return false;
}

/* Forgets those that are as their masked destination is, when their traffic has gone back to its way. */
static void purge(struct router *r)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < r->n_watched; i++)
		if (differs(r, &r->watched[i]))
			r->watched[n++] = r->watched[i];
	r->n_watched = n;
}

static bool watch(struct router *r, uint16_t network, uint32_t pc)
{
	uint32_t i = lower_bound(r, network, pc);
	struct watched *grown;

	if (i < r->n_watched && r->watched[i].network == network && r->watched[i].pc == pc)
		return true;
	if (r->n_watched == ROUTE_MAX_WATCHED)
		return false;
	grown = talloc_realloc(r, r->watched, struct watched, r->n_watched + 1);
	if (!grown)
		return false;
	r->watched = grown;
	memmove(grown + i + 1, grown + i, (r->n_watched - i) * sizeof(*grown));
	grown[i] = (struct watched){network, pc};
	r->n_watched++;
	return true;
}

void status_settle(struct router *r)
{
	if (!r->n_pending)
		return;
	purge(r);
	for (uint32_t i = 0; i < r->n_pending; i++)
		if (r->pending[i].egress)
			watch(r, r->pending[i].network, r->pending[i].pc);
	router_rebuild(r);
	for (uint32_t i = 0; i < r->n_pending; i++) {
		const struct pending *p = &r->pending[i];

		if (p->egress)
			set_range(&(struct change){r, p->egress, p->status, p->level}, p->network, p->pc, 0);
	}
	r->n_pending = 0;
}

/* PC has no destination of its own. Does it go by a masked one that has a route through the egress, and would
 * it be another one from now on? */
static unsigned postpone(const struct change *c, uint16_t network, uint32_t pc)
{
	struct router *r = c->r;
	const struct dest *d = dest_match(r, network, pc);
	struct pending *grown;

	if (!d || !d->mask || !dest_is_served_by(d, c->e))
		return 0;
	if (c->status == DEST_AVAILABLE || (c->status == DEST_UNKNOWN && !c->level))
		return 1;
	grown = r->n_pending < ROUTE_MAX_WATCHED
			? talloc_realloc(r, r->pending, struct pending, r->n_pending + 1)
			: NULL;
	if (!grown)
		return 0;
	r->pending = grown;
	grown[r->n_pending++] = (struct pending){c->e, network, pc, c->status, c->level};
	return 1;
}

static unsigned set_any(const struct change *c, uint16_t network, uint32_t pc, uint8_t mask)
{
	unsigned n = set_range(c, network, pc, mask);

	/* what waits is older: it must not come after this */
	for (uint32_t i = 0; i < c->r->n_pending; i++) {
		struct pending *p = &c->r->pending[i];

		if (p->egress == c->e && p->network == network && range_within(p->pc, 0, pc, mask)) {
			p->status = c->status != DEST_UNKNOWN ? c->status : p->status;
			p->level = c->level >= 0 ? c->level : p->level;
			n++;
		}
	}
	return n || mask ? n : postpone(c, network, pc);
}

unsigned route_set_status(struct router *r, struct route_egress *e, uint16_t network, uint32_t pc,
	uint8_t mask, enum dest_status status)
{
	return set_any(&(struct change){r, e, status, -1}, network, pc, mask);
}

unsigned route_set_congestion(
	struct router *r, struct route_egress *e, uint16_t network, uint32_t pc, uint8_t mask, uint8_t level)
{
	return set_any(&(struct change){r, e, DEST_UNKNOWN, level & 3}, network, pc, mask);
}

void route_reset_status(struct router *r, struct route_egress *e)
{
	const struct change c = {r, e, DEST_AVAILABLE, 0};

	for (uint32_t i = 0; i < r->n_pending; i++)
		if (r->pending[i].egress == e)
			r->pending[i].egress = NULL;
	for (uint32_t i = 0; e->touched && i < e->n_dests; i++)
		set_dest(&c, e->dests[i]);
}
