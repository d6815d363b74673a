/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Routing Keys (RFC 4666 s.3.6.1): reading, checking, comparing. */
#include <stdio.h>
#include <string.h>
#include <talloc.h>

#include "m3ua/rkm_key.h"
#include "rig.h"

static const uint32_t own_pc = 1;
static const struct network_conf itu = {
	.name = "national", .variant = PC_ITU, .pcs = (uint32_t *)&own_pc, .n_pcs = 1};

struct reading {
	void *ctx;
	uint8_t bytes[4096];
	struct rk k;
	enum rkm_status status;
};

/* What TEXT, the inside of a Routing Key, is read as, in a 14-bit network. */
static struct reading *reading_of(const char *text)
{
	struct reading *r = talloc_zero(NULL, struct reading);
	char whole[2048];
	struct m3ua_param p;
	struct m3ua_fault f;
	struct m3ua_msg m;
	uint32_t len;

	snprintf(whole, sizeof(whole), "REG_REQ rk={ %s }", text);
	len = rig_encode(r->bytes, sizeof(r->bytes), whole);
	assert_true(m3ua_parse(r->bytes, len, &m, &f));
	assert_true(m3ua_find(&m, M3UA_P_ROUTING_KEY, &p));
	r->status = rk_read(r, &p, &r->k);
	if (r->status == RKM_REGISTERED)
		r->status = rk_fits(&r->k, &itu);
	return r;
}

static void every_fault_has_its_status(void **state)
{
	static const struct {
		const char *text;
		enum rkm_status status;
	} rows[] = {
		{"lrk=7 dpc=33", RKM_REGISTERED},
		{"lrk=7 rc=5 tmt=1 dpc=33 na=9 si=3,5 opc=2,3 dpc=34 si=3", RKM_REGISTERED},
		{"lrk=7 dpc=16383", RKM_REGISTERED}, {"lrk=7 dpc=16384", RKM_INVALID_DPC},
		{"lrk=7 dpc=33/1", RKM_INVALID_DPC}, {"lrk=7 dpc=1", RKM_INVALID_DPC}, /* the gateway's */
		{"lrk=7 dpc=33 dpc=16384", RKM_INVALID_DPC}, {"lrk=7 tmt=0 dpc=33", RKM_UNSUPPORTED_MODE},
		{"lrk=7 tmt=4 dpc=33", RKM_UNSUPPORTED_MODE}, {"lrk=7 dpc=33 si=0", RKM_INVALID_KEY},
		{"lrk=7 dpc=33 si=5,2", RKM_INVALID_KEY}, {"lrk=7 dpc=33 si=16", RKM_INVALID_KEY},
		{"lrk=7 si=5 dpc=33", RKM_INVALID_KEY}, {"lrk=7 dpc=33 si=5 si=3", RKM_INVALID_KEY},
		{"lrk=7 dpc=33 opc=2 si=3", RKM_INVALID_KEY}, {"lrk=7 dpc=33 opc=2 opc=3", RKM_INVALID_KEY},
		{"lrk=7 opc=2 dpc=33", RKM_INVALID_KEY}, {"lrk=7 dpc=33 opc=16384", RKM_INVALID_KEY},
		{"lrk=7 dpc=33 opc=1", RKM_INVALID_KEY}, {"lrk=7 dpc=33 opc=8/3", RKM_UNSUPPORTED_FIELD},
		{"lrk=7 dpc=33 0x020f=abcd", RKM_UNSUPPORTED_FIELD}, /* RFC 3332's Circuit Range */
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct reading *r;

		r = reading_of(rows[i].text);
		if (r->status != rows[i].status)
			fail_msg("%s: %s, expected %s", rows[i].text, rkm_status_name(r->status),
				rkm_status_name(rows[i].status));
		assert_int_equal(r->k.id, 7);
		talloc_free(r);
	}
}

static void lists_are_sorted_and_without_repetitions(void **state)
{
	struct reading *r = reading_of("lrk=1 dpc=33 si=5,3,5 opc=9,2,9,2 dpc=33 si=3,5 opc=2,9");

	(void)state;
	assert_int_equal(r->status, RKM_REGISTERED);
	assert_int_equal(r->k.n_groups, 1); /* both are the same */
	assert_int_equal(r->k.groups[0].n_si, 2);
	assert_int_equal(r->k.groups[0].si[0], 3);
	assert_int_equal(r->k.groups[0].n_opc, 2);
	assert_int_equal(r->k.groups[0].opc[0], 2);
	assert_int_equal(r->k.groups[0].opc[1], 9);
	talloc_free(r);
}

static void a_key_of_too_many_combinations_is_refused(void **state)
{
	char text[2048] = "lrk=1 dpc=33 si=3,4,5,6,7,8,9,10,11,12,13,14,15 opc=100";
	struct reading *r;

	(void)state;
	for (unsigned i = 101; i < 100 + RKM_MAX_ROWS / 13; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), ",%u", i);
	r = reading_of(text);
	assert_int_equal(r->status, RKM_REGISTERED);
	talloc_free(r);
	strcat(text, ",99");
	r = reading_of(text);
	assert_int_equal(r->status, RKM_NO_RESOURCES);
	talloc_free(r);
}

static void keys_are_the_same_in_any_order(void **state)
{
	struct reading *r = reading_of("lrk=1 dpc=33 si=3,5 opc=2,9 dpc=34");
	uint8_t si[] = {5, 3};
	uint32_t opc[] = {9, 2};
	struct key_conf v[] = {{.dpc = 34}, {.dpc = 33, .si = si, .n_si = 2, .opc = opc, .n_opc = 2}};

	(void)state;
	assert_true(rk_same(&r->k, v, 2));
	assert_false(rk_same(&r->k, v, 1));
	v[0].dpc = 35;
	assert_false(rk_same(&r->k, v, 2));
	v[0].dpc = 34;
	si[0] = 4;
	assert_false(rk_same(&r->k, v, 2));
	si[0] = 5;
	opc[1] = 3;
	assert_false(rk_same(&r->k, v, 2));
	v[1].n_opc = 0;
	assert_false(rk_same(&r->k, v, 2));
	talloc_free(r);
}

static void keys_overlap_where_a_message_fits_both(void **state)
{
	const struct {
		const char *one;
		struct key_conf two;
		bool overlap;
	} rows[] = {
		{"lrk=1 dpc=33", {.dpc = 33}, true},
		{"lrk=1 dpc=33", {.dpc = 34}, false},
		{"lrk=1 dpc=33 si=3", {.dpc = 33}, true},
		{"lrk=1 dpc=33 si=3", {.dpc = 33, .si = (uint8_t[]){5}, .n_si = 1}, false},
		{"lrk=1 dpc=33 si=3,5", {.dpc = 33, .si = (uint8_t[]){5, 4}, .n_si = 2}, true},
		{"lrk=1 dpc=33 opc=2", {.dpc = 33, .opc = (uint32_t[]){3, 2}, .n_opc = 2}, true},
		{"lrk=1 dpc=33 opc=2", {.dpc = 33, .opc = (uint32_t[]){3, 4}, .n_opc = 2}, false},
		{"lrk=1 dpc=33 si=3", {.dpc = 33, .opc = (uint32_t[]){3}, .n_opc = 1}, true},
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct reading *r = reading_of(rows[i].one);

		assert_int_equal(rk_overlaps(&r->k.groups[0], &rows[i].two), rows[i].overlap);
		talloc_free(r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_fault_has_its_status),
		cmocka_unit_test(lists_are_sorted_and_without_repetitions),
		cmocka_unit_test(a_key_of_too_many_combinations_is_refused),
		cmocka_unit_test(keys_are_the_same_in_any_order),
		cmocka_unit_test(keys_overlap_where_a_message_fits_both),
	};

	return cmocka_run_group_tests_name("rkm_key", tests, NULL, NULL);
}
