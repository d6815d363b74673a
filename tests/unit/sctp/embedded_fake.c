/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "embedded_fake.h"

#include <unistd.h>

#include "base/clock.h"
#include "sctp/crc32c.h"
#include "sctp/embedded_packet.h"

static void put16(uint8_t *p, uint16_t v)
{
	p[0] = (uint8_t)(v >> 8);
	p[1] = (uint8_t)v;
}

static void put32(uint8_t *p, uint32_t v)
{
	put16(p, (uint16_t)(v >> 16));
	put16(p + 2, (uint16_t)v);
}

static uint16_t get16(const uint8_t *p)
{
	return (uint16_t)(p[0] << 8 | p[1]);
}

static int open_port(uint16_t port)
{
	union tp_addr me;
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0);

	assert_true(fd >= 0);
	assert_int_equal(tp_addr_parse(&me, "127.0.0.1"), SB_OK);
	tp_addr_set_port(&me, port);
	assert_int_equal(bind(fd, &me.sa, tp_addr_len(&me)), 0);
	return fd;
}

void fake_open(struct fake *f, struct rig *r, uint16_t udp_port)
{
	memset(f, 0, sizeof(*f));
	f->rig = r;
	f->fd = open_port(udp_port);
	assert_int_equal(tp_addr_parse(&f->to, "127.0.0.1"), SB_OK);
	tp_addr_set_port(&f->to, (uint16_t)(r->port + 1));
	f->sport = 5001;
	f->dport = r->port;
}

void fake_move(struct fake *f)
{
	int fd = open_port(0);

	close(f->fd);
	f->fd = fd;
}

void fake_close(struct fake *f)
{
	close(f->fd);
}

void fake_raw(struct fake *f, const void *bytes, size_t n)
{
	assert_int_equal(sendto(f->fd, bytes, n, 0, &f->to.sa, tp_addr_len(&f->to)), n);
}

void fake_send(struct fake *f, uint32_t vtag, const void *chunks, size_t n)
{
	uint8_t p[FAKE_MTU];

	assert_true(SCTP_COMMON_HEADER + n <= sizeof(p));
	put16(p, f->sport);
	put16(p + 2, f->dport);
	put32(p + 4, vtag);
	memcpy(p + SCTP_COMMON_HEADER, chunks, n);
	crc32c_write(p, SCTP_COMMON_HEADER + n);
	if (f->crc == FAKE_CRC_ZERO)
		crc32c_leave_out(p);
	else if (f->crc == FAKE_CRC_BAD)
		p[9] ^= 1;
	fake_raw(f, p, SCTP_COMMON_HEADER + n);
}

int fake_recv(struct fake *f, unsigned ms)
{
	uint64_t deadline = clock_ns() + ms * 1000000ull;
	ssize_t n;

	do {
		rig_run(f->rig);
		n = recv(f->fd, f->rx, sizeof(f->rx), 0);
	} while (n < 0 && clock_ns() < deadline);
	if (n < SCTP_COMMON_HEADER + 4)
		return -1;
	f->rx_len = (size_t)n;
	assert_int_equal(crc32c_check(f->rx, f->rx_len), f->crc == FAKE_CRC_ZERO ? CRC_ABSENT : CRC_GOOD);
	return f->rx[SCTP_COMMON_HEADER];
}

void fake_drain(struct fake *f)
{
	rig_run(f->rig);
	while (recv(f->fd, f->rx, sizeof(f->rx), 0) >= 0)
		;
}

bool fake_expect(struct fake *f, int chunk)
{
	uint64_t deadline = clock_ns() + FAKE_DEADLINE_MS * 1000000ull;

	while (clock_ns() < deadline)
		if (fake_recv(f, 100) == chunk)
			return true;
	return false;
}

void fake_init(struct fake *f, uint32_t tag)
{
	uint8_t c[20] = {1, 0, 0, 20};

	f->my_tag = tag;
	f->tsn = tag;
	put32(c + 4, tag);
	put32(c + 8, 100000);
	put16(c + 12, 16);
	put16(c + 14, 16);
	put32(c + 16, tag);
	fake_send(f, 0, c, sizeof(c));
}

void fake_cookie(struct fake *f)
{
	const uint8_t *c = f->rx + SCTP_COMMON_HEADER, *param = c + 20;
	uint8_t echo[FAKE_MTU];

	memcpy(&f->peer_tag, c + 4, 4);
	f->peer_tag = ntohl(f->peer_tag);
	while (get16(param) != 7) { /* State Cookie (RFC 4960 s.3.3.3.1) */
		assert_true(get16(param + 2) >= 4);
		param += (get16(param + 2) + 3u) & ~3u;
		assert_true(param + 4 <= f->rx + f->rx_len);
	}
	memcpy(echo, param, get16(param + 2));
	put16(echo, 0x0a00); /* a COOKIE ECHO is the parameter with another head */
	fake_send(f, f->peer_tag, echo, (get16(param + 2) + 3u) & ~3u);
}

void fake_handshake(struct fake *f, uint32_t tag)
{
	fake_init(f, tag);
	assert_true(fake_expect(f, 2));
	fake_cookie(f);
	assert_true(fake_expect(f, 11));
}

void fake_data(struct fake *f, const void *data, size_t n)
{
	uint8_t c[FAKE_MTU] = {0, 7}; /* unordered, whole */

	put16(c + 2, (uint16_t)(16 + n));
	put32(c + 4, f->tsn++);
	put32(c + 12, TP_PPID_M3UA);
	memcpy(c + 16, data, n);
	fake_send(f, f->peer_tag, c, (16 + n + 3) & ~3u);
}

/* The Transmission Sequence Number of the last DATA chunk of the packet. */
static uint32_t last_tsn(const struct fake *f)
{
	const uint8_t *c = f->rx + SCTP_COMMON_HEADER, *end = f->rx + f->rx_len;
	uint32_t tsn = 0;

	for (; c + 16 <= end && c[0] == CHUNK_DATA; c += (get16(c + 2) + 3u) & ~3u)
		memcpy(&tsn, c + 4, sizeof(tsn));
	return ntohl(tsn);
}

uint32_t fake_answer(struct fake *f)
{
	uint8_t *c = f->rx + SCTP_COMMON_HEADER, sack[16] = {CHUNK_SACK, 0, 0, 16};
	uint32_t tsn = last_tsn(f);

	if (c[0] == CHUNK_HEARTBEAT) {
		c[0] = CHUNK_HEARTBEAT_ACK;
		fake_send(f, f->peer_tag, c, (get16(c + 2) + 3u) & ~3u);
	} else if (c[0] == CHUNK_DATA) {
		put32(sack + 4, tsn);
		put32(sack + 8, 100000);
		fake_send(f, f->peer_tag, sack, sizeof(sack));
	}
	return tsn;
}
