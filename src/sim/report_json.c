/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <jansson.h>
#include <string.h>

#include "sim/report.h"

static json_int_t num(uint64_t v)
{
	return (json_int_t)v;
}

static json_t *reasons(const struct report *r)
{
	json_t *list = json_array();

	for (unsigned i = 0; i < r->n_reasons; i++) {
		const struct report_reason *x = &r->reasons[i];

		json_array_append_new(list, json_pack("{s:s, s:s?, s:I}", "reason", x->code, "flow", x->flow,
						    "count", num(x->count)));
	}
	return list;
}

static json_t *flow(const struct report_flow *row)
{
	const struct flow *f = row->f;
	json_t *latency = json_pack("{s:I, s:I, s:I, s:I, s:I, s:I}", "samples", num(f->latency.n), "p50",
		num(row->p50), "p90", num(row->p90), "p99", num(row->p99), "p99.9", num(row->p999), "max",
		num(row->max));

	return json_pack("{s:s, s:i, s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:f, s:f, s:o}",
		"name", f->name, "id", f->o->id, "from", f->o->from_text, "to", f->o->to_text, "sent",
		num(f->sent), "received", num(f->unique), "lost", num(row->lost), "repeated",
		num(f->repeated), "reordered", num(f->late), "stale", num(f->stale), "corrupted",
		num(f->corrupted), "mislabelled", num(f->mislabelled), "unsent", num(row->unsent), "tx_rate",
		row->tx_rate, "rx_rate", row->rx_rate, "latency_ns", latency);
}

static json_t *asp(const struct asp *a)
{
	json_t *o = json_pack("{s:s, s:s, s:s, s:i, s:i, s:s}", "name", a->name, "as", a->conf->name, "state",
		asp_state_name(a->judged_state), "in_streams", a->in_streams, "out_streams", a->out_streams,
		"last_down_reason", a->last_reason);

	for (int c = 0; c < ASP_C_COUNT; c++)
		json_object_set_new(o, asp_counter_key((enum asp_counter)c), json_integer(num(a->c[c])));
	return o;
}

static json_t *asps(const struct report *r)
{
	json_t *list = json_array();

	for (unsigned i = 0; i < r->s->o->n_as; i++)
		for (unsigned k = 0; k < r->s->as[i].n_asps; k++)
			json_array_append_new(list, asp(&r->s->as[i].asps[k]));
	return list;
}

static json_t *link_row(const struct node *n, unsigned i)
{
	const struct link *l = &n->links[i];
	json_t *o = json_pack("{s:s, s:s, s:i, s:s, s:s}", "name", l->name, "node", n->conf->name, "slc",
		l->slc, "state", lsc_state_name(l->judged_state), "last_down_reason", l->last_reason);

	for (int c = 0; c < LINK_C_COUNT; c++)
		json_object_set_new(
			o, link_counter_key((enum link_counter)c), json_integer(num(l->judged[c])));
	return o;
}

static json_t *node(const struct node *n)
{
	json_t *links = json_array(), *o;

	for (unsigned i = 0; i < n->n_links; i++)
		json_array_append_new(links, link_row(n, i));
	o = json_pack("{s:s, s:o}", "name", n->conf->name, "links", links);
	for (int c = 0; c < NODE_C_COUNT; c++)
		json_object_set_new(
			o, node_counter_key((enum node_counter)c), json_integer(num(n->judged[c])));
	return o;
}

static json_t *nodes(const struct report *r)
{
	json_t *list = json_array();

	for (unsigned i = 0; i < r->s->o->n_nodes; i++)
		json_array_append_new(list, node(&r->s->nodes[i]));
	return list;
}

static json_t *totals(const struct report *r)
{
	const struct sim_totals *t = &r->totals;

	return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "sent", num(t->sent),
		"received", num(t->received), "lost", num(t->lost), "repeated", num(t->repeated), "reordered",
		num(t->late), "stale", num(t->stale), "corrupted", num(t->corrupted), "mislabelled",
		num(t->mislabelled), "unsent", num(t->unsent), "foreign", num(r->s->foreign), "misrouted",
		num(r->s->misrouted), "too_late", num(r->s->too_late));
}

bool report_json(const struct report *r, const char *file)
{
	json_t *list = json_array(), *root;
	bool ok;

	for (unsigned i = 0; i < r->s->o->n_flows; i++)
		json_array_append_new(list, flow(&r->flows[i]));
	root = json_pack("{s:s, s:o, s:s, s:f, s:o, s:o, s:o, s:o}", "verdict",
		r->n_reasons ? "fail" : "pass", "reasons", reasons(r), "transport", r->s->env.ops->name,
		"seconds", r->seconds, "flows", list, "asps", asps(r), "nodes", nodes(r), "totals",
		totals(r));
	if (!root)
		return false;
	ok = strcmp(file, "-") ? !json_dump_file(root, file, JSON_INDENT(2))
			       : !json_dumpf(root, stdout, JSON_INDENT(2)) && fputc('\n', stdout) != EOF;
	json_decref(root);
	return ok;
}
