/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Changeover and changeback between two nodes, with traffic: nothing lost, repeated or out of order where
 * Q.704 promises it. */
#include "mtp3/changeback.h"
#include "mtp3/changeover.h"
#include "rig.h"

static struct rig *two(unsigned links)
{
	struct rig *r = rig_new(2);

	for (unsigned i = 0; i < links; i++)
		rig_link(r, 0, 1);
	rig_route(r, 0, 1, (const int[]){1, -1});
	rig_route(r, 1, 0, (const int[]){0, -1});
	rig_up(r);
	rig_forget_sent(r);
	return r;
}

static void what_was_not_received_is_sent_on_the_other_link(void **state)
{
	struct rig *r = two(2);
	struct l2 *w = r->wires[0];

	(void)state;
	rig_traffic(r, 0, 1, 32);
	rig_pump(r);
	w[0].hold = true;
	rig_traffic(r, 0, 1, 32); /* half of them on their way, and lost */
	rig_traffic(r, 1, 0, 32);
	w[0].stall = true;
	rig_traffic(r, 0, 1, 32); /* half of them not even sent */
	rig_break(w);
	rig_traffic(r, 0, 1, 32);
	rig_pump(r);
	rig_traffic(r, 0, 1, 32);
	rig_pass(r, 100);
	assert_true(rig_sent(r, SNM_XCO) >= 1);
	assert_true(rig_sent(r, SNM_XCA) >= 1);
	rig_assert_all(r, 1, 160);
	rig_assert_all(r, 0, 32);
	rig_free(r);
}

static void acknowledgements_that_were_lost_cause_no_repetition(void **state)
{
	struct rig *r = two(2);
	struct l2 *w = r->wires[0];

	(void)state;
	w[0].noack = true;
	rig_traffic(r, 0, 1, 64);
	rig_pump(r);
	assert_true(w[0].unacked.n > 0);
	rig_break(w);
	rig_pass(r, 100);
	rig_assert_all(r, 1, 64);
	rig_free(r);
}

static void a_link_that_comes_back_takes_its_share_in_order(void **state)
{
	struct rig *r = two(2);
	struct l2 *w = r->wires[0];

	(void)state;
	rig_break(w);
	rig_pass(r, 2000);
	rig_repair(w);
	for (unsigned i = 0; i < 60; i++) {
		r->wires[1][0].hold = i % 7 < 3; /* slow on the old way */
		rig_traffic(r, 0, 1, 16);
		rig_pass(r, 50);
	}
	r->wires[1][0].hold = false;
	rig_pass(r, 2000);
	assert_int_equal(w[0].link->state, LINK_ACTIVE);
	assert_int_equal(w[0].link->c[MTP3_LC_FAILURES], 1);
	assert_int_equal(w[0].link->c[MTP3_LC_CHANGEOVERS], 1);
	assert_int_equal(w[0].link->c[MTP3_LC_ORDERS], 1);
	assert_int_equal(w[0].link->c[MTP3_LC_CHANGEBACKS], 1);
	assert_true(w[0].link->c[MTP3_LC_FAILED_ALIGNMENTS] >= 1);
	assert_true(rig_sent(r, SNM_CBD) >= 2);
	assert_true(rig_sent(r, SNM_CBA) >= 2);
	assert_int_equal(rig_share(r, 0, 1, &w[0]), 8);
	rig_assert_all(r, 1, 960);
	rig_free(r);
}

static void changeback_is_declared_on_the_alternative_link(void **state)
{
	struct rig *r = two(2);
	struct l2 *w = r->wires[0];

	(void)state;
	rig_break(w);
	rig_pass(r, 2000);
	r->wires[1][0].hold = true; /* behind all that is on its way there */
	rig_repair(w);
	rig_pass(r, 1500);
	rig_forget_sent(r);
	rig_traffic(r, 0, 1, 16);
	rig_pump(r);
	assert_int_equal(w[0].flight.n, 0);
	assert_int_equal(r->nodes[0].waiting.n, 8);
	r->wires[1][0].hold = false;
	rig_pump(r);
	assert_int_equal(r->nodes[0].waiting.n, 0);
	rig_assert_all(r, 1, 16);
	rig_free(r);
}

static void a_declaration_is_repeated_once_then_traffic_goes(void **state)
{
	struct rig *r = two(2);
	struct l2 *w = r->wires[0];

	(void)state;
	rig_break(w);
	rig_pass(r, 2000);
	rig_repair(w);
	r->wires[1][0].hold = true;
	for (unsigned i = 0; i < 40 && w[0].link->state != LINK_ACTIVE; i++)
		rig_pass(r, 50);
	assert_int_equal(w[0].link->state, LINK_ACTIVE);
	rig_forget_sent(r);
	rig_pass(r, 800); /* T4 */
	assert_int_equal(rig_sent(r, SNM_CBD), 1);
	assert_int_equal(rig_share(r, 0, 1, &w[0]), 0);
	rig_pass(r, 800); /* T5 */
	assert_int_equal(rig_share(r, 0, 1, &w[0]), 8);
	rig_free(r);
}

static void changeback_by_time_needs_no_messages(void **state)
{
	struct rig *r = rig_new(2);
	struct l2 *w;

	(void)state;
	r->nodes[0].ls_conf[1].timed_changeback = r->nodes[1].ls_conf[0].timed_changeback = true;
	w = rig_link(r, 0, 1);
	rig_link(r, 0, 1);
	rig_route(r, 0, 1, (const int[]){1, -1});
	rig_up(r);
	rig_break(w);
	rig_pass(r, 2000);
	rig_repair(w);
	for (unsigned i = 0; i < 80; i++) {
		rig_traffic(r, 0, 1, 16);
		rig_pass(r, 50);
	}
	assert_int_equal(rig_sent(r, SNM_CBD), 0);
	assert_int_equal(rig_share(r, 0, 1, &w[0]), 8);
	rig_assert_all(r, 1, 80 * 16);
	rig_free(r);
}

/* The first link dies with messages on it; while it is being retrieved, so does the second. */
static void the_second_link_fails_during_changeover(void **state)
{
	struct rig *r = two(3);

	(void)state;
	for (unsigned i = 0; i < 3; i++)
		r->wires[i][0].hold = true;
	rig_traffic(r, 0, 1, 48);
	r->wires[0][0].slow_retrieval = true;
	rig_break(r->wires[0]);
	r->wires[2][0].hold = false;
	rig_pump(r);
	rig_traffic(r, 0, 1, 16);
	rig_break(r->wires[1]);
	rig_pump(r);
	r->wires[0][0].slow_retrieval = false;
	rig_pump(r);
	rig_pass(r, 3000);
	rig_assert_all(r, 1, 64);
	assert_int_equal(rig_share(r, 0, 1, &r->wires[2][0]), 16);
	rig_free(r);
}

/* Wire 0 comes back, and the changeback from wire 1 is declared: one of them fails. */
static void an_end_of_a_changeback_fails(void **state)
{
	static const struct {
		unsigned broken, share_of_0;
	} rows[] = {{0, 0}, {1, 16}}; /* the target; the source */

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct rig *r = two(2);

		rig_break(r->wires[0]);
		rig_pass(r, 2000);
		rig_repair(r->wires[0]);
		r->wires[1][0].hold = true;
		rig_pass(r, 1500);
		rig_traffic(r, 0, 1, 32);
		rig_break(r->wires[rows[i].broken]);
		r->wires[1][0].hold = false;
		rig_pass(r, 3000);
		rig_assert_all(r, 1, 32);
		assert_int_equal(rig_share(r, 0, 1, r->wires[0]), rows[i].share_of_0);
		assert_true(llist_empty(&r->nodes[0].ls[1]->changebacks));
		rig_free(r);
	}
}

/* s.5.6.1: level 2 of B has lost its memory: what A sent and B may have is not repeated. */
static void emergency_changeover_retrieves_only_what_was_not_sent(void **state)
{
	struct rig *r = two(2);
	struct l2 *w = r->wires[0];

	(void)state;
	w[1].no_bsnt = true;
	w[0].noack = true;
	rig_traffic(r, 0, 1, 32);
	rig_pump(r);
	w[0].stall = true;
	rig_traffic(r, 0, 1, 32);
	rig_break(w);
	rig_pass(r, 100);
	assert_true(rig_sent(r, SNM_ECO) + rig_sent(r, SNM_ECA) >= 1);
	rig_assert_all(r, 1, 64);
	rig_free(r);
}

static void an_order_takes_a_link_that_we_thought_good(void **state)
{
	struct rig *r = two(2);
	struct l2 *w = r->wires[0];

	(void)state;
	w[0].hold = true;
	rig_traffic(r, 0, 1, 16);
	rig_inject(r, 1, 0, &(struct snm){.id = SNM_XCO, .slc = 0, .fsn = w[1].bsn});
	assert_true(rig_sent(r, SNM_XCA) >= 1);
	rig_pass(r, 50);
	rig_assert_all(r, 1, 16);
	w[0].hold = false;
	rig_pass(r, 5000);
	assert_int_equal(w[0].link->state, LINK_ACTIVE);
	rig_free(r);
}

static void an_unreasonable_number_retrieves_nothing(void **state)
{
	struct rig *r = two(2);
	struct l2 *w = r->wires[0];

	(void)state;
	w[0].noack = true;
	rig_traffic(r, 0, 1, 32);
	rig_pump(r);
	rig_inject(r, 1, 0, &(struct snm){.id = SNM_XCO, .slc = 0, .fsn = 0xabcdef});
	rig_pass(r, 100);
	rig_assert_all(r, 1, 32);
	rig_free(r);
}

static uint32_t write_from_neighbour(uint8_t *buf, const struct snm *m)
{
	struct mtp3_label label = {.opc = RIG_PC + 1, .dpc = RIG_PC, .ni = 2};
	uint32_t len;

	assert_int_equal(snm_write(buf, SNM_MAX, PC_ITU, &label, m, &len), MTP3_OK);
	return len;
}

static void a_late_order_gets_an_emergency_acknowledgement(void **state)
{
	struct rig *r = two(2);

	(void)state;
	rig_break(r->wires[0]);
	rig_pass(r, 3000);
	rig_forget_sent(r);
	r->wires[0][0].link->ls->links[0] = r->wires[0][0].link;
	for (unsigned i = 0; i < 2; i++) {
		struct snm m = {.id = i ? SNM_XCO : SNM_ECO, .slc = 0};
		uint8_t buf[SNM_MAX];

		mtp3_link_receive(r->wires[1][0].link, buf, write_from_neighbour(buf, &m));
	}
	assert_int_equal(rig_sent(r, SNM_ECA), 2);
	assert_int_equal(rig_sent(r, SNM_XCA), 0);
	rig_free(r);
}

/* Seven bits say nothing about numbers of 24 (s.5.7.3): new traffic only, as after ECO. */
static void an_order_of_seven_bits_retrieves_nothing(void **state)
{
	struct rig *r = two(2);
	struct l2 *w = r->wires[0];

	(void)state;
	w[0].noack = true;
	rig_traffic(r, 0, 1, 32);
	rig_pump(r);
	w[0].stall = true;
	rig_traffic(r, 0, 1, 32);
	rig_inject(r, 1, 0, &(struct snm){.id = SNM_COO, .slc = 0, .fsn = w[1].bsn & 127});
	assert_true(rig_sent(r, SNM_XCA) >= 1);
	rig_pass(r, 100);
	rig_assert_all(r, 1, 64);
	rig_free(r);
}

/* Such a one was retrieved with what waited on another link, and is older than the link that it comes on. */
static void an_order_that_comes_on_its_own_link_is_stale(void **state)
{
	static const uint8_t ids[] = {SNM_XCO, SNM_ECO, SNM_COO, SNM_XCA, SNM_ECA};
	struct rig *r = two(2);
	uint8_t buf[SNM_MAX];

	(void)state;
	for (unsigned i = 0; i < sizeof(ids); i++)
		mtp3_link_receive(r->wires[0][0].link, buf,
			write_from_neighbour(buf, &(struct snm){.id = ids[i], .slc = 0, .fsn = 5}));
	rig_pass(r, 3000);
	assert_int_equal(rig_sent(r, SNM_ECA), 3); /* the orders are acknowledged all the same */
	assert_int_equal(r->nodes[0].net->stats.strays, 5);
	assert_int_equal(r->wires[0][0].link->c[MTP3_LC_FAILURES], 0);
	rig_traffic(r, 0, 1, 32);
	rig_pump(r);
	rig_assert_all(r, 1, 32);
	rig_free(r);
}

/* Both links are lost, and the order for the first waits on the second. When that is retrieved the first may
 * have been aligned anew. */
static void an_order_that_is_over_is_not_sent_again(void **state)
{
	struct rig *r = two(3);
	struct mtp3_label label = {.opc = RIG_PC, .dpc = RIG_PC + 1, .ni = 2};
	static const uint8_t ids[] = {SNM_XCO, SNM_ECO, SNM_XCA, SNM_ECA};
	static const struct {
		enum co_state state;
		unsigned sent;
	} rows[] = {{CO_IDLE, 0}, {CO_ORDERED, 4}, {CO_RETRIEVING, 2}, {CO_DONE, 2}};
	struct l2 *w = r->wires[0];
	uint8_t buf[SNM_MAX];
	uint32_t len;

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		rig_forget_sent(r);
		w[0].link->co = rows[i].state;
		for (unsigned k = 0; k < sizeof(ids); k++) {
			struct snm m = {.id = ids[k], .slc = 0, .fsn = 1};

			assert_int_equal(snm_write(buf, sizeof(buf), PC_ITU, &label, &m, &len), MTP3_OK);
			mtp3_link_returned(r->wires[1][0].link, buf, len);
		}
		assert_int_equal(r->n_log, rows[i].sent);
		assert_int_equal(w[0].unsent.n + w[0].flight.n, 0); /* never on the link itself */
	}
	w[0].link->co = CO_IDLE;
	rig_free(r);
}

static void without_an_answer_t2_opens_the_other_link(void **state)
{
	struct rig *r = two(2);
	struct l2 *w = r->wires[0];

	(void)state;
	r->wires[1][1].hold = true; /* answers do not come */
	w[0].stall = true;
	rig_traffic(r, 0, 1, 16);
	mtp3_link_out_of_service(w[0].link, "a test");
	w[0].up = w[1].up = w[0].started = w[1].started = false;
	w[0].broken = w[1].broken = true;
	rig_pump(r);
	assert_int_equal(w[0].link->co, CO_ORDERED);
	rig_traffic(r, 0, 1, 16);
	assert_int_equal(r->nodes[0].waiting.n, 8);
	rig_pass(r, mtp3_timer_ms(r->nodes[0].net, MTP3_T2));
	assert_int_equal(w[0].link->co, CO_DONE);
	rig_assert_all(r, 1, 32); /* they had not been sent: nothing is lost */
	rig_free(r);
}

static void an_acknowledgement_without_an_order_is_ignored(void **state)
{
	struct rig *r = two(2);

	(void)state;
	rig_inject(r, 1, 0, &(struct snm){.id = SNM_XCA, .slc = 0, .fsn = 0});
	rig_inject(r, 1, 0, &(struct snm){.id = SNM_ECA, .slc = 0});
	rig_inject(r, 1, 0, &(struct snm){.id = SNM_CBA, .slc = 0, .cbc = 9});
	assert_int_equal(r->wires[0][0].link->state, LINK_ACTIVE);
	assert_int_equal(r->n_log, 0);
	rig_free(r);
}

static void a_declaration_is_always_acknowledged(void **state)
{
	struct rig *r = two(1);

	(void)state;
	rig_inject(r, 1, 0, &(struct snm){.id = SNM_CBD, .slc = 0, .cbc = 77});
	assert_int_equal(rig_sent(r, SNM_CBA), 1);
	rig_free(r);
}

static void a_short_outage_moves_nothing(void **state)
{
	struct rig *r = two(2);
	struct l2 *w = r->wires[0];

	(void)state;
	mtp3_link_block(w[0].link, true);
	rig_traffic(r, 0, 1, 32);
	rig_pass(r, 500);
	mtp3_link_block(w[0].link, false);
	mtp3_link_remote_outage(w[1].link, false);
	w[0].stall = w[1].stall = false;
	rig_pass(r, 500);
	rig_assert_all(r, 1, 32);
	assert_int_equal(w[0].flushes, 0);
	assert_int_equal(w[0].link->transitions, 3);
	rig_free(r);
}

static void a_long_outage_diverts_and_flushes(void **state)
{
	struct rig *r = two(2);
	struct l2 *w = r->wires[0];

	(void)state;
	mtp3_link_block(w[1].link, true);
	assert_true(w[0].link->remote_outage);
	rig_traffic(r, 0, 1, 32);
	rig_pass(r, mtp3_timer_ms(r->nodes[0].net, MTP3_T1) + 100);
	rig_assert_all(r, 1, 32);
	assert_int_equal(rig_share(r, 0, 1, &w[0]), 0);
	assert_int_equal(w[0].link->state, LINK_ACTIVE);
	mtp3_link_block(w[1].link, false);
	rig_pass(r, 2000);
	assert_int_equal(w[0].flushes, 1);
	assert_int_equal(w[1].flushes, 1);
	assert_int_equal(rig_share(r, 0, 1, &w[0]), 8);
	rig_traffic(r, 0, 1, 32);
	rig_pass(r, 100);
	rig_assert_all(r, 1, 64);
	rig_free(r);
}

/* The link is available again before level 2 has given back what was not sent. */
static void an_outage_that_ends_in_the_retrieval_is_over(void **state)
{
	struct rig *r = two(2);
	struct l2 *w = r->wires[0];

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		w[0].slow_retrieval = true;
		mtp3_link_block(w[1].link, true);
		rig_traffic(r, 0, 1, 32);
		rig_pass(r, 900); /* T1 */
		assert_int_equal(w[0].link->co, CO_RETRIEVING);
		mtp3_link_block(w[1].link, false);
		rig_pump(r);
		w[0].slow_retrieval = false;
		rig_pass(r, 3000);
		assert_int_equal(w[0].link->co, CO_IDLE);
		assert_int_equal(rig_share(r, 0, 1, &w[0]), 8);
		rig_assert_all(r, 1, 32 * (i + 1)); /* also the next time */
	}
	rig_free(r);
}

static void an_outage_that_becomes_a_failure_changes_over(void **state)
{
	struct rig *r = two(2);
	struct l2 *w = r->wires[0];

	(void)state;
	w[0].hold = true;
	rig_traffic(r, 0, 1, 16);
	mtp3_link_block(w[1].link, true);
	rig_traffic(r, 0, 1, 16);
	rig_pass(r, 200);
	rig_break(w);
	rig_pass(r, 200);
	rig_assert_all(r, 1, 32);
	assert_true(rig_sent(r, SNM_XCO) >= 1);
	rig_free(r);
}

/* The whole linkset goes; its traffic goes round by a third node, and the order is sent that way. */
static struct rig *triangle(void)
{
	struct rig *r = rig_new(3);

	rig_link(r, 0, 1);
	rig_link(r, 0, 2);
	rig_link(r, 2, 1);
	rig_route(r, 0, 1, (const int[]){1, 2, -1});
	rig_route(r, 1, 0, (const int[]){0, 2, -1});
	rig_route(r, 0, 2, (const int[]){2, 1, -1});
	rig_route(r, 1, 2, (const int[]){2, 0, -1});
	rig_route(r, 2, 0, (const int[]){0, 1, -1});
	rig_route(r, 2, 1, (const int[]){1, 0, -1});
	rig_up(r);
	rig_pass(r, 2000); /* T3, and what is told then */
	rig_forget_sent(r);
	return r;
}

static void the_last_link_changes_over_to_another_linkset(void **state)
{
	struct rig *r = triangle();
	struct l2 *w = r->wires[0];

	(void)state;
	rig_traffic(r, 0, 1, 32);
	rig_pump(r);
	w[0].hold = true;
	rig_traffic(r, 0, 1, 32);
	rig_break(w);
	rig_traffic(r, 0, 1, 32);
	rig_pass(r, 100);
	assert_true(rig_sent(r, SNM_XCO) >= 1);
	assert_true(rig_sent(r, SNM_XCA) >= 1);
	assert_int_equal(r->nodes[0].ls[1]->state, MTP3_LS_DOWN);
	rig_assert_all(r, 1, 96);
	rig_free(r);
}

/* The order for one link is on its way on another one that fails, too: it is retrieved like any message. */
static void an_order_is_retrieved_like_any_message(void **state)
{
	struct rig *r = two(3);

	(void)state;
	for (unsigned i = 0; i < 2; i++)
		r->wires[i][0].hold = r->wires[i][1].hold = true;
	r->wires[2][0].hold = r->wires[2][1].hold = true;
	rig_traffic(r, 0, 1, 48);
	rig_break(r->wires[0]);
	rig_pump(r); /* XCO waits on the second */
	rig_break(r->wires[1]);
	r->wires[2][0].hold = r->wires[2][1].hold = false;
	rig_pass(r, 500);
	assert_int_equal(r->wires[0][0].link->co, CO_DONE);
	rig_assert_all(r, 1, 48);
	rig_free(r);
}

static void an_answer_that_takes_longer_than_t1_is_waited_for(void **state)
{
	struct rig *r = triangle();
	struct l2 *w = r->wires[0];

	(void)state;
	w[0].hold = true;
	rig_traffic(r, 0, 1, 32);
	r->wires[2][0].hold = r->wires[2][1].hold = true; /* 2 - 1: orders do not get through yet */
	rig_break(w);
	rig_traffic(r, 0, 1, 32);
	rig_pass(r, 1200); /* more than T1, less than T2 */
	assert_int_equal(r->nodes[0].ls[1]->state, MTP3_LS_PENDING);
	r->wires[2][0].hold = r->wires[2][1].hold = false;
	rig_pass(r, 2000);
	assert_int_equal(r->nodes[0].ls[1]->state, MTP3_LS_DOWN);
	assert_int_equal(r->nodes[0].ls[1]->adj, ADJ_DOWN);
	rig_assert_all(r, 1, 64);
	rig_free(r);
}

static void the_linkset_that_comes_back_is_taken_by_time(void **state)
{
	struct rig *r = triangle();
	struct l2 *w = r->wires[0];

	(void)state;
	rig_break(w);
	rig_pass(r, 3000);
	rig_repair(w);
	for (unsigned i = 0; i < 100; i++) {
		r->wires[2][0].hold = i % 5 < 2;
		rig_traffic(r, 0, 1, 16);
		rig_pass(r, 50);
	}
	r->wires[2][0].hold = false;
	rig_pass(r, 1000);
	assert_int_equal(r->nodes[0].ls[1]->state, MTP3_LS_UP);
	assert_int_equal(r->nodes[0].dests[1].current, 0);
	assert_true(r->nodes[0].dests[1].holds >= 1);
	rig_assert_all(r, 1, 1600);
	rig_free(r);
}

static void a_way_that_opens_in_time_saves_the_traffic(void **state)
{
	struct rig *r = two(2);
	struct l2 *w = r->wires[0];

	(void)state;
	mtp3_link_block(r->wires[1][0].link, true);
	rig_pass(r, 2000);
	w[0].hold = true;
	rig_traffic(r, 0, 1, 32);
	rig_break(w);
	rig_pump(r);
	assert_int_equal(w[0].link->co, CO_TIMED);
	rig_pass(r, 300);
	mtp3_link_block(r->wires[1][0].link, false);
	mtp3_link_remote_outage(r->wires[1][1].link, false);
	rig_pass(r, 100);
	assert_int_equal(w[0].link->co, CO_DONE);
	rig_assert_all(r, 1, 32);
	rig_free(r);
}

static void isolated_traffic_is_discarded_after_t1(void **state)
{
	struct rig *r = two(1);

	(void)state;
	rig_break(r->wires[0]);
	rig_pump(r);
	assert_int_equal(r->nodes[0].ls[1]->state, MTP3_LS_PENDING);
	rig_traffic(r, 0, 1, 16);
	assert_int_equal(r->nodes[0].waiting.n, 16);
	rig_pass(r, 1000);
	assert_int_equal(r->nodes[0].ls[1]->state, MTP3_LS_DOWN);
	assert_int_equal(r->nodes[0].dropped, 16); /* s.5.3.3 i */
	rig_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RIG_TEST(what_was_not_received_is_sent_on_the_other_link),
		RIG_TEST(acknowledgements_that_were_lost_cause_no_repetition),
		RIG_TEST(a_link_that_comes_back_takes_its_share_in_order),
		RIG_TEST(changeback_is_declared_on_the_alternative_link),
		RIG_TEST(a_declaration_is_repeated_once_then_traffic_goes),
		RIG_TEST(changeback_by_time_needs_no_messages),
		RIG_TEST(the_second_link_fails_during_changeover),
		RIG_TEST(an_end_of_a_changeback_fails),
		RIG_TEST(emergency_changeover_retrieves_only_what_was_not_sent),
		RIG_TEST(an_order_takes_a_link_that_we_thought_good),
		RIG_TEST(an_unreasonable_number_retrieves_nothing),
		RIG_TEST(a_late_order_gets_an_emergency_acknowledgement),
		RIG_TEST(an_order_of_seven_bits_retrieves_nothing),
		RIG_TEST(an_order_that_comes_on_its_own_link_is_stale),
		RIG_TEST(an_order_that_is_over_is_not_sent_again),
		RIG_TEST(without_an_answer_t2_opens_the_other_link),
		RIG_TEST(an_acknowledgement_without_an_order_is_ignored),
		RIG_TEST(a_declaration_is_always_acknowledged),
		RIG_TEST(a_short_outage_moves_nothing),
		RIG_TEST(a_long_outage_diverts_and_flushes),
		RIG_TEST(an_outage_that_ends_in_the_retrieval_is_over),
		RIG_TEST(an_outage_that_becomes_a_failure_changes_over),
		RIG_TEST(the_last_link_changes_over_to_another_linkset),
		RIG_TEST(an_order_is_retrieved_like_any_message),
		RIG_TEST(an_answer_that_takes_longer_than_t1_is_waited_for),
		RIG_TEST(the_linkset_that_comes_back_is_taken_by_time),
		RIG_TEST(a_way_that_opens_in_time_saves_the_traffic),
		RIG_TEST(isolated_traffic_is_discarded_after_t1),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
