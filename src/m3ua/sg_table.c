/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "m3ua/sg_table.h"

#include <string.h>
#include <talloc.h>

#include "base/log.h"
#include "data/share.h"
#include "m3ua/sg_int.h"

/* Parts that the table published last does not name; freed when its grace period is over. */
struct batch {
	struct llist_head entry; /* in sg_table.waiting */
	struct retired {
		void (*fn)(void *part);
		void *part;
	} * v;
	unsigned n;
};

struct sg_table {
	struct fwd_routing *routing;
	struct fwd_as **as; /* by AS number */
	uint32_t n_as;
	struct fwd_ingress **ingress; /* by association id */
	uint32_t n_ingress;
	bool dirty_as, dirty_ingress, dirty_routing, dropped;
	struct batch *retiring;
	struct llist_head waiting;
};

struct sg_table *sg_table_new(struct sg *sg)
{
	struct sg_table *t = talloc_zero(sg->ctx, struct sg_table);

	if (t)
		INIT_LLIST_HEAD(&t->waiting);
	return t;
}

static void batch_free(void *arg)
{
	struct batch *b = arg;

	for (unsigned i = 0; i < b->n; i++)
		b->v[i].fn(b->v[i].part);
	llist_del(&b->entry);
	talloc_free(b);
}

static void free_as(void *part)
{
	fwd_as_free(part);
}

static void free_ingress(void *part)
{
	fwd_ingress_free(part);
}

static void free_routing(void *part)
{
	fwd_routing_free(part);
}

static void free_hold(void *part)
{
	talloc_free(part);
}

void sg_table_free(struct sg_table *t)
{
	struct batch *b, *next;

	if (t->retiring)
		llist_add_tail(&t->retiring->entry, &t->waiting);
	llist_for_each_entry_safe (b, next, &t->waiting, entry)
		batch_free(b);
	for (uint32_t i = 0; i < t->n_as; i++)
		if (t->as[i])
			fwd_as_free(t->as[i]);
	for (uint32_t i = 0; i < t->n_ingress; i++)
		if (t->ingress[i])
			fwd_ingress_free(t->ingress[i]);
	if (t->routing)
		fwd_routing_free(t->routing);
	talloc_free(t);
}

/* Without memory the part is leaked: nobody may free what a worker can see. */
static void retire(struct sg_table *t, void (*fn)(void *), void *part)
{
	struct batch *b = t->retiring;
	struct retired *v;

	if (!part)
		return;
	if (!b)
		b = t->retiring = talloc_zero(t, struct batch);
	v = b ? talloc_realloc(b, b->v, struct retired, b->n + 1) : NULL;
	if (!v)
		return;
	b->v = v;
	b->v[b->n++] = (struct retired){fn, part};
}

void table_dirty_as(struct as *as)
{
	as->table_dirty = true;
	as->sg->table->dirty_as = true;
}

void table_dirty_ingress(struct asp *asp)
{
	asp->ingress_dirty = true;
	asp->sg->table->dirty_ingress = true;
}

void table_dirty_routing(struct sg *sg)
{
	sg->table->dirty_routing = true;
}

void table_drop_assoc(struct sg *sg, const struct assoc *a)
{
	struct sg_table *t = sg->table;
	uint32_t id = assoc_id(a);

	if (id >= t->n_ingress || !t->ingress[id])
		return;
	retire(t, free_ingress, t->ingress[id]);
	t->ingress[id] = NULL;
	t->dropped = true;
}

void table_drop_as(struct as *as)
{
	struct sg_table *t = as->sg->table;

	if (as->number < t->n_as && t->as[as->number]) {
		retire(t, free_as, t->as[as->number]);
		t->as[as->number] = NULL;
	}
	retire(t, free_hold, as->hold);
	as->hold = NULL;
	t->dropped = true;
}

/* ---- Application Servers ---- */

/* The ASPs that get its traffic; a talloc'd array. */
static struct assoc **targets(const struct as *as, uint32_t *owners, uint16_t *n)
{
	struct assoc **v = talloc_array(as, struct assoc *, (unsigned)llist_count(&as->asps) + 1);
	const struct as_asp *m;

	*n = 0;
	if (!v)
		return NULL;
	llist_for_each_entry (m, &as->asps, in_as) {
		if (!m->tx || !m->asp->assoc)
			continue;
		owners[*n] = m->asp->number;
		v[(*n)++] = m->asp->assoc;
	}
	return v;
}

static uint16_t index_of(const uint32_t *owners, uint16_t n, uint32_t owner)
{
	for (uint16_t i = 0; i < n; i++)
		if (owners[i] == owner)
			return i;
	return 0;
}

/* Bucket -> index into the targets. While nobody is active the assignment stays as it was, so that flows
 * return to their ASP. */
static uint16_t *share(struct as *as, const uint32_t *owners, uint16_t n)
{
	uint16_t *v = talloc_array(as, uint16_t, as->n_buckets + 1);

	if (!v || !n)
		return v;
	share_assign(as->buckets, as->n_buckets, owners, n);
	for (uint32_t i = 0; i < as->n_buckets; i++)
		v[i] = index_of(owners, n, as->buckets[i]);
	return v;
}

static enum fwd_as_state fwd_state(const struct as *as, uint16_t n)
{
	switch (as->state) {
	case AS_ACTIVE: return n ? FWD_AS_ACTIVE : FWD_AS_UNSERVED;
	case AS_PENDING: return FWD_AS_PENDING;
	default: return FWD_AS_UNSERVED;
	}
}

static void compile_as(struct sg_table *t, struct as *as)
{
	const struct network_conf *net = as->network ? as->network->conf : NULL;
	struct fwd_as spec = {.number = as->number,
		.mode = (enum fwd_mode)as->conf->mode,
		.key = (enum fwd_share_key)as->conf->share_key,
		.network = as->network ? as->network->index : 0,
		.has_rc = as->conf->has_rc,
		.rc = as->conf->rc,
		.has_na = net && net->has_na,
		.na = net ? net->na : 0,
		.hold = as->hold};
	uint32_t *owners = talloc_array(as, uint32_t, (unsigned)llist_count(&as->asps) + 1);
	struct fwd_as *part = NULL;

	if (owners && (spec.asps = targets(as, owners, &spec.n_asps))) {
		spec.state = fwd_state(as, spec.n_asps);
		if (as->n_buckets && spec.n_asps && (spec.share = share(as, owners, spec.n_asps)))
			spec.n_buckets = as->n_buckets;
		part = fwd_as_new(&spec);
	}
	talloc_free(spec.share);
	talloc_free(spec.asps);
	talloc_free(owners);
	if (!part) {
		LOGP(DAS, LOGL_ERROR, "as %s: no memory for its forwarding table\n", as->name);
		return;
	}
	retire(t, free_as, t->as[as->number]);
	t->as[as->number] = part;
	as->table_dirty = false;
}

static bool fit(struct sg_table *t, void *array, uint32_t *n, uint32_t want)
{
	void **v = *(void ***)array;

	if (want <= *n)
		return true;
	v = talloc_realloc(t, v, void *, want);
	if (!v)
		return false;
	memset(v + *n, 0, (want - *n) * sizeof(*v));
	*(void ***)array = v;
	*n = want;
	return true;
}

static void compile_ass(struct sg *sg, struct sg_table *t)
{
	struct as *as;

	if (!fit(t, &t->as, &t->n_as, sg->n_numbers))
		return;
	t->dirty_as = false;
	llist_for_each_entry (as, &sg->ass, entry) {
		if (as->table_dirty)
			compile_as(t, as);
		t->dirty_as |= as->table_dirty;
	}
}

/* ---- ingress ---- */

static struct fwd_ingress_rc ingress_of(const struct as_asp *m)
{
	return (struct fwd_ingress_rc){.rc = m->as->conf->rc,
		.as = m->as->number,
		.network = m->as->network ? m->as->network->index : 0,
		.active = m->rx};
}

static void compile_asp(struct sg_table *t, struct asp *asp)
{
	struct fwd_ingress_rc *rcs, only;
	const struct fwd_ingress_rc *one = NULL;
	struct fwd_ingress *part;
	const struct as_asp *m;
	uint32_t id;
	unsigned n = 0;

	asp->ingress_dirty = false;
	if (!asp->assoc)
		return;
	id = assoc_id(asp->assoc);
	rcs = talloc_array(asp, struct fwd_ingress_rc, asp->n_ass + 1);
	if (!rcs || !fit(t, &t->ingress, &t->n_ingress, id + 1))
		return;
	llist_for_each_entry (m, &asp->ass, in_asp) {
		if (m->as->conf->has_rc) {
			rcs[n++] = ingress_of(m);
		} else { /* what DATA without a Routing Context means */
			only = ingress_of(m);
			one = &only;
		}
	}
	part = fwd_ingress_new(rcs, n, one);
	talloc_free(rcs);
	if (!part)
		return;
	retire(t, free_ingress, t->ingress[id]);
	t->ingress[id] = part;
}

static void compile_ingress(struct sg *sg, struct sg_table *t)
{
	struct asp *asp;

	t->dirty_ingress = false;
	llist_for_each_entry (asp, &sg->asps, entry)
		if (asp->ingress_dirty)
			compile_asp(t, asp);
}

/* ---- routing ---- */

static unsigned count_rows(const struct key_conf *k)
{
	return (k->n_si ? k->n_si : 1) * (k->n_opc ? k->n_opc : 1);
}

static struct fwd_key *add_rows(struct fwd_key *row, const struct as *as, const struct key_conf *k)
{
	for (unsigned s = 0; s < (k->n_si ? k->n_si : 1); s++)
		for (unsigned o = 0; o < (k->n_opc ? k->n_opc : 1); o++)
			*row++ = (struct fwd_key){.network = as->network->index,
				.dpc = k->dpc,
				.si = k->n_si ? k->si[s] : FWD_ANY_SI,
				.opc = k->n_opc ? k->opc[o] : FWD_ANY_OPC,
				.as = as->number};
	return row;
}

static struct fwd_key *routing_keys(struct sg *sg, unsigned *n)
{
	struct fwd_key *rows, *row;
	struct as *as;

	*n = 0;
	llist_for_each_entry (as, &sg->ass, entry)
		for (unsigned i = 0; as->network && i < as->conf->n_keys; i++)
			*n += count_rows(&as->conf->keys[i]);
	rows = row = talloc_array(sg->ctx, struct fwd_key, *n + 1);
	if (!rows)
		return NULL;
	llist_for_each_entry (as, &sg->ass, entry)
		for (unsigned i = 0; as->network && i < as->conf->n_keys; i++)
			row = add_rows(row, as, &as->conf->keys[i]);
	return rows;
}

static unsigned routing_networks(struct sg *sg, struct fwd_network *out)
{
	unsigned n = 0;

	for (unsigned i = 0; i < SG_MAX_NETWORKS; i++) {
		const struct network_conf *c = sg->by_index[i] ? sg->by_index[i]->conf : NULL;

		out[i] = (struct fwd_network){.pc_bits = 14};
		if (!c)
			continue;
		out[i] = (struct fwd_network){.pc_bits = pc_bits((enum pc_variant)c->variant),
			.ni = c->check_ni ? c->ni : FWD_ANY_NI,
			.has_na = c->has_na,
			.na = c->na,
			.own_pcs = c->pcs,
			.n_own_pcs = c->n_pcs};
		n = i + 1;
	}
	return n;
}

static void compile_routing(struct sg *sg, struct sg_table *t)
{
	static struct fwd_network networks[SG_MAX_NETWORKS];
	struct fwd_routing *routing = NULL;
	unsigned n_networks = routing_networks(sg, networks), n, clash = 0;
	struct fwd_key *keys = routing_keys(sg, &n);
	enum sb_err e = keys ? fwd_routing_new(networks, n_networks, keys, n, &routing, &clash) : SB_ENOMEM;

	if (e != SB_OK) {
		LOGP(DROUTE, LOGL_ERROR, "routing keys not compiled: %s (row %u): the old ones stay\n",
			sb_strerror(e), clash);
	} else {
		retire(t, free_routing, t->routing);
		t->routing = routing;
	}
	t->dirty_routing = false;
	talloc_free(keys);
}

void table_publish(struct sg *sg, bool ingress_only)
{
	struct sg_table *t = sg->table;
	struct fwd_table *table;
	struct batch *b;

	if (!t->dirty_ingress && (ingress_only || (!t->dirty_as && !t->dirty_routing && !t->dropped)))
		return;
	if (!ingress_only && t->dirty_routing)
		compile_routing(sg, t);
	if (!ingress_only && t->dirty_as)
		compile_ass(sg, t);
	if (t->dirty_ingress)
		compile_ingress(sg, t);
	if (!t->routing) /* before the first sg_apply() */
		return;
	table = fwd_table_new(t->routing, (const struct fwd_as *const *)t->as, t->n_as,
		(const struct fwd_ingress *const *)t->ingress, t->n_ingress);
	if (!table) {
		LOGP(DROUTE, LOGL_ERROR, "no memory for a forwarding table: the old one stays\n");
		t->dropped = true;
		return;
	}
	t->dropped = false;
	plane_publish(sg->plane, table);
	b = t->retiring;
	t->retiring = NULL;
	if (!b)
		return;
	llist_add_tail(&b->entry, &t->waiting);
	plane_after_grace(sg->plane, batch_free, b);
}
