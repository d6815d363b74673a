/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Teams: several egresses that share the traffic of some destinations by SLS, compiled once for all selectors
 * that use the same ones. While traffic moves to a team from another one, or from a single egress, only what
 * is to go by another egress waits: a team of its own, with the same members, has slots with a hold for
 * that. */
#include <string.h>
#include <talloc.h>

#include "base/log.h"
#include "data/share.h"
#include "data/sls.h"
#include "route/route_int.h"

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

/* Does what E carries of BUCKET go as it did in FROM? Not if only the egress is the same: the ASPs of an AS
 * share otherwise when it is in a team. */
static bool stays(const struct team *from, const struct route_egress *e, uint32_t bucket)
{
	return from->egress[bucket] == e->number && (e->shares || e->part->n_slots == 1);
}

static void share_team(struct team *t, const uint32_t *first, uint16_t *share)
{
	for (uint32_t i = 0; i < t->n; i++) {
		const struct route_egress *e = t->members[i];

		share_member(t, e);
		for (uint32_t b = 0; b < FWD_SLS_BUCKETS; b++) {
			if (t->egress[b] != e->number)
				continue;
			share[b] = (uint16_t)(first[i] + (!t->from || stays(t->from, e, b)
									 ? member_slot(e, b, t->owner[b])
									 : e->part->n_slots));
		}
	}
}

/* The slots of all members, each followed by one where messages wait, if some have to: what would go back to
 * where it came from takes the next one, and so waits, too, for that may be another one later on. */
static void put_slots(const struct team *t, struct fwd_as *spec, uint32_t *first)
{
	for (uint32_t i = 0; i < t->n; i++) {
		const struct fwd_as *of = t->members[i]->part;

		first[i] = spec->n_slots;
		memcpy(spec->slots + spec->n_slots, of->slots, of->n_slots * sizeof(*of->slots));
		spec->n_slots = (uint16_t)(spec->n_slots + of->n_slots);
		if (t->from)
			spec->slots[spec->n_slots++] = (struct fwd_slot){.as = FWD_NO_AS, .hold = t->hold};
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
		n += t->members[i]->part->n_slots + 1u;
	spec.slots = n <= UINT16_MAX ? talloc_array(t, struct fwd_slot, n) : NULL;
	if (!spec.slots)
		return false;
	put_slots(t, &spec, first);
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

bool team_has(const struct team *t, const struct route_egress *e)
{
	for (uint32_t i = 0; i < t->n_all; i++)
		if (t->all[i] == e)
			return true;
	return false;
}

static bool same(struct route_egress *const *a, uint32_t n_a, struct route_egress *const *b, uint32_t n_b)
{
	return n_a == n_b && !memcmp(a, b, n_a * sizeof(struct route_egress *));
}

static struct team *find(const struct router *r, const struct sls_rule *sls, const struct choice *c,
	const struct team *from, const struct fwd_hold *hold)
{
	struct team *t;

	llist_for_each_entry (t, &r->teams, entry)
		if (t->from == from && t->hold == hold && !memcmp(&t->sls, sls, sizeof(*sls)) &&
			same(t->members, t->n, c->best, c->n) && same(t->all, t->n_all, c->all, c->n_all))
			return t;
	return NULL;
}

static struct team *team_of(struct router *r, const struct sls_rule *sls, const struct choice *c,
	const struct team *from, struct fwd_hold *hold)
{
	struct team *t = find(r, sls, c, from, hold);

	if (t || !(t = talloc_zero(r, struct team)))
		return t;
	t->sls = *sls;
	t->all = talloc_memdup(t, c->all, c->n_all * sizeof(struct route_egress *));
	t->members = talloc_memdup(t, c->best, c->n * sizeof(struct route_egress *));
	t->n_all = c->n_all;
	t->n = c->n;
	t->from = from;
	t->hold = hold;
	t->stale = true;
	if (!t->members || !t->all) {
		talloc_free(t);
		return NULL;
	}
	for (uint32_t b = 0; b < FWD_SLS_BUCKETS; b++)
		t->owner[b] = SHARE_NONE;
	share_linksets(t);
	llist_add(&t->entry, &r->teams);
	return t;
}

const struct fwd_as *team_target(
	struct router *r, const struct sls_rule *sls, const struct choice *c, const struct team **out)
{
	struct team *t = team_of(r, sls, c, NULL, NULL);

	*out = NULL;
	if (t && (!t->stale || team_compile(r, t))) {
		*out = t;
		return t->part;
	}
	LOGP(DROUTE, LOGL_ERROR, "no memory for load sharing with %s: it carries all\n", c->best[0]->name);
	return c->best[0]->part;
}

/* ---- while traffic moves ---- */

const struct team *team_alone(struct router *r, const struct sls_rule *sls, struct route_egress *e)
{
	struct choice c = {.all = {e}, .best = {e}, .n_all = 1, .n = 1};

	return team_of(r, sls, &c, NULL, NULL);
}

static bool any_stays(const struct team *t)
{
	for (uint32_t i = 0; i < t->n; i++)
		for (uint32_t b = 0; b < FWD_SLS_BUCKETS; b++)
			if (t->egress[b] == t->members[i]->number && stays(t->from, t->members[i], b))
				return true;
	return false;
}

const struct fwd_as *team_hold(struct router *r, const struct sls_rule *sls, const struct choice *c,
	const struct team *from, struct fwd_hold *hold)
{
	struct team *t = team_of(r, sls, c, from, hold);

	return t && any_stays(t) && (!t->stale || team_compile(r, t)) ? t->part : NULL;
}

/* ---- what becomes of the members ---- */

void team_egress_changed(struct route_egress *e)
{
	struct team *t;

	llist_for_each_entry (t, &e->router->teams, entry)
		t->stale |= team_has(t, e);
}

/* Newer ones come first: no team is freed before those whose traffic came from it. */
void team_egress_gone(struct route_egress *e)
{
	struct router *r = e->router;
	struct team *t, *next;

	llist_for_each_entry_safe (t, next, &r->teams, entry) {
		if (!team_has(t, e) && !(t->from && team_has(t->from, e)))
			continue;
		router_retire_target(r, t->part);
		llist_del(&t->entry);
		talloc_free(t);
	}
}
