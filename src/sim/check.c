/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/check.h"

#include <stdbool.h>
#include <string.h>

static uint64_t *word(struct check *c, uint64_t seq)
{
	return &c->seen[seq % CHECK_WINDOW / 64];
}

static uint64_t bit(uint64_t seq)
{
	return 1ull << seq % 64;
}

/* Moves the window's head to SEQ: its slots become those of the new numbers, none of them seen. */
static void slide(struct check *c, uint64_t seq)
{
	uint64_t stop = seq;

	if (seq - c->next > CHECK_WINDOW) /* the slots in between would be written and left again */
		stop = c->next + CHECK_WINDOW;
	for (uint64_t s = c->next; s < stop; s++) {
		if (s >= CHECK_WINDOW && !(*word(c, s) & bit(s)))
			c->written_off++;
		*word(c, s) &= ~bit(s);
	}
	c->written_off += seq - stop;
	c->next = seq;
}

enum check_verdict check_seen(struct check *c, uint32_t seq)
{
	bool ahead = seq >= c->next;

	if (ahead)
		slide(c, (uint64_t)seq + 1);
	else if (c->next - seq > CHECK_WINDOW)
		return c->written_off ? CHECK_STALE : CHECK_REPEATED;
	else if (*word(c, seq) & bit(seq))
		return CHECK_REPEATED;
	*word(c, seq) |= bit(seq);
	c->unique++;
	return ahead ? CHECK_NEW : CHECK_LATE;
}
