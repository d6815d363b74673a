/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Forwarding, in four steps: who sent it and may they (ingress), where does it go (route), how is that AS
 * (active, pending, unserved), and out with a new header. Whatever is not plain forwarding is counted and
 * goes up to control, which answers it. */
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
	const struct fwd_as *as;         /* the AS it is for */
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
	const struct fwd_routing *r, const struct fwd_net *net, struct transit *t)
{
	if (t->d.has_na && (!net->info.has_na || net->info.na != t->d.na))
		return DROP_BAD_NA;
	if (net->info.ni != t->d.label.ni && net->info.ni != FWD_ANY_NI)
		return DROP_BAD_NI;
	if (fwd_loops(r, net, t->d.label.opc))
		return DROP_OWN_OPC;
	return FORWARD_OK;
}

/* DATA must not travel on stream 0 (RFC 4666 s.1.4.7), unless there is no other. */
static bool bad_stream(const struct assoc *from, const struct mbuf *m)
{
	return m->stream == 0 && atomic_load_explicit(&from->in_streams, memory_order_relaxed) > 1;
}

static inline unsigned find_route(const struct fwd_table *table, const struct fwd_net *net, struct transit *t)
{
	const struct mtp3_label *l = &t->d.label;
	const struct fwd_dest *d = fwd_dest(table->routing, net, l->dpc);
	unsigned by;
	uint32_t as;

	as = fwd_match_dest(d, l->opc, l->si, &by);
	if (as == FWD_NO_AS)
		return d == table->routing->dests ? DROP_NO_ROUTE : DROP_NO_USER;
	if (as == t->in->as)
		return DROP_LOOP;
	t->as = as < table->n_as ? table->as[as] : NULL;
	return t->as ? FORWARD_OK : DROP_AS_DOWN;
}

static inline unsigned examine(struct worker *w, struct assoc *from, struct mbuf *m, struct transit *t)
{
	const struct fwd_table *table = w->table;
	const struct fwd_net *net;
	unsigned r;

	if (!m3ua_data_read(mbuf_head(m), m->len, &t->d))
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
	r = check_network(table->routing, net, t);
	return r == FORWARD_OK ? find_route(table, net, t) : r;
}

/* ---- egress ---- */

/* Rewrites the header in front of the payload: Routing Context and Network Appearance are those of the AS it
 * goes to, never what the sender wrote; the label is kept as it is. */
static inline bool rewrite(struct mbuf *m, const struct fwd_as *as, struct m3ua_data *d)
{
	uint32_t off = m->off + d->payload_off, total;
	uint8_t *head;

	if (off < M3UA_DATA_HEADER_MAX || m->cap - off - d->payload_len < M3UA_DATA_TRAILER_MAX)
		return false;
	d->has_rc = as->has_rc;
	d->rc = as->rc;
	d->has_na = as->has_na;
	d->na = as->na;
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

static __attribute__((noinline)) bool broadcast(
	struct worker *w, const struct fwd_as *as, struct mbuf *m, struct m3ua_data *d, bool held)
{
	correlate(w, as, d);
	if (!rewrite(m, as, d))
		return false;
	for (unsigned i = 1; i < as->n_asps; i++) {
		struct mbuf *c = copy(w, m);

		if (c)
			send_to(w, as->asps[i], c, &d->label, held);
		else
			worker_drop(w, DROP_NO_BUFFER);
	}
	send_to(w, as->asps[0], m, &d->label, held);
	return true;
}

/* The ASP whose turn it is in a loadshare AS. */
static inline struct assoc *choose_asp(
	const struct fwd_as *as, const struct mbuf *m, const struct m3ua_data *d)
{
	const struct mtp3_label *l = &d->label;
	uint32_t bucket;

	if (as->key == FWD_KEY_SLS)
		bucket = l->sls & (as->n_buckets - 1);
	else
		bucket = fwd_bucket(
			as, l->opc, l->dpc, l->si, l->sls, m->data + m->off + d->payload_off, d->payload_len);
	return as->asps[as->share[bucket]];
}

/* To the ASP, or all the ASPs, that the AS's traffic mode says (RFC 4666 s.4.3.4.3). False: cannot be sent, M
 * is still the caller's. */
static inline __attribute__((always_inline)) bool send_active(
	struct worker *w, const struct fwd_as *as, struct mbuf *m, struct m3ua_data *d, bool held)
{
	struct assoc *to;

	if (!as->n_asps)
		return false;
	d->has_corr = false; /* the sender's is between it and us */
	if (as->n_buckets)
		to = choose_asp(as, m, d);
	else if (as->mode == FWD_BROADCAST)
		return broadcast(w, as, m, d, held);
	else
		to = as->asps[0];
	if (!rewrite(m, as, d))
		return false;
	send_to(w, to, m, &d->label, held);
	return true;
}

/* Not plain forwarding: the AS is pending, or the message cannot be sent. */
static __attribute__((noinline)) void set_aside(
	struct worker *w, struct assoc *from, struct mbuf *m, const struct transit *t)
{
	enum drop_reason r = DROP_AS_DOWN;

	if (t->as->state == FWD_AS_PENDING) {
		if (hold_message(w, t->as, m)) {
			counter_add(&from->c[AC_HELD], 1);
			return;
		}
		r = DROP_HOLD_FULL;
	} else if (t->as->state == FWD_AS_ACTIVE && t->as->n_asps) {
		r = DROP_TOO_LONG;
	}
	refuse(w, from, m, t, r);
}

void forward_data(struct worker *w, struct assoc *from, struct mbuf *m)
{
	struct transit t;
	unsigned r = examine(w, from, m, &t);

	if (r != FORWARD_OK)
		refuse(w, from, m, &t, (enum drop_reason)r);
	else if (t.as->state != FWD_AS_ACTIVE || !send_active(w, t.as, m, &t.d, false))
		set_aside(w, from, m, &t);
}

void forward_held(struct worker *w, const struct fwd_as *as, struct mbuf *m)
{
	struct m3ua_data d;

	if (m3ua_data_parse(mbuf_head(m), m->len, &d) && send_active(w, as, m, &d, true))
		return;
	worker_drop(w, as->n_asps ? DROP_TOO_LONG : DROP_AS_DOWN);
	mbuf_free(w->pool, m);
}
