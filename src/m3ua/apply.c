/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From one configuration to the next: what is gone goes, what stays is pointed at its new row, what is new
 * comes. Associations of ASPs that stay are not touched. */
#include <string.h>
#include <talloc.h>

#include "base/log.h"
#include "m3ua/guest.h"
#include "m3ua/peer.h"
#include "m3ua/rkm.h"
#include "m3ua/sg_int.h"
#include "m3ua/sg_table.h"

/* ---- networks ---- */

static void network_add(struct sg *sg, const struct network_conf *c)
{
	struct sg_network *n = talloc_zero(sg->ctx, struct sg_network);
	unsigned i = 0;

	while (i < SG_MAX_NETWORKS && sg->by_index[i])
		i++;
	if (!n || i == SG_MAX_NETWORKS) {
		LOGP(DMAIN, LOGL_ERROR, "network %s: more than %d networks\n", c->name, SG_MAX_NETWORKS);
		talloc_free(n);
		return;
	}
	n->name = talloc_strdup(n, c->name);
	n->conf = c;
	n->index = (uint16_t)i;
	sg->by_index[i] = n;
	llist_add_tail(&n->entry, &sg->networks);
}

static void network_remove(struct sg *sg, struct sg_network *n)
{
	struct as *as;

	llist_for_each_entry (as, &sg->ass, entry)
		if (as->network == n)
			as->network = NULL;
	router_forget_network(sg->router, n->index);
	sg->by_index[n->index] = NULL;
	llist_del(&n->entry);
	talloc_free(n);
}

/* ---- listeners ---- */

static void listener_open(struct sg *sg, const struct listener_conf *c)
{
	struct sg_listener *l = talloc_zero(sg->ctx, struct sg_listener);

	if (!l)
		return;
	l->sg = sg;
	l->conf = c;
	l->name = talloc_strdup(l, c->name);
	l->ls = plane_listen(sg->plane, c->name, &c->tp, l);
	if (!l->ls) {
		OSMO_STRLCPY_ARRAY(l->reason, "the transport cannot run here");
		LOGP(DSCTP, LOGL_ERROR, "listener %s: cannot be opened\n", c->name);
	}
	llist_add_tail(&l->entry, &sg->listeners);
}

static void listener_close(struct sg_listener *l)
{
	if (l->ls)
		plane_unlisten(l->ls);
	llist_del(&l->entry);
	talloc_free(l);
}

/* The addresses of ASPs that may come to L; false: anybody may, for some ASP has no address, or there are
 * templates. */
static bool permitted(struct sg *sg, const struct sg_listener *l, union tp_addr *out, unsigned *n)
{
	struct sg_template *t;
	struct asp *asp;

	*n = 0;
	llist_for_each_entry (t, &sg->templates, entry)
		if (!t->conf->asp.listener || !strcmp(t->conf->asp.listener, l->name))
			return false;
	llist_for_each_entry (asp, &sg->asps, entry) {
		const struct asp_conf *c = asp->conf;

		if (c->side != ASP_SERVER || (c->listener && strcmp(c->listener, l->name) != 0))
			continue;
		if (!c->tp.n_remote)
			return false;
		for (unsigned i = 0; i < c->tp.n_remote; i++) {
			if (tp_addr_is_any(&c->tp.remote[i]))
				return false;
			out[(*n)++] = c->tp.remote[i];
		}
	}
	return true;
}

/* Those of others, behind the N that are there: how many. */
static unsigned permitted_others(
	struct sg *sg, const struct sg_listener *l, union tp_addr **addrs, unsigned n)
{
	unsigned more = sg->others ? sg->others->permit(sg->others_arg, l->name, NULL, 0) : 0;
	union tp_addr *v = more ? talloc_realloc(sg->ctx, *addrs, union tp_addr, n + more + 1) : NULL;

	if (!v)
		return 0;
	*addrs = v;
	return sg->others->permit(sg->others_arg, l->name, v + n, more);
}

static bool anybody(const union tp_addr *addrs, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (tp_addr_is_any(&addrs[i]))
			return true;
	return false;
}

void sg_permit_peers(struct sg *sg)
{
	union tp_addr *addrs =
		talloc_array(sg->ctx, union tp_addr, (unsigned)llist_count(&sg->asps) * TP_MAX_ADDRS + 1);
	struct sg_listener *l;
	unsigned n;

	if (!addrs)
		return;
	llist_for_each_entry (l, &sg->listeners, entry) {
		bool listed = permitted(sg, l, addrs, &n);
		unsigned more = permitted_others(sg, l, &addrs, n);

		n = listed && !anybody(addrs + n, more) ? n + more : 0;
		if (l->ls && listener_permit(l->ls, addrs, n) != SB_OK)
			LOGP(DSCTP, LOGL_ERROR, "listener %s: the list of permitted peers could not be set\n",
				l->name);
	}
	talloc_free(addrs);
}

/* ---- the difference ---- */

static void remove_by_name(struct sg *sg, enum sg_object object, const char *name)
{
	struct sg_network *n;
	struct sg_listener *l;
	struct asp *asp;
	struct as *as;

	switch (object) {
	case SG_NETWORK:
		if ((n = sg_network_by_name(sg, name)))
			network_remove(sg, n);
		break;
	case SG_LISTENER:
		if ((l = sg_listener_by_name(sg, name)))
			listener_close(l);
		break;
	case SG_ASP:
		if ((asp = sg_asp_by_name(sg, name)))
			asp_remove(asp);
		break;
	case SG_AS:
		if ((as = sg_as_by_name(sg, name)))
			as_remove(as);
		break;
	case SG_LINK:          /* ss7/ */
	case SG_LINKSET:       /* ss7/ */
	case SG_TEMPLATE:      /* its peers are looked at again: guest.c */
	case SG_ROUTES: break; /* all are set anew */
	}
}

/* ASs first: while its ASPs are there they can be told. */
static void remove_all(struct sg *sg, const struct sg_change *changes, unsigned n)
{
	static const enum sg_object order[] = {SG_AS, SG_ASP, SG_LISTENER, SG_NETWORK};

	for (unsigned o = 0; o < 4; o++)
		for (unsigned i = 0; i < n; i++)
			if (changes[i].object == order[o] &&
				(changes[i].op == SG_REMOVE || changes[i].op == SG_REPLACE))
				remove_by_name(sg, changes[i].object, changes[i].name);
}

static void apply_networks(struct sg *sg)
{
	for (unsigned i = 0; i < sg->conf->n_networks; i++) {
		const struct network_conf *c = &sg->conf->networks[i];
		struct sg_network *n = sg_network_by_name(sg, c->name);

		if (n)
			n->conf = c;
		else
			network_add(sg, c);
	}
}

static void apply_listeners(struct sg *sg)
{
	for (unsigned i = 0; i < sg->conf->n_listeners; i++) {
		const struct listener_conf *c = &sg->conf->listeners[i];
		struct sg_listener *l = sg_listener_by_name(sg, c->name);

		if (l)
			l->conf = c;
		else
			listener_open(sg, c);
	}
}

static void apply_asps(struct sg *sg)
{
	for (unsigned i = 0; i < sg->conf->n_asps; i++) {
		const struct asp_conf *c = &sg->conf->asps[i];
		struct asp *asp = sg_asp_by_name(sg, c->name);

		if (asp)
			asp_reconfigure(asp, c);
		else
			asp_new(sg, c);
	}
}

static void apply_ass(struct sg *sg)
{
	for (unsigned i = 0; i < sg->conf->n_ass; i++) {
		const struct as_conf *c = &sg->conf->ass[i];
		struct as *as = sg_as_by_name(sg, c->name);

		if (as && as->dynamic) { /* the configuration claims the name */
			rkm_as_remove(as, "the configuration uses its name");
			as = NULL;
		}
		if (!as)
			as = as_new(sg, c);
		if (as)
			as_reconfigure(as, c);
	}
}

void sg_apply(struct sg *sg, const struct sg_conf *conf, const struct sg_change *changes, unsigned n_changes)
{
	struct asp *asp;

	if (sg->leave.on) /* too late for a reload */
		return;
	sg->out.hold = false;
	rkm_apply_begin(sg);
	remove_all(sg, changes, n_changes);
	sg->conf = conf;
	apply_networks(sg);
	apply_asps(sg);
	apply_ass(sg);
	rkm_apply_end(sg);
	llist_for_each_entry (asp, &sg->asps, entry)
		asp_index(asp);
	table_routes_changed(sg);
	sg_settle(sg);
	/* Peers come last: what they may ask for is there. */
	peer_index(sg);
	guest_apply(sg);
	apply_listeners(sg);
	sg_permit_peers(sg);
	llist_for_each_entry (asp, &sg->asps, entry)
		if (asp->conf->side == ASP_CLIENT && !asp->assoc &&
			!osmo_timer_pending(&asp->reconnect_timer))
			asp_connect(asp);
	sg_settle(sg);
}
