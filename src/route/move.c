/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When traffic goes by other routes than those that carried it: at once, or, where a listener knows that what
 * is under way must have time to arrive first (Q.704 s.6.4, 8), when it says so. Until then the selector's
 * target is one where messages wait: those that are to go by another egress than before (team.c). What
 * carried the traffic is remembered until it really moves, so that a choice that is changed once more
 * meanwhile is judged by the messages that are under way. */
#include "route/route_int.h"

static bool works(const struct route *route)
{
	const struct route_egress *e = route->spec.egress;

	return e && e->part && e->part->state == FWD_AS_ACTIVE && route_status(route) != DEST_UNAVAILABLE;
}

/* Is the choice another one than what carried the traffic, if anything did? */
static bool differs(const struct selector *s)
{
	bool any = s->left, other = s->left;

	for (uint32_t i = 0; i < s->n_routes; i++) {
		any |= s->routes[i].carried;
		other |= s->routes[i].carried != s->routes[i].in_use;
	}
	return any && other;
}

static enum route_move move_of(const struct selector *s)
{
	for (uint32_t i = 0; i < s->n_routes; i++)
		if (s->routes[i].carried && !s->routes[i].in_use && !works(&s->routes[i]))
			return ROUTE_FORCED;
	return ROUTE_CONTROLLED;
}

static void tell(const struct router *r, const struct dest *d, enum route_move how)
{
	for (unsigned i = 0; i < r->n_listeners; i++)
		if (r->listeners[i].l->moves)
			r->listeners[i].l->moves(r->listeners[i].user, d, how);
}

void move_settled(struct selector *s)
{
	s->held = s->left = s->partly = false;
	s->shared_by = NULL;
	for (uint32_t i = 0; i < s->n_routes; i++)
		s->routes[i].carried = s->routes[i].in_use;
}

/* E, if messages may wait there. */
static struct route_egress *room_of(struct route_egress *e)
{
	const struct fwd_as spec = {.number = FWD_NO_AS, .state = FWD_AS_PENDING, .hold = e->hold};

	if (!e->wait && e->hold->limit)
		e->wait = fwd_as_new(&spec);
	return e->hold->limit && e->wait ? e : NULL;
}

/* Where the messages are going, else where they came from. */
static struct route_egress *room(const struct selector *s, const struct choice *c)
{
	struct route_egress *found = NULL;

	for (uint32_t i = 0; i < c->n && !found; i++)
		found = room_of(c->best[i]);
	for (uint32_t i = 0; i < s->n_routes && !found; i++)
		if (s->routes[i].carried && s->routes[i].spec.egress)
			found = room_of(s->routes[i].spec.egress);
	return found;
}

/* What carried the traffic; NULL if that is not known of each SLS any more. */
static const struct team *carrier(struct router *r, const struct selector *s)
{
	struct route_egress *only = NULL;

	if (s->left || s->shared_by)
		return s->left ? NULL : s->shared_by;
	for (uint32_t i = 0; i < s->n_routes; i++) {
		struct route_egress *e = s->routes[i].spec.egress;

		if (!s->routes[i].carried)
			continue;
		if (!e || (only && only != e))
			return NULL;
		only = e;
	}
	return only ? team_alone(r, &r->networks[s->dest->network].sls, only) : NULL;
}

/* All wait, or those only that are to go by another egress. */
static const struct fwd_as *hold(struct router *r, struct selector *s, const struct choice *c)
{
	struct route_egress *in = room(s, c);
	const struct team *from = NULL;
	const struct fwd_as *t = NULL;

	if (in && (c->n > 1 || s->shared_by))
		from = carrier(r, s);
	if (from && c->n)
		t = team_hold(r, &r->networks[s->dest->network].sls, c, from, in->hold);
	s->held = in;
	s->partly = t;
	return t || !in ? t : in->wait;
}

/* Is there something to say of a move? Of a controlled one when it begins, or when messages that had not to
 * wait yet have to now. */
static bool is_news(const struct selector *s, enum route_move how)
{
	return how == ROUTE_FORCED || !s->held || (s->partly && s->chosen_anew);
}

const struct fwd_as *move_wait(struct router *r, struct selector *s, const struct choice *c)
{
	bool released = s->held && !s->dest->held, moves = !released && differs(s);
	enum route_move how = moves ? move_of(s) : ROUTE_FORCED;
	const struct fwd_as *wait = NULL;

	if ((moves || (s->held && !released)) && is_news(s, how))
		tell(r, s->dest, how);
	if (moves && s->dest->held)
		wait = hold(r, s, c);
	if (!wait)
		move_settled(s);
	return wait;
}

/* Called from moves(), true is for the selector that is being looked at: it sees it when that returns. */
void route_hold(struct router *r, uint16_t network, uint32_t pc, uint8_t mask, bool held)
{
	struct dest *d = plan_find(r->plan, network, pc, mask);

	if (!d || d->held == held)
		return;
	d->held = held;
	for (uint32_t i = 0; i < d->n_selectors; i++) {
		struct selector *s = &r->plan->selectors[d->routes->selector + i];

		if (s->held && !held)
			target_dirty(r->plan, s);
	}
}

/* ---- from one plan to the next ---- */

/* Who had the traffic that goes by S now: the same kind of messages, or those of any kind. */
static const struct selector *old_selector(const struct plan *old, const struct selector *s)
{
	const struct dest *d = plan_cover(old, s->dest->network, s->dest->pc, s->dest->mask);
	const struct selector *of = NULL, *v = d ? &old->selectors[d->routes->selector] : NULL;

	for (uint32_t i = 0; d && i < d->n_selectors; i++)
		if ((v[i].si == s->si && v[i].opc == s->opc) ||
			(!of && v[i].si == FWD_ANY_SI && v[i].opc == FWD_ANY_OPC))
			of = &v[i];
	return of;
}

static struct route *same_route(const struct selector *s, const struct route *route)
{
	for (uint32_t i = 0; i < s->n_routes; i++)
		if (s->routes[i].spec.egress == route->spec.egress)
			return &s->routes[i];
	return NULL;
}

void move_inherit(const struct plan *old_plan, struct selector *s)
{
	const struct selector *old = old_selector(old_plan, s);

	for (uint32_t i = 0; old && i < old->n_routes; i++) {
		const struct route *was = &old->routes[i];
		struct route *now = was->spec.egress ? same_route(s, was) : NULL;

		if (now)
			now->carried |= was->carried;
		else if (was->spec.egress && was->carried)
			s->left = true;
	}
	s->left |= old && old->left;
	s->shared_by = old ? old->shared_by : NULL;
	s->partly = old && old->partly;
	s->held = old && old->held && s->dest->held;
}
