/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/user.h"

static const struct tp_upcalls *up(void *user)
{
	return ((struct sim_user *)user)->up;
}

static void on_message(void *user, struct mbuf *m)
{
	up(user)->message(user, m);
}

static void on_event(void *user, const struct tp_event *e)
{
	up(user)->event(user, e);
}

/* Only who listens is asked these two. */
static void on_incoming(void *user, struct tp_incoming *in)
{
	up(user)->incoming(user, in);
}

static bool on_permit(void *user, const union tp_addr *from)
{
	return up(user)->permit(user, from);
}

static void on_refused(void *user, uint32_t len, bool too_long)
{
	up(user)->refused(user, len, too_long);
}

const struct tp_upcalls sim_user_upcalls = {.message = on_message,
	.event = on_event,
	.incoming = on_incoming,
	.permit = on_permit,
	.refused = on_refused};
