/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which routes of a selector carry its traffic, and what is compiled for them: the egress's own target where
 * there is one; where several of one priority share the load, that of a team (team.c). So what one route's
 * status changes is one entry of the table. */
#include <stdlib.h>

#include "data/sls.h"
#include "route/route_int.h"

/* Better ways first: what carries traffic now, then where messages can wait. */
enum grade { GRADE_AVAILABLE, GRADE_RESTRICTED, GRADE_RESERVE, GRADE_PENDING, GRADE_NONE };

static enum grade grade(const struct route *route)
{
	const struct route_egress *e = route->spec.egress;

	if (!e || !e->part || route->status == DEST_UNAVAILABLE)
		return GRADE_NONE;
	if (e->part->state == FWD_AS_PENDING)
		return GRADE_PENDING;
	if (e->part->state != FWD_AS_ACTIVE)
		return GRADE_NONE;
	if (route_is_reserve(route))
		return GRADE_RESERVE;
	return route_status(route) == DEST_RESTRICTED ? GRADE_RESTRICTED : GRADE_AVAILABLE;
}

static int by_number(const void *a, const void *b)
{
	const struct route_egress *x = *(struct route_egress *const *)a,
				  *y = *(struct route_egress *const *)b;

	return (x->number > y->number) - (x->number < y->number);
}

static bool better(enum grade g, uint8_t priority, enum grade than, uint8_t than_priority)
{
	return g != than ? g < than : priority < than_priority;
}

static void moved(struct plan *p, struct selector *s)
{
	if (!p || s->moved)
		return;
	s->moved = true;
	s->next_moved = p->moved;
	p->moved = s;
}

static void add(struct route_egress **list, uint32_t *n, struct route_egress *e)
{
	if (e && *n < FWD_SLS_BUCKETS)
		list[(*n)++] = e;
}

/* How many there are, each once. */
static uint32_t sort(struct route_egress **list, uint32_t n)
{
	uint32_t kept = 0;

	qsort(list, n, sizeof(*list), by_number); /* NOLINT(bugprone-sizeof-expression): of pointers */
	for (uint32_t i = 0; i < n; i++)
		if (!kept || list[kept - 1] != list[i])
			list[kept++] = list[i];
	return kept;
}

/* Marks the best routes; puts their egresses into OUT. */
static void mark(struct plan *p, struct selector *s, struct choice *out)
{
	enum grade best = GRADE_NONE;
	uint8_t priority = UINT8_MAX;

	out->n = out->n_all = 0;
	s->chosen_anew = false;
	for (uint32_t i = 0; i < s->n_routes; i++) {
		const struct route *route = &s->routes[i];

		if (!better(grade(route), route->spec.priority, best, priority))
			continue;
		best = grade(route);
		priority = route->spec.priority;
	}
	for (uint32_t i = 0; i < s->n_routes; i++) {
		struct route *route = &s->routes[i];
		bool was = route->in_use, normal = route->spec.priority == priority &&
						   route_is_reserve(route) == (best == GRADE_RESERVE);

		route->in_use = best != GRADE_NONE && grade(route) == best &&
				route->spec.priority == priority &&
				out->n < (best == GRADE_PENDING ? 1u : FWD_SLS_BUCKETS);
		if (route->in_use)
			add(out->best, &out->n, route->spec.egress);
		if (normal)
			add(out->all, &out->n_all, route->spec.egress);
		if (route->in_use == was)
			continue;
		moved(p, s);
		s->chosen_anew = true;
	}
	out->n = sort(out->best, out->n);
	out->n_all = sort(out->all, out->n_all);
}

static const struct fwd_as *target_of(struct router *r, struct selector *s, const struct choice *c)
{
	if (c->n > 1)
		return team_target(r, &r->networks[s->dest->network].sls, c, &s->shared_by);
	return c->n ? c->best[0]->part : NULL;
}

void target_choose(struct router *r, struct selector *s)
{
	const struct fwd_as *wait;
	struct choice c;

	if (!s->own) {
		s->routes[0].in_use = true;
		return;
	}
	mark(r->plan, s, &c);
	wait = move_wait(r, s, &c);
	r->numbers[s->number].target = wait ? wait : target_of(r, s, &c);
}

/* One of several has the slots of its egress in the target. */
void route_slss(const struct router *r, const struct route *route, struct sls_set *out)
{
	const struct route_egress *e = route->spec.egress;
	const struct selector *s = &r->plan->selectors[route->selector];
	const struct fwd_as *t = r->numbers[s->number].target;

	*out = (struct sls_set){.values = sls_values(&r->networks[s->dest->network].sls)};
	for (unsigned sls = 0; e && t && route->in_use && sls < out->values; sls++)
		out->has[sls] = t->state == FWD_AS_ACTIVE &&
				(t->number == e->number ||
					(t->number == FWD_NO_AS && t->slots[t->share[sls]].as == e->number));
}

void target_dirty(struct plan *p, struct selector *s)
{
	if (s->dirty)
		return;
	s->dirty = true;
	s->next_dirty = p->dirty;
	p->dirty = s;
}

void target_compile(struct router *r)
{
	struct selector *s;

	while (r->plan && (s = r->plan->dirty)) {
		r->plan->dirty = s->next_dirty;
		s->dirty = false;
		target_choose(r, s);
	}
}

void target_egress_changed(struct route_egress *e)
{
	team_egress_changed(e);
	for (uint32_t i = 0; i < e->n_selectors; i++)
		target_dirty(e->router->plan, e->selectors[i]);
}

/* The teams it is part of go, too: those whose traffic they had wait for all of it. */
static void forget_sharing(struct router *r, const struct route_egress *e)
{
	for (uint32_t i = 0; r->plan && i < r->plan->n_selectors; i++) {
		struct selector *s = &r->plan->selectors[i];

		if (!s->shared_by || !team_has(s->shared_by, e))
			continue;
		s->shared_by = NULL;
		target_choose(r, s);
	}
}

/* Its routes lead nowhere, and nothing that the next table names may be its. */
void target_egress_gone(struct route_egress *e)
{
	struct router *r = e->router;

	for (uint32_t i = 0; r->plan && i < r->plan->n_routes; i++)
		if (r->plan->routes[i].spec.egress == e)
			r->plan->routes[i].spec.egress = NULL;
	for (uint32_t i = 0; i < r->n_pending; i++)
		if (r->pending[i].egress == e)
			r->pending[i].egress = NULL;
	for (int k = 0; k < ROUTE_SOURCES; k++)
		for (uint32_t i = 0; i < r->n_specs[k]; i++)
			if (r->specs[k][i].egress == e)
				r->specs[k][i].egress = NULL;
	forget_sharing(r, e);
	for (uint32_t i = 0; i < e->n_selectors; i++)
		target_choose(r, e->selectors[i]);
	team_egress_gone(e);
}
