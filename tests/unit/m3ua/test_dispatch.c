/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any message, in any state, on any stream: an answer or a documented silence, and never a change of anybody
 * else's service. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rig.h"

enum peer_state { CONNECTED, UP, ACTIVE, PEER_STATES };

static struct assoc *in_state(struct rig *r, enum peer_state s)
{
	return s == CONNECTED ? rig_connect(r, "hlr-1")
	       : s == UP      ? rig_up(r, "hlr-1")
			      : rig_active(r, "hlr-1");
}

/* One well-formed message of each type, and what comes back in each state. Diagnostics are not shown. */
static const struct {
	const char *text, *answer[PEER_STATES];
} rows[] = {
	{"ERR err=6", {"", "", ""}},
	{"NTFY st=1/3", {"ERR err=6", "ERR err=6", "ERR err=6"}},
	{"DUNA apc=22", {"ERR err=6", "ERR err=6", "ERR err=6"}},
	{"DAVA rc=10 apc=22", {"ERR err=6 rc=10", "ERR err=6 rc=10", "ERR err=6 rc=10"}},
	{"DRST apc=22", {"ERR err=6", "ERR err=6", "ERR err=6"}},
	{"DUPU apc=22 cause/user=1/5", {"ERR err=6", "ERR err=6", "ERR err=6"}},
	{"DAUD apc=22", {"ERR err=6", "ERR err=6", "DAVA rc=10 apc=22"}},
	{"SCON apc=11", {"ERR err=6", "ERR err=6", ""}},
	{"ASPUP", {"ASPUP_ACK\nNTFY st=1/2 rc=10", "ASPUP_ACK", "ASPUP_ACK\nERR err=6\nNTFY st=1/4 rc=10"}},
	{"ASPDN", {"ASPDN_ACK", "ASPDN_ACK", "ASPDN_ACK"}},
	{"BEAT", {"BEAT_ACK", "BEAT_ACK", "BEAT_ACK"}},
	{"ASPUP_ACK", {"ERR err=6", "ERR err=6", "ERR err=6"}},
	{"ASPDN_ACK", {"ERR err=6", "ERR err=6", "ERR err=6"}},
	{"BEAT_ACK", {"", "", ""}},
	{"ASPAC", {"ERR err=6", "ASPAC_ACK rc=10\nNTFY st=1/3 rc=10", "ASPAC_ACK rc=10"}},
	{"ASPIA", {"ERR err=6", "ASPIA_ACK rc=10", "ASPIA_ACK rc=10\nNTFY st=1/4 rc=10"}},
	{"ASPAC_ACK", {"ERR err=6", "ERR err=6", "ERR err=6"}},
	{"ASPIA_ACK rc=10", {"ERR err=6 rc=10", "ERR err=6 rc=10", "ERR err=6 rc=10"}},
	{"DEREG_REQ rc=10", {"ERR err=3", "ERR err=3", "ERR err=3"}},
	{"REG_REQ", {"ERR err=3", "ERR err=3", "ERR err=3"}}, /* without its mandatory parameter */
	{"REG_RSP", {"ERR err=3", "ERR err=3", "ERR err=3"}},
	{"DEREG_RSP", {"ERR err=3", "ERR err=3", "ERR err=3"}},
};

/* msc-1 serves msc all the while. */
static void assert_others_undisturbed(struct rig *r, struct assoc *other)
{
	assert_int_equal(rig_state(r, "msc", "msc-1"), ASP_ACTIVE);
	assert_int_equal(rig_as_state(r, "msc"), AS_ACTIVE);
	assert_int_equal(rig_table_as(r, "msc")->n_slots, 1);
	assert_ptr_equal(rig_table_as(r, "msc")->slots[0].assoc, other);
	assert_true(rig_accepts(r, other, 20));
}

static void every_type_in_every_state(void **state)
{
	(void)state;
	for (unsigned s = 0; s < PEER_STATES; s++)
		for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
			struct rig *r = rig_new();
			struct assoc *other, *a;

			rig_start(r);
			other = rig_active(r, "msc-1");
			a = in_state(r, (enum peer_state)s);
			rig_say(r, a, rows[i].text);
			rig_expect_after_grace(r, a, rows[i].answer[s]);
			assert_others_undisturbed(r, other);
			rig_free(r);
		}
}

/* s.1.4.7: ASPSM (but BEAT) belongs on stream 0; SSNM, ASPTM, BEAT may come on any. */
static void streams(void **state)
{
	static const struct {
		const char *text, *answer;
	} on_stream_3[] = {
		{"ASPUP", "ERR err=9"},
		{"ASPDN", "ERR err=9"},
		{"ERR err=6", ""},
		{"BEAT", "BEAT_ACK"},
		{"ASPAC", "ASPAC_ACK rc=10"},
		{"DAUD apc=11", "DAVA rc=10 apc=11"},
		{"DEREG_REQ rc=10", "ERR err=3"},
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(on_stream_3) / sizeof(on_stream_3[0]); i++) {
		struct rig *r = rig_new();
		struct assoc *a;

		rig_start(r);
		a = rig_active(r, "hlr-1");
		rig_say_on(r, a, 3, on_stream_3[i].text);
		rig_expect_after_grace(r, a, on_stream_3[i].answer);
		assert_int_equal(rig_state(r, "hlr", "hlr-1"), ASP_ACTIVE);
		rig_free(r);
	}
}

/* Bytes that are no message of ours: the error, and 40 octets of the offender at most. */
static void wrong_versions_classes_types_and_lengths(void **state)
{
	static const struct {
		uint8_t bytes[12];
		uint32_t len;
		const char *answer;
	} bad[] = {
		{{2, 0, 3, 1, 0, 0, 0, 8}, 8, "ERR err=1 diag=0200030100000008\n"},
		{{2, 0, 9, 1, 0, 0, 0, 8}, 8, "ERR err=1 diag=0200090100000008\n"},
		{{1, 0, 7, 1, 0, 0, 0, 8}, 8, "ERR err=3 diag=0100070100000008\n"},
		{{1, 0, 9, 9, 0, 0, 0, 8}, 8, "ERR err=3 diag=0100090900000008\n"},
		{{1, 0, 3, 9, 0, 0, 0, 8}, 8, "ERR err=4 diag=0100030900000008\n"},
		{{1, 0, 0, 2, 0, 0, 0, 8}, 8, "ERR err=4 diag=0100000200000008\n"},
		{{1, 0, 3, 1, 0, 0, 1, 0}, 8, "ERR err=7 diag=0100030100000100\n"},
		{{1, 0, 3, 1, 0, 0, 0, 4}, 8, "ERR err=7 diag=0100030100000004\n"},
		{{1, 0, 4, 1, 0, 0, 0, 12, 0, 6, 0, 2}, 12, "ERR err=18 diag=0100\n"},
		{{1, 0, 4, 1, 0, 0, 0, 12, 0, 4, 1, 0}, 12, "ERR err=18 diag=0100\n"},
		{{1, 0, 3, 1, 0, 0, 0, 12, 0, 6, 0, 4}, 12, "ERR err=19\n"},
		{{1, 0, 0, 0, 0, 0, 0, 8}, 8, ""}, /* a malformed ERR is never answered by an ERR */
		{{2, 0, 0, 0, 0, 0, 0, 8}, 8, ""},
		{{1, 0, 3}, 3, ""},
		{{0}, 0, ""},
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct rig *r = rig_new();
		struct assoc *a;
		const char *got;

		rig_start(r);
		a = rig_active(r, "hlr-1");
		fake_rx(r->plane, a, 0, bad[i].bytes, bad[i].len);
		got = fake_sent(a);
		/* up to the point where the row's text ends, its newline aside */
		assert_int_equal(strncmp(got, bad[i].answer, strcspn(bad[i].answer, "\n")), 0);
		assert_int_equal(*got == '\0', *bad[i].answer == '\0');
		assert_int_equal(rig_state(r, "hlr", "hlr-1"), ASP_ACTIVE);
		rig_free(r);
	}
}

static void diagnostic_is_the_first_40_octets(void **state)
{
	struct rig *r = rig_new();
	uint8_t bytes[100] = {1, 0, 7, 1, 0, 0, 0, 100};
	const uint8_t *answer;
	struct m3ua_param diag;
	struct m3ua_fault f;
	struct m3ua_msg m;
	struct assoc *a;
	uint32_t len;

	(void)state;
	for (unsigned i = 8; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)i;
	rig_start(r);
	a = rig_connect(r, "hlr-1");
	fake_rx(r->plane, a, 0, bytes, sizeof(bytes));
	answer = fake_last(a, &len, NULL);
	assert_true(m3ua_parse(answer, len, &m, &f));
	assert_true(m3ua_complete(&m, &f));
	assert_true(m3ua_find(&m, M3UA_P_DIAGNOSTIC, &diag));
	assert_int_equal(diag.len, 40);
	assert_memory_equal(diag.v, bytes, 40);
	rig_free(r);
}

/* A message is refused whole: what is right in it changes nothing. */
static void nothing_changes_before_all_is_checked(void **state)
{
	struct rig *r = rig_new();
	uint8_t bytes[64];
	struct assoc *a;
	uint32_t len;

	(void)state;
	rig_start(r);
	a = rig_up(r, "hlr-1");
	len = rig_encode(bytes, sizeof(bytes) - 4, "ASPAC rc=10");
	memcpy(bytes + len, (uint8_t[]){0, 4, 0, 1}, 4); /* an INFO String of length 1 */
	bytes[7] = (uint8_t)(len + 4);
	fake_rx(r->plane, a, 0, bytes, len + 4);
	rig_expect(a, "ERR err=18");
	assert_int_equal(rig_state(r, "hlr", "hlr-1"), ASP_INACTIVE);
	rig_free(r);
}

static void received_errors_are_counted_by_code(void **state)
{
	struct rig *r = rig_new();
	struct assoc *a;
	struct asp *asp;

	(void)state;
	rig_start(r);
	a = rig_up(r, "hlr-1");
	asp = sg_asp_by_name(r->sg, "hlr-1");
	rig_say(r, a, "ERR err=6");
	rig_say(r, a, "ERR err=6");
	rig_say(r, a, "ERR err=25 rc=1");
	assert_int_equal(asp->errors_rx[6], 2);
	assert_int_equal(asp->errors_rx[25], 1);
	assert_int_equal(asp->rx[asp_type_slot(M3UA_ERR)], 3);
	rig_say(r, a, "NTFY st=1/2");
	assert_int_equal(asp->errors_tx[6], 1);
	assert_int_equal(asp->tx[asp_type_slot(M3UA_ERR)], 1);
	assert_int_equal(asp_slot_type(asp_type_slot(M3UA_ERR)), M3UA_ERR);
	assert_int_equal(asp_slot_type(0), 0);
	assert_int_equal(asp_type_slot(0x7777), 0);
	rig_free(r);
}

/* Mutated messages: whatever they do to their sender, the others go on, and no buffer is lost. */
static void mutated_messages_disturb_nobody(void **state)
{
	struct rig *r = rig_new();
	struct assoc *other, *a;

	(void)state;
	srandom(4666);
	rig_start(r);
	other = rig_active(r, "msc-1");
	a = rig_active(r, "hlr-1");
	for (unsigned i = 0; i < 40000; i++) {
		uint8_t bytes[512];
		uint32_t len = rig_encode(bytes, sizeof(bytes),
			rows[(unsigned)random() % (sizeof(rows) / sizeof(rows[0]))].text);

		for (long k = random() % 4; k >= 0; k--)
			bytes[random() % len] = (uint8_t)random();
		fake_rx(r->plane, a, (uint16_t)(random() % 3), bytes, len - (uint32_t)random() % 2);
		if (i % 64 == 0) {
			fake_grace(r->plane);
			fake_sent(a), fake_sent(other), fake_journal(r->plane);
			assert_others_undisturbed(r, other);
		}
	}
	rig_forget(r);
	assert_int_equal(fake_buffers_out(r->plane), 0);
	rig_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_type_in_every_state),
		cmocka_unit_test(streams),
		cmocka_unit_test(wrong_versions_classes_types_and_lengths),
		cmocka_unit_test(diagnostic_is_the_first_40_octets),
		cmocka_unit_test(nothing_changes_before_all_is_checked),
		cmocka_unit_test(received_errors_are_counted_by_code),
		cmocka_unit_test(mutated_messages_disturb_nobody),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
