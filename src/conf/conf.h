/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The configuration: one immutable object, loaded from a libconfig file and checked whole. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "m3ua/sg_conf.h"
#include "ss7/ss7_conf.h"

struct conf {
	const char *file;
	/* node */
	const char *node_name;
	unsigned workers; /* 0: one per core, at most 8 */
	uint32_t max_message, buffers, batch_delay_us;
	uint32_t shutdown_ms; /* SIGTERM: how long leave-taking may last */
	/* console */
	const char *console_address;
	uint16_t console_port;
	/* log */
	const char *log_level; /* libosmocore's level names; for every category */
	bool log_time;
	/* the defaults of every association, already part of each listener's and ASP's parameters */
	struct tp_params sctp;
	struct sg_conf sg;
	struct ss7_conf ss7;
};

/* One finding; they come all at once, in file order. */
struct conf_error {
	const char *file;
	unsigned line;  /* 0: the file as a whole */
	unsigned order; /* of its place among all lines read, includes and all */
	bool warning;   /* lawful, but hardly meant */
	char text[256];
};

struct conf_errors {
	struct conf_error *list;
	unsigned n;
};

/* Loads and checks FILE. NULL if anything is wrong. ERRORS then holds every error, and in any case every
 * warning. Free with conf_free() and conf_errors_free(). */
struct conf *conf_load(const char *file, struct conf_errors *errors);
void conf_free(struct conf *take_c);
void conf_errors_free(struct conf_errors *e);

/* "file:line: error: text". Returns BUF. */
const char *conf_error_str(const struct conf_error *e, char *buf, size_t n);

/* Prints the canonical form, which loads again to the same object: every key with its value, except that SCTP
 * parameters of listeners and ASPs appear where they differ from the top-level ones. */
void conf_dump(const struct conf *c, FILE *out);

/* Differences from OLD (NULL: nothing was there) to NEW as changes to the gateway, in an order in which they
 * can be applied; talloc'd under NEW. RESTART (may be NULL) is set to the name of a key that only takes
 * effect at a restart (workers, max-message, ...) if one differs, else NULL. */
struct sg_change *conf_diff(
	const struct conf *old, const struct conf *new, unsigned *n, const char **restart);

/* Gives NEW the values of OLD for every key that only takes effect at a restart, so that what `show` and the
 * next comparison see is what runs. */
void conf_keep_running(const struct conf *old, struct conf *new);

/* The schema as a reference page (doc/configuration.md, --config-reference): every key with type, unit,
 * range, default, help. */
void conf_reference(FILE *out);
