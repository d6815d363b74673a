/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Links as level 3 sees them: alignment, outage, flow control. */
#include "rig.h"

#include <string.h>

#define assert_states(a, of_a, b, of_b)                                                                      \
	do {                                                                                                 \
		assert_int_equal(m2pa_link_state((a)->l), of_a);                                             \
		assert_int_equal(m2pa_link_state((b)->l), of_b);                                             \
	} while (0)

static void start_both(struct side *a, bool a_in_emergency, struct side *b, bool b_in_emergency)
{
	m2pa_link_start(a->l, a_in_emergency);
	m2pa_link_start(b->l, b_in_emergency);
}

/* ---- alignment (RFC 4165 s.4.1.3) ---- */

static struct rig *two_links(struct side **a, struct side **b)
{
	struct rig *r = rig_new();

	*a = rig_link(r, "a", false);
	*b = rig_link(r, "b", true);
	rig_join(*a, *b);
	rig_up(*a);
	rig_up(*b);
	rig_pass_ms(r, 0);
	return r;
}

static void both_ends_come_into_service_after_proving(void **state)
{
	struct side *a, *b;
	struct rig *r = two_links(&a, &b);

	(void)state;
	assert_said(a, "connect S:Out of Service +up");
	assert_said(b, "adopt S:Out of Service +up");
	m2pa_link_start(a->l, false);
	rig_pass_ms(r, 1000); /* B has not started: its end stays out of service */
	assert_int_equal(m2pa_link_state(a->l), M2PA_LINK_NOT_ALIGNED);
	m2pa_link_start(b->l, false);
	rig_pass_ms(r, 8000);
	assert_states(a, M2PA_LINK_PROVING, b, M2PA_LINK_PROVING);
	rig_pass_ms(r, 300);
	assert_states(a, M2PA_LINK_IN_SERVICE, b, M2PA_LINK_IN_SERVICE);
	assert_non_null(strstr(a->said, "+in"));
	/* proving goes on at its interval */
	assert_in_range(a->l->tx[M2PA_PROVING_NORMAL], 75, 90);
	assert_int_equal(rig_count(a, M2LC_IN_SERVICE), 1);
	rig_free(r);
}

static void an_emergency_at_one_end_shortens_proving_at_both(void **state)
{
	struct side *a, *b;
	struct rig *r = two_links(&a, &b);

	(void)state;
	start_both(a, true, b, false);
	rig_pass_ms(r, 600);
	assert_states(a, M2PA_LINK_IN_SERVICE, b, M2PA_LINK_IN_SERVICE);
	/* each says what it is itself (Q.703 s.7.2) */
	assert_true(a->l->rx[M2PA_PROVING_NORMAL] && !a->l->rx[M2PA_PROVING_EMERGENCY]);
	assert_true(b->l->rx[M2PA_PROVING_EMERGENCY] && !b->l->rx[M2PA_PROVING_NORMAL]);
	rig_free(r);
}

static void an_emergency_that_arises_while_proving_shortens_it(void **state)
{
	struct side *a, *b;
	struct rig *r = two_links(&a, &b);

	(void)state;
	start_both(a, false, b, false);
	rig_pass_ms(r, 2000);
	m2pa_link_emergency(b->l, true);
	rig_pass_ms(r, 600);
	assert_states(a, M2PA_LINK_IN_SERVICE, b, M2PA_LINK_IN_SERVICE);
	rig_free(r);
}

static void t2_ends_an_alignment_that_the_peer_does_not_join(void **state)
{
	struct rig *r = rig_new();
	struct side *a = rig_link(r, "a", false);

	(void)state;
	rig_up(a);
	m2pa_link_start(a->l, false);
	a->said[0] = '\0';
	rig_pass_ms(r, a->conf.t2_ms + 10);
	assert_said(a, "close S:Out of Service +out(T2 expired: no Alignment from the peer)");
	assert_int_equal(rig_count(a, M2LC_T2_EXPIRED), 1);
	assert_int_equal(rig_count(a, M2LC_NOT_POSSIBLE), 1);
	rig_free(r);
}

static void t3_ends_an_alignment_in_which_the_peer_does_not_prove(void **state)
{
	struct rig *r = rig_new();
	struct side *a = rig_link(r, "a", false);

	(void)state;
	rig_up(a);
	m2pa_link_start(a->l, false);
	rig_status(a, M2PA_ALIGNMENT, false);
	a->said[0] = '\0';
	rig_pass_ms(r, a->conf.t3_ms + 10);
	assert_said(a, "close S:Out of Service +out(T3 expired: no Proving from the peer)");
	rig_free(r);
}

static void t1_ends_the_wait_for_a_peer_that_is_never_ready(void **state)
{
	struct rig *r = rig_new();
	struct side *a = rig_link(r, "a", false);

	(void)state;
	rig_up(a);
	m2pa_link_start(a->l, true);
	rig_status(a, M2PA_PROVING_NORMAL, false);
	rig_status(a, M2PA_PROVING_NORMAL, false);
	rig_pass_ms(r, 510);
	assert_int_equal(m2pa_link_state(a->l), M2PA_LINK_ALIGNED_READY);
	a->said[0] = '\0';
	rig_pass_ms(r, 2100); /* Ready is sent again */
	assert_said(a, "S:Ready S:Ready");
	rig_pass_ms(r, a->conf.t1_ms);
	assert_int_equal(m2pa_link_state(a->l), M2PA_LINK_OUT_OF_SERVICE);
	assert_int_equal(rig_count(a, M2LC_T1_EXPIRED), 1);
	rig_free(r);
}

static void a_peer_that_has_proved_first_need_not_repeat_itself(void **state)
{
	static const struct {
		enum m2pa_state early;
		enum m2pa_link_state then;
	} rows[] = {
		{M2PA_READY, M2PA_LINK_IN_SERVICE},
		{M2PA_PROCESSOR_OUTAGE, M2PA_LINK_REMOTE_OUTAGE},
	};

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct rig *r = rig_new();
		struct side *a = rig_link(r, "a", false);

		rig_up(a);
		m2pa_link_start(a->l, true);
		rig_status(a, M2PA_PROVING_NORMAL, false);
		rig_status(a, M2PA_PROVING_NORMAL, false);
		rig_status(a, rows[i].early, false);
		assert_int_equal(m2pa_link_state(a->l), M2PA_LINK_PROVING);
		rig_pass_ms(r, 510);
		assert_int_equal(m2pa_link_state(a->l), rows[i].then);
		rig_free(r);
	}
}

static void user_data_that_overtakes_ready_brings_into_service(void **state)
{
	struct rig *r = rig_new();
	struct side *a = rig_link(r, "a", false);

	(void)state;
	rig_up(a);
	m2pa_link_start(a->l, true);
	rig_status(a, M2PA_PROVING_NORMAL, false);
	rig_status(a, M2PA_PROVING_NORMAL, false);
	rig_pass_ms(r, 510);
	rig_event(a, &(struct plane_event){.kind = PE_M2PA_DATA});
	assert_int_equal(m2pa_link_state(a->l), M2PA_LINK_IN_SERVICE);
	/* what it has overtaken is no failure */
	rig_status(a, M2PA_PROVING_NORMAL, false);
	rig_status(a, M2PA_READY, false);
	assert_int_equal(m2pa_link_state(a->l), M2PA_LINK_IN_SERVICE);
	rig_status(a, M2PA_PROVING_NORMAL, false);
	assert_int_equal(m2pa_link_state(a->l), M2PA_LINK_OUT_OF_SERVICE);
	rig_free(r);
}

static void a_failed_link_aligns_again(void **state)
{
	struct side *a, *b;
	struct rig *r = two_links(&a, &b);

	(void)state;
	a->starts = b->starts = true;
	start_both(a, true, b, true);
	rig_pass_ms(r, 1000);
	rig_event(a, &(struct plane_event){.kind = PE_M2PA_FAULT, .value = M2PA_F_T7});
	assert_non_null(strstr(a->said, "+out(T7)"));
	rig_pass_ms(r, 10000);
	assert_states(a, M2PA_LINK_IN_SERVICE, b, M2PA_LINK_IN_SERVICE);
	assert_int_equal(rig_count(a, M2LC_T7_EXPIRED), 1);
	assert_int_equal(rig_count(b, M2LC_FAILURES), 1);
	rig_free(r);
}

static void another_version_is_answered_out_of_service(void **state)
{
	struct rig *r = rig_new();
	struct side *a = rig_link(r, "a", false);

	(void)state;
	rig_up(a);
	a->said[0] = '\0';
	rig_event(a, &(struct plane_event){.kind = PE_M2PA_FAULT, .value = M2PA_F_OTHER_VERSION});
	assert_said(a, "S:Out of Service");
	m2pa_link_start(a->l, false);
	rig_event(a, &(struct plane_event){.kind = PE_M2PA_FAULT, .value = M2PA_F_OTHER_VERSION});
	assert_int_equal(m2pa_link_state(a->l), M2PA_LINK_OUT_OF_SERVICE);
	rig_free(r);
}

/* ---- processor outage (s.4.1.4) ---- */

static void outage_and_recovery_as_in_figure_15(void **state)
{
	struct side *a, *b;
	struct rig *r = two_links(&a, &b);

	(void)state;
	start_both(a, true, b, true);
	rig_pass_ms(r, 1000);
	a->said[0] = b->said[0] = '\0';
	m2pa_link_processor_outage(a->l, true, false);
	rig_pass_ms(r, 5);
	assert_said(a, "outage");
	assert_said(b, "go +remote:1");
	b->flush = true;
	m2pa_link_processor_outage(a->l, false, true);
	assert_int_equal(m2pa_link_state(a->l), M2PA_LINK_RECOVERING);
	rig_pass_ms(r, 5);
	assert_said(a, "recover:1 +recovered");
	assert_said(b, "go answer:1 +remote:0");
	assert_states(a, M2PA_LINK_IN_SERVICE, b, M2PA_LINK_IN_SERVICE);
	rig_free(r);
}

static void outages_at_both_ends_end_one_after_the_other(void **state)
{
	struct side *a, *b;
	struct rig *r = two_links(&a, &b);

	(void)state;
	start_both(a, true, b, true);
	rig_pass_ms(r, 1000);
	m2pa_link_processor_outage(a->l, true, false);
	m2pa_link_processor_outage(b->l, true, false);
	rig_pass_ms(r, 5);
	assert_states(a, M2PA_LINK_BOTH_OUTAGES, b, M2PA_LINK_BOTH_OUTAGES);
	m2pa_link_processor_outage(a->l, false, false);
	rig_pass_ms(r, 5);
	assert_states(a, M2PA_LINK_REMOTE_OUTAGE, b, M2PA_LINK_LOCAL_OUTAGE);
	m2pa_link_processor_outage(b->l, false, false);
	rig_pass_ms(r, 5);
	assert_states(a, M2PA_LINK_IN_SERVICE, b, M2PA_LINK_IN_SERVICE);
	rig_free(r);
}

static void an_outage_during_alignment_is_told_in_the_place_of_ready(void **state)
{
	struct side *a, *b;
	struct rig *r = two_links(&a, &b);

	(void)state;
	start_both(a, true, b, true);
	m2pa_link_processor_outage(a->l, true, false);
	rig_pass_ms(r, 1000);
	assert_states(a, M2PA_LINK_LOCAL_OUTAGE, b, M2PA_LINK_REMOTE_OUTAGE);
	assert_null(strstr(b->said, "+in"));
	m2pa_link_processor_outage(a->l, false, false);
	rig_pass_ms(r, 5);
	assert_int_equal(m2pa_link_state(a->l), M2PA_LINK_IN_SERVICE);
	assert_non_null(strstr(b->said, "answer:0 +in +remote:0"));
	rig_free(r);
}

static void an_outage_ends_with_the_link(void **state)
{
	struct rig *r = rig_new();
	struct side *a = rig_link(r, "a", false);

	(void)state;
	rig_in_service(a);
	m2pa_link_processor_outage(a->l, true, false);
	m2pa_link_stop(a->l);
	a->said[0] = '\0';
	m2pa_link_processor_outage(a->l, false, false);
	m2pa_link_processor_outage(a->l, true, false);
	assert_said(a, "");
	rig_free(r);
}

/* ---- flow control (s.4.1.5) ---- */

static void t6_runs_from_the_first_busy_if_messages_are_outstanding(void **state)
{
	struct rig *r = rig_new();
	struct side *a = rig_link(r, "a", false);

	(void)state;
	rig_in_service(a);
	rig_status(a, M2PA_BUSY, false);
	rig_pass_ms(r, a->conf.t6_ms + 10);
	assert_int_equal(m2pa_link_state(a->l), M2PA_LINK_IN_SERVICE);
	rig_status(a, M2PA_BUSY_ENDED, false);
	rig_status(a, M2PA_BUSY, true);
	rig_pass_ms(r, a->conf.t6_ms - 500);
	rig_status(a, M2PA_BUSY, true); /* does not reset it */
	rig_pass_ms(r, 510);
	assert_said(a, "close S:Out of Service +out(T6 expired: the peer was busy for too long)");
	assert_int_equal(rig_count(a, M2LC_BUSY_RECEIVED), 2);
	rig_free(r);
}

static void busy_ended_stops_t6(void **state)
{
	struct rig *r = rig_new();
	struct side *a = rig_link(r, "a", false);

	(void)state;
	rig_in_service(a);
	rig_status(a, M2PA_BUSY, true);
	rig_pass_ms(r, 1000);
	rig_status(a, M2PA_BUSY_ENDED, true);
	rig_pass_ms(r, a->conf.t6_ms + 10);
	assert_int_equal(m2pa_link_state(a->l), M2PA_LINK_IN_SERVICE);
	rig_free(r);
}

static void we_are_busy_as_long_as_anything_makes_us_so(void **state)
{
	struct rig *r = rig_new();
	struct side *a = rig_link(r, "a", false);

	(void)state;
	rig_in_service(a);
	rig_event(a, &(struct plane_event){.kind = PE_M2PA_CONGESTION, .value = 1});
	m2pa_link_busy(a->l, true);
	rig_event(a, &(struct plane_event){.kind = PE_M2PA_CONGESTION, .value = 0});
	assert_said(a, "busy:1");
	rig_pass_ms(r, 1000); /* once: "SHOULD NOT be transmitted continuously" */
	assert_said(a, "");
	m2pa_link_busy(a->l, false);
	assert_said(a, "busy:0");
	/* unless T5 is set */
	a->conf.t5_ms = 100;
	m2pa_link_busy(a->l, true);
	rig_pass_ms(r, 210);
	assert_said(a, "busy:1 S:Busy S:Busy");
	m2pa_link_busy(a->l, false);
	rig_pass_ms(r, 210);
	assert_said(a, "busy:0");
	rig_free(r);
}

static void congestion_is_told_with_its_level(void **state)
{
	struct rig *r = rig_new();
	struct side *a = rig_link(r, "a", false);

	(void)state;
	rig_in_service(a);
	rig_event(a, &(struct plane_event){.kind = PE_CONGESTION, .value = 2});
	rig_event(a, &(struct plane_event){.kind = PE_CONGESTION, .value = 2});
	rig_event(a, &(struct plane_event){.kind = PE_CONGESTION, .value = 0});
	assert_said(a, "+congestion:2 +congestion:0");
	rig_free(r);
}

/* ---- management ---- */

static void timers_and_limits_change_in_place(void **state)
{
	struct rig *r = rig_new();
	struct side *a = rig_link(r, "a", false);
	struct m2pa_link_conf changed;
	struct m2pa_link_info info;

	(void)state;
	rig_up(a);
	changed = a->conf;
	changed.t2_ms = 100;
	m2pa_link_reconfigure(a->l, &changed);
	m2pa_link_start(a->l, true);
	m2pa_link_info(a->l, &info);
	assert_ptr_equal(info.conf, &changed);
	assert_true(info.emergency);
	assert_int_equal(info.state, M2PA_LINK_NOT_ALIGNED);
	assert_ptr_equal(info.assoc, m2pa_link_assoc(a->l));
	rig_pass_ms(r, 110);
	assert_int_equal(m2pa_link_state(a->l), M2PA_LINK_OUT_OF_SERVICE);
	for (unsigned c = 0; c < M2LC_COUNT; c++)
		assert_non_null(m2pa_link_counter_rows[c].name);
	rig_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_ends_come_into_service_after_proving),
		cmocka_unit_test(an_emergency_at_one_end_shortens_proving_at_both),
		cmocka_unit_test(an_emergency_that_arises_while_proving_shortens_it),
		cmocka_unit_test(t2_ends_an_alignment_that_the_peer_does_not_join),
		cmocka_unit_test(t3_ends_an_alignment_in_which_the_peer_does_not_prove),
		cmocka_unit_test(t1_ends_the_wait_for_a_peer_that_is_never_ready),
		cmocka_unit_test(a_peer_that_has_proved_first_need_not_repeat_itself),
		cmocka_unit_test(user_data_that_overtakes_ready_brings_into_service),
		cmocka_unit_test(a_failed_link_aligns_again),
		cmocka_unit_test(another_version_is_answered_out_of_service),
		cmocka_unit_test(outage_and_recovery_as_in_figure_15),
		cmocka_unit_test(outages_at_both_ends_end_one_after_the_other),
		cmocka_unit_test(an_outage_during_alignment_is_told_in_the_place_of_ready),
		cmocka_unit_test(an_outage_ends_with_the_link),
		cmocka_unit_test(t6_runs_from_the_first_busy_if_messages_are_outstanding),
		cmocka_unit_test(busy_ended_stops_t6),
		cmocka_unit_test(we_are_busy_as_long_as_anything_makes_us_so),
		cmocka_unit_test(congestion_is_told_with_its_level),
		cmocka_unit_test(timers_and_limits_change_in_place),
	};

	return cmocka_run_group_tests_name("m2pa/link", tests, NULL, NULL);
}
