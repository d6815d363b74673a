/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Networks and Application Servers. */
#include "conf/schema_row.h"

static const struct enum_name variants[] = {
	{"itu", PC_ITU}, {"ansi", PC_ANSI}, {"china", PC_CHINA}, {"japan", PC_JAPAN}, {NULL, 0}};
const struct enum_name traffic_modes[] = {
	{"override", FWD_OVERRIDE}, {"loadshare", FWD_LOADSHARE}, {"broadcast", FWD_BROADCAST}, {NULL, 0}};
const struct enum_name load_share_keys[] = {
	{"sls", FWD_KEY_SLS}, {"opc-sls", FWD_KEY_OPC_SLS}, {"cic", FWD_KEY_CIC}, {NULL, 0}};

static bool is_loadshare(const void *obj)
{
	return ((const struct as_conf *)obj)->mode == FWD_LOADSHARE;
}

static const struct condition loadshare_only = {is_loadshare, "traffic-mode = \"loadshare\""};

/* ---- networks ---- */

static const struct row network_rows[] = {
	{.key = "name",
		.type = &value_name,
		AT(network_conf, name),
		RANGE(1, 63),
		.mandatory = true,
		.help = "How Application Servers refer to it."},
	{.key = "variant",
		.type = &value_enum,
		AT(network_conf, variant),
		.names = variants,
		.dflt = PC_ITU,
		.reload = RELOAD_REPLACE,
		.help = "Width of a point code: 14 bits (ITU), 24 bits (ANSI, China), 16 bits (Japan)."},
	{.key = "format",
		.type = &value_format,
		AT(network_conf, format),
		.dflt_text = "usual for the variant",
		.help = "Notation of point codes: field widths from the most significant on, with their "
			"delimiter: "
			"\"3-8-3\", \"8.8.8\", or \"14\" for a plain number. Plain numbers are always "
			"understood."},
	{.key = "indicator",
		.type = &value_number,
		AT(network_conf, ni),
		RANGE(0, 3),
		.dflt = 2,
		.reload = RELOAD_REPLACE,
		.help = "Network indicator (Q.704 s.14.2.2): 0 international, 2 national, 1 and 3 their "
			"spares."},
	{.key = "check-indicator",
		.type = &value_bool,
		AT(network_conf, check_ni),
		.reload = RELOAD_REPLACE,
		.help = "Refuse DATA that carries another network indicator. It is relayed unchanged "
			"otherwise."},
	{.key = "sls-bits",
		.type = &value_number,
		AT(network_conf, sls.bits),
		RANGE(4, 8),
		.dflt_text = "8 for ANSI, else 4",
		.reload = RELOAD_REPLACE,
		.help = "How many bits an SLS has on links: 4; in ANSI networks 5 or 8. They share the "
			"load."},
	{.key = "linkset-bit",
		.type = &value_number,
		AT(network_conf, sls.linkset_bit),
		RANGE(1, 8),
		.dflt_text = "1 for ANSI, else the highest",
		.reload = RELOAD_REPLACE,
		.help = "Which bit of the SLS, from 1 for the lowest, chooses between the linksets of a "
			"combined "
			"linkset (routes of one priority); the others choose the link. It had better not be "
			"the one by which neighbours choose this gateway or its mate; in ANSI networks that "
			"comes of the rotation."},
	{.key = "point-codes",
		.type = &value_point_codes,
		LIST_AT(network_conf, pcs, n_pcs),
		RANGE(0, 4096),
		.reload = RELOAD_REPLACE,
		.help = "The gateway's own point codes in this network."},
	{.key = "network-appearance",
		.type = &value_number,
		AT(network_conf, na),
		OPTIONAL(network_conf, has_na),
		RANGE(0, UINT32_MAX),
		.reload = RELOAD_REPLACE,
		.help = "Network Appearance (RFC 4666 s.3.3.1) that DATA carries towards ASPs and must "
			"carry, "
			"if any, from them; none: the parameter is not sent."},
	{.key = "t8",
		.type = &value_number,
		AT(network_conf, t8_ms),
		RANGE(100, 60000),
		.dflt = 1000,
		.unit = "ms",
		.help = "At most one DUNA per point code and sender in this time (Q.704 T8: 800 to 1200 "
			"ms)."},
};

static void network_enter(struct scope *scope, const void *obj)
{
	scope->network = obj;
}

static void network_finish(void *obj)
{
	struct network_conf *n = obj;

	if (!n->sls.bits)
		n->sls.bits = n->variant == PC_ANSI ? 8 : 4;
	if (!n->sls.linkset_bit)
		n->sls.linkset_bit = n->variant == PC_ANSI ? 1 : n->sls.bits;
}

const struct section network_section = {SECTION("network", network_rows), .size = sizeof(struct network_conf),
	.enter = network_enter, .finish = network_finish,
	.text = "One SS7 network each. Point codes, routing keys and Routing Contexts belong to a network."};

/* ---- Application Servers ---- */

static const struct row key_rows[] = {
	{.key = "dpc",
		.type = &value_point_code,
		AT(key_conf, dpc),
		.mandatory = true,
		.help = "Destination point code."},
	{.key = "si",
		.type = &value_service_indicators,
		LIST_AT(key_conf, si, n_si),
		RANGE(0, 16),
		.help = "Service indicators, by name or number; none: every user part."},
	{.key = "opc",
		.type = &value_point_codes,
		LIST_AT(key_conf, opc, n_opc),
		RANGE(0, 65536),
		.help = "Origins; none: every one."},
};

static const struct section key_section = {SECTION("routing key", key_rows), .size = sizeof(struct key_conf),
	.text = "What the Application Server serves; the most specific key wins."};

static const struct row as_rows[] = {
	{.key = "name",
		.type = &value_name,
		AT(as_conf, name),
		RANGE(1, 63),
		.mandatory = true,
		.help = "How the console refers to it."},
	{.key = "network",
		.type = &value_reference,
		AT(as_conf, network),
		.mandatory = true,
		.reload = RELOAD_REPLACE,
		.help = "Its network."},
	{.key = "routing-context",
		.type = &value_number,
		AT(as_conf, rc),
		OPTIONAL(as_conf, has_rc),
		RANGE(0, UINT32_MAX),
		.reload = RELOAD_REPLACE,
		.help = "Routing Context (RFC 4666 s.1.4.2); may be left out where its ASPs serve nothing "
			"else, or allocate it themselves (`register`)."},
	{.key = "own-routing-context",
		.type = &value_number,
		AT(as_conf, own_rc),
		OPTIONAL(as_conf, has_own_rc),
		RANGE(0, UINT32_MAX),
		.reload = RELOAD_REPLACE,
		.help = "Double exchange (ASPs of role `ipsp-de`): the Routing Context of the gateway's "
			"side, "
			"which "
			"DATA from the peers carries; without it, both directions have the same."},
	{.key = "traffic-mode",
		.type = &value_enum,
		AT(as_conf, mode),
		.names = traffic_modes,
		.dflt = FWD_LOADSHARE,
		.reload = RELOAD_REPLACE,
		.help = "`override`: one ASP carries all. `loadshare`: the active ones share. `broadcast`: "
			"every "
			"active one gets every message."},
	{.key = "load-share-key",
		.type = &value_enum,
		AT(as_conf, share_key),
		.names = load_share_keys,
		.dflt = FWD_KEY_SLS,
		.when = &loadshare_only,
		.help = "What keeps a flow at its ASP. `sls` spreads over as many ASPs as there are SLS "
			"values (16 "
			"for ITU); `opc-sls` and `cic` (ISUP) over more."},
	{.key = "recovery-time",
		.type = &value_number,
		AT(as_conf, t_r_ms),
		RANGE(0, 600000),
		.dflt = 2000,
		.unit = "ms",
		.help = "T(r) (RFC 4666 s.4.3.2): how long messages wait for an ASP after the last one has "
			"left."},
	{.key = "pending-limit",
		.type = &value_number,
		AT(as_conf, pending_limit),
		RANGE(0, 1000000),
		.dflt = 10000,
		.unit = "messages",
		.help = "How many may wait so; more are discarded and counted."},
	{.key = "minimum-asps",
		.type = &value_number,
		AT(as_conf, min_asps),
		RANGE(1, 4096),
		.dflt = 1,
		.help = "With fewer active ones, the others are told of insufficient resources "
			"(RFC 4666 s.3.8.2)."},
	{.key = "asps",
		.type = &value_references,
		LIST_AT(as_conf, asps, n_asps),
		RANGE(0, 4096),
		.help = "The ASPs that serve it; in override mode the first one that becomes active carries "
			"the traffic."},
	{.key = "routing-keys",
		.type = &value_list,
		LIST_AT(as_conf, keys, n_keys),
		RANGE(0, 1000000),
		.sub = &key_section,
		.help = "Which traffic it serves."},
};

static void as_enter(struct scope *scope, const void *obj)
{
	scope->network_name = &((const struct as_conf *)obj)->network;
}

const struct section as_section = {SECTION("application server", as_rows), .size = sizeof(struct as_conf),
	.enter = as_enter, .text = "Application Servers: who serves which traffic."};
