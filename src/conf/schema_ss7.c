/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The SS7 side: level 3 in general, links, linksets. */
#include "conf/schema_row.h"

/* ---- level 3 ---- */

static const struct enum_name congestion_names[] = {{"international", MTP3_CONG_INTERNATIONAL},
	{"priorities", MTP3_CONG_PRIORITIES}, {"levels", MTP3_CONG_LEVELS}, {NULL, 0}};

/* The standard's ranges are in the text, and out of them there is a warning (check_ss7.c): labs shorten
 * timers. */
#define TIMER(id, k, text, itu, ansi, least, most)                                                           \
	{.key = (k),                                                                                         \
		.type = &value_number,                                                                       \
		AT(conf, ss7.mtp3.timer_ms[MTP3_##id]),                                                      \
		RANGE(0, 360000),                                                                            \
		.unit = "ms",                                                                                \
		.dflt_text = "0",                                                                            \
		.help = text ". The standard: " #least " to " #most " ms; 0 is " #itu " ms, ANSI " #ansi     \
			     "."},

static const struct row mtp3_rows[] = {
	{.key = "transfer",
		.type = &value_bool,
		AT(conf, ss7.mtp3.transfer),
		.dflt = true,
		.help = "The gateway is a signalling transfer point: neighbours are told what it can reach."},
	{.key = "restricted",
		.type = &value_bool,
		AT(conf, ss7.mtp3.restricted),
		.help = "Transfer restricted (TFR, RSR) is used, a national option."},
	{.key = "restart",
		.type = &value_bool,
		AT(conf, ss7.mtp3.restart),
		.dflt = true,
		.help = "The gateway does the restart procedure (Q.704 s.9.2) when it was isolated."},
	{.key = "congestion",
		.type = &value_enum,
		AT(conf, ss7.mtp3.congestion),
		.names = congestion_names,
		.dflt = MTP3_CONG_INTERNATIONAL,
		.help = "How TFC tells congestion: without a level, with levels and message priorities, with "
			"levels without priorities (Q.704 s.11.2.3 to 11.2.5). Networks of variant ansi "
			"have levels and priorities in any case (T1.111.4)."},
	MTP3_TIMER_LIST(TIMER)};

const struct section mtp3_section = {SECTION("mtp3", mtp3_rows), .size = sizeof(struct conf),
	.text = "MTP level 3 (Q.704, Q.707) in every network that has linksets."};

/* ---- links ---- */

static const struct enum_name sides[] = {
	{"server", M2PA_LINK_SERVER}, {"client", M2PA_LINK_CLIENT}, {NULL, 0}};

static bool is_client(const void *obj)
{
	return ((const struct ss7_link_conf *)obj)->l2.side == M2PA_LINK_CLIENT;
}

static bool is_server(const void *obj)
{
	return ((const struct ss7_link_conf *)obj)->l2.side == M2PA_LINK_SERVER;
}

static const struct condition client_only = {is_client, "side = \"client\""};
static const struct condition server_only = {is_server, "side = \"server\""};

#define L2_TIMER(k, f, d, text)                                                                              \
	{                                                                                                    \
		.key = (k), .type = &value_number, AT(ss7_link_conf, l2.f), RANGE(0, 600000), .dflt = (d),   \
		.unit = "ms", .help = (text)                                                                 \
	}

static const struct row link_rows[] = {
	{.key = "name",
		.type = &value_name,
		AT(ss7_link_conf, l2.name),
		RANGE(1, 63),
		.mandatory = true,
		.help = "How its linkset and the console refer to it."},
	{.key = "slc",
		.type = &value_number,
		AT(ss7_link_conf, slc),
		RANGE(0, MTP3_LINKS - 1),
		.reload = RELOAD_REPLACE,
		.help = "Signalling link code: its number in the linkset, the same at both ends."},
	{.key = "side",
		.type = &value_enum,
		AT(ss7_link_conf, l2.side),
		.names = sides,
		.dflt = M2PA_LINK_SERVER,
		.reload = RELOAD_REPLACE,
		.help = "Who opens the association: `server` waits for the neighbour, `client` connects."},
	{.key = "listener",
		.type = &value_reference,
		AT(ss7_link_conf, l2.listener),
		.when = &server_only,
		.dflt_text = "any",
		.reload = RELOAD_REPLACE,
		.help = "The only listener the neighbour may come to. Listeners serve ASPs and links alike."},
	{.key = "remote-addresses",
		.type = &value_addresses,
		LIST_AT(ss7_link_conf, l2.tp.remote, l2.tp.n_remote),
		RANGE(1, TP_MAX_ADDRS),
		.mandatory = true,
		.reload = RELOAD_REPLACE,
		.help = "The neighbour's addresses: it is recognized by any of them, or connected to."},
	{.key = "remote-port",
		.type = &value_number,
		AT(ss7_link_conf, l2.tp.remote_port),
		RANGE(0, 65535),
		.dflt_text = "0 for a server, 3565 for a client",
		.reload = RELOAD_REPLACE,
		.help = "Its port; server side: 0 means any. Several links of one address are told apart by "
			"it."},
	{.key = "remote-udp-port",
		.type = &value_number,
		AT(ss7_link_conf, l2.tp.remote_udp_port),
		RANGE(0, 65535),
		.reload = RELOAD_REPLACE,
		.help = "As for an ASP."},
	{.key = "transport",
		.type = &value_enum,
		AT(ss7_link_conf, l2.tp.kind),
		.names = transport_names,
		.dflt = TP_AUTO,
		.when = &client_only,
		.reload = RELOAD_REPLACE,
		.help = "As for a listener; on the server side the listener decides."},
	{.key = "encapsulation",
		.type = &value_enum,
		AT(ss7_link_conf, l2.tp.encap),
		.names = encapsulation_names,
		.dflt = TP_ENCAP_UDP,
		.when = &client_only,
		.reload = RELOAD_REPLACE,
		.help = "As for a listener."},
	{.key = "local-addresses",
		.type = &value_addresses,
		LIST_AT(ss7_link_conf, l2.tp.local, l2.tp.n_local),
		RANGE(0, TP_MAX_ADDRS),
		.when = &client_only,
		.reload = RELOAD_REPLACE,
		.help = "Addresses to connect from; none: the system chooses."},
	{.key = "local-port",
		.type = &value_number,
		AT(ss7_link_conf, l2.tp.local_port),
		RANGE(0, 65535),
		.when = &client_only,
		.reload = RELOAD_REPLACE,
		.help = "Port to connect from; 0: the system chooses."},
	{.key = "local-udp-port",
		.type = &value_number,
		AT(ss7_link_conf, l2.tp.local_udp_port),
		RANGE(0, 65535),
		.when = &client_only,
		.reload = RELOAD_REPLACE,
		.help = "As for an ASP."},
	{.key = "inactive",
		.type = &value_bool,
		AT(ss7_link_conf, inactive),
		.help = "Not activated at the start: the console does it."},
	{.key = "emergency",
		.type = &value_bool,
		AT(ss7_link_conf, emergency),
		.help = "It always proves by the short period. A link that is the only way to the neighbour "
			"does so anyway."},
	{.key = "transmit-queue",
		.type = &value_number,
		AT(ss7_link_conf, l2.txq_limit),
		RANGE(16, 1048576),
		.dflt = 4096,
		.unit = "messages",
		.reload = RELOAD_NEXT,
		.help = "Messages that may wait or be unacknowledged; congestion levels 1, 2, 3 begin at 50, "
			"75 and 90 % of it."},
	{.key = "reconnect-min",
		.type = &value_number,
		AT(ss7_link_conf, l2.reconnect_min_ms),
		RANGE(10, 600000),
		.dflt = 1000,
		.unit = "ms",
		.when = &client_only,
		.help = "First wait before connecting again. It doubles at each failure, with jitter."},
	{.key = "reconnect-max",
		.type = &value_number,
		AT(ss7_link_conf, l2.reconnect_max_ms),
		RANGE(10, 3600000),
		.dflt = 30000,
		.unit = "ms",
		.when = &client_only,
		.help = "Longest wait."},
	L2_TIMER("t1", t1_ms, 45000, "Aligned ready (Q.703 s.12.3)."),
	L2_TIMER("t2", t2_ms, 30000, "Not aligned."),
	L2_TIMER("t3", t3_ms, 1500, "Aligned."),
	L2_TIMER("t4-normal", t4n_ms, 8200, "Proving period."),
	L2_TIMER("t4-emergency", t4e_ms, 500, "Proving period in an emergency."),
	L2_TIMER("t5", t5_ms, 0, "Busy is repeated after this; 0: not (RFC 4165 s.4.1.5)."),
	L2_TIMER("t6", t6_ms, 4500, "Congestion of the neighbour lasts no longer."),
	{.key = "t7",
		.type = &value_number,
		AT(ss7_link_conf, l2.t7_ms),
		RANGE(100, 60000),
		.dflt = 1500,
		.unit = "ms",
		.reload = RELOAD_NEXT,
		.help = "A message is acknowledged within this, or the link fails."},
	L2_TIMER("proving-interval", proving_interval_ms, 100, "Proving messages are sent at this interval."),
	{.key = "proving-filler",
		.type = &value_number,
		AT(ss7_link_conf, l2.proving_filler),
		RANGE(0, 1024),
		.dflt = 100,
		.unit = "octets",
		.help = "What is added to each (RFC 4165 s.2.3.2.1)."},
	SCTP_GROUP(ss7_link_conf, l2.tp, RELOAD_NEXT),
};

static void link_init(void *obj, const struct conf *c)
{
	struct ss7_link_conf *l = obj;

	m2pa_link_conf_default(&l->l2);
	l->l2.tp = c->sctp;
	l->l2.tp.out_streams = l->l2.tp.max_in_streams = 2; /* RFC 4165 s.4.1.2 */
}

static void link_finish(void *obj)
{
	struct ss7_link_conf *l = obj;

	if (l->l2.side == M2PA_LINK_CLIENT && !l->l2.tp.remote_port)
		l->l2.tp.remote_port = 3565; /* RFC 4165 s.5.2 */
}

const struct section link_section = {SECTION("link", link_rows), .size = sizeof(struct ss7_link_conf),
	.init = link_init, .finish = link_finish,
	.text = "M2PA links (RFC 4165): one association each, with two streams."};

/* ---- linksets ---- */

static const struct row linkset_rows[] = {
	{.key = "name",
		.type = &value_name,
		AT(ss7_linkset_conf, name),
		RANGE(1, 63),
		.mandatory = true,
		.help = "How routes and the console refer to it; no Application Server has the same name."},
	{.key = "network",
		.type = &value_reference,
		AT(ss7_linkset_conf, network),
		.mandatory = true,
		.reload = RELOAD_REPLACE,
		.help = "Its network."},
	{.key = "adjacent",
		.type = &value_point_code,
		AT(ss7_linkset_conf, adjacent),
		.mandatory = true,
		.reload = RELOAD_REPLACE,
		.help = "The neighbour's point code; there is a route to it of itself, with priority 0."},
	{.key = "local",
		.type = &value_point_code,
		AT(ss7_linkset_conf, local),
		OPTIONAL(ss7_linkset_conf, has_local),
		.reload = RELOAD_REPLACE,
		.help = "The gateway's point code towards it; else the network's first one."},
	{.key = "c-link",
		.type = &value_bool,
		AT(ss7_linkset_conf, c_link),
		.reload = RELOAD_REPLACE,
		.help = "It joins a mated pair of gateways (C linkset): routes through it are used only when "
			"there "
			"is no other, whatever their priority. What is for the mate itself still takes it "
			"first."},
	{.key = "sls-bits",
		.type = &value_number,
		AT(ss7_linkset_conf, sls_bits),
		OPTIONAL(ss7_linkset_conf, has_sls_bits),
		RANGE(4, 8),
		.dflt_text = "the network's",
		.reload = RELOAD_REPLACE,
		.help = "How many bits of the SLS choose the link, if the neighbour uses fewer than others "
			"do."},
	{.key = "sls-rotation",
		.type = &value_number,
		AT(ss7_linkset_conf, rotation),
		OPTIONAL(ss7_linkset_conf, has_rotation),
		RANGE(0, 8),
		.dflt_text = "the network's sls-bits for ANSI, but 0 for a C linkset; else 0",
		.reload = RELOAD_REPLACE,
		.help = "How many of the lowest bits of the SLS are rotated to the right by one as a message "
			"leaves "
			"(T1.111.4 s.7): 5, 8, or 0 for none. So the next node finds another bit where it "
			"chooses "
			"the linkset. Only in ANSI networks."},
	{.key = "links",
		.type = &value_references,
		LIST_AT(ss7_linkset_conf, links, n_links),
		RANGE(1, MTP3_LINKS),
		.mandatory = true,
		.help = "Its links."},
	{.key = "test",
		.type = &value_bool,
		AT(ss7_linkset_conf, test),
		.dflt = true,
		.help = "Links are tested (SLTM) before they carry traffic, and periodically."},
	{.key = "restart",
		.type = &value_bool,
		AT(ss7_linkset_conf, restart),
		.dflt = true,
		.help = "The neighbour does the restart procedure: TRA is expected from it."},
	{.key = "timed-changeback",
		.type = &value_bool,
		AT(ss7_linkset_conf, timed_changeback),
		.help = "Changeback waits for T3 instead of the neighbour's acknowledgement."},
	{.key = "pending-limit",
		.type = &value_number,
		AT(ss7_linkset_conf, pending_limit),
		RANGE(0, 1000000),
		.dflt = 10000,
		.unit = "messages",
		.help = "How many may wait during changeovers, and before traffic moves to or from another "
			"route; more are discarded and counted."},
	{.key = "max-sif",
		.type = &value_number,
		AT(ss7_linkset_conf, max_sif),
		RANGE(FWD_NARROW_SIF, 4095),
		.dflt = FWD_NARROW_SIF,
		.unit = "octets",
		.help = "The longest signalling information field, label and user part, that is sent to the "
			"neighbour: 272 is what narrow-band links further on carry (Q.703 s.2.3.8), more is "
			"for "
			"networks of links that all carry it. Longer messages are dropped (`long-sif`) and "
			"counted."},
};

static void linkset_enter(struct scope *scope, const void *obj)
{
	scope->network_name = &((const struct ss7_linkset_conf *)obj)->network;
}

const struct section linkset_section = {SECTION("linkset", linkset_rows),
	.size = sizeof(struct ss7_linkset_conf), .enter = linkset_enter,
	.text = "Linksets: the links to one neighbour. Routes lead through them as through Application "
		"Servers."};
