/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Scripted mode: a text file says what to send and what has to come back (doc/ss7sim-script.md). Read whole
 * and checked first, then played step by step.
 *
 *     script_lex     lines and words, macros, inclusion
 *     script_value   numbers, point codes, bytes, names of values
 *     script_message words -> a pattern: a message to send, or to recognize
 *     script_parse   words -> steps
 *     script_m2pa    the same for M2PA
 *     script_build   pattern -> bytes
 *     script_match   does a received message fit a pattern?
 *     script_end     endpoints: associations and what has arrived on them
 *     script_console what the gateway's operator does
 *     script_run     plays the steps, reports what went wrong */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "sim/opts.h"
#include "wire/m3ua.h"

enum { SCRIPT_ENDPOINTS = 24, SCRIPT_VARS = 64, SCRIPT_ERR = 512, SCRIPT_NAME = 32, SCRIPT_NO_VAR = -1 };

/* ---- a pattern ---- */

/* A number: N, plus a variable's value at the time of use. */
struct script_num {
	uint32_t n;
	int var; /* SCRIPT_NO_VAR: none */
};

enum script_want {
	SCRIPT_EQUAL,   /* this value */
	SCRIPT_ANY,     /* present, whatever its value: key=* */
	SCRIPT_ABSENT,  /* not present: !key */
	SCRIPT_CAPTURE, /* present; its number goes to a variable: key=?name */
	SCRIPT_SENT,    /* bytes: the first 40 octets or more of what the endpoint sent last: diag=sent */
};

enum script_label_field { LABEL_OPC, LABEL_DPC, LABEL_SI, LABEL_NI, LABEL_MP, LABEL_SLS, LABEL_FIELDS };

struct script_bytes {
	uint8_t *p;
	uint32_t len;
};

/* Protocol Data. */
struct script_label {
	struct script_num field[LABEL_FIELDS];
	bool has[LABEL_FIELDS], has_payload;
	struct script_bytes payload;
};

struct script_param {
	uint16_t tag;
	uint8_t shape; /* enum m3ua_shape; M3UA_SHAPE_BYTES for p0xTAG= */
	uint8_t want;  /* enum script_want */
	bool verbatim; /* raw=: BYTES stand in the message as they are, without tag and length */
	bool has_len;  /* p0xTAG/LEN=: what the length field says */
	uint16_t len;
	int var;                 /* SCRIPT_CAPTURE */
	struct script_num *nums; /* words, lists, point codes (mask in the upper octet) */
	unsigned n_nums;
	struct script_bytes bytes; /* octets and text */
	struct script_label *label;
	struct script_param *inside; /* nested */
	unsigned n_inside;
};

struct script_m2pa;

struct script_message {
	struct script_m2pa *m2pa; /* or NULL: M3UA */
	bool has_type, has_version, has_reserved, has_length, length_relative;
	uint16_t type;
	uint8_t version, reserved;
	int64_t length;
	bool only; /* no parameters but those named */
	bool hex;  /* BYTES are the whole message */
	bool has_stream, stream_captured;
	struct script_num stream; /* expected, to be used, or (its variable) captured */
	int64_t ppid;             /* to be used; -1: M3UA's */
	struct script_bytes bytes;
	struct script_param *params;
	unsigned n_params;
};

/* ---- steps ---- */

enum script_kind {
	STEP_CONNECT,
	STEP_LISTEN,
	STEP_UNLISTEN,
	STEP_CLOSE,
	STEP_ABORT,
	STEP_STALL,
	STEP_RESUME,
	STEP_SEND,
	STEP_EXPECT,      /* a message */
	STEP_EXPECT_UP,   /* an association */
	STEP_EXPECT_DOWN, /* its end */
	STEP_EXPECT_RESTART,
	STEP_NOTHING,   /* for TIME at all endpoints of MASK */
	STEP_IGNORE,    /* TYPES: messages that are dropped unseen from now on */
	STEP_AUTO_BEAT, /* ON: answers BEAT by itself */
	STEP_AUTO_SLT,  /* ON: answers SLTM */
	STEP_AUTO_ACK,  /* ON: acknowledges User Data */
	STEP_CONSOLE,   /* COMMAND at the gateway's console */
	STEP_WAIT,
	STEP_UNORDERED, /* CHILDREN, all of them in any order */
	STEP_ANY_OF,    /* one of CHILDREN */
	STEP_REPEAT,    /* CHILDREN, COUNT times */
};

struct script_step {
	enum script_kind kind;
	const char *where, *text; /* "file:line", the line */
	unsigned end;             /* endpoint */
	uint32_t mask;
	uint64_t ns;
	bool on;
	struct script_message *msg;
	uint16_t *types;
	const char *command;
	unsigned n_types, count;
	int var; /* STEP_REPEAT: counts in it; STEP_CONSOLE: the port */
	struct script_step **children;
	unsigned n_children;
};

struct script_endpoint {
	char name[SCRIPT_NAME];
	bool listens;
	struct script_num port; /* local; 0: any */
};

struct script_var {
	char name[SCRIPT_NAME];
	bool set;
	uint32_t value;
};

/* Talloc'd as one. */
struct script {
	const char *purpose, *clause, *config, *transport;
	enum pc_variant variant;
	struct pc_format pc_format;
	double patience;
	uint64_t within_ns;
	struct script_endpoint ends[SCRIPT_ENDPOINTS];
	unsigned n_ends;
	struct script_var vars[SCRIPT_VARS];
	unsigned n_vars;
	struct script_step **steps;
	unsigned n_steps;
};

/* ---- reading ---- */

/* NULL: ERR (SCRIPT_ERR bytes) says where and why. SET: "name=value" from the command line, N_SET of them. */
struct script *script_load(const char *path, const char *const *set, unsigned n_set, char *err);
void script_free(struct script *take_s);

/* One message from words, as on a line behind `send` or `expect`. False: ERR. */
bool script_message_read(
	struct script *s, char **words, unsigned n_words, struct script_message *out, char *err);

/* The variable of this name, made if need be; SCRIPT_NO_VAR: there are too many. */
int script_var(struct script *s, const char *name, unsigned len);

/* ---- using patterns ---- */

/* The pattern's bytes into BUF (CAP). Returns the length, 0: ERR says why not. */
uint32_t script_build(
	const struct script *s, const struct script_message *p, uint8_t *buf, uint32_t cap, char *err);

/* Does a received message fit? SENT is what the endpoint sent last. True: variables are captured. False: WHY
 * (SCRIPT_ERR bytes) names the first difference. */
bool script_match(struct script *s, const struct script_message *p, const uint8_t *msg, uint32_t len,
	uint16_t stream, const struct script_bytes *sent, char *why);

/* ---- playing ---- */

/* The exit status: 0 all as expected, 1 not, 2 the script or the options are wrong. */
int script_main(const struct opts *o);
