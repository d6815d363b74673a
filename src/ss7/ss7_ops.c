/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What level 3 wants done (struct mtp3_ops). Nothing of the traffic changes before ss7_settle(). */
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "data/m2pa.h"
#include "m2pa/link.h"
#include "m3ua/ssnm_tell.h"
#include "ss7/ss7_int.h"

/* ---- level 2 ---- */

static void link_start(struct mtp3_link *l3, bool emergency)
{
	struct ss7_link *l = ss7_link_of(l3);

	l->wants_start = true;
	l->emergency = emergency;
	l->asked = false;
	l->ss7->due = true;
}

static void link_stop(struct mtp3_link *l3)
{
	struct ss7_link *l = ss7_link_of(l3);

	l->wants_start = false;
	l->quiet = true;
	ss7_link_say(l, l->ss7->next_epoch + 1);
	m2pa_link_stop(l->l2);
	l->quiet = false;
	l->down = NULL;
	l->linkset->dirty = true;
	l->ss7->due = true;
}

static void link_fail(struct mtp3_link *l3, const char *reason)
{
	ss7_link_fail(ss7_link_of(l3), reason);
}

static void link_outage(struct mtp3_link *l3, bool on)
{
	struct ss7_link *l = ss7_link_of(l3);

	l->outage = on;
	l->outage_ends = !on;
	if (on)
		m2pa_link_processor_outage(l->l2, true, false);
	l->ss7->due = true;
}

/* Of the peer's outage level 2 asks by itself (flush_due). */
static void link_resume(struct mtp3_link *l3, bool flush)
{
	struct ss7_link *l = ss7_link_of(l3);

	if (l->outage_ends)
		m2pa_link_processor_outage(l->l2, false, flush);
	l->outage_ends = false;
}

static bool link_bsnt(struct mtp3_link *l3, uint32_t *bsnt)
{
	const struct ss7_link *l = ss7_link_of(l3);

	*bsnt = l->bsnt;
	return l->has_bsnt;
}

static bool link_retrieve(struct mtp3_link *l3, bool has_fsnc, uint32_t fsnc)
{
	struct ss7_link *l = ss7_link_of(l3);

	l->wants_retrieval = true;
	l->fsnc = has_fsnc ? fsnc : M2PA_NO_FSNC;
	l->asked = false;
	l->ss7->due = true;
	return true;
}

static void link_send(struct mtp3_link *l3, const uint8_t *msu, uint32_t len)
{
	ss7_link_send(ss7_link_of(l3), msu, len);
}

/* ---- traffic ---- */

static void bucket(struct mtp3_linkset *l3, uint8_t sls, struct mtp3_link *link, bool held)
{
	struct ss7_linkset *ls = ss7_linkset_of_l3(l3);

	ls->next.link[sls] = link ? ss7_link_of(link) : NULL;
	ls->next.held[sls] = held;
	ls->dirty = ls->ss7->due = true;
}

static void linkset_state(struct mtp3_linkset *l3, enum mtp3_ls_state state)
{
	struct ss7_linkset *ls = ss7_linkset_of_l3(l3);

	ls->next.state = state;
	ls->dirty = ls->ss7->due = true;
}

static void requeue(struct mtp3_link *l3)
{
	struct ss7_link *l = ss7_link_of(l3);

	l->requeue = true;
	l->ss7->due = true;
}

static void settle(struct mtp3 *m)
{
	((struct ss7 *)mtp3_user(m))->due = true;
}

/* ---- destinations ---- */

static bool route_send(struct mtp3_net *l3, const struct mtp3_label *label, const uint8_t *msu, uint32_t len,
	const struct mtp3_linkset *except)
{
	const struct ss7_net *n = ss7_net_of(l3);
	const struct route *r = ss7_best_route(n, label->dpc, except ? ss7_linkset_of_l3(except) : NULL);
	const struct ss7_linkset *ls = r ? ss7_linkset_of(r->spec.egress) : NULL;
	struct ss7_link *l = ls ? ss7_linkset_link(ls, label->sls) : NULL;

	if (!r)
		return false;
	if (!ls)
		return ss7_to_ass(n, msu, len);
	if (l)
		ss7_link_send(l, msu, len);
	return l;
}

static bool reaches(struct mtp3_net *n, uint32_t pc, const struct mtp3_linkset *except)
{
	return ss7_best_route(ss7_net_of(n), pc, except ? ss7_linkset_of_l3(except) : NULL);
}

static bool route_told(struct mtp3_linkset *l3, uint32_t pc, uint8_t mask, enum mtp3_status s)
{
	static const enum dest_status of[MTP3_STATUSES] = {DEST_AVAILABLE, DEST_RESTRICTED, DEST_UNAVAILABLE};
	struct ss7_linkset *ls = ss7_linkset_of_l3(l3);

	ls->ss7->due = true;
	return ls->net->network && route_set_status(sg_router(ls->ss7->sg), ls->egress,
					   ls->net->network->index, pc, mask, of[s]) > 0;
}

/* The route that carries traffic to D as soon as its linkset does, or NULL. */
static const struct route *opens(const struct dest *d)
{
	const struct route *best = NULL;

	for (uint32_t i = 0; i < d->n_routes; i++) {
		const struct route *r = &d->routes[i];
		const struct ss7_linkset *ls = ss7_linkset_of(r->spec.egress);

		if (ls && mtp3_linkset_opens(ls->l3) && r->status != DEST_UNAVAILABLE &&
			(!best || r->spec.priority < best->spec.priority))
			best = r;
	}
	return best;
}

static bool goes_back(const struct dest *d, const struct mtp3_linkset *for_ls)
{
	for (uint32_t i = 0; for_ls && i < d->n_routes; i++)
		if (d->routes[i].in_use && d->routes[i].spec.egress &&
			ss7_linkset_of(d->routes[i].spec.egress) == ss7_linkset_of_l3(for_ls))
			return true;
	return false;
}

static enum mtp3_status dest_status(
	struct mtp3_net *l3, uint32_t pc, uint8_t mask, const struct mtp3_linkset *for_ls)
{
	const struct ss7_net *n = ss7_net_of(l3);
	const struct dest *d =
		n->network ? dest_cover(sg_router(n->ss7->sg), n->network->index, pc, mask) : NULL;

	const struct route *soon = d && d->status == DEST_UNAVAILABLE ? opens(d) : NULL;

	if (soon)
		return for_ls && ss7_linkset_of(soon->spec.egress) == ss7_linkset_of_l3(for_ls)
			       ? MTP3_PROHIBITED
			       : MTP3_ALLOWED;
	if (!mask && ss7_is_own(n, pc)) /* we are there, whoever else is not */
		return MTP3_ALLOWED;
	if (!d || d->status == DEST_UNAVAILABLE || d->status == DEST_UNKNOWN || goes_back(d, for_ls))
		return MTP3_PROHIBITED;
	return d->status == DEST_RESTRICTED ? MTP3_RESTRICTED : MTP3_ALLOWED;
}

struct each {
	void (*fn)(void *arg, uint32_t pc, uint8_t mask);
	void *arg;
};

static bool each_dest(const struct dest *d, void *arg)
{
	const struct each *e = arg;

	e->fn(e->arg, d->pc, d->mask);
	return true;
}

static void dest_each(struct mtp3_net *l3, void (*fn)(void *arg, uint32_t pc, uint8_t mask), void *arg)
{
	const struct ss7_net *n = ss7_net_of(l3);
	struct each e = {fn, arg};

	if (n->network)
		dest_foreach(sg_router(n->ss7->sg), n->network->index, each_dest, &e);
}

struct need {
	const struct ss7_linkset *ls;
	bool needed;
};

/* Does D go through the linkset, and through nothing else? */
static bool needs(const struct dest *d, void *arg)
{
	struct need *need = arg;
	bool through = false, other = false;

	for (uint32_t i = 0; i < d->n_routes; i++) {
		const struct route *r = &d->routes[i];

		if (!r->spec.egress || route_status(r) == DEST_UNAVAILABLE)
			continue;
		if (ss7_linkset_of(r->spec.egress) == need->ls)
			through = true;
		else
			other = true;
	}
	need->needed = through && !other;
	return !need->needed;
}

static bool linkset_needed(struct mtp3_linkset *l3)
{
	const struct ss7_linkset *ls = ss7_linkset_of_l3(l3);
	struct need need = {.ls = ls};

	if (ls->net->network)
		dest_foreach(sg_router(ls->ss7->sg), ls->net->network->index, needs, &need);
	return need.needed;
}

/* ---- users ---- */

static void dest_congested(struct mtp3_net *l3, uint32_t local, uint32_t pc, uint8_t level)
{
	const struct ss7_net *n = ss7_net_of(l3);
	const struct ss7_linkset *ls;

	n->ss7->due = true;
	/* where there are no levels nothing says when it is over: it is passed on, not kept */
	if (!ss7_is_own(n, local) || n->conf.congestion == MTP3_CONG_INTERNATIONAL) {
		if (n->network)
			ssnm_tell_congestion(n->ss7->sg, n->network, local, pc, level);
		return;
	}
	llist_for_each_entry (ls, &n->ss7->linksets, entry)
		if (ls->net == n && n->network)
			route_set_congestion(
				sg_router(n->ss7->sg), ls->egress, n->network->index, pc, 0, level);
}

static uint8_t dest_congestion(struct mtp3_net *l3, uint32_t pc)
{
	return ss7_congestion(ss7_net_of(l3), pc);
}

static void user_unavailable(struct mtp3_net *l3, uint32_t local, uint32_t pc, uint8_t user, uint8_t cause)
{
	const struct ss7_net *n = ss7_net_of(l3);

	if (n->network)
		ssnm_tell_user(n->ss7->sg, n->network, local, pc, user, cause);
}

/* The gateway's own point codes have no users but the ASs that share them, and those the workers serve. */
static int local_user(struct mtp3_net *n, const struct mtp3_label *label, const uint8_t *msu, uint32_t len)
{
	(void)n, (void)label, (void)msu, (void)len;
	return UPU_UNEQUIPPED;
}

static uint32_t random_number(void)
{
	uint32_t v = 0;

	if (getrandom(&v, sizeof(v), GRND_NONBLOCK) != sizeof(v))
		v = (uint32_t)random();
	return v;
}

const struct mtp3_ops ss7_mtp3_ops = {
	.link_start = link_start,
	.link_stop = link_stop,
	.link_fail = link_fail,
	.link_outage = link_outage,
	.link_resume = link_resume,
	.link_bsnt = link_bsnt,
	.link_retrieve = link_retrieve,
	.link_send = link_send,
	.bucket = bucket,
	.linkset_state = linkset_state,
	.requeue = requeue,
	.dest_hold = ss7_dest_hold,
	.settle = settle,
	.route_send = route_send,
	.reaches = reaches,
	.route_status = route_told,
	.dest_status = dest_status,
	.dest_each = dest_each,
	.linkset_needed = linkset_needed,
	.dest_congested = dest_congested,
	.dest_congestion = dest_congestion,
	.user_unavailable = user_unavailable,
	.local_user = local_user,
	.random = random_number,
};
