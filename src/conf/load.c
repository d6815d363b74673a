/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From a file to a configuration: text with includes (source.c), libconfig's tree, rows (schema.c), checks
 * beyond single values (check.c). Nothing stops at the first error except text that does not parse. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "conf/check.h"
#include "conf/reader.h"
#include "conf/suggest.h"
#include "conf/value.h"

/* ---- sections ---- */

static const struct row *find_row(const struct section *section, const char *key)
{
	for (unsigned i = 0; i < section->n_rows; i++)
		if (!strcmp(section->rows[i].key, key))
			return &section->rows[i];
	return NULL;
}

/* The group of SECTION that knows KEY: it was put one level too high. */
static const char *group_that_knows(const struct section *section, const char *key)
{
	for (unsigned i = 0; i < section->n_rows; i++)
		if (section->rows[i].type == &value_group && find_row(section->rows[i].sub, key))
			return section->rows[i].key;
	return NULL;
}

static void unknown_key(struct reader *r, const struct section *section, const config_setting_t *s)
{
	const char *key = config_setting_name(s), *group = group_that_knows(section, key);
	struct suggestion best = {.typed = key};

	if (group) {
		setting_error(r, s, "unknown key \"%s\" in %s: it belongs into its group \"%s\"", key,
			section->title, group);
		return;
	}
	for (unsigned i = 0; i < section->n_rows; i++)
		suggest_offer(&best, section->rows[i].key);
	if (best.best)
		setting_error(r, s, "unknown key \"%s\" in %s: did you mean \"%s\"?", key, section->title,
			best.best);
	else
		setting_error(r, s, "unknown key \"%s\" in %s", key, section->title);
}

static void read_row(struct reader *r, const struct section *section, const struct row *row,
	const config_setting_t *s, void *obj)
{
	const config_setting_t *v = s ? config_setting_get_member(s, row->key) : NULL;

	if (!section->inherits)
		row->type->absent(r, row, obj);
	if (!v) {
		if (s && row->mandatory)
			setting_error(r, s, "\"%s\" is missing in %s", row->key, section->title);
		return;
	}
	reader_note(r, obj, row->key, v);
	if (row_applies(row, obj))
		row->type->read(r, v, row, obj);
	else
		setting_error(r, v, "\"%s\" is only for %s", row->key, row->when->text);
}

void reader_section(struct reader *r, const struct section *section, const config_setting_t *s, void *obj)
{
	struct scope outer = r->scope;

	if (section->init)
		section->init(obj, r->conf);
	if (section->enter)
		section->enter(&r->scope, obj);
	for (int i = 0; s && i < config_setting_length(s); i++) {
		const config_setting_t *e = config_setting_get_elem(s, i);

		if (!find_row(section, config_setting_name(e)))
			unknown_key(r, section, e);
	}
	for (unsigned i = 0; i < section->n_rows; i++)
		read_row(r, section, &section->rows[i], s, obj);
	if (section->finish)
		section->finish(obj);
	r->scope = outer;
}

/* ---- the file ---- */

static bool read_source(struct reader *r)
{
	char why[160];
	const char *where = NULL;
	unsigned line = 0;

	r->source = source_read(NULL, r->conf->file, &where, &line, why, sizeof(why));
	if (r->source)
		return true;
	reader_error(r, 0, "%s", why);
	if (line) {
		r->errors->list[0].file = talloc_strdup(r->errors->list, where);
		r->errors->list[0].line = line;
	}
	talloc_free((void *)(uintptr_t)where);
	return false;
}

static int by_place(const void *va, const void *vb)
{
	const struct conf_error *a = va, *b = vb;

	if (a->order != b->order)
		return a->order < b->order ? -1 : 1;
	return a->warning != b->warning ? a->warning - b->warning : strcmp(a->text, b->text);
}

static void finish_errors(struct reader *r)
{
	struct conf_errors *errors = r->errors;

	if (errors->n)
		qsort(errors->list, errors->n, sizeof(*errors->list), by_place);
	if (r->errors_left_out)
		snprintf(errors->list[errors->n - 1].text, sizeof(errors->list->text),
			"... and %u more findings", r->errors_left_out + 1);
}

static void read_tree(struct reader *r)
{
	config_t tree;

	config_init(&tree);
	if (config_read_string(&tree, source_text(r->source)) != CONFIG_TRUE) {
		reader_error(r, (unsigned)config_error_line(&tree), "%s", config_error_text(&tree));
	} else {
		reader_section(r, &conf_schema, config_root_setting(&tree), r->conf);
		check_all(r);
	}
	config_destroy(&tree);
}

struct conf *conf_load(const char *file, struct conf_errors *errors)
{
	struct reader r = {.conf = talloc_zero(NULL, struct conf), .errors = errors};

	*errors = (struct conf_errors){.n = 0};
	r.conf->file = talloc_strdup(r.conf, file);
	r.scope.conf = r.conf;
	if (read_source(&r))
		read_tree(&r);
	finish_errors(&r);
	talloc_free(r.source);
	talloc_free(r.origins);
	if (!r.failed)
		return r.conf;
	talloc_free(r.conf);
	return NULL;
}

void conf_free(struct conf *take_c)
{
	talloc_free(take_c);
}

void conf_errors_free(struct conf_errors *e)
{
	talloc_free(e->list);
	*e = (struct conf_errors){.n = 0};
}

const char *conf_error_str(const struct conf_error *e, char *buf, size_t n)
{
	const char *kind = e->warning ? "warning" : "error";

	if (e->line)
		snprintf(buf, n, "%s:%u: %s: %s", e->file, e->line, kind, e->text);
	else
		snprintf(buf, n, "%s: %s: %s", e->file, kind, e->text);
	return buf;
}
