/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/as.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK = 16 };

/* ---- assignment ---- */

struct loads {
	unsigned n, n_active;
	const bool *active;
	uint16_t *in_block, *total; /* SLSs by ASP */
	unsigned block_extra,
		total_extra; /* ASPs that have one more than the others, where it does not divide */
};

/* May one who has HAS of SLOTS own one more, and the others still get their due? */
static bool due_one_more(const struct loads *l, unsigned has, unsigned slots, unsigned n_extra)
{
	unsigned share = slots / l->n_active;

	return has < share || (has == share && n_extra < slots % l->n_active);
}

static bool may_keep(const struct loads *l, unsigned asp)
{
	return l->active[asp] && due_one_more(l, l->in_block[asp], BLOCK, l->block_extra) &&
	       due_one_more(l, l->total[asp], AS_SLS, l->total_extra);
}

static unsigned least_loaded(const struct loads *l)
{
	unsigned best = AS_NOBODY;

	for (unsigned i = 0; i < l->n; i++) {
		if (!l->active[i])
			continue;
		if (best == AS_NOBODY || l->in_block[i] < l->in_block[best] ||
			(l->in_block[i] == l->in_block[best] && l->total[i] < l->total[best]))
			best = i;
	}
	return best;
}

static void take(struct loads *l, uint16_t *owner, unsigned asp)
{
	*owner = (uint16_t)asp;
	l->block_extra += ++l->in_block[asp] == BLOCK / l->n_active + 1;
	l->total_extra += ++l->total[asp] == AS_SLS / l->n_active + 1;
}

static void assign_block(struct loads *l, uint16_t *owner)
{
	memset(l->in_block, 0, l->n * sizeof(*l->in_block));
	l->block_extra = 0;
	for (unsigned s = 0; s < BLOCK; s++) {
		if (owner[s] < l->n && may_keep(l, owner[s]))
			take(l, &owner[s], owner[s]);
		else
			owner[s] = AS_NOBODY;
	}
	for (unsigned s = 0; s < BLOCK; s++)
		if (owner[s] == AS_NOBODY)
			take(l, &owner[s], least_loaded(l));
}

void as_assign(uint16_t *owner, const bool *active, unsigned n)
{
	struct loads l = {.n = n, .active = active};
	uint16_t room[2 * OPTS_MAX_ASPS] = {0};

	l.in_block = room;
	l.total = room + n;
	for (unsigned i = 0; i < n; i++)
		l.n_active += active[i];
	for (unsigned s = 0; s < AS_SLS; s += BLOCK) {
		if (l.n_active)
			assign_block(&l, owner + s);
		else
			memset(owner + s, 0xff, BLOCK * sizeof(*owner));
	}
}

/* ---- sharing ---- */

static bool is_active(const struct as *as, unsigned i)
{
	return i < as->n_asps && asp_may_send(&as->asps[i]);
}

/* Whoever has sent ASPIA still owns its SLSs, and so keeps them waiting: messages sent elsewhere now could
 * overtake those the gateway has not read yet. ASPIA ACK says that it has. */
static bool is_owner(const struct as *as, unsigned i)
{
	const struct asp *a = &as->asps[i];

	return asp_may_send(a) || (a->state == ASP_WAIT_INACTIVE && a->conf->role != ASP_ROLE_IPSP_DE);
}

/* Time-controlled diversion as in Q.704 s.6.4.1: a message sent by the old way has this long to arrive. */
static void move(struct as *as, struct as_sls *s, uint16_t to)
{
	if (s->asp != to && is_active(as, s->asp) && s->sent_ns)
		s->hold_ns = s->sent_ns + as->divert_ns;
	s->asp = to;
}

void as_share(struct as *as)
{
	uint16_t owner[AS_SLS];
	bool owns[OPTS_MAX_ASPS];

	for (unsigned i = 0; i < as->n_asps; i++)
		owns[i] = is_owner(as, i);
	for (unsigned s = 0; s < AS_SLS; s++)
		owner[s] = as->sls[s].asp;
	as_assign(owner, owns, as->n_asps);
	for (unsigned s = 0; s < AS_SLS; s++)
		move(as, &as->sls[s], owner[s]);
}

struct asp *as_sender(struct as *as, uint8_t sls, uint64_t now, uint64_t *wake_ns)
{
	struct as_sls *s = &as->sls[sls];

	if (!is_active(as, s->asp))
		return NULL;
	if (now < s->hold_ns) {
		*wake_ns = s->hold_ns;
		return NULL;
	}
	s->sent_ns = now;
	return &as->asps[s->asp];
}

unsigned as_count(const struct as *as, enum asp_state state)
{
	unsigned n = 0;

	for (unsigned i = 0; i < as->n_asps; i++)
		n += as->asps[i].state == state;
	return n;
}

bool as_init(struct as *as, struct asp_env *env, const struct as_opts *conf, uint64_t divert_ns)
{
	*as = (struct as){.conf = conf, .n_asps = conf->asps, .divert_ns = divert_ns};
	as->asps = calloc(conf->asps ? conf->asps : 1, sizeof(*as->asps));
	if (!as->asps)
		return false;
	for (unsigned i = 0; i < as->n_asps; i++)
		asp_init(&as->asps[i], env, as, conf, i);
	for (unsigned s = 0; s < AS_SLS; s++)
		as->sls[s].asp = AS_NOBODY;
	return true;
}

void as_fini(struct as *as)
{
	for (unsigned i = 0; as->asps && i < as->n_asps; i++)
		asp_fini(&as->asps[i]);
	free(as->asps);
	as->asps = NULL;
}
