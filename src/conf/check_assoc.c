/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Listeners and ASPs: addresses, ports, SCTP parameters. */
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "conf/check.h"
#include "sctp/addr.h"

static const char *shown(const char *name)
{
	return name ? name : "?";
}

static bool is_v6(const union tp_addr *a)
{
	return a->sa.sa_family == AF_INET6;
}

/* OBJ has no key if the group that holds the parameters was not given: then its own line tells. */
static void check_params(struct check *c, const void *obj, const struct tp_params *p)
{
	if (p->rto_min_ms > p->rto_initial_ms || p->rto_initial_ms > p->rto_max_ms)
		object_error(c->r, obj, "sctp", "rto-min (%u), rto-initial (%u) and rto-max (%u) must rise",
			p->rto_min_ms, p->rto_initial_ms, p->rto_max_ms);
	if (p->path_mtu && p->path_mtu < 512)
		object_error(c->r, obj, "sctp", "path-mtu (%u) must be 0, or 512 or more", p->path_mtu);
}

static bool same_params(const struct tp_params *a, const struct tp_params *b)
{
	return a->rto_min_ms == b->rto_min_ms && a->rto_initial_ms == b->rto_initial_ms &&
	       a->rto_max_ms == b->rto_max_ms && a->path_mtu == b->path_mtu;
}

/* What is wrong with the top-level group is told once, there. */
static void check_own_params(struct check *c, const void *obj, const struct tp_params *p)
{
	if (!same_params(p, &c->r->conf->sctp))
		check_params(c, obj, p);
}

static void check_addresses(struct check *c, const union tp_addr *a, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		for (unsigned k = 0; k < i; k++)
			if (tp_addr_same(&a[i], &a[k]))
				object_error(c->r, &a[i], NULL, "the address is there twice");
}

/* Only the kernel's SCTP is multi-homed (sctp-notes in ARCHITECTURE.md). */
static void check_homing(
	struct check *c, const void *obj, const char *key, const struct tp_params *p, unsigned n)
{
	if (n > 1 && (p->kind == TP_EMBEDDED || p->kind == TP_TCP))
		object_error(c->r, obj, key,
			"transport \"%s\" uses one address: multi-homing takes \"kernel\"",
			p->kind == TP_TCP ? "tcp" : "embedded");
}

/* ---- listeners ---- */

/* Whether the two could want the same port: `auto` is one of the SCTPs. */
static bool same_port_space(const struct tp_params *a, const struct tp_params *b)
{
	if (a->kind == TP_TCP || b->kind == TP_TCP)
		return a->kind == b->kind;
	if (a->kind == b->kind || a->kind == TP_AUTO || b->kind == TP_AUTO)
		return a->encap != TP_ENCAP_UDP || b->encap != TP_ENCAP_UDP || a->kind != TP_EMBEDDED ||
		       b->kind != TP_EMBEDDED || a->local_udp_port == b->local_udp_port;
	return false;
}

static bool share_local_address(const struct tp_params *a, const struct tp_params *b)
{
	if (!a->n_local || !b->n_local)
		return true;
	for (unsigned i = 0; i < a->n_local; i++)
		for (unsigned k = 0; k < b->n_local; k++)
			if (tp_addr_is_any(&a->local[i]) || tp_addr_is_any(&b->local[k]) ||
				tp_addr_same(&a->local[i], &b->local[k]))
				return true;
	return false;
}

static void check_listener(struct check *c, const struct listener_conf *l)
{
	const struct conf *conf = c->r->conf;

	check_own_params(c, l, &l->tp);
	check_addresses(c, l->tp.local, l->tp.n_local);
	check_homing(c, l, "addresses", &l->tp, l->tp.n_local);
	if (l->tp.kind == TP_TCP && l->tp.local_port == conf->console_port)
		object_error(c->r, l, "port", "port %u is the console's", l->tp.local_port);
	for (const struct listener_conf *o = c->sg->listeners; o < l; o++)
		if (o->tp.local_port == l->tp.local_port && same_port_space(&o->tp, &l->tp) &&
			share_local_address(&o->tp, &l->tp))
			object_error(c->r, l, NULL,
				"listener \"%s\" has the same address and port: see line %u", shown(o->name),
				reader_file_line(c->r, o, NULL));
}

/* ---- ASPs ---- */

/* Whether a peer of these addresses could come to that listener at all. */
static bool listener_takes(const struct listener_conf *l, const struct asp_conf *asp)
{
	if (!l->tp.n_local)
		return true;
	for (unsigned i = 0; i < l->tp.n_local; i++)
		for (unsigned k = 0; k < asp->tp.n_remote; k++)
			if (is_v6(&l->tp.local[i]) == is_v6(&asp->tp.remote[k]) ||
				(is_v6(&l->tp.local[i]) && tp_addr_is_any(&l->tp.local[i])))
				return true;
	return false;
}

static void check_server(struct check *c, const struct asp_conf *asp)
{
	const struct sg_conf *sg = c->sg;
	const struct listener_conf *l =
		asp->listener ? check_reference(c, &c->listeners, asp->listener, asp, "listener") : NULL;
	bool takes = !sg->n_listeners || !asp->tp.n_remote || (asp->listener && !l);

	if (!sg->n_listeners)
		object_warn(c->r, asp, NULL, "there is no listener that ASP \"%s\" could come to",
			shown(asp->name));
	for (unsigned i = 0; !takes && i < sg->n_listeners; i++)
		takes = (!l || l == &sg->listeners[i]) && listener_takes(&sg->listeners[i], asp);
	if (!takes)
		object_error(c->r, asp, "remote-addresses",
			"no listener has an address of the family of ASP \"%s\"'s", shown(asp->name));
}

/* Every local address has a remote one of its family, and the other way round: or nothing can be reached. */
static bool families_meet(const struct tp_params *p)
{
	for (unsigned i = 0; i < p->n_local; i++)
		for (unsigned k = 0; k < p->n_remote; k++)
			if (is_v6(&p->local[i]) == is_v6(&p->remote[k]))
				return true;
	return !p->n_local || !p->n_remote;
}

static void check_client(struct check *c, const struct asp_conf *asp)
{
	check_addresses(c, asp->tp.local, asp->tp.n_local);
	check_homing(c, asp, "local-addresses", &asp->tp, asp->tp.n_local);
	check_homing(c, asp, "remote-addresses", &asp->tp, asp->tp.n_remote);
	if (!families_meet(&asp->tp))
		object_error(c->r, asp, "local-addresses",
			"local-addresses and remote-addresses are of different families");
	for (unsigned i = 0; i < asp->tp.n_remote; i++)
		if (tp_addr_is_any(&asp->tp.remote[i]))
			object_error(
				c->r, &asp->tp.remote[i], NULL, "nobody can be connected to at this address");
	if (asp->reconnect_min_ms > asp->reconnect_max_ms)
		object_error(c->r, asp, "reconnect-max",
			"reconnect-max (%u) must not be below reconnect-min (%u)", asp->reconnect_max_ms,
			asp->reconnect_min_ms);
}

static void check_asp(struct check *c, const struct asp_conf *asp)
{
	check_own_params(c, asp, &asp->tp);
	check_addresses(c, asp->tp.remote, asp->tp.n_remote);
	if (asp->rkm.network)
		(void)check_reference(c, &c->networks, asp->rkm.network, asp, "rkm-network");
	if (asp->side == ASP_SERVER)
		check_server(c, asp);
	else
		check_client(c, asp);
	if (!c->asp_uses[asp - c->sg->asps] && asp->rkm.policy < RKM_MATCH)
		object_warn(c->r, asp, NULL,
			"no application server names ASP \"%s\": it may come up, but never be "
			"active",
			shown(asp->name));
}

/* ---- peer templates ---- */

static bool same_peers(const struct template_conf *a, const struct template_conf *b)
{
	bool same_listener = a->asp.listener && b->asp.listener ? !strcmp(a->asp.listener, b->asp.listener)
								: a->asp.listener == b->asp.listener;

	return same_listener && a->prefix.len == b->prefix.len &&
	       tp_addr_same(&a->prefix.addr, &b->prefix.addr) && a->port_first == b->port_first &&
	       a->port_last == b->port_last;
}

static void check_template(struct check *c, const struct template_conf *t)
{
	const struct asp_conf *asp = &t->asp;

	check_own_params(c, t, &asp->tp);
	if (asp->listener)
		(void)check_reference(c, &c->listeners, asp->listener, t, "listener");
	if (asp->rkm.network)
		(void)check_reference(c, &c->networks, asp->rkm.network, t, "rkm-network");
	if (t->port_first > t->port_last)
		object_error(c->r, t, "last-port", "last-port (%u) must not be below first-port (%u)",
			t->port_last, t->port_first);
	if (asp->rkm.policy < RKM_MATCH)
		object_warn(c->r, t, "rkm",
			"peers by template \"%s\" may register nothing: they may come up, but never be "
			"active",
			shown(asp->name));
	for (const struct template_conf *o = c->sg->templates; o < t; o++)
		if (same_peers(o, t))
			object_error(c->r, t, NULL, "peer template \"%s\" is for the same peers: see line %u",
				shown(o->asp.name), reader_file_line(c->r, o, NULL));
}

/* ---- telling ASPs apart ---- */

struct remote {
	uint8_t key[16]; /* the address; IPv4 as mapped */
	const struct asp_conf *asp;
};

static void remote_key(uint8_t key[16], const union tp_addr *a)
{
	static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff};

	if (is_v6(a)) {
		memcpy(key, &a->in6.sin6_addr, 16);
	} else {
		memcpy(key, mapped, 12);
		memcpy(key + 12, &a->in.sin_addr, 4);
	}
}

/* Whether the addresses are all that there is to tell them apart by. */
static int by_identity(const struct remote *x, const struct remote *y)
{
	int d = memcmp(x->key, y->key, 16);

	if (!d)
		d = x->asp->side - y->asp->side;
	if (!d)
		d = x->asp->tp.remote_port - y->asp->tp.remote_port;
	if (!d)
		d = x->asp->tp.local_port - y->asp->tp.local_port;
	return d;
}

static int by_identity_and_place(const void *va, const void *vb)
{
	const struct remote *x = va, *y = vb;
	int d = by_identity(x, y);

	return d ? d : (x->asp > y->asp) - (x->asp < y->asp);
}

static bool cannot_be_told_apart(const struct asp_conf *a, const struct asp_conf *b)
{
	if (a->side == ASP_CLIENT) /* several connections to one server differ by their local ports */
		return a->tp.local_port && share_local_address(&a->tp, &b->tp) &&
		       same_port_space(&a->tp, &b->tp);
	return !a->listener || !b->listener || !strcmp(a->listener, b->listener);
}

/* Reports B once, at the first ASP before it that has its address and port. Without a port the first peer
 * that comes takes the first place (m3ua/peer.c): lawful, for ASPs that are all alike. */
static void check_identity(struct check *c, const struct remote *first, const struct remote *b)
{
	const struct asp_conf *asp = b->asp;

	for (const struct remote *a = first; a < b; a++) {
		unsigned line;

		if (a->asp == asp || !cannot_be_told_apart(a->asp, asp))
			continue;
		line = reader_file_line(c->r, a->asp, NULL);
		if (asp->side == ASP_SERVER && !asp->tp.remote_port)
			object_warn(c->r, asp, "remote-addresses",
				"ASP \"%s\" has the address of \"%s\" (line %u), and neither has a "
				"remote-port: who comes "
				"first is the first",
				shown(asp->name), shown(a->asp->name), line);
		else
			object_error(c->r, asp, "remote-addresses",
				"ASP \"%s\" cannot be told apart from \"%s\" (line %u): same address and "
				"port",
				shown(asp->name), shown(a->asp->name), line);
		return;
	}
}

static void check_identities(struct check *c)
{
	const struct sg_conf *sg = c->sg;
	struct remote *all = talloc_array(NULL, struct remote, sg->n_asps * TP_MAX_ADDRS + 1);
	unsigned n = 0, first = 0;

	for (unsigned i = 0; i < sg->n_asps; i++)
		for (unsigned k = 0; k < sg->asps[i].tp.n_remote; k++) {
			all[n].asp = &sg->asps[i];
			remote_key(all[n++].key, &sg->asps[i].tp.remote[k]);
		}
	qsort(all, n, sizeof(*all), by_identity_and_place);
	for (unsigned i = 1; i < n; i++) {
		if (by_identity(&all[i - 1], &all[i]))
			first = i;
		check_identity(c, &all[first], &all[i]);
	}
	talloc_free(all);
}

void check_associations(struct check *c)
{
	check_params(c, c->r->conf, &c->r->conf->sctp);
	for (unsigned i = 0; i < c->sg->n_listeners; i++)
		check_listener(c, &c->sg->listeners[i]);
	for (unsigned i = 0; i < c->sg->n_asps; i++)
		check_asp(c, &c->sg->asps[i]);
	check_identities(c);
	for (unsigned i = 0; i < c->sg->n_templates; i++)
		check_template(c, &c->sg->templates[i]);
}
