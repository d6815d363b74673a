/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Application Server Processes. */
#include "conf/schema_row.h"

static const struct enum_name sides[] = {{"server", ASP_SERVER}, {"client", ASP_CLIENT}, {NULL, 0}};

/* ---- conditions ---- */

static bool is_client(const void *obj)
{
	return ((const struct asp_conf *)obj)->side == ASP_CLIENT;
}

static bool is_server(const void *obj)
{
	return ((const struct asp_conf *)obj)->side == ASP_SERVER;
}

static const struct condition client_only = {is_client, "side = \"client\""};
static const struct condition server_only = {is_server, "side = \"server\""};

static const struct enum_name policies[] = {
	{"off", RKM_OFF}, {"static", RKM_STATIC}, {"match", RKM_MATCH}, {"dynamic", RKM_DYNAMIC}, {NULL, 0}};

/* ---- ASPs ---- */

static const struct row asp_rows[] = {
	{.key = "name",
		.type = &value_name,
		AT(asp_conf, name),
		RANGE(1, 63),
		.mandatory = true,
		.help = "How Application Servers and the console refer to it."},
	{.key = "side",
		.type = &value_enum,
		AT(asp_conf, side),
		.names = sides,
		.dflt = ASP_SERVER,
		.reload = RELOAD_REPLACE,
		.help = "The gateway's side of the association: `server` waits for the ASP, `client` "
			"connects "
			"to it."},
	{.key = "listener",
		.type = &value_reference,
		AT(asp_conf, listener),
		.when = &server_only,
		.dflt_text = "any",
		.reload = RELOAD_REPLACE,
		.help = "The only listener it may come to."},
	{.key = "remote-addresses",
		.type = &value_addresses,
		LIST_AT(asp_conf, tp.remote, tp.n_remote),
		RANGE(1, TP_MAX_ADDRS),
		.mandatory = true,
		.reload = RELOAD_REPLACE,
		.help = "The peer's addresses: it is recognized by any of them, or connected to."},
	{.key = "remote-port",
		.type = &value_number,
		AT(asp_conf, tp.remote_port),
		RANGE(0, 65535),
		.dflt_text = "0 for a server, 2905 for a client",
		.reload = RELOAD_REPLACE,
		.help = "The peer's SCTP or TCP port; server side: 0 means any. Several ASPs of one address "
			"are "
			"told apart by it."},
	{.key = "remote-udp-port",
		.type = &value_number,
		AT(asp_conf, tp.remote_udp_port),
		RANGE(0, 65535),
		.reload = RELOAD_REPLACE,
		.help = "Embedded transport over UDP: the peer's port; 0: 9899 for a client, as it comes for "
			"a "
			"server."},
	{.key = "transport",
		.type = &value_enum,
		AT(asp_conf, tp.kind),
		.names = transport_names,
		.dflt = TP_AUTO,
		.when = &client_only,
		.reload = RELOAD_REPLACE,
		.help = "As for a listener; on the server side the listener decides."},
	{.key = "encapsulation",
		.type = &value_enum,
		AT(asp_conf, tp.encap),
		.names = encapsulation_names,
		.dflt = TP_ENCAP_UDP,
		.when = &client_only,
		.reload = RELOAD_REPLACE,
		.help = "As for a listener."},
	{.key = "local-addresses",
		.type = &value_addresses,
		LIST_AT(asp_conf, tp.local, tp.n_local),
		RANGE(0, TP_MAX_ADDRS),
		.when = &client_only,
		.reload = RELOAD_REPLACE,
		.help = "Addresses to connect from; none: the system chooses."},
	{.key = "local-port",
		.type = &value_number,
		AT(asp_conf, tp.local_port),
		RANGE(0, 65535),
		.when = &client_only,
		.reload = RELOAD_REPLACE,
		.help = "Port to connect from; 0: the system chooses."},
	{.key = "local-udp-port",
		.type = &value_number,
		AT(asp_conf, tp.local_udp_port),
		RANGE(0, 65535),
		.when = &client_only,
		.reload = RELOAD_REPLACE,
		.help = "Embedded transport over UDP: port to send from; 0: 9899."},
	{.key = "identifier",
		.type = &value_number,
		AT(asp_conf, id),
		OPTIONAL(asp_conf, has_id),
		RANGE(0, UINT32_MAX),
		.help = "ASP Identifier (RFC 4666 s.3.5.1) it must present, if it presents one."},
	{.key = "require-identifier",
		.type = &value_bool,
		AT(asp_conf, require_id),
		.help = "Refuse an ASP Up without an ASP Identifier (Error 0x0e)."},
	{.key = "blocked",
		.type = &value_bool,
		AT(asp_conf, blocked),
		.help = "Blocked by management from the start: up but never active. The console can change "
			"it."},
	{.key = "beat",
		.type = &value_number,
		AT(asp_conf, beat_ms),
		RANGE(0, 3600000),
		.unit = "ms",
		.help = "Interval of M3UA BEAT messages (not SCTP's heartbeats); 0: none."},
	{.key = "beat-timeout",
		.type = &value_number,
		AT(asp_conf, beat_timeout_ms),
		RANGE(100, 3600000),
		.dflt = 10000,
		.unit = "ms",
		.help = "A BEAT without acknowledgement for this long ends the association."},
	{.key = "reconnect-min",
		.type = &value_number,
		AT(asp_conf, reconnect_min_ms),
		RANGE(10, 600000),
		.dflt = 500,
		.unit = "ms",
		.when = &client_only,
		.help = "First wait before connecting again. It doubles at each failure, with jitter, for "
			"ever."},
	{.key = "reconnect-max",
		.type = &value_number,
		AT(asp_conf, reconnect_max_ms),
		RANGE(10, 3600000),
		.dflt = 30000,
		.unit = "ms",
		.when = &client_only,
		.help = "Longest wait."},
	{.key = "transmit-queue",
		.type = &value_number,
		AT(asp_conf, txq_limit),
		RANGE(16, 1048576),
		.dflt = 8192,
		.unit = "messages",
		.reload = RELOAD_NEXT,
		.help = "Messages that may wait for the transport; congestion levels 1, 2, 3 begin at 50, 75 "
			"and "
			"90 % of it, and beyond it they are discarded and counted."},
	{.key = "rkm",
		.type = &value_enum,
		AT(asp_conf, rkm.policy),
		.names = policies,
		.dflt = RKM_OFF,
		.help = "What it may register (RFC 4666 s.4.4). `off`: nothing, not even ask. `static`: "
			"nothing "
			"new; what it is configured into is told with its Routing Context. `match`: keys of "
			"configured Application Servers, which it then joins. `dynamic`: any key that "
			"clashes "
			"with no other; an Application Server is made for it."},
	{.key = "rkm-limit",
		.type = &value_number,
		AT(asp_conf, rkm.limit),
		RANGE(1, 4096),
		.dflt = 32,
		.unit = "keys",
		.help = "How many it may have registered at a time."},
	{.key = "rkm-network",
		.type = &value_reference,
		AT(asp_conf, rkm.network),
		.dflt_text = "where it is unambiguous",
		.help = "The network of keys that it registers without a Network Appearance."},
	{.key = "rkm-as",
		.type = &value_group,
		AT(asp_conf, rkm),
		.sub = &rkm_as_section,
		.help = "Of Application Servers made for its keys."},
	{.key = "compat",
		.type = &value_group,
		AT(asp_conf, compat),
		.sub = &compat_section,
		.help = "What it does otherwise than the standard, and is forgiven."},
	SCTP_GROUP(asp_conf, RELOAD_NEXT),
};

static void asp_init(void *obj, const struct conf *c)
{
	((struct asp_conf *)obj)->tp = c->sctp;
}

static void asp_finish(void *obj)
{
	struct asp_conf *asp = obj;

	if (asp->side == ASP_CLIENT && !asp->tp.remote_port)
		asp->tp.remote_port = 2905; /* RFC 4666 s.1.4.8 */
}

const struct section asp_section = {SECTION("asp", asp_rows), .size = sizeof(struct asp_conf),
	.init = asp_init, .finish = asp_finish,
	.text = "Application Server Processes: one association each."};
