/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What would happen to a message, and why: the workers' own functions on the table they use, with a sentence
 * for each step. Pure but for reading; show_lookup.c prints it. */
#pragma once

#include <stdint.h>

#include "data/fwd.h"

struct sg;
struct sg_network;
struct as;
struct route_egress;

enum { LOOKUP_STEPS = 12, LOOKUP_TEXT = 200 };

struct lookup {
	/* the question */
	struct sg *sg;
	const struct sg_network *net;
	uint32_t opc, dpc;
	uint8_t si, sls;

	/* the answer */
	const char *result;             /* "forwarded", "held" or "dropped" */
	bool dropped;                   /* for the reason below */
	enum drop_reason reason;        /* if dropped */
	const struct fwd_as *fwd;       /* the AS as the workers see it, NULL: none */
	const struct as *as;            /* the same as control sees it */
	const struct route_egress *via; /* of several that share the load, the one whose turn it is */
	uint32_t bucket;                /* loadshare */
	unsigned first_asp;             /* index into fwd->slots */
	unsigned n_asps;                /* how many of them get it: 1, or all (broadcast); 0: none */
	struct lookup_step {
		const char *name;
		char text[LOOKUP_TEXT];
	} steps[LOOKUP_STEPS];
	unsigned n_steps;
};

/* Fills the answer. */
void lookup_run(struct lookup *l);

/* The stream that the message takes on one of its ASPs' associations. */
uint16_t lookup_stream(const struct lookup *l, const struct assoc *a);
