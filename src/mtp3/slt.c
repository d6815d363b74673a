/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Called by link.c and input.c. A test that fails is repeated once; what a failure means is the link's
 * matter. */
#include "mtp3/slt.h"

#include <string.h>

#include "mtp3/link.h"
#include "mtp3/out.h"

enum { PATTERN_LEN = 8 };

/* clang-format off */
const struct slt_cell slt_fsm[SLT_STATES][SE_EVENTS] = {
	[SLT_IDLE] = {
		[SE_BEGIN] = {SLT_FIRST,  SX_SEND},
		[SE_GOOD]  = {SLT_IDLE,   SX_NONE},
		[SE_WRONG] = {SLT_IDLE,   SX_NONE},
		[SE_T1]    = {SLT_IDLE,   SX_NONE},
		[SE_T2]    = {SLT_IDLE,   SX_NONE},
		[SE_END]   = {SLT_IDLE,   SX_NONE},
	},
	[SLT_FIRST] = {
		[SE_BEGIN] = {SLT_FIRST,  SX_SEND},
		[SE_GOOD]  = {SLT_PAUSE,  SX_PASS},
		[SE_WRONG] = {SLT_SECOND, SX_SEND},
		[SE_T1]    = {SLT_SECOND, SX_SEND},
		[SE_T2]    = {SLT_FIRST,  SX_NONE},
		[SE_END]   = {SLT_IDLE,   SX_STOP},
	},
	[SLT_SECOND] = {
		[SE_BEGIN] = {SLT_FIRST,  SX_SEND},
		[SE_GOOD]  = {SLT_PAUSE,  SX_PASS},
		[SE_WRONG] = {SLT_IDLE,   SX_FAIL},
		[SE_T1]    = {SLT_IDLE,   SX_FAIL},
		[SE_T2]    = {SLT_SECOND, SX_NONE},
		[SE_END]   = {SLT_IDLE,   SX_STOP},
	},
	[SLT_PAUSE] = {
		[SE_BEGIN] = {SLT_FIRST,  SX_SEND},
		[SE_GOOD]  = {SLT_PAUSE,  SX_NONE},
		[SE_WRONG] = {SLT_PAUSE,  SX_NONE},
		[SE_T1]    = {SLT_PAUSE,  SX_NONE},
		[SE_T2]    = {SLT_FIRST,  SX_SEND},
		[SE_END]   = {SLT_IDLE,   SX_STOP},
	},
};
/* clang-format on */

static void timer_expired(void *data)
{
	struct mtp3_link *l = data;
	bool pause = l->slt == SLT_PAUSE;

	if (l->remote_outage || l->local_outage) /* nothing passes, which is no fault of the link */
		timer_start(&l->slt_timer, l->ls->net, pause ? MTP3_SLT_T2 : MTP3_SLT_T1, timer_expired, l);
	else
		slt_transition(l, pause ? SE_T2 : SE_T1);
	settle(l->ls->net);
}

/* A new pattern each time, so that an answer that comes late is not taken for today's. */
static void send(struct mtp3_link *l)
{
	struct mtp3_net *n = l->ls->net;
	struct snm m = {.id = SNM_SLTM, .slc = l->conf->slc, .pattern_len = PATTERN_LEN};
	uint32_t words[2] = {ops_of(n)->random(), (uint32_t)l->c[MTP3_LC_TESTS] + 1};

	mtp3_link_count(l, MTP3_LC_TESTS);
	memcpy(l->pattern, words, sizeof(words));
	memcpy(m.pattern, l->pattern, PATTERN_LEN);
	timer_start(&l->slt_timer, n, MTP3_SLT_T1, timer_expired, l);
	out_on_link(l, &m);
}

void slt_transition(struct mtp3_link *l, enum slt_event e)
{
	const struct slt_cell *cell = &slt_fsm[l->slt][e];

	l->slt = cell->next;
	switch ((enum slt_action)cell->action) {
	case SX_SEND: send(l); break;
	case SX_PASS:
		timer_start(&l->slt_timer, l->ls->net, MTP3_SLT_T2, timer_expired, l);
		link_transition(l, LE_TEST_GOOD, "link test passed");
		break;
	case SX_FAIL:
		osmo_timer_del(&l->slt_timer);
		mtp3_link_count(l, MTP3_LC_TEST_FAILURES);
		link_transition(l, LE_TEST_BAD, "link test failed");
		break;
	case SX_STOP: osmo_timer_del(&l->slt_timer); break;
	case SX_NONE: break;
	}
}

void slt_begin(struct mtp3_link *l)
{
	if (l->ls->conf->test)
		slt_transition(l, SE_BEGIN);
	else
		link_transition(l, LE_TEST_GOOD, "no link test");
}

void slt_end(struct mtp3_link *l)
{
	slt_transition(l, SE_END);
}

/* s.2.2: "on the signalling link identified by the SLS contained in the message"; in ANSI by the service that
 * the neighbour tests with. */
static void answer(struct mtp3_linkset *ls, uint8_t si, const struct snm *m)
{
	struct mtp3_link *l = ls->links[m->slc];
	struct snm a = *m;

	if (!l || (l->state != LINK_TESTING && l->state != LINK_ACTIVE)) {
		ls->net->stats.strays++;
		return;
	}
	a.id = SNM_SLTA;
	out_in_service(l, si, &a);
}

void slt_message(struct mtp3_link *l, const struct mtp3_label *label, const struct snm *m)
{
	bool ours = m->slc == l->conf->slc && label->opc == l->ls->conf->adjacent &&
		    m->pattern_len == PATTERN_LEN && memcmp(m->pattern, l->pattern, PATTERN_LEN) == 0;

	if (m->id == SNM_SLTA)
		slt_transition(l, ours ? SE_GOOD : SE_WRONG);
	else if (label->opc == l->ls->conf->adjacent)
		answer(l->ls, label->si, m);
	else
		l->ls->net->stats.strays++;
}
