/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "hex.h"
#include "wire/m2pa.h"

/* An MSU of a message to SCCP: SIO, routing label, one octet. */
#define MSU "83 0a 40 02 30 77"

struct row {
	const char *bytes;
	enum m2pa_fault fault;
	struct m2pa_msg want;
};

static void assert_reads(const struct row *row)
{
	uint8_t buf[64];
	uint32_t len = hex(row->bytes, buf, sizeof(buf));
	uint8_t *copy = exact(buf, len);
	struct m2pa_msg m;

	assert_int_equal(m2pa_parse(copy, len, &m), row->fault);
	if (row->fault == M2PA_NO_FAULT || row->fault == M2PA_BAD_VERSION) {
		assert_int_equal(m.version, row->want.version);
		assert_int_equal(m.type, row->want.type);
		assert_int_equal(m.bsn, row->want.bsn);
		assert_int_equal(m.fsn, row->want.fsn);
		assert_int_equal(m.state, row->want.state);
		assert_int_equal(m.pri, row->want.pri);
		assert_int_equal(m.msu_len, row->want.msu_len);
	}
	free(copy);
}

static void messages_by_hand_are_read(void **state)
{
	static const struct row rows[] = {
		/* User Data: with an MSU, with a TTC priority, empty */
		{"01000b01 00000017 00000005 00000006 00 " MSU, M2PA_NO_FAULT,
			{1, M2PA_USER_DATA, 5, 6, 0, 0, 6}},
		{"01000b01 00000017 00ffffff 00000000 80 " MSU, M2PA_NO_FAULT,
			{1, M2PA_USER_DATA, 0xffffff, 0, 0, 2, 6}},
		{"01000b01 00000010 00000006 00ffffff", M2PA_NO_FAULT,
			{1, M2PA_USER_DATA, 6, 0xffffff, 0, 0, 0}},
		{"01000b01 00000014 00000000 00000000 00 850102", M2PA_NO_FAULT,
			{1, M2PA_USER_DATA, 0, 0, 0, 0, 3}},
		/* Link Status, proving with filler */
		{"01000b02 00000014 00ffffff 00ffffff 00000009", M2PA_NO_FAULT,
			{1, M2PA_LINK_STATUS, 0xffffff, 0xffffff, M2PA_OUT_OF_SERVICE, 0, 0}},
		{"01000b02 00000019 00000000 00000000 00000003 0102030405", M2PA_NO_FAULT,
			{1, M2PA_LINK_STATUS, 0, 0, M2PA_PROVING_EMERGENCY, 0, 0}},
		/* spare and unused octets are ignored (s.2.1.2) */
		{"01ff0b01 00000010 aa000006 bb000007", M2PA_NO_FAULT, {1, M2PA_USER_DATA, 6, 7, 0, 0, 0}},
		/* another version: read as far as it goes (s.4.1.9) */
		{"02000b02 00000014 00ffffff 00ffffff 00000001", M2PA_BAD_VERSION,
			{2, M2PA_LINK_STATUS, 0xffffff, 0xffffff, M2PA_ALIGNMENT, 0, 0}},
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_reads(&rows[i]);
}

static void every_fault_has_its_name(void **state)
{
	static const struct row rows[] = {
		{"", M2PA_SHORT, {0}},
		{"01000b01 0000000f 00000005 000000", M2PA_SHORT, {0}},
		{"01000101 00000010 00000005 00000006", M2PA_BAD_CLASS, {0}},
		{"02000101 00000010 00000005 00000006", M2PA_BAD_CLASS, {0}},
		{"01000b00 00000010 00000005 00000006", M2PA_BAD_TYPE, {0}},
		{"01000b03 00000010 00000005 00000006", M2PA_BAD_TYPE, {0}},
		{"01000b01 0000000f 00000005 00000006", M2PA_BAD_LENGTH, {0}},
		{"01000b01 00000011 00000005 00000006", M2PA_BAD_LENGTH, {0}},
		{"01000b01 ffffffff 00000005 00000006", M2PA_BAD_LENGTH, {0}},
		/* no padding: "M2PA SHALL NOT add padding" (s.2.3.1) */
		{"01000b01 00000010 00000005 00000006 00", M2PA_BAD_LENGTH, {0}},
		{"01000b02 00000010 00000005 00000006", M2PA_BAD_LENGTH, {0}},
		{"01000b02 00000013 00000005 00000006 000000", M2PA_BAD_LENGTH, {0}},
		/* filler belongs to Proving alone (s.2.3.2.1) */
		{"01000b02 00000015 00000005 00000006 00000004 00", M2PA_BAD_LENGTH, {0}},
		{"01000b02 00000014 00000005 00000006 00000000", M2PA_BAD_STATE, {0}},
		{"01000b02 00000014 00000005 00000006 0000000a", M2PA_BAD_STATE, {0}},
		{"01000b02 00000014 00000005 00000006 01000001", M2PA_BAD_STATE, {0}},
		{"01000b01 00000011 00000005 00000006 00", M2PA_SHORT_MSU, {0}},
		{"01000b01 00000012 00000005 00000006 00 83", M2PA_SHORT_MSU, {0}},
		{"01000b01 00000013 00000005 00000006 00 8301", M2PA_SHORT_MSU, {0}},
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_reads(&rows[i]);
	for (unsigned f = 0; f < M2PA_FAULT_COUNT; f++)
		assert_string_not_equal(m2pa_fault_name((enum m2pa_fault)f), "?");
	assert_string_equal(m2pa_fault_name(M2PA_FAULT_COUNT), "?");
}

static void link_states_have_the_names_of_the_standard(void **state)
{
	(void)state;
	assert_string_equal(m2pa_state_name(1), "Alignment");
	assert_string_equal(m2pa_state_name(6), "Processor Recovered");
	assert_string_equal(m2pa_state_name(9), "Out of Service");
	assert_string_equal(m2pa_state_name(0), "?");
	assert_string_equal(m2pa_state_name(10), "?");
	assert_string_equal(m2pa_state_name(UINT32_MAX), "?");
}

static void assert_wrote(const struct wr *w, const char *want)
{
	uint8_t bytes[64];
	uint32_t len = hex(want, bytes, sizeof(bytes));

	assert_false(w->fault);
	assert_int_equal(wr_len(w), len);
	assert_memory_equal(w->start, bytes, len);
}

static void messages_are_written_octet_for_octet(void **state)
{
	uint8_t buf[64], want[64];
	struct wr w = wr_over(buf, sizeof(buf));
	uint32_t n;

	(void)state;
	m2pa_empty_write(&w, 0x123456, 0xffffff);
	assert_wrote(&w, "01000b01 00000010 00123456 00ffffff");
	w = wr_over(buf, sizeof(buf));
	m2pa_status_write(&w, M2PA_READY, 1, 0x1000002, 0, 0);
	assert_wrote(&w, "01000b02 00000014 00000001 00000002 00000004");
	n = hex(MSU, buf + 20, 40);
	assert_ptr_equal(m2pa_user_write(buf + 20, n, 3, 7, 8), buf + 3);
	n = hex("01000b01 00000017 00000007 00000008 c0 " MSU, want, sizeof(want));
	assert_memory_equal(buf + 3, want, n);
}

static void proving_carries_a_pattern_that_varies(void **state)
{
	uint8_t a[64], b[64];
	struct wr w = wr_over(a, sizeof(a));
	struct m2pa_msg m;

	(void)state;
	m2pa_status_write(&w, M2PA_PROVING_NORMAL, 0, 0, 40, 1);
	assert_int_equal(m2pa_parse(a, wr_len(&w), &m), M2PA_NO_FAULT);
	assert_int_equal(m.state, M2PA_PROVING_NORMAL);
	w = wr_over(b, sizeof(b));
	m2pa_status_write(&w, M2PA_PROVING_NORMAL, 0, 0, 40, 2);
	assert_memory_equal(a, b, 20);
	assert_memory_not_equal(a + 20, b + 20, 40);
	w = wr_over(b, 30);
	m2pa_status_write(&w, M2PA_PROVING_NORMAL, 0, 0, 40, 2);
	assert_true(w.fault);
}

static void sequence_numbers_wrap_at_24_bits(void **state)
{
	(void)state;
	assert_int_equal(m2pa_seq_next(0), 1);
	assert_int_equal(m2pa_seq_next(M2PA_SEQ_START), 0);
	assert_int_equal(m2pa_seq_from(0xfffffe, 1), 3);
	assert_int_equal(m2pa_seq_from(5, 5), 0);
	assert_int_equal(m2pa_seq_from(5, 4), 0xffffff);
}

/* ---- hostile bytes ---- */

static const char *const samples[] = {
	("01000b01 00000017 00000005 00000006 00 " MSU),
	"01000b01 00000010 00000006 00ffffff",
	"01000b02 00000014 00ffffff 00ffffff 00000009",
	"01000b02 00000019 00000000 00000000 00000002 0102030405",
};

/* What is accepted lies inside the message. */
static enum m2pa_fault survives(const uint8_t *bytes, uint32_t len)
{
	uint8_t *copy = exact(bytes, len);
	struct m2pa_msg m;
	enum m2pa_fault f = m2pa_parse(copy, len, &m);

	if (f == M2PA_NO_FAULT && m.msu_len)
		assert_int_equal(m.msu_len + M2PA_USER_HEADER, len);
	assert_true(m.bsn <= M2PA_SEQ_MASK && m.fsn <= M2PA_SEQ_MASK && m.pri <= 3);
	free(copy);
	return f;
}

static void every_truncation_is_a_fault(void **state)
{
	uint8_t buf[64];

	(void)state;
	for (unsigned i = 0; i < sizeof(samples) / sizeof(samples[0]); i++) {
		uint32_t len = hex(samples[i], buf, sizeof(buf));

		for (uint32_t cut = 0; cut < len; cut++) {
			put_u32(buf + 4, len);
			assert_int_not_equal(survives(buf, cut), M2PA_NO_FAULT);
			put_u32(buf + 4, cut);
			survives(buf, cut);
		}
	}
}

static void every_changed_octet_is_survived(void **state)
{
	uint8_t buf[64];

	(void)state;
	for (unsigned i = 0; i < sizeof(samples) / sizeof(samples[0]); i++) {
		uint32_t len = hex(samples[i], buf, sizeof(buf));

		for (uint32_t at = 0; at < len; at++)
			for (unsigned v = 0; v < 256; v++) {
				uint8_t was = buf[at];

				buf[at] = (uint8_t)v;
				survives(buf, len);
				buf[at] = was;
			}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(messages_by_hand_are_read),
		cmocka_unit_test(every_fault_has_its_name),
		cmocka_unit_test(link_states_have_the_names_of_the_standard),
		cmocka_unit_test(messages_are_written_octet_for_octet),
		cmocka_unit_test(proving_carries_a_pattern_that_varies),
		cmocka_unit_test(sequence_numbers_wrap_at_24_bits),
		cmocka_unit_test(every_truncation_is_a_fault),
		cmocka_unit_test(every_changed_octet_is_survived),
	};

	return cmocka_run_group_tests_name("wire/m2pa", tests, NULL, NULL);
}
