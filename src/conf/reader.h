/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One loading of a configuration: where every value came from, and what was wrong. Shared by loading (load.c,
 * value.c) and checking (check*.c). */
#pragma once

#include <libconfig.h>

#include "conf/schema.h"
#include "conf/source.h"

/* Where OBJ's KEY stood. KEY NULL: the object, or the element of a list, itself. */
struct origin {
	const void *obj;
	const char *key;
	unsigned line; /* of the source's text */
};

struct reader {
	struct conf *conf; /* the talloc context of all that stays */
	struct source *source;
	struct conf_errors *errors;
	unsigned errors_cap, errors_left_out;
	bool failed;
	struct origin *origins;
	unsigned n_origins, origins_cap;
	bool origins_sorted;
	struct scope scope;
};

void reader_note(struct reader *r, const void *obj, const char *key, const config_setting_t *s);

/* The line of OBJ's KEY; of OBJ itself if the key is not in the file; 0 if neither is. */
unsigned reader_line(struct reader *r, const void *obj, const char *key);
/* The line as its file numbers it, for "see line 12". */
unsigned reader_file_line(struct reader *r, const void *obj, const char *key);

/* An error, or a warning, at a line of the source's text. */
void reader_error(struct reader *r, unsigned line, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void reader_warn(struct reader *r, unsigned line, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* At a setting; at OBJ's KEY. */
#define setting_error(r, s, ...)       reader_error(r, config_setting_source_line(s), __VA_ARGS__)
#define object_error(r, obj, key, ...) reader_error(r, reader_line(r, obj, key), __VA_ARGS__)
#define object_warn(r, obj, key, ...)  reader_warn(r, reader_line(r, obj, key), __VA_ARGS__)

/* Reads the rows of SECTION from group S (NULL: it is absent) into OBJ. */
void reader_section(struct reader *r, const struct section *section, const config_setting_t *s, void *obj);
