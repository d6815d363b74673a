/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The dictionary of RFC 4666 s.3: every message, every parameter, and which goes where. Checks, dumps and
 * tests derive from these rows; no other file knows a length or a presence. */
#include <stddef.h>

#include "wire/m3ua.h"

#define N(a) (uint8_t)(sizeof(a) / sizeof((a)[0]))

/* tag, presence, repeated, most bytes here (0: what the tag allows) */
#define RULE(tag_, presence_, repeated_, max_)                                                               \
	{                                                                                                    \
		M3UA_P_##tag_, M3UA_##presence_, repeated_, max_                                             \
	}
#define MUST(tag_)                 RULE(tag_, MANDATORY, false, 0)
#define MUST_ONE_WORD(tag_)        RULE(tag_, MANDATORY, false, 4)
#define MUST_REPEATED(tag_)        RULE(tag_, MANDATORY, true, 0)
#define MAY(tag_)                  RULE(tag_, OPTIONAL, false, 0)
#define MAY_ONE_WORD(tag_)         RULE(tag_, OPTIONAL, false, 4)
#define MAY_REPEATED(tag_)         RULE(tag_, OPTIONAL, true, 0)
#define CONDITIONAL(tag_)          RULE(tag_, CONDITIONAL, false, 0)
#define CONDITIONAL_ONE_WORD(tag_) RULE(tag_, CONDITIONAL, false, 4)

/* ---- which parameters a message holds ---- */

static const struct m3ua_param_rule in_err[] = {/* s.3.8.1 */
	MUST(ERROR_CODE), CONDITIONAL(ROUTING_CONTEXT), CONDITIONAL(AFFECTED_PC),
	CONDITIONAL(NETWORK_APPEARANCE), CONDITIONAL(DIAGNOSTIC)};

static const struct m3ua_param_rule in_ntfy[] = {/* s.3.8.2 */
	MUST(STATUS), CONDITIONAL(ASP_ID), MAY(ROUTING_CONTEXT), MAY(INFO_STRING)};

static const struct m3ua_param_rule in_data[] = {/* s.3.3.1 */
	MAY(NETWORK_APPEARANCE), CONDITIONAL_ONE_WORD(ROUTING_CONTEXT), MUST(PROTOCOL_DATA),
	MAY(CORRELATION_ID)};

static const struct m3ua_param_rule in_ssnm[] = {/* s.3.4.1-3.4.3, 3.4.6 */
	MAY(NETWORK_APPEARANCE), CONDITIONAL(ROUTING_CONTEXT), MUST(AFFECTED_PC), MAY(INFO_STRING)};

static const struct m3ua_param_rule in_scon[] = {/* s.3.4.4 */
	MAY(NETWORK_APPEARANCE), CONDITIONAL(ROUTING_CONTEXT), MUST(AFFECTED_PC), MAY(CONCERNED_DEST),
	MAY(CONGESTION), MAY(INFO_STRING)};

static const struct m3ua_param_rule in_dupu[] = {/* s.3.4.5: one Affected Point Code */
	MAY(NETWORK_APPEARANCE), CONDITIONAL(ROUTING_CONTEXT), MUST_ONE_WORD(AFFECTED_PC), MUST(USER_CAUSE),
	MAY(INFO_STRING)};

static const struct m3ua_param_rule in_aspup[] = {MAY(ASP_ID), MAY(INFO_STRING)}; /* s.3.5.1, 3.5.2 */
static const struct m3ua_param_rule in_aspdn[] = {MAY(INFO_STRING)};              /* s.3.5.3, 3.5.4 */
static const struct m3ua_param_rule in_beat[] = {MAY(HEARTBEAT_DATA)};            /* s.3.5.5, 3.5.6 */

static const struct m3ua_param_rule in_aspac[] = {/* s.3.7.1, 3.7.2 */
	MAY(TRAFFIC_MODE), MAY(ROUTING_CONTEXT), MAY(INFO_STRING)};

static const struct m3ua_param_rule in_aspia[] = {
	MAY(ROUTING_CONTEXT), MAY(INFO_STRING)}; /* s.3.7.3, 3.7.4 */

static const struct m3ua_param_rule in_reg_req[] = {MUST_REPEATED(ROUTING_KEY)};    /* s.3.6.1 */
static const struct m3ua_param_rule in_reg_rsp[] = {MUST_REPEATED(REG_RESULT)};     /* s.3.6.2 */
static const struct m3ua_param_rule in_dereg_req[] = {MUST(ROUTING_CONTEXT)};       /* s.3.6.3 */
static const struct m3ua_param_rule in_dereg_rsp[] = {MUST_REPEATED(DEREG_RESULT)}; /* s.3.6.4 */

#define ROW(id, params_, sgp, asp)                                                                           \
	{                                                                                                    \
		.type = M3UA_##id, .name = #id, .params = (params_), .n_params = N(params_),                 \
		.to_sgp = (sgp), .to_asp = (asp)                                                             \
	}

static const struct m3ua_message_rule messages[] = {
	ROW(ERR, in_err, 1, 1),
	ROW(NTFY, in_ntfy, 0, 1),
	ROW(DATA, in_data, 1, 1),
	ROW(DUNA, in_ssnm, 0, 1),
	ROW(DAVA, in_ssnm, 0, 1),
	ROW(DAUD, in_ssnm, 1, 0),
	ROW(SCON, in_scon, 1, 1),
	ROW(DUPU, in_dupu, 0, 1),
	ROW(DRST, in_ssnm, 0, 1),
	ROW(ASPUP, in_aspup, 1, 0),
	ROW(ASPDN, in_aspdn, 1, 0),
	ROW(BEAT, in_beat, 1, 1),
	ROW(ASPUP_ACK, in_aspup, 0, 1),
	ROW(ASPDN_ACK, in_aspdn, 0, 1),
	ROW(BEAT_ACK, in_beat, 1, 1),
	ROW(ASPAC, in_aspac, 1, 0),
	ROW(ASPIA, in_aspia, 1, 0),
	ROW(ASPAC_ACK, in_aspac, 0, 1),
	ROW(ASPIA_ACK, in_aspia, 0, 1),
	ROW(REG_REQ, in_reg_req, 1, 0),
	ROW(REG_RSP, in_reg_rsp, 0, 1),
	ROW(DEREG_REQ, in_dereg_req, 1, 0),
	ROW(DEREG_RSP, in_dereg_rsp, 0, 1),
};

/* ---- the parameters themselves ---- */

/* s.3.6.1: Destination Point Code, SI and OPC List may be repeated as a group. */
static const struct m3ua_param_rule in_routing_key[] = {MUST(LOCAL_RK_ID), MAY_ONE_WORD(ROUTING_CONTEXT),
	MAY(TRAFFIC_MODE), MUST_REPEATED(DPC), MAY(NETWORK_APPEARANCE), MAY_REPEATED(SI),
	MAY_REPEATED(OPC_LIST)};

static const struct m3ua_param_rule in_reg_result[] = {/* s.3.6.2 */
	MUST(LOCAL_RK_ID), MUST(REG_STATUS), MUST_ONE_WORD(ROUTING_CONTEXT)};

static const struct m3ua_param_rule in_dereg_result[] = {/* s.3.6.4 */
	MUST_ONE_WORD(ROUTING_CONTEXT), MUST(DEREG_STATUS)};

#define TAG(id, key_, shape_, min, max, mult)                                                                \
	{                                                                                                    \
		.tag = M3UA_P_##id, .shape = M3UA_SHAPE_##shape_, .key = (key_), .min_len = (min),           \
		.max_len = (max), .multiple = (mult)                                                         \
	}
#define WORD(id, key_, shape_) TAG(id, key_, shape_, 4, 4, 4)
#define NEST(id, key_, inside_)                                                                              \
	{                                                                                                    \
		.tag = M3UA_P_##id, .shape = M3UA_SHAPE_NESTED, .key = (key_), .multiple = 1,                \
		.inside = (inside_), .n_inside = N(inside_)                                                  \
	}

static const struct m3ua_tag_rule tags[] = {
	TAG(INFO_STRING, "info", TEXT, 0, 255, 1), /* s.3.4.1: 0 to 255 octets */
	TAG(ROUTING_CONTEXT, "rc", LIST, 4, 0, 4),
	TAG(DIAGNOSTIC, "diag", BYTES, 0, 0, 1),
	TAG(HEARTBEAT_DATA, "hb", BYTES, 0, 0, 1),
	WORD(TRAFFIC_MODE, "tmt", U32),
	WORD(ERROR_CODE, "err", U32),
	WORD(STATUS, "st", HALVES),
	WORD(ASP_ID, "asp", U32),
	TAG(AFFECTED_PC, "apc", PC_LIST, 4, 0, 4),
	WORD(CORRELATION_ID, "corr", U32),
	WORD(NETWORK_APPEARANCE, "na", U32),
	WORD(USER_CAUSE, "cause/user", HALVES),
	WORD(CONGESTION, "level", U32),
	WORD(CONCERNED_DEST, "concerned", PC_LIST),
	NEST(ROUTING_KEY, "rk", in_routing_key),
	NEST(REG_RESULT, "result", in_reg_result),
	NEST(DEREG_RESULT, "result", in_dereg_result),
	WORD(LOCAL_RK_ID, "lrk", U32),
	WORD(DPC, "dpc", PC_LIST),
	TAG(SI, "si", U8_LIST, 1, 0, 1),
	TAG(OPC_LIST, "opc", PC_LIST, 4, 0, 4),
	TAG(PROTOCOL_DATA, "data", LABEL, M3UA_LABEL, 0, 1),
	WORD(REG_STATUS, "status", U32),
	WORD(DEREG_STATUS, "status", U32),
};

/* ---- look-up ---- */

const struct m3ua_message_rule *m3ua_message_rule_at(unsigned i)
{
	return i < N(messages) ? &messages[i] : NULL;
}

const struct m3ua_tag_rule *m3ua_tag_rule_at(unsigned i)
{
	return i < N(tags) ? &tags[i] : NULL;
}

const struct m3ua_message_rule *m3ua_message_rule(uint16_t type)
{
	for (unsigned i = 0; i < N(messages); i++)
		if (messages[i].type == type)
			return &messages[i];
	return NULL;
}

const struct m3ua_tag_rule *m3ua_tag_rule(uint16_t tag)
{
	for (unsigned i = 0; i < N(tags); i++)
		if (tags[i].tag == tag)
			return &tags[i];
	return NULL;
}

#define X(id, code, name)                                                                                    \
	case code: return name;

const char *m3ua_type_name(uint16_t type)
{
	switch (type) {
		M3UA_MESSAGES(X)
	}
	return "?";
}

const char *m3ua_tag_name(uint16_t tag)
{
	switch (tag) {
		M3UA_PARAMETERS(X)
	}
	return "?";
}

const char *m3ua_error_name(uint32_t code)
{
	switch (code) {
		M3UA_ERRORS(X)
	}
	return "?";
}
