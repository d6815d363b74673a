/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Plays a script: one step after the other; a step that waits runs the loop until what it waits for is there,
 * or its time is over. Whatever arrives that no step expects is a failure, at once or at the end. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "sim/script_console.h"
#include "sim/script_end.h"
#include "sim/script_stall.h"

enum { NS_PER_S = 1000000000, POOL = 4096 };

struct play {
	struct script *s;
	struct end_env env;
	struct end ends[SCRIPT_ENDPOINTS];
	struct ev_timer deadline;
	struct stall stall;
	uint64_t last_ns;     /* when the last thing happened that a step did or expected */
	char why[SCRIPT_ERR]; /* of a failure */
	const struct script_step *failed;
};

static bool failed(struct play *p, const struct script_step *st, const char *came)
{
	char copy[SCRIPT_ERR];

	if (p->failed)
		return false;
	p->failed = st;
	snprintf(copy, sizeof(copy), "%s", came); /* it may be p->why itself */
	memcpy(p->why, copy, sizeof(copy));
	return false;
}

/* ---- waiting ---- */

static void on_deadline(struct ev_loop *loop, struct ev_timer *w, int revents)
{
	(void)loop;
	(void)w;
	(void)revents;
}

static uint64_t patient(const struct play *p, uint64_t ns)
{
	return (uint64_t)((double)ns * p->s->patience);
}

/* One turn of the loop, at most until UNTIL_NS. False: that time is over. */
static bool turn(struct play *p, uint64_t until_ns)
{
	uint64_t now = clock_ns();
	struct ev_loop *loop = p->env.tp.ev;

	if (now >= until_ns)
		return false;
	ev_timer_stop(loop, &p->deadline);
	ev_now_update(loop);
	ev_timer_set(&p->deadline, (double)(until_ns - now) * 1e-9, 0);
	ev_timer_start(loop, &p->deadline);
	ev_run(loop, EVRUN_ONCE);
	for (unsigned i = 0; i < p->s->n_ends; i++)
		end_pass(&p->ends[i]);
	return true;
}

/* ---- expecting ---- */

/* Is the first thing that has arrived at the step's endpoint what the step expects? Takes it if so. */
static bool takes(struct play *p, const struct script_step *st, char *why)
{
	struct end *e = &p->ends[st->end];
	struct end_item *it = e->first;
	static const enum end_item_kind kinds[] = {[STEP_EXPECT] = END_MESSAGE,
		[STEP_EXPECT_UP] = END_UP,
		[STEP_EXPECT_DOWN] = END_DOWN,
		[STEP_EXPECT_RESTART] = END_RESTART};
	bool ok = it->kind == kinds[st->kind];

	snprintf(why, SCRIPT_ERR, "it is something else");
	if (ok && it->kind == END_MESSAGE)
		ok = script_match(p->s, st->msg, it->bytes, it->len, it->stream, &e->sent, why);
	if (!ok)
		return false;
	if (p->last_ns < it->rx_ns)
		p->last_ns = it->rx_ns;
	end_drop(e);
	return true;
}

/* A set of expectations; DONE marks those that are met. */
struct wanted {
	struct script_step *const *steps;
	unsigned n, left;
	bool done[64];
};

/* Offers what has arrived at endpoint E to the expectations that are open there. False: something arrived
 * that none of them wants. */
static bool offer(struct play *p, const struct script_step *st, struct wanted *w, unsigned e)
{
	char why[SCRIPT_ERR], came[SCRIPT_ERR];
	bool open = false, met = false;

	while (w->left && p->ends[e].first) {
		open = met = false;
		snprintf(came, sizeof(came), "%s: %s", p->s->ends[e].name, p->ends[e].first->text);
		for (unsigned i = 0; i < w->n && !met; i++) {
			if (w->done[i] || w->steps[i]->end != e)
				continue;
			open = true;
			met = w->done[i] = takes(p, w->steps[i], why);
		}
		if (!open)
			return true; /* a later step's */
		if (!met) {
			snprintf(p->why, sizeof(p->why), "%.250s\n  but:      %.200s", came,
				w->n > 1 ? "it is none of them" : why);
			return failed(p, st, p->why);
		}
		w->left--;
	}
	return true;
}

/* Until all but LEFT of the expectations are met. */
static bool await(struct play *p, const struct script_step *st, struct wanted *w, unsigned left)
{
	uint64_t until = clock_ns() + patient(p, st->ns);

	for (;;) {
		for (unsigned e = 0; e < p->s->n_ends && w->left > left; e++)
			if (!offer(p, st, w, e))
				return false;
		if (w->left <= left)
			return true;
		if (!turn(p, until))
			break;
	}
	snprintf(p->why, sizeof(p->why), "nothing, within %g ms", (double)patient(p, st->ns) * 1e-6);
	for (unsigned i = 0; w->n > 1 && i < w->n; i++)
		if (!w->done[i])
			snprintf(p->why + strlen(p->why), sizeof(p->why) - strlen(p->why),
				"\n  missing:  %.150s", w->steps[i]->text);
	return failed(p, st, p->why);
}

static bool do_expect(struct play *p, const struct script_step *st)
{
	struct script_step *const one[] = {(struct script_step *)st};
	struct wanted w = {.steps = one, .n = 1, .left = 1};

	return await(p, st, &w, 0);
}

static bool do_set(struct play *p, const struct script_step *st, bool all)
{
	struct wanted w = {.steps = st->children, .n = st->n_children, .left = st->n_children};

	if (w.n > 64)
		return failed(p, st, "more than 64 in one block");
	return await(p, st, &w, all ? 0 : w.n - 1);
}

/* The time runs from what happened last, and what comes after it is a later step's: neither is moved by a
 * process that had to wait for a processor. */
static bool do_nothing(struct play *p, const struct script_step *st)
{
	uint64_t until = p->last_ns + st->ns;

	do {
		for (unsigned e = 0; e < p->s->n_ends; e++) {
			const struct end_item *it = p->ends[e].first;

			if (!(st->mask & 1u << e) || !it || it->rx_ns > until)
				continue;
			snprintf(p->why, sizeof(p->why), "%s: %s", p->s->ends[e].name, it->text);
			return failed(p, st, p->why);
		}
	} while (turn(p, until));
	p->last_ns = until;
	return true;
}

static bool do_wait(struct play *p, const struct script_step *st)
{
	uint64_t until = clock_ns() + st->ns;

	while (turn(p, until))
		;
	p->last_ns = clock_ns();
	return true;
}

static bool do_console(struct play *p, const struct script_step *st)
{
	const char *why = script_console((uint16_t)p->s->vars[st->var].value, st->command, 5000);

	p->last_ns = clock_ns();
	stall_forget(&p->stall); /* it was the gateway that took its time */
	end_trace(&p->env, "console: %s", st->command);
	return !why || failed(p, st, why);
}

/* ---- steps ---- */

static bool play_steps(struct play *p, struct script_step *const *steps, unsigned n);

static bool do_repeat(struct play *p, const struct script_step *st)
{
	for (unsigned i = 0; i < st->count; i++) {
		p->s->vars[st->var].value = i;
		if (!play_steps(p, st->children, st->n_children))
			return false;
	}
	return true;
}

/* Steps that do something to an endpoint: NULL, or why it cannot be done. */
static const char *act(struct end *e, const struct script_step *st)
{
	switch (st->kind) {
	case STEP_CONNECT: return end_connect(e);
	case STEP_LISTEN: return end_listen(e);
	case STEP_UNLISTEN: return end_unlisten(e);
	case STEP_CLOSE: return end_close(e);
	case STEP_ABORT: return end_abort(e);
	case STEP_STALL: return end_stall(e, true);
	case STEP_RESUME: return end_stall(e, false);
	case STEP_SEND: return end_send(e, st->msg);
	case STEP_IGNORE: end_ignore(e, st->types, st->n_types); return NULL;
	case STEP_AUTO_BEAT: e->auto_beat = st->on; return NULL;
	case STEP_AUTO_SLT: e->auto_slt = st->on; return NULL;
	case STEP_AUTO_ACK: e->auto_ack = st->on; return NULL;
	default: return "no such step";
	}
}

static bool play_step(struct play *p, const struct script_step *st)
{
	const char *why;

	switch (st->kind) {
	case STEP_EXPECT:
	case STEP_EXPECT_UP:
	case STEP_EXPECT_DOWN:
	case STEP_EXPECT_RESTART: return do_expect(p, st);
	case STEP_NOTHING: return do_nothing(p, st);
	case STEP_WAIT: return do_wait(p, st);
	case STEP_CONSOLE: return do_console(p, st);
	case STEP_UNORDERED: return do_set(p, st, true);
	case STEP_ANY_OF: return do_set(p, st, false);
	case STEP_REPEAT: return do_repeat(p, st);
	default: break;
	}
	p->last_ns = clock_ns();
	why = act(&p->ends[st->end], st);
	return !why || failed(p, st, why);
}

static bool play_steps(struct play *p, struct script_step *const *steps, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (!play_step(p, steps[i]))
			return false;
	return true;
}

/* What has arrived and no step took. */
static bool nothing_left(struct play *p)
{
	static const struct script_step end = {.where = "at the end", .text = "nothing more"};

	for (unsigned e = 0; e < p->s->n_ends; e++) {
		if (!p->ends[e].first)
			continue;
		snprintf(p->why, sizeof(p->why), "%s: %s", p->s->ends[e].name, p->ends[e].first->text);
		return failed(p, &end, p->why);
	}
	return true;
}

/* ---- the report ---- */

static void report(const struct play *p)
{
	const struct end_env *env = &p->env;
	unsigned first = env->n_trace > TRACE_LINES ? env->n_trace - TRACE_LINES : 0;

	fprintf(stderr, "%s: FAILED\n  expected: %s\n  came:     %s\n", p->failed->where, p->failed->text,
		p->why);
	if (p->s->purpose)
		fprintf(stderr, "  purpose:  %s\n", p->s->purpose);
	if (p->s->clause)
		fprintf(stderr, "  clause:   %s\n", p->s->clause);
	if (stall_spoils(&p->stall))
		fprintf(stderr, "  but:      this process was kept from running for %llu ms: inconclusive\n",
			(unsigned long long)stall_ms(&p->stall));
	if (env->verbose)
		return; /* the trace has been seen */
	fprintf(stderr, "  the last messages (> sent, < received, [stream]):\n");
	for (unsigned i = first; i < env->n_trace; i++)
		fprintf(stderr, "    %s\n", env->trace[i % TRACE_LINES]);
}

/* ---- begin and end ---- */

static bool start(struct play *p, const struct opts *o, char *why)
{
	p->env = (struct end_env){
		.script = p->s, .params = &o->tp, .verbose = o->verbose, .start_ns = clock_ns()};
	p->last_ns = p->env.start_ns;
	p->env.tp = (struct tp_loop){
		.ev = ev_default_loop(EVFLAG_AUTO), .max_message = o->max_message, .up = &end_upcalls};
	p->env.tp.pool = mbuf_pool_new(POOL, o->max_message);
	p->env.ops = tp_select(o->tp.kind, why, SCRIPT_ERR);
	ev_init(&p->deadline, on_deadline);
	for (unsigned i = 0; i < p->s->n_ends; i++)
		end_init(&p->ends[i], &p->env, &p->s->ends[i]);
	return p->env.tp.ev && p->env.tp.pool && p->env.ops;
}

static bool any_alive(const struct play *p)
{
	for (unsigned i = 0; i < p->s->n_ends; i++)
		if (p->ends[i].conn || p->ends[i].dead)
			return true;
	return false;
}

/* Associations that would not end in time keep their memory: the process is about to end. */
static void finish(struct play *p)
{
	uint64_t until = clock_ns() + NS_PER_S;

	for (unsigned i = 0; i < p->s->n_ends; i++)
		if (p->ends[i].conn)
			end_abort(&p->ends[i]);
	while (any_alive(p) && turn(p, until))
		;
	ev_timer_stop(p->env.tp.ev, &p->deadline);
	stall_stop(&p->stall, p->env.tp.ev);
	if (any_alive(p))
		return;
	for (unsigned i = 0; i < p->s->n_ends; i++)
		end_fini(&p->ends[i]);
	tp_loop_fini(&p->env.tp);
	mbuf_pool_free(p->env.tp.pool);
	ev_loop_destroy(p->env.tp.ev);
}

static int play(struct play *p, const struct opts *o)
{
	char why[SCRIPT_ERR] = "no memory";
	int status;
	bool ok;

	if (!start(p, o, why)) {
		fprintf(stderr, "ss7sim: cannot run here: %s\n", why);
		return 2;
	}
	stall_start(&p->stall, p->env.tp.ev);
	ok = play_steps(p, p->s->steps, p->s->n_steps) && nothing_left(p);
	status = ok ? 0 : stall_spoils(&p->stall) ? 3 : 1;
	if (!ok)
		report(p);
	else if (!o->quiet)
		printf("passed: %s\n", p->s->purpose ? p->s->purpose : o->script);
	finish(p);
	return status;
}

int script_main(const struct opts *o)
{
	char err[SCRIPT_ERR];
	struct script *s = script_load(o->script, o->set, o->n_set, err);
	struct play *p = s ? calloc(1, sizeof(*p)) : NULL;
	int status = 2;

	if (p) {
		p->s = s;
		if (o->patience > 0)
			s->patience = o->patience;
		status = play(p, o);
	} else {
		fprintf(stderr, "ss7sim: %s\n", s ? "no memory" : err);
	}
	free(p);
	if (s)
		script_free(s);
	return status;
}
