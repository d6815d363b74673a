/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Forwarding alone: parse, look up, rewrite, enqueue; no input or output. Usage: forward-cost KEYS MESSAGES.
 *
 * forward_cost.sh runs it under callgrind, which counts what happens inside one function. Run by itself it
 * prints nanoseconds, which on a shared machine mean little. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "tests/unit/data/bare.h"
#include "wire/m3ua_data.h"

enum { RC_FROM = 10, RC_TO = 20, ASPS = 4, BURST = 64, PAYLOAD = 100, SI_SCCP = 3, SI_ISUP = 5 };

struct bench {
	struct bare bare;
	struct assoc *from, *to[ASPS];
	uint32_t n_dpcs;
	uint32_t seed;
	struct fwd_routing *routing;
	struct fwd_as *as[2];
	struct fwd_ingress *ingress;
};

/* What is measured: forward_data() in it, which parses, looks up, rewrites and enqueues; and all of it, which
 * also counts the message on its association and stream and checks its sequence number. */
__attribute__((noinline)) static void forward_one(struct assoc *from, struct mbuf *m)
{
	assoc_on_message(from, m);
}

static uint32_t draw(struct bench *b)
{
	b->seed = b->seed * 1664525u + 1013904223u;
	return b->seed >> 8;
}

/* The I-th destination: spread over all 24 bits. */
static uint32_t dpc_of(uint32_t i)
{
	return (i * 40503u + 77) & 0xffffff;
}

/* Two keys per destination, one of them narrower. */
static void make_routing(struct bench *b, unsigned n_keys)
{
	struct fwd_network network = {.pc_bits = 24, .ni = 2, .has_na = true, .na = 1};
	struct fwd_key *keys = calloc(n_keys, sizeof(*keys));

	if (!keys)
		abort();
	b->n_dpcs = n_keys / 2;
	for (unsigned i = 0; i < n_keys; i++)
		keys[i] = (struct fwd_key){.dpc = dpc_of(i / 2),
			.si = i % 2 ? SI_ISUP : FWD_ANY_SI,
			.opc = FWD_ANY_OPC,
			.as = 1};
	if (fwd_routing_new(&network, 1, keys, n_keys, &b->routing, NULL) != SB_OK)
		abort();
	free(keys);
}

static void make_table(struct bench *b, unsigned n_keys)
{
	struct fwd_slot slots[ASPS];
	struct fwd_as spec = {.number = 1,
		.state = FWD_AS_ACTIVE,
		.mode = FWD_LOADSHARE,
		.n_slots = ASPS,
		.slots = slots,
		.n_buckets = FWD_SLS_BUCKETS};
	struct fwd_ingress_rc rc = {.rc = RC_FROM, .as = 0, .active = true};
	uint16_t share[FWD_SLS_BUCKETS];
	const struct fwd_ingress *ingress[1];
	struct fwd_table *t;

	for (unsigned i = 0; i < FWD_SLS_BUCKETS; i++)
		share[i] = (uint16_t)(i % ASPS);
	for (unsigned i = 0; i < ASPS; i++)
		slots[i] = (struct fwd_slot){
			.assoc = b->to[i], .as = 1, .has_rc = true, .rc = RC_TO, .has_na = true, .na = 1};
	spec.share = share;
	make_routing(b, n_keys);
	b->as[1] = fwd_as_new(&spec);
	b->ingress = fwd_ingress_new(&rc, 1, NULL);
	ingress[0] = b->ingress; /* the first association has id 0 */
	t = fwd_table_new(b->routing, (const struct fwd_as *const *)b->as, 2, ingress, 1);
	if (!t)
		abort();
	fwd_table_follow(t, NULL);
	atomic_store(&b->bare.plane.table, t);
}

static struct mbuf *make_message(struct bench *b)
{
	struct mbuf *m = mbuf_alloc(b->bare.worker->pool);
	struct m3ua_data d = {
		.has_rc = true,
		.rc = RC_FROM,
		.has_na = true,
		.na = 1,
		.label = {.opc = 4711,
			.dpc = dpc_of(draw(b) % b->n_dpcs),
			.si = draw(b) % 2 ? SI_ISUP : SI_SCCP,
			.ni = 2,
			.sls = (uint8_t)draw(b)},
	};
	uint32_t total;
	uint8_t *head;

	if (!m)
		abort();
	memset(mbuf_head(m), 0x5a, PAYLOAD);
	head = m3ua_data_write(mbuf_head(m), PAYLOAD, &d, &total);
	m->off = (uint32_t)(head - m->data);
	m->len = total;
	m->stream = (uint16_t)(1 + d.label.sls % 15);
	m->ppid = TP_PPID_M3UA;
	return m;
}

static uint64_t pass(struct bench *b, unsigned n)
{
	struct mbuf *burst[BURST];
	uint64_t start, ns;

	for (unsigned i = 0; i < n; i++)
		burst[i] = make_message(b);
	worker_enter(b->bare.worker);
	start = clock_ns();
	for (unsigned i = 0; i < n; i++)
		forward_one(b->from, burst[i]);
	ns = clock_ns() - start;
	bare_room = n;
	worker_leave(b->bare.worker);
	return ns;
}

static void finish(struct bench *b)
{
	fwd_table_free(atomic_load(&b->bare.plane.table));
	fwd_routing_free(b->routing);
	fwd_as_free(b->as[1]);
	fwd_ingress_free(b->ingress);
	bare_stop(&b->bare);
}

int main(int argc, char **argv)
{
	unsigned keys = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 10;
	unsigned messages = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 100000;
	struct bench b = {.seed = 1};
	uint64_t ns = 0;

	if (keys < 2)
		return 2;
	bare_start(&b.bare, 0);
	b.from = bare_assoc(&b.bare, 16, 100000);
	for (unsigned i = 0; i < ASPS; i++)
		b.to[i] = bare_assoc(&b.bare, 16, 100000);
	make_table(&b, keys);
	for (unsigned done = 0; done < messages; done += BURST)
		ns += pass(&b, messages - done < BURST ? messages - done : BURST);
	/* a message that was dropped would be cheap */
	if (bare_taken != messages) {
		fprintf(stderr, "only %u of %u were forwarded\n", bare_taken, messages);
		return 1;
	}
	printf("%u keys: %.1f ns per message\n", keys, (double)ns / messages);
	finish(&b);
	return 0;
}
