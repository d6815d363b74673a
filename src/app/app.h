/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The daemon behind main(): start-up as a table, the control loop, signals, reload, leave-taking. */
#pragma once

/* Exit statuses, as the manual page has them. */
enum app_status {
	APP_OK = 0,
	APP_BAD_CONFIG = 1, /* the configuration is not acceptable */
	APP_USAGE = 2,      /* bad arguments */
	APP_FAILED = 3,     /* it could not start: a port in use, no memory, ... */
};

/* Loads FILE, runs until SIGTERM or SIGINT, and returns the exit status. */
int app_run(const char *file);

/* --check FILE: prints every finding, exit status 0 or 1. --dump FILE: the canonical form.
 * --config-reference: doc/configuration.md. */
int app_check(const char *file);
int app_dump(const char *file);
int app_reference(void);
