/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "m3ua/guest.h"

#include <string.h>
#include <talloc.h>

#include "base/log.h"
#include "m3ua/peer.h"
#include "m3ua/sg_int.h"
#include "sctp/addr.h"

struct guest {
	struct guest *next; /* in a slot of sg.guests */
	struct asp *asp;
	struct asp_conf *conf; /* its own copy of the template's, replaced at a reload */
	struct sg_template *template;
	char *listener;
	struct tp_incoming peer; /* addresses and port only */
};

/* ---- prefixes ---- */

static unsigned octets(const union tp_addr *a, const uint8_t **at)
{
	if (a->sa.sa_family == AF_INET) {
		*at = (const uint8_t *)&a->in.sin_addr;
		return 4;
	}
	*at = (const uint8_t *)&a->in6.sin6_addr;
	return 16;
}

bool ip_prefix_has(const struct ip_prefix *p, const union tp_addr *a)
{
	union tp_addr plain = *a;
	const uint8_t *x, *y;
	unsigned whole = p->len / 8, rest = p->len % 8;

	tp_addr_unmap(&plain);
	if (octets(&p->addr, &x) != octets(&plain, &y) || memcmp(x, y, whole) != 0)
		return false;
	return !rest || (x[whole] ^ y[whole]) >> (8 - rest) == 0;
}

bool ip_prefix_is_clean(const struct ip_prefix *p)
{
	const uint8_t *x;
	unsigned n = octets(&p->addr, &x);

	for (unsigned i = p->len; i < 8 * n; i++)
		if (x[i / 8] & 0x80 >> i % 8)
			return false;
	return true;
}

/* ---- templates ---- */

static bool fits(const struct template_conf *t, const char *listener, const struct tp_incoming *in)
{
	if (t->asp.listener && strcmp(t->asp.listener, listener) != 0)
		return false;
	if (in->remote_port < t->port_first || in->remote_port > t->port_last)
		return false;
	for (unsigned i = 0; i < in->n_addrs; i++)
		if (ip_prefix_has(&t->prefix, &in->addrs[i]))
			return true;
	return false;
}

/* The longest prefix; of equals the first in the file. */
static struct sg_template *choose(struct sg *sg, const char *listener, const struct tp_incoming *in)
{
	struct sg_template *t, *best = NULL;

	llist_for_each_entry (t, &sg->templates, entry)
		if (t->conf && fits(t->conf, listener, in) &&
			(!best || t->conf->prefix.len > best->conf->prefix.len))
			best = t;
	return best;
}

static struct sg_template *template_by_name(struct sg *sg, const char *name)
{
	struct sg_template *t;

	llist_for_each_entry (t, &sg->templates, entry)
		if (!strcmp(t->name, name))
			return t;
	return NULL;
}

static void template_add(struct sg *sg, const struct template_conf *conf)
{
	struct sg_template *t = talloc_zero(sg, struct sg_template);

	if (!t)
		return;
	t->conf = conf;
	t->name = talloc_strdup(t, conf->asp.name);
	llist_add_tail(&t->entry, &sg->templates);
}

const struct sg_template *guest_template(const struct asp *asp)
{
	return asp->guest ? asp->guest->template : NULL;
}

/* ---- guests ---- */

static struct guest **slot(struct sg *sg, const union tp_addr *addr, uint16_t port)
{
	union tp_addr plain = *addr;
	const uint8_t *v;
	uint32_t hash = port;

	tp_addr_unmap(&plain);
	for (unsigned n = octets(&plain, &v); n; n--)
		hash = hash * 31 + *v++;
	return &sg->guests[hash % SG_GUEST_SLOTS];
}

static struct guest *find(struct sg *sg, const struct tp_incoming *in)
{
	for (struct guest *g = *slot(sg, &in->addrs[0], in->remote_port); g; g = g->next)
		if (g->peer.remote_port == in->remote_port && tp_addr_same(&g->peer.addrs[0], &in->addrs[0]))
			return g;
	return NULL;
}

/* NAME-ADDRESS:PORT, which no configured ASP can have for its colon. */
static struct asp_conf *conf_for(struct guest *g, const struct sg_template *t)
{
	struct asp_conf *c = talloc_memdup(g, &t->conf->asp, sizeof(*c));
	char addr[TP_ADDR_STR];

	if (!c)
		return NULL;
	c->name = talloc_asprintf(c, "%s-%s:%u", t->name, tp_addr_str(&g->peer.addrs[0], addr, sizeof(addr)),
		g->peer.remote_port);
	c->tp.n_remote = 1;
	c->tp.remote[0] = g->peer.addrs[0];
	c->tp.remote_port = g->peer.remote_port;
	if (c->name)
		return c;
	talloc_free(c);
	return NULL;
}

static struct guest *guest_new(
	struct sg *sg, const char *listener, const struct tp_incoming *in, struct sg_template *t)
{
	struct guest *g = talloc_zero(sg, struct guest), **at = slot(sg, &in->addrs[0], in->remote_port);

	if (!g)
		return NULL;
	g->template = t;
	g->peer = *in;
	g->listener = talloc_strdup(g, listener);
	g->conf = conf_for(g, t);
	g->asp = g->listener && g->conf ? asp_new(sg, g->conf) : NULL;
	if (!g->asp) {
		talloc_free(g);
		return NULL;
	}
	g->asp->reason = "admitted by a template";
	g->asp->guest = g;
	g->next = *at;
	*at = g;
	t->peers++;
	return g;
}

struct asp *guest_admit(
	struct sg *sg, const struct sg_listener *l, const struct tp_incoming *in, const char **why)
{
	struct sg_template *t = in->n_addrs ? choose(sg, l->name, in) : NULL;
	struct guest *g = t ? find(sg, in) : NULL;

	*why = "no asp has this address, and no template admits it";
	if (!t)
		return NULL;
	if (!g && t->peers >= t->conf->max_peers) {
		*why = "its template has max-peers already";
		t->refused++;
		return NULL;
	}
	if (!g)
		g = guest_new(sg, l->name, in, t);
	if (!g) {
		*why = "no memory";
		return NULL;
	}
	t->admitted++;
	return g->asp;
}

void guest_leave(struct asp *asp)
{
	struct guest *g = asp->guest, **at;

	if (!g)
		return;
	at = slot(asp->sg, &g->peer.addrs[0], g->peer.remote_port);
	while (*at != g)
		at = &(*at)->next;
	*at = g->next;
	g->template->peers--;
	asp_remove(asp);
	talloc_free(g);
}

/* ---- a new configuration ---- */

static void look_again(struct sg *sg, struct guest *g)
{
	struct sg_template *t = choose(sg, g->listener, &g->peer);
	struct asp_conf *old = g->conf, *conf;

	if (t != g->template || peer_find(sg, g->listener, &g->peer) || !(conf = conf_for(g, t))) {
		LOGP(DASP, LOGL_NOTICE, "asp %s: not admitted by the new configuration\n", g->asp->name);
		guest_leave(g->asp);
		return;
	}
	g->conf = conf;
	asp_reconfigure(g->asp, conf);
	talloc_free(old);
}

void guest_apply(struct sg *sg)
{
	struct sg_template *t, *next_t;
	struct asp *asp, *next;

	llist_for_each_entry (t, &sg->templates, entry)
		t->conf = NULL;
	for (unsigned i = 0; i < sg->conf->n_templates; i++) {
		const struct template_conf *c = &sg->conf->templates[i];

		if ((t = template_by_name(sg, c->asp.name)))
			t->conf = c;
		else
			template_add(sg, c);
	}
	llist_for_each_entry_safe (asp, next, &sg->asps, entry)
		if (asp->guest)
			look_again(sg, asp->guest);
	llist_for_each_entry_safe (t, next_t, &sg->templates, entry) {
		if (t->conf)
			continue;
		llist_del(&t->entry);
		talloc_free(t);
	}
}
