/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "m3ua/rkm_key.h"

#include <stdlib.h>
#include <string.h>
#include <talloc.h>

enum {
	FIRST_USER_SI = 3, /* below: MTP management and testing, which no user part may claim */
	SI_VALUES = 16,
};

const char *rkm_status_name(uint32_t status)
{
	static const char *const names[RKM_STATUSES] = {[RKM_REGISTERED] = "Successfully Registered",
		[RKM_UNKNOWN_ERROR] = "Unknown",
		[RKM_INVALID_DPC] = "Invalid DPC",
		[RKM_INVALID_NA] = "Invalid Network Appearance",
		[RKM_INVALID_KEY] = "Invalid Routing Key",
		[RKM_PERMISSION_DENIED] = "Permission Denied",
		[RKM_NOT_UNIQUE] = "Cannot Support Unique Routing",
		[RKM_NOT_PROVISIONED] = "Routing Key not Currently Provisioned",
		[RKM_NO_RESOURCES] = "Insufficient Resources",
		[RKM_UNSUPPORTED_FIELD] = "Unsupported RK parameter Field",
		[RKM_UNSUPPORTED_MODE] = "Unsupported/Invalid Traffic Handling Mode",
		[RKM_CHANGE_REFUSED] = "Routing Key Change Refused",
		[RKM_ALREADY_REGISTERED] = "Routing Key Already Registered"};

	return status < RKM_STATUSES ? names[status] : "?";
}

/* ---- reading ---- */

struct reading {
	void *ctx;
	struct rk *k;
	struct key_conf *group; /* the one whose DPC came last */
};

static uint32_t word(const struct m3ua_param *p)
{
	return m3ua_list_u32(p, 0);
}

static enum rkm_status take_mode(struct reading *r, const struct m3ua_param *p)
{
	r->k->has_mode = true;
	r->k->mode = word(p);
	return r->k->mode >= FWD_OVERRIDE && r->k->mode <= FWD_BROADCAST ? RKM_REGISTERED
									 : RKM_UNSUPPORTED_MODE;
}

static enum rkm_status take_na(struct reading *r, const struct m3ua_param *p)
{
	r->k->has_na = true;
	r->k->na = word(p);
	return RKM_REGISTERED;
}

static enum rkm_status take_rc(struct reading *r, const struct m3ua_param *p)
{
	r->k->has_rc = true;
	r->k->rc = word(p);
	return RKM_REGISTERED;
}

/* s.3.6.1: a DPC begins a group; its mask is 0. */
static enum rkm_status take_dpc(struct reading *r, const struct m3ua_param *p)
{
	struct rk *k = r->k;

	if (k->n_groups == RKM_MAX_GROUPS)
		return RKM_NO_RESOURCES;
	r->group = &k->groups[k->n_groups++];
	*r->group = (struct key_conf){.dpc = m3ua_apc_pc(word(p))};
	return m3ua_apc_mask(word(p)) ? RKM_INVALID_DPC : RKM_REGISTERED;
}

static int by_octet(const void *a, const void *b)
{
	return *(const uint8_t *)a - *(const uint8_t *)b;
}

static int by_word(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static unsigned without_repetitions(
	void *list, unsigned n, size_t size, int (*cmp)(const void *, const void *))
{
	uint8_t *v = list;
	unsigned kept = 0;

	qsort(v, n, size, cmp);
	for (unsigned i = 0; i < n; i++) {
		if (kept && !cmp(v + (kept - 1) * size, v + i * size))
			continue;
		memmove(v + kept++ * size, v + i * size, size);
	}
	return kept;
}

static enum rkm_status take_si(struct reading *r, const struct m3ua_param *p)
{
	struct key_conf *g = r->group;

	if (!g || g->n_si || g->n_opc) /* without a DPC, twice, or behind the OPC List: s.3.6.1's order */
		return RKM_INVALID_KEY;
	for (uint32_t i = 0; i < p->len; i++)
		if (p->v[i] < FIRST_USER_SI || p->v[i] >= SI_VALUES)
			return RKM_INVALID_KEY;
	g->si = talloc_memdup(r->ctx, p->v, p->len);
	if (!g->si)
		return RKM_NO_RESOURCES;
	g->n_si = without_repetitions(g->si, p->len, sizeof(*g->si), by_octet);
	return RKM_REGISTERED;
}

/* A range of origins (a mask that is not 0) cannot be a routing key here. */
static enum rkm_status take_opcs(struct reading *r, const struct m3ua_param *p)
{
	struct key_conf *g = r->group;
	uint32_t n = m3ua_list_len(p);

	if (!g || g->n_opc)
		return RKM_INVALID_KEY;
	for (uint32_t i = 0; i < n; i++)
		if (m3ua_apc_mask(m3ua_list_u32(p, i)))
			return RKM_UNSUPPORTED_FIELD;
	g->opc = n <= RKM_MAX_ROWS ? talloc_array(r->ctx, uint32_t, n) : NULL;
	if (!g->opc)
		return RKM_NO_RESOURCES;
	for (uint32_t i = 0; i < n; i++)
		g->opc[i] = m3ua_apc_pc(m3ua_list_u32(p, i));
	g->n_opc = without_repetitions(g->opc, n, sizeof(*g->opc), by_word);
	return RKM_REGISTERED;
}

static const struct {
	uint16_t tag;
	enum rkm_status (*take)(struct reading *r, const struct m3ua_param *p);
} fields[] = {
	{M3UA_P_TRAFFIC_MODE, take_mode},
	{M3UA_P_NETWORK_APPEARANCE, take_na},
	{M3UA_P_ROUTING_CONTEXT, take_rc},
	{M3UA_P_DPC, take_dpc},
	{M3UA_P_SI, take_si},
	{M3UA_P_OPC_LIST, take_opcs},
};

/* What is not known (RFC 3332's Circuit Range, say) would make the key narrower: it cannot be passed over. */
static enum rkm_status take(struct reading *r, const struct m3ua_param *p)
{
	if (p->tag == M3UA_P_LOCAL_RK_ID)
		return RKM_REGISTERED;
	for (unsigned i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		if (fields[i].tag == p->tag)
			return fields[i].take(r, p);
	return RKM_UNSUPPORTED_FIELD;
}

static unsigned rows_of(const struct key_conf *g)
{
	return (g->n_si ? g->n_si : 1) * (g->n_opc ? g->n_opc : 1);
}

static unsigned count_rows(const struct rk *k)
{
	unsigned n = 0;

	for (unsigned i = 0; i < k->n_groups; i++)
		n += rows_of(&k->groups[i]);
	return n;
}

static bool same_group(const struct key_conf *a, const struct key_conf *b)
{
	if (a->dpc != b->dpc || a->n_si != b->n_si || a->n_opc != b->n_opc)
		return false;
	for (unsigned i = 0; i < b->n_si; i++)
		if (!memchr(a->si, b->si[i], a->n_si))
			return false;
	for (unsigned i = 0; i < b->n_opc; i++)
		if (!bsearch(&b->opc[i], a->opc, a->n_opc, sizeof(*a->opc), by_word))
			return false;
	return true;
}

static void drop_repeated_groups(struct rk *k)
{
	unsigned n = 0;

	for (unsigned i = 0; i < k->n_groups; i++) {
		unsigned j = 0;

		while (j < n && !same_group(&k->groups[j], &k->groups[i]))
			j++;
		if (j == n)
			k->groups[n++] = k->groups[i];
	}
	k->n_groups = n;
}

enum rkm_status rk_read(void *ctx, const struct m3ua_param *p, struct rk *out)
{
	struct reading r = {.ctx = ctx, .k = out};
	struct m3ua_param it = {0};
	enum rkm_status found = RKM_REGISTERED;

	*out = (struct rk){.groups = talloc_array(ctx, struct key_conf, RKM_MAX_GROUPS)};
	while (m3ua_next_inside(p, &it))
		if (it.tag == M3UA_P_LOCAL_RK_ID)
			out->id = word(&it);
	if (!out->groups)
		return RKM_NO_RESOURCES;
	it = (struct m3ua_param){0};
	while (found == RKM_REGISTERED && m3ua_next_inside(p, &it))
		found = take(&r, &it);
	if (found != RKM_REGISTERED)
		return found;
	drop_repeated_groups(out);
	return count_rows(out) > RKM_MAX_ROWS ? RKM_NO_RESOURCES : RKM_REGISTERED;
}

/* ---- checking and comparing ---- */

static bool is_own(const struct network_conf *n, uint32_t pc)
{
	for (unsigned i = 0; i < n->n_pcs; i++)
		if (n->pcs[i] == pc)
			return true;
	return false;
}

enum rkm_status rk_fits(const struct rk *k, const struct network_conf *network)
{
	uint32_t past = 1u << pc_bits((enum pc_variant)network->variant);

	for (unsigned i = 0; i < k->n_groups; i++) {
		const struct key_conf *g = &k->groups[i];

		if (g->dpc >= past || is_own(network, g->dpc))
			return RKM_INVALID_DPC;
		for (unsigned o = 0; o < g->n_opc; o++)
			if (g->opc[o] >= past || is_own(network, g->opc[o]))
				return RKM_INVALID_KEY;
	}
	return RKM_REGISTERED;
}

/* Neither side has a group twice, so equal numbers and every one found are enough. */
bool rk_same(const struct rk *k, const struct key_conf *v, unsigned n)
{
	if (k->n_groups != n)
		return false;
	for (unsigned i = 0; i < n; i++) {
		unsigned j = 0;

		while (j < n && !same_group(&k->groups[i], &v[j]))
			j++;
		if (j == n)
			return false;
	}
	return true;
}

static bool share_si(const struct key_conf *a, const struct key_conf *b)
{
	if (!a->n_si || !b->n_si)
		return true;
	for (unsigned i = 0; i < a->n_si; i++)
		if (memchr(b->si, a->si[i], b->n_si))
			return true;
	return false;
}

static bool share_opc(const struct key_conf *sorted, const struct key_conf *b)
{
	if (!sorted->n_opc || !b->n_opc)
		return true;
	for (unsigned i = 0; i < b->n_opc; i++)
		if (bsearch(&b->opc[i], sorted->opc, sorted->n_opc, sizeof(*b->opc), by_word))
			return true;
	return false;
}

bool rk_overlaps(const struct key_conf *group, const struct key_conf *other)
{
	return group->dpc == other->dpc && share_si(group, other) && share_opc(group, other);
}

bool rk_equal(const struct key_conf *a, unsigned n_a, const struct key_conf *b, unsigned n_b)
{
	if (n_a != n_b)
		return false;
	for (unsigned i = 0; i < n_a; i++) {
		const struct key_conf *x = &a[i], *y = &b[i];

		if (x->dpc != y->dpc || x->n_si != y->n_si || x->n_opc != y->n_opc ||
			(x->n_si && memcmp(x->si, y->si, x->n_si) != 0) ||
			(x->n_opc && memcmp(x->opc, y->opc, x->n_opc * sizeof(*x->opc)) != 0))
			return false;
	}
	return true;
}

uint32_t rk_size(const struct key_conf *groups, unsigned n)
{
	enum { WORD = M3UA_PARAM_HEADER + 4 };
	/* the parameter itself, Local-RK-Identifier, Routing Context, Traffic Mode Type, Network Appearance
	 */
	uint32_t size = M3UA_PARAM_HEADER + 4 * WORD;

	for (unsigned i = 0; i < n; i++) {
		size += WORD;
		if (groups[i].n_si)
			size += M3UA_PARAM_HEADER + (groups[i].n_si + 3) / 4 * 4;
		if (groups[i].n_opc)
			size += M3UA_PARAM_HEADER + groups[i].n_opc * 4;
	}
	return size;
}
