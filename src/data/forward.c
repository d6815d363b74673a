/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Forwarding, in four steps: who sent it and may they (ingress), where does it go (route), how is that target
 * (active, pending, unserved), and out by one of its slots with a new header. Whatever is not plain
 * forwarding is counted and goes up to control, which answers it.
 *
 * Messages come as M3UA DATA or as MSUs of M2PA links, and leave as either. What differs is how the label is
 * read and what is written in front of the user part, which stays where it lies. */
#include "data/forward.h"

#include <string.h>

#include "data/assoc.h"
#include "data/congested.h"
#include "data/fwd_route.h"
#include "data/hold.h"
#include "data/stream.h"
#include "wire/m3ua_data_inline.h"
#include "wire/mtp3.h"

/* Besides the reasons why not. */
enum { FORWARD_OK = DROP_COUNT, FORWARD_WAIT };

enum { SI_USER_PARTS = 3 }; /* below: network management and testing (Q.704 s.14.2.1) */

/* Where a message came from, so that it does not go back there. */
struct origin {
	uint32_t as, assoc_id;
};

/* What has been found out about a message. */
struct transit {
	struct m3ua_data d;              /* of an MSU: its label, and where its user part is */
	const struct fwd_ingress_rc *in; /* the AS or linkset it was sent in */
	const struct fwd_as *as;         /* the target it is for */
	struct fwd_hold *wait;           /* of FORWARD_WAIT */
	bool is_msu;
	uint8_t pri; /* of an MSU */
};

/* What control needs to know of a refusal, besides its reason. */
static uint32_t explain(const struct transit *t, enum drop_reason r)
{
	switch (r) {
	case DROP_MALFORMED:
	case DROP_NO_LINKSET:
	case DROP_STREAM_0: return 0;
	case DROP_NOT_ACTIVE:
	case DROP_BAD_RC:
	case DROP_NO_RC: return t->d.rc;
	case DROP_BAD_NA: return t->d.na;
	case DROP_BAD_NI: return t->d.label.ni;
	case DROP_NOT_USER: return t->d.label.si;
	case DROP_BAD_OPC:
	case DROP_OWN_OPC: return t->d.label.opc;
	default: return t->d.label.dpc;
	}
}

void forward_refused(struct worker *w, struct assoc *from, struct mbuf *m, enum drop_reason r, uint32_t value)
{
	assoc_drop(from, r);
	if (counter_get(&w->told[TOLD_REFUSED]) - counter_get(&w->taken[TOLD_REFUSED]) >= PLANE_REFUSALS) {
		mbuf_free(w->pool, m);
		return;
	}
	counter_add(&w->told[TOLD_REFUSED], 1);
	m->peer = from;
	m->ssn = (uint16_t)r;
	m->aux = value;
	m->note.kind = N_REFUSED;
	inbox_post(&w->plane->events, &m->note);
}

static __attribute__((noinline)) void refuse(
	struct worker *w, struct assoc *from, struct mbuf *m, const struct transit *t, enum drop_reason r)
{
	forward_refused(w, from, m, r, explain(t, r));
}

/* ---- ingress ---- */

/* The AS that the message was sent in: by its Routing Context, or the only one there is. */
static inline __attribute__((always_inline)) unsigned find_ingress(
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

static inline __attribute__((always_inline)) unsigned check_label(
	const struct fwd_routing *r, const struct fwd_net *net, const struct transit *t)
{
	if (net->info.ni != t->d.label.ni && net->info.ni != FWD_ANY_NI)
		return DROP_BAD_NI;
	if (fwd_loops(r, net, t->d.label.opc))
		return DROP_OWN_OPC;
	return FORWARD_OK;
}

/* RFC 4666 s.1.4.3.2: what MTP level 3 says among itself is not relayed for users of it. */
static inline unsigned check_data(
	const struct fwd_routing *r, const struct fwd_net *net, struct assoc *from, const struct transit *t)
{
	if (t->d.has_na && (!net->info.has_na || net->info.na != t->d.na) &&
		!assoc_tolerates(from, ASSOC_ANY_NA))
		return DROP_BAD_NA;
	if (t->d.label.si < SI_USER_PARTS)
		return DROP_NOT_USER;
	return check_label(r, net, t);
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

/* A destination, but not for this user or from there. */
static unsigned no_user(const struct fwd_dest *d, const struct transit *t)
{
	return t->is_msu && d->own ? DROP_OWN_DPC : DROP_NO_USER;
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
		return d == table->routing->dests ? DROP_NO_ROUTE : no_user(d, t);
	t->as = as < table->n_as ? table->as[as] : NULL;
	return t->as ? FORWARD_OK : DROP_AS_DOWN;
}

/* The SLS in front of the user part at PAYLOAD gets 5 bits: what waits is read again as it lies. */
static __attribute__((noinline)) void narrow(uint8_t *payload, struct mtp3_label *l)
{
	l->sls &= 0x1f;
	payload[-1] = l->sls;
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
	if (t->in->sls5)
		narrow(mbuf_head(m) + t->d.payload_off, &t->d.label);
	net = fwd_net(table->routing, t->in->network);
	if (!net)
		return DROP_NO_ROUTE;
	r = check_data(table->routing, net, from, t);
	return r == FORWARD_OK ? find_route(table, net, t) : r;
}

/* SIO and label, by the variant of the network. Where the SIO has no room for it, the priority is M2PA's. */
static bool read_msu(const struct mbuf *m, enum pc_variant v, struct transit *t)
{
	if (mtp3_head_read(m->data + m->off, m->len, v, &t->d.label) != MTP3_OK)
		return false;
	if (!mtp3_shapes[v].sio_priority)
		t->d.label.mp = t->pri;
	t->d.payload_off = mtp3_head_len(v);
	t->d.payload_len = m->len - t->d.payload_off;
	return true;
}

static unsigned examine_msu(struct worker *w, struct assoc *from, const struct mbuf *m, struct transit *t)
{
	const struct fwd_table *table = w->table;
	const struct fwd_net *net;
	unsigned r;

	if (!table || find_ingress(table, from, t) != FORWARD_OK)
		return DROP_NO_LINKSET;
	net = fwd_net(table->routing, t->in->network);
	if (!net)
		return DROP_NO_LINKSET;
	if (!read_msu(m, net->info.variant, t))
		return DROP_MALFORMED;
	r = check_label(table->routing, net, t);
	return r == FORWARD_OK ? find_route(table, net, t) : r;
}

/* ---- egress ---- */

/* Rewrites the header in front of the payload: Routing Context and Network Appearance are those of the slot
 * it leaves by, never what the sender wrote; the label is kept as it is. */
static inline __attribute__((always_inline)) bool rewrite(
	struct mbuf *m, const struct fwd_slot *slot, struct m3ua_data *d)
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

/* The same for a link, up to the SIO: the rest is the sequence part's (m2pa_tx.c). An MSU is left as it came,
 * spare bits included, unless its SLS has to be rotated. */
static unsigned rewrite_for_link(
	struct mbuf *m, const struct fwd_slot *slot, const struct fwd_network *net, const struct transit *t)
{
	enum pc_variant v = (enum pc_variant)net->variant;
	uint32_t head = mtp3_head_len(v), sio = m->off + t->d.payload_off - head;
	struct mtp3_label label = t->d.label;

	if (head - 1 + t->d.payload_len > (slot->max_sif ? slot->max_sif : FWD_NARROW_SIF))
		return DROP_LONG_SIF;
	m->aux = t->is_msu ? t->pri : mtp3_shapes[v].sio_priority ? 0 : label.mp & 3;
	if (t->is_msu && !slot->rotate)
		return FORWARD_OK;
	label.sls = mtp3_sls_rotate(label.sls & (uint8_t)(sls_values(&net->sls) - 1), slot->rotate);
	if (mtp3_head_write(m->data + sio, v, &label) != MTP3_OK)
		return DROP_BAD_OPC;
	m->off = sio;
	m->len = head + t->d.payload_len;
	return FORWARD_OK;
}

static inline __attribute__((always_inline)) void send_to(
	struct worker *w, const struct fwd_slot *slot, struct mbuf *m, const struct mtp3_label *l, bool held)
{
	struct assoc *to = slot->assoc;

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
	if (slot->proto == FWD_M3UA) /* an MSU has its priority there */
		m->aux = slot->life;
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

/* CAME NULL: M has waited, and knows. */
static inline struct origin origin_of(const struct transit *t, const struct mbuf *m, const struct assoc *came)
{
	return (struct origin){t->in->as, came ? came->id : m->ssn};
}

static inline __attribute__((always_inline)) bool is_way_back(const struct fwd_slot *slot, struct origin from)
{
	return slot->as == from.as ||
	       (slot->flags & FWD_SLOT_ROUTES && slot->assoc && slot->assoc->id == from.assoc_id);
}

/* The next slot that does not lead back to where the message came from; NULL: there is none. */
static const struct fwd_slot *other_slot(
	const struct fwd_as *as, const struct fwd_slot *slot, struct origin from)
{
	for (unsigned i = 1; i < as->n_slots; i++) {
		slot = slot + 1 == as->slots + as->n_slots ? as->slots : slot + 1;
		if (!is_way_back(slot, from))
			return slot;
	}
	return NULL;
}

/* By a slot that asks for it, DATA leaves with an SLS of 5 bits; AT: where its user part begins. */
static void leave_by(struct worker *w, const struct fwd_slot *slot, struct mbuf *m, uint32_t at,
	struct mtp3_label label, bool held)
{
	if (slot->flags & FWD_SLOT_SLS5)
		narrow(mbuf_head(m) + at, &label);
	send_to(w, slot, m, &label, held);
}

/* And in the life that control knew when it made the slot. */
static inline __attribute__((always_inline)) bool is_up(const struct fwd_slot *slot)
{
	return atomic_load_explicit(&slot->assoc->serves, memory_order_relaxed) == slot->life;
}

/* The first from SLOT on; NULL: none. */
static const struct fwd_slot *next_up(const struct fwd_as *as, const struct fwd_slot *slot)
{
	for (; slot < as->slots + as->n_slots; slot++)
		if (is_up(slot))
			return slot;
	return NULL;
}

/* Nobody there is up. Control learns of it just now: its next table names another ASP, or says that the AS is
 * pending. */
static unsigned await_table(struct transit *t)
{
	t->wait = t->as->hold;
	return t->wait ? FORWARD_WAIT : DROP_AS_DOWN;
}

static void send_copy(struct worker *w, const struct fwd_slot *slot, struct mbuf *m, uint32_t at,
	struct mtp3_label label, bool held)
{
	struct mbuf *c = copy(w, m);

	if (c)
		leave_by(w, slot, c, at, label, held);
	else
		worker_drop(w, DROP_NO_BUFFER);
}

/* All slots of a broadcast target belong to one AS and write the same header. */
static __attribute__((noinline)) unsigned broadcast(
	struct worker *w, struct mbuf *m, struct transit *t, struct assoc *came, bool held)
{
	const struct fwd_as *as = t->as;
	const struct fwd_slot *slot = next_up(as, as->slots), *next;
	struct m3ua_data *d = &t->d;
	uint32_t at = m->off + d->payload_off;

	if (is_way_back(&as->slots[0], origin_of(t, m, came)))
		return DROP_LOOP;
	if (!slot)
		return await_table(t);
	correlate(w, as, d);
	if (!rewrite(m, slot, d))
		return DROP_TOO_LONG;
	at -= m->off;
	for (; (next = next_up(as, slot + 1)); slot = next)
		send_copy(w, slot, m, at, d->label, held);
	leave_by(w, slot, m, at, d->label, held);
	return FORWARD_OK;
}

/* The slot whose turn it is in a loadshare target. */
static const struct fwd_slot *choose_slot(
	const struct fwd_as *as, const struct mbuf *m, const struct m3ua_data *d)
{
	const struct mtp3_label *l = &d->label;
	const uint8_t *payload = m->data + m->off + d->payload_off;

	return &as->slots[as->share[fwd_bucket(as, l->opc, l->dpc, l->si, l->sls, payload, d->payload_len)]];
}

/* By a slot that is not an ASP's as any other, leads back, or whose association has just ended. */
static __attribute__((noinline)) unsigned send_with_care(struct worker *w, const struct fwd_slot *slot,
	struct mbuf *m, struct transit *t, struct assoc *came, bool held)
{
	struct origin from = origin_of(t, m, came);
	const struct fwd_net *net = fwd_net(w->table->routing, t->in->network);
	uint32_t at = m->off + t->d.payload_off;
	unsigned r = FORWARD_OK;

	if (is_way_back(slot, from) && !(slot = other_slot(t->as, slot, from)))
		return DROP_LOOP;
	if (slot->hold) {
		t->wait = slot->hold;
		return FORWARD_WAIT;
	}
	if (slot->proto == FWD_M3UA && !is_up(slot))
		return await_table(t);
	if (w->table->congestion && came && !t->is_msu)
		congested_met(w, came, t->in->network, &t->d.label);
	if (slot->proto == FWD_M2PA)
		r = rewrite_for_link(m, slot, &net->info, t);
	else if (!rewrite(m, slot, &t->d))
		r = DROP_TOO_LONG;
	if (r == FORWARD_OK)
		leave_by(w, slot, m, at - m->off, t->d.label, held);
	return r;
}

/* To the ASP, or all the ASPs, that the traffic mode says (RFC 4666 s.4.3.4.3), or to the link of its SLS.
 * Unless FORWARD_OK it cannot be sent, or not now, and M is still the caller's. */
static inline __attribute__((always_inline)) unsigned send_active(
	struct worker *w, struct mbuf *m, struct transit *t, struct assoc *from, bool held)
{
	const struct fwd_as *as = t->as;
	const struct fwd_slot *slot;

	t->d.has_corr = false; /* the sender's is between it and us */
	if (as->sls_mask)
		slot = &as->slots[as->share[t->d.label.sls & as->sls_mask]];
	else if (as->n_buckets)
		slot = choose_slot(as, m, &t->d);
	else if (as->mode == FWD_BROADCAST)
		return broadcast(w, m, t, from, held);
	else
		slot = as->slots;
	if (!slot->plain || slot->as == t->in->as || !is_up(slot))
		return send_with_care(w, slot, m, t, from, held);
	if (!rewrite(m, slot, &t->d))
		return DROP_TOO_LONG;
	send_to(w, slot, m, &t->d.label, held);
	return FORWARD_OK;
}

/* The target is pending, or unserved. */
static __attribute__((noinline)) unsigned not_active(struct transit *t)
{
	if (t->as->number == t->in->as)
		return DROP_LOOP;
	if (t->as->state != FWD_AS_PENDING)
		return DROP_AS_DOWN;
	t->wait = t->as->hold;
	return FORWARD_WAIT;
}

static bool wait(struct worker *w, struct assoc *from, struct mbuf *m, const struct transit *t)
{
	m->aux = t->in->as;
	m->stream = t->in->network;
	m->ssn = (uint16_t)from->id;
	m->ppid = t->is_msu ? TP_PPID_M2PA : TP_PPID_M3UA;
	if (t->is_msu)
		mbuf_head(m)[-1] = (uint8_t)(t->pri << 6);
	if (!hold_message(w, t->wait, m))
		return false;
	counter_add(&from->c[AC_HELD], 1);
	return true;
}

static __attribute__((noinline)) void not_forwarded(
	struct worker *w, struct assoc *from, struct mbuf *m, const struct transit *t, unsigned r)
{
	if (r == FORWARD_WAIT) {
		if (wait(w, from, m, t))
			return;
		r = DROP_HOLD_FULL;
	}
	refuse(w, from, m, t, (enum drop_reason)r);
}

static inline __attribute__((always_inline)) void forward(
	struct worker *w, struct assoc *from, struct mbuf *m, struct transit *t, unsigned r)
{
	if (r == FORWARD_OK)
		r = t->as->state == FWD_AS_ACTIVE ? send_active(w, m, t, from, false) : not_active(t);
	if (r != FORWARD_OK)
		not_forwarded(w, from, m, t, r);
}

void forward_data(struct worker *w, struct assoc *from, struct mbuf *m)
{
	struct transit t;

	t.is_msu = false;
	forward(w, from, m, &t, examine(w, from, m, &t));
}

void forward_msu(struct worker *w, struct assoc *from, struct mbuf *m)
{
	struct transit t = {.is_msu = true, .pri = m->aux & 3};
	unsigned r = examine_msu(w, from, m, &t);

	if (r == FORWARD_OK && w->table->congestion)
		congested_met(w, from, t.in->network, &t.d.label);
	forward(w, from, m, &t, r);
}

/* ---- what was held ---- */

/* Where it goes now. What goes nowhere has waited in vain. */
static bool find_again(const struct worker *w, const struct mbuf *m, struct transit *t)
{
	const struct fwd_net *net = w->table ? fwd_net(w->table->routing, t->in->network) : NULL;
	const uint8_t *head = m->data + m->off;

	if (!net)
		return false;
	if (t->is_msu ? !read_msu(m, net->info.variant, t) : !m3ua_data_parse(head, m->len, &t->d))
		return false;
	return find_route(w->table, net, t) == FORWARD_OK && t->as->state != FWD_AS_UNSERVED;
}

struct fwd_hold *forward_again(struct worker *w, struct mbuf *m)
{
	const struct fwd_ingress_rc in = {.as = m->aux, .network = m->stream};
	struct transit t = {.in = &in, .is_msu = m->ppid == TP_PPID_M2PA};
	unsigned r = DROP_HOLD_EXPIRED;

	if (t.is_msu)
		t.pri = mbuf_head(m)[-1] >> 6;
	if (find_again(w, m, &t))
		r = t.as->state == FWD_AS_ACTIVE ? send_active(w, m, &t, NULL, true) : not_active(&t);
	if (r == FORWARD_OK)
		return NULL;
	if (r == FORWARD_WAIT && t.wait)
		return t.wait;
	worker_drop(w, r == FORWARD_WAIT ? DROP_HOLD_EXPIRED : (enum drop_reason)r);
	mbuf_free(w->pool, m);
	return NULL;
}
