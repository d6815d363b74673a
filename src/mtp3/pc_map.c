/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "mtp3/pc_map.h"

#include <talloc.h>

#include "base/hash.h"

enum { FIRST_SIZE = 16 };

static uint32_t bucket(const struct pc_map *m, const struct pc_key *k)
{
	return hash_u32x3(k->pc, k->by, k->mask) & (m->size - 1);
}

static bool same(const struct pc_key *a, const struct pc_key *b)
{
	return a->pc == b->pc && a->by == b->by && a->mask == b->mask;
}

struct pc_node *pc_map_find(struct pc_map *m, struct pc_key key)
{
	struct pc_node *node = m->size ? m->heads[bucket(m, &key)] : NULL;

	for (; node; node = node->next) {
		m->steps++;
		if (same(&node->key, &key))
			return node;
	}
	return NULL;
}

static void put(struct pc_map *m, struct pc_node *node)
{
	struct pc_node **head = &m->heads[bucket(m, &node->key)];

	node->next = *head;
	*head = node;
}

static bool grow(void *ctx, struct pc_map *m)
{
	struct pc_map bigger = {.size = m->size ? 2 * m->size : FIRST_SIZE};
	struct pc_node *node, *next;

	bigger.heads = talloc_zero_array(ctx, struct pc_node *, bigger.size);
	if (!bigger.heads)
		return false;
	for (uint32_t i = 0; i < m->size; i++)
		for (node = m->heads[i]; node; node = next) {
			next = node->next;
			put(&bigger, node);
		}
	talloc_free(m->heads);
	m->heads = bigger.heads;
	m->size = bigger.size;
	return true;
}

bool pc_map_add(void *ctx, struct pc_map *m, struct pc_node *node, struct pc_key key)
{
	if (m->n >= m->size && !grow(ctx, m) && !m->size)
		return false;
	node->key = key;
	put(m, node);
	m->n++;
	return true;
}

void pc_map_remove(struct pc_map *m, struct pc_node *node)
{
	struct pc_node **at = &m->heads[bucket(m, &node->key)];

	while (*at != node)
		at = &(*at)->next;
	*at = node->next;
	m->n--;
}

void pc_map_each(struct pc_map *m, void (*fn)(struct pc_node *node))
{
	struct pc_node *node, *next;

	for (uint32_t i = 0; i < m->size; i++)
		for (node = m->heads[i]; node; node = next) {
			next = node->next;
			fn(node);
		}
}

void pc_map_clear(struct pc_map *m)
{
	talloc_free(m->heads);
	*m = (struct pc_map){.steps = m->steps};
}
