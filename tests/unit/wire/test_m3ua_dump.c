/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "hex.h"
#include "messages.h"
#include "wire/m3ua.h"

static const struct {
	uint16_t type;
	const char *text;
} good[] = {
	{M3UA_ERR, "ERR err=25 rc=10,18,4096 apc=2057,2065,4096/3 na=7 "
		   "diag=a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5+26"},
	{M3UA_NTFY, "NTFY st=1/3 asp=4711 rc=10,18,4096 info=\"hello\""},
	{M3UA_DATA, "DATA na=7 rc=10 data=opc:2057,dpc:2058,si:3,ni:2,mp:0,sls:11,len:21 corr=99"},
	{M3UA_SCON, "SCON na=7 rc=10,18,4096 apc=2057,2065,4096/3 concerned=2058 level=2 info=\"hello\""},
	{M3UA_DUPU, "DUPU na=7 rc=10,18,4096 apc=2057 cause/user=1/3 info=\"hello\""},
	{M3UA_ASPUP, "ASPUP asp=4711 info=\"hello\""},
	{M3UA_BEAT, "BEAT hb=a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5+26"},
	{M3UA_ASPAC, "ASPAC tmt=2 rc=10,18,4096 info=\"hello\""},
	{M3UA_REG_REQ, "REG_REQ rk={ lrk=21 rc=10 tmt=2 dpc=2059 na=7 si=3,5 opc=2060,2068,4096/3 }"},
	{M3UA_REG_RSP, "REG_RSP result={ lrk=21 status=0 rc=10 }"},
	{M3UA_DEREG_RSP, "DEREG_RSP result={ rc=10 status=0 }"},
};

static void a_message_is_one_line(void **state)
{
	uint8_t buf[MESSAGE_ROOM];
	char text[400];

	(void)state;
	for (unsigned i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		uint32_t len = message_write(buf, m3ua_message_rule(good[i].type), NULL);

		assert_string_equal(m3ua_dump(buf, len, text, sizeof(text)), good[i].text);
	}
}

static const struct {
	const char *bytes, *text;
} bad[] = {
	{"", "0x0000 !Protocol Error (shorter than a header)"},
	{"01000501 00000008", "0x0501 !Unsupported Message Class (no such class)"},
	{"01000301 00000010 00020005 ff000000", "ASPUP 0x0002=ff"},
	{"01000301 0000000c 00040003", "ASPUP !Parameter Field Error (INFO String: length field wrong)"},
	{"01000301 00000010 0004000c 41", "ASPUP !Protocol Error (length field is not the message's length)"},
	{"01000301 00000014 00040008 1b5b226d 00040004", "ASPUP info=\".[.m\" info=\"\" "
							 "!Unexpected Parameter (INFO String: repeated)"},
	{"01000901 0000001c 02070014 02070010 02070008 00040004 0000",
		"REG_REQ !Protocol Error (length field "
		"is not the message's length)"},
	{"01000901 00000018 02070010 0207000c 02070008 00040004",
		"REG_REQ rk={ rk=0207000800040004 } !Unexpected Parameter (Routing Key: does not belong "
		"here)"},
	{"01000101 0000000c 02100004", "DATA data= !Parameter Field Error (Protocol Data: too short)"},
};

static void what_is_wrong_is_told(void **state)
{
	uint8_t buf[256];
	char text[400];

	(void)state;
	for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		uint32_t len = hex(bad[i].bytes, buf, sizeof(buf));

		assert_string_equal(m3ua_dump(buf, len, text, sizeof(text)), bad[i].text);
	}
}

static void text_is_cut_where_the_buffer_ends(void **state)
{
	uint8_t buf[MESSAGE_ROOM];
	uint32_t len = message_write(buf, m3ua_message_rule(M3UA_SCON), NULL);
	char whole[400], text[400];

	(void)state;
	m3ua_dump(buf, len, whole, sizeof(whole));
	for (uint32_t n = 1; n < strlen(whole); n++) {
		memset(text, 'x', sizeof(text));
		m3ua_dump(buf, len, text, n);
		assert_int_equal(strlen(text), n - 1);
		assert_memory_equal(text, whole, n - 1);
		assert_int_equal(text[n], 'x');
	}
	m3ua_dump(buf, len, NULL, 0);
}

static void a_long_list_is_shortened(void **state)
{
	uint8_t buf[256];
	uint32_t list[20] = {0};
	struct wr w = wr_over(buf, sizeof(buf));
	char text[200];

	(void)state;
	m3ua_begin(&w, M3UA_DEREG_REQ);
	m3ua_put_list(&w, M3UA_P_ROUTING_CONTEXT, list, 20);
	assert_string_equal(m3ua_dump(buf, m3ua_end(&w), text, sizeof(text)),
		"DEREG_REQ rc=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,+4");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_message_is_one_line),
		cmocka_unit_test(what_is_wrong_is_told),
		cmocka_unit_test(text_is_cut_where_the_buffer_ends),
		cmocka_unit_test(a_long_list_is_shortened),
	};

	return cmocka_run_group_tests_name("wire/m3ua_dump", tests, NULL, NULL);
}
