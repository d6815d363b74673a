/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which ASP is the peer that has arrived at a listener? By any of its configured addresses, then by its port
 * where one is configured; among several, the closest match that has no association yet. */
#include "m3ua/peer.h"

#include <string.h>
#include <talloc.h>

#include "base/log.h"
#include "m3ua/sg_int.h"

static bool address_matches(const struct tp_params *tp, const struct tp_incoming *in, bool *any)
{
	*any = tp->n_remote == 0;
	for (unsigned i = 0; i < tp->n_remote; i++) {
		if (tp_addr_is_any(&tp->remote[i])) {
			*any = true;
			continue;
		}
		for (unsigned k = 0; k < in->n_addrs; k++)
			if (tp_addr_same(&tp->remote[i], &in->addrs[k])) {
				*any = false;
				return true;
			}
	}
	return *any;
}

unsigned peer_score(const struct asp_conf *c, const char *listener, const struct tp_incoming *in)
{
	bool any;

	if (c->side != ASP_SERVER || (c->listener && strcmp(c->listener, listener) != 0))
		return 0;
	if (c->tp.remote_port && c->tp.remote_port != in->remote_port)
		return 0;
	if (!address_matches(&c->tp, in, &any))
		return 0;
	return 1 + (any ? 0 : 4) + (c->tp.remote_port ? 2 : 0);
}

static struct asp *find(struct sg *sg, const char *listener, const struct tp_incoming *in)
{
	struct asp *asp, *best = NULL;
	unsigned best_score = 0;

	llist_for_each_entry (asp, &sg->asps, entry) {
		/* one more for a free one: a peer without a port of its own takes the next place */
		unsigned score = 2 * peer_score(asp->conf, listener, in);

		if (score && !asp->assoc)
			score++;
		if (score > best_score) {
			best_score = score;
			best = asp;
		}
	}
	return best;
}

static void reject(struct sg *sg, struct sg_listener *l, struct tp_incoming *in)
{
	char text[TP_ADDR_STR] = "?";
	unsigned missed;

	sg->stats.rejected_peers++;
	l->rejected++;
	if (in->n_addrs)
		tp_addr_str(&in->addrs[0], text, sizeof(text));
	if (limit_allows(&sg->reject_log, 1, &missed))
		LOGP(DSCTP, LOGL_NOTICE,
			"listener %s: rejected %s port %u: no asp has this address (%u more not logged)\n",
			l->name, text, in->remote_port, missed);
	plane_reject(sg->plane, in);
}

void peer_incoming(struct sg *sg, struct sg_listener *l, struct tp_incoming *in)
{
	struct asp *asp = sg->leave.on ? NULL : find(sg, l->name, in);
	struct asp_link *link = asp ? talloc_zero(sg->ctx, struct asp_link) : NULL;
	struct assoc_conf conf = {.owner = link};
	char why[TP_REASON] = "";

	if (!link) {
		reject(sg, l, in);
		return;
	}
	if (asp->assoc) { /* it came back before the end of the old one was noticed */
		sg->stats.replaced++;
		asp_detach(asp, "replaced by a new association of the peer");
	}
	conf.name = asp->name;
	conf.params = asp->conf->tp;
	conf.txq_limit = asp->conf->txq_limit;
	link->assoc = assoc_adopt(sg->plane, in, &conf, why);
	if (!link->assoc) {
		LOGP(DSCTP, LOGL_ERROR, "asp %s: cannot accept: %s\n", asp->name, why);
		OSMO_STRLCPY_ARRAY(asp->down_reason, why);
		talloc_free(link);
		return;
	}
	l->accepted++;
	asp_attach(asp, link);
}
