/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "m3ua/daud.h"

#include <talloc.h>

#include "m3ua/role.h"
#include "m3ua/sg_int.h"
#include "m3ua/ssnm.h"

struct question {
	const struct as *as;
	bool all; /* else those alone that are not as they should be */
	uint32_t *pcs, n, room;
};

/* What the SG has said of D. */
static bool is_in_order(const struct dest *d, const struct as *as)
{
	for (uint32_t i = 0; i < d->n_routes; i++)
		if (d->routes[i].spec.egress == as->egress &&
			(d->routes[i].status != DEST_AVAILABLE || d->routes[i].congestion))
			return false;
	return true;
}

/* A default route is no destination that could be asked for. */
static bool consider(const struct dest *d, void *arg)
{
	struct question *q = arg;
	uint8_t bits = pc_bits((enum pc_variant)q->as->network->conf->variant);

	if (d->mask >= bits || !dest_is_served_by(d, q->as->egress) || (!q->all && is_in_order(d, q->as)))
		return true;
	if (q->n == q->room) {
		uint32_t *grown = talloc_realloc(q->as->sg, q->pcs, uint32_t, q->room * 2 + 64);

		if (!grown)
			return false;
		q->pcs = grown;
		q->room = q->room * 2 + 64;
	}
	q->pcs[q->n++] = m3ua_apc_pack(d->mask, d->pc);
	return true;
}

static void ask(struct as_asp *m, bool all)
{
	struct question q = {.as = m->as, .all = all};
	struct ssnm_to to = {.asp = m->asp, .network = m->as->network};
	uint32_t rc;

	if (!m->as->network)
		return;
	dest_foreach(m->as->sg->router, m->as->network->index, consider, &q);
	to.n_rcs = role_own_rc(m, &rc);
	to.rcs = &rc;
	ssnm_status_to(&to, M3UA_DAUD, q.pcs, q.n);
	talloc_free(q.pcs);
}

/* Of several SGPs of one SG, one is asked: the status is the SG's. */
static bool is_first(const struct as_asp *m)
{
	const struct as_asp *other;

	llist_for_each_entry (other, &m->as->asps, in_as)
		if (other->state == ASP_ACTIVE)
			return other == m;
	return false;
}

static void schedule(struct as_asp *m)
{
	uint32_t ms = m->asp->conf->audit_ms;

	if (ms)
		osmo_timer_schedule(&m->audit_timer, (int)(ms / 1000), (int)(ms % 1000 * 1000));
}

static void due(void *data)
{
	struct as_asp *m = data;

	if (is_first(m))
		ask(m, false);
	schedule(m);
	sg_settle(m->as->sg);
}

void daud_init(struct as_asp *m)
{
	osmo_timer_setup(&m->audit_timer, due, m);
}

void daud_activated(struct as_asp *m)
{
	if (m->asp->conf->role != ROLE_ASP)
		return;
	if (is_first(m))
		ask(m, true);
	schedule(m);
}

void daud_stop(struct as_asp *m)
{
	osmo_timer_del(&m->audit_timer);
}
