/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is said of a peer, configured or admitted by a template: Application Servers made for its keys, its
 * oddities; and the templates. */
#include "conf/schema_row.h"

const struct enum_name rkm_policies[] = {
	{"off", RKM_OFF}, {"static", RKM_STATIC}, {"match", RKM_MATCH}, {"dynamic", RKM_DYNAMIC}, {NULL, 0}};

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

/* ---- peers that are not configured one by one ---- */

static const struct row template_rows[] = {
	{.key = "name",
		.type = &value_name,
		AT(template_conf, asp.name),
		RANGE(1, 40),
		.mandatory = true,
		.help = "What its peers' names begin with: NAME-ADDRESS:PORT."},
	{.key = "listener",
		.type = &value_reference,
		AT(template_conf, asp.listener),
		.dflt_text = "any",
		.help = "The only listener it is for."},
	{.key = "prefix",
		.type = &value_prefix,
		AT(template_conf, prefix),
		.mandatory = true,
		.help = "The peers' addresses: `10.0.0.0/8`, `2001:db8::/32`; one of a peer's is enough. Of "
			"several "
			"templates the longest prefix counts."},
	{.key = "first-port",
		.type = &value_number,
		AT(template_conf, port_first),
		RANGE(0, 65535),
		.help = "The lowest of the ports that they may come from."},
	{.key = "last-port",
		.type = &value_number,
		AT(template_conf, port_last),
		RANGE(0, 65535),
		.dflt = 65535,
		.help = "The highest."},
	{.key = "max-peers",
		.type = &value_number,
		AT(template_conf, max_peers),
		RANGE(1, 65535),
		.dflt = 64,
		.help = "How many may be there at a time; more are refused."},
#include "conf/schema_peer_rows.h"
	SCTP_GROUP(asp_conf, tp, RELOAD_NEXT),
};
_Static_assert(offsetof(struct template_conf, asp) == 0, "its rows are those of a peer");

static void template_init(void *obj, const struct conf *c)
{
	((struct template_conf *)obj)->asp.tp = c->sctp;
}

const struct section template_section = {SECTION("peer template", template_rows),
	.size = sizeof(struct template_conf), .init = template_init,
	.text = "Who else may come: peers that no ASP is configured for, as ASPs of the gateway (role "
		"`sgp`). Each "
		"exists as long as its association. They serve what they register (`rkm`)."};
