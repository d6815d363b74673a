/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A sparse array: a radix directory of two to four levels whose pages are allocated on first touch, so that
 * an array of 65,536 stream states or 16,777,216 point codes costs what is used of it and no allocation is
 * large.
 *
 * Used for per-stream state (data/assoc), point codes (data/fwd) and sparse handles. The geometry is chosen
 * at init: index = [top | high | mid | leaf] bits. Without high and mid a look-up is two loads; more levels
 * make the pages smaller, and so a few scattered elements cheaper.
 *
 * Threads: one writer at a time. Readers may run beside it: pages are published with release stores and are
 * never freed before paged_free(). Elements start as zero bytes. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct paged {
	void *_Atomic *top; /* allocated on first touch */
	uint32_t limit;     /* valid indexes are 0 .. limit - 1 */
	uint32_t elem_size; /* bytes */
	uint8_t high_bits, mid_bits, leaf_bits;
	uint32_t n_top;
	_Atomic size_t bytes; /* allocated so far: paged_bytes() */
};

/* Prepares an array of LIMIT elements of ELEM_SIZE bytes; allocates nothing. */
void paged_init(struct paged *p, uint32_t limit, uint32_t elem_size, uint8_t mid_bits, uint8_t leaf_bits);
/* The same with a level between top and mid. */
void paged_init_deep(struct paged *p, uint32_t limit, uint32_t elem_size, uint8_t high_bits, uint8_t mid_bits,
	uint8_t leaf_bits);

/* The element, allocating its page if need be; NULL if I is out of range or there is no memory. */
void *paged_touch(struct paged *p, uint32_t i);

/* The element if its page exists, else NULL. Lock-free, no side effect. */
void *paged_get(const struct paged *p, uint32_t i);

/* paged_get() for callers that know the geometry when they are compiled (and have given it to paged_init):
 * the same loads, without the instructions in between. I must be below the limit. */
static inline void *paged_walk(const struct paged *p, uint32_t i, size_t elem_size, unsigned high_bits,
	unsigned mid_bits, unsigned leaf_bits)
{
	void *_Atomic *dir = __atomic_load_n(&p->top, __ATOMIC_ACQUIRE);
	void *page;

	if (!dir)
		return NULL;
	page = atomic_load_explicit(&dir[i >> (high_bits + mid_bits + leaf_bits)], memory_order_acquire);
	if (high_bits && page) {
		dir = page;
		page = atomic_load_explicit(
			&dir[(i >> (mid_bits + leaf_bits)) & ((1u << high_bits) - 1)], memory_order_acquire);
	}
	if (mid_bits && page) {
		dir = page;
		page = atomic_load_explicit(
			&dir[(i >> leaf_bits) & ((1u << mid_bits) - 1)], memory_order_acquire);
	}
	return page ? (uint8_t *)page + (i & ((1u << leaf_bits) - 1)) * elem_size : NULL;
}

/* Calls FN for every element of every existing page, in index order, until it returns false. */
void paged_foreach(const struct paged *p, bool (*fn)(uint32_t i, void *elem, void *arg), void *arg);

/* Bytes allocated so far; any thread, for `show` and tests. */
size_t paged_bytes(const struct paged *p);

/* Frees every page (no reader may be left). The geometry stays: the array may be used again. */
void paged_free(struct paged *p);
