/* SPDX-License-Identifier: GPL-2.0-or-later */
/* AS-PENDING on the data plane. */
#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/mbuf.h"
#include "rig.h"
#include "sctp/transport.h"

/* Numbers arrive as they were sent, whoever of the ASs it is. */
struct order {
	uint32_t next_sent, next_got, faults;
};

static void expect_next(struct rig_peer *peer, const struct m3ua_data *d, const struct mbuf *m)
{
	struct order *o = peer->rig->arg;
	uint32_t n;

	memcpy(&n, m->data + m->off + d->payload_off, sizeof(n));
	o->faults += n != o->next_got;
	o->next_got = n + 1;
}

static void send_some(struct rig *r, struct order *o, unsigned n)
{
	for (unsigned i = 0; i < n; i++, o->next_sent++)
		assert_true(rig_data(&r->peers[0], 1, 3, &o->next_sent, sizeof(o->next_sent)));
}

static void start(struct rig *r, struct order *o, unsigned workers)
{
	*o = (struct order){0};
	rig_start(r, &(struct rig_options){.workers = workers, .peers = 3});
	r->on_data = expect_next;
	r->arg = o;
}

static void set_state(struct rig *r, enum fwd_as_state state)
{
	r->as[1].state = state;
	rig_publish(r);
}

/* A place is given back after what was held in it has left. */
static uint32_t held(struct rig *r)
{
	return atomic_load(&r->as[1].hold.n);
}

static void what_was_held_leaves_in_order_before_anything_newer(void **state)
{
	(void)state;
	for (unsigned workers = 1; workers <= 2; workers++) {
		struct order o;
		struct rig r;

		start(&r, &o, workers);
		send_some(&r, &o, 10);
		rig_until(&r, r.peers[1].received == 10);
		for (unsigned round = 0; round < 20; round++) {
			set_state(&r, FWD_AS_PENDING);
			send_some(&r, &o, 50);
			rig_until(&r, held(&r) == 50);
			send_some(&r, &o, 50); /* some of these will come after the new table */
			set_state(&r, FWD_AS_ACTIVE);
			send_some(&r, &o, 50);
			rig_until(&r, r.peers[1].received == o.next_sent && held(&r) == 0);
		}
		assert_int_equal(o.faults, 0);
		assert_int_equal(rig_drops(&r, DROP_HOLD_FULL), 0);
		rig_stop(&r);
	}
}

static void another_asp_may_take_what_was_held(void **state)
{
	struct order o;
	struct rig r;

	(void)state;
	start(&r, &o, 2);
	set_state(&r, FWD_AS_PENDING);
	send_some(&r, &o, 100);
	rig_until(&r, held(&r) == 100);
	r.as[1].asps[0] = 2;
	set_state(&r, FWD_AS_ACTIVE);
	rig_until(&r, r.peers[2].received == 100);
	assert_int_equal(r.peers[1].received, 0);
	assert_int_equal(o.faults, 0);
	rig_stop(&r);
}

/* Between the end of an association and the table that knows of it. */
static void what_comes_for_an_asp_that_has_just_gone_waits_for_the_next_table(void **state)
{
	struct order o;
	struct rig r;

	(void)state;
	start(&r, &o, 2);
	r.as[1].hold.limit = 1000;
	assoc_abort(r.peers[1].assoc, "gone");
	rig_until(&r, r.events[PE_DOWN] == 1);
	send_some(&r, &o, 100);
	rig_until(&r, held(&r) == 100);
	assert_int_equal(rig_drops(&r, DROP_ASSOC_DOWN), 0);
	r.as[1].asps[0] = 2;
	rig_publish(&r);
	rig_until(&r, r.peers[2].received == 100);
	assert_int_equal(o.faults, 0);
	assert_int_equal(held(&r), 0);
	rig_stop(&r);
}

static void another_route_may_take_what_was_held(void **state)
{
	struct order o;
	struct rig r;

	(void)state;
	start(&r, &o, 2);
	set_state(&r, FWD_AS_PENDING);
	send_some(&r, &o, 100);
	rig_until(&r, held(&r) == 100);
	r.keys[1].as = 2;
	rig_publish(&r);
	send_some(&r, &o, 100);
	rig_until(&r, r.peers[2].received == 200 && held(&r) == 0);
	assert_int_equal(r.peers[1].received, 0);
	assert_int_equal(o.faults, 0);
	rig_stop(&r);
}

/* It may have to wait there, too: within the bound of that one. */
static void what_was_held_may_wait_for_another_as(void **state)
{
	struct order o;
	struct rig r;

	(void)state;
	start(&r, &o, 1);
	set_state(&r, FWD_AS_PENDING);
	send_some(&r, &o, 100);
	rig_until(&r, held(&r) == 100);
	r.keys[1].as = 2;
	r.as[2].state = FWD_AS_PENDING;
	r.as[2].hold.limit = 60;
	rig_publish(&r);
	/* the worker leaves one queue before it enters the other */
	rig_until(&r, held(&r) == 0 && rig_drops(&r, DROP_HOLD_EXPIRED) == 40);
	assert_int_equal(atomic_load(&r.as[2].hold.n), 60);
	r.as[2].state = FWD_AS_ACTIVE;
	rig_publish(&r);
	rig_until(&r, r.peers[2].received == 60);
	assert_int_equal(o.faults, 0);
	rig_stop(&r);
}

static void the_bound_holds_and_the_newest_are_refused(void **state)
{
	struct order o;
	struct rig r;
	struct assoc_stats s;

	(void)state;
	start(&r, &o, 1);
	r.as[1].hold.limit = 30;
	set_state(&r, FWD_AS_PENDING);
	send_some(&r, &o, 50);
	rig_until(&r, rig_drops(&r, DROP_HOLD_FULL) == 20);
	rig_until(&r, r.refused[DROP_HOLD_FULL] == 20);
	assert_int_equal(held(&r), 30);
	assoc_stats(r.peers[0].assoc, &s);
	assert_int_equal(s.c[AC_HELD], 30);
	set_state(&r, FWD_AS_ACTIVE);
	rig_until(&r, r.peers[1].received == 30 && held(&r) == 0);
	assert_int_equal(o.faults, 0); /* the first thirty */
	rig_stop(&r);
}

static void a_short_transmit_queue_does_not_lose_what_was_held(void **state)
{
	(void)state;
	for (unsigned workers = 1; workers <= 2; workers++) {
		struct order o = {0};
		struct rig r;

		rig_start(&r, &(struct rig_options){
				      .workers = workers, .peers = 3, .txq_limit = 20, .sndbuf = 500});
		r.on_data = expect_next;
		r.arg = &o;
		set_state(&r, FWD_AS_PENDING);
		send_some(&r, &o, 500);
		rig_until(&r, held(&r) == 500);
		set_state(&r, FWD_AS_ACTIVE);
		rig_until(&r, r.peers[1].received == 500);
		assert_int_equal(o.faults, 0);
		rig_stop(&r);
	}
}

static void what_was_held_for_an_as_that_went_down_is_discarded_and_counted(void **state)
{
	(void)state;
	for (int removed = 0; removed < 2; removed++) {
		struct order o;
		struct rig r;

		start(&r, &o, 1);
		set_state(&r, FWD_AS_PENDING);
		send_some(&r, &o, 40);
		rig_until(&r, held(&r) == 40);
		r.as[1].exists = !removed;
		set_state(&r, FWD_AS_UNSERVED);
		rig_until(&r, rig_drops(&r, DROP_HOLD_EXPIRED) == 40 && held(&r) == 0);
		assert_int_equal(r.peers[1].received, 0);
		rig_stop(&r);
	}
}

static void other_ass_are_not_held_up(void **state)
{
	struct order o;
	struct rig r;

	(void)state;
	start(&r, &o, 1);
	r.on_data = NULL;
	set_state(&r, FWD_AS_PENDING);
	send_some(&r, &o, 10);
	rig_until(&r, held(&r) == 10);
	rig_data(&r.peers[0], 2, 0, "x", 1);
	rig_until(&r, r.peers[2].received == 1);
	rig_publish(&r); /* still pending: they stay */
	rig_data(&r.peers[0], 2, 0, "x", 1);
	rig_until(&r, r.peers[2].received == 2);
	assert_int_equal(held(&r), 10);
	rig_stop(&r);
}

static void set_flag(void *arg)
{
	*(bool *)arg = true;
}

/* Control frees an AS's hold after the grace period: no worker may look at it then, awake or not. */
static void a_grace_period_waits_for_what_was_held(void **state)
{
	struct order o;
	struct rig r;

	(void)state;
	start(&r, &o, 2);
	for (unsigned i = 0; i < 20; i++) {
		bool over = false;

		r.as[1].exists = true;
		set_state(&r, FWD_AS_PENDING);
		send_some(&r, &o, 5);
		rig_until(&r, held(&r) == 5);
		r.as[1].exists = false;
		rig_publish(&r);
		plane_after_grace(r.plane, set_flag, &over);
		rig_until(&r, over);
		assert_int_equal(held(&r), 0);
	}
	rig_stop(&r);
}

static sem_t worker_is_there, worker_may_go;

static void stay(struct tp_incoming *in)
{
	(void)in;
	sem_post(&worker_is_there);
	sem_wait(&worker_may_go);
}

/* The worker has looked which table there is, and reads its inbox. That it is woken again it does not notice:
 * it was woken for the inbox just now. */
static void a_table_that_comes_while_a_worker_reads_its_inbox_is_not_missed(void **state)
{
	static const struct tp_ops ops = {.reject = stay};
	struct tp_incoming in = {.ops = &ops};
	struct order o;
	struct rig r;

	(void)state;
	sem_init(&worker_is_there, 0, 0);
	sem_init(&worker_may_go, 0, 0);
	start(&r, &o, 1);
	for (unsigned i = 0; i < 20; i++) {
		set_state(&r, FWD_AS_PENDING);
		send_some(&r, &o, 5);
		rig_until(&r, held(&r) == 5);
		plane_reject(r.plane, &in);
		sem_wait(&worker_is_there);
		set_state(&r, FWD_AS_ACTIVE);
		sem_post(&worker_may_go);
		rig_until(&r, held(&r) == 0 && r.peers[1].received == o.next_sent);
	}
	assert_int_equal(o.faults, 0);
	rig_stop(&r);
	sem_destroy(&worker_is_there);
	sem_destroy(&worker_may_go);
}

static void stopping_gives_held_messages_back(void **state)
{
	struct order o;
	struct rig r;

	(void)state;
	start(&r, &o, 1);
	set_state(&r, FWD_AS_PENDING);
	send_some(&r, &o, 10);
	rig_until(&r, held(&r) == 10);
	rig_stop(&r);
	assert_int_equal(held(&r), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_held_leaves_in_order_before_anything_newer),
		cmocka_unit_test(another_asp_may_take_what_was_held),
		cmocka_unit_test(what_comes_for_an_asp_that_has_just_gone_waits_for_the_next_table),
		cmocka_unit_test(another_route_may_take_what_was_held),
		cmocka_unit_test(what_was_held_may_wait_for_another_as),
		cmocka_unit_test(the_bound_holds_and_the_newest_are_refused),
		cmocka_unit_test(a_short_transmit_queue_does_not_lose_what_was_held),
		cmocka_unit_test(what_was_held_for_an_as_that_went_down_is_discarded_and_counted),
		cmocka_unit_test(other_ass_are_not_held_up),
		cmocka_unit_test(a_grace_period_waits_for_what_was_held),
		cmocka_unit_test(a_table_that_comes_while_a_worker_reads_its_inbox_is_not_missed),
		cmocka_unit_test(stopping_gives_held_messages_back),
	};

	return cmocka_run_group_tests_name("data/hold", tests, NULL, NULL);
}
