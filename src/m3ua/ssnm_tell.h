/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The M3UA side's ear for what becomes of destinations: SSNM to the ASPs (RFC 4666 s.4.5.1). */
#pragma once

#include "route/route.h"

struct asp;
struct mtp3_label;
struct sg;
struct sg_network;

extern const struct route_listener ssnm_listener; /* its user is the struct sg */

/* ---- what an SS7 node says to LOCAL, a point code that ASs may serve ---- */

/* PC is congested at LEVEL, 0: no more (TFC): SCON to the ASPs of those ASs, or, where LOCAL is no AS's, to
 * all in the network. To the SGPs of an SG that LOCAL is beyond: SCON with LOCAL as its Concerned
 * Destination. In a network without levels no more of them than 4 in 240 ms. */
void ssnm_tell_congestion(
	struct sg *sg, const struct sg_network *network, uint32_t local, uint32_t pc, uint8_t level);
/* USER at PC is not available (UPU): DUPU to those ASPs, or, where LOCAL is no AS's, to all in the network.
 * Each once in T8. */
void ssnm_tell_user(struct sg *sg, const struct sg_network *network, uint32_t local, uint32_t pc,
	uint8_t user, uint8_t cause);

/* DATA of ASP with this label met congestion: it is told of it, once in T8; an SGP with who has sent it. */
void ssnm_tell_sender(struct asp *asp, const struct sg_network *network, const struct mtp3_label *label);

/* Is PC a destination of an AS in which ASP is active? */
bool ssnm_is_served_by(const struct asp *asp, const struct sg_network *network, uint32_t pc);
