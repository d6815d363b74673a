/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What neighbours tell each other about destinations: TFP, TFR, TFA, tests, T8, T10, T11; rerouting with
 * traffic. */
#include "mtp3/tfx.h"
#include "rig.h"

/* 0 - 1 - 3 and 0 - 2 - 3: two STPs between two endpoints. */
static struct rig *square(void)
{
	struct rig *r = rig_new(4);

	r->nodes[0].conf.transfer = r->nodes[3].conf.transfer = false;
	rig_link(r, 0, 1);
	rig_link(r, 0, 2);
	rig_link(r, 1, 3);
	rig_link(r, 2, 3);
	rig_route(r, 0, 3, (const int[]){1, 2, -1});
	rig_route(r, 0, 1, (const int[]){1, -1});
	rig_route(r, 0, 2, (const int[]){2, -1});
	rig_route(r, 1, 0, (const int[]){0, -1});
	rig_route(r, 1, 3, (const int[]){3, -1});
	rig_route(r, 2, 0, (const int[]){0, -1});
	rig_route(r, 2, 3, (const int[]){3, -1});
	rig_route(r, 3, 0, (const int[]){1, 2, -1});
	rig_route(r, 3, 1, (const int[]){1, -1});
	rig_route(r, 3, 2, (const int[]){2, -1});
	rig_up(r);
	rig_pass(r, 3000);
	rig_forget_sent(r);
	return r;
}

static void a_lost_destination_is_told_and_traffic_rerouted(void **state)
{
	struct rig *r = square();

	(void)state;
	assert_int_equal(r->nodes[0].dests[3].current, 0);
	rig_traffic(r, 0, 3, 32);
	rig_pump(r);
	rig_break(r->wires[2]); /* 1 - 3 */
	rig_pass(r, 1000);
	assert_true(rig_sent(r, SNM_TFP) >= 1);
	assert_int_equal(r->nodes[0].dests[3].routes[0].status, MTP3_PROHIBITED);
	assert_int_equal(r->nodes[0].dests[3].current, 1);
	rig_traffic(r, 0, 3, 32);
	rig_pass(r, 100);
	rig_assert_all(r, 3, 64);
	rig_free(r);
}

static void controlled_rerouting_goes_back_in_order(void **state)
{
	struct rig *r = square();
	unsigned sent = 0;

	(void)state;
	rig_break(r->wires[2]);
	rig_pass(r, 3000);
	rig_repair(r->wires[2]);
	for (unsigned i = 0; i < 120; i++) {
		r->wires[1][0].hold = i % 6 < 2; /* the alternative is slow */
		rig_traffic(r, 0, 3, 16);
		sent += 16;
		rig_pass(r, 50);
	}
	r->wires[1][0].hold = false;
	rig_pass(r, 1000);
	assert_true(rig_sent(r, SNM_TFA) >= 1);
	assert_int_equal(r->nodes[0].dests[3].current, 0);
	assert_true(r->nodes[0].dests[3].holds >= 1);
	rig_assert_all(r, 3, sent);
	rig_free(r);
}

static void forced_rerouting_ends_a_hold_at_once(void **state)
{
	struct rig *r = square();
	struct node *n = &r->nodes[0];

	(void)state;
	rig_inject(r, 1, 0, &(struct snm){.id = SNM_TFP, .dest = RIG_PC + 3});
	assert_int_equal(n->dests[3].current, 1);
	rig_inject(r, 1, 0, &(struct snm){.id = SNM_TFA, .dest = RIG_PC + 3});
	assert_true(n->dests[3].held);
	rig_traffic(r, 0, 3, 16);
	assert_int_equal(n->waiting.n, 16);
	rig_inject(r, 2, 0, &(struct snm){.id = SNM_TFP, .dest = RIG_PC + 3});
	assert_false(n->dests[3].held);
	assert_int_equal(n->dests[3].current, 0);
	rig_pump(r);
	rig_assert_all(r, 3, 16);
	rig_free(r);
}

static void a_restricted_route_gives_way_to_a_better_one(void **state)
{
	struct rig *r = square();

	(void)state;
	rig_inject(r, 1, 0, &(struct snm){.id = SNM_TFR, .dest = RIG_PC + 3});
	assert_true(r->nodes[0].dests[3].held); /* controlled: T6 */
	rig_pass(r, 1000);
	assert_int_equal(r->nodes[0].dests[3].current, 1);
	rig_inject(r, 2, 0, &(struct snm){.id = SNM_TFP, .dest = RIG_PC + 3});
	assert_int_equal(r->nodes[0].dests[3].current, 0); /* better restricted than none */
	rig_free(r);
}

/* Messages of a link to 1 that has failed are yet to be given back when 1 prohibits 3. */
static void nothing_moves_before_a_changeover_is_over(void **state)
{
	struct rig *r = square();
	struct l2 *second = rig_link(r, 0, 1);
	struct node *n = &r->nodes[0];

	(void)state;
	rig_up(r);
	rig_pass(r, 3000);
	second[0].hold = second[0].slow_retrieval = true;
	rig_traffic(r, 0, 3, 32);
	assert_int_not_equal(second[0].flight.n, 0);
	rig_break(second);
	rig_pump(r);
	assert_int_equal(second[0].link->co, CO_RETRIEVING);
	rig_inject(r, 1, 0, &(struct snm){.id = SNM_TFP, .dest = RIG_PC + 3});
	assert_true(n->dests[3].held);
	assert_int_equal(n->dests[3].current, 0);
	rig_traffic(r, 0, 3, 16);
	second[0].slow_retrieval = false;
	rig_pump(r);
	assert_false(n->dests[3].held);
	assert_int_equal(n->dests[3].current, 1);
	rig_assert_all(r, 3, 48);
	rig_free(r);
}

static void a_changeover_without_end_delays_no_longer_than_t2(void **state)
{
	struct rig *r = square();
	struct l2 *second = rig_link(r, 0, 1);

	(void)state;
	rig_up(r);
	rig_pass(r, 3000);
	second[0].slow_retrieval = true;
	rig_break(second);
	rig_pump(r);
	rig_inject(r, 1, 0, &(struct snm){.id = SNM_TFP, .dest = RIG_PC + 3});
	rig_pass(r, 1300);
	assert_true(r->nodes[0].dests[3].held);
	rig_pass(r, 200);
	assert_false(r->nodes[0].dests[3].held);
	assert_int_equal(second[0].link->co, CO_RETRIEVING);
	rig_free(r);
}

static void a_prohibited_route_is_tested_every_t10(void **state)
{
	struct rig *r = square();

	(void)state;
	rig_break(r->wires[2]);
	rig_pass(r, 1500);
	rig_forget_sent(r);
	rig_pass(r, 2 * 45000);
	assert_int_equal(rig_sent(r, SNM_RST), 2);
	assert_int_equal(rig_sent(r, SNM_TFP), 0); /* s.13.5.4: the same, no answer */
	rig_free(r);
}

static void a_test_finds_a_lost_tfa(void **state)
{
	struct rig *r = square();

	(void)state;
	rig_inject(r, 1, 0, &(struct snm){.id = SNM_TFP, .dest = RIG_PC + 3}); /* not true */
	rig_forget_sent(r);
	rig_pass(r, 46000);
	assert_int_equal(rig_sent(r, SNM_RST), 1);
	assert_int_equal(rig_sent(r, SNM_TFA), 1);
	assert_int_equal(r->nodes[0].dests[3].routes[0].status, MTP3_ALLOWED);
	rig_inject(r, 1, 0, &(struct snm){.id = SNM_TFR, .dest = RIG_PC + 3});
	rig_forget_sent(r);
	rig_pass(r, 46000);
	assert_int_equal(rig_sent(r, SNM_RSR), 1);
	assert_int_equal(r->nodes[0].dests[3].routes[0].status, MTP3_ALLOWED);
	rig_free(r);
}

static void what_is_said_about_no_route_of_ours_is_ignored(void **state)
{
	struct rig *r = square();

	(void)state;
	rig_inject(r, 1, 0, &(struct snm){.id = SNM_TFP, .dest = 999});
	rig_inject(r, 1, 0, &(struct snm){.id = SNM_TFA, .dest = 999});
	rig_inject(
		r, 1, 0, &(struct snm){.id = SNM_TFP, .dest = RIG_PC + 1}); /* the neighbour about itself */
	assert_int_equal(r->nodes[0].ls[1]->routes.n, 0);
	rig_pass(r, 46000);
	assert_int_equal(rig_sent(r, SNM_RST), 0);
	rig_free(r);
}

static void the_response_method_is_limited_by_t8(void **state)
{
	struct rig *r = square();
	struct mtp3_linkset *to0 = r->nodes[1].ls[0];

	(void)state;
	for (unsigned i = 0; i < 5; i++)
		mtp3_dest_unreachable(to0, 777);
	rig_pump(r);
	assert_int_equal(rig_sent(r, SNM_TFP), 1);
	rig_pass(r, 1100);
	mtp3_dest_unreachable(to0, 777);
	assert_int_equal(rig_sent(r, SNM_TFP), 2);
	mtp3_dest_unreachable(to0, RIG_PC); /* about itself: never */
	assert_int_equal(rig_sent(r, SNM_TFP), 2);
	rig_break(r->wires[2]); /* s.13.2.2 ii: a broadcast starts T8 */
	rig_pass(r, 900);
	rig_forget_sent(r);
	mtp3_dest_unreachable(to0, RIG_PC + 3);
	assert_int_equal(rig_sent(r, SNM_TFP), 0);
	rig_free(r);
}

/* 1 begins to route to 3 through 0: 0 must not send it back (s.13.2.2 i, 13.3.2 i). */
static void a_neighbour_that_we_route_through_gets_a_preventive_tfp(void **state)
{
	struct rig *r = rig_new(3);

	(void)state;
	rig_link(r, 0, 1);
	rig_link(r, 0, 2);
	rig_link(r, 1, 2);
	rig_route(r, 1, 2, (const int[]){2, 0, -1});
	rig_route(r, 1, 0, (const int[]){0, -1});
	rig_route(r, 0, 2, (const int[]){2, 1, -1});
	rig_route(r, 0, 1, (const int[]){1, -1});
	rig_route(r, 2, 0, (const int[]){0, -1});
	rig_route(r, 2, 1, (const int[]){1, -1});
	rig_up(r);
	rig_pass(r, 3000);
	assert_int_equal(r->nodes[0].dests[2].routes[1].status, MTP3_ALLOWED);
	rig_break(r->wires[2]); /* 1 - 2 */
	rig_pass(r, 1500);
	assert_int_equal(r->nodes[1].dests[2].current, 1);
	assert_int_equal(r->nodes[0].dests[2].routes[1].status, MTP3_PROHIBITED);
	rig_repair(r->wires[2]);
	rig_pass(r, 4000);
	assert_int_equal(r->nodes[1].dests[2].current, 0);
	assert_int_equal(r->nodes[0].dests[2].routes[1].status, MTP3_ALLOWED);
	rig_free(r);
}

static void restriction_is_told_when_it_lasts(void **state)
{
	struct rig *r = rig_new(4);

	(void)state;
	r->nodes[1].conf.restricted = true;
	rig_link(r, 0, 1);
	rig_link(r, 1, 2);
	rig_link(r, 1, 3);
	rig_link(r, 2, 3);
	rig_route(r, 0, 1, (const int[]){1, -1});
	rig_route(r, 0, 3, (const int[]){1, -1});
	rig_route(r, 1, 0, (const int[]){0, -1});
	rig_route(r, 1, 2, (const int[]){2, -1});
	rig_route(r, 1, 3, (const int[]){3, 2, -1});
	rig_route(r, 2, 3, (const int[]){3, -1});
	rig_up(r);
	rig_pass(r, 3000);
	rig_forget_sent(r);
	rig_break(r->wires[2]); /* 1 - 3: by 2 now, which is the longer way */
	rig_pass(r, 50000);
	assert_int_equal(rig_sent(r, SNM_TFR), 0);
	rig_pass(r, 15000); /* T11 */
	assert_true(rig_sent(r, SNM_TFR) >= 1);
	assert_int_equal(r->nodes[0].dests[3].routes[0].status, MTP3_RESTRICTED);
	rig_repair(r->wires[2]);
	rig_pass(r, 5000);
	assert_int_equal(r->nodes[0].dests[3].routes[0].status, MTP3_ALLOWED);
	rig_free(r);
}

static void an_endpoint_tells_nobody(void **state)
{
	struct rig *r = square();

	(void)state;
	mtp3_dest_changed(r->nodes[0].net, RIG_PC + 3, 0);
	mtp3_dest_unreachable(r->nodes[0].ls[1], 777);
	rig_inject(r, 1, 0, &(struct snm){.id = SNM_RST, .dest = RIG_PC + 2});
	assert_int_equal(r->n_log, 0);
	rig_free(r);
}

/* 0 = 1 - 2: two links to an STP, by which 0 reaches 2. */
static struct rig *double_link(void)
{
	struct rig *r = rig_new(3);

	rig_link(r, 0, 1);
	rig_link(r, 0, 1);
	rig_link(r, 1, 2);
	rig_route(r, 0, 1, (const int[]){1, -1});
	rig_route(r, 0, 2, (const int[]){1, -1});
	rig_route(r, 1, 0, (const int[]){0, -1});
	rig_route(r, 1, 2, (const int[]){2, -1});
	rig_route(r, 2, 1, (const int[]){1, -1});
	rig_up(r);
	rig_pass(r, 3000);
	return r;
}

static void tfa_does_not_overtake_tfp_on_a_link_that_came_back(void **state)
{
	struct rig *r = double_link();
	struct l2 *second = &r->wires[1][1];

	(void)state;
	rig_break(r->wires[0]);
	rig_pass(r, 1500);
	rig_forget_sent(r);
	second->hold = true;
	rig_break(r->wires[2]);
	rig_pass(r, 1500);
	assert_int_equal(rig_sent(r, SNM_TFP), 1);
	rig_repair(r->wires[0]);
	rig_pass(r, 3000);
	rig_repair(r->wires[2]);
	rig_pass(r, 3000);
	assert_int_equal(rig_sent(r, SNM_TFA), 1);
	second->hold = false;
	rig_pump(r);
	assert_int_equal(r->nodes[0].dests[2].routes[0].status, MTP3_ALLOWED);
	rig_free(r);
}

static void a_tfp_that_comes_back_from_a_failed_link_is_not_told_again(void **state)
{
	struct rig *r = double_link();
	struct l2 *first = &r->wires[0][1];

	(void)state;
	first->noack = first->hold = true;
	rig_break(r->wires[2]);
	rig_pass(r, 1500); /* TFP waits for its acknowledgement */
	first->slow_retrieval = true;
	rig_break(r->wires[0]);
	rig_pass(r, 100);
	rig_repair(r->wires[2]);
	rig_pass(r, 3000);
	rig_forget_sent(r);
	first->slow_retrieval = false;
	rig_pass(r, 100);
	assert_int_equal(rig_sent(r, SNM_TFP), 0);
	assert_int_equal(rig_sent(r, SNM_TFA), 1);
	assert_int_equal(r->nodes[0].dests[2].routes[0].status, MTP3_ALLOWED);
	rig_free(r);
}

static void clusters_are_told_in_ansi_only(void **state)
{
	struct rig *r = rig_new(2);

	(void)state;
	r->nodes[0].conf.variant = r->nodes[1].conf.variant = PC_ANSI;
	rig_link(r, 0, 1);
	rig_route(r, 0, 1, (const int[]){1, -1});
	rig_route(r, 1, 0, (const int[]){0, -1});
	rig_up(r);
	assert_int_equal(tfx_message(r->nodes[0].net, 8, MTP3_PROHIBITED), SNM_TCP);
	assert_int_equal(tfx_message(r->nodes[0].net, 8, MTP3_ALLOWED), SNM_TCA);
	assert_int_equal(tfx_message(r->nodes[0].net, 4, MTP3_ALLOWED), SNM_IDS);
	rig_forget_sent(r);
	r->wires[0][0].hold = true;
	rig_inject(r, 1, 0, &(struct snm){.id = SNM_RCR, .dest = 0x010200});
	assert_int_equal(rig_sent(r, SNM_TCP), 1);
	rig_inject(r, 1, 0, &(struct snm){.id = SNM_RCP, .dest = 0x010200});
	assert_int_equal(rig_sent(r, SNM_TCP), 1);
	r->nodes[0].conf.variant = PC_ITU;
	assert_int_equal(tfx_message(r->nodes[0].net, 8, MTP3_ALLOWED), SNM_IDS);
	r->nodes[0].conf.variant = PC_ANSI;
	rig_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RIG_TEST(a_lost_destination_is_told_and_traffic_rerouted),
		RIG_TEST(controlled_rerouting_goes_back_in_order),
		RIG_TEST(forced_rerouting_ends_a_hold_at_once),
		RIG_TEST(a_restricted_route_gives_way_to_a_better_one),
		RIG_TEST(nothing_moves_before_a_changeover_is_over),
		RIG_TEST(a_changeover_without_end_delays_no_longer_than_t2),
		RIG_TEST(a_prohibited_route_is_tested_every_t10),
		RIG_TEST(a_test_finds_a_lost_tfa),
		RIG_TEST(what_is_said_about_no_route_of_ours_is_ignored),
		RIG_TEST(the_response_method_is_limited_by_t8),
		RIG_TEST(a_neighbour_that_we_route_through_gets_a_preventive_tfp),
		RIG_TEST(restriction_is_told_when_it_lasts),
		RIG_TEST(an_endpoint_tells_nobody),
		RIG_TEST(tfa_does_not_overtake_tfp_on_a_link_that_came_back),
		RIG_TEST(a_tfp_that_comes_back_from_a_failed_link_is_not_told_again),
		RIG_TEST(clusters_are_told_in_ansi_only),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
