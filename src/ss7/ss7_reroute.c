/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How traffic goes from one route to another (Q.704 s.6.4, 7, 8), where a linkset is one of them: level 3
 * says when. An AS is treated as a linkset then: what is under way through either arrives at the same users.
 * Between Application Servers alone nothing waits: RFC 4666 has no such procedure, and nobody there expects a
 * pause. */
#include "ss7/ss7_int.h"

/* Is a linkset among the routes that carried D's traffic, or that are going to? */
static bool concerns(const struct dest *d)
{
	for (uint32_t i = 0; i < d->n_routes; i++)
		if ((d->routes[i].carried || d->routes[i].in_use) && ss7_linkset_of(d->routes[i].spec.egress))
			return true;
	return false;
}

/* Is there a better route because the linkset itself has come up? */
static bool has_come(const struct dest *d)
{
	for (uint32_t i = 0; i < d->n_routes; i++) {
		const struct ss7_linkset *ls = ss7_linkset_of(d->routes[i].spec.egress);

		if (ls && ls->came && d->routes[i].in_use)
			return true;
	}
	return false;
}

void ss7_moves(void *user, const struct dest *d, enum route_move how)
{
	const struct ss7_net *n = ss7_net_at(user, d->network);

	if (!n || (!d->held && !concerns(d)))
		return;
	if (how == ROUTE_FORCED)
		mtp3_reroute(n->l3, d->pc, d->mask, MTP3_REROUTE_FORCED);
	else
		mtp3_reroute(
			n->l3, d->pc, d->mask, has_come(d) ? MTP3_REROUTE_TIMED : MTP3_REROUTE_CONTROLLED);
}

void ss7_dest_hold(struct mtp3_net *l3, uint32_t pc, uint8_t mask, bool held)
{
	const struct ss7_net *n = ss7_net_of(l3);

	n->ss7->due = true;
	if (n->network)
		route_hold(sg_router(n->ss7->sg), n->network->index, pc, mask, held);
}
