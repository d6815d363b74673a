/* SPDX-License-Identifier: GPL-2.0-or-later */
/* No thread of the data plane allocates or frees memory while a million messages pass. The allocator's own
 * entry points are replaced here; a sanitizer, which has replaced them itself, is asked to tell instead. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/tsan.h"
#include "rig.h"

static atomic_ulong calls; /* by any thread but the test's own */
static _Thread_local bool test_thread;

static void count_call(void)
{
	if (!test_thread)
		atomic_fetch_add_explicit(&calls, 1, memory_order_relaxed);
}

#if defined(__SANITIZE_ADDRESS__) || defined(SB_TSAN)
int __sanitizer_install_malloc_and_free_hooks(
	void (*)(const volatile void *, size_t), void (*)(const volatile void *));

static void on_malloc(const volatile void *p, size_t n)
{
	(void)p;
	(void)n;
	count_call();
}

static void on_free(const volatile void *p)
{
	(void)p;
	count_call();
}

static void watch_allocator(void)
{
	test_thread = true;
	assert_true(__sanitizer_install_malloc_and_free_hooks(on_malloc, on_free) > 0);
}
#else
void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t n);
void *__libc_memalign(size_t align, size_t n);
void __libc_free(void *p);

void *malloc(size_t n)
{
	count_call();
	return __libc_malloc(n);
}

void *calloc(size_t n, size_t size)
{
	count_call();
	return __libc_calloc(n, size);
}

void *realloc(void *p, size_t n)
{
	count_call();
	return __libc_realloc(p, n);
}

void *memalign(size_t align, size_t n);
void *memalign(size_t align, size_t n)
{
	count_call();
	return __libc_memalign(align, n);
}

void free(void *p)
{
	count_call();
	__libc_free(p);
}

static void watch_allocator(void)
{
	test_thread = true;
}
#endif

enum { FLOWS = 64 };

static void pass_messages(struct rig *r, uint64_t n)
{
	uint64_t sent = r->peers[0].received + r->peers[1].received, end = sent + n, window = 3000;
	uint8_t payload[60] = {0};

	while (r->peers[0].received + r->peers[1].received < end) {
		uint64_t before = r->peers[0].received + r->peers[1].received;

		for (; sent < end && sent - before < window; sent++)
			assert_true(rig_data(&r->peers[sent % 2], (sent + 1) % 2, (uint8_t)(sent / 2 % FLOWS),
				payload, sizeof(payload)));
		rig_until(r, r->peers[0].received + r->peers[1].received > before);
	}
}

static void workers_do_not_allocate_while_a_million_messages_pass(void **state)
{
	const char *s = getenv("MESSAGES");
	unsigned long before;
	struct rig r;

	(void)state;
	watch_allocator();
	rig_start(&r, &(struct rig_options){.workers = 2, .streams = 64});
	pass_messages(&r, 10000); /* pages of stream state are made on first use */
	before = atomic_load(&calls);
	assert_true(before > 0); /* it does count */
	pass_messages(&r, s ? strtoull(s, NULL, 10) : 1000000);
	assert_int_equal(atomic_load(&calls), before);
	rig_stop(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(workers_do_not_allocate_while_a_million_messages_pass),
	};

	return cmocka_run_group_tests_name("data/noalloc", tests, NULL, NULL);
}
