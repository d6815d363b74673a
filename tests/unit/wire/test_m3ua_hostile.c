/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hostile bytes: every truncation and every changed octet of every message. What counts is that nothing
 * outside the message is touched (a sanitizer tells) and that what was accepted can be walked. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "hex.h"
#include "messages.h"
#include "wire/m3ua.h"
#include "wire/m3ua_data.h"

/* Everything that can be done with bytes from a peer. */
static bool survives(const uint8_t *bytes, uint32_t len)
{
	uint8_t *copy = exact(bytes, len);
	struct m3ua_param it = {0}, deeper = {0};
	struct m3ua_data d;
	struct m3ua_msg m;
	struct m3ua_fault f;
	char text[200];
	bool ok = m3ua_parse(copy, len, &m, &f);

	while (m3ua_next(&m, &it)) {
		assert_true(it.v >= copy && it.v + it.len <= copy + len);
		for (deeper = (struct m3ua_param){0}; m3ua_next_inside(&it, &deeper);)
			assert_true(deeper.v >= it.v && deeper.v + deeper.len <= it.v + it.len);
	}
	assert_ptr_equal(m3ua_dump(copy, len, text, sizeof(text)), text);
	assert_true(strlen(text) < sizeof(text));
	if (m3ua_data_parse(copy, len, &d))
		assert_true(d.payload_off + d.payload_len <= len);
	free(copy);
	return ok;
}

static void every_truncation_is_a_fault_or_a_shorter_message(void **state)
{
	const struct m3ua_message_rule *r;
	uint8_t buf[MESSAGE_ROOM];

	(void)state;
	for (unsigned i = 0; (r = m3ua_message_rule_at(i)); i++) {
		uint32_t len = message_write(buf, r, NULL);

		for (uint32_t cut = 0; cut < len; cut++) {
			put_u32(buf + 4, len);
			assert_false(survives(buf, cut)); /* its length says more than there is */
			put_u32(buf + 4, cut);
			survives(buf, cut);
		}
	}
}

static void every_changed_octet_is_survived(void **state)
{
	const struct m3ua_message_rule *r;
	uint8_t buf[MESSAGE_ROOM];

	(void)state;
	for (unsigned i = 0; (r = m3ua_message_rule_at(i)); i++) {
		uint32_t len = message_write(buf, r, NULL);

		for (uint32_t at = 0; at < len; at++) {
			uint8_t was = buf[at];

			for (unsigned bit = 0; bit < 8; bit++) {
				buf[at] = (uint8_t)(was ^ 1u << bit);
				survives(buf, len);
			}
			buf[at] = 0xff;
			survives(buf, len);
			buf[at] = 0;
			survives(buf, len);
			buf[at] = was;
		}
	}
}

static void a_walk_over_nothing_ends(void **state)
{
	struct m3ua_msg m = {0};
	struct m3ua_param it = {0}, empty = {.v = (const uint8_t *)"", .len = 0};

	(void)state;
	assert_false(m3ua_next(&m, &it));
	assert_false(m3ua_next_inside(&empty, &it));
	assert_false(m3ua_find(&m, M3UA_P_INFO_STRING, &it));
}

static void a_list_of_16000_entries_is_read(void **state)
{
	static uint8_t buf[65600];
	static uint32_t list[16382];
	struct wr w = wr_over(buf, sizeof(buf));
	struct m3ua_param p;
	struct m3ua_msg m;
	struct m3ua_fault f;

	(void)state;
	for (uint32_t i = 0; i < 16382; i++)
		list[i] = i;
	m3ua_begin(&w, M3UA_DAUD);
	m3ua_put_list(&w, M3UA_P_AFFECTED_PC, list, 16382);
	assert_true(m3ua_parse(buf, m3ua_end(&w), &m, &f));
	assert_true(m3ua_find(&m, M3UA_P_AFFECTED_PC, &p));
	assert_int_equal(m3ua_list_len(&p), 16382);
	assert_int_equal(m3ua_list_u32(&p, 16381), 16381);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_truncation_is_a_fault_or_a_shorter_message),
		cmocka_unit_test(every_changed_octet_is_survived),
		cmocka_unit_test(a_walk_over_nothing_ends),
		cmocka_unit_test(a_list_of_16000_entries_is_read),
	};

	return cmocka_run_group_tests_name("wire/m3ua hostile", tests, NULL, NULL);
}
