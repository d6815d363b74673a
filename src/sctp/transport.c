/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of transports, and the choice between them. */
#include "sctp/transport.h"

#include <stdio.h>

static const struct {
	const char *name;
	const struct tp_ops *ops;
} kinds[TP_KINDS] = {
	[TP_AUTO] = {"auto", NULL},
	[TP_KERNEL] = {"kernel", &tp_kernel},
	[TP_EMBEDDED] = {"embedded", &tp_embedded},
	[TP_TCP] = {"tcp", &tp_tcp},
	[TP_MEM] = {"mem", &tp_mem},
};

const char *tp_kind_name(enum tp_kind kind)
{
	return (unsigned)kind < TP_KINDS ? kinds[kind].name : "?";
}

static const struct tp_ops *select_auto(char *why, size_t n)
{
	char kernel[TP_REASON], embedded[TP_REASON];

	if (tp_kernel.available(kernel, sizeof(kernel))) {
		snprintf(why, n, "kernel: SCTP is there");
		return &tp_kernel;
	}
	if (tp_embedded.available(embedded, sizeof(embedded))) {
		snprintf(why, n, "embedded: %s", kernel);
		return &tp_embedded;
	}
	snprintf(why, n, "neither: %s; %s", kernel, embedded);
	return NULL;
}

const struct tp_ops *tp_select(enum tp_kind kind, char *why, size_t n)
{
	char text[TP_REASON], scratch[TP_REASON];

	if (!why) {
		why = scratch;
		n = sizeof(scratch);
	}
	if (kind == TP_AUTO)
		return select_auto(why, n);
	if ((unsigned)kind >= TP_KINDS) {
		snprintf(why, n, "no such transport");
		return NULL;
	}
	if (!kinds[kind].ops->available(text, sizeof(text))) {
		snprintf(why, n, "%s: %s", kinds[kind].name, text);
		return NULL;
	}
	snprintf(why, n, "%s: as configured", kinds[kind].name);
	return kinds[kind].ops;
}

void tp_loop_fini(struct tp_loop *l)
{
	for (unsigned k = 0; k < TP_KINDS; k++)
		if (l->priv[k] && kinds[k].ops && kinds[k].ops->loop_fini)
			kinds[k].ops->loop_fini(l);
}

static bool address_matches(const struct tp_params *p, const struct tp_incoming *in, bool *any)
{
	*any = p->n_remote == 0;
	for (unsigned i = 0; i < p->n_remote; i++) {
		if (tp_addr_is_any(&p->remote[i])) {
			*any = true;
			continue;
		}
		for (unsigned k = 0; k < in->n_addrs; k++)
			if (tp_addr_same(&p->remote[i], &in->addrs[k])) {
				*any = false;
				return true;
			}
	}
	return *any;
}

unsigned tp_incoming_score(const struct tp_params *p, const struct tp_incoming *in)
{
	bool any;

	if (p->remote_port && p->remote_port != in->remote_port)
		return 0;
	if (!address_matches(p, in, &any))
		return 0;
	return 1 + (any ? 0 : 4) + (p->remote_port ? 2 : 0);
}
