/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Routing keys compiled for look-up: per network a paged array point code -> destination, and per destination
 * an open-addressing hash of the keys that are narrower than the DPC. A look-up costs two loads for 14-bit
 * point codes, three for 24, and a probe for each *kind* of narrower key that the destination has; it never
 * depends on how many keys there are. Point codes without a row of their own go by the masked ones
 * (fwd_mask.c).
 *
 * Built by control, read by workers, immutable in between. */
#include "data/fwd_route.h"

#include <stdlib.h>
#include <string.h>

/* ---- building ---- */

static void init_pcs(struct fwd_net *n)
{
	uint8_t bits = n->info.pc_bits;

	paged_init(&n->pcs, 1u << bits, sizeof(uint32_t), bits > 16 ? FWD_PAGE_BITS : 0, FWD_PAGE_BITS);
}

static bool pc_fits(const struct fwd_net *n, uint32_t pc)
{
	return pc < 1u << n->info.pc_bits;
}

/* The slot of a point code, numbered if it is new. */
static uint32_t *number_pc(struct fwd_routing *r, struct fwd_net *n, uint32_t pc)
{
	uint32_t *slot = paged_touch(&n->pcs, pc);

	if (slot && !*slot)
		*slot = r->n_dests++;
	return slot;
}

static uint32_t *number_masked(struct fwd_routing *r, struct fwd_net *n, uint32_t pc, uint8_t mask)
{
	struct fwd_mask_slot *slot = fwd_mask_probe(n, pc, mask);

	if (!slot->dest)
		*slot = (struct fwd_mask_slot){.key = pc >> mask, .dest = r->n_dests++};
	return &slot->dest;
}

static uint32_t *number_key(struct fwd_routing *r, const struct fwd_key *k)
{
	struct fwd_net *n = &r->nets[k->network];

	return k->mask ? number_masked(r, n, k->dpc, k->mask) : number_pc(r, n, k->dpc);
}

static struct fwd_dest *dest_of(const struct fwd_routing *r, const struct fwd_key *k)
{
	const struct fwd_net *n = &r->nets[k->network];

	return k->mask ? &r->dests[fwd_mask_probe(n, k->dpc, k->mask)->dest] : fwd_dest(r, n, k->dpc);
}

static enum sb_err copy_network(struct fwd_net *n, const struct fwd_network *from)
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
		struct fwd_net *n = &r->nets[i];
		enum sb_err e = fwd_masks_size(n, (uint16_t)i, keys, n_keys);

		if (e != SB_OK)
			return e;
		for (unsigned k = 0; k < n->info.n_own_pcs; k++) {
			if (!pc_fits(n, n->own_pcs[k]))
				return SB_EINVAL;
			if (!number_pc(r, n, n->own_pcs[k]))
				return SB_ENOMEM;
			n->own_mask |= UINT64_C(1) << (n->own_pcs[k] & 63);
		}
	}
	for (unsigned i = 0; i < n_keys; i++) {
		*bad = i;
		if (keys[i].network >= r->n_nets || !pc_fits(&r->nets[keys[i].network], keys[i].dpc) ||
			keys[i].as == FWD_NO_AS)
			return SB_EINVAL;
		if (!number_key(r, &keys[i]))
			return SB_ENOMEM;
	}
	return SB_OK;
}

static bool is_narrow(const struct fwd_key *k)
{
	return k->si != FWD_ANY_SI || k->opc != FWD_ANY_OPC;
}

static uint8_t kind_of(const struct fwd_key *k)
{
	if (k->opc == FWD_ANY_OPC)
		return FWD_BY_SI;
	return k->si == FWD_ANY_SI ? FWD_BY_OPC : FWD_BY_SI_OPC;
}

/* Room for twice the keys: a probe for a missing one ends soon. */
static enum sb_err size_hashes(struct fwd_routing *r)
{
	for (uint32_t i = 0; i < r->n_dests; i++) {
		struct fwd_dest *d = &r->dests[i];
		uint32_t size = 4;

		if (!d->n)
			continue;
		while (size < 2 * d->n)
			size *= 2;
		d->slots = malloc(size * sizeof(*d->slots));
		if (!d->slots)
			return SB_ENOMEM;
		for (uint32_t s = 0; s < size; s++)
			d->slots[s] = (struct fwd_narrow){.key = FWD_FREE, .as = FWD_NO_AS};
		d->mask = size - 1;
	}
	return SB_OK;
}

static enum sb_err make_dests(struct fwd_routing *r, const struct fwd_key *keys, unsigned n_keys)
{
	r->dests = calloc(r->n_dests, sizeof(*r->dests));
	if (!r->dests)
		return SB_ENOMEM;
	for (uint32_t i = 0; i < r->n_dests; i++)
		r->dests[i].as = FWD_NO_AS;
	for (unsigned i = 0; i < r->n_nets; i++)
		for (unsigned k = 0; k < r->nets[i].info.n_own_pcs; k++)
			fwd_dest(r, &r->nets[i], r->nets[i].own_pcs[k])->own = true;
	for (unsigned i = 0; i < n_keys; i++)
		if (is_narrow(&keys[i]))
			dest_of(r, &keys[i])->n++;
	return size_hashes(r);
}

static enum sb_err add_key(struct fwd_routing *r, const struct fwd_key *k)
{
	struct fwd_dest *d = dest_of(r, k);
	uint32_t *as = &d->as;

	if (is_narrow(k)) {
		struct fwd_narrow *slot = fwd_probe(d, fwd_narrow_key(k->opc, k->si));

		slot->key = fwd_narrow_key(k->opc, k->si);
		d->kinds |= kind_of(k);
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
	if (e == SB_OK) {
		r->n_dests = 1;
		e = copy_networks(r, networks, n_networks);
	}
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
		fwd_masks_free(&r->nets[i]);
		free(r->nets[i].own_pcs);
	}
	free(r->nets);
	free(r);
}

/* ---- looking up ---- */

const struct fwd_network *fwd_routing_network(const struct fwd_routing *r, uint16_t network)
{
	const struct fwd_net *n = fwd_net(r, network);

	return n ? &n->info : NULL;
}

bool fwd_own_and_unserved(const struct fwd_routing *r, const struct fwd_net *n, uint32_t pc)
{
	const struct fwd_dest *d = fwd_dest(r, n, pc);

	return d->own && d->as == FWD_NO_AS && !d->kinds;
}

bool fwd_opc_loops(const struct fwd_routing *r, uint16_t network, uint32_t opc)
{
	const struct fwd_net *n = fwd_net(r, network);

	return n && fwd_loops(r, n, opc);
}

void fwd_route(const struct fwd_routing *r, uint16_t network, uint32_t opc, uint32_t dpc, uint8_t si,
	struct fwd_match *out)
{
	const struct fwd_net *n = fwd_net(r, network);
	const struct fwd_dest *d = n ? fwd_find(r, n, dpc) : r->dests;
	unsigned by = 0;

	*out = (struct fwd_match){.as = FWD_NO_AS, .reason = DROP_NO_ROUTE};
	if (d == r->dests)
		return;
	out->own_dpc = d->own;
	out->masked = fwd_dest(r, n, dpc) != d;
	if (out->masked)
		(void)fwd_mask_find(n, dpc, &out->mask);
	out->reason = DROP_NO_USER;
	out->as = fwd_match_dest(d, opc, si, &by);
	out->by_si = by & (FWD_BY_SI | FWD_BY_SI_OPC);
	out->by_opc = by & (FWD_BY_OPC | FWD_BY_SI_OPC);
}
