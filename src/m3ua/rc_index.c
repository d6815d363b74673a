/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "m3ua/rc_index.h"

#include <string.h>
#include <talloc.h>

/* How many have a smaller one. */
static unsigned below(const struct rc_index *x, rc_index_key key, uint32_t rc)
{
	unsigned lo = 0, hi = x->n;

	while (lo < hi) {
		unsigned mid = lo + (hi - lo) / 2;
		uint32_t at = 0;

		(void)key(x->v[mid], &at);
		if (at < rc)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static bool has_room(struct rc_index *x, void *ctx)
{
	unsigned room = x->room ? 2 * x->room : 4;
	struct as_asp **v;

	if (x->n < x->room)
		return true;
	v = talloc_realloc(ctx, x->v, struct as_asp *, room);
	if (!v)
		return false;
	x->v = v;
	x->room = room;
	return true;
}

void rc_index_add(struct rc_index *x, void *ctx, rc_index_key key, struct as_asp *m)
{
	uint32_t rc = 0;
	unsigned at;

	if (!key(m, &rc) || !has_room(x, ctx))
		return;
	at = below(x, key, rc);
	memmove(x->v + at + 1, x->v + at, (x->n - at) * sizeof(*x->v));
	x->v[at] = m;
	x->n++;
}

void rc_index_del(struct rc_index *x, const struct as_asp *m)
{
	unsigned at = 0;

	while (at < x->n && x->v[at] != m)
		at++;
	if (at == x->n)
		return;
	x->n--;
	memmove(x->v + at, x->v + at + 1, (x->n - at) * sizeof(*x->v));
}

struct as_asp *rc_index_find(const struct rc_index *x, rc_index_key key, uint32_t rc)
{
	unsigned at = below(x, key, rc);
	uint32_t found = 0;

	return at < x->n && key(x->v[at], &found) && found == rc ? x->v[at] : NULL;
}
