/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/size.h"

#include <string.h>

#include "sim/keyval.h"

/* Uniform inside each class. The classes stand for supervision and ISUP release, ISUP address messages and
 * short TCAP, usual TCAP, and long TCAP and SMS; the mean is 100. */
static const struct {
	uint8_t percent;
	uint16_t min, max;
} ss7[] = {
	{25, 30, 50},
	{35, 50, 90},
	{22, 90, 146},
	{18, 165, 265},
};

bool size_parse(const char *text, struct size_spec *out)
{
	if (!strcmp(text, "ss7")) {
		*out = (struct size_spec){.kind = SIZE_SS7, .min = 30, .max = 265};
		return true;
	}
	out->kind = SIZE_RANGE;
	return keyval_range(text, 0, 65535, &out->min, &out->max);
}

static uint32_t uniform(struct rng *rng, uint32_t min, uint32_t max)
{
	return min + rng_below(rng, max - min + 1);
}

uint32_t size_draw(const struct size_spec *s, struct rng *rng)
{
	uint32_t p, i;

	if (s->kind == SIZE_RANGE)
		return s->min == s->max ? s->min : uniform(rng, s->min, s->max);
	p = rng_below(rng, 100);
	for (i = 0; p >= ss7[i].percent; i++)
		p -= ss7[i].percent;
	return uniform(rng, ss7[i].min, ss7[i].max);
}
