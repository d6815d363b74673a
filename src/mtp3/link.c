/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Called by level 2's reports, management, the link test and changeover. A link that has failed is started
 * again at once (s.12.2.2), but not before its buffers were retrieved; after an alignment that failed only
 * after T17. */
#include "mtp3/link.h"

#include <string.h>

#include "base/clock.h"
#include "mtp3/changeover.h"
#include "mtp3/inhibit.h"
#include "mtp3/linkset.h"
#include "mtp3/out.h"
#include "mtp3/restart.h"
#include "mtp3/slt.h"

/* clang-format off */
const struct link_cell link_fsm[LINK_STATES][LE_EVENTS] = {
	[LINK_INACTIVE] = {
		[LE_ACTIVATE]   = {LINK_ALIGNING, LX_START},
		[LE_DEACTIVATE] = {LINK_INACTIVE, LX_NONE},
		[LE_IN_SERVICE] = {LINK_INACTIVE, LX_STOP},
		[LE_OUT]        = {LINK_INACTIVE, LX_NONE},
		[LE_TEST_GOOD]  = {LINK_INACTIVE, LX_NONE},
		[LE_TEST_BAD]   = {LINK_INACTIVE, LX_NONE},
		[LE_RETRY]      = {LINK_INACTIVE, LX_NONE},
		[LE_ORDERED]    = {LINK_INACTIVE, LX_NONE},
	},
	[LINK_ALIGNING] = {
		[LE_ACTIVATE]   = {LINK_ALIGNING, LX_NONE},
		[LE_DEACTIVATE] = {LINK_INACTIVE, LX_STOP},
		[LE_IN_SERVICE] = {LINK_TESTING,  LX_TEST},
		[LE_OUT]        = {LINK_WAITING,  LX_LATER},
		[LE_TEST_GOOD]  = {LINK_ALIGNING, LX_NONE},
		[LE_TEST_BAD]   = {LINK_ALIGNING, LX_NONE},
		[LE_RETRY]      = {LINK_ALIGNING, LX_NONE},
		[LE_ORDERED]    = {LINK_ALIGNING, LX_NONE},
	},
	[LINK_TESTING] = {
		[LE_ACTIVATE]   = {LINK_TESTING,  LX_NONE},
		[LE_DEACTIVATE] = {LINK_INACTIVE, LX_STOP},
		[LE_IN_SERVICE] = {LINK_TESTING,  LX_NONE},
		[LE_OUT]        = {LINK_WAITING,  LX_LATER},
		[LE_TEST_GOOD]  = {LINK_ACTIVE,   LX_UP},
		[LE_TEST_BAD]   = {LINK_WAITING,  LX_STOP_LATER}, /* Q.707 s.2.2: out of service, restoration */
		[LE_RETRY]      = {LINK_TESTING,  LX_NONE},
		[LE_ORDERED]    = {LINK_TESTING,  LX_NONE}, /* an old one */
	},
	[LINK_ACTIVE] = {
		[LE_ACTIVATE]   = {LINK_ACTIVE,   LX_NONE},
		[LE_DEACTIVATE] = {LINK_INACTIVE, LX_END},
		[LE_IN_SERVICE] = {LINK_ACTIVE,   LX_NONE},
		[LE_OUT]        = {LINK_WAITING,  LX_FAILED},
		[LE_TEST_GOOD]  = {LINK_ACTIVE,   LX_NONE},
		[LE_TEST_BAD]   = {LINK_ACTIVE,   LX_GIVE_UP}, /* as ANSI T1.111.7 has it for periodic tests */
		[LE_RETRY]      = {LINK_ACTIVE,   LX_NONE},
		[LE_ORDERED]    = {LINK_WAITING,  LX_FAIL},
	},
	[LINK_WAITING] = {
		[LE_ACTIVATE]   = {LINK_WAITING,  LX_NONE},
		[LE_DEACTIVATE] = {LINK_INACTIVE, LX_STOP},
		[LE_IN_SERVICE] = {LINK_WAITING,  LX_STOP},
		[LE_OUT]        = {LINK_WAITING,  LX_NONE},
		[LE_TEST_GOOD]  = {LINK_WAITING,  LX_NONE},
		[LE_TEST_BAD]   = {LINK_WAITING,  LX_NONE},
		[LE_RETRY]      = {LINK_ALIGNING, LX_START},
		[LE_ORDERED]    = {LINK_WAITING,  LX_NONE},
	},
};
/* clang-format on */

static void t17_expired(void *data)
{
	struct mtp3_link *l = data;

	link_transition(l, LE_RETRY, "T17 expired");
	settle(l->ls->net);
}

/* Emergency proving: asked for, or nothing else leads to the neighbour (s.12.2.4.2). */
static void start(struct mtp3_link *l)
{
	bool emergency = l->emergency || l->conf->emergency || !linkset_available(l->ls);

	l->start_deferred = changeover_busy(l);
	if (!l->start_deferred)
		ops_of(l->ls->net)->link_start(l, emergency);
}

static void stop(struct mtp3_link *l)
{
	osmo_timer_del(&l->t17);
	l->start_deferred = false;
	slt_end(l);
	l->remote_outage = false;
	ops_of(l->ls->net)->link_stop(l);
}

/* Also what was not yet active may have been told of an outage: of the next life nothing is known. */
static void later(struct mtp3_link *l)
{
	slt_end(l);
	l->remote_outage = false;
	timer_start(&l->t17, l->ls->net, MTP3_T17, t17_expired, l);
}

static void failed(struct mtp3_link *l, const char *reason)
{
	slt_end(l);
	mtp3_link_count(l, MTP3_LC_FAILURES);
	l->remote_outage = false;
	link_refresh(l, reason);
	if (!changeover_busy(l) && !l->ordered_by_peer)
		later(l);
}

static void act(struct mtp3_link *l, enum link_action a, const char *reason)
{
	switch (a) {
	case LX_START: start(l); break;
	case LX_STOP: stop(l); break;
	case LX_TEST:
		restart_link_in_service(l->ls);
		slt_begin(l);
		break;
	case LX_UP: link_refresh(l, reason); break;
	case LX_LATER: later(l); break;
	case LX_STOP_LATER:
		stop(l);
		later(l);
		break;
	case LX_FAIL:
		ops_of(l->ls->net)->link_stop(l);
		failed(l, reason);
		break;
	case LX_FAILED: failed(l, reason); break;
	case LX_GIVE_UP: ops_of(l->ls->net)->link_fail(l, reason); break;
	case LX_END:
		stop(l);
		link_refresh(l, reason);
		break;
	case LX_NONE: break;
	}
}

/* A neighbour that is away is tried every T17 for ever: worth a notice only the first time, or for another
 * reason. */
static int level_of(struct mtp3_link *l, enum link_state from, const char *reason)
{
	const char *before = l->in_vain;

	if (from == LINK_WAITING && l->state == LINK_ALIGNING)
		return before ? LOGL_INFO : LOGL_NOTICE;
	l->in_vain = NULL;
	if (from != LINK_ALIGNING || l->state != LINK_WAITING)
		return LOGL_NOTICE;
	mtp3_link_count(l, MTP3_LC_FAILED_ALIGNMENTS);
	l->in_vain = reason;
	return before && !strcmp(before, reason) ? LOGL_INFO : LOGL_NOTICE;
}

void link_transition(struct mtp3_link *l, enum link_event e, const char *reason)
{
	enum link_state from = l->state;
	const struct link_cell *cell = &link_fsm[from][e];
	int level;

	l->state = cell->next;
	if (l->state != from) {
		level = level_of(l, from, reason); /* LOGP() looks at it twice */
		l->since_ms = clock_ms();
		l->reason = reason;
		l->transitions++;
		LOGP(DROUTE, level, "link %s: %s -> %s (%s)\n", l->conf->name, mtp3_link_state_name(from),
			mtp3_link_state_name(l->state), reason);
	}
	act(l, cell->action, reason);
}

/* s.3.2.1: unavailable when failed, deactivated, blocked or inhibited. */
static bool is_available(const struct mtp3_link *l)
{
	return l->state == LINK_ACTIVE && !l->remote_outage && !l->local_outage && !l->inhibited_local &&
	       !l->inhibited_remote;
}

static enum co_event cause_of(const struct mtp3_link *l)
{
	if (l->state != LINK_ACTIVE)
		return out_reaches(l->ls, l) ? CE_FAILED : CE_ISOLATED;
	return l->remote_outage || l->local_outage ? CE_OUTAGE : CE_INHIBITED;
}

void link_refresh(struct mtp3_link *l, const char *reason)
{
	bool now = is_available(l);

	if (now == l->available) {
		if (!now && l->state == LINK_ACTIVE)
			inhibit_undo_if_needed(l->ls);
		else if (!now && changeover_busy(l) && !l->ordered_by_peer) /* blocked or inhibited before */
			changeover_transition(l, cause_of(l), reason);
		return;
	}
	l->available = now;
	l->available_since_ms = clock_ms();
	l->available_reason = reason;
	if (now)
		linkset_link_came(l, reason);
	else
		linkset_link_went(l, cause_of(l), reason);
}

void link_changeover_over(struct mtp3_link *l)
{
	if (l->start_deferred)
		start(l);
	else if (l->state == LINK_WAITING && !osmo_timer_pending(&l->t17))
		link_transition(l, LE_RETRY, "changeover is over");
}

/* ---- what level 2 reports, and management asks ---- */

void mtp3_link_in_service(struct mtp3_link *l)
{
	link_transition(l, LE_IN_SERVICE, "level 2 is in service");
	settle(l->ls->net);
}

void mtp3_link_out_of_service(struct mtp3_link *l, const char *reason)
{
	link_transition(l, LE_OUT, reason);
	settle(l->ls->net);
}

/* s.5.6.2: level 2 goes on with its buffers unless the traffic has gone to other links. */
static void outage_over(struct mtp3_link *l)
{
	if (l->state == LINK_ACTIVE && !l->remote_outage && !l->local_outage)
		ops_of(l->ls->net)->link_resume(l, l->co == CO_DONE);
}

void mtp3_link_remote_outage(struct mtp3_link *l, bool on)
{
	if (l->remote_outage == on || l->state == LINK_INACTIVE || l->state == LINK_WAITING)
		return;
	l->remote_outage = on;
	if (!on)
		outage_over(l);
	link_refresh(l, on ? "remote processor outage" : "remote processor recovered");
	settle(l->ls->net);
}

void mtp3_link_block(struct mtp3_link *l, bool on)
{
	if (l->local_outage == on)
		return;
	l->local_outage = on;
	ops_of(l->ls->net)->link_outage(l, on);
	if (!on)
		outage_over(l);
	link_refresh(l, on ? "local processor outage" : "local processor recovered");
	settle(l->ls->net);
}

void mtp3_link_activate(struct mtp3_link *l)
{
	link_transition(l, LE_ACTIVATE, "activated");
	settle(l->ls->net);
}

void mtp3_link_deactivate(struct mtp3_link *l)
{
	link_transition(l, LE_DEACTIVATE, "deactivated");
	settle(l->ls->net);
}

void mtp3_link_emergency(struct mtp3_link *l, bool on)
{
	l->emergency = on;
}

enum sb_err mtp3_link_test(struct mtp3_link *l)
{
	if (l->state != LINK_ACTIVE)
		return SB_ESTATE;
	slt_begin(l);
	settle(l->ls->net);
	return SB_OK;
}
