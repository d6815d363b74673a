/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The end of a run as numbers, gathered once; text and JSON render the same. Keys: doc/ss7sim.md. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "sim/sim.h"

struct report_flow {
	const struct flow *f;
	uint64_t lost, unsent;
	double tx_rate, rx_rate;           /* messages/s */
	uint64_t p50, p90, p99, p999, max; /* ns */
};

/* Why a verdict is bad. */
struct report_reason {
	const char *code; /* "lost" ... */
	const char *flow; /* NULL: of the whole run */
	uint64_t count;
};

struct report {
	const struct sim *s;
	double seconds;
	struct report_flow *flows;
	struct report_reason *reasons; /* none: pass */
	unsigned n_reasons;
	struct sim_totals totals;
};

bool report_make(struct report *r, const struct sim *s);
void report_free(struct report *r);
void report_text(const struct report *r, FILE *out);
bool report_json(const struct report *r, const char *file); /* "-": stdout */
