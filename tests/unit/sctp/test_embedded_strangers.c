/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What comes from nobody the embedded transport knows, or is damaged: answered within bounds, dropped,
 * counted. */
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "embedded_rig.h"
#include "sctp/crc32c.h"

/* ---- strangers ---- */

static void strays_are_answered_within_bounds(void **state)
{
	static const uint8_t sack[16] = {3, 0, 0, 16};
	static const uint8_t shutdown_ack[4] = {8, 0, 0, 4};
	struct fake f;

	(void)state;
	listen_with(NULL);
	fake_open(&f, &rig, 0);
	fake_send(&f, 77, shutdown_ack, sizeof(shutdown_ack));
	assert_true(fake_expect(&f, CHUNK_SHUTDOWN_COMPLETE));
	for (unsigned i = 0; i < 400; i++)
		fake_send(&f, 77, sack, sizeof(sack));
	assert_true(fake_expect(&f, CHUNK_ABORT));
	RIG_WAIT(&rig, counted(EMB_RX_STRAY) == 401);
	assert_true(counted(EMB_TX_STRAY) < 100);
	fake_close(&f);
}

static void an_init_to_a_port_without_listener_is_aborted(void **state)
{
	struct fake f;

	(void)state;
	listen_with(NULL);
	fake_open(&f, &rig, 0);
	f.dport ^= 1;
	fake_init(&f, 0x1111);
	assert_true(fake_expect(&f, CHUNK_ABORT));
	fake_close(&f);
}

static void an_address_that_is_not_permitted_costs_nothing(void **state)
{
	struct fake f;

	(void)state;
	listen_with(NULL);
	rig.permit = false;
	fake_open(&f, &rig, 0);
	fake_init(&f, 0x1111);
	assert_true(fake_expect(&f, CHUNK_ABORT));
	assert_int_equal(counted(EMB_NOT_PERMITTED), 1);
	fake_close(&f);
}

static void half_open_peers_are_bounded_and_expire(void **state)
{
	enum { MANY = 1500, BOUND = 1024 };
	struct fake f;

	(void)state;
	listen_with(NULL);
	fake_open(&f, &rig, 0);
	clock_freeze_ns(clock_ns()); /* nobody expires, however long this takes */
	for (unsigned i = 0; i < MANY; i++) {
		f.sport = (uint16_t)(10000 + i);
		fake_init(&f, 0x1000 + i);
		if (i % 50 == 0)
			fake_drain(&f);
	}
	for (unsigned i = 0; i < 1000 && counted(EMB_HALF_FULL) < MANY - BOUND; i++)
		rig_run(&rig);
	assert_int_equal(counted(EMB_HALF_FULL), MANY - BOUND);
	jump(6000);
	assert_int_equal(counted(EMB_HALF_EXPIRED), BOUND);
	fake_drain(&f);
	f.sport = 5001; /* and there is room again */
	fake_init(&f, 0x9999);
	assert_true(fake_expect(&f, 2));
	fake_close(&f);
}

static void an_unclaimed_association_is_aborted_and_may_still_be_rejected(void **state)
{
	struct tp_params p;
	struct end server;
	struct fake f, g;

	(void)state;
	listen_with(NULL);
	fake_open(&f, &rig, 0);
	fake_open(&g, &rig, 0);
	g.sport++;
	fake_handshake(&f, 0x1111);
	fake_handshake(&g, 0x2222);
	RIG_WAIT(&rig, rig.n_incoming == 2);
	jump(11000);
	assert_int_equal(counted(EMB_OFFER_EXPIRED), 2);
	assert_true(fake_expect(&f, CHUNK_ABORT));
	rig.ops->reject(rig.incoming[0]);
	end_init(&server, &rig);
	rig_server_params(&rig, &p);
	assert_int_equal(rig.ops->adopt(&rig.far, rig.incoming[1], &p, &server, &server.conn), SB_ESTATE);
	fake_close(&f);
	fake_close(&g);
}

static void what_arrives_before_adoption_waits_for_the_owner(void **state)
{
	struct end server;
	struct fake f;

	(void)state;
	listen_with(NULL);
	fake_open(&f, &rig, 0);
	fake_handshake(&f, 0x1111);
	for (uint32_t i = 0; i < 10; i++)
		fake_message(&f, i);
	assert_true(fake_expect(&f, 3));
	accept_fake(&server);
	RIG_WAIT(&rig, server.received == 10);
	drop(&server);
	fake_close(&f);
}

static void garbage_neither_crashes_nor_leaks_nor_disturbs(void **state)
{
	struct end server;
	struct fake f;
	uint32_t x = 7;

	(void)state;
	listen_with(NULL);
	fake_open(&f, &rig, 0);
	fake_handshake(&f, 0x1111);
	accept_fake(&server);
	for (unsigned i = 0; i < 3000; i++) {
		uint8_t p[200];
		size_t n = i % sizeof(p);

		for (size_t k = 0; k < n; k++) {
			x = x * 1664525u + 1013904223u;
			p[k] = (uint8_t)(x >> 24);
		}
		if (i % 3 == 0)
			fake_raw(&f, p, n);
		else if (n >= 8) { /* garbage inside a good frame, half of it with the right tag */
			p[0] %= 20;
			p[2] = 0;
			if (p[0] == CHUNK_ABORT || p[0] == 7 || p[0] == CHUNK_SHUTDOWN_ACK)
				p[0] = 0xc5;
			fake_send(&f, i % 2 ? f.peer_tag ^ 0x10 : x, p, n & ~3u);
		}
		if (i % 100 == 0)
			fake_drain(&f);
	}
	fake_message(&f, 0);
	RIG_WAIT(&rig, server.received == 1);
	drop(&server);
	fake_close(&f);
}

/* Every chunk type with the right tag and random contents: usrsctp may end the association, nothing else. */
static void garbage_with_the_right_tag_ends_the_association_at_worst(void **state)
{
	uint32_t x = 99;

	(void)state;
	listen_with(NULL);
	for (unsigned round = 0; round < 40; round++) {
		struct end server;
		struct fake f;

		fake_open(&f, &rig, 0);
		f.sport = (uint16_t)(7000 + round);
		fake_handshake(&f, 0x1111 + round);
		accept_fake(&server);
		for (unsigned i = 0; i < 100 && !server.downs; i++) {
			uint8_t p[120];
			size_t n = 4 + i % 116;

			for (size_t k = 0; k < n; k++) {
				x = x * 1664525u + 1013904223u;
				p[k] = (uint8_t)(x >> 24);
			}
			p[0] = (uint8_t)(i % 20 == 19 ? 0xc0 : i % 20);
			if (p[0] == 0) /* rig.c's messages are not garbage */
				p[0] = 0x82;
			p[2] = 0;
			p[3] = (uint8_t)(i % 4 ? n : p[3] % (n + 4));
			fake_send(&f, f.peer_tag, p, n & ~3u);
			(void)fake_recv(&f, 0);
		}
		drop(&server);
		fake_close(&f);
	}
}

/* ---- checksums ---- */

static void corrupted_packets_are_dropped_and_counted(void **state)
{
	struct end server;
	struct fake f;

	(void)state;
	listen_with(NULL);
	fake_open(&f, &rig, 0);
	f.crc = FAKE_CRC_BAD;
	fake_init(&f, 1);
	RIG_WAIT(&rig, counted(EMB_RX_BAD_CRC) == 1);
	f.crc = FAKE_CRC_GOOD;
	fake_handshake(&f, 0x1111);
	accept_fake(&server);
	f.crc = FAKE_CRC_BAD;
	fake_message(&f, 9);
	f.crc = FAKE_CRC_ZERO; /* nobody configured trust */
	fake_message(&f, 9);
	RIG_WAIT(&rig, counted(EMB_RX_BAD_CRC) == 3);
	assert_int_equal(server.received, 0);
	f.crc = FAKE_CRC_GOOD;
	f.tsn -= 2;
	fake_message(&f, 0);
	RIG_WAIT(&rig, server.received == 1);
	drop(&server);
	fake_close(&f);
}

static void trust(struct tp_params *p)
{
	p->crc = TP_CRC_TRUST_LOCAL;
}

static void trust_local_leaves_checksums_out_on_loopback(void **state)
{
	struct tp_params p;
	struct tp_info info;
	struct end server;
	struct fake f;

	(void)state;
	listen_with(trust);
	fake_open(&f, &rig, 0);
	f.crc = FAKE_CRC_ZERO; /* what comes back is checked to be zero, too */
	fake_handshake(&f, 0x1111);
	end_init(&server, &rig);
	rig_server_params(&rig, &p);
	trust(&p);
	end_accept(&server, &p, NULL);
	RIG_WAIT(&rig, server.ups);
	fake_message(&f, 0);
	RIG_WAIT(&rig, server.received == 1);
	assert_true(counted(EMB_RX_NO_CRC) > 0);
	assert_true(counted(EMB_TX_NO_CRC) > 0);
	assert_int_equal(counted(EMB_RX_BAD_CRC), 0);
	RIG_WAIT(&rig, rig.ops->info(server.conn, &info) == SB_OK);
	assert_non_null(strstr(info.crc, "trust-local"));
	drop(&server);
	fake_close(&f);
}

/* One of the two trusts: checksums as ever, and no harm but a repeated INIT. */
static void one_sided_trust_works_with_checksums(void **state)
{
	struct end client, server;
	struct tp_params p;

	(void)state;
	listen_with(NULL);
	end_init(&client, &rig);
	end_init(&server, &rig);
	rig_client_params(&rig, &p);
	trust(&p);
	end_connect(&client, &p);
	rig_server_params(&rig, &p);
	end_accept(&server, &p, NULL);
	RIG_WAIT(&rig, client.ups && server.ups);
	end_queue(&client, 100, 1, 0);
	end_queue(&server, 100, 1, 0);
	assert_int_equal(end_transmit(&client), 1);
	assert_int_equal(end_transmit(&server), 1);
	RIG_WAIT(&rig, client.received == 1 && server.received == 1);
	assert_int_equal(counted(EMB_TX_NO_CRC), 1);
	assert_int_equal(counted(EMB_RX_NO_CRC), 0);
	rig_unpair(&client, &server);
}

static void mutual_trust_leaves_every_checksum_out(void **state)
{
	struct end client, server;
	struct tp_params p;

	(void)state;
	listen_with(trust);
	end_init(&client, &rig);
	end_init(&server, &rig);
	rig_client_params(&rig, &p);
	trust(&p);
	p.rto_initial_ms = p.rto_max_ms = RIG_DEADLINE_MS; /* an INIT that is repeated has a checksum */
	end_connect(&client, &p);
	rig_server_params(&rig, &p);
	trust(&p);
	end_accept(&server, &p, NULL);
	RIG_WAIT(&rig, client.ups && server.ups);
	end_queue(&client, 100, 1, 0);
	assert_int_equal(end_transmit(&client), 1);
	RIG_WAIT(&rig, server.received == 1);
	assert_int_equal(counted(EMB_TX_NO_CRC), counted(EMB_TX_PACKETS));
	rig_unpair(&client, &server);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		T(strays_are_answered_within_bounds),
		T(an_init_to_a_port_without_listener_is_aborted),
		T(an_address_that_is_not_permitted_costs_nothing),
		T(half_open_peers_are_bounded_and_expire),
		T(an_unclaimed_association_is_aborted_and_may_still_be_rejected),
		T(what_arrives_before_adoption_waits_for_the_owner),
		T(garbage_neither_crashes_nor_leaks_nor_disturbs),
		T(garbage_with_the_right_tag_ends_the_association_at_worst),
		T(corrupted_packets_are_dropped_and_counted),
		T(trust_local_leaves_checksums_out_on_loopback),
		T(one_sided_trust_works_with_checksums),
		T(mutual_trust_leaves_every_checksum_out),
	};

	embedded_arguments(argc, argv);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
