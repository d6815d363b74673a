/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "m3ua/as_fsm.h"

#include "base/clock.h"
#include "base/log.h"
#include "m3ua/mgmt.h"
#include "m3ua/rkm.h"
#include "m3ua/sg_int.h"
#include "m3ua/sg_table.h"
#include "m3ua/ssnm_rx.h"

/* clang-format off */
const struct as_cell as_fsm[AS_STATES][ASE_EVENTS] = {
	[AS_DOWN] = {
		[ASE_NONE]      = {AS_DOWN,     ASX_NONE},
		[ASE_UP]        = {AS_INACTIVE, ASX_NONE}, /* DN2IA */
		[ASE_FEW]       = {AS_INACTIVE, ASX_NONE},
		[ASE_ENOUGH]    = {AS_ACTIVE,   ASX_NONE},
		[ASE_LEFT]      = {AS_DOWN,     ASX_NONE},
		[ASE_LAST]      = {AS_INACTIVE, ASX_NONE},
		[ASE_LAST_DOWN] = {AS_DOWN,     ASX_NONE},
		[ASE_ALL_DOWN]  = {AS_DOWN,     ASX_NONE},
		[ASE_TR_UP]     = {AS_DOWN,     ASX_NONE},
		[ASE_TR_DOWN]   = {AS_DOWN,     ASX_NONE},
		[ASE_STOP]      = {AS_DOWN,     ASX_NONE},
	},
	[AS_INACTIVE] = {
		[ASE_NONE]      = {AS_INACTIVE, ASX_NONE},
		[ASE_UP]        = {AS_INACTIVE, ASX_NONE},
		[ASE_FEW]       = {AS_INACTIVE, ASX_NONE}, /* NTFY AS-ACTIVE is withheld: s.4.3.4.3 */
		[ASE_ENOUGH]    = {AS_ACTIVE,   ASX_NONE}, /* IA2AC */
		[ASE_LEFT]      = {AS_INACTIVE, ASX_NONE},
		[ASE_LAST]      = {AS_INACTIVE, ASX_NONE},
		[ASE_LAST_DOWN] = {AS_DOWN,     ASX_NONE},
		[ASE_ALL_DOWN]  = {AS_DOWN,     ASX_NONE}, /* IA2DN */
		[ASE_TR_UP]     = {AS_INACTIVE, ASX_NONE},
		[ASE_TR_DOWN]   = {AS_INACTIVE, ASX_NONE},
		[ASE_STOP]      = {AS_INACTIVE, ASX_NONE},
	},
	[AS_ACTIVE] = {
		[ASE_NONE]      = {AS_ACTIVE,   ASX_NONE},
		[ASE_UP]        = {AS_ACTIVE,   ASX_NONE},
		[ASE_FEW]       = {AS_ACTIVE,   ASX_NONE},
		[ASE_ENOUGH]    = {AS_ACTIVE,   ASX_NONE},
		[ASE_LEFT]      = {AS_ACTIVE,   ASX_NONE}, /* "keeps AS-ACTIVE till the last" */
		[ASE_LAST]      = {AS_PENDING,  ASX_START_TR}, /* AC2PN */
		[ASE_LAST_DOWN] = {AS_PENDING,  ASX_START_TR}, /* AC2PN */
		[ASE_ALL_DOWN]  = {AS_PENDING,  ASX_START_TR},
		[ASE_TR_UP]     = {AS_ACTIVE,   ASX_NONE},
		[ASE_TR_DOWN]   = {AS_ACTIVE,   ASX_NONE},
		[ASE_STOP]      = {AS_INACTIVE, ASX_NONE},
	},
	[AS_PENDING] = {
		[ASE_NONE]      = {AS_PENDING,  ASX_NONE},
		[ASE_UP]        = {AS_PENDING,  ASX_NONE},
		[ASE_FEW]       = {AS_ACTIVE,   ASX_STOP_TR}, /* PN2AC: one is enough */
		[ASE_ENOUGH]    = {AS_ACTIVE,   ASX_STOP_TR}, /* PN2AC */
		[ASE_LEFT]      = {AS_PENDING,  ASX_NONE},
		[ASE_LAST]      = {AS_PENDING,  ASX_NONE},
		[ASE_LAST_DOWN] = {AS_PENDING,  ASX_NONE},
		[ASE_ALL_DOWN]  = {AS_PENDING,  ASX_NONE}, /* T(r) decides */
		[ASE_TR_UP]     = {AS_INACTIVE, ASX_NONE}, /* PN2IA */
		[ASE_TR_DOWN]   = {AS_DOWN,     ASX_NONE}, /* PN2DN */
		[ASE_STOP]      = {AS_INACTIVE, ASX_STOP_TR},
	},
};
/* clang-format on */

void as_count(const struct as *as, struct as_counts *out)
{
	const struct as_asp *m;

	*out = (struct as_counts){0};
	llist_for_each_entry (m, &as->asps, in_as) {
		out->up += m->state != ASP_DOWN;
		out->active += m->state == ASP_ACTIVE;
	}
}

enum as_event as_event_of(const struct as_counts *was, const struct as_counts *now, unsigned n)
{
	if (now->active > was->active)
		return now->active >= n ? ASE_ENOUGH : ASE_FEW;
	if (now->active < was->active && now->active > 0)
		return ASE_LEFT;
	if (now->active < was->active)
		return now->up ? ASE_LAST : ASE_LAST_DOWN;
	if (now->up > was->up)
		return ASE_UP;
	if (now->up < was->up && now->up == 0)
		return ASE_ALL_DOWN;
	return ASE_NONE;
}

/* What DATA to its destinations meets (s.4.5, s.3.4.6); while pending, what it met before. */
static enum dest_status status_through(const struct as *as)
{
	switch (as->state) {
	case AS_ACTIVE: return as->insufficient ? DEST_RESTRICTED : DEST_AVAILABLE;
	case AS_PENDING: return as->status;
	default: return DEST_UNAVAILABLE;
	}
}

/* n+k (s.1.4.4.1): fewer than n active in an active AS is told to its inactive ones; n again is told to all,
 * as in Figure 5.2.3. STATE_TOLD: this change has announced AS-ACTIVE already. */
static void check_resources(
	struct as *as, const struct as_counts *was, const struct as_counts *now, bool state_told)
{
	bool few = as->state == AS_ACTIVE && now->active < as_required(as);

	if (few && !as->sg->leave.on && (!as->insufficient || now->active < was->active))
		ntfy_insufficient(as);
	if (!few && as->insufficient && as->state == AS_ACTIVE && !state_told)
		ntfy_as_state(as, NULL);
	as->insufficient = few;
}

void as_members_changed(
	struct as *as, const struct as_counts *was, const struct asp *failed, const char *reason)
{
	struct as_counts now;
	uint64_t before = as->transitions;
	enum as_event e;

	as_count(as, &now);
	e = as_event_of(was, &now, as_required(as));
	if (as->sg->leave.on && e == ASE_LAST) /* nobody will come back within T(r) */
		e = ASE_STOP;
	as_transition(as, e, failed, reason);
	check_resources(as, was, &now, as->transitions != before);
	as->status = status_through(as);
	table_dirty_as(as);
	sg_as_stale(as);
}

static void t_r_expired(void *data)
{
	struct as *as = data;
	struct as_counts now;

	as_count(as, &now);
	as_transition(as, now.up ? ASE_TR_UP : ASE_TR_DOWN, NULL, "T(r) expired");
	sg_settle(as->sg);
}

static void act(struct as *as, enum as_action action)
{
	switch (action) {
	case ASX_START_TR:
		osmo_timer_setup(&as->t_r, t_r_expired, as);
		osmo_timer_schedule(
			&as->t_r, (int)(as->conf->t_r_ms / 1000), (int)(as->conf->t_r_ms % 1000 * 1000));
		break;
	case ASX_STOP_TR: osmo_timer_del(&as->t_r); break;
	case ASX_NONE: break;
	}
}

void as_transition(struct as *as, enum as_event e, const struct asp *failed, const char *reason)
{
	enum as_state from = as->state;
	const struct as_cell *cell = &as_fsm[from][e];

	if (cell->next == from)
		return;
	as->state = cell->next;
	as->since_ms = clock_ms();
	as->reason = reason;
	as->transitions++;
	if (as->state != AS_ACTIVE)
		as->insufficient = false;
	as->status = status_through(as);
	if (limit_allows(&as->sg->as_log, SG_LOGS_PER_SECOND, NULL))
		LOGP(DAS, LOGL_NOTICE, "as %s: %s -> %s (%s)\n", as->name, as_state_name(from),
			as_state_name(as->state), reason);
	act(as, cell->action);
	if (as->state == AS_DOWN)
		rkm_as_down(as);
	if (as->state == AS_PENDING)
		client_needed(as);
	if (as->state == AS_DOWN || as->state == AS_INACTIVE)
		ssnm_rx_forget(as);
	if (!as->removed)
		ntfy_as_state(as, failed);
	table_dirty_as(as);
	sg_as_stale(as);
}
