/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An association on its worker: what comes in is counted and sorted into DATA (forward.c) and the rest
 * (control's); what goes out is queued and flushed once per loop pass. */
#include "data/assoc.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "data/forward.h"
#include "data/intake.h"
#include "wire/m3ua.h"

void assoc_post(struct inbox *in, struct assoc *a, enum assoc_note_index i, enum note_kind kind)
{
	a->notes[i].note.kind = (uint16_t)kind;
	a->notes[i].assoc = a;
	inbox_post(in, &a->notes[i].note);
}

void assoc_set_state(struct assoc *a, enum assoc_state s)
{
	atomic_store(&a->since_ms, clock_ms());
	atomic_store(&a->state, s);
	atomic_store(&a->serves, s == ASSOC_UP ? a->life : ASSOC_NO_LIFE);
	a->data_limit = s == ASSOC_UP ? a->txq_limit : 0;
	a->easy_limit = a->data_limit < ASSOC_EASY ? a->data_limit : ASSOC_EASY;
}

void assoc_drop(struct assoc *a, enum drop_reason r)
{
	counter_add(&a->drops[r], 1);
	worker_drop(a->worker, r);
}

static void tell_once(struct assoc *a, enum assoc_note_index i, enum note_kind kind)
{
	assoc_post(&a->plane->events, a, i, kind);
}

/* ---- congestion of the transmit queue ---- */

enum { LEVELS = 3 };

uint32_t assoc_backlog(const struct assoc *a)
{
	return a->m2pa ? a->txq.n + m2pa_backlog(a->m2pa) : a->txq.n;
}

static uint32_t share_of(const struct assoc *a, unsigned percent)
{
	uint64_t n = (uint64_t)a->full_at * percent / 100;

	return n ? (uint32_t)n : 1;
}

static uint32_t onset(const struct assoc *a, unsigned level)
{
	static const uint8_t percent[LEVELS] = {50, 75, 90};

	return level < LEVELS ? share_of(a, percent[level]) : UINT32_MAX;
}

/* Below this, LEVEL is over. */
static uint32_t abatement(const struct assoc *a, unsigned level)
{
	static const uint8_t percent[LEVELS + 1] = {0, 40, 65, 80};

	return level ? share_of(a, percent[level]) : 0;
}

static void set_congestion(struct assoc *a, unsigned level)
{
	a->next_onset = onset(a, level);
	a->next_abatement = abatement(a, level);
	if (level > atomic_load(&a->congestion))
		counter_add(&a->c[AC_CONGESTIONS], 1);
	atomic_store(&a->congestion, (uint8_t)level);
	if (!atomic_exchange(&a->congestion_told, true))
		tell_once(a, AN_CONGESTION, N_CONGESTION);
}

void assoc_queue_crowded(struct assoc *a)
{
	unsigned level = atomic_load(&a->congestion);

	while (assoc_backlog(a) >= onset(a, level))
		level++;
	set_congestion(a, level);
}

static void watch_fall(struct assoc *a)
{
	unsigned level = atomic_load(&a->congestion);

	while (level && assoc_backlog(a) < abatement(a, level))
		level--;
	if (!level)
		a->full_at = a->txq_limit;
	set_congestion(a, level);
}

/* Where buffers are short the queue is full before its limit: then that is what it is measured by, so that
 * senders hear of congestion all the same. */
bool assoc_may_have_buffer(struct assoc *a, const struct mbuf *m)
{
	uint32_t n = assoc_backlog(a);

	if (mbuf_may_wait(m, n))
		return true;
	if (n < a->full_at) {
		a->full_at = n;
		if (atomic_load(&a->congestion) < LEVELS)
			assoc_queue_crowded(a);
		else
			a->next_abatement = abatement(a, LEVELS);
	}
	return false;
}

bool assoc_has_room(struct assoc *a, const struct mbuf *m)
{
	return a->txq.n < a->data_limit && assoc_may_have_buffer(a, m);
}

/* ---- streams ---- */

/* Ordered delivery: numbers rise by one within a stream. The element keeps the number that is due next. */
static void check_ssn(struct assoc *a, struct stream_state *s, uint16_t ssn)
{
	if (ssn != atomic_load_explicit(&s->ssn, memory_order_relaxed)) {
		atomic_fetch_add_explicit(&s->faults, 1, memory_order_relaxed);
		counter_add(&a->c[AC_ORDER_FAULTS], 1);
	}
	atomic_store_explicit(&s->ssn, (uint16_t)(ssn + 1), memory_order_relaxed);
}

static bool forget_ssn(uint32_t i, void *elem, void *arg)
{
	struct stream_state *s = elem;

	(void)i;
	(void)arg;
	atomic_store_explicit(&s->ssn, 0, memory_order_relaxed);
	return true;
}

/* ---- out ---- */

void assoc_enqueue_refused(struct assoc *a, struct mbuf *m)
{
	assoc_drop(a, atomic_load(&a->state) == ASSOC_UP ? DROP_TXQ_FULL : DROP_ASSOC_DOWN);
	mbuf_free(a->worker->pool, m);
}

void assoc_enqueue_held(struct assoc *a, struct mbuf *m)
{
	if (a->m2pa) {
		m2pa_enqueue(a, m, UINT32_MAX);
		return;
	}
	if (!a->data_limit) {
		assoc_enqueue_refused(a, m);
		return;
	}
	counter_add(&a->c[AC_TX_DATA], 1);
	assoc_enqueue(a, m);
}

void assoc_enqueue_control(struct assoc *a, struct mbuf *m)
{
	if (a->m2pa)
		m2pa_enqueue(a, m, a->txq_limit + ASSOC_TXQ_RESERVE);
	else if (a->data_limit && a->txq.n < a->data_limit + ASSOC_TXQ_RESERVE)
		assoc_enqueue(a, m);
	else
		assoc_enqueue_refused(a, m);
}

bool assoc_may_wait(const struct assoc *a)
{
	return a->txq.n && !a->blocked && !a->shutdown_due &&
	       atomic_load_explicit(&a->state, memory_order_relaxed) == ASSOC_UP &&
	       a->txq.bytes + (uint64_t)a->txq.n * WORKER_CHUNK_OVERHEAD < WORKER_PACKET;
}

static void transmit(struct assoc *a, struct tp_conn *conn)
{
	uint64_t bytes = a->txq.bytes;
	unsigned n = a->ops->transmit(conn, &a->txq);

	counter_add(&a->c[AC_TX_FLUSHES], 1);
	counter_add(&a->c[AC_TX_MSGS], n);
	counter_add(&a->c[AC_TX_BYTES], bytes - a->txq.bytes);
	if (a->txq.n) {
		a->blocked = true;
		counter_add(&a->c[AC_TX_BLOCKED], 1);
	}
}

void assoc_flush(struct assoc *a)
{
	struct tp_conn *conn = atomic_load_explicit(&a->conn, memory_order_relaxed);

	if (conn && a->m2pa && !a->blocked)
		m2pa_fill(a);
	if (conn && a->txq.n && !a->blocked)
		transmit(a, conn);
	atomic_store_explicit(&a->txq_n, a->txq.n, memory_order_relaxed);
	if (a->m2pa)
		m2pa_show(a);
	if (assoc_backlog(a) < a->next_abatement)
		watch_fall(a);
	if (conn && a->shutdown_due && !a->txq.n) {
		a->shutdown_due = false;
		assoc_set_state(a, ASSOC_CLOSING);
		a->ops->shutdown(conn);
	}
}

static void purge(struct assoc *a)
{
	struct mbuf *m;

	if (a->m2pa)
		m2pa_recall(a); /* they can still be retrieved */
	while ((m = mbufq_pop(&a->txq))) {
		assoc_drop(a, DROP_ASSOC_DOWN);
		mbuf_free(a->worker->pool, m);
	}
	atomic_store_explicit(&a->txq_n, 0, memory_order_relaxed);
	if (a->next_abatement)
		watch_fall(a);
}

/* ---- in ---- */

bool assoc_tell(struct assoc *a, struct mbuf *m, enum note_kind kind)
{
	struct worker *w = a->worker;

	/* neither one peer nor all together may take the buffers that traffic needs */
	if (counter_get(&a->told) - counter_get(&a->taken) >= ASSOC_MESSAGES ||
		counter_get(&w->told[TOLD_MESSAGE]) - counter_get(&w->taken[TOLD_MESSAGE]) >=
			mbuf_pool_size(w->pool) / 2)
		return false;
	counter_add(&a->told, 1);
	counter_add(&w->told[TOLD_MESSAGE], 1);
	counter_add(&a->c[AC_RX_CONTROL], 1);
	m->peer = a;
	m->note.kind = (uint16_t)kind;
	inbox_post(&w->plane->events, &m->note);
	return true;
}

static void to_control(struct assoc *a, struct mbuf *m)
{
	if (assoc_tell(a, m, N_MESSAGE)) {
		intake_told(a);
		return;
	}
	assoc_drop(a, DROP_CONTROL_BUSY);
	mbuf_free(a->worker->pool, m);
}

/* By the common header alone (RFC 4666 s.3.1); what is wrong with anything else is control's to say. */
static bool is_data(struct mbuf *m)
{
	static const uint8_t want[4] = {1, 0, M3UA_DATA >> 8, M3UA_DATA & 0xff};
	const uint8_t *h = mbuf_head(m);

	return m->len >= M3UA_HEADER && h[0] == want[0] && h[2] == want[2] && h[3] == want[3];
}

bool assoc_tolerates(struct assoc *a, enum assoc_tolerance what)
{
	if (!(a->tolerates & what))
		return false;
	counter_add(&a->c[AC_TOLERATED], 1);
	return true;
}

static __attribute__((noinline)) bool bad_ppid(struct assoc *a, const struct mbuf *m)
{
	bool known = m->ppid == 0 || m->ppid == __builtin_bswap32(TP_PPID_M3UA);

	return !known || !assoc_tolerates(a, ASSOC_ANY_PPID);
}

static inline void take_message(struct assoc *a, struct mbuf *m)
{
	struct stream_state *s;

	counter_add(&a->c[AC_RX_MSGS], 1);
	counter_add(&a->c[AC_RX_BYTES], m->len);
	s = assoc_count_on_stream(a, &a->rx, m->stream);
	if (a->checks_ssn && s)
		check_ssn(a, s, m->ssn);
	if (a->m2pa) {
		m2pa_on_message(a, m);
	} else if (m->ppid != TP_PPID_M3UA && bad_ppid(a, m)) {
		forward_refused(a->worker, a, m, DROP_BAD_PPID, m->ppid);
	} else if (is_data(m)) {
		counter_add(&a->c[AC_RX_DATA], 1);
		forward_data(a->worker, a, m);
	} else {
		to_control(a, m);
	}
}

/* In the middle of the upcall of a message. */
static __attribute__((noinline)) void look_before(struct worker *w, void (*look)(struct worker *w))
{
	w->in_upcall = true;
	look(w);
	w->in_upcall = false;
}

void assoc_on_message(void *user, struct mbuf *m)
{
	struct assoc *a = user;
	struct worker *w = a->worker;

	if (w->in_pass) {
		if (worker_is_behind(w))
			look_before(w, worker_look);
		take_message(a, m);
		return;
	}
	/* a transport that hands over between our passes, from a watcher of its own before the poll */
	look_before(w, worker_enter);
	take_message(a, m);
	worker_leave(w);
}

/* At most once a second: a peer may send any number of such. */
static void tell_too_long(struct assoc *a, uint32_t len)
{
	struct event *e = NULL;

	if (!a->told_too_long_ms || a->worker->now_ms - a->told_too_long_ms >= 1000)
		e = event_new(PE_TOO_LONG, a, NULL);
	if (!e)
		return;
	a->told_too_long_ms = a->worker->now_ms | 1; /* 0: never */
	e->ev.value = len;
	event_post(a->plane, e);
}

void assoc_on_refused(void *user, uint32_t len, bool too_long)
{
	struct assoc *a = user;

	assoc_drop(a, too_long ? DROP_TOO_LONG : DROP_NO_BUFFER);
	if (too_long && !a->m2pa)
		tell_too_long(a, len);
}

/* ---- its life ---- */

static void set_streams(struct assoc *a, const struct tp_event *ev)
{
	atomic_store(&a->in_streams, ev->in_streams);
	atomic_store(&a->out_streams, ev->out_streams);
}

static void on_up(struct assoc *a, const struct tp_event *ev)
{
	if (atomic_load(&a->state) != ASSOC_CONNECTING)
		return; /* aborted in the meantime: TP_DOWN is on its way */
	set_streams(a, ev);
	assoc_set_state(a, ASSOC_UP);
	tell_once(a, AN_UP, N_UP);
}

static void post_release(struct rcu_head *head)
{
	struct assoc *a = caa_container_of(head, struct assoc, release_rcu);

	TSAN_ACQUIRE(head);
	TSAN_ACQUIRE(PLANE_READERS(a->plane));
	assoc_post(&a->worker->inbox, a, AN_RELEASE, N_RELEASE);
}

static void on_down(struct assoc *a, const struct tp_event *ev)
{
	a->dead = atomic_load(&a->conn);
	atomic_store(&a->conn, NULL);
	snprintf(a->reason, sizeof(a->reason), "%s", ev->reason);
	assoc_set_state(a, ASSOC_DOWN);
	purge(a);
	if (a->m2pa)
		m2pa_assoc_down(a);
	*a->prev_live = a->next_live;
	if (a->next_live)
		a->next_live->prev_live = a->prev_live;
	/* control may be asking the connection for its paths at this moment */
	TSAN_RELEASE(&a->release_rcu);
	call_rcu(&a->release_rcu, post_release);
	tell_once(a, AN_DOWN, N_DOWN);
	worker_may_end(a->worker);
}

/* RFC 6458 s.6.1.1: what was queued was meant for a peer that does not know of it any more. So is what would
 * be forwarded to it by the table in force: RFC 4666 s.4.3.1 has it ASP-DOWN now. Links have their own way.
 */
static void on_restart(struct assoc *a, const struct tp_event *ev)
{
	struct event *e = event_new(PE_RESTART, a, NULL);

	set_streams(a, ev);
	counter_add(&a->c[AC_RESTARTS], 1);
	a->life++;
	paged_foreach(&a->rx, forget_ssn, NULL);
	if (a->m2pa)
		a->m2pa->going = false; /* the peer would discard it: it is for another link */
	purge(a);
	if (!a->m2pa && atomic_load(&a->state) == ASSOC_UP)
		assoc_set_state(a, ASSOC_RESTARTED);
	if (!e) { /* it must not stay up untold */
		assoc_do_abort(a, "out of memory");
		return;
	}
	e->ev.in_streams = ev->in_streams;
	e->ev.out_streams = ev->out_streams;
	e->ev.value = a->life;
	event_post(a->plane, e);
}

static void on_path(struct assoc *a, const struct tp_event *ev)
{
	struct event *e = event_new(PE_PATH, a, NULL);

	counter_add(&a->c[AC_PATH_CHANGES], 1);
	if (!e)
		return;
	e->ev.addr = ev->addr;
	e->ev.reachable = ev->reachable;
	event_post(a->plane, e);
}

static void on_writable(struct assoc *a, const struct tp_event *ev)
{
	(void)ev;
	a->blocked = false;
	if (a->m2pa)
		m2pa_writable(a);
	worker_touch(a->worker, a);
}

static void on_send_failed(struct assoc *a, const struct tp_event *ev)
{
	struct event *e = event_new(PE_SEND_FAILED, a, NULL);

	if (!a->m2pa) { /* a link still has them */
		counter_add(&a->drops[DROP_SEND_FAILED], ev->count);
		counter_add(&a->worker->drops[DROP_SEND_FAILED], ev->count);
	}
	if (!e)
		return;
	e->ev.value = ev->count;
	event_post(a->plane, e);
}

static void on_peer_shutdown(struct assoc *a, const struct tp_event *ev)
{
	enum assoc_state s = atomic_load(&a->state);

	(void)ev;
	if (s != ASSOC_UP && s != ASSOC_RESTARTED)
		return;
	assoc_set_state(a, ASSOC_CLOSING);
	purge(a);
	tell_once(a, AN_PEER_SHUTDOWN, N_PEER_SHUTDOWN);
}

void assoc_on_event(void *user, const struct tp_event *ev)
{
	static void (*const on[])(struct assoc *, const struct tp_event *) = {
		[TP_UP] = on_up,
		[TP_DOWN] = on_down,
		[TP_RESTART] = on_restart,
		[TP_PATH] = on_path,
		[TP_WRITABLE] = on_writable,
		[TP_SEND_FAILED] = on_send_failed,
		[TP_PEER_SHUTDOWN] = on_peer_shutdown,
	};

	on[ev->kind](user, ev);
}

static void failed_to_open(struct assoc *a, enum sb_err e)
{
	snprintf(a->reason, sizeof(a->reason), "%s", e == SB_ESYS ? strerror(errno) : sb_strerror(e));
	assoc_set_state(a, ASSOC_DOWN);
	tell_once(a, AN_DOWN, N_DOWN);
}

void assoc_open(struct assoc *a)
{
	struct worker *w = a->worker;
	struct tp_incoming *in = a->incoming;
	struct tp_conn *conn = NULL;
	enum sb_err e;

	a->incoming = NULL;
	if (w->stopping) {
		if (in)
			a->ops->reject(in);
		failed_to_open(a, SB_ESTATE);
		return;
	}
	e = in ? a->ops->adopt(&w->tp, in, &a->params, a, &conn)
	       : a->ops->connect(&w->tp, &a->params, a, &conn);
	if (e != SB_OK) {
		failed_to_open(a, e);
		return;
	}
	atomic_store(&a->conn, conn);
	if (a->m2pa)
		m2pa_assoc_open(a, conn);
	a->next_live = w->live;
	a->prev_live = &w->live;
	if (w->live)
		w->live->prev_live = &a->next_live;
	w->live = a;
}

void assoc_do_shutdown(struct assoc *a)
{
	enum assoc_state s = atomic_load(&a->state);

	if (s == ASSOC_CONNECTING) {
		assoc_do_abort(a, "closed");
	} else if (s == ASSOC_UP || s == ASSOC_RESTARTED) {
		a->shutdown_due = true; /* behind what is queued */
		worker_touch(a->worker, a);
	}
}

void assoc_do_abort(struct assoc *a, const char *why)
{
	struct tp_conn *conn = atomic_load(&a->conn);

	if (!conn)
		return;
	a->shutdown_due = false;
	assoc_set_state(a, ASSOC_CLOSING);
	purge(a);
	a->ops->abort(conn, why);
}

void assoc_do_renew(struct assoc *a)
{
	atomic_store(&a->renew_posted, false); /* first: another restart is told anew */
	if (atomic_load(&a->state) == ASSOC_RESTARTED)
		assoc_set_state(a, ASSOC_UP);
}

void assoc_release(struct assoc *a)
{
	if (a->dead)
		a->ops->release(a->dead);
	a->dead = NULL;
}

void assoc_force_release(struct assoc *a)
{
	struct tp_conn *conn = atomic_load(&a->conn);

	if (!conn)
		return;
	atomic_store(&a->conn, NULL);
	if (a->m2pa)
		m2pa_assoc_down(a);
	purge(a);
	a->ops->release(conn);
}
