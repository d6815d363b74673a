/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "mtp3/timer.h"

#include "mtp3/mtp3_int.h"

const struct mtp3_timer_rule mtp3_timer_rules[MTP3_TIMERS] = {
#define X(id, key, text, itu, ansi, least, most) [MTP3_##id] = {#id, key, text, itu, ansi, least, most},
	MTP3_TIMER_LIST(X)
#undef X
};

uint32_t mtp3_timer_default(enum mtp3_timer t, enum pc_variant v)
{
	return v == PC_ANSI ? mtp3_timer_rules[t].ansi_ms : mtp3_timer_rules[t].itu_ms;
}

uint32_t mtp3_timer_ms(const struct mtp3_net *n, enum mtp3_timer t)
{
	uint32_t ms = n->conf->timer_ms[t];

	return ms ? ms : mtp3_timer_default(t, n->conf->variant);
}

void timer_start(struct osmo_timer_list *timer, const struct mtp3_net *n, enum mtp3_timer t,
	void (*expired)(void *), void *data)
{
	uint32_t ms = mtp3_timer_ms(n, t);

	osmo_timer_setup(timer, expired, data);
	osmo_timer_schedule(timer, (int)(ms / 1000), (int)(ms % 1000 * 1000));
}
