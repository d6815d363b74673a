/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "m3ua/aspsm.h"

#include "m3ua/asp_fsm.h"
#include "m3ua/asptm.h"
#include "m3ua/dispatch.h"
#include "m3ua/mgmt.h"
#include "m3ua/rkm.h"
#include "m3ua/role.h"
#include "m3ua/sg_int.h"

/* Does another ASP that is up and shares an AS with this one use the Identifier? (s.3.5.1: unique among the
 * ASPs that support an AS) */
static bool id_taken(const struct asp *asp, uint32_t id)
{
	const struct as_asp *mine, *other;

	llist_for_each_entry (mine, &asp->ass, in_asp)
		llist_for_each_entry (other, &mine->as->asps, in_as)
			if (other->asp != asp && other->asp->up && other->asp->has_id && other->asp->id == id)
				return true;
	return false;
}

/* M3UA_E_NONE if the message's ASP Identifier, or its absence, is acceptable. */
static enum m3ua_error check_id(const struct asp *asp, bool has_id, uint32_t id)
{
	if (!has_id)
		return asp->conf->require_id ? M3UA_E_ASP_ID_REQUIRED : M3UA_E_NONE;
	if ((asp->conf->has_id && id != asp->conf->id) || id_taken(asp, id))
		return M3UA_E_INVALID_ASP_ID;
	return M3UA_E_NONE;
}

static void acknowledge(struct asp *asp, uint16_t type)
{
	struct out o = out_begin(asp, type);

	out_end(&o, 0);
}

/* ASP-DOWN to ASP-INACTIVE in every AS, each with its current state told once (s.4.3.4.5). */
static void come_up(struct asp *asp)
{
	struct as_asp *m;

	llist_for_each_entry (m, &asp->ass, in_asp) {
		uint64_t told = m->as->transitions;

		asp_transition(m, ASPE_UP, "ASPUP");
		if (m->as->transitions == told)
			ntfy_as_state_to(asp, m->as);
	}
}

/* s.4.3.4.1: ASPUP while active makes it inactive everywhere, "and all registered Routing Keys are considered
 * deregistered". */
static void fall_back(struct asp *asp)
{
	struct as_asp *m;

	llist_for_each_entry (m, &asp->ass, in_asp)
		asp_transition(m, ASPE_UP, "ASPUP while active");
	rkm_forget(asp);
}

void aspsm_up(const struct in *in)
{
	struct asp *asp = in->asp;
	enum asp_answer answer = (enum asp_answer)asp_fsm[asp_state(asp)][ASPE_UP].answer;
	uint32_t id = 0;
	bool has_id = m3ua_find_u32(&in->msg, M3UA_P_ASP_ID, &id);
	bool was_up = asp->up;
	enum m3ua_error e = asp->locked ? M3UA_E_REFUSED : check_id(asp, has_id, id);

	if (answer == ASPA_ACK_ERR && asp->conf->compat.aspup_ack_only)
		answer = ASPA_ACK;
	if (e != M3UA_E_NONE) {
		err_answer(in, e, NULL);
		return;
	}
	if (answer == ASPA_ACK_ERR)
		out_hold(asp->sg);
	acknowledge(asp, M3UA_ASPUP_ACK);
	if (answer == ASPA_ACK_ERR)
		err_answer(in, M3UA_E_UNEXPECTED, NULL);
	if (has_id) {
		asp->has_id = true;
		asp->id = id;
	}
	asp->up_by_ack = false;
	if (was_up) {
		if (answer == ASPA_ACK_ERR)
			fall_back(asp);
	} else {
		asp_set_up(asp, true, "ASPUP");
		come_up(asp);
	}
	if (role_of(asp)->joint && (!was_up || answer == ASPA_ACK_ERR))
		client_peer_up(asp);
}

void aspsm_withdraw(struct asp *asp, const char *reason)
{
	struct as_asp *m;

	if (!asp->up)
		return;
	asptm_withdraw(asp, reason);
	out_hold(asp->sg);
	acknowledge(asp, M3UA_ASPDN_ACK);
	llist_for_each_entry (m, &asp->ass, in_asp) {
		uint16_t linger_ms = m->linger_ms; /* it has still to read that */

		asp_transition(m, ASPE_DOWN, reason);
		m->linger_ms = linger_ms;
	}
	asp_set_up(asp, false, reason);
}

void aspsm_down(const struct in *in)
{
	struct asp *asp = in->asp;
	struct as_asp *m;

	if (asp_state(asp) == ASP_ACTIVE)
		out_hold(asp->sg);
	acknowledge(asp, M3UA_ASPDN_ACK);
	if (!asp->up)
		return;
	llist_for_each_entry (m, &asp->ass, in_asp)
		asp_transition(m, ASPE_DOWN, "ASPDN");
	asp_set_up(asp, false, "ASPDN");
	if (role_of(asp)->joint || asp->up_by_ack)
		client_peer_down(asp);
}
