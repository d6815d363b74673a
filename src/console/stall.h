/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Console sessions whose other end has stopped reading (a suspended terminal with `logging enable`):
 * libosmocore would queue their output without bound, so they are closed. */
#pragma once

#include <stdint.h>

/* Closes sessions to which nothing could be sent for LIMIT_MS though there is output. */
void stall_watch(void *talloc_ctx, uint32_t limit_ms);
void stall_unwatch(void);
/* How many sessions have been closed so far. */
uint64_t stall_closed(void);
