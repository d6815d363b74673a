/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --flow: what needs all ASs and nodes to be known. */
#include <string.h>

#include "sim/opts_rows.h"
#include "wire/m3ua_data.h"
#include "wire/mtp3.h"

uint32_t opts_flow_longest(const struct opts *o, const struct flow_opts *f)
{
	const struct node_opts *ends[] = {
		f->from_node ? &o->node[f->from] : NULL, f->to_node ? &o->node[f->to] : NULL};
	uint32_t most = o->max_message - M3UA_DATA_HEADER_MAX - M3UA_DATA_TRAILER_MAX;

	for (unsigned i = 0; i < 2; i++) {
		uint32_t fits = ends[i] ? (uint32_t)ends[i]->max_sif - mtp3_shapes[f->variant].octets : most;

		most = fits < most ? fits : most;
	}
	return most;
}

static bool flow_sizes(const struct opts *o, const struct flow_opts *f, const char *where, char *err)
{
	bool by_link = f->from_node || f->to_node;
	uint32_t least = dress_min(f->dress, f->si), most = opts_flow_longest(o, f);

	if (f->dress != DRESS_TEST) /* flow.c keeps to what these messages can hold */
		least = 0;
	if (f->size.min >= least && f->size.max <= most)
		return true;
	snprintf(err, KEYVAL_ERR, "%s: a size here is from %u (what the check needs) to %u (%s)", where,
		least, most, by_link ? "the node's max-sif, less the label" : "--max-message");
	return false;
}

/* One end of a flow: an AS or a node of that name. */
struct flow_end {
	bool is_node, has_pc, here;
	unsigned index;
	uint32_t pc;
	enum pc_variant variant;
};

static bool flow_end(
	const struct opts *o, const char *where, const char *name, struct flow_end *out, char *err)
{
	int as = opts_find_as(o, name), node = as < 0 ? opts_find_node(o, name) : -1;

	if (as >= 0) {
		const struct as_opts *a = &o->as[as];

		*out = (struct flow_end){.has_pc = a->has_pc,
			.here = a->asps,
			.index = (unsigned)as,
			.pc = a->pc,
			.variant = a->variant};
	} else if (node >= 0) {
		const struct node_opts *n = &o->node[node];

		*out = (struct flow_end){.is_node = true, /* of several linksets, the first is meant */
			.has_pc = true,
			.here = n->links,
			.index = n->main,
			.pc = n->pc,
			.variant = n->variant};
	} else {
		snprintf(err, KEYVAL_ERR, "%s: there is no --as and no --node named \"%s\"", where, name);
	}
	return as >= 0 || node >= 0;
}

static bool serves(const struct node_opts *n, uint32_t pc)
{
	for (unsigned i = 0; i < n->n_behind; i++)
		if (n->behind[i] == pc)
			return true;
	return pc == n->pc;
}

/* What a node puts on its links has an SLS of its network; what it receives is for what it serves. */
static bool flow_fits_node(
	const struct flow_opts *f, const struct node_opts *n, bool receives, const char *where, char *err)
{
	unsigned top = 1u << mtp3_shapes[n->variant].sls_bits;

	for (unsigned i = 0; i < f->n_sls; i++)
		if (f->sls[i] >= top) {
			snprintf(
				err, KEYVAL_ERR, "%s: SLS %u is too large for %s", where, f->sls[i], n->name);
			return false;
		}
	if (!receives || serves(n, f->dpc))
		return true;
	snprintf(err, KEYVAL_ERR, "%s: %s does not serve that dpc (behind=)", where, n->name);
	return false;
}

static bool point_code(const struct opts *o, const struct flow_opts *f, const char *where, const char *text,
	uint32_t *out, char *err)
{
	if (opts_point_code(o, f->variant, text, out))
		return true;
	snprintf(err, KEYVAL_ERR, "%s: \"%s\" is not a point code of variant %s", where, text,
		pc_variant_name(f->variant));
	return false;
}

static bool flow_ends(struct opts *o, struct flow_opts *f, const char *where, char *err)
{
	struct flow_end from, to;

	if (!flow_end(o, where, f->from_text, &from, err) || !flow_end(o, where, f->to_text, &to, err))
		return false;
	f->from = from.index;
	f->to = to.index;
	f->from_node = from.is_node;
	f->to_node = to.is_node;
	f->opc = from.pc;
	f->dpc = to.pc;
	f->variant = from.variant;
	if (from.variant != to.variant) {
		snprintf(err, KEYVAL_ERR, "%s: its ends are in networks of different variants", where);
		return false;
	}
	if ((f->has_opc && !point_code(o, f, where, f->opc_text, &f->opc, err)) ||
		(f->has_dpc && !point_code(o, f, where, f->dpc_text, &f->dpc, err)))
		return false;
	if ((!f->has_opc && !from.has_pc) || (!f->has_dpc && !to.has_pc)) {
		snprintf(err, KEYVAL_ERR,
			"%s: no point code: give the AS pc=, or the flow opc= and dpc=", where);
		return false;
	}
	if (!from.here && !to.here) {
		snprintf(err, KEYVAL_ERR, "%s: neither end is played here (asps=0, links=0)", where);
		return false;
	}
	return (!from.is_node || flow_fits_node(f, &o->node[f->from], false, where, err)) &&
	       (!to.is_node || flow_fits_node(f, &o->node[f->to], true, where, err));
}

bool opts_resolve_flow(struct opts *o, unsigned i, char *err)
{
	struct flow_opts *f = &o->flow[i];
	char where[2 * KEYVAL_NAME + 8];

	snprintf(where, sizeof(where), "--flow %u", i + 1);
	if (f->dress != DRESS_TEST && f->has_si && f->si != dress_si(f->dress)) {
		snprintf(err, KEYVAL_ERR, "%s: payload=%s has si %u", where, dress_name(f->dress),
			dress_si(f->dress));
		return false;
	}
	if (f->dress != DRESS_TEST)
		f->si = dress_si(f->dress);
	if (!flow_ends(o, f, where, err) || !flow_sizes(o, f, where, err))
		return false;
	if (!f->has_id)
		f->id = (uint16_t)(i + 1);
	for (unsigned k = 0; k < i; k++) {
		if (o->flow[k].id == f->id) {
			snprintf(err, KEYVAL_ERR, "%s: the id %u is there twice", where, f->id);
			return false;
		}
	}
	if (f->poisson && f->pace == PACE_REGULAR)
		f->pace = PACE_POISSON;
	if (f->pace == PACE_MAX && !f->has_window)
		f->window = 1000;
	if (!f->stop_ns)
		f->stop_ns = o->duration_ns;
	return true;
}
