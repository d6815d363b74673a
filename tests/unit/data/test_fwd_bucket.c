/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "data/fwd.h"

static struct fwd_as keyed(enum fwd_share_key key, uint32_t n)
{
	return (struct fwd_as){.key = key, .n_buckets = n};
}

static uint32_t isup(const struct fwd_as *as, uint32_t opc, uint32_t dpc, uint8_t sls, uint16_t cic)
{
	uint8_t p[] = {(uint8_t)cic, (uint8_t)(cic >> 8), 1, 0};

	return fwd_bucket(as, opc, dpc, 5, sls, p, sizeof(p));
}

static void an_sls_is_its_own_bucket(void **state)
{
	struct fwd_as as = keyed(FWD_KEY_SLS, FWD_SLS_BUCKETS);

	(void)state;
	for (unsigned sls = 0; sls < 256; sls++)
		assert_int_equal(fwd_bucket(&as, 1, 2, 3, (uint8_t)sls, NULL, 0), sls);
	as.n_buckets = 0; /* not shared at all */
	assert_int_equal(fwd_bucket(&as, 1, 2, 3, 77, NULL, 0), 0);
}

static void opc_and_sls_spread_wider_than_sls(void **state)
{
	struct fwd_as as = keyed(FWD_KEY_OPC_SLS, FWD_HASH_BUCKETS);
	uint8_t used[FWD_HASH_BUCKETS] = {0};
	unsigned n = 0;

	(void)state;
	for (uint32_t opc = 0; opc < 256; opc++)
		for (unsigned sls = 0; sls < 16; sls++) {
			uint32_t b = fwd_bucket(&as, opc, 2, 3, (uint8_t)sls, NULL, 0);

			assert_in_range(b, 0, FWD_HASH_BUCKETS - 1);
			n += !used[b];
			used[b] = 1;
		}
	assert_in_range(n, FWD_HASH_BUCKETS / 2, FWD_HASH_BUCKETS); /* random would use 63 % */
	/* neither the destination nor the user matter */
	assert_int_equal(fwd_bucket(&as, 7, 2, 3, 1, NULL, 0), fwd_bucket(&as, 7, 9, 5, 1, NULL, 0));
}

static void a_circuit_keeps_its_bucket_whatever_its_sls(void **state)
{
	struct fwd_as as = keyed(FWD_KEY_CIC, FWD_HASH_BUCKETS);
	unsigned differ = 0;

	(void)state;
	for (uint16_t cic = 0; cic < 1000; cic++) {
		assert_int_equal(isup(&as, 1, 2, 0, cic), isup(&as, 1, 2, 15, cic));
		differ += isup(&as, 1, 2, 0, cic) != isup(&as, 1, 2, 0, cic + 1);
		differ += isup(&as, 1, 2, 0, cic) != isup(&as, 2, 1, 0, cic);
	}
	assert_true(differ > 1900);
	/* spare bits are not the code's */
	assert_int_equal(isup(&as, 1, 2, 0, 0x0123), isup(&as, 1, 2, 0, 0xc123));
}

static void users_without_circuits_share_by_sls(void **state)
{
	struct fwd_as as = keyed(FWD_KEY_CIC, FWD_HASH_BUCKETS);
	const uint8_t one[] = {1, 2, 3}, two[] = {9, 9, 9};

	(void)state;
	assert_int_equal(fwd_bucket(&as, 1, 2, 3, 4, one, 3), fwd_bucket(&as, 1, 2, 3, 4, two, 3));
	assert_int_not_equal(fwd_bucket(&as, 1, 2, 3, 4, one, 3), fwd_bucket(&as, 1, 2, 3, 5, one, 3));
	/* too short to have one */
	assert_int_equal(fwd_bucket(&as, 1, 2, 5, 4, one, 1), fwd_bucket(&as, 1, 2, 5, 4, two, 1));
	assert_int_equal(fwd_bucket(&as, 1, 2, 5, 4, NULL, 0), fwd_bucket(&as, 1, 2, 5, 4, two, 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_sls_is_its_own_bucket),
		cmocka_unit_test(opc_and_sls_spread_wider_than_sls),
		cmocka_unit_test(a_circuit_keeps_its_bucket_whatever_its_sls),
		cmocka_unit_test(users_without_circuits_share_by_sls),
	};

	return cmocka_run_group_tests_name("data/fwd_bucket", tests, NULL, NULL);
}
