/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counters of an association and of a worker: one row each. Written by one thread, read by any (relaxed
 * atomics). */
#pragma once

#include <stdatomic.h>
#include <stdint.h>

#include "data/drop.h"

#define ASSOC_COUNTERS(X)                                                                                    \
	X(RX_MSGS, "rx-messages", "messages received")                                                       \
	X(RX_BYTES, "rx-bytes", "bytes received, M3UA or M2PA headers included")                             \
	X(RX_DATA, "rx-data", "DATA messages or MSUs received")                                              \
	X(RX_CONTROL, "rx-control", "messages handed to the control plane")                                  \
	X(TX_MSGS, "tx-messages", "messages the transport accepted")                                         \
	X(TX_BYTES, "tx-bytes", "bytes the transport accepted")                                              \
	X(TX_DATA, "tx-data", "DATA messages or MSUs put on the transmit queue")                             \
	X(TX_FLUSHES, "tx-flushes", "times the queue was handed to the transport")                           \
	X(TX_BLOCKED, "tx-blocked", "times the transport could not take all")                                \
	X(TOLERATED, "tolerated", "messages accepted only because `compat` allows them")                     \
	X(HELD, "held", "messages that waited for a pending AS or a changeover")                             \
	X(ORDER_FAULTS, "order-faults", "stream sequence numbers out of order")                              \
	X(HELD_BACK, "held-back", "times it was not read for a while: control could not keep up")            \
	X(RESTARTS, "restarts", "SCTP restarts by the peer")                                                 \
	X(PATH_CHANGES, "path-changes", "paths that went up or down")                                        \
	X(CONGESTIONS, "congestions", "times the transmit queue crossed its onset")                          \
	X(ACKS_RX, "acks-received", "M2PA: empty User Data messages received")                               \
	X(ACKS_TX, "acks-sent", "M2PA: empty User Data messages sent")                                       \
	X(RETRIEVED, "retrieved", "M2PA: messages handed back for a changeover")

#define WORKER_COUNTERS(X)                                                                                   \
	X(PASSES, "passes", "loop passes")                                                                   \
	X(FORWARDED, "forwarded", "DATA messages forwarded")                                                 \
	X(CROSSED, "crossed", "messages handed to another worker")                                           \
	X(HELD, "held", "messages held for pending ASs and changeovers")                                     \
	X(WAKEUPS, "wakeups", "wake-ups by other threads")

#define X(id, name, text) AC_##id,
enum assoc_counter { ASSOC_COUNTERS(X) AC_COUNT };
#undef X
#define X(id, name, text) WC_##id,
enum worker_counter { WORKER_COUNTERS(X) WC_COUNT };
#undef X

typedef _Atomic uint64_t counter;

/* The single writer's increment: no locked instruction. */
static inline void counter_add(counter *c, uint64_t n)
{
	atomic_store_explicit(c, atomic_load_explicit(c, memory_order_relaxed) + n, memory_order_relaxed);
}

static inline uint64_t counter_get(const counter *c)
{
	return atomic_load_explicit(c, memory_order_relaxed);
}

struct counter_row {
	const char *name, *text;
};
extern const struct counter_row assoc_counter_rows[AC_COUNT], worker_counter_rows[WC_COUNT];
