/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/pace.h"

#include <math.h>

static double gap(struct pace *p)
{
	return -log(rng_unit(&p->rng)) * p->period_ns;
}

void pace_init(struct pace *p, enum pace_kind kind, double rate, uint64_t start_ns, uint64_t seed)
{
	*p = (struct pace){.kind = kind, .start_ns = start_ns, .rng = {.s = seed}};
	if (kind != PACE_MAX)
		p->period_ns = 1e9 / rate;
	if (kind == PACE_POISSON)
		p->offset_ns = gap(p);
}

uint64_t pace_due(const struct pace *p, uint64_t now)
{
	switch (p->kind) {
	case PACE_REGULAR:
		/* From the count, not by adding periods up: no drift. */
		return p->start_ns + (uint64_t)((double)p->n * p->period_ns);
	case PACE_POISSON: return p->start_ns + (uint64_t)p->offset_ns;
	case PACE_MAX: break;
	}
	return now > p->start_ns ? now : p->start_ns;
}

void pace_advance(struct pace *p)
{
	p->n++;
	if (p->kind == PACE_POISSON)
		p->offset_ns += gap(p);
}

void pace_shift(struct pace *p, uint64_t ns)
{
	p->start_ns += ns;
}
