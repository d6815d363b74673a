/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Point codes: width by variant, and the notations operators write them in. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum pc_variant { PC_ITU, PC_ANSI, PC_CHINA, PC_JAPAN, PC_VARIANTS }; /* 14, 24, 24, 16 bits */

enum { PC_STR = 24 };

/* A notation: field widths from the most significant on and a delimiter, e.g. "3-8-3", "8.8.8", "5.4.7", "14"
 * (a plain number). */
struct pc_format {
	uint8_t widths[4];
	uint8_t n;
	bool reversed; /* text begins with the least significant field */
	char delim;
};

const char *pc_variant_name(enum pc_variant v);
uint8_t pc_bits(enum pc_variant v);
/* ITU 3-8-3, ANSI and China 8-8-8, Japan 7-4-5 written least significant first (network-member order, as in
 * TTC). */
void pc_format_default(enum pc_variant v, struct pc_format *out);
/* "3.8.3"-like text; the widths must add up to BITS. */
bool pc_format_parse(const char *text, uint8_t bits, struct pc_format *out);

/* Text in FORMAT, or a plain decimal or 0x-hexadecimal number, or with another of . - / as the delimiter. */
bool pc_parse(const char *text, const struct pc_format *format, uint8_t bits, uint32_t *out);
const char *pc_str(uint32_t pc, const struct pc_format *format, char *buf, uint32_t n);

/* A contiguous range of point codes. */
struct pc_range {
	uint32_t first, last;
};

/* The range that PC means with the MASK lowest bits wildcarded (RFC 4666 s.3.4.1); a mask of BITS or more is
 * the whole network. False: PC does not fit into BITS. No loop: a range costs the same whatever its size. */
bool pc_range_of(uint32_t pc, uint8_t mask, uint8_t bits, struct pc_range *out);
bool pc_range_has(const struct pc_range *r, uint32_t pc);
bool pc_range_overlap(const struct pc_range *a, const struct pc_range *b);

/* "SCCP" for 3, "ISUP" for 5 ...: MTP3 service indicators (Q.704 s.14.2.1); "?" for the spare ones. */
const char *si_name(uint8_t si);
bool si_parse(const char *text, uint8_t *out); /* name or number 0..15 */
