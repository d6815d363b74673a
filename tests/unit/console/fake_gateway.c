/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fake_gateway.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/clock.h"
#include "sctp/addr.h"

/* The last target is one where messages wait before they go by another route. */
enum { N_ASPS = 4, N_ASS = 4, N_MEMBERS = 6, N_TARGETS = N_ASS + 1 };

unsigned fake_blocks, fake_restarts;

static bool yes(char *why, size_t n)
{
	snprintf(why, n, "fake");
	return true;
}

static bool no(char *why, size_t n)
{
	snprintf(why, n, "the kernel has no SCTP");
	return false;
}

const struct tp_ops tp_kernel = {.name = "kernel", .available = no},
		    tp_tcp = {.name = "tcp", .available = yes},
		    tp_embedded = {.name = "embedded", .available = yes, .gives_ssn = true},
		    tp_mem = {.name = "mem", .available = yes};

struct listener {
	bool up;
};

static struct {
	struct llist_head networks, listeners, asps, ass;
	struct sg_network national;
	struct sg_listener listener[2];
	struct asp asp[N_ASPS];
	struct as as[N_ASS];
	struct as_asp member[N_MEMBERS];
	struct assoc assoc[2];
	struct listener up;
	struct fwd_hold hold;
	struct fwd_routing *routing;
	struct fwd_as *fwd[N_TARGETS];
	struct fwd_table *table;
} gw;

/* ---- the configuration ---- */

static uint32_t own_pcs[] = {0x0809}; /* 1-1-1 */
static const struct network_conf national = {.name = "national",
	.variant = PC_ITU,
	.format = {.widths = {3, 8, 3}, .n = 3, .delim = '-'},
	.ni = 2,
	.pcs = own_pcs,
	.n_pcs = 1,
	.has_na = true,
	.na = 7};

static struct listener_conf listener_conf[2] = {{.name = "asps"}, {.name = "broken"}};
static struct asp_conf asp_conf[N_ASPS] = {{.name = "hlr-1", .side = ASP_SERVER},
	{.name = "hlr-2", .side = ASP_CLIENT, .beat_ms = 5000}, {.name = "msc-1", .side = ASP_SERVER},
	{.name = "hlr-3", .side = ASP_SERVER, .blocked = true}};

enum { PC_HLR = 0x0813, PC_MSC = 0x0814, PC_SMSC = 0x0815, PC_CAST = 0x0816, PC_MOVES = 0x1001 };
static uint8_t sccp[] = {3};
static struct key_conf keys[N_ASS] = {
	{.dpc = PC_HLR}, {.dpc = PC_MSC, .si = sccp, .n_si = 1}, {.dpc = PC_SMSC}, {.dpc = PC_CAST}};
static const struct as_conf as_conf[N_ASS] = {{.name = "hlr",
						      .network = "national",
						      .has_rc = true,
						      .rc = 10,
						      .keys = &keys[0],
						      .n_keys = 1,
						      .mode = FWD_LOADSHARE,
						      .share_key = FWD_KEY_SLS,
						      .t_r_ms = 2000},
	{.name = "msc",
		.network = "national",
		.has_rc = true,
		.rc = 20,
		.keys = &keys[1],
		.n_keys = 1,
		.mode = FWD_OVERRIDE},
	{.name = "smsc",
		.network = "national",
		.keys = &keys[2],
		.n_keys = 1,
		.mode = FWD_OVERRIDE,
		.t_r_ms = 2000},
	{.name = "cast", .network = "national", .keys = &keys[3], .n_keys = 1, .mode = FWD_BROADCAST}};

static const struct conf conf = {.file = "/etc/signalbox/signalboxd.conf", .node_name = "gw1", .workers = 2};

const struct conf *fake_conf(void *arg)
{
	(void)arg;
	return &conf;
}

/* ---- building it ---- */

static union tp_addr address(const char *text)
{
	union tp_addr a;
	assert_int_equal(tp_addr_parse(&a, text), SB_OK);
	return a;
}

static void build_assoc(unsigned i)
{
	struct assoc *a = &gw.assoc[i];
	*a = (struct assoc){.id = i,
		.name = asp_conf[i].name,
		.state = ASSOC_UP,
		.ops = &tp_embedded,
		.why = "the kernel has no SCTP",
		.worker = i,
		.since_ms = 90000,
		.in_streams = 16,
		.out_streams = 16,
		.has_info = true};
	tp_params_default(&a->params);
	a->info.n_paths = 1;
	a->info.paths[0] = (struct tp_path_info){.addr = address("127.0.0.1"),
		.active = true,
		.primary = true,
		.srtt_ms = 1,
		.rto_ms = 100,
		.cwnd = 4380,
		.mtu = 1400};
	a->info.remote_port = (uint16_t)(5001 + i);
	a->info.n_local = 1;
	a->info.local[0] = address("127.0.0.1");
	a->info.local_port = 2905;
	a->info.crc = "computed by the gateway";
	a->stats.c[AC_RX_DATA] = 1000 + i;
	a->stats.drops[DROP_NO_ROUTE] = i;
	a->stats.txq_limit = 10000;
	for (int d = 0; d < 2; d++)
		paged_init(&a->streams[d], 65536, sizeof(struct stream_state), 0, 8);
	struct stream_state *st = paged_touch(&a->streams[1], 5);
	st->messages = 42;
	st->last_ms = 99000;
	st = paged_touch(&a->streams[0], 3);
	st->messages = 7;
	st->last_ms = 98000;
	st->ssn = 8;
	st->faults = 1;
}

static void join(unsigned m, unsigned asp, unsigned as, enum asp_state state, const char *reason)
{
	struct as_asp *aa = &gw.member[m];
	*aa = (struct as_asp){
		.as = &gw.as[as], .asp = &gw.asp[asp], .state = state, .since_ms = 95000, .reason = reason};
	llist_add_tail(&aa->in_as, &gw.as[as].asps);
	llist_add_tail(&aa->in_asp, &gw.asp[asp].ass);
}

static void build_control(void)
{
	static const enum as_state states[N_ASS] = {AS_ACTIVE, AS_DOWN, AS_PENDING, AS_ACTIVE};

	gw.national = (struct sg_network){.conf = &national};
	llist_add_tail(&gw.national.entry, &gw.networks);
	gw.up.up = true;
	listener_conf[0].tp.local[0] = address("127.0.0.1");
	listener_conf[0].tp.n_local = 1;
	listener_conf[0].tp.local_port = 2905;
	gw.listener[0] =
		(struct sg_listener){.conf = &listener_conf[0], .ls = &gw.up, .reason = "as configured"};
	gw.listener[1] = (struct sg_listener){.conf = &listener_conf[1], .reason = "address in use"};
	for (unsigned i = 0; i < 2; i++)
		llist_add_tail(&gw.listener[i].entry, &gw.listeners);
	for (unsigned i = 0; i < N_ASPS; i++) {
		struct asp *asp = &gw.asp[i];
		*asp = (struct asp){.conf = &asp_conf[i], .since_ms = 91000, .reason = "ASPUP", .up = i != 2};
		INIT_LLIST_HEAD(&asp->ass);
		asp->blocked = asp_conf[i].blocked;
		llist_add_tail(&asp->entry, &gw.asps);
	}
	for (unsigned i = 0; i < N_ASS; i++) {
		struct as *as = &gw.as[i];
		*as = (struct as){.conf = &as_conf[i],
			.network = &gw.national,
			.number = i,
			.state = states[i],
			.since_ms = 95000,
			.reason = "ASPAC"};
		INIT_LLIST_HEAD(&as->asps);
		llist_add_tail(&as->entry, &gw.ass);
	}
	gw.asp[0].assoc = &gw.assoc[0];
	gw.asp[1].assoc = &gw.assoc[1];
	gw.asp[0].has_id = true;
	gw.asp[0].id = 77;
	gw.asp[0].rx[1] = 3;
	gw.asp[0].errors_tx[M3UA_E_REFUSED] = 2;
	snprintf(gw.asp[2].down_reason, sizeof(gw.asp[2].down_reason), "path failure");
	gw.as[2].hold = &gw.hold;
	gw.hold.n = 17;
	join(0, 0, 0, ASP_ACTIVE, "ASPAC");
	join(1, 1, 0, ASP_ACTIVE, "ASPAC");
	join(2, 3, 0, ASP_INACTIVE, "blocked");
	join(3, 2, 1, ASP_DOWN, "path failure");
	join(4, 0, 3, ASP_ACTIVE, "ASPAC");
	join(5, 1, 3, ASP_ACTIVE, "ASPAC");
}

static void build_table(void)
{
	struct fwd_slot both[] = {{.assoc = &gw.assoc[0]}, {.assoc = &gw.assoc[1]}};
	uint16_t share[FWD_SLS_BUCKETS];
	const struct fwd_network net = {.pc_bits = 14, .ni = 2, .own_pcs = own_pcs, .n_own_pcs = 1};
	const struct fwd_key fwd_keys[N_TARGETS] = {{0, FWD_ANY_SI, PC_HLR, FWD_ANY_OPC, 0, 0},
		{0, 3, PC_MSC, FWD_ANY_OPC, 1, 0}, {0, FWD_ANY_SI, PC_SMSC, FWD_ANY_OPC, 2, 0},
		{0, FWD_ANY_SI, PC_CAST, FWD_ANY_OPC, 3, 0}, {0, FWD_ANY_SI, PC_MOVES, FWD_ANY_OPC, 4, 0}};
	struct fwd_as spec[N_TARGETS] = {{.number = 0,
						 .state = FWD_AS_ACTIVE,
						 .mode = FWD_LOADSHARE,
						 .key = FWD_KEY_SLS,
						 .n_slots = 2,
						 .slots = both,
						 .n_buckets = FWD_SLS_BUCKETS,
						 .share = share},
		{.number = 1, .state = FWD_AS_UNSERVED, .mode = FWD_OVERRIDE},
		{.number = 2, .state = FWD_AS_PENDING, .mode = FWD_OVERRIDE, .hold = &gw.hold},
		{.number = 3, .state = FWD_AS_ACTIVE, .mode = FWD_BROADCAST, .n_slots = 2, .slots = both},
		{.number = FWD_NO_AS, .state = FWD_AS_PENDING, .hold = &gw.hold}};

	for (unsigned i = 0; i < FWD_SLS_BUCKETS; i++)
		share[i] = i % 2;
	assert_int_equal(fwd_routing_new(&net, 1, fwd_keys, N_TARGETS, &gw.routing, NULL), SB_OK);
	for (unsigned i = 0; i < N_TARGETS; i++)
		gw.fwd[i] = fwd_as_new(&spec[i]);
	gw.table = fwd_table_new(gw.routing, (const struct fwd_as *const *)gw.fwd, N_TARGETS, NULL, 0);
	assert_non_null(gw.table);
}

struct sg *fake_gateway_new(void)
{
	clock_freeze_ns(100000ull * 1000000);
	memset(&gw, 0, sizeof(gw));
	INIT_LLIST_HEAD(&gw.networks);
	INIT_LLIST_HEAD(&gw.listeners);
	INIT_LLIST_HEAD(&gw.asps);
	INIT_LLIST_HEAD(&gw.ass);
	fake_blocks = fake_restarts = 0;
	for (unsigned i = 0; i < 2; i++)
		build_assoc(i);
	build_control();
	build_table();
	return (struct sg *)&gw;
}

void fake_gateway_free(void)
{
	fwd_table_free(gw.table);
	for (unsigned i = 0; i < N_TARGETS; i++)
		fwd_as_free(gw.fwd[i]);
	fwd_routing_free(gw.routing);
	for (unsigned i = 0; i < 2; i++)
		for (int d = 0; d < 2; d++)
			paged_free(&gw.assoc[i].streams[d]);
	clock_freeze_ns(0);
}

struct asp *fake_asp(const char *name)
{
	return sg_asp_by_name(NULL, name);
}

/* ---- sg.h ---- */

struct plane *sg_plane(const struct sg *sg)
{
	(void)sg;
	return (struct plane *)&gw;
}

struct router *sg_router(const struct sg *sg)
{
	(void)sg;
	return NULL;
}

struct llist_head *sg_networks(struct sg *sg)
{
	(void)sg;
	return &gw.networks;
}

struct llist_head *sg_listeners(struct sg *sg)
{
	(void)sg;
	return &gw.listeners;
}

struct llist_head *sg_asps(struct sg *sg)
{
	(void)sg;
	return &gw.asps;
}

struct llist_head *sg_ass(struct sg *sg)
{
	(void)sg;
	return &gw.ass;
}

const struct sg_stats *sg_stats(const struct sg *sg)
{
	static const struct sg_stats stats = {.rejected_peers = 5, .dupu = 6};
	(void)sg;
	return &stats;
}

struct sg_network *sg_network_by_name(struct sg *sg, const char *name)
{
	(void)sg;
	return strcmp(name, "national") ? NULL : &gw.national;
}

struct asp *sg_asp_by_name(struct sg *sg, const char *name)
{
	(void)sg;
	for (unsigned i = 0; i < N_ASPS; i++)
		if (!strcmp(asp_conf[i].name, name))
			return &gw.asp[i];
	return NULL;
}

struct as *sg_as_by_name(struct sg *sg, const char *name)
{
	(void)sg;
	for (unsigned i = 0; i < N_ASS; i++)
		if (!strcmp(as_conf[i].name, name))
			return &gw.as[i];
	return NULL;
}

struct as *sg_as_by_number(struct sg *sg, uint32_t number)
{
	(void)sg;
	return number < N_ASS ? &gw.as[number] : NULL;
}

/* ---- as.h, asp.h, dest.h ---- */

const char *as_state_name(enum as_state s)
{
	static const char *const names[] = {"AS-DOWN", "AS-INACTIVE", "AS-ACTIVE", "AS-PENDING"};
	return names[s];
}

const char *as_mode_name(int mode)
{
	static const char *const names[] = {"?", "override", "loadshare", "broadcast"};
	return names[mode];
}

const char *as_share_key_name(int key)
{
	static const char *const names[] = {"sls", "opc-sls", "cic"};
	return names[key];
}

unsigned as_active_asps(const struct as *as)
{
	unsigned n = 0;
	struct as_asp *aa;
	llist_for_each_entry (aa, &as->asps, in_as)
		n += aa->state == ASP_ACTIVE;
	return n;
}

const char *asp_state_name(enum asp_state s)
{
	static const char *const names[] = {"ASP-DOWN", "ASP-INACTIVE", "ASP-ACTIVE"};
	return names[s];
}

enum asp_state asp_state(const struct asp *asp)
{
	enum asp_state s = asp->up ? ASP_INACTIVE : ASP_DOWN;
	struct as_asp *aa;
	llist_for_each_entry (aa, &asp->ass, in_asp)
		s = aa->state > s ? aa->state : s;
	return s;
}

uint16_t asp_slot_type(unsigned slot)
{
	return slot == 1 ? M3UA_ASPUP : 0;
}

void asp_block(struct asp *asp, bool block)
{
	asp->blocked = block;
	fake_blocks++;
}

struct llist_head *sg_templates(struct sg *sg)
{
	static LLIST_HEAD(none);

	(void)sg;
	return &none;
}

const struct sg_template *guest_template(const struct asp *asp)
{
	(void)asp;
	return NULL;
}

void asp_lock(struct asp *asp, bool lock)
{
	asp->locked = lock;
}

bool asp_is_locked_out(const struct asp *asp)
{
	return asp->locked && asp->conf->role != ROLE_SGP;
}

void asp_shut_down(struct asp *asp)
{
	asp->up = false;
}

void asp_restart(struct asp *asp)
{
	(void)asp;
	fake_restarts++;
}

const char *dest_status_name(enum dest_status s)
{
	static const char *const names[] = {"unknown", "available", "restricted", "unavailable"};
	return names[s];
}

struct route_egress {
	const char *name;
	enum fwd_as_state state;
};

static struct route_egress hlr = {"hlr", FWD_AS_ACTIVE}, msc = {"msc", FWD_AS_UNSERVED};

const char *route_egress_name(const struct route_egress *e)
{
	return e->name;
}

enum fwd_as_state route_egress_state(const struct route_egress *e)
{
	return e->state;
}

enum dest_status route_status(const struct route *route)
{
	return route->status;
}

void route_slss(const struct router *r, const struct route *route, struct sls_set *out)
{
	(void)r;
	*out = (struct sls_set){.values = 16};
	for (unsigned sls = 0; sls < 16; sls++)
		out->has[sls] = route->in_use && (sls & 1) == route->spec.priority % 2;
}

#define ANY .si = FWD_ANY_SI, .opc = FWD_ANY_OPC

static const struct route routes[] = {
	{.spec = {ANY, .egress = &hlr}, .status = DEST_AVAILABLE, .in_use = true},
	{.spec = {.si = 3, .opc = FWD_ANY_OPC, .egress = &msc}, .status = DEST_UNAVAILABLE},
	{.spec = {ANY, .egress = &msc, .priority = 1}, .status = DEST_UNAVAILABLE, .in_use = true},
	{.spec = {ANY, .egress = &hlr, .priority = 2},
		.status = DEST_RESTRICTED,
		.in_use = true,
		.said_ms = 97000},
	{.spec = {ANY, .egress = &hlr, .priority = 2}, .status = DEST_RESTRICTED, .inherited = true},
};

static const struct dest dests[] = {
	{.pc = PC_HLR,
		.status = DEST_AVAILABLE,
		.since_ms = 95000,
		.n_egresses = 1,
		.routes = &routes[0],
		.n_routes = 1},
	{.pc = PC_MSC,
		.status = DEST_UNAVAILABLE,
		.since_ms = 95000,
		.n_egresses = 1,
		.routes = &routes[1],
		.n_routes = 1},
	{.pc = 0x0818,
		.mask = 3,
		.status = DEST_RESTRICTED,
		.since_ms = 95000,
		.n_egresses = 2,
		.transitions = 2,
		.held = true,
		.routes = &routes[2],
		.n_routes = 3},
	{.mask = 14,
		.status = DEST_AVAILABLE,
		.since_ms = 95000,
		.n_egresses = 1,
		.routes = &routes[3],
		.n_routes = 1},
};

enum { N_DESTS = sizeof(dests) / sizeof(dests[0]) };

const struct dest *dest_find(const struct router *r, uint16_t network, uint32_t pc)
{
	(void)r;
	(void)network;
	for (unsigned i = 0; i < N_DESTS; i++)
		if (!dests[i].mask && dests[i].pc == pc)
			return &dests[i];
	return NULL;
}

const struct dest *dest_match(const struct router *r, uint16_t network, uint32_t pc)
{
	const struct dest *d = dest_find(r, network, pc);

	return d || pc >> 3 != 0x0818 >> 3 ? d : &dests[2];
}

void dest_foreach(
	const struct router *r, uint16_t network, bool (*fn)(const struct dest *d, void *arg), void *arg)
{
	(void)r;
	(void)network;
	for (unsigned i = 0; i < N_DESTS && fn(&dests[i], arg); i++)
		;
}

/* ---- plane.h ---- */

const struct fwd_table *plane_table(const struct plane *p)
{
	(void)p;
	return gw.table;
}

unsigned plane_workers(const struct plane *p)
{
	(void)p;
	return 2;
}

void plane_worker_stats(const struct plane *p, unsigned i, struct worker_stats *out)
{
	(void)p;
	*out = (struct worker_stats){
		.assocs = 1, .buffers = 16384, .buffers_in_use = 3, .cpu_ns = 2500000000};
	out->c[WC_FORWARDED] = 500 + i;
	out->drops[DROP_NO_BUFFER] = i;
}

void plane_totals(const struct plane *p, struct assoc_stats *out)
{
	(void)p;
	*out = (struct assoc_stats){0};
	out->c[AC_RX_DATA] = 3001;
	out->drops[DROP_NO_ROUTE] = 4;
}

const struct tp_ops *listener_transport(const struct listener *ls)
{
	(void)ls;
	return &tp_embedded;
}

uint64_t listener_starved(const struct listener *ls)
{
	(void)ls;
	return 0;
}

bool listener_is_up(const struct listener *ls)
{
	return ls->up;
}

uint32_t assoc_id(const struct assoc *a)
{
	return a->id;
}

const char *assoc_name(const struct assoc *a)
{
	return a->name;
}

enum assoc_state assoc_state(const struct assoc *a)
{
	return a->state;
}

const char *assoc_state_name(enum assoc_state s)
{
	static const char *const names[] = {"connecting", "up", "restarted", "closing", "down"};
	return names[s];
}

const struct tp_ops *assoc_transport(const struct assoc *a)
{
	return a->ops;
}

const char *assoc_transport_why(const struct assoc *a)
{
	return a->why;
}

const struct tp_params *assoc_params(const struct assoc *a)
{
	return &a->params;
}

unsigned assoc_worker(const struct assoc *a)
{
	return a->worker;
}

uint64_t assoc_since_ms(const struct assoc *a)
{
	return a->since_ms;
}

uint16_t assoc_in_streams(const struct assoc *a)
{
	return a->in_streams;
}

uint16_t assoc_out_streams(const struct assoc *a)
{
	return a->out_streams;
}

enum sb_err assoc_info(const struct assoc *a, struct tp_info *out)
{
	*out = a->info;
	return a->has_info ? SB_OK : SB_ESTATE;
}

void assoc_stats(const struct assoc *a, struct assoc_stats *out)
{
	*out = a->stats;
}

const struct paged *assoc_streams(const struct assoc *a, bool outbound)
{
	return &a->streams[outbound];
}

/* ---- route.h: no egress that is not an AS ---- */

struct route_egress *router_egress_by_number(struct router *r, uint32_t number)
{
	(void)r, (void)number;
	return NULL;
}

const struct route_egress_ops *route_egress_ops(const struct route_egress *e)
{
	(void)e;
	return NULL;
}
