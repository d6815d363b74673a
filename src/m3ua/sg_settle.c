/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The one place where what the handlers decided takes effect, in an order that loses no DATA:
 *
 *   1. publish: DATA is accepted from ASPs that have just become active; DATA for an AS that nobody served
 *      until now waits for 3, for its NTFY may provoke some;
 *   2. routing follows registrations, and what need not wait is sent: ASPAC ACK and NTFY among it. A worker
 *      that sends the ACK has the table of 1, so DATA that the ACK provokes is welcome;
 *   3. publish: ASPs that became active get DATA, behind their ACK; those that are active no more get none;
 *   4. tell the destinations that changed (SSNM); the senders' workers have the table of 3;
 *   5. when the grace period of 3 is over, all DATA forwarded by older tables is queued: end the acceptance
 *      of DATA from ASPs that left, and send what waited for that: ASPIA ACK, ASPDN ACK, their NTFY. */
#include "m3ua/rkm.h"
#include "m3ua/role.h"
#include "m3ua/sg_int.h"
#include "m3ua/sg_table.h"

void sg_member_moved(struct as_asp *m)
{
	if (llist_empty(&m->moved))
		llist_add_tail(&m->moved, &m->as->sg->moved);
}

void sg_as_stale(struct as *as)
{
	route_egress_stale(as->egress);
}

/* DATA is sent by those that are ASP-ACTIVE, and where the gateway asks, by those that it has asked. */
static bool receives(const struct as_asp *m)
{
	const struct role_traits *r = role_of(m->asp);

	return (r->asks && client_receives(m)) || ((!r->asks || r->joint) && m->state == ASP_ACTIVE);
}

/* Step 1. Is there an AS that is about to get its first ASP? */
static bool open_ingress(struct sg *sg)
{
	bool opens = false;
	struct as_asp *m;

	llist_for_each_entry (m, &sg->moved, moved) {
		opens |= m->state == ASP_ACTIVE && !m->tx;
		if (!receives(m))
			continue;
		llist_del_init(&m->closing);
		osmo_timer_del(&m->rx_timer);
		if (m->rx)
			continue;
		m->rx = true;
		table_dirty_ingress(m->asp);
	}
	return opens;
}

static void close_ingress(void *data)
{
	struct as_asp *m = data;

	m->linger_ms = 0;
	sg_member_moved(m);
	sg_settle(m->as->sg);
}

/* An ASP that has left an AS in order may have DATA under way: accepted until its answer goes out. One that
 * the gateway dismisses as it stops sends until it has read so: accepted as long as its association lasts. */
static void end_ingress(struct sg *sg, struct as_asp *m)
{
	if (sg->leave.on && m->asp->assoc)
		return;
	if (m->linger_ms) {
		osmo_timer_setup(&m->rx_timer, close_ingress, m);
		osmo_timer_schedule(&m->rx_timer, m->linger_ms / 1000, m->linger_ms % 1000 * 1000);
		return;
	}
	osmo_timer_del(&m->rx_timer);
	if (m->state != ASP_DOWN && sg->out.used) {
		m->close_epoch = sg->out.next;
		llist_del(&m->closing);
		llist_add_tail(&m->closing, &sg->closing);
		return;
	}
	llist_del_init(&m->closing);
	m->rx = false;
	table_dirty_ingress(m->asp);
}

/* Step 3. */
static void follow_moves(struct sg *sg)
{
	struct as_asp *m, *next;

	llist_for_each_entry_safe (m, next, &sg->moved, moved) {
		llist_del_init(&m->moved);
		if (m->tx != (m->state == ASP_ACTIVE)) {
			m->tx = m->state == ASP_ACTIVE;
			table_dirty_as(m->as);
		}
		if (m->rx && !receives(m))
			end_ingress(sg, m);
	}
}

/* No table names them any more: the plane keeps their memory for its own grace period. */
static void bury_dead(struct sg *sg)
{
	struct asp_link *link, *next;

	llist_for_each_entry_safe (link, next, &sg->dead, entry) {
		llist_del(&link->entry);
		assoc_free(link->assoc);
		talloc_free(link);
	}
}

/* Step 5. */
static void grace_over(void *arg)
{
	struct sg *sg = arg;
	struct as_asp *m, *next;

	sg->out.done++;
	llist_for_each_entry_safe (m, next, &sg->closing, closing) {
		if ((int32_t)(sg->out.done - m->close_epoch) < 0)
			continue;
		llist_del_init(&m->closing);
		m->rx = false;
		table_dirty_ingress(m->asp);
	}
	sg_settle(sg);
}

void sg_settle(struct sg *sg)
{
	bool opens;

	if (sg->others)
		sg->others->settling(sg->others_arg);
	client_reg_flush(sg);
	sg->out.hold = false;
	opens = open_ingress(sg);
	table_publish(sg, !opens);
	rkm_follow(sg);
	out_release(sg);
	follow_moves(sg);
	table_publish(sg, false);
	rkm_followed(sg);
	bury_dead(sg);
	router_tell(sg->router);
	out_release(sg);
	if (!sg->out.used)
		return;
	sg->out.used = false;
	sg->out.next++;
	plane_after_grace(sg->plane, grace_over, sg);
}
