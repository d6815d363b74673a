/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What ASPs and nodes hear, sorted: messages to their flow, SSNM and TFx to the flows that go there. */
#include <stdio.h>

#include "base/clock.h"
#include "sim/sim.h"

static struct sim *sim_of(struct asp *a)
{
	return a->env->user;
}

/* A damaged message: to the flow it names, else to the one whose label it carries. */
static void count_corrupted(struct sim *s, const struct arrival *a, struct flow *named)
{
	if (named && !flow_label_matches(named, a))
		named = NULL;
	for (unsigned i = 0; !named && i < s->o->n_flows; i++)
		if (flow_label_matches(&s->flows[i], a))
			named = &s->flows[i];
	if (named)
		named->corrupted++;
	else
		s->corrupted++;
}

/* Nothing in it says whose it is: the label does. */
static bool replayed(struct sim *s, const struct arrival *a, const uint8_t *user_part, uint32_t len)
{
	struct payload p;

	for (unsigned i = 0; i < s->o->n_flows; i++) {
		struct flow *f = &s->flows[i];

		if (!f->replay.n || !flow_label_matches(f, a))
			continue;
		if (flow_find_replayed(f, a, user_part, len, &p))
			flow_receive(f, a, &p);
		else
			f->corrupted++;
		return true;
	}
	return false;
}

static void arrived(struct sim *s, const struct arrival *a, const uint8_t *payload, uint32_t len)
{
	struct payload p;
	struct flow *f;
	enum payload_verdict v = dress_read(payload, len, a->label.si, &p);

	if (s->phase > SIM_DRAIN) { /* it has been judged */
		s->too_late++;
		return;
	}
	s->last_rx_ns = a->rx_ns;
	if (v == PAYLOAD_ALIEN && replayed(s, a, payload, len))
		return;
	if (v == PAYLOAD_ALIEN) {
		s->foreign++;
		return;
	}
	f = s->by_id[p.flow];
	if (v == PAYLOAD_BROKEN)
		count_corrupted(s, a, f);
	else if (p.run != s->o->run || !f)
		s->foreign++;
	else if (!flow_may_arrive(f, &a->at))
		s->misrouted++;
	else
		flow_receive(f, a, &p);
}

static void on_data(struct asp *a, const struct m3ua_data *d, const uint8_t *payload, uint64_t rx_ns)
{
	const struct as_opts *as = a->conf;
	struct arrival at = {.at = {.as = a->as},
		.member = a->index,
		.wrong = (a->has_rc && d->has_rc && d->rc != a->rc) ||
			 (as->has_na && d->has_na && d->na != as->na),
		.label = d->label,
		.rx_ns = rx_ns};

	arrived(sim_of(a), &at, payload, d->payload_len);
}

static void on_msu(
	struct node *n, const struct mtp3_label *label, const uint8_t *payload, uint32_t len, uint64_t rx_ns)
{
	struct arrival at = {.at = {.node = n->main}, .label = *label, .rx_ns = rx_ns};

	arrived(n->user, &at, payload, len);
}

/* A node has the user parts of the flows from and to it; those of a capture may be any. */
static bool on_has_user(const struct node *n, uint8_t si)
{
	const struct sim *s = n->user;

	for (unsigned i = 0; i < s->o->n_flows; i++) {
		const struct flow *f = &s->flows[i];

		if ((f->from.node == n->main || f->to.node == n->main) && (f->replay.n || f->o->si == si))
			return true;
	}
	return false;
}

static void on_changed(struct asp *a)
{
	as_share(a->as);
}

/* DUNA stops the user parts, DAVA lets them go on, SCON asks for less: here, a pause of 100 ms each, about
 * what T29 of Q.704 s.16.8 gives. */
static void apply(struct flow *f, uint16_t type, uint64_t now)
{
	if (type == M3UA_DUNA)
		flow_pause(f, now, 0);
	else if (type == M3UA_DAVA)
		flow_resume(f, now);
	else if (type == M3UA_SCON && !f->paused)
		flow_pause(f, now, now + 100000000u);
}

static void on_ssnm(struct asp *a, const struct m3ua_msg *m)
{
	struct sim *s = sim_of(a);
	struct m3ua_param pcs;

	if (!s->o->obey_ssnm || !m3ua_find(m, M3UA_P_AFFECTED_PC, &pcs))
		return;
	for (uint32_t i = 0; i < m3ua_list_len(&pcs); i++) {
		uint32_t entry = m3ua_list_u32(&pcs, i), mask = entry >> 24, pc = entry & 0xffffff;

		for (unsigned k = 0; mask <= 24 && k < s->o->n_flows; k++) {
			struct flow *f = &s->flows[k];

			if (f->from.as == a->as && f->o->dpc >> mask == pc >> mask)
				apply(f, m->type, clock_ns());
		}
	}
}

/* TFP, TFA, TFR and TFC bind a node, --obey-ssnm or not: it is level 3 itself. */
static void on_news(struct node *n, uint32_t dest, enum node_news what)
{
	static const uint16_t like[] = {[NODE_NEWS_PROHIBITED] = M3UA_DUNA,
		[NODE_NEWS_ALLOWED] = M3UA_DAVA,
		[NODE_NEWS_CONGESTED] = M3UA_SCON};
	struct sim *s = n->user;

	if (what == NODE_NEWS_PROHIBITED && node_reaches(n->main, dest)) /* by another linkset */
		return;
	for (unsigned k = 0; k < s->o->n_flows; k++)
		if (s->flows[k].from.node == n->main && s->flows[k].o->dpc == dest)
			apply(&s->flows[k], like[what], clock_ns());
}

void sim_log(struct node *n, const char *name, const char *text)
{
	struct sim *s = n->user;
	double t = s->start_ns ? (double)(int64_t)(clock_ns() - s->start_ns) * 1e-9 : 0;

	fprintf(stderr, "%9.3f %s: %s\n", t, name, text);
}

static void on_log(struct asp *a, const char *text)
{
	struct sim *s = sim_of(a);
	double t = s->start_ns ? (double)(int64_t)(clock_ns() - s->start_ns) * 1e-9 : 0;

	fprintf(stderr, "%9.3f %s: %s\n", t, a->name, text);
}

const struct asp_upcalls sim_upcalls = {.data = on_data, .changed = on_changed, .ssnm = on_ssnm};
const struct asp_upcalls sim_upcalls_verbose = {
	.data = on_data, .changed = on_changed, .ssnm = on_ssnm, .log = on_log};
const struct node_upcalls sim_node_upcalls = {.has_user = on_has_user, .msu = on_msu, .news = on_news};
