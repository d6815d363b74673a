/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Called by the routing layer (mtp3_dest_*), restart.c, adjacent.c and input.c; owns what each neighbour was
 * told. */
#include "mtp3/tfx.h"

#include <talloc.h>

#include "mtp3/memo.h"
#include "mtp3/out.h"
#include "mtp3/restart.h"

enum { CLUSTER_MASK = 8 };

struct told {
	struct pc_node node;
	struct mtp3_linkset *ls;
	enum mtp3_status status; /* not MTP3_ALLOWED */
};

static struct pc_key key_of(uint32_t pc, uint8_t mask)
{
	return (struct pc_key){.pc = pc, .mask = mask};
}

enum snm_id tfx_message(const struct mtp3_net *n, uint8_t mask, enum mtp3_status s)
{
	static const enum snm_id of_point[MTP3_STATUSES] = {SNM_TFA, SNM_TFR, SNM_TFP};
	static const enum snm_id of_cluster[MTP3_STATUSES] = {SNM_TCA, SNM_TCR, SNM_TCP};

	if (mask == 0)
		return of_point[s];
	return mask == CLUSTER_MASK && n->conf->variant == PC_ANSI ? of_cluster[s] : SNM_IDS;
}

/* ---- what was told ---- */

static struct told *find(struct mtp3_linkset *ls, uint32_t pc, uint8_t mask)
{
	return (struct told *)pc_map_find(&ls->told, key_of(pc, mask));
}

static void drop(struct pc_node *node)
{
	struct told *t = (struct told *)node;

	pc_map_remove(&t->ls->told, node);
	talloc_free(t);
}

static struct told *add(struct mtp3_linkset *ls, uint32_t pc, uint8_t mask)
{
	struct told *t = talloc_zero(ls, struct told);

	if (!t || !pc_map_add(ls, &ls->told, &t->node, key_of(pc, mask))) {
		talloc_free(t);
		return NULL;
	}
	t->ls = ls;
	return t;
}

static void remember(struct mtp3_linkset *ls, uint32_t pc, uint8_t mask, enum mtp3_status s)
{
	struct told *t = find(ls, pc, mask);

	if (s == MTP3_ALLOWED) {
		if (t)
			drop(&t->node);
		return;
	}
	if (!t)
		t = add(ls, pc, mask);
	if (t) /* else told again next time: no harm */
		t->status = s;
}

void tfx_forget(struct mtp3_linkset *ls)
{
	pc_map_each(&ls->told, drop);
	pc_map_clear(&ls->told);
}

/* ---- telling ---- */

/* What holds for the neighbour of LS. Restricted is told where it is used, and when it lasts (T11). */
static enum mtp3_status holds(struct mtp3_linkset *ls, uint32_t pc, uint8_t mask)
{
	enum mtp3_status s = ops_of(ls->net)->dest_status(ls->net, pc, mask, ls);
	struct memo *d;

	if (s != MTP3_RESTRICTED)
		return s;
	d = ls->net->conf->restricted ? memo_find(ls->net, key_of(pc, mask), false) : NULL;
	return d && d->restricted_long ? MTP3_RESTRICTED : MTP3_ALLOWED;
}

static void say(struct mtp3_linkset *ls, uint32_t pc, uint8_t mask, enum mtp3_status s)
{
	enum snm_id id = tfx_message(ls->net, mask, s);
	struct snm m = {.id = (uint8_t)id, .dest = pc};

	if (id != SNM_IDS && out_to_neighbour(ls, NULL, &m))
		remember(ls, pc, mask, s);
}

/* What has become allowed is told at once: nobody would know any more that it is news. */
static void renew(struct pc_node *node)
{
	struct told *t = (struct told *)node;
	struct pc_key key = node->key;

	if (holds(t->ls, key.pc, key.mask) == MTP3_ALLOWED)
		say(t->ls, key.pc, key.mask, MTP3_ALLOWED);
	else
		drop(node);
}

void tfx_renew(struct mtp3_linkset *ls)
{
	pc_map_each(&ls->told, renew);
}

/* True: something was said. */
static bool tell(struct mtp3_linkset *ls, uint32_t pc, uint8_t mask)
{
	const struct told *t = find(ls, pc, mask);
	enum mtp3_status was = t ? t->status : MTP3_ALLOWED, now = holds(ls, pc, mask);

	if (was == now || pc == ls->conf->adjacent)
		return false;
	say(ls, pc, mask, now);
	return true;
}

static void tell_one(void *arg, uint32_t pc, uint8_t mask)
{
	tell(arg, pc, mask);
}

void tfx_announce(struct mtp3_linkset *ls)
{
	if (ls->net->conf->transfer)
		ops_of(ls->net)->dest_each(ls->net, tell_one, ls);
}

static void t8_expired(void *data)
{
	memo_release(data); /* it only had to be pending */
}

static void broadcast(struct mtp3_net *n, uint32_t pc, uint8_t mask)
{
	struct mtp3_linkset *ls;
	bool prohibited = false;
	struct memo *d;

	llist_for_each_entry (ls, &n->linksets, entry)
		if (ls->adj == ADJ_UP || ls->adj == ADJ_TOLD)
			prohibited |= tell(ls, pc, mask) && find(ls, pc, mask);
	d = prohibited ? memo_find(n, key_of(pc, mask), true) : NULL;
	if (d) /* s.13.2.2 ii */
		timer_start(&d->t8, n, MTP3_T8, t8_expired, d);
}

static void t11_expired(void *data)
{
	struct memo *d = data;

	d->restricted_long = true;
	broadcast(d->net, d->node.key.pc, d->node.key.mask);
	settle(d->net);
}

/* s.13.4.2, 16.8 T11: only what stays restricted is told. */
static void watch_restriction(struct mtp3_net *n, uint32_t pc, uint8_t mask)
{
	bool restricted = n->conf->restricted && ops_of(n)->dest_status(n, pc, mask, NULL) == MTP3_RESTRICTED;
	struct memo *d = memo_find(n, key_of(pc, mask), restricted);

	if (!d)
		return;
	if (!restricted) {
		d->restricted_long = false;
		osmo_timer_del(&d->t11);
		memo_release(d);
	} else if (!d->restricted_long && !osmo_timer_pending(&d->t11)) {
		timer_start(&d->t11, n, MTP3_T11, t11_expired, d);
	}
}

void mtp3_dest_changed(struct mtp3_net *n, uint32_t pc, uint8_t mask)
{
	if (!n->conf->transfer || !restart_done(n))
		return;
	watch_restriction(n, pc, mask);
	broadcast(n, pc, mask);
	settle(n);
}

void mtp3_dest_unreachable(struct mtp3_linkset *ls, uint32_t pc)
{
	struct mtp3_net *n = ls->net;
	struct memo *d;

	if (!n->conf->transfer || !restart_done(n) || pc == ls->conf->adjacent)
		return;
	d = memo_find(n, key_of(pc, 0), true);
	if (!d || osmo_timer_pending(&d->t8))
		return;
	say(ls, pc, 0, MTP3_PROHIBITED);
	timer_start(&d->t8, n, MTP3_T8, t8_expired, d);
	settle(n);
}

/* ---- route set tests (s.13.5.4), and what comes back ---- */

/* Also of what the neighbour is never told unasked: itself. */
static enum mtp3_status truth(struct mtp3_linkset *ls, uint32_t pc, uint8_t mask)
{
	return pc == ls->conf->adjacent ? MTP3_PROHIBITED : holds(ls, pc, mask);
}

void tfx_tested(struct mtp3_linkset *ls, const struct snm *m)
{
	uint8_t mask = m->id == SNM_RCP || m->id == SNM_RCR ? CLUSTER_MASK : 0;
	bool prohibited = m->id == SNM_RST || m->id == SNM_RCP;
	enum mtp3_status thinks = prohibited ? MTP3_PROHIBITED : MTP3_RESTRICTED, now;

	if (!ls->net->conf->transfer)
		return;
	now = truth(ls, m->dest, mask);
	if (now != thinks)
		say(ls, m->dest, mask, now);
}

bool tfx_returned(struct mtp3_linkset *ls, const struct snm *m)
{
	bool cluster = m->id == SNM_TCP || m->id == SNM_TCR || m->id == SNM_TCA;
	bool point = m->id == SNM_TFP || m->id == SNM_TFR || m->id == SNM_TFA;
	uint8_t mask = cluster ? CLUSTER_MASK : 0;

	if (cluster || point)
		say(ls, m->dest, mask, truth(ls, m->dest, mask));
	return cluster || point;
}
