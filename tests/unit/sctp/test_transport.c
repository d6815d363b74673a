/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The contract of transport.h, held against every transport: `test_transport [NAME [PORT]]`. Without a name,
 * all that this machine can run, one after the other. */
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "rig.h"
#include "tests/unit/free_ports.h"

static const struct tp_ops *ops;
static uint16_t port;
static struct rig rig;

static int setup(void **state)
{
	(void)state;
	rig_init(&rig, ops, port);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	rig_fini(&rig);
	return 0;
}

static void both_ends_come_up_with_the_negotiated_streams(void **state)
{
	struct end client, server;
	struct tp_params p;

	(void)state;
	end_init(&client, &rig);
	end_init(&server, &rig);
	rig_listen(&rig);
	rig_client_params(&rig, &p);
	p.out_streams = 12;
	p.max_in_streams = 7;
	end_connect(&client, &p);
	rig_server_params(&rig, &p);
	end_accept(&server, &p, NULL);
	RIG_WAIT(&rig, client.ups && server.ups);
	if (ops->ordered_only) {
		assert_int_equal(client.out_streams, 1);
		assert_int_equal(server.in_streams, 1);
	} else {
		assert_int_equal(client.out_streams, 12);
		assert_int_equal(server.in_streams, 12);
		assert_int_equal(client.in_streams, 7);
		assert_int_equal(server.out_streams, 7);
	}
	rig_unpair(&client, &server);
}

static void nobody_listening_is_down_once_with_a_reason(void **state)
{
	struct end client;
	struct tp_params p;

	(void)state;
	end_init(&client, &rig);
	rig_client_params(&rig, &p);
	end_connect(&client, &p);
	RIG_WAIT(&rig, client.downs);
	assert_int_equal(client.ups, 0);
	end_fini(&client);
}

static void a_rejected_peer_goes_down(void **state)
{
	struct end client;
	struct tp_params p;

	(void)state;
	end_init(&client, &rig);
	rig_listen(&rig);
	rig_client_params(&rig, &p);
	end_connect(&client, &p);
	RIG_WAIT(&rig, rig.n_incoming);
	rig.ops->reject(rig.incoming[0]);
	RIG_WAIT(&rig, client.downs);
	end_fini(&client);
}

static void a_peer_that_is_not_permitted_never_arrives(void **state)
{
	struct end client;
	struct tp_params p;

	(void)state;
	end_init(&client, &rig);
	rig_listen(&rig);
	rig.permit = false;
	rig_client_params(&rig, &p);
	end_connect(&client, &p);
	RIG_WAIT(&rig, client.downs);
	assert_int_equal(rig.n_incoming, 0);
	end_fini(&client);
}

static void aborting_a_connect_is_down_once(void **state)
{
	struct end client;
	struct tp_params p;

	(void)state;
	end_init(&client, &rig);
	rig_client_params(&rig, &p);
	end_connect(&client, &p);
	end_abort(&client, "changed our mind");
	RIG_WAIT(&rig, client.downs);
	assert_int_equal(client.ups, 0);
	end_fini(&client);
}

/* Queues N messages of mixed sizes over the streams of FROM and drives them across. */
static void send_and_expect(struct end *from, struct end *to, unsigned n)
{
	static const uint32_t sizes[] = {16, 17, 100, 272, 1000, 1500, RIG_MAX_MESSAGE};
	uint32_t seq[1024] = {0};

	for (unsigned i = 0; i < n; i++) {
		uint16_t stream = (uint16_t)(i % from->out_streams);

		end_queue(from, sizes[i % 7], stream, seq[stream]++);
	}
	RIG_WAIT(&rig, (from->tx.n && end_transmit(from) && false) || to->received == n);
	assert_int_equal(from->tx.n, 0);
	assert_int_equal(to->received, n);
}

static void messages_arrive_whole_in_order_on_their_streams(void **state)
{
	struct end client, server;

	(void)state;
	rig_pair(&rig, &client, &server);
	send_and_expect(&client, &server, 1000);
	send_and_expect(&server, &client, 1000);
	rig_unpair(&client, &server);
}

/* No promise of SCTP between streams, but what the sending end does where nothing is lost: an ASP Active Ack
 * is there before the DATA behind it, an ASP Inactive Ack is not before the last. */
static void what_is_queued_first_leaves_first_whatever_its_stream(void **state)
{
	enum { MESSAGES = 60, SHORTEST = 16 };
	struct end client, server;
	uint32_t seq[1024] = {0};
	struct mbuf *m;

	(void)state;
	rig_pair(&rig, &client, &server);
	server.keep = true;
	for (unsigned i = 0; i < MESSAGES; i++) {
		uint16_t stream = (uint16_t)(i * 7 % 5 % client.out_streams);

		end_queue(&client, SHORTEST + i, stream, seq[stream]++);
	}
	RIG_WAIT(&rig, (client.tx.n && end_transmit(&client) && false) || server.received == MESSAGES);
	for (unsigned i = 0; (m = mbufq_pop(&server.rx)); i++) {
		assert_int_equal(m->len, SHORTEST + i);
		mbuf_free(server.conn->loop->pool, m);
	}
	rig_unpair(&client, &server);
}

static void stream_sequence_numbers_count_up(void **state)
{
	struct end client, server;
	struct mbuf *m;
	uint16_t ssn = 0;

	(void)state;
	rig_pair(&rig, &client, &server);
	server.keep = true;
	for (unsigned i = 0; i < 5; i++)
		end_queue(&client, 100, ops->ordered_only ? 0 : 3, i);
	assert_int_equal(end_transmit(&client), 5);
	RIG_WAIT(&rig, server.received == 5);
	while (!ops->ordered_only && (m = mbufq_pop(&server.rx))) {
		assert_int_equal(m->stream, 3);
		assert_int_equal(m->ssn, ssn++);
		mbuf_free(server.conn->loop->pool, m);
	}
	rig_unpair(&client, &server);
}

static void a_message_over_the_limit_is_refused_whole_and_the_next_is_intact(void **state)
{
	static const uint32_t sizes[] = {RIG_MAX_MESSAGE + 1, RIG_MAX_MESSAGE + 2000, 20000, RIG_BIG_MESSAGE};
	struct end client, server;

	(void)state;
	rig_pair(&rig, &client, &server);
	for (uint32_t i = 0; i < 4; i++) {
		end_queue(&client, 100, 0, i);
		end_queue(&client, sizes[i], 0, 99);
		RIG_WAIT(&rig, (end_transmit(&client) && false) || server.refused == i + 1);
		if (server.refused_len)
			assert_int_equal(server.refused_len, sizes[i]);
	}
	end_queue(&client, RIG_MAX_MESSAGE, 0, 4);
	RIG_WAIT(&rig, (end_transmit(&client) && false) || server.received == 5);
	assert_int_equal(server.refused, 4);
	assert_int_equal(server.downs, 0);
	rig_unpair(&client, &server);
}

static void what_does_not_fit_stays_queued_and_writable_follows(void **state)
{
	struct end client, server;
	struct tp_params p;
	unsigned queued = 0, passes = 0;

	(void)state;
	end_init(&client, &rig);
	end_init(&server, &rig);
	rig_listen(&rig);
	rig_client_params(&rig, &p);
	p.sndbuf = 65536;
	end_connect(&client, &p);
	rig_server_params(&rig, &p);
	p.rcvbuf = 65536;
	end_accept(&server, &p, NULL);
	RIG_WAIT(&rig, client.ups && server.ups);
	/* the far end runs in this thread: it takes nothing while we fill the pipe */
	do {
		for (unsigned i = 0; i < 64 && queued < RIG_BUFFERS / 2; i++)
			end_queue(&client, 2000, 0, queued++);
		end_transmit(&client);
	} while (!client.tx.n && queued < RIG_BUFFERS / 2);
	assert_true(client.tx.n > 0);
	while (server.received < queued) {
		unsigned before = client.writables;

		RIG_WAIT(&rig, client.writables > before || server.received == queued);
		if (client.tx.n)
			end_transmit(&client);
		passes++;
	}
	assert_true(client.writables > 0);
	assert_int_equal(client.tx.n, 0);
	/* it is told that it may go on when it may: not all the time */
	assert_true(passes < queued * 4);
	rig_unpair(&client, &server);
}

static void abort_of_a_stalled_connection_loses_no_buffer(void **state)
{
	struct end client, server;
	unsigned queued = 0;

	(void)state;
	rig_pair(&rig, &client, &server);
	while (!client.tx.n && queued < RIG_BUFFERS - 64) {
		end_queue(&client, RIG_BIG_MESSAGE, 0, queued++);
		end_transmit(&client);
	}
	rig_unpair(&client, &server);
}

/* ---- messages that are handed back (tp_done) ---- */

static struct mbuf *newest(struct mbufq *q)
{
	return caa_container_of(q->last, struct mbuf, next);
}

/* Message I of LEN bytes is at the head of Q, as it was queued; frees it. */
static void expect_back(struct end *e, struct mbufq *q, uint32_t i, uint32_t len)
{
	struct mbuf *m = mbufq_pop(q);
	uint32_t seq;

	assert_non_null(m);
	assert_int_equal(m->len, len);
	memcpy(&seq, mbuf_head(m) + 8, sizeof(seq));
	assert_int_equal(seq, i);
	assert_memory_equal(mbuf_head(m), "\1\0\1\1", 4);
	mbuf_free(e->conn->loop->pool, m);
}

static void what_is_to_be_kept_comes_back(void **state)
{
	struct end client, server;
	struct mbufq sent;

	(void)state;
	mbufq_init(&sent);
	rig_pair(&rig, &client, &server);
	client.conn->sent = &sent;
	for (uint32_t i = 0; i < 100; i++) {
		end_queue(&client, 300, 0, i);
		newest(&client.tx)->keep = i % 2;
	}
	RIG_WAIT(&rig, (end_transmit(&client) && false) || server.received == 100);
	assert_int_equal(sent.n, 50);
	for (uint32_t i = 1; i < 100; i += 2)
		expect_back(&client, &sent, i, 300);
	rig_unpair(&client, &server);
}

/* Sent, half sent or not sent: none is lost when the connection is, and none is changed. */
static void what_is_to_be_kept_survives_the_connection(void **state)
{
	struct end client, server;
	struct mbufq sent;
	uint32_t queued = 0, i = 0;

	(void)state;
	mbufq_init(&sent);
	rig_pair(&rig, &client, &server);
	client.conn->sent = &sent;
	while (!client.tx.n && queued < RIG_BUFFERS / 2 - 64) {
		end_queue(&client, RIG_MAX_MESSAGE, 0, queued++);
		newest(&client.tx)->keep = true;
		end_transmit(&client);
	}
	end_abort(&client, "end of test");
	RIG_WAIT(&rig, client.downs);
	assert_int_equal(sent.n + client.tx.n, queued);
	while (sent.n)
		expect_back(&client, &sent, i++, RIG_MAX_MESSAGE);
	while (client.tx.n)
		expect_back(&client, &client.tx, i++, RIG_MAX_MESSAGE);
	rig_unpair(&client, &server);
}

static void check_graceful(struct end *first, struct end *second)
{
	unsigned n = 50;

	for (unsigned i = 0; i < n; i++)
		end_queue(first, 300, 0, i);
	assert_int_equal(end_transmit(first), n);
	end_shutdown(first);
	RIG_WAIT(&rig, first->downs && second->downs);
	assert_int_equal(second->received, n);
	assert_int_equal(second->leaves, 1);
	assert_int_equal(first->leaves, 0);
	/* what comes after it goes nowhere, and does no harm */
	end_queue(first, 100, 0, n);
	assert_int_equal(end_transmit(first), 0);
	assert_int_equal(first->tx.n, 1);
}

static void shutdown_by_the_client_delivers_and_ends_both(void **state)
{
	struct end client, server;

	(void)state;
	rig_pair(&rig, &client, &server);
	check_graceful(&client, &server);
	rig_unpair(&client, &server);
}

static void shutdown_by_the_server_delivers_and_ends_both(void **state)
{
	struct end client, server;

	(void)state;
	rig_pair(&rig, &client, &server);
	check_graceful(&server, &client);
	rig_unpair(&client, &server);
}

static void shutdown_by_both_at_once_ends_both(void **state)
{
	struct end client, server;

	(void)state;
	rig_pair(&rig, &client, &server);
	end_shutdown(&client);
	end_shutdown(&server);
	RIG_WAIT(&rig, client.downs && server.downs);
	rig_unpair(&client, &server);
}

static void abort_ends_both_and_keeps_our_reason(void **state)
{
	struct end client, server;

	(void)state;
	rig_pair(&rig, &client, &server);
	end_abort(&server, "operator");
	end_abort(&server, "again");
	RIG_WAIT(&rig, client.downs && server.downs);
	assert_string_equal(server.reason, "operator");
	assert_memory_equal(client.reason, "aborted by peer", 15); /* SCTP: and then our words */
	rig_unpair(&client, &server);
}

static void abort_from_inside_an_upcall_stops_delivery(void **state)
{
	struct end client, server;

	(void)state;
	rig_pair(&rig, &client, &server);
	server.abort_after = 3;
	for (unsigned i = 0; i < 20; i++)
		end_queue(&client, 200, 0, i);
	end_transmit(&client);
	RIG_WAIT(&rig, client.downs && server.downs);
	assert_int_equal(server.received, 3);
	assert_string_equal(server.reason, "had enough");
	rig_unpair(&client, &server);
}

/* What one system call had brought along may still come, but no more. */
static void who_is_held_gets_the_rest_in_order_when_let_go(void **state)
{
	enum { MESSAGES = 1000, BATCH = 128, ROUNDS = 3 };
	struct end client, server;

	(void)state;
	if (!ops->hold) /* the memory transport cannot */
		return;
	rig_pair(&rig, &client, &server);
	for (unsigned i = 0; i < MESSAGES; i++)
		end_queue(&client, 40, 0, i);
	for (unsigned round = 0; round < ROUNDS; round++) {
		server.hold_after = server.received + 100;
		RIG_WAIT(&rig, (end_transmit(&client) && false) || server.received >= server.hold_after);
		for (unsigned i = 0; i < 20; i++) {
			end_transmit(&client);
			rig_run(&rig);
		}
		assert_in_range(server.received, server.hold_after, server.hold_after + BATCH);
		server.hold_after = 0;
		ops->hold(server.conn, false);
	}
	RIG_WAIT(&rig, (end_transmit(&client) && false) || server.received == MESSAGES);
	/* who goes while it is held takes no buffer along, and is missed when it is let go */
	server.hold_after = MESSAGES + 1;
	for (unsigned i = 0; i < 10; i++)
		end_queue(&client, 40, 0, MESSAGES + i);
	RIG_WAIT(&rig, (end_transmit(&client) && false) || server.received > MESSAGES);
	end_abort(&client, "gone");
	ops->hold(server.conn, false);
	rig_unpair(&client, &server);
}

static void a_port_in_use_is_told_and_can_be_had_later(void **state)
{
	struct tp_listener *second;
	struct tp_params p;
	struct end client, server;

	(void)state;
	rig_pair(&rig, &client, &server);
	rig_server_params(&rig, &p);
	assert_int_equal(ops->listen(&rig.far, &p, &rig, &second), SB_EADDR);
	rig_unlisten(&rig);
	/* at once, with the association of before still up */
	rig_listen(&rig);
	rig_unpair(&client, &server);
	rig_pair(&rig, &client, &server);
	rig_unpair(&client, &server);
}

enum { MANY = 200 };

static void two_hundred_at_once(void **state)
{
	struct end *client = calloc(MANY, sizeof(*client)), *server = calloc(MANY, sizeof(*server));
	struct tp_params p;
	unsigned i;

	(void)state;
	rig_listen(&rig);
	for (i = 0; i < MANY; i++) {
		end_init(&client[i], &rig);
		end_init(&server[i], &rig);
		rig_client_params(&rig, &p);
		p.init_max_attempts = 20;
		end_connect(&client[i], &p);
	}
	rig_server_params(&rig, &p);
	for (i = 0; i < MANY; i++)
		end_accept(&server[i], &p, NULL);
	for (i = 0; i < MANY; i++) {
		RIG_WAIT(&rig, client[i].ups && server[i].ups);
		end_queue(&client[i], 100, 0, 0);
		assert_int_equal(end_transmit(&client[i]), 1);
	}
	for (i = 0; i < MANY; i++)
		RIG_WAIT(&rig, server[i].received == 1);
	for (i = 0; i < MANY; i++)
		end_abort(&client[i], "end of test");
	for (i = 0; i < MANY; i++) {
		RIG_WAIT(&rig, client[i].downs && server[i].downs);
		end_fini(&client[i]);
		end_fini(&server[i]);
	}
	free(client);
	free(server);
}

static void without_addresses_a_listener_serves_ipv4_as_ipv4(void **state)
{
	struct end client, server;
	struct tp_params p;

	(void)state;
	rig_server_params(&rig, &p);
	p.n_local = 0;
	rig_listen_with(&rig, &p);
	end_init(&client, &rig);
	end_init(&server, &rig);
	rig_client_params(&rig, &p);
	end_connect(&client, &p);
	RIG_WAIT(&rig, rig.n_incoming);
	assert_int_equal(rig.incoming[0]->addrs[0].sa.sa_family, AF_INET);
	assert_true(tp_addr_is_loopback(&rig.incoming[0]->addrs[0]));
	rig_server_params(&rig, &p);
	end_accept(&server, &p, NULL);
	RIG_WAIT(&rig, client.ups && server.ups);
	rig_unpair(&client, &server);
}

static void info_is_there_while_it_is_up(void **state)
{
	struct end client, server;
	struct tp_info info;
	struct tp_params p;

	(void)state;
	end_init(&client, &rig);
	rig_client_params(&rig, &p);
	end_connect(&client, &p);
	assert_int_equal(ops->info(client.conn, &info), SB_ESTATE);
	RIG_WAIT(&rig, client.downs);
	end_fini(&client);
	rig_pair(&rig, &client, &server);
	RIG_WAIT(&rig, ops->info(client.conn, &info) == SB_OK);
	assert_int_equal(info.remote_port, port);
	assert_int_equal(info.out_streams, client.out_streams);
	assert_int_equal(info.in_streams, client.in_streams);
	assert_non_null(info.crc);
	if (info.n_paths)
		assert_true(tp_addr_is_loopback(&info.paths[0].addr));
	RIG_WAIT(&rig, ops->info(server.conn, &info) == SB_OK);
	assert_int_equal(info.local_port, port);
	end_abort(&client, "end of test");
	assert_int_equal(ops->info(client.conn, &info), SB_ESTATE);
	rig_unpair(&client, &server);
}

#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

static const struct CMUnitTest tests[] = {
	T(both_ends_come_up_with_the_negotiated_streams),
	T(nobody_listening_is_down_once_with_a_reason),
	T(a_rejected_peer_goes_down),
	T(a_peer_that_is_not_permitted_never_arrives),
	T(aborting_a_connect_is_down_once),
	T(messages_arrive_whole_in_order_on_their_streams),
	T(what_is_queued_first_leaves_first_whatever_its_stream),
	T(stream_sequence_numbers_count_up),
	T(a_message_over_the_limit_is_refused_whole_and_the_next_is_intact),
	T(what_does_not_fit_stays_queued_and_writable_follows),
	T(abort_of_a_stalled_connection_loses_no_buffer),
	T(what_is_to_be_kept_comes_back),
	T(what_is_to_be_kept_survives_the_connection),
	T(shutdown_by_the_client_delivers_and_ends_both),
	T(shutdown_by_the_server_delivers_and_ends_both),
	T(shutdown_by_both_at_once_ends_both),
	T(abort_ends_both_and_keeps_our_reason),
	T(abort_from_inside_an_upcall_stops_delivery),
	T(who_is_held_gets_the_rest_in_order_when_let_go),
	T(a_port_in_use_is_told_and_can_be_had_later),
	T(two_hundred_at_once),
	T(without_addresses_a_listener_serves_ipv4_as_ipv4),
	T(info_is_there_while_it_is_up),
};

static int run(enum tp_kind kind, bool must)
{
	char why[TP_REASON], group[32];

	ops = tp_select(kind, why, sizeof(why));
	if (!ops) {
		printf("%s: skipped: %s\n", tp_kind_name(kind), why);
		return must ? 1 : 0;
	}
	snprintf(group, sizeof(group), "transport %s", ops->name);
	return _cmocka_run_group_tests(group, tests, sizeof(tests) / sizeof(tests[0]), NULL, NULL);
}

int main(int argc, char **argv)
{
	int failed = 0;

	port = argc > 2 ? (uint16_t)atoi(argv[2]) : free_ports(3);
	for (int k = TP_AUTO + 1; k < TP_KINDS; k++)
		if (argc < 2 || strcmp(argv[1], tp_kind_name((enum tp_kind)k)) == 0)
			failed += run((enum tp_kind)k, argc > 1);
	return failed ? 1 : 0;
}
