/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/script_stall.h"

#include "base/clock.h"

enum { NS_PER_MS = 1000000 };

static uint64_t late(const struct stall *s)
{
	uint64_t now = clock_ns();

	return now > s->due_ns ? now - s->due_ns : 0;
}

void stall_forget(struct stall *s)
{
	s->due_ns = clock_ns() + (uint64_t)STALL_TICK_MS * NS_PER_MS;
}

static void on_tick(struct ev_loop *loop, struct ev_timer *w, int revents)
{
	struct stall *s = w->data;

	(void)loop;
	(void)revents;
	if (late(s) > s->worst_ns)
		s->worst_ns = late(s);
	stall_forget(s);
}

void stall_start(struct stall *s, struct ev_loop *loop)
{
	s->worst_ns = 0;
	ev_timer_init(&s->tick, on_tick, STALL_TICK_MS / 1e3, STALL_TICK_MS / 1e3);
	s->tick.data = s;
	ev_timer_start(loop, &s->tick);
	stall_forget(s);
}

void stall_stop(struct stall *s, struct ev_loop *loop)
{
	ev_timer_stop(loop, &s->tick);
}

uint64_t stall_ms(const struct stall *s)
{
	return (late(s) > s->worst_ns ? late(s) : s->worst_ns) / NS_PER_MS;
}

bool stall_spoils(const struct stall *s)
{
	return stall_ms(s) > STALL_MAX_MS;
}
