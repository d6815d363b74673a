/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a walk has gathered, for the renderers (walk_text.c, walk_json.c) only. A tree is needed because text
 * knows its column widths only at the end; its nodes live in an arena that goes away with the walk. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum walk_kind {
	WALK_OBJECT,
	WALK_TABLE,
	WALK_BLOCKS,
	WALK_LIST,
	/* leaves */
	WALK_STR,
	WALK_U64,
	WALK_BOOL,
	WALK_MS,
	WALK_COUNTER,
};

struct walk_node {
	enum walk_kind kind;
	bool sparse;                    /* WALK_COUNTER: text leaves it out if zero */
	const char *key;                /* NULL in lists, tables and blocks */
	const char *text;               /* WALK_STR (NULL: no value), WALK_COUNTER: what it counts */
	uint64_t number;                /* the other leaves */
	struct walk_node *next;         /* sibling */
	struct walk_node *first, *last; /* children */
	struct walk_node *parent;
};

typedef void (*walk_render_fn)(
	const struct walk_node *root, void (*line)(void *arg, const char *text), void *arg);

struct walk *walk_new(walk_render_fn render, void (*line)(void *arg, const char *text), void *arg);
