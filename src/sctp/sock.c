/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sctp/sock.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* Accepted per pass and listener, so that a storm of connects leaves the loop time for traffic. */
enum { ACCEPT_BATCH = 64, RESERVED_FDS = 16 };
static const double ACCEPT_PAUSE = 0.1; /* seconds, when out of descriptors */

struct sock_incoming {
	struct tp_incoming base;
	const struct sock_kind *kind;
	int fd;
};

/* ---- per loop ---- */

struct sock_loop *sock_loop(struct tp_loop *l, const struct sock_kind *kind)
{
	struct sock_loop *sl = l->priv[kind->kind];

	if (sl)
		return sl;
	sl = calloc(1, kind->loop_size);
	if (!sl)
		return NULL;
	sl->tomb = open("/dev/null", O_RDONLY | O_CLOEXEC);
	if (sl->tomb < 0) {
		free(sl);
		return NULL;
	}
	l->priv[kind->kind] = sl;
	return sl;
}

void sock_loop_fini(struct tp_loop *l, const struct sock_kind *kind)
{
	struct sock_loop *sl = l->priv[kind->kind];

	close(sl->tomb);
	free(sl);
	l->priv[kind->kind] = NULL;
}

/* ---- what is due ---- */

void sock_tell(struct sock *s, enum tp_event_kind kind)
{
	struct tp_event ev = {.kind = kind, .in_streams = s->in_streams, .out_streams = s->out_streams};

	if (kind == TP_SEND_FAILED) {
		ev.count = s->failed;
		s->failed = 0;
	}
	if (kind == TP_DOWN)
		snprintf(ev.reason, sizeof(ev.reason), "%s", s->reason);
	s->conn.loop->up->event(s->conn.user, &ev);
}

static void owe(struct sock *s, unsigned what)
{
	s->due |= what;
	if (!ev_is_active(&s->later)) {
		ev_timer_set(&s->later, 0., 0.);
		ev_timer_start(s->conn.loop->ev, &s->later);
	}
}

static void on_up(struct sock *s)
{
	if (s->state != SOCK_CONNECTING)
		return; /* aborted before it was told */
	if (!s->kind->established(s)) {
		sock_die(s, false, "gone before it was up");
		return;
	}
	s->state = SOCK_OPEN;
	ev_io_start(s->conn.loop->ev, &s->rd);
	sock_tell(s, TP_UP);
}

static void on_later(struct ev_loop *loop, ev_timer *w, int revents)
{
	struct sock *s = w->data;
	unsigned due = s->due;

	(void)loop;
	(void)revents;
	s->due = 0;
	if (due & SOCK_DUE_UP)
		on_up(s);
	if (due & SOCK_DUE_READ && s->state != SOCK_DEAD && !s->held)
		s->kind->readable(s);
	if (due & SOCK_DUE_FAILED)
		sock_tell(s, TP_SEND_FAILED);
	if (due & SOCK_DUE_DOWN && s->kind->down)
		s->kind->down(s);
	if (due & SOCK_DUE_DOWN)
		sock_tell(s, TP_DOWN);
}

void sock_stall(struct sock *s)
{
	s->stalled = true;
	ev_io_start(s->conn.loop->ev, &s->wr);
}

void sock_failed(struct sock *s, uint32_t n)
{
	s->failed += n;
	owe(s, SOCK_DUE_FAILED);
}

void sock_die(struct sock *s, bool abort, const char *why)
{
	const struct linger now = {.l_onoff = 1, .l_linger = 0};
	struct tp_loop *l = s->conn.loop;

	if (s->state == SOCK_DEAD)
		return;
	s->state = SOCK_DEAD;
	ev_io_stop(l->ev, &s->rd);
	ev_io_stop(l->ev, &s->wr);
	snprintf(s->reason, sizeof(s->reason), "%s", why);
	/* neither stack has an abort that leaves the descriptor; the last close of a socket that does not
	 * linger is one (RFC 6458 s.8.1.4) */
	if (abort)
		setsockopt(s->fd, SOL_SOCKET, SO_LINGER, &now, sizeof(now));
	dup2(sock_loop(l, s->kind)->tomb, s->fd);
	owe(s, SOCK_DUE_DOWN);
}

const char *sock_reason(int err)
{
	switch (err) {
	case ECONNREFUSED: return "refused";
	case ETIMEDOUT: return "no answer";
	case ECONNRESET: return "aborted by peer";
	case EHOSTUNREACH:
	case ENETUNREACH: return "unreachable";
	default: return strerror(err);
	}
}

/* ---- connections ---- */

static void connect_failed(struct sock *s, int err)
{
	ev_io_stop(s->conn.loop->ev, &s->wr);
	if (s->kind->retry && s->kind->retry(s, err)) {
		ev_io_set(&s->wr, s->fd, EV_WRITE);
		ev_io_set(&s->rd, s->fd, EV_READ);
		ev_io_start(s->conn.loop->ev, &s->wr);
		return;
	}
	sock_die(s, false, sock_reason(err));
}

static void on_connected(struct sock *s)
{
	int err = 0;
	socklen_t len = sizeof(err);

	if (getsockopt(s->fd, SOL_SOCKET, SO_ERROR, &err, &len) != 0)
		err = errno;
	if (err) {
		connect_failed(s, err);
		return;
	}
	ev_io_stop(s->conn.loop->ev, &s->wr);
	on_up(s);
}

static void on_writable(struct ev_loop *loop, ev_io *w, int revents)
{
	struct sock *s = w->data;

	(void)revents;
	if (s->state == SOCK_CONNECTING) {
		on_connected(s);
		return;
	}
	if (s->kind->flush && !s->kind->flush(s))
		return;
	if (s->state == SOCK_DEAD)
		return;
	ev_io_stop(loop, w);
	if (s->state == SOCK_CLOSING) {
		s->kind->leave(s);
	} else if (s->stalled) {
		s->stalled = false;
		sock_tell(s, TP_WRITABLE);
	}
}

static void on_readable(struct ev_loop *loop, ev_io *w, int revents)
{
	struct sock *s = w->data;

	(void)loop;
	(void)revents;
	s->kind->readable(s);
}

static struct sock *sock_new(const struct sock_kind *kind, struct tp_loop *l, void *user)
{
	struct sock *s;

	if (!sock_loop(l, kind))
		return NULL;
	s = calloc(1, kind->conn_size);
	if (!s)
		return NULL;
	s->conn = (struct tp_conn){.ops = kind->ops, .loop = l, .user = user};
	s->kind = kind;
	s->fd = -1;
	ev_init(&s->rd, on_readable);
	ev_init(&s->wr, on_writable);
	ev_init(&s->later, on_later);
	s->rd.data = s->wr.data = s->later.data = s;
	return s;
}

static void sock_watch(struct sock *s)
{
	ev_io_set(&s->rd, s->fd, EV_READ);
	ev_io_set(&s->wr, s->fd, EV_WRITE);
}

enum sb_err sock_connect(const struct sock_kind *kind, struct tp_loop *l, const struct tp_params *p,
	void *user, struct tp_conn **out)
{
	struct sock *s;
	enum sb_err err;

	if (!p->n_remote)
		return SB_EINVAL;
	s = sock_new(kind, l, user);
	if (!s)
		return SB_ENOMEM;
	err = kind->start(s, p);
	if (err) {
		sock_release(&s->conn);
		return err;
	}
	sock_watch(s);
	if (s->state == SOCK_CONNECTING)
		ev_io_start(l->ev, &s->wr);
	*out = &s->conn;
	return SB_OK;
}

enum sb_err sock_adopt(const struct sock_kind *kind, struct tp_loop *l, struct tp_incoming *take_in,
	const struct tp_params *p, void *user, struct tp_conn **out)
{
	struct sock_incoming *in = (struct sock_incoming *)take_in;
	struct sock *s = sock_new(kind, l, user);

	if (!s) {
		sock_reject(take_in);
		return SB_ENOMEM;
	}
	s->fd = in->fd;
	free(in);
	kind->adopted(s, p);
	sock_watch(s);
	owe(s, SOCK_DUE_UP);
	*out = &s->conn;
	return SB_OK;
}

void sock_shutdown(struct tp_conn *c)
{
	struct sock *s = (struct sock *)c;

	if (s->state == SOCK_CONNECTING)
		sock_die(s, true, "shut down");
	if (s->state != SOCK_OPEN)
		return;
	s->state = SOCK_CLOSING;
	s->stalled = false;
	if (!s->kind->flush || s->kind->flush(s))
		s->kind->leave(s);
	else
		ev_io_start(c->loop->ev, &s->wr);
}

void sock_abort(struct tp_conn *c, const char *why)
{
	sock_die((struct sock *)c, true, why);
}

void sock_hold(struct tp_conn *c, bool held)
{
	struct sock *s = (struct sock *)c;

	if (s->state != SOCK_OPEN && s->state != SOCK_CLOSING)
		return;
	s->held = held;
	if (held) {
		ev_io_stop(c->loop->ev, &s->rd);
	} else {
		ev_io_start(c->loop->ev, &s->rd);
		owe(s, SOCK_DUE_READ); /* what was read and not handed over is not on the socket any more */
	}
}

void sock_release(struct tp_conn *take_c)
{
	struct sock *s = (struct sock *)take_c;
	struct ev_loop *ev = take_c->loop->ev;

	ev_io_stop(ev, &s->rd);
	ev_io_stop(ev, &s->wr);
	ev_timer_stop(ev, &s->later);
	if (s->fd >= 0)
		close(s->fd);
	if (s->kind->fini)
		s->kind->fini(s);
	free(s);
}

/* ---- listeners ---- */

/* Refused in the way a peer understands at once: ABORT, RST. */
static void close_hard(int fd)
{
	const struct linger now = {.l_onoff = 1, .l_linger = 0};

	setsockopt(fd, SOL_SOCKET, SO_LINGER, &now, sizeof(now));
	close(fd);
}

/* A multi-homed peer may be known by any of its addresses. */
static bool permitted(const struct sock_listener *ls, const struct tp_incoming *in)
{
	const struct tp_upcalls *up = ls->loop->up;

	for (unsigned i = 0; up->permit && i < in->n_addrs; i++)
		if (up->permit(ls->user, &in->addrs[i]))
			return true;
	return !up->permit;
}

static void arrived(struct sock_listener *ls, int fd)
{
	struct sock_incoming *in = calloc(1, sizeof(*in));

	if (!in) {
		close_hard(fd);
		return;
	}
	in->base = (struct tp_incoming){.ops = ls->kind->ops, .loop = ls->loop, .local_port = ls->port};
	in->kind = ls->kind;
	in->fd = fd;
	in->base.n_addrs = (uint8_t)ls->kind->peer_addrs(fd, in->base.addrs, &in->base.remote_port);
	if (!in->base.n_addrs || !permitted(ls, &in->base)) {
		sock_reject(&in->base);
		return;
	}
	ls->loop->up->incoming(ls->user, &in->base);
}

/* Descriptors come lowest first: one this high says that the last few are left. Those are for the console and
 * the like, which must be there when peers have taken all else. */
static bool is_reserved(int fd)
{
	struct rlimit l;

	return getrlimit(RLIMIT_NOFILE, &l) == 0 && (rlim_t)fd + RESERVED_FDS >= l.rlim_cur;
}

static void starved(struct sock_listener *ls, unsigned n)
{
	if (ls->loop->up->starved)
		ls->loop->up->starved(ls->user, n);
}

static void accept_pause(struct sock_listener *ls)
{
	starved(ls, 0);
	for (unsigned i = 0; i < ls->n; i++)
		ev_io_stop(ls->loop->ev, &ls->io[i]);
	ev_timer_set(&ls->pause, ACCEPT_PAUSE, 0.);
	ev_timer_start(ls->loop->ev, &ls->pause);
}

static void on_pause_end(struct ev_loop *loop, ev_timer *w, int revents)
{
	struct sock_listener *ls = w->data;

	(void)revents;
	for (unsigned i = 0; i < ls->n; i++)
		ev_io_start(loop, &ls->io[i]);
}

static void on_accept(struct ev_loop *loop, ev_io *w, int revents)
{
	struct sock_listener *ls = w->data;

	(void)loop;
	(void)revents;
	for (int i = 0; i < ACCEPT_BATCH; i++) {
		int fd = accept4(w->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);

		if (fd >= 0 && is_reserved(fd)) {
			close(fd);
			starved(ls, 1);
		} else if (fd >= 0) {
			arrived(ls, fd);
		} else if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
			accept_pause(ls); /* it stays readable: do not spin */
			return;
		} else if (errno == EAGAIN || errno == EWOULDBLOCK) {
			return;
		}
		/* else that peer has gone again: accept(2) hands over its error */
	}
}

enum sb_err sock_listen(const struct sock_kind *kind, struct tp_loop *l, const struct tp_params *p,
	void *user, struct tp_listener **out)
{
	struct sock_listener *ls;
	int fds[TP_MAX_ADDRS];
	enum sb_err err;

	if (!sock_loop(l, kind))
		return SB_ENOMEM;
	ls = calloc(1, sizeof(*ls));
	if (!ls)
		return SB_ENOMEM;
	*ls = (struct sock_listener){.loop = l, .kind = kind, .user = user, .port = p->local_port};
	err = kind->open_listeners(p, fds, &ls->n);
	if (err) {
		free(ls);
		return err;
	}
	for (unsigned i = 0; i < ls->n; i++) {
		ev_io_init(&ls->io[i], on_accept, fds[i], EV_READ);
		ls->io[i].data = ls;
		ev_io_start(l->ev, &ls->io[i]);
	}
	ev_init(&ls->pause, on_pause_end);
	ls->pause.data = ls;
	*out = (struct tp_listener *)ls;
	return SB_OK;
}

void sock_unlisten(struct tp_listener *take_ls)
{
	struct sock_listener *ls = (struct sock_listener *)take_ls;

	ev_timer_stop(ls->loop->ev, &ls->pause);
	for (unsigned i = 0; i < ls->n; i++) {
		ev_io_stop(ls->loop->ev, &ls->io[i]);
		close(ls->io[i].fd);
	}
	free(ls);
}

void sock_reject(struct tp_incoming *take_in)
{
	struct sock_incoming *in = (struct sock_incoming *)take_in;

	close_hard(in->fd);
	free(in);
}

/* ---- options and addresses ---- */

void sock_set_int(int fd, int level, int option, int value)
{
	(void)!setsockopt(fd, level, option, &value, sizeof(value));
}

/* The kernel doubles the value for its own bookkeeping. FORCE goes beyond net.core.[rw]mem_max. */
static void set_buffer(int fd, int force, int option, uint32_t bytes)
{
	int value = (int)(bytes > INT32_MAX / 2 ? INT32_MAX / 2 : bytes);

	if (value && setsockopt(fd, SOL_SOCKET, force, &value, sizeof(value)) != 0)
		sock_set_int(fd, SOL_SOCKET, option, value);
}

void sock_set_buffers(int fd, const struct tp_params *p)
{
	set_buffer(fd, SO_SNDBUFFORCE, SO_SNDBUF, p->sndbuf);
	set_buffer(fd, SO_RCVBUFFORCE, SO_RCVBUF, p->rcvbuf);
}

void sock_set_dscp(int fd, uint8_t dscp)
{
	if (!dscp)
		return;
	/* the field's upper six bits (RFC 2474 s.3); on an IPv4 socket the second has no effect */
	sock_set_int(fd, IPPROTO_IP, IP_TOS, dscp << 2);
	sock_set_int(fd, IPPROTO_IPV6, IPV6_TCLASS, dscp << 2);
}

int sock_family(const struct tp_params *p)
{
	for (unsigned i = 0; i < p->n_local; i++)
		if (p->local[i].sa.sa_family == AF_INET6)
			return AF_INET6;
	for (unsigned i = 0; i < p->n_remote; i++)
		if (p->remote[i].sa.sa_family == AF_INET6)
			return AF_INET6;
	return AF_INET;
}

void sock_address(union tp_addr *out, const union tp_addr *a, int family, uint16_t port)
{
	*out = *a;
	if (a->sa.sa_family == AF_INET && family == AF_INET6) {
		memset(out, 0, sizeof(*out));
		out->in6.sin6_family = AF_INET6;
		out->in6.sin6_addr.s6_addr[10] = out->in6.sin6_addr.s6_addr[11] = 0xff;
		memcpy(out->in6.sin6_addr.s6_addr + 12, &a->in.sin_addr, 4);
	}
	tp_addr_set_port(out, port);
}

void sock_any(union tp_addr *out, int family, uint16_t port)
{
	memset(out, 0, sizeof(*out)); /* INADDR_ANY and in6addr_any are zero */
	out->sa.sa_family = (sa_family_t)family;
	tp_addr_set_port(out, port);
}
