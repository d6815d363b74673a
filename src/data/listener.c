/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Listeners. All live on the first worker; who arrives there is offered to control, which adopts them onto
 * any worker. One that cannot listen (port in use after a restart) tries again every second, and says so
 * once. */
#include "data/listener.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RETRY_S 1.0
/* At most so often is control told that descriptors are short. */
#define STARVED_S 1.0

struct permit {
	unsigned n;
	union tp_addr addrs[];
};

struct listener {
	struct plane *plane;
	struct worker *worker;
	const struct tp_ops *ops;
	char *name;
	void *owner;
	struct tp_params params;
	_Atomic(struct permit *) permit; /* NULL: any; written by control */
	_Atomic bool up;
	_Atomic uint64_t n_starved;
	struct listener_note open, close, closed;
	/* control's */
	struct listener *next;
	bool unlistened;
	/* the worker's */
	struct listener *next_on_worker, **prev_on_worker;
	struct tp_listener *tp;
	ev_timer retry;
	bool told_failed;
	unsigned starved; /* peers that were refused for want of descriptors and control has not been told of
			   */
	ev_tstamp told_starved;
};

/* ---- on its worker ---- */

static bool tell(struct listener *ls, enum plane_event_kind kind, const char *reason)
{
	struct event *e = event_new(kind, NULL, ls);

	if (!e)
		return false;
	snprintf(e->ev.reason, sizeof(e->ev.reason), "%s", reason);
	event_post(ls->plane, e);
	return true;
}

static void try_listen(struct listener *ls)
{
	enum sb_err e = ls->ops->listen(&ls->worker->tp, &ls->params, ls, &ls->tp);

	if (e == SB_OK) {
		atomic_store(&ls->up, true);
		tell(ls, PE_LISTENING, "");
		return;
	}
	if (!ls->told_failed)
		ls->told_failed = tell(ls, PE_LISTEN_FAILED, e == SB_ESYS ? strerror(errno) : sb_strerror(e));
	ev_timer_set(&ls->retry, RETRY_S, 0.);
	ev_timer_start(ls->worker->ev, &ls->retry);
}

static void on_retry(struct ev_loop *loop, ev_timer *t, int revents)
{
	(void)loop;
	(void)revents;
	try_listen(t->data);
}

void listener_open(struct listener *ls)
{
	struct worker *w = ls->worker;

	ls->next_on_worker = w->listeners;
	ls->prev_on_worker = &w->listeners;
	if (w->listeners)
		w->listeners->prev_on_worker = &ls->next_on_worker;
	w->listeners = ls;
	ev_timer_init(&ls->retry, on_retry, 0., 0.);
	ls->retry.data = ls;
	try_listen(ls);
}

static void stop(struct listener *ls)
{
	ev_timer_stop(ls->worker->ev, &ls->retry);
	if (ls->tp)
		ls->ops->unlisten(ls->tp);
	ls->tp = NULL;
	atomic_store(&ls->up, false);
	*ls->prev_on_worker = ls->next_on_worker;
	if (ls->next_on_worker)
		ls->next_on_worker->prev_on_worker = ls->prev_on_worker;
	ls->prev_on_worker = NULL;
}

static void post_note(struct inbox *in, struct listener *ls, struct listener_note *n, enum note_kind kind)
{
	n->note.kind = (uint16_t)kind;
	n->listener = ls;
	inbox_post(in, &n->note);
}

void listener_close(struct listener *ls)
{
	if (ls->prev_on_worker)
		stop(ls);
	post_note(&ls->plane->events, ls, &ls->closed, N_UNLISTENED);
}

void listeners_stop(struct worker *w)
{
	while (w->listeners)
		stop(w->listeners);
}

void listener_on_incoming(void *user, struct tp_incoming *in)
{
	struct listener *ls = user;
	struct event *e = ls->worker->stopping ? NULL : event_new(PE_INCOMING, NULL, ls);

	if (!e) {
		in->ops->reject(in);
		return;
	}
	e->ev.take_incoming = in;
	event_post(ls->plane, e);
}

void listener_on_starved(void *user, unsigned n)
{
	struct listener *ls = user;
	ev_tstamp now = ev_now(ls->worker->ev);
	struct event *e;

	ls->starved += n;
	atomic_fetch_add_explicit(&ls->n_starved, n, memory_order_relaxed);
	if (ls->told_starved && now - ls->told_starved < STARVED_S)
		return;
	e = event_new(PE_STARVED, NULL, ls);
	if (!e)
		return;
	ls->told_starved = now;
	e->ev.value = ls->starved;
	ls->starved = 0;
	event_post(ls->plane, e);
}

bool listener_on_permit(void *user, const union tp_addr *from)
{
	struct listener *ls = user;
	const struct permit *permit = rcu_read(&ls->permit);

	if (ls->worker->stopping)
		return false;
	for (unsigned i = 0; permit && i < permit->n; i++)
		if (tp_addr_same(&permit->addrs[i], from))
			return true;
	return !permit;
}

/* ---- control's side ---- */

struct listener *plane_listen(struct plane *p, const char *name, const struct tp_params *params, void *owner)
{
	const struct tp_ops *ops = tp_select(params->kind, NULL, 0);
	struct listener *ls = ops ? calloc(1, sizeof(*ls)) : NULL;

	if (!ls)
		return NULL;
	ls->name = strdup(name);
	if (!ls->name) {
		free(ls);
		return NULL;
	}
	ls->plane = p;
	ls->worker = p->workers[0];
	ls->ops = ops;
	ls->owner = owner;
	ls->params = *params;
	ls->next = p->listeners;
	p->listeners = ls;
	post_note(plane_inbox(ls->worker), ls, &ls->open, N_LISTEN);
	return ls;
}

enum sb_err listener_permit(struct listener *ls, const union tp_addr *addrs, unsigned n)
{
	struct permit *old = atomic_load(&ls->permit), *now = NULL;

	if (n) {
		now = malloc(sizeof(*now) + n * sizeof(*addrs));
		if (!now)
			return SB_ENOMEM;
		now->n = n;
		memcpy(now->addrs, addrs, n * sizeof(*addrs));
	}
	rcu_publish(&ls->permit, now);
	if (old)
		plane_after_grace(ls->plane, free, old);
	return SB_OK;
}

void plane_unlisten(struct listener *ls)
{
	if (!ls || ls->unlistened)
		return;
	ls->unlistened = true;
	post_note(plane_inbox(ls->worker), ls, &ls->close, N_UNLISTEN);
}

void listener_dispatch(struct listener *ls, struct note *n)
{
	(void)n; /* N_UNLISTENED: nothing comes from it any more */
	listener_destroy(ls);
}

/* Events that were under way when control gave the listener up are not told. */
void listener_event(struct plane *p, const struct plane_event *ev)
{
	if (!p->stopping && !ev->listener->unlistened)
		p->fn(p->user, ev);
	else if (ev->kind == PE_INCOMING)
		plane_reject(p, ev->take_incoming);
}

void listener_destroy(struct listener *ls)
{
	struct listener **pp = &ls->plane->listeners;

	while (*pp != ls)
		pp = &(*pp)->next;
	*pp = ls->next;
	free(atomic_load(&ls->permit));
	free(ls->name);
	free(ls);
}

void *listener_owner(const struct listener *ls)
{
	return ls->owner;
}

const char *listener_name(const struct listener *ls)
{
	return ls->name;
}

const struct tp_ops *listener_transport(const struct listener *ls)
{
	return ls->ops;
}

uint64_t listener_starved(const struct listener *ls)
{
	return atomic_load_explicit(&ls->n_starved, memory_order_relaxed);
}

bool listener_is_up(const struct listener *ls)
{
	return atomic_load(&ls->up);
}
