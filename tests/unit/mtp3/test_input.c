/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Messages for our own point code, and those that pass through; congestion; user parts that are not there. */
#include "mtp3/congestion.h"
#include "rig.h"

static struct rig *row(uint8_t congestion)
{
	struct rig *r = rig_new(3);

	for (unsigned i = 0; i < 3; i++)
		r->nodes[i].conf.congestion = congestion;
	rig_link(r, 0, 1);
	rig_link(r, 1, 2);
	rig_route(r, 0, 1, (const int[]){1, -1});
	rig_route(r, 0, 2, (const int[]){1, -1});
	rig_route(r, 1, 0, (const int[]){0, -1});
	rig_route(r, 1, 2, (const int[]){2, -1});
	rig_route(r, 2, 1, (const int[]){1, -1});
	rig_route(r, 2, 0, (const int[]){1, -1});
	rig_up(r);
	rig_pass(r, 3000);
	rig_forget_sent(r);
	return r;
}

static void a_missing_user_part_is_told(void **state)
{
	struct rig *r = row(MTP3_CONG_INTERNATIONAL);

	(void)state;
	r->nodes[2].user_cause = UPU_UNEQUIPPED;
	rig_traffic(r, 0, 2, 1);
	rig_pump(r); /* through node 1, there and back */
	assert_int_equal(r->nodes[0].upus, 1);
	assert_int_equal(r->nodes[0].last_pc, RIG_PC + 2);
	assert_int_equal(r->nodes[0].last_user, 5);
	assert_int_equal(r->nodes[0].last_cause, UPU_UNEQUIPPED);
	mtp3_user_missing(r->nodes[1].net, RIG_PC, RIG_PC + 2, MTP3_SI_SCCP, UPU_INACCESSIBLE);
	rig_pump(r);
	assert_int_equal(r->nodes[0].upus, 2);
	assert_int_equal(r->nodes[0].last_user, MTP3_SI_SCCP);
	rig_free(r);
}

static void tfc_goes_to_the_originating_point(void **state)
{
	struct rig *r = row(MTP3_CONG_INTERNATIONAL);

	(void)state;
	mtp3_dest_congested(r->nodes[1].net, RIG_PC, RIG_PC + 2, 3, 0);
	rig_pump(r);
	assert_int_equal(rig_sent(r, SNM_TFC), 1);
	assert_int_equal(r->nodes[0].congested, 1);
	assert_int_equal(r->nodes[0].last_pc, RIG_PC + 2);
	assert_int_equal(r->nodes[0].last_local, RIG_PC);
	assert_int_equal(r->nodes[0].level, 1); /* it carries none */
	mtp3_dest_congested(r->nodes[1].net, RIG_PC, RIG_PC + 2, 0, 0);
	assert_int_equal(rig_sent(r, SNM_TFC), 1);
	rig_free(r);
}

static void with_priorities_only_what_is_too_low_is_answered(void **state)
{
	struct rig *r = row(MTP3_CONG_PRIORITIES);

	(void)state;
	for (uint8_t mp = 0; mp < 4; mp++)
		mtp3_dest_congested(r->nodes[1].net, RIG_PC, RIG_PC + 2, 2, mp);
	rig_pump(r);
	assert_int_equal(rig_sent(r, SNM_TFC), 2);
	assert_int_equal(r->nodes[0].level, 2);
	rig_free(r);
}

static void a_level_goes_down_by_tests(void **state)
{
	struct rig *r = row(MTP3_CONG_PRIORITIES);
	struct node *n = &r->nodes[0];

	(void)state;
	rig_inject(r, 1, 0, &(struct snm){.id = SNM_TFC, .dest = RIG_PC + 2, .level = 2});
	assert_int_equal(n->level, 2);
	rig_inject(r, 1, 0, &(struct snm){.id = SNM_TFC, .dest = RIG_PC + 2, .level = 1});
	assert_int_equal(n->level, 2);             /* s.13.7.4: not lower */
	rig_pass(r, 2500);                         /* T15 */
	assert_int_equal(rig_sent(r, SNM_RCT), 2); /* by 0, and by 1 that passes it on */
	rig_pass(r, 1700);                         /* T16 */
	assert_int_equal(n->level, 1);
	rig_inject(r, 1, 0, &(struct snm){.id = SNM_TFC, .dest = RIG_PC + 2, .level = 3});
	assert_int_equal(n->level, 3);
	rig_pass(r, 2500 + 3 * 1700 + 200);
	assert_int_equal(n->level, 0);
	rig_forget_sent(r);
	rig_pass(r, 10000);
	assert_int_equal(rig_sent(r, SNM_RCT), 0);
	rig_free(r);
}

/* s.13.9: what the test meets on its way is told by the STP in between, until it meets nothing any more. */
static void a_test_that_meets_congestion_is_answered(void **state)
{
	struct rig *r = row(MTP3_CONG_PRIORITIES);

	(void)state;
	r->nodes[1].last_pc = RIG_PC + 2;
	r->nodes[1].meets = 2;
	rig_inject(r, 1, 0, &(struct snm){.id = SNM_TFC, .dest = RIG_PC + 2, .level = 2});
	rig_forget_sent(r);
	rig_pass(r, 10000);
	assert_true(rig_sent(r, SNM_TFC) >= 2);
	assert_int_equal(r->nodes[0].level, 2);
	r->nodes[1].meets = 0;
	rig_pass(r, 2500 + 2 * 1700 + 200);
	assert_int_equal(r->nodes[0].level, 0);
	rig_free(r);
}

/* s.13.9.3: "with the value carried in the transfer controlled message"; none is carried outside a test. */
static void a_test_that_meets_nothing_may_be_answered_so(void **state)
{
	const struct snm none = {.id = SNM_TFC, .dest = RIG_PC + 2};
	struct rig *r = row(MTP3_CONG_PRIORITIES);
	struct node *n = &r->nodes[0];

	(void)state;
	rig_inject(r, 1, 0, &none);
	assert_int_equal(n->congested, 0);
	rig_inject(r, 1, 0, &(struct snm){.id = SNM_TFC, .dest = RIG_PC + 2, .level = 2});
	rig_inject(r, 1, 0, &none);
	assert_int_equal(n->level, 2);
	rig_pass(r, 3000);
	rig_inject(r, 1, 0, &none);
	assert_int_equal(n->level, 0);
	assert_int_equal(n->net->memos.n, 0);
	rig_free(r);
}

/* An AS has no MTP: ours does its tests, in the name of its point code. */
static void congestion_told_to_an_as_is_tested_for_it(void **state)
{
	struct rig *r = row(MTP3_CONG_PRIORITIES);
	struct node *n = &r->nodes[0];

	(void)state;
	mtp3_controlled(n->net, 777, &(struct snm){.id = SNM_TFC, .dest = RIG_PC + 2, .level = 1});
	assert_int_equal(n->last_local, 777);
	assert_int_equal(n->level, 1);
	mtp3_controlled(n->net, 778, &(struct snm){.id = SNM_TFC, .dest = RIG_PC + 2, .level = 2});
	assert_int_equal(n->last_local, 778);
	rig_pass(r, 2500);
	assert_true(rig_sent(r, SNM_RCT) >= 2);
	rig_pass(r, 5000);
	assert_int_equal(n->level, 0);
	assert_int_equal(n->net->memos.n, 0);
	rig_free(r);
}

static void congestion_of_a_lost_destination_is_forgotten(void **state)
{
	struct rig *r = row(MTP3_CONG_LEVELS);
	struct node *n = &r->nodes[0];

	(void)state;
	rig_inject(r, 1, 0, &(struct snm){.id = SNM_TFC, .dest = RIG_PC + 2, .level = 2});
	rig_inject(r, 1, 0, &(struct snm){.id = SNM_TFP, .dest = RIG_PC + 2});
	rig_pass(r, 3000);
	assert_int_equal(n->level, 0);
	n->congested = 0;
	rig_inject(r, 1, 0, &(struct snm){.id = SNM_TFC, .dest = RIG_PC + 2, .level = 2});
	assert_int_equal(n->congested, 0); /* s.13.7.6 */
	rig_free(r);
}

static void what_is_nobodys_is_counted(void **state)
{
	struct rig *r = row(MTP3_CONG_INTERNATIONAL);
	struct mtp3_stats *s = &r->nodes[0].net->stats;
	struct mtp3_link *l = r->wires[0][0].link;
	const uint8_t garbage[] = {0x80, 0x64, 0x40, 0x19, 0x00, 0xff}, foreign[] = {0xc0, 0, 0, 0, 0, 0x17};

	(void)state;
	mtp3_link_receive(l, garbage, 3);
	assert_int_equal(s->faults[MTP3_SHORT], 1);
	mtp3_link_receive(l, garbage, sizeof(garbage));
	assert_int_equal(s->faults[MTP3_HEADING], 1);
	mtp3_link_receive(l, foreign, sizeof(foreign)); /* another network indicator */
	assert_int_equal(s->strays, 1);
	rig_inject(r, 1, 0, &(struct snm){.id = SNM_LIN, .slc = 9}); /* no such link */
	assert_int_equal(s->strays, 2);
	rig_inject(r, 2, 1, &(struct snm){.id = SNM_RCT});
	assert_int_equal(r->n_log, 0);
	rig_free(r);
}

static void management_from_afar_is_not_the_neighbours(void **state)
{
	struct rig *r = row(MTP3_CONG_INTERNATIONAL);
	struct mtp3_label label = {.opc = RIG_PC + 2, .dpc = RIG_PC, .ni = 2};
	struct snm m = {.id = SNM_TFP, .dest = RIG_PC + 1};
	uint8_t buf[SNM_MAX];
	uint32_t len;

	(void)state;
	assert_int_equal(snm_write(buf, sizeof(buf), PC_ITU, &label, &m, &len), MTP3_OK);
	mtp3_link_receive(r->wires[0][0].link, buf, len);
	assert_int_equal(r->nodes[0].net->stats.strays, 1);
	rig_free(r);
}

static void what_cannot_pass_through_is_answered_with_tfp(void **state)
{
	struct rig *r = row(MTP3_CONG_INTERNATIONAL);
	struct mtp3_label label = {.opc = RIG_PC, .dpc = 555, .ni = 2};
	struct snm m = {.id = SNM_TFC, .dest = RIG_PC + 1};
	uint8_t buf[SNM_MAX];
	uint32_t len;

	(void)state;
	assert_int_equal(snm_write(buf, sizeof(buf), PC_ITU, &label, &m, &len), MTP3_OK);
	mtp3_link_receive(r->wires[0][1].link, buf, len);
	assert_int_equal(rig_sent(r, SNM_TFP), 1);
	r->nodes[0].conf.transfer = false;
	label.opc = RIG_PC + 1;
	assert_int_equal(snm_write(buf, sizeof(buf), PC_ITU, &label, &m, &len), MTP3_OK);
	mtp3_link_receive(r->wires[0][0].link, buf, len);
	assert_int_equal(r->nodes[0].net->stats.strays, 1);
	rig_free(r);
}

/* Octets of every kind, from the neighbour: nothing is read behind the end, nothing breaks. */
static void any_octets_are_survived(void **state)
{
	struct rig *r = row(MTP3_CONG_PRIORITIES);
	uint32_t x = 7;

	(void)state;
	for (unsigned i = 0; i < 20000; i++) {
		struct mtp3_label label = {.opc = RIG_PC + 1, .dpc = RIG_PC, .ni = 2};
		uint8_t *p;
		uint32_t n;

		x = x * 1664525 + 1013904223;
		n = 6 + (x >> 20) % 8;
		p = malloc(n);
		assert_non_null(p);
		for (uint32_t k = 5; k < n; k++) {
			x = x * 1664525 + 1013904223;
			p[k] = (uint8_t)(x >> 24);
		}
		label.sls = (x >> 12) & 15;
		label.si = (x >> 16) & 1;
		assert_int_equal(mtp3_head_write(p, PC_ITU, &label), MTP3_OK);
		mtp3_link_receive(r->wires[0][0].link, p, n);
		free(p);
		r->n_log = 0;
		if (i % 64 == 0)
			rig_pass(r, 100);
	}
	rig_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RIG_TEST(a_missing_user_part_is_told),
		RIG_TEST(tfc_goes_to_the_originating_point),
		RIG_TEST(with_priorities_only_what_is_too_low_is_answered),
		RIG_TEST(a_level_goes_down_by_tests),
		RIG_TEST(a_test_that_meets_congestion_is_answered),
		RIG_TEST(a_test_that_meets_nothing_may_be_answered_so),
		RIG_TEST(congestion_told_to_an_as_is_tested_for_it),
		RIG_TEST(congestion_of_a_lost_destination_is_forgotten),
		RIG_TEST(what_is_nobodys_is_counted),
		RIG_TEST(management_from_afar_is_not_the_neighbours),
		RIG_TEST(what_cannot_pass_through_is_answered_with_tfp),
		RIG_TEST(any_octets_are_survived),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
