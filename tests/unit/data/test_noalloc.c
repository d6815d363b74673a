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
#include "wire/m2pa.h"

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

/* ---- links ---- */

enum { AN_ASP, A_LINK, ANOTHER_LINK, LINK_PEERS, ACK_EVERY = 50 };

/* What the gateway retains takes its buffers. */
static void acknowledge(struct rig_peer *peer, const struct mbuf *m)
{
	uint8_t bytes[M2PA_HEADER];
	struct wr w = wr_over(bytes, sizeof(bytes));
	struct m2pa_msg msg;

	assert_int_equal(m2pa_parse(m->data + m->off, m->len, &msg), M2PA_NO_FAULT);
	if (!msg.msu_len || msg.fsn % ACK_EVERY)
		return;
	m2pa_empty_write(&w, msg.fsn, M2PA_SEQ_START);
	assert_true(rig_raw(peer, bytes, sizeof(bytes), 1, TP_PPID_M2PA));
}

/* Half of it waits for a while. */
static void pass_to_links(struct rig *r, uint64_t n)
{
	uint64_t sent = r->peers[A_LINK].received + r->peers[ANOTHER_LINK].received, end = sent + n;

	while (sent < end) {
		for (unsigned i = 0; i < 500; i++, sent++)
			assert_true(rig_data(&r->peers[AN_ASP], A_LINK, (uint8_t)i, "12345678", 8));
		rig_until(r, r->peers[A_LINK].received + r->peers[ANOTHER_LINK].received +
					     atomic_load(&r->as[A_LINK].hold.n) >=
				     sent);
	}
}

static void close_slot(struct rig *r, bool closed)
{
	r->as[A_LINK].closed = closed ? 1 << A_LINK : 0;
	rig_publish(r);
}

static void nor_do_they_when_messages_go_to_links_or_wait(void **state)
{
	unsigned long before;
	struct rig r;

	(void)state;
	test_thread = true;
	rig_start(&r, &(struct rig_options){
			      .workers = 2, .peers = LINK_PEERS, .links = 1 << A_LINK | 1 << ANOTHER_LINK});
	r.on_link = acknowledge;
	r.as[A_LINK].mode = FWD_LOADSHARE;
	r.as[A_LINK].n_buckets = FWD_SLS_BUCKETS;
	r.as[A_LINK].n_asps = 2;
	r.as[A_LINK].asps[1] = ANOTHER_LINK;
	close_slot(&r, false);
	pass_to_links(&r, 10000);
	close_slot(&r, true);
	rig_data(&r.peers[AN_ASP], A_LINK, 0, "12345678", 8);
	rig_until(&r, atomic_load(&r.as[A_LINK].hold.n) == 1);
	before = atomic_load(&calls);
	pass_to_links(&r, 1500);
	assert_in_range(atomic_load(&r.as[A_LINK].hold.n), 700, 800);
	close_slot(&r, false);
	pass_to_links(&r, 100000);
	rig_until(&r, !atomic_load(&r.as[A_LINK].hold.n));
	assert_int_equal(atomic_load(&calls), before);
	rig_stop(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(workers_do_not_allocate_while_a_million_messages_pass),
		cmocka_unit_test(nor_do_they_when_messages_go_to_links_or_wait),
	};

	return cmocka_run_group_tests_name("data/noalloc", tests, NULL, NULL);
}
