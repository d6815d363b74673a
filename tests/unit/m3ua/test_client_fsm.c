/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Every cell of the machines of the side that asks: a second transcription of RFC 4666 s.4.3.4, and what is
 * really sent. */
#include <stdio.h>
#include <string.h>

#include "m3ua/asp_fsm.h"
#include "m3ua/client_int.h"
#include "rig.h"

/* ---- with a peer ---- */

/* In each cell: the next state, and what is sent. */
struct cell {
	uint8_t next;
	const char *sent;
};

static const struct cell with_peer[CLE_EVENTS][CL_STATES] = {
	[CLE_START] = {{CL_UP_SENT, "ASPUP"}, {CL_UP_SENT, ""}, {CL_UP_SENT, "ASPUP"}, {CL_UP, ""},
		{CL_DOWN_SENT, ""}},
	[CLE_TIMER] = {{CL_UP_SENT, "ASPUP"}, {CL_UP_SENT, "ASPUP"}, {CL_UP_SENT, "ASPUP"}, {CL_UP, ""},
		{CL_DOWN_SENT, "ASPDN"}},
	[CLE_GIVE_UP] = {{CL_IDLE, ""}, {CL_IDLE, "<abort: no answer within T(ack)>"}, {CL_REFUSED, ""},
		{CL_UP, ""}, {CL_IDLE, "<shutdown>"}},
	[CLE_UP_ACK] = {{CL_UP, "ASPAC tmt=2 rc=50"}, {CL_UP, "ASPAC tmt=2 rc=50"},
		{CL_UP, "ASPAC tmt=2 rc=50"}, {CL_UP, ""}, {CL_DOWN_SENT, ""}},
	[CLE_DOWN_ACK] = {{CL_IDLE, ""}, {CL_UP_SENT, ""}, {CL_REFUSED, ""}, {CL_IDLE, ""},
		{CL_IDLE, "<shutdown>"}},
	[CLE_ERROR] = {{CL_IDLE, ""}, {CL_REFUSED, ""}, {CL_REFUSED, ""}, {CL_UP, ""},
		{CL_IDLE, "<shutdown>"}},
	[CLE_STOP] = {{CL_IDLE, "<shutdown>"}, {CL_IDLE, "<shutdown>"}, {CL_IDLE, "<shutdown>"},
		{CL_UP, ""}, /* client_stop() has not said that it leaves */
		{CL_DOWN_SENT, ""}},
	[CLE_QUIET] = {{CL_IDLE, ""}, {CL_UP_SENT, ""}, {CL_REFUSED, ""}, {CL_DOWN_SENT, "ASPDN"},
		{CL_DOWN_SENT, ""}},
	[CLE_LOST] = {{CL_IDLE, ""}, {CL_IDLE, ""}, {CL_IDLE, ""}, {CL_IDLE, ""}, {CL_IDLE, ""}},
	[CLE_PEER_UP] = {{CL_UP, "ASPAC tmt=2 rc=50"}, {CL_UP, "ASPAC tmt=2 rc=50"},
		{CL_UP, "ASPAC tmt=2 rc=50"}, {CL_UP, ""}, {CL_DOWN_SENT, ""}},
	[CLE_PEER_DOWN] = {{CL_IDLE, ""}, {CL_UP_SENT, ""}, {CL_REFUSED, ""}, {CL_IDLE, ""},
		{CL_IDLE, "<shutdown>"}},
};

static struct rig *rig_of_sg(struct assoc **a, bool registers)
{
	struct rig *r = rig_new();
	struct asp_conf *c = rig_asp(r, "sg-1", "127.0.0.9");
	struct as_conf *as = rig_as(r, "at-sg", 50, 55, FWD_LOADSHARE);

	c->role = ROLE_ASP;
	c->registers = registers;
	rig_member(r, as, "sg-1");
	rig_start(r);
	*a = rig_connect(r, "sg-1");
	rig_forget(r);
	return r;
}

static void every_cell_with_a_peer(void **state)
{
	(void)state;
	for (unsigned e = 0; e < CLE_EVENTS; e++)
		for (unsigned s = 0; s < CL_STATES; s++) {
			const struct cell *c = &with_peer[e][s];
			struct assoc *a;
			struct rig *r = rig_of_sg(&a, false);
			struct asp *asp = sg_asp_by_name(r->sg, "sg-1");

			osmo_timer_del(&asp->client.timer);
			asp->client.state = (enum client_state)s;
			asp->up = s == CL_UP || s == CL_DOWN_SENT;
			client_event(asp, (enum client_event)e, NULL, "a test");
			sg_settle(r->sg);
			rig_expect(a, c->sent);
			assert_int_equal(asp->client.state, c->next);
			if (c->next != s)
				assert_string_equal(asp->client.reason, "a test");
			assert_int_equal(client_fsm[s][e].next, c->next);
			rig_free(r);
		}
}

/* ---- in an AS ---- */

#define AC "ASPAC tmt=2 rc=50"
#define IA "ASPIA rc=50"
#define RQ "REG_REQ rk={ lrk=2 rc=50 tmt=2 dpc=55 }"
#define DQ "DEREG_REQ rc=50"
#define REG_SAME                                                                                             \
	{CA_REG_SENT, ""}, {CA_REG_WAIT, ""},                                                                \
	{                                                                                                    \
		CA_DEREG_SENT, ""                                                                            \
	}

static const struct cell in_as[CAE_EVENTS][CA_STATES] = {
	/* idle, active-sent, waiting, standby, active, inactive-sent, registration-sent, unregistered,
	 * deregistration-sent */
	[CAE_GO] = {{CA_ACTIVE_SENT, AC}, {CA_ACTIVE_SENT, ""}, {CA_ACTIVE_SENT, AC}, {CA_ACTIVE_SENT, AC},
		{CA_ACTIVE, ""}, {CA_ACTIVE_SENT, AC}, REG_SAME},
	[CAE_LATER] = {{CA_WAIT, ""}, {CA_ACTIVE_SENT, ""}, {CA_WAIT, ""}, {CA_STANDBY, ""}, {CA_ACTIVE, ""},
		{CA_WAIT, ""}, REG_SAME},
	[CAE_TIMER] = {{CA_IDLE, ""}, {CA_ACTIVE_SENT, AC}, {CA_ACTIVE_SENT, AC}, {CA_STANDBY, ""},
		{CA_ACTIVE, ""}, {CA_INACTIVE_SENT, IA}, {CA_REG_SENT, RQ}, {CA_REG_SENT, RQ},
		{CA_DEREG_SENT, DQ}},
	[CAE_GIVE_UP] = {{CA_IDLE, ""}, {CA_WAIT, "<abort: no answer within T(ack)>"}, {CA_WAIT, ""},
		{CA_STANDBY, ""}, {CA_ACTIVE, ""}, {CA_IDLE, ""},
		{CA_REG_WAIT, "<abort: no answer within T(ack)>"}, {CA_REG_WAIT, ""}, {CA_IDLE, ""}},
	[CAE_ACTIVE_ACK] = {{CA_INACTIVE_SENT, IA}, {CA_ACTIVE, ""}, {CA_ACTIVE, ""}, {CA_ACTIVE, ""},
		{CA_ACTIVE, ""}, {CA_INACTIVE_SENT, ""}, REG_SAME},
	[CAE_INACTIVE_ACK] = {{CA_IDLE, ""}, {CA_ACTIVE_SENT, ""}, {CA_WAIT, ""}, {CA_STANDBY, ""},
		{CA_WAIT, ""}, {CA_IDLE, ""}, REG_SAME},
	[CAE_ERROR] = {{CA_IDLE, ""}, {CA_WAIT, ""}, {CA_WAIT, ""}, {CA_STANDBY, ""}, {CA_ACTIVE, ""},
		{CA_IDLE, ""}, {CA_REG_WAIT, ""}, {CA_REG_WAIT, ""}, {CA_IDLE, ""}},
	[CAE_STOP] = {{CA_IDLE, ""}, {CA_INACTIVE_SENT, IA}, {CA_IDLE, ""}, {CA_IDLE, ""},
		{CA_INACTIVE_SENT, IA}, {CA_INACTIVE_SENT, ""}, {CA_IDLE, ""}, {CA_IDLE, ""},
		{CA_DEREG_SENT, ""}},
	[CAE_LOST] = {{CA_IDLE, ""}, {CA_IDLE, ""}, {CA_IDLE, ""}, {CA_IDLE, ""}, {CA_IDLE, ""},
		{CA_IDLE, ""}, {CA_IDLE, ""}, {CA_IDLE, ""}, {CA_IDLE, ""}},
	[CAE_FALL_BACK] = {{CA_IDLE, ""}, {CA_ACTIVE_SENT, ""}, {CA_WAIT, ""}, {CA_STANDBY, ""},
		{CA_WAIT, ""}, {CA_INACTIVE_SENT, ""}, REG_SAME},
	[CAE_OVERRIDDEN] = {{CA_STANDBY, ""}, {CA_ACTIVE_SENT, ""}, {CA_STANDBY, ""}, {CA_STANDBY, ""},
		{CA_STANDBY, ""}, {CA_INACTIVE_SENT, ""}, REG_SAME},
	[CAE_NEEDED] = {{CA_IDLE, ""}, {CA_ACTIVE_SENT, ""}, {CA_WAIT, ""}, {CA_ACTIVE_SENT, AC},
		{CA_ACTIVE, ""}, {CA_INACTIVE_SENT, ""}, REG_SAME},
	[CAE_PEER_ACTIVE] = {{CA_ACTIVE, ""}, {CA_ACTIVE, ""}, {CA_ACTIVE, ""}, {CA_ACTIVE, ""},
		{CA_ACTIVE, ""}, {CA_ACTIVE, ""}, REG_SAME},
	[CAE_PEER_INACTIVE] = {{CA_IDLE, ""}, {CA_ACTIVE_SENT, ""}, {CA_WAIT, ""}, {CA_STANDBY, ""},
		{CA_WAIT, ""}, {CA_IDLE, ""}, REG_SAME},
	[CAE_REGISTER] = {{CA_REG_SENT, RQ}, {CA_ACTIVE_SENT, ""}, {CA_REG_SENT, RQ}, {CA_STANDBY, ""},
		{CA_ACTIVE, ""}, {CA_INACTIVE_SENT, ""}, {CA_REG_SENT, ""}, {CA_REG_SENT, RQ},
		{CA_DEREG_SENT, ""}},
	[CAE_REGISTERED] = {{CA_IDLE, ""}, {CA_ACTIVE_SENT, ""}, {CA_WAIT, ""}, {CA_STANDBY, ""},
		{CA_ACTIVE, ""}, {CA_INACTIVE_SENT, ""}, {CA_ACTIVE_SENT, AC}, {CA_ACTIVE_SENT, AC},
		{CA_DEREG_SENT, ""}},
	[CAE_UNSUPPORTED] = {{CA_IDLE, ""}, {CA_ACTIVE_SENT, ""}, {CA_WAIT, ""}, {CA_STANDBY, ""},
		{CA_ACTIVE, ""}, {CA_INACTIVE_SENT, ""}, {CA_REG_WAIT, ""}, {CA_REG_WAIT, ""}, {CA_IDLE, ""}},
	[CAE_DEREGISTER] = {{CA_DEREG_SENT, DQ}, {CA_ACTIVE_SENT, ""}, {CA_WAIT, ""}, {CA_STANDBY, ""},
		{CA_ACTIVE, ""}, {CA_INACTIVE_SENT, ""}, {CA_REG_SENT, ""}, {CA_REG_WAIT, ""},
		{CA_DEREG_SENT, ""}},
	[CAE_DEREGISTERED] = {{CA_IDLE, ""}, {CA_ACTIVE_SENT, ""}, {CA_WAIT, ""}, {CA_STANDBY, ""},
		{CA_ACTIVE, ""}, {CA_INACTIVE_SENT, ""}, {CA_REG_SENT, ""}, {CA_REG_WAIT, ""}, {CA_IDLE, ""}},
};

static bool receives_in(unsigned s)
{
	return s == CA_ACTIVE_SENT || s == CA_ACTIVE || s == CA_INACTIVE_SENT;
}

static void every_cell_in_an_as(void **state)
{
	(void)state;
	for (unsigned e = 0; e < CAE_EVENTS; e++)
		for (unsigned s = 0; s < CA_STATES; s++) {
			const struct cell *c = &in_as[e][s];
			struct assoc *a;
			struct rig *r = rig_of_sg(&a, true);
			struct as_asp *m =
				llist_first_entry(&sg_asp_by_name(r->sg, "sg-1")->ass, struct as_asp, in_asp);
			bool settled =
				e != CAE_PEER_ACTIVE; /* its handler moves the member, not this machine */

			rig_say(r, a, "ASPUP_ACK");
			rig_say(r, a, "REG_RSP result={ lrk=1 status=0 rc=50 }");
			rig_say(r, a, "ASPAC_ACK rc=50");
			rig_forget(r);
			assert_int_equal(m->state, ASP_ACTIVE);
			if (s != CA_ACTIVE)
				asp_transition(m, ASPE_INACTIVE, "a test");
			m->client.state = (enum client_as_state)s;
			client_as_event(m, (enum client_as_event)e, "a test");
			sg_settle(r->sg);
			rig_expect_after_grace(r, a, c->sent);
			assert_int_equal(m->client.state, c->next);
			assert_int_equal(client_as_fsm[s][e].next, c->next);
			if (settled && c->next != CA_IDLE && e != CAE_PEER_INACTIVE)
				assert_int_equal(m->state, c->next == CA_ACTIVE ? ASP_ACTIVE : ASP_INACTIVE);
			if (c->next != CA_STANDBY) /* lingers: sg_settle.c */
				assert_int_equal(client_receives(m), receives_in(c->next));
			rig_free(r);
		}
}

static void states_have_names(void **state)
{
	(void)state;
	for (unsigned s = 0; s < CL_STATES; s++)
		assert_string_not_equal(client_state_name((enum client_state)s), "?");
	for (unsigned s = 0; s < CA_STATES; s++)
		assert_string_not_equal(client_as_state_name((enum client_as_state)s), "?");
	assert_string_equal(client_state_name(CL_STATES), "?");
	assert_string_equal(client_as_state_name(CA_STATES), "?");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_cell_with_a_peer),
		cmocka_unit_test(every_cell_in_an_as),
		cmocka_unit_test(states_have_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
