/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an operator can do (enable mode), without the VTY: rows like those of show.h. Each has a JSON form,
 * with a trailing `json`, that answers {"done": "..."} or {"error": "..."}. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct sg;
struct ss7;

/* What is operated on. */
struct operate_on {
	struct sg *sg;
	struct ss7 *ss7;
};

struct operate_row {
	const char *command; /* words in capitals and choices (a|b) are arguments */
	const char *help;    /* a line for each word */
	/* Does it, and says in ANSWER (one line) what was done or, returning false, why not. */
	bool (*run)(const struct operate_on *on, const char *const *argv, char *answer, size_t n);
};

extern const struct operate_row operate_asp_rows[], operate_ss7_rows[]; /* a NULL command ends them */
/* All areas; NULL ends them. */
extern const struct operate_row *const operate_areas[];

/* Runs ROW and emits its answer. False: it was refused. */
bool operate_run(const struct operate_row *row, const struct operate_on *on, const char *const *argv,
	bool json, void (*line)(void *arg, const char *text), void *arg);
