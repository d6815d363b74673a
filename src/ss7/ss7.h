/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The SS7 side of the gateway: linksets and links from the configuration, each link joined of level 2 (m2pa/)
 * and level 3 (mtp3/), each linkset an egress of the routes (route/). What becomes of destinations is
 * translated here between TFx and the routes, which the M3UA side hears of likewise (RFC 4666 s.1.4.6).
 * Control thread only. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "m3ua/sg_conf.h"
#include "ss7/ss7_conf.h"

struct counter_row;
struct sg;
struct ss7;
struct ss7_link;
struct ss7_linkset;

/* SG must outlive it. */
struct ss7 *ss7_new(void *talloc_ctx, struct sg *sg);
void ss7_set_plane(struct ss7 *s, struct plane *p);
/* Before plane_stop(): buffers that wait here go back. */
void ss7_purge(struct ss7 *s);
/* After plane_stop(), before sg_free(). */
void ss7_free(struct ss7 *take_s);

/* A reload goes through both: ss7_prepare(), sg_apply(), ss7_apply(). The first takes away what is to go and
 * makes the linksets that routes name; the second sets routes to neighbours and brings links up. */
void ss7_prepare(struct ss7 *s, const struct ss7_conf *conf, const struct sg_conf *sg_conf,
	const struct sg_change *changes, unsigned n_changes);
void ss7_apply(struct ss7 *s);

/* Is the association of this event a link's? Then it is ss7_on_event()'s. */
bool ss7_has(const struct plane_event *ev);
void ss7_on_event(struct ss7 *s, const struct plane_event *ev);
/* Once per pass of the loop: what level 3 has decided takes effect. */
void ss7_settle(struct ss7 *s);

/* Takes every link out of service in order, linkset by linkset, and calls DONE, never from inside, when the
 * last association is gone or TIMEOUT_MS has passed. */
void ss7_shutdown(struct ss7 *s, uint32_t timeout_ms, void (*done)(void *arg), void *arg);

/* ---- for the console ---- */

struct ss7_linkset *ss7_linkset_by_name(struct ss7 *s, const char *name);
struct ss7_link *ss7_link_by_name(struct ss7 *s, const char *name);
void ss7_each_linkset(struct ss7 *s, void (*fn)(void *arg, const struct ss7_linkset *ls), void *arg);
/* Of one linkset, or (NULL) of all. */
void ss7_each_link(struct ss7 *s, const struct ss7_linkset *ls,
	void (*fn)(void *arg, const struct ss7_link *l), void *arg);

struct ss7_linkset_view {
	const struct ss7_linkset_conf *conf;
	const char *state, *reason, *neighbour, *restart; /* restart: of the network */
	uint64_t since_ms, transitions;
	uint32_t local;
	unsigned links, available;
	uint8_t sls_bits, rotation;
	uint32_t held;       /* messages that wait */
	unsigned congestion; /* of its worst link */
	/* destinations that the neighbour was told, or has told, to be prohibited or restricted */
	uint32_t not_allowed_here, not_allowed_there;
};
void ss7_linkset_view(const struct ss7_linkset *ls, struct ss7_linkset_view *out);

struct ss7_link_view {
	const struct ss7_link_conf *conf;
	const char *linkset;
	/* level 3 */
	const char *state, *reason, *changeover, *inhibition, *inhibit_reason;
	const char *available_reason; /* why it carries traffic, or does not */
	uint64_t since_ms, available_since_ms, transitions;
	bool emergency; /* the next alignments prove by the short period, by order or configuration */
	bool activated; /* by management: in service, or to be */
	bool active, available, inhibited_local, inhibited_remote, remote_outage, local_outage;
	const uint64_t *c; /* by enum mtp3_link_counter */
	unsigned buckets;  /* SLS values that it carries: */
	struct sls_set slss;
	/* level 2 */
	struct m2pa_link_info l2;
	const char *l2_state;
};
void ss7_link_view(const struct ss7_link *l, struct ss7_link_view *out);

struct ss7_net_view {
	const char *restart;
	uint64_t restart_since_ms;
	uint64_t strays, ignored, faulty; /* management messages that were of no use */
	const uint64_t *rx, *tx;          /* by enum snm_id */
};
/* What level 3 does in the network; false: it has no linksets. */
bool ss7_net_view(const struct ss7 *s, const char *network, struct ss7_net_view *out);

/* What an operator can do; WHY (constant text) of a refusal. */
enum ss7_operation {
	SS7_ACTIVATE,
	SS7_DEACTIVATE,
	SS7_INHIBIT,
	SS7_UNINHIBIT,
	SS7_TEST,
	SS7_EMERGENCY,
	SS7_EMERGENCY_CLEAR,
	SS7_OUTAGE,
	SS7_OUTAGE_CLEAR,
	SS7_RESTART,
	SS7_OPERATIONS
};
bool ss7_link_operate(struct ss7_link *l, enum ss7_operation op, const char **why);
void ss7_linkset_operate(struct ss7_linkset *ls, bool activate);
