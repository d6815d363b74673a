/* SPDX-License-Identifier: GPL-2.0-or-later */
/* M3UA over TCP against a peer that is a bare socket: what a byte stream can do to framing. */
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <unistd.h>

#include "base/clock.h"
#include "rig.h"
#include "tests/unit/free_ports.h"

static uint16_t port;
static struct rig rig;
static struct end server;
static int peer;

static int setup(void **state)
{
	struct sockaddr_in to = {
		.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	struct tp_params p;
	int one = 1;

	(void)state;
	rig_init(&rig, &tp_tcp, port);
	rig_listen(&rig);
	end_init(&server, &rig);
	peer = socket(AF_INET, SOCK_STREAM, 0);
	assert_int_equal(connect(peer, (struct sockaddr *)&to, sizeof(to)), 0);
	assert_int_equal(setsockopt(peer, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one)), 0);
	rig_server_params(&rig, &p);
	end_accept(&server, &p, NULL);
	RIG_WAIT(&rig, server.ups);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	if (!server.downs)
		end_abort(&server, "end of test");
	end_fini(&server);
	close(peer);
	rig_fini(&rig);
	return 0;
}

static void put(const void *bytes, size_t n)
{
	assert_int_equal(write(peer, bytes, n), (ssize_t)n);
}

/* A message of LEN bytes as the rig checks it. */
static void build(uint8_t *p, uint32_t len, uint32_t seq)
{
	uint32_t be = htonl(len);

	memcpy(p, "\1\0\1\1", 4);
	memcpy(p + 4, &be, 4);
	memcpy(p + 8, &seq, 4);
	for (uint32_t i = 12; i < len; i++)
		p[i] = (uint8_t)(seq + i);
}

static void a_message_may_come_byte_by_byte(void **state)
{
	uint8_t m[40];

	(void)state;
	for (uint32_t seq = 0; seq < 3; seq++) {
		build(m, sizeof(m), seq);
		for (size_t i = 0; i < sizeof(m); i++) {
			assert_int_equal(server.received, seq);
			put(m + i, 1);
			rig_run(&rig);
		}
		RIG_WAIT(&rig, server.received == seq + 1);
	}
}

static void cuts_anywhere_do_not_matter(void **state)
{
	uint8_t stream[3 * 100];

	(void)state;
	for (size_t cut = 1; cut < sizeof(stream); cut++) {
		unsigned before = server.received;

		for (uint32_t i = 0; i < 3; i++)
			build(stream + i * 100, 100, before + i);
		put(stream, cut);
		/* until the first part has been read */
		RIG_WAIT(&rig, server.received >= before + cut / 100);
		put(stream + cut, sizeof(stream) - cut);
		RIG_WAIT(&rig, server.received == before + 3);
	}
}

static void many_messages_in_one_segment_are_told_apart(void **state)
{
	uint8_t stream[50 * 20];

	(void)state;
	for (uint32_t i = 0; i < 50; i++)
		build(stream + i * 20, 20, i);
	put(stream, sizeof(stream));
	RIG_WAIT(&rig, server.received == 50);
}

static void a_length_below_the_header_ends_the_connection(void **state)
{
	static const uint8_t bad[] = {1, 0, 1, 1, 0, 0, 0, 7};
	uint8_t m[20], c;

	(void)state;
	build(m, sizeof(m), 0);
	put(m, sizeof(m));
	put(bad, sizeof(bad));
	put(m, sizeof(m));
	RIG_WAIT(&rig, server.downs);
	assert_int_equal(server.received, 1);
	assert_string_equal(server.reason, "message length below 8: framing lost");
	assert_true(read(peer, &c, 1) <= 0);
}

static void a_length_that_no_message_has_ends_the_connection(void **state)
{
	static const uint8_t huge[] = {1, 0, 1, 1, 0, 0x10, 0, 1};
	uint8_t c;

	(void)state;
	put(huge, sizeof(huge));
	RIG_WAIT(&rig, server.downs);
	assert_int_equal(server.received, 0);
	assert_string_equal(server.reason, "message length beyond 1 MiB: framing lost");
	assert_true(read(peer, &c, 1) <= 0);
}

static void the_longest_length_is_skipped_not_allocated(void **state)
{
	static const uint8_t longest[] = {1, 0, 1, 1, 0, 0x10, 0, 0};
	uint8_t junk[1024], m[20];

	(void)state;
	memset(junk, 0x5a, sizeof(junk));
	put(longest, sizeof(longest));
	put(junk, sizeof(junk) - sizeof(longest));
	for (unsigned i = 1; i < 1024; i++) {
		put(junk, sizeof(junk));
		rig_run(&rig);
	}
	build(m, sizeof(m), 0);
	put(m, sizeof(m));
	RIG_WAIT(&rig, server.received == 1);
	assert_int_equal(server.refused, 1);
	assert_int_equal(server.refused_len, 1 << 20);
	assert_int_equal(server.downs, 0);
}

static void a_peer_that_leaves_inside_a_message_takes_no_buffer_along(void **state)
{
	uint8_t m[100];

	(void)state;
	build(m, sizeof(m), 0);
	put(m, 60);
	rig_run(&rig);
	shutdown(peer, SHUT_WR);
	RIG_WAIT(&rig, server.downs);
	assert_int_equal(server.received, 0);
	assert_int_equal(server.leaves, 1);
	assert_string_equal(server.reason, "closed by peer");
}

static void without_buffers_a_message_is_refused_and_the_next_comes(void **state)
{
	static struct mbuf *all[RIG_BUFFERS + 1];
	unsigned n = 0;
	uint8_t m[100];

	(void)state;
	while ((all[n] = mbuf_alloc(rig.far.pool)))
		n++;
	server.no_buffers = true;
	build(m, sizeof(m), 99);
	put(m, sizeof(m));
	RIG_WAIT(&rig, server.refused == 1);
	while (n)
		mbuf_free(rig.far.pool, all[--n]);
	build(m, sizeof(m), 0);
	put(m, sizeof(m));
	RIG_WAIT(&rig, server.received == 1);
}

/* Half a message is on the wire when the queue is thrown away: what comes next must still be in frame. */
static void a_purged_queue_does_not_break_framing(void **state)
{
	static uint8_t buf[1 << 20];
	unsigned queued = 0, whole = 0;
	size_t have = 0;

	(void)state;
	server.keep = true;
	do
		end_queue(&server, RIG_MAX_MESSAGE, 0, queued++);
	while (end_transmit(&server) && queued < RIG_BUFFERS - 10 && !server.tx.n);
	assert_true(server.tx.n > 0);
	mbufq_purge(&server.tx, rig.far.pool);
	end_shutdown(&server);
	assert_int_equal(fcntl(peer, F_SETFL, O_NONBLOCK), 0);
	for (;;) {
		ssize_t n = read(peer, buf + have, sizeof(buf) - have);
		uint32_t len;

		if (n == 0)
			break;
		if (n > 0)
			have += (size_t)n;
		while (have >= RIG_MAX_MESSAGE) {
			memcpy(&len, buf + 4, 4);
			assert_int_equal(ntohl(len), RIG_MAX_MESSAGE);
			memmove(buf, buf + RIG_MAX_MESSAGE, have -= RIG_MAX_MESSAGE);
			whole++;
		}
		rig_run(&rig);
	}
	assert_int_equal(have, 0);
	assert_in_range(whole, 1, queued);
	close(peer);
	peer = -1;
	RIG_WAIT(&rig, server.downs);
}

#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(a_message_may_come_byte_by_byte),
		T(cuts_anywhere_do_not_matter),
		T(many_messages_in_one_segment_are_told_apart),
		T(a_length_below_the_header_ends_the_connection),
		T(a_length_that_no_message_has_ends_the_connection),
		T(the_longest_length_is_skipped_not_allocated),
		T(a_peer_that_leaves_inside_a_message_takes_no_buffer_along),
		T(without_buffers_a_message_is_refused_and_the_next_comes),
		T(a_purged_queue_does_not_break_framing),
	};

	port = free_ports(1);
	return cmocka_run_group_tests_name("M3UA over TCP", tests, NULL, NULL);
}
