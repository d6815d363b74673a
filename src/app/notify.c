/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What systemd is told (sd_notify(3)). Without a service manager all this says nothing to nobody.
 *
 * READY comes when every listener has been opened, or has failed once: one that cannot be opened now (an
 * address that is not there yet) is retried for ever and must not keep the others from working. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <systemd/sd-daemon.h>
#include <talloc.h>

#include "app/app_int.h"
#include "base/clock.h"
#include "base/log.h"
#include "m3ua/as.h"
#include "m3ua/asp.h"
#include "ss7/ss7.h"

struct links {
	unsigned n, available;
};

static void count_link(void *arg, const struct ss7_link *l)
{
	struct links *links = arg;
	struct ss7_link_view v;

	ss7_link_view(l, &v);
	links->n++;
	links->available += v.available;
}

const char *status_text(struct sg *sg, struct ss7 *ss7, char *buf, size_t n)
{
	unsigned asps = 0, active_asps = 0, ass = 0, active_ass = 0;
	struct links links = {0};
	struct asp *asp;
	struct as *as;
	int len;

	llist_for_each_entry (asp, sg_asps(sg), entry) {
		asps++;
		active_asps += asp_state(asp) == ASP_ACTIVE;
	}
	llist_for_each_entry (as, sg_ass(sg), entry) {
		ass++;
		active_ass += as->state == AS_ACTIVE;
	}
	ss7_each_link(ss7, NULL, count_link, &links);
	len = snprintf(
		buf, n, "%u of %u ASPs active, %u of %u ASs active", active_asps, asps, active_ass, ass);
	if (links.n)
		snprintf(buf + len, n - (size_t)len, ", %u of %u links available", links.available, links.n);
	return buf;
}

/* ---- ready ---- */

static bool has_reported(const struct app *app, const struct listener *ls)
{
	for (unsigned i = 0; i < app->notify.n_told; i++)
		if (app->notify.told[i] == ls)
			return true;
	return false;
}

void notify_event(struct app *app, const struct plane_event *ev)
{
	if (app->notify.ready || (ev->kind != PE_LISTENING && ev->kind != PE_LISTEN_FAILED) ||
		has_reported(app, ev->listener))
		return;
	app->notify.told = talloc_realloc(app->ctx, app->notify.told, const void *, app->notify.n_told + 1);
	app->notify.told[app->notify.n_told++] = ev->listener;
}

static bool all_have_reported(const struct app *app)
{
	const struct sg_listener *l;

	llist_for_each_entry (l, sg_listeners(app->sg), entry)
		if (l->ls && !has_reported(app, l->ls))
			return false;
	return true;
}

static void tell_status(struct app *app)
{
	char text[sizeof(app->notify.status)];

	if (!strcmp(status_text(app->sg, app->ss7, text, sizeof(text)), app->notify.status))
		return;
	memcpy(app->notify.status, text, sizeof(text));
	sd_notifyf(0, "STATUS=%s", text);
}

void notify_pass(struct app *app)
{
	if (app->notify.ready || app->stopping || !all_have_reported(app))
		return;
	app->notify.ready = true;
	talloc_free(app->notify.told);
	app->notify.told = NULL;
	LOGP(DMAIN, LOGL_NOTICE, "ready\n");
	sd_notify(0, "READY=1");
	tell_status(app);
}

void notify_reloading(struct app *app)
{
	(void)app;
	sd_notifyf(0, "RELOADING=1\nMONOTONIC_USEC=%" PRIu64, clock_ns() / 1000);
}

void notify_reloaded(struct app *app)
{
	if (app->notify.ready)
		sd_notify(0, "READY=1");
	tell_status(app);
}

void notify_stopping(struct app *app)
{
	osmo_timer_del(&app->notify.tick);
	sd_notify(0, "STOPPING=1\nSTATUS=taking leave of the peers");
}

/* ---- once a second ---- */

static void tick(void *arg)
{
	struct app *app = arg;

	if (app->notify.ready)
		tell_status(app);
	osmo_timer_schedule(&app->notify.tick, 1, 0);
}

/* ---- watchdog ---- */

static void alive(void *arg)
{
	struct app *app = arg;

	app->notify.watchdog_pending = false;
	sd_notify(0, "WATCHDOG=1");
}

/* A grace period needs every worker to pass through its loop: so the watchdog hears of them as well as of
 * this thread. */
static void watch(void *arg)
{
	struct app *app = arg;

	if (!app->notify.watchdog_pending) {
		app->notify.watchdog_pending = true;
		plane_after_grace(app->plane, alive, app);
	}
	osmo_timer_schedule(&app->notify.watchdog, (int)(app->notify.watchdog_us / 1000000),
		(int)(app->notify.watchdog_us % 1000000));
}

bool notify_init(struct app *app)
{
	osmo_timer_setup(&app->notify.tick, tick, app);
	osmo_timer_schedule(&app->notify.tick, 1, 0);
	osmo_timer_setup(&app->notify.watchdog, watch, app);
	if (sd_watchdog_enabled(0, &app->notify.watchdog_us) > 0) {
		app->notify.watchdog_us /= 3;
		watch(app);
	}
	return true;
}

void notify_fini(struct app *app)
{
	osmo_timer_del(&app->notify.tick);
	osmo_timer_del(&app->notify.watchdog);
}
