/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the operator asked for, as plain checked data. The command line is documented in doc/ss7sim.md. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "sctp/params.h"
#include "sim/asp_fsm.h"
#include "sim/dress.h"
#include "sim/keyval.h"
#include "sim/pace.h"
#include "sim/size.h"
#include "wire/pc.h"

enum {
	OPTS_MAX_SET = 32,
	OPTS_MAX_AS = 256,
	OPTS_MAX_FLOWS = 256,
	OPTS_MAX_ACTIONS = 256,
	OPTS_MAX_ASPS = 4096,
	OPTS_MAX_NODES = 64,
	OPTS_MAX_LINKS = 16, /* of a linkset (Q.704 s.2.3.5) */
	OPTS_MAX_BEHIND = 64,
	OPTS_ALL = -1
};

/* An Application Server that this process plays (asps > 0) or only knows as the far end of a flow. */
struct as_opts {
	char name[KEYVAL_NAME], pc_text[KEYVAL_NAME];
	uint32_t pc, rc, na, asp_id;
	bool has_rc, has_na, has_asp_id, has_pc;
	uint8_t mode;    /* RFC 4666 s.3.7.1; 0: not said in ASPAC */
	uint16_t asps;   /* how many */
	uint16_t active; /* how many of them are to be active; the others stand by */
	bool has_active;
	uint16_t local_port; /* of the first ASP; the next have the next ports. 0: any */
	bool registers;      /* --register: its Routing Context is what the gateway gives it */
	enum asp_role role;
	bool server;      /* the gateway opens the associations */
	bool has_peer_rc; /* double exchange: DATA that we send, and the gateway's ASPAC, have this one */
	uint32_t peer_rc;
	uint64_t beat_ns; /* between BEATs; 0: none */
	union tp_addr local[TP_MAX_ADDRS];
	uint8_t n_local;
	enum pc_variant variant; /* of its network; --variant unless given */
	bool has_variant;
	union tp_addr
		gateway[TP_MAX_ADDRS]; /* a mated pair: each ASP has one of them, in turn; none: --gateway */
	uint8_t n_gateways;
};

/* An SS7 node that this process plays: see sim/node.h. */
struct node_opts {
	char name[KEYVAL_NAME], pc_text[KEYVAL_NAME], adjacent_text[KEYVAL_NAME], with[KEYVAL_NAME];
	unsigned main; /* index of the node whose linkset this is: its own, but for with= */
	const char *behind_text;
	uint32_t pc, adjacent; /* adjacent: the neighbour, at the other end of the linkset */
	bool has_pc, has_adjacent;
	uint32_t behind[OPTS_MAX_BEHIND]; /* point codes it serves beside its own */
	unsigned n_behind;
	enum pc_variant variant; /* of its network; --variant unless given */
	bool has_variant;
	uint8_t links, slc, ni; /* slc: of the first link */
	uint16_t max_sif;       /* octets that a message may have, label included */
	uint8_t rotation;       /* bits of the SLS that come rotated (T1.111.4 s.7) */
	bool server, emergency, test;
	union tp_addr local[TP_MAX_ADDRS], peer[TP_MAX_ADDRS];
	uint8_t n_local, n_peer;
	uint16_t local_port, peer_port, local_udp_port, peer_udp_port;
	bool has_peer_port;
	uint64_t t1_ns, t2_ns, t3_ns, t4n_ns, t4e_ns, t6_ns, t7_ns, proving_ns; /* M2PA */
	uint64_t t17_ns, co_t1_ns, co_t2_ns, cb_t4_ns, t10_ns, t14_ns, t21_ns, slt_t1_ns, slt_t2_ns;
};

struct flow_opts {
	char from_text[KEYVAL_NAME], to_text[KEYVAL_NAME], opc_text[KEYVAL_NAME], dpc_text[KEYVAL_NAME];
	bool has_opc, has_dpc;
	unsigned from, to; /* indexes of ASs, or of nodes */
	bool from_node, to_node;
	uint32_t opc, dpc;
	enum pc_variant variant; /* of both ends */
	uint8_t si, ni, mp;
	uint8_t sls[256];
	uint16_t n_sls;
	enum pace_kind pace;
	double rate;
	bool poisson;
	struct size_spec size;
	enum dress dress;
	const char *replay; /* a capture whose user parts it sends instead; owned */
	bool has_si;
	uint64_t count;  /* messages; 0: no limit */
	uint32_t window; /* messages in flight; 0: no limit */
	bool has_window;
	uint64_t start_ns, stop_ns; /* after traffic began; stop 0: --duration */
	uint16_t id;
	bool has_id;
};

enum action_kind {
	ACT_CONNECT,
	ACT_ASPUP,
	ACT_ASPAC,
	ACT_ASPIA,
	ACT_ASPDN,
	ACT_SHUTDOWN,
	ACT_ABORT,
	ACT_DUNA,
	ACT_DAVA,
	ACT_STALL,
	ACT_RESUME,
	ACT_ASP_KINDS,
	ACT_DROP = ACT_ASP_KINDS, /* from here on of nodes and their links */
	ACT_STOP_ACK,
	ACT_BUSY,
	ACT_BUSY_END,
	ACT_PO,
	ACT_PO_END,
	ACT_WRONG_FSN,
	ACT_ACTIVATE,
	ACT_DEACTIVATE,
	ACT_INHIBIT,
	ACT_UNINHIBIT,
	ACT_LINK_KINDS,
	ACT_TFP = ACT_LINK_KINDS, /* need a point code */
	ACT_TFA,
	ACT_TFR,
	ACT_TFC,
	ACT_UPU,
	ACT_RESTART,
	ACT_KINDS
};

struct action_opts {
	uint64_t at_ns; /* after traffic began */
	unsigned as;    /* index, of a node if is_node */
	int asp;        /* index of the ASP or the link, or OPTS_ALL */
	bool is_node;
	uint32_t pc;   /* of tfp= ... */
	uint8_t value; /* tfc=: level, upu=: user part */
	enum action_kind kind;
	const char *text;
	unsigned order; /* on the command line: decides between equal times */
};

struct opts {
	struct tp_params tp; /* what all ASPs share */
	struct as_opts as[OPTS_MAX_AS];
	struct flow_opts flow[OPTS_MAX_FLOWS];
	struct action_opts action[OPTS_MAX_ACTIONS]; /* by rising time */
	struct node_opts node[OPTS_MAX_NODES];
	unsigned n_as, n_flows, n_actions, n_nodes;
	enum pc_variant variant;
	struct pc_format pc_format;
	char pc_format_text[KEYVAL_NAME];
	bool has_pc_format;
	uint64_t duration_ns, drain_ns, settle_ns, connect_ns, t_ack_ns, divert_ns;
	uint32_t max_message, buffers, queue;
	uint64_t seed;
	bool has_seed;
	uint16_t run;
	bool has_run;
	bool quiet, verbose, obey_ssnm, registers, help, version;
	const char *json;
	const char *script;            /* scripted mode: sim/script.h */
	const char *set[OPTS_MAX_SET]; /* its variables: name=number */
	unsigned n_set;
	double patience; /* stretches its deadlines; 0: 1 */
};

const char *action_name(enum action_kind k);
/* The longest user part that can go from one end to the other: what a link takes (Q.703 s.2.3.8), or
 * --max-message. */
uint32_t opts_flow_longest(const struct opts *o, const struct flow_opts *f);

/* Reads argv into a new object, checked whole; NULL: ERR (KEYVAL_ERR bytes) says what is wrong. With --help
 * or
 * --version nothing else is checked. */
struct opts *opts_parse(int argc, char **argv, char *err);
void opts_free(struct opts *take_o);
void opts_help(FILE *out);
