/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an operator can do. */
#include "m2pa/link.h"
#include "ss7/ss7_int.h"

static bool refused(enum sb_err err, const char **why, const char *what)
{
	if (err == SB_OK)
		return true;
	*why = what;
	return false;
}

/* Of the alignment under way, and of the next ones. */
static void emergency(struct ss7_link *l, bool on)
{
	mtp3_link_emergency(l->l3, on);
	m2pa_link_emergency(l->l2, on);
}

/* A link that carries the last traffic of its linkset is put out of service all the same: so Q.704 s.12.2.3
 * has it for an operator, who has inhibited it before if traffic was to move. */
bool ss7_link_operate(struct ss7_link *l, enum ss7_operation op, const char **why)
{
	*why = "";
	l->ss7->due = true;
	switch (op) {
	case SS7_ACTIVATE: mtp3_link_activate(l->l3); return true;
	case SS7_DEACTIVATE: ss7_link_stop(l, THEN_DEACTIVATE); return true;
	case SS7_INHIBIT:
		return refused(mtp3_link_inhibit(l->l3), why, "denied: see its inhibit-reason in show link");
	case SS7_UNINHIBIT:
		return refused(
			mtp3_link_uninhibit(l->l3), why, "denied: see its inhibit-reason in show link");
	case SS7_TEST:
		if (!l->linkset->conf->test)
			return refused(SB_ESTATE, why, "its linkset has no link tests");
		return refused(mtp3_link_test(l->l3), why, "it is not active");
	case SS7_EMERGENCY: emergency(l, true); return true;
	case SS7_EMERGENCY_CLEAR:
		emergency(l, false);
		return refused(l->conf->emergency ? SB_ESTATE : SB_OK, why, "its configuration orders it");
	case SS7_OUTAGE:
		if (!l->in_service)
			return refused(SB_ESTATE, why, "it is not in service");
		mtp3_link_block(l->l3, true);
		return true;
	case SS7_OUTAGE_CLEAR: mtp3_link_block(l->l3, false); return true;
	case SS7_RESTART: m2pa_link_restart(l->l2); return true;
	case SS7_OPERATIONS: break;
	}
	return false;
}

void ss7_linkset_operate(struct ss7_linkset *ls, bool activate)
{
	const char *why;
	struct ss7_link *l;

	llist_for_each_entry (l, &ls->ss7->links, entry)
		if (l->linkset == ls)
			ss7_link_operate(l, activate ? SS7_ACTIVATE : SS7_DEACTIVATE, &why);
}
