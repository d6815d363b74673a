/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "m3ua/asp.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "base/backoff.h"
#include "base/clock.h"
#include "base/log.h"
#include "m3ua/as_fsm.h"
#include "m3ua/asp_fsm.h"
#include "m3ua/aspsm.h"
#include "m3ua/asptm.h"
#include "m3ua/beat.h"
#include "m3ua/mgmt.h"
#include "m3ua/once.h"
#include "m3ua/rkm.h"
#include "m3ua/role.h"
#include "m3ua/sg_int.h"
#include "m3ua/sg_table.h"

const char *asp_state_name(enum asp_state s)
{
	static const char *const names[ASP_STATES] = {
		[ASP_DOWN] = "ASP-DOWN", [ASP_INACTIVE] = "ASP-INACTIVE", [ASP_ACTIVE] = "ASP-ACTIVE"};

	return s < ASP_STATES ? names[s] : "?";
}

enum asp_state asp_state(const struct asp *asp)
{
	enum asp_state highest = asp->up ? ASP_INACTIVE : ASP_DOWN;
	const struct as_asp *m;

	llist_for_each_entry (m, &asp->ass, in_asp)
		if (m->state > highest)
			highest = m->state;
	return highest;
}

#define X(id, code, name) code,
static const uint16_t slots[] = {0xffff, M3UA_MESSAGES(X)};
#undef X
_Static_assert(sizeof(slots) / sizeof(slots[0]) <= ASP_RX_TYPES, "a slot for every message type");

unsigned asp_type_slot(uint16_t type)
{
	for (unsigned i = 1; i < sizeof(slots) / sizeof(slots[0]); i++)
		if (slots[i] == type)
			return i;
	return 0;
}

uint16_t asp_slot_type(unsigned slot)
{
	return slot > 0 && slot < sizeof(slots) / sizeof(slots[0]) ? slots[slot] : 0;
}

static void reconnect_due(void *data)
{
	struct asp *asp = data;

	asp_connect(asp);
	sg_settle(asp->sg);
}

struct assoc_conf asp_assoc_conf(const struct asp *asp, void *owner)
{
	const struct compat_conf *c = &asp->conf->compat;

	return (struct assoc_conf){.name = asp->name,
		.params = asp->conf->tp,
		.txq_limit = asp->conf->txq_limit,
		.owner = owner,
		.tolerates = (c->any_stream ? ASSOC_ANY_STREAM : 0) | (c->any_ppid ? ASSOC_ANY_PPID : 0) |
			     (c->any_na ? ASSOC_ANY_NA : 0) | (c->draft_data ? ASSOC_DRAFT_DATA : 0)};
}

struct asp *asp_new(struct sg *sg, const struct asp_conf *conf)
{
	struct asp *asp = talloc_zero(sg->ctx, struct asp);

	if (!asp)
		return NULL;
	asp->sg = sg;
	asp->conf = conf;
	asp->name = talloc_strdup(asp, conf->name);
	asp->number = sg->next_asp_number++;
	asp->since_ms = clock_ms();
	asp->reason = "configured";
	asp->blocked = conf->blocked;
	INIT_LLIST_HEAD(&asp->ass);
	INIT_LLIST_HEAD(&asp->sending);
	mbufq_init(&asp->out);
	osmo_timer_setup(&asp->reconnect_timer, reconnect_due, asp);
	client_init(asp);
	llist_add_tail(&asp->entry, &sg->asps);
	return asp;
}

void asp_remove(struct asp *asp)
{
	struct as_asp *m, *next;

	asp_detach(asp, "removed from the configuration");
	llist_for_each_entry_safe (m, next, &asp->ass, in_asp)
		as_member_free(m);
	osmo_timer_del(&asp->reconnect_timer);
	client_fini(asp);
	once_free(asp);
	llist_del(&asp->entry);
	talloc_free(asp);
}

void asp_reconfigure(struct asp *asp, const struct asp_conf *conf)
{
	bool beat_changed =
		conf->beat_ms != asp->conf->beat_ms || conf->beat_timeout_ms != asp->conf->beat_timeout_ms;
	bool block_changed = conf->blocked != asp->conf->blocked;
	struct as_asp *m;

	asp->conf = conf;
	llist_for_each_entry (m, &asp->ass, in_asp) /* what DATA to it looks like */
		table_dirty_as(m->as);
	if (beat_changed)
		beat_start(asp);
	if (block_changed)
		asp_block(asp, conf->blocked);
	rkm_recheck(asp);
}

void asp_joins(struct asp *asp, struct as_asp *m)
{
	asp->n_ass++;
	rc_index_add(&asp->by_rc, asp, role_rc, m);
	rc_index_add(&asp->by_own_rc, asp, role_own_rc, m);
	table_dirty_ingress(asp);
}

void asp_leaves(struct asp *asp, const struct as_asp *m)
{
	asp->n_ass--;
	rc_index_del(&asp->by_rc, m);
	rc_index_del(&asp->by_own_rc, m);
	table_dirty_ingress(asp);
}

void asp_index(struct asp *asp)
{
	struct as_asp *m;

	asp->n_ass = asp->by_rc.n = asp->by_own_rc.n = 0;
	llist_for_each_entry (m, &asp->ass, in_asp)
		asp_joins(asp, m);
	table_dirty_ingress(asp);
}

struct as_asp *asp_find_rc(const struct asp *asp, uint32_t rc)
{
	return rc_index_find(&asp->by_rc, role_rc, rc);
}

struct as_asp *asp_find_own_rc(const struct asp *asp, uint32_t rc)
{
	return rc_index_find(&asp->by_own_rc, role_own_rc, rc);
}

void asp_set_up(struct asp *asp, bool up, const char *reason)
{
	if (asp->up == up)
		return;
	asp->up = up;
	asp->since_ms = clock_ms();
	asp->reason = reason;
	if (up)
		asp->backoff_ms = 0; /* a peer that got this far may be called again at once */
	else {
		asp->has_id = false;
		once_free(asp); /* it may have forgotten what it was told */
		rkm_forget(asp);
	}
	if (limit_allows(&asp->log, SG_LOGS_PER_SECOND, NULL))
		LOGP(DASP, LOGL_NOTICE, "asp %s is %s (%s)\n", asp->name, up ? "up" : "down", reason);
}

void asp_lost(struct asp *asp, int event, const char *reason)
{
	struct as_asp *m;

	client_lost(asp, reason);
	llist_for_each_entry (m, &asp->ass, in_asp)
		if (m->state != ASP_DOWN)
			ntfy_failure(m->as, asp);
	llist_for_each_entry (m, &asp->ass, in_asp) {
		asp_transition(m, (enum asp_event)event, reason);
		if (m->linger_ms) { /* locked: what comes now is another association's */
			m->linger_ms = 0;
			sg_member_moved(m);
		}
	}
	asp_set_up(asp, false, reason);
}

/* ---- the association ---- */

/* Locked, where it is the gateway that would ask: no association is opened or accepted. */
static bool is_shut(const struct asp *asp)
{
	return asp->sg->leave.on || asp_is_locked_out(asp);
}

static void schedule_reconnect(struct asp *asp)
{
	const struct asp_conf *c = asp->conf;
	uint32_t ms;

	if (c->side != ASP_CLIENT || is_shut(asp))
		return;
	ms = backoff_next(&asp->backoff_ms, c->reconnect_min_ms, c->reconnect_max_ms, asp->sg->random());
	osmo_timer_schedule(&asp->reconnect_timer, (int)(ms / 1000), (int)(ms % 1000 * 1000));
}

void asp_connect(struct asp *asp)
{
	struct asp_link *link;
	struct assoc_conf conf;
	char why[TP_REASON] = "";

	if (asp->assoc || is_shut(asp))
		return;
	link = talloc_zero(asp->sg->ctx, struct asp_link);
	if (!link)
		return;
	conf = asp_assoc_conf(asp, link);
	link->assoc = assoc_connect(asp->sg->plane, &conf, why);
	if (!link->assoc) {
		OSMO_STRLCPY_ARRAY(asp->down_reason, why);
		LOGP(DASP, LOGL_ERROR, "asp %s: cannot connect: %s\n", asp->name, why);
		talloc_free(link);
		schedule_reconnect(asp);
		return;
	}
	asp_attach(asp, link);
}

void asp_attach(struct asp *asp, struct asp_link *link)
{
	link->sg = asp->sg;
	link->asp = asp;
	llist_add_tail(&link->entry, &asp->sg->links);
	asp->link = link;
	asp->assoc = link->assoc;
	asp->congestion = 0;
	asp->down_reason[0] = '\0';
	osmo_timer_del(&asp->reconnect_timer);
	table_dirty_ingress(asp);
}

/* Everything but the registry's link to the association. */
static void unplug(struct asp *asp)
{
	beat_stop(asp);
	out_purge(asp);
	table_drop_assoc(asp->sg, asp->assoc);
	asp->assoc = NULL;
	asp->link = NULL;
	asp->congestion = 0;
}

void asp_detach(struct asp *asp, const char *why)
{
	struct asp_link *link = asp->link;

	if (!link)
		return;
	asp_lost(asp, ASPE_LOST, "association replaced or removed");
	unplug(asp);
	link->asp = NULL;
	assoc_abort(link->assoc, why);
}

void asp_assoc_up(struct asp *asp)
{
	asp->reconnects++;
	if (limit_allows(&asp->log, SG_LOGS_PER_SECOND, NULL))
		LOGP(DSCTP, LOGL_NOTICE, "asp %s: association up, %u streams in, %u out\n", asp->name,
			assoc_in_streams(asp->assoc), assoc_out_streams(asp->assoc));
	beat_start(asp);
	client_start(asp);
}

void asp_log_undelivered(struct asp *asp)
{
	if (!asp->undelivered)
		return;
	LOGP(DSCTP, LOGL_NOTICE, "asp %s: %" PRIu64 " message%s not delivered\n", asp->name, asp->undelivered,
		asp->undelivered == 1 ? " was" : "s were");
	asp->undelivered = 0;
}

void asp_assoc_gone(struct asp *asp, const char *why)
{
	asp_log_undelivered(asp);
	OSMO_STRLCPY_ARRAY(asp->down_reason, why);
	if (limit_allows(&asp->log, SG_LOGS_PER_SECOND, NULL))
		LOGP(DSCTP, LOGL_NOTICE, "asp %s: association down: %s\n", asp->name, why);
	asp_lost(asp, ASPE_LOST, "association lost");
	unplug(asp);
	schedule_reconnect(asp);
}

/* ---- management ---- */

void asp_block(struct asp *asp, bool block)
{
	if (asp->blocked == block)
		return;
	asp->blocked = block;
	LOGP(DASP, LOGL_NOTICE, "asp %s: %s by management\n", asp->name, block ? "blocked" : "unblocked");
	if (role_of(asp)->asks)
		client_block(asp, block);
	if (block && role_of(asp)->serves && !role_of(asp)->joint)
		asptm_withdraw(asp, "blocked by management");
	sg_settle(asp->sg);
}

bool asp_is_locked_out(const struct asp *asp)
{
	return asp->locked && role_of(asp)->asks;
}

/* Where the gateway asks there is nothing to refuse: it leaves, and keeps away. */
static void keep_away(struct asp *asp)
{
	osmo_timer_del(&asp->reconnect_timer);
	asp_close(asp, "locked by management");
}

void asp_lock(struct asp *asp, bool lock)
{
	if (asp->locked == lock)
		return;
	asp->locked = lock;
	LOGP(DASP, LOGL_NOTICE, "asp %s: %s by management\n", asp->name, lock ? "locked" : "unlocked");
	if (lock && role_of(asp)->asks)
		keep_away(asp);
	else if (lock && asp->assoc)
		aspsm_withdraw(asp, "locked by management");
	if (!lock && role_of(asp)->asks && asp->conf->side == ASP_CLIENT) {
		asp->backoff_ms = 0;
		asp_connect(asp); /* nothing where it still is on its way out: it reconnects behind that */
	}
	sg_settle(asp->sg);
}

void asp_close(struct asp *asp, const char *reason)
{
	if (!asp->assoc)
		return;
	if (assoc_state(asp->assoc) != ASSOC_UP) {
		assoc_abort(asp->assoc, reason);
		return;
	}
	if (role_of(asp)->serves && !role_of(asp)->joint)
		aspsm_withdraw(
			asp, reason); /* our acknowledgement ends the peer's exchange, the peer's ours */
	if (role_of(asp)->asks)
		client_stop(asp, reason);
	else if (asp->out.first)
		asp->shutdown_after_out = true;
	else
		assoc_shutdown(asp->assoc);
}

void asp_shut_down(struct asp *asp)
{
	asp->backoff_ms = 0;
	LOGP(DASP, LOGL_NOTICE, "asp %s: shut down by management\n", asp->name);
	asp_close(asp, "shut down by management");
	sg_settle(asp->sg);
}

void asp_restart(struct asp *asp)
{
	asp->backoff_ms = 0;
	if (asp->assoc) {
		assoc_abort(asp->assoc, "restarted by management"); /* PE_DOWN follows, and the rest */
		return;
	}
	if (asp->conf->side == ASP_CLIENT)
		asp_connect(asp);
	sg_settle(asp->sg);
}
