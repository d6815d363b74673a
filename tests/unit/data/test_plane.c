/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The plane as a whole: threads, order, hand-over of tables, start and stop. MESSAGES in the environment
 * makes it a soak. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "rig.h"

enum { SLS = 16, PEERS = 4 };

/* What travels in a payload, and what is due next of each flow (from, to, SLS). */
struct cargo {
	uint32_t from, sequence;
};

struct flows {
	uint32_t sent[PEERS][PEERS][SLS], got[PEERS][PEERS][SLS];
	uint64_t faults, received;
};

static void check_order(struct rig_peer *peer, const struct m3ua_data *d, const struct mbuf *m)
{
	struct flows *f = peer->rig->arg;
	struct cargo c;

	memcpy(&c, m->data + m->off + d->payload_off, sizeof(c));
	f->received++;
	if (c.sequence != f->got[c.from][peer->index][d->label.sls]++)
		f->faults++;
}

static bool send_next(struct rig *r, struct flows *f, uint64_t i)
{
	unsigned from = (unsigned)(i % PEERS), to = (unsigned)(from + 1 + i / PEERS % (PEERS - 1)) % PEERS;
	uint8_t sls = (uint8_t)(i / (PEERS * (PEERS - 1)) % SLS);
	struct cargo c[12] = {{.from = from, .sequence = f->sent[from][to][sls]}};

	if (!rig_data(&r->peers[from], to, sls, c, sizeof(c)))
		return false;
	f->sent[from][to][sls]++;
	return true;
}

static uint64_t message_count(void)
{
	const char *s = getenv("MESSAGES");

	return s ? strtoull(s, NULL, 10) : 1000000;
}

/* A window keeps the buffers that are out bounded. */
static void pass_messages(struct rig *r, struct flows *f, uint64_t n)
{
	uint64_t sent = f->received, end = sent + n;

	while (f->received < end) {
		uint64_t before = f->received;

		while (sent < end && sent - f->received < 4000 && send_next(r, f, sent))
			sent++;
		rig_until(r, f->received > before);
	}
}

static void pass_and_check(unsigned workers)
{
	struct rig r;
	struct flows *f = calloc(1, sizeof(*f));
	struct worker_stats w;
	uint64_t n = message_count(), forwarded = 0;

	rig_start(&r, &(struct rig_options){.workers = workers, .peers = PEERS});
	r.on_data = check_order;
	r.arg = f;
	pass_messages(&r, f, n);
	assert_int_equal(f->faults, 0);
	for (unsigned i = 0; i < workers; i++) {
		plane_worker_stats(r.plane, i, &w);
		forwarded += w.c[WC_FORWARDED];
		assert_int_equal(w.assocs, PEERS / workers);
		assert_true(workers == 1 || w.c[WC_CROSSED] > 0);
	}
	assert_int_equal(forwarded, n);
	rig_stop(&r);
	free(f);
}

static void keeps_order_with_one_worker(void **state)
{
	(void)state;
	pass_and_check(1);
}

static void keeps_order_across_two_workers(void **state)
{
	(void)state;
	pass_and_check(2);
}

static void keeps_order_across_four_workers(void **state)
{
	(void)state;
	pass_and_check(4);
}

static void stops_with_traffic_under_way(void **state)
{
	struct rig r;
	struct flows *f = calloc(1, sizeof(*f));

	(void)state;
	rig_start(&r, &(struct rig_options){.workers = 2, .peers = PEERS});
	r.on_data = check_order;
	r.arg = f;
	for (unsigned i = 0; i < 3000; i++)
		assert_true(send_next(&r, f, i));
	rig_step(&r);
	rig_stop(&r);
	free(f);
}

/* ---- handing a flow over ---- */

static void set_flag(void *arg)
{
	*(bool *)arg = true;
}

/* An ASP that deactivates: publish, wait for the grace period, then ACK. Whatever was forwarded by the table
 * before must have been sent to it before the ACK. */
struct hand_over {
	uint32_t next_sent;
	uint64_t got[RIG_PEERS];  /* DATA */
	unsigned acks[RIG_PEERS]; /* all else that it was sent */
	uint64_t faults;
	uint32_t last[RIG_PEERS];
};

static void watch_hand_over(struct rig_peer *peer, const struct m3ua_data *d, const struct mbuf *m)
{
	struct hand_over *h = peer->rig->arg;
	uint32_t n;

	memcpy(&n, m->data + m->off + d->payload_off, sizeof(n));
	h->faults += h->got[peer->index] && n <= h->last[peer->index]; /* order, and nothing twice */
	h->last[peer->index] = n;
	h->got[peer->index]++;
}

static void keep_sending(struct rig *r, struct hand_over *h, unsigned n)
{
	for (unsigned i = 0; i < n && h->next_sent - h->got[1] - h->got[2] < 3000; i++, h->next_sent++)
		assert_true(rig_data(&r->peers[0], 1, (uint8_t)(h->next_sent % SLS), &h->next_sent, 4));
}

/* The ACK is a message of control's to the peer that leaves; here any message that is not DATA. */
static void send_ack(struct rig *r, unsigned peer)
{
	static const uint8_t aspia_ack[] = {1, 0, 4, 4, 0, 0, 0, 8};
	struct mbuf *m = plane_mbuf(r->plane);

	memcpy(mbuf_head(m), aspia_ack, sizeof(aspia_ack));
	m->len = sizeof(aspia_ack);
	m->ppid = TP_PPID_M3UA;
	assoc_send(r->peers[peer].assoc, m);
}

static void deactivate(struct rig *r, struct hand_over *h, unsigned leaves, unsigned takes_over)
{
	unsigned acks = h->acks[leaves];
	uint64_t data;
	bool over = false;

	r->as[1].asps[0] = takes_over;
	rig_publish(r);
	plane_after_grace(r->plane, set_flag, &over);
	while (!over) {
		keep_sending(r, h, 20);
		rig_step(r);
	}
	send_ack(r, leaves);
	rig_until(r, r->peers[leaves].received - h->got[leaves] > acks); /* the ACK is the last, */
	data = h->got[leaves];
	keep_sending(r, h, 200);
	for (unsigned i = 0; i < 20; i++)
		rig_step(r);
	assert_int_equal(h->got[leaves], data); /* nothing came behind it, */
	assert_int_equal(r->peers[leaves].received - data, ++h->acks[leaves]);
}

static void a_deactivation_after_the_grace_period_loses_nothing(void **state)
{
	(void)state;
	for (unsigned workers = 1; workers <= 4; workers *= 2) {
		struct hand_over h = {0};
		struct rig r;

		rig_start(&r, &(struct rig_options){.workers = workers, .peers = PEERS});
		r.on_data = watch_hand_over;
		r.arg = &h;
		for (unsigned round = 0; round < 15; round++) {
			keep_sending(&r, &h, 500);
			rig_step(&r);
			deactivate(&r, &h, 1 + round % 2, 2 - round % 2);
		}
		rig_until(&r, h.got[1] + h.got[2] == h.next_sent); /* and nothing is missing */
		assert_int_equal(h.faults, 0);
		rig_stop(&r);
	}
}

/* An ASP that activates reads its ACK: DATA that comes then goes to it, and its ACK was the first. */
static void what_control_tells_waits_for_the_table_that_makes_it_true(void **state)
{
	struct rig r;

	(void)state;
	rig_start(&r, &(struct rig_options){.workers = 2, .peers = 4});
	for (unsigned round = 0; round < 50; round++) {
		unsigned to = 1 + round % 2;
		uint64_t got = r.peers[to].received;

		plane_gather(r.plane);
		r.as[1].asps[0] = to;
		send_ack(&r, to);
		for (unsigned i = 0; i < 20; i++) { /* the workers are awake */
			assert_true(rig_data(&r.peers[3], 0, (uint8_t)i, "x", 1));
			rig_step(&r);
		}
		assert_int_equal(r.peers[to].received, got);
		rig_publish(&r);
		rig_until(&r, r.peers[to].received == got + 1);
		assert_true(rig_data(&r.peers[0], 1, 0, "x", 1));
		rig_until(&r, r.peers[to].received == got + 2);
		plane_give(r.plane);
	}
	rig_stop(&r);
}

static void what_control_tells_without_a_table_is_given_at_the_end(void **state)
{
	struct rig r;

	(void)state;
	rig_start(&r, &(struct rig_options){.workers = 2});
	plane_gather(r.plane);
	send_ack(&r, 0);
	send_ack(&r, 1);
	for (unsigned i = 0; i < 20; i++)
		rig_step(&r);
	assert_int_equal(r.peers[0].received + r.peers[1].received, 0);
	plane_give(r.plane);
	rig_until(&r, r.peers[0].received == 1 && r.peers[1].received == 1);
	rig_stop(&r);
}

/* Its memory may be gone before the pass ends. */
static void what_control_tells_is_not_for_an_association_that_is_gone(void **state)
{
	struct worker_stats w;
	struct rig r;

	(void)state;
	rig_start(&r, &(struct rig_options){.workers = 1});
	assoc_shutdown(r.peers[0].assoc);
	rig_until(&r, r.peers[0].down && r.events[PE_DOWN] == 1);
	plane_gather(r.plane);
	send_ack(&r, 0);
	assoc_free(r.peers[0].assoc);
	rig_until(&r, (plane_worker_stats(r.plane, 0, &w), w.assocs == 1));
	plane_give(r.plane);
	rig_step(&r);
	rig_stop(&r);
}

static unsigned graces[101], n_graces;

static void note_grace(void *arg)
{
	graces[n_graces++] = *(unsigned *)arg;
}

static void grace_periods_end_in_the_order_they_were_asked_for(void **state)
{
	unsigned numbers[100];
	struct rig r;

	(void)state;
	rig_start(&r, &(struct rig_options){.workers = 2});
	n_graces = 0;
	for (unsigned i = 0; i < 100; i++) {
		numbers[i] = i;
		if (i % 7 == 0)
			rig_publish(&r);
		plane_after_grace(r.plane, note_grace, &numbers[i]);
	}
	rig_until(&r, n_graces == 100);
	for (unsigned i = 0; i < 100; i++)
		assert_int_equal(graces[i], i);
	plane_after_grace(r.plane, note_grace, &numbers[0]);
	rig_stop(&r); /* what still waits is called */
	assert_int_equal(n_graces, 101);
}

/* ---- the life of associations ---- */

static void a_freed_association_leaves_its_counts_and_gives_its_id_back(void **state)
{
	struct rig r;
	struct assoc_stats before, after;
	uint32_t id;
	struct tp_params params;
	struct worker_stats w;

	(void)state;
	rig_start(&r, &(struct rig_options){.peers = 3});
	for (unsigned i = 0; i < 100; i++)
		assert_true(rig_data(&r.peers[2], 1, 0, "x", 1));
	rig_until(&r, r.peers[1].received == 100);
	id = assoc_id(r.peers[2].assoc);
	plane_totals(r.plane, &before);
	assert_int_equal(before.c[AC_RX_DATA], 100);
	tp_mem.abort(r.peers[2].conn, "bye");
	rig_until(&r, r.events[PE_DOWN] == 1);
	assert_int_equal(assoc_state(r.peers[2].assoc), ASSOC_DOWN);
	assoc_free(r.peers[2].assoc);
	do {
		rig_step(&r);
		plane_worker_stats(r.plane, 0, &w);
	} while (w.assocs == 3);
	plane_totals(r.plane, &after);
	assert_int_equal(after.c[AC_RX_DATA], 100);
	/* it comes back */
	rig_until(&r, r.peers[2].down);
	tp_mem.release(r.peers[2].conn);
	r.peers[2].up = r.peers[2].down = false;
	tp_params_default(&params);
	params.kind = TP_MEM;
	params.local_port = RIG_PORT + 3;
	params.remote_port = RIG_PORT;
	assert_int_equal(tp_mem.connect(&r.tp, &params, &r.peers[2], &r.peers[2].conn), SB_OK);
	rig_until(&r, r.events[PE_UP] == 4);
	assert_int_equal(assoc_id(r.peers[2].assoc), id);
	rig_stop(&r);
}

static void a_shutdown_is_graceful_and_a_peers_is_told(void **state)
{
	struct rig r;

	(void)state;
	rig_start(&r, &(struct rig_options){.workers = 2});
	assert_true(rig_data(&r.peers[0], 1, 0, "x", 1));
	assoc_shutdown(r.peers[0].assoc);
	assoc_shutdown(r.peers[0].assoc); /* twice does no harm */
	rig_until(&r, r.peers[0].down && r.events[PE_DOWN] == 1);
	tp_mem.shutdown(r.peers[1].conn);
	rig_until(&r, r.events[PE_PEER_SHUTDOWN] == 1 && r.events[PE_DOWN] == 2);
	rig_stop(&r);
}

static void nothing_answers_where_nobody_listens(void **state)
{
	struct assoc_conf conf = {.name = "client", .txq_limit = 10};
	struct assoc *a;
	struct rig r;
	char why[TP_REASON];

	(void)state;
	rig_start(&r, &(struct rig_options){0});
	tp_params_default(&conf.params);
	conf.params.kind = TP_MEM;
	conf.params.remote_port = 1;
	a = assoc_connect(r.plane, &conf, why);
	assert_non_null(a);
	assert_string_equal(assoc_name(a), "client");
	rig_until(&r, r.events[PE_DOWN] == 1);
	assert_int_equal(assoc_state(a), ASSOC_DOWN);
	assert_string_not_equal(r.reason, "");
	assoc_free(a);
	a = assoc_connect(r.plane, &conf, NULL);
	assoc_abort(a, "changed my mind"); /* before it is up */
	rig_until(&r, r.events[PE_DOWN] == 2);
	rig_stop(&r); /* with one freed and one not */
}

static void a_stalled_peer_congests_its_own_queue_only(void **state)
{
	struct rig r;
	struct assoc_stats s;
	unsigned sent = 0;

	(void)state;
	rig_start(&r, &(struct rig_options){.peers = 3, .sndbuf = 20000, .txq_limit = 200, .buffers = 4000});
	r.peers_sleep = true;                   /* nobody takes what arrives */
	while (!rig_drops(&r, DROP_TXQ_FULL)) { /* less at a time than the queue holds */
		uint64_t arrived = sent;

		for (unsigned i = 0; i < 50; i++, sent++)
			assert_true(rig_data(&r.peers[0], 1, (uint8_t)sent, "0123456789", 10));
		rig_until(&r, (assoc_stats(r.peers[0].assoc, &s), s.c[AC_RX_DATA] > arrived));
		assert_true(sent < 5000);
	}
	rig_until(&r, r.congestion == 3);
	rig_until(&r, (assoc_stats(r.peers[1].assoc, &s), s.txq == 200)); /* told at the end of a pass */
	assert_int_equal(s.congestion, 3);
	assert_true(s.c[AC_TX_BLOCKED] > 0);
	assert_true(s.drops[DROP_TXQ_FULL] > 0);
	assoc_stats(r.peers[0].assoc, &s);
	assert_int_equal(s.drops[DROP_TXQ_FULL], 0);
	r.peers_sleep = false;
	rig_until(&r, r.congestion == 0 && r.peers[1].received + rig_drops(&r, DROP_TXQ_FULL) == sent);
	/* what the transport took is counted after it has left */
	rig_until(&r, (assoc_stats(r.peers[1].assoc, &s), s.c[AC_TX_MSGS] == r.peers[1].received));
	assert_int_equal(s.c[AC_TX_DATA], r.peers[1].received); /* what was dropped does not count as sent */
	rig_stop(&r);
}

/* Neither its queue, without a limit to speak of, nor what waits for an AS takes the buffers that others
 * need. */
static void a_stalled_peer_does_not_take_all_buffers(void **state)
{
	struct rig r;
	struct assoc_stats s;
	unsigned sent = 0;

	(void)state;
	rig_start(&r, &(struct rig_options){.peers = 3, .sndbuf = 20000, .buffers = 1500});
	r.peers_sleep = true;
	while (!rig_drops(&r, DROP_TXQ_FULL)) {
		uint64_t arrived = sent;

		for (unsigned i = 0; i < 20; i++, sent++)
			assert_true(rig_data(&r.peers[0], 1, (uint8_t)sent, "0123456789", 10));
		rig_until(&r, (assoc_stats(r.peers[0].assoc, &s), s.c[AC_RX_DATA] == arrived + 20));
		assert_true(sent < 3000);
	}
	rig_until(&r, r.congestion == 3); /* though it is far from its limit */
	assert_int_equal(rig_drops(&r, DROP_NO_BUFFER), 0);
	r.peers_sleep = false;
	rig_until(&r, r.congestion == 0 && r.peers[1].received + rig_drops(&r, DROP_TXQ_FULL) == sent);
	rig_stop(&r);
}

static void a_pending_as_does_not_take_all_buffers(void **state)
{
	struct rig r;
	struct assoc_stats s;

	(void)state;
	rig_start(&r, &(struct rig_options){.peers = 3, .buffers = 900});
	r.as[1].state = FWD_AS_PENDING;
	r.as[1].hold.limit = 10000;
	rig_publish(&r);
	for (unsigned sent = 1; sent <= 1000; sent++) {
		assert_true(rig_data(&r.peers[0], 1, (uint8_t)sent, "0123456789", 10));
		if (sent % 50 == 0)
			rig_until(&r, (assoc_stats(r.peers[0].assoc, &s), s.c[AC_RX_DATA] == sent));
	}
	assert_int_equal(rig_drops(&r, DROP_NO_BUFFER), 0);
	assert_true(rig_drops(&r, DROP_HOLD_FULL) > 0);
	assert_in_range(s.c[AC_HELD], 550, 650); /* two thirds */
	rig_data(&r.peers[0], 2, 0, "x", 1);
	rig_until(&r, r.peers[2].received == 1);
	rig_stop(&r);
}

/* ---- listeners ---- */

static void a_listener_whose_port_is_taken_tries_again_and_says_so_once(void **state)
{
	struct listener *second;
	struct tp_params params;
	struct rig r;

	(void)state;
	rig_start(&r, &(struct rig_options){0});
	tp_params_default(&params);
	params.kind = TP_MEM;
	params.local_port = RIG_PORT;
	second = plane_listen(r.plane, "second", &params, NULL);
	rig_until(&r, r.events[PE_LISTEN_FAILED] == 1);
	assert_false(listener_is_up(second));
	plane_unlisten(r.listener);
	rig_until(&r, r.events[PE_LISTENING] == 2);
	assert_true(listener_is_up(second));
	assert_int_equal(r.events[PE_LISTEN_FAILED], 1);
	plane_unlisten(second);
	rig_stop(&r);
}

static void only_permitted_addresses_come_in(void **state)
{
	union tp_addr other, loopback;
	struct tp_params params;
	struct rig_peer stranger = {0};
	struct rig r;

	(void)state;
	rig_start(&r, &(struct rig_options){0});
	assert_int_equal(tp_addr_parse(&other, "192.0.2.1"), SB_OK);
	assert_int_equal(tp_addr_parse(&loopback, "127.0.0.1"), SB_OK);
	assert_int_equal(listener_permit(r.listener, &other, 1), SB_OK);
	stranger.rig = &r;
	tp_params_default(&params);
	params.local_port = RIG_PORT + 8;
	params.remote_port = RIG_PORT;
	assert_int_equal(tp_mem.connect(&r.tp, &params, &stranger, &stranger.conn), SB_OK);
	rig_until(&r, stranger.down);
	assert_int_equal(r.events[PE_INCOMING], 2);
	tp_mem.release(stranger.conn);
	assert_int_equal(listener_permit(r.listener, &loopback, 1), SB_OK);
	r.reject_all = true; /* now control is asked, and declines */
	stranger.down = false;
	assert_int_equal(tp_mem.connect(&r.tp, &params, &stranger, &stranger.conn), SB_OK);
	rig_until(&r, stranger.down);
	assert_int_equal(r.events[PE_INCOMING], 3);
	tp_mem.release(stranger.conn);
	rig_stop(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keeps_order_with_one_worker),
		cmocka_unit_test(keeps_order_across_two_workers),
		cmocka_unit_test(keeps_order_across_four_workers),
		cmocka_unit_test(stops_with_traffic_under_way),
		cmocka_unit_test(a_deactivation_after_the_grace_period_loses_nothing),
		cmocka_unit_test(what_control_tells_waits_for_the_table_that_makes_it_true),
		cmocka_unit_test(what_control_tells_without_a_table_is_given_at_the_end),
		cmocka_unit_test(what_control_tells_is_not_for_an_association_that_is_gone),
		cmocka_unit_test(grace_periods_end_in_the_order_they_were_asked_for),
		cmocka_unit_test(a_freed_association_leaves_its_counts_and_gives_its_id_back),
		cmocka_unit_test(a_shutdown_is_graceful_and_a_peers_is_told),
		cmocka_unit_test(nothing_answers_where_nobody_listens),
		cmocka_unit_test(a_stalled_peer_congests_its_own_queue_only),
		cmocka_unit_test(a_stalled_peer_does_not_take_all_buffers),
		cmocka_unit_test(a_pending_as_does_not_take_all_buffers),
		cmocka_unit_test(a_listener_whose_port_is_taken_tries_again_and_says_so_once),
		cmocka_unit_test(only_permitted_addresses_come_in),
	};

	return cmocka_run_group_tests_name("data/plane", tests, NULL, NULL);
}
