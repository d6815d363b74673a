/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/limit.h"

#include <stddef.h>

#include "base/clock.h"

bool limit_allows(struct limit *l, unsigned per_second, unsigned *missed)
{
	uint64_t now = clock_ms();

	if (now - l->window_ms >= 1000) {
		l->window_ms = now;
		l->n = 0;
	}
	if (l->n >= per_second) {
		l->suppressed++;
		return false;
	}
	l->n++;
	if (missed)
		*missed = l->suppressed;
	l->suppressed = 0;
	return true;
}
