/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/asp.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "sim/serve.h"

static const double backoff_min_s = 0.1, backoff_max_s = 5;

const char *asp_counter_key(enum asp_counter c)
{
	static const char *const keys[] = {
#define X(id, key, help) key,
		ASP_COUNTERS(X)
#undef X
	};

	return keys[c];
}

void asp_log(struct asp *a, const char *format, ...)
{
	char text[512];
	va_list ap;

	if (!a->env->up->log)
		return;
	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	a->env->up->log(a, text);
}

static void touch(struct asp *a)
{
	if (a->touched)
		return;
	a->touched = true;
	a->next_touched = a->env->touched;
	a->env->touched = a;
}

/* ---- timers ---- */

static void on_t_ack(struct ev_loop *loop, struct ev_timer *w, int revents)
{
	struct asp *a = w->data;

	(void)loop;
	(void)revents;
	a->c[ASP_C_TIMEOUTS]++;
	asp_event(a, ASP_EV_T_ACK);
}

static void on_retry(struct ev_loop *loop, struct ev_timer *w, int revents)
{
	(void)loop;
	(void)revents;
	asp_event(w->data, ASP_EV_RETRY);
}

static void on_beat(struct ev_loop *loop, struct ev_timer *w, int revents)
{
	(void)loop;
	(void)revents;
	asp_send_beat(w->data);
}

static void arm(struct asp *a, struct ev_timer *w, double seconds)
{
	struct ev_loop *loop = a->env->tp->ev;

	ev_timer_stop(loop, w);
	ev_now_update(loop); /* a long pass must not shorten it */
	ev_timer_set(w, seconds, 0);
	ev_timer_start(loop, w);
}

/* ---- actions: each returns the event that follows at once, or ASP_EVENTS ---- */

static struct tp_params params_of(const struct asp *a)
{
	struct tp_params p = *a->env->params;

	for (unsigned i = 0; i < a->conf->n_local; i++)
		p.local[i] = a->conf->local[i];
	p.n_local = a->conf->n_local;
	if (a->conf->n_gateways) {
		p.remote[0] = a->conf->gateway[a->index % a->conf->n_gateways];
		p.n_remote = 1;
	}
	if (a->conf->local_port)
		p.local_port = (uint16_t)(a->conf->local_port + a->index);
	return p;
}

/* A server listens from the first time on, and takes a peer only while it waits for one. */
static enum sb_err do_listen(struct asp *a)
{
	struct tp_params p = params_of(a);

	if (a->listener)
		return SB_OK;
	p.n_remote = 0;
	p.remote_port = p.remote_udp_port = 0;
	return a->env->ops->listen(a->env->tp, &p, a, &a->listener);
}

static enum asp_event do_connect(struct asp *a)
{
	struct tp_params p = params_of(a);
	enum sb_err e = SB_EAGAIN;

	if (!a->dead)
		e = a->conf->server ? do_listen(a) : a->env->ops->connect(a->env->tp, &p, a, &a->conn);
	if (e == SB_OK)
		return ASP_EVENTS;
	a->conn = NULL;
	snprintf(a->last_reason, sizeof(a->last_reason), "%s", sb_strerror(e));
	asp_log(a, "cannot connect: %s", a->last_reason);
	return ASP_EV_TP_DOWN;
}

/* The request and T(ack), whose expiry also covers that there was no buffer for it. */
static enum asp_event do_request(struct asp *a, enum m3ua_type type)
{
	asp_send_request(a, type);
	arm(a, &a->t_ack, (double)a->env->t_ack_ns * 1e-9);
	return ASP_EVENTS;
}

static enum asp_event do_backoff(struct asp *a)
{
	double jitter = 0.75 + rng_unit(&a->env->rng) / 2;

	if (a->goal != ASP_GOAL_OFF)
		arm(a, &a->t_retry, a->backoff_s * jitter);
	a->backoff_s = a->backoff_s * 2 < backoff_max_s ? a->backoff_s * 2 : backoff_max_s;
	return ASP_EVENTS;
}

/* A server that nobody has come to is down at once. */
static enum asp_event do_abort(struct asp *a)
{
	if (!a->conn)
		return ASP_EV_TP_DOWN;
	a->env->ops->abort(a->conn, "operator");
	return ASP_EVENTS;
}

static enum asp_event act(struct asp *a, enum asp_action action)
{
	switch (action) {
	case ASP_DO_CONNECT: return do_connect(a);
	case ASP_DO_ASPUP: return do_request(a, M3UA_ASPUP);
	case ASP_DO_ASPAC: return do_request(a, M3UA_ASPAC);
	case ASP_DO_ASPIA: return do_request(a, M3UA_ASPIA);
	case ASP_DO_ASPDN: return do_request(a, M3UA_ASPDN);
	case ASP_DO_BACKOFF: return do_backoff(a);
	case ASP_DO_SHUTDOWN: a->env->ops->shutdown(a->conn); break;
	case ASP_DO_ABORT: return do_abort(a);
	case ASP_DO_SAY_INACTIVE: serve_say(a, M3UA_ASPIA_ACK); return ASP_EV_GOAL;
	case ASP_DO_SAY_DOWN: serve_say(a, M3UA_ASPDN_ACK); return ASP_EV_GOAL;
	case ASP_DO_PROTEST: asp_send_error(a, M3UA_E_UNEXPECTED); break;
	case ASP_DO_YIELD: a->goal = ASP_GOAL_INACTIVE; break;
	case ASP_DO_NOTHING:
	case ASP_DO_ADVANCE:
	case ASP_ACTIONS: break;
	}
	return ASP_EVENTS;
}

void asp_enter(struct asp *a, enum asp_state next, const char *why)
{
	if (next == a->state)
		return;
	asp_log(a, "%s -> %s (%s)", asp_state_name(a->state), asp_state_name(next), why);
	ev_timer_stop(a->env->tp->ev, &a->t_ack);
	a->state = next;
	if (next == ASP_DOWN || next == ASP_OFF) /* s.4.3.4.2 */
		a->registered = false;
	if (next == ASP_INACTIVE || next == ASP_ACTIVE)
		a->backoff_s = backoff_min_s;
	a->env->up->changed(a);
}

static struct asp_cell step(const struct asp *a)
{
	return a->conf->role == ASP_ROLE_SGP ? serve_step(a->state, a->goal) : asp_step(a->state, a->goal);
}

bool asp_may_send(const struct asp *a)
{
	return (a->conf->role == ASP_ROLE_IPSP_DE ? a->peer : a->state) == ASP_ACTIVE;
}

bool asp_settled(const struct asp *a)
{
	if (a->goal == ASP_GOAL_INACTIVE) /* an SGP that stands by need not be asked */
		return a->state == ASP_INACTIVE || (a->conf->role == ASP_ROLE_SGP && a->state == ASP_DOWN);
	return a->goal == ASP_GOAL_ACTIVE && a->state == ASP_ACTIVE && asp_may_send(a);
}

void asp_event(struct asp *a, enum asp_event ev)
{
	while (ev != ASP_EVENTS) {
		struct asp_cell cell = asp_transition(a->state, ev);
		enum asp_event follows;

		asp_enter(a, cell.next, asp_event_name(ev));
		follows = act(a, cell.action);
		if (cell.action == ASP_DO_ADVANCE || cell.action == ASP_DO_PROTEST) {
			cell = step(a);
			asp_enter(a, cell.next, "next step");
			follows = act(a, cell.action);
		}
		ev = follows;
	}
}

void asp_want(struct asp *a, enum asp_goal goal)
{
	a->goal = goal;
	if (goal == ASP_GOAL_OFF)
		ev_timer_stop(a->env->tp->ev, &a->t_retry);
	asp_event(a, ASP_EV_GOAL);
}

/* ---- transport ---- */

static void over(struct asp *a, const struct tp_event *e)
{
	a->c[ASP_C_PURGED] += a->txq.n;
	mbufq_purge(&a->txq, a->env->tp->pool);
	ev_timer_stop(a->env->tp->ev, &a->t_beat);
	a->dead = a->conn;
	a->conn = NULL;
	a->stalled = a->blocked = false;
	memcpy(a->last_reason, e->reason, sizeof(a->last_reason));
	a->last_reason[sizeof(a->last_reason) - 1] = 0;
	asp_log(a, "association down: %s", a->last_reason);
	serve_reset(a);
	touch(a); /* release() is not allowed inside an upcall */
	asp_event(a, ASP_EV_TP_DOWN);
}

static void up(struct asp *a, const struct tp_event *e)
{
	a->in_streams = e->in_streams;
	a->out_streams = e->out_streams;
	a->c[ASP_C_UPS]++;
	if (a->conf->beat_ns) {
		ev_timer_set(&a->t_beat, (double)a->conf->beat_ns * 1e-9, (double)a->conf->beat_ns * 1e-9);
		ev_timer_start(a->env->tp->ev, &a->t_beat);
	}
	serve_reset(a);
	asp_event(a, e->kind == TP_UP ? ASP_EV_TP_UP : ASP_EV_TP_RESTART);
}

static void on_event(void *user, const struct tp_event *e)
{
	struct asp *a = user;
	char addr[TP_ADDR_STR];

	switch (e->kind) {
	case TP_UP:
	case TP_RESTART: up(a, e); break;
	case TP_DOWN: over(a, e); break;
	case TP_PATH:
		asp_log(a, "path to %s %s", tp_addr_str(&e->addr, addr, sizeof(addr)),
			e->reachable ? "up" : "down");
		break;
	case TP_WRITABLE:
		a->blocked = false;
		touch(a);
		break;
	case TP_SEND_FAILED: a->c[ASP_C_SEND_FAILED] += e->count; break;
	case TP_PEER_SHUTDOWN: asp_log(a, "the peer shuts the association down"); break;
	}
}

static void on_message(void *user, struct mbuf *m)
{
	struct asp *a = user;

	asp_receive(a, m);
	mbuf_free(a->env->tp->pool, m);
}

static void on_refused(void *user, uint32_t len, bool too_long)
{
	struct asp *a = user;

	a->c[ASP_C_MALFORMED]++;
	asp_log(a, "a message of %u bytes was refused: %s", len, too_long ? "too long" : "no buffer");
}

static void on_incoming(void *user, struct tp_incoming *in)
{
	struct asp *a = user;
	struct tp_params p = params_of(a);

	if (a->state != ASP_CONNECTING || a->conn || a->dead)
		a->env->ops->reject(in);
	else if (a->env->ops->adopt(a->env->tp, in, &p, a, &a->conn) != SB_OK)
		a->conn = NULL; /* the peer will come again */
}

static bool on_permit(void *user, const union tp_addr *from)
{
	(void)user;
	(void)from;
	return true;
}

const struct tp_upcalls asp_tp_upcalls = {.message = on_message,
	.event = on_event,
	.refused = on_refused,
	.incoming = on_incoming,
	.permit = on_permit};

uint16_t asp_stream(const struct asp *a, uint32_t hash)
{
	return a->out_streams > 1 ? (uint16_t)(1 + hash % (a->out_streams - 1u)) : 0;
}

void asp_queue(struct asp *a, struct mbuf *m)
{
	mbufq_push(&a->txq, m);
	touch(a);
}

bool asp_stall(struct asp *a, bool stalled)
{
	if (!a->conn || !a->env->ops->hold)
		return false;
	a->env->ops->hold(a->conn, stalled);
	a->stalled = stalled;
	return true;
}

static void pass(struct asp *a)
{
	if (a->dead) {
		a->env->ops->release(a->dead);
		a->dead = NULL;
	}
	if (a->conn && a->txq.n && !a->blocked) {
		a->env->ops->transmit(a->conn, &a->txq);
		a->blocked = a->txq.n != 0;
	}
}

void asp_pass(struct asp_env *env)
{
	struct asp *a;

	while ((a = env->touched)) {
		env->touched = a->next_touched;
		a->touched = false;
		pass(a);
	}
}

void asp_init(struct asp *a, struct asp_env *env, struct as *as, const struct as_opts *conf, unsigned index)
{
	*a = (struct asp){.user = {&asp_tp_upcalls},
		.env = env,
		.as = as,
		.conf = conf,
		.index = index,
		.state = ASP_OFF,
		.peer = ASP_OFF,
		.has_rc = conf->has_rc && !conf->registers,
		.rc = conf->rc,
		.backoff_s = backoff_min_s};
	snprintf(a->name, sizeof(a->name), "%s-%u", conf->name, index + 1);
	mbufq_init(&a->txq);
	ev_init(&a->t_ack, on_t_ack);
	ev_init(&a->t_retry, on_retry);
	ev_init(&a->t_beat, on_beat);
	a->t_ack.data = a->t_retry.data = a->t_beat.data = a;
}

void asp_fini(struct asp *a)
{
	struct ev_loop *loop = a->env->tp->ev;

	assert(!a->conn && !a->dead);
	if (a->listener)
		a->env->ops->unlisten(a->listener);
	ev_timer_stop(loop, &a->t_ack);
	ev_timer_stop(loop, &a->t_retry);
	ev_timer_stop(loop, &a->t_beat);
	mbufq_purge(&a->txq, a->env->tp->pool);
}
