/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which answer goes with which Routing Context is decided for the whole message before any state changes:
 *
 *                              ASPAC (s.4.3.4.3)                 ASPIA (s.4.3.4.4)
 *   RC given, unknown          "No Configured AS for ASP"        "Invalid Routing Context", each
 *   no RC, ASP has no AS       "Invalid Routing Context"         "No Configured AS for ASP"
 *   no RC                      all the ASP's ASs                 all the ASP's ASs
 *   mode is not the AS's       "Unsupported Traffic Mode Type"   -
 *   ASP blocked                "Refused - Management Blocking"   -
 *
 * What remains is acknowledged, once, with its Routing Contexts. */
#include "m3ua/asptm.h"

#include <talloc.h>

#include "m3ua/asp_fsm.h"
#include "m3ua/dispatch.h"
#include "m3ua/mgmt.h"
#include "m3ua/rkm.h"
#include "m3ua/role.h"
#include "m3ua/sg_int.h"

enum { ERRORS_ONE_BY_ONE = 16 };

/* What a message asks for. */
struct request {
	bool has_rcs, has_mode;
	uint32_t mode;
	struct as_asp **good; /* the members it is about */
	unsigned n_good;
	uint32_t *unknown, *mismatch; /* Routing Contexts to refuse */
	unsigned n_unknown, n_mismatch;
};

static bool mode_fits(const struct request *r, const struct as_asp *m)
{
	return !r->has_mode || r->mode == (uint32_t)m->as->conf->mode;
}

/* Once per member, in the message's order. */
static void consider(struct request *r, struct as_asp *m)
{
	if (m->marked)
		return;
	m->marked = true;
	if (mode_fits(r, m))
		r->good[r->n_good++] = m;
	else
		r->mismatch[r->n_mismatch++] = m->as->conf->has_rc ? m->as->conf->rc : 0;
}

static void consider_list(struct request *r, const struct asp *asp, const struct m3ua_param *rcs)
{
	for (uint32_t i = 0; i < m3ua_list_len(rcs); i++) {
		struct as_asp *m = asp_find_rc(asp, m3ua_list_u32(rcs, i));

		if (m)
			consider(r, m);
		else
			r->unknown[r->n_unknown++] = m3ua_list_u32(rcs, i);
	}
}

/* Sorts the message's Routing Contexts; TALLOC'd, NULL without memory. */
static struct request *request_new(const struct in *in)
{
	struct asp *asp = in->asp;
	struct request *r = talloc_zero(asp, struct request);
	struct m3ua_param rcs = {0};
	struct as_asp *m;

	if (!r)
		return NULL;
	r->has_rcs = m3ua_find(&in->msg, M3UA_P_ROUTING_CONTEXT, &rcs);
	r->has_mode = in->msg.type == M3UA_ASPAC && !asp->conf->compat.ignore_mode &&
		      m3ua_find_u32(&in->msg, M3UA_P_TRAFFIC_MODE, &r->mode);
	r->good = talloc_array(r, struct as_asp *, asp->n_ass + 1);
	r->mismatch = talloc_array(r, uint32_t, asp->n_ass + 1);
	r->unknown = talloc_array(r, uint32_t, r->has_rcs ? m3ua_list_len(&rcs) + 1 : 1);
	if (!r->good || !r->mismatch || !r->unknown) {
		talloc_free(r);
		return NULL;
	}
	llist_for_each_entry (m, &asp->ass, in_asp)
		m->marked = false;
	if (r->has_rcs)
		consider_list(r, asp, &rcs);
	else
		llist_for_each_entry (m, &asp->ass, in_asp)
			consider(r, m);
	return r;
}

/* TYPE with the Routing Contexts of R's members, in as many messages as they need. */
static void acknowledge(struct asp *asp, uint16_t type, const struct request *r)
{
	unsigned i = 0;

	do {
		struct out o = out_begin(asp, type);
		uint32_t room = out_room(&o, M3UA_PARAM_HEADER + 4), n = 0;
		uint32_t *rcs = talloc_array(asp, uint32_t, r->n_good + 1);

		for (; rcs && i < r->n_good && n < room; i++)
			if (r->good[i]->as->conf->has_rc)
				rcs[n++] = r->good[i]->as->conf->rc;
		if (!o.m || !rcs)
			i = r->n_good;
		if (o.m && r->has_mode)
			m3ua_put_u32(&o.w, M3UA_P_TRAFFIC_MODE, r->mode);
		if (o.m)
			m3ua_put_list(&o.w, M3UA_P_ROUTING_CONTEXT, rcs, n);
		out_end(&o, 0);
		talloc_free(rcs);
	} while (i < r->n_good);
}

static void refuse(const struct in *in, enum m3ua_error code, const uint32_t *rcs, unsigned n)
{
	err_answer(in, code, &(struct err_args){.rcs = rcs, .n_rcs = n});
}

/* s.4.3.4.3, override: the others are inactive from now on, which they learn when they get no more DATA. */
static void override_others(struct as_asp *winner)
{
	struct as_asp *m;

	llist_for_each_entry (m, &winner->as->asps, in_as) {
		if (m == winner || m->state != ASP_ACTIVE)
			continue;
		out_hold(winner->as->sg);
		asp_transition(m, ASPE_OVERRIDDEN, "overridden by another ASP");
		if (role_of(m->asp)->joint)
			client_as_event(m, CAE_OVERRIDDEN, "overridden by another ASP");
		ntfy_alternate(m->asp, winner->as, winner->asp);
	}
}

void asptm_active(const struct in *in)
{
	struct asp *asp = in->asp;
	struct request *r;

	if (asp->blocked || asp->client.leaving) {
		err_answer_rcs(in, M3UA_E_REFUSED);
		return;
	}
	r = request_new(in);
	if (!r)
		return;
	if (r->n_unknown)
		refuse(in, M3UA_E_NO_AS, r->unknown, r->n_unknown);
	if (r->n_mismatch)
		refuse(in, M3UA_E_UNSUPPORTED_MODE, r->has_rcs ? r->mismatch : NULL,
			r->has_rcs ? r->n_mismatch : 0);
	if (!r->has_rcs && !asp->n_ass)
		err_answer(in, M3UA_E_INVALID_RC, NULL);
	if (r->n_good)
		acknowledge(asp, M3UA_ASPAC_ACK, r);
	for (unsigned i = 0; i < r->n_good; i++) {
		rkm_await_routing(r->good[i]->as);
		asp_transition(r->good[i], ASPE_ACTIVE, "ASPAC");
		if (role_of(asp)->joint)
			client_as_event(r->good[i], CAE_PEER_ACTIVE, "ASPAC");
		if (r->good[i]->as->conf->mode == FWD_OVERRIDE)
			override_others(r->good[i]);
	}
	talloc_free(r);
}

/* "an Error message for each invalid Routing Context value"; but one message cannot cause any number. */
static void refuse_each(const struct in *in, const struct request *r)
{
	unsigned i = 0;

	for (; i < r->n_unknown && i < ERRORS_ONE_BY_ONE; i++)
		refuse(in, M3UA_E_INVALID_RC, &r->unknown[i], 1);
	if (i < r->n_unknown)
		refuse(in, M3UA_E_INVALID_RC, &r->unknown[i], r->n_unknown - i);
}

static bool any_active(const struct request *r)
{
	for (unsigned i = 0; i < r->n_good; i++)
		if (r->good[i]->state == ASP_ACTIVE)
			return true;
	return false;
}

void asptm_inactive(const struct in *in)
{
	struct asp *asp = in->asp;
	struct request *r = request_new(in);

	if (!r)
		return;
	refuse_each(in, r);
	if (!r->has_rcs && !asp->n_ass)
		err_answer(in, M3UA_E_NO_AS, NULL);
	if (any_active(r)) /* "after all traffic is halted" */
		out_hold(asp->sg);
	if (r->n_good)
		acknowledge(asp, M3UA_ASPIA_ACK, r);
	for (unsigned i = 0; i < r->n_good; i++) {
		if (r->good[i]->linger_ms) { /* it has understood: no more DATA is under way */
			r->good[i]->linger_ms = 0;
			sg_member_moved(r->good[i]);
		}
		asp_transition(r->good[i], ASPE_INACTIVE, "ASPIA");
		if (role_of(asp)->joint)
			client_as_event(r->good[i], CAE_PEER_INACTIVE, "ASPIA");
	}
	talloc_free(r);
}

void asptm_withdraw(struct asp *asp, const char *reason)
{
	struct request *r = talloc_zero(asp, struct request);
	struct as_asp *m;

	if (!r || !(r->good = talloc_array(r, struct as_asp *, asp->n_ass + 1))) {
		talloc_free(r);
		return;
	}
	llist_for_each_entry (m, &asp->ass, in_asp)
		if (m->state == ASP_ACTIVE)
			r->good[r->n_good++] = m;
	if (r->n_good) {
		out_hold(asp->sg);
		acknowledge(asp, M3UA_ASPIA_ACK, r);
	}
	for (unsigned i = 0; i < r->n_good; i++)
		asp_transition(r->good[i], ASPE_BLOCKED, reason);
	talloc_free(r);
}

void asptm_dismiss(struct as_asp *m, const char *reason)
{
	struct request r = {.good = &m, .n_good = 1};

	if (m->state == ASP_ACTIVE && role_of(m->asp)->serves && !role_of(m->asp)->joint) {
		out_hold(m->as->sg);
		acknowledge(m->asp, M3UA_ASPIA_ACK, &r);
	}
	asp_transition(m, ASPE_DOWN, reason);
}
