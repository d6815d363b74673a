/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Signals come in as readable descriptors, like everything else: no handler runs in the middle of anything.
 *   SIGTERM, SIGINT  take leave of the peers, within shutdown-time; a second one: at once
 *   SIGHUP           reload */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <talloc.h>
#include <unistd.h>

#include "app/app_int.h"
#include "base/log.h"

static void stopped(void *arg)
{
	struct app *app = arg;

	app->done = true;
}

/* The links go last: over them neighbours hear what cannot be reached any more, and the last DATA of ASPs
 * goes out. Each half has half of the time. */
static void asps_gone(void *arg)
{
	struct app *app = arg;

	ss7_shutdown(app->ss7, app->conf->shutdown_ms / 2, stopped, app);
}

static void stop(struct app *app, const struct signalfd_siginfo *info)
{
	const char *name = strsignal((int)info->ssi_signo);

	if (app->stopping) {
		LOGP(DMAIN, LOGL_NOTICE, "%s again: signalboxd stops at once\n", name);
		app->done = true;
		return;
	}
	LOGP(DMAIN, LOGL_NOTICE,
		"%s from process %u: signalboxd takes leave of its peers, for at most %u ms\n", name,
		info->ssi_pid, app->conf->shutdown_ms);
	app->stopping = true;
	notify_stopping(app);
	sg_shutdown(app->sg, app->conf->shutdown_ms / 2, asps_gone, app);
}

static void on_signal(struct osmo_signalfd *fd, const struct signalfd_siginfo *info)
{
	struct app *app = fd->data;

	if (info->ssi_signo == SIGHUP)
		app_reload(app);
	else
		stop(app, info);
}

bool signals_init(struct app *app)
{
	sigset_t set;

	signal(SIGPIPE, SIG_IGN); /* a peer or console that goes away is no reason to die */
	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGHUP);
	if (sigprocmask(SIG_BLOCK, &set, NULL) != 0)
		return false;
	app->signals = osmo_signalfd_setup(app->ctx, set, on_signal, app);
	return app->signals;
}

void signals_fini(struct app *app)
{
	osmo_fd_close(&app->signals->ofd);
	talloc_free(app->signals);
}
