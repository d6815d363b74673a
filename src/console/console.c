/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The VTY itself: libosmocore's, on the control thread's loop. Called by app at start and end; owns the
 * telnet listener. Output is not paged (libosmocore never pages), so scripts may talk to it as they are. */
#include "console/console.h"

#include <osmocom/vty/command.h>
#include <osmocom/vty/logging.h>
#include <osmocom/vty/misc.h>
#include <osmocom/vty/telnet_interface.h>
#include <osmocom/vty/vty.h>
#include <stdio.h>

#include "base/clock.h"
#include "conf/conf.h"
#include "console/command.h"
#include "console/stall.h"
#include "console/telnet_fd.h"

enum { STALL_MS = 10000 };

static char name[64] = "signalbox"; /* libosmocore's prompt is the application's name */

static struct vty_app_info app_info = {
	.name = name,
	.version = PACKAGE_VERSION,
	.copyright = "Signalbox " PACKAGE_VERSION
		     ", a SIGTRAN signaling gateway. Free software under the GNU GPL,\r\n"
		     "version 2 or later; it comes with no warranty. Try `list` and `?`.\r\n",
};

static struct command_context context;

/* libosmovty's commands and nodes are for ever: once per process. */
static void install_once(void *talloc_ctx)
{
	static bool installed;

	if (installed)
		return;
	installed = true;
	app_info.tall_ctx = talloc_ctx;
	vty_init(&app_info);
	logging_vty_add_cmds();
	osmo_talloc_vty_add_cmds();
	commands_install(talloc_ctx);
}

void console_set_name(const char *node_name)
{
	snprintf(name, sizeof(name), "%s", node_name);
}

enum sb_err console_start(
	void *talloc_ctx, struct sg *sg, const struct console_ops *ops, const char *address, uint16_t port)
{
	install_once(talloc_ctx);
	console_set_name(ops->conf(ops->arg)->node_name);
	context = (struct command_context){.sg = sg, .ops = *ops, .started_ms = clock_ms()};
	if (telnet_init_dynif(talloc_ctx, &context, address, port) < 0)
		return SB_ESYS;
	telnet_fd_mend();
	stall_watch(talloc_ctx, STALL_MS);
	return SB_OK;
}

void console_stop(void)
{
	telnet_exit();
	stall_unwatch();
	telnet_fd_unmend();
}
