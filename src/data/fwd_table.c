/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of a forwarding table and the table itself: plain copies, one allocation each. Control makes and
 * frees them; workers only read. */
#include <stdlib.h>
#include <string.h>

#include "data/fwd.h"

/* ---- targets ---- */

static bool is_plain(const struct fwd_slot *slot)
{
	return slot->proto == FWD_M3UA && !slot->hold && !slot->flags;
}

struct fwd_as *fwd_as_new(const struct fwd_as *spec)
{
	size_t slots = spec->n_slots * sizeof(*spec->slots);
	uint32_t n_buckets = spec->mode == FWD_LOADSHARE ? spec->n_buckets : 0;
	size_t share = n_buckets * sizeof(*spec->share);
	uint8_t *mem = calloc(1, sizeof(*spec) + slots + share);
	struct fwd_as *as = (struct fwd_as *)mem;

	if (!as)
		return NULL;
	*as = *spec;
	as->n_buckets = n_buckets;
	if (as->state == FWD_AS_ACTIVE && !as->n_slots)
		as->state = FWD_AS_UNSERVED;
	as->sls_mask = n_buckets && spec->key == FWD_KEY_SLS ? n_buckets - 1 : 0;
	as->slots = (struct fwd_slot *)(mem + sizeof(*spec));
	as->share = (uint16_t *)(mem + sizeof(*spec) + slots);
	if (slots)
		memcpy(as->slots, spec->slots, slots);
	for (unsigned i = 0; i < as->n_slots; i++)
		as->slots[i].plain = is_plain(&as->slots[i]);
	if (share)
		memcpy(as->share, spec->share, share);
	return as;
}

void fwd_as_free(struct fwd_as *as)
{
	free(as);
}

/* ---- ingress ---- */

static int by_rc(const void *a, const void *b)
{
	const struct fwd_ingress_rc *x = a, *y = b;

	return (x->rc > y->rc) - (x->rc < y->rc);
}

struct fwd_ingress *fwd_ingress_new(
	const struct fwd_ingress_rc *rcs, unsigned n, const struct fwd_ingress_rc *only)
{
	struct fwd_ingress *in = calloc(1, sizeof(*in) + n * sizeof(*rcs));

	if (!in)
		return NULL;
	in->n = n;
	if (n)
		memcpy(in->rcs, rcs, n * sizeof(*rcs));
	qsort(in->rcs, n, sizeof(*rcs), by_rc);
	for (unsigned i = 0; i < n; i++)
		in->n_active += in->rcs[i].active;
	if (only) {
		in->n_active += only->active;
		in->only = *only;
	} else if (n == 1) {
		in->only = in->rcs[0];
	}
	in->has_only = only || n == 1;
	in->rc_required = !only && n > 1;
	return in;
}

void fwd_ingress_free(struct fwd_ingress *in)
{
	free(in);
}

const struct fwd_ingress_rc *fwd_ingress_find(const struct fwd_ingress *in, uint32_t rc)
{
	unsigned lo = 0, hi = in->n;

	while (lo < hi) {
		unsigned mid = (lo + hi) / 2;

		if (in->rcs[mid].rc == rc)
			return &in->rcs[mid];
		if (in->rcs[mid].rc < rc)
			lo = mid + 1;
		else
			hi = mid;
	}
	return NULL;
}

/* ---- the table ---- */

struct fwd_table *fwd_table_new(const struct fwd_routing *routing, const struct fwd_as *const *as,
	uint32_t n_as, const struct fwd_ingress *const *ingress, uint32_t n_ingress)
{
	size_t as_bytes = n_as * sizeof(*as), in_bytes = n_ingress * sizeof(*ingress);
	uint8_t *mem = calloc(1, sizeof(struct fwd_table) + as_bytes + in_bytes + n_as * sizeof(uint32_t));
	struct fwd_table *t = (struct fwd_table *)mem;

	if (!t)
		return NULL;
	mem += sizeof(*t);
	if (as_bytes)
		memcpy(mem, as, as_bytes);
	if (in_bytes)
		memcpy(mem + as_bytes, ingress, in_bytes);
	t->routing = routing;
	t->as = (const struct fwd_as *const *)mem;
	t->n_as = n_as;
	t->ingress = (const struct fwd_ingress *const *)(mem + as_bytes);
	t->n_ingress = n_ingress;
	t->epochs = (uint32_t *)(mem + as_bytes + in_bytes);
	return t;
}

void fwd_table_free(struct fwd_table *t)
{
	free(t);
}

static bool has_asp(const struct fwd_as *as, const struct assoc *a)
{
	for (unsigned i = 0; i < as->n_slots; i++)
		if (as->slots[i].assoc == a)
			return true;
	return false;
}

static bool gained_asp(const struct fwd_as *old, const struct fwd_as *now)
{
	for (unsigned i = 0; i < now->n_slots; i++)
		if (!old || !has_asp(old, now->slots[i].assoc))
			return true;
	return false;
}

void fwd_table_follow(struct fwd_table *t, const struct fwd_table *old)
{
	t->generation = old ? old->generation + 1 : 1;
	for (uint32_t i = 0; i < t->n_as; i++) {
		const struct fwd_as *was = old && i < old->n_as ? old->as[i] : NULL;

		t->epochs[i] = old && i < old->n_as ? old->epochs[i] : 0;
		if (t->as[i] && t->as[i] != was && t->as[i]->mode == FWD_BROADCAST &&
			gained_asp(was, t->as[i]))
			t->epochs[i]++;
	}
}
