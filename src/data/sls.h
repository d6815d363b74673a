/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How the SLS shares traffic (Q.704 s.2.3.2, T1.111.4 s.7): which linkset of a combined one, and which of its
 * links. If both were chosen by the same bits, a linkset that gets the even SLSs only would use half of its
 * links; so one bit chooses the linkset, and the others the link. Pure functions, called by control.
 *
 * All of it is said in places: the SLSs in an order in which the linkset's bit is the most significant one.
 * Each linkset of a combined one has a run of places; links take turns in each half of them, so that the
 * share of a link is even whether its linkset carries all, or one half.
 *
 *     4 bits, linkset by bit 1        SLS   0 2 4 6 8 10 12 14 | 1 3 5 7 9 11 13 15
 *                                     link  a b c a b c  a  b  | c a b c a b  c  a
 *
 * A node that chooses by the bit its neighbour has chosen it by would send all to one linkset. So in ANSI
 * networks a message leaves with its SLS rotated (mtp3_sls_rotate()): what was the second bit is the first
 * one of the next node. ITU has no rotation: there nodes had better choose by different bits. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { SLS_VALUES = 256 }; /* of the octet that M3UA has for it */

struct sls_rule {
	uint8_t bits;        /* of the SLS that count: 4, 5 or 8; 0: all of the octet */
	uint8_t linkset_bit; /* chooses the linkset: 1 is the lowest; 0 or beyond BITS: the highest */
};

/* Some of the SLSs of a network that has so many. */
struct sls_set {
	unsigned values; /* a power of two */
	bool has[SLS_VALUES];
};

/* How many SLSs there are. */
static inline unsigned sls_values(const struct sls_rule *r)
{
	return r->bits ? 1u << r->bits : SLS_VALUES;
}

/* SLS from 0 to sls_values() - 1; sls_at() is the inverse. */
unsigned sls_place(const struct sls_rule *r, unsigned sls);
unsigned sls_at(const struct sls_rule *r, unsigned place);

/* Which of the links ACTIVE[0..n-1] (any stable numbers) carries which SLS: OWNER[sls], as it was and then as
 * it is to be, SHARE_NONE where N is 0. Moves as little as it can (data/share.h). */
void sls_share_links(const struct sls_rule *r, uint32_t *owner, const uint32_t *active, unsigned n);

/* Which of the linksets of a combined one carries which SLS: OWNER[sls] is filled. Each has a run of its own;
 * that of one in ALL that is not AVAILABLE, which names at least one of ALL, is shared by those that are, and
 * nothing else moves. */
void sls_share_linksets(const struct sls_rule *r, uint32_t *owner, const uint32_t *all, unsigned n_all,
	const uint32_t *available, unsigned n_available);
