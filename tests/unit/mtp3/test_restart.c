/* SPDX-License-Identifier: GPL-2.0-or-later */
/* MTP restart (Q.704 s.9): one's own, the neighbour's, both at once, short isolations, TRA and TRW. */
#include "mtp3/adjacent.h"
#include "mtp3/restart.h"
#include "rig.h"

/* Three in a row, 0 - 1 - 2; RESTARTING ones do the restart procedure. */
static struct rig *row(unsigned restarting)
{
	struct rig *r = rig_new(3);

	for (unsigned i = 0; i < 3; i++) {
		r->nodes[i].conf.restart = restarting & (1u << i);
		for (unsigned k = 0; k < 3; k++)
			r->nodes[i].ls_conf[k].restart = restarting & (1u << k);
	}
	rig_link(r, 0, 1);
	rig_link(r, 1, 2);
	rig_route(r, 0, 1, (const int[]){1, -1});
	rig_route(r, 0, 2, (const int[]){1, -1});
	rig_route(r, 1, 0, (const int[]){0, -1});
	rig_route(r, 1, 2, (const int[]){2, -1});
	rig_route(r, 2, 1, (const int[]){1, -1});
	rig_route(r, 2, 0, (const int[]){1, -1});
	return r;
}

static void activate(struct rig *r, unsigned wire)
{
	mtp3_link_activate(r->wires[wire][0].link);
	mtp3_link_activate(r->wires[wire][1].link);
	rig_pump(r);
}

static void traffic_waits_for_the_end_of_our_restart(void **state)
{
	struct rig *r = row(2);

	(void)state;
	activate(r, 0);
	assert_int_equal(r->nodes[1].net->restart, RESTART_DONE); /* all that is expected has been heard */
	assert_int_equal(r->nodes[1].ls[0]->state, MTP3_LS_UP);
	rig_free(r);

	r = row(3);
	activate(r, 0);
	assert_int_equal(r->nodes[0].net->restart, RESTART_PHASE1); /* both wait for the other's TRA */
	assert_int_equal(r->nodes[1].net->restart, RESTART_PHASE1);
	assert_int_equal(r->nodes[0].ls[1]->state, MTP3_LS_DOWN);
	rig_pass(r, mtp3_timer_ms(r->nodes[0].net, MTP3_T18));
	assert_int_equal(r->nodes[0].net->restart, RESTART_DONE);
	assert_int_equal(r->nodes[0].ls[1]->state, MTP3_LS_UP);
	assert_int_equal(r->nodes[1].ls[0]->state, MTP3_LS_UP);
	assert_true(rig_sent(r, SNM_TRA) >= 2);
	assert_true(rig_sent(r, SNM_TRA) <= 4); /* T19: no ping-pong */
	rig_free(r);
}

static void a_restarting_node_hears_what_is_prohibited_and_all_tra(void **state)
{
	struct rig *r = row(7);

	(void)state;
	activate(r, 0);
	rig_pass(r, 6000); /* 0 and 1 are done; 2 is not there */
	rig_forget_sent(r);
	activate(r, 1);
	assert_int_equal(r->nodes[2].net->restart, RESTART_DONE); /* 1 told it, and sent TRA */
	assert_int_equal(r->nodes[1].ls[2]->adj, ADJ_UP);
	assert_int_equal(rig_sent(r, SNM_TRA), 2);
	assert_true(rig_sent(r, SNM_TFA) >= 1); /* 0 hears that 2 is there */
	assert_int_equal(r->nodes[0].dests[2].routes[0].status, MTP3_ALLOWED);
	rig_traffic(r, 0, 2, 16);
	rig_pump(r);
	rig_assert_all(r, 2, 16);
	rig_free(r);
}

static void an_inaccessible_destination_is_told_before_tra(void **state)
{
	struct rig *r = row(7);
	unsigned tfp = 0, tra = 0;

	(void)state;
	activate(r, 1);
	rig_pass(r, 6000);
	rig_forget_sent(r);
	activate(r, 0); /* 0 comes: 1 knows 2; but 2 is told about 0 later */
	assert_int_equal(r->nodes[0].net->restart, RESTART_DONE);
	rig_break(r->wires[1]);
	rig_pass(r, 2000);
	rig_break(r->wires[0]);
	rig_pass(r, 3000);
	assert_int_equal(r->nodes[0].net->restart, RESTART_ISOLATED);
	rig_forget_sent(r);
	rig_repair(r->wires[0]);
	rig_pass(r, 12000);
	for (unsigned i = 0; i < r->n_log; i++) {
		if (r->log[i] == SNM_TFP && !tfp)
			tfp = i + 1;
		if (r->log[i] == SNM_TRA && !tra)
			tra = i + 1;
	}
	assert_true(tfp && tra && tfp < tra);
	assert_int_equal(r->nodes[0].dests[2].routes[0].status, MTP3_PROHIBITED);
	rig_free(r);
}

static void a_neighbour_that_sends_no_tra_delays_for_t21_only(void **state)
{
	struct rig *r = rig_new(2);

	(void)state;
	r->nodes[0].ls_conf[1].restart = true; /* 0 expects it, 1 does nothing of the kind */
	r->nodes[1].conf.transfer = false;
	rig_link(r, 0, 1);
	rig_route(r, 0, 1, (const int[]){1, -1});
	r->wires[0][1].hold = true; /* its TRA is lost */
	rig_up(r);
	assert_int_equal(r->nodes[0].ls[1]->adj, ADJ_TOLD);
	rig_pass(r, 63000);
	assert_int_equal(r->nodes[0].ls[1]->state, MTP3_LS_DOWN);
	rig_pass(r, 1500);
	assert_int_equal(r->nodes[0].ls[1]->state, MTP3_LS_UP);
	rig_free(r);
}

static void an_endpoint_restarts_within_t20(void **state)
{
	struct rig *r = row(3);

	(void)state;
	r->nodes[0].conf.transfer = false;
	r->wires[0][1].hold = true;
	activate(r, 0);
	rig_pass(r, 59000);
	assert_int_equal(r->nodes[0].net->restart, RESTART_PHASE1);
	rig_pass(r, 1500);
	assert_int_equal(r->nodes[0].net->restart, RESTART_DONE);
	rig_free(r);
}

static void an_unexpected_tra_is_answered_once_in_t19(void **state)
{
	struct rig *r = row(0);

	(void)state;
	activate(r, 0);
	rig_pass(r, 69000);
	rig_forget_sent(r);
	r->wires[0][0].hold = true;
	for (unsigned i = 0; i < 3; i++)
		rig_inject(r, 1, 0, &(struct snm){.id = SNM_TRA});
	assert_int_equal(rig_sent(r, SNM_TRA), 1);
	rig_pass(r, 69000);
	rig_inject(r, 1, 0, &(struct snm){.id = SNM_TRA});
	assert_int_equal(rig_sent(r, SNM_TRA), 2);
	rig_free(r);
}

/* s.9.5.1: "any necessary TFP": it may have restarted, which nobody has noticed, and knows nothing. */
static void who_sends_an_unexpected_tra_is_told_everything_anew(void **state)
{
	struct rig *r = row(0);

	(void)state;
	r->nodes[0].conf.timer_ms[MTP3_T10] = 600000; /* it does not ask */
	activate(r, 0);
	activate(r, 1);
	rig_pass(r, 69000);
	rig_break(r->wires[1]);
	rig_pass(r, 69000);
	rig_forget_sent(r);
	r->wires[0][1].hold = true;
	rig_inject(r, 0, 1, &(struct snm){.id = SNM_TRA});
	assert_int_equal(rig_sent(r, SNM_TFP), 1);
	assert_int_equal(rig_sent(r, SNM_TRA), 1);

	r->nodes[1].auto_dests = false; /* its routing knows already, but has not said so */
	r->wires[0][1].hold = false;
	rig_repair(r->wires[1]);
	rig_pass(r, 69000);
	assert_int_equal(r->nodes[1].ls[2]->state, MTP3_LS_UP);
	rig_forget_sent(r);
	r->wires[0][1].hold = true;
	rig_inject(r, 0, 1, &(struct snm){.id = SNM_TRA});
	assert_int_equal(rig_sent(r, SNM_TFP), 0);
	assert_int_equal(rig_sent(r, SNM_TFA), 1);
	rig_free(r);
}

static void an_isolation_shorter_than_t1_is_no_restart(void **state)
{
	struct rig *r = row(3);

	(void)state;
	activate(r, 0);
	rig_pass(r, 6000);
	rig_forget_sent(r);
	mtp3_link_block(r->wires[0][0].link, true);
	rig_pass(r, 500);
	mtp3_link_block(r->wires[0][0].link, false);
	mtp3_link_remote_outage(r->wires[0][1].link, false);
	rig_pass(r, 2000);
	assert_int_equal(r->nodes[0].net->restart, RESTART_DONE);
	assert_int_equal(r->nodes[0].ls[1]->state, MTP3_LS_UP);
	assert_int_equal(rig_sent(r, SNM_TRA), 0);
	mtp3_link_block(r->wires[0][0].link, true); /* s.9.4.1: longer, it is */
	rig_pass(r, 2000);
	assert_int_equal(r->nodes[0].net->restart, RESTART_ISOLATED);
	mtp3_link_block(r->wires[0][0].link, false);
	rig_pass(r, 7000);
	assert_int_equal(r->nodes[0].net->restart, RESTART_DONE);
	assert_int_equal(r->nodes[0].ls[1]->state, MTP3_LS_UP);
	rig_free(r);
}

static void a_restarting_mtp_takes_only_what_belongs_to_it(void **state)
{
	struct rig *r = row(3);

	(void)state;
	activate(r, 0);
	rig_forget_sent(r);
	rig_inject(r, 1, 0, &(struct snm){.id = SNM_LIN});
	rig_inject(r, 1, 0, &(struct snm){.id = SNM_RST, .dest = RIG_PC + 2});
	rig_inject(r, 1, 0, &(struct snm){.id = SNM_CBD});
	assert_int_equal(r->nodes[0].net->stats.ignored, 3);
	assert_int_equal(r->n_log, 0);
	rig_inject(r, 1, 0, &(struct snm){.id = SNM_SLTM, .pattern_len = 1});
	assert_int_equal(rig_sent(r, SNM_SLTA), 1); /* s.9.6.7 */
	rig_inject(r, 1, 0, &(struct snm){.id = SNM_TFP, .dest = RIG_PC + 2});
	assert_int_equal(r->nodes[0].dests[2].routes[0].status, MTP3_PROHIBITED);
	rig_free(r);
}

static void trw_lets_an_ansi_neighbour_take_its_time(void **state)
{
	struct rig *r = rig_new(2);

	(void)state;
	r->nodes[0].conf.variant = r->nodes[1].conf.variant = PC_ANSI;
	r->nodes[0].ls_conf[1].restart = true;
	rig_link(r, 0, 1);
	rig_route(r, 0, 1, (const int[]){1, -1});
	r->wires[0][1].hold = true;
	rig_up(r);
	rig_pass(r, 20000);
	rig_inject(r, 1, 0, &(struct snm){.id = SNM_TRW});
	rig_pass(r, 20000);
	assert_int_equal(r->nodes[0].ls[1]->state, MTP3_LS_DOWN);
	rig_inject(r, 1, 0, &(struct snm){.id = SNM_TRA});
	assert_int_equal(r->nodes[0].ls[1]->state, MTP3_LS_UP);
	rig_free(r);
}

static void an_ansi_stp_that_restarts_says_so(void **state)
{
	(void)state;
	for (unsigned transfer = 0; transfer < 2; transfer++) {
		struct rig *r = rig_new(2);

		r->nodes[0].conf.variant = r->nodes[1].conf.variant = PC_ANSI;
		r->nodes[0].conf.restart = r->nodes[0].ls_conf[1].restart = r->nodes[1].ls_conf[0].restart =
			true;
		r->nodes[0].conf.transfer = transfer;
		r->nodes[0].conf.timer_ms[MTP3_T18] = 60000;
		rig_link(r, 0, 1);
		r->wires[0][1].hold = true;
		rig_up(r);
		assert_int_equal(rig_sent(r, SNM_TRW), transfer);
		rig_pass(r, 13400);
		assert_int_equal(rig_sent(r, SNM_TRW), transfer);
		rig_pass(r, 100); /* T26, and no more when the restart is over */
		assert_int_equal(rig_sent(r, SNM_TRW), 2 * transfer);
		rig_pass(r, 60000);
		assert_true(restart_done(r->nodes[0].net));
		assert_int_equal(rig_sent(r, SNM_TRW), 5 * transfer);
		rig_free(r);
	}
}

/* The linkset was away, but the neighbour was reached otherwise: no restart, yet it has missed something. */
static void a_neighbour_that_was_away_is_told_what_it_missed(void **state)
{
	struct rig *r = rig_new(4);

	(void)state;
	rig_link(r, 0, 1);
	rig_link(r, 0, 2);
	rig_link(r, 1, 2);
	rig_link(r, 1, 3);
	rig_route(r, 0, 1, (const int[]){1, 2, -1});
	rig_route(r, 0, 2, (const int[]){2, -1});
	rig_route(r, 0, 3, (const int[]){1, -1});
	rig_route(r, 1, 0, (const int[]){0, 2, -1});
	rig_route(r, 1, 2, (const int[]){2, -1});
	rig_route(r, 1, 3, (const int[]){3, -1});
	rig_route(r, 2, 0, (const int[]){0, -1});
	rig_route(r, 2, 1, (const int[]){1, -1});
	rig_route(r, 3, 1, (const int[]){1, -1});
	rig_up(r);
	rig_pass(r, 2000);
	rig_break(r->wires[0]);
	rig_pass(r, 3000);
	rig_break(r->wires[3]);
	rig_pass(r, 3000);
	rig_repair(r->wires[0]);
	rig_pass(r, 3000);
	assert_int_equal(r->nodes[0].ls[1]->state, MTP3_LS_UP);
	assert_int_equal(r->nodes[0].dests[3].routes[0].status, MTP3_PROHIBITED);
	rig_free(r);
}

static void a_reload_may_end_the_restart(void **state)
{
	struct rig *r = row(3);
	struct mtp3_net_conf other;

	(void)state;
	activate(r, 0);
	assert_int_equal(r->nodes[0].net->restart, RESTART_PHASE1);
	other = r->nodes[0].conf;
	other.restart = false;
	mtp3_net_reconfigure(r->nodes[0].net, &other);
	assert_int_equal(r->nodes[0].net->restart, RESTART_DONE);
	rig_pump(r);
	assert_int_equal(r->nodes[0].ls[1]->state, MTP3_LS_UP);
	rig_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RIG_TEST(traffic_waits_for_the_end_of_our_restart),
		RIG_TEST(a_restarting_node_hears_what_is_prohibited_and_all_tra),
		RIG_TEST(an_inaccessible_destination_is_told_before_tra),
		RIG_TEST(a_neighbour_that_sends_no_tra_delays_for_t21_only),
		RIG_TEST(an_endpoint_restarts_within_t20),
		RIG_TEST(an_unexpected_tra_is_answered_once_in_t19),
		RIG_TEST(who_sends_an_unexpected_tra_is_told_everything_anew),
		RIG_TEST(an_isolation_shorter_than_t1_is_no_restart),
		RIG_TEST(a_restarting_mtp_takes_only_what_belongs_to_it),
		RIG_TEST(trw_lets_an_ansi_neighbour_take_its_time),
		RIG_TEST(an_ansi_stp_that_restarts_says_so),
		RIG_TEST(a_neighbour_that_was_away_is_told_what_it_missed),
		RIG_TEST(a_reload_may_end_the_restart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
