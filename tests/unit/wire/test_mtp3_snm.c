/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Messages of level 3: by vector, round trip by dictionary, cut short, mutated. */
#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>

#include <cmocka.h>

#include "hex.h"
#include "wire/mtp3_snm.h"

static const struct mtp3_label itu = {.opc = 2058, .dpc = 2057, .ni = 2};
static const struct mtp3_label ansi = {.opc = 0x010203, .dpc = 0x040506, .ni = 2, .mp = 3, .sls = 0x11};
static const struct mtp3_label japan = {.opc = 0x0102, .dpc = 0x0304, .ni = 2};

#define ITU(slc) "80 09 88 02 " slc "2 "
#define ANSI     "b0 06 05 04 03 02 01 11 "
#define CHINA(n) "80 06 05 04 03 02 01 0" n " "
#define JAPAN(n) "80 04 03 02 01 0" n " 00 "

struct vector {
	enum pc_variant v;
	struct snm m;
	const char *text;
};

/* clang-format off */
static const struct vector vectors[] = {
	{PC_ITU,  {.id = SNM_COO, .slc = 3, .fsn = 0x55},         ITU("3") "11 55"},
	{PC_ITU,  {.id = SNM_COA, .slc = 3, .fsn = 0x7f},         ITU("3") "21 7f"},
	{PC_ITU,  {.id = SNM_XCO, .slc = 1, .fsn = 0x123456},     ITU("1") "31 56 34 12"},
	{PC_ITU,  {.id = SNM_XCA, .slc = 1, .fsn = 0xffffff},     ITU("1") "41 ff ff ff"},
	{PC_ITU,  {.id = SNM_CBD, .slc = 2, .cbc = 0xa7},         ITU("2") "51 a7"},
	{PC_ITU,  {.id = SNM_CBA, .slc = 2, .cbc = 0xa7},         ITU("2") "61 a7"},
	{PC_ITU,  {.id = SNM_ECO, .slc = 4},                      ITU("4") "12"},
	{PC_ITU,  {.id = SNM_ECA, .slc = 4},                      ITU("4") "22"},
	{PC_ITU,  {.id = SNM_RCT},                                ITU("0") "13"},
	{PC_ITU,  {.id = SNM_TFC, .dest = 0x1234, .level = 2},    ITU("0") "23 34 92"},
	{PC_ITU,  {.id = SNM_TFP, .dest = 0x1234},                ITU("0") "14 34 12"},
	{PC_ITU,  {.id = SNM_TFR, .dest = 0x1234},                ITU("0") "34 34 12"},
	{PC_ITU,  {.id = SNM_TFA, .dest = 0x1234},                ITU("0") "54 34 12"},
	{PC_ITU,  {.id = SNM_RST, .dest = 0x3fff},                ITU("0") "15 ff 3f"},
	{PC_ITU,  {.id = SNM_RSR, .dest = 1},                     ITU("0") "25 01 00"},
	{PC_ITU,  {.id = SNM_LIN, .slc = 5},                      ITU("5") "16"},
	{PC_ITU,  {.id = SNM_LUN, .slc = 5},                      ITU("5") "26"},
	{PC_ITU,  {.id = SNM_LIA, .slc = 5},                      ITU("5") "36"},
	{PC_ITU,  {.id = SNM_LUA, .slc = 5},                      ITU("5") "46"},
	{PC_ITU,  {.id = SNM_LID, .slc = 5},                      ITU("5") "56"},
	{PC_ITU,  {.id = SNM_LFU, .slc = 5},                      ITU("5") "66"},
	{PC_ITU,  {.id = SNM_LLT, .slc = 5},                      ITU("5") "76"},
	{PC_ITU,  {.id = SNM_LRT, .slc = 5},                      ITU("5") "86"},
	{PC_ITU,  {.id = SNM_TRA},                                ITU("0") "17"},
	{PC_ITU,  {.id = SNM_DLC, .slc = 1, .circuit = 0xabc},    ITU("1") "18 bc 0a"},
	{PC_ITU,  {.id = SNM_CSS, .slc = 1},                      ITU("1") "28"},
	{PC_ITU,  {.id = SNM_CNS, .slc = 1},                      ITU("1") "38"},
	{PC_ITU,  {.id = SNM_CNP, .slc = 1},                      ITU("1") "48"},
	{PC_ITU,  {.id = SNM_UPU, .dest = 0x1234, .user = 5, .cause = 1}, ITU("0") "1a 34 12 15"},
	{PC_ITU,  {.id = SNM_SLTM, .slc = 6, .pattern_len = 3, .pattern = "abc"}, "81 09 88 02 62 11 30 61 62 63"},
	{PC_ITU,  {.id = SNM_SLTA, .slc = 6, .pattern_len = 1, .pattern = "x"},   "81 09 88 02 62 21 10 78"},
	{PC_ANSI, {.id = SNM_COO, .slc = 3, .fsn = 0x55},         ANSI "11 53 05"},
	{PC_ANSI, {.id = SNM_XCO, .slc = 3, .fsn = 0x123456},     ANSI "31 63 45 23 01"},
	{PC_ANSI, {.id = SNM_CBD, .slc = 3, .cbc = 0xa7},         ANSI "51 73 0a"},
	{PC_ANSI, {.id = SNM_ECA, .slc = 3},                      ANSI "22 03"},
	{PC_ANSI, {.id = SNM_TFC, .dest = 0x070809, .level = 3},  ANSI "23 09 08 07 03"},
	{PC_ANSI, {.id = SNM_TFP, .dest = 0x070809},              ANSI "14 09 08 07"},
	{PC_ANSI, {.id = SNM_TCP, .dest = 0x070800},              ANSI "24 00 08 07"},
	{PC_ANSI, {.id = SNM_TCR, .dest = 0x070800},              ANSI "44 00 08 07"},
	{PC_ANSI, {.id = SNM_TCA, .dest = 0x070800},              ANSI "64 00 08 07"},
	{PC_ANSI, {.id = SNM_RCP, .dest = 0x070800},              ANSI "35 00 08 07"},
	{PC_ANSI, {.id = SNM_RCR, .dest = 0x070800},              ANSI "45 00 08 07"},
	{PC_ANSI, {.id = SNM_LLT, .slc = 9},                      ANSI "76 09"},
	{PC_ANSI, {.id = SNM_TRA},                                ANSI "17"},
	{PC_ANSI, {.id = SNM_TRW},                                ANSI "27"},
	{PC_ANSI, {.id = SNM_DLC, .slc = 9, .circuit = 0x3abc},   ANSI "18 c9 ab 03"},
	{PC_ANSI, {.id = SNM_UPU, .dest = 0x070809, .user = 3, .cause = 2}, ANSI "1a 09 08 07 23"},
	{PC_ANSI, {.id = SNM_SLTM, .slc = 6, .pattern_len = 2, .pattern = "ab"},
	                                                    "b1 06 05 04 03 02 01 11 11 26 61 62"},
	{PC_CHINA, {.id = SNM_COO, .slc = 3, .fsn = 0x55},        CHINA("3") "11 55"},
	{PC_CHINA, {.id = SNM_TFP, .dest = 0x070809},             CHINA("0") "14 09 08 07"},
	{PC_CHINA, {.id = SNM_TFC, .dest = 0x070809, .level = 1}, CHINA("0") "23 09 08 07 01"},
	{PC_JAPAN, {.id = SNM_LIN, .slc = 3},                     JAPAN("3") "16"},
	{PC_JAPAN, {.id = SNM_RST, .dest = 0x0506},               JAPAN("0") "15 01 06 05 00 00"},
	{PC_JAPAN, {.id = SNM_UPU, .dest = 0x0506, .user = 3},    JAPAN("0") "1a 06 05 03"},
};
/* clang-format on */

static const struct mtp3_label *label_for(enum pc_variant v)
{
	static struct mtp3_label china;

	china = ansi;
	china.mp = 0;
	china.sls = 0;
	switch (v) {
	case PC_ANSI: return &ansi;
	case PC_CHINA: return &china;
	case PC_JAPAN: return &japan;
	default: return &itu;
	}
}

static void assert_messages(const struct snm *a, const struct snm *b)
{
	assert_int_equal(a->id, b->id);
	assert_int_equal(a->slc, b->slc);
	assert_int_equal(a->cbc, b->cbc);
	assert_int_equal(a->level, b->level);
	assert_int_equal(a->user, b->user);
	assert_int_equal(a->cause, b->cause);
	assert_int_equal(a->circuit, b->circuit);
	assert_int_equal(a->fsn, b->fsn);
	assert_int_equal(a->dest, b->dest);
	assert_int_equal(a->pattern_len, b->pattern_len);
	assert_memory_equal(a->pattern, b->pattern, a->pattern_len);
}

static void messages_lie_as_the_figures_show(void **state)
{
	(void)state;
	for (unsigned i = 0; i < sizeof(vectors) / sizeof(vectors[0]); i++) {
		const struct vector *t = &vectors[i];
		uint8_t want[SNM_MAX], got[SNM_MAX];
		uint32_t n = hex(t->text, want, sizeof(want)), len;
		struct mtp3_label l;
		struct snm back;

		assert_int_equal(snm_write(got, sizeof(got), t->v, label_for(t->v), &t->m, &len), MTP3_OK);
		assert_int_equal(len, n);
		assert_memory_equal(got, want, n);
		assert_int_equal(snm_read(want, n, t->v, &l, &back), MTP3_OK);
		assert_messages(&back, &t->m);
		assert_int_equal(l.opc, label_for(t->v)->opc);
	}
}

/* The largest value of every field that message ID has. */
static struct snm filled(unsigned id, enum pc_variant v)
{
	const struct snm_layout *l = snm_rules[id].layout[v];
	struct snm m = {.id = (uint8_t)id, .slc = snm_rules[id].of_link ? 15 : 0};

	for (unsigned i = 0; l && i < SNM_PARTS; i++) {
		uint32_t top = (1u << l->part[i].bits) - 1;

		switch (l->part[i].field) {
		case SNM_FSN: m.fsn = top; break;
		case SNM_CBC: m.cbc = (uint8_t)top; break;
		case SNM_DEST: m.dest = top; break;
		case SNM_LEVEL: m.level = (uint8_t)top; break;
		case SNM_USER: m.user = (uint8_t)top; break;
		case SNM_CAUSE: m.cause = (uint8_t)top; break;
		case SNM_CIRCUIT: m.circuit = (uint16_t)top; break;
		case SNM_LENGTH:
			m.pattern_len = (uint8_t)top;
			memset(m.pattern, 0xee, top);
			break;
		default: break;
		}
	}
	return m;
}

#define EVERY_MESSAGE(id, v)                                                                                 \
	for (unsigned v = 0; v < PC_VARIANTS; v++)                                                           \
		for (unsigned id = 0; id < SNM_IDS; id++)

static void every_message_reads_as_it_was_written(void **state)
{
	(void)state;
	EVERY_MESSAGE(id, v)
	{
		struct snm m = filled(id, v), back;
		struct mtp3_label l;
		uint8_t buf[SNM_MAX + 3];
		uint32_t len;

		if (!snm_rules[id].layout[v]) {
			assert_int_equal(
				snm_write(buf, sizeof(buf), v, label_for(v), &m, &len), MTP3_HEADING);
			continue;
		}
		assert_int_equal(snm_write(buf, sizeof(buf), v, label_for(v), &m, &len), MTP3_OK);
		assert_int_equal(len, snm_length(id, v) + m.pattern_len);
		assert_int_equal(snm_read(buf, len, v, &l, &back), MTP3_OK);
		assert_messages(&back, &m);
		/* Q.701 s.7.2.6: what a later edition may append does no harm */
		assert_int_equal(snm_read(buf, len + 3, v, &l, &back), MTP3_OK);
		assert_messages(&back, &m);
	}
}

static void every_message_cut_short_is_refused(void **state)
{
	(void)state;
	EVERY_MESSAGE(id, v)
	{
		struct snm m = filled(id, v), back;
		uint8_t buf[SNM_MAX];
		struct mtp3_label l;
		uint32_t len;

		if (!snm_rules[id].layout[v])
			continue;
		assert_int_equal(snm_write(buf, sizeof(buf), v, label_for(v), &m, &len), MTP3_OK);
		for (uint32_t n = 0; n < len; n++) {
			uint8_t *p = exact(buf, n);

			assert_int_equal(snm_read(p, n, v, &l, &back),
				n < mtp3_head_len(v) + 1 + (v == PC_JAPAN) ? MTP3_SHORT : MTP3_TRUNCATED);
			free(p);
		}
	}
}

static void every_message_needs_its_room(void **state)
{
	(void)state;
	EVERY_MESSAGE(id, v)
	{
		struct snm m = filled(id, v);
		uint8_t buf[SNM_MAX];
		uint32_t len;

		if (!snm_rules[id].layout[v])
			continue;
		assert_int_equal(snm_write(buf, sizeof(buf), v, label_for(v), &m, &len), MTP3_OK);
		assert_int_equal(snm_write(buf, len - 1, v, label_for(v), &m, &len), MTP3_NO_ROOM);
	}
}

static void values_that_do_not_fit_are_refused(void **state)
{
	static const struct {
		struct snm m;
		enum mtp3_fault f;
	} bad[] = {
		{{.id = SNM_COO, .fsn = 128}, MTP3_VALUE},
		{{.id = SNM_XCO, .fsn = 1 << 24}, MTP3_VALUE},
		{{.id = SNM_TFP, .dest = 1 << 14}, MTP3_POINT_CODE},
		{{.id = SNM_TFC, .level = 4}, MTP3_VALUE},
		{{.id = SNM_UPU, .user = 16}, MTP3_VALUE},
		{{.id = SNM_UPU, .cause = 16}, MTP3_VALUE},
		{{.id = SNM_LIN, .slc = 16}, MTP3_VALUE},
		{{.id = SNM_DLC, .circuit = 1 << 12}, MTP3_VALUE},
		{{.id = SNM_SLTM, .pattern_len = 0}, MTP3_PATTERN},
		{{.id = SNM_SLTM, .pattern_len = 16}, MTP3_PATTERN},
		{{.id = SNM_TCP}, MTP3_HEADING},
		{{.id = SNM_TRW}, MTP3_HEADING},
		{{.id = SNM_IDS}, MTP3_HEADING},
	};
	uint8_t buf[64];
	uint32_t len;

	(void)state;
	for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(snm_write(buf, sizeof(buf), PC_ITU, &itu, &bad[i].m, &len), bad[i].f);
	assert_int_equal(snm_write(buf, sizeof(buf), PC_ITU, &ansi, &(struct snm){.id = SNM_TRA}, &len),
		MTP3_POINT_CODE);
}

static void what_is_no_message_is_refused(void **state)
{
	static const struct {
		enum pc_variant v;
		const char *text;
		enum mtp3_fault f;
	} bad[] = {
		{PC_ITU, "83 09 88 02 02 11 00", MTP3_SERVICE},    /* SCCP */
		{PC_ITU, "82 09 88 02 02 11 10 00", MTP3_SERVICE}, /* SI 2 is spare in ITU */
		{PC_ITU, "80 09 88 02 02 24 00 00", MTP3_HEADING}, /* TCP is ANSI's */
		{PC_ITU, "80 09 88 02 02 00", MTP3_HEADING},
		{PC_ITU, "80 09 88 02 02 ff", MTP3_HEADING},
		{PC_ITU, "81 09 88 02 02 31 10 00", MTP3_HEADING},
		{PC_ITU, "81 09 88 02 02 11 00", MTP3_PATTERN},
		{PC_ITU, "81 09 88 02 02 11 20 00", MTP3_TRUNCATED},
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		uint8_t buf[64];
		struct mtp3_label l;
		struct snm m;

		assert_int_equal(
			snm_read(buf, hex(bad[i].text, buf, sizeof(buf)), bad[i].v, &l, &m), bad[i].f);
	}
}

static void ansi_tests_keep_their_service(void **state)
{
	struct mtp3_label l = ansi, back;
	struct snm m = {.id = SNM_SLTM, .slc = 1, .pattern_len = 1}, r;
	uint8_t buf[SNM_MAX];
	uint32_t len;

	(void)state;
	l.si = MTP3_SI_TEST_SPECIAL;
	assert_int_equal(snm_write(buf, sizeof(buf), PC_ANSI, &l, &m, &len), MTP3_OK);
	assert_int_equal(snm_read(buf, len, PC_ANSI, &back, &r), MTP3_OK);
	assert_int_equal(back.si, MTP3_SI_TEST_SPECIAL);
	assert_int_equal(r.id, SNM_SLTM);
}

/* Any octets: no read behind the end, and what is accepted can be written again to mean the same. */
static void mutations_are_read_or_refused(void **state)
{
	uint32_t seed = 1, accepted = 0;

	(void)state;
	for (unsigned round = 0; round < 60000; round++) {
		const struct vector *t = &vectors[round % (sizeof(vectors) / sizeof(vectors[0]))];
		uint8_t buf[SNM_MAX], again[SNM_MAX], *p;
		uint32_t n = hex(t->text, buf, sizeof(buf)), len;
		struct mtp3_label l;
		struct snm m, back;

		for (unsigned k = 0; k < 3; k++) {
			seed = seed * 1664525 + 1013904223;
			buf[(seed >> 16) % n] ^= (uint8_t)(1u << (seed >> 29));
		}
		p = exact(buf, n);
		if (snm_read(p, n, t->v, &l, &m) == MTP3_OK) {
			accepted++;
			assert_int_equal(snm_write(again, sizeof(again), t->v, &l, &m, &len), MTP3_OK);
			assert_int_equal(snm_read(again, len, t->v, &l, &back), MTP3_OK);
			assert_messages(&back, &m);
		}
		free(p);
	}
	assert_in_range(accepted, 1000, 59000);
}

static void every_message_has_its_own_heading_and_name(void **state)
{
	(void)state;
	for (unsigned id = 0; id < SNM_IDS; id++) {
		assert_string_not_equal(snm_name(id), "?");
		assert_string_not_equal(snm_text(id), "?");
		for (unsigned other = 0; other < id; other++)
			assert_false(snm_rules[id].si == snm_rules[other].si &&
				     snm_heading(id) == snm_heading(other));
	}
	assert_string_equal(snm_name(SNM_IDS), "?");
	assert_string_equal(snm_text(SNM_IDS), "?");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(messages_lie_as_the_figures_show),
		cmocka_unit_test(every_message_reads_as_it_was_written),
		cmocka_unit_test(every_message_cut_short_is_refused),
		cmocka_unit_test(every_message_needs_its_room),
		cmocka_unit_test(values_that_do_not_fit_are_refused),
		cmocka_unit_test(what_is_no_message_is_refused),
		cmocka_unit_test(ansi_tests_keep_their_service),
		cmocka_unit_test(mutations_are_read_or_refused),
		cmocka_unit_test(every_message_has_its_own_heading_and_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
