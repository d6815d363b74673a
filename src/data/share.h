/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which ASP serves which SLS: a pure function from the old assignment and today's active ASPs to the new one.
 */
#pragma once

#include <stdint.h>

enum { SHARE_NONE = 0xffffffffu };

/* BUCKETS[i] is the owner (any stable number, e.g. an ASP's) of bucket i, or SHARE_NONE. On return every
 * bucket is owned by one of ACTIVE[0..n-1] (by SHARE_NONE if n is 0), each block of 16 consecutive buckets is
 * spread as evenly as it can be (ITU's 16 SLS values share well even though 256 are kept), and as few buckets
 * as possible have changed owner: one that stays active loses a bucket only to a newcomer that is due a
 * share. */
void share_assign(uint32_t *buckets, unsigned n_buckets, const uint32_t *active, unsigned n_active);
/* The same with blocks of another size. */
void share_assign_blocks(
	uint32_t *buckets, unsigned n_buckets, unsigned block, const uint32_t *active, unsigned n_active);
