/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "base/paged.h"

/* An association's streams: 65,536 of them, per-stream state of 16 bytes. */
static void init_streams(struct paged *p)
{
	paged_init(p, 65536, 16, 4, 4);
}

static void nothing_is_allocated_before_the_first_touch(void **state)
{
	struct paged p;

	(void)state;
	init_streams(&p);
	assert_int_equal(paged_bytes(&p), 0);
	assert_null(paged_get(&p, 0));
	assert_null(paged_get(&p, 65535));
	assert_int_equal(paged_bytes(&p), 0); /* a look allocates nothing either */
	paged_free(&p);
}

static void an_element_keeps_its_place_and_starts_as_zero(void **state)
{
	struct paged p;
	uint64_t *e;

	(void)state;
	init_streams(&p);
	e = paged_touch(&p, 300);
	assert_non_null(e);
	assert_int_equal(e[0] | e[1], 0);
	e[0] = 42;
	for (uint32_t i = 0; i < 65536; i += 7)
		assert_non_null(paged_touch(&p, i));
	assert_ptr_equal(paged_touch(&p, 300), e);
	assert_ptr_equal(paged_get(&p, 300), e);
	assert_int_equal(e[0], 42);
	assert_int_equal(*(uint64_t *)paged_get(&p, 301), 0); /* same page, other element */
	paged_free(&p);
}

static void the_limit_holds(void **state)
{
	struct paged p;

	(void)state;
	paged_init(&p, 100, 8, 0, 4); /* ends within a page */
	assert_non_null(paged_touch(&p, 99));
	assert_null(paged_touch(&p, 100));
	assert_null(paged_get(&p, 100));
	assert_null(paged_touch(&p, UINT32_MAX));
	assert_null(paged_get(&p, UINT32_MAX));
	paged_free(&p);
	paged_init(&p, 0, 8, 0, 4);
	assert_null(paged_touch(&p, 0));
	assert_null(paged_get(&p, 0));
	paged_free(&p);
}

static void sixteen_scattered_streams_of_65536_cost_under_16_kib(void **state)
{
	struct paged p;

	(void)state;
	init_streams(&p);
	for (uint32_t i = 0; i < 16; i++)
		assert_non_null(paged_touch(&p, i * 4096 + i * 17));
	assert_true(paged_bytes(&p) < 16 * 1024);
	paged_free(&p);
	assert_int_equal(paged_bytes(&p), 0);
}

static void all_24_bits_are_usable(void **state)
{
	static const uint32_t at[] = {
		0, 1, 0xffff, 0x10000, 0x123456, 0x7fffff, 0x800000, 0xfffffe, 0xffffff};
	struct paged p;

	(void)state;
	paged_init(&p, 1u << 24, 8, 8, 8);
	for (unsigned i = 0; i < sizeof(at) / sizeof(at[0]); i++)
		*(uint64_t *)paged_touch(&p, at[i]) = at[i] + 1;
	for (unsigned i = 0; i < sizeof(at) / sizeof(at[0]); i++)
		assert_int_equal(*(uint64_t *)paged_get(&p, at[i]), at[i] + 1);
	assert_null(paged_get(&p, 0x200000));
	assert_null(paged_touch(&p, 1u << 24));
	paged_free(&p);
}

struct walk {
	uint32_t met, marked, last, stop_at;
	bool ordered;
};

static bool count(uint32_t i, void *elem, void *arg)
{
	struct walk *w = arg;

	w->ordered &= !w->met || i > w->last;
	w->last = i;
	w->met++;
	w->marked += *(uint32_t *)elem == i + 1;
	return w->met != w->stop_at;
}

static void walk_over(uint8_t high_bits, uint8_t mid_bits, uint8_t leaf_bits, uint32_t limit)
{
	static const uint32_t at[] = {3, 4, 77, 5000, 5001, 9999, 60000, 65535};
	struct paged p;
	struct walk w = {.ordered = true};
	uint32_t page = 1u << leaf_bits, marked = 0;

	paged_init_deep(&p, limit, sizeof(uint32_t), high_bits, mid_bits, leaf_bits);
	paged_foreach(&p, count, &w);
	assert_int_equal(w.met, 0);
	for (unsigned i = 0; i < sizeof(at) / sizeof(at[0]) && at[i] < limit; i++, marked++)
		*(uint32_t *)paged_touch(&p, at[i]) = at[i] + 1;
	paged_foreach(&p, count, &w);
	assert_true(w.ordered);
	assert_int_equal(w.marked, marked);
	assert_true(w.met <= marked * page && w.met >= marked); /* whole pages, and only those that exist */
	assert_true(w.last < limit);
	w = (struct walk){.ordered = true, .stop_at = 2};
	paged_foreach(&p, count, &w);
	assert_int_equal(w.met, 2);
	paged_free(&p);
}

static void a_walk_skips_holes_and_keeps_the_order(void **state)
{
	(void)state;
	walk_over(0, 4, 4, 65536);
	walk_over(0, 0, 6, 65536);
	walk_over(0, 8, 2, 65536);
	walk_over(0, 0, 0, 65536);
	walk_over(0, 3, 5, 10000); /* ends within a page */
	walk_over(3, 3, 3, 65536);
	walk_over(4, 2, 0, 65535);
	walk_over(5, 0, 4, 10000);
}

static void a_freed_array_can_be_used_again(void **state)
{
	struct paged p;

	(void)state;
	init_streams(&p);
	*(uint64_t *)paged_touch(&p, 9) = 1;
	paged_free(&p);
	assert_null(paged_get(&p, 9));
	assert_int_equal(*(uint64_t *)paged_touch(&p, 9), 0);
	paged_free(&p);
}

/* ---- a reader beside the writer ---- */

struct shared {
	struct paged p;
	atomic_bool started, done;
	unsigned long wrong, seen;
};

static void *read_all_the_time(void *arg)
{
	struct shared *s = arg;

	atomic_store(&s->started, true);
	while (!atomic_load(&s->done))
		for (uint32_t i = 0; i < 65536; i += 13) {
			_Atomic uint64_t *e = paged_get(&s->p, i);
			uint64_t v = e ? atomic_load_explicit(e, memory_order_relaxed) : 0;

			s->seen += v != 0;
			s->wrong += v && v != i + 1;
		}
	return NULL;
}

static bool mark_seen(uint32_t i, void *elem, void *arg)
{
	(void)i;
	*(unsigned *)arg += atomic_load_explicit((_Atomic uint64_t *)elem, memory_order_relaxed) != 0;
	return true;
}

static void a_reader_beside_the_writer_sees_whole_elements(void **state)
{
	static struct shared s;
	pthread_t reader;
	unsigned n = 0;

	(void)state;
	init_streams(&s.p);
	assert_int_equal(pthread_create(&reader, NULL, read_all_the_time, &s), 0);
	while (!atomic_load(&s.started))
		sched_yield();
	for (uint32_t k = 0; k < 65536; k++) {
		uint32_t i = k * 40503u & 0xffff; /* every index once, scattered */
		_Atomic uint64_t *e = paged_touch(&s.p, i);

		assert_non_null(e);
		atomic_store_explicit(e, i + 1, memory_order_relaxed);
	}
	atomic_store(&s.done, true);
	pthread_join(reader, NULL);
	assert_int_equal(s.wrong, 0);
	paged_foreach(&s.p, mark_seen, &n);
	assert_int_equal(n, 65536);
	paged_free(&s.p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_allocated_before_the_first_touch),
		cmocka_unit_test(an_element_keeps_its_place_and_starts_as_zero),
		cmocka_unit_test(the_limit_holds),
		cmocka_unit_test(sixteen_scattered_streams_of_65536_cost_under_16_kib),
		cmocka_unit_test(all_24_bits_are_usable),
		cmocka_unit_test(a_walk_skips_holes_and_keeps_the_order),
		cmocka_unit_test(a_freed_array_can_be_used_again),
		cmocka_unit_test(a_reader_beside_the_writer_sees_whole_elements),
	};

	return cmocka_run_group_tests_name("base/paged", tests, NULL, NULL);
}
