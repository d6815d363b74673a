/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Point codes, and lists of single values. */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "conf/reader.h"
#include "conf/value.h"
#include "sctp/addr.h"

/* ---- lists in general ---- */

/* Whether S is a list (either of libconfig's kinds) of a permitted length. */
static bool is_list(struct reader *r, const config_setting_t *s, const struct row *row)
{
	unsigned n = (unsigned)config_setting_length(s);

	if (!config_setting_is_list(s) && !config_setting_is_array(s))
		setting_error(r, s, "\"%s\" must be a list: ( ..., ... )", row->key);
	else if (n > row->max)
		setting_error(r, s, "\"%s\" has %u elements: at most %" PRIu64 " are possible", row->key, n,
			row->max);
	else if (n < row->min)
		setting_error(r, s, "\"%s\" must have at least %" PRIu64 " element%s", row->key, row->min,
			row->min == 1 ? "" : "s");
	else
		return true;
	return false;
}

/* Reads one element to AT; false with an error. */
typedef bool (*read_fn)(struct reader *r, const config_setting_t *s, const struct row *row, void *at);

static void read_elements(struct reader *r, const config_setting_t *s, const struct row *row, void *obj,
	char *elements, size_t size, read_fn read)
{
	unsigned n = (unsigned)config_setting_length(s), good = 0;

	for (unsigned i = 0; i < n; i++) {
		const config_setting_t *e = config_setting_get_elem(s, i);

		if (!read(r, e, row, elements + good * size))
			continue;
		reader_note(r, elements + good * size, NULL, e);
		good++;
	}
	row_set_count(row, obj, good);
}

/* A list that lives outside its object: the object has a pointer to it. */
static void read_allocated(struct reader *r, const config_setting_t *s, const struct row *row, void *obj,
	size_t size, read_fn read)
{
	void *elements;

	if (!is_list(r, s, row))
		return;
	elements = talloc_zero_size(r->conf, size * (size_t)(config_setting_length(s) + 1));
	*(void **)row_at(row, obj) = elements;
	read_elements(r, s, row, obj, elements, size, read);
}

static void list_absent(struct reader *r, const struct row *row, void *obj)
{
	(void)r;
	row_set_count(row, obj, 0);
}

static const void *elements_of(const struct row *row, const void *obj)
{
	return *(const void *const *)row_at(row, obj);
}

static bool same_bytes(const struct row *row, const void *a, const void *b, size_t size)
{
	unsigned n = row_count(row, a);

	return n == row_count(row, b) && (!n || !memcmp(elements_of(row, a), elements_of(row, b), n * size));
}

static void comma(FILE *out, unsigned i)
{
	fputs(i ? ", " : " ", out);
}

/* ---- addresses ---- */

static bool address_read(struct reader *r, const config_setting_t *s, const struct row *row, void *at)
{
	const char *text = config_setting_get_string(s);
	union tp_addr a;

	if (!text || tp_addr_parse(&a, text) != SB_OK) {
		setting_error(r, s, "\"%s\" must hold IPv4 or IPv6 addresses; %s%s%s is none", row->key,
			text ? "\"" : "", text ? text : "this", text ? "\"" : "");
		return false;
	}
	memcpy(at, &a, sizeof(a));
	return true;
}

static void addresses_read(struct reader *r, const config_setting_t *s, const struct row *row, void *obj)
{
	if (is_list(r, s, row))
		read_elements(r, s, row, obj, row_at(row, obj), sizeof(union tp_addr), address_read);
}

static void addresses_print(FILE *out, const struct scope *scope, const struct row *row, const void *obj)
{
	const union tp_addr *a = row_at(row, obj);
	char buf[TP_ADDR_STR];

	(void)scope;
	fputc('(', out);
	for (unsigned i = 0; i < row_count(row, obj); i++) {
		comma(out, i);
		fprintf(out, "\"%s\"", tp_addr_str(&a[i], buf, sizeof(buf)));
	}
	fputs(" )", out);
}

static bool addresses_same(const struct row *row, const void *a, const void *b)
{
	const union tp_addr *x = row_at(row, a), *y = row_at(row, b);
	unsigned n = row_count(row, a);
	bool same = n == row_count(row, b);

	for (unsigned i = 0; same && i < n; i++)
		same = tp_addr_same(&x[i], &y[i]);
	return same;
}

/* ---- point codes ---- */

static bool pc_read(struct reader *r, const config_setting_t *s, const struct row *row, void *at)
{
	const struct network_conf *n = scope_network(&r->scope);
	const char *text = config_setting_get_string(s);
	char number[24];

	if (!n) /* told already: the network is unknown */
		return false;
	if (config_setting_type(s) == CONFIG_TYPE_INT || config_setting_type(s) == CONFIG_TYPE_INT64) {
		snprintf(number, sizeof(number), "%lld", config_setting_get_int64(s));
		text = number;
	}
	if (text && pc_parse(text, &n->format, pc_bits((enum pc_variant)n->variant), at))
		return true;
	setting_error(r, s, "\"%s\" holds \"%s\", which is not a point code of network \"%s\" (%s, %u bits)",
		row->key, text ? text : "?", n->name ? n->name : "?",
		pc_variant_name((enum pc_variant)n->variant), pc_bits((enum pc_variant)n->variant));
	return false;
}

static void pc_put(FILE *out, const struct scope *scope, uint32_t pc)
{
	char buf[PC_STR];

	fprintf(out, "\"%s\"", pc_str(pc, &scope_network(scope)->format, buf, sizeof(buf)));
}

static void point_code_read(struct reader *r, const config_setting_t *s, const struct row *row, void *obj)
{
	if (pc_read(r, s, row, row_at(row, obj)) && row->has_offset)
		*(bool *)((char *)obj + row->has_offset) = true;
}

static void point_code_absent(struct reader *r, const struct row *row, void *obj)
{
	(void)r;
	*(uint32_t *)row_at(row, obj) = 0;
	if (row->has_offset)
		*(bool *)((char *)obj + row->has_offset) = false;
}

static void point_code_print(FILE *out, const struct scope *scope, const struct row *row, const void *obj)
{
	pc_put(out, scope, *(const uint32_t *)row_at(row, obj));
}

static bool point_code_same(const struct row *row, const void *a, const void *b)
{
	return *(const uint32_t *)row_at(row, a) == *(const uint32_t *)row_at(row, b);
}

static void point_codes_read(struct reader *r, const config_setting_t *s, const struct row *row, void *obj)
{
	read_allocated(r, s, row, obj, sizeof(uint32_t), pc_read);
}

static void point_codes_print(FILE *out, const struct scope *scope, const struct row *row, const void *obj)
{
	const uint32_t *pcs = elements_of(row, obj);

	fputc('(', out);
	for (unsigned i = 0; i < row_count(row, obj); i++) {
		comma(out, i);
		pc_put(out, scope, pcs[i]);
	}
	fputs(" )", out);
}

static bool point_codes_same(const struct row *row, const void *a, const void *b)
{
	return same_bytes(row, a, b, sizeof(uint32_t));
}

/* ---- what a route leads to ---- */

static uint8_t bits_of(const struct network_conf *n)
{
	return pc_bits((enum pc_variant)n->variant);
}

/* "PC/MASK". */
static bool masked_parse(const char *text, const struct network_conf *n, struct route_dest *out)
{
	const char *slash = strchr(text, '/');
	char pc[PC_STR], *end;
	unsigned long mask;

	if (!slash || (size_t)(slash - text) >= sizeof(pc) || !isdigit((unsigned char)slash[1]))
		return false;
	snprintf(pc, sizeof(pc), "%.*s", (int)(slash - text), text);
	mask = strtoul(slash + 1, &end, 10);
	if (*end || mask > bits_of(n) || !pc_parse(pc, &n->format, bits_of(n), &out->pc))
		return false;
	out->mask = (uint8_t)mask;
	return out->pc >> mask << mask == out->pc;
}

static void destination_read(struct reader *r, const config_setting_t *s, const struct row *row, void *obj)
{
	const struct network_conf *n = scope_network(&r->scope);
	const char *text = config_setting_get_string(s);
	struct route_dest *d = row_at(row, obj), got = {0};

	if (!n) /* told already: the network is unknown */
		return;
	if (text && !strcmp(text, "default"))
		got.mask = bits_of(n);
	else if (text && strchr(text, '/')) {
		if (!masked_parse(text, n, &got)) {
			setting_error(r, s,
				"\"%s\" is \"%s\", which is no point code of network \"%s\" and a number of "
				"low bits, all zero, that do not matter",
				row->key, text, n->name ? n->name : "?");
			return;
		}
	} else if (!pc_read(r, s, row, &got.pc)) {
		return;
	}
	*d = got;
}

static void destination_absent(struct reader *r, const struct row *row, void *obj)
{
	(void)r;
	*(struct route_dest *)row_at(row, obj) = (struct route_dest){0};
}

static void destination_print(FILE *out, const struct scope *scope, const struct row *row, const void *obj)
{
	const struct route_dest *d = row_at(row, obj);
	const struct network_conf *n = scope_network(scope);
	char buf[PC_STR];

	if (d->mask == bits_of(n))
		fputs("\"default\"", out);
	else if (d->mask)
		fprintf(out, "\"%s/%u\"", pc_str(d->pc, &n->format, buf, sizeof(buf)), d->mask);
	else
		pc_put(out, scope, d->pc);
}

static bool destination_same(const struct row *row, const void *a, const void *b)
{
	const struct route_dest *x = row_at(row, a), *y = row_at(row, b);

	return x->pc == y->pc && x->mask == y->mask;
}

/* ---- service indicators ---- */

static bool si_read(struct reader *r, const config_setting_t *s, const struct row *row, void *at)
{
	const char *text = config_setting_get_string(s);
	char number[24];

	if (config_setting_type(s) == CONFIG_TYPE_INT) {
		snprintf(number, sizeof(number), "%d", config_setting_get_int(s));
		text = number;
	}
	if (text && si_parse(text, at))
		return true;
	setting_error(r, s,
		"\"%s\" must hold service indicators: numbers from 0 to 15, or names like \"sccp\"",
		row->key);
	return false;
}

static void sis_read(struct reader *r, const config_setting_t *s, const struct row *row, void *obj)
{
	read_allocated(r, s, row, obj, 1, si_read);
}

/* The name, where it is one that reads back. */
static void si_put(FILE *out, uint8_t si)
{
	char name[32];
	uint8_t back;

	snprintf(name, sizeof(name), "%s", si_name(si));
	for (char *p = name; *p; p++)
		*p = (char)tolower((unsigned char)*p);
	if (si_parse(name, &back) && back == si && !isdigit((unsigned char)name[0]))
		fprintf(out, "\"%s\"", name);
	else
		fprintf(out, "%u", si);
}

static void sis_print(FILE *out, const struct scope *scope, const struct row *row, const void *obj)
{
	const uint8_t *sis = elements_of(row, obj);

	(void)scope;
	fputc('(', out);
	for (unsigned i = 0; i < row_count(row, obj); i++) {
		comma(out, i);
		si_put(out, sis[i]);
	}
	fputs(" )", out);
}

static bool sis_same(const struct row *row, const void *a, const void *b)
{
	return same_bytes(row, a, b, 1);
}

/* ---- names of other objects ---- */

static bool name_read(struct reader *r, const config_setting_t *s, const struct row *row, void *at)
{
	const char *text = config_setting_get_string(s);

	if (!text)
		setting_error(r, s, "\"%s\" must hold names", row->key);
	else
		*(const char **)at = talloc_strdup(r->conf, text);
	return text;
}

static void references_read(struct reader *r, const config_setting_t *s, const struct row *row, void *obj)
{
	read_allocated(r, s, row, obj, sizeof(char *), name_read);
}

static void references_print(FILE *out, const struct scope *scope, const struct row *row, const void *obj)
{
	const char *const *names = elements_of(row, obj);

	(void)scope;
	fputc('(', out);
	for (unsigned i = 0; i < row_count(row, obj); i++) {
		comma(out, i);
		fprintf(out, "\"%s\"", names[i]);
	}
	fputs(" )", out);
}

static bool references_same(const struct row *row, const void *a, const void *b)
{
	const char *const *x = elements_of(row, a), *const *y = elements_of(row, b);
	unsigned n = row_count(row, a);
	bool same = n == row_count(row, b);

	for (unsigned i = 0; same && i < n; i++)
		same = !strcmp(x[i], y[i]);
	return same;
}

/* ---- the table ---- */

#define TYPE(title, stem, a)                                                                                 \
	.name = (title), .read = stem##_read, .absent = a##_absent, .print = stem##_print, .same = stem##_same

const struct value_type value_point_code = {TYPE("point code", point_code, point_code)};
const struct value_type value_destination = {TYPE("destination", destination, destination)};
const struct value_type value_addresses = {TYPE("list of addresses", addresses, list), .list = true};
const struct value_type value_point_codes = {TYPE("list of point codes", point_codes, list), .list = true};
const struct value_type value_service_indicators = {
	TYPE("list of service indicators", sis, list), .list = true};
const struct value_type value_references = {TYPE("list of names", references, list), .list = true};
