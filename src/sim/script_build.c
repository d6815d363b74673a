/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A pattern becomes bytes, right or wrong as the script wants it. */
#include <stdio.h>
#include <string.h>

#include "sim/script_int.h"

static void put_label(const struct script *s, struct wr *w, const struct script_label *l)
{
	uint8_t head[M3UA_LABEL];
	struct wr h = wr_over(head, sizeof(head));

	wr_u32(&h, value_of(s, &l->field[LABEL_OPC]));
	wr_u32(&h, value_of(s, &l->field[LABEL_DPC]));
	for (unsigned i = LABEL_SI; i < LABEL_FIELDS; i++)
		wr_u8(&h, (uint8_t)value_of(s, &l->field[i]));
	wr_bytes(w, head, sizeof(head));
	wr_bytes(w, l->payload.p, l->payload.len);
}

static void pad(struct wr *w, const uint8_t *from)
{
	while ((w->p - from) % 4 && !w->fault)
		wr_u8(w, 0);
}

static void put_nums(const struct script *s, struct wr *w, const struct script_param *p)
{
	for (unsigned i = 0; i < p->n_nums; i++) {
		if (p->shape == M3UA_SHAPE_U8_LIST)
			wr_u8(w, (uint8_t)value_of(s, &p->nums[i]));
		else
			wr_u32(w, value_of(s, &p->nums[i]));
	}
}

static bool put_params(
	const struct script *s, struct wr *w, const struct script_param *v, unsigned n, char *err);

static bool put_param(const struct script *s, struct wr *w, const struct script_param *p, char *err)
{
	uint8_t *start = w->p;
	size_t len;

	if (p->want != SCRIPT_EQUAL) {
		snprintf(err, SCRIPT_ERR, "%s has no value that could be sent", message_key(p->tag));
		return false;
	}
	if (p->verbatim) {
		wr_bytes(w, p->bytes.p, p->bytes.len);
		return true;
	}
	wr_u16(w, p->tag);
	wr_u16(w, 0);
	if (p->label)
		put_label(s, w, p->label);
	put_nums(s, w, p);
	wr_bytes(w, p->bytes.p, p->bytes.len);
	if (!put_params(s, w, p->inside, p->n_inside, err))
		return false;
	len = p->has_len ? p->len : (size_t)(w->p - start);
	if (len > 0xffff || w->fault) {
		snprintf(err, SCRIPT_ERR, "%s is too long", message_key(p->tag));
		return false;
	}
	put_u16(start + 2, (uint16_t)len);
	pad(w, start);
	return true;
}

static bool put_params(
	const struct script *s, struct wr *w, const struct script_param *v, unsigned n, char *err)
{
	for (unsigned i = 0; i < n; i++)
		if (!put_param(s, w, &v[i], err))
			return false;
	return true;
}

uint32_t script_build(
	const struct script *s, const struct script_message *p, uint8_t *buf, uint32_t cap, char *err)
{
	struct wr w = wr_over(buf, cap);
	uint32_t len;

	err[0] = 0;
	if (p->hex) {
		wr_bytes(&w, p->bytes.p, p->bytes.len);
	} else {
		wr_u8(&w, p->has_version ? p->version : M3UA_RELEASE);
		wr_u8(&w, p->reserved);
		wr_u16(&w, p->type);
		wr_u32(&w, 0);
		if (!put_params(s, &w, p->params, p->n_params, err))
			return 0;
	}
	len = wr_len(&w);
	if (w.fault || !len) {
		snprintf(err, SCRIPT_ERR,
			len ? "longer than --max-message" : "an empty message cannot be sent");
		return 0;
	}
	if (!p->hex)
		put_u32(buf + 4, (uint32_t)((!p->has_length || p->length_relative ? len : 0) + p->length));
	return len;
}
