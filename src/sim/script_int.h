/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Between the files that read scripts. */
#pragma once

#include "sim/script.h"

/* ---- script_lex.c ---- */

enum { LEX_WORDS = 256 };

struct lex;

/* One line that is not empty, in words; "{" and "}" outside quotes are words of their own. Valid until the
 * script is freed. */
struct lex_line {
	const char *where, *text;
	char *words[LEX_WORDS + 1];
	unsigned n;
};

/* SET: variables $name that are replaced by text: see script_load(). */
struct lex *lex_open(void *ctx, const char *path, char *err);
/* 1: a line, 0: the end, -1: ERR. Obeys include, macro and use by itself. */
int lex_next(struct lex *l, struct lex_line *out, char *err);

/* ---- script_value.c ---- */

/* A number, $name or $name+number. */
bool value_num(struct script *s, const char *text, uint32_t max, struct script_num *out);
/* "3,$x,5"; names of values where TAG has some (status=AS_ACTIVE). */
bool value_list(struct script *s, uint16_t tag, const char *text, struct script_param *out);
/* "1-2-3/8,1-2-4": point codes with the number of wildcarded bits. */
bool value_pc_list(struct script *s, const char *text, struct script_param *out);
bool value_pc(struct script *s, const char *text, struct script_num *out);
/* Hexadecimal digits in pairs, or 00*5000: an octet repeated. */
bool value_hex(void *ctx, const char *text, struct script_bytes *out);
/* "text" in quotes, or without. */
bool value_text(void *ctx, const char *text, struct script_bytes *out);
uint32_t value_of(const struct script *s, const struct script_num *n);
/* The name of TAG's value V, or NULL. */
const char *value_name(uint16_t tag, uint32_t v);

/* ---- script_message.c ---- */

/* How scripts call a parameter. */
const char *message_key(uint16_t tag);
/* The type of this name. */
bool message_type(const char *name, uint16_t *out);
extern const char *const message_label_keys[LABEL_FIELDS];
