/* SPDX-License-Identifier: GPL-2.0-or-later */
/* show route, show destination: the routing keys as configured, and what they make reachable. */
#include <stdio.h>
#include <string.h>

#include "console/show.h"
#include "m3ua/as.h"
#include "m3ua/sg.h"
#include "route/dest.h"

static void walk_si(struct show *s, const struct key_conf *k)
{
	walk_list(s->w, "si");
	for (unsigned i = 0; i < k->n_si; i++) {
		const char *name = si_name(k->si[i]);
		char text[8];
		snprintf(text, sizeof(text), "%u", k->si[i]);
		walk_item(s->w, strcmp(name, "?") ? name : text);
	}
	if (!k->n_si)
		walk_item(s->w, "any");
	walk_list_end(s->w);
}

static void walk_key(struct show *s, const struct as *as, const struct key_conf *k)
{
	walk_object(s->w, NULL);
	walk_str(s->w, "network", as->conf->network);
	show_pc(s, "dpc", as->network, k->dpc);
	walk_si(s, k);
	walk_list(s->w, "opc");
	for (unsigned i = 0; i < k->n_opc; i++)
		show_pc_item(s, as->network, k->opc[i]);
	if (!k->n_opc)
		walk_item(s->w, "any");
	walk_list_end(s->w);
	walk_str(s->w, "as", as->conf->name);
	walk_str(s->w, "state", as_state_name(as->state));
	walk_object_end(s->w);
}

/* Of one network, or (NULL) of all. */
static void walk_routes(struct show *s, const struct sg_network *only)
{
	struct as *as;

	walk_table(s->w, "routes");
	llist_for_each_entry (as, sg_ass(s->sg), entry) {
		if (only && as->network != only)
			continue;
		for (unsigned i = 0; i < as->conf->n_keys; i++)
			walk_key(s, as, &as->conf->keys[i]);
	}
	walk_table_end(s->w);
}

static void show_route(struct show *s)
{
	walk_routes(s, NULL);
}

static void show_route_of(struct show *s)
{
	const struct sg_network *net = show_arg_network(s, 0);
	if (net)
		walk_routes(s, net);
}

struct dest_walk {
	struct show *s;
	const struct sg_network *net;
};

static bool walk_dest(const struct dest *d, void *arg)
{
	const struct dest_walk *dw = arg;
	struct show *s = dw->s;

	walk_object(s->w, NULL);
	walk_str(s->w, "network", dw->net->conf->name);
	show_pc(s, "point-code", dw->net, d->pc);
	walk_str(s->w, "status", dest_status_name(d->status));
	walk_u64(s->w, "congestion", d->congestion);
	show_since(s, "since", d->since_ms);
	walk_u64(s->w, "application-servers", d->n_egresses);
	walk_object_end(s->w);
	return true;
}

static void walk_dests(struct show *s, const struct sg_network *net)
{
	struct dest_walk dw = {.s = s, .net = net};
	dest_foreach(sg_router(s->sg), net->index, walk_dest, &dw);
}

static void show_destination(struct show *s)
{
	struct sg_network *net;

	walk_table(s->w, "destinations");
	llist_for_each_entry (net, sg_networks(s->sg), entry)
		walk_dests(s, net);
	walk_table_end(s->w);
}

static void show_destination_of(struct show *s)
{
	const struct sg_network *net = show_arg_network(s, 0);
	if (!net)
		return;
	walk_table(s->w, "destinations");
	walk_dests(s, net);
	walk_table_end(s->w);
}

const struct show_row show_route_rows[] = {
	{"route", "Routing keys\n", show_route},
	{"route NETWORK", "Routing keys\nOf this network\n", show_route_of},
	{"destination", "Point codes that routing keys name, and their status\n", show_destination},
	{"destination NETWORK", "Point codes that routing keys name, and their status\nOf this network\n",
		show_destination_of},
	{0},
};
