/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Destinations: who is told what (RFC 4666 s.4.5.1), DAUD (s.4.5.3), SCON (s.3.4.4). */
#include <stdio.h>
#include <string.h>

#include "m3ua/ssnm_tell.h"
#include "rig.h"
#include "wire/mtp3.h"

/* msc-1 is active and listens to what becomes of hlr's point code. */
static struct rig *rig_with_listener(struct assoc **m)
{
	struct rig *r = rig_new();

	rig_start(r);
	*m = rig_active(r, "msc-1");
	return r;
}

static void dava_when_the_as_becomes_active(void **state)
{
	struct assoc *m, *a;
	struct rig *r = rig_with_listener(&m);

	(void)state;
	a = rig_up(r, "hlr-1");
	rig_expect(m, "");
	rig_say(r, a, "ASPAC");
	rig_expect(m, "DAVA rc=20 apc=11");
	rig_expect(a, "ASPAC_ACK rc=10\nNTFY st=1/3 rc=10"); /* nothing about itself */
	assert_int_equal(dest_find(sg_router(r->sg), 0, 11)->status, DEST_AVAILABLE);
	rig_free(r);
}

static void dava_comes_behind_the_table(void **state)
{
	struct assoc *m, *a;
	struct rig *r = rig_with_listener(&m);

	(void)state;
	a = rig_up(r, "hlr-1");
	rig_say(r, a, "ASPAC");
	assert_string_equal(fake_journal(r->plane), "table\n"
						    "hlr-1 ASPAC_ACK rc=10\n"
						    "hlr-1 NTFY st=1/3 rc=10\n"
						    "table\n"
						    "msc-1 DAVA rc=20 apc=11\n");
	rig_free(r);
}

static void pending_keeps_the_status_until_t_r(void **state)
{
	struct assoc *m, *a;
	struct rig *r = rig_with_listener(&m);

	(void)state;
	a = rig_active(r, "hlr-1");
	rig_say(r, a, "ASPIA");
	rig_expect_after_grace(r, m, "");
	assert_int_equal(dest_find(sg_router(r->sg), 0, 11)->status, DEST_AVAILABLE);
	rig_pass_ms(r, 2000);
	rig_expect(m, "DUNA rc=20 apc=11");
	assert_int_equal(dest_find(sg_router(r->sg), 0, 11)->status, DEST_UNAVAILABLE);
	rig_free(r);
}

static void recovery_from_pending_says_nothing(void **state)
{
	struct assoc *m, *a;
	struct rig *r = rig_with_listener(&m);

	(void)state;
	a = rig_active(r, "hlr-1");
	rig_say(r, a, "ASPIA");
	rig_forget(r);
	rig_say(r, a, "ASPAC");
	rig_expect(m, "");
	rig_free(r);
}

static void drst_when_asps_are_insufficient(void **state)
{
	struct rig *r = rig_new();
	struct assoc *m, *a;

	(void)state;
	rig_as_conf(r, "hlr")->min_asps = 2;
	rig_start(r);
	m = rig_active(r, "msc-1");
	a = rig_active(r, "hlr-1");
	rig_active(r, "hlr-2");
	rig_say(r, a, "ASPIA");
	rig_expect(m, "DRST rc=20 apc=11");
	rig_forget(r);
	rig_say(r, a, "ASPAC");
	rig_expect(m, "DAVA rc=20 apc=11");
	rig_free(r);
}

static void network_appearance_goes_along(void **state)
{
	struct rig *r = rig_new();
	struct assoc *m;

	(void)state;
	r->networks[0].has_na = true;
	r->networks[0].na = 7;
	rig_start(r);
	m = rig_active(r, "msc-1");
	rig_active(r, "hlr-1");
	fake_sent(m);
	rig_say(r, m, "DAUD rc=20 apc=11");
	rig_expect(m, "DAVA na=7 rc=20 apc=11");
	rig_say(r, m, "DAUD na=7 apc=11");
	rig_expect(m, "DAVA na=7 rc=20 apc=11");
	rig_say(r, m, "DAUD na=8 apc=11");
	rig_expect(m, "ERR err=21 na=8");
	rig_say(r, m, "DAUD na=8 rc=20 apc=11");
	rig_expect(m, "ERR err=21 na=8");
	assert_true(rig_table_as(r, "hlr")->slots[0].has_na);
	rig_free(r);
}

static void other_networks_are_not_told(void **state)
{
	struct rig *r = rig_new();
	struct assoc *m, *a;

	(void)state;
	r->networks[1] = (struct network_conf){.name = "other", .variant = PC_ANSI, .t8_ms = 1000};
	r->conf.n_networks = 2;
	rig_as_conf(r, "msc")->network = "other";
	rig_start(r);
	m = rig_active(r, "msc-1");
	a = rig_active(r, "hlr-1");
	rig_expect(m, "");
	rig_say(r, m, "DAUD apc=11");
	rig_expect(m, "DUNA rc=20 apc=11"); /* the same number in another network */
	rig_say(r, a, "DAUD apc=11");
	rig_expect(a, "DAVA rc=10 apc=11");
	rig_free(r);
}

static void daud_answers_a_list_in_one_message_per_status(void **state)
{
	struct assoc *m;
	struct rig *r = rig_with_listener(&m);

	(void)state;
	rig_say(r, m, "DAUD rc=20 apc=22,4711,11,4711,22");
	rig_expect(m, "DUNA rc=20 apc=11,4711\nDAVA rc=20 apc=22");
	rig_free(r);
}

static void daud_of_a_range_names_its_destinations(void **state)
{
	struct assoc *m;
	struct rig *r = rig_with_listener(&m);

	(void)state;
	rig_say(r, m, "DAUD apc=16/3"); /* 16..23 */
	rig_expect(m, "DAVA rc=20 apc=22");
	rig_say(r, m, "DAUD apc=64/5"); /* nobody there */
	rig_expect(m, "DUNA rc=20 apc=64/5");
	rig_say(r, m, "DAUD apc=0/14");
	rig_expect(m, "DUNA rc=20 apc=11\nDAVA rc=20 apc=22");
	rig_say(r, m, "DAUD apc=0/255,22,16/3");
	rig_expect(m, "DUNA rc=20 apc=11\nDAVA rc=20 apc=22");
	rig_free(r);
}

/* 2000 ranges over 100,000 destinations: each destination once, quickly. */
static void daud_of_everything_many_times_does_not_flood(void **state)
{
	enum { MANY = 16000 };
	struct rig *r = rig_new();
	static struct key_conf keys[MANY];
	char text[8000] = "DAUD apc=0/14";
	unsigned lines = 0;
	struct assoc *m;

	(void)state;
	for (unsigned i = 0; i < MANY; i++)
		keys[i].dpc = i;
	rig_as_conf(r, "hlr")->keys = keys;
	rig_as_conf(r, "hlr")->n_keys = MANY;
	rig_start(r);
	m = rig_active(r, "msc-1");
	for (unsigned i = 0; i < 1000; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), ",0/14");
	rig_say(r, m, text);
	for (const char *s = fake_sent(m); *s; s++)
		lines += *s == '\n';
	assert_int_equal(lines, (MANY + 511) / 512 + 1); /* hlr unavailable; 22 is msc's as well: available */
	rig_free(r);
}

static void daud_of_own_and_of_impossible_point_codes(void **state)
{
	struct rig *r = rig_new();
	uint32_t own = 99;
	struct assoc *m;

	(void)state;
	r->networks[0].pcs = &own;
	r->networks[0].n_pcs = 1;
	rig_start(r);
	m = rig_active(r, "msc-1");
	rig_say(r, m, "DAUD apc=99,65536");
	rig_expect(m, "DUNA rc=20 apc=65536\nDAVA rc=20 apc=99");
	rig_free(r);
}

static void daud_needs_an_active_asp(void **state)
{
	struct rig *r = rig_new();
	struct assoc *m;

	(void)state;
	rig_start(r);
	m = rig_connect(r, "msc-1");
	rig_say(r, m, "DAUD rc=20 apc=11");
	rig_expect(m, "ERR err=6 rc=20");
	rig_say(r, m, "ASPUP");
	rig_forget(r);
	rig_say(r, m, "DAUD rc=20 apc=11");
	rig_expect(m, "ERR err=6 rc=20");
	rig_say(r, m, "DAUD apc=11");
	rig_expect(m, "ERR err=6");
	rig_free(r);
}

static void daud_of_wrong_routing_contexts(void **state)
{
	struct assoc *m;
	struct rig *r = rig_with_listener(&m);

	(void)state;
	rig_say(r, m, "DAUD rc=20,99,98 apc=11");
	rig_expect(m, "ERR err=25 rc=99,98");
	rig_free(r);
}

static void daud_must_say_which_network(void **state)
{
	struct rig *r = rig_new();
	struct as_conf *sms;
	struct assoc *m;

	(void)state;
	r->networks[1] = (struct network_conf){.name = "other", .variant = PC_ANSI, .t8_ms = 1000};
	r->conf.n_networks = 2;
	sms = rig_as(r, "sms", 30, 33, FWD_LOADSHARE);
	sms->network = "other";
	rig_member(r, sms, "msc-1");
	rig_start(r);
	m = rig_active(r, "msc-1");
	rig_say(r, m, "DAUD apc=22");
	rig_expect(m, "ERR err=22");
	rig_say(r, m, "DAUD rc=30 apc=33");
	rig_expect(m, "DAVA rc=30 apc=33");
	rig_free(r);
}

static void congestion_is_told_with_its_level(void **state)
{
	struct assoc *m, *a;
	struct rig *r = rig_with_listener(&m);

	(void)state;
	a = rig_active(r, "hlr-1");
	fake_sent(m);
	fake_event(r->plane, a, PE_CONGESTION, 2, NULL);
	rig_expect(m, "SCON rc=20 apc=11 level=2");
	rig_expect(a, "");
	rig_say(r, m, "DAUD apc=11");
	rig_expect(m, "SCON rc=20 apc=11 level=2\nDAVA rc=20 apc=11");
	fake_event(r->plane, a, PE_CONGESTION, 0, NULL);
	rig_expect(m, "SCON rc=20 apc=11 level=0");
	rig_free(r);
}

static void congestion_of_an_inactive_asp_concerns_nobody(void **state)
{
	struct assoc *m, *a;
	struct rig *r = rig_with_listener(&m);

	(void)state;
	a = rig_up(r, "hlr-1");
	fake_event(r->plane, a, PE_CONGESTION, 3, NULL);
	rig_expect(m, "");
	rig_free(r);
}

static void scon_of_an_asp_goes_to_those_who_send_to_it(void **state)
{
	struct rig *r = rig_new();
	struct as_conf *sms = rig_as(r, "sms", 30, 33, FWD_LOADSHARE);
	struct assoc *m, *a, *b, *s;

	(void)state;
	rig_asp(r, "sms-1", "127.0.0.9");
	rig_member(r, sms, "sms-1");
	rig_start(r);
	m = rig_active(r, "msc-1");
	a = rig_active(r, "hlr-1");
	b = rig_active(r, "hlr-2");
	s = rig_active(r, "sms-1");
	rig_forget(r);
	rig_say(r, a, "SCON rc=10 apc=11 level=1");
	rig_expect(m, "SCON rc=20 apc=11 level=1");
	rig_expect(s, "SCON rc=30 apc=11 level=1");
	rig_expect(b, "");
	rig_expect(a, "");
	rig_say(r, a, "SCON rc=10 apc=11 concerned=22");
	rig_expect(m, "SCON rc=20 apc=11");
	rig_expect(s, "");
	rig_free(r);
}

/* s.3.4.4: "a timer to control congestion notification validity"; asked for meanwhile. */
static void scon_of_an_asp_is_kept_for_a_while(void **state)
{
	struct assoc *m, *a;
	struct rig *r = rig_with_listener(&m);

	(void)state;
	a = rig_active(r, "hlr-1");
	fake_sent(m);
	rig_say(r, a, "SCON rc=10 apc=11");
	rig_expect(m, "SCON rc=20 apc=11 level=1");
	rig_say(r, a, "SCON rc=10 apc=11 level=1"); /* no news */
	rig_say(r, m, "DAUD rc=20 apc=11");
	rig_expect(m, "SCON rc=20 apc=11 level=1\nDAVA rc=20 apc=11");
	rig_pass_ms(r, 11000);
	rig_expect(m, "SCON rc=20 apc=11 level=0");
	rig_free(r);
}

static void where_mtp_has_one_level_none_is_told(void **state)
{
	struct assoc *m, *a;
	struct rig *r = rig_with_listener(&m);

	(void)state;
	a = rig_active(r, "hlr-1");
	fake_sent(m);
	llist_first_entry(sg_networks(r->sg), struct sg_network, entry)->single_level = true;
	rig_say(r, a, "SCON rc=10 apc=11 level=2");
	rig_expect(m, "SCON rc=20 apc=11");
	rig_say(r, m, "DAUD rc=20 apc=11");
	rig_expect(m, "SCON rc=20 apc=11\nDAVA rc=20 apc=11");
	rig_say(r, a, "SCON rc=10 apc=11 level=0");
	rig_expect(m, "");
	rig_free(r);
}

/* ---- what SS7 nodes say: to those whose traffic it is ---- */

static void tfc(struct rig *r, const struct sg_network *n, uint32_t local, uint32_t pc, uint8_t level)
{
	ssnm_tell_congestion(r->sg, n, local, pc, level);
	sg_settle(r->sg);
}

static void upu(
	struct rig *r, const struct sg_network *n, uint32_t local, uint32_t pc, uint8_t user, uint8_t cause)
{
	ssnm_tell_user(r->sg, n, local, pc, user, cause);
	sg_settle(r->sg);
}

static void tfc_for_an_as_is_told_to_its_asps(void **state)
{
	struct assoc *m, *a;
	struct rig *r = rig_with_listener(&m);
	struct sg_network *n = llist_first_entry(sg_networks(r->sg), struct sg_network, entry);

	(void)state;
	a = rig_active(r, "hlr-1");
	fake_sent(m);
	fake_sent(a);
	tfc(r, n, 11, 4711, 2);
	rig_expect(a, "SCON rc=10 apc=4711 level=2");
	rig_expect(m, "");
	tfc(r, n, 22, 4711, 0);
	rig_expect(m, "SCON rc=20 apc=4711 level=0");
	tfc(r, n, 4712, 4711, 1); /* no AS's: the gateway's own */
	rig_expect(m, "SCON rc=20 apc=4711 level=1");
	rig_expect(a, "SCON rc=10 apc=4711 level=1");
	rig_free(r);
}

static void upu_for_an_as_is_told_to_its_asps(void **state)
{
	static uint8_t isup[] = {5};
	struct rig *r = rig_new();
	struct sg_network *n;
	struct assoc *m, *a;

	(void)state;
	rig_as_conf(r, "hlr")->keys[0].si = isup;
	rig_as_conf(r, "hlr")->keys[0].n_si = 1;
	rig_start(r);
	m = rig_active(r, "msc-1");
	a = rig_active(r, "hlr-1");
	fake_sent(m);
	fake_sent(a);
	n = llist_first_entry(sg_networks(r->sg), struct sg_network, entry);
	upu(r, n, 11, 4711, 5, 2);
	rig_expect(a, "DUPU rc=10 apc=4711 cause/user=2/5");
	upu(r, n, 11, 4711, 5, 2); /* within T8 */
	upu(r, n, 11, 4711, 3, 2); /* a user that it has not */
	rig_expect(a, "");
	rig_expect(m, "");
	upu(r, n, 4712, 4711, 3, 1); /* no AS's: the gateway's own */
	rig_expect(a, "DUPU rc=10 apc=4711 cause/user=1/3");
	rig_expect(m, "DUPU rc=20 apc=4711 cause/user=1/3");
	rig_free(r);
}

/* s.3.4.4: "in response to a DATA", once in T8. */
static void data_that_meets_congestion_is_answered_with_scon(void **state)
{
	const struct mtp3_label label = {.opc = 22, .dpc = 11};
	struct assoc *m, *a;
	struct rig *r = rig_with_listener(&m);
	struct sg_network *n = llist_first_entry(sg_networks(r->sg), struct sg_network, entry);

	(void)state;
	a = rig_active(r, "hlr-1");
	fake_sent(m);
	ssnm_tell_sender(sg_asp_by_name(r->sg, "msc-1"), n, &label); /* it is over */
	fake_event(r->plane, a, PE_CONGESTION, 2, NULL);
	rig_expect(m, "SCON rc=20 apc=11 level=2");
	for (unsigned i = 0; i < 3; i++)
		ssnm_tell_sender(sg_asp_by_name(r->sg, "msc-1"), n, &label);
	sg_settle(r->sg);
	rig_expect(m, "SCON rc=20 apc=11 level=2");
	rig_pass_ms(r, 1100);
	ssnm_tell_sender(sg_asp_by_name(r->sg, "msc-1"), n, &label);
	sg_settle(r->sg);
	rig_expect(m, "SCON rc=20 apc=11 level=2");
	rig_free(r);
}

/* s.4.5.3, for each network that the Routing Contexts are of. */
static void daud_of_two_networks_is_answered_for_both(void **state)
{
	struct rig *r = rig_new();
	struct as_conf *far = rig_as(r, "far", 30, 33, FWD_LOADSHARE);
	struct assoc *m;

	(void)state;
	r->networks[1] = (struct network_conf){.name = "other", .variant = PC_ANSI, .t8_ms = 1000};
	r->conf.n_networks = 2;
	far->network = "other";
	rig_member(r, far, "msc-1");
	rig_start(r);
	m = rig_up(r, "msc-1");
	rig_say(r, m, "ASPAC rc=20,30");
	rig_forget(r);
	rig_say(r, m, "DAUD rc=30,20 apc=22,33");
	rig_expect(m, "DUNA rc=20 apc=33\nDAVA rc=20 apc=22\nDUNA rc=30 apc=22\nDAVA rc=30 apc=33");
	rig_say(r, m, "DAUD rc=30 apc=33");
	rig_expect(m, "DAVA rc=30 apc=33");
	rig_free(r);
}

/* A hostile ASP cannot throttle traffic to others. */
static void scon_about_others_is_ignored(void **state)
{
	struct assoc *m, *a;
	struct rig *r = rig_with_listener(&m);

	(void)state;
	a = rig_active(r, "hlr-1");
	fake_sent(m);
	rig_say(r, a, "SCON apc=22,4711 level=3");
	rig_say(r, a, "SCON apc=22 concerned=22 level=3");
	rig_expect(m, "");
	rig_say(r, a, "SCON apc=0/14 level=3");
	rig_expect(m, "SCON rc=20 apc=11 level=3"); /* of all, its own */
	rig_expect(a, "");
	rig_free(r);
}

static void a_user_part_of_a_shared_point_code(void **state)
{
	static uint8_t isup[] = {5}, sccp[] = {3};
	struct rig *r = rig_new();
	struct as_conf *sms = rig_as(r, "sms", 30, 11, FWD_LOADSHARE);
	struct assoc *m, *s;

	(void)state;
	rig_as_conf(r, "hlr")->keys[0].si = sccp;
	rig_as_conf(r, "hlr")->keys[0].n_si = 1;
	sms->keys[0].si = isup;
	sms->keys[0].n_si = 1;
	rig_asp(r, "sms-1", "127.0.0.9");
	rig_member(r, sms, "sms-1");
	rig_start(r);
	m = rig_active(r, "msc-1");
	s = rig_active(r, "sms-1");
	rig_active(r, "hlr-1");
	fake_sent(m);
	assert_int_equal(dest_find(sg_router(r->sg), 0, 11)->n_egresses, 2);
	rig_say(r, s, "ASPIA");
	rig_pass_ms(r, 2000);
	rig_expect(m, ""); /* the other user is still there */
	rig_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(dava_when_the_as_becomes_active),
		cmocka_unit_test(dava_comes_behind_the_table),
		cmocka_unit_test(pending_keeps_the_status_until_t_r),
		cmocka_unit_test(recovery_from_pending_says_nothing),
		cmocka_unit_test(drst_when_asps_are_insufficient),
		cmocka_unit_test(network_appearance_goes_along),
		cmocka_unit_test(other_networks_are_not_told),
		cmocka_unit_test(daud_answers_a_list_in_one_message_per_status),
		cmocka_unit_test(daud_of_a_range_names_its_destinations),
		cmocka_unit_test(daud_of_everything_many_times_does_not_flood),
		cmocka_unit_test(daud_of_own_and_of_impossible_point_codes),
		cmocka_unit_test(daud_needs_an_active_asp),
		cmocka_unit_test(daud_of_wrong_routing_contexts),
		cmocka_unit_test(daud_must_say_which_network),
		cmocka_unit_test(congestion_is_told_with_its_level),
		cmocka_unit_test(congestion_of_an_inactive_asp_concerns_nobody),
		cmocka_unit_test(scon_of_an_asp_goes_to_those_who_send_to_it),
		cmocka_unit_test(scon_of_an_asp_is_kept_for_a_while),
		cmocka_unit_test(where_mtp_has_one_level_none_is_told),
		cmocka_unit_test(tfc_for_an_as_is_told_to_its_asps),
		cmocka_unit_test(upu_for_an_as_is_told_to_its_asps),
		cmocka_unit_test(data_that_meets_congestion_is_answered_with_scon),
		cmocka_unit_test(daud_of_two_networks_is_answered_for_both),
		cmocka_unit_test(scon_about_others_is_ignored),
		cmocka_unit_test(a_user_part_of_a_shared_point_code),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
