/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/mbuf.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "base/asan.h"

struct mbuf_pool {
	struct mbuf *free;     /* the owner's stack */
	struct inbox returned; /* buffers that other threads freed */
	uint8_t *map;
	size_t map_size, slot_size;
	uint32_t cap;
	unsigned count, carved; /* slots ever handed out: the rest of the map is untouched */
	/* the owner's allocations and frees; foreign frees are counted when they are taken in */
	atomic_uint taken, given_back;
	_Atomic uint64_t exhausted;
};

struct mbuf_pool *mbuf_pool_new(unsigned count, uint32_t max_message)
{
	struct mbuf_pool *p = calloc(1, sizeof(*p));
	size_t cap = (size_t)MBUF_HEADROOM + max_message + MBUF_TAILROOM;

	if (!p)
		return NULL;
	p->cap = (uint32_t)cap;
	p->slot_size = (sizeof(struct mbuf) + cap + 63) & ~(size_t)63;
	p->map_size = p->slot_size * count;
	p->count = count;
	p->map = mmap(NULL, p->map_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
		-1, 0);
	if (p->map == MAP_FAILED) {
		free(p);
		return NULL;
	}
	inbox_init(&p->returned, NULL, NULL);
	return p;
}

/* One writer, any readers: no locked instruction needed. Release: whoever sees a buffer given back sees it
 * taken before (mbuf_pool_in_use). */
static void bump(atomic_uint *counter)
{
	unsigned n = atomic_load_explicit(counter, memory_order_relaxed);

	atomic_store_explicit(counter, n + 1, memory_order_release);
}

static void take_back(struct note *n, void *arg)
{
	struct mbuf_pool *p = arg;
	struct mbuf *m = caa_container_of(n, struct mbuf, note);

	m->next = p->free;
	p->free = m;
	bump(&p->given_back);
}

bool mbuf_pool_free(struct mbuf_pool *p)
{
	if (!p)
		return true;
	inbox_drain(&p->returned, take_back, p);
	if (mbuf_pool_in_use(p))
		return false;
	ASAN_UNPOISON(p->map, p->map_size);
	munmap(p->map, p->map_size);
	free(p);
	return true;
}

/* A buffer from the stack, from what others gave back, or else from the untouched rest of the map. */
static struct mbuf *take_one(struct mbuf_pool *p)
{
	struct mbuf *m;

	if (!p->free)
		inbox_drain(&p->returned, take_back, p);
	m = p->free;
	if (m) {
		p->free = m->next;
		ASAN_UNPOISON(m->data, m->cap);
		return m;
	}
	if (p->carved == p->count)
		return NULL;
	m = (struct mbuf *)(p->map + p->slot_size * p->carved++);
	m->home = p;
	m->cap = p->cap;
	return m;
}

struct mbuf *mbuf_alloc(struct mbuf_pool *p)
{
	struct mbuf *m = take_one(p);

	if (!m) {
		atomic_fetch_add_explicit(&p->exhausted, 1, memory_order_relaxed);
		return NULL;
	}
	bump(&p->taken);
	m->next = NULL;
	m->peer = NULL;
	m->rx_ns = 0;
	m->off = MBUF_HEADROOM;
	m->len = 0;
	m->ppid = 0;
	m->aux = 0;
	m->stream = 0;
	m->ssn = 0;
	m->keep = false;
	return m;
}

void mbuf_free(struct mbuf_pool *self, struct mbuf *m)
{
	if (!m)
		return;
	ASAN_POISON(m->data, m->cap);
	if (m->home != self) {
		inbox_post(&m->home->returned, &m->note);
		return;
	}
	m->next = self->free;
	self->free = m;
	bump(&self->given_back);
}

unsigned mbuf_pool_in_use(const struct mbuf_pool *p)
{
	unsigned back = atomic_load_explicit(&p->given_back, memory_order_acquire);

	return atomic_load_explicit(&p->taken, memory_order_relaxed) - back;
}

void mbuf_pool_reclaim(struct mbuf_pool *p)
{
	inbox_drain(&p->returned, take_back, p);
}

bool mbuf_may_wait(const struct mbuf *m, uint32_t n)
{
	return n < 2 * (m->home->count - mbuf_pool_in_use(m->home));
}

uint64_t mbuf_pool_exhausted(const struct mbuf_pool *p)
{
	return atomic_load_explicit(&p->exhausted, memory_order_relaxed);
}

unsigned mbuf_pool_size(const struct mbuf_pool *p)
{
	return p->count;
}

void mbufq_init(struct mbufq *q)
{
	*q = (struct mbufq){.first = NULL};
	q->last = &q->first;
}

struct mbuf *mbufq_pop(struct mbufq *q)
{
	struct mbuf *m = q->first;

	if (!m)
		return NULL;
	q->first = m->next;
	if (!q->first)
		q->last = &q->first;
	q->n--;
	q->bytes -= m->len;
	m->next = NULL;
	return m;
}

void mbufq_prepend(struct mbufq *q, struct mbufq *front)
{
	if (!front->n)
		return;
	*front->last = q->first;
	if (!q->n)
		q->last = front->last;
	q->first = front->first;
	q->n += front->n;
	q->bytes += front->bytes;
	mbufq_init(front);
}

void mbufq_purge(struct mbufq *q, struct mbuf_pool *self)
{
	struct mbuf *m;

	while ((m = mbufq_pop(q)))
		mbuf_free(self, m);
}
