/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Forwarding, in four steps: who sent it and may they (ingress), where does it go (route), how is that target
 * (active, pending, unserved), and out by one of its slots with a new header. Whatever is not plain
 * forwarding is counted and goes up to control, which answers it. */
#include "data/forward.h"

#include <string.h>

#include "data/assoc.h"
#include "data/fwd_route.h"
#include "data/hold.h"
#include "data/stream.h"
#include "wire/m3ua_data_inline.h"

enum { FORWARD_OK = DROP_COUNT };

/* What has been found out about a message. */
struct transit {
	struct m3ua_data d;
	const struct fwd_ingress_rc *in; /* the AS it was sent in */
	const struct fwd_as *as;         /* the target it is for */
};

/* Where a message came from, so that it does not go back there. */
struct origin {
	uint32_t as, assoc_id;
};

/* What control needs to know of a refusal, besides its reason. */
static uint32_t explain(const struct transit *t, enum drop_reason r)
{
	switch (r) {
	case DROP_MALFORMED:
	case DROP_STREAM_0: return 0;
	case DROP_NOT_ACTIVE:
	case DROP_BAD_RC:
	case DROP_NO_RC: return t->d.rc;
	case DROP_BAD_NA: return t->d.na;
	case DROP_BAD_NI: return t->d.label.ni;
	case DROP_OWN_OPC: return t->d.label.opc;
	default: return t->d.label.dpc;
	}
}

/* Counted on its sender, and told to control as long as control keeps up. */
static __attribute__((noinline)) void refuse(
	struct worker *w, struct assoc *from, struct mbuf *m, const struct transit *t, enum drop_reason r)
{
	assoc_drop(from, r);
	if (counter_get(&w->told[TOLD_REFUSED]) - counter_get(&w->taken[TOLD_REFUSED]) >= PLANE_REFUSALS) {
		mbuf_free(w->pool, m);
		return;
	}
	counter_add(&w->told[TOLD_REFUSED], 1);
	m->peer = from;
	m->ssn = (uint16_t)r;
	m->aux = explain(t, r);
	m->note.kind = N_REFUSED;
	inbox_post(&w->plane->events, &m->note);
}

/* ---- ingress ---- */

/* The AS that the message was sent in: by its Routing Context, or the only one there is. */
static inline unsigned find_ingress(
	const struct fwd_table *table, const struct assoc *from, struct transit *t)
{
	const struct fwd_ingress *in = NULL;

	if (from->id < table->n_ingress)
		in = table->ingress[from->id];
	if (!in)
		return DROP_NOT_ACTIVE;
	if (t->d.has_rc)
		/* most peers have one AS */
		t->in = in->n && in->rcs[0].rc == t->d.rc ? &in->rcs[0] : fwd_ingress_find(in, t->d.rc);
	else if (in->rc_required)
		return DROP_NO_RC;
	else if (in->has_only)
		t->in = &in->only;
	else
		return DROP_NOT_ACTIVE;
	if (!t->in)
		return DROP_BAD_RC;
	return t->in->active ? FORWARD_OK : DROP_NOT_ACTIVE;
}

static inline unsigned check_network(
	const struct fwd_routing *r, const struct fwd_net *net, struct assoc *from, struct transit *t)
{
	if (t->d.has_na && (!net->info.has_na || net->info.na != t->d.na) &&
		!assoc_tolerates(from, ASSOC_ANY_NA))
		return DROP_BAD_NA;
	if (net->info.ni != t->d.label.ni && net->info.ni != FWD_ANY_NI)
		return DROP_BAD_NI;
	if (fwd_loops(r, net, t->d.label.opc))
		return DROP_OWN_OPC;
	return FORWARD_OK;
}

/* DATA must not travel on stream 0 (RFC 4666 s.1.4.7), unless there is no other. */
static bool bad_stream(struct assoc *from, const struct mbuf *m)
{
	return m->stream == 0 && atomic_load_explicit(&from->in_streams, memory_order_relaxed) > 1 &&
	       !assoc_tolerates(from, ASSOC_ANY_STREAM);
}

/* Protocol Data under the tag of early drafts gets the standard's; nothing else may be wrong with it. */
static __attribute__((noinline)) bool read_draft(struct assoc *from, struct mbuf *m, struct m3ua_data *d)
{
	return from->tolerates & ASSOC_DRAFT_DATA && m3ua_data_undraft(mbuf_head(m), m->len) &&
	       m3ua_data_parse(mbuf_head(m), m->len, d) && assoc_tolerates(from, ASSOC_DRAFT_DATA);
}

static inline __attribute__((always_inline)) unsigned find_route(
	const struct fwd_table *table, const struct fwd_net *net, struct transit *t)
{
	const struct mtp3_label *l = &t->d.label;
	const struct fwd_dest *d = fwd_find(table->routing, net, l->dpc);
	unsigned by;
	uint32_t as;

	as = fwd_match_dest(d, l->opc, l->si, &by);
	if (as == FWD_NO_AS)
		return d == table->routing->dests ? DROP_NO_ROUTE : DROP_NO_USER;
	t->as = as < table->n_as ? table->as[as] : NULL;
	return t->as ? FORWARD_OK : DROP_AS_DOWN;
}

static inline unsigned examine(struct worker *w, struct assoc *from, struct mbuf *m, struct transit *t)
{
	const struct fwd_table *table = w->table;
	const struct fwd_net *net;
	unsigned r;

	if (!m3ua_data_read(mbuf_head(m), m->len, &t->d) && !read_draft(from, m, &t->d))
		return DROP_MALFORMED;
	if (bad_stream(from, m))
		return DROP_STREAM_0;
	if (!table)
		return DROP_NOT_ACTIVE;
	r = find_ingress(table, from, t);
	if (r != FORWARD_OK)
		return r;
	net = fwd_net(table->routing, t->in->network);
	if (!net)
		return DROP_NO_ROUTE;
	r = check_network(table->routing, net, from, t);
	return r == FORWARD_OK ? find_route(table, net, t) : r;
}

/* ---- egress ---- */

/* Rewrites the header in front of the payload: Routing Context and Network Appearance are those of the slot
 * it leaves by, never what the sender wrote; the label is kept as it is. */
static inline bool rewrite(struct mbuf *m, const struct fwd_slot *slot, struct m3ua_data *d)
{
	uint32_t off = m->off + d->payload_off, total;
	uint8_t *head;

	if (off < M3UA_DATA_HEADER_MAX || m->cap - off - d->payload_len < M3UA_DATA_TRAILER_MAX)
		return false;
	d->has_rc = slot->has_rc;
	d->rc = slot->rc;
	d->has_na = slot->has_na;
	d->na = slot->na;
	head = m3ua_data_put(m->data + off, d->payload_len, d, &total);
	if (!head)
		return false;
	m->off = (uint32_t)(head - m->data);
	m->len = total;
	m->ppid = TP_PPID_M3UA;
	return true;
}

static inline __attribute__((always_inline)) void send_to(
	struct worker *w, struct assoc *to, struct mbuf *m, const struct mtp3_label *l, bool held)
{
	m->stream = flow_stream(
		atomic_load_explicit(&to->out_streams, memory_order_relaxed), l->opc, l->dpc, l->sls);
	counter_add(&w->c[WC_FORWARDED], 1);
	if (to->worker == w) {
		if (held)
			assoc_enqueue_held(to, m);
		else
			assoc_enqueue_data(to, m);
		return;
	}
	counter_add(&w->c[WC_CROSSED], 1);
	m->peer = to;
	m->note.kind = held ? N_FORWARD_HELD : N_FORWARD;
	inbox_post(&to->worker->inbox, &m->note);
}

static struct mbuf *copy(struct worker *w, struct mbuf *m)
{
	struct mbuf *c = mbuf_alloc(w->pool);

	if (!c)
		return NULL;
	if (c->off + m->len > c->cap)
		c->off = c->cap - m->len;
	memcpy(mbuf_head(c), mbuf_head(m), m->len);
	c->len = m->len;
	c->ppid = m->ppid;
	c->rx_ns = m->rx_ns;
	return c;
}

static void correlate(struct worker *w, const struct fwd_as *as, struct m3ua_data *d)
{
	struct broadcast_flow flow = {
		.opc = d->label.opc,
		.dpc = d->label.dpc,
		.sls = d->label.sls,
		.si = d->label.si,
		.as = as->number,
		.epoch = w->table->epochs[as->number] + 1,
	};

	d->has_corr = broadcast_first(&w->broadcast, &flow);
	if (d->has_corr)
		d->corr = broadcast_correlation(&w->broadcast, w->index);
}

static inline bool is_way_back(const struct fwd_slot *slot, struct origin from)
{
	return slot->as == from.as || (slot->flags & FWD_SLOT_ROUTES && slot->assoc->id == from.assoc_id);
}

/* The next slot that does not lead back to where the message came from; NULL: there is none. */
static __attribute__((noinline)) const struct fwd_slot *other_slot(
	const struct fwd_as *as, const struct fwd_slot *slot, struct origin from)
{
	for (unsigned i = 1; i < as->n_slots; i++) {
		slot = slot + 1 == as->slots + as->n_slots ? as->slots : slot + 1;
		if (!is_way_back(slot, from))
			return slot;
	}
	return NULL;
}

/* All slots of a broadcast target belong to one AS and write the same header. */
static __attribute__((noinline)) unsigned broadcast(struct worker *w, const struct fwd_as *as, struct mbuf *m,
	struct m3ua_data *d, struct origin from, bool held)
{
	if (is_way_back(&as->slots[0], from))
		return DROP_LOOP;
	correlate(w, as, d);
	if (!rewrite(m, &as->slots[0], d))
		return DROP_TOO_LONG;
	for (unsigned i = 1; i < as->n_slots; i++) {
		struct mbuf *c = copy(w, m);

		if (c)
			send_to(w, as->slots[i].assoc, c, &d->label, held);
		else
			worker_drop(w, DROP_NO_BUFFER);
	}
	send_to(w, as->slots[0].assoc, m, &d->label, held);
	return FORWARD_OK;
}

/* The slot whose turn it is in a loadshare target. */
static inline const struct fwd_slot *choose_slot(
	const struct fwd_as *as, const struct mbuf *m, const struct m3ua_data *d)
{
	const struct mtp3_label *l = &d->label;
	uint32_t bucket;

	if (as->key == FWD_KEY_SLS)
		bucket = l->sls & (as->n_buckets - 1);
	else
		bucket = fwd_bucket(
			as, l->opc, l->dpc, l->si, l->sls, m->data + m->off + d->payload_off, d->payload_len);
	return &as->slots[as->share[bucket]];
}

/* To the ASP, or all the ASPs, that the traffic mode says (RFC 4666 s.4.3.4.3). Unless FORWARD_OK it cannot
 * be sent, and M is still the caller's. */
static inline __attribute__((always_inline)) unsigned send_active(struct worker *w, const struct fwd_as *as,
	struct mbuf *m, struct m3ua_data *d, struct origin from, bool held)
{
	const struct fwd_slot *slot;

	d->has_corr = false; /* the sender's is between it and us */
	if (as->n_buckets)
		slot = choose_slot(as, m, d);
	else if (as->mode == FWD_BROADCAST)
		return broadcast(w, as, m, d, from, held);
	else
		slot = as->slots;
	if (is_way_back(slot, from) && !(slot = other_slot(as, slot, from)))
		return DROP_LOOP;
	if (!rewrite(m, slot, d))
		return DROP_TOO_LONG;
	send_to(w, slot->assoc, m, &d->label, held);
	return FORWARD_OK;
}

/* Not plain forwarding: the target is pending, or unserved. */
static __attribute__((noinline)) void set_aside(
	struct worker *w, struct assoc *from, struct mbuf *m, const struct transit *t)
{
	enum drop_reason r = DROP_AS_DOWN;

	if (t->as->number == t->in->as) {
		r = DROP_LOOP;
	} else if (t->as->state == FWD_AS_PENDING) {
		m->aux = t->in->as;
		m->stream = t->in->network;
		m->ssn = (uint16_t)from->id;
		if (hold_message(w, t->as->hold, m)) {
			counter_add(&from->c[AC_HELD], 1);
			return;
		}
		r = DROP_HOLD_FULL;
	}
	refuse(w, from, m, t, r);
}

void forward_data(struct worker *w, struct assoc *from, struct mbuf *m)
{
	struct transit t;
	unsigned r = examine(w, from, m, &t);

	if (r == FORWARD_OK && t.as->state != FWD_AS_ACTIVE) {
		set_aside(w, from, m, &t);
		return;
	}
	if (r == FORWARD_OK)
		r = send_active(w, t.as, m, &t.d, (struct origin){t.in->as, from->id}, false);
	if (r != FORWARD_OK)
		refuse(w, from, m, &t, (enum drop_reason)r);
}

const struct fwd_as *forward_target(struct worker *w, const struct mbuf *m)
{
	const struct fwd_net *net = w->table ? fwd_net(w->table->routing, m->stream) : NULL;
	struct transit t;

	if (!net || !m3ua_data_parse(m->data + m->off, m->len, &t.d))
		return NULL;
	return find_route(w->table, net, &t) == FORWARD_OK ? t.as : NULL;
}

void forward_held(struct worker *w, const struct fwd_as *as, struct mbuf *m)
{
	struct m3ua_data d;
	unsigned r = DROP_MALFORMED;

	if (m3ua_data_parse(mbuf_head(m), m->len, &d))
		r = send_active(w, as, m, &d, (struct origin){m->aux, m->ssn}, true);
	if (r == FORWARD_OK)
		return;
	worker_drop(w, (enum drop_reason)r);
	mbuf_free(w->pool, m);
}

void forward_msu(struct worker *w, struct assoc *from, struct mbuf *m)
{
	struct transit t = {0};

	refuse(w, from, m, &t, DROP_NO_LINKSET); /* no linkset has routes */
}
