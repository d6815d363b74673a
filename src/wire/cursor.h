/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bounded cursors over network-order bytes: the only way bytes are read or written in the codecs. A failed
 * access sets the cursor's fault and yields zeros; the caller checks once at the end. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct rd {
	const uint8_t *p, *end;
	bool fault;
};

static inline struct rd rd_over(const uint8_t *p, uint32_t len)
{
	return (struct rd){.p = p, .end = p + len};
}

static inline uint32_t rd_left(const struct rd *r)
{
	return (uint32_t)(r->end - r->p);
}

/* N bytes, or NULL and a fault. */
static inline const uint8_t *rd_take(struct rd *r, uint32_t n)
{
	const uint8_t *p = r->p;

	if (rd_left(r) < n) {
		r->fault = true;
		r->p = r->end;
		return NULL;
	}
	r->p += n;
	return p;
}

static inline uint8_t rd_u8(struct rd *r)
{
	const uint8_t *p = rd_take(r, 1);

	return p ? p[0] : 0;
}

static inline uint16_t rd_u16(struct rd *r)
{
	const uint8_t *p = rd_take(r, 2);

	return p ? (uint16_t)(p[0] << 8 | p[1]) : 0;
}

static inline uint32_t rd_u32(struct rd *r)
{
	const uint8_t *p = rd_take(r, 4);

	return p ? (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3] : 0;
}

struct wr {
	uint8_t *start, *p, *end;
	bool fault;
};

static inline struct wr wr_over(uint8_t *p, uint32_t cap)
{
	return (struct wr){.start = p, .p = p, .end = p + cap};
}

static inline uint32_t wr_len(const struct wr *w)
{
	return (uint32_t)(w->p - w->start);
}

/* Room for N bytes, or NULL and a fault. */
static inline uint8_t *wr_room(struct wr *w, uint32_t n)
{
	uint8_t *p = w->p;

	if ((uint32_t)(w->end - w->p) < n) {
		w->fault = true;
		return NULL;
	}
	w->p += n;
	return p;
}

static inline void put_u16(uint8_t *p, uint16_t v)
{
	p[0] = (uint8_t)(v >> 8);
	p[1] = (uint8_t)v;
}

static inline void put_u32(uint8_t *p, uint32_t v)
{
	put_u16(p, (uint16_t)(v >> 16));
	put_u16(p + 2, (uint16_t)v);
}

static inline void wr_u8(struct wr *w, uint8_t v)
{
	uint8_t *p = wr_room(w, 1);

	if (p)
		p[0] = v;
}

static inline void wr_u16(struct wr *w, uint16_t v)
{
	uint8_t *p = wr_room(w, 2);

	if (p)
		put_u16(p, v);
}

static inline void wr_u32(struct wr *w, uint32_t v)
{
	uint8_t *p = wr_room(w, 4);

	if (p)
		put_u32(p, v);
}

static inline void wr_bytes(struct wr *w, const void *src, uint32_t n)
{
	uint8_t *p = wr_room(w, n);

	if (p && n)
		memcpy(p, src, n);
}
