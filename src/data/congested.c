/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "data/congested.h"

#include <stdlib.h>

#include "data/assoc.h"
#include "data/fwd_route.h"
#include "wire/mtp3.h"

/* One for each destination of the routing, in its order. */
struct fwd_congestion {
	const struct fwd_routing *routing;
	struct {
		uint8_t level;
		_Atomic uint8_t met; /* messages, by all workers, modulo CONGESTED_EVERY */
	} dests[];
};
_Static_assert(256 % CONGESTED_EVERY == 0, "the count may wrap");

struct fwd_congestion *fwd_congestion_new(const struct fwd_routing *r)
{
	struct fwd_congestion *c = calloc(1, sizeof(*c) + r->n_dests * sizeof(c->dests[0]));

	if (c)
		c->routing = r;
	return c;
}

void fwd_congestion_free(struct fwd_congestion *c)
{
	free(c);
}

void fwd_congestion_set(struct fwd_congestion *c, uint16_t network, uint32_t pc, uint8_t mask, uint8_t level)
{
	const struct fwd_net *n = fwd_net(c->routing, network);
	uint32_t dest = 0;

	if (n)
		dest = mask ? fwd_mask_dest(n, pc, mask)
			    : (uint32_t)(fwd_dest(c->routing, n, pc) - c->routing->dests);
	if (dest)
		c->dests[dest].level = level;
}

/* Is this one to be shown? */
static bool is_due(struct fwd_congestion *c, const struct fwd_net *n, uint32_t dest, uint8_t mp)
{
	if (!c->dests[dest].level)
		return false;
	if (n->info.has_priorities)
		return mp < c->dests[dest].level;
	return atomic_fetch_add_explicit(&c->dests[dest].met, 1, memory_order_relaxed) % CONGESTED_EVERY == 0;
}

static void show(
	struct worker *w, struct assoc *from, uint16_t network, enum pc_variant v, const struct mtp3_label *l)
{
	struct mbuf *m;

	if (counter_get(&w->told[TOLD_CONGESTED]) - counter_get(&w->taken[TOLD_CONGESTED]) >= PLANE_SAMPLES ||
		!(m = mbuf_alloc(w->pool)))
		return;
	if (mtp3_head_write(mbuf_head(m), v, l) != MTP3_OK) {
		mbuf_free(w->pool, m);
		return;
	}
	m->len = mtp3_head_len(v);
	m->peer = from;
	m->aux = l->mp;
	m->stream = network;
	m->note.kind = N_CONGESTED;
	counter_add(&w->told[TOLD_CONGESTED], 1);
	inbox_post(&w->plane->events, &m->note);
}

void congested_met(struct worker *w, struct assoc *from, uint16_t network, const struct mtp3_label *label)
{
	struct fwd_congestion *c = w->table->congestion;
	const struct fwd_net *n = fwd_net(c->routing, network);
	uint32_t dest = n ? (uint32_t)(fwd_find(c->routing, n, label->dpc) - c->routing->dests) : 0;

	if (dest && is_due(c, n, dest, label->mp))
		show(w, from, network, n->info.variant, label);
}
