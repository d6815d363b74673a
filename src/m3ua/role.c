/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "m3ua/role.h"

static const struct role_traits traits[ROLES] = {
	[ROLE_SGP] = {.name = "sgp", .serves = true},
	[ROLE_ASP] = {.name = "asp", .asks = true},
	[ROLE_IPSP_SE] = {.name = "ipsp-se", .serves = true, .asks = true, .joint = true},
	[ROLE_IPSP_DE] = {.name = "ipsp-de", .serves = true, .asks = true},
};

const struct role_traits *role_traits(int role)
{
	return &traits[role >= 0 && role < ROLES ? role : ROLE_SGP];
}

bool role_own_rc(const struct as_conf *c, uint32_t *rc)
{
	*rc = c->has_own_rc ? c->own_rc : c->rc;
	return c->has_own_rc || c->has_rc;
}

const struct role_traits *role_of_as(const struct as *as)
{
	if (llist_empty(&as->asps))
		return role_traits(ROLE_SGP);
	return role_of(llist_first_entry(&as->asps, struct as_asp, in_as)->asp);
}

unsigned role_n_keys(const struct as *as)
{
	return as->network && role_of_as(as)->serves ? as->conf->n_keys : 0;
}

enum fwd_mode role_mode(const struct as *as)
{
	if (!role_of_as(as)->serves && as->conf->mode == FWD_BROADCAST)
		return FWD_LOADSHARE;
	return (enum fwd_mode)as->conf->mode;
}
