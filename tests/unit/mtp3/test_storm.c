/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Links fail, come back, are inhibited, blocked and slow at random, under traffic both ways, as long as one
 * of them works: nothing may be lost, repeated or out of order. */
#include <stdio.h>

#include "mtp3/linkset.h"
#include "rig.h"

enum { LINKS = 4, ROUNDS = 1500, SEEDS = 12 };

static uint32_t seed;

static uint32_t dice(uint32_t n)
{
	seed = seed * 1664525 + 1013904223;
	return (seed >> 8) % n;
}

/* Would another link be left if this one went, now and for what is on its way? */
static bool spare(struct rig *r, unsigned link)
{
	for (unsigned i = 0; i < LINKS; i++)
		if (i != link && !r->wires[i][0].broken && r->wires[i][0].link->available &&
			r->wires[i][1].link->available && !r->wires[i][0].hold && !r->wires[i][1].hold)
			return true;
	return false;
}

static void lose(struct rig *r, unsigned i)
{
	if (!spare(r, i) || r->wires[i][0].broken)
		return;
	for (unsigned k = 0; k < 2; k++)
		r->wires[i][k].slow_retrieval = dice(3) == 0;
	rig_break(r->wires[i]);
}

/* A link may be slow for a while, but not so long that T2 or T4 pass. */
static void slow(struct rig *r, unsigned i)
{
	if (!spare(r, i) || r->wires[i][0].stall)
		return;
	r->wires[i][dice(2)].hold = true;
	rig_traffic(r, 0, 1, dice(40));
	rig_traffic(r, 1, 0, dice(40));
	if (dice(3) == 0)
		lose(r, i);
	rig_pass(r, 50 * (1 + dice(4)));
	r->wires[i][0].hold = r->wires[i][1].hold = false;
}

static void inhibit(struct rig *r, unsigned i)
{
	struct mtp3_link *l = r->wires[i][dice(2)].link;

	if (l->inhibited_local)
		mtp3_link_uninhibit(l);
	else if (spare(r, i) && !l->inhibited_remote)
		mtp3_link_inhibit(l);
}

static void step(struct rig *r)
{
	unsigned i = dice(LINKS);

	switch (dice(6)) {
	case 0: lose(r, i); break;
	case 1: rig_repair(r->wires[i]); break;
	case 2: slow(r, i); break;
	case 3: inhibit(r, i); break;
	default: break;
	}
	rig_traffic(r, 0, 1, dice(64));
	rig_traffic(r, 1, 0, dice(64));
	rig_pass(r, 50 * dice(12));
	for (i = 0; i < LINKS; i++)
		r->wires[i][0].slow_retrieval = r->wires[i][1].slow_retrieval = false;
	r->n_log = 0;
}

static unsigned expected(const struct node *n)
{
	unsigned sum = 0;

	for (unsigned i = 0; i < MTP3_BUCKETS; i++)
		sum += n->next_seq[i];
	return sum;
}

static void settle_down(struct rig *r)
{
	for (unsigned i = 0; i < LINKS; i++) {
		rig_repair(r->wires[i]);
		for (unsigned k = 0; k < 2; k++)
			if (r->wires[i][k].link->inhibited_local)
				mtp3_link_uninhibit(r->wires[i][k].link);
	}
	for (unsigned i = 0; i < 20; i++) {
		r->n_log = 0;
		rig_pass(r, 1000);
	}
}

static void nothing_is_lost_repeated_or_reordered(void **state)
{
	(void)state;
	for (uint32_t s = 1; s <= SEEDS; s++) {
		struct rig *r = rig_new(2);

		seed = s;
		for (unsigned i = 0; i < LINKS; i++)
			rig_link(r, 0, 1);
		rig_route(r, 0, 1, (const int[]){1, -1});
		rig_route(r, 1, 0, (const int[]){0, -1});
		r->nodes[0].needed = r->nodes[1].needed = true;
		rig_up(r);
		for (unsigned i = 0; i < ROUNDS; i++) {
			step(r);
			if (r->nodes[0].disordered + r->nodes[1].disordered)
				fail_msg("seed %u, round %u: out of order", s, i);
		}
		settle_down(r);
		for (unsigned i = 0; i < LINKS; i++) { /* it was a storm */
			assert_true(r->wires[i][0].link->c[MTP3_LC_FAILURES] >= 10);
			assert_true(r->nodes[0].net->stats.tx[SNM_CBD] >= 20);
			assert_true(r->nodes[0].net->stats.tx[SNM_LIA] >= 5);
		}
		for (unsigned n = 0; n < 2; n++) {
			assert_int_equal(r->nodes[n].dropped, 0);
			assert_int_equal(r->nodes[n].waiting.n, 0);
			rig_assert_all(r, n, expected(&r->nodes[n]));
			for (unsigned i = 0; i < LINKS; i++)
				assert_int_equal(rig_share(r, n, 1 - n, &r->wires[i][n]), 16 / LINKS);
		}
		rig_free(r);
	}
}

/* The two links of the direct linkset come and go as they like; the way round by a third node is always
 * there, but slow at times, though not as slow as T3. */
static struct rig *with_a_way_round(void)
{
	struct rig *r = rig_new(3);

	rig_link(r, 0, 1);
	rig_link(r, 0, 1);
	rig_link(r, 0, 2);
	rig_link(r, 2, 1);
	rig_route(r, 0, 1, (const int[]){1, 2, -1});
	rig_route(r, 1, 0, (const int[]){0, 2, -1});
	rig_route(r, 0, 2, (const int[]){2, -1});
	rig_route(r, 1, 2, (const int[]){2, -1});
	rig_route(r, 2, 0, (const int[]){0, -1});
	rig_route(r, 2, 1, (const int[]){1, -1});
	rig_up(r);
	rig_pass(r, 2000);
	return r;
}

static void way_round_step(struct rig *r)
{
	struct l2 *w = r->wires[dice(2)], *slow_one = &r->wires[2 + dice(2)][dice(2)];

	w[0].hold = dice(2);
	slow_one->hold = dice(2);
	rig_traffic(r, 0, 1, dice(48));
	rig_traffic(r, 1, 0, dice(48));
	if (dice(3) == 0)
		rig_repair(w);
	else if (dice(3) == 0 && !w[0].broken)
		rig_break(w);
	rig_pass(r, 50 * dice(4));
	w[0].hold = slow_one->hold = false;
	rig_traffic(r, 0, 1, dice(48));
	rig_pass(r, 50 * dice(30));
	r->n_log = 0;
}

static void nor_is_anything_when_a_whole_linkset_goes(void **state)
{
	(void)state;
	for (uint32_t s = 1; s <= SEEDS; s++) {
		struct rig *r = with_a_way_round();

		seed = s;
		for (unsigned i = 0; i < ROUNDS / 2; i++) {
			way_round_step(r);
			if (r->nodes[0].disordered + r->nodes[1].disordered)
				fail_msg("seed %u, round %u: out of order", s, i);
		}
		rig_pass(r, 5000);
		assert_true(r->nodes[0].ls[1]->transitions >= 20);
		for (unsigned n = 0; n < 2; n++) {
			assert_int_equal(r->nodes[n].dropped, 0);
			rig_assert_all(r, n, expected(&r->nodes[n]));
		}
		rig_free(r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RIG_TEST(nothing_is_lost_repeated_or_reordered),
		RIG_TEST(nor_is_anything_when_a_whole_linkset_goes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
