/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Links and linksets: what they name is there, and no two are the same. */
#include <string.h>

#include "conf/check.h"
#include "sctp/addr.h"

static const char *shown(const char *name)
{
	return name ? name : "?";
}

/* ---- links ---- */

static unsigned uses_of(const struct ss7_conf *ss7, const char *link)
{
	unsigned n = 0;

	for (unsigned i = 0; i < ss7->n_linksets; i++)
		for (unsigned k = 0; k < ss7->linksets[i].n_links; k++)
			n += !strcmp(ss7->linksets[i].links[k], link);
	return n;
}

static bool share_remote(const struct tp_params *a, const struct tp_params *b)
{
	for (unsigned i = 0; i < a->n_remote; i++)
		for (unsigned k = 0; k < b->n_remote; k++)
			if (tp_addr_same(&a->remote[i], &b->remote[k]))
				return true;
	return false;
}

/* A listener's peer is one thing only. */
static void check_identity(struct check *c, const struct ss7_link_conf *l)
{
	const struct tp_params *tp = &l->l2.tp;

	for (const struct ss7_link_conf *o = c->ss7->links; o < l; o++)
		if (o->l2.side == M2PA_LINK_SERVER && o->l2.tp.remote_port == tp->remote_port &&
			share_remote(&o->l2.tp, tp))
			object_error(c->r, l, "remote-addresses",
				"link \"%s\" cannot be told apart from \"%s\" (line %u): same address and "
				"port",
				shown(l->l2.name), shown(o->l2.name), reader_file_line(c->r, o, NULL));
	for (unsigned i = 0; i < c->sg->n_asps; i++) {
		const struct asp_conf *asp = &c->sg->asps[i];

		if (asp->side == ASP_SERVER && asp->tp.remote_port == tp->remote_port &&
			(!asp->listener || !l->l2.listener || !strcmp(asp->listener, l->l2.listener)) &&
			share_remote(&asp->tp, tp))
			object_error(c->r, l, "remote-addresses",
				"link \"%s\" cannot be told apart from ASP \"%s\" (line %u): same address "
				"and "
				"port",
				shown(l->l2.name), shown(asp->name), reader_file_line(c->r, asp, NULL));
	}
}

static void check_link(struct check *c, const struct ss7_link_conf *l)
{
	if (l->l2.listener)
		(void)check_reference(c, &c->listeners, l->l2.listener, l, "listener");
	if (l->l2.side == M2PA_LINK_SERVER && !c->sg->n_listeners)
		object_warn(c->r, l, NULL,
			"there is no listener that the neighbour of link \"%s\" could come to",
			shown(l->l2.name));
	if (l->l2.side == M2PA_LINK_SERVER)
		check_identity(c, l);
	if (l->l2.reconnect_min_ms > l->l2.reconnect_max_ms)
		object_error(c->r, l, "reconnect-max",
			"reconnect-max (%u) must not be below reconnect-min (%u)", l->l2.reconnect_max_ms,
			l->l2.reconnect_min_ms);
	if (l->l2.name && !uses_of(c->ss7, l->l2.name))
		object_warn(c->r, l, NULL, "no linkset names link \"%s\": it is not set up", l->l2.name);
	if (l->l2.name && uses_of(c->ss7, l->l2.name) > 1)
		object_error(c->r, l, NULL, "link \"%s\" is named more than once", l->l2.name);
}

/* ---- linksets ---- */

static void check_codes(struct check *c, const struct ss7_linkset_conf *ls)
{
	uint32_t seen = 0;

	for (unsigned i = 0; i < ls->n_links; i++) {
		const struct ss7_link_conf *l = check_reference(c, &c->links, ls->links[i], ls, "links");

		if (l && (seen & 1u << l->slc))
			object_error(c->r, l, "slc", "slc %u is that of another link of linkset \"%s\"",
				l->slc, shown(ls->name));
		if (l)
			seen |= 1u << l->slc;
	}
}

static bool is_own(const struct network_conf *n, uint32_t pc)
{
	for (unsigned i = 0; i < n->n_pcs; i++)
		if (n->pcs[i] == pc)
			return true;
	return false;
}

static void check_point_codes(struct check *c, const struct ss7_linkset_conf *ls)
{
	const struct network_conf *n = check_reference(c, &c->networks, ls->network, ls, "network");

	if (!n)
		return;
	if (!n->n_pcs)
		object_error(c->r, ls, "network",
			"network \"%s\" has no point-codes: the gateway needs one towards a neighbour",
			ls->network);
	else if (ls->has_local && !is_own(n, ls->local))
		object_error(c->r, ls, "local", "this is no point code of the gateway in network \"%s\"",
			ls->network);
	if (is_own(n, ls->adjacent))
		object_error(c->r, ls, "adjacent", "the neighbour has the gateway's own point code");
	for (const struct ss7_linkset_conf *o = c->ss7->linksets; o < ls; o++)
		if (o->network && !strcmp(o->network, ls->network) && o->adjacent == ls->adjacent)
			object_error(c->r, ls, "adjacent", "linkset \"%s\" (line %u) leads to this neighbour",
				shown(o->name), reader_file_line(c->r, o, NULL));
}

static void check_sls(struct check *c, const struct ss7_linkset_conf *ls)
{
	const struct network_conf *n = name_index_find(&c->networks, ls->network);

	if (!n)
		return;
	if (ls->has_sls_bits && ls->sls_bits > n->sls.bits)
		object_error(c->r, ls, "sls-bits", "an SLS has only %u bits in network \"%s\"", n->sls.bits,
			ls->network);
	if (!ls->has_rotation || !ls->rotation)
		return;
	if (n->variant != PC_ANSI)
		object_error(c->r, ls, "sls-rotation", "the SLS is rotated in ANSI networks only");
	else if ((ls->rotation != 5 && ls->rotation != 8) || ls->rotation > n->sls.bits)
		object_error(c->r, ls, "sls-rotation",
			"5 or 8 bits can be rotated, and an SLS has %u in network \"%s\"", n->sls.bits,
			ls->network);
}

static void check_linkset(struct check *c, const struct ss7_linkset_conf *ls)
{
	const void *as = ls->name ? name_index_find(&c->ass, ls->name) : NULL;

	if (as)
		object_error(c->r, ls, "name", "an application server has this name: see line %u",
			reader_file_line(c->r, as, "name"));
	if (ls->network)
		check_point_codes(c, ls);
	if (ls->network)
		check_sls(c, ls);
	check_codes(c, ls);
}

/* ---- level 3 ---- */

static void check_timers(struct check *c)
{
	for (unsigned t = 0; t < MTP3_TIMERS; t++) {
		const struct mtp3_timer_rule *r = &mtp3_timer_rules[t];
		uint32_t ms = c->ss7->mtp3.timer_ms[t];

		if (ms && (ms < r->least_ms || ms > r->most_ms))
			object_warn(c->r, c->r->conf, r->key,
				"%s (%u ms) is out of the standard's range: %u to %u ms (Q.704 s.16.8)",
				r->key, ms, r->least_ms, r->most_ms);
	}
}

void check_ss7(struct check *c)
{
	check_timers(c);
	for (unsigned i = 0; i < c->ss7->n_links; i++)
		check_link(c, &c->ss7->links[i]);
	for (unsigned i = 0; i < c->ss7->n_linksets; i++)
		check_linkset(c, &c->ss7->linksets[i]);
}
