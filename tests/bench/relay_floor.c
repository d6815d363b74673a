/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The floor of the relay benchmark: two associations, every DATA message of one leaves on the other, by the
 * same transports, buffers and loop pass as the gateway's, with no gateway logic at all. ASPSM and ASPTM are
 * just acknowledged, so that ss7sim drives it as it drives the gateway.
 *
 *     relay-floor --transport embedded --listen 127.0.0.1 --port 2905 --udp-port 9899
 *
 * Ends when both associations are over, or by a signal; then tells the CPU time per message between the first
 * DATA and the last. */
#include <ev.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/clock.h"
#include "sctp/embedded.h"
#include "sctp/transport.h"
#include "wire/m3ua.h"

enum { ENDS = 2, BUFFERS = 65536, MAX_MESSAGE = 8192, QUEUE_MAX = 30000, DATA_CLASS = 1 };

struct end {
	struct tp_conn *conn;
	struct mbufq tx;
	uint32_t rc; /* Routing Context of its ASPAC */
	bool taken, up, down, dirty, blocked;
};

static struct {
	struct tp_loop loop;
	const struct tp_ops *ops;
	struct tp_params params;
	struct tp_listener *listener;
	struct end ends[ENDS];
	uint64_t relayed, dropped, refused, first_ns, last_ns;
	struct rusage first, last;
} floor_;

static struct end *other(struct end *e)
{
	return e == &floor_.ends[0] ? &floor_.ends[1] : &floor_.ends[0];
}

static void queue(struct end *e, struct mbuf *take_m)
{
	mbufq_push(&e->tx, take_m);
	e->dirty = true;
}

/* ss7sim looks for its own Routing Context in what it gets. Where it is the first parameter, as ss7sim writes
 * it, one store does. */
static void relabel(struct mbuf *m, uint32_t rc)
{
	uint8_t *p = mbuf_head(m);

	if (m->len >= M3UA_HEADER + 8 && p[M3UA_HEADER] == 0 && p[M3UA_HEADER + 1] == M3UA_P_ROUTING_CONTEXT)
		put_u32(p + M3UA_HEADER + M3UA_PARAM_HEADER, rc);
}

static void relay(struct end *e, struct mbuf *take_m)
{
	struct end *to = other(e);

	if (!to->up || to->tx.n >= QUEUE_MAX) {
		floor_.dropped++;
		mbuf_free(floor_.loop.pool, take_m);
		return;
	}
	if (!floor_.first_ns) {
		floor_.first_ns = take_m->rx_ns;
		getrusage(RUSAGE_SELF, &floor_.first);
	}
	floor_.last_ns = take_m->rx_ns;
	floor_.relayed++;
	relabel(take_m, to->rc);
	queue(to, take_m);
}

static void copy_param(struct wr *w, const struct m3ua_msg *m, uint16_t tag)
{
	struct m3ua_param p;

	if (m3ua_find(m, tag, &p))
		m3ua_put_bytes(w, tag, p.v, p.len);
}

static void answer(struct end *e, const struct m3ua_msg *m, uint16_t type)
{
	struct mbuf *a = mbuf_alloc(floor_.loop.pool);
	struct wr w;

	if (!a)
		return;
	w = wr_over(mbuf_head(a), MAX_MESSAGE);
	m3ua_begin(&w, type);
	if (type == M3UA_NTFY)
		m3ua_put_u32(&w, M3UA_P_STATUS, m3ua_status_pack(M3UA_NTFY_AS_STATE, M3UA_AS_ACTIVE));
	else
		copy_param(&w, m, M3UA_P_TRAFFIC_MODE);
	copy_param(&w, m, M3UA_P_ROUTING_CONTEXT);
	copy_param(&w, m, M3UA_P_HEARTBEAT_DATA);
	a->len = m3ua_end(&w);
	a->ppid = TP_PPID_M3UA;
	queue(e, a);
}

static void manage(struct end *e, const struct mbuf *m)
{
	struct m3ua_fault fault;
	struct m3ua_msg msg;

	if (!m3ua_parse(m->data + m->off, m->len, &msg, &fault))
		return;
	switch (msg.type) {
	case M3UA_ASPUP: answer(e, &msg, M3UA_ASPUP_ACK); break;
	case M3UA_ASPDN: answer(e, &msg, M3UA_ASPDN_ACK); break;
	case M3UA_ASPIA: answer(e, &msg, M3UA_ASPIA_ACK); break;
	case M3UA_BEAT: answer(e, &msg, M3UA_BEAT_ACK); break;
	case M3UA_ASPAC:
		(void)m3ua_find_u32(&msg, M3UA_P_ROUTING_CONTEXT, &e->rc);
		answer(e, &msg, M3UA_ASPAC_ACK);
		answer(e, &msg, M3UA_NTFY);
		break;
	default: break;
	}
}

static void on_message(void *user, struct mbuf *take_m)
{
	if (take_m->len >= M3UA_HEADER && mbuf_head(take_m)[2] == DATA_CLASS) {
		relay(user, take_m);
		return;
	}
	manage(user, take_m);
	mbuf_free(floor_.loop.pool, take_m);
}

static void on_event(void *user, const struct tp_event *ev)
{
	struct end *e = user;

	switch (ev->kind) {
	case TP_UP: e->up = true; break;
	case TP_WRITABLE:
		e->blocked = false;
		e->dirty = true;
		break;
	case TP_DOWN:
		e->up = false;
		e->down = true;
		if (other(e)->down || !other(e)->taken)
			ev_break(floor_.loop.ev, EVBREAK_ALL);
		break;
	default: break;
	}
}

static void on_incoming(void *user, struct tp_incoming *take_in)
{
	(void)user;
	for (unsigned i = 0; i < ENDS; i++) {
		struct end *e = &floor_.ends[i];

		if (e->taken)
			continue;
		e->taken = floor_.ops->adopt(&floor_.loop, take_in, &floor_.params, e, &e->conn) == SB_OK;
		return;
	}
	floor_.ops->reject(take_in);
}

static void on_refused(void *user, uint32_t len, bool too_long)
{
	(void)user, (void)len, (void)too_long;
	floor_.refused++;
}

static const struct tp_upcalls upcalls = {
	.message = on_message,
	.event = on_event,
	.incoming = on_incoming,
	.refused = on_refused,
};

static void on_prepare(struct ev_loop *loop, ev_prepare *w, int events)
{
	(void)loop, (void)w, (void)events;
	for (unsigned i = 0; i < ENDS; i++) {
		struct end *e = &floor_.ends[i];

		if (!e->dirty || !e->up || e->blocked)
			continue;
		e->dirty = false;
		floor_.ops->transmit(e->conn, &e->tx);
		e->blocked = e->tx.n > 0;
		if (e->tx.n == 0)
			getrusage(RUSAGE_SELF, &floor_.last);
	}
}

static void on_signal(struct ev_loop *loop, ev_signal *w, int events)
{
	(void)w, (void)events;
	ev_break(loop, EVBREAK_ALL);
}

static double seconds(const struct timeval *a, const struct timeval *b)
{
	return (double)(b->tv_sec - a->tv_sec) + (double)(b->tv_usec - a->tv_usec) / 1e6;
}

static void report(void)
{
	double user = seconds(&floor_.first.ru_utime, &floor_.last.ru_utime);
	double sys = seconds(&floor_.first.ru_stime, &floor_.last.ru_stime);
	double n = floor_.relayed ? (double)floor_.relayed : 1.;

	printf("{\"transport\": \"%s\", \"relayed\": %llu, \"dropped\": %llu, \"refused\": %llu, "
	       "\"seconds\": %.3f, "
	       "\"cpu_us_per_message\": %.3f, \"user_us\": %.3f, \"system_us\": %.3f",
		floor_.ops->name, (unsigned long long)floor_.relayed, (unsigned long long)floor_.dropped,
		(unsigned long long)floor_.refused, (double)(floor_.last_ns - floor_.first_ns) / 1e9,
		(user + sys) * 1e6 / n, user * 1e6 / n, sys * 1e6 / n);
	if (floor_.ops == &tp_embedded)
		for (unsigned s = 0; s < EMB_STATS; s++)
			printf(", \"%s\": %llu", embedded_stat_name(s), (unsigned long long)embedded_stat(s));
	printf("}\n");
}

static bool set_option(int o, struct tp_params *p, enum tp_kind *kind)
{
	switch (o) {
	case 't':
		for (*kind = TP_AUTO; *kind < TP_KINDS; (*kind)++)
			if (strcmp(tp_kind_name(*kind), optarg) == 0)
				return true;
		return false;
	case 'l': p->n_local = 1; return tp_addr_parse(&p->local[0], optarg) == SB_OK;
	case 'p': p->local_port = (uint16_t)atoi(optarg); return true;
	case 'u': p->local_udp_port = (uint16_t)atoi(optarg); return true;
	case 'c': p->crc = TP_CRC_TRUST_LOCAL; return strcmp(optarg, "trust-local") == 0;
	case 'r': p->encap = TP_ENCAP_RAW; return true;
	case 'g': p->gso = true; return true;
	default: return false;
	}
}

static void run(void)
{
	ev_prepare prepare;
	ev_signal quit[2];

	ev_prepare_init(&prepare, on_prepare);
	ev_prepare_start(floor_.loop.ev, &prepare);
	ev_signal_init(&quit[0], on_signal, SIGTERM);
	ev_signal_init(&quit[1], on_signal, SIGINT);
	for (unsigned i = 0; i < 2; i++)
		ev_signal_start(floor_.loop.ev, &quit[i]);
	ev_run(floor_.loop.ev, 0);
	report();
	ev_prepare_stop(floor_.loop.ev, &prepare);
	floor_.ops->unlisten(floor_.listener);
	for (unsigned i = 0; i < ENDS; i++) {
		mbufq_purge(&floor_.ends[i].tx, floor_.loop.pool);
		if (floor_.ends[i].conn)
			floor_.ops->release(floor_.ends[i].conn);
	}
	tp_loop_fini(&floor_.loop);
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{"transport", required_argument, NULL, 't'},
		{"listen", required_argument, NULL, 'l'},
		{"port", required_argument, NULL, 'p'},
		{"udp-port", required_argument, NULL, 'u'},
		{"crc", required_argument, NULL, 'c'},
		{"raw", no_argument, NULL, 'r'},
		{"gso", no_argument, NULL, 'g'},
		{NULL, 0, NULL, 0},
	};
	enum tp_kind kind = TP_EMBEDDED;
	char why[TP_REASON];
	enum sb_err err;
	int o;

	tp_params_default(&floor_.params);
	floor_.params.local_port = 2905;
	while ((o = getopt_long(argc, argv, "", options, NULL)) != -1)
		if (!set_option(o, &floor_.params, &kind)) {
			fprintf(stderr, "usage: relay-floor [--transport NAME] [--listen ADDRESS] [--port N] "
					"[--udp-port N]\n"
					"                   [--crc trust-local] [--raw] [--gso]\n");
			return 2;
		}
	for (unsigned i = 0; i < ENDS; i++)
		mbufq_init(&floor_.ends[i].tx);
	floor_.ops = tp_select(kind, why, sizeof(why));
	if (!floor_.ops) {
		fprintf(stderr, "relay-floor: %s\n", why);
		return 2;
	}
	floor_.loop = (struct tp_loop){
		.ev = ev_default_loop(0),
		.pool = mbuf_pool_new(BUFFERS, MAX_MESSAGE),
		.max_message = MAX_MESSAGE,
		.up = &upcalls,
	};
	err = floor_.ops->listen(&floor_.loop, &floor_.params, NULL, &floor_.listener);
	if (err != SB_OK) {
		if (err == SB_ENOTSUP && floor_.params.encap == TP_ENCAP_RAW)
			(void)embedded_raw_available(why, sizeof(why));
		fprintf(stderr, "relay-floor: cannot listen: %s (%s)\n", sb_strerror(err), why);
		return 2;
	}
	run();
	return 0;
}
