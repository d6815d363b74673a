/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "m3ua/ssnm.h"

#include <talloc.h>

#include "m3ua/audit.h"
#include "m3ua/dispatch.h"
#include "m3ua/mgmt.h"
#include "m3ua/role.h"
#include "m3ua/sg_int.h"
#include "m3ua/ssnm_rx.h"
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

/* Which ASs a message is about. */
struct about {
	const struct as *except; /* NULL: none */
	const struct dest *dest; /* NULL: any */
	uint8_t si;
	bool marked; /* those alone */
};

static bool serves(const struct as *as, const struct dest *d, uint8_t si)
{
	for (uint32_t i = 0; i < d->n_routes; i++) {
		const struct route_spec *spec = &d->routes[i].spec;

		if (spec->egress == as->egress &&
			(si == FWD_ANY_SI || spec->si == FWD_ANY_SI || spec->si == si))
			return true;
	}
	return false;
}

static bool is_about(const struct about *a, const struct as_asp *m)
{
	return m->as != a->except && (m->marked || !a->marked) && (!a->dest || serves(m->as, a->dest, a->si));
}

static bool concerned(
	struct asp *asp, const struct sg_network *network, const struct about *about, struct ssnm_to *to)
{
	const struct as_asp *m;
	bool concerned = false;

	*to = (struct ssnm_to){.asp = asp, .network = network};
	if (!role_of(asp)->serves) /* an SGP knows its destinations best */
		return false;
	llist_for_each_entry (m, &asp->ass, in_asp) {
		if (!takes_ssnm(m) || m->as->network != network || !is_about(about, m))
			continue;
		concerned = true;
		if (!m->as->conf->has_rc)
			continue;
		if (!to->rcs && !(to->rcs = talloc_array(asp, uint32_t, asp->n_ass)))
			return false;
		to->rcs[to->n_rcs++] = m->as->conf->rc;
		if (to->n_rcs == SSNM_RCS)
			break;
	}
	return concerned;
}

bool ssnm_concerned(
	struct asp *asp, const struct sg_network *network, const struct as *except, struct ssnm_to *to)
{
	return concerned(asp, network, &(struct about){.except = except}, to);
}

bool ssnm_concerned_at(struct asp *asp, const struct sg_network *network, const struct dest *d, uint8_t si,
	struct ssnm_to *to)
{
	*to = (struct ssnm_to){.asp = asp, .network = network};
	return d && concerned(asp, network, &(struct about){.dest = d, .si = si}, to);
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
	if (!to->network->single_level)
		send_list(to, M3UA_SCON, (int)level, pcs, n);
	else if (level) /* Q.704 s.11.2.3.3: users find out by themselves that it is over */
		send_list(to, M3UA_SCON, -1, pcs, n);
}

void ssnm_scon_of(const struct ssnm_to *to, unsigned level, uint32_t pc, uint32_t concerned_pc)
{
	struct out o;

	if (to->network->single_level && !level)
		return;
	o = begin(to, M3UA_SCON);
	if (!o.m)
		return;
	m3ua_put_u32(&o.w, M3UA_P_AFFECTED_PC, m3ua_apc_pack(0, pc));
	m3ua_put_u32(&o.w, M3UA_P_CONCERNED_DEST, m3ua_apc_pack(0, concerned_pc));
	if (!to->network->single_level)
		m3ua_put_u32(&o.w, M3UA_P_CONGESTION, level);
	out_end(&o, 0);
	count(to->asp->sg, M3UA_SCON);
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

/* ---- what ASPs send: which of their ASs is it about? ---- */

/* Marks those of the Routing Contexts in IN: all must be the ASP's, else Error "Invalid Routing Context" with
 * those that are not. */
static bool mark_by_rcs(const struct in *in, const struct m3ua_param *rcs)
{
	uint32_t n = m3ua_list_len(rcs), n_bad = 0;
	uint32_t *bad = talloc_array(in->asp, uint32_t, n + 1);

	for (uint32_t i = 0; bad && i < n; i++) {
		struct as_asp *m = asp_find_rc(in->asp, m3ua_list_u32(rcs, i));

		if (m)
			m->marked = true;
		else
			bad[n_bad++] = m3ua_list_u32(rcs, i);
	}
	if (n_bad)
		err_answer(in, M3UA_E_INVALID_RC, &(struct err_args){.rcs = bad, .n_rcs = n_bad});
	talloc_free(bad);
	return bad && !n_bad;
}

static bool has_na(const struct sg_network *n, uint32_t na)
{
	return n && n->conf->has_na && n->conf->na == na;
}

static void refuse_na(const struct in *in, uint32_t na)
{
	err_answer(in, M3UA_E_INVALID_NA, &(struct err_args){.has_na = true, .na = na});
}

/* Without Routing Contexts: all in the network of the Network Appearance (NULL: none came), or in the only
 * one that the ASP has. */
static bool mark_by_na(const struct in *in, const uint32_t *na)
{
	const struct sg_network *network = NULL;
	bool several = false;
	struct as_asp *m;

	llist_for_each_entry (m, &in->asp->ass, in_asp) {
		const struct sg_network *n = m->as->network;

		if (!n || (na && !has_na(n, *na)))
			continue;
		m->marked = true;
		several |= network && network != n;
		network = n;
	}
	if (network && !several)
		return true;
	if (!in->asp->n_ass)
		err_answer(in, M3UA_E_NO_AS, NULL);
	else if (several) /* neither parameter says which */
		err_answer(in, M3UA_E_MISSING_PARAMETER, NULL);
	else
		refuse_na(in, na ? *na : 0);
	return false;
}

/* s.4.3.1: no SSNM for an AS in which the ASP is not active; those do not count. */
static bool check_marked(const struct in *in, const uint32_t *na)
{
	bool any = false, fits = true;
	struct as_asp *m;

	llist_for_each_entry (m, &in->asp->ass, in_asp) {
		m->marked = m->marked && m->as->network && takes_ssnm(m);
		any |= m->marked;
		fits &= !m->marked || !na || has_na(m->as->network, *na);
	}
	if (!any)
		err_answer_rcs(in, M3UA_E_UNEXPECTED);
	else if (!fits)
		refuse_na(in, *na);
	return any && fits;
}

/* Answered, and false, if IN does not say what it is about or may not be sent now. */
static bool mark(const struct in *in)
{
	struct m3ua_param rcs = {0};
	uint32_t na = 0;
	bool came = m3ua_find_u32(&in->msg, M3UA_P_NETWORK_APPEARANCE, &na);
	struct as_asp *m;

	llist_for_each_entry (m, &in->asp->ass, in_asp)
		m->marked = false;
	if (m3ua_find(&in->msg, M3UA_P_ROUTING_CONTEXT, &rcs))
		return mark_by_rcs(in, &rcs) && check_marked(in, came ? &na : NULL);
	return mark_by_na(in, came ? &na : NULL) && check_marked(in, came ? &na : NULL);
}

/* Once for each network that IN is about: Routing Contexts may be of several. */
static void for_each_network(const struct in *in, const struct m3ua_param *affected,
	void (*fn)(const struct in *in, const struct m3ua_param *affected, const struct ssnm_to *to))
{
	const struct about about = {.si = FWD_ANY_SI, .marked = true};
	const struct sg_network *network;
	struct ssnm_to to;

	if (!mark(in))
		return;
	llist_for_each_entry (network, &in->asp->sg->networks, entry) {
		if (concerned(in->asp, network, &about, &to))
			fn(in, affected, &to);
		ssnm_done(&to);
	}
}

/* ---- DAUD (s.4.5.3) ---- */

static void answer(const struct in *in, const struct m3ua_param *affected, const struct ssnm_to *to)
{
	struct audit_result r;

	if (audit(in->asp->sg, to->network, affected, &r)) {
		for (unsigned level = 1; level < 4; level++) /* "before the DAVA or DRST" */
			ssnm_scon_to(to, level, r.congested[level].v, r.congested[level].n);
		ssnm_status_to(
			to, M3UA_DUNA, r.by_status[DEST_UNAVAILABLE].v, r.by_status[DEST_UNAVAILABLE].n);
		ssnm_status_to(to, M3UA_DRST, r.by_status[DEST_RESTRICTED].v, r.by_status[DEST_RESTRICTED].n);
		ssnm_status_to(to, M3UA_DAVA, r.by_status[DEST_AVAILABLE].v, r.by_status[DEST_AVAILABLE].n);
	}
	audit_free(&r);
}

void ssnm_daud(const struct in *in)
{
	struct m3ua_param affected = {0};

	if (m3ua_find(&in->msg, M3UA_P_AFFECTED_PC, &affected))
		for_each_network(in, &affected, answer);
}

/* ---- SCON of an ASP (s.1.4.6, 3.4.4) ---- */

/* About one message that met it: told to the point that it came from, which is the Concerned Destination. */
static void tell_originator(
	const struct in *in, const struct m3ua_param *affected, const struct ssnm_to *from)
{
	struct sg *sg = in->asp->sg;
	uint32_t level = 1, pc = m3ua_list_u32(affected, 0), concerned_pc = 0;
	struct m3ua_param p = {0};
	bool has_level;
	const struct dest *d;
	struct ssnm_to to;
	struct asp *asp;

	/* nobody may throttle what others serve */
	if (m3ua_list_len(affected) != 1 || !ssnm_is_served_by(in->asp, from->network, pc) ||
		!m3ua_find(&in->msg, M3UA_P_CONCERNED_DEST, &p) || m3ua_list_len(&p) != 1)
		return;
	concerned_pc = m3ua_apc_pc(m3ua_list_u32(&p, 0));
	has_level = m3ua_find_u32(&in->msg, M3UA_P_CONGESTION, &level);
	level = m3ua_congestion_level(level);
	d = dest_match(sg->router, from->network->index, concerned_pc);
	llist_for_each_entry (asp, &sg->asps, entry) {
		if (asp == in->asp || !ssnm_concerned_at(asp, from->network, d, FWD_ANY_SI, &to))
			continue;
		if (has_level)
			ssnm_scon_to(&to, level, &pc, 1);
		else
			send_list(&to, M3UA_SCON, -1, &pc, 1);
		ssnm_done(&to);
	}
	if (sg->others && sg->others->controlled)
		sg->others->controlled(sg->others_arg, from->network, concerned_pc, pc, (uint8_t)level);
}

/* About its AS: who sends there is told, ASPs now, SS7 nodes as their messages come. */
static void keep(const struct in *in, const struct m3ua_param *affected, const struct ssnm_to *from)
{
	uint32_t level = 1;
	struct as_asp *m;

	m3ua_find_u32(&in->msg, M3UA_P_CONGESTION, &level);
	llist_for_each_entry (m, &in->asp->ass, in_asp)
		if (m->marked && m->as->network == from->network)
			ssnm_rx_congestion(m->as, affected, m3ua_congestion_level(level));
}

void ssnm_scon(const struct in *in)
{
	struct m3ua_param affected = {0}, p;

	if (m3ua_find(&in->msg, M3UA_P_AFFECTED_PC, &affected))
		for_each_network(in, &affected,
			m3ua_find(&in->msg, M3UA_P_CONCERNED_DEST, &p) ? tell_originator : keep);
}
