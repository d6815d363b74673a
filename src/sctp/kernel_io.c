/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Messages of the kernel transport: recvmmsg() straight into pooled buffers, and corked bursts.
 *
 * Corking: Nagle is off, and all messages of a burst but the last go with MSG_MORE, so that the kernel fills
 * packets and sends the rest with the last one. What MSG_MORE holds back stays so until a message comes
 * without it. Therefore: when transmit() returns with an empty queue, nothing is held. With a queue that is
 * not empty something may be, and the next transmit() ends it; unless the socket's buffer is full of nothing
 * but what is held, so that no acknowledgement will ever make room: then a demanded heartbeat, which bundles
 * what is waiting, sets it going. */
#include <arpa/inet.h>
#include <errno.h>
#include <string.h>

#include "base/clock.h"
#include "sctp/kernel_int.h"

enum {
	RX_PASSES = 4,    /* recvmmsg() calls per pass and association: others want their turn */
	RX_BATCH_MIN = 4, /* an association with little traffic needs few buffers at hand */
};

static struct kernel_loop *kernel_loop(const struct kernel_conn *c)
{
	return (struct kernel_loop *)c->s.conn.loop->priv[TP_KERNEL];
}

/* ---- receiving ---- */

static void refuse(struct kernel_conn *c, uint32_t len, bool too_long)
{
	c->s.conn.loop->up->refused(c->s.conn.user, len, too_long);
}

static void take_info(struct mbuf *m, struct msghdr *h)
{
	struct cmsghdr *cm = CMSG_FIRSTHDR(h);
	struct sctp_rcvinfo ri;

	m->stream = m->ssn = 0;
	m->ppid = 0;
	if (!cm || cm->cmsg_level != IPPROTO_SCTP || cm->cmsg_type != SCTP_RCVINFO)
		return;
	memcpy(&ri, CMSG_DATA(cm), sizeof(ri));
	m->stream = ri.rcv_sid;
	m->ssn = ri.rcv_ssn;
	m->ppid = ntohl(ri.rcv_ppid); /* the one field that the stack leaves in network order */
}

/* A part of a message that is being refused; whole at its MSG_EOR. */
static void skip_part(struct kernel_conn *c, struct mbuf *m, uint32_t len, bool eor)
{
	mbuf_free(c->s.conn.loop->pool, m);
	c->skip += len;
	if (!eor)
		return;
	len = c->skip;
	c->skip = 0;
	refuse(c, len, c->skip_too_long);
}

/* M is the next part of c->part. A message within the limit comes in parts when the receive window is so full
 * that the stack has to deliver early (RFC 9260 s.6.9). */
static void join_part(struct kernel_conn *c, struct mbuf *m, bool eor)
{
	const struct tp_loop *l = c->s.conn.loop;
	struct mbuf *whole = c->part;

	if (whole->len + m->len > l->max_message) {
		c->part = NULL;
		c->skip = whole->len;
		c->skip_too_long = true;
		mbuf_free(l->pool, whole);
		skip_part(c, m, m->len, eor);
		return;
	}
	memcpy(mbuf_head(whole) + whole->len, mbuf_head(m), m->len);
	whole->len += m->len;
	mbuf_free(l->pool, m);
	if (!eor)
		return;
	c->part = NULL;
	l->up->message(c->s.conn.user, whole);
}

/* LEN bytes of data; M is NULL if there was no buffer for them. */
static void got_data(struct kernel_conn *c, struct mbuf *m, uint32_t len, bool eor)
{
	if (c->skip) {
		skip_part(c, m, len, eor);
	} else if (!m) {
		if (c->part)
			c->skip = c->part->len;
		mbuf_free(c->s.conn.loop->pool, c->part);
		c->part = NULL;
		c->skip_too_long = false;
		skip_part(c, NULL, len, eor);
	} else if (c->part) {
		join_part(c, m, eor);
	} else if (eor) {
		c->s.conn.loop->up->message(c->s.conn.user, m);
	} else {
		c->part = m;
	}
}

static void got_notification(struct kernel_conn *c, const uint8_t *p, uint32_t len, bool eor)
{
	if (!c->in_notification)
		kernel_notification(c, p, len);
	c->in_notification = !eor;
}

/* Entry I of a batch. Ownership of its buffer passes. */
static void got(struct kernel_conn *c, struct kernel_loop *kl, unsigned i, uint64_t now)
{
	struct msghdr *h = &kl->rx[i].msg_hdr;
	struct mbuf *m = kl->rx_buf[i];
	uint32_t len = kl->rx[i].msg_len;
	bool eor = h->msg_flags & MSG_EOR;

	kl->rx_buf[i] = NULL;
	if (h->msg_flags & MSG_NOTIFICATION) {
		got_notification(c, h->msg_iov->iov_base, len, eor);
		mbuf_free(c->s.conn.loop->pool, m);
		return;
	}
	if (!len) { /* end of file: SCTP has no empty messages */
		mbuf_free(c->s.conn.loop->pool, m);
		c->eof = true;
		kernel_over(c, "closed by peer");
		return;
	}
	if (m) {
		m->len = len;
		m->rx_ns = now;
		take_info(m, h);
	}
	got_data(c, m, len, eor);
}

/* Offers up to WANT buffers; if there are none, the spill area. Returns how many entries are ready. */
static unsigned prepare(struct kernel_conn *c, struct kernel_loop *kl, unsigned want)
{
	struct tp_loop *l = c->s.conn.loop;
	unsigned n = 0;

	for (; n < want; n++) {
		struct mbuf *m = mbuf_alloc(l->pool);

		if (!m && n)
			break;
		kl->rx_buf[n] = m;
		kl->rx_iov[n].iov_base = m ? mbuf_head(m) : kl->spill;
		kl->rx_iov[n].iov_len = m ? l->max_message : KERNEL_SPILL;
		kl->rx[n].msg_hdr = (struct msghdr){.msg_iov = &kl->rx_iov[n],
			.msg_iovlen = 1,
			.msg_control = &kl->rx_control[n],
			.msg_controllen = sizeof(kl->rx_control[n])};
		if (!m)
			return 1;
	}
	return n;
}

/* One recvmmsg(). False if there is no more to read now. */
static bool receive(struct kernel_conn *c, struct kernel_loop *kl)
{
	struct sock *s = &c->s;
	unsigned want = prepare(c, kl, c->rx_batch);
	int n = recvmmsg(s->fd, kl->rx, want, MSG_DONTWAIT, NULL);
	int err = n < 0 ? errno : 0;
	uint64_t now = clock_ns();

	for (unsigned i = 0; i < want; i++) {
		if ((int)i < n && s->state != SOCK_DEAD) {
			got(c, kl, i, now);
		} else {
			mbuf_free(s->conn.loop->pool, kl->rx_buf[i]);
			kl->rx_buf[i] = NULL;
		}
	}
	if (n == (int)want && !c->eof) {
		c->rx_batch = c->rx_batch < KERNEL_BATCH / 2 ? c->rx_batch * 2 : KERNEL_BATCH;
		return true;
	}
	if (n >= 0) {
		c->rx_batch = n < RX_BATCH_MIN ? RX_BATCH_MIN : (unsigned)n;
		/* of an association that has ended, the end or the error is still to come */
		return c->over && !c->eof;
	}
	if (err == EAGAIN || err == EWOULDBLOCK)
		return false;
	if (err == EINTR)
		return true;
	/* the pending error comes before what is still to be read: keep it, and read on */
	if (!c->err) {
		c->err = err;
		return true;
	}
	kernel_over(c, sock_reason(c->err));
	return false;
}

void kernel_readable(struct sock *s)
{
	struct kernel_conn *c = (struct kernel_conn *)s;
	struct kernel_loop *kl = kernel_loop(c);
	bool more = true;

	if (c->rx_batch < RX_BATCH_MIN)
		c->rx_batch = RX_BATCH_MIN;
	/* once the end is known there is no later: the kernel has nothing more to wake us up for */
	for (int i = 0; ((i < RX_PASSES && !s->held) || c->over) && more && s->state != SOCK_DEAD; i++)
		more = receive(c, kl);
	if (!more && c->err && !c->over)
		kernel_over(c, sock_reason(c->err));
	if (c->over && !more)
		sock_die(s, false, c->over_reason);
}

/* ---- sending ---- */

static void fill(struct kernel_loop *kl, unsigned i, const struct mbuf *m)
{
	struct msghdr *h = &kl->tx[i].msg_hdr;
	union kernel_snd *control = &kl->tx_control[i];
	struct sctp_sndinfo si = {.snd_sid = m->stream, .snd_ppid = htonl(m->ppid)};

	kl->tx_iov[i] = (struct iovec){.iov_base = (void *)(m->data + m->off), .iov_len = m->len};
	*h = (struct msghdr){.msg_iov = &kl->tx_iov[i],
		.msg_iovlen = 1,
		.msg_control = control,
		.msg_controllen = sizeof(*control)};
	control->align.cmsg_level = IPPROTO_SCTP;
	control->align.cmsg_type = SCTP_SNDINFO;
	control->align.cmsg_len = CMSG_LEN(sizeof(si));
	memcpy(CMSG_DATA(&control->align), &si, sizeof(si));
}

/* The first N of the queue are the kernel's now. */
static void gone(struct kernel_conn *c, struct mbufq *q, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		tp_done(&c->s.conn, mbufq_pop(q));
	atomic_store_explicit(&c->accepted, atomic_load_explicit(&c->accepted, memory_order_relaxed) + n,
		memory_order_relaxed);
}

/* One burst from the head of Q: with MSG_MORE if more follows it. Returns how many went, or -1: see errno. */
static int burst(struct kernel_conn *c, struct kernel_loop *kl, struct mbufq *q)
{
	const int flags = MSG_DONTWAIT | MSG_NOSIGNAL;
	unsigned n = 0, more;
	int r;

	for (struct mbuf *m = q->first; m && n < KERNEL_BATCH; m = m->next)
		fill(kl, n++, m);
	more = n == q->n ? n - 1 : n;
	if (!more) {
		r = sendmsg(c->s.fd, &kl->tx[0].msg_hdr, flags) < 0 ? -1 : 1;
		if (r == 1)
			c->held = false;
		return r;
	}
	r = sendmmsg(c->s.fd, kl->tx, more, flags | MSG_MORE);
	if (r > 0)
		c->held = true;
	return r;
}

/* The head of the queue is what the kernel will not have: it would be in the way of all others. */
static void drop_head(struct kernel_conn *c, struct mbufq *q)
{
	tp_done(&c->s.conn, mbufq_pop(q));
	sock_failed(&c->s, 1);
}

static bool of_the_message(int err)
{
	return err == EINVAL || err == EMSGSIZE;
}

static bool of_the_buffer(int err)
{
	return err == EAGAIN || err == EWOULDBLOCK || err == ENOBUFS || err == ENOMEM;
}

/* Is nothing on its way whose acknowledgement would set things going? */
static bool nothing_in_flight(int fd)
{
	struct sctp_status st = {0};
	socklen_t len = sizeof(st);

	return getsockopt(fd, IPPROTO_SCTP, SCTP_STATUS, &st, &len) == 0 && !st.sstat_unackdata;
}

/* The end of a pass: see the head of this file. */
static void uncork(struct kernel_conn *c, const struct mbufq *q)
{
	if (!c->held || c->s.state != SOCK_OPEN)
		return;
	if (!q->first || nothing_in_flight(c->s.fd)) {
		kernel_demand_heartbeat(c->s.fd);
		c->held = q->first != NULL;
	}
}

unsigned kernel_transmit(struct tp_conn *conn, struct mbufq *q)
{
	struct kernel_conn *c = (struct kernel_conn *)conn;
	struct kernel_loop *kl = kernel_loop(c);
	unsigned sent = 0;

	if (c->s.state != SOCK_OPEN)
		return 0;
	while (q->first) {
		int n = burst(c, kl, q);

		if (n > 0) {
			gone(c, q, (unsigned)n);
			sent += (unsigned)n;
		} else if (of_the_message(errno)) {
			drop_head(c, q);
		} else if (of_the_buffer(errno)) {
			sock_stall(&c->s);
			break;
		} else if (errno != EINTR) {
			break; /* the association is ending: the notification says why */
		}
	}
	uncork(c, q);
	return sent;
}
