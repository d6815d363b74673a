/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The gateway takes its leave (RFC 4666 s.4.7, s.4.9): every ASP is told that it is inactive and down, in
 * order, behind the last DATA, and then its association is shut down. Bounded in time. */
#include "base/log.h"
#include "m3ua/as_fsm.h"
#include "m3ua/asp_fsm.h"
#include "m3ua/asptm.h"
#include "m3ua/role.h"
#include "m3ua/sg_int.h"

static void finish(struct sg *sg)
{
	void (*done)(void *) = sg->leave.done;
	struct asp *asp;

	llist_for_each_entry (asp, &sg->asps, entry)
		out_purge(asp); /* the plane wants its buffers back */
	osmo_timer_del(&sg->leave.timer);
	sg->leave.done = NULL;
	if (done)
		done(sg->leave.arg);
}

/* DONE is never called from inside sg_shutdown() or an event. */
static void last_gone(void *data)
{
	finish(data);
}

static void out_of_time(void *data)
{
	struct sg *sg = data;
	struct asp_link *link;

	llist_for_each_entry (link, &sg->links, entry) {
		if (link->asp)
			LOGP(DMAIN, LOGL_NOTICE, "asp %s: association not closed in time\n", link->asp->name);
		assoc_abort(link->assoc, "the gateway stops");
	}
	finish(sg);
}

void leave_check(struct sg *sg)
{
	if (!sg->leave.on || !sg->leave.done || !llist_empty(&sg->links))
		return;
	osmo_timer_setup(&sg->leave.timer, last_gone, sg);
	osmo_timer_schedule(&sg->leave.timer, 0, 0);
}

static void stop_pending(struct as *as)
{
	struct as_counts c;

	as_count(as, &c);
	osmo_timer_del(&as->t_r);
	as_transition(as, c.up ? ASE_STOP : ASE_TR_DOWN, NULL, "the gateway stops");
}

void sg_shutdown(struct sg *sg, uint32_t timeout_ms, void (*done)(void *arg), void *arg)
{
	struct sg_listener *l;
	struct asp *asp;
	struct as *as;

	sg->leave.on = true;
	sg->leave.done = done;
	sg->leave.arg = arg;
	llist_for_each_entry (l, &sg->listeners, entry) {
		if (l->ls)
			plane_unlisten(l->ls);
		l->ls = NULL;
	}
	/* ASPIA ACK, the AS's NTFY, ASPDN ACK: s.4.3.4.5 wants NTFY behind the acknowledgement */
	llist_for_each_entry (asp, &sg->asps, entry) {
		osmo_timer_del(&asp->reconnect_timer);
		if (asp->assoc && asp->up && role_of(asp)->serves && !role_of(asp)->joint)
			asptm_withdraw(asp, "the gateway stops");
	}
	llist_for_each_entry (as, &sg->ass, entry)
		if (as->state == AS_PENDING)
			stop_pending(as);
	out_hold(sg);
	llist_for_each_entry (asp, &sg->asps, entry)
		asp_close(asp, "the gateway stops");
	osmo_timer_setup(&sg->leave.timer, out_of_time, sg);
	osmo_timer_schedule(&sg->leave.timer, (int)(timeout_ms / 1000), (int)(timeout_ms % 1000 * 1000));
	sg_settle(sg);
	leave_check(sg);
}
