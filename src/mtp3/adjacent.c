/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Called by linkset.c, restart.c and input.c. Routes through a neighbour that restarts are as if it had said
 * nothing (s.9.6.2), and it is told everything anew. */
#include "mtp3/adjacent.h"

#include "base/clock.h"
#include "mtp3/inhibit.h"
#include "mtp3/linkset.h"
#include "mtp3/out.h"
#include "mtp3/restart.h"
#include "mtp3/route_test.h"
#include "mtp3/tfx.h"

/* clang-format off */
const struct adj_cell adj_fsm[ADJ_STATES][AE_EVENTS] = {
	[ADJ_DOWN] = {
		[AE_LINK]      = {ADJ_BEGUN, AX_BEGIN},
		[AE_SHORT]     = {ADJ_UP,    AX_UP},
		[AE_AVAILABLE] = {ADJ_DOWN,  AX_NONE},
		[AE_TRA]       = {ADJ_DOWN,  AX_NONE},
		[AE_TRW]       = {ADJ_DOWN,  AX_NONE},
		[AE_OWN_DONE]  = {ADJ_DOWN,  AX_NONE},
		[AE_T21]       = {ADJ_DOWN,  AX_NONE},
		[AE_DOWN]      = {ADJ_DOWN,  AX_NONE},
	},
	[ADJ_BEGUN] = {
		[AE_LINK]      = {ADJ_BEGUN, AX_NONE},
		[AE_SHORT]     = {ADJ_BEGUN, AX_NONE},
		[AE_AVAILABLE] = {ADJ_TOLD,  AX_TELL},
		[AE_TRA]       = {ADJ_HEARD, AX_NONE},
		[AE_TRW]       = {ADJ_BEGUN, AX_WAIT},
		[AE_OWN_DONE]  = {ADJ_UP,    AX_TELL_UP}, /* s.9.2.4 */
		[AE_T21]       = {ADJ_UP,    AX_UP},
		[AE_DOWN]      = {ADJ_DOWN,  AX_END},
	},
	[ADJ_HEARD] = {
		[AE_LINK]      = {ADJ_HEARD, AX_NONE},
		[AE_SHORT]     = {ADJ_HEARD, AX_NONE},
		[AE_AVAILABLE] = {ADJ_UP,    AX_TELL_UP},
		[AE_TRA]       = {ADJ_HEARD, AX_NONE},
		[AE_TRW]       = {ADJ_BEGUN, AX_WAIT},
		[AE_OWN_DONE]  = {ADJ_UP,    AX_TELL_UP},
		[AE_T21]       = {ADJ_UP,    AX_UP},
		[AE_DOWN]      = {ADJ_DOWN,  AX_END},
	},
	[ADJ_TOLD] = {
		[AE_LINK]      = {ADJ_TOLD,  AX_NONE},
		[AE_SHORT]     = {ADJ_TOLD,  AX_NONE},
		[AE_AVAILABLE] = {ADJ_TOLD,  AX_NONE},
		[AE_TRA]       = {ADJ_UP,    AX_UP},
		[AE_TRW]       = {ADJ_TOLD,  AX_WAIT},
		[AE_OWN_DONE]  = {ADJ_UP,    AX_TELL_UP},
		[AE_T21]       = {ADJ_UP,    AX_UP},
		[AE_DOWN]      = {ADJ_DOWN,  AX_END},
	},
	[ADJ_UP] = {
		[AE_LINK]      = {ADJ_UP,    AX_NONE},
		[AE_SHORT]     = {ADJ_UP,    AX_NONE},
		[AE_AVAILABLE] = {ADJ_UP,    AX_CATCH_UP}, /* s.13.2.2 iv */
		[AE_TRA]       = {ADJ_UP,    AX_ANSWER}, /* s.9.5 */
		[AE_TRW]       = {ADJ_UP,    AX_NONE},
		[AE_OWN_DONE]  = {ADJ_UP,    AX_NONE},
		[AE_T21]       = {ADJ_UP,    AX_NONE},
		[AE_DOWN]      = {ADJ_DOWN,  AX_END},
	},
};
/* clang-format on */

static void t21_expired(void *data)
{
	struct mtp3_linkset *ls = data;

	adjacent_transition(ls, AE_T21, "T21 expired");
	settle(ls->net);
}

static void t19_expired(void *data)
{
	(void)data; /* it only had to be pending */
}

static void begin(struct mtp3_linkset *ls)
{
	ls->tra_received = false;
	tfx_forget(ls);
	route_test_forget(ls);
	timer_start(&ls->t21, ls->net, MTP3_T21, t21_expired, ls);
}

static void tell(struct mtp3_linkset *ls)
{
	struct snm m = {.id = SNM_TRA};

	tfx_announce(ls);
	out_to_neighbour(ls, NULL, &m);
}

/* s.9.5.1, 9.5.2: T19 keeps two neighbours from answering each other for ever. */
static void answer(struct mtp3_linkset *ls)
{
	if (osmo_timer_pending(&ls->t19))
		return;
	tfx_renew(ls);
	tell(ls);
	timer_start(&ls->t19, ls->net, MTP3_T19, t19_expired, ls);
}

static void end(struct mtp3_linkset *ls)
{
	osmo_timer_del(&ls->t21);
	osmo_timer_del(&ls->t19);
	tfx_forget(ls);
	route_test_forget(ls);
	ls->tra_received = false;
}

static void act(struct mtp3_linkset *ls, enum adj_action a)
{
	switch (a) {
	case AX_BEGIN: begin(ls); break;
	case AX_TELL: tell(ls); break;
	case AX_TELL_UP:
		osmo_timer_del(&ls->t21);
		tell(ls);
		break;
	case AX_UP: osmo_timer_del(&ls->t21); break;
	case AX_WAIT: timer_start(&ls->t21, ls->net, MTP3_T21, t21_expired, ls); break;
	case AX_ANSWER: answer(ls); break;
	case AX_CATCH_UP: tfx_announce(ls); break;
	case AX_END: end(ls); break;
	case AX_NONE: break;
	}
}

void adjacent_transition(struct mtp3_linkset *ls, enum adj_event e, const char *reason)
{
	enum adj_state from = ls->adj;
	const struct adj_cell *cell = &adj_fsm[from][e];

	ls->adj = cell->next;
	if (ls->adj != from)
		LOGP(DROUTE, LOGL_INFO, "linkset %s: neighbour %s -> %s (%s)\n", ls->conf->name,
			mtp3_adj_name(from), mtp3_adj_name(ls->adj), reason);
	act(ls, cell->action);
	linkset_refresh(ls, reason);
}

void adjacent_link_in_service(struct mtp3_linkset *ls)
{
	bool accessible = restart_done(ls->net) && ops_of(ls->net)->reaches(ls->net, ls->conf->adjacent, ls);

	adjacent_transition(ls, accessible ? AE_SHORT : AE_LINK, "link in service");
}

void adjacent_ask_for_patience(struct mtp3_linkset *ls)
{
	struct snm m = {.id = SNM_TRW};

	if (ls->net->conf->variant == PC_ANSI && ls->net->conf->transfer)
		out_to_neighbour(ls, NULL, &m);
}

void adjacent_available(struct mtp3_linkset *ls)
{
	osmo_timer_del(&ls->down);
	/* s.9.4.1: back from an outage that was long; level 2 was in service all the time */
	if (ls->adj == ADJ_DOWN || ls->net->restart == RESTART_ISOLATED)
		restart_link_in_service(ls);
	restart_check_isolated(ls->net);
	if (!restart_done(ls->net)) {
		adjacent_ask_for_patience(ls);
		restart_check_enough(ls->net);
		return;
	}
	adjacent_transition(ls, AE_AVAILABLE, "linkset is available");
	if (!ls->conf->restart) /* nobody will send it */
		adjacent_transition(ls, AE_TRA, "does not restart");
}

static void down_for_t1(void *data)
{
	struct mtp3_linkset *ls = data;

	if (inhibit_may_help(ls) ||
		linkset_in_changeover(ls)) /* s.9.4.2; traffic that is held is not given up */
		timer_start(&ls->down, ls->net, MTP3_T1, down_for_t1, ls);
	else if (!linkset_available(ls))
		adjacent_transition(ls, AE_DOWN, "no link is left");
	settle(ls->net);
}

/* s.9.4.1: a neighbour that is away for less than T1 does not restart. */
void adjacent_unavailable(struct mtp3_linkset *ls)
{
	if (!linkset_available(ls) && ls->adj != ADJ_DOWN && !osmo_timer_pending(&ls->down))
		timer_start(&ls->down, ls->net, MTP3_T1, down_for_t1, ls);
	restart_check_isolated(ls->net);
}

/* s.9.2.4: T19 for everybody that gets a TRA now. */
void adjacent_own_restart_done(struct mtp3_linkset *ls)
{
	if (!linkset_available(ls) || ls->adj == ADJ_DOWN)
		return;
	adjacent_transition(ls, AE_OWN_DONE, "own restart is done");
	timer_start(&ls->t19, ls->net, MTP3_T19, t19_expired, ls);
}

void adjacent_message(struct mtp3_linkset *ls, const struct snm *m)
{
	if (m->id == SNM_TRW) {
		adjacent_transition(ls, AE_TRW, "TRW received");
		return;
	}
	ls->tra_received = true;
	if (!restart_done(ls->net))
		restart_check_enough(ls->net);
	adjacent_transition(ls, AE_TRA, "TRA received");
}
