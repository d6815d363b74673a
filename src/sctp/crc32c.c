/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sctp/crc32c.h"

#include <isa-l/crc.h>
#include <string.h>

enum { CRC_OFFSET = 8 };

/* ISA-L's function is the bare polynomial division: it neither starts from all ones nor inverts the end. It
 * does not write to its buffer, whatever its prototype says. */
uint32_t crc32c(const void *data, size_t n)
{
	return ~crc32_iscsi((unsigned char *)(uintptr_t)data, (int)n, 0xffffffffu);
}

/* The checksum of the packet with a zero checksum field, in three pieces so that nothing is written. */
static uint32_t packet_crc(const uint8_t *packet, size_t n)
{
	static const uint8_t zero[4];
	uint32_t c = crc32_iscsi((unsigned char *)(uintptr_t)packet, CRC_OFFSET, 0xffffffffu);

	c = crc32_iscsi((unsigned char *)(uintptr_t)zero, sizeof(zero), c);
	return ~crc32_iscsi(
		(unsigned char *)(uintptr_t)packet + SCTP_COMMON_HEADER, (int)(n - SCTP_COMMON_HEADER), c);
}

/* RFC 4960 appendix B: transmitted with the least significant byte first. */
static void put(uint8_t *packet, uint32_t c)
{
	for (unsigned i = 0; i < 4; i++)
		packet[CRC_OFFSET + i] = (uint8_t)(c >> (8 * i));
}

static uint32_t get(const uint8_t *packet)
{
	uint32_t c = 0;

	for (unsigned i = 0; i < 4; i++)
		c |= (uint32_t)packet[CRC_OFFSET + i] << (8 * i);
	return c;
}

void crc32c_write(uint8_t *packet, size_t n)
{
	put(packet, 0);
	put(packet, crc32c(packet, n));
}

void crc32c_leave_out(uint8_t *packet)
{
	put(packet, 0);
}

enum crc_verdict crc32c_check(const uint8_t *packet, size_t n)
{
	uint32_t there = get(packet);

	if (there == packet_crc(packet, n))
		return CRC_GOOD;
	return there ? CRC_BAD : CRC_ABSENT;
}

bool crc32c_may_omit(enum tp_crc policy, bool loopback)
{
	return policy == TP_CRC_TRUST_LOCAL && loopback;
}

bool crc32c_accepts(enum tp_crc policy, bool loopback, enum crc_verdict v)
{
	return v == CRC_GOOD || (v == CRC_ABSENT && policy == TP_CRC_TRUST_LOCAL && loopback);
}
