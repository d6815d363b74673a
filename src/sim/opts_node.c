/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --node: the keys of an SS7 node, their defaults, and what --at may order of it. */
#include <stdlib.h>
#include <string.h>

#include "sim/opts_rows.h"
#include "wire/mtp3.h"

enum { M2PA_PORT = 3565 }; /* RFC 4165 s.1.8.2 */

#define COUNT(a) (sizeof(a) / sizeof(*(a)))
#define AT(f)    .offset = offsetof(struct node_opts, f)
#define ANY16    "a number up to 65535"
#define TIME     "a time such as 500ms or 2s"

static bool read_side(const struct keyval_row *row, const char *value, void *obj, char *err)
{
	struct node_opts *n = obj;

	(void)row;
	(void)err;
	n->server = !strcmp(value, "server");
	return n->server || !strcmp(value, "client");
}

static bool read_yes(const struct keyval_row *row, const char *value, void *obj, char *err)
{
	bool yes = !strcmp(value, "yes");

	(void)err;
	*(bool *)((char *)obj + row->offset) = yes;
	return yes || !strcmp(value, "no");
}

static bool read_local(const struct keyval_row *row, const char *value, void *obj, char *err)
{
	struct node_opts *n = obj;

	(void)row;
	(void)err;
	return opts_addresses(value, "/", n->local, &n->n_local);
}

static bool read_peer(const struct keyval_row *row, const char *value, void *obj, char *err)
{
	struct node_opts *n = obj;

	(void)row;
	(void)err;
	return opts_addresses(value, "/", n->peer, &n->n_peer);
}

/* Kept as text until the notation of point codes is known. */
static bool read_behind(const struct keyval_row *row, const char *value, void *obj, char *err)
{
	struct node_opts *n = obj;

	(void)row;
	(void)err;
	free((char *)n->behind_text);
	n->behind_text = strdup(value);
	return n->behind_text != NULL;
}

#define TIMER(key_, f, help_)                                                                                \
	{                                                                                                    \
		key_, keyval_millis, AT(f), .want = TIME, .help = help_                                      \
	}
#define PORT(key_, f, help_)                                                                                 \
	{                                                                                                    \
		key_, keyval_u16, AT(f), .max = 65535, .want = ANY16, .help = help_                          \
	}

const struct keyval_row opts_node_rows[] = {
	{"name", keyval_text, AT(name), .want = "a name of at most 31 letters",
		.help = "its name; its links are NAME.0, NAME.1 ..."},
	{"pc", keyval_text, AT(pc_text), .has_offset = offsetof(struct node_opts, has_pc),
		.want = "a point code", .help = "its point code"},
	{"adjacent", keyval_text, AT(adjacent_text), .has_offset = offsetof(struct node_opts, has_adjacent),
		.want = "a point code", .help = "the point code at the other end of its linkset"},
	{"with", keyval_text, AT(with), .want = "a node before it",
		.help = "another linkset of that node, with its pc, behind, variant and ni: a combined "
			"linkset"},
	{"variant", opts_read_variant, AT(variant), .has_offset = offsetof(struct node_opts, has_variant),
		.want = "itu, ansi, china or japan", .help = "kind of its network (--variant)"},
	{"behind", read_behind, .want = "point codes a/b", .help = "point codes that it serves, too: a/b"},
	{"links", keyval_u8, AT(links), .max = OPTS_MAX_LINKS, .want = "a number up to 16",
		.help = "how many links (1); 0: another process plays this node"},
	{"slc", keyval_u8, AT(slc), .max = 15, .want = "a number up to 15",
		.help = "signaling link code of the first link, the others count on (0)"},
	{"max-sif", keyval_u16, AT(max_sif), .min = 272, .max = 4095, .want = "272 to 4095",
		.help = "octets of its longest message, label included (272)"},
	{"ni", keyval_u8, AT(ni), .max = 3, .want = "a number up to 3",
		.help = "network indicator of its own messages (2)"},
	{"sls-rotation", keyval_u8, AT(rotation), .max = 8, .want = "a number up to 8",
		.help = "low bits of the SLS that the gateway rotates on the way to it, as in ANSI (0)"},
	{"side", read_side, .want = "client or server",
		.help = "client: it connects; server: it listens (client)"},
	{"gateway", read_peer, .want = "a list of IP addresses a/b", .help = "instead of --gateway"},
	{"gateway-port", keyval_u16, AT(peer_port), .has_offset = offsetof(struct node_opts, has_peer_port),
		.max = 65535, .want = ANY16,
		.help = "client: the port to connect to (3565); server: the port from which the first link "
			"comes, "
			"the others count on (any: a port of our own for each link)"},
	{"local", read_local, .want = "a list of IP addresses a/b", .help = "local addresses (any)"},
	PORT("local-port", local_port,
		"of the first link, the others count on; server with gateway-port: of all (any; server: "
		"3565)"),
	PORT("udp-port", peer_udp_port, "instead of --udp-port"),
	PORT("local-udp-port", local_udp_port, "instead of --local-udp-port"),
	{"emergency", read_yes, AT(emergency), .want = "yes or no", .help = "emergency proving (no)"},
	{"test", read_yes, AT(test), .want = "yes or no", .help = "signaling link test before service (yes)"},
	TIMER("t1", t1_ns, "M2PA T1, aligned ready (5s)"),
	TIMER("t2", t2_ns, "M2PA T2, not aligned (5s)"),
	TIMER("t3", t3_ns, "M2PA T3, aligned (2s)"),
	TIMER("t4n", t4n_ns, "M2PA T4, normal proving (300ms)"),
	TIMER("t4e", t4e_ns, "M2PA T4, emergency proving (100ms)"),
	TIMER("t6", t6_ns, "M2PA T6, peer busy (4s)"),
	TIMER("t7", t7_ns, "M2PA T7, no acknowledgement (1s)"),
	TIMER("proving-interval", proving_ns, "between Proving messages (20ms)"),
	TIMER("t17", t17_ns, "between attempts to align (100ms)"),
	TIMER("co-t1", co_t1_ns, "Q.704 T1, time-controlled changeover (800ms)"),
	TIMER("co-t2", co_t2_ns, "Q.704 T2, changeover acknowledgement (1400ms)"),
	TIMER("cb-t4", cb_t4_ns, "Q.704 T4 and T5, changeback acknowledgement (800ms)"),
	TIMER("t14", t14_ns, "Q.704 T12 and T14, inhibit and uninhibit acknowledgement (1s)"),
	TIMER("t10", t10_ns, "Q.704 T10, route set test (30s; 0: none)"),
	TIMER("t21", t21_ns, "longest wait for the neighbour's TRA (5s)"),
	TIMER("slt-t1", slt_t1_ns, "Q.707 T1, link test without an answer (4s)"),
	TIMER("slt-t2", slt_t2_ns, "Q.707 T2, between link tests (30s; 0: none)"),
};
const unsigned opts_n_node_rows = COUNT(opts_node_rows);

static const struct node_opts defaults = {
	.links = 1,
	.ni = 2,
	.max_sif = 272, /* Q.703 s.2.3.8 */
	.test = true,
	.t1_ns = 5000000000u,
	.t2_ns = 5000000000u,
	.t3_ns = 2000000000u,
	.t4n_ns = 300000000u,
	.t4e_ns = 100000000u,
	.t6_ns = 4000000000u,
	.t7_ns = 1000000000u,
	.proving_ns = 20000000u,
	.t17_ns = 100000000u,
	.co_t1_ns = 800000000u,
	.co_t2_ns = 1400000000u,
	.cb_t4_ns = 800000000u,
	.t10_ns = 30000000000u,
	.t14_ns = 1000000000u,
	.t21_ns = 5000000000u,
	.slt_t1_ns = 4000000000u,
	.slt_t2_ns = 30000000000u,
};

bool opts_read_node(const struct keyval_row *row, const char *value, void *obj, char *err)
{
	struct opts *o = obj;
	struct node_opts *n = &o->node[o->n_nodes];
	char why[KEYVAL_ERR];

	if (o->n_nodes == OPTS_MAX_NODES) {
		snprintf(err, KEYVAL_ERR, "%s: more than %d", row->key, OPTS_MAX_NODES);
		return false;
	}
	*n = defaults;
	o->n_nodes++; /* at once: opts_free() frees what it has */
	if (keyval_parse(value, opts_node_rows, opts_n_node_rows, n, why))
		return true;
	snprintf(err, KEYVAL_ERR, "%s: %.230s", row->key, why);
	return false;
}

int opts_find_node(const struct opts *o, const char *name)
{
	for (unsigned i = 0; i < o->n_nodes; i++)
		if (!strcmp(o->node[i].name, name))
			return (int)i;
	return -1;
}

/* ---- what needs all options to be known ---- */

static bool point_code(const struct opts *o, const struct node_opts *n, const char *text, uint32_t *out)
{
	return opts_point_code(o, n->variant, text, out);
}

static const char *bad_behind(const struct opts *o, struct node_opts *n)
{
	char *copy = n->behind_text ? strdup(n->behind_text) : NULL, *save = NULL;
	const char *bad = NULL;

	for (char *t = copy ? strtok_r(copy, "/", &save) : NULL; t && !bad; t = strtok_r(NULL, "/", &save)) {
		if (n->n_behind == OPTS_MAX_BEHIND)
			bad = "behind= has more than 64 point codes";
		else if (!point_code(o, n, t, &n->behind[n->n_behind++]))
			bad = "behind= is not a list of point codes";
	}
	free(copy);
	return bad;
}

static const char *bad_ports(const struct node_opts *n)
{
	if (n->local_port + n->links > 65536 || n->peer_port + n->links > 65536)
		return "the ports go beyond 65535";
	return n->slc + n->links > OPTS_MAX_LINKS ? "a linkset has SLCs up to 15" : NULL;
}

/* with=NAME: all but the linkset is the other node's. */
static const char *bad_with(struct opts *o, unsigned i)
{
	struct node_opts *n = &o->node[i];
	int main = n->with[0] ? opts_find_node(o, n->with) : (int)i;

	n->main = (unsigned)main;
	if (main == (int)i)
		return NULL;
	if (main < 0 || main > (int)i || o->node[main].main != n->main)
		return "with= is not the first linkset of a node";
	if (n->has_pc || n->has_variant || n->behind_text)
		return "with= has the pc, behind and variant of that node";
	n->variant = o->node[main].variant;
	n->has_variant = n->has_pc = true;
	n->ni = o->node[main].ni;
	memcpy(n->pc_text, o->node[main].pc_text, sizeof(n->pc_text));
	n->n_behind = o->node[main].n_behind;
	memcpy(n->behind, o->node[main].behind, sizeof(n->behind));
	return NULL;
}

static const char *bad_node(struct opts *o, unsigned i)
{
	struct node_opts *n = &o->node[i];

	const char *bad = bad_with(o, i);

	if (bad)
		return bad;
	if (!n->has_variant)
		n->variant = o->variant;
	if (!n->name[0])
		return "needs name=";
	if (opts_find_node(o, n->name) != (int)i)
		return "this name is there twice";
	for (unsigned a = 0; a < o->n_as; a++)
		if (!strcmp(o->as[a].name, n->name))
			return "an AS has this name";
	if (!n->has_pc || !point_code(o, n, n->pc_text, &n->pc))
		return "needs pc=, a point code of the variant";
	if (n->links && (!n->has_adjacent || !point_code(o, n, n->adjacent_text, &n->adjacent)))
		return "needs adjacent=, a point code of the variant";
	if (n->links && !n->server && !n->n_peer && !o->tp.n_remote)
		return "a client needs --gateway or gateway=";
	if (n->server && !n->local_port)
		n->local_port = M2PA_PORT;
	if (!n->server && !n->has_peer_port)
		n->peer_port = M2PA_PORT;
	return bad_ports(n) ? bad_ports(n) : bad_behind(o, n);
}

bool opts_resolve_node(struct opts *o, unsigned i, char *err)
{
	const char *bad = bad_node(o, i);

	if (bad)
		snprintf(err, KEYVAL_ERR, "--node %s: %s", o->node[i].name, bad);
	return !bad;
}

/* ---- --at ---- */

static bool find_link(const struct opts *o, const char *who, struct action_opts *a)
{
	char name[KEYVAL_NAME];
	const char *dot = strrchr(who, '.');
	int node = opts_find_node(o, who);
	uint64_t n;

	a->asp = OPTS_ALL;
	if (node < 0 && dot && (size_t)(dot - who) < sizeof(name)) {
		memcpy(name, who, (size_t)(dot - who));
		name[dot - who] = 0;
		node = opts_find_node(o, name);
		if (node < 0 || !o->node[node].links ||
			!keyval_number(dot + 1, 0, o->node[node].links - 1u, &n))
			return false;
		a->asp = (int)n;
	}
	a->as = (unsigned)node;
	a->is_node = true;
	return node >= 0;
}

/* "3-3-3" or "3-3-3/2": where a point code may be written with slashes, too, the last one parts the number.
 */
static bool read_dest(const struct opts *o, char *text, struct action_opts *a)
{
	bool upu = a->kind == ACT_UPU;
	char *slash = upu || a->kind == ACT_TFC ? strrchr(text, '/') : NULL;
	uint64_t value = upu ? MTP3_SI_SCCP : 1;

	if (slash) {
		*slash = 0;
		if (!keyval_number(slash + 1, upu ? MTP3_SI_SCCP : 0, upu ? 15 : 3, &value))
			return false;
	}
	a->value = (uint8_t)value;
	return point_code(o, &o->node[a->as], text, &a->pc);
}

bool opts_node_action(const struct opts *o, const char *who, char *what, struct action_opts *a)
{
	static const enum action_kind also[] = {ACT_CONNECT, ACT_SHUTDOWN, ACT_ABORT, ACT_STALL, ACT_RESUME};
	char *eq = strchr(what, '=');
	bool found = false;

	if (!find_link(o, who, a))
		return false;
	if (eq)
		*eq++ = 0;
	for (unsigned i = 0; i < COUNT(also) + ACT_KINDS - ACT_DROP && !found; i++) {
		a->kind = i < COUNT(also) ? also[i] : (enum action_kind)(ACT_DROP + i - COUNT(also));
		found = !strcmp(action_name(a->kind), what);
	}
	if (!found || (a->kind >= ACT_LINK_KINDS && a->asp != OPTS_ALL))
		return false;
	if (a->kind >= ACT_TFP && a->kind <= ACT_UPU)
		return eq && read_dest(o, eq, a);
	return !eq;
}
