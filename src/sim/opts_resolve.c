/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The second half of reading the command line: what needs all options to be known. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "sim/opts_rows.h"

static const char *const action_names[ACT_KINDS] = {
	[ACT_CONNECT] = "connect",
	[ACT_ASPUP] = "aspup",
	[ACT_ASPAC] = "aspac",
	[ACT_ASPIA] = "aspia",
	[ACT_ASPDN] = "aspdn",
	[ACT_SHUTDOWN] = "shutdown",
	[ACT_ABORT] = "abort",
	[ACT_DUNA] = "duna",
	[ACT_DAVA] = "dava",
	[ACT_STALL] = "stall",
	[ACT_RESUME] = "resume",
	[ACT_DROP] = "drop",
	[ACT_STOP_ACK] = "stop-ack",
	[ACT_BUSY] = "busy",
	[ACT_BUSY_END] = "busy-end",
	[ACT_PO] = "po",
	[ACT_PO_END] = "po-end",
	[ACT_WRONG_FSN] = "wrong-fsn",
	[ACT_ACTIVATE] = "activate",
	[ACT_DEACTIVATE] = "deactivate",
	[ACT_INHIBIT] = "inhibit",
	[ACT_UNINHIBIT] = "uninhibit",
	[ACT_TFP] = "tfp",
	[ACT_TFA] = "tfa",
	[ACT_TFR] = "tfr",
	[ACT_TFC] = "tfc",
	[ACT_UPU] = "upu",
	[ACT_RESTART] = "restart",
};

const char *action_name(enum action_kind k)
{
	return action_names[k];
}

int opts_find_as(const struct opts *o, const char *name)
{
	for (unsigned i = 0; i < o->n_as; i++)
		if (!strcmp(o->as[i].name, name))
			return (int)i;
	return -1;
}

bool opts_point_code(const struct opts *o, enum pc_variant v, const char *text, uint32_t *out)
{
	struct pc_format usual;

	if (v == o->variant)
		return pc_parse(text, &o->pc_format, pc_bits(v), out);
	pc_format_default(v, &usual);
	return pc_parse(text, &usual, pc_bits(v), out);
}

static bool resolve_format(struct opts *o, char *err)
{
	pc_format_default(o->variant, &o->pc_format);
	if (!o->has_pc_format || pc_format_parse(o->pc_format_text, pc_bits(o->variant), &o->pc_format))
		return true;
	snprintf(err, KEYVAL_ERR, "--pc-format: \"%s\" does not describe %u bits", o->pc_format_text,
		pc_bits(o->variant));
	return false;
}

/* Which of the options go together. */
static bool check_role(const struct as_opts *a, char *err)
{
	const char *what = NULL;

	if (a->registers && a->role != ASP_ROLE_ASP)
		what = "only ASPs register (--register)";
	else if (a->has_peer_rc && a->role != ASP_ROLE_IPSP_DE)
		what = "peer-rc= is for role=ipsp-de";
	else if (a->server && !a->local_port)
		what = "side=server needs local-port=";
	if (what)
		snprintf(err, KEYVAL_ERR, "%s: %s", a->name, what);
	return !what;
}

static bool resolve_as(struct opts *o, unsigned i, char *err)
{
	struct as_opts *a = &o->as[i];

	if (!a->name[0]) {
		snprintf(err, KEYVAL_ERR, "--as: needs name=");
		return false;
	}
	if (opts_find_as(o, a->name) != (int)i) {
		snprintf(err, KEYVAL_ERR, "--as: the name %s is there twice", a->name);
		return false;
	}
	if (!a->has_variant)
		a->variant = o->variant;
	if (a->has_pc && !opts_point_code(o, a->variant, a->pc_text, &a->pc)) {
		snprintf(err, KEYVAL_ERR, "%s: \"%s\" is not a point code of variant %s", a->name, a->pc_text,
			pc_variant_name(a->variant));
		return false;
	}
	a->registers = o->registers && a->asps;
	if (a->registers && !a->has_pc) {
		snprintf(err, KEYVAL_ERR, "%s: --register needs pc=", a->name);
		return false;
	}
	if (!check_role(a, err))
		return false;
	if (a->local_port && a->local_port + a->asps > 65536) {
		snprintf(err, KEYVAL_ERR, "%s: local-port %u and %u ASPs go beyond 65535", a->name,
			a->local_port, a->asps);
		return false;
	}
	if (!a->has_active)
		a->active = a->mode == 1 && a->asps
				    ? 1
				    : a->asps; /* override: one is active, the rest stand by */
	if (a->active > a->asps)
		a->active = a->asps;
	return true;
}

/* "hlr" or "hlr-*": all ASPs of the AS; "hlr-2": one. An AS may have a dash and a number in its own name. */
static bool find_asp(const struct opts *o, const char *text, struct action_opts *a)
{
	char name[KEYVAL_NAME];
	const char *dash = strrchr(text, '-');
	uint64_t n;
	int as = opts_find_as(o, text);

	a->asp = OPTS_ALL;
	if (as < 0 && dash && (size_t)(dash - text) < sizeof(name)) {
		memcpy(name, text, (size_t)(dash - text));
		name[dash - text] = 0;
		as = opts_find_as(o, name);
		if (as >= 0 && strcmp(dash + 1, "*") != 0) {
			if (!keyval_number(dash + 1, 1, o->as[as].asps, &n))
				return false;
			a->asp = (int)n - 1;
		}
	}
	a->as = (unsigned)as;
	return as >= 0;
}

static bool find_action(const char *text, struct action_opts *a)
{
	for (int k = 0; k < ACT_ASP_KINDS; k++) {
		if (!strcmp(action_names[k], text)) {
			a->kind = (enum action_kind)k;
			return true;
		}
	}
	return false;
}

/* SSNM comes from an SG or an IPSP, and is about a point code. */
static bool may_tell_status(const struct opts *o, const struct action_opts *a)
{
	return (a->kind != ACT_DUNA && a->kind != ACT_DAVA) ||
	       (o->as[a->as].role != ASP_ROLE_ASP && o->as[a->as].has_pc);
}

static bool resolve_action(struct opts *o, struct action_opts *a, char *err)
{
	char copy[96], *asp, *what;
	bool ok = false;

	if (snprintf(copy, sizeof(copy), "%s", a->text) < (int)sizeof(copy)) {
		asp = strchr(copy, ':');
		what = asp ? strchr(asp + 1, ':') : NULL;
		if (what) {
			*asp++ = 0;
			*what++ = 0;
			ok = keyval_time(copy, 1, &a->at_ns) &&
			     ((find_asp(o, asp, a) && find_action(what, a) && may_tell_status(o, a)) ||
				     opts_node_action(o, asp, what, a));
		}
	}
	if (!ok)
		snprintf(err, KEYVAL_ERR,
			"--at: \"%.80s\" is not TIME:WHO:ACTION, e.g. 2s:hlr-1:aspia or 2s:stp1.0:drop",
			a->text);
	return ok;
}

static int by_time(const void *a, const void *b)
{
	const struct action_opts *x = a, *y = b;

	if (x->at_ns != y->at_ns)
		return x->at_ns < y->at_ns ? -1 : 1;
	return x->order < y->order ? -1 : 1;
}

static bool end_here(const struct opts *o, bool is_node, unsigned index)
{
	return is_node ? o->node[index].links : o->as[index].asps;
}

/* A random run number only where this process plays all ends: else both processes must know it. */
static void resolve_run(struct opts *o)
{
	bool shared = false;

	if (!o->has_seed)
		o->seed = clock_ns();
	for (unsigned i = 0; i < o->n_flows; i++)
		shared |= !end_here(o, o->flow[i].from_node, o->flow[i].from) ||
			  !end_here(o, o->flow[i].to_node, o->flow[i].to);
	if (!o->has_run && !shared)
		o->run = (uint16_t)(clock_ns() >> 10);
}

static bool needs_gateway(const struct opts *o)
{
	for (unsigned i = 0; i < o->n_as; i++)
		if (!o->as[i].server && !o->tp.n_remote)
			return true;
	return false;
}

bool opts_resolve(struct opts *o, char *err)
{
	bool ok = true;

	if (o->script)
		return true;
	if (needs_gateway(o) || (!o->n_as && !o->n_nodes)) {
		snprintf(err, KEYVAL_ERR,
			"needs --gateway and at least one --as, or at least one --node (see --help)");
		return false;
	}
	ok = resolve_format(o, err);
	for (unsigned i = 0; ok && i < o->n_nodes; i++)
		ok = opts_resolve_node(o, i, err);
	for (unsigned i = 0; ok && i < o->n_as; i++)
		ok = resolve_as(o, i, err);
	for (unsigned i = 0; ok && i < o->n_flows; i++)
		ok = opts_resolve_flow(o, i, err);
	for (unsigned i = 0; ok && i < o->n_actions; i++)
		ok = resolve_action(o, &o->action[i], err);
	if (!ok)
		return false;
	qsort(o->action, o->n_actions, sizeof(o->action[0]), by_time);
	resolve_run(o);
	return true;
}
