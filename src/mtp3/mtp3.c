/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The registry: makes and frees objects, and names states. No procedure is here. */
#include "mtp3/mtp3.h"

#include <talloc.h>

#include "base/clock.h"
#include "data/share.h"
#include "mtp3/changeback.h"
#include "mtp3/link.h"
#include "mtp3/linkset.h"
#include "mtp3/memo.h"
#include "mtp3/mtp3_int.h"
#include "mtp3/restart.h"
#include "mtp3/route_test.h"
#include "mtp3/tfx.h"

struct mtp3 *mtp3_new(void *talloc_ctx, const struct mtp3_ops *ops, void *user)
{
	struct mtp3 *m = talloc_zero(talloc_ctx, struct mtp3);

	if (!m)
		return NULL;
	m->ops = ops;
	m->user = user;
	INIT_LLIST_HEAD(&m->nets);
	return m;
}

void mtp3_free(struct mtp3 *take_m)
{
	struct mtp3_net *n, *next;

	llist_for_each_entry_safe (n, next, &take_m->nets, entry)
		mtp3_net_free(n);
	talloc_free(take_m);
}

void *mtp3_user(const struct mtp3 *m)
{
	return m->user;
}

struct mtp3_net *mtp3_net_new(struct mtp3 *m, const struct mtp3_net_conf *conf, void *user)
{
	struct mtp3_net *n = talloc_zero(m, struct mtp3_net);

	if (!n)
		return NULL;
	n->m = m;
	n->conf = conf;
	n->user = user;
	n->restart = conf->restart ? RESTART_ISOLATED : RESTART_DONE;
	n->restart_since_ms = clock_ms();
	INIT_LLIST_HEAD(&n->linksets);
	llist_add_tail(&n->entry, &m->nets);
	return n;
}

void mtp3_net_free(struct mtp3_net *take_n)
{
	struct mtp3_linkset *ls, *next;

	llist_for_each_entry_safe (ls, next, &take_n->linksets, entry)
		mtp3_linkset_free(ls);
	osmo_timer_del(&take_n->t18);
	osmo_timer_del(&take_n->t20);
	osmo_timer_del(&take_n->t26);
	osmo_timer_del(&take_n->isolated);
	memo_forget_all(take_n);
	llist_del(&take_n->entry);
	talloc_free(take_n);
}

struct mtp3_linkset *mtp3_linkset_new(struct mtp3_net *n, const struct mtp3_linkset_conf *conf, void *user)
{
	struct mtp3_linkset *ls = talloc_zero(n, struct mtp3_linkset);

	if (!ls)
		return NULL;
	ls->net = n;
	ls->conf = conf;
	ls->user = user;
	ls->since_ms = clock_ms();
	ls->reason = "configured";
	for (unsigned i = 0; i < MTP3_BUCKETS; i++)
		ls->buckets[i] = SHARE_NONE;
	INIT_LLIST_HEAD(&ls->changebacks);
	llist_add_tail(&ls->entry, &n->linksets);
	return ls;
}

static void drop_link(struct mtp3_link *l)
{
	osmo_timer_del(&l->t17);
	osmo_timer_del(&l->slt_timer);
	osmo_timer_del(&l->co_timer);
	osmo_timer_del(&l->inh_timer);
	osmo_timer_del(&l->t22);
	osmo_timer_del(&l->t23);
	l->ls->links[l->conf->slc] = NULL;
	talloc_free(l);
}

void mtp3_linkset_free(struct mtp3_linkset *take_ls)
{
	for (unsigned i = 0; i < MTP3_LINKS; i++)
		if (take_ls->links[i])
			drop_link(take_ls->links[i]);
	changeback_drop_all(take_ls);
	tfx_forget(take_ls);
	route_test_drop(take_ls);
	osmo_timer_del(&take_ls->t19);
	osmo_timer_del(&take_ls->t21);
	osmo_timer_del(&take_ls->down);
	llist_del(&take_ls->entry);
	talloc_free(take_ls);
}

struct mtp3_link *mtp3_link_new(struct mtp3_linkset *ls, const struct mtp3_link_conf *conf, void *user)
{
	struct mtp3_link *l;

	if (conf->slc >= MTP3_LINKS || ls->links[conf->slc])
		return NULL;
	l = talloc_zero(ls, struct mtp3_link);
	if (!l)
		return NULL;
	l->ls = ls;
	l->conf = conf;
	l->user = user;
	l->since_ms = clock_ms();
	l->reason = "configured";
	l->available_since_ms = l->since_ms;
	l->available_reason = l->reason;
	l->inhibit_reason = "never";
	ls->links[conf->slc] = l;
	return l;
}

void mtp3_link_free(struct mtp3_link *take_l)
{
	linkset_link_leaves(take_l);
	drop_link(take_l);
}

/* ---- reload ---- */

/* A restart that is no longer wanted ends at once, as if its time were over. */
void mtp3_net_reconfigure(struct mtp3_net *n, const struct mtp3_net_conf *conf)
{
	n->conf = conf;
	if (!conf->restart && !restart_done(n)) {
		restart_transition(n, RE_FIRST_LINK, "no restart is configured");
		restart_transition(n, RE_T20, "no restart is configured");
	}
	settle(n);
}

void mtp3_linkset_reconfigure(struct mtp3_linkset *ls, const struct mtp3_linkset_conf *conf)
{
	bool narrower = sls_values(&conf->sls) < linkset_buckets(ls);
	unsigned had = linkset_buckets(ls);

	if (narrower)
		changeback_drop_all(ls);
	ls->conf = conf;
	for (unsigned i = linkset_buckets(ls); i < had; i++)
		linkset_set(ls, i, SHARE_NONE, false);
	for (unsigned i = 0; narrower && i < linkset_buckets(ls); i++)
		if (linkset_is_stranded(ls, i))
			linkset_set(ls, i, ls->buckets[i], false);
	linkset_rebalance(ls);
	settle(ls->net);
}

void mtp3_link_reconfigure(struct mtp3_link *l, const struct mtp3_link_conf *conf)
{
	l->conf = conf;
}

/* ---- names ---- */

#define X(id, name, text) [MTP3_LC_##id] = {name, text},
const struct counter_row mtp3_link_counter_rows[MTP3_LC_COUNT] = {MTP3_LINK_COUNTERS(X)};
#undef X

#define NAMES(function, type, count, ...)                                                                    \
	const char *function(type s)                                                                         \
	{                                                                                                    \
		static const char *const names[count] = {__VA_ARGS__};                                       \
                                                                                                             \
		return s < (count) ? names[s] : "?";                                                         \
	}

NAMES(mtp3_link_state_name, enum link_state, LINK_STATES, "inactive", "aligning", "testing", "active",
	"waiting")
NAMES(mtp3_ls_state_name, enum mtp3_ls_state, MTP3_LS_STATES, "down", "pending", "up")
NAMES(mtp3_status_name, enum mtp3_status, MTP3_STATUSES, "allowed", "restricted", "prohibited")
NAMES(mtp3_restart_name, enum restart_state, RESTART_STATES, "isolated", "phase-1", "phase-2", "done")
NAMES(mtp3_adj_name, enum adj_state, ADJ_STATES, "down", "begun", "heard", "told", "up")
NAMES(mtp3_changeover_name, enum co_state, CO_STATES, "idle", "ordered", "timed", "inhibited", "retrieving",
	"done")
NAMES(mtp3_inhibit_name, enum inh_state, INH_STATES, "idle", "inhibiting", "inhibiting-again", "uninhibiting",
	"uninhibiting-again", "forcing", "forcing-again")
