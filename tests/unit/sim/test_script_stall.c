/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/clock.h"
#include "sim/script_stall.h"

static struct ev_loop *loop;
static struct stall s;
static uint64_t now_ns;

static void pass(unsigned ms)
{
	clock_freeze_ns(now_ns += ms * 1000000ull);
}

static int setup(void **state)
{
	(void)state;
	loop = ev_loop_new(0);
	now_ns = clock_ns();
	pass(0);
	stall_start(&s, loop);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	stall_stop(&s, loop);
	ev_loop_destroy(loop);
	clock_freeze_ns(0);
	return 0;
}

static void who_is_in_time_has_not_stalled(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		pass(STALL_TICK_MS);
		ev_run(loop, EVRUN_ONCE); /* until the timer comes */
	}
	assert_int_equal(stall_ms(&s), 0);
	assert_false(stall_spoils(&s));
}

static void the_longest_delay_is_kept(void **state)
{
	(void)state;
	pass(STALL_TICK_MS + 350);
	assert_int_equal(stall_ms(&s), 350); /* before the loop has run again, too */
	ev_run(loop, EVRUN_ONCE);
	pass(STALL_TICK_MS + 30);
	ev_run(loop, EVRUN_ONCE);
	assert_true(stall_spoils(&s));
	assert_int_equal(stall_ms(&s), 350);
}

static void what_the_script_itself_waited_for_is_no_delay(void **state)
{
	(void)state;
	pass(5000);
	stall_forget(&s);
	ev_run(loop, EVRUN_ONCE);
	assert_int_equal(stall_ms(&s), 0);
}

#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(who_is_in_time_has_not_stalled),
		T(the_longest_delay_is_kept),
		T(what_the_script_itself_waited_for_is_no_delay),
	};

	return cmocka_run_group_tests_name("sim/script_stall", tests, NULL, NULL);
}
