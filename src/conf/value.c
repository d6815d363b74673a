/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Single values. Lists of them are in value_list.c, groups in value_group.c. */
#include "conf/value.h"

#include <inttypes.h>
#include <string.h>
#include <talloc.h>

#include "conf/reader.h"
#include "conf/suggest.h"
#include "sctp/addr.h"

static void *dest(const struct row *row, void *obj)
{
	return row_at(row, obj);
}

static void mark_set(const struct row *row, void *obj, bool set)
{
	if (row->has_offset)
		*(bool *)((char *)obj + row->has_offset) = set;
}

/* ---- numbers and bools ---- */

static void number_absent(struct reader *r, const struct row *row, void *obj)
{
	(void)r;
	mark_set(row, obj, false);
	row_set_number(dest(row, obj), row->size, row->dflt);
}

static bool number_same(const struct row *row, const void *a, const void *b)
{
	return row_number(row_at(row, a), row->size) == row_number(row_at(row, b), row->size);
}

static void truth_read(struct reader *r, const config_setting_t *s, const struct row *row, void *obj)
{
	if (config_setting_type(s) != CONFIG_TYPE_BOOL)
		setting_error(r, s, "\"%s\" must be true or false", row->key);
	else
		row_set_number(dest(row, obj), row->size, config_setting_get_bool(s));
}

static void truth_print(FILE *out, const struct scope *scope, const struct row *row, const void *obj)
{
	(void)scope;
	fputs(row_number(row_at(row, obj), row->size) ? "true" : "false", out);
}

static bool is_integer(const config_setting_t *s)
{
	return config_setting_type(s) == CONFIG_TYPE_INT || config_setting_type(s) == CONFIG_TYPE_INT64;
}

static void number_read(struct reader *r, const config_setting_t *s, const struct row *row, void *obj)
{
	long long v = is_integer(s) ? config_setting_get_int64(s) : -1;

	if (!is_integer(s) || v < 0 || (uint64_t)v < row->min || (uint64_t)v > row->max) {
		setting_error(r, s, "\"%s\" must be a number from %" PRIu64 " to %" PRIu64 "%s%s", row->key,
			row->min, row->max, row->unit ? " " : "", row->unit ? row->unit : "");
		return;
	}
	row_set_number(dest(row, obj), row->size, (uint64_t)v);
	mark_set(row, obj, true);
}

static void number_print(FILE *out, const struct scope *scope, const struct row *row, const void *obj)
{
	uint64_t v = row_number(row_at(row, obj), row->size);

	(void)scope;
	fprintf(out, "%" PRIu64 "%s", v, v > INT32_MAX ? "L" : "");
}

/* ---- words of a table ---- */

/* The row of NAMES that S says, or NULL with an error. */
static const struct enum_name *pick(struct reader *r, const config_setting_t *s, const struct row *row)
{
	const char *text = config_setting_get_string(s);
	struct suggestion best = {.typed = text ? text : ""};
	char all[160] = "";
	size_t n = 0;

	for (const struct enum_name *e = row->names; e->name; e++) {
		if (text && !strcmp(text, e->name))
			return e;
		if (text)
			suggest_offer(&best, e->name);
		n += (size_t)snprintf(
			all + n, sizeof(all) - n, "%s\"%s\"", n ? (e[1].name ? ", " : " or ") : "", e->name);
	}
	setting_error(r, s, "\"%s\" must be %s%s%s%s", row->key, all, best.best ? ": did you mean \"" : "",
		best.best ? best.best : "", best.best ? "\"?" : "");
	return NULL;
}

static void enum_read(struct reader *r, const config_setting_t *s, const struct row *row, void *obj)
{
	const struct enum_name *e = pick(r, s, row);

	if (e)
		row_set_number(dest(row, obj), row->size, (uint64_t)e->value);
}

static void enum_print(FILE *out, const struct scope *scope, const struct row *row, const void *obj)
{
	uint64_t v = row_number(row_at(row, obj), row->size);

	(void)scope;
	for (const struct enum_name *e = row->names; e->name; e++)
		if ((uint64_t)e->value == v)
			fprintf(out, "\"%s\"", e->name);
}

/* ---- text ---- */

static void set_text(struct reader *r, const struct row *row, void *obj, const char *text)
{
	*(const char **)dest(row, obj) = text ? talloc_strdup(r->conf, text) : NULL;
}

static void text_absent(struct reader *r, const struct row *row, void *obj)
{
	set_text(r, row, obj, row->dflt_text);
}

static const char *text_of(const struct row *row, const void *obj)
{
	return *(const char *const *)row_at(row, obj);
}

static bool text_same(const struct row *row, const void *a, const void *b)
{
	const char *x = text_of(row, a), *y = text_of(row, b);

	return x && y ? !strcmp(x, y) : x == y;
}

static void text_print(FILE *out, const struct scope *scope, const struct row *row, const void *obj)
{
	(void)scope;
	fprintf(out, "\"%s\"", text_of(row, obj));
}

static void word_read(struct reader *r, const config_setting_t *s, const struct row *row, void *obj)
{
	const struct enum_name *e = pick(r, s, row);

	if (e)
		set_text(r, row, obj, e->name);
}

/* Names are typed at the console and stand in logs: one word. */
static void name_read(struct reader *r, const config_setting_t *s, const struct row *row, void *obj)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
	const char *text = config_setting_get_string(s);

	if (!text || !*text || strlen(text) > row->max || text[strspn(text, allowed)])
		setting_error(r, s,
			"\"%s\" must be one word of letters, digits, '.', '_' and '-', at most %" PRIu64
			" characters",
			row->key, row->max);
	else
		set_text(r, row, obj, text);
}

static void address_text_read(struct reader *r, const config_setting_t *s, const struct row *row, void *obj)
{
	const char *text = config_setting_get_string(s);
	union tp_addr a;

	if (!text || tp_addr_parse(&a, text) != SB_OK)
		setting_error(r, s, "\"%s\" must be an IPv4 or IPv6 address", row->key);
	else
		set_text(r, row, obj, text);
}

static void reference_read(struct reader *r, const config_setting_t *s, const struct row *row, void *obj)
{
	const char *text = config_setting_get_string(s);

	if (!text)
		setting_error(r, s, "\"%s\" must be a name", row->key);
	else
		set_text(r, row, obj, text);
}

static void reference_absent(struct reader *r, const struct row *row, void *obj)
{
	set_text(r, row, obj, NULL);
}

static bool reference_unspoken(const struct row *row, const void *obj)
{
	return !text_of(row, obj);
}

/* ---- notations ---- */

static void format_absent(struct reader *r, const struct row *row, void *obj)
{
	const struct network_conf *n = obj;

	(void)r;
	pc_format_default((enum pc_variant)n->variant, dest(row, obj));
}

static void format_read(struct reader *r, const config_setting_t *s, const struct row *row, void *obj)
{
	const struct network_conf *n = obj;
	const char *text = config_setting_get_string(s);
	uint8_t bits = pc_bits((enum pc_variant)n->variant);
	struct pc_format f = {.n = 0};

	if (!text || !pc_format_parse(text, bits, &f))
		setting_error(r, s, "\"%s\" must be field widths that add up to %u bits, e.g. \"3-8-3\"",
			row->key, bits);
	else
		*(struct pc_format *)dest(row, obj) = f;
}

static void format_print(FILE *out, const struct scope *scope, const struct row *row, const void *obj)
{
	const struct pc_format *f = row_at(row, obj);

	(void)scope;
	fputc('"', out);
	for (unsigned i = 0; i < f->n; i++) {
		if (i)
			fputc(f->delim, out);
		fprintf(out, "%u", f->widths[i]);
	}
	fputc('"', out);
}

static bool format_same(const struct row *row, const void *a, const void *b)
{
	const struct pc_format *x = row_at(row, a), *y = row_at(row, b);

	return x->n == y->n && x->reversed == y->reversed && (x->n < 2 || x->delim == y->delim) &&
	       !memcmp(x->widths, y->widths, x->n);
}

/* Japan's usual notation has an order of fields that widths alone do not tell. */
static bool format_unspoken(const struct row *row, const void *obj)
{
	return ((const struct pc_format *)row_at(row, obj))->reversed;
}

/* ---- the table ---- */

#define TYPE(title, r, a, p, s)                                                                              \
	.name = (title), .read = r##_read, .absent = a##_absent, .print = p##_print, .same = s##_same

const struct value_type value_bool = {TYPE("true or false", truth, number, truth, number)};
const struct value_type value_number = {TYPE("number", number, number, number, number)};
const struct value_type value_enum = {TYPE("word", enum, number, enum, number)};
const struct value_type value_word = {TYPE("word", word, text, text, text)};
const struct value_type value_name = {TYPE("name", name, text, text, text)};
const struct value_type value_address_text = {TYPE("address", address_text, text, text, text)};
const struct value_type value_reference = {
	TYPE("name", reference, reference, text, text), .unspoken = reference_unspoken};
const struct value_type value_format = {
	TYPE("notation", format, format, format, format), .unspoken = format_unspoken};
