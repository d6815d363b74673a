/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The fast path: one DATA message from the association it came on to the transmit queue it leaves by. No
 * allocation, no lock, no log, no copy of the payload (but for a broadcast's further copies). */
#pragma once

#include "data/worker.h"

/* FROM received M, a DATA message by its common header. Within a pass of W, FROM's worker. */
void forward_data(struct worker *w, struct assoc *from, struct mbuf *take_m);

/* Counts on FROM a message that goes no further, and tells control (PE_DATA_REFUSED) as long as control keeps
 * up.
 */
void forward_refused(
	struct worker *w, struct assoc *from, struct mbuf *take_m, enum drop_reason r, uint32_t value);

/* FROM, a link in service, received M: an MSU for somebody beyond (SI 3 and up), at its SIO, aux its
 * priority. */
void forward_msu(struct worker *w, struct assoc *from, struct mbuf *take_m);

/* A message that waits (hold.h) keeps what it needs to be routed again: in aux the AS it came in, in stream
 * the network, in ssn the id of its association, in ppid whether it is DATA or an MSU; that one's priority
 * lies in front of its SIO, as it came.
 *
 * Routes it by the table of now: forwards or discards it, then NULL; or it has to wait, bounded by what is
 * returned, and is still the caller's. */
struct fwd_hold *forward_again(struct worker *w, struct mbuf *m);
