/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The M2PA codec (RFC 4165 s.2): one message, checked and taken apart in place, and written. Pure: no
 * allocation, no state.
 *
 *      0               1               2               3
 *     +---------------+---------------+---------------+---------------+
 *     |  version 1    |     spare     |   class 11    |     type      |
 *     +---------------+---------------+---------------+---------------+
 *     |              length of the whole message, in octets           |
 *     +---------------+---------------+---------------+---------------+
 *     |    unused     |            BSN: last FSN received             |
 *     +---------------+-----------------------------------------------+
 *     |    unused     |            FSN: of this, or of the last, User Data
 *     +---------------+-----------------------------------------------+
 *     User Data:    nothing, or | PRI 2 bits, spare 6 | SIO | SIF ...
 *     Link Status:  | state, 32 bits | filler, Proving only ...
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "wire/cursor.h"

enum {
	M2PA_VERSION = 1,
	M2PA_CLASS = 11,
	M2PA_HEADER = 16,      /* common and M2PA-specific header: an empty User Data message */
	M2PA_USER_HEADER = 17, /* and the octet of the priority: what is in front of the SIO */
	M2PA_STATUS_LEN = 20,  /* a Link Status message without filler */
	M2PA_MSU_MIN = 3,      /* SIO and two octets of SIF: a length indicator above 2 (Q.703 s.2.3.3) */
};

enum m2pa_type { M2PA_USER_DATA = 1, M2PA_LINK_STATUS = 2 };

#define M2PA_STATES(X) /* s.2.3.2 */                                                                         \
	X(ALIGNMENT, 1, "Alignment")                                                                         \
	X(PROVING_NORMAL, 2, "Proving Normal")                                                               \
	X(PROVING_EMERGENCY, 3, "Proving Emergency")                                                         \
	X(READY, 4, "Ready")                                                                                 \
	X(PROCESSOR_OUTAGE, 5, "Processor Outage")                                                           \
	X(PROCESSOR_RECOVERED, 6, "Processor Recovered")                                                     \
	X(BUSY, 7, "Busy")                                                                                   \
	X(BUSY_ENDED, 8, "Busy Ended")                                                                       \
	X(OUT_OF_SERVICE, 9, "Out of Service")

#define X(id, value, name) M2PA_##id = value,
enum m2pa_state { M2PA_STATES(X) };
#undef X

/* "Alignment", ...; "?" for a value that the standard does not define. */
const char *m2pa_state_name(uint32_t state);

/* What can be wrong with a message. A spare octet that is not zero is not: it is ignored (s.2.1.2). */
#define M2PA_FAULTS(X)                                                                                       \
	X(NO_FAULT, "none")                                                                                  \
	X(SHORT, "shorter than its header")                                                                  \
	X(BAD_VERSION, "unsupported version")                                                                \
	X(BAD_CLASS, "invalid message class")                                                                \
	X(BAD_TYPE, "unsupported message type")                                                              \
	X(BAD_LENGTH, "length field is not the message's length")                                            \
	X(BAD_STATE, "no such link status")                                                                  \
	X(SHORT_MSU, "User Data too short for an MSU")

#define X(id, name) M2PA_##id,
enum m2pa_fault { M2PA_FAULTS(X) M2PA_FAULT_COUNT };
#undef X
const char *m2pa_fault_name(enum m2pa_fault f);

struct m2pa_msg {
	uint8_t version, type; /* enum m2pa_type */
	uint32_t bsn, fsn;
	uint32_t state;   /* Link Status: enum m2pa_state, else 0 */
	uint8_t pri;      /* User Data: message priority 0..3 (TTC; else spare) */
	uint32_t msu_len; /* octets from the SIO on, at M2PA_USER_HEADER; 0: an acknowledgement only */
};

/* Checks a whole message. On BAD_VERSION the rest has been read as far as it has the shape of version 1 (so
 * that an Alignment of another version can be answered: s.4.1.9); on other faults *OUT is void. */
enum m2pa_fault m2pa_parse(const uint8_t *p, uint32_t len, struct m2pa_msg *out);

/* Puts the header in front of an MSU: M2PA_USER_HEADER octets before SIO must be free. Returns the message,
 * whose length is MSU_LEN + M2PA_USER_HEADER. */
uint8_t *m2pa_user_write(uint8_t *sio, uint32_t msu_len, uint8_t pri, uint32_t bsn, uint32_t fsn);

/* Writes an empty User Data message (M2PA_HEADER octets). */
void m2pa_empty_write(struct wr *w, uint32_t bsn, uint32_t fsn);

/* Writes a Link Status message. FILLER: octets behind a Proving status, a pattern that varies with SEED (so
 * that SCTP's checksum has something to check: s.2.3.2.1); 0 for every other status. */
void m2pa_status_write(
	struct wr *w, uint32_t state, uint32_t bsn, uint32_t fsn, uint32_t filler, uint32_t seed);

/* ---- sequence numbers: 24 bits, 0 follows 16,777,215 (s.4.2.1) ---- */

enum { M2PA_SEQ_MASK = 0xffffff, M2PA_SEQ_START = 0xffffff }; /* the first User Data has FSN 0 */

static inline uint32_t m2pa_seq_next(uint32_t s)
{
	return (s + 1) & M2PA_SEQ_MASK;
}

/* How many steps lead from A to B. */
static inline uint32_t m2pa_seq_from(uint32_t a, uint32_t b)
{
	return (b - a) & M2PA_SEQ_MASK;
}
