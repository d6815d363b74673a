/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Configurations from text: each in a temporary file of its own. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "conf/conf.h"

/* Writes TEXT to DIR/NAME (DIR made by rig_dir). */
void rig_write(const char *dir, const char *name, const char *text);
char *rig_dir(void); /* talloc'd */
void rig_dir_remove(char *take_dir);

/* Loads TEXT. Findings come as lines "LINE: error: text" in FINDINGS (may be NULL), talloc'd. */
struct conf *rig_load(const char *text, char **findings);

/* Loads TEXT, which must be without errors; warnings are fine. */
struct conf *rig_must_load(const char *text);

/* The findings must be exactly these lines. */
void rig_expect(const char *text, const char *findings);

char *rig_dump(const struct conf *c); /* talloc'd */

/* A small valid configuration; the arguments go into its sections. */
struct rig_parts {
	const char *node, *console, *log, *sctp, *network, *listener, *listener_sctp, *server, *client, *as,
		*key;
	const char *top; /* further groups and lists */
	const char *more_networks, *more_listeners, *more_asps, *more_as, *more_keys, *routes;
};
char *rig_text(const struct rig_parts *p); /* talloc'd */
