/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What control commands, carried out on the worker; and what the worker tells it. A command travels in a
 * buffer, which a Link Status then leaves in. */
#include "data/assoc.h"

/* ---- to control ---- */

void m2pa_tell_news(struct assoc *a, uint32_t bits)
{
	struct m2pa *s = a->m2pa;
	uint32_t was = atomic_load(&s->news), now;

	do { /* what is left of an earlier alignment is nobody's news any more */
		now = s->epoch << M2N_BITS | bits;
		if (was >> M2N_BITS == s->epoch)
			now |= was;
	} while (!atomic_compare_exchange_weak(&s->news, &was, now));
	if (!was)
		assoc_post(&a->plane->events, a, AN_M2PA_NEWS, N_M2PA_NEWS);
}

void m2pa_fail(struct assoc *a, enum m2pa_failure why)
{
	m2pa_tell_news(a, (uint32_t)M2N_FAULT << why);
}

static void post_event(struct assoc *a, struct mbuf *m, enum plane_event_kind kind, uint32_t value)
{
	m->peer = a;
	m->note.kind = N_M2PA_EVENT;
	m->ssn = (uint16_t)kind;
	m->aux = value;
	inbox_post(&a->plane->events, &m->note);
}

/* ---- life ---- */

void m2pa_assoc_open(struct assoc *a, struct tp_conn *conn)
{
	conn->sent = &a->m2pa->retained;
}

void m2pa_assoc_down(struct assoc *a)
{
	struct m2pa *s = a->m2pa;

	m2pa_stop_timers(a);
	m2pa_discard_held(a, DROP_ASSOC_DOWN);
	s->open = s->going = s->ack_due = s->resync = false;
	m2pa_show(a);
}

static void clear(struct assoc *a, struct mbufq *q)
{
	struct mbuf *m;

	while ((m = mbufq_pop(q))) {
		assoc_drop(a, DROP_ASSOC_DOWN);
		mbuf_free(a->worker->pool, m);
	}
}

static void do_reset(struct assoc *a, struct mbuf *m)
{
	struct m2pa *s = a->m2pa;

	m2pa_stop_timers(a);
	m2pa_recall(a);
	clear(a, &s->waiting);
	clear(a, &s->retained);
	m2pa_discard_held(a, DROP_ASSOC_DOWN);
	s->fsn = s->acked = s->rcvd = s->bsn = M2PA_SEQ_START;
	s->open = s->going = s->taking = s->heard = false;
	s->outage = s->busy = s->starved = false;
	s->peer_out = s->peer_busy = s->resync = s->ack_due = false;
	s->odd_bsns = 0;
	s->epoch = m->aux;
	worker_touch(a->worker, a);
	mbuf_free(a->worker->pool, m);
}

static void do_open(struct assoc *a, struct mbuf *m)
{
	a->m2pa->open = a->m2pa->taking = true;
	mbuf_free(a->worker->pool, m);
}

static void do_go(struct assoc *a, struct mbuf *m)
{
	a->m2pa->going = a->m2pa->open;
	worker_touch(a->worker, a);
	mbuf_free(a->worker->pool, m);
}

static void do_close(struct assoc *a, struct mbuf *m)
{
	struct m2pa *s = a->m2pa;

	m2pa_stop_timers(a);
	m2pa_recall(a);
	m2pa_discard_held(a, DROP_M2PA_CLOSED);
	s->open = s->going = s->ack_due = s->resync = false;
	worker_touch(a->worker, a);
	mbuf_free(a->worker->pool, m);
}

/* ---- Link Status ---- */

static void do_status(struct assoc *a, struct mbuf *m)
{
	m2pa_queue_status(a, m, m->aux & 0xff, 0, m->aux >> 8);
}

static void do_outage(struct assoc *a, struct mbuf *m)
{
	a->m2pa->outage = true;
	m2pa_queue_status(a, m, M2PA_PROCESSOR_OUTAGE, 1, 0);
}

static void do_recover(struct assoc *a, struct mbuf *m)
{
	struct m2pa *s = a->m2pa;

	s->flush = m->aux;
	s->outage = false;
	if (s->flush)
		m2pa_discard_held(a, DROP_M2PA_FLUSHED);
	else
		m2pa_deliver_held(a);
	m2pa_recall(a); /* "SHALL cease transmitting User Data messages" until Ready */
	if (s->flush)
		m2pa_flush(a, &s->waiting);
	s->resync = true;
	m2pa_queue_status(a, m, M2PA_PROCESSOR_RECOVERED, 1, 0);
}

static void do_answer(struct assoc *a, struct mbuf *m)
{
	struct m2pa *s = a->m2pa;

	s->peer_out = false;
	m2pa_recall(a);
	if (m->aux)
		m2pa_flush(a, &s->waiting);
	m2pa_resync(a, s->peer_bsn, m->aux);
	m2pa_queue_status(a, m, M2PA_READY, 1, 0);
}

static void do_busy(struct assoc *a, struct mbuf *m)
{
	a->m2pa->busy = true;
	m2pa_queue_status(a, m, M2PA_BUSY, 0, 0);
}

static void do_busy_ended(struct assoc *a, struct mbuf *m)
{
	struct m2pa *s = a->m2pa;

	s->busy = s->starved = false;
	m2pa_queue_status(a, m, M2PA_BUSY_ENDED, 0, 0);
	m2pa_deliver_held(a);
}

/* ---- changeover ---- */

static void do_bsnt(struct assoc *a, struct mbuf *m)
{
	post_event(a, m, PE_M2PA_BSNT, a->m2pa->bsn);
}

static uint32_t hand_over(struct assoc *a, struct mbufq *q)
{
	uint32_t n = 0;
	struct mbuf *m;

	for (; (m = mbufq_pop(q)); n++) {
		m2pa_strip(m);
		post_event(a, m, PE_M2PA_RETRIEVED, m->aux);
	}
	counter_add(&a->c[AC_RETRIEVED], n);
	return n;
}

/* s.4.2.3: the sent messages behind FSNC, then the unsent ones; without an FSNC, or with one that is of
 * nothing that was sent, the unsent ones alone. A link that is still open goes on after its processor outage:
 * what becomes of the sent ones is settled then (s.4.1.4). */
static void do_retrieve(struct assoc *a, struct mbuf *m)
{
	struct m2pa *s = a->m2pa;
	uint32_t n = 0;

	m2pa_recall(a);
	if (!s->open) {
		if (m->aux == M2PA_ALL_FSNC || (m->aux <= M2PA_SEQ_MASK && m2pa_acknowledge(a, m->aux)))
			n = hand_over(a, &s->retained);
		mbufq_purge(&s->retained, a->worker->pool);
		s->acked = s->fsn;
		s->taking = false;
	}
	n += hand_over(a, &s->waiting);
	worker_touch(a->worker, a);
	post_event(a, m, PE_M2PA_RETRIEVAL_DONE, n);
}

void m2pa_do(struct assoc *a, struct mbuf *m)
{
	static void (*const commands[])(struct assoc *, struct mbuf *) = {
		[M2C_RESET] = do_reset,
		[M2C_OPEN] = do_open,
		[M2C_GO] = do_go,
		[M2C_CLOSE] = do_close,
		[M2C_STATUS] = do_status,
		[M2C_OUTAGE] = do_outage,
		[M2C_RECOVER] = do_recover,
		[M2C_ANSWER] = do_answer,
		[M2C_BUSY] = do_busy,
		[M2C_BUSY_ENDED] = do_busy_ended,
		[M2C_BSNT] = do_bsnt,
		[M2C_RETRIEVE] = do_retrieve,
	};

	commands[m->ssn](a, m);
}
