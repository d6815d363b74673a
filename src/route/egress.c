/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>
#include <talloc.h>

#include "base/log.h"
#include "data/share.h"
#include "route/route_int.h"

/* ---- life ---- */

struct route_egress *route_egress_new(
	struct router *r, const char *name, const struct route_egress_ops *ops, void *owner, bool individual)
{
	struct route_egress *e = talloc_zero(r, struct route_egress);

	if (!e)
		return NULL;
	e->router = r;
	e->ops = ops;
	e->owner = owner;
	e->individual = individual;
	e->status = DEST_UNAVAILABLE;
	e->name = talloc_strdup(e, name);
	e->hold = talloc_zero(r, struct fwd_hold); /* freed with the last table that names it */
	e->number = router_number_take(r, e);
	if (!e->name || !e->hold || e->number == FWD_NO_AS) {
		router_number_release(r, e->number);
		talloc_free(e->hold);
		talloc_free(e);
		return NULL;
	}
	INIT_LLIST_HEAD(&e->dirty);
	INIT_LLIST_HEAD(&e->stale);
	llist_add_tail(&e->entry, &r->egresses);
	route_egress_dirty(e);
	return e;
}

void route_egress_set_individual(struct route_egress *e, bool individual)
{
	e->individual = individual;
}

void route_egress_set_reserve(struct route_egress *e, bool reserve)
{
	e->reserve = reserve;
}

bool route_is_reserve(const struct route *route)
{
	const struct route_egress *e = route->spec.egress;

	return e && e->reserve && route->source != ROUTES_OF_LINKSETS;
}

static void free_hold(void *part)
{
	talloc_free(part);
}

void route_egress_free(struct route_egress *e)
{
	struct router *r = e->router;

	target_egress_gone(e);
	router_number_release(r, e->number);
	router_retire_target(r, e->part);
	router_retire_target(r, e->wait);
	router_retire(r, free_hold, e->hold);
	r->dropped = true;
	llist_del(&e->entry);
	llist_del(&e->dirty);
	llist_del(&e->stale);
	talloc_free(e);
}

const char *route_egress_name(const struct route_egress *e)
{
	return e->name;
}

const struct route_egress_ops *route_egress_ops(const struct route_egress *e)
{
	return e->ops;
}

void *route_egress_owner(const struct route_egress *e)
{
	return e->owner;
}

uint32_t route_egress_number(const struct route_egress *e)
{
	return e->number;
}

struct fwd_hold *route_egress_hold(const struct route_egress *e)
{
	return e->hold;
}

enum fwd_as_state route_egress_state(const struct route_egress *e)
{
	return e->part ? e->part->state : FWD_AS_UNSERVED;
}

enum dest_status route_egress_status(const struct route_egress *e)
{
	return e->status;
}

struct route_egress *router_egress_by_name(struct router *r, const char *name)
{
	struct route_egress *e;

	llist_for_each_entry (e, &r->egresses, entry)
		if (!strcmp(e->name, name))
			return e;
	return NULL;
}

void route_egress_dirty(struct route_egress *e)
{
	if (llist_empty(&e->dirty))
		llist_add_tail(&e->dirty, &e->router->dirty);
	route_egress_stale(e);
}

void route_egress_stale(struct route_egress *e)
{
	if (llist_empty(&e->stale))
		llist_add_tail(&e->stale, &e->router->stale);
}

void egress_look(struct route_egress *e)
{
	e->ops->condition(e->owner, &e->status, &e->congestion);
}

/* ---- compilation ---- */

bool route_offer_slot(struct route_offer *o, uint32_t owner, const struct fwd_slot *slot)
{
	struct fwd_slot *slots = talloc_realloc(o->ctx, o->slots, struct fwd_slot, o->n_slots + 1);
	uint32_t *owners;

	if (!slots)
		return false;
	o->slots = slots;
	owners = talloc_realloc(o->ctx, o->owners, uint32_t, o->n_slots + 1);
	if (!owners || o->n_slots == UINT16_MAX)
		return false;
	o->owners = owners;
	o->slots[o->n_slots] = *slot;
	o->owners[o->n_slots++] = owner;
	return true;
}

/* Buckets survive everything but a change of their number. */
static void fit_buckets(struct route_egress *e, const struct route_offer *o)
{
	uint32_t n = o->key == FWD_KEY_SLS ? FWD_SLS_BUCKETS : FWD_HASH_BUCKETS;

	if (o->mode != FWD_LOADSHARE)
		n = 0;
	if (n == e->n_buckets)
		return;
	talloc_free(e->buckets);
	e->buckets = n ? talloc_array(e, uint32_t, n) : NULL;
	e->n_buckets = e->buckets ? n : 0;
	for (uint32_t i = 0; i < e->n_buckets; i++)
		e->buckets[i] = SHARE_NONE;
}

static uint16_t index_of(const uint32_t *owners, uint32_t n, uint32_t owner)
{
	for (uint32_t i = 0; i < n; i++)
		if (owners[i] == owner)
			return (uint16_t)i;
	return 0;
}

/* Bucket -> index into the slots. While there are none the assignment stays as it was, so that flows return
 * to their ASP. */
static uint16_t *share(struct route_egress *e, const struct route_offer *o)
{
	uint16_t *v;

	if (!o->n_slots || !e->n_buckets)
		return NULL;
	if (o->share && e->n_buckets == FWD_SLS_BUCKETS)
		return o->share;
	v = talloc_array(o->ctx, uint16_t, e->n_buckets);
	if (!v)
		return NULL;
	share_assign(e->buckets, e->n_buckets, o->owners, o->n_slots);
	for (uint32_t i = 0; i < e->n_buckets; i++)
		v[i] = index_of(o->owners, o->n_slots, e->buckets[i]);
	return v;
}

static bool compile(struct route_egress *e, struct route_offer *o)
{
	struct fwd_as spec = {.number = e->number, .hold = e->hold};
	struct fwd_as *part;

	for (uint32_t i = 0; i < o->n_slots; i++)
		o->slots[i].as = e->number;
	fit_buckets(e, o);
	spec.state = o->state;
	spec.mode = o->mode;
	spec.key = o->key;
	spec.slots = o->slots;
	spec.n_slots = (uint16_t)o->n_slots;
	spec.share = share(e, o);
	spec.n_buckets = spec.share ? e->n_buckets : 0;
	part = fwd_as_new(&spec);
	if (!part)
		return false;
	router_retire_target(e->router, e->part);
	e->part = part;
	talloc_free(e->owners);
	e->owners = talloc_steal(e, o->owners);
	e->shares = o->share != NULL;
	return true;
}

void egress_compile_dirty(struct router *r)
{
	struct route_egress *e, *next;

	llist_for_each_entry_safe (e, next, &r->dirty, dirty) {
		struct route_offer o = {.ctx = talloc_new(r)};

		egress_look(e);
		if (o.ctx)
			e->ops->offer(e->owner, &o);
		if (o.ctx && compile(e, &o)) {
			llist_del_init(&e->dirty);
			r->numbers[e->number].target = e->part;
			target_egress_changed(e);
		} else {
			LOGP(DROUTE, LOGL_ERROR, "%s %s: no memory for its forwarding table\n", e->ops->kind,
				e->name);
		}
		talloc_free(o.ctx);
	}
}
