/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The `show` commands without the VTY: rows of {command, help, function}. To add one: a row and a function in
 * the show_*.c of its area; its JSON form, its help and its place in `list` follow from the row. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "console/walk.h"

struct sg;
struct ss7;
struct ss7_link_view;
struct sg_network;
struct asp;
struct as;
struct assoc;
struct conf;
struct sls_set;

/* What a show function works with. It describes through W; if it finds that it cannot, it calls show_error()
 * and returns: whatever it had described is dropped. */
struct show {
	struct walk *w;
	struct sg *sg;
	struct ss7 *ss7;
	const struct conf *conf; /* the running one */
	const char *const *argv; /* the words in capitals of the command, in order */
	uint64_t now_ms;         /* one time for all of an answer */
	uint64_t started_ms;     /* when the console came up */
	char error[192];         /* "": none */
};

struct show_row {
	const char *command; /* behind "show "; words in capitals are arguments; NULL ends an area's rows */
	const char *help;    /* a line for each word of it, each with its newline */
	void (*show)(struct show *s);
};

extern const struct show_row show_network_rows[], show_as_rows[], show_asp_rows[], show_association_rows[],
	show_route_rows[], show_lookup_rows[], show_statistics_rows[], show_workers_rows[], show_sctp_rows[],
	show_version_rows[], show_ss7_rows[];
/* All areas; NULL ends them. */
extern const struct show_row *const show_areas[];

/* Runs ROW with s->sg, s->conf and s->argv set by the caller, and emits text or JSON line by line. False: the
 * answer is an error ("% ..." or {"error": "..."}), emitted the same way. */
bool show_run(const struct show_row *row, struct show *s, bool json,
	void (*line)(void *arg, const char *text), void *arg) __attribute__((warn_unused_result));

/* ---- for the show functions ---- */
void show_error(struct show *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* The object that argument I names; NULL after a show_error(). */
struct sg_network *show_arg_network(struct show *s, unsigned i);
struct asp *show_arg_asp(struct show *s, unsigned i);
struct as *show_arg_as(struct show *s, unsigned i);

/* What the gateway asks of a peer; nothing where it does not ask. */
void show_client(struct show *s, const struct asp *asp);
/* How long ago. */
void show_since(struct show *s, const char *key, uint64_t since_ms);
/* A point code in its network's notation. */
void show_pc(struct show *s, const char *key, const struct sg_network *net, uint32_t pc);
/* What a route leads to: a point code, with a mask, or "default". */
void show_destination_pc(
	struct show *s, const char *key, const struct sg_network *net, uint32_t pc, uint8_t mask);
void show_pc_item(struct show *s, const struct sg_network *net, uint32_t pc);
/* Which SLSs: "XXX0" by their common bits, or one by one. */
void show_slss(struct show *s, const char *key, const struct sls_set *set);
/* Every counter of an association, and every drop (zeros in JSON only). */
void show_counters(struct show *s, const uint64_t *c);
void show_drops(struct show *s, const uint64_t *drops);
/* What levels 3 and 2 of a link have counted, and the traffic and drops of all its associations. */
void show_link_counters(struct show *s, const struct ss7_link_view *v);
