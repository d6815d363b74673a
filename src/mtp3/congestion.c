/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Called by the routing layer and input.c. In the international network TFC carries no level and nothing is
 * remembered: it is passed on. */
#include "mtp3/congestion.h"

#include "mtp3/out.h"
#include "mtp3/restart.h"

/* clang-format off */
const struct cg_cell cg_fsm[CG_STATES][GE_EVENTS] = {
	[CG_NONE] = {
		[GE_HIGHER]   = {CG_WAITING, GX_SET}, /* s.13.7.3 */
		[GE_SAME]     = {CG_NONE,    GX_NONE},
		[GE_T15]      = {CG_NONE,    GX_NONE},
		[GE_T16]      = {CG_NONE,    GX_NONE},
		[GE_T16_LAST] = {CG_NONE,    GX_NONE},
		[GE_LOST]     = {CG_NONE,    GX_NONE},
	},
	[CG_WAITING] = {
		[GE_HIGHER]   = {CG_WAITING, GX_SET}, /* s.13.7.4 */
		[GE_SAME]     = {CG_WAITING, GX_NONE},
		[GE_T15]      = {CG_TESTING, GX_TEST}, /* s.13.7.5 */
		[GE_T16]      = {CG_WAITING, GX_NONE},
		[GE_T16_LAST] = {CG_WAITING, GX_NONE},
		[GE_LOST]     = {CG_NONE,    GX_CLEAR},
	},
	[CG_TESTING] = {
		[GE_HIGHER]   = {CG_WAITING, GX_SET}, /* s.13.9.3: "with the value carried" */
		[GE_SAME]     = {CG_WAITING, GX_SET},
		[GE_T15]      = {CG_TESTING, GX_NONE},
		[GE_T16]      = {CG_TESTING, GX_LESS}, /* s.13.9.4 ii */
		[GE_T16_LAST] = {CG_NONE,    GX_CLEAR},
		[GE_LOST]     = {CG_NONE,    GX_CLEAR},
	},
};
/* clang-format on */

static void timer_expired(void *data)
{
	struct memo *d = data;
	struct mtp3_net *n = d->net;
	enum cg_event e = GE_T15;

	if (d->cg == CG_TESTING)
		e = d->level > 1 ? GE_T16 : GE_T16_LAST;
	if (ops_of(n)->dest_status(n, d->node.key.pc, 0, NULL) == MTP3_PROHIBITED) /* s.13.9.4 */
		e = GE_LOST;
	congestion_transition(d, e, 0);
	settle(n);
}

/* s.13.9.2: with a priority one below the level, so that it meets what traffic meets. */
static void test(struct memo *d)
{
	struct mtp3_net *n = d->net;
	struct snm m = {.id = SNM_RCT};

	timer_start(&d->cg_timer, n, MTP3_T16, timer_expired, d);
	out_routed(n, d->node.key.by, d->node.key.pc, (uint8_t)(d->level - 1), &m);
}

static void set(struct memo *d, uint8_t level)
{
	d->level = level;
	ops_of(d->net)->dest_congested(d->net, d->node.key.by, d->node.key.pc, level);
}

void congestion_transition(struct memo *d, enum cg_event e, uint8_t level)
{
	const struct cg_cell *cell = &cg_fsm[d->cg][e];

	d->cg = cell->next;
	switch ((enum cg_action)cell->action) {
	case GX_SET:
		set(d, level);
		timer_start(&d->cg_timer, d->net, MTP3_T15, timer_expired, d);
		break;
	case GX_TEST: test(d); break;
	case GX_LESS:
		set(d, (uint8_t)(d->level - 1));
		test(d);
		break;
	case GX_CLEAR:
		osmo_timer_del(&d->cg_timer);
		set(d, 0);
		memo_release(d);
		break;
	case GX_NONE: break;
	}
}

void mtp3_controlled(struct mtp3_net *n, uint32_t local, const struct snm *m)
{
	struct memo *d;

	if (ops_of(n)->dest_status(n, m->dest, 0, NULL) == MTP3_PROHIBITED) /* s.13.7.6 */
		return;
	if (n->conf->congestion == MTP3_CONG_INTERNATIONAL) {
		ops_of(n)->dest_congested(n, local, m->dest, 1); /* s.11.2.3.2 */
		return;
	}
	d = memo_find(n, (struct pc_key){.pc = m->dest, .by = local}, m->level > 0);
	if (d && !m->level) /* the answer to a test: as good as none */
		congestion_transition(d, GE_T16_LAST, 0);
	else if (d)
		congestion_transition(d, m->level > d->level ? GE_HIGHER : GE_SAME, m->level);
}

/* ---- as an STP ---- */

/* Which messages are answered, the traffic decides (s.11.2.3.1); with priorities, all that are too low
 * (s.13.7.2). */
void mtp3_dest_congested(struct mtp3_net *n, uint32_t opc, uint32_t pc, uint8_t level, uint8_t mp)
{
	struct snm m = {.id = SNM_TFC, .dest = pc};

	if (!level || !restart_done(n) || (n->conf->congestion == MTP3_CONG_PRIORITIES && mp >= level))
		return;
	if (n->conf->congestion != MTP3_CONG_INTERNATIONAL)
		m.level = level & 3;
	out_routed(n, n->conf->pcs[0], opc, n->conf->variant == PC_ANSI ? 3 : 0, &m);
	settle(n);
}
