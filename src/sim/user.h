/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ASPs, M2PA links and listeners share one loop of the transport, whose upcalls know one kind of user only.
 * So whatever is given to the transport begins with this, and the loop's upcalls go on to the user's own. */
#pragma once

#include "sctp/transport.h"

struct sim_user {
	const struct tp_upcalls *up;
};

extern const struct tp_upcalls sim_user_upcalls;
