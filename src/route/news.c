/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What became of destinations, and telling it. A destination is as available as the best of its routes; a
 * masked one is told before those inside its range whose status differs, for the news of the wide range
 * covers them, too. The default route is not told: it says nothing about the point codes that have routes of
 * their own, and each other one is answered when somebody sends to it or asks. */
#include <stdlib.h>
#include <talloc.h>

#include "base/clock.h"
#include "route/route_int.h"

/* ---- the status of a destination ---- */

enum dest_status route_status(const struct route *route)
{
	const struct route_egress *e = route->spec.egress;

	if (!e)
		return DEST_UNAVAILABLE;
	return e->status > route->status ? e->status : route->status;
}

static uint8_t route_congestion(const struct route *route)
{
	uint8_t level = route->spec.egress ? route->spec.egress->congestion : 0;

	if (!route->in_use)
		return 0;
	return level > route->congestion ? level : route->congestion;
}

static void look(const struct dest *d, enum dest_status *status, uint8_t *congestion)
{
	*status = DEST_UNAVAILABLE;
	*congestion = 0;
	for (uint32_t i = 0; i < d->n_routes; i++) {
		enum dest_status s = route_status(&d->routes[i]);
		uint8_t c = route_congestion(&d->routes[i]);

		*status = s < *status ? s : *status;
		*congestion = c > *congestion ? c : *congestion;
	}
}

/* ---- lists ---- */

static uint32_t entry_of(const struct dest *d)
{
	return (uint32_t)d->mask << 24 | d->pc;
}

static void add(struct route_list *l, const struct dest *d)
{
	l->v[l->n++] = entry_of(d);
}

static bool news_init(struct route_news *w, void *ctx, uint32_t n)
{
	for (unsigned s = DEST_AVAILABLE; s <= DEST_UNAVAILABLE; s++)
		if (!(w->by_status[s].v = talloc_array(ctx, uint32_t, n + 1)))
			return false;
	for (unsigned level = 0; level < 4; level++)
		if (!(w->congested[level].v = talloc_array(ctx, uint32_t, n + 1)))
			return false;
	return true;
}

static void flush(struct router *r, struct route_news *w)
{
	uint32_t n = 0;

	for (unsigned i = 0; i < 4; i++)
		n += w->congested[i].n + (i ? w->by_status[i].n : 0);
	for (unsigned i = 0; n && i < r->n_listeners; i++)
		r->listeners[i].l->changed(r->listeners[i].user, w);
	for (unsigned i = 0; i < 4; i++)
		w->congested[i].n = w->by_status[i].n = 0;
}

static bool is_default(const struct router *r, const struct dest *d)
{
	return d->mask >= r->networks[d->network].pc_bits;
}

/* True if the status changed. */
static bool examine(struct router *r, struct route_news *w, struct dest *d)
{
	enum dest_status status;
	uint8_t congestion;
	bool changed;

	look(d, &status, &congestion);
	changed = status != d->status;
	if (changed) {
		d->status = status;
		d->since_ms = clock_ms();
		d->transitions++;
		if (!is_default(r, d))
			add(&w->by_status[status], d);
	}
	if (congestion != d->congestion) {
		d->congestion = congestion;
		r->dirty_congestion = true;
		if (!is_default(r, d))
			add(&w->congested[congestion & 3], d);
	}
	return changed;
}

/* Destinations inside D's range that are not as D is. */
static void tell_inside(struct router *r, struct route_news *w, const struct dest *d)
{
	const struct plan *p = r->plan;
	const struct dest *list = &p->dests[p->first[d->network]];
	uint32_t n = p->n_exact[d->network] + p->n_masked[d->network];

	for (uint32_t i = n; i-- > 0;)
		if (&list[i] != d && list[i].status != d->status &&
			range_within(list[i].pc, list[i].mask, d->pc, d->mask)) {
			add(&w->by_status[list[i].status], &list[i]);
			if (list[i].mask)
				flush(r, w);
		}
	flush(r, w);
}

/* One network's, in the plan's order: the masked ones, of which the widest is the last and told first, then
 * the exact ones. */
static void tell_network(struct router *r, struct route_news *w, struct dest **list, uint32_t n)
{
	uint32_t n_exact = n;

	for (; n_exact > 0 && list[n_exact - 1]->mask; n_exact--) {
		struct dest *d = list[n_exact - 1];

		if (!examine(r, w, d) || is_default(r, d))
			continue;
		flush(r, w);
		tell_inside(r, w, d);
	}
	flush(r, w);
	for (uint32_t i = 0; i < n_exact; i++)
		examine(r, w, list[i]);
	flush(r, w);
}

static void tell_dests(struct router *r, struct route_egress *e, struct dest **list, uint32_t n)
{
	void *ctx = talloc_new(r);
	struct route_news w = {.from = e};
	bool ok = ctx && news_init(&w, ctx, n > 1 || list[0]->mask ? r->plan->n_dests : 1);

	for (uint32_t first = 0, i; ok && first < n; first = i) {
		w.network = list[first]->network;
		for (i = first; i < n && list[i]->network == w.network; i++)
			;
		tell_network(r, &w, list + first, i - first);
	}
	talloc_free(ctx);
}

static int by_place(const void *a, const void *b)
{
	const struct dest *x = *(struct dest *const *)a, *y = *(struct dest *const *)b;

	return (x > y) - (x < y);
}

static void tell_touched(struct router *r, struct route_egress *e)
{
	qsort(e->touched, e->n_touched,
		sizeof(*e->touched), /* NOLINT(bugprone-sizeof-expression): pointers */
		by_place);
	tell_dests(r, e, e->touched, e->n_touched);
}

static void clear_touched(struct router *r, struct route_egress *e)
{
	for (uint32_t i = 0; i < e->n_touched; i++)
		for (uint32_t k = 0; k < e->touched[i]->n_routes; k++) {
			struct route *route = &r->plan->routes[e->touched[i]->routes - r->plan->routes + k];

			if (route->spec.egress == e)
				route->touched = false;
		}
	e->n_touched = 0;
}

static void tell_moves(struct router *r)
{
	struct selector *s;

	while (r->plan && (s = r->plan->moved)) {
		r->plan->moved = s->next_moved;
		s->moved = false;
		for (unsigned i = 0; i < r->n_listeners; i++)
			if (r->listeners[i].l->moved)
				r->listeners[i].l->moved(r->listeners[i].user, s->dest);
	}
}

void router_tell(struct router *r)
{
	struct route_egress *e, *next;

	llist_for_each_entry_safe (e, next, &r->stale, stale) {
		llist_del_init(&e->stale);
		egress_look(e);
		if (e->told_status != e->status || e->told_congestion != e->congestion) {
			if (e->n_dests)
				tell_dests(r, e, e->dests, e->n_dests);
		} else if (e->n_touched) {
			tell_touched(r, e);
		}
		e->told_status = e->status;
		e->told_congestion = e->congestion;
		clear_touched(r, e);
	}
	tell_moves(r);
	if (r->dirty_congestion)
		router_publish(r, true);
}

static void gone_of(struct router *r, const struct plan *old, uint16_t network, struct route_news *w)
{
	const struct dest *d = &old->dests[old->first[network]];
	uint32_t n = old->n_exact[network] + old->n_masked[network];

	w->network = network;
	for (uint32_t i = 0; i < n; i++) {
		enum dest_status status = DEST_UNAVAILABLE;
		const struct dest *now = plan_cover(r->plan, network, d[i].pc, d[i].mask);
		uint8_t congestion;

		if (is_default(r, &d[i]) || (now && now->mask == d[i].mask))
			continue;
		if (now)
			look(now, &status, &congestion);
		if (status != d[i].status)
			add(&w->by_status[status], &d[i]);
	}
	flush(r, w);
}

void news_gone(struct router *r, const struct plan *old)
{
	void *ctx = talloc_new(r);
	struct route_news w = {0};

	if (ctx && news_init(&w, ctx, old->n_dests))
		for (unsigned n = 0; n < r->n_networks; n++)
			gone_of(r, old, (uint16_t)n, &w);
	talloc_free(ctx);
}
