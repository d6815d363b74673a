/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "m3ua/ssnm.h"

#include <talloc.h>

#include "m3ua/audit.h"
#include "m3ua/dispatch.h"
#include "m3ua/mgmt.h"
#include "m3ua/role.h"
#include "m3ua/sg_int.h"
#include "m3ua/ssnm_tell.h"

enum {
	SSNM_ENTRIES = 512, /* Affected Point Codes in one message of ours */
	SSNM_RCS = 256,     /* Routing Contexts in one */
};

/* s.4.3.1: SSNM is for ASPs that are active. */
static bool takes_ssnm(const struct as_asp *m)
{
	return m->state == ASP_ACTIVE ||
	       (m->state == ASP_INACTIVE && m->asp->conf->compat.ssnm_when_inactive);
}

/* ---- writing ---- */

bool ssnm_concerned(
	struct asp *asp, const struct sg_network *network, const struct as *except, struct ssnm_to *to)
{
	const struct as_asp *m;
	bool concerned = false;

	*to = (struct ssnm_to){.asp = asp, .network = network};
	if (!role_of(asp)->serves) /* an SGP knows its destinations best */
		return false;
	llist_for_each_entry (m, &asp->ass, in_asp) {
		if (!takes_ssnm(m) || m->as == except || m->as->network != network)
			continue;
		concerned = true;
		if (!m->as->conf->has_rc || to->n_rcs == SSNM_RCS)
			continue;
		if (!to->rcs && !(to->rcs = talloc_array(asp, uint32_t, asp->n_ass)))
			return false;
		to->rcs[to->n_rcs++] = m->as->conf->rc;
	}
	return concerned;
}

void ssnm_done(struct ssnm_to *to)
{
	talloc_free(to->rcs);
	to->rcs = NULL;
}

static struct out begin(const struct ssnm_to *to, uint16_t type)
{
	struct out o = out_begin(to->asp, type);
	uint32_t fit;

	if (!o.m)
		return o;
	if (to->network->conf->has_na)
		m3ua_put_u32(&o.w, M3UA_P_NETWORK_APPEARANCE, to->network->conf->na);
	fit = out_room(&o, 64); /* the parameters behind */
	m3ua_put_list(&o.w, M3UA_P_ROUTING_CONTEXT, to->rcs, to->n_rcs < fit ? to->n_rcs : fit);
	return o;
}

static void count(struct sg *sg, uint16_t type)
{
	struct sg_stats *s = &sg->stats;

	switch (type) {
	case M3UA_DUNA: s->duna++; break;
	case M3UA_DAVA: s->dava++; break;
	case M3UA_DRST: s->drst++; break;
	case M3UA_SCON: s->scon++; break;
	case M3UA_DUPU: s->dupu++; break;
	default: break;
	}
}

/* LEVEL below 0: no Congestion Indications. */
static void send_list(const struct ssnm_to *to, uint16_t type, int level, const uint32_t *pcs, uint32_t n)
{
	uint32_t i = 0, some;

	while (i < n) {
		struct out o = begin(to, type);

		if (!o.m)
			return;
		some = out_room(&o, 8);
		if (some > SSNM_ENTRIES)
			some = SSNM_ENTRIES;
		if (some > n - i)
			some = n - i;
		m3ua_put_list(&o.w, M3UA_P_AFFECTED_PC, pcs + i, some);
		if (level >= 0)
			m3ua_put_u32(&o.w, M3UA_P_CONGESTION, (uint32_t)level);
		out_end(&o, 0);
		count(to->asp->sg, type);
		i += some ? some : n;
	}
}

void ssnm_status_to(const struct ssnm_to *to, uint16_t type, const uint32_t *pcs, uint32_t n)
{
	send_list(to, type, -1, pcs, n);
}

void ssnm_scon_to(const struct ssnm_to *to, unsigned level, const uint32_t *pcs, uint32_t n)
{
	send_list(to, M3UA_SCON, (int)level, pcs, n);
}

void ssnm_dupu_to(const struct ssnm_to *to, uint32_t pc, uint16_t cause, uint16_t user)
{
	struct out o = begin(to, M3UA_DUPU);

	if (!o.m)
		return;
	m3ua_put_u32(&o.w, M3UA_P_AFFECTED_PC, m3ua_apc_pack(0, pc));
	m3ua_put_u32(&o.w, M3UA_P_USER_CAUSE, m3ua_user_cause_pack(cause, user));
	out_end(&o, 0);
	count(to->asp->sg, M3UA_DUPU);
}

/* ---- what ASPs send: which network and flows is it about? ---- */

/* The Routing Contexts in IN: all must be the ASP's (else Error "Invalid Routing Context" with those that are
 * not), and the ASP active in one at least. Puts the active ones in TO. */
static bool scope_by_rcs(const struct in *in, const struct m3ua_param *rcs, struct ssnm_to *to)
{
	uint32_t n = m3ua_list_len(rcs), n_bad = 0;
	uint32_t *bad = talloc_array(in->asp, uint32_t, n + 1);
	bool ok = bad != NULL;

	to->rcs = talloc_array(in->asp, uint32_t, in->asp->n_ass + 1);
	ok = ok && to->rcs;
	for (uint32_t i = 0; ok && i < n; i++) {
		struct as_asp *m = asp_find_rc(in->asp, m3ua_list_u32(rcs, i));

		if (!m)
			bad[n_bad++] = m3ua_list_u32(rcs, i);
		else if (takes_ssnm(m) && (!to->network || to->network == m->as->network) &&
			 to->n_rcs < in->asp->n_ass) {
			to->network = m->as->network;
			to->rcs[to->n_rcs++] = m->as->conf->rc;
		}
	}
	if (n_bad)
		err_answer(in, M3UA_E_INVALID_RC, &(struct err_args){.rcs = bad, .n_rcs = n_bad});
	talloc_free(bad);
	return ok && !n_bad;
}

/* Without Routing Contexts: the network of the Network Appearance, or the only one that the ASP has. */
static bool scope_by_na(const struct in *in, bool has_na, uint32_t na, struct ssnm_to *to)
{
	const struct sg_network *network = NULL;
	const struct as_asp *m;
	bool several = false, known = false;

	llist_for_each_entry (m, &in->asp->ass, in_asp) {
		const struct sg_network *n = m->as->network;

		if (!n || (has_na && !(n->conf->has_na && n->conf->na == na)))
			continue;
		known = true;
		several |= network && network != n;
		network = n;
	}
	if (!in->asp->n_ass) {
		err_answer(in, M3UA_E_NO_AS, NULL);
		return false;
	}
	if (!known) {
		err_answer(in, M3UA_E_INVALID_NA, &(struct err_args){.has_na = true, .na = na});
		return false;
	}
	if (several) { /* neither parameter says which */
		err_answer(in, M3UA_E_MISSING_PARAMETER, NULL);
		return false;
	}
	if (!ssnm_concerned(in->asp, network, NULL, to))
		to->network = NULL;
	return true;
}

/* Answered, and false, if IN does not say what it is about or may not be sent now. */
static bool scope(const struct in *in, struct ssnm_to *to)
{
	struct m3ua_param rcs = {0};
	uint32_t na = 0;
	bool has_na = m3ua_find_u32(&in->msg, M3UA_P_NETWORK_APPEARANCE, &na);
	bool ok;

	*to = (struct ssnm_to){.asp = in->asp};
	if (m3ua_find(&in->msg, M3UA_P_ROUTING_CONTEXT, &rcs))
		ok = scope_by_rcs(in, &rcs, to);
	else
		ok = scope_by_na(in, has_na, na, to);
	if (ok && !to->network) { /* s.4.3.1: no SSNM for an AS in which the ASP is not active */
		err_answer_rcs(in, M3UA_E_UNEXPECTED);
		ok = false;
	}
	if (ok && has_na && !(to->network->conf->has_na && to->network->conf->na == na)) {
		err_answer(in, M3UA_E_INVALID_NA, &(struct err_args){.has_na = true, .na = na});
		ok = false;
	}
	if (!ok)
		ssnm_done(to);
	return ok;
}

/* ---- DAUD (s.4.5.3) ---- */

void ssnm_daud(const struct in *in)
{
	struct m3ua_param affected = {0};
	struct audit_result r;
	struct ssnm_to to;

	if (!m3ua_find(&in->msg, M3UA_P_AFFECTED_PC, &affected) || !scope(in, &to))
		return;
	if (audit(in->asp->sg, to.network, &affected, &r)) {
		for (unsigned level = 1; level < 4; level++) /* "before the DAVA or DRST" */
			ssnm_scon_to(&to, level, r.congested[level].v, r.congested[level].n);
		ssnm_status_to(
			&to, M3UA_DUNA, r.by_status[DEST_UNAVAILABLE].v, r.by_status[DEST_UNAVAILABLE].n);
		ssnm_status_to(
			&to, M3UA_DRST, r.by_status[DEST_RESTRICTED].v, r.by_status[DEST_RESTRICTED].n);
		ssnm_status_to(&to, M3UA_DAVA, r.by_status[DEST_AVAILABLE].v, r.by_status[DEST_AVAILABLE].n);
	}
	audit_free(&r);
	ssnm_done(&to);
}

/* ---- SCON (s.3.4.4): an ASP's own congestion, told to those who send to it ---- */

void ssnm_scon(const struct in *in)
{
	struct m3ua_param affected = {0}, p;
	uint32_t level = 0, concerned = 0, n = 0;
	bool has_level = m3ua_find_u32(&in->msg, M3UA_P_CONGESTION, &level);
	bool has_concerned = m3ua_find(&in->msg, M3UA_P_CONCERNED_DEST, &p) && m3ua_list_len(&p) == 1;
	uint32_t *pcs;
	struct ssnm_to from, to;
	struct asp *asp;

	if (!m3ua_find(&in->msg, M3UA_P_AFFECTED_PC, &affected) || !scope(in, &from))
		return;
	if (has_concerned)
		concerned = m3ua_apc_pc(m3ua_list_u32(&p, 0));
	pcs = talloc_array(in->asp, uint32_t, m3ua_list_len(&affected) + 1);
	for (uint32_t i = 0; pcs && i < m3ua_list_len(&affected); i++)
		/* nobody may throttle what others serve */
		if (ssnm_is_served_by(in->asp, from.network, m3ua_list_u32(&affected, i)))
			pcs[n++] = m3ua_list_u32(&affected, i);
	llist_for_each_entry (asp, &in->asp->sg->asps, entry) {
		if (!n || asp == in->asp || !ssnm_concerned(asp, from.network, NULL, &to))
			continue;
		if (has_concerned ? ssnm_is_served_by(asp, from.network, concerned)
				  : !ssnm_is_served_by(asp, from.network, pcs[0]))
			send_list(&to, M3UA_SCON, has_level ? (int)m3ua_congestion_level(level) : -1, pcs, n);
		ssnm_done(&to);
	}
	talloc_free(pcs);
	ssnm_done(&from);
}
