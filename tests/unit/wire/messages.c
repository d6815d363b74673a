/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "messages.h"

#include <string.h>

static const struct {
	uint16_t tag;
	uint32_t word; /* the first */
} words[] = {
	{M3UA_P_ROUTING_CONTEXT, 10},
	{M3UA_P_TRAFFIC_MODE, 2},
	{M3UA_P_ERROR_CODE, M3UA_E_INVALID_RC},
	{M3UA_P_STATUS, M3UA_NTFY_AS_STATE << 16 | M3UA_AS_ACTIVE},
	{M3UA_P_ASP_ID, 4711},
	{M3UA_P_AFFECTED_PC, 2057},
	{M3UA_P_CORRELATION_ID, 99},
	{M3UA_P_NETWORK_APPEARANCE, 7},
	{M3UA_P_USER_CAUSE, 1 << 16 | 3},
	{M3UA_P_CONGESTION, 2},
	{M3UA_P_CONCERNED_DEST, 2058},
	{M3UA_P_LOCAL_RK_ID, 21},
	{M3UA_P_DPC, 2059},
	{M3UA_P_OPC_LIST, 2060},
	{M3UA_P_REG_STATUS, 0},
	{M3UA_P_DEREG_STATUS, 0},
};

static uint32_t first_word(uint16_t tag)
{
	for (unsigned i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (words[i].tag == tag)
			return words[i].word;
	return 0;
}

static uint32_t label_value(uint8_t *out)
{
	put_u32(out, 2057);
	put_u32(out + 4, 2058);
	memcpy(out + 8, "\x03\x02\x00\x0b", 4);
	memset(out + 12, 0x55, 21);
	return 12 + 21;
}

uint32_t message_value(uint16_t tag, uint32_t max, uint8_t *out)
{
	const struct m3ua_tag_rule *t = m3ua_tag_rule(tag);

	if (t->max_len && (!max || t->max_len < max))
		max = t->max_len;
	switch (t->shape) {
	case M3UA_SHAPE_LABEL: return label_value(out);
	case M3UA_SHAPE_TEXT: memcpy(out, "hello", 5); return 5;
	case M3UA_SHAPE_BYTES: memset(out, 0xa5, 42); return 42;
	case M3UA_SHAPE_U8_LIST: memcpy(out, "\x03\x05", 2); return 2;
	}
	put_u32(out, first_word(tag));
	if (max == 4)
		return 4;
	put_u32(out + 4, first_word(tag) + 8);
	put_u32(out + 8, (t->shape == M3UA_SHAPE_PC_LIST ? 3u << 24 : 0) + 4096);
	return 12;
}

static void put_place(
	struct wr *w, const struct m3ua_param_rule *rules, unsigned n, const struct variation *v);

/* One parameter; CHANGED: it is the one V is about. */
static void put_one(struct wr *w, const struct m3ua_param_rule *rule, bool changed, const struct variation *v)
{
	const struct m3ua_tag_rule *t = m3ua_tag_rule(rule->tag);
	bool here = changed && v->inside < 0;
	uint8_t value[512] = {0}, *header = w->p;
	uint32_t len;

	if (t->inside && !(here && v->change == LENGTH)) {
		struct variation deeper = {AS_IS, -1, -1, 0};

		if (changed && !here)
			deeper = (struct variation){v->change, v->inside, -1, v->len};
		else if (v->change == ONLY_MANDATORY)
			deeper.change = ONLY_MANDATORY;
		header = m3ua_open(w, rule->tag);
		put_place(w, t->inside, t->n_inside, &deeper);
		m3ua_close(w, header);
	} else {
		len = message_value(rule->tag, rule->max_len, value);
		m3ua_put_bytes(w, rule->tag, value, here && v->change == LENGTH ? v->len : len);
	}
	if (here && v->change == FIELD_SAYS)
		put_u16(header + 2, (uint16_t)v->len);
}

static void put_place(
	struct wr *w, const struct m3ua_param_rule *rules, unsigned n, const struct variation *v)
{
	for (unsigned i = 0; i < n; i++) {
		bool changed = v->param == (int)i;
		bool here = changed && v->inside < 0;

		if (v->change == ONLY_MANDATORY && rules[i].presence != M3UA_MANDATORY)
			continue;
		if (here && v->change == WITHOUT)
			continue;
		put_one(w, &rules[i], changed, v);
		if (here && v->change == TWICE)
			put_one(w, &rules[i], changed, v);
	}
}

uint32_t message_write(uint8_t *buf, const struct m3ua_message_rule *r, const struct variation *v)
{
	static const struct variation as_is = {AS_IS, -1, -1, 0};
	struct wr w = wr_over(buf, MESSAGE_ROOM);

	m3ua_begin(&w, r->type);
	put_place(&w, r->params, r->n_params, v ? v : &as_is);
	return m3ua_end(&w);
}
