/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Forwarding, in four steps: who sent it and may they (ingress), where does it go (route), how is that AS
 * (active, pending, unserved), and out with a new header. Whatever is not plain forwarding is counted and
 * goes up to control, which answers it. */
#include "data/forward.h"

#include <string.h>

#include "data/assoc.h"
#include "data/hold.h"
#include "data/stream.h"
#include "wire/m3ua_data.h"

enum { FORWARD_OK = DROP_COUNT };

/* What has been found out about a message. */
struct transit {
	struct m3ua_data d;
	const struct fwd_ingress_rc *in; /* the AS it was sent in */
	const struct fwd_as *as;         /* the AS it is for */
	uint32_t value;                  /* explains a refusal */
};

/* Counted on its sender, and told to control as long as control keeps up. */
static void refuse(struct worker *w, struct assoc *from, struct mbuf *m, enum drop_reason r, uint32_t value)
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

/* ---- ingress ---- */

/* The AS that the message was sent in: by its Routing Context, or the only one there is. */
static unsigned find_ingress(struct worker *w, const struct assoc *from, struct transit *t)
{
	const struct fwd_ingress *in = NULL;

	if (w->table && from->id < w->table->n_ingress)
		in = w->table->ingress[from->id];
	if (!in)
		return DROP_NOT_ACTIVE;
	t->value = t->d.rc;
	if (t->d.has_rc)
		t->in = fwd_ingress_find(in, t->d.rc);
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

static unsigned check_network(struct worker *w, struct transit *t)
{
	const struct fwd_network *net = fwd_routing_network(w->table->routing, t->in->network);

	if (!net)
		return DROP_NO_ROUTE;
	if (t->d.has_na && (!net->has_na || net->na != t->d.na)) {
		t->value = t->d.na;
		return DROP_BAD_NA;
	}
	if (net->ni != FWD_ANY_NI && net->ni != t->d.label.ni) {
		t->value = t->d.label.ni;
		return DROP_BAD_NI;
	}
	if (fwd_opc_loops(w->table->routing, t->in->network, t->d.label.opc)) {
		t->value = t->d.label.opc;
		return DROP_OWN_OPC;
	}
	return FORWARD_OK;
}

/* DATA must not travel on stream 0 (RFC 4666 s.1.4.7), unless there is no other. */
static bool bad_stream(const struct assoc *from, const struct mbuf *m)
{
	return m->stream == 0 && atomic_load_explicit(&from->in_streams, memory_order_relaxed) > 1;
}

static unsigned find_route(struct worker *w, struct transit *t)
{
	const struct mtp3_label *l = &t->d.label;
	struct fwd_match match;

	fwd_route(w->table->routing, t->in->network, l->opc, l->dpc, l->si, &match);
	t->value = l->dpc;
	if (match.as == FWD_NO_AS)
		return match.reason;
	if (match.as == t->in->as)
		return DROP_LOOP;
	t->as = match.as < w->table->n_as ? w->table->as[match.as] : NULL;
	return t->as && t->as->state != FWD_AS_UNSERVED ? FORWARD_OK : DROP_AS_DOWN;
}

static unsigned examine(struct worker *w, struct assoc *from, struct mbuf *m, struct transit *t)
{
	unsigned r;

	t->value = 0;
	t->in = NULL;
	if (!m3ua_data_parse(mbuf_head(m), m->len, &t->d))
		return DROP_MALFORMED;
	if (bad_stream(from, m))
		return DROP_STREAM_0;
	r = find_ingress(w, from, t);
	if (r == FORWARD_OK)
		r = check_network(w, t);
	if (r == FORWARD_OK)
		r = find_route(w, t);
	return r;
}

/* ---- egress ---- */

/* Rewrites the header in front of the payload: Routing Context and Network Appearance are those of the AS it
 * goes to, never what the sender wrote; the label is kept as it is. */
static bool rewrite(struct mbuf *m, const struct fwd_as *as, struct m3ua_data *d)
{
	uint32_t off = m->off + d->payload_off, total;
	uint8_t *head;

	if (off < M3UA_DATA_HEADER_MAX || m->cap - off - d->payload_len < M3UA_DATA_TRAILER_MAX)
		return false;
	d->has_rc = as->has_rc;
	d->rc = as->rc;
	d->has_na = as->has_na;
	d->na = as->na;
	head = m3ua_data_write(m->data + off, d->payload_len, d, &total);
	if (!head)
		return false;
	m->off = (uint32_t)(head - m->data);
	m->len = total;
	m->ppid = TP_PPID_M3UA;
	return true;
}

static void send_to(struct worker *w, struct assoc *to, struct mbuf *m, const struct mtp3_label *l)
{
	m->stream = flow_stream(
		atomic_load_explicit(&to->out_streams, memory_order_relaxed), l->opc, l->dpc, l->sls);
	counter_add(&w->c[WC_FORWARDED], 1);
	if (to->worker == w) {
		assoc_enqueue(to, m, true);
		return;
	}
	counter_add(&w->c[WC_CROSSED], 1);
	m->peer = to;
	m->note.kind = N_FORWARD;
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

static void send_to_all(struct worker *w, const struct fwd_as *as, struct mbuf *m, const struct mtp3_label *l)
{
	for (unsigned i = 1; i < as->n_asps; i++) {
		struct mbuf *c = copy(w, m);

		if (c)
			send_to(w, as->asps[i], c, l);
		else
			worker_drop(w, DROP_NO_BUFFER);
	}
	send_to(w, as->asps[0], m, l);
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

/* To the ASP, or all the ASPs, that the AS's traffic mode says (RFC 4666 s.4.3.4.3). False: cannot be sent,
 * M is still the caller's. */
static bool send_active(struct worker *w, const struct fwd_as *as, struct mbuf *m, struct m3ua_data *d)
{
	const struct mtp3_label *l = &d->label;
	unsigned asp = 0;

	if (!as->n_asps)
		return false;
	d->has_corr = false; /* the sender's is between it and us */
	if (as->mode == FWD_BROADCAST)
		correlate(w, as, d);
	else if (as->mode == FWD_LOADSHARE && as->n_buckets)
		asp = as->share[fwd_bucket(
			as, l->opc, l->dpc, l->si, l->sls, mbuf_head(m) + d->payload_off, d->payload_len)];
	if (!rewrite(m, as, d))
		return false;
	if (as->mode == FWD_BROADCAST)
		send_to_all(w, as, m, l);
	else
		send_to(w, as->asps[asp], m, l);
	return true;
}

void forward_data(struct worker *w, struct assoc *from, struct mbuf *m)
{
	struct transit t;
	unsigned r = examine(w, from, m, &t);

	if (r != FORWARD_OK) {
		refuse(w, from, m, (enum drop_reason)r, t.value);
	} else if (t.as->state == FWD_AS_PENDING) {
		if (hold_message(w, t.as, m))
			counter_add(&from->c[AC_HELD], 1);
		else
			refuse(w, from, m, DROP_HOLD_FULL, t.value);
	} else if (!send_active(w, t.as, m, &t.d)) {
		refuse(w, from, m, t.as->n_asps ? DROP_TOO_LONG : DROP_AS_DOWN, t.value);
	}
}

void forward_held(struct worker *w, const struct fwd_as *as, struct mbuf *m)
{
	struct m3ua_data d;

	if (m3ua_data_parse(mbuf_head(m), m->len, &d) && send_active(w, as, m, &d))
		return;
	worker_drop(w, as->n_asps ? DROP_TOO_LONG : DROP_AS_DOWN);
	mbuf_free(w->pool, m);
}
