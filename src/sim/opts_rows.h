/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rows behind opts.c: the options, the keys of --as and --flow, and the checks that need all of them. */
#pragma once

#include "sim/opts.h"

enum { OPTS_MAX_ROWS = 64 };

extern const struct keyval_row opts_rows[], opts_as_rows[], opts_flow_rows[], opts_node_rows[];
extern const unsigned opts_n_rows, opts_n_as_rows, opts_n_flow_rows, opts_n_node_rows;

/* The name of a variant, into an enum pc_variant. */
bool opts_read_variant(const struct keyval_row *row, const char *value, void *obj, char *err);
/* "a/b" or with another of DELIM between: IP addresses. */
bool opts_addresses(const char *value, const char *delim, union tp_addr *out, uint8_t *n);

/* ---- opts_node.c ---- */

/* Reads --node. */
bool opts_read_node(const struct keyval_row *row, const char *value, void *obj, char *err);
bool opts_resolve_node(struct opts *o, unsigned i, char *err);
int opts_find_node(const struct opts *o, const char *name);
/* "stp1", "stp1.0" and "drop", "tfp=3-3-3", "tfc=3-3-3/2": what --at orders of a node. */
bool opts_node_action(const struct opts *o, const char *who, char *what, struct action_opts *a);

/* ---- opts_flow.c ---- */

bool opts_resolve_flow(struct opts *o, unsigned i, char *err);

/* ---- opts_resolve.c ---- */

int opts_find_as(const struct opts *o, const char *name); /* -1: none */
/* A point code of a network of this variant: in the notation of --pc-format if that is for it, else in the
 * usual one, or as a number. */
bool opts_point_code(const struct opts *o, enum pc_variant v, const char *text, uint32_t *out);
/* Names, point codes and defaults that depend on other options. False: ERR says what is wrong. */
bool opts_resolve(struct opts *o, char *err);
