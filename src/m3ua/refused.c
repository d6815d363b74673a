/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "m3ua/refused.h"

#include <stdio.h>

#include "base/log.h"
#include "m3ua/dispatch.h"
#include "m3ua/mgmt.h"
#include "m3ua/once.h"
#include "m3ua/role.h"
#include "m3ua/sg_int.h"
#include "m3ua/ssnm.h"
#include "wire/m3ua_data.h"

enum { CAUSE_UNEQUIPPED = 1, CAUSE_INACCESSIBLE = 2 }; /* s.3.4.5 */

struct refusal {
	struct in in;
	struct m3ua_data data; /* zeros if it could not be parsed */
	enum drop_reason reason;
};

/* ---- answers ---- */

static void answer_nothing(const struct refusal *r)
{
	(void)r; /* counted by the plane */
}

/* The dictionary says what is wrong; what it finds right and the fast path does not is in Protocol Data. */
static void answer_malformed(const struct refusal *r)
{
	struct m3ua_msg msg;
	struct m3ua_fault f = {0};

	if (m3ua_parse(r->in.msg.bytes, r->in.len, &msg, &f))
		f.error = M3UA_E_PARAMETER_FIELD;
	err_answer(&r->in, f.error, NULL);
}

static void answer_stream(const struct refusal *r)
{
	err_answer(&r->in, M3UA_E_INVALID_STREAM, NULL);
}

static void answer_unexpected(const struct refusal *r)
{
	err_answer_rcs(&r->in, M3UA_E_UNEXPECTED);
}

static void answer_bad_rc(const struct refusal *r)
{
	err_answer_rcs(&r->in, M3UA_E_INVALID_RC);
}

/* s.3.8.1: a conditional parameter that is required here, or no AS at all to be meant. */
static void answer_no_rc(const struct refusal *r)
{
	err_answer(&r->in, r->in.asp->n_ass ? M3UA_E_MISSING_PARAMETER : M3UA_E_NO_AS, NULL);
}

static void answer_bad_na(const struct refusal *r)
{
	err_answer(&r->in, M3UA_E_INVALID_NA, &(struct err_args){.has_na = r->data.has_na, .na = r->data.na});
}

/* The AS that the message came from. */
static const struct as_asp *origin(const struct refusal *r)
{
	struct asp *asp = r->in.asp;
	const struct as_asp *m;

	if (r->data.has_rc)
		return asp_find_own_rc(asp, r->data.rc);
	llist_for_each_entry (m, &asp->ass, in_asp)
		if (!m->as->conf->has_rc || asp->n_ass == 1)
			return m;
	return NULL;
}

static void tell(const struct refusal *r, uint16_t type, uint16_t cause)
{
	const struct as_asp *m = origin(r);
	const struct mtp3_label *l = &r->data.label;
	uint32_t kind = (uint32_t)type | (type == M3UA_DUPU ? (uint32_t)l->si << 24 : 0);
	uint32_t rc = m ? m->as->conf->rc : 0;
	struct ssnm_to to;

	/* an SGP is sent no DUNA or DUPU: s.3.4 */
	if (!m || !m->as->network || !role_of(r->in.asp)->serves ||
		!once_allows(r->in.asp, kind, m->as->network->index, l->dpc, m->as->network->conf->t8_ms))
		return;
	to = (struct ssnm_to){
		.asp = r->in.asp, .network = m->as->network, .rcs = &rc, .n_rcs = m->as->conf->has_rc};
	if (type == M3UA_DUPU)
		ssnm_dupu_to(&to, l->dpc, cause, l->si);
	else
		ssnm_status_to(&to, type, &l->dpc, 1);
}

static void answer_duna(const struct refusal *r)
{
	tell(r, M3UA_DUNA, 0);
}

static void answer_dupu(const struct refusal *r)
{
	tell(r, M3UA_DUPU, CAUSE_UNEQUIPPED);
}

/* Another AS may serve other users of the point code: then it is this user that cannot be reached. */
static void answer_as_down(const struct refusal *r)
{
	const struct as_asp *m = origin(r);
	const struct dest *d =
		m && m->as->network ? dest_match(m->as->sg->router, m->as->network->index, r->data.label.dpc)
				    : NULL;

	if (!d || (d->status != DEST_AVAILABLE && d->status != DEST_RESTRICTED))
		tell(r, M3UA_DUNA, 0);
	else if (d->n_selectors > 1 && d->n_egresses > 1)
		tell(r, M3UA_DUPU, CAUSE_INACCESSIBLE);
	/* else it has come back since: a DUNA behind the DAVA would never be taken back */
}

static const struct answer {
	void (*fn)(const struct refusal *r);
	bool is_error; /* an ERR: rate-limited per ASP; SSNM has T8 */
} answers[DROP_COUNT] = {
	[DROP_MALFORMED] = {answer_malformed, true},
	[DROP_STREAM_0] = {answer_stream, true},
	[DROP_NOT_ACTIVE] = {answer_unexpected, true},
	[DROP_BAD_RC] = {answer_bad_rc, true},
	[DROP_NO_RC] = {answer_no_rc, true},
	[DROP_BAD_NA] = {answer_bad_na, true},
	[DROP_NO_ROUTE] = {answer_duna, false},
	[DROP_NO_USER] = {answer_dupu, false},
	[DROP_AS_DOWN] = {answer_as_down, false},
	/* the rest has no answer in the standard: counted, and logged below */
};

/* In the notation of its network, where that is known. */
static const char *pc_text(const struct as_asp *from, uint32_t pc, char text[PC_STR])
{
	static const struct pc_format plain = {.n = 0};

	return pc_str(
		pc, from && from->as->network ? &from->as->network->conf->format : &plain, text, PC_STR);
}

static void log_refusal(struct asp *asp, const struct refusal *r)
{
	const struct as_asp *from;
	const struct mtp3_label *l = &r->data.label;
	char opc[PC_STR], dpc[PC_STR], more[40] = "";
	unsigned missed;

	if (!limit_allows(&asp->data_log, SG_LOGS_PER_SECOND, &missed))
		return;
	from = origin(r);
	if (missed)
		snprintf(more, sizeof(more), " (%u more not logged)", missed);
	LOGP(DROUTE, LOGL_NOTICE, "asp %s: DATA opc %s dpc %s si %u sls %u not forwarded: %s%s\n", asp->name,
		pc_text(from, l->opc, opc), pc_text(from, l->dpc, dpc), l->si, l->sls, drop_text(r->reason),
		more);
}

static void refuse(struct refusal *r)
{
	struct asp *asp = r->in.asp;
	const struct answer *a = &answers[r->reason];

	if (!m3ua_data_parse(r->in.msg.bytes, r->in.len, &r->data))
		r->data = (struct m3ua_data){0};
	log_refusal(asp, r);
	if (!a->fn)
		answer_nothing(r);
	else if (a->is_error && !limit_allows(&asp->data_errors, SG_DATA_ERRORS_PER_SECOND, NULL))
		asp->errors_suppressed++;
	else
		a->fn(r);
}

void refused_data(struct asp *asp, const struct plane_event *ev)
{
	struct refusal r = {.in = {.asp = asp}, .reason = ev->reason_code};
	struct m3ua_fault f;

	if (!ev->take_mbuf || (unsigned)ev->reason_code >= DROP_COUNT)
		return;
	r.in.stream = ev->take_mbuf->stream;
	r.in.len = ev->take_mbuf->len;
	(void)m3ua_parse(mbuf_head(ev->take_mbuf), ev->take_mbuf->len, &r.in.msg, &f);
	if (r.in.msg.bytes)
		refuse(&r);
}

void refused_unchecked(const struct in *in)
{
	struct refusal r = {.in = *in, .reason = in->stream == 0 ? DROP_STREAM_0 : DROP_MALFORMED};

	refuse(&r);
}

/* 0, or 3 in the wrong octet order, comes from peers that forgot it. */
void refused_ppid(struct asp *asp, uint32_t ppid)
{
	bool tolerable = ppid == 0 || ppid == __builtin_bswap32(TP_PPID_M3UA);

	if (limit_allows(&asp->data_log, SG_LOGS_PER_SECOND, NULL))
		LOGP(DASP, LOGL_NOTICE,
			"asp %s: discarded a message of SCTP payload protocol identifier %u; M3UA's is "
			"%u%s\n",
			asp->name, ppid, TP_PPID_M3UA, tolerable ? " (compat any-ppid forgives that)" : "");
}
