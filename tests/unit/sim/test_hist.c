/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "sim/hist.h"
#include "sim/rng.h"

static struct hist h;

static int clear(void **state)
{
	(void)state;
	h = (struct hist){0};
	return 0;
}

static void an_empty_histogram_says_zero(void **state)
{
	(void)state;
	assert_int_equal(hist_quantile(&h, 0.5), 0);
	assert_int_equal(hist_quantile(&h, 1), 0);
}

static void one_sample_is_every_percentile(void **state)
{
	static const uint64_t values[] = {
		0, 1, 63, 64, 65, 1000, 123456789, (1ull << 40) - 1, 1ull << 40, UINT64_MAX};

	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++) {
		clear(state);
		hist_add(&h, values[i]);
		assert_true(hist_quantile(&h, 0.001) == values[i]);
		assert_true(hist_quantile(&h, 0.5) == values[i]);
		assert_true(hist_quantile(&h, 1) == values[i]);
	}
}

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* Samples of all magnitudes against the sorted truth: never below it, never 1.6 % above. */
static void percentiles_are_within_two_percent_above_the_truth(void **state)
{
	static const double q[] = {0.01, 0.1, 0.5, 0.9, 0.99, 0.999, 1};
	enum { N = 100000 };
	uint64_t *v = calloc(N, sizeof(*v));
	struct rng rng = {.s = 42};

	(void)state;
	for (unsigned i = 0; i < N; i++) {
		v[i] = rng_next(&rng) >> (24 + rng_below(&rng, 39));
		hist_add(&h, v[i]);
	}
	qsort(v, N, sizeof(*v), by_value);
	for (size_t i = 0; i < sizeof(q) / sizeof(*q); i++) {
		uint64_t truth = v[(unsigned)(q[i] * N + 0.5) - 1], got = hist_quantile(&h, q[i]);

		assert_true(got >= truth);
		assert_true((double)got <= (double)truth * 1.016 + 1);
	}
	assert_true(hist_quantile(&h, 1) == v[N - 1]);
	free(v);
}

static void merging_is_adding(void **state)
{
	static struct hist other;

	(void)state;
	for (uint64_t i = 0; i < 1000; i++)
		hist_add(i % 2 ? &h : &other, i * 1000);
	hist_merge(&h, &other);
	assert_int_equal(h.n, 1000);
	assert_int_equal(h.max, 999000);
	assert_in_range(hist_quantile(&h, 0.5), 499000, 510000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(an_empty_histogram_says_zero, clear),
		cmocka_unit_test_setup(one_sample_is_every_percentile, clear),
		cmocka_unit_test_setup(percentiles_are_within_two_percent_above_the_truth, clear),
		cmocka_unit_test_setup(merging_is_adding, clear),
	};

	return cmocka_run_group_tests_name("sim/hist", tests, NULL, NULL);
}
