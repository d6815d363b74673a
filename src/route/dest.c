/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "route/dest.h"

#include "route/route_int.h"

const char *dest_status_name(enum dest_status s)
{
	static const char *const names[] = {[DEST_UNKNOWN] = "unknown",
		[DEST_AVAILABLE] = "available",
		[DEST_RESTRICTED] = "restricted",
		[DEST_UNAVAILABLE] = "unavailable"};

	return (unsigned)s < sizeof(names) / sizeof(names[0]) ? names[s] : "?";
}

const struct dest *dest_list(const struct router *r, uint16_t network, unsigned *n)
{
	*n = 0;
	if (!r->plan || network >= ROUTE_MAX_NETWORKS)
		return NULL;
	*n = r->plan->n_exact[network];
	return &r->plan->dests[r->plan->first[network]];
}

unsigned dest_lower_bound(const struct dest *list, unsigned n, uint32_t pc)
{
	unsigned lo = 0, hi = n;

	while (lo < hi) {
		unsigned mid = lo + (hi - lo) / 2;

		if (list[mid].pc < pc)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

const struct dest *dest_find(const struct router *r, uint16_t network, uint32_t pc)
{
	return plan_find(r->plan, network, pc, 0);
}

const struct dest *dest_match(const struct router *r, uint16_t network, uint32_t pc)
{
	return plan_cover(r->plan, network, pc, 0);
}

const struct dest *dest_cover(const struct router *r, uint16_t network, uint32_t pc, uint8_t mask)
{
	return plan_cover(r->plan, network, pc, mask);
}

void dest_foreach(
	const struct router *r, uint16_t network, bool (*fn)(const struct dest *d, void *arg), void *arg)
{
	unsigned n;
	const struct dest *list = dest_list(r, network, &n);

	if (list)
		n += r->plan->n_masked[network];
	for (unsigned i = 0; i < n; i++)
		if (!fn(&list[i], arg))
			return;
}

bool dest_is_served_by(const struct dest *d, const struct route_egress *e)
{
	for (uint32_t i = 0; i < d->n_routes; i++)
		if (d->routes[i].spec.egress == e)
			return true;
	return false;
}
