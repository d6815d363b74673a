/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A link's associations: opened, adopted, given up, and kept after their end as long as level 3 may want to
 * retrieve messages from them. */
#include <osmocom/core/utils.h>
#include <string.h>
#include <talloc.h>

#include "base/backoff.h"
#include "base/log.h"
#include "m2pa/link_int.h"

/* ---- opened and adopted ---- */

static struct assoc_conf conf_of(const struct m2pa_link *l, struct m2pa_link_assoc *la)
{
	return (struct assoc_conf){.name = l->name,
		.params = l->conf->tp,
		.txq_limit = l->conf->txq_limit,
		.owner = la,
		.proto = ASSOC_M2PA,
		.t7_ms = l->conf->t7_ms};
}

static void attach(struct m2pa_link *l, struct m2pa_link_assoc *la)
{
	la->link = l;
	llist_add_tail(&la->entry, &l->links->assocs);
	l->now = la;
	l->congestion = 0;
	l->down_reason[0] = '\0';
	osmo_timer_del(&l->reconnect);
}

static void schedule_reconnect(struct m2pa_link *l)
{
	const struct m2pa_link_conf *c = l->conf;
	uint32_t ms;

	if (c->side != M2PA_LINK_CLIENT || l->links->leaving)
		return;
	ms = backoff_next(&l->backoff_ms, c->reconnect_min_ms, c->reconnect_max_ms, l->links->random());
	osmo_timer_schedule(&l->reconnect, (int)(ms / 1000), (int)(ms % 1000 * 1000));
}

void m2pa_link_connect(struct m2pa_link *l)
{
	struct m2pa_link_assoc *la;
	struct assoc_conf conf;
	char why[TP_REASON] = "";

	if (l->now || l->links->leaving || l->conf->side != M2PA_LINK_CLIENT)
		return;
	la = talloc_zero(l->links->ctx, struct m2pa_link_assoc);
	if (!la) {
		schedule_reconnect(l);
		return;
	}
	conf = conf_of(l, la);
	la->assoc = assoc_connect(l->links->plane, &conf, why);
	if (la->assoc) {
		attach(l, la);
		return;
	}
	OSMO_STRLCPY_ARRAY(l->down_reason, why);
	if (limit_allows(&l->log, M2PA_LINK_LOGS_PER_SECOND, NULL))
		LOGP(DM2PA, LOGL_ERROR, "link %s: cannot connect: %s\n", l->name, why);
	talloc_free(la);
	schedule_reconnect(l);
}

static bool adopt(struct m2pa_link *l, struct tp_incoming *in)
{
	struct m2pa_link_assoc *la = talloc_zero(l->links->ctx, struct m2pa_link_assoc);
	struct assoc_conf conf;
	char why[TP_REASON] = "";

	if (!la)
		return false;
	if (l->now) { /* it came back before the end of the old one was noticed */
		m2pa_link_count(l, M2LC_REPLACED);
		m2pa_link_abandon(l, "replaced by a new association of the peer");
	}
	conf = conf_of(l, la);
	la->assoc = assoc_adopt(l->links->plane, in, &conf, why);
	if (la->assoc) {
		attach(l, la);
		return true;
	}
	LOGP(DM2PA, LOGL_ERROR, "link %s: cannot accept: %s\n", l->name, why);
	OSMO_STRLCPY_ARRAY(l->down_reason, why);
	talloc_free(la);
	return true; /* the peer is gone as well */
}

unsigned m2pa_link_score(const struct m2pa_link_conf *c, const char *listener, const struct tp_incoming *in)
{
	if (c->side != M2PA_LINK_SERVER || (c->listener && strcmp(c->listener, listener) != 0))
		return 0;
	return tp_incoming_score(&c->tp, in);
}

/* The closest match; among equals one that has no association yet: a peer without a port of its own takes the
 * next place. */
bool m2pa_links_incoming(struct m2pa_links *ls, const char *listener, struct tp_incoming *in)
{
	struct m2pa_link *l, *best = NULL;
	unsigned highest = 0;

	llist_for_each_entry (l, &ls->links, entry) {
		unsigned score = 2 * m2pa_link_score(l->conf, listener, in);

		if (score && !l->now)
			score++;
		if (score > highest) {
			highest = score;
			best = l;
		}
	}
	return best && !ls->leaving && adopt(best, in);
}

/* ---- what they carry ---- */

static void add(struct assoc_stats *sum, const struct assoc *a)
{
	struct assoc_stats st;

	assoc_stats(a, &st);
	for (unsigned i = 0; i < AC_COUNT; i++)
		sum->c[i] += st.c[i];
	for (unsigned i = 0; i < DROP_COUNT; i++)
		sum->drops[i] += st.drops[i];
	sum->txq = st.txq;
	sum->txq_limit = st.txq_limit;
	sum->congestion = st.congestion;
	sum->memory = st.memory;
}

void m2pa_link_traffic(const struct m2pa_link *l, struct assoc_stats *out)
{
	*out = l->past;
	if (l->old)
		add(out, l->old->assoc);
	out->txq = out->txq_limit = 0;
	out->congestion = 0;
	out->memory = 0;
	if (l->now)
		add(out, l->now->assoc);
}

/* ---- given up, and kept ---- */

static void forget(struct m2pa_link_assoc *la)
{
	if (la->link)
		add(&la->link->past, la->assoc);
	la->link = NULL;
	if (!la->down)
		return; /* PE_DOWN will find nobody */
	assoc_free(la->assoc);
	llist_del(&la->entry);
	talloc_free(la);
}

void m2pa_link_forget_old(struct m2pa_link *l)
{
	struct m2pa_link_assoc *la = l->old;

	l->old = NULL;
	if (la)
		forget(la);
}

/* The present association is the past one. Of two, the one that carried messages is kept. */
static void retire(struct m2pa_link *l)
{
	struct m2pa_link_assoc *la = l->now;

	l->now = NULL;
	l->congestion = 0;
	if (!la->used) {
		forget(la);
		return;
	}
	m2pa_link_forget_old(l);
	l->old = la;
}

static void abort_assoc(struct m2pa_link_assoc *la, const char *why)
{
	la->ending = true;
	assoc_abort(la->assoc, why);
}

void m2pa_link_abandon(struct m2pa_link *l, const char *why)
{
	m2pa_link_event(l, LE_LOST, why);
	if (!l->now)
		return;
	abort_assoc(l->now, why);
	retire(l);
}

void m2pa_link_restart(struct m2pa_link *l)
{
	l->backoff_ms = 0;
	if (l->now)
		abort_assoc(l->now, "restarted by management"); /* PE_DOWN follows, and the rest */
	else
		m2pa_link_connect(l);
}

void m2pa_link_orphan(struct m2pa_link *l)
{
	struct m2pa_link_assoc *la = l->now;

	l->now = NULL;
	if (la) {
		abort_assoc(la, "removed from the configuration");
		forget(la);
	}
	m2pa_link_forget_old(l);
}

/* ---- buffers ---- */

static struct m2pa_link_assoc *buffers(const struct m2pa_link *l)
{
	return l->old ? l->old : l->now && l->now->used ? l->now : NULL;
}

/* A message that the transport holds half sent comes back at the very end. */
static bool is_ending(const struct m2pa_link_assoc *la)
{
	return !la->down && la->ending;
}

bool m2pa_link_send(struct m2pa_link *l, struct mbuf *m)
{
	struct m2pa_link_assoc *la = buffers(l);

	if (!la) {
		plane_free_mbuf(l->links->plane, m);
		return false;
	}
	assoc_send(la->assoc, m);
	return true;
}

bool m2pa_link_retrieve_bsnt(struct m2pa_link *l)
{
	struct m2pa_link_assoc *la = buffers(l);

	if (!la)
		return false;
	if (is_ending(la))
		la->wants_bsnt = true;
	else
		m2pa_bsnt(la->assoc);
	return true;
}

bool m2pa_link_retrieve(struct m2pa_link *l, uint32_t fsnc)
{
	struct m2pa_link_assoc *la = buffers(l);

	if (!la)
		return false;
	la->fsnc = fsnc;
	if (is_ending(la))
		la->wants_messages = true;
	else
		m2pa_retrieve(la->assoc, fsnc);
	return true;
}

void m2pa_link_retrieval_done(struct m2pa_link *l, struct m2pa_link_assoc *la, uint32_t n)
{
	if (la == l->old)
		m2pa_link_forget_old(l);
	else if (l->state <= M2PA_LINK_OUT_OF_SERVICE)
		la->used = false;
	l->ops->retrieval_done(l->user, n);
}

static void catch_up(struct m2pa_link_assoc *la)
{
	if (la->wants_bsnt)
		m2pa_bsnt(la->assoc);
	if (la->wants_messages)
		m2pa_retrieve(la->assoc, la->fsnc);
	la->wants_bsnt = la->wants_messages = false;
}

void m2pa_link_assoc_down(struct m2pa_link_assoc *la, const char *why)
{
	struct m2pa_link *l = la->link;

	la->down = true;
	if (!l) {
		forget(la);
		return;
	}
	catch_up(la);
	if (la != l->now)
		return;
	OSMO_STRLCPY_ARRAY(l->down_reason, why);
	if (limit_allows(&l->log, M2PA_LINK_LOGS_PER_SECOND, NULL))
		LOGP(DM2PA, l->hushed ? LOGL_INFO : LOGL_NOTICE, "link %s: association down: %s\n", l->name,
			why);
	l->hushed |= l->state == M2PA_LINK_NO_ASSOCIATION;
	m2pa_link_event(l, LE_LOST, "association lost");
	if (la == l->now)
		retire(l);
	schedule_reconnect(l);
}
