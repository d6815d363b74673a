/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The answer to a DAUD (RFC 4666 s.4.5.3): every point code and range asked for, against the destinations
 * that routing keys name. Work and answer are bounded by the question and the number of destinations, never
 * by the size of a wildcard. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "route/dest.h"
#include "wire/m3ua.h"

struct sg;
struct sg_network;

struct audit_list {
	uint32_t *v; /* Affected Point Code entries: mask << 24 | point code */
	uint32_t n;
};

struct audit_result {
	void *ctx;
	struct audit_list by_status[DEST_UNAVAILABLE + 1], congested[4];
};

/* Destinations in a range are named one by one and once only; a range or point code that holds none comes
 * back as it came, unavailable ("an SG SHOULD respond with a DUNA"). False without memory. */
bool audit(struct sg *sg, const struct sg_network *network, const struct m3ua_param *affected,
	struct audit_result *out);
void audit_free(struct audit_result *r);
