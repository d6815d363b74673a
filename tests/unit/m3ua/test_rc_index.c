/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memberships by Routing Context: found, in order, whatever comes and goes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <talloc.h>

#include "m3ua/as.h"
#include "m3ua/asp.h"
#include "m3ua/rc_index.h"

enum { MEMBERS = 200 };

static struct as_asp members[MEMBERS];
static bool in[MEMBERS];

/* Two of three have one, in an order of its own; so that none is another one's. */
static bool key(const struct as_asp *m, uint32_t *rc)
{
	unsigned i = (unsigned)(m - members);

	*rc = i * 7919 % 1000 << 20 | i;
	return i % 3 != 0;
}

static void check(const struct rc_index *x)
{
	uint32_t rc, before = 0;
	unsigned n = 0;

	for (unsigned i = 0; i < MEMBERS; i++) {
		bool has = key(&members[i], &rc);

		assert_ptr_equal(rc_index_find(x, key, rc), has && in[i] ? &members[i] : NULL);
		assert_null(rc_index_find(x, key, rc + MEMBERS));
		n += has && in[i];
	}
	assert_int_equal(x->n, n);
	for (unsigned i = 0; i < x->n; i++, before = rc) {
		(void)key(x->v[i], &rc);
		assert_true(!i || rc > before);
	}
}

static void members_are_found_in_whatever_order_they_come_and_go(void **state)
{
	struct rc_index x = {0};
	void *ctx = talloc_new(NULL);
	uint32_t seed = 1;

	(void)state;
	check(&x);
	for (unsigned step = 0; step < 2000; step++) {
		unsigned i = (seed = seed * 1664525u + 1013904223u) % MEMBERS;

		if (in[i])
			rc_index_del(&x, &members[i]);
		else
			rc_index_add(&x, ctx, key, &members[i]);
		in[i] = !in[i];
		if (step % 50 == 0)
			check(&x);
	}
	for (unsigned i = 0; i < MEMBERS; i++, in[i - 1] = false)
		rc_index_del(&x, &members[i]); /* also those that are not there */
	check(&x);
	talloc_free(ctx);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(members_are_found_in_whatever_order_they_come_and_go),
	};

	return cmocka_run_group_tests_name("m3ua/rc_index", tests, NULL, NULL);
}
