/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/paged.h"

#include <stdatomic.h>
#include <stdlib.h>

void paged_init_deep(struct paged *p, uint32_t limit, uint32_t elem_size, uint8_t high_bits, uint8_t mid_bits,
	uint8_t leaf_bits)
{
	uint8_t below = high_bits + mid_bits + leaf_bits;

	*p = (struct paged){
		.limit = limit,
		.elem_size = elem_size,
		.high_bits = high_bits,
		.mid_bits = mid_bits,
		.leaf_bits = leaf_bits,
		.n_top = (uint32_t)(((uint64_t)limit + (1u << below) - 1) >> below),
	};
}

void paged_init(struct paged *p, uint32_t limit, uint32_t elem_size, uint8_t mid_bits, uint8_t leaf_bits)
{
	paged_init_deep(p, limit, elem_size, 0, mid_bits, leaf_bits);
}

size_t paged_bytes(const struct paged *p)
{
	return atomic_load_explicit(&p->bytes, memory_order_relaxed);
}

static void *zeroed(struct paged *p, size_t n, size_t size)
{
	void *page = calloc(n, size);

	if (page) /* one writer: no locked instruction needed */
		atomic_store_explicit(&p->bytes, paged_bytes(p) + n * size, memory_order_relaxed);
	return page;
}

/* The child page behind SLOT, made if it is not there yet. */
static void *child(struct paged *p, void *_Atomic *slot, size_t n, size_t size)
{
	void *page = atomic_load_explicit(slot, memory_order_relaxed);

	if (page)
		return page;
	page = zeroed(p, n, size);
	atomic_store_explicit(slot, page, memory_order_release);
	return page;
}

static uint32_t top_index(const struct paged *p, uint32_t i)
{
	return i >> (p->high_bits + p->mid_bits + p->leaf_bits);
}

/* The slot for I in a directory page of 1 << BITS slots that stand for 1 << BELOW elements each. */
static void *_Atomic *slot_in(void *page, uint32_t i, uint8_t bits, uint8_t below)
{
	return &((void *_Atomic *)page)[(i >> below) & ((1u << bits) - 1)];
}

static void *in_leaf(const struct paged *p, void *leaf, uint32_t i)
{
	return (uint8_t *)leaf + (size_t)(i & ((1u << p->leaf_bits) - 1)) * p->elem_size;
}

static bool touch_top(struct paged *p)
{
	void *_Atomic *top = p->top ? p->top : zeroed(p, p->n_top, sizeof(void *));

	if (top && !p->top)
		__atomic_store_n(&p->top, top, __ATOMIC_RELEASE);
	return top;
}

/* From SLOT down one level of directories; a level of no bits is not there. NULL without memory. */
static void *_Atomic *touch_level(
	struct paged *p, void *_Atomic *slot, uint32_t i, uint8_t bits, uint8_t below)
{
	void *page;

	if (!slot || !bits)
		return slot;
	page = child(p, slot, 1u << bits, sizeof(void *));
	return page ? slot_in(page, i, bits, below) : NULL;
}

void *paged_touch(struct paged *p, uint32_t i)
{
	void *_Atomic *slot;
	void *leaf;

	if (i >= p->limit || !touch_top(p))
		return NULL;
	slot = touch_level(p, &p->top[top_index(p, i)], i, p->high_bits, p->mid_bits + p->leaf_bits);
	slot = touch_level(p, slot, i, p->mid_bits, p->leaf_bits);
	leaf = slot ? child(p, slot, 1u << p->leaf_bits, p->elem_size) : NULL;
	return leaf ? in_leaf(p, leaf, i) : NULL;
}

/* The leaf that holds element I; if it is missing, NULL and in *SPAN the number of elements, aligned, that
 * are missing with it. */
static void *leaf_of(const struct paged *p, uint32_t i, uint64_t *span)
{
	void *_Atomic *top = __atomic_load_n(&p->top, __ATOMIC_ACQUIRE);
	void *page;

	*span = UINT64_C(1) << 32;
	if (!top)
		return NULL;
	*span = UINT64_C(1) << (p->high_bits + p->mid_bits + p->leaf_bits);
	page = atomic_load_explicit(&top[top_index(p, i)], memory_order_acquire);
	if (page && p->high_bits) {
		*span = UINT64_C(1) << (p->mid_bits + p->leaf_bits);
		page = atomic_load_explicit(
			slot_in(page, i, p->high_bits, p->mid_bits + p->leaf_bits), memory_order_acquire);
	}
	if (page && p->mid_bits) {
		*span = UINT64_C(1) << p->leaf_bits;
		page = atomic_load_explicit(
			slot_in(page, i, p->mid_bits, p->leaf_bits), memory_order_acquire);
	}
	return page;
}

void *paged_get(const struct paged *p, uint32_t i)
{
	uint64_t span;
	void *leaf = i < p->limit ? leaf_of(p, i, &span) : NULL;

	return leaf ? in_leaf(p, leaf, i) : NULL;
}

void paged_foreach(const struct paged *p, bool (*fn)(uint32_t i, void *elem, void *arg), void *arg)
{
	uint64_t i = 0, span, end;

	while (i < p->limit) {
		void *leaf = leaf_of(p, (uint32_t)i, &span);

		if (!leaf) {
			i = (i / span + 1) * span;
			continue;
		}
		end = i + (1u << p->leaf_bits);
		for (; i < end && i < p->limit; i++)
			if (!fn((uint32_t)i, in_leaf(p, leaf, (uint32_t)i), arg))
				return;
	}
}

/* A directory page of 1 << BITS[0] slots and all below it; a leaf has no bits. */
static void free_page(void *page, const uint8_t *bits)
{
	if (page && *bits)
		for (uint32_t i = 0; i < 1u << *bits; i++)
			free_page(((void *_Atomic *)page)[i], bits + 1);
	free(page);
}

void paged_free(struct paged *p)
{
	/* levels that are there, in order, then the leaves */
	uint8_t bits[3] = {p->high_bits ? p->high_bits : p->mid_bits, p->high_bits ? p->mid_bits : 0, 0};

	for (uint32_t t = 0; p->top && t < p->n_top; t++)
		free_page(p->top[t], bits);
	free((void *)p->top);
	p->top = NULL;
	p->bytes = 0;
}
