/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How much of a peer may wait for control. A peer that asks faster than control answers is not read any
 * further until control has caught up: its window closes, and none of its requests is lost, as would be if
 * they were discarded. (A transport that cannot stop has ASSOC_MESSAGES, beyond which they are.) */
#pragma once

#include "data/assoc.h"

enum {
	INTAKE_FULL = 128, /* messages that wait: stop reading */
	INTAKE_LOW = 32,   /* and begin again */
};

/* Worker: one more message of A waits for control. */
void intake_told(struct assoc *a);
/* Worker: control has caught up (N_RESUME). */
void intake_resume(struct assoc *a);
/* Control: it has looked at one more. */
void intake_taken(struct assoc *a);
