/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <sched.h>
#include <string.h>

#include "base/clock.h"
#include "base/mbuf.h"

static void a_new_buffer_is_empty_with_room_on_both_sides(void **state)
{
	struct mbuf_pool *p = mbuf_pool_new(4, 1000);
	struct mbuf *m = mbuf_alloc(p);

	(void)state;
	assert_non_null(m);
	assert_int_equal(m->len, 0);
	assert_int_equal(m->off, MBUF_HEADROOM);
	assert_int_equal(mbuf_tailroom(m), 1000 + MBUF_TAILROOM);
	assert_ptr_equal(mbuf_head(m), m->data + MBUF_HEADROOM);
	m->len = 1000;
	memset(mbuf_head(m), 0x5a, 1000); /* all of it may be written */
	memset(m->data, 0x5a, m->cap);
	assert_int_equal(mbuf_tailroom(m), MBUF_TAILROOM);
	mbuf_free(p, m);
	assert_true(mbuf_pool_free(p));
}

static void a_used_buffer_comes_back_as_new(void **state)
{
	struct mbuf_pool *p = mbuf_pool_new(1, 100);
	struct mbuf *m = mbuf_alloc(p), *again;

	(void)state;
	m->len = 55;
	m->off = 3;
	m->peer = p;
	m->ppid = 3;
	m->stream = 9;
	m->rx_ns = 1;
	m->aux = 7;
	m->ssn = 8;
	mbuf_free(p, m);
	again = mbuf_alloc(p);
	assert_ptr_equal(again, m);
	assert_int_equal(again->len, 0);
	assert_int_equal(again->off, MBUF_HEADROOM);
	assert_null(again->peer);
	assert_int_equal(again->ppid | again->stream | again->rx_ns | again->aux | again->ssn, 0);
	mbuf_free(p, again);
	assert_true(mbuf_pool_free(p));
}

static void an_empty_pool_says_so_and_counts_it(void **state)
{
	struct mbuf_pool *p = mbuf_pool_new(3, 100);
	struct mbuf *m[3];

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		m[i] = mbuf_alloc(p);
		assert_non_null(m[i]);
		memset(m[i]->data, (int)i, m[i]->cap);
		assert_int_equal(mbuf_pool_in_use(p), i + 1);
	}
	assert_null(mbuf_alloc(p));
	assert_null(mbuf_alloc(p));
	assert_int_equal(mbuf_pool_exhausted(p), 2);
	assert_int_equal(mbuf_pool_size(p), 3);
	for (unsigned i = 0; i < 3; i++) { /* they do not overlap */
		assert_int_equal(m[i]->data[0], i);
		assert_int_equal(m[i]->data[m[i]->cap - 1], i);
	}
	mbuf_free(p, m[1]);
	assert_ptr_equal(mbuf_alloc(p), m[1]);
	for (unsigned i = 0; i < 3; i++)
		mbuf_free(p, m[i]);
	mbuf_free(p, NULL);
	assert_int_equal(mbuf_pool_in_use(p), 0);
	assert_true(mbuf_pool_free(p));
	assert_true(mbuf_pool_free(NULL));
}

static void a_pool_with_buffers_out_is_not_freed(void **state)
{
	struct mbuf_pool *p = mbuf_pool_new(2, 100);
	struct mbuf *m = mbuf_alloc(p);

	(void)state;
	assert_false(mbuf_pool_free(p));
	m->data[0] = 1;     /* still there */
	mbuf_free(NULL, m); /* a foreign free counts when the pool looks */
	assert_true(mbuf_pool_free(p));
}

static void a_foreign_free_returns_when_the_stack_runs_dry(void **state)
{
	struct mbuf_pool *p = mbuf_pool_new(2, 100), *other = mbuf_pool_new(1, 100);
	struct mbuf *a = mbuf_alloc(p), *b = mbuf_alloc(p);

	(void)state;
	mbuf_free(other, a);
	mbuf_free(other, b);
	assert_int_equal(mbuf_pool_in_use(p), 2); /* until it is taken in */
	a = mbuf_alloc(p);
	b = mbuf_alloc(p);
	assert_true(a && b);
	assert_int_equal(mbuf_pool_exhausted(p), 0);
	mbuf_free(p, a);
	mbuf_free(p, b);
	assert_true(mbuf_pool_free(p));
	assert_true(mbuf_pool_free(other));
}

static void what_others_gave_back_is_counted_when_the_owner_takes_it_in(void **state)
{
	struct mbuf_pool *p = mbuf_pool_new(2, 100);
	struct mbuf *a = mbuf_alloc(p);

	(void)state;
	mbuf_free(NULL, a);
	mbuf_pool_reclaim(p);
	assert_int_equal(mbuf_pool_in_use(p), 0);
	assert_true(mbuf_pool_free(p));
}

static void queues_that_do_not_move_leave_a_part_of_the_pool(void **state)
{
	enum { COUNT = 1000 };
	struct mbuf_pool *p = mbuf_pool_new(COUNT, 10);

	(void)state;
	for (unsigned queues = 1; queues <= 10; queues++) {
		struct mbufq q[10];
		bool grows = true;

		for (unsigned i = 0; i < queues; i++)
			mbufq_init(&q[i]);
		while (grows) {
			grows = false;
			for (unsigned i = 0; i < queues; i++) {
				struct mbuf *m = mbuf_alloc(p);

				assert_non_null(m);
				if (!mbuf_may_wait(m, q[i].n)) {
					mbuf_free(p, m);
					continue;
				}
				mbufq_push(&q[i], m);
				grows = true;
			}
		}
		assert_in_range(COUNT - mbuf_pool_in_use(p), COUNT / (2 * queues + 1) - 2,
			COUNT / (2 * queues + 1) + 2);
		for (unsigned i = 0; i < queues; i++) {
			assert_in_range(
				q[i].n, 2 * COUNT / (2 * queues + 1) - 3, 2 * COUNT / (2 * queues + 1) + 3);
			mbufq_purge(&q[i], p);
		}
	}
	assert_true(mbuf_pool_free(p));
}

static void a_queue_is_first_in_first_out_and_counts_bytes(void **state)
{
	struct mbuf_pool *p = mbuf_pool_new(5, 100);
	struct mbufq q;

	(void)state;
	mbufq_init(&q);
	assert_null(mbufq_pop(&q));
	for (unsigned round = 0; round < 2; round++) { /* once more after it was empty */
		for (uint32_t i = 0; i < 5; i++) {
			struct mbuf *m = mbuf_alloc(p);

			m->len = 10 + i;
			mbufq_push(&q, m);
		}
		assert_int_equal(q.n, 5);
		assert_int_equal(q.bytes, 60);
		for (uint32_t i = 0; i < 3; i++) {
			struct mbuf *m = mbufq_pop(&q);

			assert_int_equal(m->len, 10 + i);
			assert_null(m->next);
			mbuf_free(p, m);
		}
		assert_int_equal(q.n, 2);
		assert_int_equal(q.bytes, 27);
		mbufq_purge(&q, p);
		assert_int_equal(q.n, 0);
		assert_int_equal(q.bytes, 0);
		assert_int_equal(mbuf_pool_in_use(p), 0);
	}
	assert_true(mbuf_pool_free(p));
}

static void a_queue_can_be_put_before_another(void **state)
{
	struct mbuf_pool *p = mbuf_pool_new(4, 100);
	struct mbufq a, b;

	(void)state;
	mbufq_init(&a);
	mbufq_init(&b);
	mbufq_prepend(&a, &b);
	assert_int_equal(a.n, 0);
	for (uint32_t i = 0; i < 4; i++) {
		struct mbuf *m = mbuf_alloc(p);

		m->len = i + 1;
		mbufq_push(i < 2 ? &b : &a, m);
		if (i == 1)
			mbufq_prepend(&a, &b); /* before nothing */
		if (i == 1)
			mbufq_prepend(&b, &a);
	}
	mbufq_prepend(&a, &b);
	assert_int_equal(b.n, 0);
	assert_null(mbufq_pop(&b));
	assert_int_equal(a.n, 4);
	assert_int_equal(a.bytes, 10);
	for (uint32_t i = 0; i < 4; i++) {
		struct mbuf *m = mbufq_pop(&a);

		assert_int_equal(m->len, i + 1);
		mbuf_free(p, m);
	}
	assert_true(mbuf_pool_free(p));
}

/* ---- another thread frees ---- */

enum { MESSAGES = 20000, DEADLINE_S = 60 };

struct consumer {
	struct inbox in;
	struct mbuf_pool *own;
	unsigned got, wrong;
};

static void check_and_free(struct note *n, void *arg)
{
	struct consumer *c = arg;
	struct mbuf *m = (struct mbuf *)n;

	c->wrong += m->len != 4 || memcmp(mbuf_head(m), &c->got, 4) != 0;
	c->got++;
	mbuf_free(c->own, m);
}

static void *consume(void *arg)
{
	struct consumer *c = arg;
	uint64_t deadline = clock_ns() + DEADLINE_S * UINT64_C(1000000000);

	while (c->got < MESSAGES && clock_ns() < deadline)
		if (!inbox_drain(&c->in, check_and_free, c))
			sched_yield();
	return NULL;
}

static void buffers_freed_by_another_thread_go_round(void **state)
{
	static struct consumer c;
	struct mbuf_pool *p = mbuf_pool_new(64, 100);
	uint64_t deadline = clock_ns() + DEADLINE_S * UINT64_C(1000000000);
	pthread_t thread;
	uint32_t sent = 0;

	(void)state;
	c.own = mbuf_pool_new(1, 100);
	inbox_init(&c.in, NULL, NULL);
	assert_int_equal(pthread_create(&thread, NULL, consume, &c), 0);
	while (sent < MESSAGES && clock_ns() < deadline) {
		struct mbuf *m = mbuf_alloc(p);

		if (!m) {
			sched_yield();
			continue;
		}
		memcpy(mbuf_head(m), &sent, 4);
		m->len = 4;
		inbox_post(&c.in, &m->note);
		sent++;
	}
	pthread_join(thread, NULL);
	assert_int_equal(c.got, MESSAGES);
	assert_int_equal(c.wrong, 0);
	assert_true(mbuf_pool_free(p));
	assert_true(mbuf_pool_free(c.own));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_new_buffer_is_empty_with_room_on_both_sides),
		cmocka_unit_test(a_used_buffer_comes_back_as_new),
		cmocka_unit_test(an_empty_pool_says_so_and_counts_it),
		cmocka_unit_test(a_pool_with_buffers_out_is_not_freed),
		cmocka_unit_test(a_foreign_free_returns_when_the_stack_runs_dry),
		cmocka_unit_test(what_others_gave_back_is_counted_when_the_owner_takes_it_in),
		cmocka_unit_test(queues_that_do_not_move_leave_a_part_of_the_pool),
		cmocka_unit_test(a_queue_is_first_in_first_out_and_counts_bytes),
		cmocka_unit_test(a_queue_can_be_put_before_another),
		cmocka_unit_test(buffers_freed_by_another_thread_go_round),
	};

	return cmocka_run_group_tests_name("base/mbuf", tests, NULL, NULL);
}
