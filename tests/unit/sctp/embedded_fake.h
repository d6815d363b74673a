/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A peer made by hand: one UDP socket that says what the test wants, so that restarts, moved ports, wrong
 * checksums and half handshakes can be played to the embedded transport. Speaks just enough of RFC 4960 to
 * come up. */
#pragma once

#include "rig.h"

enum { FAKE_MTU = 2048, FAKE_DEADLINE_MS = 20000 };

enum fake_crc { FAKE_CRC_GOOD, FAKE_CRC_ZERO, FAKE_CRC_BAD };

struct fake {
	struct rig *rig;
	int fd;
	union tp_addr to; /* the transport's address and UDP port */
	uint16_t sport, dport;
	uint32_t my_tag, peer_tag, tsn;
	enum fake_crc crc;
	uint8_t rx[FAKE_MTU]; /* the last packet that came */
	size_t rx_len;
};

/* UDP_PORT 0: any. */
void fake_open(struct fake *f, struct rig *r, uint16_t udp_port);
/* Another UDP port, as a NAT would give. */
void fake_move(struct fake *f);
void fake_close(struct fake *f);

/* One packet; the checksum as f->crc says. */
void fake_send(struct fake *f, uint32_t vtag, const void *chunks, size_t n);
void fake_raw(struct fake *f, const void *bytes, size_t n);

/* Runs the loop until a packet comes; its first chunk's type, or -1 if none came within MS. */
int fake_recv(struct fake *f, unsigned ms);
/* Forgets what has come. */
void fake_drain(struct fake *f);
/* The same until one with this first chunk comes; false if none does in time. */
bool fake_expect(struct fake *f, int chunk);

void fake_init(struct fake *f, uint32_t tag);
/* INIT to COOKIE ACK. */
void fake_handshake(struct fake *f, uint32_t tag);
/* The COOKIE ECHO to the INIT ACK in f->rx. */
void fake_cookie(struct fake *f);
void fake_data(struct fake *f, const void *data, size_t n);
/* Acknowledges the DATA in f->rx, or answers the HEARTBEAT. The last TSN of the DATA, else 0. */
uint32_t fake_answer(struct fake *f);
