/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/serve.h"

static const struct {
	uint16_t type, ack;
} requests[SERVE_EVENTS] = {
	[SERVE_UP] = {M3UA_ASPUP, M3UA_ASPUP_ACK},
	[SERVE_DN] = {M3UA_ASPDN, M3UA_ASPDN_ACK},
	[SERVE_AC] = {M3UA_ASPAC, M3UA_ASPAC_ACK},
	[SERVE_IA] = {M3UA_ASPIA, M3UA_ASPIA_ACK},
};

static enum serve_event event_of(uint16_t type)
{
	unsigned e = 0;

	while (e < SERVE_EVENTS && requests[e].type != type)
		e++;
	return (enum serve_event)e;
}

/* The Routing Context of what the gateway activates: its AS's. */
static bool context(const struct asp *a, uint32_t *rc)
{
	*rc = a->conf->has_peer_rc ? a->conf->peer_rc : a->rc;
	return a->conf->has_peer_rc || a->has_rc;
}

/* ---- answers ---- */

static void copy(struct wr *w, const struct m3ua_msg *m, uint16_t tag)
{
	struct m3ua_param p;

	if (m3ua_find(m, tag, &p))
		m3ua_put_bytes(w, tag, p.v, p.len);
}

/* With the Traffic Mode and the Routing Contexts of the request (s.3.7.2, s.3.7.4). */
static void send_ack(struct asp *a, enum m3ua_type ack, const struct m3ua_msg *request)
{
	struct wr w;
	struct mbuf *m = asp_begin(a, &w, ack);

	if (!m)
		return;
	if (ack == M3UA_ASPAC_ACK)
		copy(&w, request, M3UA_P_TRAFFIC_MODE);
	if (ack == M3UA_ASPAC_ACK || ack == M3UA_ASPIA_ACK)
		copy(&w, request, M3UA_P_ROUTING_CONTEXT);
	asp_finish(a, &w, m);
}

void serve_say(struct asp *a, enum m3ua_type ack)
{
	struct wr w;
	struct mbuf *m = asp_begin(a, &w, ack);
	uint32_t rc;

	if (!m)
		return;
	if (ack == M3UA_ASPIA_ACK && context(a, &rc))
		m3ua_put_u32(&w, M3UA_P_ROUTING_CONTEXT, rc);
	asp_finish(a, &w, m);
}

static void send_error(struct asp *a, enum m3ua_error error, const struct m3ua_msg *about)
{
	struct wr w;
	struct mbuf *m = asp_begin(a, &w, M3UA_ERR);

	if (!m)
		return;
	m3ua_put_u32(&w, M3UA_P_ERROR_CODE, error);
	copy(&w, about, M3UA_P_ROUTING_CONTEXT);
	asp_finish(a, &w, m);
}

static void send_notify(struct asp *a, enum m3ua_ntfy_as status)
{
	struct wr w;
	struct mbuf *m = asp_begin(a, &w, M3UA_NTFY);
	uint32_t rc;

	if (!m)
		return;
	m3ua_put_u32(&w, M3UA_P_STATUS, (uint32_t)M3UA_NTFY_AS_STATE << 16 | status);
	if (context(a, &rc))
		m3ua_put_u32(&w, M3UA_P_ROUTING_CONTEXT, rc);
	asp_finish(a, &w, m);
}

/* The gateway's AS, which an SGP sees with one ASP and without T(r): nothing is kept for it. An IPSP says
 * nothing: there NTFY is optional (s.4.3.4.5). */
static void notify(struct asp *a, enum asp_state was, enum asp_state is)
{
	if (a->conf->role != ASP_ROLE_SGP || was == is)
		return;
	if (is == ASP_INACTIVE)
		send_notify(a, M3UA_AS_INACTIVE);
	else if (is == ASP_ACTIVE)
		send_notify(a, M3UA_AS_ACTIVE);
}

/* ---- requests ---- */

/* Contexts must be ours; none at all is all of them (s.3.7.1). */
static bool names_ours(const struct asp *a, const struct m3ua_msg *m)
{
	struct m3ua_param rcs;
	uint32_t rc;

	if (!context(a, &rc) || !m3ua_find(m, M3UA_P_ROUTING_CONTEXT, &rcs))
		return true;
	for (uint32_t i = 0; i < m3ua_list_len(&rcs); i++)
		if (m3ua_list_u32(&rcs, i) != rc)
			return false;
	return true;
}

/* What no state allows. The goal is an operator's lock, but not on the other direction of double exchange. */
static enum m3ua_error refusal(const struct asp *a, enum serve_event ev, const struct m3ua_msg *m)
{
	bool ours = a->conf->role != ASP_ROLE_IPSP_DE;

	if ((ev == SERVE_AC || ev == SERVE_IA) && !names_ours(a, m))
		return M3UA_E_NO_AS;
	if (ours && ((ev == SERVE_UP && a->goal < ASP_GOAL_INACTIVE) ||
			    (ev == SERVE_AC && a->goal < ASP_GOAL_ACTIVE)))
		return M3UA_E_REFUSED;
	return M3UA_E_NONE;
}

static void enter_peer(struct asp *a, enum asp_state next, const char *why)
{
	if (next == a->peer)
		return;
	asp_log(a, "the other direction: %s -> %s (%s)", asp_state_name(a->peer), asp_state_name(next), why);
	a->peer = next;
	a->env->up->changed(a);
}

void serve_request(struct asp *a, const struct m3ua_msg *m)
{
	bool de = a->conf->role == ASP_ROLE_IPSP_DE;
	enum asp_state was = de ? a->peer : a->state;
	enum serve_event ev = event_of(m->type);
	enum m3ua_error error = refusal(a, ev, m);
	struct serve_cell cell = serve_transition(a->conf->role, was, ev);

	a->c[ASP_C_REQUESTS]++;
	if (cell.action == SERVE_IGNORE)
		return;
	if (error == M3UA_E_NONE && cell.action == SERVE_ERR)
		error = M3UA_E_UNEXPECTED;
	if (error != M3UA_E_NONE) {
		send_error(a, error, m);
		return;
	}
	(de ? enter_peer : asp_enter)(a, cell.next, serve_event_name(ev));
	send_ack(a, requests[ev].ack, m);
	if (cell.action == SERVE_ACK_ERR_GO)
		send_error(a, M3UA_E_UNEXPECTED, m);
	notify(a, was, cell.next);
	if (!de && cell.action != SERVE_ACK)
		asp_event(a, ASP_EV_GOAL);
}

void serve_acknowledged(struct asp *a)
{
	if (a->conf->role == ASP_ROLE_IPSP_DE && a->peer == ASP_DOWN)
		enter_peer(a, ASP_INACTIVE, "ASPUP ACK");
}

void serve_reset(struct asp *a)
{
	if (a->conf->role == ASP_ROLE_IPSP_DE)
		enter_peer(a, a->conn ? ASP_DOWN : ASP_OFF, "association");
}

/* ---- point codes ---- */

static void send_status(struct asp *a, enum m3ua_type type, uint32_t entry)
{
	struct wr w;
	struct mbuf *m = asp_begin(a, &w, type);
	uint32_t rc;

	if (!m)
		return;
	if (a->conf->has_na)
		m3ua_put_u32(&w, M3UA_P_NETWORK_APPEARANCE, a->conf->na);
	if (context(a, &rc))
		m3ua_put_u32(&w, M3UA_P_ROUTING_CONTEXT, rc);
	m3ua_put_u32(&w, M3UA_P_AFFECTED_PC, entry);
	asp_finish(a, &w, m);
}

/* Our AS's point code, unless the operator has said otherwise; any, if it has none. */
static bool reachable(const struct asp *a, uint32_t entry)
{
	return !a->unreachable &&
	       (!a->conf->has_pc || (m3ua_apc_mask(entry) == 0 && m3ua_apc_pc(entry) == a->conf->pc));
}

void serve_audit(struct asp *a, const struct m3ua_msg *m)
{
	struct m3ua_param pcs;

	if (!asp_may_send(a)) {
		send_error(a, M3UA_E_UNEXPECTED, m);
		return;
	}
	if (!m3ua_find(m, M3UA_P_AFFECTED_PC, &pcs))
		return;
	for (uint32_t i = 0; i < m3ua_list_len(&pcs); i++) {
		uint32_t entry = m3ua_list_u32(&pcs, i);

		send_status(a, reachable(a, entry) ? M3UA_DAVA : M3UA_DUNA, entry);
	}
}

void serve_reachable(struct asp *a, bool reachable_now)
{
	a->unreachable = !reachable_now;
	if (asp_may_send(a) && a->conf->has_pc)
		send_status(a, reachable_now ? M3UA_DAVA : M3UA_DUNA, m3ua_apc_pack(0, a->conf->pc));
}
