/* SPDX-License-Identifier: GPL-2.0-or-later */
/* SIGHUP: the file is loaded and checked whole; then the difference is applied, or nothing is. */
#include <talloc.h>

#include "app/app_int.h"
#include "base/log.h"
#include "console/console.h"

void log_findings(const struct conf_errors *errors)
{
	char line[600];

	for (unsigned i = 0; i < errors->n; i++)
		LOGP(DCONF, errors->list[i].warning ? LOGL_NOTICE : LOGL_ERROR, "%s\n",
			conf_error_str(&errors->list[i], line, sizeof(line)));
}

static void apply(struct app *app, struct conf *new)
{
	static const char *const objects[] = {[SG_NETWORK] = "network",
		[SG_LISTENER] = "listener",
		[SG_ASP] = "asp",
		[SG_TEMPLATE] = "peer template",
		[SG_AS] = "as",
		[SG_LINK] = "link",
		[SG_LINKSET] = "linkset",
		[SG_ROUTES] = "list of"};
	static const char *const ops[] = {[SG_ADD] = "added",
		[SG_REMOVE] = "removed",
		[SG_UPDATE] = "updated in place",
		[SG_REPLACE] = "replaced"};
	struct conf *old = app->conf;
	const char *restart;
	unsigned n;
	struct sg_change *changes = conf_diff(old, new, &n, &restart);

	if (restart)
		LOGP(DCONF, LOGL_NOTICE, "reload: \"%s\" keeps its value until signalboxd is restarted\n",
			restart);
	conf_keep_running(old, new);
	for (unsigned i = 0; i < n; i++)
		LOGP(DCONF, LOGL_NOTICE, "reload: %s %s: %s%s%s%s%s\n", objects[changes[i].object],
			changes[i].name, ops[changes[i].op],
			changes[i].next ? ", from its next association on" : "", changes[i].why ? " (" : "",
			changes[i].why ? changes[i].why : "", changes[i].why ? ")" : "");
	app->conf = new;
	logging_apply(new);
	console_set_name(new->node_name);
	ss7_prepare(app->ss7, &new->ss7, &new->sg, changes, n);
	sg_apply(app->sg, &new->sg, changes, n);
	ss7_apply(app->ss7);
	LOGP(DCONF, LOGL_NOTICE, "reload: %s: %u change%s\n", app->file, n, n == 1 ? "" : "s");
	talloc_free(changes);
	conf_free(old);
}

/* A file that is just being written may be empty, and is lawful: nobody means it. */
static bool is_empty(const struct conf *c)
{
	return !c->sg.n_listeners && !c->sg.n_asps && !c->sg.n_ass && !c->ss7.n_linksets;
}

void app_reload(struct app *app)
{
	struct conf_errors errors;
	struct conf *new;

	if (app->stopping)
		return;
	notify_reloading(app);
	new = conf_load(app->file, &errors);
	log_findings(&errors);
	conf_errors_free(&errors);
	if (new && (!is_empty(new) || is_empty(app->conf))) {
		apply(app, new);
	} else {
		LOGP(DCONF, LOGL_ERROR, "reload: %s %s: nothing was changed\n", app->file,
			new ? "has no listener, ASP, AS or linkset" : "is not acceptable");
		conf_free(new);
	}
	notify_reloaded(app);
}
