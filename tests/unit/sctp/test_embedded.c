/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What only the embedded transport does: restarts, moved ports, silence, sizes, raw mode. Strangers and
 * checksums are test_embedded_strangers.c's, the contract all transports share is test_transport.c's. */
#include <linux/capability.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "embedded_rig.h"

/* ---- restart ---- */

static void a_restarted_peer_is_told_as_restart_and_goes_on(void **state)
{
	struct end server;
	struct fake f;

	(void)state;
	listen_with(NULL);
	fake_open(&f, &rig, 0);
	fake_handshake(&f, 0x1111);
	accept_fake(&server);
	fake_message(&f, 0);
	RIG_WAIT(&rig, server.received == 1);
	fake_handshake(&f, 0x2222); /* the same ports, another tag: RFC 4960 s.5.2.2 */
	RIG_WAIT(&rig, server.restarts == 1);
	assert_int_equal(server.downs, 0);
	fake_message(&f, 1);
	RIG_WAIT(&rig, server.received == 2);
	drop(&server);
	assert_true(fake_expect(&f, CHUNK_ABORT));
	fake_close(&f);
}

static void an_init_alone_does_not_disturb_the_association(void **state)
{
	struct end server;
	struct fake f, g;

	(void)state;
	listen_with(NULL);
	fake_open(&f, &rig, 0);
	fake_handshake(&f, 0x1111);
	accept_fake(&server);
	g = f;
	fake_init(&g, 0x3333); /* forged, or a peer that dies again before it is up */
	assert_true(fake_expect(&g, 2));
	fake_message(&f, 0);
	RIG_WAIT(&rig, server.received == 1);
	assert_int_equal(server.restarts, 0);
	assert_int_equal(server.downs, 0);
	drop(&server);
	fake_close(&f);
}

static void malformed_inits_do_not_end_an_association(void **state)
{
	static const uint8_t zero_tag[20] = {1, 0, 0, 20, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 1};
	static const uint8_t no_streams[20] = {1, 0, 0, 20, 9, 9, 9, 9, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
	struct end server;
	struct fake f;

	(void)state;
	listen_with(NULL);
	fake_open(&f, &rig, 0);
	fake_handshake(&f, 0x1111);
	accept_fake(&server);
	fake_send(&f, 0, zero_tag, sizeof(zero_tag));
	fake_send(&f, 0, no_streams, sizeof(no_streams));
	fake_message(&f, 0);
	RIG_WAIT(&rig, server.received == 1);
	assert_int_equal(counted(EMB_RX_BAD_INIT), 2);
	assert_int_equal(server.downs, 0);
	drop(&server);
	fake_close(&f);
}

static void a_peer_that_comes_back_after_its_end_arrives_anew(void **state)
{
	static const uint8_t abort_chunk[4] = {6, 0, 0, 4};
	struct end server, again;
	struct fake f;

	(void)state;
	listen_with(NULL);
	fake_open(&f, &rig, 0);
	fake_handshake(&f, 0x1111);
	accept_fake(&server);
	fake_send(&f, f.peer_tag, abort_chunk, sizeof(abort_chunk));
	RIG_WAIT(&rig, server.downs);
	assert_memory_equal(server.reason, "aborted by peer", 15);
	fake_handshake(&f, 0x2222); /* before the first is released */
	accept_fake(&again);
	end_fini(&server);
	fake_message(&f, 0);
	RIG_WAIT(&rig, again.received == 1);
	drop(&again);
	fake_close(&f);
}

/* ---- RFC 6951 ---- */

static void an_association_follows_its_peer_to_another_udp_port(void **state)
{
	static const uint8_t heartbeat[12] = {4, 0, 0, 12, 0, 1, 0, 8, 'a', 'b', 'c', 'd'};
	struct end server;
	struct fake f;

	(void)state;
	listen_with(NULL);
	fake_open(&f, &rig, 0);
	fake_handshake(&f, 0x1111);
	accept_fake(&server);
	fake_move(&f);
	fake_send(&f, f.peer_tag ^ 1, heartbeat, sizeof(heartbeat)); /* a wrong tag moves nothing */
	assert_true(fake_expect(&f, CHUNK_ABORT));                   /* it is out of the blue */
	assert_int_equal(counted(EMB_PORT_MOVED), 0);
	fake_send(&f, f.peer_tag, heartbeat, sizeof(heartbeat));
	assert_true(fake_expect(&f, 5));
	assert_int_equal(counted(EMB_PORT_MOVED), 1);
	drop(&server);
	assert_true(fake_expect(&f, CHUNK_ABORT));
	fake_close(&f);
}

static void two_peers_behind_one_address_with_the_same_sctp_ports_are_two(void **state)
{
	struct end one, two;
	struct fake f, g;

	(void)state;
	listen_with(NULL);
	fake_open(&f, &rig, 0);
	fake_open(&g, &rig, 0);
	fake_handshake(&f, 0x1111);
	accept_fake(&one);
	fake_handshake(&g, 0x2222);
	accept_fake(&two);
	fake_message(&f, 0);
	RIG_WAIT(&rig, one.received == 1);
	fake_message(&g, 0);
	RIG_WAIT(&rig, two.received == 1);
	assert_int_equal(one.restarts, 0);
	drop(&one);
	drop(&two);
	fake_close(&f);
	fake_close(&g);
}

/* ---- sizes and places ---- */

static void all_streams_there_are_can_be_used(void **state)
{
	struct end client, server;
	struct tp_params p;

	(void)state;
	rig_server_params(&rig, &p);
	p.out_streams = p.max_in_streams = 65535;
	assert_int_equal(rig.ops->listen(&rig.far, &p, &rig, &rig.listener), SB_OK);
	end_init(&client, &rig);
	end_init(&server, &rig);
	rig_client_params(&rig, &p);
	p.out_streams = p.max_in_streams = 65535;
	end_connect(&client, &p);
	rig_server_params(&rig, &p);
	end_accept(&server, &p, NULL);
	RIG_WAIT(&rig, client.ups && server.ups);
	assert_int_equal(client.out_streams, 65535);
	assert_int_equal(server.out_streams, 65535);
	end_queue(&client, 100, 65534, 0);
	end_queue(&client, 100, 1, 0);
	assert_int_equal(end_transmit(&client), 2);
	RIG_WAIT(&rig, server.received == 2);
	rig_unpair(&client, &server);
}

static void a_message_on_no_stream_is_given_up_and_told(void **state)
{
	struct end client, server;

	(void)state;
	rig_pair(&rig, &client, &server);
	end_queue(&client, 100, client.out_streams, 0);
	end_queue(&client, 100, 0, 0);
	assert_int_equal(end_transmit(&client), 1);
	assert_int_equal(client.tx.n, 0);
	RIG_WAIT(&rig, client.failures == 1 && server.received == 1);
	rig_unpair(&client, &server);
}

static void a_burst_leaves_in_few_packets_and_nothing_stays_behind(void **state)
{
	struct end client, server;

	(void)state;
	rig_pair(&rig, &client, &server);
	for (uint32_t i = 0; i < 64; i++)
		end_queue(&client, 100, 1, i);
	before[EMB_TX_PACKETS] = embedded_stat(EMB_TX_PACKETS);
	assert_int_equal(end_transmit(&client), 64);
	RIG_WAIT(&rig, server.received == 64);
	assert_true(counted(EMB_TX_PACKETS) <= 16); /* 64 alone without corking; SACKs included */
	rig_unpair(&client, &server);
}

static void pair_at(const char *listen_at, const char *connect_to)
{
	struct end client, server;
	struct tp_params p;
	struct tp_info info;

	rig_server_params(&rig, &p);
	if (listen_at)
		assert_int_equal(tp_addr_parse(&p.local[0], listen_at), SB_OK);
	else
		p.n_local = 0;
	assert_int_equal(rig.ops->listen(&rig.far, &p, &rig, &rig.listener), SB_OK);
	end_init(&client, &rig);
	end_init(&server, &rig);
	rig_client_params(&rig, &p);
	assert_int_equal(tp_addr_parse(&p.remote[0], connect_to), SB_OK);
	end_connect(&client, &p);
	rig_server_params(&rig, &p);
	end_accept(&server, &p, NULL);
	RIG_WAIT(&rig, client.ups && server.ups);
	end_queue(&client, 100, 1, 0);
	assert_int_equal(end_transmit(&client), 1);
	RIG_WAIT(&rig, server.received == 1);
	RIG_WAIT(&rig, rig.ops->info(server.conn, &info) == SB_OK);
	assert_int_equal(info.n_local, 1);
	assert_false(tp_addr_is_any(&info.local[0]));
	rig_unpair(&client, &server);
	rig_unlisten(&rig);
}

static void ipv6_works(void **state)
{
	(void)state;
	pair_at("::1", "::1");
}

/* The answer must come from the address that was asked, or the peer will not know it. */
static void a_listener_without_address_answers_from_where_it_was_asked(void **state)
{
	(void)state;
	pair_at(NULL, "127.0.0.1");
	pair_at(NULL, "127.0.0.9");
	pair_at(NULL, "::1");
}

static void a_udp_port_in_use_elsewhere_is_told(void **state)
{
	struct tp_params p;
	struct fake f;

	(void)state;
	fake_open(&f, &rig, (uint16_t)(port + 1));
	rig_server_params(&rig, &p);
	assert_int_equal(rig.ops->listen(&rig.far, &p, &rig, &rig.listener), SB_EADDR);
	rig.listener = NULL;
	p.n_local = 0;
	assert_int_equal(rig.ops->listen(&rig.far, &p, &rig, &rig.listener), SB_EADDR);
	rig.listener = NULL;
	fake_close(&f);
	assert_int_equal(tp_addr_parse(&p.local[0], "192.0.2.1"), SB_OK);
	p.n_local = 1;
	assert_int_equal(rig.ops->listen(&rig.far, &p, &rig, &rig.listener), SB_EADDR);
	rig.listener = NULL;
}

static void both_sides_may_share_one_udp_socket_and_start_at_once(void **state)
{
	struct end client, server;
	struct tp_params p;

	(void)state;
	listen_with(NULL);
	end_init(&client, &rig);
	end_init(&server, &rig);
	rig_client_params(&rig, &p);
	p.local_udp_port = p.remote_udp_port;
	end_connect(&client, &p);
	rig_server_params(&rig, &p);
	end_accept(&server, &p, NULL);
	RIG_WAIT(&rig, client.ups && server.ups);
	rig_unpair(&client, &server);
}

/* Two clients that connect to each other: RFC 4960 s.5.2.1. */
static void crossing_inits_make_one_association(void **state)
{
	struct end a, b;
	struct tp_params p;

	(void)state;
	end_init(&a, &rig);
	end_init(&b, &rig);
	rig_client_params(&rig, &p);
	p.local_port = (uint16_t)(port + 5);
	end_connect(&a, &p);
	p.local_port = port;
	p.remote_port = (uint16_t)(port + 5);
	p.local_udp_port = (uint16_t)(port + 1);
	p.remote_udp_port = (uint16_t)(port + 2);
	end_connect(&b, &p);
	RIG_WAIT(&rig, a.ups && b.ups);
	end_queue(&a, 100, 1, 0);
	end_queue(&b, 100, 1, 0);
	assert_int_equal(end_transmit(&a), 1);
	assert_int_equal(end_transmit(&b), 1);
	RIG_WAIT(&rig, a.received == 1 && b.received == 1);
	rig_unpair(&a, &b);
}

static void one_libev_loop_of_the_process_may_have_it(void **state)
{
	struct tp_listener *ls = NULL;
	struct tp_loop third = rig.far;
	struct tp_params p;

	(void)state;
	listen_with(NULL);
	third.ev = ev_loop_new(0);
	third.priv[TP_EMBEDDED] = NULL;
	rig_server_params(&rig, &p);
	p.local_udp_port += 5;
	assert_int_equal(tp_embedded.listen(&third, &p, NULL, &ls), SB_ESTATE);
	ev_loop_destroy(third.ev);
}

static void a_peer_that_falls_silent_is_a_path_failure(void **state)
{
	struct tp_params p;
	struct end server;
	struct fake f;

	(void)state;
	listen_with(NULL);
	fake_open(&f, &rig, 0);
	fake_handshake(&f, 0x1111);
	end_init(&server, &rig);
	rig_server_params(&rig, &p);
	p.rto_min_ms = p.rto_initial_ms = 20;
	p.rto_max_ms = 30;
	p.path_max_retrans = 1;
	p.assoc_max_retrans = 2;
	end_accept(&server, &p, NULL);
	RIG_WAIT(&rig, server.ups);
	end_queue(&server, 100, 1, 0);
	assert_int_equal(end_transmit(&server), 1);
	RIG_WAIT(&rig, server.downs);
	assert_non_null(strstr(server.reason, "path failure"));
	assert_true(server.paths >= 1);
	assert_false(server.reachable);
	end_fini(&server);
	fake_close(&f);
}

/* With nothing else to tell that the path is good: HEARTBEATs are off. */
static void what_waits_leaves_when_a_peer_that_was_silent_is_back(void **state)
{
	enum { MESSAGES = 100 };
	struct tp_params p;
	uint32_t first, tsn;
	struct end server;
	struct fake f;

	(void)state;
	listen_with(NULL);
	fake_open(&f, &rig, 0);
	fake_handshake(&f, 0x1111);
	end_init(&server, &rig);
	rig_server_params(&rig, &p);
	p.rto_min_ms = p.rto_initial_ms = 20;
	p.rto_max_ms = 50;
	p.path_max_retrans = 1;
	p.assoc_max_retrans = 100;
	p.heartbeat_ms = 0;
	end_accept(&server, &p, NULL);
	RIG_WAIT(&rig, server.ups);
	for (uint32_t i = 0; i < MESSAGES; i++)
		end_queue(&server, 1000, 1, i);
	assert_int_equal(end_transmit(&server), MESSAGES);
	RIG_WAIT(&rig, server.paths == 1);
	assert_false(server.reachable);
	assert_true(fake_expect(&f, CHUNK_DATA));
	for (tsn = first = fake_answer(&f); tsn - first < MESSAGES - 1 || tsn == 0;) {
		assert_true(fake_recv(&f, FAKE_DEADLINE_MS) >= 0);
		tsn = fake_answer(&f);
	}
	RIG_WAIT(&rig, server.reachable); /* for good: nothing is outstanding any more */
	assert_true(server.paths >= 2);
	end_abort(&server, "done");
	end_fini(&server);
	fake_close(&f);
}

/* Without CAP_NET_RAW for a moment, whoever runs this. */
static void raw_mode_says_why_it_cannot_be_had(void **state)
{
	struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct had[2], without[2];
	struct tp_listener *ls;
	struct tp_params p;
	char why[TP_REASON] = "";
	bool available;
	enum sb_err err;

	(void)state;
	assert_int_equal(syscall(SYS_capget, &head, had), 0);
	memcpy(without, had, sizeof(had));
	without[0].effective &= ~(1u << CAP_NET_RAW);
	assert_int_equal(syscall(SYS_capset, &head, without), 0);
	available = embedded_raw_available(why, sizeof(why));
	rig_server_params(&rig, &p);
	p.encap = TP_ENCAP_RAW;
	err = tp_embedded.listen(&rig.far, &p, &rig, &ls);
	assert_int_equal(syscall(SYS_capset, &head, had), 0);
	assert_false(available);
	assert_true(strstr(why, "CAP_NET_RAW") || strstr(why, "kernel"));
	assert_int_equal(err, SB_ENOTSUP);
}

struct watcher {
	struct tp_conn *conn;
	atomic_bool stop;
	atomic_uint good;
	unsigned torn;
};

static void *watch(void *arg)
{
	struct watcher *w = arg;

	while (!atomic_load(&w->stop)) {
		struct tp_info info;

		if (rig.ops->info(w->conn, &info) != SB_OK)
			continue;
		atomic_fetch_add(&w->good, 1);
		w->torn += info.local_port != port || info.in_streams != info.out_streams || !info.crc;
	}
	return NULL;
}

static void a_snapshot_is_whole_for_another_thread(void **state)
{
	struct end client, server;
	struct watcher w = {0};
	pthread_t t;

	(void)state;
	rig_pair(&rig, &client, &server);
	w.conn = server.conn;
	assert_int_equal(pthread_create(&t, NULL, watch, &w), 0);
	RIG_WAIT(&rig, atomic_load(&w.good)); /* it has begun */
	for (uint32_t i = 0; i < 300; i++) {
		end_queue(&client, 100, 1, i);
		assert_int_equal(end_transmit(&client), 1);
		emb_info_refresh((struct emb_peer *)server.conn);
		rig_run(&rig);
	}
	RIG_WAIT(&rig, server.received == 300);
	atomic_store(&w.stop, true);
	pthread_join(t, NULL);
	assert_int_equal(w.torn, 0);
	rig_unpair(&client, &server);
}

static void raw_mode_carries_messages_where_it_can_be_had(void **state)
{
	struct end client, server;
	struct tp_params p;
	char why[TP_REASON];

	(void)state;
	if (!embedded_raw_available(why, sizeof(why))) {
		print_message("not here: %s\n", why);
		return;
	}
	rig_server_params(&rig, &p);
	p.encap = TP_ENCAP_RAW;
	assert_int_equal(tp_embedded.listen(&rig.far, &p, &rig, &rig.listener), SB_OK);
	end_init(&client, &rig);
	end_init(&server, &rig);
	rig_client_params(&rig, &p);
	p.encap = TP_ENCAP_RAW;
	p.local_port = (uint16_t)(port + 5);
	end_connect(&client, &p);
	rig_server_params(&rig, &p);
	end_accept(&server, &p, NULL);
	RIG_WAIT(&rig, client.ups && server.ups);
	for (uint32_t i = 0; i < 100; i++)
		end_queue(&client, 200, 1, i);
	assert_int_equal(end_transmit(&client), 100);
	RIG_WAIT(&rig, server.received == 100);
	rig_unpair(&client, &server);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		T(a_restarted_peer_is_told_as_restart_and_goes_on),
		T(an_init_alone_does_not_disturb_the_association),
		T(malformed_inits_do_not_end_an_association),
		T(a_peer_that_comes_back_after_its_end_arrives_anew),
		T(an_association_follows_its_peer_to_another_udp_port),
		T(two_peers_behind_one_address_with_the_same_sctp_ports_are_two),
		T(all_streams_there_are_can_be_used),
		T(a_message_on_no_stream_is_given_up_and_told),
		T(a_burst_leaves_in_few_packets_and_nothing_stays_behind),
		T(ipv6_works),
		T(a_listener_without_address_answers_from_where_it_was_asked),
		T(a_udp_port_in_use_elsewhere_is_told),
		T(both_sides_may_share_one_udp_socket_and_start_at_once),
		T(crossing_inits_make_one_association),
		T(one_libev_loop_of_the_process_may_have_it),
		T(a_peer_that_falls_silent_is_a_path_failure),
		T(what_waits_leaves_when_a_peer_that_was_silent_is_back),
		T(a_snapshot_is_whole_for_another_thread),
		T(raw_mode_says_why_it_cannot_be_had),
		T(raw_mode_carries_messages_where_it_can_be_had),
	};

	embedded_arguments(argc, argv);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
