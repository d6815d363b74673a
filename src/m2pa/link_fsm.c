/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "m2pa/link_fsm.h"

#include "base/clock.h"
#include "base/log.h"
#include "m2pa/link_int.h"

/* clang-format off */
#define TO(next, action) {M2PA_LINK_##next, LX_##action}
#define ROW(NOAS, OOS, NAL, ALI, PRO, RDY, NRD, INS, LPO, RPO, BOTH, REC)                                    \
	{[M2PA_LINK_NO_ASSOCIATION] = NOAS, [M2PA_LINK_OUT_OF_SERVICE] = OOS, [M2PA_LINK_NOT_ALIGNED] = NAL, \
	 [M2PA_LINK_ALIGNED] = ALI, [M2PA_LINK_PROVING] = PRO, [M2PA_LINK_ALIGNED_READY] = RDY,              \
	 [M2PA_LINK_ALIGNED_NOT_READY] = NRD, [M2PA_LINK_IN_SERVICE] = INS,                                  \
	 [M2PA_LINK_LOCAL_OUTAGE] = LPO, [M2PA_LINK_REMOTE_OUTAGE] = RPO,                                    \
	 [M2PA_LINK_BOTH_OUTAGES] = BOTH, [M2PA_LINK_RECOVERING] = REC}
/* cells, by the state that follows */
#define NA(x)  TO(NO_ASSOCIATION, x)
#define OS(x)  TO(OUT_OF_SERVICE, x)
#define NL(x)  TO(NOT_ALIGNED, x)
#define AL(x)  TO(ALIGNED, x)
#define PR(x)  TO(PROVING, x)
#define AR(x)  TO(ALIGNED_READY, x)
#define AN(x)  TO(ALIGNED_NOT_READY, x)
#define IS(x)  TO(IN_SERVICE, x)
#define LO(x)  TO(LOCAL_OUTAGE, x)
#define RO(x)  TO(REMOTE_OUTAGE, x)
#define BO(x)  TO(BOTH_OUTAGES, x)
#define RE(x)  TO(RECOVERING, x)
#define F      OS(FAIL)
#define P      OS(NOT_POSSIBLE)

const struct m2pa_link_cell m2pa_link_fsm[M2PA_LINK_EVENTS][M2PA_LINK_STATES] = {
	/* s.4.1.3: "After the association is established, M2PA SHALL send a Link Status Out of Service" */
	[LE_UP] = ROW(OS(CONNECTED), OS(NONE), NL(NONE), AL(NONE), PR(NONE), AR(NONE),
		AN(NONE), IS(NONE), LO(NONE), RO(NONE), BO(NONE), RE(NONE)),
	/* s.4.1.7 */
	[LE_LOST] = ROW(NA(NONE), NA(LOST), NA(LOST), NA(LOST), NA(LOST), NA(LOST),
		NA(LOST), NA(LOST), NA(LOST), NA(LOST), NA(LOST), NA(LOST)),
	/* Figure 8 sheet 2 */
	[LE_START] = ROW(NA(REFUSE), NL(ALIGN), NL(NONE), AL(NONE), PR(NONE), AR(NONE),
		AN(NONE), IS(NONE), LO(NONE), RO(NONE), BO(NONE), RE(NONE)),
	[LE_STOP] = ROW(NA(NONE), OS(NONE), OS(STOPPED), OS(STOPPED), OS(STOPPED), OS(STOPPED),
		OS(STOPPED), OS(STOPPED), OS(STOPPED), OS(STOPPED), OS(STOPPED), OS(STOPPED)),
	/* Figure 9; in "not aligned" the mark alone counts */
	[LE_EMERGENCY] = ROW(NA(NONE), OS(NONE), NL(NONE), AL(HURRY), PR(HURRY), AR(NONE),
		AN(NONE), IS(NONE), LO(NONE), RO(NONE), BO(NONE), RE(NONE)),
	/* Figure 10; before "aligned ready" the mark alone counts */
	[LE_OUTAGE] = ROW(NA(NONE), OS(NONE), NL(NONE), AL(NONE), PR(NONE), AN(OUT),
		AN(NONE), LO(OUT), LO(NONE), BO(OUT), BO(NONE), LO(OUT)),
	[LE_OUTAGE_ENDS] = ROW(NA(NONE), OS(NONE), NL(NONE), AL(NONE), PR(NONE), AR(NONE),
		AR(RECOVER), IS(NONE), RE(RECOVER_T1), RO(NONE), RO(RECOVER), RE(NONE)),
	/* s.4.1.5 */
	[LE_BUSY] = ROW(NA(NONE), OS(NONE), NL(NONE), AL(NONE), PR(NONE), AR(BUSY),
		AN(BUSY), IS(BUSY), LO(BUSY), RO(BUSY), BO(BUSY), RE(BUSY)),
	[LE_BUSY_ENDS] = ROW(NA(NONE), OS(NONE), NL(NONE), AL(NONE), PR(NONE), AR(IDLE),
		AN(IDLE), IS(IDLE), LO(IDLE), RO(IDLE), BO(IDLE), RE(IDLE)),

	[LE_RX_ALIGNMENT] = ROW(NA(NONE), OS(NONE), AL(ALIGNED), AL(NONE), AL(REALIGN), F,
		F, F, F, F, F, F),
	[LE_RX_NORMAL] = ROW(NA(NONE), OS(NONE), AL(ALIGNED), PR(PROVE), PR(NONE), AR(NONE),
		AN(NONE), F, F, F, F, F),
	[LE_RX_EMERGENCY] = ROW(NA(NONE), OS(NONE), AL(ALIGNED_E), PR(PROVE_E), PR(SHORTEN), AR(NONE),
		AN(NONE), F, F, F, F, F),
	[LE_RX_READY] = ROW(NA(NONE), OS(NONE), NL(NONE), AL(NONE), PR(REMEMBER), IS(GO),
		LO(GO), IS(NONE), LO(NONE), RO(NONE), BO(NONE), IS(RECOVERED)),
	[LE_RX_OUTAGE] = ROW(NA(NONE), OS(NONE), NL(NONE), AL(NONE), PR(REMEMBER), RO(PEER_OUT),
		BO(PEER_OUT), RO(PEER_OUT), BO(PEER_OUT), RO(NONE), BO(NONE), RO(PEER_OUT)),
	[LE_RX_RECOVERED] = ROW(NA(NONE), OS(NONE), NL(NONE), AL(NONE), PR(REMEMBER), IS(PEER_BACK),
		LO(PEER_BACK), IS(ANSWER), LO(ANSWER), IS(PEER_BACK), LO(PEER_BACK), RE(ANSWER)),
	[LE_RX_BUSY] = ROW(NA(NONE), OS(NONE), NL(NONE), AL(NONE), PR(NONE), AR(PEER_BUSY),
		AN(PEER_BUSY), IS(PEER_BUSY), LO(PEER_BUSY), RO(PEER_BUSY), BO(PEER_BUSY), RE(PEER_BUSY)),
	[LE_RX_BUSY_ENDED] = ROW(NA(NONE), OS(NONE), NL(NONE), AL(NONE), PR(NONE), AR(PEER_IDLE),
		AN(PEER_IDLE), IS(PEER_IDLE), LO(PEER_IDLE), RO(PEER_IDLE), BO(PEER_IDLE), RE(PEER_IDLE)),
	[LE_RX_OOS] = ROW(NA(NONE), OS(NONE), NL(NONE), P, P, F,
		F, F, F, F, F, F),
	[LE_RX_DATA] = ROW(NA(NONE), OS(NONE), NL(NONE), AL(NONE), PR(NONE), IS(GO),
		LO(GO), IS(NONE), LO(NONE), RO(NONE), BO(NONE), RE(NONE)),

	[LE_T1] = ROW(NA(NONE), OS(NONE), NL(NONE), AL(NONE), PR(NONE), F,
		F, IS(NONE), LO(NONE), RO(NONE), BO(NONE), F),
	[LE_T2] = ROW(NA(NONE), OS(NONE), P, AL(NONE), PR(NONE), AR(NONE),
		AN(NONE), IS(NONE), LO(NONE), RO(NONE), BO(NONE), RE(NONE)),
	[LE_T3] = ROW(NA(NONE), OS(NONE), NL(NONE), P, PR(NONE), AR(NONE),
		AN(NONE), IS(NONE), LO(NONE), RO(NONE), BO(NONE), RE(NONE)),
	[LE_T4] = ROW(NA(NONE), OS(NONE), NL(NONE), AL(NONE), AR(PROVED), AR(NONE),
		AN(NONE), IS(NONE), LO(NONE), RO(NONE), BO(NONE), RE(NONE)),
	[LE_T4_OUTAGE] = ROW(NA(NONE), OS(NONE), NL(NONE), AL(NONE), AN(PROVED_OUT), AR(NONE),
		AN(NONE), IS(NONE), LO(NONE), RO(NONE), BO(NONE), RE(NONE)),
	[LE_T6] = ROW(NA(NONE), OS(NONE), NL(NONE), AL(NONE), PR(NONE), F,
		F, F, F, F, F, F),
	/* in "out of service": Alignment of another version (s.4.1.9) */
	[LE_FAULT] = ROW(NA(NONE), OS(SEND_OOS), P, P, P, F,
		F, F, F, F, F, F),
};
/* clang-format on */

const char *m2pa_link_state_name(enum m2pa_link_state s)
{
	static const char *const names[M2PA_LINK_STATES] = {
		[M2PA_LINK_NO_ASSOCIATION] = "no association",
		[M2PA_LINK_OUT_OF_SERVICE] = "out of service",
		[M2PA_LINK_NOT_ALIGNED] = "not aligned",
		[M2PA_LINK_ALIGNED] = "aligned",
		[M2PA_LINK_PROVING] = "proving",
		[M2PA_LINK_ALIGNED_READY] = "aligned ready",
		[M2PA_LINK_ALIGNED_NOT_READY] = "aligned not ready",
		[M2PA_LINK_IN_SERVICE] = "in service",
		[M2PA_LINK_LOCAL_OUTAGE] = "local processor outage",
		[M2PA_LINK_REMOTE_OUTAGE] = "remote processor outage",
		[M2PA_LINK_BOTH_OUTAGES] = "both processors out",
		[M2PA_LINK_RECOVERING] = "recovering",
	};

	return s < M2PA_LINK_STATES ? names[s] : "?";
}

/* Between no association and "not aligned" a link goes round as long as nobody answers. */
static int level_of(struct m2pa_link *l, enum m2pa_link_state from)
{
	bool round = from <= M2PA_LINK_NOT_ALIGNED && l->state <= M2PA_LINK_NOT_ALIGNED;
	int level = l->hushed && round ? LOGL_INFO : LOGL_NOTICE;

	l->hushed = round && (l->hushed || l->state < from);
	return level;
}

void m2pa_link_event(struct m2pa_link *l, enum m2pa_link_event e, const char *reason)
{
	enum m2pa_link_state from = l->state;
	const struct m2pa_link_cell *cell = &m2pa_link_fsm[e][from];
	int level;

	l->event = e;
	if (cell->next != from) {
		l->state = cell->next;
		l->since_ms = clock_ms();
		l->reason = reason;
		level = level_of(l, from);
		if (limit_allows(&l->log, M2PA_LINK_LOGS_PER_SECOND, NULL))
			LOGP(DM2PA, level, "link %s: %s -> %s (%s)\n", l->name, m2pa_link_state_name(from),
				m2pa_link_state_name(l->state), reason);
	}
	m2pa_link_act(l, cell->action);
}
