/* SPDX-License-Identifier: GPL-2.0-or-later */
/* show statistics: counters and drops with what they count. */
#include <stddef.h>

#include "console/holder.h"
#include "console/show.h"
#include "m3ua/sg.h"
#include "ss7/ss7.h"

/* What belongs to no association. */
static const struct {
	const char *name, *text;
	size_t at; /* in struct sg_stats */
} gateway_rows[] = {
#define ROW(name, text, field)                                                                               \
	{                                                                                                    \
		name, text, offsetof(struct sg_stats, field)                                                 \
	}
	ROW("rejected-peers", "peers that match no ASP", rejected_peers),
	ROW("replaced", "associations that their reconnecting peer replaced", replaced),
	ROW("no-buffer", "control messages not sent for want of a buffer", no_buffer),
	ROW("runts", "messages shorter than a message header", runts),
	ROW("strays", "messages of associations that are nobody's any more", strays),
	ROW("refused-data", "DATA that the workers handed to the control plane", refused_data),
	ROW("duna", "DUNA messages sent", duna),
	ROW("dava", "DAVA messages sent", dava),
	ROW("drst", "DRST messages sent", drst),
	ROW("scon", "SCON messages sent", scon),
	ROW("dupu", "DUPU messages sent", dupu),
	ROW("registered", "Routing Keys registered at the peers' request", registered),
	ROW("registrations-refused", "Routing Keys not registered", registrations_refused),
	ROW("deregistered", "Routing Keys deregistered at the peers' request", deregistered),
#undef ROW
};

static void walk_gateway(struct show *s)
{
	const char *stats = (const char *)sg_stats(s->sg);

	walk_object(s->w, "gateway");
	for (size_t i = 0; i < sizeof(gateway_rows) / sizeof(gateway_rows[0]); i++)
		walk_counter(s->w, gateway_rows[i].name, *(const uint64_t *)(stats + gateway_rows[i].at),
			gateway_rows[i].text, false);
	walk_object_end(s->w);
}

static void walk_association(void *arg, const struct holder *h)
{
	struct show *s = arg;
	struct assoc_stats st;

	if (!h->assoc)
		return;
	assoc_stats(h->assoc, &st);
	walk_object(s->w, NULL);
	walk_str(s->w, "name", h->name);
	walk_str(s->w, "protocol", h->protocol);
	show_counters(s, st.c);
	show_drops(s, st.drops);
	walk_object_end(s->w);
}

static void walk_link(void *arg, const struct ss7_link *l)
{
	struct show *s = arg;
	struct ss7_link_view v;

	ss7_link_view(l, &v);
	walk_object(s->w, NULL);
	walk_str(s->w, "name", v.conf->l2.name);
	walk_str(s->w, "linkset", v.linkset);
	show_link_counters(s, &v);
	walk_object_end(s->w);
}

static void show_statistics(struct show *s)
{
	struct assoc_stats st;

	walk_blocks(s->w, "associations");
	holder_each(s, walk_association, s);
	walk_blocks_end(s->w);
	walk_blocks(s->w, "links");
	ss7_each_link(s->ss7, NULL, walk_link, s);
	walk_blocks_end(s->w);

	/* with those of associations that are gone */
	plane_totals(sg_plane(s->sg), &st);
	walk_object(s->w, "totals");
	show_counters(s, st.c);
	show_drops(s, st.drops);
	walk_object_end(s->w);
	walk_gateway(s);
}

/* The totals know of drops that no association can be blamed for, and of those that are gone. */
static void show_drops_table(struct show *s)
{
	struct assoc_stats totals;

	plane_totals(sg_plane(s->sg), &totals);
	walk_table(s->w, "drops");
	for (unsigned r = 0; r < DROP_COUNT; r++) {
		walk_object(s->w, NULL);
		walk_str(s->w, "reason", drop_name(r));
		walk_u64(s->w, "total", totals.drops[r]);
		walk_str(s->w, "meaning", drop_text(r));
		walk_object_end(s->w);
	}
	walk_table_end(s->w);
}

#define STATISTICS "Counters of every association, and totals\n"

const struct show_row show_statistics_rows[] = {
	{"statistics", STATISTICS, show_statistics},
	{"statistics drops", STATISTICS "Why messages went no further\n", show_drops_table},
	{0},
};
