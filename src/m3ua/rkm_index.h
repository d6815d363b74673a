/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ASs by Routing Context and by the point codes of their routing keys: registering is not linear in either.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct as;
struct sg;
struct rkm_index;

/* Of all the ASs that SG has; NULL without memory. */
struct rkm_index *rkm_index_new(struct sg *sg);
bool rkm_index_add(struct rkm_index *x, struct as *as);
void rkm_index_remove(struct rkm_index *x, const struct as *as);

/* Calls FN for every AS that has the Routing Context, or for every routing key of a network with the DPC (KEY
 * is its number in the AS), until FN returns false. False if it did. */
typedef bool (*rkm_index_fn)(struct as *as, unsigned key, void *arg);
bool rkm_index_contexts(const struct rkm_index *x, uint32_t rc, rkm_index_fn fn, void *arg);
bool rkm_index_keys(const struct rkm_index *x, uint16_t network, uint32_t dpc, rkm_index_fn fn, void *arg);

/* The first AS that has the Routing Context, or NULL. */
struct as *rkm_index_context(const struct rkm_index *x, uint32_t rc);
