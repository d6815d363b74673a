/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is remembered about point codes: found by key, in a few steps however many there are. */
#include "mtp3/pc_map.h"

#include <talloc.h>

#include "rig.h"

enum { MANY = 10000 };

static struct pc_map map;
static unsigned n_seen;

static struct pc_key key(uint32_t i)
{
	return (struct pc_key){.pc = i / 3, .mask = (uint8_t)(i % 3 == 1 ? 8 : 0), .by = i % 3 == 2 ? 7 : 0};
}

static struct pc_node *fill(void)
{
	struct pc_node *nodes = talloc_zero_array(NULL, struct pc_node, MANY);

	map = (struct pc_map){0};
	n_seen = 0;
	assert_non_null(nodes);
	assert_null(pc_map_find(&map, key(0)));
	for (uint32_t i = 0; i < MANY; i++)
		assert_true(pc_map_add(nodes, &map, &nodes[i], key(i)));
	return nodes;
}

static void each_key_has_its_own_node(void **state)
{
	struct pc_node *nodes = fill();

	(void)state;
	for (uint32_t i = 0; i < MANY; i++)
		assert_ptr_equal(pc_map_find(&map, key(i)), &nodes[i]);
	for (uint32_t i = 0; i < MANY; i += 2)
		pc_map_remove(&map, &nodes[i]);
	for (uint32_t i = 0; i < MANY; i++)
		assert_ptr_equal(pc_map_find(&map, key(i)), i % 2 ? &nodes[i] : NULL);
	assert_int_equal(map.n, MANY / 2);
	talloc_free(nodes);
}

static void take(struct pc_node *node)
{
	pc_map_remove(&map, node);
	n_seen++;
}

static void each_may_go_while_it_is_visited(void **state)
{
	struct pc_node *nodes = fill();

	(void)state;
	pc_map_each(&map, take);
	assert_int_equal(n_seen, MANY);
	assert_int_equal(map.n, 0);
	pc_map_clear(&map);
	assert_null(pc_map_find(&map, key(1)));
	talloc_free(nodes);
}

static void a_look_up_does_not_depend_on_how_many_there_are(void **state)
{
	struct pc_node *nodes = fill();

	(void)state;
	map.steps = 0;
	for (uint32_t i = 0; i < 2 * MANY; i++) /* half of them are not there */
		pc_map_find(&map, key(i));
	assert_in_range(map.steps, MANY, 5 * MANY);
	talloc_free(nodes);
}

/* 10,000 destinations go and come: what the neighbour was told, and what it told us. */
static void many_destinations_are_told_in_few_steps(void **state)
{
	struct rig *r = rig_new(2);
	struct mtp3_linkset *ls;

	(void)state;
	r->nodes[0].conf.transfer = true;
	rig_link(r, 0, 1);
	rig_route(r, 0, 1, (const int[]){1, -1});
	rig_route(r, 1, 0, (const int[]){0, -1});
	rig_up(r);
	ls = r->nodes[0].ls[1];
	for (unsigned again = 0; again < 2; again++)
		for (uint32_t i = 0; i < MANY; i++) {
			mtp3_dest_changed(r->nodes[0].net, 1000 + i, 0); /* no route: prohibited */
			if (i % 16 == 0)
				rig_pump(r);
			rig_forget_sent(r);
		}
	assert_int_equal(ls->told.n, MANY);
	assert_in_range(ls->told.steps, MANY, 20 * MANY);
	assert_int_equal(r->nodes[0].net->memos.n, MANY);
	assert_in_range(r->nodes[0].net->memos.steps, 1, 20 * MANY);
	rig_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RIG_TEST(each_key_has_its_own_node),
		RIG_TEST(each_may_go_while_it_is_visited),
		RIG_TEST(a_look_up_does_not_depend_on_how_many_there_are),
		RIG_TEST(many_destinations_are_told_in_few_steps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
