/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "data/broadcast.h"

#include "base/hash.h"

static bool same(const struct broadcast_flow *a, const struct broadcast_flow *b)
{
	return a->opc == b->opc && a->dpc == b->dpc && a->as == b->as && a->epoch == b->epoch &&
	       a->sls == b->sls && a->si == b->si;
}

bool broadcast_first(struct broadcast *b, const struct broadcast_flow *flow)
{
	uint32_t h = hash_u32x3(flow->opc, flow->dpc, flow->as << 16 ^ (uint32_t)flow->si << 8 ^ flow->sls);
	struct broadcast_flow *slot = &b->flows[h % BROADCAST_FLOWS];

	if (same(slot, flow))
		return false;
	*slot = *flow;
	return true;
}

uint32_t broadcast_correlation(struct broadcast *b, unsigned who)
{
	return ++b->next << 4 | (who & 15);
}
