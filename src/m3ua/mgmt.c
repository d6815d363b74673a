/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "m3ua/mgmt.h"

#include "base/clock.h"
#include "base/log.h"
#include "m3ua/dispatch.h"
#include "m3ua/role.h"
#include "m3ua/sg_int.h"

enum {
	ERR_DIAGNOSTIC = 40, /* octets of the offending message: s.3.8.1 demands that many for two errors */
	ERR_CODES = 32,
};

/* Room that the parameters behind a list of Routing Contexts may need. */
enum { ERR_TAIL = M3UA_PARAM_HEADER + 4 + M3UA_PARAM_HEADER + ERR_DIAGNOSTIC };

static uint32_t min_u32(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

static struct out err_begin(const struct in *in, enum m3ua_error code)
{
	struct out o = {.asp = in->asp};

	if (in->msg.type == M3UA_ERR) /* s.3.8.1: never in response to another Error */
		return o;
	o = out_begin(in->asp, M3UA_ERR);
	if (o.m) {
		in->asp->errors_tx[code % ERR_CODES]++;
		m3ua_put_u32(&o.w, M3UA_P_ERROR_CODE, code);
	}
	return o;
}

static void err_finish(const struct in *in, struct out *o)
{
	if (o->m)
		m3ua_put_bytes(&o->w, M3UA_P_DIAGNOSTIC, in->msg.bytes, min_u32(in->len, ERR_DIAGNOSTIC));
	out_end(o, 0);
}

void err_answer(const struct in *in, enum m3ua_error code, const struct err_args *args)
{
	struct out o = err_begin(in, code);

	if (o.m && args) {
		m3ua_put_list(&o.w, M3UA_P_ROUTING_CONTEXT, args->rcs,
			min_u32(args->n_rcs, out_room(&o, ERR_TAIL)));
		if (args->has_na)
			m3ua_put_u32(&o.w, M3UA_P_NETWORK_APPEARANCE, args->na);
	}
	err_finish(in, &o);
}

void err_answer_rcs(const struct in *in, enum m3ua_error code)
{
	struct out o = err_begin(in, code);
	struct m3ua_param p;

	if (o.m && m3ua_find(&in->msg, M3UA_P_ROUTING_CONTEXT, &p))
		m3ua_put_bytes(&o.w, M3UA_P_ROUTING_CONTEXT, p.v,
			4 * min_u32(m3ua_list_len(&p), out_room(&o, ERR_TAIL)));
	err_finish(in, &o);
}

void mgmt_err(const struct in *in)
{
	struct asp *asp = in->asp;
	uint32_t code = 0;
	char dump[160];

	m3ua_find_u32(&in->msg, M3UA_P_ERROR_CODE, &code);
	asp->errors_rx[code < ERR_CODES ? code : 0]++;
	if (limit_allows(&asp->log, SG_LOGS_PER_SECOND, NULL))
		LOGP(DASP, LOGL_NOTICE, "asp %s reports error 0x%02x (%s): %s\n", asp->name, code,
			m3ua_error_name(code), m3ua_dump(in->msg.bytes, in->msg.len, dump, sizeof(dump)));
	if (role_of(asp)->asks)
		client_error(in, code);
}

/* Status, [ASP Identifier], [Routing Context]: the order of s.3.8.2. An SGP is told nothing: its AS's state
 * is its own affair. */
static void ntfy(struct asp *asp, const struct as *as, uint16_t type, uint16_t info, const struct asp *about)
{
	struct out o = {.asp = asp};

	if (role_of(asp)->serves && !asp->conf->compat.no_ntfy)
		o = out_begin(asp, M3UA_NTFY);
	if (!o.m)
		return;
	m3ua_put_u32(&o.w, M3UA_P_STATUS, m3ua_status_pack(type, info));
	if (about && about->has_id)
		m3ua_put_u32(&o.w, M3UA_P_ASP_ID, about->id);
	if (as->conf->has_rc)
		m3ua_put_u32(&o.w, M3UA_P_ROUTING_CONTEXT, as->conf->rc);
	out_end(&o, 0);
}

static uint16_t as_status_info(enum as_state s)
{
	static const uint16_t info[AS_STATES] = {[AS_INACTIVE] = M3UA_AS_INACTIVE,
		[AS_ACTIVE] = M3UA_AS_ACTIVE,
		[AS_PENDING] = M3UA_AS_PENDING};

	return info[s];
}

void ntfy_as_state(struct as *as, const struct asp *failed)
{
	struct as_asp *m;

	if (as->state == AS_DOWN)
		return;
	llist_for_each_entry (m, &as->asps, in_as)
		if (m->state != ASP_DOWN)
			ntfy(m->asp, as, M3UA_NTFY_AS_STATE, as_status_info(as->state), failed);
}

void ntfy_as_state_to(struct asp *asp, struct as *as)
{
	if (as->state != AS_DOWN)
		ntfy(asp, as, M3UA_NTFY_AS_STATE, as_status_info(as->state), NULL);
}

void ntfy_insufficient(struct as *as)
{
	struct as_asp *m;

	llist_for_each_entry (m, &as->asps, in_as)
		if (m->state == ASP_INACTIVE)
			ntfy(m->asp, as, M3UA_NTFY_OTHER, M3UA_INSUFFICIENT, NULL);
}

void ntfy_failure(struct as *as, const struct asp *failed)
{
	struct as_asp *m;

	llist_for_each_entry (m, &as->asps, in_as)
		if (m->asp != failed && m->state != ASP_DOWN)
			ntfy(m->asp, as, M3UA_NTFY_OTHER, M3UA_ASP_FAILURE, failed);
}

void ntfy_alternate(struct asp *asp, struct as *as, const struct asp *alternate)
{
	ntfy(asp, as, M3UA_NTFY_OTHER, M3UA_ALTERNATE, alternate);
}
