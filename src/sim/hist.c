/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/hist.h"

#include <math.h>

enum { SUB = 1 << HIST_SUB_BITS };

static unsigned bucket_of(uint64_t v)
{
	unsigned shift;

	if (v >> HIST_TOP_BITS)
		return HIST_BUCKETS - 1;
	if (v < SUB)
		return (unsigned)v;
	shift = 63 - (unsigned)__builtin_clzll(v) - HIST_SUB_BITS;
	return ((shift + 1) << HIST_SUB_BITS) + (unsigned)(v >> shift) - SUB;
}

static uint64_t upper_edge(unsigned i)
{
	unsigned shift = i >> HIST_SUB_BITS;

	if (!shift)
		return i;
	return (((uint64_t)(SUB + (i & (SUB - 1))) + 1) << (shift - 1)) - 1;
}

void hist_add(struct hist *h, uint64_t ns)
{
	h->bucket[bucket_of(ns)]++;
	h->n++;
	if (ns > h->max)
		h->max = ns;
}

void hist_merge(struct hist *into, const struct hist *from)
{
	for (unsigned i = 0; i < HIST_BUCKETS; i++)
		into->bucket[i] += from->bucket[i];
	into->n += from->n;
	if (from->max > into->max)
		into->max = from->max;
}

uint64_t hist_quantile(const struct hist *h, double q)
{
	uint64_t rank = (uint64_t)ceil(q * (double)h->n), seen = 0;

	if (rank < 1)
		rank = 1;
	for (unsigned i = 0; i < HIST_BUCKETS - 1; i++) {
		seen += h->bucket[i];
		if (seen >= rank)
			return upper_edge(i) < h->max ? upper_edge(i) : h->max;
	}
	return h->max;
}
