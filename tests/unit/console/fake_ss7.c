/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The SS7 side of the gateway that stands still: linkset ls-a with a-0, which fails to align, and a-1, which
 * works and is inhibited. */
#include <string.h>

#include "fake_gateway.h"
#include "wire/m2pa.h"
#include "wire/mtp3_snm.h"

enum { N_LINKS = 2 };

static const struct ss7_linkset_conf ls_a = {
	.name = "ls-a", .network = "national", .adjacent = 0x1234, .sls_bits = 4};
static const struct ss7_link_conf links[N_LINKS] = {
	{.l2 = {.name = "a-0"}, .slc = 3}, {.l2 = {.name = "a-1", .txq_limit = 4096}, .slc = 4}};

static struct assoc assoc = {.id = 7,
	.name = "a-1",
	.state = ASSOC_UP,
	.ops = &tp_embedded,
	.why = "the kernel has no SCTP",
	.since_ms = 95000,
	.in_streams = 2,
	.out_streams = 2,
	.stats = {.c = {[AC_RX_DATA] = 77}}};

static const uint64_t l3_counters[N_LINKS][MTP3_LC_COUNT] = {
	{[MTP3_LC_FAILED_ALIGNMENTS] = 9}, {[MTP3_LC_TESTS] = 12, [MTP3_LC_LOCAL_INHIBITS] = 1}};

static const struct ss7_link_view views[N_LINKS] = {
	{.conf = &links[0],
		.linkset = "ls-a",
		.state = "waiting",
		.activated = true,
		.reason = "T2 expired",
		.available_reason = "configured",
		.c = l3_counters[0],
		.l2 = {.down_reason = "", .c = {[M2LC_T2_EXPIRED] = 7}},
		.l2_state = "out of service"},
	{.conf = &links[1],
		.linkset = "ls-a",
		.state = "active",
		.reason = "link test passed",
		.activated = true,
		.active = true,
		.inhibited_local = true,
		.available_reason = "inhibited",
		.available_since_ms = 99000,
		.since_ms = 96000,
		.c = l3_counters[1],
		.l2 = {.assoc = &assoc,
			.down_reason = "",
			.seq = {.fsn = 41, .bsn = 17, .waiting = 2, .retained = 5},
			.traffic = {.c = {[AC_RX_DATA] = 1077}, .drops = {[DROP_M2PA_FSN] = 3}},
			.rx = {[M2PA_READY] = 1},
			.tx = {[M2PA_READY] = 1, [M2PA_PROVING_NORMAL] = 90}},
		.l2_state = "in service"},
};

static const uint64_t received[SNM_IDS] = {[SNM_TFP] = 3}, sent[SNM_IDS] = {[SNM_LIN] = 1};

struct ss7_linkset *ss7_linkset_by_name(struct ss7 *s, const char *name)
{
	(void)s;
	return !strcmp(name, ls_a.name) ? (struct ss7_linkset *)(uintptr_t)&ls_a : NULL;
}

static struct ss7_link *link_at(unsigned i)
{
	return (struct ss7_link *)(uintptr_t)&views[i];
}

struct ss7_link *ss7_link_by_name(struct ss7 *s, const char *name)
{
	(void)s;
	for (unsigned i = 0; i < N_LINKS; i++)
		if (!strcmp(name, links[i].l2.name))
			return link_at(i);
	return NULL;
}

void ss7_each_linkset(struct ss7 *s, void (*fn)(void *arg, const struct ss7_linkset *ls), void *arg)
{
	fn(arg, ss7_linkset_by_name(s, ls_a.name));
}

void ss7_each_link(struct ss7 *s, const struct ss7_linkset *ls,
	void (*fn)(void *arg, const struct ss7_link *l), void *arg)
{
	(void)s, (void)ls;
	for (unsigned i = 0; i < N_LINKS; i++)
		fn(arg, link_at(i));
}

void ss7_linkset_view(const struct ss7_linkset *ls, struct ss7_linkset_view *out)
{
	(void)ls;
	*out = (struct ss7_linkset_view){.conf = &ls_a,
		.state = "down",
		.reason = "configured",
		.links = N_LINKS,
		.congestion = 2,
		.not_allowed_here = 1,
		.not_allowed_there = 6};
}

void ss7_link_view(const struct ss7_link *l, struct ss7_link_view *out)
{
	*out = *(const struct ss7_link_view *)(const void *)l;
}

bool ss7_net_view(const struct ss7 *s, const char *network, struct ss7_net_view *out)
{
	(void)s;
	*out = (struct ss7_net_view){
		.restart = "done", .restart_since_ms = 98000, .strays = 4, .rx = received, .tx = sent};
	return !strcmp(network, ls_a.network);
}

bool ss7_link_operate(struct ss7_link *l, enum ss7_operation op, const char **why)
{
	(void)l;
	*why = "it is not active";
	return op != SS7_TEST;
}

void ss7_linkset_operate(struct ss7_linkset *ls, bool activate)
{
	(void)ls, (void)activate;
}

#define X(id, name, text) [M2LC_##id] = {name, text},
const struct counter_row m2pa_link_counter_rows[M2LC_COUNT] = {M2PA_LINK_COUNTERS(X)};
#undef X

#define X(id, name, text) [MTP3_LC_##id] = {name, text},
const struct counter_row mtp3_link_counter_rows[MTP3_LC_COUNT] = {MTP3_LINK_COUNTERS(X)};
#undef X
