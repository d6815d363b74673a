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
	X(INFO_STRING, 0x0004, "Info String")                                                                \
	X(ROUTING_CONTEXT, 0x0006, "Routing Context")                                                        \
	X(DIAGNOSTIC, 0x0007, "Diagnostic Information")                                                      \
	X(HEARTBEAT_DATA, 0x0009, "Heartbeat Data")                                                          \
	X(TRAFFIC_MODE, 0x000b, "Traffic Mode Type")                                                         \
	X(ERROR_CODE, 0x000c, "Error Code")                                                                  \
	X(STATUS, 0x000d, "Status")                                                                          \
	X(ASP_ID, 0x0011, "ASP Identifier")                                                                  \
	X(AFFECTED_PC, 0x0012, "Affected Point Code")                                                        \
	X(CORRELATION_ID, 0x0013, "Correlation Id")                                                          \
	X(REG_RESULT, 0x0014, "Registration Result")                                                         \
	X(DEREG_RESULT, 0x0015, "Deregistration Result")                                                     \
	X(REG_STATUS, 0x0016, "Registration Status")                                                         \
	X(DEREG_STATUS, 0x0017, "Deregistration Status")                                                     \
	X(LOCAL_RK_ID, 0x0018, "Local Routing Key Identifier")                                               \
	X(NETWORK_APPEARANCE, 0x0200, "Network Appearance")                                                  \
	X(USER_CAUSE, 0x0204, "User/Cause")                                                                  \
	X(CONGESTION, 0x0205, "Congestion Indications")                                                      \
	X(CONCERNED_DEST, 0x0206, "Concerned Destination")                                                   \
	X(ROUTING_KEY, 0x0207, "Routing Key")                                                                \
	X(DPC, 0x020b, "Destination Point Code")                                                             \
	X(SI, 0x020c, "Service Indicators")                                                                  \
	X(OPC_LIST, 0x020e, "Originating Point Code List")                                                   \
	X(PROTOCOL_DATA, 0x0210, "Protocol Data")

#define X(id, tag, name) M3UA_P_##id = tag,
enum m3ua_tag { M3UA_PARAMETERS(X) };
#undef X

enum m3ua_error { /* s.3.8.1 */
	M3UA_E_NONE = 0,
	M3UA_E_INVALID_VERSION = 0x01,
	M3UA_E_UNSUPPORTED_CLASS = 0x03,
	M3UA_E_UNSUPPORTED_TYPE = 0x04,
	M3UA_E_UNSUPPORTED_MODE = 0x05,
	M3UA_E_UNEXPECTED = 0x06,
	M3UA_E_PROTOCOL = 0x07,
	M3UA_E_INVALID_STREAM = 0x09,
	M3UA_E_REFUSED = 0x0d,
	M3UA_E_ASP_ID_REQUIRED = 0x0e,
	M3UA_E_INVALID_ASP_ID = 0x0f,
	M3UA_E_INVALID_VALUE = 0x11,
	M3UA_E_PARAMETER_FIELD = 0x12,
	M3UA_E_UNEXPECTED_PARAMETER = 0x13,
	M3UA_E_DEST_UNKNOWN = 0x14,
	M3UA_E_INVALID_NA = 0x15,
	M3UA_E_MISSING_PARAMETER = 0x16,
	M3UA_E_INVALID_RC = 0x19,
	M3UA_E_NO_AS = 0x1a,
};

enum m3ua_ntfy_type { M3UA_NTFY_AS_STATE = 1, M3UA_NTFY_OTHER = 2 }; /* s.3.8.2 */
enum m3ua_ntfy_as { M3UA_AS_INACTIVE = 2, M3UA_AS_ACTIVE = 3, M3UA_AS_PENDING = 4 };
enum m3ua_ntfy_other { M3UA_INSUFFICIENT = 1, M3UA_ALTERNATE = 2, M3UA_ASP_FAILURE = 3 };

enum { M3UA_HEADER = 8, M3UA_PARAM_HEADER = 4, M3UA_LABEL = 12 };

const char *m3ua_type_name(uint16_t type);  /* "ASPUP", or "?" */
const char *m3ua_tag_name(uint16_t tag);    /* or "?" */
const char *m3ua_error_name(uint32_t code); /* "Invalid Version", or "?" */

/* ---- the dictionary ---- */

enum m3ua_presence { M3UA_MANDATORY, M3UA_OPTIONAL, M3UA_CONDITIONAL };

struct m3ua_param_rule {
	uint16_t tag;
	uint8_t presence; /* enum m3ua_presence */
	bool repeated;
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
	const char *name;
	uint32_t min_len, max_len; /* of the value, bytes; max 0: the message's own limit */
	uint32_t multiple;         /* the value's length is a multiple of this */
};

const struct m3ua_message_rule *m3ua_message_rule(uint16_t type); /* NULL: unknown */
const struct m3ua_tag_rule *m3ua_tag_rule(uint16_t tag);

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

/* ---- writing ---- */

/* Begins a message; the length is set by m3ua_end(). */
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
