/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How long to wait before a peer is called again: doubling from MIN to MAX, with a quarter of jitter either
 * way, for ever. Randomness is the caller's. */
#pragma once

#include <stdint.h>

/* Milliseconds of the wait that begins now. *STATE is 0 at first, and again when a peer may be called at
 * once. */
static inline uint32_t backoff_next(uint32_t *state, uint32_t min_ms, uint32_t max_ms, uint32_t random)
{
	uint32_t base = *state ? *state : min_ms;

	*state = base > max_ms / 2 ? max_ms : base * 2;
	return base - base / 4 + random % (base / 2 + 1);
}
