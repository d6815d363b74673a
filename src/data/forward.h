/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The fast path: one DATA message from the association it came on to the transmit queue it leaves by. No
 * allocation, no lock, no log, no copy of the payload (but for a broadcast's further copies). */
#pragma once

#include "data/worker.h"

/* FROM received M, a DATA message by its common header. Within a pass of W, FROM's worker. */
void forward_data(struct worker *w, struct assoc *from, struct mbuf *take_m);

/* M was held for AS, which is active now. */
void forward_held(struct worker *w, const struct fwd_as *as, struct mbuf *take_m);
