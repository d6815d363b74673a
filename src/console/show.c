/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "console/show.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/clock.h"
#include "data/counter.h"
#include "m3ua/as.h"
#include "m3ua/asp.h"
#include "m3ua/sg.h"

const struct show_row *const show_areas[] = {
	show_network_rows,
	show_as_rows,
	show_asp_rows,
	show_association_rows,
	show_ss7_rows,
	show_route_rows,
	show_lookup_rows,
	show_statistics_rows,
	show_workers_rows,
	show_sctp_rows,
	show_version_rows,
	NULL,
};

void show_error(struct show *s, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(s->error, sizeof(s->error), fmt, ap);
	va_end(ap);
}

static void emit_error(const char *error, bool json, void (*line)(void *, const char *), void *arg)
{
	if (json) {
		struct walk *w = walk_json_new(line, arg);
		walk_str(w, "error", error);
		walk_done(w);
		return;
	}
	char text[sizeof(((struct show *)NULL)->error) + 4];
	snprintf(text, sizeof(text), "%% %s", error);
	line(arg, text);
}

bool show_run(const struct show_row *row, struct show *s, bool json,
	void (*line)(void *arg, const char *text), void *arg)
{
	s->w = json ? walk_json_new(line, arg) : walk_text_new(line, arg);
	s->now_ms = clock_ms();
	s->error[0] = '\0';
	row->show(s);
	if (!s->error[0]) {
		walk_done(s->w);
		return true;
	}
	walk_drop(s->w);
	emit_error(s->error, json, line, arg);
	return false;
}

struct sg_network *show_arg_network(struct show *s, unsigned i)
{
	struct sg_network *net = sg_network_by_name(s->sg, s->argv[i]);
	if (!net)
		show_error(s, "no network named %s (see show network)", s->argv[i]);
	return net;
}

struct asp *show_arg_asp(struct show *s, unsigned i)
{
	struct asp *asp = sg_asp_by_name(s->sg, s->argv[i]);
	if (!asp)
		show_error(s, "no ASP named %s (see show asp)", s->argv[i]);
	return asp;
}

struct as *show_arg_as(struct show *s, unsigned i)
{
	struct as *as = sg_as_by_name(s->sg, s->argv[i]);
	if (!as)
		show_error(s, "no AS named %s (see show as)", s->argv[i]);
	return as;
}

void show_since(struct show *s, const char *key, uint64_t since_ms)
{
	walk_ms(s->w, key, s->now_ms > since_ms ? s->now_ms - since_ms : 0);
}

void show_pc(struct show *s, const char *key, const struct sg_network *net, uint32_t pc)
{
	char text[PC_STR];
	walk_str(s->w, key, pc_str(pc, &net->conf->format, text, sizeof(text)));
}

void show_destination_pc(
	struct show *s, const char *key, const struct sg_network *net, uint32_t pc, uint8_t mask)
{
	char text[PC_STR], masked[PC_STR + 4];

	if (mask >= pc_bits((enum pc_variant)net->conf->variant)) {
		walk_str(s->w, key, "default");
		return;
	}
	pc_str(pc, &net->conf->format, text, sizeof(text));
	snprintf(masked, sizeof(masked), "%s/%u", text, mask);
	walk_str(s->w, key, mask ? masked : text);
}

void show_pc_item(struct show *s, const struct sg_network *net, uint32_t pc)
{
	show_pc(s, NULL, net, pc);
}

void show_counters(struct show *s, const uint64_t *c)
{
	walk_object(s->w, "counters");
	for (unsigned i = 0; i < AC_COUNT; i++)
		walk_counter(s->w, assoc_counter_rows[i].name, c[i], assoc_counter_rows[i].text, false);
	walk_object_end(s->w);
}

void show_drops(struct show *s, const uint64_t *drops)
{
	walk_object(s->w, "drops");
	for (unsigned i = 0; i < DROP_COUNT; i++)
		walk_counter(s->w, drop_name(i), drops[i], drop_text(i), true);
	walk_object_end(s->w);
}
