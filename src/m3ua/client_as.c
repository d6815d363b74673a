/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machine of client_fsm.c for one AS and one peer: ASPAC, ASPIA, and when DATA may pass. */
#include "base/clock.h"
#include "base/log.h"
#include "m3ua/asp_fsm.h"
#include "m3ua/client_int.h"
#include "m3ua/daud.h"
#include "m3ua/sg_int.h"

/* ---- what is sent ---- */

static void put_rc(struct out *o, const struct as_asp *m)
{
	uint32_t rc;

	if (o->m && role_own_rc(m, &rc))
		m3ua_put_u32(&o->w, M3UA_P_ROUTING_CONTEXT, rc);
}

static void send_aspac(struct as_asp *m)
{
	struct out o = out_begin(m->asp, M3UA_ASPAC);

	if (o.m)
		m3ua_put_u32(&o.w, M3UA_P_TRAFFIC_MODE, (uint32_t)m->as->conf->mode);
	put_rc(&o, m);
	out_end(&o, 0);
}

static void send_aspia(struct as_asp *m)
{
	struct out o = out_begin(m->asp, M3UA_ASPIA);

	put_rc(&o, m);
	out_end(&o, 0);
}

/* ---- actions ---- */

typedef void (*action_fn)(struct as_asp *m, uint64_t was_since_ms);

/* Whether DATA goes to the peer is its own exchange's matter in the double one. */
static void set_state(struct as_asp *m, enum asp_event e)
{
	if (!role_is_double(m->asp))
		asp_transition(m, e, m->client.reason);
}

static void stop_timer(struct as_asp *m)
{
	osmo_timer_del(&m->client.timer);
	m->client.tries = 0;
}

static void act_none(struct as_asp *m, uint64_t since)
{
	(void)m, (void)since;
}

static void act_aspac(struct as_asp *m, uint64_t since)
{
	(void)since;
	send_aspac(m);
	client_await(m->asp, &m->client.timer, ++m->client.tries);
}

/* Behind the last DATA (s.4.3.4.4). */
static void act_aspia(struct as_asp *m, uint64_t since)
{
	(void)since;
	if (m->state == ASP_ACTIVE && !role_is_double(m->asp))
		out_hold(m->asp->sg);
	send_aspia(m);
	set_state(m, ASPE_INACTIVE);
	client_await(m->asp, &m->client.timer, ++m->client.tries);
}

static void act_activate(struct as_asp *m, uint64_t since)
{
	(void)since;
	stop_timer(m);
	set_state(m, ASPE_ACTIVE);
	daud_activated(m);
}

static void act_return(struct as_asp *m, uint64_t since)
{
	stop_timer(m);
	set_state(m, ASPE_INACTIVE);
	client_return_soon(m->asp, &m->client.timer, since);
}

static void act_slow(struct as_asp *m, uint64_t since)
{
	(void)since;
	m->client.tries = 0;
	client_await_slowly(m->asp, &m->client.timer);
}

static void act_delay(struct as_asp *m, uint64_t since)
{
	(void)since;
	client_await(m->asp, &m->client.timer, 0);
}

/* Other traffic of the association must not suffer for it. */
static void act_give_up(struct as_asp *m, uint64_t since)
{
	const struct as_asp *other;

	llist_for_each_entry (other, &m->asp->ass, in_asp)
		if (other->state == ASP_ACTIVE) {
			act_slow(m, since);
			return;
		}
	stop_timer(m);
	client_abort(m->asp, m->client.state == CA_REG_WAIT ? M3UA_REG_REQ : M3UA_ASPAC);
}

static void act_standby(struct as_asp *m, uint64_t since)
{
	(void)since;
	stop_timer(m);
	set_state(m, ASPE_OVERRIDDEN);
}

static void act_done(struct as_asp *m, uint64_t since)
{
	(void)since;
	stop_timer(m);
	client_quiet(m->asp);
}

static void act_reset(struct as_asp *m, uint64_t since)
{
	(void)since;
	stop_timer(m);
	client_quiet(m->asp);
}

static void act_reg(struct as_asp *m, uint64_t since)
{
	(void)since;
	client_reg_ask(m);
	client_await(m->asp, &m->client.timer, ++m->client.tries);
}

static const action_fn actions[] = {
	[CAA_NONE] = act_none,
	[CAA_ASPAC] = act_aspac,
	[CAA_ASPIA] = act_aspia,
	[CAA_ACTIVATE] = act_activate,
	[CAA_RETURN] = act_return,
	[CAA_SLOW] = act_slow,
	[CAA_DELAY] = act_delay,
	[CAA_GIVE_UP] = act_give_up,
	[CAA_STANDBY] = act_standby,
	[CAA_DONE] = act_done,
	[CAA_RESET] = act_reset,
	[CAA_REG] = act_reg,
	[CAA_DEREG] = act_reg,
};

void client_as_event(struct as_asp *m, enum client_as_event e, const char *reason)
{
	struct client_as *c = &m->client;
	enum client_as_state from = c->state;
	const struct client_cell *cell = &client_as_fsm[from][e];
	uint64_t since = c->since_ms;

	if (e == CAE_LOST || (from == CA_DEREG_SENT && cell->next != from))
		client_reg_forget(m);
	if (cell->next != from) {
		daud_stop(m);
		c->state = cell->next;
		c->since_ms = clock_ms();
		c->transitions++;
		c->tries = 0;
		if (e == CAE_LOST)
			c->told = 0;
		sg_member_moved(m);
		if (limit_allows(&m->asp->log, SG_LOGS_PER_SECOND, NULL))
			LOGP(DASP, LOGL_INFO, "asp %s in as %s: %s -> %s (%s)\n", m->asp->name, m->as->name,
				client_as_state_name(from), client_as_state_name(c->state), reason);
	}
	if (cell->next != from || cell->action != CAA_NONE)
		c->reason = reason;
	actions[cell->action](m, since);
}

static bool awaits_answer(enum client_as_state s)
{
	return s == CA_ACTIVE_SENT || s == CA_INACTIVE_SENT || s == CA_REG_SENT || s == CA_DEREG_SENT;
}

/* What was asked for in one message is asked for in one message again. */
static void repeat_together(struct as_asp *m)
{
	struct client_as was = m->client;
	struct as_asp *other;

	llist_for_each_entry (other, &m->asp->ass, in_asp)
		if (other->client.state == was.state && other->client.since_ms == was.since_ms &&
			other->client.tries == was.tries)
			client_as_event(other, CAE_TIMER, "T(ack) expired");
}

static void timer_due(void *data)
{
	struct as_asp *m = data;
	enum client_as_state s = m->client.state;

	if (awaits_answer(s) && client_exhausted(m->asp, m->client.tries))
		client_as_event(m, CAE_GIVE_UP, "T(ack) expired");
	else if (s == CA_REG_SENT || s == CA_DEREG_SENT)
		repeat_together(m);
	else if (awaits_answer(s))
		client_as_event(m, CAE_TIMER, "T(ack) expired");
	else
		client_as_event(m, client_reg_first(m, CAE_TIMER), "another attempt");
	sg_settle(m->as->sg);
}

/* ---- life ---- */

void client_as_init(struct as_asp *m)
{
	osmo_timer_setup(&m->client.timer, timer_due, m);
	daud_init(m);
	m->client.since_ms = clock_ms();
	m->client.reason = "configured";
}

void client_as_fini(struct as_asp *m)
{
	osmo_timer_del(&m->client.timer);
	daud_stop(m);
}

/* Single exchange: of the peers of an override AS one is to carry the traffic. */
static bool is_contended(const struct as_asp *m)
{
	const struct as_asp *other;

	if (!role_of(m->asp)->joint || m->as->conf->mode != FWD_OVERRIDE)
		return false;
	llist_for_each_entry (other, &m->as->asps, in_as)
		if (other != m && (other->client.state == CA_ACTIVE || other->client.state == CA_ACTIVE_SENT))
			return true;
	return false;
}

void client_joined(struct as_asp *m)
{
	if (!client_wants_active(m->asp))
		return;
	if (is_contended(m))
		client_as_event(m, CAE_OVERRIDDEN, "another peer carries the traffic");
	else
		client_as_event(m, client_reg_first(m, client_begins(m->asp) ? CAE_GO : CAE_LATER), "up");
}

void client_needed(struct as *as)
{
	struct as_asp *m;

	llist_for_each_entry (m, &as->asps, in_as)
		if (role_of(m->asp)->joint && m->client.state == CA_STANDBY && client_wants_active(m->asp) &&
			!is_contended(m))
			client_as_event(m, CAE_NEEDED, "the active peer is gone");
}

/* Withdraws M; nobody awaits the answers. */
static void withdraw(struct as_asp *m)
{
	enum client_as_state s = m->client.state;

	if (s == CA_ACTIVE || s == CA_ACTIVE_SENT) {
		if (m->state == ASP_ACTIVE)
			out_hold(m->asp->sg);
		send_aspia(m);
	}
	client_reg_withdraw(m);
}

void client_dismiss(struct as_asp *m)
{
	withdraw(m);
	client_as_event(m, CAE_LOST, "no longer a member");
}

void client_rekey(struct as_asp *m)
{
	static const char why[] = "routing keys changed";

	if (!role_registers(m->asp) || m->state == ASP_DOWN)
		return;
	withdraw(m);
	client_as_event(m, CAE_LOST, why);
	asp_transition(m, ASPE_INACTIVE, why);
	client_joined(m);
}

bool client_receives(const struct as_asp *m)
{
	switch (m->client.state) {
	case CA_ACTIVE_SENT: /* s.4.3.4.3: DATA may overtake the ACK on another stream */
	case CA_ACTIVE:
	case CA_INACTIVE_SENT: return true;
	case CA_IDLE:
	case CA_WAIT:
	case CA_STANDBY:
	case CA_REG_SENT:
	case CA_REG_WAIT:
	case CA_DEREG_SENT:
	case CA_STATES: break;
	}
	return false;
}
