/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sending in batches: what usrsctp puts out in a loop pass is gathered, with its checksum, in one block of
 * memory per socket, and leaves in one sendmmsg() at the end of the pass. */
#include <errno.h>
#include <netinet/udp.h>
#include <stdlib.h>
#include <string.h>

#include "sctp/crc32c.h"
#include "sctp/embedded_int.h"

#ifndef UDP_SEGMENT
#define UDP_SEGMENT 103
#endif

enum { GSO_SEGMENTS = 40, GSO_BYTES = 60000, CONTROL = 128 };

bool emb_tx_init(struct emb_sock *s)
{
	s->tx = malloc(EMB_TX_PACKETS_MAX * sizeof(*s->tx));
	s->arena = malloc(EMB_TX_ARENA);
	if (s->tx && s->arena)
		return true;
	emb_tx_fini(s);
	return false;
}

void emb_tx_fini(struct emb_sock *s)
{
	free(s->tx);
	free(s->arena);
	s->tx = NULL;
	s->arena = NULL;
}

/* A packet takes the room of a full one, so that it can grow. */
static uint32_t room_for(const struct emb_route *r, size_t n)
{
	return ((uint32_t)(n > r->mtu ? n : r->mtu) + 7) & ~7u;
}

static bool has_room(const struct emb_sock *s, uint32_t n)
{
	return s->tx_first + s->tx_n < EMB_TX_PACKETS_MAX && s->tx_fill + n <= EMB_TX_ARENA;
}

static struct emb_tx *put(struct emb_sock *s, const struct emb_route *r, const uint8_t *packet, size_t n)
{
	uint32_t room = room_for(r, n);
	struct emb_tx *t;

	if (!has_room(s, room))
		emb_tx_flush(s);
	if (!has_room(s, room)) { /* the device takes no more: SCTP will retransmit */
		emb_count(EMB_TX_DROPPED, 1);
		return NULL;
	}
	t = &s->tx[s->tx_first + s->tx_n++];
	*t = (struct emb_tx){.route = *r, .off = s->tx_fill, .len = (uint32_t)n};
	memcpy(s->arena + t->off, packet, n);
	s->tx_fill += room;
	return t;
}

void emb_tx_put(struct emb_sock *s, const struct emb_route *r, const uint8_t *packet, size_t n)
{
	(void)put(s, r, packet, n);
}

/* The last packet of P, if it waits here and DATA may follow in it. */
static struct emb_tx *last_of(const struct emb_peer *p, const uint8_t *packet)
{
	struct emb_sock *s = p->sock;
	struct emb_tx *t;

	if (p->tx_batch != s->tx_batch || p->tx_last < s->tx_first || p->tx_last >= s->tx_first + s->tx_n)
		return NULL;
	t = &s->tx[p->tx_last];
	return t->open && memcmp(s->arena + t->off, packet, 8) == 0 ? t : NULL; /* ports and tag */
}

/* usrsctp's Nagle lets a packet go when more than one is full, and then the rest as well: of every ten short
 * messages the tenth would travel alone. Here the chunks of consecutive packets close ranks (RFC 4960
 * s.6.10): they stay in order, and control chunks stay in front. */
void emb_tx_bundle(struct emb_peer *p, const struct emb_route *r, const uint8_t *packet, size_t n,
	const struct sctp_outline *o)
{
	struct emb_tx *t = o->data_only ? last_of(p, packet) : NULL;
	struct emb_sock *s = p->sock;
	size_t from = SCTP_COMMON_HEADER;

	if (t && t->len < t->route.mtu) {
		from = sctp_fitting(packet, n, t->route.mtu - t->len);
		memcpy(s->arena + t->off + t->len, packet + SCTP_COMMON_HEADER, from - SCTP_COMMON_HEADER);
		t->len += (uint32_t)(from - SCTP_COMMON_HEADER);
		if (from == n)
			return;
	}
	t = put(s, r, packet, SCTP_COMMON_HEADER + n - from);
	if (!t)
		return;
	if (from > SCTP_COMMON_HEADER)
		memcpy(s->arena + t->off + SCTP_COMMON_HEADER, packet + from, n - from);
	t->open = o->open;
	p->tx_batch = s->tx_batch;
	p->tx_last = s->tx_first + s->tx_n - 1;
}

static void finish(struct emb_sock *s, struct emb_tx *t)
{
	t->open = false;
	if (t->route.omit_crc) {
		crc32c_leave_out(s->arena + t->off);
		emb_count(EMB_TX_NO_CRC, 1);
	} else {
		crc32c_write(s->arena + t->off, t->len);
	}
}

static void *control(struct msghdr *h, int level, int type, const void *data, size_t n)
{
	struct cmsghdr *c = (struct cmsghdr *)((uint8_t *)h->msg_control + h->msg_controllen);

	memset(c, 0, CMSG_SPACE(n));
	c->cmsg_level = level;
	c->cmsg_type = type;
	c->cmsg_len = CMSG_LEN(n);
	memcpy(CMSG_DATA(c), data, n);
	h->msg_controllen += CMSG_SPACE(n);
	return c;
}

static void set_control(struct msghdr *h, const struct emb_route *r, uint16_t segment, uint8_t *buf)
{
	bool six = r->to.sa.sa_family == AF_INET6;

	h->msg_control = buf;
	h->msg_controllen = 0;
	if (r->from.sa.sa_family == AF_INET) {
		struct in_pktinfo info = {.ipi_spec_dst = r->from.in.sin_addr};

		control(h, IPPROTO_IP, IP_PKTINFO, &info, sizeof(info));
	} else if (r->from.sa.sa_family == AF_INET6) {
		struct in6_pktinfo info = {.ipi6_addr = r->from.in6.sin6_addr};

		control(h, IPPROTO_IPV6, IPV6_PKTINFO, &info, sizeof(info));
	}
	if (r->tos) {
		int tos = r->tos;

		control(h, six ? IPPROTO_IPV6 : IPPROTO_IP, six ? IPV6_TCLASS : IP_TOS, &tos, sizeof(tos));
	}
	if (segment)
		control(h, SOL_UDP, UDP_SEGMENT, &segment, sizeof(segment));
	if (!h->msg_controllen)
		h->msg_control = NULL;
}

/* Addresses as tp_addr_same() but with their UDP ports. */
static bool same_end(const union tp_addr *a, const union tp_addr *b)
{
	return a->sa.sa_family == b->sa.sa_family &&
	       (a->sa.sa_family == AF_UNSPEC || (tp_addr_same(a, b) && tp_addr_port(a) == tp_addr_port(b)));
}

static bool same_route(const struct emb_route *a, const struct emb_route *b)
{
	return same_end(&a->to, &b->to) && same_end(&a->from, &b->from) && a->tos == b->tos &&
	       a->gso == b->gso;
}

/* How many of the N packets from T on may leave as one datagram that the kernel cuts up: the same way, all of
 * one length except a shorter last one. */
static unsigned segments(const struct emb_tx *t, unsigned n)
{
	unsigned k = 1;
	uint32_t bytes = t->len;

	if (!t->route.gso)
		return 1;
	while (k < n && k < GSO_SEGMENTS && bytes + t[k].len <= GSO_BYTES && t[k].len <= t->len &&
		same_route(&t[k].route, &t->route)) {
		bytes += t[k].len;
		if (t[k++].len < t->len)
			break;
	}
	return k;
}

struct batch {
	struct mmsghdr mm[EMB_TX_PACKETS_MAX];
	struct iovec iov[EMB_TX_PACKETS_MAX];
	uint8_t control[EMB_TX_PACKETS_MAX][CONTROL] __attribute__((aligned(8)));
};

static unsigned build(struct emb_sock *s, struct batch *b)
{
	unsigned n = 0, i = 0;

	while (i < s->tx_n) {
		struct emb_tx *t = &s->tx[s->tx_first + i];
		unsigned k = segments(t, s->tx_n - i);
		struct msghdr *h = &b->mm[n].msg_hdr;

		*h = (struct msghdr){
			.msg_name = &t->route.to,
			.msg_namelen = tp_addr_len(&t->route.to),
			.msg_iov = &b->iov[i],
			.msg_iovlen = k,
		};
		for (unsigned j = 0; j < k; j++) {
			finish(s, &t[j]);
			b->iov[i + j] = (struct iovec){s->arena + t[j].off, t[j].len};
		}
		set_control(h, &t->route, k > 1 ? (uint16_t)t->len : 0, b->control[n]);
		i += k;
		n++;
	}
	return n;
}

/* N packets are gone, sent or given up. */
static void advance(struct emb_sock *s, unsigned n)
{
	s->tx_first += n;
	s->tx_n -= n;
	if (s->tx_n == 0) {
		s->tx_first = 0;
		s->tx_fill = 0;
		s->tx_batch++;
	}
}

static void wait_writable(struct emb_sock *s, bool on)
{
	if (on == (bool)ev_is_active(&s->out))
		return;
	if (on) {
		emb_count(EMB_TX_BLOCKED, 1);
		ev_io_start(s->e->ev, &s->out);
	} else {
		ev_io_stop(s->e->ev, &s->out);
	}
}

void emb_tx_flush(struct emb_sock *s)
{
	static struct batch b; /* one loop per process uses this transport */
	unsigned n, done = 0;

	if (!s->tx_n)
		return;
	n = build(s, &b);
	while (done < n) {
		int r = sendmmsg(s->fd, b.mm + done, n - done, MSG_DONTWAIT);

		emb_count(EMB_TX_CALLS, 1);
		if (r < 0 && (errno == EAGAIN || errno == ENOBUFS))
			break;
		if (r <= 0) { /* no route, refused by a filter...: SCTP finds out by itself */
			emb_count(EMB_TX_DROPPED, b.mm[done].msg_hdr.msg_iovlen);
			advance(s, (unsigned)b.mm[done++].msg_hdr.msg_iovlen);
			continue;
		}
		for (; r > 0; r--) {
			emb_count(EMB_TX_PACKETS, b.mm[done].msg_hdr.msg_iovlen);
			advance(s, (unsigned)b.mm[done++].msg_hdr.msg_iovlen);
		}
	}
	wait_writable(s, s->tx_n > 0);
}

void emb_tx_flush_all(struct emb *e)
{
	struct emb_sock *s;

	LIST_FOREACH(s, &e->socks, link)
	emb_tx_flush(s);
}
