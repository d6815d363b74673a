/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Mixing a few integers into 32 well-spread bits: for load sharing and hash tables. Not for secrets. The
 * result is the same on every machine and in every version: operators compare `show route lookup` of two. */
#pragma once

#include <stdint.h>

static inline uint32_t hash_mix64(uint64_t x)
{
	x ^= x >> 32;
	x *= 0xd6e8feb86659fd93u;
	x ^= x >> 32;
	x *= 0xd6e8feb86659fd93u;
	return (uint32_t)(x >> 32);
}

static inline uint32_t hash_u32x2(uint32_t a, uint32_t b)
{
	return hash_mix64((uint64_t)a << 32 | b);
}

static inline uint32_t hash_u32x3(uint32_t a, uint32_t b, uint32_t c)
{
	return hash_mix64(((uint64_t)a << 32 | b) * 0x9e3779b97f4a7c15u + c);
}

/* A flow: two point codes of at most 24 bits and an SLS, by one multiplication, for it is done for every
 * message. The high bits are the good ones; neighbouring SLSs fall far apart (the multiplier is the golden
 * ratio's). */
static inline uint32_t hash_flow(uint32_t opc, uint32_t dpc, uint8_t sls)
{
	return (uint32_t)((((uint64_t)opc << 32 | (uint64_t)dpc << 8 | sls) * 0x9e3779b97f4a7c15u) >> 32);
}
