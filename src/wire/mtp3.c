/* SPDX-License-Identifier: GPL-2.0-or-later */
/* SIO and routing label. Called for every MSU between a link and the forwarding table; owns nothing. */
#include "wire/mtp3.h"

const struct mtp3_shape mtp3_shapes[PC_VARIANTS] = {
	[PC_ITU] = {.pc_bits = 14, .sls_bits = 4, .octets = 4, .sio_priority = true},
	[PC_ANSI] = {.pc_bits = 24, .sls_bits = 8, .octets = 7, .sio_priority = true},
	[PC_CHINA] = {.pc_bits = 24, .sls_bits = 4, .octets = 7, .sio_priority = true},
	[PC_JAPAN] = {.pc_bits = 16, .sls_bits = 4, .octets = 5, .sio_priority = false},
};

const char *mtp3_fault_name(enum mtp3_fault f)
{
	static const char *const names[MTP3_FAULT_COUNT] = {
#define X(id, text) [MTP3_##id] = (text),
		MTP3_FAULTS(X)
#undef X
	};

	return f < MTP3_FAULT_COUNT ? names[f] : "?";
}

uint8_t mtp3_sio_pack(const struct mtp3_label *l, enum pc_variant v)
{
	uint8_t mp = mtp3_shapes[v].sio_priority ? l->mp : 0;

	return (uint8_t)((l->ni & 3) << 6 | (mp & 3) << 4 | (l->si & 15));
}

void mtp3_sio_unpack(uint8_t sio, enum pc_variant v, struct mtp3_label *l)
{
	l->ni = sio >> 6;
	l->mp = mtp3_shapes[v].sio_priority ? (sio >> 4) & 3 : 0;
	l->si = sio & 15;
}

enum mtp3_fault mtp3_head_read(const uint8_t *msu, uint32_t len, enum pc_variant v, struct mtp3_label *out)
{
	const struct mtp3_shape *s = &mtp3_shapes[v];
	uint32_t pc_mask = (1u << s->pc_bits) - 1;
	uint64_t label = 0;

	if (len < mtp3_head_len(v))
		return MTP3_SHORT;
	for (unsigned i = s->octets; i > 0; i--)
		label = label << 8 | msu[i];
	mtp3_sio_unpack(msu[0], v, out);
	out->dpc = (uint32_t)label & pc_mask;
	out->opc = (uint32_t)(label >> s->pc_bits) & pc_mask;
	out->sls = (uint8_t)(label >> (2 * s->pc_bits) & ((1u << s->sls_bits) - 1));
	return MTP3_OK;
}

enum mtp3_fault mtp3_head_write(uint8_t *p, enum pc_variant v, const struct mtp3_label *l)
{
	const struct mtp3_shape *s = &mtp3_shapes[v];
	uint64_t sls = l->sls & ((1u << s->sls_bits) - 1);
	uint64_t label;

	if (l->dpc >> s->pc_bits || l->opc >> s->pc_bits)
		return MTP3_POINT_CODE;
	label = sls << (2 * s->pc_bits) | (uint64_t)l->opc << s->pc_bits | l->dpc;
	*p++ = mtp3_sio_pack(l, v);
	for (unsigned i = 0; i < s->octets; i++)
		*p++ = (uint8_t)(label >> (8 * i));
	return MTP3_OK;
}
