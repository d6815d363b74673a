/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The data plane's control side: start and stop, the events' way up, the table's way down, grace periods.
 * Associations and listeners have their own files. */
#include "data/plane.h"

#include <assert.h>
#include <semaphore.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "data/assoc.h"
#include "data/intake.h"
#include "data/listener.h"
#include "data/m2pa_priv.h"

/* call_rcu() wants a registered thread; a process may have several planes one after the other, or at once. */
static _Thread_local unsigned registrations;

static void register_control(void)
{
	if (registrations++ == 0)
		rcu_register_thread();
}

static void unregister_control(void)
{
	if (--registrations == 0)
		rcu_unregister_thread();
}

/* ---- events ---- */

struct event *event_new(enum plane_event_kind kind, struct assoc *a, struct listener *ls)
{
	struct event *e = calloc(1, sizeof(*e));

	if (!e)
		return NULL;
	e->note.kind = N_EVENT;
	e->ev.kind = kind;
	e->ev.assoc = a;
	e->ev.listener = ls;
	return e;
}

void event_post(struct plane *p, struct event *e)
{
	inbox_post(&p->events, &e->note);
}

static void wake(void *arg)
{
	struct plane *p = arg;
	uint64_t one = 1;

	/* full means that control has been woken often enough */
	if (write(p->event_fd, &one, sizeof(one)) != sizeof(one))
		return;
}

int plane_event_fd(const struct plane *p)
{
	return p->event_fd;
}

static void on_event(struct plane *p, struct note *n)
{
	struct event *e = caa_container_of(n, struct event, note);

	if (e->ev.kind == PE_RESTART)
		e->ev.assoc->known_life = e->ev.value;
	if (e->ev.listener)
		listener_event(p, &e->ev);
	else if (!p->stopping)
		p->fn(p->user, &e->ev);
	if (e->ev.kind == PE_RESTART && !p->stopping)
		assoc_renew(e->ev.assoc);
	free(e);
}

static void on_mbuf(struct plane *p, struct note *n)
{
	struct mbuf *m = caa_container_of(n, struct mbuf, note);
	struct assoc *a = m->peer;
	struct plane_event ev = {.kind = PE_MESSAGE, .assoc = a, .take_mbuf = m};

	if (n->kind == N_CONGESTED) {
		counter_add(&a->worker->taken[TOLD_CONGESTED], 1);
		ev.kind = PE_CONGESTED;
		ev.value = m->aux;
		ev.network = m->stream;
	} else if (n->kind == N_REFUSED) {
		counter_add(&a->worker->taken[TOLD_REFUSED], 1);
		ev.kind = PE_DATA_REFUSED;
		ev.reason_code = m->ssn;
		ev.value = m->aux;
	}
	if (p->stopping)
		plane_free_mbuf(p, m);
	else
		p->fn(p->user, &ev);
	if (ev.kind == PE_MESSAGE)
		intake_taken(a);
}

static void on_m2pa(struct plane *p, struct note *n)
{
	m2pa_dispatch(p, caa_container_of(n, struct mbuf, note));
}

static void on_assoc(struct plane *p, struct note *n)
{
	(void)p;
	assoc_dispatch(caa_container_of(n, struct assoc_note, note)->assoc, n);
}

static void on_listener(struct plane *p, struct note *n)
{
	(void)p;
	listener_dispatch(caa_container_of(n, struct listener_note, note)->listener, n);
}

/* ---- grace periods ---- */

static void post_grace(struct rcu_head *head)
{
	struct grace *g = caa_container_of(head, struct grace, rcu);

	TSAN_ACQUIRE(head);
	TSAN_ACQUIRE(PLANE_READERS(g->plane));
	g->note.kind = N_GRACE;
	inbox_post(&g->plane->events, &g->note);
}

static void await_grace(struct grace *g)
{
	g->ready = false;
	TSAN_RELEASE(&g->rcu);
	call_rcu(&g->rcu, post_grace);
}

/* A worker that holds messages and has not looked at them since that table still depends on the one before.
 */
static bool settled(const struct plane *p, uint64_t generation)
{
	for (unsigned i = 0; i < p->n_workers; i++) {
		const struct worker *w = p->workers[i];

		if (!p->stopping && atomic_load_explicit(&w->n_held, memory_order_relaxed) &&
			atomic_load_explicit(&w->settled, memory_order_acquire) < generation)
			return false;
	}
	return true;
}

static void on_grace(struct plane *p, struct note *n)
{
	struct grace *g = caa_container_of(n, struct grace, note);

	g->ready = true;
	while ((g = p->graces) && g->ready) {
		if (!settled(p, g->generation)) {
			await_grace(g); /* it has been woken: another round will do */
			return;
		}
		p->graces = g->next;
		if (!p->graces)
			p->last_grace = &p->graces;
		g->fn(g->arg);
		free(g);
	}
}

void plane_after_grace(struct plane *p, void (*fn)(void *arg), void *arg)
{
	struct grace *g = calloc(1, sizeof(*g));

	if (!g) { /* rather wait once than lose the call */
		synchronize_rcu();
		fn(arg);
		return;
	}
	*g = (struct grace){.plane = p, .fn = fn, .arg = arg};
	g->generation = plane_table(p) ? plane_table(p)->generation : 0;
	*p->last_grace = g;
	p->last_grace = &g->next;
	await_grace(g);
}

/* ---- dispatch ---- */

static void on_note(struct note *n, void *arg)
{
	static void (*const on[])(struct plane *, struct note *) = {
		[N_MESSAGE] = on_mbuf,
		[N_REFUSED] = on_mbuf,
		[N_CONGESTED] = on_mbuf,
		[N_M2PA_EVENT] = on_m2pa,
		[N_M2PA_NEWS] = on_assoc,
		[N_UP] = on_assoc,
		[N_DOWN] = on_assoc,
		[N_PEER_SHUTDOWN] = on_assoc,
		[N_CONGESTION] = on_assoc,
		[N_GONE] = on_assoc,
		[N_UNLISTENED] = on_listener,
		[N_EVENT] = on_event,
		[N_GRACE] = on_grace,
	};

	on[n->kind](arg, n);
}

void plane_dispatch(struct plane *p)
{
	uint64_t n;

	/* first, so that what comes while we drain wakes us again */
	if (read(p->event_fd, &n, sizeof(n)) < 0)
		n = 0;
	inbox_drain(&p->events, on_note, p);
}

/* ---- what control tells the workers ---- */

struct inbox *plane_inbox(struct worker *w)
{
	return w->plane->gathering ? &w->gathered : &w->inbox;
}

void plane_hand_over(struct plane *p)
{
	for (unsigned i = 0; i < p->n_workers; i++)
		if (inbox_move(&p->workers[i]->inbox, &p->workers[i]->gathered))
			ev_async_send(p->workers[i]->ev, &p->workers[i]->wake);
}

void plane_gather(struct plane *p)
{
	p->gathering = true;
}

void plane_give(struct plane *p)
{
	p->gathering = false;
	plane_hand_over(p);
}

/* ---- the table ---- */

static void free_table(void *arg)
{
	fwd_table_free(arg);
}

void plane_publish(struct plane *p, struct fwd_table *t)
{
	struct fwd_table *old = atomic_load_explicit(&p->table, memory_order_relaxed);

	fwd_table_follow(t, old);
	/* What was told is there before the table, and nothing but stores in between: nobody is woken to act
	 * on it, in the place of this thread perhaps, before the table is there too. */
	for (unsigned i = 0; i < p->n_workers; i++)
		inbox_move(&p->workers[i]->inbox, &p->workers[i]->gathered);
	rcu_publish(&p->table, t);
	for (unsigned i = 0; i < p->n_workers; i++) /* held messages must not wait for traffic */
		ev_async_send(p->workers[i]->ev, &p->workers[i]->wake);
	if (old)
		plane_after_grace(p, free_table, old);
}

const struct fwd_table *plane_table(const struct plane *p)
{
	return atomic_load_explicit(&p->table, memory_order_relaxed);
}

/* ---- odds and ends ---- */

struct mbuf *plane_mbuf(struct plane *p)
{
	return mbuf_alloc(p->pool);
}

void plane_free_mbuf(struct plane *p, struct mbuf *m)
{
	mbuf_free(p->pool, m);
}

static struct worker *loop_owner(struct plane *p, const struct tp_loop *l)
{
	for (unsigned i = 0; i < p->n_workers; i++)
		if (&p->workers[i]->tp == l)
			return p->workers[i];
	return p->workers[0];
}

void plane_reject(struct plane *p, struct tp_incoming *in)
{
	struct reject *r;

	if (p->stopping) { /* the workers have ended */
		in->ops->reject(in);
		return;
	}
	r = calloc(1, sizeof(*r));
	if (!r)
		return; /* the peer's own timer ends it */
	r->note.kind = N_REJECT;
	r->incoming = in;
	inbox_post(plane_inbox(loop_owner(p, in->loop)), &r->note);
}

unsigned plane_workers(const struct plane *p)
{
	return p->n_workers;
}

void plane_worker_stats(const struct plane *p, unsigned i, struct worker_stats *out)
{
	const struct worker *w = p->workers[i];
	struct timespec t = {0};
	clockid_t clock;

	*out = (struct worker_stats){
		.assocs = w->n_assocs,
		.buffers = mbuf_pool_size(w->pool),
		.buffers_in_use = mbuf_pool_in_use(w->pool),
		.buffers_exhausted = mbuf_pool_exhausted(w->pool),
	};
	for (unsigned k = 0; k < WC_COUNT; k++)
		out->c[k] = counter_get(&w->c[k]);
	for (unsigned r = 0; r < DROP_COUNT; r++)
		out->drops[r] = counter_get(&w->drops[r]);
	if (w->started && !pthread_getcpuclockid(w->thread, &clock) && !clock_gettime(clock, &t))
		out->cpu_ns = (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* ---- start and stop ---- */

static void free_all(struct plane *p)
{
	struct mbuf_pool *pools[PLANE_MAX_WORKERS];

	for (unsigned i = 0; i < p->n_workers; i++) {
		pools[i] = p->workers[i]->pool;
		worker_free(p->workers[i]);
	}
	for (unsigned i = 0; i < p->n_workers; i++)
		if (!mbuf_pool_free(pools[i]))
			assert(!"a buffer was lost");
	if (!mbuf_pool_free(p->pool))
		assert(!"a buffer was lost");
	if (p->event_fd >= 0)
		close(p->event_fd);
	fwd_table_free(atomic_load(&p->table));
	unregister_control();
	free(p);
}

static void stop_threads(struct plane *p)
{
	for (unsigned i = 0; i < p->n_workers; i++) {
		struct worker *w = p->workers[i];

		if (!w->started)
			continue;
		w->stop.kind = N_STOP;
		inbox_post(&w->inbox, &w->stop);
	}
	for (unsigned i = 0; i < p->n_workers; i++) {
		if (p->workers[i]->started)
			pthread_join(p->workers[i]->thread, NULL);
		p->workers[i]->started = false;
	}
}

struct barrier {
	struct rcu_head rcu;
	sem_t passed;
};

static void pass_barrier(struct rcu_head *head)
{
	sem_post(&caa_container_of(head, struct barrier, rcu)->passed);
}

void plane_await_callbacks(void)
{
	struct barrier b;

	sem_init(&b.passed, 0, 0);
	call_rcu(&b.rcu, pass_barrier);
	while (sem_wait(&b.passed))
		;
	sem_destroy(&b.passed);
}

/* Alone now: whatever is still under way arrives, until nothing is. What waited for a grace period has it. */
static void settle_down(struct plane *p)
{
	p->stopping = true;
	do {
		plane_await_callbacks();
		for (unsigned i = 0; i < p->n_workers; i++)
			worker_sweep(p->workers[i]);
		plane_dispatch(p);
	} while (p->graces);
	for (unsigned i = 0; i < p->n_workers; i++)
		worker_sweep(p->workers[i]);
	plane_dispatch(p);
	while (p->assocs) {
		assoc_force_release(p->assocs);
		assoc_destroy(p->assocs);
	}
	while (p->listeners)
		listener_destroy(p->listeners);
}

void plane_stop(struct plane *p)
{
	if (!p)
		return;
	stop_threads(p);
	settle_down(p);
	free_all(p);
}

static bool acceptable(const struct plane_conf *c)
{
	return c->workers >= 1 && c->workers <= PLANE_MAX_WORKERS && c->max_message >= 272 &&
	       c->max_message <= 65535 && c->buffers && c->batch_delay_us <= 2000;
}

static enum sb_err start_all(struct plane *p)
{
	enum sb_err e = SB_OK;

	p->event_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	p->pool = mbuf_pool_new(p->conf.buffers, p->conf.max_message);
	if (p->event_fd < 0 || !p->pool)
		return SB_ENOMEM;
	for (unsigned i = 0; i < p->conf.workers; i++) {
		p->workers[i] = worker_new(p, i);
		if (!p->workers[i])
			return SB_ENOMEM;
		p->n_workers++;
	}
	for (unsigned i = 0; i < p->n_workers && e == SB_OK; i++)
		e = worker_start(p->workers[i]);
	return e;
}

enum sb_err plane_new(const struct plane_conf *conf, plane_event_fn fn, void *user, struct plane **out)
{
	struct plane *p;
	enum sb_err e;

	*out = NULL;
	if (!acceptable(conf))
		return SB_EINVAL;
	p = calloc(1, sizeof(*p));
	if (!p)
		return SB_ENOMEM;
	p->conf = *conf;
	p->fn = fn;
	p->user = user;
	p->last_grace = &p->graces;
	inbox_init(&p->events, wake, p);
	register_control();
	get_default_call_rcu_data(); /* its thread is made here, not in the middle of traffic */
	e = start_all(p);
	if (e != SB_OK) {
		plane_stop(p);
		return e;
	}
	*out = p;
	return SB_OK;
}
