/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "sim/payload.h"

static const struct payload sample = {
	.flow = 513, .run = 0xabcd, .sls = 201, .seq = 0x01020304, .due_ns = 0x1122334455667788};

static void what_was_written_is_read(void **state)
{
	static const uint8_t sis[] = {3, 5, 0, 15};
	uint8_t p[300];
	struct payload out;

	(void)state;
	for (unsigned s = 0; s < 4; s++) {
		for (uint32_t len = PAYLOAD_MIN; len < sizeof(p); len++) {
			payload_write(p, len, sis[s], &sample);
			assert_int_equal(payload_read(p, len, sis[s], &out), PAYLOAD_OK);
			assert_int_equal(out.flow, sample.flow);
			assert_int_equal(out.run, sample.run);
			assert_int_equal(out.sls, sample.sls);
			assert_int_equal(out.seq, sample.seq);
			assert_true(out.due_ns == sample.due_ns);
		}
	}
}

static void isup_begins_with_a_cic_that_follows_the_sls(void **state)
{
	uint8_t p[64];

	(void)state;
	payload_write(p, sizeof(p), 5, &sample);
	assert_int_equal(p[0], 201);
	assert_int_equal(p[1] & 0xf0, 0); /* spare bits of Q.763 s.1.2 */
	payload_write(p, sizeof(p), 3, &sample);
	assert_int_not_equal(p[0], 201);
}

static void no_single_bit_can_change_unnoticed(void **state)
{
	uint8_t p[100];
	struct payload out;

	(void)state;
	for (uint8_t si = 3; si <= 5; si += 2) {
		payload_write(p, sizeof(p), si, &sample);
		for (unsigned bit = 0; bit < 8 * sizeof(p); bit++) {
			p[bit / 8] ^= (uint8_t)(1 << bit % 8);
			assert_int_not_equal(payload_read(p, sizeof(p), si, &out), PAYLOAD_OK);
			p[bit / 8] ^= (uint8_t)(1 << bit % 8);
		}
		assert_int_equal(payload_read(p, sizeof(p), si, &out), PAYLOAD_OK);
	}
}

static void a_cut_or_lengthened_message_is_noticed(void **state)
{
	uint8_t p[128];
	struct payload out;

	(void)state;
	memset(p, 0, sizeof(p));
	payload_write(p, 100, 3, &sample);
	for (uint32_t len = PAYLOAD_HEAD; len <= 128; len++)
		assert_int_equal(payload_read(p, len, 3, &out), len == 100 ? PAYLOAD_OK : PAYLOAD_BROKEN);
	for (uint32_t len = 0; len < PAYLOAD_HEAD; len++)
		assert_int_equal(payload_read(p, len, 3, &out), PAYLOAD_ALIEN);
}

static void others_messages_are_alien(void **state)
{
	static const uint8_t sccp[] = {0x09, 0x00, 0x03, 0x0e, 0x19, 0x0b, 0x12, 0x08, 0x00, 0x11, 0x04, 0x12,
		0x34, 0x56, 0x78, 0x90, 0x0b, 0x12, 0x06, 0x00, 0x11, 0x04, 0x12, 0x34, 0x56, 0x78, 0x90,
		0x02, 0x62, 0x00};
	struct payload out;

	(void)state;
	assert_int_equal(payload_read(sccp, sizeof(sccp), 3, &out), PAYLOAD_ALIEN);
	assert_int_equal(payload_read(sccp, sizeof(sccp), 5, &out), PAYLOAD_ALIEN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_written_is_read),
		cmocka_unit_test(isup_begins_with_a_cic_that_follows_the_sls),
		cmocka_unit_test(no_single_bit_can_change_unnoticed),
		cmocka_unit_test(a_cut_or_lengthened_message_is_noticed),
		cmocka_unit_test(others_messages_are_alien),
	};

	return cmocka_run_group_tests_name("sim/payload", tests, NULL, NULL);
}
