/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The end. Linksets leave one after the other, so that what a neighbour has not acknowledged can change over
 * by those that are still there; last are C linksets (c-link), which join mated pairs, and before them those
 * that others fall back on. All of it within the time: what is left of the linksets at half of it leaves at
 * once. */
#include "base/clock.h"
#include "data/plane.h"
#include "m2pa/link.h"
#include "ss7/ss7_int.h"

enum { LOOK_AGAIN_MS = 10 };

static void look(void *data);

/* ---- in which order ---- */

/* A linkset is as much worth keeping as there are destinations for which a better route than by it exists. */
static bool count_reserves(const struct dest *d, void *arg)
{
	uint8_t best = UINT8_MAX;

	(void)arg;
	for (uint32_t i = 0; i < d->n_routes; i++)
		if (d->routes[i].spec.egress && d->routes[i].spec.priority < best)
			best = d->routes[i].spec.priority;
	for (uint32_t i = 0; i < d->n_routes; i++) {
		struct ss7_linkset *ls = ss7_linkset_of(d->routes[i].spec.egress);

		if (ls && d->routes[i].spec.priority > best)
			ls->reserve_for++;
	}
	return true;
}

static void look_for_reserves(struct ss7 *s)
{
	struct ss7_linkset *ls;
	struct ss7_net *n;

	llist_for_each_entry (ls, &s->linksets, entry)
		ls->reserve_for = 0;
	llist_for_each_entry (n, &s->nets, entry)
		if (n->network)
			dest_foreach(sg_router(s->sg), n->network->index, count_reserves, NULL);
}

static bool leaves_before(const struct ss7_linkset *a, const struct ss7_linkset *b)
{
	if (a->conf->c_link != b->conf->c_link)
		return b->conf->c_link;
	return a->reserve_for < b->reserve_for;
}

static struct ss7_linkset *next_to_leave(struct ss7 *s, unsigned *stay)
{
	struct ss7_linkset *ls, *next = NULL;

	*stay = 0;
	llist_for_each_entry (ls, &s->linksets, entry) {
		if (ls->leaves)
			continue;
		++*stay;
		if (!next || leaves_before(ls, next))
			next = ls;
	}
	return next;
}

/* ---- one of them ---- */

static void stop_linkset(struct ss7_linkset *ls)
{
	struct ss7_link *l;

	ls->leaves = true;
	llist_for_each_entry (l, &ls->ss7->links, entry)
		if (l->linkset == ls)
			ss7_link_stop(l, THEN_DEACTIVATE);
	ss7_settle(ls->ss7);
}

static bool has_left(const struct ss7_linkset *ls)
{
	const struct ss7_link *l;

	llist_for_each_entry (l, &ls->ss7->links, entry)
		if (l->linkset == ls && (l->down || l->wants_retrieval || l->requeue || !ss7_has_left(l->l3)))
			return false;
	return true;
}

/* True: one is still at it, and there is time. */
static bool linksets_leave(struct ss7 *s)
{
	struct ss7_linkset *ls = s->leave.now;
	unsigned stay;

	while ((!ls || has_left(ls)) && clock_ms() < s->leave.at_once_ms) {
		ls = next_to_leave(s, &stay);
		if (stay <= 1) /* nothing can change over from the last */
			return false;
		s->leave.now = ls;
		stop_linkset(ls);
	}
	return clock_ms() < s->leave.at_once_ms;
}

/* ---- all of it ---- */

static void finish(struct ss7 *s)
{
	void (*done)(void *) = s->leave.done;

	s->leave.done = NULL;
	ss7_purge(s);
	if (done)
		done(s->leave.arg);
}

/* Their Out of Service is queued behind the last traffic that older tables led there. */
static void close_all(void *arg)
{
	struct ss7 *s = arg;

	m2pa_links_shutdown(s->l2);
	s->leave.closed = true;
	look(s);
}

static void stop_the_rest(struct ss7 *s)
{
	struct ss7_linkset *ls;

	s->leave.closing = true;
	llist_for_each_entry (ls, &s->linksets, entry)
		if (!ls->leaves)
			stop_linkset(ls);
	plane_after_grace(s->plane, close_all, s);
}

static void look(void *data)
{
	struct ss7 *s = data;

	if (!s->leave.closing && !linksets_leave(s)) {
		stop_the_rest(s);
		return; /* close_all() goes on */
	}
	if (s->leave.closed && (m2pa_links_are_gone(s->l2) || clock_ms() >= s->leave.until_ms))
		finish(s);
	else
		osmo_timer_schedule(&s->leave.timer, 0, LOOK_AGAIN_MS * 1000);
}

void ss7_shutdown(struct ss7 *s, uint32_t timeout_ms, void (*done)(void *arg), void *arg)
{
	s->leave.on = true;
	s->leave.done = done;
	s->leave.arg = arg;
	s->leave.at_once_ms = clock_ms() + timeout_ms / 2;
	s->leave.until_ms = clock_ms() + timeout_ms;
	osmo_timer_setup(&s->leave.timer, look, s);
	look_for_reserves(s);
	look(s);
}
