/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/lsc.h"

#include <assert.h>

#define TO(s, a)                                                                                             \
	{                                                                                                    \
		LSC_##s, LSC_DO_##a                                                                          \
	}
#define STAY(s)                                                                                              \
	{                                                                                                    \
		LSC_##s, LSC_DO_NOTHING                                                                      \
	}
#define PTO(s, a)                                                                                            \
	{                                                                                                    \
		POC_##s, POC_DO_##a                                                                          \
	}
#define PSTAY(s)                                                                                             \
	{                                                                                                    \
		POC_##s, POC_DO_NOTHING                                                                      \
	}

/* clang-format off */
/* Q.703 Figures 8 and 9. What stays: a status that says nothing new (Out of Service of a peer that has not
 * begun yet), what cannot be (no association), what another part looks at (Ready in service: POC). */
static const struct lsc_cell lsc_table[LSC_STATES][LSC_EVENTS] = {
	[LSC_OFF] = {
		[LSC_EV_START] = TO(CONNECTING, CONNECT),
		[LSC_EV_STOP] = STAY(OFF),
		[LSC_EV_SHUTDOWN] = STAY(OFF),
		[LSC_EV_ABORT] = STAY(OFF),
		[LSC_EV_TP_UP] = TO(OUT, OUT),
		[LSC_EV_TP_DOWN] = STAY(OFF),
		[LSC_EV_TP_RESTART] = STAY(OFF),
		[LSC_EV_ALIGNMENT] = STAY(OFF),
		[LSC_EV_PROVING] = STAY(OFF),
		[LSC_EV_PEER_READY] = STAY(OFF),
		[LSC_EV_PEER_OUT] = STAY(OFF),
		[LSC_EV_DATA] = STAY(OFF),
		[LSC_EV_TIMER] = STAY(OFF),
		[LSC_EV_FAIL] = STAY(OFF),
		[LSC_EV_RETRY] = TO(CONNECTING, CONNECT),
	},
	[LSC_CONNECTING] = {
		[LSC_EV_START] = STAY(CONNECTING),
		[LSC_EV_STOP] = STAY(CONNECTING),
		[LSC_EV_SHUTDOWN] = TO(LEAVING, ABORT),
		[LSC_EV_ABORT] = TO(LEAVING, ABORT),
		[LSC_EV_TP_UP] = TO(OUT, OUT),
		[LSC_EV_TP_DOWN] = TO(OFF, BACKOFF),
		[LSC_EV_TP_RESTART] = STAY(CONNECTING),
		[LSC_EV_ALIGNMENT] = STAY(CONNECTING),
		[LSC_EV_PROVING] = STAY(CONNECTING),
		[LSC_EV_PEER_READY] = STAY(CONNECTING),
		[LSC_EV_PEER_OUT] = STAY(CONNECTING),
		[LSC_EV_DATA] = STAY(CONNECTING),
		[LSC_EV_TIMER] = STAY(CONNECTING),
		[LSC_EV_FAIL] = STAY(CONNECTING),
		[LSC_EV_RETRY] = STAY(CONNECTING),
	},
	[LSC_OUT] = {
		[LSC_EV_START] = TO(UNALIGNED, ALIGN),
		[LSC_EV_STOP] = STAY(OUT),
		[LSC_EV_SHUTDOWN] = TO(LEAVING, SHUTDOWN),
		[LSC_EV_ABORT] = TO(LEAVING, ABORT),
		[LSC_EV_TP_UP] = STAY(OUT),
		[LSC_EV_TP_DOWN] = TO(OFF, BACKOFF),
		[LSC_EV_TP_RESTART] = TO(OUT, OUT),
		[LSC_EV_ALIGNMENT] = STAY(OUT),
		[LSC_EV_PROVING] = STAY(OUT),
		[LSC_EV_PEER_READY] = STAY(OUT),
		[LSC_EV_PEER_OUT] = STAY(OUT),
		[LSC_EV_DATA] = STAY(OUT),
		[LSC_EV_TIMER] = STAY(OUT),
		[LSC_EV_FAIL] = STAY(OUT),
		[LSC_EV_RETRY] = TO(UNALIGNED, ALIGN),
	},
	[LSC_UNALIGNED] = {
		[LSC_EV_START] = STAY(UNALIGNED),
		[LSC_EV_STOP] = TO(OUT, OUT),
		[LSC_EV_SHUTDOWN] = TO(LEAVING, SHUTDOWN),
		[LSC_EV_ABORT] = TO(LEAVING, ABORT),
		[LSC_EV_TP_UP] = STAY(UNALIGNED),
		[LSC_EV_TP_DOWN] = TO(OFF, BACKOFF),
		[LSC_EV_TP_RESTART] = TO(OUT, OUT),
		[LSC_EV_ALIGNMENT] = TO(ALIGNED, PROVE),
		[LSC_EV_PROVING] = TO(ALIGNED, PROVE),
		[LSC_EV_PEER_READY] = STAY(UNALIGNED),
		[LSC_EV_PEER_OUT] = STAY(UNALIGNED),
		[LSC_EV_DATA] = STAY(UNALIGNED),
		[LSC_EV_TIMER] = TO(OUT, OUT),
		[LSC_EV_FAIL] = TO(OUT, OUT),
		[LSC_EV_RETRY] = STAY(UNALIGNED),
	},
	[LSC_ALIGNED] = {
		[LSC_EV_START] = STAY(ALIGNED),
		[LSC_EV_STOP] = TO(OUT, OUT),
		[LSC_EV_SHUTDOWN] = TO(LEAVING, SHUTDOWN),
		[LSC_EV_ABORT] = TO(LEAVING, ABORT),
		[LSC_EV_TP_UP] = STAY(ALIGNED),
		[LSC_EV_TP_DOWN] = TO(OFF, BACKOFF),
		[LSC_EV_TP_RESTART] = TO(OUT, OUT),
		[LSC_EV_ALIGNMENT] = STAY(ALIGNED),
		[LSC_EV_PROVING] = TO(PROVING, PERIOD),
		[LSC_EV_PEER_READY] = TO(PROVED, PERIOD),
		[LSC_EV_PEER_OUT] = TO(OUT, OUT),
		[LSC_EV_DATA] = STAY(ALIGNED),
		[LSC_EV_TIMER] = TO(OUT, OUT),
		[LSC_EV_FAIL] = TO(OUT, OUT),
		[LSC_EV_RETRY] = STAY(ALIGNED),
	},
	[LSC_PROVING] = {
		[LSC_EV_START] = STAY(PROVING),
		[LSC_EV_STOP] = TO(OUT, OUT),
		[LSC_EV_SHUTDOWN] = TO(LEAVING, SHUTDOWN),
		[LSC_EV_ABORT] = TO(LEAVING, ABORT),
		[LSC_EV_TP_UP] = STAY(PROVING),
		[LSC_EV_TP_DOWN] = TO(OFF, BACKOFF),
		[LSC_EV_TP_RESTART] = TO(OUT, OUT),
		[LSC_EV_ALIGNMENT] = TO(ALIGNED, PROVE),
		[LSC_EV_PROVING] = STAY(PROVING),
		[LSC_EV_PEER_READY] = TO(PROVED, NOTHING),
		[LSC_EV_PEER_OUT] = TO(OUT, OUT),
		[LSC_EV_DATA] = STAY(PROVING),
		[LSC_EV_TIMER] = TO(READY, READY),
		[LSC_EV_FAIL] = TO(OUT, OUT),
		[LSC_EV_RETRY] = STAY(PROVING),
	},
	[LSC_PROVED] = {
		[LSC_EV_START] = STAY(PROVED),
		[LSC_EV_STOP] = TO(OUT, OUT),
		[LSC_EV_SHUTDOWN] = TO(LEAVING, SHUTDOWN),
		[LSC_EV_ABORT] = TO(LEAVING, ABORT),
		[LSC_EV_TP_UP] = STAY(PROVED),
		[LSC_EV_TP_DOWN] = TO(OFF, BACKOFF),
		[LSC_EV_TP_RESTART] = TO(OUT, OUT),
		[LSC_EV_ALIGNMENT] = TO(ALIGNED, PROVE),
		[LSC_EV_PROVING] = STAY(PROVED),
		[LSC_EV_PEER_READY] = STAY(PROVED),
		[LSC_EV_PEER_OUT] = TO(OUT, OUT),
		[LSC_EV_DATA] = STAY(PROVED),
		[LSC_EV_TIMER] = TO(SERVICE, READY_SERVE),
		[LSC_EV_FAIL] = TO(OUT, OUT),
		[LSC_EV_RETRY] = STAY(PROVED),
	},
	[LSC_READY] = {
		[LSC_EV_START] = STAY(READY),
		[LSC_EV_STOP] = TO(OUT, OUT),
		[LSC_EV_SHUTDOWN] = TO(LEAVING, SHUTDOWN),
		[LSC_EV_ABORT] = TO(LEAVING, ABORT),
		[LSC_EV_TP_UP] = STAY(READY),
		[LSC_EV_TP_DOWN] = TO(OFF, BACKOFF),
		[LSC_EV_TP_RESTART] = TO(OUT, OUT),
		[LSC_EV_ALIGNMENT] = TO(OUT, OUT),
		[LSC_EV_PROVING] = STAY(READY),
		[LSC_EV_PEER_READY] = TO(SERVICE, SERVE),
		[LSC_EV_PEER_OUT] = TO(OUT, OUT),
		[LSC_EV_DATA] = TO(SERVICE, SERVE),
		[LSC_EV_TIMER] = TO(OUT, OUT),
		[LSC_EV_FAIL] = TO(OUT, OUT),
		[LSC_EV_RETRY] = STAY(READY),
	},
	[LSC_SERVICE] = {
		[LSC_EV_START] = STAY(SERVICE),
		[LSC_EV_STOP] = TO(OUT, OUT),
		[LSC_EV_SHUTDOWN] = TO(LEAVING, SHUTDOWN),
		[LSC_EV_ABORT] = TO(LEAVING, ABORT),
		[LSC_EV_TP_UP] = STAY(SERVICE),
		[LSC_EV_TP_DOWN] = TO(OFF, BACKOFF),
		[LSC_EV_TP_RESTART] = TO(OUT, OUT),
		[LSC_EV_ALIGNMENT] = TO(OUT, OUT),
		[LSC_EV_PROVING] = TO(OUT, OUT),
		[LSC_EV_PEER_READY] = STAY(SERVICE),
		[LSC_EV_PEER_OUT] = TO(OUT, OUT),
		[LSC_EV_DATA] = STAY(SERVICE),
		[LSC_EV_TIMER] = STAY(SERVICE),
		[LSC_EV_FAIL] = TO(OUT, OUT),
		[LSC_EV_RETRY] = STAY(SERVICE),
	},
	[LSC_LEAVING] = {
		[LSC_EV_START] = STAY(LEAVING),
		[LSC_EV_STOP] = STAY(LEAVING),
		[LSC_EV_SHUTDOWN] = STAY(LEAVING),
		[LSC_EV_ABORT] = TO(LEAVING, ABORT),
		[LSC_EV_TP_UP] = STAY(LEAVING),
		[LSC_EV_TP_DOWN] = TO(OFF, BACKOFF),
		[LSC_EV_TP_RESTART] = STAY(LEAVING),
		[LSC_EV_ALIGNMENT] = STAY(LEAVING),
		[LSC_EV_PROVING] = STAY(LEAVING),
		[LSC_EV_PEER_READY] = STAY(LEAVING),
		[LSC_EV_PEER_OUT] = STAY(LEAVING),
		[LSC_EV_DATA] = STAY(LEAVING),
		[LSC_EV_TIMER] = STAY(LEAVING),
		[LSC_EV_FAIL] = STAY(LEAVING),
		[LSC_EV_RETRY] = STAY(LEAVING),
	},
};
/* clang-format on */

struct lsc_cell lsc_transition(enum lsc_state s, enum lsc_event e)
{
	struct lsc_cell c = lsc_table[s][e];

	assert(c.next != LSC_NO_STATE);
	return c;
}

/* clang-format off */
/* RFC 4165 s.4.1.4. The end that was told of an outage waits for the second Ready, too, before it goes on:
 * only then does it know what the peer has kept of what was on its way. */
static const struct lsc_cell poc_table[POC_STATES][POC_EVENTS] = {
	[POC_NONE] = {
		[POC_EV_BEGIN] = PTO(LOCAL, OUTAGE),
		[POC_EV_END] = PSTAY(NONE),
		[POC_EV_PEER_OUTAGE] = PTO(REMOTE, NOTHING),
		[POC_EV_PEER_RECOVERED] = PTO(SYNCING, READY),
		[POC_EV_PEER_READY] = PSTAY(NONE),
	},
	[POC_LOCAL] = {
		[POC_EV_BEGIN] = PSTAY(LOCAL),
		[POC_EV_END] = PTO(RECOVERING, RECOVER),
		[POC_EV_PEER_OUTAGE] = PTO(BOTH, NOTHING),
		[POC_EV_PEER_RECOVERED] = PTO(LOCAL, READY),
		[POC_EV_PEER_READY] = PSTAY(LOCAL),
	},
	[POC_REMOTE] = {
		[POC_EV_BEGIN] = PTO(BOTH, OUTAGE),
		[POC_EV_END] = PSTAY(REMOTE),
		[POC_EV_PEER_OUTAGE] = PSTAY(REMOTE),
		[POC_EV_PEER_RECOVERED] = PTO(SYNCING, READY),
		[POC_EV_PEER_READY] = PSTAY(REMOTE),
	},
	[POC_BOTH] = {
		[POC_EV_BEGIN] = PSTAY(BOTH),
		[POC_EV_END] = PTO(RECOVERING_REMOTE, RECOVER),
		[POC_EV_PEER_OUTAGE] = PSTAY(BOTH),
		[POC_EV_PEER_RECOVERED] = PTO(LOCAL, READY),
		[POC_EV_PEER_READY] = PSTAY(BOTH),
	},
	[POC_RECOVERING] = {
		[POC_EV_BEGIN] = PTO(LOCAL, OUTAGE),
		[POC_EV_END] = PSTAY(RECOVERING),
		[POC_EV_PEER_OUTAGE] = PTO(RECOVERING_REMOTE, NOTHING),
		[POC_EV_PEER_RECOVERED] = PTO(RECOVERING, READY),
		[POC_EV_PEER_READY] = PTO(NONE, ANSWER),
	},
	[POC_RECOVERING_REMOTE] = {
		[POC_EV_BEGIN] = PTO(BOTH, OUTAGE),
		[POC_EV_END] = PSTAY(RECOVERING_REMOTE),
		[POC_EV_PEER_OUTAGE] = PSTAY(RECOVERING_REMOTE),
		[POC_EV_PEER_RECOVERED] = PTO(RECOVERING, READY),
		[POC_EV_PEER_READY] = PTO(REMOTE, ANSWER),
	},
	[POC_SYNCING] = {
		[POC_EV_BEGIN] = PTO(LOCAL, OUTAGE),
		[POC_EV_END] = PSTAY(SYNCING),
		[POC_EV_PEER_OUTAGE] = PTO(REMOTE, NOTHING),
		[POC_EV_PEER_RECOVERED] = PTO(SYNCING, READY),
		[POC_EV_PEER_READY] = PTO(NONE, RESUME),
	},
};
/* clang-format on */

struct lsc_cell poc_transition(enum poc_state s, enum poc_event e)
{
	return poc_table[s][e];
}

const char *lsc_state_name(enum lsc_state s)
{
	static const char *const names[LSC_STATES] = {"none", "off", "connecting", "out-of-service",
		"not-aligned", "aligned", "proving", "proved", "aligned-ready", "in-service", "leaving"};

	return names[s];
}

const char *lsc_event_name(enum lsc_event e)
{
	static const char *const names[LSC_EVENTS] = {"activated", "deactivated", "shutdown", "abort",
		"association up", "association down", "association restarted", "Alignment received",
		"Proving received", "Ready received", "Out of Service received", "User Data received",
		"timer expired", "failed", "time to try again"};

	return names[e];
}

const char *poc_state_name(enum poc_state s)
{
	static const char *const names[POC_STATES] = {
		"none", "local", "remote", "both", "recovering", "recovering-remote", "syncing"};

	return names[s];
}
