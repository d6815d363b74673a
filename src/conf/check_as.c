/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Application Servers: their ASPs and their Routing Contexts. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "conf/check.h"
#include "m3ua/rkm_key.h"

/* ---- the ASPs of one AS ---- */

/* MEMBERS[i]: the ASP that the AS's i-th name means, or NULL. */
static void check_members(struct check *c, const struct as_conf *as, const struct asp_conf **members)
{
	for (unsigned i = 0; i < as->n_asps; i++) {
		members[i] = check_reference(c, &c->asps, as->asps[i], &as->asps[i], NULL);
		if (!members[i])
			continue;
		for (unsigned k = 0; k < i; k++) {
			if (members[k] == members[i]) {
				object_error(
					c->r, &as->asps[i], NULL, "ASP \"%s\" is there twice", as->asps[i]);
				members[i] = NULL;
				break;
			}
			/* RFC 4666 s.3.5.1: unique among the ASPs that support an AS */
			if (members[k] && members[k]->has_id && members[i]->has_id &&
				members[k]->id == members[i]->id)
				object_error(c->r, &as->asps[i], NULL,
					"ASPs \"%s\" and \"%s\" of one application "
					"server have the same identifier, %" PRIu32,
					as->asps[k], as->asps[i], members[i]->id);
		}
		if (members[i])
			c->asp_uses[members[i] - c->sg->asps]++;
	}
}

int check_as_role(const struct check *c, const struct as_conf *as)
{
	for (unsigned i = 0; i < as->n_asps; i++) {
		const struct asp_conf *asp = name_index_find(&c->asps, as->asps[i]);

		if (asp)
			return asp->role;
	}
	return ROLE_SGP;
}

/* What the gateway is to an AS must be one thing. */
static void check_roles(struct check *c, const struct as_conf *as, const struct asp_conf *const *members)
{
	const struct asp_conf *first = NULL;

	for (unsigned i = 0; i < as->n_asps; i++) {
		if (!members[i])
			continue;
		if (!first)
			first = members[i];
		if (members[i]->role == first->role)
			continue;
		object_error(c->r, &as->asps[i], NULL,
			"ASPs \"%s\" and \"%s\" of one application server have different roles", first->name,
			members[i]->name);
		return;
	}
	if (as->has_own_rc && first && first->role != ROLE_IPSP_DE)
		object_error(c->r, as, "own-routing-context",
			"own-routing-context takes ASPs of role \"ipsp-de\"");
}

/* How many ASPs the load-share key can keep busy, or 0. */
static unsigned useful_asps(struct check *c, const struct as_conf *as)
{
	const struct network_conf *n = as->network ? name_index_find(&c->networks, as->network) : NULL;

	if (as->mode != FWD_LOADSHARE || as->share_key != FWD_KEY_SLS || !n)
		return 0;
	/* The SLS has 4 bits in ITU, Chinese and Japanese networks, 5 or 8 in American ones. */
	return n->variant == PC_ANSI ? FWD_SLS_BUCKETS : 16;
}

static bool has_route(const struct check *c, const struct as_conf *as)
{
	for (unsigned i = 0; as->name && i < c->sg->n_routes; i++)
		if (c->sg->routes[i].via && !strcmp(c->sg->routes[i].via, as->name))
			return true;
	return false;
}

static void check_size(struct check *c, const struct as_conf *as)
{
	unsigned useful = useful_asps(c, as);

	if (!as->n_asps)
		object_warn(
			c->r, as, NULL, "application server \"%s\" has no ASPs", as->name ? as->name : "?");
	else if (as->min_asps > as->n_asps)
		object_error(c->r, as, "minimum-asps", "minimum-asps (%u) is more than there are ASPs (%u)",
			as->min_asps, as->n_asps);
	if (as->mode == FWD_OVERRIDE && as->min_asps > 1)
		object_error(c->r, as, "minimum-asps",
			"minimum-asps must be 1 with traffic-mode \"override\": only "
			"one ASP is active then");
	if (useful && as->n_asps > useful)
		object_warn(c->r, as, "asps",
			"load-share-key \"sls\" has %u values, so that only %u of the %u ASPs "
			"get traffic: use \"opc-sls\" or \"cic\"",
			useful, useful, as->n_asps);
	if (!as->n_keys && check_as_role(c, as) != ROLE_ASP && !has_route(c, as))
		object_warn(c->r, as, NULL,
			"application server \"%s\" has no routing keys, nor a route: nothing will be routed "
			"to it",
			as->name ? as->name : "?");
}

static void check_as(struct check *c, const struct as_conf *as)
{
	const struct asp_conf **members = talloc_zero_array(NULL, const struct asp_conf *, as->n_asps + 1);

	if (as->network)
		(void)check_reference(c, &c->networks, as->network, as, "network");
	check_members(c, as, members);
	check_roles(c, as, members);
	check_size(c, as);
	talloc_free(members);
}

/* ---- Routing Contexts ---- */

static bool has_asp(const struct as_conf *as, const char *name)
{
	for (unsigned i = 0; i < as->n_asps; i++)
		if (!strcmp(as->asps[i], name))
			return true;
	return false;
}

static bool share_an_asp(const struct as_conf *a, const struct as_conf *b)
{
	for (unsigned i = 0; i < a->n_asps; i++)
		if (has_asp(b, a->asps[i]))
			return true;
	return false;
}

static int by_context(const void *va, const void *vb)
{
	const struct as_conf *a = *(const struct as_conf *const *)va, *b = *(const struct as_conf *const *)vb;

	if (a->rc != b->rc)
		return a->rc < b->rc ? -1 : 1;
	return (a > b) - (a < b);
}

/* What the gateway gives out itself is unique in its network; what another node gives out is unique there. */
static bool contexts_clash(const struct check *c, const struct as_conf *a, const struct as_conf *b)
{
	bool given_here = check_as_role(c, a) == ROLE_SGP && check_as_role(c, b) == ROLE_SGP;

	return (given_here && a->network && b->network && !strcmp(a->network, b->network)) ||
	       share_an_asp(a, b);
}

/* A Routing Context is in a 1:1 relationship with a routing key (RFC 4666 s.1.4.2.1): one network does not
 * use it twice, nor does one association. */
static void check_contexts(struct check *c)
{
	const struct sg_conf *sg = c->sg;
	const struct as_conf **all = talloc_array(NULL, const struct as_conf *, sg->n_ass + 1);
	unsigned n = 0, first = 0;

	for (unsigned i = 0; i < sg->n_ass; i++)
		if (sg->ass[i].has_rc)
			all[n++] = &sg->ass[i];
	qsort(all, n, sizeof(*all), by_context); /* NOLINT(bugprone-sizeof-expression): pointers are sorted */
	for (unsigned i = 1; i < n; i++) {
		if (all[i]->rc != all[first]->rc)
			first = i;
		for (unsigned k = first; k < i; k++)
			if (contexts_clash(c, all[k], all[i])) {
				object_error(c->r, all[i], "routing-context",
					"routing-context %" PRIu32
					" is application server \"%s\"'s already: see "
					"line %u",
					all[i]->rc, all[k]->name ? all[k]->name : "?",
					reader_file_line(c->r, all[k], "routing-context"));
				break;
			}
	}
	talloc_free(all);
}

/* The other direction of double exchange: one association does not use a context twice. */
static void check_own_contexts(struct check *c, const struct as_conf *as)
{
	for (const struct as_conf *o = c->sg->ass; as->has_own_rc && o < as; o++)
		if (o->has_own_rc && o->own_rc == as->own_rc && share_an_asp(o, as))
			object_error(c->r, as, "own-routing-context",
				"own-routing-context %" PRIu32
				" is application server \"%s\"'s already: see line %u",
				as->own_rc, o->name ? o->name : "?",
				reader_file_line(c->r, o, "own-routing-context"));
}

/* What is registered must be there, and fit into one REG REQ. */
static void check_registrable(struct check *c, const struct as_conf *as)
{
	bool registers = false;

	for (unsigned i = 0; i < as->n_asps; i++) {
		const struct asp_conf *asp = name_index_find(&c->asps, as->asps[i]);

		registers |= asp && asp->registers;
	}
	if (!registers)
		return;
	if (!as->n_keys)
		object_error(c->r, as, NULL,
			"application server \"%s\" needs routing-keys: its ASPs register them",
			as->name ? as->name : "?");
	else if (M3UA_HEADER + rk_size(as->keys, as->n_keys) > c->r->conf->max_message)
		object_error(c->r, as, "routing-keys",
			"the routing keys of application server \"%s\" do not fit into a message that "
			"registers "
			"them (max-message)",
			as->name ? as->name : "?");
}

/* Without a Routing Context an AS is unambiguous only where its ASPs serve no other (RFC 4666 s.3.3.1). */
static void check_missing_context(struct check *c, const struct as_conf *as)
{
	for (unsigned i = 0; !as->has_rc && i < as->n_asps; i++) {
		const struct asp_conf *asp = name_index_find(&c->asps, as->asps[i]);

		if (asp && !asp->registers && c->asp_uses[asp - c->sg->asps] > 1) {
			object_error(c->r, as, NULL,
				"application server \"%s\" needs a routing-context: ASP \"%s\" "
				"serves others too",
				as->name ? as->name : "?", as->asps[i]);
			return;
		}
	}
}

static void check_registration(struct check *c)
{
	if (c->sg->rc_first > c->sg->rc_last)
		object_error(c->r, c->r->conf, "last-context",
			"last-context (%" PRIu32 ") must not be below first-context (%" PRIu32 ")",
			c->sg->rc_last, c->sg->rc_first);
}

void check_application_servers(struct check *c)
{
	check_registration(c);
	for (unsigned i = 0; i < c->sg->n_ass; i++)
		check_as(c, &c->sg->ass[i]);
	for (unsigned i = 0; i < c->sg->n_ass; i++)
		check_missing_context(c, &c->sg->ass[i]);
	for (unsigned i = 0; i < c->sg->n_ass; i++)
		check_registrable(c, &c->sg->ass[i]);
	for (unsigned i = 0; i < c->sg->n_ass; i++)
		check_own_contexts(c, &c->sg->ass[i]);
	check_contexts(c);
}
