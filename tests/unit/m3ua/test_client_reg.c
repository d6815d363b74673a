/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The gateway registers its routing keys at another SG, message by message (RFC 4666 s.4.4 at the ASP). */
#include <stdio.h>
#include <string.h>
#include <talloc.h>

#include "data/fwd.h"
#include "m3ua/client.h"
#include "m3ua/rkm_key.h"
#include "rig.h"

#define RK1 "rk={ lrk=1 rc=50 tmt=2 dpc=55 }"
#define RK2 "rk={ lrk=2 tmt=1 dpc=66 }"

/* sg-1 is an SGP at which the gateway registers at-sg (proposing 50) and more (without a Routing Context). */
static struct rig *rig_of_sg(void)
{
	struct rig *r = rig_new();
	struct asp_conf *c = rig_asp(r, "sg-1", "127.0.0.9");

	c->role = ROLE_ASP;
	c->registers = true;
	rig_as(r, "at-sg", 50, 55, FWD_LOADSHARE);
	rig_as(r, "more", 0, 66, FWD_OVERRIDE)->has_rc = false;
	rig_member(r, rig_as_conf(r, "at-sg"), "sg-1");
	rig_member(r, rig_as_conf(r, "more"), "sg-1");
	return r;
}

static struct as_asp *member(struct rig *r, const char *as)
{
	return llist_first_entry(&sg_as_by_name(r->sg, as)->asps, struct as_asp, in_as);
}

/* Up, the request sent and not answered. */
static struct assoc *asked(struct rig *r)
{
	struct assoc *a;

	rig_start(r);
	a = rig_connect(r, "sg-1");
	rig_say(r, a, "ASPUP_ACK");
	rig_expect(a, "ASPUP\nREG_REQ " RK1 " " RK2);
	return a;
}

/* Both registered, as 700 and 800, and active. */
static struct assoc *serving(struct rig *r)
{
	struct assoc *a = asked(r);

	rig_say(r, a, "REG_RSP result={ lrk=1 status=0 rc=700 } result={ lrk=2 status=12 rc=800 }");
	rig_expect(a, "ASPAC tmt=2 rc=700\nASPAC tmt=1 rc=800");
	rig_say(r, a, "ASPAC_ACK rc=700,800");
	rig_expect(a, "");
	assert_int_equal(rig_state(r, "at-sg", "sg-1"), ASP_ACTIVE);
	assert_int_equal(rig_state(r, "more", "sg-1"), ASP_ACTIVE);
	return a;
}

static void what_the_peer_allocates_is_used(void **state)
{
	struct rig *r = rig_of_sg();
	struct assoc *a = serving(r);
	const struct fwd_as *as = rig_table_as(r, "at-sg");

	(void)state;
	assert_true(rig_accepts(r, a, 700));
	assert_true(rig_accepts(r, a, 800));
	assert_false(rig_accepts(r, a, 50)); /* was only proposed */
	assert_int_equal(as->n_slots, 1);
	assert_true(as->slots[0].has_rc);
	assert_int_equal(as->slots[0].rc, 700);
	assert_string_equal(member(r, "more")->client.reg.result, "Routing Key Already Registered");
	rig_free(r);
}

static void a_whole_key_is_written_in_the_order_of_the_standard(void **state)
{
	struct rig *r = rig_of_sg();
	struct as_conf *as = rig_as_conf(r, "at-sg");
	struct assoc *a;

	(void)state;
	r->networks[0].has_na = true;
	r->networks[0].na = 9;
	as->keys[0].si = (uint8_t[]){3, 5};
	as->keys[0].n_si = 2;
	as->keys[0].opc = (uint32_t[]){7, 8};
	as->keys[0].n_opc = 2;
	as->keys[1] = (struct key_conf){.dpc = 56};
	as->n_keys = 2;
	rig_start(r);
	a = rig_connect(r, "sg-1");
	rig_say(r, a, "ASPUP_ACK");
	rig_expect(a, "ASPUP\nREG_REQ rk={ lrk=1 rc=50 tmt=2 dpc=55 na=9 si=3,5 opc=7,8 dpc=56 } "
		      "rk={ lrk=2 tmt=1 dpc=66 na=9 }");
	assert_int_equal(rk_size(as->keys, 2), 4 + 4 * 8 + (8 + 8 + 12) + 8);
	rig_free(r);
}

static void answers_may_come_one_by_one_in_any_order(void **state)
{
	struct rig *r = rig_of_sg();
	struct assoc *a = asked(r);

	(void)state;
	rig_say(r, a, "REG_RSP result={ lrk=2 status=0 rc=800 }");
	rig_expect(a, "ASPAC tmt=1 rc=800");
	rig_say(r, a, "REG_RSP result={ lrk=9 status=0 rc=1 }"); /* nobody's */
	rig_expect(a, "");
	rig_say(r, a, "REG_RSP result={ lrk=1 status=0 rc=700 }");
	rig_expect(a, "ASPAC tmt=2 rc=700");
	rig_say(r, a, "REG_RSP result={ lrk=1 status=5 rc=0 }"); /* has been answered */
	rig_expect(a, "");
	assert_true(member(r, "at-sg")->client.reg.registered);
	rig_free(r);
}

static void every_failure_is_shown_and_tried_again_slowly(void **state)
{
	(void)state;
	for (uint32_t status = RKM_UNKNOWN_ERROR; status <= RKM_STATUSES; status++) {
		struct rig *r = rig_of_sg();
		struct assoc *a = asked(r);
		struct as_asp *m = member(r, "at-sg");
		uint32_t t_ack = m->asp->conf->t_ack_ms;
		char text[128];

		if (status == RKM_ALREADY_REGISTERED) {
			rig_free(r);
			continue;
		}
		snprintf(text, sizeof(text),
			"REG_RSP result={ lrk=1 status=%u rc=0 } result={ lrk=2 status=0 rc=800 }", status);
		rig_say(r, a, text);
		rig_expect(a, "ASPAC tmt=1 rc=800"); /* the other one is not concerned */
		rig_say(r, a, "ASPAC_ACK rc=800");
		assert_int_equal(m->client.state, CA_REG_WAIT);
		assert_int_equal(m->client.reg.refusals, 1);
		assert_non_null(m->client.reg.result);
		if (status < RKM_STATUSES)
			assert_string_equal(m->client.reg.result, rkm_status_name(status));
		rig_pass_ms(r, t_ack * 10 - 1);
		rig_expect(a, "");
		rig_pass_ms(r, 1);
		rig_expect(a, "REG_REQ rk={ lrk=3 rc=50 tmt=2 dpc=55 }");
		rig_free(r);
	}
}

static void a_context_that_another_as_has_is_refused(void **state)
{
	struct rig *r = rig_of_sg();
	struct assoc *a = asked(r);

	(void)state;
	rig_say(r, a, "REG_RSP result={ lrk=1 status=0 rc=7 } result={ lrk=2 status=0 rc=7 }");
	rig_expect(a, "ASPAC tmt=2 rc=7");
	assert_int_equal(member(r, "more")->client.state, CA_REG_WAIT);
	assert_int_equal(member(r, "more")->client.reg.refusals, 1);
	rig_free(r);
}

static void it_is_repeated_until_t_ack_is_exhausted(void **state)
{
	struct rig *r = rig_of_sg();
	struct asp_conf *c = rig_asp_conf(r, "sg-1");
	struct assoc *a;

	(void)state;
	c->t_ack_retries = 1;
	a = asked(r);
	rig_pass_ms(r, c->t_ack_ms);
	rig_expect(a, "REG_REQ " RK1 " " RK2);
	rig_pass_ms(r, c->t_ack_ms);
	rig_expect(a, "<abort: no answer within T(ack)>\n<abort: no answer within T(ack)>"); /* for each AS */
	rig_free(r);
}

static void a_peer_without_registration_is_not_asked_again(void **state)
{
	struct rig *r = rig_of_sg();
	struct assoc *a = asked(r);
	struct as_asp *m = member(r, "at-sg");

	(void)state;
	rig_say(r, a, "ERR err=3");
	assert_int_equal(m->client.state, CA_REG_WAIT);
	assert_int_equal(m->client.error.code, M3UA_E_UNSUPPORTED_CLASS);
	rig_pass_ms(r, 600000);
	rig_expect(a, "");
	rig_say(r, a, "ASPAC_ACK"); /* no answer to anything */
	rig_expect(a, "");
	/* unblocking is the operator's wish to try again */
	asp_block(m->asp, true);
	asp_block(m->asp, false);
	sg_settle(r->sg);
	rig_expect(a, "REG_REQ rk={ lrk=3 rc=50 tmt=2 dpc=55 } rk={ lrk=4 tmt=1 dpc=66 }");
	rig_free(r);
}

static void leaving_deregisters_behind_inactive(void **state)
{
	struct rig *r = rig_of_sg();
	struct assoc *a = serving(r);

	(void)state;
	client_stop(sg_asp_by_name(r->sg, "sg-1"), "a test");
	sg_settle(r->sg);
	rig_expect_after_grace(r, a, "ASPIA rc=700\nASPIA rc=800");
	rig_say(r, a, "ASPIA_ACK rc=700");
	rig_expect(a, "");
	rig_say(r, a, "ASPIA_ACK rc=800");
	rig_expect_after_grace(r, a, "DEREG_REQ rc=700,800");
	rig_say(r, a, "DEREG_RSP dresult={ rc=700 dstatus=0 }");
	rig_expect(a, "");
	rig_say(r, a, "DEREG_RSP dresult={ rc=800 dstatus=3 }");
	rig_expect_after_grace(r, a, "ASPDN");
	rig_free(r);
}

static void a_peer_silent_about_deregistration_delays_little(void **state)
{
	struct rig *r = rig_of_sg();
	struct assoc *a = serving(r);
	struct asp *asp = sg_asp_by_name(r->sg, "sg-1");

	(void)state;
	client_stop(asp, "a test");
	sg_settle(r->sg);
	rig_say(r, a, "ASPIA_ACK rc=700,800");
	rig_forget(r);
	rig_pass_ms(r, asp->conf->t_ack_ms);
	rig_expect_after_grace(r, a, "ASPDN");
	rig_free(r);
}

static void blocking_keeps_the_registration(void **state)
{
	struct rig *r = rig_of_sg();
	struct assoc *a = serving(r);
	struct asp *asp = sg_asp_by_name(r->sg, "sg-1");

	(void)state;
	asp_block(asp, true);
	sg_settle(r->sg);
	rig_expect_after_grace(r, a, "ASPIA rc=700\nASPIA rc=800");
	rig_say(r, a, "ASPIA_ACK rc=700,800");
	asp_block(asp, false);
	sg_settle(r->sg);
	rig_expect_after_grace(r, a, "ASPAC tmt=2 rc=700\nASPAC tmt=1 rc=800");
	rig_free(r);
}

/* s.4.3.4.1, s.4.3.4.2: the peer has forgotten the keys with each of these. */
static void what_ends_a_registration_begins_it_anew(void **state)
{
	static const char *const ends[][2] = {
		{"ASPUP_ACK", "ERR err=6\nREG_REQ rk={ lrk=3 rc=50 tmt=2 dpc=55 } rk={ lrk=4 tmt=1 dpc=66 }"},
		{"ASPDN_ACK", "ASPUP"},
	};

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct rig *r = rig_of_sg();
		struct assoc *a = serving(r);

		rig_pass_ms(r, 10000);
		rig_forget(r);
		rig_say(r, a, ends[i][0]);
		rig_pass_ms(r, 1);
		rig_expect_after_grace(r, a, ends[i][1]);
		assert_false(rig_accepts(r, a, 700));
		assert_int_not_equal(rig_state(r, "at-sg", "sg-1"), ASP_ACTIVE);
		rig_free(r);
	}
}

static void a_context_the_peer_has_forgotten_is_registered_anew(void **state)
{
	struct rig *r = rig_of_sg();
	struct assoc *a = asked(r);
	struct as_asp *m = member(r, "at-sg");

	(void)state;
	rig_say(r, a, "REG_RSP result={ lrk=1 status=0 rc=700 } result={ lrk=2 status=0 rc=800 }");
	rig_say(r, a, "ASPAC_ACK rc=800");
	rig_forget(r);
	rig_say(r, a, "ERR err=25 rc=700");
	assert_int_equal(m->client.state, CA_WAIT);
	rig_pass_ms(r, m->asp->conf->t_ack_ms * 10);
	rig_expect(a, "REG_REQ rk={ lrk=3 rc=50 tmt=2 dpc=55 }");
	rig_free(r);
}

static void each_association_registers_anew(void **state)
{
	struct rig *r = rig_of_sg();
	struct assoc *a = serving(r);

	(void)state;
	fake_down(r->plane, a, "a test");
	sg_settle(r->sg);
	rig_forget(r);
	assert_false(member(r, "at-sg")->client.reg.registered);
	a = rig_connect(r, "sg-1");
	rig_say(r, a, "ASPUP_ACK");
	rig_expect(a, "ASPUP\nREG_REQ rk={ lrk=3 rc=50 tmt=2 dpc=55 } rk={ lrk=4 tmt=1 dpc=66 }");
	rig_free(r);
}

static void keys_that_a_reload_changes_are_registered_anew(void **state)
{
	struct rig *r = rig_of_sg();
	struct assoc *a = serving(r);
	struct key_conf other = {.dpc = 57};
	struct as_conf *ass = talloc_memdup(r->names, r->conf.ass, r->conf.n_ass * sizeof(*ass));
	struct sg_conf next = r->conf;

	(void)state;
	sg_apply(r->sg, &r->conf, NULL, 0); /* nothing has changed */
	rig_expect(a, "");
	for (unsigned i = 0; i < next.n_ass; i++)
		if (!strcmp(ass[i].name, "at-sg"))
			ass[i].keys = &other;
	next.ass = ass;
	sg_apply(r->sg, &next, NULL, 0);
	rig_expect_after_grace(
		r, a, "ASPIA rc=700\nDEREG_REQ rc=700\nREG_REQ rk={ lrk=3 rc=50 tmt=2 dpc=57 }");
	assert_int_equal(rig_state(r, "at-sg", "sg-1"), ASP_INACTIVE);
	assert_int_equal(rig_state(r, "more", "sg-1"), ASP_ACTIVE);
	sg_apply(r->sg, &r->conf, NULL, 0);
	rig_free(r);
}

static void many_keys_need_several_messages(void **state)
{
	struct rig *r = rig_new();
	struct asp_conf *c = rig_asp(r, "sg-1", "127.0.0.9");
	struct asp *asp;

	(void)state;
	c->role = ROLE_ASP;
	c->registers = true;
	for (unsigned i = 0; i < 250; i++) {
		char name[16];

		snprintf(name, sizeof(name), "as-%u", i);
		rig_member(r, rig_as(r, name, 1000 + i, 1000 + i, FWD_LOADSHARE), "sg-1");
	}
	rig_start(r);
	rig_say(r, rig_connect(r, "sg-1"), "ASPUP_ACK");
	asp = sg_asp_by_name(r->sg, "sg-1");
	assert_in_range(asp->tx[asp_type_slot(M3UA_REG_REQ)], 2, 20);
	assert_int_equal(asp->client.reg_id, 250);
	rig_free(r);
}

/* Without registration its messages are still of a class that is not supported, or the other direction's. */
static void requests_of_the_peer_are_not_for_an_asp(void **state)
{
	struct rig *r = rig_of_sg();
	struct assoc *a = serving(r);

	(void)state;
	rig_say(r, a, "REG_REQ rk={ lrk=1 dpc=77 }");
	rig_expect(a, "ERR err=3");
	rig_say_on(r, a, 1, "REG_RSP result={ lrk=1 status=0 rc=1 }");
	rig_expect(a, "ERR err=9");
	rig_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_the_peer_allocates_is_used),
		cmocka_unit_test(a_whole_key_is_written_in_the_order_of_the_standard),
		cmocka_unit_test(answers_may_come_one_by_one_in_any_order),
		cmocka_unit_test(every_failure_is_shown_and_tried_again_slowly),
		cmocka_unit_test(a_context_that_another_as_has_is_refused),
		cmocka_unit_test(it_is_repeated_until_t_ack_is_exhausted),
		cmocka_unit_test(a_peer_without_registration_is_not_asked_again),
		cmocka_unit_test(leaving_deregisters_behind_inactive),
		cmocka_unit_test(a_peer_silent_about_deregistration_delays_little),
		cmocka_unit_test(blocking_keeps_the_registration),
		cmocka_unit_test(what_ends_a_registration_begins_it_anew),
		cmocka_unit_test(a_context_the_peer_has_forgotten_is_registered_anew),
		cmocka_unit_test(each_association_registers_anew),
		cmocka_unit_test(keys_that_a_reload_changes_are_registered_anew),
		cmocka_unit_test(many_keys_need_several_messages),
		cmocka_unit_test(requests_of_the_peer_are_not_for_an_asp),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
