/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the embedded transport must know of an SCTP packet before, or instead of, usrsctp: where it belongs,
 * whether it opens an association, and what RFC 4960 s.8.4 answers to one that belongs nowhere. Pure; every
 * length is checked here. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sctp_peek {
	uint16_t sport, dport; /* host order */
	uint32_t vtag;         /* host order */
	uint8_t chunk;         /* type of the first chunk */
};

enum {
	CHUNK_DATA = 0,
	CHUNK_INIT = 1,
	CHUNK_INIT_ACK = 2,
	CHUNK_SACK = 3,
	CHUNK_HEARTBEAT = 4,
	CHUNK_HEARTBEAT_ACK = 5,
	CHUNK_ABORT = 6,
	CHUNK_SHUTDOWN_ACK = 8,
	CHUNK_ERROR = 9,
	CHUNK_COOKIE_ECHO = 10,
	CHUNK_COOKIE_ACK = 11,
	CHUNK_SHUTDOWN_COMPLETE = 14,

	SCTP_ANSWER_MAX = 16, /* bytes that sctp_ootb_answer() writes at most */
};

/* False: not an SCTP packet with at least one whole chunk header. */
bool sctp_peek(struct sctp_peek *out, const uint8_t *p, size_t n);

/* Is this packet one INIT chunk, alone, with verification tag 0 and acceptable fixed fields (RFC 4960 s.8.5.1
 * A, s.3.3.2)? *TAG is its Initiate Tag, or 0 if there is none to be had. usrsctp ends an existing
 * association over an INIT with bad fields, which anybody can send; RFC 9260 s.3.3.2 forbids that, so such
 * INITs never reach it. */
bool sctp_init_ok(const uint8_t *p, size_t n, uint32_t *tag);

/* The answer to a packet that belongs to no association and no listener: bytes written to OUT (without
 * checksum), 0 for silence. Never longer than the packet itself. */
size_t sctp_ootb_answer(const uint8_t *p, size_t n, uint8_t out[SCTP_ANSWER_MAX]);

/* What an outgoing packet holds, in one walk over its chunks. */
struct sctp_outline {
	uint32_t init_tag; /* Initiate Tag of an INIT or INIT ACK; 0: it is neither */
	uint32_t first_tsn, last_tsn;
	unsigned data;  /* DATA chunks */
	bool data_only; /* and nothing else */
	bool open;      /* SACK and DATA only, whole chunks: more DATA may follow (RFC 4960 s.6.10) */
};
void sctp_outline(struct sctp_outline *out, const uint8_t *p, size_t n);

/* The offset behind the last chunk of P that still fits ROOM bytes, all of them DATA; SCTP_COMMON_HEADER if
 * none does. */
size_t sctp_fitting(const uint8_t *p, size_t n, size_t room);
