/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Start-up is a table, run forwards; the end is the same table, run backwards. In between one loop: the
 * control thread's, libosmocore's. */
#include "app/app.h"

#include <errno.h>
#include <osmocom/core/talloc.h>
#include <osmocom/core/utils.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>

#include "app/app_int.h"
#include "base/log.h"
#include "console/console.h"

/* ---- the parts ---- */

static bool configuration_init(struct app *app)
{
	struct conf_errors errors;

	app->conf = conf_load(app->file, &errors);
	log_findings(&errors);
	conf_errors_free(&errors);
	if (app->conf)
		logging_apply(app->conf);
	else
		app->status = APP_BAD_CONFIG;
	return app->conf;
}

static void configuration_fini(struct app *app)
{
	conf_free(app->conf);
}

/* Every association of the kernel's SCTP or of TCP takes a descriptor. */
static bool limits_init(struct app *app)
{
	struct rlimit l;

	(void)app;
	if (getrlimit(RLIMIT_NOFILE, &l) == 0 && l.rlim_cur < l.rlim_max) {
		l.rlim_cur = l.rlim_max;
		if (setrlimit(RLIMIT_NOFILE, &l) != 0)
			LOGP(DMAIN, LOGL_NOTICE, "the limit on open files stays low: %s\n", strerror(errno));
	}
	return true;
}

static bool gateway_init(struct app *app)
{
	app->sg = sg_new(app->ctx);
	return app->sg;
}

static void gateway_fini(struct app *app)
{
	sg_free(app->sg);
}

static bool ss7_init(struct app *app)
{
	app->ss7 = ss7_new(app->ctx, app->sg);
	return app->ss7;
}

static void ss7_fini(struct app *app)
{
	ss7_free(app->ss7);
}

static void on_plane_event(void *user, const struct plane_event *ev)
{
	struct app *app = user;

	notify_event(app, ev);
	if (ss7_has(ev))
		ss7_on_event(app->ss7, ev);
	else
		sg_on_event(app->sg, ev);
}

static int on_plane_readable(struct osmo_fd *fd, unsigned int what)
{
	struct app *app = fd->data;

	(void)what;
	plane_dispatch(app->plane);
	return 0;
}

static bool plane_init(struct app *app)
{
	const struct plane_conf conf = {
		.workers = app_workers(app->conf),
		.max_message = app->conf->max_message,
		.buffers = app->conf->buffers,
		.batch_delay_us = app->conf->batch_delay_us,
	};
	enum sb_err err = plane_new(&conf, on_plane_event, app, &app->plane);

	if (err != SB_OK) {
		LOGP(DMAIN, LOGL_ERROR, "the workers cannot start: %s\n", sb_strerror(err));
		return false;
	}
	sg_set_plane(app->sg, app->plane);
	ss7_set_plane(app->ss7, app->plane);
	osmo_fd_setup(&app->plane_fd, plane_event_fd(app->plane), OSMO_FD_READ, on_plane_readable, app, 0);
	return osmo_fd_register(&app->plane_fd) == 0;
}

static void plane_fini(struct app *app)
{
	osmo_fd_unregister(&app->plane_fd);
	ss7_purge(app->ss7);
	plane_stop(app->plane);
}

static bool objects_init(struct app *app)
{
	unsigned n;
	struct sg_change *changes = conf_diff(NULL, app->conf, &n, NULL);

	ss7_prepare(app->ss7, &app->conf->ss7, &app->conf->sg, changes, n);
	sg_apply(app->sg, &app->conf->sg, changes, n);
	ss7_apply(app->ss7);
	talloc_free(changes);
	return true;
}

static const struct conf *running_conf(void *arg)
{
	return ((struct app *)arg)->conf;
}

static bool console_init(struct app *app)
{
	const struct console_ops ops = {.conf = running_conf, .arg = app, .ss7 = app->ss7};
	const struct conf *c = app->conf;
	enum sb_err err;

	if (!c->console_port)
		return true;
	errno = 0;
	err = console_start(app->ctx, app->sg, &ops, c->console_address, c->console_port);
	if (err == SB_OK)
		return true;
	LOGP(DMAIN, LOGL_ERROR,
		"the console cannot listen on %s port %u (%s): is another signalboxd running? See "
		"console in %s\n",
		c->console_address, c->console_port, errno ? strerror(errno) : sb_strerror(err), app->file);
	return false;
}

static void console_fini(struct app *app)
{
	if (app->conf->console_port)
		console_stop();
}

static const struct part {
	const char *name;
	bool (*init)(struct app *app); /* what failed has told why, if it knows more than its name */
	void (*fini)(struct app *app);
} parts[] = {
	{"configuration", configuration_init, configuration_fini},
	{"signals", signals_init, signals_fini}, /* before any thread: all inherit the blocked ones */
	{"limits", limits_init, NULL},
	{"gateway", gateway_init, gateway_fini}, /* outlives the workers, which use its table */
	{"ss7", ss7_init, ss7_fini},
	{"workers", plane_init, plane_fini},
	{"objects", objects_init, NULL},
	{"console", console_init, console_fini},
	{"service manager", notify_init, notify_fini},
};

/* ---- running ---- */

static void run(struct app *app)
{
	while (!app->done) {
		plane_gather(app->plane);
		osmo_select_main_ctx(0);
		sg_settle(app->sg); /* once per pass, whatever the pass has changed */
		ss7_settle(app->ss7);
		plane_give(app->plane);
		notify_pass(app);
	}
}

int app_run(const char *file)
{
	struct app app = {
		.file = file, .ctx = talloc_named_const(NULL, 0, "signalboxd"), .status = APP_FAILED};
	size_t started = 0;

	logging_init(app.ctx);
	while (started < ARRAY_SIZE(parts) && parts[started].init(&app))
		started++;
	if (started == ARRAY_SIZE(parts)) {
		app.status = APP_OK;
		log_summary(&app);
		run(&app);
	} else {
		LOGP(DMAIN, LOGL_FATAL, "signalboxd does not start: %s failed\n", parts[started].name);
	}
	while (started-- > 0)
		if (parts[started].fini)
			parts[started].fini(&app);
	log_fini();
	talloc_free(app.ctx);
	return app.status;
}
