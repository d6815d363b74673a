/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The M3UA side's ear for what becomes of destinations: SSNM to the ASPs (RFC 4666 s.4.5.1). */
#pragma once

#include "route/route.h"

struct asp;
struct sg_network;

extern const struct route_listener ssnm_listener; /* its user is the struct sg */

/* Is PC a destination of an AS in which ASP is active? */
bool ssnm_is_served_by(const struct asp *asp, const struct sg_network *network, uint32_t pc);
