/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/report.h"

#include <stdlib.h>

enum { REASONS_PER_FLOW = 9, REASONS_OF_RUN = 3 };

static double per_second(uint64_t n, uint64_t ns)
{
	return ns ? (double)n * 1e9 / (double)ns : 0;
}

static void gather(struct report_flow *row, const struct flow *f, const struct sim *s)
{
	const struct hist *h = &f->latency;

	*row = (struct report_flow){.f = f,
		.lost = flow_lost(f),
		.unsent = flow_unsent(f, s->end_ns),
		.tx_rate = per_second(f->sent, s->end_ns - s->start_ns),
		.rx_rate = per_second(f->unique, f->last_ns - f->first_ns),
		.p50 = hist_quantile(h, 0.5),
		.p90 = hist_quantile(h, 0.9),
		.p99 = hist_quantile(h, 0.99),
		.p999 = hist_quantile(h, 0.999),
		.max = h->max};
}

static void add(struct report *r, const char *code, const char *flow, uint64_t count)
{
	if (count)
		r->reasons[r->n_reasons++] =
			(struct report_reason){.code = code, .flow = flow, .count = count};
}

static void judge_flow(struct report *r, const struct report_flow *row)
{
	const struct flow *f = row->f;

	add(r, "lost", f->name, row->lost);
	add(r, "repeated", f->name, f->repeated);
	add(r, "reordered", f->name, f->late);
	add(r, "stale", f->name, f->stale);
	add(r, "corrupted", f->name, f->corrupted);
	add(r, "mislabelled", f->name, f->mislabelled);
	add(r, "unsent", f->name, row->unsent);
	add(r, "nothing-sent", f->name, flow_sends(f) && !f->sent);
	add(r, "nothing-received", f->name, !flow_sends(f) && !f->unique);
}

bool report_make(struct report *r, const struct sim *s)
{
	unsigned n = s->o->n_flows;

	*r = (struct report){.s = s, .seconds = (double)(s->end_ns - s->start_ns) * 1e-9};
	r->flows = calloc(n + 1, sizeof(*r->flows));
	r->reasons = calloc(n * REASONS_PER_FLOW + REASONS_OF_RUN, sizeof(*r->reasons));
	if (!r->flows || !r->reasons) {
		report_free(r);
		return false;
	}
	for (unsigned i = 0; i < n; i++) {
		gather(&r->flows[i], &s->flows[i], s);
		judge_flow(r, &r->flows[i]);
	}
	add(r, "misrouted", NULL, s->misrouted);
	add(r, "corrupted", NULL, s->corrupted);
	sim_totals(s, &r->totals);
	return true;
}

void report_free(struct report *r)
{
	free(r->flows);
	free(r->reasons);
}
