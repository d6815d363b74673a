/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A hash of objects by the point code (or range) that they are about, as large as what is in it: where there
 * are 10,000 destinations, each event about one of them must not look at the others. An object begins with
 * its node and stays its owner's. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct pc_key {
	uint32_t pc;
	uint32_t by; /* whose view it is, where there are several; else 0 */
	uint8_t mask;
};

struct pc_node {
	struct pc_node *next;
	struct pc_key key;
};

/* All zero is an empty one. */
struct pc_map {
	struct pc_node **heads; /* talloc'd */
	uint32_t n, size;       /* a power of two, or 0 */
	uint64_t steps;         /* nodes that look-ups have seen */
};

/* NULL: there is none. */
struct pc_node *pc_map_find(struct pc_map *m, struct pc_key key);
/* There must be none of that key. False without memory (of CTX). */
bool pc_map_add(void *ctx, struct pc_map *m, struct pc_node *node, struct pc_key key);
void pc_map_remove(struct pc_map *m, struct pc_node *node);
/* FN may remove and free its node, and no other. */
void pc_map_each(struct pc_map *m, void (*fn)(struct pc_node *node));
/* An empty one again; the nodes must have gone. */
void pc_map_clear(struct pc_map *m);
