/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the side that asks is answered: acknowledgements, NTFY, ERR. */
#include <talloc.h>

#include "base/clock.h"
#include "base/log.h"
#include "m3ua/client_int.h"
#include "m3ua/dispatch.h"
#include "m3ua/mgmt.h"
#include "m3ua/sg_int.h"

/* ---- ASPSM ---- */

void client_up_ack(const struct in *in)
{
	uint32_t id;

	/* s.3.5.2: an IPSP may say who it is */
	if (role_of(in->asp)->serves && m3ua_find_u32(&in->msg, M3UA_P_ASP_ID, &id)) {
		in->asp->has_id = true;
		in->asp->id = id;
	}
	client_event(in->asp, CLE_UP_ACK, in, "ASPUP ACK");
}

void client_down_ack(const struct in *in)
{
	client_event(in->asp, CLE_DOWN_ACK, in, "ASPDN ACK");
}

/* ---- ASPTM ---- */

/* An acknowledgement without Routing Context: of what was asked, or, if nothing was, of all. */
static void acknowledge_all(
	struct asp *asp, enum client_as_state asked, enum client_as_event e, const char *what)
{
	bool any = false;
	struct as_asp *m;

	llist_for_each_entry (m, &asp->ass, in_asp)
		any |= m->client.state == asked;
	llist_for_each_entry (m, &asp->ass, in_asp)
		if (any ? m->client.state == asked : client_reg_first(m, e) == e)
			client_as_event(m, e, what);
}

/* Those of the message's Routing Contexts that are none; how many. */
static uint32_t acknowledge_listed(const struct in *in, const struct m3ua_param *rcs, enum client_as_event e,
	const char *what, uint32_t *unknown)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < m3ua_list_len(rcs); i++) {
		struct as_asp *m = asp_find_own_rc(in->asp, m3ua_list_u32(rcs, i));

		if (m)
			client_as_event(m, e, what);
		else
			unknown[n++] = m3ua_list_u32(rcs, i);
	}
	return n;
}

void client_active_ack(const struct in *in)
{
	struct m3ua_param rcs = {0};
	uint32_t *unknown, n;

	if (!m3ua_find(&in->msg, M3UA_P_ROUTING_CONTEXT, &rcs)) {
		acknowledge_all(in->asp, CA_ACTIVE_SENT, CAE_ACTIVE_ACK, "ASPAC ACK");
		return;
	}
	unknown = talloc_array(in->asp, uint32_t, m3ua_list_len(&rcs) + 1);
	n = unknown ? acknowledge_listed(in, &rcs, CAE_ACTIVE_ACK, "ASPAC ACK", unknown) : 0;
	if (n)
		err_answer(in, M3UA_E_INVALID_RC, &(struct err_args){.rcs = unknown, .n_rcs = n});
	talloc_free(unknown);
}

/* Routing Contexts that are none are those of an AS that was given up: nothing to complain about. */
void client_inactive_ack(const struct in *in)
{
	struct m3ua_param rcs = {0};
	uint32_t *unknown;

	if (!m3ua_find(&in->msg, M3UA_P_ROUTING_CONTEXT, &rcs)) {
		acknowledge_all(in->asp, CA_INACTIVE_SENT, CAE_INACTIVE_ACK, "ASPIA ACK");
		return;
	}
	unknown = talloc_array(in->asp, uint32_t, m3ua_list_len(&rcs) + 1);
	if (unknown)
		acknowledge_listed(in, &rcs, CAE_INACTIVE_ACK, "ASPIA ACK", unknown);
	talloc_free(unknown);
}

/* ---- NTFY (s.3.8.2) ---- */

struct notice {
	uint16_t type, info;
	enum client_as_event event; /* CAE_EVENTS: nothing follows */
	const char *text;
};

static const struct notice notices[] = {
	{M3UA_NTFY_AS_STATE, M3UA_AS_INACTIVE, CAE_NEEDED, "NTFY AS-INACTIVE"},
	{M3UA_NTFY_AS_STATE, M3UA_AS_ACTIVE, CAE_EVENTS, "NTFY AS-ACTIVE"},
	{M3UA_NTFY_AS_STATE, M3UA_AS_PENDING, CAE_NEEDED, "NTFY AS-PENDING"},
	{M3UA_NTFY_OTHER, M3UA_INSUFFICIENT, CAE_NEEDED, "NTFY Insufficient ASP Resources"},
	{M3UA_NTFY_OTHER, M3UA_ALTERNATE, CAE_OVERRIDDEN, "NTFY Alternate ASP Active"},
	{M3UA_NTFY_OTHER, M3UA_ASP_FAILURE, CAE_EVENTS, "NTFY ASP Failure"},
};

static const struct notice *notice_of(uint32_t status)
{
	for (unsigned i = 0; i < sizeof(notices) / sizeof(notices[0]); i++)
		if (status == m3ua_status_pack(notices[i].type, notices[i].info))
			return &notices[i];
	return NULL;
}

static void heed(struct as_asp *m, const struct notice *n)
{
	if (n->type == M3UA_NTFY_AS_STATE)
		m->client.told = n->info;
	if (limit_allows(&m->asp->log, SG_LOGS_PER_SECOND, NULL))
		LOGP(DASP, LOGL_NOTICE, "asp %s in as %s: the peer says %s\n", m->asp->name, m->as->name,
			n->text);
	if (n->event == CAE_EVENTS || (n->event == CAE_NEEDED && !client_wants_active(m->asp)))
		return;
	client_as_event(m, n->event, n->text);
}

/* All of them must be the gateway's, or none is looked at. */
static bool all_known(const struct in *in, const struct m3ua_param *rcs)
{
	uint32_t n = m3ua_list_len(rcs), n_bad = 0;
	uint32_t *bad = talloc_array(in->asp, uint32_t, n + 1);

	for (uint32_t i = 0; bad && i < n; i++)
		if (!asp_find_own_rc(in->asp, m3ua_list_u32(rcs, i)))
			bad[n_bad++] = m3ua_list_u32(rcs, i);
	if (n_bad)
		err_answer(in, M3UA_E_INVALID_RC, &(struct err_args){.rcs = bad, .n_rcs = n_bad});
	talloc_free(bad);
	return bad && !n_bad;
}

void client_notified(const struct in *in)
{
	const struct notice *n;
	struct m3ua_param rcs = {0};
	uint32_t status = 0;
	struct as_asp *m;

	m3ua_find_u32(&in->msg, M3UA_P_STATUS, &status);
	n = notice_of(status);
	if (!n) {
		err_answer(in, M3UA_E_INVALID_VALUE, NULL);
		return;
	}
	if (!m3ua_find(&in->msg, M3UA_P_ROUTING_CONTEXT, &rcs)) {
		llist_for_each_entry (m, &in->asp->ass, in_asp)
			heed(m, n);
		return;
	}
	if (!all_known(in, &rcs))
		return;
	for (uint32_t i = 0; i < m3ua_list_len(&rcs); i++)
		heed(asp_find_own_rc(in->asp, m3ua_list_u32(&rcs, i)), n);
}

/* ---- ERR ---- */

/* What the message at fault was, by the Diagnostic Information (s.3.8.1: its beginning). */
struct complaint {
	struct client_error error;
	struct m3ua_msg about; /* as far as it is there */
	struct m3ua_param rcs;
	bool has_rcs;
};

static struct complaint complaint_of(const struct in *in, uint32_t code)
{
	struct complaint c = {.error = {.at_ms = clock_ms(), .code = code, .about = CLIENT_ERROR_UNKNOWN}};
	struct m3ua_param diag;
	struct m3ua_fault f;

	c.has_rcs = m3ua_find(&in->msg, M3UA_P_ROUTING_CONTEXT, &c.rcs);
	if (!m3ua_find(&in->msg, M3UA_P_DIAGNOSTIC, &diag) || diag.len < M3UA_HEADER)
		return c;
	c.error.about = (uint16_t)(diag.v[2] << 8 | diag.v[3]);
	if (!c.has_rcs && m3ua_parse(diag.v, diag.len, &c.about, &f))
		c.has_rcs = m3ua_find(&c.about, M3UA_P_ROUTING_CONTEXT, &c.rcs);
	return c;
}

static bool is_about(const struct complaint *c, uint16_t type)
{
	return c->error.about == type || c->error.about == CLIENT_ERROR_UNKNOWN;
}

static bool names(const struct complaint *c, const struct as_asp *m)
{
	uint32_t own;

	if (!c->has_rcs || !role_own_rc(m, &own))
		return true;
	for (uint32_t i = 0; i < m3ua_list_len(&c->rcs); i++)
		if (m3ua_list_u32(&c->rcs, i) == own)
			return true;
	return false;
}

/* What a member in a state waits for the answer to. */
static uint16_t asked_in(enum client_as_state s)
{
	static const uint16_t asked[CA_STATES] = {[CA_ACTIVE_SENT] = M3UA_ASPAC,
		[CA_INACTIVE_SENT] = M3UA_ASPIA,
		[CA_REG_SENT] = M3UA_REG_REQ,
		[CA_DEREG_SENT] = M3UA_DEREG_REQ};

	return asked[s];
}

static void complain_to_member(struct as_asp *m, const struct complaint *c)
{
	uint16_t asked = asked_in(m->client.state);
	uint32_t code = c->error.code;
	bool rkm = asked >> 8 == M3UA_RKM;

	if (!asked || !is_about(c, asked) || !names(c, m))
		return;
	m->client.error = c->error;
	if (asked == M3UA_ASPAC && (code == M3UA_E_INVALID_RC || code == M3UA_E_NO_AS))
		client_reg_forget(m); /* the peer has: from the start, then */
	if (rkm && (code == M3UA_E_UNSUPPORTED_CLASS || code == M3UA_E_UNSUPPORTED_TYPE))
		client_as_event(m, CAE_UNSUPPORTED, "the peer has no registration");
	else
		client_as_event(m, CAE_ERROR, "refused by the peer");
}

void client_error(const struct in *in, uint32_t code)
{
	struct asp *asp = in->asp;
	struct complaint c = complaint_of(in, code);
	struct as_asp *m;

	asp->client.error = c.error;
	if ((asp->client.state == CL_UP_SENT && is_about(&c, M3UA_ASPUP)) ||
		(asp->client.state == CL_DOWN_SENT && is_about(&c, M3UA_ASPDN)))
		client_event(asp, CLE_ERROR, in, "refused by the peer");
	llist_for_each_entry (m, &asp->ass, in_asp)
		complain_to_member(m, &c);
}
