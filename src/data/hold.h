/* SPDX-License-Identifier: GPL-2.0-or-later */
/* AS-PENDING (RFC 4666 s.4.3.2) and changeovers (Q.704 s.5) on the data plane: messages for a pending AS, or
 * for a closed slot of an active target, wait in the worker that received them, all workers together bounded
 * by a fwd_hold, and leave in their order. */
#pragma once

#include "data/worker.h"

/* Takes M, ready to be routed again (forward.h), unless the bound is reached: then false, and M is still the
 * caller's. */
bool hold_message(struct worker *w, struct fwd_hold *hold, struct mbuf *m);

/* The table has changed: what was held is routed again. What has an active target now is forwarded, be it
 * another one than before; what has none that is active or to be waited for is discarded. Called before
 * anything newer is looked at. */
void hold_settle(struct worker *w);

/* Discards all. */
void hold_purge(struct worker *w);
