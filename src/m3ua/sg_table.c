/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "m3ua/sg_table.h"

#include <talloc.h>

#include "base/log.h"
#include "m3ua/role.h"
#include "m3ua/sg_int.h"

/* ---- Application Servers ---- */

static enum fwd_as_state fwd_state(const struct as *as)
{
	switch (as->state) {
	case AS_ACTIVE: return FWD_AS_ACTIVE;
	case AS_PENDING: return FWD_AS_PENDING;
	default: return FWD_AS_UNSERVED;
	}
}

/* The ASPs that get its traffic. */
static void offer(void *owner, struct route_offer *out)
{
	const struct as *as = owner;
	const struct network_conf *net = as->network ? as->network->conf : NULL;
	struct fwd_slot slot = {.has_na = net && net->has_na, .na = net ? net->na : 0};
	const struct as_asp *m;

	out->state = fwd_state(as);
	out->mode = role_mode(as);
	out->key = (enum fwd_share_key)as->conf->share_key;
	llist_for_each_entry (m, &as->asps, in_as) {
		if (!m->tx || !m->asp->assoc)
			continue;
		slot.assoc = m->asp->assoc;
		slot.life = assoc_life(slot.assoc);
		slot.flags = m->asp->conf->compat.five_bit_sls ? FWD_SLOT_SLS5 : 0;
		slot.has_rc = role_rc(m, &slot.rc) && !m->asp->conf->compat.no_rc_in_data;
		if (!route_offer_slot(out, m->asp->number, &slot))
			return;
	}
	if (out->state == FWD_AS_ACTIVE && !out->n_slots) /* in a moment: sg_settle.c */
		out->state = FWD_AS_PENDING;
}

/* Its congestion is the highest level of its active ASPs. */
static void condition(void *owner, enum dest_status *status, uint8_t *congestion)
{
	const struct as *as = owner;
	const struct as_asp *m;

	*status = as->status;
	*congestion = 0;
	llist_for_each_entry (m, &as->asps, in_as)
		if (m->state == ASP_ACTIVE && m->asp->congestion > *congestion)
			*congestion = m->asp->congestion;
}

const struct route_egress_ops as_egress_ops = {.kind = "as", .offer = offer, .condition = condition};

void table_dirty_as(struct as *as)
{
	route_egress_dirty(as->egress);
}

/* ---- ingress ---- */

void table_dirty_ingress(struct asp *asp)
{
	asp->ingress_dirty = true;
	asp->sg->dirty_ingress = true;
}

void table_drop_assoc(struct sg *sg, const struct assoc *a)
{
	router_drop_ingress(sg->router, a);
}

static struct fwd_ingress_rc ingress_of(const struct as_asp *m)
{
	uint32_t rc = 0;

	(void)role_own_rc(m, &rc);
	return (struct fwd_ingress_rc){.rc = rc,
		.as = m->as->number,
		.network = m->as->network ? m->as->network->index : 0,
		.active = m->rx,
		.sls5 = m->asp->conf->compat.five_bit_sls};
}

/* What DATA without a Routing Context means to be from, where the ASP has several ASs (compat no-rc-in-data):
 * by_rc is sorted. */
static const struct as_asp *first_open(const struct asp *asp)
{
	for (unsigned i = 0; i < asp->by_rc.n; i++)
		if (asp->by_rc.v[i]->rx)
			return asp->by_rc.v[i];
	return asp->by_rc.n ? asp->by_rc.v[0] : NULL;
}

static void compile_asp(struct asp *asp)
{
	struct fwd_ingress_rc *rcs, only;
	const struct fwd_ingress_rc *one = NULL;
	const struct as_asp *m;
	uint32_t rc;
	unsigned n = 0;

	asp->ingress_dirty = false;
	if (!asp->assoc)
		return;
	rcs = talloc_array(asp, struct fwd_ingress_rc, asp->n_ass + 1);
	if (!rcs)
		return;
	llist_for_each_entry (m, &asp->ass, in_asp) {
		if (role_own_rc(m, &rc)) {
			rcs[n++] = ingress_of(m);
		} else if (!role_registers(asp)) { /* what DATA without a Routing Context means */
			only = ingress_of(m);
			one = &only;
		}
	}
	if (!one && asp->conf->compat.no_rc_in_data && (m = first_open(asp))) {
		only = ingress_of(m);
		one = &only;
	}
	router_set_ingress(asp->sg->router, asp->assoc, rcs, n, one);
	talloc_free(rcs);
}

static void compile_ingress(struct sg *sg)
{
	struct asp *asp;

	if (!sg->dirty_ingress)
		return;
	sg->dirty_ingress = false;
	llist_for_each_entry (asp, &sg->asps, entry)
		if (asp->ingress_dirty)
			compile_asp(asp);
}

/* ---- routes ---- */

static unsigned count_rows(const struct key_conf *k)
{
	return (k->n_si ? k->n_si : 1) * (k->n_opc ? k->n_opc : 1);
}

static struct route_spec *add_rows(struct route_spec *row, const struct as *as, const struct key_conf *k)
{
	for (unsigned s = 0; s < (k->n_si ? k->n_si : 1); s++)
		for (unsigned o = 0; o < (k->n_opc ? k->n_opc : 1); o++)
			*row++ = (struct route_spec){.network = as->network->index,
				.pc = k->dpc,
				.si = k->n_si ? k->si[s] : FWD_ANY_SI,
				.opc = k->n_opc ? k->opc[o] : FWD_ANY_OPC,
				.egress = as->egress};
	return row;
}

static struct route_spec *routing_keys(struct sg *sg, unsigned *n)
{
	struct route_spec *rows, *row;
	struct as *as;

	*n = 0;
	llist_for_each_entry (as, &sg->ass, entry)
		for (unsigned i = 0; i < role_n_keys(as); i++)
			*n += count_rows(&as->conf->keys[i]);
	rows = row = talloc_array(sg->ctx, struct route_spec, *n + 1);
	if (!rows)
		return NULL;
	llist_for_each_entry (as, &sg->ass, entry)
		for (unsigned i = 0; i < role_n_keys(as); i++)
			row = add_rows(row, as, &as->conf->keys[i]);
	return rows;
}

static unsigned routing_networks(struct sg *sg, struct fwd_network *out)
{
	unsigned n = 0;

	for (unsigned i = 0; i < SG_MAX_NETWORKS; i++) {
		const struct network_conf *c = sg->by_index[i] ? sg->by_index[i]->conf : NULL;

		out[i] = (struct fwd_network){.pc_bits = 14};
		if (!c)
			continue;
		out[i] = (struct fwd_network){.pc_bits = pc_bits((enum pc_variant)c->variant),
			.variant = (uint8_t)c->variant,
			.ni = c->check_ni ? c->ni : FWD_ANY_NI,
			.has_na = c->has_na,
			.na = c->na,
			.sls = c->sls,
			.own_pcs = c->pcs,
			.n_own_pcs = c->n_pcs};
		n = i + 1;
	}
	return n;
}

static void set_routes(struct sg *sg, enum route_source source, struct route_spec *take_rows, unsigned n)
{
	if (take_rows)
		router_set_routes(sg->router, source, take_rows, n);
	else
		LOGP(DROUTE, LOGL_ERROR, "no memory for the routes: the old ones stay\n");
	talloc_free(take_rows);
}

/* The egress may be another protocol's. */
static struct route_spec *configured_routes(struct sg *sg, unsigned *n)
{
	struct route_spec *rows = talloc_array(sg->ctx, struct route_spec, sg->conf->n_routes + 1);

	*n = 0;
	for (unsigned i = 0; rows && i < sg->conf->n_routes; i++) {
		const struct route_conf *c = &sg->conf->routes[i];
		const struct sg_network *network = sg_network_by_name(sg, c->network);
		struct route_egress *e = router_egress_by_name(sg->router, c->via);

		if (network && e)
			rows[(*n)++] = (struct route_spec){.network = network->index,
				.pc = c->dest.pc,
				.mask = c->dest.mask,
				.si = FWD_ANY_SI,
				.opc = FWD_ANY_OPC,
				.priority = c->priority,
				.egress = e};
	}
	return rows;
}

void table_routes_changed(struct sg *sg)
{
	static struct fwd_network networks[SG_MAX_NETWORKS];
	struct route_spec *rows;
	unsigned n;

	router_set_networks(sg->router, networks, routing_networks(sg, networks));
	rows = routing_keys(sg, &n);
	set_routes(sg, ROUTES_OF_KEYS, rows, n);
	rows = configured_routes(sg, &n);
	set_routes(sg, ROUTES_CONFIGURED, rows, n);
	router_rebuild(sg->router);
}

void table_publish(struct sg *sg, bool ingress_only)
{
	compile_ingress(sg);
	router_publish(sg->router, ingress_only);
}
