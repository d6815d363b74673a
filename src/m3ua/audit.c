/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "m3ua/audit.h"

#include <stdlib.h>
#include <talloc.h>

#include "m3ua/sg_int.h"

/* One Affected Point Code as an interval. */
struct range {
	uint32_t lo, hi, entry;
};

static int by_lo(const void *a, const void *b)
{
	const struct range *x = a, *y = b;

	if (x->lo != y->lo)
		return x->lo < y->lo ? -1 : 1;
	return (x->entry > y->entry) - (x->entry < y->entry);
}

/* A point code too wide for the network is an unknown one. */
static struct range range_of(uint32_t entry, uint8_t bits)
{
	struct pc_range r;

	if (!pc_range_of(m3ua_apc_pc(entry), m3ua_apc_mask(entry), bits, &r))
		r = (struct pc_range){m3ua_apc_pc(entry), m3ua_apc_pc(entry)};
	return (struct range){.lo = r.first, .hi = r.last, .entry = entry};
}

static void add(struct audit_list *l, uint32_t entry)
{
	l->v[l->n++] = entry;
}

static bool make_room(struct audit_result *r, uint32_t n)
{
	for (unsigned s = DEST_AVAILABLE; s <= DEST_UNAVAILABLE; s++)
		if (!(r->by_status[s].v = talloc_array(r->ctx, uint32_t, n)))
			return false;
	for (unsigned level = 1; level < 4; level++)
		if (!(r->congested[level].v = talloc_array(r->ctx, uint32_t, n)))
			return false;
	return true;
}

static bool is_own(const struct sg_network *net, uint32_t pc)
{
	for (unsigned i = 0; i < net->conf->n_pcs; i++)
		if (net->conf->pcs[i] == pc)
			return true;
	return false;
}

static void report(struct audit_result *r, const struct dest *d)
{
	add(&r->by_status[d->status == DEST_UNKNOWN ? DEST_UNAVAILABLE : d->status], d->pc);
	if (d->congestion && d->status != DEST_UNAVAILABLE)
		add(&r->congested[d->congestion & 3], d->pc);
}

/* No destination is named in the range: it may be all of one point code of ours, or part of a masked one. */
static enum dest_status status_of_unnamed(
	const struct router *router, const struct sg_network *net, const struct range *v)
{
	const struct dest *d = dest_cover(router, net->index, m3ua_apc_pc(v->entry), m3ua_apc_mask(v->entry));

	if (v->lo == v->hi && is_own(net, v->lo))
		return DEST_AVAILABLE;
	return d && d->status != DEST_UNKNOWN ? d->status : DEST_UNAVAILABLE;
}

/* Walks the sorted ranges beside the sorted destinations; NEXT is the first destination not reported yet. */
static void walk(struct audit_result *r, const struct router *router, const struct sg_network *net,
	const struct range *v, uint32_t n, const struct dest *list, unsigned n_list)
{
	unsigned next = 0;

	for (uint32_t i = 0; i < n; i++) {
		unsigned first = dest_lower_bound(list, n_list, v[i].lo);
		bool known = first < n_list && list[first].pc <= v[i].hi;

		if (i && v[i].entry == v[i - 1].entry)
			continue;
		if (!known)
			add(&r->by_status[status_of_unnamed(router, net, &v[i])], v[i].entry);
		if (next < first)
			next = first;
		for (; known && next < n_list && list[next].pc <= v[i].hi; next++)
			report(r, &list[next]);
	}
}

bool audit(struct sg *sg, const struct sg_network *network, const struct m3ua_param *affected,
	struct audit_result *out)
{
	uint32_t n = m3ua_list_len(affected);
	uint8_t bits = pc_bits((enum pc_variant)network->conf->variant);
	unsigned n_list;
	const struct dest *list = dest_list(sg->router, network->index, &n_list);
	struct range *v;

	*out = (struct audit_result){.ctx = talloc_new(sg->ctx)};
	v = talloc_array(out->ctx, struct range, n + 1);
	if (!out->ctx || !v || !make_room(out, n + n_list + 1))
		return false;
	for (uint32_t i = 0; i < n; i++)
		v[i] = range_of(m3ua_list_u32(affected, i), bits);
	qsort(v, n, sizeof(*v), by_lo);
	walk(out, sg->router, network, v, n, list, n_list);
	return true;
}

void audit_free(struct audit_result *r)
{
	talloc_free(r->ctx);
	r->ctx = NULL;
}
