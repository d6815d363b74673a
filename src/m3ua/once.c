/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "m3ua/once.h"

#include <talloc.h>

#include "base/clock.h"
#include "m3ua/asp.h"

enum { SETS = 128, WAYS = 8 };

struct told {
	uint32_t kind, pc;
	uint16_t network;
	uint64_t until_ms; /* 0: free */
};

struct asp_once {
	struct told t[SETS][WAYS];
};

static struct told *set_of(struct asp_once *o, uint32_t kind, uint16_t network, uint32_t pc)
{
	uint32_t h = (pc ^ (uint32_t)network << 24 ^ kind << 16) * 2654435761u;

	return o->t[h >> 25];
}
_Static_assert(SETS == 1 << 7, "the hash gives seven bits");

bool once_allows(struct asp *asp, uint32_t kind, uint16_t network, uint32_t pc, uint32_t t8_ms)
{
	uint64_t now = clock_ms();
	struct told *set, *room = NULL;

	if (!asp->once)
		asp->once = talloc_zero(asp, struct asp_once);
	if (!asp->once)
		return false;
	set = set_of(asp->once, kind, network, pc);
	for (unsigned i = 0; i < WAYS; i++) {
		if (set[i].until_ms <= now)
			room = &set[i];
		else if (set[i].kind == kind && set[i].network == network && set[i].pc == pc)
			return false;
	}
	if (!room)
		return false;
	*room = (struct told){.kind = kind, .pc = pc, .network = network, .until_ms = now + t8_ms};
	return true;
}

void once_free(struct asp *asp)
{
	talloc_free(asp->once);
	asp->once = NULL;
}
