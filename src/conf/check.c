/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "conf/check.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "conf/suggest.h"
#include "sctp/addr.h"

/* ---- names ---- */

static int by_name(const void *a, const void *b)
{
	const char *const *x = *(const char *const *const *)a, *const *y = *(const char *const *const *)b;
	int d = strcmp(*x, *y);

	return d ? d : (x > y) - (x < y); /* the first in the file first */
}

static void name_index_build(struct check *c, struct name_index *index, const char *title,
	const void *objects, unsigned n, size_t size)
{
	*index = (struct name_index){.title = title};
	index->sorted = talloc_array(NULL, const char *const *, n + 1);
	for (unsigned i = 0; i < n; i++) {
		const char *const *name = (const void *)((const char *)objects + i * size);

		if (*name) /* one without a name was reported when it was read */
			index->sorted[index->n++] = name;
	}
	qsort(index->sorted, index->n, sizeof(*index->sorted), by_name);
	for (unsigned i = 1; i < index->n; i++) {
		const char *const *one = index->sorted[i - 1], *const *two = index->sorted[i];

		if (!strcmp(*one, *two))
			object_error(c->r, two, "name", "%s \"%s\" is there already: see line %u", title,
				*two, reader_file_line(c->r, one, "name"));
	}
}

static int name_to_object(const void *name, const void *elem)
{
	return strcmp(name, **(const char *const *const *)elem);
}

const void *name_index_find(const struct name_index *index, const char *name)
{
	const char *const *const *found =
		bsearch(name, index->sorted, index->n, sizeof(*index->sorted), name_to_object);

	return found ? *found : NULL;
}

const void *check_reference(
	struct check *c, const struct name_index *index, const char *name, const void *obj, const char *key)
{
	const void *found = name_index_find(index, name);
	struct suggestion best = {.typed = name};

	if (found)
		return found;
	for (unsigned i = 0; i < index->n; i++)
		suggest_offer(&best, *index->sorted[i]);
	if (best.best)
		object_error(c->r, obj, key, "there is no %s \"%s\": did you mean \"%s\"?", index->title,
			name, best.best);
	else
		object_error(c->r, obj, key, "there is no %s \"%s\"", index->title, name);
	return NULL;
}

/* ---- node and networks ---- */

static void check_console(struct check *c)
{
	const struct conf *conf = c->r->conf;
	union tp_addr a;

	if (tp_addr_parse(&a, conf->console_address) == SB_OK && !tp_addr_is_loopback(&a))
		object_warn(c->r, conf, "address",
			"the console has no password, and %s is not a loopback address: whoever reaches it "
			"can "
			"operate the gateway",
			conf->console_address);
}

static void check_sls(struct check *c, const struct network_conf *n)
{
	uint8_t bits = n->sls.bits;

	if (n->variant == PC_ANSI ? bits != 5 && bits != 8 : bits != 4)
		object_error(c->r, n, "sls-bits", "an SLS has %s bits in this variant",
			n->variant == PC_ANSI ? "5 or 8" : "4");
	else if (n->sls.linkset_bit > bits)
		object_error(c->r, n, "linkset-bit", "an SLS has only %u bits in this network", bits);
}

static void check_network(struct check *c, const struct network_conf *n)
{
	check_sls(c, n);
	for (unsigned i = 0; i < n->n_pcs; i++)
		for (unsigned k = 0; k < i; k++)
			if (n->pcs[i] == n->pcs[k]) {
				object_error(c->r, &n->pcs[i], NULL, "the point code is there twice");
				break;
			}
	/* RFC 4666 s.3.3.1: the Network Appearance tells networks apart. */
	for (const struct network_conf *o = c->sg->networks; n->has_na && o < n; o++)
		if (o->has_na && o->na == n->na)
			object_error(c->r, n, "network-appearance",
				"network-appearance %" PRIu32 " is network \"%s\"'s already: see line %u",
				n->na, o->name ? o->name : "?",
				reader_file_line(c->r, o, "network-appearance"));
}

void check_all(struct reader *r)
{
	const struct sg_conf *sg = &r->conf->sg;
	const struct ss7_conf *ss7 = &r->conf->ss7;
	struct check c = {.r = r, .sg = sg, .ss7 = ss7};

	name_index_build(&c, &c.networks, "network", sg->networks, sg->n_networks, sizeof(*sg->networks));
	name_index_build(
		&c, &c.listeners, "listener", sg->listeners, sg->n_listeners, sizeof(*sg->listeners));
	name_index_build(&c, &c.asps, "ASP", sg->asps, sg->n_asps, sizeof(*sg->asps));
	name_index_build(&c, &c.ass, "application server", sg->ass, sg->n_ass, sizeof(*sg->ass));
	name_index_build(
		&c, &c.templates, "peer template", sg->templates, sg->n_templates, sizeof(*sg->templates));
	name_index_build(&c, &c.links, "link", ss7->links, ss7->n_links, sizeof(*ss7->links));
	name_index_build(&c, &c.linksets, "linkset", ss7->linksets, ss7->n_linksets, sizeof(*ss7->linksets));
	c.asp_uses = talloc_zero_array(NULL, unsigned, sg->n_asps + 1);

	check_console(&c);
	for (unsigned i = 0; i < sg->n_networks; i++)
		check_network(&c, &sg->networks[i]);
	check_application_servers(&c);
	check_associations(&c);
	check_routing_keys(&c);
	check_ss7(&c);
	check_routes(&c);

	talloc_free(c.asp_uses);
	talloc_free(c.networks.sorted);
	talloc_free(c.listeners.sorted);
	talloc_free(c.asps.sorted);
	talloc_free(c.ass.sorted);
	talloc_free(c.templates.sorted);
	talloc_free(c.links.sorted);
	talloc_free(c.linksets.sorted);
}
