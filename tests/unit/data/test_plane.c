/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The plane as a whole: threads, order, hand-over of tables, start and stop. MESSAGES in the environment
 * makes it a soak. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "rig.h"

enum { SLS = 16, PEERS = 4 };

/* What travels in a payload, and what is due next of each flow (from, to, SLS). */
struct cargo {
	uint32_t from, sequence;
};

struct flows {
	uint32_t sent[PEERS][PEERS][SLS], got[PEERS][PEERS][SLS];
	uint64_t faults, received;
};

static void check_order(struct rig_peer *peer, const struct m3ua_data *d, const struct mbuf *m)
{
	struct flows *f = peer->rig->arg;
	struct cargo c;

	memcpy(&c, m->data + m->off + d->payload_off, sizeof(c));
	f->received++;
	if (c.sequence != f->got[c.from][peer->index][d->label.sls]++)
		f->faults++;
}

static bool send_next(struct rig *r, struct flows *f, uint64_t i)
{
	unsigned from = (unsigned)(i % PEERS), to = (unsigned)(from + 1 + i / PEERS % (PEERS - 1)) % PEERS;
	uint8_t sls = (uint8_t)(i / (PEERS * (PEERS - 1)) % SLS);
	struct cargo c[12] = {{.from = from, .sequence = f->sent[from][to][sls]}};

	if (!rig_data(&r->peers[from], to, sls, c, sizeof(c)))
		return false;
	f->sent[from][to][sls]++;
	return true;
}

static uint64_t message_count(void)
{
	const char *s = getenv("MESSAGES");

	return s ? strtoull(s, NULL, 10) : 1000000;
}

/* A window keeps the buffers that are out bounded. */
static void pass_messages(struct rig *r, struct flows *f, uint64_t n)
{
	uint64_t sent = f->received, end = sent + n;

	while (f->received < end) {
		uint64_t before = f->received;

		while (sent < end && sent - f->received < 4000 && send_next(r, f, sent))
			sent++;
		rig_until(r, f->received > before);
	}
}

static void pass_and_check(unsigned workers)
{
	struct rig r;
	struct flows *f = calloc(1, sizeof(*f));
	struct worker_stats w;
	uint64_t n = message_count(), forwarded = 0;

	rig_start(&r, &(struct rig_options){.workers = workers, .peers = PEERS});
	r.on_data = check_order;
	r.arg = f;
	pass_messages(&r, f, n);
	assert_int_equal(f->faults, 0);
	for (unsigned i = 0; i < workers; i++) {
		plane_worker_stats(r.plane, i, &w);
		forwarded += w.c[WC_FORWARDED];
		assert_int_equal(w.assocs, PEERS / workers);
		assert_true(workers == 1 || w.c[WC_CROSSED] > 0);
	}
	assert_int_equal(forwarded, n);
	rig_stop(&r);
	free(f);
}

static void keeps_order_with_one_worker(void **state)
{
	(void)state;
	pass_and_check(1);
}

static void keeps_order_across_two_workers(void **state)
{
	(void)state;
	pass_and_check(2);
}

static void keeps_order_across_four_workers(void **state)
{
	(void)state;
	pass_and_check(4);
}

static void stops_with_traffic_under_way(void **state)
{
	struct rig r;
	struct flows *f = calloc(1, sizeof(*f));

	(void)state;
	rig_start(&r, &(struct rig_options){.workers = 2, .peers = PEERS});
	r.on_data = check_order;
	r.arg = f;
	for (unsigned i = 0; i < 3000; i++)
		assert_true(send_next(&r, f, i));
	rig_step(&r);
	rig_stop(&r);
	free(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keeps_order_with_one_worker),
		cmocka_unit_test(keeps_order_across_two_workers),
		cmocka_unit_test(keeps_order_across_four_workers),
		cmocka_unit_test(stops_with_traffic_under_way),
	};

	return cmocka_run_group_tests_name("data/plane", tests, NULL, NULL);
}
