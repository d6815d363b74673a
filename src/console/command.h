/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Turns the rows of show.h and operate.h into VTY commands, and takes out of libosmocore's what would edit a
 * configuration that the VTY does not own. */
#pragma once

#include <stdint.h>

#include "console/console.h"

struct sg;

/* What a command finds behind its VTY: given to telnet_init_dynif() as private data. */
struct command_context {
	struct sg *sg;
	struct console_ops ops;
	uint64_t started_ms;
};

/* Once per process, after vty_init(): libosmocore keeps commands for ever. */
void commands_install(void *talloc_ctx);
