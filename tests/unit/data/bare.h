/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A worker without a thread, driven pass by pass, and associations over a transport that takes as much as it
 * is told to. For tests of what a pass leaves behind, and for benchmarks of forwarding alone. */
#pragma once

#include "data/assoc.h"

struct bare {
	struct plane plane;
	struct worker *worker;
};

/* What all associations' transmit() will take in all, from now on. */
extern unsigned bare_room;
/* Messages it took; shutdowns and aborts it was asked for. */
extern unsigned bare_taken, bare_shutdowns, bare_aborts;
/* Is the last association that was told so held? */
extern bool bare_held;
/* Shown every message it takes. */
extern void (*bare_watch)(struct mbuf *m);

void bare_start(struct bare *b, uint32_t batch_delay_us);
void bare_stop(struct bare *b);
/* An association that is up, with as many streams each way. */
struct assoc *bare_assoc(struct bare *b, uint16_t streams, uint32_t txq_limit);
struct assoc *bare_assoc_with(struct bare *b, const struct assoc_conf *conf, uint16_t streams);
