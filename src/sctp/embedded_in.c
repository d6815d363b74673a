/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A packet has come: whose is it, may it be believed, and what if it is nobody's. */
#include "sctp/crc32c.h"
#include "sctp/embedded_int.h"

static struct tp_listener *find_listener(struct emb *e, const struct emb_sock *s, uint16_t port)
{
	struct tp_listener *ls;

	LIST_FOREACH(ls, &e->listeners, link)
	{
		if (ls->params.local_port != port)
			continue;
		for (unsigned i = 0; i < ls->n_socks; i++)
			if (ls->socks[i] == s)
				return ls;
	}
	return NULL;
}

/* A stray packet is answered by the rules of RFC 4960 s.8.4, so many times a second: an answer is never
 * longer than the packet, so this amplifies nothing. */
static void answer_stray(struct emb_sock *s, const struct emb_route *back, const uint8_t *p, size_t n)
{
	uint8_t out[SCTP_ANSWER_MAX];
	size_t len = sctp_ootb_answer(p, n, out);

	emb_count(EMB_RX_STRAY, 1);
	if (!len || !s->e->stray_tokens)
		return;
	s->e->stray_tokens--;
	emb_count(EMB_TX_STRAY, 1);
	emb_tx_put(s, back, out, len);
}

/* A packet with the association's own tag from another UDP port of the same host: a NAT gave it a new one.
 * INITs carry no tag and so never move anything (RFC 6951 s.5.4). */
static struct emb_peer *follow_port(struct emb_sock *s, const union tp_addr *from, const struct sctp_peek *k)
{
	struct emb_peer *p;

	if (s->raw || k->chunk == CHUNK_INIT)
		return NULL;
	p = emb_peer_find_moved(s->e, s, from, k->sport, k->dport, k->vtag);
	if (!p)
		return NULL;
	tp_addr_set_port(&p->route.to, tp_addr_port(from));
	emb_count(EMB_PORT_MOVED, 1);
	return p;
}

/* CRC_BAD is dropped, whatever was wrong with it. */
static enum crc_verdict judge(const struct emb_peer *p, const struct tp_listener *ls,
	const union tp_addr *from, const uint8_t *packet, size_t n)
{
	enum tp_crc policy = p ? p->crc : ls ? ls->params.crc : TP_CRC_AUTO;
	enum crc_verdict v = crc32c_check(packet, n);

	if (!crc32c_accepts(policy, tp_addr_is_loopback(from), v))
		v = CRC_BAD;
	if (v == CRC_BAD)
		emb_count(EMB_RX_BAD_CRC, 1);
	else if (v == CRC_ABSENT)
		emb_count(EMB_RX_NO_CRC, 1);
	return v;
}

/* A listening socket of usrsctp's for this peer alone: looking one up among thousands of wildcard ones is
 * slow. */
static struct emb_peer *half_open(
	struct tp_listener *ls, struct emb_sock *s, const struct emb_route *back, const struct sctp_peek *k)
{
	struct emb *e = s->e;
	struct emb_peer *p;

	if (e->n_waiting >= EMB_HALF_MAX) {
		emb_count(EMB_HALF_FULL, 1);
		return NULL;
	}
	p = emb_peer_new(e, ls->l);
	if (!p)
		return NULL;
	s->refs++;
	p->sock = s;
	p->ls = ls;
	p->state = EMB_HALF;
	p->route = *back;
	p->peer_omits = back->omit_crc;
	p->route.gso = ls->params.gso && !s->raw;
	p->rport = k->sport;
	p->lport = k->dport;
	p->loopback = tp_addr_is_loopback(&back->to);
	p->crc = ls->params.crc;
	p->route.mtu = ls->params.path_mtu ? ls->params.path_mtu : EMB_PATH_MTU;
	if (emb_assoc_open(p, &ls->params) != SB_OK || emb_assoc_listen(p) != SB_OK) {
		emb_peer_free(p);
		return NULL;
	}
	emb_peer_hash(p);
	emb_peer_wait(p, EMB_HALF_MS);
	return p;
}

static bool permitted(struct tp_listener *ls, const union tp_addr *from)
{
	const struct tp_upcalls *up = ls->l->up;

	return !up->permit || up->permit(ls->user, from);
}

static void from_stranger(struct emb_sock *s, struct tp_listener *ls, const struct emb_route *back,
	const struct sctp_peek *k, const uint8_t *packet, size_t n)
{
	struct emb_peer *p;
	uint32_t tag;

	if (k->chunk != CHUNK_INIT || !ls) {
		answer_stray(s, back, packet, n);
	} else if (!sctp_init_ok(packet, n, &tag)) {
		emb_count(EMB_RX_BAD_INIT, 1);
		answer_stray(s, back, packet, n);
	} else if (!permitted(ls, &back->to)) {
		emb_count(EMB_NOT_PERMITTED, 1);
		answer_stray(s, back, packet, n);
	} else if ((p = half_open(ls, s, back, k))) {
		emb_assoc_feed(p, packet, n);
	}
}

void emb_input(struct emb_sock *s, const union tp_addr *from, const union tp_addr *to, const uint8_t *packet,
	size_t n)
{
	struct emb_route back = {.to = *from, .from = *to};
	struct tp_listener *ls;
	struct emb_peer *p;
	struct sctp_peek k;
	enum crc_verdict v;
	uint32_t tag;

	emb_count(EMB_RX_PACKETS, 1);
	if (!sctp_peek(&k, packet, n) || !k.sport || !k.dport) {
		emb_count(EMB_RX_RUNT, 1);
		return;
	}
	p = emb_peer_find(s->e, s, from, k.sport, k.dport);
	if (p && k.chunk == CHUNK_INIT && emb_assoc_gone(p)) {
		emb_peer_unhash(p); /* its ABORT came right before: this is the next association */
		p = NULL;
	}
	ls = p ? NULL : find_listener(s->e, s, k.dport);
	v = judge(p, ls, from, packet, n);
	if (v == CRC_BAD)
		return;
	if (!p)
		p = follow_port(s, from, &k);
	back.omit_crc = v == CRC_ABSENT;
	if (p)
		p->peer_omits = back.omit_crc;
	if (!p) {
		from_stranger(s, ls, &back, &k, packet, n);
	} else if (k.chunk == CHUNK_INIT && !sctp_init_ok(packet, n, &tag)) {
		emb_count(EMB_RX_BAD_INIT, 1);
		answer_stray(s, &back, packet, n);
	} else {
		emb_assoc_feed(p, packet, n);
	}
}
