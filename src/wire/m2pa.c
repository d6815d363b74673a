/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "wire/m2pa.h"

#include <stddef.h>

#define X(id, value, name) [value] = name,
static const char *const state_names[] = {M2PA_STATES(X)};
#undef X
#define X(id, name) [M2PA_##id] = name,
static const char *const fault_names[M2PA_FAULT_COUNT] = {M2PA_FAULTS(X)};
#undef X

enum { STATES = sizeof(state_names) / sizeof(state_names[0]) };

const char *m2pa_state_name(uint32_t state)
{
	return state < STATES && state_names[state] ? state_names[state] : "?";
}

const char *m2pa_fault_name(enum m2pa_fault f)
{
	return (unsigned)f < M2PA_FAULT_COUNT ? fault_names[f] : "?";
}

/* ---- reading ---- */

static enum m2pa_fault parse_user(struct rd *r, struct m2pa_msg *out)
{
	if (!rd_left(r))
		return M2PA_NO_FAULT;
	out->pri = rd_u8(r) >> 6;
	out->msu_len = rd_left(r);
	return out->msu_len < M2PA_MSU_MIN ? M2PA_SHORT_MSU : M2PA_NO_FAULT;
}

static bool may_have_filler(uint32_t state)
{
	return state == M2PA_PROVING_NORMAL || state == M2PA_PROVING_EMERGENCY;
}

static enum m2pa_fault parse_status(struct rd *r, struct m2pa_msg *out)
{
	out->state = rd_u32(r);
	if (r->fault)
		return M2PA_BAD_LENGTH;
	if (out->state >= STATES || !state_names[out->state])
		return M2PA_BAD_STATE;
	return rd_left(r) && !may_have_filler(out->state) ? M2PA_BAD_LENGTH : M2PA_NO_FAULT;
}

/* The order is that in which the octets lie. The spare and the unused octets are ignored. */
enum m2pa_fault m2pa_parse(const uint8_t *p, uint32_t len, struct m2pa_msg *out)
{
	struct rd r = rd_over(p, len);
	uint8_t class;
	uint32_t length;
	enum m2pa_fault f;

	*out = (struct m2pa_msg){.version = rd_u8(&r)};
	rd_u8(&r);
	class = rd_u8(&r);
	out->type = rd_u8(&r);
	length = rd_u32(&r);
	out->bsn = rd_u32(&r) & M2PA_SEQ_MASK;
	out->fsn = rd_u32(&r) & M2PA_SEQ_MASK;
	if (r.fault)
		return M2PA_SHORT;
	if (class != M2PA_CLASS)
		return M2PA_BAD_CLASS;
	if (length != len)
		f = M2PA_BAD_LENGTH;
	else if (out->type == M2PA_USER_DATA)
		f = parse_user(&r, out);
	else if (out->type == M2PA_LINK_STATUS)
		f = parse_status(&r, out);
	else
		f = M2PA_BAD_TYPE;
	return out->version == M2PA_VERSION ? f : M2PA_BAD_VERSION;
}

/* ---- writing ---- */

static void write_header(struct wr *w, enum m2pa_type type, uint32_t len, uint32_t bsn, uint32_t fsn)
{
	wr_u32(w, (uint32_t)M2PA_VERSION << 24 | M2PA_CLASS << 8 | type);
	wr_u32(w, len);
	wr_u32(w, bsn & M2PA_SEQ_MASK);
	wr_u32(w, fsn & M2PA_SEQ_MASK);
}

uint8_t *m2pa_user_write(uint8_t *sio, uint32_t msu_len, uint8_t pri, uint32_t bsn, uint32_t fsn)
{
	uint8_t *p = sio - M2PA_USER_HEADER;
	struct wr w = wr_over(p, M2PA_USER_HEADER);

	write_header(&w, M2PA_USER_DATA, M2PA_USER_HEADER + msu_len, bsn, fsn);
	wr_u8(&w, (uint8_t)(pri << 6));
	return p;
}

void m2pa_empty_write(struct wr *w, uint32_t bsn, uint32_t fsn)
{
	write_header(w, M2PA_USER_DATA, M2PA_HEADER, bsn, fsn);
}

void m2pa_status_write(
	struct wr *w, uint32_t state, uint32_t bsn, uint32_t fsn, uint32_t filler, uint32_t seed)
{
	uint8_t *p;

	write_header(w, M2PA_LINK_STATUS, M2PA_STATUS_LEN + filler, bsn, fsn);
	wr_u32(w, state);
	p = filler ? wr_room(w, filler) : NULL;
	for (uint32_t i = 0; p && i < filler; i++) {
		seed = seed * 1664525u + 1013904223u;
		p[i] = (uint8_t)(seed >> 24);
	}
}
