/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "sim/as.h"

enum { MS = 1000000, N_ASPS = 200 };

static uint16_t owner[AS_SLS];
static bool active[N_ASPS];

static int nobody(void **state)
{
	(void)state;
	memset(owner, 0xff, sizeof(owner));
	memset(active, 0, sizeof(active));
	return 0;
}

static unsigned count_active(unsigned n)
{
	unsigned k = 0;

	for (unsigned i = 0; i < n; i++)
		k += active[i];
	return k;
}

/* Nobody idle owns one; each block of 16 is even; all of it is even as far as 16 divides. */
static void assert_fair(unsigned n)
{
	unsigned total[N_ASPS] = {0}, k = count_active(n);

	for (unsigned b = 0; b < AS_SLS; b += 16) {
		unsigned block[N_ASPS] = {0};

		for (unsigned s = b; s < b + 16; s++) {
			assert_true(owner[s] < n && active[owner[s]]);
			block[owner[s]]++;
			total[owner[s]]++;
		}
		for (unsigned i = 0; i < n; i++)
			assert_true(block[i] <= (16 + k - 1) / k);
	}
	for (unsigned i = 0; i < n; i++)
		assert_true(!active[i] || total[i] > 0);
}

static unsigned moved(const uint16_t *before)
{
	unsigned n = 0;

	for (unsigned s = 0; s < AS_SLS; s++)
		n += before[s] != owner[s];
	return n;
}

static void any_number_of_asps_shares_evenly(void **state)
{
	for (unsigned n = 1; n <= N_ASPS; n++) {
		nobody(state);
		memset(active, 1, n);
		as_assign(owner, active, n);
		assert_fair(n);
	}
}

static void asps_that_come_one_by_one_share_evenly(void **state)
{
	(void)state;
	for (unsigned n = 0; n < N_ASPS; n++) {
		active[n] = true;
		as_assign(owner, active, N_ASPS);
		if (n < 16)
			assert_fair(N_ASPS);
	}
	assert_fair(N_ASPS);
}

static void who_leaves_takes_only_its_own_slss(void **state)
{
	uint16_t before[AS_SLS];

	(void)state;
	memset(active, 1, 4);
	as_assign(owner, active, 4);
	memcpy(before, owner, sizeof(before));
	active[2] = false;
	as_assign(owner, active, 4);
	for (unsigned s = 0; s < AS_SLS; s++)
		assert_true(before[s] == 2 || owner[s] == before[s]);
	assert_fair(4);
}

static void who_returns_gets_its_share_and_no_more_moves(void **state)
{
	uint16_t before[AS_SLS];

	(void)state;
	active[0] = true;
	as_assign(owner, active, 2);
	memcpy(before, owner, sizeof(before));
	active[1] = true;
	as_assign(owner, active, 2);
	assert_int_equal(moved(before), AS_SLS / 2);
	memcpy(before, owner, sizeof(before));
	as_assign(owner, active, 2);
	assert_int_equal(moved(before), 0);
}

static void without_an_active_asp_nobody_owns_anything(void **state)
{
	(void)state;
	memset(active, 1, 3);
	as_assign(owner, active, 3);
	memset(active, 0, 3);
	as_assign(owner, active, 3);
	for (unsigned s = 0; s < AS_SLS; s++)
		assert_int_equal(owner[s], AS_NOBODY);
}

/* ---- as_sender ---- */

static struct asp_env env;
static struct tp_loop tp;
static struct as as;

static int two_asps(void **state)
{
	static const struct as_opts conf = {.name = "hlr", .asps = 2};

	(void)state;
	tp.ev = ev_loop_new(EVFLAG_AUTO);
	env = (struct asp_env){.tp = &tp};
	return as_init(&as, &env, &conf, 100ull * MS) ? 0 : -1;
}

static int no_asps(void **state)
{
	(void)state;
	as_fini(&as);
	ev_loop_destroy(tp.ev);
	return 0;
}

static void set(unsigned i, enum asp_state s)
{
	as.asps[i].state = s;
	as_share(&as);
}

static void who_has_sent_aspia_keeps_its_slss_waiting_until_the_ack(void **state)
{
	uint64_t wake = UINT64_MAX;
	struct asp *a;

	(void)state;
	set(0, ASP_ACTIVE);
	set(1, ASP_ACTIVE);
	a = as_sender(&as, 3, 1000ull * MS, &wake);
	assert_non_null(a);
	set(a->index, ASP_WAIT_INACTIVE);
	assert_null(as_sender(&as, 3, 1001ull * MS, &wake));
	set(a->index, ASP_INACTIVE);
	assert_ptr_equal(as_sender(&as, 3, 1002ull * MS, &wake), &as.asps[1 - a->index]);
	assert_true(wake == UINT64_MAX);
}

static void an_sls_that_moves_between_active_asps_pauses(void **state)
{
	uint64_t wake = UINT64_MAX;
	unsigned n_moved = 0;

	(void)state;
	set(0, ASP_ACTIVE);
	for (unsigned s = 0; s < 16; s++)
		assert_ptr_equal(as_sender(&as, (uint8_t)s, 1000ull * MS, &wake), &as.asps[0]);
	set(1, ASP_ACTIVE);
	for (unsigned s = 0; s < 16; s++) {
		if (as_sender(&as, (uint8_t)s, 1001ull * MS, &wake))
			continue;
		n_moved++;
		assert_true(wake == 1100ull * MS);
		assert_ptr_equal(as_sender(&as, (uint8_t)s, 1100ull * MS, &wake), &as.asps[1]);
	}
	assert_int_equal(n_moved, 8);
}

static void an_sls_nobody_used_moves_at_once(void **state)
{
	uint64_t wake = UINT64_MAX;

	(void)state;
	set(0, ASP_ACTIVE);
	set(1, ASP_ACTIVE);
	for (unsigned s = 0; s < AS_SLS; s++)
		assert_non_null(as_sender(&as, (uint8_t)s, 1, &wake));
}

static void an_aborted_asp_s_slss_move_at_once(void **state)
{
	uint64_t wake = UINT64_MAX;

	(void)state;
	set(0, ASP_ACTIVE);
	set(1, ASP_ACTIVE);
	for (unsigned s = 0; s < 16; s++)
		as_sender(&as, (uint8_t)s, 1000ull * MS, &wake);
	set(0, ASP_OFF);
	for (unsigned s = 0; s < 16; s++)
		assert_ptr_equal(as_sender(&as, (uint8_t)s, 1001ull * MS, &wake), &as.asps[1]);
	set(1, ASP_OFF);
	assert_null(as_sender(&as, 0, 1002ull * MS, &wake));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(any_number_of_asps_shares_evenly, nobody),
		cmocka_unit_test_setup(asps_that_come_one_by_one_share_evenly, nobody),
		cmocka_unit_test_setup(who_leaves_takes_only_its_own_slss, nobody),
		cmocka_unit_test_setup(who_returns_gets_its_share_and_no_more_moves, nobody),
		cmocka_unit_test_setup(without_an_active_asp_nobody_owns_anything, nobody),
		cmocka_unit_test_setup_teardown(
			who_has_sent_aspia_keeps_its_slss_waiting_until_the_ack, two_asps, no_asps),
		cmocka_unit_test_setup_teardown(
			an_sls_that_moves_between_active_asps_pauses, two_asps, no_asps),
		cmocka_unit_test_setup_teardown(an_sls_nobody_used_moves_at_once, two_asps, no_asps),
		cmocka_unit_test_setup_teardown(an_aborted_asp_s_slss_move_at_once, two_asps, no_asps),
	};

	return cmocka_run_group_tests_name("sim/as", tests, NULL, NULL);
}
