/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of the data plane share: the plane itself, and the notes that travel between its threads.
 *
 * Threads: `control` is the one that calls plane.h; `worker` is the one an association or listener lives on.
 * Each field says whose it is where it is not obvious. */
#pragma once

#include <stdatomic.h>

#include "base/inbox.h"
#include "base/rcu.h"
#include "base/tsan.h"
#include "data/plane.h"

struct worker;

/* note.kind. The structure behind each is given in brackets. */
enum note_kind {
	/* to a worker */
	N_FORWARD, /* [mbuf] DATA that another worker forwarded; peer is the egress association, aux the life
		      of it that the message is for (of a link: the priority) */
	N_FORWARD_HELD, /* [mbuf] the same, after it was held for a pending AS */
	N_SEND,         /* [mbuf] control's message; peer and aux likewise */
	N_OPEN,         /* [assoc_note] connect or adopt */
	N_SHUTDOWN,     /* [assoc_note] */
	N_ABORT,        /* [assoc_note] */
	N_RESUME,       /* [assoc_note] control has caught up with the peer (intake.h) */
	N_RENEW,        /* [assoc_note] control has heard that the peer restarted the association */
	N_RELEASE,      /* [assoc_note] a grace period after TP_DOWN: nobody asks the connection any more */
	N_FREE,         /* [assoc_note] a grace period after assoc_free(): nobody sends to it any more */
	N_LISTEN,       /* [listener_note] */
	N_UNLISTEN,     /* [listener_note] */
	N_REJECT,       /* [reject] */
	N_M2PA,         /* [mbuf] a command to a link: ssn is the command, aux its value */
	N_STOP,         /* [worker.stop] */
	/* to control */
	N_MESSAGE,       /* [mbuf] peer is the association */
	N_REFUSED,       /* [mbuf] the same; ssn is the drop reason, aux its value */
	N_CONGESTED,     /* [mbuf] the same: SIO and label; aux is its priority */
	N_M2PA_EVENT,    /* [mbuf] peer is the association; ssn the kind of event, aux its value */
	N_M2PA_NEWS,     /* [assoc_note] told once for any number: control looks what there is */
	N_UP,            /* [assoc_note] these are in the association, so that they can always be told */
	N_DOWN,          /* [assoc_note] */
	N_PEER_SHUTDOWN, /* [assoc_note] */
	N_CONGESTION,    /* [assoc_note] told once for any number of changes: control reads the level */
	N_GONE,          /* [assoc_note] the worker has forgotten it: its memory may go */
	N_UNLISTENED,    /* [listener_note] the same of a listener */
	N_EVENT,         /* [event] everything else */
	N_GRACE,         /* [grace] */
};

struct assoc_note {
	struct note note;
	struct assoc *assoc;
};

struct listener_note {
	struct note note;
	struct listener *listener;
};

struct event {
	struct note note;
	struct plane_event ev;
};

struct reject {
	struct note note;
	struct tp_incoming *incoming;
};

/* plane_after_grace(): in plane.graces, oldest first. */
struct grace {
	struct note note;
	struct rcu_head rcu;
	struct plane *plane;
	struct grace *next;
	uint64_t generation; /* of the table when it was asked for */
	bool ready;          /* its RCU grace period is over */
	void (*fn)(void *arg);
	void *arg;
};

struct plane {
	struct plane_conf conf;
	plane_event_fn fn;
	void *user;
	struct worker *workers[PLANE_MAX_WORKERS];
	unsigned n_workers;
	_Atomic(struct fwd_table *) table; /* written by control */
	struct inbox events;               /* to control */
	int event_fd;
	struct mbuf_pool *pool; /* control's */
	bool gathering;         /* plane_gather() */
	struct grace *graces, **last_grace;
	struct assoc *assocs; /* from creation to N_GONE */
	struct listener *listeners;
	uint64_t ids[PLANE_MAX_ASSOCS / 64]; /* bit set: in use */
	uint64_t gone[AC_COUNT];             /* counters of associations that are no more */
	bool stopping;
};

/* ---- notes and events (plane.c) ---- */

/* Worker: an event that is worth an allocation. NULL without memory. */
struct event *event_new(enum plane_event_kind kind, struct assoc *a, struct listener *ls);
void event_post(struct plane *p, struct event *take_e);

/* Around every read-side section of a thread of the plane: rcu_read_lock() and rcu_read_unlock(), and for
 * ThreadSanitizer the edge that a grace period makes, which it cannot see: at an address that is not stored
 * to, for an atomic store would make it forget the edges of before. */
#define PLANE_READERS(p) (&(p)->n_workers)

static inline void plane_read_lock(void)
{
	rcu_read_lock();
}

static inline void plane_read_unlock(struct plane *p)
{
	TSAN_RELEASE(PLANE_READERS(p));
	rcu_read_unlock();
}

/* Returns when every call_rcu() callback of before has returned: they run one after the other. (What
 * rcu_barrier() does, by means that ThreadSanitizer understands.) */
void plane_await_callbacks(void);

/* Control: where what it tells the worker goes. */
struct inbox *plane_inbox(struct worker *w);
/* Control: before something that overtakes it. */
void plane_hand_over(struct plane *p);

/* ---- associations, control's side (assoc_control.c) ---- */

void assoc_dispatch(struct assoc *a, struct note *n);
/* PE_RESTART has been handled: what control decided is in the table that goes out with this. */
void assoc_renew(struct assoc *a);
void assoc_destroy(struct assoc *take_a);

/* ---- listeners, control's side ---- */

void listener_dispatch(struct listener *ls, struct note *n);
void listener_event(struct plane *p, const struct plane_event *ev);
void listener_destroy(struct listener *take_ls);
