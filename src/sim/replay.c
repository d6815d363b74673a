/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/replay.h"

#include <isa-l/crc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wire/cursor.h"
#include "wire/m2pa.h"
#include "wire/m3ua_data.h"
#include "wire/mtp3.h"

enum {
	LINK_ETHERNET = 1,
	LINK_RAW = 101,
	LINK_IPV4 = 228,
	LINK_IPV6 = 229,
	LINK_SCTP = 248,
	MAX_INTERFACES = 64
};

struct walk {
	struct replay *r;
	enum pc_variant variant;
	uint32_t max_len;
	bool swapped; /* the file's numbers are least significant octet first */
	bool failed;  /* no memory */
};

uint32_t replay_crc(const uint8_t *p, uint32_t len)
{
	return crc32_iscsi((unsigned char *)p, (int)len, 0xffffffffu);
}

bool replay_is(const struct replay *r, uint64_t k, const uint8_t *p, uint32_t len, uint32_t crc, uint8_t si)
{
	const struct replay_msg *m = &r->msg[k % r->n];

	return m->crc == crc && m->si == si && m->len == len && !memcmp(m->p, p, len);
}

/* ---- messages ---- */

static void add(struct walk *w, const uint8_t *p, uint32_t len, uint8_t si)
{
	struct replay *r = w->r;

	if (!len || len > w->max_len || si <= MTP3_SI_TEST_SPECIAL || r->n == REPLAY_MAX_MSGS) {
		r->skipped++;
		return;
	}
	if (!(r->n & (r->n - 1))) { /* full: 0, 1, 2, 4 ... */
		struct replay_msg *more = realloc(r->msg, (r->n ? 2 * r->n : 1) * sizeof(*more));

		if (!more) {
			w->failed = true;
			return;
		}
		r->msg = more;
	}
	r->msg[r->n++] =
		(struct replay_msg){.p = p, .len = (uint16_t)len, .si = si, .crc = replay_crc(p, len)};
}

static void m3ua(struct walk *w, const uint8_t *p, uint32_t len)
{
	struct m3ua_data d;

	if (m3ua_data_parse(p, len, &d))
		add(w, p + d.payload_off, d.payload_len, d.label.si);
	else
		w->r->skipped++;
}

static void m2pa(struct walk *w, const uint8_t *p, uint32_t len)
{
	struct mtp3_label label = {.si = 0};
	struct m2pa_msg h;
	uint32_t head = mtp3_head_len(w->variant);

	if (m2pa_parse(p, len, &h) == M2PA_NO_FAULT && h.msu_len &&
		mtp3_head_read(p + M2PA_USER_HEADER, h.msu_len, w->variant, &label) == MTP3_OK)
		add(w, p + M2PA_USER_HEADER + head, h.msu_len - head, label.si);
	else
		w->r->skipped++;
}

/* ---- packets ---- */

/* RFC 4960 s.3.3.1: flags (begin 2, end 1), TSN, stream, SSN, PPID. */
static void data_chunk(struct walk *w, struct rd body, uint8_t flags)
{
	uint32_t ppid;

	rd_take(&body, 8);
	ppid = rd_u32(&body);
	w->r->chunks++;
	if (body.fault)
		w->r->skipped++;
	else if ((flags & 3) != 3)
		w->r->fragments++;
	else if (ppid == 3)
		m3ua(w, body.p, rd_left(&body));
	else if (ppid == 5)
		m2pa(w, body.p, rd_left(&body));
	else
		w->r->skipped++;
}

static void sctp(struct walk *w, struct rd r)
{
	rd_take(&r, 12);
	while (!r.fault && rd_left(&r) >= 4) {
		uint8_t type = rd_u8(&r), flags = rd_u8(&r);
		uint16_t len = rd_u16(&r);
		const uint8_t *p = len >= 4 ? rd_take(&r, len - 4u) : NULL;

		if (!p)
			return;
		if (type == 0)
			data_chunk(w, rd_over(p, len - 4u), flags);
		rd_take(&r, rd_left(&r) < (-len & 3u) ? rd_left(&r) : -len & 3u);
	}
}

static bool ipv4(struct rd *r, uint8_t *protocol)
{
	const uint8_t *h = r->p;
	uint32_t head, total;

	if (rd_left(r) < 20)
		return false;
	head = (h[0] & 0xfu) * 4;
	total = (uint32_t)h[2] << 8 | h[3];
	*protocol = h[9];
	if (head < 20 || total < head || total > rd_left(r) || (h[6] & 0x3f) || h[7])
		return false; /* also fragments */
	*r = rd_over(h + head, total - head);
	return true;
}

static bool ipv6(struct rd *r, uint8_t *protocol)
{
	const uint8_t *h = r->p;
	uint32_t len;

	if (rd_left(r) < 40)
		return false;
	len = (uint32_t)h[4] << 8 | h[5];
	*protocol = h[6];
	if (len > rd_left(r) - 40)
		return false;
	*r = rd_over(h + 40, len);
	return true;
}

static bool ip(struct rd *r)
{
	uint8_t version = rd_left(r) ? r->p[0] >> 4 : 0, protocol = 0;

	return (version == 4 ? ipv4(r, &protocol) : version == 6 && ipv6(r, &protocol)) && protocol == 132;
}

static bool ethernet(struct rd *r)
{
	uint16_t type;

	rd_take(r, 12);
	type = rd_u16(r);
	while (type == 0x8100 || type == 0x88a8) { /* VLAN tags */
		rd_take(r, 2);
		type = rd_u16(r);
	}
	return !r->fault && (type == 0x0800 || type == 0x86dd) && ip(r);
}

static void packet(struct walk *w, struct rd r, uint32_t link)
{
	bool ok;

	w->r->packets++;
	switch (link & 0xffff) {
	case LINK_ETHERNET: ok = ethernet(&r); break;
	case LINK_RAW:
	case LINK_IPV4:
	case LINK_IPV6: ok = ip(&r); break;
	default: ok = (link & 0xffff) == LINK_SCTP; break;
	}
	if (ok)
		sctp(w, r);
	else
		w->r->skipped++;
}

/* ---- files ---- */

static uint32_t file_u32(const struct walk *w, struct rd *r)
{
	uint32_t v = rd_u32(r);

	return w->swapped ? __builtin_bswap32(v) : v;
}

static uint16_t file_u16(const struct walk *w, struct rd *r)
{
	uint16_t v = rd_u16(r);

	return w->swapped ? __builtin_bswap16(v) : v;
}

static void pcap(struct walk *w, struct rd r)
{
	uint32_t link, len;
	const uint8_t *p;

	rd_take(&r, 16);
	link = file_u32(w, &r);
	while (!r.fault && rd_left(&r) && !w->failed) {
		rd_take(&r, 8); /* time */
		len = file_u32(w, &r);
		rd_take(&r, 4);
		p = rd_take(&r, len);
		if (p)
			packet(w, rd_over(p, len), link);
	}
}

struct interfaces {
	uint16_t link[MAX_INTERFACES];
	uint32_t n;
};

static void block(struct walk *w, struct interfaces *in, uint32_t type, struct rd body)
{
	uint32_t i = 0, len;
	const uint8_t *p;

	if (type == 1) { /* interface description */
		uint16_t link = file_u16(w, &body);

		if (in->n < MAX_INTERFACES)
			in->link[in->n++] = link;
		return;
	}
	if (type == 6) { /* enhanced packet */
		i = file_u32(w, &body);
		rd_take(&body, 8);
	} else if (type != 3) { /* simple packet */
		return;
	}
	len = file_u32(w, &body);
	if (type == 6)
		rd_take(&body, 4);
	else if (len > rd_left(&body))
		len = rd_left(&body);
	p = rd_take(&body, len);
	if (p && i < in->n)
		packet(w, rd_over(p, len), in->link[i]);
	else
		w->r->skipped++;
}

static void pcapng(struct walk *w, struct rd r)
{
	struct interfaces in = {.n = 0};

	while (rd_left(&r) >= 12 && !w->failed) {
		uint32_t type = file_u32(w, &r), len;
		const uint8_t *p;

		if (type == 0x0a0d0d0a) { /* a section: its octet order, its interfaces */
			struct rd ahead = r;

			rd_take(&ahead, 4);
			w->swapped = rd_u32(&ahead) == 0x4d3c2b1a;
			in.n = 0;
		}
		len = file_u32(w, &r);
		p = len >= 12 && len % 4 == 0 ? rd_take(&r, len - 12) : NULL;
		if (!p)
			return;
		rd_take(&r, 4);
		block(w, &in, type, rd_over(p, len - 12));
	}
}

const char *replay_read(
	struct replay *r, uint8_t *image, uint32_t len, enum pc_variant variant, uint32_t max_len)
{
	struct walk w = {.r = r, .variant = variant, .max_len = max_len < 65535 ? max_len : 65535};
	struct rd all = rd_over(image, len), first = all;
	uint32_t magic = rd_u32(&first);

	*r = (struct replay){.image = image};
	w.swapped = magic == 0xd4c3b2a1 || magic == 0x4d3cb2a1;
	if (w.swapped || magic == 0xa1b2c3d4 || magic == 0xa1b23c4d)
		pcap(&w, (rd_take(&all, 4), all));
	else if (magic == 0x0a0d0d0a)
		pcapng(&w, all);
	else
		return "is no pcap and no pcapng file";
	if (w.failed)
		return "needs more memory than there is";
	return r->n ? NULL : "has no user part in M3UA DATA or M2PA User Data";
}

const char *replay_load(struct replay *r, const char *file, enum pc_variant variant, uint32_t max_len)
{
	FILE *f = fopen(file, "rb");
	uint8_t *image = NULL;
	long size = -1;
	bool ok = false;

	*r = (struct replay){.n = 0};
	if (f && !fseek(f, 0, SEEK_END))
		size = ftell(f);
	if (size > 0 && size <= REPLAY_MAX_FILE && !fseek(f, 0, SEEK_SET))
		image = malloc((size_t)size);
	if (image)
		ok = fread(image, 1, (size_t)size, f) == (size_t)size;
	if (f)
		fclose(f);
	if (ok)
		return replay_read(r, image, (uint32_t)size, variant, max_len);
	free(image);
	return "cannot be read";
}

void replay_free(struct replay *r)
{
	free(r->image);
	free(r->msg);
	*r = (struct replay){.n = 0};
}
