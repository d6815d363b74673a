/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A worker: one thread, one libev loop, the associations that live there.
 *
 * A loop pass, in this order (worker.c arranges it by the priorities of libev's watchers):
 *
 *     poll -> enter: RCU read lock, table pointer read, inbox drained, held messages settled
 *          -> input and output of the transports, timers; the same look at table and inbox if it was woken,
 *             or before a message that came after a newer table
 *          -> leave: every touched association flushed once, RCU read unlock -> poll */
#pragma once

#include <ev.h>
#include <pthread.h>

#include "data/broadcast.h"
#include "data/plane_priv.h"

enum {
	PLANE_REFUSALS = 256,      /* refused DATA that wait for control, per worker */
	PLANE_SAMPLES = 64,        /* messages that met congestion, likewise */
	ASSOC_MESSAGES = 1024,     /* other messages that wait for control, per association */
	ASSOC_TXQ_RESERVE = 1024,  /* room on a full transmit queue that only control's messages may use */
	WORKER_PACKET = 1200,      /* bytes queued that are worth a packet of their own: not delayed */
	WORKER_CHUNK_OVERHEAD = 16 /* of a DATA chunk (RFC 9260 s.3.3.1) */
};

enum { TOLD_REFUSED, TOLD_MESSAGE, TOLD_CONGESTED, TOLD_KINDS };

struct worker {
	struct plane *plane;
	unsigned index;
	struct ev_loop *ev;
	struct tp_loop tp;
	struct mbuf_pool *pool;
	struct inbox inbox;
	struct inbox gathered; /* control's: goes there with the next table */

	/* of the current pass */
	bool in_pass;
	bool in_upcall;  /* looking before a message: no connection may be released (transport.h) */
	bool delay_over; /* the batch delay of those that wait is over */
	uint32_t now_ms;
	const struct fwd_table *table;
	struct assoc *touched; /* have something to flush; after the pass: those that wait for company */

	struct mbufq held;        /* hold.h: peer is the fwd_hold, the rest is in forward.h */
	_Atomic uint32_t n_held;  /* for control (plane_after_grace) */
	_Atomic uint64_t settled; /* generation of the table that held messages were last settled by */
	struct broadcast broadcast;

	counter c[WC_COUNT], drops[DROP_COUNT];
	counter told[TOLD_KINDS], taken[TOLD_KINDS]; /* to control: worker's and control's count */

	struct assoc *live;         /* associations with a connection */
	struct listener *listeners; /* open or being retried */
	bool stopping;
	struct note stop;
	unsigned n_assocs; /* control's: to spread them */

	ev_async wake;
	ev_check enter;
	ev_prepare leave;
	ev_io delay;
	int delay_fd; /* timerfd: libev's own timers are too coarse for a batch delay */
	bool delay_running;
	ev_timer stop_limit;
	pthread_t thread;
	bool started;
};

/* Everything but the thread: benchmarks and tests drive such a worker by hand. */
struct worker *worker_new(struct plane *p, unsigned index);
enum sb_err worker_start(struct worker *w);
/* After the thread has ended (or if it never began): empties the inbox, then frees. */
void worker_sweep(struct worker *w);
void worker_free(struct worker *take_w);

/* The two ends of a pass. */
void worker_enter(struct worker *w);
void worker_leave(struct worker *w);

/* The look at table and inbox, in the middle of a pass. */
void worker_look(struct worker *w);

/* A newer table than the pass has is there, and the sender of the next message may have read what came with
 * it. */
static inline bool worker_is_behind(const struct worker *w)
{
	return rcu_read(&w->plane->table) != w->table;
}

/* An association of this worker has something to flush at the end of the pass. */
void worker_touch(struct worker *w, struct assoc *a);
/* While stopping: the loop ends when nothing lives there any more. */
void worker_may_end(struct worker *w);

static inline void worker_drop(struct worker *w, enum drop_reason r)
{
	counter_add(&w->drops[r], 1);
}
