/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Groups and lists of groups: sections within sections. dump.c prints them, for the sake of the layout. */
#include <inttypes.h>
#include <talloc.h>

#include "conf/reader.h"
#include "conf/value.h"

static void group_read(struct reader *r, const config_setting_t *s, const struct row *row, void *obj)
{
	if (config_setting_is_group(s))
		reader_section(r, row->sub, s, row_at(row, obj));
	else
		setting_error(r, s, "\"%s\" must be a group: { ... }", row->key);
}

static void group_absent(struct reader *r, const struct row *row, void *obj)
{
	reader_section(r, row->sub, NULL, row_at(row, obj));
}

static bool section_same(const struct section *section, const void *a, const void *b)
{
	bool same = true;

	for (unsigned i = 0; same && i < section->n_rows; i++) {
		const struct row *row = &section->rows[i];

		same = row_is_set(row, a) == row_is_set(row, b) && row->type->same(row, a, b);
	}
	return same;
}

static bool group_same(const struct row *row, const void *a, const void *b)
{
	return section_same(row->sub, row_at(row, a), row_at(row, b));
}

static void list_read(struct reader *r, const config_setting_t *s, const struct row *row, void *obj)
{
	unsigned n = (unsigned)config_setting_length(s), good = 0;
	char *objects;

	if (!config_setting_is_list(s)) {
		setting_error(r, s, "\"%s\" must be a list of groups: ( { ... }, { ... } )", row->key);
		return;
	}
	if (n > row->max) {
		setting_error(r, s, "\"%s\" has %u elements: at most %" PRIu64 " are possible", row->key, n,
			row->max);
		return;
	}
	objects = talloc_zero_size(r->conf, row->sub->size * (n + 1));
	*(void **)row_at(row, obj) = objects;
	for (unsigned i = 0; i < n; i++) {
		const config_setting_t *e = config_setting_get_elem(s, i);

		if (!config_setting_is_group(e)) {
			setting_error(r, e, "\"%s\" must hold groups: { ... }", row->key);
			continue;
		}
		reader_note(r, objects + good * row->sub->size, NULL, e);
		row_set_count(row, obj, good + 1);
		reader_section(r, row->sub, e, objects + good * row->sub->size);
		good++;
	}
}

static void list_absent(struct reader *r, const struct row *row, void *obj)
{
	(void)r;
	row_set_count(row, obj, 0);
}

static bool list_same(const struct row *row, const void *a, const void *b)
{
	const char *x = *(const char *const *)row_at(row, a), *y = *(const char *const *)row_at(row, b);
	unsigned n = row_count(row, a);
	bool same = n == row_count(row, b);

	for (unsigned i = 0; same && i < n; i++)
		same = section_same(row->sub, x + i * row->sub->size, y + i * row->sub->size);
	return same;
}

const struct value_type value_group = {
	.name = "group", .read = group_read, .absent = group_absent, .same = group_same};
const struct value_type value_list = {
	.name = "list of groups", .read = list_read, .absent = list_absent, .same = list_same, .list = true};
