/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How SLSs share the load between linksets and links, for every width, and over random comings and goings. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "data/share.h"
#include "data/sls.h"
#include "wire/mtp3.h"

enum { LINKS = 16, LINKSETS = 5 };

static const uint8_t widths[] = {4, 5, 8, 0}; /* 0: all of the octet */
static const uint32_t ids[LINKS] = {20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35};

static void each_rule(void (*fn)(const struct sls_rule *r))
{
	for (unsigned i = 0; i < sizeof(widths); i++)
		for (uint8_t bit = 0; bit <= 9; bit++)
			fn(&(struct sls_rule){widths[i], bit});
}

static uint32_t draw(uint32_t *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return *seed >> 8;
}

/* ---- places ---- */

static void places_are_slss_in_another_order(const struct sls_rule *r)
{
	unsigned values = sls_values(r), bits = r->bits ? r->bits : 8;
	unsigned bit = r->linkset_bit && r->linkset_bit <= bits ? r->linkset_bit - 1u : bits - 1u;

	for (unsigned sls = 0; sls < values; sls++) {
		unsigned place = sls_place(r, sls);

		assert_true(place < values);
		assert_int_equal(sls_at(r, place), sls);
		assert_int_equal(place >= values / 2, sls >> bit & 1);
	}
	for (unsigned place = 1; place < values; place++)
		if (place != values / 2)
			assert_true(sls_at(r, place) > sls_at(r, place - 1));
}

static void the_bit_of_the_linkset_decides_the_half(void **state)
{
	(void)state;
	each_rule(places_are_slss_in_another_order);
}

/* ---- even shares ---- */

struct network {
	struct sls_rule rule;
	uint32_t linkset[SLS_VALUES], link[2][SLS_VALUES]; /* by SLS */
	unsigned n_linksets, n_links;
};

static void share(struct network *n)
{
	memset(n->link, 0xff, sizeof(n->link));
	sls_share_linksets(&n->rule, n->linkset, ids, n->n_linksets, ids, n->n_linksets);
	for (unsigned i = 0; i < n->n_linksets; i++)
		sls_share_links(&n->rule, n->link[i], ids, n->n_links);
}

/* Links of linkset I get as much as each other, to one SLS, of what the linkset gets. */
static void assert_even(const struct network *n, unsigned i)
{
	unsigned total = sls_values(&n->rule) / n->n_linksets;

	for (unsigned k = 0; k < n->n_links; k++) {
		unsigned got = 0;

		for (unsigned sls = 0; sls < sls_values(&n->rule); sls++)
			got += n->linkset[sls] == ids[i] && n->link[i][sls] == ids[k];
		assert_in_range(got, total / n->n_links, (total + n->n_links - 1) / n->n_links);
	}
}

static void every_link_has_its_share(const struct sls_rule *r)
{
	struct network n = {.rule = *r};

	for (n.n_linksets = 1; n.n_linksets <= 2; n.n_linksets++)
		for (n.n_links = 1; n.n_links <= LINKS; n.n_links++) {
			share(&n);
			for (unsigned i = 0; i < n.n_linksets; i++)
				assert_even(&n, i);
		}
}

static void all_links_of_a_combined_linkset_share_evenly(void **state)
{
	(void)state;
	each_rule(every_link_has_its_share);
}

/* ---- comings and goings ---- */

static unsigned count(const struct sls_rule *r, const uint32_t *owner, unsigned half, uint32_t id)
{
	unsigned n = 0;

	for (unsigned p = half * sls_values(r) / 2; p < (half + 1) * sls_values(r) / 2; p++)
		n += owner[sls_at(r, p)] == id;
	return n;
}

/* In each half. Of 128 SLSs, blocks of 16 are even, and they nearly are. */
static void assert_nearly_even(
	const struct sls_rule *r, const uint32_t *owner, const uint32_t *active, unsigned n)
{
	unsigned size = sls_values(r) / 2, slack = size > 16 ? size / 16 : 0;

	for (unsigned i = 0; i < n; i++)
		for (unsigned half = 0; half < 2; half++) {
			unsigned got = count(r, owner, half, active[i]);

			assert_true(got + slack >= size / n && got <= (size + n - 1) / n + slack);
		}
}

static void links_come_and_go(const struct sls_rule *r)
{
	uint32_t owner[SLS_VALUES], was[SLS_VALUES], active[LINKS], seed = r->bits * 16u + r->linkset_bit;
	bool up[LINKS] = {true, true, true};

	memset(owner, 0xff, sizeof(owner));
	for (unsigned step = 0; step < 100; step++) {
		unsigned change = draw(&seed) % (LINKS - 1), n = 0;

		up[LINKS - 1] = true; /* never none */
		up[change] = !up[change];
		for (unsigned i = 0; i < LINKS; i++)
			if (up[i])
				active[n++] = ids[i];
		memcpy(was, owner, sizeof(was));
		sls_share_links(r, owner, active, n);
		assert_nearly_even(r, owner, active, n);
		for (unsigned sls = 0; step && sls < sls_values(r); sls++)
			if (owner[sls] != was[sls])
				assert_int_equal(up[change] ? owner[sls] : was[sls], ids[change]);
	}
}

static void only_what_a_link_carried_moves(void **state)
{
	(void)state;
	each_rule(links_come_and_go);
}

static void any_of_the_linksets_is_missing(const struct sls_rule *r, unsigned n_all)
{
	uint32_t normal[SLS_VALUES], now[SLS_VALUES], there[LINKSETS];
	unsigned values = sls_values(r);

	sls_share_linksets(r, normal, ids, n_all, ids, n_all);
	for (unsigned set = 1; set < 1u << n_all; set++) {
		unsigned n = 0;

		for (unsigned i = 0; i < n_all; i++)
			if (set >> i & 1)
				there[n++] = ids[i];
		sls_share_linksets(r, now, ids, n_all, there, n);
		for (unsigned sls = 0; sls < values; sls++)
			if (set >> (normal[sls] - ids[0]) & 1)
				assert_int_equal(now[sls], normal[sls]);
		for (unsigned i = 0; i < n; i++)
			assert_in_range(count(r, now, 0, there[i]) + count(r, now, 1, there[i]), values / n,
				(values + n - 1) / n);
	}
}

static void linksets_come_and_go(const struct sls_rule *r)
{
	for (unsigned n = 1; n <= LINKSETS; n++)
		any_of_the_linksets_is_missing(r, n);
}

static void only_what_a_linkset_carried_moves(void **state)
{
	(void)state;
	each_rule(linksets_come_and_go);
}

/* ---- rotation ---- */

/* How many SLSs, of those that come to the first of two at each of HOPS nodes, go which way at the next. */
static void choices(uint8_t bits, uint8_t rotation, unsigned hops, unsigned ways[2])
{
	const struct sls_rule r = {bits, 1};
	uint32_t linkset[SLS_VALUES];

	sls_share_linksets(&r, linkset, ids, 2, ids, 2);
	ways[0] = ways[1] = 0;
	for (unsigned start = 0; start < sls_values(&r); start++) {
		unsigned hop = 0;
		uint8_t sls = (uint8_t)start;

		for (; hop < hops && linkset[sls] == ids[0]; hop++)
			sls = mtp3_sls_rotate(sls, rotation);
		if (hop == hops)
			ways[linkset[sls] != ids[0]]++;
	}
}

static void with_rotation_each_node_shares_what_it_gets(void **state)
{
	unsigned ways[2];

	(void)state;
	for (uint8_t bits = 5; bits <= 8; bits = (uint8_t)(bits + 3))
		for (unsigned hops = 1; hops < bits; hops++) {
			choices(bits, bits, hops, ways);
			assert_int_equal(ways[0], ways[1]);
			assert_int_equal(ways[0], 1u << bits >> (hops + 1));
			choices(bits, 0, hops, ways);
			assert_int_equal(ways[1], 0);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_bit_of_the_linkset_decides_the_half),
		cmocka_unit_test(all_links_of_a_combined_linkset_share_evenly),
		cmocka_unit_test(only_what_a_link_carried_moves),
		cmocka_unit_test(only_what_a_linkset_carried_moves),
		cmocka_unit_test(with_rotation_each_node_shares_what_it_gets),
	};

	return cmocka_run_group_tests_name("data/sls", tests, NULL, NULL);
}
