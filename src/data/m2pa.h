/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sequence part of an M2PA link (RFC 4165 s.4), as control commands it. It runs in the worker of the
 * link's association (assoc_conf.proto = ASSOC_M2PA); the link's states are control's (src/m2pa).
 *
 *     PE_UP -> m2pa_reset() .. m2pa_status()es .. m2pa_open() .. m2pa_go() .. m2pa_close()
 *           -> m2pa_bsnt(), m2pa_retrieve() if there is a changeover -> m2pa_reset() or assoc_free()
 *
 * All of these are carried out in the order they are called, also with assoc_send(), and none can fail: where
 * there is no buffer for a command, the association is aborted. Buffers outlive the association: what was not
 * acknowledged can be retrieved between PE_DOWN and assoc_free(). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "wire/m2pa.h"

struct assoc;
struct mbuf;

enum {
	M2PA_NO_FSNC = 0x1000000,  /* emergency changeover: only what was never sent (s.4.2.3) */
	M2PA_ALL_FSNC = 0x1000001, /* TTC's Retrieval Request: all that is not acknowledged */
};

/* Why PE_M2PA_FAULT came. */
#define M2PA_FAILURES(X)                                                                                     \
	X(T7, "T7 expired: no acknowledgement")                                                              \
	X(ABNORMAL_BSN, "two abnormal BSNs in three messages")                                               \
	X(RESYNC, "BSN after processor outage is of nothing that was sent")                                  \
	X(OTHER_VERSION, "peer has another version")

#define X(id, text) M2PA_F_##id,
enum m2pa_failure { M2PA_FAILURES(X) M2PA_FAILURES_COUNT };
#undef X
const char *m2pa_failure_text(uint32_t failure);

/* Alignment begins: clears the buffers, numbers start anew, and nothing is accepted. Events from before are
 * not told any more. */
void m2pa_reset(struct assoc *a);
/* Aligned ready: User Data is accepted; what is given to assoc_send() waits. */
void m2pa_open(struct assoc *a);
/* In service: User Data is sent. */
void m2pa_go(struct assoc *a);
/* Out of service: nothing is sent or accepted. What was received and not delivered is discarded; what was not
 * sent or not acknowledged stays, and what is still given to assoc_send() joins it, until m2pa_retrieve() or
 * m2pa_reset(). */
void m2pa_close(struct assoc *a);

/* assoc_send() of an MSU, at its SIO, with the priority it came with (Japan: PRI). It waits for m2pa_go(). */
void m2pa_send_msu(struct assoc *a, struct mbuf *take_m, uint8_t pri);

/* Sends a Link Status on stream 0, with FILLER octets if it is a Proving one. */
void m2pa_status(struct assoc *a, enum m2pa_state state, uint32_t filler);

/* Local processor outage (s.4.1.4): tells the peer; what arrives is held unacknowledged. Sending goes on. */
void m2pa_outage(struct assoc *a);
/* Its end. FLUSH: what was held, what waits to be sent and what the peer has not accepted is discarded; else
 * it is delivered and sent. Tells the peer; sending goes on when its Ready has come, which is answered
 * without control (PE_M2PA_STATUS tells of it). */
void m2pa_recover(struct assoc *a, bool flush);
/* The peer's outage has ended (PE_M2PA_STATUS, Processor Recovered): answers Ready, synchronizes, sends on.
 */
void m2pa_answer(struct assoc *a, bool flush);

/* Level 2 flow control (s.4.1.5): Busy, Busy Ended; in between nothing received is acknowledged. */
void m2pa_busy(struct assoc *a, bool busy);

/* PE_M2PA_BSNT will tell the FSN of the last message accepted from the peer. */
void m2pa_bsnt(struct assoc *a);
/* After m2pa_close() or PE_DOWN: PE_M2PA_RETRIEVED for each message behind FSNC in order, sent and unsent,
 * then PE_M2PA_RETRIEVAL_DONE. An FSNC of nothing that was sent is like M2PA_NO_FSNC. In a processor outage:
 * the unsent ones alone, and the link goes on. */
void m2pa_retrieve(struct assoc *a, uint32_t fsnc);

/* As of the last loop pass; any thread. All zero for an association that is no link. */
struct m2pa_seq {
	uint32_t fsn, bsn; /* of the last message sent; of the last accepted */
	uint32_t waiting;  /* messages not sent yet */
	uint32_t retained; /* sent and not acknowledged */
	uint32_t held;     /* received and neither delivered nor acknowledged */
};
void m2pa_seq(const struct assoc *a, struct m2pa_seq *out);
