/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The compilation of the forwarding table (data/fwd.h): only the parts that are out of date, and the
 * retirement of the old ones when no worker can see them any more. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct sg;
struct as;
struct asp;
struct assoc;
struct sg_table;

struct sg_table *sg_table_new(struct sg *sg);
/* After the plane has stopped: frees every part. */
void sg_table_free(struct sg_table *take_t);

void table_dirty_as(struct as *as);
void table_dirty_ingress(struct asp *asp);
void table_dirty_routing(struct sg *sg);
/* Nothing may come from this association any more. */
void table_drop_assoc(struct sg *sg, const struct assoc *a);
/* The AS is removed: its part goes, and its hold with it, when no worker can look at them. */
void table_drop_as(struct as *as);

/* Compiles what is dirty and publishes, if anything is. INGRESS_ONLY leaves ASs and routing for the next
 * call.
 */
void table_publish(struct sg *sg, bool ingress_only);
