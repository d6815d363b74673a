/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Called by the routing layer; owns the destinations that are held. */
#include "mtp3/reroute.h"

#include <talloc.h>

struct reroute {
	struct mtp3_net *net;
	struct llist_head entry;
	uint32_t pc;
	uint8_t mask;
	enum rr_state state;
	struct osmo_timer_list timer;
};

/* clang-format off */
const struct rr_cell rr_fsm[RR_STATES][RRE_EVENTS] = {
	[RR_IDLE] = {
		[RRE_FORCED]     = {RR_IDLE, RRX_SWITCH},
		[RRE_CONTROLLED] = {RR_HELD, RRX_HOLD_T6},
		[RRE_TIMED]      = {RR_HELD, RRX_HOLD_T3},
		[RRE_EXPIRED]    = {RR_IDLE, RRX_NONE},
	},
	[RR_HELD] = {
		[RRE_FORCED]     = {RR_IDLE, RRX_SWITCH}, /* s.7.2.1 c: at once, the held ones first */
		[RRE_CONTROLLED] = {RR_HELD, RRX_NONE},
		[RRE_TIMED]      = {RR_HELD, RRX_NONE},
		[RRE_EXPIRED]    = {RR_IDLE, RRX_SWITCH},
	},
};
/* clang-format on */

static void transition(struct reroute *r, enum rr_event e);

static void drop(struct reroute *r)
{
	osmo_timer_del(&r->timer);
	llist_del(&r->entry);
	talloc_free(r);
}

static void timer_expired(void *data)
{
	struct reroute *r = data;
	struct mtp3_net *n = r->net;

	transition(r, RRE_EXPIRED);
	settle(n);
}

static void hold(struct reroute *r, enum mtp3_timer t)
{
	timer_start(&r->timer, r->net, t, timer_expired, r);
	ops_of(r->net)->dest_hold(r->net, r->pc, r->mask, true);
}

/* Frees R when nothing is held any more. */
static void transition(struct reroute *r, enum rr_event e)
{
	const struct rr_cell *cell = &rr_fsm[r->state][e];

	r->state = cell->next;
	switch ((enum rr_action)cell->action) {
	case RRX_HOLD_T6: hold(r, MTP3_T6); break;
	case RRX_HOLD_T3: hold(r, MTP3_T3); break;
	case RRX_SWITCH: ops_of(r->net)->dest_hold(r->net, r->pc, r->mask, false); break;
	case RRX_NONE: break;
	}
	if (r->state == RR_IDLE)
		drop(r);
}

static struct reroute *find(struct mtp3_net *n, uint32_t pc, uint8_t mask)
{
	struct reroute *r;

	llist_for_each_entry (r, &n->reroutes, entry)
		if (r->pc == pc && r->mask == mask)
			return r;
	r = talloc_zero(n, struct reroute);
	if (!r)
		return NULL;
	r->net = n;
	r->pc = pc;
	r->mask = mask;
	llist_add_tail(&r->entry, &n->reroutes);
	return r;
}

void mtp3_reroute(struct mtp3_net *n, uint32_t pc, uint8_t mask, enum mtp3_reroute how)
{
	static const enum rr_event events[] = {[MTP3_REROUTE_FORCED] = RRE_FORCED,
		[MTP3_REROUTE_CONTROLLED] = RRE_CONTROLLED,
		[MTP3_REROUTE_TIMED] = RRE_TIMED};
	struct reroute *r = find(n, pc, mask);

	if (r)
		transition(r, events[how]);
	else /* no memory: at once */
		ops_of(n)->dest_hold(n, pc, mask, false);
	settle(n);
}

void reroute_forget_all(struct mtp3_net *n)
{
	struct reroute *r, *next;

	llist_for_each_entry_safe (r, next, &n->reroutes, entry)
		drop(r);
}
