/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Renders a walk as text for an operator's terminal. Objects are "label: value" lines with aligned values,
 * tables have a column for every key that a row has (numbers to the right), what is nested is indented.
 * Control characters come out as \xNN, so that nothing a peer sends can steer a terminal. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "console/walk.h"
#include "console/walk_tree.h"

enum { INDENT = 2, GAP = 2, MAX_COLUMNS = 48 };

struct out {
	void (*line)(void *arg, const char *text);
	void *arg;
	char *buf; /* the line being made */
	size_t len, cap;
	bool empty; /* nothing has been written yet */
};

static void put(struct out *o, const char *s, size_t n)
{
	if (o->len + n + 1 > o->cap) {
		o->cap = (o->len + n + 1) * 2;
		o->buf = realloc(o->buf, o->cap);
		if (!o->buf)
			abort();
	}
	memcpy(o->buf + o->len, s, n);
	o->len += n;
	o->buf[o->len] = '\0';
}

static void puts_to(struct out *o, const char *s)
{
	put(o, s, strlen(s));
}

static void pad(struct out *o, unsigned n)
{
	while (n--)
		put(o, " ", 1);
}

static void flush(struct out *o)
{
	while (o->len && o->buf[o->len - 1] == ' ')
		o->len--;
	put(o, "", 0);
	o->line(o->arg, o->buf);
	o->len = 0;
	o->empty = false;
}

static void blank(struct out *o)
{
	if (!o->empty)
		flush(o);
}

/* Columns that S takes on a terminal, near enough: its UTF-8 characters. */
static unsigned width(const char *s)
{
	unsigned n = 0;
	for (; *s; s++)
		n += (*s & 0xc0) != 0x80;
	return n;
}

static void put_label(struct out *o, const char *key)
{
	for (; *key; key++)
		put(o, *key == '-' ? " " : key, 1);
}

/* ---- cells: everything on one line ---- */

static void put_str(struct out *o, const char *s)
{
	if (!s || !*s) {
		puts_to(o, s ? "\"\"" : "-");
		return;
	}
	for (; *s; s++) {
		unsigned char c = (unsigned char)*s;
		if (c >= 0x20 && c != 0x7f) {
			put(o, s, 1);
			continue;
		}
		char esc[8];
		snprintf(esc, sizeof(esc), "\\x%02x", c);
		puts_to(o, esc);
	}
}

static void put_ms(struct out *o, uint64_t ms)
{
	char text[48];
	unsigned s = ms / 1000 % 60, m = ms / 60000 % 60, h = ms / 3600000 % 24;
	unsigned long long days = ms / 86400000;

	if (ms < 1000)
		snprintf(text, sizeof(text), "%u ms", (unsigned)ms);
	else if (ms < 60000)
		snprintf(text, sizeof(text), "%u.%u s", s, (unsigned)(ms % 1000 / 100));
	else if (!days)
		snprintf(text, sizeof(text), "%02u:%02u:%02u", h, m, s);
	else
		snprintf(text, sizeof(text), "%llud %02u:%02u:%02u", days, h, m, s);
	puts_to(o, text);
}

static void put_u64(struct out *o, uint64_t v)
{
	char text[24];
	snprintf(text, sizeof(text), "%llu", (unsigned long long)v);
	puts_to(o, text);
}

static void put_cell(struct out *o, const struct walk_node *n)
{
	switch (n->kind) {
	case WALK_STR: put_str(o, n->text); return;
	case WALK_BOOL: puts_to(o, n->number ? "yes" : "no"); return;
	case WALK_MS: put_ms(o, n->number); return;
	case WALK_U64:
	case WALK_COUNTER: put_u64(o, n->number); return;
	default: break;
	}
	if (!n->first)
		puts_to(o, "-");
	for (const struct walk_node *c = n->first; c; c = c->next) {
		if (c != n->first)
			puts_to(o, n->kind == WALK_OBJECT ? " " : ", ");
		put_cell(o, c);
	}
}

static unsigned cell_width(struct out *o, const struct walk_node *n)
{
	size_t before = o->len;
	put_cell(o, n);
	unsigned w = width(o->buf + before);
	o->len = before;
	return w;
}

/* ---- tables ---- */

struct column {
	const char *key;
	unsigned width;
	bool right;
};

struct columns {
	struct column c[MAX_COLUMNS];
	unsigned n;
};

static bool is_number(const struct walk_node *n)
{
	return n->kind == WALK_U64 || n->kind == WALK_COUNTER || (n->kind == WALK_STR && !n->text);
}

/* Rows mostly have the same keys in the same order: AT is where the search begins. */
static struct column *column_of(struct columns *cs, const char *key, unsigned at)
{
	for (unsigned i = 0; i < cs->n; i++) {
		struct column *c = &cs->c[(at + i) % cs->n];
		if (c->key == key || !strcmp(c->key, key))
			return c;
	}
	if (cs->n == MAX_COLUMNS)
		abort(); /* our own invariant: show functions are finite */
	struct column *c = &cs->c[cs->n++];
	*c = (struct column){.key = key, .width = width(key), .right = true};
	return c;
}

static void measure(struct out *o, const struct walk_node *table, struct columns *cs)
{
	cs->n = 0;
	for (const struct walk_node *row = table->first; row; row = row->next) {
		unsigned at = 0;
		for (const struct walk_node *n = row->first; n; n = n->next) {
			struct column *c = column_of(cs, n->key, at);
			unsigned w = cell_width(o, n);
			at = (unsigned)(c - cs->c) + 1;
			if (w > c->width)
				c->width = w;
			c->right = c->right && is_number(n);
		}
	}
}

static const struct walk_node *field(const struct walk_node *row, const char *key)
{
	for (const struct walk_node *n = row->first; n; n = n->next)
		if (n->key == key || !strcmp(n->key, key))
			return n;
	return NULL;
}

static void put_row(struct out *o, const struct columns *cs, const struct walk_node *row, unsigned indent)
{
	pad(o, indent);
	for (unsigned i = 0; i < cs->n; i++) {
		static const struct walk_node absent = {.kind = WALK_STR};
		const struct column *c = &cs->c[i];
		const struct walk_node *n = row ? field(row, c->key) : NULL;
		if (!n)
			n = &absent;
		unsigned w = row ? cell_width(o, n) : width(c->key);
		if (c->right)
			pad(o, c->width - w);
		if (row)
			put_cell(o, n);
		else
			put_label(o, c->key);
		pad(o, (c->right ? 0 : c->width - w) + GAP);
	}
	flush(o);
}

static void put_none(struct out *o, unsigned indent)
{
	pad(o, indent);
	puts_to(o, "(none)");
	flush(o);
}

static void put_table(struct out *o, const struct walk_node *table, unsigned indent)
{
	struct columns cs;

	measure(o, table, &cs);
	if (!cs.n) {
		put_none(o, indent);
		return;
	}
	put_row(o, &cs, NULL, indent);
	for (const struct walk_node *row = table->first; row; row = row->next)
		put_row(o, &cs, row, indent);
}

/* ---- objects and blocks ---- */

static void put_object(struct out *o, const struct walk_node *object, unsigned indent, bool airy);

static bool on_one_line(const struct walk_node *n)
{
	return n->kind != WALK_OBJECT && n->kind != WALK_TABLE && n->kind != WALK_BLOCKS;
}

static bool hidden(const struct walk_node *n)
{
	return n->kind == WALK_COUNTER && n->sparse && !n->number;
}

static void put_nested(struct out *o, const struct walk_node *n, unsigned indent)
{
	if (n->kind == WALK_TABLE) {
		put_table(o, n, indent);
		return;
	}
	if (n->kind == WALK_OBJECT) {
		put_object(o, n, indent, indent == 0);
		return;
	}
	if (!n->first)
		put_none(o, indent);
	for (const struct walk_node *c = n->first; c; c = c->next) {
		if (c != n->first)
			blank(o);
		put_object(o, c, indent, false);
	}
}

static void put_field(struct out *o, const struct walk_node *n, unsigned labels, unsigned counts)
{
	put_label(o, n->key);
	puts_to(o, ":");
	pad(o, labels - width(n->key) + GAP);
	if (n->kind == WALK_COUNTER)
		pad(o, counts - cell_width(o, n));
	put_cell(o, n);
	if (n->kind == WALK_COUNTER && n->text) {
		pad(o, GAP);
		puts_to(o, n->text);
	}
	flush(o);
}

/* AIRY: with an empty line before each nested part. */
static void put_object(struct out *o, const struct walk_node *object, unsigned indent, bool airy)
{
	unsigned labels = 0, counts = 0, shown = 0;

	for (const struct walk_node *n = object->first; n; n = n->next) {
		if (hidden(n))
			continue;
		shown++;
		if (on_one_line(n) && width(n->key) > labels)
			labels = width(n->key);
		if (n->kind == WALK_COUNTER && cell_width(o, n) > counts)
			counts = cell_width(o, n);
	}
	if (!shown)
		put_none(o, indent);
	for (const struct walk_node *n = object->first; n; n = n->next) {
		if (hidden(n))
			continue;
		bool nested = !on_one_line(n);
		if (nested && airy)
			blank(o);
		pad(o, indent);
		if (!nested) {
			put_field(o, n, labels, counts);
			continue;
		}
		put_label(o, n->key);
		puts_to(o, ":");
		flush(o);
		put_nested(o, n, indent + INDENT);
	}
}

static void render(const struct walk_node *root, void (*line)(void *arg, const char *text), void *arg)
{
	struct out o = {.line = line, .arg = arg, .empty = true};
	const struct walk_node *only = root->first && !root->first->next ? root->first : NULL;

	put(&o, "", 0);
	if (only && !on_one_line(only))
		put_nested(&o, only, 0); /* the command said what it is */
	else
		put_object(&o, root, 0, true);
	free(o.buf);
}

struct walk *walk_text_new(void (*line)(void *arg, const char *text), void *arg)
{
	return walk_new(render, line, arg);
}
