/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "console/holder.h"

#include "console/show.h"
#include "m3ua/asp.h"
#include "m3ua/sg.h"
#include "ss7/ss7.h"

static struct holder of_asp(const struct asp *asp)
{
	return (struct holder){.name = asp->conf->name,
		.protocol = "m3ua",
		.assoc = asp->assoc,
		.tp = &asp->conf->tp,
		.client = asp->conf->side == ASP_CLIENT,
		.down_reason = asp->down_reason};
}

static struct holder of_link(const struct ss7_link *l)
{
	struct ss7_link_view v;

	ss7_link_view(l, &v);
	return (struct holder){.name = v.conf->l2.name,
		.protocol = "m2pa",
		.assoc = v.l2.assoc,
		.tp = &v.conf->l2.tp,
		.client = v.conf->l2.side == M2PA_LINK_CLIENT,
		.down_reason = v.l2.down_reason};
}

struct each {
	void (*fn)(void *arg, const struct holder *h);
	void *arg;
};

static void each_link(void *arg, const struct ss7_link *l)
{
	const struct each *e = arg;
	struct holder h = of_link(l);

	e->fn(e->arg, &h);
}

void holder_each(struct show *s, void (*fn)(void *arg, const struct holder *h), void *arg)
{
	struct each e = {fn, arg};
	struct asp *asp;

	llist_for_each_entry (asp, sg_asps(s->sg), entry) {
		struct holder h = of_asp(asp);

		fn(arg, &h);
	}
	ss7_each_link(s->ss7, NULL, each_link, &e);
}

bool holder_find(struct show *s, const char *name, struct holder *out)
{
	const struct asp *asp = sg_asp_by_name(s->sg, name);
	const struct ss7_link *l = asp ? NULL : ss7_link_by_name(s->ss7, name);

	if (asp)
		*out = of_asp(asp);
	else if (l)
		*out = of_link(l);
	return asp || l;
}
