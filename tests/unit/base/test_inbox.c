/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/inbox.h"

struct item {
	struct note note;
	unsigned producer, number;
};

static void count_wake(void *arg)
{
	(*(unsigned *)arg)++;
}

struct order {
	unsigned n, seen[16];
};

static void remember(struct note *n, void *arg)
{
	struct order *o = arg;

	o->seen[o->n++] = ((struct item *)n)->number;
}

static void notes_come_out_in_order_with_one_wake_per_burst(void **state)
{
	struct item items[6];
	struct inbox in;
	struct order o = {0};
	unsigned wakes = 0;

	(void)state;
	inbox_init(&in, count_wake, &wakes);
	assert_int_equal(inbox_drain(&in, remember, &o), 0);
	for (unsigned i = 0; i < 4; i++) {
		items[i].number = i;
		inbox_post(&in, &items[i].note);
	}
	assert_int_equal(wakes, 1);
	assert_int_equal(inbox_drain(&in, remember, &o), 4);
	assert_int_equal(inbox_drain(&in, remember, &o), 0);
	for (unsigned i = 4; i < 6; i++) {
		items[i].number = i;
		inbox_post(&in, &items[i].note);
	}
	assert_int_equal(wakes, 2); /* empty before: woken again */
	assert_int_equal(inbox_drain(&in, remember, &o), 2);
	for (unsigned i = 0; i < 6; i++)
		assert_int_equal(o.seen[i], i);
}

static void an_inbox_without_a_wake_is_fine(void **state)
{
	struct item item = {.number = 5};
	struct inbox in;
	struct order o = {0};

	(void)state;
	inbox_init(&in, NULL, NULL);
	inbox_post(&in, &item.note);
	assert_int_equal(inbox_drain(&in, remember, &o), 1);
	assert_int_equal(o.seen[0], 5);
}

static void what_is_handed_over_goes_behind_what_is_there_and_wakes_nobody(void **state)
{
	struct item items[6];
	struct inbox in, from;
	struct order o = {0};
	unsigned wakes = 0;

	(void)state;
	inbox_init(&in, count_wake, &wakes);
	inbox_init(&from, NULL, NULL);
	assert_false(inbox_move(&in, &from)); /* nothing: nobody has to wake */
	for (unsigned i = 0; i < 6; i++)
		items[i].number = i;
	inbox_post(&from, &items[0].note);
	inbox_post(&from, &items[1].note);
	assert_true(inbox_move(&in, &from));
	inbox_post(&in, &items[2].note);
	inbox_post(&from, &items[3].note);
	inbox_post(&from, &items[4].note);
	assert_false(inbox_move(&in, &from)); /* who was not empty has been woken */
	inbox_post(&in, &items[5].note);
	assert_int_equal(wakes, 0);
	assert_int_equal(inbox_drain(&from, remember, &o), 0);
	assert_int_equal(inbox_drain(&in, remember, &o), 6);
	for (unsigned i = 0; i < 6; i++)
		assert_int_equal(o.seen[i], i);
}

struct poster {
	struct inbox *in;
	struct item *next;
	unsigned n;
};

static void post_another(struct note *n, void *arg)
{
	struct poster *p = arg;

	(void)n;
	p->n++;
	if (p->next) {
		inbox_post(p->in, &p->next->note);
		p->next = NULL;
	}
}

static void a_note_posted_while_draining_waits_for_the_next_pass(void **state)
{
	struct item items[2] = {0};
	struct inbox in;
	unsigned wakes = 0;
	struct poster p = {&in, &items[1], 0};

	(void)state;
	inbox_init(&in, count_wake, &wakes);
	inbox_post(&in, &items[0].note);
	assert_int_equal(inbox_drain(&in, post_another, &p), 1);
	assert_int_equal(wakes, 2); /* and is not slept over */
	assert_int_equal(inbox_drain(&in, post_another, &p), 1);
}

/* ---- many producers ---- */

enum { PRODUCERS = 4, EACH = 10000, DEADLINE_MS = 60000 };

struct crowd {
	struct inbox in;
	int fd;
	atomic_uint wakes;
	struct item items[PRODUCERS][EACH];
	unsigned next[PRODUCERS], got, wrong;
};

static void wake_by_eventfd(void *arg)
{
	struct crowd *c = arg;
	ssize_t written = write(c->fd, &(uint64_t){1}, sizeof(uint64_t));

	assert_int_equal(written, sizeof(uint64_t));
	atomic_fetch_add_explicit(&c->wakes, 1, memory_order_relaxed);
}

struct producer {
	struct crowd *crowd;
	unsigned id;
};

static void *produce(void *arg)
{
	struct producer *p = arg;

	for (unsigned i = 0; i < EACH; i++) {
		struct item *it = &p->crowd->items[p->id][i];

		it->producer = p->id;
		it->number = i;
		inbox_post(&p->crowd->in, &it->note);
	}
	return NULL;
}

static void check_order(struct note *n, void *arg)
{
	struct crowd *c = arg;
	struct item *it = (struct item *)n;

	c->wrong += it->number != c->next[it->producer]++;
	c->got++;
}

/* The reader looks only when it was woken: a lost wake-up would end in the deadline. */
static void no_note_and_no_wake_is_lost_among_many_producers(void **state)
{
	static struct crowd c;
	struct producer producers[PRODUCERS];
	pthread_t threads[PRODUCERS];
	uint64_t n;

	(void)state;
	c.fd = eventfd(0, EFD_CLOEXEC);
	inbox_init(&c.in, wake_by_eventfd, &c);
	for (unsigned i = 0; i < PRODUCERS; i++) {
		producers[i] = (struct producer){&c, i};
		assert_int_equal(pthread_create(&threads[i], NULL, produce, &producers[i]), 0);
	}
	while (c.got < PRODUCERS * EACH) {
		struct pollfd p = {.fd = c.fd, .events = POLLIN};

		assert_int_equal(poll(&p, 1, DEADLINE_MS), 1);
		assert_int_equal(read(c.fd, &n, sizeof(n)), sizeof(n));
		inbox_drain(&c.in, check_order, &c);
	}
	for (unsigned i = 0; i < PRODUCERS; i++)
		pthread_join(threads[i], NULL);
	assert_int_equal(c.got, PRODUCERS * EACH);
	assert_int_equal(c.wrong, 0);
	assert_true(atomic_load(&c.wakes) <= PRODUCERS * EACH);
	close(c.fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(notes_come_out_in_order_with_one_wake_per_burst),
		cmocka_unit_test(an_inbox_without_a_wake_is_fine),
		cmocka_unit_test(what_is_handed_over_goes_behind_what_is_there_and_wakes_nobody),
		cmocka_unit_test(a_note_posted_while_draining_waits_for_the_next_pass),
		cmocka_unit_test(no_note_and_no_wake_is_lost_among_many_producers),
	};

	return cmocka_run_group_tests_name("base/inbox", tests, NULL, NULL);
}
