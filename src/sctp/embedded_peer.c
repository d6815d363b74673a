/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of peers: by number, as usrsctp names them, and by what a packet shows. */
#include <stdlib.h>
#include <string.h>
#include <usrsctp.h>

#include "base/clock.h"
#include "sctp/embedded_int.h"

/* A number from the stack of used ones, or the next. usrsctp is told of each number once and never to forget
 * it: forgetting would be done by its iterator thread, beside us. */
static bool take_slot(struct emb *e, uint32_t *slot)
{
	uint32_t cap = e->cap_slots ? e->cap_slots * 2 : 64;
	void *slots, *frees;

	if (e->n_free) {
		*slot = e->free_slots[--e->n_free];
		return true;
	}
	if (e->n_slots == e->cap_slots) {
		if (cap > EMB_SLOTS_MAX)
			return false;
		slots = realloc(e->slots, cap * sizeof(*e->slots));
		if (!slots)
			return false;
		e->slots = slots;
		frees = realloc(e->free_slots, cap * sizeof(*e->free_slots));
		if (!frees)
			return false;
		e->free_slots = frees;
		e->cap_slots = cap;
	}
	*slot = e->n_slots++;
	e->slots[*slot] = NULL;
	usrsctp_register_address((void *)(uintptr_t)(*slot + 1));
	return true;
}

struct emb_peer *emb_peer_new(struct emb *e, struct tp_loop *l)
{
	struct emb_peer *p = calloc(1, sizeof(*p));

	if (!p || !take_slot(e, &p->slot)) {
		free(p);
		return NULL;
	}
	p->e = e;
	p->conn.ops = &tp_embedded;
	p->conn.loop = l;
	e->slots[p->slot] = p;
	return p;
}

void emb_peer_free(struct emb_peer *p)
{
	struct emb *e = p->e;

	emb_assoc_close(p, NULL);
	emb_peer_unhash(p);
	emb_peer_wait(p, 0);
	if (p->is_ready) {
		TAILQ_REMOVE(&e->ready, p, ready);
		e->n_ready--;
	}
	mbuf_free(p->conn.loop->pool, p->part);
	e->slots[p->slot] = NULL;
	e->free_slots[e->n_free++] = p->slot;
	if (p->sock)
		emb_sock_put(p->sock);
	free(p);
}

static uint32_t mix(uint32_t h, uint32_t v)
{
	h = (h ^ v) * 0x9e3779b1u;
	return h ^ h >> 15;
}

/* The UDP port is not in it: it may change (RFC 6951 s.5.4). */
static struct emb_peer **bucket(struct emb *e, const union tp_addr *from, uint16_t rport, uint16_t lport)
{
	uint32_t h = mix(e->seed, (uint32_t)rport << 16 | lport), w[4] = {0};
	unsigned n = 1;

	if (from->sa.sa_family == AF_INET6) {
		memcpy(w, &from->in6.sin6_addr, sizeof(w));
		n = 4;
	} else {
		w[0] = from->in.sin_addr.s_addr;
	}
	for (unsigned i = 0; i < n; i++)
		h = mix(h, w[i]);
	return &e->buckets[h % EMB_BUCKETS];
}

void emb_peer_hash(struct emb_peer *p)
{
	struct emb_peer **b = bucket(p->e, &p->route.to, p->rport, p->lport);

	p->hash_next = *b;
	*b = p;
	p->hashed = true;
}

void emb_peer_unhash(struct emb_peer *p)
{
	struct emb_peer **b;

	if (!p->hashed)
		return;
	for (b = bucket(p->e, &p->route.to, p->rport, p->lport); *b != p; b = &(*b)->hash_next)
		;
	*b = p->hash_next;
	p->hashed = false;
}

static bool same_host(const struct emb_peer *p, const struct emb_sock *s, const union tp_addr *from,
	uint16_t rport, uint16_t lport)
{
	return p->rport == rport && p->lport == lport && p->sock == s && tp_addr_same(&p->route.to, from);
}

struct emb_peer *emb_peer_find(
	struct emb *e, const struct emb_sock *s, const union tp_addr *from, uint16_t rport, uint16_t lport)
{
	for (struct emb_peer *p = *bucket(e, from, rport, lport); p; p = p->hash_next)
		if (same_host(p, s, from, rport, lport) && tp_addr_port(&p->route.to) == tp_addr_port(from))
			return p;
	return NULL;
}

struct emb_peer *emb_peer_find_moved(struct emb *e, const struct emb_sock *s, const union tp_addr *from,
	uint16_t rport, uint16_t lport, uint32_t tag)
{
	for (struct emb_peer *p = *bucket(e, from, rport, lport); tag && p; p = p->hash_next)
		if (p->tag == tag && same_host(p, s, from, rport, lport))
			return p;
	return NULL;
}

void emb_peer_wait(struct emb_peer *p, uint32_t ms)
{
	struct emb *e = p->e;

	if (p->is_waiting) {
		TAILQ_REMOVE(&e->waiting, p, waiting);
		e->n_waiting--;
		p->is_waiting = false;
	}
	if (!ms)
		return;
	p->deadline_ms = clock_ms() + ms;
	TAILQ_INSERT_TAIL(&e->waiting, p, waiting);
	e->n_waiting++;
	p->is_waiting = true;
}
