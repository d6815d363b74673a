/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two links with a real plane and its workers in between, over the transports that run here: alignment,
 * traffic, and associations that are lost in the middle of it, after which each end retrieves what the other
 * has not accepted and sends it when the link is back: nothing is lost, repeated or out of order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <osmocom/core/application.h>
#include <osmocom/core/timer.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "data/m2pa.h"
#include "m2pa/link.h"
#include "tests/unit/free_ports.h"

enum { DEADLINE_MS = 120000, IN_FLIGHT = 300 };

struct pair;

struct side {
	struct pair *pair;
	struct side *peer;
	struct m2pa_link *l;
	struct m2pa_link_conf conf;
	bool available, in, out; /* out: and its changeover is not done */
	bool asked, has_bsnt, retrieving, done;
	uint32_t bsnt;
	uint32_t sent, received;
	struct mbufq retrieved; /* in front of everything new */
	unsigned services, outages, recoveries;
};

/* And the two behind it: UDP ports. */
static uint16_t port;

struct pair {
	struct plane *plane;
	struct m2pa_links *ls;
	struct listener *listener;
	enum tp_kind kind;
	bool listening;
	struct side side[2]; /* client, server */
};

/* ---- level 3 ---- */

static void on_available(void *user, bool up)
{
	((struct side *)user)->available = up;
}

static void on_in_service(void *user)
{
	struct side *s = user;

	s->in = true;
	s->services++;
}

static void on_out_of_service(void *user, const char *reason)
{
	struct side *s = user;

	(void)reason;
	if (s->in) {
		s->out = true;
		s->asked = s->has_bsnt = s->retrieving = s->done = false;
	}
	s->in = false;
}

static void on_remote_outage(void *user, bool out)
{
	((struct side *)user)->outages += out;
}

static void on_recovered(void *user)
{
	((struct side *)user)->recoveries++;
}

static bool on_flush_due(void *user)
{
	(void)user;
	return false;
}

static void on_congestion(void *user, unsigned level)
{
	(void)user;
	(void)level;
}

static void on_bsnt(void *user, uint32_t bsnt)
{
	struct side *s = user;

	s->bsnt = bsnt;
	s->has_bsnt = true;
}

static void on_retrieved(void *user, struct mbuf *m)
{
	mbufq_push(&((struct side *)user)->retrieved, m);
}

static void on_retrieval_done(void *user, uint32_t n)
{
	struct side *s = user;

	assert_int_equal(n, s->retrieved.n);
	s->done = true;
}

static void on_message(void *user, struct mbuf *m)
{
	struct side *s = user;
	uint32_t v;

	assert_int_equal(m->len, 8);
	memcpy(&v, m->data + m->off + 4, sizeof(v));
	assert_int_equal(v, s->received);
	s->received++;
	plane_free_mbuf(s->pair->plane, m);
}

static void on_refused(void *user, struct mbuf *m, enum drop_reason why, uint32_t value)
{
	(void)why;
	(void)value;
	plane_free_mbuf(((struct side *)user)->pair->plane, m);
}

static const struct m2pa_link_ops ops = {
	.available = on_available,
	.in_service = on_in_service,
	.out_of_service = on_out_of_service,
	.remote_outage = on_remote_outage,
	.recovered = on_recovered,
	.flush_due = on_flush_due,
	.congestion = on_congestion,
	.bsnt = on_bsnt,
	.retrieved = on_retrieved,
	.retrieval_done = on_retrieval_done,
	.message = on_message,
	.refused = on_refused,
};

/* The numbers change hands here as XCO and XCA would carry them. */
static void change_over(struct side *s)
{
	if (s->out && !s->asked)
		s->asked = m2pa_link_retrieve_bsnt(s->l);
	if (s->out && s->peer->out && s->peer->has_bsnt && !s->retrieving)
		s->retrieving = m2pa_link_retrieve(s->l, s->peer->bsnt);
	if (s->done && s->peer->done)
		s->out = s->peer->out = false;
}

static void send_one(struct side *s)
{
	struct mbuf *m = mbufq_pop(&s->retrieved);

	if (!m) {
		m = plane_mbuf(s->pair->plane);
		if (!m)
			return;
		memcpy(mbuf_head(m), "\x81\1\2\3", 4);
		memcpy(mbuf_head(m) + 4, &s->sent, sizeof(s->sent));
		m->len = 8;
		s->sent++;
	}
	assert_true(m2pa_link_send(s->l, m));
}

/* ---- the rig ---- */

static void on_event(void *user, const struct plane_event *ev)
{
	struct pair *p = user;

	if (ev->kind == PE_LISTENING)
		p->listening = true;
	else if (ev->kind == PE_INCOMING && !m2pa_links_incoming(p->ls, "links", ev->take_incoming))
		plane_reject(p->plane, ev->take_incoming);
	else if (ev->assoc)
		m2pa_links_on_event(p->ls, ev);
}

static void step(struct pair *p)
{
	plane_dispatch(p->plane);
	osmo_timers_prepare();
	osmo_timers_update();
	for (unsigned i = 0; i < 2; i++) {
		struct side *s = &p->side[i];

		change_over(s);
		if (s->available && !s->out && m2pa_link_state(s->l) == M2PA_LINK_OUT_OF_SERVICE)
			m2pa_link_start(s->l, true);
	}
}

#define UNTIL(p, cond)                                                                                       \
	do {                                                                                                 \
		uint64_t deadline_ = clock_ms() + DEADLINE_MS;                                               \
		while (!(cond)) {                                                                            \
			step(p);                                                                             \
			if (clock_ms() > deadline_)                                                          \
				fail_msg("not within %d ms: %s", DEADLINE_MS, #cond);                        \
		}                                                                                            \
	} while (0)

static void set_params(const struct pair *p, struct tp_params *tp, bool server)
{
	tp->kind = p->kind;
	tp->sndbuf = 1 << 16;
	if (server)
		tp->local_port = port;
	else
		tp->remote_port = port;
	if (p->kind == TP_MEM)
		return;
	assert_int_equal(tp_addr_parse(server ? &tp->local[0] : &tp->remote[0], "127.0.0.1"), SB_OK);
	*(server ? &tp->n_local : &tp->n_remote) = 1;
	tp->local_udp_port = (uint16_t)(port + (server ? 1 : 2));
	tp->remote_udp_port = server ? 0 : (uint16_t)(port + 1);
}

static void start(struct pair *p, enum tp_kind kind)
{
	struct plane_conf conf = {.workers = 2, .max_message = 1024, .buffers = 16384};

	*p = (struct pair){.kind = kind};
	p->ls = m2pa_links_new(NULL);
	assert_int_equal(plane_new(&conf, on_event, p, &p->plane), SB_OK);
	m2pa_links_set_plane(p->ls, p->plane);
	for (unsigned i = 2; i-- > 0;) { /* the server first */
		struct side *s = &p->side[i];

		s->pair = p;
		s->peer = &p->side[1 - i];
		mbufq_init(&s->retrieved);
		m2pa_link_conf_default(&s->conf);
		s->conf.name = i ? "server" : "client";
		s->conf.side = i ? M2PA_LINK_SERVER : M2PA_LINK_CLIENT;
		s->conf.t4e_ms = 30;
		s->conf.proving_interval_ms = 5;
		s->conf.reconnect_min_ms = s->conf.reconnect_max_ms = 20;
		s->conf.t7_ms = 10000;
		set_params(p, &s->conf.tp, i);
		s->l = m2pa_link_new(p->ls, &s->conf, &ops, s);
		if (!i)
			break;
		p->listener = plane_listen(p->plane, "links", &s->conf.tp, NULL);
		assert_non_null(p->listener);
		UNTIL(p, p->listening);
	}
}

static bool in_service(const struct pair *p)
{
	return p->side[0].in && p->side[1].in;
}

static void traffic(struct pair *p, uint32_t n)
{
	uint64_t deadline = clock_ms() + DEADLINE_MS;
	struct side *a = &p->side[0], *b = &p->side[1];

	while ((a->received < n || b->received < n) && clock_ms() < deadline) {
		for (unsigned i = 0; i < 2; i++) {
			struct side *s = &p->side[i];

			while (s->in &&
				(s->retrieved.n || (s->sent < n && s->sent < s->peer->received + IN_FLIGHT)))
				send_one(s);
		}
		step(p);
	}
	assert_int_equal(a->received, n);
	assert_int_equal(b->received, n);
}

static void end(struct pair *p)
{
	uint64_t deadline = clock_ms() + DEADLINE_MS;

	m2pa_links_shutdown(p->ls);
	while (!m2pa_links_are_gone(p->ls) && clock_ms() < deadline)
		plane_dispatch(p->plane);
	assert_true(m2pa_links_are_gone(p->ls));
	plane_stop(p->plane);
	m2pa_links_free(p->ls);
}

static void check(enum tp_kind kind)
{
	struct pair p;
	uint32_t n = 3000;

	if (!tp_select(kind, NULL, 0))
		skip();
	start(&p, kind);
	UNTIL(&p, in_service(&p));
	traffic(&p, n);
	/* an outage under way loses nothing either */
	m2pa_link_processor_outage(p.side[0].l, true, false);
	for (unsigned i = 0; i < 100; i++) {
		send_one(&p.side[0]);
		send_one(&p.side[1]);
	}
	UNTIL(&p, p.side[1].outages == 1);
	m2pa_link_processor_outage(p.side[0].l, false, false);
	UNTIL(&p, p.side[0].recoveries == 1);
	traffic(&p, n += 500);
	for (unsigned round = 1; round <= 8; round++) {
		unsigned before = p.side[0].services;

		for (unsigned i = 0; i < 200; i++) {
			send_one(&p.side[0]);
			send_one(&p.side[1]);
			if (i % (7 + round) == 0)
				plane_dispatch(p.plane);
		}
		m2pa_link_restart(p.side[round & 1].l);
		UNTIL(&p, p.side[0].services > before && in_service(&p));
		traffic(&p, n += 1000);
	}
	end(&p);
}

#define OVER(transport, kind)                                                                                \
	static void nothing_is_lost_or_repeated_over_##transport(void **state)                               \
	{                                                                                                    \
		(void)state;                                                                                 \
		check(kind);                                                                                 \
	}

OVER(memory, TP_MEM)
OVER(tcp, TP_TCP)
OVER(embedded, TP_EMBEDDED)
OVER(kernel, TP_KERNEL)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_lost_or_repeated_over_memory),
		cmocka_unit_test(nothing_is_lost_or_repeated_over_tcp),
		cmocka_unit_test(nothing_is_lost_or_repeated_over_embedded),
		cmocka_unit_test(nothing_is_lost_or_repeated_over_kernel),
	};

	log_setup(NULL);
	log_set_log_level(osmo_stderr_target, LOGL_FATAL);
	port = free_ports(3);
	return cmocka_run_group_tests_name("m2pa, two links", tests, NULL, NULL);
}
