/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The daemon behind main(): start-up as a table, the control loop, signals, reload, leave-taking. */
#pragma once

/* Loads FILE, runs until SIGTERM or SIGINT, and returns the exit status. */
int app_run(const char *file);

/* --check FILE: prints every error, exit status 0 or 1. --dump FILE: the canonical form. */
int app_check(const char *file);
int app_dump(const char *file);
