/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The user parts in a capture, to be sent again: from M3UA DATA and M2PA User Data in a pcap or pcapng file
 * of Ethernet, raw IP or SCTP packets. Bounded in everything; what cannot be used is counted. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "wire/pc.h"

struct replay_msg {
	const uint8_t *p; /* in the file's image */
	uint16_t len;
	uint8_t si;
	uint32_t crc;
};

struct replay {
	uint8_t *image;
	struct replay_msg *msg;
	uint32_t n;
	uint32_t packets, chunks;
	uint32_t fragments; /* DATA chunks that are only a part of a message */
	uint32_t skipped;   /* other packets, other protocols, management, malformed */
};

enum { REPLAY_MAX_FILE = 256 << 20, REPLAY_MAX_MSGS = 1 << 20 };

/* VARIANT: of the M2PA links in it. MAX_LEN: longer user parts are skipped. NULL, or what is wrong. */
const char *replay_load(struct replay *r, const char *file, enum pc_variant variant, uint32_t max_len);
/* The same from memory: takes IMAGE (malloc'd). */
const char *replay_read(
	struct replay *r, uint8_t *take_image, uint32_t len, enum pc_variant variant, uint32_t max_len);
void replay_free(struct replay *r);

/* Is this user part message K of R? */
bool replay_is(const struct replay *r, uint64_t k, const uint8_t *p, uint32_t len, uint32_t crc, uint8_t si);
uint32_t replay_crc(const uint8_t *p, uint32_t len);
