/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Log categories (libosmocore). Only the control thread logs: libosmocore's targets write into VTY buffers
 * without a lock. A worker that has something to say posts an event. */
#pragma once

#include <osmocom/core/logging.h>

enum { DMAIN, DCONF, DSCTP, DASP, DAS, DROUTE, DM2PA, DVTY, LOG_CATEGORIES };

/* Sets up libosmocore's logging on stderr with our categories. CTX is a talloc context or NULL. */
void log_setup(void *ctx);
