/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The phases of a run: what each does on every pass, and when the next begins. */
#include <stdio.h>

#include "sim/serve.h"
#include "sim/sim.h"

enum {
	BUDGET = 64,            /* messages of a flow in one pass: receiving gets its turn */
	LINGER_NS = 100000000,  /* after all has come: repetitions may follow */
	LEAVE_NS = 3000000000u, /* for an ordered leave; then a second for aborts */
	ABORT_NS = 1000000000,
};

static void earlier(uint64_t *wake_ns, uint64_t t)
{
	if (t < *wake_ns)
		*wake_ns = t;
}

static void go(struct sim *s, enum sim_phase next, uint64_t now)
{
	s->phase = next;
	s->phase_ns = now;
}

static void each_asp(struct sim *s, void (*fn)(struct asp *a, void *arg), void *arg)
{
	for (unsigned i = 0; i < s->o->n_as; i++)
		for (unsigned k = 0; k < s->as[i].n_asps; k++)
			fn(&s->as[i].asps[k], arg);
}

/* ---- connect ---- */

static void want_up(struct asp *a, void *server)
{
	if (a->goal == ASP_GOAL_OFF && a->conf->server == *(bool *)server)
		asp_want(a, a->index < a->conf->active ? ASP_GOAL_ACTIVE : ASP_GOAL_INACTIVE);
}

static void count_unsettled(struct asp *a, void *arg)
{
	*(unsigned *)arg += !asp_settled(a);
}

static void complain(struct asp *a, void *arg)
{
	(void)arg;
	if (asp_settled(a))
		return;
	fprintf(stderr, "ss7sim: %s is %s", a->name, asp_state_name(a->state));
	if (a->c[ASP_C_ERR])
		fprintf(stderr, "; the gateway's last error: %s (0x%02x)", m3ua_error_name(a->last_error),
			a->last_error);
	if (a->last_reason[0])
		fprintf(stderr, "; the association: %s", a->last_reason);
	fputc('\n', stderr);
}

static void complain_of_node(const struct node *n)
{
	fprintf(stderr, "ss7sim: %s is %s\n", n->conf->name, restart_state_name(n->restart));
	for (unsigned i = 0; i < n->n_links; i++) {
		const struct link *l = &n->links[i];

		if (n->l3[i].available)
			continue;
		fprintf(stderr, "ss7sim: %s is %s%s", l->name, lsc_state_name(l->state),
			link_in_service(l) && !n->l3[i].tested ? ", its link test not answered" : "");
		fprintf(stderr, l->last_reason[0] ? "; the association: %s\n" : "\n", l->last_reason);
	}
}

static bool start_nodes(struct sim *s)
{
	if (s->nodes_started)
		return true;
	s->nodes_started = true;
	for (unsigned i = 0; i < s->o->n_nodes; i++)
		if (!node_start(&s->nodes[i]))
			return false;
	return true;
}

static unsigned nodes_missing(const struct sim *s)
{
	unsigned n = 0;

	for (unsigned i = 0; i < s->o->n_nodes; i++)
		n += s->nodes[i].n_links && !node_ready(&s->nodes[i]);
	return n;
}

static void not_up(struct sim *s, unsigned asps, unsigned nodes)
{
	if (asps)
		fprintf(stderr, "ss7sim: %u ASPs did not come up\n", asps);
	if (nodes)
		fprintf(stderr, "ss7sim: %u nodes did not come up\n", nodes);
	each_asp(s, complain, NULL);
	for (unsigned i = 0; i < s->o->n_nodes; i++)
		if (s->nodes[i].n_links && !node_ready(&s->nodes[i]))
			complain_of_node(&s->nodes[i]);
}

static bool step_connect(struct sim *s, uint64_t now, uint64_t *wake_ns)
{
	uint64_t deadline = s->phase_ns + s->o->connect_ns;
	unsigned missing = 0;

	/* Listeners first: clients of the embedded transport can share a socket for any address, but not be
	 * followed by one. */
	each_asp(s, want_up, &(bool){true});
	if (!start_nodes(s)) {
		s->failed = true;
		go(s, SIM_LEAVE, now);
		return true;
	}
	each_asp(s, want_up, &(bool){false});
	each_asp(s, count_unsettled, &missing);
	if (!missing && !nodes_missing(s)) {
		go(s, SIM_SETTLE, now);
	} else if (s->interrupted || now >= deadline) {
		not_up(s, missing, nodes_missing(s));
		s->failed = true;
		go(s, SIM_LEAVE, now);
	} else {
		earlier(wake_ns, deadline);
		return false;
	}
	return true;
}

static bool step_settle(struct sim *s, uint64_t now, uint64_t *wake_ns)
{
	uint64_t until = s->phase_ns + s->o->settle_ns;

	if (now < until && !s->interrupted) {
		earlier(wake_ns, until);
		return false;
	}
	s->start_ns = s->last_rx_ns = now;
	for (unsigned i = 0; i < s->o->n_flows; i++)
		flow_start(&s->flows[i], now, s->o->seed + i * 0x9e3779b97f4a7c15u);
	go(s, SIM_RUN, now);
	return true;
}

/* ---- run ---- */

static void act_on(struct asp *a, enum action_kind kind)
{
	switch (kind) {
	case ACT_CONNECT:
	case ACT_ASPAC: asp_want(a, ASP_GOAL_ACTIVE); break;
	case ACT_ASPUP:
	case ACT_ASPIA: asp_want(a, ASP_GOAL_INACTIVE); break;
	case ACT_ASPDN: asp_want(a, ASP_GOAL_DOWN); break;
	case ACT_SHUTDOWN:
		a->goal = ASP_GOAL_OFF;
		asp_event(a, ASP_EV_SHUTDOWN);
		break;
	case ACT_ABORT:
		a->goal = ASP_GOAL_OFF;
		asp_event(a, ASP_EV_ABORT);
		break;
	case ACT_DUNA: serve_reachable(a, false); break;
	case ACT_DAVA: serve_reachable(a, true); break;
	case ACT_STALL:
	case ACT_RESUME:
		if (!asp_stall(a, kind == ACT_STALL))
			fprintf(stderr, "ss7sim: %s: this transport cannot %s\n", a->name, action_name(kind));
		break;
	default: break; /* of nodes */
	}
}

static void act_on_as(struct as *as, const struct action_opts *act)
{
	for (unsigned i = 0; i < as->n_asps; i++)
		if (act->asp == OPTS_ALL || (unsigned)act->asp == i)
			act_on(&as->asps[i], act->kind);
}

static void run_actions(struct sim *s, uint64_t now, uint64_t *wake_ns)
{
	while (s->next_action < s->o->n_actions) {
		const struct action_opts *act = &s->o->action[s->next_action];

		if (s->start_ns + act->at_ns > now) {
			earlier(wake_ns, s->start_ns + act->at_ns);
			return;
		}
		if (act->is_node)
			node_order(&s->nodes[act->as],
				act->asp == OPTS_ALL ? NODE_NOBODY : (unsigned)act->asp, act->kind, act->pc,
				act->value);
		else
			act_on_as(&s->as[act->as], act);
		s->next_action++;
	}
}

/* A window that lost messages must not stay shut: after a drain time without arrivals they are given up. */
static void open_windows(struct sim *s, uint64_t now, uint64_t *wake_ns)
{
	uint64_t quiet_ns = s->o->drain_ns ? s->o->drain_ns : 1;

	if (now - s->last_rx_ns < quiet_ns) {
		earlier(wake_ns, s->last_rx_ns + quiet_ns);
		return;
	}
	for (unsigned i = 0; i < s->o->n_flows; i++)
		if (s->flows[i].o->window)
			s->flows[i].given_up += flow_in_flight(&s->flows[i]);
	s->last_rx_ns = now;
	earlier(wake_ns, now + quiet_ns);
}

struct run_state {
	bool again;    /* a flow used up its budget */
	bool done;     /* all flows have sent everything */
	bool receives; /* a flow comes from elsewhere: only time ends it */
};

static struct run_state run_flows(struct sim *s, uint64_t now, uint64_t *wake_ns)
{
	struct run_state r = {.done = true};

	for (unsigned i = 0; i < s->o->n_flows; i++) {
		enum flow_status st = flow_run(&s->flows[i], s->tp.pool, now, BUDGET, wake_ns);

		r.again |= st == FLOW_READY;
		r.done &= st == FLOW_DONE;
		r.receives |= !flow_sends(&s->flows[i]);
		if (st == FLOW_BLOCKED && s->flows[i].o->window)
			open_windows(s, now, wake_ns);
	}
	return r;
}

static bool step_run(struct sim *s, uint64_t now, uint64_t *wake_ns)
{
	uint64_t end = s->o->duration_ns ? s->start_ns + s->o->duration_ns : UINT64_MAX;
	bool timed = s->o->duration_ns, actions_left;
	struct run_state r;

	run_actions(s, now, wake_ns);
	actions_left = s->next_action < s->o->n_actions;
	r = run_flows(s, now, wake_ns);
	if (s->interrupted)
		end = now;
	else if (r.done && !actions_left && s->o->n_flows && !r.receives)
		end = now; /* all counts are reached, or all times over */
	if (now < end) {
		earlier(wake_ns, end);
		return r.again;
	}
	if (!s->end_ns)
		s->end_ns = now;
	/* A backlog gets the drain time to leave; what then is still here is unsent. */
	if (!r.done && timed && !s->interrupted && now < end + s->o->drain_ns) {
		earlier(wake_ns, end + s->o->drain_ns);
		return r.again;
	}
	for (unsigned i = 0; i < s->o->n_flows; i++)
		flow_stop(&s->flows[i], s->end_ns);
	go(s, SIM_DRAIN, now);
	return true;
}

/* ---- drain and leave ---- */

static bool all_arrived(const struct sim *s)
{
	for (unsigned i = 0; i < s->o->n_flows; i++) {
		const struct flow *f = &s->flows[i];

		if (flow_lost(f) || (flow_receives(f) && !flow_sends(f) && !f->o->count))
			return false;
	}
	return true;
}

static void remember_state(struct asp *a, void *arg)
{
	(void)arg;
	a->judged_state = a->state;
}

static void judge_nodes(struct sim *s)
{
	for (unsigned i = 0; i < s->o->n_nodes; i++)
		node_judge(&s->nodes[i]);
}

static bool step_drain(struct sim *s, uint64_t now, uint64_t *wake_ns)
{
	uint64_t quiet = s->o->drain_ns;
	uint64_t since = s->last_rx_ns > s->phase_ns ? s->last_rx_ns : s->phase_ns;

	if (quiet > LINGER_NS && all_arrived(s))
		quiet = LINGER_NS;
	if (now - since < quiet) {
		/* Completion is noticed at the next arrival's pass at the latest. */
		earlier(wake_ns, since + quiet);
		return false;
	}
	each_asp(s, remember_state, NULL);
	judge_nodes(s);
	go(s, SIM_LEAVE, now);
	return true;
}

static void want_off(struct asp *a, void *arg)
{
	(void)arg;
	if (a->stalled)
		asp_stall(a, false); /* to hear the answers */
	if (a->goal != ASP_GOAL_OFF)
		asp_want(a, ASP_GOAL_OFF);
}

static void do_abort(struct asp *a, void *arg)
{
	(void)arg;
	if (a->conn)
		asp_event(a, ASP_EV_ABORT);
}

static void count_alive(struct asp *a, void *arg)
{
	*(unsigned *)arg += a->conn || a->dead;
}

/* How many are not gone yet. */
static unsigned leave_nodes(struct sim *s, bool abort)
{
	unsigned alive = 0;

	for (unsigned i = 0; i < s->o->n_nodes; i++) {
		struct node *n = &s->nodes[i];

		if (s->nodes_started)
			node_stop(n);
		if (abort)
			node_abort(n);
		alive += node_alive(n);
	}
	s->nodes_started = false;
	return alive;
}

static bool step_leave(struct sim *s, uint64_t now, uint64_t *wake_ns)
{
	uint64_t abort_at = s->phase_ns + LEAVE_NS;
	unsigned alive = 0;

	each_asp(s, want_off, NULL);
	if (now >= abort_at)
		each_asp(s, do_abort, NULL);
	each_asp(s, count_alive, &alive);
	alive += leave_nodes(s, now >= abort_at);
	if (!alive || now >= abort_at + ABORT_NS) {
		go(s, SIM_END, now);
		ev_break(s->ev, EVBREAK_ALL);
		return false;
	}
	earlier(wake_ns, now >= abort_at ? abort_at + ABORT_NS : abort_at);
	return false;
}

bool sim_step(struct sim *s, uint64_t now, uint64_t *wake_ns)
{
	static bool (*const steps[])(struct sim * s, uint64_t now, uint64_t * wake_ns) = {
		[SIM_CONNECT] = step_connect,
		[SIM_SETTLE] = step_settle,
		[SIM_RUN] = step_run,
		[SIM_DRAIN] = step_drain,
		[SIM_LEAVE] = step_leave,
		[SIM_END] = NULL,
	};

	return steps[s->phase] ? steps[s->phase](s, now, wake_ns) : false;
}

/* The first signal ends the traffic in order, the second everything. */
void sim_interrupt(struct sim *s)
{
	if (s->interrupted)
		ev_break(s->ev, EVBREAK_ALL);
	s->interrupted = true;
}
