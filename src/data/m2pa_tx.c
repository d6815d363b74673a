/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sending half of a link's sequence part, and T7. */
#include "base/clock.h"
#include "data/assoc.h"

enum { LINK_STREAM, USER_STREAM };

#define TICK_S 0.05

static bool may_send(const struct m2pa *s)
{
	return s->going && !s->peer_out && !s->peer_busy && !s->resync;
}

/* TCP has one stream only. */
static uint16_t stream_of(const struct assoc *a, uint16_t stream)
{
	return atomic_load_explicit(&a->out_streams, memory_order_relaxed) > stream ? stream : 0;
}

static void run_t7(struct assoc *a);

/* ---- what waits ---- */

static bool has_room(struct assoc *a, const struct mbuf *m, uint32_t limit)
{
	uint32_t n = assoc_backlog(a);

	return n < limit && m->off >= M2PA_USER_HEADER &&
	       (n < ASSOC_EASY || limit > a->txq_limit || assoc_may_have_buffer(a, m));
}

void m2pa_enqueue(struct assoc *a, struct mbuf *m, uint32_t limit)
{
	struct m2pa *s = a->m2pa;

	if (!s->taking || !has_room(a, m, limit)) {
		assoc_drop(a, s->taking ? DROP_TXQ_FULL : DROP_ASSOC_DOWN);
		mbuf_free(a->worker->pool, m);
		return;
	}
	mbufq_push(&s->waiting, m);
	if (assoc_backlog(a) >= a->next_onset)
		assoc_queue_crowded(a);
	worker_touch(a->worker, a);
}

void m2pa_strip(struct mbuf *m)
{
	if (!m->keep)
		return;
	m->aux = mbuf_head(m)[M2PA_HEADER] >> 6;
	m->off += M2PA_USER_HEADER;
	m->len -= M2PA_USER_HEADER;
	m->keep = false;
}

void m2pa_recall(struct assoc *a)
{
	struct m2pa *s = a->m2pa;
	struct mbufq others, unsent;
	struct mbuf *m;

	mbufq_init(&others);
	mbufq_init(&unsent);
	while ((m = mbufq_pop(&a->txq))) {
		bool kept = m->keep;

		m2pa_strip(m);
		mbufq_push(kept ? &unsent : &others, m);
	}
	mbufq_prepend(&a->txq, &others);
	s->fsn = (s->fsn - unsent.n) & M2PA_SEQ_MASK;
	mbufq_prepend(&s->waiting, &unsent);
}

/* ---- what is queued for the transport ---- */

static void queue(struct assoc *a, struct mbuf *m, uint16_t stream)
{
	m->ppid = TP_PPID_M2PA;
	m->stream = stream_of(a, stream);
	assoc_count_on_stream(a, &a->tx, m->stream);
	mbufq_push(&a->txq, m);
}

static inline void queue_user(struct assoc *a, struct mbuf *m)
{
	struct m2pa *s = a->m2pa;
	uint8_t *p;

	s->fsn = m2pa_seq_next(s->fsn);
	p = m2pa_user_write(mbuf_head(m), m->len, (uint8_t)m->aux, s->bsn, s->fsn);
	m->off = (uint32_t)(p - m->data);
	m->len += M2PA_USER_HEADER;
	m->aux = a->worker->now_ms;
	m->keep = true;
	counter_add(&a->c[AC_TX_DATA], 1);
	queue(a, m, USER_STREAM);
}

/* s.4.2.1: "If there is no User Data message available to be sent when there is a message to acknowledge,
 * M2PA SHOULD generate and send a User Data message with no data payload, without delay." */
static void queue_ack(struct assoc *a)
{
	struct m2pa *s = a->m2pa;
	struct mbuf *m = mbuf_alloc(a->worker->pool);
	struct wr w;

	if (!m) {
		m2pa_run_tick(a);
		return;
	}
	w = wr_over(mbuf_head(m), M2PA_HEADER);
	m2pa_empty_write(&w, s->bsn, s->fsn);
	m->len = wr_len(&w);
	counter_add(&a->c[AC_ACKS_TX], 1);
	queue(a, m, USER_STREAM);
	s->ack_due = false;
}

void m2pa_fill(struct assoc *a)
{
	struct m2pa *s = a->m2pa;
	struct mbuf *m;

	if (atomic_load_explicit(&a->state, memory_order_relaxed) != ASSOC_UP)
		return;
	if (may_send(s) && s->waiting.n) {
		while ((m = mbufq_pop(&s->waiting)))
			queue_user(a, m);
		s->ack_due = false;
		run_t7(a);
	}
	if (s->ack_due && !s->resync) /* Processor Recovered has told it, and Ready will */
		queue_ack(a);
}

void m2pa_queue_status(struct assoc *a, struct mbuf *m, uint32_t state, uint16_t stream, uint32_t filler)
{
	struct m2pa *s = a->m2pa;
	struct wr w = wr_over(mbuf_head(m), m->cap - m->off);
	/* these tell what has been received and not discarded, delivered or not (s.4.1.4) */
	bool sync = state == M2PA_PROCESSOR_RECOVERED || (state == M2PA_READY && stream == USER_STREAM);

	m2pa_status_write(&w, state, sync ? s->rcvd : s->bsn, s->fsn, filler, (uint32_t)clock_ns());
	if (w.fault || !a->data_limit || a->txq.n >= a->data_limit + ASSOC_TXQ_RESERVE) {
		assoc_drop(a, a->data_limit ? DROP_TXQ_FULL : DROP_ASSOC_DOWN);
		mbuf_free(a->worker->pool, m);
		return;
	}
	m->len = wr_len(&w);
	m->keep = false;
	queue(a, m, stream);
	worker_touch(a->worker, a);
}

/* ---- what is retained ---- */

static void release(struct assoc *a, uint32_t n)
{
	while (n--)
		mbuf_free(a->worker->pool, mbufq_pop(&a->m2pa->retained));
}

bool m2pa_acknowledge(struct assoc *a, uint32_t bsn)
{
	struct m2pa *s = a->m2pa;
	uint32_t n = m2pa_seq_from(s->acked, bsn);

	if (n > s->retained.n)
		return false;
	if (!n)
		return true;
	release(a, n);
	s->acked = bsn;
	worker_touch(a->worker, a); /* congestion may abate */
	return true;
}

void m2pa_flush(struct assoc *a, struct mbufq *q)
{
	struct mbuf *m;

	while ((m = mbufq_pop(q))) {
		assoc_drop(a, DROP_M2PA_FLUSHED);
		mbuf_free(a->worker->pool, m);
	}
}

void m2pa_resync(struct assoc *a, uint32_t bsn, bool flush)
{
	struct m2pa *s = a->m2pa;
	struct mbufq again;
	struct mbuf *m;

	m2pa_recall(a);
	/* it may be behind: what the peer has told as received by a Ready, and flushed since */
	if (!m2pa_acknowledge(a, bsn) && m2pa_seq_from(bsn, s->acked) > M2PA_SEQ_MASK / 2) {
		m2pa_fail(a, M2PA_F_RESYNC);
		return;
	}
	if (flush)
		m2pa_flush(a, &s->retained);
	mbufq_init(&again);
	while ((m = mbufq_pop(&s->retained))) {
		m2pa_strip(m);
		mbufq_push(&again, m);
	}
	mbufq_prepend(&s->waiting, &again);
	s->fsn = s->acked = bsn;
	m2pa_resume(a);
}

/* ---- timers ---- */

/* Time left until the oldest message that waits for its acknowledgement is T7 old. */
static int32_t t7_left(const struct m2pa *s, uint32_t now_ms)
{
	uint32_t sent = s->retained.first->aux;

	if ((int32_t)(s->t7_base - sent) > 0)
		sent = s->t7_base;
	return (int32_t)(sent + s->t7_ms - now_ms);
}

/* While the peer cannot acknowledge, or need not: T6 supervises busy peers (RFC 4165 s.4.1.5), nothing those
 * in processor outage (Q.703 Figure 13 sheet 5: "Send FISU"). */
static bool t7_rests(const struct m2pa *s)
{
	return s->peer_busy || s->peer_out || s->resync;
}

static void run_t7(struct assoc *a)
{
	struct m2pa *s = a->m2pa;

	if (ev_is_active(&s->t7) || t7_rests(s))
		return;
	ev_timer_set(&s->t7, s->t7_ms / 1000., 0.);
	ev_timer_start(a->worker->ev, &s->t7);
}

/* Not restarted by every acknowledgement: when it ends, it looks how old the oldest message is (s.4.2.1: "If
 * any message is unacknowledged after a period equal to the T7 value, the T7 timer SHALL expire"). */
static void on_t7(struct ev_loop *loop, ev_timer *t, int revents)
{
	struct assoc *a = t->data;
	struct m2pa *s = a->m2pa;
	int32_t left;

	(void)revents;
	if (t7_rests(s))
		return;
	if (!s->retained.n) { /* what is queued has not been sent */
		if (a->txq.n)
			run_t7(a);
		return;
	}
	left = t7_left(s, (uint32_t)clock_ms());
	if (left <= 0) {
		m2pa_fail(a, M2PA_F_T7);
		return;
	}
	ev_timer_set(t, left / 1000., 0.);
	ev_timer_start(loop, t);
}

void m2pa_resume(struct assoc *a)
{
	struct m2pa *s = a->m2pa;

	s->t7_base = a->worker->now_ms;
	if (s->retained.n)
		run_t7(a);
	worker_touch(a->worker, a);
}

/* T7 of what the transport takes only now begins now. */
void m2pa_writable(struct assoc *a)
{
	for (struct mbuf *m = a->txq.first; m; m = m->next)
		if (m->keep)
			m->aux = a->worker->now_ms;
}

void m2pa_run_tick(struct assoc *a)
{
	struct m2pa *s = a->m2pa;

	if (ev_is_active(&s->tick))
		return;
	ev_timer_set(&s->tick, TICK_S, 0.);
	ev_timer_start(a->worker->ev, &s->tick);
}

static void on_tick(struct ev_loop *loop, ev_timer *t, int revents)
{
	struct assoc *a = t->data;
	struct m2pa *s = a->m2pa;
	bool slow = counter_get(&a->told) - counter_get(&a->taken) >= ASSOC_MESSAGES / 2;

	(void)loop;
	(void)revents;
	if (s->ack_due)
		worker_touch(a->worker, a);
	if (!s->starved || s->told_abated)
		return;
	if (slow) {
		m2pa_run_tick(a);
		return;
	}
	s->told_abated = true;
	m2pa_tell_news(a, M2N_ABATED);
}

void m2pa_init_timers(struct assoc *a)
{
	struct m2pa *s = a->m2pa;

	ev_timer_init(&s->t7, on_t7, 0., 0.);
	ev_timer_init(&s->tick, on_tick, 0., 0.);
	s->t7.data = s->tick.data = a;
}

void m2pa_stop_timers(struct assoc *a)
{
	ev_timer_stop(a->worker->ev, &a->m2pa->t7);
	ev_timer_stop(a->worker->ev, &a->m2pa->tick);
}

/* ---- for show ---- */

void m2pa_show(struct assoc *a)
{
	const struct m2pa *s = a->m2pa;
	const uint32_t now[] = {s->fsn, s->bsn, s->waiting.n, s->retained.n, s->held.n};

	for (unsigned i = 0; i < sizeof(now) / sizeof(now[0]); i++)
		atomic_store_explicit(&a->m2pa->shown[i], now[i], memory_order_relaxed);
	atomic_store_explicit(&a->txq_n, a->txq.n + s->waiting.n, memory_order_relaxed);
}
