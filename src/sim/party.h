/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An end of a flow: an Application Server behind M3UA or an SS7 node behind M2PA. Flows do not care which. */
#pragma once

#include "sim/as.h"
#include "sim/node.h"

struct party {
	struct as *as; /* or NULL */
	struct node *node;
};

/* What has to be known of the messages before it. */
struct party_track {
	struct node_via via;
	uint64_t divert_ns;
};

/* Where a message can go now. */
struct party_way {
	struct asp *asp; /* or NULL */
	struct link *link;
};

static inline bool party_same(const struct party *a, const struct party *b)
{
	return a->as == b->as && a->node == b->node;
}

bool party_here(const struct party *p); /* it is played by this process */
/* How many each have to receive every message: 1, or (broadcast) all ASPs; and is it due at the I-th? */
unsigned party_sets(const struct party *p);
bool party_expects(const struct party *p, unsigned i);

/* False: nobody may send this SLS to DPC now. *WAKE_NS is lowered to when to ask again, if time alone will
 * help. */
bool party_way(const struct party *p, uint32_t dpc, uint8_t sls, struct party_track *track, uint64_t now,
	uint64_t *wake_ns, struct party_way *out);
uint32_t party_waiting(const struct party_way *w); /* messages queued there */
/* Sends M, which holds the user part. */
void party_send(const struct party_way *w, const struct mtp3_label *l, struct mbuf *take_m);
