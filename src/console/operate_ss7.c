/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Operating links and linksets. */
#include <stdio.h>
#include <string.h>

#include "console/operate.h"
#include "ss7/ss7.h"

static const struct {
	const char *word;
	enum ss7_operation op;
	const char *done;
} words[] = {
	{"activate", SS7_ACTIVATE, "is being activated"},
	{"deactivate", SS7_DEACTIVATE, "is being deactivated"},
	{"inhibit", SS7_INHIBIT, "is being inhibited: the neighbour is asked"},
	{"uninhibit", SS7_UNINHIBIT, "is being uninhibited: the neighbour is asked"},
	{"test", SS7_TEST, "is being tested"},
	{"emergency", SS7_EMERGENCY, "proves by the short period"},
	{"restart", SS7_RESTART, "is being restarted: its association is opened again"},
	{"processor-outage", SS7_OUTAGE, "has a local processor outage"},
	{"no emergency", SS7_EMERGENCY_CLEAR,
		"proves by the normal period, unless it is the only way to the neighbour"},
	{"no processor-outage", SS7_OUTAGE_CLEAR, "has no local processor outage any more"},
};

static bool run(struct ss7 *ss7, const char *name, const char *word, char *answer, size_t n)
{
	struct ss7_link *l = ss7_link_by_name(ss7, name);
	const char *why = "";
	size_t i = 0;

	if (!l) {
		snprintf(answer, n, "no link named %s (see show link)", name);
		return false;
	}
	while (i + 1 < sizeof(words) / sizeof(words[0]) && strcmp(words[i].word, word) != 0)
		i++;
	if (ss7_link_operate(l, words[i].op, &why)) {
		snprintf(answer, n, "link %s %s", name, words[i].done);
		return true;
	}
	snprintf(answer, n, "link %s: %s", name, why);
	return false;
}

static bool link_operate(const struct operate_on *on, const char *const *argv, char *answer, size_t n)
{
	return run(on->ss7, argv[0], argv[1], answer, n);
}

static bool clear(const struct operate_on *on, const char *const *argv, char *answer, size_t n)
{
	return run(on->ss7, argv[0], !strcmp(argv[1], "emergency") ? "no emergency" : "no processor-outage",
		answer, n);
}

static bool linkset_operate(const struct operate_on *on, const char *const *argv, char *answer, size_t n)
{
	struct ss7_linkset *ls = ss7_linkset_by_name(on->ss7, argv[0]);
	bool activate = !strcmp(argv[1], "activate");

	if (!ls) {
		snprintf(answer, n, "no linkset named %s (see show linkset)", argv[0]);
		return false;
	}
	ss7_linkset_operate(ls, activate);
	snprintf(answer, n, "the links of %s are being %s", argv[0], activate ? "activated" : "deactivated");
	return true;
}

const struct operate_row operate_ss7_rows[] = {
	{"link NAME (activate|deactivate|inhibit|uninhibit|test|emergency|restart|processor-outage)",
		"Operate an SS7 link\nIts name\nPut it into service\nTake it out of service\n"
		"Take its traffic away, but keep it in service\nLet it carry traffic again\n"
		"Test it now\nProve by the short period\nOpen its association again\n"
		"Begin a local processor outage\n",
		link_operate},
	{"link NAME (emergency|processor-outage) clear",
		"Operate an SS7 link\nIts name\nProving by the short period\nThe local processor outage\nEnd "
		"it\n",
		clear},
	{"linkset NAME (activate|deactivate)",
		"Operate a linkset\nIts name\nPut its links into service\nTake its links out of service\n",
		linkset_operate},
	{0},
};
