/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A flow of test messages from one AS or SS7 node to another: makes them when they are due and judges what
 * arrives. Each SLS is a sub-flow with sequence numbers of its own, because order is promised within an SLS
 * only (Q.704 s.2.3.5).
 *
 * Both ends are usually here; where one is in another process, the half that is here is done. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "sim/check.h"
#include "sim/hist.h"
#include "sim/pace.h"
#include "sim/party.h"
#include "sim/payload.h"
#include "sim/replay.h"

struct flow {
	const struct flow_opts *o;
	struct party from, to;
	char name[2 * KEYVAL_NAME + 2];
	uint16_t run;
	struct replay replay; /* n 0: none */
	uint32_t queue;       /* messages that may wait for one ASP */

	/* sending */
	struct pace pace;
	struct rng rng;
	uint32_t next_len;         /* drawn for the next message, 0: not yet */
	uint32_t *seq;             /* next of each sub-flow */
	struct party_track *track; /* of each sub-flow */
	uint64_t stop_ns;          /* nothing is due from here on; UINT64_MAX: never ends by time */
	uint64_t sent, given_up;   /* given_up: no longer counted as in flight */
	bool paused;               /* by DUNA */
	uint64_t paused_ns;        /* since */
	uint64_t resume_ns;        /* SCON: paused until then by itself; 0: until DAVA */

	/* receiving: one set of checks for the AS, or (broadcast) for each ASP of it */
	int16_t place[256]; /* of an SLS in o->sls, -1: not used */
	unsigned n_sets;
	bool *expected;       /* by set: every message is due there */
	struct check *checks; /* [set][place] */
	uint64_t unique, repeated, late, stale, corrupted, mislabelled;
	uint64_t first_ns, last_ns; /* of arrivals */
	struct hist latency;
};

enum flow_status {
	FLOW_DONE,    /* has sent all it ever will */
	FLOW_WAITING, /* until *wake_ns */
	FLOW_BLOCKED, /* until something happens: queue, window, no active ASP, pause */
	FLOW_READY,   /* the budget is used up: go on at once */
};

bool flow_init(struct flow *f, const struct flow_opts *o, const struct party *from, const struct party *to,
	const struct opts *all);
void flow_fini(struct flow *f);

/* Traffic begins at START_NS; which ASPs must see a broadcast is decided now. SEED: of sizes and spacing. */
void flow_start(struct flow *f, uint64_t start_ns, uint64_t seed);

/* Sends what is due, at most BUDGET messages. Lowers *WAKE_NS to when it wants to be called again. */
enum flow_status flow_run(
	struct flow *f, struct mbuf_pool *pool, uint64_t now, unsigned budget, uint64_t *wake_ns);

/* No more from here on (interrupted): what is due by NOW and not sent counts as unsent. */
void flow_stop(struct flow *f, uint64_t now);

/* A message as it has arrived somewhere. */
struct arrival {
	struct party at;
	unsigned member; /* which ASP of an AS */
	bool wrong; /* what M3UA says beside the label is not the AS's: Routing Context, Network Appearance */
	struct mtp3_label label;
	uint64_t rx_ns;
};

/* A message of this flow that arrived whole; P is what it says. */
void flow_receive(struct flow *f, const struct arrival *a, const struct payload *p);

/* Of a replayed flow: which message is this? Its place among those sent is found by its octets, the nearest
 * to the one that is expected. False: none of them. */
bool flow_find_replayed(
	const struct flow *f, const struct arrival *a, const uint8_t *p, uint32_t len, struct payload *out);

/* Is this where it was sent, or an alternative: another node that serves the same point code? */
bool flow_may_arrive(const struct flow *f, const struct party *at);

/* Does this label look like ours? For messages whose payload cannot be read. */
bool flow_label_matches(const struct flow *f, const struct arrival *a);

void flow_pause(struct flow *f, uint64_t now, uint64_t until_ns);
void flow_resume(struct flow *f, uint64_t now);

bool flow_sends(const struct flow *f);    /* its sender is here */
bool flow_receives(const struct flow *f); /* its receiver is here */
uint64_t flow_lost(const struct flow *f);
uint64_t flow_unsent(const struct flow *f, uint64_t now); /* due and not sent */
uint64_t flow_in_flight(const struct flow *f);
