/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options as rows: a key, how its value is read, where it goes and what to say if it does not fit. Used for
 * the command line and for the "key=value,key=value" lists inside it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { KEYVAL_ERR = 256, KEYVAL_NAME = 32 };

struct keyval_row {
	const char *key;
	/* Reads VALUE into OBJ; false: it does not fit. It may say why in ERR (KEYVAL_ERR bytes), else WANT
	 * does. */
	bool (*parse)(const struct keyval_row *row, const char *value, void *obj, char *err);
	size_t offset;     /* of the field in OBJ */
	size_t has_offset; /* of a bool that tells it was given; 0: none */
	uint64_t min, max; /* numbers; a unit in ms for times given without one: see keyval_seconds() */
	const char *want;  /* "a number from 1 to 8": for the message; also the help's placeholder */
	const char *help;
};

/* Reads "key=value,key=value" (TEXT is not changed). False: ERR says what is wrong. */
bool keyval_parse(const char *text, const struct keyval_row *rows, unsigned n_rows, void *obj, char *err);

/* One key. */
bool keyval_apply(const struct keyval_row *row, const char *value, void *obj, char *err);

/* Readers for rows. */
bool keyval_u8(const struct keyval_row *row, const char *value, void *obj, char *err);
bool keyval_u16(const struct keyval_row *row, const char *value, void *obj, char *err);
bool keyval_u32(const struct keyval_row *row, const char *value, void *obj, char *err);
bool keyval_u64(const struct keyval_row *row, const char *value, void *obj, char *err);
bool keyval_flag(
	const struct keyval_row *row, const char *value, void *obj, char *err); /* value NULL: true */
bool keyval_text(
	const struct keyval_row *row, const char *value, void *obj, char *err); /* char[KEYVAL_NAME] */
bool keyval_path(const struct keyval_row *row, const char *value, void *obj, char *err); /* const char * */
/* uint64_t nanoseconds from "2s", "500ms", "1.5m"; a bare number is in seconds or in milliseconds. */
bool keyval_seconds(const struct keyval_row *row, const char *value, void *obj, char *err);
bool keyval_millis(const struct keyval_row *row, const char *value, void *obj, char *err);

/* Plain readers. */
bool keyval_number(const char *text, uint64_t min, uint64_t max, uint64_t *out); /* decimal or 0x */
bool keyval_range(
	const char *text, uint32_t min, uint32_t max, uint32_t *from, uint32_t *to); /* "3", "0-15" */
bool keyval_time(const char *text, double bare_unit_s, uint64_t *ns);
