/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Queues, and level 2 of a link: it holds, loses and gives back messages. */
#include "rig_int.h"

/* ---- queues ---- */

void mq_init(struct mq *q)
{
	q->first = NULL;
	q->last = &q->first;
	q->n = 0;
}

void mq_push(struct mq *q, struct msg *m)
{
	m->next = NULL;
	*q->last = m;
	q->last = &m->next;
	q->n++;
}

struct msg *mq_pop(struct mq *q)
{
	struct msg *m = q->first;

	if (!m)
		return NULL;
	q->first = m->next;
	if (!q->first)
		q->last = &q->first;
	q->n--;
	return m;
}

void mq_purge(struct mq *q)
{
	struct msg *m;

	while ((m = mq_pop(q)))
		free(m);
}

struct msg *msg_of(const uint8_t *data, uint32_t len)
{
	struct msg *m = calloc(1, sizeof(*m));

	assert_non_null(m);
	assert_true(len <= sizeof(m->data));
	memcpy(m->data, data, len);
	m->len = (uint16_t)len;
	return m;
}

/* ---- level 2 ---- */

void l2_transmit(struct l2 *w)
{
	struct msg *m;

	while (w->up && !w->stall && (m = mq_pop(&w->unsent))) {
		struct msg *copy = msg_of(m->data, m->len);

		copy->fsn = m->fsn = ++w->fsn;
		mq_push(&w->unacked, m);
		mq_push(&w->flight, copy);
	}
}

void l2_send(struct l2 *w, const uint8_t *data, uint32_t len)
{
	mq_push(&w->unsent, msg_of(data, len));
	l2_transmit(w);
}

static void l2_down(struct l2 *w, bool report)
{
	mq_purge(&w->flight);
	w->report_out |= report && (w->up || w->started);
	w->up = false;
	w->started = false;
}

void rig_break(struct l2 *w)
{
	w->broken = w->peer->broken = true;
	l2_down(w, true);
	l2_down(w->peer, true);
}

void rig_repair(struct l2 *w)
{
	w->broken = w->peer->broken = false;
}

struct l2 *l2_of(const struct mtp3_link *l)
{
	return l->user;
}

void l2_op_start(struct mtp3_link *l, bool emergency)
{
	struct l2 *w = l2_of(l);

	w->started = true;
	w->starts++;
	w->emergencies += emergency;
	mq_purge(&w->unsent);
	mq_purge(&w->unacked);
	w->fsn = w->bsn = 0;
	if (w->broken)
		l2_down(w, true);
}

void l2_op_stop(struct mtp3_link *l)
{
	struct l2 *w = l2_of(l);
	bool was = w->up;

	w->stops++;
	l2_down(w, false);
	if (was)
		l2_down(w->peer, true);
}

void l2_op_fail(struct mtp3_link *l, const char *reason)
{
	struct l2 *w = l2_of(l);

	(void)reason;
	l2_down(w, true);
	l2_down(w->peer, true);
}

void l2_op_outage(struct mtp3_link *l, bool on)
{
	struct l2 *w = l2_of(l);

	w->stall = w->peer->stall = on;
	mtp3_link_remote_outage(w->peer->link, on);
}

void l2_op_resume(struct mtp3_link *l, bool flush)
{
	struct l2 *w = l2_of(l);

	w->resumes++;
	w->flushes += flush;
	if (flush)
		mq_purge(&w->unsent);
}

bool l2_op_bsnt(struct mtp3_link *l, uint32_t *bsnt)
{
	*bsnt = l2_of(l)->bsn;
	return !l2_of(l)->no_bsnt;
}

bool l2_op_retrieve(struct mtp3_link *l, bool has_fsnc, uint32_t fsnc)
{
	struct l2 *w = l2_of(l);
	struct msg *m;

	if (has_fsnc && (fsnc > w->fsn || fsnc < w->fsn - w->unacked.n))
		return false;
	while ((m = mq_pop(&w->unacked)))
		if (has_fsnc && m->fsn > fsnc)
			mq_push(&w->retrieved, m);
		else
			free(m);
	while ((m = mq_pop(&w->unsent)))
		mq_push(&w->retrieved, m);
	if (w->slow_retrieval)
		w->report_retrieved = true;
	else
		mtp3_link_retrieved(l);
	return true;
}

void rig_record(struct rig *r, const uint8_t *msu, uint32_t len, enum pc_variant v)
{
	struct mtp3_label label;
	struct snm m;

	assert_int_equal(snm_read(msu, len, v, &label, &m), MTP3_OK);
	assert_true(r->n_log < sizeof(r->log));
	r->log[r->n_log++] = m.id;
}

void l2_op_send(struct mtp3_link *l, const uint8_t *msu, uint32_t len)
{
	rig_record(l2_of(l)->rig, msu, len, l->ls->net->conf->variant);
	l2_send(l2_of(l), msu, len);
}
