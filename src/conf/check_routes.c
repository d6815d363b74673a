/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Routes: what they name is there, and no two say the same. */
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "conf/check.h"

static int by_text(const char *a, const char *b)
{
	if (!a || !b)
		return (a != NULL) - (b != NULL);
	return strcmp(a, b);
}

static int by_dest(const struct route_conf *a, const struct route_conf *b)
{
	int d = by_text(a->network, b->network);

	if (d)
		return d;
	if (a->dest.mask != b->dest.mask)
		return a->dest.mask < b->dest.mask ? -1 : 1;
	return (a->dest.pc > b->dest.pc) - (a->dest.pc < b->dest.pc);
}

/* Of equal ones, the first in the file first. */
static int by_dest_and_place(const void *va, const void *vb)
{
	const struct route_conf *a = *(const struct route_conf *const *)va;
	const struct route_conf *b = *(const struct route_conf *const *)vb;
	int d = by_dest(a, b);

	return d ? d : (a > b) - (a < b);
}

static bool is_broadcast(const struct check *c, const struct route_conf *route)
{
	const struct as_conf *as = route->via ? name_index_find(&c->ass, route->via) : NULL;

	return as && as->mode == FWD_BROADCAST;
}

/* B comes behind A, and leads to the same destination. */
static bool check_pair(struct check *c, const struct route_conf *a, const struct route_conf *b)
{
	if (!by_text(a->via, b->via)) {
		object_error(c->r, b, NULL, "the route says the same as that in line %u",
			reader_file_line(c->r, a, NULL));
		return false;
	}
	if (a->priority == b->priority && (is_broadcast(c, a) || is_broadcast(c, b))) {
		object_error(c->r, b, NULL,
			"the route has the priority of that in line %u, but an application server in "
			"traffic-mode \"broadcast\" shares its traffic with nobody",
			reader_file_line(c->r, a, NULL));
		return false;
	}
	return true;
}

static void check_pairs(struct check *c)
{
	const struct sg_conf *sg = c->sg;
	const struct route_conf **all = talloc_array(NULL, const struct route_conf *, sg->n_routes + 1);

	for (unsigned i = 0; i < sg->n_routes; i++)
		all[i] = &sg->routes[i];
	qsort(all, sg->n_routes, sizeof(*all), /* NOLINT(bugprone-sizeof-expression): pointers are sorted */
		by_dest_and_place);
	for (unsigned i = 1, first = 0; i < sg->n_routes; i++) {
		if (by_dest(all[first], all[i]))
			first = i;
		for (unsigned k = first; k < i && check_pair(c, all[k], all[i]); k++)
			;
	}
	talloc_free(all);
}

static bool is_own(const struct network_conf *n, const struct route_dest *d)
{
	for (unsigned i = 0; i < n->n_pcs; i++)
		if (!d->mask && n->pcs[i] == d->pc)
			return true;
	return false;
}

static void check_route(struct check *c, const struct route_conf *route)
{
	const struct network_conf *network = NULL;
	const struct ss7_linkset_conf *ls = route->via ? name_index_find(&c->linksets, route->via) : NULL;
	const struct as_conf *as = NULL;

	if (route->network)
		network = check_reference(c, &c->networks, route->network, route, "network");
	if (route->via && !ls)
		as = check_reference(c, &c->ass, route->via, route, "via");
	if (network && is_own(network, &route->dest))
		object_error(c->r, route, "destination", "the destination is the gateway's own point code");
	if (network && as && by_text(as->network, route->network))
		object_error(c->r, route, "via", "application server \"%s\" belongs to network \"%s\"",
			route->via, as->network ? as->network : "?");
	if (network && ls && by_text(ls->network, route->network))
		object_error(c->r, route, "via", "linkset \"%s\" belongs to network \"%s\"", route->via,
			ls->network ? ls->network : "?");
}

void check_routes(struct check *c)
{
	for (unsigned i = 0; i < c->sg->n_routes; i++)
		check_route(c, &c->sg->routes[i]);
	check_pairs(c);
}
