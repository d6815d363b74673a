/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The embedded transport's own sockets: opening and sharing them, and receiving in batches. */
#include <errno.h>
#include <linux/filter.h>
#include <netinet/udp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "sctp/embedded_int.h"

#ifndef UDP_GRO
#define UDP_GRO 104
#endif

enum { SOCK_BUFFER = 8 << 20, RX_ROUNDS = 4, RX_CONTROL = 128 };

struct emb_rx {
	struct mmsghdr mm[EMB_RX_BATCH];
	struct iovec iov[EMB_RX_BATCH];
	union tp_addr from[EMB_RX_BATCH];
	uint8_t control[EMB_RX_BATCH][RX_CONTROL] __attribute__((aligned(8)));
	uint8_t data[EMB_RX_BATCH][EMB_RX_SLOT];
};

bool emb_rx_init(struct emb *e)
{
	e->rx = malloc(sizeof(*e->rx)); /* pages that no datagram reaches are never touched */
	return e->rx != NULL;
}

void emb_rx_fini(struct emb *e)
{
	free(e->rx);
	e->rx = NULL;
}

static void set_int(int fd, int level, int name, int value)
{
	(void)setsockopt(
		fd, level, name, &value, sizeof(value)); /* each of these may be missing: it goes slower */
}

/* Bursts of several associations meet in one socket: the kernel's default of 208 KiB drops them. */
static void set_buffers(int fd)
{
	static const int names[2][2] = {{SO_RCVBUFFORCE, SO_RCVBUF}, {SO_SNDBUFFORCE, SO_SNDBUF}};
	int n = SOCK_BUFFER;

	for (unsigned i = 0; i < 2; i++)
		if (setsockopt(fd, SOL_SOCKET, names[i][0], &n, sizeof(n)) < 0)
			set_int(fd, SOL_SOCKET, names[i][1], n);
}

/* A raw socket sees every SCTP packet of the host: let only those to PORT come up. An IPv4 raw socket's
 * packets begin with their IP header, an IPv6 one's with SCTP's. */
static bool filter_port(int fd, int family, uint16_t port)
{
	struct sock_filter v4[] = {
		BPF_STMT(BPF_LDX | BPF_B | BPF_MSH, 0),
		BPF_STMT(BPF_LD | BPF_H | BPF_IND, 2),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, port, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, 0x40000),
		BPF_STMT(BPF_RET | BPF_K, 0),
	};
	struct sock_filter v6[] = {
		BPF_STMT(BPF_LD | BPF_H | BPF_ABS, 2),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, port, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, 0x40000),
		BPF_STMT(BPF_RET | BPF_K, 0),
	};
	struct sock_fprog prog = {.len = sizeof(v4) / sizeof(*v4), .filter = v4};

	if (family == AF_INET6)
		prog = (struct sock_fprog){.len = sizeof(v6) / sizeof(*v6), .filter = v6};
	return setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &prog, sizeof(prog)) == 0;
}

bool embedded_raw_available(char *why, size_t n)
{
	int fd;

	if (access("/proc/net/sctp", F_OK) == 0) {
		snprintf(why, n,
			"the kernel's SCTP would abort our associations: unload it or use UDP encapsulation");
		return false;
	}
	fd = socket(AF_INET, SOCK_RAW | SOCK_CLOEXEC, IPPROTO_SCTP);
	if (fd < 0) {
		snprintf(why, n, "no raw socket: %s (CAP_NET_RAW is needed)", strerror(errno));
		return false;
	}
	close(fd);
	snprintf(why, n, "raw IP protocol 132");
	return true;
}

static int open_fd(struct emb_sock *s)
{
	int family = s->local.sa.sa_family;
	union tp_addr at = s->local;
	int fd = socket(family, (s->raw ? SOCK_RAW : SOCK_DGRAM) | SOCK_NONBLOCK | SOCK_CLOEXEC,
		s->raw ? IPPROTO_SCTP : 0);

	if (fd < 0)
		return -1;
	if (s->raw && !filter_port(fd, family, s->port))
		goto fail;
	if (family == AF_INET6)
		set_int(fd, IPPROTO_IPV6, IPV6_V6ONLY,
			1); /* a wildcard listener has a socket for each family */
	if (s->wildcard)
		set_int(fd, family == AF_INET6 ? IPPROTO_IPV6 : IPPROTO_IP,
			family == AF_INET6 ? IPV6_RECVPKTINFO : IP_PKTINFO, 1);
	set_buffers(fd);
	tp_addr_set_port(&at, s->raw ? 0 : s->port);
	if (bind(fd, &at.sa, tp_addr_len(&at)) < 0)
		goto fail;
	if (!s->raw)
		set_int(fd, SOL_UDP, UDP_GRO, 1);
	return fd;
fail:
	close(fd);
	return -1;
}

static void on_readable(struct ev_loop *loop, ev_io *w, int events);

static void on_writable(struct ev_loop *loop, ev_io *w, int events)
{
	(void)loop, (void)events;
	emb_tx_flush(w->data);
}

static struct emb_sock *sock_new(struct emb *e, const union tp_addr *local, uint16_t port, bool raw)
{
	struct emb_sock *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->e = e;
	s->local = *local;
	s->port = port;
	s->raw = raw;
	s->wildcard = tp_addr_is_any(local);
	tp_addr_set_port(&s->local, port);
	if (!emb_tx_init(s)) {
		free(s);
		return NULL;
	}
	return s;
}

/* The socket that receives for LOCAL: one bound to it, or to any address of its family. */
static struct emb_sock *find(struct emb *e, const union tp_addr *local, uint16_t port, bool raw)
{
	struct emb_sock *s, *wild = NULL;

	LIST_FOREACH(s, &e->socks, link)
	{
		if (s->port != port || s->raw != raw || s->local.sa.sa_family != local->sa.sa_family)
			continue;
		if (tp_addr_same(&s->local, local))
			return s;
		if (s->wildcard)
			wild = s;
	}
	return wild;
}

enum sb_err emb_sock_get(
	struct emb *e, const union tp_addr *local, uint16_t port, bool raw, struct emb_sock **out)
{
	struct emb_sock *s = find(e, local, port, raw);

	if (!s) {
		s = sock_new(e, local, port, raw);
		if (!s)
			return SB_ENOMEM;
		s->fd = open_fd(s);
		if (s->fd < 0) {
			enum sb_err err = errno == EADDRINUSE || errno == EADDRNOTAVAIL ? SB_EADDR : SB_ESYS;

			emb_tx_fini(s);
			free(s);
			return err;
		}
		ev_io_init(&s->in, on_readable, s->fd, EV_READ);
		ev_io_init(&s->out, on_writable, s->fd, EV_WRITE);
		s->in.data = s->out.data = s;
		ev_io_start(e->ev, &s->in);
		LIST_INSERT_HEAD(&e->socks, s, link);
	}
	s->refs++;
	*out = s;
	return SB_OK;
}

void emb_sock_put(struct emb_sock *s)
{
	if (--s->refs)
		return;
	emb_tx_flush(s); /* the ABORT or SHUTDOWN COMPLETE that just closed the last association */
	ev_io_stop(s->e->ev, &s->in);
	ev_io_stop(s->e->ev, &s->out);
	LIST_REMOVE(s, link);
	close(s->fd);
	emb_tx_fini(s);
	free(s);
}

/* ---- receiving ---- */

struct meta {
	union tp_addr to; /* AF_UNSPEC if not told */
	size_t segment;   /* of a datagram that GRO joined */
};

static void read_control(struct msghdr *h, struct meta *m)
{
	for (struct cmsghdr *c = CMSG_FIRSTHDR(h); c; c = CMSG_NXTHDR(h, c)) {
		if (c->cmsg_level == SOL_UDP && c->cmsg_type == UDP_GRO) {
			int segment;

			memcpy(&segment, CMSG_DATA(c), sizeof(segment));
			if (segment > 0)
				m->segment = (size_t)segment;
		} else if (c->cmsg_level == IPPROTO_IP && c->cmsg_type == IP_PKTINFO) {
			struct in_pktinfo info;

			memcpy(&info, CMSG_DATA(c), sizeof(info));
			m->to.in = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr = info.ipi_addr};
		} else if (c->cmsg_level == IPPROTO_IPV6 && c->cmsg_type == IPV6_PKTINFO) {
			struct in6_pktinfo info;

			memcpy(&info, CMSG_DATA(c), sizeof(info));
			m->to.in6 =
				(struct sockaddr_in6){.sin6_family = AF_INET6, .sin6_addr = info.ipi6_addr};
		}
	}
}

static void one_datagram(struct emb_sock *s, struct msghdr *h, const uint8_t *data, size_t n)
{
	struct meta m = {.segment = n};
	union tp_addr *from = h->msg_name;

	read_control(h, &m);
	if (s->raw) {
		size_t header = s->local.sa.sa_family == AF_INET && n > 0 ? (data[0] & 15u) * 4u : 0;

		if (header > n)
			return;
		tp_addr_set_port(from, 0); /* a raw socket reports the protocol there */
		emb_input(s, from, &m.to, data + header, n - header);
		return;
	}
	for (size_t off = 0; off < n; off += m.segment)
		emb_input(s, from, &m.to, data + off, n - off < m.segment ? n - off : m.segment);
}

static int receive(struct emb_sock *s, struct emb_rx *rx)
{
	int n;

	for (unsigned i = 0; i < EMB_RX_BATCH; i++) {
		rx->iov[i] = (struct iovec){.iov_base = rx->data[i], .iov_len = EMB_RX_SLOT};
		rx->mm[i].msg_hdr = (struct msghdr){
			.msg_name = &rx->from[i],
			.msg_namelen = sizeof(rx->from[i]),
			.msg_iov = &rx->iov[i],
			.msg_iovlen = 1,
			.msg_control = rx->control[i],
			.msg_controllen = RX_CONTROL,
		};
	}
	n = recvmmsg(s->fd, rx->mm, EMB_RX_BATCH, MSG_DONTWAIT, NULL);
	emb_count(EMB_RX_CALLS, 1);
	return n;
}

static void on_readable(struct ev_loop *loop, ev_io *w, int events)
{
	struct emb_sock *s = w->data;
	struct emb *e = s->e;
	int n;

	(void)loop, (void)events;
	s->refs++; /* upcalls may close the last association */
	for (unsigned round = 0; round < RX_ROUNDS; round++) {
		n = receive(s, e->rx);
		e->rx_ns = clock_ns();
		for (int i = 0; i < n; i++)
			one_datagram(s, &e->rx->mm[i].msg_hdr, e->rx->data[i], e->rx->mm[i].msg_len);
		emb_pump(e);
		if (n < EMB_RX_BATCH)
			break;
	}
	emb_sock_put(s);
}
