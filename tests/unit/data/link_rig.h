/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One M2PA link on a worker that is driven by hand, its peer played by the test. What the link sends and what
 * it tells control is written down as text:
 *
 *     sent:  "D5/2#7" User Data FSN 5, BSN 2, MSU number 7   "A5/2" empty User Data   "Ready.1 5/2" on stream
 * 1 told:  "status:Busy" "status:Busy+" (our messages are outstanding) "first" "fault:T7 expired..."
 *            "congested" "abated" "bsnt:3" "msg#7" (SI 0 to 2) "fwd#7" (SI 3 and up) "got#7" (retrieved)
 * "done:2"
 *
 * Numbers are signed, so that -1 is what a link begins with. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bare.h"

enum { LINK_BUFFERS = 8192, LINK_T7_MS = 30, LINK_TXQ = 40 };

struct link_rig {
	struct bare b;
	struct assoc *a;
	char sent[4096], told[4096];
};

void link_start(struct link_rig *r);
/* The same, open and in service, with nothing written down so far. */
void link_start_in_service(struct link_rig *r);
void link_stop(struct link_rig *r);

/* A pass of the worker, then control takes what it is told (unless it sleeps). */
void link_pass(struct link_rig *r);
void link_pass_without_control(struct link_rig *r);
/* The same by the loop, with its timers. */
void link_run(struct link_rig *r);

/* The peer sends, in the pass that is under way or in one of its own. */
void peer_data(struct link_rig *r, int fsn, int bsn, uint8_t si, unsigned number);
void peer_ack(struct link_rig *r, int fsn, int bsn);
void peer_status(struct link_rig *r, uint32_t state, int fsn, int bsn);
void peer_bytes(struct link_rig *r, const char *hex_bytes, uint32_t ppid);
/* MSUs of ours, numbered from FIRST on, through control. */
void link_send(struct link_rig *r, unsigned first, unsigned n);
/* One that a worker forwards, in the pass that is under way. */
void link_forward(struct link_rig *r, unsigned number);

/* What has been written down since the last time is WANT. */
void assert_sent(struct link_rig *r, const char *want);
void assert_told(struct link_rig *r, const char *want);
uint64_t link_drops(struct link_rig *r, enum drop_reason reason);
