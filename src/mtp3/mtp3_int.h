/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The inside of mtp3/, shared by its files, by the console's walk and by nobody else. Each group of fields
 * belongs to the file of that name. */
#pragma once

#include <osmocom/core/timer.h>

#include "base/log.h"
#include "mtp3/mtp3.h"
#include "mtp3/pc_map.h"

/* ---- states ---- */

enum link_state { LINK_INACTIVE, LINK_ALIGNING, LINK_TESTING, LINK_ACTIVE, LINK_WAITING, LINK_STATES };
enum slt_state { SLT_IDLE, SLT_FIRST, SLT_SECOND, SLT_PAUSE, SLT_STATES };
enum co_state { CO_IDLE, CO_ORDERED, CO_TIMED, CO_INHIBITED, CO_RETRIEVING, CO_DONE, CO_STATES };
enum cb_state { CB_IDLE, CB_FIRST, CB_SECOND, CB_TIMED, CB_STATES };
enum inh_state {
	INH_IDLE,
	INH_INHIBITING,
	INH_INHIBITING_AGAIN,
	INH_UNINHIBITING,
	INH_UNINHIBITING_AGAIN,
	INH_FORCING,
	INH_FORCING_AGAIN,
	INH_STATES
};
enum restart_state { RESTART_ISOLATED, RESTART_PHASE1, RESTART_PHASE2, RESTART_DONE, RESTART_STATES };
enum adj_state { ADJ_DOWN, ADJ_BEGUN, ADJ_HEARD, ADJ_TOLD, ADJ_UP, ADJ_STATES };

/* ---- objects ---- */

struct mtp3 {
	void *user;
	const struct mtp3_ops *ops;
	struct llist_head nets;
};

struct mtp3_stats {
	uint64_t rx[SNM_IDS], tx[SNM_IDS];
	uint64_t faults[MTP3_FAULT_COUNT];
	uint64_t strays;  /* not from a neighbour, about no link of ours, or not for us */
	uint64_t ignored; /* during restart (s.9.6.6) */
};

struct mtp3_net {
	struct mtp3 *m;
	struct llist_head entry;
	const struct mtp3_net_conf *conf;
	void *user;
	struct llist_head linksets;
	struct pc_map memos; /* memo.c: what is remembered about point codes */
	enum restart_state restart;
	bool opening; /* restart.c: at its end, neighbours are told before traffic begins */
	uint64_t restart_since_ms;
	struct osmo_timer_list t18, t20, t26, isolated; /* T1 of isolation */
	struct mtp3_stats stats;
};

struct mtp3_linkset {
	struct mtp3_net *net;
	struct llist_head entry;
	const struct mtp3_linkset_conf *conf;
	void *user;
	struct mtp3_link *links[MTP3_LINKS]; /* by SLC */
	enum mtp3_ls_state state;
	uint64_t since_ms, transitions;
	const char *reason;

	/* linkset.c: who carries which SLS, by SLC or SHARE_NONE */
	uint32_t buckets[MTP3_BUCKETS];
	bool held[MTP3_BUCKETS];
	struct llist_head changebacks;
	uint8_t next_cbc;

	/* out.c */
	uint8_t usual_slc; /* of what is about no link */

	/* adjacent.c */
	enum adj_state adj;
	bool tra_received;
	struct osmo_timer_list t19, t21, down; /* T1 of a short outage */
	struct pc_map told;                    /* tfx.c: what the neighbour was told, but for ALLOWED */
	struct pc_map routes;                  /* route_test.c: what it told us, likewise */
};

struct mtp3_link {
	struct mtp3_linkset *ls;
	const struct mtp3_link_conf *conf;
	void *user;
	enum link_state state;
	uint64_t since_ms, transitions;
	uint64_t c[MTP3_LC_COUNT];
	const char *reason;
	const char
		*in_vain; /* why the last attempt failed; NULL: none has since the link was last in service */
	bool emergency;
	bool remote_outage, local_outage;
	bool available;
	uint64_t available_since_ms; /* or not */
	const char *available_reason;
	bool start_deferred; /* until the changeover has emptied its buffers */
	struct osmo_timer_list t17;

	/* slt.c */
	enum slt_state slt;
	struct osmo_timer_list slt_timer;
	uint8_t pattern[SNM_PATTERN_MAX];

	/* changeover.c */
	enum co_state co;
	struct osmo_timer_list co_timer;
	bool ordered_by_peer;
	bool co_waits; /* retrieved, but the only way on is a link that is being uninhibited */

	/* inhibit.c */
	enum inh_state inh;
	bool inhibited_local, inhibited_remote, by_routing;
	const char *inhibit_reason;
	struct osmo_timer_list inh_timer, t22, t23;
};

static inline void mtp3_link_count(struct mtp3_link *l, enum mtp3_link_counter c)
{
	l->c[c]++;
}

static inline const struct mtp3_ops *ops_of(const struct mtp3_net *n)
{
	return n->m->ops;
}

static inline void settle(const struct mtp3_net *n)
{
	n->m->ops->settle(n->m);
}

/* ---- names, for logs and the console ---- */
const char *mtp3_link_state_name(enum link_state s);
const char *mtp3_ls_state_name(enum mtp3_ls_state s);
const char *mtp3_status_name(enum mtp3_status s);
const char *mtp3_restart_name(enum restart_state s);
const char *mtp3_adj_name(enum adj_state s);
const char *mtp3_changeover_name(enum co_state s);
const char *mtp3_inhibit_name(enum inh_state s);
