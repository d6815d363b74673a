/* SPDX-License-Identifier: GPL-2.0-or-later */
/* show linkset, show link: the SS7 side, level 3 and level 2 of each link next to each other. */
#include "console/show.h"
#include "data/counter.h"
#include "data/plane.h"
#include "m3ua/sg.h"
#include "ss7/ss7.h"
#include "wire/m2pa.h"

/* ---- linksets ---- */

static void adjacent(struct show *s, const struct ss7_linkset_view *v)
{
	const struct sg_network *net = sg_network_by_name(s->sg, v->conf->network);

	if (!net)
		return;
	show_pc(s, "local", net, v->local);
	show_pc(s, "adjacent", net, v->conf->adjacent);
}

static void linkset_fields(struct show *s, const struct ss7_linkset_view *v)
{
	walk_str(s->w, "name", v->conf->name);
	walk_str(s->w, "network", v->conf->network);
	adjacent(s, v);
	walk_str(s->w, "state", v->state);
	show_since(s, "since", v->since_ms);
	walk_u64(s->w, "available", v->available);
	walk_u64(s->w, "configured", v->links);
	walk_str(s->w, "neighbour", v->neighbour);
	walk_u64(s->w, "held", v->held);
	walk_u64(s->w, "congestion", v->congestion);
	walk_str(s->w, "reason", v->reason);
}

static void linkset_row(void *arg, const struct ss7_linkset *ls)
{
	struct show *s = arg;
	struct ss7_linkset_view v;

	ss7_linkset_view(ls, &v);
	walk_object(s->w, NULL);
	linkset_fields(s, &v);
	walk_object_end(s->w);
}

static void show_linkset(struct show *s)
{
	walk_table(s->w, "linksets");
	ss7_each_linkset(s->ss7, linkset_row, s);
	walk_table_end(s->w);
}

/* ---- links ---- */

static void link_fields(struct show *s, const struct ss7_link_view *v)
{
	walk_str(s->w, "name", v->conf->l2.name);
	walk_str(s->w, "linkset", v->linkset);
	walk_u64(s->w, "slc", v->conf->slc);
	walk_str(s->w, "state", v->state);
	show_since(s, "since", v->since_ms);
	walk_bool(s->w, "available", v->available);
	walk_u64(s->w, "buckets", v->buckets);
	walk_u64(s->w, "congestion", v->l2.congestion);
	walk_str(s->w, "level-2", v->l2_state);
	walk_str(s->w, "association", v->l2.assoc ? assoc_state_name(assoc_state(v->l2.assoc)) : "none");
	/* an active one may be blocked or inhibited */
	walk_str(s->w, "reason", v->active ? v->available_reason : v->reason);
}

static void link_row(void *arg, const struct ss7_link *l)
{
	struct show *s = arg;
	struct ss7_link_view v;

	ss7_link_view(l, &v);
	walk_object(s->w, NULL);
	link_fields(s, &v);
	walk_object_end(s->w);
}

static void links_of(struct show *s, const struct ss7_linkset *ls)
{
	walk_table(s->w, "links");
	ss7_each_link(s->ss7, ls, link_row, s);
	walk_table_end(s->w);
}

static void show_link(struct show *s)
{
	links_of(s, NULL);
}

static void counters(
	struct show *s, const char *name, const struct counter_row *rows, const uint64_t *c, unsigned n)
{
	walk_object(s->w, name);
	for (unsigned i = 0; i < n; i++)
		walk_counter(s->w, rows[i].name, c[i], rows[i].text, true);
	walk_object_end(s->w);
}

void show_link_counters(struct show *s, const struct ss7_link_view *v)
{
	counters(s, "level-3-counters", mtp3_link_counter_rows, v->c, MTP3_LC_COUNT);
	counters(s, "level-2-counters", m2pa_link_counter_rows, v->l2.c, M2LC_COUNT);
	counters(s, "traffic", assoc_counter_rows, v->l2.traffic.c, AC_COUNT);
	show_drops(s, v->l2.traffic.drops);
}

struct sum {
	uint64_t c[MTP3_LC_COUNT];
	struct ss7_link_view v;
};

static void add_link(void *arg, const struct ss7_link *l)
{
	struct sum *sum = arg;
	struct ss7_link_view v;

	ss7_link_view(l, &v);
	for (unsigned i = 0; i < MTP3_LC_COUNT; i++)
		sum->c[i] += v.c[i];
	for (unsigned i = 0; i < M2LC_COUNT; i++)
		sum->v.l2.c[i] += v.l2.c[i];
	for (unsigned i = 0; i < AC_COUNT; i++)
		sum->v.l2.traffic.c[i] += v.l2.traffic.c[i];
	for (unsigned i = 0; i < DROP_COUNT; i++)
		sum->v.l2.traffic.drops[i] += v.l2.traffic.drops[i];
}

/* Of the links that it has now. */
static void sums(struct show *s, const struct ss7_linkset *ls)
{
	struct sum sum = {.v = {.c = sum.c}};

	ss7_each_link(s->ss7, ls, add_link, &sum);
	show_link_counters(s, &sum.v);
}

static void slss_of_link(void *arg, const struct ss7_link *l)
{
	struct show *s = arg;
	struct ss7_link_view v;

	ss7_link_view(l, &v);
	walk_object(s->w, NULL);
	walk_str(s->w, "link", v.conf->l2.name);
	show_slss(s, "sls", &v.slss);
	walk_object_end(s->w);
}

/* Which link carries what. */
static void slss_of(struct show *s, const struct ss7_linkset *ls)
{
	walk_table(s->w, "shares");
	ss7_each_link(s->ss7, ls, slss_of_link, s);
	walk_table_end(s->w);
}

static void show_linkset_one(struct show *s)
{
	const struct ss7_linkset *ls = ss7_linkset_by_name(s->ss7, s->argv[0]);
	struct ss7_linkset_view v;

	if (!ls) {
		show_error(s, "no linkset named %s (see show linkset)", s->argv[0]);
		return;
	}
	ss7_linkset_view(ls, &v);
	walk_object(s->w, "linkset");
	linkset_fields(s, &v);
	walk_u64(s->w, "transitions", v.transitions);
	walk_str(s->w, "restart", v.restart);
	walk_u64(s->w, "not-allowed-here", v.not_allowed_here);
	walk_u64(s->w, "not-allowed-there", v.not_allowed_there);
	walk_bool(s->w, "c-link", v.conf->c_link);
	walk_u64(s->w, "sls-bits", v.sls_bits);
	walk_u64(s->w, "sls-rotation", v.rotation);
	walk_bool(s->w, "test", v.conf->test);
	walk_u64(s->w, "pending-limit", v.conf->pending_limit);
	walk_u64(s->w, "max-sif", v.conf->max_sif);
	links_of(s, ls);
	slss_of(s, ls);
	sums(s, ls);
	walk_object_end(s->w);
}

static void level_3(struct show *s, const struct ss7_link_view *v)
{
	show_slss(s, "sls", &v->slss);
	walk_u64(s->w, "transitions", v->transitions);
	show_since(s, "available-since", v->available_since_ms);
	walk_str(s->w, "available-reason", v->available_reason);
	walk_str(s->w, "changeover", v->changeover);
	walk_bool(s->w, "emergency-ordered", v->emergency);
	walk_str(s->w, "inhibition", v->inhibition);
	walk_str(s->w, "inhibit-reason", v->inhibit_reason);
	walk_bool(s->w, "inhibited-local", v->inhibited_local);
	walk_bool(s->w, "inhibited-remote", v->inhibited_remote);
	walk_bool(s->w, "local-outage", v->local_outage);
	walk_bool(s->w, "remote-outage", v->remote_outage);
}

static void level_2(struct show *s, const struct ss7_link_view *v)
{
	show_since(s, "level-2-since", v->l2.since_ms);
	walk_str(s->w, "level-2-reason", v->l2.reason);
	walk_str(s->w, "association-reason", v->l2.down_reason[0] ? v->l2.down_reason : NULL);
	walk_bool(s->w, "emergency", v->l2.emergency);
	walk_bool(s->w, "local-busy", v->l2.local_busy);
	walk_bool(s->w, "remote-busy", v->l2.remote_busy);
}

/* As of the last moment: what is unacknowledged or waits is what a changeover would retrieve. */
static void sequence(struct show *s, const struct ss7_link_view *v)
{
	walk_u64(s->w, "fsn", v->l2.seq.fsn);
	walk_u64(s->w, "bsn", v->l2.seq.bsn);
	walk_u64(s->w, "unacknowledged", v->l2.seq.retained);
	walk_u64(s->w, "waiting", v->l2.seq.waiting);
	walk_u64(s->w, "held", v->l2.seq.held);
	walk_u64(s->w, "queue-limit", v->conf->l2.txq_limit);
}

static void link_status(struct show *s, const struct ss7_link_view *v)
{
	walk_table(s->w, "link-status");
	for (unsigned i = M2PA_ALIGNMENT; i < M2PA_LINK_STATUSES; i++) {
		if (!v->l2.rx[i] && !v->l2.tx[i])
			continue;
		walk_object(s->w, NULL);
		walk_str(s->w, "message", m2pa_state_name(i));
		walk_u64(s->w, "received", v->l2.rx[i]);
		walk_u64(s->w, "sent", v->l2.tx[i]);
		walk_object_end(s->w);
	}
	walk_table_end(s->w);
}

static void show_link_one(struct show *s)
{
	const struct ss7_link *l = ss7_link_by_name(s->ss7, s->argv[0]);
	struct ss7_link_view v;

	if (!l) {
		show_error(s, "no link named %s (see show link)", s->argv[0]);
		return;
	}
	ss7_link_view(l, &v);
	walk_object(s->w, "link");
	link_fields(s, &v);
	level_3(s, &v);
	level_2(s, &v);
	sequence(s, &v);
	show_link_counters(s, &v);
	link_status(s, &v);
	walk_object_end(s->w);
}

const struct show_row show_ss7_rows[] = {
	{"linkset", "Linksets: the neighbours of the SS7 side\n", show_linkset},
	{"linkset NAME", "Linksets: the neighbours of the SS7 side\nOne of them, in detail\n",
		show_linkset_one},
	{"link", "SS7 links\n", show_link},
	{"link NAME", "SS7 links\nOne of them, in detail\n", show_link_one},
	{0},
};
