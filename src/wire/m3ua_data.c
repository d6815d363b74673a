/* SPDX-License-Identifier: GPL-2.0-or-later */
/* DATA on the fast path. The reader takes 32 bits at a time: a parameter's tag and length are one word, so
 * that the three parameters of fixed length are recognized, length included, by one comparison. */
#include "wire/m3ua_data.h"

#include <endian.h>
#include <stddef.h>
#include <string.h>

#include "wire/m3ua.h"

enum {
	DATA_WORD = M3UA_RELEASE << 24 | M3UA_DATA, /* version, reserved, class, type */
	NA_WORD = M3UA_P_NETWORK_APPEARANCE << 16 | 8,
	RC_WORD = M3UA_P_ROUTING_CONTEXT << 16 | 8,
	CORR_WORD = M3UA_P_CORRELATION_ID << 16 | 8,
	LABELLED = M3UA_PARAM_HEADER + M3UA_LABEL, /* the shortest Protocol Data */
};

static inline uint32_t load32(const uint8_t *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return be32toh(v);
}

static inline void store32(uint8_t *p, uint32_t v)
{
	v = htobe32(v);
	memcpy(p, &v, sizeof(v));
}

/* Does the standard define TAG? Then it has no place in DATA or the wrong length; else it is skipped (s.3.2).
 */
static __attribute__((noinline, cold)) bool defined(uint16_t tag)
{
	return m3ua_tag_rule(tag) != NULL;
}

_Static_assert(offsetof(struct mtp3_label, sls) == offsetof(struct mtp3_label, si) + 3,
	"SI, NI, MP and SLS lie as on the wire");

/* Protocol Data of LEN bytes (header included) at P, which is OFF bytes into the message. */
static inline bool take_protocol_data(const uint8_t *p, uint32_t len, uint32_t off, struct m3ua_data *out)
{
	uint32_t codes;

	if (len < LABELLED || out->payload_off)
		return false;
	out->label.opc = load32(p + 4);
	out->label.dpc = load32(p + 8);
	memcpy(&out->label.si, p + 12, 4);
	out->payload_off = off + LABELLED;
	out->payload_len = len - LABELLED;
	/* unused bits are 0 (s.3.3.1): point codes have 24 bits at most, SI 4, NI 2 */
	codes = out->label.opc | out->label.dpc;
	return !(codes >> 24 | (out->label.si & 0xf0) | (out->label.ni & 0xfc));
}

/* One of the parameters that are a single word. */
static bool take_word(const uint8_t *p, bool *has, uint32_t *v)
{
	if (*has)
		return false;
	*has = true;
	*v = load32(p + 4);
	return true;
}

/* The parameters from OFF to END in any order; what was met before is in OUT. */
static __attribute__((noinline)) bool any_order(
	const uint8_t *msg, uint32_t off, uint32_t end, struct m3ua_data *out)
{
	while (off < end) {
		const uint8_t *p = msg + off;
		uint32_t word, len;
		bool ok;

		if (end - off < M3UA_PARAM_HEADER)
			return false;
		word = load32(p);
		len = word & 0xffff;
		if (len < M3UA_PARAM_HEADER || len > end - off)
			return false;
		if (word >> 16 == M3UA_P_PROTOCOL_DATA)
			ok = take_protocol_data(p, len, off, out);
		else if (word == RC_WORD)
			ok = take_word(p, &out->has_rc, &out->rc);
		else if (word == NA_WORD)
			ok = take_word(p, &out->has_na, &out->na);
		else if (word == CORR_WORD)
			ok = take_word(p, &out->has_corr, &out->corr);
		else
			ok = !defined((uint16_t)(word >> 16));
		if (!ok)
			return false;
		off += (len + 3) & ~3u;
	}
	return out->payload_off != 0;
}

/* The order of s.3.3.1, which everybody sends, is read straight through; any_order() takes over where a
 * message differs. */
bool m3ua_data_parse(const uint8_t *msg, uint32_t len, struct m3ua_data *out)
{
	uint32_t off = M3UA_HEADER, end, word;

	memset(out, 0, sizeof(*out));
	if (len < M3UA_HEADER + LABELLED || (load32(msg) & 0xff00ffff) != DATA_WORD)
		return false;
	end = load32(msg + 4);
	/* END may leave out the last padding: s.3.1.4 */
	if (end != len && (end > len || len - end > (-end & 3) || end < M3UA_HEADER + LABELLED))
		return false;
	word = load32(msg + off);
	if (word == NA_WORD) {
		out->has_na = true;
		out->na = load32(msg + off + 4);
		off += 8;
		word = load32(msg + off);
	}
	if (word == RC_WORD) { /* END leaves room for it: at least 8 bytes are behind a Network Appearance */
		out->has_rc = true;
		out->rc = load32(msg + off + 4);
		off += 8;
	}
	if (end - off >= LABELLED) {
		word = load32(msg + off);
		if (word >> 16 == M3UA_P_PROTOCOL_DATA && (word & 0xffff) <= end - off) {
			if (!take_protocol_data(msg + off, word & 0xffff, off, out))
				return false;
			off += ((word & 0xffff) + 3) & ~3u;
		}
	}
	return off < end ? any_order(msg, off, end, out) : out->payload_off != 0;
}

static inline uint8_t *prepend(uint8_t *p, uint32_t word, uint32_t v)
{
	store32(p - 8, word);
	store32(p - 4, v);
	return p - 8;
}

uint8_t *m3ua_data_write(uint8_t *payload, uint32_t len, const struct m3ua_data *d, uint32_t *total)
{
	uint8_t *p = payload - LABELLED, *end = payload + len;
	uint32_t plen = LABELLED + len;

	if (len > M3UA_DATA_PAYLOAD_MAX)
		return NULL;
	store32(p, (uint32_t)M3UA_P_PROTOCOL_DATA << 16 | plen);
	store32(p + 4, d->label.opc);
	store32(p + 8, d->label.dpc);
	p[12] = d->label.si;
	p[13] = d->label.ni;
	p[14] = d->label.mp;
	p[15] = d->label.sls;
	while (plen & 3) {
		*end++ = 0;
		plen++;
	}
	if (d->has_corr) {
		store32(end, CORR_WORD);
		store32(end + 4, d->corr);
		end += 8;
	}
	if (d->has_rc)
		p = prepend(p, RC_WORD, d->rc);
	if (d->has_na) /* first of all where present: s.3.3.1 */
		p = prepend(p, NA_WORD, d->na);
	p = prepend(p, DATA_WORD, 0);
	*total = (uint32_t)(end - p);
	store32(p + 4, *total);
	return p;
}
