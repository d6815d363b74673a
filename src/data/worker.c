/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The loop of a worker (worker.h has the order of a pass), and what its inbox brings. */
#include "data/worker.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "data/assoc.h"
#include "data/hold.h"
#include "data/intake.h"
#include "data/listener.h"
#include "data/m2pa_priv.h"

#define STOP_LIMIT_S 5.0 /* for peers that never confirm an abort */

static const struct tp_upcalls upcalls = {
	.message = assoc_on_message,
	.event = assoc_on_event,
	.incoming = listener_on_incoming,
	.permit = listener_on_permit,
	.starved = listener_on_starved,
	.refused = assoc_on_refused,
};

/* ---- stopping ---- */

void worker_may_end(struct worker *w)
{
	if (w->stopping && !w->live)
		ev_break(w->ev, EVBREAK_ALL);
}

static void on_stop_limit(struct ev_loop *loop, ev_timer *t, int revents)
{
	(void)t;
	(void)revents;
	ev_break(loop, EVBREAK_ALL);
}

static void stop(struct worker *w)
{
	w->stopping = true;
	listeners_stop(w);
	hold_purge(w);
	for (struct assoc *a = w->live, *next; a; a = next) {
		next = a->next_live;
		assoc_do_abort(a, "shutting down");
	}
	ev_timer_init(&w->stop_limit, on_stop_limit, STOP_LIMIT_S, 0.);
	ev_timer_start(w->ev, &w->stop_limit);
	worker_may_end(w);
}

/* ---- the inbox ---- */

/* The peer has restarted behind the sender's back: it would get what was meant for its life before. */
static bool is_outlived(const struct assoc *a, const struct mbuf *m)
{
	return !a->m2pa && m->aux != a->life;
}

static void on_mbuf(struct worker *w, struct note *n)
{
	struct mbuf *m = caa_container_of(n, struct mbuf, note);
	struct assoc *a = m->peer;

	if (is_outlived(a, m)) {
		assoc_drop(a, DROP_ASSOC_DOWN);
		mbuf_free(w->pool, m);
	} else if (n->kind == N_FORWARD) {
		assoc_enqueue_data(a, m);
	} else if (n->kind == N_FORWARD_HELD) {
		assoc_enqueue_held(a, m);
	} else {
		assoc_enqueue_control(a, m);
	}
}

static void on_m2pa(struct worker *w, struct note *n)
{
	struct mbuf *m = caa_container_of(n, struct mbuf, note);

	(void)w;
	m2pa_do(m->peer, m);
}

/* Control frees it at once. It may have been touched in this very pass: a link's last commands can be as late
 * as this note. */
static void forget(struct worker *w, struct assoc *a)
{
	struct assoc **pp = &w->touched;

	while (*pp && *pp != a)
		pp = &(*pp)->next_touched;
	if (*pp)
		*pp = a->next_touched;
	assoc_post(&a->plane->events, a, AN_GONE, N_GONE);
}

static void on_assoc(struct worker *w, struct note *n)
{
	struct assoc *a = caa_container_of(n, struct assoc_note, note)->assoc;

	if (w->in_upcall && (n->kind == N_RELEASE || n->kind == N_FREE)) {
		inbox_post(&w->inbox, n); /* the next look will do, and they stay in order */
		return;
	}
	switch (n->kind) {
	case N_OPEN: assoc_open(a); break;
	case N_SHUTDOWN: assoc_do_shutdown(a); break;
	case N_ABORT: assoc_do_abort(a, a->abort_why); break;
	case N_RESUME: intake_resume(a); break;
	case N_RENEW: assoc_do_renew(a); break;
	case N_RELEASE: assoc_release(a); break;
	case N_FREE: forget(w, a); break;
	}
}

static void on_listener(struct worker *w, struct note *n)
{
	struct listener *ls = caa_container_of(n, struct listener_note, note)->listener;

	if (n->kind == N_UNLISTEN)
		listener_close(ls);
	else if (!w->stopping)
		listener_open(ls);
}

static void on_reject(struct worker *w, struct note *n)
{
	struct reject *r = caa_container_of(n, struct reject, note);

	(void)w;
	r->incoming->ops->reject(r->incoming);
	free(r);
}

static void on_stop(struct worker *w, struct note *n)
{
	(void)n;
	stop(w);
}

static void on_note(struct note *n, void *arg)
{
	static void (*const on[])(struct worker *, struct note *) = {
		[N_FORWARD] = on_mbuf,
		[N_FORWARD_HELD] = on_mbuf,
		[N_SEND] = on_mbuf,
		[N_M2PA] = on_m2pa,
		[N_OPEN] = on_assoc,
		[N_SHUTDOWN] = on_assoc,
		[N_ABORT] = on_assoc,
		[N_RESUME] = on_assoc,
		[N_RENEW] = on_assoc,
		[N_RELEASE] = on_assoc,
		[N_FREE] = on_assoc,
		[N_LISTEN] = on_listener,
		[N_UNLISTEN] = on_listener,
		[N_REJECT] = on_reject,
		[N_STOP] = on_stop,
	};

	on[n->kind](arg, n);
}

void worker_sweep(struct worker *w)
{
	w->stopping = true;
	inbox_drain(&w->inbox, on_note, w);
}

static void wake(void *arg)
{
	struct worker *w = arg;

	ev_async_send(w->ev, &w->wake);
}

/* ---- a pass ---- */

/* What control has posted before it published this table comes before all that the table does (fwd.h), and so
 * does what is held. */
void worker_look(struct worker *w)
{
	const struct fwd_table *t = rcu_read(&w->plane->table);

	w->table = t;
	inbox_drain(&w->inbox, on_note, w);
	/* by its number: another table may lie where a freed one did */
	if (t && t->generation != atomic_load_explicit(&w->settled, memory_order_relaxed)) {
		hold_settle(w);
		atomic_store_explicit(&w->settled, t->generation, memory_order_release);
	}
}

void worker_enter(struct worker *w)
{
	if (w->in_pass)
		return;
	plane_read_lock();
	w->in_pass = true;
	w->now_ms = (uint32_t)clock_ms();
	counter_add(&w->c[WC_PASSES], 1);
	mbuf_pool_reclaim(w->pool);
	worker_look(w);
}

void worker_touch(struct worker *w, struct assoc *a)
{
	if (a->touched)
		return;
	a->touched = true;
	a->next_touched = w->touched;
	w->touched = a;
	if (!w->in_pass) /* the poll must not wait: a pass is due */
		wake(w);
}

static void run_delay(struct worker *w)
{
	struct itimerspec t = {.it_value.tv_nsec = (long)w->plane->conf.batch_delay_us * 1000};

	if (w->delay_running)
		return;
	timerfd_settime(w->delay_fd, 0, &t, NULL);
	w->delay_running = true;
}

static void flush_touched(struct worker *w)
{
	bool may_wait = w->plane->conf.batch_delay_us && !w->delay_over;
	struct assoc *a = w->touched, *next;

	w->touched = NULL;
	w->delay_over = false;
	for (; a; a = next) {
		next = a->next_touched;
		a->touched = false;
		if (may_wait && assoc_may_wait(a))
			worker_touch(w, a);
		else
			assoc_flush(a);
	}
	if (w->touched)
		run_delay(w);
}

void worker_leave(struct worker *w)
{
	if (!w->in_pass)
		return;
	flush_touched(w);
	w->in_pass = false;
	plane_read_unlock(w->plane);
}

static void on_check(struct ev_loop *loop, ev_check *c, int revents)
{
	(void)loop;
	(void)revents;
	worker_enter(c->data);
}

static void on_prepare(struct ev_loop *loop, ev_prepare *p, int revents)
{
	(void)loop;
	(void)revents;
	worker_leave(p->data);
}

/* libev resets the wake-up only now, after worker_enter(): who posted or published in between was not heard
 * then. */
static void on_wake(struct ev_loop *loop, ev_async *a, int revents)
{
	struct worker *w = a->data;

	(void)loop;
	(void)revents;
	counter_add(&w->c[WC_WAKEUPS], 1);
	worker_look(w);
}

static void on_delay(struct ev_loop *loop, ev_io *io, int revents)
{
	struct worker *w = io->data;
	uint64_t n;

	(void)loop;
	(void)revents;
	if (read(w->delay_fd, &n, sizeof(n)) != sizeof(n))
		return;
	w->delay_running = false;
	w->delay_over = true;
}

/* ---- its life ---- */

static void watch(struct worker *w)
{
	/* after a poll: before every other watcher */
	ev_check_init(&w->enter, on_check);
	ev_set_priority(&w->enter, EV_MAXPRI);
	w->enter.data = w;
	ev_check_start(w->ev, &w->enter);
	/* before a poll: after every other but those of transports that send what the flush gave them */
	ev_prepare_init(&w->leave, on_prepare);
	ev_set_priority(&w->leave, EV_MINPRI + 1);
	w->leave.data = w;
	ev_prepare_start(w->ev, &w->leave);
	ev_async_init(&w->wake, on_wake);
	w->wake.data = w;
	ev_async_start(w->ev, &w->wake);
	ev_io_init(&w->delay, on_delay, w->delay_fd, EV_READ);
	w->delay.data = w;
	ev_io_start(w->ev, &w->delay);
}

struct worker *worker_new(struct plane *p, unsigned index)
{
	struct worker *w = calloc(1, sizeof(*w));

	if (!w)
		return NULL;
	w->plane = p;
	w->index = index;
	mbufq_init(&w->held);
	inbox_init(&w->inbox, wake, w);
	inbox_init(&w->gathered, NULL, NULL);
	w->delay_fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
	w->ev = ev_loop_new(EVFLAG_AUTO | EVFLAG_NOENV | EVFLAG_NOSIGMASK);
	w->pool = mbuf_pool_new(p->conf.buffers, p->conf.max_message);
	if (w->delay_fd < 0 || !w->ev || !w->pool) {
		mbuf_pool_free(w->pool);
		worker_free(w);
		return NULL;
	}
	w->tp = (struct tp_loop){
		.ev = w->ev, .pool = w->pool, .max_message = p->conf.max_message, .up = &upcalls};
	watch(w);
	return w;
}

static void *run(void *arg)
{
	struct worker *w = arg;

	rcu_register_thread();
	ev_run(w->ev, 0);
	/* broken off in the middle of a pass: its end is due */
	worker_leave(w);
	rcu_unregister_thread();
	return NULL;
}

enum sb_err worker_start(struct worker *w)
{
	sigset_t all, old;
	char name[16];

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	w->started = pthread_create(&w->thread, NULL, run, w) == 0;
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (!w->started)
		return SB_ESYS;
	snprintf(name, sizeof(name), "worker-%u", w->index);
	pthread_setname_np(w->thread, name);
	return SB_OK;
}

void worker_free(struct worker *w)
{
	if (!w)
		return;
	if (w->ev) {
		tp_loop_fini(&w->tp);
		ev_loop_destroy(w->ev);
	}
	if (w->delay_fd >= 0)
		close(w->delay_fd);
	free(w);
}
