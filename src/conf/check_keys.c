/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Routing keys: each message has one result (RFC 4666 s.1.4.2.2). */
#include <stdlib.h>
#include <talloc.h>

#include "conf/check.h"

/* One combination of a key's lists. */
struct combination {
	const struct network_conf *network;
	uint32_t dpc, opc;
	uint8_t si;
	const struct as_conf *as;
	const struct key_conf *key;
};

static unsigned at_least_one(unsigned n)
{
	return n ? n : 1;
}

static size_t count_combinations(const struct sg_conf *sg)
{
	size_t n = 0;

	for (unsigned i = 0; i < sg->n_ass; i++)
		for (unsigned k = 0; k < sg->ass[i].n_keys; k++)
			n += (size_t)at_least_one(sg->ass[i].keys[k].n_si) *
			     at_least_one(sg->ass[i].keys[k].n_opc);
	return n;
}

static size_t combine(struct combination *out, const struct network_conf *network, const struct as_conf *as,
	const struct key_conf *key)
{
	size_t n = 0;

	for (unsigned s = 0; s < at_least_one(key->n_si); s++)
		for (unsigned o = 0; o < at_least_one(key->n_opc); o++)
			out[n++] = (struct combination){network, key->dpc,
				key->n_opc ? key->opc[o] : FWD_ANY_OPC, key->n_si ? key->si[s] : FWD_ANY_SI,
				as, key};
	return n;
}

static int by_traffic(const struct combination *a, const struct combination *b)
{
	if (a->network != b->network)
		return a->network < b->network ? -1 : 1;
	if (a->dpc != b->dpc)
		return a->dpc < b->dpc ? -1 : 1;
	if (a->opc != b->opc)
		return a->opc < b->opc ? -1 : 1;
	return a->si - b->si;
}

/* Of equal ones, the first in the file first. */
static int by_traffic_and_place(const void *va, const void *vb)
{
	const struct combination *a = va, *b = vb;
	int d = by_traffic(a, b);

	if (!d && a->as != b->as)
		d = a->as < b->as ? -1 : 1;
	if (!d)
		d = (a->key > b->key) - (a->key < b->key);
	return d;
}

static void report_clash(struct check *c, const struct combination *a, const struct combination *b)
{
	if (a->key == b->key)
		object_error(c->r, b->key, NULL, "the routing key names the same si or opc twice");
	else
		object_error(c->r, b->key, NULL,
			"the routing key covers the same traffic as that in line %u (application server "
			"\"%s\")",
			reader_file_line(c->r, a->key, NULL), a->as->name ? a->as->name : "?");
}

static void check_clashes(struct check *c)
{
	const struct sg_conf *sg = c->sg;
	struct combination *all = talloc_array(NULL, struct combination, count_combinations(sg) + 1);
	const struct key_conf *told = NULL;
	size_t n = 0;

	for (unsigned i = 0; i < sg->n_ass; i++) {
		const struct as_conf *as = &sg->ass[i];
		const struct network_conf *network =
			as->network ? name_index_find(&c->networks, as->network) : NULL;

		/* what the gateway serves at another SG is not routed there */
		if (check_as_role(c, as) == ROLE_ASP)
			continue;
		for (unsigned k = 0; network && k < as->n_keys; k++)
			n += combine(all + n, network, as, &as->keys[k]);
	}
	qsort(all, n, sizeof(*all), by_traffic_and_place);
	for (size_t i = 1; i < n; i++)
		if (!by_traffic(&all[i - 1], &all[i]) && all[i].key != told) {
			report_clash(c, &all[i - 1], &all[i]);
			told = all[i].key;
		}
	talloc_free(all);
}

static bool is_own(const struct network_conf *n, uint32_t pc)
{
	for (unsigned i = 0; i < n->n_pcs; i++)
		if (n->pcs[i] == pc)
			return true;
	return false;
}

static void check_key(struct check *c, const struct network_conf *n, const struct key_conf *key)
{
	if (is_own(n, key->dpc))
		object_error(c->r, key, "dpc", "the destination is the gateway's own point code");
	for (unsigned i = 0; i < key->n_opc; i++)
		if (is_own(n, key->opc[i]))
			object_error(c->r, &key->opc[i], NULL,
				"the origin is the gateway's own point code: such messages are refused as a "
				"loop");
}

void check_routing_keys(struct check *c)
{
	for (unsigned i = 0; i < c->sg->n_ass; i++) {
		const struct as_conf *as = &c->sg->ass[i];
		const struct network_conf *network =
			as->network ? name_index_find(&c->networks, as->network) : NULL;

		if (check_as_role(c, as) == ROLE_ASP)
			continue;
		for (unsigned k = 0; network && k < as->n_keys; k++)
			check_key(c, network, &as->keys[k]);
	}
	check_clashes(c);
}
