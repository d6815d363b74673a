/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What comes for our own point codes (HMDC, HMDT): one table says who takes which message, and which ones a
 * restarting MTP still takes (Q.704 s.9.6.6). */
#include "mtp3/adjacent.h"
#include "mtp3/changeback.h"
#include "mtp3/changeover.h"
#include "mtp3/congestion.h"
#include "mtp3/inhibit.h"
#include "mtp3/out.h"
#include "mtp3/restart.h"
#include "mtp3/route_test.h"
#include "mtp3/slt.h"
#include "mtp3/tfx.h"

enum about { ABOUT_LINK, ABOUT_NEIGHBOUR, ABOUT_NETWORK, ABOUT_NOTHING };

struct input_rule {
	uint8_t about;
	bool in_restart;
	bool elsewhere; /* comes on any link but the one it is about (s.2.3.4.2 b) */
	void (*link)(struct mtp3_link *l, const struct snm *m);
	void (*neighbour)(struct mtp3_linkset *ls, const struct snm *m);
	void (*network)(struct mtp3_net *n, uint32_t local, const struct snm *m);
};

/* s.11.2.7.2 */
static void upu(struct mtp3_net *n, uint32_t local, const struct snm *m)
{
	ops_of(n)->user_unavailable(n, local, m->dest, m->user, m->cause);
}

#define OF_LINK(f)                                                                                           \
	{                                                                                                    \
		.about = ABOUT_LINK, .link = (f)                                                             \
	}
#define OF_CHANGEOVER                                                                                        \
	{                                                                                                    \
		.about = ABOUT_LINK, .elsewhere = true, .link = changeover_message                           \
	}
#define OF_NEIGHBOUR(f, in_restart_)                                                                         \
	{                                                                                                    \
		.about = ABOUT_NEIGHBOUR, .in_restart = (in_restart_), .neighbour = (f)                      \
	}
#define OF_NETWORK(f)                                                                                        \
	{                                                                                                    \
		.about = ABOUT_NETWORK, .network = (f)                                                       \
	}
#define UNUSED                                                                                               \
	{                                                                                                    \
		.about = ABOUT_NOTHING                                                                       \
	}

/* clang-format off */
static const struct input_rule rules[SNM_IDS] = {
	[SNM_COO] = OF_CHANGEOVER,
	[SNM_COA] = OF_CHANGEOVER,
	[SNM_XCO] = OF_CHANGEOVER,
	[SNM_XCA] = OF_CHANGEOVER,
	[SNM_CBD] = OF_LINK(changeback_message),
	[SNM_CBA] = OF_LINK(changeback_message),
	[SNM_ECO] = OF_CHANGEOVER,
	[SNM_ECA] = OF_CHANGEOVER,
	[SNM_RCT] = UNUSED, /* s.13.9.6: discarded where it arrives */
	[SNM_TFC] = OF_NETWORK(mtp3_controlled),
	[SNM_TFP] = OF_NEIGHBOUR(route_test_message, true),
	[SNM_TCP] = OF_NEIGHBOUR(route_test_message, true),
	[SNM_TFR] = OF_NEIGHBOUR(route_test_message, true),
	[SNM_TCR] = OF_NEIGHBOUR(route_test_message, true),
	[SNM_TFA] = OF_NEIGHBOUR(route_test_message, true),
	[SNM_TCA] = OF_NEIGHBOUR(route_test_message, true),
	[SNM_RST] = OF_NEIGHBOUR(tfx_tested, false), /* s.9.6.3 */
	[SNM_RSR] = OF_NEIGHBOUR(tfx_tested, false),
	[SNM_RCP] = OF_NEIGHBOUR(tfx_tested, false),
	[SNM_RCR] = OF_NEIGHBOUR(tfx_tested, false),
	[SNM_LIN] = OF_LINK(inhibit_message),
	[SNM_LUN] = OF_LINK(inhibit_message),
	[SNM_LIA] = OF_LINK(inhibit_message),
	[SNM_LUA] = OF_LINK(inhibit_message),
	[SNM_LID] = OF_LINK(inhibit_message),
	[SNM_LFU] = OF_LINK(inhibit_message),
	[SNM_LLT] = OF_LINK(inhibit_message),
	[SNM_LRT] = OF_LINK(inhibit_message),
	[SNM_TRA] = OF_NEIGHBOUR(adjacent_message, true),
	[SNM_TRW] = OF_NEIGHBOUR(adjacent_message, true),
	[SNM_DLC] = UNUSED, /* s.12.6: data links are not switched here */
	[SNM_CSS] = UNUSED,
	[SNM_CNS] = UNUSED,
	[SNM_CNP] = UNUSED,
	[SNM_UPU] = OF_NETWORK(upu),
	[SNM_SLTM] = {.about = ABOUT_LINK, .in_restart = true},
	[SNM_SLTA] = {.about = ABOUT_LINK, .in_restart = true},
};
/* clang-format on */

static struct mtp3_linkset *linkset_to(struct mtp3_net *n, const struct mtp3_label *label)
{
	struct mtp3_linkset *ls;

	llist_for_each_entry (ls, &n->linksets, entry)
		if (ls->conf->adjacent == label->opc && ls->conf->local == label->dpc)
			return ls;
	return NULL;
}

static bool is_own(const struct mtp3_net *n, uint32_t pc)
{
	for (unsigned i = 0; i < n->conf->n_pcs; i++)
		if (n->conf->pcs[i] == pc)
			return true;
	return false;
}

/* Messages about a link, or by a neighbour about a route, may come by any way: the originator says which
 * linkset they are about. */
static void dispatch(
	struct mtp3_net *n, const struct mtp3_label *label, const struct snm *m, const struct mtp3_link *on)
{
	const struct input_rule *r = &rules[m->id];
	struct mtp3_linkset *ls = linkset_to(n, label);

	if (!restart_done(n) && !r->in_restart) {
		n->stats.ignored++;
		return;
	}
	if (r->about == ABOUT_NETWORK)
		r->network(n, label->dpc, m);
	else if (r->about == ABOUT_NEIGHBOUR && ls)
		r->neighbour(ls, m);
	else if (r->elsewhere && ls && ls->links[m->slc] == on)
		changeover_stale(ls->links[m->slc], m);
	else if (r->about == ABOUT_LINK && ls && ls->links[m->slc])
		r->link(ls->links[m->slc], m);
	else
		n->stats.strays += r->about != ABOUT_NOTHING;
}

static void management(struct mtp3_link *l, const uint8_t *msu, uint32_t len)
{
	struct mtp3_net *n = l->ls->net;
	struct mtp3_label label;
	struct snm m;
	enum mtp3_fault f = snm_read(msu, len, n->conf->variant, &label, &m);

	if (f != MTP3_OK) {
		n->stats.faults[f]++;
		return;
	}
	n->stats.rx[m.id]++;
	if (m.id == SNM_SLTM || m.id == SNM_SLTA)
		slt_message(l, &label, &m);
	else
		dispatch(n, &label, &m, l);
}

/* s.2.4.2, 11.2.7.1 */
static void user(struct mtp3_net *n, const struct mtp3_label *label, const uint8_t *msu, uint32_t len)
{
	int cause;

	if (!restart_done(n)) {
		n->stats.ignored++;
		return;
	}
	cause = ops_of(n)->local_user(n, label, msu, len);
	if (cause >= 0)
		mtp3_user_missing(n, label->opc, label->dpc, label->si, (uint8_t)cause);
}

/* s.13.9: meets what traffic meets, and is answered likewise (s.13.7.2). */
static bool is_test_of_congestion(const struct mtp3_net *n, const uint8_t *msu, uint32_t len)
{
	struct mtp3_label label;
	struct snm m;

	return snm_read(msu, len, n->conf->variant, &label, &m) == MTP3_OK && m.id == SNM_RCT;
}

/* As an STP: TFC, UPU, RCT and others on their way to somebody else. */
static void through(struct mtp3_link *l, const struct mtp3_label *label, const uint8_t *msu, uint32_t len)
{
	struct mtp3_net *n = l->ls->net;

	if (!n->conf->transfer)
		n->stats.strays++;
	else if (!restart_done(n)) /* s.9.6.6 */
		n->stats.ignored++;
	else if (!ops_of(n)->route_send(n, label, msu, len, l->ls))
		mtp3_dest_unreachable(l->ls, label->dpc);
	else if (is_test_of_congestion(n, msu, len))
		mtp3_dest_congested(
			n, label->opc, label->dpc, ops_of(n)->dest_congestion(n, label->dpc), label->mp);
}

static bool is_management(uint8_t si, enum pc_variant v)
{
	return si <= MTP3_SI_TEST || (si == MTP3_SI_TEST_SPECIAL && v == PC_ANSI);
}

void mtp3_link_receive(struct mtp3_link *l, const uint8_t *msu, uint32_t len)
{
	struct mtp3_net *n = l->ls->net;
	struct mtp3_label label;

	if (mtp3_head_read(msu, len, n->conf->variant, &label) != MTP3_OK)
		n->stats.faults[MTP3_SHORT]++;
	else if (label.ni != n->conf->ni)
		n->stats.strays++;
	else if (!is_own(n, label.dpc))
		through(l, &label, msu, len);
	else if (is_management(label.si, n->conf->variant))
		management(l, msu, len);
	else
		user(n, &label, msu, len);
	settle(n);
}

/* What was for one link only: its test, a declaration behind its traffic, a plea to uninhibit it. */
static bool is_bound(unsigned id)
{
	return id == SNM_SLTM || id == SNM_SLTA || id == SNM_CBD || id == SNM_LFU;
}

/* The changeover that it belongs to has gone on without it: the link may have been aligned anew. */
static bool is_stale(const struct mtp3_linkset *ls, const struct snm *m)
{
	const struct mtp3_link *about = ls->links[m->slc];

	switch (m->id) {
	case SNM_XCO:
	case SNM_ECO: return !about || about->co != CO_ORDERED;
	case SNM_XCA:
	case SNM_ECA: return !about || about->co == CO_IDLE;
	default: return false;
	}
}

void mtp3_link_returned(struct mtp3_link *l, const uint8_t *msu, uint32_t len)
{
	struct mtp3_linkset *ls = l->ls;
	struct mtp3_net *n = ls->net;
	struct mtp3_label label;
	struct snm m;

	if (snm_read(msu, len, n->conf->variant, &label, &m) != MTP3_OK || is_bound(m.id))
		return;
	if (label.dpc != ls->conf->adjacent || label.opc != ls->conf->local)
		ops_of(n)->route_send(n, &label, msu, len, NULL);
	else if (!is_stale(ls, &m) && !tfx_returned(ls, &m))
		out_to_neighbour(ls, rules[m.id].elsewhere ? ls->links[m.slc] : l, &m);
}

void mtp3_link_lost(struct mtp3_link *l, uint32_t n)
{
	l->c[MTP3_LC_LOST] += n;
}

void mtp3_user_missing(struct mtp3_net *n, uint32_t opc, uint32_t pc, uint8_t user_part, uint8_t cause)
{
	struct snm m = {.id = SNM_UPU, .dest = pc, .user = user_part, .cause = cause};

	out_routed(n, is_own(n, pc) ? pc : n->conf->pcs[0], opc, n->conf->variant == PC_ANSI ? 3 : 0, &m);
	settle(n);
}
