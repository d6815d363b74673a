/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "m3ua/asp_fsm.h"

#include "base/clock.h"
#include "base/log.h"
#include "m3ua/as_fsm.h"
#include "m3ua/role.h"
#include "m3ua/sg_int.h"

/* clang-format off */
const struct asp_cell asp_fsm[ASP_STATES][ASPE_EVENTS] = {
	[ASP_DOWN] = {
		[ASPE_UP]         = {ASP_INACTIVE, ASPA_ACK},
		[ASPE_DOWN]       = {ASP_DOWN,     ASPA_ACK}, /* s.4.3.4.2: always acknowledged */
		[ASPE_ACTIVE]     = {ASP_DOWN,     ASPA_ERR},
		[ASPE_INACTIVE]   = {ASP_DOWN,     ASPA_ERR},
		[ASPE_OVERRIDDEN] = {ASP_DOWN,     ASPA_NONE},
		[ASPE_LOST]       = {ASP_DOWN,     ASPA_NONE},
		[ASPE_RESTARTED]  = {ASP_DOWN,     ASPA_NONE},
		[ASPE_BLOCKED]    = {ASP_DOWN,     ASPA_NONE},
	},
	[ASP_INACTIVE] = {
		[ASPE_UP]         = {ASP_INACTIVE, ASPA_ACK}, /* s.4.3.4.1: no further action */
		[ASPE_DOWN]       = {ASP_DOWN,     ASPA_ACK},
		[ASPE_ACTIVE]     = {ASP_ACTIVE,   ASPA_ACK},
		[ASPE_INACTIVE]   = {ASP_INACTIVE, ASPA_ACK}, /* s.4.3.4.4: always acknowledged */
		[ASPE_OVERRIDDEN] = {ASP_INACTIVE, ASPA_NONE},
		[ASPE_LOST]       = {ASP_DOWN,     ASPA_NONE},
		[ASPE_RESTARTED]  = {ASP_DOWN,     ASPA_NONE},
		[ASPE_BLOCKED]    = {ASP_INACTIVE, ASPA_NONE},
	},
	[ASP_ACTIVE] = {
		[ASPE_UP]         = {ASP_INACTIVE, ASPA_ACK_ERR}, /* s.4.3.4.1 */
		[ASPE_DOWN]       = {ASP_DOWN,     ASPA_ACK},
		[ASPE_ACTIVE]     = {ASP_ACTIVE,   ASPA_ACK}, /* s.4.3.4.3: always acknowledged */
		[ASPE_INACTIVE]   = {ASP_INACTIVE, ASPA_ACK},
		[ASPE_OVERRIDDEN] = {ASP_INACTIVE, ASPA_NONE},
		[ASPE_LOST]       = {ASP_DOWN,     ASPA_NONE},
		[ASPE_RESTARTED]  = {ASP_DOWN,     ASPA_NONE},
		[ASPE_BLOCKED]    = {ASP_INACTIVE, ASPA_NONE},
	},
};
/* clang-format on */

const char *asp_event_name(enum asp_event e)
{
	static const char *const names[ASPE_EVENTS] = {[ASPE_UP] = "ASPUP",
		[ASPE_DOWN] = "ASPDN",
		[ASPE_ACTIVE] = "ASPAC",
		[ASPE_INACTIVE] = "ASPIA",
		[ASPE_OVERRIDDEN] = "overridden",
		[ASPE_LOST] = "lost",
		[ASPE_RESTARTED] = "restarted",
		[ASPE_BLOCKED] = "blocked"};

	return e < ASPE_EVENTS ? names[e] : "?";
}

/* An overridden ASP sends on until it has read NTFY "Alternate ASP Active", a blocked one until it has read
 * the unsolicited ASPIA ACK: what it has sent already must not be lost (s.4.3.4.3 wants traffic from it
 * stopped, not when). Where the gateway asks, the answer to its ASPIA tells. */
static uint16_t linger_ms(const struct as_asp *m, enum asp_event e)
{
	enum { OVERRIDDEN = 200, BLOCKED = 1000 };

	if (e == ASPE_OVERRIDDEN)
		return OVERRIDDEN;
	return e == ASPE_BLOCKED && !role_of(m->asp)->asks ? BLOCKED : 0;
}

void asp_transition(struct as_asp *m, enum asp_event e, const char *reason)
{
	enum asp_state from = m->state, to = asp_fsm[from][e].next;
	struct as_counts was;

	if (from == to)
		return;
	as_count(m->as, &was);
	m->state = to;
	m->since_ms = clock_ms();
	m->reason = reason;
	m->linger_ms = linger_ms(m, e);
	m->asp->transitions++;
	if (limit_allows(&m->asp->log, SG_LOGS_PER_SECOND, NULL))
		LOGP(DASP, LOGL_NOTICE, "asp %s in as %s: %s -> %s (%s)\n", m->asp->name, m->as->name,
			asp_state_name(from), asp_state_name(to), reason);
	sg_member_moved(m);
	as_members_changed(m->as, &was, e == ASPE_LOST || e == ASPE_RESTARTED ? m->asp : NULL, reason);
}
