/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rig.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/fwd.h"
#include "data/plane.h"

/* ---- a plane that only keeps the table ---- */

static struct fwd_table *table;
static struct {
	void (*fn)(void *arg);
	void *arg;
} graces[256];
static unsigned n_graces;

void plane_publish(struct plane *p, struct fwd_table *t)
{
	(void)p;
	fwd_table_follow(t, table);
	fwd_table_free(table);
	table = t;
}

const struct fwd_table *plane_table(const struct plane *p)
{
	(void)p;
	return table;
}

void plane_after_grace(struct plane *p, void (*fn)(void *arg), void *arg)
{
	(void)p;
	assert_true(n_graces < 256);
	graces[n_graces].fn = fn;
	graces[n_graces++].arg = arg;
}

uint32_t assoc_id(const struct assoc *a)
{
	return (uint32_t)(uintptr_t)a;
}

void rig_grace(struct rig *r)
{
	(void)r;
	for (unsigned i = 0; i < n_graces; i++)
		graces[i].fn(graces[i].arg);
	n_graces = 0;
}

/* ---- egresses ---- */

static void offer(void *owner, struct route_offer *out)
{
	const struct rig_egress *e = owner;

	out->state = e->state;
	out->mode = e->mode;
	out->key = FWD_KEY_SLS;
	for (unsigned i = 0; e->state == FWD_AS_ACTIVE && i < e->n_slots; i++) {
		struct fwd_slot slot = {.assoc = (struct assoc *)(uintptr_t)(i + 1), .rc = 1};

		assert_true(route_offer_slot(out, i, &slot));
	}
}

static void condition(void *owner, enum dest_status *status, uint8_t *congestion)
{
	const struct rig_egress *e = owner;

	*status = e->status;
	*congestion = e->congestion;
}

static const struct route_egress_ops ops = {.kind = "egress", .offer = offer, .condition = condition};

/* ---- news ---- */

static void say(struct rig *r, const char *kind, const struct route_list *l)
{
	size_t n = strlen(r->news);

	if (!l->n)
		return;
	n += (size_t)snprintf(r->news + n, sizeof(r->news) - n, " %s", kind);
	for (uint32_t i = 0; i < l->n; i++) {
		n += (size_t)snprintf(r->news + n, sizeof(r->news) - n, " %u", l->v[i] & 0xffffff);
		if (l->v[i] >> 24)
			n += (size_t)snprintf(r->news + n, sizeof(r->news) - n, "/%u", l->v[i] >> 24);
	}
}

static void changed(void *user, const struct route_news *news)
{
	static const char *const levels[] = {"level0", "level1", "level2", "level3"};
	struct rig *r = user;

	assert_int_equal(news->network, 0);
	strcat(r->news, news->from ? route_egress_name(news->from) : "nobody");
	strcat(r->news, ":");
	for (unsigned i = 0; i < 4; i++)
		say(r, levels[i], &news->congested[i]);
	for (unsigned s = DEST_AVAILABLE; s <= DEST_UNAVAILABLE; s++)
		say(r, dest_status_name((enum dest_status)s), &news->by_status[s]);
	strcat(r->news, "\n");
}

static void moved(void *user, const struct dest *d)
{
	struct rig *r = user;
	size_t n = strlen(r->moved);

	snprintf(r->moved + n, sizeof(r->moved) - n, d->mask ? "%s%u/%u" : "%s%u", n ? " " : "", d->pc,
		d->mask);
}

static void moves(void *user, const struct dest *d, enum route_move how)
{
	struct rig *r = user;
	size_t n = strlen(r->moves);

	snprintf(r->moves + n, sizeof(r->moves) - n, "%s%u %s", n ? ", " : "", d->pc,
		how == ROUTE_FORCED ? "forced" : "controlled");
	route_hold(r->r, d->network, d->pc, d->mask, r->holds && how == ROUTE_CONTROLLED);
}

static const struct route_listener listener = {.changed = changed, .moved = moved, .moves = moves};

/* ---- the whole ---- */

void rig_start(struct rig *r)
{
	static const char *const names[RIG_EGRESSES] = {"a", "b", "c", "d"};

	memset(r, 0, sizeof(*r));
	r->r = router_new(NULL);
	assert_true(router_subscribe(r->r, &listener, r));
	for (unsigned i = 0; i < RIG_EGRESSES; i++) {
		r->e[i] = (struct rig_egress){.state = FWD_AS_ACTIVE,
			.mode = FWD_LOADSHARE,
			.status = DEST_AVAILABLE,
			.n_slots = 1};
		r->e[i].e = route_egress_new(r->r, names[i], &ops, &r->e[i], false);
		assert_non_null(r->e[i].e);
		route_egress_hold(r->e[i].e)->limit = 10;
	}
}

void rig_stop(struct rig *r)
{
	rig_grace(r);
	router_free(r->r);
	fwd_table_free(table);
	table = NULL;
}

void rig_key(struct rig *r, uint32_t pc, uint8_t si, unsigned egress)
{
	r->keys[r->n_keys++] =
		(struct route_spec){.pc = pc, .si = si, .opc = FWD_ANY_OPC, .egress = r->e[egress].e};
}

void rig_route(struct rig *r, uint32_t pc, uint8_t mask, unsigned egress, uint8_t priority)
{
	r->routes[r->n_routes++] = (struct route_spec){.pc = pc,
		.mask = mask,
		.si = FWD_ANY_SI,
		.opc = FWD_ANY_OPC,
		.priority = priority,
		.egress = r->e[egress].e};
}

void rig_apply(struct rig *r)
{
	static const struct fwd_network network = {.pc_bits = 14, .ni = FWD_ANY_NI, .sls = {4, 1}};

	router_set_networks(r->r, &network, 1);
	router_set_routes(r->r, ROUTES_OF_KEYS, r->keys, r->n_keys);
	router_set_routes(r->r, ROUTES_CONFIGURED, r->routes, r->n_routes);
	router_rebuild(r->r);
	rig_settle(r);
}

void rig_settle(struct rig *r)
{
	router_publish(r->r, true);
	router_publish(r->r, false);
	router_tell(r->r);
}

void rig_release(struct rig *r, uint32_t pc, uint8_t mask)
{
	route_hold(r->r, 0, pc, mask, false);
	rig_settle(r);
}

void rig_set(struct rig *r, unsigned egress, enum fwd_as_state state, enum dest_status status)
{
	r->e[egress].state = state;
	r->e[egress].status = status;
	route_egress_dirty(r->e[egress].e);
	rig_settle(r);
}

const struct fwd_as *rig_target(struct rig *r, uint32_t pc, uint8_t si)
{
	struct fwd_match m;

	(void)r;
	fwd_route(table->routing, 0, 1, pc, si, &m);
	return m.as < table->n_as ? table->as[m.as] : NULL;
}

const char *rig_to(struct rig *r, uint32_t pc, uint8_t si)
{
	static char text[64];
	struct fwd_match m;
	const struct fwd_as *to = rig_target(r, pc, si);
	uint32_t last = FWD_NO_AS;
	bool held = false;

	fwd_route(table->routing, 0, 1, pc, si, &m);
	if (m.as == FWD_NO_AS)
		return "none";
	if (!to || to->state == FWD_AS_UNSERVED)
		return "-";
	if (to->state == FWD_AS_PENDING && to->number == FWD_NO_AS)
		return "(held)";
	if (to->state == FWD_AS_PENDING) {
		snprintf(text, sizeof(text), "%s(held)",
			route_egress_name(router_egress_by_number(r->r, to->number)));
		return text;
	}
	text[0] = '\0';
	for (unsigned i = 0; i < to->n_slots; i++) {
		held |= to->slots[i].as == FWD_NO_AS;
		if (to->slots[i].as == last || to->slots[i].as == FWD_NO_AS)
			continue;
		last = to->slots[i].as;
		if (text[0])
			strcat(text, "+");
		strcat(text, route_egress_name(router_egress_by_number(r->r, last)));
	}
	return held ? strcat(text, "(some held)") : text;
}

const char *rig_slss(struct rig *r, uint32_t pc)
{
	static char text[17];
	const struct fwd_as *t = rig_target(r, pc, 3);

	for (unsigned sls = 0; sls < 16; sls++) {
		const struct fwd_slot *slot = &t->slots[t->n_buckets ? t->share[sls] : 0];

		text[sls] = slot->hold ? '-' : *route_egress_name(router_egress_by_number(r->r, slot->as));
	}
	for (unsigned sls = 16; sls < FWD_SLS_BUCKETS && t->n_buckets; sls++)
		assert_int_equal(t->share[sls], t->share[sls & 15]);
	return text;
}
