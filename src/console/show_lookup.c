/* SPDX-License-Identifier: GPL-2.0-or-later */
/* show route lookup: what the data path would do with a message, each step of the decision in words. */
#include <stdlib.h>

#include "console/lookup.h"
#include "console/show.h"
#include "m3ua/as.h"
#include "m3ua/sg.h"
#include "route/route.h"

static bool arg_pc(struct show *s, unsigned i, const char *what, const struct sg_network *net, uint32_t *out)
{
	const struct network_conf *c = net->conf;
	if (pc_parse(s->argv[i], &c->format, pc_bits((enum pc_variant)c->variant), out))
		return true;
	show_error(s, "%s %s is not a point code of network %s", what, s->argv[i], c->name);
	return false;
}

static bool arg_sls(struct show *s, unsigned i, uint8_t *out)
{
	char *end;
	unsigned long v = strtoul(s->argv[i], &end, 10);
	if (s->argv[i][0] >= '0' && s->argv[i][0] <= '9' && !*end && v <= 255) {
		*out = (uint8_t)v;
		return true;
	}
	show_error(s, "SLS %s is not a number from 0 to 255", s->argv[i]);
	return false;
}

static bool args(struct show *s, struct lookup *l)
{
	l->net = show_arg_network(s, 0);
	if (!l->net || !arg_pc(s, 1, "OPC", l->net, &l->opc) || !arg_pc(s, 2, "DPC", l->net, &l->dpc))
		return false;
	if (!si_parse(s->argv[3], &l->si)) {
		show_error(s, "SI %s is neither a service indicator's name nor a number from 0 to 15",
			s->argv[3]);
		return false;
	}
	return arg_sls(s, 4, &l->sls);
}

static void walk_question(struct show *s, const struct lookup *l)
{
	walk_str(s->w, "network", l->net->conf->name);
	show_pc(s, "opc", l->net, l->opc);
	show_pc(s, "dpc", l->net, l->dpc);
	walk_u64(s->w, "si", l->si);
	walk_u64(s->w, "sls", l->sls);
}

static void walk_answer(struct show *s, const struct lookup *l)
{
	walk_str(s->w, "result", l->result);
	walk_str(s->w, "reason", l->dropped ? drop_name(l->reason) : NULL);
	walk_str(s->w, "as", l->as ? l->as->conf->name : NULL);
	walk_str(s->w, "via", l->via ? route_egress_name(l->via) : NULL);
	if (l->n_asps && l->fwd->mode == FWD_LOADSHARE)
		walk_u64(s->w, "bucket", l->bucket);
	else
		walk_null(s->w, "bucket");
	walk_table(s->w, "asps");
	for (unsigned i = 0; i < l->n_asps; i++) {
		const struct assoc *a = l->fwd->slots[l->first_asp + i].assoc;
		walk_object(s->w, NULL);
		walk_str(s->w, "name", assoc_name(a));
		walk_str(s->w, "association", assoc_state_name(assoc_state(a)));
		walk_u64(s->w, "worker", assoc_worker(a));
		walk_u64(s->w, "stream", lookup_stream(l, a));
		walk_object_end(s->w);
	}
	walk_table_end(s->w);
}

static void show_lookup(struct show *s)
{
	struct lookup l = {.sg = s->sg};
	if (!args(s, &l))
		return;
	lookup_run(&l);
	walk_object(s->w, "lookup");
	walk_question(s, &l);
	walk_answer(s, &l);
	walk_table(s->w, "steps");
	for (unsigned i = 0; i < l.n_steps; i++) {
		walk_object(s->w, NULL);
		walk_str(s->w, "step", l.steps[i].name);
		walk_str(s->w, "finding", l.steps[i].text);
		walk_object_end(s->w);
	}
	walk_table_end(s->w);
	walk_object_end(s->w);
}

const struct show_row show_lookup_rows[] = {
	{"route lookup NETWORK OPC DPC SI SLS",
		"Routing keys\nExplains what happens to a message, step by step\nNetwork name\n"
		"Originating point code\nDestination point code\nService indicator: name or 0-15\n"
		"Signalling link selection: 0-255\n",
		show_lookup},
	{0},
};
