/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An Application Server that we play: its ASPs, and which of them sends which SLS. An SLS keeps its ASP while
 * that one is active; what moves, moves as little as possible and never out of order. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "sim/asp.h"

enum { AS_SLS = 256, AS_NOBODY = 0xffff };

struct as_sls {
	uint16_t asp;     /* index, AS_NOBODY: none is active */
	uint64_t sent_ns; /* the last message */
	uint64_t hold_ns; /* it has moved from an ASP that still is active: not before this */
};

struct as {
	const struct as_opts *conf;
	struct asp *asps;
	unsigned n_asps;
	uint64_t divert_ns;
	struct as_sls sls[AS_SLS];
};

bool as_init(struct as *as, struct asp_env *env, const struct as_opts *conf, uint64_t divert_ns);
void as_fini(struct as *as);

/* After an ASP's state has changed: shares the SLSs among those that are active now. */
void as_share(struct as *as);

/* The ASP that may send SLS now, or NULL: nobody is active, or it is moving. *WAKE_NS: when to ask again, if
 * time alone will help. */
struct asp *as_sender(struct as *as, uint8_t sls, uint64_t now, uint64_t *wake_ns);

unsigned as_count(const struct as *as, enum asp_state s);

/* The pure half of as_share(): OWNER[0..255] is an index below N or AS_NOBODY; those that are not ACTIVE lose
 * what they own, every block of 16 SLSs is spread evenly, and nobody loses an SLS who need not. */
void as_assign(uint16_t *owner, const bool *active, unsigned n);
