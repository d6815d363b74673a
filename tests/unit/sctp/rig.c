/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rig.h"

#include <netinet/in.h>

#include "base/clock.h"

static void on_message(void *user, struct mbuf *take_m)
{
	struct end *e = user;
	const uint8_t *p = mbuf_head(take_m);
	uint32_t len, seq;

	assert_false(e->rig->inside);
	assert_int_equal(e->ups, 1);
	assert_int_equal(e->downs, 0);
	assert_true(take_m->len >= 16);
	memcpy(&len, p + 4, 4);
	memcpy(&seq, p + 8, 4);
	assert_int_equal(ntohl(len), take_m->len);
	assert_int_equal(take_m->ppid, TP_PPID_M3UA);
	assert_true(take_m->rx_ns > 0);
	for (uint32_t i = 12; i < take_m->len; i++)
		assert_int_equal(p[i], (uint8_t)(seq + i));
	if (take_m->stream < 1024)
		assert_int_equal(seq, e->next[take_m->stream]++);
	e->received++;
	if (e->keep)
		mbufq_push(&e->rx, take_m);
	else
		mbuf_free(e->conn->loop->pool, take_m);
	if (e->hold_after && e->received == e->hold_after)
		e->rig->ops->hold(e->conn, true);
	if (e->abort_after && e->received == e->abort_after)
		end_abort(e, "had enough");
}

static void on_event(void *user, const struct tp_event *ev)
{
	struct end *e = user;

	assert_false(e->rig->inside);
	assert_int_equal(e->downs, 0);
	switch (ev->kind) {
	case TP_UP:
		e->ups++;
		assert_int_equal(e->ups, 1);
		e->in_streams = ev->in_streams;
		e->out_streams = ev->out_streams;
		break;
	case TP_DOWN:
		e->downs++;
		assert_true(ev->reason[0] != '\0');
		memcpy(e->reason, ev->reason, sizeof(e->reason));
		break;
	case TP_RESTART:
		e->restarts++;
		e->restart_in_streams = ev->in_streams;
		break;
	case TP_PATH:
		e->paths++;
		e->reachable = ev->reachable;
		break;
	case TP_WRITABLE: e->writables++; break;
	case TP_SEND_FAILED: e->failures += ev->count; break;
	case TP_PEER_SHUTDOWN: e->leaves++; break;
	}
}

static void on_incoming(void *user, struct tp_incoming *take_in)
{
	struct rig *r = user;

	assert_false(r->inside);
	assert_true(r->n_incoming < RIG_INCOMING);
	assert_true(take_in->n_addrs >= 1);
	r->incoming[r->n_incoming++] = take_in;
}

static bool on_permit(void *user, const union tp_addr *from)
{
	struct rig *r = user;

	assert_true(from->sa.sa_family == AF_INET || from->sa.sa_family == AF_INET6);
	return r->permit;
}

static void on_refused(void *user, uint32_t len, bool too_long)
{
	struct end *e = user;

	assert_int_equal(too_long, !e->no_buffers);
	e->refused++;
	e->refused_len = len;
}

static const struct tp_upcalls upcalls = {
	.message = on_message,
	.event = on_event,
	.incoming = on_incoming,
	.permit = on_permit,
	.refused = on_refused,
};

static void on_tick(struct ev_loop *loop, ev_timer *w, int revents)
{
	(void)loop;
	(void)w;
	(void)revents;
}

void rig_init(struct rig *r, const struct tp_ops *ops, uint16_t port)
{
	memset(r, 0, sizeof(*r));
	r->ops = ops;
	r->port = port;
	r->permit = true;
	r->ev = ev_loop_new(EVFLAG_AUTO);
	ev_timer_init(&r->tick, on_tick, 0.01, 0.01);
	ev_timer_start(r->ev, &r->tick);
	r->near = (struct tp_loop){.ev = r->ev, .max_message = RIG_MAX_MESSAGE, .up = &upcalls};
	r->far = r->near;
	r->near.pool = mbuf_pool_new(RIG_BUFFERS, RIG_BIG_MESSAGE);
	r->far.pool = mbuf_pool_new(RIG_BUFFERS, RIG_MAX_MESSAGE);
	assert_non_null(r->near.pool);
	assert_non_null(r->far.pool);
}

void rig_fini(struct rig *r)
{
	if (r->listener)
		rig_unlisten(r);
	tp_loop_fini(&r->near);
	tp_loop_fini(&r->far);
	assert_true(mbuf_pool_free(r->far.pool));
	assert_true(mbuf_pool_free(r->near.pool));
	ev_timer_stop(r->ev, &r->tick);
	ev_loop_destroy(r->ev);
}

static void loopback(union tp_addr *a)
{
	assert_int_equal(tp_addr_parse(a, "127.0.0.1"), SB_OK);
}

void rig_client_params(const struct rig *r, struct tp_params *p)
{
	tp_params_default(p);
	loopback(&p->remote[0]);
	p->n_remote = 1;
	p->remote_port = r->port;
	p->local_udp_port = r->port + 2;
	p->remote_udp_port = r->port + 1;
}

void rig_server_params(const struct rig *r, struct tp_params *p)
{
	tp_params_default(p);
	loopback(&p->local[0]);
	p->n_local = 1;
	p->local_port = r->port;
	p->local_udp_port = r->port + 1;
}

void rig_listen_with(struct rig *r, const struct tp_params *p)
{
	r->inside = true;
	assert_int_equal(r->ops->listen(&r->far, p, r, &r->listener), SB_OK);
	r->inside = false;
}

void rig_listen(struct rig *r)
{
	struct tp_params p;

	rig_server_params(r, &p);
	rig_listen_with(r, &p);
}

void rig_unlisten(struct rig *r)
{
	r->inside = true;
	r->ops->unlisten(r->listener);
	r->inside = false;
	r->listener = NULL;
}

void end_init(struct end *e, struct rig *r)
{
	memset(e, 0, sizeof(*e));
	e->rig = r;
	mbufq_init(&e->rx);
	mbufq_init(&e->tx);
}

void end_connect(struct end *e, const struct tp_params *p)
{
	struct rig *r = e->rig;

	r->inside = true;
	assert_int_equal(r->ops->connect(&r->near, p, e, &e->conn), SB_OK);
	r->inside = false;
	assert_non_null(e->conn);
}

void end_accept(struct end *e, const struct tp_params *p, struct tp_loop *loop)
{
	struct rig *r = e->rig;

	RIG_WAIT(r, r->n_incoming > 0);
	r->inside = true;
	assert_int_equal(
		r->ops->adopt(loop ? loop : &r->far, r->incoming[--r->n_incoming], p, e, &e->conn), SB_OK);
	r->inside = false;
}

void rig_pair_with(struct rig *r, struct end *client, const struct tp_params *cp, struct end *server,
	const struct tp_params *sp)
{
	if (!r->listener)
		rig_listen_with(r, sp);
	end_init(client, r);
	end_init(server, r);
	end_connect(client, cp);
	end_accept(server, sp, NULL);
	RIG_WAIT(r, client->ups && server->ups);
}

void rig_pair(struct rig *r, struct end *client, struct end *server)
{
	struct tp_params cp, sp;

	rig_client_params(r, &cp);
	rig_server_params(r, &sp);
	rig_pair_with(r, client, &cp, server, &sp);
}

void end_shutdown(struct end *e)
{
	e->rig->inside = true;
	e->rig->ops->shutdown(e->conn);
	e->rig->inside = false;
}

void end_abort(struct end *e, const char *why)
{
	e->rig->inside = true;
	e->rig->ops->abort(e->conn, why);
	e->rig->inside = false;
}

unsigned end_transmit(struct end *e)
{
	unsigned n;

	e->rig->inside = true;
	n = e->rig->ops->transmit(e->conn, &e->tx);
	e->rig->inside = false;
	return n;
}

void end_fini(struct end *e)
{
	struct mbuf_pool *pool = e->conn->loop->pool;

	RIG_WAIT(e->rig, e->downs);
	assert_int_equal(e->downs, 1);
	mbufq_purge(&e->rx, pool);
	mbufq_purge(&e->tx, pool);
	e->rig->inside = true;
	e->rig->ops->release(e->conn);
	e->rig->inside = false;
	e->conn = NULL;
}

void rig_unpair(struct end *client, struct end *server)
{
	if (!client->downs)
		end_abort(client, "end of test");
	RIG_WAIT(client->rig, client->downs && server->downs);
	end_fini(client);
	end_fini(server);
}

void end_queue(struct end *e, uint32_t len, uint16_t stream, uint32_t seq)
{
	struct mbuf *m = mbuf_alloc(e->conn->loop->pool);
	uint32_t be = htonl(len);
	uint8_t *p;

	assert_non_null(m);
	p = mbuf_head(m);
	memcpy(p, "\1\0\1\1", 4);
	memcpy(p + 4, &be, 4);
	memcpy(p + 8, &seq, 4);
	for (uint32_t i = 12; i < len; i++)
		p[i] = (uint8_t)(seq + i);
	m->len = len;
	m->stream = stream;
	m->ppid = TP_PPID_M3UA;
	mbufq_push(&e->tx, m);
}

void rig_run(struct rig *r)
{
	ev_run(r->ev, EVRUN_ONCE);
}
