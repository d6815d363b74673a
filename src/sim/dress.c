/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/dress.h"

#include <string.h>

#include "wire/cursor.h"

enum { SI_SCCP = 3, SI_ISUP = PAYLOAD_SI_ISUP };

/* Each dress has a few messages in turn. What is in front of the data and behind it has the same length
 * whatever the data's, so that a reader finds it by the message's kind, and can make the whole message again
 * to compare. */
struct shape {
	uint8_t kind;   /* the octet at its dress's KIND_AT */
	uint8_t before; /* octets in front of the data */
	void (*head)(struct wr *w, uint32_t data_len, const struct payload *in);
	uint8_t after; /* zeros behind it */
};

/* ---- ISUP (Q.763) ---- */

enum { UUI = 0x20, UUI_MAX = 130, ISUP_KIND_AT = 2 };

/* A call for every five messages; the SLS is the CIC's low part (Q.704 s.2.2.5). */
static void isup_begin(struct wr *w, uint8_t type, const struct payload *in)
{
	wr_u8(w, in->sls);
	wr_u8(w, in->seq / 5 & 0x0f);
	wr_u8(w, type);
}

static void user_to_user(struct wr *w, uint32_t data_len)
{
	wr_u8(w, UUI);
	wr_u8(w, (uint8_t)(data_len + 1));
	wr_u8(w, 0); /* protocol discriminator: user specific */
}

static void iam(struct wr *w, uint32_t data_len, const struct payload *in)
{
	/* nature of connection, forward call indicators, category, medium; pointers to the called number and
	 * to the optional part; the number: international, ISDN numbering plan, 49 30 1234 */
	static const uint8_t fixed[] = {
		0x00, 0x60, 0x00, 0x0a, 0x00, 2, 8, 6, 0x04, 0x10, 0x94, 0x03, 0x21, 0x43};

	isup_begin(w, 0x01, in);
	wr_bytes(w, fixed, sizeof(fixed));
	user_to_user(w, data_len);
}

static void acm(struct wr *w, uint32_t data_len, const struct payload *in)
{
	static const uint8_t fixed[] = {0x16, 0x14, 1}; /* backward call indicators, pointer */

	isup_begin(w, 0x06, in);
	wr_bytes(w, fixed, sizeof(fixed));
	user_to_user(w, data_len);
}

static void anm(struct wr *w, uint32_t data_len, const struct payload *in)
{
	isup_begin(w, 0x09, in);
	wr_u8(w, 1);
	user_to_user(w, data_len);
}

static void rel(struct wr *w, uint32_t data_len, const struct payload *in)
{
	static const uint8_t fixed[] = {2, 4, 2, 0x80, 0x90}; /* pointers; cause: normal call clearing */

	isup_begin(w, 0x0c, in);
	wr_bytes(w, fixed, sizeof(fixed));
	user_to_user(w, data_len);
}

static void rlc(struct wr *w, uint32_t data_len, const struct payload *in)
{
	isup_begin(w, 0x10, in);
	wr_u8(w, 1);
	user_to_user(w, data_len);
}

static const struct shape isup[] = {
	{0x01, 20, iam, 1}, {0x06, 9, acm, 1}, {0x09, 7, anm, 1}, {0x0c, 11, rel, 1}, {0x10, 7, rlc, 1}};

/* ---- SCCP unitdata with TCAP ---- */

enum { UDT_HEAD = 12, UDT_DATA_MAX = 254, SCCP_KIND_AT = UDT_HEAD };

/* Class 1 (in sequence), pointers, called and calling party by subsystem number (Q.713 s.3.5, 4.10). */
static void udt(struct wr *w, uint32_t tcap_len)
{
	static const uint8_t fixed[] = {0x09, 0x01, 3, 5, 7, 2, 0x42, 250, 2, 0x42, 251};

	wr_bytes(w, fixed, sizeof(fixed));
	wr_u8(w, (uint8_t)tcap_len);
}

/* A tag with its length in the long form, which is as long for every length. */
static void ber(struct wr *w, uint8_t tag, uint32_t len)
{
	wr_u8(w, tag);
	wr_u8(w, 0x81);
	wr_u8(w, (uint8_t)len);
}

static void transaction(struct wr *w, uint8_t tag, const struct payload *in)
{
	wr_u8(w, tag);
	wr_u8(w, 4);
	wr_u32(w, (uint32_t)in->run << 16 | in->flow << 8 | in->sls);
}

static void number(struct wr *w, uint8_t n)
{
	wr_u8(w, 2);
	wr_u8(w, 1);
	wr_u8(w, n);
}

/* The component portion with an invocation whose parameter is the data; 15 octets in front of it. */
static void invoke(struct wr *w, uint32_t data_len, const struct payload *in)
{
	ber(w, 0x6c, data_len + 12);
	ber(w, 0xa1, data_len + 9);
	number(w, (uint8_t)(in->seq & 0x7f));
	number(w, 1);
	ber(w, 4, data_len);
}

static void begin(struct wr *w, uint32_t data_len, const struct payload *in)
{
	udt(w, data_len + 24);
	ber(w, 0x62, data_len + 21);
	transaction(w, 0x48, in);
	invoke(w, data_len, in);
}

static void go_on(struct wr *w, uint32_t data_len, const struct payload *in)
{
	udt(w, data_len + 30);
	ber(w, 0x65, data_len + 27);
	transaction(w, 0x48, in);
	transaction(w, 0x49, in);
	invoke(w, data_len, in);
}

static void end(struct wr *w, uint32_t data_len, const struct payload *in)
{
	udt(w, data_len + 27);
	ber(w, 0x64, data_len + 24);
	transaction(w, 0x49, in);
	ber(w, 0x6c, data_len + 15);
	ber(w, 0xa2, data_len + 12); /* return result last */
	number(w, (uint8_t)(in->seq & 0x7f));
	ber(w, 0x30, data_len + 6);
	number(w, 1);
	ber(w, 4, data_len);
}

static const struct shape sccp[] = {
	{0x62, UDT_HEAD + 24, begin, 0}, {0x65, UDT_HEAD + 30, go_on, 0}, {0x64, UDT_HEAD + 27, end, 0}};

/* ---- all of them ---- */

static const struct {
	const char *name;
	uint8_t si, kind_at, n;
	const struct shape *shapes;
	uint32_t min, max;
} dresses[DRESSES] = {
	[DRESS_TEST] = {"test", 0, 0, 0, NULL, PAYLOAD_HEAD, UINT32_MAX},
	[DRESS_ISUP] = {"isup", SI_ISUP, ISUP_KIND_AT, 5, isup, 20 + PAYLOAD_HEAD + 1, 7 + UUI_MAX - 1 + 1},
	[DRESS_SCCP] = {"sccp", SI_SCCP, SCCP_KIND_AT, 3, sccp, UDT_HEAD + 30 + PAYLOAD_HEAD,
		UDT_HEAD + UDT_DATA_MAX},
};

const char *dress_name(enum dress d)
{
	return dresses[d].name;
}

uint8_t dress_si(enum dress d)
{
	return dresses[d].si;
}

uint32_t dress_min(enum dress d, uint8_t si)
{
	return d == DRESS_TEST && si == SI_ISUP ? PAYLOAD_MIN : dresses[d].min;
}

uint32_t dress_max(enum dress d)
{
	return dresses[d].max;
}

static void write_shape(const struct shape *s, uint8_t *p, uint32_t len, const struct payload *in)
{
	struct wr w = wr_over(p, len);
	uint32_t data_len = len - s->before - s->after;

	s->head(&w, data_len, in);
	payload_write(w.p, data_len, 0, in);
	memset(w.p + data_len, 0, s->after);
}

void dress_write(enum dress d, uint8_t *p, uint32_t len, uint8_t si, const struct payload *in)
{
	if (d == DRESS_TEST)
		payload_write(p, len, si, in);
	else
		write_shape(&dresses[d].shapes[in->seq % dresses[d].n], p, len, in);
}

/* The same message, made again from what it says, tells whether any octet of it is another. */
static enum payload_verdict read_shape(
	const struct shape *s, const uint8_t *p, uint32_t len, struct payload *out)
{
	uint8_t again[UDT_HEAD + UDT_DATA_MAX];
	uint32_t least = (uint32_t)s->before + s->after + PAYLOAD_HEAD;
	enum payload_verdict v;

	if (len < least || len > sizeof(again))
		return PAYLOAD_ALIEN;
	v = payload_read(p + s->before, len - s->before - s->after, 0, out);
	if (v != PAYLOAD_OK)
		return v;
	write_shape(s, again, len, out);
	return memcmp(again, p, len) ? PAYLOAD_BROKEN : PAYLOAD_OK;
}

enum payload_verdict dress_read(const uint8_t *p, uint32_t len, uint8_t si, struct payload *out)
{
	enum payload_verdict v = payload_read(p, len, si, out);

	for (int d = DRESS_TEST + 1; v == PAYLOAD_ALIEN && d < DRESSES; d++)
		for (unsigned i = 0; v == PAYLOAD_ALIEN && i < dresses[d].n; i++)
			if (dresses[d].si == si && len > dresses[d].kind_at &&
				p[dresses[d].kind_at] == dresses[d].shapes[i].kind)
				v = read_shape(&dresses[d].shapes[i], p, len, out);
	return v;
}
