/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/opts_rows.h"

#include <stdlib.h>
#include <string.h>

#include "sctp/addr.h"

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

/* ---- words ---- */

static bool word(const char *value, const char *const *words, unsigned n, unsigned *out)
{
	for (*out = 0; *out < n; ++*out)
		if (words[*out] && !strcmp(words[*out], value))
			return true;
	return false;
}

static bool read_transport(const struct keyval_row *row, const char *value, void *obj, char *err)
{
	static const char *const words[] = {
		[TP_AUTO] = "auto", [TP_KERNEL] = "kernel", [TP_EMBEDDED] = "embedded", [TP_TCP] = "tcp"};
	unsigned k;

	(void)row;
	(void)err;
	if (!word(value, words, COUNT(words), &k))
		return false;
	((struct opts *)obj)->tp.kind = k;
	return true;
}

static bool read_crc(const struct keyval_row *row, const char *value, void *obj, char *err)
{
	static const char *const words[] = {
		[TP_CRC_AUTO] = "auto", [TP_CRC_ALWAYS] = "always", [TP_CRC_TRUST_LOCAL] = "trust-local"};
	unsigned k;

	(void)row;
	(void)err;
	if (!word(value, words, COUNT(words), &k))
		return false;
	((struct opts *)obj)->tp.crc = k;
	return true;
}

static bool read_encap(const struct keyval_row *row, const char *value, void *obj, char *err)
{
	static const char *const words[] = {[TP_ENCAP_UDP] = "udp", [TP_ENCAP_RAW] = "raw"};
	unsigned k;

	(void)row;
	(void)err;
	if (!word(value, words, COUNT(words), &k))
		return false;
	((struct opts *)obj)->tp.encap = k;
	return true;
}

bool opts_read_variant(const struct keyval_row *row, const char *value, void *obj, char *err)
{
	enum pc_variant *out = (enum pc_variant *)((char *)obj + row->offset);

	(void)err;
	for (int v = 0; v < PC_VARIANTS; v++) {
		if (strcmp(pc_variant_name(v), value) == 0) {
			*out = v;
			return true;
		}
	}
	return false;
}

static bool read_mode(const struct keyval_row *row, const char *value, void *obj, char *err)
{
	static const char *const words[] = {
		NULL, "override", "loadshare", "broadcast"}; /* RFC 4666 s.3.7.1 */
	unsigned k;

	(void)row;
	(void)err;
	if (!word(value, words, COUNT(words), &k))
		return false;
	((struct as_opts *)obj)->mode = (uint8_t)k;
	return true;
}

static bool read_role(const struct keyval_row *row, const char *value, void *obj, char *err)
{
	static const char *const words[ASP_ROLES] = {[ASP_ROLE_ASP] = "asp",
		[ASP_ROLE_SGP] = "sgp",
		[ASP_ROLE_IPSP_SE] = "ipsp-se",
		[ASP_ROLE_IPSP_DE] = "ipsp-de"};
	unsigned k;

	(void)row;
	(void)err;
	if (!word(value, words, COUNT(words), &k))
		return false;
	((struct as_opts *)obj)->role = (enum asp_role)k;
	return true;
}

static bool read_side(const struct keyval_row *row, const char *value, void *obj, char *err)
{
	static const char *const words[] = {"client", "server"};
	unsigned k;

	(void)row;
	(void)err;
	if (!word(value, words, COUNT(words), &k))
		return false;
	((struct as_opts *)obj)->server = k;
	return true;
}

/* ---- addresses: "a/b" in sub-options, "a,b" in --gateway ---- */

bool opts_addresses(const char *value, const char *delim, union tp_addr *out, uint8_t *n)
{
	char *copy = strdup(value), *save = NULL;
	bool ok = copy != NULL;

	*n = 0;
	for (char *a = ok ? strtok_r(copy, delim, &save) : NULL; ok && a; a = strtok_r(NULL, delim, &save)) {
		ok = *n < TP_MAX_ADDRS && tp_addr_parse(&out[*n], a) == SB_OK;
		*n += ok;
	}
	free(copy);
	return ok && *n;
}

static bool read_gateway(const struct keyval_row *row, const char *value, void *obj, char *err)
{
	struct opts *o = obj;

	(void)row;
	(void)err;
	return opts_addresses(value, ",/", o->tp.remote, &o->tp.n_remote);
}

static bool read_local(const struct keyval_row *row, const char *value, void *obj, char *err)
{
	struct as_opts *a = obj;

	(void)row;
	(void)err;
	return opts_addresses(value, "/", a->local, &a->n_local);
}

static bool read_gateways(const struct keyval_row *row, const char *value, void *obj, char *err)
{
	struct as_opts *a = obj;

	(void)row;
	(void)err;
	return opts_addresses(value, "/", a->gateway, &a->n_gateways);
}

/* ---- flows ---- */

static bool read_rate(const struct keyval_row *row, const char *value, void *obj, char *err)
{
	struct flow_opts *f = obj;
	char *end;

	(void)row;
	(void)err;
	if (!strcmp(value, "max")) {
		f->pace = PACE_MAX;
		return true;
	}
	f->pace = PACE_REGULAR;
	f->rate = strtod(value, &end);
	return *value >= '0' && *value <= '9' && !*end && f->rate > 0 && f->rate <= 1e7;
}

static bool read_spacing(const struct keyval_row *row, const char *value, void *obj, char *err)
{
	static const char *const words[] = {"regular", "poisson"};
	unsigned k;

	(void)row;
	(void)err;
	if (!word(value, words, COUNT(words), &k))
		return false;
	((struct flow_opts *)obj)->poisson = k;
	return true;
}

static bool read_size(const struct keyval_row *row, const char *value, void *obj, char *err)
{
	(void)row;
	(void)err;
	return size_parse(value, &((struct flow_opts *)obj)->size);
}

static bool read_si(const struct keyval_row *row, const char *value, void *obj, char *err)
{
	(void)row;
	(void)err;
	return si_parse(value, &((struct flow_opts *)obj)->si);
}

static bool read_payload(const struct keyval_row *row, const char *value, void *obj, char *err)
{
	(void)row;
	(void)err;
	for (int d = 0; d < DRESSES; d++) {
		if (strcmp(dress_name((enum dress)d), value) != 0)
			continue;
		((struct flow_opts *)obj)->dress = (enum dress)d;
		return true;
	}
	return false;
}

/* "3", "0-15", "0-3/8/10-12" */
static bool read_sls(const struct keyval_row *row, const char *value, void *obj, char *err)
{
	struct flow_opts *f = obj;
	char *copy = strdup(value), *save = NULL;
	bool ok = copy != NULL, taken[256] = {false};
	uint32_t from, to;

	(void)row;
	(void)err;
	f->n_sls = 0;
	for (char *r = ok ? strtok_r(copy, "/", &save) : NULL; ok && r; r = strtok_r(NULL, "/", &save)) {
		ok = keyval_range(r, 0, 255, &from, &to);
		for (uint32_t s = from; ok && s <= to; s++) {
			ok = !taken[s];
			taken[s] = true;
			if (ok)
				f->sls[f->n_sls++] = (uint8_t)s;
		}
	}
	free(copy);
	return ok && f->n_sls;
}

/* ---- the tables ---- */

#define AT(type, f)        .offset = offsetof(struct type, f)
#define AT_HAS(type, f, h) .offset = offsetof(struct type, f), .has_offset = offsetof(struct type, h)
#define VARIANTS           "itu, ansi, china or japan"
#define TIME               "a time such as 500ms or 2s"
#define ANY16              "a number up to 65535"
#define ANY32              "a number up to 4294967295"

const struct keyval_row opts_as_rows[] = {
	{"name", keyval_text, AT(as_opts, name), .want = "a name of at most 31 letters",
		.help = "its name; its ASPs are NAME-1, NAME-2 ..."},
	{"pc", keyval_text, AT_HAS(as_opts, pc_text, has_pc), .want = "a point code",
		.help = "its point code"},
	{"variant", opts_read_variant, AT_HAS(as_opts, variant, has_variant), .want = VARIANTS,
		.help = "kind of its point codes (--variant)"},
	{"rc", keyval_u32, AT_HAS(as_opts, rc, has_rc), .max = UINT32_MAX, .want = ANY32,
		.help = "Routing Context; without it none is sent"},
	{"na", keyval_u32, AT_HAS(as_opts, na, has_na), .max = UINT32_MAX, .want = ANY32,
		.help = "Network Appearance sent in DATA"},
	{"asps", keyval_u16, AT(as_opts, asps), .max = OPTS_MAX_ASPS, .want = "a number up to 4096",
		.help = "how many ASPs (1); 0: another process plays this AS"},
	{"active", keyval_u16, AT_HAS(as_opts, active, has_active), .max = OPTS_MAX_ASPS,
		.want = "a number up to 4096", .help = "how many are to be active (all; override: 1)"},
	{"local-port", keyval_u16, AT(as_opts, local_port), .max = 65535, .want = ANY16,
		.help = "port of the first ASP, the others count on (any)"},
	{"gateways", read_gateways, .want = "a list of IP addresses a/b",
		.help = "instead of --gateway: a mated pair, the first ASP connects to a, the next to b, and "
			"so "
			"on"},
	{"local", read_local, .want = "a list of IP addresses a/b",
		.help = "local addresses, a/b for multi-homing (any)"},
	{"mode", read_mode, .want = "override, loadshare or broadcast",
		.help = "Traffic Mode Type in ASPAC (none sent): override, loadshare, broadcast"},
	{"asp-id", keyval_u32, AT_HAS(as_opts, asp_id, has_asp_id), .max = UINT32_MAX, .want = ANY32,
		.help = "ASP Identifier of the first ASP, the others count on (none sent)"},
	{"role", read_role, .want = "asp, sgp, ipsp-se or ipsp-de",
		.help = "what is played towards the gateway: asp, sgp, ipsp-se, ipsp-de (asp)"},
	{"side", read_side, .want = "client or server",
		.help = "of the associations: client, server (client)"},
	{"peer-rc", keyval_u32, AT_HAS(as_opts, peer_rc, has_peer_rc), .max = UINT32_MAX, .want = ANY32,
		.help = "ipsp-de: Routing Context of what is sent to the gateway (rc)"},
	{"beat", keyval_millis, AT(as_opts, beat_ns), .want = TIME, .help = "time between BEATs (none sent)"},
};
const unsigned opts_n_as_rows = COUNT(opts_as_rows);

const struct keyval_row opts_flow_rows[] = {
	{"from", keyval_text, AT(flow_opts, from_text), .want = "an AS or a node",
		.help = "AS or node that sends"},
	{"to", keyval_text, AT(flow_opts, to_text), .want = "an AS or a node",
		.help = "AS or node that is to receive"},
	{"rate", read_rate, .want = "messages per second, or max",
		.help = "messages per second, or max (100)"},
	{"spacing", read_spacing, .want = "regular or poisson", .help = "regular or poisson (regular)"},
	{"count", keyval_u64, AT(flow_opts, count), .min = 1, .max = UINT32_MAX, .want = ANY32,
		.help = "stop after so many messages"},
	{"window", keyval_u32, AT_HAS(flow_opts, window, has_window), .max = UINT32_MAX, .want = ANY32,
		.help = "at most so many sent and not received (rate=max: 1000, else 0: any number)"},
	{"size", read_size, .want = "a length, a range or ss7",
		.help = "bytes of user part: 100, 40-272 (uniform) or ss7 (100)"},
	{"payload", read_payload, .want = "test, isup or sccp",
		.help = "what messages look like: test, isup (calls), sccp (unitdata with TCAP) (test)"},
	{"si", read_si, .has_offset = offsetof(struct flow_opts, has_si), .want = "a service indicator",
		.help = "service indicator, number or name (3)"},
	{"ni", keyval_u8, AT(flow_opts, ni), .max = 3, .want = "a number up to 3",
		.help = "network indicator (2)"},
	{"mp", keyval_u8, AT(flow_opts, mp), .max = 3, .want = "a number up to 3",
		.help = "message priority (0)"},
	{"sls", read_sls, .want = "SLSs such as 3, 0-15 or 0-3/8, each once",
		.help = "SLSs used in turn: 3, 0-15, 0-3/8 (0-15)"},
	{"opc", keyval_text, AT_HAS(flow_opts, opc_text, has_opc), .want = "a point code",
		.help = "instead of the sending AS's point code"},
	{"dpc", keyval_text, AT_HAS(flow_opts, dpc_text, has_dpc), .want = "a point code",
		.help = "instead of the receiving AS's point code"},
	{"start", keyval_seconds, AT(flow_opts, start_ns), .want = TIME,
		.help = "begin so long after the others"},
	{"stop", keyval_seconds, AT(flow_opts, stop_ns), .want = TIME, .help = "end then (--duration)"},
	{"id", keyval_u16, AT_HAS(flow_opts, id, has_id), .max = 65535, .want = ANY16,
		.help = "its number in the messages (its place on the command line, from 1)"},
};
const unsigned opts_n_flow_rows = COUNT(opts_flow_rows);

static bool read_as(const struct keyval_row *row, const char *value, void *obj, char *err)
{
	struct opts *o = obj;
	struct as_opts *a = &o->as[o->n_as];
	char why[KEYVAL_ERR];

	if (o->n_as == OPTS_MAX_AS) {
		snprintf(err, KEYVAL_ERR, "%s: more than %d", row->key, OPTS_MAX_AS);
		return false;
	}
	a->asps = 1;
	if (!keyval_parse(value, opts_as_rows, opts_n_as_rows, a, why)) {
		snprintf(err, KEYVAL_ERR, "%s: %.230s", row->key, why);
		return false;
	}
	o->n_as++;
	return true;
}

static bool read_flow(const struct keyval_row *row, const char *value, void *obj, char *err)
{
	struct opts *o = obj;
	struct flow_opts *f = &o->flow[o->n_flows];
	char why[KEYVAL_ERR];

	if (o->n_flows == OPTS_MAX_FLOWS) {
		snprintf(err, KEYVAL_ERR, "%s: more than %d", row->key, OPTS_MAX_FLOWS);
		return false;
	}
	*f = (struct flow_opts){.rate = 100, .si = 3, .ni = 2, .size = {.min = 100, .max = 100}, .n_sls = 16};
	for (unsigned s = 0; s < 16; s++)
		f->sls[s] = (uint8_t)s;
	o->n_flows++; /* at once: opts_free() frees what it has */
	if (!keyval_parse(value, opts_flow_rows, opts_n_flow_rows, f, why)) {
		snprintf(err, KEYVAL_ERR, "%s: %.230s", row->key, why);
		return false;
	}
	return true;
}

/* --replay FILE,key=value ...: a flow of what is in a capture. */
static bool read_replay(const struct keyval_row *row, const char *value, void *obj, char *err)
{
	struct opts *o = obj;
	const char *comma = strchr(value, ',');
	unsigned i = o->n_flows;

	if (!comma || comma == value || !read_flow(row, comma + 1, obj, err))
		return false;
	o->flow[i].replay = strndup(value, (size_t)(comma - value));
	return o->flow[i].replay != NULL;
}

static bool read_at(const struct keyval_row *row, const char *value, void *obj, char *err)
{
	struct opts *o = obj;

	if (o->n_actions == OPTS_MAX_ACTIONS) {
		snprintf(err, KEYVAL_ERR, "%s: more than %d", row->key, OPTS_MAX_ACTIONS);
		return false;
	}
	o->action[o->n_actions].order = o->n_actions;
	o->action[o->n_actions++].text = value; /* needs all ASs: opts_resolve() reads it */
	return true;
}

static bool read_set(const struct keyval_row *row, const char *value, void *obj, char *err)
{
	struct opts *o = obj;

	(void)row;
	(void)err;
	if (o->n_set == OPTS_MAX_SET || !strchr(value, '='))
		return false;
	o->set[o->n_set++] = value; /* the script knows what it needs: script_load() */
	return true;
}

static bool read_patience(const struct keyval_row *row, const char *value, void *obj, char *err)
{
	char *end;
	double v = strtod(value, &end);

	(void)row;
	(void)err;
	((struct opts *)obj)->patience = v;
	return !*end && v >= 0.1 && v <= 1000;
}

#define TP_U16(key_, f, max_, help_)                                                                         \
	{                                                                                                    \
		key_, keyval_u16, AT(opts, tp.f), .max = max_, .want = ANY16, .help = help_                  \
	}
#define TP_U32(key_, f, help_)                                                                               \
	{                                                                                                    \
		key_, keyval_u32, AT(opts, tp.f), .max = UINT32_MAX, .want = ANY32, .help = help_            \
	}
#define TIME_ROW(key_, read_, f, help_)                                                                      \
	{                                                                                                    \
		key_, read_, AT(opts, f), .want = TIME, .help = help_                                        \
	}
#define FLAG_ROW(key_, f, help_)                                                                             \
	{                                                                                                    \
		key_, keyval_flag, AT(opts, f), .help = help_                                                \
	}

const struct keyval_row opts_rows[] = {
	{"gateway", read_gateway, .want = "an IP address, or several with commas",
		.help = "the gateway's address, or several for multi-homing"},
	TP_U16("port", remote_port, 65535, "its SCTP or TCP port (2905)"),
	{"transport", read_transport, .want = "auto, kernel, embedded or tcp",
		.help = "kernel SCTP, embedded SCTP or M3UA over TCP (auto)"},
	{"encap", read_encap, .want = "udp or raw", .help = "embedded: in UDP or as IP protocol 132 (udp)"},
	TP_U16("udp-port", remote_udp_port, 65535, "embedded: the gateway's UDP port (9899)"),
	TP_U16("local-udp-port", local_udp_port, 65535, "embedded: our own UDP port (9899)"),
	{"as", read_as, .want = "a list", .help = "an Application Server: see below"},
	{"node", opts_read_node, .want = "a list", .help = "an SS7 node: see below"},
	{"flow", read_flow, .want = "a list", .help = "a flow of messages: see below"},
	{"replay", read_replay, .want = "FILE,from=...,to=...",
		.help = "a flow of the user parts in a pcap or pcapng file (M3UA, M2PA); keys as of --flow"},
	{"at", read_at, .want = "TIME:WHO:ACTION",
		.help = "do something to an ASP (msc-1) or all of an AS (msc): connect aspup aspac aspia "
			"aspdn shutdown abort stall resume, an SGP also duna dava; to a link (stp1.0) or all "
			"of a node (stp1): drop abort "
			"activate deactivate inhibit uninhibit stop-ack wrong-fsn busy busy-end po po-end "
			"stall resume; to a "
			"node: tfp=PC tfr=PC tfa=PC tfc=PC/LEVEL upu=PC/SI restart"},
	TIME_ROW("duration", keyval_seconds, duration_ns, "length of the traffic (until interrupted)"),
	TIME_ROW(
		"drain", keyval_millis, drain_ns, "quiet time at the end before messages count as lost (2s)"),
	TIME_ROW("settle", keyval_millis, settle_ns, "wait after all ASPs are up (200ms)"),
	TIME_ROW("connect-timeout", keyval_seconds, connect_ns,
		"give up if the ASPs are not up by then (10s)"),
	TIME_ROW("t-ack", keyval_millis, t_ack_ns, "T(ack), repetition of unanswered requests (2s)"),
	TIME_ROW("divert", keyval_millis, divert_ns,
		"pause of an SLS that moves between two active ASPs, or two linksets, so that it stays in "
		"order "
		"(100ms)"),
	{"json", keyval_path, AT(opts, json), .want = "a file, or -", .help = "write the verdict as JSON"},
	FLAG_ROW("register", registers, "ASPs register their point code and get their Routing Context so"),
	FLAG_ROW("obey-ssnm", obey_ssnm, "DUNA and SCON pause the flows to that point code"),
	{"script", keyval_path, AT(opts, script), .want = "a file",
		.help = "scripted mode: play this file instead of ASs and flows (doc/ss7sim-script.md)"},
	{"set", read_set, .want = "NAME=NUMBER", .help = "a variable of the script"},
	{"patience", read_patience, .want = "a factor", .help = "stretches the script's deadlines (1)"},
	{"variant", opts_read_variant, AT(opts, variant), .want = VARIANTS,
		.help = "kind of point codes (itu)"},
	{"pc-format", keyval_text, AT_HAS(opts, pc_format_text, has_pc_format), .want = "a notation",
		.help = "their notation, e.g. 3-8-3"},
	{"seed", keyval_u64, AT_HAS(opts, seed, has_seed), .max = UINT64_MAX, .want = "a number",
		.help = "of random sizes and spacing"},
	{"run", keyval_u16, AT_HAS(opts, run, has_run), .max = 65535, .want = ANY16,
		.help = "number of this run: the same in all processes that share a flow"},
	{"max-message", keyval_u32, AT(opts, max_message), .min = 272, .max = 65535, .want = "272 to 65535",
		.help = "longest M3UA message (8192)"},
	{"buffers", keyval_u32, AT(opts, buffers), .min = 64, .max = 1 << 22, .want = "64 to 4194304",
		.help = "message buffers (32768)"},
	{"queue", keyval_u32, AT(opts, queue), .min = 1, .max = 1 << 20, .want = "1 to 1048576",
		.help = "messages that may wait in an ASP's transmit queue (1024)"},
	TP_U16("streams", out_streams, 65535, "outbound streams asked for"),
	TP_U16("max-in-streams", max_in_streams, 65535, "inbound streams allowed"),
	TP_U32("rto-initial", rto_initial_ms, "ms"),
	TP_U32("rto-min", rto_min_ms, "ms"),
	TP_U32("rto-max", rto_max_ms, "ms"),
	TP_U16("path-max-retrans", path_max_retrans, 65535, "before a path is down"),
	TP_U16("assoc-max-retrans", assoc_max_retrans, 65535, "before the association is down"),
	TP_U32("heartbeat", heartbeat_ms, "ms between SCTP heartbeats, 0: none"),
	TP_U32("sack-delay", sack_delay_ms, "ms"),
	TP_U32("sndbuf", sndbuf, "bytes"),
	TP_U32("rcvbuf", rcvbuf, "bytes"),
	TP_U16("path-mtu", path_mtu, 65535, "bytes of an SCTP packet, 0: the transport's"),
	{"crc", read_crc, .want = "auto, always or trust-local", .help = "embedded: CRC32c policy (auto)"},
	FLAG_ROW("gso", tp.gso, "embedded: UDP segmentation offload"),
	FLAG_ROW("quiet", quiet, "no progress, no table"),
	FLAG_ROW("verbose", verbose, "say what the ASPs send, receive and become"),
	FLAG_ROW("help", help, "this text"),
	FLAG_ROW("version", version, "the version"),
};
const unsigned opts_n_rows = COUNT(opts_rows);
_Static_assert(COUNT(opts_rows) <= OPTS_MAX_ROWS, "opts.c's table is too short");
