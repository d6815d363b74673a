/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "mtp3/memo.h"

#include <talloc.h>

#include "base/hash.h"

struct memo *memo_find(struct mtp3_net *n, uint32_t pc, uint8_t mask, bool make)
{
	struct llist_head *chain = &n->memos[hash_u32x2(pc, mask) % MTP3_MEMO_HASH];
	struct memo *d;

	llist_for_each_entry (d, chain, entry)
		if (d->pc == pc && d->mask == mask)
			return d;
	d = make && n->n_memos < MEMO_MAX ? talloc_zero(n, struct memo) : NULL;
	if (!d)
		return NULL;
	d->net = n;
	d->pc = pc;
	d->mask = mask;
	llist_add(&d->entry, chain);
	n->n_memos++;
	return d;
}

static void drop(struct memo *d)
{
	osmo_timer_del(&d->t8);
	osmo_timer_del(&d->t11);
	osmo_timer_del(&d->cg_timer);
	d->net->n_memos--;
	llist_del(&d->entry);
	talloc_free(d);
}

void memo_release(struct memo *d)
{
	if (!osmo_timer_pending(&d->t8) && !osmo_timer_pending(&d->t11) && !d->restricted_long &&
		d->cg == CG_NONE && !d->congested_msus)
		drop(d);
}

void memo_forget_all(struct mtp3_net *n)
{
	struct memo *d, *next;

	for (unsigned i = 0; i < MTP3_MEMO_HASH; i++)
		llist_for_each_entry_safe (d, next, &n->memos[i], entry)
			drop(d);
}
