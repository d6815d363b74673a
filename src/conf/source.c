/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "conf/source.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

enum { MAX_DEPTH = 10, MAX_FILE = 256 << 20 };

struct line {
	const char *file;
	unsigned number;
};

struct source {
	char *text;
	size_t len, cap;
	struct line *lines; /* [i]: where line i + 1 came from */
	unsigned n_lines, cap_lines;
};

/* What the reader is in the middle of, across lines: only block comments and strings span them. */
enum inside { IN_CODE, IN_STRING, IN_COMMENT };

struct reading {
	struct source *src;
	const char **where;
	unsigned *line;
	char *why;
	unsigned why_size;
};

static void put(struct source *s, const char *text, size_t n)
{
	if (s->len + n + 1 > s->cap) {
		s->cap = (s->len + n + 1) * 2;
		s->text = talloc_realloc(s, s->text, char, s->cap);
	}
	memcpy(s->text + s->len, text, n);
	s->len += n;
	s->text[s->len] = '\0';
}

static void put_line_mark(struct source *s, const char *file, unsigned number)
{
	if (s->n_lines == s->cap_lines) {
		s->cap_lines = s->cap_lines ? s->cap_lines * 2 : 256;
		s->lines = talloc_realloc(s, s->lines, struct line, s->cap_lines);
	}
	s->lines[s->n_lines++] = (struct line){file, number};
}

/* The whole of FILE as a string; NULL with errno. A directory, a device without end or a file with NUL bytes
 * is refused. */
static char *slurp(void *ctx, const char *file)
{
	char *text = NULL;
	size_t len = 0, cap = 0, n;
	int err = 0;
	FILE *f = fopen(file, "re");

	if (!f)
		return NULL;
	do {
		if (cap - len < 2)
			text = talloc_realloc(ctx, text, char, cap = cap ? cap * 2 : 65536);
		n = fread(text + len, 1, cap - len - 1, f);
		len += n;
	} while (n && len < MAX_FILE);
	if (ferror(f))
		err = errno;
	else if (len >= MAX_FILE)
		err = EFBIG;
	else if (memchr(text, '\0', len))
		err = EILSEQ;
	fclose(f);
	if (err) {
		talloc_free(text);
		errno = err;
		return NULL;
	}
	text[len] = '\0';
	return text;
}

/* A number as libconfig shall see it: with an L where it does not fit 31 bits; what does not even fit 63 bits
 * becomes the largest, which no range allows. Returns its length in the source. */
static size_t put_number(struct source *s, const char *p)
{
	bool hex = p[0] == '0' && (p[1] == 'x' || p[1] == 'X');
	size_t n = hex ? 2 : 0;
	unsigned long long v;

	while (hex ? isxdigit((unsigned char)p[n]) : isdigit((unsigned char)p[n]))
		n++;
	errno = 0;
	v = strtoull(p, NULL, hex ? 16 : 10);
	if (p[n] == '.' || p[n] == 'e' || p[n] == 'E' || p[n] == 'L' || (v <= INT_MAX && !errno)) {
		put(s, p, n);
	} else if (errno || v > LLONG_MAX) {
		put(s, "9223372036854775807L", 20);
	} else {
		put(s, p, n);
		put(s, "L", 1);
	}
	return n;
}

/* The end of a name or of a number's tail: as libconfig's scanner has it. */
static size_t word_len(const char *p)
{
	size_t n = 0;

	while (isalnum((unsigned char)p[n]) || p[n] == '_' || p[n] == '-' || p[n] == '*' || p[n] == '.')
		n++;
	return n;
}

/* Copies up to the end of the line. Returns where it stopped. */
static const char *put_line(struct source *s, const char *p, enum inside *in)
{
	while (*p && *p != '\n') {
		size_t n = 1;

		if (*in == IN_COMMENT) {
			if (p[0] == '*' && p[1] == '/')
				*in = IN_CODE, n = 2;
		} else if (*in == IN_STRING) {
			if (p[0] == '\\' && p[1] && p[1] != '\n')
				n = 2;
			else if (p[0] == '"')
				*in = IN_CODE;
		} else if (p[0] == '#' || (p[0] == '/' && p[1] == '/')) {
			n = strcspn(p, "\n");
		} else if (p[0] == '/' && p[1] == '*') {
			*in = IN_COMMENT, n = 2;
		} else if (p[0] == '"') {
			*in = IN_STRING;
		} else if (isdigit((unsigned char)p[0])) {
			p += put_number(s, p);
			n = word_len(p);
		} else if (isalpha((unsigned char)p[0])) {
			n = word_len(p);
		}
		put(s, p, n);
		p += n;
	}
	put(s, "\n", 1);
	return *p ? p + 1 : p;
}

/* The path in `@include "path"`, if the line is one; talloc'd. */
static char *include_path(void *ctx, const char *p)
{
	const char *end;

	p += strspn(p, " \t");
	if (strncmp(p, "@include", 8) != 0)
		return NULL;
	p += 8;
	p += strspn(p, " \t");
	if (*p++ != '"')
		return NULL;
	end = p + strcspn(p, "\"\n");
	return *end == '"' ? talloc_strndup(ctx, p, end - p) : NULL;
}

static const char *relative_to(void *ctx, const char *base, const char *path)
{
	const char *slash = strrchr(base, '/');

	if (path[0] == '/' || !slash)
		return talloc_strdup(ctx, path);
	return talloc_asprintf(ctx, "%.*s/%s", (int)(slash - base), base, path);
}

static bool fail(struct reading *r, const char *where, unsigned line, const char *file, const char *why)
{
	*r->where = where;
	*r->line = line;
	if (line)
		snprintf(r->why, r->why_size, "cannot include \"%s\": %s", file, why);
	else
		snprintf(r->why, r->why_size, "cannot read it: %s", why);
	return false;
}

/* FILE, which line LINE of BY includes (the first one: line 0). */
static bool read_file(struct reading *r, const char *file, const char *by, unsigned line, unsigned depth)
{
	struct source *s = r->src;
	enum inside in = IN_CODE;
	unsigned number = 1;
	char *text;

	if (depth > MAX_DEPTH)
		return fail(r, by, line, file, "includes are nested too deep");
	text = slurp(s, file);
	if (!text)
		return fail(r, by, line, file, errno == EILSEQ ? "not a text file" : strerror(errno));
	for (const char *p = text; *p; number++) {
		char *path = in == IN_CODE ? include_path(s, p) : NULL;

		if (path) {
			if (!read_file(r, relative_to(s, file, path), file, number, depth + 1))
				return false;
			p += strcspn(p, "\n");
			p += *p == '\n';
		} else {
			put_line_mark(s, file, number);
			p = put_line(s, p, &in);
		}
	}
	talloc_free(text);
	return true;
}

struct source *source_read(
	void *ctx, const char *file, const char **where, unsigned *line, char *text, unsigned text_size)
{
	struct source *s = talloc_zero(ctx, struct source);
	struct reading r = {s, where, line, text, text_size};

	put(s, "", 0);
	/* The names of files must outlive the source: they go into errors. */
	if (read_file(&r, talloc_strdup(s, file), file, 0, 0))
		return s;
	*where = talloc_strdup(ctx, *where);
	talloc_free(s);
	return NULL;
}

const char *source_text(const struct source *s)
{
	return s->text;
}

void source_line(const struct source *s, unsigned n, const char **file, unsigned *line)
{
	static const struct line none = {"", 0};
	const struct line *l = &none;

	if (s->n_lines)
		l = &s->lines[n < 1 ? 0 : n > s->n_lines ? s->n_lines - 1 : n - 1];
	*file = l->file;
	*line = l->number;
}
