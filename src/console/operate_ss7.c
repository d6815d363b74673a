/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Operating links and linksets. */
#include <stdio.h>
#include <string.h>

#include "console/operate.h"
#include "ss7/ss7.h"

static bool is_activated(const struct ss7_link_view *v)
{
	return v->activated;
}

static bool is_inactive(const struct ss7_link_view *v)
{
	return !v->activated;
}

static bool is_inhibited(const struct ss7_link_view *v)
{
	return v->inhibited_local;
}

static bool is_not_inhibited(const struct ss7_link_view *v)
{
	return !v->inhibited_local;
}

static bool is_emergency(const struct ss7_link_view *v)
{
	return v->emergency;
}

static bool is_out(const struct ss7_link_view *v)
{
	return v->local_outage;
}

static bool is_not_out(const struct ss7_link_view *v)
{
	return !v->local_outage;
}

static const struct {
	const char *word;
	enum ss7_operation op;
	const char *done;
	bool (*is_so)(
		const struct ss7_link_view *v); /* then there is nothing to do, and this is the answer: */
	const char *already;
} words[] = {
	{"activate", SS7_ACTIVATE, "is being activated", is_activated, "is activated already"},
	{"deactivate", SS7_DEACTIVATE, "is being deactivated", is_inactive, "is inactive already"},
	{"inhibit", SS7_INHIBIT, "is being inhibited: the neighbour is asked", is_inhibited,
		"is inhibited already"},
	{"uninhibit", SS7_UNINHIBIT, "is being uninhibited: the neighbour is asked", is_not_inhibited,
		"is not inhibited from here"},
	{"test", SS7_TEST, "is being tested", NULL, NULL},
	{"emergency", SS7_EMERGENCY, "proves by the short period", is_emergency,
		"proves by the short period already"},
	{"restart", SS7_RESTART, "is being restarted: its association is opened again", NULL, NULL},
	{"processor-outage", SS7_OUTAGE, "has a local processor outage", is_out,
		"has a local processor outage already"},
	{"no emergency", SS7_EMERGENCY_CLEAR,
		"proves by the normal period, unless it is the only way to the neighbour", NULL, NULL},
	{"no processor-outage", SS7_OUTAGE_CLEAR, "has no local processor outage any more", is_not_out,
		"has no local processor outage"},
};

static bool run(struct ss7 *ss7, const char *name, const char *word, char *answer, size_t n)
{
	struct ss7_link *l = ss7_link_by_name(ss7, name);
	struct ss7_link_view v;
	const char *why = "";
	size_t i = 0;

	if (!l) {
		snprintf(answer, n, "no link named %s (see show link)", name);
		return false;
	}
	while (i + 1 < sizeof(words) / sizeof(words[0]) && strcmp(words[i].word, word) != 0)
		i++;
	ss7_link_view(l, &v);
	if (words[i].is_so && words[i].is_so(&v)) {
		snprintf(answer, n, "link %s %s", name, words[i].already);
		return true;
	}
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
