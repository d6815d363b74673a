/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Nodal interworking (RFC 4666 s.1.4.6, 4.5.1): what becomes of destinations, told to the neighbours; what
 * neighbours tell of congestion and users, told to ASPs. That DUNA, DAVA, DRST and SCON follow from TFP, TFA,
 * TFR and TFC is the routes' doing: both sides set their status and hear of it. */
#include "m3ua/ssnm_tell.h"
#include "ss7/ss7_int.h"
#include "wire/m3ua.h"
#include "wire/mtp3_snm.h"

struct ss7_net *ss7_net_at(const struct ss7 *s, uint16_t network)
{
	struct ss7_net *n;

	llist_for_each_entry (n, &s->nets, entry)
		if (n->network && n->network->index == network)
			return n;
	return NULL;
}

/* Inhibited links may be what a lost destination needs (Q.704 s.10.3.2). */
static void lost(const struct ss7_net *n, uint32_t pc)
{
	const struct dest *d = dest_match(sg_router(n->ss7->sg), n->network->index, pc);

	for (uint32_t i = 0; d && i < d->n_routes; i++) {
		struct ss7_linkset *ls = ss7_linkset_of(d->routes[i].spec.egress);

		if (ls)
			mtp3_dest_lost(ls->l3);
	}
}

static void tell_statuses(const struct ss7_net *n, const struct route_news *news)
{
	for (int st = DEST_AVAILABLE; st <= DEST_UNAVAILABLE; st++)
		for (uint32_t i = 0; i < news->by_status[st].n; i++) {
			uint32_t pc = m3ua_apc_pc(news->by_status[st].v[i]);

			if (st == DEST_UNAVAILABLE)
				lost(n, pc);
			mtp3_dest_changed(n->l3, pc, m3ua_apc_mask(news->by_status[st].v[i]));
		}
}

/* Of congestion those are told whose messages meet it (ss7_traffic.c). */
static void changed(void *user, const struct route_news *news)
{
	const struct ss7_net *n = ss7_net_at(user, news->network);

	if (n)
		tell_statuses(n, news);
}

/* The neighbour that carries the traffic now must not send its own by us: TFP; the one before may again: TFA
 * (Q.704 s.13.2.2 i, 13.3.2). So two that are each other's alternative never send in circles. */
static void moved(void *user, const struct dest *d)
{
	const struct ss7_net *n = ss7_net_at(user, d->network);

	if (n)
		mtp3_dest_changed(n->l3, d->pc, d->mask);
}

const struct route_listener ss7_listener = {.changed = changed, .moved = moved, .moves = ss7_moves};

/* ---- to ASPs ---- */

bool ss7_to_ass(const struct ss7_net *n, const uint8_t *msu, uint32_t len)
{
	struct mtp3_label label;
	struct snm m;

	if (!n->network || snm_read(msu, len, n->conf.variant, &label, &m) != MTP3_OK)
		return true; /* it has arrived: the point code is served here */
	if (m.id == SNM_TFC)
		mtp3_controlled(n->l3, label.dpc, &m);
	else if (m.id == SNM_UPU)
		ssnm_tell_user(n->ss7->sg, n->network, label.dpc, m.dest, m.user, m.cause);
	return true;
}

/* ---- from ASPs and SGs ---- */

void ss7_controlled(void *arg, const struct sg_network *network, uint32_t local, uint32_t pc, uint8_t level)
{
	const struct ss7_net *n = ss7_net_at(arg, network->index);
	const struct route *r = n ? ss7_best_route(n, local, NULL) : NULL;

	if (r && ss7_linkset_of(r->spec.egress))
		mtp3_dest_congested(n->l3, local, pc, level, 0);
}

void ss7_user_unavailable(
	void *arg, const struct sg_network *network, uint32_t pc, uint8_t user, uint8_t cause)
{
	const struct ss7_net *n = ss7_net_at(arg, network->index);
	const struct ss7_linkset *ls;

	if (!n)
		return;
	llist_for_each_entry (ls, &n->ss7->linksets, entry)
		if (ls->net == n && ls->now.state == MTP3_LS_UP)
			mtp3_user_missing(n->l3, ls->conf->adjacent, pc, user, cause);
}
