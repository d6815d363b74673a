/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A linkset: which of its links carries which SLS (Q.704 s.2.3.2, 4.4, TLAC), and what it is worth for
 * traffic.
 */
#pragma once

#include "mtp3/changeover.h"
#include "mtp3/mtp3_int.h"

/* Buckets in use: 16, 32 or 256. */
unsigned linkset_buckets(const struct mtp3_linkset *ls);
/* Has it an available link? */
bool linkset_available(const struct mtp3_linkset *ls);
unsigned linkset_links_available(const struct mtp3_linkset *ls);
/* Does traffic wait for the changeover of one of its links? */
bool linkset_in_changeover(const struct mtp3_linkset *ls);

void linkset_link_came(struct mtp3_link *l, const char *reason);
void linkset_link_went(struct mtp3_link *l, enum co_event cause, const char *reason);
/* The link is taken from the configuration. */
void linkset_link_leaves(struct mtp3_link *l);

/* Changeover of L is complete: its traffic goes to others now. */
void linkset_changeover_done(struct mtp3_link *l);
/* L's traffic stays on L. */
void linkset_release(struct mtp3_link *l);

/* Bucket SLS is to be carried by link TO (by SLC, or SHARE_NONE), and held or not. */
void linkset_set(struct mtp3_linkset *ls, unsigned sls, uint32_t to, bool held);
/* Is it held, though its link works and no changeback is at work on it? */
bool linkset_is_stranded(const struct mtp3_linkset *ls, unsigned sls);
/* Moves what is due to be moved: the least that makes shares even. */
void linkset_rebalance(struct mtp3_linkset *ls);
/* Works out the state and tells it if it is new. */
void linkset_refresh(struct mtp3_linkset *ls, const char *reason);
