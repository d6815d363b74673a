/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A set of SLSs as operators read it: as the bits that its SLSs have in common, like the figures of Q.704
 * ("XXX0"), if these are all that have them; else one by one ("0-2, 5"). */
#include <stdio.h>

#include "console/show.h"
#include "data/sls.h"

static void walk_ranges(struct walk *w, const struct sls_set *set)
{
	char text[16];

	for (unsigned first = 0, last; first < set->values; first = last + 1) {
		last = first;
		if (!set->has[first])
			continue;
		while (last + 1 < set->values && set->has[last + 1])
			last++;
		snprintf(text, sizeof(text), last > first ? "%u-%u" : "%u", first, last);
		walk_item(w, text);
	}
}

/* False: they have not, or there are none. */
static bool common_bits(const struct sls_set *set, char *text)
{
	unsigned all = set->values - 1, ones = all, zeros = all, n = 0, free = 1, len = 0;

	for (unsigned s = 0; s < set->values; s++) {
		if (!set->has[s])
			continue;
		ones &= s;
		zeros &= ~s;
		n++;
	}
	for (unsigned bit = set->values >> 1; bit; bit >>= 1) {
		text[len++] = ones & bit ? '1' : zeros & bit ? '0' : 'X';
		free <<= text[len - 1] == 'X';
	}
	text[len] = '\0';
	return n == free;
}

void show_slss(struct show *s, const char *key, const struct sls_set *set)
{
	char text[16];

	walk_list(s->w, key);
	if (common_bits(set, text))
		walk_item(s->w, text);
	else
		walk_ranges(s->w, set);
	walk_list_end(s->w);
}
