/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text of a configuration with its includes, as libconfig shall see it. Read here and not by libconfig,
 * because libconfig 1.5 (Debian 12)
 *  - wraps integers beyond 31 bits silently, unless they end in L: here they get their L;
 *  - ends the process when it is given a directory to include;
 *  - takes includes relative to one folder: here relative to the file that names them. */
#pragma once

#include <stdbool.h>

struct source;

/* Reads FILE and what it includes, recursively. NULL if something cannot be read: *WHERE and *LINE tell which
 * file (LINE 0) or @include (its line), TEXT why. talloc'd under CTX. */
struct source *source_read(
	void *ctx, const char *file, const char **where, unsigned *line, char *text, unsigned text_size);

const char *source_text(const struct source *s);

/* Where line N (from 1) of the text came from. */
void source_line(const struct source *s, unsigned n, const char **file, unsigned *line);
