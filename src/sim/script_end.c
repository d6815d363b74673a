/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/script_end.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "sim/script_int.h"

void end_trace(struct end_env *env, const char *format, ...)
{
	char *line = env->trace[env->n_trace++ % TRACE_LINES];
	int at = snprintf(line, TRACE_LINE, "%8.3f ", (double)(clock_ns() - env->start_ns) * 1e-9);
	va_list ap;

	va_start(ap, format);
	vsnprintf(line + at, (size_t)(TRACE_LINE - at), format, ap);
	va_end(ap);
	if (env->verbose)
		fprintf(stderr, "%s\n", line);
}

/* ---- what has arrived ---- */

static struct end_item *put(struct end *e, enum end_item_kind kind, const uint8_t *bytes, uint32_t len)
{
	struct end_item *it = calloc(1, sizeof(*it));

	if (!it || (len && !(it->bytes = malloc(len))))
		abort(); /* a test tool that has no memory has no result either */
	if (len)
		memcpy(it->bytes, bytes, len);
	it->kind = kind;
	it->len = len;
	it->rx_ns = clock_ns();
	*e->last = it;
	e->last = &it->next;
	return it;
}

void end_drop(struct end *e)
{
	struct end_item *it = e->first;

	e->first = it->next;
	if (!e->first)
		e->last = &e->first;
	free(it->bytes);
	free(it);
}

static bool ignored(const struct end *e, const uint8_t *bytes, uint32_t len)
{
	uint16_t type = len >= M3UA_HEADER ? (uint16_t)(bytes[2] << 8 | bytes[3]) : 0;

	if (script_is_m2pa(bytes, len))
		type = script_m2pa_type_of(e->env->script, bytes, len);

	for (unsigned i = 0; i < e->n_ignored; i++)
		if (e->ignored[i] == type && len >= M3UA_HEADER)
			return true;
	return false;
}

void end_ignore(struct end *e, const uint16_t *types, unsigned n)
{
	struct end_item *it = e->first, *next;

	e->ignored = types;
	e->n_ignored = n;
	e->first = NULL;
	e->last = &e->first;
	for (; it; it = next) {
		next = it->next;
		it->next = NULL;
		if (it->kind == END_MESSAGE && ignored(e, it->bytes, it->len)) {
			free(it->bytes);
			free(it);
			continue;
		}
		*e->last = it;
		e->last = &it->next;
	}
}

/* ---- sending ---- */

static void flush(struct end *e)
{
	if (e->conn && e->txq.n)
		e->env->ops->transmit(e->conn, &e->txq);
}

static void describe(const struct end *e, const uint8_t *bytes, uint32_t len, char *text, uint32_t size)
{
	if (script_is_m2pa(bytes, len))
		script_m2pa_text(e->env->script, bytes, len, text, size);
	else
		m3ua_dump(bytes, len, text, size);
}

static void queue(struct end *e, struct mbuf *m, uint16_t stream, uint32_t ppid)
{
	char text[200];

	m->stream = stream;
	m->ppid = ppid;
	describe(e, mbuf_head(m), m->len, text, sizeof(text));
	end_trace(e->env, "%s > [%u] %s", e->conf->name, stream, text);
	mbufq_push(&e->txq, m);
	flush(e);
}

/* Where the script does not say it: stream 0 is not for DATA, if there is another (RFC 4666 s.1.4.7). */
static uint16_t stream_for(const struct end *e, const struct script_message *msg)
{
	if (msg->has_stream)
		return (uint16_t)value_of(e->env->script, &msg->stream);
	if (msg->m2pa)
		return e->out_streams > 1 && script_m2pa_stream(e->env->script, msg->m2pa);
	return msg->has_type && msg->type == M3UA_DATA && e->out_streams > 1;
}

static uint32_t ppid_for(const struct script_message *msg)
{
	return msg->ppid >= 0 ? (uint32_t)msg->ppid : msg->m2pa ? TP_PPID_M2PA : TP_PPID_M3UA;
}

const char *end_send(struct end *e, const struct script_message *msg)
{
	static char err[SCRIPT_ERR];
	struct mbuf *m;
	uint8_t *copy;

	if (!e->up)
		return "there is no association";
	m = mbuf_alloc(e->env->tp.pool);
	if (!m)
		return "no buffer";
	m->len = msg->m2pa ? script_m2pa_build(
				     e->env->script, msg, &e->m2pa, mbuf_head(m), mbuf_tailroom(m), err)
			   : script_build(e->env->script, msg, mbuf_head(m), mbuf_tailroom(m), err);
	copy = m->len ? realloc(e->sent.p, m->len) : NULL;
	if (!copy) {
		mbuf_free(e->env->tp.pool, m);
		return err[0] ? err : "no memory";
	}
	memcpy(copy, mbuf_head(m), m->len);
	e->sent = (struct script_bytes){copy, m->len};
	queue(e, m, stream_for(e, msg), ppid_for(msg));
	return NULL;
}

/* The same message as BEAT ACK (RFC 4666 s.3.5.6). */
static bool answered_beat(struct end *e, const struct mbuf *m, const uint8_t *bytes)
{
	struct mbuf *ack;

	if (!e->auto_beat || m->len < M3UA_HEADER || bytes[2] != M3UA_ASPSM || bytes[3] != (M3UA_BEAT & 0xff))
		return false;
	ack = mbuf_alloc(e->env->tp.pool);
	if (!ack)
		return false;
	memcpy(mbuf_head(ack), bytes, m->len);
	ack->len = m->len;
	mbuf_head(ack)[3] = M3UA_BEAT_ACK & 0xff;
	queue(e, ack, m->stream, TP_PPID_M3UA);
	return true;
}

/* Not if an answer goes out that carries the acknowledgement. */
static void acknowledge(struct end *e)
{
	struct mbuf *ack = mbuf_alloc(e->env->tp.pool);

	if (!ack)
		return;
	ack->len = script_m2pa_acknowledge(&e->m2pa, mbuf_head(ack), mbuf_tailroom(ack));
	queue(e, ack, e->out_streams > 1, TP_PPID_M2PA);
}

static bool answered_test(struct end *e, const struct mbuf *m, const uint8_t *bytes)
{
	struct mbuf *answer = e->auto_slt ? mbuf_alloc(e->env->tp.pool) : NULL;
	bool done;

	if (!answer)
		return false;
	answer->len = script_m2pa_answer_test(
		e->env->script, bytes, m->len, &e->m2pa, mbuf_head(answer), mbuf_tailroom(answer));
	done = answer->len > 0;
	if (done)
		queue(e, answer, e->out_streams > 1, TP_PPID_M2PA);
	else
		mbuf_free(e->env->tp.pool, answer);
	return done;
}

/* ---- upcalls ---- */

static void on_message(void *user, struct mbuf *m)
{
	struct end *e = user;
	const uint8_t *bytes = mbuf_head(m);
	struct end_item *it;
	bool next, answered;
	char text[200];

	describe(e, bytes, m->len, text, sizeof(text));
	end_trace(e->env, "%s < [%u] %s", e->conf->name, m->stream, text);
	next = script_is_m2pa(bytes, m->len) && script_m2pa_heard(&e->m2pa, bytes, m->len);
	answered = answered_beat(e, m, bytes) || answered_test(e, m, bytes);
	if (next && e->auto_ack && !answered)
		acknowledge(e);
	if (!ignored(e, bytes, m->len) && !answered) {
		it = put(e, END_MESSAGE, bytes, m->len);
		it->stream = m->stream;
		it->rx_ns = m->rx_ns;
		snprintf(it->text, sizeof(it->text), "%s", text);
	}
	mbuf_free(e->env->tp.pool, m);
}

static void on_event(void *user, const struct tp_event *ev)
{
	struct end *e = user;
	struct end_item *it;

	switch (ev->kind) {
	case TP_UP:
	case TP_RESTART:
		e->up = true;
		e->out_streams = ev->out_streams;
		e->m2pa = (struct script_m2pa_seq){M2PA_SEQ_START, M2PA_SEQ_START};
		it = put(e, ev->kind == TP_UP ? END_UP : END_RESTART, NULL, 0);
		snprintf(it->text, sizeof(it->text), "association %s, %u streams in, %u out",
			ev->kind == TP_UP ? "up" : "restarted", ev->in_streams, ev->out_streams);
		end_trace(e->env, "%s   %s", e->conf->name, it->text);
		break;
	case TP_DOWN:
		e->up = false;
		e->dead = e->conn;
		e->conn = NULL;
		mbufq_purge(&e->txq, e->env->tp.pool);
		it = put(e, END_DOWN, NULL, 0);
		snprintf(it->text, sizeof(it->text), "association down: %.*s", TP_REASON, ev->reason);
		end_trace(e->env, "%s   %s", e->conf->name, it->text);
		break;
	case TP_WRITABLE: flush(e); break;
	case TP_PATH:
	case TP_SEND_FAILED:
	case TP_PEER_SHUTDOWN: break;
	}
}

static struct tp_params params_of(const struct end *e)
{
	struct tp_params p = *e->env->params;

	p.local_port = (uint16_t)value_of(e->env->script, &e->conf->port);
	return p;
}

/* A peer at the listener becomes the endpoint's association, if it has none. */
static void on_incoming(void *user, struct tp_incoming *in)
{
	struct end *e = user;
	struct tp_params p = params_of(e);

	if (e->conn || e->dead || e->env->ops->adopt(&e->env->tp, in, &p, e, &e->conn) != SB_OK) {
		end_trace(e->env, "%s   a peer was refused", e->conf->name);
		if (e->conn || e->dead)
			e->env->ops->reject(in);
	}
}

static bool on_permit(void *user, const union tp_addr *from)
{
	(void)user;
	(void)from;
	return true;
}

static void on_refused(void *user, uint32_t len, bool too_long)
{
	struct end *e = user;
	struct end_item *it = put(e, END_REFUSED, NULL, 0);

	snprintf(it->text, sizeof(it->text), "a message of %u octets that %s", len,
		too_long ? "is longer than --max-message" : "found no buffer");
}

const struct tp_upcalls end_upcalls = {.message = on_message,
	.event = on_event,
	.incoming = on_incoming,
	.permit = on_permit,
	.refused = on_refused};

/* ---- steps ---- */

const char *end_connect(struct end *e)
{
	struct tp_params p = params_of(e);
	enum sb_err err;

	end_pass(e);
	if (e->conn)
		return "there is an association already";
	if (!p.n_remote)
		return "connect needs --gateway";
	err = e->env->ops->connect(&e->env->tp, &p, e, &e->conn);
	return err == SB_OK ? NULL : sb_strerror(err);
}

const char *end_listen(struct end *e)
{
	struct tp_params p = params_of(e);
	enum sb_err err;

	if (e->listener)
		return "it listens already";
	p.n_remote = 0;
	p.remote_port = p.remote_udp_port = 0;
	err = e->env->ops->listen(&e->env->tp, &p, e, &e->listener);
	return err == SB_OK ? NULL : sb_strerror(err);
}

const char *end_unlisten(struct end *e)
{
	if (!e->listener)
		return "it does not listen";
	e->env->ops->unlisten(e->listener);
	e->listener = NULL;
	return NULL;
}

const char *end_close(struct end *e)
{
	if (!e->up)
		return "there is no association";
	e->env->ops->shutdown(e->conn);
	return NULL;
}

const char *end_abort(struct end *e)
{
	if (!e->conn)
		return "there is no association";
	e->env->ops->abort(e->conn, "script");
	return NULL;
}

const char *end_stall(struct end *e, bool stalled)
{
	if (!e->up || !e->env->ops->hold)
		return "there is no association, or the transport cannot stop reading";
	e->env->ops->hold(e->conn, stalled);
	return NULL;
}

void end_pass(struct end *e)
{
	if (!e->dead)
		return;
	e->env->ops->release(e->dead);
	e->dead = NULL;
}

void end_init(struct end *e, struct end_env *env, const struct script_endpoint *conf)
{
	*e = (struct end){.env = env, .conf = conf};
	e->last = &e->first;
	mbufq_init(&e->txq);
}

void end_fini(struct end *e)
{
	end_pass(e);
	if (e->listener)
		end_unlisten(e);
	while (e->first)
		end_drop(e);
	mbufq_purge(&e->txq, e->env->tp.pool);
	free(e->sent.p);
}
