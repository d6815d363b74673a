/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "m3ua/as.h"

#include <string.h>
#include <talloc.h>

#include "base/clock.h"
#include "base/log.h"
#include "m3ua/as_fsm.h"
#include "m3ua/asp_fsm.h"
#include "m3ua/asptm.h"
#include "m3ua/mgmt.h"
#include "m3ua/rkm.h"
#include "m3ua/role.h"
#include "m3ua/sg_int.h"
#include "m3ua/sg_table.h"
#include "m3ua/ssnm_rx.h"

const char *as_state_name(enum as_state s)
{
	static const char *const names[AS_STATES] = {[AS_DOWN] = "AS-DOWN",
		[AS_INACTIVE] = "AS-INACTIVE",
		[AS_ACTIVE] = "AS-ACTIVE",
		[AS_PENDING] = "AS-PENDING"};

	return s < AS_STATES ? names[s] : "?";
}

const char *as_mode_name(int mode)
{
	switch (mode) {
	case FWD_OVERRIDE: return "override";
	case FWD_LOADSHARE: return "loadshare";
	case FWD_BROADCAST: return "broadcast";
	default: return "?";
	}
}

const char *as_share_key_name(int key)
{
	switch (key) {
	case FWD_KEY_SLS: return "sls";
	case FWD_KEY_OPC_SLS: return "opc-sls";
	case FWD_KEY_CIC: return "cic";
	default: return "?";
	}
}

unsigned as_active_asps(const struct as *as)
{
	struct as_counts c;

	as_count(as, &c);
	return c.active;
}

unsigned as_required(const struct as *as)
{
	return as->conf->mode == FWD_OVERRIDE || as->conf->min_asps == 0 ? 1 : as->conf->min_asps;
}

struct as *as_new(struct sg *sg, const struct as_conf *conf)
{
	struct as *as = talloc_zero(sg->ctx, struct as);

	if (!as)
		return NULL;
	as->sg = sg;
	as->conf = conf;
	as->name = talloc_strdup(as, conf->name);
	as->since_ms = clock_ms();
	as->reason = "configured";
	as->status = DEST_UNAVAILABLE;
	INIT_LLIST_HEAD(&as->asps);
	as->egress = route_egress_new(sg->router, conf->name, &as_egress_ops, as, false);
	if (!as->egress) {
		talloc_free(as);
		return NULL;
	}
	as->hold = route_egress_hold(as->egress);
	as->number = route_egress_number(as->egress);
	llist_add_tail(&as->entry, &sg->ass);
	return as;
}

struct as_asp *as_member_new(struct as *as, struct asp *asp)
{
	struct as_asp *m = talloc_zero(as, struct as_asp);

	if (!m)
		return NULL;
	m->as = as;
	m->asp = asp;
	m->since_ms = clock_ms();
	m->reason = "configured";
	INIT_LLIST_HEAD(&m->moved);
	INIT_LLIST_HEAD(&m->closing);
	client_as_init(m);
	llist_add_tail(&m->in_as, &as->asps);
	llist_add_tail(&m->in_asp, &asp->ass);
	asp_joins(asp, m);
	if (asp->up) { /* a reload made it a member while it was up */
		uint64_t told = as->transitions;

		asp_transition(m, ASPE_UP, "became a member");
		if (as->transitions == told)
			ntfy_as_state_to(asp, as);
	}
	client_joined(m);
	return m;
}

void as_member_free(struct as_asp *m)
{
	client_dismiss(m);
	asptm_dismiss(m, "no longer a member");
	client_as_fini(m);
	osmo_timer_del(&m->rx_timer);
	llist_del(&m->moved);
	llist_del(&m->closing);
	llist_del(&m->in_as);
	llist_del(&m->in_asp);
	rkm_member_gone(m);
	asp_leaves(m->asp, m);
	table_dirty_as(m->as);
	talloc_free(m);
}

void as_remove(struct as *as)
{
	struct as_asp *m, *next;

	as->removed = true;
	llist_for_each_entry_safe (m, next, &as->asps, in_as)
		as_member_free(m);
	osmo_timer_del(&as->t_r);
	ssnm_rx_forget(as);
	if (!as->dynamic)
		LOGP(DAS, LOGL_NOTICE, "as %s: taken away by the configuration\n", as->name);
	route_egress_free(as->egress);
	llist_del(&as->entry);
	talloc_free(as);
}

static struct as_asp *member_of(const struct as *as, const struct asp *asp)
{
	struct as_asp *m;

	llist_for_each_entry (m, &as->asps, in_as)
		if (m->asp == asp)
			return m;
	return NULL;
}

/* The members that CONF names, in its order; others leave. */
static void sync_members(struct as *as)
{
	struct as_asp *m, *next;

	llist_for_each_entry (m, &as->asps, in_as)
		m->marked = false;
	for (unsigned i = 0; i < as->conf->n_asps; i++) {
		struct asp *asp = sg_asp_by_name(as->sg, as->conf->asps[i]);

		m = asp ? member_of(as, asp) : NULL;
		if (asp && !m)
			m = as_member_new(as, asp);
		if (!m)
			continue;
		m->marked = true;
		asp->n_registered -= m->registered; /* the configuration has caught up with it */
		m->registered = false;
		llist_move_tail(&m->in_as, &as->asps);
	}
	llist_for_each_entry_safe (m, next, &as->asps, in_as)
		if (!m->marked && !m->registered)
			as_member_free(m);
}

static void rekey(struct as *as)
{
	struct as_asp *m;

	llist_for_each_entry (m, &as->asps, in_as)
		client_rekey(m);
}

void as_reconfigure(struct as *as, const struct as_conf *conf)
{
	const struct as_conf *was = as->conf; /* until the new configuration is there throughout */
	struct as_counts now;

	as->conf = conf;
	as->network = sg_network_by_name(as->sg, conf->network);
	as->hold->limit = conf->pending_limit;
	sync_members(as);
	if (!rk_equal(was->keys, was->n_keys, conf->keys, conf->n_keys))
		rekey(as);
	route_egress_set_individual(as->egress, role_of_as(as)->asks); /* it may send SSNM */
	as_count(as, &now);
	if (now.active) /* n may have become smaller, or larger */
		as_members_changed(as,
			&(struct as_counts){.up = now.up, .active = now.active - (as->state == AS_INACTIVE)},
			NULL, "reconfigured");
	table_dirty_as(as);
	sg_as_stale(as);
}
