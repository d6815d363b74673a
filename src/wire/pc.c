/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Point codes as numbers, as text and as ranges; MTP3 service indicators by name. */
#include "wire/pc.h"

#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* ---- variants ---- */

static const struct {
	const char *name;
	uint8_t bits;
	struct pc_format format;
} variants[PC_VARIANTS] = {
	[PC_ITU] = {"itu", 14, {.widths = {3, 8, 3}, .n = 3, .delim = '-'}},
	[PC_ANSI] = {"ansi", 24, {.widths = {8, 8, 8}, .n = 3, .delim = '-'}},
	[PC_CHINA] = {"china", 24, {.widths = {8, 8, 8}, .n = 3, .delim = '-'}},
	/* TTC writes main area, sub-area, unit; the main area is the lowest five bits. */
	[PC_JAPAN] = {"japan", 16, {.widths = {7, 4, 5}, .n = 3, .delim = '-', .reversed = true}},
};

const char *pc_variant_name(enum pc_variant v)
{
	return (unsigned)v < PC_VARIANTS ? variants[v].name : "?";
}

uint8_t pc_bits(enum pc_variant v)
{
	return (unsigned)v < PC_VARIANTS ? variants[v].bits : 0;
}

void pc_format_default(enum pc_variant v, struct pc_format *out)
{
	*out = (unsigned)v < PC_VARIANTS ? variants[v].format : (struct pc_format){.delim = '-'};
}

/* ---- text ---- */

static bool is_delim(char c)
{
	return c == '.' || c == '-' || c == '/';
}

/* Digits of BASE at *TEXT, a number of at most MAX; *TEXT moves behind them. No sign, no blank. */
static bool take_number(const char **text, unsigned base, uint32_t max, uint32_t *out)
{
	const char *p = *text;
	uint64_t v = 0;

	for (; isxdigit((unsigned char)*p); p++) {
		unsigned digit = isdigit((unsigned char)*p)
					 ? (unsigned)(*p - '0')
					 : (unsigned)(tolower((unsigned char)*p) - 'a' + 10);

		if (digit >= base)
			return false;
		v = v * base + digit;
		if (v > max)
			return false;
	}
	if (p == *text)
		return false;
	*text = p;
	*out = (uint32_t)v;
	return true;
}

static uint32_t low_bits(uint8_t bits)
{
	return bits >= 32 ? UINT32_MAX : (1u << bits) - 1;
}

bool pc_format_parse(const char *text, uint8_t bits, struct pc_format *out)
{
	struct pc_format f = {.delim = '-'};
	unsigned sum = 0;
	uint32_t width;

	for (;;) {
		if (f.n == COUNT(f.widths) || !take_number(&text, 10, bits, &width) || !width)
			return false;
		f.widths[f.n++] = (uint8_t)width;
		sum += width;
		if (!*text)
			break;
		/* one delimiter throughout */
		if (!is_delim(*text) || (f.n > 1 && *text != f.delim))
			return false;
		f.delim = *text++;
	}
	if (sum != bits)
		return false;
	*out = f;
	return true;
}

/* The I-th field of the text is this one of widths[]. */
static unsigned field(const struct pc_format *f, unsigned i)
{
	return f->reversed ? f->n - 1u - i : i;
}

/* How many bits lie below field K. */
static unsigned shift_of(const struct pc_format *f, unsigned k)
{
	unsigned shift = 0;

	for (unsigned i = k + 1; i < f->n; i++)
		shift += f->widths[i];
	return shift;
}

static bool parse_fields(const char *text, const struct pc_format *f, uint8_t bits, uint32_t *out)
{
	uint32_t pc = 0, v;
	char delim = '\0';

	for (unsigned i = 0; i < f->n; i++) {
		unsigned k = field(f, i);

		if (i) {
			if (!is_delim(*text) || (delim && *text != delim))
				return false;
			delim = *text++;
		}
		if (!take_number(&text, 10, low_bits(f->widths[k]), &v))
			return false;
		pc |= v << shift_of(f, k);
	}
	if (*text || pc > low_bits(bits))
		return false;
	*out = pc;
	return true;
}

bool pc_parse(const char *text, const struct pc_format *format, uint8_t bits, uint32_t *out)
{
	const char *p = text;
	bool hex = p[0] == '0' && (p[1] == 'x' || p[1] == 'X');
	uint32_t v;

	if (hex)
		p += 2;
	if (hex || !strpbrk(p, ".-/")) {
		if (!take_number(&p, hex ? 16 : 10, low_bits(bits), &v) || *p)
			return false;
		*out = v;
		return true;
	}
	return format->n > 1 && parse_fields(text, format, bits, out);
}

const char *pc_str(uint32_t pc, const struct pc_format *format, char *buf, uint32_t n)
{
	uint32_t used = 0;

	if (format->n < 2) {
		snprintf(buf, n, "%u", pc);
		return buf;
	}
	for (unsigned i = 0; i < format->n && used < n; i++) {
		unsigned k = field(format, i);
		uint32_t v = pc >> shift_of(format, k);

		/* the top field shows bits that do not belong rather than hiding them */
		if (k)
			v &= low_bits(format->widths[k]);
		if (i)
			used += (uint32_t)snprintf(buf + used, n - used, "%c%u", format->delim, v);
		else
			used = (uint32_t)snprintf(buf, n, "%u", v);
	}
	return buf;
}

/* ---- ranges ---- */

bool pc_range_of(uint32_t pc, uint8_t mask, uint8_t bits, struct pc_range *out)
{
	uint32_t all = low_bits(bits), wild = low_bits(mask);

	if (mask >= bits) {
		*out = (struct pc_range){.first = 0, .last = all};
		return true;
	}
	if (pc > all)
		return false;
	*out = (struct pc_range){.first = pc & ~wild, .last = pc | wild};
	return true;
}

bool pc_range_has(const struct pc_range *r, uint32_t pc)
{
	return pc >= r->first && pc <= r->last;
}

bool pc_range_overlap(const struct pc_range *a, const struct pc_range *b)
{
	return a->first <= b->last && b->first <= a->last;
}

/* ---- service indicators ---- */

/* Q.704 s.14.2.1, and RFC 4666 s.3.4.5 for 12 to 14. */
static const char *const si_names[16] = {
	[0] = "SNM",  /* signalling network management */
	[1] = "SNT",  /* testing and maintenance */
	[2] = "SNTS", /* testing and maintenance, special */
	[3] = "SCCP",
	[4] = "TUP",
	[5] = "ISUP",
	[6] = "DUP",   /* call and circuit related */
	[7] = "DUP-F", /* facility registration and cancellation */
	[8] = "MTUP",  /* MTP testing */
	[9] = "B-ISUP",
	[10] = "S-ISUP",
	[12] = "AAL2",
	[13] = "BICC",
	[14] = "GCP",
};

const char *si_name(uint8_t si)
{
	return si < COUNT(si_names) && si_names[si] ? si_names[si] : "?";
}

bool si_parse(const char *text, uint8_t *out)
{
	uint32_t v;

	for (unsigned i = 0; i < COUNT(si_names); i++)
		if (si_names[i] && !strcasecmp(text, si_names[i])) {
			*out = (uint8_t)i;
			return true;
		}
	if (!take_number(&text, 10, 15, &v) || *text)
		return false;
	*out = (uint8_t)v;
	return true;
}
