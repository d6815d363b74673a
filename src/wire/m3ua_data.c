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

/* Protocol Data of LEN bytes (header included) at P, which is OFF bytes into the message. */
static inline bool take_protocol_data(const uint8_t *p, uint32_t len, uint32_t off, struct m3ua_data *out)
{
	uint32_t rest;

	if (len < LABELLED || out->payload_off)
		return false;
	out->label.opc = load32(p + 4);
	out->label.dpc = load32(p + 8);
	rest = load32(p + 12);
	out->label.si = (uint8_t)(rest >> 24);
	out->label.ni = (uint8_t)(rest >> 16);
	out->label.mp = (uint8_t)(rest >> 8);
	out->label.sls = (uint8_t)rest;
	out->payload_off = off + LABELLED;
	out->payload_len = len - LABELLED;
	/* unused bits are 0 (s.3.3.1): point codes have 24 bits at most, SI 4, NI 2 */
	return !((out->label.opc | out->label.dpc) & 0xff000000) && !(rest & 0xf0fc0000);
}

/* One of the parameters that are a single word. */
static inline bool take_word(const uint8_t *p, bool *has, uint32_t *v)
{
	if (*has)
		return false;
	*has = true;
	*v = load32(p + 4);
	return true;
}

bool m3ua_data_parse(const uint8_t *msg, uint32_t len, struct m3ua_data *out)
{
	uint32_t off = M3UA_HEADER, end;

	memset(out, 0, sizeof(*out));
	if (len < M3UA_HEADER || (load32(msg) & 0xff00ffff) != DATA_WORD)
		return false;
	end = load32(msg + 4);
	if (end > len || len - end > (-end & 3)) /* may leave out the last padding (s.3.1.4) */
		return false;
	while (off < end) {
		const uint8_t *p = msg + off;
		uint32_t left = end - off, word, plen;
		bool ok;

		if (left < M3UA_PARAM_HEADER)
			return false;
		word = load32(p);
		plen = word & 0xffff;
		if (plen < M3UA_PARAM_HEADER || plen > left)
			return false;
		if (word >> 16 == M3UA_P_PROTOCOL_DATA)
			ok = take_protocol_data(p, plen, off, out);
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
		off += (plen + 3) & ~3u;
	}
	return out->payload_off != 0;
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
