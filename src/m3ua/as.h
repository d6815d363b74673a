/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An Application Server (RFC 4666 s.4.3.2): its ASPs, its state, T(r). */
#pragma once

#include <osmocom/core/linuxlist.h>
#include <osmocom/core/timer.h>
#include <stdbool.h>
#include <stdint.h>

#include "m3ua/asp.h"
#include "m3ua/sg_conf.h"
#include "route/route.h"

struct sg_network;

enum as_state { AS_DOWN, AS_INACTIVE, AS_ACTIVE, AS_PENDING, AS_STATES };

struct as {
	struct llist_head entry;
	struct sg *sg;
	const struct as_conf *conf;
	bool dynamic; /* made for a Routing Key that was registered; CONF is its own then */
	char *name;
	struct sg_network *network;
	uint32_t number; /* in the forwarding table */
	enum as_state state;
	uint64_t since_ms;
	const char *reason; /* of the last transition: constant text */
	uint64_t transitions;
	struct llist_head asps; /* struct as_asp.in_as, in configured order */
	struct osmo_timer_list t_r;
	struct fwd_hold *hold; /* the bound on messages waiting while pending; outlives compiled tables */
	bool insufficient;     /* active, with fewer than min_asps */

	struct route_egress *egress; /* what the routes know it by */
	enum dest_status status;     /* of its destinations through it; AS-PENDING keeps the one before */
	bool removed;                /* being taken out */
	const struct asp *joining;   /* scratch of rkm.c: it will, when the REG REQ has been answered */
	uint64_t routed_by;          /* made for a key: traffic finds it when routing has followed so often */
};

const char *as_state_name(enum as_state s); /* "AS-DOWN", ... */
const char *as_mode_name(int mode);         /* "override", "loadshare", "broadcast" */
const char *as_share_key_name(int key);     /* "sls", "opc-sls", "cic" */
unsigned as_active_asps(const struct as *as);

/* ---- within m3ua/ ---- */

struct as *as_new(struct sg *sg, const struct as_conf *conf);
/* Its members leave, active ones with ASPIA ACK; its parts of the table are retired. */
void as_remove(struct as *take_as);
/* Points it at CONF (new at a reload), its network, its members. */
void as_reconfigure(struct as *as, const struct as_conf *conf);
/* Active ASPs that must be there before the AS is (s.4.3.2: "n"). */
unsigned as_required(const struct as *as);

/* ASP joins AS (NULL without memory), or leaves it. */
struct as_asp *as_member_new(struct as *as, struct asp *asp);
void as_member_free(struct as_asp *take_m);
