/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The forwarding table (data/fwd.h): only the parts that are out of date are compiled, and the old ones are
 * freed when no worker can see them any more. */
#include <string.h>
#include <talloc.h>

#include "base/log.h"
#include "data/congested.h"
#include "data/plane.h"
#include "route/route_int.h"

/* Parts that the table published last does not name; freed when its grace period is over. */
struct batch {
	struct llist_head entry; /* in router.waiting */
	struct retired {
		void (*fn)(void *part);
		void *part;
	} * v;
	unsigned n;
};

struct router *router_new(void *ctx)
{
	struct router *r = talloc_zero(ctx, struct router);

	if (!r)
		return NULL;
	INIT_LLIST_HEAD(&r->egresses);
	INIT_LLIST_HEAD(&r->dirty);
	INIT_LLIST_HEAD(&r->stale);
	INIT_LLIST_HEAD(&r->teams);
	INIT_LLIST_HEAD(&r->waiting);
	return r;
}

void router_set_plane(struct router *r, struct plane *p)
{
	r->plane = p;
}

bool router_subscribe(struct router *r, const struct route_listener *l, void *user)
{
	if (r->n_listeners == ROUTE_LISTENERS)
		return false;
	r->listeners[r->n_listeners].l = l;
	r->listeners[r->n_listeners++].user = user;
	return true;
}

/* ---- retirement ---- */

static void batch_free(void *arg)
{
	struct batch *b = arg;

	for (unsigned i = 0; i < b->n; i++)
		b->v[i].fn(b->v[i].part);
	llist_del(&b->entry);
	talloc_free(b);
}

void router_retire(struct router *r, void (*fn)(void *), void *part)
{
	struct batch *b = r->retiring;
	struct retired *v;

	if (!part)
		return;
	if (!b)
		b = r->retiring = talloc_zero(r, struct batch);
	v = b ? talloc_realloc(b, b->v, struct retired, b->n + 1) : NULL;
	if (!v)
		return;
	b->v = v;
	b->v[b->n++] = (struct retired){fn, part};
}

static void free_target(void *part)
{
	fwd_as_free(part);
}

static void free_ingress(void *part)
{
	fwd_ingress_free(part);
}

static void free_routing(void *part)
{
	fwd_routing_free(part);
}

/* The routes in force may still name a released number: it keeps its target as long as that is there. */
void router_retire_target(struct router *r, struct fwd_as *part)
{
	for (uint32_t i = 0; r->released && i < r->n_numbers; i++)
		if (r->numbers[i].use == NUMBER_RELEASED && r->numbers[i].target == part)
			r->numbers[i].target = NULL;
	router_retire(r, free_target, part);
}

void router_free(struct router *r)
{
	struct batch *b, *next;
	struct route_egress *e;
	struct team *t;

	if (r->retiring)
		llist_add_tail(&r->retiring->entry, &r->waiting);
	llist_for_each_entry_safe (b, next, &r->waiting, entry)
		batch_free(b);
	llist_for_each_entry (e, &r->egresses, entry) {
		fwd_as_free(e->part);
		fwd_as_free(e->wait);
	}
	llist_for_each_entry (t, &r->teams, entry)
		fwd_as_free(t->part);
	for (uint32_t i = 0; i < r->n_ingress; i++)
		fwd_ingress_free(r->ingress[i]);
	fwd_congestion_free(r->congestion);
	fwd_routing_free(r->routing);
	talloc_free(r);
}

/* ---- numbers ---- */

uint32_t router_number_take(struct router *r, struct route_egress *e)
{
	uint32_t n = r->free_hint;
	struct number *grown;

	while (n < r->n_numbers && r->numbers[n].use != NUMBER_FREE)
		n++;
	if (n == r->n_numbers) {
		grown = talloc_realloc(r, r->numbers, struct number, n ? 2 * n : 16);
		if (!grown)
			return FWD_NO_AS;
		r->numbers = grown;
		r->n_numbers = n ? 2 * n : 16;
		memset(grown + n, 0, (r->n_numbers - n) * sizeof(*grown));
	}
	r->numbers[n] = (struct number){.use = NUMBER_TAKEN, .egress = e};
	r->free_hint = n + 1;
	return n;
}

void router_number_release(struct router *r, uint32_t number)
{
	if (number >= r->n_numbers)
		return;
	r->numbers[number].use = NUMBER_RELEASED;
	r->numbers[number].egress = NULL;
	r->released = true;
}

/* The routes in force name the released ones no more. */
static void numbers_clear(struct router *r)
{
	for (uint32_t i = 0; r->released && i < r->n_numbers; i++)
		if (r->numbers[i].use == NUMBER_RELEASED)
			r->numbers[i].target = NULL;
}

/* The table without the released ones is out. */
static void numbers_free(struct router *r)
{
	if (!r->released)
		return;
	r->released = false;
	for (uint32_t i = r->n_numbers; i-- > 0;) {
		if (r->numbers[i].use == NUMBER_RELEASED)
			r->numbers[i].use = NUMBER_FREE;
		if (r->numbers[i].use == NUMBER_FREE)
			r->free_hint = i;
	}
}

struct route_egress *router_egress_by_number(struct router *r, uint32_t number)
{
	return number < r->n_numbers ? r->numbers[number].egress : NULL;
}

/* ---- ingress ---- */

static bool fit_ingress(struct router *r, uint32_t want)
{
	struct fwd_ingress **v;

	if (want <= r->n_ingress)
		return true;
	v = talloc_realloc(r, r->ingress, struct fwd_ingress *, want);
	if (!v)
		return false;
	memset(v + r->n_ingress, 0, (want - r->n_ingress) * sizeof(*v));
	r->ingress = v;
	r->n_ingress = want;
	return true;
}

void router_set_ingress(struct router *r, const struct assoc *a, const struct fwd_ingress_rc *rcs, unsigned n,
	const struct fwd_ingress_rc *only)
{
	uint32_t id = assoc_id(a);
	struct fwd_ingress *part = fit_ingress(r, id + 1) ? fwd_ingress_new(rcs, n, only) : NULL;

	if (!part) {
		LOGP(DROUTE, LOGL_ERROR, "no memory for what an association may send: as before\n");
		return;
	}
	router_retire(r, free_ingress, r->ingress[id]);
	r->ingress[id] = part;
	r->dirty_ingress = true;
}

void router_drop_ingress(struct router *r, const struct assoc *a)
{
	uint32_t id = assoc_id(a);

	if (id >= r->n_ingress || !r->ingress[id])
		return;
	router_retire(r, free_ingress, r->ingress[id]);
	r->ingress[id] = NULL;
	r->dropped = true;
}

/* ---- routing ---- */

void router_set_networks(struct router *r, const struct fwd_network *networks, unsigned n)
{
	r->n_networks = n < ROUTE_MAX_NETWORKS ? n : ROUTE_MAX_NETWORKS;
	if (r->n_networks)
		memcpy(r->networks, networks, r->n_networks * sizeof(*networks));
	r->dirty_routing = true;
}

void router_set_priorities(struct router *r, uint16_t network, bool has)
{
	if (network >= r->n_networks || r->networks[network].has_priorities == has)
		return;
	r->networks[network].has_priorities = has;
	r->dirty_routing = true;
}

static struct fwd_key *routing_keys(const struct router *r)
{
	const struct plan *p = r->plan;
	struct fwd_key *keys = talloc_array(r, struct fwd_key, (p ? p->n_selectors : 0) + 1);

	for (uint32_t i = 0; keys && p && i < p->n_selectors; i++) {
		const struct selector *s = &p->selectors[i];

		keys[i] = (struct fwd_key){.network = s->dest->network,
			.dpc = s->dest->pc,
			.mask = s->dest->mask,
			.si = s->si,
			.opc = s->opc,
			.as = s->number};
	}
	return keys;
}

static void compile_routing(struct router *r)
{
	struct fwd_routing *routing = NULL;
	struct fwd_key *keys = routing_keys(r);
	unsigned n = r->plan ? r->plan->n_selectors : 0, bad = 0;
	enum sb_err e =
		keys ? fwd_routing_new(r->networks, r->n_networks, keys, n, &routing, &bad) : SB_ENOMEM;

	if (e != SB_OK) {
		LOGP(DROUTE, LOGL_ERROR, "routes not compiled: %s (row %u): the old ones stay\n",
			sb_strerror(e), bad);
	} else {
		router_retire(r, free_routing, r->routing);
		r->routing = routing;
		r->dirty_congestion = true;
	}
	r->dirty_routing = false;
	talloc_free(keys);
}

/* ---- congestion ---- */

static void free_congestion(void *part)
{
	fwd_congestion_free(part);
}

static void compile_congestion(struct router *r)
{
	struct fwd_congestion *c = NULL;
	const struct plan *p = r->plan;

	for (uint32_t i = 0; p && i < p->n_dests; i++) {
		const struct dest *d = &p->dests[i];

		if (!d->congestion)
			continue;
		if (!c && !(c = fwd_congestion_new(r->routing))) {
			LOGP(DROUTE, LOGL_ERROR,
				"no memory: who sends to congested destinations is not told\n");
			break;
		}
		fwd_congestion_set(c, d->network, d->pc, d->mask, d->congestion);
	}
	router_retire(r, free_congestion, r->congestion);
	r->congestion = c;
	r->dirty_congestion = false;
}

/* ---- publication ---- */

static struct fwd_table *make_table(const struct router *r)
{
	const struct fwd_as **targets = talloc_array(r, const struct fwd_as *, r->n_numbers + 1);
	struct fwd_table *t = NULL;

	if (targets) {
		for (uint32_t i = 0; i < r->n_numbers; i++)
			targets[i] = r->numbers[i].target;
		t = fwd_table_new(r->routing, targets, r->n_numbers,
			(const struct fwd_ingress *const *)r->ingress, r->n_ingress);
	}
	if (t)
		t->congestion = r->congestion;
	talloc_free(targets);
	return t;
}

static void publish(struct router *r)
{
	struct fwd_table *t = make_table(r);
	struct batch *b = r->retiring;

	if (!t) {
		LOGP(DROUTE, LOGL_ERROR, "no memory for a forwarding table: the old one stays\n");
		r->dropped = true;
		return;
	}
	r->dropped = false;
	r->dirty_ingress = false;
	plane_publish(r->plane, t);
	r->retiring = NULL;
	if (!b)
		return;
	llist_add_tail(&b->entry, &r->waiting);
	plane_after_grace(r->plane, batch_free, b);
}

void router_publish(struct router *r, bool ingress_only)
{
	bool targets;

	if (!ingress_only)
		status_settle(r);
	targets = !llist_empty(&r->dirty) || (r->plan && r->plan->dirty);
	if (!r->dirty_ingress && !r->dirty_congestion &&
		(ingress_only || (!targets && !r->dirty_routing && !r->dropped)))
		return;
	if (!ingress_only) {
		egress_compile_dirty(r);
		target_compile(r);
		if (r->dirty_routing)
			compile_routing(r);
		numbers_clear(r);
	}
	if (!r->routing) /* before the first routes */
		return;
	if (r->dirty_congestion)
		compile_congestion(r);
	publish(r);
	if (!ingress_only && !r->dropped)
		numbers_free(r);
}
