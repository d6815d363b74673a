/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "m3ua/rkm_index.h"

#include <talloc.h>

#include "m3ua/as.h"
#include "m3ua/role.h"
#include "m3ua/sg_int.h"

enum { FIRST_SIZE = 64, MOST_PER_SLOT = 2 };

struct entry {
	struct entry *next;
	uint64_t what; /* of_context() or of_dpc() */
	struct as *as;
	unsigned key;
};

struct rkm_index {
	struct entry **slots;
	uint32_t size, n; /* SIZE: a power of two */
};

static uint64_t of_context(uint32_t rc)
{
	return UINT64_C(1) << 63 | rc;
}

static uint64_t of_dpc(uint16_t network, uint32_t dpc)
{
	return (uint64_t)network << 32 | dpc;
}

static struct entry **slot(const struct rkm_index *x, uint64_t what)
{
	return &x->slots[(what * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (x->size - 1)];
}

static bool grow(struct rkm_index *x)
{
	struct entry **old = x->slots, *e, *next;
	uint32_t old_size = x->size;
	struct entry **new = talloc_zero_array(x, struct entry *, old_size ? 2 * old_size : FIRST_SIZE);

	if (!new)
		return false;
	x->slots = new;
	x->size = old_size ? 2 * old_size : FIRST_SIZE;
	for (uint32_t i = 0; i < old_size; i++)
		for (e = old[i]; e; e = next) {
			next = e->next;
			e->next = *slot(x, e->what);
			*slot(x, e->what) = e;
		}
	talloc_free(old);
	return true;
}

static bool add(struct rkm_index *x, uint64_t what, struct as *as, unsigned key)
{
	struct entry *e;

	if (x->n >= MOST_PER_SLOT * x->size && !grow(x))
		return false;
	e = talloc(x, struct entry);
	if (!e)
		return false;
	*e = (struct entry){.next = *slot(x, what), .what = what, .as = as, .key = key};
	*slot(x, what) = e;
	x->n++;
	return true;
}

static void drop(struct rkm_index *x, uint64_t what, const struct as *as)
{
	struct entry **at = slot(x, what), *e;

	while ((e = *at)) {
		if (e->what != what || e->as != as) {
			at = &e->next;
			continue;
		}
		*at = e->next;
		x->n--;
		talloc_free(e);
	}
}

struct rkm_index *rkm_index_new(struct sg *sg)
{
	struct rkm_index *x = talloc_zero(sg, struct rkm_index);
	bool ok = x && grow(x);
	struct as *as;

	llist_for_each_entry (as, &sg->ass, entry)
		ok = ok && rkm_index_add(x, as);
	if (ok)
		return x;
	talloc_free(x);
	return NULL;
}

bool rkm_index_add(struct rkm_index *x, struct as *as)
{
	bool ok = !as->conf->has_rc || add(x, of_context(as->conf->rc), as, 0);

	for (unsigned i = 0; as->network && i < role_n_keys(as); i++)
		ok = ok && add(x, of_dpc(as->network->index, as->conf->keys[i].dpc), as, i);
	return ok;
}

void rkm_index_remove(struct rkm_index *x, const struct as *as)
{
	if (as->conf->has_rc)
		drop(x, of_context(as->conf->rc), as);
	for (unsigned i = 0; as->network && i < role_n_keys(as); i++)
		drop(x, of_dpc(as->network->index, as->conf->keys[i].dpc), as);
}

static bool each(const struct rkm_index *x, uint64_t what, rkm_index_fn fn, void *arg)
{
	for (const struct entry *e = *slot(x, what); e; e = e->next)
		if (e->what == what && !fn(e->as, e->key, arg))
			return false;
	return true;
}

bool rkm_index_contexts(const struct rkm_index *x, uint32_t rc, rkm_index_fn fn, void *arg)
{
	return each(x, of_context(rc), fn, arg);
}

bool rkm_index_keys(const struct rkm_index *x, uint16_t network, uint32_t dpc, rkm_index_fn fn, void *arg)
{
	return each(x, of_dpc(network, dpc), fn, arg);
}

static bool take_first(struct as *as, unsigned key, void *arg)
{
	(void)key;
	*(struct as **)arg = as;
	return false;
}

struct as *rkm_index_context(const struct rkm_index *x, uint32_t rc)
{
	struct as *found = NULL;

	rkm_index_contexts(x, rc, take_first, &found);
	return found;
}
