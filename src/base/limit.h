/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A rate limit for what peers can cause: so many in a second, the rest counted. Time is clock_ms(). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct limit {
	uint64_t window_ms;  /* when the present second began */
	unsigned n;          /* allowed in it */
	unsigned suppressed; /* refused since the last one that was allowed */
};

/* May this one pass, at most PER_SECOND? *MISSED (may be NULL) is how many were refused since the last that
 * was allowed. */
bool limit_allows(struct limit *l, unsigned per_second, unsigned *missed);
