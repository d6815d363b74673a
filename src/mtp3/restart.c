/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Called by link.c and adjacent.c. Phase 2 exists only with the transfer function; its broadcast is written
 * in one go, so that it ends at once. */
#include "mtp3/restart.h"

#include "base/clock.h"
#include "mtp3/adjacent.h"
#include "mtp3/inhibit.h"
#include "mtp3/linkset.h"
#include "mtp3/tfx.h"

/* clang-format off */
const struct restart_cell restart_fsm[RESTART_STATES][RE_EVENTS] = {
	[RESTART_ISOLATED] = {
		[RE_FIRST_LINK] = {RESTART_PHASE1,   RX_BEGIN},
		[RE_ENOUGH]     = {RESTART_ISOLATED, RX_NONE},
		[RE_T18]        = {RESTART_ISOLATED, RX_NONE},
		[RE_SENT]       = {RESTART_ISOLATED, RX_NONE},
		[RE_T20]        = {RESTART_ISOLATED, RX_NONE},
		[RE_ISOLATED]   = {RESTART_ISOLATED, RX_NONE},
	},
	[RESTART_PHASE1] = {
		[RE_FIRST_LINK] = {RESTART_PHASE1,   RX_NONE},
		[RE_ENOUGH]     = {RESTART_PHASE2,   RX_BROADCAST},
		[RE_T18]        = {RESTART_PHASE2,   RX_BROADCAST},
		[RE_SENT]       = {RESTART_PHASE1,   RX_NONE},
		[RE_T20]        = {RESTART_DONE,     RX_FINISH},
		[RE_ISOLATED]   = {RESTART_ISOLATED, RX_ABORT},
	},
	[RESTART_PHASE2] = {
		[RE_FIRST_LINK] = {RESTART_PHASE2,   RX_NONE},
		[RE_ENOUGH]     = {RESTART_PHASE2,   RX_NONE},
		[RE_T18]        = {RESTART_PHASE2,   RX_NONE},
		[RE_SENT]       = {RESTART_DONE,     RX_FINISH},
		[RE_T20]        = {RESTART_DONE,     RX_FINISH},
		[RE_ISOLATED]   = {RESTART_ISOLATED, RX_ABORT},
	},
	[RESTART_DONE] = {
		[RE_FIRST_LINK] = {RESTART_DONE,     RX_NONE},
		[RE_ENOUGH]     = {RESTART_DONE,     RX_NONE},
		[RE_T18]        = {RESTART_DONE,     RX_NONE},
		[RE_SENT]       = {RESTART_DONE,     RX_NONE},
		[RE_T20]        = {RESTART_DONE,     RX_NONE},
		[RE_ISOLATED]   = {RESTART_ISOLATED, RX_ABORT},
	},
};
/* clang-format on */

static void t18_expired(void *data)
{
	struct mtp3_net *n = data;

	restart_transition(n, RE_T18, "T18 expired");
	settle(n);
}

static void t20_expired(void *data)
{
	struct mtp3_net *n = data;

	restart_transition(n, RE_T20, "T20 expired");
	settle(n);
}

/* ANSI: said again while it lasts. */
static void t26_expired(void *data)
{
	struct mtp3_net *n = data;
	struct mtp3_linkset *ls;

	llist_for_each_entry (ls, &n->linksets, entry)
		if (linkset_available(ls))
			adjacent_ask_for_patience(ls);
	timer_start(&n->t26, n, MTP3_T26, t26_expired, n);
	settle(n);
}

static void begin(struct mtp3_net *n)
{
	/* s.9.2.3: without the transfer function the whole time is phase 1's */
	if (n->conf->transfer)
		timer_start(&n->t18, n, MTP3_T18, t18_expired, n);
	timer_start(&n->t20, n, MTP3_T20, t20_expired, n);
	timer_start(&n->t26, n, MTP3_T26, t26_expired, n);
}

static void stop_timers(struct mtp3_net *n)
{
	osmo_timer_del(&n->t18);
	osmo_timer_del(&n->t20);
	osmo_timer_del(&n->t26);
	osmo_timer_del(&n->isolated);
}

/* s.9.2.2: what is not accessible, to everybody who is there. */
static void broadcast(struct mtp3_net *n)
{
	struct mtp3_linkset *ls;

	n->opening = true;
	llist_for_each_entry (ls, &n->linksets, entry)
		if (linkset_available(ls))
			tfx_announce(ls);
	restart_transition(n, RE_SENT, "routing data sent");
}

static void finish(struct mtp3_net *n)
{
	struct mtp3_linkset *ls;

	stop_timers(n);
	n->opening = true;
	llist_for_each_entry (ls, &n->linksets, entry)
		adjacent_own_restart_done(ls);
	n->opening = false;
}

bool mtp3_linkset_opens(const struct mtp3_linkset *ls)
{
	return linkset_available(ls) && (ls->adj == ADJ_UP || (ls->net->opening && ls->adj != ADJ_DOWN));
}

static void abort_all(struct mtp3_net *n)
{
	struct mtp3_linkset *ls;

	stop_timers(n);
	llist_for_each_entry (ls, &n->linksets, entry)
		adjacent_transition(ls, AE_DOWN, "isolated");
}

void restart_transition(struct mtp3_net *n, enum restart_event e, const char *reason)
{
	enum restart_state from = n->restart;
	const struct restart_cell *cell = &restart_fsm[from][e];

	n->restart = cell->next;
	if (n->restart != from) {
		n->restart_since_ms = clock_ms();
		LOGP(DROUTE, LOGL_NOTICE, "network %s: restart %s -> %s (%s)\n", n->conf->name,
			mtp3_restart_name(from), mtp3_restart_name(n->restart), reason);
	}
	switch ((enum restart_action)cell->action) {
	case RX_BEGIN: begin(n); break;
	case RX_BROADCAST: broadcast(n); break;
	case RX_FINISH: finish(n); break;
	case RX_ABORT: abort_all(n); break;
	case RX_NONE: break;
	}
}

void restart_link_in_service(struct mtp3_linkset *ls)
{
	osmo_timer_del(&ls->net->isolated);
	restart_transition(ls->net, RE_FIRST_LINK, "first link in service");
	adjacent_link_in_service(ls);
}

/* Is LS in use, by its operator's will? */
static bool expected(const struct mtp3_linkset *ls)
{
	for (unsigned i = 0; i < MTP3_LINKS; i++)
		if (ls->links[i] && ls->links[i]->state != LINK_INACTIVE)
			return true;
	return false;
}

void restart_check_enough(struct mtp3_net *n)
{
	const struct mtp3_linkset *ls;

	llist_for_each_entry (ls, &n->linksets, entry) {
		bool heard = linkset_available(ls) && (ls->tra_received || !ls->conf->restart);

		if (expected(ls) && !heard)
			return;
	}
	restart_transition(n, RE_ENOUGH, "routing data of all neighbours");
}

static bool any(const struct mtp3_net *n, bool (*is)(const struct mtp3_linkset *))
{
	const struct mtp3_linkset *ls;

	llist_for_each_entry (ls, &n->linksets, entry)
		if (is(ls))
			return true;
	return false;
}

/* s.9.4.2: what uninhibiting may yet end is not an isolation. */
static void isolated_for_t1(void *data)
{
	struct mtp3_net *n = data;

	if (any(n, inhibit_may_help) || any(n, linkset_in_changeover))
		timer_start(&n->isolated, n, MTP3_T1, isolated_for_t1, n);
	else if (!any(n, linkset_available))
		restart_transition(n, RE_ISOLATED, "isolated");
	settle(n);
}

/* Where no restart is configured, isolation ends nothing. */
void restart_check_isolated(struct mtp3_net *n)
{
	if (any(n, linkset_available))
		osmo_timer_del(&n->isolated);
	else if (n->conf->restart && !osmo_timer_pending(&n->isolated))
		timer_start(&n->isolated, n, MTP3_T1, isolated_for_t1, n);
}
