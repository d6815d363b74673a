/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a changeover has retrieved goes on (Q.704 s.5.5), before the table is published by which all that is
 * newer goes: by another link of the linkset, by another linkset, or as DATA to an Application Server. The
 * last is what a worker would make of it. Where it goes is in the inbox of its way's worker when another
 * worker sees that table, so it is in front of what that one sends (fwd.h). */
#include <string.h>

#include "data/stream.h"
#include "m2pa/link.h"
#include "ss7/ss7_int.h"
#include "wire/m3ua_data.h"

/* ---- which way ---- */

/* How narrow a row of D is that LABEL matches, as the data plane ranks them (data/fwd_route.h); -1: it does
 * not. */
static int rank(const struct route *r, const struct mtp3_label *label)
{
	bool by_si = r->spec.si != FWD_ANY_SI, by_opc = r->spec.opc != FWD_ANY_OPC;

	if (r->inherited || (by_si && r->spec.si != label->si) || (by_opc && r->spec.opc != label->opc))
		return -1;
	return by_opc << 1 | by_si;
}

static bool is_open(const struct route *r)
{
	const struct route_egress *e = r->spec.egress;

	if (!e || route_status(r) == DEST_UNAVAILABLE || route_status(r) == DEST_UNKNOWN)
		return false;
	return ss7_linkset_of(e) || route_egress_state(e) == FWD_AS_ACTIVE;
}

/* The best route but by EXCEPT, of those for messages with this label; NULL: none. */
static const struct route *alternative(const struct ss7_linkset *except, const struct mtp3_label *label)
{
	const struct sg_network *network = except->net->network;
	const struct dest *d =
		network ? dest_match(sg_router(except->ss7->sg), network->index, label->dpc) : NULL;
	const struct route *best = NULL, *kind = NULL;

	for (uint32_t i = 0; d && i < d->n_routes; i++)
		if (rank(&d->routes[i], label) > (kind ? rank(kind, label) : -1))
			kind = &d->routes[i];
	for (uint32_t i = 0; kind && i < d->n_routes; i++) {
		const struct route *r = &d->routes[i];

		if (r->selector != kind->selector || ss7_linkset_of(r->spec.egress) == except || !is_open(r))
			continue;
		if (!best || ss7_route_is_better(r, best))
			best = r;
	}
	return best;
}

/* ---- to an AS ---- */

static struct mbuf *copy(struct plane *p, const struct mbuf *m)
{
	struct mbuf *c = plane_mbuf(p);

	if (!c)
		return NULL;
	if (c->off + m->len + MBUF_TAILROOM > c->cap) {
		plane_free_mbuf(p, c);
		return NULL;
	}
	memcpy(mbuf_head(c), m->data + m->off, m->len);
	c->len = m->len;
	c->rx_ns = m->rx_ns;
	return c;
}

/* The MSU M, whose SIO and label are HEAD octets, becomes DATA and leaves by SLOT. */
static bool leave_by(const struct fwd_slot *slot, struct mbuf *m, uint32_t head, struct m3ua_data d)
{
	uint32_t at = m->off + head, len = m->len - head;
	uint8_t *start;

	if (at < M3UA_DATA_HEADER_MAX || m->cap - at - len < M3UA_DATA_TRAILER_MAX)
		return false;
	d.has_rc = slot->has_rc;
	d.rc = slot->rc;
	d.has_na = slot->has_na;
	d.na = slot->na;
	if (slot->flags & FWD_SLOT_SLS5)
		d.label.sls &= 0x1f;
	start = m3ua_data_write(m->data + at, len, &d, &m->len);
	if (!start)
		return false;
	m->off = (uint32_t)(start - m->data);
	m->ppid = TP_PPID_M3UA;
	m->stream = flow_stream(assoc_out_streams(slot->assoc), d.label.opc, d.label.dpc, d.label.sls);
	assoc_forward(slot->assoc, m);
	return true;
}

/* RFC 4666 s.4.3.4.3, as workers do it. */
static void correlate(struct ss7 *s, const struct fwd_table *t, const struct fwd_as *as, struct m3ua_data *d)
{
	const struct broadcast_flow flow = {.opc = d->label.opc,
		.dpc = d->label.dpc,
		.sls = d->label.sls,
		.si = d->label.si,
		.as = as->number,
		.epoch = t->epochs[as->number] + 1};

	d->has_corr = broadcast_first(&s->broadcast, &flow);
	if (d->has_corr)
		d->corr = broadcast_correlation(&s->broadcast, PLANE_MAX_WORKERS);
}

static bool broadcast(struct ss7_link *from, const struct fwd_as *as, struct mbuf *m, uint32_t head,
	const struct m3ua_data *d)
{
	for (unsigned i = 1; i < as->n_slots; i++) {
		struct mbuf *c = copy(from->ss7->plane, m);

		if (c && leave_by(&as->slots[i], c, head, *d))
			continue;
		plane_free_mbuf(from->ss7->plane, c);
		LOGP(DROUTE, LOGL_ERROR, "link %s: no buffer for another ASP's copy of a retrieved message\n",
			from->name);
	}
	return leave_by(&as->slots[0], m, head, *d);
}

/* To whom the published table has the egress's messages go. False: to nobody; M is still the caller's. */
static bool send_to_as(
	struct ss7_link *from, const struct route_egress *e, struct mbuf *m, struct mtp3_label label)
{
	enum pc_variant v = from->linkset->net->conf.variant;
	const struct fwd_table *t = plane_table(from->ss7->plane);
	uint32_t number = route_egress_number(e), head = mtp3_head_len(v);
	const struct fwd_as *as = t && number < t->n_as ? t->as[number] : NULL;
	struct m3ua_data d;
	unsigned slot = 0;

	if (!as || as->state != FWD_AS_ACTIVE)
		return false;
	if (!mtp3_shapes[v].sio_priority)
		label.mp = m->aux & 3;
	d = (struct m3ua_data){.label = label};
	if (as->mode == FWD_BROADCAST) {
		correlate(from->ss7, t, as, &d);
		return broadcast(from, as, m, head, &d);
	}
	if (as->n_buckets)
		slot = as->share[fwd_bucket(
			as, label.opc, label.dpc, label.si, label.sls, mbuf_head(m) + head, m->len - head)];
	return leave_by(&as->slots[slot], m, head, d);
}

/* ---- to a link ---- */

/* L has failed, too, and its changeover is to come: what it would have got goes on with what it has. */
static bool fails_too(const struct ss7_link *from, const struct ss7_link *l)
{
	return l != from && !l->in_service && (l->down || ss7_changes_over(l->l3));
}

static bool send_to_link(struct ss7_link *from, struct ss7_link *to, struct mbuf *m, struct mtp3_label *label)
{
	const struct ss7_linkset *ls;

	if (!to)
		return false;
	ls = to->linkset;
	if (ls->rotate !=
		from->linkset->rotate) { /* with the SLS as it leaves there; it fits as it did before */
		label->sls = mtp3_sls_rotate(label->sls, ls->rotate);
		(void)mtp3_head_write(mbuf_head(m), ls->net->conf.variant, label);
	}
	if (fails_too(from, to))
		mbufq_push(&to->retrieved, m);
	else
		m2pa_link_send(to->l2, m);
	return true;
}

/* ---- all of them ---- */

/* By its own linkset, unless its neighbour has meanwhile prohibited the destination (Q.704 s.7.2.1 a); else
 * by any route. LABEL has the SLS as it was before it was rotated: so others of the same SLS that come later
 * go the same way. */
static bool send_user(struct ss7_link *from, struct mbuf *m, struct mtp3_label *label)
{
	const struct ss7_linkset *ls = from->linkset;
	struct ss7_link *l = ss7_linkset_link(ls, label->sls);
	const struct route *r;

	if (l && (l->in_service || fails_too(from, l)) && ss7_linkset_may_carry(ls, label->dpc))
		return send_to_link(from, l, m, label);
	r = alternative(ls, label);
	ls = r ? ss7_linkset_of(r->spec.egress) : NULL;
	if (ls)
		return send_to_link(from, ss7_linkset_link(ls, label->sls), m, label);
	return r && send_to_as(from, r->spec.egress, m, *label);
}

/* True: M has gone on. Management messages go the way that level 3 thinks right now. */
static bool send_on(struct ss7_link *from, struct mbuf *m)
{
	struct mtp3_label label;

	if (mtp3_head_read(mbuf_head(m), m->len, from->linkset->net->conf.variant, &label) != MTP3_OK)
		return false;
	if (label.si <= MTP3_SI_TEST_SPECIAL) {
		mtp3_link_returned(from->l3, mbuf_head(m), m->len);
		plane_free_mbuf(from->ss7->plane, m);
		return true;
	}
	label.sls = mtp3_sls_unrotate(label.sls, from->linkset->rotate);
	return send_user(from, m, &label);
}

void ss7_link_requeue(struct ss7_link *l)
{
	uint32_t lost = 0;
	struct mbuf *m;

	l->requeue = false;
	while ((m = mbufq_pop(&l->retrieved))) {
		if (send_on(l, m))
			continue;
		plane_free_mbuf(l->ss7->plane, m);
		lost++;
	}
	mtp3_link_lost(l->l3, lost);
	if (lost)
		LOGP(DROUTE, LOGL_NOTICE, "link %s: %u retrieved messages had nowhere to go\n", l->name,
			lost);
}
