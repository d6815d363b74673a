/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/party.h"

bool party_here(const struct party *p)
{
	return p->as ? p->as->n_asps > 0 : p->node->n_links > 0;
}

static bool broadcast(const struct party *p)
{
	return p->as && p->as->conf->mode == 3 && p->as->n_asps;
}

unsigned party_sets(const struct party *p)
{
	return broadcast(p) ? p->as->n_asps : 1;
}

bool party_expects(const struct party *p, unsigned i)
{
	return party_sets(p) == 1 || p->as->asps[i].state == ASP_ACTIVE;
}

bool party_way(const struct party *p, uint32_t dpc, uint8_t sls, struct party_track *track, uint64_t now,
	uint64_t *wake_ns, struct party_way *out)
{
	*out = (struct party_way){NULL, NULL};
	if (p->as)
		out->asp = as_sender(p->as, sls, now, wake_ns);
	else
		out->link = node_way(p->node, dpc, sls, &track->via, now, track->divert_ns, wake_ns);
	return out->asp || out->link;
}

uint32_t party_waiting(const struct party_way *w)
{
	return w->asp ? w->asp->txq.n : w->link->txq.n + link_backlog(w->link);
}

static uint32_t label_hash(const struct mtp3_label *l)
{
	uint32_t h = l->opc * 0x9e3779b1u ^ l->dpc * 0x85ebca6bu;

	return (h >> 16) + l->sls; /* neighbouring SLSs: neighbouring streams */
}

static void send_m3ua(struct asp *a, const struct mtp3_label *l, struct mbuf *m)
{
	const struct as_opts *as = a->conf;
	struct m3ua_data d = {
		.label = *l,
		.has_na = as->has_na,
		.na = as->na,
		.has_rc = a->has_rc,
		.rc = as->has_peer_rc ? as->peer_rc : a->rc,
	};
	uint32_t total;
	uint8_t *first = m3ua_data_write(mbuf_head(m), m->len, &d, &total);

	m->off = (uint32_t)(first - m->data);
	m->len = total;
	m->ppid = TP_PPID_M3UA;
	m->stream = asp_stream(a, label_hash(l));
	a->c[ASP_C_TX_DATA]++;
	asp_queue(a, m);
}

void party_send(const struct party_way *w, const struct mtp3_label *l, struct mbuf *m)
{
	if (w->asp)
		send_m3ua(w->asp, l, m);
	else
		node_send(w->link, l, m);
}
