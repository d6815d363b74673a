/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A message is about the ASs that its Routing Contexts name, or all that the peer has in the network; of a
 * message that is not right in all of it, nothing counts. The status belongs to the SG, that is to the AS
 * there, whichever of its SGPs has told it; what it means for a destination that others reach as well, the
 * routes decide (route/), and whoever is concerned is told from there. */
#include "m3ua/ssnm_rx.h"

#include <talloc.h>

#include "base/clock.h"
#include "m3ua/dispatch.h"
#include "m3ua/mgmt.h"
#include "m3ua/once.h"
#include "m3ua/role.h"
#include "m3ua/sg_int.h"
#include "m3ua/ssnm.h"

enum {
	SCON_VALID_MS = 10000, /* s.3.4.4: "a timer to control congestion notification validity" */
	SCON_KEPT = 1024,      /* congested ranges that are remembered at a time */
};

/* ---- which ASs? ---- */

struct scope {
	struct as **ass; /* talloc'd */
	unsigned n;
};

/* In double exchange the peer may mean either direction's. */
static struct as_asp *find(const struct asp *asp, uint32_t rc)
{
	struct as_asp *m = asp_find_own_rc(asp, rc);

	return m ? m : asp_find_rc(asp, rc);
}

static bool in_network(const struct as *as, bool has_na, uint32_t na)
{
	return as->network && (!has_na || (as->network->conf->has_na && as->network->conf->na == na));
}

static void refuse_na(const struct in *in, uint32_t na)
{
	err_answer(in, M3UA_E_INVALID_NA, &(struct err_args){.has_na = true, .na = na});
}

static bool scope_by_rcs(const struct in *in, const struct m3ua_param *rcs, struct scope *s)
{
	uint32_t n = m3ua_list_len(rcs), n_bad = 0, na = 0;
	bool has_na = m3ua_find_u32(&in->msg, M3UA_P_NETWORK_APPEARANCE, &na), fits = true;
	uint32_t *bad = talloc_array(s->ass, uint32_t, n + 1);
	struct as_asp *m;

	llist_for_each_entry (m, &in->asp->ass, in_asp)
		m->marked = false;
	for (uint32_t i = 0; bad && i < n; i++) {
		m = find(in->asp, m3ua_list_u32(rcs, i));
		if (!m)
			bad[n_bad++] = m3ua_list_u32(rcs, i);
		if (!m || m->marked)
			continue;
		m->marked = true;
		fits &= in_network(m->as, has_na, na);
		s->ass[s->n++] = m->as;
	}
	if (n_bad)
		err_answer(in, M3UA_E_INVALID_RC, &(struct err_args){.rcs = bad, .n_rcs = n_bad});
	else if (!fits)
		refuse_na(in, na);
	return bad && !n_bad && fits;
}

/* Without Routing Contexts: the network of the Network Appearance, or the only one that the peer has. */
static bool scope_by_na(const struct in *in, struct scope *s)
{
	uint32_t na = 0;
	bool has_na = m3ua_find_u32(&in->msg, M3UA_P_NETWORK_APPEARANCE, &na), several = false;
	struct as_asp *m;

	llist_for_each_entry (m, &in->asp->ass, in_asp) {
		if (!in_network(m->as, has_na, na))
			continue;
		several |= s->n && s->ass[0]->network != m->as->network;
		s->ass[s->n++] = m->as;
	}
	if (s->n && !several)
		return true;
	if (several) /* neither parameter says which */
		err_answer(in, M3UA_E_MISSING_PARAMETER, NULL);
	else if (in->asp->n_ass)
		refuse_na(in, na);
	else
		err_answer(in, M3UA_E_NO_AS, NULL);
	return false;
}

/* Answered, and false, if IN does not say what it is about. */
static bool scope_of(const struct in *in, struct scope *s)
{
	struct m3ua_param rcs = {0};
	bool ok;

	*s = (struct scope){.ass = talloc_array(in->asp, struct as *, in->asp->n_ass + 1)};
	if (!s->ass)
		return false;
	ok = m3ua_find(&in->msg, M3UA_P_ROUTING_CONTEXT, &rcs) ? scope_by_rcs(in, &rcs, s)
							       : scope_by_na(in, s);
	if (!ok)
		talloc_free(s->ass);
	return ok;
}

/* A mask beyond the width of a point code is the whole network; a point code beyond it is none's. */
static bool range_of(const struct as *as, uint32_t entry, uint32_t *pc, uint8_t *mask)
{
	uint8_t bits = pc_bits((enum pc_variant)as->network->conf->variant);

	*mask = m3ua_apc_mask(entry) < bits ? m3ua_apc_mask(entry) : bits;
	*pc = *mask < bits ? m3ua_apc_pc(entry) >> *mask << *mask : 0;
	return *pc >> bits == 0;
}

/* ---- DUNA, DRST, DAVA ---- */

static enum dest_status status_of(uint16_t type)
{
	switch (type) {
	case M3UA_DUNA: return DEST_UNAVAILABLE;
	case M3UA_DRST: return DEST_RESTRICTED;
	default: return DEST_AVAILABLE;
	}
}

void ssnm_rx_status(const struct in *in)
{
	struct m3ua_param affected = {0};
	struct sg *sg = in->asp->sg;
	struct scope s;
	uint8_t mask;
	uint32_t pc;

	if (!m3ua_find(&in->msg, M3UA_P_AFFECTED_PC, &affected) || !scope_of(in, &s))
		return;
	for (unsigned k = 0; k < s.n; k++)
		for (uint32_t i = 0; i < m3ua_list_len(&affected); i++)
			if (range_of(s.ass[k], m3ua_list_u32(&affected, i), &pc, &mask))
				route_set_status(sg->router, s.ass[k]->egress, s.ass[k]->network->index, pc,
					mask, status_of(in->msg.type));
	talloc_free(s.ass);
}

/* ---- SCON ---- */

/* A range that a peer said is congested, until it says otherwise, or nothing for a while. */
struct ssnm_scon {
	struct llist_head entry; /* in sg.scons.list, the one that ends first first */
	struct as *as;
	uint32_t pc;
	uint8_t mask;
	uint64_t until_ms;
};

static void forget(struct ssnm_scon *c)
{
	llist_del(&c->entry);
	c->as->sg->scons.n--;
	talloc_free(c);
}

static void abate(struct ssnm_scon *c)
{
	if (c->as->network)
		route_set_congestion(
			c->as->sg->router, c->as->egress, c->as->network->index, c->pc, c->mask, 0);
	forget(c);
}

static void expire(void *data);

static void watch(struct sg *sg)
{
	const struct ssnm_scon *first = llist_first_entry_or_null(&sg->scons.list, struct ssnm_scon, entry);
	uint64_t now = clock_ms(), ms;

	osmo_timer_del(&sg->scons.timer);
	if (!first)
		return;
	ms = first->until_ms > now ? first->until_ms - now : 0;
	osmo_timer_setup(&sg->scons.timer, expire, sg);
	osmo_timer_schedule(&sg->scons.timer, (int)(ms / 1000), (int)(ms % 1000 * 1000));
}

static void expire(void *data)
{
	struct sg *sg = data;
	struct ssnm_scon *c, *next;

	llist_for_each_entry_safe (c, next, &sg->scons.list, entry)
		if (c->until_ms <= clock_ms())
			abate(c);
	watch(sg);
	sg_settle(sg);
}

static struct ssnm_scon *remembered(struct as *as, uint32_t pc, uint8_t mask)
{
	struct ssnm_scon *c;

	llist_for_each_entry (c, &as->sg->scons.list, entry)
		if (c->as == as && c->pc == pc && c->mask == mask)
			return c;
	return NULL;
}

static void remember(struct as *as, uint32_t pc, uint8_t mask)
{
	struct sg *sg = as->sg;
	struct ssnm_scon *c = remembered(as, pc, mask);

	if (!c && sg->scons.n >= SCON_KEPT)
		abate(llist_first_entry(&sg->scons.list, struct ssnm_scon, entry));
	if (!c && (c = talloc_zero(sg->ctx, struct ssnm_scon)))
		sg->scons.n++;
	else if (c)
		llist_del(&c->entry);
	if (!c)
		return;
	c->as = as;
	c->pc = pc;
	c->mask = mask;
	c->until_ms = clock_ms() + SCON_VALID_MS;
	llist_add_tail(&c->entry, &sg->scons.list);
}

static void congest(struct as *as, uint32_t entry, uint8_t level)
{
	struct ssnm_scon *c;
	uint8_t mask;
	uint32_t pc;

	if (!range_of(as, entry, &pc, &mask) ||
		!route_set_congestion(as->sg->router, as->egress, as->network->index, pc, mask, level))
		return;
	if (level)
		remember(as, pc, mask);
	else if ((c = remembered(as, pc, mask)))
		forget(c);
}

void ssnm_rx_congestion(struct as *as, const struct m3ua_param *affected, uint8_t level)
{
	for (uint32_t i = 0; i < m3ua_list_len(affected); i++)
		congest(as, m3ua_list_u32(affected, i), level);
	watch(as->sg);
}

/* Without Congestion Indications (networks of one threshold): congested, no more can be said. */
void ssnm_rx_scon(const struct in *in)
{
	struct m3ua_param affected = {0};
	uint32_t level = 1;
	struct scope s;

	if (!role_of(in->asp)->asks) { /* an ASP tells of itself */
		ssnm_scon(in);
		return;
	}
	m3ua_find_u32(&in->msg, M3UA_P_CONGESTION, &level);
	if (!m3ua_find(&in->msg, M3UA_P_AFFECTED_PC, &affected) || !scope_of(in, &s))
		return;
	for (unsigned k = 0; k < s.n; k++)
		ssnm_rx_congestion(s.ass[k], &affected, m3ua_congestion_level(level));
	talloc_free(s.ass);
}

/* ---- DUPU ---- */

enum { FROM_IT = 1 << 16 }; /* besides what was told to it (once.h) */

/* SS7 nodes that send there are not known: the neighbours, through which they do. */
static void pass_on_to_others(struct asp *asp, const struct as *from, uint32_t pc, uint32_t user_cause)
{
	uint16_t user = m3ua_user_cause_user(user_cause), cause = m3ua_user_cause_cause(user_cause);
	const struct sg *sg = from->sg;

	if (sg->others && sg->others->user_unavailable && user < 16 &&
		once_allows(asp, (uint32_t)M3UA_DUPU | FROM_IT | (uint32_t)user << 24, from->network->index,
			pc, from->network->conf->t8_ms))
		sg->others->user_unavailable(
			sg->others_arg, from->network, pc, (uint8_t)user, (uint8_t)(cause & 15));
}

/* To those that send there: at most once in T8, for a peer may repeat it at will. */
static void pass_on(const struct as *from, uint32_t pc, uint32_t user_cause)
{
	uint16_t user = m3ua_user_cause_user(user_cause);
	struct asp *asp;
	struct ssnm_to to;

	llist_for_each_entry (asp, &from->sg->asps, entry) {
		if (!ssnm_concerned(asp, from->network, from, &to))
			continue;
		if (once_allows(asp, (uint32_t)M3UA_DUPU | (uint32_t)(user & 0xff) << 24,
			    from->network->index, pc, from->network->conf->t8_ms))
			ssnm_dupu_to(&to, pc, m3ua_user_cause_cause(user_cause), user);
		ssnm_done(&to);
	}
}

void ssnm_rx_dupu(const struct in *in)
{
	struct m3ua_param affected = {0};
	uint32_t user_cause = 0, pc;
	struct scope s;

	m3ua_find_u32(&in->msg, M3UA_P_USER_CAUSE, &user_cause);
	if (!m3ua_find(&in->msg, M3UA_P_AFFECTED_PC, &affected) || !scope_of(in, &s))
		return;
	pc = m3ua_apc_pc(m3ua_list_u32(&affected, 0));
	for (unsigned k = 0; k < s.n; k++) {
		const struct dest *d = dest_match(in->asp->sg->router, s.ass[k]->network->index, pc);

		if (!d || !dest_is_served_by(d, s.ass[k]->egress))
			continue; /* nobody can send there by this way */
		pass_on(s.ass[k], pc, user_cause);
		pass_on_to_others(in->asp, s.ass[k], pc, user_cause);
		break; /* one network: they have all been told */
	}
	talloc_free(s.ass);
}

void ssnm_rx_forget(struct as *as)
{
	struct ssnm_scon *c, *next;

	llist_for_each_entry_safe (c, next, &as->sg->scons.list, entry)
		if (c->as == as)
			forget(c);
	route_reset_status(as->sg->router, as->egress);
}
