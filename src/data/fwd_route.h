/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The compiled routing as forward.c and fwd_route.c see it, and the look-up itself: inline, for it is done
 * for every message. */
#pragma once

#include "base/paged.h"
#include "data/fwd.h"

/* Point codes of up to 16 bits: a directory and pages of 256; of 24: one more level of 256. */
enum { FWD_PAGE_BITS = 8 };

/* The kinds of keys a destination has, most specific first: the order of the probes. */
enum { FWD_BY_SI_OPC = 1, FWD_BY_OPC = 2, FWD_BY_SI = 4 };

struct fwd_narrow {
	uint64_t key; /* fwd_narrow_key(), or FWD_FREE */
	uint32_t as;  /* FWD_NO_AS in a free slot */
};

#define FWD_FREE UINT64_MAX

struct fwd_dest {
	struct fwd_narrow *slots;
	uint32_t mask; /* slots - 1 */
	uint32_t n;    /* narrower keys; while building: an upper bound */
	uint32_t as;   /* by DPC alone, or FWD_NO_AS */
	uint8_t kinds; /* FWD_BY_... */
	bool own;      /* one of the gateway's own point codes */
};

/* The masked rows that ignore the same number of bits: a hash of what is left of their point codes. */
struct fwd_mask {
	struct fwd_mask_slot {
		uint32_t key;  /* point code >> bits */
		uint32_t dest; /* 0: free */
	} * slots;
	uint32_t last; /* slots - 1 */
	uint8_t bits;
};

enum { FWD_MASKS = 25 };

struct fwd_net {
	struct fwd_network info;
	uint64_t own_mask; /* bit (point code mod 64) of each own one: a quick no */
	struct paged pcs;  /* uint32_t: index of the destination */
	uint32_t *own_pcs;
	struct fwd_mask *masks; /* by rising bits: the longest match first */
	unsigned n_masks;
};

struct fwd_routing {
	struct fwd_net *nets;
	unsigned n_nets;
	struct fwd_dest *dests; /* [0] stands for every point code that is none, and matches nothing */
	uint32_t n_dests;
};

static inline const struct fwd_net *fwd_net(const struct fwd_routing *r, uint16_t network)
{
	return network < r->n_nets ? &r->nets[network] : NULL;
}

/* Never NULL: a point code that is no destination has r->dests[0]. */
static inline __attribute__((always_inline)) struct fwd_dest *fwd_dest(
	const struct fwd_routing *r, const struct fwd_net *n, uint32_t pc)
{
	const uint32_t *slot;

	if (pc >= n->pcs.limit)
		return r->dests;
	slot = n->info.pc_bits > 16 ? paged_walk(&n->pcs, pc, sizeof(*slot), 0, FWD_PAGE_BITS, FWD_PAGE_BITS)
				    : paged_walk(&n->pcs, pc, sizeof(*slot), 0, 0, FWD_PAGE_BITS);
	return &r->dests[slot ? *slot : 0];
}

/* fwd_mask.c: room for the masked ones among KEYS that are of network INDEX, N; each is free. */
enum sb_err fwd_masks_size(struct fwd_net *n, uint16_t index, const struct fwd_key *keys, unsigned n_keys);
void fwd_masks_free(struct fwd_net *n);
/* The slot of a masked point code, free or not. */
struct fwd_mask_slot *fwd_mask_probe(const struct fwd_net *n, uint32_t pc, uint8_t bits);
/* The destination of that very range; 0: none. */
uint32_t fwd_mask_dest(const struct fwd_net *n, uint32_t pc, uint8_t bits);
/* The destination of the longest match, and how many bits it ignores; 0: none. */
uint32_t fwd_mask_find(const struct fwd_net *n, uint32_t pc, uint8_t *bits);

/* fwd_find() for a point code that has none of its own. */
struct fwd_dest *fwd_find_masked(const struct fwd_routing *r, const struct fwd_net *n, uint32_t pc);

/* The destination that a message to PC goes by: its own, or a masked one. */
static inline __attribute__((always_inline)) struct fwd_dest *fwd_find(
	const struct fwd_routing *r, const struct fwd_net *n, uint32_t pc)
{
	struct fwd_dest *d = fwd_dest(r, n, pc);

	return d != r->dests ? d : fwd_find_masked(r, n, pc);
}

/* Either may be "any". */
static inline uint64_t fwd_narrow_key(uint32_t opc, uint8_t si)
{
	return (uint64_t)opc << 8 | si;
}

/* The slot of KEY, or the free one where it would be. */
static inline struct fwd_narrow *fwd_probe(const struct fwd_dest *d, uint64_t key)
{
	uint32_t i = (uint32_t)((key * 0x9e3779b97f4a7c15u) >> 32) & d->mask;

	while (d->slots[i].key != key && d->slots[i].key != FWD_FREE)
		i = (i + 1) & d->mask;
	return &d->slots[i];
}

/* The AS for a message to D, or FWD_NO_AS; *BY is the kind of key that decided, 0: the DPC alone. */
static inline uint32_t fwd_match_dest(const struct fwd_dest *d, uint32_t opc, uint8_t si, unsigned *by)
{
	uint32_t as;

	*by = FWD_BY_SI_OPC;
	if (d->kinds & FWD_BY_SI_OPC && (as = fwd_probe(d, fwd_narrow_key(opc, si))->as) != FWD_NO_AS)
		return as;
	*by = FWD_BY_OPC;
	if (d->kinds & FWD_BY_OPC && (as = fwd_probe(d, fwd_narrow_key(opc, FWD_ANY_SI))->as) != FWD_NO_AS)
		return as;
	*by = FWD_BY_SI;
	if (d->kinds & FWD_BY_SI && (as = fwd_probe(d, fwd_narrow_key(FWD_ANY_OPC, si))->as) != FWD_NO_AS)
		return as;
	*by = 0;
	return d->as;
}

/* Slow part of fwd_loops(). */
bool fwd_own_and_unserved(const struct fwd_routing *r, const struct fwd_net *n, uint32_t pc);

/* fwd_opc_loops() for a network that has been found. */
static inline bool fwd_loops(const struct fwd_routing *r, const struct fwd_net *n, uint32_t opc)
{
	return n->own_mask >> (opc & 63) & 1 && fwd_own_and_unserved(r, n, opc);
}
