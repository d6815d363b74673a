/* SPDX-License-Identifier: GPL-2.0-or-later */
/* libosmovty's vty_close() signals VTY_CLOSED, whereupon its telnet server closes the session's descriptor;
 * then it flushes what output is left to that number, and closes it again. In a process of one thread that
 * fails and does no harm. Here a worker may have accepted an association under the number in the meantime: it
 * would be sent console output, and lose its descriptor under its event loop's feet. So when the signal comes
 * the telnet server is given a duplicate, to close in its stead. */
#include "console/telnet_fd.h"

#include <osmocom/core/select.h>
#include <osmocom/core/signal.h>
#include <osmocom/vty/telnet_interface.h>
#include <osmocom/vty/vty.h>
#include <unistd.h>

static int on_signal(unsigned subsys, unsigned signal, void *handler_data, void *signal_data)
{
	const struct vty_signal_data *sd = signal_data;
	struct telnet_connection *c;
	int twin;

	(void)subsys;
	(void)handler_data;
	if (signal != S_VTY_EVENT || sd->event != VTY_CLOSED || !sd->vty || sd->vty->type != VTY_TERM)
		return 0;
	c = sd->vty->priv;
	if (!c || c->fd.fd != sd->vty->fd || (twin = dup(c->fd.fd)) < 0)
		return 0;
	osmo_fd_unregister(&c->fd);
	c->fd.fd = twin;
	return osmo_fd_register(&c->fd);
}

void telnet_fd_mend(void)
{
	osmo_signal_register_handler(SS_L_VTY, on_signal, NULL);
}

void telnet_fd_unmend(void)
{
	osmo_signal_unregister_handler(SS_L_VTY, on_signal, NULL);
}
