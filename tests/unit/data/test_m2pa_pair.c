/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Both ends of a link in one plane, on workers with their own threads, over the transports that run here:
 * traffic both ways, and changeovers after the association is lost in the middle of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "data/m2pa.h"
#include "data/plane.h"
#include "tests/unit/free_ports.h"

enum { IN_FLIGHT = 400, DEADLINE_MS = 120000 };

struct pair;

struct side {
	struct pair *pair;
	struct assoc *a;
	bool up, down, first, done;
	uint32_t sent, received, retrieved; /* the numbers that are next */
	uint32_t n_retrieved;
	bool has_bsnt;
	uint32_t bsnt, faults, statuses;
	char reason[TP_REASON];
};

/* And the two behind it: UDP ports. */
static uint16_t port;

struct pair {
	struct plane *plane;
	struct listener *ls;
	bool listening;
	enum tp_kind kind;
	struct side side[2]; /* client, server */
};

#define UNTIL(p, cond)                                                                                       \
	do {                                                                                                 \
		uint64_t deadline_ = clock_ms() + DEADLINE_MS;                                               \
		while (!(cond)) {                                                                            \
			plane_dispatch((p)->plane);                                                          \
			if (clock_ms() > deadline_)                                                          \
				fail_msg("not within %d ms: %s", DEADLINE_MS, #cond);                        \
		}                                                                                            \
	} while (0)

static void link_params(const struct pair *p, struct tp_params *tp, bool server)
{
	tp_params_default(tp);
	tp->kind = p->kind;
	tp->out_streams = tp->max_in_streams = 2;
	tp->sndbuf = 1 << 16;
	if (server)
		tp->local_port = port;
	else
		tp->remote_port = port;
	if (p->kind == TP_MEM)
		return;
	assert_int_equal(tp_addr_parse(server ? &tp->local[0] : &tp->remote[0], "127.0.0.1"), SB_OK);
	if (server)
		tp->n_local = 1;
	else
		tp->n_remote = 1;
	tp->local_udp_port = (uint16_t)(port + (server ? 1 : 2));
	tp->remote_udp_port = server ? 0 : (uint16_t)(port + 1);
}

static uint32_t number(const struct mbuf *m)
{
	uint32_t v;

	assert_int_equal(m->len, 4 + sizeof(v));
	memcpy(&v, m->data + m->off + 4, sizeof(v));
	return v;
}

static void adopt(struct pair *p, struct tp_incoming *in)
{
	struct assoc_conf conf = {.name = "server",
		.txq_limit = 4000,
		.owner = &p->side[1],
		.proto = ASSOC_M2PA,
		.t7_ms = 10000};

	link_params(p, &conf.params, true);
	p->side[1].a = assoc_adopt(p->plane, in, &conf, NULL);
	assert_non_null(p->side[1].a);
}

static void on_link_event(struct side *s, const struct plane_event *ev)
{
	switch (ev->kind) {
	case PE_UP: s->up = true; break;
	case PE_DOWN:
		s->down = true;
		memcpy(s->reason, ev->reason, sizeof(s->reason));
		break;
	case PE_M2PA_DATA: s->first = true; break;
	case PE_M2PA_STATUS: s->statuses++; break;
	case PE_M2PA_FAULT: s->faults++; break;
	case PE_M2PA_BSNT:
		s->has_bsnt = true;
		s->bsnt = ev->value;
		break;
	case PE_MESSAGE: assert_int_equal(number(ev->take_mbuf), s->received++); break;
	case PE_M2PA_RETRIEVED:
		if (s->n_retrieved++ == 0)
			s->retrieved = number(ev->take_mbuf);
		else
			assert_int_equal(number(ev->take_mbuf), s->retrieved);
		s->retrieved++;
		break;
	case PE_M2PA_RETRIEVAL_DONE:
		s->done = true;
		assert_int_equal(ev->value, s->n_retrieved);
		break;
	default: break;
	}
}

static void on_event(void *user, const struct plane_event *ev)
{
	struct pair *p = user;

	if (ev->kind == PE_LISTENING)
		p->listening = true;
	else if (ev->kind == PE_INCOMING)
		adopt(p, ev->take_incoming);
	else if (ev->assoc)
		on_link_event(assoc_owner(ev->assoc), ev);
	plane_free_mbuf(p->plane, ev->take_mbuf);
}

static void start(struct pair *p, enum tp_kind kind)
{
	struct plane_conf conf = {.workers = 2, .max_message = 1024, .buffers = 16384};
	struct tp_params tp;

	*p = (struct pair){.kind = kind};
	p->side[0].pair = p->side[1].pair = p;
	assert_int_equal(plane_new(&conf, on_event, p, &p->plane), SB_OK);
	link_params(p, &tp, true);
	p->ls = plane_listen(p->plane, "links", &tp, NULL);
	assert_non_null(p->ls);
	UNTIL(p, p->listening);
}

/* A new association between the two, both aligned. */
static void align(struct pair *p)
{
	struct assoc_conf conf = {.name = "client",
		.txq_limit = 4000,
		.owner = &p->side[0],
		.proto = ASSOC_M2PA,
		.t7_ms = 10000};

	for (unsigned i = 0; i < 2; i++)
		p->side[i] = (struct side){.pair = p};
	link_params(p, &conf.params, false);
	p->side[0].a = assoc_connect(p->plane, &conf, NULL);
	assert_non_null(p->side[0].a);
	UNTIL(p, p->side[0].up && p->side[1].up);
	for (unsigned i = 0; i < 2; i++) {
		m2pa_reset(p->side[i].a);
		m2pa_open(p->side[i].a);
		m2pa_status(p->side[i].a, M2PA_READY, 0);
	}
	UNTIL(p, p->side[0].statuses && p->side[1].statuses);
	for (unsigned i = 0; i < 2; i++)
		m2pa_go(p->side[i].a);
}

static void send_one(struct side *s)
{
	struct mbuf *m = plane_mbuf(s->pair->plane);

	if (!m)
		return;
	memcpy(mbuf_head(m), "\x81\1\2\3", 4);
	memcpy(mbuf_head(m) + 4, &s->sent, sizeof(s->sent));
	m->len = 8;
	s->sent++;
	assoc_send(s->a, m);
}

/* As long as the other side keeps up. */
static void send_some(struct side *s, const struct side *to, uint32_t limit)
{
	while (s->sent < limit && s->sent < to->received + IN_FLIGHT)
		send_one(s);
}

static void traffic(struct pair *p, uint32_t n)
{
	struct side *a = &p->side[0], *b = &p->side[1];
	uint64_t deadline = clock_ms() + DEADLINE_MS;

	while ((a->received < n || b->received < n) && clock_ms() < deadline) {
		send_some(a, b, n);
		send_some(b, a, n);
		plane_dispatch(p->plane);
	}
	assert_int_equal(a->received, n);
	assert_int_equal(b->received, n);
}

static bool all_acknowledged(const struct side *s)
{
	struct m2pa_seq seq;

	m2pa_seq(s->a, &seq);
	return !seq.retained && !seq.waiting && seq.fsn == s->sent - 1;
}

static void end(struct pair *p)
{
	for (unsigned i = 0; i < 2; i++)
		assoc_abort(p->side[i].a, "end of test");
	UNTIL(p, p->side[0].down && p->side[1].down);
	for (unsigned i = 0; i < 2; i++)
		assoc_free(p->side[i].a);
}

static void messages_pass_in_order_and_are_acknowledged(struct pair *p)
{
	struct assoc_stats stats;

	align(p);
	traffic(p, 20000);
	UNTIL(p, all_acknowledged(&p->side[0]) && all_acknowledged(&p->side[1]));
	for (unsigned i = 0; i < 2; i++) {
		assert_int_equal(p->side[i].faults, 0);
		assert_true(p->side[i].first);
		assoc_stats(p->side[i].a, &stats);
		for (unsigned r = 0; r < DROP_COUNT; r++)
			assert_int_equal(stats.drops[r], 0);
		/* one acknowledgement serves all that a pass brings */
		assert_true(stats.c[AC_ACKS_TX] <= stats.c[AC_RX_DATA]);
		assert_int_equal(stats.c[AC_TX_DATA], 20000);
	}
	end(p);
}

/* What FROM sent and TO accepted, and what FROM retrieves, are all there is, each once. */
static void change_over(struct pair *p, struct side *from, struct side *to)
{
	m2pa_bsnt(to->a);
	UNTIL(p, to->has_bsnt);
	assert_int_equal((to->bsnt + 1) & M2PA_SEQ_MASK, to->received);
	m2pa_retrieve(from->a, to->bsnt);
	UNTIL(p, from->done);
	if (from->n_retrieved)
		assert_int_equal(from->retrieved, from->sent);
	assert_int_equal(to->received + from->n_retrieved, from->sent);
}

static void a_lost_association_loses_and_repeats_nothing(struct pair *p)
{
	for (unsigned round = 0; round < 12; round++) {
		struct side *a = &p->side[0], *b = &p->side[1];

		align(p);
		traffic(p, 50 + round * 37);
		if (round % 3 == 0) /* more than is accepted: it waits at both ends */
			m2pa_busy(b->a, true);
		for (unsigned i = 0; i < 300; i++) {
			send_one(a);
			send_one(b);
			if (i % (16 + round) == 0)
				plane_dispatch(p->plane);
		}
		assoc_abort(p->side[round & 1].a, "cut");
		UNTIL(p, a->down && b->down);
		change_over(p, a, b);
		change_over(p, b, a);
		assoc_free(a->a);
		assoc_free(b->a);
	}
}

static void run(enum tp_kind kind, void (*test)(struct pair *))
{
	struct pair p;

	if (!tp_select(kind, NULL, 0))
		skip();
	start(&p, kind);
	test(&p);
	plane_stop(p.plane);
}

#define OVER(transport, kind)                                                                                \
	static void messages_pass_in_order_and_are_acknowledged_over_##transport(void **state)               \
	{                                                                                                    \
		(void)state;                                                                                 \
		run(kind, messages_pass_in_order_and_are_acknowledged);                                      \
	}                                                                                                    \
	static void a_lost_association_loses_and_repeats_nothing_over_##transport(void **state)              \
	{                                                                                                    \
		(void)state;                                                                                 \
		run(kind, a_lost_association_loses_and_repeats_nothing);                                     \
	}

OVER(memory, TP_MEM)
OVER(tcp, TP_TCP)
OVER(embedded, TP_EMBEDDED)
OVER(kernel, TP_KERNEL)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(messages_pass_in_order_and_are_acknowledged_over_memory),
		cmocka_unit_test(messages_pass_in_order_and_are_acknowledged_over_tcp),
		cmocka_unit_test(messages_pass_in_order_and_are_acknowledged_over_embedded),
		cmocka_unit_test(messages_pass_in_order_and_are_acknowledged_over_kernel),
		cmocka_unit_test(a_lost_association_loses_and_repeats_nothing_over_memory),
		cmocka_unit_test(a_lost_association_loses_and_repeats_nothing_over_tcp),
		cmocka_unit_test(a_lost_association_loses_and_repeats_nothing_over_embedded),
		cmocka_unit_test(a_lost_association_loses_and_repeats_nothing_over_kernel),
	};

	port = free_ports(3);
	return cmocka_run_group_tests_name("data/m2pa, two ends", tests, NULL, NULL);
}
