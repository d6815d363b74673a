/* SPDX-License-Identifier: GPL-2.0-or-later */
/* m3ua_data_parse() and m3ua_data_write() as inline functions, for data/forward.c, where they are done for
 * every message and their results are used at once. Everybody else calls the functions of m3ua_data.h, which
 * are these.
 *
 * The reader takes 32 bits at a time: a parameter's tag and length are one word, so that the three parameters
 * of fixed length are recognized, length included, by one comparison. */
#pragma once

#include <endian.h>
#include <stddef.h>
#include <string.h>

#include "wire/m3ua.h"
#include "wire/m3ua_data.h"

enum {
	M3UA_DATA_WORD = M3UA_RELEASE << 24 | M3UA_DATA, /* version, reserved, class, type */
	M3UA_NA_WORD = M3UA_P_NETWORK_APPEARANCE << 16 | 8,
	M3UA_RC_WORD = M3UA_P_ROUTING_CONTEXT << 16 | 8,
	M3UA_CORR_WORD = M3UA_P_CORRELATION_ID << 16 | 8,
	M3UA_LABELLED = M3UA_PARAM_HEADER + M3UA_LABEL, /* the shortest Protocol Data */
};

static inline uint32_t m3ua_load32(const uint8_t *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return be32toh(v);
}

static inline void m3ua_store32(uint8_t *p, uint32_t v)
{
	v = htobe32(v);
	memcpy(p, &v, sizeof(v));
}

_Static_assert(offsetof(struct mtp3_label, sls) == offsetof(struct mtp3_label, si) + 3,
	"SI, NI, MP and SLS lie as on the wire");

/* Protocol Data of LEN bytes (header included) at P, which is OFF bytes into the message. */
static inline bool m3ua_take_protocol_data(
	const uint8_t *p, uint32_t len, uint32_t off, struct m3ua_data *out)
{
	uint32_t codes;

	if (len < M3UA_LABELLED || out->payload_off)
		return false;
	out->label.opc = m3ua_load32(p + 4);
	out->label.dpc = m3ua_load32(p + 8);
	memcpy(&out->label.si, p + 12, 4);
	out->payload_off = off + M3UA_LABELLED;
	out->payload_len = len - M3UA_LABELLED;
	/* unused bits are 0 (s.3.3.1): point codes have 24 bits at most, SI 4, NI 2 */
	codes = out->label.opc | out->label.dpc;
	return !(codes >> 24 | (out->label.si & 0xf0) | (out->label.ni & 0xfc));
}

/* The parameters from OFF to END in any order; what was met before is in OUT. */
bool m3ua_data_any_order(const uint8_t *msg, uint32_t off, uint32_t end, struct m3ua_data *out);

/* The order of s.3.3.1, which everybody sends, is read straight through; m3ua_data_any_order() takes over
 * where a message differs. */
static inline bool m3ua_data_read(const uint8_t *msg, uint32_t len, struct m3ua_data *out)
{
	uint32_t off = M3UA_HEADER, end, word;

	memset(out, 0, sizeof(*out));
	if (len < M3UA_HEADER + M3UA_LABELLED || (m3ua_load32(msg) & 0xff00ffff) != M3UA_DATA_WORD)
		return false;
	end = m3ua_load32(msg + 4);
	/* END may leave out the last padding: s.3.1.4 */
	if (end != len && (end > len || len - end > (-end & 3) || end < M3UA_HEADER + M3UA_LABELLED))
		return false;
	word = m3ua_load32(msg + off);
	if (word == M3UA_NA_WORD) {
		out->has_na = true;
		out->na = m3ua_load32(msg + off + 4);
		off += 8;
		word = m3ua_load32(msg + off);
	}
	if (word ==
		M3UA_RC_WORD) { /* END leaves room for it: at least 8 bytes are behind a Network Appearance */
		out->has_rc = true;
		out->rc = m3ua_load32(msg + off + 4);
		off += 8;
	}
	if (end - off >= M3UA_LABELLED) {
		word = m3ua_load32(msg + off);
		if (word >> 16 == M3UA_P_PROTOCOL_DATA && (word & 0xffff) <= end - off) {
			if (!m3ua_take_protocol_data(msg + off, word & 0xffff, off, out))
				return false;
			off += ((word & 0xffff) + 3) & ~3u;
		}
	}
	return off < end ? m3ua_data_any_order(msg, off, end, out) : out->payload_off != 0;
}

static inline uint8_t *m3ua_prepend(uint8_t *p, uint32_t word, uint32_t v)
{
	m3ua_store32(p - 8, word);
	m3ua_store32(p - 4, v);
	return p - 8;
}

static inline uint8_t *m3ua_data_put(
	uint8_t *payload, uint32_t len, const struct m3ua_data *d, uint32_t *total)
{
	uint8_t *p = payload - M3UA_LABELLED, *end = payload + len;
	uint32_t plen = M3UA_LABELLED + len;

	if (len > M3UA_DATA_PAYLOAD_MAX)
		return NULL;
	m3ua_store32(p, (uint32_t)M3UA_P_PROTOCOL_DATA << 16 | plen);
	m3ua_store32(p + 4, d->label.opc);
	m3ua_store32(p + 8, d->label.dpc);
	memcpy(p + 12, &d->label.si, 4);
	while (plen & 3) {
		*end++ = 0;
		plen++;
	}
	if (d->has_corr) {
		m3ua_store32(end, M3UA_CORR_WORD);
		m3ua_store32(end + 4, d->corr);
		end += 8;
	}
	if (d->has_rc)
		p = m3ua_prepend(p, M3UA_RC_WORD, d->rc);
	if (d->has_na) /* first of all where present: s.3.3.1 */
		p = m3ua_prepend(p, M3UA_NA_WORD, d->na);
	p = m3ua_prepend(p, M3UA_DATA_WORD, 0);
	*total = (uint32_t)(end - p);
	m3ua_store32(p + 4, *total);
	return p;
}
