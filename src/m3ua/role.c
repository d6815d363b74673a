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

bool role_rc(const struct as_asp *m, uint32_t *rc)
{
	const struct as_conf *c = m->as->conf;
	bool asks = role_registers(m->asp);

	*rc = asks ? m->client.reg.rc : c->rc;
	return asks ? m->client.reg.registered : c->has_rc;
}

bool role_own_rc(const struct as_asp *m, uint32_t *rc)
{
	const struct as_conf *c = m->as->conf;

	if (!c->has_own_rc)
		return role_rc(m, rc);
	*rc = c->own_rc;
	return true;
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
