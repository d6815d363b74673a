/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Control's messages to ASPs: written straight into a buffer, queued per ASP in order, sent at the settle.
 *
 * The answer to a deactivation must come behind the last DATA of the old forwarding table, so it waits for a
 * grace period: out_hold() says so for what is sent from then on while the present event is handled. A queue
 * never overtakes itself: what comes after a waiting message waits as well. */
#pragma once

#include <osmocom/core/linuxlist.h>
#include <stdbool.h>
#include <stdint.h>

#include "wire/m3ua.h"

struct sg;
struct asp;
struct mbuf;

enum {
	OUT_CROWDED =
		64, /* messages that wait for a grace period: no more of this ASP's requests until then */
	OUT_RESERVE = 512,  /* that may be queued behind DATA to it */
	OUT_BACKLOG = 8192, /* and so many that it may have waiting at all */
};

struct sg_out {
	struct llist_head asps; /* asp.sending: those with something queued */
	uint32_t done;          /* grace periods that are over */
	uint32_t next;          /* the one that held messages wait for */
	bool hold;              /* what is sent now waits */
	bool used;              /* something waits for NEXT */
};

struct out {
	struct asp *asp;
	struct mbuf *m; /* NULL: no buffer (counted); the calls below then do nothing */
	struct wr w;
};

void out_init(struct sg_out *o);

/* A message of TYPE to ASP: put parameters with m3ua_put_*(&o.w), then out_end(). */
struct out out_begin(struct asp *asp, uint16_t type);
/* 32-bit list entries that still fit behind the parameters so far, RESERVE bytes spared. */
uint32_t out_room(const struct out *o, uint32_t reserve);
/* Queues it. STREAM is the SCTP stream: 0 for management (s.1.4.7). */
void out_end(struct out *o, uint16_t stream);

void out_hold(struct sg *sg);
/* A message of ASP has been handled: if its answers pile up, it is not read until they have left. */
void out_pace(struct asp *asp);
/* Sends what need not wait (any more). */
void out_release(struct sg *sg);
/* The association is gone. */
void out_purge(struct asp *asp);
