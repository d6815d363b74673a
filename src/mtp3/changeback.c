/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Called by linkset.c and input.c; owns the changebacks of each linkset. */
#include "mtp3/changeback.h"

#include <talloc.h>

#include "mtp3/linkset.h"
#include "mtp3/out.h"

/* clang-format off */
const struct cb_cell cb_fsm[CB_STATES][BE_EVENTS] = {
	[CB_IDLE] = {
		[BE_DECLARE] = {CB_FIRST,  BX_DECLARE},
		[BE_WAIT]    = {CB_TIMED,  BX_WAIT},
		[BE_ACK]     = {CB_IDLE,   BX_NONE}, /* s.6.5.1 */
		[BE_T3]      = {CB_IDLE,   BX_NONE},
		[BE_T4]      = {CB_IDLE,   BX_NONE},
		[BE_T5]      = {CB_IDLE,   BX_NONE},
	},
	[CB_FIRST] = {
		[BE_DECLARE] = {CB_FIRST,  BX_NONE},
		[BE_WAIT]    = {CB_FIRST,  BX_NONE},
		[BE_ACK]     = {CB_IDLE,   BX_MOVE},
		[BE_T3]      = {CB_FIRST,  BX_NONE},
		[BE_T4]      = {CB_SECOND, BX_DECLARE_AGAIN}, /* s.6.5.3 */
		[BE_T5]      = {CB_FIRST,  BX_NONE},
	},
	[CB_SECOND] = {
		[BE_DECLARE] = {CB_SECOND, BX_NONE},
		[BE_WAIT]    = {CB_SECOND, BX_NONE},
		[BE_ACK]     = {CB_IDLE,   BX_MOVE},
		[BE_T3]      = {CB_SECOND, BX_NONE},
		[BE_T4]      = {CB_SECOND, BX_NONE},
		[BE_T5]      = {CB_IDLE,   BX_MOVE_ALERT},
	},
	[CB_TIMED] = {
		[BE_DECLARE] = {CB_TIMED,  BX_NONE},
		[BE_WAIT]    = {CB_TIMED,  BX_NONE},
		[BE_ACK]     = {CB_TIMED,  BX_NONE},
		[BE_T3]      = {CB_IDLE,   BX_MOVE},
		[BE_T4]      = {CB_TIMED,  BX_NONE},
		[BE_T5]      = {CB_TIMED,  BX_NONE},
	},
};
/* clang-format on */

static const enum cb_event expiry[CB_STATES] = {
	[CB_IDLE] = BE_T3, [CB_FIRST] = BE_T4, [CB_SECOND] = BE_T5, [CB_TIMED] = BE_T3};

static void timer_expired(void *data)
{
	struct changeback *cb = data;
	struct mtp3_net *n = cb->ls->net;

	changeback_transition(cb, expiry[cb->state]);
	settle(n);
}

static void drop(struct changeback *cb)
{
	osmo_timer_del(&cb->timer);
	llist_del(&cb->entry);
	talloc_free(cb);
}

/* s.6.3.1 ii: on the alternative link, about the one made available, behind all that was sent before. */
static void declare(struct changeback *cb, enum mtp3_timer t)
{
	struct snm m = {.id = SNM_CBD, .slc = cb->to, .cbc = cb->code};

	timer_start(&cb->timer, cb->ls->net, t, timer_expired, cb);
	out_on_link(cb->ls->links[cb->from], &m);
}

/* Ends with the changeback gone. */
static void move(struct changeback *cb)
{
	struct mtp3_linkset *ls = cb->ls;

	for (unsigned i = 0; i < linkset_buckets(ls); i++)
		if (cb->buckets[i])
			linkset_set(ls, i, cb->to, false);
	mtp3_link_count(ls->links[cb->to], MTP3_LC_CHANGEBACKS);
	drop(cb);
	linkset_rebalance(ls); /* links may have come or gone meanwhile */
}

void changeback_transition(struct changeback *cb, enum cb_event e)
{
	const struct cb_cell *cell = &cb_fsm[cb->state][e];

	cb->state = cell->next;
	switch ((enum cb_action)cell->action) {
	case BX_DECLARE: declare(cb, MTP3_T4); break;
	case BX_DECLARE_AGAIN: declare(cb, MTP3_T5); break;
	case BX_WAIT: timer_start(&cb->timer, cb->ls->net, MTP3_T3, timer_expired, cb); break;
	case BX_MOVE_ALERT:
		LOGP(DROUTE, LOGL_ERROR,
			"linkset %s: changeback to link %u not acknowledged: messages may change order\n",
			cb->ls->conf->name, cb->to);
		move(cb);
		break;
	case BX_MOVE: move(cb); break;
	case BX_NONE: break;
	}
}

/* ---- from linkset.c ---- */

static bool code_is_used(const struct mtp3_linkset *ls, uint8_t code)
{
	const struct changeback *cb;

	llist_for_each_entry (cb, &ls->changebacks, entry)
		if (cb->code == code)
			return true;
	return false;
}

/* s.6.3.5: another code for each; at most 240 pairs are at work at once. */
static struct changeback *new_pair(struct mtp3_linkset *ls, uint8_t from, uint8_t to)
{
	struct changeback *cb = talloc_zero(ls, struct changeback);

	if (!cb)
		return NULL;
	while (code_is_used(ls, ls->next_cbc))
		ls->next_cbc++;
	cb->ls = ls;
	cb->from = from;
	cb->to = to;
	cb->code = ls->next_cbc++;
	llist_add_tail(&cb->entry, &ls->changebacks);
	return cb;
}

/* One that has not begun yet: what has begun has been declared, and takes no more. */
static struct changeback *pair(struct mtp3_linkset *ls, uint8_t from, uint8_t to)
{
	struct changeback *cb;

	llist_for_each_entry (cb, &ls->changebacks, entry)
		if (cb->state == CB_IDLE && cb->from == from && cb->to == to)
			return cb;
	return new_pair(ls, from, to);
}

void changeback_want(struct mtp3_linkset *ls, unsigned sls, uint32_t to)
{
	struct changeback *cb = pair(ls, (uint8_t)ls->buckets[sls], (uint8_t)to);

	if (!cb) /* no memory: it stays where it is */
		return;
	cb->buckets[sls] = true;
	linkset_set(ls, sls, ls->buckets[sls], true);
}

void changeback_begin(struct mtp3_linkset *ls)
{
	struct changeback *cb;

	llist_for_each_entry (cb, &ls->changebacks, entry)
		if (cb->state == CB_IDLE)
			changeback_transition(cb, ls->conf->timed_changeback ? BE_WAIT : BE_DECLARE);
}

void changeback_abort(struct mtp3_link *l)
{
	struct mtp3_linkset *ls = l->ls;
	struct changeback *cb, *next;

	llist_for_each_entry_safe (cb, next, &ls->changebacks, entry) {
		if (cb->from != l->conf->slc && cb->to != l->conf->slc)
			continue;
		for (unsigned i = 0; i < linkset_buckets(ls); i++)
			if (cb->buckets[i])
				linkset_set(ls, i, cb->from, false);
		drop(cb);
	}
}

void changeback_drop_all(struct mtp3_linkset *ls)
{
	struct changeback *cb, *next;

	llist_for_each_entry_safe (cb, next, &ls->changebacks, entry)
		drop(cb);
}

/* ---- from the neighbour ---- */

static struct changeback *by_code(const struct mtp3_link *l, uint8_t code)
{
	struct changeback *cb;

	llist_for_each_entry (cb, &l->ls->changebacks, entry)
		if (cb->code == code && cb->to == l->conf->slc)
			return cb;
	return NULL;
}

void changeback_message(struct mtp3_link *l, const struct snm *m)
{
	struct snm ack = {.id = SNM_CBA, .slc = m->slc, .cbc = m->cbc};
	struct changeback *cb;

	if (m->id == SNM_CBD) { /* s.6.3.2, 6.5.2: always */
		out_to_neighbour(l->ls, NULL, &ack);
		return;
	}
	cb = by_code(l, m->cbc);
	if (cb)
		changeback_transition(cb, BE_ACK);
}
