/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"
#include "sim/sim.h"

/* ASPs and links together: what could carry traffic, and what does. */
static void count_carriers(const struct sim *s, unsigned *active, unsigned *all)
{
	*active = *all = 0;
	for (unsigned i = 0; i < s->o->n_nodes; i++) {
		*all += s->nodes[i].n_links;
		*active += node_available(&s->nodes[i]);
	}
	for (unsigned i = 0; i < s->o->n_as; i++) {
		*all += s->as[i].n_asps;
		*active += as_count(&s->as[i], ASP_ACTIVE);
	}
}

void progress_show(const struct sim *s)
{
	static const char *const phases[] = {
		[SIM_CONNECT] = "connecting",
		[SIM_SETTLE] = "settling",
		[SIM_RUN] = "running",
		[SIM_DRAIN] = "draining",
		[SIM_LEAVE] = "leaving",
		[SIM_END] = "over",
	};
	static uint64_t last_sent, last_ns; /* rates are of the last second */
	uint64_t now = clock_ns();
	double dt = last_ns ? (double)(now - last_ns) * 1e-9 : 1;
	struct sim_totals t;
	unsigned active, all;
	bool tty = isatty(STDERR_FILENO);

	sim_totals(s, &t);
	count_carriers(s, &active, &all);
	fprintf(stderr,
		"%s%6.1f s %-10s up %u/%u  sent %" PRIu64 " (%.0f/s)  received %" PRIu64
		"  in flight %" PRIu64 "  repeated %" PRIu64 "  reordered %" PRIu64 "  corrupted %" PRIu64
		"%s",
		tty ? "\r\033[K" : "", s->start_ns ? (double)(now - s->start_ns) * 1e-9 : 0.0,
		phases[s->phase], active, all, t.sent, (double)(t.sent - last_sent) / dt, t.received,
		t.in_flight, t.repeated, t.late, t.corrupted, tty ? "" : "\n");
	last_sent = t.sent;
	last_ns = now;
}

void progress_end(const struct sim *s)
{
	if (!s->o->quiet && isatty(STDERR_FILENO))
		fputc('\n', stderr);
}
