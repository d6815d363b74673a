/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The fast path of DATA: shapes as seen on real links, the corners, and its agreement with the dictionary's
 * parser on a great many messages right and wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "hex.h"
#include "wire/m3ua.h"
#include "wire/m3ua_data.h"

#define FILL16 "55555555 55555555 55555555 55555555"

/* What peers send: with and without Network Appearance and Routing Context, ITU and 24-bit point codes,
 * national priorities, SLS beyond 15, a value of 0 for what is present. */
static const struct {
	const char *bytes;
	struct m3ua_data d;
} seen[] = {
	{"01000101 00000050 02100046 00012862 0001283c 0302010e 11810804 0e018000" FILL16 FILL16
	 "55555555 55555555 55555555 55550000",
		{.label = {75874, 75836, 3, 2, 1, 14}, .payload_off = 24, .payload_len = 54}},
	{"01000101 00000050 00060008 00000c29 0210003d 00000839 00000c29 03020003 0980030b" FILL16 FILL16
	 "55555555 55555555 55000000",
		{.label = {2105, 3113, 3, 2, 0, 3},
			.has_rc = true,
			.rc = 3113,
			.payload_off = 32,
			.payload_len = 45}},
	{"01000101 00000054 02000008 00000000 02100044 00000c29 00000839 03020007 0980030b" FILL16 FILL16
			FILL16,
		{.label = {3113, 2105, 3, 2, 0, 7}, .has_na = true, .payload_off = 32, .payload_len = 52}},
	{"01000101 0000005c 02000008 00000000 00060008 000005dc 02100043 00000588 000005dc 03020000 "
	 "0901030e" FILL16 FILL16 "55555555 55555555 55555555 55555500",
		{.label = {1416, 1500, 3, 2, 0, 0},
			.has_na = true,
			.has_rc = true,
			.rc = 1500,
			.payload_off = 40,
			.payload_len = 51}},
	{"01000101 00000034 00060008 00000065 02100024 000020ca 0000210d 030200fe" FILL16 "55555555",
		{.label = {8394, 8461, 3, 2, 0, 254},
			.has_rc = true,
			.rc = 101,
			.payload_off = 32,
			.payload_len = 20}},
	{"01000101 0000002c 00060008 000002ad 0210001c 000002ad 00000588 03020300 55555555 55555555 55555555",
		{.label = {685, 1416, 3, 2, 3, 0},
			.has_rc = true,
			.rc = 685,
			.payload_off = 32,
			.payload_len = 12}},
	{"01000101 0000002c 00060008 00000003 0210001c 00017804 00017903 03020006 55555555 55555555 55555555",
		{.label = {96260, 96515, 3, 2, 0, 6},
			.has_rc = true,
			.rc = 3,
			.payload_off = 32,
			.payload_len = 12}},
	/* and what the standard allows besides */
	{"01000101 0000002c 00130008 000000ff 02100011 00000001 00000002 05020000 99000000 00060008 00000009",
		{.label = {1, 2, 5, 2, 0, 0},
			.has_rc = true,
			.rc = 9,
			.has_corr = true,
			.corr = 255,
			.payload_off = 32,
			.payload_len = 1}},
	{"01000101 00000028 00060008 00000009 02000008 00000001 02100010 00000001 00000002 0f03ffff",
		{.label = {1, 2, 15, 3, 255, 255},
			.has_rc = true,
			.rc = 9,
			.has_na = true,
			.na = 1,
			.payload_off = 40}},
	{"01000101 00000020 00020006 aabb0000 02100010 00ffffff 00ffffff 00000000",
		{.label = {0xffffff, 0xffffff, 0, 0, 0, 0}, .payload_off = 32}},
	{"01ff0101 00000019 02100011 00000001 00000002 03020000 77",
		{.label = {1, 2, 3, 2, 0, 0}, .payload_off = 24, .payload_len = 1}},
	{"01000101 00000019 02100011 00000001 00000002 03020000 77000000",
		{.label = {1, 2, 3, 2, 0, 0}, .payload_off = 24, .payload_len = 1}},
};

static void assert_same(const struct m3ua_data *a, const struct m3ua_data *b)
{
	assert_int_equal(a->label.opc, b->label.opc);
	assert_int_equal(a->label.dpc, b->label.dpc);
	assert_int_equal(a->label.si, b->label.si);
	assert_int_equal(a->label.ni, b->label.ni);
	assert_int_equal(a->label.mp, b->label.mp);
	assert_int_equal(a->label.sls, b->label.sls);
	assert_int_equal(a->has_na, b->has_na);
	assert_int_equal(a->na, b->na);
	assert_int_equal(a->has_rc, b->has_rc);
	assert_int_equal(a->rc, b->rc);
	assert_int_equal(a->has_corr, b->has_corr);
	assert_int_equal(a->corr, b->corr);
	assert_int_equal(a->payload_off, b->payload_off);
	assert_int_equal(a->payload_len, b->payload_len);
}

static void the_shapes_that_peers_send_are_read(void **state)
{
	uint8_t buf[256];

	(void)state;
	for (unsigned i = 0; i < sizeof(seen) / sizeof(seen[0]); i++) {
		uint32_t len = hex(seen[i].bytes, buf, sizeof(buf));
		uint8_t *copy = exact(buf, len);
		struct m3ua_data d;

		if (!m3ua_data_parse(copy, len, &d))
			fail_msg("row %u", i);
		assert_same(&d, &seen[i].d);
		free(copy);
	}
}

static void what_is_not_well_formed_is_refused(void **state)
{
	static const char *const rows[] = {
		"", "01000101 00000008", "01000301 00000008",
		"02000101 00000018 02100010 00000001 00000002 03020000",
		"01000101 00000018 00060008 00000001 00060008 00000001",          /* no Protocol Data */
		"01000101 00000018 02000008 00000001 00060008 00000001",          /* neither */
		"01000101 00000018 0210000f 00000001 00000002 03020000",          /* label too short */
		"01000101 00000018 02100011 00000001 00000002 03020000",          /* beyond the end */
		"01000101 00000018 02100010 00000001 00000002 03020000 00",       /* an octet behind */
		"01000101 0000001c 02100010 00000001 00000002 03020000 00040004", /* INFO String */
		"01000101 0000001c 02100010 00000001 00000002 03020000 00040003", /* length 3 */
		"01000101 0000001a 02100010 00000001 00000002 03020000 0004",     /* half a header */
		"01000101 0000001c 02100010 00000001 00000002 03020000 00060004", /* no value */
		"01000101 00000028 02100010 00000001 00000002 03020000 02100010 00000001 00000002 03020000",
		"01000101 00000028 00060008 00000001 00060008 00000001 02100010 00000001 00000002 03020000",
		"01000101 00000018 02100010 01000001 00000002 03020000", /* OPC of 25 bits */
		"01000101 00000018 02100010 00000001 00000002 10020000", /* SI of 5 bits */
		"01000101 00000018 02100010 00000001 00000002 03040000", /* NI of 3 bits */
	};
	uint8_t buf[256];

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint32_t len = hex(rows[i], buf, sizeof(buf));
		uint8_t *copy = exact(buf, len);
		struct m3ua_data d;
		struct m3ua_msg m;
		struct m3ua_fault f;

		if (m3ua_data_parse(copy, len, &d))
			fail_msg("accepted: %s", rows[i]);
		assert_true(!m3ua_parse(copy, len, &m, &f) || m.type != M3UA_DATA);
		free(copy);
	}
}

static void what_is_written_reads_back(void **state)
{
	static const uint32_t lengths[] = {0, 1, 2, 3, 4, 5, 100, 272, 4091, M3UA_DATA_PAYLOAD_MAX};

	(void)state;
	for (unsigned i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++)
		for (unsigned with = 0; with < 8; with++) {
			uint32_t len = lengths[i], total = 0;
			uint32_t room = M3UA_DATA_HEADER_MAX + len + M3UA_DATA_TRAILER_MAX;
			uint8_t *buf = malloc(room), *payload = buf + M3UA_DATA_HEADER_MAX, *p;
			struct m3ua_data d = {.label = {1, 0xffffff, 5, 3, 2, 200},
				.has_na = with & 1,
				.has_rc = with & 2,
				.has_corr = with & 4};
			struct m3ua_data back;
			struct m3ua_msg m;
			struct m3ua_fault f;

			memset(buf, 0xee, room);
			memset(payload, 0x42, len);
			d.na = d.has_na ? 0xfffffffe : 0;
			d.rc = d.has_rc ? 77 : 0;
			d.corr = d.has_corr ? 78 : 0;
			p = m3ua_data_write(payload, len, &d, &total);
			assert_true(p >= buf && p + total <= buf + room);
			assert_true(m3ua_parse(p, total, &m, &f));
			assert_int_equal(m.type, M3UA_DATA);
			assert_true(m3ua_data_parse(p, total, &back));
			d.payload_off = (uint32_t)(payload - p); /* it lies where it lay */
			d.payload_len = len;
			assert_same(&back, &d);
			for (uint32_t k = 0; k < len; k++)
				assert_int_equal(payload[k], 0x42);
			for (uint32_t k = len; (k + M3UA_PARAM_HEADER + M3UA_LABEL) % 4; k++)
				assert_int_equal(payload[k], 0); /* s.3.2: padding is zero */
			if (d.has_na)
				assert_int_equal(p[8] << 8 | p[9], M3UA_P_NETWORK_APPEARANCE);
			free(buf);
		}
}

static void a_payload_that_no_length_can_say_is_refused(void **state)
{
	static uint8_t buf[70000];
	struct m3ua_data d = {.has_rc = true};
	uint32_t total;

	(void)state;
	assert_null(m3ua_data_write(buf + M3UA_DATA_HEADER_MAX, M3UA_DATA_PAYLOAD_MAX + 1, &d, &total));
}

/* ---- agreement ---- */

static uint32_t seed = 20260101;

static uint32_t dice(uint32_t n)
{
	seed ^= seed << 13;
	seed ^= seed >> 17;
	seed ^= seed << 5;
	return seed % n;
}

/* Parameters that DATA has, should not have, or nobody knows; lengths mostly right. */
static uint32_t any_message(uint8_t *buf, uint32_t cap)
{
	static const uint16_t likely[] = {
		0x200, 0x006, 0x210, 0x210, 0x210, 0x013, 0x002, 0x004, 0x0fff, 0x00b};
	uint8_t value[64] = {0};
	struct wr w = wr_over(buf, cap);
	uint32_t len;

	m3ua_begin(&w, dice(50) ? M3UA_DATA : (uint16_t)dice(0x500));
	for (uint32_t n = 1 + dice(5); n; n--) {
		uint16_t tag = likely[dice(10)];
		uint32_t want = tag == 0x210 ? 12 + dice(20) : 4;

		value[2] = (uint8_t)dice(256);
		value[8] = dice(30) ? 3 : (uint8_t)dice(256);
		m3ua_put_bytes(&w, tag, value, dice(12) ? want : dice(30));
	}
	len = m3ua_end(&w);
	if (!dice(4))
		buf[dice(len)] = (uint8_t)dice(256);
	if (!dice(4))
		buf[8 + dice(len - 8)] ^= (uint8_t)(1u << dice(8));
	if (!dice(4))
		len -= dice(5); /* the last padding, or more, is not there */
	if (!dice(2))
		put_u32(buf + 4, len - (dice(4) ? 0 : dice(4)));
	return len;
}

static void fields_by_dictionary(const struct m3ua_msg *m, struct m3ua_data *d)
{
	struct m3ua_param p;

	memset(d, 0, sizeof(*d));
	d->has_na = m3ua_find_u32(m, M3UA_P_NETWORK_APPEARANCE, &d->na);
	d->has_rc = m3ua_find_u32(m, M3UA_P_ROUTING_CONTEXT, &d->rc);
	d->has_corr = m3ua_find_u32(m, M3UA_P_CORRELATION_ID, &d->corr);
	assert_true(m3ua_find(m, M3UA_P_PROTOCOL_DATA, &p));
	d->label.opc = m3ua_list_u32(&p, 0);
	d->label.dpc = m3ua_list_u32(&p, 1);
	d->label.si = p.v[8];
	d->label.ni = p.v[9];
	d->label.mp = p.v[10];
	d->label.sls = p.v[11];
	d->payload_off = (uint32_t)(p.v - m->bytes) + M3UA_LABEL;
	d->payload_len = p.len - M3UA_LABEL;
}

static void both_parsers_agree_on_random_messages(void **state)
{
	unsigned accepted = 0, refused = 0;

	(void)state;
	for (unsigned i = 0; i < 200000; i++) {
		uint8_t buf[512];
		uint32_t len = any_message(buf, sizeof(buf));
		uint8_t *copy = exact(buf, len);
		struct m3ua_data fast, slow;
		struct m3ua_msg m;
		struct m3ua_fault f;
		bool ok = m3ua_parse(copy, len, &m, &f) && m.type == M3UA_DATA;

		if (m3ua_data_parse(copy, len, &fast) != ok) {
			char text[400];

			fail_msg("round %u: %s", i, m3ua_dump(copy, len, text, sizeof(text)));
		}
		if (ok) {
			fields_by_dictionary(&m, &slow);
			assert_same(&fast, &slow);
		}
		accepted += ok;
		refused += !ok;
		free(copy);
	}
	assert_true(accepted > 10000 && refused > 10000); /* the dice are fair */
}

static void both_parsers_agree_on_every_changed_octet(void **state)
{
	uint8_t buf[256];

	(void)state;
	for (unsigned i = 0; i < sizeof(seen) / sizeof(seen[0]); i++) {
		uint32_t len = hex(seen[i].bytes, buf, sizeof(buf));

		for (uint32_t at = 0; at < len; at++)
			for (unsigned v = 1; v < 256; v++) {
				struct m3ua_data d;
				struct m3ua_msg m;
				struct m3ua_fault f;
				bool ok;

				buf[at] = (uint8_t)(buf[at] + 1);
				ok = m3ua_parse(buf, len, &m, &f) && m.type == M3UA_DATA;
				assert_int_equal(m3ua_data_parse(buf, len, &d), ok);
				if (v == 255)
					buf[at] = (uint8_t)(buf[at] + 1);
			}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_shapes_that_peers_send_are_read),
		cmocka_unit_test(what_is_not_well_formed_is_refused),
		cmocka_unit_test(what_is_written_reads_back),
		cmocka_unit_test(a_payload_that_no_length_can_say_is_refused),
		cmocka_unit_test(both_parsers_agree_on_random_messages),
		cmocka_unit_test(both_parsers_agree_on_every_changed_octet),
	};

	return cmocka_run_group_tests_name("wire/m3ua_data", tests, NULL, NULL);
}
