/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Every cell of a link's machine, against a second transcription, by state instead of by event, of Q.703
 * Figures 8 to 10 and RFC 4165 s.4.1; and what every action does. */
#include "rig.h"

#include <string.h>

#define NA M2PA_LINK_NO_ASSOCIATION
#define OS M2PA_LINK_OUT_OF_SERVICE
#define NL M2PA_LINK_NOT_ALIGNED
#define AL M2PA_LINK_ALIGNED
#define PV M2PA_LINK_PROVING
#define AR M2PA_LINK_ALIGNED_READY
#define AN M2PA_LINK_ALIGNED_NOT_READY
#define IS M2PA_LINK_IN_SERVICE
#define LO M2PA_LINK_LOCAL_OUTAGE
#define RO M2PA_LINK_REMOTE_OUTAGE
#define BO M2PA_LINK_BOTH_OUTAGES
#define RE M2PA_LINK_RECOVERING

/* clang-format off */
static const uint8_t next[M2PA_LINK_STATES][M2PA_LINK_EVENTS] = {
	/*      the association, level 3, management      the peer's status                           timers, fault
	       UP  LOST STA STO EMG OUT END BSY IDL   ALI NOR EMG RDY OUT REC BSY BSE OOS DAT    T1  T2  T3  T4  T4O T6  FLT */
	[NA] = {OS, NA, NA, NA, NA, NA, NA, NA, NA,   NA, NA, NA, NA, NA, NA, NA, NA, NA, NA,    NA, NA, NA, NA, NA, NA, NA},
	[OS] = {OS, NA, NL, OS, OS, OS, OS, OS, OS,   OS, OS, OS, OS, OS, OS, OS, OS, OS, OS,    OS, OS, OS, OS, OS, OS, OS},
	[NL] = {NL, NA, NL, OS, NL, NL, NL, NL, NL,   AL, AL, AL, NL, NL, NL, NL, NL, NL, NL,    NL, OS, NL, NL, NL, NL, OS},
	[AL] = {AL, NA, AL, OS, AL, AL, AL, AL, AL,   AL, PV, PV, AL, AL, AL, AL, AL, OS, AL,    AL, AL, OS, AL, AL, AL, OS},
	[PV] = {PV, NA, PV, OS, PV, PV, PV, PV, PV,   AL, PV, PV, PV, PV, PV, PV, PV, OS, PV,    PV, PV, PV, AR, AN, PV, OS},
	[AR] = {AR, NA, AR, OS, AR, AN, AR, AR, AR,   OS, AR, AR, IS, RO, IS, AR, AR, OS, IS,    OS, AR, AR, AR, AR, OS, OS},
	[AN] = {AN, NA, AN, OS, AN, AN, AR, AN, AN,   OS, AN, AN, LO, BO, LO, AN, AN, OS, LO,    OS, AN, AN, AN, AN, OS, OS},
	[IS] = {IS, NA, IS, OS, IS, LO, IS, IS, IS,   OS, OS, OS, IS, RO, IS, IS, IS, OS, IS,    IS, IS, IS, IS, IS, OS, OS},
	[LO] = {LO, NA, LO, OS, LO, LO, RE, LO, LO,   OS, OS, OS, LO, BO, LO, LO, LO, OS, LO,    LO, LO, LO, LO, LO, OS, OS},
	[RO] = {RO, NA, RO, OS, RO, BO, RO, RO, RO,   OS, OS, OS, RO, RO, IS, RO, RO, OS, RO,    RO, RO, RO, RO, RO, OS, OS},
	[BO] = {BO, NA, BO, OS, BO, BO, RO, BO, BO,   OS, OS, OS, BO, BO, LO, BO, BO, OS, BO,    BO, BO, BO, BO, BO, OS, OS},
	[RE] = {RE, NA, RE, OS, RE, LO, RE, RE, RE,   OS, OS, OS, IS, RO, RE, RE, RE, OS, RE,    OS, RE, RE, RE, RE, OS, OS},
};
/* clang-format on */

static void every_cell_is_as_the_figures_say(void **state)
{
	(void)state;
	for (unsigned s = 0; s < M2PA_LINK_STATES; s++)
		for (unsigned e = 0; e < M2PA_LINK_EVENTS; e++) {
			const struct m2pa_link_cell *c = &m2pa_link_fsm[e][s];

			if (c->next != next[s][e])
				fail_msg("%s, event %u: %s, not %s", m2pa_link_state_name(s), e,
					m2pa_link_state_name(c->next), m2pa_link_state_name(next[s][e]));
			assert_in_range(c->action, 0, M2PA_LINK_ACTIONS - 1);
		}
}

/* A link in any state, as it would have come there. */
static struct side *in_state(struct rig *r, enum m2pa_link_state s)
{
	struct side *side = rig_link(r, "a", false);

	if (s == M2PA_LINK_NO_ASSOCIATION)
		return side;
	rig_up(side);
	if (s == M2PA_LINK_OUT_OF_SERVICE)
		return side;
	if (s == M2PA_LINK_ALIGNED_NOT_READY || s == M2PA_LINK_IN_SERVICE || s >= M2PA_LINK_LOCAL_OUTAGE)
		m2pa_link_start(side->l, true);
	else
		m2pa_link_start(side->l, false);
	if (s == M2PA_LINK_NOT_ALIGNED)
		return side;
	rig_status(side, M2PA_ALIGNMENT, false);
	if (s == M2PA_LINK_ALIGNED)
		return side;
	rig_status(side, M2PA_PROVING_NORMAL, false);
	if (s == M2PA_LINK_PROVING)
		return side;
	if (s == M2PA_LINK_ALIGNED_NOT_READY)
		m2pa_link_processor_outage(side->l, true, false);
	rig_pass_ms(r, s == M2PA_LINK_ALIGNED_READY ? 8300 : 600);
	if (s <= M2PA_LINK_ALIGNED_NOT_READY)
		return side;
	rig_status(side, M2PA_READY, false);
	if (s == M2PA_LINK_LOCAL_OUTAGE || s == M2PA_LINK_BOTH_OUTAGES || s == M2PA_LINK_RECOVERING)
		m2pa_link_processor_outage(side->l, true, false);
	if (s == M2PA_LINK_REMOTE_OUTAGE || s == M2PA_LINK_BOTH_OUTAGES)
		rig_status(side, M2PA_PROCESSOR_OUTAGE, false);
	if (s == M2PA_LINK_RECOVERING)
		m2pa_link_processor_outage(side->l, false, false);
	return side;
}

/* T1 to T4 run in the states that they limit, and nowhere else; nothing runs in a link that is out of
 * service. */
static void assert_timers_fit(const struct m2pa_link *l)
{
	static const bool phase[M2PA_LINK_STATES] = {
		[NL] = true, [AL] = true, [PV] = true, [AR] = true, [AN] = true, [RE] = true};
	bool repeat = osmo_timer_pending(&l->repeat);

	assert_int_equal(osmo_timer_pending(&l->phase), phase[l->state]);
	if (repeat)
		assert_true(l->state == PV || l->state == AR);
	if (l->state <= OS) {
		assert_false(osmo_timer_pending(&l->t5));
		assert_false(osmo_timer_pending(&l->t6));
		assert_false(
			l->told || l->aligning || l->outage || l->busy_by || l->peer_busy || l->peer_out);
	}
}

static void every_cell_is_what_happens(void **state)
{
	(void)state;
	for (unsigned s = 0; s < M2PA_LINK_STATES; s++)
		for (unsigned e = 0; e < M2PA_LINK_EVENTS; e++) {
			struct rig *r = rig_new();
			struct side *side = in_state(r, s);

			assert_int_equal(m2pa_link_state(side->l), s);
			assert_timers_fit(side->l);
			side->l->conf = &side->conf;
			side->conf.t5_ms = 100;
			if (e >= LE_T1 && e <= LE_T6)
				osmo_timer_del(e == LE_T6 ? &side->l->t6 : &side->l->phase);
			if (e == LE_T4_OUTAGE)
				side->l->outage = true;
			side->l->outstanding = true;
			m2pa_link_event(side->l, (enum m2pa_link_event)e, "a test");
			assert_int_equal(m2pa_link_state(side->l), next[s][e]);
			if (next[s][e] != s) {
				assert_timers_fit(side->l);
				assert_string_equal(side->l->reason, "a test");
			}
			rig_free(r);
		}
}

/* What is commanded and told, for every kind of cell. */
static void every_action_does_what_the_standard_says(void **state)
{
	static const struct {
		enum m2pa_link_state from;
		enum m2pa_link_event event;
		const char *said;
	} rows[] = {
		{NA, LE_UP, "S:Out of Service +up"},
		{NA, LE_START, "+out(no association)"},
		{OS, LE_START, "reset S:Alignment"},
		{OS, LE_LOST, "close +down"},
		{OS, LE_FAULT, "S:Out of Service"},
		{NL, LE_RX_ALIGNMENT, "S:Proving Normal"},
		{NL, LE_RX_EMERGENCY, "S:Proving Normal"},
		{NL, LE_T2, "close S:Out of Service +out(a test)"},
		{AL, LE_RX_NORMAL, "S:Proving Normal"},
		{AL, LE_RX_OOS, "close S:Out of Service +out(a test)"},
		{PV, LE_RX_ALIGNMENT, "S:Proving Normal"},
		{PV, LE_RX_READY, ""},
		{PV, LE_T4, "open S:Ready"},
		{PV, LE_T4_OUTAGE, "open outage"},
		{PV, LE_STOP, "close S:Out of Service +out(a test)"},
		{AR, LE_RX_READY, "go +in"},
		{AR, LE_RX_DATA, "go +in"},
		{AR, LE_RX_OUTAGE, "go +remote:1"},
		{AR, LE_OUTAGE, "outage"},
		{AR, LE_T1, "close S:Out of Service +out(a test)"},
		{AN, LE_OUTAGE_ENDS, "recover:0"},
		{AN, LE_RX_READY, "go +in"},
		{AN, LE_RX_OUTAGE, "go +remote:1"},
		{IS, LE_LOST, "close +out(a test) +down"},
		{IS, LE_FAULT, "close S:Out of Service +out(a test)"},
		{IS, LE_RX_ALIGNMENT, "close S:Out of Service +out(a test)"},
		{IS, LE_RX_OUTAGE, "go +remote:1"},
		{IS, LE_RX_RECOVERED, "answer:0"},
		{IS, LE_OUTAGE, "outage"},
		{IS, LE_BUSY, "busy:1"},
		{IS, LE_BUSY_ENDS, "busy:0"},
		{IS, LE_RX_BUSY, ""},
		{LO, LE_OUTAGE_ENDS, "recover:0"},
		{LO, LE_RX_RECOVERED, "answer:0"},
		{RO, LE_RX_RECOVERED, "go answer:0 +remote:0"},
		{RO, LE_OUTAGE, "outage"},
		{BO, LE_OUTAGE_ENDS, "recover:0"},
		{BO, LE_RX_RECOVERED, "go answer:0 +remote:0"},
		{RE, LE_RX_READY, "+recovered"},
		{RE, LE_OUTAGE, "outage"},
		{RE, LE_T1, "close S:Out of Service +out(a test)"},
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct rig *r = rig_new();
		struct side *side = in_state(r, rows[i].from);

		side->said[0] = '\0';
		m2pa_link_event(side->l, rows[i].event, "a test");
		assert_said(side, rows[i].said);
		rig_free(r);
	}
}

static void states_have_names(void **state)
{
	(void)state;
	for (unsigned s = 0; s < M2PA_LINK_STATES; s++)
		assert_string_not_equal(m2pa_link_state_name(s), "?");
	assert_string_equal(m2pa_link_state_name(M2PA_LINK_STATES), "?");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_cell_is_as_the_figures_say),
		cmocka_unit_test(every_cell_is_what_happens),
		cmocka_unit_test(every_action_does_what_the_standard_says),
		cmocka_unit_test(states_have_names),
	};

	return cmocka_run_group_tests_name("m2pa/link_fsm", tests, NULL, NULL);
}
