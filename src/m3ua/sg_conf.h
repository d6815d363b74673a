/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an operator configures for the M3UA side: plain rows, filled and owned by conf/, immutable once
 * applied. Control's objects point at their row; a reload re-points them (sg_apply) before the old
 * configuration is freed. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "data/fwd.h"
#include "sctp/params.h"
#include "wire/pc.h"

struct network_conf {
	const char *name;
	int variant; /* enum pc_variant */
	struct pc_format format;
	uint8_t ni;    /* network indicator 0..3 (Q.704 s.14.2.2) */
	bool check_ni; /* refuse DATA of another network indicator */
	struct sls_rule sls;
	uint32_t *pcs; /* the gateway's own point codes */
	unsigned n_pcs;
	bool has_na;
	uint32_t na;    /* Network Appearance */
	uint32_t t8_ms; /* at most one DUNA per point code and sender in this time (Q.704 T8) */
};

struct listener_conf {
	const char *name;
	struct tp_params tp;
};

/* What the gateway is towards a peer (RFC 4666 s.1.2, s.4.3), whoever opens the association. */
enum role { ROLE_SGP, ROLE_ASP, ROLE_IPSP_SE, ROLE_IPSP_DE, ROLES };

enum asp_side { ASP_SERVER, ASP_CLIENT }; /* who opens the association: SERVER: the peer does */

/* What a peer may register (RFC 4666 s.4.4), each including the one before. */
enum rkm_policy {
	RKM_OFF,     /* nothing: Error "Unsupported Message Class" */
	RKM_STATIC,  /* nothing new: what it is configured into is "Already Registered", with its context */
	RKM_MATCH,   /* configured keys of ASs that it is not configured into: it joins the AS */
	RKM_DYNAMIC, /* any key: an AS is made for it */
};

struct rkm_conf {
	int policy;          /* enum rkm_policy */
	uint32_t limit;      /* keys that it may have registered at a time */
	const char *network; /* of keys without a Network Appearance; NULL: where it is unambiguous */
	/* of an AS made for a key, as in struct as_conf */
	int mode, share_key;
	uint32_t t_r_ms, pending_limit;
};

/* What a peer does otherwise than the standard, and is forgiven: field, configuration key, how a reload takes
 * it (SOFT: at once; NEXT: with the next association), what it means. */
#define COMPAT_SWITCHES(X)                                                                                   \
	X(aspup_ack_only, "aspup-ack-while-active", SOFT,                                                    \
		"ASP Up of an active ASP is acknowledged and changes nothing, as in RFC 3332: no Error, "    \
		"and it stays "                                                                              \
		"active and registered (RFC 4666 s.4.3.4.1 makes it inactive).")                             \
	X(no_ntfy, "no-ntfy", SOFT, "It is sent no NTFY at all.")                                            \
	X(no_rc_in_data, "no-rc-in-data", SOFT,                                                              \
		"DATA to it carries no Routing Context. DATA from it without one, though it serves several " \
		"Application Servers, is taken to be from the first of those it is active in, by Routing "   \
		"Context; they should be of one network (RFC 4666 s.3.3.1 asks for the Routing Context).")   \
	X(ignore_mode, "ignore-traffic-mode", SOFT,                                                          \
		"The Traffic Mode Type in ASP Active is not looked at; the Application Server's counts "     \
		"(RFC 4666 s.4.3.4.3: Unsupported Traffic Mode Type).")                                      \
	X(ssnm_when_inactive, "ssnm-when-inactive", SOFT,                                                    \
		"SSNM is sent to it while it is inactive, too, and its DAUD is answered then (RFC 4666 "     \
		"s.4.3.1: none before ASP-ACTIVE).")                                                         \
	X(reg_proposes_rc, "reg-proposes-rc", SOFT,                                                          \
		"A Routing Context in REG REQ that no key has is the one it wants for a new key, not that "  \
		"of a "                                                                                      \
		"key to modify (RFC 4666 s.4.4.1: Routing Key Change Refused).")                             \
	X(any_stream, "any-stream", NEXT,                                                                    \
		"DATA is accepted on stream 0, and ASPSM, MGMT and RKM messages on any (RFC 4666 s.1.4.7: "  \
		"Invalid Stream Identifier).")                                                               \
	X(any_ppid, "any-ppid", NEXT,                                                                        \
		"Its messages are accepted with an SCTP payload protocol identifier of 0, or of 3 in the "   \
		"wrong "                                                                                     \
		"octet order.")                                                                              \
	X(any_na, "any-network-appearance", NEXT,                                                            \
		"A Network Appearance in its DATA is not compared with the network's (RFC 4666 s.3.8.1: "    \
		"Invalid Network Appearance).")                                                              \
	X(five_bit_sls, "five-bit-sls", SOFT,                                                                \
		"Its SLS has 5 bits where those of an ANSI network have 8: the upper three in DATA from it " \
		"do not count, and in DATA to it they are 0.")                                               \
	X(draft_data, "draft-data-tag", NEXT,                                                                \
		"DATA may have its Protocol Data under tag 0x0002 of early drafts instead of 0x0210, "       \
		"otherwise laid "                                                                            \
		"out as in RFC 4666 s.3.3.1.")

struct compat_conf {
#define X(field, key, reload, text) bool field;
	COMPAT_SWITCHES(X)
#undef X
};

struct asp_conf {
	const char *name;
	int role;             /* enum role */
	int side;             /* enum asp_side */
	const char *listener; /* server side: NULL means any listener */
	struct tp_params tp;  /* remote addresses identify the peer; remote_port too if not 0 */
	bool has_id;
	uint32_t id;              /* ASP Identifier the peer must present if it presents one */
	bool require_id;          /* refuse ASPUP without an ASP Identifier (Error 0x0e) */
	bool blocked;             /* administratively blocked from the start */
	uint32_t beat_ms;         /* M3UA BEAT interval, 0: none */
	uint32_t beat_timeout_ms; /* no BEAT ACK in this time: the association is aborted */
	uint32_t reconnect_min_ms, reconnect_max_ms; /* client side: back-off, with jitter, for ever */
	uint32_t txq_limit;                          /* messages */
	struct rkm_conf rkm;
	struct compat_conf compat;
	/* Where the gateway asks: roles asp, ipsp-se, ipsp-de. */
	uint32_t t_ack_ms;      /* T(ack), s.4.3.4 */
	uint32_t t_ack_retries; /* then the association is aborted; 0: for ever, with back-off */
	bool registers;         /* the routing keys of its ASs, at the peer (s.4.4). Role asp */
	bool has_send_id;
	uint32_t send_id;  /* ASP Identifier that the gateway presents */
	uint32_t audit_ms; /* between DAUDs for what is unavailable or congested; 0: none. Role asp */
};

struct ip_prefix {
	union tp_addr addr;
	uint8_t len; /* bits */
};
/* IPv4-mapped counts as IPv4. */
bool ip_prefix_has(const struct ip_prefix *p, const union tp_addr *a);
bool ip_prefix_is_clean(const struct ip_prefix *p); /* no bits beyond its length */

/* Peers that no ASP is configured for, and what they are then. */
struct template_conf {
	struct asp_conf asp; /* name and listener are the template's */
	struct ip_prefix prefix;
	uint16_t port_first, port_last;
	uint32_t max_peers;
};

/* One routing key of an AS; dpc with its narrower fields. */
struct key_conf {
	uint32_t dpc;
	uint8_t *si; /* none: every user part */
	unsigned n_si;
	uint32_t *opc; /* none: every origin */
	unsigned n_opc;
};

struct as_conf {
	const char *name;
	const char *network;
	bool has_rc;
	uint32_t rc; /* Routing Context */
	bool has_own_rc;
	uint32_t own_rc; /* role ipsp-de: the Routing Context of the gateway's AS at the peers */
	struct key_conf *keys;
	unsigned n_keys;
	int mode;               /* enum fwd_mode */
	int share_key;          /* enum fwd_share_key */
	uint32_t t_r_ms;        /* T(r), recovery timer (RFC 4666 s.4.3.2) */
	uint32_t pending_limit; /* messages held while AS-PENDING */
	uint32_t min_asps; /* fewer active ones: NTFY Insufficient ASP Resources (loadshare, broadcast) */
	const char **asps;
	unsigned n_asps;
};

/* Where messages go besides what routing keys say, and in what order of preference. */
struct route_conf {
	const char *network;
	struct route_dest {
		uint32_t pc;
		uint8_t mask; /* that many low bits do not matter; all of them: the default route */
	} dest;
	const char *via;  /* an AS or a linkset */
	uint8_t priority; /* the lowest is preferred; routing keys have 0 */
};

struct sg_conf {
	struct network_conf *networks;
	unsigned n_networks;
	struct listener_conf *listeners;
	unsigned n_listeners;
	struct template_conf *templates;
	unsigned n_templates;
	struct asp_conf *asps;
	unsigned n_asps;
	struct as_conf *ass;
	unsigned n_ass;
	uint32_t rc_first, rc_last; /* Routing Contexts for keys that are registered */
	struct route_conf *routes;
	unsigned n_routes;
};

/* What a reload changes, computed by conf/ from the schema. */
enum sg_object {
	SG_NETWORK,
	SG_LISTENER,
	SG_ASP,
	SG_TEMPLATE,
	SG_AS,
	SG_LINK, /* ss7/ss7_conf.h */
	SG_LINKSET,
	SG_ROUTES /* all routes are one object */
};
enum sg_change_op {
	SG_ADD,
	SG_REMOVE,
	SG_UPDATE,  /* in place: associations stay up */
	SG_REPLACE, /* what changed cannot be changed in place: remove and add */
};
struct sg_change {
	enum sg_object object;
	enum sg_change_op op;
	const char *name;
	const char *why; /* SG_UPDATE, SG_REPLACE: the key that asks for it (constant); may be NULL */
	bool next;       /* SG_UPDATE: an association that is up goes on as before */
};
