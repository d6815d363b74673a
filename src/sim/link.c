/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/link.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"

static const double backoff_min_s = 0.1, backoff_max_s = 2;

const char *link_counter_key(enum link_counter c)
{
	static const char *const keys[] = {
#define X(id, key, help) key,
		LINK_COUNTERS(X)
#undef X
	};

	return keys[c];
}

void link_log(struct link *l, const char *format, ...)
{
	char text[256];
	va_list ap;

	if (!l->env->log)
		return;
	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	l->env->log(l->node, l->name, text);
}

void link_touch(struct link *l)
{
	if (l->touched)
		return;
	l->touched = true;
	l->next_touched = l->env->touched;
	l->env->touched = l;
}

/* ---- timers ---- */

void link_arm(struct link *l, struct ev_timer *w, double seconds)
{
	struct ev_loop *loop = l->env->tp->ev;

	ev_timer_stop(loop, w);
	ev_now_update(loop); /* a long pass must not shorten it */
	ev_timer_set(w, seconds, 0);
	ev_timer_start(loop, w);
}

static void arm_ns(struct link *l, struct ev_timer *w, uint64_t ns)
{
	link_arm(l, w, (double)ns * 1e-9);
}

static void stop_timers(struct link *l)
{
	struct ev_loop *loop = l->env->tp->ev;

	ev_timer_stop(loop, &l->t_state);
	ev_timer_stop(loop, &l->t_proving);
	ev_timer_stop(loop, &l->t6);
	ev_timer_stop(loop, &l->t7);
}

static void on_t_state(struct ev_loop *loop, struct ev_timer *w, int revents)
{
	(void)loop;
	(void)revents;
	link_event(w->data, LSC_EV_TIMER);
}

/* While a changeover is to take what the link still holds, it stays as it is. */
static void on_retry(struct ev_loop *loop, struct ev_timer *w, int revents)
{
	struct link *l = w->data;

	(void)loop;
	(void)revents;
	if (l->wanted && !l->up->may_start(l))
		arm_ns(l, &l->t_retry, l->conf->t17_ns);
	else if (l->wanted)
		link_event(l, LSC_EV_RETRY);
}

static void on_t6(struct ev_loop *loop, struct ev_timer *w, int revents)
{
	struct link *l = w->data;

	(void)loop;
	(void)revents;
	l->c[LINK_C_T6]++;
	link_fail(l, "T6 expired");
}

static void on_t7(struct ev_loop *loop, struct ev_timer *w, int revents)
{
	struct link *l = w->data;

	(void)loop;
	(void)revents;
	l->c[LINK_C_T7]++;
	link_fail(l, "T7 expired");
}

static enum m2pa_state proving(const struct link *l)
{
	return l->emergency || l->conf->emergency ? M2PA_PROVING_EMERGENCY : M2PA_PROVING_NORMAL;
}

static void on_proving(struct ev_loop *loop, struct ev_timer *w, int revents)
{
	struct link *l = w->data;

	(void)loop;
	(void)revents;
	link_send_status(l, proving(l), 0);
	arm_ns(l, w, l->conf->proving_ns);
}

/* ---- actions: each returns the event that follows at once, or LSC_EVENTS ---- */

void link_params(const struct link *l, struct tp_params *out)
{
	const struct node_opts *o = l->conf;
	bool one_port = o->server && o->peer_port;

	*out = *l->env->params;
	memcpy(out->local, o->local, sizeof(out->local));
	out->n_local = o->n_local;
	if (o->local_port)
		out->local_port = (uint16_t)(o->local_port + (one_port ? 0 : l->index));
	if (o->n_peer) {
		memcpy(out->remote, o->peer, sizeof(out->remote));
		out->n_remote = o->n_peer;
	}
	out->remote_port = (uint16_t)(o->peer_port + (one_port ? l->index : 0));
	if (o->local_udp_port)
		out->local_udp_port = o->local_udp_port;
	if (o->peer_udp_port)
		out->remote_udp_port = o->peer_udp_port;
	out->out_streams = out->max_in_streams = 2; /* RFC 4165 s.4.1.2 */
}

static enum lsc_event do_connect(struct link *l)
{
	struct tp_params p;
	enum sb_err e;

	if (l->conf->server)
		return LSC_EVENTS; /* the peer will come */
	link_params(l, &p);
	e = l->dead ? SB_EAGAIN : l->env->ops->connect(l->env->tp, &p, l, &l->conn);
	if (e == SB_OK)
		return LSC_EVENTS;
	l->conn = NULL;
	snprintf(l->last_reason, sizeof(l->last_reason), "%s", sb_strerror(e));
	link_log(l, "cannot connect: %s", l->last_reason);
	return LSC_EV_TP_DOWN;
}

static enum lsc_event do_backoff(struct link *l)
{
	double jitter = 0.75 + rng_unit(&l->env->rng) / 2;

	if (l->wanted)
		link_arm(l, &l->t_retry, l->backoff_s * jitter);
	l->backoff_s = l->backoff_s * 2 < backoff_max_s ? l->backoff_s * 2 : backoff_max_s;
	return LSC_EVENTS;
}

static enum lsc_event do_out(struct link *l)
{
	link_send_status(l, M2PA_OUT_OF_SERVICE, 0);
	if (l->wanted)
		arm_ns(l, &l->t_retry, l->conf->t17_ns);
	return LSC_EVENTS;
}

static enum lsc_event do_align(struct link *l)
{
	link_seq_reset(l);
	l->poc = POC_NONE;
	l->aligned_ns = clock_ns();
	link_send_status(l, M2PA_ALIGNMENT, 0);
	arm_ns(l, &l->t_state, l->conf->t2_ns);
	return LSC_EVENTS;
}

/* Emergency at either end makes the proving period short (Q.703 s.7.3). */
static enum lsc_event do_period(struct link *l)
{
	bool is_short = proving(l) == M2PA_PROVING_EMERGENCY;

	link_send_status(l, proving(l), 0);
	arm_ns(l, &l->t_proving, l->conf->proving_ns);
	arm_ns(l, &l->t_state, is_short ? l->conf->t4e_ns : l->conf->t4n_ns);
	return LSC_EVENTS;
}

static enum lsc_event do_serve(struct link *l)
{
	stop_timers(l);
	l->c[LINK_C_IN_SERVICE]++;
	l->service_ns = clock_ns();
	link_touch(l);
	return LSC_EVENTS;
}

/* A server that waits has nothing to end. */
static enum lsc_event do_end(struct link *l, bool abort)
{
	if (!l->conn)
		return LSC_EV_TP_DOWN;
	if (abort)
		l->env->ops->abort(l->conn, "operator");
	else
		l->env->ops->shutdown(l->conn);
	return LSC_EVENTS;
}

static enum lsc_event act(struct link *l, enum lsc_action action)
{
	switch (action) {
	case LSC_DO_NOTHING: break;
	case LSC_DO_CONNECT: return do_connect(l);
	case LSC_DO_OUT: return do_out(l);
	case LSC_DO_ALIGN: return do_align(l);
	case LSC_DO_PROVE:
		ev_timer_stop(l->env->tp->ev, &l->t_proving);
		link_send_status(l, proving(l), 0);
		arm_ns(l, &l->t_state, l->conf->t3_ns);
		break;
	case LSC_DO_PERIOD: return do_period(l);
	case LSC_DO_READY:
	case LSC_DO_READY_SERVE:
		ev_timer_stop(l->env->tp->ev, &l->t_proving);
		link_send_status(l, M2PA_READY, 0);
		if (action == LSC_DO_READY_SERVE)
			return do_serve(l);
		arm_ns(l, &l->t_state, l->conf->t1_ns);
		break;
	case LSC_DO_SERVE: return do_serve(l);
	case LSC_DO_SHUTDOWN: return do_end(l, false);
	case LSC_DO_ABORT: return do_end(l, true);
	case LSC_DO_BACKOFF: return do_backoff(l);
	case LSC_ACTIONS: break;
	}
	return LSC_EVENTS;
}

static bool has_state_timer(enum lsc_state s)
{
	return s >= LSC_UNALIGNED && s <= LSC_READY;
}

/* Level 3 hears of a change when it is complete, and no event is on its way: it may cause others. */
void link_event(struct link *l, enum lsc_event ev)
{
	bool was = link_in_service(l);

	while (ev != LSC_EVENTS) {
		struct lsc_cell c = lsc_transition(l->state, ev);

		if (c.next != l->state)
			link_log(l, "%s -> %s (%s)", lsc_state_name(l->state), lsc_state_name(c.next),
				lsc_event_name(ev));
		l->state = c.next;
		if (!has_state_timer(c.next))
			stop_timers(l);
		ev = act(l, c.action);
	}
	if (was == link_in_service(l))
		return;
	l->c[LINK_C_FAILURES] += was && l->wanted;
	l->up->changed(l);
}

void link_activate(struct link *l)
{
	l->wanted = true;
	l->backoff_s = backoff_min_s;
	if (l->up->may_start(l))
		link_event(l, LSC_EV_START);
	else
		arm_ns(l, &l->t_retry, l->conf->t17_ns);
}

void link_deactivate(struct link *l)
{
	l->wanted = false;
	ev_timer_stop(l->env->tp->ev, &l->t_retry);
	link_event(l, LSC_EV_STOP);
}

void link_leave(struct link *l, bool abort)
{
	l->wanted = false;
	ev_timer_stop(l->env->tp->ev, &l->t_retry);
	link_event(l, abort ? LSC_EV_ABORT : LSC_EV_SHUTDOWN);
}

void link_fail(struct link *l, const char *why)
{
	link_log(l, "%s", why);
	link_event(l, LSC_EV_FAIL);
}

/* ---- processor outage, congestion ---- */

/* As long as traffic has not been diverted, what is on its way is still in order. */
static bool diverted(const struct link *l, uint64_t since_ns)
{
	return clock_ns() - since_ns >= l->conf->co_t1_ns;
}

static void poc_act(struct link *l, enum poc_action a, uint32_t bsn)
{
	switch (a) {
	case POC_DO_NOTHING:
	case POC_ACTIONS: return;
	case POC_DO_OUTAGE:
		l->outage_ns = clock_ns();
		link_send_status(l, M2PA_PROCESSOR_OUTAGE, 1);
		return;
	case POC_DO_RECOVER:
		link_seq_release(l, diverted(l, l->outage_ns));
		link_send_status(l, M2PA_PROCESSOR_RECOVERED, 1);
		return;
	case POC_DO_ANSWER: link_seq_resync(l, bsn, diverted(l, l->outage_ns)); /* fall through */
	case POC_DO_READY: link_send_status(l, M2PA_READY, 1); return;
	case POC_DO_RESUME: link_seq_resync(l, bsn, diverted(l, l->peer_outage_ns)); return;
	}
}

void link_poc(struct link *l, enum poc_event e, uint32_t bsn)
{
	struct lsc_cell c = poc_transition(l->poc, e);
	bool changed = c.next != l->poc;

	if (changed)
		link_log(l, "processor outage: %s -> %s", poc_state_name(l->poc), poc_state_name(c.next));
	l->poc = c.next;
	if (changed && e == POC_EV_PEER_OUTAGE)
		l->peer_outage_ns = clock_ns();
	poc_act(l, c.action, bsn);
	link_touch(l);
	if (changed)
		l->up->outage(l);
}

void link_outage(struct link *l, bool begin)
{
	if (link_in_service(l))
		link_poc(l, begin ? POC_EV_BEGIN : POC_EV_END, 0);
}

void link_busy(struct link *l, bool begin)
{
	if (!link_in_service(l) || l->busy == begin)
		return;
	l->busy = begin;
	link_send_status(l, begin ? M2PA_BUSY : M2PA_BUSY_ENDED, 0);
	if (!begin && !l->mute)
		l->ack_due = l->told != l->got;
	link_touch(l);
}

/* ---- transport ---- */

static void over(struct link *l, const struct tp_event *e)
{
	mbufq_purge(&l->txq, l->env->tp->pool);
	l->dead = l->conn;
	l->conn = NULL;
	l->blocked = false;
	memcpy(l->last_reason, e->reason, sizeof(l->last_reason));
	l->last_reason[sizeof(l->last_reason) - 1] = 0;
	link_log(l, "association down: %s", l->last_reason);
	link_touch(l); /* release() is not allowed inside an upcall */
	link_event(l, LSC_EV_TP_DOWN);
}

static void on_event(void *user, const struct tp_event *e)
{
	struct link *l = user;

	switch (e->kind) {
	case TP_UP:
	case TP_RESTART:
		l->c[LINK_C_UPS]++;
		l->backoff_s = backoff_min_s;
		link_event(l, e->kind == TP_UP ? LSC_EV_TP_UP : LSC_EV_TP_RESTART);
		break;
	case TP_DOWN: over(l, e); break;
	case TP_WRITABLE:
		l->blocked = false;
		link_touch(l);
		break;
	case TP_SEND_FAILED: l->c[LINK_C_SEND_FAILED] += e->count; break;
	case TP_PEER_SHUTDOWN: link_log(l, "the peer shuts the association down"); break;
	case TP_PATH: break;
	}
}

static void on_message(void *user, struct mbuf *m)
{
	struct link *l = user;

	link_receive(l, m);
	mbuf_free(l->env->tp->pool, m);
}

static void on_refused(void *user, uint32_t len, bool too_long)
{
	struct link *l = user;

	l->c[LINK_C_MALFORMED]++;
	link_log(l, "a message of %u bytes was refused: %s", len, too_long ? "too long" : "no buffer");
}

const struct tp_upcalls link_tp_upcalls = {.message = on_message, .event = on_event, .refused = on_refused};

unsigned link_score(const struct link *l, const struct tp_incoming *in)
{
	struct tp_params p;

	link_params(l, &p);
	return !l->wanted || l->conn || l->dead || (p.local_port && p.local_port != in->local_port)
		       ? 0
		       : tp_incoming_score(&p, in);
}

bool link_adopt(struct link *l, struct tp_incoming *in)
{
	struct tp_params p;

	link_params(l, &p);
	if (l->env->ops->adopt(l->env->tp, in, &p, l, &l->conn) == SB_OK)
		return true;
	l->conn = NULL;
	return false;
}

static void pass(struct link *l)
{
	if (l->dead) {
		l->env->ops->release(l->dead);
		l->dead = NULL;
	}
	link_seq_pass(l);
	if (l->conn && l->txq.n && !l->blocked) {
		l->env->ops->transmit(l->conn, &l->txq);
		l->blocked = l->txq.n != 0;
	}
}

void link_pass(struct link_env *env)
{
	struct link *l;

	while ((l = env->touched)) {
		env->touched = l->next_touched;
		l->touched = false;
		pass(l);
	}
}

void link_init(struct link *l, struct link_env *env, const struct link_upcalls *up, struct node *n,
	const struct node_opts *conf, unsigned index)
{
	*l = (struct link){.user = {&link_tp_upcalls},
		.env = env,
		.up = up,
		.node = n,
		.conf = conf,
		.index = index,
		.slc = (uint8_t)(conf->slc + index),
		.state = LSC_OFF,
		.backoff_s = backoff_min_s};
	snprintf(l->name, sizeof(l->name), "%s.%u", conf->name, index);
	mbufq_init(&l->txq);
	mbufq_init(&l->retained);
	mbufq_init(&l->waiting);
	mbufq_init(&l->held);
	ev_init(&l->t_state, on_t_state);
	ev_init(&l->t_proving, on_proving);
	ev_init(&l->t_retry, on_retry);
	ev_init(&l->t6, on_t6);
	ev_init(&l->t7, on_t7);
	l->t_state.data = l->t_proving.data = l->t_retry.data = l->t6.data = l->t7.data = l;
	link_seq_reset(l);
}

void link_fini(struct link *l)
{
	assert(!l->conn && !l->dead);
	stop_timers(l);
	ev_timer_stop(l->env->tp->ev, &l->t_retry);
	link_seq_reset(l);
	mbufq_purge(&l->txq, l->env->tp->pool);
}
