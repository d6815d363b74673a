/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What becomes of a Routing Key (s.4.4.1), in this order:
 *
 *   malformed, or of values that do not exist         Invalid Routing Key / DPC / Network Appearance, ...
 *   with the Routing Context of another key, or none  Routing Key Change Refused
 *   exactly a key that exists                         by policy: join its AS; or Already Registered
 *   partly a key that exists                          Cannot Support Unique Routing
 *   new                                               by policy: make an AS; or not Currently Provisioned */
#include "m3ua/rkm.h"

#include <talloc.h>

#include "base/log.h"
#include "m3ua/dispatch.h"
#include "m3ua/rkm_index.h"
#include "m3ua/role.h"
#include "m3ua/sg_int.h"

enum {
	REG_RESULT = M3UA_PARAM_HEADER + 3 * (M3UA_PARAM_HEADER + 4), /* octets */
	DEREG_RESULT = M3UA_PARAM_HEADER + 2 * (M3UA_PARAM_HEADER + 4),
};

struct answer {
	uint32_t id;     /* Local-RK-Identifier */
	uint32_t status; /* enum rkm_status, enum rkm_dereg_status */
	uint32_t rc;
	struct as *join; /* NULL: nothing changes */
};

/* ---- what exists ---- */

static struct sg_network *by_appearance(struct sg *sg, uint32_t na)
{
	struct sg_network *n;

	llist_for_each_entry (n, &sg->networks, entry)
		if (n->conf->has_na && n->conf->na == na)
			return n;
	return NULL;
}

/* The network of all the ASP's ASs, or the only one there is. */
static struct sg_network *implied_network(struct asp *asp)
{
	struct sg *sg = asp->sg;
	struct sg_network *found = NULL;
	struct as_asp *m;

	if (asp->conf->rkm.network)
		return sg_network_by_name(sg, asp->conf->rkm.network);
	if (llist_count(&sg->networks) == 1)
		return llist_first_entry(&sg->networks, struct sg_network, entry);
	llist_for_each_entry (m, &asp->ass, in_asp) {
		if (found && m->as->network != found)
			return NULL;
		found = m->as->network;
	}
	return found;
}

struct search {
	const struct rk *k;
	const struct key_conf *group;
	struct as *exact, *compared;
	bool overlaps;
};

static bool compare(struct as *as, unsigned key, void *arg)
{
	struct search *s = arg;

	if (!rk_overlaps(s->group, &as->conf->keys[key]))
		return true;
	s->overlaps = true;
	/* the exact one has every group, the first among them */
	if (s->group != s->k->groups || s->compared == as)
		return s->group == s->k->groups;
	s->compared = as;
	if (rk_same(s->k, as->conf->keys, as->conf->n_keys))
		s->exact = as;
	return !s->exact;
}

static struct search search(const struct rkm_index *x, const struct sg_network *network, const struct rk *k)
{
	struct search s = {.k = k};

	for (unsigned i = 0; i < k->n_groups && !s.exact && !(i && s.overlaps); i++) {
		s.group = &k->groups[i];
		rkm_index_keys(x, network->index, s.group->dpc, compare, &s);
	}
	return s;
}

/* ---- one key ---- */

static bool is_member(const struct as *as, const struct asp *asp)
{
	const struct as_asp *m;

	llist_for_each_entry (m, &asp->ass, in_asp)
		if (m->as == as)
			return true;
	return as->joining == asp;
}

/* s.3.5.1: an ASP Identifier is unique among the ASPs that support an AS. */
static bool id_clashes(const struct as *as, const struct asp *asp)
{
	const struct as_asp *m;

	llist_for_each_entry (m, &as->asps, in_as)
		if (asp->has_id && m->asp->up && m->asp->has_id && m->asp->id == asp->id)
			return true;
	return false;
}

/* By its policy and limit. An ASP of an AS without Routing Context is in no other (s.3.3.1). */
static enum rkm_status may_have(const struct asp *asp, int policy, unsigned joining)
{
	if (asp->conf->rkm.policy < policy || asp->by_rc.n != asp->n_ass)
		return RKM_PERMISSION_DENIED;
	return asp->n_registered + joining < asp->conf->rkm.limit ? RKM_REGISTERED : RKM_NO_RESOURCES;
}

static enum rkm_status may_join(struct asp *asp, const struct as *as, const struct rk *k, unsigned joining)
{
	if (k->has_mode && k->mode != (uint32_t)as->conf->mode)
		return RKM_UNSUPPORTED_MODE;
	if (is_member(as, asp))
		return RKM_ALREADY_REGISTERED;
	/* what the gateway serves itself is nobody's to join */
	if (!llist_empty(&as->asps) && role_of_as(as) != role_of(asp))
		return RKM_PERMISSION_DENIED;
	/* networks may use a Routing Context twice: one association does not */
	if (!as->conf->has_rc || asp_find_rc(asp, as->conf->rc) || id_clashes(as, asp))
		return RKM_PERMISSION_DENIED;
	return may_have(asp, as->dynamic ? RKM_DYNAMIC : RKM_MATCH, joining);
}

static enum rkm_status may_create(struct asp *asp, unsigned joining)
{
	return asp->conf->rkm.policy < RKM_DYNAMIC ? RKM_NOT_PROVISIONED
						   : may_have(asp, RKM_DYNAMIC, joining);
}

/* s.4.4.1: with a Routing Context it is about the key that has it, and keys are not modified here. */
static bool context_fits(const struct asp *asp, const struct rk *k, const struct as *exact)
{
	if (!k->has_rc)
		return true;
	if (exact)
		return exact->conf->has_rc && exact->conf->rc == k->rc;
	return asp->conf->compat.reg_proposes_rc && asp->conf->rkm.policy == RKM_DYNAMIC &&
	       !rkm_index_context(asp->sg->rkm.index, k->rc);
}

static enum rkm_status place(struct asp *asp, const struct rk *k, unsigned joining, struct as **join)
{
	struct sg_network *network = k->has_na ? by_appearance(asp->sg, k->na) : implied_network(asp);
	enum rkm_status status;
	struct search s;

	if (!network)
		return RKM_INVALID_NA;
	status = rk_fits(k, network->conf);
	if (status != RKM_REGISTERED)
		return status;
	if (!rkm_index(asp->sg))
		return RKM_NO_RESOURCES;
	s = search(asp->sg->rkm.index, network, k);
	if (!context_fits(asp, k, s.exact))
		return RKM_CHANGE_REFUSED;
	*join = s.exact;
	if (s.exact)
		return may_join(asp, s.exact, k, joining);
	if (s.overlaps)
		return RKM_NOT_UNIQUE;
	status = may_create(asp, joining);
	if (status == RKM_REGISTERED && !(*join = rkm_as_new(asp, network, k)))
		return RKM_NO_RESOURCES;
	return status;
}

static struct answer register_key(struct asp *asp, const struct m3ua_param *p, unsigned joining)
{
	void *ctx = talloc_new(asp);
	struct answer a = {0};
	struct rk k;

	a.status = rk_read(ctx, p, &k);
	a.id = k.id;
	if (a.status == RKM_REGISTERED)
		a.status = place(asp, &k, joining, &a.join);
	if (a.join && (a.status == RKM_REGISTERED || a.status == RKM_ALREADY_REGISTERED))
		a.rc = a.join->conf->rc;
	if (a.status == RKM_REGISTERED)
		a.join->joining = asp;
	else
		a.join = NULL;
	talloc_free(ctx);
	return a;
}

/* ---- answers ---- */

static void put_reg(struct wr *w, const struct answer *a)
{
	uint8_t *opened = m3ua_open(w, M3UA_P_REG_RESULT);

	m3ua_put_u32(w, M3UA_P_LOCAL_RK_ID, a->id);
	m3ua_put_u32(w, M3UA_P_REG_STATUS, a->status);
	m3ua_put_u32(w, M3UA_P_ROUTING_CONTEXT, a->rc);
	m3ua_close(w, opened);
}

static void put_dereg(struct wr *w, const struct answer *a)
{
	uint8_t *opened = m3ua_open(w, M3UA_P_DEREG_RESULT);

	m3ua_put_u32(w, M3UA_P_ROUTING_CONTEXT, a->rc);
	m3ua_put_u32(w, M3UA_P_DEREG_STATUS, a->status);
	m3ua_close(w, opened);
}

/* In the order of the request, in as many messages as they need; each result in one of them. */
static void respond(struct asp *asp, uint16_t type, uint32_t size, const struct answer *answers, unsigned n)
{
	void (*put)(struct wr *, const struct answer *) = type == M3UA_REG_RSP ? put_reg : put_dereg;
	unsigned i = 0;

	while (i < n) {
		struct out o = out_begin(asp, type);

		if (!o.m) /* counted; what was done stays done, and a repeated request says so */
			return;
		do
			put(&o.w, &answers[i++]);
		while (i < n && (uint32_t)(o.w.end - o.w.p) >= size);
		out_end(&o, 0);
	}
}

/* ---- REG REQ ---- */

static void log_registration(struct asp *asp, const struct answer *a)
{
	if (!limit_allows(&asp->log, SG_LOGS_PER_SECOND, NULL))
		return;
	if (a->join)
		LOGP(DASP, LOGL_NOTICE, "asp %s: registered in as %s, Routing Context %u\n", asp->name,
			a->join->name, a->rc);
	else
		LOGP(DASP, LOGL_NOTICE, "asp %s: Routing Key %u not registered: %s\n", asp->name, a->id,
			rkm_status_name(a->status));
}

static void join(struct asp *asp, struct answer *answers, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		struct as *as = answers[i].join;
		struct as_asp *m;

		log_registration(asp, &answers[i]);
		if (!as) {
			asp->sg->stats.registrations_refused++;
			continue;
		}
		as->joining = NULL;
		asp->sg->stats.registered++;
		m = as_member_new(as, asp);
		if (!m)
			continue;
		m->registered = true;
		asp->n_registered++;
	}
}

static unsigned count_keys(const struct m3ua_msg *msg)
{
	struct m3ua_param it = {0};
	unsigned n = 0;

	while (m3ua_next(msg, &it))
		n += it.tag == M3UA_P_ROUTING_KEY;
	return n;
}

void rkm_reg_req(const struct in *in)
{
	struct asp *asp = in->asp;
	struct answer *answers = talloc_array(asp, struct answer, count_keys(&in->msg));
	struct m3ua_param it = {0};
	unsigned n = 0, joining = 0;

	if (!answers)
		return;
	while (m3ua_next(&in->msg, &it)) {
		if (it.tag != M3UA_P_ROUTING_KEY)
			continue;
		answers[n] = register_key(asp, &it, joining);
		joining += answers[n++].join != NULL;
	}
	respond(asp, M3UA_REG_RSP, REG_RESULT, answers, n);
	join(asp, answers, n);
	talloc_free(answers);
}

/* ---- DEREG REQ (s.4.4.2) ---- */

/* Marks the membership that ends. */
static struct answer deregister(struct asp *asp, uint32_t rc)
{
	struct as_asp *m = asp_find_rc(asp, rc);
	struct answer a = {.rc = rc, .status = RKM_DEREGISTERED};

	if (!m && !(rkm_index(asp->sg) && rkm_index_context(asp->sg->rkm.index, rc)))
		a.status = RKM_DEREG_INVALID_RC;
	else if (!m || m->marked)
		a.status = RKM_DEREG_NOT_REGISTERED;
	else if (!m->registered) /* configured */
		a.status = RKM_DEREG_DENIED;
	else if (m->state == ASP_ACTIVE)
		a.status = RKM_DEREG_ACTIVE;
	else
		m->marked = true;
	return a;
}

void rkm_dereg_req(const struct in *in)
{
	struct asp *asp = in->asp;
	struct as_asp *m, *next;
	struct m3ua_param rcs = {0};
	struct answer *answers;
	unsigned n;

	m3ua_find(&in->msg, M3UA_P_ROUTING_CONTEXT, &rcs);
	n = m3ua_list_len(&rcs);
	answers = talloc_array(asp, struct answer, n);
	if (!answers)
		return;
	llist_for_each_entry (m, &asp->ass, in_asp)
		m->marked = false;
	for (unsigned i = 0; i < n; i++) {
		answers[i] = deregister(asp, m3ua_list_u32(&rcs, i));
		if (answers[i].status == RKM_DEREGISTERED)
			asp->sg->stats.deregistered++;
	}
	respond(asp, M3UA_DEREG_RSP, DEREG_RESULT, answers, n);
	llist_for_each_entry_safe (m, next, &asp->ass, in_asp)
		if (m->marked)
			as_member_free(m);
	talloc_free(answers);
}

/* ---- without being asked ---- */

void rkm_forget(struct asp *asp)
{
	struct as_asp *m, *next;

	llist_for_each_entry_safe (m, next, &asp->ass, in_asp)
		if (m->registered)
			as_member_free(m);
}

void rkm_recheck(struct asp *asp)
{
	struct as_asp *m, *next;

	llist_for_each_entry_safe (m, next, &asp->ass, in_asp)
		if (m->registered && asp->conf->rkm.policy < (m->as->dynamic ? RKM_DYNAMIC : RKM_MATCH))
			as_member_free(m);
}
