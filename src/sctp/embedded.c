/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The embedded transport: Debian's usrsctp without its threads, in the loop of the thread that uses it,
 * behind our own sockets.
 *
 *     UDP or raw socket -> emb_input() -> a peer -> usrsctp -> emb_read() -> upcalls
 *     transmit() -> usrsctp -> output() -> a batch for each socket -> sendmmsg() at the end of the pass
 *
 * usrsctp keeps one state for the whole process, so one libev loop of the process may use this transport. It
 * sees each peer as a network of its own (AF_CONN) with one number for an address; addresses, UDP ports,
 * checksums and batches are ours. It is single-homed.
 *
 * A pass of the loop: what arrived goes in (and its upcalls come out); the owner calls transmit() for each
 * connection, usually from an ev_prepare; then our own ev_prepare, of the lowest priority, flushes. Calls
 * that come even later flush at once.
 *
 * embedded_peer.c table of peers, embedded_sock.c and embedded_tx.c sockets, embedded_in.c what a packet may
 * do, embedded_assoc.c and embedded_read.c usrsctp, embedded_info.c snapshots, embedded_packet.c (pure)
 * packets. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <unistd.h>
#include <usrsctp.h>

#include "base/clock.h"
#include "sctp/embedded_int.h"

static struct emb *the; /* usrsctp is one per process, and so is this */
static atomic_flag taken = ATOMIC_FLAG_INIT;
static _Atomic uint64_t stats[EMB_STATS];

static const struct {
	const char *name, *help;
} stat_texts[EMB_STATS] = {
	[EMB_RX_PACKETS] = {"rx-packets", "SCTP packets received"},
	[EMB_TX_PACKETS] = {"tx-packets", "SCTP packets sent"},
	[EMB_RX_CALLS] = {"rx-calls", "system calls to receive them"},
	[EMB_TX_CALLS] = {"tx-calls", "system calls to send them"},
	[EMB_RX_RUNT] = {"rx-runt", "datagrams that are no SCTP packet"},
	[EMB_RX_BAD_CRC] = {"rx-bad-crc", "packets dropped for their checksum"},
	[EMB_RX_NO_CRC] = {"rx-no-crc", "packets taken without a checksum (trust-local)"},
	[EMB_TX_NO_CRC] = {"tx-no-crc", "packets sent without a checksum (trust-local)"},
	[EMB_RX_STRAY] = {"rx-stray", "packets of no association and no listener"},
	[EMB_TX_STRAY] = {"tx-stray", "answers to those (RFC 4960 s.8.4)"},
	[EMB_RX_BAD_INIT] = {"rx-bad-init", "malformed INITs"},
	[EMB_NOT_PERMITTED] = {"not-permitted", "INITs from addresses that no ASP has"},
	[EMB_HALF_FULL] = {"half-open-full", "INITs ignored: too many peers between INIT and association"},
	[EMB_HALF_EXPIRED] = {"half-open-expired", "peers that sent an INIT and nothing more"},
	[EMB_OFFER_EXPIRED] = {"unclaimed", "associations that nobody took"},
	[EMB_PORT_MOVED] = {"port-moved", "associations that followed their peer to a new UDP port"},
	[EMB_TX_DROPPED] = {"tx-dropped", "packets the kernel did not take"},
	[EMB_TX_BLOCKED] = {"tx-blocked", "times a socket was full"},
};

void emb_count(enum emb_stat s, uint64_t n)
{
	uint64_t v = atomic_load_explicit(&stats[s], memory_order_relaxed); /* one writer */

	atomic_store_explicit(&stats[s], v + n, memory_order_relaxed);
}

uint64_t embedded_stat(enum emb_stat s)
{
	return atomic_load_explicit(&stats[s], memory_order_relaxed);
}

const char *embedded_stat_name(enum emb_stat s)
{
	return stat_texts[s].name;
}

const char *embedded_stat_help(enum emb_stat s)
{
	return stat_texts[s].help;
}

/* ---- the loop ---- */

struct emb_peer *emb_slot(uintptr_t name)
{
	return the && name && name <= the->n_slots ? the->slots[name - 1] : NULL;
}

void emb_ready(struct emb_peer *p)
{
	if (p->is_ready)
		return;
	p->is_ready = true;
	TAILQ_INSERT_TAIL(&p->e->ready, p, ready);
	p->e->n_ready++;
}

void emb_kick(struct emb *e)
{
	if (!ev_is_active(&e->kick))
		ev_timer_start(e->ev, &e->kick);
}

static void offer(struct emb_peer *p)
{
	struct tp_listener *ls = p->ls;

	if (!emb_assoc_accept(p))
		return;
	p->state = EMB_OFFERED;
	p->ls = NULL;
	p->in = (struct tp_incoming){
		.ops = &tp_embedded,
		.loop = p->conn.loop,
		.bound_to_loop = true,
		.addrs = {p->route.to},
		.n_addrs = 1,
		.remote_port = p->rport,
		.local_port = p->lport,
	};
	tp_addr_set_port(&p->in.addrs[0], p->rport);
	emb_peer_wait(p, EMB_OFFER_MS);
	p->conn.loop->up->incoming(ls->user, &p->in);
}

/* One round: who gets ready again meanwhile waits for the next pass. */
void emb_pump(struct emb *e)
{
	struct emb_peer *p;

	for (unsigned n = e->n_ready; n && (p = TAILQ_FIRST(&e->ready)); n--) {
		TAILQ_REMOVE(&e->ready, p, ready);
		e->n_ready--;
		p->is_ready = false;
		if (p->state == EMB_HALF)
			offer(p);
		else if (p->state == EMB_OWNED)
			emb_read(p);
	}
	if (e->n_ready)
		emb_kick(e);
}

static void on_kick(struct ev_loop *loop, ev_timer *w, int events)
{
	(void)loop, (void)events;
	emb_pump(w->data);
}

static void on_flush(struct ev_loop *loop, ev_prepare *w, int events)
{
	struct emb *e = w->data;

	(void)loop, (void)events;
	emb_tx_flush_all(e);
	e->late = true;
}

static void on_awake(struct ev_loop *loop, ev_check *w, int events)
{
	(void)loop, (void)events;
	((struct emb *)w->data)->late = false;
}

/* Half-open peers vanish. An unclaimed association is aborted, but whoever was told of it still holds it. */
static void expire(struct emb *e)
{
	uint64_t now = clock_ms();
	struct emb_peer *p = TAILQ_FIRST(&e->waiting), *next;

	for (; p; p = next) {
		next = TAILQ_NEXT(p, waiting);
		if (now < p->deadline_ms)
			continue;
		if (p->state == EMB_HALF) {
			emb_count(EMB_HALF_EXPIRED, 1);
			emb_peer_free(p);
			continue;
		}
		emb_count(EMB_OFFER_EXPIRED, 1);
		emb_peer_wait(p, 0);
		emb_assoc_close(p, NULL);
		emb_peer_unhash(p);
	}
}

/* A slice of all associations: usrsctp makes no upcall for what its timers bring about, except for errors. */
static void sweep(struct emb *e)
{
	uint64_t now = clock_ms();

	for (uint32_t n = e->n_slots / EMB_SWEEP_TICKS + 1; n; n--) {
		struct emb_peer *p;

		if (++e->sweep >= e->n_slots)
			e->sweep = 0;
		p = e->n_slots ? e->slots[e->sweep] : NULL;
		if (!p || p->state != EMB_OWNED || p->down)
			continue;
		emb_ready(p);
		if (p->up && now - p->info_ms >= EMB_INFO_MS)
			emb_info_refresh(p);
	}
}

static void on_tick(struct ev_loop *loop, ev_timer *w, int events)
{
	struct emb *e = w->data;
	uint64_t now = clock_ms();

	(void)loop, (void)events;
	usrsctp_handle_timers((uint32_t)(now - e->last_ms));
	e->last_ms = now;
	if (++e->ticks % (1000 / EMB_TICK_MS / EMB_STRAY_BURST + 1) == 0 && e->stray_tokens < EMB_STRAY_BURST)
		e->stray_tokens++;
	if (e->ticks % EMB_SWEEP_TICKS == 0)
		expire(e);
	sweep(e);
	e->rx_ns = clock_ns();
	emb_pump(e);
}

static void start_watchers(struct emb *e)
{
	ev_prepare_init(&e->flush, on_flush);
	ev_set_priority(&e->flush, EV_MINPRI);
	ev_check_init(&e->awake, on_awake);
	ev_set_priority(&e->awake, EV_MAXPRI);
	ev_timer_init(&e->tick, on_tick, EMB_TICK_MS / 1e3, EMB_TICK_MS / 1e3);
	ev_timer_init(&e->kick, on_kick, 0., 0.);
	e->flush.data = e->awake.data = e->tick.data = e->kick.data = e;
	ev_prepare_start(e->ev, &e->flush);
	ev_check_start(e->ev, &e->awake);
	ev_timer_start(e->ev, &e->tick);
}

static struct emb *share(struct emb *e, struct tp_loop *l)
{
	e->users++;
	l->priv[TP_EMBEDDED] = e;
	return e;
}

/* On first use; NULL and *ERR if another loop of this process has it. */
static struct emb *get(struct tp_loop *l, enum sb_err *err)
{
	struct emb *e = l->priv[TP_EMBEDDED];

	if (e)
		return e;
	if (the && the->ev == l->ev)
		return share(the, l);
	*err = SB_ESTATE;
	if (atomic_flag_test_and_set(&taken))
		return NULL;
	e = calloc(1, sizeof(*e));
	*err = SB_ENOMEM;
	if (!e || !emb_rx_init(e)) {
		free(e);
		atomic_flag_clear(&taken);
		return NULL;
	}
	e->ev = l->ev;
	TAILQ_INIT(&e->ready);
	TAILQ_INIT(&e->waiting);
	e->last_ms = clock_ms();
	e->stray_tokens = EMB_STRAY_BURST;
	(void)!getrandom(&e->seed, sizeof(e->seed), 0);
	the = e;
	emb_stack_init();
	start_watchers(e);
	return share(e, l);
}

static void loop_fini(struct tp_loop *l)
{
	struct emb *e = l->priv[TP_EMBEDDED];

	for (uint32_t i = 0; i < e->n_slots; i++)
		if (e->slots[i] && e->slots[i]->conn.loop == l)
			emb_peer_free(e->slots[i]);
	l->priv[TP_EMBEDDED] = NULL;
	if (--e->users)
		return;
	ev_prepare_stop(e->ev, &e->flush);
	ev_check_stop(e->ev, &e->awake);
	ev_timer_stop(e->ev, &e->tick);
	ev_timer_stop(e->ev, &e->kick);
	emb_stack_fini();
	the = NULL;
	emb_rx_fini(e);
	free(e->slots);
	free(e->free_slots);
	free(e);
	atomic_flag_clear(&taken);
}

/* ---- the ops ---- */

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
	struct emb *e = err == SB_OK ? get(l, &err) : NULL;
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
	struct emb *e = err == SB_OK ? get(l, &err) : NULL;
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
		share(p->e, l);
	emb_peer_wait(p, 0);
	p->state = EMB_OWNED;
	p->conn.loop = l;
	p->conn.user = user;
	p->crc = par->crc;
	emb_assoc_options(p, par);
	emb_ready(p); /* SCTP_COMM_UP lies there unread */
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

static void release(struct tp_conn *c)
{
	emb_peer_free(peer_of(c));
}

const struct tp_ops tp_embedded = {
	.name = "embedded",
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
	.loop_fini = loop_fini,
};
