/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The timers of Q.704 s.16.8 and Q.707 s.5.5: names, ranges and defaults by variant, in one table. */
#pragma once

#include <osmocom/core/timer.h>
#include <stdint.h>

#include "wire/pc.h"

/* id, key, text, ITU default, ANSI default (T1.111.4 s.16.8, by what they do, not by their number), least,
 * most: ms. T7 is of data link connections, which M2PA has none of; T24 of a national option that is not
 * done. */
#define MTP3_TIMER_LIST(X)                                                                                   \
	X(T1, "t1", "Time-controlled changeover", 800, 800, 500, 1200)                                       \
	X(T2, "t2", "Changeover acknowledgement", 1400, 1400, 700, 2000)                                     \
	X(T3, "t3", "Time-controlled diversion", 800, 800, 500, 1200)                                        \
	X(T4, "t4", "Changeback acknowledgement, first", 800, 800, 500, 1200)                                \
	X(T5, "t5", "Changeback acknowledgement, second", 800, 800, 500, 1200)                               \
	X(T6, "t6", "Controlled rerouting", 800, 800, 500, 1200)                                             \
	X(T8, "t8", "Transfer prohibited inhibition", 1000, 1000, 800, 1200)                                 \
	X(T10, "t10", "Signalling route set test", 45000, 45000, 30000, 60000)                               \
	X(T11, "t11", "Transfer restricted", 60000, 60000, 30000, 90000)                                     \
	X(T12, "t12", "Uninhibit acknowledgement", 1200, 1200, 800, 1500)                                    \
	X(T13, "t13", "Forced uninhibit", 1200, 1200, 800, 1500)                                             \
	X(T14, "t14", "Inhibit acknowledgement", 2500, 2500, 2000, 3000)                                     \
	X(T15, "t15", "Route set congestion test, start", 2500, 2500, 2000, 3000)                            \
	X(T16, "t16", "Route set congestion test, wait", 1700, 1700, 1400, 2000)                             \
	X(T17, "t17", "Alignment retry", 1200, 1200, 800, 1500)                                              \
	X(T18, "t18", "Restart, first phase", 5000, 5000, 500, 60000)          /* ANSI T22 */                \
	X(T19, "t19", "Restart, TRA again", 68000, 62000, 60000, 69000)        /* ANSI T29 */                \
	X(T20, "t20", "Restart, own", 60000, 60000, 10000, 61000)              /* ANSI T22 to T24 */         \
	X(T21, "t21", "Restart, adjacent", 64000, 32000, 30000, 65000)         /* ANSI T25 */                \
	X(T22, "t22", "Local inhibit test", 240000, 100000, 90000, 360000)     /* ANSI T20 */                \
	X(T23, "t23", "Remote inhibit test", 240000, 100000, 90000, 360000)    /* ANSI T21 */                \
	X(T26, "t26", "Restart, TRW again (ANSI)", 13500, 13500, 12000, 15000) /* ANSI T26 */                \
	X(SLT_T1, "slt-t1", "Signalling link test, wait", 8000, 8000, 4000, 12000)                           \
	X(SLT_T2, "slt-t2", "Signalling link test, interval", 60000, 60000, 30000, 90000)

enum mtp3_timer {
#define X(id, key, text, itu, ansi, least, most) MTP3_##id,
	MTP3_TIMER_LIST(X)
#undef X
		MTP3_TIMERS
};

struct mtp3_timer_rule {
	const char *name, *key, *text; /* key: in the configuration */
	uint32_t itu_ms, ansi_ms, least_ms, most_ms;
};

extern const struct mtp3_timer_rule mtp3_timer_rules[MTP3_TIMERS];

uint32_t mtp3_timer_default(enum mtp3_timer t, enum pc_variant v);

struct mtp3_net;
uint32_t mtp3_timer_ms(const struct mtp3_net *n, enum mtp3_timer t);
/* Starts (or starts again) TIMER for T of network N. */
void timer_start(struct osmo_timer_list *timer, const struct mtp3_net *n, enum mtp3_timer t,
	void (*expired)(void *), void *data);
