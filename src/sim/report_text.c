/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>

#include "sim/report.h"

/* "87 us", "1.42 ms": three digits, the unit that fits. */
static const char *duration(uint64_t ns, char *buf, size_t n)
{
	static const struct {
		double unit;
		const char *name;
	} units[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}, {1, "ns"}};
	unsigned i = 0;
	double v;

	while (i < 3 && (double)ns < units[i].unit)
		i++;
	v = (double)ns / units[i].unit;
	snprintf(buf, n, "%.*f %s", v < 10 ? 2 : v < 100 ? 1 : 0, v, units[i].name);
	return buf;
}

static void flows(const struct report *r, FILE *out)
{
	char t[5][24];

	fprintf(out, "%-24s %10s %10s %8s %8s %9s %9s %9s  latency %-8s %-8s %-8s %-8s %s\n", "flow", "sent",
		"received", "lost", "repeated", "reordered", "corrupted", "sent/s", "p50", "p90", "p99",
		"p99.9", "max");
	for (unsigned i = 0; i < r->s->o->n_flows; i++) {
		const struct report_flow *row = &r->flows[i];
		const struct flow *f = row->f;

		fprintf(out,
			"%-24s %10" PRIu64 " %10" PRIu64 " %8" PRIu64 " %8" PRIu64 " %9" PRIu64 " %9" PRIu64
			" %9.0f  %7s %-8s %-8s %-8s %-8s %s\n",
			f->name, f->sent, f->unique, row->lost, f->repeated, f->late, f->corrupted,
			row->tx_rate, "", duration(row->p50, t[0], 24), duration(row->p90, t[1], 24),
			duration(row->p99, t[2], 24), duration(row->p999, t[3], 24),
			duration(row->max, t[4], 24));
	}
}

static void asps(const struct report *r, FILE *out)
{
	fprintf(out, "\n%-24s %-13s %10s %10s %6s %6s %6s %6s  %s\n", "ASP", "state", "DATA out", "DATA in",
		"NTFY", "ERR", "SSNM", "came up", "association");
	for (unsigned i = 0; i < r->s->o->n_as; i++) {
		for (unsigned k = 0; k < r->s->as[i].n_asps; k++) {
			const struct asp *a = &r->s->as[i].asps[k];

			fprintf(out,
				"%-24s %-13s %10" PRIu64 " %10" PRIu64 " %6" PRIu64 " %6" PRIu64 " %6" PRIu64
				" %7" PRIu64 "  %s\n",
				a->name, asp_state_name(a->judged_state), a->c[ASP_C_TX_DATA],
				a->c[ASP_C_RX_DATA], a->c[ASP_C_NTFY], a->c[ASP_C_ERR], a->c[ASP_C_SSNM],
				a->c[ASP_C_UPS], a->last_reason);
		}
	}
}

static void links(const struct report *r, FILE *out)
{
	fprintf(out, "\n%-24s %-14s %10s %10s %8s %8s %8s %8s  %s\n", "link", "state", "MSU out", "MSU in",
		"served", "failed", "taken", "lost", "association");
	for (unsigned i = 0; i < r->s->o->n_nodes; i++) {
		for (unsigned k = 0; k < r->s->nodes[i].n_links; k++) {
			const struct link *l = &r->s->nodes[i].links[k];

			fprintf(out,
				"%-24s %-14s %10" PRIu64 " %10" PRIu64 " %8" PRIu64 " %8" PRIu64 " %8" PRIu64
				" %8" PRIu64 "  %s\n",
				l->name, lsc_state_name(l->judged_state), l->judged[LINK_C_TX_MSU],
				l->judged[LINK_C_RX_MSU], l->judged[LINK_C_IN_SERVICE],
				l->judged[LINK_C_FAILURES], l->judged[LINK_C_RETRIEVED],
				l->judged[LINK_C_DISCARDED], l->last_reason);
		}
	}
}

static void verdict(const struct report *r, FILE *out)
{
	const struct sim_totals *t = &r->totals;

	if (!r->n_reasons) {
		fprintf(out,
			"\nPASS: %" PRIu64 " messages sent, %" PRIu64
			" received: none lost, repeated, reordered or corrupted\n",
			t->sent, t->received);
		return;
	}
	fputs("\nFAIL:", out);
	for (unsigned i = 0; i < r->n_reasons; i++) {
		const struct report_reason *x = &r->reasons[i];

		fprintf(out, "%s %" PRIu64 " %s%s%s", i ? "," : "", x->count, x->code, x->flow ? " in " : "",
			x->flow ? x->flow : "");
	}
	fputc('\n', out);
}

void report_text(const struct report *r, FILE *out)
{
	fprintf(out, "%.1f s over %s", r->seconds, r->s->env.ops->name);
	if (r->s->foreign)
		fprintf(out, "; %" PRIu64 " foreign messages received", r->s->foreign);
	fputs("\n\n", out);
	if (r->s->o->n_flows)
		flows(r, out);
	if (r->s->o->n_as)
		asps(r, out);
	if (r->s->o->n_nodes)
		links(r, out);
	verdict(r, out);
	fflush(out);
}
