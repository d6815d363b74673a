/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machine of client_fsm.c for one peer: ASPUP, ASPDN, and the association. What concerns one AS is in
 * client_as.c, what is received in client_rx.c. */
#include "m3ua/client.h"

#include "base/clock.h"
#include "base/log.h"
#include "m3ua/asp_fsm.h"
#include "m3ua/client_int.h"
#include "m3ua/mgmt.h"
#include "m3ua/sg_int.h"

/* ---- time ---- */

static void schedule(struct osmo_timer_list *t, uint32_t ms)
{
	osmo_timer_schedule(t, (int)(ms / 1000), (int)(ms % 1000 * 1000));
}

void client_await(const struct asp *asp, struct osmo_timer_list *t, unsigned tries)
{
	unsigned doublings = asp->conf->t_ack_retries || !tries ? 0 : tries - 1;

	schedule(t, asp->conf->t_ack_ms << (doublings < CLIENT_DOUBLINGS ? doublings : CLIENT_DOUBLINGS));
}

void client_await_slowly(const struct asp *asp, struct osmo_timer_list *t)
{
	schedule(t, asp->conf->t_ack_ms * CLIENT_SLOW);
}

void client_return_soon(const struct asp *asp, struct osmo_timer_list *t, uint64_t since_ms)
{
	schedule(t, clock_ms() - since_ms < asp->conf->t_ack_ms ? asp->conf->t_ack_ms : 0);
}

/* Taking leave is bounded in time: one attempt. */
bool client_exhausted(const struct asp *asp, unsigned tries)
{
	return asp->client.leaving || (asp->conf->t_ack_retries && tries > asp->conf->t_ack_retries);
}

bool client_wants_active(const struct asp *asp)
{
	return !asp->blocked && !asp->client.leaving && !asp->sg->leave.on && client_is_up(asp);
}

bool client_is_up(const struct asp *asp)
{
	return asp->client.state == CL_UP || asp->client.state == CL_DOWN_SENT;
}

/* ---- actions ---- */

typedef void (*action_fn)(struct asp *asp, const struct in *in, uint64_t was_since_ms);

static void stop_timer(struct asp *asp)
{
	osmo_timer_del(&asp->client.timer);
	asp->client.tries = 0;
}

static void act_none(struct asp *asp, const struct in *in, uint64_t since)
{
	(void)asp, (void)in, (void)since;
}

static void act_aspup(struct asp *asp, const struct in *in, uint64_t since)
{
	struct out o = out_begin(asp, M3UA_ASPUP);

	(void)in, (void)since;
	if (o.m && asp->conf->has_send_id)
		m3ua_put_u32(&o.w, M3UA_P_ASP_ID, asp->conf->send_id);
	out_end(&o, 0);
	client_await(asp, &asp->client.timer, ++asp->client.tries);
}

static void act_aspdn(struct asp *asp, const struct in *in, uint64_t since)
{
	struct out o = out_begin(asp, M3UA_ASPDN);

	(void)in, (void)since;
	out_end(&o, 0);
	client_await(asp, &asp->client.timer, ++asp->client.tries);
}

/* s.4.3.4.1.2: with ASPUP ACK a peer shows that it is up itself. */
static void act_come_up(struct asp *asp, const struct in *in, uint64_t since)
{
	struct as_asp *m;

	(void)in, (void)since;
	stop_timer(asp);
	if (role_is_double(asp) && !asp->up)
		asp->up_by_ack = true;
	asp_set_up(asp, true, asp->client.reason);
	llist_for_each_entry (m, &asp->ass, in_asp)
		if (m->state == ASP_DOWN)
			asp_transition(m, ASPE_UP, asp->client.reason);
	llist_for_each_entry (m, &asp->ass, in_asp)
		client_joined(m);
}

static void act_correct(struct asp *asp, const struct in *in, uint64_t since)
{
	if (in)
		err_answer(in, M3UA_E_UNEXPECTED, NULL);
	act_come_up(asp, in, since);
}

static void act_fall_back(struct asp *asp, const struct in *in, uint64_t since)
{
	struct as_asp *m;

	(void)in, (void)since;
	llist_for_each_entry (m, &asp->ass, in_asp) {
		client_as_event(m, CAE_FALL_BACK, asp->client.reason);
		if (!role_registers(asp))
			continue;
		/* "and all registered Routing Keys are considered deregistered": begin there */
		client_as_event(m, CAE_LOST, asp->client.reason);
		client_joined(m);
	}
}

/* s.4.3.4.1: "If the ASP was not in the ASP-INACTIVE state, it SHOULD send an Error message and then initiate
 * procedures to return itself to its previous state." */
static void act_protest(struct asp *asp, const struct in *in, uint64_t since)
{
	bool active = false;
	struct as_asp *m;

	if (asp->client.ack_owed) {
		asp->client.ack_owed = false;
		return;
	}
	llist_for_each_entry (m, &asp->ass, in_asp)
		active |= m->client.state == CA_ACTIVE;
	if (!active)
		return;
	if (in)
		err_answer(in, M3UA_E_UNEXPECTED, NULL);
	act_fall_back(asp, in, since);
}

/* Down at the peer; of a double exchange only our half, unless the peer went without its own. */
static void go_down(struct asp *asp)
{
	struct as_asp *m;

	llist_for_each_entry (m, &asp->ass, in_asp) {
		client_as_event(m, CAE_LOST, asp->client.reason);
		if (!role_is_double(asp) || asp->up_by_ack)
			asp_transition(m, ASPE_DOWN, asp->client.reason);
	}
	if (!role_is_double(asp) || asp->up_by_ack)
		asp_set_up(asp, false, asp->client.reason);
	stop_timer(asp);
}

static void act_return(struct asp *asp, const struct in *in, uint64_t since)
{
	(void)in;
	go_down(asp);
	client_return_soon(asp, &asp->client.timer, since);
}

static void act_slow(struct asp *asp, const struct in *in, uint64_t since)
{
	(void)in, (void)since;
	asp->client.tries = 0;
	client_await_slowly(asp, &asp->client.timer);
}

static void act_rest(struct asp *asp, const struct in *in, uint64_t since)
{
	go_down(asp);
	act_slow(asp, in, since);
}

static void act_abort(struct asp *asp, const struct in *in, uint64_t since)
{
	(void)in, (void)since;
	stop_timer(asp);
	client_abort(asp, M3UA_ASPUP);
}

static bool is_quiet(const struct asp *asp)
{
	const struct as_asp *m;

	llist_for_each_entry (m, &asp->ass, in_asp)
		if (m->client.state != CA_IDLE)
			return false;
	return true;
}

static void act_leave(struct asp *asp, const struct in *in, uint64_t since)
{
	struct as_asp *m;

	(void)in, (void)since;
	llist_for_each_entry (m, &asp->ass, in_asp)
		client_as_event(m, CAE_STOP, asp->client.reason);
	client_quiet(asp);
}

static void act_close(struct asp *asp, const struct in *in, uint64_t since)
{
	(void)in, (void)since;
	go_down(asp);
	if (asp->out.first)
		asp->shutdown_after_out = true;
	else if (asp->assoc)
		assoc_shutdown(asp->assoc);
}

static void act_reset(struct asp *asp, const struct in *in, uint64_t since)
{
	(void)in, (void)since;
	stop_timer(asp);
}

static const action_fn actions[] = {
	[CLA_NONE] = act_none,
	[CLA_ASPUP] = act_aspup,
	[CLA_ASPDN] = act_aspdn,
	[CLA_COME_UP] = act_come_up,
	[CLA_CORRECT] = act_correct,
	[CLA_PROTEST] = act_protest,
	[CLA_FALL_BACK] = act_fall_back,
	[CLA_RETURN] = act_return,
	[CLA_SLOW] = act_slow,
	[CLA_REST] = act_rest,
	[CLA_ABORT] = act_abort,
	[CLA_LEAVE] = act_leave,
	[CLA_CLOSE] = act_close,
	[CLA_RESET] = act_reset,
};

/* The one place where the state towards a peer changes. IN: the message that caused it, or NULL. */
void client_event(struct asp *asp, enum client_event e, const struct in *in, const char *reason)
{
	struct client *c = &asp->client;
	enum client_state from = c->state;
	const struct client_cell *cell = &client_fsm[from][e];
	uint64_t since = c->since_ms;

	if (cell->next != from) {
		c->state = cell->next;
		c->since_ms = clock_ms();
		c->transitions++;
		c->tries = 0;
		if (limit_allows(&asp->log, SG_LOGS_PER_SECOND, NULL))
			LOGP(DASP, LOGL_INFO, "asp %s: %s -> %s (%s)\n", asp->name, client_state_name(from),
				client_state_name(c->state), reason);
	}
	if (cell->next != from || cell->action != CLA_NONE)
		c->reason = reason;
	actions[cell->action](asp, in, since);
}

static void timer_due(void *data)
{
	struct asp *asp = data;
	bool sent = asp->client.state == CL_UP_SENT || asp->client.state == CL_DOWN_SENT;

	if (sent && client_exhausted(asp, asp->client.tries))
		client_event(asp, CLE_GIVE_UP, NULL, "T(ack) expired");
	else
		client_event(asp, CLE_TIMER, NULL, sent ? "T(ack) expired" : "another attempt");
	sg_settle(asp->sg);
}

void client_abort(struct asp *asp, uint16_t unanswered)
{
	LOGP(DASP, LOGL_NOTICE, "asp %s: no answer to %s, association aborted\n", asp->name,
		m3ua_type_name(unanswered));
	if (asp->assoc)
		assoc_abort(asp->assoc, "no answer within T(ack)"); /* PE_DOWN follows, and the rest */
}

void client_quiet(struct asp *asp)
{
	if (asp->client.leaving && is_quiet(asp) && !client_reg_leave(asp))
		client_event(asp, CLE_QUIET, NULL, asp->client.reason);
}

/* ---- life ---- */

void client_init(struct asp *asp)
{
	osmo_timer_setup(&asp->client.timer, timer_due, asp);
	asp->client.since_ms = clock_ms();
	asp->client.reason = "configured";
}

void client_fini(struct asp *asp)
{
	osmo_timer_del(&asp->client.timer);
}

/* Between IPSPs of a single exchange one begins: who opened the association; the other one if nothing comes
 * (s.4.3: "can be initiated by either IPSP"). */
bool client_begins(const struct asp *asp)
{
	return !role_of(asp)->joint || asp->conf->side == ASP_CLIENT;
}

void client_start(struct asp *asp)
{
	if (!role_of(asp)->asks || asp->sg->leave.on)
		return;
	if (client_begins(asp))
		client_event(asp, CLE_START, NULL, "association up");
	else if (asp->client.state == CL_IDLE)
		client_await(asp, &asp->client.timer, 0);
}

void client_lost(struct asp *asp, const char *reason)
{
	struct as_asp *m;

	client_event(asp, CLE_LOST, NULL, reason);
	asp->client.leaving = asp->client.ack_owed = asp->up_by_ack = false;
	llist_for_each_entry (m, &asp->ass, in_asp)
		client_as_event(m, CAE_LOST, reason);
}

void client_block(struct asp *asp, bool block)
{
	struct as_asp *m;

	llist_for_each_entry (m, &asp->ass, in_asp)
		if (block)
			client_as_event(m, CAE_STOP, "blocked by management");
		else if (client_wants_active(asp))
			client_as_event(m, client_reg_first(m, CAE_GO), "unblocked by management");
}

void client_stop(struct asp *asp, const char *reason)
{
	asp->client.leaving = true;
	client_event(asp, CLE_STOP, NULL, reason);
}

void client_peer_up(struct asp *asp)
{
	asp->client.ack_owed = asp->client.state == CL_UP_SENT;
	client_event(asp, CLE_PEER_UP, NULL, "ASPUP");
}

void client_peer_down(struct asp *asp)
{
	client_event(asp, CLE_PEER_DOWN, NULL, "ASPDN");
}
