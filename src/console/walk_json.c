/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Renders a walk as JSON (RFC 8259), pretty printed, keys in the order of the walk. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "console/walk.h"
#include "console/walk_tree.h"

static json_t *to_json(const struct walk_node *n)
{
	json_t *out;

	switch (n->kind) {
	case WALK_OBJECT:
		out = json_object();
		for (const struct walk_node *c = n->first; c; c = c->next)
			json_object_set_new(out, c->key, to_json(c));
		return out;
	case WALK_TABLE:
	case WALK_BLOCKS:
	case WALK_LIST:
		out = json_array();
		for (const struct walk_node *c = n->first; c; c = c->next)
			json_array_append_new(out, to_json(c));
		return out;
	case WALK_STR: return n->text ? json_string(n->text) : json_null();
	case WALK_BOOL: return json_boolean(n->number);
	case WALK_U64:
	case WALK_MS:
	case WALK_COUNTER: break;
	}
	return json_integer((json_int_t)n->number);
}

static void render(const struct walk_node *root, void (*line)(void *arg, const char *text), void *arg)
{
	json_t *json = to_json(root);
	char *text = json_dumps(json, JSON_INDENT(2) | JSON_PRESERVE_ORDER);

	json_decref(json);
	if (!text)
		abort();
	char *save = NULL;
	for (char *p = strtok_r(text, "\n", &save); p; p = strtok_r(NULL, "\n", &save))
		line(arg, p);
	free(text);
}

struct walk *walk_json_new(void (*line)(void *arg, const char *text), void *arg)
{
	return walk_new(render, line, arg);
}
