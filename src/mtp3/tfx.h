/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What neighbours are told about destinations (Q.704 s.13.2 to 13.4, RTPC, RTAC, RTRC as senders; answers to
 * route set tests, s.13.5.4). One rule does it all: a neighbour is told when what holds for it differs from
 * what it was told last. That covers broadcast, preventive TFP and their withdrawal, and restart. */
#pragma once

#include "mtp3/mtp3_int.h"

/* All that is not allowed, to a neighbour that has become accessible (s.13.2.2 iv, v; 9.3.2). */
void tfx_announce(struct mtp3_linkset *ls);
/* Nothing was told: for a neighbour that restarts. */
void tfx_forget(struct mtp3_linkset *ls);
/* All that is not allowed is to be told again by tfx_announce(): the neighbour may have forgotten it, or not.
 */
void tfx_renew(struct mtp3_linkset *ls);
/* RST, RSR, RCP or RCR came from LS. */
void tfx_tested(struct mtp3_linkset *ls, const struct snm *m);
/* M, about a destination, comes back from a failed link of LS: what holds by now is told instead, since the
 * neighbour may have got a newer message by another link. False: it is no such message. */
bool tfx_returned(struct mtp3_linkset *ls, const struct snm *m);

/* TFP, TFR, TFA, or the cluster's: what STATUS is said with. SNM_IDS: cannot be said. */
enum snm_id tfx_message(const struct mtp3_net *n, uint8_t mask, enum mtp3_status s);
