/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The signalling link test of Q.707 s.2.2 (SLTC): before a link carries traffic, and every T2. */
#pragma once

#include "mtp3/mtp3_int.h"

enum slt_event {
	SE_BEGIN,
	SE_GOOD,  /* SLTA as it should be */
	SE_WRONG, /* SLTA that is not ours */
	SE_T1,
	SE_T2,
	SE_END,
	SE_EVENTS
};

enum slt_action { SX_NONE, SX_SEND, SX_PASS, SX_FAIL, SX_STOP };

struct slt_cell {
	uint8_t next, action;
};

extern const struct slt_cell slt_fsm[SLT_STATES][SE_EVENTS];

void slt_transition(struct mtp3_link *l, enum slt_event e);
void slt_begin(struct mtp3_link *l);
void slt_end(struct mtp3_link *l);

/* SLTM or SLTA that came on L. */
void slt_message(struct mtp3_link *l, const struct mtp3_label *label, const struct snm *m);
