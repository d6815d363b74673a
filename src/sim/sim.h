/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The run: one thread, one libev loop, phases one after the other. All state of the process is here. */
#pragma once

#include <ev.h>
#include <stdbool.h>
#include <stdint.h>

#include "sim/as.h"
#include "sim/flow.h"
#include "sim/node.h"
#include "sim/opts.h"

enum sim_phase {
	SIM_CONNECT, /* ASPs come up */
	SIM_SETTLE,  /* the gateway gets a moment to tell its workers */
	SIM_RUN,     /* traffic, actions */
	SIM_DRAIN,   /* what is on its way arrives */
	SIM_LEAVE,   /* ASPIA, ASPDN, shutdown */
	SIM_END
};

struct sim {
	const struct opts *o;
	struct ev_loop *ev;
	struct tp_loop tp;
	struct asp_env env;
	struct link_env link_env;
	char transport_why[TP_REASON];
	struct as *as;
	struct node *nodes;
	struct flow *flows;
	struct flow **by_id; /* 65,536 entries */

	enum sim_phase phase;
	uint64_t phase_ns;   /* since */
	uint64_t start_ns;   /* of traffic; 0: not yet */
	uint64_t end_ns;     /* of traffic */
	uint64_t last_rx_ns; /* DATA */
	unsigned next_action;
	bool nodes_started, interrupted, failed; /* failed: the ASPs did not come up */

	uint64_t too_late;  /* DATA after the verdict */
	uint64_t foreign;   /* not ours, or of another run */
	uint64_t misrouted; /* ours, but at an AS it was not for */
	uint64_t corrupted; /* ours by its magic, of no known flow */

	struct ev_prepare pass;
	struct ev_idle busy; /* runs while a flow wants to go on at once */
	struct ev_io alarm;  /* timerfd: libev's own timers have a grain of a millisecond */
	struct ev_timer second;
	struct ev_signal sigint, sigterm;
	uint64_t alarm_ns;
};

struct sim_totals {
	uint64_t sent, received, lost, repeated, late, stale, corrupted, mislabelled, unsent, in_flight;
};

/* Runs it all; the exit status. */
int sim_run(const struct opts *o);

void sim_totals(const struct sim *s, struct sim_totals *out);

/* ---- sim_phase.c ---- */

/* One look at the phase; lowers *WAKE_NS. True: come again at once. */
bool sim_step(struct sim *s, uint64_t now, uint64_t *wake_ns);
void sim_interrupt(struct sim *s);

/* ---- sim_rx.c ---- */

extern const struct asp_upcalls sim_upcalls, sim_upcalls_verbose;
extern const struct node_upcalls sim_node_upcalls;
void sim_log(struct node *n, const char *name, const char *text);
