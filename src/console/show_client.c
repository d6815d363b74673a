/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the gateway asks of a peer, and how far it got: for roles asp, ipsp-se, ipsp-de. Part of show asp
 * NAME. */
#include "console/show.h"
#include "m3ua/role.h"
#include "wire/m3ua.h"

/* The last ERR that answered something of ours. */
static void walk_error(struct show *s, const struct client_error *e)
{
	if (!e->at_ms) {
		walk_null(s->w, "last-error");
		return;
	}
	walk_object(s->w, "last-error");
	walk_u64(s->w, "code", e->code);
	walk_str(s->w, "error", m3ua_error_name(e->code));
	walk_str(s->w, "about", e->about == CLIENT_ERROR_UNKNOWN ? NULL : m3ua_type_name(e->about));
	show_since(s, "since", e->at_ms);
	walk_object_end(s->w);
}

static const char *told_name(uint16_t told)
{
	switch (told) {
	case M3UA_AS_INACTIVE: return "AS-INACTIVE";
	case M3UA_AS_ACTIVE: return "AS-ACTIVE";
	case M3UA_AS_PENDING: return "AS-PENDING";
	default: return NULL;
	}
}

/* Columns of a peer that keys are registered at. */
static void walk_registration(struct show *s, const struct client_reg *reg)
{
	walk_bool(s->w, "registered", reg->registered);
	walk_str(s->w, "registration-result", reg->result);
	walk_u64(s->w, "registrations-refused", reg->refusals);
}

static void walk_ass(struct show *s, const struct asp *asp)
{
	const struct as_asp *m;
	uint32_t rc;

	walk_table(s->w, "requests");
	llist_for_each_entry (m, &asp->ass, in_asp) {
		const struct client_as *c = &m->client;

		walk_object(s->w, NULL);
		walk_str(s->w, "name", m->as->conf->name);
		if (role_own_rc(m, &rc))
			walk_u64(s->w, "routing-context", rc);
		else
			walk_null(s->w, "routing-context");
		walk_str(s->w, "state", client_as_state_name(c->state));
		show_since(s, "since", c->since_ms);
		walk_u64(s->w, "transitions", c->transitions);
		walk_str(s->w, "notified", told_name(c->told));
		walk_str(s->w, "error", c->error.at_ms ? m3ua_error_name(c->error.code) : NULL);
		walk_str(s->w, "reason", c->reason);
		if (role_registers(asp))
			walk_registration(s, &c->reg);
		walk_object_end(s->w);
	}
	walk_table_end(s->w);
}

void show_client(struct show *s, const struct asp *asp)
{
	const struct client *c = &asp->client;

	if (!role_of(asp)->asks)
		return;
	walk_object(s->w, "client");
	walk_str(s->w, "state", client_state_name(c->state));
	show_since(s, "since", c->since_ms);
	walk_str(s->w, "reason", c->reason);
	walk_u64(s->w, "transitions", c->transitions);
	walk_ms(s->w, "t-ack", asp->conf->t_ack_ms);
	walk_u64(s->w, "t-ack-retries", asp->conf->t_ack_retries);
	walk_error(s, &c->error);
	walk_ass(s, asp);
	walk_object_end(s->w);
}
