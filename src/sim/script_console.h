/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `console "COMMAND"`: what the gateway's operator does in a scenario. */
#pragma once

#include <stdint.h>

/* Gives COMMAND to the console (a telnet-like line interface, as VTYs are) at PORT of this host and waits
 * until it has answered, at most TIMEOUT_MS. NULL: done; else why not. The loop stands still meanwhile. */
const char *script_console(uint16_t port, const char *command, unsigned timeout_ms);
