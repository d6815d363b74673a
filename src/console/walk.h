/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One walk, two renderings: a `show` function describes what it sees through this interface, and comes out as
 * text for operators or as JSON for programs. The two cannot disagree. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct walk;

/* The walk itself is an object without a name. NAME and KEY everywhere: constant text,
 * lower-case-with-dashes, not copied; JSON's key and, with dashes as blanks, text's label. NAME is ignored
 * inside tables and blocks. */

/* Rows of like objects: text renders a table whose columns are the fields of the rows, JSON a list of
 * objects. What is nested in a row shares one cell: "a b, c d". */
void walk_table(struct walk *w, const char *name);
void walk_table_end(struct walk *w);
/* A list of objects too large for a row: text renders one block of "key: value" lines after the other. */
void walk_blocks(struct walk *w, const char *name);
void walk_blocks_end(struct walk *w);
/* One object: text renders "key: value" lines, or a row inside a table; JSON an object. */
void walk_object(struct walk *w, const char *name);
void walk_object_end(struct walk *w);

/* Fields. Text is copied; bytes that are not UTF-8 come out as \xNN. */
void walk_str(struct walk *w, const char *key, const char *v); /* NULL: null, "-" */
void walk_fmt(struct walk *w, const char *key, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void walk_u64(struct walk *w, const char *key, uint64_t v);
void walk_bool(struct walk *w, const char *key, bool v); /* text: yes, no */
void walk_null(struct walk *w, const char *key);         /* no value: null, "-" */
/* JSON: number of ms; text: "20 ms", "12.3 s", "02:03:04" or "1d 02:03:04" */
void walk_ms(struct walk *w, const char *key, uint64_t ms);
/* A counter: JSON the number alone; text adds what it counts (constant text), and leaves out those that are
 * zero if SPARSE. */
void walk_counter(struct walk *w, const char *key, uint64_t v, const char *help, bool sparse);
/* A list of strings: text joins them with commas. */
void walk_list(struct walk *w, const char *key);
void walk_item(struct walk *w, const char *v);
void walk_list_end(struct walk *w);

/* The two renderers. LINE receives text line by line, without the newline, from walk_done(). */
struct walk *walk_text_new(void (*line)(void *arg, const char *text), void *arg);
struct walk *walk_json_new(void (*line)(void *arg, const char *text), void *arg);
/* Emits the walk and frees it. */
void walk_done(struct walk *take_w);
/* Frees it without a word: what was to be shown does not exist. */
void walk_drop(struct walk *take_w);
