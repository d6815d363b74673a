/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Called by linkset.c when a link becomes unavailable or available, and by input.c. M2PA's numbers have 24
 * bits: orders and acknowledgements are the extended ones (RFC 4165 s.4.2.3); COO and COA are understood as
 * emergency ones. Level 2 is not started again before what it holds was retrieved (link_changeover_over). */
#include "mtp3/changeover.h"

#include "mtp3/inhibit.h"
#include "mtp3/link.h"
#include "mtp3/linkset.h"
#include "mtp3/out.h"
#include "mtp3/reroute.h"

/* clang-format off */
const struct co_cell co_fsm[CO_STATES][CE_EVENTS] = {
	[CO_IDLE] = {
		[CE_FAILED]          = {CO_ORDERED,    CX_ORDER},
		[CE_ISOLATED]        = {CO_TIMED,      CX_WAIT},
		[CE_OUTAGE]          = {CO_TIMED,      CX_WAIT},
		[CE_INHIBITED]       = {CO_INHIBITED,  CX_WAIT},
		[CE_ORDER]           = {CO_RETRIEVING, CX_ACK_RETRIEVE},
		[CE_ORDER_EMERGENCY] = {CO_RETRIEVING, CX_ACK_RETRIEVE_UNSENT},
		[CE_ACK]             = {CO_IDLE,       CX_NONE}, /* s.5.7.4 */
		[CE_ACK_EMERGENCY]   = {CO_IDLE,       CX_NONE},
		[CE_T1]              = {CO_IDLE,       CX_NONE},
		[CE_T2]              = {CO_IDLE,       CX_NONE},
		[CE_RETRIEVED]       = {CO_IDLE,       CX_NONE},
		[CE_AVAILABLE]       = {CO_IDLE,       CX_NONE},
	},
	[CO_ORDERED] = {
		[CE_FAILED]          = {CO_ORDERED,    CX_NONE},
		[CE_ISOLATED]        = {CO_ORDERED,    CX_NONE}, /* T2 decides */
		[CE_OUTAGE]          = {CO_ORDERED,    CX_NONE},
		[CE_INHIBITED]       = {CO_ORDERED,    CX_NONE},
		[CE_ORDER]           = {CO_RETRIEVING, CX_ACK_RETRIEVE}, /* s.5.4.1: always acknowledged */
		[CE_ORDER_EMERGENCY] = {CO_RETRIEVING, CX_ACK_RETRIEVE_UNSENT},
		[CE_ACK]             = {CO_RETRIEVING, CX_RETRIEVE},
		[CE_ACK_EMERGENCY]   = {CO_RETRIEVING, CX_RETRIEVE_UNSENT}, /* s.5.6.1 */
		[CE_T1]              = {CO_ORDERED,    CX_NONE},
		[CE_T2]              = {CO_RETRIEVING, CX_RETRIEVE_UNSENT}, /* s.5.7.2 */
		[CE_RETRIEVED]       = {CO_ORDERED,    CX_NONE},
		[CE_AVAILABLE]       = {CO_IDLE,       CX_RELEASE},
	},
	[CO_TIMED] = {
		[CE_FAILED]          = {CO_ORDERED,    CX_ORDER}, /* an outage became a failure */
		[CE_ISOLATED]        = {CO_TIMED,      CX_NONE},
		[CE_OUTAGE]          = {CO_TIMED,      CX_NONE},
		[CE_INHIBITED]       = {CO_TIMED,      CX_NONE},
		[CE_ORDER]           = {CO_RETRIEVING, CX_ACK_RETRIEVE}, /* s.5.6.2: "advantageous to switch" */
		[CE_ORDER_EMERGENCY] = {CO_RETRIEVING, CX_ACK_RETRIEVE_UNSENT},
		[CE_ACK]             = {CO_TIMED,      CX_NONE},
		[CE_ACK_EMERGENCY]   = {CO_TIMED,      CX_NONE},
		[CE_T1]              = {CO_RETRIEVING, CX_RETRIEVE_UNSENT},
		[CE_T2]              = {CO_TIMED,      CX_NONE},
		[CE_RETRIEVED]       = {CO_TIMED,      CX_NONE},
		[CE_AVAILABLE]       = {CO_IDLE,       CX_RELEASE}, /* a short outage */
	},
	[CO_INHIBITED] = { /* the link itself works: what it has, it delivers */
		[CE_FAILED]          = {CO_ORDERED,    CX_ORDER},
		[CE_ISOLATED]        = {CO_TIMED,      CX_WAIT},
		[CE_OUTAGE]          = {CO_TIMED,      CX_WAIT},
		[CE_INHIBITED]       = {CO_INHIBITED,  CX_NONE},
		[CE_ORDER]           = {CO_RETRIEVING, CX_ACK_RETRIEVE},
		[CE_ORDER_EMERGENCY] = {CO_RETRIEVING, CX_ACK_RETRIEVE_UNSENT},
		[CE_ACK]             = {CO_INHIBITED,  CX_NONE},
		[CE_ACK_EMERGENCY]   = {CO_INHIBITED,  CX_NONE},
		[CE_T1]              = {CO_DONE,       CX_COMPLETE},
		[CE_T2]              = {CO_INHIBITED,  CX_NONE},
		[CE_RETRIEVED]       = {CO_INHIBITED,  CX_NONE},
		[CE_AVAILABLE]       = {CO_IDLE,       CX_RELEASE},
	},
	[CO_RETRIEVING] = {
		[CE_FAILED]          = {CO_RETRIEVING, CX_NONE},
		[CE_ISOLATED]        = {CO_RETRIEVING, CX_NONE},
		[CE_OUTAGE]          = {CO_RETRIEVING, CX_NONE},
		[CE_INHIBITED]       = {CO_RETRIEVING, CX_NONE},
		[CE_ORDER]           = {CO_RETRIEVING, CX_ACK},
		[CE_ORDER_EMERGENCY] = {CO_RETRIEVING, CX_ACK},
		[CE_ACK]             = {CO_RETRIEVING, CX_NONE},
		[CE_ACK_EMERGENCY]   = {CO_RETRIEVING, CX_NONE},
		[CE_T1]              = {CO_RETRIEVING, CX_NONE},
		[CE_T2]              = {CO_RETRIEVING, CX_NONE},
		[CE_RETRIEVED]       = {CO_DONE,       CX_COMPLETE},
		[CE_AVAILABLE]       = {CO_RETRIEVING, CX_NONE},
	},
	[CO_DONE] = {
		[CE_FAILED]          = {CO_DONE,       CX_NONE},
		[CE_ISOLATED]        = {CO_DONE,       CX_NONE},
		[CE_OUTAGE]          = {CO_DONE,       CX_NONE},
		[CE_INHIBITED]       = {CO_DONE,       CX_NONE},
		[CE_ORDER]           = {CO_DONE,       CX_ACK_EMERGENCY}, /* s.5.7.5 */
		[CE_ORDER_EMERGENCY] = {CO_DONE,       CX_ACK_EMERGENCY},
		[CE_ACK]             = {CO_DONE,       CX_NONE},
		[CE_ACK_EMERGENCY]   = {CO_DONE,       CX_NONE},
		[CE_T1]              = {CO_DONE,       CX_NONE},
		[CE_T2]              = {CO_DONE,       CX_NONE},
		[CE_RETRIEVED]       = {CO_DONE,       CX_NONE},
		[CE_AVAILABLE]       = {CO_IDLE,       CX_NONE},
	},
};
/* clang-format on */

static void timer_expired(void *data)
{
	struct mtp3_link *l = data;
	bool ordered = l->co == CO_ORDERED;

	changeover_transition(l, ordered ? CE_T2 : CE_T1, ordered ? "T2 expired" : "T1 expired");
	settle(l->ls->net);
}

/* ORDER: an XCO, else an XCA; ECO or ECA if level 2 cannot say what it has accepted (s.5.6.1). */
static void send(struct mtp3_link *l, bool order, bool emergency)
{
	struct snm m = {.slc = l->conf->slc};

	if (!emergency && !ops_of(l->ls->net)->link_bsnt(l, &m.fsn))
		emergency = true;
	if (emergency)
		m.id = order ? SNM_ECO : SNM_ECA;
	else
		m.id = order ? SNM_XCO : SNM_XCA;
	out_to_neighbour(l->ls, l, &m);
}

/* s.5.7.3: an FSN out of reason means no retrieval. */
static void retrieve(struct mtp3_link *l, bool has_fsnc, uint32_t fsnc)
{
	const struct mtp3_ops *ops = ops_of(l->ls->net);

	osmo_timer_del(&l->co_timer);
	if (has_fsnc && ops->link_retrieve(l, true, fsnc))
		return;
	ops->link_retrieve(l, false, 0);
}

/* An outage may have ended during the retrieval: then the link keeps its traffic. */
static void complete(struct mtp3_link *l)
{
	if (l->available)
		linkset_release(l);
	linkset_changeover_done(l);
	link_changeover_over(l);
	if (l->available)
		changeover_transition(l, CE_AVAILABLE, "available again");
}

static void act(struct mtp3_link *l, enum co_action a, uint32_t fsnc)
{
	switch (a) {
	case CX_ORDER:
		timer_start(&l->co_timer, l->ls->net, MTP3_T2, timer_expired, l);
		send(l, true, false);
		break;
	case CX_WAIT: timer_start(&l->co_timer, l->ls->net, MTP3_T1, timer_expired, l); break;
	case CX_RETRIEVE: retrieve(l, true, fsnc); break;
	case CX_RETRIEVE_UNSENT: retrieve(l, false, 0); break;
	case CX_ACK_RETRIEVE:
		send(l, false, false);
		retrieve(l, true, fsnc);
		break;
	case CX_ACK_RETRIEVE_UNSENT:
		send(l, false, false);
		retrieve(l, false, 0);
		break;
	case CX_ACK: send(l, false, false); break;
	case CX_ACK_EMERGENCY: send(l, false, true); break;
	case CX_COMPLETE: complete(l); break;
	case CX_RELEASE:
		osmo_timer_del(&l->co_timer);
		linkset_release(l);
		break;
	case CX_NONE: break;
	}
}

static void transition(struct mtp3_link *l, enum co_event e, uint32_t fsnc, const char *reason)
{
	enum co_state from = l->co;
	const struct co_cell *cell = &co_fsm[from][e];

	l->co = cell->next;
	if (from == CO_IDLE && l->co != CO_IDLE)
		mtp3_link_count(l, MTP3_LC_CHANGEOVERS);
	if (l->co != from)
		LOGP(DROUTE, LOGL_INFO, "link %s: changeover %s -> %s (%s)\n", l->conf->name,
			mtp3_changeover_name(from), mtp3_changeover_name(l->co), reason);
	act(l, cell->action, fsnc);
	reroute_changeover_over(l->ls->net);
}

void changeover_transition(struct mtp3_link *l, enum co_event e, const char *reason)
{
	transition(l, e, 0, reason);
}

static enum co_event event_of(unsigned id)
{
	switch (id) {
	case SNM_XCO: return CE_ORDER;
	case SNM_XCA: return CE_ACK;
	case SNM_COA:
	case SNM_ECA: return CE_ACK_EMERGENCY;
	default: return CE_ORDER_EMERGENCY;
	}
}

void changeover_message(struct mtp3_link *l, const struct snm *m)
{
	enum co_event e = event_of(m->id);
	bool order = e == CE_ORDER || e == CE_ORDER_EMERGENCY;

	if (order)
		mtp3_link_count(l, MTP3_LC_ORDERS);

	/* The neighbour has given up a link that we use: so do we, led by its order. A link that was not in
	 * use when the order came has nothing to divert: it is answered as after a completed changeover. */
	if (order && l->state == LINK_ACTIVE && l->co != CO_DONE) {
		l->ordered_by_peer = true;
		link_transition(l, LE_ORDERED, "changeover order received");
		l->ordered_by_peer = false;
	} else if (order && l->co == CO_IDLE) {
		send(l, false, true);
		return;
	}
	transition(l, e, m->fsn, snm_name(m->id));
	linkset_refresh(l->ls, snm_name(m->id));
}

void changeover_stale(struct mtp3_link *l, const struct snm *m)
{
	enum co_event e = event_of(m->id);

	l->ls->net->stats.strays++;
	if (e == CE_ORDER ||
		e == CE_ORDER_EMERGENCY) /* s.5.4.1: always; 5.7.5: "without any further action" */
		send(l, false, true);
}

/* With no other link than one that is being uninhibited (s.10.3.2), that decides where its traffic goes. */
void mtp3_link_retrieved(struct mtp3_link *l)
{
	l->co_waits = l->co == CO_RETRIEVING && !linkset_available(l->ls) && inhibit_may_help(l->ls);
	if (!l->co_waits)
		changeover_transition(l, CE_RETRIEVED, "retrieval is done");
	settle(l->ls->net);
}

void changeover_go_on(struct mtp3_linkset *ls)
{
	for (unsigned i = 0; i < MTP3_LINKS; i++)
		if (ls->links[i] && ls->links[i]->co_waits) {
			ls->links[i]->co_waits = false;
			changeover_transition(ls->links[i], CE_RETRIEVED, "uninhibiting is over");
		}
}
