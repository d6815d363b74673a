/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is in force at which moment: a table comes while a worker is in the middle of its pass, or a peer
 * restarts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "data/intake.h"
#include "msu_rig.h"

enum { PAYLOAD = 20 };

static const struct variant_row *const row = &msu_rows[PC_ITU];

static struct mbuf *msu(struct msu_rig *r)
{
	return msu_of_link(r, LINK_A, row->head, row->head_len, 0, PAYLOAD);
}

/* The pass has begun, and looked, before the next table is there. */
static void publish_amid(struct msu_rig *r, void (*amid)(struct msu_rig *r))
{
	r->key.as = LINK_B;
	r->amid = amid;
	worker_enter(r->b.worker);
	msu_publish(r);
}

static void one_comes(struct msu_rig *r)
{
	assoc_on_message(r->end[LINK_A], msu(r));
	assert_int_equal(msu_out.n, 0);
}

static void one_goes_by_the_new_table(void (*amid)(struct msu_rig *r))
{
	struct msu_rig r;

	msu_start_row(&r, row, ASP);
	publish_amid(&r, amid);
	assert_int_equal(msu_out.n, 1);
	assert_msu_left(row->head, row->head_len, 0, PAYLOAD);
	msu_stop(&r);
}

/* Its sender may have read what control said with that table. */
static void what_comes_after_a_table_goes_by_it(void **state)
{
	(void)state;
	one_goes_by_the_new_table(one_comes);
}

static void several_come(struct msu_rig *r)
{
	for (uint16_t i = 0; i < 3; i++) {
		struct mbuf *m = msu(r);

		m->ssn = i;
		assoc_on_message(r->end[LINK_A], m);
	}
}

static void several_stay_in_order(void **state)
{
	struct msu_rig r;

	(void)state;
	msu_start_row(&r, row, ASP);
	publish_amid(&r, several_come);
	assert_int_equal(msu_out.n, 3);
	assert_int_equal(counter_get(&r.end[LINK_A]->c[AC_ORDER_FAULTS]), 0);
	msu_stop(&r);
}

static void one_comes_and_an_event(struct msu_rig *r)
{
	one_comes(r);
	assoc_on_event(r->end[LINK_A], &(struct tp_event){.kind = TP_PEER_SHUTDOWN});
}

/* Nor does it by the table of before because of what happens to its sender, or others, behind it. */
static void so_does_what_an_event_comes_behind(void **state)
{
	(void)state;
	one_goes_by_the_new_table(one_comes_and_an_event);
}

static void many_ask(struct msu_rig *r)
{
	static const uint8_t beat[] = {1, 0, 3, 3, 0, 0, 0, 8};

	for (unsigned i = 0; i < INTAKE_FULL; i++) {
		struct mbuf *m = mbuf_alloc(r->b.worker->pool);

		assert_false(bare_held);
		memcpy(mbuf_head(m), beat, sizeof(beat));
		m->len = sizeof(beat);
		m->ppid = TP_PPID_M3UA;
		assoc_on_message(r->end[ASP], m);
	}
	assert_true(bare_held);
}

/* Or a transport that reads much at once would go on until some of it must be discarded. */
static void who_asks_too_much_is_not_read_from_that_moment(void **state)
{
	struct msu_rig r;

	(void)state;
	msu_start_row(&r, row, ASP);
	publish_amid(&r, many_ask);
	msu_stop(&r);
}

static void the_end_comes(struct msu_rig *r)
{
	r->b.worker->stop.kind = N_STOP;
	inbox_post(&r->b.worker->inbox, &r->b.worker->stop);
	one_comes(r);
}

/* Nobody would settle it any more. */
static void nothing_is_held_once_the_worker_stops(void **state)
{
	struct fwd_hold hold = {.limit = 10};
	struct msu_rig r;

	(void)state;
	msu_start_row(&r, row, ASP);
	r.closed = &hold;
	publish_amid(&r, the_end_comes);
	assert_true(r.b.worker->stopping);
	assert_int_equal(r.b.worker->held.n, 0);
	assert_int_equal(atomic_load(&hold.n), 0);
	msu_stop(&r);
}

/* And control's word to go on is there. */
static void restart(struct assoc *asp)
{
	assoc_on_event(asp, &(struct tp_event){.kind = TP_RESTART, .in_streams = 16, .out_streams = 16});
	assoc_do_renew(asp);
	assert_int_equal(assoc_state(asp), ASSOC_UP);
}

/* That word can be there before the table that it came with. */
static void a_slot_made_before_a_restart_is_not_used_after_it(void **state)
{
	struct assoc *asp;
	struct msu_rig r;

	(void)state;
	msu_start_row(&r, row, ASP);
	asp = r.end[ASP];
	restart(asp);
	msu_arrive(&r, LINK_A, msu(&r));
	assert_int_equal(msu_out.n, 0);
	assert_int_equal(r.reason, DROP_AS_DOWN);
	asp->known_life = 1;
	msu_publish(&r);
	msu_arrive(&r, LINK_A, msu(&r));
	assert_int_equal(msu_out.n, 1);
	assert_data_left(&row->label, PAYLOAD);
	msu_stop(&r);
}

/* Another worker had looked at the association before that. */
static void what_was_forwarded_to_a_peer_before_its_restart_is_not_sent_after_it(void **state)
{
	struct worker *other;
	struct msu_rig r;

	(void)state;
	msu_start_row(&r, row, ASP);
	other = worker_new(&r.b.plane, 1);
	r.end[LINK_A]->worker = other;
	assoc_on_message(r.end[LINK_A], msu(&r));
	r.end[LINK_A]->worker = r.b.worker;
	assert_int_equal(counter_get(&other->c[WC_CROSSED]), 1);
	restart(r.end[ASP]);
	worker_enter(r.b.worker);
	worker_leave(r.b.worker);
	assert_int_equal(msu_out.n, 0);
	assert_int_equal(counter_get(&r.end[ASP]->drops[DROP_ASSOC_DOWN]), 1);
	assert_true(mbuf_pool_free(other->pool));
	worker_free(other);
	msu_stop(&r);
}

static void nor_is_what_control_has_sent_to_it(void **state)
{
	struct msu_rig r;

	(void)state;
	msu_start_row(&r, row, ASP);
	for (unsigned life = 0; life < 2; life++) {
		assoc_send(r.end[ASP], plane_mbuf(&r.b.plane));
		restart(r.end[ASP]);
		worker_enter(r.b.worker);
		worker_leave(r.b.worker);
		assert_int_equal(msu_out.n, 0);
		r.end[ASP]->known_life = life + 1;
	}
	assoc_send(r.end[ASP], plane_mbuf(&r.b.plane));
	worker_enter(r.b.worker);
	worker_leave(r.b.worker);
	assert_int_equal(msu_out.n, 1);
	msu_stop(&r);
}

/* With the last command, if the worker was off its processor for a grace period: control has its memory from
 * then on. */
static void who_is_free_is_not_touched_at_the_end_of_the_pass(void **state)
{
	struct msu_rig r;

	(void)state;
	msu_start_row(&r, row, ASP);
	m2pa_close(r.end[LINK_A]);
	m2pa_close(r.end[LINK_B]);
	assoc_free(r.end[LINK_A]);
	plane_await_callbacks();
	worker_enter(r.b.worker);
	assert_ptr_equal(r.b.worker->touched, r.end[LINK_B]);
	assert_null(r.end[LINK_B]->next_touched);
	worker_leave(r.b.worker);
	msu_stop(&r);
}

static void a_connection_may_go(struct msu_rig *r)
{
	struct assoc *a = r->end[ASP];

	a->dead = atomic_exchange(&a->conn, NULL);
	assoc_post(&r->b.worker->inbox, a, AN_RELEASE, N_RELEASE);
	one_comes(r);
	assert_non_null(a->dead);
}

/* A transport must not be asked to release one in the middle of an upcall of its own. */
static void no_connection_is_released_before_a_message(void **state)
{
	struct msu_rig r;

	(void)state;
	msu_start_row(&r, row, ASP);
	publish_amid(&r, a_connection_may_go);
	worker_enter(r.b.worker);
	worker_leave(r.b.worker);
	assert_null(r.end[ASP]->dead);
	msu_stop(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_comes_after_a_table_goes_by_it),
		cmocka_unit_test(several_stay_in_order),
		cmocka_unit_test(so_does_what_an_event_comes_behind),
		cmocka_unit_test(who_asks_too_much_is_not_read_from_that_moment),
		cmocka_unit_test(nothing_is_held_once_the_worker_stops),
		cmocka_unit_test(a_slot_made_before_a_restart_is_not_used_after_it),
		cmocka_unit_test(what_was_forwarded_to_a_peer_before_its_restart_is_not_sent_after_it),
		cmocka_unit_test(nor_is_what_control_has_sent_to_it),
		cmocka_unit_test(who_is_free_is_not_touched_at_the_end_of_the_pass),
		cmocka_unit_test(no_connection_is_released_before_a_message),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
