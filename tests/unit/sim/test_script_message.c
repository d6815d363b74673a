/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Messages in words become the right bytes, and the wrong ones where that is wanted. */
#include "script_rig.h"

static void fields_become_parameters_in_the_order_written(void **state)
{
	static const struct {
		const char *text, *dump;
	} rows[] = {
		{"ASPUP", "ASPUP"},
		{"ASPUP asp_id=7 info=\"hi\"", "ASPUP asp=7 info=\"hi\""},
		{"ASPAC tmt=loadshare rc=1,2,0x10", "ASPAC tmt=2 rc=1,2,16"},
		{"ASPAC rc=1 tmt=override", "ASPAC rc=1 tmt=1"},
		{"NTFY status=AS_PENDING asp_id=3 rc=10", "NTFY st=1/4 asp=3 rc=10"},
		{"NTFY status=2/3", "NTFY st=2/3"},
		{"ERR err=INVALID_RC rc=9 diag=0102", "ERR err=25 rc=9 diag=0102"},
		{"DUNA na=1 rc=10 apc=1-2-3,8/3", "DUNA na=1 rc=10 apc=2067,8/3"},
		{"SCON apc=5 concerned=6 level=2", "SCON apc=5 concerned=6 level=2"},
		{"DUPU apc=1-2-3 cause=1/5", "DUPU apc=2067 cause/user=1/5"},
		{"BEAT hb=a5*3", "BEAT hb=a5a5a5"},
		{"DATA rc=1 data { opc=1-2-3 dpc=2-2-2 si=3 ni=2 mp=1 sls=7 payload=0102 } corr=4",
			"DATA rc=1 data=opc:2067,dpc:4114,si:3,ni:2,mp:1,sls:7,len:2 corr=4"},
		{"REG_REQ rk { lrk=1 tmt=override dpc=1-2-3 si=3,5 opc=7,8 }",
			"REG_REQ rk={ lrk=1 tmt=1 dpc=2067 si=3,5 opc=7,8 }"},
		{"REG_RSP result { lrk=1 status=0 rc=5 }", "REG_RSP result={ lrk=1 status=0 rc=5 }"},
		{"DEREG_RSP result { rc=5 status=1 }", "DEREG_RSP result={ rc=5 status=1 }"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct script *s = rig_script();
		uint8_t bytes[RIG_BYTES];
		char dump[256], err[SCRIPT_ERR];
		uint32_t len = rig_build(s, rows[i].text, bytes, err);

		if (!len)
			fail_msg("%s: %s", rows[i].text, err);
		assert_string_equal(m3ua_dump(bytes, len, dump, sizeof(dump)), rows[i].dump);
		script_free(s);
	}
}

static void what_is_wrong_on_purpose_comes_out_wrong(void **state)
{
	static const struct {
		const char *text, *hex;
	} rows[] = {
		{"ASPUP version=2", "0200030100000008"},
		{"ASPUP reserved=255", "01ff030100000008"},
		{"ASPUP type=9.10", "0100090a00000008"},
		{"type=5.6", "0100050600000008"},
		{"ASPUP length=+4", "010003010000000c"},
		{"ASPUP length=-4", "0100030100000004"},
		{"ASPUP length=77", "010003010000004d"},
		{"ASPUP p0x0011=01", "01000301000000100011000501000000"},
		{"ASPUP p0x0011/4=00000001", "01000301000000100011000400000001"},
		{"ASPUP p0x0004=", "010003010000000c00040004"},
		{"ASPUP raw=0011", "010003010000000a0011"},
		{"ASPUP rc=1 rc=1", "010003010000001800060008000000010006000800000001"},
		{"hex=0102", "0102"},
		{"DUNA apc=99999", "01000201000000100012000800"
				   "01869f"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct script *s = rig_script();
		struct script_bytes want;
		uint8_t bytes[RIG_BYTES];
		char err[SCRIPT_ERR];
		uint32_t len = rig_build(s, rows[i].text, bytes, err);

		if (!len)
			fail_msg("%s: %s", rows[i].text, err);
		assert_true(value_hex(s, rows[i].hex, &want));
		assert_int_equal(len, want.len);
		assert_memory_equal(bytes, want.p, len);
		script_free(s);
	}
}

static void variables_are_read_when_the_message_is_made(void **state)
{
	struct script *s = rig_script();
	struct script_message m;
	uint8_t bytes[RIG_BYTES];
	char dump[64], err[SCRIPT_ERR];
	uint32_t len;

	(void)state;
	assert_true(rig_read(s, "ASPAC rc=$x,$x+5", &m, err));
	s->vars[script_var(s, "x", 1)].value = 10;
	len = script_build(s, &m, bytes, sizeof(bytes), err);
	assert_string_equal(m3ua_dump(bytes, len, dump, sizeof(dump)), "ASPAC rc=10,15");
	script_free(s);
}

static void mistakes_are_found(void **state)
{
	static const char *const rows[] = {
		"ASPUPP",
		"rc=1",
		"",
		"ASPUP nonsense=1",
		"ASPUP asp_id=abc",
		"ASPUP asp_id=4294967296",
		"ASPAC rc=",
		"ASPAC rc=1,,x",
		"NTFY status=AS_ACTIV",
		"ASPAC tmt=both",
		"BEAT hb=abc",
		"BEAT hb=zz",
		"BEAT hb=00*0",
		"ASPUP rc",
		"DATA data { opc=1-2-3",
		"DATA data { nonsense=1 }",
		"DATA data { opc }",
		"DATA data { si=256 }",
		"ASPUP rc { lrk=1 }",
		"ASPUP }",
		"ASPUP version=256",
		"ASPUP type=9",
		"ASPUP length=x",
		"ASPUP p0x10000=00",
		"DUNA apc=1-2-3/256",
		"DUNA apc=9-300-9",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct script *s = rig_script();
		struct script_message m;
		char err[SCRIPT_ERR] = "";

		if (rig_read(s, rows[i], &m, err))
			fail_msg("accepted: %s", rows[i]);
		assert_string_not_equal(err, "");
		script_free(s);
	}
}

static void what_has_no_value_cannot_be_sent(void **state)
{
	static const char *const rows[] = {"ASPAC rc=*", "ASPAC rc=?x", "ASPAC !rc", "ERR diag=sent"};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct script *s = rig_script();
		uint8_t bytes[RIG_BYTES];
		char err[SCRIPT_ERR];

		assert_int_equal(rig_build(s, rows[i], bytes, err), 0);
		assert_non_null(strstr(err, "no value"));
		script_free(s);
	}
}

static void a_message_that_does_not_fit_is_refused(void **state)
{
	struct script *s = rig_script();
	struct script_message m;
	uint8_t bytes[64];
	char err[SCRIPT_ERR];

	(void)state;
	assert_true(rig_read(s, "BEAT hb=00*64", &m, err));
	assert_int_equal(script_build(s, &m, bytes, sizeof(bytes), err), 0);
	script_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fields_become_parameters_in_the_order_written),
		cmocka_unit_test(what_is_wrong_on_purpose_comes_out_wrong),
		cmocka_unit_test(variables_are_read_when_the_message_is_made),
		cmocka_unit_test(mistakes_are_found),
		cmocka_unit_test(what_has_no_value_cannot_be_sent),
		cmocka_unit_test(a_message_that_does_not_fit_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
