/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The receiving half of a link's sequence part: every message is checked, counted and either delivered in
 * order, held, or discarded for a reason that has a name. */
#include "base/clock.h"
#include "data/assoc.h"
#include "data/forward.h"

enum { SI_MASK = 0x0f, SI_USER_PARTS = 3 }; /* SI 0 to 2: network management and testing (Q.704 s.14.2.1) */

static void discard(struct assoc *a, struct mbuf *m, enum drop_reason r)
{
	assoc_drop(a, r);
	mbuf_free(a->worker->pool, m);
}

/* ---- messages that are none ---- */

_Static_assert(
	DROP_M2PA_MSU - DROP_M2PA_SHORT == M2PA_SHORT_MSU - M2PA_SHORT, "a drop reason for every fault");

static void malformed(struct assoc *a, struct mbuf *m, const struct m2pa_msg *msg, enum m2pa_fault f)
{
	/* s.4.1.9: alignment with another version is not completed */
	if (f == M2PA_BAD_VERSION && msg->type == M2PA_LINK_STATUS && msg->state == M2PA_ALIGNMENT)
		m2pa_fail(a, M2PA_F_OTHER_VERSION);
	discard(a, m, (enum drop_reason)(DROP_M2PA_SHORT + (f - M2PA_SHORT)));
}

/* ---- delivery ---- */

static bool is_held(const struct m2pa *s)
{
	return s->outage || s->busy || s->starved;
}

static void hold(struct m2pa *s, struct mbuf *m)
{
	mbufq_push(&s->held, m);
}

/* Control does not keep up: this is the receive congestion of s.4.1.5. */
static void starve(struct assoc *a)
{
	a->m2pa->starved = true;
	a->m2pa->told_abated = false;
	m2pa_tell_news(a, M2N_CONGESTED);
	m2pa_run_tick(a);
}

/* False: M is still the caller's. */
static bool deliver(struct assoc *a, struct mbuf *m)
{
	struct m2pa *s = a->m2pa;

	if ((mbuf_head(m)[0] & SI_MASK) >= SI_USER_PARTS) {
		forward_msu(a->worker, a, m);
	} else if (!assoc_tell(a, m, N_MESSAGE)) {
		starve(a);
		return false;
	}
	s->bsn = m2pa_seq_next(s->bsn);
	s->ack_due = true;
	worker_touch(a->worker, a);
	return true;
}

void m2pa_deliver_held(struct assoc *a)
{
	struct m2pa *s = a->m2pa;

	while (s->held.n && !is_held(s)) {
		struct mbuf *m = mbufq_pop(&s->held);
		struct mbufq back;

		if (deliver(a, m))
			continue;
		mbufq_init(&back);
		mbufq_push(&back, m);
		mbufq_prepend(&s->held, &back);
	}
}

void m2pa_discard_held(struct assoc *a, enum drop_reason r)
{
	struct m2pa *s = a->m2pa;
	struct mbuf *m;

	while ((m = mbufq_pop(&s->held)))
		discard(a, m, r);
	s->rcvd = s->bsn;
}

/* ---- User Data ---- */

/* Q.703 s.5.3.2: any two in three consecutive messages that are neither the last BSN nor the FSN of a
 * retained message: the link is faulty. */
static bool bsn_is_normal(struct assoc *a, uint32_t bsn)
{
	struct m2pa *s = a->m2pa;
	bool ok = m2pa_acknowledge(a, bsn);

	s->odd_bsns = (uint8_t)((s->odd_bsns << 1 | !ok) & 7);
	if (!ok && __builtin_popcount(s->odd_bsns) >= 2)
		m2pa_fail(a, M2PA_F_ABNORMAL_BSN);
	return ok;
}

static void on_empty(struct assoc *a, struct mbuf *m, const struct m2pa_msg *msg)
{
	counter_add(&a->c[AC_ACKS_RX], 1);
	if (msg->fsn != a->m2pa->rcvd && !a->m2pa->resync)
		assoc_drop(a, DROP_M2PA_FSN);
	mbuf_free(a->worker->pool, m); /* never acknowledged (s.4.2.1) */
}

static void on_msu(struct assoc *a, struct mbuf *m, const struct m2pa_msg *msg)
{
	struct m2pa *s = a->m2pa;

	if (msg->fsn != m2pa_seq_next(s->rcvd)) {
		discard(a, m, DROP_M2PA_FSN);
		return;
	}
	if (s->held.n >= a->txq_limit) {
		discard(a, m, DROP_M2PA_RX_FULL);
		return;
	}
	counter_add(&a->c[AC_RX_DATA], 1);
	s->rcvd = msg->fsn;
	m->off += M2PA_USER_HEADER;
	m->len = msg->msu_len;
	m->aux = msg->pri;
	if (is_held(s) || !deliver(a, m))
		hold(s, m);
}

static void on_user_data(struct assoc *a, struct mbuf *m, const struct m2pa_msg *msg)
{
	struct m2pa *s = a->m2pa;

	if (!s->open) {
		discard(a, m, DROP_M2PA_CLOSED);
		return;
	}
	if (!bsn_is_normal(a, msg->bsn)) {
		discard(a, m, DROP_M2PA_BSN);
		return;
	}
	if (!s->heard) {
		s->heard = true;
		m2pa_tell_news(a, M2N_DATA);
	}
	if (!msg->msu_len)
		on_empty(a, m, msg);
	else if (s->resync) /* it was sent before the peer knew: our Processor Recovered has disowned it */
		discard(a, m, DROP_M2PA_RESYNC);
	else
		on_msu(a, m, msg);
}

/* ---- Link Status: what concerns the sequence at once; the rest is control's ---- */

static void on_processor_outage(struct assoc *a, const struct m2pa_msg *msg)
{
	a->m2pa->peer_out = true;
	m2pa_acknowledge(a, msg->bsn);
}

static void on_processor_recovered(struct assoc *a, const struct m2pa_msg *msg)
{
	a->m2pa->peer_bsn = msg->bsn; /* m2pa_answer() will use it */
}

/* s.4.1.4: the answer to our Processor Recovered is answered by Ready; every other Ready means no more than
 * its acknowledgement. */
static void on_ready(struct assoc *a, const struct m2pa_msg *msg)
{
	struct m2pa *s = a->m2pa;
	struct mbuf *m;

	if (!s->resync) {
		if (s->open)
			m2pa_acknowledge(a, msg->bsn);
		return;
	}
	m = mbuf_alloc(a->worker->pool);
	if (!m) {
		assoc_do_abort(a, "no buffer for a link status");
		return;
	}
	s->resync = false;
	m2pa_resync(a, msg->bsn, s->flush);
	m2pa_queue_status(a, m, M2PA_READY, 1, 0);
}

static void on_busy(struct assoc *a, const struct m2pa_msg *msg)
{
	(void)msg;
	if (a->m2pa->open)
		a->m2pa->peer_busy = true;
	ev_timer_stop(a->worker->ev, &a->m2pa->t7);
}

static void on_busy_ended(struct assoc *a, const struct m2pa_msg *msg)
{
	struct m2pa *s = a->m2pa;

	(void)msg;
	if (!s->peer_busy)
		return;
	s->peer_busy = false;
	m2pa_resume(a);
}

static void on_link_status(struct assoc *a, struct mbuf *m, const struct m2pa_msg *msg)
{
	static void (*const on[])(struct assoc *, const struct m2pa_msg *) = {
		[M2PA_READY] = on_ready,
		[M2PA_PROCESSOR_OUTAGE] = on_processor_outage,
		[M2PA_PROCESSOR_RECOVERED] = on_processor_recovered,
		[M2PA_BUSY] = on_busy,
		[M2PA_BUSY_ENDED] = on_busy_ended,
		[M2PA_OUT_OF_SERVICE] = NULL,
	};

	if (on[msg->state])
		on[msg->state](a, msg);
	m->ssn = PE_M2PA_STATUS;
	m->aux = msg->state;
	m->stream = a->m2pa->retained.n != 0;
	if (!assoc_tell(a, m, N_M2PA_EVENT))
		discard(a, m, DROP_CONTROL_BUSY);
}

void m2pa_on_message(struct assoc *a, struct mbuf *m)
{
	struct m2pa_msg msg;
	enum m2pa_fault f;

	/* TCP's messages have no PPID of their own */
	if (m->ppid != TP_PPID_M2PA && !a->ops->ordered_only) {
		discard(a, m, DROP_BAD_PPID);
		return;
	}
	f = m2pa_parse(mbuf_head(m), m->len, &msg);
	if (f != M2PA_NO_FAULT)
		malformed(a, m, &msg, f);
	else if (msg.type == M2PA_USER_DATA)
		on_user_data(a, m, &msg);
	else
		on_link_status(a, m, &msg);
}
