/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Was this process kept from running while it played a script? A timer that comes late says so. What failed
 * then says little: a peer that was not answered in time, a message that came after its time. */
#pragma once

#include <ev.h>
#include <stdbool.h>
#include <stdint.h>

enum { STALL_TICK_MS = 20, STALL_MAX_MS = 200 };

struct stall {
	struct ev_timer tick;
	uint64_t due_ns, worst_ns;
};

/* Watches from now on, as long as LOOP is run; it must be stopped before LOOP goes. */
void stall_start(struct stall *s, struct ev_loop *loop);
void stall_stop(struct stall *s, struct ev_loop *loop);
/* The loop was not run for another reason until now. */
void stall_forget(struct stall *s);
/* The longest delay so far, in ms; was it one that spoils a script? */
uint64_t stall_ms(const struct stall *s);
bool stall_spoils(const struct stall *s);
