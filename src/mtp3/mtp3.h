/* SPDX-License-Identifier: GPL-2.0-or-later */
/* MTP level 3 as control (Q.704, Q.707): signalling links, linksets, own and adjacent restart, and what is
 * said about routes and destinations. Control thread only. It touches no plane, no association and no table:
 * all effects go out through struct mtp3_ops, all causes come in through the functions here. Time is
 * libosmocore's.
 *
 * Whoever uses it provides:
 *  - level 2 (M2PA) per link:             link_* below, and mtp3_link_* for what level 2 reports
 *  - the traffic (plane, route):          bucket, linkset_state, requeue, reroute
 *  - destinations (route):                dest_*, route_*
 *
 * What the traffic has to do: an MSU routed to a linkset takes the link of its SLS's bucket. While a bucket
 * (or the whole linkset: MTP3_LS_PENDING) is held, its MSUs wait, in order, where they are; when it is no
 * longer, they are routed anew from the start. Changes are to become visible together at settle(), in this
 * order: first what requeue() named is sent by the new routing, then the new routing is published. So
 * diverted traffic keeps its order (Q.704 s.5.5). */
#pragma once

#include <osmocom/core/linuxlist.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "data/counter.h"
#include "data/sls.h"
#include "mtp3/timer.h"
#include "wire/mtp3_snm.h"

struct mtp3;
struct mtp3_net;
struct mtp3_linkset;
struct mtp3_link;

enum { MTP3_LINKS = 16, MTP3_BUCKETS = 256 };

enum mtp3_status { MTP3_ALLOWED, MTP3_RESTRICTED, MTP3_PROHIBITED, MTP3_STATUSES };

/* What a linkset is worth for user traffic. */
enum mtp3_ls_state {
	MTP3_LS_DOWN,    /* nothing goes */
	MTP3_LS_PENDING, /* the last link's changeover is on: traffic waits */
	MTP3_LS_UP,
	MTP3_LS_STATES
};

/* How congestion is told (Q.704 s.11.2.3 to 11.2.5, 13.6 to 13.8). */
enum mtp3_congestion { MTP3_CONG_INTERNATIONAL, MTP3_CONG_PRIORITIES, MTP3_CONG_LEVELS };

/* ---- configuration: plain rows that must outlive the objects made of them ---- */

struct mtp3_net_conf {
	const char *name;
	enum pc_variant variant;
	uint8_t ni;
	const uint32_t *pcs; /* own, the first is the main one */
	unsigned n_pcs;
	bool transfer;                  /* STP: tells neighbours about destinations */
	bool restricted;                /* TFR and RSR are used (national option) */
	bool restart;                   /* does the restart procedure of s.9.2 */
	uint8_t congestion;             /* enum mtp3_congestion */
	uint32_t timer_ms[MTP3_TIMERS]; /* 0: the default of the variant */
};

struct mtp3_linkset_conf {
	const char *name;
	uint32_t adjacent, local; /* point codes */
	struct sls_rule sls;      /* which bits choose the link */
	bool test;                /* SLTM before service and periodically (Q.707 s.2.2) */
	bool restart;             /* the neighbour does the restart procedure; false: does not send TRA */
	bool timed_changeback;    /* T3 instead of CBD and CBA */
};

struct mtp3_link_conf {
	const char *name;
	uint8_t slc;
	bool emergency; /* always emergency proving */
};

/* ---- what mtp3 wants done. None of these calls back at once, but link_retrieve() may. ---- */

struct mtp3_ops {
	/* level 2 of a link */
	void (*link_start)(struct mtp3_link *l, bool emergency);
	void (*link_stop)(struct mtp3_link *l);
	/* A link that is in service is given up (s.3.2.2 b): level 2 stops, and mtp3_link_out_of_service()
	 * follows with REASON (constant text), as after any failure, so that its last FSN is known by then.
	 */
	void (*link_fail)(struct mtp3_link *l, const char *reason);
	/* Local processor outage begins or ends (Q.703 s.8). */
	void (*link_outage)(struct mtp3_link *l, bool on);
	/* An outage of either side is over: go on with what is buffered, or FLUSH it (s.5.6.2). */
	void (*link_resume)(struct mtp3_link *l, bool flush);
	/* The FSN of the last MSU accepted; false: not known (emergency changeover). */
	bool (*link_bsnt)(struct mtp3_link *l, uint32_t *bsnt);
	/* Takes back everything after FSNC, or (HAS_FSNC false) what was never sent. Keeps it, in order,
	 * until requeue(), and calls mtp3_link_retrieved() (at once or later). False: FSNC is not reasonable;
	 * nothing was done. */
	bool (*link_retrieve)(struct mtp3_link *l, bool has_fsnc, uint32_t fsnc);
	/* One MSU, from its SIO on, on this very link. */
	void (*link_send)(struct mtp3_link *l, const uint8_t *msu, uint32_t len);

	/* traffic */
	void (*bucket)(struct mtp3_linkset *ls, uint8_t sls, struct mtp3_link *l, bool held);
	void (*linkset_state)(struct mtp3_linkset *ls, enum mtp3_ls_state s);
	void (*requeue)(struct mtp3_link *l);
	/* Destination PC (MASK low bits wild) is to be HELD, or routed by what is best now (reroute.h). */
	void (*dest_hold)(struct mtp3_net *n, uint32_t pc, uint8_t mask, bool held);
	void (*settle)(struct mtp3 *m);

	/* destinations */
	/* One MSU by the routing of its DPC, but not over linkset EXCEPT (NULL: any); false: no route is
	 * available now. */
	bool (*route_send)(struct mtp3_net *n, const struct mtp3_label *label, const uint8_t *msu,
		uint32_t len, const struct mtp3_linkset *except);
	/* Is there an available route to PC that does not begin with EXCEPT? */
	bool (*reaches)(struct mtp3_net *n, uint32_t pc, const struct mtp3_linkset *except);
	/* The neighbour of LS said so about its route to PC. False: there is no such route. */
	bool (*route_status)(struct mtp3_linkset *ls, uint32_t pc, uint8_t mask, enum mtp3_status s);
	/* PC as the neighbour of FOR may use it through us: prohibited if we would send it back to FOR, and
	 * while we do (s.13.2.2 i). FOR NULL: as we may use it. */
	enum mtp3_status (*dest_status)(
		struct mtp3_net *n, uint32_t pc, uint8_t mask, const struct mtp3_linkset *for_ls);
	/* Calls FN for every destination that is configured. */
	void (*dest_each)(struct mtp3_net *n, void (*fn)(void *arg, uint32_t pc, uint8_t mask), void *arg);
	/* Is there a destination that only this linkset reaches now? */
	bool (*linkset_needed)(struct mtp3_linkset *ls);

	/* users */
	/* Congestion towards PC, as the originating point LOCAL was told (TFC): level 0 is its end. */
	void (*dest_congested)(struct mtp3_net *n, uint32_t local, uint32_t pc, uint8_t level);
	/* The level that messages to PC meet now. */
	uint8_t (*dest_congestion)(struct mtp3_net *n, uint32_t pc);
	/* UPU came for LOCAL: USER at PC is not available. */
	void (*user_unavailable)(
		struct mtp3_net *n, uint32_t local, uint32_t pc, uint8_t user, uint8_t cause);
	/* An MSU of SI 3 to 15 for an own point code. Negative: taken; else the cause for UPU. */
	int (*local_user)(
		struct mtp3_net *n, const struct mtp3_label *label, const uint8_t *msu, uint32_t len);
	uint32_t (*random)(void);
};

/* ---- what is counted of a link ---- */

#define MTP3_LINK_COUNTERS(X)                                                                                \
	X(FAILURES, "failures", "times it failed while it was active")                                       \
	X(FAILED_ALIGNMENTS, "failed-alignments", "alignments that failed")                                  \
	X(TESTS, "tests", "link tests sent (SLTM), repetitions included")                                    \
	X(TEST_FAILURES, "test-failures", "link tests that failed twice")                                    \
	X(CHANGEOVERS, "changeovers", "times its traffic was to leave it")                                   \
	X(ORDERS, "orders-received", "changeover orders of the neighbour about it")                          \
	X(LOST, "retrieved-lost", "messages that a changeover retrieved and that had no way on")             \
	X(CHANGEBACKS, "changebacks", "times traffic came back to it from another link")                     \
	X(LOCAL_INHIBITS, "local-inhibits", "times that we inhibited it")                                    \
	X(REMOTE_INHIBITS, "remote-inhibits", "times that the neighbour inhibited it")

enum mtp3_link_counter {
#define X(id, name, text) MTP3_LC_##id,
	MTP3_LINK_COUNTERS(X)
#undef X
		MTP3_LC_COUNT
};
extern const struct counter_row mtp3_link_counter_rows[MTP3_LC_COUNT];

/* ---- objects ---- */

struct mtp3 *mtp3_new(void *talloc_ctx, const struct mtp3_ops *ops, void *user);
void mtp3_free(struct mtp3 *take_m);
void *mtp3_user(const struct mtp3 *m);

/* NULL without memory. Objects are known by their configuration's names only to the caller. */
struct mtp3_net *mtp3_net_new(struct mtp3 *m, const struct mtp3_net_conf *conf, void *user);
struct mtp3_linkset *mtp3_linkset_new(struct mtp3_net *n, const struct mtp3_linkset_conf *conf, void *user);
/* NULL also if the SLC is taken. */
struct mtp3_link *mtp3_link_new(struct mtp3_linkset *ls, const struct mtp3_link_conf *conf, void *user);
/* A link that leaves must be inactive; its traffic has moved before. A linkset or network goes with all that
 * is in it and calls no operation any more: no route may name it. */
void mtp3_link_free(struct mtp3_link *take_l);
void mtp3_linkset_free(struct mtp3_linkset *take_ls);
void mtp3_net_free(struct mtp3_net *take_n);

/* The same object by another row, at a reload. What identifies it must be the same: variant, point codes,
 * SLC. */
void mtp3_net_reconfigure(struct mtp3_net *n, const struct mtp3_net_conf *conf);
void mtp3_linkset_reconfigure(struct mtp3_linkset *ls, const struct mtp3_linkset_conf *conf);
void mtp3_link_reconfigure(struct mtp3_link *l, const struct mtp3_link_conf *conf);

/* ---- management ---- */

void mtp3_link_activate(struct mtp3_link *l);
void mtp3_link_deactivate(struct mtp3_link *l);
void mtp3_linkset_activate(struct mtp3_linkset *ls);
void mtp3_linkset_deactivate(struct mtp3_linkset *ls);
void mtp3_link_emergency(struct mtp3_link *l, bool on); /* for the next alignment */
/* Local processor outage of the link. */
void mtp3_link_block(struct mtp3_link *l, bool on);
/* SB_ESTATE: denied, with the reason in mtp3_link's inhibit_reason. */
enum sb_err mtp3_link_inhibit(struct mtp3_link *l);
enum sb_err mtp3_link_uninhibit(struct mtp3_link *l);
/* A test now, in an active link. */
enum sb_err mtp3_link_test(struct mtp3_link *l);

/* ---- what level 2 reports ---- */

void mtp3_link_in_service(struct mtp3_link *l);
void mtp3_link_out_of_service(struct mtp3_link *l, const char *reason);
void mtp3_link_remote_outage(struct mtp3_link *l, bool on);
void mtp3_link_retrieved(struct mtp3_link *l);
/* An MSU of SI 0 to 2, or for an own point code, that came on L (from its SIO on). Management messages for
 * others are sent on by route_send(). */
void mtp3_link_receive(struct mtp3_link *l, const uint8_t *msu, uint32_t len);

/* A management MSU (SI 0 to 2) was among what was retrieved from L: call this for each at requeue(), in order
 * with the others, which are routed. Sent again, by another way, if it is not about L itself. */
void mtp3_link_returned(struct mtp3_link *l, const uint8_t *msu, uint32_t len);
/* N of the others have no way on: counted. */
void mtp3_link_lost(struct mtp3_link *l, uint32_t n);

/* ---- what the routing may ask ---- */

/* LS carries traffic as soon as what has happened takes effect (settle()), or our restart has ended: what it
 * reaches is told as accessible (s.9.2.2), though the routing does not know yet. */
bool mtp3_linkset_opens(const struct mtp3_linkset *ls);

/* ---- what the routing reports ---- */

/* The status of a destination, or the way it is routed, has changed: neighbours are told what is new to them.
 */
void mtp3_dest_changed(struct mtp3_net *n, uint32_t pc, uint8_t mask);
/* No route was left: inhibited links to it may help (s.10.3.2). */
void mtp3_dest_lost(struct mtp3_linkset *ls);
/* An MSU for PC came from LS and cannot be transferred (s.13.2.2 iii). */
void mtp3_dest_unreachable(struct mtp3_linkset *ls, uint32_t pc);
/* An MSU from OPC with priority MP met congestion LEVEL on its way to PC: TFC (s.11.2.3, 13.7.2). Not for
 * every one without priorities: PLANE_SAMPLE_EVERY. */
void mtp3_dest_congested(struct mtp3_net *n, uint32_t opc, uint32_t pc, uint8_t level, uint8_t mp);
/* A TFC came for LOCAL, one of our point codes or one whose users are beyond us (an AS): with levels, the
 * route set congestion test is done for it (s.13.9). */
void mtp3_controlled(struct mtp3_net *n, uint32_t local, const struct snm *tfc);
/* A user part beyond us (an AS) at our or a served point code PC is not there: tell OPC. */
void mtp3_user_missing(struct mtp3_net *n, uint32_t opc, uint32_t pc, uint8_t user, uint8_t cause);

/* ---- forced and controlled rerouting (s.7, 8, 6.4) ---- */

enum mtp3_reroute { MTP3_REROUTE_FORCED, MTP3_REROUTE_CONTROLLED, MTP3_REROUTE_TIMED };

/* Destination PC should leave by another route than now: FORCED at once; CONTROLLED (a route got better or
 * worse) after T6; TIMED (a linkset came up) after T3. Never before a changeover that is on in the network is
 * over, T2 at the most: what is retrieved then is older. Until then it is held; T6 or T3 begin anew with each
 * call. dest_hold() may be called from within. */
void mtp3_reroute(struct mtp3_net *n, uint32_t pc, uint8_t mask, enum mtp3_reroute how);
