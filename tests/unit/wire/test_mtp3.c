/* SPDX-License-Identifier: GPL-2.0-or-later */
/* SIO and routing label: by vector, in every variant, both ways. */
#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>

#include <cmocka.h>

#include "hex.h"
#include "wire/mtp3.h"

struct vector {
	enum pc_variant v;
	struct mtp3_label l; /* opc, dpc, si, ni, mp, sls */
	const char *text;
};

static const struct vector vectors[] = {
	/* DPC 2057 = 00100000001001, OPC 2058 = 00100000001010, SLS 5 */
	{PC_ITU, {2058, 2057, 5, 2, 0, 5}, "85 09 88 02 52"},
	{PC_ITU, {0, 0x3fff, 0, 0, 0, 0}, "00 ff 3f 00 00"},
	{PC_ITU, {0x3fff, 0, 15, 3, 3, 15}, "ff 00 c0 ff ff"},
	{PC_ANSI, {0x010203, 0x040506, 3, 2, 1, 0xa5}, "93 06 05 04 03 02 01 a5"},
	{PC_CHINA, {0x010203, 0x040506, 3, 3, 0, 9}, "c3 06 05 04 03 02 01 09"},
	{PC_JAPAN, {0x0102, 0x0304, 5, 2, 0, 7}, "85 04 03 02 01 07"},
};

static void assert_labels(const struct mtp3_label *a, const struct mtp3_label *b)
{
	assert_int_equal(a->opc, b->opc);
	assert_int_equal(a->dpc, b->dpc);
	assert_int_equal(a->si, b->si);
	assert_int_equal(a->ni, b->ni);
	assert_int_equal(a->mp, b->mp);
	assert_int_equal(a->sls, b->sls);
}

static void labels_lie_as_the_figures_show(void **state)
{
	(void)state;
	for (unsigned i = 0; i < sizeof(vectors) / sizeof(vectors[0]); i++) {
		const struct vector *t = &vectors[i];
		uint8_t want[MTP3_HEAD_MAX], got[MTP3_HEAD_MAX];
		uint32_t n = hex(t->text, want, sizeof(want));
		struct mtp3_label l;

		assert_int_equal(n, mtp3_head_len(t->v));
		assert_int_equal(mtp3_head_write(got, t->v, &t->l), MTP3_OK);
		assert_memory_equal(got, want, n);
		assert_int_equal(mtp3_head_read(want, n, t->v, &l), MTP3_OK);
		assert_labels(&l, &t->l);
	}
}

static void a_label_cut_short_is_refused(void **state)
{
	(void)state;
	for (unsigned v = 0; v < PC_VARIANTS; v++)
		for (uint32_t n = 0; n < mtp3_head_len(v); n++) {
			uint8_t zeros[MTP3_HEAD_MAX] = {0}, *p = exact(zeros, n);
			struct mtp3_label l;

			assert_int_equal(mtp3_head_read(p, n, v, &l), MTP3_SHORT);
			free(p);
		}
}

static void point_codes_must_fit_and_an_sls_is_cut(void **state)
{
	(void)state;
	for (unsigned v = 0; v < PC_VARIANTS; v++) {
		uint32_t top = 1u << mtp3_shapes[v].pc_bits;
		uint8_t p[MTP3_HEAD_MAX];
		struct mtp3_label l = {.opc = top}, back;

		assert_int_equal(mtp3_head_write(p, v, &l), MTP3_POINT_CODE);
		l = (struct mtp3_label){.dpc = top};
		assert_int_equal(mtp3_head_write(p, v, &l), MTP3_POINT_CODE);
		l = (struct mtp3_label){.opc = top - 1, .dpc = top - 1, .sls = 0xff};
		assert_int_equal(mtp3_head_write(p, v, &l), MTP3_OK);
		assert_int_equal(mtp3_head_read(p, sizeof(p), v, &back), MTP3_OK);
		assert_int_equal(back.opc, top - 1);
		assert_int_equal(back.sls, (1u << mtp3_shapes[v].sls_bits) - 1);
	}
}

static void spare_bits_beside_a_short_sls_are_ignored(void **state)
{
	uint8_t p[] = {0x85, 4, 3, 2, 1, 0xf7}, c[] = {0x85, 6, 5, 4, 3, 2, 1, 0xf9};
	struct mtp3_label l;

	(void)state;
	assert_int_equal(mtp3_head_read(p, sizeof(p), PC_JAPAN, &l), MTP3_OK);
	assert_int_equal(l.sls, 7);
	assert_int_equal(mtp3_head_read(c, sizeof(c), PC_CHINA, &l), MTP3_OK);
	assert_int_equal(l.sls, 9);
}

static void every_sio_comes_apart_as_it_went_in(void **state)
{
	(void)state;
	for (unsigned v = 0; v < PC_VARIANTS; v++)
		for (unsigned sio = 0; sio < 256; sio++) {
			struct mtp3_label l = {0};

			mtp3_sio_unpack((uint8_t)sio, v, &l);
			assert_int_equal(
				mtp3_sio_pack(&l, v), mtp3_shapes[v].sio_priority ? sio : (sio & 0xcf));
		}
}

static void every_fault_has_a_name(void **state)
{
	(void)state;
	for (unsigned f = 0; f < MTP3_FAULT_COUNT; f++)
		assert_string_not_equal(mtp3_fault_name(f), "?");
	assert_string_equal(mtp3_fault_name(MTP3_FAULT_COUNT), "?");
}

static void rotation_moves_the_lowest_bit_up(void **state)
{
	static const struct {
		uint8_t sls, bits, rotated;
	} rows[] = {{0x01, 5, 0x10}, {0x10, 5, 0x08}, {0x1e, 5, 0x0f}, {0xe1, 5, 0xf0}, {0x01, 8, 0x80},
		{0x80, 8, 0x40}, {0xff, 8, 0xff}, {0xa5, 8, 0xd2}, {0xa5, 0, 0xa5}};

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_int_equal(mtp3_sls_rotate(rows[i].sls, rows[i].bits), rows[i].rotated);
	for (uint8_t bits = 0; bits <= 8; bits++)
		for (unsigned sls = 0; sls < 256; sls++)
			assert_int_equal(mtp3_sls_unrotate(mtp3_sls_rotate((uint8_t)sls, bits), bits), sls);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rotation_moves_the_lowest_bit_up),
		cmocka_unit_test(labels_lie_as_the_figures_show),
		cmocka_unit_test(a_label_cut_short_is_refused),
		cmocka_unit_test(point_codes_must_fit_and_an_sls_is_cut),
		cmocka_unit_test(spare_bits_beside_a_short_sls_are_ignored),
		cmocka_unit_test(every_sio_comes_apart_as_it_went_in),
		cmocka_unit_test(every_fault_has_a_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
