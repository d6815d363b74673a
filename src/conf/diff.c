/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a reload has to do, read off the schema: each row says how its change is applied. */
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "conf/schema.h"
#include "conf/value.h"

/* ---- comparing ---- */

enum { UNCHANGED = -1 };

/* The most severe class among the rows in which A and B differ, and *WHY the first key of that class; or
 * UNCHANGED.
 */
static int severity(const struct section *section, const void *a, const void *b, const char **why)
{
	int worst = UNCHANGED;

	for (unsigned i = 0; i < section->n_rows; i++) {
		const struct row *row = &section->rows[i];
		int class = (int)row->reload;

		if (row_is_set(row, a) == row_is_set(row, b) && row->type->same(row, a, b))
			continue;
		if (row->type == &value_group) {
			const char *key;
			int inner = severity(row->sub, row_at(row, a), row_at(row, b), &key);

			class = inner > class ? inner : class;
		}
		if (class > worst) {
			worst = class;
			*why = row->key;
		}
	}
	return worst;
}

/* ---- objects ---- */

/* One kind of objects in two configurations. */
struct kind {
	enum sg_object object;
	const struct section *section;
	const char *old, *new;
	unsigned n_old, n_new;
	const char *const **sorted_old; /* pointers to the old objects' names, by name */
	signed char *op;                /* of each new object: enum sg_change_op or UNCHANGED */
	const char **why;               /* and the key behind it, or what it depends on */
	bool *next;                     /* not before the next association */
};

struct diff {
	struct kind kinds[SG_LINKSET + 1];
	struct sg_change *changes;
	unsigned n;
};

static const char *const *name_of(const struct kind *k, const char *objects, unsigned i)
{
	return (const void *)(objects + i * k->section->size);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(**(const char *const *const *)a, **(const char *const *const *)b);
}

static int name_to_object(const void *name, const void *elem)
{
	return strcmp(name, **(const char *const *const *)elem);
}

static const char *const *find(const char *const *const *sorted, unsigned n, const char *name)
{
	const char *const *const *found = bsearch(name, sorted, n, sizeof(*sorted), name_to_object);

	return found ? *found : NULL;
}

/* The index of a new object by its name; the number of objects if there is none. */
static unsigned new_index(const struct kind *k, const char *name)
{
	unsigned i = 0;

	while (i < k->n_new && strcmp(*name_of(k, k->new, i), name) != 0)
		i++;
	return i;
}

static int op_for(int class)
{
	static const signed char ops[] = {[RELOAD_SOFT] = SG_UPDATE,
		[RELOAD_NEXT] = SG_UPDATE,
		[RELOAD_REPLACE] = SG_REPLACE,
		[RELOAD_RESTART] = SG_REPLACE};

	return class == UNCHANGED ? UNCHANGED : ops[class];
}

static void kind_init(struct diff *d, const char *key, enum sg_object object, const struct conf *old,
	const struct conf *new)
{
	struct kind *k = &d->kinds[object];
	const struct row *row = conf_schema.rows;

	while (strcmp(row->key, key) != 0)
		row++;
	*k = (struct kind){.object = object, .section = row->sub};
	k->new = *(const char *const *)row_at(row, new);
	k->n_new = row_count(row, new);
	k->old = old ? *(const char *const *)row_at(row, old) : NULL;
	k->n_old = old ? row_count(row, old) : 0;
	k->sorted_old = talloc_array(new, const char *const *, k->n_old + 1);
	for (unsigned i = 0; i < k->n_old; i++)
		k->sorted_old[i] = name_of(k, k->old, i);
	qsort(k->sorted_old, k->n_old, sizeof(*k->sorted_old), by_name);

	k->op = talloc_array(new, signed char, k->n_new + 1);
	k->why = talloc_zero_array(new, const char *, k->n_new + 1);
	k->next = talloc_zero_array(new, bool, k->n_new + 1);
	for (unsigned i = 0; i < k->n_new; i++) {
		const char *const *now = name_of(k, k->new, i), *const *was =
									find(k->sorted_old, k->n_old, *now);

		int class = was ? severity(k->section, was, now, &k->why[i]) : UNCHANGED;

		k->op[i] = (signed char)(was ? op_for(class) : SG_ADD);
		k->next[i] = class == RELOAD_NEXT;
	}
}

static void kind_fini(struct kind *k)
{
	talloc_free(k->sorted_old);
	talloc_free(k->op);
	talloc_free(k->why);
	talloc_free(k->next);
}

/* ---- what depends on what ---- */

static void at_least(struct kind *k, unsigned i, enum sg_change_op op, const char *why)
{
	if (k->op[i] != UNCHANGED && (k->op[i] != SG_UPDATE || op != SG_REPLACE))
		return;
	k->op[i] = (signed char)op;
	k->why[i] = why;
	k->next[i] = false;
}

static bool is_replaced(const struct kind *k, const char *name)
{
	unsigned i = name ? new_index(k, name) : k->n_new;

	return i < k->n_new && k->op[i] == SG_REPLACE;
}

/* An AS goes with its network, and looks again at ASPs that were replaced; an ASP looks again at its
 * listener. */
static void spread(struct diff *d, const struct conf *new)
{
	struct kind *networks = &d->kinds[SG_NETWORK], *listeners = &d->kinds[SG_LISTENER];
	struct kind *asps = &d->kinds[SG_ASP], *ass = &d->kinds[SG_AS];
	bool any_asp = false;

	for (unsigned i = 0; i < new->sg.n_asps; i++) {
		if (is_replaced(listeners, new->sg.asps[i].listener))
			at_least(asps, i, SG_UPDATE, "its listener is another");
		any_asp |= asps->op[i] == SG_REPLACE;
	}
	for (unsigned i = 0; i < new->sg.n_ass; i++) {
		const struct as_conf *as = &new->sg.ass[i];

		if (is_replaced(networks, as->network))
			at_least(ass, i, SG_REPLACE, "its network is replaced");
		for (unsigned k = 0; any_asp && k < as->n_asps; k++)
			if (is_replaced(asps, as->asps[k]))
				at_least(ass, i, SG_UPDATE, "an ASP of it is replaced");
	}
}

static bool is_new(const struct kind *k, const char *name)
{
	unsigned i = name ? new_index(k, name) : k->n_new;

	return i < k->n_new && (k->op[i] == SG_REPLACE || k->op[i] == SG_ADD);
}

/* A linkset goes with its network, and its links with it; a link that another linkset names now is another
 * one. */
static void spread_links(struct diff *d, const struct conf *new)
{
	struct kind *sets = &d->kinds[SG_LINKSET], *links = &d->kinds[SG_LINK];

	for (unsigned i = 0; i < new->ss7.n_linksets; i++) {
		const struct ss7_linkset_conf *ls = &new->ss7.linksets[i];

		if (is_replaced(&d->kinds[SG_NETWORK], ls->network))
			at_least(sets, i, SG_REPLACE, "its network is replaced");
		for (unsigned k = 0; k < ls->n_links; k++) {
			unsigned n = new_index(links, ls->links[k]);

			if (n < links->n_new && is_new(sets, ls->name))
				at_least(links, n, SG_REPLACE, "its linkset is another");
			else if (n < links->n_new && links->op[n] == SG_REPLACE)
				at_least(sets, i, SG_UPDATE, "a link of it is replaced");
		}
	}
}

/* ---- the list ---- */

static void emit(struct diff *d, const struct kind *k, enum sg_change_op op, const char *name)
{
	d->changes[d->n++] = (struct sg_change){.object = k->object, .op = op, .name = name};
}

static void emit_removals(struct diff *d, const struct kind *k, const struct conf *new)
{
	const char *const **sorted = talloc_array(new, const char *const *, k->n_new + 1);

	for (unsigned i = 0; i < k->n_new; i++)
		sorted[i] = name_of(k, k->new, i);
	qsort(sorted, k->n_new, sizeof(*sorted), by_name);
	for (unsigned i = 0; i < k->n_old; i++) {
		const char *name = *name_of(k, k->old, i);

		if (!find(sorted, k->n_new, name))
			emit(d, k, SG_REMOVE, talloc_strdup(d->changes, name));
	}
	talloc_free(sorted);
}

static void emit_others(struct diff *d, const struct kind *k)
{
	for (unsigned i = 0; i < k->n_new; i++)
		if (k->op[i] != UNCHANGED) {
			emit(d, k, (enum sg_change_op)k->op[i], *name_of(k, k->new, i));
			d->changes[d->n - 1].why = k->why[i];
			d->changes[d->n - 1].next = k->next[i];
		}
}

/* The rows of the groups whose objects are the configuration itself: node, console, log. */
static const struct row *next_own_row(unsigned *group, unsigned *i)
{
	for (; *group < conf_schema.n_rows; ++*group, *i = 0) {
		const struct row *g = &conf_schema.rows[*group];

		if (g->type == &value_group && !g->sub->inherits && *i < g->sub->n_rows)
			return &g->sub->rows[(*i)++];
	}
	return NULL;
}

static const char *restart_key(const struct conf *old, const struct conf *new)
{
	unsigned group = 0, i = 0;
	const struct row *row;

	while ((row = next_own_row(&group, &i)))
		if (row->reload == RELOAD_RESTART && !row->type->same(row, old, new))
			return row->key;
	return NULL;
}

static bool routes_differ(const struct conf *old, const struct conf *new)
{
	const struct row *row = conf_schema.rows;

	while (strcmp(row->key, "routes") != 0)
		row++;
	return old ? !row->type->same(row, old, new) : row_count(row, new) > 0;
}

struct sg_change *conf_diff(const struct conf *old, const struct conf *new, unsigned *n, const char **restart)
{
	struct diff d = {.n = 0};
	size_t most = 0;

	kind_init(&d, "networks", SG_NETWORK, old, new);
	kind_init(&d, "listeners", SG_LISTENER, old, new);
	kind_init(&d, "asps", SG_ASP, old, new);
	kind_init(&d, "peer-templates", SG_TEMPLATE, old, new);
	kind_init(&d, "application-servers", SG_AS, old, new);
	kind_init(&d, "links", SG_LINK, old, new);
	kind_init(&d, "linksets", SG_LINKSET, old, new);
	spread(&d, new);
	spread_links(&d, new);

	for (int o = SG_NETWORK; o <= SG_LINKSET; o++)
		most += d.kinds[o].n_old + d.kinds[o].n_new;
	d.changes = talloc_array(new, struct sg_change, most + 2);
	/* Users go before what they use, and come after it. */
	for (int o = SG_LINKSET; o >= SG_NETWORK; o--)
		emit_removals(&d, &d.kinds[o], new);
	for (int o = SG_NETWORK; o <= SG_LINKSET; o++)
		emit_others(&d, &d.kinds[o]);
	for (int o = SG_NETWORK; o <= SG_LINKSET; o++)
		kind_fini(&d.kinds[o]);
	if (routes_differ(old, new))
		d.changes[d.n++] = (struct sg_change){.object = SG_ROUTES, .op = SG_UPDATE, .name = "routes"};
	if (restart)
		*restart = old ? restart_key(old, new) : NULL;
	*n = d.n;
	return d.changes;
}

void conf_keep_running(const struct conf *old, struct conf *new)
{
	unsigned group = 0, i = 0;
	const struct row *row;

	while ((row = next_own_row(&group, &i))) {
		if (row->reload != RELOAD_RESTART)
			continue;
		if (row->type == &value_number)
			row_set_number(row_at(row, new), row->size, row_number(row_at(row, old), row->size));
		else
			*(const char **)row_at(row, new) =
				talloc_strdup(new, *(const char *const *)row_at(row, old));
	}
}
