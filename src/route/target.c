/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which routes of a selector carry its traffic, and what is compiled for them: the egress's own target where
 * there is one; where several of one priority share the load, the target of a team, compiled once for all
 * selectors that use the same egresses. So what one route's status changes is one entry of the table. */
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "base/log.h"
#include "data/share.h"
#include "data/sls.h"
#include "route/route_int.h"

/* The routes of the best priority that carry traffic: their egresses, by number, and those that carry it
 * now. */
struct choice {
	struct route_egress *all[FWD_SLS_BUCKETS], *best[FWD_SLS_BUCKETS];
	uint32_t n_all, n;
};

/* ---- teams ---- */

enum { BLOCK = 16 }; /* ITU's SLS values: each block of buckets is to be spread evenly by itself */

/* The buckets of one egress in the block from FIRST on among its slots, of which as few as possible change.
 */
static void share_block(struct team *t, const struct route_egress *e, uint32_t first, const uint32_t *owners,
	uint32_t n_owners)
{
	uint32_t mine[BLOCK], owner[BLOCK], n = 0;

	for (uint32_t b = first; b < first + BLOCK; b++) {
		if (t->egress[b] != e->number)
			continue;
		owner[n] = t->owner[b];
		mine[n++] = b;
	}
	share_assign(owner, n, owners, n_owners);
	for (uint32_t i = 0; i < n; i++)
		t->owner[mine[i]] = owner[i];
}

/* Who gets one more than others in a block is another one in the next. */
static void share_member(struct team *t, const struct route_egress *e)
{
	uint32_t n = e->part->mode == FWD_LOADSHARE ? e->part->n_slots : 1;
	uint32_t *owners = talloc_array(t, uint32_t, n);

	for (uint32_t block = 0; block < FWD_SLS_BUCKETS / BLOCK; block++) {
		for (uint32_t i = 0; owners && i < n; i++)
			owners[i] = e->owners[(i + block) % n];
		share_block(t, e, block * BLOCK, owners ? owners : e->owners, n);
	}
	talloc_free(owners);
}

static uint16_t slot_of(const struct route_egress *e, uint32_t owner)
{
	for (uint16_t i = 0; i < e->part->n_slots; i++)
		if (e->owners[i] == owner)
			return i;
	return 0;
}

/* A provider that says who gets what says so in a team, too. */
static uint16_t member_slot(const struct route_egress *e, uint32_t bucket, uint32_t owner)
{
	return e->shares && e->part->share ? e->part->share[bucket] : slot_of(e, owner);
}

/* Who carries which SLS. */
static void share_linksets(struct team *t)
{
	uint32_t all[FWD_SLS_BUCKETS], members[FWD_SLS_BUCKETS];

	for (uint32_t i = 0; i < t->n_all; i++)
		all[i] = t->all[i]->number;
	for (uint32_t i = 0; i < t->n; i++)
		members[i] = t->members[i]->number;
	sls_share_linksets(&t->sls, t->egress, all, t->n_all, members, t->n);
	for (uint32_t b = sls_values(&t->sls); b < FWD_SLS_BUCKETS; b++)
		t->egress[b] = t->egress[b & (sls_values(&t->sls) - 1)];
}

static void share_team(struct team *t, const uint32_t *first, uint16_t *share)
{
	share_linksets(t);
	for (uint32_t i = 0; i < t->n; i++) {
		share_member(t, t->members[i]);
		for (uint32_t b = 0; b < FWD_SLS_BUCKETS; b++)
			if (t->egress[b] == t->members[i]->number)
				share[b] = (uint16_t)(first[i] + member_slot(t->members[i], b, t->owner[b]));
	}
}

static bool team_compile(struct router *r, struct team *t)
{
	uint32_t first[FWD_SLS_BUCKETS], n = 0;
	uint16_t share[FWD_SLS_BUCKETS];
	struct fwd_as spec = {.number = FWD_NO_AS,
		.state = FWD_AS_ACTIVE,
		.mode = FWD_LOADSHARE,
		.key = FWD_KEY_SLS,
		.n_buckets = FWD_SLS_BUCKETS,
		.share = share};
	struct fwd_as *part;

	for (uint32_t i = 0; i < t->n; i++)
		n += t->members[i]->part->n_slots;
	spec.slots = n <= UINT16_MAX ? talloc_array(t, struct fwd_slot, n) : NULL;
	if (!spec.slots)
		return false;
	for (uint32_t i = 0; i < t->n; i++) {
		const struct fwd_as *of = t->members[i]->part;

		first[i] = spec.n_slots;
		memcpy(spec.slots + spec.n_slots, of->slots, of->n_slots * sizeof(*of->slots));
		spec.n_slots = (uint16_t)(spec.n_slots + of->n_slots);
	}
	share_team(t, first, share);
	part = fwd_as_new(&spec);
	talloc_free(spec.slots);
	if (!part)
		return false;
	router_retire_target(r, t->part);
	t->part = part;
	t->stale = false;
	return true;
}

static bool team_has(const struct team *t, const struct route_egress *e)
{
	for (uint32_t i = 0; i < t->n_all; i++)
		if (t->all[i] == e)
			return true;
	return false;
}

static bool same(struct route_egress **a, uint32_t n_a, struct route_egress **b, uint32_t n_b)
{
	return n_a == n_b && !memcmp(a, b, n_a * sizeof(struct route_egress *));
}

static struct team *team_of(struct router *r, const struct sls_rule *sls, struct choice *c)
{
	struct team *t;

	llist_for_each_entry (t, &r->teams, entry)
		if (same(t->members, t->n, c->best, c->n) && same(t->all, t->n_all, c->all, c->n_all))
			return t;
	t = talloc_zero(r, struct team);
	if (!t)
		return NULL;
	t->sls = *sls;
	t->all = talloc_memdup(t, c->all, c->n_all * sizeof(struct route_egress *));
	t->members = talloc_memdup(t, c->best, c->n * sizeof(struct route_egress *));
	t->n_all = c->n_all;
	t->n = c->n;
	t->stale = true;
	for (uint32_t b = 0; b < FWD_SLS_BUCKETS; b++)
		t->owner[b] = SHARE_NONE;
	if (!t->members || !t->all) {
		talloc_free(t);
		return NULL;
	}
	llist_add_tail(&t->entry, &r->teams);
	return t;
}

static const struct fwd_as *team_target(struct router *r, const struct sls_rule *sls, struct choice *c)
{
	struct team *t = team_of(r, sls, c);

	if (t && (!t->stale || team_compile(r, t)))
		return t->part;
	LOGP(DROUTE, LOGL_ERROR, "no memory for load sharing with %s: it carries all\n", c->best[0]->name);
	return c->best[0]->part;
}

/* ---- choosing ---- */

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
		if (route->in_use != was)
			moved(p, s);
	}
	out->n = sort(out->best, out->n);
	out->n_all = sort(out->all, out->n_all);
}

void target_choose(struct router *r, struct selector *s)
{
	const struct sls_rule *sls = &r->networks[s->dest->network].sls;
	const struct fwd_as *target;
	struct choice c;

	if (!s->own) {
		s->routes[0].in_use = true;
		return;
	}
	mark(r->plan, s, &c);
	target = move_wait(r, s, c.best, c.n);
	if (!target && c.n)
		target = c.n > 1 ? team_target(r, sls, &c) : c.best[0]->part;
	r->numbers[s->number].target = target;
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
	struct team *t;

	llist_for_each_entry (t, &e->router->teams, entry)
		t->stale |= team_has(t, e);
	for (uint32_t i = 0; i < e->n_selectors; i++)
		target_dirty(e->router->plan, e->selectors[i]);
}

/* Its routes lead nowhere, and nothing that the next table names may be its. */
void target_egress_gone(struct route_egress *e)
{
	struct router *r = e->router;
	struct team *t, *next;

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
	for (uint32_t i = 0; i < e->n_selectors; i++)
		target_choose(r, e->selectors[i]);
	llist_for_each_entry_safe (t, next, &r->teams, entry) {
		if (!team_has(t, e))
			continue;
		router_retire_target(r, t->part);
		llist_del(&t->entry);
		talloc_free(t);
	}
}
