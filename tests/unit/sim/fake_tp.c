/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fake_tp.h"

#include <assert.h>
#include <string.h>

struct fake_tp fake_tp;

static enum sb_err fake_connect(
	struct tp_loop *l, const struct tp_params *p, void *user, struct tp_conn **out)
{
	fake_tp.connects++;
	fake_tp.params = *p;
	if (fake_tp.connect_result)
		return fake_tp.connect_result;
	fake_tp.conn = (struct tp_conn){.ops = &fake_tp_ops, .loop = l, .user = user};
	*out = &fake_tp.conn;
	return SB_OK;
}

static unsigned fake_transmit(struct tp_conn *c, struct mbufq *q)
{
	unsigned n = 0;
	struct mbuf *m;

	(void)c;
	while (fake_tp.room && (m = mbufq_pop(q))) {
		fake_tp.sent[fake_tp.n_sent++] = m;
		fake_tp.room--;
		n++;
	}
	return n;
}

static void fake_shutdown(struct tp_conn *c)
{
	(void)c;
	fake_tp.shutdowns++;
}

static void fake_abort(struct tp_conn *c, const char *why)
{
	(void)c;
	(void)why;
	fake_tp.aborts++;
}

static void fake_release(struct tp_conn *c)
{
	(void)c;
	assert(!fake_tp.inside);
	fake_tp.releases++;
}

static enum sb_err fake_listen(
	struct tp_loop *l, const struct tp_params *p, void *user, struct tp_listener **out)
{
	(void)l;
	(void)user;
	fake_tp.listens++;
	fake_tp.params = *p;
	*out = (struct tp_listener *)&fake_tp; /* only a name */
	return SB_OK;
}

static void fake_unlisten(struct tp_listener *ls)
{
	(void)ls;
	fake_tp.unlistens++;
}

static enum sb_err fake_adopt(struct tp_loop *l, struct tp_incoming *in, const struct tp_params *p,
	void *user, struct tp_conn **out)
{
	(void)in;
	(void)p;
	fake_tp.adopts++;
	if (fake_tp.connect_result)
		return fake_tp.connect_result;
	fake_tp.conn = (struct tp_conn){.ops = &fake_tp_ops, .loop = l, .user = user};
	*out = &fake_tp.conn;
	return SB_OK;
}

static void fake_reject(struct tp_incoming *in)
{
	(void)in;
	fake_tp.rejects++;
}

const struct tp_ops fake_tp_ops = {
	.name = "fake",
	.connect = fake_connect,
	.listen = fake_listen,
	.unlisten = fake_unlisten,
	.adopt = fake_adopt,
	.reject = fake_reject,
	.transmit = fake_transmit,
	.shutdown = fake_shutdown,
	.abort = fake_abort,
	.release = fake_release,
};

void fake_env_init(struct fake_env *e, const struct asp_upcalls *up)
{
	*e = (struct fake_env){
		.tp = {.ev = ev_loop_new(EVFLAG_AUTO), .max_message = 8192, .up = &asp_tp_upcalls}};
	e->tp.pool = mbuf_pool_new(FAKE_MAX, 8192);
	tp_params_default(&e->params);
	e->env = (struct asp_env){
		.tp = &e->tp, .ops = &fake_tp_ops, .params = &e->params, .up = up, .t_ack_ns = 2000000};
	fake_tp = (struct fake_tp){.room = FAKE_MAX};
}

void fake_env_fini(struct fake_env *e)
{
	fake_forget();
	assert(mbuf_pool_free(e->tp.pool));
	ev_loop_destroy(e->tp.ev);
}

void fake_incoming(struct asp *a)
{
	struct tp_incoming in = {.ops = &fake_tp_ops, .loop = a->env->tp};

	asp_tp_upcalls.incoming(a, &in);
}

void fake_event(struct asp *a, enum tp_event_kind kind)
{
	struct tp_event ev = {
		.kind = kind, .in_streams = 16, .out_streams = 16, .count = 3, .reason = "because"};

	fake_tp.inside = true;
	asp_tp_upcalls.event(a, &ev);
	fake_tp.inside = false;
	asp_pass(a->env);
}

void fake_peer_bytes(struct asp *a, const uint8_t *bytes, uint32_t len)
{
	struct mbuf *m = mbuf_alloc(a->env->tp->pool);

	assert(m);
	memcpy(mbuf_head(m), bytes, len);
	m->len = len;
	m->rx_ns = 1;
	fake_tp.inside = true;
	asp_tp_upcalls.message(a, m);
	fake_tp.inside = false;
	asp_pass(a->env);
}

void fake_peer(struct asp *a, uint16_t type, uint16_t tag, uint32_t value)
{
	uint8_t bytes[64];
	struct wr w = wr_over(bytes, sizeof(bytes));

	m3ua_begin(&w, type);
	if (tag)
		m3ua_put_u32(&w, tag, value);
	fake_peer_bytes(a, bytes, m3ua_end(&w));
}

uint16_t fake_sent(unsigned n)
{
	const uint8_t *p;

	if (n >= fake_tp.n_sent)
		return 0xffff;
	p = mbuf_head(fake_tp.sent[n]);
	return (uint16_t)(p[2] << 8 | p[3]);
}

void fake_forget(void)
{
	for (unsigned i = 0; i < fake_tp.n_sent; i++)
		mbuf_free(fake_tp.sent[i]->home, fake_tp.sent[i]);
	fake_tp.n_sent = 0;
}
