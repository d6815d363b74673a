/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading M3UA messages: the walk over parameters and the checks of RFC 4666 s.3, both driven by the
 * dictionary (m3ua_dict.c).
 *
 * Which ERR code answers which fault (s.3.8.1):
 *   a version other than 1                                Invalid Version
 *   a class, or a type of a known class, not in s.3.1.2   Unsupported Message Class, Type
 *   a message length that is not what was delivered       Protocol Error
 *   a parameter length below 4, beyond the message, or
 *   not what the parameter may have                       Parameter Field Error
 *   a known parameter that has no place in the message,
 *   or a second one where s.3.2 allows one                Unexpected Parameter
 *   a mandatory parameter that is not there               Missing Parameter
 *   a value that no state could make right                Invalid Parameter Value
 * Tags that the standard does not define are skipped (s.3, s.3.2: forward compatibility). */
#include "wire/m3ua.h"

#include <stddef.h>

enum { PAD_MAX = 3 };

static bool fault(struct m3ua_fault *f, enum m3ua_error error, uint16_t tag, const char *what)
{
	*f = (struct m3ua_fault){.error = error, .tag = tag, .what = what};
	return false;
}

/* ---- walking ---- */

/* The parameters in a stretch of bytes, without looking at what they mean. */
struct stretch {
	const uint8_t *p;
	uint32_t len;
};

static uint32_t padded_len(uint32_t len)
{
	return (len + PAD_MAX) & ~(uint32_t)PAD_MAX;
}

/* Reads the parameter at OFF: 1 if there is one, 0 at the end, -1 if its length field is wrong (TAG is set
 * where it could be read). *NEXT is where the next begins; the last one's padding may be missing (s.3.1.4).
 */
static int param_at(const struct stretch *s, uint32_t off, struct m3ua_param *out, uint32_t *next)
{
	struct rd r;
	uint32_t len;

	*out = (struct m3ua_param){.tag = 0};
	if (off >= s->len)
		return 0;
	r = rd_over(s->p + off, s->len - off);
	out->tag = rd_u16(&r);
	len = rd_u16(&r);
	if (r.fault || len < M3UA_PARAM_HEADER || len > s->len - off)
		return -1;
	out->v = r.p;
	out->len = len - M3UA_PARAM_HEADER;
	*next = off + padded_len(len);
	return 1;
}

/* Where the parameter behind IT begins; the first if IT is fresh. */
static uint32_t offset_after(const struct stretch *s, const struct m3ua_param *it)
{
	if (!it->v)
		return 0;
	return padded_len((uint32_t)(it->v - s->p) + it->len);
}

static bool next_in(const struct stretch *s, struct m3ua_param *it)
{
	uint32_t next;

	return param_at(s, offset_after(s, it), it, &next) == 1;
}

bool m3ua_next(const struct m3ua_msg *m, struct m3ua_param *it)
{
	return next_in(&(struct stretch){m->params, m->params_len}, it);
}

bool m3ua_next_inside(const struct m3ua_param *outer, struct m3ua_param *it)
{
	return next_in(&(struct stretch){outer->v, outer->len}, it);
}

bool m3ua_find(const struct m3ua_msg *m, uint16_t tag, struct m3ua_param *out)
{
	struct m3ua_param it = {0};

	while (m3ua_next(m, &it))
		if (it.tag == tag) {
			*out = it;
			return true;
		}
	return false;
}

uint32_t m3ua_list_len(const struct m3ua_param *p)
{
	return p->len / 4;
}

uint32_t m3ua_list_u32(const struct m3ua_param *p, uint32_t i)
{
	struct rd r = rd_over(p->v, p->len);

	if (i >= p->len / 4)
		return 0;
	rd_take(&r, i * 4);
	return rd_u32(&r);
}

bool m3ua_find_u32(const struct m3ua_msg *m, uint16_t tag, uint32_t *out)
{
	struct m3ua_param p;

	if (!m3ua_find(m, tag, &p) || p.len != 4)
		return false;
	*out = m3ua_list_u32(&p, 0);
	return true;
}

/* ---- values that are wrong in themselves ---- */

/* s.3.3.1: unused bits are coded 0; so no point code has more than 24 bits, no SI more than 4, no NI more
 * than 2. m3ua_data_parse() holds the same rule. */
static bool label_fits(const struct m3ua_param *p)
{
	uint32_t codes = m3ua_list_u32(p, 0) | m3ua_list_u32(p, 1);
	uint32_t rest = m3ua_list_u32(p, 2);

	return codes >> 24 == 0 && (rest & 0xf0fc0000) == 0;
}

static bool mask_is_zero(const struct m3ua_param *p)
{
	return m3ua_apc_mask(m3ua_list_u32(p, 0)) == 0;
}

static bool level_exists(const struct m3ua_param *p)
{
	return m3ua_congestion_level(m3ua_list_u32(p, 0)) <= 3;
}

static bool status_exists(const struct m3ua_param *p)
{
	uint32_t v = m3ua_list_u32(p, 0);
	uint16_t information = m3ua_status_information(v);

	switch (m3ua_status_type(v)) {
	case M3UA_NTFY_AS_STATE: return information >= M3UA_AS_INACTIVE && information <= M3UA_AS_PENDING;
	case M3UA_NTFY_OTHER: return information >= M3UA_INSUFFICIENT && information <= M3UA_ASP_FAILURE;
	}
	return false;
}

/* Not here: what depends on configuration or state, or has an answer of its own (a Traffic Mode Type:
 * s.3.8.1; whatever is in a Routing Key: the REG RSP's Registration Status, s.3.6.2). */
static const struct value_rule {
	uint16_t type, tag;
	bool (*ok)(const struct m3ua_param *p);
	const char *what;
} value_rules[] = {
	{M3UA_DATA, M3UA_P_PROTOCOL_DATA, label_fits, "label field too wide"},
	{M3UA_DUPU, M3UA_P_AFFECTED_PC, mask_is_zero, "mask not zero"}, /* s.3.4.5, s.3.8.1 */
	{M3UA_SCON, M3UA_P_CONGESTION, level_exists, "congestion level above 3"},
	{M3UA_NTFY, M3UA_P_STATUS, status_exists, "no such status"},
};

static bool value_ok(uint16_t type, const struct m3ua_param *p, struct m3ua_fault *f)
{
	for (unsigned i = 0; i < sizeof(value_rules) / sizeof(value_rules[0]); i++) {
		const struct value_rule *r = &value_rules[i];

		if (r->type == type && r->tag == p->tag && !r->ok(p))
			return fault(f, M3UA_E_INVALID_VALUE, p->tag, r->what);
	}
	return true;
}

/* ---- the dictionary's checks ---- */

static bool length_ok(const struct m3ua_tag_rule *t, const struct m3ua_param_rule *place,
	const struct m3ua_param *p, struct m3ua_fault *f)
{
	uint32_t max = place->max_len ? place->max_len : t->max_len;

	if (p->len < t->min_len)
		return fault(f, M3UA_E_PARAMETER_FIELD, p->tag, "too short");
	if (max && p->len > max)
		return fault(f, M3UA_E_PARAMETER_FIELD, p->tag, "too long");
	if (p->len % t->multiple)
		return fault(f, M3UA_E_PARAMETER_FIELD, p->tag, "not a whole number of entries");
	return true;
}

/* A place that may hold parameters: a message, or a parameter that nests them. */
struct place {
	const struct m3ua_param_rule *rules;
	uint8_t n;
	uint16_t type; /* of the message */
};

static bool check_place(const struct place *place, const struct stretch *s, struct m3ua_fault *f);

/* One known parameter. SEEN has a bit for each rule that was met before. */
static bool check_param(
	const struct place *place, const struct m3ua_param *p, uint32_t *seen, struct m3ua_fault *f)
{
	const struct m3ua_tag_rule *t = m3ua_tag_rule(p->tag);
	unsigned i;

	if (!t)
		return true;
	for (i = 0; i < place->n && place->rules[i].tag != p->tag; i++)
		;
	if (i == place->n)
		return fault(f, M3UA_E_UNEXPECTED_PARAMETER, p->tag, "does not belong here");
	if (*seen & 1u << i && !place->rules[i].repeated)
		return fault(f, M3UA_E_UNEXPECTED_PARAMETER, p->tag, "repeated");
	*seen |= 1u << i;
	if (!length_ok(t, &place->rules[i], p, f) || !value_ok(place->type, p, f))
		return false;
	if (!t->inside)
		return true;
	return check_place(
		&(struct place){t->inside, t->n_inside, place->type}, &(struct stretch){p->v, p->len}, f);
}

/* Everything in one place. Goes one level deep for a nested one: the dictionary nests no further. */
static bool check_place(const struct place *place, const struct stretch *s, struct m3ua_fault *f)
{
	uint32_t off = 0, seen = 0;
	struct m3ua_param p;
	int got;

	while ((got = param_at(s, off, &p, &off)) > 0)
		if (!check_param(place, &p, &seen, f))
			return false;
	if (got < 0)
		return fault(f, M3UA_E_PARAMETER_FIELD, p.tag, "length field wrong");
	for (unsigned i = 0; i < place->n; i++)
		if (place->rules[i].presence == M3UA_MANDATORY && !(seen & 1u << i))
			return fault(f, M3UA_E_MISSING_PARAMETER, place->rules[i].tag, "missing");
	return true;
}

static bool class_known(uint8_t class)
{
	const struct m3ua_message_rule *r;

	for (unsigned i = 0; (r = m3ua_message_rule_at(i)); i++)
		if (r->type >> 8 == class)
			return true;
	return false;
}

/* The length field says LEN bytes, or as many without the last parameter's padding (s.3.1.4). */
static bool message_length_ok(uint32_t declared, uint32_t len)
{
	return declared >= M3UA_HEADER && declared <= len && len - declared <= (-declared & PAD_MAX);
}

bool m3ua_parse(const uint8_t *bytes, uint32_t len, struct m3ua_msg *out, struct m3ua_fault *f)
{
	struct rd r = rd_over(bytes, len);
	uint8_t version = rd_u8(&r);
	const struct m3ua_message_rule *rule;
	struct stretch params;

	*out = (struct m3ua_msg){.bytes = bytes};
	*f = (struct m3ua_fault){.error = M3UA_E_NONE, .what = "ok"};
	rd_u8(&r); /* reserved: ignored, s.3.1.3 */
	out->type = rd_u16(&r);
	out->len = rd_u32(&r);
	if (r.fault)
		return fault(f, M3UA_E_PROTOCOL, 0, "shorter than a header");
	if (version != M3UA_RELEASE)
		return fault(f, M3UA_E_INVALID_VERSION, 0, "version is not 1");
	if (!class_known((uint8_t)(out->type >> 8)))
		return fault(f, M3UA_E_UNSUPPORTED_CLASS, 0, "no such class");
	rule = m3ua_message_rule(out->type);
	if (!rule)
		return fault(f, M3UA_E_UNSUPPORTED_TYPE, 0, "no such type");
	if (!message_length_ok(out->len, len))
		return fault(f, M3UA_E_PROTOCOL, 0, "length field is not the message's length");
	out->params = r.p;
	out->params_len = out->len - M3UA_HEADER;
	params = (struct stretch){out->params, out->params_len};
	return check_place(&(struct place){rule->params, rule->n_params, rule->type}, &params, f);
}

/* ---- what an ERR must bring along (s.3.8.1) ---- */

static const struct {
	uint32_t error;
	uint16_t tag;
} err_needs[] = {
	{M3UA_E_UNSUPPORTED_CLASS, M3UA_P_DIAGNOSTIC},
	{M3UA_E_UNSUPPORTED_TYPE, M3UA_P_DIAGNOSTIC},
	{M3UA_E_DEST_UNKNOWN, M3UA_P_AFFECTED_PC},
	{M3UA_E_INVALID_NA, M3UA_P_NETWORK_APPEARANCE},
	{M3UA_E_INVALID_RC, M3UA_P_ROUTING_CONTEXT},
};

bool m3ua_complete(const struct m3ua_msg *m, struct m3ua_fault *f)
{
	struct m3ua_param p;
	uint32_t error;

	*f = (struct m3ua_fault){.error = M3UA_E_NONE, .what = "ok"};
	if (m->type != M3UA_ERR || !m3ua_find_u32(m, M3UA_P_ERROR_CODE, &error))
		return true;
	for (unsigned i = 0; i < sizeof(err_needs) / sizeof(err_needs[0]); i++)
		if (err_needs[i].error == error && !m3ua_find(m, err_needs[i].tag, &p))
			return fault(f, M3UA_E_MISSING_PARAMETER, err_needs[i].tag, "missing");
	return true;
}
