/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The registry, and the one place where what level 3 has decided takes effect, in this order:
 *
 *   1. what was retrieved is sent by the new routing (whoever publishes it: level 3 may have let go of
 *      destinations already);
 *   2. the new routing is published: what was held follows;
 *   3. after the grace period level 2 is asked for what must not race with older tables: retrieval, restart,
 *      messages of level 3 that follow the table.
 */
#include "ss7/ss7.h"

#include <string.h>
#include <talloc.h>

#include "data/plane.h"
#include "m2pa/link.h"
#include "ss7/ss7_int.h"

/* ---- what waits and takes effect ---- */

static void grace_over(void *arg)
{
	struct ss7 *s = arg;
	struct ss7_link *l;

	s->done_epoch++;
	llist_for_each_entry (l, &s->links, entry)
		ss7_link_say(l, s->done_epoch);
	llist_for_each_entry (l, &s->links, entry)
		if (l->asked && (int32_t)(s->done_epoch - l->epoch) >= 0)
			ss7_link_carry_out(l);
}

static bool withdraw(struct ss7 *s)
{
	struct ss7_link *l;
	bool any = false;

	llist_for_each_entry (l, &s->links, entry) {
		ss7_link_withdraw(l);
		if ((!l->wants_start && !l->wants_retrieval) || l->asked)
			continue;
		l->asked = any = true;
		l->epoch = s->next_epoch + 1;
	}
	return any;
}

static void settling(void *arg)
{
	const struct ss7 *s = arg;
	struct ss7_link *l;

	llist_for_each_entry (l, &s->links, entry)
		if (l->requeue)
			ss7_link_requeue(l);
}

static void take_effect(struct ss7 *s)
{
	struct ss7_linkset *ls;
	struct ss7_link *l;
	bool asked;

	settling(s);
	asked = withdraw(s) || s->speaks;
	s->speaks = false;
	llist_for_each_entry (l, &s->links, entry) {
		if (l->outage_ends)
			m2pa_link_processor_outage(l->l2, false, false);
		l->outage_ends = false;
		ss7_link_follow_ingress(l);
	}
	llist_for_each_entry (ls, &s->linksets, entry)
		ss7_linkset_commit(ls);
	sg_settle(s->sg);
	llist_for_each_entry (ls, &s->linksets, entry)
		ls->came = false;
	if (!asked)
		return;
	s->next_epoch++;
	plane_after_grace(s->plane, grace_over, s);
}

void ss7_settle(struct ss7 *s)
{
	while (s->due) {
		s->due = false;
		take_effect(s);
	}
}

/* ---- look-ups ---- */

struct ss7_linkset *ss7_linkset_by_name(struct ss7 *s, const char *name)
{
	struct ss7_linkset *ls;

	llist_for_each_entry (ls, &s->linksets, entry)
		if (!strcmp(ls->name, name))
			return ls;
	return NULL;
}

struct ss7_link *ss7_link_by_name(struct ss7 *s, const char *name)
{
	struct ss7_link *l;

	llist_for_each_entry (l, &s->links, entry)
		if (!strcmp(l->name, name))
			return l;
	return NULL;
}

void ss7_each_linkset(struct ss7 *s, void (*fn)(void *arg, const struct ss7_linkset *ls), void *arg)
{
	const struct ss7_linkset *ls;

	llist_for_each_entry (ls, &s->linksets, entry)
		fn(arg, ls);
}

void ss7_each_link(struct ss7 *s, const struct ss7_linkset *ls,
	void (*fn)(void *arg, const struct ss7_link *l), void *arg)
{
	const struct ss7_link *l;

	llist_for_each_entry (l, &s->links, entry)
		if (!ls || l->linkset == ls)
			fn(arg, l);
}

/* ---- peers that arrive, events ---- */

static bool incoming(void *arg, const char *listener, struct tp_incoming *in)
{
	struct ss7 *s = arg;

	return m2pa_links_incoming(s->l2, listener, in);
}

static unsigned permit(void *arg, const char *listener, union tp_addr *out, unsigned max)
{
	const struct ss7 *s = arg;
	unsigned n = 0;

	for (unsigned i = 0; s->conf && i < s->conf->n_links; i++) {
		const struct m2pa_link_conf *c = &s->conf->links[i].l2;

		if (c->side != M2PA_LINK_SERVER || (c->listener && strcmp(c->listener, listener) != 0))
			continue;
		for (unsigned k = 0; k < c->tp.n_remote; k++, n++)
			if (n < max)
				out[n] = c->tp.remote[k];
	}
	return n;
}

static const struct sg_others others = {.incoming = incoming,
	.permit = permit,
	.controlled = ss7_controlled,
	.user_unavailable = ss7_user_unavailable,
	.settling = settling};

bool ss7_has(const struct plane_event *ev)
{
	return ev->assoc && assoc_proto(ev->assoc) == ASSOC_M2PA;
}

void ss7_on_event(struct ss7 *s, const struct plane_event *ev)
{
	m2pa_links_on_event(s->l2, ev);
}

/* ---- life ---- */

struct ss7 *ss7_new(void *talloc_ctx, struct sg *sg)
{
	struct ss7 *s = talloc_zero(talloc_ctx, struct ss7);

	if (!s)
		return NULL;
	s->sg = sg;
	INIT_LLIST_HEAD(&s->nets);
	INIT_LLIST_HEAD(&s->linksets);
	INIT_LLIST_HEAD(&s->links);
	s->l2 = m2pa_links_new(s);
	s->l3 = mtp3_new(s, &ss7_mtp3_ops, s);
	if (!s->l2 || !s->l3 || !router_subscribe(sg_router(sg), &ss7_listener, s)) {
		talloc_free(s);
		return NULL;
	}
	sg_set_others(sg, &others, s);
	return s;
}

void ss7_set_plane(struct ss7 *s, struct plane *p)
{
	s->plane = p;
	m2pa_links_set_plane(s->l2, p);
}

void ss7_purge(struct ss7 *s)
{
	struct ss7_link *l;

	llist_for_each_entry (l, &s->links, entry)
		ss7_link_purge(l);
}

void ss7_free(struct ss7 *s)
{
	if (!s)
		return;
	osmo_timer_del(&s->leave.timer);
	m2pa_links_free(s->l2);
	mtp3_free(s->l3);
	talloc_free(s);
}
