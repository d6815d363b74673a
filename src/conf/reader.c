/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "conf/reader.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

/* A file that is wrong in every line need not tell it for every line. */
enum { MAX_FINDINGS = 1000 };

void reader_note(struct reader *r, const void *obj, const char *key, const config_setting_t *s)
{
	if (r->n_origins == r->origins_cap) {
		r->origins_cap = r->origins_cap ? r->origins_cap * 2 : 1024;
		r->origins = talloc_realloc(NULL, r->origins, struct origin, r->origins_cap);
	}
	r->origins[r->n_origins++] = (struct origin){obj, key, config_setting_source_line(s)};
}

static int by_object_and_key(const void *va, const void *vb)
{
	const struct origin *a = va, *b = vb;

	if (a->obj != b->obj)
		return a->obj < b->obj ? -1 : 1;
	if (!a->key || !b->key)
		return !!a->key - !!b->key;
	return strcmp(a->key, b->key);
}

static unsigned find_line(const struct reader *r, const void *obj, const char *key)
{
	const struct origin want = {obj, key, 0};
	const struct origin *o = bsearch(&want, r->origins, r->n_origins, sizeof(want), by_object_and_key);

	return o ? o->line : 0;
}

unsigned reader_line(struct reader *r, const void *obj, const char *key)
{
	unsigned line;

	if (!r->n_origins)
		return 0;
	if (!r->origins_sorted)
		qsort(r->origins, r->n_origins, sizeof(*r->origins), by_object_and_key);
	r->origins_sorted = true;
	line = find_line(r, obj, key);
	return line || !key ? line : find_line(r, obj, NULL);
}

unsigned reader_file_line(struct reader *r, const void *obj, const char *key)
{
	unsigned line;
	const char *file;

	source_line(r->source, reader_line(r, obj, key), &file, &line);
	return line;
}

static void add(struct reader *r, unsigned line, bool warning, const char *fmt, va_list args)
{
	struct conf_errors *errors = r->errors;
	struct conf_error *e;
	const char *file = r->conf->file;

	r->failed |= !warning;
	if (errors->n == MAX_FINDINGS) {
		r->errors_left_out++;
		return;
	}
	if (errors->n == r->errors_cap) {
		r->errors_cap = r->errors_cap ? r->errors_cap * 2 : 16;
		errors->list = talloc_realloc(NULL, errors->list, struct conf_error, r->errors_cap);
	}
	e = &errors->list[errors->n++];
	*e = (struct conf_error){.order = line, .warning = warning};
	if (line)
		source_line(r->source, line, &file, &e->line);
	e->file = talloc_strdup(errors->list, file);
	vsnprintf(e->text, sizeof(e->text), fmt, args);
}

void reader_error(struct reader *r, unsigned line, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	add(r, line, false, fmt, args);
	va_end(args);
}

void reader_warn(struct reader *r, unsigned line, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	add(r, line, true, fmt, args);
	va_end(args);
}
