/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Masked rows: one hash for each number of ignored bits that there is, the longest match first. A look-up
 * costs a probe for each of these, however many rows they have; and it is only done for point codes that have
 * no row of their own. */
#include <stdlib.h>

#include "base/hash.h"
#include "data/fwd_route.h"

static enum sb_err add_mask(struct fwd_net *n, uint8_t bits, uint32_t rows)
{
	struct fwd_mask *m = &n->masks[n->n_masks];
	uint32_t size = 4;

	while (size < 2 * rows)
		size *= 2;
	*m = (struct fwd_mask){.bits = bits, .last = size - 1, .slots = calloc(size, sizeof(*m->slots))};
	if (!m->slots)
		return SB_ENOMEM;
	n->n_masks++;
	return SB_OK;
}

enum sb_err fwd_masks_size(struct fwd_net *n, uint16_t index, const struct fwd_key *keys, unsigned n_keys)
{
	uint32_t rows[FWD_MASKS] = {0};
	unsigned n_masks = 0;
	enum sb_err e = SB_OK;

	for (unsigned i = 0; i < n_keys; i++) {
		if (keys[i].network != index)
			continue;
		if (keys[i].mask > n->info.pc_bits)
			return SB_EINVAL;
		rows[keys[i].mask]++;
	}
	for (unsigned bits = 1; bits < FWD_MASKS; bits++)
		n_masks += rows[bits] != 0;
	n->masks = calloc(n_masks ? n_masks : 1, sizeof(*n->masks));
	if (!n->masks)
		return SB_ENOMEM;
	for (unsigned bits = 1; bits < FWD_MASKS && e == SB_OK; bits++)
		if (rows[bits])
			e = add_mask(n, (uint8_t)bits, rows[bits]);
	return e;
}

void fwd_masks_free(struct fwd_net *n)
{
	for (unsigned i = 0; i < n->n_masks; i++)
		free(n->masks[i].slots);
	free(n->masks);
	n->n_masks = 0;
}

static struct fwd_mask_slot *probe(const struct fwd_mask *m, uint32_t key)
{
	uint32_t i = hash_u32x2(key, m->bits) & m->last;

	while (m->slots[i].dest && m->slots[i].key != key)
		i = (i + 1) & m->last;
	return &m->slots[i];
}

struct fwd_mask_slot *fwd_mask_probe(const struct fwd_net *n, uint32_t pc, uint8_t bits)
{
	unsigned i = 0;

	while (n->masks[i].bits != bits)
		i++;
	return probe(&n->masks[i], pc >> bits);
}

uint32_t fwd_mask_dest(const struct fwd_net *n, uint32_t pc, uint8_t bits)
{
	for (unsigned i = 0; i < n->n_masks; i++)
		if (n->masks[i].bits == bits)
			return probe(&n->masks[i], pc >> bits)->dest;
	return 0;
}

uint32_t fwd_mask_find(const struct fwd_net *n, uint32_t pc, uint8_t *bits)
{
	*bits = 0;
	if (pc >= 1u << n->info.pc_bits)
		return 0;
	for (unsigned i = 0; i < n->n_masks; i++) {
		uint32_t dest = probe(&n->masks[i], pc >> n->masks[i].bits)->dest;

		if (!dest)
			continue;
		*bits = n->masks[i].bits;
		return dest;
	}
	return 0;
}

struct fwd_dest *fwd_find_masked(const struct fwd_routing *r, const struct fwd_net *n, uint32_t pc)
{
	uint8_t bits;

	return &r->dests[fwd_mask_find(n, pc, &bits)];
}
