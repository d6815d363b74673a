/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The registry's inside, shared by the files of m3ua/ and by nobody else. */
#pragma once

#include <osmocom/core/utils.h>

#include "base/limit.h"
#include "m3ua/as.h"
#include "m3ua/asp.h"
#include "m3ua/out.h"
#include "m3ua/sg.h"

enum {
	SG_LOGS_PER_SECOND = 20,         /* lines that one peer (or one AS) can cause */
	SG_DATA_ERRORS_PER_SECOND = 500, /* ERR answers to one ASP's refused DATA */
	SG_GUEST_SLOTS = 1024,
	SG_MAX_NETWORKS = ROUTE_MAX_NETWORKS,
};

struct peer_key;
struct rkm_index;

struct sg {
	void *ctx;
	struct plane *plane;
	const struct sg_conf *conf;
	struct llist_head networks, listeners, asps, ass;
	struct sg_network *by_index[SG_MAX_NETWORKS];
	uint32_t next_asp_number;
	struct router *router;
	bool dirty_ingress; /* of some ASP */
	bool reg_due;       /* likewise: client_reg.c */
	struct sg_out out;
	struct llist_head templates;          /* guest.c */
	struct guest *guests[SG_GUEST_SLOTS]; /* by address and port */
	struct llist_head moved;              /* as_asp.moved */
	struct llist_head closing;            /* as_asp.closing */
	struct llist_head links;              /* asp_link.entry, with a live association */
	struct llist_head dead; /* asp_link.entry: the association is over, free it when no table names it */
	struct peer_key *peers; /* peer.c: by address and port */
	unsigned n_peers;
	struct {                         /* rkm_as.c */
		struct rkm_index *index; /* NULL: made when it is wanted */
		uint32_t next_rc;
		unsigned n_new;            /* since routing has followed */
		unsigned n_ass;            /* made for keys */
		bool stale;                /* routing is to follow */
		uint64_t began_ms, due_ms; /* 0: not under way; not to follow before */
		uint64_t followed;         /* how often it has */
		struct osmo_timer_list timer;
	} rkm;
	struct {
		struct llist_head list; /* struct ssnm_scon (ssnm_rx.c) */
		unsigned n;
		struct osmo_timer_list timer;
	} scons;
	struct sg_stats stats;
	uint32_t (*random)(void);
	const struct sg_others *others; /* NULL: none */
	void *others_arg;
	struct limit as_log, reject_log;
	struct {
		bool on;
		struct osmo_timer_list timer;
		void (*done)(void *arg);
		void *arg;
	} leave;
};

/* An as_asp's state changed: rx and tx follow at the next settle. */
void sg_member_moved(struct as_asp *m);
/* An AS's destinations are to be looked at again at the next settle. */
void sg_as_stale(struct as *as);

struct sg_listener *sg_listener_by_name(struct sg *sg, const char *name);

/* peer.c: a peer has arrived at a listener. */
void peer_incoming(struct sg *sg, struct sg_listener *ls, struct tp_incoming *take_in);
/* apply.c: which addresses each listener may be reached from. */
void sg_permit_peers(struct sg *sg);
/* leave.c: an association has gone while the gateway takes its leave. */
void leave_check(struct sg *sg);
