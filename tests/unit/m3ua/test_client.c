/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The gateway as an ASP of another SG, message by message (RFC 4666 s.4.3.4 at the ASP). */
#include <stdio.h>
#include <string.h>

#include "m3ua/client.h"
#include "rig.h"

#define AC50 "ASPAC tmt=2 rc=50"

/* sg-1 and sg-2 are SGPs of one SG, where the gateway is in at-sg (50, loadshare) and in more (60, override).
 */
static struct rig *rig_of_sg(void)
{
	struct rig *r = rig_new();

	rig_asp(r, "sg-1", "127.0.0.9")->role = ROLE_ASP;
	rig_asp(r, "sg-2", "127.0.0.10")->role = ROLE_ASP;
	rig_as(r, "at-sg", 50, 55, FWD_LOADSHARE);
	rig_as(r, "more", 60, 66, FWD_OVERRIDE);
	rig_member(r, rig_as_conf(r, "at-sg"), "sg-1");
	rig_member(r, rig_as_conf(r, "at-sg"), "sg-2");
	rig_member(r, rig_as_conf(r, "more"), "sg-1");
	rig_start(r);
	return r;
}

/* sg-2, which is in at-sg alone, acknowledges all it is asked. */
static struct assoc *serving(struct rig *r)
{
	struct assoc *a = rig_connect(r, "sg-2");

	rig_say(r, a, "ASPUP_ACK");
	rig_say(r, a, "ASPAC_ACK tmt=2 rc=50");
	rig_forget(r);
	assert_int_equal(rig_state(r, "at-sg", "sg-2"), ASP_ACTIVE);
	return a;
}

static enum client_as_state client_state(struct rig *r, const char *as, const char *asp)
{
	struct as_asp *m;

	llist_for_each_entry (m, &sg_as_by_name(r->sg, as)->asps, in_as)
		if (!strcmp(m->asp->name, asp))
			return m->client.state;
	fail();
	return CA_IDLE;
}

static void handshake_begins_with_the_association(void **state)
{
	struct rig *r = rig_of_sg();
	struct assoc *a = rig_connect(r, "sg-1");

	(void)state;
	rig_expect(a, "ASPUP");
	assert_int_equal(rig_state(r, "at-sg", "sg-1"), ASP_DOWN);
	rig_say(r, a, "ASPUP_ACK");
	rig_expect(a, AC50 "\nASPAC tmt=1 rc=60");
	assert_int_equal(rig_as_state(r, "at-sg"), AS_INACTIVE);
	rig_say(r, a, "NTFY st=1/2 rc=50");
	rig_say(r, a, "ASPAC_ACK tmt=2 rc=50");
	assert_int_equal(rig_as_state(r, "at-sg"), AS_ACTIVE);
	assert_int_equal(rig_as_state(r, "more"), AS_INACTIVE);
	rig_say(r, a, "ASPAC_ACK tmt=1 rc=60");
	rig_expect(a, ""); /* an SGP is told nothing: no NTFY, no SSNM */
	assert_int_equal(rig_as_state(r, "more"), AS_ACTIVE);
	assert_true(rig_accepts(r, a, 50));
	assert_true(rig_accepts(r, a, 60));
	rig_pass_ms(r, 60000);
	rig_expect(a, "");
	rig_free(r);
}

static void one_acknowledgement_may_be_for_several(void **state)
{
	struct rig *r = rig_of_sg();
	struct assoc *a = rig_connect(r, "sg-1");

	(void)state;
	rig_say(r, a, "ASPUP_ACK");
	rig_forget(r);
	rig_say(r, a, "ASPAC_ACK rc=60,50");
	assert_int_equal(rig_as_state(r, "more"), AS_ACTIVE);
	assert_int_equal(rig_as_state(r, "at-sg"), AS_ACTIVE);
	rig_expect(a, "");
	rig_free(r);
}

/* Tolerated: a peer that leaves the Routing Context out, or names one too many. */
static void acknowledgements_with_the_wrong_contexts(void **state)
{
	struct rig *r = rig_of_sg();
	struct assoc *a = rig_connect(r, "sg-1"), *b = rig_connect(r, "sg-2");

	(void)state;
	rig_say(r, a, "ASPUP_ACK");
	rig_say(r, b, "ASPUP_ACK");
	rig_forget(r);
	rig_say(r, a, "ASPAC_ACK");
	assert_int_equal(rig_state(r, "at-sg", "sg-1"), ASP_ACTIVE);
	assert_int_equal(rig_state(r, "more", "sg-1"), ASP_ACTIVE);
	rig_say(r, b, "ASPAC_ACK rc=60,50,99");
	rig_expect(b, "ERR err=25 rc=60,99");
	assert_int_equal(rig_state(r, "at-sg", "sg-2"), ASP_ACTIVE);
	rig_free(r);
}

static void identifier_is_presented(void **state)
{
	struct rig *r = rig_new();
	struct asp_conf *c = rig_asp(r, "sg-1", "127.0.0.9");

	(void)state;
	c->role = ROLE_ASP;
	c->has_send_id = true;
	c->send_id = 77;
	rig_start(r);
	rig_expect(rig_connect(r, "sg-1"), "ASPUP asp=77");
	rig_free(r);
}

static void the_client_side_asks_too(void **state)
{
	struct rig *r = rig_new();
	struct asp_conf *c = rig_asp(r, "sg-1", "127.0.0.9");
	struct assoc *a;

	(void)state;
	c->role = ROLE_ASP;
	c->side = ASP_CLIENT;
	rig_member(r, rig_as(r, "at-sg", 50, 55, FWD_LOADSHARE), "sg-1");
	rig_start(r);
	a = fake_assoc(r->plane, "sg-1");
	rig_expect(a, "");
	fake_up(r->plane, a);
	rig_expect(a, "ASPUP");
	/* lost, and connected again: from the start */
	rig_say(r, a, "ASPUP_ACK");
	rig_say(r, a, "ASPAC_ACK rc=50");
	fake_down(r->plane, a, "gone");
	rig_pass_ms(r, 1000);
	assert_ptr_not_equal(fake_assoc(r->plane, "sg-1"), a);
	a = fake_assoc(r->plane, "sg-1");
	fake_up(r->plane, a);
	rig_expect(a, "ASPUP");
	rig_free(r);
}

static void t_ack_repeats_and_then_aborts(void **state)
{
	struct rig *r = rig_of_sg();
	struct assoc *a = rig_connect(r, "sg-2");

	(void)state;
	rig_pass_ms(r, 1999);
	rig_expect(a, "ASPUP");
	rig_pass_ms(r, 1);
	rig_expect(a, "ASPUP");
	rig_pass_ms(r, 4000);
	rig_expect(a, "ASPUP\nASPUP");
	rig_pass_ms(r, 2000);
	rig_expect(a, "<abort: no answer within T(ack)>");
	fake_down(r->plane, a, "aborted");
	a = rig_connect(r, "sg-2");
	rig_expect(a, "ASPUP");
	rig_say(r, a, "ASPUP_ACK");
	rig_pass_ms(r, 6000);
	rig_expect(a, AC50 "\n" AC50 "\n" AC50 "\n" AC50);
	rig_pass_ms(r, 2000);
	rig_expect(a, "<abort: no answer within T(ack)>");
	rig_free(r);
}

/* One AS that the SG does not acknowledge must not take down another that works. */
static void silence_about_one_as_does_not_disturb_another(void **state)
{
	struct rig *r = rig_of_sg();
	struct assoc *a = rig_connect(r, "sg-1");

	(void)state;
	rig_say(r, a, "ASPUP_ACK");
	rig_say(r, a, "ASPAC_ACK rc=50");
	rig_forget(r);
	rig_pass_ms(r, 8000);
	rig_expect(a, "ASPAC tmt=1 rc=60\nASPAC tmt=1 rc=60\nASPAC tmt=1 rc=60");
	assert_int_equal(client_state(r, "more", "sg-1"), CA_WAIT);
	rig_pass_ms(r, 20000);
	rig_expect(a, "ASPAC tmt=1 rc=60");
	assert_int_equal(rig_as_state(r, "at-sg"), AS_ACTIVE);
	rig_free(r);
}

static void endless_retries_back_off(void **state)
{
	struct rig *r = rig_of_sg();
	struct assoc *a;

	(void)state;
	rig_asp_conf(r, "sg-2")->t_ack_retries = 0;
	a = rig_connect(r, "sg-2");
	rig_forget(r);
	for (unsigned ms = 2000; ms <= 32000; ms *= 2) {
		rig_pass_ms(r, ms - 1);
		rig_expect(a, "");
		rig_pass_ms(r, 1);
		rig_expect(a, "ASPUP");
	}
	rig_pass_ms(r, 31999);
	rig_expect(a, "");
	rig_pass_ms(r, 1);
	rig_expect(a, "ASPUP");
	rig_free(r);
}

static void an_error_stops_the_retries(void **state)
{
	struct rig *r = rig_of_sg();
	struct assoc *a = rig_connect(r, "sg-1");
	struct asp *asp = sg_asp_by_name(r->sg, "sg-1");

	(void)state;
	rig_forget(r);
	rig_say(r, a, "ERR err=13");
	assert_int_equal(asp->client.state, CL_REFUSED);
	assert_int_equal(asp->client.error.code, 13);
	rig_pass_ms(r, 19999);
	rig_expect(a, "");
	rig_pass_ms(r, 1);
	rig_expect(a, "ASPUP");
	rig_say(r, a, "ASPUP_ACK");
	rig_forget(r);
	/* which AS it is about: the Routing Context says */
	rig_say(r, a, "ERR err=26 rc=60");
	assert_int_equal(client_state(r, "more", "sg-1"), CA_WAIT);
	assert_int_equal(client_state(r, "at-sg", "sg-1"), CA_ACTIVE_SENT);
	rig_say(r, a, "ASPAC_ACK rc=50");
	rig_pass_ms(r, 19999);
	rig_expect(a, "");
	rig_pass_ms(r, 1);
	rig_expect(a, "ASPAC tmt=1 rc=60");
	rig_free(r);
}

/* ERR with the beginning of MESSAGE as Diagnostic Information. */
static void complain(struct rig *r, struct assoc *a, enum m3ua_error code, const char *message)
{
	uint8_t at_fault[256], err[256];
	uint32_t len = rig_encode(at_fault, sizeof(at_fault), message);
	struct wr w = wr_over(err, sizeof(err));

	m3ua_begin(&w, M3UA_ERR);
	m3ua_put_u32(&w, M3UA_P_ERROR_CODE, code);
	m3ua_put_bytes(&w, M3UA_P_DIAGNOSTIC, at_fault, len < 40 ? len : 40);
	fake_rx(r->plane, a, 0, err, m3ua_end(&w));
}

static void an_error_is_about_what_its_diagnostic_shows(void **state)
{
	struct rig *r = rig_of_sg();
	struct assoc *a = rig_connect(r, "sg-1");

	(void)state;
	complain(r, a, M3UA_E_UNEXPECTED, "ASPIA rc=50");
	assert_int_equal(sg_asp_by_name(r->sg, "sg-1")->client.state, CL_UP_SENT);
	rig_say(r, a, "ASPUP_ACK");
	complain(r, a, M3UA_E_UNEXPECTED, "ASPUP"); /* an SGP that believed it active: s.4.3.4.1 */
	assert_int_equal(client_state(r, "at-sg", "sg-1"), CA_ACTIVE_SENT);
	complain(r, a, M3UA_E_REFUSED, "ASPAC tmt=2 rc=50");
	assert_int_equal(client_state(r, "at-sg", "sg-1"), CA_WAIT);
	assert_int_equal(client_state(r, "more", "sg-1"), CA_ACTIVE_SENT);
	rig_say(r, a, "ASPAC_ACK rc=50"); /* late, and welcome */
	assert_int_equal(rig_state(r, "at-sg", "sg-1"), ASP_ACTIVE);
	rig_free(r);
}

/* s.4.3.4.2: "should then initiate procedures to return itself to its previous state". */
static void down_ack_out_of_the_blue(void **state)
{
	struct rig *r = rig_of_sg();
	struct assoc *a = serving(r);

	(void)state;
	rig_pass_ms(r, 5000);
	rig_say(r, a, "ASPDN_ACK");
	assert_int_equal(rig_state(r, "at-sg", "sg-2"), ASP_DOWN);
	assert_int_equal(rig_as_state(r, "at-sg"), AS_PENDING);
	rig_pass_ms(r, 1);
	rig_expect(a, "ASPUP");
	rig_say(r, a, "ASPUP_ACK");
	rig_say(r, a, "ASPAC_ACK rc=50");
	rig_expect(a, AC50);
	assert_int_equal(rig_as_state(r, "at-sg"), AS_ACTIVE);
	/* an SGP that does so all the time is not asked all the time */
	rig_say(r, a, "ASPDN_ACK");
	rig_pass_ms(r, 1999);
	rig_expect(a, "");
	rig_pass_ms(r, 1);
	rig_expect(a, "ASPUP");
	rig_free(r);
}

/* s.4.3.4.4, for one of two ASs. */
static void inactive_ack_out_of_the_blue(void **state)
{
	struct rig *r = rig_of_sg();
	struct assoc *a = rig_connect(r, "sg-1");

	(void)state;
	rig_say(r, a, "ASPUP_ACK");
	rig_say(r, a, "ASPAC_ACK rc=50,60");
	rig_forget(r);
	rig_pass_ms(r, 5000);
	rig_say(r, a, "ASPIA_ACK rc=50");
	assert_int_equal(rig_state(r, "at-sg", "sg-1"), ASP_INACTIVE);
	assert_int_equal(rig_state(r, "more", "sg-1"), ASP_ACTIVE);
	assert_false(rig_accepts(r, a, 50));
	rig_pass_ms(r, 1);
	rig_expect(a, AC50);
	rig_free(r);
}

/* s.4.3.4.1: Error, and back. */
static void up_ack_out_of_the_blue(void **state)
{
	struct rig *r = rig_of_sg();
	struct assoc *a = serving(r);

	(void)state;
	rig_pass_ms(r, 5000);
	rig_say(r, a, "ASPUP_ACK");
	assert_int_equal(rig_state(r, "at-sg", "sg-2"), ASP_INACTIVE);
	rig_pass_ms(r, 1);
	rig_expect(a, "ERR err=6\n" AC50);
	/* inactive already: nothing to say */
	rig_say(r, a, "ASPUP_ACK");
	rig_expect(a, "");
	rig_free(r);
}

static void an_overridden_asp_stands_by(void **state)
{
	struct rig *r = rig_of_sg();
	struct assoc *a = serving(r);

	(void)state;
	rig_say(r, a, "NTFY st=2/2 rc=50");
	assert_int_equal(rig_state(r, "at-sg", "sg-2"), ASP_INACTIVE);
	rig_pass_ms(r, 100000);
	rig_expect(a, "");
	rig_say(r, a, "NTFY st=1/3 rc=50");
	rig_expect(a, "");
	rig_say(r, a, "NTFY st=1/4 rc=50"); /* the other one has left */
	rig_expect(a, AC50);
	rig_say(r, a, "ASPAC_ACK rc=50");
	assert_int_equal(rig_state(r, "at-sg", "sg-2"), ASP_ACTIVE);
	rig_free(r);
}

static void notifications_are_remembered(void **state)
{
	struct rig *r = rig_of_sg();
	struct assoc *a = rig_connect(r, "sg-1");
	struct as_asp *m = llist_first_entry(&sg_as_by_name(r->sg, "more")->asps, struct as_asp, in_as);

	(void)state;
	rig_say(r, a, "NTFY st=1/2");
	rig_expect(a, "ASPUP\nERR err=6"); /* before the ASPUP ACK */
	rig_say(r, a, "ASPUP_ACK");
	rig_forget(r);
	rig_say(r, a, "NTFY st=1/2");
	assert_int_equal(m->client.told, M3UA_AS_INACTIVE);
	rig_say(r, a, "NTFY st=1/3 rc=60");
	assert_int_equal(m->client.told, M3UA_AS_ACTIVE);
	rig_say(r, a, "NTFY st=1/4 rc=60,61");
	rig_expect(a, "ERR err=25 rc=61");
	assert_int_equal(m->client.told, M3UA_AS_ACTIVE); /* of a bad message nothing counts */
	rig_say(r, a, "NTFY st=2/3 asp=4 rc=60");
	rig_say_on(r, a, 1, "NTFY st=1/4"); /* s.1.4.7: on any stream */
	rig_expect(a, "");
	assert_int_equal(m->client.told, M3UA_AS_PENDING);
	rig_free(r);
}

/* s.4.3.4.3: "It is possible for the ASP to receive Data messages before the ASP Active Ack message". */
static void data_is_accepted_before_the_acknowledgement(void **state)
{
	struct rig *r = rig_of_sg();
	struct assoc *a = rig_connect(r, "sg-2");

	(void)state;
	rig_say(r, a, "ASPUP_ACK");
	assert_true(rig_accepts(r, a, 50));
	assert_int_equal(rig_table_as(r, "at-sg")->n_slots, 0); /* but none is sent */
	assert_non_null(strstr(fake_journal(r->plane), "table\nsg-2 " AC50));
	rig_say(r, a, "ERR err=13 rc=50");
	assert_false(rig_accepts(r, a, 50));
	rig_free(r);
}

static void blocking_takes_the_gateway_out_of_the_as(void **state)
{
	struct rig *r = rig_of_sg();
	struct assoc *a = serving(r);
	struct asp *asp = sg_asp_by_name(r->sg, "sg-2");

	(void)state;
	asp_block(asp, true);
	rig_expect(a, ""); /* behind the last DATA */
	assert_int_equal(rig_table_as(r, "at-sg")->n_slots, 0);
	rig_expect_after_grace(r, a, "ASPIA rc=50");
	assert_true(rig_accepts(r, a, 50)); /* DATA may be under way */
	rig_say(r, a, "ASPIA_ACK rc=50");
	assert_false(rig_accepts(r, a, 50));
	assert_int_equal(rig_state(r, "at-sg", "sg-2"), ASP_INACTIVE);
	rig_say(r, a, "NTFY st=1/4 rc=50"); /* a blocked one does not come when it is called */
	rig_pass_ms(r, 60000);
	rig_expect(a, "");
	asp_block(asp, false);
	rig_expect(a, AC50);
	rig_free(r);
}

static void inactive_is_repeated_until_acknowledged(void **state)
{
	struct rig *r = rig_of_sg();
	struct assoc *a = serving(r);

	(void)state;
	asp_block(sg_asp_by_name(r->sg, "sg-2"), true);
	fake_grace(r->plane);
	rig_pass_ms(r, 6000);
	rig_expect(a, "ASPIA rc=50\nASPIA rc=50\nASPIA rc=50\nASPIA rc=50");
	rig_pass_ms(r, 2000);
	rig_expect(a, "");
	assert_int_equal(client_state(r, "at-sg", "sg-2"), CA_IDLE);
	rig_free(r);
}

static void a_blocked_one_comes_up_and_no_further(void **state)
{
	struct rig *r = rig_of_sg();
	struct assoc *a;

	(void)state;
	asp_block(sg_asp_by_name(r->sg, "sg-2"), true);
	a = rig_connect(r, "sg-2");
	rig_say(r, a, "ASPUP_ACK");
	rig_expect(a, "ASPUP");
	assert_int_equal(rig_state(r, "at-sg", "sg-2"), ASP_INACTIVE);
	rig_say(r, a, "ASPAC_ACK rc=50"); /* which nobody asked for */
	rig_expect(a, "ASPIA rc=50");
	rig_free(r);
}

static void a_restart_begins_anew(void **state)
{
	struct rig *r = rig_of_sg();
	struct assoc *a = serving(r);

	(void)state;
	fake_event(r->plane, a, PE_RESTART, 0, NULL);
	rig_expect(a, "ASPUP");
	assert_int_equal(rig_state(r, "at-sg", "sg-2"), ASP_DOWN);
	rig_say(r, a, "ASPUP_ACK");
	rig_expect(a, AC50);
	rig_free(r);
}

static bool done;

static void on_done(void *arg)
{
	(void)arg;
	done = true;
}

static void leave_takes_every_step(void **state)
{
	struct rig *r = rig_of_sg();
	struct assoc *a = serving(r);

	(void)state;
	done = false;
	sg_shutdown(r->sg, 5000, on_done, NULL);
	rig_expect_after_grace(r, a, "ASPIA rc=50");
	rig_say(r, a, "ASPIA_ACK rc=50");
	rig_expect(a, "ASPDN");
	rig_say(r, a, "ASPDN_ACK");
	rig_expect(a, "<shutdown>");
	assert_int_equal(rig_state(r, "at-sg", "sg-2"), ASP_DOWN);
	fake_down(r->plane, a, "shutdown");
	rig_pass_ms(r, 1);
	assert_true(done);
	rig_free(r);
}

static void a_silent_peer_does_not_delay_the_leave(void **state)
{
	struct rig *r = rig_of_sg();
	struct assoc *a = serving(r);

	(void)state;
	sg_shutdown(r->sg, 5000, on_done, NULL);
	rig_expect_after_grace(r, a, "ASPIA rc=50");
	rig_pass_ms(r, 2000);
	rig_expect(a, "ASPDN");
	rig_pass_ms(r, 2000);
	rig_expect(a, "<shutdown>");
	rig_free(r);
}

/* A member that a reload adds, or takes away, while the peer is up. */
static void locking_where_the_gateway_asks_leaves_and_keeps_away(void **state)
{
	struct rig *r = rig_of_sg();
	struct assoc *a = serving(r);
	struct asp *asp = sg_asp_by_name(r->sg, "sg-2");

	(void)state;
	asp_lock(asp, true);
	rig_expect_after_grace(r, a, "ASPIA rc=50");
	rig_say(r, a, "ASPIA_ACK rc=50");
	rig_expect(a, "ASPDN");
	rig_say(r, a, "ASPDN_ACK");
	rig_expect(a, "<shutdown>");
	fake_down(r->plane, a, "shutdown");
	assert_null(fake_arrive(r->plane, "asps", "127.0.0.10", 5000));
	asp_lock(asp, false);
	serving(r);
	rig_free(r);
}

static void a_locked_client_connects_again_when_unlocked(void **state)
{
	struct rig *r = rig_new();
	struct asp_conf *c = rig_asp(r, "sg-1", "127.0.0.9");
	struct assoc *a;
	struct asp *asp;

	(void)state;
	c->role = ROLE_ASP;
	c->side = ASP_CLIENT;
	rig_start(r);
	asp = sg_asp_by_name(r->sg, "sg-1");
	a = fake_assoc(r->plane, "sg-1");
	fake_up(r->plane, a);
	rig_expect(a, "ASPUP");
	rig_say(r, a, "ASPUP_ACK");
	asp_lock(asp, true);
	rig_expect(a, "ASPDN");
	rig_say(r, a, "ASPDN_ACK");
	rig_expect(a, "<shutdown>");
	fake_down(r->plane, a, "shutdown");
	rig_pass_ms(r, 600000);
	assert_ptr_equal(fake_assoc(r->plane, "sg-1"), a); /* the old one: it has not tried */
	asp_restart(asp);
	assert_null(asp->assoc);
	asp_lock(asp, false);
	assert_ptr_not_equal(fake_assoc(r->plane, "sg-1"), a);
	rig_free(r);
}

static void reload_changes_the_as_of_an_sgp(void **state)
{
	struct rig *r = rig_of_sg();
	struct assoc *a = serving(r);
	struct sg_conf conf = r->conf;

	(void)state;
	rig_member(r, rig_as_conf(r, "more"), "sg-2");
	sg_apply(r->sg, &conf, NULL, 0);
	rig_expect(a, "ASPAC tmt=1 rc=60");
	rig_say(r, a, "ASPAC_ACK rc=60");
	rig_as_conf(r, "more")->n_asps = 1;
	sg_apply(r->sg, &r->conf, NULL, 0);
	rig_expect_after_grace(r, a, "ASPIA rc=60");
	rig_say(r, a, "ASPIA_ACK rc=60");
	rig_expect(a, "");
	assert_int_equal(rig_state(r, "at-sg", "sg-2"), ASP_ACTIVE);
	rig_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(handshake_begins_with_the_association),
		cmocka_unit_test(one_acknowledgement_may_be_for_several),
		cmocka_unit_test(acknowledgements_with_the_wrong_contexts),
		cmocka_unit_test(identifier_is_presented),
		cmocka_unit_test(the_client_side_asks_too),
		cmocka_unit_test(t_ack_repeats_and_then_aborts),
		cmocka_unit_test(silence_about_one_as_does_not_disturb_another),
		cmocka_unit_test(endless_retries_back_off),
		cmocka_unit_test(an_error_stops_the_retries),
		cmocka_unit_test(an_error_is_about_what_its_diagnostic_shows),
		cmocka_unit_test(down_ack_out_of_the_blue),
		cmocka_unit_test(inactive_ack_out_of_the_blue),
		cmocka_unit_test(up_ack_out_of_the_blue),
		cmocka_unit_test(an_overridden_asp_stands_by),
		cmocka_unit_test(notifications_are_remembered),
		cmocka_unit_test(data_is_accepted_before_the_acknowledgement),
		cmocka_unit_test(blocking_takes_the_gateway_out_of_the_as),
		cmocka_unit_test(inactive_is_repeated_until_acknowledged),
		cmocka_unit_test(a_blocked_one_comes_up_and_no_further),
		cmocka_unit_test(a_restart_begins_anew),
		cmocka_unit_test(leave_takes_every_step),
		cmocka_unit_test(a_silent_peer_does_not_delay_the_leave),
		cmocka_unit_test(locking_where_the_gateway_asks_leaves_and_keeps_away),
		cmocka_unit_test(a_locked_client_connects_again_when_unlocked),
		cmocka_unit_test(reload_changes_the_as_of_an_sgp),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
