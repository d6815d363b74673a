/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "m3ua/ssnm_tell.h"

#include "m3ua/sg_int.h"
#include "m3ua/sg_table.h"
#include "m3ua/ssnm.h"

static const struct as *as_of(const struct route_egress *e)
{
	return e && route_egress_ops(e) == &as_egress_ops ? route_egress_owner(e) : NULL;
}

/* s.4.5.1: all ASPs that are active in the network, but for the part of the AS whose change it is. */
static void changed(void *user, const struct route_news *news)
{
	struct sg *sg = user;
	const struct sg_network *network = sg->by_index[news->network];
	struct asp *asp;

	if (!network)
		return;
	llist_for_each_entry (asp, &sg->asps, entry) {
		struct ssnm_to to;

		if (!ssnm_concerned(asp, network, as_of(news->from), &to))
			continue;
		for (unsigned level = 1; level < 4; level++)
			ssnm_scon_to(&to, level, news->congested[level].v, news->congested[level].n);
		ssnm_scon_to(&to, 0, news->congested[0].v, news->congested[0].n);
		for (unsigned i = 0; i < 3; i++) {
			static const enum dest_status order[] = {
				DEST_UNAVAILABLE, DEST_RESTRICTED, DEST_AVAILABLE};
			static const uint16_t types[] = {M3UA_DUNA, M3UA_DRST, M3UA_DAVA};

			ssnm_status_to(
				&to, types[i], news->by_status[order[i]].v, news->by_status[order[i]].n);
		}
		ssnm_done(&to);
	}
}

const struct route_listener ssnm_listener = {.changed = changed};

bool ssnm_is_served_by(const struct asp *asp, const struct sg_network *network, uint32_t pc)
{
	const struct dest *d = dest_find(asp->sg->router, network->index, pc);
	const struct as_asp *m;

	if (!d)
		return false;
	llist_for_each_entry (m, &asp->ass, in_asp)
		if (m->state == ASP_ACTIVE && dest_is_served_by(d, m->as->egress))
			return true;
	return false;
}
