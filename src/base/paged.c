/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/paged.h"

#include <stdatomic.h>
#include <stdlib.h>

void paged_init(struct paged *p, uint32_t limit, uint32_t elem_size, uint8_t mid_bits, uint8_t leaf_bits)
{
	uint8_t below = mid_bits + leaf_bits;

	*p = (struct paged){
		.limit = limit,
		.elem_size = elem_size,
		.mid_bits = mid_bits,
		.leaf_bits = leaf_bits,
		.n_top = (uint32_t)(((uint64_t)limit + (1u << below) - 1) >> below),
	};
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
	return i >> (p->mid_bits + p->leaf_bits);
}

static uint32_t mid_index(const struct paged *p, uint32_t i)
{
	return (i >> p->leaf_bits) & ((1u << p->mid_bits) - 1);
}

static void *in_leaf(const struct paged *p, void *leaf, uint32_t i)
{
	return (uint8_t *)leaf + (size_t)(i & ((1u << p->leaf_bits) - 1)) * p->elem_size;
}

void *paged_touch(struct paged *p, uint32_t i)
{
	void *_Atomic *slot;

	if (i >= p->limit)
		return NULL;
	if (!p->top) {
		void *_Atomic *top = zeroed(p, p->n_top, sizeof(void *));

		if (!top)
			return NULL;
		__atomic_store_n(&p->top, top, __ATOMIC_RELEASE);
	}
	slot = &p->top[top_index(p, i)];
	if (p->mid_bits) {
		void *_Atomic *mid = child(p, slot, 1u << p->mid_bits, sizeof(void *));

		if (!mid)
			return NULL;
		slot = &mid[mid_index(p, i)];
	}
	void *leaf = child(p, slot, 1u << p->leaf_bits, p->elem_size);
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
	*span = UINT64_C(1) << (p->mid_bits + p->leaf_bits);
	page = atomic_load_explicit(&top[top_index(p, i)], memory_order_acquire);
	if (!page || !p->mid_bits)
		return page;
	*span = UINT64_C(1) << p->leaf_bits;
	return atomic_load_explicit(&((void *_Atomic *)page)[mid_index(p, i)], memory_order_acquire);
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

void paged_free(struct paged *p)
{
	for (uint32_t t = 0; p->top && t < p->n_top; t++) {
		void *page = p->top[t];

		if (page && p->mid_bits)
			for (uint32_t m = 0; m < 1u << p->mid_bits; m++)
				free(((void *_Atomic *)page)[m]);
		free(page);
	}
	free((void *)p->top);
	p->top = NULL;
	atomic_store_explicit(&p->bytes, 0, memory_order_relaxed);
}
