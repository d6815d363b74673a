/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Correlation Ids for broadcast ASs (RFC 4666 s.4.3.4.3): "Whenever an ASP in a Broadcast mode AS becomes
 * ASP-ACTIVE, the SGP MUST tag the first DATA message broadcast in each traffic flow with a unique
 * Correlation Id parameter."
 *
 * A worker remembers the flows that it has tagged since the AS last gained an ASP (fwd_table.epochs) in a
 * cache of fixed size. A flow that was pushed out is tagged once more, which the standard allows; none is
 * ever missed. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { BROADCAST_FLOWS = 1024 };

struct broadcast {
	struct broadcast_flow {
		uint32_t opc, dpc, as, epoch; /* epoch 0: free */
		uint8_t sls, si;
	} flows[BROADCAST_FLOWS];
	uint32_t next; /* Correlation Id */
};

/* Is this the first message of its flow in this epoch? Remembers it. */
bool broadcast_first(struct broadcast *b, const struct broadcast_flow *flow);
/* A number that nobody else gives out. WHO: a worker, or PLANE_MAX_WORKERS for control. */
uint32_t broadcast_correlation(struct broadcast *b, unsigned who);
