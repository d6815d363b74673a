/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The gateway registers its routing keys at another SG (RFC 4666 s.4.4, at the ASP): before it becomes active
 * in an AS, and the other way round when it leaves. Each peer allocates a Routing Context of its own, so an
 * AS may have as many as it has SGPs. When to ask is the machine's matter (client_fsm.c); what is due at the
 * same settle goes into one message. */
#include <talloc.h>

#include "base/log.h"
#include "m3ua/client_int.h"
#include "m3ua/dispatch.h"
#include "m3ua/rkm.h"
#include "m3ua/sg_int.h"
#include "m3ua/sg_table.h"

/* ---- when ---- */

enum client_as_event client_reg_first(const struct as_asp *m, enum client_as_event e)
{
	return role_registers(m->asp) && !m->client.reg.registered ? CAE_REGISTER : e;
}

/* s.3.6.1: an identifier is used for one request only, however often that is repeated. */
static uint32_t next_id(struct asp *asp)
{
	if (!++asp->client.reg_id)
		asp->client.reg_id = 1;
	return asp->client.reg_id;
}

void client_reg_ask(struct as_asp *m)
{
	if (m->client.state == CA_REG_SENT && !m->client.tries)
		m->client.reg.id = next_id(m->asp);
	m->client.reg.due = m->asp->client.reg_due = m->asp->sg->reg_due = true;
}

static void reindex(struct as_asp *m)
{
	asp_index(m->asp);
	table_dirty_as(m->as);
}

void client_reg_forget(struct as_asp *m)
{
	struct client_reg *reg = &m->client.reg;
	bool known = reg->registered;

	*reg = (struct client_reg){.refusals = reg->refusals};
	if (known)
		reindex(m);
}

bool client_reg_leave(struct asp *asp)
{
	bool any = false;
	struct as_asp *m;

	llist_for_each_entry (m, &asp->ass, in_asp)
		if (m->client.reg.registered) {
			any = true;
			client_as_event(m, CAE_DEREGISTER, asp->client.reason);
		}
	return any;
}

/* ---- what is sent ---- */

static const struct network_conf *network_of(const struct as_asp *m)
{
	return m->as->network ? m->as->network->conf : NULL;
}

/* The order of s.3.6.1: the Network Appearance behind the first Destination Point Code. */
static void put_key(struct wr *w, const struct as_asp *m)
{
	const struct as_conf *c = m->as->conf;
	const struct network_conf *net = network_of(m);
	uint8_t *opened = m3ua_open(w, M3UA_P_ROUTING_KEY);

	m3ua_put_u32(w, M3UA_P_LOCAL_RK_ID, m->client.reg.id);
	if (c->has_rc)
		m3ua_put_u32(w, M3UA_P_ROUTING_CONTEXT, c->rc);
	m3ua_put_u32(w, M3UA_P_TRAFFIC_MODE, (uint32_t)c->mode);
	for (unsigned i = 0; i < c->n_keys; i++) {
		const struct key_conf *k = &c->keys[i];

		m3ua_put_u32(w, M3UA_P_DPC, m3ua_apc_pack(0, k->dpc));
		if (!i && net && net->has_na)
			m3ua_put_u32(w, M3UA_P_NETWORK_APPEARANCE, net->na);
		if (k->n_si)
			m3ua_put_bytes(w, M3UA_P_SI, k->si, k->n_si);
		m3ua_put_list(w, M3UA_P_OPC_LIST, k->opc, k->n_opc); /* every mask is 0 */
	}
	m3ua_close(w, opened);
}

static bool take_due(struct as_asp *m, enum client_as_state state)
{
	bool due = m->client.reg.due && m->client.state == state;

	if (due)
		m->client.reg.due = false;
	return due;
}

/* As many messages as the keys need. */
static void send_reg(struct asp *asp)
{
	struct out o = {.asp = asp};
	struct as_asp *m;

	llist_for_each_entry (m, &asp->ass, in_asp) {
		if (!take_due(m, CA_REG_SENT))
			continue;
		if (o.m && (uint32_t)(o.w.end - o.w.p) < rk_size(m->as->conf->keys, m->as->conf->n_keys)) {
			out_end(&o, 0);
			o.m = NULL;
		}
		if (!o.m)
			o = out_begin(asp, M3UA_REG_REQ);
		if (o.m) /* else T(ack) will see to it */
			put_key(&o.w, m);
	}
	out_end(&o, 0);
}

static void send_dereg(struct asp *asp)
{
	uint32_t *rcs = talloc_array(asp, uint32_t, asp->n_ass + 1), n = 0;
	struct as_asp *m;

	llist_for_each_entry (m, &asp->ass, in_asp)
		if (take_due(m, CA_DEREG_SENT) && rcs)
			rcs[n++] = m->client.reg.rc;
	for (uint32_t i = 0, some; i < n; i += some) {
		struct out o = out_begin(asp, M3UA_DEREG_REQ);
		uint32_t room = out_room(&o, 0);

		if (!room)
			break;
		some = n - i < room ? n - i : room;
		m3ua_put_list(&o.w, M3UA_P_ROUTING_CONTEXT, rcs + i, some);
		out_end(&o, 0);
	}
	talloc_free(rcs);
}

void client_reg_flush(struct sg *sg)
{
	struct asp *asp;

	if (!sg->reg_due)
		return;
	sg->reg_due = false;
	llist_for_each_entry (asp, &sg->asps, entry) {
		if (!asp->client.reg_due)
			continue;
		asp->client.reg_due = false;
		send_reg(asp);
		send_dereg(asp);
	}
}

void client_reg_withdraw(struct as_asp *m)
{
	struct out o = {.asp = m->asp};

	if (m->client.reg.registered && client_is_up(m->asp))
		o = out_begin(m->asp, M3UA_DEREG_REQ);
	if (!o.m)
		return;
	m3ua_put_u32(&o.w, M3UA_P_ROUTING_CONTEXT, m->client.reg.rc);
	out_end(&o, 0);
}

/* ---- what is answered ---- */

struct result {
	uint32_t id, status, rc;
};

/* The dictionary has seen to it that all is there. */
static struct result read_result(const struct m3ua_param *outer)
{
	struct m3ua_param it = {0};
	struct result r = {0};

	while (m3ua_next_inside(outer, &it)) {
		if (it.tag == M3UA_P_LOCAL_RK_ID)
			r.id = m3ua_list_u32(&it, 0);
		else if (it.tag == M3UA_P_REG_STATUS || it.tag == M3UA_P_DEREG_STATUS)
			r.status = m3ua_list_u32(&it, 0);
		else if (it.tag == M3UA_P_ROUTING_CONTEXT)
			r.rc = m3ua_list_u32(&it, 0);
	}
	return r;
}

static struct as_asp *find_id(const struct asp *asp, uint32_t id)
{
	struct as_asp *m;

	llist_for_each_entry (m, &asp->ass, in_asp)
		if (id && m->client.reg.id == id)
			return m;
	return NULL;
}

static const char *result_text(uint32_t status)
{
	return status < RKM_STATUSES ? rkm_status_name(status) : "a Registration Status that is none";
}

static void refused(struct as_asp *m, const char *why)
{
	m->client.reg.result = why;
	m->client.reg.refusals++;
	if (limit_allows(&m->asp->log, SG_LOGS_PER_SECOND, NULL))
		LOGP(DASP, LOGL_NOTICE, "asp %s in as %s: not registered: %s; next attempt in %u ms\n",
			m->asp->name, m->as->name, why, m->asp->conf->t_ack_ms * CLIENT_SLOW);
	client_as_event(m, CAE_ERROR, why);
}

static void granted(struct as_asp *m, const struct result *r)
{
	struct client_reg *reg = &m->client.reg;

	reg->registered = true;
	reg->rc = r->rc;
	reg->id = 0;
	reg->result = result_text(r->status);
	reindex(m);
	if (limit_allows(&m->asp->log, SG_LOGS_PER_SECOND, NULL))
		LOGP(DASP, LOGL_NOTICE, "asp %s in as %s: registered, Routing Context %u\n", m->asp->name,
			m->as->name, r->rc);
	client_as_event(m, CAE_REGISTERED, reg->result);
}

/* s.4.4.1: "Already Registered" is as good, and has the Routing Context too. Two keys with one Routing
 * Context could not be told apart in DATA. */
static void heed(struct as_asp *m, const struct result *r)
{
	bool good = r->status == RKM_REGISTERED || r->status == RKM_ALREADY_REGISTERED;

	if (!good)
		refused(m, result_text(r->status));
	else if (asp_find_rc(m->asp, r->rc))
		refused(m, "the Routing Context allocated is another Application Server's");
	else
		granted(m, r);
}

/* What nobody has asked for, or another answer has come to, says nothing new. */
void client_reg_rsp(const struct in *in)
{
	struct m3ua_param it = {0};

	while (m3ua_next(&in->msg, &it)) {
		struct result r = it.tag == M3UA_P_REG_RESULT ? read_result(&it) : (struct result){0};
		struct as_asp *m = find_id(in->asp, r.id);

		if (m)
			heed(m, &r);
	}
}

static void log_dereg(const struct as_asp *m, uint32_t status)
{
	if (!limit_allows(&m->asp->log, SG_LOGS_PER_SECOND, NULL))
		return;
	if (status == RKM_DEREGISTERED)
		LOGP(DASP, LOGL_INFO, "asp %s in as %s: deregistered\n", m->asp->name, m->as->name);
	else
		LOGP(DASP, LOGL_NOTICE, "asp %s in as %s: Deregistration Status %u; ASPDN does it\n",
			m->asp->name, m->as->name, status);
}

/* Whatever the result: the gateway leaves. */
void client_dereg_rsp(const struct in *in)
{
	struct m3ua_param it = {0};

	while (m3ua_next(&in->msg, &it)) {
		struct result r = it.tag == M3UA_P_DEREG_RESULT ? read_result(&it) : (struct result){0};
		struct as_asp *m = it.tag == M3UA_P_DEREG_RESULT ? asp_find_rc(in->asp, r.rc) : NULL;

		if (!m || m->client.state != CA_DEREG_SENT)
			continue;
		log_dereg(m, r.status);
		client_as_event(m, CAE_DEREGISTERED, "DEREG RSP");
	}
}
