/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The embedded transport's ops table (transport.h): listening, connecting, and what an owner asks for. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <unistd.h>

#include "sctp/embedded_int.h"

static struct emb_peer *peer_of(const struct tp_conn *c)
{
	return (struct emb_peer *)(uintptr_t)c;
}

static struct emb_peer *peer_of_incoming(struct tp_incoming *in)
{
	return (struct emb_peer *)((char *)in - offsetof(struct emb_peer, in));
}

static bool available(char *why, size_t n)
{
	snprintf(why, n, "usrsctp in this process, over UDP (RFC 6951)");
	return true;
}

static uint16_t udp_port(uint16_t configured)
{
	return configured ? configured : EMB_UDP_PORT;
}

static void unlisten(struct tp_listener *ls)
{
	struct emb *e = ls->e;

	for (uint32_t i = 0; i < e->n_slots; i++)
		if (e->slots[i] && e->slots[i]->state == EMB_HALF && e->slots[i]->ls == ls)
			emb_peer_free(e->slots[i]);
	for (unsigned i = 0; i < ls->n_socks; i++)
		emb_sock_put(ls->socks[i]);
	LIST_REMOVE(ls, link);
	free(ls);
}

static bool has_listener(const struct emb *e, const struct emb_sock *s, uint16_t port)
{
	struct tp_listener *ls;

	LIST_FOREACH(ls, &e->listeners, link)
	for (unsigned i = 0; i < ls->n_socks; i++)
		if (ls->socks[i] == s && ls->params.local_port == port)
			return true;
	return false;
}

static enum sb_err listen_at(struct tp_listener *ls, const union tp_addr *a)
{
	const struct tp_params *p = &ls->params;
	bool raw = p->encap == TP_ENCAP_RAW;
	struct emb_sock *s;
	enum sb_err err = emb_sock_get(ls->e, a, raw ? p->local_port : udp_port(p->local_udp_port), raw, &s);

	if (err != SB_OK)
		return err;
	if (has_listener(ls->e, s, p->local_port)) {
		emb_sock_put(s);
		return SB_EADDR;
	}
	ls->socks[ls->n_socks++] = s;
	return SB_OK;
}

/* No address: one socket for each family; a machine without IPv6 does with one. */
static enum sb_err listen_anywhere(struct tp_listener *ls)
{
	static const union tp_addr any4 = {.in = {.sin_family = AF_INET}},
				   any6 = {.in6 = {.sin6_family = AF_INET6}};
	enum sb_err err = listen_at(ls, &any4), err6 = listen_at(ls, &any6);

	if (err6 == SB_EADDR && err == SB_OK && access("/proc/net/if_inet6", F_OK) == 0)
		return err6;
	return err;
}

static enum sb_err raw_check(const struct tp_params *p)
{
	char why[TP_REASON];

	return p->encap != TP_ENCAP_RAW || embedded_raw_available(why, sizeof(why)) ? SB_OK : SB_ENOTSUP;
}

static enum sb_err listen_op(
	struct tp_loop *l, const struct tp_params *p, void *user, struct tp_listener **out)
{
	enum sb_err err = raw_check(p);
	struct emb *e = err == SB_OK ? emb_get(l, &err) : NULL;
	struct tp_listener *ls;

	if (!e)
		return err;
	if (!p->local_port)
		return SB_EINVAL;
	ls = calloc(1, sizeof(*ls));
	if (!ls)
		return SB_ENOMEM;
	ls->e = e;
	ls->l = l;
	ls->user = user;
	ls->params = *p;
	LIST_INSERT_HEAD(&e->listeners, ls, link);
	err = p->n_local ? SB_OK : listen_anywhere(ls);
	for (unsigned i = 0; err == SB_OK && i < p->n_local; i++)
		err = listen_at(ls, &p->local[i]);
	if (err != SB_OK) {
		unlisten(ls);
		return err;
	}
	*out = ls;
	return SB_OK;
}

/* The address the kernel would send from. */
static enum sb_err source_for(const union tp_addr *to, union tp_addr *from)
{
	int fd = socket(to->sa.sa_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	union tp_addr at = *to;
	socklen_t len = sizeof(*from);
	bool ok;

	if (fd < 0)
		return SB_ESYS;
	tp_addr_set_port(&at, EMB_UDP_PORT);
	ok = connect(fd, &at.sa, tp_addr_len(&at)) == 0 && getsockname(fd, &from->sa, &len) == 0;
	close(fd);
	tp_addr_set_port(from, 0);
	return ok ? SB_OK : SB_EADDR;
}

/* An SCTP port of ours that does not clash with another association to the same peer. */
static uint16_t free_port(struct emb_peer *p)
{
	enum { FIRST = 49152, COUNT = 16384 }; /* RFC 6335 s.6 */
	uint32_t r = 0;

	for (unsigned i = 0; i < 64; i++) {
		uint16_t port;

		(void)!getrandom(&r, sizeof(r), 0);
		port = (uint16_t)(FIRST + r % COUNT);
		if (!emb_peer_find(p->e, p->sock, &p->route.to, p->rport, port))
			return port;
	}
	return 0;
}

static enum sb_err choose_socket(struct emb_peer *p, const struct tp_params *par)
{
	bool raw = par->encap == TP_ENCAP_RAW;
	union tp_addr local = par->local[0];
	enum sb_err err;

	if (raw && !par->local_port)
		return SB_EINVAL; /* the socket's filter wants it */
	if (!par->n_local) {
		err = source_for(&p->route.to, &local);
		if (err != SB_OK)
			return err;
	}
	if (local.sa.sa_family != p->route.to.sa.sa_family)
		return SB_EINVAL;
	err = emb_sock_get(
		p->e, &local, raw ? par->local_port : udp_port(par->local_udp_port), raw, &p->sock);
	if (err != SB_OK)
		return err;
	if (p->sock->wildcard) {
		p->route.from = local;
		tp_addr_set_port(&p->route.from, 0);
	}
	return SB_OK;
}

static enum sb_err prepare(struct emb_peer *p, const struct tp_params *par)
{
	struct emb_peer *other;
	enum sb_err err;

	p->state = EMB_OWNED;
	p->route.to = par->remote[0];
	p->route.gso = par->gso && par->encap == TP_ENCAP_UDP;
	tp_addr_set_port(&p->route.to, par->encap == TP_ENCAP_RAW ? 0 : udp_port(par->remote_udp_port));
	p->loopback = tp_addr_is_loopback(&p->route.to);
	p->crc = par->crc;
	p->route.mtu = par->path_mtu ? par->path_mtu : EMB_PATH_MTU;
	p->rport = par->remote_port;
	err = choose_socket(p, par);
	if (err != SB_OK)
		return err;
	p->lport = par->local_port ? par->local_port : free_port(p);
	if (!p->lport)
		return SB_EADDR;
	other = emb_peer_find(p->e, p->sock, &p->route.to, p->rport, p->lport);
	if (other && other->state == EMB_HALF)
		emb_peer_free(other); /* both began at once: its INIT meets ours now (RFC 4960 s.5.2.1) */
	else if (other)
		return SB_EADDR;
	return SB_OK;
}

static enum sb_err connect_op(
	struct tp_loop *l, const struct tp_params *par, void *user, struct tp_conn **out)
{
	enum sb_err err = raw_check(par);
	struct emb *e = err == SB_OK ? emb_get(l, &err) : NULL;
	struct emb_peer *p;

	if (!e)
		return err;
	if (!par->n_remote || !par->remote_port)
		return SB_EINVAL;
	p = emb_peer_new(e, l);
	if (!p)
		return SB_ENOMEM;
	p->conn.user = user;
	err = prepare(p, par);
	if (err == SB_OK)
		err = emb_assoc_open(p, par);
	if (err == SB_OK) {
		emb_peer_hash(p);
		err = emb_assoc_connect(p);
	}
	if (err != SB_OK) {
		emb_peer_free(p);
		return err;
	}
	*out = &p->conn;
	return SB_OK;
}

static void reject(struct tp_incoming *in)
{
	emb_peer_free(peer_of_incoming(in));
}

static enum sb_err adopt(struct tp_loop *l, struct tp_incoming *in, const struct tp_params *par, void *user,
	struct tp_conn **out)
{
	struct emb_peer *p = peer_of_incoming(in);

	if (l->ev != p->e->ev || !p->so) {
		reject(in);
		return SB_ESTATE;
	}
	if (!l->priv[TP_EMBEDDED])
		(void)emb_share(p->e, l);
	emb_peer_wait(p, 0);
	p->state = EMB_OWNED;
	p->conn.loop = l;
	p->conn.user = user;
	p->route.mtu = par->path_mtu ? par->path_mtu : EMB_PATH_MTU;
	/* The checksum policy stays the listener's: by it the association came up. */
	(void)emb_assoc_options(p, par); /* it may be dying: then TP_UP and TP_DOWN follow */
	emb_ready(p);                    /* SCTP_COMM_UP lies there unread */
	emb_kick(p->e);
	*out = &p->conn;
	return SB_OK;
}

static unsigned transmit(struct tp_conn *c, struct mbufq *q)
{
	struct emb_peer *p = peer_of(c);
	unsigned sent = emb_assoc_transmit(p, q);

	if (p->e->late)
		emb_tx_flush_all(p->e);
	return sent;
}

static void abort_op(struct tp_conn *c, const char *why)
{
	struct emb_peer *p = peer_of(c);

	if (p->down)
		return;
	emb_assoc_close(p, why);
	emb_assoc_end(p, why);
	if (p->e->late)
		emb_tx_flush_all(p->e);
}

static void shutdown_op(struct tp_conn *c)
{
	struct emb_peer *p = peer_of(c);

	if (p->down || p->leaving)
		return;
	if (p->connecting)
		emb_assoc_end(p, "closed before it was up");
	else
		emb_assoc_shutdown(p);
	if (p->e->late)
		emb_tx_flush_all(p->e);
}

/* What arrives stays in usrsctp, whose window closes. So do its notifications: the end of an association is
 * told when it is let go. */
static void hold(struct tp_conn *c, bool held)
{
	struct emb_peer *p = peer_of(c);

	p->held = held;
	if (held)
		return;
	emb_ready(p);
	emb_kick(p->e);
}

static void release(struct tp_conn *c)
{
	emb_peer_free(peer_of(c));
}

const struct tp_ops tp_embedded = {
	.name = "embedded",
	.gives_ssn = true,
	.available = available,
	.listen = listen_op,
	.unlisten = unlisten,
	.connect = connect_op,
	.adopt = adopt,
	.reject = reject,
	.transmit = transmit,
	.shutdown = shutdown_op,
	.abort = abort_op,
	.release = release,
	.info = emb_info,
	.loop_fini = emb_loop_fini,
	.hold = hold,
};
