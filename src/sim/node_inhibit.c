/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Management inhibiting (Q.704 s.10): ours to order, the neighbour's as it asks. User traffic leaves a link
 * that either has inhibited; tests and the messages of level 3 go on. */
#include "sim/node.h"

/* ---- ours ---- */

static void ask(struct node *n, unsigned i, enum snm_id id)
{
	struct node_link *l3 = &n->l3[i];
	struct snm m = {.id = (uint8_t)id, .slc = l3->link->slc};
	struct link *over = node_other(n, NODE_NOBODY);

	if (!over && link_in_service(l3->link)) /* s.10.3.1 a: over the link itself, if there is no other */
		over = l3->link;
	if (!over)
		return;
	l3->asked = (uint8_t)id;
	node_send_snm(n, over, &m);
	link_arm(l3->link, &l3->t_inh, (double)n->conf->t14_ns * 1e-9);
}

static void answered(struct node *n, struct node_link *l3)
{
	l3->asked = SNM_IDS;
	l3->again = false;
	ev_timer_stop(n->env->tp->ev, &l3->t_inh);
}

/* T12, T14: once more, then all stays as it was (s.10.2 g, 10.3.1 e). */
static void on_inh(struct ev_loop *loop, struct ev_timer *w, int revents)
{
	struct node_link *l3 = w->data;
	struct node *n = l3->link->node;

	(void)loop;
	(void)revents;
	if (!l3->again) {
		l3->again = true;
		ask(n, l3->link->index, (enum snm_id)l3->asked);
		return;
	}
	n->c[NODE_C_INH_UNANSWERED]++;
	answered(n, l3);
}

/* No destination may be lost by it (s.10.2). */
static bool is_last(const struct node *n, const struct node_link *l3)
{
	return l3->available && node_available(n) == 1;
}

void node_inhibit(struct node *n, unsigned i, bool on)
{
	struct node_link *l3 = &n->l3[i];

	if (l3->asked != SNM_IDS || l3->inhibits == on)
		return;
	if (on && is_last(n, l3))
		n->c[NODE_C_DENIED]++;
	else
		ask(n, i, on ? SNM_LIN : SNM_LUN);
}

static void set(struct node *n, struct node_link *l3, bool on)
{
	answered(n, l3);
	l3->inhibits = on;
	n->c[NODE_C_INHIBITED] += on;
	node_look(n, l3->link->index);
}

/* ---- the neighbour's ---- */

static void asked_to_inhibit(struct node *n, unsigned i, struct node_link *l3, const struct snm *m)
{
	bool last = is_last(n, l3);

	node_answer(n, i, last ? SNM_LID : SNM_LIA, m);
	if (last)
		return;
	l3->inhibited = true;
	node_look(n, l3->link->index);
}

static void asked_to_uninhibit(struct node *n, unsigned i, struct node_link *l3, const struct snm *m)
{
	node_answer(n, i, SNM_LUA, m);
	l3->inhibited = false;
	node_look(n, l3->link->index);
}

void node_got_inhibit(struct node *n, unsigned i, const struct snm *m)
{
	struct node_link *l3 = node_about(n, m->slc);

	if (!l3)
		return;
	switch (m->id) {
	case SNM_LIN: asked_to_inhibit(n, i, l3, m); break;
	case SNM_LUN: asked_to_uninhibit(n, i, l3, m); break;
	case SNM_LIA:
		if (l3->asked == SNM_LIN)
			set(n, l3, true);
		break;
	case SNM_LUA:
		if (l3->asked == SNM_LUN)
			set(n, l3, false);
		break;
	case SNM_LID:
		if (l3->asked == SNM_LIN) {
			n->c[NODE_C_DENIED]++;
			answered(n, l3);
		}
		break;
	case SNM_LFU: /* s.10.3.2 d, 10.4 c */
		if (l3->inhibits)
			node_inhibit(n, l3->link->index, false);
		else
			node_answer(n, i, SNM_LUN, m);
		break;
	case SNM_LLT: /* s.10.6.1 */
		if (!l3->inhibited)
			node_answer(n, i, SNM_LFU, m);
		break;
	case SNM_LRT: /* s.10.6.2 */
		if (!l3->inhibits)
			node_answer(n, i, SNM_LUN, m);
		break;
	default: break;
	}
}

/* ---- life ---- */

void node_inhibit_init(struct node *n, unsigned i)
{
	n->l3[i].asked = SNM_IDS;
	ev_init(&n->l3[i].t_inh, on_inh);
	n->l3[i].t_inh.data = &n->l3[i];
}

void node_inhibit_stop(struct node *n, unsigned i)
{
	answered(n, &n->l3[i]);
}
