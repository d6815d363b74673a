/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Called by link.c, changeover.c, changeback.c and adjacent.c. A bucket is on one link; it is held while a
 * changeover or changeback takes it elsewhere. Shares are even, also of the half that a combined linkset may
 * give it (data/sls.h), and move as little as they can, so a link that comes back takes only what it is due.
 */
#include "mtp3/linkset.h"

#include <string.h>

#include "base/clock.h"
#include "data/share.h"
#include "mtp3/adjacent.h"
#include "mtp3/changeback.h"
#include "mtp3/inhibit.h"
#include "mtp3/restart.h"

unsigned linkset_buckets(const struct mtp3_linkset *ls)
{
	return sls_values(&ls->conf->sls);
}

unsigned linkset_links_available(const struct mtp3_linkset *ls)
{
	unsigned n = 0;

	for (unsigned i = 0; i < MTP3_LINKS; i++)
		n += ls->links[i] && ls->links[i]->available;
	return n;
}

bool linkset_available(const struct mtp3_linkset *ls)
{
	return linkset_links_available(ls) > 0;
}

bool linkset_in_changeover(const struct mtp3_linkset *ls)
{
	for (unsigned i = 0; i < MTP3_LINKS; i++)
		if (ls->links[i] && changeover_busy(ls->links[i]))
			return true;
	return false;
}

void linkset_set(struct mtp3_linkset *ls, unsigned sls, uint32_t to, bool held)
{
	if (ls->buckets[sls] == to && ls->held[sls] == held)
		return;
	ls->buckets[sls] = to;
	ls->held[sls] = held;
	ops_of(ls->net)->bucket(ls, (uint8_t)sls, to == SHARE_NONE ? NULL : ls->links[to], held);
}

/* ---- the linkset's state ---- */

static enum mtp3_ls_state state_of(const struct mtp3_linkset *ls)
{
	if (ls->adj != ADJ_UP)
		return MTP3_LS_DOWN;
	if (linkset_available(ls))
		return MTP3_LS_UP;
	/* pending only what was carrying traffic: a linkset that is down does not become so by it */
	return linkset_in_changeover(ls) && ls->state != MTP3_LS_DOWN ? MTP3_LS_PENDING : MTP3_LS_DOWN;
}

void linkset_refresh(struct mtp3_linkset *ls, const char *reason)
{
	enum mtp3_ls_state was = ls->state;

	ls->state = state_of(ls);
	if (ls->state == was)
		return;
	ls->since_ms = clock_ms();
	ls->reason = reason;
	ls->transitions++;
	LOGP(DROUTE, LOGL_NOTICE, "linkset %s: %s -> %s (%s)\n", ls->conf->name, mtp3_ls_state_name(was),
		mtp3_ls_state_name(ls->state), reason);
	ops_of(ls->net)->linkset_state(ls, ls->state);
}

/* ---- who carries what ---- */

static void wanted(const struct mtp3_linkset *ls, uint32_t *target)
{
	uint32_t active[MTP3_LINKS];
	unsigned n = 0;

	for (unsigned i = 0; i < MTP3_LINKS; i++)
		if (ls->links[i] && ls->links[i]->available)
			active[n++] = i;
	memcpy(target, ls->buckets, sizeof(ls->buckets));
	sls_share_links(&ls->conf->sls, target, active, n);
}

static bool waits_for_changeover(const struct mtp3_linkset *ls, uint32_t slc)
{
	return slc != SHARE_NONE && ls->links[slc] && changeover_busy(ls->links[slc]);
}

static bool works(const struct mtp3_linkset *ls, uint32_t slc)
{
	return slc != SHARE_NONE && ls->links[slc] && ls->links[slc]->available;
}

bool linkset_is_stranded(const struct mtp3_linkset *ls, unsigned sls)
{
	return ls->held[sls] && works(ls, ls->buckets[sls]) && llist_empty(&ls->changebacks);
}

void linkset_rebalance(struct mtp3_linkset *ls)
{
	uint32_t target[MTP3_BUCKETS];

	wanted(ls, target);
	for (unsigned i = 0; i < linkset_buckets(ls); i++) {
		uint32_t from = ls->buckets[i];

		if (from == target[i] || waits_for_changeover(ls, from))
			continue;
		if (!works(ls, from) || ls->state == MTP3_LS_DOWN) /* nothing to keep in order */
			linkset_set(ls, i, target[i], false);
		else if (!ls->held[i])
			changeback_want(ls, i, target[i]);
	}
	changeback_begin(ls);
}

/* Links that failed when there was no way to the neighbour: now there is one, and nothing need be lost. */
static void order_changeovers(struct mtp3_linkset *ls)
{
	for (unsigned i = 0; i < MTP3_LINKS; i++)
		if (ls->links[i] && ls->links[i]->co == CO_TIMED && ls->links[i]->state != LINK_ACTIVE)
			changeover_transition(ls->links[i], CE_FAILED, "there is a way to the neighbour");
}

void linkset_link_came(struct mtp3_link *l, const char *reason)
{
	struct mtp3_linkset *ls = l->ls;

	changeover_transition(l, CE_AVAILABLE, reason);
	order_changeovers(ls);
	adjacent_available(ls);
	changeover_go_on(ls);
	linkset_rebalance(ls);
	linkset_refresh(ls, reason);
}

void linkset_link_went(struct mtp3_link *l, enum co_event cause, const char *reason)
{
	struct mtp3_linkset *ls = l->ls;
	bool carries = ls->state != MTP3_LS_DOWN;

	changeback_abort(l);
	for (unsigned i = 0; carries && i < linkset_buckets(ls); i++)
		if (ls->buckets[i] == l->conf->slc)
			linkset_set(ls, i, l->conf->slc, true);
	if (!carries) /* s.5.3.2 */
		linkset_changeover_done(l);
	else if (!l->ordered_by_peer)
		changeover_transition(l, cause, reason);
	if (!l->ordered_by_peer)
		linkset_refresh(ls, reason);
	if (cause != CE_INHIBITED)
		inhibit_undo_if_needed(ls);
	adjacent_unavailable(ls);
}

void linkset_release(struct mtp3_link *l)
{
	struct mtp3_linkset *ls = l->ls;

	for (unsigned i = 0; i < linkset_buckets(ls); i++)
		if (ls->buckets[i] == l->conf->slc)
			linkset_set(ls, i, l->conf->slc, false);
	linkset_refresh(ls, "the link is back in time");
}

void linkset_changeover_done(struct mtp3_link *l)
{
	struct mtp3_linkset *ls = l->ls;

	ops_of(ls->net)->requeue(l); /* first: it is to be sent before what is released here */
	linkset_rebalance(ls);
	linkset_refresh(ls, l->reason);
	adjacent_unavailable(ls);
}

void linkset_link_leaves(struct mtp3_link *l)
{
	struct mtp3_linkset *ls = l->ls;

	changeback_abort(l);
	l->available = false;
	l->state = LINK_INACTIVE;
	l->co = CO_IDLE;
	linkset_rebalance(ls);
	linkset_refresh(ls, "link removed");
	adjacent_unavailable(ls);
}

void mtp3_linkset_activate(struct mtp3_linkset *ls)
{
	for (unsigned i = 0; i < MTP3_LINKS; i++)
		if (ls->links[i])
			mtp3_link_activate(ls->links[i]);
}

void mtp3_linkset_deactivate(struct mtp3_linkset *ls)
{
	for (unsigned i = 0; i < MTP3_LINKS; i++)
		if (ls->links[i])
			mtp3_link_deactivate(ls->links[i]);
}
