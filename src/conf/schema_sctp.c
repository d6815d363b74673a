/* SPDX-License-Identifier: GPL-2.0-or-later */
/* SCTP parameters and listeners. */
#include "conf/schema_row.h"

const struct enum_name transport_names[] = {
	{"auto", TP_AUTO}, {"kernel", TP_KERNEL}, {"embedded", TP_EMBEDDED}, {"tcp", TP_TCP}, {NULL, 0}};
const struct enum_name encapsulation_names[] = {{"udp", TP_ENCAP_UDP}, {"raw", TP_ENCAP_RAW}, {NULL, 0}};
static const struct enum_name crcs[] = {
	{"auto", TP_CRC_AUTO}, {"always", TP_CRC_ALWAYS}, {"trust-local", TP_CRC_TRUST_LOCAL}, {NULL, 0}};

/* ---- SCTP ---- */

static const struct row sctp_rows[] = {
	{.key = "out-streams",
		.type = &value_number,
		AT(tp_params, out_streams),
		RANGE(1, 65535),
		.help = "Outbound streams asked for. Stream 0 carries management, DATA is spread over the "
			"others "
			"by flow."},
	{.key = "max-in-streams",
		.type = &value_number,
		AT(tp_params, max_in_streams),
		RANGE(1, 65535),
		.help = "Inbound streams granted to a peer."},
	{.key = "rto-initial",
		.type = &value_number,
		AT(tp_params, rto_initial_ms),
		RANGE(10, 60000),
		.unit = "ms",
		.help = "Retransmission timeout before a round trip has been measured. The RFC's 3 s is far "
			"too "
			"slow for signalling."},
	{.key = "rto-min",
		.type = &value_number,
		AT(tp_params, rto_min_ms),
		RANGE(10, 60000),
		.unit = "ms",
		.help = "Lower bound of the retransmission timeout; keep it above the peers' delayed "
			"acknowledgement."},
	{.key = "rto-max",
		.type = &value_number,
		AT(tp_params, rto_max_ms),
		RANGE(10, 120000),
		.unit = "ms",
		.help = "Upper bound of the retransmission timeout."},
	{.key = "path-retransmissions",
		.type = &value_number,
		AT(tp_params, path_max_retrans),
		RANGE(1, 255),
		.help = "Retransmissions in a row after which a path counts as failed."},
	{.key = "association-retransmissions",
		.type = &value_number,
		AT(tp_params, assoc_max_retrans),
		RANGE(1, 255),
		.help = "Retransmissions in a row, over all paths, after which the association is given up."},
	{.key = "init-attempts",
		.type = &value_number,
		AT(tp_params, init_max_attempts),
		RANGE(1, 255),
		.help = "How often INIT is sent before an attempt to connect has failed (another one "
			"follows)."},
	{.key = "init-timeout",
		.type = &value_number,
		AT(tp_params, init_max_timeout_ms),
		RANGE(10, 60000),
		.unit = "ms",
		.help = "Upper bound of the wait between two INITs."},
	{.key = "heartbeat",
		.type = &value_number,
		AT(tp_params, heartbeat_ms),
		RANGE(0, 3600000),
		.unit = "ms",
		.help = "Interval of SCTP heartbeats on idle paths; 0: none."},
	{.key = "sack-delay",
		.type = &value_number,
		AT(tp_params, sack_delay_ms),
		RANGE(0, 500),
		.unit = "ms",
		.help = "How long an acknowledgement may wait (RFC 4960 s.6.2: at most 500 ms); 0: every "
			"packet is "
			"acknowledged at once."},
	{.key = "dscp",
		.type = &value_number,
		AT(tp_params, dscp),
		RANGE(0, 63),
		.help = "Differentiated services code point of the packets sent."},
	{.key = "send-buffer",
		.type = &value_number,
		AT(tp_params, sndbuf),
		RANGE(65536, 1 << 30),
		.unit = "bytes",
		.help = "The transport's send buffer. With a kernel's small default a gateway collapses at "
			"overload; beyond `net.core.wmem_max` it takes CAP_NET_ADMIN."},
	{.key = "receive-buffer",
		.type = &value_number,
		AT(tp_params, rcvbuf),
		RANGE(65536, 1 << 30),
		.unit = "bytes",
		.help = "The transport's receive buffer, from which the window is offered."},
	{.key = "path-mtu",
		.type = &value_number,
		AT(tp_params, path_mtu),
		RANGE(0, 65535),
		.unit = "bytes",
		.help = "Largest SCTP packet; 0: found by the kernel, 1400 for the embedded transport; else "
			"512 "
			"or more."},
	{.key = "crc",
		.type = &value_enum,
		AT(tp_params, crc),
		.names = crcs,
		.help = "Embedded transport: whether CRC32c is computed and verified always, or may be left "
			"out "
			"between local endpoints that are both configured `trust-local`."},
	{.key = "gso",
		.type = &value_bool,
		AT(tp_params, gso),
		.help = "Embedded transport over UDP: segmentation offload, between embedded peers only."},
};

static const void *sctp_defaults(const struct conf *c)
{
	return &c->sctp;
}

const struct section sctp_section = {SECTION("sctp", sctp_rows), .size = sizeof(struct tp_params),
	.inherits = sctp_defaults,
	.text = "The top-level group holds the defaults of every association; the same keys in a `sctp` "
		"group of "
		"a listener or of an ASP go before them."};

/* ---- listeners ---- */

static const struct row listener_rows[] = {
	{.key = "name",
		.type = &value_name,
		AT(listener_conf, name),
		RANGE(1, 63),
		.mandatory = true,
		.help = "How ASPs refer to it."},
	{.key = "transport",
		.type = &value_enum,
		AT(listener_conf, tp.kind),
		.names = transport_names,
		.dflt = TP_AUTO,
		.reload = RELOAD_REPLACE,
		.help = "`kernel`: the kernel's SCTP, multi-homed. `embedded`: SCTP in the gateway, inside "
			"UDP or "
			"raw IP. `tcp`: M3UA over TCP, framed by its length field. `auto`: the kernel's SCTP "
			"where "
			"the kernel has it, else the embedded one."},
	{.key = "addresses",
		.type = &value_addresses,
		LIST_AT(listener_conf, tp.local, tp.n_local),
		RANGE(0, TP_MAX_ADDRS),
		.reload = RELOAD_REPLACE,
		.help = "Local addresses, all of which a multi-homed peer learns; none: every local "
			"address."},
	{.key = "port",
		.type = &value_number,
		AT(listener_conf, tp.local_port),
		RANGE(1, 65535),
		.dflt = 2905,
		.reload = RELOAD_REPLACE,
		.help = "SCTP or TCP port (2905 is M3UA's)."},
	{.key = "encapsulation",
		.type = &value_enum,
		AT(listener_conf, tp.encap),
		.names = encapsulation_names,
		.dflt = TP_ENCAP_UDP,
		.reload = RELOAD_REPLACE,
		.help = "Embedded transport: SCTP inside UDP (RFC 6951), or in IP directly (protocol 132; "
			"takes "
			"CAP_NET_RAW and a kernel whose own SCTP is not loaded)."},
	{.key = "udp-port",
		.type = &value_number,
		AT(listener_conf, tp.local_udp_port),
		RANGE(1, 65535),
		.dflt = 9899,
		.reload = RELOAD_REPLACE,
		.help = "Embedded transport: UDP port that SCTP packets come to (RFC 6951 s.4.1)."},
	{.key = "backlog",
		.type = &value_number,
		AT(listener_conf, tp.backlog),
		RANGE(1, 65535),
		.dflt = 512,
		.reload = RELOAD_REPLACE,
		.help = "Associations that may wait to be accepted at the same time."},
	SCTP_GROUP(listener_conf, tp, RELOAD_REPLACE),
};

static void listener_init(void *obj, const struct conf *c)
{
	((struct listener_conf *)obj)->tp = c->sctp;
}

const struct section listener_section = {SECTION("listener", listener_rows),
	.size = sizeof(struct listener_conf), .init = listener_init,
	.text = "Where ASPs connect to. Replacing a listener does not touch associations that are up."};
