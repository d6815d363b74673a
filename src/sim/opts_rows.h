/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rows behind opts.c: the options, the keys of --as and --flow, and the checks that need all of them. */
#pragma once

#include "sim/opts.h"

enum { OPTS_MAX_ROWS = 64 };

extern const struct keyval_row opts_rows[], opts_as_rows[], opts_flow_rows[];
extern const unsigned opts_n_rows, opts_n_as_rows, opts_n_flow_rows;

/* Names, point codes and defaults that depend on other options. False: ERR says what is wrong. */
bool opts_resolve(struct opts *o, char *err);
