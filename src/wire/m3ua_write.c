/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writing M3UA messages (RFC 4666 s.3.1, 3.2). Lengths are filled in where they are known: a parameter's
 * without its padding, the message's with it. */
#include <stddef.h>

#include "wire/m3ua.h"

enum { LENGTH_MAX = 0xffff };

void m3ua_begin(struct wr *w, uint16_t type)
{
	wr_u8(w, M3UA_RELEASE);
	wr_u8(w, 0); /* reserved */
	wr_u16(w, type);
	wr_u32(w, 0); /* length: m3ua_end() */
}

/* Header and room for LEN bytes of value with their padding, which is cleared. NULL: no room. */
static uint8_t *put(struct wr *w, uint16_t tag, uint32_t len)
{
	uint32_t total = M3UA_PARAM_HEADER + len;
	uint32_t padded = (total + 3) & ~3u;
	uint8_t *p;

	if (len > LENGTH_MAX - M3UA_PARAM_HEADER) {
		w->fault = true;
		return NULL;
	}
	p = wr_room(w, padded);
	if (!p)
		return NULL;
	put_u16(p, tag);
	put_u16(p + 2, (uint16_t)total);
	memset(p + total, 0, padded - total);
	return p + M3UA_PARAM_HEADER;
}

void m3ua_put_u32(struct wr *w, uint16_t tag, uint32_t v)
{
	m3ua_put_list(w, tag, &v, 1);
}

void m3ua_put_list(struct wr *w, uint16_t tag, const uint32_t *v, uint32_t n)
{
	uint8_t *p;

	if (!n)
		return;
	if (n > LENGTH_MAX / 4) { /* before the multiplication can wrap */
		w->fault = true;
		return;
	}
	p = put(w, tag, n * 4);
	for (uint32_t i = 0; p && i < n; i++)
		put_u32(p + (size_t)i * 4, v[i]);
}

void m3ua_put_bytes(struct wr *w, uint16_t tag, const void *v, uint32_t len)
{
	uint8_t *p = put(w, tag, len);

	if (p && len)
		memcpy(p, v, len);
}

uint8_t *m3ua_open(struct wr *w, uint16_t tag)
{
	uint8_t *value = put(w, tag, 0);

	return value ? value - M3UA_PARAM_HEADER : NULL;
}

void m3ua_close(struct wr *w, uint8_t *opened)
{
	size_t len;

	if (!opened)
		return;
	len = (size_t)(w->p - opened);
	if (len > LENGTH_MAX)
		w->fault = true;
	else
		put_u16(opened + 2, (uint16_t)len);
}

uint32_t m3ua_end(struct wr *w)
{
	if (w->fault || wr_len(w) < M3UA_HEADER)
		return 0;
	put_u32(w->start + 4, wr_len(w));
	return wr_len(w);
}
