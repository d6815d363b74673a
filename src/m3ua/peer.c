/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which ASP is the peer that has arrived at a listener? By any of its configured addresses, then by its port
 * where one is configured; among several, the closest match that has no association yet. */
#include "m3ua/peer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "base/log.h"
#include "m3ua/guest.h"
#include "m3ua/sg_int.h"

unsigned peer_score(const struct asp_conf *c, const char *listener, const struct tp_incoming *in)
{
	if (c->side != ASP_SERVER || (c->listener && strcmp(c->listener, listener) != 0))
		return 0;
	return tp_incoming_score(&c->tp, in);
}

/* ---- the index: a storm of returning peers must not cost every ASP for each ---- */

struct peer_key {
	uint8_t ip[16]; /* IPv4 mapped into IPv6; zeros: any */
	uint16_t port;  /* 0: any */
	struct asp *asp;
};

static struct peer_key key_of(const union tp_addr *addr, uint16_t port)
{
	struct peer_key k = {.port = port};

	if (!addr || tp_addr_is_any(addr))
		return k;
	if (addr->sa.sa_family == AF_INET6) {
		memcpy(k.ip, &addr->in6.sin6_addr, sizeof(k.ip));
		return k;
	}
	memset(k.ip + 10, 0xff, 2);
	memcpy(k.ip + 12, &addr->in.sin_addr, 4);
	return k;
}

static int by_key(const void *a, const void *b)
{
	const struct peer_key *x = a, *y = b;
	int d = memcmp(x->ip, y->ip, sizeof(x->ip));

	return d ? d : (x->port > y->port) - (x->port < y->port);
}

/* Among equals the configured order counts. */
static int by_key_and_age(const void *a, const void *b)
{
	const struct peer_key *x = a, *y = b;
	int d = by_key(a, b);

	return d ? d : (x->asp->number > y->asp->number) - (x->asp->number < y->asp->number);
}

void peer_index(struct sg *sg)
{
	struct asp *asp;
	struct peer_key *k =
		talloc_array(sg, struct peer_key, (unsigned)llist_count(&sg->asps) * TP_MAX_ADDRS + 1);
	unsigned n = 0;

	talloc_free(sg->peers);
	sg->peers = k;
	llist_for_each_entry (asp, &sg->asps, entry) {
		const struct tp_params *tp = &asp->conf->tp;

		if (asp->guest)
			continue;
		for (unsigned i = 0;
			k && asp->conf->side == ASP_SERVER && i < (tp->n_remote ? tp->n_remote : 1); i++) {
			k[n] = key_of(tp->n_remote ? &tp->remote[i] : NULL, tp->remote_port);
			k[n++].asp = asp;
		}
	}
	sg->n_peers = k ? n : 0;
	if (k)
		qsort(k, n, sizeof(*k), by_key_and_age);
}

static unsigned first_at(const struct sg *sg, const struct peer_key *k)
{
	unsigned lo = 0, hi = sg->n_peers;

	while (lo < hi) {
		unsigned mid = lo + (hi - lo) / 2;

		if (by_key(&sg->peers[mid], k) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

struct choice {
	struct asp *asp;
	unsigned score;
};

/* The ASPs under one key. One point more for a free one: a peer without a port of its own takes the next
 * place. */
static void consider(struct sg *sg, const char *listener, const struct tp_incoming *in, struct peer_key k,
	struct choice *best)
{
	for (unsigned i = first_at(sg, &k); i < sg->n_peers && by_key(&sg->peers[i], &k) == 0; i++) {
		struct asp *asp = sg->peers[i].asp;
		unsigned score = 2 * peer_score(asp->conf, listener, in);

		if (score && !asp->assoc)
			score++;
		if (score > best->score)
			*best = (struct choice){asp, score};
	}
}

struct asp *peer_find(struct sg *sg, const char *listener, const struct tp_incoming *in)
{
	struct choice best = {NULL, 0};

	for (unsigned i = 0; i < in->n_addrs; i++) {
		consider(sg, listener, in, key_of(&in->addrs[i], in->remote_port), &best);
		consider(sg, listener, in, key_of(&in->addrs[i], 0), &best);
	}
	consider(sg, listener, in, key_of(NULL, in->remote_port), &best);
	consider(sg, listener, in, key_of(NULL, 0), &best);
	return best.asp;
}

static void reject(struct sg *sg, struct sg_listener *l, struct tp_incoming *in, const char *why)
{
	char text[TP_ADDR_STR] = "?", more[40] = "";
	unsigned missed;

	sg->stats.rejected_peers++;
	l->rejected++;
	if (in->n_addrs)
		tp_addr_str(&in->addrs[0], text, sizeof(text));
	if (limit_allows(&sg->reject_log, 1, &missed)) {
		if (missed)
			snprintf(more, sizeof(more), " (%u more not logged)", missed);
		LOGP(DSCTP, LOGL_NOTICE, "listener %s: rejected %s port %u: %s%s\n", l->name, text,
			in->remote_port, why, more);
	}
	plane_reject(sg->plane, in);
}

static struct asp *recognize(
	struct sg *sg, struct sg_listener *l, const struct tp_incoming *in, const char **why)
{
	struct asp *asp;

	*why = "the gateway stops";
	if (sg->leave.on)
		return NULL;
	asp = peer_find(sg, l->name, in);
	*why = "locked by management";
	if (asp && asp_is_locked_out(asp))
		return NULL;
	return asp ? asp : guest_admit(sg, l, in, why);
}

/* One of the other kind, that is not an ASP? */
static bool is_others(struct sg *sg, struct sg_listener *l, struct tp_incoming *in)
{
	if (!sg->others || sg->leave.on || peer_find(sg, l->name, in) ||
		!sg->others->incoming(sg->others_arg, l->name, in))
		return false;
	l->accepted++;
	return true;
}

static void asp_incoming(struct sg *sg, struct sg_listener *l, struct tp_incoming *in)
{
	const char *refused;
	struct asp *asp = recognize(sg, l, in, &refused);
	struct asp_link *link = asp ? talloc_zero(sg->ctx, struct asp_link) : NULL;
	struct assoc_conf conf;
	char why[TP_REASON] = "";

	if (!link) {
		reject(sg, l, in, asp ? "no memory" : refused);
		if (asp && !asp->assoc)
			guest_leave(asp);
		return;
	}
	if (asp->assoc) { /* it came back before the end of the old one was noticed */
		sg->stats.replaced++;
		asp_detach(asp, "replaced by a new association of the peer");
	}
	conf = asp_assoc_conf(asp, link);
	link->assoc = assoc_adopt(sg->plane, in, &conf, why);
	if (!link->assoc) {
		LOGP(DSCTP, LOGL_ERROR, "asp %s: cannot accept: %s\n", asp->name, why);
		OSMO_STRLCPY_ARRAY(asp->down_reason, why);
		talloc_free(link);
		guest_leave(asp);
		return;
	}
	l->accepted++;
	asp_attach(asp, link);
}

void peer_incoming(struct sg *sg, struct sg_listener *l, struct tp_incoming *in)
{
	if (!is_others(sg, l, in))
		asp_incoming(sg, l, in);
}
