/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "console/lookup.h"

#include <stdarg.h>
#include <stdio.h>

#include "data/stream.h"
#include "m3ua/as.h"
#include "m3ua/asp.h"
#include "m3ua/sg.h"
#include "route/dest.h"
#include "route/route.h"
#include "wire/mtp3.h"

__attribute__((format(printf, 3, 4))) static void say(
	struct lookup *l, const char *name, const char *fmt, ...)
{
	struct lookup_step *step = &l->steps[l->n_steps];
	va_list ap;

	if (l->n_steps == LOOKUP_STEPS)
		return;
	l->n_steps++;
	step->name = name;
	va_start(ap, fmt);
	vsnprintf(step->text, sizeof(step->text), fmt, ap);
	va_end(ap);
}

static bool drop(struct lookup *l, enum drop_reason reason)
{
	l->result = "dropped";
	l->dropped = true;
	l->reason = reason;
	say(l, "result", "dropped: %s (%s)", drop_text(reason), drop_name(reason));
	return false;
}

/* Every step says what it found and whether there is a next one. */

static bool step_network(struct lookup *l, const struct fwd_match *m)
{
	const struct network_conf *c = l->net->conf;
	(void)m;
	say(l, "network", "%s: %s, %u-bit point codes, network indicator %u", c->name,
		pc_variant_name((enum pc_variant)c->variant), pc_bits((enum pc_variant)c->variant), c->ni);
	return true;
}

static bool step_origin(struct lookup *l, const struct fwd_match *m)
{
	const struct fwd_table *t = plane_table(sg_plane(l->sg));
	char opc[PC_STR];
	bool loops = t && t->routing && fwd_opc_loops(t->routing, l->net->index, l->opc);

	(void)m;
	pc_str(l->opc, &l->net->conf->format, opc, sizeof(opc));
	say(l, "origin",
		loops ? "%s is a point code of the gateway: such a message has come back, a loop"
		      : "%s is not a point code that only the gateway has",
		opc);
	return loops ? drop(l, DROP_OWN_OPC) : true;
}

static void say_destination(struct lookup *l, const struct dest *d, const char *dpc)
{
	char masked[PC_STR];

	if (!d->mask) {
		say(l, "destination", "%s is known: %s, congestion level %u, reached through: %u", dpc,
			dest_status_name(d->status), d->congestion, d->n_egresses);
		return;
	}
	pc_str(d->pc, &l->net->conf->format, masked, sizeof(masked));
	say(l, "destination",
		d->mask >= pc_bits((enum pc_variant)l->net->conf->variant)
			? "%s has no route of its own, there is a default route: %s, congestion level %u, "
			  "reached "
			  "through: %u"
			: "%s has no route of its own: %s, congestion level %u, reached through: %u, as all "
			  "of "
			  "%s/%u",
		dpc, dest_status_name(d->status), d->congestion, d->n_egresses, masked, d->mask);
}

static bool step_destination(struct lookup *l, const struct fwd_match *m)
{
	const struct dest *d = dest_match(sg_router(l->sg), l->net->index, l->dpc);
	char dpc[PC_STR];

	pc_str(l->dpc, &l->net->conf->format, dpc, sizeof(dpc));
	if (m->own_dpc)
		say(l, "destination", "%s is a point code of the gateway itself", dpc);
	else if (d)
		say_destination(l, d, dpc);
	else
		say(l, "destination", "%s is not known", dpc);
	return m->as == FWD_NO_AS && m->reason == DROP_NO_ROUTE ? drop(l, m->reason) : true;
}

static bool step_key(struct lookup *l, const struct fwd_match *m)
{
	static const char *const matched[2][2] = {
		{"the DPC alone", "DPC and OPC"}, {"DPC and SI", "DPC, SI and OPC"}};

	if (m->as == FWD_NO_AS) {
		say(l, "key", "no route there covers SI %u (%s) from this OPC", l->si, si_name(l->si));
		return drop(l, m->reason);
	}
	say(l, "key", "the most specific route matches by %s", matched[m->by_si][m->by_opc]);
	return true;
}

/* Another kind than an AS: a linkset. */
static bool step_egress(struct lookup *l, const struct route_egress *e)
{
	say(l, "as", "%s %s: %s", route_egress_ops(e)->kind, route_egress_name(e),
		l->fwd->state == FWD_AS_ACTIVE ? "up" : "down");
	return l->fwd->state == FWD_AS_ACTIVE && l->fwd->n_slots ? true : drop(l, DROP_AS_DOWN);
}

/* No single egress's target. */
static bool step_several(struct lookup *l)
{
	unsigned n = 0;

	if (l->fwd->state != FWD_AS_PENDING) {
		for (unsigned i = 0; i < l->fwd->n_slots; i++)
			n += l->fwd->slots[i].assoc != NULL;
		say(l, "as", "several routes share the load: %u associations", n);
		return true;
	}
	say(l, "as", "the traffic is about to go by another route");
	l->result = "held";
	say(l, "result",
		"held in the worker that receives it until what is under way has had time to arrive");
	return false;
}

static bool step_as(struct lookup *l, const struct fwd_match *m)
{
	const struct route_egress *e;
	const struct fwd_table *t = plane_table(sg_plane(l->sg));

	l->fwd = m->as < t->n_as ? t->as[m->as] : NULL;
	if (!l->fwd) {
		say(l, "as", "no route is available");
		return drop(l, DROP_AS_DOWN);
	}
	if (l->fwd->number == FWD_NO_AS)
		return step_several(l);
	l->as = sg_as_by_number(l->sg, l->fwd->number);
	if (!l->as && (e = router_egress_by_number(sg_router(l->sg), l->fwd->number)))
		return step_egress(l, e);
	if (!l->as) {
		say(l, "as", "application server %u has gone; a new table is about to come", l->fwd->number);
		return drop(l, DROP_AS_DOWN);
	}
	say(l, "as", "%s: %s, %s, active ASPs: %u", l->as->conf->name, as_state_name(l->as->state),
		as_mode_name(l->as->conf->mode), l->fwd->n_slots);
	if (l->fwd->state == FWD_AS_PENDING) {
		l->result = "held";
		say(l, "result",
			"held in the worker that receives it until an ASP is active or T(r) (%u ms) expires",
			l->as->conf->t_r_ms);
		return false;
	}
	return l->fwd->state == FWD_AS_ACTIVE && l->fwd->n_slots ? true : drop(l, DROP_AS_DOWN);
}

static void say_way(struct lookup *l, const struct fwd_slot *slot)
{
	l->via = router_egress_by_number(sg_router(l->sg), slot->as);
	if (l->fwd->number == FWD_NO_AS && l->via)
		say(l, "way", "of these routes, that through %s carries this SLS", route_egress_name(l->via));
	if (slot->rotate)
		say(l, "label", "%u bits of the SLS are rotated: it leaves with %u", slot->rotate,
			mtp3_sls_rotate(
				l->sls & (uint8_t)(sls_values(&l->net->conf->sls) - 1), slot->rotate));
}

static bool step_share(struct lookup *l, const struct fwd_match *m)
{
	const struct fwd_as *f = l->fwd;
	(void)m;
	l->n_asps = 1;
	if (f->mode == FWD_BROADCAST) {
		l->n_asps = f->n_slots;
		say(l, "share", "broadcast: every active ASP gets a copy");
	} else if (f->mode == FWD_LOADSHARE && f->n_buckets) {
		l->bucket = fwd_bucket(f, l->opc, l->dpc, l->si, l->sls, NULL, 0);
		l->first_asp = f->share[l->bucket];
		say(l, "share", "loadshare by %s: bucket %u of %u%s", as_share_key_name((int)f->key),
			l->bucket, f->n_buckets,
			f->key == FWD_KEY_CIC ? " (of a message without a CIC: the CIC is in the payload)"
					      : "");
	} else {
		say(l, "share", "%s: the active ASP takes all", as_mode_name((int)f->mode));
	}
	say_way(l, &f->slots[l->first_asp]);
	if (f->slots[l->first_asp].hold) {
		l->n_asps = 0;
		l->result = "held";
		say(l, "result", "held in the worker that receives it: this SLS is moving to another %s",
			l->via ? "link" : "route");
		return false;
	}
	if (!l->as)
		l->as = sg_as_by_number(l->sg, f->slots[l->first_asp].as);
	return true;
}

uint16_t lookup_stream(const struct lookup *l, const struct assoc *a)
{
	return flow_stream(assoc_out_streams(a), l->opc, l->dpc, l->sls);
}

static bool step_asp(struct lookup *l, const struct fwd_match *m)
{
	(void)m;
	for (unsigned i = 0; i < l->n_asps && l->n_steps < LOOKUP_STEPS - 1; i++) {
		const struct assoc *a = l->fwd->slots[l->first_asp + i].assoc;
		say(l, "asp", "%s: association %s over %s, worker %u, stream %u", assoc_name(a),
			assoc_state_name(assoc_state(a)), assoc_transport(a)->name, assoc_worker(a),
			lookup_stream(l, a));
	}
	l->result = "forwarded";
	say(l, "result", "forwarded");
	return true;
}

void lookup_run(struct lookup *l)
{
	static bool (*const steps[])(struct lookup * l, const struct fwd_match *m) = {
		step_network, step_origin, step_destination, step_key, step_as, step_share, step_asp};
	const struct fwd_table *t = plane_table(sg_plane(l->sg));
	struct fwd_match m = {.as = FWD_NO_AS, .reason = DROP_NO_ROUTE};

	if (t && t->routing)
		fwd_route(t->routing, l->net->index, l->opc, l->dpc, l->si, &m);
	for (unsigned i = 0; i < sizeof(steps) / sizeof(steps[0]); i++)
		if (!steps[i](l, &m))
			return;
}
