/* SPDX-License-Identifier: GPL-2.0-or-later */
/* struct assoc, for the files of the data plane only. Made and freed by control (assoc_control.c); in between
 * it belongs to its worker (assoc.c), and what control reads of it is atomic or constant. */
#pragma once

#include "data/m2pa_priv.h"
#include "data/worker.h"

/* 65,536 streams of which 16 are used, anywhere, must cost little (5 KiB each way): small pages, four levels.
 */
enum { STREAMS = 65536, STREAM_HIGH_BITS = 3, STREAM_MID_BITS = 3, STREAM_LEAF_BITS = 3 };

/* Of `serves`: it is not up. */
#define ASSOC_NO_LIFE UINT32_MAX

/* A queue this short is not asked for its part of the buffers. */
enum { ASSOC_EASY = 64 };

enum assoc_note_index {
	AN_OPEN,
	AN_SHUTDOWN,
	AN_ABORT,
	AN_RELEASE,
	AN_FREE,
	AN_UP,
	AN_DOWN,
	AN_PEER_SHUTDOWN,
	AN_CONGESTION,
	AN_M2PA_NEWS,
	AN_RESUME,
	AN_RENEW,
	AN_GONE,
	AN_COUNT
};

struct assoc {
	/* the fast path's */
	struct worker *worker;
	uint32_t id;
	_Atomic uint16_t in_streams, out_streams;
	_Atomic enum assoc_state state;
	_Atomic uint32_t serves; /* the life that DATA can be sent in, or ASSOC_NO_LIFE */
	bool touched, blocked;   /* blocked: TP_WRITABLE is awaited */
	bool checks_ssn;         /* received messages carry their stream sequence number */
	bool shutdown_due;       /* when the queue is empty */
	uint8_t tolerates;       /* enum assoc_tolerance, together */
	struct assoc *next_touched;
	struct tp_conn *_Atomic conn; /* NULL before it is open and after TP_DOWN */
	const struct tp_ops *ops;
	struct mbufq txq;
	uint32_t txq_limit, next_onset, next_abatement;
	uint32_t data_limit; /* txq_limit while it is up, else 0 */
	uint32_t easy_limit; /* the smaller of data_limit and ASSOC_EASY: below it DATA is queued without
				asking */
	uint32_t full_at; /* txq_limit, or less while buffers are short: what congestion levels are shares of
			   */
	_Atomic uint32_t txq_n; /* as of the last flush */
	_Atomic uint8_t congestion;
	_Atomic bool congestion_told;
	struct paged rx, tx; /* struct stream_state */
	counter c[AC_COUNT], drops[DROP_COUNT];
	counter told, taken;     /* messages to control: worker's and control's count */
	_Atomic uint8_t held;    /* intake.h: it is not read */
	_Atomic bool restrained; /* and shall not be */
	_Atomic bool resume_posted, renew_posted;
	struct m2pa *m2pa; /* the sequence part of a link; NULL: M3UA */

	/* life */
	struct plane *plane;
	struct assoc *next;                   /* control's list of all */
	struct assoc *next_live, **prev_live; /* the worker's list of those with a connection */
	struct tp_conn *dead;                 /* between TP_DOWN and N_RELEASE */
	struct tp_incoming *incoming;         /* until N_OPEN */
	_Atomic uint64_t since_ms;
	struct rcu_head release_rcu, free_rcu;
	uint32_t life;                                /* the worker's: restarts */
	uint32_t known_life;                          /* control's: as far as it has heard of them */
	bool shutdown_asked, abort_asked, free_asked; /* control's: each note travels once */
	struct assoc_note notes[AN_COUNT];
	uint32_t told_too_long_ms; /* the worker's; 0: never */

	/* constant */
	char *name;
	void *owner;
	struct tp_params params;
	char why[TP_REASON]; /* this transport */
	char abort_why[TP_REASON];
	char reason[TP_REASON]; /* of PE_DOWN */
};

/* ---- on its worker ---- */

/* One more message on a stream. NULL if its page could not be made. */
static inline struct stream_state *assoc_count_on_stream(
	struct assoc *a, struct paged *streams, uint16_t stream)
{
	struct stream_state *s =
		paged_walk(streams, stream, sizeof(*s), STREAM_HIGH_BITS, STREAM_MID_BITS, STREAM_LEAF_BITS);

	if (!s && !(s = paged_touch(streams, stream)))
		return NULL;
	counter_add(&s->messages, 1);
	atomic_store_explicit(&s->last_ms, a->worker->now_ms, memory_order_relaxed);
	return s;
}

/* Messages that wait to be sent and, on a link, to be acknowledged: what congestion is measured by. */
uint32_t assoc_backlog(const struct assoc *a);
/* The transmit queue has reached the onset of a congestion level. */
void assoc_queue_crowded(struct assoc *a);
/* Counts and frees M, for which there is no room, or no association any more. */
void assoc_enqueue_refused(struct assoc *a, struct mbuf *take_m);

/* Puts a message on the transmit queue, to be flushed at the end of the pass. */
static inline __attribute__((always_inline)) void assoc_enqueue(struct assoc *a, struct mbuf *take_m)
{
	assoc_count_on_stream(a, &a->tx, take_m->stream);
	mbufq_push(&a->txq, take_m);
	if (a->txq.n >= a->next_onset)
		assoc_queue_crowded(a);
	if (!a->touched)
		worker_touch(a->worker, a);
}

/* Is there room on a queue that is not short, for a message that has its buffer from M's pool? */
bool assoc_has_room(struct assoc *a, const struct mbuf *m);
/* The same without regard to the limit. */
bool assoc_may_have_buffer(struct assoc *a, const struct mbuf *m);

/* The same for DATA, which is discarded when the queue is at its limit, or the queue has its part of the
 * buffers. (The newest goes: what waits is older and was promised its order.) */
static inline __attribute__((always_inline)) void assoc_enqueue_data(struct assoc *a, struct mbuf *take_m)
{
	if (a->m2pa) {
		m2pa_enqueue(a, take_m, a->txq_limit);
		return;
	}
	if (a->txq.n >= a->easy_limit && !assoc_has_room(a, take_m)) {
		assoc_enqueue_refused(a, take_m);
		return;
	}
	counter_add(&a->c[AC_TX_DATA], 1);
	assoc_enqueue(a, take_m);
}

/* The same for DATA that was held while its AS was pending: it was admitted under that AS's bound, and is not
 * lost to the queue's when it comes out all at once. */
void assoc_enqueue_held(struct assoc *a, struct mbuf *take_m);

/* The same for control's messages, which have a reserve beyond that limit. */
void assoc_enqueue_control(struct assoc *a, struct mbuf *take_m);

/* Hands the queue to the transport. After it, a queue that is not empty has TP_WRITABLE coming. */
void assoc_flush(struct assoc *a);
/* Too little queued for a packet? */
bool assoc_may_wait(const struct assoc *a);
/* Hands M to control as a note of KIND. False, and M is the caller's, if too much of this peer's, or of all
 * peers', waits there. */
bool assoc_tell(struct assoc *a, struct mbuf *m, enum note_kind kind);
/* Is the peer forgiven this? Counts it. */
bool assoc_tolerates(struct assoc *a, enum assoc_tolerance what);
/* Counts a message that goes no further. */
void assoc_drop(struct assoc *a, enum drop_reason r);

void assoc_open(struct assoc *a);
void assoc_do_shutdown(struct assoc *a);
void assoc_do_abort(struct assoc *a, const char *why);
/* Control knows of the restart: it may be sent to again. */
void assoc_do_renew(struct assoc *a);
void assoc_release(struct assoc *a);
/* The plane has stopped, and the transport never said TP_DOWN. */
void assoc_force_release(struct assoc *a);

/* Upcalls of the transports. */
void assoc_on_message(void *user, struct mbuf *take_m);
void assoc_on_event(void *user, const struct tp_event *ev);
void assoc_on_refused(void *user, uint32_t len, bool too_long);

/* ---- both ---- */
struct inbox;
void assoc_post(struct inbox *in, struct assoc *a, enum assoc_note_index i, enum note_kind kind);
void assoc_set_state(struct assoc *a, enum assoc_state s);

/* A new association that control has not opened: for assoc_connect() and for tests. */
struct assoc *assoc_new(struct plane *p, const struct assoc_conf *conf, const struct tp_ops *ops,
	struct worker *w, const char *why);
