/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The transport of tests and benchmarks: two ends in one process, on one loop or on two loops of two threads.
 *
 * Messages change hands as they are: no copy, no allocation, no system call while the other loop is awake.
 * Their buffers keep the headroom that the sender left. tp_params.sndbuf bounds the bytes on their way, so a
 * small one shows what a stalled peer does.
 *
 * Ends talk by notes in each other's loop's inbox, which keeps their order. An end that leaves says so and is
 * down only when the other has answered MEM_GONE, its last note; so no note ever arrives at a released end,
 * and notes can live in their receiver. Only the registry of listeners is shared, and has a mutex. Loops that
 * talk to each other are destroyed after all their threads have ended. */
#include <ev.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/inbox.h"
#include "sctp/transport.h"

enum mem_note_kind {
	MEM_MESSAGE,  /* an mbuf; all others are in their receiver */
	MEM_CONNECT,  /* to a listener's loop */
	MEM_ACCEPTED, /* to the end that connects */
	MEM_REFUSED,
	MEM_UP,       /* to itself */
	MEM_WRITABLE, /* there is room again */
	MEM_FAILED,   /* to itself: some messages could not be sent */
	MEM_SHUTDOWN,
	MEM_ABORT,
	MEM_GONE, /* the last one to the peer: its sender is not there any more */
	MEM_END,  /* to itself: the very last one */
	MEM_NOTE_KINDS
};

struct mem_loop {
	struct tp_loop *tp;
	struct inbox in;
	ev_async wake;
	uint64_t now_ns; /* of the current drain */
};

struct mem_listener {
	struct mem_listener *next;
	struct mem_loop *ml;
	void *user;
	uint16_t port;
};

struct mem_note {
	struct note note;
	struct mem_conn *to;
};

enum mem_state { MEM_CONNECTING, MEM_OPEN, MEM_CLOSING, MEM_DOWN };

struct mem_conn {
	struct tp_conn base;
	struct mem_loop *ml;
	struct mem_conn *peer;        /* from MEM_ACCEPTED to MEM_GONE */
	_Atomic enum mem_state state; /* for info() from other threads */
	bool accepted;                /* by us: we know the peer from the start */
	bool aborted;                 /* nothing that still comes in is wanted */
	uint16_t in_streams, out_streams, want_out, max_in;
	uint16_t local_port, remote_port;
	uint16_t *ssn; /* next one of each outbound stream */
	uint32_t failed;
	uint64_t limit, sent;      /* bytes; this end's */
	_Atomic uint64_t consumed; /* bytes this end has taken from its peer: read by the peer */
	_Atomic bool blocked;      /* this end waits for MEM_WRITABLE: read by the peer */
	char reason[TP_REASON];
	struct mem_note in[MEM_NOTE_KINDS];
};

struct mem_incoming {
	struct tp_incoming base;
	struct mem_conn *from;
};

static pthread_mutex_t registry_lock = PTHREAD_MUTEX_INITIALIZER;
static struct mem_listener *registry;

static void post(struct mem_conn *to, enum mem_note_kind kind)
{
	to->in[kind].note.kind = kind;
	to->in[kind].to = to;
	inbox_post(&to->ml->in, &to->in[kind].note);
}

static void tell(struct mem_conn *c, struct tp_event *ev)
{
	ev->in_streams = c->in_streams;
	ev->out_streams = c->out_streams;
	c->base.loop->up->event(c->base.user, ev);
}

/* Told by a note of its own, so that it comes behind whatever we have still posted to ourselves. */
static void down(struct mem_conn *c)
{
	c->state = MEM_DOWN;
	post(c, MEM_END);
}

static void on_end(struct mem_conn *c)
{
	struct tp_event ev = {.kind = TP_DOWN};

	snprintf(ev.reason, sizeof(ev.reason), "%s", c->reason);
	tell(c, &ev);
}

static void up(struct mem_conn *c)
{
	struct tp_event ev = {.kind = TP_UP};

	c->state = MEM_OPEN;
	tell(c, &ev);
}

/* ---- the receiving side: notes ---- */

static void on_message(struct mem_conn *c, struct mbuf *m)
{
	const struct tp_loop *l = c->base.loop;
	uint32_t len = m->len;

	/* seq_cst, as are the sender's accesses: either it sees the room or we see that it waits */
	atomic_store(&c->consumed, atomic_load_explicit(&c->consumed, memory_order_relaxed) + len);
	if (c->state == MEM_OPEN && atomic_load(&c->peer->blocked) &&
		atomic_exchange(&c->peer->blocked, false))
		post(c->peer, MEM_WRITABLE);
	m->peer = NULL;
	m->rx_ns = c->ml->now_ns;
	if (!c->aborted && len <= l->max_message) {
		l->up->message(c->base.user, m);
		return;
	}
	mbuf_free(l->pool, m);
	if (!c->aborted)
		l->up->refused(c->base.user, len, true);
}

static void on_accepted(struct mem_conn *c)
{
	if (c->state == MEM_CONNECTING) {
		up(c);
		return;
	}
	c->aborted = true; /* given up in the meantime */
	post(c->peer, MEM_ABORT);
}

static void on_up(struct mem_conn *c)
{
	if (c->state == MEM_CONNECTING)
		up(c);
	else
		c->aborted = true;
}

static void on_refused(struct mem_conn *c)
{
	if (c->state == MEM_CONNECTING)
		snprintf(c->reason, sizeof(c->reason), "refused");
	down(c);
}

static void on_writable(struct mem_conn *c)
{
	struct tp_event ev = {.kind = TP_WRITABLE};

	if (c->state == MEM_OPEN)
		tell(c, &ev);
}

static void on_failed(struct mem_conn *c)
{
	struct tp_event ev = {.kind = TP_SEND_FAILED, .count = c->failed};

	c->failed = 0;
	tell(c, &ev);
}

static void peer_leaves(struct mem_conn *c, const char *why)
{
	struct mem_conn *peer = c->peer;

	post(peer, MEM_GONE);
	if (c->state == MEM_CLOSING)
		return; /* both at once: the peer answers ours as well */
	snprintf(c->reason, sizeof(c->reason), "%s", why);
	down(c);
}

static void on_shutdown(struct mem_conn *c)
{
	struct tp_event ev = {.kind = TP_PEER_SHUTDOWN};

	if (c->state == MEM_OPEN)
		tell(c, &ev);
	peer_leaves(c, "closed by peer");
}

static void on_abort(struct mem_conn *c)
{
	peer_leaves(c, "aborted by peer");
}

static bool permitted(struct mem_listener *ls, const union tp_addr *from)
{
	const struct tp_upcalls *up = ls->ml->tp->up;

	return !up->permit || up->permit(ls->user, from);
}

/* A peer has come to a listener of ours, which may have gone since. */
static void on_connect(struct mem_loop *ml, struct mem_conn *from)
{
	union tp_addr addr = {.in = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)}};
	struct mem_incoming *in = NULL;
	struct mem_listener *ls;

	pthread_mutex_lock(&registry_lock);
	for (ls = registry; ls && (ls->port != from->remote_port || ls->ml != ml); ls = ls->next)
		;
	pthread_mutex_unlock(&registry_lock);
	/* only this thread removes its listeners, so LS stays */
	if (ls && permitted(ls, &addr))
		in = calloc(1, sizeof(*in));
	if (!in) {
		post(from, MEM_REFUSED);
		return;
	}
	in->base = (struct tp_incoming){.ops = &tp_mem,
		.loop = ml->tp,
		.addrs = {addr},
		.n_addrs = 1,
		.remote_port = from->local_port,
		.local_port = ls->port};
	in->from = from;
	ml->tp->up->incoming(ls->user, &in->base);
}

static void (*const on_note[MEM_NOTE_KINDS])(struct mem_conn *c) = {
	[MEM_ACCEPTED] = on_accepted,
	[MEM_REFUSED] = on_refused,
	[MEM_UP] = on_up,
	[MEM_WRITABLE] = on_writable,
	[MEM_FAILED] = on_failed,
	[MEM_SHUTDOWN] = on_shutdown,
	[MEM_ABORT] = on_abort,
	[MEM_GONE] = down,
	[MEM_END] = on_end,
};

static void dispatch(struct note *n, void *arg)
{
	if (n->kind == MEM_MESSAGE) {
		struct mbuf *m = caa_container_of(n, struct mbuf, note);

		on_message(m->peer, m);
	} else if (n->kind == MEM_CONNECT) {
		on_connect(arg, caa_container_of(n, struct mem_note, note)->to);
	} else {
		on_note[n->kind](caa_container_of(n, struct mem_note, note)->to);
	}
}

static void woken(struct ev_loop *loop, ev_async *w, int revents)
{
	struct mem_loop *ml = w->data;

	(void)loop;
	(void)revents;
	ml->now_ns = clock_ns();
	inbox_drain(&ml->in, dispatch, ml);
}

static void wake(void *arg)
{
	struct mem_loop *ml = arg;

	ev_async_send(ml->tp->ev, &ml->wake);
}

static struct mem_loop *mem_loop(struct tp_loop *l)
{
	struct mem_loop *ml = l->priv[TP_MEM];

	if (ml)
		return ml;
	ml = calloc(1, sizeof(*ml));
	if (!ml)
		return NULL;
	ml->tp = l;
	inbox_init(&ml->in, wake, ml);
	ev_async_init(&ml->wake, woken);
	ml->wake.data = ml;
	ev_async_start(l->ev, &ml->wake);
	l->priv[TP_MEM] = ml;
	return ml;
}

/* ---- the ops ---- */

static bool available(char *why, size_t n)
{
	snprintf(why, n, "for tests");
	return true;
}

static enum sb_err mem_listen(
	struct tp_loop *l, const struct tp_params *p, void *user, struct tp_listener **out)
{
	struct mem_loop *ml = mem_loop(l);
	struct mem_listener *ls = calloc(1, sizeof(*ls)), *other;

	if (!ml || !ls) {
		free(ls);
		return SB_ENOMEM;
	}
	*ls = (struct mem_listener){.ml = ml, .user = user, .port = p->local_port};
	pthread_mutex_lock(&registry_lock);
	for (other = registry; other && other->port != ls->port; other = other->next)
		;
	if (!other) {
		ls->next = registry;
		registry = ls;
	}
	pthread_mutex_unlock(&registry_lock);
	if (other) {
		free(ls);
		return SB_EADDR;
	}
	*out = (struct tp_listener *)ls;
	return SB_OK;
}

static void mem_unlisten(struct tp_listener *take_ls)
{
	struct mem_listener *ls = (struct mem_listener *)take_ls, **pp;

	pthread_mutex_lock(&registry_lock);
	for (pp = &registry; *pp != ls; pp = &(*pp)->next)
		;
	*pp = ls->next;
	pthread_mutex_unlock(&registry_lock);
	free(ls);
}

static struct mem_conn *conn_new(struct tp_loop *l, const struct tp_params *p, void *user)
{
	struct mem_conn *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->ml = mem_loop(l);
	c->want_out = p->out_streams ? p->out_streams : 1;
	c->max_in = p->max_in_streams ? p->max_in_streams : 1;
	c->ssn = calloc(c->want_out, sizeof(*c->ssn));
	if (!c->ml || !c->ssn) {
		free(c->ssn);
		free(c);
		return NULL;
	}
	c->base = (struct tp_conn){.ops = &tp_mem, .loop = l, .user = user};
	c->limit = p->sndbuf;
	return c;
}

static enum sb_err mem_connect(struct tp_loop *l, const struct tp_params *p, void *user, struct tp_conn **out)
{
	static _Atomic uint16_t ephemeral;
	struct mem_conn *c = conn_new(l, p, user);
	struct mem_listener *ls;

	if (!c)
		return SB_ENOMEM;
	c->remote_port = p->remote_port;
	c->local_port = p->local_port ? p->local_port : 49152 + atomic_fetch_add(&ephemeral, 1) % 16384;
	c->in[MEM_CONNECT] = (struct mem_note){.note = {.kind = MEM_CONNECT}, .to = c};
	/* posted under the lock: a listener that is there now has its loop there, too */
	pthread_mutex_lock(&registry_lock);
	for (ls = registry; ls && ls->port != c->remote_port; ls = ls->next)
		;
	if (ls)
		inbox_post(&ls->ml->in, &c->in[MEM_CONNECT].note);
	else
		post(c, MEM_REFUSED);
	pthread_mutex_unlock(&registry_lock);
	*out = &c->base;
	return SB_OK;
}

static uint16_t lesser(uint16_t a, uint16_t b)
{
	return a < b ? a : b;
}

static void mem_reject(struct tp_incoming *take_in)
{
	struct mem_incoming *in = (struct mem_incoming *)take_in;

	post(in->from, MEM_REFUSED);
	free(in);
}

static enum sb_err mem_adopt(struct tp_loop *l, struct tp_incoming *take_in, const struct tp_params *p,
	void *user, struct tp_conn **out)
{
	struct mem_incoming *in = (struct mem_incoming *)take_in;
	struct mem_conn *c = conn_new(l, p, user), *peer = in->from;

	if (!c) {
		mem_reject(take_in);
		return SB_ENOMEM;
	}
	c->peer = peer;
	c->accepted = true;
	c->local_port = in->base.local_port;
	c->remote_port = in->base.remote_port;
	c->out_streams = peer->in_streams = lesser(c->want_out, peer->max_in);
	c->in_streams = peer->out_streams = lesser(peer->want_out, c->max_in);
	peer->peer = c;
	free(in);
	post(c, MEM_UP); /* first: nothing of the peer's may overtake it */
	post(peer, MEM_ACCEPTED);
	*out = &c->base;
	return SB_OK;
}

/* Is there room for LEN bytes? If not, MEM_WRITABLE will come. */
static bool room(struct mem_conn *c, uint32_t len)
{
	uint64_t used = c->sent - atomic_load_explicit(&c->peer->consumed, memory_order_acquire);

	if (!used || used + len <= c->limit)
		return true;
	atomic_store(&c->blocked, true);
	used = c->sent - atomic_load(&c->peer->consumed);
	/* taken back, unless the peer was quicker and has posted the note already */
	return (!used || used + len <= c->limit) && atomic_exchange(&c->blocked, false);
}

/* What the sender keeps, the peer gets a copy of. NULL: no buffer for it. */
static struct mbuf *to_give(struct tp_conn *c, struct mbuf *m)
{
	struct mbuf *copy;

	if (!m->keep || !c->sent)
		return m;
	copy = mbuf_alloc(c->loop->pool);
	if (copy) {
		copy->off = m->off;
		copy->len = m->len;
		copy->stream = m->stream;
		copy->ppid = m->ppid;
		memcpy(mbuf_head(copy), mbuf_head(m), m->len);
	}
	tp_done(c, m);
	return copy;
}

static unsigned mem_transmit(struct tp_conn *conn, struct mbufq *q)
{
	struct mem_conn *c = (struct mem_conn *)conn;
	unsigned n = 0;

	if (c->state != MEM_OPEN)
		return 0;
	while (q->first && room(c, q->first->len)) {
		struct mbuf *m = to_give(conn, mbufq_pop(q));

		if (!m || m->stream >= c->out_streams) {
			mbuf_free(conn->loop->pool, m);
			if (!c->failed++)
				post(c, MEM_FAILED);
			continue;
		}
		m->ssn = c->ssn[m->stream]++;
		m->peer = c->peer;
		m->note.kind = MEM_MESSAGE;
		c->sent += m->len;
		inbox_post(&c->peer->ml->in, &m->note);
		n++;
	}
	return n;
}

static void mem_shutdown(struct tp_conn *conn)
{
	struct mem_conn *c = (struct mem_conn *)conn;

	if (c->state >= MEM_CLOSING)
		return;
	if (c->state == MEM_OPEN || c->accepted)
		post(c->peer, MEM_SHUTDOWN);
	snprintf(c->reason, sizeof(c->reason), "shut down");
	c->state = MEM_CLOSING;
}

static void mem_abort(struct tp_conn *conn, const char *why)
{
	struct mem_conn *c = (struct mem_conn *)conn;

	if (c->state == MEM_DOWN || c->aborted)
		return;
	/* else the peer has our MEM_SHUTDOWN, or the answer to our MEM_CONNECT will end it */
	if (c->state == MEM_OPEN || (c->state == MEM_CONNECTING && c->accepted))
		post(c->peer, MEM_ABORT);
	c->state = MEM_CLOSING;
	c->aborted = true;
	snprintf(c->reason, sizeof(c->reason), "%s", why);
}

static void mem_release(struct tp_conn *take_c)
{
	struct mem_conn *c = (struct mem_conn *)take_c;

	free(c->ssn);
	free(c);
}

static enum sb_err mem_info(const struct tp_conn *conn, struct tp_info *out)
{
	const struct mem_conn *c = (const struct mem_conn *)conn;

	if (c->state != MEM_OPEN)
		return SB_ESTATE;
	*out = (struct tp_info){.local_port = c->local_port,
		.remote_port = c->remote_port,
		.in_streams = c->in_streams,
		.out_streams = c->out_streams,
		.crc = "none: memory"};
	return SB_OK;
}

static void dispose(struct note *n, void *arg)
{
	/* what is left when a loop ends are messages to ends that were down, and peers that came too late */
	if (n->kind == MEM_CONNECT)
		post(caa_container_of(n, struct mem_note, note)->to, MEM_REFUSED);
	else if (n->kind == MEM_MESSAGE)
		mbuf_free(((struct tp_loop *)arg)->pool, caa_container_of(n, struct mbuf, note));
}

static void mem_loop_fini(struct tp_loop *l)
{
	struct mem_loop *ml = l->priv[TP_MEM];

	inbox_drain(&ml->in, dispose, l);
	ev_async_stop(l->ev, &ml->wake);
	free(ml);
	l->priv[TP_MEM] = NULL;
}

const struct tp_ops tp_mem = {
	.name = "mem",
	.gives_ssn = true,
	.available = available,
	.listen = mem_listen,
	.unlisten = mem_unlisten,
	.connect = mem_connect,
	.adopt = mem_adopt,
	.reject = mem_reject,
	.transmit = mem_transmit,
	.shutdown = mem_shutdown,
	.abort = mem_abort,
	.release = mem_release,
	.info = mem_info,
	.loop_fini = mem_loop_fini,
};
