/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "sim/dress.h"

static struct payload sample = {.flow = 513, .run = 0xabcd, .sls = 11, .due_ns = 0x1122334455667788};

static uint32_t most(enum dress d)
{
	return dress_max(d) < 400 ? dress_max(d) : 400;
}

static void every_message_of_every_length_is_read(void **state)
{
	uint8_t p[400];
	struct payload out;

	(void)state;
	for (int d = 0; d < DRESSES; d++)
		for (uint32_t len = dress_min((enum dress)d, 5); len <= most((enum dress)d); len++)
			for (sample.seq = 0; sample.seq < 15; sample.seq++) {
				uint8_t si = dress_si((enum dress)d) ? dress_si((enum dress)d) : 5;

				dress_write((enum dress)d, p, len, si, &sample);
				assert_int_equal(dress_read(p, len, si, &out), PAYLOAD_OK);
				assert_int_equal(out.seq, sample.seq);
				assert_int_equal(out.sls, 11);
				assert_true(out.due_ns == sample.due_ns);
			}
}

static void no_single_bit_can_change_unnoticed(void **state)
{
	uint8_t p[120];
	struct payload out;

	(void)state;
	for (int d = 1; d < DRESSES; d++)
		for (sample.seq = 0; sample.seq < 5; sample.seq++) {
			uint8_t si = dress_si((enum dress)d);

			dress_write((enum dress)d, p, sizeof(p), si, &sample);
			for (unsigned bit = 0; bit < 8 * sizeof(p); bit++) {
				p[bit / 8] ^= (uint8_t)(1 << bit % 8);
				assert_int_not_equal(dress_read(p, sizeof(p), si, &out), PAYLOAD_OK);
				p[bit / 8] ^= (uint8_t)(1 << bit % 8);
			}
			for (uint32_t len = 0; len < sizeof(p); len++)
				assert_int_not_equal(dress_read(p, len, si, &out), PAYLOAD_OK);
		}
}

static void a_call_has_five_messages_on_one_circuit(void **state)
{
	static const uint8_t types[] = {0x01, 0x06, 0x09, 0x0c, 0x10, 0x01};
	uint8_t p[100];

	(void)state;
	for (sample.seq = 0; sample.seq < 6; sample.seq++) {
		dress_write(DRESS_ISUP, p, sizeof(p), 5, &sample);
		assert_int_equal(p[0], 11);
		assert_int_equal(p[1], sample.seq / 5);
		assert_int_equal(p[2], types[sample.seq]);
	}
}

static void a_dialogue_begins_continues_and_ends(void **state)
{
	static const uint8_t tags[] = {0x62, 0x65, 0x64};
	uint8_t p[100];

	(void)state;
	for (sample.seq = 0; sample.seq < 3; sample.seq++) {
		dress_write(DRESS_SCCP, p, sizeof(p), 3, &sample);
		assert_int_equal(p[0], 0x09);
		assert_int_equal(p[11], sizeof(p) - 12); /* length of the data parameter */
		assert_int_equal(p[12], tags[sample.seq]);
		assert_int_equal(p[14], sizeof(p) - 15);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_message_of_every_length_is_read),
		cmocka_unit_test(no_single_bit_can_change_unnoticed),
		cmocka_unit_test(a_call_has_five_messages_on_one_circuit),
		cmocka_unit_test(a_dialogue_begins_continues_and_ends),
	};

	return cmocka_run_group_tests_name("sim/dress", tests, NULL, NULL);
}
