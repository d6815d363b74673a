/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "conf/suggest.h"

#include <string.h>

enum { LONGEST = 63 };

static unsigned min2(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

unsigned suggest_distance(const char *a, const char *b)
{
	unsigned row[3][LONGEST + 1]; /* the present one and the two before it */
	size_t na = strlen(a), nb = strlen(b);

	if (na > LONGEST || nb > LONGEST)
		return LONGEST + 1;
	for (unsigned j = 0; j <= nb; j++)
		row[0][j] = j;
	for (unsigned i = 1; i <= na; i++) {
		unsigned *now = row[i % 3], *up = row[(i + 2) % 3], *up2 = row[(i + 1) % 3];

		now[0] = i;
		for (unsigned j = 1; j <= nb; j++) {
			now[j] = min2(up[j - 1] + (a[i - 1] != b[j - 1]), min2(up[j], now[j - 1]) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				now[j] = min2(now[j], up2[j - 2] + 1);
		}
	}
	return row[na % 3][nb];
}

void suggest_offer(struct suggestion *s, const char *candidate)
{
	unsigned d = suggest_distance(s->typed, candidate);

	/* At most a third of the word may be wrong: beyond that a guess confuses. */
	if (d > 1 + strlen(s->typed) / 3 || d >= strlen(candidate))
		return;
	if (!s->best || d < s->distance) {
		s->best = candidate;
		s->distance = d;
	}
}
