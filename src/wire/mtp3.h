/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Service information octet and routing label (Q.704 s.2.2, 14.2), as they lie on a link: the first octets of
 * an MSU of level 3. To and from struct mtp3_label, which is what M3UA carries; one place for both
 * directions.
 *
 * In every variant the label is one number, least significant octet first: DPC, then OPC, then SLS:
 *
 *     ITU     14 14 4          4 octets         ANSI   24 24 8           7 octets
 *     China   24 24 4 (4)      7 octets         Japan  16 16 4 (4)       5 octets */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "wire/m3ua_data.h"
#include "wire/pc.h"

#define MTP3_FAULTS(X)                                                                                       \
	X(OK, "ok")                                                                                          \
	X(SHORT, "shorter than its label and heading")                                                       \
	X(TRUNCATED, "shorter than its fields")                                                              \
	X(HEADING, "no such heading code")                                                                   \
	X(SERVICE, "not a service indicator of network management or test")                                  \
	X(PATTERN, "test pattern of a wrong length")                                                         \
	X(POINT_CODE, "point code too large for the network")                                                \
	X(VALUE, "a field's value does not fit")                                                             \
	X(NO_ROOM, "no room")

enum mtp3_fault {
#define X(id, text) MTP3_##id,
	MTP3_FAULTS(X)
#undef X
		MTP3_FAULT_COUNT
};

const char *mtp3_fault_name(enum mtp3_fault f);

/* Q.704 s.14.2.1 */
enum { MTP3_SI_SNM = 0, MTP3_SI_TEST = 1, MTP3_SI_TEST_SPECIAL = 2, MTP3_SI_SCCP = 3, MTP3_SI_ISUP = 5 };

struct mtp3_shape {
	uint8_t pc_bits, sls_bits;
	uint8_t octets;    /* of the label */
	bool sio_priority; /* the SIO's spare bits are the priority (else M2PA's PRI is: Japan) */
};

extern const struct mtp3_shape mtp3_shapes[PC_VARIANTS];

enum { MTP3_HEAD_MAX = 1 + 7 }; /* SIO and the longest label */

/* Octets of SIO and label together. */
static inline uint32_t mtp3_head_len(enum pc_variant v)
{
	return 1u + mtp3_shapes[v].octets;
}

uint8_t mtp3_sio_pack(const struct mtp3_label *l, enum pc_variant v);
void mtp3_sio_unpack(uint8_t sio, enum pc_variant v, struct mtp3_label *l);

/* Right by one within the lowest BITS, which are left as they are if 0 (T1.111.4 s.7); mtp3_sls_unrotate() is
 * the inverse. */
static inline uint8_t mtp3_sls_rotate(uint8_t sls, uint8_t bits)
{
	uint8_t mask = (uint8_t)((1u << bits) - 1), low = sls & mask;

	return bits ? (uint8_t)((sls & ~mask) | low >> 1 | (low & 1) << (bits - 1)) : sls;
}

static inline uint8_t mtp3_sls_unrotate(uint8_t sls, uint8_t bits)
{
	uint8_t mask = (uint8_t)((1u << bits) - 1), low = sls & mask;

	return bits ? (uint8_t)((sls & ~mask) | ((low << 1) & mask) | low >> (bits - 1)) : sls;
}

/* Reads SIO and label of an MSU of LEN octets; what follows is mtp3_head_len() octets in. Spare bits are not
 * looked at. MTP3_SHORT if it ends before. */
enum mtp3_fault mtp3_head_read(const uint8_t *msu, uint32_t len, enum pc_variant v, struct mtp3_label *out);

/* Writes SIO and label (mtp3_head_len() octets) at P. An SLS wider than the network's is cut to its low bits:
 * a flow of an ASP still has one SLS. MTP3_POINT_CODE, with nothing written, if a point code does not fit. */
enum mtp3_fault mtp3_head_write(uint8_t *p, enum pc_variant v, const struct mtp3_label *l);
