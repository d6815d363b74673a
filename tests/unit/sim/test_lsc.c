/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/lsc.h"

/* Every cell, written down a second time and the other way round than in the source: by event, one row a
 * state. "S" stays and does nothing. */
#define S(s)                                                                                                 \
	{                                                                                                    \
		LSC_##s, LSC_DO_NOTHING                                                                      \
	}
#define T(s, a)                                                                                              \
	{                                                                                                    \
		LSC_##s, LSC_DO_##a                                                                          \
	}

static const struct {
	enum lsc_event event;
	struct lsc_cell cell[LSC_STATES - LSC_OFF];
} rows[LSC_EVENTS] = {
	/* OFF, CONNECTING, OUT, UNALIGNED, ALIGNED, PROVING, PROVED, READY, SERVICE, LEAVING */
	{LSC_EV_START, {T(CONNECTING, CONNECT), S(CONNECTING), T(UNALIGNED, ALIGN), S(UNALIGNED), S(ALIGNED),
			       S(PROVING), S(PROVED), S(READY), S(SERVICE), S(LEAVING)}},
	{LSC_EV_STOP, {S(OFF), S(CONNECTING), S(OUT), T(OUT, OUT), T(OUT, OUT), T(OUT, OUT), T(OUT, OUT),
			      T(OUT, OUT), T(OUT, OUT), S(LEAVING)}},
	{LSC_EV_SHUTDOWN, {S(OFF), T(LEAVING, ABORT), T(LEAVING, SHUTDOWN), T(LEAVING, SHUTDOWN),
				  T(LEAVING, SHUTDOWN), T(LEAVING, SHUTDOWN), T(LEAVING, SHUTDOWN),
				  T(LEAVING, SHUTDOWN), T(LEAVING, SHUTDOWN), S(LEAVING)}},
	{LSC_EV_ABORT, {S(OFF), T(LEAVING, ABORT), T(LEAVING, ABORT), T(LEAVING, ABORT), T(LEAVING, ABORT),
			       T(LEAVING, ABORT), T(LEAVING, ABORT), T(LEAVING, ABORT), T(LEAVING, ABORT),
			       T(LEAVING, ABORT)}},
	{LSC_EV_TP_UP, {T(OUT, OUT), T(OUT, OUT), S(OUT), S(UNALIGNED), S(ALIGNED), S(PROVING), S(PROVED),
			       S(READY), S(SERVICE), S(LEAVING)}},
	{LSC_EV_TP_DOWN,
		{S(OFF), T(OFF, BACKOFF), T(OFF, BACKOFF), T(OFF, BACKOFF), T(OFF, BACKOFF), T(OFF, BACKOFF),
			T(OFF, BACKOFF), T(OFF, BACKOFF), T(OFF, BACKOFF), T(OFF, BACKOFF)}},
	{LSC_EV_TP_RESTART, {S(OFF), S(CONNECTING), T(OUT, OUT), T(OUT, OUT), T(OUT, OUT), T(OUT, OUT),
				    T(OUT, OUT), T(OUT, OUT), T(OUT, OUT), S(LEAVING)}},
	{LSC_EV_ALIGNMENT, {S(OFF), S(CONNECTING), S(OUT), T(ALIGNED, PROVE), S(ALIGNED), T(ALIGNED, PROVE),
				   T(ALIGNED, PROVE), T(OUT, OUT), T(OUT, OUT), S(LEAVING)}},
	{LSC_EV_PROVING, {S(OFF), S(CONNECTING), S(OUT), T(ALIGNED, PROVE), T(PROVING, PERIOD), S(PROVING),
				 S(PROVED), S(READY), T(OUT, OUT), S(LEAVING)}},
	{LSC_EV_PEER_READY, {S(OFF), S(CONNECTING), S(OUT), S(UNALIGNED), T(PROVED, PERIOD), S(PROVED),
				    S(PROVED), T(SERVICE, SERVE), S(SERVICE), S(LEAVING)}},
	{LSC_EV_PEER_OUT, {S(OFF), S(CONNECTING), S(OUT), S(UNALIGNED), T(OUT, OUT), T(OUT, OUT), T(OUT, OUT),
				  T(OUT, OUT), T(OUT, OUT), S(LEAVING)}},
	{LSC_EV_DATA, {S(OFF), S(CONNECTING), S(OUT), S(UNALIGNED), S(ALIGNED), S(PROVING), S(PROVED),
			      T(SERVICE, SERVE), S(SERVICE), S(LEAVING)}},
	{LSC_EV_TIMER, {S(OFF), S(CONNECTING), S(OUT), T(OUT, OUT), T(OUT, OUT), T(READY, READY),
			       T(SERVICE, READY_SERVE), T(OUT, OUT), S(SERVICE), S(LEAVING)}},
	{LSC_EV_FAIL, {S(OFF), S(CONNECTING), S(OUT), T(OUT, OUT), T(OUT, OUT), T(OUT, OUT), T(OUT, OUT),
			      T(OUT, OUT), T(OUT, OUT), S(LEAVING)}},
	{LSC_EV_RETRY, {T(CONNECTING, CONNECT), S(CONNECTING), T(UNALIGNED, ALIGN), S(UNALIGNED), S(ALIGNED),
			       S(PROVING), S(PROVED), S(READY), S(SERVICE), S(LEAVING)}},
};

static void every_cell_of_link_state_control(void **state)
{
	(void)state;
	for (unsigned e = 0; e < LSC_EVENTS; e++) {
		assert_int_equal(rows[e].event, e);
		for (int s = LSC_OFF; s < LSC_STATES; s++) {
			struct lsc_cell got = lsc_transition((enum lsc_state)s, rows[e].event);
			struct lsc_cell want = rows[e].cell[s - LSC_OFF];

			if (got.next != want.next || got.action != want.action)
				fail_msg("%s in %s", lsc_event_name(rows[e].event),
					lsc_state_name((enum lsc_state)s));
		}
	}
}

#define P(s, a)                                                                                              \
	{                                                                                                    \
		POC_##s, POC_DO_##a                                                                          \
	}

static const struct lsc_cell poc[POC_EVENTS][POC_STATES] = {
	/* NONE, LOCAL, REMOTE, BOTH, RECOVERING, RECOVERING_REMOTE, SYNCING */
	{P(LOCAL, OUTAGE), P(LOCAL, NOTHING), P(BOTH, OUTAGE), P(BOTH, NOTHING), P(LOCAL, OUTAGE),
		P(BOTH, OUTAGE), P(LOCAL, OUTAGE)},
	{P(NONE, NOTHING), P(RECOVERING, RECOVER), P(REMOTE, NOTHING), P(RECOVERING_REMOTE, RECOVER),
		P(RECOVERING, NOTHING), P(RECOVERING_REMOTE, NOTHING), P(SYNCING, NOTHING)},
	{P(REMOTE, NOTHING), P(BOTH, NOTHING), P(REMOTE, NOTHING), P(BOTH, NOTHING),
		P(RECOVERING_REMOTE, NOTHING), P(RECOVERING_REMOTE, NOTHING), P(REMOTE, NOTHING)},
	{P(SYNCING, READY), P(LOCAL, READY), P(SYNCING, READY), P(LOCAL, READY), P(RECOVERING, READY),
		P(RECOVERING, READY), P(SYNCING, READY)},
	{P(NONE, NOTHING), P(LOCAL, NOTHING), P(REMOTE, NOTHING), P(BOTH, NOTHING), P(NONE, ANSWER),
		P(REMOTE, ANSWER), P(NONE, RESUME)},
};

static void every_cell_of_processor_outage_control(void **state)
{
	(void)state;
	for (int e = 0; e < POC_EVENTS; e++)
		for (int s = 0; s < POC_STATES; s++) {
			struct lsc_cell got = poc_transition((enum poc_state)s, (enum poc_event)e);

			if (got.next != poc[e][s].next || got.action != poc[e][s].action)
				fail_msg("event %d in %s", e, poc_state_name((enum poc_state)s));
		}
}

static void a_link_fails_from_wherever_it_is_but_keeps_its_association(void **state)
{
	(void)state;
	for (int s = LSC_UNALIGNED; s <= LSC_SERVICE; s++)
		assert_int_equal(lsc_transition((enum lsc_state)s, LSC_EV_FAIL).next, LSC_OUT);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_cell_of_link_state_control),
		cmocka_unit_test(every_cell_of_processor_outage_control),
		cmocka_unit_test(a_link_fails_from_wherever_it_is_but_keeps_its_association),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
