/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/clock.h"

#include <time.h>

static uint64_t frozen_ns;

uint64_t clock_ns(void)
{
	struct timespec t;

	if (frozen_ns)
		return frozen_ns;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

uint64_t clock_ms(void)
{
	return clock_ns() / 1000000u;
}

void clock_freeze_ns(uint64_t ns)
{
	frozen_ns = ns;
}
