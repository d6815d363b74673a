/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "mtp3/out.h"

enum { PRIORITY_OF_MANAGEMENT = 3 }; /* s.2.3.5.1: the highest, where there are priorities */

static uint8_t priority(const struct mtp3_net *n)
{
	bool some = n->conf->variant == PC_ANSI || n->conf->congestion == MTP3_CONG_PRIORITIES;

	return some ? PRIORITY_OF_MANAGEMENT : 0;
}

static struct mtp3_label label_to(const struct mtp3_linkset *ls)
{
	return (struct mtp3_label){.opc = ls->conf->local,
		.dpc = ls->conf->adjacent,
		.ni = ls->net->conf->ni,
		.mp = priority(ls->net)};
}

static bool write(
	struct mtp3_net *n, uint8_t *buf, struct mtp3_label *label, const struct snm *m, uint32_t *len)
{
	enum mtp3_fault f = snm_write(buf, SNM_MAX, n->conf->variant, label, m, len);

	label->si = snm_rules[m->id].si;
	if (f == MTP3_OK) {
		n->stats.tx[m->id]++;
		return true;
	}
	n->stats.faults[f]++;
	LOGP(DROUTE, LOGL_ERROR, "network %s: %s not sent: %s\n", n->conf->name, snm_name(m->id),
		mtp3_fault_name(f));
	return false;
}

bool out_on_link(struct mtp3_link *l, const struct snm *m)
{
	return out_in_service(l, snm_rules[m->id].si, m);
}

bool out_in_service(struct mtp3_link *l, uint8_t si, const struct snm *m)
{
	struct mtp3_label label = label_to(l->ls);
	uint8_t buf[SNM_MAX];
	uint32_t len;

	label.si = si;
	if (!write(l->ls->net, buf, &label, m, &len))
		return false;
	ops_of(l->ls->net)->link_send(l, buf, len);
	return true;
}

/* An available link; else one that works but is inhibited: that keeps user traffic away (s.10.1), and a
 * changeover message over it is better than none. */
static struct mtp3_link *other_link(const struct mtp3_linkset *ls, const struct mtp3_link *except)
{
	struct mtp3_link *inhibited = NULL;

	for (unsigned i = 0; i < MTP3_LINKS; i++) {
		struct mtp3_link *l = ls->links[i];

		if (!l || l == except)
			continue;
		if (l->available)
			return l;
		if (l->state == LINK_ACTIVE && !l->remote_outage && !l->local_outage)
			inhibited = l;
	}
	return inhibited;
}

bool out_reaches(const struct mtp3_linkset *ls, const struct mtp3_link *except)
{
	return other_link(ls, except) || ops_of(ls->net)->reaches(ls->net, ls->conf->adjacent, ls);
}

/* What is about no link keeps to one as long as that is available: if the two took different links, a TFA
 * could be overtaken by the TFP before it (s.2.3.4.1, note). */
static struct mtp3_link *usual_link(struct mtp3_linkset *ls)
{
	struct mtp3_link *l = ls->links[ls->usual_slc];

	if (l && l->available)
		return l;
	l = other_link(ls, NULL);
	if (l)
		ls->usual_slc = l->conf->slc;
	return l;
}

bool out_to_neighbour(struct mtp3_linkset *ls, const struct mtp3_link *except, const struct snm *m)
{
	struct mtp3_link *l = except ? other_link(ls, except) : usual_link(ls);
	struct mtp3_label label = label_to(ls);
	uint8_t buf[SNM_MAX];
	uint32_t len;

	if (l)
		return out_on_link(l, m);
	if (!out_reaches(ls, except) || !write(ls->net, buf, &label, m, &len))
		return false;
	return ops_of(ls->net)->route_send(ls->net, &label, buf, len, ls);
}

bool out_routed(struct mtp3_net *n, uint32_t opc, uint32_t pc, uint8_t mp, const struct snm *m)
{
	struct mtp3_label label = {.opc = opc, .dpc = pc, .ni = n->conf->ni, .mp = mp};
	uint8_t buf[SNM_MAX];
	uint32_t len;

	return write(n, buf, &label, m, &len) && ops_of(n)->route_send(n, &label, buf, len, NULL);
}
