/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "hex.h"
#include "wire/m3ua.h"

static void expect_bytes(struct wr *w, const char *text)
{
	uint8_t want[256];
	uint32_t n = hex(text, want, sizeof(want));

	assert_int_equal(m3ua_end(w), n);
	assert_memory_equal(w->start, want, n);
}

static void messages_are_written_octet_for_octet(void **state)
{
	uint8_t buf[256], *key;
	struct wr w = wr_over(buf, sizeof(buf));

	(void)state;
	memset(buf, 0xee, sizeof(buf)); /* padding must be cleared, not left */
	m3ua_begin(&w, M3UA_ASPUP);
	m3ua_put_u32(&w, M3UA_P_ASP_ID, 3);
	m3ua_put_bytes(&w, M3UA_P_INFO_STRING, "hello", 5);
	expect_bytes(&w, "01000301 0000001c 00110008 00000003 00040009 68656c6c 6f000000");

	w = wr_over(buf, sizeof(buf));
	m3ua_begin(&w, M3UA_ASPAC);
	m3ua_put_u32(&w, M3UA_P_TRAFFIC_MODE, 2);
	m3ua_put_list(&w, M3UA_P_ROUTING_CONTEXT, (uint32_t[]){1, 0xfffffffe}, 2);
	expect_bytes(&w, "01000401 0000001c 000b0008 00000002 0006000c 00000001 fffffffe");

	w = wr_over(buf, sizeof(buf));
	m3ua_begin(&w, M3UA_REG_REQ);
	key = m3ua_open(&w, M3UA_P_ROUTING_KEY);
	m3ua_put_u32(&w, M3UA_P_LOCAL_RK_ID, 1);
	m3ua_put_u32(&w, M3UA_P_DPC, 0x0102);
	m3ua_put_bytes(&w, M3UA_P_SI, "\3\5", 2); /* its padding counts in the key's length: s.3.2 */
	m3ua_close(&w, key);
	expect_bytes(&w, "01000901 00000024 0207001c 020a0008 00000001 020b0008 00000102 020c0006 03050000");
}

static void an_empty_list_writes_nothing_and_empty_bytes_a_header(void **state)
{
	uint8_t buf[64];
	struct wr w = wr_over(buf, sizeof(buf));

	(void)state;
	m3ua_begin(&w, M3UA_BEAT);
	m3ua_put_list(&w, M3UA_P_ROUTING_CONTEXT, NULL, 0);
	m3ua_put_bytes(&w, M3UA_P_HEARTBEAT_DATA, NULL, 0);
	expect_bytes(&w, "01000303 0000000c 00090004");
}

static void what_does_not_fit_the_buffer_yields_nothing(void **state)
{
	uint8_t *buf;

	(void)state;
	for (uint32_t cap = 0; cap < 24; cap++) {
		struct wr w;

		buf = exact((const uint8_t *)"................................", cap);
		w = wr_over(buf, cap);
		m3ua_begin(&w, M3UA_ASPUP);
		m3ua_close(&w, m3ua_open(&w, M3UA_P_ROUTING_KEY));
		m3ua_put_bytes(&w, M3UA_P_INFO_STRING, "hello", 5);
		assert_int_equal(m3ua_end(&w), 0);
		free(buf);
	}
}

static void what_a_length_field_cannot_say_yields_nothing(void **state)
{
	static uint8_t buf[3 * 65536], big[65536];
	static uint32_t list[16383];
	struct wr w = wr_over(buf, sizeof(buf));
	uint8_t *key;

	(void)state;
	m3ua_begin(&w, M3UA_BEAT);
	m3ua_put_bytes(&w, M3UA_P_HEARTBEAT_DATA, big, 65531); /* with its header 65,535 */
	assert_int_equal(m3ua_end(&w), 8 + 65536);
	assert_int_equal(buf[10] << 8 | buf[11], 65535);
	m3ua_put_bytes(&w, M3UA_P_HEARTBEAT_DATA, big, 65532);
	assert_int_equal(m3ua_end(&w), 0);

	w = wr_over(buf, sizeof(buf));
	m3ua_begin(&w, M3UA_DUNA);
	m3ua_put_list(&w, M3UA_P_AFFECTED_PC, list, 16383);
	assert_int_equal(m3ua_end(&w), 0);

	w = wr_over(buf, sizeof(buf));
	m3ua_begin(&w, M3UA_DUNA);
	m3ua_put_list(&w, M3UA_P_AFFECTED_PC, list, 0x40000001); /* times four it would wrap to 4 */
	assert_int_equal(m3ua_end(&w), 0);

	w = wr_over(buf, sizeof(buf));
	m3ua_begin(&w, M3UA_REG_REQ);
	key = m3ua_open(&w, M3UA_P_ROUTING_KEY);
	m3ua_put_bytes(&w, M3UA_P_SI, big, 40000);
	m3ua_put_bytes(&w, M3UA_P_SI, big, 40000);
	m3ua_close(&w, key);
	assert_int_equal(m3ua_end(&w), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(messages_are_written_octet_for_octet),
		cmocka_unit_test(an_empty_list_writes_nothing_and_empty_bytes_a_header),
		cmocka_unit_test(what_does_not_fit_the_buffer_yields_nothing),
		cmocka_unit_test(what_a_length_field_cannot_say_yields_nothing),
	};

	return cmocka_run_group_tests_name("wire/m3ua_write", tests, NULL, NULL);
}
