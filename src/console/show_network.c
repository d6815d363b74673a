/* SPDX-License-Identifier: GPL-2.0-or-later */
/* show network, show listener: what the gateway is and where it listens. */
#include <stdio.h>
#include <string.h>

#include "console/show.h"
#include "m3ua/guest.h"
#include "m3ua/sg.h"
#include "sctp/addr.h"
#include "ss7/ss7.h"
#include "wire/mtp3_snm.h"

static void walk_format(struct show *s, const struct pc_format *f)
{
	char text[32] = "";
	int n = 0;

	for (unsigned i = 0; i < f->n && n < (int)sizeof(text) - 5; i++) {
		if (i)
			text[n++] = f->delim;
		n += snprintf(text + n, sizeof(text) - (size_t)n, "%u", f->widths[i]);
	}
	walk_str(s->w, "format", text);
}

static void network_fields(struct show *s, const struct sg_network *net)
{
	const struct network_conf *c = net->conf;

	walk_str(s->w, "name", c->name);
	walk_str(s->w, "variant", pc_variant_name((enum pc_variant)c->variant));
	walk_format(s, &c->format);
	walk_u64(s->w, "indicator", c->ni);
	walk_bool(s->w, "check-indicator", c->check_ni);
	if (c->has_na)
		walk_u64(s->w, "network-appearance", c->na);
	else
		walk_null(s->w, "network-appearance");
	walk_list(s->w, "point-codes");
	for (unsigned i = 0; i < c->n_pcs; i++)
		show_pc_item(s, net, c->pcs[i]);
	walk_list_end(s->w);
}

static void show_network(struct show *s)
{
	struct sg_network *net;

	walk_table(s->w, "networks");
	llist_for_each_entry (net, sg_networks(s->sg), entry) {
		walk_object(s->w, NULL);
		network_fields(s, net);
		walk_object_end(s->w);
	}
	walk_table_end(s->w);
}

/* Those that have been seen. */
static void management_messages(struct show *s, const struct ss7_net_view *v)
{
	walk_table(s->w, "messages");
	for (unsigned id = 0; id < SNM_IDS; id++) {
		if (!v->rx[id] && !v->tx[id])
			continue;
		walk_object(s->w, NULL);
		walk_str(s->w, "message", snm_name(id));
		walk_u64(s->w, "received", v->rx[id]);
		walk_u64(s->w, "sent", v->tx[id]);
		walk_str(s->w, "meaning", snm_text(id));
		walk_object_end(s->w);
	}
	walk_table_end(s->w);
}

static void show_network_one(struct show *s)
{
	const struct sg_network *net = show_arg_network(s, 0);
	struct ss7_net_view v;

	if (!net)
		return;
	walk_object(s->w, "network");
	network_fields(s, net);
	walk_ms(s->w, "t8", net->conf->t8_ms);
	if (ss7_net_view(s->ss7, net->conf->name, &v)) {
		walk_str(s->w, "restart", v.restart);
		show_since(s, "restart-since", v.restart_since_ms);
		walk_object(s->w, "management");
		walk_counter(
			s->w, "strays", v.strays, "messages of nobody, or about nothing that we have", false);
		walk_counter(s->w, "ignored", v.ignored, "messages that came too early in a restart", false);
		walk_counter(s->w, "faulty", v.faulty, "messages that could not be read or written", false);
		walk_object_end(s->w);
		management_messages(s, &v);
	}
	walk_object_end(s->w);
}

static void show_listener(struct show *s)
{
	struct sg_listener *l;

	walk_table(s->w, "listeners");
	llist_for_each_entry (l, sg_listeners(s->sg), entry) {
		const struct tp_params *p = &l->conf->tp;
		const struct tp_ops *tp = l->ls ? listener_transport(l->ls) : NULL;
		walk_object(s->w, NULL);
		walk_str(s->w, "name", l->conf->name);
		walk_str(s->w, "state", l->ls && listener_is_up(l->ls) ? "up" : "down");
		walk_str(s->w, "transport", tp ? tp->name : tp_kind_name(p->kind));
		walk_list(s->w, "addresses");
		for (unsigned i = 0; i < p->n_local; i++) {
			char text[TP_ADDR_STR];
			walk_item(s->w, tp_addr_str(&p->local[i], text, sizeof(text)));
		}
		walk_list_end(s->w);
		walk_u64(s->w, "port", p->local_port);
		if (tp == &tp_embedded && p->encap == TP_ENCAP_UDP)
			walk_u64(s->w, "udp-port", p->local_udp_port ? p->local_udp_port : 9899);
		walk_u64(s->w, "accepted", l->accepted);
		walk_u64(s->w, "rejected", l->rejected);
		walk_u64(s->w, "no-descriptor", l->ls ? listener_starved(l->ls) : 0);
		walk_str(s->w, "reason", l->reason[0] ? l->reason : NULL);
		walk_object_end(s->w);
	}
	walk_table_end(s->w);
}

static void show_template(struct show *s)
{
	struct sg_template *t;
	char text[TP_ADDR_STR + 8];
	size_t n;

	walk_table(s->w, "templates");
	llist_for_each_entry (t, sg_templates(s->sg), entry) {
		const struct template_conf *c = t->conf;
		walk_object(s->w, NULL);
		walk_str(s->w, "name", t->name);
		walk_str(s->w, "listener", c->asp.listener);
		tp_addr_str(&c->prefix.addr, text, TP_ADDR_STR);
		n = strlen(text);
		snprintf(text + n, sizeof(text) - n, "/%u", c->prefix.len);
		walk_str(s->w, "prefix", text);
		walk_u64(s->w, "first-port", c->port_first);
		walk_u64(s->w, "last-port", c->port_last);
		walk_u64(s->w, "peers", t->peers);
		walk_u64(s->w, "max-peers", c->max_peers);
		walk_u64(s->w, "admitted", t->admitted);
		walk_u64(s->w, "refused", t->refused);
		walk_object_end(s->w);
	}
	walk_table_end(s->w);
}

const struct show_row show_network_rows[] = {
	{"network", "SS7 networks and the gateway's own point codes\n", show_network},
	{"network NAME",
		"SS7 networks and the gateway's own point codes\n"
		"One of them, with its restart and its management messages\n",
		show_network_one},
	{"listener", "Where peers can connect\n", show_listener},
	{"template", "Who else may come: peers that no ASP is configured for\n", show_template},
	{0},
};
