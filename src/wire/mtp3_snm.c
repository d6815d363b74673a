/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The dictionary of level 3's own messages, and the two functions that read and write by it. Called by mtp3/
 * and by tests; owns nothing. */
#include "wire/mtp3_snm.h"

#include <stddef.h>
#include <string.h>

/* ---- which fields, in which order (the figures of Q.704 s.15, from right to left) ---- */

/* clang-format off */
#define SPARE(n) {SNM_SPARE, n}
#define SLC      {SNM_SLC, 4}
#define FSN(n)   {SNM_FSN, n}
#define CBC      {SNM_CBC, 8}
#define DEST(n)  {SNM_DEST, n}
#define LEVEL    {SNM_LEVEL, 2}
#define USER     {SNM_USER, 4}
#define CAUSE    {SNM_CAUSE, 4}
#define DATA(n)  {SNM_CIRCUIT, n}
#define COUNT    {SNM_COUNT, 8}
#define LENGTH   {SNM_LENGTH, 4}

static const struct snm_layout
	empty       = {{{0, 0}}},
	slc_ansi    = {{SLC, SPARE(4)}},
	fsn_itu     = {{FSN(7), SPARE(1)}},
	fsn_ansi    = {{SLC, FSN(7), SPARE(5)}},
	fsn24_itu   = {{FSN(24)}},                 /* Q.2210 s.9.8.1 */
	fsn24_ansi  = {{SLC, FSN(24), SPARE(4)}},
	cbc_itu     = {{CBC}},
	cbc_ansi    = {{SLC, CBC, SPARE(4)}},
	dest_14     = {{DEST(14), SPARE(2)}},
	dest_16     = {{COUNT, DEST(16), SPARE(16)}},
	dest_24     = {{DEST(24)}},
	level_14    = {{DEST(14), LEVEL}},
	level_16    = {{SPARE(8), DEST(16), LEVEL, SPARE(6)}},
	level_24    = {{DEST(24), LEVEL, SPARE(6)}},
	user_14     = {{DEST(14), SPARE(2), USER, CAUSE}},
	user_16     = {{DEST(16), USER, CAUSE}},
	user_24     = {{DEST(24), USER, CAUSE}},
	circuit_itu = {{DATA(12), SPARE(4)}},
	circuit_ansi = {{SLC, DATA(14), SPARE(6)}},
	test_itu    = {{SPARE(4), LENGTH}},        /* Q.707 s.5.4 */
	test_ansi   = {{SLC, LENGTH}};

/* ITU, ANSI, China, Japan */
#define ALIKE(itu, ansi)      {&(itu), &(ansi), &(itu), &(itu)}
#define BY_WIDTH(name)        {&name##_14, &name##_24, &name##_24, &name##_16}
#define ONLY_ANSI(ansi)       {NULL, &(ansi), NULL, NULL}

const struct snm_rule snm_rules[SNM_IDS] = {
	[SNM_COO] = {0, true,  ALIKE(fsn_itu, fsn_ansi)},
	[SNM_COA] = {0, true,  ALIKE(fsn_itu, fsn_ansi)},
	[SNM_XCO] = {0, true,  ALIKE(fsn24_itu, fsn24_ansi)},
	[SNM_XCA] = {0, true,  ALIKE(fsn24_itu, fsn24_ansi)},
	[SNM_CBD] = {0, true,  ALIKE(cbc_itu, cbc_ansi)},
	[SNM_CBA] = {0, true,  ALIKE(cbc_itu, cbc_ansi)},
	[SNM_ECO] = {0, true,  ALIKE(empty, slc_ansi)},
	[SNM_ECA] = {0, true,  ALIKE(empty, slc_ansi)},
	[SNM_RCT] = {0, false, ALIKE(empty, empty)},
	[SNM_TFC] = {0, false, BY_WIDTH(level)},
	[SNM_TFP] = {0, false, BY_WIDTH(dest)},
	[SNM_TCP] = {0, false, ONLY_ANSI(dest_24)},
	[SNM_TFR] = {0, false, BY_WIDTH(dest)},
	[SNM_TCR] = {0, false, ONLY_ANSI(dest_24)},
	[SNM_TFA] = {0, false, BY_WIDTH(dest)},
	[SNM_TCA] = {0, false, ONLY_ANSI(dest_24)},
	[SNM_RST] = {0, false, BY_WIDTH(dest)},
	[SNM_RSR] = {0, false, BY_WIDTH(dest)},
	[SNM_RCP] = {0, false, ONLY_ANSI(dest_24)},
	[SNM_RCR] = {0, false, ONLY_ANSI(dest_24)},
	[SNM_LIN] = {0, true,  ALIKE(empty, slc_ansi)},
	[SNM_LUN] = {0, true,  ALIKE(empty, slc_ansi)},
	[SNM_LIA] = {0, true,  ALIKE(empty, slc_ansi)},
	[SNM_LUA] = {0, true,  ALIKE(empty, slc_ansi)},
	[SNM_LID] = {0, true,  ALIKE(empty, slc_ansi)},
	[SNM_LFU] = {0, true,  ALIKE(empty, slc_ansi)},
	[SNM_LLT] = {0, true,  ALIKE(empty, slc_ansi)},
	[SNM_LRT] = {0, true,  ALIKE(empty, slc_ansi)},
	[SNM_TRA] = {0, false, ALIKE(empty, empty)},
	[SNM_TRW] = {0, false, ONLY_ANSI(empty)},
	[SNM_DLC] = {0, true,  ALIKE(circuit_itu, circuit_ansi)},
	[SNM_CSS] = {0, true,  ALIKE(empty, slc_ansi)},
	[SNM_CNS] = {0, true,  ALIKE(empty, slc_ansi)},
	[SNM_CNP] = {0, true,  ALIKE(empty, slc_ansi)},
	[SNM_UPU] = {0, false, BY_WIDTH(user)},
	[SNM_SLTM] = {1, true, ALIKE(test_itu, test_ansi)},
	[SNM_SLTA] = {1, true, ALIKE(test_itu, test_ansi)},
};
/* clang-format on */

/* ---- names and lengths ---- */

uint8_t snm_heading(enum snm_id id)
{
	static const uint8_t headings[SNM_IDS] = {
#define X(name, h0, h1, text) [SNM_##name] = (h1) << 4 | (h0),
		SNM_MESSAGES(X)
#undef X
	};

	return headings[id];
}

const char *snm_name(unsigned id)
{
	static const char *const names[SNM_IDS] = {
#define X(name, h0, h1, text) [SNM_##name] = #name,
		SNM_MESSAGES(X)
#undef X
	};

	return id < SNM_IDS ? names[id] : "?";
}

const char *snm_text(unsigned id)
{
	static const char *const texts[SNM_IDS] = {
#define X(name, h0, h1, text) [SNM_##name] = (text),
		SNM_MESSAGES(X)
#undef X
	};

	return id < SNM_IDS ? texts[id] : "?";
}

static uint32_t body_len(const struct snm_layout *l)
{
	uint32_t bits = 0;

	for (unsigned i = 0; i < SNM_PARTS; i++)
		bits += l->part[i].bits;
	return bits / 8;
}

/* Where the heading code is: behind the label, in Japan behind a spare octet, too. */
static uint32_t heading_at(enum pc_variant v)
{
	return mtp3_head_len(v) + (v == PC_JAPAN);
}

uint32_t snm_length(enum snm_id id, enum pc_variant v)
{
	const struct snm_layout *l = snm_rules[id].layout[v];

	return heading_at(v) + 1 + (l ? body_len(l) : 0);
}

/* ---- one field of a message ---- */

static uint32_t get_field(const struct snm *m, uint8_t field)
{
	switch (field) {
	case SNM_SLC: return m->slc;
	case SNM_FSN: return m->fsn;
	case SNM_CBC: return m->cbc;
	case SNM_DEST: return m->dest;
	case SNM_LEVEL: return m->level;
	case SNM_USER: return m->user;
	case SNM_CAUSE: return m->cause;
	case SNM_CIRCUIT: return m->circuit;
	case SNM_COUNT: return 1;
	case SNM_LENGTH: return m->pattern_len;
	default: return 0;
	}
}

static void set_field(struct snm *m, uint8_t field, uint32_t v)
{
	switch (field) {
	case SNM_SLC: m->slc = (uint8_t)v; break;
	case SNM_FSN: m->fsn = v; break;
	case SNM_CBC: m->cbc = (uint8_t)v; break;
	case SNM_DEST: m->dest = v; break;
	case SNM_LEVEL: m->level = (uint8_t)v; break;
	case SNM_USER: m->user = (uint8_t)v; break;
	case SNM_CAUSE: m->cause = (uint8_t)v; break;
	case SNM_CIRCUIT: m->circuit = (uint16_t)v; break;
	case SNM_LENGTH: m->pattern_len = (uint8_t)v; break;
	default: break;
	}
}

/* Layouts are a whole number of octets, at most 8. */
static void get_parts(const uint8_t *p, const struct snm_layout *l, struct snm *m)
{
	uint64_t bits = 0;

	for (uint32_t i = body_len(l); i > 0; i--)
		bits = bits << 8 | p[i - 1];
	for (unsigned i = 0; i < SNM_PARTS; i++) {
		set_field(m, l->part[i].field, (uint32_t)(bits & ((1u << l->part[i].bits) - 1)));
		bits >>= l->part[i].bits;
	}
}

static enum mtp3_fault put_parts(uint8_t *p, const struct snm_layout *l, const struct snm *m)
{
	uint64_t bits = 0;
	unsigned shift = 0;

	for (unsigned i = 0; i < SNM_PARTS; i++) {
		uint32_t v = get_field(m, l->part[i].field);

		if (v >> l->part[i].bits)
			return l->part[i].field == SNM_DEST ? MTP3_POINT_CODE : MTP3_VALUE;
		bits |= (uint64_t)v << shift;
		shift += l->part[i].bits;
	}
	for (uint32_t i = 0; i < body_len(l); i++)
		p[i] = (uint8_t)(bits >> (8 * i));
	return MTP3_OK;
}

/* ---- whole messages ---- */

static bool is_test(unsigned id)
{
	return id == SNM_SLTM || id == SNM_SLTA;
}

static unsigned find(uint8_t si, uint8_t heading, enum pc_variant v)
{
	unsigned id = 0;

	if (si == MTP3_SI_TEST_SPECIAL)
		si = MTP3_SI_TEST;
	while (id < SNM_IDS &&
		(snm_rules[id].si != si || snm_heading(id) != heading || !snm_rules[id].layout[v]))
		id++;
	return id;
}

static bool has_slc_field(const struct snm_layout *l)
{
	return l->part[0].field == SNM_SLC;
}

/* SI 2 is a test in ANSI only (T1.111.7); elsewhere it is spare. */
static bool is_service(uint8_t si, enum pc_variant v)
{
	return si <= MTP3_SI_TEST || (si == MTP3_SI_TEST_SPECIAL && v == PC_ANSI);
}

static enum mtp3_fault read_pattern(const uint8_t *p, uint32_t left, struct snm *m)
{
	if (m->pattern_len == 0) /* 1 <= n <= 15 */
		return MTP3_PATTERN;
	if (m->pattern_len > left)
		return MTP3_TRUNCATED;
	memcpy(m->pattern, p, m->pattern_len);
	return MTP3_OK;
}

enum mtp3_fault snm_read(
	const uint8_t *msu, uint32_t len, enum pc_variant v, struct mtp3_label *label, struct snm *out)
{
	uint32_t head = heading_at(v), body;
	const struct snm_layout *l;
	unsigned id;

	*out = (struct snm){.id = SNM_IDS};
	if (mtp3_head_read(msu, len, v, label) != MTP3_OK || len < head + 1)
		return MTP3_SHORT;
	if (!is_service(label->si, v))
		return MTP3_SERVICE;
	id = find(label->si, msu[head], v);
	if (id == SNM_IDS)
		return MTP3_HEADING;
	l = snm_rules[id].layout[v];
	body = body_len(l);
	if (len < head + 1 + body)
		return MTP3_TRUNCATED;
	out->id = (uint8_t)id;
	if (snm_rules[id].of_link)
		out->slc = label->sls;
	get_parts(msu + head + 1, l, out);
	return is_test(id) ? read_pattern(msu + head + 1 + body, len - head - 1 - body, out) : MTP3_OK;
}

/* The label that M is sent with. */
static struct mtp3_label label_of(const struct mtp3_label *label, const struct snm *m, enum pc_variant v)
{
	struct mtp3_label l = *label;

	if (!(is_test(m->id) && l.si == MTP3_SI_TEST_SPECIAL && v == PC_ANSI))
		l.si = snm_rules[m->id].si;
	if (snm_rules[m->id].of_link && !has_slc_field(snm_rules[m->id].layout[v]))
		l.sls = m->slc;
	return l;
}

enum mtp3_fault snm_write(uint8_t *p, uint32_t cap, enum pc_variant v, const struct mtp3_label *label,
	const struct snm *m, uint32_t *len)
{
	uint32_t head = heading_at(v), pattern;
	struct mtp3_label l;
	enum mtp3_fault f;

	if (m->id >= SNM_IDS || !snm_rules[m->id].layout[v])
		return MTP3_HEADING;
	if (m->slc > 15)
		return MTP3_VALUE;
	pattern = is_test(m->id) ? m->pattern_len : 0;
	if (is_test(m->id) && (pattern == 0 || pattern > SNM_PATTERN_MAX))
		return MTP3_PATTERN;
	*len = snm_length(m->id, v) + pattern;
	if (*len > cap)
		return MTP3_NO_ROOM;
	l = label_of(label, m, v);
	f = mtp3_head_write(p, v, &l);
	if (f != MTP3_OK)
		return f;
	if (v == PC_JAPAN)
		p[head - 1] = 0;
	p[head] = snm_heading(m->id);
	f = put_parts(p + head + 1, snm_rules[m->id].layout[v], m);
	if (f == MTP3_OK)
		memcpy(p + *len - pattern, m->pattern, pattern);
	return f;
}
