/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A message in words: NAME key=value ... Which keys a message has, and what is nested in them, comes from the
 * dictionary (wire/m3ua_dict.c); here are only the names that scripts use for the tags. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "sim/keyval.h"
#include "sim/script_int.h"
#include "sim/script_m2pa.h"

/* Not unique: `status` is the one that the place it stands in knows. */
static const struct {
	uint16_t tag;
	const char *key;
} keys[] = {
	{M3UA_P_INFO_STRING, "info"},
	{M3UA_P_ROUTING_CONTEXT, "rc"},
	{M3UA_P_DIAGNOSTIC, "diag"},
	{M3UA_P_HEARTBEAT_DATA, "hb"},
	{M3UA_P_TRAFFIC_MODE, "tmt"},
	{M3UA_P_ERROR_CODE, "err"},
	{M3UA_P_STATUS, "status"},
	{M3UA_P_ASP_ID, "asp_id"},
	{M3UA_P_AFFECTED_PC, "apc"},
	{M3UA_P_CORRELATION_ID, "corr"},
	{M3UA_P_NETWORK_APPEARANCE, "na"},
	{M3UA_P_USER_CAUSE, "cause"},
	{M3UA_P_CONGESTION, "level"},
	{M3UA_P_CONCERNED_DEST, "concerned"},
	{M3UA_P_ROUTING_KEY, "rk"},
	{M3UA_P_REG_RESULT, "result"},
	{M3UA_P_DEREG_RESULT, "result"},
	{M3UA_P_LOCAL_RK_ID, "lrk"},
	{M3UA_P_DPC, "dpc"},
	{M3UA_P_SI, "si"},
	{M3UA_P_OPC_LIST, "opc"},
	{M3UA_P_PROTOCOL_DATA, "data"},
	{M3UA_P_REG_STATUS, "status"},
	{M3UA_P_DEREG_STATUS, "status"},
};

enum { KEYS = sizeof(keys) / sizeof(*keys) };

const char *const message_label_keys[LABEL_FIELDS] = {"opc", "dpc", "si", "ni", "mp", "sls"};

const char *message_key(uint16_t tag)
{
	for (unsigned i = 0; i < KEYS; i++)
		if (keys[i].tag == tag)
			return keys[i].key;
	return "?";
}

bool message_type(const char *name, uint16_t *out)
{
	const struct m3ua_message_rule *r;

	for (unsigned i = 0; (r = m3ua_message_rule_at(i)); i++)
		if (!strcmp(r->name, name)) {
			*out = r->type;
			return true;
		}
	return false;
}

/* Where parameters may stand: what the dictionary allows there decides between equal keys. */
struct place {
	const struct m3ua_param_rule *rules;
	unsigned n;
};

static uint16_t tag_of(const struct place *place, const char *key)
{
	uint16_t any = 0;

	for (unsigned k = 0; k < KEYS; k++) {
		if (strcmp(keys[k].key, key) != 0)
			continue;
		any = any ? any : keys[k].tag;
		for (unsigned i = 0; i < place->n; i++)
			if (place->rules[i].tag == keys[k].tag)
				return keys[k].tag;
	}
	return any;
}

/* The words of a line, and where the reading is. */
struct words {
	struct script *s;
	char **next, **end;
	char *err;
};

static bool wrong(struct words *w, const char *what, const char *word)
{
	snprintf(w->err, SCRIPT_ERR, "%s: \"%s\"", what, word);
	return false;
}

static bool is_word(const struct words *w, const char *text)
{
	return w->next < w->end && !strcmp(*w->next, text);
}

/* ---- values ---- */

static bool read_special(struct words *w, const char *value, struct script_param *p)
{
	if (!strcmp(value, "*")) {
		p->want = SCRIPT_ANY;
	} else if (value[0] == '?') {
		p->want = SCRIPT_CAPTURE;
		p->var = script_var(w->s, value + 1, (unsigned)strlen(value) - 1);
		return p->var != SCRIPT_NO_VAR;
	} else if (!strcmp(value, "sent") && p->shape == M3UA_SHAPE_BYTES) {
		p->want = SCRIPT_SENT;
	} else {
		return false;
	}
	return true;
}

static bool read_value(struct words *w, const char *value, struct script_param *p)
{
	if (read_special(w, value, p))
		return true;
	switch (p->shape) {
	case M3UA_SHAPE_U32:
	case M3UA_SHAPE_LIST:
	case M3UA_SHAPE_U8_LIST:
	case M3UA_SHAPE_HALVES: return value_list(w->s, p->tag, value, p);
	case M3UA_SHAPE_PC_LIST: return value_pc_list(w->s, value, p);
	case M3UA_SHAPE_TEXT: return value_text(w->s, value, &p->bytes);
	default: return value_hex(w->s, value, &p->bytes);
	}
}

/* data{opc=1-2-3 dpc=1-2-4 si=3 ni=2 mp=0 sls=5 payload=0102} */
static bool read_label_field(struct words *w, const char *key, const char *value, struct script_label *l)
{
	if (!strcmp(key, "payload")) {
		l->has_payload = strcmp(value, "*") != 0;
		return !l->has_payload || value_hex(w->s, value, &l->payload);
	}
	for (unsigned i = 0; i < LABEL_FIELDS; i++) {
		if (strcmp(message_label_keys[i], key) != 0)
			continue;
		l->has[i] = strcmp(value, "*") != 0;
		if (i <= LABEL_DPC)
			return !l->has[i] || value_pc(w->s, value, &l->field[i]);
		return !l->has[i] || value_num(w->s, value, 255, &l->field[i]);
	}
	return false;
}

static bool read_label(struct words *w, struct script_param *p)
{
	p->label = talloc_zero(w->s, struct script_label);
	for (unsigned i = 0; i < LABEL_FIELDS; i++)
		p->label->field[i].var = SCRIPT_NO_VAR;
	for (; w->next < w->end && !is_word(w, "}"); w->next++) {
		char *key = talloc_strdup(w->s, *w->next), *eq = strchr(key, '=');

		if (!eq)
			return wrong(w, "not field=value of data{}", key);
		*eq = 0;
		if (!read_label_field(w, key, eq + 1, p->label))
			return wrong(w, "no such field, or value, of data{}", *w->next);
	}
	return true;
}

/* ---- parameters ---- */

static bool read_params(struct words *w, const struct place *place, struct script_message *m,
	struct script_param **out, unsigned *n);

/* What is between the braces. */
static bool read_nested(struct words *w, struct script_param *p)
{
	const struct m3ua_tag_rule *rule = m3ua_tag_rule(p->tag);
	bool ok;

	w->next += 2;
	if (p->shape == M3UA_SHAPE_LABEL)
		ok = read_label(w, p);
	else if (p->shape == M3UA_SHAPE_NESTED)
		ok = read_params(
			w, &(struct place){rule->inside, rule->n_inside}, NULL, &p->inside, &p->n_inside);
	else
		return wrong(w, "holds no parameters", w->next[-2]);
	if (!ok)
		return false;
	if (!is_word(w, "}"))
		return wrong(w, "no } behind", message_key(p->tag));
	w->next++;
	return true;
}

/* p0x0123=hex, p0x0123/6=hex: any parameter, with any length field. */
static bool read_raw(struct words *w, char *key, const char *value, struct script_param *p)
{
	char *slash = strchr(key, '/');
	uint64_t tag, len = 0;

	if (slash)
		*slash = 0;
	if (!keyval_number(key + 1, 0, 0xffff, &tag) || (slash && !keyval_number(slash + 1, 0, 0xffff, &len)))
		return false;
	p->tag = (uint16_t)tag;
	p->shape = M3UA_SHAPE_BYTES;
	p->has_len = slash != NULL;
	p->len = (uint16_t)len;
	return read_value(w, value, p);
}

static bool read_keyed(
	struct words *w, const struct place *place, char *key, const char *value, struct script_param *p)
{
	if (!strcmp(key, "raw")) {
		p->verbatim = true;
		return value_hex(w->s, value, &p->bytes);
	}
	if (!strncmp(key, "p0x", 3))
		return read_raw(w, key, value, p);
	p->tag = tag_of(place, key);
	if (!p->tag)
		return false;
	p->shape = m3ua_tag_rule(p->tag)->shape;
	return read_value(w, value, p);
}

static bool read_param(struct words *w, const struct place *place, struct script_param *p)
{
	char *word = talloc_strdup(w->s, *w->next), *eq = strchr(word, '=');

	*p = (struct script_param){.want = SCRIPT_EQUAL};
	if (word[0] == '!') {
		p->want = SCRIPT_ABSENT;
		p->tag = tag_of(place, word + 1);
	} else if (eq) {
		*eq = 0;
		if (!read_keyed(w, place, word, eq + 1, p))
			return wrong(w, "no such parameter, or value", *w->next);
		w->next++;
		return true;
	} else if (w->next + 1 < w->end && !strcmp(w->next[1], "{")) {
		p->tag = tag_of(place, word);
		p->shape = p->tag ? m3ua_tag_rule(p->tag)->shape : M3UA_SHAPE_BYTES;
		return p->tag ? read_nested(w, p) : wrong(w, "no such parameter", word);
	}
	if (!p->tag)
		return wrong(w, "not key=value, !key or key{ }", word);
	w->next++;
	return true;
}

/* ---- the header ---- */

static bool read_type(struct script_message *m, char *value)
{
	char *dot = strchr(value, '.');
	uint64_t class, type;

	if (!dot)
		return false;
	*dot = 0;
	if (!keyval_number(value, 0, 255, &class) || !keyval_number(dot + 1, 0, 255, &type))
		return false;
	m->type = (uint16_t)(class << 8 | type);
	m->has_type = true;
	return true;
}

static bool read_length(struct script_message *m, const char *value)
{
	uint64_t n;
	bool minus = *value == '-';

	m->has_length = true;
	m->length_relative = minus || *value == '+';
	if (!keyval_number(value + m->length_relative, 0, UINT32_MAX, &n))
		return false;
	m->length = minus ? -(int64_t)n : (int64_t)n;
	return true;
}

static bool read_number(const char *value, uint64_t max, int64_t *out)
{
	uint64_t n;

	if (!keyval_number(value, 0, max, &n))
		return false;
	*out = (int64_t)n;
	return true;
}

static bool read_stream(struct script *s, const char *value, struct script_message *m)
{
	m->stream_captured = *value == '?';
	if (!m->stream_captured)
		return value_num(s, value, 65535, &m->stream);
	m->stream.var = script_var(s, value + 1, (unsigned)strlen(value) - 1);
	return m->stream.var != SCRIPT_NO_VAR;
}

/* type=9.9 version=2 ...: 1 it was one of these, 0 it was not, -1 its value is wrong. */
static int read_header(struct words *w, struct script_message *m)
{
	char *word = talloc_strdup(w->s, *w->next), *value = strchr(word, '=');
	int64_t n = 0;
	bool ok;

	if (!value)
		return 0;
	*value++ = 0;
	if (!strcmp(word, "type")) {
		ok = read_type(m, value);
	} else if (!strcmp(word, "length")) {
		ok = read_length(m, value);
	} else if (!strcmp(word, "version")) {
		ok = m->has_version = read_number(value, 255, &n);
		m->version = (uint8_t)n;
	} else if (!strcmp(word, "reserved")) {
		ok = m->has_reserved = read_number(value, 255, &n);
		m->reserved = (uint8_t)n;
	} else if (!strcmp(word, "stream")) {
		ok = m->has_stream = read_stream(w->s, value, m);
	} else if (!strcmp(word, "ppid")) {
		ok = read_number(value, UINT32_MAX, &m->ppid);
	} else if (!strcmp(word, "hex")) {
		ok = m->hex = value_hex(w->s, value, &m->bytes);
	} else {
		return 0;
	}
	return ok ? 1 : -1;
}

static bool read_params(struct words *w, const struct place *place, struct script_message *m,
	struct script_param **out, unsigned *n)
{
	while (w->next < w->end && !is_word(w, "}")) {
		int header = m ? read_header(w, m) : 0;

		if (header < 0)
			return wrong(w, "no such value", *w->next);
		if (header) {
			w->next++;
			continue;
		}
		*out = talloc_realloc(w->s, *out, struct script_param, *n + 1);
		if (!read_param(w, place, &(*out)[*n]))
			return false;
		++*n;
	}
	return true;
}

/* The same overrides for M2PA, whose common header is alike. */
static int m2pa_header(struct script *s, char *word, struct script_message *m, char *err)
{
	struct words w = {.s = s, .next = &word, .end = &word + 1, .err = err};

	return strncmp(word, "hex=", 4) ? read_header(&w, m) : 0;
}

bool script_message_read(
	struct script *s, char **words, unsigned n_words, struct script_message *out, char *err)
{
	struct words w = {.s = s, .next = words, .end = words + n_words, .err = err};
	const struct m3ua_message_rule *rule = NULL;
	struct place place = {0};

	*out = (struct script_message){.stream = {.var = SCRIPT_NO_VAR}, .ppid = -1};
	if (is_word(&w, "M2PA"))
		return script_m2pa_read(s, words, n_words, out, err, m2pa_header);
	if (w.next < w.end && message_type(*w.next, &out->type)) {
		out->has_type = true;
		rule = m3ua_message_rule(out->type);
		place = (struct place){rule->params, rule->n_params};
		w.next++;
	}
	if (is_word(&w, "only")) {
		out->only = true;
		w.next++;
	}
	if (!read_params(&w, &place, out, &out->params, &out->n_params))
		return false;
	if (w.next < w.end)
		return wrong(&w, "not expected here", *w.next);
	if (!out->has_type && !out->hex)
		return wrong(&w, "no message name, type= or hex=", n_words ? words[0] : "");
	return true;
}
