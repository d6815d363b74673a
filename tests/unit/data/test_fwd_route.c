/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "data/fwd.h"

enum { ITU, ANSI, NETWORKS, ANY = FWD_ANY_SI };
#define ANYO FWD_ANY_OPC

static const uint32_t own_itu[] = {100, 101};
static const struct fwd_network networks[NETWORKS] = {
	[ITU] = {.pc_bits = 14, .ni = 2, .own_pcs = own_itu, .n_own_pcs = 2},
	[ANSI] = {.pc_bits = 24, .ni = FWD_ANY_NI},
};

static const struct fwd_key keys[] = {
	{.network = ITU, .dpc = 1, .si = ANY, .opc = ANYO, .as = 0},
	{.network = ITU, .dpc = 1, .si = 3, .opc = ANYO, .as = 1},
	{.network = ITU, .dpc = 1, .si = ANY, .opc = 9, .as = 2},
	{.network = ITU, .dpc = 1, .si = 3, .opc = 9, .as = 3},
	{.network = ITU, .dpc = 2, .si = 5, .opc = ANYO, .as = 4},
	{.network = ITU, .dpc = 101, .si = 3, .opc = ANYO, .as = 5},
	{.network = ITU, .dpc = 16383, .si = ANY, .opc = ANYO, .as = 6},
	{.network = ANSI, .dpc = 1, .si = ANY, .opc = ANYO, .as = 7},
	{.network = ANSI, .dpc = 0xffffff, .si = ANY, .opc = ANYO, .as = 8},
	{.network = ANSI, .dpc = 0, .si = ANY, .opc = 0, .as = 9},
	{.network = ITU, .dpc = 1, .si = 3, .opc = 9, .as = 3}, /* twice the same is not a clash */
};
enum { N_KEYS = sizeof(keys) / sizeof(keys[0]) };

static struct fwd_routing *routing(void)
{
	struct fwd_routing *r;

	assert_int_equal(fwd_routing_new(networks, NETWORKS, keys, N_KEYS, &r, NULL), SB_OK);
	return r;
}

static void the_most_specific_key_decides(void **state)
{
	static const struct {
		uint16_t network;
		uint32_t opc, dpc;
		uint8_t si;
		uint32_t as;
		bool by_si, by_opc;
		enum drop_reason reason;
	} rows[] = {
		{ITU, 9, 1, 3, 3, true, true, 0},
		{ITU, 9, 1, 5, 2, false, true, 0}, /* OPC before SI */
		{ITU, 8, 1, 3, 1, true, false, 0},
		{ITU, 8, 1, 5, 0, false, false, 0},
		{ITU, 8, 2, 5, 4, true, false, 0},
		{ITU, 8, 2, 3, FWD_NO_AS, false, false, DROP_NO_USER},
		{ITU, 8, 3, 3, FWD_NO_AS, false, false, DROP_NO_ROUTE},
		{ITU, 8, 16383, 3, 6, false, false, 0},
		{ITU, 8, 16384, 3, FWD_NO_AS, false, false, DROP_NO_ROUTE}, /* wider than the network */
		{ITU, 8, 0xffffffff, 3, FWD_NO_AS, false, false, DROP_NO_ROUTE},
		{ANSI, 8, 1, 3, 7, false, false, 0}, /* networks do not mix */
		{ANSI, 8, 0xffffff, 3, 8, false, false, 0},
		{ANSI, 0, 0, 3, 9, false, true, 0}, /* 0 is a point code */
		{ANSI, 1, 0, 3, FWD_NO_AS, false, false, DROP_NO_USER},
		{NETWORKS, 8, 1, 3, FWD_NO_AS, false, false, DROP_NO_ROUTE},
	};
	struct fwd_routing *r = routing();
	struct fwd_match m;

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		fwd_route(r, rows[i].network, rows[i].opc, rows[i].dpc, rows[i].si, &m);
		assert_int_equal(m.as, rows[i].as);
		assert_int_equal(m.by_si, rows[i].by_si);
		assert_int_equal(m.by_opc, rows[i].by_opc);
		if (m.as == FWD_NO_AS)
			assert_int_equal(m.reason, rows[i].reason);
	}
	fwd_routing_free(r);
}

static void the_longest_match_decides_where_there_is_no_exact_row(void **state)
{
	static const struct fwd_key masked[] = {
		{.network = ITU, .dpc = 9, .si = 3, .opc = ANYO, .as = 0},
		{.network = ITU, .dpc = 8, .si = ANY, .opc = ANYO, .as = 1, .mask = 2},
		{.network = ITU, .dpc = 8, .si = ANY, .opc = ANYO, .as = 2, .mask = 3},
		{.network = ITU, .dpc = 0, .si = ANY, .opc = ANYO, .as = 3, .mask = 14},
		{.network = ITU, .dpc = 10, .si = 5, .opc = ANYO, .as = 4, .mask = 1},
		{.network = ANSI, .dpc = 0x010200, .si = ANY, .opc = ANYO, .as = 5, .mask = 8},
		{.network = ANSI, .dpc = 0x010300, .si = ANY, .opc = ANYO, .as = 6, .mask = 8},
	};
	static const struct {
		uint16_t network;
		uint32_t dpc;
		uint8_t si, mask;
		uint32_t as;
	} rows[] = {
		{ITU, 9, 3, 0, 0},
		{ITU, 9, 5, 0, FWD_NO_AS}, /* it is known exactly */
		{ITU, 8, 3, 2, 1},
		{ITU, 10, 5, 1, 4},
		{ITU, 11, 3, 1, FWD_NO_AS},
		{ITU, 12, 3, 3, 2},
		{ITU, 16, 3, 14, 3},
		{ITU, 16383, 3, 14, 3},
		{ITU, 16384, 3, 0, FWD_NO_AS}, /* wider than the network */
		{ITU, 100, 3, 0, FWD_NO_AS},   /* the gateway's own */
		{ANSI, 0x0102ff, 3, 8, 5},
		{ANSI, 0x010300, 3, 8, 6},
		{ANSI, 0x010400, 3, 0, FWD_NO_AS},
	};
	struct fwd_routing *r;
	struct fwd_match m;

	(void)state;
	assert_int_equal(
		fwd_routing_new(networks, NETWORKS, masked, sizeof(masked) / sizeof(masked[0]), &r, NULL),
		SB_OK);
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		fwd_route(r, rows[i].network, 1, rows[i].dpc, rows[i].si, &m);
		assert_int_equal(m.as, rows[i].as);
		assert_int_equal(m.masked, rows[i].mask != 0);
		assert_int_equal(m.mask, rows[i].mask);
	}
	fwd_routing_free(r);
}

static void the_gateways_own_point_codes_are_known(void **state)
{
	struct fwd_routing *r = routing();
	struct fwd_match m;

	(void)state;
	fwd_route(r, ITU, 1, 100, 3, &m);
	assert_true(m.own_dpc);
	assert_int_equal(m.as, FWD_NO_AS);
	assert_int_equal(m.reason, DROP_NO_USER);
	fwd_route(r, ITU, 1, 101, 3, &m);
	assert_true(m.own_dpc);
	assert_int_equal(m.as, 5);
	fwd_route(r, ITU, 1, 1, 3, &m);
	assert_false(m.own_dpc);
	assert_true(fwd_opc_loops(r, ITU, 100));
	assert_false(fwd_opc_loops(r, ITU, 101)); /* shared with an AS: it is that AS that sends */
	assert_false(fwd_opc_loops(r, ITU, 1));
	assert_false(fwd_opc_loops(r, ANSI, 100));
	assert_false(fwd_opc_loops(r, NETWORKS, 100));
	fwd_routing_free(r);
}

static void a_network_can_be_asked_for(void **state)
{
	struct fwd_routing *r = routing();

	(void)state;
	assert_int_equal(fwd_routing_network(r, ITU)->ni, 2);
	assert_int_equal(fwd_routing_network(r, ITU)->own_pcs[1], 101);
	assert_int_equal(fwd_routing_network(r, ANSI)->pc_bits, 24);
	assert_null(fwd_routing_network(r, NETWORKS));
	fwd_routing_free(r);
}

static void clashing_and_impossible_keys_are_refused_by_index(void **state)
{
	static const struct fwd_key base = {.dpc = 1, .si = 3, .opc = 7, .as = 1};
	static const struct {
		struct fwd_key key;
		enum sb_err want;
	} rows[] = {
		{{.dpc = 1, .si = 3, .opc = 7, .as = 2}, SB_EEXIST},
		{{.dpc = 1, .si = ANY, .opc = 7, .as = 2}, SB_OK},
		{{.dpc = 1, .si = 3, .opc = ANYO, .as = 2}, SB_OK},
		{{.dpc = 2, .si = 3, .opc = 7, .as = 2}, SB_OK},
		{{.network = ANSI, .dpc = 1, .si = 3, .opc = 7, .as = 2}, SB_OK},
		{{.dpc = 16384, .si = ANY, .opc = ANYO, .as = 2}, SB_EINVAL},
		{{.network = NETWORKS, .dpc = 1, .si = ANY, .opc = ANYO, .as = 2}, SB_EINVAL},
		{{.dpc = 1, .si = ANY, .opc = ANYO, .as = FWD_NO_AS}, SB_EINVAL},
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct fwd_key two[] = {base, rows[i].key};
		struct fwd_routing *r;
		unsigned clash = 99;

		assert_int_equal(fwd_routing_new(networks, NETWORKS, two, 2, &r, &clash), rows[i].want);
		assert_int_equal(clash, rows[i].want == SB_OK ? 99 : 1);
		assert_int_equal(r == NULL, rows[i].want != SB_OK);
		fwd_routing_free(r);
	}
}

static void bad_networks_are_refused(void **state)
{
	static const uint32_t wide[] = {1u << 14};
	struct fwd_network bad[] = {
		{.pc_bits = 25}, {.pc_bits = 0}, {.pc_bits = 14, .own_pcs = wide, .n_own_pcs = 1}};
	struct fwd_routing *r;

	(void)state;
	for (unsigned i = 0; i < 3; i++)
		assert_int_equal(fwd_routing_new(&bad[i], 1, NULL, 0, &r, NULL), SB_EINVAL);
	assert_int_equal(fwd_routing_new(NULL, 0, NULL, 0, &r, NULL), SB_OK);
	fwd_routing_free(r);
}

/* 300 origins for one destination, as an OPC list gives. */
static void many_narrow_keys_at_one_destination_are_all_found(void **state)
{
	enum { N = 300 };
	struct fwd_key *many = calloc(N, sizeof(*many));
	struct fwd_routing *r;
	struct fwd_match m;

	(void)state;
	for (unsigned i = 0; i < N; i++)
		many[i] = (struct fwd_key){.dpc = 5, .si = i % 2 ? ANY : 3, .opc = i * 16, .as = i};
	assert_int_equal(fwd_routing_new(networks, NETWORKS, many, N, &r, NULL), SB_OK);
	for (unsigned i = 0; i < N; i++) {
		fwd_route(r, ITU, i * 16, 5, 3, &m);
		assert_int_equal(m.as, i);
		assert_int_equal(m.by_si, i % 2 == 0);
		fwd_route(r, ITU, i * 16 + 1, 5, 3, &m);
		assert_int_equal(m.as, FWD_NO_AS);
	}
	fwd_routing_free(r);
	free(many);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_most_specific_key_decides),
		cmocka_unit_test(the_longest_match_decides_where_there_is_no_exact_row),
		cmocka_unit_test(the_gateways_own_point_codes_are_known),
		cmocka_unit_test(a_network_can_be_asked_for),
		cmocka_unit_test(clashing_and_impossible_keys_are_refused_by_index),
		cmocka_unit_test(bad_networks_are_refused),
		cmocka_unit_test(many_narrow_keys_at_one_destination_are_all_found),
	};

	return cmocka_run_group_tests_name("data/fwd_route", tests, NULL, NULL);
}
