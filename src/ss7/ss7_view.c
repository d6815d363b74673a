/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The one file that looks into mtp3's objects: whose they are, and what there is to show. */
#include <stdatomic.h>
#include <string.h>

#include "mtp3/changeover.h"
#include "mtp3/mtp3_int.h"
#include "ss7/ss7_int.h"

struct ss7_link *ss7_link_of(const struct mtp3_link *l)
{
	return l->user;
}

struct ss7_linkset *ss7_linkset_of_l3(const struct mtp3_linkset *ls)
{
	return ls->user;
}

struct ss7_net *ss7_net_of(const struct mtp3_net *n)
{
	return n->user;
}

bool ss7_has_left(const struct mtp3_link *l)
{
	return l->state == LINK_INACTIVE && !changeover_busy(l);
}

bool ss7_changes_over(const struct mtp3_link *l)
{
	return changeover_busy(l);
}

bool ss7_takes_orders(const struct mtp3_link *l)
{
	return l->state == LINK_ACTIVE;
}

bool ss7_flush_due(const struct mtp3_link *l)
{
	return l->co == CO_DONE;
}

static unsigned slss_of(const struct mtp3_link *l, struct sls_set *out)
{
	unsigned n = 0;

	*out = (struct sls_set){.values = sls_values(&l->ls->conf->sls)};
	for (unsigned i = 0; i < out->values; i++)
		n += out->has[i] = l->ls->buckets[i] == l->conf->slc;
	return n;
}

void ss7_link_view(const struct ss7_link *link, struct ss7_link_view *out)
{
	const struct mtp3_link *l = link->l3;

	*out = (struct ss7_link_view){.conf = link->conf,
		.linkset = link->linkset->name,
		.state = mtp3_link_state_name(l->state),
		.reason = l->reason,
		.changeover = mtp3_changeover_name(l->co),
		.inhibition = mtp3_inhibit_name(l->inh),
		.inhibit_reason = l->inhibit_reason,
		.since_ms = l->since_ms,
		.transitions = l->transitions,
		.c = l->c,
		.available_reason = l->available_reason,
		.available_since_ms = l->available_since_ms,
		.emergency = l->emergency || l->conf->emergency,
		.activated = l->state != LINK_INACTIVE,
		.active = l->state == LINK_ACTIVE,
		.available = l->available,
		.inhibited_local = l->inhibited_local,
		.inhibited_remote = l->inhibited_remote,
		.remote_outage = l->remote_outage,
		.local_outage = l->local_outage};
	out->buckets = slss_of(l, &out->slss);
	m2pa_link_info(link->l2, &out->l2);
	out->l2_state = m2pa_link_state_name(out->l2.state);
}

void ss7_linkset_view(const struct ss7_linkset *ls, struct ss7_linkset_view *out)
{
	const struct mtp3_linkset *l3 = ls->l3;
	const struct fwd_hold *hold = route_egress_hold(ls->egress);
	const struct ss7_link *l;

	*out = (struct ss7_linkset_view){.conf = ls->conf,
		.state = mtp3_ls_state_name(l3->state),
		.reason = l3->reason,
		.neighbour = mtp3_adj_name(l3->adj),
		.restart = mtp3_restart_name(l3->net->restart),
		.since_ms = l3->since_ms,
		.transitions = l3->transitions,
		.local = ls->l3conf.local,
		.not_allowed_here = l3->told.n,
		.not_allowed_there = l3->routes.n,
		.sls_bits = ls->l3conf.sls.bits,
		.rotation = ls->rotate,
		.held = atomic_load_explicit(&hold->n, memory_order_relaxed)};
	llist_for_each_entry (l, &ls->ss7->links, entry)
		if (l->linkset == ls && l->congestion > out->congestion)
			out->congestion = l->congestion;
	for (unsigned i = 0; i < MTP3_LINKS; i++) {
		out->links += l3->links[i] != NULL;
		out->available += l3->links[i] && l3->links[i]->available;
	}
}

bool ss7_net_view(const struct ss7 *s, const char *network, struct ss7_net_view *out)
{
	const struct ss7_net *n;

	llist_for_each_entry (n, &s->nets, entry) {
		const struct mtp3_net *l3 = n->l3;

		if (strcmp(n->name, network) != 0)
			continue;
		*out = (struct ss7_net_view){.restart = mtp3_restart_name(l3->restart),
			.restart_since_ms = l3->restart_since_ms,
			.strays = l3->stats.strays,
			.ignored = l3->stats.ignored,
			.rx = l3->stats.rx,
			.tx = l3->stats.tx};
		for (unsigned i = 0; i < MTP3_FAULT_COUNT; i++)
			out->faulty += l3->stats.faults[i];
		return true;
	}
	return false;
}
