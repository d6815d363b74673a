/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The Routing Key parameter of a REG REQ (RFC 4666 s.3.6.1): reading, checking, comparing. Pure. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "m3ua/sg_conf.h"
#include "wire/m3ua.h"

enum rkm_status { /* Registration Status: s.3.6.2 */
	RKM_REGISTERED,
	RKM_UNKNOWN_ERROR,
	RKM_INVALID_DPC,
	RKM_INVALID_NA,
	RKM_INVALID_KEY,
	RKM_PERMISSION_DENIED,
	RKM_NOT_UNIQUE,
	RKM_NOT_PROVISIONED,
	RKM_NO_RESOURCES,
	RKM_UNSUPPORTED_FIELD,
	RKM_UNSUPPORTED_MODE,
	RKM_CHANGE_REFUSED,
	RKM_ALREADY_REGISTERED,
	RKM_STATUSES
};
const char *rkm_status_name(uint32_t status); /* "Successfully Registered", or "?" */

enum {
	RKM_MAX_GROUPS = 256, /* of DPC, SI and OPC in one key */
	RKM_MAX_ROWS = 4096,  /* combinations of DPC, SI and OPC in one key */
};

/* A Routing Key as it was asked for. Lists are sorted, without repetitions. */
struct rk {
	uint32_t id; /* Local-RK-Identifier */
	bool has_rc, has_na, has_mode;
	uint32_t rc, na, mode;
	struct key_conf *groups; /* talloc'd under CTX of rk_read() */
	unsigned n_groups;
};

/* Reads P, which m3ua_parse() has accepted, into OUT (its id always). Anything but RKM_REGISTERED: what is
 * wrong with it, whatever the network. */
enum rkm_status rk_read(void *ctx, const struct m3ua_param *p, struct rk *out);
/* Do its point codes exist in NETWORK, and are none of them the gateway's? */
enum rkm_status rk_fits(const struct rk *k, const struct network_conf *network);

/* Do the N groups of V, unsorted as they may be, make the same key? */
bool rk_same(const struct rk *k, const struct key_conf *v, unsigned n);
/* Are they the same keys in the same order? */
bool rk_equal(const struct key_conf *a, unsigned n_a, const struct key_conf *b, unsigned n_b);
/* Octets that N groups take as one Routing Key parameter, with everything that may be in it. */
uint32_t rk_size(const struct key_conf *groups, unsigned n);
/* Is there a message that both a GROUP of a Routing Key and OTHER, unsorted as it may be, cover? */
bool rk_overlaps(const struct key_conf *group, const struct key_conf *other);
