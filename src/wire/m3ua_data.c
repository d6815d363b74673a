/* SPDX-License-Identifier: GPL-2.0-or-later */
/* DATA on the fast path: the inline functions of m3ua_data_inline.h for everybody, and what is too rare to be
 * inline. */
#include "wire/m3ua_data.h"

#include "wire/m3ua.h"
#include "wire/m3ua_data_inline.h"

/* Does the standard define TAG? Then it has no place in DATA or the wrong length; else it is skipped (s.3.2).
 */
static __attribute__((noinline, cold)) bool defined(uint16_t tag)
{
	return m3ua_tag_rule(tag) != NULL;
}

/* One of the parameters that are a single word. */
static bool take_word(const uint8_t *p, bool *has, uint32_t *v)
{
	if (*has)
		return false;
	*has = true;
	*v = m3ua_load32(p + 4);
	return true;
}

bool m3ua_data_any_order(const uint8_t *msg, uint32_t off, uint32_t end, struct m3ua_data *out)
{
	while (off < end) {
		const uint8_t *p = msg + off;
		uint32_t word, len;
		bool ok;

		if (end - off < M3UA_PARAM_HEADER)
			return false;
		word = m3ua_load32(p);
		len = word & 0xffff;
		if (len < M3UA_PARAM_HEADER || len > end - off)
			return false;
		if (word >> 16 == M3UA_P_PROTOCOL_DATA)
			ok = m3ua_take_protocol_data(p, len, off, out);
		else if (word == M3UA_RC_WORD)
			ok = take_word(p, &out->has_rc, &out->rc);
		else if (word == M3UA_NA_WORD)
			ok = take_word(p, &out->has_na, &out->na);
		else if (word == M3UA_CORR_WORD)
			ok = take_word(p, &out->has_corr, &out->corr);
		else
			ok = !defined((uint16_t)(word >> 16));
		if (!ok)
			return false;
		off += (len + 3) & ~3u;
	}
	return out->payload_off != 0;
}

bool m3ua_data_parse(const uint8_t *msg, uint32_t len, struct m3ua_data *out)
{
	return m3ua_data_read(msg, len, out);
}

uint8_t *m3ua_data_write(uint8_t *payload, uint32_t len, const struct m3ua_data *d, uint32_t *total)
{
	return m3ua_data_put(payload, len, d, total);
}

enum { DRAFT_PROTOCOL_DATA = 0x0002 };

bool m3ua_data_undraft(uint8_t *msg, uint32_t len)
{
	struct m3ua_param p;
	struct m3ua_fault f;
	struct m3ua_msg m;

	if (m3ua_parse(msg, len, &m, &f) || m.type != M3UA_DATA || f.error != M3UA_E_MISSING_PARAMETER ||
		!m3ua_find(&m, DRAFT_PROTOCOL_DATA, &p))
		return false;
	put_u16(msg + (p.v - msg) - M3UA_PARAM_HEADER, M3UA_P_PROTOCOL_DATA);
	return true;
}
