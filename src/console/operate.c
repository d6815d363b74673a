/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "console/operate.h"

#include <stdio.h>
#include <string.h>

#include "console/walk.h"
#include "m3ua/asp.h"
#include "m3ua/sg.h"

const struct operate_row *const operate_areas[] = {operate_asp_rows, operate_ss7_rows, NULL};

bool operate_run(const struct operate_row *row, const struct operate_on *on, const char *const *argv,
	bool json, void (*line)(void *arg, const char *text), void *arg)
{
	char answer[192] = "", text[sizeof(answer) + 4];
	bool done = row->run(on, argv, answer, sizeof(answer));

	if (json) {
		struct walk *w = walk_json_new(line, arg);

		walk_str(w, done ? "done" : "error", answer);
		walk_done(w);
		return done;
	}
	snprintf(text, sizeof(text), "%s%s", done ? "" : "% ", answer);
	line(arg, text);
	return done;
}

/* ---- ASPs and associations ---- */

static bool asp_set_block(const struct operate_on *on, const char *const *argv, char *answer, size_t n)
{
	struct asp *asp = sg_asp_by_name(on->sg, argv[0]);
	bool block = !strcmp(argv[1], "block");

	if (!asp) {
		snprintf(answer, n, "no ASP named %s (see show asp)", argv[0]);
		return false;
	}
	if (asp->blocked == block) {
		snprintf(answer, n, "ASP %s is %s already", argv[0], block ? "blocked" : "unblocked");
		return true;
	}
	asp_block(asp, block);
	snprintf(answer, n, "ASP %s is %s", argv[0], block ? "blocked" : "unblocked");
	return true;
}

static bool asp_set_lock(const struct operate_on *on, const char *const *argv, char *answer, size_t n)
{
	struct asp *asp = sg_asp_by_name(on->sg, argv[0]);
	bool lock = !strcmp(argv[1], "lock");

	if (!asp) {
		snprintf(answer, n, "no ASP named %s (see show asp)", argv[0]);
		return false;
	}
	if (asp->locked == lock) {
		snprintf(answer, n, "ASP %s is %s already", argv[0], lock ? "locked" : "unlocked");
		return true;
	}
	asp_lock(asp, lock);
	snprintf(answer, n, "ASP %s is %s", argv[0], lock ? "locked" : "unlocked");
	return true;
}

static bool asp_shutdown(const struct operate_on *on, const char *const *argv, char *answer, size_t n)
{
	struct asp *asp = sg_asp_by_name(on->sg, argv[0]);

	if (!asp || !asp->assoc) {
		snprintf(answer, n, "%s %s (see show asp)",
			asp ? "there is no association with ASP" : "no ASP named", argv[0]);
		return false;
	}
	asp_shut_down(asp);
	snprintf(answer, n, "ASP %s is being shut down", argv[0]);
	return true;
}

static bool association_restart(const struct operate_on *on, const char *const *argv, char *answer, size_t n)
{
	struct asp *asp = sg_asp_by_name(on->sg, argv[0]);

	if (!asp) {
		snprintf(answer, n, "no association named %s (see show association)", argv[0]);
		return false;
	}
	if (!asp->assoc && asp_is_locked_out(asp)) {
		snprintf(answer, n, "association %s is down because its ASP is locked", argv[0]);
		return false;
	}
	if (!asp->assoc && asp->conf->side == ASP_SERVER) {
		snprintf(answer, n, "association %s is down, and it is the peer who opens it", argv[0]);
		return false;
	}
	asp_restart(asp);
	snprintf(answer, n, "association %s is being restarted", argv[0]);
	return true;
}

const struct operate_row operate_asp_rows[] = {
	{"asp NAME (block|unblock)",
		"Operate an Application Server Process\nIts name\nTake it out of service\nAllow it to serve "
		"again\n",
		asp_set_block},
	{"asp NAME (lock|unlock)",
		"Operate an Application Server Process\nIts name\nGive it no traffic any more, take it down "
		"in "
		"order, and keep it down\nAllow it to come up again\n",
		asp_set_lock},
	{"asp NAME shutdown",
		"Operate an Application Server Process\nIts name\nGive it no traffic any more, take it down "
		"in "
		"order, and shut its association down\n",
		asp_shutdown},
	{"association NAME restart",
		"Operate an association\nThe name of its ASP\nAbort it and open it again\n",
		association_restart},
	{0},
};
