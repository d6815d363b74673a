/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The checksum of an SCTP packet (RFC 4960 s.6.8, appendix B), by CPU instructions (ISA-L) over one linear
 * buffer, and the policy that says when it may be left out (doc/transports.md, "CRC"). Pure. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sctp/params.h"

enum { SCTP_COMMON_HEADER = 12 }; /* bytes: ports, verification tag, checksum */

/* CRC32c of N bytes, reflected, initial and final value all ones. */
uint32_t crc32c(const void *data, size_t n);

/* Writes the checksum into the packet's common header. N >= SCTP_COMMON_HEADER. */
void crc32c_write(uint8_t *packet, size_t n);

/* Sets the checksum field to zero: the packet says nothing about itself. */
void crc32c_leave_out(uint8_t *packet);

enum crc_verdict { CRC_GOOD, CRC_ABSENT, CRC_BAD };

/* Compares, writing nothing. CRC_ABSENT: the field is zero and zero is not its checksum. */
enum crc_verdict crc32c_check(const uint8_t *packet, size_t n);

/* May the checksum be left out towards this peer? Only with trust-local, and only on loopback. */
bool crc32c_may_omit(enum tp_crc policy, bool loopback);

/* Is a packet with this verdict from such a peer taken? */
bool crc32c_accepts(enum tp_crc policy, bool loopback, enum crc_verdict v);
