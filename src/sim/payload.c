/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/payload.h"

#include <isa-l/crc.h>
#include <string.h>

#include "wire/cursor.h"

enum { MAGIC = 0x5bb7, LAYOUT = 1, CHECK_AT = PAYLOAD_HEAD - 4, CRC_START = 0xffffffffu };

static uint32_t cic_len(uint8_t si)
{
	return si == PAYLOAD_SI_ISUP ? PAYLOAD_CIC : 0;
}

/* CRC32c of all but the four octets of the check itself. ISA-L reads only, though its signature does not say
 * so. */
static uint32_t check_of(const uint8_t *p, uint32_t len, uint32_t check_at)
{
	uint32_t crc = crc32_iscsi((unsigned char *)p, (int)check_at, CRC_START);

	return crc32_iscsi((unsigned char *)p + check_at + 4, (int)(len - check_at - 4), crc);
}

/* A ramp that starts elsewhere in each message, so that a displaced or exchanged tail is noticed. */
static void fill(uint8_t *p, uint32_t len, uint32_t seq)
{
	for (uint32_t i = 0; i < len; i++)
		p[i] = (uint8_t)(seq + i);
}

void payload_write(uint8_t *p, uint32_t len, uint8_t si, const struct payload *in)
{
	struct wr w = wr_over(p, len);
	uint32_t at = cic_len(si) + CHECK_AT;

	if (si == PAYLOAD_SI_ISUP) { /* least significant octet first; SLS is its low part as in Q.704 s.2.2.5
				      */
		wr_u8(&w, in->sls);
		wr_u8(&w, 0);
	}
	wr_u16(&w, MAGIC);
	wr_u16(&w, in->flow);
	wr_u16(&w, in->run);
	wr_u8(&w, in->sls);
	wr_u8(&w, LAYOUT);
	wr_u32(&w, in->seq);
	wr_u32(&w, (uint32_t)(in->due_ns >> 32));
	wr_u32(&w, (uint32_t)in->due_ns);
	wr_u32(&w, 0);
	fill(w.p, (uint32_t)(w.end - w.p), in->seq);
	put_u32(p + at, check_of(p, len, at));
}

enum payload_verdict payload_read(const uint8_t *p, uint32_t len, uint8_t si, struct payload *out)
{
	struct rd r = rd_over(p, len);
	uint32_t check, at = cic_len(si) + CHECK_AT;
	uint16_t magic;
	uint8_t version;

	rd_take(&r, cic_len(si));
	magic = rd_u16(&r);
	out->flow = rd_u16(&r);
	out->run = rd_u16(&r);
	out->sls = rd_u8(&r);
	version = rd_u8(&r);
	out->seq = rd_u32(&r);
	out->due_ns = (uint64_t)rd_u32(&r) << 32;
	out->due_ns |= rd_u32(&r);
	check = rd_u32(&r);
	if (r.fault || magic != MAGIC)
		return PAYLOAD_ALIEN;
	return version == LAYOUT && check == check_of(p, len, at) ? PAYLOAD_OK : PAYLOAD_BROKEN;
}
