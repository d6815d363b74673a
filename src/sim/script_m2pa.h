/* SPDX-License-Identifier: GPL-2.0-or-later */
/* M2PA messages in scripts, and what is in them: messages of level 3 by the names of their fields. */
#pragma once

#include "sim/script.h"
#include "wire/m2pa.h"

#define SCRIPT_M2PA_FIELDS(X) /* key, greatest value */                                                      \
	X(STATUS, "link_status", UINT32_MAX)                                                                 \
	X(FSN, "fsn", UINT32_MAX)                                                                            \
	X(BSN, "bsn", UINT32_MAX)                                                                            \
	X(PRI, "pri", 3)                                                                                     \
	X(OPC, "opc", 0xffffff)                                                                              \
	X(DPC, "dpc", 0xffffff)                                                                              \
	X(SI, "si", 15)                                                                                      \
	X(NI, "ni", 3)                                                                                       \
	X(MP, "mp", 3)                                                                                       \
	X(SLS, "sls", 255)                                                                                   \
	X(SLC, "slc", 15)                                                                                    \
	X(LAST, "last", 0xffffff) /* FSN in XCO, XCA, COO, COA */                                            \
	X(CBC, "cbc", 255)                                                                                   \
	X(DEST, "dest", 0xffffff)                                                                            \
	X(LEVEL, "level", 3)                                                                                 \
	X(USER, "user", 15)                                                                                  \
	X(CAUSE, "cause", 15)

enum script_m2pa_field {
#define X(id, key, max) SM_##id,
	SCRIPT_M2PA_FIELDS(X)
#undef X
		SM_FIELDS
};

enum script_m2pa_octets { SM_FILLER, SM_MSU, SM_PAYLOAD, SM_PATTERN, SM_OCTETS };

extern const char *const script_m2pa_octet_keys[SM_OCTETS];

/* Types for `ignore`, that no M3UA message has: a link status, an acknowledgement, a message of level 3. */
enum { SM_TYPE_STATUS = 0xb000, SM_TYPE_ACK = 0xb0f0, SM_TYPE_SNM = 0xb100 };

enum script_m2pa_kind { SM_KIND_STATUS, SM_KIND_ACK, SM_KIND_DATA, SM_KIND_SNM };

struct script_m2pa {
	enum script_m2pa_kind kind;
	uint8_t snm; /* enum snm_id */
	struct script_num num[SM_FIELDS];
	uint8_t want[SM_FIELDS]; /* enum script_want; SCRIPT_ANY: not named, or * */
	struct script_bytes octets[SM_OCTETS];
	bool has[SM_OCTETS];
};

/* Numbers that an endpoint has reached; what a message does not name is taken from here. */
struct script_m2pa_seq {
	uint32_t fsn, bsn; /* of the last User Data sent; received */
};

/* "M2PA" is the first of WORDS. What the header's overrides (type=, version= ...) are, HEADER reads: 1 it was
 * one, 0 not, -1 wrong. */
bool script_m2pa_read(struct script *s, char **words, unsigned n, struct script_message *out, char *err,
	int (*header)(struct script *s, char *word, struct script_message *m, char *err));
uint32_t script_m2pa_build(const struct script *s, const struct script_message *m,
	struct script_m2pa_seq *seq, uint8_t *buf, uint32_t cap, char *err);
bool script_m2pa_match(
	struct script *s, const struct script_message *m, const uint8_t *msg, uint32_t len, char *why);
bool script_is_m2pa(const uint8_t *msg, uint32_t len);
void script_m2pa_text(const struct script *s, const uint8_t *msg, uint32_t len, char *out, uint32_t size);

/* For `ignore`: "M2PA:proving_normal", "M2PA:ack", "M2PA:TRA" as a number that is no M3UA type; 0: neither.
 */
uint16_t script_m2pa_type(const char *name);
uint16_t script_m2pa_type_of(const struct script *s, const uint8_t *msg, uint32_t len);
uint16_t script_m2pa_stream(const struct script *s, const struct script_m2pa *m);

/* auto slt: writes the answer to a link test message; 0: this is none. */
uint32_t script_m2pa_answer_test(const struct script *s, const uint8_t *msg, uint32_t len,
	struct script_m2pa_seq *seq, uint8_t *buf, uint32_t cap);
/* An endpoint has received this. True: a message of level 3 or above that is next in order. */
bool script_m2pa_heard(struct script_m2pa_seq *seq, const uint8_t *msg, uint32_t len);
/* auto ack: writes User Data without a message. */
uint32_t script_m2pa_acknowledge(const struct script_m2pa_seq *seq, uint8_t *buf, uint32_t cap);
