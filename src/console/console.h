/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The VTY console (libosmocore, telnet on loopback): shows and operates; it does not edit configuration. */
#pragma once

#include <stdint.h>

#include "base/err.h"

struct sg;
struct ss7;
struct conf;

struct console_ops {
	/* The configuration that is running now (it changes with a reload). */
	const struct conf *(*conf)(void *arg);
	void *arg;
	struct ss7 *ss7;
};

/* Installs the commands and listens. OPS is copied. ADDRESS: loopback unless the operator insists. SB_ESYS:
 * the port is taken. */
enum sb_err console_start(void *talloc_ctx, struct sg *sg, const struct console_ops *ops, const char *address,
	uint16_t port) SB_MUST_USE;
/* The name in the prompt, copied: a reload may change it. */
void console_set_name(const char *node_name);
void console_stop(void);
