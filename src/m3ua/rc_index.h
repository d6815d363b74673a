/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An ASP's memberships by Routing Context, in rising order: a look-up costs the logarithm of their number, a
 * change no more than a move of memory, for an ASP may have registered thousands of keys and lose them all at
 * once. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct as_asp;

/* The Routing Context that a membership has in this index; false: none. */
typedef bool (*rc_index_key)(const struct as_asp *m, uint32_t *rc);

struct rc_index {
	struct as_asp **v; /* TALLOC'd */
	unsigned n, room;
};

/* A member without Routing Context is not taken in; nor is any where there is no memory. CTX owns the array.
 */
void rc_index_add(struct rc_index *x, void *ctx, rc_index_key key, struct as_asp *m);
/* Whatever its Routing Context is by now. No harm if it is not there. */
void rc_index_del(struct rc_index *x, const struct as_asp *m);
struct as_asp *rc_index_find(const struct rc_index *x, rc_index_key key, uint32_t rc);
