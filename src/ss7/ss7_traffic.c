/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What workers tell of the traffic of links: messages that met congestion on their way, and messages that
 * have no way. Who sent them is told. */
#include "data/plane.h"
#include "ss7/ss7_int.h"

/* ---- congestion ---- */

uint8_t ss7_congestion(const struct ss7_net *n, uint32_t pc)
{
	const struct dest *d = n->network ? dest_match(sg_router(n->ss7->sg), n->network->index, pc) : NULL;

	return d && d->status != DEST_UNAVAILABLE ? d->congestion : 0;
}

bool ss7_is_own(const struct ss7_net *n, uint32_t pc)
{
	for (unsigned i = 0; i < n->conf.n_pcs; i++)
		if (n->conf.pcs[i] == pc)
			return true;
	return false;
}

/* Told to where it came from (Q.704 s.11.2.3, 13.7.2). */
void ss7_traffic_congested(void *user, struct mbuf *m, uint8_t mp)
{
	struct ss7_link *l = user;
	struct ss7_net *n = l->linkset->net;
	struct mtp3_label label;

	if (mtp3_head_read(mbuf_head(m), m->len, n->conf.variant, &label) == MTP3_OK)
		mtp3_dest_congested(n->l3, label.opc, label.dpc, ss7_congestion(n, label.dpc), mp);
	plane_free_mbuf(l->ss7->plane, m);
}

/* ---- nobody ---- */

/* An AS that serves PC is down. */
enum missing { POINT_MISSING, USER_MISSING, NONE_MISSING };

static enum missing missing_at(const struct ss7_net *n, uint32_t pc)
{
	const struct dest *d = n->network ? dest_match(sg_router(n->ss7->sg), n->network->index, pc) : NULL;

	if (ss7_is_own(n, pc))
		return USER_MISSING;
	if (!d || (d->status != DEST_AVAILABLE && d->status != DEST_RESTRICTED))
		return POINT_MISSING;
	return d->n_selectors > 1 && d->n_egresses > 1 ? USER_MISSING : NONE_MISSING;
}

/* An AS is not there, but the point code is: it is ours as well, or another AS serves other users of it
 * (Q.704 s.11.2.7). What has come back since is nothing to complain of. */
static void as_is_down(const struct ss7_link *l, const struct mtp3_label *label)
{
	const struct ss7_net *n = l->linkset->net;

	switch (missing_at(n, label->dpc)) {
	case USER_MISSING:
		mtp3_user_missing(n->l3, label->opc, label->dpc, label->si, UPU_INACCESSIBLE);
		break;
	case POINT_MISSING: mtp3_dest_unreachable(l->linkset->l3, label->dpc); break;
	case NONE_MISSING: break;
	}
}

/* What the workers could not forward (Q.704 s.11.2.7, 13.2.2 iii). */
void ss7_traffic_refused(void *user, struct mbuf *m, enum drop_reason why, uint32_t value)
{
	struct ss7_link *l = user;
	struct ss7_net *n = l->linkset->net;
	struct mtp3_label label;

	(void)value;
	if (mtp3_head_read(mbuf_head(m), m->len, n->conf.variant, &label) != MTP3_OK)
		why = DROP_MALFORMED;
	switch (why) {
	case DROP_NO_USER: /* another user of the point code is there, or the point code is ours as well */
		if (ss7_best_route(n, label.dpc, NULL)) {
			mtp3_user_missing(n->l3, label.opc, label.dpc, label.si, UPU_UNEQUIPPED);
			break;
		}
		/* fall through */
	case DROP_OWN_DPC: mtp3_link_receive(l->l3, mbuf_head(m), m->len); break;
	case DROP_AS_DOWN: as_is_down(l, &label); break;
	case DROP_NO_ROUTE:
	case DROP_LOOP: mtp3_dest_unreachable(l->linkset->l3, label.dpc); break;
	default: break; /* counted */
	}
	plane_free_mbuf(l->ss7->plane, m);
}
