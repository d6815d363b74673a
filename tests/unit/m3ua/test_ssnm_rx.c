/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What SGPs and IPSPs say of the destinations beyond them, and what the gateway asks (RFC 4666 s.3.4, s.4.5).
 */
#include <stdio.h>
#include <string.h>

#include "m3ua/client.h"
#include "rig.h"
#include "route/route.h"

/* Two SGs: at-a (RC 50, SGPs a-1 and a-2) and at-b (RC 60, SGP b-1). 77 is reached by both, 78 by the first,
 * 80 to 87 (a mask) by the first, anything by the second. hlr-1 is active and hears what becomes of it. */
struct sgs {
	struct rig *r;
	struct assoc *a1, *a2, *b1, *hlr;
};

static void set_routes(struct rig *r)
{
	struct route_egress *a = sg_as_by_name(r->sg, "at-a")->egress,
			    *b = sg_as_by_name(r->sg, "at-b")->egress;
	struct route_spec specs[] = {
		{.pc = 77, .si = FWD_ANY_SI, .opc = FWD_ANY_OPC, .priority = 1, .egress = a},
		{.pc = 77, .si = FWD_ANY_SI, .opc = FWD_ANY_OPC, .priority = 2, .egress = b},
		{.pc = 78, .si = FWD_ANY_SI, .opc = FWD_ANY_OPC, .priority = 1, .egress = a},
		{.pc = 80, .mask = 3, .si = FWD_ANY_SI, .opc = FWD_ANY_OPC, .priority = 1, .egress = a},
		{.mask = 14, .si = FWD_ANY_SI, .opc = FWD_ANY_OPC, .priority = 1, .egress = b},
	};

	router_set_routes(r->sg->router, ROUTES_CONFIGURED, specs, sizeof(specs) / sizeof(specs[0]));
	router_rebuild(r->sg->router);
	sg_settle(r->sg);
	fake_grace(r->plane);
}

static struct assoc *activate(struct rig *r, const char *name, const char *ack)
{
	struct assoc *a = rig_connect(r, name);

	rig_say(r, a, "ASPUP_ACK");
	rig_forget(r);
	rig_say(r, a, ack);
	return a;
}

static void begin(struct sgs *s)
{
	static const char *const ips[] = {"127.0.0.9", "127.0.0.10", "127.0.0.11"};
	static const char *const names[] = {"a-1", "a-2", "b-1"};
	struct rig *r = s->r = rig_new();

	for (unsigned i = 0; i < 3; i++) {
		struct asp_conf *c = rig_asp(r, names[i], ips[i]);

		c->role = ROLE_ASP;
		c->audit_ms = 30000;
	}
	rig_as(r, "at-a", 50, 500, FWD_LOADSHARE);
	rig_as(r, "at-b", 60, 600, FWD_LOADSHARE);
	rig_member(r, rig_as_conf(r, "at-a"), "a-1");
	rig_member(r, rig_as_conf(r, "at-a"), "a-2");
	rig_member(r, rig_as_conf(r, "at-b"), "b-1");
	rig_start(r);
	set_routes(r);
	s->hlr = rig_active(r, "hlr-1");
	s->a1 = activate(r, "a-1", "ASPAC_ACK rc=50");
	s->a2 = activate(r, "a-2", "ASPAC_ACK rc=50");
	s->b1 = activate(r, "b-1", "ASPAC_ACK rc=60");
	rig_forget(r);
}

static enum dest_status status(struct sgs *s, uint32_t pc)
{
	return dest_match(s->r->sg->router, 0, pc)->status;
}

static void destinations_are_asked_for_at_activation(void **state)
{
	struct sgs s;

	(void)state;
	begin(&s);
	fake_down(s.r->plane, s.a1, "gone");
	fake_down(s.r->plane, s.a2, "gone");
	rig_pass_ms(s.r, 3000); /* T(r) */
	rig_expect(s.hlr, "DUNA rc=10 apc=80/3\nDUNA rc=10 apc=78");
	s.a1 = activate(s.r, "a-1", "ASPAC_ACK rc=50");
	rig_expect(s.a1, "DAUD rc=50 apc=77,78,80/3");
	rig_expect(s.hlr, "DAVA rc=10 apc=80/3\nDAVA rc=10 apc=78");
	s.a2 = activate(s.r, "a-2", "ASPAC_ACK rc=50"); /* the same SG: asked already */
	rig_expect(s.a2, "");
	rig_expect(s.b1, ""); /* and a default route is nothing to ask for */
	rig_free(s.r);
}

static void an_sg_loses_a_destination(void **state)
{
	struct sgs s;

	(void)state;
	begin(&s);
	rig_say(s.r, s.a1, "DUNA rc=50 apc=78");
	assert_int_equal(status(&s, 78), DEST_UNAVAILABLE);
	rig_expect(s.hlr, "DUNA rc=10 apc=78");
	rig_expect(s.a1, "");
	rig_expect(s.a2, "");                    /* an SGP is told nothing */
	rig_say(s.r, s.a2, "DRST rc=50 apc=78"); /* another SGP of the SG knows better by now */
	rig_expect(s.hlr, "DRST rc=10 apc=78");
	rig_say(s.r, s.a1, "DAVA apc=78");
	rig_expect(s.hlr, "DAVA rc=10 apc=78");
	rig_say(s.r, s.a1, "DAVA apc=78"); /* no news */
	rig_expect(s.hlr, "");
	rig_free(s.r);
}

/* s.4.5.2.2: "determines whether or not the overall availability ... has changed". */
static void another_sg_is_left(void **state)
{
	struct sgs s;

	(void)state;
	begin(&s);
	rig_say(s.r, s.a1, "DUNA rc=50 apc=77");
	assert_int_equal(status(&s, 77), DEST_AVAILABLE);
	rig_expect(s.hlr, "");
	rig_say(s.r, s.b1, "DUNA rc=60 apc=77");
	rig_expect(s.hlr, "DUNA rc=10 apc=77");
	rig_say(s.r, s.a1, "DAVA rc=50 apc=77");
	rig_expect(s.hlr, "DAVA rc=10 apc=77");
	rig_free(s.r);
}

static void ranges_and_lists(void **state)
{
	struct sgs s;

	(void)state;
	begin(&s);
	rig_say(s.r, s.a1, "DUNA rc=50 apc=1,78,80/3,16383");
	rig_expect(s.hlr, "DUNA rc=10 apc=80/3\nDUNA rc=10 apc=78");
	rig_say(s.r, s.a1, "DAVA rc=50 apc=0/14"); /* the whole network */
	rig_expect(s.hlr, "DAVA rc=10 apc=80/3\nDAVA rc=10 apc=78");
	rig_say(s.r, s.a1, "DUNA rc=50 apc=5/255"); /* likewise, whatever it may look like */
	assert_int_equal(status(&s, 78), DEST_UNAVAILABLE);
	rig_forget(s.r);
	rig_say(s.r, s.a1, "DAVA rc=50 apc=16462"); /* 78 + 2^14: a point code that the network has not */
	rig_expect(s.hlr, "");
	rig_free(s.r);
}

/* "a malformed message changes nothing" */
static void a_message_that_is_wrong_somewhere_counts_nowhere(void **state)
{
	static const struct {
		const char *text, *answer;
	} wrong[] = {
		{"DUNA rc=50,51 apc=78", "ERR err=25 rc=51"},
		{"DUNA rc=60 apc=78", "ERR err=25 rc=60"}, /* that of another SG */
		{"DUNA na=4 rc=50 apc=78", "ERR err=21 na=4"},
		{"DUNA na=4 apc=78", "ERR err=21 na=4"},
		{"DUNA rc=50", "ERR err=22"},
		{"SCON rc=50,51 apc=78 level=2", "ERR err=25 rc=51"},
		{"DUPU rc=51 apc=78 cause/user=1/5", "ERR err=25 rc=51"},
		{"DUPU rc=50 apc=78", "ERR err=22"},
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct sgs s;

		begin(&s);
		rig_say(s.r, s.a1, wrong[i].text);
		rig_expect(s.a1, wrong[i].answer);
		rig_expect(s.hlr, "");
		assert_int_equal(status(&s, 78), DEST_AVAILABLE);
		rig_free(s.r);
	}
}

/* s.4.5.1: an SG may send them before the ASPAC ACK. */
static void news_before_the_acknowledgement_counts(void **state)
{
	struct sgs s;

	(void)state;
	begin(&s);
	fake_down(s.r->plane, s.a1, "gone");
	fake_down(s.r->plane, s.a2, "gone");
	rig_pass_ms(s.r, 3000);
	s.a1 = rig_connect(s.r, "a-1");
	rig_say(s.r, s.a1, "DUNA rc=50 apc=78");
	rig_expect(s.a1, "ASPUP\nERR err=6 rc=50"); /* but not before the ASPUP ACK */
	rig_say(s.r, s.a1, "ASPUP_ACK");
	rig_say(s.r, s.a1, "DUNA rc=50 apc=78");
	rig_forget(s.r);
	rig_say(s.r, s.a1, "ASPAC_ACK rc=50");
	assert_int_equal(status(&s, 78), DEST_UNAVAILABLE);
	rig_expect(s.hlr, "DAVA rc=10 apc=80/3");
	rig_free(s.r);
}

static void what_was_said_ends_with_the_sg(void **state)
{
	struct sgs s;

	(void)state;
	begin(&s);
	rig_say(s.r, s.a1, "DUNA rc=50 apc=78");
	fake_down(s.r->plane, s.a1, "gone");
	assert_int_equal(status(&s, 78), DEST_UNAVAILABLE);
	fake_down(s.r->plane, s.a2, "gone");
	rig_pass_ms(s.r, 3000);
	s.a2 = activate(s.r, "a-2", "ASPAC_ACK rc=50");
	assert_int_equal(status(&s, 78), DEST_AVAILABLE); /* until the answer to DAUD */
	rig_free(s.r);
}

static void what_is_unavailable_is_asked_for_again(void **state)
{
	struct sgs s;

	(void)state;
	begin(&s);
	rig_pass_ms(s.r, 30000);
	rig_expect(s.a1, "");
	rig_say(s.r, s.a2, "DUNA rc=50 apc=78");
	rig_say(s.r, s.a2, "DRST rc=50 apc=80/3");
	rig_forget(s.r);
	rig_pass_ms(s.r, 30000);
	rig_expect(s.a1, "DAUD rc=50 apc=78,80/3");
	rig_expect(s.a2, "");
	rig_say(s.r, s.a1, "DAVA rc=50 apc=78");
	rig_pass_ms(s.r, 30000);
	rig_expect(s.a1, "DAUD rc=50 apc=80/3");
	fake_down(s.r->plane, s.a1, "gone");
	rig_pass_ms(s.r, 30000);
	rig_expect(s.a2, "DAUD rc=50 apc=80/3");
	rig_free(s.r);
}

static void congestion_is_passed_on_and_abates(void **state)
{
	struct sgs s;

	(void)state;
	begin(&s);
	rig_say(s.r, s.a1, "SCON rc=50 apc=78 level=2");
	rig_expect(s.hlr, "SCON rc=10 apc=78 level=2");
	rig_say(s.r, s.a1, "SCON rc=50 apc=78 level=1");
	rig_expect(s.hlr, "SCON rc=10 apc=78 level=1");
	rig_say(s.r, s.a1, "SCON rc=50 apc=78 level=0");
	rig_expect(s.hlr, "SCON rc=10 apc=78 level=0");
	rig_pass_ms(s.r, 20000);
	rig_expect(s.hlr, "");
	/* not taken back: it ends by itself, counted from the last time it was said */
	rig_say(s.r, s.a1, "SCON rc=50 apc=78,80/3");
	rig_expect(s.hlr, "SCON rc=10 apc=80/3 level=1\nSCON rc=10 apc=78 level=1");
	rig_pass_ms(s.r, 6000);
	rig_say(s.r, s.a2, "SCON rc=50 apc=80/3 level=1");
	rig_pass_ms(s.r, 3999);
	rig_expect(s.hlr, "");
	rig_pass_ms(s.r, 1);
	rig_expect(s.hlr, "SCON rc=10 apc=78 level=0");
	rig_pass_ms(s.r, 6000);
	rig_expect(s.hlr, "SCON rc=10 apc=80/3 level=0");
	rig_free(s.r);
}

static void user_part_unavailable_is_passed_on(void **state)
{
	struct sgs s;

	(void)state;
	begin(&s);
	rig_say(s.r, s.a1, "DUPU rc=50 apc=78 cause/user=2/5");
	rig_expect(s.hlr, "DUPU rc=10 apc=78 cause/user=2/5");
	rig_expect(s.b1, "");
	rig_say(s.r, s.a1, "DUPU rc=50 apc=78 cause/user=2/5");
	rig_expect(s.hlr, ""); /* within T8 */
	rig_say(s.r, s.a1, "DUPU rc=50 apc=78 cause/user=1/3");
	rig_expect(s.hlr, "DUPU rc=10 apc=78 cause/user=1/3");
	rig_say(s.r, s.a1, "DUPU rc=50 apc=79 cause/user=1/3"); /* which goes another way */
	rig_expect(s.hlr, "");
	assert_int_equal(status(&s, 78), DEST_AVAILABLE);
	rig_free(s.r);
}

/* An IPSP may have a network behind it (s.4.6); it is told, too. */
static void ipsps_tell_and_are_told(void **state)
{
	struct rig *r = rig_new();
	struct assoc *p, *hlr;

	(void)state;
	rig_asp(r, "p-1", "127.0.0.9")->role = ROLE_IPSP_SE;
	rig_member(r, rig_as(r, "peer", 50, 55, FWD_LOADSHARE), "p-1");
	rig_start(r);
	hlr = rig_active(r, "hlr-1");
	p = rig_connect(r, "p-1");
	rig_say(r, p, "ASPUP");
	rig_say(r, p, "ASPAC rc=50");
	rig_forget(r);
	rig_say(r, p, "DUNA rc=50 apc=55");
	rig_expect(hlr, "DUNA rc=10 apc=55");
	rig_say(r, p, "DAVA rc=50 apc=55");
	rig_expect(hlr, "DAVA rc=10 apc=55");
	rig_say(r, p, "SCON rc=50 apc=55 level=3");
	rig_expect(hlr, "SCON rc=10 apc=55 level=3");
	rig_say(r, p, "DUPU rc=50 apc=55 cause/user=1/5");
	rig_expect(hlr, "DUPU rc=10 apc=55 cause/user=1/5");
	rig_say(r, p, "DAUD rc=50 apc=11");
	rig_expect(p, "DAVA rc=50 apc=11");
	fake_down(r->plane, hlr, "gone");
	rig_pass_ms(r, 3000);
	rig_expect(p, "DUNA rc=50 apc=11");
	rig_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(destinations_are_asked_for_at_activation),
		cmocka_unit_test(an_sg_loses_a_destination),
		cmocka_unit_test(another_sg_is_left),
		cmocka_unit_test(ranges_and_lists),
		cmocka_unit_test(a_message_that_is_wrong_somewhere_counts_nowhere),
		cmocka_unit_test(news_before_the_acknowledgement_counts),
		cmocka_unit_test(what_was_said_ends_with_the_sg),
		cmocka_unit_test(what_is_unavailable_is_asked_for_again),
		cmocka_unit_test(congestion_is_passed_on_and_abates),
		cmocka_unit_test(user_part_unavailable_is_passed_on),
		cmocka_unit_test(ipsps_tell_and_are_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
