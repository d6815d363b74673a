/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "m3ua/out.h"

#include "base/clock.h"
#include "base/log.h"
#include "m3ua/sg_int.h"

void out_init(struct sg_out *o)
{
	*o = (struct sg_out){.next = 1};
	INIT_LLIST_HEAD(&o->asps);
}

/* A peer that asks and never reads must not take all of control's buffers: beyond what DATA may queue, so
 * many messages of control wait for it, and no more than its part of the buffers. */
static bool reads(struct asp *asp, const struct mbuf *m)
{
	struct assoc_stats s;

	assoc_stats(asp->assoc, &s);
	return s.txq < s.txq_limit + OUT_RESERVE && asp->out.n < OUT_BACKLOG &&
	       mbuf_may_wait(m, s.txq + asp->out.n);
}

struct out out_begin(struct asp *asp, uint16_t type)
{
	struct out o = {.asp = asp};

	o.w.fault = true;
	if (!asp->assoc)
		return o;
	o.m = plane_mbuf(asp->sg->plane);
	if (!o.m) {
		asp->sg->stats.no_buffer++;
		return o;
	}
	if (!reads(asp, o.m)) {
		asp->answers_dropped++;
		plane_free_mbuf(asp->sg->plane, o.m);
		o.m = NULL;
		return o;
	}
	o.w = wr_over(mbuf_head(o.m), o.m->cap - o.m->off);
	m3ua_begin(&o.w, type);
	o.m->aux = type;
	return o;
}

uint32_t out_room(const struct out *o, uint32_t reserve)
{
	uint32_t left = o->m ? (uint32_t)(o->w.end - o->w.p) : 0;

	reserve += M3UA_PARAM_HEADER;
	return left > reserve ? (left - reserve) / 4 : 0;
}

void out_end(struct out *o, uint16_t stream)
{
	struct asp *asp = o->asp;
	struct sg_out *q = &asp->sg->out;
	struct mbuf *m = o->m;

	if (!m)
		return;
	m->len = m3ua_end(&o->w);
	if (!m->len) {
		plane_free_mbuf(asp->sg->plane, m);
		return;
	}
	asp->tx[asp_type_slot((uint16_t)m->aux)]++;
	m->ppid = TP_PPID_M3UA;
	m->stream = stream;
	m->aux = q->hold ? q->next : q->done;
	mbufq_push(&asp->out, m);
	if (asp->out.n == 1)
		llist_add_tail(&asp->sending, &q->asps);
}

void out_hold(struct sg *sg)
{
	sg->out.hold = true;
	sg->out.used = true;
}

void out_pace(struct asp *asp)
{
	if (asp->paced || asp->out.n < OUT_CROWDED || !asp->assoc)
		return;
	asp->paced = true;
	assoc_restrain(asp->assoc, true);
}

/* Nothing of it waits any more. */
static void let_read(struct asp *asp)
{
	llist_del_init(&asp->sending);
	if (asp->paced && asp->assoc)
		assoc_restrain(asp->assoc, false);
	asp->paced = false;
}

void out_release(struct sg *sg)
{
	struct asp *asp, *next;

	llist_for_each_entry_safe (asp, next, &sg->out.asps, sending) {
		if (sg->rkm.followed < asp->out_after)
			continue;
		while (asp->out.first && (int32_t)(sg->out.done - asp->out.first->aux) >= 0)
			assoc_send(asp->assoc, mbufq_pop(&asp->out));
		if (asp->out.first)
			continue;
		let_read(asp);
		if (asp->shutdown_after_out) {
			asp->shutdown_after_out = false;
			assoc_shutdown(asp->assoc);
		}
	}
}

void out_purge(struct asp *asp)
{
	struct mbuf *m;

	while ((m = mbufq_pop(&asp->out)))
		plane_free_mbuf(asp->sg->plane, m);
	let_read(asp);
	asp->shutdown_after_out = false;
}
