/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One row per message that may be received, a column per role; all else is refused here, by the dictionary.
 */
#include "m3ua/dispatch.h"

#include <stddef.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/log.h"
#include "m3ua/aspsm.h"
#include "m3ua/asptm.h"
#include "m3ua/beat.h"
#include "m3ua/mgmt.h"
#include "m3ua/refused.h"
#include "m3ua/rkm.h"
#include "m3ua/role.h"
#include "m3ua/sg_int.h"
#include "m3ua/ssnm.h"
#include "m3ua/ssnm_rx.h"

/* When a role may be sent a message; else the answer is Error "Unexpected Message". */
enum when {
	NEVER,  /* the other direction's: DUNA to an SGP, ASPUP to an ASP, ... */
	ALWAYS, /* in every state */
	PEER,   /* after the peer's ASPUP */
	OWN,    /* after the peer's acknowledgement of ours */
	UP,     /* after either */
};

struct handler {
	uint16_t type;
	void (*fn)(const struct in *in);
	bool any_stream; /* s.1.4.7: else stream 0 only */
	uint8_t when[ROLES];
};

/* clang-format off */
static const struct handler handlers[] = {
	/*                                      stream   sgp     asp     ipsp-se ipsp-de */
	{M3UA_ERR,       mgmt_err,            true,  {ALWAYS, ALWAYS, ALWAYS, ALWAYS}}, /* never answered */
	{M3UA_NTFY,      client_notified,     true,  {NEVER,  OWN,    UP,     UP}},
	{M3UA_ASPUP,     aspsm_up,            false, {ALWAYS, NEVER,  ALWAYS, ALWAYS}},
	{M3UA_ASPDN,     aspsm_down,          false, {ALWAYS, NEVER,  ALWAYS, ALWAYS}},
	{M3UA_BEAT,      beat_received,       true,  {ALWAYS, ALWAYS, ALWAYS, ALWAYS}},
	{M3UA_ASPUP_ACK, client_up_ack,       false, {NEVER,  ALWAYS, ALWAYS, ALWAYS}},
	{M3UA_ASPDN_ACK, client_down_ack,     false, {NEVER,  ALWAYS, ALWAYS, ALWAYS}},
	{M3UA_BEAT_ACK,  beat_acknowledged,   true,  {ALWAYS, ALWAYS, ALWAYS, ALWAYS}},
	{M3UA_ASPAC,     asptm_active,        true,  {PEER,   NEVER,  PEER,   PEER}},
	{M3UA_ASPIA,     asptm_inactive,      true,  {PEER,   NEVER,  PEER,   PEER}},
	{M3UA_ASPAC_ACK, client_active_ack,   true,  {NEVER,  OWN,    OWN,    OWN}},
	{M3UA_ASPIA_ACK, client_inactive_ack, true,  {NEVER,  OWN,    OWN,    OWN}},
	{M3UA_DAUD,      ssnm_daud,           true,  {PEER,   NEVER,  UP,     UP}},
	{M3UA_DUNA,      ssnm_rx_status,      true,  {NEVER,  OWN,    UP,     UP}},
	{M3UA_DAVA,      ssnm_rx_status,      true,  {NEVER,  OWN,    UP,     UP}},
	{M3UA_DRST,      ssnm_rx_status,      true,  {NEVER,  OWN,    UP,     UP}},
	{M3UA_DUPU,      ssnm_rx_dupu,        true,  {NEVER,  OWN,    UP,     UP}},
	{M3UA_SCON,      ssnm_rx_scon,        true,  {PEER,   OWN,    UP,     UP}},
	{M3UA_REG_REQ,   rkm_reg_req,         false, {PEER,   NEVER,  PEER,   PEER}},
	{M3UA_DEREG_REQ, rkm_dereg_req,       false, {PEER,   NEVER,  PEER,   PEER}},
	{M3UA_REG_RSP,   client_reg_rsp,      false, {NEVER,  OWN,    NEVER,  NEVER}},
	{M3UA_DEREG_RSP, client_dereg_rsp,    false, {NEVER,  OWN,    NEVER,  NEVER}},
	{M3UA_DATA,      refused_unchecked,   true,  {ALWAYS, ALWAYS, ALWAYS, ALWAYS}}, /* the plane's; here only
											   when it could not tell */
};
/* clang-format on */

static const struct handler *find(uint16_t type)
{
	for (unsigned i = 0; i < sizeof(handlers) / sizeof(handlers[0]); i++)
		if (handlers[i].type == type)
			return &handlers[i];
	return NULL;
}

static void log_fault(const struct in *in, const struct m3ua_fault *f)
{
	struct asp *asp = in->asp;
	unsigned missed;
	char dump[160], where[32] = "";

	if (!limit_allows(&asp->log, SG_LOGS_PER_SECOND, &missed))
		return;
	if (f->tag)
		snprintf(where, sizeof(where), ", parameter 0x%04x", f->tag);
	LOGP(DASP, LOGL_NOTICE, "asp %s: refused, error 0x%02x%s: %s%s\n", asp->name, f->error, where,
		m3ua_dump(in->msg.bytes, in->len, dump, sizeof(dump)),
		missed ? "; more were not logged" : "");
}

static bool is_due(const struct asp *asp, enum when when)
{
	switch (when) {
	case ALWAYS: return true;
	case PEER: return asp->up;
	case OWN: return client_is_up(asp);
	case UP: return asp->up || client_is_up(asp);
	case NEVER: break;
	}
	return false;
}

/* Is this message one that its sender may send, here and now? If not, it has been answered. */
static const struct handler *admit(const struct in *in)
{
	const struct handler *h = find(in->msg.type);
	enum when when = h ? (enum when)h->when[in->asp->conf->role] : NEVER;

	if (when != NEVER && !h->any_stream && in->stream != 0 && !in->asp->conf->compat.any_stream) {
		err_answer(in, M3UA_E_INVALID_STREAM, NULL);
		return NULL;
	}
	if (!is_due(in->asp, when)) {
		err_answer_rcs(in, M3UA_E_UNEXPECTED);
		return NULL;
	}
	return h;
}

/* s.4.4.1: where registration is not supported, whatever is in the message. */
static bool is_foreign_rkm(const struct asp *asp, uint16_t type)
{
	bool answers = type == M3UA_REG_RSP || type == M3UA_DEREG_RSP;

	return type >> 8 == M3UA_RKM && asp->conf->rkm.policy == RKM_OFF && !(answers && role_registers(asp));
}

void dispatch_message(struct asp *asp, const uint8_t *bytes, uint32_t len, uint16_t stream)
{
	struct in in = {.asp = asp, .len = len, .stream = stream};
	struct m3ua_fault f = {0};
	const struct handler *h;
	bool ok = m3ua_parse(bytes, len, &in.msg, &f);

	if (len < M3UA_HEADER) { /* no message at all: nothing that an answer could be about */
		asp->sg->stats.runts++;
		return;
	}
	asp->rx[asp_type_slot(in.msg.type)]++;
	beat_heard(asp);
	if (f.error != M3UA_E_INVALID_VERSION && is_foreign_rkm(asp, in.msg.type)) {
		err_answer(&in, M3UA_E_UNSUPPORTED_CLASS, NULL);
		return;
	}
	if (!ok) {
		log_fault(&in, &f);
		err_answer(&in, f.error, NULL);
		return;
	}
	h = admit(&in);
	if (h)
		h->fn(&in);
}
