/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Application Server Processes. */
#include "conf/schema_row.h"

static const struct enum_name sides[] = {{"server", ASP_SERVER}, {"client", ASP_CLIENT}, {NULL, 0}};
static const struct enum_name role_names[] = {{"sgp", ROLE_SGP}, {"asp", ROLE_ASP}, {"ipsp-se", ROLE_IPSP_SE},
	{"ipsp-de", ROLE_IPSP_DE}, {NULL, 0}};

/* ---- conditions ---- */

static bool is_client(const void *obj)
{
	return ((const struct asp_conf *)obj)->side == ASP_CLIENT;
}

static bool is_server(const void *obj)
{
	return ((const struct asp_conf *)obj)->side == ASP_SERVER;
}

static bool asks(const void *obj)
{
	return ((const struct asp_conf *)obj)->role != ROLE_SGP;
}

static bool is_asp(const void *obj)
{
	return ((const struct asp_conf *)obj)->role == ROLE_ASP;
}

static const struct condition asking_only = {asks, "role = \"asp\", \"ipsp-se\" or \"ipsp-de\""};
static const struct condition asp_only = {is_asp, "role = \"asp\""};
static const struct condition client_only = {is_client, "side = \"client\""};
static const struct condition server_only = {is_server, "side = \"server\""};

/* ---- ASPs ---- */

static const struct row asp_rows[] = {
	{.key = "name",
		.type = &value_name,
		AT(asp_conf, name),
		RANGE(1, 63),
		.mandatory = true,
		.help = "How Application Servers and the console refer to it."},
	{.key = "role",
		.type = &value_enum,
		AT(asp_conf, role),
		.names = role_names,
		.dflt = ROLE_SGP,
		.reload = RELOAD_REPLACE,
		.help = "What the gateway is towards this peer, whoever opens the association. `sgp`: the "
			"peer is "
			"an ASP that it serves. `asp`: the peer is a signalling gateway process of another "
			"SG, and the gateway an ASP of it. `ipsp-se`, `ipsp-de`: both are IPSPs, of single "
			"or "
			"double exchange (RFC 4666 s.4.3)."},
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
#include "conf/schema_peer_rows.h"
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
	{.key = "t-ack",
		.type = &value_number,
		AT(asp_conf, t_ack_ms),
		RANGE(100, 60000),
		.dflt = 2000,
		.unit = "ms",
		.when = &asking_only,
		.help = "T(ack) (RFC 4666 s.4.3.4): ASP Up, ASP Active, ASP Inactive and ASP Down are sent "
			"again after this time without an answer. What the peer refuses with an Error is "
			"not: "
			"it is tried again after ten times as long."},
	{.key = "t-ack-retries",
		.type = &value_number,
		AT(asp_conf, t_ack_retries),
		RANGE(0, 1000),
		.dflt = 3,
		.when = &asking_only,
		.help = "How often; then the association is aborted, and opened again on the client side. 0: "
			"for ever, at intervals that double up to 16 times t-ack."},
	{.key = "register",
		.type = &value_bool,
		AT(asp_conf, registers),
		.when = &asp_only,
		.reload = RELOAD_REPLACE,
		.help = "Register the routing keys of its Application Servers at the peer (REG REQ, RFC 4666 "
			"s.4.4) before becoming active, and deregister them on leaving. The Routing Context "
			"is what the peer allocates; a configured one is proposed to it. What the peer does "
			"not register is tried again after ten times t-ack."},
	{.key = "send-asp-id",
		.type = &value_number,
		AT(asp_conf, send_id),
		OPTIONAL(asp_conf, has_send_id),
		RANGE(0, UINT32_MAX),
		.when = &asking_only,
		.help = "ASP Identifier that the gateway presents in ASP Up."},
	{.key = "audit-interval",
		.type = &value_number,
		AT(asp_conf, audit_ms),
		RANGE(0, 3600000),
		.dflt = 30000,
		.unit = "ms",
		.when = &asp_only,
		.help = "How often the SG is asked (DAUD) for destinations that it said are unavailable, "
			"restricted or congested (RFC 4666 s.4.5.3); 0: never."},
	SCTP_GROUP(asp_conf, tp, RELOAD_NEXT),
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
