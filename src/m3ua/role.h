/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the gateway is towards a peer, and what follows from it. Everything that differs between the roles
 * asks here or has a column for each (dispatch.c). */
#pragma once

#include "m3ua/as.h"

struct role_traits {
	const char *name; /* as configured */
	bool serves;      /* answers the peer's ASPUP and ASPAC: SGP, IPSP */
	bool asks;        /* sends its own: ASP, IPSP (client.c) */
	bool joint;       /* one exchange is about both directions: IPSP single exchange (RFC 4666 s.4.3) */
};

/* Any number; out of range is ROLE_SGP's. */
const struct role_traits *role_traits(int role);

static inline const struct role_traits *role_of(const struct asp *asp)
{
	return role_traits(asp->conf->role);
}

/* Do the peer's DATA and the gateway's depend on exchanges of their own (double exchange)? */
static inline bool role_is_double(const struct asp *asp)
{
	const struct role_traits *r = role_of(asp);

	return r->serves && r->asks && !r->joint;
}

/* Does the gateway register its routing keys at the peer, which then allocates the Routing Contexts (s.4.4)?
 */
static inline bool role_registers(const struct asp *asp)
{
	return asp->conf->registers && asp->conf->role == ROLE_ASP;
}

/* The Routing Context of what is sent to a member of an AS: the configured one, or what its peer allocated.
 * False: it has none (yet). */
bool role_rc(const struct as_asp *m, uint32_t *rc);
/* The same of what is received from it: the gateway's own AS's where both ends have one (s.5.6.2). */
bool role_own_rc(const struct as_asp *m, uint32_t *rc);

/* The role towards the peers of an AS; without any, ROLE_SGP's. */
const struct role_traits *role_of_as(const struct as *as);
/* Routing keys that lead to the AS's peers. Those of an AS of the gateway's own say what it serves. */
unsigned role_n_keys(const struct as *as);
/* How DATA is spread over an AS's peers. The SGPs of another SG are one way into its network: no message goes
 * there twice, whatever the SG does in the other direction. */
enum fwd_mode role_mode(const struct as *as);
