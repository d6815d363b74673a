/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which destinations are congested, and messages from links that meet it: control, which tells where they
 * come from (TFC, Q.704 s.11.2.3), is shown the first and every eighth to each destination, or, where
 * messages have congestion priorities, each whose priority is too low (s.13.7.2). They are forwarded all the
 * same.
 *
 * A part of the forwarding table that is there only while something is congested: else nothing of this costs
 * anything. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct assoc;
struct fwd_routing;
struct mtp3_label;
struct worker;

enum { CONGESTED_EVERY = 8 };

struct fwd_congestion;

/* Nothing of what R leads to is congested yet. NULL without memory. R must outlive it. */
struct fwd_congestion *fwd_congestion_new(const struct fwd_routing *r);
void fwd_congestion_free(struct fwd_congestion *c);
/* LEVEL 1..3. A destination that the routing does not have is ignored. */
void fwd_congestion_set(struct fwd_congestion *c, uint16_t network, uint32_t pc, uint8_t mask, uint8_t level);

/* W forwards a message that came FROM a peer, with the table of now, which has congestion. At most
 * PLANE_SAMPLES wait for control: others are not shown. */
void congested_met(struct worker *w, struct assoc *from, uint16_t network, const struct mtp3_label *label);
