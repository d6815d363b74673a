/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A link: level 2 below, level 3 above, and between them what takes time. Level 3 asks for a BSN and gets it
 * at once; the worker of the association knows it later. So a link is out of service for level 3 only when
 * its last BSN is known. Level 3 restarts a link or retrieves from it at once; the worker must see a table
 * without it first. So that waits for a grace period, as do a changeback declaration, which goes behind all
 * that the old table sends, and TRA: whoever gets it may use the new one. */
#include <string.h>
#include <talloc.h>

#include "m2pa/link.h"
#include "ss7/ss7_int.h"
#include "wire/mtp3_snm.h"

static const struct m2pa_link_ops ops;

static void dirty(struct ss7_link *l)
{
	l->linkset->dirty = true;
	l->ss7->due = true;
}

/* ---- in service, out of service ---- */

static void available(void *user, bool up)
{
	(void)user, (void)up; /* level 3 tries again by T17 */
}

static void in_service(void *user)
{
	struct ss7_link *l = user;

	l->in_service = true;
	l->has_bsnt = false;
	l->assoc = m2pa_link_assoc(l->l2);
	dirty(l);
	/* before level 3 sends anything: what answers it may be followed by traffic */
	ss7_link_follow_ingress(l);
	mtp3_link_in_service(l->l3);
}

static void deliver_order(struct ss7_link *l)
{
	struct mbuf *m = l->order;

	l->order = NULL;
	if (!m)
		return;
	mtp3_link_receive(l->order_on->l3, mbuf_head(m), m->len);
	plane_free_mbuf(l->ss7->plane, m);
}

/* Its last BSN is known, or never will be. */
static void told(struct ss7_link *l)
{
	const char *reason = l->down;
	enum ss7_then then = l->then;

	l->down = NULL;
	l->then = THEN_NOTHING;
	deliver_order(l); /* first: then the order is answered, and none of our own goes out */
	mtp3_link_out_of_service(l->l3, reason);
	if (then == THEN_DEACTIVATE)
		mtp3_link_deactivate(l->l3);
}

static void out_of_service(void *user, const char *reason)
{
	struct ss7_link *l = user;

	l->in_service = false;
	l->congestion = 0;
	if (l->quiet)
		return;
	dirty(l);
	l->down = l->cause ? l->cause : reason;
	l->cause = NULL;
	if (!m2pa_link_retrieve_bsnt(l->l2))
		told(l);
}

static void bsnt(void *user, uint32_t bsnt)
{
	struct ss7_link *l = user;

	l->bsnt = bsnt;
	l->has_bsnt = true;
	if (l->down)
		told(l);
}

void ss7_link_stop(struct ss7_link *l, enum ss7_then then)
{
	if (l->down) { /* it has failed a moment ago */
		l->then = then;
		return;
	}
	if (!l->in_service) {
		if (then == THEN_DEACTIVATE)
			mtp3_link_deactivate(l->l3);
		return;
	}
	l->then = then;
	ss7_link_say(l, l->ss7->next_epoch + 1);
	m2pa_link_stop(l->l2);
}

void ss7_link_fail(struct ss7_link *l, const char *reason)
{
	if (!l->in_service)
		return; /* level 2 was faster */
	l->cause = reason;
	ss7_link_stop(l, l->then);
}

/* ---- outages ---- */

static void remote_outage(void *user, bool out)
{
	mtp3_link_remote_outage(((struct ss7_link *)user)->l3, out);
}

static void recovered(void *user)
{
	(void)user; /* level 3 has gone on when it ended the outage: what it sends waits at level 2 */
}

static bool flush_due(void *user)
{
	return ss7_flush_due(((struct ss7_link *)user)->l3);
}

static void congestion(void *user, unsigned level)
{
	struct ss7_link *l = user;

	l->congestion = level;
	route_egress_stale(l->linkset->egress);
	l->ss7->due = true;
}

/* ---- messages ---- */

/* Is the message, which came on L, an order to give up another link that works? Then its BSN has to be known
 * before level 3 answers. An order for a link that is still tested is about an earlier life of it. */
static struct ss7_link *ordered(struct ss7_link *l, const struct mbuf *m)
{
	const struct mtp3_net_conf *net = &l->linkset->net->conf;
	struct mtp3_label label;
	struct ss7_link *other;
	struct snm s;

	if (snm_read(mbuf_head((struct mbuf *)(uintptr_t)m), m->len, net->variant, &label, &s) != MTP3_OK ||
		(s.id != SNM_XCO && s.id != SNM_ECO && s.id != SNM_COO))
		return NULL;
	llist_for_each_entry (other, &l->ss7->links, entry)
		if (other != l && ss7_takes_orders(other->l3) && other->linkset->net == l->linkset->net &&
			other->conf->slc == s.slc && other->linkset->conf->adjacent == label.opc &&
			other->linkset->l3conf.local == label.dpc)
			return other;
	return NULL;
}

static void message(void *user, struct mbuf *m)
{
	struct ss7_link *l = user, *other = ordered(l, m);

	if (other && (other->in_service || other->down) && !other->order) {
		other->order = m;
		other->order_on = l;
		ss7_link_stop(other, other->then);
		return;
	}
	mtp3_link_receive(l->l3, mbuf_head(m), m->len);
	plane_free_mbuf(l->ss7->plane, m);
}

/* Where the priority is M2PA's (RFC 4165 s.2.3.1, PRI), and not in the SIO: the highest. */
enum { PRIORITY_OF_MANAGEMENT = 3 };

static bool follows_table(const struct ss7_link *l, const uint8_t *msu, uint32_t len)
{
	struct mtp3_label label;
	struct snm s;

	return snm_read(msu, len, l->linkset->net->conf.variant, &label, &s) == MTP3_OK &&
	       (s.id == SNM_CBD || s.id == SNM_TRA);
}

void ss7_link_send(struct ss7_link *l, const uint8_t *msu, uint32_t len)
{
	struct mbuf *m = plane_mbuf(l->ss7->plane);

	if (!m || m->cap - m->off < len) {
		plane_free_mbuf(l->ss7->plane, m);
		LOGP(DROUTE, LOGL_ERROR, "link %s: no buffer for a management message\n", l->name);
		return;
	}
	memcpy(mbuf_head(m), msu, len);
	m->len = len;
	m->aux = l->linkset->net->conf.variant == PC_JAPAN ? PRIORITY_OF_MANAGEMENT : 0;
	if (!l->said.n && !follows_table(l, msu, len)) {
		m2pa_link_send(l->l2, m);
		return;
	}
	m->rx_ns = l->ss7->next_epoch + 1;
	mbufq_push(&l->said, m);
	l->ss7->speaks = l->ss7->due = true;
}

void ss7_link_say(struct ss7_link *l, uint32_t epoch)
{
	while (l->said.n && (int32_t)(epoch - (uint32_t)l->said.first->rx_ns) >= 0) {
		struct mbuf *m = mbufq_pop(&l->said);

		m->rx_ns = 0;
		m2pa_link_send(l->l2, m);
	}
}

/* ---- retrieval ---- */

static void retrieved(void *user, struct mbuf *m)
{
	mbufq_push(&((struct ss7_link *)user)->retrieved, m);
}

static void retrieval_done(void *user, uint32_t n)
{
	struct ss7_link *l = user;

	LOGP(DROUTE, LOGL_NOTICE, "link %s: %u messages retrieved\n", l->name, n);
	if (l->in_service && !l->wants_retrieval) { /* it was in processor outage, and may be used after it */
		l->assoc = m2pa_link_assoc(l->l2);
		dirty(l);
	}
	mtp3_link_retrieved(l->l3);
}

/* ---- what waits for a grace period ---- */

void ss7_link_withdraw(struct ss7_link *l)
{
	if ((!l->wants_start && !l->wants_retrieval) || !l->assoc)
		return;
	l->assoc = NULL;
	l->linkset->dirty = true;
}

void ss7_link_carry_out(struct ss7_link *l)
{
	bool start = l->wants_start, retrieval = l->wants_retrieval;

	l->wants_start = l->wants_retrieval = l->asked = false;
	if (retrieval && !m2pa_link_retrieve(l->l2, l->fsnc))
		mtp3_link_retrieved(l->l3);
	if (start) {
		l->has_bsnt = false;
		m2pa_link_start(l->l2, l->emergency);
		if (l->outage)
			m2pa_link_processor_outage(l->l2, true, false);
	}
}

void ss7_link_follow_ingress(struct ss7_link *l)
{
	struct router *r = sg_router(l->ss7->sg);
	const struct sg_network *network = l->linkset->net->network;
	struct assoc *now = network && l->in_service ? m2pa_link_assoc(l->l2) : NULL;
	struct fwd_ingress_rc only;

	if (now == l->ingress)
		return;
	if (l->ingress)
		router_drop_ingress(r, l->ingress);
	l->ingress = now;
	if (!now)
		return;
	only = (struct fwd_ingress_rc){
		.as = route_egress_number(l->linkset->egress), .network = network->index, .active = true};
	router_set_ingress(r, now, NULL, 0, &only);
	router_publish(r, true);
}

/* ---- life ---- */

static const struct m2pa_link_ops ops = {
	.available = available,
	.in_service = in_service,
	.out_of_service = out_of_service,
	.remote_outage = remote_outage,
	.recovered = recovered,
	.flush_due = flush_due,
	.congestion = congestion,
	.congested = ss7_traffic_congested,
	.bsnt = bsnt,
	.retrieved = retrieved,
	.retrieval_done = retrieval_done,
	.message = message,
	.refused = ss7_traffic_refused,
};

struct ss7_link *ss7_link_new(struct ss7_linkset *ls, const struct ss7_link_conf *conf)
{
	struct ss7_link *l = talloc_zero(ls->ss7, struct ss7_link);

	if (!l)
		return NULL;
	l->ss7 = ls->ss7;
	l->linkset = ls;
	l->conf = conf;
	l->name = talloc_strdup(l, conf->l2.name);
	l->l3conf = (struct mtp3_link_conf){.name = l->name, .slc = conf->slc, .emergency = conf->emergency};
	mbufq_init(&l->retrieved);
	mbufq_init(&l->said);
	l->l3 = mtp3_link_new(ls->l3, &l->l3conf, l);
	l->l2 = l->l3 ? m2pa_link_new(ls->ss7->l2, &conf->l2, &ops, l) : NULL;
	if (!l->l2) {
		LOGP(DMAIN, LOGL_ERROR, "link %s: cannot be set up\n", l->name);
		if (l->l3)
			mtp3_link_free(l->l3);
		talloc_free(l);
		return NULL;
	}
	llist_add_tail(&l->entry, &ls->ss7->links);
	return l;
}

static void forget(struct ss7_linkset *ls, const struct ss7_link *l)
{
	for (unsigned i = 0; i < MTP3_BUCKETS; i++) {
		if (ls->now.link[i] == l)
			ls->now.link[i] = NULL;
		if (ls->next.link[i] == l)
			ls->next.link[i] = NULL;
	}
	ls->dirty = true;
}

static void drop_order(struct ss7_link *l)
{
	plane_free_mbuf(l->ss7->plane, l->order);
	l->order = NULL;
}

void ss7_link_purge(struct ss7_link *l)
{
	struct mbuf *m;

	drop_order(l);
	while ((m = mbufq_pop(&l->retrieved)) || (m = mbufq_pop(&l->said)))
		plane_free_mbuf(l->ss7->plane, m);
}

/* The table that is published here names it no more. */
void ss7_link_free(struct ss7_link *l)
{
	struct ss7_linkset *ls = l->linkset;
	struct ss7_link *other;

	llist_for_each_entry (other, &l->ss7->links, entry)
		if (other->order && other->order_on == l)
			drop_order(other);
	l->quiet = true;
	m2pa_link_stop(l->l2);
	l->assoc = NULL;
	l->in_service = false;
	ss7_link_follow_ingress(l);
	llist_del(&l->entry);
	mtp3_link_free(l->l3);
	forget(ls, l);
	ss7_linkset_commit(ls);
	router_publish(sg_router(l->ss7->sg), false);
	ss7_link_purge(l);
	m2pa_link_remove(l->l2);
	talloc_free(l);
}
