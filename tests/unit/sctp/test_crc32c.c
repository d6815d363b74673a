/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sctp/crc32c.h"

/* RFC 3720 appendix B.4, and the check value of the CRC catalogues. */
static void known_values_come_out(void **state)
{
	uint8_t b[32];

	(void)state;
	assert_int_equal(crc32c("123456789", 9), 0xe3069283u);
	assert_int_equal(crc32c("", 0), 0);
	memset(b, 0, sizeof(b));
	assert_int_equal(crc32c(b, sizeof(b)), 0x8a9136aau);
	memset(b, 0xff, sizeof(b));
	assert_int_equal(crc32c(b, sizeof(b)), 0x62a8ab43u);
	for (unsigned i = 0; i < sizeof(b); i++)
		b[i] = (uint8_t)i;
	assert_int_equal(crc32c(b, sizeof(b)), 0x46dd794eu);
	for (unsigned i = 0; i < sizeof(b); i++)
		b[i] = (uint8_t)(31 - i);
	assert_int_equal(crc32c(b, sizeof(b)), 0x113fdb5cu);
}

/* Bit by bit, as RFC 4960 appendix B defines it. */
static uint32_t slow(const uint8_t *p, size_t n)
{
	uint32_t c = 0xffffffffu;

	for (size_t i = 0; i < n; i++) {
		c ^= p[i];
		for (unsigned k = 0; k < 8; k++)
			c = c & 1 ? c >> 1 ^ 0x82f63b78u : c >> 1;
	}
	return ~c;
}

static void every_length_and_alignment_agrees_with_the_definition(void **state)
{
	static uint8_t b[4200];
	uint32_t x = 12345;

	(void)state;
	for (size_t i = 0; i < sizeof(b); i++) {
		x = x * 1664525u + 1013904223u;
		b[i] = (uint8_t)(x >> 24);
	}
	for (size_t n = 0; n < 600; n++)
		assert_int_equal(crc32c(b + n % 8, n), slow(b + n % 8, n));
	for (size_t n = 1300; n < 4100; n += 97)
		assert_int_equal(crc32c(b + n % 8, n), slow(b + n % 8, n));
}

static void the_field_is_written_least_significant_byte_first(void **state)
{
	uint8_t p[40] = {1, 2, 3, 4, 5, 6, 7, 8, 0xde, 0xad, 0xbe, 0xef, 9};
	uint8_t zeroed[40];
	uint32_t c;

	(void)state;
	memcpy(zeroed, p, sizeof(p));
	memset(zeroed + 8, 0, 4);
	c = slow(zeroed, sizeof(zeroed));
	crc32c_write(p, sizeof(p));
	assert_int_equal(p[8], c & 0xff);
	assert_int_equal(p[9], c >> 8 & 0xff);
	assert_int_equal(p[10], c >> 16 & 0xff);
	assert_int_equal(p[11], c >> 24);
}

static void every_single_bit_error_is_found(void **state)
{
	uint8_t p[64];

	(void)state;
	for (unsigned i = 0; i < sizeof(p); i++)
		p[i] = (uint8_t)(i * 7);
	crc32c_write(p, sizeof(p));
	assert_int_equal(crc32c_check(p, sizeof(p)), CRC_GOOD);
	for (unsigned bit = 0; bit < 8 * sizeof(p); bit++) {
		p[bit / 8] ^= (uint8_t)(1 << bit % 8);
		assert_int_equal(crc32c_check(p, sizeof(p)), CRC_BAD);
		p[bit / 8] ^= (uint8_t)(1 << bit % 8);
	}
}

static void a_zero_field_is_absent_not_bad(void **state)
{
	uint8_t p[SCTP_COMMON_HEADER] = {1, 2, 3};

	(void)state;
	crc32c_write(p, sizeof(p));
	assert_int_equal(crc32c_check(p, sizeof(p)), CRC_GOOD);
	crc32c_leave_out(p);
	assert_int_equal(crc32c_check(p, sizeof(p)), CRC_ABSENT);
}

static void policy_trusts_nobody_but_loopback_and_only_if_told(void **state)
{
	static const struct {
		enum tp_crc policy;
		bool loopback, omit, good, absent, bad;
	} rows[] = {
		{TP_CRC_AUTO, false, false, true, false, false},
		{TP_CRC_AUTO, true, false, true, false, false},
		{TP_CRC_ALWAYS, false, false, true, false, false},
		{TP_CRC_ALWAYS, true, false, true, false, false},
		{TP_CRC_TRUST_LOCAL, false, false, true, false, false},
		{TP_CRC_TRUST_LOCAL, true, true, true, true, false},
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		assert_int_equal(crc32c_may_omit(rows[i].policy, rows[i].loopback), rows[i].omit);
		assert_int_equal(crc32c_accepts(rows[i].policy, rows[i].loopback, CRC_GOOD), rows[i].good);
		assert_int_equal(
			crc32c_accepts(rows[i].policy, rows[i].loopback, CRC_ABSENT), rows[i].absent);
		assert_int_equal(crc32c_accepts(rows[i].policy, rows[i].loopback, CRC_BAD), rows[i].bad);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_values_come_out),
		cmocka_unit_test(every_length_and_alignment_agrees_with_the_definition),
		cmocka_unit_test(the_field_is_written_least_significant_byte_first),
		cmocka_unit_test(every_single_bit_error_is_found),
		cmocka_unit_test(a_zero_field_is_absent_not_bad),
		cmocka_unit_test(policy_trusts_nobody_but_loopback_and_only_if_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
