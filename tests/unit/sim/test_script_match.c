/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which messages fit which expectation, and what is said of those that do not. */
#include "script_rig.h"

static const struct script_bytes nothing_sent = {NULL, 0};

/* Does CAME fit WANTED? WHY has the difference. */
static bool fits(struct script *s, const char *wanted, const char *came, char *why)
{
	struct script_message m;
	uint8_t bytes[RIG_BYTES];
	uint32_t len = rig_build(s, came, bytes, why);

	if (!len || !rig_read(s, wanted, &m, why))
		fail_msg("%s | %s: %s", wanted, came, why);
	return script_match(s, &m, bytes, len, 3, &nothing_sent, why);
}

static void what_is_named_has_to_fit(void **state)
{
	static const struct {
		const char *wanted, *came, *difference; /* NULL: fits */
	} rows[] = {
		{"ASPUP_ACK", "ASPUP_ACK", NULL},
		{"ASPUP_ACK", "ASPUP_ACK info=\"x\"", NULL},
		{"ASPUP_ACK", "ASPDN_ACK", "it is ASPDN_ACK, not ASPUP_ACK"},
		{"ASPUP_ACK only", "ASPUP_ACK info=\"x\"", "INFO String is there"},
		{"ASPAC_ACK only rc=1", "ASPAC_ACK rc=1", NULL},
		{"ASPAC_ACK only !tmt rc=1", "ASPAC_ACK rc=1 tmt=1", "tmt is there"},
		{"ASPAC_ACK rc=1,2", "ASPAC_ACK rc=2,1", NULL},
		{"ASPAC_ACK rc=1", "ASPAC_ACK rc=1,2", "rc is 1,2 instead of 1"},
		{"ASPAC_ACK rc=1,1", "ASPAC_ACK rc=1,2", "rc is 1,2 instead of 1,1"},
		{"ASPAC_ACK rc=1", "ASPAC_ACK", "rc is missing"},
		{"ASPAC_ACK !rc", "ASPAC_ACK", NULL},
		{"ASPAC_ACK !rc", "ASPAC_ACK rc=1", "rc is there"},
		{"ASPAC_ACK rc=*", "ASPAC_ACK rc=77", NULL},
		{"ASPAC_ACK rc=*", "ASPAC_ACK", "rc is missing"},
		{"NTFY status=AS_ACTIVE", "NTFY status=AS_PENDING",
			"status is AS_PENDING instead of AS_ACTIVE"},
		{"DUNA apc=1-2-0/3", "DUNA apc=2064", "apc is 2064 instead of 2064/3"},
		{"DATA data { sls=5 payload=01 }", "DATA data { opc=1 dpc=2 sls=5 payload=01 }", NULL},
		{"DATA data { sls=5 }", "DATA data { sls=6 payload=01 }", "sls is 6 instead of 5"},
		{"DATA data { payload=01 }", "DATA data { payload=0100 }", "the payload is another"},
		{"DATA data { sls=* payload=* }", "DATA data { payload=0100 }", NULL},
		{"BEAT_ACK hb=0102", "BEAT_ACK hb=0103", "hb has 2 octets that are not the 2 expected"},
		{"BEAT_ACK p0x0009=", "BEAT_ACK p0x0009=", NULL},
		{"REG_RSP result { lrk=2 status=1 }",
			"REG_RSP result { lrk=1 status=0 rc=5 } result { lrk=2 status=1 rc=0 }", NULL},
		{"REG_RSP result { lrk=2 status=0 }",
			"REG_RSP result { lrk=1 status=0 rc=5 } result { lrk=2 status=1 rc=0 }",
			"status is 1 instead of 0"},
		{"ASPUP_ACK stream=3", "ASPUP_ACK", NULL},
		{"ASPUP_ACK stream=0", "ASPUP_ACK", "it came on stream 3"},
		{"hex=0102", "hex=0102", NULL},
		{"hex=0102", "hex=0103", "the octets are others"},
		{"ASPUP_ACK", "hex=0102", "shorter than a header"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct script *s = rig_script();
		char why[SCRIPT_ERR];
		bool ok = fits(s, rows[i].wanted, rows[i].came, why);

		if (ok != !rows[i].difference || (!ok && strcmp(why, rows[i].difference) != 0))
			fail_msg("%s | %s: %s", rows[i].wanted, rows[i].came, ok ? "fits" : why);
		script_free(s);
	}
}

static void malformed_messages_never_fit(void **state)
{
	static const char *const rows[] = {
		"ASPUP_ACK length=+4",
		"ASPUP_ACK rc=1",
		"ASPUP_ACK p0x0011=01",
		"NTFY",
		"ASPUP_ACK version=2",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct script *s = rig_script();
		char why[SCRIPT_ERR];

		assert_false(fits(s, i == 3 ? "NTFY" : "ASPUP_ACK", rows[i], why));
		assert_non_null(strstr(why, "malformed"));
		script_free(s);
	}
}

static void an_error_must_bring_what_its_code_demands(void **state)
{
	struct script *s = rig_script();
	char why[SCRIPT_ERR];

	(void)state;
	assert_false(fits(s, "ERR err=INVALID_RC", "ERR err=INVALID_RC", why));
	assert_true(fits(s, "ERR err=INVALID_RC !rc", "ERR err=INVALID_RC", why));
	assert_true(fits(s, "ERR err=INVALID_RC", "ERR err=INVALID_RC rc=1", why));
	assert_false(fits(s, "ERR err=UNSUPPORTED_TYPE", "ERR err=UNSUPPORTED_TYPE", why));
	script_free(s);
}

static void values_are_captured_and_compared(void **state)
{
	struct script *s = rig_script();
	char why[SCRIPT_ERR];

	(void)state;
	assert_true(fits(s, "ASPAC_ACK rc=?x stream=?on", "ASPAC_ACK rc=42", why));
	assert_true(fits(s, "ASPIA_ACK rc=$x stream=$on", "ASPIA_ACK rc=42", why));
	assert_true(fits(s, "ASPIA_ACK rc=$x+1", "ASPIA_ACK rc=43", why));
	assert_false(fits(s, "ASPIA_ACK rc=$x", "ASPIA_ACK rc=43", why));
	assert_string_equal(why, "rc is 43 instead of 42");
	script_free(s);
}

static void diagnostics_are_the_beginning_of_what_was_sent(void **state)
{
	static const struct {
		uint32_t sent, diag;
		bool ok;
	} rows[] = {{8, 8, true}, {8, 7, false}, {100, 40, true}, {100, 100, true}, {100, 39, false}};
	uint8_t octets[100];

	(void)state;
	for (unsigned i = 0; i < sizeof(octets); i++)
		octets[i] = (uint8_t)i;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct script *s = rig_script();
		struct script_bytes sent = {octets, rows[i].sent};
		struct script_message m;
		uint8_t bytes[RIG_BYTES];
		struct wr w = wr_over(bytes, sizeof(bytes));
		char why[SCRIPT_ERR];

		m3ua_begin(&w, M3UA_ERR);
		m3ua_put_u32(&w, M3UA_P_ERROR_CODE, M3UA_E_PROTOCOL);
		m3ua_put_bytes(&w, M3UA_P_DIAGNOSTIC, octets, rows[i].diag);
		assert_true(rig_read(s, "ERR diag=sent", &m, why));
		assert_int_equal(script_match(s, &m, bytes, m3ua_end(&w), 0, &sent, why), rows[i].ok);
		script_free(s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_named_has_to_fit),
		cmocka_unit_test(malformed_messages_never_fit),
		cmocka_unit_test(an_error_must_bring_what_its_code_demands),
		cmocka_unit_test(values_are_captured_and_compared),
		cmocka_unit_test(diagnostics_are_the_beginning_of_what_was_sent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
