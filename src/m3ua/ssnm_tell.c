/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "m3ua/ssnm_tell.h"

#include "base/hash.h"
#include "m3ua/once.h"
#include "m3ua/role.h"
#include "m3ua/sg_int.h"
#include "m3ua/sg_table.h"
#include "m3ua/ssnm.h"
#include "wire/mtp3.h"

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

/* ---- what SS7 nodes say ---- */

enum { ATTACK_MS = 60, BURST = 4 };

/* Where there are no levels every TFC says the same, and every eighth message may cause one (Q.704
 * s.11.2.3.1). Users heed one, and then none until their attack timer is over (Q.714 s.5.2.4: 60 ms at least;
 * ISUP's is longer): of a storm no more is passed on than that, but for a few at once. */
static bool is_heeded(struct asp *asp, const struct sg_network *network, uint32_t local, uint32_t pc)
{
	for (uint32_t place = 1; network->single_level && place <= BURST; place++)
		if (once_allows(asp, M3UA_SCON | place << 24, network->index, hash_u32x2(local, pc),
			    BURST * ATTACK_MS))
			return true;
	return !network->single_level;
}

/* s.3.4.4: what triggered it came from LOCAL. The status is the SG's, whichever of its SGPs is told. */
static void tell_sg(const struct as *as, uint32_t local, uint32_t pc, uint8_t level)
{
	const struct as_asp *m;
	uint32_t rc;

	llist_for_each_entry (m, &as->asps, in_as) {
		struct ssnm_to to = {.asp = m->asp, .network = as->network, .rcs = &rc};

		if (m->state != ASP_ACTIVE || role_of(m->asp)->serves)
			continue;
		to.n_rcs = role_own_rc(m, &rc);
		if (is_heeded(m->asp, as->network, local, pc))
			ssnm_scon_of(&to, level, pc, local);
		return;
	}
}

static bool is_of_an_as(const struct dest *d)
{
	for (uint32_t i = 0; d && i < d->n_routes; i++)
		if (as_of(d->routes[i].spec.egress))
			return true;
	return false;
}

/* Is ASP told of what was said to D, or to the gateway itself? */
static bool told(struct asp *asp, const struct sg_network *network, const struct dest *d, uint8_t si,
	struct ssnm_to *to)
{
	return is_of_an_as(d) ? ssnm_concerned_at(asp, network, d, si, to)
			      : ssnm_concerned(asp, network, NULL, to);
}

void ssnm_tell_congestion(
	struct sg *sg, const struct sg_network *network, uint32_t local, uint32_t pc, uint8_t level)
{
	const struct dest *d = dest_match(sg->router, network->index, local);
	const struct as *as;
	struct ssnm_to to;
	struct asp *asp;

	llist_for_each_entry (asp, &sg->asps, entry) {
		if (told(asp, network, d, FWD_ANY_SI, &to) && is_heeded(asp, network, local, pc))
			ssnm_scon_to(&to, level, &pc, 1);
		ssnm_done(&to);
	}
	llist_for_each_entry (as, &sg->ass, entry)
		if (d && dest_is_served_by(d, as->egress))
			tell_sg(as, local, pc, level);
}

void ssnm_tell_user(struct sg *sg, const struct sg_network *network, uint32_t local, uint32_t pc,
	uint8_t user, uint8_t cause)
{
	const struct dest *d = dest_match(sg->router, network->index, local);
	struct ssnm_to to;
	struct asp *asp;

	llist_for_each_entry (asp, &sg->asps, entry) {
		if (told(asp, network, d, user, &to) &&
			once_allows(asp, (uint32_t)M3UA_DUPU | (uint32_t)user << 24, network->index, pc,
				network->conf->t8_ms))
			ssnm_dupu_to(&to, pc, cause, user);
		ssnm_done(&to);
	}
}

/* ---- what traffic meets ---- */

/* The SGP may be of several ASs here: whichever, the message is about its network. */
static void tell_sgp(
	struct asp *asp, const struct sg_network *network, const struct mtp3_label *l, uint8_t level)
{
	const struct as_asp *m;
	uint32_t rc;

	llist_for_each_entry (m, &asp->ass, in_asp) {
		struct ssnm_to to = {.asp = asp, .network = network, .rcs = &rc};

		if (m->as->network != network || m->state != ASP_ACTIVE)
			continue;
		to.n_rcs = role_own_rc(m, &rc);
		ssnm_scon_of(&to, level, l->dpc, l->opc);
		return;
	}
}

void ssnm_tell_sender(struct asp *asp, const struct sg_network *network, const struct mtp3_label *l)
{
	const struct dest *d = dest_match(asp->sg->router, network->index, l->dpc);
	bool serves = role_of(asp)->serves;
	struct ssnm_to to;

	if (!d || !d->congestion || d->status == DEST_UNAVAILABLE ||
		!once_allows(asp, M3UA_SCON, network->index, serves ? l->dpc : hash_u32x2(l->opc, l->dpc),
			network->conf->t8_ms))
		return;
	if (!serves) {
		tell_sgp(asp, network, l, d->congestion);
	} else if (ssnm_concerned(asp, network, NULL, &to)) {
		ssnm_scon_to(&to, d->congestion, &l->dpc, 1);
		ssnm_done(&to);
	}
}

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
