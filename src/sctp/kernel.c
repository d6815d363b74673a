/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's own SCTP: one-to-one sockets, multi-homed, every option of an association its own. sock.c
 * gives them their life; the other kernel_*.c do the rest. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sctp/kernel_int.h"

static const struct sock_kind kernel_kind;

static enum sb_err kernel_start(struct sock *s, const struct tp_params *p)
{
	uint8_t packed[TP_MAX_ADDRS * sizeof(union tp_addr)];
	enum sb_err e = kernel_open(p, sock_family(p), &s->fd);

	if (e)
		return e;
	kernel_pack(packed, p->remote, p->n_remote, p->remote_port);
	if (sctp_connectx(s->fd, (struct sockaddr *)(void *)packed, p->n_remote, NULL) != 0 &&
		errno != EINPROGRESS)
		sock_die(s, false, sock_reason(errno));
	return SB_OK;
}

static void kernel_adopted(struct sock *s, const struct tp_params *p)
{
	kernel_set_assoc_options(s->fd, p);
}

static bool kernel_established(struct sock *s)
{
	struct sctp_status st = {0};
	socklen_t len = sizeof(st);

	if (getsockopt(s->fd, IPPROTO_SCTP, SCTP_STATUS, &st, &len) != 0 || st.sstat_state < SCTP_ESTABLISHED)
		return false;
	s->in_streams = st.sstat_instrms;
	s->out_streams = st.sstat_outstrms;
	return true;
}

/* SHUTDOWN goes out when everything has been acknowledged; MSG_MORE holds nothing back any more. */
static void kernel_leave(struct sock *s)
{
	shutdown(s->fd, SHUT_WR);
}

static void kernel_fini(struct sock *s)
{
	mbuf_free(s->conn.loop->pool, ((struct kernel_conn *)s)->part);
}

static unsigned kernel_peer_addrs(int fd, union tp_addr addrs[TP_MAX_ADDRS], uint16_t *port)
{
	struct sockaddr *list = NULL;
	int n = sctp_getpaddrs(fd, 0, &list);
	unsigned count;

	if (n <= 0)
		return 0;
	count = kernel_unpack(list, n, addrs, port);
	sctp_freepaddrs(list);
	return count;
}

static enum sb_err kernel_open_listeners(const struct tp_params *p, int fds[TP_MAX_ADDRS], unsigned *n_fds)
{
	/* without addresses: both families, if the host has both */
	int family = p->n_local ? sock_family(p) : AF_INET6;
	enum sb_err e = kernel_open(p, family, &fds[0]);

	if (e && !p->n_local && e != SB_EADDR)
		e = kernel_open(p, AF_INET, &fds[0]);
	if (e)
		return e;
	if (listen(fds[0], p->backlog) != 0) {
		e = errno == EADDRINUSE ? SB_EADDR : errno == ENOSYS ? SB_ENOTSUP : SB_ESYS;
		close(fds[0]);
		return e;
	}
	*n_fds = 1;
	return SB_OK;
}

/* A socket alone proves little: without the kernel's hmac module nobody can listen. */
static bool available(char *why, size_t n)
{
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, IPPROTO_SCTP);
	bool ok;

	if (fd < 0) {
		if (errno == EPROTONOSUPPORT || errno == ESOCKTNOSUPPORT)
			snprintf(why, n, "this kernel has no SCTP");
		else
			snprintf(why, n, "no SCTP socket: %s", strerror(errno));
		return false;
	}
	ok = listen(fd, 1) == 0;
	if (ok)
		snprintf(why, n, "SCTP is there");
	else
		snprintf(why, n, "the kernel's SCTP cannot listen: %s", strerror(errno));
	close(fd);
	return ok;
}

static enum sb_err kernel_listen(
	struct tp_loop *l, const struct tp_params *p, void *user, struct tp_listener **out)
{
	return sock_listen(&kernel_kind, l, p, user, out);
}

static enum sb_err kernel_connect(
	struct tp_loop *l, const struct tp_params *p, void *user, struct tp_conn **out)
{
	return sock_connect(&kernel_kind, l, p, user, out);
}

static enum sb_err kernel_adopt(struct tp_loop *l, struct tp_incoming *take_in, const struct tp_params *p,
	void *user, struct tp_conn **out)
{
	return sock_adopt(&kernel_kind, l, take_in, p, user, out);
}

static void kernel_loop_fini(struct tp_loop *l)
{
	sock_loop_fini(l, &kernel_kind);
}

static const struct sock_kind kernel_kind = {
	.ops = &tp_kernel,
	.kind = TP_KERNEL,
	.conn_size = sizeof(struct kernel_conn),
	.loop_size = sizeof(struct kernel_loop),
	.open_listeners = kernel_open_listeners,
	.peer_addrs = kernel_peer_addrs,
	.start = kernel_start,
	.adopted = kernel_adopted,
	.established = kernel_established,
	.readable = kernel_readable,
	.leave = kernel_leave,
	.fini = kernel_fini,
};

const struct tp_ops tp_kernel = {
	.name = "kernel",
	.gives_ssn = true,
	.multihomed = true,
	.available = available,
	.listen = kernel_listen,
	.unlisten = sock_unlisten,
	.connect = kernel_connect,
	.adopt = kernel_adopt,
	.reject = sock_reject,
	.transmit = kernel_transmit,
	.shutdown = sock_shutdown,
	.abort = sock_abort,
	.release = sock_release,
	.info = kernel_info,
	.loop_fini = kernel_loop_fini,
	.hold = sock_hold,
};
