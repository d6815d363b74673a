/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Every cell of the ASP's machine, against a second transcription of RFC 4666 Figure 3 and s.4.3.4. */
#include "m3ua/asp_fsm.h"
#include "rig.h"

#define D ASP_DOWN
#define I ASP_INACTIVE
#define A ASP_ACTIVE

static const struct {
	enum asp_event event;
	uint8_t from_down, from_inactive, from_active; /* next states */
	uint8_t answer[ASP_STATES];
} figure_3[] = {
	{ASPE_UP, I, I, I, {ASPA_ACK, ASPA_ACK, ASPA_ACK_ERR}},
	{ASPE_DOWN, D, D, D, {ASPA_ACK, ASPA_ACK, ASPA_ACK}},
	{ASPE_ACTIVE, D, A, A, {ASPA_ERR, ASPA_ACK, ASPA_ACK}},
	{ASPE_INACTIVE, D, I, I, {ASPA_ERR, ASPA_ACK, ASPA_ACK}},
	{ASPE_OVERRIDDEN, D, I, I, {ASPA_NONE, ASPA_NONE, ASPA_NONE}},
	{ASPE_LOST, D, D, D, {ASPA_NONE, ASPA_NONE, ASPA_NONE}},
	{ASPE_RESTARTED, D, D, D, {ASPA_NONE, ASPA_NONE, ASPA_NONE}},
	{ASPE_BLOCKED, D, I, I, {ASPA_NONE, ASPA_NONE, ASPA_NONE}},
};

static void every_cell_is_as_the_figure_says(void **state)
{
	(void)state;
	assert_int_equal(sizeof(figure_3) / sizeof(figure_3[0]), ASPE_EVENTS);
	for (unsigned i = 0; i < ASPE_EVENTS; i++) {
		enum asp_event e = figure_3[i].event;

		assert_int_equal(asp_fsm[D][e].next, figure_3[i].from_down);
		assert_int_equal(asp_fsm[I][e].next, figure_3[i].from_inactive);
		assert_int_equal(asp_fsm[A][e].next, figure_3[i].from_active);
		for (unsigned s = 0; s < ASP_STATES; s++)
			assert_int_equal(asp_fsm[s][e].answer, figure_3[i].answer[s]);
	}
}

/* Drives a real member into STATE. */
static struct as_asp *member_in(struct rig *r, enum asp_state s)
{
	struct as_asp *m;

	if (s == D)
		rig_connect(r, "hlr-1");
	else if (s == I)
		rig_up(r, "hlr-1");
	else
		rig_active(r, "hlr-1");
	m = llist_first_entry(&sg_asp_by_name(r->sg, "hlr-1")->ass, struct as_asp, in_asp);
	assert_int_equal(m->state, s);
	return m;
}

static void every_cell_is_what_happens(void **state)
{
	(void)state;
	for (unsigned s = 0; s < ASP_STATES; s++)
		for (unsigned e = 0; e < ASPE_EVENTS; e++) {
			struct rig *r = rig_new();
			struct as_asp *m;
			uint64_t before;

			rig_start(r);
			m = member_in(r, (enum asp_state)s);
			before = m->asp->transitions;
			rig_pass_ms(r, 5);
			asp_transition(m, (enum asp_event)e, "a test");
			assert_int_equal(m->state, asp_fsm[s][e].next);
			assert_int_equal(m->asp->transitions - before, m->state != s);
			if (m->state != s) {
				assert_string_equal(m->reason, "a test");
				assert_int_equal(m->since_ms, 1000005);
			}
			sg_settle(r->sg);
			rig_free(r);
		}
}

static void names_are_for_operators(void **state)
{
	(void)state;
	assert_string_equal(asp_state_name(ASP_INACTIVE), "ASP-INACTIVE");
	assert_string_equal(asp_event_name(ASPE_LOST), "lost");
	for (unsigned e = 0; e < ASPE_EVENTS; e++)
		assert_string_not_equal(asp_event_name((enum asp_event)e), "?");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_cell_is_as_the_figure_says),
		cmocka_unit_test(every_cell_is_what_happens),
		cmocka_unit_test(names_are_for_operators),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
