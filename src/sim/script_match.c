/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Does a received message fit a pattern? Only what the pattern names has to fit; lists of numbers in any
 * order, because no order of Routing Contexts or point codes means anything in RFC 4666. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/script_int.h"
#include "sim/script_m2pa.h"

enum { NUMS = 1024, SENT_LEAST = 40 }; /* octets of the offending message: s.3.8.1 */

struct match {
	struct script *s;
	const struct script_bytes *sent;
	char *why;
};

static __attribute__((format(printf, 2, 3))) bool differs(struct match *m, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vsnprintf(m->why, SCRIPT_ERR, format, ap);
	va_end(ap);
	return false;
}

/* ---- numbers ---- */

static unsigned got_nums(const struct script_param *p, const struct m3ua_param *got, uint32_t *out)
{
	bool octets = p->shape == M3UA_SHAPE_U8_LIST;
	uint32_t n = octets ? got->len : m3ua_list_len(got);

	if (n > NUMS)
		n = NUMS;
	for (uint32_t i = 0; i < n; i++)
		out[i] = octets ? got->v[i] : m3ua_list_u32(got, i);
	return n;
}

static int by_value(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

static void say_nums(uint16_t tag, bool pcs, const uint32_t *v, unsigned n, char *out, size_t size)
{
	size_t at = 0;

	out[0] = 0;
	for (unsigned i = 0; i < n && at < size; i++) {
		const char *name = value_name(tag, v[i]);
		const char *comma = i ? "," : "";

		if (name)
			at += (size_t)snprintf(out + at, size - at, "%s%s", comma, name);
		else if (pcs && v[i] >> 24)
			at += (size_t)snprintf(
				out + at, size - at, "%s%u/%u", comma, v[i] & 0xffffff, v[i] >> 24);
		else
			at += (size_t)snprintf(out + at, size - at, "%s%u", comma, v[i]);
	}
}

static bool nums_fit(struct match *m, const struct script_param *p, const struct m3ua_param *got)
{
	static uint32_t want[NUMS], have[NUMS];
	unsigned n = got_nums(p, got, have), n_want = p->n_nums < NUMS ? p->n_nums : NUMS;
	bool pcs = p->shape == M3UA_SHAPE_PC_LIST;
	char wanted[160], came[160];

	for (unsigned i = 0; i < n_want; i++)
		want[i] = value_of(m->s, &p->nums[i]);
	qsort(want, n_want, sizeof(*want), by_value);
	qsort(have, n, sizeof(*have), by_value);
	if (n == n_want && !memcmp(want, have, n * sizeof(*want)))
		return true;
	say_nums(p->tag, pcs, want, n_want, wanted, sizeof(wanted));
	say_nums(p->tag, pcs, have, n, came, sizeof(came));
	return differs(m, "%s is %s instead of %s", message_key(p->tag), came, wanted);
}

/* ---- bytes ---- */

static bool bytes_fit(struct match *m, const struct script_param *p, const struct m3ua_param *got)
{
	if (got->len == p->bytes.len && (!got->len || !memcmp(got->v, p->bytes.p, got->len)))
		return true;
	return differs(m, "%s has %u octets that are not the %u expected", message_key(p->tag), got->len,
		p->bytes.len);
}

static bool sent_fits(struct match *m, const struct script_param *p, const struct m3ua_param *got)
{
	uint32_t least = m->sent->len < SENT_LEAST ? m->sent->len : SENT_LEAST;

	if (got->len >= least && got->len <= m->sent->len && !memcmp(got->v, m->sent->p, got->len))
		return true;
	return differs(
		m, "%s does not have the first %u octets of what was sent", message_key(p->tag), least);
}

/* ---- Protocol Data ---- */

static bool label_fits(struct match *m, const struct script_param *p, const struct m3ua_param *got)
{
	const struct script_label *l = p->label;
	struct rd r = rd_over(got->v, got->len);
	uint32_t have[LABEL_FIELDS];

	if (!l)
		return bytes_fit(m, p, got);
	for (unsigned i = 0; i < LABEL_FIELDS; i++)
		have[i] = i <= LABEL_DPC ? rd_u32(&r) : rd_u8(&r);
	for (unsigned i = 0; i < LABEL_FIELDS; i++)
		if (l->has[i] && have[i] != value_of(m->s, &l->field[i]))
			return differs(m, "%s is %u instead of %u", message_label_keys[i], have[i],
				value_of(m->s, &l->field[i]));
	if (!l->has_payload || (rd_left(&r) == l->payload.len &&
				       (!l->payload.len || !memcmp(r.p, l->payload.p, l->payload.len))))
		return true;
	return differs(m, "the payload is another");
}

/* ---- parameters ---- */

static bool nested_fits(struct match *m, const struct script_param *p, const struct m3ua_param *got);

static bool param_fits(struct match *m, const struct script_param *p, const struct m3ua_param *got)
{
	switch (p->want) {
	case SCRIPT_ANY:
	case SCRIPT_CAPTURE: return true;
	case SCRIPT_SENT: return sent_fits(m, p, got);
	default: break;
	}
	switch (p->shape) {
	case M3UA_SHAPE_LABEL: return label_fits(m, p, got);
	case M3UA_SHAPE_NESTED: return nested_fits(m, p, got);
	case M3UA_SHAPE_TEXT:
	case M3UA_SHAPE_BYTES: return bytes_fit(m, p, got);
	default: return nums_fit(m, p, got);
	}
}

static void capture(struct match *m, const struct script_param *p, const struct m3ua_param *got)
{
	if (p->want != SCRIPT_CAPTURE)
		return;
	m->s->vars[p->var].value = m3ua_list_u32(got, 0);
	m->s->vars[p->var].set = true;
}

/* A walk over the parameters of a message, or of one that nests. */
struct walk {
	const struct m3ua_msg *msg;
	const struct m3ua_param *outer;
};

static bool walk_next(const struct walk *w, struct m3ua_param *it)
{
	return w->outer ? m3ua_next_inside(w->outer, it) : m3ua_next(w->msg, it);
}

/* The parameter for P: of those with its tag, one that fits (several Registration Results: any order). */
static bool find_fitting(struct match *m, const struct walk *w, const struct script_param *p)
{
	struct m3ua_param it = {0};
	bool found = false;

	while (walk_next(w, &it)) {
		if (it.tag != p->tag)
			continue;
		if (p->want == SCRIPT_ABSENT)
			return differs(m, "%s is there", message_key(p->tag));
		found = true;
		if (param_fits(m, p, &it)) {
			capture(m, p, &it);
			return true;
		}
	}
	if (p->want == SCRIPT_ABSENT)
		return true;
	if (found)
		return false; /* said by the last that did not fit */
	if (p->tag && m3ua_tag_rule(p->tag))
		return differs(m, "%s is missing", message_key(p->tag));
	return differs(m, "parameter 0x%04x is missing", p->tag);
}

static bool params_fit(struct match *m, const struct walk *w, const struct script_param *v, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (!find_fitting(m, w, &v[i]))
			return false;
	return true;
}

static bool nested_fits(struct match *m, const struct script_param *p, const struct m3ua_param *got)
{
	return params_fit(m, &(struct walk){.outer = got}, p->inside, p->n_inside);
}

static bool none_but_named(struct match *m, const struct m3ua_msg *msg, const struct script_message *p)
{
	struct m3ua_param it = {0};

	while (m3ua_next(msg, &it)) {
		unsigned i = 0;

		while (i < p->n_params && (p->params[i].tag != it.tag || p->params[i].want == SCRIPT_ABSENT))
			i++;
		if (i == p->n_params)
			return differs(m, "%s is there", m3ua_tag_name(it.tag));
	}
	return true;
}

/* ---- the whole ---- */

static bool says_absent(const struct script_message *p, uint16_t tag)
{
	for (unsigned i = 0; i < p->n_params; i++)
		if (p->params[i].want == SCRIPT_ABSENT && p->params[i].tag == tag)
			return true;
	return false;
}

static bool header_fits(struct match *m, const struct script_message *p, const struct m3ua_msg *msg,
	const struct m3ua_fault *f, uint16_t stream)
{
	if (p->has_type && msg->type != p->type)
		return differs(m, "it is %s, not %s", m3ua_type_name(msg->type), m3ua_type_name(p->type));
	if (p->has_stream && !p->stream_captured && stream != value_of(m->s, &p->stream))
		return differs(m, "it came on stream %u", stream);
	if (p->has_version && msg->bytes[0] != p->version)
		return differs(m, "the version is %u", msg->bytes[0]);
	/* a fault in what came is a failure even where the script does not look */
	if (f->error != M3UA_E_NONE && !p->has_version)
		return differs(m, "malformed: %s (%s)", f->what, m3ua_tag_name(f->tag));
	return true;
}

bool script_match(struct script *s, const struct script_message *p, const uint8_t *bytes, uint32_t len,
	uint16_t stream, const struct script_bytes *sent, char *why)
{
	struct match m = {.s = s, .sent = sent, .why = why};
	struct m3ua_fault f;
	struct m3ua_msg msg;

	why[0] = 0;
	if (p->m2pa) {
		if (p->has_stream && !p->stream_captured && stream != value_of(s, &p->stream))
			return differs(&m, "it came on stream %u", stream);
		if (!script_m2pa_match(s, p, bytes, len, why))
			return false;
		if (p->stream_captured)
			s->vars[p->stream.var].value = stream;
		return true;
	}
	if (p->hex) {
		if (len == p->bytes.len && !memcmp(bytes, p->bytes.p, len))
			return true;
		return differs(&m, "the octets are others");
	}
	if (m3ua_parse(bytes, len, &msg, &f) && !m3ua_complete(&msg, &f) && says_absent(p, f.tag))
		f.error = M3UA_E_NONE; /* s.4.3.4.3 wants "Invalid Routing Context" where there is none */
	if (len < M3UA_HEADER)
		return differs(&m, "shorter than a header");
	if (!header_fits(&m, p, &msg, &f, stream))
		return false;
	if (!params_fit(&m, &(struct walk){.msg = &msg}, p->params, p->n_params))
		return false;
	if (p->only && !none_but_named(&m, &msg, p))
		return false;
	if (p->stream_captured)
		s->vars[p->stream.var].value = stream;
	return true;
}
