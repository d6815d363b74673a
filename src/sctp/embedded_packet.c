/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sctp/embedded_packet.h"

#include <string.h>

#include "sctp/crc32c.h"

enum {
	CHUNK_HEADER = 4,
	INIT_FIXED = 20, /* RFC 4960 s.3.3.2: chunk header, tag, a_rwnd, streams, TSN */
	MIN_RWND = 1500, /* s.3.3.2 */
	T_BIT = 1,       /* s.3.3.7, s.3.3.13: the tag is the receiver's own, reflected */
	CAUSE_STALE_COOKIE = 3,
	DATA_FIXED = 16,
};

static uint16_t be16(const uint8_t *p)
{
	return (uint16_t)(p[0] << 8 | p[1]);
}

static uint32_t be32(const uint8_t *p)
{
	return (uint32_t)be16(p) << 16 | be16(p + 2);
}

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

bool sctp_peek(struct sctp_peek *out, const uint8_t *p, size_t n)
{
	if (n < SCTP_COMMON_HEADER + CHUNK_HEADER)
		return false;
	out->sport = be16(p);
	out->dport = be16(p + 2);
	out->vtag = be32(p + 4);
	out->chunk = p[SCTP_COMMON_HEADER];
	return be16(p + SCTP_COMMON_HEADER + 2) >= CHUNK_HEADER;
}

static uint32_t init_tag(const uint8_t *p, size_t n)
{
	if (n < SCTP_COMMON_HEADER + INIT_FIXED)
		return 0;
	if (p[SCTP_COMMON_HEADER] != CHUNK_INIT && p[SCTP_COMMON_HEADER] != CHUNK_INIT_ACK)
		return 0;
	return be32(p + SCTP_COMMON_HEADER + 4);
}

bool sctp_init_ok(const uint8_t *p, size_t n, uint32_t *tag)
{
	const uint8_t *c = p + SCTP_COMMON_HEADER;
	size_t len, room = n - SCTP_COMMON_HEADER;

	*tag = init_tag(p, n);
	if (!*tag || c[0] != CHUNK_INIT || be32(p + 4) != 0)
		return false;
	len = be16(c + 2);
	return len >= INIT_FIXED && len <= room && ((len + 3) & ~(size_t)3) >= room /* alone in the packet */
	       && be32(c + 8) >= MIN_RWND && be16(c + 12) > 0 && be16(c + 14) > 0;
}

/* The chunk at *OFF and the offset of the next; NULL behind the last whole one. */
static const uint8_t *next_chunk(const uint8_t *p, size_t n, size_t *off, size_t *len)
{
	const uint8_t *c = p + *off;

	if (*off + CHUNK_HEADER > n)
		return NULL;
	*len = be16(c + 2);
	if (*len < CHUNK_HEADER || *len > n - *off)
		return NULL;
	*off += (*len + 3) & ~(size_t)3;
	return c;
}

static bool has_abort(const uint8_t *p, size_t n)
{
	size_t off = SCTP_COMMON_HEADER, len;
	const uint8_t *c;

	while ((c = next_chunk(p, n, &off, &len)))
		if (c[0] == CHUNK_ABORT)
			return true;
	return false;
}

static size_t answer(const uint8_t *p, uint8_t *out, uint8_t chunk, uint8_t flags, uint32_t tag)
{
	memset(out, 0, SCTP_ANSWER_MAX);
	memcpy(out, p + 2, 2); /* ports change places */
	memcpy(out + 2, p, 2);
	put32(out + 4, tag);
	out[SCTP_COMMON_HEADER] = chunk;
	out[SCTP_COMMON_HEADER + 1] = flags;
	put16(out + SCTP_COMMON_HEADER + 2, CHUNK_HEADER);
	return SCTP_ANSWER_MAX;
}

/* RFC 4960 s.8.4, in its order. (1), unicast only, is the socket's business. */
size_t sctp_ootb_answer(const uint8_t *p, size_t n, uint8_t out[SCTP_ANSWER_MAX])
{
	struct sctp_peek k;
	uint32_t tag;

	if (!sctp_peek(&k, p, n) || has_abort(p, n)) /* (2) */
		return 0;
	switch (k.chunk) {
	case CHUNK_INIT: /* (3), s.5.1: nobody listens, so the ABORT carries the peer's tag, without T */
		tag = k.vtag == 0 ? init_tag(p, n) : 0;
		return tag ? answer(p, out, CHUNK_ABORT, 0, tag) : 0;
	case CHUNK_COOKIE_ECHO: /* (4), s.5.1.5: no cookie that still counts is ours, so it is discarded */
	case CHUNK_SHUTDOWN_COMPLETE: /* (6) */
	case CHUNK_COOKIE_ACK: /* (7) */ return 0;
	case CHUNK_SHUTDOWN_ACK: /* (5) */ return answer(p, out, CHUNK_SHUTDOWN_COMPLETE, T_BIT, k.vtag);
	case CHUNK_ERROR: /* (7): Stale Cookie */
		if (n >= SCTP_COMMON_HEADER + 8 && be16(p + SCTP_COMMON_HEADER + 4) == CAUSE_STALE_COOKIE)
			return 0;
		break;
	default: break;
	}
	return answer(p, out, CHUNK_ABORT, T_BIT, k.vtag); /* (8) */
}

void sctp_outline(struct sctp_outline *out, const uint8_t *p, size_t n)
{
	size_t off = SCTP_COMMON_HEADER, len;
	unsigned others = 0;
	const uint8_t *c;

	*out = (struct sctp_outline){.init_tag = init_tag(p, n)};
	out->open = n > SCTP_COMMON_HEADER;
	while ((c = next_chunk(p, n, &off, &len))) {
		if (c[0] != CHUNK_DATA || len < DATA_FIXED) {
			others++;
			out->open &= c[0] == CHUNK_SACK && !out->data;
			continue;
		}
		out->last_tsn = be32(c + 4);
		if (out->data++ == 0)
			out->first_tsn = out->last_tsn;
	}
	out->open &= off == n;
	out->data_only = out->open && !others;
}

size_t sctp_fitting(const uint8_t *p, size_t n, size_t room)
{
	size_t off = SCTP_COMMON_HEADER, end = off, len;

	while (next_chunk(p, n, &off, &len) && off <= n && off - SCTP_COMMON_HEADER <= room)
		end = off;
	return end;
}
