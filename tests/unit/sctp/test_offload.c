/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The loopback has tx-checksum-sctp, always on (net/core: NETIF_F_SCTP_CRC is among its fixed features). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sctp/offload.h"

static void the_loopback_is_offloaded(void **state)
{
	(void)state;
	assert_int_equal(offload_get("lo"), OFFLOAD_YES);
	assert_string_equal(offload_name(OFFLOAD_YES), "yes");
}

static void a_device_that_is_not_there_is_unknown(void **state)
{
	(void)state;
	assert_int_equal(offload_get("no-such-dev"), OFFLOAD_UNKNOWN);
	assert_int_equal(offload_set("no-such-dev", true), SB_ENOTSUP);
}

static void addresses_lead_to_their_device(void **state)
{
	struct offload_device d[4];
	union tp_addr a[2];

	(void)state;
	assert_int_equal(tp_addr_parse(&a[0], "127.0.0.1"), SB_OK);
	assert_int_equal(tp_addr_parse(&a[1], "192.0.2.77"), SB_OK); /* nobody's (RFC 5737) */
	assert_int_equal(offload_list(a, 2, d, 4), 1);
	assert_string_equal(d[0].name, "lo");
	assert_int_equal(d[0].n_addrs, 1);
	assert_true(tp_addr_same(&d[0].addrs[0], &a[0]));
	assert_int_equal(offload_list(&a[1], 1, d, 4), 0);
	assert_string_equal(offload_summary(a, 1), "left to the device (tx-checksum-sctp)");
	assert_true(strncmp(offload_summary(&a[1], 1), "unknown", 7) == 0);
}

static void without_addresses_all_devices_are_listed(void **state)
{
	struct offload_device d[32];
	unsigned n = offload_list(NULL, 0, d, 32);
	bool lo = false;

	(void)state;
	for (unsigned i = 0; i < n; i++)
		lo = lo || !strcmp(d[i].name, "lo");
	assert_true(lo);
	assert_int_equal(offload_list(NULL, 0, d, 0), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_loopback_is_offloaded),
		cmocka_unit_test(a_device_that_is_not_there_is_unknown),
		cmocka_unit_test(addresses_lead_to_their_device),
		cmocka_unit_test(without_addresses_all_devices_are_listed),
	};

	return cmocka_run_group_tests_name("offload", tests, NULL, NULL);
}
