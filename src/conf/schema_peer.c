/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is said of a peer in groups of their own: Application Servers made for its keys, its oddities. */
#include "conf/schema_row.h"

static bool is_loadshare(const void *obj)
{
	return ((const struct rkm_conf *)obj)->mode == FWD_LOADSHARE;
}

static const struct condition loadshare_only = {is_loadshare, "traffic-mode = \"loadshare\""};

static const struct row rkm_as_rows[] = {
	{.key = "traffic-mode",
		.type = &value_enum,
		AT(rkm_conf, mode),
		.names = traffic_modes,
		.dflt = FWD_LOADSHARE,
		.help = "Of a key that is registered without a Traffic Mode Type."},
	{.key = "load-share-key",
		.type = &value_enum,
		AT(rkm_conf, share_key),
		.names = load_share_keys,
		.dflt = FWD_KEY_SLS,
		.when = &loadshare_only,
		.help = "As for a configured one."},
	{.key = "recovery-time",
		.type = &value_number,
		AT(rkm_conf, t_r_ms),
		RANGE(0, 600000),
		.dflt = 2000,
		.unit = "ms",
		.help = "T(r). An ASP that returns and registers within it finds its Routing Context and "
			"what "
			"waited for it."},
	{.key = "pending-limit",
		.type = &value_number,
		AT(rkm_conf, pending_limit),
		RANGE(0, 1000000),
		.dflt = 1000,
		.unit = "messages",
		.help = "How many may wait so."},
};

const struct section rkm_as_section = {SECTION("rkm-as", rkm_as_rows), .size = sizeof(struct rkm_conf),
	.text = "Application Servers that are made for keys that the peer registers. They keep the values "
		"that "
		"they were made with."};

static const struct row compat_rows[] = {
#define X(field, k, reload_, text)                                                                           \
	{.key = (k), .type = &value_bool, AT(compat_conf, field), .reload = RELOAD_##reload_, .help = (text)},
	COMPAT_SWITCHES(X)
#undef X
};

const struct section compat_section = {SECTION("compat", compat_rows), .size = sizeof(struct compat_conf),
	.text = "Peers that do otherwise than RFC 4666. Everything here is off unless it is asked for, and "
		"`show asp NAME` tells what is on."};
