/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Test vectors as text: hexadecimal digits, blanks anywhere. */
#pragma once

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static inline uint32_t hex(const char *text, uint8_t *out, uint32_t cap)
{
	uint32_t n = 0;

	for (; *text && n < cap; text++) {
		if (!isxdigit((unsigned char)text[0]))
			continue;
		out[n++] = (uint8_t)strtoul((char[]){text[0], text[1], '\0'}, NULL, 16);
		text++;
	}
	return n;
}

/* The LEN bytes in a block of exactly that size, so that a sanitizer sees a read behind them. The caller
 * frees. */
static inline uint8_t *exact(const uint8_t *bytes, uint32_t len)
{
	uint8_t *copy = malloc(len ? len : 1);

	if (copy && len)
		memcpy(copy, bytes, len);
	return copy;
}
