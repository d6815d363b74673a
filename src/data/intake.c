/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The worker says in HELD that it does not read and then looks how much waits; control takes and then looks
 * at HELD. Both do so by a read-modify-write of HELD, which one of the two does second and so sees what the
 * other did before: a peer never stays unread for good. */
#include "data/intake.h"

static uint64_t waiting(const struct assoc *a)
{
	return counter_get(&a->told) - counter_get(&a->taken);
}

/* Would what one peer, or all of this worker's together, have waiting be too much? */
static bool is_full(const struct assoc *a)
{
	const struct worker *w = a->worker;

	return waiting(a) >= INTAKE_FULL || atomic_load_explicit(&a->restrained, memory_order_relaxed) ||
	       counter_get(&w->told[TOLD_MESSAGE]) - counter_get(&w->taken[TOLD_MESSAGE]) >=
		       mbuf_pool_size(w->pool) / 4;
}

static bool may_resume(const struct assoc *a)
{
	return waiting(a) <= INTAKE_LOW && !atomic_load_explicit(&a->restrained, memory_order_relaxed);
}

static void hold(struct assoc *a, struct tp_conn *conn, bool held)
{
	atomic_exchange(&a->held, held);
	a->ops->hold(conn, held);
}

void intake_told(struct assoc *a)
{
	struct tp_conn *conn = atomic_load_explicit(&a->conn, memory_order_relaxed);

	if (!conn || !a->ops->hold || atomic_load_explicit(&a->held, memory_order_relaxed) || !is_full(a))
		return;
	hold(a, conn, true);
	counter_add(&a->c[AC_HELD_BACK], 1);
	if (may_resume(a))
		hold(a, conn, false);
}

void intake_resume(struct assoc *a)
{
	struct tp_conn *conn = atomic_load_explicit(&a->conn, memory_order_relaxed);

	atomic_store(&a->resume_posted, false); /* first, so that what control decides from now on is told */
	if (conn && atomic_load_explicit(&a->held, memory_order_relaxed))
		hold(a, conn, false);
}

static void consider(struct assoc *a)
{
	if (!a->free_asked && atomic_fetch_or(&a->held, 0) && may_resume(a) &&
		!atomic_exchange(&a->resume_posted, true))
		assoc_post(plane_inbox(a->worker), a, AN_RESUME, N_RESUME);
}

void intake_taken(struct assoc *a)
{
	counter_add(&a->taken, 1);
	counter_add(&a->worker->taken[TOLD_MESSAGE], 1);
	consider(a);
}

void assoc_restrain(struct assoc *a, bool on)
{
	atomic_store_explicit(&a->restrained, on, memory_order_relaxed);
	if (!on)
		consider(a);
}
