/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Properties of the sharing, over random comings and goings of ASPs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "data/share.h"

enum { MAX_BUCKETS = 4096, MAX_ASPS = 64, BLOCK = 16 };

struct world {
	uint32_t buckets[MAX_BUCKETS], before[MAX_BUCKETS];
	unsigned n_buckets;
	uint32_t active[MAX_ASPS];
	unsigned n;
	uint32_t seed;
};

static uint32_t draw(struct world *w)
{
	w->seed = w->seed * 1664525u + 1013904223u;
	return w->seed >> 8;
}

static void start(struct world *w, unsigned n_buckets, uint32_t seed)
{
	*w = (struct world){.n_buckets = n_buckets, .seed = seed};
	memset(w->buckets, 0xff, sizeof(w->buckets));
}

static bool is_in(const uint32_t *set, unsigned n, uint32_t id)
{
	for (unsigned i = 0; i < n; i++)
		if (set[i] == id)
			return true;
	return false;
}

static unsigned count(const uint32_t *buckets, unsigned n, uint32_t id)
{
	unsigned c = 0;

	for (unsigned b = 0; b < n; b++)
		c += buckets[b] == id;
	return c;
}

static void assign(struct world *w)
{
	memcpy(w->before, w->buckets, sizeof(w->before));
	share_assign(w->buckets, w->n_buckets, w->active, w->n);
}

static void assert_blocks_balanced(const struct world *w)
{
	for (unsigned from = 0; from < w->n_buckets; from += BLOCK) {
		unsigned size = w->n_buckets - from < BLOCK ? w->n_buckets - from : BLOCK, sum = 0;

		for (unsigned i = 0; i < w->n; i++) {
			unsigned c = count(w->buckets + from, size, w->active[i]);

			assert_in_range(c, size / w->n, (size + w->n - 1) / w->n);
			sum += c;
		}
		assert_int_equal(sum, size); /* every bucket is somebody's who is active */
	}
}

/* What a newcomer got is all that anybody who stayed may have lost, and it is at most what is due. */
static void assert_least_movement(const struct world *w)
{
	for (unsigned b = 0; b < w->n_buckets; b++) {
		uint32_t was = w->before[b], is = w->buckets[b];

		if (was == is || was == SHARE_NONE || !is_in(w->active, w->n, was))
			continue; /* kept, or its owner has left */
		assert_int_equal(count(w->before, w->n_buckets, is), 0);
	}
	for (unsigned i = 0; i < w->n; i++)
		if (!count(w->before, w->n_buckets, w->active[i])) {
			unsigned got = count(w->buckets, w->n_buckets, w->active[i]);

			assert_true(got + 1 >= w->n_buckets / w->n);
		}
}

static void come_or_go(struct world *w, unsigned limit)
{
	uint32_t id = 100 + draw(w) % limit;

	for (unsigned i = 0; i < w->n; i++)
		if (w->active[i] == id) {
			w->active[i] = w->active[--w->n];
			return;
		}
	w->active[w->n++] = id;
}

static void random_sequences(unsigned n_buckets, unsigned limit, unsigned steps)
{
	struct world w;

	start(&w, n_buckets, n_buckets + limit);
	for (unsigned i = 0; i < steps; i++) {
		come_or_go(&w, limit);
		assign(&w);
		if (!w.n) {
			assert_int_equal(count(w.buckets, n_buckets, SHARE_NONE), n_buckets);
			continue;
		}
		assert_blocks_balanced(&w);
		assert_least_movement(&w);
	}
}

static void few_asps_share_evenly_and_keep_what_they_have(void **state)
{
	(void)state;
	random_sequences(256, 5, 400);
	random_sequences(256, 16, 400);
	random_sequences(16, 4, 200);
	random_sequences(40, 7, 200); /* the last block is short */
}

static void more_asps_than_a_block_has_buckets_are_all_used(void **state)
{
	(void)state;
	random_sequences(256, 40, 200);
	random_sequences(4096, 60, 60);
}

static void one_asp_takes_all_and_none_leaves_none(void **state)
{
	struct world w;

	(void)state;
	start(&w, 256, 1);
	w.active[w.n++] = 7;
	assign(&w);
	assert_int_equal(count(w.buckets, 256, 7), 256);
	w.n = 0;
	assign(&w);
	assert_int_equal(count(w.buckets, 256, SHARE_NONE), 256);
}

static void a_returning_asp_takes_its_share_and_the_rest_stays(void **state)
{
	struct world w;
	unsigned moved = 0;

	(void)state;
	start(&w, 256, 1);
	w.active[0] = 1;
	w.active[1] = 2;
	w.n = 2;
	assign(&w);
	w.n = 1;
	assign(&w);
	w.n = 2;
	assign(&w);
	for (unsigned b = 0; b < 256; b++)
		moved += w.buckets[b] != w.before[b];
	assert_int_equal(moved, 128);
	assert_int_equal(count(w.buckets, 256, 2), 128);
}

static void the_same_asps_change_nothing(void **state)
{
	struct world w;

	(void)state;
	start(&w, 256, 1);
	for (unsigned i = 0; i < 7; i++)
		w.active[w.n++] = i;
	assign(&w);
	assign(&w);
	assert_memory_equal(w.before, w.buckets, 256 * sizeof(uint32_t));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(few_asps_share_evenly_and_keep_what_they_have),
		cmocka_unit_test(more_asps_than_a_block_has_buckets_are_all_used),
		cmocka_unit_test(one_asp_takes_all_and_none_leaves_none),
		cmocka_unit_test(a_returning_asp_takes_its_share_and_the_rest_stays),
		cmocka_unit_test(the_same_asps_change_nothing),
	};

	return cmocka_run_group_tests_name("data/share", tests, NULL, NULL);
}
