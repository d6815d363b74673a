/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/script_m2pa.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "sim/script_int.h"
#include "wire/mtp3_snm.h"

static const struct {
	const char *key;
	uint32_t max;
} fields[SM_FIELDS] = {
#define X(id, key, max) {key, max},
	SCRIPT_M2PA_FIELDS(X)
#undef X
};

const char *const script_m2pa_octet_keys[SM_OCTETS] = {"filler", "msu", "payload", "pattern"};

/* As link_status= has them; by value. */
static const char *const states[] = {"", "alignment", "proving_normal", "proving_emergency", "ready",
	"processor_outage", "processor_recovered", "busy", "busy_ended", "out_of_service"};

enum { STATES = sizeof(states) / sizeof(*states) };

static uint32_t state_named(const char *name)
{
	for (uint32_t i = 1; i < STATES; i++)
		if (!strcmp(states[i], name))
			return i;
	return 0;
}

/* ---- reading ---- */

static bool read_number(struct script *s, unsigned f, const char *value, struct script_m2pa *m)
{
	m->want[f] = SCRIPT_EQUAL;
	if (!strcmp(value, "*")) {
		m->want[f] = SCRIPT_ANY;
		return true;
	}
	if (*value == '?') {
		m->want[f] = SCRIPT_CAPTURE;
		m->num[f].var = script_var(s, value + 1, (unsigned)strlen(value) - 1);
		return m->num[f].var != SCRIPT_NO_VAR;
	}
	if (f == SM_STATUS && state_named(value)) {
		m->num[f].n = state_named(value);
		return true;
	}
	if (f == SM_OPC || f == SM_DPC || f == SM_DEST)
		return value_pc(s, value, &m->num[f]);
	return value_num(s, value, fields[f].max, &m->num[f]);
}

static bool read_field(struct script *s, const char *key, const char *value, struct script_m2pa *m)
{
	for (unsigned f = 0; f < SM_FIELDS; f++)
		if (!strcmp(fields[f].key, key))
			return read_number(s, f, value, m);
	for (unsigned o = 0; o < SM_OCTETS; o++)
		if (!strcmp(script_m2pa_octet_keys[o], key)) {
			m->has[o] = strcmp(value, "*") != 0;
			return !m->has[o] || value_hex(s, value, &m->octets[o]);
		}
	return false;
}

/* "data", "ack" or the name of a message of level 3; without one it is a Link Status. */
static bool read_kind(const char *word, struct script_m2pa *m)
{
	m->kind = !strcmp(word, "ack") ? SM_KIND_ACK : !strcmp(word, "data") ? SM_KIND_DATA : SM_KIND_STATUS;
	for (unsigned id = 0; id < SNM_IDS; id++)
		if (!strcmp(snm_name(id), word)) {
			m->kind = SM_KIND_SNM;
			m->snm = (uint8_t)id;
		}
	return m->kind != SM_KIND_STATUS;
}

bool script_m2pa_read(struct script *s, char **words, unsigned n, struct script_message *out, char *err,
	int (*header)(struct script *s, char *word, struct script_message *m, char *err))
{
	struct script_m2pa *m = talloc_zero(s, struct script_m2pa);
	unsigned i = 1;

	out->m2pa = m;
	for (unsigned f = 0; f < SM_FIELDS; f++) {
		m->num[f].var = SCRIPT_NO_VAR;
		m->want[f] = SCRIPT_ANY;
	}
	i += n > 1 && read_kind(words[1], m);
	for (; i < n; i++) {
		char *key = talloc_strdup(s, words[i]), *eq = strchr(key, '=');
		int is_header = header(s, words[i], out, err);

		if (eq)
			*eq = 0;
		if (is_header < 0 || (!is_header && (!eq || !read_field(s, key, eq + 1, m)))) {
			snprintf(err, SCRIPT_ERR, "no such field, or value, of M2PA: \"%.200s\"", words[i]);
			return false;
		}
	}
	return true;
}

/* ---- sending ---- */

static uint32_t num(
	const struct script *s, const struct script_m2pa *m, enum script_m2pa_field f, uint32_t other)
{
	return m->want[f] == SCRIPT_EQUAL ? value_of(s, &m->num[f]) : other;
}

static struct mtp3_label label_of(const struct script *s, const struct script_m2pa *m)
{
	return (struct mtp3_label){.opc = num(s, m, SM_OPC, 0),
		.dpc = num(s, m, SM_DPC, 0),
		.si = (uint8_t)num(s, m, SM_SI, m->kind == SM_KIND_SNM ? snm_rules[m->snm].si : MTP3_SI_SCCP),
		.ni = (uint8_t)num(s, m, SM_NI, 2),
		.mp = (uint8_t)num(s, m, SM_MP, 0),
		.sls = (uint8_t)num(s, m, SM_SLS, 0)};
}

static bool put_snm(const struct script *s, struct wr *w, const struct script_m2pa *m)
{
	struct mtp3_label label = label_of(s, m);
	struct snm snm = {.id = m->snm,
		.slc = (uint8_t)num(s, m, SM_SLC, 0),
		.cbc = (uint8_t)num(s, m, SM_CBC, 0),
		.level = (uint8_t)num(s, m, SM_LEVEL, 0),
		.user = (uint8_t)num(s, m, SM_USER, 0),
		.cause = (uint8_t)num(s, m, SM_CAUSE, 0),
		.fsn = num(s, m, SM_LAST, 0),
		.dest = num(s, m, SM_DEST, 0)};
	const struct script_bytes *pattern = &m->octets[SM_PATTERN];
	uint8_t buf[SNM_MAX];
	uint32_t len = 0;

	if (pattern->len > SNM_PATTERN_MAX)
		return false;
	snm.pattern_len = (uint8_t)pattern->len;
	if (pattern->len)
		memcpy(snm.pattern, pattern->p, pattern->len);
	if (snm_write(buf, sizeof(buf), s->variant, &label, &snm, &len) != MTP3_OK)
		return false;
	wr_bytes(w, buf, len);
	return true;
}

static bool put_msu(const struct script *s, struct wr *w, const struct script_m2pa *m)
{
	struct mtp3_label label = label_of(s, m);
	uint8_t head[MTP3_HEAD_MAX];

	wr_u8(w, (uint8_t)(num(s, m, SM_PRI, 0) << 6));
	if (m->kind == SM_KIND_SNM)
		return put_snm(s, w, m);
	if (m->has[SM_MSU]) {
		wr_bytes(w, m->octets[SM_MSU].p, m->octets[SM_MSU].len);
		return true;
	}
	if (mtp3_head_write(head, s->variant, &label) != MTP3_OK)
		return false;
	wr_bytes(w, head, mtp3_head_len(s->variant));
	wr_bytes(w, m->octets[SM_PAYLOAD].p, m->octets[SM_PAYLOAD].len);
	return true;
}

static void restart_numbers(struct script_m2pa_seq *seq)
{
	seq->fsn = seq->bsn = M2PA_SEQ_START;
}

uint32_t script_m2pa_build(const struct script *s, const struct script_message *msg,
	struct script_m2pa_seq *seq, uint8_t *buf, uint32_t cap, char *err)
{
	const struct script_m2pa *m = msg->m2pa;
	bool status = m->kind == SM_KIND_STATUS, numbered = !status && m->kind != SM_KIND_ACK, ok = true;
	struct wr w = wr_over(buf, cap);
	uint32_t fsn, len, state = num(s, m, SM_STATUS, 0);

	if (status && state == M2PA_ALIGNMENT)
		restart_numbers(seq);
	fsn = num(s, m, SM_FSN, numbered ? m2pa_seq_next(seq->fsn) : seq->fsn);
	if (numbered)
		seq->fsn = fsn;
	wr_u8(&w, msg->has_version ? msg->version : M2PA_VERSION);
	wr_u8(&w, msg->reserved);
	wr_u16(&w, msg->has_type
			   ? msg->type
			   : (uint16_t)(M2PA_CLASS << 8 | (status ? M2PA_LINK_STATUS : M2PA_USER_DATA)));
	wr_u32(&w, 0);
	wr_u32(&w, num(s, m, SM_BSN, seq->bsn));
	wr_u32(&w, fsn);
	if (status) {
		wr_u32(&w, state);
		wr_bytes(&w, m->octets[SM_FILLER].p, m->octets[SM_FILLER].len);
	} else if (numbered) {
		ok = put_msu(s, &w, m);
	}
	len = wr_len(&w);
	if (!ok || w.fault) {
		snprintf(err, SCRIPT_ERR, "this message cannot be written in this network");
		return 0;
	}
	put_u32(buf + 4, (uint32_t)((!msg->has_length || msg->length_relative ? len : 0) + msg->length));
	return len;
}

uint16_t script_m2pa_stream(const struct script *s, const struct script_m2pa *m)
{
	uint32_t state = num(s, m, SM_STATUS, 0);

	return m->kind != SM_KIND_STATUS || state == M2PA_PROCESSOR_OUTAGE ||
	       state == M2PA_PROCESSOR_RECOVERED;
}

/* ---- ignore ---- */

uint16_t script_m2pa_type(const char *name)
{
	if (strncmp(name, "M2PA:", 5) != 0)
		return 0;
	if (!strcmp(name + 5, "ack"))
		return SM_TYPE_ACK;
	for (unsigned id = 0; id < SNM_IDS; id++)
		if (!strcmp(snm_name(id), name + 5))
			return (uint16_t)(SM_TYPE_SNM | id);
	return state_named(name + 5) ? (uint16_t)(SM_TYPE_STATUS | state_named(name + 5)) : 0;
}
