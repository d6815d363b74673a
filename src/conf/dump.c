/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The canonical form: rows in their order, one value a line. */
#include "conf/schema.h"
#include "conf/value.h"

/* What a section's values are compared with: keys that say nothing new are left out. NULL: all are printed.
 */
struct dump {
	FILE *out;
	struct scope scope;
	unsigned depth;
};

static void indent(struct dump *d)
{
	for (unsigned i = 0; i < d->depth; i++)
		fputs("  ", d->out);
}

static bool says_something(const struct row *row, const void *obj, const void *inherited)
{
	if (!row_is_set(row, obj) || !row_applies(row, obj))
		return false;
	if (row->type->unspoken && row->type->unspoken(row, obj))
		return false;
	return !inherited || !row->type->same(row, obj, inherited);
}

static const void *inherited_by(const struct dump *d, const struct section *section, const void *obj)
{
	const void *from = section->inherits ? section->inherits(d->scope.conf) : NULL;

	return from == obj ? NULL : from;
}

static bool section_says_something(const struct dump *d, const struct section *section, const void *obj)
{
	const void *inherited = inherited_by(d, section, obj);

	for (unsigned i = 0; i < section->n_rows; i++)
		if (says_something(&section->rows[i], obj, inherited))
			return true;
	return false;
}

static void dump_section(struct dump *d, const struct section *section, const void *obj);

static void dump_braced(struct dump *d, const struct section *section, const void *obj)
{
	fputs("{\n", d->out);
	d->depth++;
	dump_section(d, section, obj);
	d->depth--;
	indent(d);
	fputc('}', d->out);
}

static void dump_list(struct dump *d, const struct row *row, const void *obj)
{
	const char *objects = *(const char *const *)row_at(row, obj);
	unsigned n = row_count(row, obj);

	fputs("(", d->out);
	d->depth++;
	for (unsigned i = 0; i < n; i++) {
		fputs(i ? ",\n" : "\n", d->out);
		indent(d);
		dump_braced(d, row->sub, objects + i * row->sub->size);
	}
	d->depth--;
	if (n) {
		fputc('\n', d->out);
		indent(d);
	}
	fputc(')', d->out);
}

static void dump_row(struct dump *d, const struct row *row, const void *obj)
{
	if (row->type == &value_group && !section_says_something(d, row->sub, row_at(row, obj)))
		return;
	indent(d);
	fprintf(d->out, "%s = ", row->key);
	if (row->type == &value_group)
		dump_braced(d, row->sub, row_at(row, obj));
	else if (row->type == &value_list)
		dump_list(d, row, obj);
	else
		row->type->print(d->out, &d->scope, row, obj);
	fputs(";\n", d->out);
}

static void dump_section(struct dump *d, const struct section *section, const void *obj)
{
	struct scope outer = d->scope;
	const void *inherited = inherited_by(d, section, obj);

	if (section->enter)
		section->enter(&d->scope, obj);
	for (unsigned i = 0; i < section->n_rows; i++)
		if (section->rows[i].type == &value_group ||
			says_something(&section->rows[i], obj, inherited))
			dump_row(d, &section->rows[i], obj);
	d->scope = outer;
}

void conf_dump(const struct conf *c, FILE *out)
{
	struct dump d = {.out = out, .scope = {.conf = c}};

	dump_section(&d, &conf_schema, c);
}
