/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/keyval.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- plain readers ---- */

bool keyval_number(const char *text, uint64_t min, uint64_t max, uint64_t *out)
{
	char *end;

	if (*text < '0' || *text > '9') /* strtoull would take signs and spaces */
		return false;
	errno = 0;
	*out = strtoull(text, &end, strncmp(text, "0x", 2) ? 10 : 16);
	return !errno && !*end && *out >= min && *out <= max;
}

bool keyval_range(const char *text, uint32_t min, uint32_t max, uint32_t *from, uint32_t *to)
{
	const char *dash = strchr(text, '-');
	char low[16];
	uint64_t a, b;

	if (!dash)
		dash = text + strlen(text);
	if ((size_t)(dash - text) >= sizeof(low))
		return false;
	memcpy(low, text, (size_t)(dash - text));
	low[dash - text] = 0;
	if (!keyval_number(low, min, max, &a))
		return false;
	b = a;
	if (*dash && !keyval_number(dash + 1, a, max, &b))
		return false;
	*from = (uint32_t)a;
	*to = (uint32_t)b;
	return true;
}

bool keyval_time(const char *text, double bare_unit_s, uint64_t *ns)
{
	static const struct {
		const char *unit;
		double seconds;
	} units[] = {{"us", 1e-6}, {"ms", 1e-3}, {"s", 1}, {"m", 60}, {"h", 3600}};
	double v, unit = 0;
	char *end;

	if (*text < '0' || *text > '9')
		return false;
	v = strtod(text, &end);
	if (!*end)
		unit = bare_unit_s;
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (!strcmp(end, units[i].unit))
			unit = units[i].seconds;
	if (unit <= 0 || !isfinite(v) || v * unit > 1e8)
		return false;
	*ns = (uint64_t)llround(v * unit * 1e9);
	return true;
}

/* ---- readers for rows ---- */

static void *field(const struct keyval_row *row, void *obj)
{
	return (char *)obj + row->offset;
}

bool keyval_u64(const struct keyval_row *row, const char *value, void *obj, char *err)
{
	(void)err;
	return keyval_number(value, row->min, row->max, field(row, obj));
}

bool keyval_u32(const struct keyval_row *row, const char *value, void *obj, char *err)
{
	uint64_t v;

	(void)err;
	if (!keyval_number(value, row->min, row->max, &v))
		return false;
	*(uint32_t *)field(row, obj) = (uint32_t)v;
	return true;
}

bool keyval_u16(const struct keyval_row *row, const char *value, void *obj, char *err)
{
	uint64_t v;

	(void)err;
	if (!keyval_number(value, row->min, row->max, &v))
		return false;
	*(uint16_t *)field(row, obj) = (uint16_t)v;
	return true;
}

bool keyval_u8(const struct keyval_row *row, const char *value, void *obj, char *err)
{
	uint64_t v;

	(void)err;
	if (!keyval_number(value, row->min, row->max, &v))
		return false;
	*(uint8_t *)field(row, obj) = (uint8_t)v;
	return true;
}

bool keyval_flag(const struct keyval_row *row, const char *value, void *obj, char *err)
{
	(void)value;
	(void)err;
	*(bool *)field(row, obj) = true;
	return true;
}

bool keyval_text(const struct keyval_row *row, const char *value, void *obj, char *err)
{
	(void)err;
	if (!*value || strlen(value) >= KEYVAL_NAME)
		return false;
	memcpy(field(row, obj), value, strlen(value) + 1);
	return true;
}

bool keyval_path(const struct keyval_row *row, const char *value, void *obj, char *err)
{
	(void)err;
	*(const char **)field(row, obj) = value;
	return *value;
}

bool keyval_seconds(const struct keyval_row *row, const char *value, void *obj, char *err)
{
	(void)err;
	return keyval_time(value, 1, field(row, obj));
}

bool keyval_millis(const struct keyval_row *row, const char *value, void *obj, char *err)
{
	(void)err;
	return keyval_time(value, 1e-3, field(row, obj));
}

/* ---- lists ---- */

bool keyval_apply(const struct keyval_row *row, const char *value, void *obj, char *err)
{
	err[0] = 0;
	if (!row->parse(row, value, obj, err)) {
		if (!err[0])
			snprintf(err, KEYVAL_ERR, "%s: \"%s\" is not %s", row->key, value ? value : "",
				row->want);
		return false;
	}
	if (row->has_offset)
		*(bool *)((char *)obj + row->has_offset) = true;
	return true;
}

static const struct keyval_row *find(const struct keyval_row *rows, unsigned n, const char *key)
{
	for (unsigned i = 0; i < n; i++)
		if (!strcmp(rows[i].key, key))
			return &rows[i];
	return NULL;
}

static void unknown_key(const struct keyval_row *rows, unsigned n, const char *key, char *err)
{
	int at = snprintf(err, KEYVAL_ERR, "no such key: \"%.40s\"; there are", key);

	for (unsigned i = 0; i < n && at < KEYVAL_ERR; i++)
		at += snprintf(err + at, (size_t)(KEYVAL_ERR - at), "%s %s", i ? "," : "", rows[i].key);
}

static bool one_pair(char *pair, const struct keyval_row *rows, unsigned n_rows, void *obj, char *err)
{
	const struct keyval_row *row;
	char *eq = strchr(pair, '=');

	if (!eq) {
		snprintf(err, KEYVAL_ERR, "\"%.80s\" is not key=value", pair);
		return false;
	}
	*eq = 0;
	row = find(rows, n_rows, pair);
	if (!row) {
		unknown_key(rows, n_rows, pair, err);
		return false;
	}
	return keyval_apply(row, eq + 1, obj, err);
}

bool keyval_parse(const char *text, const struct keyval_row *rows, unsigned n_rows, void *obj, char *err)
{
	char *copy = strdup(text), *save = NULL;
	bool ok = copy != NULL;

	for (char *pair = ok ? strtok_r(copy, ",", &save) : NULL; ok && pair;
		pair = strtok_r(NULL, ",", &save))
		ok = one_pair(pair, rows, n_rows, obj, err);
	free(copy);
	return ok;
}
