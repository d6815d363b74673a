/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The messages of an ASP: writing ours, and a table of what to do with the gateway's. */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "sim/asp.h"
#include "sim/serve.h"

enum {
	REGISTRATION = 1, /* our Local-RK-Identifier */
	REG_DONE = 0,     /* s.3.6.2 */
	REG_ALREADY = 12,
};

/* ---- sending ---- */

struct mbuf *asp_begin(struct asp *a, struct wr *w, uint16_t type)
{
	struct mbuf *m = a->conn ? mbuf_alloc(a->env->tp->pool) : NULL;

	if (!m)
		return NULL;
	*w = wr_over(mbuf_head(m), mbuf_tailroom(m));
	m3ua_begin(w, type);
	return m;
}

bool asp_finish(struct asp *a, struct wr *w, struct mbuf *m)
{
	char text[200];

	m->len = m3ua_end(w);
	if (!m->len) {
		mbuf_free(a->env->tp->pool, m);
		return false;
	}
	m->ppid = TP_PPID_M3UA;
	m->stream = 0; /* RFC 4666 s.1.4.7: everything but DATA */
	a->c[ASP_C_TX_OTHER]++;
	if (a->env->up->log)
		asp_log(a, "> %s", m3ua_dump(mbuf_head(m), m->len, text, sizeof(text)));
	asp_queue(a, m);
	return true;
}

/* One key: the AS's point code. */
static bool send_registration(struct asp *a)
{
	struct wr w;
	struct mbuf *m = asp_begin(a, &w, M3UA_REG_REQ);
	uint8_t *key;

	if (!m)
		return false;
	key = m3ua_open(&w, M3UA_P_ROUTING_KEY);
	m3ua_put_u32(&w, M3UA_P_LOCAL_RK_ID, REGISTRATION);
	if (a->conf->mode)
		m3ua_put_u32(&w, M3UA_P_TRAFFIC_MODE, a->conf->mode);
	m3ua_put_u32(&w, M3UA_P_DPC, m3ua_apc_pack(0, a->conf->pc));
	if (a->conf->has_na)
		m3ua_put_u32(&w, M3UA_P_NETWORK_APPEARANCE, a->conf->na);
	m3ua_close(&w, key);
	return asp_finish(a, &w, m);
}

bool asp_send_request(struct asp *a, enum m3ua_type type)
{
	struct wr w;
	struct mbuf *m;

	if (type == M3UA_ASPAC && a->conf->registers && !a->registered)
		return send_registration(a);
	m = asp_begin(a, &w, type);
	if (!m)
		return false;
	if (type == M3UA_ASPUP && a->conf->has_asp_id)
		m3ua_put_u32(&w, M3UA_P_ASP_ID, a->conf->asp_id + a->index);
	if (type == M3UA_ASPAC && a->conf->mode)
		m3ua_put_u32(&w, M3UA_P_TRAFFIC_MODE, a->conf->mode);
	if ((type == M3UA_ASPAC || type == M3UA_ASPIA) && a->has_rc)
		m3ua_put_u32(&w, M3UA_P_ROUTING_CONTEXT, a->rc);
	return asp_finish(a, &w, m);
}

bool asp_send_error(struct asp *a, enum m3ua_error error)
{
	struct wr w;
	struct mbuf *m = asp_begin(a, &w, M3UA_ERR);

	if (!m)
		return false;
	m3ua_put_u32(&w, M3UA_P_ERROR_CODE, error);
	return asp_finish(a, &w, m);
}

bool asp_send_beat(struct asp *a)
{
	uint8_t data[4];
	struct wr w;
	struct mbuf *m = asp_begin(a, &w, M3UA_BEAT);

	if (!m)
		return false;
	put_u32(data, ++a->beat_seq);
	m3ua_put_bytes(&w, M3UA_P_HEARTBEAT_DATA, data, sizeof(data));
	a->c[ASP_C_BEAT]++;
	return asp_finish(a, &w, m);
}

/* ---- receiving ---- */

static void got_up_ack(struct asp *a, const struct m3ua_msg *m)
{
	(void)m;
	serve_acknowledged(a);
	asp_event(a, ASP_EV_UP_ACK);
}

static void got_dn_ack(struct asp *a, const struct m3ua_msg *m)
{
	(void)m;
	asp_event(a, ASP_EV_DN_ACK);
}

/* An ACK counts if it names our Routing Context or none (RFC 4666 s.3.7.2). */
static bool names_us(const struct asp *a, const struct m3ua_msg *m)
{
	struct m3ua_param rcs;

	if (!a->has_rc || !m3ua_find(m, M3UA_P_ROUTING_CONTEXT, &rcs))
		return true;
	for (uint32_t i = 0; i < m3ua_list_len(&rcs); i++)
		if (m3ua_list_u32(&rcs, i) == a->rc)
			return true;
	return false;
}

static void got_ac_ack(struct asp *a, const struct m3ua_msg *m)
{
	if (names_us(a, m))
		asp_event(a, ASP_EV_AC_ACK);
}

static void got_ia_ack(struct asp *a, const struct m3ua_msg *m)
{
	if (names_us(a, m))
		asp_event(a, ASP_EV_IA_ACK);
}

struct result {
	uint32_t id, status, rc;
};

static struct result read_result(const struct m3ua_param *p)
{
	struct m3ua_param it = {0};
	struct result r = {0};

	while (m3ua_next_inside(p, &it)) {
		if (it.tag == M3UA_P_LOCAL_RK_ID)
			r.id = m3ua_list_u32(&it, 0);
		else if (it.tag == M3UA_P_REG_STATUS)
			r.status = m3ua_list_u32(&it, 0);
		else if (it.tag == M3UA_P_ROUTING_CONTEXT)
			r.rc = m3ua_list_u32(&it, 0);
	}
	return r;
}

/* Now it can activate; refused, it tries again after a while, as after an ERR. */
static void got_reg_rsp(struct asp *a, const struct m3ua_msg *m)
{
	struct m3ua_param p;
	struct result r;

	if (a->state != ASP_WAIT_ACTIVE || a->registered || !m3ua_find(m, M3UA_P_REG_RESULT, &p))
		return;
	r = read_result(&p);
	if (r.id != REGISTRATION)
		return;
	if (r.status != REG_DONE && r.status != REG_ALREADY) {
		asp_log(a, "not registered: status %u", r.status);
		asp_event(a, ASP_EV_REFUSED);
		return;
	}
	a->registered = a->has_rc = true;
	a->rc = r.rc;
	asp_event(a, ASP_EV_T_ACK); /* the request that is due now: ASPAC */
}

/* With its data unchanged, in every state (s.3.5.5). */
static void got_beat(struct asp *a, const struct m3ua_msg *in)
{
	struct m3ua_param data;
	struct wr w;
	struct mbuf *m = asp_begin(a, &w, M3UA_BEAT_ACK);

	if (!m)
		return;
	if (m3ua_find(in, M3UA_P_HEARTBEAT_DATA, &data))
		m3ua_put_bytes(&w, M3UA_P_HEARTBEAT_DATA, data.v, data.len);
	asp_finish(a, &w, m);
}

static void got_beat_ack(struct asp *a, const struct m3ua_msg *m)
{
	(void)m;
	a->c[ASP_C_BEAT_ACK]++;
}

static void got_ntfy(struct asp *a, const struct m3ua_msg *m)
{
	uint32_t status = 0;

	a->c[ASP_C_NTFY]++;
	m3ua_find_u32(m, M3UA_P_STATUS, &status);
	if (status == ((uint32_t)M3UA_NTFY_OTHER << 16 | M3UA_ALTERNATE) && names_us(a, m))
		asp_event(a, ASP_EV_ALTERNATE);
}

static void got_err(struct asp *a, const struct m3ua_msg *m)
{
	a->c[ASP_C_ERR]++;
	m3ua_find_u32(m, M3UA_P_ERROR_CODE, &a->last_error);
	asp_event(a, ASP_EV_REFUSED);
}

static void got_ssnm(struct asp *a, const struct m3ua_msg *m)
{
	a->c[ASP_C_SSNM]++;
	a->env->up->ssnm(a, m);
}

enum { /* who has a use for it */
	BY_ASP = 1 << ASP_ROLE_ASP,
	BY_SGP = 1 << ASP_ROLE_SGP,
	BY_IPSP = 1 << ASP_ROLE_IPSP_SE | 1 << ASP_ROLE_IPSP_DE,
	BY_ALL = BY_ASP | BY_SGP | BY_IPSP,
};

static const struct {
	uint16_t type;
	uint16_t roles;
	void (*got)(struct asp *a, const struct m3ua_msg *m);
} handlers[] = {
	{M3UA_ASPUP, BY_SGP | BY_IPSP, serve_request},
	{M3UA_ASPDN, BY_SGP | BY_IPSP, serve_request},
	{M3UA_ASPAC, BY_SGP | BY_IPSP, serve_request},
	{M3UA_ASPIA, BY_SGP | BY_IPSP, serve_request},
	{M3UA_DAUD, BY_SGP | BY_IPSP, serve_audit},
	{M3UA_ASPUP_ACK, BY_ASP | BY_IPSP, got_up_ack},
	{M3UA_ASPDN_ACK, BY_ASP | BY_IPSP, got_dn_ack},
	{M3UA_ASPAC_ACK, BY_ASP | BY_IPSP, got_ac_ack},
	{M3UA_ASPIA_ACK, BY_ASP | BY_IPSP, got_ia_ack},
	{M3UA_REG_RSP, BY_ASP, got_reg_rsp},
	{M3UA_BEAT, BY_ALL, got_beat},
	{M3UA_BEAT_ACK, BY_ALL, got_beat_ack},
	{M3UA_NTFY, BY_ASP | BY_IPSP, got_ntfy},
	{M3UA_ERR, BY_ALL, got_err},
	{M3UA_DUNA, BY_ASP | BY_IPSP, got_ssnm},
	{M3UA_DAVA, BY_ASP | BY_IPSP, got_ssnm},
	{M3UA_DRST, BY_ASP | BY_IPSP, got_ssnm},
	{M3UA_SCON, BY_ALL, got_ssnm},
	{M3UA_DUPU, BY_ASP | BY_IPSP, got_ssnm},
};

static void receive_other(struct asp *a, const struct mbuf *raw, const uint8_t *bytes)
{
	struct m3ua_msg m;
	struct m3ua_fault f;
	char text[200];

	a->c[ASP_C_RX_OTHER]++;
	if (a->env->up->log)
		asp_log(a, "< %s", m3ua_dump(bytes, raw->len, text, sizeof(text)));
	if (!m3ua_parse(bytes, raw->len, &m, &f)) {
		a->c[ASP_C_MALFORMED]++;
		asp_log(a, "malformed message: %s", f.what ? f.what : m3ua_error_name(f.error));
		return;
	}
	for (size_t i = 0; i < sizeof(handlers) / sizeof(*handlers); i++)
		if (handlers[i].type == m.type && handlers[i].roles & 1u << a->conf->role) {
			handlers[i].got(a, &m);
			return;
		}
	asp_log(a, "nothing for this role: %s", m3ua_type_name(m.type));
	if (a->conf->role != ASP_ROLE_ASP)
		asp_send_error(a, M3UA_E_UNEXPECTED);
}

static bool is_data(const uint8_t *bytes, uint32_t len)
{
	return len >= M3UA_HEADER && bytes[2] == M3UA_DATA >> 8 && bytes[3] == (M3UA_DATA & 0xff);
}

void asp_receive(struct asp *a, struct mbuf *m)
{
	const uint8_t *bytes = mbuf_head(m);
	struct m3ua_data d;

	if (!is_data(bytes, m->len)) {
		receive_other(a, m, bytes);
		return;
	}
	if (!m3ua_data_parse(bytes, m->len, &d)) {
		a->c[ASP_C_MALFORMED]++;
		return;
	}
	a->c[ASP_C_RX_DATA]++;
	a->env->up->data(a, &d, bytes + d.payload_off, m->rx_ns ? m->rx_ns : clock_ns());
}
