/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Messages of signalling network management (Q.704 s.15; ANSI T1.111.4 s.15 and the extended changeover of
 * Q.2210 s.9.8.1 where they differ) and of the signalling link test (Q.707 s.5). One dictionary says which
 * message has which heading code and which fields in which network; reading, writing, names and tests derive
 * from it. */
#pragma once

#include "wire/mtp3.h"

/* id, H0, H1, text */
#define SNM_MESSAGES(X)                                                                                      \
	X(COO, 1, 1, "changeover order")                                                                     \
	X(COA, 1, 2, "changeover acknowledgement")                                                           \
	X(XCO, 1, 3, "extended changeover order")                                                            \
	X(XCA, 1, 4, "extended changeover acknowledgement")                                                  \
	X(CBD, 1, 5, "changeback declaration")                                                               \
	X(CBA, 1, 6, "changeback acknowledgement")                                                           \
	X(ECO, 2, 1, "emergency changeover order")                                                           \
	X(ECA, 2, 2, "emergency changeover acknowledgement")                                                 \
	X(RCT, 3, 1, "route set congestion test")                                                            \
	X(TFC, 3, 2, "transfer controlled")                                                                  \
	X(TFP, 4, 1, "transfer prohibited")                                                                  \
	X(TCP, 4, 2, "transfer cluster prohibited")                                                          \
	X(TFR, 4, 3, "transfer restricted")                                                                  \
	X(TCR, 4, 4, "transfer cluster restricted")                                                          \
	X(TFA, 4, 5, "transfer allowed")                                                                     \
	X(TCA, 4, 6, "transfer cluster allowed")                                                             \
	X(RST, 5, 1, "route set test, prohibited")                                                           \
	X(RSR, 5, 2, "route set test, restricted")                                                           \
	X(RCP, 5, 3, "route set test, cluster prohibited")                                                   \
	X(RCR, 5, 4, "route set test, cluster restricted")                                                   \
	X(LIN, 6, 1, "link inhibit")                                                                         \
	X(LUN, 6, 2, "link uninhibit")                                                                       \
	X(LIA, 6, 3, "link inhibit acknowledgement")                                                         \
	X(LUA, 6, 4, "link uninhibit acknowledgement")                                                       \
	X(LID, 6, 5, "link inhibit denied")                                                                  \
	X(LFU, 6, 6, "link force uninhibit")                                                                 \
	X(LLT, 6, 7, "link local inhibit test")                                                              \
	X(LRT, 6, 8, "link remote inhibit test")                                                             \
	X(TRA, 7, 1, "traffic restart allowed")                                                              \
	X(TRW, 7, 2, "traffic restart waiting")                                                              \
	X(DLC, 8, 1, "signalling data link connection order")                                                \
	X(CSS, 8, 2, "connection successful")                                                                \
	X(CNS, 8, 3, "connection not successful")                                                            \
	X(CNP, 8, 4, "connection not possible")                                                              \
	X(UPU, 10, 1, "user part unavailable")                                                               \
	X(SLTM, 1, 1, "signalling link test")                                                                \
	X(SLTA, 1, 2, "signalling link test acknowledgement")

enum snm_id {
#define X(id, h0, h1, text) SNM_##id,
	SNM_MESSAGES(X)
#undef X
		SNM_IDS
};

/* Q.704 s.15.17.5 */
enum { UPU_UNKNOWN, UPU_UNEQUIPPED, UPU_INACCESSIBLE };

enum { SNM_PATTERN_MAX = 15, SNM_MAX = MTP3_HEAD_MAX + 2 + SNM_PATTERN_MAX };

/* A message; which fields it has, its rule says. The others are 0. */
struct snm {
	uint8_t id;    /* enum snm_id */
	uint8_t slc;   /* of messages that relate to a link: in the label (ITU), or a field (ANSI) */
	uint8_t cbc;   /* changeback code */
	uint8_t level; /* TFC: congestion status */
	uint8_t user, cause;
	uint16_t circuit; /* DLC: signalling data link identity */
	uint32_t fsn;     /* of the last MSU accepted */
	uint32_t dest;
	uint8_t pattern_len;
	uint8_t pattern[SNM_PATTERN_MAX];
};

enum snm_field {
	SNM_SPARE,
	SNM_SLC,
	SNM_FSN,
	SNM_CBC,
	SNM_DEST,
	SNM_LEVEL,
	SNM_USER,
	SNM_CAUSE,
	SNM_CIRCUIT,
	SNM_COUNT,  /* Japan: of destinations, always one here */
	SNM_LENGTH, /* of the test pattern, which follows */
	SNM_FIELDS
};

struct snm_part {
	uint8_t field, bits;
};

enum { SNM_PARTS = 5 };

/* The fields behind the heading code, least significant bit first; the first with no bits ends them. */
struct snm_layout {
	struct snm_part part[SNM_PARTS];
};

struct snm_rule {
	uint8_t si;
	bool of_link;                                 /* relates to a link: has an SLC */
	const struct snm_layout *layout[PC_VARIANTS]; /* NULL: not in such a network */
};

extern const struct snm_rule snm_rules[SNM_IDS];

uint8_t snm_heading(enum snm_id id);                    /* H1 and H0 as they are sent */
const char *snm_name(unsigned id);                      /* "TFP" */
const char *snm_text(unsigned id);                      /* "transfer prohibited" */
uint32_t snm_length(enum snm_id id, enum pc_variant v); /* with SIO and label, without a test pattern */

/* Reads an MSU of SI 0 to 2 (from its SIO on). Octets behind the known fields are accepted (Q.701 s.7.2.6),
 * spare bits ignored. */
enum mtp3_fault snm_read(
	const uint8_t *msu, uint32_t len, enum pc_variant v, struct mtp3_label *label, struct snm *out);

/* Writes SIO, label, heading and fields into CAP octets at P; *LEN is the length. LABEL's si is the rule's,
 * but for tests of ANSI (SI 1 or 2); where the label carries the SLC its sls is M's slc. */
enum mtp3_fault snm_write(uint8_t *p, uint32_t cap, enum pc_variant v, const struct mtp3_label *label,
	const struct snm *m, uint32_t *len);
