/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From the routes of all sources to destinations, selectors and routes in flat, sorted arrays. What is known
 * of those that were there before is kept. */
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "base/clock.h"
#include "base/log.h"
#include "route/route_int.h"

struct builder {
	struct router *r;
	const struct plan *old;
	struct plan *p;
	struct route *rows; /* the routes as given, sorted */
	uint32_t n_rows, n_sorted, cap;
};

#define CMP(a, b)                                                                                            \
	do {                                                                                                 \
		if ((a) != (b))                                                                              \
			return (a) < (b) ? -1 : 1;                                                           \
	} while (0)

static int by_dest(const struct route_spec *a, const struct route_spec *b)
{
	CMP(a->network, b->network);
	CMP(a->mask, b->mask);
	CMP(a->pc >> a->mask, b->pc >> b->mask);
	return 0;
}

/* "Any" comes last. */
static int by_selector(const struct route_spec *a, const struct route_spec *b)
{
	CMP(a->opc, b->opc);
	CMP(a->si, b->si);
	return 0;
}

static int by_place(const void *va, const void *vb)
{
	const struct route *a = va, *b = vb;
	int d = by_dest(&a->spec, &b->spec);

	d = d ? d : by_selector(&a->spec, &b->spec);
	if (d)
		return d;
	CMP(a->spec.priority, b->spec.priority);
	CMP(a->spec.egress->number, b->spec.egress->number);
	return 0;
}

/* ---- looking for ---- */

static int order(const struct dest *d, uint16_t network, uint32_t pc, uint8_t mask)
{
	CMP(d->network, network);
	CMP(d->mask, mask);
	CMP(d->pc >> d->mask, pc >> mask);
	return 0;
}

struct dest *plan_find(const struct plan *p, uint16_t network, uint32_t pc, uint8_t mask)
{
	uint32_t lo, hi;

	if (!p || network >= ROUTE_MAX_NETWORKS)
		return NULL;
	lo = p->first[network];
	hi = lo + p->n_exact[network] + p->n_masked[network];
	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		int d = order(&p->dests[mid], network, pc, mask);

		if (!d)
			return &p->dests[mid];
		if (d < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return NULL;
}

struct dest *plan_cover(const struct plan *p, uint16_t network, uint32_t pc, uint8_t mask)
{
	struct dest *d = plan_find(p, network, pc, mask), *list;

	if (d || !p || network >= ROUTE_MAX_NETWORKS)
		return d;
	list = &p->dests[p->first[network] + p->n_exact[network]];
	for (uint32_t i = 0; i < p->n_masked[network]; i++)
		if (range_within(pc, mask, list[i].pc, list[i].mask))
			return &list[i];
	return NULL;
}

/* What was known of the destination that ROW leads to: a watched one was part of a masked one before. */
static const struct dest *old_dest(const struct plan *old, const struct route *row)
{
	const struct route_spec *spec = &row->spec;

	return row->source == ROUTES_WATCHED ? plan_cover(old, spec->network, spec->pc, spec->mask)
					     : plan_find(old, spec->network, spec->pc, spec->mask);
}

static const struct route *old_route(const struct plan *old, const struct route *row)
{
	const struct route_spec *spec = &row->spec;
	const struct dest *d = old_dest(old, row);

	for (uint32_t i = 0; d && i < d->n_routes; i++)
		if (d->routes[i].spec.egress == spec->egress)
			return &d->routes[i];
	return NULL;
}

/* ---- building ---- */

static bool gather(struct builder *b)
{
	const struct router *r = b->r;
	uint32_t n = 0;

	for (int k = 0; k < ROUTE_SOURCES; k++)
		n += r->n_specs[k];
	b->rows = talloc_array(r, struct route, n + 1);
	if (!b->rows)
		return false;
	b->cap = n;
	for (int k = 0; k < ROUTE_SOURCES; k++)
		for (uint32_t i = 0; i < r->n_specs[k]; i++) {
			const struct route_spec *spec = &r->specs[k][i];

			if (!spec->egress || spec->network >= r->n_networks)
				continue;
			b->rows[b->n_rows] = (struct route){
				.spec = *spec, .source = (enum route_source)k, .status = DEST_AVAILABLE};
			b->rows[b->n_rows++].spec.pc = spec->pc >> spec->mask << spec->mask;
		}
	qsort(b->rows, b->n_rows, sizeof(*b->rows), by_place);
	return true;
}

/* The rows from FIRST on that are equal by SAME. */
static uint32_t run(const struct builder *b, uint32_t first, uint32_t end,
	int (*same)(const struct route_spec *, const struct route_spec *))
{
	uint32_t i = first;

	while (i < end && !same(&b->rows[first].spec, &b->rows[i].spec))
		i++;
	return i;
}

/* The first of the sorted rows that is not before (NETWORK, PC, MASK). */
static uint32_t first_row(const struct builder *b, uint16_t network, uint32_t pc, uint8_t mask)
{
	const struct route_spec want = {.network = network, .pc = pc, .mask = mask};
	uint32_t lo = 0, hi = b->n_sorted;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (by_dest(&b->rows[mid].spec, &want) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* The rows that a message to PC goes by, if they are masked ones: of the longest match. */
static uint32_t masked_rows(const struct builder *b, uint16_t network, uint32_t pc, uint32_t *end)
{
	uint32_t exact = first_row(b, network, pc, 0), i = first_row(b, network, 0, 1);

	*end = i;
	if (exact < b->n_sorted && b->rows[exact].spec.network == network && !b->rows[exact].spec.mask &&
		b->rows[exact].spec.pc == pc)
		return i;
	while (i < b->n_sorted && b->rows[i].spec.network == network &&
		!range_within(pc, 0, b->rows[i].spec.pc, b->rows[i].spec.mask))
		i++;
	*end = i;
	if (i < b->n_sorted && b->rows[i].spec.network == network)
		*end = run(b, i, b->n_sorted, by_dest);
	return i;
}

/* One point code of a masked destination. False without memory. */
static bool watch(struct builder *b, const struct watched *w)
{
	uint32_t end, first = masked_rows(b, w->network, w->pc, &end);
	struct route *grown;

	if (first == end)
		return true; /* it goes nowhere now, or has routes of its own */
	if (b->n_rows + (end - first) > b->cap) {
		b->cap = 2 * b->cap + (end - first);
		grown = talloc_realloc(b->r, b->rows, struct route, b->cap);
		if (!grown)
			return false;
		b->rows = grown;
	}
	for (uint32_t i = first; i < end; i++) {
		b->rows[b->n_rows] = b->rows[i];
		b->rows[b->n_rows].source = ROUTES_WATCHED;
		b->rows[b->n_rows].spec.mask = 0;
		b->rows[b->n_rows++].spec.pc = w->pc;
	}
	return true;
}

static bool watch_all(struct builder *b)
{
	bool ok = true;

	b->n_sorted = b->n_rows;
	for (uint32_t i = 0; ok && i < b->r->n_watched; i++)
		ok = watch(b, &b->r->watched[i]);
	qsort(b->rows, b->n_rows, sizeof(*b->rows), by_place);
	return ok;
}

static bool is_alternative(const struct route *row)
{
	return row->source != ROUTES_OF_KEYS && row->spec.si == FWD_ANY_SI && row->spec.opc == FWD_ANY_OPC;
}

/* How many the rows make, inherited ones and all. */
struct counts {
	uint32_t dests, selectors, routes;
};

static void add_route(struct builder *b, struct selector *s, const struct route *row, bool inherited)
{
	struct plan *p = b->p;
	struct route *route = &p->routes[p->n_routes++];
	const struct route *old = old_route(b->old, row);

	*route = *row;
	route->inherited = inherited;
	route->selector = (uint32_t)(s - p->selectors);
	if (old) {
		route->status = old->status;
		route->congestion = old->congestion;
		route->said_ms = old->said_ms;
	}
	s->n_routes++;
}

static void add_selector(struct builder *b, struct dest *d, uint32_t first, uint32_t end, uint32_t dest_first,
	uint32_t dest_end)
{
	struct plan *p = b->p;
	struct selector *s = &p->selectors[p->n_selectors++];
	const struct route_spec *spec = &b->rows[first].spec;

	*s = (struct selector){
		.dest = d, .routes = &p->routes[p->n_routes], .opc = spec->opc, .si = spec->si};
	for (uint32_t i = first; i < end; i++)
		add_route(b, s, &b->rows[i], false);
	for (uint32_t i = dest_first; i < dest_end; i++)
		if (is_alternative(&b->rows[i]) && (i < first || i >= end))
			add_route(b, s, &b->rows[i], true);
	move_inherit(b->old, s);
	s->own = s->n_routes > 1 || s->routes->source != ROUTES_OF_KEYS || s->routes->spec.egress->individual;
	s->number = s->own ? router_number_take(b->r, NULL) : s->routes->spec.egress->number;
	if (s->number == FWD_NO_AS) {
		s->own = false;
		s->number = s->routes->spec.egress->number;
	}
	if (s->own) {
		target_dirty(p, s);
	} else {
		s->routes[0].in_use = true;
		move_settled(s);
	}
}

static void add_dest(struct builder *b, uint32_t first, uint32_t end)
{
	struct plan *p = b->p;
	const struct route_spec *spec = &b->rows[first].spec;
	const struct dest *old = old_dest(b->old, &b->rows[first]);
	const struct dest *same = plan_find(b->old, spec->network, spec->pc, spec->mask);
	struct dest *d = &p->dests[p->n_dests++];

	*d = (struct dest){.network = spec->network,
		.pc = spec->pc,
		.mask = spec->mask,
		.status = old ? old->status : DEST_UNAVAILABLE,
		.congestion = old ? old->congestion : 0,
		.since_ms = old ? old->since_ms : clock_ms(),
		.transitions = old ? old->transitions : 0,
		.held = same && same->held,
		.routes = &p->routes[p->n_routes]};
	for (uint32_t i = first, next; i < end; i = next) {
		next = run(b, i, end, by_selector);
		add_selector(b, d, i, next, first, end);
		d->n_selectors++;
	}
	d->n_routes = (uint32_t)(&p->routes[p->n_routes] - d->routes);
	if (spec->mask)
		p->n_masked[spec->network]++;
	else
		p->n_exact[spec->network]++;
}

static struct counts count(const struct builder *b)
{
	struct counts c = {0};

	for (uint32_t first = 0, end; first < b->n_rows; first = end) {
		uint32_t selectors = 0, alternatives = 0;

		end = run(b, first, b->n_rows, by_dest);
		for (uint32_t i = first; i < end; i = run(b, i, end, by_selector))
			selectors++;
		for (uint32_t i = first; i < end; i++)
			alternatives += is_alternative(&b->rows[i]);
		c.dests++;
		c.selectors += selectors;
		c.routes += end - first + selectors * alternatives;
	}
	return c;
}

static bool build(struct builder *b)
{
	struct counts c = count(b);
	struct plan *p = b->p;

	p->dests = talloc_array(p, struct dest, c.dests + 1);
	p->selectors = talloc_array(p, struct selector, c.selectors + 1);
	p->routes = talloc_array(p, struct route, c.routes + 1);
	if (!p->dests || !p->selectors || !p->routes)
		return false;
	for (uint32_t first = 0, end; first < b->n_rows; first = end) {
		end = run(b, first, b->n_rows, by_dest);
		add_dest(b, first, end);
	}
	for (uint32_t n = 0, i = 0; n <= ROUTE_MAX_NETWORKS; n++) {
		while (i < p->n_dests && p->dests[i].network < n)
			i++;
		p->first[n] = i;
	}
	return true;
}

struct plan *plan_new(struct router *r)
{
	struct builder b = {.r = r, .old = r->plan, .p = talloc_zero(r, struct plan)};
	bool ok = b.p && gather(&b) && watch_all(&b) && build(&b);

	talloc_free(b.rows);
	if (ok)
		return b.p;
	LOGP(DROUTE, LOGL_ERROR, "no memory for the routes: the old ones stay\n");
	talloc_free(b.p);
	return NULL;
}

/* ---- the other way round: what goes through an egress ---- */

static bool allocate(struct route_egress *e)
{
	talloc_free(e->dests);
	talloc_free(e->selectors);
	talloc_free(e->touched);
	e->dests = talloc_array(e, struct dest *, e->n_dests + 1);
	e->touched = talloc_array(e, struct dest *, e->n_dests + 1);
	e->selectors = talloc_array(e, struct selector *, e->n_selectors + 1);
	e->n_dests = e->n_selectors = e->n_touched = 0;
	return e->dests && e->selectors && e->touched;
}

/* Is this the first route of its destination (or, SELECTOR, of its selector) through its egress? */
static bool is_first(const struct route *routes, const struct route *route)
{
	for (; routes < route; routes++)
		if (routes->spec.egress == route->spec.egress)
			return false;
	return true;
}

static void link_routes(struct plan *p, bool add)
{
	for (uint32_t i = 0; i < p->n_dests; i++) {
		struct dest *d = &p->dests[i];

		d->n_egresses = 0;
		for (uint32_t k = 0; k < d->n_routes; k++) {
			struct route_egress *e = d->routes[k].spec.egress;
			struct selector *s = &p->selectors[d->routes[k].selector];

			if (is_first(d->routes, &d->routes[k])) {
				d->n_egresses++;
				if (add)
					e->dests[e->n_dests] = d;
				e->n_dests++;
			}
			if (s->own && is_first(s->routes, &d->routes[k])) {
				if (add)
					e->selectors[e->n_selectors] = s;
				e->n_selectors++;
			}
		}
	}
}

static void index_egresses(struct router *r)
{
	struct route_egress *e;
	bool ok = true;

	llist_for_each_entry (e, &r->egresses, entry)
		e->n_dests = e->n_selectors = 0;
	link_routes(r->plan, false);
	llist_for_each_entry (e, &r->egresses, entry)
		ok = allocate(e) && ok;
	if (ok)
		link_routes(r->plan, true);
	else
		LOGP(DROUTE, LOGL_ERROR, "no memory: changes of destinations will not be told\n");
}

static void release_numbers(struct router *r, const struct plan *p)
{
	for (uint32_t i = 0; i < p->n_selectors; i++)
		if (p->selectors[i].own)
			router_number_release(r, p->selectors[i].number);
}

void router_set_routes(struct router *r, enum route_source source, const struct route_spec *specs, unsigned n)
{
	struct route_spec *copy = talloc_memdup(r, specs, n ? n * sizeof(*specs) : 1);

	if (!copy) {
		LOGP(DROUTE, LOGL_ERROR, "no memory for the routes: the old ones stay\n");
		return;
	}
	talloc_free(r->specs[source]);
	r->specs[source] = copy;
	r->n_specs[source] = n;
}

void router_rebuild(struct router *r)
{
	struct plan *old = r->plan, *new = plan_new(r);
	struct route_egress *e;

	if (!new)
		return;
	r->plan = new;
	index_egresses(r);
	if (old)
		release_numbers(r, old);
	r->dirty_routing = true;
	llist_for_each_entry (e, &r->egresses, entry) {
		e->told_status = DEST_UNKNOWN;
		route_egress_stale(e);
	}
	if (old)
		news_gone(r, old);
	talloc_free(old);
}

void router_forget_network(struct router *r, uint16_t network)
{
	if (!r->plan || network >= ROUTE_MAX_NETWORKS)
		return;
	r->plan->n_exact[network] = r->plan->n_masked[network] = 0;
}
