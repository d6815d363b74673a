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
#include <stdlib.h>
#include <sys/random.h>
#include <usrsctp.h>

#include "base/clock.h"
#include "sctp/embedded_int.h"

static struct emb *the;                 /* usrsctp is one per process, and so is this */
static _Atomic(struct ev_loop *) owner; /* whose loop it is: the only part that other threads look at */
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
	w->repeat = (e->n_slots > EMB_MANY ? EMB_TICK_MANY_MS : EMB_TICK_MS) / 1e3;
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

struct emb *emb_share(struct emb *e, struct tp_loop *l)
{
	e->users++;
	l->priv[TP_EMBEDDED] = e;
	return e;
}

struct emb *emb_get(struct tp_loop *l, enum sb_err *err)
{
	struct emb *e = l->priv[TP_EMBEDDED];
	struct ev_loop *expected = NULL;

	if (e)
		return e;
	*err = SB_ESTATE;
	if (!atomic_compare_exchange_strong(&owner, &expected, l->ev))
		return expected == l->ev ? emb_share(the, l) : NULL;
	e = calloc(1, sizeof(*e));
	*err = SB_ENOMEM;
	if (!e || !emb_rx_init(e)) {
		free(e);
		atomic_store(&owner, NULL);
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
	return emb_share(e, l);
}

void emb_loop_fini(struct tp_loop *l)
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
	atomic_store(&owner, NULL);
}
