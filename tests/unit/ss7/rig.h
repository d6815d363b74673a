/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A gateway for the tests of ss7/: the Application Servers of m3ua/rig.h and two linksets, over the fake
 * plane, with level 2 played (level2.h) and everything between real. Time stands still, grace periods end
 * when the test says so.
 *
 *   own point code 1, network "national" (ITU), transfer function
 *   a   to 100: a0, a1 (SLC 0, 1)      b   to 200: b0
 *   300 by a first, then by b          400 by b
 *
 * No link test and no restart; a test may change the rows before gw_start(). */
#pragma once

#include "../m3ua/rig.h"
#include "level2.h"
#include "ss7/ss7.h"

enum { GW_LINKS = 20, GW_LINKSETS = 4, GW_ROUTES = 6, GW_OWN = 1, GW_A = 100, GW_B = 200 };

struct gw {
	struct rig *rig; /* its Application Servers */
	struct ss7 *ss7;
	struct ss7_conf conf;
	struct ss7_link_conf links[GW_LINKS];
	struct ss7_linkset_conf linksets[GW_LINKSETS];
	const char *members[GW_LINKSETS][GW_LINKS];
	struct route_conf routes[GW_ROUTES];
	uint32_t pcs[2];
	struct sg_change changes[8];
	unsigned n_changes;
};

/* Rows as above; nothing runs yet. */
struct gw *gw_new(void);
struct ss7_linkset_conf *gw_linkset(struct gw *g, const char *name, uint32_t adjacent);
struct ss7_link_conf *gw_link(struct gw *g, struct ss7_linkset_conf *ls, const char *name, uint8_t slc);
void gw_route(struct gw *g, uint32_t pc, const char *via, uint8_t priority);
/* Its links are started, none is in service. */
void gw_start(struct gw *g);
/* gw_new(), gw_start(), and all links in service. */
struct gw *gw_running(void);
void gw_free(struct gw *g);

/* What the next gw_reload() is told to be different. */
void gw_change(struct gw *g, enum sg_object object, enum sg_change_op op, const char *name);
/* The rows as they are now take effect. */
void gw_reload(struct gw *g);
/* What has happened takes effect; grace periods stay open in the first. */
void gw_settle(struct gw *g);
void gw_grace(struct gw *g);
void gw_pass_ms(struct gw *g, uint32_t ms);

struct m2pa_link *gw_l2(struct gw *g, const char *link);
void gw_up(struct gw *g, const char *link);
void gw_fail(struct gw *g, const char *link);
bool gw_operate(struct gw *g, const char *link, enum ss7_operation op, const char **why);
struct ss7_link_view gw_view(struct gw *g, const char *link);
struct ss7_linkset_view gw_linkset_view(struct gw *g, const char *linkset);

/* A management message from the neighbour at OPC for us, or (DPC not 0) for another; on LINK. */
void gw_tell(struct gw *g, const char *link, uint32_t opc, uint32_t dpc, struct snm m);
/* User message NUMBER for DPC, from 100. */
uint32_t gw_msu(uint8_t *out, uint32_t dpc, uint8_t si, uint8_t sls, uint8_t number);

/* Where a message goes by the published table: "a0", "a1", "hlr" (an AS), "held", "none"; "-": nobody has
 * it. */
const char *gw_way(struct gw *g, uint32_t dpc, uint8_t sls);
/* The same of SLS 0 to 15, by one letter each: the last of the name. */
const char *gw_ways(struct gw *g, uint32_t dpc);
/* How long they may be there. */
uint16_t gw_max_sif(struct gw *g, uint32_t dpc);
/* May messages come in from the link's association? */
bool gw_accepts(struct gw *g, const char *link);

#define gw_said(g, link, text) assert_string_equal(l2_said(gw_l2((g), (link))), text)
