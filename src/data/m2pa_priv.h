/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sequence part's inside, for the files of the data plane.
 *
 *     assoc_send(), forward.c -> waiting -> [header] -> assoc.txq -> transport -> retained -> acknowledged
 *     transport -> checked -> (held) -> forward.c or control
 *
 * A message gets its number and its header when the transport is to have it, at the end of a loop pass: so it
 * carries the acknowledgement of all that the pass has brought. The transport hands it back into `retained`
 * (mbuf.keep), so nothing is ever copied. */
#pragma once

#include <ev.h>

#include "data/m2pa.h"
#include "data/plane_priv.h"

/* mbuf.ssn of N_M2PA. */
enum m2pa_command {
	M2C_RESET, /* the epoch */
	M2C_OPEN,
	M2C_GO,
	M2C_CLOSE,
	M2C_STATUS, /* the state, and above its 8 bits the length of the filler */
	M2C_OUTAGE,
	M2C_RECOVER, /* flush? */
	M2C_ANSWER,  /* flush? */
	M2C_BUSY,
	M2C_BUSY_ENDED,
	M2C_BSNT,
	M2C_RETRIEVE, /* FSNC */
};

enum m2pa_news {
	M2N_DATA = 1,          /* the first User Data */
	M2N_CONGESTED = 2,     /* received messages wait because control is busy */
	M2N_ABATED = 4,        /* control keeps up again */
	M2N_FAULT = 8,         /* and this one shifted by enum m2pa_failure */
	M2N_BITS = 8,          /* the epoch is above */
	M2N_EPOCHS = 0xffffff, /* of them */
};

struct m2pa {
	/* sequence numbers, all of User Data */
	uint32_t fsn;   /* the last one given to a message (FSNT) */
	uint32_t acked; /* the last one the peer acknowledged: what is retained comes behind it (FSNF - 1) */
	uint32_t rcvd;  /* the last one received and not discarded */
	uint32_t bsn;   /* the last one delivered, so acknowledged (BSNT) */

	bool open;    /* between m2pa_open() and m2pa_close() */
	bool going;   /* User Data may be sent */
	bool taking;  /* User Data for the peer is accepted from our side: from open to retrieval */
	bool heard;   /* the first User Data has been told of */
	bool outage;  /* ours: what arrives is held */
	bool busy;    /* ours, told to the peer: the same */
	bool starved; /* control does not take its messages: the same */
	bool told_abated;
	bool peer_out;  /* the peer's outage */
	bool peer_busy; /* nothing is sent, T7 rests */
	bool resync;    /* Processor Recovered is sent: User Data means nothing before the peer's Ready */
	bool flush;     /* what m2pa_recover() said */
	bool ack_due;
	uint8_t odd_bsns;  /* of the last three messages: bits */
	uint32_t peer_bsn; /* of the peer's Processor Recovered */

	struct mbufq waiting;  /* at their SIO, aux the priority; no number yet */
	struct mbufq retained; /* as sent, aux the time of sending (ms); numbers ACKED + 1 and on */
	struct mbufq held;     /* at their SIO; numbers BSN + 1 and on */

	uint32_t t7_ms, t7_base; /* T7 of no message began before this */
	ev_timer t7, tick;

	uint32_t epoch;        /* counts resets: worker's */
	uint32_t epoch_asked;  /* control's */
	_Atomic uint32_t news; /* epoch and bits of enum m2pa_news; 0: none, and no note is under way */
	_Atomic uint32_t shown[5];
};

static inline uint32_t m2pa_backlog(const struct m2pa *s)
{
	return s->waiting.n + s->retained.n;
}

/* ---- its life (m2pa_control.c) ---- */

struct m2pa *m2pa_new(struct assoc *a, const struct assoc_conf *conf);
/* Control, when the worker does not know the association any more. */
void m2pa_free(struct assoc *a);
/* Control: what has come from the worker. */
void m2pa_dispatch(struct plane *p, struct mbuf *take_m);
void m2pa_dispatch_news(struct assoc *a);

/* ---- commands, on the worker (m2pa_do.c) ---- */

void m2pa_do(struct assoc *a, struct mbuf *take_m);
void m2pa_assoc_open(struct assoc *a, struct tp_conn *conn);
void m2pa_assoc_down(struct assoc *a);
/* Tells control, once for any number of times before it looks. */
void m2pa_tell_news(struct assoc *a, uint32_t bits);
/* The link cannot go on. */
void m2pa_fail(struct assoc *a, enum m2pa_failure why);

/* ---- receiving (m2pa_rx.c) ---- */

void m2pa_on_message(struct assoc *a, struct mbuf *take_m);
/* Delivers what was held, if nothing holds it any more. */
void m2pa_deliver_held(struct assoc *a);
/* Discards what was received and not acknowledged. */
void m2pa_discard_held(struct assoc *a, enum drop_reason r);

/* ---- sending (m2pa_tx.c) ---- */

/* An MSU for the peer, at its SIO; refused when LIMIT messages wait or are retained. */
void m2pa_enqueue(struct assoc *a, struct mbuf *take_m, uint32_t limit);
/* The end of a pass: numbers and headers for what may be sent, and an acknowledgement if one is due. */
void m2pa_fill(struct assoc *a);
/* Writes a Link Status into TAKE_M and queues it. */
void m2pa_queue_status(
	struct assoc *a, struct mbuf *take_m, uint32_t state, uint16_t stream, uint32_t filler);
/* What is queued and was not handed to the transport waits again, without its number. */
void m2pa_recall(struct assoc *a);
/* BSN acknowledges what is retained up to it. False: it is of nothing that was sent. */
bool m2pa_acknowledge(struct assoc *a, uint32_t bsn);
/* The peer's last accepted message is BSN, all behind it is void: discarded, or sent again. */
void m2pa_resync(struct assoc *a, uint32_t bsn, bool flush);
/* Takes the header off. */
void m2pa_strip(struct mbuf *m);
void m2pa_writable(struct assoc *a);
/* The peer acknowledges again: T7 of all that is retained begins anew, and sending goes on. */
void m2pa_resume(struct assoc *a);
/* Discards what is in Q, which the peer must not get any more. */
void m2pa_flush(struct assoc *a, struct mbufq *q);
/* Comes back in a moment, for what cannot be done now. */
void m2pa_run_tick(struct assoc *a);
void m2pa_init_timers(struct assoc *a);
void m2pa_stop_timers(struct assoc *a);
void m2pa_show(struct assoc *a);
