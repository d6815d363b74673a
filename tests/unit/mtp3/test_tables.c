/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Every cell of every machine: the next states against a second transcription of Q.704 and Q.707, the actions
 * by the rules that hold for them; and the timers' defaults within their ranges. */
#include "mtp3/adjacent.h"
#include "mtp3/changeback.h"
#include "mtp3/changeover.h"
#include "mtp3/congestion.h"
#include "mtp3/inhibit.h"
#include "mtp3/link.h"
#include "mtp3/reroute.h"
#include "mtp3/restart.h"
#include "mtp3/route_test.h"
#include "mtp3/slt.h"
#include "rig.h"

/* One line per event, one letter per state that it leads to, in the order of the states that it comes from.
 */
static void assert_next(const char *const *lines, const char *letters, unsigned events, unsigned states,
	unsigned (*next)(unsigned state, unsigned event))
{
	for (unsigned e = 0; e < events; e++) {
		assert_int_equal(strlen(lines[e]), states);
		for (unsigned s = 0; s < states; s++)
			if (next(s, e) != (unsigned)(strchr(letters, lines[e][s]) - letters))
				fail_msg("state %u, event %u: next is %u, not %c", s, e, next(s, e),
					lines[e][s]);
	}
}

#define MACHINE(name, table)                                                                                 \
	static unsigned name##_next(unsigned s, unsigned e)                                                  \
	{                                                                                                    \
		return (table)[s][e].next;                                                                   \
	}                                                                                                    \
	static unsigned name##_action(unsigned s, unsigned e)                                                \
	{                                                                                                    \
		return (table)[s][e].action;                                                                 \
	}

MACHINE(link, link_fsm)
MACHINE(slt, slt_fsm)
MACHINE(co, co_fsm)
MACHINE(cb, cb_fsm)
MACHINE(inh, inh_fsm)
MACHINE(restart, restart_fsm)
MACHINE(adj, adj_fsm)
MACHINE(rt, rt_fsm)
MACHINE(cg, cg_fsm)
MACHINE(rr, rr_fsm)

/* (I)nactive a(L)igning (T)esting (A)ctive (W)aiting */
static const char *const link_lines[LE_EVENTS] = {
	[LE_ACTIVATE] = "LLTAW",
	[LE_DEACTIVATE] = "IIIII",
	[LE_IN_SERVICE] = "ITTAW",
	[LE_OUT] = "IWWWW",
	[LE_TEST_GOOD] = "ILAAW",
	[LE_TEST_BAD] = "ILWAW",
	[LE_RETRY] = "ILTAL",
	[LE_ORDERED] = "ILTWW",
};

static void every_cell_of_the_link(void **state)
{
	(void)state;
	assert_next(link_lines, "ILTAW", LE_EVENTS, LINK_STATES, link_next);
	for (unsigned s = 0; s < LINK_STATES; s++)
		for (unsigned e = 0; e < LE_EVENTS; e++) {
			unsigned to = link_next(s, e), a = link_action(s, e);

			/* level 2 is started on the way to aligning, and at no other time */
			assert_int_equal(a == LX_START, to == LINK_ALIGNING && s != LINK_ALIGNING);
			assert_int_equal(a == LX_TEST, to == LINK_TESTING && s != LINK_TESTING);
			assert_int_equal(a == LX_UP, to == LINK_ACTIVE && s != LINK_ACTIVE);
			/* what is given up fails when level 2 says so */
			assert_int_equal(a == LX_GIVE_UP, s == LINK_ACTIVE && e == LE_TEST_BAD);
			/* what was active fails or ends, with its traffic */
			assert_int_equal(a == LX_FAILED || a == LX_FAIL || a == LX_END,
				s == LINK_ACTIVE && to != LINK_ACTIVE);
			if (e == LE_OUT) /* level 2 need not be told what it said */
				assert_true(a != LX_STOP && a != LX_FAIL && a != LX_STOP_LATER);
		}
}

/* (I)dle (F)irst (S)econd (P)ause */
static const char *const slt_lines[SE_EVENTS] = {
	[SE_BEGIN] = "FFFF",
	[SE_GOOD] = "IPPP",
	[SE_WRONG] = "ISIP",
	[SE_T1] = "ISIP",
	[SE_T2] = "IFSF",
	[SE_END] = "IIII",
};

static void every_cell_of_the_link_test(void **state)
{
	(void)state;
	assert_next(slt_lines, "IFSP", SE_EVENTS, SLT_STATES, slt_next);
	for (unsigned s = 0; s < SLT_STATES; s++)
		for (unsigned e = 0; e < SE_EVENTS; e++) {
			unsigned to = slt_next(s, e), a = slt_action(s, e);

			assert_int_equal(a == SX_PASS, to == SLT_PAUSE && s != SLT_PAUSE);
			assert_int_equal(a == SX_FAIL, s == SLT_SECOND && to == SLT_IDLE && e != SE_END);
			assert_int_equal(a == SX_SEND,
				e == SE_BEGIN || ((to == SLT_FIRST || to == SLT_SECOND) && to != s));
		}
}

/* (I)dle (O)rdered (T)imed in(H)ibited (R)etrieving (D)one */
static const char *const co_lines[CE_EVENTS] = {
	[CE_FAILED] = "OOOORD",
	[CE_ISOLATED] = "TOTTRD",
	[CE_OUTAGE] = "TOTTRD",
	[CE_INHIBITED] = "HOTHRD",
	[CE_ORDER] = "RRRRRD",
	[CE_ORDER_EMERGENCY] = "RRRRRD",
	[CE_ACK] = "IRTHRD",
	[CE_ACK_EMERGENCY] = "IRTHRD",
	[CE_T1] = "IORDRD",
	[CE_T2] = "IRTHRD",
	[CE_RETRIEVED] = "IOTHDD",
	[CE_AVAILABLE] = "IIIIRI",
};

static bool retrieves(unsigned a)
{
	return a == CX_RETRIEVE || a == CX_RETRIEVE_UNSENT || a == CX_ACK_RETRIEVE ||
	       a == CX_ACK_RETRIEVE_UNSENT;
}

static void every_cell_of_changeover(void **state)
{
	(void)state;
	assert_next(co_lines, "IOTHRD", CE_EVENTS, CO_STATES, co_next);
	for (unsigned s = 0; s < CO_STATES; s++)
		for (unsigned e = 0; e < CE_EVENTS; e++) {
			unsigned to = co_next(s, e), a = co_action(s, e);

			assert_int_equal(retrieves(a), to == CO_RETRIEVING && s != CO_RETRIEVING);
			assert_int_equal(a == CX_COMPLETE, to == CO_DONE && s != CO_DONE);
			assert_int_equal(a == CX_RELEASE, to == CO_IDLE && s != CO_IDLE && s != CO_DONE);
			/* s.5.4.1: an order is always acknowledged */
			if (e == CE_ORDER || e == CE_ORDER_EMERGENCY)
				assert_true(a == CX_ACK_RETRIEVE || a == CX_ACK_RETRIEVE_UNSENT ||
					    a == CX_ACK || a == CX_ACK_EMERGENCY);
			/* only a number from the neighbour retrieves what was sent */
			if (a == CX_RETRIEVE || a == CX_ACK_RETRIEVE)
				assert_true(e == CE_ACK || e == CE_ORDER);
		}
}

/* (I)dle (F)irst (S)econd (T)imed */
static const char *const cb_lines[BE_EVENTS] = {
	[BE_DECLARE] = "FFST",
	[BE_WAIT] = "TFST",
	[BE_ACK] = "IIIT",
	[BE_T3] = "IFSI",
	[BE_T4] = "ISST",
	[BE_T5] = "IFIT",
};

static void every_cell_of_changeback(void **state)
{
	(void)state;
	assert_next(cb_lines, "IFST", BE_EVENTS, CB_STATES, cb_next);
	for (unsigned s = 0; s < CB_STATES; s++)
		for (unsigned e = 0; e < BE_EVENTS; e++) {
			unsigned to = cb_next(s, e), a = cb_action(s, e);

			assert_int_equal(a == BX_MOVE || a == BX_MOVE_ALERT, s != CB_IDLE && to == CB_IDLE);
			assert_int_equal(a == BX_MOVE_ALERT, s == CB_SECOND && e == BE_T5);
		}
}

/* (_)idle (I)nhibiting (J)again (U)ninhibiting (V)again (F)orcing (G)again */
static const char *const inh_lines[IE_EVENTS] = {
	[IE_INHIBIT] = "IIJUVFG",
	[IE_UNINHIBIT] = "UIJUVUU",
	[IE_FORCE] = "FIJUVFG",
	[IE_LIA] = "___UVFG",
	[IE_LID] = "___UVFG",
	[IE_LUA] = "_IJ__FG",
	[IE_LUN] = "_IJUV__",
	[IE_TIMER] = "_J_V_G_",
};

static void every_cell_of_inhibition(void **state)
{
	(void)state;
	assert_next(inh_lines, "_IJUVFG", IE_EVENTS, INH_STATES, inh_next);
	for (unsigned s = 0; s < INH_STATES; s++)
		for (unsigned e = 0; e < IE_EVENTS; e++) {
			unsigned to = inh_next(s, e), a = inh_action(s, e);

			assert_int_equal(a == IX_GIVE_UP, e == IE_TIMER && s != INH_IDLE && to == INH_IDLE);
			if (to == s || to == INH_IDLE)
				assert_true(a != IX_LIN && a != IX_LUN && a != IX_LFU);
			else
				assert_true(a == IX_LIN || a == IX_LUN || a == IX_LFU);
		}
}

/* (I)solated phase(1) phase(2) (D)one */
static const char *const restart_lines[RE_EVENTS] = {
	[RE_FIRST_LINK] = "112D",
	[RE_ENOUGH] = "I22D",
	[RE_T18] = "I22D",
	[RE_SENT] = "I1DD",
	[RE_T20] = "IDDD",
	[RE_ISOLATED] = "IIII",
};

static void every_cell_of_the_restart(void **state)
{
	(void)state;
	assert_next(restart_lines, "I12D", RE_EVENTS, RESTART_STATES, restart_next);
	for (unsigned s = 0; s < RESTART_STATES; s++)
		for (unsigned e = 0; e < RE_EVENTS; e++) {
			unsigned to = restart_next(s, e), a = restart_action(s, e);
			static const unsigned entering[RESTART_STATES] = {
				RX_ABORT, RX_BEGIN, RX_BROADCAST, RX_FINISH};

			assert_int_equal(a, to == s ? RX_NONE : entering[to]);
		}
}

/* (D)own (B)egun (H)eard (T)old (U)p */
static const char *const adj_lines[AE_EVENTS] = {
	[AE_LINK] = "BBHTU",
	[AE_SHORT] = "UBHTU",
	[AE_AVAILABLE] = "DTUTU",
	[AE_TRA] = "DHHUU",
	[AE_TRW] = "DBBTU",
	[AE_OWN_DONE] = "DUUUU",
	[AE_T21] = "DUUUU",
	[AE_DOWN] = "DDDDD",
};

static void every_cell_of_the_neighbour(void **state)
{
	(void)state;
	assert_next(adj_lines, "DBHTU", AE_EVENTS, ADJ_STATES, adj_next);
	for (unsigned s = 0; s < ADJ_STATES; s++)
		for (unsigned e = 0; e < AE_EVENTS; e++) {
			unsigned to = adj_next(s, e), a = adj_action(s, e);

			assert_int_equal(a == AX_END, s != ADJ_DOWN && to == ADJ_DOWN);
			assert_int_equal(a == AX_UP || a == AX_TELL_UP, s != ADJ_UP && to == ADJ_UP);
			assert_int_equal(a == AX_ANSWER, s == ADJ_UP && e == AE_TRA);
			assert_int_equal(a == AX_CATCH_UP, s == ADJ_UP && e == AE_AVAILABLE);
		}
}

/* (A)llowed (R)estricted (P)rohibited */
static const char *const rt_lines[TE_EVENTS] = {
	[TE_TFP] = "PPP",
	[TE_TFR] = "RRR",
	[TE_TFA] = "AAA",
	[TE_T10] = "ARP",
	[TE_GONE] = "AAA",
};

static void every_cell_of_the_route(void **state)
{
	(void)state;
	assert_next(rt_lines, "ARP", TE_EVENTS, MTP3_STATUSES, rt_next);
	for (unsigned s = 0; s < MTP3_STATUSES; s++)
		for (unsigned e = 0; e < TE_EVENTS; e++) {
			unsigned to = rt_next(s, e), a = rt_action(s, e);

			assert_int_equal(a == TX_CHANGE, to != s && to != MTP3_ALLOWED);
			assert_int_equal(a == TX_ALLOW || a == TX_STOP, to != s && to == MTP3_ALLOWED);
			assert_int_equal(a == TX_TEST, e == TE_T10 && s != MTP3_ALLOWED);
		}
}

/* (N)one (W)aiting (T)esting */
static const char *const cg_lines[GE_EVENTS] = {
	[GE_HIGHER] = "WWW",
	[GE_SAME] = "NWW",
	[GE_T15] = "NTT",
	[GE_T16] = "NWT",
	[GE_T16_LAST] = "NWN",
	[GE_LOST] = "NNN",
};

static void every_cell_of_congestion(void **state)
{
	(void)state;
	assert_next(cg_lines, "NWT", GE_EVENTS, CG_STATES, cg_next);
	for (unsigned s = 0; s < CG_STATES; s++)
		for (unsigned e = 0; e < GE_EVENTS; e++) {
			unsigned to = cg_next(s, e), a = cg_action(s, e);

			assert_int_equal(a == GX_CLEAR, s != CG_NONE && to == CG_NONE);
			assert_int_equal(a == GX_TEST, s == CG_WAITING && to == CG_TESTING);
			assert_int_equal(a == GX_SET, e == GE_HIGHER || (e == GE_SAME && s == CG_TESTING));
		}
}

static const char *const rr_lines[RRE_EVENTS] = {
	[RRE_FORCED] = "WWW",
	[RRE_CONTROLLED] = "HHW",
	[RRE_TIMED] = "HHW",
	[RRE_EXPIRED] = "IWI",
	[RRE_CLEAR] = "IHI",
};

static void every_cell_of_rerouting(void **state)
{
	(void)state;
	assert_next(rr_lines, "IHW", RRE_EVENTS, RR_STATES, rr_next);
	for (unsigned s = 0; s < RR_STATES; s++)
		for (unsigned e = 0; e < RRE_EVENTS; e++) {
			unsigned to = rr_next(s, e), a = rr_action(s, e);

			assert_int_equal(a == RRX_SWITCH, s != RR_IDLE && to == RR_IDLE);
			assert_int_equal(
				a == RRX_HOLD_T3 || a == RRX_HOLD_T6, to == RR_HELD && e != RRE_CLEAR);
			assert_int_equal(a == RRX_HOLD_T2, s != RR_WAITING && to == RR_WAITING);
		}
}

static void every_default_is_within_its_range(void **state)
{
	(void)state;
	for (unsigned t = 0; t < MTP3_TIMERS; t++) {
		const struct mtp3_timer_rule *r = &mtp3_timer_rules[t];

		assert_in_range(mtp3_timer_default(t, PC_ITU), r->least_ms, r->most_ms);
		assert_in_range(mtp3_timer_default(t, PC_ANSI), r->least_ms, r->most_ms);
		assert_non_null(r->name);
		assert_non_null(r->text);
	}
	assert_int_equal(mtp3_timer_default(MTP3_T21, PC_ITU), 64000);
	assert_int_equal(mtp3_timer_default(MTP3_T21, PC_ANSI), 32000);
}

static void every_state_has_a_name(void **state)
{
	(void)state;
	assert_string_equal(mtp3_link_state_name(LINK_WAITING), "waiting");
	assert_string_equal(mtp3_link_state_name(LINK_STATES), "?");
	assert_string_equal(mtp3_ls_state_name(MTP3_LS_UP), "up");
	assert_string_equal(mtp3_status_name(MTP3_PROHIBITED), "prohibited");
	assert_string_equal(mtp3_restart_name(RESTART_DONE), "done");
	assert_string_equal(mtp3_adj_name(ADJ_UP), "up");
	assert_string_equal(mtp3_changeover_name(CO_DONE), "done");
	assert_string_equal(mtp3_inhibit_name(INH_FORCING_AGAIN), "forcing-again");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RIG_TEST(every_cell_of_the_link),
		RIG_TEST(every_cell_of_the_link_test),
		RIG_TEST(every_cell_of_changeover),
		RIG_TEST(every_cell_of_changeback),
		RIG_TEST(every_cell_of_inhibition),
		RIG_TEST(every_cell_of_the_restart),
		RIG_TEST(every_cell_of_the_neighbour),
		RIG_TEST(every_cell_of_the_route),
		RIG_TEST(every_cell_of_congestion),
		RIG_TEST(every_cell_of_rerouting),
		RIG_TEST(every_default_is_within_its_range),
		RIG_TEST(every_state_has_a_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
