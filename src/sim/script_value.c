/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The values in scripts. */
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "sim/keyval.h"
#include "sim/script_int.h"

enum { LIST_MAX = 16384, REPEAT_MAX = 65535 };

/* ---- names of values ---- */

#define X(id, code, name) {M3UA_P_ERROR_CODE, code, #id},
static const struct {
	uint16_t tag;
	uint32_t value;
	const char *name;
} names[] = {
	M3UA_ERRORS(X) /* err=INVALID_RC */
#undef X
	{M3UA_P_TRAFFIC_MODE, 1, "override"},
	{M3UA_P_TRAFFIC_MODE, 2, "loadshare"},
	{M3UA_P_TRAFFIC_MODE, 3, "broadcast"},
	{M3UA_P_STATUS, M3UA_NTFY_AS_STATE << 16 | M3UA_AS_INACTIVE, "AS_INACTIVE"},
	{M3UA_P_STATUS, M3UA_NTFY_AS_STATE << 16 | M3UA_AS_ACTIVE, "AS_ACTIVE"},
	{M3UA_P_STATUS, M3UA_NTFY_AS_STATE << 16 | M3UA_AS_PENDING, "AS_PENDING"},
	{M3UA_P_STATUS, M3UA_NTFY_OTHER << 16 | M3UA_INSUFFICIENT, "INSUFFICIENT"},
	{M3UA_P_STATUS, M3UA_NTFY_OTHER << 16 | M3UA_ALTERNATE, "ALTERNATE"},
	{M3UA_P_STATUS, M3UA_NTFY_OTHER << 16 | M3UA_ASP_FAILURE, "ASP_FAILURE"},
};

const char *value_name(uint16_t tag, uint32_t v)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (names[i].tag == tag && names[i].value == v)
			return names[i].name;
	return NULL;
}

static bool named(uint16_t tag, const char *text, struct script_num *out)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (names[i].tag == tag && !strcmp(names[i].name, text)) {
			*out = (struct script_num){.n = names[i].value, .var = SCRIPT_NO_VAR};
			return true;
		}
	return false;
}

/* ---- numbers ---- */

int script_var(struct script *s, const char *name, unsigned len)
{
	for (unsigned i = 0; i < s->n_vars; i++)
		if (strlen(s->vars[i].name) == len && !memcmp(s->vars[i].name, name, len))
			return (int)i;
	if (s->n_vars == SCRIPT_VARS || !len || len >= SCRIPT_NAME)
		return SCRIPT_NO_VAR;
	memcpy(s->vars[s->n_vars].name, name, len);
	return (int)s->n_vars++;
}

uint32_t value_of(const struct script *s, const struct script_num *n)
{
	return n->n + (n->var == SCRIPT_NO_VAR ? 0 : s->vars[n->var].value);
}

bool value_num(struct script *s, const char *text, uint32_t max, struct script_num *out)
{
	const char *plus;
	uint64_t n = 0;

	*out = (struct script_num){.var = SCRIPT_NO_VAR};
	if (*text == '$') {
		plus = strchr(text, '+');
		if (plus && !keyval_number(plus + 1, 0, max, &n))
			return false;
		out->n = (uint32_t)n;
		out->var =
			script_var(s, text + 1, (unsigned)(plus ? plus - text - 1 : (long)strlen(text) - 1));
		return out->var != SCRIPT_NO_VAR;
	}
	if (!keyval_number(text, 0, max, &n))
		return false;
	out->n = (uint32_t)n;
	return true;
}

/* "1/2": two halves (cause/user, status). */
static bool halves(const char *text, struct script_num *out)
{
	const char *slash = strchr(text, '/');
	uint64_t a, b;
	char high[8];

	if (!slash || slash - text >= (long)sizeof(high))
		return false;
	memcpy(high, text, (size_t)(slash - text));
	high[slash - text] = 0;
	if (!keyval_number(high, 0, 0xffff, &a) || !keyval_number(slash + 1, 0, 0xffff, &b))
		return false;
	*out = (struct script_num){.n = (uint32_t)(a << 16 | b), .var = SCRIPT_NO_VAR};
	return true;
}

bool value_pc(struct script *s, const char *text, struct script_num *out)
{
	*out = (struct script_num){.var = SCRIPT_NO_VAR};
	if (*text == '$')
		return value_num(s, text, UINT32_MAX, out);
	return pc_parse(text, &s->pc_format, pc_bits(s->variant), &out->n) ||
	       value_num(s, text, UINT32_MAX, out); /* too wide on purpose */
}

/* ---- lists ---- */

typedef bool element_fn(struct script *s, uint16_t tag, char *text, struct script_num *out);

static bool plain_element(struct script *s, uint16_t tag, char *text, struct script_num *out)
{
	return named(tag, text, out) || halves(text, out) || value_num(s, text, UINT32_MAX, out);
}

static bool pc_element(struct script *s, uint16_t tag, char *text, struct script_num *out)
{
	char *slash = strchr(text, '/');
	uint64_t mask = 0;

	(void)tag;
	if (slash) {
		*slash = 0;
		if (!keyval_number(slash + 1, 0, 255, &mask))
			return false;
	}
	if (!value_pc(s, text, out))
		return false;
	out->n |= (uint32_t)mask << 24;
	return true;
}

static bool elements(
	struct script *s, uint16_t tag, const char *text, element_fn *read, struct script_param *out)
{
	char *copy = talloc_strdup(s, text), *save = NULL;
	bool ok = true;

	for (char *e = strtok_r(copy, ",", &save); ok && e; e = strtok_r(NULL, ",", &save)) {
		out->nums = talloc_realloc(s, out->nums, struct script_num, out->n_nums + 1);
		ok = out->n_nums < LIST_MAX && read(s, tag, e, &out->nums[out->n_nums]);
		out->n_nums++;
	}
	return ok && out->n_nums;
}

bool value_list(struct script *s, uint16_t tag, const char *text, struct script_param *out)
{
	return elements(s, tag, text, plain_element, out);
}

bool value_pc_list(struct script *s, const char *text, struct script_param *out)
{
	return elements(s, 0, text, pc_element, out);
}

/* ---- bytes ---- */

static int digit(char c)
{
	static const char digits[] = "0123456789abcdef";
	const char *p = c ? strchr(digits, c >= 'A' && c <= 'F' ? c - 'A' + 'a' : c) : NULL;

	return p ? (int)(p - digits) : -1;
}

bool value_hex(void *ctx, const char *text, struct script_bytes *out)
{
	const char *star = strchr(text, '*');
	uint64_t times = 1;
	size_t len = star ? (size_t)(star - text) : strlen(text);

	if (len % 2 || (star && !keyval_number(star + 1, 1, REPEAT_MAX, &times)) ||
		len / 2 * times > REPEAT_MAX)
		return false;
	*out = (struct script_bytes){.p = talloc_array(ctx, uint8_t, len / 2 * times + 1)};
	for (uint64_t t = 0; t < times; t++) {
		for (size_t i = 0; i < len; i += 2) {
			int high = digit(text[i]), low = digit(text[i + 1]);

			if (high < 0 || low < 0)
				return false;
			out->p[out->len++] = (uint8_t)(high << 4 | low);
		}
	}
	return true;
}

bool value_text(void *ctx, const char *text, struct script_bytes *out)
{
	size_t len = strlen(text);

	if (len >= 2 && text[0] == '"' && text[len - 1] == '"') {
		text++;
		len -= 2;
	}
	*out = (struct script_bytes){
		.p = talloc_memdup(ctx, len ? text : "", len ? len : 1), .len = (uint32_t)len};
	return true;
}
