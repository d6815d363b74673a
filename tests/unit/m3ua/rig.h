/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A gateway with a fake plane for the tests of m3ua/: two Application Servers of two ASPs each, frozen time,
 * and messages as one line of text, both ways.
 *
 *   hlr  RC 10, DPC 11, loadshare   hlr-1 127.0.0.1, hlr-2 127.0.0.2
 *   msc  RC 20, DPC 22, override    msc-1 127.0.0.3, msc-2 127.0.0.4
 *
 * A test may change rig.conf's rows before rig_start(). */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fake_plane.h"
#include "m3ua/as.h"
#include "m3ua/asp.h"
#include "m3ua/sg.h"
#include "m3ua/sg_int.h"

enum { RIG_MAX = 260, RIG_KEYS = 8 };

struct rig {
	struct sg_conf conf;
	struct network_conf networks[2];
	struct listener_conf listeners[1];
	struct template_conf templates[4];
	struct asp_conf asps[RIG_MAX];
	struct as_conf ass[RIG_MAX];
	struct key_conf keys[RIG_MAX][RIG_KEYS];
	const char *members[RIG_MAX][RIG_MAX];
	void *names; /* talloc context of the strings above */
	struct sg *sg;
	struct plane *plane;
};

/* Rows as above; nothing runs yet. */
struct rig *rig_new(void);
/* Another ASP or AS in the configuration (up to 15 characters of name). */
struct asp_conf *rig_asp(struct rig *r, const char *name, const char *ip);
struct as_conf *rig_as(struct rig *r, const char *name, uint32_t rc, uint32_t dpc, int mode);
void rig_member(struct rig *r, struct as_conf *as, const char *asp);
struct as_conf *rig_as_conf(struct rig *r, const char *name);
struct asp_conf *rig_asp_conf(struct rig *r, const char *name);

void rig_start(struct rig *r);
void rig_free(struct rig *r);

/* Associations. */
struct assoc *rig_connect(struct rig *r, const char *asp); /* arrives and is up */
struct assoc *rig_up(struct rig *r, const char *asp);      /* and ASPUP, answers discarded */
struct assoc *rig_active(struct rig *r, const char *asp);  /* and ASPAC, answers discarded */

/* The peer says "ASPAC tmt=2 rc=10,20" or "REG_REQ rk={ lrk=1 dpc=33 }", on stream 0. Then control settles;
 * grace periods stay open. */
void rig_say(struct rig *r, struct assoc *a, const char *text);
void rig_say_on(struct rig *r, struct assoc *a, uint16_t stream, const char *text);
void rig_say_more(struct rig *r, struct assoc *a, const char *text); /* without settling */
/* The bytes of such a text; the length. */
uint32_t rig_encode(uint8_t *out, uint32_t cap, const char *text);

/* Everything sent to A since the last look is exactly this, one message a line, diagnostics not shown. */
#define rig_expect(a, text) rig_expect_at((a), (text), __FILE__, __LINE__)
void rig_expect_at(struct assoc *a, const char *text, const char *file, int line);
/* The same after all grace periods are over. */
#define rig_expect_after_grace(r, a, text)                                                                   \
	do {                                                                                                 \
		fake_grace((r)->plane);                                                                      \
		rig_expect(a, text);                                                                         \
	} while (0)
void rig_forget(struct rig *r); /* discards what was sent to anybody, grace periods over */

/* Time passes, timers fire. */
void rig_pass_ms(struct rig *r, uint64_t ms);

enum as_state rig_as_state(struct rig *r, const char *as);
enum asp_state rig_state(struct rig *r, const char *as, const char *asp);
/* What the published table says. */
const struct fwd_as *rig_table_as(struct rig *r, const char *as);
bool rig_accepts(struct rig *r, struct assoc *a, uint32_t rc);
