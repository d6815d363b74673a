/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The simulator's randomness: splitmix64, seeded by the operator (--seed), so that a run can be repeated. */
#pragma once

#include <stdint.h>

struct rng {
	uint64_t s;
};

static inline uint64_t rng_next(struct rng *r)
{
	uint64_t z = r->s += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

/* 0 .. n - 1 (n > 0); the bias of the multiplication is below 2^-32. */
static inline uint32_t rng_below(struct rng *r, uint32_t n)
{
	return (uint32_t)((rng_next(r) >> 32) * n >> 32);
}

/* 0 < x <= 1: never 0, so that its logarithm exists. */
static inline double rng_unit(struct rng *r)
{
	return (double)((rng_next(r) >> 11) + 1) * 0x1p-53;
}
