/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Judges one sub-flow (flow, SLS) by its sequence numbers: what is missing, what came twice, what came after
 * its successor. A window of bits remembers which of the last numbers were seen, so memory is bounded and a
 * late message is told from a repeated one. Pure. */
#pragma once

#include <stdint.h>

enum { CHECK_WINDOW = 4096 };

enum check_verdict {
	CHECK_NEW,      /* in order, or ahead of something that is missing by now */
	CHECK_LATE,     /* first time, but a later number was here before: reordered (RFC 4737 s.3.3) */
	CHECK_REPEATED, /* seen before */
	CHECK_STALE,    /* older than the window, where something was missing: late or repeated, unknown */
};

struct check {
	uint64_t next;        /* the greatest number seen, plus one */
	uint64_t unique;      /* different numbers seen */
	uint64_t written_off; /* numbers that left the window unseen */
	uint64_t seen[CHECK_WINDOW / 64];
};

enum check_verdict check_seen(struct check *c, uint32_t seq);

/* Numbers below the greatest one seen that have not come. */
static inline uint64_t check_missing(const struct check *c)
{
	return c->next - c->unique;
}
