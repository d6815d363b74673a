/* SPDX-License-Identifier: GPL-2.0-or-later */
/* show route, show destination: the ways there are, by routing keys and configured routes, and what they make
 * reachable. */
#include <stdio.h>
#include <string.h>

#include "console/show.h"
#include "m3ua/sg.h"
#include "route/route.h"

/* What the rows of one network need. */
struct net_walk {
	struct show *s;
	const struct sg_network *net;
};

static void walk_si(struct show *s, uint8_t si)
{
	const char *name = si == FWD_ANY_SI ? "any" : si_name(si);
	char text[8];

	snprintf(text, sizeof(text), "%u", si);
	walk_str(s->w, "si", strcmp(name, "?") ? name : text);
}

static const char *egress_state(const struct route_egress *e)
{
	switch (route_egress_state(e)) {
	case FWD_AS_ACTIVE: return "up";
	case FWD_AS_PENDING: return "pending";
	default: return "down";
	}
}

/* Why it carries traffic, or does not. */
static const char *route_reason(const struct route *route)
{
	switch (route_egress_state(route->spec.egress)) {
	case FWD_AS_UNSERVED: return "its egress is down";
	case FWD_AS_PENDING: return "its egress lets messages wait";
	case FWD_AS_ACTIVE: break;
	}
	if (route->status == DEST_UNAVAILABLE)
		return "the node there says: unavailable";
	if (!route->in_use)
		return "another one is better";
	return route->status == DEST_RESTRICTED ? "the node there says: restricted" : "available";
}

static void walk_one_route(const struct net_walk *nw, const struct dest *d, const struct route *route)
{
	struct show *s = nw->s;
	struct sls_set slss;

	walk_object(s->w, NULL);
	walk_str(s->w, "network", nw->net->conf->name);
	show_destination_pc(s, "destination", nw->net, d->pc, d->mask);
	walk_si(s, route->spec.si);
	if (route->spec.opc == FWD_ANY_OPC)
		walk_str(s->w, "opc", "any");
	else
		show_pc(s, "opc", nw->net, route->spec.opc);
	walk_str(s->w, "via", route_egress_name(route->spec.egress));
	walk_str(s->w, "state", egress_state(route->spec.egress));
	walk_u64(s->w, "priority", route->spec.priority);
	walk_str(s->w, "status", dest_status_name(route_status(route)));
	walk_bool(s->w, "in-use", route->in_use && route_egress_state(route->spec.egress) != FWD_AS_UNSERVED);
	route_slss(sg_router(s->sg), route, &slss);
	show_slss(s, "sls", &slss);
	walk_u64(s->w, "congestion", route->congestion);
	if (route->said_ms)
		show_since(s, "told", route->said_ms);
	else
		walk_null(s->w, "told");
	walk_str(s->w, "reason", route_reason(route));
	walk_object_end(s->w);
}

static bool walk_routes_to(const struct dest *d, void *arg)
{
	for (uint32_t i = 0; i < d->n_routes; i++)
		if (!d->routes[i].inherited && d->routes[i].spec.egress)
			walk_one_route(arg, d, &d->routes[i]);
	return true;
}

/* Of one network, or (NULL) of all. */
static void walk_routes(struct show *s, const struct sg_network *only)
{
	struct sg_network *net;

	walk_table(s->w, "routes");
	llist_for_each_entry (net, sg_networks(s->sg), entry) {
		struct net_walk nw = {.s = s, .net = net};

		if (!only || only == net)
			dest_foreach(sg_router(s->sg), net->index, walk_routes_to, &nw);
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

/* Through what traffic goes now. */
static void walk_via(struct show *s, const struct dest *d)
{
	const struct route_egress *last = NULL;

	walk_list(s->w, "via");
	for (uint32_t i = 0; i < d->n_routes; i++) {
		const struct route_egress *e = d->routes[i].spec.egress;

		if (!d->routes[i].in_use || !e || e == last || route_egress_state(e) == FWD_AS_UNSERVED)
			continue;
		walk_item(s->w, route_egress_name(e));
		last = e;
	}
	walk_list_end(s->w);
}

/* What became of its first choice, if that is not what carries its traffic. */
static const char *dest_reason(const struct dest *d)
{
	const struct route *first = NULL;

	for (uint32_t i = 0; i < d->n_routes; i++) {
		const struct route *route = &d->routes[i];

		if (!route->spec.egress || route->inherited)
			continue;
		if (!first || route->spec.priority < first->spec.priority)
			first = route;
	}
	return first ? route_reason(first) : "no route leads there any more";
}

static bool walk_dest(const struct dest *d, void *arg)
{
	const struct net_walk *nw = arg;
	struct show *s = nw->s;

	walk_object(s->w, NULL);
	walk_str(s->w, "network", nw->net->conf->name);
	show_destination_pc(s, "point-code", nw->net, d->pc, d->mask);
	walk_str(s->w, "status", dest_status_name(d->status));
	walk_u64(s->w, "congestion", d->congestion);
	show_since(s, "since", d->since_ms);
	walk_u64(s->w, "transitions", d->transitions);
	walk_u64(s->w, "egresses", d->n_egresses);
	walk_bool(s->w, "held", d->held);
	walk_via(s, d);
	walk_str(s->w, "reason", dest_reason(d));
	walk_object_end(s->w);
	return true;
}

static void walk_dests(struct show *s, const struct sg_network *net)
{
	struct net_walk nw = {.s = s, .net = net};
	dest_foreach(sg_router(s->sg), net->index, walk_dest, &nw);
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
	{"route", "Routes, of routing keys (priority 0) and as configured\n", show_route},
	{"route NETWORK", "Routes, of routing keys (priority 0) and as configured\nOf this network\n",
		show_route_of},
	{"destination", "Point codes that routes lead to, and their status\n", show_destination},
	{"destination NETWORK", "Point codes that routes lead to, and their status\nOf this network\n",
		show_destination_of},
	{0},
};
