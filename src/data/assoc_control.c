/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Associations as control sees them: made, told what to do by notes that are part of them (so that telling
 * cannot fail), read where they lie, and freed when no thread can know of them any more:
 *
 *     TP_DOWN -> PE_DOWN -> assoc_free() -> grace period (no table names it) -> N_FREE to its worker, behind
 *     whatever was still sent to it -> N_GONE to control, which keeps its counters and frees it */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "data/assoc.h"

_Static_assert(sizeof(struct stream_state) == 16, "16 bytes a stream and direction");

/* ---- made ---- */

static bool take_id(struct plane *p, uint32_t *id)
{
	for (unsigned i = 0; i < PLANE_MAX_ASSOCS / 64; i++) {
		if (p->ids[i] == UINT64_MAX)
			continue;
		*id = i * 64 + (uint32_t)__builtin_ctzll(~p->ids[i]);
		p->ids[i] |= 1ull << (*id % 64);
		return true;
	}
	return false;
}

static void give_id_back(struct plane *p, uint32_t id)
{
	p->ids[id / 64] &= ~(1ull << (id % 64));
}

static void init_streams(struct paged *p)
{
	paged_init_deep(
		p, STREAMS, sizeof(struct stream_state), STREAM_HIGH_BITS, STREAM_MID_BITS, STREAM_LEAF_BITS);
}

static void init_fields(struct assoc *a, const struct assoc_conf *conf, const struct tp_ops *ops)
{
	a->owner = conf->owner;
	a->params = conf->params;
	a->ops = ops;
	a->checks_ssn = ops->gives_ssn;
	a->tolerates = (uint8_t)conf->tolerates;
	a->txq_limit = a->full_at = conf->txq_limit;
	a->next_onset = conf->txq_limit / 2 ? conf->txq_limit / 2 : 1;
	mbufq_init(&a->txq);
	init_streams(&a->rx);
	init_streams(&a->tx);
	atomic_store(&a->state, ASSOC_CONNECTING);
	atomic_store(&a->serves, ASSOC_NO_LIFE);
	atomic_store(&a->since_ms, clock_ms());
}

struct assoc *assoc_new(struct plane *p, const struct assoc_conf *conf, const struct tp_ops *ops,
	struct worker *w, const char *why)
{
	struct assoc *a = calloc(1, sizeof(*a));

	if (!a)
		return NULL;
	a->name = strdup(conf->name ? conf->name : "");
	if (conf->proto == ASSOC_M2PA)
		a->m2pa = m2pa_new(a, conf);
	if (!a->name || (conf->proto == ASSOC_M2PA && !a->m2pa) || !take_id(p, &a->id)) {
		free(a->m2pa);
		free(a->name);
		free(a);
		return NULL;
	}
	a->plane = p;
	a->worker = w;
	init_fields(a, conf, ops);
	snprintf(a->why, sizeof(a->why), "%s", why);
	a->next = p->assocs;
	p->assocs = a;
	w->n_assocs++;
	return a;
}

void assoc_destroy(struct assoc *a)
{
	struct plane *p = a->plane;
	struct assoc **pp = &p->assocs;

	while (*pp != a)
		pp = &(*pp)->next;
	*pp = a->next;
	for (unsigned i = 0; i < AC_COUNT; i++)
		p->gone[i] += counter_get(&a->c[i]);
	a->worker->n_assocs--;
	give_id_back(p, a->id);
	m2pa_free(a);
	paged_free(&a->rx);
	paged_free(&a->tx);
	free(a->name);
	free(a);
}

/* The embedded stack's state is one per process: it lives on the first worker. Others go where there are
 * fewest. */
static struct worker *choose_worker(struct plane *p, const struct tp_ops *ops)
{
	struct worker *best = p->workers[0];

	if (ops == tp_select(TP_EMBEDDED, NULL, 0))
		return best;
	for (unsigned i = 1; i < p->n_workers; i++)
		if (p->workers[i]->n_assocs < best->n_assocs)
			best = p->workers[i];
	return best;
}

static struct worker *worker_of(struct plane *p, const struct tp_loop *l)
{
	for (unsigned i = 0; i < p->n_workers; i++)
		if (&p->workers[i]->tp == l)
			return p->workers[i];
	return p->workers[0];
}

struct assoc *assoc_connect(struct plane *p, const struct assoc_conf *conf, char *why)
{
	char scratch[TP_REASON];
	const struct tp_ops *ops;
	struct assoc *a;

	if (!why)
		why = scratch;
	ops = tp_select(conf->params.kind, why, TP_REASON);
	if (!ops)
		return NULL;
	a = assoc_new(p, conf, ops, choose_worker(p, ops), why);
	if (a)
		assoc_post(plane_inbox(a->worker), a, AN_OPEN, N_OPEN);
	else
		snprintf(why, TP_REASON, "%s", sb_strerror(SB_ENOMEM));
	return a;
}

struct assoc *assoc_adopt(struct plane *p, struct tp_incoming *in, const struct assoc_conf *conf, char *why)
{
	char scratch[TP_REASON], text[TP_REASON];
	struct assoc *a;

	snprintf(text, sizeof(text), "%s: the listener's", in->ops->name);
	a = assoc_new(p, conf, in->ops,
		in->bound_to_loop ? worker_of(p, in->loop) : choose_worker(p, in->ops), text);
	snprintf(why ? why : scratch, TP_REASON, "%s", a ? text : sb_strerror(SB_ENOMEM));
	if (!a) {
		plane_reject(p, in);
		return NULL;
	}
	a->incoming = in;
	assoc_post(plane_inbox(a->worker), a, AN_OPEN, N_OPEN);
	return a;
}

/* ---- told what to do ---- */

static void post(struct assoc *a, struct mbuf *m, enum note_kind kind)
{
	m->peer = a;
	if (!a->m2pa)
		m->aux = a->known_life;
	m->note.kind = (uint16_t)kind;
	inbox_post(plane_inbox(a->worker), &m->note);
}

void assoc_send(struct assoc *a, struct mbuf *m)
{
	if (m)
		post(a, m, N_SEND);
}

void assoc_forward(struct assoc *a, struct mbuf *m)
{
	post(a, m, N_FORWARD_HELD);
}

void assoc_shutdown(struct assoc *a)
{
	if (a->shutdown_asked)
		return;
	a->shutdown_asked = true;
	assoc_post(plane_inbox(a->worker), a, AN_SHUTDOWN, N_SHUTDOWN);
}

void assoc_renew(struct assoc *a)
{
	if (!a->free_asked && !atomic_exchange(&a->renew_posted, true))
		assoc_post(plane_inbox(a->worker), a, AN_RENEW, N_RENEW);
}

void assoc_abort(struct assoc *a, const char *why)
{
	if (a->abort_asked)
		return;
	a->abort_asked = true;
	snprintf(a->abort_why, sizeof(a->abort_why), "%s", why ? why : "aborted");
	assoc_post(plane_inbox(a->worker), a, AN_ABORT, N_ABORT);
}

static void post_free(struct rcu_head *head)
{
	struct assoc *a = caa_container_of(head, struct assoc, free_rcu);

	TSAN_ACQUIRE(head);
	TSAN_ACQUIRE(PLANE_READERS(a->plane));
	assoc_post(&a->worker->inbox, a, AN_FREE, N_FREE);
}

void assoc_free(struct assoc *a)
{
	if (!a || a->free_asked)
		return;
	a->free_asked = true;
	plane_hand_over(a->plane); /* what it was told must not come after that */
	TSAN_RELEASE(&a->free_rcu);
	call_rcu(&a->free_rcu, post_free);
}

/* ---- what it says ---- */

static void fill(struct assoc *a, enum note_kind kind, struct plane_event *ev)
{
	static const enum plane_event_kind kinds[] = {
		[N_UP] = PE_UP,
		[N_DOWN] = PE_DOWN,
		[N_PEER_SHUTDOWN] = PE_PEER_SHUTDOWN,
		[N_CONGESTION] = PE_CONGESTION,
	};

	*ev = (struct plane_event){.kind = kinds[kind], .assoc = a};
	ev->in_streams = atomic_load(&a->in_streams);
	ev->out_streams = atomic_load(&a->out_streams);
	if (kind == N_CONGESTION) {
		/* first, so that a change after we look is told again */
		atomic_store(&a->congestion_told, false);
		ev->value = atomic_load(&a->congestion);
	}
	if (kind == N_DOWN)
		memcpy(ev->reason, a->reason, sizeof(ev->reason));
}

void assoc_dispatch(struct assoc *a, struct note *n)
{
	struct plane *p = a->plane;
	struct plane_event ev;

	if (n->kind == N_GONE) {
		assoc_destroy(a);
		return;
	}
	if (n->kind == N_M2PA_NEWS) {
		m2pa_dispatch_news(a);
		return;
	}
	fill(a, (enum note_kind)n->kind, &ev);
	if (!p->stopping && !a->free_asked)
		p->fn(p->user, &ev);
}

/* ---- read where it lies ---- */

uint32_t assoc_id(const struct assoc *a)
{
	return a->id;
}

const char *assoc_name(const struct assoc *a)
{
	return a->name;
}

enum assoc_proto assoc_proto(const struct assoc *a)
{
	return a->m2pa ? ASSOC_M2PA : ASSOC_M3UA;
}

void *assoc_owner(const struct assoc *a)
{
	return a->owner;
}

enum assoc_state assoc_state(const struct assoc *a)
{
	return atomic_load(&a->state);
}

const char *assoc_state_name(enum assoc_state s)
{
	static const char *const names[] = {
		[ASSOC_CONNECTING] = "connecting",
		[ASSOC_UP] = "up",
		[ASSOC_RESTARTED] = "restarted",
		[ASSOC_CLOSING] = "closing",
		[ASSOC_DOWN] = "down",
	};

	return (unsigned)s <= ASSOC_DOWN ? names[s] : "?";
}

const struct tp_ops *assoc_transport(const struct assoc *a)
{
	return a->ops;
}

const char *assoc_transport_why(const struct assoc *a)
{
	return a->why;
}

const struct tp_params *assoc_params(const struct assoc *a)
{
	return &a->params;
}

unsigned assoc_worker(const struct assoc *a)
{
	return a->worker->index;
}

uint32_t assoc_life(const struct assoc *a)
{
	return a->known_life;
}

uint64_t assoc_since_ms(const struct assoc *a)
{
	return atomic_load(&a->since_ms);
}

uint16_t assoc_in_streams(const struct assoc *a)
{
	return atomic_load(&a->in_streams);
}

uint16_t assoc_out_streams(const struct assoc *a)
{
	return atomic_load(&a->out_streams);
}

enum sb_err assoc_info(const struct assoc *a, struct tp_info *out)
{
	enum sb_err e = SB_ESTATE;
	struct tp_conn *conn;

	plane_read_lock();
	conn = atomic_load(&a->conn);
	if (conn)
		e = a->ops->info(conn, out);
	plane_read_unlock(a->plane);
	return e;
}

void assoc_stats(const struct assoc *a, struct assoc_stats *out)
{
	*out = (struct assoc_stats){
		.txq = atomic_load(&a->txq_n),
		.txq_limit = a->txq_limit,
		.congestion = atomic_load(&a->congestion),
		.memory = sizeof(*a) + strlen(a->name) + 1 + paged_bytes(&a->rx) + paged_bytes(&a->tx) +
			  (a->m2pa ? sizeof(*a->m2pa) : 0),
	};
	for (unsigned i = 0; i < AC_COUNT; i++)
		out->c[i] = counter_get(&a->c[i]);
	for (unsigned i = 0; i < DROP_COUNT; i++)
		out->drops[i] = counter_get(&a->drops[i]);
}

const struct paged *assoc_streams(const struct assoc *a, bool outbound)
{
	return outbound ? &a->tx : &a->rx;
}

void plane_totals(const struct plane *p, struct assoc_stats *out)
{
	*out = (struct assoc_stats){0};
	memcpy(out->c, p->gone, sizeof(out->c));
	for (const struct assoc *a = p->assocs; a; a = a->next) {
		struct assoc_stats one;

		assoc_stats(a, &one);
		for (unsigned i = 0; i < AC_COUNT; i++)
			out->c[i] += one.c[i];
		out->txq += one.txq;
		out->txq_limit += one.txq_limit;
		out->memory += one.memory;
		if (one.congestion > out->congestion)
			out->congestion = one.congestion;
	}
	/* a worker counts every drop, also those that no association can be blamed for */
	for (unsigned i = 0; i < p->n_workers; i++)
		for (unsigned r = 0; r < DROP_COUNT; r++)
			out->drops[r] += counter_get(&p->workers[i]->drops[r]);
}
