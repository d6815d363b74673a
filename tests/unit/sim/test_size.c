/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/size.h"

static void sizes_are_read(void **state)
{
	static const struct {
		const char *text;
		bool ok;
		uint32_t min, max;
	} rows[] = {
		{"100", true, 100, 100},
		{"40-272", true, 40, 272},
		{"272-272", true, 272, 272},
		{"ss7", true, 30, 265},
		{"", false, 0, 0},
		{"272-40", false, 0, 0},
		{"-40", false, 0, 0},
		{"40-", false, 0, 0},
		{"40-70000", false, 0, 0},
		{"ss8", false, 0, 0},
		{"1e2", false, 0, 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct size_spec s;

		if (size_parse(rows[i].text, &s) != rows[i].ok)
			fail_msg("%s", rows[i].text);
		if (rows[i].ok) {
			assert_int_equal(s.min, rows[i].min);
			assert_int_equal(s.max, rows[i].max);
		}
	}
}

/* Draws many: the mean, and that both bounds occur. */
static double mean(const char *text, uint32_t *least, uint32_t *most)
{
	enum { N = 200000 };
	struct rng rng = {.s = 3};
	struct size_spec s;
	uint64_t sum = 0;

	assert_true(size_parse(text, &s));
	*least = UINT32_MAX;
	*most = 0;
	for (unsigned i = 0; i < N; i++) {
		uint32_t v = size_draw(&s, &rng);

		sum += v;
		*least = v < *least ? v : *least;
		*most = v > *most ? v : *most;
	}
	return (double)sum / N;
}

static void a_range_is_uniform_and_includes_its_ends(void **state)
{
	uint32_t least, most;

	(void)state;
	assert_in_range((unsigned)mean("40-272", &least, &most), 154, 157);
	assert_int_equal(least, 40);
	assert_int_equal(most, 272);
	assert_in_range((unsigned)mean("77", &least, &most), 77, 77);
}

static void ss7_has_a_mean_of_100_and_fits_on_a_link(void **state)
{
	uint32_t least, most;

	(void)state;
	assert_in_range((unsigned)(mean("ss7", &least, &most) * 10), 980, 1020);
	assert_int_equal(least, 30);
	assert_int_equal(most, 265);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes_are_read),
		cmocka_unit_test(a_range_is_uniform_and_includes_its_ends),
		cmocka_unit_test(ss7_has_a_mean_of_100_and_fits_on_a_link),
	};

	return cmocka_run_group_tests_name("sim/size", tests, NULL, NULL);
}
