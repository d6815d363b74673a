/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the sender of DATA that was not forwarded is told. */
#include <stdlib.h>
#include <string.h>

#include "rig.h"
#include "wire/m3ua_data.h"

/* DATA from msc-1, RC as given (or none), to DPC. */
static uint32_t data(uint8_t *out, const char *rc, uint32_t dpc, uint8_t si)
{
	uint8_t room[256];
	struct m3ua_data d = {.label = {.opc = 22, .dpc = dpc, .si = si, .ni = 2, .sls = 3}};
	uint32_t total;
	uint8_t *start;

	memset(room, 0, sizeof(room));
	if (rc) {
		d.has_rc = true;
		d.rc = (uint32_t)strtoul(rc, NULL, 0);
	}
	start = m3ua_data_write(room + 128, 4, &d, &total);
	memcpy(out, start, total);
	return total;
}

static struct assoc *sender(struct rig **r)
{
	*r = rig_new();
	rig_start(*r);
	return rig_active(*r, "msc-1");
}

static void refuse(struct rig *r, struct assoc *m, const char *rc, uint32_t dpc, enum drop_reason why)
{
	uint8_t bytes[256];
	uint32_t len = data(bytes, rc, dpc, 5);

	fake_refused(r->plane, m, why == DROP_STREAM_0 ? 0 : 3, bytes, len, why, dpc);
}

static void duna_at_most_once_per_t8_and_point_code(void **state)
{
	struct rig *r;
	struct assoc *m = sender(&r);

	(void)state;
	refuse(r, m, "20", 4711, DROP_NO_ROUTE);
	rig_expect(m, "DUNA rc=20 apc=4711");
	refuse(r, m, "20", 4711, DROP_NO_ROUTE);
	rig_expect(m, "");
	refuse(r, m, "20", 4712, DROP_NO_ROUTE);
	rig_expect(m, "DUNA rc=20 apc=4712");
	rig_pass_ms(r, 999);
	refuse(r, m, "20", 4711, DROP_NO_ROUTE);
	rig_expect(m, "");
	rig_pass_ms(r, 1);
	refuse(r, m, NULL, 4711, DROP_NO_ROUTE);
	rig_expect(m, "DUNA rc=20 apc=4711");
	rig_free(r);
}

static void each_sender_is_told_for_itself(void **state)
{
	struct rig *r;
	struct assoc *m = sender(&r), *a = rig_active(r, "hlr-1");

	(void)state;
	fake_sent(m);
	refuse(r, m, "20", 4711, DROP_NO_ROUTE);
	refuse(r, a, "10", 4711, DROP_NO_ROUTE);
	rig_expect(m, "DUNA rc=20 apc=4711");
	rig_expect(a, "DUNA rc=10 apc=4711");
	rig_free(r);
}

/* One that went down, and may be another process by now, remembers nothing: T8 is not the old one's. */
static void who_comes_back_is_told_again(void **state)
{
	struct rig *r;
	struct assoc *m = sender(&r);

	(void)state;
	refuse(r, m, "20", 4711, DROP_NO_ROUTE);
	rig_expect(m, "DUNA rc=20 apc=4711");
	fake_down(r->plane, m, "aborted by peer");
	m = rig_active(r, "msc-1");
	fake_sent(m);
	refuse(r, m, "20", 4711, DROP_NO_ROUTE);
	rig_expect(m, "DUNA rc=20 apc=4711");
	rig_say(r, m, "ASPDN");
	rig_say(r, m, "ASPUP");
	rig_say(r, m, "ASPAC");
	fake_grace(r->plane);
	fake_sent(m);
	refuse(r, m, "20", 4711, DROP_NO_ROUTE);
	rig_expect(m, "DUNA rc=20 apc=4711");
	rig_free(r);
}

static void any_number_of_point_codes_is_bounded(void **state)
{
	struct rig *r;
	struct assoc *m = sender(&r);
	unsigned told = 0;

	(void)state;
	for (unsigned round = 0; round < 2; round++)
		for (uint32_t pc = 1000; pc < 11000; pc++) {
			refuse(r, m, "20", pc, DROP_NO_ROUTE);
			told += *fake_sent(m) != '\0';
		}
	assert_in_range(told, 900, 1024); /* each at most once */
	rig_free(r);
}

static void dupu_names_the_user(void **state)
{
	struct rig *r;
	struct assoc *m = sender(&r);

	(void)state;
	refuse(r, m, "20", 11, DROP_NO_USER);
	rig_expect(m, "DUPU rc=20 apc=11 cause/user=1/5");
	refuse(r, m, "20", 11, DROP_NO_USER);
	rig_expect(m, "");
	rig_free(r);
}

static void a_dead_as_is_duna_or_dupu_if_others_serve_the_point_code(void **state)
{
	static uint8_t isup[] = {5};
	struct rig *r = rig_new();
	struct as_conf *sms = rig_as(r, "sms", 30, 11, FWD_LOADSHARE);
	struct assoc *m;

	(void)state;
	sms->keys[0].si = isup;
	sms->keys[0].n_si = 1;
	rig_start(r);
	m = rig_active(r, "msc-1");
	refuse(r, m, "20", 11, DROP_AS_DOWN);
	rig_expect(m, "DUNA rc=20 apc=11");
	rig_active(r, "hlr-1");
	fake_sent(m);
	refuse(r, m, "20", 11, DROP_AS_DOWN);
	rig_expect(m, "DUPU rc=20 apc=11 cause/user=2/5");
	rig_free(r);
}

/* The worker refused it by the table of before; the DAVA is out. */
static void no_duna_behind_the_dava(void **state)
{
	struct rig *r;
	struct assoc *m = sender(&r);

	(void)state;
	rig_say(r, rig_up(r, "hlr-1"), "ASPAC");
	rig_expect(m, "DAVA rc=20 apc=11");
	refuse(r, m, "20", 11, DROP_AS_DOWN);
	rig_expect(m, "");
	rig_free(r);
}

static void errors_have_their_codes(void **state)
{
	static const struct {
		enum drop_reason why;
		const char *rc, *answer;
	} rows[] = {
		{DROP_NOT_ACTIVE, "20", "ERR err=6 rc=20"},
		{DROP_BAD_RC, "99", "ERR err=25 rc=99"},
		{DROP_NO_RC, NULL, "ERR err=22"},
		{DROP_STREAM_0, "20", "ERR err=9"},
		{DROP_BAD_NI, "20", ""},
		{DROP_OWN_OPC, "20", ""},
		{DROP_LOOP, "20", ""},
		{DROP_HOLD_FULL, "20", ""},
		{DROP_TXQ_FULL, "20", ""},
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct rig *r;
		struct assoc *m = sender(&r);

		refuse(r, m, rows[i].rc, 11, rows[i].why);
		rig_expect(m, rows[i].answer);
		rig_free(r);
	}
}

static void every_reason_is_survived_with_any_bytes(void **state)
{
	static const uint8_t runt[] = {1, 0, 1}, empty[] = {1, 0, 1, 1, 0, 0, 0, 8};

	(void)state;
	for (unsigned why = 0; why < DROP_COUNT; why++) {
		struct rig *r;
		struct assoc *m = sender(&r);

		fake_refused(r->plane, m, 1, runt, sizeof(runt), (enum drop_reason)why, 0);
		fake_refused(r->plane, m, 1, empty, sizeof(empty), (enum drop_reason)why, 0);
		assert_int_equal(rig_state(r, "msc", "msc-1"), ASP_ACTIVE);
		rig_free(r);
	}
}

static void malformed_data_is_answered_by_the_dictionary(void **state)
{
	static const uint8_t no_protocol_data[] = {1, 0, 1, 1, 0, 0, 0, 16, 0, 6, 0, 8, 0, 0, 0, 20};
	static const uint8_t short_label[] = {1, 0, 1, 1, 0, 0, 0, 16, 2, 16, 0, 8, 0, 0, 0, 20};
	struct rig *r;
	struct assoc *m = sender(&r);

	(void)state;
	fake_refused(r->plane, m, 1, no_protocol_data, sizeof(no_protocol_data), DROP_MALFORMED, 0);
	rig_expect(m, "ERR err=22");
	fake_refused(r->plane, m, 1, short_label, sizeof(short_label), DROP_MALFORMED, 0);
	rig_expect(m, "ERR err=18");
	rig_free(r);
}

static void wrong_network_appearance_is_named(void **state)
{
	struct rig *r;
	struct assoc *m = sender(&r);
	uint8_t room[256] = {0}, *start;
	struct m3ua_data d = {
		.label = {.opc = 22, .dpc = 11, .si = 5}, .has_na = true, .na = 77, .has_rc = true, .rc = 20};
	uint32_t total;

	(void)state;
	start = m3ua_data_write(room + 128, 4, &d, &total);
	fake_refused(r->plane, m, 1, start, total, DROP_BAD_NA, 77);
	rig_expect(m, "ERR err=21 na=77");
	rig_free(r);
}

static void asp_of_no_as_has_no_configured_as(void **state)
{
	struct rig *r = rig_new();
	struct assoc *m;

	(void)state;
	rig_asp(r, "loner", "127.0.0.9");
	rig_start(r);
	m = rig_up(r, "loner");
	refuse(r, m, NULL, 11, DROP_NO_RC);
	rig_expect(m, "ERR err=26");
	refuse(r, m, NULL, 11, DROP_NO_ROUTE);
	rig_expect(m, "");
	rig_free(r);
}

static void errors_about_data_are_rate_limited(void **state)
{
	struct rig *r;
	struct assoc *m = sender(&r);
	unsigned lines = 0;

	(void)state;
	for (unsigned i = 0; i < 2 * SG_DATA_ERRORS_PER_SECOND; i++) {
		refuse(r, m, "99", 11, DROP_BAD_RC);
		for (const char *s = fake_sent(m); *s; s++)
			lines += *s == '\n';
	}
	assert_int_equal(lines, SG_DATA_ERRORS_PER_SECOND);
	assert_int_equal(sg_asp_by_name(r->sg, "msc-1")->errors_suppressed, SG_DATA_ERRORS_PER_SECOND);
	rig_pass_ms(r, 1000);
	refuse(r, m, "99", 11, DROP_BAD_RC);
	rig_expect(m, "ERR err=25 rc=99");
	rig_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(duna_at_most_once_per_t8_and_point_code),
		cmocka_unit_test(each_sender_is_told_for_itself),
		cmocka_unit_test(who_comes_back_is_told_again),
		cmocka_unit_test(any_number_of_point_codes_is_bounded),
		cmocka_unit_test(dupu_names_the_user),
		cmocka_unit_test(a_dead_as_is_duna_or_dupu_if_others_serve_the_point_code),
		cmocka_unit_test(no_duna_behind_the_dava),
		cmocka_unit_test(errors_have_their_codes),
		cmocka_unit_test(every_reason_is_survived_with_any_bytes),
		cmocka_unit_test(malformed_data_is_answered_by_the_dictionary),
		cmocka_unit_test(wrong_network_appearance_is_named),
		cmocka_unit_test(asp_of_no_as_has_no_configured_as),
		cmocka_unit_test(errors_about_data_are_rate_limited),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
