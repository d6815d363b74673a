/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The M3UA signalling gateway: the registry of networks, listeners, ASPs and ASs, and the one place where
 * plane events come in. Control thread only. See as.h and asp.h for the two state machines, ARCHITECTURE.md
 * for the rest. */
#pragma once

#include <osmocom/core/linuxlist.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "data/plane.h"
#include "m3ua/sg_conf.h"

struct router;
struct sg;
struct asp;
struct as;

struct sg_network {
	char *name;
	struct llist_head entry;
	const struct network_conf *conf;
	uint16_t index;    /* in the forwarding table */
	bool single_level; /* its MTP tells congestion without a level (ss7/ says so) */
};

/* What belongs to no ASP. */
struct sg_stats {
	uint64_t rejected_peers;               /* incoming associations that no ASP matches */
	uint64_t replaced;                     /* associations that a reconnecting peer replaced */
	uint64_t no_buffer;                    /* control messages not sent for want of a buffer */
	uint64_t runts;                        /* shorter than a message header */
	uint64_t strays;                       /* messages of associations that are nobody's any more */
	uint64_t refused_data;                 /* DATA that the workers handed up */
	uint64_t duna, dava, drst, scon, dupu; /* SSNM messages sent */
	uint64_t registered, registrations_refused, deregistered; /* Routing Keys, by request */
};

struct sg_listener {
	struct llist_head entry;
	const struct listener_conf *conf;
	struct sg *sg;
	char *name;
	struct listener *ls;    /* NULL: could not be opened at all */
	char reason[TP_REASON]; /* why it is not up, or which transport and why */
	uint64_t accepted, rejected;
};

/* Others who share the listeners: the SS7 side's links. */
struct sg_others {
	/* A peer that is no ASP's. True: adopted. */
	bool (*incoming)(void *arg, const char *listener, struct tp_incoming *in);
	/* The addresses that may come to LISTENER, at most MAX put into OUT; how many there are. */
	unsigned (*permit)(void *arg, const char *listener, union tp_addr *out, unsigned max);
	/* What peers say that SS7 nodes should hear (RFC 4666 s.1.4.6). LOCAL, whose message met it, is to
	 * send less to PC. */
	void (*controlled)(
		void *arg, const struct sg_network *network, uint32_t local, uint32_t pc, uint8_t level);
	/* USER at PC is not available to those who send there. */
	void (*user_unavailable)(
		void *arg, const struct sg_network *network, uint32_t pc, uint8_t user, uint8_t cause);
	/* sg_settle() is about to publish: what has to be sent before what the new table lets go. */
	void (*settling)(void *arg);
};

/* An empty gateway; the plane is given to it with sg_set_plane() before sg_apply(), for the plane needs
 * sg_on_event. */
struct sg *sg_new(void *talloc_ctx);
void sg_set_plane(struct sg *sg, struct plane *p);
void sg_set_others(struct sg *sg, const struct sg_others *others, void *arg);
/* After plane_stop(): workers must not see the forwarding table any more. */
void sg_free(struct sg *take_sg);

/* Brings the gateway from its present configuration to CONF. CHANGES lists every difference (at the first
 * call: SG_ADD for all). CONF must stay until the next call has returned. Cannot fail: CONF was checked. */
void sg_apply(struct sg *sg, const struct sg_conf *conf, const struct sg_change *changes, unsigned n_changes);

/* Randomness for jitter; tests inject their own. */
void sg_set_random(struct sg *sg, uint32_t (*random)(void));

/* plane_event_fn. After a batch of events call sg_settle(), which publishes the forwarding table if it
 * changed. */
void sg_on_event(void *sg, const struct plane_event *ev);
void sg_settle(struct sg *sg);

/* Takes leave of every peer (NTFY AS-INACTIVE where due, ASPDN/ASPIA ACK unsolicited, SCTP shutdown), refuses
 * new ones, and calls DONE on the control loop when the last association is gone or TIMEOUT_MS has passed. */
void sg_shutdown(struct sg *sg, uint32_t timeout_ms, void (*done)(void *arg), void *arg);

/* ---- for the console ---- */
struct plane *sg_plane(const struct sg *sg);
struct router *sg_router(const struct sg *sg);
struct llist_head *sg_networks(struct sg *sg);  /* struct sg_network */
struct llist_head *sg_listeners(struct sg *sg); /* struct sg_listener */
struct llist_head *sg_asps(struct sg *sg);      /* struct asp */
struct llist_head *sg_templates(struct sg *sg); /* struct sg_template, guest.h */
struct llist_head *sg_ass(struct sg *sg);       /* struct as */
const struct sg_stats *sg_stats(const struct sg *sg);
struct sg_network *sg_network_by_name(struct sg *sg, const char *name);
struct asp *sg_asp_by_name(struct sg *sg, const char *name);
struct as *sg_as_by_name(struct sg *sg, const char *name);
struct as *sg_as_by_number(struct sg *sg, uint32_t number);
