/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One queue per worker for all pending ASs and closed slots: it is short-lived and walked only when the table
 * changes, and so needs no memory of its own. */
#include "data/hold.h"

#include "data/forward.h"

static void set_held(struct worker *w)
{
	atomic_store_explicit(&w->n_held, w->held.n, memory_order_relaxed);
}

/* One of the places that HOLD has, if its part of the buffers allows it. */
static bool take_place(struct fwd_hold *hold, const struct mbuf *m)
{
	if (!hold || !mbuf_may_wait(m, atomic_load_explicit(&hold->n, memory_order_relaxed)))
		return false;
	if (atomic_fetch_add_explicit(&hold->n, 1, memory_order_relaxed) < hold->limit)
		return true;
	atomic_fetch_sub_explicit(&hold->n, 1, memory_order_relaxed);
	return false;
}

static void give_place(struct fwd_hold *hold)
{
	atomic_fetch_sub_explicit(&hold->n, 1, memory_order_relaxed);
}

static void keep(struct worker *w, struct fwd_hold *hold, struct mbuf *m)
{
	m->peer = hold;
	mbufq_push(&w->held, m);
}

bool hold_message(struct worker *w, struct fwd_hold *hold, struct mbuf *m)
{
	if (w->stopping || !take_place(hold, m)) /* there will be no other table */
		return false;
	keep(w, hold, m);
	set_held(w);
	counter_add(&w->c[WC_HELD], 1);
	return true;
}

static void expire(struct worker *w, struct mbuf *m)
{
	worker_drop(w, DROP_HOLD_EXPIRED);
	mbuf_free(w->pool, m);
}

static void settle(struct worker *w, struct mbuf *m)
{
	struct fwd_hold *was = m->peer, *now = forward_again(w, m);

	if (now == was) {
		keep(w, was, m);
		return;
	}
	give_place(was);
	if (!now)
		return;
	if (take_place(now, m))
		keep(w, now, m);
	else
		expire(w, m);
}

void hold_settle(struct worker *w)
{
	struct mbufq q = w->held;
	struct mbuf *m;

	if (!q.n)
		return;
	mbufq_init(&w->held);
	while ((m = mbufq_pop(&q)))
		settle(w, m);
	set_held(w);
}

void hold_purge(struct worker *w)
{
	struct mbuf *m;

	while ((m = mbufq_pop(&w->held))) {
		give_place(m->peer);
		expire(w, m);
	}
	set_held(w);
}
