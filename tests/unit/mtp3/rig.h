/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Up to four signalling points, each with an mtp3 of its own, joined by fake level 2s that can hold, lose and
 * give back messages; a fake routing layer; traffic whose order is checked. Nothing moves but in rig_pump()
 * and rig_pass(). */
#pragma once

#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "mtp3/mtp3_int.h"

enum { RIG_NODES = 4, RIG_WIRES = 16, RIG_DESTS = 4, RIG_ROUTES = 3, RIG_PC = 100 };

struct msg {
	struct msg *next;
	uint32_t fsn;
	uint16_t len;
	uint8_t data[64];
};

struct mq {
	struct msg *first, **last;
	unsigned n;
};

struct rig;
struct node;

struct l2 {
	struct rig *rig;
	struct node *node;
	struct l2 *peer;
	struct mtp3_link *link;
	struct mtp3_link_conf conf;
	char name[24];
	bool started, up, broken;
	bool hold;    /* what is sent stays on its way */
	bool noack;   /* the peer's acknowledgements do not come */
	bool stall;   /* nothing is sent at all */
	bool no_bsnt; /* level 2 has lost its memory */
	bool report_out, report_retrieved, requeue;
	bool slow_retrieval;
	unsigned starts, stops, emergencies, resumes, flushes;
	uint32_t fsn, bsn;
	struct mq unsent, unacked, flight, retrieved;
};

struct fake_route {
	struct mtp3_linkset *ls;
	enum mtp3_status status;
};

struct fake_dest {
	uint32_t pc;
	struct fake_route routes[RIG_ROUTES];
	unsigned n;
	int current; /* -1: none */
	bool held;
	unsigned holds;
};

struct node {
	struct rig *rig;
	uint32_t pc;
	struct mtp3 *m;
	struct mtp3_net *net;
	struct mtp3_net_conf conf;
	struct mtp3_linkset *ls[RIG_NODES]; /* by the neighbour's number */
	struct mtp3_linkset_conf ls_conf[RIG_NODES];
	struct fake_dest dests[RIG_DESTS];
	struct mtp3_link *bucket[RIG_NODES][MTP3_BUCKETS];
	bool held[RIG_NODES][MTP3_BUCKETS];
	bool needed;     /* what linkset_needed says */
	bool auto_dests; /* tell mtp3 about changes of destinations */
	struct mq waiting;
	unsigned settles;

	/* what users saw */
	uint32_t next_seq[MTP3_BUCKETS], expect[MTP3_BUCKETS];
	unsigned delivered, disordered, dropped;
	int user_cause;
	unsigned congested, upus;
	uint8_t level, meets; /* what messages to last_pc meet */
	uint32_t last_local, last_pc;
	uint8_t last_user, last_cause;
};

struct rig {
	struct node nodes[RIG_NODES];
	struct l2 wires[RIG_WIRES][2];
	unsigned n_wires;
	uint64_t now_ns;
	/* every management message that was sent, last first in order */
	uint8_t log[4096];
	unsigned n_log;
};

extern const struct mtp3_ops rig_ops;

/* N nodes with point codes RIG_PC + number, transfer function, no restart; configurations may be changed
 * before rig_link(). */
struct rig *rig_new(unsigned nodes);
void rig_free(struct rig *r);
/* A link between A and B; the linkset is made with the first. */
struct l2 *rig_link(struct rig *r, unsigned a, unsigned b);
/* The destination node TO is reached from FROM through the linksets to the nodes VIA, best first; -1 ends. */
void rig_route(struct rig *r, unsigned from, unsigned to, const int *via);
/* Activates everything and brings it up. */
void rig_up(struct rig *r);
/* Moves messages until nothing moves. */
void rig_pump(struct rig *r);
/* Lets MS pass, pumping. */
void rig_pass(struct rig *r, uint32_t ms);
void rig_break(struct l2 *w);  /* both ends lose the link, and what is on its way */
void rig_repair(struct l2 *w); /* it can be aligned again */
/* N messages from FROM to TO, one after the other on all 16 SLSs. */
void rig_traffic(struct rig *r, unsigned from, unsigned to, unsigned n);
/* All that was sent came, once, in order. */
void rig_assert_all(struct rig *r, unsigned to, unsigned n);
/* Message ID was sent by someone; how often. */
unsigned rig_sent(const struct rig *r, enum snm_id id);
void rig_forget_sent(struct rig *r);
/* A message for NODE as if its neighbour FROM had sent it on the first link; one of changeover about that on
 * the second, if there is one. */
void rig_inject(struct rig *r, unsigned from, unsigned to, const struct snm *m);
/* How many of the buckets of the linkset A to B are on link L. */
unsigned rig_share(struct rig *r, unsigned a, unsigned b, const struct l2 *l);

#define RIG_TEST(f) cmocka_unit_test(f)
