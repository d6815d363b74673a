/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Called by input.c and adjacent.c; owns the linkset's routes that are not allowed. */
#include "mtp3/route_test.h"

#include <talloc.h>

#include "mtp3/out.h"

enum { CLUSTER_MASK = 8 };

/* clang-format off */
const struct rt_cell rt_fsm[MTP3_STATUSES][TE_EVENTS] = {
	[MTP3_ALLOWED] = {
		[TE_TFP]  = {MTP3_PROHIBITED, TX_CHANGE},
		[TE_TFR]  = {MTP3_RESTRICTED, TX_CHANGE},
		[TE_TFA]  = {MTP3_ALLOWED,    TX_NONE},
		[TE_T10]  = {MTP3_ALLOWED,    TX_NONE},
		[TE_GONE] = {MTP3_ALLOWED,    TX_NONE},
	},
	[MTP3_RESTRICTED] = {
		[TE_TFP]  = {MTP3_PROHIBITED, TX_CHANGE},
		[TE_TFR]  = {MTP3_RESTRICTED, TX_NONE}, /* s.13.4.4 */
		[TE_TFA]  = {MTP3_ALLOWED,    TX_ALLOW},
		[TE_T10]  = {MTP3_RESTRICTED, TX_TEST},
		[TE_GONE] = {MTP3_ALLOWED,    TX_STOP},
	},
	[MTP3_PROHIBITED] = {
		[TE_TFP]  = {MTP3_PROHIBITED, TX_NONE}, /* s.13.2.4 */
		[TE_TFR]  = {MTP3_RESTRICTED, TX_CHANGE}, /* s.13.4.5 */
		[TE_TFA]  = {MTP3_ALLOWED,    TX_ALLOW},
		[TE_T10]  = {MTP3_PROHIBITED, TX_TEST},
		[TE_GONE] = {MTP3_ALLOWED,    TX_STOP},
	},
};
/* clang-format on */

static void transition(struct route_mark *r, enum rt_event e);

static void t10_expired(void *data)
{
	struct route_mark *r = data;
	struct mtp3_net *n = r->ls->net;

	transition(r, TE_T10);
	settle(n);
}

static void drop(struct route_mark *r)
{
	osmo_timer_del(&r->t10);
	pc_map_remove(&r->ls->routes, &r->node);
	talloc_free(r);
}

static bool report(const struct route_mark *r)
{
	return ops_of(r->ls->net)->route_status(r->ls, r->node.key.pc, r->node.key.mask, r->status);
}

/* s.13.2.4: about a route that does not exist, no action. */
static void change(struct route_mark *r)
{
	if (report(r))
		timer_start(&r->t10, r->ls->net, MTP3_T10, t10_expired, r);
	else
		drop(r);
}

static void test(struct route_mark *r)
{
	bool prohibited = r->status == MTP3_PROHIBITED;
	struct snm m = {.dest = r->node.key.pc};

	if (r->node.key.mask)
		m.id = prohibited ? SNM_RCP : SNM_RCR;
	else
		m.id = prohibited ? SNM_RST : SNM_RSR;
	out_to_neighbour(r->ls, NULL, &m);
	timer_start(&r->t10, r->ls->net, MTP3_T10, t10_expired, r);
}

/* The one place where a route's status changes. May free R. */
static void transition(struct route_mark *r, enum rt_event e)
{
	const struct rt_cell *cell = &rt_fsm[r->status][e];

	r->status = cell->next;
	switch ((enum rt_action)cell->action) {
	case TX_CHANGE: change(r); break;
	case TX_TEST: test(r); break;
	case TX_ALLOW:
	case TX_STOP:
		report(r);
		drop(r);
		break;
	case TX_NONE:
		if (r->status == MTP3_ALLOWED)
			drop(r);
		break;
	}
}

static struct route_mark *find(struct mtp3_linkset *ls, uint32_t pc, uint8_t mask)
{
	const struct pc_key key = {.pc = pc, .mask = mask};
	struct route_mark *r = (struct route_mark *)pc_map_find(&ls->routes, key);

	if (r)
		return r;
	r = talloc_zero(ls, struct route_mark);
	if (!r || !pc_map_add(ls, &ls->routes, &r->node, key)) {
		talloc_free(r);
		return NULL;
	}
	r->ls = ls;
	r->status = MTP3_ALLOWED;
	return r;
}

static enum rt_event event_of(unsigned id)
{
	switch (id) {
	case SNM_TFP:
	case SNM_TCP: return TE_TFP;
	case SNM_TFR:
	case SNM_TCR: return TE_TFR;
	default: return TE_TFA;
	}
}

static bool of_cluster(unsigned id)
{
	return id == SNM_TCP || id == SNM_TCR || id == SNM_TCA;
}

/* s.13.2.4: to itself the neighbour is no transfer point. The linkset's state alone says whether it is there.
 */
static bool is_about_itself(const struct mtp3_linkset *ls, const struct snm *m)
{
	return m->dest == ls->conf->adjacent && !of_cluster(m->id);
}

void route_test_message(struct mtp3_linkset *ls, const struct snm *m)
{
	struct route_mark *r;

	if (is_about_itself(ls, m))
		return;
	r = find(ls, m->dest, of_cluster(m->id) ? CLUSTER_MASK : 0);
	if (r)
		transition(r, event_of(m->id));
}

static void forget(struct pc_node *node)
{
	transition((struct route_mark *)node, TE_GONE);
}

void route_test_forget(struct mtp3_linkset *ls)
{
	pc_map_each(&ls->routes, forget);
}

static void drop_node(struct pc_node *node)
{
	drop((struct route_mark *)node);
}

void route_test_drop(struct mtp3_linkset *ls)
{
	pc_map_each(&ls->routes, drop_node);
	pc_map_clear(&ls->routes);
}
