/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rig.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/fwd_route.h"
#include "m3ua/sg_int.h"
#include "route/route.h"
#include "ss7/ss7_int.h"

/* Links are no ASP's: what the daemon asks before it hands on an event. */
enum assoc_proto assoc_proto(const struct assoc *a)
{
	(void)a;
	return ASSOC_M2PA;
}

/* ---- rows ---- */

struct ss7_linkset_conf *gw_linkset(struct gw *g, const char *name, uint32_t adjacent)
{
	unsigned i = g->conf.n_linksets++;

	g->linksets[i] = (struct ss7_linkset_conf){.name = name,
		.network = "national",
		.adjacent = adjacent,
		.has_sls_bits = true,
		.sls_bits = 4,
		.pending_limit = 100,
		.links = g->members[i]};
	return &g->linksets[i];
}

struct ss7_link_conf *gw_link(struct gw *g, struct ss7_linkset_conf *ls, const char *name, uint8_t slc)
{
	struct ss7_link_conf *c = &g->links[g->conf.n_links++];

	*c = (struct ss7_link_conf){.slc = slc, .l2 = {.name = name, .listener = "asps"}};
	assert_int_equal(tp_addr_parse(&c->l2.tp.remote[0], "127.0.1.1"), SB_OK);
	c->l2.tp.n_remote = 1;
	g->members[ls - g->linksets][ls->n_links++] = name;
	return c;
}

void gw_route(struct gw *g, uint32_t pc, const char *via, uint8_t priority)
{
	g->routes[g->rig->conf.n_routes++] = (struct route_conf){
		.network = "national", .dest = {.pc = pc}, .via = via, .priority = priority};
}

struct gw *gw_new(void)
{
	struct gw *g = calloc(1, sizeof(*g));
	struct ss7_linkset_conf *a, *b;

	g->rig = rig_new();
	g->conf = (struct ss7_conf){
		.mtp3 = {.transfer = true, .restricted = true}, .links = g->links, .linksets = g->linksets};
	g->pcs[0] = GW_OWN;
	g->rig->networks[0].pcs = g->pcs;
	g->rig->networks[0].n_pcs = 1;
	a = gw_linkset(g, "a", GW_A);
	gw_link(g, a, "a0", 0);
	gw_link(g, a, "a1", 1);
	b = gw_linkset(g, "b", GW_B);
	gw_link(g, b, "b0", 0);
	g->rig->conf.routes = g->routes;
	gw_route(g, 300, "a", 1);
	gw_route(g, 300, "b", 2);
	gw_route(g, 400, "b", 1);
	return g;
}

/* ---- life ---- */

void gw_start(struct gw *g)
{
	unsigned n_routes = g->rig->conf.n_routes;

	g->rig->conf.n_routes = 0; /* none can be named before there is an ss7 */
	rig_start(g->rig);
	g->rig->conf.n_routes = n_routes;
	g->ss7 = ss7_new(NULL, g->rig->sg);
	assert_non_null(g->ss7);
	ss7_set_plane(g->ss7, g->rig->plane);
	gw_change(g, SG_ROUTES, SG_UPDATE, "routes");
	gw_reload(g);
	gw_grace(g);
}

struct gw *gw_running(void)
{
	struct gw *g = gw_new();

	gw_start(g);
	for (unsigned i = 0; i < g->conf.n_links; i++)
		gw_up(g, g->links[i].l2.name);
	gw_pass_ms(g, 2000); /* changeback by time: nobody answers CBD */
	l2_forget();
	rig_forget(g->rig);
	return g;
}

void gw_free(struct gw *g)
{
	gw_grace(g);
	ss7_purge(g->ss7);
	ss7_free(g->ss7);
	rig_free(g->rig);
	free(g);
}

void gw_change(struct gw *g, enum sg_object object, enum sg_change_op op, const char *name)
{
	g->changes[g->n_changes++] = (struct sg_change){.object = object, .op = op, .name = name};
}

void gw_reload(struct gw *g)
{
	ss7_prepare(g->ss7, &g->conf, &g->rig->conf, g->changes, g->n_changes);
	sg_apply(g->rig->sg, &g->rig->conf, g->changes, g->n_changes);
	ss7_apply(g->ss7);
	g->n_changes = 0;
}

void gw_settle(struct gw *g)
{
	sg_settle(g->rig->sg);
	ss7_settle(g->ss7);
}

void gw_grace(struct gw *g)
{
	do {
		fake_grace(g->rig->plane);
		gw_settle(g);
	} while (fake_grace_pending(g->rig->plane));
}

void gw_pass_ms(struct gw *g, uint32_t ms)
{
	while (ms--) {
		rig_pass_ms(g->rig, 1);
		gw_grace(g);
	}
}

/* ---- links ---- */

static struct ss7_link *link_of(struct gw *g, const char *name)
{
	struct ss7_link *l = ss7_link_by_name(g->ss7, name);

	if (!l)
		fail_msg("there is no link %s", name);
	return l;
}

struct m2pa_link *gw_l2(struct gw *g, const char *link)
{
	return link_of(g, link)->l2;
}

void gw_up(struct gw *g, const char *link)
{
	l2_up(gw_l2(g, link));
	gw_grace(g);
}

void gw_fail(struct gw *g, const char *link)
{
	l2_fail(gw_l2(g, link), "pulled");
	gw_settle(g);
}

bool gw_operate(struct gw *g, const char *link, enum ss7_operation op, const char **why)
{
	bool done = ss7_link_operate(link_of(g, link), op, why);

	gw_grace(g);
	return done;
}

struct ss7_link_view gw_view(struct gw *g, const char *link)
{
	struct ss7_link_view v;

	ss7_link_view(link_of(g, link), &v);
	return v;
}

struct ss7_linkset_view gw_linkset_view(struct gw *g, const char *linkset)
{
	struct ss7_linkset_view v;
	struct ss7_linkset *ls = ss7_linkset_by_name(g->ss7, linkset);

	assert_non_null(ls);
	ss7_linkset_view(ls, &v);
	return v;
}

/* ---- messages ---- */

void gw_tell(struct gw *g, const char *link, uint32_t opc, uint32_t dpc, struct snm m)
{
	struct mtp3_label label = {.opc = opc, .dpc = dpc ? dpc : GW_OWN, .ni = 2};
	uint8_t msu[SNM_MAX];
	uint32_t len;

	assert_int_equal(snm_write(msu, sizeof(msu), PC_ITU, &label, &m, &len), MTP3_OK);
	l2_message(gw_l2(g, link), msu, len);
	gw_settle(g);
}

uint32_t gw_msu(uint8_t *out, uint32_t dpc, uint8_t si, uint8_t sls, uint8_t number)
{
	struct mtp3_label label = {.opc = 100, .dpc = dpc, .si = si, .ni = 2, .sls = sls};
	uint32_t len = mtp3_head_len(PC_ITU);

	assert_int_equal(mtp3_head_write(out, PC_ITU, &label), MTP3_OK);
	out[len] = number;
	return len + 1;
}

/* ---- the published table ---- */

static const char *name_of(struct gw *g, const struct fwd_slot *slot)
{
	for (unsigned i = 0; i < g->conf.n_links; i++) {
		struct ss7_link *l = ss7_link_by_name(g->ss7, g->links[i].l2.name);

		if (l && slot->assoc == m2pa_link_assoc(l->l2))
			return l->name;
	}
	if (slot->hold)
		return "held";
	return slot->assoc ? route_egress_name(router_egress_by_number(sg_router(g->rig->sg), slot->as))
			   : "-";
}

/* NULL: no route. */
static const struct fwd_as *target_of(struct gw *g, uint32_t dpc)
{
	static const struct fwd_as nobody;
	const struct fwd_table *t = plane_table(g->rig->plane);
	struct fwd_match m;

	fwd_route(t->routing, 0, GW_A, dpc, MTP3_SI_ISUP, &m);
	if (m.as == FWD_NO_AS)
		return NULL;
	return t->as[m.as] ? t->as[m.as] : &nobody;
}

static const struct fwd_slot *slot_of(const struct fwd_as *to, uint32_t dpc, uint8_t sls)
{
	if (to->mode != FWD_LOADSHARE)
		return &to->slots[0];
	return &to->slots[to->share[fwd_bucket(to, GW_A, dpc, MTP3_SI_ISUP, sls, NULL, 0)]];
}

const char *gw_way(struct gw *g, uint32_t dpc, uint8_t sls)
{
	const struct fwd_as *to = target_of(g, dpc);

	if (!to)
		return "none";
	switch (to->state) {
	case FWD_AS_UNSERVED: return "-";
	case FWD_AS_PENDING: return "held";
	default: return name_of(g, slot_of(to, dpc, sls));
	}
}

uint16_t gw_max_sif(struct gw *g, uint32_t dpc)
{
	return slot_of(target_of(g, dpc), dpc, 0)->max_sif;
}

const char *gw_ways(struct gw *g, uint32_t dpc)
{
	static char text[17];

	for (uint8_t sls = 0; sls < 16; sls++) {
		const char *way = gw_way(g, dpc, sls);

		text[sls] = way[strlen(way) - 1];
	}
	return text;
}

bool gw_accepts(struct gw *g, const char *link)
{
	const struct fwd_table *t = plane_table(g->rig->plane);
	uint32_t id = assoc_id(m2pa_link_assoc(gw_l2(g, link)));

	return id < t->n_ingress && t->ingress[id] && t->ingress[id]->only.active;
}
