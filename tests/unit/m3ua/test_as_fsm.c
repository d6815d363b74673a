/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Every cell of the AS's machine, against a second transcription of RFC 4666 Figure 4, and the events that
 * member states amount to. */
#include "m3ua/as_fsm.h"
#include "rig.h"

#define DN AS_DOWN
#define IA AS_INACTIVE
#define AC AS_ACTIVE
#define PN AS_PENDING

static const uint8_t figure_4[ASE_EVENTS][AS_STATES] = {
	/* from          DN  IA  AC  PN */
	[ASE_NONE] = {DN, IA, AC, PN},
	[ASE_UP] = {IA, IA, AC, PN},
	[ASE_FEW] = {IA, IA, AC, AC},
	[ASE_ENOUGH] = {AC, AC, AC, AC},
	[ASE_LEFT] = {DN, IA, AC, PN},
	[ASE_LAST] = {IA, IA, PN, PN},
	[ASE_LAST_DOWN] = {DN, DN, PN, PN},
	[ASE_ALL_DOWN] = {DN, DN, PN, PN},
	[ASE_TR_UP] = {DN, IA, AC, IA},
	[ASE_TR_DOWN] = {DN, IA, AC, DN},
	[ASE_STOP] = {DN, IA, IA, IA},
};

static void every_cell_is_as_the_figure_says(void **state)
{
	(void)state;
	for (unsigned e = 0; e < ASE_EVENTS; e++)
		for (unsigned s = 0; s < AS_STATES; s++) {
			const struct as_cell *c = &as_fsm[s][e];

			assert_int_equal(c->next, figure_4[e][s]);
			/* T(r) runs in AS-PENDING, and nowhere else */
			if (s != PN && c->next == PN)
				assert_int_equal(c->action, ASX_START_TR);
			else if (s == PN && c->next != PN && e != ASE_TR_UP && e != ASE_TR_DOWN)
				assert_int_equal(c->action, ASX_STOP_TR);
			else
				assert_int_equal(c->action, ASX_NONE);
		}
}

static void every_cell_is_what_happens(void **state)
{
	(void)state;
	for (unsigned s = 0; s < AS_STATES; s++)
		for (unsigned e = 0; e < ASE_EVENTS; e++) {
			struct rig *r = rig_new();
			struct as *as;

			rig_start(r);
			as = sg_as_by_name(r->sg, "hlr");
			as->state = (enum as_state)s;
			rig_pass_ms(r, 5);
			as_transition(as, (enum as_event)e, NULL, "a test");
			assert_int_equal(as->state, figure_4[e][s]);
			assert_int_equal(as->transitions, as->state != s);
			if (as->state != s) {
				assert_string_equal(as->reason, "a test");
				assert_int_equal(as->since_ms, 1000005);
			}
			assert_int_equal(osmo_timer_pending(&as->t_r), s != PN && as->state == PN);
			rig_free(r);
		}
}

static void counts_amount_to_events(void **state)
{
	static const struct {
		unsigned was_up, was_active, up, active, n;
		enum as_event e;
	} rows[] = {
		{0, 0, 1, 0, 1, ASE_UP},
		{1, 0, 2, 0, 1, ASE_UP},
		{1, 0, 1, 1, 1, ASE_ENOUGH},
		{2, 0, 2, 1, 2, ASE_FEW},
		{2, 1, 2, 2, 2, ASE_ENOUGH},
		{3, 2, 3, 3, 2, ASE_ENOUGH},
		{2, 2, 2, 1, 2, ASE_LEFT},
		{2, 2, 1, 1, 2, ASE_LEFT},
		{2, 1, 2, 0, 1, ASE_LAST},
		{2, 1, 1, 0, 1, ASE_LAST},
		{1, 1, 0, 0, 1, ASE_LAST_DOWN},
		{1, 0, 0, 0, 1, ASE_ALL_DOWN},
		{2, 0, 1, 0, 1, ASE_NONE},
		{3, 1, 2, 1, 1, ASE_NONE},
		{2, 1, 2, 1, 1, ASE_NONE},
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct as_counts was = {rows[i].was_up, rows[i].was_active},
				 now = {rows[i].up, rows[i].active};

		assert_int_equal(as_event_of(&was, &now, rows[i].n), rows[i].e);
	}
}

static void t_r_is_what_was_configured(void **state)
{
	static const uint32_t values[] = {1, 250, 2000, 3600};

	(void)state;
	for (unsigned i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		struct rig *r = rig_new();
		struct assoc *a;

		rig_as_conf(r, "hlr")->t_r_ms = values[i];
		rig_start(r);
		a = rig_active(r, "hlr-1");
		rig_say(r, a, "ASPIA");
		rig_pass_ms(r, values[i] - 1);
		assert_int_equal(rig_as_state(r, "hlr"), AS_PENDING);
		assert_int_equal(rig_table_as(r, "hlr")->state, FWD_AS_PENDING);
		rig_pass_ms(r, 1);
		assert_int_equal(rig_as_state(r, "hlr"), AS_INACTIVE);
		assert_int_equal(rig_table_as(r, "hlr")->state, FWD_AS_UNSERVED);
		rig_expect_after_grace(r, a, "ASPIA_ACK rc=10\nNTFY st=1/4 rc=10\nNTFY st=1/2 rc=10");
		rig_free(r);
	}
}

static void recovery_in_time_stops_t_r(void **state)
{
	struct rig *r = rig_new();
	struct assoc *a;

	(void)state;
	rig_start(r);
	a = rig_active(r, "hlr-1");
	rig_say(r, a, "ASPIA");
	rig_pass_ms(r, 1999);
	rig_forget(r);
	rig_say(r, a, "ASPAC");
	rig_expect(a, "ASPAC_ACK rc=10\nNTFY st=1/3 rc=10");
	rig_pass_ms(r, 5000);
	rig_expect(a, "");
	assert_int_equal(rig_as_state(r, "hlr"), AS_ACTIVE);
	assert_int_equal(rig_table_as(r, "hlr")->state, FWD_AS_ACTIVE);
	rig_free(r);
}

static void all_down_while_pending_ends_down(void **state)
{
	struct rig *r = rig_new();
	struct assoc *a, *b;

	(void)state;
	rig_start(r);
	a = rig_active(r, "hlr-1");
	b = rig_up(r, "hlr-2");
	fake_down(r->plane, a, "path failure");
	rig_expect_after_grace(r, b, "NTFY st=2/3 rc=10\nNTFY st=1/4 rc=10");
	fake_down(r->plane, b, "path failure");
	assert_int_equal(rig_as_state(r, "hlr"), AS_PENDING);
	rig_pass_ms(r, 2000);
	assert_int_equal(rig_as_state(r, "hlr"), AS_DOWN);
	rig_free(r);
}

/* s.4.3.2: n are needed to begin with; to recover, one is enough (PN2AC). */
static void one_asp_recovers_a_pending_as_that_needs_two(void **state)
{
	struct rig *r = rig_new();
	struct assoc *a, *b;

	(void)state;
	rig_as_conf(r, "hlr")->min_asps = 2;
	rig_start(r);
	a = rig_active(r, "hlr-1");
	b = rig_active(r, "hlr-2");
	rig_say(r, a, "ASPIA");
	rig_say(r, b, "ASPIA");
	rig_forget(r);
	assert_int_equal(rig_as_state(r, "hlr"), AS_PENDING);
	rig_say(r, a, "ASPAC");
	assert_int_equal(rig_as_state(r, "hlr"), AS_ACTIVE);
	rig_expect(a, "ASPAC_ACK rc=10\nNTFY st=1/3 rc=10");
	rig_expect(b, "NTFY st=1/3 rc=10\nNTFY st=2/1 rc=10");
	rig_free(r);
}

static void names_are_the_standards(void **state)
{
	(void)state;
	assert_string_equal(as_state_name(AS_PENDING), "AS-PENDING");
	assert_string_equal(as_mode_name(FWD_BROADCAST), "broadcast");
	assert_string_equal(as_share_key_name(FWD_KEY_OPC_SLS), "opc-sls");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_cell_is_as_the_figure_says),
		cmocka_unit_test(every_cell_is_what_happens),
		cmocka_unit_test(counts_amount_to_events),
		cmocka_unit_test(t_r_is_what_was_configured),
		cmocka_unit_test(recovery_in_time_stops_t_r),
		cmocka_unit_test(all_down_while_pending_ends_down),
		cmocka_unit_test(one_asp_recovers_a_pending_as_that_needs_two),
		cmocka_unit_test(names_are_the_standards),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
