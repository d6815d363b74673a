/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Routing keys compiled for look-up: per network a paged array point code -> destination, and per destination
 * an open-addressing hash of the keys that are narrower than the DPC. A look-up costs two loads for 14-bit
 * point codes, three for 24, and a probe for each *kind* of narrower key that the destination has; it never
 * depends on how many keys there are.
 *
 * Built by control, read by workers, immutable in between. */
#include <stdlib.h>
#include <string.h>

#include "base/paged.h"
#include "data/fwd.h"

/* The kinds of keys a destination has, most specific first: the order of the probes. */
enum { KIND_SI_OPC, KIND_OPC, KIND_SI, KIND_COUNT };

struct narrow {
	uint32_t opc; /* FWD_ANY_OPC: any */
	uint32_t as;  /* FWD_NO_AS: free slot */
	uint8_t si;   /* FWD_ANY_SI: any */
};

struct dest {
	struct narrow *slots;
	uint32_t mask; /* slots - 1 */
	uint32_t n;    /* narrower keys; while building: an upper bound */
	uint32_t as;   /* by DPC alone, or FWD_NO_AS */
	uint8_t kinds; /* bits 1 << KIND_... */
	bool own;      /* one of the gateway's own point codes */
};

struct net {
	struct fwd_network info;
	struct paged pcs; /* uint32_t: 1 + index of the destination, 0: none */
	uint32_t *own_pcs;
};

struct fwd_routing {
	struct net *nets;
	unsigned n_nets;
	struct dest *dests;
	uint32_t n_dests;
};

static uint32_t narrow_hash(uint32_t opc, uint8_t si)
{
	uint32_t h = (opc ^ (uint32_t)si << 24) * 0x9e3779b1u;

	return h ^ h >> 15;
}

/* ---- building ---- */

/* Pages of 128 point codes (14 bits), 256 (16), or two levels of 256 (24). */
static void init_pcs(struct net *n)
{
	uint8_t bits = n->info.pc_bits;

	paged_init(&n->pcs, 1u << bits, sizeof(uint32_t), bits > 16 ? 8 : 0, bits > 16 ? 8 : bits / 2);
}

static bool pc_fits(const struct net *n, uint32_t pc)
{
	return pc < 1u << n->info.pc_bits;
}

/* The slot of a point code, numbered if it is new. */
static uint32_t *number_pc(struct fwd_routing *r, struct net *n, uint32_t pc)
{
	uint32_t *slot = paged_touch(&n->pcs, pc);

	if (slot && !*slot)
		*slot = ++r->n_dests;
	return slot;
}

static enum sb_err copy_network(struct net *n, const struct fwd_network *from)
{
	size_t bytes = from->n_own_pcs * sizeof(*from->own_pcs);

	if (!from->pc_bits || from->pc_bits > 24)
		return SB_EINVAL;
	n->info = *from;
	n->info.own_pcs = NULL;
	init_pcs(n);
	if (bytes) {
		n->own_pcs = malloc(bytes);
		if (!n->own_pcs)
			return SB_ENOMEM;
		memcpy(n->own_pcs, from->own_pcs, bytes);
		n->info.own_pcs = n->own_pcs;
	}
	return SB_OK;
}

static enum sb_err copy_networks(struct fwd_routing *r, const struct fwd_network *networks, unsigned n)
{
	enum sb_err e = SB_OK;

	r->nets = calloc(n ? n : 1, sizeof(*r->nets));
	if (!r->nets)
		return SB_ENOMEM;
	for (; r->n_nets < n && e == SB_OK; r->n_nets++)
		e = copy_network(&r->nets[r->n_nets], &networks[r->n_nets]);
	return e;
}

static enum sb_err number_all(
	struct fwd_routing *r, const struct fwd_key *keys, unsigned n_keys, unsigned *bad)
{
	for (unsigned i = 0; i < r->n_nets; i++) {
		struct net *n = &r->nets[i];

		for (unsigned k = 0; k < n->info.n_own_pcs; k++) {
			if (!pc_fits(n, n->own_pcs[k]))
				return SB_EINVAL;
			if (!number_pc(r, n, n->own_pcs[k]))
				return SB_ENOMEM;
		}
	}
	for (unsigned i = 0; i < n_keys; i++) {
		*bad = i;
		if (keys[i].network >= r->n_nets || !pc_fits(&r->nets[keys[i].network], keys[i].dpc) ||
			keys[i].as == FWD_NO_AS)
			return SB_EINVAL;
		if (!number_pc(r, &r->nets[keys[i].network], keys[i].dpc))
			return SB_ENOMEM;
	}
	return SB_OK;
}

static struct dest *find_dest(const struct fwd_routing *r, const struct net *n, uint32_t pc)
{
	const uint32_t *slot = paged_get(&n->pcs, pc);

	return slot && *slot ? &r->dests[*slot - 1] : NULL;
}

static bool is_narrow(const struct fwd_key *k)
{
	return k->si != FWD_ANY_SI || k->opc != FWD_ANY_OPC;
}

static uint8_t kind_of(const struct fwd_key *k)
{
	if (k->opc == FWD_ANY_OPC)
		return KIND_SI;
	return k->si == FWD_ANY_SI ? KIND_OPC : KIND_SI_OPC;
}

/* Room for twice the keys: a probe for a missing one ends soon. */
static enum sb_err size_hashes(struct fwd_routing *r)
{
	for (uint32_t i = 0; i < r->n_dests; i++) {
		struct dest *d = &r->dests[i];
		uint32_t size = 4;

		if (!d->n)
			continue;
		while (size < 2 * d->n)
			size *= 2;
		d->slots = malloc(size * sizeof(*d->slots));
		if (!d->slots)
			return SB_ENOMEM;
		for (uint32_t s = 0; s < size; s++)
			d->slots[s] = (struct narrow){.as = FWD_NO_AS};
		d->mask = size - 1;
	}
	return SB_OK;
}

static enum sb_err make_dests(struct fwd_routing *r, const struct fwd_key *keys, unsigned n_keys)
{
	r->dests = calloc(r->n_dests ? r->n_dests : 1, sizeof(*r->dests));
	if (!r->dests)
		return SB_ENOMEM;
	for (uint32_t i = 0; i < r->n_dests; i++)
		r->dests[i].as = FWD_NO_AS;
	for (unsigned i = 0; i < r->n_nets; i++)
		for (unsigned k = 0; k < r->nets[i].info.n_own_pcs; k++)
			find_dest(r, &r->nets[i], r->nets[i].own_pcs[k])->own = true;
	for (unsigned i = 0; i < n_keys; i++)
		if (is_narrow(&keys[i]))
			find_dest(r, &r->nets[keys[i].network], keys[i].dpc)->n++;
	return size_hashes(r);
}

/* The slot of (OPC, SI), or the free one where it would be. */
static inline struct narrow *probe(const struct dest *d, uint32_t opc, uint8_t si)
{
	uint32_t i = narrow_hash(opc, si) & d->mask;

	while (d->slots[i].as != FWD_NO_AS && (d->slots[i].opc != opc || d->slots[i].si != si))
		i = (i + 1) & d->mask;
	return &d->slots[i];
}

static enum sb_err add_key(struct fwd_routing *r, const struct fwd_key *k)
{
	struct dest *d = find_dest(r, &r->nets[k->network], k->dpc);
	uint32_t *as = &d->as;

	if (is_narrow(k)) {
		struct narrow *slot = probe(d, k->opc, k->si);

		slot->opc = k->opc;
		slot->si = k->si;
		d->kinds |= (uint8_t)(1u << kind_of(k));
		as = &slot->as;
	}
	if (*as != FWD_NO_AS && *as != k->as)
		return SB_EEXIST;
	*as = k->as;
	return SB_OK;
}

enum sb_err fwd_routing_new(const struct fwd_network *networks, unsigned n_networks,
	const struct fwd_key *keys, unsigned n_keys, struct fwd_routing **out, unsigned *clash)
{
	struct fwd_routing *r = calloc(1, sizeof(*r));
	unsigned bad = 0;
	enum sb_err e = r ? SB_OK : SB_ENOMEM;

	*out = NULL;
	if (e == SB_OK)
		e = copy_networks(r, networks, n_networks);
	if (e == SB_OK)
		e = number_all(r, keys, n_keys, &bad);
	if (e == SB_OK)
		e = make_dests(r, keys, n_keys);
	for (unsigned i = 0; e == SB_OK && i < n_keys; i++) {
		bad = i;
		e = add_key(r, &keys[i]);
	}
	if (e == SB_OK) {
		*out = r;
		return SB_OK;
	}
	if (clash)
		*clash = bad;
	fwd_routing_free(r);
	return e;
}

void fwd_routing_free(struct fwd_routing *r)
{
	if (!r)
		return;
	for (uint32_t i = 0; r->dests && i < r->n_dests; i++)
		free(r->dests[i].slots);
	free(r->dests);
	for (unsigned i = 0; i < r->n_nets; i++) {
		paged_free(&r->nets[i].pcs);
		free(r->nets[i].own_pcs);
	}
	free(r->nets);
	free(r);
}

/* ---- looking up ---- */

const struct fwd_network *fwd_routing_network(const struct fwd_routing *r, uint16_t network)
{
	return network < r->n_nets ? &r->nets[network].info : NULL;
}

static bool served(const struct dest *d)
{
	return d->as != FWD_NO_AS || d->kinds;
}

bool fwd_opc_loops(const struct fwd_routing *r, uint16_t network, uint32_t opc)
{
	const struct dest *d = network < r->n_nets ? find_dest(r, &r->nets[network], opc) : NULL;

	return d && d->own && !served(d);
}

static uint32_t match_narrow(const struct dest *d, uint32_t opc, uint8_t si, struct fwd_match *out)
{
	uint32_t as;

	if (d->kinds & 1u << KIND_SI_OPC && (as = probe(d, opc, si)->as) != FWD_NO_AS) {
		out->by_si = out->by_opc = true;
		return as;
	}
	if (d->kinds & 1u << KIND_OPC && (as = probe(d, opc, FWD_ANY_SI)->as) != FWD_NO_AS) {
		out->by_opc = true;
		return as;
	}
	if (d->kinds & 1u << KIND_SI && (as = probe(d, FWD_ANY_OPC, si)->as) != FWD_NO_AS) {
		out->by_si = true;
		return as;
	}
	return FWD_NO_AS;
}

void fwd_route(const struct fwd_routing *r, uint16_t network, uint32_t opc, uint32_t dpc, uint8_t si,
	struct fwd_match *out)
{
	const struct dest *d = network < r->n_nets ? find_dest(r, &r->nets[network], dpc) : NULL;

	*out = (struct fwd_match){.as = FWD_NO_AS, .reason = DROP_NO_ROUTE};
	if (!d)
		return;
	out->own_dpc = d->own;
	out->reason = DROP_NO_USER;
	if (d->kinds)
		out->as = match_narrow(d, opc, si, out);
	if (out->as == FWD_NO_AS)
		out->as = d->as;
}
