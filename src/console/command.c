/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "console/command.h"

#include <osmocom/core/linuxlist.h>
#include <osmocom/core/utils.h>
#include <osmocom/vty/command.h>
#include <osmocom/vty/telnet_interface.h>
#include <osmocom/vty/vty.h>
#include <stdbool.h>
#include <string.h>
#include <talloc.h>

#include "conf/conf.h"
#include "console/operate.h"
#include "console/show.h"

/* libosmovty exports it and declares it nowhere: the commands by node. */
extern vector cmdvec;

struct show_command {
	struct cmd_element element;
	const struct show_row *row;
	bool json;
};

struct operate_command {
	struct cmd_element element;
	const struct operate_row *row;
	bool json;
};

static const struct command_context *context(const struct vty *vty)
{
	const struct telnet_connection *t = vty->priv;
	return t->priv;
}

static void line_out(void *arg, const char *text)
{
	struct vty *vty = arg;
	vty_out(vty, "%s%s", text, VTY_NEWLINE);
}

static int run_show(struct cmd_element *self, struct vty *vty, int argc, const char *argv[])
{
	const struct show_command *c = container_of(self, struct show_command, element);
	const struct command_context *cx = context(vty);
	struct show s = {.sg = cx->sg,
		.ss7 = cx->ops.ss7,
		.conf = cx->ops.conf(cx->ops.arg),
		.argv = argv,
		.started_ms = cx->started_ms};

	(void)argc;
	return show_run(c->row, &s, c->json, line_out, vty) ? CMD_SUCCESS : CMD_WARNING;
}

static int run_operate(struct cmd_element *self, struct vty *vty, int argc, const char *argv[])
{
	const struct operate_command *c = container_of(self, struct operate_command, element);
	const struct command_context *cx = context(vty);
	const struct operate_on on = {.sg = cx->sg, .ss7 = cx->ops.ss7};

	(void)argc;
	return operate_run(c->row, &on, argv, c->json, line_out, vty) ? CMD_SUCCESS : CMD_WARNING;
}

static void install_show(void *ctx, const struct show_row *row, bool json)
{
	struct show_command *c = talloc_zero(ctx, struct show_command);
	c->row = row;
	c->json = json;
	c->element.func = run_show;
	c->element.string = talloc_asprintf(c, "show %s%s", row->command, json ? " json" : "");
	c->element.doc = talloc_asprintf(c, SHOW_STR "%s%s", row->help, json ? "As JSON\n" : "");
	install_element_ve(&c->element);
}

static void install_operate(void *ctx, const struct operate_row *row, bool json)
{
	struct operate_command *c = talloc_zero(ctx, struct operate_command);
	c->row = row;
	c->json = json;
	c->element.func = run_operate;
	c->element.string = talloc_asprintf(c, "%s%s", row->command, json ? " json" : "");
	c->element.doc = talloc_asprintf(c, "%s%s", row->help, json ? "Answer in JSON\n" : "");
	install_element(ENABLE_NODE, &c->element);
}

/* ---- libosmocore's own commands ---- */

static int refuse(struct cmd_element *self, struct vty *vty, int argc, const char *argv[])
{
	const struct command_context *cx = context(vty);
	const char *file = cx->ops.conf(cx->ops.arg)->file;

	(void)self;
	(void)argc;
	(void)argv;
	vty_out(vty, "%% The console does not edit the configuration: change %s, check it with%s", file,
		VTY_NEWLINE);
	vty_out(vty, "%% signalboxd --check %s, and reload (systemctl reload signalboxd, or SIGHUP).%s", file,
		VTY_NEWLINE);
	return CMD_WARNING;
}

static int refuse_shutdown(struct cmd_element *self, struct vty *vty, int argc, const char *argv[])
{
	(void)self;
	(void)argc;
	(void)argv;
	vty_out(vty, "%% The service manager stops the gateway: systemctl stop signalboxd, or SIGTERM.%s",
		VTY_NEWLINE);
	return CMD_WARNING;
}

/* What becomes of them: a clear answer instead, out of `list` and completion; or (no function) gone, because
 * one of ours has its name. */
static const struct override {
	const char *command;
	int (*func)(struct cmd_element *, struct vty *, int, const char *[]);
} overrides[] = {
	{"show version", NULL},
	{"configure terminal", refuse},
	{"write terminal", refuse},
	{"write file [PATH]", refuse},
	{"write memory", refuse},
	{"write", refuse},
	{"copy running-config startup-config", refuse},
	{"show running-config", refuse},
	{"show startup-config", refuse},
	{"shutdown", refuse_shutdown},
};

static void override_at(vector commands, const struct override *o)
{
	for (unsigned i = 0; i < vector_active(commands); i++) {
		struct cmd_element *e = vector_slot(commands, i);
		if (!e || strcmp(e->string, o->command) != 0)
			continue;
		if (o->func) {
			e->func = o->func;
			e->attr |= CMD_ATTR_HIDDEN;
			return;
		}
		/* install_element() wants no gaps */
		vector_slot(commands, i) = vector_slot(commands, vector_active(commands) - 1);
		commands->active--;
		return;
	}
}

static void override_library(void)
{
	static const int nodes[] = {VIEW_NODE, ENABLE_NODE};

	for (size_t n = 0; n < ARRAY_SIZE(nodes); n++) {
		struct cmd_node *node = vector_lookup(cmdvec, (unsigned)nodes[n]);
		for (size_t i = 0; node && i < ARRAY_SIZE(overrides); i++)
			override_at(node->cmd_vector, &overrides[i]);
	}
}

void commands_install(void *talloc_ctx)
{
	override_library();
	for (const struct show_row *const *area = show_areas; *area; area++) {
		for (const struct show_row *row = *area; row->command; row++) {
			install_show(talloc_ctx, row, false);
			install_show(talloc_ctx, row, true);
		}
	}
	for (const struct operate_row *const *area = operate_areas; *area; area++) {
		for (const struct operate_row *row = *area; row->command; row++) {
			install_operate(talloc_ctx, row, false);
			install_operate(talloc_ctx, row, true);
		}
	}
}
