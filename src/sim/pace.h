/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When is a flow's next message due? A schedule that does not depend on when messages really leave: what was
 * late stays due at its own time, so that latencies measured from it tell of every delay. Pure: time comes
 * in. */
#pragma once

#include <stdint.h>

#include "sim/rng.h"

enum pace_kind {
	PACE_REGULAR, /* at equal distances */
	PACE_POISSON, /* exponential distances: independent callers */
	PACE_MAX,     /* whenever there is room: due the moment it is asked for */
};

struct pace {
	enum pace_kind kind;
	double period_ns;
	double offset_ns; /* of the next message from start_ns (Poisson) */
	uint64_t start_ns, n;
	struct rng rng;
};

/* RATE in messages per second (not used by PACE_MAX). The first message of a regular flow is due at
 * START_NS. */
void pace_init(struct pace *p, enum pace_kind kind, double rate, uint64_t start_ns, uint64_t seed);

/* When the next message is due; NOW for PACE_MAX. */
uint64_t pace_due(const struct pace *p, uint64_t now);

/* It has been sent: on to the next. */
void pace_advance(struct pace *p);

/* The whole schedule moves NS later: a pause in which nothing was due. */
void pace_shift(struct pace *p, uint64_t ns);
