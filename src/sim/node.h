/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An SS7 node that we play: a signalling point with one linkset to its neighbour, the gateway. Level 3 of it
 * (Q.704, Q.707) as far as a neighbour can see it: link test, load sharing by SLS, changeover and changeback
 * that keep every message and its order, restart, answers to whatever the neighbour asks, and route
 * management to order.
 *
 *     node.c        life, listeners, restart, what --at orders
 *     node_share.c  which link carries which SLS: changeover, changeback
 *     node_set.c    a signalling point with several linksets
 *     node_inhibit.c  management inhibiting
 *     node_snm.c    messages of network management and of the link test */
#pragma once

#include "sim/changeover.h"
#include "sim/link.h"
#include "wire/mtp3_snm.h"

enum { NODE_SLS = 256, NODE_NOBODY = 0xffff };

/* What one neighbour has told the other of a destination. */
enum node_access { NODE_ALLOWED, NODE_RESTRICTED, NODE_PROHIBITED };

struct node_dest {
	uint32_t pc;
	bool behind; /* we serve it */
	enum node_access told, heard;
	uint64_t tfp_ns; /* the last TFP in answer to traffic: T8 */
};

enum { NODE_DESTS = 2 * OPTS_MAX_BEHIND };

struct node_link {
	struct link *link;
	bool available; /* as of the last look */
	bool tested;
	bool inhibited, inhibits; /* by the neighbour; by us */
	uint8_t asked;            /* SNM_LIN, SNM_LUN: not answered; SNM_IDS: nothing */
	bool again;               /* for the second time */
	struct ev_timer t_inh;
	enum co_state co;
	uint8_t slt_tries, pattern_len, pattern[SNM_PATTERN_MAX];
	struct ev_timer t_co, t_slt;
};

struct node_sls {
	uint16_t link, target; /* indexes, NODE_NOBODY: none */
	bool held;             /* it is being moved, or its link's changeover is not over */
};

/* One changeback: the SLSs that are to go from one link to another (Q.704 s.6.3). */
struct node_changeback {
	struct node *node;
	uint8_t from, to;
	bool active, again; /* again: declared for the second time */
	struct ev_timer t;
};

/* One row per counter: name in JSON, meaning. */
#define NODE_COUNTERS(X)                                                                                     \
	X(TX_SNM, "tx_snm", "messages of network management sent")                                           \
	X(RX_SNM, "rx_snm", "messages of network management received")                                       \
	X(TX_SLT, "tx_slt", "link test messages sent")                                                       \
	X(RX_SLT, "rx_slt", "link test messages received")                                                   \
	X(SLT_FAILED, "slt_failed", "link tests without the right answer")                                   \
	X(CHANGEOVERS, "changeovers", "links whose traffic went elsewhere")                                  \
	X(CHANGEBACKS, "changebacks", "declared")                                                            \
	X(CO_UNANSWERED, "changeover_unanswered", "changeovers that T2 ended")                               \
	X(CB_UNANSWERED, "changeback_unanswered", "changebacks that T5 ended")                               \
	X(INHIBITED, "inhibited", "links that the neighbour agreed to inhibit")                              \
	X(DENIED, "inhibit_denied", "links that it did not agree to inhibit")                                \
	X(INH_UNANSWERED, "inhibit_unanswered", "inhibit and uninhibit messages without an answer")          \
	X(UPU, "upu", "user part unavailable received")                                                      \
	X(TFC, "tfc", "transfer controlled received")                                                        \
	X(PROHIBITED, "to_prohibited", "messages for what we had prohibited")                                \
	X(MALFORMED, "malformed", "messages that are none of level 3")                                       \
	X(STRAY, "stray", "messages for a point code that is not ours")                                      \
	X(NOWHERE, "nowhere", "messages taken back and lost for want of a link")

enum node_counter {
#define X(id, key, help) NODE_C_##id,
	NODE_COUNTERS(X)
#undef X
		NODE_C_COUNT
};

const char *node_counter_key(enum node_counter c);

enum node_news { NODE_NEWS_PROHIBITED, NODE_NEWS_ALLOWED, NODE_NEWS_CONGESTED };

struct node_upcalls {
	bool (*has_user)(const struct node *n, uint8_t si);
	void (*msu)(struct node *n, const struct mtp3_label *label, const uint8_t *payload, uint32_t len,
		uint64_t rx_ns);
	void (*news)(struct node *n, uint32_t dest, enum node_news what);
};

struct node_listener {
	struct sim_user user; /* first */
	struct node *node;
	struct tp_listener *tp;
};

struct node {
	struct link_env *env;
	const struct node_opts *conf;
	struct node *main; /* whose linkset this is (with=): itself, if it is the first */
	struct node *next; /* the next linkset of the same signalling point */
	const struct node_upcalls *up;
	void *user;
	struct link links[OPTS_MAX_LINKS];
	struct node_link l3[OPTS_MAX_LINKS];
	unsigned n_links;
	struct node_listener listeners[OPTS_MAX_LINKS];
	enum restart_state restart;
	bool heard_tra;  /* before our own restart began */
	uint64_t tra_ns; /* we sent it */
	struct node_sls sls[NODE_SLS];
	struct node_changeback cb[OPTS_MAX_LINKS][OPTS_MAX_LINKS];
	struct node_dest dest[NODE_DESTS];
	unsigned n_dests;
	struct ev_timer t_restart, t_rst;
	uint64_t c[NODE_C_COUNT], judged[NODE_C_COUNT];
};

void node_init(struct node *n, struct link_env *env, const struct node_opts *conf,
	const struct node_upcalls *up, void *user);
void node_fini(struct node *n);

/* Listens or connects, and activates every link. False: it cannot listen. */
bool node_start(struct node *n);
/* Deactivates every link, then ends every association. */
void node_stop(struct node *n);
void node_abort(struct node *n);
bool node_alive(const struct node *n); /* has an association that is not released */
/* All links available, traffic allowed. */
bool node_ready(const struct node *n);

/* What --at orders; LINK NODE_NOBODY: all. PC: of TFx and UPU; VALUE: TFC's level, UPU's user part. */
void node_order(struct node *n, unsigned link, enum action_kind kind, uint32_t pc, uint8_t value);
/* The verdict is near: states and counters of now are reported, whatever comes of the leave. */
void node_judge(struct node *n);

/* The link that may send an MSU with this label now, or NULL. */
struct link *node_sender(struct node *n, uint8_t sls);
/* Writes SIO and label in front of the user part and sends. */
void node_send(struct link *l, const struct mtp3_label *label, struct mbuf *take_m);
bool node_serves(const struct node *n, uint32_t pc);

/* ---- node_share.c ---- */

void node_share_init(struct node *n);
void node_share_fini(struct node *n);
/* Looks at link I again: may it carry traffic? */
void node_look(struct node *n, unsigned i);
void node_co(struct node *n, unsigned i, enum co_event e, uint32_t fsnc);
/* CBA with this code has come for the link to which traffic goes back. */
void node_cb_ack(struct node *n, unsigned to, uint8_t code);
unsigned node_available(const struct node *n);
/* Any link that is available, but for EXCEPT; NULL: there is none. */
struct link *node_other(struct node *n, unsigned except);

/* ---- node_snm.c ---- */

bool node_send_snm(struct node *n, struct link *over, const struct snm *m);
/* UPU to OPC: it has sent something for a user part that we do not have (s.11.2.7). */
void node_user_missing(struct node *n, uint32_t opc, uint8_t si);
/* An MSU of SI 0 to 2 from link I. */
void node_receive_snm(struct node *n, unsigned i, const uint8_t *msu, uint32_t len);
void node_test(struct node *n, unsigned i); /* begins a link test */
struct node_dest *node_dest(struct node *n, uint32_t pc, bool make);
void node_tell(struct node *n, enum snm_id id, uint32_t dest, uint8_t level); /* TFP, TFR, TFA, TFC */
void node_slt_stop(struct node *n, unsigned i);
void node_slt_init(struct node *n, unsigned i);
void node_restart(struct node *n, enum restart_event e);
/* The link that a message is about, or NULL. */
struct node_link *node_about(struct node *n, uint8_t slc);
/* The same message with another name, on link I. */
void node_answer(struct node *n, unsigned i, enum snm_id id, const struct snm *to);

/* ---- node_set.c ---- */

/* Joins N, whose links lead to another neighbour, to the signalling point that MAIN is. */
void node_join(struct node *main, struct node *n);

/* Which linkset the last message of a (flow, SLS) took, and when. */
struct node_via {
	const struct node *node;
	uint64_t sent_ns;
};

/* As node_sender(), for a signalling point with any number of linksets: those by which DPC can be reached
 * share the SLSs. An SLS that is to take another linkset than before waits until DIVERT_NS after its last
 * message (s.6.4); *WAKE_NS is lowered to that time. */
struct link *node_way(struct node *main, uint32_t dpc, uint8_t sls, struct node_via *via, uint64_t now,
	uint64_t divert_ns, uint64_t *wake_ns);
/* Does any of its linksets reach DPC? */
bool node_reaches(const struct node *main, uint32_t dpc);

/* ---- node_inhibit.c (s.10) ---- */

void node_inhibit_init(struct node *n, unsigned i);
void node_inhibit_stop(struct node *n, unsigned i);
/* Asks the neighbour to let link I be inhibited, or not any more. */
void node_inhibit(struct node *n, unsigned i, bool on);
/* LIN, LUN, LIA, LUA, LID, LFU, LLT or LRT from link I. */
void node_got_inhibit(struct node *n, unsigned i, const struct snm *m);
