/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "link_rig.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../wire/hex.h"

static struct link_rig *rig; /* whose messages bare_watch sees */

static void say(char *text, size_t size, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

static void say(char *text, size_t size, const char *fmt, ...)
{
	size_t used = strlen(text);
	va_list ap;

	if (used)
		used += (size_t)snprintf(text + used, size - used, " ");
	va_start(ap, fmt);
	vsnprintf(text + used, size - used, fmt, ap);
	va_end(ap);
}

static int as_signed(uint32_t seq)
{
	return seq > M2PA_SEQ_MASK / 2 ? (int)seq - (int)M2PA_SEQ_MASK - 1 : (int)seq;
}

/* An MSU: SIO, three octets of label, its number. */
static unsigned number_of(const uint8_t *sio)
{
	return (unsigned)sio[4] << 8 | sio[5];
}

static void watch(struct mbuf *m)
{
	uint8_t *p = mbuf_head(m);
	struct m2pa_msg msg;
	int fsn, bsn;

	assert_int_equal(m->ppid, TP_PPID_M2PA);
	assert_int_equal(m2pa_parse(p, m->len, &msg), M2PA_NO_FAULT);
	fsn = as_signed(msg.fsn);
	bsn = as_signed(msg.bsn);
	if (msg.type == M2PA_LINK_STATUS) {
		say(rig->sent, sizeof(rig->sent), "%s.%u %d/%d", m2pa_state_name(msg.state), m->stream, fsn,
			bsn);
		return;
	}
	assert_int_equal(m->stream, 1);
	if (msg.msu_len)
		say(rig->sent, sizeof(rig->sent), "D%d/%d#%u", fsn, bsn, number_of(p + M2PA_USER_HEADER));
	else
		say(rig->sent, sizeof(rig->sent), "A%d/%d", fsn, bsn);
}

static void on_event(void *user, const struct plane_event *ev)
{
	struct link_rig *r = user;
	size_t n = sizeof(r->told);

	switch (ev->kind) {
	case PE_M2PA_STATUS:
		say(r->told, n, "status:%s%s", m2pa_state_name(ev->value), ev->outstanding ? "+" : "");
		break;
	case PE_M2PA_DATA: say(r->told, n, "first"); break;
	case PE_M2PA_FAULT: say(r->told, n, "fault:%s", m2pa_failure_text(ev->value)); break;
	case PE_M2PA_CONGESTION: say(r->told, n, ev->value ? "congested" : "abated"); break;
	case PE_M2PA_BSNT: say(r->told, n, "bsnt:%d", as_signed(ev->value)); break;
	case PE_M2PA_RETRIEVED: say(r->told, n, "got#%u", number_of(mbuf_head(ev->take_mbuf))); break;
	case PE_M2PA_RETRIEVAL_DONE: say(r->told, n, "done:%u", ev->value); break;
	case PE_MESSAGE: say(r->told, n, "msg#%u", number_of(mbuf_head(ev->take_mbuf))); break;
	case PE_DATA_REFUSED: say(r->told, n, "fwd#%u", number_of(mbuf_head(ev->take_mbuf))); break;
	default: break;
	}
	mbuf_free(r->b.plane.pool, ev->take_mbuf);
}

/* What plane_dispatch() does, for the notes that matter here. */
static void on_note(struct note *n, void *arg)
{
	struct link_rig *r = arg;
	struct mbuf *m = caa_container_of(n, struct mbuf, note);
	struct plane_event ev = {.assoc = r->a, .take_mbuf = m};

	if (n->kind == N_M2PA_EVENT) {
		m2pa_dispatch(&r->b.plane, m);
	} else if (n->kind == N_M2PA_NEWS) {
		assoc_dispatch(r->a, n);
	} else if (n->kind == N_MESSAGE || n->kind == N_REFUSED || n->kind == N_CONGESTED) {
		ev.kind = n->kind == N_MESSAGE ? PE_MESSAGE : PE_DATA_REFUSED;
		counter_add(n->kind == N_MESSAGE ? &r->a->taken : &r->a->worker->taken[TOLD_REFUSED], 1);
		if (n->kind == N_MESSAGE)
			counter_add(&r->a->worker->taken[TOLD_MESSAGE], 1);
		on_event(r, &ev);
	} else if (n->kind == N_EVENT) {
		free(caa_container_of(n, struct event, note));
	}
}

static void control(struct link_rig *r)
{
	inbox_drain(&r->b.plane.events, on_note, r);
}

void link_pass_without_control(struct link_rig *r)
{
	worker_enter(r->b.worker);
	worker_leave(r->b.worker);
}

void link_pass(struct link_rig *r)
{
	link_pass_without_control(r);
	control(r);
}

void link_run(struct link_rig *r)
{
	ev_run(r->b.worker->ev, EVRUN_NOWAIT);
	link_pass(r);
}

void link_start(struct link_rig *r)
{
	struct assoc_conf conf = {
		.name = "link", .txq_limit = LINK_TXQ, .proto = ASSOC_M2PA, .t7_ms = LINK_T7_MS};

	memset(r, 0, sizeof(*r));
	rig = r;
	bare_start(&r->b, 0);
	bare_room = UINT32_MAX;
	bare_watch = watch;
	r->b.plane.fn = on_event;
	r->b.plane.user = r;
	r->b.plane.pool = mbuf_pool_new(LINK_BUFFERS, 1024);
	r->a = bare_assoc_with(&r->b, &conf, 16);
	m2pa_reset(r->a);
	link_pass(r);
}

void link_start_in_service(struct link_rig *r)
{
	link_start(r);
	m2pa_open(r->a);
	m2pa_go(r->a);
	link_pass(r);
}

void link_stop(struct link_rig *r)
{
	struct mbuf_pool *pool = r->b.plane.pool;

	worker_sweep(r->b.worker);
	control(r);
	bare_stop(&r->b);
	assert_true(mbuf_pool_free(pool));
}

/* ---- the peer ---- */

static void arrive(struct link_rig *r, struct mbuf *m, uint32_t ppid, uint16_t stream)
{
	bool alone = !r->b.worker->in_pass;

	m->ppid = ppid;
	m->stream = stream;
	m->ssn = 0;
	if (alone)
		worker_enter(r->b.worker);
	assoc_on_message(r->a, m);
	if (alone)
		worker_leave(r->b.worker);
	if (alone)
		control(r);
}

static struct mbuf *buffer(struct link_rig *r)
{
	struct mbuf *m = mbuf_alloc(r->b.worker->pool);

	assert_non_null(m);
	return m;
}

static void write_msu(uint8_t *sio, uint8_t si, unsigned number)
{
	const uint8_t msu[] = {0x80 | si, 1, 2, 3, (uint8_t)(number >> 8), (uint8_t)number};

	memcpy(sio, msu, sizeof(msu));
}

void peer_data(struct link_rig *r, int fsn, int bsn, uint8_t si, unsigned number)
{
	struct mbuf *m = buffer(r);

	write_msu(mbuf_head(m) + M2PA_USER_HEADER, si, number);
	m2pa_user_write(mbuf_head(m) + M2PA_USER_HEADER, 6, 0, (uint32_t)bsn, (uint32_t)fsn);
	m->len = 6 + M2PA_USER_HEADER;
	arrive(r, m, TP_PPID_M2PA, 1);
}

void peer_ack(struct link_rig *r, int fsn, int bsn)
{
	struct mbuf *m = buffer(r);
	struct wr w = wr_over(mbuf_head(m), 64);

	m2pa_empty_write(&w, (uint32_t)bsn, (uint32_t)fsn);
	m->len = wr_len(&w);
	arrive(r, m, TP_PPID_M2PA, 1);
}

void peer_status(struct link_rig *r, uint32_t state, int fsn, int bsn)
{
	struct mbuf *m = buffer(r);
	struct wr w = wr_over(mbuf_head(m), 64);

	m2pa_status_write(&w, state, (uint32_t)bsn, (uint32_t)fsn, 0, 0);
	m->len = wr_len(&w);
	arrive(r, m, TP_PPID_M2PA, 0);
}

void peer_bytes(struct link_rig *r, const char *hex_bytes, uint32_t ppid)
{
	struct mbuf *m = buffer(r);

	m->len = hex(hex_bytes, mbuf_head(m), 256);
	arrive(r, m, ppid, 1);
}

void link_send(struct link_rig *r, unsigned first, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		struct mbuf *m = plane_mbuf(&r->b.plane);

		assert_non_null(m);
		write_msu(mbuf_head(m), 3, first + i);
		m->len = 6;
		assoc_send(r->a, m);
	}
	if (!r->b.worker->in_pass)
		link_pass(r);
}

void link_forward(struct link_rig *r, unsigned number)
{
	struct mbuf *m = buffer(r);

	write_msu(mbuf_head(m), 3, number);
	m->len = 6;
	assoc_enqueue_data(r->a, m);
}

/* ---- what is asked ---- */

void assert_sent(struct link_rig *r, const char *want)
{
	assert_string_equal(r->sent, want);
	r->sent[0] = '\0';
}

void assert_told(struct link_rig *r, const char *want)
{
	assert_string_equal(r->told, want);
	r->told[0] = '\0';
}

uint64_t link_drops(struct link_rig *r, enum drop_reason reason)
{
	struct assoc_stats s;

	assoc_stats(r->a, &s);
	return s.drops[reason];
}
