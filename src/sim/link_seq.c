/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sequence part of a link (RFC 4165 s.4.1.4, 4.1.5, 4.2): numbers, acknowledgements, what is retained
 * until it is acknowledged, and what is taken back for a changeover.
 *
 *     acked        fsn
 *       v           v
 *     ..|..retained.|..waiting..      retained: copies, because the transport frees what it has sent */
#include <string.h>

#include "base/clock.h"
#include "sim/link.h"
#include "wire/mtp3.h"

static struct mbuf_pool *pool(const struct link *l)
{
	return l->env->tp->pool;
}

/* Does a processor outage or congestion of the peer forbid User Data? Our own outage does not (s.4.1.4 c). */
static bool may_send(const struct link *l)
{
	return link_in_service(l) && !l->peer_busy && (l->poc == POC_NONE || l->poc == POC_LOCAL);
}

uint32_t link_backlog(const struct link *l)
{
	return l->retained.n + l->waiting.n;
}

/* ---- T7, for the oldest message that is not acknowledged (s.4.2.1) ---- */

static void watch(struct link *l)
{
	struct ev_loop *loop = l->env->tp->ev;
	uint64_t now = clock_ns(), end;

	if (!l->retained.n || l->peer_busy || !may_send(l)) {
		ev_timer_stop(loop, &l->t7);
		return;
	}
	end = l->retained.first->rx_ns + l->conf->t7_ns;
	if (!ev_is_active(&l->t7))
		link_arm(l, &l->t7, end > now ? (double)(end - now) * 1e-9 : 0);
}

/* ---- sending ---- */

bool link_send_status(struct link *l, enum m2pa_state s, uint16_t stream)
{
	bool proving = s == M2PA_PROVING_NORMAL || s == M2PA_PROVING_EMERGENCY;
	struct mbuf *m = l->conn ? mbuf_alloc(pool(l)) : NULL;
	struct wr w;

	if (!m)
		return false;
	if (stream && s != M2PA_PROCESSOR_OUTAGE && !l->held.n && !l->mute)
		l->told = l->got; /* the last one received and not discarded */
	w = wr_over(mbuf_head(m), mbuf_tailroom(m));
	/* Proving is to be as long as User Data (s.2.3.2.1). */
	m2pa_status_write(&w, s, l->told, l->fsn, proving ? 80 : 0, (uint32_t)l->c[LINK_C_TX_STATUS]);
	m->len = wr_len(&w);
	m->ppid = TP_PPID_M2PA;
	m->stream = stream;
	l->c[LINK_C_TX_STATUS]++;
	if (!proving)
		link_log(l, "> %s", m2pa_state_name(s));
	mbufq_push(&l->txq, m);
	link_touch(l);
	return true;
}

static void send_ack(struct link *l)
{
	struct mbuf *m = mbuf_alloc(pool(l));
	struct wr w;

	if (!m)
		return; /* still due */
	w = wr_over(mbuf_head(m), mbuf_tailroom(m));
	m2pa_empty_write(&w, l->told, l->fsn);
	m->len = wr_len(&w);
	m->ppid = TP_PPID_M2PA;
	m->stream = 1;
	l->c[LINK_C_TX_ACK]++;
	l->ack_due = false;
	mbufq_push(&l->txq, m);
}

/* Gives M its number and keeps a copy. False without a buffer for it. */
static bool send_msu(struct link *l, struct mbuf *m)
{
	struct mbuf *copy = mbuf_alloc(pool(l));
	uint8_t *first;

	if (!copy)
		return false;
	l->fsn = m2pa_seq_next(l->fsn);
	memcpy(mbuf_head(copy), mbuf_head(m), m->len);
	copy->len = m->len;
	copy->ssn = m->ssn;
	copy->aux = l->fsn;
	copy->rx_ns = clock_ns();
	mbufq_push(&l->retained, copy);
	first = m2pa_user_write(
		mbuf_head(m), m->len, (uint8_t)m->ssn, l->told, (l->fsn + l->skew) & M2PA_SEQ_MASK);
	l->skew = 0;
	m->len += M2PA_USER_HEADER;
	m->off = (uint32_t)(first - m->data);
	m->ppid = TP_PPID_M2PA;
	m->stream = 1;
	l->c[LINK_C_TX_MSU]++;
	l->ack_due = false;
	mbufq_push(&l->txq, m);
	return true;
}

void link_send(struct link *l, struct mbuf *m)
{
	mbufq_push(&l->waiting, m);
	link_touch(l);
}

void link_seq_pass(struct link *l)
{
	while (may_send(l) && l->waiting.n) {
		struct mbuf *m = mbufq_pop(&l->waiting);

		if (!send_msu(l, m)) {
			struct mbufq back;

			mbufq_init(&back);
			mbufq_push(&back, m);
			mbufq_prepend(&l->waiting, &back);
			break;
		}
	}
	if (l->ack_due && link_in_service(l))
		send_ack(l);
	watch(l);
}

/* ---- what is acknowledged, lost or taken back ---- */

static bool is_user_part(const struct mbuf *m)
{
	return m->len && (m->data[m->off] & 0xf) > MTP3_SI_TEST_SPECIAL;
}

static void discard(struct link *l, struct mbufq *q)
{
	struct mbuf *m;

	while ((m = mbufq_pop(q))) {
		l->c[LINK_C_DISCARDED] += is_user_part(m);
		mbuf_free(pool(l), m);
	}
}

void link_seq_reset(struct link *l)
{
	discard(l, &l->retained);
	discard(l, &l->waiting);
	mbufq_purge(&l->held, pool(l));
	l->fsn = l->acked = l->got = l->told = M2PA_SEQ_START;
	l->ack_due = l->busy = l->peer_busy = l->mute = false;
	l->odd = 0;
	l->skew = 0;
}

static void acknowledge(struct link *l, uint32_t bsn)
{
	uint32_t n = m2pa_seq_from(l->acked, bsn);

	l->acked = bsn;
	if (!n)
		return;
	ev_timer_stop(l->env->tp->ev, &l->t7); /* the next one's */
	while (l->retained.n && n--)
		mbuf_free(pool(l), mbufq_pop(&l->retained));
	link_touch(l);
}

static bool bsn_is_sound(const struct link *l, uint32_t bsn)
{
	return m2pa_seq_from(l->acked, bsn) <= m2pa_seq_from(l->acked, l->fsn);
}

void link_seq_resync(struct link *l, uint32_t bsn, bool flush)
{
	if (!bsn_is_sound(l, bsn)) {
		link_fail(l, "after a processor outage the peer acknowledges what was not sent");
		return;
	}
	acknowledge(l, bsn);
	l->fsn = bsn;
	if (!flush) {
		mbufq_prepend(&l->waiting, &l->retained);
		return;
	}
	l->c[LINK_C_FLUSHED] += l->retained.n;
	mbufq_purge(&l->retained, pool(l));
}

static void deliver(struct link *l, const uint8_t *msu, uint32_t len, uint8_t pri, uint64_t rx_ns)
{
	l->c[LINK_C_RX_MSU]++;
	if (!l->busy && !l->mute) {
		l->told = l->got;
		l->ack_due = true;
		link_touch(l);
	}
	l->up->msu(l, msu, len, pri, rx_ns);
}

void link_seq_release(struct link *l, bool flush)
{
	struct mbuf *m = l->held.first;

	if (m && flush) {
		l->got = (m->aux - 1) & M2PA_SEQ_MASK;
		l->c[LINK_C_FLUSHED] += l->held.n;
		mbufq_purge(&l->held, pool(l));
	}
	while ((m = mbufq_pop(&l->held))) {
		deliver(l, mbuf_head(m), m->len, (uint8_t)m->ssn, clock_ns());
		mbuf_free(pool(l), m);
	}
}

static void take_back(struct link *l, struct mbufq *from, struct mbufq *out)
{
	struct mbuf *m;

	while ((m = mbufq_pop(from))) {
		if (is_user_part(m)) {
			l->c[LINK_C_RETRIEVED]++;
			mbufq_push(out, m);
		} else {
			mbuf_free(pool(l), m);
		}
	}
}

void link_retrieve(struct link *l, uint32_t fsnc, struct mbufq *out)
{
	ev_timer_stop(l->env->tp->ev, &l->t7);
	if (fsnc <= M2PA_SEQ_MASK && bsn_is_sound(l, fsnc)) {
		acknowledge(l, fsnc);
		take_back(l, &l->retained, out);
	}
	discard(l, &l->retained);
	take_back(l, &l->waiting, out);
}

/* ---- receiving ---- */

static void hold(struct link *l, const uint8_t *msu, const struct m2pa_msg *h)
{
	struct mbuf *m = mbuf_alloc(pool(l));

	if (!m)
		return; /* as if it had not come: the next one is out of order */
	memcpy(mbuf_head(m), msu, h->msu_len);
	m->len = h->msu_len;
	m->ssn = h->pri;
	m->aux = h->fsn;
	l->got = h->fsn;
	mbufq_push(&l->held, m);
}

static void got_data(struct link *l, const struct mbuf *raw, const struct m2pa_msg *h)
{
	const uint8_t *msu = raw->data + raw->off + M2PA_USER_HEADER;

	if (!h->msu_len) {
		l->c[LINK_C_RX_ACK]++;
		return;
	}
	if (h->fsn != m2pa_seq_next(l->got)) {
		l->c[LINK_C_BAD_FSN]++;
		link_log(l, "User Data with FSN %u after %u", h->fsn, l->got);
		return;
	}
	if (l->poc == POC_LOCAL || l->poc == POC_BOTH) {
		hold(l, msu, h);
		return;
	}
	l->got = h->fsn;
	deliver(l, msu, h->msu_len, h->pri, raw->rx_ns ? raw->rx_ns : clock_ns());
}

/* Two abnormal BSNs in three messages: the link has failed (Q.703 s.5.3.1). */
static bool bsn_accepted(struct link *l, uint32_t bsn)
{
	bool sound = bsn_is_sound(l, bsn);

	l->odd = (uint8_t)((l->odd << 1 | !sound) & 7);
	if (sound) {
		acknowledge(l, bsn);
		return true;
	}
	l->c[LINK_C_BAD_BSN]++;
	if (__builtin_popcount(l->odd) >= 2)
		link_fail(l, "abnormal BSNs");
	return false;
}

static void receive_data(struct link *l, const struct mbuf *raw, const struct m2pa_msg *h)
{
	if (l->state == LSC_READY)
		link_event(l, LSC_EV_DATA);
	if (!link_in_service(l)) {
		l->c[LINK_C_UNEXPECTED]++;
		return;
	}
	if (bsn_accepted(l, h->bsn))
		got_data(l, raw, h);
}

static void peer_busy(struct link *l, bool begins)
{
	struct ev_loop *loop = l->env->tp->ev;

	if (!link_in_service(l) || l->peer_busy == begins)
		return;
	l->peer_busy = begins;
	ev_timer_stop(loop, &l->t6);
	ev_timer_stop(loop, &l->t7);
	if (begins && l->retained.n)
		link_arm(l, &l->t6, (double)l->conf->t6_ns * 1e-9);
	for (struct mbuf *m = l->retained.first; !begins && m; m = m->next)
		m->rx_ns = clock_ns(); /* T7 begins anew */
	link_touch(l);
}

static void receive_status(struct link *l, const struct m2pa_msg *h, uint16_t stream)
{
	if (h->state != M2PA_PROVING_NORMAL && h->state != M2PA_PROVING_EMERGENCY)
		link_log(l, "< %s", m2pa_state_name(h->state));
	switch (h->state) {
	case M2PA_ALIGNMENT:
		l->emergency = false;
		link_event(l, LSC_EV_ALIGNMENT);
		break;
	case M2PA_PROVING_EMERGENCY: l->emergency = true; /* fall through */
	case M2PA_PROVING_NORMAL: link_event(l, LSC_EV_PROVING); break;
	case M2PA_OUT_OF_SERVICE: link_event(l, LSC_EV_PEER_OUT); break;
	case M2PA_BUSY: peer_busy(l, true); break;
	case M2PA_BUSY_ENDED: peer_busy(l, false); break;
	case M2PA_READY:
		if (!link_in_service(l))
			link_event(l, LSC_EV_PEER_READY);
		else if (stream || l->env->ops->ordered_only)
			link_poc(l, POC_EV_PEER_READY, h->bsn);
		break;
	case M2PA_PROCESSOR_OUTAGE:
		/* At the end of proving it stands for Ready (s.4.1.3). */
		if (l->state == LSC_READY || l->state == LSC_PROVING)
			link_event(l, LSC_EV_PEER_READY);
		if (link_in_service(l))
			link_poc(l, POC_EV_PEER_OUTAGE, h->bsn);
		break;
	case M2PA_PROCESSOR_RECOVERED:
		if (link_in_service(l))
			link_poc(l, POC_EV_PEER_RECOVERED, h->bsn);
		break;
	default: break;
	}
}

/* Streams of s.4.1.2, where there are two. */
static bool stream_fits(const struct m2pa_msg *h, uint16_t stream)
{
	if (h->type == M2PA_USER_DATA || h->state == M2PA_PROCESSOR_OUTAGE ||
		h->state == M2PA_PROCESSOR_RECOVERED)
		return stream == 1;
	return stream == 0 || (stream == 1 && h->state == M2PA_READY);
}

void link_receive(struct link *l, const struct mbuf *m)
{
	const uint8_t *bytes = m->data + m->off;
	struct m2pa_msg h;
	enum m2pa_fault f = m2pa_parse(bytes, m->len, &h);

	if (f != M2PA_NO_FAULT) {
		l->c[LINK_C_MALFORMED]++;
		link_log(l, "malformed message: %s", m2pa_fault_name(f));
		/* s.4.1.9: answered with Out of Service, and not aligned */
		if (f == M2PA_BAD_VERSION && h.type == M2PA_LINK_STATUS && h.state == M2PA_ALIGNMENT)
			link_fail(l, "the peer aligns with another version");
		return;
	}
	if (!l->env->ops->ordered_only && !stream_fits(&h, m->stream))
		l->c[LINK_C_BAD_STREAM]++;
	if (h.type == M2PA_USER_DATA) {
		receive_data(l, m, &h);
		return;
	}
	l->c[LINK_C_RX_STATUS]++;
	receive_status(l, &h, m->stream);
}
