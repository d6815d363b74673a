/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A log-linear histogram of latencies: every octave is cut into 64 buckets, so that a percentile is at most
 * 1.6 % above the truth, for nanoseconds from 0 to a quarter of an hour, in 18 KiB and without allocation. */
#pragma once

#include <stdint.h>

enum {
	HIST_SUB_BITS = 6,
	HIST_TOP_BITS = 40,
	HIST_BUCKETS = (HIST_TOP_BITS - HIST_SUB_BITS + 1) << HIST_SUB_BITS
};

struct hist {
	uint64_t n, max;
	uint64_t bucket[HIST_BUCKETS];
};

void hist_add(struct hist *h, uint64_t ns);
void hist_merge(struct hist *into, const struct hist *from);

/* The value that a fraction Q (0..1) of the samples does not exceed: exact to the bucket's upper edge, never
 * above the greatest sample. 0 without samples. */
uint64_t hist_quantile(const struct hist *h, double q);
