/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/sim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "sim/progress.h"
#include "sim/report.h"

void sim_totals(const struct sim *s, struct sim_totals *out)
{
	*out = (struct sim_totals){.corrupted = s->corrupted};
	for (unsigned i = 0; i < s->o->n_flows; i++) {
		const struct flow *f = &s->flows[i];

		out->sent += f->sent;
		out->received += f->unique;
		out->lost += flow_lost(f);
		out->repeated += f->repeated;
		out->late += f->late;
		out->stale += f->stale;
		out->corrupted += f->corrupted;
		out->mislabelled += f->mislabelled;
		out->unsent += s->end_ns ? flow_unsent(f, s->end_ns) : 0;
		out->in_flight += flow_receives(f) && flow_sends(f) ? flow_in_flight(f) : 0;
	}
}

/* ---- the loop ---- */

/* The alarm is set anew only if it moves: rate-limited flows ask for another time on every pass, but a pass
 * that was made for a received message usually changes nothing. */
static void set_alarm(struct sim *s, uint64_t wake_ns)
{
	struct itimerspec t = {.it_value = {.tv_sec = (time_t)(wake_ns / 1000000000u),
				       .tv_nsec = (long)(wake_ns % 1000000000u)}};

	if (wake_ns == s->alarm_ns)
		return;
	s->alarm_ns = wake_ns;
	if (wake_ns == UINT64_MAX)
		memset(&t, 0, sizeof(t));
	timerfd_settime(s->alarm.fd, TFD_TIMER_ABSTIME, &t, NULL);
}

/* Before the loop blocks: the phase's work, then everything that it and the upcalls left to send. */
static void on_pass(struct ev_loop *loop, struct ev_prepare *w, int revents)
{
	struct sim *s = w->data;
	uint64_t wake_ns = UINT64_MAX;
	bool again = sim_step(s, clock_ns(), &wake_ns);

	(void)revents;
	asp_pass(&s->env);
	link_pass(&s->link_env);
	if (again)
		ev_idle_start(loop, &s->busy);
	else
		ev_idle_stop(loop, &s->busy);
	set_alarm(s, wake_ns);
}

static void on_busy(struct ev_loop *loop, struct ev_idle *w, int revents)
{
	(void)loop;
	(void)w;
	(void)revents;
}

static void on_alarm(struct ev_loop *loop, struct ev_io *w, int revents)
{
	struct sim *s = w->data;
	uint64_t n;

	(void)loop;
	(void)revents;
	if (read(w->fd, &n, sizeof(n)) == sizeof(n))
		s->alarm_ns = UINT64_MAX; /* it has fired: it must be set again, even to the same time */
}

static void on_second(struct ev_loop *loop, struct ev_timer *w, int revents)
{
	(void)loop;
	(void)revents;
	progress_show(w->data);
}

static void on_signal(struct ev_loop *loop, struct ev_signal *w, int revents)
{
	(void)loop;
	(void)revents;
	sim_interrupt(w->data);
}

static bool watchers_start(struct sim *s)
{
	int fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);

	if (fd < 0)
		return false;
	s->alarm_ns = UINT64_MAX;
	ev_io_init(&s->alarm, on_alarm, fd, EV_READ);
	ev_prepare_init(&s->pass, on_pass);
	ev_set_priority(&s->pass, EV_MAXPRI); /* before the transport's own work at the end of a pass */
	ev_idle_init(&s->busy, on_busy);
	ev_timer_init(&s->second, on_second, 1, 1);
	ev_signal_init(&s->sigint, on_signal, SIGINT);
	ev_signal_init(&s->sigterm, on_signal, SIGTERM);
	s->alarm.data = s->pass.data = s->second.data = s->sigint.data = s->sigterm.data = s;
	ev_io_start(s->ev, &s->alarm);
	ev_prepare_start(s->ev, &s->pass);
	ev_signal_start(s->ev, &s->sigint);
	ev_signal_start(s->ev, &s->sigterm);
	if (!s->o->quiet)
		ev_timer_start(s->ev, &s->second);
	return true;
}

static void watchers_stop(struct sim *s)
{
	ev_io_stop(s->ev, &s->alarm);
	close(s->alarm.fd);
	ev_prepare_stop(s->ev, &s->pass);
	ev_idle_stop(s->ev, &s->busy);
	ev_timer_stop(s->ev, &s->second);
	ev_signal_stop(s->ev, &s->sigint);
	ev_signal_stop(s->ev, &s->sigterm);
}

/* ---- set-up ---- */

static bool load_replay(struct sim *s, struct flow *f)
{
	uint32_t most = opts_flow_longest(s->o, f->o);
	const char *bad = f->o->replay ? replay_load(&f->replay, f->o->replay, f->o->variant, most) : NULL;

	if (bad)
		fprintf(stderr, "ss7sim: %s %s\n", f->o->replay, bad);
	else if (f->o->replay && !s->o->quiet)
		fprintf(stderr,
			"%s: %u messages of %u DATA chunks in %u packets; %u fragments and %u others "
			"skipped\n",
			f->o->replay, f->replay.n, f->replay.chunks, f->replay.packets, f->replay.fragments,
			f->replay.skipped);
	return !bad;
}

static struct party party_of(struct sim *s, bool is_node, unsigned index)
{
	return is_node ? (struct party){.node = &s->nodes[index]} : (struct party){.as = &s->as[index]};
}

static bool sim_init(struct sim *s, const struct opts *o)
{
	bool ok;

	*s = (struct sim){.o = o, .phase_ns = clock_ns()};
	s->ev = ev_default_loop(EVFLAG_AUTO);
	s->tp = (struct tp_loop){.ev = s->ev, .max_message = o->max_message, .up = &sim_user_upcalls};
	s->tp.pool = mbuf_pool_new(o->buffers, o->max_message);
	s->env = (struct asp_env){.tp = &s->tp,
		.params = &o->tp,
		.up = o->verbose ? &sim_upcalls_verbose : &sim_upcalls,
		.user = s,
		.t_ack_ns = o->t_ack_ns,
		.rng = {.s = o->seed}};
	s->link_env = (struct link_env){.tp = &s->tp,
		.params = &o->tp,
		.log = o->verbose ? sim_log : NULL,
		.rng = {.s = o->seed ^ 0x5bb7}};
	s->as = calloc(o->n_as + 1, sizeof(*s->as));
	s->nodes = calloc(o->n_nodes + 1, sizeof(*s->nodes));
	s->flows = calloc(o->n_flows ? o->n_flows : 1, sizeof(*s->flows));
	s->by_id = calloc(65536, sizeof(struct flow *));
	ok = s->ev && s->tp.pool && s->as && s->nodes && s->flows && s->by_id;
	for (unsigned i = 0; ok && i < o->n_as; i++)
		ok = as_init(&s->as[i], &s->env, &o->as[i], o->divert_ns);
	for (unsigned i = 0; ok && i < o->n_nodes; i++)
		node_init(&s->nodes[i], &s->link_env, &o->node[i], &sim_node_upcalls, s);
	for (unsigned i = 0; ok && i < o->n_nodes; i++)
		if (o->node[i].main != i)
			node_join(&s->nodes[o->node[i].main], &s->nodes[i]);
	for (unsigned i = 0; ok && i < o->n_flows; i++) {
		const struct flow_opts *f = &o->flow[i];
		struct party from = party_of(s, f->from_node, f->from), to = party_of(s, f->to_node, f->to);

		ok = flow_init(&s->flows[i], f, &from, &to, o) && load_replay(s, &s->flows[i]);
		s->by_id[f->id] = &s->flows[i];
	}
	return ok;
}

static bool any_alive(const struct sim *s)
{
	for (unsigned i = 0; s->as && i < s->o->n_as; i++)
		for (unsigned k = 0; s->as[i].asps && k < s->as[i].n_asps; k++)
			if (s->as[i].asps[k].conn || s->as[i].asps[k].dead)
				return true;
	for (unsigned i = 0; s->nodes && i < s->o->n_nodes; i++)
		if (node_alive(&s->nodes[i]))
			return true;
	return false;
}

/* Whatever sim_init() got to. Connections that would not end in time keep their memory: the process is about
 * to end. */
static void sim_fini(struct sim *s)
{
	if (any_alive(s))
		return;
	for (unsigned i = 0; s->as && i < s->o->n_as; i++)
		as_fini(&s->as[i]);
	for (unsigned i = 0; s->nodes && i < s->o->n_nodes; i++)
		if (s->nodes[i].env)
			node_fini(&s->nodes[i]);
	for (unsigned i = 0; s->flows && i < s->o->n_flows; i++)
		flow_fini(&s->flows[i]);
	tp_loop_fini(&s->tp);
	mbuf_pool_free(s->tp.pool);
	free(s->as);
	free(s->nodes);
	free(s->flows);
	free(s->by_id);
	if (s->ev)
		ev_loop_destroy(s->ev);
}

/* Judges before it prints: the JSON file may fail, the verdict stays. */
static int conclude(struct sim *s)
{
	struct report r;
	int status;

	if (s->failed)
		return 2;
	if (!report_make(&r, s))
		return 2;
	status = r.n_reasons ? 1 : 0;
	if (!s->o->quiet)
		report_text(&r, stdout);
	if (s->o->json && !report_json(&r, s->o->json)) {
		fprintf(stderr, "ss7sim: cannot write %s\n", s->o->json);
		status = 2;
	}
	report_free(&r);
	return status;
}

int sim_run(const struct opts *o)
{
	struct sim s;
	int status = 2;

	if (!sim_init(&s, o)) {
		fprintf(stderr, "ss7sim: cannot begin\n");
	} else if (!(s.env.ops = tp_select(o->tp.kind, s.transport_why, sizeof(s.transport_why)))) {
		fprintf(stderr, "ss7sim: this transport cannot run here: %s\n", s.transport_why);
	} else if (!watchers_start(&s)) {
		fprintf(stderr, "ss7sim: no timer\n");
	} else {
		s.link_env.ops = s.env.ops;
		ev_run(s.ev, 0);
		progress_end(&s);
		status = conclude(&s);
		watchers_stop(&s);
	}
	sim_fini(&s);
	return status;
}
