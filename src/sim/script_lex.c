/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines and words. A stack of sources: files, and macros in use; the top one gives the next line. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <talloc.h>

#include "sim/script_int.h"

enum { DEPTH = 8, MACROS = 64, ARGS = 9, LINE = 8192 };

/* A file or macro as lines, each with its place. */
struct text_line {
	const char *where, *text;
};

struct lines {
	char name[SCRIPT_NAME];
	struct text_line *v;
	unsigned n;
};

struct source {
	const struct lines *lines;
	unsigned next;
	const char *from; /* the place of the `use`, NULL in a file */
	char *args[ARGS];
	unsigned n_args;
};

struct lex {
	struct source stack[DEPTH];
	unsigned depth;
	struct lines macros[MACROS];
	unsigned n_macros;
};

static void add_line(void *ctx, struct lines *l, const char *where, const char *text)
{
	l->v = talloc_realloc(ctx, l->v, struct text_line, l->n + 1);
	l->v[l->n++] = (struct text_line){.where = where, .text = text};
}

/* A physical line into BUF (LINE bytes); a backslash at the end joins it with the next. */
static bool joined_line(FILE *f, char *buf, unsigned *no)
{
	size_t len = 0;

	while (len + 2 < LINE && fgets(buf + len, (int)(LINE - len), f)) {
		++*no;
		len += strcspn(buf + len, "\n");
		buf[len] = 0;
		if (!len || buf[len - 1] != '\\')
			return true;
		buf[--len] = 0;
	}
	return len > 0;
}

static struct lines *read_file(void *ctx, const char *path, char *err)
{
	struct lines *l = talloc_zero(ctx, struct lines);
	FILE *f = fopen(path, "r");
	char buf[LINE];
	unsigned no = 0, first = 1;

	if (!f) {
		snprintf(err, SCRIPT_ERR, "cannot read %s", path);
		return NULL;
	}
	while (joined_line(f, buf, &no)) {
		add_line(ctx, l, talloc_asprintf(ctx, "%s:%u", path, first), talloc_strdup(ctx, buf));
		first = no + 1;
	}
	fclose(f);
	return l;
}

static bool push(struct lex *l, const struct lines *lines, char *err)
{
	if (l->depth == DEPTH) {
		snprintf(err, SCRIPT_ERR, "include or use goes more than %d deep", DEPTH);
		return false;
	}
	l->stack[l->depth++] = (struct source){.lines = lines};
	return true;
}

struct lex *lex_open(void *ctx, const char *path, char *err)
{
	struct lex *l = talloc_zero(ctx, struct lex);
	struct lines *lines = read_file(l, path, err);

	return lines && push(l, lines, err) ? l : NULL;
}

/* ---- words ---- */

/* "$1" ... "$9" become the macro's arguments. */
static char *substitute(struct lex *l, const struct source *s, const char *text)
{
	char *out = talloc_strdup(l, "");

	for (; *text; text++) {
		if (text[0] == '$' && text[1] >= '1' && text[1] <= '9') {
			unsigned arg = (unsigned)(*++text - '1');

			out = talloc_strdup_append(out, arg < s->n_args ? s->args[arg] : "");
		} else {
			out = talloc_strndup_append(out, text, 1);
		}
	}
	return out;
}

/* The end of the word at P. */
static const char *word_end(const char *p)
{
	bool quoted = false;

	if (*p == '{' || *p == '}')
		return p + 1;
	for (; *p && (quoted || (!isspace((unsigned char)*p) && *p != '{' && *p != '}')); p++)
		quoted ^= *p == '"';
	return p;
}

static bool split(struct lex *l, struct lex_line *out, char *err)
{
	const char *p = out->text, *end;

	out->n = 0;
	for (;;) {
		while (isspace((unsigned char)*p))
			p++;
		if (!*p || *p == '#')
			break;
		if (out->n == LEX_WORDS) {
			snprintf(err, SCRIPT_ERR, "%s: too long", out->where);
			return false;
		}
		end = word_end(p);
		out->words[out->n++] = talloc_strndup(l, p, (size_t)(end - p));
		p = end;
	}
	out->words[out->n] = NULL;
	return true;
}

/* The next line that is not empty, in words: 1, 0, -1. */
static int raw_line(struct lex *l, struct lex_line *out, char *err)
{
	while (l->depth) {
		struct source *s = &l->stack[l->depth - 1];
		const struct text_line *t;

		if (s->next == s->lines->n) {
			l->depth--;
			continue;
		}
		t = &s->lines->v[s->next++];
		out->text = s->from ? substitute(l, s, t->text) : t->text;
		out->where = s->from ? talloc_asprintf(l, "%s (used at %s)", t->where, s->from) : t->where;
		if (!split(l, out, err))
			return -1;
		if (out->n)
			return 1;
	}
	return 0;
}

/* ---- include, macro, use ---- */

static bool do_include(struct lex *l, const struct lex_line *at, char *err)
{
	const char *colon = strchr(at->where, ':');
	char *path = talloc_strndup(l, at->where, (size_t)(colon - at->where)), *slash;
	struct lines *lines;

	if (at->n != 2) {
		snprintf(err, SCRIPT_ERR, "%s: include FILE", at->where);
		return false;
	}
	slash = strrchr(path, '/');
	if (at->words[1][0] == '/' || !slash)
		path = at->words[1];
	else
		path = talloc_asprintf(l, "%.*s/%s", (int)(slash - path), path, at->words[1]);
	lines = read_file(l, path, err);
	return lines && push(l, lines, err);
}

/* Everything up to `end` belongs to the macro, unread. */
static bool do_macro(struct lex *l, const struct lex_line *at, char *err)
{
	struct source *s = &l->stack[l->depth - 1];
	struct lines *m = &l->macros[l->n_macros];

	if (at->n != 2 || strlen(at->words[1]) >= SCRIPT_NAME || l->n_macros == MACROS || s->from) {
		snprintf(err, SCRIPT_ERR, "%s: macro NAME, outside macros, at most %d of them", at->where,
			MACROS);
		return false;
	}
	memcpy(m->name, at->words[1], strlen(at->words[1]) + 1);
	l->n_macros++;
	while (s->next < s->lines->n) {
		const struct text_line *t = &s->lines->v[s->next++];

		if (!strcmp(t->text + strspn(t->text, " \t"), "end"))
			return true;
		add_line(l, m, t->where, t->text);
	}
	snprintf(err, SCRIPT_ERR, "%s: macro without end", at->where);
	return false;
}

static bool do_use(struct lex *l, const struct lex_line *at, char *err)
{
	for (unsigned i = 0; at->n >= 2 && i < l->n_macros; i++) {
		struct source *s;

		if (strcmp(l->macros[i].name, at->words[1]) != 0)
			continue;
		if (!push(l, &l->macros[i], err))
			return false;
		s = &l->stack[l->depth - 1];
		s->from = at->where;
		for (unsigned k = 2; k < at->n && s->n_args < ARGS; k++)
			s->args[s->n_args++] = at->words[k];
		return true;
	}
	snprintf(err, SCRIPT_ERR, "%s: use MACRO ARGUMENT...: there is no such macro", at->where);
	return false;
}

int lex_next(struct lex *l, struct lex_line *out, char *err)
{
	static const struct {
		const char *word;
		bool (*obey)(struct lex *l, const struct lex_line *at, char *err);
	} words[] = {{"include", do_include}, {"macro", do_macro}, {"use", do_use}};

	for (;;) {
		int got = raw_line(l, out, err);
		unsigned i;

		if (got <= 0)
			return got;
		for (i = 0; i < 3 && strcmp(words[i].word, out->words[0]) != 0; i++)
			;
		if (i == 3)
			return 1;
		if (!words[i].obey(l, out, err))
			return -1;
	}
}
