/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A router with egresses that a test sets by hand, a plane that only keeps the table, and a listener that
 * writes down what it hears. One network of 14 bits, one association per slot that is never touched. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "route/route.h"

enum { RIG_EGRESSES = 4, RIG_SPECS = 32 };

struct rig_egress {
	struct route_egress *e;
	enum fwd_as_state state;
	enum fwd_mode mode;
	enum dest_status status;
	uint8_t congestion;
	unsigned n_slots;
};

struct rig {
	struct router *r;
	struct rig_egress e[RIG_EGRESSES]; /* "a", "b", "c", "d": up, with one slot */
	struct route_spec keys[RIG_SPECS], routes[RIG_SPECS];
	unsigned n_keys, n_routes;
	char news[1024]; /* "a: unavailable 5\n", masked "8/3", congestion "level1 5" */
	char moved[256]; /* "5 8/3": whose traffic other routes carry */
	char moves[256]; /* "5 controlled, 8 forced": what was asked */
	bool holds;      /* controlled ones are held until rig_release() */
};

void rig_start(struct rig *r);
void rig_stop(struct rig *r);
/* A routing key, or a configured route; rig_apply() makes them so. */
void rig_key(struct rig *r, uint32_t pc, uint8_t si, unsigned egress);
void rig_route(struct rig *r, uint32_t pc, uint8_t mask, unsigned egress, uint8_t priority);
void rig_apply(struct rig *r);
/* The egress is so now; publishes and tells. */
void rig_set(struct rig *r, unsigned egress, enum fwd_as_state state, enum dest_status status);
void rig_settle(struct rig *r);
/* Grace periods end. */
void rig_grace(struct rig *r);

/* What was held goes on. */
void rig_release(struct rig *r, uint32_t pc, uint8_t mask);

/* Where a message goes by the published table: "a", "a(held)", "a+b", "a+b(some held)", "(held)": it waits
 * for a move, "-": a route that leads nowhere, "none". */
const char *rig_to(struct rig *r, uint32_t pc, uint8_t si);
/* Who carries each of ITU's 16 SLSs, by letters; '-': it waits for a move. */
const char *rig_slss(struct rig *r, uint32_t pc);
const struct fwd_as *rig_target(struct rig *r, uint32_t pc, uint8_t si);
#define rig_moved(r, text)                                                                                   \
	do {                                                                                                 \
		assert_string_equal((r)->moved, text);                                                       \
		(r)->moved[0] = '\0';                                                                        \
	} while (0)
#define rig_asked(r, text)                                                                                   \
	do {                                                                                                 \
		assert_string_equal((r)->moves, text);                                                       \
		(r)->moves[0] = '\0';                                                                        \
	} while (0)
/* What was heard since the last look is exactly this. */
#define rig_heard(r, text)                                                                                   \
	do {                                                                                                 \
		assert_string_equal((r)->news, text);                                                        \
		(r)->news[0] = '\0';                                                                         \
	} while (0)
