/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From one configuration to the next: networks, linksets and links as the rows say. */
#include <string.h>
#include <talloc.h>

#include "m2pa/link.h"
#include "ss7/ss7_int.h"

/* ---- networks ---- */

static struct ss7_net *net_by_name(struct ss7 *s, const char *name)
{
	struct ss7_net *n;

	llist_for_each_entry (n, &s->nets, entry)
		if (!strcmp(n->name, name))
			return n;
	return NULL;
}

static const struct network_conf *network_row(const struct sg_conf *sg, const char *name)
{
	for (unsigned i = 0; i < sg->n_networks; i++)
		if (!strcmp(sg->networks[i].name, name))
			return &sg->networks[i];
	return NULL;
}

/* T1.111.4 knows no other. */
static uint8_t congestion_of(const struct ss7_mtp3_conf *m, enum pc_variant v)
{
	return v == PC_ANSI ? MTP3_CONG_PRIORITIES : (uint8_t)m->congestion;
}

static void net_configure(struct ss7_net *n, const struct network_conf *c)
{
	const struct ss7_mtp3_conf *m = &n->ss7->conf->mtp3;

	n->sls = c->sls;
	n->conf = (struct mtp3_net_conf){.name = n->name,
		.variant = (enum pc_variant)c->variant,
		.ni = c->ni,
		.pcs = c->pcs,
		.n_pcs = c->n_pcs,
		.transfer = m->transfer,
		.restricted = m->restricted,
		.restart = m->restart,
		.congestion = congestion_of(m, (enum pc_variant)c->variant)};
	memcpy(n->conf.timer_ms, m->timer_ms, sizeof(n->conf.timer_ms));
}

static struct ss7_net *net_make(struct ss7 *s, const struct network_conf *c)
{
	struct ss7_net *n = talloc_zero(s, struct ss7_net);

	if (!n)
		return NULL;
	n->ss7 = s;
	n->name = talloc_strdup(n, c->name);
	net_configure(n, c);
	n->l3 = mtp3_net_new(s->l3, &n->conf, n);
	if (!n->l3) {
		talloc_free(n);
		return NULL;
	}
	llist_add_tail(&n->entry, &s->nets);
	return n;
}

/* ---- linksets ---- */

/* T1.111.4 s.7. The mate is to choose by the bit by which we would have chosen. */
static uint8_t rotation(const struct ss7_net *n, const struct ss7_linkset_conf *c)
{
	if (c->has_rotation)
		return c->rotation;
	return n->conf.variant == PC_ANSI && !c->c_link ? n->sls.bits : 0;
}

static void linkset_configure(struct ss7_linkset *ls, const struct ss7_linkset_conf *c)
{
	struct sls_rule sls = ls->net->sls;

	if (c->has_sls_bits)
		sls.bits = c->sls_bits;
	ls->conf = c;
	ls->rotate = rotation(ls->net, c);
	route_egress_set_reserve(ls->egress, c->c_link);
	ls->l3conf = (struct mtp3_linkset_conf){.name = ls->name,
		.adjacent = c->adjacent,
		.local = c->has_local ? c->local : ls->net->conf.pcs[0],
		.sls = sls,
		.test = c->test,
		.restart = c->restart,
		.timed_changeback = c->timed_changeback};
	route_egress_hold(ls->egress)->limit = c->pending_limit;
	ls->dirty = true; /* its slots say what may pass */
}

static struct ss7_linkset *linkset_make(struct ss7 *s, struct ss7_net *n, const struct ss7_linkset_conf *c)
{
	struct ss7_linkset *ls = talloc_zero(s, struct ss7_linkset);

	if (!ls)
		return NULL;
	ls->ss7 = s;
	ls->net = n;
	ls->name = talloc_strdup(ls, c->name);
	ls->status = DEST_UNAVAILABLE;
	ls->egress = route_egress_new(sg_router(s->sg), c->name, &ss7_egress_ops, ls, true);
	if (!ls->egress) {
		talloc_free(ls);
		return NULL;
	}
	linkset_configure(ls, c);
	ls->l3 = mtp3_linkset_new(n->l3, &ls->l3conf, ls);
	if (!ls->l3) {
		route_egress_free(ls->egress);
		talloc_free(ls);
		return NULL;
	}
	llist_add_tail(&ls->entry, &s->linksets);
	return ls;
}

static void linkset_free(struct ss7_linkset *ls)
{
	struct ss7_link *l, *next;

	llist_for_each_entry_safe (l, next, &ls->ss7->links, entry)
		if (l->linkset == ls)
			ss7_link_free(l);
	mtp3_linkset_free(ls->l3);
	llist_del(&ls->entry);
	route_egress_free(ls->egress);
	talloc_free(ls);
}

/* ---- from one configuration to the next ---- */

static bool goes(const struct sg_change *changes, unsigned n, enum sg_object object, const char *name)
{
	for (unsigned i = 0; i < n; i++)
		if (changes[i].object == object &&
			(changes[i].op == SG_REMOVE || changes[i].op == SG_REPLACE) &&
			!strcmp(changes[i].name, name))
			return true;
	return false;
}

/* Does its linkset name it still? */
static bool is_named(const struct ss7_conf *conf, const struct ss7_link *l)
{
	for (unsigned i = 0; i < conf->n_linksets; i++)
		for (unsigned k = 0; k < conf->linksets[i].n_links; k++)
			if (!strcmp(conf->linksets[i].name, l->linkset->name) &&
				!strcmp(conf->linksets[i].links[k], l->name))
				return true;
	return false;
}

static void take_away(struct ss7 *s, const struct ss7_conf *conf, const struct sg_change *changes, unsigned n)
{
	struct ss7_linkset *ls, *next_ls;
	struct ss7_link *l, *next_l;
	struct ss7_net *net, *next_net;

	llist_for_each_entry_safe (l, next_l, &s->links, entry)
		if (goes(changes, n, SG_LINK, l->name) || !is_named(conf, l))
			ss7_link_free(l);
	llist_for_each_entry_safe (ls, next_ls, &s->linksets, entry)
		if (goes(changes, n, SG_LINKSET, ls->name) || goes(changes, n, SG_NETWORK, ls->net->name))
			linkset_free(ls);
	llist_for_each_entry_safe (net, next_net, &s->nets, entry)
		if (goes(changes, n, SG_NETWORK, net->name)) {
			mtp3_net_free(net->l3);
			llist_del(&net->entry);
			talloc_free(net);
		}
}

static void follow_linkset(struct ss7 *s, const struct ss7_linkset_conf *c, const struct sg_conf *sg_conf)
{
	struct ss7_linkset *ls = ss7_linkset_by_name(s, c->name);
	const struct network_conf *row = network_row(sg_conf, c->network);
	struct ss7_net *n = net_by_name(s, c->network);

	if (!n && row)
		n = net_make(s, row);
	if (!n)
		return;
	if (ls) {
		linkset_configure(ls, c);
		mtp3_linkset_reconfigure(ls->l3, &ls->l3conf);
	} else {
		linkset_make(s, n, c);
	}
}

void ss7_prepare(struct ss7 *s, const struct ss7_conf *conf, const struct sg_conf *sg_conf,
	const struct sg_change *changes, unsigned n_changes)
{
	const struct network_conf *row;
	struct ss7_net *n;

	if (s->leave.on)
		return;
	take_away(s, conf, changes, n_changes);
	s->conf = conf;
	llist_for_each_entry (n, &s->nets, entry) {
		row = network_row(sg_conf, n->name);
		if (row) {
			net_configure(n, row);
			mtp3_net_reconfigure(n->l3, &n->conf);
		}
	}
	for (unsigned i = 0; i < conf->n_linksets; i++)
		follow_linkset(s, &conf->linksets[i], sg_conf);
}

static void set_routes(struct ss7 *s)
{
	struct route_spec *rows = talloc_array(s, struct route_spec, (unsigned)llist_count(&s->linksets) + 1);
	struct ss7_linkset *ls;
	unsigned n = 0;

	if (!rows)
		return;
	llist_for_each_entry (ls, &s->linksets, entry)
		if (ls->net->network)
			rows[n++] = (struct route_spec){.network = ls->net->network->index,
				.pc = ls->conf->adjacent,
				.si = FWD_ANY_SI,
				.opc = FWD_ANY_OPC,
				.egress = ls->egress};
	router_set_routes(sg_router(s->sg), ROUTES_OF_LINKSETS, rows, n);
	router_rebuild(sg_router(s->sg));
	talloc_free(rows);
}

static const struct ss7_link_conf *link_row(const struct ss7_conf *conf, const char *name)
{
	for (unsigned i = 0; i < conf->n_links; i++)
		if (!strcmp(conf->links[i].l2.name, name))
			return &conf->links[i];
	return NULL;
}

static void follow_link(struct ss7 *s, struct ss7_linkset *ls, const char *name)
{
	const struct ss7_link_conf *c = link_row(s->conf, name);
	struct ss7_link *l = ss7_link_by_name(s, name);

	if (!c)
		return;
	if (l) {
		l->conf = c;
		l->l3conf.emergency = c->emergency;
		m2pa_link_reconfigure(l->l2, &c->l2);
		mtp3_link_reconfigure(l->l3, &l->l3conf);
		return;
	}
	l = ss7_link_new(ls, c);
	if (l && !c->inactive)
		mtp3_link_activate(l->l3);
}

/* How MTP tells congestion, M3UA and the workers are to know. */
static void follow_networks(struct ss7 *s)
{
	struct sg_network *network;
	struct ss7_net *n;

	llist_for_each_entry (network, sg_networks(s->sg), entry)
		network->single_level = false;
	llist_for_each_entry (n, &s->nets, entry) {
		n->network = network = sg_network_by_name(s->sg, n->name);
		if (!network)
			continue;
		network->single_level = n->conf.congestion == MTP3_CONG_INTERNATIONAL;
		router_set_priorities(
			sg_router(s->sg), network->index, n->conf.congestion == MTP3_CONG_PRIORITIES);
	}
}

void ss7_apply(struct ss7 *s)
{
	struct ss7_linkset *ls;

	if (s->leave.on)
		return;
	follow_networks(s);
	set_routes(s);
	llist_for_each_entry (ls, &s->linksets, entry)
		for (unsigned i = 0; i < ls->conf->n_links; i++)
			follow_link(s, ls, ls->conf->links[i]);
	s->due = true;
	ss7_settle(s);
}
