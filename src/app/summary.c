/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One line at start: what runs, and what this machine can do. */
#include <sched.h>
#include <stdio.h>
#include <string.h>

#include "app/app_int.h"
#include "base/log.h"
#include "sctp/addr.h"

/* A line that is put together piece by piece; what does not fit is left out. */
struct line {
	char text[512];
	size_t len;
};

static void add(struct line *l, const char *a, const char *b, const char *c)
{
	int n = snprintf(l->text + l->len, sizeof(l->text) - l->len, "%s%s%s", a, b, c);

	l->len += (size_t)n < sizeof(l->text) - l->len ? (size_t)n : sizeof(l->text) - l->len - 1;
}

/* One per core that we may use, at most PLANE_MAX_WORKERS. */
unsigned app_workers(const struct conf *conf)
{
	cpu_set_t set;
	int n = sched_getaffinity(0, sizeof(set), &set) == 0 ? CPU_COUNT(&set) : 1;

	if (conf->workers)
		return conf->workers;
	return n > PLANE_MAX_WORKERS ? PLANE_MAX_WORKERS : (unsigned)n;
}

static void add_transports(struct line *l)
{
	static const struct tp_ops *const all[] = {&tp_kernel, &tp_embedded, &tp_tcp};
	char why[TP_REASON];

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		why[0] = '\0';
		if (all[i]->available(why, sizeof(why)))
			add(l, i ? ", " : "; transports ", all[i]->name, "");
		else
			add(l, i ? ", no " : "; transports no ", all[i]->name, "");
		if (why[0])
			add(l, " (", why, ")");
	}
}

static void add_listener(struct line *l, const struct listener_conf *c)
{
	char address[TP_ADDR_STR], port[8];

	snprintf(port, sizeof(port), "%u", c->tp.local_port);
	add(l, c->name, " (", tp_kind_name(c->tp.kind));
	for (unsigned i = 0; i < c->tp.n_local; i++)
		add(l, " ", tp_addr_str(&c->tp.local[i], address, sizeof(address)), "");
	add(l, " port ", port, ")");
}

void log_summary(const struct app *app)
{
	const struct sg_conf *sg = &app->conf->sg;
	struct line l = {.len = 0};

	add_transports(&l);
	for (unsigned i = 0; i < sg->n_listeners; i++) {
		add(&l, i ? ", " : "; listeners ", "", "");
		add_listener(&l, &sg->listeners[i]);
	}
	LOGP(DMAIN, LOGL_NOTICE, "signalboxd %s started: node %s, %u workers%s; %u ASPs, %u ASs\n",
		PACKAGE_VERSION, app->conf->node_name, plane_workers(app->plane), l.text, sg->n_asps,
		sg->n_ass);
}
