/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "data/sls.h"

#include "data/share.h"

enum { BLOCK = 16 };

static unsigned top_bit(const struct sls_rule *r)
{
	return (r->bits ? r->bits : 8u) - 1;
}

static unsigned linkset_bit(const struct sls_rule *r)
{
	return r->linkset_bit && r->linkset_bit <= top_bit(r) ? r->linkset_bit - 1u : top_bit(r);
}

unsigned sls_place(const struct sls_rule *r, unsigned sls)
{
	unsigned bit = linkset_bit(r), below = (1u << bit) - 1;

	return (sls >> bit & 1) << top_bit(r) | (sls >> (bit + 1) << bit) | (sls & below);
}

unsigned sls_at(const struct sls_rule *r, unsigned place)
{
	unsigned bit = linkset_bit(r), below = (1u << bit) - 1;
	unsigned others = place & ((1u << top_bit(r)) - 1);

	return (others & ~below) << 1 | (place >> top_bit(r)) << bit | (others & below);
}

void sls_share_links(const struct sls_rule *r, uint32_t *owner, const uint32_t *active, unsigned n)
{
	unsigned values = sls_values(r), half = values / 2;
	uint32_t places[SLS_VALUES];

	for (unsigned p = 0; p < values; p++)
		places[p] = owner[sls_at(r, p)];
	share_assign_blocks(places, values, half < BLOCK ? half : BLOCK, active, n);
	for (unsigned p = 0; p < values; p++)
		owner[sls_at(r, p)] = places[p];
}

void sls_share_linksets(const struct sls_rule *r, uint32_t *owner, const uint32_t *all, unsigned n_all,
	const uint32_t *available, unsigned n_available)
{
	unsigned values = sls_values(r);
	uint32_t places[SLS_VALUES];

	for (unsigned p = 0; p < values; p++)
		places[p] = all[p * n_all / values];
	share_assign_blocks(places, values, values, available, n_available);
	for (unsigned p = 0; p < values; p++)
		owner[sls_at(r, p)] = places[p];
}
