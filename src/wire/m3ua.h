/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The M3UA codec (RFC 4666 s.3): dictionary, checked parsing in place, writing. Pure: no allocation, no
 * state. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "wire/cursor.h"

enum m3ua_class { /* s.3.1.2 */
	M3UA_MGMT = 0,
	M3UA_TRANSFER = 1,
	M3UA_SSNM = 2,
	M3UA_ASPSM = 3,
	M3UA_ASPTM = 4,
	M3UA_RKM = 9,
};

/* class << 8 | type */
#define M3UA_MESSAGES(X)                                                                                     \
	X(ERR, 0x0000, "ERR")                                                                                \
	X(NTFY, 0x0001, "NTFY")                                                                              \
	X(DATA, 0x0101, "DATA")                                                                              \
	X(DUNA, 0x0201, "DUNA")                                                                              \
	X(DAVA, 0x0202, "DAVA")                                                                              \
	X(DAUD, 0x0203, "DAUD")                                                                              \
	X(SCON, 0x0204, "SCON")                                                                              \
	X(DUPU, 0x0205, "DUPU")                                                                              \
	X(DRST, 0x0206, "DRST")                                                                              \
	X(ASPUP, 0x0301, "ASPUP")                                                                            \
	X(ASPDN, 0x0302, "ASPDN")                                                                            \
	X(BEAT, 0x0303, "BEAT")                                                                              \
	X(ASPUP_ACK, 0x0304, "ASPUP_ACK")                                                                    \
	X(ASPDN_ACK, 0x0305, "ASPDN_ACK")                                                                    \
	X(BEAT_ACK, 0x0306, "BEAT_ACK")                                                                      \
	X(ASPAC, 0x0401, "ASPAC")                                                                            \
	X(ASPIA, 0x0402, "ASPIA")                                                                            \
	X(ASPAC_ACK, 0x0403, "ASPAC_ACK")                                                                    \
	X(ASPIA_ACK, 0x0404, "ASPIA_ACK")                                                                    \
	X(REG_REQ, 0x0901, "REG_REQ")                                                                        \
	X(REG_RSP, 0x0902, "REG_RSP")                                                                        \
	X(DEREG_REQ, 0x0903, "DEREG_REQ")                                                                    \
	X(DEREG_RSP, 0x0904, "DEREG_RSP")

#define X(id, code, name) M3UA_##id = code,
enum m3ua_type { M3UA_MESSAGES(X) };
#undef X

#define M3UA_PARAMETERS(X)                                                                                   \
	X(INFO_STRING, 0x0004, "INFO String")                                                                \
	X(ROUTING_CONTEXT, 0x0006, "Routing Context")                                                        \
	X(DIAGNOSTIC, 0x0007, "Diagnostic Information")                                                      \
	X(HEARTBEAT_DATA, 0x0009, "Heartbeat Data")                                                          \
	X(TRAFFIC_MODE, 0x000b, "Traffic Mode Type")                                                         \
	X(ERROR_CODE, 0x000c, "Error Code")                                                                  \
	X(STATUS, 0x000d, "Status")                                                                          \
	X(ASP_ID, 0x0011, "ASP Identifier")                                                                  \
	X(AFFECTED_PC, 0x0012, "Affected Point Code")                                                        \
	X(CORRELATION_ID, 0x0013, "Correlation ID")                                                          \
	X(NETWORK_APPEARANCE, 0x0200, "Network Appearance")                                                  \
	X(USER_CAUSE, 0x0204, "User/Cause")                                                                  \
	X(CONGESTION, 0x0205, "Congestion Indications")                                                      \
	X(CONCERNED_DEST, 0x0206, "Concerned Destination")                                                   \
	X(ROUTING_KEY, 0x0207, "Routing Key")                                                                \
	X(REG_RESULT, 0x0208, "Registration Result")                                                         \
	X(DEREG_RESULT, 0x0209, "Deregistration Result")                                                     \
	X(LOCAL_RK_ID, 0x020a, "Local Routing Key Identifier")                                               \
	X(DPC, 0x020b, "Destination Point Code")                                                             \
	X(SI, 0x020c, "Service Indicators")                                                                  \
	X(OPC_LIST, 0x020e, "Originating Point Code List")                                                   \
	X(PROTOCOL_DATA, 0x0210, "Protocol Data")                                                            \
	X(REG_STATUS, 0x0212, "Registration Status")                                                         \
	X(DEREG_STATUS, 0x0213, "Deregistration Status")

#define X(id, tag, name) M3UA_P_##id = tag,
enum m3ua_tag { M3UA_PARAMETERS(X) };
#undef X

#define M3UA_ERRORS(X) /* s.3.8.1 */                                                                         \
	X(INVALID_VERSION, 0x01, "Invalid Version")                                                          \
	X(UNSUPPORTED_CLASS, 0x03, "Unsupported Message Class")                                              \
	X(UNSUPPORTED_TYPE, 0x04, "Unsupported Message Type")                                                \
	X(UNSUPPORTED_MODE, 0x05, "Unsupported Traffic Mode Type")                                           \
	X(UNEXPECTED, 0x06, "Unexpected Message")                                                            \
	X(PROTOCOL, 0x07, "Protocol Error")                                                                  \
	X(INVALID_STREAM, 0x09, "Invalid Stream Identifier")                                                 \
	X(REFUSED, 0x0d, "Refused - Management Blocking")                                                    \
	X(ASP_ID_REQUIRED, 0x0e, "ASP Identifier Required")                                                  \
	X(INVALID_ASP_ID, 0x0f, "Invalid ASP Identifier")                                                    \
	X(INVALID_VALUE, 0x11, "Invalid Parameter Value")                                                    \
	X(PARAMETER_FIELD, 0x12, "Parameter Field Error")                                                    \
	X(UNEXPECTED_PARAMETER, 0x13, "Unexpected Parameter")                                                \
	X(DEST_UNKNOWN, 0x14, "Destination Status Unknown")                                                  \
	X(INVALID_NA, 0x15, "Invalid Network Appearance")                                                    \
	X(MISSING_PARAMETER, 0x16, "Missing Parameter")                                                      \
	X(INVALID_RC, 0x19, "Invalid Routing Context")                                                       \
	X(NO_AS, 0x1a, "No Configured AS for ASP")

#define X(id, code, name) M3UA_E_##id = code,
enum m3ua_error { M3UA_E_NONE = 0, M3UA_ERRORS(X) };
#undef X

enum m3ua_ntfy_type { M3UA_NTFY_AS_STATE = 1, M3UA_NTFY_OTHER = 2 }; /* s.3.8.2 */
enum m3ua_ntfy_as { M3UA_AS_INACTIVE = 2, M3UA_AS_ACTIVE = 3, M3UA_AS_PENDING = 4 };
enum m3ua_ntfy_other { M3UA_INSUFFICIENT = 1, M3UA_ALTERNATE = 2, M3UA_ASP_FAILURE = 3 };

enum {
	M3UA_RELEASE = 1, /* the version field: s.3.1.1 */
	M3UA_HEADER = 8,
	M3UA_PARAM_HEADER = 4,
	M3UA_LABEL = 12, /* of Protocol Data, in front of the user part */
};

const char *m3ua_type_name(uint16_t type);  /* "ASPUP", or "?" */
const char *m3ua_tag_name(uint16_t tag);    /* or "?" */
const char *m3ua_error_name(uint32_t code); /* "Invalid Version", or "?" */

/* ---- the dictionary ---- */

enum m3ua_presence { M3UA_MANDATORY, M3UA_OPTIONAL, M3UA_CONDITIONAL };

struct m3ua_param_rule {
	uint16_t tag;
	uint8_t presence; /* enum m3ua_presence */
	bool repeated;
	uint16_t max_len; /* of the value where this place allows less than the tag does (DATA: one Routing
			     Context); 0: what the tag allows */
};

/* How a value is laid out: for the dump and the tests. */
enum m3ua_shape {
	M3UA_SHAPE_U32,
	M3UA_SHAPE_LIST,    /* of u32 */
	M3UA_SHAPE_PC_LIST, /* of mask and point code */
	M3UA_SHAPE_U8_LIST,
	M3UA_SHAPE_HALVES, /* two u16 */
	M3UA_SHAPE_LABEL,  /* Protocol Data */
	M3UA_SHAPE_TEXT,
	M3UA_SHAPE_BYTES,
	M3UA_SHAPE_NESTED,
};

struct m3ua_message_rule {
	uint16_t type;
	const char *name;
	const struct m3ua_param_rule *params;
	uint8_t n_params;
	uint8_t to_sgp, to_asp; /* may be received by an SGP, by an ASP (an IPSP: both) */
};

struct m3ua_tag_rule {
	uint16_t tag;
	uint8_t shape;                        /* enum m3ua_shape */
	const char *key;                      /* as in the dump: "rc" */
	uint32_t min_len, max_len;            /* of the value, bytes; max 0: what the length field can say */
	uint32_t multiple;                    /* the value's length is a multiple of this */
	const struct m3ua_param_rule *inside; /* M3UA_SHAPE_NESTED: what it holds */
	uint8_t n_inside;
};

const struct m3ua_message_rule *m3ua_message_rule(uint16_t type); /* NULL: unknown */
const struct m3ua_tag_rule *m3ua_tag_rule(uint16_t tag);          /* NULL: unknown */
/* The I-th row, NULL behind the last: for whoever needs them all (tests, documentation). */
const struct m3ua_message_rule *m3ua_message_rule_at(unsigned i);
const struct m3ua_tag_rule *m3ua_tag_rule_at(unsigned i);

/* ---- parsing ---- */

struct m3ua_param {
	uint16_t tag;
	uint32_t len;     /* of the value, padding excluded */
	const uint8_t *v; /* in the message */
};

struct m3ua_msg {
	uint16_t type;         /* class << 8 | type, as received */
	const uint8_t *bytes;  /* the whole message */
	uint32_t len;          /* as declared */
	const uint8_t *params; /* the parameters, m3ua_next() walks them */
	uint32_t params_len;
};

/* What is wrong with a message, and what the standard's answer is. */
struct m3ua_fault {
	enum m3ua_error error; /* M3UA_E_NONE: nothing */
	uint16_t tag;          /* the parameter at fault, 0: the header */
	const char *what;      /* for logs: constant text */
};

/* Checks the whole message against the dictionary: version, class, type, length, every parameter's length and
 * multiple, mandatory ones present, single ones not repeated, none that does not belong (an unknown tag is
 * skipped: s.3.2). LEN is what the transport delivered. True if all is well; else *F tells. OUT is filled as
 * far as it went (type and bytes always, if LEN >= 8). */
bool m3ua_parse(const uint8_t *bytes, uint32_t len, struct m3ua_msg *out, struct m3ua_fault *f);

/* What s.3.8.1 demands of an ERR beyond the dictionary: the Routing Context with Invalid Routing Context, the
 * Diagnostic Information with Unsupported Message Class, and so on. Apart from m3ua_parse() because an ERR is
 * never answered: refusing a peer's incomplete one would only hide its complaint. M must have been accepted.
 */
bool m3ua_complete(const struct m3ua_msg *m, struct m3ua_fault *f);

/* The next parameter after *IT (start with {0}); false at the end. Safe on any message m3ua_parse() accepted.
 */
bool m3ua_next(const struct m3ua_msg *m, struct m3ua_param *it);
/* The first parameter of this tag. */
bool m3ua_find(const struct m3ua_msg *m, uint16_t tag, struct m3ua_param *out);
/* Its value as a number; false if absent or not 4 bytes. */
bool m3ua_find_u32(const struct m3ua_msg *m, uint16_t tag, uint32_t *out);
/* Number of 32-bit entries of a list parameter, and the I-th. */
uint32_t m3ua_list_len(const struct m3ua_param *p);
uint32_t m3ua_list_u32(const struct m3ua_param *p, uint32_t i);
/* Parameters inside a parameter (Routing Key, Registration Result): walk like m3ua_next(). */
bool m3ua_next_inside(const struct m3ua_param *outer, struct m3ua_param *it);

/* ---- fields that share a word ---- */

/* An Affected Point Code entry (s.3.4.1): MASK wildcarded low bits and a point code of 24 bits. The range it
 * means: pc_range_of() in wire/pc.h. */
static inline uint32_t m3ua_apc_pack(uint8_t mask, uint32_t pc)
{
	return (uint32_t)mask << 24 | (pc & 0xffffff);
}

static inline uint8_t m3ua_apc_mask(uint32_t entry)
{
	return (uint8_t)(entry >> 24);
}

static inline uint32_t m3ua_apc_pc(uint32_t entry)
{
	return entry & 0xffffff;
}

/* User/Cause (s.3.4.5): the cause is the upper half, the user the lower. */
static inline uint32_t m3ua_user_cause_pack(uint16_t cause, uint16_t user)
{
	return (uint32_t)cause << 16 | user;
}

static inline uint16_t m3ua_user_cause_cause(uint32_t v)
{
	return (uint16_t)(v >> 16);
}

static inline uint16_t m3ua_user_cause_user(uint32_t v)
{
	return (uint16_t)v;
}

/* Status (s.3.8.2): type in the upper half, information in the lower. */
static inline uint32_t m3ua_status_pack(uint16_t type, uint16_t information)
{
	return (uint32_t)type << 16 | information;
}

static inline uint16_t m3ua_status_type(uint32_t v)
{
	return (uint16_t)(v >> 16);
}

static inline uint16_t m3ua_status_information(uint32_t v)
{
	return (uint16_t)v;
}

/* Congestion Indications (s.3.4.4): the level is the last octet, the rest reserved and ignored. */
static inline uint8_t m3ua_congestion_level(uint32_t v)
{
	return (uint8_t)v;
}

/* ---- writing ---- */

/* Begins a message at the start of W; the length is set by m3ua_end(). What does not fit the buffer or a
 * 16-bit parameter length sets W's fault. */
void m3ua_begin(struct wr *w, uint16_t type);
void m3ua_put_u32(struct wr *w, uint16_t tag, uint32_t v);
void m3ua_put_list(struct wr *w, uint16_t tag, const uint32_t *v, uint32_t n); /* N 0: writes nothing */
void m3ua_put_bytes(struct wr *w, uint16_t tag, const void *v, uint32_t len);  /* pads */
/* A parameter that holds parameters: put them between these two. */
uint8_t *m3ua_open(struct wr *w, uint16_t tag);
void m3ua_close(struct wr *w, uint8_t *opened);
/* Total length, or 0 if it did not fit. */
uint32_t m3ua_end(struct wr *w);

/* One line for logs and tests: "ASPAC tmt=2 rc=1,2". Bounded by N, always terminated. Returns BUF. */
const char *m3ua_dump(const uint8_t *bytes, uint32_t len, char *buf, uint32_t n);
