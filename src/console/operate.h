/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an operator can do (enable mode), without the VTY: rows like those of show.h. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct sg;
struct ss7;

struct operate_row {
	const char *command; /* words in capitals and choices (a|b) are arguments */
	const char *help;    /* a line for each word */
	/* Does it, and says in ANSWER (one line) what was done or, returning false, why not. */
	bool (*run)(struct sg *sg, const char *const *argv, char *answer, size_t n);
};

extern const struct operate_row operate_rows[]; /* a NULL command ends them */

/* The same of the SS7 side. */
struct operate_ss7_row {
	const char *command;
	const char *help;
	bool (*run)(struct ss7 *ss7, const char *const *argv, char *answer, size_t n);
};

extern const struct operate_ss7_row operate_ss7_rows[];
