/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Message buffers: one message, contiguous, with headroom for the header it will leave with and tailroom for
 * padding.
 *
 * A pool belongs to one thread and is one virtual mapping made at start; memory that was never touched costs
 * nothing, and the free list is a stack, so the working set stays small. Any thread may free a buffer: a
 * foreign thread's frees return to the owner through a lock-free queue that the owner takes when its stack
 * runs dry. There is no allocation after mbuf_pool_new(); an empty pool is answered with NULL and counted. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/inbox.h"

enum {
	MBUF_HEADROOM = 128, /* room in front of a received message */
	MBUF_TAILROOM = 32,  /* room behind it: padding, Correlation Id */
};

struct mbuf_pool;

struct mbuf {
	struct note note;       /* to travel between threads */
	struct mbuf *next;      /* in an mbufq */
	struct mbuf_pool *home; /* where it returns to */
	void *peer;             /* association it came from or goes to: the holder of the buffer defines it */
	uint64_t rx_ns;         /* when it was received (clock_ns), 0 if not from a peer */
	uint32_t cap;           /* bytes in data[] */
	uint32_t off, len;      /* the message is data[off .. off + len) */
	uint32_t ppid;          /* SCTP payload protocol identifier, host order */
	uint32_t aux;           /* for the holder: reason, value */
	uint16_t stream;        /* SCTP stream identifier */
	uint16_t ssn;           /* SCTP stream sequence number, where the transport gives it */
	bool keep;              /* who has sent it hands it back instead of freeing it (tp_conn.sent) */
	uint8_t data[] __attribute__((aligned(8)));
};

static inline uint8_t *mbuf_head(struct mbuf *m)
{
	return m->data + m->off;
}

/* Bytes that may still be written behind the message. */
static inline uint32_t mbuf_tailroom(const struct mbuf *m)
{
	return m->cap - m->off - m->len;
}

/* A pool of COUNT buffers for messages of up to MAX_MESSAGE bytes (head- and tailroom come on top). The
 * calling thread need not be its owner, but only one thread at a time may allocate from it. NULL without
 * memory. */
struct mbuf_pool *mbuf_pool_new(unsigned count, uint32_t max_message);

/* Unmaps it. Every buffer must be back: returns false, and frees nothing, if some are not. */
bool mbuf_pool_free(struct mbuf_pool *p);

/* An empty buffer with MBUF_HEADROOM in front, or NULL if the pool is empty (counted). Owner only. */
struct mbuf *mbuf_alloc(struct mbuf_pool *p);

/* Back to its home pool; any thread. SELF is the pool that the calling thread owns (NULL: none). NULL M is
 * fine. */
void mbuf_free(struct mbuf_pool *self, struct mbuf *take_m);

/* How many buffers are out, how many times the pool was empty: any thread, for `show`. */
unsigned mbuf_pool_in_use(const struct mbuf_pool *p);
/* Owner: takes in what other threads gave back, so that the count of those in use is true. */
void mbuf_pool_reclaim(struct mbuf_pool *p);
/* May M wait in a queue of N? Queues share a pool by dynamic thresholds: each may be at most twice as long as
 * what its pool has left, so that k of them that do not move take equal parts and leave one of 2k + 1 for the
 * traffic of others. Any thread. */
bool mbuf_may_wait(const struct mbuf *m, uint32_t n);
uint64_t mbuf_pool_exhausted(const struct mbuf_pool *p);
unsigned mbuf_pool_size(const struct mbuf_pool *p);

/* A single-threaded FIFO. A message's length must not change while it is in it. */
struct mbufq {
	struct mbuf *first, **last;
	uint32_t n;
	uint64_t bytes;
};

void mbufq_init(struct mbufq *q);
static inline void mbufq_push(struct mbufq *q, struct mbuf *take_m)
{
	take_m->next = NULL;
	*q->last = take_m;
	q->last = &take_m->next;
	q->n++;
	q->bytes += take_m->len;
}
struct mbuf *mbufq_pop(struct mbufq *q); /* NULL if empty; the caller owns it */
/* All of FRONT, in its order, before what is in Q. */
void mbufq_prepend(struct mbufq *q, struct mbufq *take_front);
void mbufq_purge(struct mbufq *q, struct mbuf_pool *self);
