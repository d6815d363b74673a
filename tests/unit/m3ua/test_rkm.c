/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Registration and deregistration (RFC 4666 s.4.4): policies, every result, who owns what, how it ends. */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "m3ua/sg_int.h"
#include "rig.h"

enum { FIRST_RC = 1000 };

/* Like the default of every peer in the configuration. */
static void allow(struct rig *r, const char *asp, int policy)
{
	rig_asp_conf(r, asp)->rkm = (struct rkm_conf){
		.policy = policy, .limit = 300, .mode = FWD_LOADSHARE, .t_r_ms = 2000, .pending_limit = 50};
}

static struct rig *rig_of(int policy)
{
	struct rig *r = rig_new();

	r->conf.rc_first = FIRST_RC;
	r->conf.rc_last = 9999;
	allow(r, "hlr-1", policy);
	allow(r, "hlr-2", policy);
	allow(r, "msc-1", policy);
	return r;
}

/* The same with hlr-1 up, as *A. */
static struct rig *hlr_1_up(int policy, struct assoc **a)
{
	struct rig *r = rig_of(policy);

	rig_start(r);
	*a = rig_up(r, "hlr-1");
	return r;
}

/* ---- results ---- */

#define REG(key)        "REG_REQ rk={ lrk=7 " key " }"
#define RSP(status, rc) "REG_RSP result={ lrk=7 status=" #status " rc=" #rc " }"

/* hlr-1 (configured into hlr: RC 10, DPC 11) asks, msc (RC 20, DPC 22, override) being somebody else's. */
static void every_result_by_policy(void **state)
{
	static const struct {
		int policy;
		const char *request, *answer;
	} rows[] = {
		{RKM_OFF, REG("dpc=11"), "ERR err=3"},
		{RKM_STATIC, REG("dpc=11"), RSP(12, 10)},
		{RKM_STATIC, REG("dpc=22"), RSP(5, 0)},
		{RKM_STATIC, REG("dpc=33"), RSP(7, 0)},
		{RKM_MATCH, REG("dpc=11"), RSP(12, 10)},
		{RKM_MATCH, REG("tmt=2 dpc=11"), RSP(12, 10)},
		{RKM_MATCH, REG("tmt=1 dpc=11"), RSP(10, 0)},
		{RKM_MATCH, REG("dpc=22"), RSP(0, 20) "\nNTFY st=1/2 rc=20"},
		{RKM_MATCH, REG("tmt=1 dpc=22"), RSP(0, 20) "\nNTFY st=1/2 rc=20"},
		{RKM_MATCH, REG("rc=20 dpc=22"), RSP(0, 20) "\nNTFY st=1/2 rc=20"},
		{RKM_MATCH, REG("tmt=2 dpc=22"), RSP(10, 0)},
		{RKM_MATCH, REG("tmt=9 dpc=22"), RSP(10, 0)},
		{RKM_MATCH, REG("dpc=22 si=3"), RSP(6, 0)},
		{RKM_MATCH, REG("dpc=33"), RSP(7, 0)},
		{RKM_DYNAMIC, REG("dpc=33"), RSP(0, 1000) "\nNTFY st=1/2 rc=1000"},
		{RKM_DYNAMIC, REG("dpc=22"), RSP(0, 20) "\nNTFY st=1/2 rc=20"},
		{RKM_DYNAMIC, REG("dpc=22 dpc=33"), RSP(6, 0)},
		{RKM_DYNAMIC, REG("dpc=33 dpc=22 si=3"), RSP(6, 0)},
		{RKM_DYNAMIC, REG("na=1 dpc=33"), RSP(3, 0)},
		{RKM_DYNAMIC, REG("dpc=33/3"), RSP(2, 0)},
		{RKM_DYNAMIC, REG("dpc=20000"), RSP(2, 0)},
		{RKM_DYNAMIC, REG("dpc=33 si=1"), RSP(4, 0)},
		{RKM_DYNAMIC, REG("dpc=33 opc=8/3"), RSP(9, 0)},
		{RKM_DYNAMIC, REG("rc=20 dpc=33"), RSP(11, 0)},
		{RKM_DYNAMIC, REG("rc=77 dpc=33"), RSP(11, 0)},
		{RKM_DYNAMIC, REG("rc=10 dpc=22"), RSP(11, 0)},
		{RKM_DYNAMIC, "DEREG_REQ rc=10", "DEREG_RSP result={ rc=10 status=3 }"},
		{RKM_DYNAMIC, "DEREG_REQ rc=20", "DEREG_RSP result={ rc=20 status=4 }"},
		{RKM_DYNAMIC, "DEREG_REQ rc=99", "DEREG_RSP result={ rc=99 status=2 }"},
		{RKM_OFF, "DEREG_REQ rc=10", "ERR err=3"},
		/* malformed: nothing of it is looked at */
		{RKM_DYNAMIC, "REG_REQ", "ERR err=22"},
		{RKM_DYNAMIC, "REG_REQ rk={ lrk=7 }", "ERR err=22"},
		{RKM_DYNAMIC, "REG_REQ rk={ dpc=33 }", "ERR err=22"},
		{RKM_DYNAMIC, "REG_REQ rk={ lrk=7 dpc=33 } rk={ lrk=8 dpc=34 info=x }", "ERR err=19"},
		{RKM_DYNAMIC, "DEREG_REQ", "ERR err=22"},
		/* never sent to an SGP */
		{RKM_DYNAMIC, "REG_RSP result={ lrk=7 status=0 rc=1 }", "ERR err=6"},
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct rig *r = rig_of(rows[i].policy);
		struct assoc *a;

		rig_start(r);
		a = rig_up(r, "hlr-1");
		print_message("%s\n", rows[i].request);
		rig_say(r, a, rows[i].request);
		rig_expect(a, rows[i].answer);
		rig_free(r);
	}
}

static void before_aspup_it_is_unexpected(void **state)
{
	struct rig *r = rig_of(RKM_DYNAMIC);
	struct assoc *a;

	(void)state;
	rig_start(r);
	a = rig_connect(r, "hlr-1");
	rig_say(r, a, REG("dpc=33"));
	rig_expect(a, "ERR err=6");
	rig_say(r, a, "DEREG_REQ rc=10");
	rig_expect(a, "ERR err=6 rc=10");
	rig_free(r);
}

static void it_belongs_on_stream_0(void **state)
{
	struct assoc *a;
	struct rig *r = hlr_1_up(RKM_DYNAMIC, &a);

	(void)state;
	rig_say_on(r, a, 3, REG("dpc=33"));
	rig_expect(a, "ERR err=9");
	rig_free(r);
}

/* "Each result": the order is the request's, and what an earlier key did counts for a later one. */
static void every_key_of_a_message_is_answered_in_order(void **state)
{
	struct assoc *a;
	struct rig *r = hlr_1_up(RKM_DYNAMIC, &a);

	(void)state;
	rig_say(r, a,
		"REG_REQ rk={ lrk=1 dpc=33 } rk={ lrk=2 dpc=33/1 } rk={ lrk=3 dpc=33 } rk={ lrk=4 dpc=33 "
		"si=3 } "
		"rk={ lrk=5 dpc=34 si=3 } rk={ lrk=6 dpc=22 } rk={ lrk=7 dpc=34 si=5 tmt=3 }");
	rig_expect(a, "REG_RSP result={ lrk=1 status=0 rc=1000 } result={ lrk=2 status=2 rc=0 } "
		      "result={ lrk=3 status=12 rc=1000 } result={ lrk=4 status=6 rc=0 } "
		      "result={ lrk=5 status=0 rc=1001 } result={ lrk=6 status=0 rc=20 } "
		      "result={ lrk=7 status=0 rc=1002 }\n"
		      "NTFY st=1/2 rc=1000\nNTFY st=1/2 rc=1001\nNTFY st=1/2 rc=20\nNTFY st=1/2 rc=1002");
	assert_int_equal(sg_as_by_name(r->sg, "dyn-1002")->conf->mode, FWD_BROADCAST);
	assert_int_equal(sg_as_by_name(r->sg, "dyn-1001")->conf->pending_limit, 50);
	rig_free(r);
}

static void many_keys_are_answered_in_several_messages(void **state)
{
	struct rig *r = rig_of(RKM_DYNAMIC);
	char text[8192] = "REG_REQ";
	struct assoc *a;

	(void)state;
	rig_start(r);
	a = rig_up(r, "hlr-1");
	for (unsigned i = 0; i < 300; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), " rk={ lrk=%u dpc=%u }", i,
			100 + i);
	rig_say(r, a, text);
	assert_int_equal(sg_asp_by_name(r->sg, "hlr-1")->tx[asp_type_slot(M3UA_REG_RSP)], 2);
	assert_int_equal(sg_asp_by_name(r->sg, "hlr-1")->n_registered, 300);
	assert_int_equal(sg_stats(r->sg)->registered, 300);
	rig_free(r);
}

static void no_more_keys_than_the_limit(void **state)
{
	struct rig *r = rig_of(RKM_DYNAMIC);
	struct assoc *a;

	(void)state;
	rig_asp_conf(r, "hlr-1")->rkm.limit = 2;
	rig_start(r);
	a = rig_up(r, "hlr-1");
	rig_say(r, a,
		"REG_REQ rk={ lrk=1 dpc=33 } rk={ lrk=2 dpc=34 } rk={ lrk=3 dpc=35 } rk={ lrk=4 dpc=22 }");
	rig_expect(a, "REG_RSP result={ lrk=1 status=0 rc=1000 } result={ lrk=2 status=0 rc=1001 } "
		      "result={ lrk=3 status=8 rc=0 } result={ lrk=4 status=8 rc=0 }\n"
		      "NTFY st=1/2 rc=1000\nNTFY st=1/2 rc=1001");
	rig_say(r, a, "DEREG_REQ rc=1000");
	rig_forget(r);
	rig_say(r, a, REG("dpc=35"));
	rig_expect(a, RSP(0, 1002) "\nNTFY st=1/2 rc=1002");
	rig_free(r);
}

static void routing_contexts_pass_over_configured_ones_and_end(void **state)
{
	struct rig *r = rig_of(RKM_DYNAMIC);
	struct assoc *a;

	(void)state;
	r->conf.rc_first = 19;
	r->conf.rc_last = 21;
	rig_start(r);
	a = rig_up(r, "hlr-1");
	rig_say(r, a, "REG_REQ rk={ lrk=1 dpc=33 } rk={ lrk=2 dpc=34 } rk={ lrk=3 dpc=35 }");
	rig_expect(a, "REG_RSP result={ lrk=1 status=0 rc=19 } result={ lrk=2 status=0 rc=21 } "
		      "result={ lrk=3 status=8 rc=0 }\nNTFY st=1/2 rc=19\nNTFY st=1/2 rc=21");
	rig_free(r);
}

static void a_peer_may_propose_a_routing_context_where_that_is_tolerated(void **state)
{
	struct rig *r = rig_of(RKM_DYNAMIC);
	struct assoc *a;

	(void)state;
	rig_asp_conf(r, "hlr-1")->compat.reg_proposes_rc = true;
	rig_start(r);
	a = rig_up(r, "hlr-1");
	rig_say(r, a, REG("rc=77 dpc=33"));
	rig_expect(a, RSP(0, 77) "\nNTFY st=1/2 rc=77");
	rig_say(r, a, REG("rc=77 dpc=34"));
	rig_expect(a, RSP(11, 0));
	rig_free(r);
}

/* ---- networks ---- */

static struct rig *rig_of_two_networks(struct assoc **a)
{
	struct rig *r = rig_of(RKM_DYNAMIC);

	r->networks[0].has_na = true;
	r->networks[0].na = 1;
	r->networks[1] = (struct network_conf){
		.name = "ansi", .variant = PC_ANSI, .ni = 2, .has_na = true, .na = 2, .t8_ms = 1000};
	r->conf.n_networks = 2;
	*a = NULL;
	return r;
}

static void the_network_appearance_chooses_the_network(void **state)
{
	struct assoc *a;
	struct rig *r = rig_of_two_networks(&a);

	(void)state;
	rig_start(r);
	a = rig_up(r, "hlr-1");
	rig_say(r, a,
		"REG_REQ rk={ lrk=1 dpc=70000 na=2 } rk={ lrk=2 dpc=70000 na=1 } rk={ lrk=3 dpc=33 na=3 } "
		"rk={ lrk=4 dpc=22 na=2 }");
	rig_expect(a, "REG_RSP result={ lrk=1 status=0 rc=1000 } result={ lrk=2 status=2 rc=0 } "
		      "result={ lrk=3 status=3 rc=0 } result={ lrk=4 status=0 rc=1001 }\n"
		      "NTFY st=1/2 rc=1000\nNTFY st=1/2 rc=1001");
	rig_free(r);
}

static void without_one_the_network_must_be_clear(void **state)
{
	struct assoc *a;
	struct rig *r = rig_of_two_networks(&a);

	(void)state;
	rig_asp(r, "new", "127.0.0.9");
	allow(r, "new", RKM_DYNAMIC);
	rig_asp(r, "told", "127.0.0.10");
	allow(r, "told", RKM_DYNAMIC);
	rig_asp_conf(r, "told")->rkm.network = "ansi";
	rig_start(r);
	a = rig_up(r, "hlr-1"); /* all its ASs are in one */
	rig_say(r, a, REG("dpc=33"));
	rig_expect(a, RSP(0, 1000) "\nNTFY st=1/2 rc=1000");
	a = rig_up(r, "new");
	rig_say(r, a, REG("dpc=34"));
	rig_expect(a, RSP(3, 0));
	a = rig_up(r, "told");
	rig_say(r, a, REG("dpc=70000"));
	rig_expect(a, RSP(0, 1001) "\nNTFY st=1/2 rc=1001");
	rig_free(r);
}

/* ---- what follows ---- */

static uint32_t route_of(struct rig *r, uint32_t dpc, uint8_t si)
{
	struct fwd_match m;

	fwd_route(plane_table(r->plane)->routing, 0, 5, dpc, si, &m);
	return m.as;
}

static void a_registered_key_carries_traffic(void **state)
{
	struct rig *r = rig_of(RKM_DYNAMIC);
	struct assoc *a, *other;

	(void)state;
	rig_start(r);
	other = rig_active(r, "msc-1");
	a = rig_up(r, "hlr-1");
	rig_say(r, a, REG("dpc=33 si=3"));
	rig_forget(r);
	assert_int_equal(route_of(r, 33, 3), sg_as_by_name(r->sg, "dyn-1000")->number);
	assert_int_equal(route_of(r, 33, 5), FWD_NO_AS);
	rig_say(r, a, "ASPAC rc=1000");
	rig_expect(a, "ASPAC_ACK rc=1000\nNTFY st=1/3 rc=1000");
	rig_expect(other, "DAVA rc=20 apc=33");
	assert_true(rig_accepts(r, a, 1000));
	assert_ptr_equal(rig_table_as(r, "dyn-1000")->slots[0].assoc, a);
	rig_say(r, a, "DEREG_REQ rc=1000");
	rig_expect(a, "DEREG_RSP result={ rc=1000 status=5 }");
	rig_say(r, a, "ASPIA rc=1000");
	rig_expect_after_grace(r, a, "ASPIA_ACK rc=1000\nNTFY st=1/4 rc=1000");
	rig_say(r, a, "DEREG_REQ rc=1000,1000");
	rig_expect(a, "DEREG_RSP result={ rc=1000 status=0 } result={ rc=1000 status=4 }");
	rig_pass_ms(r, 2100); /* T(r) */
	assert_null(sg_as_by_name(r->sg, "dyn-1000"));
	assert_int_equal(route_of(r, 33, 3), FWD_NO_AS);
	rig_say(r, a, "DEREG_REQ rc=1000");
	rig_expect(a, "DEREG_RSP result={ rc=1000 status=2 }");
	rig_expect(other, "DUNA rc=20 apc=33");
	rig_free(r);
}

/* Routing that takes long to compile follows registrations rarely: nobody hears before that traffic can come.
 */
static void activation_is_acknowledged_when_routing_has_followed(void **state)
{
	struct assoc *a, *two, *other;
	struct rig *r = hlr_1_up(RKM_DYNAMIC, &a);

	(void)state;
	two = rig_up(r, "msc-1");
	other = rig_active(r, "hlr-2");
	rig_forget(r);
	r->sg->rkm.due_ms = clock_ms() + 500;
	rig_say(r, a, REG("dpc=33"));
	rig_expect(a, RSP(0, 1000) "\nNTFY st=1/2 rc=1000");
	rig_say(r, two, REG("dpc=33"));
	rig_expect(two, RSP(0, 1000) "\nNTFY st=1/2 rc=1000");
	rig_say(r, a, "ASPAC rc=1000");
	rig_say(r, a, "BEAT");
	rig_expect_after_grace(r, a, "");
	rig_expect(two, "");
	rig_say(r, other, "BEAT");
	rig_expect(other, "BEAT_ACK");
	rig_pass_ms(r, 600);
	assert_int_equal(route_of(r, 33, 3), sg_as_by_name(r->sg, "dyn-1000")->number);
	rig_expect(a, "ASPAC_ACK rc=1000\nNTFY st=1/3 rc=1000\nBEAT_ACK");
	rig_expect(two, "NTFY st=1/3 rc=1000");
	rig_expect(other, "DAVA rc=10 apc=33");
	rig_free(r);
}

static void a_second_asp_joins_and_the_first_may_leave(void **state)
{
	struct rig *r = rig_of(RKM_DYNAMIC);
	struct assoc *one, *two;

	(void)state;
	rig_start(r);
	one = rig_up(r, "hlr-1");
	two = rig_up(r, "msc-1");
	rig_say(r, one, REG("tmt=2 dpc=33"));
	rig_say(r, two, REG("tmt=1 dpc=33"));
	rig_expect(two, RSP(10, 0));
	rig_say(r, two, REG("dpc=33"));
	rig_expect(two, RSP(0, 1000) "\nNTFY st=1/2 rc=1000");
	rig_say(r, two, "ASPAC rc=1000");
	rig_forget(r);
	rig_say(r, one, "DEREG_REQ rc=1000");
	rig_expect(one, "DEREG_RSP result={ rc=1000 status=0 }");
	assert_int_equal(rig_as_state(r, "dyn-1000"), AS_ACTIVE);
	rig_expect_after_grace(r, two, "");
	rig_free(r);
}

static void an_asp_identifier_is_unique_in_what_is_joined(void **state)
{
	struct rig *r = rig_of(RKM_DYNAMIC);
	struct assoc *one, *two;

	(void)state;
	rig_start(r);
	one = rig_connect(r, "hlr-1");
	two = rig_connect(r, "msc-1");
	rig_say(r, one, "ASPUP asp=5");
	rig_say(r, two, "ASPUP asp=5"); /* they share no AS */
	rig_say(r, one, REG("dpc=33"));
	rig_forget(r);
	rig_say(r, two, REG("dpc=33"));
	rig_expect(two, RSP(5, 0));
	rig_free(r);
}

/* Without Routing Context an AS must be the ASP's only one (s.3.3.1). */
static void an_asp_of_an_as_without_context_registers_nothing_else(void **state)
{
	struct rig *r = rig_of(RKM_DYNAMIC);
	struct assoc *a;

	(void)state;
	rig_as_conf(r, "hlr")->has_rc = false;
	rig_start(r);
	a = rig_up(r, "hlr-1");
	rig_say(r, a, REG("dpc=33"));
	rig_expect(a, RSP(5, 0));
	rig_say(r, a, REG("dpc=22"));
	rig_expect(a, RSP(5, 0));
	a = rig_up(r, "msc-1");
	rig_say(r, a, REG("dpc=11"));
	rig_expect(a, RSP(5, 0));
	rig_free(r);
}

static void a_policy_of_match_does_not_join_what_others_made(void **state)
{
	struct rig *r = rig_of(RKM_DYNAMIC);
	struct assoc *one, *two;

	(void)state;
	allow(r, "msc-1", RKM_MATCH);
	rig_start(r);
	one = rig_up(r, "hlr-1");
	two = rig_up(r, "msc-1");
	rig_say(r, one, REG("dpc=33"));
	rig_say(r, two, REG("dpc=33"));
	rig_expect(two, RSP(5, 0));
	rig_free(r);
}

/* Every way that an ASP can go: it is registered nowhere, and where it was alone, the key goes too. */
static void an_asp_that_goes_is_deregistered(void **state)
{
	static const char *const ways[] = {"ASPDN", "lost", "restart", "shutdown", "ASPUP while active"};

	(void)state;
	for (unsigned i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		struct rig *r = rig_of(RKM_DYNAMIC);
		struct assoc *a;

		rig_start(r);
		a = rig_up(r, "hlr-1");
		rig_say(r, a, "REG_REQ rk={ lrk=1 dpc=33 } rk={ lrk=2 dpc=22 }");
		if (i == 4)
			rig_say(r, a, "ASPAC rc=1000");
		rig_forget(r);
		switch (i) {
		case 0: rig_say(r, a, "ASPDN"); break;
		case 1: fake_down(r->plane, a, "lost"); break;
		case 2: fake_event(r->plane, a, PE_RESTART, 0, ""); break;
		case 3: fake_event(r->plane, a, PE_PEER_SHUTDOWN, 0, ""); break;
		case 4: rig_say(r, a, "ASPUP"); break;
		default: break;
		}
		rig_pass_ms(r, 2100);
		assert_null(sg_as_by_name(r->sg, "dyn-1000"));
		assert_int_equal(
			llist_count(&sg_as_by_name(r->sg, "msc")->asps), 2); /* the configured ones */
		assert_int_equal(sg_asp_by_name(r->sg, "hlr-1")->n_ass, 1);
		assert_int_equal(sg_asp_by_name(r->sg, "hlr-1")->n_registered, 0);
		rig_free(r);
	}
}

static void aspup_while_inactive_leaves_what_is_registered(void **state)
{
	struct assoc *a;
	struct rig *r = hlr_1_up(RKM_DYNAMIC, &a);

	(void)state;
	rig_say(r, a, REG("dpc=33"));
	rig_forget(r);
	rig_say(r, a, "ASPUP");
	rig_expect(a, "ASPUP_ACK");
	assert_int_equal(sg_asp_by_name(r->sg, "hlr-1")->n_registered, 1);
	rig_free(r);
}

static void who_returns_within_recovery_time_finds_its_context(void **state)
{
	struct assoc *a;
	struct rig *r = hlr_1_up(RKM_DYNAMIC, &a);

	(void)state;
	rig_say(r, a, REG("dpc=33"));
	rig_say(r, a, "ASPAC rc=1000");
	fake_down(r->plane, a, "lost");
	assert_int_equal(rig_table_as(r, "dyn-1000")->state, FWD_AS_PENDING);
	rig_pass_ms(r, 1900);
	a = rig_up(r, "hlr-1");
	rig_say(r, a, REG("dpc=33"));
	rig_expect(a, RSP(0, 1000) "\nNTFY st=1/4 rc=1000");
	rig_say(r, a, "ASPAC rc=1000");
	rig_expect(a, "ASPAC_ACK rc=1000\nNTFY st=1/3 rc=1000");
	rig_free(r);
}

/* ---- a new configuration ---- */

static void reload(struct rig *r)
{
	sg_apply(r->sg, &r->conf, NULL, 0);
}

static void a_reload_leaves_what_is_registered(void **state)
{
	struct assoc *a;
	struct rig *r = hlr_1_up(RKM_DYNAMIC, &a);

	(void)state;
	rig_say(r, a, "REG_REQ rk={ lrk=1 dpc=33 } rk={ lrk=2 dpc=22 }");
	rig_say(r, a, "ASPAC");
	rig_forget(r);
	reload(r);
	rig_expect_after_grace(r, a, "");
	assert_int_equal(rig_state(r, "dyn-1000", "hlr-1"), ASP_ACTIVE);
	assert_int_equal(rig_state(r, "msc", "hlr-1"), ASP_ACTIVE);
	assert_int_equal(route_of(r, 33, 3), sg_as_by_name(r->sg, "dyn-1000")->number);
	rig_free(r);
}

static void the_configuration_wins_over_what_is_registered(void **state)
{
	static const struct {
		const char *name;
		uint32_t rc, dpc;
		bool clash;
	} added[] = {
		{"new", 1000, 44, true},    /* the Routing Context */
		{"new", 44, 33, true},      /* the traffic */
		{"dyn-1000", 44, 44, true}, /* the name */
		{"new", 44, 44, false},
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(added) / sizeof(added[0]); i++) {
		struct rig *r = rig_of(RKM_DYNAMIC);
		struct assoc *a;

		rig_start(r);
		a = rig_up(r, "hlr-1");
		rig_say(r, a, REG("dpc=33 si=3"));
		rig_say(r, a, "ASPAC rc=1000");
		rig_forget(r);
		rig_as(r, added[i].name, added[i].rc, added[i].dpc, FWD_LOADSHARE);
		reload(r);
		rig_expect_after_grace(r, a, added[i].clash ? "ASPIA_ACK rc=1000" : "");
		assert_int_equal(sg_asp_by_name(r->sg, "hlr-1")->n_registered, !added[i].clash);
		assert_int_equal(route_of(r, added[i].dpc, 3), sg_as_by_name(r->sg, added[i].name)->number);
		rig_free(r);
	}
}

static void a_member_that_the_configuration_names_is_registered_no_more(void **state)
{
	struct assoc *a;
	struct rig *r = hlr_1_up(RKM_MATCH, &a);

	(void)state;
	rig_say(r, a, REG("dpc=22"));
	rig_forget(r);
	rig_member(r, rig_as_conf(r, "msc"), "hlr-1");
	reload(r);
	rig_say(r, a, "DEREG_REQ rc=20");
	rig_expect(a, "DEREG_RSP result={ rc=20 status=3 }");
	rig_free(r);
}

static void a_stricter_policy_ends_what_it_does_not_allow(void **state)
{
	struct assoc *a;
	struct rig *r = hlr_1_up(RKM_DYNAMIC, &a);

	(void)state;
	rig_say(r, a, "REG_REQ rk={ lrk=1 dpc=33 } rk={ lrk=2 dpc=22 }");
	rig_say(r, a, "ASPAC");
	rig_forget(r);
	rig_asp_conf(r, "hlr-1")->rkm.policy = RKM_MATCH;
	reload(r);
	rig_expect_after_grace(r, a, "ASPIA_ACK rc=1000");
	rig_pass_ms(r, 2100); /* T(r) */
	assert_null(sg_as_by_name(r->sg, "dyn-1000"));
	assert_int_equal(rig_state(r, "msc", "hlr-1"), ASP_ACTIVE);
	rig_free(r);
}

static void a_network_that_goes_takes_its_registered_keys_along(void **state)
{
	struct rig *r = rig_of(RKM_DYNAMIC);
	struct sg_change change = {.object = SG_NETWORK, .op = SG_REPLACE, .name = "ansi"};
	struct assoc *a;

	(void)state;
	r->networks[1] = (struct network_conf){
		.name = "ansi", .variant = PC_ANSI, .ni = 2, .has_na = true, .na = 2, .t8_ms = 1000};
	r->conf.n_networks = 2;
	rig_start(r);
	a = rig_up(r, "hlr-1");
	rig_say(r, a, REG("dpc=70000 na=2"));
	rig_forget(r);
	sg_apply(r->sg, &r->conf, &change, 1);
	assert_null(sg_as_by_name(r->sg, "dyn-1000"));
	rig_say(r, a, "DEREG_REQ rc=1000");
	rig_expect(a, "DEREG_RSP result={ rc=1000 status=2 }");
	rig_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_result_by_policy),
		cmocka_unit_test(before_aspup_it_is_unexpected),
		cmocka_unit_test(it_belongs_on_stream_0),
		cmocka_unit_test(every_key_of_a_message_is_answered_in_order),
		cmocka_unit_test(many_keys_are_answered_in_several_messages),
		cmocka_unit_test(no_more_keys_than_the_limit),
		cmocka_unit_test(routing_contexts_pass_over_configured_ones_and_end),
		cmocka_unit_test(a_peer_may_propose_a_routing_context_where_that_is_tolerated),
		cmocka_unit_test(the_network_appearance_chooses_the_network),
		cmocka_unit_test(without_one_the_network_must_be_clear),
		cmocka_unit_test(a_registered_key_carries_traffic),
		cmocka_unit_test(activation_is_acknowledged_when_routing_has_followed),
		cmocka_unit_test(a_second_asp_joins_and_the_first_may_leave),
		cmocka_unit_test(an_asp_identifier_is_unique_in_what_is_joined),
		cmocka_unit_test(an_asp_of_an_as_without_context_registers_nothing_else),
		cmocka_unit_test(a_policy_of_match_does_not_join_what_others_made),
		cmocka_unit_test(an_asp_that_goes_is_deregistered),
		cmocka_unit_test(aspup_while_inactive_leaves_what_is_registered),
		cmocka_unit_test(who_returns_within_recovery_time_finds_its_context),
		cmocka_unit_test(a_reload_leaves_what_is_registered),
		cmocka_unit_test(the_configuration_wins_over_what_is_registered),
		cmocka_unit_test(a_member_that_the_configuration_names_is_registered_no_more),
		cmocka_unit_test(a_stricter_policy_ends_what_it_does_not_allow),
		cmocka_unit_test(a_network_that_goes_takes_its_registered_keys_along),
	};

	return cmocka_run_group_tests_name("rkm", tests, NULL, NULL);
}
