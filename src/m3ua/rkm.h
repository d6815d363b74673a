/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Routing Key Management at the SGP (RFC 4666 s.3.6, s.4.4).
 *
 * Which AS a Routing Key means is decided for the whole message before anybody joins anything; REG RSP goes
 * first, then the NTFYs that joining causes. An AS that was made for a key lives as long as an ASP is
 * registered in it, and then until it is AS-DOWN: one that returns within T(r) finds its AS, its Routing
 * Context and what was held for it. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "m3ua/rkm_key.h"

struct as;
struct as_asp;
struct asp;
struct in;
struct sg;
struct sg_network;

enum rkm_dereg_status { /* Deregistration Status: s.3.6.4 */
	RKM_DEREGISTERED,
	RKM_DEREG_UNKNOWN,
	RKM_DEREG_INVALID_RC,
	RKM_DEREG_DENIED,
	RKM_DEREG_NOT_REGISTERED,
	RKM_DEREG_ACTIVE,
};

/* Handlers (dispatch.c). */
void rkm_reg_req(const struct in *in);
void rkm_dereg_req(const struct in *in);

/* ASP is down, or has said ASPUP while active: it is registered nowhere any more (s.4.3.4.1, s.4.3.4.2). */
void rkm_forget(struct asp *asp);
/* Its policy may have changed: what it may not be registered in any more, it is not. */
void rkm_recheck(struct asp *asp);

/* ---- rkm_as.c: ASs made for a key ---- */

/* NULL: no memory, Routing Context or room. */
struct as *rkm_as_new(struct asp *asp, struct sg_network *network, const struct rk *k);
/* M leaves: as_member_free() only. */
void rkm_member_gone(struct as_asp *m);
/* Its ASPs leave, active ones with ASPIA ACK. WHY: for the log. */
void rkm_as_remove(struct as *take_as, const char *why);
/* AS is AS-DOWN now: as_transition() only. */
void rkm_as_down(struct as *as);
/* A new configuration is about to come: what is known by Routing Context and point code is out of date. */
void rkm_apply_begin(struct sg *sg);
/* It has come, and it wins: ASs made for keys that clash with it, or whose network has gone, are removed. */
void rkm_apply_end(struct sg *sg);
/* An ASP becomes active in AS: what its ASPs are told from now on waits until traffic finds AS, for by its
 * acknowledgement the gateway is "ready to receive and send traffic" (s.4.3.4.3). */
void rkm_await_routing(struct as *as);
/* Step 2 of a settle: routing follows what was registered, at most a tenth of the time. */
void rkm_follow(struct sg *sg);
/* The table is out: how long did it take? */
void rkm_followed(struct sg *sg);
/* The index of all ASs, NULL without memory. */
struct rkm_index *rkm_index(struct sg *sg);
