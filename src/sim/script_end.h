/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An endpoint of a script while it is played: its listener, its association, and what has arrived, in order,
 * until a step takes it. */
#pragma once

#include <ev.h>

#include "base/mbuf.h"
#include "sctp/transport.h"
#include "sim/script_m2pa.h"

enum end_item_kind { END_MESSAGE, END_UP, END_DOWN, END_RESTART, END_REFUSED };

struct end_item {
	struct end_item *next;
	enum end_item_kind kind;
	uint16_t stream;
	uint32_t len;
	uint64_t rx_ns; /* when it was received */
	uint8_t *bytes; /* END_MESSAGE */
	char text[200]; /* for the report */
};

enum { TRACE_LINES = 40, TRACE_LINE = 240 };

/* What the endpoints share. */
struct end_env {
	struct tp_loop tp;
	const struct tp_ops *ops;
	const struct tp_params *params;
	struct script *script;
	uint64_t start_ns;
	bool verbose;
	char trace[TRACE_LINES][TRACE_LINE]; /* the last lines, a ring */
	unsigned n_trace;
};

struct end {
	struct end_env *env;
	const struct script_endpoint *conf;
	struct tp_listener *listener;
	struct tp_conn *conn, *dead; /* dead: over, to be released outside upcalls */
	bool up, auto_beat, auto_slt, auto_ack;
	struct script_m2pa_seq m2pa;
	uint16_t out_streams;
	struct mbufq txq;
	struct end_item *first, **last;
	const uint16_t *ignored;
	unsigned n_ignored;
	struct script_bytes sent; /* the last message, for diag=sent */
};

void end_init(struct end *e, struct end_env *env, const struct script_endpoint *conf);
/* The association must be over. */
void end_fini(struct end *e);

/* Each: NULL if it could be done, else why not. */
const char *end_connect(struct end *e);
const char *end_listen(struct end *e);
const char *end_unlisten(struct end *e);
const char *end_close(struct end *e);
const char *end_abort(struct end *e);
const char *end_stall(struct end *e, bool stalled);
const char *end_send(struct end *e, const struct script_message *msg);

/* From here on messages of these types are dropped unseen, also those that wait. */
void end_ignore(struct end *e, const uint16_t *types, unsigned n);
void end_drop(struct end *e); /* the first item */

/* Outside upcalls: releases what is over. */
void end_pass(struct end *e);

void end_trace(struct end_env *env, const char *format, ...) __attribute__((format(printf, 2, 3)));

extern const struct tp_upcalls end_upcalls;
