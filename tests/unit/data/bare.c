/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bare.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

unsigned bare_room, bare_taken, bare_shutdowns, bare_aborts;
bool bare_held;
void (*bare_watch)(struct mbuf *m);

static unsigned transmit(struct tp_conn *c, struct mbufq *q)
{
	unsigned n = 0;

	for (; bare_room && q->first; n++, bare_room--) {
		struct mbuf *m = mbufq_pop(q);

		if (bare_watch)
			bare_watch(m);
		tp_done(c, m);
	}
	bare_taken += n;
	return n;
}

static void shut(struct tp_conn *c)
{
	(void)c;
	bare_shutdowns++;
}

static void give_up(struct tp_conn *c, const char *why)
{
	(void)c;
	(void)why;
	bare_aborts++;
}

static void hold(struct tp_conn *c, bool held)
{
	(void)c;
	bare_held = held;
}

static void release(struct tp_conn *c)
{
	free(c);
}

static const struct tp_ops ops = {.name = "bare",
	.gives_ssn = true,
	.transmit = transmit,
	.shutdown = shut,
	.abort = give_up,
	.release = release,
	.hold = hold};

void bare_start(struct bare *b, uint32_t batch_delay_us)
{
	memset(b, 0, sizeof(*b));
	b->plane.conf = (struct plane_conf){
		.workers = 1, .max_message = 1024, .buffers = 8192, .batch_delay_us = batch_delay_us};
	b->plane.last_grace = &b->plane.graces;
	b->plane.event_fd = -1;
	inbox_init(&b->plane.events, NULL, NULL);
	rcu_register_thread();
	b->worker = worker_new(&b->plane, 0);
	b->plane.workers[0] = b->worker;
	b->plane.n_workers = 1;
	bare_watch = NULL;
	bare_held = false;
	bare_room = bare_taken = bare_shutdowns = bare_aborts = 0;
}

static void drop_event(struct note *n, void *arg)
{
	struct bare *b = arg;

	if (n->kind == N_MESSAGE || n->kind == N_REFUSED || n->kind == N_CONGESTED)
		mbuf_free(b->worker->pool, caa_container_of(n, struct mbuf, note));
	else if (n->kind == N_EVENT)
		free(caa_container_of(n, struct event, note));
}

void bare_stop(struct bare *b)
{
	struct mbuf_pool *pool = b->worker->pool;

	plane_await_callbacks(); /* one may still be about to wake the worker */
	inbox_drain(&b->plane.events, drop_event, b);
	while (b->plane.assocs) {
		assoc_force_release(b->plane.assocs);
		assoc_destroy(b->plane.assocs);
	}
	worker_free(b->worker);
	if (!mbuf_pool_free(pool))
		abort();
	rcu_unregister_thread();
}

struct assoc *bare_assoc(struct bare *b, uint16_t streams, uint32_t txq_limit)
{
	return bare_assoc_with(b, &(struct assoc_conf){.name = "bare", .txq_limit = txq_limit}, streams);
}

struct assoc *bare_assoc_with(struct bare *b, const struct assoc_conf *conf, uint16_t streams)
{
	struct tp_event up = {.kind = TP_UP, .in_streams = streams, .out_streams = streams};
	struct tp_conn *conn = calloc(1, sizeof(*conn));
	struct assoc *a = assoc_new(&b->plane, conf, &ops, b->worker, "");

	if (!a || !conn)
		abort();
	*conn = (struct tp_conn){.ops = &ops, .loop = &b->worker->tp, .user = a};
	atomic_store(&a->conn, conn);
	if (a->m2pa)
		m2pa_assoc_open(a, conn);
	assoc_on_event(a, &up);
	return a;
}
