/* SPDX-License-Identifier: GPL-2.0-or-later */
/* show version: what runs here, since when, and which transports this machine has. */
#include "conf/conf.h"
#include "console/show.h"
#include "m3ua/sg.h"

static void walk_transports(struct show *s)
{
	static const struct tp_ops *const all[] = {&tp_kernel, &tp_embedded, &tp_tcp};

	walk_table(s->w, "transports");
	for (unsigned i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		char why[TP_REASON] = "";
		bool available = all[i]->available(why, sizeof(why));
		walk_object(s->w, NULL);
		walk_str(s->w, "name", all[i]->name);
		walk_bool(s->w, "available", available);
		walk_str(s->w, "reason", why[0] ? why : NULL);
		walk_object_end(s->w);
	}
	walk_table_end(s->w);
}

static void show_version(struct show *s)
{
	walk_str(s->w, "program", "signalboxd");
	walk_str(s->w, "version", PACKAGE_VERSION);
	walk_str(s->w, "node", s->conf->node_name);
	walk_str(s->w, "configuration", s->conf->file);
	show_since(s, "uptime", s->started_ms);
	walk_u64(s->w, "workers", plane_workers(sg_plane(s->sg)));
	walk_transports(s);
}

const struct show_row show_version_rows[] = {
	{"version", "Program, version, uptime\n", show_version},
	{0},
};
