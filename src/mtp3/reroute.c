/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Called by the routing layer, and by changeover.c. What a changeover retrieves was sent before anything that
 * is held here, and goes out when it ends: no destination is switched before that. */
#include "mtp3/reroute.h"

#include "mtp3/changeover.h"
#include "mtp3/linkset.h"

/* clang-format off */
const struct rr_cell rr_fsm[RR_STATES][RRE_EVENTS] = {
	[RR_IDLE] = {
		[RRE_FORCED]     = {RR_WAITING, RRX_HOLD_T2},
		[RRE_CONTROLLED] = {RR_HELD,    RRX_HOLD_T6},
		[RRE_TIMED]      = {RR_HELD,    RRX_HOLD_T3},
		[RRE_EXPIRED]    = {RR_IDLE,    RRX_NONE},
		[RRE_CLEAR]      = {RR_IDLE,    RRX_NONE},
	},
	[RR_HELD] = {
		[RRE_FORCED]     = {RR_WAITING, RRX_HOLD_T2}, /* s.7.2.1 c: at once, the held ones first */
		[RRE_CONTROLLED] = {RR_HELD,    RRX_HOLD_T6}, /* more has to wait now */
		[RRE_TIMED]      = {RR_HELD,    RRX_HOLD_T3},
		[RRE_EXPIRED]    = {RR_WAITING, RRX_HOLD_T2},
		[RRE_CLEAR]      = {RR_HELD,    RRX_NONE},
	},
	[RR_WAITING] = { /* until no changeover is on: mostly it is none */
		[RRE_FORCED]     = {RR_WAITING, RRX_NONE},
		[RRE_CONTROLLED] = {RR_WAITING, RRX_NONE},
		[RRE_TIMED]      = {RR_WAITING, RRX_NONE},
		[RRE_EXPIRED]    = {RR_IDLE,    RRX_SWITCH},
		[RRE_CLEAR]      = {RR_IDLE,    RRX_SWITCH},
	},
};
/* clang-format on */

static void transition(struct memo *d, enum rr_event e);

static void timer_expired(void *data)
{
	struct memo *d = data;
	struct mtp3_net *n = d->net;

	transition(d, RRE_EXPIRED);
	settle(n);
}

static void hold(struct memo *d, enum mtp3_timer t)
{
	timer_start(&d->rr_timer, d->net, t, timer_expired, d);
	ops_of(d->net)->dest_hold(d->net, d->node.key.pc, d->node.key.mask, true);
}

static bool changeover_is_on(const struct mtp3_net *n)
{
	const struct mtp3_linkset *ls;

	llist_for_each_entry (ls, &n->linksets, entry)
		if (linkset_in_changeover(ls))
			return true;
	return false;
}

static void act(struct memo *d, enum rr_action a)
{
	switch (a) {
	case RRX_HOLD_T6: hold(d, MTP3_T6); break;
	case RRX_HOLD_T3: hold(d, MTP3_T3); break;
	case RRX_HOLD_T2: hold(d, MTP3_T2); break;
	case RRX_SWITCH:
		osmo_timer_del(&d->rr_timer);
		ops_of(d->net)->dest_hold(d->net, d->node.key.pc, d->node.key.mask, false);
		break;
	case RRX_NONE: break;
	}
}

static void step(struct memo *d, enum rr_event e)
{
	const struct rr_cell *cell = &rr_fsm[d->rr][e];

	d->rr = cell->next;
	act(d, cell->action);
}

/* Frees D, or somebody who was called has, if there is nothing to remember any more. */
static void transition(struct memo *d, enum rr_event e)
{
	struct mtp3_net *n = d->net;
	struct pc_key key = d->node.key;

	if (rr_fsm[d->rr][e].next == RR_WAITING && !changeover_is_on(n)) {
		d->rr = RR_WAITING; /* for nothing */
		e = RRE_CLEAR;
	}
	step(d, e);
	d = memo_find(n, key, false);
	if (d)
		memo_release(d);
}

void mtp3_reroute(struct mtp3_net *n, uint32_t pc, uint8_t mask, enum mtp3_reroute how)
{
	static const enum rr_event events[] = {[MTP3_REROUTE_FORCED] = RRE_FORCED,
		[MTP3_REROUTE_CONTROLLED] = RRE_CONTROLLED,
		[MTP3_REROUTE_TIMED] = RRE_TIMED};
	struct memo *d = memo_find(n, (struct pc_key){.pc = pc, .mask = mask}, true);

	if (d)
		transition(d, events[how]);
	else /* no memory, or too many: at once */
		ops_of(n)->dest_hold(n, pc, mask, false);
	settle(n);
}

static void clear(struct pc_node *node)
{
	struct memo *d = (struct memo *)node;

	if (d->rr == RR_WAITING)
		transition(d, RRE_CLEAR);
}

void reroute_changeover_over(struct mtp3_net *n)
{
	if (n->memos.n && !changeover_is_on(n))
		pc_map_each(&n->memos, clear);
}
