/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The status of routes that the node behind an egress tells. */
#include "route/route_int.h"

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

unsigned route_set_status(struct router *r, struct route_egress *e, uint16_t network, uint32_t pc,
	uint8_t mask, enum dest_status status)
{
	return set_range(&(struct change){r, e, status, -1}, network, pc, mask);
}

unsigned route_set_congestion(
	struct router *r, struct route_egress *e, uint16_t network, uint32_t pc, uint8_t mask, uint8_t level)
{
	return set_range(&(struct change){r, e, DEST_UNKNOWN, level & 3}, network, pc, mask);
}

void route_reset_status(struct router *r, struct route_egress *e)
{
	const struct change c = {r, e, DEST_AVAILABLE, 0};

	for (uint32_t i = 0; e->touched && i < e->n_dests; i++)
		set_dest(&c, e->dests[i]);
}
