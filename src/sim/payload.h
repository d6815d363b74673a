/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What travels in a test message's user part, so that any receiver, in this process or another, can judge it
 * by itself:
 *
 *    [CIC 2]  magic 2 | flow 2 | run 2 | SLS 1 | version 1 | sequence 4 | due 8 | check 4 | filler ...
 *
 * The CIC is there for ISUP (SI 5, Q.763 s.1.2) only, so that gateways which share load by it find one. The
 * check is a CRC32c over everything else of the user part. DUE is this host's monotonic clock. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { PAYLOAD_HEAD = 24, PAYLOAD_SI_ISUP = 5, PAYLOAD_CIC = 2, PAYLOAD_MIN = PAYLOAD_CIC + PAYLOAD_HEAD };

struct payload {
	uint16_t flow; /* the flow's number */
	uint16_t run;  /* tells runs apart: what is left of an earlier one is nobody's */
	uint8_t sls;
	uint32_t seq; /* of the sub-flow (flow, SLS), from 0 */
	uint64_t due_ns;
};

enum payload_verdict {
	PAYLOAD_OK,
	PAYLOAD_BROKEN, /* ours by its magic, but the check fails */
	PAYLOAD_ALIEN,  /* not made by ss7sim, or damaged beyond recognition */
};

/* Fills P[0 .. len), LEN >= PAYLOAD_MIN. */
void payload_write(uint8_t *p, uint32_t len, uint8_t si, const struct payload *in);

/* OUT is set unless the verdict is PAYLOAD_ALIEN; after PAYLOAD_BROKEN it is a guess. */
enum payload_verdict payload_read(const uint8_t *p, uint32_t len, uint8_t si, struct payload *out);
