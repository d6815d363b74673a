/* SPDX-License-Identifier: GPL-2.0-or-later */
/* M3UA over TCP, as Osmocom peers and some laboratories speak it: messages one behind the other, each framed
 * by the length in its own common header (RFC 4666 s.3.1: bytes 4 to 7, header and padding included).
 *
 * Receiving: a stream does not know where messages end, so it is read in large pieces into the loop's one
 * scratch buffer and each message is copied out of it, once, into its own contiguous buffer. Reading into the
 * message buffers directly would take two system calls a message to save that copy of some 100 bytes. An idle
 * connection holds no buffer.
 *
 * A message that is longer than the limit is refused and skipped by its length, so that framing stays intact.
 * Who may not be read any further for now (hold) has the rest of the piece kept, behind which nothing is
 * read. A length that no message has, below the header's own or beyond TCP_LONGEST, cannot be one: framing is
 * lost, and the connection is closed, or all that the peer sends for up to 4 GiB would be swallowed in
 * silence. */
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/clock.h"
#include "sctp/sock.h"

enum {
	TCP_HEADER = 8,        /* M3UA common header */
	TCP_LONGEST = 1 << 20, /* sixteen of the longest parameters (RFC 4666 s.3.2) */
	TCP_SCRATCH = 256 << 10,
	TCP_READS = 4, /* per pass and connection: others want their turn */
	TCP_IOV = 256,
};

struct tcp_loop {
	struct sock_loop base;
	struct iovec iov[TCP_IOV];
	uint8_t scratch[TCP_SCRATCH];
};

struct tcp_conn {
	struct sock s;
	struct tp_params p; /* to try the next remote address */
	unsigned remote;    /* the one that is being tried */

	/* the message that is being received: its header, then either its buffer or what to skip */
	uint8_t header[TCP_HEADER];
	uint32_t header_len;
	struct mbuf *rx;
	uint32_t missing;

	/* read before it was held, and not handed over yet; NULL: nothing */
	uint8_t *rest;
	size_t rest_at, rest_len;

	struct mbuf *tx; /* half sent: not in the caller's queue any more */
	uint32_t tx_off; /* bytes of it that have gone */
};

static const struct sock_kind tcp_kind;

static struct tcp_loop *tcp_loop(const struct tcp_conn *c)
{
	return (struct tcp_loop *)c->s.conn.loop->priv[TP_TCP];
}

/* ---- receiving ---- */

static uint32_t header_length(const uint8_t *h)
{
	return (uint32_t)h[4] << 24 | (uint32_t)h[5] << 16 | (uint32_t)h[6] << 8 | h[7];
}

/* The header is complete: prepares for the rest. */
static void begin_message(struct tcp_conn *c)
{
	const struct tp_loop *l = c->s.conn.loop;
	uint32_t len = header_length(c->header);

	c->header_len = 0;
	if (len < TCP_HEADER || len > TCP_LONGEST) {
		sock_die(&c->s, true,
			len < TCP_HEADER ? "message length below 8: framing lost"
					 : "message length beyond 1 MiB: framing lost");
		return;
	}
	c->missing = len - TCP_HEADER;
	c->rx = len <= l->max_message ? mbuf_alloc(l->pool) : NULL;
	if (!c->rx) {
		l->up->refused(c->s.conn.user, len, len > l->max_message);
		return;
	}
	memcpy(mbuf_head(c->rx), c->header, TCP_HEADER);
	c->rx->len = TCP_HEADER;
}

static void end_message(struct tcp_conn *c, uint64_t now)
{
	struct mbuf *m = c->rx;

	c->rx = NULL;
	if (!m)
		return;
	m->stream = m->ssn = 0;
	m->ppid = TP_PPID_M3UA;
	m->rx_ns = now;
	c->s.conn.loop->up->message(c->s.conn.user, m);
}

/* Takes up to N bytes into the header. */
static size_t feed_header(struct tcp_conn *c, const uint8_t *p, size_t n)
{
	size_t want = TCP_HEADER - c->header_len;

	if (n > want)
		n = want;
	memcpy(c->header + c->header_len, p, n);
	c->header_len += (uint32_t)n;
	if (c->header_len == TCP_HEADER)
		begin_message(c);
	return n;
}

static size_t feed_body(struct tcp_conn *c, const uint8_t *p, size_t n)
{
	if (n > c->missing)
		n = c->missing;
	if (c->rx) {
		memcpy(mbuf_head(c->rx) + c->rx->len, p, n);
		c->rx->len += (uint32_t)n;
	}
	c->missing -= (uint32_t)n;
	return n;
}

static bool alive(const struct tcp_conn *c)
{
	return c->s.state != SOCK_DEAD;
}

/* How many of the N bytes it has taken: all, unless it was held, or died. */
static size_t feed(struct tcp_conn *c, const uint8_t *p, size_t n)
{
	uint64_t now = clock_ns();
	size_t at = 0;

	while (at < n && alive(c) && !c->s.held) {
		at += c->missing ? feed_body(c, p + at, n - at) : feed_header(c, p + at, n - at);
		if (alive(c) && c->rx && !c->missing)
			end_message(c, now);
	}
	return at;
}

static void keep_rest(struct tcp_conn *c, const uint8_t *p, size_t n)
{
	c->rest = malloc(n);
	if (!c->rest) {
		sock_die(&c->s, true, "out of memory");
		return;
	}
	memcpy(c->rest, p, n);
	c->rest_at = 0;
	c->rest_len = n;
}

static void drop_rest(struct tcp_conn *c)
{
	free(c->rest);
	c->rest = NULL;
}

/* False: there is still some of it, or nobody to take it. */
static bool feed_rest(struct tcp_conn *c)
{
	if (c->rest) {
		c->rest_at += feed(c, c->rest + c->rest_at, c->rest_len - c->rest_at);
		if (c->rest_at == c->rest_len)
			drop_rest(c);
	}
	return !c->rest && alive(c) && !c->s.held;
}

/* The peer sends no more. It may still read, but RFC 4666 has no half-closed associations. */
static void peer_left(struct tcp_conn *c)
{
	if (c->s.state == SOCK_OPEN) {
		sock_tell(&c->s, TP_PEER_SHUTDOWN);
		sock_die(&c->s, false, "closed by peer");
	} else {
		sock_die(&c->s, false, "shut down");
	}
}

static void tcp_readable(struct sock *s)
{
	struct tcp_conn *c = (struct tcp_conn *)s;
	struct tcp_loop *tl = tcp_loop(c);

	for (int i = 0; i < TCP_READS && feed_rest(c); i++) {
		ssize_t n = recv(s->fd, tl->scratch, sizeof(tl->scratch), MSG_DONTWAIT);

		if (n > 0) {
			size_t used = feed(c, tl->scratch, (size_t)n);

			if (used < (size_t)n && alive(c))
				keep_rest(c, tl->scratch + used, (size_t)n - used);
			if ((size_t)n < sizeof(tl->scratch))
				return;
		} else if (n == 0) {
			peer_left(c);
		} else if (errno != EINTR) {
			if (errno != EAGAIN && errno != EWOULDBLOCK)
				sock_die(s, false, sock_reason(errno));
			return;
		}
	}
}

/* ---- sending ---- */

static bool would_block(void)
{
	return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
}

/* A dead connection is found by reading, too, which then gives the reason: nothing to do but wait for it. */
static bool tcp_flush(struct sock *s)
{
	struct tcp_conn *c = (struct tcp_conn *)s;
	ssize_t n;

	if (!c->tx)
		return true;
	n = send(s->fd, mbuf_head(c->tx) + c->tx_off, c->tx->len - c->tx_off, MSG_DONTWAIT | MSG_NOSIGNAL);
	if (n < 0) {
		if (!would_block())
			sock_die(s, false, sock_reason(errno));
		return false;
	}
	c->tx_off += (uint32_t)n;
	if (c->tx_off < c->tx->len)
		return false;
	tp_done(&s->conn, c->tx);
	c->tx = NULL;
	return true;
}

static int gather(struct iovec *iov, const struct mbufq *q)
{
	int n = 0;

	for (struct mbuf *m = q->first; m && n < TCP_IOV; m = m->next, n++)
		iov[n] = (struct iovec){.iov_base = mbuf_head(m), .iov_len = m->len};
	return n;
}

/* N bytes have gone. The message they end in, if any, is ours now: its rest must be the next on the wire,
 * whatever becomes of the queue. */
static unsigned sent(struct tcp_conn *c, struct mbufq *q, size_t n)
{
	unsigned count = 0;

	while (n) {
		struct mbuf *m = mbufq_pop(q);

		count++;
		if (n < m->len) {
			c->tx_off = (uint32_t)n;
			c->tx = m;
			break;
		}
		n -= m->len;
		tp_done(&c->s.conn, m);
	}
	return count;
}

static unsigned tcp_transmit(struct tp_conn *conn, struct mbufq *q)
{
	struct tcp_conn *c = (struct tcp_conn *)conn;
	struct tcp_loop *tl = tcp_loop(c);
	unsigned count = 0;

	if (c->s.state != SOCK_OPEN || !q->first)
		return 0;
	while (q->first && !c->tx) {
		struct msghdr h = {.msg_iov = tl->iov, .msg_iovlen = (size_t)gather(tl->iov, q)};
		ssize_t n = sendmsg(c->s.fd, &h, MSG_DONTWAIT | MSG_NOSIGNAL);

		if (n < 0) {
			if (would_block())
				break;
			sock_die(&c->s, false, sock_reason(errno));
			return count;
		}
		count += sent(c, q, (size_t)n);
	}
	if (q->first)
		sock_stall(&c->s);
	else if (c->tx)
		ev_io_start(conn->loop->ev, &c->s.wr);
	return count;
}

/* ---- the life of a connection ---- */

static void set_options(int fd, const struct tp_params *p)
{
	uint32_t idle = p->heartbeat_ms / 1000;

	sock_set_buffers(fd, p);
	sock_set_dscp(fd, p->dscp);
	sock_set_int(fd, IPPROTO_TCP, TCP_NODELAY, 1);
	/* What SCTP does by itself: a peer that does not acknowledge is given up after as long as an
	 * association would be ... */
	sock_set_int(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, (int)(p->rto_max_ms * (p->assoc_max_retrans + 1u)));
	if (!p->heartbeat_ms)
		return;
	/* ... and an idle one is probed as often as it would send HEARTBEAT. */
	sock_set_int(fd, SOL_SOCKET, SO_KEEPALIVE, 1);
	sock_set_int(fd, IPPROTO_TCP, TCP_KEEPIDLE, idle ? (int)idle : 1);
	sock_set_int(fd, IPPROTO_TCP, TCP_KEEPINTVL, 1);
	sock_set_int(fd, IPPROTO_TCP, TCP_KEEPCNT, p->path_max_retrans + 1);
}

static enum sb_err bind_local(int fd, const struct tp_params *p, int family)
{
	union tp_addr a;

	if (!p->n_local && !p->local_port)
		return SB_OK;
	sock_set_int(fd, SOL_SOCKET, SO_REUSEADDR, 1);
	if (p->n_local)
		sock_address(&a, &p->local[0], family, p->local_port);
	else
		sock_any(&a, family, p->local_port);
	return bind(fd, &a.sa, tp_addr_len(&a)) == 0 ? SB_OK : SB_EADDR;
}

/* Connects to remote address c->remote. *ERR is connect's errno, 0 while it is under way. */
static enum sb_err attempt(struct tcp_conn *c, int *err)
{
	int family = sock_family(&c->p);
	union tp_addr to;
	enum sb_err e;

	*err = 0;
	c->s.fd = socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, IPPROTO_TCP);
	if (c->s.fd < 0)
		return SB_ESYS;
	set_options(c->s.fd, &c->p);
	e = bind_local(c->s.fd, &c->p, family);
	if (e)
		return e;
	sock_address(&to, &c->p.remote[c->remote], family, c->p.remote_port);
	if (connect(c->s.fd, &to.sa, tp_addr_len(&to)) != 0 && errno != EINPROGRESS)
		*err = errno;
	return SB_OK;
}

/* TCP has one path: of several remote addresses, the first that answers is taken. */
static bool tcp_retry(struct sock *s, int err)
{
	struct tcp_conn *c = (struct tcp_conn *)s;

	while (err && ++c->remote < c->p.n_remote) {
		close(s->fd);
		s->fd = -1;
		if (attempt(c, &err) != SB_OK)
			err = errno;
	}
	return !err;
}

static enum sb_err tcp_start(struct sock *s, const struct tp_params *p)
{
	struct tcp_conn *c = (struct tcp_conn *)s;
	enum sb_err e;
	int err;

	c->p = *p;
	e = attempt(c, &err);
	if (!e && err && !tcp_retry(s, err))
		sock_die(s, false, sock_reason(err));
	return e;
}

static void tcp_adopted(struct sock *s, const struct tp_params *p)
{
	set_options(s->fd, p);
}

static bool tcp_established(struct sock *s)
{
	s->in_streams = s->out_streams = 1;
	return true;
}

static void tcp_leave(struct sock *s)
{
	shutdown(s->fd, SHUT_WR);
}

/* Whoever wants its messages back wants this one, too. */
static void tcp_down(struct sock *s)
{
	struct tcp_conn *c = (struct tcp_conn *)s;

	if (c->tx)
		tp_done(&s->conn, c->tx);
	c->tx = NULL;
}

static void tcp_fini(struct sock *s)
{
	struct tcp_conn *c = (struct tcp_conn *)s;

	drop_rest(c);
	mbuf_free(s->conn.loop->pool, c->rx);
	mbuf_free(s->conn.loop->pool, c->tx);
}

static unsigned tcp_peer_addrs(int fd, union tp_addr addrs[TP_MAX_ADDRS], uint16_t *port)
{
	socklen_t len = sizeof(addrs[0]);

	if (getpeername(fd, &addrs[0].sa, &len) != 0)
		return 0;
	tp_addr_unmap(&addrs[0]);
	*port = tp_addr_port(&addrs[0]);
	tp_addr_set_port(&addrs[0], 0);
	return 1;
}

/* One socket for each local address. The buffers are set here because accepted sockets inherit them, and the
 * window scale is agreed on in the handshake. */
static int open_listener(const struct tp_params *p, const union tp_addr *a)
{
	int fd = socket(a->sa.sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, IPPROTO_TCP);

	if (fd < 0)
		return -1;
	set_options(fd, p);
	sock_set_int(fd, SOL_SOCKET, SO_REUSEADDR, 1);
	/* the wildcard serves both families; a given address is only itself */
	if (a->sa.sa_family == AF_INET6)
		sock_set_int(fd, IPPROTO_IPV6, IPV6_V6ONLY, !tp_addr_is_any(a));
	if (bind(fd, &a->sa, tp_addr_len(a)) == 0 && listen(fd, p->backlog) == 0)
		return fd;
	close(fd);
	return -1;
}

static enum sb_err tcp_open_listeners(const struct tp_params *p, int fds[TP_MAX_ADDRS], unsigned *n_fds)
{
	union tp_addr a;
	unsigned n = 0;

	if (!p->n_local) {
		sock_any(&a, AF_INET6, p->local_port);
		fds[n] = open_listener(p, &a);
		if (fds[n] < 0 && errno != EADDRINUSE) { /* a host without IPv6 */
			sock_any(&a, AF_INET, p->local_port);
			fds[n] = open_listener(p, &a);
		}
		n++;
	}
	for (unsigned i = 0; i < p->n_local && (i == 0 || fds[i - 1] >= 0); i++, n++) {
		sock_address(&a, &p->local[i], p->local[i].sa.sa_family, p->local_port);
		fds[i] = open_listener(p, &a);
	}
	if (fds[n - 1] >= 0) {
		*n_fds = n;
		return SB_OK;
	}
	while (--n)
		close(fds[n - 1]);
	return errno == EADDRINUSE || errno == EADDRNOTAVAIL ? SB_EADDR : SB_ESYS;
}

static enum sb_err tcp_info(const struct tp_conn *conn, struct tp_info *out)
{
	const struct tcp_conn *c = (const struct tcp_conn *)conn;
	socklen_t len = sizeof(union tp_addr), tlen = sizeof(struct tcp_info);
	struct tp_path_info *path = &out->paths[0];
	struct tcp_info ti = {0};

	if (c->s.state != SOCK_OPEN && c->s.state != SOCK_CLOSING)
		return SB_ESTATE;
	memset(out, 0, sizeof(*out));
	if (getpeername(c->s.fd, &path->addr.sa, &len) != 0 ||
		getsockopt(c->s.fd, IPPROTO_TCP, TCP_INFO, &ti, &tlen) != 0)
		return SB_ESTATE;
	len = sizeof(union tp_addr);
	if (getsockname(c->s.fd, &out->local[0].sa, &len) != 0)
		return SB_ESTATE;
	out->remote_port = tp_addr_port(&path->addr);
	out->local_port = tp_addr_port(&out->local[0]);
	tp_addr_unmap(&path->addr);
	tp_addr_unmap(&out->local[0]);
	out->n_paths = out->n_local = 1;
	path->active = path->primary = true;
	path->srtt_ms = ti.tcpi_rtt / 1000;
	path->rto_ms = ti.tcpi_rto / 1000;
	path->cwnd = ti.tcpi_snd_cwnd * ti.tcpi_snd_mss;
	path->mtu = ti.tcpi_pmtu;
	out->in_streams = out->out_streams = 1;
	out->unacked = ti.tcpi_unacked; /* segments: TCP knows no messages */
	out->retransmissions = ti.tcpi_total_retrans;
	out->crc = "none: TCP";
	return SB_OK;
}

static bool available(char *why, size_t n)
{
	snprintf(why, n, "TCP is everywhere");
	return true;
}

static enum sb_err tcp_listen(
	struct tp_loop *l, const struct tp_params *p, void *user, struct tp_listener **out)
{
	return sock_listen(&tcp_kind, l, p, user, out);
}

static enum sb_err tcp_connect(struct tp_loop *l, const struct tp_params *p, void *user, struct tp_conn **out)
{
	return sock_connect(&tcp_kind, l, p, user, out);
}

static enum sb_err tcp_adopt(struct tp_loop *l, struct tp_incoming *take_in, const struct tp_params *p,
	void *user, struct tp_conn **out)
{
	return sock_adopt(&tcp_kind, l, take_in, p, user, out);
}

static void tcp_loop_fini(struct tp_loop *l)
{
	sock_loop_fini(l, &tcp_kind);
}

static const struct sock_kind tcp_kind = {
	.ops = &tp_tcp,
	.kind = TP_TCP,
	.conn_size = sizeof(struct tcp_conn),
	.loop_size = sizeof(struct tcp_loop),
	.open_listeners = tcp_open_listeners,
	.peer_addrs = tcp_peer_addrs,
	.start = tcp_start,
	.retry = tcp_retry,
	.adopted = tcp_adopted,
	.established = tcp_established,
	.readable = tcp_readable,
	.flush = tcp_flush,
	.leave = tcp_leave,
	.down = tcp_down,
	.fini = tcp_fini,
};

const struct tp_ops tp_tcp = {
	.name = "tcp",
	.ordered_only = true,
	.available = available,
	.listen = tcp_listen,
	.unlisten = sock_unlisten,
	.connect = tcp_connect,
	.adopt = tcp_adopt,
	.reject = sock_reject,
	.transmit = tcp_transmit,
	.shutdown = sock_shutdown,
	.abort = sock_abort,
	.release = sock_release,
	.info = tcp_info,
	.loop_fini = tcp_loop_fini,
	.hold = sock_hold,
};
