/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Routes. */
#include "conf/schema_row.h"

static const struct row route_rows[] = {
	{.key = "network",
		.type = &value_reference,
		AT(route_conf, network),
		.mandatory = true,
		.help = "Its network."},
	{.key = "destination",
		.type = &value_destination,
		AT(route_conf, dest),
		.mandatory = true,
		.help = "A point code; one with a mask, `2-2-0/3`, for all that differ in the lowest 3 bits "
			"only; or `default`. An exact one is preferred to masked ones, of these the one with "
			"the fewest bits masked."},
	{.key = "via",
		.type = &value_reference,
		AT(route_conf, via),
		.mandatory = true,
		.help = "The Application Server or linkset that messages go to."},
	{.key = "priority",
		.type = &value_number,
		AT(route_conf, priority),
		RANGE(1, 255),
		.dflt = 1,
		.help = "The available route with the lowest value carries the traffic. Routing keys have 0. "
			"Routes of the same value are a combined linkset: they share the load by SLS, see "
			"the network's `linkset-bit`."},
};

static void route_enter(struct scope *scope, const void *obj)
{
	scope->network_name = &((const struct route_conf *)obj)->network;
}

const struct section route_section = {SECTION("route", route_rows), .size = sizeof(struct route_conf),
	.enter = route_enter,
	.text = "Ways to destinations besides what the routing keys of Application Servers say: alternatives "
		"for when those cannot be reached, and ways to whole ranges of point codes."};
