/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One queue per worker for all pending ASs: it is short-lived and walked only when the table changes, and so
 * needs no memory of its own. */
#include "data/hold.h"

#include "data/forward.h"

static void set_held(struct worker *w)
{
	atomic_store_explicit(&w->n_held, w->held.n, memory_order_relaxed);
}

bool hold_message(struct worker *w, const struct fwd_as *as, struct mbuf *m)
{
	struct fwd_hold *hold = as->hold;

	if (!hold)
		return false;
	if (atomic_fetch_add_explicit(&hold->n, 1, memory_order_relaxed) >= hold->limit) {
		atomic_fetch_sub_explicit(&hold->n, 1, memory_order_relaxed);
		return false;
	}
	m->aux = as->number;
	m->peer = hold;
	mbufq_push(&w->held, m);
	set_held(w);
	counter_add(&w->c[WC_HELD], 1);
	return true;
}

static void expire(struct worker *w, struct mbuf *m)
{
	worker_drop(w, DROP_HOLD_EXPIRED);
	mbuf_free(w->pool, m);
}

void hold_settle(struct worker *w)
{
	struct mbufq q = w->held;
	struct mbuf *m;

	if (!q.n)
		return;
	mbufq_init(&w->held);
	while ((m = mbufq_pop(&q))) {
		struct fwd_hold *hold = m->peer;
		const struct fwd_as *as = w->table && m->aux < w->table->n_as ? w->table->as[m->aux] : NULL;

		if (as && as->hold != hold)
			as = NULL; /* another AS has the number now */
		if (as && as->state == FWD_AS_PENDING) {
			mbufq_push(&w->held, m);
			continue;
		}
		atomic_fetch_sub_explicit(&hold->n, 1, memory_order_relaxed);
		if (as && as->state == FWD_AS_ACTIVE)
			forward_held(w, as, m);
		else
			expire(w, m);
	}
	set_held(w);
}

void hold_purge(struct worker *w)
{
	struct mbuf *m;

	while ((m = mbufq_pop(&w->held))) {
		struct fwd_hold *hold = m->peer;

		atomic_fetch_sub_explicit(&hold->n, 1, memory_order_relaxed);
		expire(w, m);
	}
	set_held(w);
}
