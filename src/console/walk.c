/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gathers what a `show` function describes into a tree (walk_tree.h); called by the show functions, owned by
 * whoever made the walk. Containers must nest: that is our own invariant, hence assert. */
#include "console/walk.h"

#include <assert.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "console/walk_tree.h"

/* Memory comes in blocks and goes away as a whole: a destination table may have 100,000 rows. */
enum { ARENA_BLOCK = 32 * 1024 };

struct arena_block {
	struct arena_block *next;
	size_t used, size;
	_Alignas(max_align_t) char data[];
};

struct walk {
	walk_render_fn render;
	void (*line)(void *arg, const char *text);
	void *arg;
	struct arena_block *blocks;
	struct walk_node root;
	struct walk_node *at; /* the container being filled */
};

static void *arena_alloc(struct walk *w, size_t n)
{
	n = (n + _Alignof(max_align_t) - 1) & ~(_Alignof(max_align_t) - 1);
	struct arena_block *b = w->blocks;
	if (!b || b->size - b->used < n) {
		size_t size = n > ARENA_BLOCK ? n : ARENA_BLOCK;
		b = malloc(sizeof(*b) + size);
		if (!b)
			abort(); /* as libosmocore's own vty_out() would next */
		*b = (struct arena_block){.next = w->blocks, .size = size};
		w->blocks = b;
	}
	void *p = b->data + b->used;
	b->used += n;
	return p;
}

struct walk *walk_new(walk_render_fn render, void (*line)(void *arg, const char *text), void *arg)
{
	struct walk *w = malloc(sizeof(*w));
	if (!w)
		abort();
	*w = (struct walk){.render = render, .line = line, .arg = arg, .root = {.kind = WALK_OBJECT}};
	w->at = &w->root;
	return w;
}

void walk_drop(struct walk *take_w)
{
	while (take_w->blocks) {
		struct arena_block *b = take_w->blocks;
		take_w->blocks = b->next;
		free(b);
	}
	free(take_w);
}

void walk_done(struct walk *take_w)
{
	assert(take_w->at == &take_w->root);
	take_w->render(&take_w->root, take_w->line, take_w->arg);
	walk_drop(take_w);
}

static struct walk_node *add(struct walk *w, enum walk_kind kind, const char *key)
{
	struct walk_node *n = arena_alloc(w, sizeof(*n));
	bool keyed = w->at->kind == WALK_OBJECT;
	assert(!keyed || key);
	assert(keyed || (w->at->kind == WALK_LIST ? kind == WALK_STR : kind == WALK_OBJECT));
	*n = (struct walk_node){.kind = kind, .key = keyed ? key : NULL, .parent = w->at};
	if (w->at->last)
		w->at->last->next = n;
	else
		w->at->first = n;
	w->at->last = n;
	return n;
}

static void begin(struct walk *w, enum walk_kind kind, const char *name)
{
	w->at = add(w, kind, name);
}

static void end(struct walk *w, enum walk_kind kind)
{
	assert(w->at->kind == kind && w->at->parent);
	w->at = w->at->parent;
}

/* Length of the UTF-8 sequence at S, 0 if it is none (overlong forms and surrogates are none: RFC 3629 s.4).
 */
static unsigned utf8_len(const unsigned char *s)
{
	static const struct {
		unsigned char mask, lead, len;
		uint32_t least;
	} forms[] = {
		{0x80, 0x00, 1, 0}, {0xe0, 0xc0, 2, 0x80}, {0xf0, 0xe0, 3, 0x800}, {0xf8, 0xf0, 4, 0x10000}};

	for (unsigned f = 0; f < 4; f++) {
		if ((s[0] & forms[f].mask) != forms[f].lead)
			continue;
		uint32_t code = s[0] & (unsigned char)~forms[f].mask;
		for (unsigned i = 1; i < forms[f].len; i++) {
			if ((s[i] & 0xc0) != 0x80)
				return 0;
			code = code << 6 | (s[i] & 0x3f);
		}
		bool surrogate = code >= 0xd800 && code <= 0xdfff;
		return code < forms[f].least || code > 0x10ffff || surrogate ? 0 : forms[f].len;
	}
	return 0;
}

/* A copy that is UTF-8: JSON knows nothing else. */
static const char *copy_text(struct walk *w, const char *v)
{
	char *out = arena_alloc(w, strlen(v) * 4 + 1), *o = out;
	for (const unsigned char *s = (const unsigned char *)v; *s;) {
		unsigned n = utf8_len(s);
		if (n) {
			memcpy(o, s, n);
			o += n;
			s += n;
		} else {
			o += sprintf(o, "\\x%02x", *s++);
		}
	}
	*o = '\0';
	return out;
}

void walk_table(struct walk *w, const char *name)
{
	begin(w, WALK_TABLE, name);
}

void walk_table_end(struct walk *w)
{
	end(w, WALK_TABLE);
}

void walk_blocks(struct walk *w, const char *name)
{
	begin(w, WALK_BLOCKS, name);
}

void walk_blocks_end(struct walk *w)
{
	end(w, WALK_BLOCKS);
}

void walk_object(struct walk *w, const char *name)
{
	begin(w, WALK_OBJECT, name);
}

void walk_object_end(struct walk *w)
{
	end(w, WALK_OBJECT);
}

void walk_list(struct walk *w, const char *key)
{
	begin(w, WALK_LIST, key);
}

void walk_list_end(struct walk *w)
{
	end(w, WALK_LIST);
}

void walk_item(struct walk *w, const char *v)
{
	walk_str(w, NULL, v);
}

void walk_str(struct walk *w, const char *key, const char *v)
{
	struct walk_node *n = add(w, WALK_STR, key);
	n->text = v ? copy_text(w, v) : NULL;
}

void walk_null(struct walk *w, const char *key)
{
	walk_str(w, key, NULL);
}

void walk_fmt(struct walk *w, const char *key, const char *fmt, ...)
{
	char *text = NULL;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) < 0)
		abort();
	va_end(ap);
	walk_str(w, key, text);
	free(text);
}

void walk_u64(struct walk *w, const char *key, uint64_t v)
{
	add(w, WALK_U64, key)->number = v;
}

void walk_bool(struct walk *w, const char *key, bool v)
{
	add(w, WALK_BOOL, key)->number = v;
}

void walk_ms(struct walk *w, const char *key, uint64_t ms)
{
	add(w, WALK_MS, key)->number = ms;
}

void walk_counter(struct walk *w, const char *key, uint64_t v, const char *help, bool sparse)
{
	struct walk_node *n = add(w, WALK_COUNTER, key);
	n->number = v;
	n->text = help;
	n->sparse = sparse;
}
