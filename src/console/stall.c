/* SPDX-License-Identifier: GPL-2.0-or-later */
/* libosmocore signals every write to a session; while one has output waiting, a timer looks at its socket. */
#include "console/stall.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <osmocom/core/linuxlist.h>
#include <osmocom/core/signal.h>
#include <osmocom/core/timer.h>
#include <osmocom/vty/buffer.h>
#include <osmocom/vty/vty.h>
#include <poll.h>
#include <stdbool.h>
#include <sys/socket.h>
#include <talloc.h>

#include "base/log.h"

struct watch {
	struct llist_head entry;
	struct vty *vty;
	struct osmo_timer_list timer;
};

static LLIST_HEAD(watches);
static void *ctx;
static uint32_t limit_ms;
static uint64_t closed;

static struct watch *watch_of(const struct vty *vty)
{
	struct watch *w;

	llist_for_each_entry (w, &watches, entry) {
		if (w->vty == vty)
			return w;
	}
	return NULL;
}

static void watch_free(struct watch *take_w)
{
	osmo_timer_del(&take_w->timer);
	llist_del(&take_w->entry);
	talloc_free(take_w);
}

/* The socket takes no more, and it is long since it could send any of what it has. */
static bool is_stalled(int fd)
{
	struct pollfd p = {.fd = fd, .events = POLLOUT};
	struct tcp_info info = {0};
	socklen_t len = sizeof(info);

	return poll(&p, 1, 0) == 0 && getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &len) == 0 &&
	       info.tcpi_last_data_sent >= limit_ms;
}

static void arm(struct watch *w)
{
	osmo_timer_schedule(&w->timer, (int)(limit_ms / 2 / 1000), (int)(limit_ms / 2 % 1000 * 1000));
}

static void look(void *data)
{
	struct watch *w = data;

	if (is_stalled(w->vty->fd)) {
		closed++;
		vty_close(w->vty); /* signals VTY_CLOSED, which frees W */
		LOGP(DVTY, LOGL_NOTICE, "console: closed a session that had not read for %u ms\n", limit_ms);
		return;
	}
	if (buffer_empty(w->vty->obuf))
		watch_free(w); /* the next write begins anew */
	else
		arm(w);
}

static int on_signal(unsigned subsys, unsigned signal, void *handler_data, void *signal_data)
{
	const struct vty_signal_data *sd = signal_data;
	struct watch *w;

	(void)subsys;
	(void)handler_data;
	if (signal != S_VTY_EVENT || !sd->vty || sd->vty->type != VTY_TERM)
		return 0;
	w = watch_of(sd->vty);
	if (sd->event == VTY_CLOSED && w)
		watch_free(w);
	if (sd->event != VTY_WRITE || w)
		return 0;
	w = talloc_zero(ctx, struct watch);
	w->vty = sd->vty;
	osmo_timer_setup(&w->timer, look, w);
	llist_add(&w->entry, &watches);
	arm(w);
	return 0;
}

void stall_watch(void *talloc_ctx, uint32_t limit)
{
	ctx = talloc_ctx;
	limit_ms = limit;
	osmo_signal_register_handler(SS_L_VTY, on_signal, NULL);
}

void stall_unwatch(void)
{
	struct watch *w, *next;

	osmo_signal_unregister_handler(SS_L_VTY, on_signal, NULL);
	llist_for_each_entry_safe (w, next, &watches, entry)
		watch_free(w);
}

uint64_t stall_closed(void)
{
	return closed;
}
