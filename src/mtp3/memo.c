/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "mtp3/memo.h"

#include <talloc.h>

struct memo *memo_find(struct mtp3_net *n, struct pc_key key, bool make)
{
	struct memo *d = (struct memo *)pc_map_find(&n->memos, key);

	if (d || !make || n->memos.n >= MEMO_MAX)
		return d;
	d = talloc_zero(n, struct memo);
	if (!d || !pc_map_add(n, &n->memos, &d->node, key)) {
		talloc_free(d);
		return NULL;
	}
	d->net = n;
	return d;
}

static void drop(struct pc_node *node)
{
	struct memo *d = (struct memo *)node;

	osmo_timer_del(&d->t8);
	osmo_timer_del(&d->t11);
	osmo_timer_del(&d->cg_timer);
	osmo_timer_del(&d->rr_timer);
	pc_map_remove(&d->net->memos, node);
	talloc_free(d);
}

void memo_release(struct memo *d)
{
	if (!osmo_timer_pending(&d->t8) && !osmo_timer_pending(&d->t11) && !d->restricted_long &&
		d->cg == CG_NONE && d->rr == RR_IDLE)
		drop(&d->node);
}

void memo_forget_all(struct mtp3_net *n)
{
	pc_map_each(&n->memos, drop);
	pc_map_clear(&n->memos);
}
