/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading: every message as it should be, and every way a message can be wrong with the answer it gets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

#include "hex.h"
#include "messages.h"
#include "wire/m3ua.h"

static struct m3ua_fault verdict(const uint8_t *bytes, uint32_t len)
{
	uint8_t *copy = exact(bytes, len);
	struct m3ua_msg m;
	struct m3ua_fault f;
	bool ok = m3ua_parse(copy, len, &m, &f);

	assert_int_equal(ok, f.error == M3UA_E_NONE);
	assert_non_null(f.what);
	free(copy);
	return f;
}

/* ---- by hand ---- */

static const struct {
	const char *name, *bytes;
	enum m3ua_error error;
	uint16_t tag;
} by_hand[] = {
	{"ASPUP without anything", "01000301 00000008", M3UA_E_NONE, 0},
	{"reserved octet ignored", "01ff0301 00000008", M3UA_E_NONE, 0},
	{"parameters in any order", "01000401 00000018 00060008 0000000a 000b0008 00000002", M3UA_E_NONE, 0},
	{"unknown tags skipped", "01000301 00000010 00020005 ff000000", M3UA_E_NONE, 0},
	{"unknown tag twice", "01000301 00000010 00020004 00020004", M3UA_E_NONE, 0},
	{"tag 0 and tag 65535", "01000301 00000010 00000004 ffff0004", M3UA_E_NONE, 0},
	{"empty INFO String", "01000301 0000000c 00040004", M3UA_E_NONE, 0},
	{"empty Heartbeat Data", "01000303 0000000c 00090004", M3UA_E_NONE, 0},
	{"padding counted", "01000301 00000010 00040005 41000000", M3UA_E_NONE, 0},
	{"padding not counted but sent", "01000301 0000000d 00040005 41000000", M3UA_E_NONE, 0},
	{"padding neither counted nor sent", "01000301 0000000d 00040005 41", M3UA_E_NONE, 0},
	{"padding not zero", "01000301 00000010 00040005 41ffffff", M3UA_E_NONE, 0},
	{"mask 255", "01000201 00000010 00120008 ff000001", M3UA_E_NONE, 0},
	{"Routing Context 0", "01000401 00000010 00060008 00000000", M3UA_E_NONE, 0},
	{"Traffic Mode Type 9 is for the ASP's machine", "01000401 00000010 000b0008 00000009", M3UA_E_NONE,
		0},
	{"ERR without what its code asks for", "01000000 00000010 000c0008 00000019", M3UA_E_NONE, 0},
	{"label without a user part", "01000101 00000018 02100010 00000001 00000002 03020000", M3UA_E_NONE,
		0},

	{"nothing", "", M3UA_E_PROTOCOL, 0},
	{"seven octets", "01000301 000000", M3UA_E_PROTOCOL, 0},
	{"version 0", "00000301 00000008", M3UA_E_INVALID_VERSION, 0},
	{"version 2", "02000301 00000008", M3UA_E_INVALID_VERSION, 0},
	{"class 5", "01000501 00000008", M3UA_E_UNSUPPORTED_CLASS, 0},
	{"class 255", "0100ff01 00000008", M3UA_E_UNSUPPORTED_CLASS, 0},
	{"MGMT type 2", "01000002 00000008", M3UA_E_UNSUPPORTED_TYPE, 0},
	{"Transfer type 0", "01000100 00000008", M3UA_E_UNSUPPORTED_TYPE, 0},
	{"SSNM type 7", "01000207 00000008", M3UA_E_UNSUPPORTED_TYPE, 0},
	{"RKM type 5", "01000905 00000008", M3UA_E_UNSUPPORTED_TYPE, 0},
	{"length 0", "01000301 00000000", M3UA_E_PROTOCOL, 0},
	{"length 7", "01000301 00000007", M3UA_E_PROTOCOL, 0},
	{"length beyond the message", "01000301 0000000c", M3UA_E_PROTOCOL, 0},
	{"length 4 GiB", "01000301 ffffffff", M3UA_E_PROTOCOL, 0},
	{"a word behind the message", "01000301 00000008 00040004", M3UA_E_PROTOCOL, 0},
	{"an octet behind the message", "01000301 00000008 00", M3UA_E_PROTOCOL, 0},
	{"four octets of padding", "01000301 0000000d 00040005 41000000 00", M3UA_E_PROTOCOL, 0},
	{"half a parameter header", "01000301 0000000a 0004", M3UA_E_PARAMETER_FIELD, 4},
	{"parameter of length 0", "01000301 0000000c 00040000", M3UA_E_PARAMETER_FIELD, 4},
	{"parameter of length 3", "01000301 0000000c 00040003", M3UA_E_PARAMETER_FIELD, 4},
	{"parameter beyond the message", "01000301 0000000c 00040005", M3UA_E_PARAMETER_FIELD, 4},
	{"unknown parameter of length 3", "01000301 0000000c 00020003", M3UA_E_PARAMETER_FIELD, 2},
	{"unknown parameter beyond the message", "01000301 0000000c 0002ffff", M3UA_E_PARAMETER_FIELD, 2},
	{"Protocol Data empty", "01000101 0000000c 02100004", M3UA_E_PARAMETER_FIELD, 0x210},
	{"label of 11 octets", "01000101 00000018 0210000f 00000001 00000002 03020000",
		M3UA_E_PARAMETER_FIELD, 0x210},
	{"two Routing Contexts in DATA",
		"01000101 00000024 0006000c 00000001 00000002 02100010 00000001 00000002 03020000",
		M3UA_E_PARAMETER_FIELD, 6},
	{"DATA without Protocol Data", "01000101 00000010 00060008 00000001", M3UA_E_MISSING_PARAMETER,
		0x210},
	{"DATA with an INFO String", "01000101 0000001c 02100010 00000001 00000002 03020000 00040004",
		M3UA_E_UNEXPECTED_PARAMETER, 4},
	{"SI of five bits", "01000101 00000018 02100010 00000001 00000002 10020000", M3UA_E_INVALID_VALUE,
		0x210},
	{"NI of three bits", "01000101 00000018 02100010 00000001 00000002 03040000", M3UA_E_INVALID_VALUE,
		0x210},
	{"DPC of 25 bits", "01000101 00000018 02100010 00000001 01000002 03020000", M3UA_E_INVALID_VALUE,
		0x210},
	{"DUPU with a mask", "01000205 00000018 00120008 01000001 02040008 00010003", M3UA_E_INVALID_VALUE,
		0x12},
	{"DUPU with two point codes", "01000205 0000001c 0012000c 00000001 00000002 02040008 00010003",
		M3UA_E_PARAMETER_FIELD, 0x12},
	{"congestion level 4", "01000204 00000018 00120008 00000001 02050008 00000004", M3UA_E_INVALID_VALUE,
		0x205},
	{"NTFY AS state 1", "01000001 00000010 000d0008 00010001", M3UA_E_INVALID_VALUE, 13},
	{"NTFY type 3", "01000001 00000010 000d0008 00030001", M3UA_E_INVALID_VALUE, 13},
	{"NTFY other 4", "01000001 00000010 000d0008 00020004", M3UA_E_INVALID_VALUE, 13},
};

static void messages_by_hand_get_their_answers(void **state)
{
	uint8_t buf[256];

	(void)state;
	for (unsigned i = 0; i < sizeof(by_hand) / sizeof(by_hand[0]); i++) {
		struct m3ua_fault f = verdict(buf, hex(by_hand[i].bytes, buf, sizeof(buf)));

		if (f.error != by_hand[i].error || f.tag != by_hand[i].tag)
			fail_msg("%s: error 0x%02x tag 0x%04x (%s)", by_hand[i].name, f.error, f.tag, f.what);
	}
}

/* ---- by the dictionary: every parameter of every message, wrong in every way ---- */

static void expect(const struct m3ua_message_rule *r, struct variation v, enum m3ua_error error, uint16_t tag)
{
	uint8_t buf[MESSAGE_ROOM];
	struct m3ua_fault f = verdict(buf, message_write(buf, r, &v));

	if (f.error != error || (error && f.tag != tag))
		fail_msg("%s parameter %d.%d change %d len %u: error 0x%02x tag 0x%04x (%s), not 0x%02x",
			r->name, v.param, v.inside, v.change, v.len, f.error, f.tag, f.what, error);
}

static void wrong_in_every_way(
	const struct m3ua_message_rule *r, const struct m3ua_param_rule *p, int param, int inside)
{
	const struct m3ua_tag_rule *t = m3ua_tag_rule(p->tag);
	uint32_t max = p->max_len ? p->max_len : t->max_len;
	uint8_t value[512];

	expect(r, (struct variation){WITHOUT, param, inside, 0},
		p->presence == M3UA_MANDATORY ? M3UA_E_MISSING_PARAMETER : M3UA_E_NONE, p->tag);
	expect(r, (struct variation){TWICE, param, inside, 0},
		p->repeated ? M3UA_E_NONE : M3UA_E_UNEXPECTED_PARAMETER, p->tag);
	for (uint32_t len = 0; len < M3UA_PARAM_HEADER; len++)
		expect(r, (struct variation){FIELD_SAYS, param, inside, len}, M3UA_E_PARAMETER_FIELD, p->tag);
	expect(r, (struct variation){FIELD_SAYS, param, inside, 0xffff}, M3UA_E_PARAMETER_FIELD, p->tag);
	for (uint32_t len = 0; len < t->min_len; len++)
		expect(r, (struct variation){LENGTH, param, inside, len}, M3UA_E_PARAMETER_FIELD, p->tag);
	for (uint32_t len = max + 1; max && len <= max + 8; len++)
		expect(r, (struct variation){LENGTH, param, inside, len}, M3UA_E_PARAMETER_FIELD, p->tag);
	for (uint32_t k = 1; k < t->multiple; k++)
		expect(r,
			(struct variation){
				LENGTH, param, inside, message_value(p->tag, p->max_len, value) + k},
			M3UA_E_PARAMETER_FIELD, p->tag);
}

static void every_parameter_wrong_in_every_way_gets_its_answer(void **state)
{
	const struct m3ua_message_rule *r;

	(void)state;
	for (unsigned i = 0; (r = m3ua_message_rule_at(i)); i++)
		for (int k = 0; k < r->n_params; k++) {
			const struct m3ua_tag_rule *t = m3ua_tag_rule(r->params[k].tag);

			wrong_in_every_way(r, &r->params[k], k, -1);
			for (int j = 0; j < t->n_inside; j++)
				wrong_in_every_way(r, &t->inside[j], k, j);
		}
}

static bool belongs(const struct m3ua_param_rule *rules, unsigned n, uint16_t tag)
{
	for (unsigned i = 0; i < n; i++)
		if (rules[i].tag == tag)
			return true;
	return false;
}

static void every_known_parameter_where_it_does_not_belong_is_unexpected(void **state)
{
	const struct m3ua_message_rule *r;
	const struct m3ua_tag_rule *t;
	uint8_t buf[MESSAGE_ROOM + 512], value[512];

	(void)state;
	for (unsigned i = 0; (r = m3ua_message_rule_at(i)); i++)
		for (unsigned k = 0; (t = m3ua_tag_rule_at(k)); k++) {
			struct wr w = wr_over(buf, sizeof(buf));
			struct m3ua_fault f;

			if (belongs(r->params, r->n_params, t->tag))
				continue;
			w.p += message_write(buf, r, NULL);
			m3ua_put_bytes(&w, t->tag, value, t->inside ? 0 : message_value(t->tag, 0, value));
			f = verdict(buf, m3ua_end(&w));
			assert_int_equal(f.error, M3UA_E_UNEXPECTED_PARAMETER);
			assert_int_equal(f.tag, t->tag);
		}
}

static void a_stranger_inside_a_routing_key_is_unexpected(void **state)
{
	uint8_t buf[256];
	struct m3ua_fault f;

	(void)state;
	f = verdict(
		buf, hex("01000901 00000024 0207001c 020a0008 00000001 020b0008 00000002 02070004 00020004",
			     buf, sizeof(buf)));
	assert_int_equal(f.error, M3UA_E_UNEXPECTED_PARAMETER);
	assert_int_equal(f.tag, M3UA_P_ROUTING_KEY);
	f = verdict(buf, hex("01000901 00000020 02070018 020a0008 00000001 020b0008 00000002 00020004", buf,
				 sizeof(buf)));
	assert_int_equal(f.error, M3UA_E_NONE); /* unknown: skipped there too */
}

/* ---- round trip ---- */

/* Each parameter of the accepted message is the value that was written, and there is no other. */
static void same_place(const struct m3ua_param_rule *rules, unsigned n, const struct m3ua_msg *m,
	const struct m3ua_param *outer)
{
	struct m3ua_param it = {0};
	uint8_t value[512];

	for (unsigned i = 0; i < n; i++) {
		const struct m3ua_tag_rule *t = m3ua_tag_rule(rules[i].tag);

		assert_true(outer ? m3ua_next_inside(outer, &it) : m3ua_next(m, &it));
		assert_int_equal(it.tag, rules[i].tag);
		if (t->inside) {
			same_place(t->inside, t->n_inside, m, &it);
			continue;
		}
		assert_int_equal(it.len, message_value(it.tag, rules[i].max_len, value));
		assert_memory_equal(it.v, value, it.len);
	}
	assert_false(outer ? m3ua_next_inside(outer, &it) : m3ua_next(m, &it));
}

static void every_message_reads_as_it_was_written(void **state)
{
	const struct m3ua_message_rule *r;
	uint8_t buf[MESSAGE_ROOM];

	(void)state;
	for (unsigned i = 0; (r = m3ua_message_rule_at(i)); i++) {
		uint32_t len = message_write(buf, r, NULL);
		struct m3ua_msg m;
		struct m3ua_fault f;

		assert_int_equal(len % 4, 0);
		assert_true(m3ua_parse(buf, len, &m, &f));
		assert_int_equal(m.type, r->type);
		assert_int_equal(m.len, len);
		assert_ptr_equal(m.bytes, buf);
		same_place(r->params, r->n_params, &m, NULL);
		len = message_write(buf, r, &(struct variation){ONLY_MANDATORY, -1, -1, 0});
		assert_true(m3ua_parse(buf, len, &m, &f));
	}
}

static void parameters_are_found_by_tag(void **state)
{
	uint8_t buf[64];
	uint32_t v = 0, len = hex("01000401 0000001c 000b0008 00000002 0006000c 0000000a 0000000b", buf, 64);
	struct m3ua_msg m;
	struct m3ua_fault f;
	struct m3ua_param p;

	(void)state;
	assert_true(m3ua_parse(buf, len, &m, &f));
	assert_true(m3ua_find_u32(&m, M3UA_P_TRAFFIC_MODE, &v));
	assert_int_equal(v, 2);
	assert_false(m3ua_find_u32(&m, M3UA_P_ROUTING_CONTEXT, &v)); /* two */
	assert_false(m3ua_find_u32(&m, M3UA_P_ASP_ID, &v));
	assert_true(m3ua_find(&m, M3UA_P_ROUTING_CONTEXT, &p));
	assert_int_equal(m3ua_list_len(&p), 2);
	assert_int_equal(m3ua_list_u32(&p, 0), 10);
	assert_int_equal(m3ua_list_u32(&p, 1), 11);
	assert_int_equal(m3ua_list_u32(&p, 2), 0);
	assert_int_equal(m3ua_list_u32(&p, UINT32_MAX), 0);
}

/* ---- what an ERR must bring along ---- */

static void an_err_that_lacks_what_its_code_demands_is_told(void **state)
{
	static const struct {
		uint32_t error;
		uint16_t needs;
	} rows[] = {
		{0x03, 0x07}, {0x04, 0x07}, {0x14, 0x12}, {0x15, 0x200}, {0x19, 0x06}, {0x11, 0}, {0x07, 0}};
	uint8_t buf[64];

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct wr w = wr_over(buf, sizeof(buf));
		struct m3ua_msg m;
		struct m3ua_fault f;

		m3ua_begin(&w, M3UA_ERR);
		m3ua_put_u32(&w, M3UA_P_ERROR_CODE, rows[i].error);
		assert_true(m3ua_parse(buf, m3ua_end(&w), &m, &f));
		assert_int_equal(m3ua_complete(&m, &f), !rows[i].needs);
		assert_int_equal(f.tag, rows[i].needs);
		if (!rows[i].needs)
			continue;
		m3ua_put_u32(&w, rows[i].needs, 1);
		assert_true(m3ua_parse(buf, m3ua_end(&w), &m, &f));
		assert_true(m3ua_complete(&m, &f));
	}
}

static void fields_that_share_a_word_come_apart_as_they_went_in(void **state)
{
	(void)state;
	assert_int_equal(m3ua_apc_pack(3, 0x123456), 0x03123456);
	assert_int_equal(m3ua_apc_pack(255, 0xff123456), 0xff123456); /* a point code has 24 bits */
	assert_int_equal(m3ua_apc_mask(0x03123456), 3);
	assert_int_equal(m3ua_apc_pc(0x03123456), 0x123456);
	assert_int_equal(m3ua_user_cause_pack(2, 5), 0x00020005);
	assert_int_equal(m3ua_user_cause_cause(0x00020005), 2);
	assert_int_equal(m3ua_user_cause_user(0x00020005), 5);
	assert_int_equal(m3ua_status_pack(M3UA_NTFY_AS_STATE, M3UA_AS_PENDING), 0x00010004);
	assert_int_equal(m3ua_status_type(0x00010004), 1);
	assert_int_equal(m3ua_status_information(0x00010004), 4);
	assert_int_equal(m3ua_congestion_level(0xffffff03), 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(messages_by_hand_get_their_answers),
		cmocka_unit_test(every_parameter_wrong_in_every_way_gets_its_answer),
		cmocka_unit_test(every_known_parameter_where_it_does_not_belong_is_unexpected),
		cmocka_unit_test(a_stranger_inside_a_routing_key_is_unexpected),
		cmocka_unit_test(every_message_reads_as_it_was_written),
		cmocka_unit_test(parameters_are_found_by_tag),
		cmocka_unit_test(an_err_that_lacks_what_its_code_demands_is_told),
		cmocka_unit_test(fields_that_share_a_word_come_apart_as_they_went_in),
	};

	return cmocka_run_group_tests_name("wire/m3ua", tests, NULL, NULL);
}
