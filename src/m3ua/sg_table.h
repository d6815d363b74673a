/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the M3UA side gives to the forwarding table (route/route.h): each AS as an egress, its routing keys as
 * routes, and what each ASP may send. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct sg;
struct as;
struct asp;
struct assoc;
struct route_egress_ops;

extern const struct route_egress_ops as_egress_ops; /* owners are struct as */

void table_dirty_as(struct as *as);
void table_dirty_ingress(struct asp *asp);
/* Networks or routing keys changed. */
void table_routes_changed(struct sg *sg);
/* Nothing may come from this association any more. */
void table_drop_assoc(struct sg *sg, const struct assoc *a);

/* Compiles what is dirty and publishes, if anything is. INGRESS_ONLY leaves ASs and routing for the next
 * call.
 */
void table_publish(struct sg *sg, bool ingress_only);
