/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The publication of immutable objects: liburcu for grace periods, C11 atomics for the pointer (so that
 * ThreadSanitizer sees the hand-over). Workers hold the read lock for a whole loop pass, not per message. */
#pragma once

#include <stdatomic.h>
#include <urcu.h>

#define rcu_publish(pp, v) atomic_store_explicit((pp), (v), memory_order_release)
#define rcu_read(pp)       atomic_load_explicit((pp), memory_order_acquire)
