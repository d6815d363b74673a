/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The fast path: one DATA message from the association it came on to the transmit queue it leaves by. No
 * allocation, no lock, no log, no copy of the payload (but for a broadcast's further copies). */
#pragma once

#include "data/worker.h"

/* FROM received M, a DATA message by its common header. Within a pass of W, FROM's worker. */
void forward_data(struct worker *w, struct assoc *from, struct mbuf *take_m);

/* FROM, a link in service, received M: an MSU for somebody beyond (SI 3 and up), at its SIO, aux its
 * priority. */
void forward_msu(struct worker *w, struct assoc *from, struct mbuf *take_m);

/* A message that waits for a pending target keeps what it needs to be routed again: in aux the AS it came in,
 * in stream the network, in ssn the id of its association. */

/* Where it goes by the table of now; NULL: nowhere. */
const struct fwd_as *forward_target(struct worker *w, const struct mbuf *m);

/* M was held, and AS, its target now, is active. */
void forward_held(struct worker *w, const struct fwd_as *as, struct mbuf *take_m);
