/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Load sharing as a pure function. Called by control whenever the set of an AS's active ASPs changes; owns
 * nothing that outlives the call.
 *
 * Block by block: who holds more than its due gives the surplus up, then free buckets go to who has least.
 * "Due" differs by at most one within a block, so an ASP that leaves only hands out its own buckets, and one
 * that comes takes only what the others then hold too many of. With more ASPs than a block has buckets, that
 * alone would leave a newcomer with nothing; so newcomers are then evened out over the blocks. */
#include "data/share.h"

#include <stdbool.h>
#include <stdlib.h>

enum { BLOCK = 16 };

struct share {
	uint32_t *buckets;
	unsigned n_buckets, block;
	const uint32_t *active;
	unsigned n;
	uint32_t *owner;    /* per bucket: index into active, or SHARE_NONE */
	uint32_t *total;    /* per active: buckets owned in all */
	uint32_t *in_block; /* per active: buckets owned in the block at hand */
	bool *newcomer;     /* per active: owned none before */
};

static bool share_init(struct share *s)
{
	s->owner = calloc(s->n_buckets, sizeof(*s->owner));
	s->total = calloc(s->n, sizeof(*s->total));
	s->in_block = calloc(s->n, sizeof(*s->in_block));
	s->newcomer = calloc(s->n, sizeof(*s->newcomer));
	return s->owner && s->total && s->in_block && s->newcomer;
}

static void share_fini(struct share *s)
{
	free(s->owner);
	free(s->total);
	free(s->in_block);
	free(s->newcomer);
}

static uint32_t index_of(const struct share *s, uint32_t id)
{
	for (unsigned i = 0; i < s->n; i++)
		if (s->active[i] == id)
			return i;
	return SHARE_NONE;
}

static void load(struct share *s)
{
	for (unsigned b = 0; b < s->n_buckets; b++) {

		s->owner[b] = s->buckets[b] == SHARE_NONE ? SHARE_NONE : index_of(s, s->buckets[b]);
		if (s->owner[b] != SHARE_NONE)
			s->total[s->owner[b]]++;
	}
	for (unsigned i = 0; i < s->n; i++)
		s->newcomer[i] = s->total[i] == 0;
}

static void count_block(struct share *s, unsigned from, unsigned to)
{
	for (unsigned i = 0; i < s->n; i++)
		s->in_block[i] = 0;
	for (unsigned b = from; b < to; b++)
		if (s->owner[b] != SHARE_NONE)
			s->in_block[s->owner[b]]++;
}

/* The last bucket of the block that OWNER has. */
static unsigned last_owned(const struct share *s, unsigned from, unsigned to, uint32_t owner)
{
	unsigned b = to;

	while (b > from && s->owner[b - 1] != owner)
		b--;
	return b > from ? b - 1 : to;
}

static void give(struct share *s, unsigned bucket, uint32_t to)
{
	uint32_t from = s->owner[bucket];

	if (from != SHARE_NONE) {
		s->total[from]--;
		s->in_block[from]--;
	}
	s->owner[bucket] = to;
	if (to != SHARE_NONE) {
		s->total[to]++;
		s->in_block[to]++;
	}
}

/* Who has most in the block (of those, who has most in all), if more than LEAST. */
static uint32_t richest(const struct share *s, uint32_t least)
{
	uint32_t best = SHARE_NONE;

	for (unsigned i = 0; i < s->n; i++) {
		if (s->in_block[i] <= least)
			continue;
		if (best == SHARE_NONE || s->in_block[i] > s->in_block[best] ||
			(s->in_block[i] == s->in_block[best] && s->total[i] > s->total[best]))
			best = i;
	}
	return best;
}

static uint32_t poorest(const struct share *s)
{
	uint32_t best = 0;

	for (unsigned i = 1; i < s->n; i++)
		if (s->in_block[i] < s->in_block[best] ||
			(s->in_block[i] == s->in_block[best] && s->total[i] < s->total[best]))
			best = i;
	return best;
}

/* Takes from everyone what exceeds its due: FLOOR each, and one more for EXTRA of them. */
static void release_surplus(struct share *s, unsigned from, unsigned to, uint32_t floor, unsigned extra)
{
	uint32_t rich, over = 0;

	while ((rich = richest(s, floor + 1)) != SHARE_NONE)
		give(s, last_owned(s, from, to, rich), SHARE_NONE);
	for (unsigned i = 0; i < s->n; i++)
		over += s->in_block[i] > floor;
	for (; over > extra; over--)
		give(s, last_owned(s, from, to, richest(s, floor)), SHARE_NONE);
}

static void settle_block(struct share *s, unsigned from, unsigned to)
{
	unsigned size = to - from;

	count_block(s, from, to);
	release_surplus(s, from, to, size / s->n, size % s->n);
	for (unsigned b = from; b < to; b++)
		if (s->owner[b] == SHARE_NONE)
			give(s, b, poorest(s));
}

static unsigned block_end(const struct share *s, unsigned from)
{
	return from + s->block < s->n_buckets ? from + s->block : s->n_buckets;
}

/* Moves one bucket from RICH to POOR in a block where RICH has one more than POOR; false if there is none. */
static bool move_one(struct share *s, uint32_t rich, uint32_t poor)
{
	for (unsigned from = 0; from < s->n_buckets; from += s->block) {
		unsigned to = block_end(s, from);
		uint32_t r = 0, p = 0;

		for (unsigned b = from; b < to; b++) {
			r += s->owner[b] == rich;
			p += s->owner[b] == poor;
		}
		if (r > p) {
			give(s, last_owned(s, from, to, rich), poor);
			return true;
		}
	}
	return false;
}

static void even_out(struct share *s, uint32_t newcomer)
{
	uint32_t rich;

	do {
		rich = 0;
		for (unsigned i = 1; i < s->n; i++)
			if (s->total[i] > s->total[rich])
				rich = i;
	} while (s->total[rich] > s->total[newcomer] + 1 && move_one(s, rich, newcomer));
}

static void settle(struct share *s)
{
	load(s);
	for (unsigned from = 0; from < s->n_buckets; from += s->block)
		settle_block(s, from, block_end(s, from));
	for (unsigned i = 0; i < s->n; i++)
		if (s->newcomer[i])
			even_out(s, i);
	for (unsigned b = 0; b < s->n_buckets; b++)
		s->buckets[b] = s->active[s->owner[b]];
}

void share_assign_blocks(
	uint32_t *buckets, unsigned n_buckets, unsigned block, const uint32_t *active, unsigned n_active)
{
	struct share s = {
		.buckets = buckets, .n_buckets = n_buckets, .block = block, .active = active, .n = n_active};

	if (!n_active) {
		for (unsigned b = 0; b < n_buckets; b++)
			buckets[b] = SHARE_NONE;
		return;
	}
	if (share_init(&s))
		settle(&s);
	else /* no memory: still every bucket served, only not by the same one */
		for (unsigned b = 0; b < n_buckets; b++)
			buckets[b] = active[b % n_active];
	share_fini(&s);
}

void share_assign(uint32_t *buckets, unsigned n_buckets, const uint32_t *active, unsigned n_active)
{
	share_assign_blocks(buckets, n_buckets, BLOCK, active, n_active);
}
