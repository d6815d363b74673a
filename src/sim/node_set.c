/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A signalling point with a linkset to each of several neighbours, such as the two STPs of a mated pair: a
 * combined linkset (Q.704 s.2.3.2). Towards its neighbour each linkset is a node; here they share the
 * traffic. */
#include "sim/node.h"

void node_join(struct node *main, struct node *n)
{
	struct node **last = &main->next;

	while (*last)
		last = &(*last)->next;
	*last = n;
	n->main = main;
}

static bool prohibits(const struct node *n, uint32_t dpc)
{
	for (unsigned d = 0; d < n->n_dests; d++)
		if (n->dest[d].pc == dpc)
			return n->dest[d].heard == NODE_PROHIBITED;
	return false;
}

static bool usable(const struct node *n, uint32_t dpc)
{
	return n->restart == RESTART_DONE && node_available(n) && !prohibits(n, dpc);
}

bool node_reaches(const struct node *main, uint32_t dpc)
{
	for (const struct node *n = main; n; n = n->next)
		if (usable(n, dpc))
			return true;
	return false;
}

/* The I-th of those that reach DPC, counted round; NULL: there is none. */
static struct node *pick(struct node *main, uint32_t dpc, unsigned i)
{
	unsigned count = 0;

	for (struct node *n = main; n; n = n->next)
		count += usable(n, dpc);
	if (!count)
		return NULL;
	i %= count;
	for (struct node *n = main; n; n = n->next)
		if (usable(n, dpc) && !i--)
			return n;
	return NULL;
}

/* The linkset that is this SLS's when all work, else one of those that do. */
static struct node *preferred(struct node *main, uint32_t dpc, uint8_t sls)
{
	struct node *own = main;
	unsigned count = 0, i;

	for (const struct node *n = main; n; n = n->next)
		count++;
	for (i = sls % count; i; i--)
		own = own->next;
	return usable(own, dpc) ? own : pick(main, dpc, sls / count);
}

struct link *node_way(struct node *main, uint32_t dpc, uint8_t sls, struct node_via *via, uint64_t now,
	uint64_t divert_ns, uint64_t *wake_ns)
{
	struct node *n = main->next ? preferred(main, dpc, sls) : main;
	struct link *l;

	if (!n)
		return NULL;
	if (via->node && via->node != n && now < via->sent_ns + divert_ns) {
		if (via->sent_ns + divert_ns < *wake_ns)
			*wake_ns = via->sent_ns + divert_ns;
		return NULL;
	}
	l = node_sender(n, sls);
	if (l)
		*via = (struct node_via){n, now};
	return l;
}
