/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One walk, two renderings: a `show` function describes what it sees through this interface, and comes out as
 * text for operators or as JSON for programs. The two cannot disagree. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct walk;

/* Rows of like objects: text renders a table whose columns are the fields of the rows, JSON a list of
 * objects. */
void walk_table(struct walk *w, const char *name);
void walk_table_end(struct walk *w);
/* One object: text renders "key: value" lines, or a row inside a table; JSON an object. NAME is the key in
 * the parent (ignored inside a table or list). */
void walk_object(struct walk *w, const char *name);
void walk_object_end(struct walk *w);

/* Fields. KEY is JSON's key (lower-case-with-dashes) and, with dashes as blanks, text's label. */
void walk_str(struct walk *w, const char *key, const char *v); /* NULL: null, "-" */
void walk_fmt(struct walk *w, const char *key, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void walk_u64(struct walk *w, const char *key, uint64_t v);
void walk_bool(struct walk *w, const char *key, bool v); /* text: yes, no */
void walk_ms(struct walk *w, const char *key,
	uint64_t ms); /* JSON: number of ms; text: "1d 02:03:04" or "12.3 s" */
/* A list of strings: text joins them with commas. */
void walk_list(struct walk *w, const char *key);
void walk_item(struct walk *w, const char *v);
void walk_list_end(struct walk *w);

/* The two renderers. LINE receives text line by line, without the newline. */
struct walk *walk_text_new(void (*line)(void *arg, const char *text), void *arg);
struct walk *walk_json_new(void (*line)(void *arg, const char *text), void *arg);
/* Emits what is pending and frees it. */
void walk_done(struct walk *take_w);
