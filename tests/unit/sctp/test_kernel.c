/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What only the kernel's SCTP does: several paths, corking by MSG_MORE, restarts, many streams. Needs a
 * kernel with SCTP, root, and a network namespace `peer` joined to ours by two links (tests/integration/uml
 * sets them up):
 *
 *     va0 10.1.0.1 fd01::1  ----  vb0 10.1.0.2 fd01::2
 *     va1 10.2.0.1 192.0.2.1 --- vb1 10.2.0.2 192.0.2.2    clients are here, servers there
 *
 * The test of corking uses the loopback, whose MTU must be 1500. */
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "rig.h"

enum { PORT = 2905, CLIENT_PORT = 4001 };

static struct rig rig;

static int setup(void **state)
{
	(void)state;
	rig_init(&rig, &tp_kernel, PORT);
	return 0;
}

static void shell(const char *command)
{
	assert_int_equal(system(command), 0);
}

/* Link I (0, 1) loses everything, both ways; its devices stay up, as those of a long path do. */
static void cut(int i)
{
	char command[200];

	snprintf(command, sizeof(command),
		"tc qdisc add dev va%d root netem loss 100%% && tc -n peer qdisc add dev vb%d root netem "
		"loss 100%%",
		i, i);
	shell(command);
}

static int mend(void)
{
	return system("for i in 0 1; do tc qdisc del dev va$i root; tc -n peer qdisc del dev vb$i root; done "
		      "2>/dev/null;"
		      "true");
}

static int teardown(void **state)
{
	(void)state;
	rig_fini(&rig);
	return mend();
}

static void addresses(union tp_addr *out, uint8_t *n, const char *const *text)
{
	for (*n = 0; text[*n]; (*n)++)
		assert_int_equal(tp_addr_parse(&out[*n], text[*n]), SB_OK);
}

static const char *const client_v4[] = {"10.1.0.1", "10.2.0.1", NULL};
static const char *const server_v4[] = {"10.1.0.2", "10.2.0.2", NULL};
/* a private IPv4 address would not do: it is not told to a peer at a global one (sysctl addr_scope_policy) */
static const char *const client_mixed[] = {"fd01::1", "192.0.2.1", NULL};
static const char *const server_mixed[] = {"fd01::2", "192.0.2.2", NULL};

static void multihomed_params(
	struct tp_params *cp, struct tp_params *sp, const char *const *client, const char *const *server)
{
	rig_client_params(&rig, cp);
	rig_server_params(&rig, sp);
	addresses(cp->local, &cp->n_local, client);
	addresses(cp->remote, &cp->n_remote, server);
	addresses(sp->local, &sp->n_local, server);
	cp->local_port = CLIENT_PORT;
	cp->heartbeat_ms = sp->heartbeat_ms = 200;
}

/* A socket belongs to the namespace that its thread is in when it is made. */
static void listen_in_peer(const struct tp_params *p)
{
	int ours = open("/proc/self/ns/net", O_RDONLY), peer = open("/run/netns/peer", O_RDONLY);

	assert_true(ours >= 0);
	assert_true(peer >= 0);
	assert_int_equal(setns(peer, CLONE_NEWNET), 0);
	rig_listen_with(&rig, p);
	assert_int_equal(setns(ours, CLONE_NEWNET), 0);
	close(ours);
	close(peer);
}

static void multihomed_pair(struct end *client, struct end *server, const char *const *client_addrs,
	const char *const *server_addrs)
{
	struct tp_params cp, sp;

	multihomed_params(&cp, &sp, client_addrs, server_addrs);
	listen_in_peer(&sp);
	rig_pair_with(&rig, client, &cp, server, &sp);
}

static const struct tp_path_info *path_to(struct end *e, struct tp_info *info, const char *text)
{
	union tp_addr a;

	assert_int_equal(tp_addr_parse(&a, text), SB_OK);
	assert_int_equal(tp_kernel.info(e->conn, info), SB_OK);
	for (unsigned i = 0; i < info->n_paths; i++)
		if (tp_addr_same(&a, &info->paths[i].addr))
			return &info->paths[i];
	fail_msg("no path to %s", text);
	return NULL;
}

/* Messages go on while one path is cut: it is told, the traffic goes the other way without loss, and
 * the path's return is told as well. */
static void survive(const char *const *client_addrs, const char *const *server_addrs)
{
	struct end client, server;
	struct tp_info info;
	uint32_t seq = 0;

	multihomed_pair(&client, &server, client_addrs, server_addrs);
	assert_int_equal(rig.n_incoming, 0);
	RIG_WAIT(&rig, path_to(&client, &info, server_addrs[0])->active &&
			       path_to(&client, &info, server_addrs[1])->active);
	assert_int_equal(info.n_paths, 2);
	assert_int_equal(info.n_local, 2);
	assert_int_equal(info.local_port, CLIENT_PORT);
	assert_int_equal(path_to(&server, &info, client_addrs[1])->primary, false);
	cut(0);
	RIG_WAIT(&rig, (end_queue(&client, 100, 1, seq++), end_transmit(&client), client.paths > 0));
	assert_false(client.reachable);
	assert_false(path_to(&client, &info, server_addrs[0])->active);
	assert_true(path_to(&client, &info, server_addrs[1])->active);
	RIG_WAIT(&rig, server.received == seq);
	assert_int_equal(mend(), 0);
	RIG_WAIT(&rig, (end_queue(&client, 100, 1, seq++), end_transmit(&client), client.reachable));
	RIG_WAIT(&rig, server.received == seq);
	assert_int_equal(client.failures, 0);
	assert_int_equal(client.downs, 0);
	rig_unpair(&client, &server);
}

static void a_cut_path_is_told_and_costs_no_message(void **state)
{
	(void)state;
	survive(client_v4, server_v4);
}

static void paths_of_both_families_serve_one_association(void **state)
{
	(void)state;
	survive(client_mixed, server_mixed);
}

static void a_listener_learns_all_addresses_of_a_peer(void **state)
{
	struct tp_params cp, sp;
	struct end client, server;
	union tp_addr second;

	(void)state;
	multihomed_params(&cp, &sp, client_v4, server_v4);
	listen_in_peer(&sp);
	end_init(&client, &rig);
	end_init(&server, &rig);
	end_connect(&client, &cp);
	RIG_WAIT(&rig, rig.n_incoming);
	assert_int_equal(rig.incoming[0]->n_addrs, 2);
	assert_int_equal(rig.incoming[0]->remote_port, CLIENT_PORT);
	assert_int_equal(tp_addr_parse(&second, "10.2.0.1"), SB_OK);
	assert_true(tp_addr_same(&rig.incoming[0]->addrs[0], &second) ||
		    tp_addr_same(&rig.incoming[0]->addrs[1], &second));
	end_accept(&server, &sp, NULL);
	rig_unpair(&client, &server);
}

static void a_peer_that_comes_back_restarts_the_association(void **state)
{
	struct tp_params cp, sp;
	struct end client, server, reborn;

	(void)state;
	multihomed_pair(&client, &server, client_v4, server_v4);
	end_queue(&client, 100, 1, 0);
	end_transmit(&client);
	RIG_WAIT(&rig, server.received == 1);
	/* it dies, and its ABORT is lost */
	cut(0);
	cut(1);
	end_abort(&client, "crash");
	RIG_WAIT(&rig, client.downs);
	end_fini(&client);
	multihomed_params(&cp, &sp, client_v4, server_v4);
	cp.out_streams = 5;
	cp.init_max_attempts = 20;
	end_init(&reborn, &rig);
	/* before the links are back: a heartbeat of the server would be answered with ABORT by a port without
	 * association */
	end_connect(&reborn, &cp);
	assert_int_equal(mend(), 0);
	RIG_WAIT(&rig, reborn.ups && server.restarts);
	assert_int_equal(server.restarts, 1);
	assert_int_equal(server.restart_in_streams, 5);
	assert_int_equal(server.downs, 0);
	assert_int_equal(rig.n_incoming, 0);
	memset(server.next, 0, sizeof(server.next));
	end_queue(&reborn, 100, 1, 0);
	end_transmit(&reborn);
	RIG_WAIT(&rig, server.received == 2);
	rig_unpair(&reborn, &server);
}

/* However many notifications come before the last one: that one ends it. */
static void a_peer_that_is_silent_is_down_and_its_messages_are_told(void **state)
{
	static const unsigned counts[] = {1, 10, 20, 40, 300};
	struct end client, server;

	(void)state;
	for (size_t t = 0; t < sizeof(counts) / sizeof(counts[0]); t++) {
		multihomed_pair(&client, &server, client_v4, server_v4);
		cut(0);
		cut(1);
		for (unsigned i = 0; i < counts[t]; i++)
			end_queue(&client, 100, 1, i);
		assert_int_equal(end_transmit(&client), counts[t]);
		RIG_WAIT(&rig, client.downs);
		assert_string_equal(client.reason, "path failure");
		assert_int_equal(client.failures, counts[t]);
		end_abort(&server, "end of test");
		end_fini(&client);
		end_fini(&server);
		rig_unlisten(&rig);
		assert_int_equal(mend(), 0);
	}
}

static long snmp(const char *key)
{
	FILE *f = fopen("/proc/net/sctp/snmp", "r");
	char name[64];
	long value, found = -1;

	assert_non_null(f);
	while (fscanf(f, "%63s %ld", name, &value) == 2)
		if (strcmp(name, key) == 0)
			found = value;
	fclose(f);
	return found;
}

/* 12 chunks of 116 bytes fit into a packet of 1500: 6 packets, and the acknowledgements on top. */
static void a_burst_of_64_goes_in_few_packets(void **state)
{
	struct end client, server;
	long before;

	(void)state;
	rig_pair(&rig, &client, &server);
	end_queue(&client, 100, 1, 0);
	end_transmit(&client);
	RIG_WAIT(&rig, server.received == 1);
	before = snmp("SctpOutSCTPPacks");
	for (unsigned i = 1; i <= 64; i++)
		end_queue(&client, 100, 1, i);
	assert_int_equal(end_transmit(&client), 64);
	RIG_WAIT(&rig, server.received == 65);
	assert_in_range(snmp("SctpOutSCTPPacks") - before, 6, 12);
	rig_unpair(&client, &server);
}

/* Without heartbeats: one of them would set free what is held, and hide the mistake. */
static void pair_without_heartbeats(struct end *client, struct end *server, uint32_t sndbuf)
{
	struct tp_params cp, sp;

	rig_client_params(&rig, &cp);
	rig_server_params(&rig, &sp);
	cp.heartbeat_ms = sp.heartbeat_ms = 0;
	cp.sndbuf = sndbuf;
	rig_pair_with(&rig, client, &cp, server, &sp);
}

/* Nothing may be held when transmit() has emptied the queue: whatever the burst, all of it arrives though
 * nothing more is sent. A message that is held would come with the next, or with the SACK delay. */
static void an_empty_queue_means_that_nothing_is_held(void **state)
{
	struct end client, server;
	uint32_t seq = 0;

	(void)state;
	pair_without_heartbeats(&client, &server, 1 << 20);
	for (unsigned n = 1; n < 200; n += 7) {
		for (unsigned i = 0; i < n; i++)
			end_queue(&client, 20 + n % 300, 1, seq++);
		end_transmit(&client);
		assert_int_equal(client.tx.n, 0);
		RIG_WAIT(&rig, server.received == seq);
	}
	rig_unpair(&client, &server);
}

static void a_bad_last_message_does_not_hold_the_others(void **state)
{
	struct end client, server;

	(void)state;
	pair_without_heartbeats(&client, &server, 1 << 20);
	for (unsigned i = 0; i < 5; i++)
		end_queue(&client, 100, 1, i);
	end_queue(&client, 100, 60000, 0); /* no such stream */
	assert_int_equal(end_transmit(&client), 5);
	assert_int_equal(client.tx.n, 0);
	RIG_WAIT(&rig, server.received == 5 && client.failures == 1);
	assert_int_equal(client.downs, 0);
	rig_unpair(&client, &server);
}

static void the_smallest_send_buffer_does_not_get_stuck(void **state)
{
	struct end client, server;

	(void)state;
	pair_without_heartbeats(&client, &server, 1);
	for (unsigned i = 0; i < 200; i++)
		end_queue(&client, 100, 1, i);
	end_transmit(&client);
	assert_true(client.tx.n > 0);
	while (server.received < 200) {
		unsigned before = client.writables;

		RIG_WAIT(&rig, client.writables > before || server.received == 200);
		end_transmit(&client);
	}
	rig_unpair(&client, &server);
}

static void a_stalled_peer_does_not_make_the_loop_spin(void **state)
{
	struct ev_loop *other = ev_loop_new(EVFLAG_AUTO);
	struct tp_params cp, sp;
	struct end client, server;
	unsigned seq = 0, turns = 0;
	uint64_t until;

	(void)state;
	rig_client_params(&rig, &cp);
	rig_server_params(&rig, &sp);
	cp.sndbuf = 256 << 10;
	sp.rcvbuf = 128 << 10;
	rig_listen_with(&rig, &sp);
	end_init(&client, &rig);
	end_connect(&client, &cp);
	RIG_WAIT(&rig, client.ups && rig.n_incoming); /* nobody adopts, so nobody reads */
	until = clock_ms() + 1000;
	while (clock_ms() < until) {
		while (client.tx.n < 100 && seq < RIG_BUFFERS - 1000)
			end_queue(&client, 1000, 1, seq++);
		end_transmit(&client);
		rig_run(&rig);
		turns++;
	}
	/* the tick alone makes 100 turns a second */
	assert_in_range(turns, 1, 600);
	end_init(&server, &rig);
	end_accept(&server, &sp, NULL);
	RIG_WAIT(&rig, (end_transmit(&client), server.received == seq));
	rig_unpair(&client, &server);
	ev_loop_destroy(other);
}

static void check_streams(uint16_t n)
{
	struct tp_params cp, sp;
	struct end client, server;
	uint16_t last = n - 1;

	rig_client_params(&rig, &cp);
	rig_server_params(&rig, &sp);
	cp.out_streams = sp.out_streams = n;
	cp.max_in_streams = sp.max_in_streams = n;
	rig_pair_with(&rig, &client, &cp, &server, &sp);
	assert_int_equal(client.out_streams, n);
	assert_int_equal(client.in_streams, n);
	assert_int_equal(server.out_streams, n);
	server.keep = true;
	end_queue(&client, 100, last, 0);
	assert_int_equal(end_transmit(&client), 1);
	RIG_WAIT(&rig, server.received == 1);
	assert_int_equal(server.rx.first->stream, last);
	rig_unpair(&client, &server);
}

static void one_stream(void **state)
{
	(void)state;
	check_streams(1);
}

static void all_streams(void **state)
{
	(void)state;
	check_streams(65535);
}

#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(a_burst_of_64_goes_in_few_packets),
		T(an_empty_queue_means_that_nothing_is_held),
		T(a_bad_last_message_does_not_hold_the_others),
		T(the_smallest_send_buffer_does_not_get_stuck),
		T(a_stalled_peer_does_not_make_the_loop_spin),
		T(one_stream),
		T(all_streams),
		T(a_listener_learns_all_addresses_of_a_peer),
		T(a_cut_path_is_told_and_costs_no_message),
		T(paths_of_both_families_serve_one_association),
		T(a_peer_that_comes_back_restarts_the_association),
		T(a_peer_that_is_silent_is_down_and_its_messages_are_told),
	};

	return cmocka_run_group_tests_name("kernel SCTP", tests, NULL, NULL);
}
