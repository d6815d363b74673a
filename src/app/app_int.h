/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What runs, shared by the files of app/ and by nobody else. Control thread only. */
#pragma once

#include <osmocom/core/select.h>
#include <osmocom/core/timer.h>
#include <stdbool.h>
#include <stdint.h>

#include "app/app.h"
#include "conf/conf.h"
#include "data/plane.h"
#include "m3ua/sg.h"
#include "ss7/ss7.h"

struct app {
	void *ctx; /* talloc: all that libosmocore allocates for us */
	const char *file;
	struct conf *conf;
	struct sg *sg;
	struct ss7 *ss7;
	struct plane *plane;
	struct osmo_fd plane_fd;
	struct osmo_signalfd *signals;
	bool stopping, done;
	enum app_status status; /* if start-up fails */

	/* what the service manager is told (notify.c) */
	struct {
		bool ready;
		char status[128];  /* as last told */
		const void **told; /* listeners that have reported once */
		unsigned n_told;
		struct osmo_timer_list tick, watchdog;
		uint64_t watchdog_us;
		bool watchdog_pending;
	} notify;
};

/* ---- signals.c ---- */
bool signals_init(struct app *app);
void signals_fini(struct app *app);

/* ---- reload.c ---- */
/* Findings go to the log. */
void log_findings(const struct conf_errors *errors);
void app_reload(struct app *app);

/* ---- logging.c ---- */
/* Lines carry their priority as "<N>" where the journal reads stderr (sd-daemon(3)). */
void logging_init(void *ctx);
void logging_apply(const struct conf *conf);

/* ---- notify.c ---- */
bool notify_init(struct app *app);
void notify_fini(struct app *app);
/* A listener has said how it is. */
void notify_event(struct app *app, const struct plane_event *ev);
/* After each loop pass: tells READY as soon as every listener has reported. */
void notify_pass(struct app *app);
void notify_reloading(struct app *app);
void notify_reloaded(struct app *app);
void notify_stopping(struct app *app);
/* "2 of 4 ASPs active, 1 of 2 ASs active, 3 of 4 links available" (if there are links). Returns BUF. */
const char *status_text(struct sg *sg, struct ss7 *ss7, char *buf, size_t n);

/* ---- summary.c ---- */
unsigned app_workers(const struct conf *conf);
void log_summary(const struct app *app);
