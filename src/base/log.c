/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/log.h"

#include <osmocom/core/application.h>
#include <osmocom/core/utils.h>

static const struct log_info_cat categories[] = {
	[DMAIN] = {.name = "DMAIN",
		.description = "start, stop, reload",
		.enabled = 1,
		.loglevel = LOGL_NOTICE},
	[DCONF] = {.name = "DCONF", .description = "configuration", .enabled = 1, .loglevel = LOGL_NOTICE},
	[DSCTP] = {.name = "DSCTP",
		.description = "associations and paths",
		.enabled = 1,
		.loglevel = LOGL_NOTICE},
	[DASP] = {.name = "DASP",
		.description = "ASP states and messages",
		.enabled = 1,
		.loglevel = LOGL_NOTICE},
	[DAS] = {.name = "DAS", .description = "AS states", .enabled = 1, .loglevel = LOGL_NOTICE},
	[DROUTE] = {.name = "DROUTE",
		.description = "routing and destinations",
		.enabled = 1,
		.loglevel = LOGL_NOTICE},
	[DM2PA] = {.name = "DM2PA",
		.description = "states of M2PA links",
		.enabled = 1,
		.loglevel = LOGL_NOTICE},
	[DVTY] = {.name = "DVTY", .description = "console", .enabled = 1, .loglevel = LOGL_NOTICE},
};

static const struct log_info info = {.cat = categories, .num_cat = ARRAY_SIZE(categories)};

void log_setup(void *ctx)
{
	osmo_init_logging2(ctx, &info);
}
