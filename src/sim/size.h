/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How long a flow's messages are: "100", "40-272" (uniform), or "ss7": what signaling networks carry, mean
 * near 100 bytes, and never more than fits on a link of any variant: 272 octets with the label (Q.703
 * s.2.3.8). Lengths are of the MTP3-user part. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "sim/rng.h"

enum size_kind { SIZE_RANGE, SIZE_SS7 };

struct size_spec {
	enum size_kind kind;
	uint32_t min, max;
};

bool size_parse(const char *text, struct size_spec *out);
uint32_t size_draw(const struct size_spec *s, struct rng *rng);
