/* SPDX-License-Identifier: GPL-2.0-or-later */
/* M2PA messages that have arrived: do they fit a pattern, may they be ignored, answered at once? */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "sim/script_int.h"
#include "sim/script_m2pa.h"
#include "wire/mtp3_snm.h"

static const char *const keys[SM_FIELDS] = {
#define X(id, key, max) key,
	SCRIPT_M2PA_FIELDS(X)
#undef X
};

bool script_is_m2pa(const uint8_t *msg, uint32_t len)
{
	return len > 3 && msg[2] == M2PA_CLASS;
}

bool script_m2pa_heard(struct script_m2pa_seq *seq, const uint8_t *msg, uint32_t len)
{
	struct m2pa_msg h;

	if (m2pa_parse(msg, len, &h) != M2PA_NO_FAULT || !h.msu_len || h.fsn != m2pa_seq_next(seq->bsn))
		return false;
	seq->bsn = h.fsn;
	return true;
}

/* What a message has of each field; HAVE says which. */
struct got {
	uint32_t v[SM_FIELDS];
	bool have[SM_FIELDS];
	struct script_bytes octets[SM_OCTETS];
	struct m2pa_msg h;
	struct snm snm;
	bool is_snm;
};

static void set(struct got *g, enum script_m2pa_field f, uint32_t v)
{
	g->v[f] = v;
	g->have[f] = true;
}

static void got_snm(struct got *g, const struct snm *m)
{
	g->is_snm = true;
	set(g, SM_SLC, m->slc);
	set(g, SM_LAST, m->fsn);
	set(g, SM_CBC, m->cbc);
	set(g, SM_DEST, m->dest);
	set(g, SM_LEVEL, m->level);
	set(g, SM_USER, m->user);
	set(g, SM_CAUSE, m->cause);
	g->octets[SM_PATTERN] = (struct script_bytes){(uint8_t *)m->pattern, m->pattern_len};
}

static void got_msu(struct got *g, enum pc_variant v, const uint8_t *msu)
{
	uint32_t len = g->h.msu_len, head = mtp3_head_len(v);
	struct mtp3_label label = {.sls = 0};

	set(g, SM_PRI, g->h.pri);
	g->octets[SM_MSU] = (struct script_bytes){(uint8_t *)msu, len};
	if (mtp3_head_read(msu, len, v, &label) != MTP3_OK)
		return;
	set(g, SM_OPC, label.opc);
	set(g, SM_DPC, label.dpc);
	set(g, SM_SI, label.si);
	set(g, SM_NI, label.ni);
	set(g, SM_MP, label.mp);
	set(g, SM_SLS, label.sls);
	g->octets[SM_PAYLOAD] = (struct script_bytes){(uint8_t *)msu + head, len - head};
	if (label.si <= MTP3_SI_TEST_SPECIAL && snm_read(msu, len, v, &label, &g->snm) == MTP3_OK)
		got_snm(g, &g->snm);
}

static enum m2pa_fault look(enum pc_variant v, const uint8_t *msg, uint32_t len, struct got *g)
{
	enum m2pa_fault f;

	*g = (struct got){.is_snm = false};
	f = m2pa_parse(msg, len, &g->h);
	if (f != M2PA_NO_FAULT)
		return f;
	set(g, SM_FSN, g->h.fsn);
	set(g, SM_BSN, g->h.bsn);
	if (g->h.type == M2PA_LINK_STATUS) {
		set(g, SM_STATUS, g->h.state);
		g->octets[SM_FILLER] =
			(struct script_bytes){(uint8_t *)msg + M2PA_STATUS_LEN, len - M2PA_STATUS_LEN};
	} else if (g->h.msu_len) {
		got_msu(g, v, msg + M2PA_USER_HEADER);
	}
	return f;
}

static const char *kind_name(const struct got *g)
{
	if (g->h.type == M2PA_LINK_STATUS)
		return m2pa_state_name(g->h.state);
	return g->is_snm ? snm_name(g->snm.id) : g->h.msu_len ? "data" : "ack";
}

static __attribute__((format(printf, 2, 3))) bool differs(char *why, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vsnprintf(why, SCRIPT_ERR, format, ap);
	va_end(ap);
	return false;
}

static bool kind_fits(const struct script_m2pa *m, const struct got *g)
{
	switch (m->kind) {
	case SM_KIND_STATUS: return g->h.type == M2PA_LINK_STATUS;
	case SM_KIND_ACK: return g->h.type == M2PA_USER_DATA && !g->h.msu_len;
	case SM_KIND_DATA: return g->h.type == M2PA_USER_DATA && g->h.msu_len;
	case SM_KIND_SNM: return g->is_snm && g->snm.id == m->snm;
	}
	return false;
}

static bool fields_fit(struct script *s, const struct script_m2pa *m, const struct got *g, char *why)
{
	for (unsigned f = 0; f < SM_FIELDS; f++) {
		if (m->want[f] == SCRIPT_ANY)
			continue;
		if (!g->have[f])
			return differs(why, "it has no %s", keys[f]);
		if (m->want[f] == SCRIPT_EQUAL && value_of(s, &m->num[f]) != g->v[f])
			return differs(
				why, "%s is %u instead of %u", keys[f], g->v[f], value_of(s, &m->num[f]));
	}
	for (unsigned o = 0; o < SM_OCTETS; o++) {
		const struct script_bytes *a = &m->octets[o], *b = &g->octets[o];

		if (m->has[o] && (a->len != b->len || (a->len && memcmp(a->p, b->p, a->len) != 0)))
			return differs(why, "%s is another", script_m2pa_octet_keys[o]);
	}
	return true;
}

bool script_m2pa_match(
	struct script *s, const struct script_message *msg, const uint8_t *bytes, uint32_t len, char *why)
{
	const struct script_m2pa *m = msg->m2pa;
	struct got g;
	enum m2pa_fault f = look(s->variant, bytes, len, &g);

	if (f != M2PA_NO_FAULT)
		return differs(why, "not M2PA, or malformed: %s", m2pa_fault_name(f));
	if (!kind_fits(m, &g))
		return differs(why, "it is %s", kind_name(&g));
	if (!fields_fit(s, m, &g, why))
		return false;
	for (unsigned i = 0; i < SM_FIELDS; i++)
		if (m->want[i] == SCRIPT_CAPTURE) {
			s->vars[m->num[i].var].value = g.v[i];
			s->vars[m->num[i].var].set = true;
		}
	return true;
}

void script_m2pa_text(const struct script *s, const uint8_t *msg, uint32_t len, char *out, uint32_t size)
{
	struct got g;
	enum m2pa_fault f = look(s->variant, msg, len, &g);

	if (f != M2PA_NO_FAULT)
		snprintf(out, size, "M2PA, malformed: %s", m2pa_fault_name(f));
	else if (g.have[SM_DPC])
		snprintf(out, size, "M2PA %s bsn=%u fsn=%u opc=%u dpc=%u si=%u sls=%u", kind_name(&g),
			g.h.bsn, g.h.fsn, g.v[SM_OPC], g.v[SM_DPC], g.v[SM_SI], g.v[SM_SLS]);
	else
		snprintf(out, size, "M2PA %s bsn=%u fsn=%u", kind_name(&g), g.h.bsn, g.h.fsn);
}

/* ---- ignore, auto ---- */

uint16_t script_m2pa_type_of(const struct script *s, const uint8_t *msg, uint32_t len)
{
	struct got g;

	if (look(s->variant, msg, len, &g) != M2PA_NO_FAULT)
		return 0;
	if (g.h.type == M2PA_LINK_STATUS)
		return (uint16_t)(SM_TYPE_STATUS | g.h.state);
	return g.is_snm ? (uint16_t)(SM_TYPE_SNM | g.snm.id) : g.h.msu_len ? 0 : SM_TYPE_ACK;
}

uint32_t script_m2pa_answer_test(const struct script *s, const uint8_t *msg, uint32_t len,
	struct script_m2pa_seq *seq, uint8_t *buf, uint32_t cap)
{
	struct got g;
	struct mtp3_label label = {.sls = 0};
	uint32_t msu_len = 0;

	if (!script_is_m2pa(msg, len) || look(s->variant, msg, len, &g) != M2PA_NO_FAULT || !g.is_snm ||
		g.snm.id != SNM_SLTM || cap < M2PA_USER_HEADER + SNM_MAX)
		return 0;
	label.opc = g.v[SM_DPC];
	label.dpc = g.v[SM_OPC];
	label.si = (uint8_t)g.v[SM_SI];
	label.ni = (uint8_t)g.v[SM_NI];
	label.mp = (uint8_t)g.v[SM_MP];
	g.snm.id = SNM_SLTA;
	if (snm_write(buf + M2PA_USER_HEADER, SNM_MAX, s->variant, &label, &g.snm, &msu_len) != MTP3_OK)
		return 0;
	seq->fsn = m2pa_seq_next(seq->fsn);
	m2pa_user_write(buf + M2PA_USER_HEADER, msu_len, 0, seq->bsn, seq->fsn);
	return M2PA_USER_HEADER + msu_len;
}

uint32_t script_m2pa_acknowledge(const struct script_m2pa_seq *seq, uint8_t *buf, uint32_t cap)
{
	struct wr w = wr_over(buf, cap);

	m2pa_empty_write(&w, seq->bsn, seq->fsn);
	return w.fault ? 0 : wr_len(&w);
}
