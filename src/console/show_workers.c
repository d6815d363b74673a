/* SPDX-License-Identifier: GPL-2.0-or-later */
/* show workers: the threads of the data plane. */
#include "console/show.h"
#include "m3ua/sg.h"

static void show_workers(struct show *s)
{
	const struct plane *p = sg_plane(s->sg);

	walk_table(s->w, "workers");
	for (unsigned i = 0; i < plane_workers(p); i++) {
		struct worker_stats ws;
		plane_worker_stats(p, i, &ws);
		walk_object(s->w, NULL);
		walk_u64(s->w, "worker", i);
		walk_u64(s->w, "associations", ws.assocs);
		walk_ms(s->w, "cpu", ws.cpu_ns / 1000000);
		walk_u64(s->w, "buffers", ws.buffers);
		walk_u64(s->w, "in-use", ws.buffers_in_use);
		walk_u64(s->w, "exhausted", ws.buffers_exhausted);
		for (unsigned c = 0; c < WC_COUNT; c++)
			walk_counter(s->w, worker_counter_rows[c].name, ws.c[c], worker_counter_rows[c].text,
				false);
		walk_object_end(s->w);
	}
	walk_table_end(s->w);
}

const struct show_row show_workers_rows[] = {
	{"workers", "Threads of the data plane\n", show_workers},
	{0},
};
