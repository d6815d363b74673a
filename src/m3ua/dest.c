/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Per network a sorted array of the point codes that routing keys name; per AS the indexes of its own. A
 * destination is as available as the best of the ASs that serve a part of it. */
#include "m3ua/dest.h"

#include <stdlib.h>
#include <talloc.h>

#include "base/clock.h"
#include "m3ua/as.h"
#include "m3ua/sg_int.h"
#include "m3ua/ssnm.h"

struct row {
	uint32_t first_as; /* in dest_net.ass: n_as of them */
};

struct dest_net {
	struct dest *list;
	struct row *rows;
	unsigned n;
	struct as **ass;
};

struct dests {
	struct dest_net net[SG_MAX_NETWORKS];
};

const char *dest_status_name(enum dest_status s)
{
	static const char *const names[] = {[DEST_UNKNOWN] = "unknown",
		[DEST_AVAILABLE] = "available",
		[DEST_RESTRICTED] = "restricted",
		[DEST_UNAVAILABLE] = "unavailable"};

	return (unsigned)s < sizeof(names) / sizeof(names[0]) ? names[s] : "?";
}

const struct dest *dest_list(struct sg *sg, uint16_t network, unsigned *n)
{
	*n = 0;
	if (!sg->dests || network >= SG_MAX_NETWORKS)
		return NULL;
	*n = sg->dests->net[network].n;
	return sg->dests->net[network].list;
}

unsigned dest_lower_bound(const struct dest *list, unsigned n, uint32_t pc)
{
	unsigned lo = 0, hi = n;

	while (lo < hi) {
		unsigned mid = lo + (hi - lo) / 2;

		if (list[mid].pc < pc)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

const struct dest *dest_find(struct sg *sg, uint16_t network, uint32_t pc)
{
	unsigned n;
	const struct dest *list = dest_list(sg, network, &n);
	unsigned i = dest_lower_bound(list, n, pc);

	return i < n && list[i].pc == pc ? &list[i] : NULL;
}

void dest_foreach(struct sg *sg, uint16_t network, bool (*fn)(const struct dest *d, void *arg), void *arg)
{
	unsigned n;
	const struct dest *list = dest_list(sg, network, &n);

	for (unsigned i = 0; i < n; i++)
		if (!fn(&list[i], arg))
			return;
}

bool dest_served_by(const struct asp *asp, const struct sg_network *network, uint32_t pc)
{
	const struct dest_net *net;
	const struct as_asp *m;
	const struct dest *d = dest_find(asp->sg, network->index, pc);
	unsigned i;

	if (!d)
		return false;
	net = &asp->sg->dests->net[network->index];
	i = (unsigned)(d - net->list);
	for (unsigned k = 0; k < d->n_as; k++)
		llist_for_each_entry (m, &asp->ass, in_asp)
			if (m->state == ASP_ACTIVE && m->as == net->ass[net->rows[i].first_as + k])
				return true;
	return false;
}

/* ---- building ---- */

struct pair {
	uint32_t pc;
	struct as *as;
};

static int by_pc(const void *a, const void *b)
{
	const struct pair *x = a, *y = b;

	if (x->pc != y->pc)
		return x->pc < y->pc ? -1 : 1;
	return (x->as->number > y->as->number) - (x->as->number < y->as->number);
}

/* Every (point code, AS) of the network, sorted, each once. */
static struct pair *pairs_of(struct sg *sg, const struct sg_network *net, unsigned *n)
{
	unsigned total = 0, i = 0;
	struct pair *v;
	struct as *as;

	llist_for_each_entry (as, &sg->ass, entry)
		if (as->network == net)
			total += as->conf->n_keys;
	v = talloc_array(sg->ctx, struct pair, total + 1);
	*n = 0;
	if (!v)
		return NULL;
	llist_for_each_entry (as, &sg->ass, entry)
		for (unsigned k = 0; as->network == net && k < as->conf->n_keys; k++)
			v[i++] = (struct pair){.pc = as->conf->keys[k].dpc, .as = as};
	qsort(v, total, sizeof(*v), by_pc);
	for (i = 0; i < total; i++)
		if (!*n || v[*n - 1].pc != v[i].pc || v[*n - 1].as != v[i].as)
			v[(*n)++] = v[i];
	return v;
}

static void add_pair(struct sg *sg, struct dest_net *d, uint16_t network, const struct pair *p, unsigned i)
{
	struct dest *last = d->n ? &d->list[d->n - 1] : NULL;
	const struct dest *old;

	if (!last || last->pc != p->pc) {
		old = dest_find(sg, network, p->pc);
		last = &d->list[d->n];
		*last = old ? *old
			    : (struct dest){.network = network,
				      .pc = p->pc,
				      .status = DEST_UNAVAILABLE,
				      .since_ms = clock_ms()};
		last->n_as = 0;
		d->rows[d->n++] = (struct row){.first_as = i};
	}
	last->n_as++;
	d->ass[i] = p->as;
	p->as->dests[p->as->n_dests++] = d->n - 1;
}

static void build_network(struct sg *sg, struct dests *new, const struct sg_network *net)
{
	struct dest_net *d = &new->net[net->index];
	unsigned n;
	struct pair *pairs = pairs_of(sg, net, &n);

	d->list = talloc_array(new, struct dest, n + 1);
	d->rows = talloc_array(new, struct row, n + 1);
	d->ass = talloc_array(new, struct as *, n + 1);
	for (unsigned i = 0; pairs && d->list && d->rows && d->ass && i < n; i++)
		if (pairs[i].as->dests)
			add_pair(sg, d, net->index, &pairs[i], i);
	talloc_free(pairs);
}

void dest_forget(struct sg *sg, uint16_t network)
{
	if (sg->dests)
		sg->dests->net[network].n = 0;
}

/* Destinations that no routing key names any more are unreachable: all active ASPs of the network hear it. */
static void tell_gone(struct sg *sg, const struct sg_network *net, const struct dest_net *old)
{
	uint32_t *gone = talloc_array(sg->ctx, uint32_t, old->n + 1), n = 0;
	struct ssnm_to to;
	struct asp *asp;

	for (unsigned i = 0; gone && i < old->n; i++)
		if (old->list[i].status != DEST_UNAVAILABLE && !dest_find(sg, net->index, old->list[i].pc))
			gone[n++] = old->list[i].pc;
	llist_for_each_entry (asp, &sg->asps, entry) {
		if (!n || !ssnm_concerned(asp, net, NULL, &to))
			continue;
		ssnm_status_to(&to, M3UA_DUNA, gone, n);
		ssnm_done(&to);
	}
	talloc_free(gone);
}

void dest_rebuild(struct sg *sg)
{
	struct dests *old = sg->dests;
	struct dests *new = talloc_zero(sg->ctx, struct dests);
	struct sg_network *net;
	struct as *as;

	if (!new)
		return;
	llist_for_each_entry (as, &sg->ass, entry) {
		talloc_free(as->dests);
		as->n_dests = 0;
		as->told = DEST_UNKNOWN;
		as->dests = talloc_array(as, uint32_t, as->conf->n_keys + 1);
		sg_as_stale(as);
	}
	llist_for_each_entry (net, &sg->networks, entry)
		build_network(sg, new, net);
	sg->dests = new;
	if (!old)
		return;
	llist_for_each_entry (net, &sg->networks, entry)
		tell_gone(sg, net, &old->net[net->index]);
	talloc_free(old);
}

/* ---- changes ---- */

static void look_again(const struct dest_net *net, unsigned i, enum dest_status *status, uint8_t *congestion)
{
	*status = DEST_UNAVAILABLE;
	*congestion = 0;
	for (unsigned k = 0; k < net->list[i].n_as; k++) {
		const struct as *as = net->ass[net->rows[i].first_as + k];

		if (as->status < *status)
			*status = as->status;
		if (as->congestion > *congestion)
			*congestion = as->congestion;
	}
}

static uint8_t congestion_of(const struct as *as)
{
	const struct as_asp *m;
	uint8_t level = 0;

	llist_for_each_entry (m, &as->asps, in_as)
		if (m->state == ASP_ACTIVE && m->asp->congestion > level)
			level = m->asp->congestion;
	return level;
}

/* A list of point codes per kind of news. */
struct news {
	uint32_t *pcs[DEST_UNAVAILABLE + 1], n[DEST_UNAVAILABLE + 1]; /* by new status */
	uint32_t *congested[4], n_congested[4];                       /* by new level */
};

static struct news *news_new(const struct as *as)
{
	struct news *w = talloc_zero(as, struct news);
	bool ok = w != NULL;

	for (unsigned s = DEST_AVAILABLE; ok && s <= DEST_UNAVAILABLE; s++)
		ok = (w->pcs[s] = talloc_array(w, uint32_t, as->n_dests + 1)) != NULL;
	for (unsigned level = 0; ok && level < 4; level++)
		ok = (w->congested[level] = talloc_array(w, uint32_t, as->n_dests + 1)) != NULL;
	if (ok)
		return w;
	talloc_free(w);
	return NULL;
}

static void examine(struct news *w, const struct dest_net *net, unsigned i)
{
	struct dest *d = &net->list[i];
	enum dest_status status;
	uint8_t congestion;

	look_again(net, i, &status, &congestion);
	if (status != d->status) {
		d->status = status;
		d->since_ms = clock_ms();
		w->pcs[status][w->n[status]++] = d->pc;
	}
	if (congestion != d->congestion) {
		d->congestion = congestion;
		w->congested[congestion & 3][w->n_congested[congestion & 3]++] = d->pc;
	}
}

/* s.4.5.1: all ASPs that are active in the network, but for the part of this AS itself. */
static void broadcast(struct as *as, const struct news *w)
{
	struct asp *asp;

	llist_for_each_entry (asp, &as->sg->asps, entry) {
		struct ssnm_to to;

		if (!ssnm_concerned(asp, as->network, as, &to))
			continue;
		for (unsigned level = 1; level < 4; level++)
			ssnm_scon_to(&to, level, w->congested[level], w->n_congested[level]);
		ssnm_scon_to(&to, 0, w->congested[0], w->n_congested[0]);
		ssnm_status_to(&to, M3UA_DUNA, w->pcs[DEST_UNAVAILABLE], w->n[DEST_UNAVAILABLE]);
		ssnm_status_to(&to, M3UA_DRST, w->pcs[DEST_RESTRICTED], w->n[DEST_RESTRICTED]);
		ssnm_status_to(&to, M3UA_DAVA, w->pcs[DEST_AVAILABLE], w->n[DEST_AVAILABLE]);
		ssnm_done(&to);
	}
}

void dest_tell(struct sg *sg)
{
	struct as *as, *next;

	llist_for_each_entry_safe (as, next, &sg->stale, stale) {
		uint8_t congestion = congestion_of(as);
		struct news *w;
		struct dest_net *net;

		llist_del_init(&as->stale);
		if (as->told == as->status && as->congestion == congestion)
			continue; /* ASPs come and go: what they serve is as it was */
		as->told = as->status;
		as->congestion = congestion;
		if (!as->network || !sg->dests || !(w = news_new(as)))
			continue;
		net = &sg->dests->net[as->network->index];
		for (unsigned i = 0; i < as->n_dests; i++)
			examine(w, net, as->dests[i]);
		broadcast(as, w);
		talloc_free(w);
	}
}
