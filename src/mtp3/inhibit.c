/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Called by management (mtp3_link_inhibit), by the routing layer (mtp3_dest_lost) and by input.c. */
#include "mtp3/inhibit.h"

#include "mtp3/link.h"
#include "mtp3/linkset.h"
#include "mtp3/out.h"

/* clang-format off */
const struct inh_cell inh_fsm[INH_STATES][IE_EVENTS] = {
	[INH_IDLE] = {
		[IE_INHIBIT]   = {INH_INHIBITING,   IX_LIN},
		[IE_UNINHIBIT] = {INH_UNINHIBITING, IX_LUN},
		[IE_FORCE]     = {INH_FORCING,      IX_LFU},
		[IE_LIA]       = {INH_IDLE,         IX_NONE}, /* s.10.4 d */
		[IE_LID]       = {INH_IDLE,         IX_NONE},
		[IE_LUA]       = {INH_IDLE,         IX_NONE}, /* s.10.4 e */
		[IE_LUN]       = {INH_IDLE,         IX_NONE},
		[IE_TIMER]     = {INH_IDLE,         IX_NONE},
	},
	[INH_INHIBITING] = { /* s.10.3: no uninhibit message while an inhibit message is outstanding */
		[IE_INHIBIT]   = {INH_INHIBITING,   IX_NONE},
		[IE_UNINHIBIT] = {INH_INHIBITING,   IX_NONE},
		[IE_FORCE]     = {INH_INHIBITING,   IX_NONE},
		[IE_LIA]       = {INH_IDLE,         IX_MARK},
		[IE_LID]       = {INH_IDLE,         IX_DENIED},
		[IE_LUA]       = {INH_INHIBITING,   IX_NONE},
		[IE_LUN]       = {INH_INHIBITING,   IX_NONE},
		[IE_TIMER]     = {INH_INHIBITING_AGAIN, IX_LIN}, /* s.10.2 g */
	},
	[INH_INHIBITING_AGAIN] = {
		[IE_INHIBIT]   = {INH_INHIBITING_AGAIN, IX_NONE},
		[IE_UNINHIBIT] = {INH_INHIBITING_AGAIN, IX_NONE},
		[IE_FORCE]     = {INH_INHIBITING_AGAIN, IX_NONE},
		[IE_LIA]       = {INH_IDLE,         IX_MARK},
		[IE_LID]       = {INH_IDLE,         IX_DENIED},
		[IE_LUA]       = {INH_INHIBITING_AGAIN, IX_NONE},
		[IE_LUN]       = {INH_INHIBITING_AGAIN, IX_NONE},
		[IE_TIMER]     = {INH_IDLE,         IX_GIVE_UP},
	},
	[INH_UNINHIBITING] = { /* s.10.2: nor the reverse */
		[IE_INHIBIT]   = {INH_UNINHIBITING, IX_NONE},
		[IE_UNINHIBIT] = {INH_UNINHIBITING, IX_NONE},
		[IE_FORCE]     = {INH_UNINHIBITING, IX_NONE},
		[IE_LIA]       = {INH_UNINHIBITING, IX_NONE},
		[IE_LID]       = {INH_UNINHIBITING, IX_NONE},
		[IE_LUA]       = {INH_IDLE,         IX_UNMARK},
		[IE_LUN]       = {INH_UNINHIBITING, IX_NONE},
		[IE_TIMER]     = {INH_UNINHIBITING_AGAIN, IX_LUN}, /* s.10.3.1 e */
	},
	[INH_UNINHIBITING_AGAIN] = {
		[IE_INHIBIT]   = {INH_UNINHIBITING_AGAIN, IX_NONE},
		[IE_UNINHIBIT] = {INH_UNINHIBITING_AGAIN, IX_NONE},
		[IE_FORCE]     = {INH_UNINHIBITING_AGAIN, IX_NONE},
		[IE_LIA]       = {INH_UNINHIBITING_AGAIN, IX_NONE},
		[IE_LID]       = {INH_UNINHIBITING_AGAIN, IX_NONE},
		[IE_LUA]       = {INH_IDLE,         IX_UNMARK},
		[IE_LUN]       = {INH_UNINHIBITING_AGAIN, IX_NONE},
		[IE_TIMER]     = {INH_IDLE,         IX_GIVE_UP},
	},
	[INH_FORCING] = {
		[IE_INHIBIT]   = {INH_FORCING,      IX_NONE},
		[IE_UNINHIBIT] = {INH_UNINHIBITING, IX_LUN},
		[IE_FORCE]     = {INH_FORCING,      IX_NONE},
		[IE_LIA]       = {INH_FORCING,      IX_NONE},
		[IE_LID]       = {INH_FORCING,      IX_NONE},
		[IE_LUA]       = {INH_FORCING,      IX_NONE},
		[IE_LUN]       = {INH_IDLE,         IX_FORCED},
		[IE_TIMER]     = {INH_FORCING_AGAIN, IX_LFU}, /* s.10.3.2 e */
	},
	[INH_FORCING_AGAIN] = {
		[IE_INHIBIT]   = {INH_FORCING_AGAIN, IX_NONE},
		[IE_UNINHIBIT] = {INH_UNINHIBITING, IX_LUN},
		[IE_FORCE]     = {INH_FORCING_AGAIN, IX_NONE},
		[IE_LIA]       = {INH_FORCING_AGAIN, IX_NONE},
		[IE_LID]       = {INH_FORCING_AGAIN, IX_NONE},
		[IE_LUA]       = {INH_FORCING_AGAIN, IX_NONE},
		[IE_LUN]       = {INH_IDLE,         IX_FORCED},
		[IE_TIMER]     = {INH_IDLE,         IX_GIVE_UP},
	},
};
/* clang-format on */

/* ---- sending ---- */

/* By any route, or, if there is none, over the link itself (s.10.3.1 a). */
static bool send(struct mtp3_link *l, enum snm_id id)
{
	struct snm m = {.id = (uint8_t)id, .slc = l->conf->slc};

	if (out_to_neighbour(l->ls, NULL, &m))
		return true;
	return l->state == LINK_ACTIVE && !l->remote_outage && !l->local_outage && out_on_link(l, &m);
}

/* Over the link itself, if it works. */
static bool send_on_it(struct mtp3_link *l, enum snm_id id)
{
	struct snm m = {.id = (uint8_t)id, .slc = l->conf->slc};

	return l->state == LINK_ACTIVE && !l->remote_outage && !l->local_outage && out_on_link(l, &m);
}

static void timer_expired(void *data)
{
	struct mtp3_link *l = data;

	inhibit_transition(l, IE_TIMER);
	settle(l->ls->net);
}

/* s.10.6 */
static void t22_expired(void *data)
{
	struct mtp3_link *l = data;

	send(l, SNM_LLT);
	timer_start(&l->t22, l->ls->net, MTP3_T22, t22_expired, l);
	settle(l->ls->net);
}

static void t23_expired(void *data)
{
	struct mtp3_link *l = data;

	send(l, SNM_LRT);
	timer_start(&l->t23, l->ls->net, MTP3_T23, t23_expired, l);
	settle(l->ls->net);
}

/* ---- marks ---- */

static void mark_local(struct mtp3_link *l, bool on, const char *reason)
{
	if (on)
		mtp3_link_count(l, MTP3_LC_LOCAL_INHIBITS);
	l->inhibited_local = on;
	l->inhibit_reason = reason;
	if (on)
		timer_start(&l->t22, l->ls->net, MTP3_T22, t22_expired, l);
	else
		osmo_timer_del(&l->t22);
	link_refresh(l, reason);
}

static void mark_remote(struct mtp3_link *l, bool on, const char *reason)
{
	if (on)
		mtp3_link_count(l, MTP3_LC_REMOTE_INHIBITS);
	l->inhibited_remote = on;
	if (on)
		timer_start(&l->t23, l->ls->net, MTP3_T23, t23_expired, l);
	else
		osmo_timer_del(&l->t23);
	link_refresh(l, reason);
}

/* ---- the machine ---- */

/* s.10.2 a and c: would some destination lose its last way? */
static bool is_needed(const struct mtp3_link *l)
{
	if (!l->available)
		return false;
	return linkset_links_available(l->ls) == 1 && ops_of(l->ls->net)->linkset_needed(l->ls);
}

static void ask(struct mtp3_link *l, enum snm_id id, enum mtp3_timer t)
{
	timer_start(&l->inh_timer, l->ls->net, t, timer_expired, l);
	if (id == SNM_LFU)
		send_on_it(l, id); /* s.10.3.2 d */
	else
		send(l, id);
}

static void next_for_routing(struct mtp3_linkset *ls, const struct mtp3_link *after);

static void give_up(struct mtp3_link *l, const char *reason)
{
	bool by_routing = l->by_routing;

	l->by_routing = false;
	l->inhibit_reason = reason;
	osmo_timer_del(&l->inh_timer);
	LOGP(DROUTE, LOGL_NOTICE, "link %s: %s\n", l->conf->name, reason);
	if (by_routing) /* s.10.3.2 f */
		next_for_routing(l->ls, l);
	if (!inhibit_may_help(l->ls))
		changeover_go_on(l->ls);
}

static void succeed(struct mtp3_link *l)
{
	l->by_routing = false;
	osmo_timer_del(&l->inh_timer);
}

/* Links that failed since we asked may have made this one the last. */
static void agreed(struct mtp3_link *l)
{
	succeed(l);
	if (is_needed(l)) {
		l->inhibit_reason = "a destination needs the link";
		inhibit_transition(l, IE_UNINHIBIT);
	} else {
		mark_local(l, true, "inhibited");
	}
}

void inhibit_transition(struct mtp3_link *l, enum inh_event e)
{
	const struct inh_cell *cell = &inh_fsm[l->inh][e];

	l->inh = cell->next;
	switch ((enum inh_action)cell->action) {
	case IX_LIN: ask(l, SNM_LIN, MTP3_T14); break;
	case IX_LUN: ask(l, SNM_LUN, MTP3_T12); break;
	case IX_LFU: ask(l, SNM_LFU, MTP3_T13); break;
	case IX_MARK: agreed(l); break;
	case IX_UNMARK:
		succeed(l);
		mark_local(l, false, "uninhibited");
		break;
	case IX_FORCED: succeed(l); break;
	case IX_DENIED: give_up(l, "the neighbour denied inhibiting"); break;
	case IX_GIVE_UP: give_up(l, "the neighbour did not answer"); break;
	case IX_NONE: break;
	}
}

/* ---- management ---- */

enum sb_err mtp3_link_inhibit(struct mtp3_link *l)
{
	if (l->inhibited_local)
		return SB_OK;
	if (is_needed(l) || (!l->available && !out_reaches(l->ls, l))) {
		l->inhibit_reason = l->available ? "a destination needs the link" : "no way to the neighbour";
		return SB_ESTATE;
	}
	inhibit_transition(l, IE_INHIBIT);
	settle(l->ls->net);
	return SB_OK;
}

enum sb_err mtp3_link_uninhibit(struct mtp3_link *l)
{
	bool works = l->state == LINK_ACTIVE && !l->remote_outage && !l->local_outage;

	if (!l->inhibited_local)
		return SB_OK;
	if (!works && !out_reaches(l->ls, l)) {
		l->inhibit_reason = "no way to the neighbour";
		return SB_ESTATE;
	}
	inhibit_transition(l, IE_UNINHIBIT);
	settle(l->ls->net);
	return SB_OK;
}

/* ---- routing (s.10.3.2) ---- */

static bool helps(const struct mtp3_link *l)
{
	return l && (l->inhibited_local || l->inhibited_remote) && l->state == LINK_ACTIVE &&
	       !l->remote_outage && !l->local_outage;
}

static void next_for_routing(struct mtp3_linkset *ls, const struct mtp3_link *after)
{
	for (unsigned i = after ? after->conf->slc + 1u : 0; i < MTP3_LINKS; i++) {
		struct mtp3_link *l = ls->links[i];

		if (!helps(l))
			continue;
		l->by_routing = true;
		inhibit_transition(l, l->inhibited_local ? IE_UNINHIBIT : IE_FORCE);
		return;
	}
}

void mtp3_dest_lost(struct mtp3_linkset *ls)
{
	if (linkset_available(ls))
		return;
	next_for_routing(ls, NULL);
	settle(ls->net);
}

bool inhibit_may_help(const struct mtp3_linkset *ls)
{
	for (unsigned i = 0; i < MTP3_LINKS; i++)
		if (helps(ls->links[i]) && ls->links[i]->inh != INH_IDLE)
			return true;
	return false;
}

void inhibit_undo_if_needed(struct mtp3_linkset *ls)
{
	struct mtp3_net *n = ls->net;

	if (!linkset_available(ls) && !ops_of(n)->reaches(n, ls->conf->adjacent, ls))
		next_for_routing(ls, NULL);
}

/* ---- the neighbour ---- */

/* s.10.2 c, d; 10.4 a. The answer goes before the traffic is diverted. */
static void asked_to_inhibit(struct mtp3_link *l)
{
	if (l->inhibited_remote) {
		send(l, SNM_LIA);
	} else if (is_needed(l)) {
		send(l, SNM_LID);
	} else {
		if (!l->available || !send_on_it(l, SNM_LIA))
			send(l, SNM_LIA);
		mark_remote(l, true, "inhibited by the neighbour");
	}
}

/* s.10.3.1 c, 10.4 b */
static void asked_to_uninhibit(struct mtp3_link *l)
{
	send(l, SNM_LUA);
	if (l->inhibited_remote)
		mark_remote(l, false, "uninhibited by the neighbour");
	inhibit_transition(l, IE_LUN);
}

/* s.10.3.2 d; 10.4 c: "answered with an uninhibit signalling link message without any further action" */
static void asked_by_force(struct mtp3_link *l)
{
	if (l->inhibited_local)
		inhibit_transition(l, IE_UNINHIBIT);
	else
		send(l, SNM_LUN);
}

void inhibit_message(struct mtp3_link *l, const struct snm *m)
{
	switch (m->id) {
	case SNM_LIN: asked_to_inhibit(l); break;
	case SNM_LUN: asked_to_uninhibit(l); break;
	case SNM_LFU: asked_by_force(l); break;
	case SNM_LIA: inhibit_transition(l, IE_LIA); break;
	case SNM_LID: inhibit_transition(l, IE_LID); break;
	case SNM_LUA: inhibit_transition(l, IE_LUA); break;
	case SNM_LLT: /* s.10.6.1 */
		if (!l->inhibited_remote)
			inhibit_transition(l, IE_FORCE);
		break;
	case SNM_LRT: /* s.10.6.2 */
		if (!l->inhibited_local)
			inhibit_transition(l, IE_UNINHIBIT);
		break;
	default: break;
	}
}
