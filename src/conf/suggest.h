/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a mistyped word was meant to be. */
#pragma once

/* The number of insertions, deletions, replacements and swaps of neighbours between two words of up to 63
 * characters (longer ones are far from everything). */
unsigned suggest_distance(const char *a, const char *b);

/* Holds the best of the candidates offered. */
struct suggestion {
	const char *typed;
	const char *best;
	unsigned distance;
};

void suggest_offer(struct suggestion *s, const char *candidate);
